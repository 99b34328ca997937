//! The params of a group, each with its value; one of them is the one that the keys change.

use std::ops::Range;

use flockwork_engine::math::{self, Vec2};
use flockwork_engine::world::{GroupId, Values};

use super::super::area::Area;
use super::super::command::PlayerCommand;
use super::super::key::Key;
use super::super::layout::{Corner, Layout};
use super::super::panel::{Escape, Opening, Panel, PanelButton, PanelKey, Position, Scene};
use super::super::panel_drawing::{ground, scroll_bar, writer};
use super::super::panel_states::PanelId;
use super::super::text_writer::{SIZE, SMALL, cut};
use super::super::tune::{self, Knob};
use super::super::ui::Ui;
use super::super::ui_command::UiCommand;
use super::super::view_state::{ViewState, how_to_write};
use super::super::widget::Widget;
use crate::draw::{Picture, text_width};

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("params"),
    opening: Opening::ByHand,
    key: Some(PanelKey {
        key: Key::Char('p'),
        label: "p",
        does: "show params of the selected agent's group",
        before: Key::Tab,
    }),
    button: Some(PanelButton {
        words: "params",
        is_useful: |state| state.first_with_params().is_some(),
    }),
    position: Position::Corner(Corner::LowerOpposite, size),
    widgets,
    draw,
    escape: Escape::InTurn,
    ..Panel::DEFAULT
};

/// Width of the panel, in pixels.
const WIDTH: f32 = 280.0;
/// Room that is kept for the name of a param, in pixels.
const MIN_NAME: f32 = 40.0;

/// Returns the size of the panel: as many rows as there is room for.
fn size(ui: &Ui, state: &ViewState, room: Vec2) -> Option<Vec2> {
    let rows = rows_in(ui, state, room.y).len();
    Some(Vec2::new(WIDTH, Layout::HEAD + rows.max(1) as f32 * Layout::ROW + Layout::FOOT))
}

/// Returns the params that have a row in a panel of a height. With too many, these are the selected one and those above it.
fn rows_in(ui: &Ui, state: &ViewState, height: f32) -> Range<usize> {
    let count = tune::knobs(ui.params(state).1).len();
    let room = (height - Layout::HEAD - Layout::FOOT) / Layout::ROW;
    // A height that was made of rows may be a little less because of rounding.
    let rows = count.min(math::max(room + 0.001, 1.0) as usize);
    let first = (ui.param.min(count) + 1).saturating_sub(rows);
    first..first + rows
}

/// Returns the params that have a row.
pub(in super::super) fn shown_rows(scene: &Scene<'_>, area: Area) -> Range<usize> {
    rows_in(scene.ui, scene.state, area.height())
}

/// Returns the area of a param that has a row.
fn row(shown: &Range<usize>, area: Area, param: usize) -> Area {
    let row = (param - shown.start) as f32;
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
fn foot(shown: &Range<usize>, area: Area) -> Area {
    let top = area.min.y + Layout::HEAD + shown.len() as f32 * Layout::ROW + 4.0;
    let min = Vec2::new(area.min.x + 1.0, top);
    Area { min, max: Vec2::new(area.max.x - 1.0, math::max(area.max.y - 2.0, top)) }
}

fn widgets(scene: &Scene<'_>, area: Area) -> Vec<Widget> {
    let (_, params) = scene.ui.params(scene.state);
    let knobs = tune::knobs(params).into_iter().enumerate();
    let shown = shown_rows(scene, area);
    let mut all: Vec<Widget> = Vec::new();
    for (param, knob) in knobs.filter(|(param, _)| shown.contains(param)) {
        let [name, value] = halves(row(&shown, area, param));
        let wheel = |widget: Widget| {
            widget.wheel(UiCommand::TuneParam(param, 1), UiCommand::TuneParam(param, -1))
        };
        let select = Widget::clickable(name, UiCommand::SelectParam(param))
            .tip("click: the keys - and = change this param; wheel: change it");
        let type_value = Widget::clickable(value, UiCommand::TypeParam(param))
            .tip(format!("click: type another {}; wheel: change it", knob.expected(params).0));
        all.extend([wheel(select), wheel(type_value)]);
    }
    if scene.state.unwritten().next().is_some() {
        all.push(Widget::clickable(foot(&shown, area), UiCommand::WriteParams));
    }
    all
}

/// The text of the panel about the value of a param.
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
    let Scene { ui, state, .. } = scene;
    let palette = scene.palette();
    ground(picture, area, palette);
    let (group, params) = ui.params(state);
    let name = &state.world.group(group).name;
    let mut writer = writer(picture, area);
    let dot = Vec2::new(writer.left + 5.0, writer.base - 4.0);
    writer.picture.disc(dot, 5.0, palette.color_of(&state.world.groups, group));
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
    let shown = shown_rows(scene, area);
    for (i, knob) in knobs.iter().enumerate().filter(|(i, _)| shown.contains(i)) {
        let row = row(&shown, area, i);
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
    let all = knobs.len() as f32;
    if !shown.is_empty() && shown.len() < knobs.len() {
        let (top, end) = (row(&shown, area, shown.start), row(&shown, area, shown.end - 1));
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

impl Ui {
    /// Returns the group whose params are shown, and these params.
    pub(in super::super) fn params<'s>(&self, state: &'s ViewState) -> (GroupId, &'s Values) {
        let chosen = self.group.as_ref();
        let chosen = chosen.and_then(|name| state.world.names().group(name));
        let own = state.next_turn.as_ref().map(|next_turn| next_turn.group);
        let group = chosen.or(own).or_else(|| state.first_with_params()).unwrap_or_default();
        (group, &state.params[usize::from(group.0)])
    }

    /// Shows the params of the next group. If the panel is closed, opens it for the current one.
    pub(in super::super) fn next_group(&mut self, state: &ViewState) {
        let (GroupId(group), _) = self.params(state);
        let on = usize::from(PANEL.is_open(self));
        let next = (usize::from(group) + on) % state.world.groups.len();
        self.group = Some(state.world.groups[next].name.to_string());
        self.param = 0;
        PANEL.set_open(self, true);
    }

    /// Changes the selected param by some steps. If the panel is closed, only opens it.
    pub(in super::super) fn tune(&mut self, state: &ViewState, steps: i32) -> Vec<PlayerCommand> {
        let (group, params) = self.params(state);
        let mut knobs = tune::knobs(params);
        if !PANEL.is_open(self) {
            // Show the params before the first change.
            return PANEL.set_open(self, true);
        }
        if knobs.is_empty() {
            return Vec::new();
        }
        let knob = knobs.swap_remove(self.param.min(knobs.len() - 1));
        let group = state.world.group(group).name.to_string();
        vec![PlayerCommand::Tune { group, knob, steps: steps as f32 }]
    }
}

#[cfg(test)]
pub(in super::super) fn value_words(state: &ViewState, knob: &Knob) -> (String, bool) {
    let words = ValueWords::new(state, GroupId(0), knob);
    (words.text, words.is_unwritten)
}
