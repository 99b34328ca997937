//! Why a run is not what it was: the first tick, whom, in what, and which primitive's answer.
//!
//! Takes the run up from the keyframe before the difference, and beside it, where they can be had, the
//! scenario and the scripts with which the golden was written; then both are asked for an explanation.

use std::sync::Arc;

use super::CallPairs;
use super::case::{Case, Comparison, ComparisonDetails, TestFiles};
#[cfg(feature = "git")]
use super::old_files;
use crate::diag::{Diagnostic, Diagnostics, Source};
use crate::golden::{Difference, FarthestAgent, GoldenBody, Mode, Track, TrackComparison, Window};
use crate::runner::{Options, Run};
use crate::script::Library;
use crate::sim::{Explanation, Simulation};
use crate::trace::state_hash;

/// What is known of a difference.
#[derive(Debug)]
#[non_exhaustive]
pub struct Diagnosis {
    /// The first tick that is not the same, in the window that is farther off than may be, if windows
    /// count.
    pub tick: u64,
    /// The first tick of the whole run that is not the same.
    pub whole_run_tick: u64,
    /// The tick at which the run begins.
    pub start: u64,
    /// Seconds per tick.
    pub dt: f32,
    /// The keyframe that the run was taken up from.
    pub from: u64,
    /// What it was compared with.
    pub old: OldRun,
    /// What differs at that tick, where the old run is known; else at the next keyframe, and when.
    pub difference: (u64, Difference),
    /// The agent that is looked at: the one that differs most.
    pub agent: Option<u32>,
    /// Its group.
    pub group: String,
    /// What its primitives answered in the tick before, in the old run and in the new one.
    pub calls: CallPairs,
    /// By how much the farthest agent is off: at each keyframe, or at the end of each window.
    pub deviation: Vec<(u64, f32)>,
    /// The farthest of all.
    pub farthest: Option<(u64, FarthestAgent)>,
    /// Whether the deviation is one of windows.
    pub has_windows: bool,
}

/// Whether there is an old run to compare with.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OldRun {
    /// That of a revision.
    Known(String),
    /// There is none; what would help.
    Unknown(String),
    /// The old texts do not give the golden either: what has changed is Flockwork, or the machine.
    Mismatch(String),
}

/// The texts of a golden, as they were.
pub struct OldFiles {
    revision: String,
    pub(super) source: Arc<Source>,
    pub(super) scripts: Box<dyn Library + Send + Sync>,
}

impl OldFiles {
    /// Texts from anywhere, and what to call them.
    pub fn new(
        revision: &str,
        source: Arc<Source>,
        scripts: impl Library + Send + Sync + 'static,
    ) -> Self {
        Self { revision: revision.to_owned(), source, scripts: Box::new(scripts) }
    }

    /// To run them.
    pub fn files(&self) -> TestFiles<'_> {
        TestFiles { source: &self.source, scripts: &*self.scripts }
    }
}

/// Where in a golden a difference is looked at.
struct Spot<'t> {
    track: &'t Track,
    keyframe: usize,
    tick: u64,
}

/// Looks for the cause of a difference. None where there is nothing to look into: the run compares well,
/// or by bands.
///
/// # Errors
///
/// What keeps the run from being taken up again.
pub fn diagnose(
    case: &Case,
    comparison: &Comparison,
    old: Option<&OldFiles>,
) -> Result<Option<Diagnosis>, Diagnostics> {
    let Ok(Some(golden)) = &case.golden else {
        return Ok(None);
    };
    let (GoldenBody::Track(track), ComparisonDetails::Track(followed, windows)) =
        (&golden.body, &comparison.details)
    else {
        return Ok(None);
    };
    let files = case.files()?;
    let run = Run::new(files.source, files.scripts, &Options::default())?;
    let Some(spot) = spot(track, followed, windows, &run.terms().mode) else {
        return Ok(None);
    };
    let mut runs = RunPair::before(case, &run, &spot, old)?;
    let start = run.first_tick();
    let (known, new) = (runs.old.clone(), runs.new.clone());
    let difference = runs.difference(&spot, start)?;
    let agent = most_different(&difference.1);
    let explain = |run: &ResumedRun| -> Option<Explanation> {
        // Nobody has decided yet on what differs at the start.
        let id = agent.filter(|_| spot.tick > start)?;
        run.0.explain(id).ok().flatten()
    };
    let known = known.filter(|_| runs.old.is_some());
    let calls = CallPairs::between(known.as_ref().and_then(explain), explain(&new));
    let group = agent.and_then(|id| {
        let world = new.0.world();
        let row = world.agents.row(id)?;
        Some(world.agent(row).group().name.to_string())
    });
    let off: Vec<(u64, &Difference)> = if windows.is_empty() {
        followed.differences.iter().map(|(tick, difference)| (*tick, difference)).collect()
    } else {
        windows.iter().map(|one| (one.to, &one.difference)).collect()
    };
    let farthest = off.iter().filter_map(|(tick, one)| Some((*tick, one.position?)));
    Ok(Some(Diagnosis {
        tick: spot.tick,
        whole_run_tick: followed.first.unwrap_or(spot.tick),
        start,
        dt: run.dt(),
        from: track.keyframes[spot.keyframe].tick,
        old: runs.state,
        agent,
        group: group.unwrap_or_default(),
        calls,
        deviation: off.iter().map(|(tick, one)| (*tick, one.distance())).collect(),
        farthest: farthest.reduce(|a, b| if b.1.by > a.1.by { b } else { a }),
        has_windows: !windows.is_empty(),
        difference,
    }))
}

