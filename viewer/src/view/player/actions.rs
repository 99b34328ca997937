//! Actions of the person: changing params, setting goals, pushing agents, running again, and saving.

use std::collections::BTreeMap;
use std::sync::Arc;

use flockwork_engine::Failure;
use flockwork_engine::live::{COUNT, ParamSetting, ReloadResult};
use flockwork_engine::math::{self, Vec2, short};
use flockwork_engine::scenario::{SceneEdit, ScenePart, param_text};
use flockwork_engine::sim::Action;
use flockwork_engine::world::{Goal, Group, GroupId, Value, Values};

use super::super::keys::key_of;
use super::super::tune::Knob;
use super::super::ui_command::UiCommand;
use super::super::view_state::Task;
use super::changes::{GroupGoals, HandMade};
use super::compare::TwoParams;
use super::undo::value_text;
use super::{NamedValue, Player, scene_words};

/// A scenario that is saved for a failure goes on after it for this time, in simulated seconds.
const AFTER_FAILURE_S: f32 = 1.0;

fn unknown_param(group: &str, param: &str) -> String {
    format!("group `{group}` has no param `{param}` in the current files")
}

impl Player {
    /// Changes a param by some steps from its current value.
    pub(super) fn tune(&mut self, group: &str, knob: &Knob, steps: f32) {
        let Some((params, _)) = self.params_of(group) else {
            return;
        };
        // What is in use now becomes that of the person.
        self.params_aside.clear();
        if let Some(after) = knob.after_steps(&params, steps)
            && let Err(words) = self.change_param(group, &knob.param, after)
        {
            self.notice(words, true);
        }
    }

    /// Sets a param to a value that was typed. The error says why it cannot be used.
    pub(super) fn set_param(&mut self, group: &str, knob: &Knob, text: &str) -> Result<(), String> {
        let (params, _) = self.params_of(group).ok_or_else(|| unknown_param(group, &knob.param))?;
        let after = knob.parse(&params, text)?;
        self.params_aside.clear();
        if params.get(&knob.param) == Some(&after) {
            return Ok(());
        }
        self.change_param(group, &knob.param, after)?;
        self.warn_of_range(group, knob);
        Ok(())
    }

    /// Says that a param is beyond the range that the scenario gives it.
    fn warn_of_range(&mut self, group: &str, knob: &Knob) {
        let Some((params, id)) = self.params_of(group) else { return };
        let ranges = &self.session.simulation().world().group(id).appearance.ranges;
        let Some((range, value)) = ranges.get(&*knob.param).copied().zip(knob.number(&params))
        else {
            return;
        };
        if !(range.min..=range.max).contains(&value) {
            let (min, max, value) = (short(range.min), short(range.max), short(value));
            let words = format!(
                "{} of {group} is {value}, beyond its range in the scenario, {min} to {max}",
                knob.name()
            );
            self.notice(words, true);
        }
    }

    /// Sets a param to its value in the scenario file.
    pub(super) fn reset_param(&mut self, group: &str, knob: &Knob) {
        self.params_aside.clear();
        let file = self.session.file_params().get(group).and_then(|all| all.get(&knob.param));
        let Some(value) = file.cloned() else {
            let words = format!("the scenario file has no param `{}` of {group}", knob.param);
            return self.notice(words, true);
        };
        if let Err(words) = self.change_param(group, &knob.param, value) {
            self.notice(words, true);
        }
    }

    /// Puts the params that differ from those that are kept aside, and uses those; again: takes them back. Without params that are kept,
    /// those of the scenario file are used.
    pub(super) fn swap_params(&mut self) {
        let is_back = !self.params_aside.is_empty();
        let mut changes = std::mem::take(&mut self.params_aside);
        if !is_back {
            let others = self.kept_params.as_ref().unwrap_or(self.session.file_params());
            let two = self.params_beside(others, "");
            (self.params_aside, changes) = (two.own, two.others);
        }
        if changes.is_empty() {
            return self.say_nothing_differs();
        }
        self.change_params(changes);
        let words = match (is_back, &self.kept_params) {
            (true, _) => "now: your params",
            (false, Some(_)) => "now: the params that you kept",
            (false, None) => "now: the params of the scenario file",
        };
        self.notice(words.to_owned(), false);
    }

    pub(super) fn say_nothing_differs(&mut self) {
        let words = match self.kept_params {
            Some(_) => "no param differs from those that you kept: change one to compare",
            None => "no param differs from the scenario file: change one to compare",
        };
        self.notice(words, true);
    }

