//! Makes a failure small, beside the run: the fewest agents, parts and ticks that still fail in the same way, as a scenario that
//! is a test.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::TryRecvError;

use flockwork_engine::diag::Source;
use flockwork_engine::experiment::{Hunt, HuntOptions, Shrunk, Size};
use flockwork_engine::live::UnsavedScenario;
use flockwork_engine::load::ScriptsFolder;
use flockwork_engine::{Diagnostics, OutputFile};

use super::super::keys::key_of;
use super::super::ui_command::UiCommand;
use super::Player;
use super::background::Background;

/// How long before a failure a run begins that is made smaller, in simulated seconds and at least in ticks.
const LEAD_S: f32 = 4.0;
const MIN_LEAD: u64 = 60;
/// How long a small test goes on behind the failure, in simulated seconds: a change that only delays the failure is no repair.
const ROOM_S: f32 = 1.0;
/// Maximum number of runs that make a failure smaller.
const MAX_RUNS: u64 = 3000;

/// A failure that is being made smaller on a thread of its own.
pub(super) struct SmallFailure {
    /// The tick at which the scenario begins before it is made smaller.
    from: u64,
    /// The result; `None` if nothing fails.
    work: Background<Result<Option<Shrunk>, Diagnostics>>,
}

impl SmallFailure {
    /// Begins with a scenario that is not saved, which begins at a tick.
    fn new(unsaved: UnsavedScenario, from: u64) -> Self {
        let UnsavedScenario { path, text, .. } = unsaved;
        let work = Background::new(move |stop, progress| {
            let source = Source::new(path.display().to_string(), text);
            shrunk(&source, &ScriptsFolder::of_scenario(&path), stop, progress)
        });
        Self { from, work }
    }

    /// Returns what is going on, in words.
    pub(super) fn words(&self) -> String {
        let runs = self.work.runs();
        let key = key_of(UiCommand::SaveSmall);
        format!("making the failure small: {runs} runs so far; {key} stops")
    }
}

/// Makes a scenario small that fails. `None` if it holds.
fn shrunk(
    source: &Arc<Source>,
    scripts: &ScriptsFolder,
    stop: &(dyn Fn() -> bool + Sync),
    progress: &mut (dyn FnMut(u64) + Send),
) -> Result<Option<Shrunk>, Diagnostics> {
    let options = HuntOptions {
        // Only the start as it is.
        runs: 1,
        seed: 0,
        keep: Vec::new(),
        near: None,
        expectation: None,
        vary: Vec::new(),
    };
    let hunt = Hunt::new(options, source, scripts, None)?;
    let result = hunt.search(stop, &mut |_| {}, &mut |_| {})?;
    let first = result.found.iter().find(|found| found.run == 0);
    let small = first.map(|first| hunt.shrink(first, MAX_RUNS, stop, progress)).transpose()?;
    Ok(small.map(|small| small.with_room(scripts, ROOM_S)))
}

/// Says what a small test has of the run, and after how many ticks both fail, as far as that is known of the run.
fn size_text(
    before: &Size,
    after: &Size,
    fails_after: u64,
    run_fails_after: Option<u64>,
) -> String {
    let all =
        [("agent", before.agents, after.agents), ("obstacle", before.obstacles, after.obstacles)];
    let parts = all.into_iter().filter(|(_, before, _)| *before > 0);
    let parts = parts.map(|(noun, before, after)| match (before, after) {
        (1, 0) => format!("no {noun}"),
        (1, _) => format!("the only {noun}"),
        (_, 0) => format!("none of {before} {noun}s"),
        (_, after) if after == before => format!("all {before} {noun}s"),
        _ => format!("{after} of {before} {noun}s"),
    });
    let parts = parts.collect::<Vec<_>>().join(" and ");
    let plural = if fails_after == 1 { "" } else { "s" };
    let run = match run_fails_after {
        None => String::new(),
        Some(ticks) if ticks == fails_after => ", as the whole run does".to_owned(),
        Some(ticks) => format!("; the whole run fails after {ticks}"),
    };
    format!("it has {parts}, and fails after {fails_after} tick{plural}{run}")
}

impl Player {
    /// Makes what fails after the shown tick as small as possible and saves it; if that is going on, stops it.
    pub(super) fn save_small(&mut self) {
        if let Some(small) = &self.small_failure {
            small.work.stop();
            return;
        }
        // From a tick before the failure: at the failure itself, it is too late to see how it comes about.
        let shown = self.session.tick();
        let first = self.failures.all().iter().map(|failure| failure.tick).min();
        if let Some(first) = first.filter(|first| *first <= shown) {
            let lead = (LEAD_S / self.session.run().dt()).ceil() as u64;
            let from = first.saturating_sub(lead.max(MIN_LEAD));
            self.session.seek(from.max(self.session.first()));
        }
        let (end, _) = self.end_of_save(false);
        let (unsaved, from) = (self.session.unsaved(end), self.session.tick());
        self.session.seek(shown);
        match unsaved {
            Ok(unsaved) => self.small_failure = Some(SmallFailure::new(unsaved, from)),
            Err(error) => self.notice(format!("not saved: {}", error.message), true),
        }
    }

