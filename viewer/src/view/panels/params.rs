//! The params of a group, each with its value; one of them is the one that the keys change.

use std::ops::Range;

use flockwork_engine::live::{COUNT, is_off};
use flockwork_engine::math::{self, Vec2, short};
use flockwork_engine::world::{GroupId, ParamRange, Value, Values};

use super::super::area::Area;
use super::super::command::PlayerCommand;
use super::super::frame::scene;
use super::super::icon::Icon;
use super::super::key::Key;
use super::super::layout::Layout;
use super::super::panel::{Opening, Panel, PanelButton, PanelKey, Position, Scene};
use super::super::panel_drawing::{
    BUTTON_GAP, ButtonLook, frame, group_dot, scroll_bar, section, word_button, writer,
};
use super::super::panel_states::PanelId;
use super::super::text_writer::{PAD, SIZE, SMALL, TextWriter, cut};
use super::super::tune::{self, Knob};
use super::super::ui::Ui;
use super::super::ui_command::UiCommand;
use super::super::view_state::ViewState;
use super::super::widget::Widget;
use crate::draw::{Anchor, Palette, Pen, Picture, text, text_width};

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("params"),
    opening: Opening::ByHand,
    key: Some(PanelKey {
        keys: &[Key::Char('p')],
        does: "params of the selected agent's group",
        before: "next_group",
    }),
    button: Some(PanelButton {
        is_useful: |state| state.first_with(|_| true).is_some(),
        ..PanelButton::new("params")
    }),
    position: Position::Column(height),
    widgets,
    draw,
    needs_run: true,
    ..Panel::DEFAULT
};

/// What tooltips of weights say of the right button.
const ALONE: &str = "; right click: only this one, from the first tick; again: all";
/// What a tooltip says of the number of agents.
const BEGINS_AGAIN: &str = "agents at the first tick: another number begins the run again";
/// In a narrower panel there are no sliders, in pixels.
const MIN_WIDTH: f32 = 250.0;
/// Width of the button that sets a param back, in pixels.
const RESET: f32 = Widget::MIN_SIDE;
/// Width of the switch of a weight, in pixels.
const SWITCH: f32 = Widget::MIN_SIDE;
/// Half the height of a slider's line, and the size of its handle, in pixels.
const LINE: f32 = 1.5;
const HANDLE: f32 = 6.0;
/// Distances of the ends of a slider's line from the edges of what can be dragged, in pixels: there are the numbers of its ends.
const SLIDER_PADS: [f32; 2] = [26.0, 32.0];
/// Where sliders begin and end, as shares of the width.
const SLIDER: [f32; 2] = [0.33, 0.78];
/// Size of these numbers, and their distance from the line, in pixels.
const END: f32 = 9.5;
const END_GAP: f32 = HANDLE + 3.0;
/// Half the height of the mark of the value in the file, and how near to it the pointer is on it, in pixels.
const MARK: f32 = 6.0;
const MARK_REACH: f32 = 3.0;

/// Returns the height of the panel with a row for each param.
fn height(ui: &Ui, state: &ViewState, _: f32) -> Option<f32> {
    let rows = tune::knobs(ui.params(state).1).len();
    Some(Layout::HEAD + rows.max(1) as f32 * Layout::ROW + Layout::FOOT)
}

/// Returns the params that have a row. With too many, these are the selected one and those above it.
pub(in super::super) fn shown_rows(scene: &Scene<'_>, area: Area) -> Range<usize> {
    let count = tune::knobs(scene.ui.params(scene.state).1).len();
    let room = (area.height() - Layout::HEAD - Layout::FOOT) / Layout::ROW;
    // A height that was made of rows may be a little less because of rounding.
    let least = if area.height() + 0.001 >= Layout::HEAD + Layout::ROW { 1.0 } else { 0.0 };
    let rows = count.min(math::max(room + 0.001, least) as usize);
    let first = (scene.ui.param.min(count) + 1).saturating_sub(rows);
    first..first + rows
}

/// Returns the area of the row of the selected param, if it is shown.
pub(super) fn selected_row(scene: &Scene<'_>) -> Option<Area> {
    let area = scene.layout.area(PANEL.id)?;
    let shown = shown_rows(scene, area);
    shown.contains(&scene.ui.param).then(|| Row::new(&shown, area, scene.ui.param, false).whole)
}

