//! Undo and redo of what the person did by hand: params, also writing them, goals, pushes and edits of the scene.
//!
//! Everything is taken back where it was done: the run goes back to that tick and continues from there without it. If an
//! earlier tick is shown, that stays. A param with which the run has begun again gets its former value at the shown tick.

use std::cmp::Ordering;
use std::sync::Arc;

use flockwork_engine::Diagnostic;
use flockwork_engine::live::{COUNT, ParamSetting};
use flockwork_engine::math;
use flockwork_engine::scenario::SceneEdit;
use flockwork_engine::sim::{Action, AgentError};
use flockwork_engine::world::{GroupId, Value};

use super::super::tune::exact;
use super::changes::{GroupGoals, HandMade};
use super::{Player, scene_words};

impl Player {
    /// Remembers something that was done by hand at this tick.
    pub(super) fn remember(&mut self, what: HandMade) {
        self.changes.undone.clear();
        self.changes.add(self.session.tick(), what);
    }

    /// Undoes the last thing that was done by hand.
    pub(super) fn undo(&mut self) {
        let Some(change) = self.changes.done.pop() else {
            return self.notice("nothing to undo", false);
        };
        let undone = match &change.what {
            HandMade::Scene(edit) => match self.undo_scene_edit(change.tick, edit) {
                Ok(words) => Some(words),
                Err(error) => {
                    self.changes.done.push(change);
                    return self.notice(format!("not undone: {}", error.message), true);
                }
            },
            written @ HandMade::Written { .. } => match self.session.undo_written_params() {
                Ok(_) => {
                    let values = self.written_words(written);
                    Some(format!("{} again: {values}", self.file_words()))
                }
                Err(error) => {
                    return self.notice(format!("not undone: {}", error.message), true);
                }
            },
            HandMade::Param { group, param, before, .. } if change.is_of_run => {
                self.set_back(group, param, before)
            }
            HandMade::Seed { before, .. } => self.set_seed_again(*before),
            what => self.undo_change(change.tick, what),
        };
        match undone {
            Some(words) => {
                self.notice(format!("undone: {words}"), false);
                self.changes.undone.push(change);
            }
            None => {
                self.notice("this cannot be undone: the files or the history have changed", true)
            }
        }
    }

    /// Undoes an edit of the scene that took effect at a tick, and returns words for it.
    fn undo_scene_edit(&mut self, tick: u64, edit: &SceneEdit) -> Result<String, Diagnostic> {
        let shown = self.session.tick();
        self.session.undo_scene_edit()?;
        let mut is_taken_back = false;
        self.reload_with("the undo", |session| {
            let reloaded = session.reload_without_edit(tick);
            is_taken_back = reloaded.is_some();
            // The history does not reach back to the edit.
            reloaded.unwrap_or_else(|| session.reload())
        });
        let words = format!("{}, {}", self.words_of_undo(edit), self.file_words());
        Ok(if is_taken_back { self.stay_at(shown, tick, words) } else { words })
    }

    /// Says what it means that an edit of the scene was undone.
    fn words_of_undo(&self, edit: &SceneEdit) -> String {
        let behavior = |group: &str| self.session.run().behavior_name(self.group(group)?);
        scene_words::describe_undo(edit, behavior)
    }

    /// Goes back to the shown tick if the one at which something was taken back is later. Returns words that say from where
    /// the run goes on.
    fn stay_at(&mut self, shown: u64, tick: u64, words: String) -> String {
        self.due_ticks = 0.0;
        if shown < tick {
            self.session.seek(shown);
        }
        self.deselect_removed();
        match shown.cmp(&tick) {
            Ordering::Less => format!("{words}, from tick {tick} on"),
            Ordering::Equal => words,
            Ordering::Greater => {
                format!("{words}; the run is without the change from tick {tick} on")
            }
        }
    }

