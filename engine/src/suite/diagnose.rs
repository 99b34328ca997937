//! Finds out why a run differs from its golden: the first tick, the agent, the field and the primitive.
//!
//! Continues the run from the keyframe before the difference. Beside it runs the scenario with the old scripts that the
//! golden was written from, if they are available. Then both runs explain their forces.

use std::sync::Arc;

use super::branch::ExplainedTurn;
use super::case::{Case, Comparison, ComparisonDetails, TestFiles};
#[cfg(feature = "git")]
use super::old_files;
use super::places::{first_change, turn_line};
use super::{Branch, CallPairs, PlaceMap, RecordingLibrary};
use crate::diag::{Diagnostic, Diagnostics, Place, Source};
use crate::golden::{
    Difference, FarthestAgent, Fingerprint, GoldenBody, Mode, Track, TrackComparison, Window,
};
use crate::runner::{Options, Run, ScenarioChange, scenario_changes};
use crate::script::Library;
use crate::sim::Simulation;
use crate::trace::state_hash;
use crate::world::AgentId;

/// The diagnosis of a difference.
#[derive(Debug)]
#[non_exhaustive]
pub struct Diagnosis {
    /// The first tick that differs. In the mode `Windows`, the first one in a window that exceeds the tolerance.
    pub tick: u64,
    /// The first tick of the whole run that differs.
    pub whole_run_tick: u64,
    /// The tick at which the run begins.
    pub start: u64,
    /// Seconds per tick.
    pub dt: f32,
    /// The tick of the keyframe from which the runs were continued.
    pub from: u64,
    /// The run that it was compared with.
    pub old: OldRun,
    /// A tick and the difference at it: at `tick` if the old run is known, otherwise at the next keyframe.
    pub difference: (u64, Difference),
    /// The agent that differs most. The rest of the diagnosis is about it.
    pub agent: Option<AgentId>,
    /// Its group.
    pub group: String,
    /// The tick whose decision is explained: `tick`, or that of `difference` if the agent that differs first is not known.
    pub explained: u64,
    /// The state of a machine, other choice or condition that the decision differs by first. `None` if its calls differ first.
    pub branch: Option<Branch>,
    /// The place in the current files that the cause is about: the branch or the call that tells most, otherwise the first line
    /// that differs from the old files. If the old run is not known, the line where the turn begins in the first script that has changed;
    /// `None` if no script has.
    pub place: Option<Place>,
    /// That the agent decides on nothing in one of the runs, and why, if so.
    pub absence: Option<String>,
    /// The calls of primitives in the agent's decision before `explained`, in the old run and in the new run.
    pub calls: CallPairs,
    /// The changes in the scenario, most relevant first. Empty if the old run is not known.
    pub scenario: Vec<ScenarioChange>,
    /// Whether other scripts were read than by the old run. True if the old run is not known.
    pub scripts_changed: bool,
    /// The largest distance of an agent from its expected position in world units, at each keyframe or at the end of each
    /// window, with the tick.
    pub deviation: Vec<(u64, f32)>,
    /// The largest of these distances, with its tick and agent.
    pub farthest: Option<(u64, FarthestAgent)>,
    /// Whether `deviation` is about windows.
    pub has_windows: bool,
}

/// The old run to compare with, if it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OldRun {
    /// The run of the files of this revision.
    Known(String),
    /// There is no old run; the string says why and what would help.
    Unknown(String),
    /// The files of this revision do not reproduce the golden either, so Flockwork itself or the machine computes
    /// differently.
    Mismatch(String),
}

/// The files that a golden was written from.
pub struct OldFiles {
    revision: String,
    pub(super) source: Arc<Source>,
    pub(super) scripts: Box<dyn Library + Send + Sync>,
}

impl OldFiles {
    /// Returns old files from any source, with the name of their revision for messages.
    pub fn new(
        revision: &str,
        source: Arc<Source>,
        scripts: impl Library + Send + Sync + 'static,
    ) -> Self {
        Self { revision: revision.to_owned(), source, scripts: Box::new(scripts) }
    }

    /// Returns the files, to run them.
    pub fn files(&self) -> TestFiles<'_> {
        TestFiles { source: &self.source, scripts: &*self.scripts }
    }
}

/// The place in a golden at which a difference is examined.
struct Spot<'t> {
    track: &'t Track,
    keyframe: usize,
    tick: u64,
}

