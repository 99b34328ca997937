//! Compares a run with its golden, tick by tick.

use super::difference::Difference;
use super::{Track, short_hash};
use crate::sim::{AgentError, Simulation, State};
use crate::trace::state_hash;

/// Compares each tick of a run with a recorded track.
#[derive(Debug)]
pub struct Follower<'t> {
    track: &'t Track,
    next: usize,
    followed: TrackComparison,
}

/// The findings of a [`Follower`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TrackComparison {
    /// The first tick whose state is not identical to the bit.
    pub first: Option<u64>,
    /// The tick and the difference of each keyframe from then on.
    pub differences: Vec<(u64, Difference)>,
}

impl<'t> Follower<'t> {
    /// Returns a follower for a run that is expected to equal `track`.
    pub fn new(track: &'t Track) -> Self {
        Self { track, next: 0, followed: TrackComparison::default() }
    }

    /// Compares the run's current tick. Call it for every tick, beginning with the first. Ticks after the end of the golden
    /// are ignored.
    pub fn tick(&mut self, simulation: &Simulation) {
        let world = simulation.world();
        let tick = world.tick;
        let Some(golden) = self.track.hash(tick) else {
            return;
        };
        let is_same = golden == short_hash(state_hash(world, simulation.minds()));
        if !is_same && self.followed.first.is_none() {
            self.followed.first = Some(tick);
        }
        let keyframe = self.track.keyframes.get(self.next).filter(|one| one.tick == tick);
        if let Some(keyframe) = keyframe {
            self.next += 1;
            if self.followed.first.is_some() {
                let difference = Difference::between(&world.space, keyframe, simulation);
                self.followed.differences.push((tick, difference));
            }
        }
    }

    /// Returns the first tick so far whose state is not identical to the bit.
    pub fn first(&self) -> Option<u64> {
        self.followed.first
    }

    /// Returns what was found.
    pub fn finish(self) -> TrackComparison {
        self.followed
    }
}

/// The result of a run from one keyframe of a golden to the next.
#[derive(Clone, Debug, PartialEq)]
pub struct Window {
    /// The tick of the keyframe at which it began.
    pub from: u64,
    /// The tick of the keyframe at which it ended.
    pub to: u64,
    /// The first tick whose state is not identical to the bit.
    pub first: Option<u64>,
    /// The difference at the end.
    pub difference: Difference,
}

impl Track {
    /// Returns the number of windows: one for each keyframe except the last.
    pub fn windows(&self) -> usize {
        self.keyframes.len().saturating_sub(1)
    }

    /// Returns the index of the last keyframe at or before a tick.
    pub fn last_keyframe_at(&self, tick: u64) -> usize {
        self.keyframes.partition_point(|one| one.tick <= tick).saturating_sub(1)
    }
}

/// Runs a window: restores a run with the same groups and paths from a keyframe and compares it up to the next keyframe.
///
/// `start` is the state in which the current run begins. The first window begins from it instead of the keyframe, so
/// that a different start is noticed. `step` simulates one tick.
///
/// # Errors
///
/// If a tick fails.
pub fn compare_window(
    track: &Track,
    window: usize,
    start: &State,
    mut simulation: Simulation,
    mut step: impl FnMut(&mut Simulation) -> Result<(), AgentError>,
) -> Result<Window, AgentError> {
    let (from, to) = (&track.keyframes[window], &track.keyframes[window + 1]);
    simulation.restore(if from.tick == start.tick { start.clone() } else { from.state(start) });
    let mut first = None;
    for tick in from.tick + 1..=to.tick {
        step(&mut simulation)?;
        let hash = state_hash(simulation.world(), simulation.minds());
        if first.is_none() && track.hash(tick) != Some(short_hash(hash)) {
            first = Some(tick);
        }
    }
    let space = simulation.world().space;
    Ok(Window {
        from: from.tick,
        to: to.tick,
        first,
        difference: Difference::between(&space, to, &simulation),
    })
}
