//! Checks events: their ticks and conditions, their groups and their actions.

use std::ops::Range;
use std::sync::Arc;

use serde::Deserialize;

use super::conditions::{self, ConditionContext, ConditionSpec};
use super::findings::{Findings, KnownNames};
use super::group_spec::GoalSpec;
use super::groups::CheckedGroups;
use super::moving_obstacles::{self, MotionSpec};
use super::ordered;
use super::param::{ParamSpec, fit};
use super::rule::PublicSpec;
use super::shared::CheckedShared;
use super::spanned::Spanned;
use super::spawn::goals;
use crate::diag::{Code, Diagnostic};
use crate::number::{AtLeastOne, Length, Natural, Point, PositiveLength, Ticks};
use crate::schema::described;
use crate::sim::{Action, Condition, Event, EventTime, PushTime};
use crate::world::{GroupId, Value};

described! {
    #[derive(Debug, Deserialize)]
    #[serde(rename = "event", deny_unknown_fields)]
    pub(super) enum EventSpec {
        /// Happens once.
        At {
            /// The tick at which it happens.
            tick: Spanned<Natural>,
            /// What happens.
            r#do: ActionSpec,
        },
        /// Happens again and again.
        Every {
            /// Number of ticks from one time to the next.
            ticks: Spanned<Ticks>,
            /// The first tick at which it happens. Default: `ticks`.
            from: Option<Spanned<Natural>>,
            /// The last tick at which it may happen. Default: the end of the run.
            until: Option<Spanned<Natural>>,
            /// What happens.
            r#do: ActionSpec,
        },
        /// Happens at the first tick at which a condition holds.
        When {
            /// The condition.
            condition: Spanned<ConditionSpec>,
            /// Whether it happens again each time the condition holds after it did not hold. Default: false.
            #[serde(default)]
            again: bool,
            /// What happens.
            r#do: ActionSpec,
        },
    }
}

described! {
    #[derive(Debug, Deserialize)]
    #[serde(rename = "action", deny_unknown_fields)]
    pub(super) enum ActionSpec {
        /// Adds a velocity to all agents of a group.
        Push {
            /// The group.
            group: Spanned<String> => Group,
            /// The velocity that is added, in world units per second.
            velocity: Point,
            /// Whether agents decide before or after it. Default: `BeforeDecision`.
            #[serde(default)]
            when: PushTime,
        },
        /// Sets a param of a group.
        Set {
            /// The group.
            group: Spanned<String> => Group,
            /// The param.
            param: Spanned<String> => Param,
            /// Its new value, of the same type.
            value: Spanned<ParamSpec>,
        },
        /// Adds agents to a group, as its spawn places them.
        Spawn {
            /// The group.
            group: Spanned<String> => Group,
            /// Number of agents.
            count: Spanned<AtLeastOne>,
        },
        /// Removes agents of a group.
        Remove {
            /// The group.
            group: Spanned<String> => Group,
            /// Number of agents.
            count: Option<AtLeastOne>,
        },
        /// Gives all agents of a group other goals.
        SetGoals {
            /// The group.
            group: Spanned<String> => Group,
            /// The goals, one after another.
            #[serde(deserialize_with = "ordered::list")]
            goals: Vec<GoalSpec>,
        },
        /// Puts an obstacle there, or takes it away.
        SetObstacle {
            /// The obstacle.
            obstacle: Spanned<String> => Obstacle,
            /// Whether it is there from now on.
            present: bool,
        },
        /// Lets an obstacle move in another way, from where it is.
        MoveObstacle {
            /// The obstacle.
            obstacle: Spanned<String> => Obstacle,
            /// How it moves from now on.
            moves: Spanned<MotionSpec>,
        },
        /// Sets a shared value, whatever its rule is.
        SetShared {
            /// The shared value.
            name: Spanned<String> => Shared,
            /// The new value, of its type.
            value: Spanned<PublicSpec>,
        },
        /// Moves the pointer that scripts read as `world.cursor`.
        Cursor {
            /// The place.
            at: Option<Point>,
        },
        /// Sets an input that scripts read as `world.inputs.name`, as a press or a release of its key does.
        Input {
            /// The input.
            name: Spanned<String> => Input,
            /// Whether it is true from now on.
            down: bool,
        },
        /// Pushes agents away from a point.
        Scatter {
            /// The place.
            at: Point,
            /// How far it reaches, in world units.
            radius: PositiveLength,
            /// The speed that is added at the point itself, in world units per second.
            speed: Length,
            /// The group.
            group: Option<Spanned<String>> => Group,
        },
    }
}

