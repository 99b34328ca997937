//! The legend: the groups with their colors, shapes and numbers of agents. A click hides a group, in the drawing only.

use flockwork_engine::math::{self, Vec2, short};
use flockwork_engine::world::GroupId;

use super::super::area::Area;
use super::super::key::Key;
use super::super::panel::{Opening, Panel, PanelKey, Position, Scene};
use super::super::panel_drawing::{group_dot, section};
use super::super::panel_states::PanelId;
use super::super::text_writer::{self, SMALL, cut, cut_middle};
use super::super::ui::Ui;
use super::super::ui_command::UiCommand;
use super::super::view_state::ViewState;
use super::super::widget::Widget;
use super::params;
use crate::draw::{Anchor, Color, ColorBy, Pen, Picture, sign, text, text_width};

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("legend"),
    opening: Opening::AtStart,
    key: Some(PanelKey {
        keys: &[Key::Char('l')],
        does: "legend of the groups on or off",
        before: "plot",
    }),
    position: Position::Column(height),
    widgets,
    draw,
    needs_run: true,
    ..Panel::DEFAULT
};

/// Height of a row, in pixels.
const ROW: f32 = 24.0;
/// Distance above the first and below the last row, in pixels.
const PAD: f32 = 6.0;
/// Size of the shape of a group's agents, in pixels from its center to its nose.
const SIGN: f32 = 7.0;
/// Radius of the ground behind a shape that could hardly be seen on the panel, in pixels.
const BEHIND: f32 = 9.0;
/// Radius of the dots of agents that have colors of their own, in pixels, and the maximum number of them.
const DOT: f32 = 3.0;
const MAX_DOTS: usize = 3;
/// Width of these dots together, in pixels.
const DOTS: f32 = 17.0;
/// Distance of the words of a row from its ends: they are below those of the other panels, whose rows begin one pixel earlier.
const INDENT: f32 = text_writer::PAD - 1.0;
/// Distance of the names from the left edge, in pixels.
const NAME: f32 = 42.0;
/// Distance of the numbers from the names and from the right edge together, in pixels.
const GAPS: f32 = 28.0;
/// Height of the row that says what colors show, in pixels.
const COLORS: f32 = 24.0;
/// The same if they show the heading, with a ring that has each color at its direction.
const HEADINGS: f32 = 48.0;
/// Radius of this ring in its middle, and its width, in pixels.
const RING: (f32, f32) = (15.0, 8.0);
/// Number of its parts.
const RING_PARTS: usize = 60;
/// Maximum number of rows.
const MAX_ROWS: usize = 12;

/// Returns the height of the legend, if there are groups.
fn height(ui: &Ui, state: &ViewState, _: f32) -> Option<f32> {
    let rows = state.world.groups.len().min(MAX_ROWS);
    (rows > 0).then_some(rows as f32 * ROW + colors_height(ui, state) + 2.0 * PAD)
}

/// Returns the height of the row that says what colors show, in pixels.
fn colors_height(ui: &Ui, state: &ViewState) -> f32 {
    if ui.shown_colors(state) == ColorBy::Heading { HEADINGS } else { COLORS }
}

/// Returns the row at the bottom, which says what colors show.
fn colors_row(scene: &Scene<'_>, area: Area) -> Area {
    let height = colors_height(scene.ui, scene.state);
    Area::new(area.min.x + 1.0, area.max.y - PAD - height, area.width() - 2.0, height)
}

/// Draws a ring that has each color at the direction that it stands for.
fn draw_ring(picture: &mut Picture, center: Vec2, color_at: impl Fn(f32) -> Color) {
    let (radius, width) = RING;
    let place = |share: f32| {
        let angle = (share - 0.5) * std::f32::consts::TAU;
        center + radius * Vec2::new(math::cos(angle), -math::sin(angle))
    };
    for part in 0..RING_PARTS {
        let share = |place: f32| place / RING_PARTS as f32;
        let part = part as f32;
        // It begins below the part before, so that no ground shows between them.
        let line = [place(share(part - 0.4)), place(share(part + 1.0))];
        picture.line(&line, false, Pen::new(color_at(share(part + 0.5)), width));
    }
}