/// The parts of the row of a param.
struct Row {
    whole: Area,
    /// The switch of a weight; `None` if no param of the group is one.
    switch: Option<Area>,
    name: Area,
    /// What can be dragged; `None` where there is no room.
    slider: Option<Area>,
    value: Area,
    reset: Area,
}

impl Row {
    /// Returns the row of a param that has one.
    fn new(shown: &Range<usize>, area: Area, param: usize, has_switches: bool) -> Self {
        let top = area.min.y + Layout::HEAD + (param - shown.start) as f32 * Layout::ROW;
        let whole = Area::new(area.min.x + 1.0, top, area.width() - 2.0, Layout::ROW);
        let part =
            |from: f32, to: f32| Area::new(from.floor(), top, (to - from).floor(), Layout::ROW);
        let (start, right) = (whole.min.x, whole.max.x);
        let left = if has_switches { start + SWITCH } else { start };
        let slider = slider_span(area);
        let [to_name, to_slider] = slider.unwrap_or([start + area.width() * 0.55; 2]);
        Self {
            whole,
            switch: has_switches.then(|| part(start, left)),
            name: part(left, to_name),
            slider: slider.map(|[from, to]| part(from, to)),
            value: part(to_slider, right),
            reset: part(to_slider, to_slider + RESET),
        }
    }
}

/// Returns the x coordinates of the ends of what can be dragged in a panel of the column. `None` if there is no room.
fn slider_span(area: Area) -> Option<[f32; 2]> {
    let at = |share: f32| (area.min.x + area.width() * share).floor();
    (area.width() >= MIN_WIDTH).then(|| SLIDER.map(at))
}

/// Returns the x coordinates of the ends of the lines of sliders in a panel of the column. `None` if there is no room.
pub(super) fn slider_line(area: Area) -> Option<[f32; 2]> {
    slider_span(area).map(|[from, to]| [from + SLIDER_PADS[0], to - SLIDER_PADS[1]])
}

/// Returns the x coordinates of the ends of a slider's line.
fn slider_ends(slider: Area) -> [f32; 2] {
    [slider.min.x + SLIDER_PADS[0], slider.max.x - SLIDER_PADS[1]]
}

/// Returns the part of the area up to what is below the rows: that follows the last one, also where there is no room for another.
fn with_foot(area: Area, shown: &Range<usize>) -> Area {
    let rows = shown.len().max(1) as f32 * Layout::ROW;
    let end = area.min.y + Layout::HEAD + rows + Layout::FOOT;
    area.between(area.min.y, math::min(end, area.max.y))
}

/// Returns the buttons below the rows: write the params to the file, change between them and those of the file, and compare both.
fn foot(area: Area) -> [Area; 3] {
    let room = area.width() - 2.0 * PAD - 2.0 * BUTTON_GAP;
    let size = Vec2::new((room / 3.0).floor(), Widget::MIN_SIDE);
    let top = area.max.y - size.y - 4.0;
    std::array::from_fn(|i| {
        let left = area.min.x + PAD + i as f32 * (size.x + BUTTON_GAP);
        Area::new(left, top, size.x, size.y)
    })
}

/// Returns the halves of a button that chooses between two sets of params: the file's or kept ones, and yours.
fn halves(button: Area) -> [Area; 2] {
    let middle = ((button.min.x + button.max.x) / 2.0).floor();
    [(button.min.x, middle), (middle, button.max.x)]
        .map(|(from, to)| Area::new(from, button.min.y, to - from, button.height()))
}

