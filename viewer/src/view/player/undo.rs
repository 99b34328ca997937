//! Undo and redo of what the person did by hand: params, goals, pushes and edits of the scene.
//!
//! The run has moved on since then, so a param or a goal gets its old value as a new change at the present tick. A push
//! has no old value: to undo it, the run goes back to its tick and continues from there without it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use flockwork_engine::live::Session;
use flockwork_engine::math;
use flockwork_engine::sim::Action;
use flockwork_engine::world::{Goal, GroupId, Value};

use super::Player;

/// Changes of the same param within this time are undone together.
const SAME_CHANGE: Duration = Duration::from_millis(800);
/// Maximum number of changes that can be undone.
const MAX_CHANGES: usize = 200;

/// What was done by hand. Groups have names, since a reload may renumber them.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum HandMade {
    Param {
        group: String,
        param: String,
        before: Value,
        after: Value,
    },
    Goals(Vec<GroupGoals>),
    Push(Action),
    /// An edit of the scene in the scenario file.
    Scene,
}

/// The goals that a group had and got.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct GroupGoals {
    pub(super) group: String,
    /// The sequences of goals, of which each agent followed one.
    pub(super) before: Vec<Arc<[Goal]>>,
    pub(super) after: Arc<[Goal]>,
}

/// Something that was done by hand, at a tick.
struct Change {
    tick: u64,
    made_at: Instant,
    what: HandMade,
}

/// What can be undone, and what was undone, the latest last.
#[derive(Default)]
pub(super) struct Changes {
    done: Vec<Change>,
    undone: Vec<HandMade>,
}

impl Player {
    /// Remembers something that was done by hand at this tick.
    pub(super) fn remember(&mut self, what: HandMade) {
        self.changes.undone.clear();
        self.remember_again(what);
    }

    fn remember_again(&mut self, what: HandMade) {
        let (tick, now) = (self.session.tick(), Instant::now());
        let done = &mut self.changes.done;
        // Later changes belong to the future that this one has dropped. Edits of files stay.
        done.retain(|change| change.tick <= tick || change.what == HandMade::Scene);
        if let (Some(last), HandMade::Param { group, param, after, .. }) = (done.last_mut(), &what)
            && let HandMade::Param { group: of, param: same, after: latest, .. } = &mut last.what
            && (&*of, &*same) == (group, param)
            && now.duration_since(last.made_at) < SAME_CHANGE
        {
            *latest = after.clone();
            (last.tick, last.made_at) = (tick, now);
            return;
        }
        done.push(Change { tick, made_at: now, what });
        if done.len() > MAX_CHANGES {
            done.remove(0);
        }
    }

    /// Undoes the last thing that was done by hand.
    pub(super) fn undo(&mut self) {
        let Some(change) = self.changes.done.pop() else {
            return self.notice("nothing to undo", false);
        };
        if change.what == HandMade::Scene {
            match self.session.undo_scene_edit() {
                Ok(_) => {
                    self.reload_with(Session::reload);
                    self.changes.undone.push(HandMade::Scene);
                }
                Err(error) => {
                    self.changes.done.push(change);
                    self.notice(format!("not undone: {}", error.message), true);
                }
            }
            return;
        }
        let Change { tick, what, .. } = change;
        match self.undo_change(tick, &what) {
            Some(words) => {
                self.notice(format!("undone: {words}"), false);
                self.changes.undone.push(what);
            }
            None => {
                self.notice("this cannot be undone: the files or the history have changed", true)
            }
        }
    }

