//! Following a run with its golden beside it.

use super::difference::Difference;
use super::{Track, short_hash};
use crate::sim::{AgentError, Simulation, State};
use crate::trace::state_hash;

/// Goes along with a run, tick by tick.
#[derive(Debug)]
pub struct Follower<'t> {
    track: &'t Track,
    next: usize,
    followed: TrackComparison,
}

/// What was found on the way.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TrackComparison {
    /// The first tick that is not the same to the bit.
    pub first: Option<u64>,
    /// What differs at the keyframes from then on.
    pub differences: Vec<(u64, Difference)>,
}

impl<'t> Follower<'t> {
    /// Goes along with a run that is to do what a track says.
    pub fn new(track: &'t Track) -> Self {
        Self { track, next: 0, followed: TrackComparison::default() }
    }

    /// Looks at the run after its next tick, from its first on. Beyond the end of the golden it looks away.
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

    /// The first tick so far that is not the same to the bit.
    pub fn first(&self) -> Option<u64> {
        self.followed.first
    }

    /// What was found.
    pub fn finish(self) -> TrackComparison {
        self.followed
    }
}

/// A run from one keyframe of a golden to the next.
#[derive(Clone, Debug, PartialEq)]
pub struct Window {
    /// The tick of the keyframe it began at.
    pub from: u64,
    /// The tick of the keyframe it was to come to.
    pub to: u64,
    /// The first tick that is not the same to the bit.
    pub first: Option<u64>,
    /// What differs at the end.
    pub difference: Difference,
}

impl Track {
    /// How many windows there are: one for each keyframe but the last.
    pub fn windows(&self) -> usize {
        self.keyframes.len().saturating_sub(1)
    }

    /// The place of the last keyframe that is not after a tick.
    pub fn last_keyframe_at(&self, tick: u64) -> usize {
        self.keyframes.partition_point(|one| one.tick <= tick).saturating_sub(1)
    }
}

/// Runs a window: takes a run of the same groups and paths up from a keyframe and follows it to the next.
/// `start` is the state in which the run begins, and with it the first window: else nobody would notice
/// that it begins otherwise. `step` does a tick.
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
