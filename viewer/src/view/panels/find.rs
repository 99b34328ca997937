//! The box above the text of a file that finds words in it and replaces them.

use flockwork_engine::math::{self, Vec2};

use super::super::area::Area;
use super::super::file_view::{CODE, ROW, cell, find_area};
use super::super::find_action::{FindAction, FindField};
use super::super::icon::Icon;
use super::super::panel::{Panel, Position, Scene};
use super::super::panel_drawing::{
    BUTTON_GAP, ButtonLook, frame, ground, word_button, word_button_width,
};
use super::super::panel_states::PanelId;
use super::super::text_edit::TextEdit;
use super::super::text_rows::columns;
use super::super::text_writer::{PAD, SMALL};
use super::super::ui_command::UiCommand;
use super::super::widget::Widget;
use crate::draw::{Anchor, Pen, Picture, Typeface, text};

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("find"),
    position: Position::Own(find_area),
    widgets,
    draw,
    ..Panel::DEFAULT
};

/// Distance of a field from the edges of its row, in pixels.
const GAP: f32 = 3.0;
/// Width of an arrow, and of the words that say which place is selected, in pixels.
const ARROW: f32 = 26.0;
const COUNT: f32 = 74.0;
/// The least width of a field, in pixels.
const LEAST_FIELD: f32 = 60.0;

/// A part of the box that a click does something with.
struct Part {
    /// Its words; empty for a field or an arrow.
    words: &'static str,
    action: FindAction,
    tip: &'static str,
    area: Area,
}