/// Looks for the cause of a difference. Returns `None` if the run does not differ, or if it is compared by bands.
///
/// # Errors
///
/// If the current files cannot be run up to the difference.
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
    let scripts = RecordingLibrary::new(files.scripts);
    let run = Run::new(files.source, &scripts, &Options::default())?;
    let Some(spot) = spot(track, followed, windows, &run.terms().mode) else {
        return Ok(None);
    };
    let mut runs = RunPair::before(case, &run, &spot, old)?;
    let start = run.first_tick();
    let (known, mut new) = (runs.old.clone(), runs.new.clone());
    let (before_keyframe, difference) = runs.difference(&spot, start)?;
    let agent = most_different(&difference.1);
    let mut explained = spot.tick;
    // If several agents differ at the next keyframe, the one that differs most there may not be the one that differed first.
    if runs.old.is_none() && difference.1.agents > 1 {
        (explained, new) = (difference.0, before_keyframe);
    }
    let explain = |run: &ResumedRun| -> ExplainedTurn {
        // A difference at the start does not come from a decision.
        let Some(id) = agent.filter(|_| spot.tick > start) else {
            return ExplainedTurn::default();
        };
        ExplainedTurn::next(&run.0, id)
    };
    let known = known.filter(|_| runs.old.is_some());
    let old_scripts = old.map(|old| RecordingLibrary::new(&*old.scripts));
    let old_texts = old.zip(old_scripts.as_ref()).filter(|_| runs.old.is_some());
    let old_texts = old_texts.map(|(old, scripts)| (&old.source, scripts));
    let group = agent.and_then(|id| new.group_name(id));
    let scenario = match old_texts {
        Some((source, scripts)) => {
            let old = Run::new(source, scripts, &Options::default())?;
            relevant_changes(&old, &run, group.as_deref())
        }
        None => Vec::new(),
    };
    let scripts_changed = runs.old.is_none()
        || old_scripts.as_ref().is_none_or(|old| old.fingerprints() != scripts.fingerprints());
    let (old_turn, new_turn) = (known.as_ref().map(explain).unwrap_or_default(), explain(&new));
    let places =
        old_scripts.as_ref().map(|old| PlaceMap::between(old, &scripts)).unwrap_or_default();
    let calls = CallPairs::between(old_turn.explanation(), new_turn.explanation(), &places);
    let branch = Branch::between(&old_turn, &new_turn, &places)
        .filter(|branch| !calls.differs_before(branch, &new_turn));
    let of_branch = branch.as_ref().and_then(|branch| branch.place.clone());
    let of_call = || calls.most_telling()?.new.as_ref()?.place.clone();
    let of_text = || first_changed_line(old_texts?, (files.source, &scripts));
    let changed = |(name, source): (&String, &Arc<Source>)| {
        let known = golden.header.scripts.iter().find(|known| known.name == *name)?;
        (known.hash != Fingerprint::of(name, &source.text).hash).then(|| turn_line(source))?
    };
    let of_script = || {
        let is_known = matches!(runs.state, OldRun::Known(_));
        scripts.scripts().iter().filter(|_| !is_known).find_map(changed)
    };
    let place = of_branch.or_else(of_call).or_else(of_text).or_else(of_script);
    let off = differences(followed, windows);
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
        explained,
        place,
        absence: absence(old_turn.absence, new_turn.absence),
        branch,
        calls,
        scenario,
        scripts_changed,
        deviation: off.iter().map(|(tick, one)| (*tick, one.distance())).collect(),
        farthest: farthest.reduce(|a, b| if b.1.by > a.1.by { b } else { a }),
        has_windows: !windows.is_empty(),
        difference,
    }))
}

/// Returns the changes in the scenario, those of other groups last.
fn relevant_changes(old: &Run, new: &Run, group: Option<&str>) -> Vec<ScenarioChange> {
    let mut changes = scenario_changes(old, new);
    changes.sort_by_key(|change| change.group.as_deref().zip(group).is_some_and(|(a, b)| a != b));
    changes
}

