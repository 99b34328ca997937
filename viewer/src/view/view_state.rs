//! What the player shows: one moment, and what is to be known about it.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use flockwork_engine::Diagnostic;
use flockwork_engine::live::{TrackRow, Tracks};
use flockwork_engine::math::Vec2;
use flockwork_engine::sim::{Message, NextTurn};
use flockwork_engine::world::{Values, World};

/// One moment of a run.
#[derive(Clone)]
pub(crate) struct ViewState {
    /// What the scenario is called.
    pub name: String,
    pub world: Arc<World>,
    /// The earliest tick there is a way back to.
    pub first_tick: u64,
    /// The last tick there has been.
    pub last_tick: u64,
    /// How many ticks the scenario lasts.
    pub scenario_ticks: u64,
    /// Where texts were edited.
    pub edits: Vec<u64>,
    pub is_playing: bool,
    /// Where it is going, if it is on its way to a tick.
    pub target: Option<u64>,
    /// As a power of 2.
    pub speed: i32,
    /// The share of that speed that time reaches, where it cannot keep up.
    pub reached_share: Option<f64>,
    /// The hash of the state, while it pauses.
    pub hash: Option<u64>,
    /// Everything about the agent that is selected.
    pub account: Option<Arc<NextTurn>>,
    /// The params of each group, with what has been done to them since the last tick.
    pub params: Vec<Values>,
    /// The force that each agent decides on, by its id, if that is wanted.
    pub forces: Vec<(u32, Vec2)>,
    /// The forces that the selected agent would decide on at places, if that is wanted.
    pub field: Vec<(Vec2, Vec2)>,
    /// The last places of everyone, the newest last.
    pub trail: Vec<Arc<TrackRow>>,
    /// Everyone's places since the ghost parted.
    pub own_track: Vec<Arc<TrackRow>>,
    pub ghost: Option<Arc<Tracks>>,
    /// Why the newest texts do not run.
    pub errors: Arc<[Diagnostic]>,
    /// Whether there is nothing that could go on in their place.
    pub is_stuck: bool,
    /// What there is to say, the newest last, with when it was said.
    pub notices: Vec<Notice>,
    /// What scripts have said last.
    pub messages: Vec<Message>,
}

/// A few words about what has just been done.
#[derive(Clone, Debug)]
pub(crate) struct Notice {
    pub text: String,
    pub at: Instant,
    /// Whether something could not be done.
    pub is_failure: bool,
}

impl Notice {
    /// It is shown so long.
    pub(crate) const DURATION: Duration = Duration::from_secs(5);
}

/// What may take long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// A tick.
    Tick,
    /// Reading the texts, and trying them.
    Reload,
    /// Finding out why agents do what they do.
    Explain,
    /// Writing a file, and testing it.
    Save,
}

/// What the player and the screen both see.
pub(crate) struct SharedView {
    state: Mutex<Arc<ViewState>>,
    busy: Mutex<Option<(Task, Instant)>>,
}

impl SharedView {
    pub(crate) fn new(state: ViewState) -> Self {
        Self { state: Mutex::new(Arc::new(state)), busy: Mutex::new(None) }
    }

    /// What is shown now.
    pub(crate) fn latest(&self) -> Arc<ViewState> {
        Arc::clone(&self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn publish(&self, state: ViewState) {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(state);
    }

    /// What the player is at, and how long it has been.
    pub(crate) fn busy(&self) -> Option<(Task, Duration)> {
        let busy = *self.busy.lock().unwrap_or_else(PoisonError::into_inner);
        busy.map(|(work, since)| (work, since.elapsed()))
    }

    pub(super) fn set_busy(&self, work: Option<Task>) {
        *self.busy.lock().unwrap_or_else(PoisonError::into_inner) =
            work.map(|work| (work, Instant::now()));
    }
}