fn widgets(scene: &Scene<'_>, area: Area) -> Vec<Widget> {
    let (ui, state) = (scene.ui, scene.state);
    let (group, params) = ui.params(state);
    let shown = shown_rows(scene, area);
    let mut all: Vec<Widget> = Vec::new();
    if state.world.groups.len() > 1 {
        let head =
            Area::new(area.min.x + 1.0, area.min.y + 2.0, area.width() - 2.0, Widget::MIN_SIDE);
        all.push(Widget::clickable(head, UiCommand::NextGroup));
    }
    let has_switches = has_switches(state, group);
    let knobs = tune::knobs(params).into_iter().enumerate();
    for (param, knob) in knobs.filter(|(param, _)| shown.contains(param)) {
        let row = Row::new(&shown, area, param, has_switches);
        let is_weight = is_weight(state, group, &knob);
        let of_row = |widget: Widget| {
            let (up, down) = (UiCommand::TuneParam(param, 1), UiCommand::TuneParam(param, -1));
            let widget = widget.wheel(up, down);
            if is_weight { widget.right_click(UiCommand::ShowAlone(param)) } else { widget }
        };
        let mut add = |area: Area, command: UiCommand, tip: String| {
            all.push(of_row(Widget::clickable(area, command).tip(tip)));
        };
        let note = state.param_note(group, &knob.param);
        let comment = note.and_then(|note| note.comment.as_deref());
        let comment = if knob.param == COUNT { Some(BEGINS_AGAIN) } else { comment };
        let mut tip = comment
            .map_or_else(String::new, |comment| format!("{}. ", comment.trim_end_matches('.')));
        tip.push_str("click: select it, for ctrl+left and ctrl+right; wheel: change it");
        if is_weight {
            tip.push_str(ALONE);
        }
        add(row.name, UiCommand::SelectParam(param), tip);
        if let Some(switch) = row.switch.filter(|_| is_weight) {
            let tip = format!("click: switch this weight off (0), or on again{ALONE}");
            add(switch, UiCommand::SwitchParam(param), tip);
        }
        let expected = knob.expected(params).0;
        let value = format!("click: type another {expected}; wheel: change it");
        add(row.value, UiCommand::TypeParam(param), value);
        let words = ValueWords::new(state, group, &knob);
        if let Some(file) = &words.file {
            let back = format!("back to {file}, the value in the scenario file");
            add(row.reset, UiCommand::ResetParam(param), back);
        }
        if let Some(slider) = row.slider {
            if ui.param_range(state, &knob).is_some() {
                let mark = words.file.as_ref().map(|file| {
                    format!("; on the mark: back to {file}, the value in the scenario file")
                });
                let tip = format!("drag or wheel: change it{}", mark.unwrap_or_default());
                let widget = Widget::clickable(slider, UiCommand::SlideParam(param));
                let widget = widget.tip(tip).slider();
                all.push(of_row(widget));
            } else {
                add(slider, UiCommand::TuneParam(param, 1), "click: change it".to_owned());
            }
        }
    }
    let [write, swap, compare] = foot(with_foot(area, &shown));
    if state.unwritten().next().is_some() {
        all.push(Widget::clickable(write, UiCommand::Write));
    }
    if state.can_swap_params() {
        // What is in use stays in use.
        let [others, yours] = halves(swap);
        let other = if state.has_params_aside() { yours } else { others };
        all.push(Widget::clickable(other, UiCommand::SwapParams));
    }
    if state.can_compare_params() {
        all.push(Widget::clickable(compare, UiCommand::CompareParams));
    }
    all
}

/// The text of the panel about the value of a param.
struct ValueWords {
    text: String,
    /// The value that it gets later, or none.
    later: Option<String>,
    /// The value in the scenario file, if it is another one.
    file: Option<String>,
    /// Whether the person has set the param and not written it.
    is_unwritten: bool,
}