/// Returns the parts of a row: the field, and the buttons at its end.
fn row_parts(
    row: Area,
    field: (FindField, &'static str),
    count: f32,
    buttons: &[(&'static str, FindAction, &'static str)],
) -> Vec<Part> {
    let width = |words: &str| match words {
        "" => ARROW,
        words => word_button_width(words),
    };
    let all: f32 = buttons.iter().map(|(words, ..)| width(words) + BUTTON_GAP).sum();
    let mut left = math::max(row.max.x - PAD / 2.0 - all, row.min.x + LEAST_FIELD);
    let field_left = row.min.x + PAD / 2.0;
    let area = Area::new(field_left, row.min.y, left - count - field_left - GAP, ROW);
    let mut parts =
        vec![Part { words: "", action: FindAction::TypeIn(field.0), tip: field.1, area }];
    for (words, action, tip) in buttons.iter().copied() {
        let area = Area::new(left, row.min.y + 1.0, width(words), Widget::MIN_SIDE);
        left += area.width() + BUTTON_GAP;
        parts.push(Part { words, action, tip, area });
    }
    parts
}

/// Returns the parts of all rows.
fn parts(scene: &Scene<'_>, area: Area) -> Vec<Part> {
    let find = &scene.ui.files.find;
    let row =
        |number: usize| Area::new(area.min.x, area.min.y + number as f32 * ROW, area.width(), ROW);
    let mut first = vec![
        ("Aa", FindAction::SwitchCase, "capitals are other letters than small ones"),
        ("W", FindAction::SwitchWholeWords, "only whole words"),
        ("", FindAction::Previous, "the place before (shift+enter)"),
        ("", FindAction::Next, "the next place (enter)"),
    ];
    if !find.has_replacement {
        first.push(("replace", FindAction::OpenReplace, "replace the words (ctrl+h)"));
    }
    first.push(("close", FindAction::Close, "close it; the cursor stays at the place (esc)"));
    let mut all = row_parts(row(0), (FindField::Words, "the words to find"), COUNT, &first);
    if find.has_replacement {
        let second = [
            ("replace", FindAction::ReplaceOne, "replace this place, go to the next one (enter)"),
            ("all", FindAction::ReplaceAll, "replace all places (ctrl+enter)"),
        ];
        let field = (FindField::Replacement, "what replaces them");
        all.extend(row_parts(row(1), field, 0.0, &second));
    }
    all
}

fn widgets(scene: &Scene<'_>, area: Area) -> Vec<Widget> {
    let widget = |part: Part| {
        let command = UiCommand::Find(part.action);
        let widget = match part.action {
            FindAction::Previous => Widget::button(part.area, Icon::Previous, command),
            FindAction::Next => Widget::button(part.area, Icon::Next, command),
            _ => Widget::clickable(part.area, command),
        };
        widget.tip(part.tip)
    };
    let parts = parts(scene, area).into_iter().map(widget);
    [Widget::background(area)].into_iter().chain(parts).collect()
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let palette = scene.palette();
    ground(picture, area, palette);
    for Part { words, action, area, .. } in parts(scene, area) {
        let base = area.min.y + 17.0;
        match action {
            FindAction::TypeIn(field) => {
                draw_field(picture, scene, area, field);
                if field == FindField::Words {
                    let found = scene.ui.found_text(scene.state);
                    let is_missing = found == "not found";
                    let color = if is_missing { palette.highlight } else { palette.quiet };
                    let at = Vec2::new(area.max.x + 8.0, base);
                    text(picture, at, Anchor::Left, SMALL, color, &found);
                }
            }
            _ => {
                let find = &scene.ui.files.find;
                let is_on = match action {
                    FindAction::SwitchCase => find.has_case,
                    FindAction::SwitchWholeWords => find.has_whole_words,
                    _ => false,
                };
                // Arrows are drawn by their widgets.
                if words.is_empty() {
                    continue;
                }
                if is_on {
                    picture.fill_rect(area.min, area.max, palette.group(0).alpha(70));
                }
                word_button(picture, palette, area, words, ButtonLook::Plain);
            }
        }
    }
}

/// Draws a field with its words, its selection and its cursor.
fn draw_field(picture: &mut Picture, scene: &Scene<'_>, area: Area, field: FindField) {
    let (palette, find) = (scene.palette(), &scene.ui.files.find);
    let edit: &TextEdit = match field {
        FindField::Words => &find.words,
        FindField::Replacement => &find.replacement,
    };
    let has_keys = find.field == Some(field) && scene.ui.files.is_typing;
    let inner = Area { min: area.min + Vec2::splat(GAP), max: area.max - Vec2::splat(GAP) };
    let color = if has_keys { palette.ink } else { palette.edge.alpha(140) };
    frame(picture, inner, Pen::new(color, 1.0));
    let (left, base) = (inner.min.x + 5.0, inner.min.y + 14.0);
    let room = math::max((inner.width() - 10.0) / cell(), 1.0) as usize;
    // The part around the cursor is shown.
    let all = edit.text();
    let hidden = columns(&all[..edit.cursor()]).saturating_sub(room);
    let x_of = |place: usize| {
        let column = columns(&all[..place]).saturating_sub(hidden).min(room);
        left + column as f32 * cell()
    };
    if has_keys {
        let selected = edit.selection();
        let low = Vec2::new(x_of(selected.start), inner.min.y + 2.0);
        let high = Vec2::new(x_of(selected.end), inner.max.y - 2.0);
        picture.fill_rect(low, high, palette.quiet.alpha(70));
    }
    let shown: String = all.chars().skip(hidden).take(room).collect();
    Typeface::Code.write(picture, Vec2::new(left, base), CODE, palette.ink, &shown);
    if has_keys {
        let low = Vec2::new(x_of(edit.cursor()).floor(), inner.min.y + 2.0);
        picture.fill_rect(low, Vec2::new(low.x + 2.0, inner.max.y - 2.0), palette.accent);
    }
    if all.is_empty() {
        let words = match field {
            FindField::Words => "find",
            FindField::Replacement => "replace by",
        };
        text(picture, Vec2::new(left + 6.0, base), Anchor::Left, SMALL, palette.quiet, words);
    }
}
