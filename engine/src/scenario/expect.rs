//! Expectations: whose, what, and whether it can be judged at all.

use std::ops::Range;
use std::sync::Arc;

use super::check::not_below;
use super::findings::{Findings, Names};
use super::groups::script_name;
use super::number::{Natural, Point, PositiveLength};
use super::spanned::Spanned;
use super::spec::ExpectSpec;
use crate::diag::Diagnostic;
use crate::expect::{Expectation, Expected, ticks};
use crate::sim::{Action, Event, Spawn, State};
use crate::world::{Goal, Group, GroupId, PathId};

/// What else the scenario says.
pub(super) struct Facts<'a> {
    /// The tick at which a run begins.
    pub(super) from: u64,
    /// The tick at which it ends.
    pub(super) ticks: u64,
    pub(super) dt: f32,
    pub(super) groups: &'a [Group],
    /// Less than there are groups where there are errors before.
    pub(super) spawns: &'a [Spawn],
    /// What it begins with, if not with what the spawns make.
    pub(super) start: Option<&'a State>,
    pub(super) events: &'a [Event],
    pub(super) obstacles: usize,
    pub(super) group_names: &'a Names,
    pub(super) path_names: &'a Names,
}

/// Checks all expectations.
pub(super) fn build(
    findings: &mut Findings<'_>,
    specs: &[Spanned<ExpectSpec>],
    facts: &Facts<'_>,
) -> Vec<Expectation> {
    let (mut all, sure) = (Vec::new(), !findings.has_errors());
    for written in specs {
        let head = findings.head(written);
        let place = findings.place(written);
        if let Some(spec) = findings.read(written) {
            let mut check = Check { findings: &mut *findings, facts, head, sure };
            let what = check.expected(spec);
            all.extend(what.map(|what| Expectation { what, place }));
        }
    }
    all
}

/// Checks one expectation.
struct Check<'c, 's> {
    findings: &'c mut Findings<'s>,
    facts: &'c Facts<'c>,
    /// Its name, for what is wrong with no single part of it.
    head: Range<usize>,
    /// Whether all else could be read, so that what the facts lack is not there.
    sure: bool,
}

