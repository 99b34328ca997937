//! The changes that the person made by hand, and which of them can be undone or redone.

use std::sync::Arc;
use std::time::{Duration, Instant};

use flockwork_engine::live::COUNT;
use flockwork_engine::scenario::SceneEdit;
use flockwork_engine::sim::Action;
use flockwork_engine::world::{Goal, Value};

/// Changes of the same param within this time are undone together.
const SAME_CHANGE: Duration = Duration::from_millis(800);
/// Maximum number of changes that can be undone.
const MAX_CHANGES: usize = 200;

/// A change that was made by hand. Groups have names, since a reload may renumber them.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum HandMade {
    Param {
        group: String,
        param: String,
        before: Value,
        after: Value,
    },
    Goals(Vec<GroupGoals>),
    Push(Action),
    /// An edit of the scene in the scenario file.
    Scene(SceneEdit),
    /// Another random run.
    Seed {
        before: u64,
        after: u64,
    },
    /// What was written to the scenario file.
    Written {
        /// Params: the names of their groups and their own.
        names: Vec<(String, String)>,
        has_seed: bool,
    },
}

/// The goals that a group got.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct GroupGoals {
    pub(super) group: String,
    pub(super) goals: Arc<[Goal]>,
}

/// Something that was done by hand, at a tick.
pub(super) struct Change {
    pub(super) tick: u64,
    made_at: Instant,
    /// Whether the run began again with it. Then it is no longer something that happened at a tick.
    pub(super) is_of_run: bool,
    pub(super) what: HandMade,
}

/// The changes that can be undone, and those that were undone, the latest last.
#[derive(Default)]
pub(super) struct Changes {
    pub(super) done: Vec<Change>,
    pub(super) undone: Vec<Change>,
}

impl Changes {
    /// Adds something that was done by hand at a tick. Changes of the same param soon after each other become one.
    pub(super) fn add(&mut self, tick: u64, what: HandMade) {
        let now = Instant::now();
        if let (Some(last), HandMade::Param { group, param, after, .. }) =
            (self.done.last_mut(), &what)
            && let HandMade::Param { group: of, param: same, after: latest, .. } = &mut last.what
            && (&*of, &*same) == (group, param)
            && now.duration_since(last.made_at) < SAME_CHANGE
            && (!last.is_of_run || param == COUNT)
        {
            // It began at the tick of the first one.
            *latest = after.clone();
            last.made_at = now;
            return;
        }
        let is_of_run = matches!(&what, HandMade::Param { param, .. } if param == COUNT);
        self.done.push(Change { tick, made_at: now, is_of_run, what });
        if self.done.len() > MAX_CHANGES {
            self.done.remove(0);
        }
    }

    /// Notes that the run has begun again with all params.
    pub(super) fn begin_run(&mut self) {
        for change in &mut self.done {
            change.is_of_run |= matches!(change.what, HandMade::Param { .. });
        }
    }

    /// Returns whether there is something to undo.
    pub(super) fn can_undo(&self) -> bool {
        !self.done.is_empty()
    }

    /// Returns whether there is something to redo.
    pub(super) fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }

    /// Adjusts to the ticks after one being dropped. Goals and pushes that were made there have gone. Params and edits of
    /// files hold from that tick on.
    pub(super) fn keep_until(&mut self, tick: u64) {
        let is_kept = |change: &Change| {
            change.tick <= tick || !matches!(change.what, HandMade::Goals(_) | HandMade::Push(_))
        };
        self.done.retain(is_kept);
        for change in &mut self.done {
            change.tick = change.tick.min(tick);
        }
    }
}
