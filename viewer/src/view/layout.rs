//! Places and sizes of the parts of the window, in pixels from the upper left corner.

use std::collections::BTreeMap;

use flockwork_engine::math::{self, Vec2};

use super::area::Area;
use super::panel_states::PanelId;
use super::text_writer::PAD;
use super::view_state::ViewState;

/// The parts of the window.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layout {
    /// Size of the window.
    size: (u32, u32),
    /// Size of the part that the world is fitted into; it starts in the upper left corner.
    pub(super) world: (u32, u32),
    /// The column at the right edge, with the panels that would be over the world.
    pub(super) column: Option<Area>,
    /// The strip below the world, with the time bar.
    pub(super) strip: Area,
    /// The status line, at the lower edge.
    pub(super) status: Area,
    /// The time bar on the strip.
    pub(super) time: Area,
    /// The first and the last tick that it shows; `None` for all.
    pub(super) shown_ticks: Option<(u64, u64)>,
    /// The buttons and the labels on the strip: beside the time bar, or below it in a narrow window.
    pub(super) controls: Area,
    /// The plots over time, above the time bar, from the top down.
    pub(super) plots: Vec<PlotAreas>,
    /// The panels at the bottom, in the column, and over the world.
    areas: BTreeMap<PanelId, Area>,
    /// The y coordinate at which the world and the panels over it end.
    pub(super) bottom: f32,
    /// By how much the plots are higher than they are to be while the pointer is in their list, since each has a least height.
    beyond_held: f32,
    /// The y coordinate below which there is room for messages.
    pub(super) messages: f32,
}

/// The parts of a plot over time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PlotAreas {
    /// All of it.
    pub(super) whole: Area,
    /// The name of the plotted source: beside the curve, or above it in a narrow window.
    pub(super) title: Area,
    pub(super) curve: Area,
    /// Where remarks are written, beside or over the curve; `None` if they are at the end of the title. Then the numbers of the ticks
    /// are in the curve.
    pub(super) remarks: Option<Area>,
}

impl PlotAreas {
    /// Divides the area of a plot. The curve is as wide as the time bar.
    fn new(whole: Area, time: Area, is_narrow: bool) -> Self {
        let title_height = if is_narrow { Layout::PLOT_TITLE } else { 0.0 };
        let begin = whole.min.y + title_height + Layout::GRIP;
        let height = math::max(whole.max.y - begin, 1.0);
        let (left, end) = (time.min.x - Layout::PLOT_NUMBERS, time.max.x + 8.0);
        let beside = Area::new(0.0, begin, left, height);
        let above = Area::new(0.0, whole.min.y + Layout::GRIP, whole.width(), title_height);
        // Where the curve has all of the width, they may be over its end.
        let end = math::min(end, whole.max.x - Layout::PLOT_REMARKS);
        let remarks = Area::new(end, begin, whole.max.x - end, height);
        Self {
            whole,
            title: if is_narrow { above } else { beside },
            curve: Area::new(time.min.x, begin, time.width(), height),
            remarks: (!is_narrow).then_some(remarks),
        }
    }
}

