//! Begins the run again in another way: with another seed, or with another number of agents.

use std::sync::Arc;

use flockwork_engine::Diagnostic;
use flockwork_engine::live::Session;
use flockwork_engine::sim::Setup;
use flockwork_engine::world::Value;

use super::super::keys::key_of;
use super::super::ui_command::UiCommand;
use super::Player;
use super::changes::HandMade;

/// A run that is shorter than this, in simulated seconds, is not kept beside the next one: the person is still choosing.
const SHORT_RUN_S: f32 = 0.5;

/// Begins the run of a session again with another number of agents of a group.
pub(super) fn set_count(
    session: &mut Session,
    group: &str,
    count: &Value,
) -> Result<(), Diagnostic> {
    let Value::Int(count) = count else { return Err(Diagnostic::error("expected an integer")) };
    let count = u32::try_from(*count).map_err(|_| {
        let most = Setup::DEFAULT_MAX_AGENTS;
        Diagnostic::error(format!(
            "{count} is no number of agents: expected an integer from 0 to {most}"
        ))
    })?;
    session.set_count(group, count)
}

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
            text => {
                let expected = |_| format!("expected an integer from 0 on, not `{text}`");
                text.parse().map_err(expected)?
            }
        };
        self.play_with_seed(seed)
    }

    fn play_with_seed(&mut self, after: u64) -> Result<(), String> {
        let before = self.session.seed();
        let name = format!("the run before, with seed {before}");
        self.begin_again(name, |session| session.set_seed(after))?;
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
        let name = format!("the run before, with seed {}", self.session.seed());
        self.begin_again(name, |session| session.set_seed(seed)).ok()?;
        Some(format!("the seed is {seed} again, and the run begins again"))
    }

    /// Returns the seed of the run, if it is not that of the scenario file.
    pub(super) fn other_seed(&self) -> Option<u64> {
        Some(self.session.seed()).filter(|seed| *seed != self.session.file_seed())
    }

    /// Begins the run again in another way. The run so far gets a name and becomes the ghost until the next time, unless the person has
    /// kept another, or it is too short to be of interest. The error says why the run does not begin again.
    pub(super) fn begin_again(
        &mut self,
        name: String,
        begin: impl FnOnce(&mut Session) -> Result<(), Diagnostic>,
    ) -> Result<(), String> {
        let short = (SHORT_RUN_S / self.session.run().dt()).ceil() as u64;
        let is_short = self.session.end() < self.session.first() + short;
        let is_kept = !self.has_baseline() && !is_short;
        let ghost = is_kept.then(|| Arc::new(self.session.tracks().clone()));
        begin(&mut self.session).map_err(|error| error.in_one_line())?;
        self.due_ticks = 0.0;
        if is_kept || !self.session.is_ghost_kept() {
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
