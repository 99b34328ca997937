//! The description of the ghost in words.

use std::sync::Arc;

use flockwork_engine::live::Tracks;

use super::super::keys::key_of;
use super::super::ui_command::UiCommand;
use super::{NamedGhost, Player};

impl Player {
    /// Returns what the ghost is; nothing if there is none.
    pub(super) fn ghost_name(&self) -> &str {
        let ghost = self.session.ghost();
        let is_same =
            |named: &&NamedGhost| ghost.is_some_and(|ghost| Arc::ptr_eq(ghost, &named.ghost));
        self.ghost.as_ref().filter(is_same).map_or("", |named| &named.name)
    }

    /// Names the ghost of a golden. Shows a notice if it has only some of the ticks.
    pub(super) fn announce_ghost(&mut self) {
        let Some(ghost) = self.session.ghost().cloned() else {
            return;
        };
        self.ghost = Some(NamedGhost {
            ghost: Arc::clone(&ghost),
            name: "the golden".to_owned(),
            is_replaceable: false,
        });
        let mut ticks = ghost.between(0, u64::MAX).map(|(tick, _)| tick);
        if let (Some(first), Some(second)) = (ticks.next(), ticks.next())
            && second > first + 1
        {
            let words = format!(
                "the gray run has the keyframes of the golden, one every {} ticks",
                second - first
            );
            self.notice(words, false);
        }
    }

    /// Keeps the ghost, whatever is dropped later, until the person removes it.
    pub(super) fn keep_ghost(&mut self) {
        if let Some(ghost) = self.session.ghost().cloned() {
            self.session.keep_ghost(ghost);
            if let Some(named) = &mut self.ghost {
                named.is_replaceable = false;
            }
            let key = key_of(UiCommand::ToggleGhost);
            let words = format!(
                "the gray run is kept: later edits do not replace it, until {key} removes it"
            );
            self.notice(words, false);
        }
    }

    /// Makes the run so far a ghost that is kept.
    pub(super) fn keep_run(&mut self) {
        let ghost = Arc::new(self.session.tracks().clone());
        let name = format!("the run up to tick {}", self.session.end());
        let key = key_of(UiCommand::ToggleGhost);
        let words =
            format!("{name} stays in gray: later edits do not replace it, until {key} removes it");
        self.session.keep_ghost(Arc::clone(&ghost));
        self.ghost = Some(NamedGhost { ghost, name, is_replaceable: false });
        self.plots.keep();
        self.notice(words, false);
    }

    /// Keeps the ghost until everything runs again or is compared again.
    pub(super) fn keep_until_next_run(&mut self, ghost: Arc<Tracks>, name: String) {
        self.session.keep_ghost(Arc::clone(&ghost));
        self.ghost = Some(NamedGhost { ghost, name, is_replaceable: true });
    }

    /// Returns whether the person has kept a run, which then stays the ghost.
    pub(super) fn has_baseline(&self) -> bool {
        self.session.is_ghost_kept() && !self.ghost.as_ref().is_some_and(|one| one.is_replaceable)
    }

    /// Adjusts to the ticks after the present one being dropped, if there were any, because of something.
    pub(super) fn note_dropped_future(&mut self, because_of: &str) {
        self.note_dropped_run(format!(
            "the run before {because_of} at tick {}",
            self.session.tick()
        ));
    }

    /// Does the same for a run that has a name of its own.
    pub(super) fn note_dropped_run(&mut self, name: String) {
        let tick = self.session.tick();
        self.first_run = None;
        self.plots.drop_from(tick, self.session.is_ghost_kept());
        self.changes.keep_until(tick);
        let ghost = self.session.ghost();
        let is_known = |ghost: &Arc<Tracks>| {
            self.ghost.as_ref().is_some_and(|named| Arc::ptr_eq(&named.ghost, ghost))
        };
        if let Some(ghost) = ghost.filter(|ghost| !is_known(ghost)) {
            let ghost = Arc::clone(ghost);
            self.ghost = Some(NamedGhost { ghost, name, is_replaceable: false });
        }
    }
}
