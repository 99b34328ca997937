//! The line of text that the window asks for.

use super::super::area::Area;
use super::super::ask::{Ask, Question};
use super::super::file_view::{ABOVE, BELOW, point_of, shown_text_area};
use super::super::layout::Layout;
use super::super::panel::{Panel, Position, Scene};
use super::super::panel_drawing::{floating_ground, frame, writer};
use super::super::panel_states::PanelId;
use super::super::terms::GOLDEN;
use super::super::text_writer::{LINE, PAD, SIZE, SMALL, wrap};
use super::super::ui_command::UiCommand;
use super::super::widget::Widget;
use super::params;
use crate::draw::{Pen, Picture, text_width};
use flockwork_engine::math::{self, Vec2};

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("question"),
    position: Position::Own(area),
    widgets: |scene, area| {
        let ask = scene.ui.question.as_ref().map(|question| question.ask);
        let golden = matches!(ask, Some(Ask::Save { is_test: true })).then(|| GOLDEN.note());
        let note = golden.map_or_else(String::new, |note| format!("; {note}"));
        let all = Widget::background(area).tip(format!("enter: done; esc: cancel{note}"));
        [all].into_iter().chain(suggestion(scene, area)).collect()
    },
    draw,
    ..Panel::DEFAULT
};

/// Height with a prompt of one line and without an error, in pixels.
const HEIGHT: f32 = BOX + 35.0 + PAD;
/// Height of the box with what is typed, in pixels.
const BOX: f32 = 30.0;
/// Distance from the upper edge of the window, in pixels.
const TOP: f32 = 48.0;
/// Maximum width, in pixels.
const WIDTH: f32 = 620.0;

/// Width that is enough for a number, in pixels.
const NUMBER_WIDTH: f32 = 300.0;

/// Width that is enough for a name, in pixels.
const NAME_WIDTH: f32 = 380.0;

/// Returns where the cursor is in the shown file, and the area of the text, if both are visible.
fn name_point(scene: &Scene<'_>) -> Option<(Vec2, Area)> {
    let edit = scene.ui.shown_file(scene.state)?.edit?;
    Some((point_of(scene, edit.cursor())?, shown_text_area(scene)?))
}

/// Returns its area: at the top, with room for a list below it; if it asks for a param, beside its row, and for a name, below that name.
pub(super) fn area(scene: &Scene<'_>) -> Option<Area> {
    let question = scene.ui.question.as_ref()?;
    let width = width_of(scene, if question.ask == Ask::Value { NUMBER_WIDTH } else { WIDTH });
    let at_name = name_point(scene).filter(|_| question.ask == Ask::Rename);
    let width = if at_name.is_some() { math::min(width, NAME_WIDTH) } else { width };
    let errors = question.error.as_ref().map_or(0, |_| error_lines(question, width).len());
    let more = prompt_lines(question, width).len().saturating_sub(1) + errors;
    let height = HEIGHT + more as f32 * SMALL_LINE;
    let lowest = math::max(scene.layout.bottom - height - Layout::GAP, 0.0);
    let row = params::selected_row(scene).filter(|_| question.ask == Ask::Value);
    let beside = row.filter(|row| row.min.x >= width + 2.0 * Layout::GAP);
    if let Some((at, room)) = at_name {
        let left = math::max(math::min(at.x - PAD, room.max.x - width), Layout::GAP);
        let below = at.y + BELOW;
        let top = if below <= lowest { below } else { at.y - ABOVE - height };
        return Some(Area::new(left, math::max(top, 0.0), width, height));
    }
    Some(match beside {
        Some(row) => {
            let top = math::max(math::min(row.min.y - Layout::GAP, lowest), 0.0);
            Area::new(row.min.x - width - Layout::GAP, top, width, height)
        }
        None => at_top(scene, Vec2::new(width, height)),
    })
}

/// Returns the width of a question that wants one, in pixels.
fn width_of(scene: &Scene<'_>, wanted: f32) -> f32 {
    math::max(math::min(wanted, scene.layout.world.0 as f32 - 2.0 * Layout::GAP), 1.0)
}

/// Returns the area of a question of a size at the top of the world.
pub(super) fn at_top(scene: &Scene<'_>, size: Vec2) -> Area {
    let left = ((scene.layout.world.0 as f32 - size.x) / 2.0).floor();
    let lowest = math::max(scene.layout.bottom - size.y - Layout::GAP, 0.0);
    Area::new(left, math::min(TOP, lowest), size.x, size.y)
}

/// Height of a line of the prompt or about an error, in pixels.
const SMALL_LINE: f32 = LINE * SMALL / SIZE;

/// Returns the prompt, as lines in a panel of a width.
fn prompt_lines(question: &Question, width: f32) -> Vec<&str> {
    wrap(&question.words, SMALL, width - 2.0 * PAD)
}

/// Returns why the answer was refused, as lines in a panel of a width.
fn error_lines(question: &Question, width: f32) -> Vec<&str> {
    let error = question.error.as_deref().unwrap_or_default();
    wrap(error, SMALL, width - 2.0 * PAD)
}

/// Returns the lines about an error that suggests a word. A click uses it.
fn suggestion(scene: &Scene<'_>, area: Area) -> Option<Widget> {
    let question = scene.ui.question.as_ref()?;
    let text = question.suggested()?;
    let height = error_lines(question, area.width()).len() as f32 * SMALL_LINE;
    let lines = area.between(area.max.y - height - PAD, area.max.y);
    Some(Widget::clickable(lines, UiCommand::TakeSuggestion).tip(format!("click: use {text}")))
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let palette = scene.palette();
    let Some(question) = &scene.ui.question else {
        return;
    };
    let Question { example, text, is_last, .. } = question;
    // The list below it has drawn the ground of both.
    if !scene.ui.lists_rows(scene.state) {
        floating_ground(picture, area, palette, 255);
    }
    let mut writer = writer(picture, area);
    for line in prompt_lines(question, area.width()) {
        writer.line(SMALL, palette.quiet, line);
    }
    let top = writer.base - 8.0;
    let typed = Area::new(writer.left, top, writer.right - writer.left, BOX);
    frame(writer.picture, typed, Pen::new(palette.accent, 1.0));
    let left = typed.min.x + 8.0;
    writer.base = top + 20.0;
    // The end of a long text is what is being typed.
    let room = typed.width() - 20.0;
    let mut shown = text.as_str();
    while text_width(shown, SIZE) > room {
        let mut letters = shown.chars();
        letters.next();
        shown = letters.as_str();
    }
    if *is_last {
        // Selected: typing replaces it.
        let base = writer.base;
        let low = Vec2::new(left - 2.0, base - SIZE);
        let high = Vec2::new(left + text_width(shown, SIZE) + 2.0, base + 0.35 * SIZE);
        writer.picture.fill_rect(low, high, palette.quiet.alpha(70));
    }
    writer.at(left, SIZE, palette.ink, shown);
    let caret = Vec2::new(left + text_width(shown, SIZE) + 1.0, writer.base - SIZE + 1.0);
    writer.picture.fill_rect(caret, caret + Vec2::new(2.0, 16.0), palette.accent);
    if text.is_empty() {
        let example = format!("for example: {example}");
        writer.at(left + 10.0, SIZE, palette.quiet, &example);
    }
    writer.base = typed.max.y + LINE;
    for line in error_lines(question, area.width()) {
        writer.line(SMALL, palette.highlight, line);
    }
}
