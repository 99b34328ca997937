//! Places and sizes of the parts of the window, in pixels from the upper left corner.

use std::ops::Range;

use flockwork_engine::math::{self, Vec2};

use super::explain_text;
use super::view_state::ViewState;

/// A rectangle of the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Area {
    pub(super) min: Vec2,
    pub(super) max: Vec2,
}

impl Area {
    /// Returns a rectangle with an upper left corner, a width and a height.
    pub(super) fn new(left: f32, top: f32, width: f32, height: f32) -> Self {
        let min = Vec2::new(left, top);
        Self { min, max: min + Vec2::new(width, height) }
    }

    pub(super) fn contains(&self, at: Vec2) -> bool {
        at.cmpge(self.min).all() && at.cmplt(self.max).all()
    }

    pub(super) fn width(&self) -> f32 {
        self.max.x - self.min.x
    }
}

/// The parts of the window.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layout {
    /// Size of the window.
    size: (u32, u32),
    /// Size of the part that the world is fitted into; it starts in the upper left corner.
    pub(super) world: (u32, u32),
    /// The column at the right edge of a small window, with all panels but the log, the error and the help.
    pub(super) column: Option<Area>,
    /// The strip at the bottom.
    pub(super) strip: Area,
    /// The time bar on the strip.
    pub(super) time: Area,
    /// The buttons and the texts on the strip: beside the time bar, or below it in a narrow window.
    pub(super) controls: Area,
    /// The plot over time, above the time bar.
    pub(super) plot: Option<PlotPlaces>,
    /// The panel of the selected agent.
    pub(super) agent: Option<Area>,
    /// The panel of the params.
    pub(super) params: Option<Area>,
    /// The params that are shown; with too many, some have no row.
    pub(super) rows: Range<usize>,
    /// The panel of editing the scene.
    pub(super) scene: Option<Area>,
    /// The log.
    pub(super) log: Option<Area>,
    /// The expectations, above the log.
    pub(super) expectations: Option<Area>,
    /// The legend of the groups.
    pub(super) legend: Option<Area>,
    /// The result of a tune.
    pub(super) results: Option<Area>,
    /// The error panel.
    pub(super) error: Option<Area>,
    /// The help.
    pub(super) help: Option<Area>,
}

/// The places of a plot over time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PlotPlaces {
    /// All of it.
    pub(super) whole: Area,
    /// What is plotted: beside the curve, or above it in a narrow window.
    pub(super) title: Area,
    pub(super) curve: Area,
    /// Where the range of the values is written; `None` if it is part of the title.
    pub(super) range: Option<Area>,
}

/// The number of params to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ParamRows {
    pub(super) count: usize,
    /// Index of the param that the keys change.
    pub(super) tuned: usize,
}

/// What has to have a place in the window.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct LayoutNeeds {
    /// Height of the selected agent's panel.
    pub(super) agent: Option<f32>,
    /// Whether that panel is on the left side.
    pub(super) is_agent_left: bool,
    pub(super) params: Option<ParamRows>,
    pub(super) has_plot: bool,
    pub(super) has_log: bool,
    /// Height of the expectations, in a window that is tall enough.
    pub(super) expectations: Option<f32>,
    /// Height of the panel of editing the scene.
    pub(super) scene: Option<f32>,
}

impl Layout {
    /// Margin around a world that is fitted in, in pixels.
    pub(super) const MARGIN: u32 = 24;
    /// Height of a row of params.
    pub(super) const ROW: f32 = 24.0;
    /// Height of what is above the rows of params.
    pub(super) const HEAD: f32 = 52.0;
    /// Height of what is below the rows of params.
    const FOOT: f32 = 30.0;
    /// Height of the time bar, and of the buttons and texts.
    const BAR: f32 = 48.0;
    /// Least and greatest additional height of the strip for a plot; between them, it is a share of the window.
    const PLOT: [f32; 2] = [56.0, 160.0];
    const PLOT_SHARE: f32 = 0.08;
    /// Height of the title of a plot in a narrow window.
    const PLOT_TITLE: f32 = 24.0;
    /// Height of the scale bar with some room.
    const SCALE: f32 = 40.0;
    const PARAMS: f32 = 280.0;
    const SCENE: f32 = 206.0;
    /// Height of the log, in a window that is tall enough.
    const LOG: f32 = 172.0;
    /// Distance between panels, and from the edges of the window.
    pub(super) const GAP: f32 = 10.0;
    /// Width of the buttons and texts to the left and right of the time bar.
    pub(super) const CONTROLS: [f32; 2] = [270.0, 254.0];
    /// With less width than this for the time bar, the buttons and texts are below it.
    const MIN_TIME: f32 = 200.0;
    /// A window that is narrower or lower than this is small: panels over the world would hide most of it.
    const MIN_SIZE: Vec2 = Vec2::new(800.0, 500.0);
    /// The largest part of a small window that its column of panels takes, and that an error takes of the height.
    const MAX_DOCKED: f32 = 0.6;