impl Layout {
    /// Margin around a world that is fitted in, in pixels.
    pub(super) const MARGIN: u32 = Self::GAP as u32;
    /// Height of a row of a panel.
    pub(super) const ROW: f32 = 24.0;
    /// Height of what is above the rows of a panel.
    pub(super) const HEAD: f32 = 44.0;
    /// Height of what is below the rows of the params.
    pub(super) const FOOT: f32 = 30.0;
    /// Height of the time bar, and of the buttons and labels.
    const BAR: f32 = 48.0;
    /// Height of the status line.
    pub(super) const STATUS: f32 = 30.0;
    /// Least and greatest height of a plot without its title unless the person changes it; between them, it is a share of the window.
    const PLOT: [f32; 2] = [56.0, 200.0];
    const PLOT_SHARE: f32 = 0.12;
    /// The largest part of a window that its plots take.
    const MAX_PLOTS: f32 = 0.6;
    /// Height of the title of a plot in a narrow window.
    const PLOT_TITLE: f32 = 24.0;
    /// Width of remarks about a plot.
    const PLOT_REMARKS: f32 = 230.0;
    /// In a window that is not lower than this, the time bar and the plots above it go to the right edge, and what is else to the right
    /// of the time bar is below it.
    const MIN_HEIGHT_OF_LONG_TIME: f32 = 600.0;
    /// Height of that time bar without the upper edge of the buttons below it.
    const LONG_TIME: f32 = 28.0;
    /// Width of the numbers to the left of a plot.
    pub(super) const PLOT_NUMBERS: f32 = 68.0;
    /// Height of the times below the plots.
    pub(super) const PLOT_TIMES: f32 = 14.0;
    /// Distance between panels, and from the edges of the window.
    pub(super) const GAP: f32 = PAD;
    /// Width of the buttons and labels to the left and right of the time bar.
    pub(super) const CONTROLS: [f32; 2] = [270.0, 292.0];
    /// With less width than this for the time bar, the buttons and labels are below it.
    const MIN_TIME: f32 = 200.0;
    /// A window that is narrower or lower than this is small: panels over the world would hide most of it.
    const MIN_SIZE: Vec2 = Vec2::new(800.0, 500.0);
    /// In one that is narrower or lower than this, words would lie over each other.
    const LEAST_SIZE: Vec2 = Vec2::new(240.0, 200.0);
    /// The largest part of a window that its column of panels takes, and that an error takes of the height of a small one.
    const MAX_DOCKED: f32 = 0.6;
    /// The width of the column unless the person changes it: a share of the window, within these limits. In a narrower one, the numbers
    /// of an explanation are cut.
    const COLUMN: [f32; 2] = [300.0, 380.0];
    const COLUMN_SHARE: f32 = 0.29;
    /// The same while another panel is beside the world.
    const COLUMN_SHARE_BESIDE: f32 = 0.22;
    /// Its least usual width before an audience, to which sliders have to be long.
    const PRESENTED_COLUMN: f32 = 360.0;
    const MIN_COLUMN: f32 = 230.0;
    /// The part of a window that the column and a panel beside the world leave to the world, unless the person changes it.
    pub(super) const WORLD_SHARE: f32 = 0.43;
    /// The least width of the world beside a panel.
    const MIN_WORLD: f32 = 400.0;
    /// In a narrower window, a panel beside the world is below the column: beside it, both would have room for half a line.
    const MIN_ABREAST: f32 = 1200.0;
    /// The part of the height that it takes there.
    const BELOW_SHARE: f32 = 0.52;
    /// The width of the column of a small window if it has only the legend.
    pub(super) const LEGEND: f32 = 140.0;
    /// The width of an edge that can be dragged, of the column and of the plots, in pixels.
    pub(super) const GRIP: f32 = 6.0;
    /// Each panel in the column has at least this height: room for one row.
    const MIN_DOCKED: f32 = 106.0;