impl Check<'_, '_> {
    fn expected(&mut self, spec: &ExpectSpec) -> Option<Expected> {
        Some(match spec {
            ExpectSpec::Reach { group, at, radius, by } => {
                let (group, place, by) = self.reach(group, *at, *radius, by.as_ref())?;
                Expected::Reach { group, place, by }
            }
            ExpectSpec::ReachAll { group, at, radius, by } => {
                let (group, place, by) = self.reach(group, *at, *radius, by.as_ref())?;
                Expected::ReachAll { group, place, by }
            }
            ExpectSpec::NoOverlap { groups, tolerance, agents, obstacles, from } => {
                let groups = self.groups(groups.as_ref());
                let from = self.from(from.as_ref());
                let (agents, obstacles) = (agents.unwrap_or(true), obstacles.unwrap_or(true));
                let groups = groups?;
                self.overlap(groups.as_deref(), agents, obstacles);
                Expected::NoOverlap {
                    groups,
                    tolerance: tolerance.map_or(0.0, |tolerance| tolerance.0),
                    agents,
                    obstacles,
                    from: from?,
                }
            }
            ExpectSpec::MinSeparation { groups, distance, from } => {
                let (groups, from) = (self.groups(groups.as_ref()), self.from(from.as_ref()));
                Expected::MinSeparation { groups: groups?, distance: distance.0, from: from? }
            }
            ExpectSpec::MaxSpeed { group, speed, from } => {
                let (group, from) = (self.group(group.as_ref()), self.from(from.as_ref()));
                Expected::MaxSpeed { group: group?, speed: speed.0, from: from? }
            }
            ExpectSpec::MaxAcceleration { group, acceleration, from } => {
                let (group, from) = (self.group(group.as_ref()), self.from(from.as_ref()));
                Expected::MaxAcceleration {
                    group: group?,
                    acceleration: acceleration.0,
                    from: from?,
                }
            }
            ExpectSpec::MaxTurnRate { group, deg_per_s, from } => {
                let (group, from) = (self.group(group.as_ref()), self.from(from.as_ref()));
                let rate = self.findings.read(deg_per_s)?.0;
                if rate * self.facts.dt >= 180.0 {
                    let why = "nobody can turn by more than half a turn in a tick";
                    self.holds_anyway(why, self.findings.span(deg_per_s));
                }
                Expected::MaxTurnRate { group: group?, deg_per_s: rate, from: from? }
            }
            ExpectSpec::StayInside { group, min, max, from } => {
                let (group, from) = (self.group(group.as_ref()), self.from(from.as_ref()));
                let (min, place) = (min.0, self.findings.span(max));
                let max = self.findings.read(max)?.0;
                if !min.cmplt(max).all() {
                    not_below(self.findings, "rectangle", place);
                }
                Expected::StayInside { group: group?, min, max, from: from? }
            }
            ExpectSpec::StayNearPath { group, path, distance, from } => {
                let (group, from) = (self.group(group.as_ref()), self.from(from.as_ref()));
                let path = self.findings.find(self.facts.path_names, path);
                Expected::StayNearPath {
                    group: group?,
                    path: PathId(path?),
                    distance: distance.0,
                    from: from?,
                }
            }
            ExpectSpec::Progress { group, seconds, distance, from } => {
                let (group, from) = (self.group(group.as_ref()), self.from(from.as_ref()));
                let time = self.findings.read(seconds)?.0;
                let (takes, has) = (ticks(time, self.facts.dt), self.facts.ticks - self.facts.from);
                if takes > has {
                    let why = format!("this takes {takes} ticks, and the run has {has}");
                    self.never(why, self.findings.span(seconds));
                }
                if distance.is_none() {
                    self.has_radius(group?);
                }
                Expected::Progress {
                    group: group?,
                    seconds: time,
                    distance: distance.map(|distance| distance.0),
                    from: from?,
                }
            }
            ExpectSpec::NoJitter { group, reversals, seconds, from } => {
                let (group, from) = (self.group(group.as_ref()), self.from(from.as_ref()));
                Expected::NoJitter {
                    group: group?,
                    reversals: reversals.get_u32(),
                    seconds: seconds.0,
                    from: from?,
                }
            }
            ExpectSpec::Throughput { group, from, to, at_least, by } => {
                let (group, by) = (self.group(group.as_ref()), self.by(by.as_ref()));
                let end = self.findings.read(to)?.0;
                if end == from.0 {
                    let place = self.findings.span(to);
                    let same = "a line needs two ends: `to` is the same as `from`";
                    self.findings.error(same, place);
                }
                Expected::Throughput {
                    group: group?,
                    from: from.0,
                    to: end,
                    at_least: at_least.get_u32(),
                    by: by?,
                }
            }
            ExpectSpec::AllFinite => Expected::AllFinite,
            ExpectSpec::Script { name, every, from } => {
                let script = script_name(self.findings, name, "a script");
                let period = match every {
                    Some(every) => Some(self.findings.read(every)?.get()),
                    None => None,
                };
                let first = self.from(from.as_ref())?;
                if let (None, Some(from)) = (period, from) {
                    let place = self.findings.span(from);
                    let what = "`from` needs an `every`: without, the script is asked at the end";
                    self.findings.error(what, place);
                }
                if let (Some(every), None) = (every, from)
                    && let Some(period) = period
                    && let next = self.facts.from.max(1).div_ceil(period).saturating_mul(period)
                    && next > self.facts.ticks
                {
                    let place = self.findings.span(every);
                    self.never(self.after_the_end(next), place);
                }
                Expected::Script {
                    name: script?,
                    place: self.findings.place(name),
                    every: period,
                    from: from.as_ref().map_or(period.unwrap_or(0), |_| first),
                }
            }
        })
    }