impl ValueWords {
    /// Describes the value of a param of a group at the shown tick.
    fn new(state: &ViewState, group: GroupId, knob: &Knob) -> Self {
        let name = &*state.world.group(group).name;
        let text = knob.value_text(&state.params[usize::from(group.0)]);
        let mut settings = state.settings.iter();
        let setting = settings.find(|one| one.group == name && one.param == knob.param);
        let later = setting.filter(|one| one.tick > state.world.tick).and_then(|one| {
            let later = knob.text_of(&one.value);
            (later != text).then(|| format!("{text}, from tick {} on {later}", one.tick))
        });
        let file = state.file_params.get(name).map(|params| knob.value_text(params));
        let file = file.filter(|file| *file != text && !file.is_empty());
        let is_unwritten = setting.is_some_and(|one| !one.is_written);
        Self { text, later, file, is_unwritten }
    }
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let Scene { ui, state, .. } = scene;
    let palette = scene.palette();
    section(picture, area, palette);
    let (group, params) = ui.params(state);
    let name = &state.world.group(group).name;
    let mut writer = writer(picture, area);
    let dot = Vec2::new(writer.left + 5.0, writer.base - 4.0);
    if writer.has_room() {
        group_dot(writer.picture, dot, 5.0, palette.color_of(&state.world.groups, group), palette);
    }
    let groups = state.world.groups.len();
    let mut end = writer.right;
    if groups > 1 {
        let which = format!("group {} of {groups} >", group.0 + 1);
        writer.up_to(writer.right, SMALL, palette.ink, &which);
        end -= text_width(&which, SMALL) + PAD;
    }
    let left = writer.left + 18.0;
    let right = std::mem::replace(&mut writer.right, end);
    writer.title(left, palette.ink, &format!("params of {name}"));
    writer.right = right;
    let knobs = tune::knobs(params);
    let shown = shown_rows(scene, area);
    if knobs.is_empty() {
        writer.base = area.min.y + Layout::HEAD + 16.0;
        writer.at(writer.left, SMALL, palette.quiet, "no numbers, booleans or vectors");
    }
    let selected = ui.param.min(knobs.len().saturating_sub(1));
    let has_switches = has_switches(state, group);
    for (param, knob) in knobs.iter().enumerate().filter(|(param, _)| shown.contains(param)) {
        let row = Row::new(&shown, area, param, has_switches);
        if param == selected {
            writer.picture.fill_rect(row.whole.min, row.whole.max, palette.group(0).alpha(50));
        }
        writer.base = row.whole.min.y + 16.5;
        let words = ValueWords::new(state, group, knob);
        let color = if words.is_unwritten { palette.group(0) } else { palette.ink };
        let left = math::max(row.name.min.x, writer.left);
        let name = if knob.param == COUNT { "agents".to_owned() } else { knob.name() };
        let name = cut(&name, SIZE, row.name.max.x - left);
        writer.at(left, SIZE, palette.ink, &name);
        if let Some(switch) = row.switch.filter(|_| is_weight(state, group, knob)) {
            let is_on = !params.get(&knob.param).is_some_and(is_off);
            draw_switch(writer.picture, palette, switch, is_on);
        }
        let right = writer.right;
        if let Some(later) = &words.later {
            let later = cut(later, SMALL, right - row.name.max.x);
            writer.up_to(right, SMALL, color, &later);
        } else {
            let start = if words.file.is_some() { row.reset.max.x } else { row.value.min.x };
            let value = value_text(&words.text, right - start);
            writer.up_to(right, SIZE, color, &value);
            if let Some(slider) = row.slider {
                draw_slider(writer.picture, palette, slider, &Slider::new(ui, state, knob));
            }
        }
        if words.file.is_some() {
            let middle = ((row.reset.min + row.reset.max) / 2.0).floor();
            Icon::Reset.draw(writer.picture, middle, palette.quiet);
        }
    }
    let top = area.min.y + Layout::HEAD;
    let rows = area.between(top, top + shown.len() as f32 * Layout::ROW);
    let visible = shown.start as f32..shown.end as f32;
    scroll_bar(writer.picture, palette, rows, visible, knobs.len() as f32);
    if area.height() >= Layout::HEAD + Layout::ROW + Layout::FOOT {
        draw_foot(&mut writer, scene, with_foot(area, &shown), knobs.is_empty());
    }
}

/// Returns whether a param is a weight that can be switched off.
fn is_weight(state: &ViewState, group: GroupId, knob: &Knob) -> bool {
    knob.component == tune::Component::Whole
        && state.param_note(group, &knob.param).is_some_and(|note| note.is_weight)
}

/// Returns whether any param of a group is a weight.
fn has_switches(state: &ViewState, group: GroupId) -> bool {
    let knobs = tune::knobs(&state.params[usize::from(group.0)]);
    knobs.iter().any(|knob| is_weight(state, group, knob))
}

/// Draws the switch of a weight: a box with a tick if it is on.
fn draw_switch(picture: &mut Picture, palette: &Palette, area: Area, is_on: bool) {
    let middle = ((area.min + area.max) / 2.0).floor();
    let half = Vec2::new(5.5, 5.5);
    let box_area = Area { min: middle - half, max: middle + half };
    frame(picture, box_area, Pen::new(palette.quiet, 1.0));
    if is_on {
        let inner = Vec2::new(3.0, 3.0);
        picture.fill_rect(middle - inner, middle + inner, palette.group(0));
    }
}