    /// Saves the small failure as soon as it is found. Returns whether there is something new to show.
    pub(super) fn finish_small_failure(&mut self) -> bool {
        let Some(small) = &self.small_failure else { return false };
        let result = match small.work.result() {
            Ok(result) => result,
            Err(TryRecvError::Empty) => return true,
            Err(TryRecvError::Disconnected) => {
                self.small_failure = None;
                self.notice("the failure could not be made small", true);
                return true;
            }
        };
        let (tick, from) = (self.session.tick(), small.from);
        self.small_failure = None;
        match result {
            Ok(Some(shrunk)) => self.write_small_failure(from, &shrunk),
            Ok(None) => {
                let is_known = !self.failures.all().is_empty();
                let then = if is_known {
                    ": go to a tick before a failure"
                } else {
                    ", and none has failed before"
                };
                self.notice(
                    format!("no expectation fails in a run from tick {tick} on{then}"),
                    true,
                );
            }
            Err(errors) => {
                self.notice(format!("not made small: {}", errors.into_first().message), true)
            }
        }
        true
    }

    /// Writes a small failure, unless the last one was the same. It is named by the tick at which it fails: it may begin later than at the
    /// tick from which it was made smaller.
    fn write_small_failure(&mut self, from: u64, shrunk: &Shrunk) {
        let tick = shrunk.failure.tick;
        let name = format!(", failure at tick {tick}\"");
        let text = shrunk.text.replacen(&format!(", from tick {from}\""), &name, 1);
        let stem = self.session.path().file_stem().unwrap_or_default().to_string_lossy();
        let ending = |number| if number == 1 { String::new() } else { format!("_{number}") };
        let named = |number| format!("{stem}_failure_at_{tick}{}.ron", ending(number));
        let mut paths = (1..).map(|number| self.session.path().with_file_name(named(number)));
        let path = paths.find(|path| !path.exists()).unwrap_or_default();
        let same = |(path, known): &&(PathBuf, String)| path.is_file() && *known == text;
        if let Some((path, _)) = self.saved_small.as_ref().filter(same).cloned() {
            let words = format!("this small test is there already: {}", path.display());
            return self.notice_saved(words, path, false);
        }
        let written = OutputFile::create_new(&path).and_then(|file| file.write_whole(&text));
        if let Err(error) = written {
            return self.notice(format!("not saved: {}", error.message), true);
        }
        let fails_after = tick.saturating_sub(shrunk.failure.first_tick);
        let later = self.failures.all().iter().map(|one| one.tick).filter(|tick| *tick >= from);
        let start = self.session.run().first_tick();
        let run_fails_after = later.min().map(|tick| tick.saturating_sub(start));
        let rest = if shrunk.is_smallest { "" } else { ", and not yet the smallest" };
        let has_set = self.session.settings().iter().any(|one| !one.is_written);
        let with = if has_set { "With your params as they are now" } else { "What fails" };
        let words = format!(
            "small test saved as {}: {}{rest}. {with}: {}.",
            path.display(),
            size_text(&shrunk.before, &shrunk.after, fails_after, run_fails_after),
            shrunk.failure.message
        );
        self.saved_small = Some((path.clone(), text));
        self.notice_saved(words, path, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Caught: "149 ticks instead of 300" was not understood.
    #[test]
    fn it_is_said_what_a_small_test_has_of_the_run() {
        let (groups, paths, events, ticks) = (1, 0, 0, 300);
        let size = |agents, obstacles| Size { agents, groups, obstacles, paths, events, ticks };
        let text = |before, after, fails| size_text(&before, &after, fails, Some(250));
        let words = text(size(20, 0), size(3, 0), 149);
        assert_eq!(
            words,
            "it has 3 of 20 agents, and fails after 149 ticks; the whole run fails after 250"
        );
        let words = text(size(1, 4), size(1, 0), 1);
        assert!(
            words.starts_with(
                "it has the only agent and none of 4 obstacles, and fails after 1 tick;"
            ),
            "{words}"
        );
        let words = text(size(3, 1), size(2, 0), 250);
        let expected = "it has 2 of 3 agents and no obstacle, and fails after 250 ticks, as the whole run does";
        assert_eq!(words, expected);
        let words = size_text(&size(2, 4), &size(2, 3), 9, None);
        assert_eq!(words, "it has all 2 agents and 3 of 4 obstacles, and fails after 9 ticks");
    }
}