/// An event that spawns agents.
pub(super) struct SpawnEvent {
    /// Number of agents that it spawns during a run.
    pub(super) agents: u64,
    /// The place where the count is written.
    pub(super) place: Range<usize>,
}

/// The events of a scenario.
#[derive(Default)]
pub(super) struct CheckedEvents {
    pub(super) events: Vec<Event>,
    /// Those that make agents.
    pub(super) spawning: Vec<SpawnEvent>,
}

/// Checks all events of a run over these ticks. Also returns the events that spawn agents.
pub(super) fn build(
    findings: &mut Findings<'_>,
    specs: &[EventSpec],
    run: Range<u64>,
    names: &EventNames<'_>,
    groups: &CheckedGroups,
    dt: f32,
) -> CheckedEvents {
    let context = condition_context(specs, names, groups, dt);
    let mut checked = CheckedEvents::default();
    let ticks = run.end;
    for spec in specs {
        let (when, todo) = match spec {
            EventSpec::At { tick, r#do } => (at(findings, tick, ticks), r#do),
            EventSpec::Every { ticks: period, from, until, r#do } => {
                let when = every(findings, period, from.as_ref(), until.as_ref(), ticks);
                (when, r#do)
            }
            EventSpec::When { condition, again, r#do } => {
                let built = conditions::build(findings, condition, &context);
                let when = built.map(|condition| EventTime::When { condition, again: *again });
                (when, r#do)
            }
        };
        let action = action(findings, todo, names, groups);
        let (Some(when), Some(action)) = (when, action) else {
            continue;
        };
        if let (Action::Spawn { count, .. }, ActionSpec::Spawn { count: written, .. }) =
            (&action, todo)
        {
            checked.spawning.push(SpawnEvent {
                agents: count_occurrences(&when, &run).saturating_mul(u64::from(*count)),
                place: findings.span(written),
            });
        }
        checked.events.push(Event { when, action });
    }
    checked
}

/// The names that events refer to.
pub(super) struct EventNames<'a> {
    pub(super) groups: &'a KnownNames,
    pub(super) obstacles: &'a KnownNames,
    pub(super) paths: &'a KnownNames,
    pub(super) inputs: &'a KnownNames,
    pub(super) shared: &'a CheckedShared,
}

/// Returns what conditions are checked against.
fn condition_context<'a>(
    specs: &[EventSpec],
    names: &'a EventNames<'a>,
    groups: &'a CheckedGroups,
    dt: f32,
) -> ConditionContext<'a> {
    let is_named = |group: usize, named: &Spanned<String>| {
        named.read.as_ref().is_ok_and(|name| *name == *groups.groups[group].name)
    };
    let has_goals = |group: usize| {
        let gets_goals = specs.iter().any(|spec| match spec.action() {
            ActionSpec::SetGoals { group: named, .. } => is_named(group, named),
            _ => false,
        });
        gets_goals || groups.groups[group].goals.iter().any(|goals| !goals.is_empty())
    };
    let has_goals = (0..groups.groups.len()).map(has_goals).collect();
    ConditionContext { names: names.groups, shared: names.shared, groups, dt, has_goals }
}

