//! What is done by hand: tuning, goals, pushes; running again, and writing down.

use std::sync::Arc;
use std::time::{Duration, Instant};

use flockwork_engine::math::{self, Vec2};
use flockwork_engine::sim::Action;
use flockwork_engine::world::{Goal, Group, GroupId};

use super::super::tune::Knob;
use super::super::view_state::Task;
use super::Player;

/// The same is not saved twice within this time: a key that is held repeats itself.
const KEY_REPEAT: Duration = Duration::from_secs(1);

impl Player {
    /// Turns a knob on from where it is.
    pub(super) fn tune(&mut self, group: &str, knob: &Knob, steps: f32) {
        let Some(id) = self.session.simulation().world().group_named(group) else {
            return;
        };
        let params = self.session.params();
        if let Some(value) = knob.stepped(&params[usize::from(id.0)], steps) {
            let param = knob.param.as_str();
            let is_done = self.session.act(Action::Set { group: id, param: param.into(), value });
            if !is_done {
                let words = format!("the newest texts have no param `{param}` of `{group}`");
                self.notice(words, true);
            }
        }
    }

    /// Gives a group, or all, a goal.
    pub(super) fn set_goal(&mut self, only: Option<&str>, at: Vec2, radius: f32) {
        let world = Arc::clone(self.session.simulation().world());
        for (group, id) in world.groups.iter().zip((0..).map(GroupId)) {
            if only.is_some_and(|only| *only != *group.name) {
                continue;
            }
            let body = group.largest_radius();
            let radius = if body > 0.0 { 2.0 * body } else { radius };
            self.session.act(Action::SetGoals { group: id, goals: [Goal { at, radius }].into() });
        }
        let whose = only.map_or_else(|| "all".to_owned(), |group| format!("`{group}`"));
        let at = math::short_vector(at);
        self.notice(format!("a goal for {whose} at {at}"), false);
    }

    /// Pushes those near a place away, as fast as the fastest of all can go.
    pub(super) fn push(&mut self, at: Vec2, radius: f32) {
        let groups = self.session.simulation().world().groups.iter();
        let bodies = groups.flat_map(Group::all_bodies);
        let speeds = bodies.map(|body| body.max_speed);
        let fastest = speeds.filter(|speed| speed.is_finite()).fold(0.0, math::max);
        self.session.act(Action::Scatter {
            at,
            radius,
            speed: if fastest > 0.0 { fastest } else { radius },
            group: None,
        });
    }

    /// Goes on from here with the newest texts, to where the end was.
    pub(super) fn rerun(&mut self) {
        let from = self.session.tick();
        let have_failed = !self.session.errors().is_empty();
        match self.session.rerun() {
            Ok(end) if end <= from && have_failed => {
                self.notice("from here on with the newest texts", false);
            }
            Ok(end) if end <= from => {
                self.notice("nothing to run again: this is the last tick there has been", true);
            }
            Ok(end) => {
                self.notice(format!("run again from tick {from} with the newest texts"), false);
                self.set_playing(false);
                self.target = Some(end);
            }
            Err(fault) => self.notice(fault.diagnostic().message, true),
        }
    }

    /// Writes the params that were tuned into the scenario.
    pub(super) fn write_params(&mut self) {
        self.shared.set_busy(Some(Task::Save));
        let written = self.session.write_params();
        self.shared.set_busy(None);
        match written {
            Ok(0) => self.notice("the scenario already says so", false),
            Ok(1) => self.notice("1 param written into the scenario", false),
            Ok(count) => self.notice(format!("{count} params written into the scenario"), false),
            Err(error) => self.notice(error.message, true),
        }
    }

    /// Saves this moment.
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
