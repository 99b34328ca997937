//! The content of the HTML report: for a test that failed, the expected and the actual run.

use std::collections::BTreeMap;
use std::path::Path;

use flockwork_engine::golden::{Difference, Golden, GoldenBody};
use flockwork_engine::suite::{OldFiles, OldRun, TestFiles, TestOutcome};
use flockwork_engine::{Diagnostic, Options, Run};

use super::{FinishedTest, report as text_report};
pub(super) use crate::report::check;
use crate::report::{
    self, AgentFrame, EntryOutcome, ReportEntry, ReportPage, RunComparison, RunFrames, StaticScene,
};

/// Largest number of agent positions that are kept of each run.
const MAX_POSITIONS: u64 = 200_000;

/// Writes the report into a folder. Returns the file names of its pictures by the names of the tests.
pub(super) fn write(
    folder: &Path,
    all: &[FinishedTest],
) -> Result<BTreeMap<String, String>, Diagnostic> {
    let entries = all.iter().map(|done| ReportEntry {
        name: done.name(),
        outcome: match done.outcome() {
            TestOutcome::Passed => EntryOutcome::Passed,
            TestOutcome::Untested => EntryOutcome::Untested,
            TestOutcome::Broken => EntryOutcome::Broken,
            TestOutcome::Failed => EntryOutcome::Failed,
        },
        seconds: done.wall.as_secs_f64(),
        cause: match done.outcome() {
            TestOutcome::Passed => String::new(),
            _ => text_report::reason(done),
        },
        diagnosis: text_report::details(done).trim().to_owned(),
        compared: compared(done),
    });
    let page = ReportPage { title: "Flockwork tests".to_owned(), entries: entries.collect() };
    report::write(folder, &page)
}

/// Returns both runs of a test that found a difference.
pub(super) fn compared(done: &FinishedTest) -> Option<RunComparison> {
    let diagnosis = done.diagnosis.as_ref()?;
    let golden = done.case.golden.as_ref().ok()?.as_ref()?;
    // The scenario runs again, up to the tick at which it failed.
    let new = start(done.case.files().ok()?)?;
    let old = done.old.as_ref().filter(|_| matches!(diagnosis.old, OldRun::Known(_)));
    let old = old.map(OldFiles::files).and_then(start);
    let world = new.simulation().world();
    let (scene, dt) = (StaticScene::new(world), new.dt());
    let until = golden.header.terms.until;
    let places = (world.agents.len() as u64).max(1) * (until - new.first_tick());
    let first = new.first_tick();
    let every = places.div_ceil(MAX_POSITIONS).max(1);
    let ends = [first, until, diagnosis.tick];
    let is_kept = |tick: u64| tick.is_multiple_of(every) || ends.contains(&tick);
    let runs = Runs { until, every, is_kept };
    let (expected, actual, deviation) = match old {
        Some(old) => runs.both(old, new),
        None => (keyframes(golden), runs.alone(new), diagnosis.deviation.clone()),
    };
    Some(RunComparison {
        scene,
        dt,
        expected,
        actual,
        first: diagnosis.agent,
        first_tick: Some(diagnosis.tick),
        deviation,
    })
}

fn start(files: TestFiles<'_>) -> Option<Run> {
    Run::new(files.source, files.scripts, &Options::default()).ok()
}

/// Returns the keyframes of a golden.
fn keyframes(golden: &Golden) -> RunFrames {
    let frames = match &golden.body {
        GoldenBody::Track(track) => track
            .keyframes
            .iter()
            .map(|keyframe| {
                let moved = keyframe.moving_obstacles.clone();
                let absent = keyframe.absent_obstacles.clone();
                AgentFrame::at(keyframe.tick, &keyframe.agents, absent, moved)
            })
            .collect(),
        GoldenBody::Bands(_) => Vec::new(),
    };
    RunFrames { exact: false, every: 1, frames }
}

/// Decides which ticks of runs are kept.
struct Runs<M> {
    until: u64,
    every: u64,
    is_kept: M,
}

impl<M: Fn(u64) -> bool> Runs<M> {
    fn nothing(&self) -> RunFrames {
        RunFrames { exact: true, every: self.every, frames: Vec::new() }
    }

    fn keep(&self, track: &mut RunFrames, run: &Run) {
        let world = run.simulation().world();
        if (self.is_kept)(world.tick) {
            let (absent, moved) = (world.absent_obstacles(), world.moving_obstacles());
            track.frames.push(AgentFrame::at(world.tick, &world.agents, absent, moved));
        }
    }

    /// Runs a scenario to the last tick, or until it fails.
    fn alone(&self, mut run: Run) -> RunFrames {
        let mut track = self.nothing();
        self.keep(&mut track, &run);
        while run.tick() < self.until {
            if run.step().is_err() {
                break;
            }
            self.keep(&mut track, &run);
        }
        track
    }

    /// Runs two versions side by side, and measures how far apart they are.
    fn both(&self, mut old: Run, mut new: Run) -> (RunFrames, RunFrames, Vec<(u64, f32)>) {
        let mut tracks = (self.nothing(), self.nothing());
        let mut apart = Vec::new();
        for tick in new.first_tick()..=self.until {
            let is_first = tick == new.first_tick();
            if !is_first && (old.step().is_err() || new.step().is_err()) {
                break;
            }
            self.keep(&mut tracks.0, &old);
            self.keep(&mut tracks.1, &new);
            if (self.is_kept)(tick) {
                let (old, new) = (old.simulation(), new.simulation());
                let difference = Difference::between(&new.world().space, old, new);
                apart.push((tick, difference.distance()));
            }
        }
        (tracks.0, tracks.1, apart)
    }
}