/// Returns the first line that differs in the scripts of two runs, otherwise in their scenarios.
fn first_changed_line(
    (old_source, old_scripts): (&Arc<Source>, &RecordingLibrary<'_>),
    (source, scripts): (&Arc<Source>, &RecordingLibrary<'_>),
) -> Option<Place> {
    let (before, now) = (old_scripts.scripts(), scripts.scripts());
    let changed = |(name, new): (&String, &Arc<Source>)| first_change(before.get(name)?, new);
    now.iter().find_map(changed).or_else(|| first_change(old_source, source))
}

/// Returns that an agent decides on nothing in one of the runs, and why.
fn absence(old: Option<&str>, new: Option<&str>) -> Option<String> {
    match (old, new) {
        (Some(old), Some(new)) if old == new => Some(format!("in both runs, {new}")),
        (_, Some(why)) => Some(format!("in the new run, {why}")),
        (Some(why), None) => Some(format!("in the old run, {why}")),
        (None, None) => None,
    }
}

/// Returns the differences at the keyframes or at the ends of the windows, each with its tick.
fn differences<'d>(
    followed: &'d TrackComparison,
    windows: &'d [Window],
) -> Vec<(u64, &'d Difference)> {
    if windows.is_empty() {
        followed.differences.iter().map(|(tick, difference)| (*tick, difference)).collect()
    } else {
        windows.iter().map(|one| (one.to, &one.difference)).collect()
    }
}

/// The two runs that are compared, continued from a keyframe of the golden.
struct RunPair {
    new: ResumedRun,
    /// The run of the old files, as long as it reproduces the golden.
    old: Option<ResumedRun>,
    state: OldRun,
}

impl RunPair {
    /// Continues both runs up to the tick before the difference.
    fn before(
        case: &Case,
        run: &Run,
        spot: &Spot<'_>,
        old: Option<&OldFiles>,
    ) -> Result<Self, Diagnostics> {
        let tick = spot.tick.saturating_sub(1).max(run.first_tick());
        let mut new = ResumedRun::new(run, spot)?;
        new.go_to(tick)?;
        let Some(old) = old else {
            #[cfg(feature = "git")]
            let why = old_files::unknown_help(case);
            #[cfg(not(feature = "git"))]
            let why = {
                let _ = case;
                "the files that the golden was written with are not there".to_owned()
            };
            return Ok(Self { new, old: None, state: OldRun::Unknown(why) });
        };
        let (revision, files) = (old.revision.clone(), old.files());
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

    /// Steps the runs to the tick of the difference and compares them. If the old run is not known, steps to the next
    /// keyframe and compares with it. Returns the new run one tick before, and the difference with its tick.
    fn difference(
        &mut self,
        spot: &Spot<'_>,
        start: u64,
    ) -> Result<(ResumedRun, (u64, Difference)), Diagnostics> {
        let before = self.new.clone();
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
            let difference = Difference::between(&space, &old.0, &self.new.0);
            return Ok((before, (spot.tick, difference)));
        }
        // Between keyframes a golden has only hashes.
        let keyframes = &spot.track.keyframes;
        let next = (spot.keyframe + 1).min(keyframes.len() - 1);
        let keyframe = &keyframes[if spot.tick == start { spot.keyframe } else { next }];
        self.new.go_to(keyframe.tick.saturating_sub(1))?;
        let before = if keyframe.tick > spot.tick { self.new.clone() } else { before };
        self.new.go_to(keyframe.tick)?;
        Ok((before, (keyframe.tick, Difference::between(&space, keyframe, &self.new.0))))
    }
}

/// Returns the place to examine: the first tick that differs. In the mode `Windows`, the first one in a window that
/// exceeds the tolerance.
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

/// Returns the agent that differs most. Velocity counts first, since a decision changes the velocity first.
fn most_different(difference: &Difference) -> Option<AgentId> {
    let first = difference.first.as_ref().map(|first| first.id);
    let largest = difference.velocity.or(difference.position).map(|largest| largest.id);
    let gone = difference.missing.first().or(difference.surplus.first()).copied();
    largest.or(first).or(gone)
}

/// A run that continues from a keyframe.
#[derive(Clone)]
struct ResumedRun(Simulation);

impl ResumedRun {
    fn new(run: &Run, spot: &Spot<'_>) -> Result<Self, Diagnostics> {
        let mut simulation = run.simulation().clone();
        simulation.note_news();
        let keyframe = &spot.track.keyframes[spot.keyframe];
        // The start of the run is not restored: it may be what differs.
        if keyframe.tick > run.first_tick() {
            let start = simulation.state();
            if keyframe.made.len() != start.groups.len() {
                let others = "the scenario has other groups than the golden";
                return Err(Diagnostic::error(others).into());
            }
            simulation.restore(keyframe.state(&start));
        }
        Ok(Self(simulation))
    }

    /// Returns the name of the group of an agent; `None` if the agent does not exist.
    fn group_name(&self, id: AgentId) -> Option<String> {
        let world = self.0.world();
        let row = world.agents.row(id)?;
        Some(world.agent(row).group().name.to_string())
    }

    fn go_to(&mut self, tick: u64) -> Result<(), Diagnostics> {
        while self.0.world().tick < tick {
            self.0.step()?;
        }
        Ok(())
    }

    /// Returns true if the state has the golden's hash at a tick.
    fn follows(&self, track: &Track, tick: u64) -> bool {
        let hash = state_hash(self.0.world(), self.0.minds());
        track.hash(tick) == Some(crate::golden::short_hash(hash))
    }
}