/// What a slider shows.
struct Slider {
    /// Where its handle is, from 0 to 1; that of a boolean is at an end.
    handle: Option<f32>,
    /// Where the value in the scenario file is, if it is another one.
    mark: Option<f32>,
    /// The numbers at its ends. `None` for a boolean.
    ends: Option<[String; 2]>,
}

impl Slider {
    fn new(ui: &Ui, state: &ViewState, knob: &Knob) -> Self {
        let ends = ui.param_range(state, knob).map(|one| [one.min, one.max].map(end_text));
        Self { handle: ui.slider_at(state, knob), mark: ui.mark_at(state, knob), ends }
    }
}

/// Returns a number at the end of a slider, where a long one would be over the buttons.
fn end_text(number: f32) -> String {
    let words = short(number);
    let room = SLIDER_PADS[1] - END_GAP;
    if text_width(&words, END) <= room { words } else { with_exponent(number) }
}

/// Returns a value for a room of a width: a large number in a short way rather than its first digits.
fn value_text(words: &str, room: f32) -> String {
    let large = words.parse().ok().filter(|number: &f32| number.abs() >= 1e4).map(with_exponent);
    let large = large.filter(|_| text_width(words, SIZE) > room);
    cut(&large.unwrap_or_else(|| words.to_owned()), SIZE, room)
}

fn with_exponent(number: f32) -> String {
    format!("{number:.1e}").replace(".0e", "e")
}

/// Draws a slider with the numbers at its ends, and a mark where the value in the scenario file is.
fn draw_slider(picture: &mut Picture, palette: &Palette, area: Area, slider: &Slider) {
    let Some(share) = slider.handle else { return };
    let [from, to] = slider_ends(area);
    let y = ((area.min.y + area.max.y) / 2.0).floor();
    let x = from + (to - from) * share;
    let line = |picture: &mut Picture, from: f32, to: f32, color| {
        picture.fill_rect(Vec2::new(from, y - LINE), Vec2::new(to, y + LINE), color);
    };
    line(picture, from, to, palette.quiet.alpha(110));
    line(picture, from, x, palette.group(0));
    if let Some(mark) = slider.mark {
        let middle = Vec2::new((from + (to - from) * mark).round(), y);
        let half = Vec2::new(1.0, MARK);
        picture.fill_rect(middle - half, middle + half, palette.ink);
    }
    if let Some([low, high]) = &slider.ends {
        let base = y + END * 0.36;
        let mut end = |at: f32, anchor, words: &str| {
            text(picture, Vec2::new(at, base), anchor, END, palette.quiet, words);
        };
        end(from - END_GAP, Anchor::Right, low);
        end(to + END_GAP, Anchor::Left, high);
    }
    picture.disc(Vec2::new(x, y), HANDLE, palette.group(0));
    picture.circle(Vec2::new(x, y), HANDLE, Pen::new(palette.ground, 1.0));
}

/// Writes below the rows how to change params, and draws the buttons that can be pressed.
fn draw_foot(writer: &mut TextWriter<'_>, scene: &Scene<'_>, area: Area, has_no_params: bool) {
    let (state, palette) = (scene.state, scene.palette());
    let [write, swap, compare] = foot(area);
    let unwritten = state.unwritten().count();
    let swaps = state.can_swap_params();
    writer.end = area.max.y;
    if unwritten == 0 && !state.can_compare_params() {
        writer.base = area.max.y - 12.0;
        if !has_no_params {
            writer.at(
                writer.left,
                SMALL,
                palette.quiet,
                "drag or wheel: change; click a value: type",
            );
        }
        return;
    }
    let picture = &mut *writer.picture;
    if unwritten > 0 {
        word_button(picture, palette, write, &format!("write ({unwritten})"), ButtonLook::Main);
    }
    if state.can_compare_params() {
        word_button(picture, palette, compare, "compare", ButtonLook::Plain);
    }
    if swaps {
        let others = if state.kept_params.is_some() { "kept" } else { "file's" };
        // The half of the set that is in use is marked.
        let is_aside = state.has_params_aside();
        let are_used = [is_aside, !is_aside];
        for ((half, words), is_used) in
            halves(swap).into_iter().zip([others, "yours"]).zip(are_used)
        {
            word_button(picture, palette, half, words, ButtonLook::on(is_used));
        }
    }
}

