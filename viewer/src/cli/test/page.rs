//! What the report shows of tests: for those that failed, the run that was and the run that is.

use std::path::Path;

use flockwork_engine::golden::{Difference, Golden, GoldenBody};
use flockwork_engine::suite::{OldFiles, OldRun, TestFiles, TestOutcome};
use flockwork_engine::{Diagnostic, Options, Run};

use super::{Done, report as told};
pub(super) use crate::report::check;
use crate::report::{
    self, AgentFrame, EntryOutcome, ReportEntry, ReportPage, RunComparison, RunFrames, StaticScene,
};

/// So many places of agents are kept of each run, however long it is.
const MOST_PLACES: u64 = 200_000;

/// Writes the report of tests into a folder.
pub(super) fn write(folder: &Path, all: &[Done]) -> Result<(), Diagnostic> {
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
            _ => told::reason(done),
        },
        diagnosis: told::details(done).trim().to_owned(),
        compared: compared(done),
    });
    let page = ReportPage { title: "Flockwork tests".to_owned(), entries: entries.collect() };
    report::write(folder, &page)
}

/// Both runs of a test that found a difference.
fn compared(done: &Done) -> Option<RunComparison> {
    let diagnosis = done.diagnosis.as_ref()?;
    let golden = done.case.golden.as_ref().ok()?.as_ref()?;
    // What has run before runs again, up to where it failed.
    let new = start(done.case.files().ok()?)?;
    let old = done.old.as_ref().filter(|_| matches!(diagnosis.old, OldRun::Known(_)));
    let old = old.map(OldFiles::files).and_then(start);
    let world = new.simulation().world();
    let (scene, dt) = (StaticScene::of(world), new.dt());
    let until = golden.header.terms.until;
    let places = (world.agents.len() as u64).max(1) * (until - new.first_tick());
    let first = new.first_tick();
    let every = places.div_ceil(MOST_PLACES).max(1);
    let ends = [first, until, diagnosis.tick];
    let matters = |tick: u64| tick.is_multiple_of(every) || ends.contains(&tick);
    let runs = Runs { until, every, matters };
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

/// What a golden has of its run.
fn keyframes(golden: &Golden) -> RunFrames {
    let frames = match &golden.body {
        GoldenBody::Track(track) => track
            .keyframes
            .iter()
            .map(|keyframe| AgentFrame::at(keyframe.tick, &keyframe.agents))
            .collect(),
        GoldenBody::Bands(_) => Vec::new(),
    };
    RunFrames { exact: false, every: 1, frames }
}

/// Which ticks of runs are kept.
struct Runs<M> {
    until: u64,
    every: u64,
    matters: M,
}

impl<M: Fn(u64) -> bool> Runs<M> {
    fn nothing(&self) -> RunFrames {
        RunFrames { exact: true, every: self.every, frames: Vec::new() }
    }

    fn keep(&self, track: &mut RunFrames, run: &Run) {
        let world = run.simulation().world();
        if (self.matters)(world.tick) {
            track.frames.push(AgentFrame::at(world.tick, &world.agents));
        }
    }

    /// A run, as far as it goes.
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

    /// Two runs side by side, and how far they are apart.
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
            if (self.matters)(tick) {
                let (old, new) = (old.simulation(), new.simulation());
                let difference = Difference::between(&new.world().space, old, new);
                apart.push((tick, difference.distance()));
            }
        }
        (tracks.0, tracks.1, apart)
    }
}