    fn reach(
        &mut self,
        group: &Spanned<String>,
        at: Option<Point>,
        radius: Option<PositiveLength>,
        by: Option<&Spanned<Natural>>,
    ) -> Option<(GroupId, Option<Goal>, Option<u64>)> {
        let (found, by) = (self.group(Some(group)), self.by(by));
        let place = match (at, radius) {
            (Some(at), Some(radius)) => Some(Goal { at: at.0, radius: radius.0 }),
            (None, None) => None,
            _ => {
                let half = "a place is both `at` and `radius`; without either, it is the goals";
                self.findings.error(half, self.head.clone());
                return None;
            }
        };
        let (found, by) = (found??, by?);
        if !self.sure {
            return None;
        }
        let of = &self.facts.groups[usize::from(found.0)];
        let gets_goals = self.facts.events.iter().any(|event| {
            matches!(&event.action, Action::SetGoals { group, goals }
                if *group == found && !goals.is_empty())
        });
        let has_goals = |goals: &[Arc<[Goal]>]| goals.iter().any(|goals| !goals.is_empty());
        let had_goals = self
            .facts
            .start
            .is_some_and(|start| has_goals(&start.groups[usize::from(found.0)].goals));
        if place.is_none() && !has_goals(&of.goals) && !gets_goals && !had_goals {
            let none = Diagnostic::error(format!("agents of group `{}` have no goals", of.name))
                .help("give the group `goals`, or say where: `at: (x, y), radius: r`");
            self.findings.add(none, self.findings.span(group));
            return None;
        }
        let can_end = |goals: &[Arc<[Goal]>]| {
            let ends = |goals: &Arc<[Goal]>| goals.iter().all(|goal| goal.radius > 0.0);
            goals.iter().any(|goals| !goals.is_empty() && ends(goals))
        };
        let ends_later = self.facts.events.iter().any(|event| {
            matches!(&event.action, Action::SetGoals { group, goals }
                if *group == found && can_end(std::slice::from_ref(goals)))
        });
        let ends_at_start = self
            .facts
            .start
            .is_some_and(|start| can_end(&start.groups[usize::from(found.0)].goals));
        if place.is_none() && !can_end(&of.goals) && !ends_later && !ends_at_start {
            let never = Diagnostic::error(format!(
                "agents of group `{}` never come to the end of their goals",
                of.name
            ))
            .help(
                "a goal without a `radius`, or with radius 0, is never reached: give it one, or say \
                 where here: `at: (x, y), radius: r`",
            );
            self.findings.add(never, self.findings.span(group));
            return None;
        }
        Some((found, place, by))
    }

    /// The group that is meant; `Some(None)` where it is left out, and `None` where there is none such.
    fn group(&mut self, group: Option<&Spanned<String>>) -> Option<Option<GroupId>> {
        let Some(written) = group else {
            return Some(None);
        };
        let id = GroupId(self.findings.find(self.facts.group_names, written)?);
        self.has_agents(id, written);
        Some(Some(id))
    }

    /// The groups that are meant; as [`Check::group`].
    fn groups(
        &mut self,
        groups: Option<&Spanned<Vec<Spanned<String>>>>,
    ) -> Option<Option<Vec<GroupId>>> {
        let Some(written) = groups else {
            return Some(None);
        };
        let names = self.findings.read(written)?;
        if names.is_empty() {
            let place = self.findings.span(written);
            let none = "name at least one group, or leave `groups` out: then it is all";
            self.findings.error(none, place);
            return None;
        }
        let mut ids = Vec::new();
        for name in names {
            let id = self.findings.find(self.facts.group_names, name).map(GroupId);
            if let Some(id) = id {
                self.has_agents(id, name);
            }
            ids.push(id);
        }
        ids.into_iter().collect::<Option<_>>().map(Some)
    }

