//! The params of a group, each with its value; one of them is the one that the keys change.

use flockwork_engine::math::{self, Vec2};
use flockwork_engine::world::GroupId;

use super::super::frame::{Panel, Scene};
use super::super::layout::{Area, Layout};
use super::super::text_writer::{SIZE, SMALL, cut};
use super::super::tune::{self, Knob};
use super::super::ui_command::UiCommand;
use super::super::view_state::{ViewState, how_to_write};
use super::super::widget::Widget;
use super::{ground, scroll_bar, writer};
use crate::draw::{Picture, text_width};

pub(in super::super) static PANEL: Panel =
    Panel { area: |scene| scene.layout.params, widgets, draw, is_solid: true };

/// Room that is kept for the name of a param, in pixels.
const MIN_NAME: f32 = 40.0;

/// Returns the area of a param that has a row.
fn row(layout: &Layout, area: Area, param: usize) -> Area {
    let row = (param - layout.rows.start) as f32;
    let top = area.min.y + Layout::HEAD + row * Layout::ROW;
    Area::new(area.min.x + 1.0, top, area.width() - 2.0, Layout::ROW)
}

/// Returns the parts of a row where the name and the value are.
fn halves(row: Area) -> [Area; 2] {
    let middle = ((row.min.x + row.max.x) / 2.0).floor();
    let name = Area { min: row.min, max: Vec2::new(middle, row.max.y) };
    [name, Area { min: Vec2::new(middle, row.min.y), max: row.max }]
}

/// Returns the area below the rows.
fn foot(layout: &Layout, area: Area) -> Area {
    let top = area.min.y + Layout::HEAD + layout.rows.len() as f32 * Layout::ROW + 4.0;
    let min = Vec2::new(area.min.x + 1.0, top);
    Area { min, max: Vec2::new(area.max.x - 1.0, math::max(area.max.y - 2.0, top)) }
}

fn widgets(scene: &Scene<'_>, area: Area) -> Vec<Widget> {
    let (_, params) = scene.ui.params(scene.state);
    let knobs = tune::knobs(params).into_iter().enumerate();
    let mut all: Vec<Widget> = Vec::new();
    for (param, knob) in knobs.filter(|(param, _)| scene.layout.rows.contains(param)) {
        let [name, value] = halves(row(&scene.layout, area, param));
        let wheel = |widget: Widget| {
            widget.wheel(UiCommand::TuneParam(param, 1), UiCommand::TuneParam(param, -1))
        };
        let select = Widget::place(name, UiCommand::SelectParam(param))
            .tip("click: the keys - and = change this param; wheel: change it");
        let type_value = Widget::place(value, UiCommand::TypeParam(param))
            .tip(format!("click: type another {}; wheel: change it", knob.wanted(params).0));
        all.extend([wheel(select), wheel(type_value)]);
    }
    if scene.state.unwritten().next().is_some() {
        all.push(Widget::place(foot(&scene.layout, area), UiCommand::WriteParams));
    }
    all
}

/// What the panel says about the value of a param.
struct ValueWords {
    text: String,
    /// Whether the person has set the param and not written it.
    is_unwritten: bool,
}

impl ValueWords {
    /// Describes the value of a param of a group at the shown tick: beside it, the value that it gets later, or the value
    /// in the scenario file, if that differs.
    fn new(state: &ViewState, group: GroupId, knob: &Knob) -> Self {
        let name = &*state.world.group(group).name;
        let text = knob.value_text(&state.params[usize::from(group.0)]);
        let mut settings = state.settings.iter();
        let setting = settings.find(|one| one.group == name && one.param == knob.param);
        let later = setting.filter(|one| one.tick > state.world.tick).and_then(|one| {
            let later = knob.text_of(&one.value);
            (later != text).then(|| format!("{text}, from tick {} on {later}", one.tick))
        });
        let written = || {
            let file = knob.value_text(state.file_params.get(name)?);
            (file != text && !file.is_empty()).then(|| format!("{text} (file: {file})"))
        };
        let words = later.or_else(written);
        let is_unwritten = setting.is_some_and(|one| !one.is_written);
        Self { text: words.unwrap_or(text), is_unwritten }
    }
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
        writer.line(
            SMALL,
            palette.quiet,
            "no params: a scenario declares them, as params: { \"room\": 5 }",
        );
    }
    let rows = knobs.iter().enumerate();
    for (i, knob) in rows.filter(|(i, _)| layout.rows.contains(i)) {
        let row = row(layout, area, i);
        if i == ui.param.min(knobs.len() - 1) {
            writer.picture.fill_rect(row.min, row.max, palette.group(0).alpha(50));
        }
        writer.base = row.min.y + 16.5;
        let value = ValueWords::new(state, group, knob);
        let color = if value.is_unwritten { palette.highlight } else { palette.ink };
        let room = writer.right - writer.left;
        // The value is what matters: the name gets the rest.
        let words = cut(&value.text, SIZE, room - MIN_NAME);
        let rest = room - text_width(&words, SIZE) - 8.0;
        writer.at(writer.left, SIZE, palette.ink, &cut(&knob.name(), SIZE, rest));
        writer.up_to(writer.right, SIZE, color, &words);
    }
    let (shown, all) = (&layout.rows, knobs.len() as f32);
    if !shown.is_empty() && shown.len() < knobs.len() {
        let (top, end) = (row(layout, area, shown.start), row(layout, area, shown.end - 1));
        let at = |param: usize| top.min.y + param as f32 / all * (end.max.y - top.min.y);
        scroll_bar(writer.picture, area, at(shown.start)..at(shown.end), palette);
    }
    writer.base = area.max.y - 12.0;
    writer.end = area.max.y;
    let unwritten = state.unwritten().count();
    if unwritten > 0 {
        writer.at(writer.left, SMALL, palette.highlight, &how_to_write(unwritten));
    } else if !knobs.is_empty() {
        let how = "- = or wheel: change; click or enter: type";
        writer.at(writer.left, SMALL, palette.quiet, how);
    }
}

#[cfg(test)]
pub(in super::super) fn value_words(state: &ViewState, knob: &Knob) -> (String, bool) {
    let words = ValueWords::new(state, GroupId(0), knob);
    (words.text, words.is_unwritten)
}
