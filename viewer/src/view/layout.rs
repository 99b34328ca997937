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
    fn new(left: f32, top: f32, width: f32, height: f32) -> Self {
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
    /// Size of the part that the world is fitted into; it starts in the upper left corner.
    pub(super) world: (u32, u32),
    /// The strip at the bottom.
    pub(super) strip: Area,
    /// The time bar on the strip.
    pub(super) time: Area,
    /// The margin of an expectation over time, above the time bar.
    pub(super) margins: Option<Area>,
    /// The panel of the selected agent.
    pub(super) agent: Option<Area>,
    /// The panel of the params.
    pub(super) params: Option<Area>,
    /// The params that are shown; with too many, some have no row.
    pub(super) rows: Range<usize>,
    /// The error panel.
    pub(super) error: Option<Area>,
    /// The help.
    pub(super) help: Option<Area>,
}

/// The panels over the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PanelKind {
    Help,
    Error,
    Agent,
    Params,
    Strip,
}

/// The number of params to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ParamRows {
    pub(super) count: usize,
    /// Index of the param that the keys change.
    pub(super) tuned: usize,
}

impl Layout {
    /// Margin around a world that is fitted in, in pixels.
    pub(super) const MARGIN: u32 = 24;
    /// Height of a row of params.
    pub(super) const ROW: f32 = 20.0;
    /// Height of what is above the rows of params.
    pub(super) const HEAD: f32 = 52.0;
    /// Height of what is below the rows of params.
    const FOOT: f32 = 30.0;
    const STRIP: f32 = 48.0;
    /// Additional height of the strip for margins.
    const MARGINS: f32 = 56.0;
    /// Height of the scale bar with some room.
    const SCALE: f32 = 40.0;
    const PARAMS: f32 = 280.0;
    const GAP: f32 = 10.0;

    /// Lays out a window. `agent` is the height of the selected agent's panel, `params` the params, if they are shown.
    pub(super) fn new(
        size: (u32, u32),
        agent: Option<f32>,
        params: Option<ParamRows>,
        has_margins: bool,
    ) -> Self {
        let (width, height) = (size.0 as f32, size.1 as f32);
        let more = if has_margins { Self::MARGINS } else { 0.0 };
        let top = math::max(height - Self::STRIP - more, 0.0);
        let strip = Area::new(0.0, top, width, Self::STRIP + more);
        let (left, right) = (160.0, 156.0);
        let free = math::max(width - left - right, 1.0);
        let time = Area::new(left, top + more + 6.0, free, 34.0);
        let margins = has_margins.then(|| Area::new(left, top + 6.0, free, Self::MARGINS - 6.0));
        let panel = math::min(explain_text::WIDTH, width);
        let has_agent = agent.is_some();
        let agent = agent.map(|height| {
            let height = math::max(math::min(height, top - 2.0 * Self::GAP), 0.0);
            Area::new(width - panel - Self::GAP, Self::GAP, panel, height)
        });
        let room = top - 2.0 * Self::GAP - Self::SCALE - Self::HEAD - Self::FOOT;
        let most = math::max(room / Self::ROW, 1.0) as usize;
        let count = params.map_or(0, |knobs| knobs.count);
        let rows = count.min(most);
        // With too many params, show the selected one and those above it.
        let first = params.map_or(0, |knobs| (knobs.tuned.min(count) + 1).saturating_sub(rows));
        let params = params.map(|_| {
            let height = Self::HEAD + rows.max(1) as f32 * Self::ROW + Self::FOOT;
            let wide = math::min(Self::PARAMS, width);
            let above = top - Self::GAP - Self::SCALE - height;
            Area::new(Self::GAP, math::max(above, Self::GAP), wide, height)
        });
        let taken = if has_agent { panel + Self::GAP } else { 0.0 };
        // With little room beside the panel, the world uses the whole width, behind the panel.
        let free = if width - taken >= 400.0 { width - taken } else { width };
        Self {
            world: (math::max(free, 1.0) as u32, math::max(top, 1.0) as u32),
            strip,
            time,
            margins,
            agent,
            params,
            rows: first..first + rows,
            error: None,
            help: None,
        }
    }

    /// Returns the uppermost panel at a place, if there is one.
    pub(super) fn panel_at(&self, at: Vec2) -> Option<PanelKind> {
        let all = [
            (self.help, PanelKind::Help),
            (self.error, PanelKind::Error),
            (self.agent, PanelKind::Agent),
            (self.params, PanelKind::Params),
            (Some(self.strip), PanelKind::Strip),
        ];
        let mut here =
            all.into_iter().filter(|(area, _)| area.is_some_and(|area| area.contains(at)));
        here.next().map(|(_, panel)| panel)
    }

    /// Returns whether the time bar is at a place.
    pub(super) fn is_time(&self, at: Vec2) -> bool {
        self.panel_at(at) == Some(PanelKind::Strip) && self.time.contains(at)
    }

    /// Returns the x coordinate at which the selected agent's panel begins; without one, the width of the window.
    pub(super) fn left(&self, size: (u32, u32)) -> f32 {
        self.agent.map_or(size.0 as f32, |area| area.min.x)
    }

    /// Returns the index of the param at a place, if there is one.
    pub(super) fn param_at(&self, at: Vec2) -> Option<usize> {
        let area = self.params?;
        if self.panel_at(at) != Some(PanelKind::Params) {
            return None;
        }
        let below = at.y - area.min.y - Self::HEAD;
        let row = (below / Self::ROW).floor();
        (row >= 0.0 && (row as usize) < self.rows.len()).then(|| self.rows.start + row as usize)
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