impl Ui {
    /// Returns the group whose params are shown, and these params.
    pub(in super::super) fn params<'s>(&self, state: &'s ViewState) -> (GroupId, &'s Values) {
        let chosen = self.group.as_ref();
        let chosen = chosen.and_then(|name| state.world.names().group(name));
        let own = state.next_turn.as_ref().map(|next_turn| next_turn.group);
        let absent = state.absent.as_ref().and_then(|absent| absent.group.as_deref());
        let own = own.or_else(|| state.world.names().group(absent?));
        let first = || state.first_with_params().or_else(|| state.first_with(|_| true));
        let group = chosen.or(own).or_else(first).unwrap_or_default();
        (group, &state.params[usize::from(group.0)])
    }

    /// Shows the params when a window opens, if there are some and if it has room for them.
    pub(in super::super) fn open_at_start(&mut self, state: &ViewState) {
        let has_room = !Layout::is_small(self.size);
        PANEL.set_open(self, has_room && state.first_with_params().is_some());
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

    /// Returns the numbers that the slider of a param of the shown group goes through. `None` if it is no number.
    fn param_range(&self, state: &ViewState, knob: &Knob) -> Option<ParamRange> {
        let (id, params) = self.params(state);
        let group = state.world.group(id);
        let now = knob.number(params)?;
        // Writing another value must not move the slider.
        let first = state.first_params.get(&*group.name).and_then(|params| knob.number(params));
        let declared = group.appearance.ranges.get(&*knob.param).copied();
        let is_integer = matches!(params.get(&knob.param), Some(Value::Int(_)));
        let range = declared.unwrap_or(ParamRange::guess(first.unwrap_or(now), is_integer));
        let file = state.file_params.get(&*group.name).and_then(|params| knob.number(params));
        let mut range = range.including(now).including(file.unwrap_or(now));
        // The only group has agents.
        if knob.param == COUNT && state.world.groups.len() == 1 && now >= 1.0 {
            range.min = math::max(range.min, 1.0);
        }
        Some(self.param_ranges.widened((&group.name, knob), declared, range))
    }

    /// Notes the ranges of the sliders that are shown, which they keep.
    pub(in super::super) fn note_param_ranges(&mut self, state: &ViewState) {
        if !PANEL.is_open(self) {
            return;
        }
        let (id, params) = self.params(state);
        let group = state.world.group(id);
        for knob in tune::knobs(params) {
            let declared = group.appearance.ranges.get(&*knob.param).copied();
            if let Some(range) = self.param_range(state, &knob) {
                self.param_ranges.note((&group.name, &knob), declared, range);
            }
        }
    }

    /// Returns where the value of a param in the scenario file is on its slider, from 0 to 1, if it is another one.
    fn mark_at(&self, state: &ViewState, knob: &Knob) -> Option<f32> {
        let (group, params) = self.params(state);
        let file = state.file_params.get(&*state.world.group(group).name)?;
        let (now, file) = (knob.number(params)?, knob.number(file)?);
        (now != file).then(|| self.param_range(state, knob).map(|range| range.share_of(file)))?
    }

    /// Returns where the handle of the slider of a param is, from 0 to 1; for a boolean, at one of the ends.
    fn slider_at(&self, state: &ViewState, knob: &Knob) -> Option<f32> {
        let params = self.params(state).1;
        if let Some(Value::Bool(is_on)) = params.get(&knob.param) {
            return Some(f32::from(u8::from(*is_on)));
        }
        let range = self.param_range(state, knob)?;
        Some(range.share_of(knob.number(params)?))
    }

    /// Sets a param of the shown group to the number under the pointer, which drags its slider.
    pub(in super::super) fn slide_param(
        &mut self,
        state: &ViewState,
        param: usize,
    ) -> Vec<PlayerCommand> {
        self.param = param;
        let area = self.layout(state).area(PANEL.id);
        let shown = area.map(|area| shown_rows(&scene(self, state, None), area));
        let row = area.zip(shown.as_ref()).filter(|(_, shown)| shown.contains(&param));
        let (group, params) = self.params(state);
        let has_switches = has_switches(state, group);
        let slider =
            row.and_then(|(area, shown)| Row::new(shown, area, param, has_switches).slider);
        let knob = tune::knobs(params).into_iter().nth(param);
        let Some((slider, knob)) = slider.zip(knob) else { return Vec::new() };
        let Some(range) = self.param_range(state, &knob) else { return Vec::new() };
        let [from, to] = slider_ends(slider);
        let mark = self.mark_at(state, &knob).map(|mark| from + (to - from) * mark);
        if mark.is_some_and(|mark| (self.pointer.x - mark).abs() <= MARK_REACH) {
            return self.reset_param(state, param);
        }
        let share = (self.pointer.x - from) / (to - from);
        let text = range.text_at(share.clamp(0.0, 1.0));
        let group = state.world.group(group).name.to_string();
        vec![PlayerCommand::SetParam { group, knob, text }]
    }

    /// Asks for the number of agents of the shown group, beside its params.
    pub(in super::super) fn ask_count(&mut self, state: &ViewState) -> Vec<PlayerCommand> {
        let (group, params) = self.params(state);
        let Some(param) = tune::knobs(params).iter().position(|knob| knob.param == COUNT) else {
            let group = &state.world.group(group).name;
            let text = format!(
                "the scenario says where each agent of {group} begins: edit the scene to have more"
            );
            return vec![PlayerCommand::Notice { text, is_failure: false }];
        };
        self.param = param;
        self.ask_value(state);
        PANEL.set_open(self, true)
    }

    /// Sets a param of the shown group to its value in the scenario file.
    pub(in super::super) fn reset_param(
        &mut self,
        state: &ViewState,
        param: usize,
    ) -> Vec<PlayerCommand> {
        self.param = param;
        let (group, params) = self.params(state);
        let group = state.world.group(group).name.to_string();
        let knob = tune::knobs(params).into_iter().nth(param);
        knob.map(|knob| PlayerCommand::ResetParam { group, knob }).into_iter().collect()
    }

    /// Switches the selected param off, or on again; or all other weights of its group.
    pub(in super::super) fn switch_weight(
        &mut self,
        state: &ViewState,
        others: bool,
    ) -> Vec<PlayerCommand> {
        let (group, params) = self.params(state);
        let knobs = tune::knobs(params);
        let name = state.world.group(group).name.to_string();
        let Some(knob) = knobs.get(self.param.min(knobs.len().saturating_sub(1))) else {
            return Vec::new();
        };
        let param = knob.param.clone();
        let command = match () {
            () if !is_weight(state, group, knob) => {
                let text = format!(
                    "{param} of {name} is no weight of a force: scripts do not only multiply forces by it"
                );
                PlayerCommand::Notice { text, is_failure: true }
            }
            () if others => PlayerCommand::OnlyWeight { group: name, param },
            () => PlayerCommand::SwitchWeight { group: name, param },
        };
        PANEL.set_open(self, true).into_iter().chain([command]).collect()
    }

    /// Leaves only the selected weight of its group, or switches all on again, and runs from the first tick.
    pub(in super::super) fn only_weight_from_start(
        &mut self,
        state: &ViewState,
    ) -> Vec<PlayerCommand> {
        let mut commands = self.switch_weight(state, true);
        if commands.iter().any(|one| matches!(one, PlayerCommand::OnlyWeight { .. })) {
            commands.push(PlayerCommand::RerunAll);
            // It is about one force, and not about a run before.
            commands.extend((!state.is_ghost_kept).then_some(PlayerCommand::DropGhost));
        }
        commands
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
    let ValueWords { text, later, file, is_unwritten } = ValueWords::new(state, GroupId(0), knob);
    let file = file.map(|file| format!("{text} (file: {file})"));
    (later.or(file).unwrap_or(text), is_unwritten)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Caught: 200000 was cut to `200...`, and as the end of a slider it lay on the button behind it.
    #[test]
    fn a_large_number_has_an_exponent_where_it_has_no_room() {
        let words = ["200000", "12.345"].map(|words| value_text(words, 28.0));
        assert_eq!(words[0], "2e5");
        assert!(words[1].starts_with("12"), "{words:?}");
        assert_eq!(value_text("200000", 90.0), "200000");
        assert_eq!([200.0, 200_000.0, 0.05].map(end_text), ["200", "2e5", "0.05"]);
    }
}