    /// Lays out a window.
    pub(super) fn new(size: (u32, u32), needs: LayoutNeeds) -> Self {
        let (width, height) = (size.0 as f32, size.1 as f32);
        let [left, right] = Self::CONTROLS;
        let is_narrow = width < left + right + Self::MIN_TIME;
        let plot_title = if is_narrow { Self::PLOT_TITLE } else { 0.0 };
        let [least, most] = Self::PLOT;
        let plot_height = math::max(math::min(height * Self::PLOT_SHARE, most), least);
        let more = if needs.has_plot { plot_height + plot_title } else { 0.0 };
        let bars = if is_narrow { 2.0 * Self::BAR - 8.0 } else { Self::BAR };
        let top = math::max(height - bars - more, 0.0);
        let strip = Area::new(0.0, top, width, bars + more);
        let (left, right) = if is_narrow { (16.0, 16.0) } else { (left, right) };
        let free = math::max(width - left - right, 1.0);
        let time = Area::new(left, top + more + 6.0, free, 34.0);
        let controls = Area::new(0.0, top + more + bars - Self::BAR, width, Self::BAR);
        let plot = needs.has_plot.then(|| {
            let (begin, tall) = (top + plot_title + 6.0, plot_height - 6.0);
            let curve = Area::new(left, begin, free, tall);
            let beside = Area::new(0.0, begin, left - 8.0, tall);
            let above = Area::new(0.0, top + 2.0, width, plot_title);
            let end = curve.max.x + 8.0;
            PlotPlaces {
                whole: Area::new(0.0, top, width, more),
                title: if is_narrow { above } else { beside },
                curve,
                range: (!is_narrow).then(|| Area::new(end, begin, width - end, tall)),
            }
        });
        // The log and the expectations leave most of the rest to the world.
        let share = if needs.has_log && needs.expectations.is_some() { 0.3 } else { 0.5 };
        let most = (top * share).floor();
        let log_height = math::min(Self::LOG, most);
        let log = needs.has_log.then(|| Area::new(0.0, top - log_height, width, log_height));
        let top = log.map_or(top, |log| log.min.y);
        let expectations = needs.expectations.map(|height| {
            let height = math::min(height, most);
            Area::new(0.0, top - height, width, height)
        });
        let top = expectations.map_or(top, |area| area.min.y);
        let panel = Self::panel(size);
        let agent = needs.agent.map(|height| {
            let height = math::max(math::min(height, top - 2.0 * Self::GAP), 0.0);
            let far = math::max(width - panel - Self::GAP, 0.0);
            let left = if needs.is_agent_left { math::min(Self::GAP, far) } else { far };
            Area::new(left, Self::GAP, panel, height)
        });
        let rows = Self::param_rows(needs.params, top - 2.0 * Self::GAP - Self::SCALE);
        let params = needs.params.map(|_| {
            let height = Self::params_height(rows.len());
            let wide = math::min(Self::PARAMS, width);
            let above = top - Self::GAP - Self::SCALE - height;
            let far = math::max(width - wide - Self::GAP, 0.0);
            let left = if needs.is_agent_left { far } else { math::min(Self::GAP, far) };
            Area::new(left, math::max(above, Self::GAP), wide, height)
        });
        let scene = needs.scene.map(|height| {
            let wide = math::min(Self::SCENE, width);
            let far = math::max(width - wide - Self::GAP, 0.0);
            let left = if needs.is_agent_left { far } else { math::min(Self::GAP, far) };
            let height = math::max(math::min(height, top - 2.0 * Self::GAP), 0.0);
            Area::new(left, Self::GAP, wide, height)
        });
        Self {
            size,
            world: (size.0.max(1), math::max(top, 1.0) as u32),
            column: None,
            strip,
            time,
            controls,
            plot,
            agent,
            params,
            rows,
            scene,
            log,
            expectations,
            legend: None,
            results: None,
            error: None,
            help: None,
        }
    }

    /// Returns the height of the panel of some params.
    fn params_height(count: usize) -> f32 {
        Self::HEAD + count.max(1) as f32 * Self::ROW + Self::FOOT
    }

    /// Returns the params that fit into a height.
    fn param_rows(params: Option<ParamRows>, height: f32) -> Range<usize> {
        let Some(ParamRows { count, tuned }) = params else { return 0..0 };
        let most = math::max((height - Self::HEAD - Self::FOOT) / Self::ROW, 1.0) as usize;
        let rows = count.min(most);
        // With too many params, show the selected one and those above it.
        let first = (tuned.min(count) + 1).saturating_sub(rows);
        first..first + rows
    }

    /// Returns whether a window of a size is so small that panels must not cover its world.
    pub(super) fn is_small((width, height): (u32, u32)) -> bool {
        Vec2::new(width as f32, height as f32).cmplt(Self::MIN_SIZE).any()
    }