/// Writes what the colors of agents show; for numbers, also the colors with the numbers at their ends.
fn draw_colors(picture: &mut Picture, scene: &Scene<'_>, row: Area) {
    let Scene { ui, state, .. } = scene;
    let palette = scene.palette();
    let base = row.min.y + 16.0;
    let color_by = ui.shown_colors(state);
    let colors = ui.agent_colors(state, palette, &color_by);
    let what = match &color_by {
        ColorBy::Group => "color: group",
        ColorBy::Speed if colors.is_share() => "color: speed / max_speed",
        ColorBy::Speed => "color: speed",
        ColorBy::Heading => "color: heading",
        ColorBy::State(words) | ColorBy::Expression(words, _) => &format!("color: {words}"),
    };
    let left = row.min.x + INDENT;
    let right = row.max.x - INDENT;
    let line = params::slider_line(Area::new(row.min.x - 1.0, row.min.y, row.width() + 2.0, ROW));
    // The bar of colors is as long as the sliders below.
    let [from, to] = line.unwrap_or([row.min.x + row.width() * 0.45, right - 40.0]);
    let range = colors.range();
    let end = range.map_or(right, |[low, _]| from - text_width(&short(low), SMALL) - 12.0);
    // The end tells states apart, such as `me.state.energy`.
    let what = if text_width(what, SMALL) > end - left {
        what.trim_start_matches("color: ")
    } else {
        what
    };
    let words = cut_middle(what, SMALL, end - left);
    text(picture, Vec2::new(left, base), Anchor::Left, SMALL, palette.ink, &words);
    let Some([low, high]) = range else { return };
    if color_by == ColorBy::Heading {
        let center = Vec2::new(right - RING.0 - RING.1 / 2.0, row.min.y + row.height() / 2.0);
        draw_ring(picture, center, |share| colors.at(share));
        return;
    }
    let ends = [short(low), short(high)];
    if ends[0] == ends[1] {
        let words = format!("all {}", ends[0]);
        text(picture, Vec2::new(right, base), Anchor::Right, SMALL, palette.quiet, &words);
        return;
    }
    text(picture, Vec2::new(right, base), Anchor::Right, SMALL, palette.quiet, &ends[1]);
    text(picture, Vec2::new(from - 6.0, base), Anchor::Right, SMALL, palette.quiet, &ends[0]);
    let count = math::max(to - from, 0.0) as usize;
    for i in 0..count {
        let x = (from + i as f32).floor();
        // Where a column of the bar ends within a pixel, the next one lies over it, and no ground shows between them.
        let right = if i + 1 < count { x + 2.0 } else { x + 1.0 };
        let (min, max) = (Vec2::new(x, base - 9.0), Vec2::new(right, base));
        picture.fill_rect(min, max, colors.at(i as f32 / count as f32));
    }
}

/// Returns the rows with their groups. If there are more groups than rows, the last row is for all of these.
fn rows(scene: &Scene<'_>, area: Area) -> (Vec<(GroupId, Area)>, Option<Area>) {
    let count = math::max(
        (area.height() - colors_height(scene.ui, scene.state) - 2.0 * PAD) / ROW + 0.01,
        1.0,
    ) as usize;
    let groups = scene.state.world.groups.len();
    let shown = if groups > count { count - 1 } else { groups };
    let row = |i: usize| {
        let top = area.min.y + PAD + i as f32 * ROW;
        Area::new(area.min.x + 1.0, top, area.width() - 2.0, ROW)
    };
    let rows = (0..shown).zip(0..).map(|(i, id)| (GroupId(id), row(i))).collect();
    (rows, (groups > count).then(|| row(count - 1)))
}

fn widgets(scene: &Scene<'_>, area: Area) -> Vec<Widget> {
    let widget = |(group, row): (GroupId, Area)| {
        let does = if scene.ui.is_hidden(scene.state, group) { "show" } else { "hide" };
        let words = format!("{does} the agents of this group; the run does not change");
        Widget::clickable(row, UiCommand::ToggleGroup(group)).tip(words)
    };
    let colors = Widget::clickable(colors_row(scene, area), UiCommand::NextColors);
    rows(scene, area).0.into_iter().map(widget).chain([colors]).collect()
}

/// Returns the width that is kept for the number of agents of a group, in pixels.
fn widest_count(state: &ViewState) -> f32 {
    text_width(&group_digits(state.world.agents.len()), SMALL)
}