    /// Keeps the params in use, to compare others with them. If they are those that are kept, forgets them.
    pub(super) fn keep_params(&mut self) {
        let world = self.session.simulation().world();
        let groups = world.groups.iter().map(|group| group.name.to_string());
        let now: BTreeMap<String, Values> = groups.zip(self.session.params_with_counts()).collect();
        let is_same = self.kept_params.as_ref().is_some_and(|kept| **kept == now);
        self.kept_params = (!is_same).then(|| Arc::new(now));
        let words = if is_same {
            "the params that you kept are forgotten: yours are compared with the file again"
                .to_owned()
        } else {
            let [compare, swap] = [UiCommand::CompareParams, UiCommand::SwapParams].map(key_of);
            format!(
                "these params are kept: change some, and {compare} compares both, {swap} swaps them"
            )
        };
        self.notice(words, false);
    }

    /// Returns the params in use that differ from others, by the names of the groups, and these.
    pub(super) fn params_beside(
        &self,
        others: &BTreeMap<String, Values>,
        others_name: &'static str,
    ) -> TwoParams {
        let world = self.session.simulation().world();
        let mut all = Vec::new();
        for (group, params) in world.groups.iter().zip(self.session.params_with_counts()) {
            let Some(others) = others.get(&*group.name) else { continue };
            for (param, value) in params.iter() {
                if let Some(other) = others.get(param).filter(|other| *other != value) {
                    let name = (group.name.to_string(), param.to_owned());
                    all.push(((name.clone(), value.clone()), (name, other.clone())));
                }
            }
        }
        let (own, others) = all.into_iter().unzip();
        TwoParams { own, others, others_name }
    }

    /// Changes params, and says which cannot be changed.
    pub(super) fn change_params(&mut self, changes: Vec<NamedValue>) {
        for ((group, param), value) in changes {
            if let Err(words) = self.change_param(&group, &param, value) {
                self.notice(words, true);
            }
        }
    }

    fn change_param(&mut self, group: &str, param: &str, after: Value) -> Result<(), String> {
        let unknown = || unknown_param(group, param);
        let (params, id) = self.params_of(group).ok_or_else(unknown)?;
        let before = params.get(param).cloned().ok_or_else(unknown)?;
        let value = after.clone();
        if param == COUNT {
            self.begin_with_count(group, &value)?;
        } else if self.session.act(Action::Set { group: id, param: param.into(), value }) {
            self.note_dropped_future(&format!("the change of {param}"));
        } else {
            return Err(unknown());
        }
        self.has_chosen = true;
        let (group, param) = (group.to_owned(), param.to_owned());
        self.remember(HandMade::Param { group, param, before, after });
        Ok(())
    }