    /// Returns the width of the selected agent's panel in a window of a size.
    pub(super) fn panel(size: (u32, u32)) -> f32 {
        let share = if Self::is_small(size) { Self::MAX_DOCKED } else { 1.0 };
        math::min(explain_text::WIDTH, (size.0 as f32 * share).floor())
    }

    /// Moves the open panels of a small window to its edges, and gives the world the rest: the error to the bottom, the
    /// others below each other into a column at the right. The legend is there only if no other panel is. `error` is the
    /// height that the error wants.
    pub(super) fn dock(&mut self, needs: LayoutNeeds, error: Option<f32>) {
        let (window, bottom) = (self.size.0 as f32, self.bottom());
        self.error = error.map(|wanted| {
            let height = math::min(wanted, (bottom * Self::MAX_DOCKED).floor());
            Area::new(0.0, bottom - height, window, height)
        });
        let bottom = self.bottom();
        let tall = |area: Option<Area>| area.map(|area| area.max.y - area.min.y);
        let params = needs.params.map(|params| Self::params_height(params.count));
        let (results, legend) = (tall(self.results), tall(self.legend));
        let mut open: Vec<(&mut Area, f32)> = [
            self.params.as_mut().zip(params),
            self.scene.as_mut().zip(needs.scene),
            self.results.as_mut().zip(results),
            self.agent.as_mut().zip(needs.agent),
        ]
        .into_iter()
        .flatten()
        .collect();
        if open.is_empty() {
            open.extend(self.legend.as_mut().zip(legend));
        } else {
            self.legend = None;
        }
        let widest = open.iter().map(|(area, _)| area.width()).fold(0.0, math::max);
        let width = math::min(widest, (window * Self::MAX_DOCKED).floor());
        let (left, mut top) = (window - width, 0.0);
        let count = open.len();
        for (i, (area, wanted)) in open.into_iter().enumerate() {
            // What a panel does not need is left for those below it. Each has room for a line.
            let share = ((bottom - top) / (count - i) as f32).floor();
            let height = math::min(wanted, math::max(share, Self::params_height(1)));
            let height = math::min(height, bottom - top);
            *area = Area::new(left, top, width, height);
            top += height;
        }
        self.column = (count > 0).then(|| Area::new(left, 0.0, width, bottom));
        self.world = (math::max(left, 1.0) as u32, math::max(bottom, 1.0) as u32);
        self.rows = Self::param_rows(needs.params, tall(self.params).unwrap_or_default());
    }

    /// Returns the x coordinates between which the selected agent's panel leaves the window free.
    pub(super) fn free(&self) -> Range<f32> {
        let width = self.size.0 as f32;
        match self.agent {
            _ if self.column.is_some() => 0.0..self.world.0 as f32,
            Some(area) if area.min.x > width - area.max.x => 0.0..area.min.x,
            Some(area) => area.max.x..width,
            None => 0.0..width,
        }
    }

    /// Returns the x coordinates between which the upper edge of the window is free for errors and messages.
    pub(super) fn top(&self) -> Range<f32> {
        let Range { start, end } = self.free();
        let beside = |area: Area| if self.column.is_some() { start } else { area.max.x };
        let start = math::max(start, self.scene.map_or(start, beside));
        start..self.legend.map_or(end, |legend| legend.min.x)
    }

    /// Returns the y coordinate at which the world and the panels over it end.
    pub(super) fn bottom(&self) -> f32 {
        let error = self.error.filter(|_| Self::is_small(self.size));
        error.or(self.expectations).or(self.log).unwrap_or(self.strip).min.y
    }

    /// Returns the y coordinate below which there is room for errors.
    pub(super) fn below_results(&self) -> f32 {
        self.results.filter(|_| !Self::is_small(self.size)).map_or(0.0, |area| area.max.y)
    }

    /// Returns the y coordinate below which there is room for messages.
    pub(super) fn below_error(&self) -> f32 {
        let error = self.error.filter(|_| !Self::is_small(self.size));
        error.map_or(self.below_results() + Self::GAP, |area| area.max.y + 6.0)
    }

    /// Returns the tick at a place of the time bar.
    pub(super) fn tick_at(&self, at: Vec2, state: &ViewState) -> u64 {
        let (first, last) = span(state);
        let share = ((at.x - self.time.min.x) / self.time.width()).clamp(0.0, 1.0);
        first.saturating_add((f64::from(share) * (last - first) as f64).round() as u64)
    }

    /// Returns the x coordinate of a tick on the time bar.
    pub(super) fn place_of(&self, tick: u64, state: &ViewState) -> f32 {
        let (first, last) = span(state);
        let share = tick.saturating_sub(first) as f64 / (last - first) as f64;
        self.time.min.x + (share.clamp(0.0, 1.0) as f32) * self.time.width()
    }
}

/// Returns the ticks at the ends of the time bar: the first one of the history, and the last one of the scenario, or of
/// the run if that is later.
fn span(state: &ViewState) -> (u64, u64) {
    let last = state.last_tick.max(state.scenario_ticks).max(state.first_tick.saturating_add(1));
    (state.first_tick, last)
}
