//! Places and sizes of the parts of the window, in pixels from the upper left corner.

use std::collections::BTreeMap;
use std::ops::Range;

use flockwork_engine::math::{self, Vec2};

use super::area::Area;
use super::panel_states::PanelId;
use super::view_state::ViewState;

/// The parts of the window.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layout {
    /// Size of the window.
    size: (u32, u32),
    /// Size of the part that the world is fitted into; it starts in the upper left corner.
    pub(super) world: (u32, u32),
    /// The column at the right edge of a small window, with the panels that would be over the world.
    pub(super) column: Option<Area>,
    /// The strip at the bottom.
    pub(super) strip: Area,
    /// The time bar on the strip.
    pub(super) time: Area,
    /// The buttons and the labels on the strip: beside the time bar, or below it in a narrow window.
    pub(super) controls: Area,
    /// The plot over time, above the time bar.
    pub(super) plot: Option<PlotAreas>,
    /// The panels at the bottom and in the corners.
    areas: BTreeMap<PanelId, Area>,
    /// The x coordinates between which the selected agent's panel leaves the window free.
    pub(super) free: Range<f32>,
    /// The x coordinates between which the upper edge of the window is free for errors and messages.
    pub(super) top: Range<f32>,
    /// The y coordinate at which the world and the panels over it end.
    pub(super) bottom: f32,
    /// The y coordinate below which there is room for messages.
    pub(super) messages: f32,
    /// The y coordinates at which the panels in each corner end; for a lower corner, the one at which the next panel ends.
    used: [f32; Corner::ALL.len()],
}

/// The parts of a plot over time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PlotAreas {
    /// All of it.
    pub(super) whole: Area,
    /// The name of the plotted source: beside the curve, or above it in a narrow window.
    pub(super) title: Area,
    pub(super) curve: Area,
    /// Where the range of the values is written; `None` if it is part of the title.
    pub(super) range: Option<Area>,
}

/// A corner of the world. Several panels there are below each other, or above each other in a lower corner. In a small
/// window, their order is that from the top of the column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Corner {
    /// The lower corner opposite to the selected agent's panel, above the scale bar.
    LowerOpposite,
    /// The upper corner opposite to the selected agent's panel.
    UpperOpposite,
    /// The upper left corner of what the others leave free.
    UpperLeft,
    /// The upper right corner, or the left one if the selected agent would be covered.
    Agent,
    /// The upper right corner of what the selected agent's panel leaves free. In a small window, only if nothing else is
    /// open.
    UpperRight,
    /// Below what is in the upper left corner; in a small window at the bottom.
    Alert,
}

impl Corner {
    /// All corners, in the order in which they are filled.
    pub(super) const ALL: [Self; 6] = [
        Self::Agent,
        Self::LowerOpposite,
        Self::UpperOpposite,
        Self::UpperRight,
        Self::UpperLeft,
        Self::Alert,
    ];
}

/// A panel that is open in a corner.
pub(super) struct CornerPanel {
    pub(super) id: PanelId,
    pub(super) corner: Corner,
    /// The height that it needs to show everything.
    pub(super) wanted: f32,
}

impl Layout {
    /// Margin around a world that is fitted in, in pixels.
    pub(super) const MARGIN: u32 = 24;
    /// Height of a row of a panel.
    pub(super) const ROW: f32 = 24.0;
    /// Height of what is above the rows of a panel.
    pub(super) const HEAD: f32 = 52.0;
    /// Height of what is below the rows of the params.
    pub(super) const FOOT: f32 = 30.0;
    /// Height of the time bar, and of the buttons and labels.
    const BAR: f32 = 48.0;
    /// Least and greatest additional height of the strip for a plot; between them, it is a share of the window.
    const PLOT: [f32; 2] = [56.0, 160.0];
    const PLOT_SHARE: f32 = 0.08;
    /// Height of the title of a plot in a narrow window.
    const PLOT_TITLE: f32 = 24.0;
    /// Height of the scale bar with some room.
    const SCALE: f32 = 40.0;
    /// Distance between panels, and from the edges of the window.
    pub(super) const GAP: f32 = 10.0;
    /// Width of the buttons and labels to the left and right of the time bar.
    pub(super) const CONTROLS: [f32; 2] = [270.0, 254.0];
    /// With less width than this for the time bar, the buttons and labels are below it.
    const MIN_TIME: f32 = 200.0;
    /// A window that is narrower or lower than this is small: panels over the world would hide most of it.
    const MIN_SIZE: Vec2 = Vec2::new(800.0, 500.0);
    /// The largest part of a small window that its column of panels takes, and that an error takes of the height.
    const MAX_DOCKED: f32 = 0.6;
    /// Each panel in the column of a small window has at least this height: room for one row.
    const MIN_DOCKED: f32 = Self::HEAD + Self::ROW + Self::FOOT;