    /// Does again what was undone last, at this tick.
    pub(super) fn redo(&mut self) {
        let Some(what) = self.changes.undone.pop() else {
            return self.notice("nothing to redo", false);
        };
        let words = match &what {
            HandMade::Param { group, param, after, .. } => self
                .set(group, param, after)
                .then(|| format!("{param} of {group} is {} again", value(after))),
            HandMade::Goals(all) => {
                let all = all.iter().map(|one| (one.group.as_str(), &one.after));
                self.give_goals(&all.collect::<Vec<_>>()).then(|| "the goal".to_owned())
            }
            HandMade::Push(action) => {
                self.session.act(action.clone()).then(|| "the push".to_owned())
            }
            HandMade::Scene => match self.session.redo_scene_edit() {
                Ok(_) => {
                    self.reload_with(Session::reload);
                    return self.remember_again(what);
                }
                Err(error) => {
                    self.changes.undone.push(what);
                    return self.notice(format!("not redone: {}", error.message), true);
                }
            },
        };
        match words {
            Some(words) => {
                self.remember_again(what);
                self.notice(format!("redone: {words}"), false);
            }
            None => self.notice("this cannot be done again: the files have changed", true),
        }
    }

    /// Undoes a change that was made at a tick, and returns words for it. `None` if that is not possible any more.
    fn undo_change(&mut self, tick: u64, what: &HandMade) -> Option<String> {
        match what {
            HandMade::Param { group, param, before, .. } => {
                let words = format!("{param} of {group} is {} again", value(before));
                self.set(group, param, before).then_some(words)
            }
            HandMade::Goals(all) => {
                let is_simple = all.iter().all(|one| one.before.len() <= 1);
                if tick == self.session.tick() || !is_simple {
                    let ids: Option<Vec<_>> =
                        all.iter().map(|one| Some((self.group(&one.group)?, &one.after))).collect();
                    let actions = ids?
                        .into_iter()
                        .map(|(group, goals)| Action::SetGoals { group, goals: Arc::clone(goals) });
                    let actions: Vec<_> = actions.collect();
                    return self.go_back_without("the goal", tick, &actions);
                }
                let none: Arc<[Goal]> = [].into();
                let before =
                    all.iter().map(|one| (one.group.as_str(), one.before.first().unwrap_or(&none)));
                self.give_goals(&before.collect::<Vec<_>>()).then(|| "the goal".to_owned())
            }
            // Files are changed back before this.
            HandMade::Scene => None,
            HandMade::Push(action) => {
                self.go_back_without("the push", tick, std::slice::from_ref(action))
            }
        }
    }

    /// Goes back to a tick and takes back what was done there. Returns words for it.
    fn go_back_without(&mut self, what: &str, tick: u64, actions: &[Action]) -> Option<String> {
        let is_here = tick == self.session.tick();
        if !self.session.retract(tick, actions) {
            return None;
        }
        self.deselect_removed();
        self.due_ticks = 0.0;
        Some(if is_here {
            what.to_owned()
        } else {
            format!("{what}; the run goes on from tick {tick} without it")
        })
    }

    /// Sets a param, and returns whether it exists.
    fn set(&mut self, group: &str, param: &str, value: &Value) -> bool {
        self.group(group).is_some_and(|group| {
            let value = value.clone();
            self.session.act(Action::Set { group, param: param.into(), value })
        })
    }

    /// Gives goals to groups, and returns whether all of them exist.
    fn give_goals(&mut self, all: &[(&str, &Arc<[Goal]>)]) -> bool {
        let ids: Option<Vec<GroupId>> = all.iter().map(|(group, _)| self.group(group)).collect();
        let Some(ids) = ids else {
            return false;
        };
        ids.into_iter().zip(all).all(|(group, (_, goals))| {
            self.session.act(Action::SetGoals { group, goals: Arc::clone(goals) })
        })
    }

    fn group(&self, name: &str) -> Option<GroupId> {
        self.session.simulation().world().group_named(name)
    }
}

/// Returns a value as text.
fn value(value: &Value) -> String {
    match value {
        Value::Bool(x) => x.to_string(),
        Value::Int(x) => x.to_string(),
        Value::Float(x) => x.to_string(),
        Value::Vector(at) => math::short_vector(*at),
        _ => "as it was".to_owned(),
    }
}