    /// Says that things which the person did are undone, since a tick failed with them.
    pub(super) fn say_what_failed(&mut self, error: &AgentError, actions: &[Action]) {
        let words = |action: &Action| match action {
            Action::Set { group, param, value } => {
                let group = &self.session.simulation().world().group(*group).name;
                format!("{param} = {} of {group}", value_text(value))
            }
            _ => "your last change".to_owned(),
        };
        let mut what: Vec<String> = actions.iter().map(words).collect();
        what.dedup();
        let agent = error.agent;
        let place =
            error.what.place.as_ref().map_or_else(String::new, |place| format!(" at {place}"));
        self.notice(
            format!(
                "undone, since agent {agent} fails with it{place}: {}; {}",
                what.join(", "),
                error.what.message
            ),
            true,
        );
    }

    /// Does again what was undone last: at this tick, or where it was done if that is later.
    pub(super) fn redo(&mut self) {
        let Some(change) = self.changes.undone.pop() else {
            return self.notice("nothing to redo", false);
        };
        let shown = self.session.tick();
        // Writing changes nothing that runs.
        let is_written = matches!(change.what, HandMade::Written { .. });
        if !is_written && (shown + 1..=self.session.end()).contains(&change.tick) {
            self.session.seek(change.tick);
        }
        let words = match &change.what {
            HandMade::Param { group, param, after, .. } => {
                self.set_again(group, param, after).then(|| is_again(group, param, after))
            }
            HandMade::Goals(all) => self.give_goals(all).then(|| "the goal".to_owned()),
            HandMade::Push(action) => {
                self.session.act(action.clone()).then(|| "the push".to_owned())
            }
            HandMade::Scene(edit) => match self.session.redo_scene_edit() {
                Ok(_) => {
                    self.reload_with("the redo", |session| session.reload_scene(edit));
                    Some(format!("{}, {}", scene_words::describe_redo(edit), self.file_words()))
                }
                Err(error) => {
                    self.session.seek(shown);
                    self.changes.undone.push(change);
                    return self.notice(format!("not redone: {}", error.message), true);
                }
            },
            HandMade::Seed { after, .. } => self.set_seed_again(*after),
            written @ HandMade::Written { .. } => match self.session.redo_written_params() {
                Ok(_) => Some(format!("{}: {}", self.file_words(), self.written_words(written))),
                Err(error) => {
                    self.changes.undone.push(change);
                    return self.notice(format!("not redone: {}", error.message), true);
                }
            },
        };
        if words.is_some() {
            if !is_written {
                self.note_dropped_future("the redo");
            }
            self.changes.add(self.session.tick(), change.what);
        }
        self.session.seek(shown);
        match words {
            Some(words) => self.notice(format!("redone: {words}"), false),
            None => self.notice("this cannot be done again: the files have changed", true),
        }
    }

    /// Undoes a change that was made at a tick, and returns its description. `None` if that is no longer possible.
    fn undo_change(&mut self, tick: u64, what: &HandMade) -> Option<String> {
        match what {
            HandMade::Param { group, param, before, .. } => {
                let words = is_again(group, param, before);
                let set = Action::Set {
                    group: self.group(group)?,
                    param: param.as_str().into(),
                    value: before.clone(),
                };
                let instead = |player: &mut Self| {
                    // The value before may have been set at the same tick.
                    let now = player.params_of(group);
                    let is_there = now.is_some_and(|(params, _)| params.get(param) == Some(before));
                    if !is_there || !player.is_known_setting(group, param, before) {
                        player.set(group, param, before);
                    }
                };
                if let Some(words) = self.take_back(words, tick, &[set], instead) {
                    return Some(words);
                }
                // The history does not reach back to the change.
                self.set_back(group, param, before)
            }
            HandMade::Goals(all) => {
                let set = |one: &GroupGoals| {
                    let (group, goals) = (self.group(&one.group)?, Arc::clone(&one.goals));
                    Some(Action::SetGoals { group, goals })
                };
                let actions: Vec<Action> = all.iter().map(set).collect::<Option<_>>()?;
                self.take_back("the goal".to_owned(), tick, &actions, |_| {})
            }
            // Files are changed back before this.
            HandMade::Scene(_) | HandMade::Seed { .. } | HandMade::Written { .. } => None,
            HandMade::Push(action) => {
                self.take_back("the push".to_owned(), tick, std::slice::from_ref(action), |_| {})
            }
        }
    }