    /// Returns the params of a group, including changes that wait for the next tick, and its id.
    pub(super) fn params_of(&self, group: &str) -> Option<(Values, GroupId)> {
        let id = self.session.simulation().world().names().group(group)?;
        Some((self.session.params_with_counts().swap_remove(usize::from(id.0)), id))
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
            let goals: Arc<[Goal]> = [Goal { at, radius }].into();
            if self.session.act(Action::SetGoals { group: id, goals: Arc::clone(&goals) }) {
                changed.push(GroupGoals { group: group.name.to_string(), goals });
            }
        }
        if !changed.is_empty() {
            self.note_dropped_future("the goal");
            self.remember(HandMade::Goals(changed));
        }
        let whose =
            only.map_or_else(|| "all groups".to_owned(), |group| format!("group `{group}`"));
        let (place, why_not) = (math::short_vector(at), self.unreachable_words(at));
        let words = format!("set a goal for {whose} at {place}");
        let is_unreachable = why_not.is_some();
        self.notice(words + why_not.unwrap_or_default().as_str(), is_unreachable);
    }

    /// Says that no agent gets to a place, if an obstacle is there.
    fn unreachable_words(&self, at: Vec2) -> Option<String> {
        let obstacles = &self.session.simulation().world().obstacles;
        let there = obstacles.iter().find(|one| one.shape.contains(at))?;
        Some(format!(", in the obstacle `{}`: agents that avoid it never get there", there.name))
    }

    /// Pushes agents near a point away, at the highest maximum speed of all agents.
    pub(super) fn push(&mut self, at: Vec2, radius: f32) {
        let groups = self.session.simulation().world().groups.iter();
        let bodies = groups.flat_map(Group::all_bodies);
        let speeds = bodies.map(|body| body.max_speed);
        let fastest = speeds.filter(|speed| speed.is_finite()).fold(0.0, math::max);
        let speed = if fastest > 0.0 { fastest } else { radius };
        let push = Action::Scatter { at, radius, speed, group: None };
        if self.session.act(push.clone()) {
            self.note_dropped_future("the push");
            self.remember(HandMade::Push(push));
            let undo = key_of(UiCommand::Undo);
            self.notice(
                format!("pushed the agents near this point away; {undo} takes it back"),
                false,
            );
        }
    }

    /// Drops the future and plays from the shown tick with the current files and params.
    pub(super) fn rerun(&mut self) {
        let from = self.session.tick();
        let is_last = from == self.session.end();
        let had_failed = !self.session.errors().is_empty();
        self.session.rerun();
        let have_failed = !self.session.errors().is_empty();
        if is_last && !had_failed && !have_failed && from == self.session.run().ticks() {
            let all = key_of(UiCommand::RerunAll);
            let words = format!("this is the last tick: {all} runs again from the beginning");
            return self.notice(words, true);
        }
        let words = match have_failed {
            true => format!(
                "the files have errors: running from tick {from} with the last working version of them"
            ),
            // Large type would cover much of the world.
            false if self.has_audience => format!("from tick {from} again"),
            false => format!("running from tick {from} with the current files and params"),
        };
        self.notice(words, false);
        self.note_dropped_future("it ran again");
        self.set_playing(true);
    }

    /// Runs again from the first tick. The run so far becomes the ghost until the next time, unless the person has kept another.
    pub(super) fn rerun_all(&mut self) {
        let keeps_run = !self.has_baseline() && self.session.end() > self.session.first();
        let name = format!("the run before, up to tick {}", self.session.end());
        if keeps_run {
            self.session.set_ghost(None);
        }
        self.session.seek(self.session.first());
        self.rerun();
        self.changes.begin_run();
        if let Some(ghost) = self.session.ghost().filter(|_| keeps_run).cloned() {
            self.keep_until_next_run(ghost, name);
        }
    }

    /// Writes the params that were changed to the scenario file.
    pub(super) fn write_params(&mut self) {
        let unwritten = self.session.settings().into_iter().filter(|one| !one.is_written);
        let (off, on): (Vec<_>, Vec<_>) =
            unwritten.partition(|one| self.weight_switches.is_switched_off(one));
        if !off.is_empty() && !std::mem::replace(&mut self.asked_to_write_off, true) {
            let off: Vec<&str> = off.iter().map(|one| one.param.as_str()).collect();
            let write = key_of(UiCommand::Write);
            let words = format!(
                "not written yet: {} switched off, which is 0 in the file. {write} again writes that",
                if off.len() == 1 {
                    format!("{} is", off[0])
                } else {
                    format!("{} are", off.join(", "))
                }
            );
            return self.notice(words, true);
        }
        self.asked_to_write_off = false;
        let names: Vec<_> = on.into_iter().chain(off).map(|one| (one.group, one.param)).collect();
        // A seed is a look at another run, and seldom to be kept.
        let other_seed = self.other_seed();
        let writes_seed = self.asked_to_write_seed.take() == other_seed && other_seed.is_some();
        self.asked_to_write_seed = other_seed.filter(|_| !writes_seed);
        self.shared.set_busy(Some(Task::Save));
        let written = match writes_seed {
            true => self.session.write_params_and_seed(),
            false => self.session.write_params(),
        };
        self.shared.set_busy(None);
        let unwritten_seed = self.asked_to_write_seed.map(|seed| {
            format!("the seed {seed} is not written: {} again writes it", key_of(UiCommand::Write))
        });
        match written {
            Ok(0) => {
                let nothing = "nothing to write: the files are as they are here".to_owned();
                self.notice(unwritten_seed.unwrap_or(nothing), false);
            }
            Ok(_) => {
                self.note_written();
                let written = HandMade::Written { names, has_seed: writes_seed };
                let words = format!("{}: {}", self.file_words(), self.written_words(&written));
                let words = [words].into_iter().chain(unwritten_seed).collect::<Vec<_>>();
                self.notice(words.join("; "), false);
                self.remember(written);
            }
            Err(error) => self.notice(error.message, true),
        }
    }

    /// Says which values the scenario file has of what was written, or is no longer.
    pub(super) fn written_words(&self, written: &HandMade) -> String {
        let HandMade::Written { names, has_seed } = written else { return String::new() };
        let all = self.session.file_params();
        let text = |(group, param): &(String, String)| {
            let value = all.get(group)?.get(param)?;
            // A string has its quotes.
            let text = match value {
                Value::Float(_) => value_text(value),
                _ => param_text(value).unwrap_or_default(),
            };
            Some(format!("{group}.{param} = {text}"))
        };
        let seed = has_seed.then(|| format!("seed = {}", self.session.file_seed()));
        names.iter().filter_map(text).chain(seed).collect::<Vec<String>>().join(", ")
    }

    /// Returns the params that are put aside.
    pub(super) fn settings_aside(&self) -> Vec<ParamSetting> {
        let tick = self.session.tick();
        let setting = |((group, param), value): &NamedValue| ParamSetting {
            group: group.clone(),
            param: param.clone(),
            value: value.clone(),
            tick,
            is_written: false,
        };
        self.params_aside.iter().map(setting).collect()
    }

    /// Edits the scene in the scenario file, and reads it again.
    pub(super) fn edit_scene(&mut self, edit: &SceneEdit) {
        let is_resized = scene_words::is_resized(edit, self.session.handles());
        match self.session.edit_scene(edit) {
            Ok(false) => {}
            Ok(true) => {
                let before = self.session.tick();
                let reloaded = self.reload_with("the edit", |session| session.reload_scene(edit));
                let mut words =
                    format!("{}, {}", scene_words::describe(edit, is_resized), self.file_words());
                if matches!(reloaded, ReloadResult::Adopted(_)) {
                    let begins = scene_words::makes_agents(edit);
                    words += &match self.session.tick() {
                        tick if tick < before => "; the run begins again".to_owned(),
                        tick if begins => format!("; its agents begin again at tick {tick}"),
                        tick => format!("; the run goes on from tick {tick} with it"),
                    };
                }
                let goal = match edit {
                    SceneEdit::Move { part: ScenePart::Goals(_), to } => {
                        to.first().map(|(_, at)| *at)
                    }
                    SceneEdit::AddPlace { part: ScenePart::Goals(_), at, .. } => Some(*at),
                    _ => None,
                };
                let why_not = goal.and_then(|at| self.unreachable_words(at));
                let is_unreachable = why_not.is_some();
                self.notice(words + why_not.unwrap_or_default().as_str(), is_unreachable);
                self.remember(HandMade::Scene(edit.clone()));
            }
            Err(error) => {
                self.notice(format!("not edited: {}", error.in_one_line()), true);
            }
        }
    }

    /// Returns the tick at which a scenario ends that is saved here, and why in words: shortly after the last failure that is
    /// known. A golden is about what no expectation notices, so it lasts as long as the history.
    pub(super) fn end_of_save(&self, is_test: bool) -> (Option<u64>, String) {
        let (session, all) = (&self.session, self.failures.all());
        let tick = session.tick();
        let Some(last) = all.iter().map(|failure| failure.tick).max().filter(|_| !is_test) else {
            return (None, String::new());
        };
        let fails_here =
            |one: &Failure| one.tick == tick && session.fails_from_here(one.expectation);
        if last < tick || (last == tick && !all.iter().any(fails_here)) {
            return (
                None,
                format!("; to keep the failure at tick {last}, save at an earlier tick"),
            );
        }
        let more = (AFTER_FAILURE_S / session.run().dt()).ceil() as u64;
        let end = last.saturating_add(more);
        // A scenario that begins where this one ends cannot end there.
        let ticks = session.run().ticks();
        let end = if ticks > tick { end.min(ticks.max(last)) } else { end };
        (Some(end), format!(", soon after the failure at tick {last}"))
    }

    /// Saves a scenario that starts at the shown tick, with a golden if it is a test. The error says why it cannot be saved.
    pub(super) fn save(&mut self, is_test: bool, name: Option<&str>) -> Result<(), String> {
        self.shared.set_busy(Some(Task::Save));
        let (end, why) = self.end_of_save(is_test);
        let saved = self.session.save(is_test, end, name);
        self.shared.set_busy(None);
        let saved = saved.map_err(|error| {
            // The question says it.
            let words = format!("not saved: {}", error.in_one_line());
            self.log_line(self.session.tick(), None, words.clone(), true);
            words
        })?;
        let has_golden = is_test && saved.caveat.is_none();
        let what = if has_golden { "scenario and golden" } else { "scenario" };
        let path = format!("{}; it ends at tick {}{why}", saved.path.display(), saved.end);
        let has_caveat = saved.caveat.is_some();
        let more = match saved.caveat {
            Some(but) => format!("; but {but}"),
            None if is_test => ". The golden is what happens now. If that is a mistake, repair it, then accept the new run with \
                 flockwork test --update"
                .to_owned(),
            None => String::new(),
        };
        self.notice_saved(format!("{what} saved as {path}{more}"), saved.path, has_caveat);
        Ok(())
    }
}