    /// Lays out the strip of a window without panels.
    pub(super) fn with_strip(size: (u32, u32), has_plot: bool) -> Self {
        let (width, height) = (size.0 as f32, size.1 as f32);
        let [left, right] = Self::CONTROLS;
        let is_narrow = width < left + right + Self::MIN_TIME;
        let plot_title = if is_narrow { Self::PLOT_TITLE } else { 0.0 };
        let [least, most] = Self::PLOT;
        let plot_height = math::max(math::min(height * Self::PLOT_SHARE, most), least);
        let more = if has_plot { plot_height + plot_title } else { 0.0 };
        let bars = if is_narrow { 2.0 * Self::BAR - 8.0 } else { Self::BAR };
        let top = math::max(height - bars - more, 0.0);
        let (left, right) = if is_narrow { (16.0, 16.0) } else { (left, right) };
        let free = math::max(width - left - right, 1.0);
        let plot = has_plot.then(|| {
            let (begin, tall) = (top + plot_title + 6.0, plot_height - 6.0);
            let curve = Area::new(left, begin, free, tall);
            let beside = Area::new(0.0, begin, left - 8.0, tall);
            let above = Area::new(0.0, top + 2.0, width, plot_title);
            let end = curve.max.x + 8.0;
            PlotAreas {
                whole: Area::new(0.0, top, width, more),
                title: if is_narrow { above } else { beside },
                curve,
                range: (!is_narrow).then(|| Area::new(end, begin, width - end, tall)),
            }
        });
        let mut layout = Self {
            size,
            world: (size.0.max(1), 0),
            column: None,
            strip: Area::new(0.0, top, width, bars + more),
            time: Area::new(left, top + more + 6.0, free, 34.0),
            controls: Area::new(0.0, top + more + bars - Self::BAR, width, Self::BAR),
            plot,
            areas: BTreeMap::new(),
            free: 0.0..width,
            top: 0.0..width,
            bottom: 0.0,
            messages: Self::GAP,
            used: [0.0; Corner::ALL.len()],
        };
        layout.set_bottom(top);
        layout
    }

