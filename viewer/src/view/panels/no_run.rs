//! The sentence in the middle of the window as long as there is no run, because the files have errors.

use flockwork_engine::math::{self, Vec2};

use super::super::area::Area;
use super::super::files::short_name;
use super::super::keys::key_of;
use super::super::panel::{Panel, Position, Scene};
use super::super::panel_states::PanelId;
use super::super::text_writer::{LINE, SIZE, wrap};
use super::super::ui::Ui;
use super::super::ui_command::UiCommand;
use super::super::view_state::ViewState;
use super::super::widget::Widget;
use super::files;
use crate::draw::{Anchor, text, text_width};

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("no_run"),
    position: Position::Own(area),
    widgets: |_, area| vec![Widget::clickable(area, UiCommand::ShowError)],
    draw: |picture, scene, area| {
        let words = sentence(scene.ui, scene.state).unwrap_or_default();
        for (number, line) in wrap(&words, SIZE, area.width() + 0.5).into_iter().enumerate() {
            let left = (area.min.x + area.max.x - text_width(line, SIZE)) / 2.0;
            let at = Vec2::new(left, area.min.y + SIZE + number as f32 * LINE);
            text(picture, at, Anchor::Left, SIZE, scene.palette().ink, line);
        }
    },
    ..Panel::DEFAULT
};

/// Maximum width of the sentence, and its distance from other panels, in pixels.
const WIDTH: f32 = 420.0;
const GAP: f32 = 24.0;

/// Says where the first error is, and what to do. `None` if there is a run.
pub(in super::super) fn sentence(ui: &Ui, state: &ViewState) -> Option<String> {
    let error = ui.shown_error(state).filter(|_| state.is_waiting)?.error;
    let Some(place) = &error.place else {
        return Some(format!("no run yet: {}", error.message));
    };
    let (line, _) = place.source.line_column(place.span.start);
    let name = short_name(&place.source.name);
    Some(match files::PANEL.is_open(ui) {
        true => {
            // The first key is the one that also counts while the person types.
            let write = key_of(UiCommand::Write).split(' ').next().unwrap_or_default();
            format!("no run yet: repair line {line} of {name}, and write it with {write}")
        }
        false => {
            let key = key_of(files::PANEL.toggle());
            format!("no run yet: line {line} of {name} has an error; repair it here with {key}")
        }
    })
}

/// Returns the area in the middle of the world, or of what the error leaves of it.
fn area(scene: &Scene<'_>) -> Option<Area> {
    let words = sentence(scene.ui, scene.state)?;
    let error = scene.layout.area(super::error::PANEL.id);
    let top = error.filter(|error| error.max.y < scene.layout.bottom).map_or(0.0, |one| one.max.y);
    let room = Vec2::new(scene.layout.world.0 as f32, scene.layout.bottom);
    let width = math::min(WIDTH, room.x - 2.0 * GAP);
    let lines = wrap(&words, SIZE, width);
    let widest = lines.iter().map(|line| text_width(line, SIZE)).fold(0.0, math::max).ceil();
    let height = lines.len() as f32 * LINE;
    let middle = math::max((room.y - height) / 2.0, top + GAP);
    let has_room = width > 0.0 && middle + height <= room.y;
    has_room.then(|| Area::new(((room.x - widest) / 2.0).floor(), middle.floor(), widest, height))
}