    /// Lays out the strip of a window without panels, with a number of plots. `plot_height` is the height of each that the person
    /// has chosen, and `held_height` that of all together while it must not change.
    pub(super) fn with_strip(
        size: (u32, u32),
        plots: usize,
        plot_height: Option<f32>,
        held_height: Option<f32>,
    ) -> Self {
        let (width, height) = (size.0 as f32, size.1 as f32);
        let [left, right] = Self::CONTROLS;
        let is_narrow = width < left + right + Self::MIN_TIME;
        let held_each = held_height.map(|all| (all / plots.max(1) as f32).floor());
        let each = Self::plot_height(height, is_narrow, plots, held_each.or(plot_height));
        let held = held_height.unwrap_or_default();
        let all = math::max(plots as f32 * each, held);
        let beyond_held = held_height.map_or(0.0, |held| all - held);
        let more = if plots > 0 { all + Self::PLOT_TIMES } else { 0.0 };
        let is_long = !is_narrow && plots > 0 && height >= Self::MIN_HEIGHT_OF_LONG_TIME;
        let (bars, above) = match (is_narrow, is_long) {
            (true, _) => (2.0 * Self::BAR - 8.0, 6.0),
            (_, true) => (Self::BAR + Self::LONG_TIME, 1.0),
            _ => (Self::BAR, 6.0),
        };
        let top = math::max(height - Self::STATUS - bars - more, 0.0);
        let (left, right) = match (is_narrow, is_long) {
            (true, _) => (Self::GAP, Self::GAP),
            (_, true) => (left, Self::GAP),
            _ => (left, right),
        };
        let free = math::max(width - left - right, 1.0);
        let time = Area::new(left, top + more + above, free, 34.0);
        let plot = |number: usize| {
            let whole = Area::new(0.0, top + number as f32 * each, width, each);
            PlotAreas::new(whole, time, is_narrow)
        };
        let mut layout = Self {
            size,
            world: (size.0.max(1), 0),
            column: None,
            strip: Area::new(0.0, top, width, bars + more),
            status: Area::new(0.0, top + bars + more, width, Self::STATUS),
            time,
            shown_ticks: None,
            controls: Area::new(0.0, top + more + bars - Self::BAR, width, Self::BAR),
            plots: (0..plots).map(plot).collect(),
            areas: BTreeMap::new(),
            bottom: 0.0,
            beyond_held,
            messages: Self::GAP,
        };
        layout.set_bottom(top);
        layout
    }

    /// Returns the height of each of some plots in a window of a height, in pixels; `wanted` is what the person has chosen.
    fn plot_height(window: f32, is_narrow: bool, plots: usize, wanted: Option<f32>) -> f32 {
        let title = if is_narrow { Self::PLOT_TITLE } else { 0.0 };
        let [least, most] = Self::PLOT.map(|height| height + title);
        let usual = math::min(window * Self::PLOT_SHARE, most);
        let room = window * Self::MAX_PLOTS / plots.max(1) as f32;
        math::min(math::max(wanted.unwrap_or(usual), least), room).floor()
    }

    /// Sets where the world ends.
    fn set_bottom(&mut self, bottom: f32) {
        self.bottom = bottom;
        self.world.1 = math::max(bottom, 1.0) as u32;
    }

    /// Adds panels with the heights that they need across the window, each above those before it.
    pub(super) fn add_bottom(&mut self, panels: &[(PanelId, f32)]) {
        // They leave most of the rest to the world.
        let share = if panels.len() > 1 { 0.6 / panels.len() as f32 } else { 0.5 };
        let most = (self.bottom * share).floor();
        for (id, height) in panels {
            let height = math::min(*height, most);
            let area = Area::new(0.0, self.bottom - height, self.size.0 as f32, height);
            self.areas.insert(*id, area);
            self.set_bottom(area.min.y);
        }
    }

    /// Puts an alert with a size over the world, or across the bottom of a small window. `size` returns it for a given room.
    pub(super) fn add_alert(&mut self, id: PanelId, size: impl Fn(Vec2) -> Option<Vec2>) {
        let is_small = Self::is_small(self.size);
        let share = if is_small { Self::MAX_DOCKED } else { 1.0 };
        let room = Vec2::new(self.world.0 as f32, (self.bottom * share).floor());
        let room = if is_small { room } else { room - 2.0 * Self::GAP };
        let Some(size) = size(room).map(|size| size.min(room)) else { return };
        if is_small {
            let top = self.bottom - size.y;
            self.areas.insert(id, Area::new(0.0, top, room.x, size.y));
            self.set_bottom(top);
        } else {
            self.areas.insert(id, Area::new(Self::GAP, Self::GAP, size.x, size.y));
            self.messages = size.y + 2.0 * Self::GAP;
        }
    }