    /// Sets where the world ends.
    fn set_bottom(&mut self, bottom: f32) {
        self.bottom = bottom;
        self.world.1 = math::max(bottom, 1.0) as u32;
        self.used[Corner::LowerOpposite as usize] = bottom - Self::GAP - Self::SCALE;
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

    /// Returns the room for a panel in a corner, in pixels.
    pub(super) fn room(&self, corner: Corner) -> Vec2 {
        let used = self.used[corner as usize];
        match corner {
            Corner::Agent | Corner::UpperOpposite => {
                let height = self.bottom - used - 2.0 * Self::GAP;
                Vec2::new(self.size.0 as f32, math::max(height, 0.0))
            }
            Corner::LowerOpposite => Vec2::new(self.size.0 as f32, used - Self::GAP),
            Corner::UpperRight => {
                let height = self.bottom - used - 2.0 * Self::GAP;
                Vec2::new(self.free.end - self.free.start, height)
            }
            Corner::UpperLeft | Corner::Alert => {
                let height = self.bottom - used - Self::GAP;
                Vec2::new(self.top.end - self.top.start - 2.0 * Self::GAP, height)
            }
        }
    }

    /// Adds a panel of a size in a corner. `is_agent_left` is whether the selected agent's panel is on the left side.
    pub(super) fn add_corner(
        &mut self,
        id: PanelId,
        corner: Corner,
        size: Vec2,
        is_agent_left: bool,
    ) {
        let (width, used) = (self.size.0 as f32, self.used[corner as usize]);
        let wide = math::min(size.x, width);
        let far = math::max(width - wide - Self::GAP, 0.0);
        let side = |is_left| if is_left { math::min(Self::GAP, far) } else { far };
        let below = used + Self::GAP;
        let area = match corner {
            Corner::Agent | Corner::UpperOpposite => {
                let height = math::min(size.y, self.room(corner).y);
                let is_left = is_agent_left == (corner == Corner::Agent);
                Area::new(side(is_left), below, wide, height)
            }
            Corner::LowerOpposite => {
                let top = math::max(used - size.y, Self::GAP);
                Area::new(side(!is_agent_left), top, wide, size.y)
            }
            Corner::UpperRight => {
                Area::new(self.free.end - Self::GAP - size.x, below, size.x, size.y)
            }
            Corner::UpperLeft | Corner::Alert => {
                Area::new(self.top.start + Self::GAP, below, size.x, size.y)
            }
        };
        let is_lower = corner == Corner::LowerOpposite;
        self.used[corner as usize] = if is_lower { area.min.y - Self::GAP } else { area.max.y };
        match corner {
            Corner::Agent => {
                let is_right = area.min.x > width - area.max.x;
                self.free = if is_right { 0.0..area.min.x } else { area.max.x..width };
                self.top = self.free.clone();
            }
            Corner::UpperOpposite => self.top.start = math::max(self.top.start, area.max.x),
            Corner::UpperRight => self.top.end = area.min.x,
            Corner::UpperLeft => {
                self.used[Corner::Alert as usize] = area.max.y;
                self.messages = area.max.y + Self::GAP;
            }
            Corner::Alert => self.messages = area.max.y + 6.0,
            Corner::LowerOpposite => {}
        }
        self.areas.insert(id, area);
    }

    /// Moves the panels in the corners of a small window to its edges, and gives the world the rest: alerts to the bottom,
    /// the others below each other into a column at the right.
    pub(super) fn dock(&mut self, mut panels: Vec<CornerPanel>) {
        let window = self.size.0 as f32;
        for alert in panels.extract_if(.., |panel| panel.corner == Corner::Alert) {
            let height = math::min(alert.wanted, (self.bottom * Self::MAX_DOCKED).floor());
            self.areas.insert(alert.id, Area::new(0.0, self.bottom - height, window, height));
            self.set_bottom(self.bottom - height);
        }
        self.messages = Self::GAP;
        if panels.iter().any(|panel| panel.corner != Corner::UpperRight) {
            for hidden in panels.extract_if(.., |panel| panel.corner == Corner::UpperRight) {
                self.areas.remove(&hidden.id);
            }
        }
        if panels.is_empty() {
            return;
        }
        panels.sort_by_key(|panel| panel.corner);
        let widths = panels.iter().map(|panel| self.areas[&panel.id].width());
        let widest = widths.fold(0.0, math::max);
        let width = math::min(widest, (window * Self::MAX_DOCKED).floor());
        let (left, mut top) = (window - width, 0.0);
        for (i, panel) in panels.iter().enumerate() {
            // The height that a panel does not need is left for those below it.
            let share = ((self.bottom - top) / (panels.len() - i) as f32).floor();
            let height = math::min(panel.wanted, math::max(share, Self::MIN_DOCKED));
            let height = math::min(height, self.bottom - top);
            self.areas.insert(panel.id, Area::new(left, top, width, height));
            top += height;
        }
        self.column = Some(Area::new(left, 0.0, width, self.bottom));
        self.world.0 = math::max(left, 1.0) as u32;
        self.free = 0.0..self.world.0 as f32;
        self.top = self.free.clone();
    }

    /// Returns the area of a panel at the bottom or in a corner. `None` if it is closed.
    pub(super) fn area(&self, id: PanelId) -> Option<Area> {
        self.areas.get(&id).copied()
    }

    /// Returns whether a window of a size is so small that panels must not cover its world.
    pub(super) fn is_small((width, height): (u32, u32)) -> bool {
        Vec2::new(width as f32, height as f32).cmplt(Self::MIN_SIZE).any()
    }

    /// Returns the largest width of a panel in a window of a size, in pixels.
    pub(super) fn max_width(size: (u32, u32)) -> f32 {
        let share = if Self::is_small(size) { Self::MAX_DOCKED } else { 1.0 };
        (size.0 as f32 * share).floor()
    }

    /// Returns the tick at a point of the time bar.
    pub(super) fn tick_at(&self, point: Vec2, state: &ViewState) -> u64 {
        let (first, last) = ends(state);
        let share = ((point.x - self.time.min.x) / self.time.width()).clamp(0.0, 1.0);
        first.saturating_add((f64::from(share) * (last - first) as f64).round() as u64)
    }

    /// Returns the x coordinate of a tick on the time bar.
    pub(super) fn x_of(&self, tick: u64, state: &ViewState) -> f32 {
        let (first, last) = ends(state);
        let share = tick.saturating_sub(first) as f64 / (last - first) as f64;
        self.time.min.x + (share.clamp(0.0, 1.0) as f32) * self.time.width()
    }
}

/// Returns the ticks at the ends of the time bar: the first one of the history, and the last one of the scenario, or of
/// the run if that is later.
fn ends(state: &ViewState) -> (u64, u64) {
    let last = state.last_tick.max(state.scenario_ticks).max(state.first_tick.saturating_add(1));
    (state.first_tick, last)
}