/// Returns the number of agents of each group.
fn counts(state: &ViewState) -> Vec<usize> {
    let mut counts = vec![0; state.world.groups.len()];
    for group in &state.world.agents.group {
        counts[usize::from(group.0)] += 1;
    }
    counts
}

/// Returns the colors that agents of a group have by their state, if the scenario says so: of many, some between the first and the last.
fn own_colors(state: &ViewState, group: GroupId) -> Vec<Color> {
    let rule = state.world.group(group).appearance.color_by.as_ref();
    let all: Vec<Color> = rule.map_or_else(Vec::new, |rule| {
        rule.colors.iter().map(|(_, color)| Color::from(*color)).collect()
    });
    let last = all.len().saturating_sub(1);
    let count = all.len().min(MAX_DOTS);
    (0..count).map(|dot| all[dot * last / (count - 1).max(1)]).collect()
}

/// Draws what the agents of a group look like, at the beginning of its row.
fn draw_sign(picture: &mut Picture, scene: &Scene<'_>, group: GroupId, row: Area) {
    let (palette, state) = (scene.palette(), scene.state);
    let middle = row.min.y + ROW / 2.0;
    let left = row.min.x - 1.0 + text_writer::PAD;
    let colors = own_colors(state, group);
    let is_hidden = scene.ui.is_hidden(state, group);
    let alpha = if is_hidden { 110 } else { 255 };
    if !colors.is_empty() && scene.ui.shown_colors(state) == ColorBy::Group {
        let gap = (DOTS - 2.0 * DOT) / (colors.len() - 1).max(1) as f32;
        for (number, color) in colors.iter().enumerate() {
            let at = Vec2::new(left + DOT + number as f32 * gap, middle);
            group_dot(picture, at, DOT, color.alpha(alpha), palette);
        }
        return;
    }
    let at = Vec2::new(left + SIGN, middle);
    let color = palette.color_of(&state.world.groups, group);
    let shape = &state.world.group(group).appearance.shape;
    let border = palette.border_of(color);
    // On the panel, the inside would look empty, like that of a hidden group.
    if border.is_some() && !is_hidden {
        picture.disc(at, BEHIND, palette.edge);
    }
    sign(picture, at, SIGN, color, shape, is_hidden);
    if let Some(border) = border {
        sign(picture, at, SIGN, border.alpha(alpha), shape, true);
    }
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let Scene { ui, state, .. } = scene;
    let palette = scene.palette();
    section(picture, area, palette);
    let counts = counts(state);
    let (rows, rest) = rows(scene, area);
    let write = |picture: &mut Picture, row: Area, name: &str, count: usize, color| {
        let base = row.min.y + 16.0;
        let name = cut(name, SMALL, row.width() - NAME - widest_count(state) - GAPS + 4.0);
        text(picture, Vec2::new(area.min.x + NAME, base), Anchor::Left, SMALL, color, &name);
        let at = Vec2::new(area.max.x - text_writer::PAD, base);
        text(picture, at, Anchor::Right, SMALL, color, &group_digits(count));
    };
    let shown = rows.len();
    for (group, row) in rows {
        let index = usize::from(group.0);
        let is_hidden = ui.is_hidden(state, group);
        draw_sign(picture, scene, group, row);
        let ink = if is_hidden { palette.quiet } else { palette.ink };
        write(picture, row, &state.world.group(group).name, counts[index], ink);
    }
    draw_colors(picture, scene, colors_row(scene, area));
    if let Some(row) = rest {
        let name = format!("{} more", counts.len() - shown);
        write(picture, row, &name, counts[shown..].iter().sum(), palette.quiet);
    }
}

/// Returns a number with its digits in groups of three.
pub(super) fn group_digits(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

impl Ui {
    /// Returns whether the agents of a group are hidden.
    pub(in super::super) fn is_hidden(&self, state: &ViewState, group: GroupId) -> bool {
        !self.hidden.is_empty() && self.hidden.contains(&*state.world.group(group).name)
    }

    /// Hides the agents of a group, or shows them again.
    pub(in super::super) fn toggle_group(&mut self, state: &ViewState, group: GroupId) {
        let name = state.world.group(group).name.to_string();
        if !self.hidden.remove(&name) {
            self.hidden.insert(name);
        }
    }
}