/// The runs that are compared, taken up from a keyframe of the golden.
struct RunPair {
    new: ResumedRun,
    /// The run of the old texts, as long as it gives the golden.
    old: Option<ResumedRun>,
    state: OldRun,
}

impl RunPair {
    /// Both at the tick before the one that is looked at.
    fn before(
        case: &Case,
        run: &Run,
        spot: &Spot<'_>,
        old: Option<&OldFiles>,
    ) -> Result<Self, Diagnostics> {
        let tick = spot.tick.saturating_sub(1).max(run.first_tick());
        let mut new = ResumedRun::new(run, spot)?;
        new.go_to(tick)?;
        let Some(texts) = old else {
            #[cfg(feature = "git")]
            let why = old_files::unknown_help(case);
            #[cfg(not(feature = "git"))]
            let why = {
                let _ = case;
                "without the feature `git` the old texts have to be given".to_owned()
            };
            return Ok(Self { new, old: None, state: OldRun::Unknown(why) });
        };
        let (revision, files) = (texts.revision.clone(), texts.files());
        let resumed = Run::new(files.source, files.scripts, &Options::default())
            .and_then(|run| ResumedRun::new(&run, spot))
            .and_then(|mut old| old.go_to(tick).map(|()| old));
        Ok(match resumed {
            Ok(old) if old.follows(spot.track, tick) => {
                Self { new, old: Some(old), state: OldRun::Known(revision) }
            }
            _ => Self { new, old: None, state: OldRun::Mismatch(revision) },
        })
    }

    /// How they differ after the tick that is looked at, or, where the old one is not known, after the next keyframe.
    fn difference(
        &mut self,
        spot: &Spot<'_>,
        start: u64,
    ) -> Result<(u64, Difference), Diagnostics> {
        self.new.go_to(spot.tick)?;
        let follows = |old: &mut ResumedRun| {
            old.go_to(spot.tick).is_ok() && old.follows(spot.track, spot.tick)
        };
        if self.old.as_mut().is_some_and(|old| !follows(old)) {
            self.old = None;
            if let OldRun::Known(revision) = &self.state {
                self.state = OldRun::Mismatch(revision.clone());
            }
        }
        let space = self.new.0.world().space;
        if let Some(old) = &self.old {
            return Ok((spot.tick, Difference::between(&space, &old.0, &self.new.0)));
        }
        // The golden has the whole state only at the next keyframe.
        let keyframes = &spot.track.keyframes;
        let next = (spot.keyframe + 1).min(keyframes.len() - 1);
        let keyframe = &keyframes[if spot.tick == start { spot.keyframe } else { next }];
        self.new.go_to(keyframe.tick)?;
        Ok((keyframe.tick, Difference::between(&space, keyframe, &self.new.0)))
    }
}

/// Where to look: at the first tick that differs, and in a window that may not, if windows count.
fn spot<'t>(
    track: &'t Track,
    followed: &TrackComparison,
    windows: &[Window],
    mode: &Mode,
) -> Option<Spot<'t>> {
    let mut tick = followed.first?;
    let mut keyframe = track.last_keyframe_at(tick.saturating_sub(1));
    if let Mode::Windows(tolerance) = mode
        && let Some(window) = windows.iter().find(|one| one.difference.exceeds(*tolerance))
    {
        tick = window.first?;
        keyframe = track.last_keyframe_at(window.from);
    }
    Some(Spot { track, keyframe, tick }).filter(|spot| !spot.track.keyframes.is_empty())
}

/// Who is farthest off, in velocity since that is what a decision changes first.
fn most_different(difference: &Difference) -> Option<u32> {
    let first = difference.first.as_ref().map(|first| first.id);
    let largest = difference.velocity.or(difference.position).map(|largest| largest.id);
    let gone = difference.missing.first().or(difference.surplus.first()).copied();
    largest.or(first).or(gone)
}

/// A run taken up from a keyframe.
#[derive(Clone)]
struct ResumedRun(Simulation);

impl ResumedRun {
    fn new(run: &Run, spot: &Spot<'_>) -> Result<Self, Diagnostics> {
        let mut simulation = run.simulation().clone();
        let keyframe = &spot.track.keyframes[spot.keyframe];
        // The start is the run's own, and what differs in it.
        if keyframe.tick > run.first_tick() {
            let start = simulation.state();
            if keyframe.made.len() != start.groups.len() {
                let others = "the groups are others than in the golden";
                return Err(Diagnostic::error(others).into());
            }
            simulation.restore(keyframe.state(&start));
        }
        Ok(Self(simulation))
    }

    fn go_to(&mut self, tick: u64) -> Result<(), Diagnostics> {
        while self.0.world().tick < tick {
            self.0.step()?;
        }
        Ok(())
    }

    /// Whether it is where the golden is.
    fn follows(&self, track: &Track, tick: u64) -> bool {
        let hash = state_hash(self.0.world(), self.0.minds());
        track.hash(tick) == Some(crate::golden::short_hash(hash))
    }
}