    fn has_agents(&mut self, id: GroupId, written: &Spanned<String>) {
        let later = self
            .facts
            .events
            .iter()
            .any(|event| matches!(event.action, Action::Spawn { group, .. } if group == id));
        let place = usize::from(id.0);
        let starts_empty = || match self.facts.start {
            Some(start) => !start.agents.group.contains(&id),
            None => self.facts.spawns[place].count == 0,
        };
        if self.sure && !later && starts_empty() {
            let name = &self.facts.groups[place].name;
            let why = format!("group `{name}` starts empty, and no event spawns any");
            self.never(why, self.findings.span(written));
        }
    }

    fn has_radius(&mut self, group: Option<GroupId>) {
        let mut meant = (0..).map(GroupId).zip(self.facts.groups);
        let is_point = |of: &Group| of.all_bodies().iter().any(|body| body.radius == 0.0);
        let without = meant.find(|(id, of)| group.is_none_or(|group| group == *id) && is_point(of));
        if let Some((_, of)) = without.filter(|_| self.sure) {
            let none = Diagnostic::error("say which `distance` is progress")
                .label(format!("bodies of group `{}` have no radius", of.name));
            self.findings.add(none, self.head.clone());
        }
    }

    /// Warns of bodies that cannot overlap anything.
    fn overlap(&mut self, groups: Option<&[GroupId]>, agents: bool, obstacles: bool) {
        let mut meant = (0..).map(GroupId).zip(self.facts.groups);
        let points = meant.all(|(id, of)| {
            groups.is_some_and(|groups| !groups.contains(&id)) || of.largest_radius() == 0.0
        });
        let why = match (agents, obstacles) {
            _ if !self.sure => return,
            (false, false) => "both `agents` and `obstacles` are switched off",
            (false, true) if self.facts.obstacles == 0 => "the scenario has no obstacles",
            (true, _) if points && (!obstacles || self.facts.obstacles == 0) => {
                "bodies without a radius do not overlap each other"
            }
            _ => return,
        };
        self.holds_anyway(why, self.head.clone());
    }

    /// The first tick that is judged.
    fn from(&mut self, from: Option<&Spanned<Natural>>) -> Option<u64> {
        let Some(written) = from else {
            return Some(0);
        };
        let from = self.findings.read(written)?.get();
        if from > self.facts.ticks {
            let place = self.findings.span(written);
            self.never(self.after_the_end(from), place);
        }
        Some(from)
    }

    /// The last tick that is judged; `Some(None)` where it is left out.
    fn by(&mut self, by: Option<&Spanned<Natural>>) -> Option<Option<u64>> {
        let Some(written) = by else {
            return Some(None);
        };
        let by = self.findings.read(written)?.get();
        if by > self.facts.ticks {
            let late = Diagnostic::warning("this is judged at the end of the run, before its time")
                .label(self.after_the_end(by));
            self.findings.add(late, self.findings.span(written));
        }
        if by < self.facts.from {
            let from = self.facts.from;
            let early = Diagnostic::error("this cannot be judged any more")
                .label(format!("the run begins at tick {from}, after {by}"))
                .help("leave the expectation out, or give it a later tick");
            self.findings.add(early, self.findings.span(written));
        }
        Some(Some(by))
    }

    fn after_the_end(&self, tick: u64) -> String {
        format!("the run ends at tick {}, before {tick}", self.facts.ticks)
    }

    fn never(&mut self, why: String, place: Range<usize>) {
        let never = Diagnostic::warning("this expectation is never judged").label(why);
        self.findings.add(never, place);
    }

    fn holds_anyway(&mut self, why: &str, place: Range<usize>) {
        let always = Diagnostic::warning("this expectation cannot fail").label(why);
        self.findings.add(always, place);
    }
}
