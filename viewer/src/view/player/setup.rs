//! Begins the run again in another way: with another seed, or with another number of agents.

use std::sync::Arc;

use flockwork_engine::Diagnostic;
use flockwork_engine::live::{COUNT, Session};
use flockwork_engine::world::Value;

use super::super::keys::key_of;
use super::super::ui_command::UiCommand;
use super::Player;
use super::changes::HandMade;
use super::undo::value_text;

/// A run that is shorter than this, in simulated seconds, is not kept beside the next one: the person is still choosing.
const SHORT_RUN_S: f32 = 0.5;

impl Player {
    /// Plays another random run from the first tick: with the next seed.
    pub(super) fn another_run(&mut self) {
        if let Err(words) = self.play_with_seed(self.session.seed().wrapping_add(1)) {
            self.notice(words, true);
        }
    }

    /// Plays from the first tick with a seed that was typed, or that of the scenario file. The error says why that is not possible.
    pub(super) fn set_seed(&mut self, text: &str) -> Result<(), String> {
        let seed = match text {
            "" => self.session.file_seed(),
            text => text
                .parse()
                .map_err(|_| format!("expected an integer from 0 to {}, not `{text}`", u64::MAX))?,
        };
        self.play_with_seed(seed)
    }

    fn play_with_seed(&mut self, after: u64) -> Result<(), String> {
        let before = self.session.seed();
        self.begin_with_seed(after)?;
        let file = self.session.file_seed();
        let (undo, write) = (key_of(UiCommand::Undo), key_of(UiCommand::Write));
        let words = match after == file {
            true => format!("from the first tick with the seed of the scenario file, {file}"),
            false => format!(
                "another random run, with seed {after}: {undo} takes it back, {write} twice writes it to the file"
            ),
        };
        self.notice(words, false);
        if before != after {
            self.remember(HandMade::Seed { before, after });
        }
        self.set_playing(true);
        Ok(())
    }

    /// Begins the run again with a seed that it had, and returns words for it. `None` if the files have errors now.
    pub(super) fn set_seed_again(&mut self, seed: u64) -> Option<String> {
        self.begin_with_seed(seed).ok()?;
        Some(format!("the seed is {seed} again, and the run begins again"))
    }

    fn begin_with_seed(&mut self, after: u64) -> Result<(), String> {
        let names = [self.session.seed(), after].map(|seed| format!("with seed {seed}"));
        self.begin_again(names, |session| session.set_seed(after))
    }

    /// Begins the run again with another number of agents of a group. The error says why that is not possible.
    pub(super) fn begin_with_count(&mut self, group: &str, after: &Value) -> Result<(), String> {
        let before = self.params_of(group).and_then(|(params, _)| params.get(COUNT).cloned());
        let name = |count: &Value| format!("with {COUNT} {}", value_text(count));
        let names = [before.as_ref().unwrap_or(after), after].map(name);
        let Value::Int(count) = *after else { return Err("expected an integer".to_owned()) };
        self.begin_again(names, |session| session.set_count(group, count))
    }

    /// Returns the seed of the run, if it is not that of the scenario file.
    pub(super) fn other_seed(&self) -> Option<u64> {
        Some(self.session.seed()).filter(|seed| *seed != self.session.file_seed())
    }

    /// Begins the run again in another way, given with the one before. The run so far is named by its way and becomes the ghost until the
    /// next time, unless the person has kept another, or it is too short to be of interest. The error says why the run does not begin again.
    fn begin_again(
        &mut self,
        ways: [String; 2],
        begin: impl FnOnce(&mut Session) -> Result<(), Diagnostic>,
    ) -> Result<(), String> {
        let short = (SHORT_RUN_S / self.session.run().dt()).ceil() as u64;
        let is_short = self.session.end() < self.session.first() + short;
        let is_kept = !self.has_baseline() && !is_short;
        let ghost = is_kept.then(|| Arc::new(self.session.tracks().clone()));
        begin(&mut self.session).map_err(|error| error.in_one_line())?;
        self.due_ticks = 0.0;
        let [name, now] = ways.map(|way| format!("the run before, {way}"));
        // A ghost that began in the same way as this run would show nothing else.
        let is_same = !self.has_baseline() && self.ghost_name() == now;
        if is_kept || !self.session.is_ghost_kept() || is_same {
            self.session.set_ghost(None);
        }
        self.note_dropped_run(name.clone());
        if let Some(ghost) = ghost {
            self.keep_until_next_run(ghost, name);
        }
        self.changes.begin_run();
        self.choose_judging();
        self.deselect_removed();
        Ok(())
    }
}