impl EventSpec {
    /// Returns what happens.
    pub(super) fn action(&self) -> &ActionSpec {
        match self {
            Self::At { r#do, .. } | Self::Every { r#do, .. } | Self::When { r#do, .. } => r#do,
        }
    }
}

/// Returns how often an event happens in a run, at most.
fn count_occurrences(when: &EventTime, run: &Range<u64>) -> u64 {
    match *when {
        EventTime::When { again: false, .. } => 1,
        EventTime::When { again: true, condition: Condition::Chance { .. } } => run.end - run.start,
        // After each time, it must be false at a tick at least.
        EventTime::When { again: true, .. } => (run.end - run.start).div_ceil(2),
        EventTime::At(tick) => u64::from(run.contains(&tick)),
        EventTime::Every { ticks, from, until } => {
            // Number of times that it happens before a tick.
            let before = |tick: u64| match tick.min(until).checked_sub(from) {
                Some(passed) => passed.div_ceil(ticks),
                None => 0,
            };
            before(run.end) - before(run.start)
        }
    }
}

fn at(findings: &mut Findings<'_>, tick: &Spanned<Natural>, ticks: u64) -> Option<EventTime> {
    let at = findings.read(tick)?.get();
    if at >= ticks {
        warn_never(findings, after_the_end(ticks), findings.span(tick));
    }
    Some(EventTime::At(at))
}

fn every(
    findings: &mut Findings<'_>,
    period: &Spanned<Ticks>,
    from: Option<&Spanned<Natural>>,
    until: Option<&Spanned<Natural>>,
    ticks: u64,
) -> Option<EventTime> {
    let period_ticks = findings.read(period)?.get();
    let (first, place) = match from {
        Some(from) => (findings.read(from)?.get(), findings.span(from)),
        None => (period_ticks, findings.span(period)),
    };
    let end = match until {
        Some(until) => findings.read(until)?.get(),
        None => u64::MAX,
    };
    if first >= ticks {
        warn_never(findings, after_the_end(ticks), place);
    } else if let Some(until) = until.filter(|_| end <= first) {
        warn_never(
            findings,
            format!("its first tick would be {first}, but it ends before tick {end}"),
            findings.span(until),
        );
    }
    Some(EventTime::Every { ticks: period_ticks, from: first, until: end })
}

fn after_the_end(ticks: u64) -> String {
    format!("the run ends at tick {ticks}, so events can happen until tick {}", ticks - 1)
}

fn warn_never(findings: &mut Findings<'_>, why: String, place: Range<usize>) {
    findings.add(Diagnostic::warning("this event never happens").label(why), place);
}

fn action(
    findings: &mut Findings<'_>,
    spec: &ActionSpec,
    names: &EventNames<'_>,
    built: &CheckedGroups,
) -> Option<Action> {
    let mut find = |group| findings.find(names.groups, group).map(GroupId);
    Some(match spec {
        ActionSpec::Push { group, velocity, when } => {
            Action::Push { group: find(group)?, velocity: velocity.0, when: *when }
        }
        ActionSpec::Set { group, param, value } => {
            let group = find(group);
            let (param_name, new) = (findings.read(param), findings.read(value));
            let (group, param_name, new) = (group?, param_name?, new?);
            let place = group.0 as usize;
            let of = built.groups.get(place)?;
            let Some(declared) = of.params.get(param_name) else {
                let name = &of.name;
                let unknown =
                    Diagnostic::error(format!("group `{name}` has no param `{param_name}`"))
                        .suggest(param_name, of.params.names())
                        .help(format!("declare it in the `params` of `{name}`"));
                findings.add(unknown, findings.span(param));
                return None;
            };
            let kinds = (declared.kind(), new.0.kind());
            let Some(new) = fit(declared, new.0.clone()) else {
                // If the declaration cannot be read, that is already reported at its place.
                if *declared != Value::Nothing {
                    let what = format!("param `{param_name}` is {}, not {}", kinds.0, kinds.1);
                    let mut wrong = Diagnostic::error(what).code(Code::WrongType);
                    let declared = built.declared.get(place);
                    if let Some(declared) = declared.and_then(|all| all.get(&**param_name)) {
                        wrong = wrong.related(declared.clone(), "declared here");
                    }
                    findings.add(wrong, findings.span(value));
                }
                return None;
            };
            Action::Set { group, param: Arc::from(param_name.as_str()), value: new }
        }
        ActionSpec::Spawn { group, count } => {
            let (group, count) = (find(group), findings.read(count));
            Action::Spawn { group: group?, count: count?.get_u32() }
        }
        ActionSpec::Remove { group, count } => {
            Action::Remove { group: find(group)?, count: count.map(|count| count.get_u32()) }
        }
        ActionSpec::SetGoals { group, goals: specs } => {
            Action::SetGoals { group: find(group)?, goals: goals(findings, specs) }
        }
        ActionSpec::SetObstacle { obstacle, present } => {
            let index = findings.find(names.obstacles, obstacle)?;
            let obstacle = Arc::clone(&names.obstacles.all[usize::from(index)]);
            Action::SetObstacle { obstacle, present: *present }
        }
        ActionSpec::MoveObstacle { obstacle, moves } => {
            let index = findings.find(names.obstacles, obstacle);
            let motion = moving_obstacles::motion(findings, moves, names.paths);
            let obstacle = Arc::clone(&names.obstacles.all[usize::from(index?)]);
            Action::MoveObstacle { obstacle, motion: motion? }
        }
        ActionSpec::Input { name, down } => {
            let index = findings.find(names.inputs, name)?;
            let name = Arc::clone(&names.inputs.all[usize::from(index)]);
            Action::Input { name, down: *down }
        }
        ActionSpec::SetShared { name, value } => {
            let new = (findings.read(value).map(|value| &value.0), findings.span(value));
            let (shared, value) = names.shared.new_value(findings, name, new)?;
            Action::SetShared { name: shared.name, value }
        }
        ActionSpec::Cursor { at } => Action::Cursor { at: at.map(|at| at.0) },
        ActionSpec::Scatter { at, radius, speed, group } => Action::Scatter {
            at: at.0,
            radius: radius.0,
            speed: speed.0,
            group: match group {
                Some(group) => Some(find(group)?),
                None => None,
            },
        },
    })
}
