//! Remarks above the status line: whether the shown tick, or one before it, ran with older files or params, and what the ghost
//! is, and that the view was moved. A click does something about it.

use flockwork_engine::math::{self, Vec2};

use super::super::area::Area;
use super::super::keys::key_of;
use super::super::layout::Layout;
use super::super::panel::{Panel, Position, Scene};
use super::super::panel_states::PanelId;
use super::super::screen::drawn_ghost;
use super::super::terms::GRAY_RUN;
use super::super::text_writer::{SMALL, cut, wrap};
use super::super::ui::Ui;
use super::super::ui_command::UiCommand;
use super::super::view_state::ViewState;
use super::super::widget::Widget;
use crate::draw::{Anchor, Picture, text, text_width};

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("remarks"),
    position: Position::Own(area),
    widgets,
    draw,
    needs_run: true,
    ..Panel::DEFAULT
};

/// Distance from the edges of a line to its text, in pixels.
const PAD: f32 = 8.0;
/// The room of the scale bar, in the lower left corner, in pixels.
const SCALE_BAR: Vec2 = Vec2::new(248.0, 34.0);
/// Height of a remark of one line, and of each further line, in pixels.
const LINE: f32 = Widget::MIN_SIDE;
const NEXT_LINE: f32 = 15.0;

/// Returns the remarks, from the top down, and what a click on them does.
pub(in super::super) fn remarks(ui: &Ui, state: &ViewState) -> Vec<(String, UiCommand)> {
    // An audience wants to see the world.
    if ui.presented.is_some() {
        return Vec::new();
    }
    let older = state.older.map(|what| {
        let key = key_of(UiCommand::Rerun);
        let words = match state.errors.is_empty() {
            true => format!(
                "this tick ran with older {what}: click ({key}) to run on with the new ones"
            ),
            false => format!(
                "this tick ran with older {what}, since the new ones have an error (click or {key}: try them)"
            ),
        };
        (words, UiCommand::Rerun)
    });
    // You might take the result of such a run for that of the newest files.
    let changed = state.changed_at.filter(|_| state.older.is_none()).map(|tick| {
        let key = key_of(UiCommand::RerunAll);
        let words = format!(
            "ticks before {tick} ran with older files or params; to run all with the new ones, click or press {key}"
        );
        (words, UiCommand::RerunAll)
    });
    let name = &state.ghost_name;
    let is_drawn = drawn_ghost(ui, state).is_some();
    let ghost = if state.is_ghost_kept && state.ghost.is_some() {
        let not_drawn = if is_drawn { "" } else { ", not drawn here" };
        let words = format!("gray run, kept: {name}{not_drawn} (click removes it)");
        Some((words, UiCommand::ToggleGhost))
    } else {
        let key = key_of(UiCommand::ToggleGhost);
        let words = format!("gray run: {name} (click keeps it, {key} removes it)");
        is_drawn.then_some((words, UiCommand::KeepGhost))
    };
    let moved = ui.has_moved_view().then(|| {
        let words = format!(
            "the view was moved: click to show the whole world ({})",
            key_of(UiCommand::Fit)
        );
        (words, UiCommand::Fit)
    });
    older.into_iter().chain(changed).chain(ghost).chain(moved).collect()
}

/// Returns the height of all remarks, in pixels. `world` is the width of the world.
pub(in super::super) fn height(ui: &Ui, state: &ViewState, world: u32) -> f32 {
    let all = remarks(ui, state);
    all.iter().map(|(words, _)| line_height(words, most_width(world))).sum()
}

/// Returns the largest width of remarks beside a width of the world, in pixels.
fn most_width(world: u32) -> f32 {
    world as f32 - 2.0 * Layout::GAP + 2.0
}

/// Returns the lines of a remark in a width.
fn broken(words: &str, width: f32) -> Vec<&str> {
    // Rounding must not break a line that fits.
    wrap(words, SMALL, width - 2.0 * PAD + 0.5)
}

/// Returns the height of a remark in a width, in pixels.
fn line_height(words: &str, width: f32) -> f32 {
    LINE + broken(words, width).len().saturating_sub(1) as f32 * NEXT_LINE
}

pub(super) fn area(scene: &Scene<'_>) -> Option<Area> {
    let remarks = remarks(scene.ui, scene.state);
    let widths = remarks.iter().map(|(words, _)| text_width(words, SMALL) + 2.0 * PAD);
    let wanted = widths.fold(0.0, math::max).ceil();
    let right = scene.layout.world.0 as f32 - Layout::GAP + 2.0;
    let width = math::min(wanted, most_width(scene.layout.world.0));
    let mut bottom = scene.layout.bottom - Layout::GAP + 2.0;
    if right - width < SCALE_BAR.x {
        bottom -= SCALE_BAR.y;
    }
    let height = height(scene.ui, scene.state, scene.layout.world.0);
    let is_open = !remarks.is_empty() && width > 60.0 && bottom > height;
    is_open.then(|| Area::new(right - width, bottom - height, width, height))
}

/// Returns the lines of the remarks.
fn lines<'s>(scene: &Scene<'s>, area: Area) -> impl Iterator<Item = (String, UiCommand, Area)> {
    let mut top = area.min.y;
    remarks(scene.ui, scene.state).into_iter().map(move |(words, command)| {
        let line = Area::new(area.min.x, top, area.width(), line_height(&words, area.width()));
        top = line.max.y;
        (words, command, line)
    })
}

fn widgets(scene: &Scene<'_>, area: Area) -> Vec<Widget> {
    let widget = |(_, command, line)| {
        let widget = Widget::clickable(line, command);
        match command {
            UiCommand::KeepGhost => widget.tip(format!(
                "keep it, so that later edits do not replace it\n{}",
                GRAY_RUN.note()
            )),
            UiCommand::ToggleGhost => widget.tip(format!("remove it\n{}", GRAY_RUN.note())),
            _ => widget,
        }
    };
    lines(scene, area).map(widget).collect()
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let palette = scene.palette();
    picture.fill_rect(area.min, area.max, palette.ground.alpha(225));
    for (words, command, line) in lines(scene, area) {
        let is_now = command == UiCommand::Rerun;
        let color = if is_now { palette.highlight } else { palette.quiet };
        for (row, words) in broken(&words, line.width()).into_iter().rev().enumerate() {
            let at = Vec2::new(line.max.x - PAD, line.max.y - 8.0 - row as f32 * NEXT_LINE);
            // A name without spaces is not broken.
            let words = cut(words, SMALL, line.width() - 2.0 * PAD + 0.5);
            text(picture, at, Anchor::Right, SMALL, color, &words);
        }
    }
}
