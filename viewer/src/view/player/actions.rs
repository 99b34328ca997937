//! Actions of the person: changing params, setting goals, pushing agents, running again, and saving.

use std::sync::Arc;
use std::time::{Duration, Instant};

use flockwork_engine::live::Session;
use flockwork_engine::math::{self, Vec2};
use flockwork_engine::scenario::SceneEdit;
use flockwork_engine::sim::Action;
use flockwork_engine::world::{Goal, Group, GroupId};

use super::super::tune::Knob;
use super::super::view_state::Task;
use super::Player;
use super::undo::{GroupGoals, HandMade};

/// The same tick is not saved twice within this time: a key that is held down repeats itself.
const KEY_REPEAT: Duration = Duration::from_secs(1);

impl Player {
    /// Changes a param by some steps from its current value.
    pub(super) fn tune(&mut self, group: &str, knob: &Knob, steps: f32) {
        let Some(id) = self.session.simulation().world().group_named(group) else {
            return;
        };
        let params = self.session.params();
        let (params, param) = (&params[usize::from(id.0)], knob.param.as_str());
        let (Some(before), Some(after)) = (params.get(param), knob.stepped(params, steps)) else {
            return;
        };
        let value = after.clone();
        if self.session.act(Action::Set { group: id, param: param.into(), value }) {
            let (group, param, before) = (group.to_owned(), param.to_owned(), before.clone());
            self.remember(HandMade::Param { group, param, before, after });
        } else {
            let words = format!("group `{group}` has no param `{param}` in the current files");
            self.notice(words, true);
        }
    }

    /// Sets a goal for one group, or for all groups.
    pub(super) fn set_goal(&mut self, only: Option<&str>, at: Vec2, radius: f32) {
        let world = Arc::clone(self.session.simulation().world());
        let mut changed = Vec::new();
        for (group, id) in world.groups.iter().zip((0..).map(GroupId)) {
            if only.is_some_and(|only| *only != *group.name) {
                continue;
            }
            let body = group.largest_radius();
            let radius = if body > 0.0 { 2.0 * body } else { radius };
            let after: Arc<[Goal]> = [Goal { at, radius }].into();
            let before = self.goals(id);
            if self.session.act(Action::SetGoals { group: id, goals: Arc::clone(&after) }) {
                changed.push(GroupGoals { group: group.name.to_string(), before, after });
            }
        }
        if !changed.is_empty() {
            self.remember(HandMade::Goals(changed));
        }
        let whose =
            only.map_or_else(|| "all groups".to_owned(), |group| format!("group `{group}`"));
        let at = math::short_vector(at);
        self.notice(format!("set a goal for {whose} at {at}"), false);
    }

    /// Returns the sequences of goals of a group, including changes that wait for the next tick.
    fn goals(&self, group: GroupId) -> Vec<Arc<[Goal]>> {
        let simulation = self.session.simulation();
        let waiting = simulation.pending().iter().rev().find_map(|action| match action {
            Action::SetGoals { group: of, goals } if *of == group => Some(vec![Arc::clone(goals)]),
            _ => None,
        });
        waiting.unwrap_or_else(|| simulation.world().group(group).goals.clone())
    }

    /// Pushes agents near a place away, at the highest maximum speed of all agents.
    pub(super) fn push(&mut self, at: Vec2, radius: f32) {
        let groups = self.session.simulation().world().groups.iter();
        let bodies = groups.flat_map(Group::all_bodies);
        let speeds = bodies.map(|body| body.max_speed);
        let fastest = speeds.filter(|speed| speed.is_finite()).fold(0.0, math::max);
        let speed = if fastest > 0.0 { fastest } else { radius };
        let push = Action::Scatter { at, radius, speed, group: None };
        if self.session.act(push.clone()) {
            self.remember(HandMade::Push(push));
        }
    }

    /// Runs again from the shown tick with the current files, to the last tick so far.
    pub(super) fn rerun(&mut self) {
        let from = self.session.tick();
        let have_failed = !self.session.errors().is_empty();
        match self.session.rerun() {
            Ok(end) if end <= from && have_failed => {
                self.notice("continuing from here with the current files", false);
            }
            Ok(end) if end <= from => {
                self.notice("nothing to run again: this is already the last tick", true);
            }
            Ok(end) => {
                self.notice(
                    format!("running again from tick {from} with the current files"),
                    false,
                );
                self.set_playing(false);
                self.target = Some(end);
            }
            Err(fault) => self.notice(fault.diagnostic().message, true),
        }
    }

    /// Writes the params that were changed to the scenario file.
    pub(super) fn write_params(&mut self) {
        self.shared.set_busy(Some(Task::Save));
        let written = self.session.write_params();
        self.shared.set_busy(None);
        match written {
            Ok(0) => self.notice("nothing to write: the scenario already has these params", false),
            Ok(1) => self.notice("1 param written to the scenario", false),
            Ok(count) => self.notice(format!("{count} params written to the scenario"), false),
            Err(error) => self.notice(error.message, true),
        }
    }

    /// Edits the scene in the scenario file, and reads it again.
    pub(super) fn edit_scene(&mut self, edit: &SceneEdit) {
        match self.session.edit_scene(edit) {
            Ok(false) => {}
            Ok(true) => {
                self.reload_with(Session::reload);
                self.remember(HandMade::Scene);
            }
            Err(error) => {
                let help = error.help.first().map(|help| format!("; {help}")).unwrap_or_default();
                self.notice(format!("not edited: {}{help}", error.message), true);
            }
        }
    }

    /// Saves a scenario that starts at the shown tick, with a golden if it is a test.
    pub(super) fn save(&mut self, is_test: bool) {
        let tick = self.session.tick();
        let last = self
            .saved
            .filter(|(of, test, at)| (*of, *test) == (tick, is_test) && at.elapsed() < KEY_REPEAT);
        if last.is_some() {
            return;
        }
        self.shared.set_busy(Some(Task::Save));
        let saved = self.session.save(is_test);
        self.shared.set_busy(None);
        self.saved = Some((tick, is_test, Instant::now()));
        match saved {
            Ok(saved) => {
                let what = if is_test && saved.caveat.is_none() {
                    "scenario and golden"
                } else {
                    "scenario"
                };
                let path = saved.path.display();
                match saved.caveat {
                    None => self.notice(format!("{what} saved as {path}"), false),
                    Some(but) => self.notice(format!("{what} saved as {path}, but {but}"), true),
                }
            }
            Err(error) => self.notice(format!("not saved: {}", error.message), true),
        }
    }
}
