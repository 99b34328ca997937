//! The params of a group, each with its value; one of them is the one that the keys change.

use flockwork_engine::math::Vec2;

use super::super::frame::{Panel, Scene};
use super::super::layout::{Area, Layout};
use super::super::text_writer::{SIZE, SMALL};
use super::super::tune;
use super::super::ui_command::UiCommand;
use super::super::widget::Widget;
use super::{ground, writer};
use crate::draw::Picture;

pub(in super::super) static PANEL: Panel =
    Panel { area: |scene| scene.layout.params, widgets, draw, is_solid: true };

/// Returns the area of a param that has a row.
fn row(layout: &Layout, area: Area, param: usize) -> Area {
    let row = (param - layout.rows.start) as f32;
    let top = area.min.y + Layout::HEAD + row * Layout::ROW;
    Area::new(area.min.x + 1.0, top, area.width() - 2.0, Layout::ROW)
}

fn widgets(scene: &Scene<'_>, area: Area) -> Vec<Widget> {
    let rows = scene.layout.rows.clone();
    let widget = |param| {
        Widget::place(row(&scene.layout, area, param), UiCommand::SelectParam(param))
            .wheel(UiCommand::TuneParam(param, 1), UiCommand::TuneParam(param, -1))
            .tip("click: the keys - and = change this param; wheel: change it")
    };
    rows.map(widget).collect()
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let Scene { ui, state, layout, .. } = scene;
    let palette = scene.palette();
    ground(picture, area, palette);
    let (group, params) = ui.params(state);
    let name = &state.world.group(group).name;
    let mut writer = writer(picture, area);
    let dot = Vec2::new(writer.left + 5.0, writer.base - 4.0);
    writer.picture.disc(dot, 5.0, palette.group(group.0.into()));
    writer.at(writer.left + 18.0, SIZE + 1.0, palette.ink, &format!("params of {name}"));
    writer.base = area.min.y + Layout::HEAD + 14.0;
    let knobs = tune::knobs(params);
    if knobs.is_empty() {
        writer.line(SMALL, palette.quiet, "this group has no params to change here");
    }
    let rows = knobs.iter().enumerate();
    for (i, knob) in rows.filter(|(i, _)| layout.rows.contains(i)) {
        let row = row(layout, area, i);
        if i == ui.param.min(knobs.len() - 1) {
            writer.picture.fill_rect(row.min, row.max, palette.group(0).alpha(50));
        }
        writer.base = row.min.y + 16.5;
        writer.at(writer.left, SIZE, palette.ink, &knob.name());
        writer.up_to(writer.right, SIZE, palette.ink, &knob.value_text(params));
    }
    writer.base = area.max.y - 12.0;
    writer.end = area.max.y;
    let how = "- = or wheel: change; o: write to scenario";
    if !knobs.is_empty() {
        writer.at(writer.left, SMALL, palette.quiet, how);
    }
}