    /// Returns the width of the column of panels in a window of a size, in pixels; `wanted` is what the person has chosen, and `has_beside`
    /// says that another panel is beside the world, too.
    pub(super) fn column_width(
        size: (u32, u32),
        wanted: Option<f32>,
        has_beside: bool,
        is_presented: bool,
    ) -> f32 {
        let (window, [least_usual, most_usual]) = (size.0 as f32, Self::COLUMN);
        let most = (window * Self::MAX_DOCKED).floor();
        let usual = if Self::is_small(size) {
            most_usual
        } else {
            let share = if has_beside { Self::COLUMN_SHARE_BESIDE } else { Self::COLUMN_SHARE };
            (window * share).clamp(least_usual, most_usual)
        };
        let usual = if is_presented { math::max(usual, Self::PRESENTED_COLUMN) } else { usual };
        math::min(math::max(wanted.unwrap_or(usual), Self::MIN_COLUMN), most).floor()
    }

    /// Puts panels with the heights that they need below each other into a column at the right, and gives the world the rest. `kept` is the
    /// height at the end of the column that stays free.
    pub(super) fn add_column(&mut self, panels: &[(PanelId, f32)], width: f32, kept: f32) {
        if panels.is_empty() {
            return;
        }
        // What is below the pointer stays there: only the ends of panels are cut off.
        let bottom = self.bottom + self.beyond_held - kept;
        let (left, mut top) = (self.size.0 as f32 - width, 0.0);
        let share = math::max(share_of(panels, bottom), Self::MIN_DOCKED);
        for (id, wanted) in panels {
            let height = math::min(math::min(*wanted, share), bottom - top);
            let end = math::min(top + height, self.bottom);
            let visible = math::max(end - top, 0.0);
            let inner = Area::new(left + Self::GRIP, top, width - Self::GRIP, visible);
            self.areas.insert(*id, inner);
            top += height;
        }
        self.column = Some(Area::new(left, 0.0, width, self.bottom));
        self.world.0 = math::max(left, 1.0) as u32;
    }

    /// Returns the width of the column in a window of a size if another panel is below it; `wanted` is what the person has chosen.
    pub(super) fn width_above(size: (u32, u32), wanted: Option<f32>) -> f32 {
        let window = size.0 as f32;
        let usual = window * (1.0 - Self::WORLD_SHARE);
        let least_world = math::min(Self::MIN_WORLD, window * 0.5);
        let width = math::max(wanted.unwrap_or(usual), Self::COLUMN[0]);
        math::min(width, window - least_world).floor()
    }

    /// Puts a column of panels to the right of the world, and another panel below them. If `has_rest`, it also has the room that they do not
    /// need.
    pub(super) fn add_column_above(
        &mut self,
        panels: &[(PanelId, f32)],
        width: f32,
        (below, has_rest): (PanelId, bool),
    ) {
        let share = (self.bottom * Self::BELOW_SHARE).floor();
        let wanted: f32 = panels.iter().map(|(_, wanted)| wanted).sum();
        let rest = if has_rest { (self.bottom - wanted).floor() } else { 0.0 };
        let height = math::max(share, rest);
        self.add_column(panels, width, height);
        let Some(column) = &mut self.column else { return };
        let top = self.bottom - height;
        column.max.y = top;
        self.areas.insert(below, Area::new(column.min.x, top, width, height));
    }

    /// Returns whether a panel beside the world is below the column, in a window of a size.
    pub(super) fn is_narrow(size: (u32, u32)) -> bool {
        !Self::is_small(size) && (size.0 as f32) < Self::MIN_ABREAST
    }

    /// Puts a panel with the width that it needs beside the world, and leaves a part of its width to it; in a small and narrow window none.
    pub(super) fn add_beside(&mut self, id: PanelId, wanted: impl Fn(f32) -> f32) {
        let end = self.world.0 as f32;
        let is_small = Self::is_small(self.size);
        let most = math::max(end - Self::MIN_WORLD, end * 0.5);
        let width = match is_small {
            true if end < Self::MIN_WORLD => end,
            true => (end * Self::MAX_DOCKED).floor(),
            false => math::min(wanted(end), most).floor(),
        };
        self.areas.insert(id, Area::new(end - width, 0.0, width, self.bottom));
        if width < end {
            self.world.0 = math::max(end - width, 1.0) as u32;
        }
    }

    /// Returns the area of a panel at the bottom, in the column, beside or over the world. `None` if it is closed.
    pub(super) fn area(&self, id: PanelId) -> Option<Area> {
        self.areas.get(&id).copied()
    }