    /// Gives a param its former value at the shown tick, and returns words for it. `None` if there is no such param.
    fn set_back(&mut self, group: &str, param: &str, before: &Value) -> Option<String> {
        let is_set = self.set_again(group, param, before);
        self.note_dropped_future("the undo");
        let tick = self.session.tick();
        let value = is_again(group, param, before);
        is_set.then(|| format!("{value}, from tick {tick} on"))
    }

    /// Goes to a tick, takes back what was done there, does something else instead, and stays at the shown tick if that is
    /// earlier. Returns words for it.
    fn take_back(
        &mut self,
        words: String,
        tick: u64,
        actions: &[Action],
        instead: impl FnOnce(&mut Self),
    ) -> Option<String> {
        let shown = self.session.tick();
        if !self.session.retract(tick, actions) {
            return None;
        }
        instead(self);
        self.note_dropped_future("the undo");
        Some(self.stay_at(shown, tick, words))
    }

    /// Gives a param a value that it had, and returns whether it could be set. Another number of agents begins the run again.
    fn set_again(&mut self, group: &str, param: &str, value: &Value) -> bool {
        match param {
            COUNT => self.begin_with_count(group, value).is_ok(),
            _ => self.set(group, param, value),
        }
    }

    /// Sets a param, and returns whether it could be set.
    pub(super) fn set(&mut self, group: &str, param: &str, value: &Value) -> bool {
        if param == COUNT {
            let count = if let Value::Int(count) = value { *count } else { return false };
            let is_set = self.session.set_count(group, count).is_ok();
            self.choose_judging();
            return is_set;
        }
        self.group(group).is_some_and(|group| {
            let value = value.clone();
            self.session.act(Action::Set { group, param: param.into(), value })
        })
    }

    /// Returns whether a value of a param is that of the file, or one that the person has set. After the later value was
    /// written to the file, the earlier one is a setting.
    fn is_known_setting(&self, group: &str, param: &str, value: &Value) -> bool {
        let is_it = |one: &ParamSetting| (&*one.group, &*one.param) == (group, param);
        let written = self.session.file_params().get(group).and_then(|all| all.get(param));
        written == Some(value)
            || self.session.settings().iter().any(|one| is_it(one) && one.value == *value)
    }

    /// Gives goals to groups, and returns whether all of them exist.
    fn give_goals(&mut self, all: &[GroupGoals]) -> bool {
        let ids: Option<Vec<GroupId>> = all.iter().map(|one| self.group(&one.group)).collect();
        let Some(ids) = ids else {
            return false;
        };
        ids.into_iter().zip(all).all(|(group, one)| {
            self.session.act(Action::SetGoals { group, goals: Arc::clone(&one.goals) })
        })
    }

    /// Says into which file an edit was written.
    pub(super) fn file_words(&self) -> String {
        let file = self.session.path().file_name().unwrap_or_default();
        format!("written to {}", file.to_string_lossy())
    }

    fn group(&self, name: &str) -> Option<GroupId> {
        self.session.simulation().world().names().group(name)
    }
}

/// Says that a param has a value that it had before.
fn is_again(group: &str, param: &str, value: &Value) -> String {
    format!("{param} of {group} is {} again", value_text(value))
}

/// Returns a value as text.
pub(super) fn value_text(value: &Value) -> String {
    match value {
        Value::Bool(x) => x.to_string(),
        Value::Int(x) => x.to_string(),
        Value::Float(x) => exact(*x),
        Value::Vector(at) => math::short_vector(*at),
        Value::Drawn(distribution) => distribution.to_string(),
        _ => "as it was".to_owned(),
    }
}
