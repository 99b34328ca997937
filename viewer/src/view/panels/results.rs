//! The result of a tune that is shown: its values, and what was measured with them.

use flockwork_engine::math::{Vec2, short};

use super::super::area::Area;
use super::super::icon::Icon;
use super::super::panel::{Panel, Position, Scene};
use super::super::panel_drawing::{section, writer};
use super::super::panel_states::PanelId;
use super::super::text_writer::{PAD, SMALL, TextWriter, cut};
use super::super::tune_results::{ShownResult, short_name};
use super::super::ui::Ui;
use super::super::ui_command::UiCommand;
use super::super::view_state::ViewState;
use super::super::widget::{Widget, row_of};
use crate::draw::{Palette, Picture, text_width};

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("results"),
    position: Position::Column(height),
    widgets,
    draw,
    needs_run: true,
    ..Panel::DEFAULT
};

/// Height of the title and the line below it, in pixels.
const HEAD: f32 = 58.0;
/// Height of a line, in pixels.
const ROW: f32 = 17.0;
/// Height of what is below the lines, in pixels.
const FOOT: f32 = 30.0;
/// Gap between values and measures, in pixels.
const GAP: f32 = 7.0;
/// Size of the buttons, in pixels.
const BUTTON: Vec2 = Vec2::new(28.0, 28.0);

/// Returns the height of the panel, if a result is shown.
fn height(_: &Ui, state: &ViewState, _: f32) -> Option<f32> {
    let shown = state.result.as_ref()?;
    let lines = shown.results.names.len() + shown.results.goals.len();
    Some(HEAD + lines as f32 * ROW + GAP + FOOT)
}

fn widgets(_: &Scene<'_>, area: Area) -> Vec<Widget> {
    let corner = Vec2::new(area.max.x - 2.0 * BUTTON.x - 6.0, area.min.y + 6.0);
    let [previous, next] = row_of(corner, BUTTON);
    vec![
        Widget::button(previous, Icon::Previous, UiCommand::PreviousResult),
        Widget::button(next, Icon::Next, UiCommand::NextResult),
    ]
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let Some(ShownResult { results, index }) = &scene.state.result else {
        return;
    };
    let palette = scene.palette();
    let result = &results.rows[*index];
    section(picture, area, palette);
    let mut writer = writer(picture, area);
    let title = format!("result {} of {}", index + 1, results.rows.len());
    writer.title(writer.left, palette.ink, &title);
    writer.gap(18.0);
    writer.at(writer.left, SMALL, palette.quiet, &result.what(results));
    writer.base = area.min.y + HEAD + 8.0;
    writer.end = area.max.y - FOOT + 4.0;
    for (name, value) in results.names.iter().zip(&result.values) {
        row(&mut writer, palette, &short_name(name), &value.to_string());
    }
    writer.gap(GAP);
    for (goal, value) in results.goals.iter().zip(&result.goals) {
        let value = value.map_or_else(|| "no value".to_owned(), |value| short(value as f32));
        row(&mut writer, palette, goal, &value);
    }
    writer.end = area.max.y;
    writer.base = area.max.y - 11.0;
    let words = if result.errors > 0 {
        format!("runs with an error: {}", result.errors)
    } else {
        "o: write these values to the scenario".to_owned()
    };
    writer.at(writer.left, SMALL, palette.quiet, &words);
}

/// Writes a name and its value, and moves on to the next line.
fn row(writer: &mut TextWriter<'_>, palette: &Palette, name: &str, value: &str) {
    let value = cut(value, SMALL, 110.0);
    let (left, right) = (writer.left, writer.right);
    writer.right = right - text_width(&value, SMALL) - PAD / 2.0;
    writer.at(left, SMALL, palette.quiet, name);
    writer.right = right;
    writer.up_to(right, SMALL, palette.ink, &value);
    writer.gap(ROW);
}