    /// Returns whether a window of a size is so small that panels must not cover its world.
    pub(super) fn is_small((width, height): (u32, u32)) -> bool {
        Vec2::new(width as f32, height as f32).cmplt(Self::MIN_SIZE).any()
    }

    /// Returns the layout of a window that has only the world.
    pub(super) fn only_world(size: (u32, u32)) -> Self {
        let mut layout = Self::with_strip(size, 0, None, None);
        layout.set_bottom(size.1 as f32);
        layout
    }

    /// Returns whether a window of a size has no room for anything but the world.
    pub(super) fn is_tiny((width, height): (u32, u32)) -> bool {
        Vec2::new(width as f32, height as f32).cmplt(Self::LEAST_SIZE).any()
    }

    /// Returns the tick at a point of the time bar.
    pub(super) fn tick_at(&self, point: Vec2, state: &ViewState) -> u64 {
        let (first, last) = self.ends(state);
        let share = ((point.x - self.time.min.x) / self.time.width()).clamp(0.0, 1.0);
        first.saturating_add((f64::from(share) * (last - first) as f64).round() as u64)
    }

    /// Returns the ticks at the ends of the time bar and of the plots.
    pub(super) fn ends(&self, state: &ViewState) -> (u64, u64) {
        let (first, last) = all_ends(state);
        let Some((from, to)) = self.shown_ticks else { return (first, last) };
        let from = from.clamp(first, last - 1);
        (from, to.clamp(from + 1, last))
    }

    /// Returns whether a tick is between the ends of the time bar.
    pub(super) fn shows_tick(&self, tick: u64, state: &ViewState) -> bool {
        let (first, last) = self.ends(state);
        self.shown_ticks.is_none() || (first..=last).contains(&tick)
    }

    /// Returns the x coordinate of a tick on the time bar; of one beyond its ends, that of the end.
    pub(super) fn x_of(&self, tick: u64, state: &ViewState) -> f32 {
        let (first, last) = self.ends(state);
        let share = tick.saturating_sub(first) as f64 / (last - first) as f64;
        self.time.min.x + (share.clamp(0.0, 1.0) as f32) * self.time.width()
    }
}

/// Returns the height that each of some panels may have, if all of them share a height. What a panel does not need is left for the
/// others.
fn share_of(panels: &[(PanelId, f32)], all: f32) -> f32 {
    let mut wanted: Vec<f32> = panels.iter().map(|(_, wanted)| *wanted).collect();
    wanted.sort_by(f32::total_cmp);
    let mut rest = all;
    for (index, wanted) in wanted.iter().enumerate() {
        let share = (rest / (panels.len() - index) as f32).floor();
        if *wanted > share {
            return share;
        }
        rest -= wanted;
    }
    all
}

/// Returns the ticks at the ends of the whole time: the first one of the history, and the last one of the scenario, or of the run if that
/// is later.
pub(super) fn all_ends(state: &ViewState) -> (u64, u64) {
    let last = state.last_tick.max(state.scenario_ticks).max(state.first_tick.saturating_add(1));
    (state.first_tick, last)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of a comparison had the height of a third panel, though the one below it needed only a line.
    #[test]
    fn what_a_panel_does_not_need_is_left_for_those_above_it_too() {
        let mut layout = Layout::with_strip((1380, 860), 0, None, None);
        let ids = ["a", "b", "c"].map(PanelId);
        let wanted = [200.0, 2000.0, 40.0];
        let panels: Vec<(PanelId, f32)> = ids.into_iter().zip(wanted).collect();
        layout.add_column(&panels, 300.0, 0.0);
        let heights = ids.map(|id| layout.area(id).unwrap().height());
        assert_eq!(heights, [200.0, layout.bottom - 240.0, 40.0]);
        // Those that need more than there is have the same.
        layout.add_column(&ids.map(|id| (id, 2000.0)), 300.0, 0.0);
        let heights = ids.map(|id| layout.area(id).unwrap().height());
        assert_eq!(heights, [(layout.bottom / 3.0).floor(); 3]);
    }
}
