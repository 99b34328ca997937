//! Measures by name, and their values over a run.

use std::fmt;
use std::sync::Arc;

use super::{Measure, MeasureValue, MeasuredAgents, Totals};
use crate::diag::{Code, Diagnostic};
use crate::sim::Simulation;
use crate::world::{GroupId, World};

/// A measure of all agents, or of those of one group. Written `mean_speed` and `flock.mean_speed`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasureOf {
    /// The group; `None` for all agents.
    group: Option<(GroupId, Arc<str>)>,
    measure: Measure,
}

impl MeasureOf {
    /// Finds the measure with this name in a world.
    ///
    /// # Errors
    ///
    /// If there is no such measure, or no such group. The error has no place.
    pub fn find(name: &str, world: &World) -> Result<Self, Diagnostic> {
        // Names of groups may contain dots, those of measures do not.
        let (group, measure) = match name.rsplit_once('.') {
            Some((group, measure)) => (Some(group), measure),
            None => (None, name),
        };
        let group = match group {
            None => None,
            Some(group) => {
                let found = world.groups.iter().zip(0..).find(|(one, _)| &*one.name == group);
                let (found, id) = found.ok_or_else(|| {
                    Diagnostic::error(format!("there is no group `{group}` to measure"))
                        .code(Code::UnknownName)
                        .suggest(group, world.groups.iter().map(|group| &*group.name))
                })?;
                Some((GroupId(id), Arc::clone(&found.name)))
            }
        };
        let measure = Measure::ALL.iter().find(|one| one.name() == measure).ok_or_else(|| {
            let known = || Measure::ALL.iter().map(|one| one.name());
            Diagnostic::error(format!("there is no measure `{measure}`"))
                .code(Code::UnknownName)
                .suggest(measure, known())
        })?;
        Ok(Self { group, measure: *measure })
    }

    /// Returns all measures of a world: those of all agents and, if it has several groups, those of each group.
    pub fn all(world: &World) -> Vec<Self> {
        let groups = (0..).map(GroupId).zip(&world.groups);
        let groups = groups.map(|(id, group)| Some((id, Arc::clone(&group.name))));
        let groups = groups.filter(|_| world.groups.len() > 1);
        std::iter::once(None)
            .chain(groups)
            .flat_map(|group| {
                Measure::ALL.iter().map(move |&measure| Self { group: group.clone(), measure })
            })
            .collect()
    }

    /// Returns the measure.
    pub fn measure(&self) -> Measure {
        self.measure
    }

    /// Returns its unit; empty for numbers without one.
    pub fn unit(&self) -> &'static str {
        self.measure.unit()
    }

    fn group(&self) -> Option<GroupId> {
        self.group.as_ref().map(|(id, _)| *id)
    }
}

/// Shows the name, as [`MeasureOf::find`] reads it.
impl fmt::Display for MeasureOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.group {
            Some((_, group)) => write!(f, "{group}.{}", self.measure),
            None => self.measure.fmt(f),
        }
    }
}

/// Watches a run and computes some of its measures.
///
/// ```
/// use flockwork_engine::trace::{MeasureOf, RunMeasures};
/// use flockwork_engine::world::{NewAgent, Space};
/// use flockwork_engine::sim::{GroupBuilder, Simulation};
/// use flockwork_engine::math::Vec2;
///
/// let space = Space::default();
/// let birds = GroupBuilder::new("birds").agents([NewAgent::at(Vec2::ZERO, Vec2::X)]);
/// let mut simulation = Simulation::builder(space).group(birds).build().unwrap();
/// let mean_speed = MeasureOf::find("birds.mean_speed", simulation.world()).unwrap();
/// let mut measures = RunMeasures::new(&simulation, vec![mean_speed]);
/// for _ in 0..10 {
///     simulation.step().unwrap();
///     measures.add_tick(&simulation);
/// }
/// assert_eq!(measures.take(&simulation)[0].map(f32::from), Some(1.0));
/// ```
pub struct RunMeasures {
    measures: Vec<MeasureOf>,
    totals: Option<Totals>,
}

impl RunMeasures {
    /// Begins with the current state of a simulation. Call it before the first step.
    pub fn new(simulation: &Simulation, measures: Vec<MeasureOf>) -> Self {
        let totals = Totals::needed(simulation, measures.iter().map(MeasureOf::measure));
        Self { measures, totals }
    }

    /// Returns the measures, in the order of their values.
    pub fn measures(&self) -> &[MeasureOf] {
        &self.measures
    }

    /// Counts the tick that was just simulated. Call it after each step.
    pub fn add_tick(&mut self, simulation: &Simulation) {
        if let Some(totals) = &mut self.totals {
            totals.add_tick(simulation);
        }
    }

    /// Returns the present value of each measure. A measure has no value if there are too few agents.
    pub fn take(&self, simulation: &Simulation) -> Vec<Option<MeasureValue>> {
        let mut last: Option<MeasuredAgents<'_>> = None;
        let mut values = Vec::with_capacity(self.measures.len());
        for of in &self.measures {
            // Measures of one group usually follow each other.
            let agents = last.filter(|last| last.group() == of.group()).unwrap_or_else(|| {
                MeasuredAgents::new(simulation, of.group(), self.totals.as_ref())
            });
            values.push(of.measure.take(&agents));
            last = Some(agents);
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::Shape;
    use crate::math::Vec2;
    use crate::sim::{Action, Builder, Event, EventTime, GroupBuilder, PushTime};
    use crate::world::{AfterGoals, Body, Edge, Goal, NewAgent, Space};

    /// A group of agents with the radius 0.5 that keep their velocity; each is a position and a velocity on the x axis.
    fn group(name: &str, agents: &[(f32, f32)]) -> GroupBuilder {
        let agents = agents.iter().map(|&(x, v)| NewAgent::at(Vec2::new(x, 0.0), Vec2::X * v));
        let body = Body { radius: 0.5, ..Body::default() };
        GroupBuilder::new(name).agents(agents.collect::<Vec<_>>()).body(body)
    }

    fn goal(x: f32) -> [Goal; 1] {
        [Goal { at: Vec2::new(x, 0.0), radius: 0.25 }]
    }

    fn world() -> Builder {
        let space = Space { edge: Edge::Open, min: Vec2::splat(-10.0), size: Vec2::splat(20.0) };
        Simulation::builder(space).dt(0.5)
    }

    fn at(tick: u64, action: Action) -> Event {
        Event { when: EventTime::At(tick), action }
    }

    /// Returns the measures with these names, separated by spaces, after some ticks.
    fn after(ticks: u64, names: &str, of: Builder) -> Vec<Option<f32>> {
        let mut simulation = of.build().unwrap();
        let names = names.split(' ');
        let measures = names.map(|name| MeasureOf::find(name, simulation.world()).unwrap());
        let mut measures = RunMeasures::new(&simulation, measures.collect());
        for _ in 0..ticks {
            simulation.step().unwrap();
            measures.add_tick(&simulation);
        }
        let values = measures.take(&simulation).into_iter();
        values.map(|value| value.map(f32::from)).collect()
    }

    #[test]
    fn arrivals_count_for_each_group() {
        for after_goals in [AfterGoals::Stay, AfterGoals::Stop, AfterGoals::Remove] {
            // They arrive at 1.5 s and 3 s, and the third one is too slow.
            let quick = group("quick", &[(0.5, 1.0), (-1.0, 1.0), (0.0, 0.125)]).goals(goal(2.0));
            let of =
                world().group(quick.after_goals(after_goals)).group(group("idle", &[(9.0, 0.0)]));
            let names = "arrived time_to_goal throughput quick.arrived idle.arrived idle.time_to_goal idle.throughput";
            let expected = [2.0, 2.25, 0.4, 2.0, 0.0, f32::NAN, 0.0];
            let expected = expected.map(|x: f32| Some(x).filter(|x| !x.is_nan()));
            assert_eq!(after(10, names, of.clone()), expected, "{after_goals:?}");
            assert_eq!(after(0, "arrived throughput", of), [Some(0.0), None]);
        }
    }

    #[test]
    fn those_that_an_event_removes_while_others_arrive_have_not_arrived() {
        // The oldest one is removed in the tick in which the youngest one arrives and is removed too.
        let remove = Action::Remove { group: GroupId(0), count: Some(1) };
        let all = group("all", &[(-5.0, 1.0), (0.0, 1.0), (1.0, 1.0)])
            .goals(goal(2.0))
            .after_goals(AfterGoals::Remove);
        let found =
            after(3, "agents arrived time_to_goal", world().group(all).event(at(2, remove)));
        assert_eq!(found, [Some(1.0), Some(1.0), Some(1.0)]);
    }

    #[test]
    fn ways_turns_and_energy_are_means_until_the_last_goal() {
        let push =
            |velocity| Action::Push { group: GroupId(0), velocity, when: PushTime::AfterDecision };
        // One goes 4 s with the speed 1 and then up, the other one is at its goal after 2 s.
        let one = group("one", &[(-8.0, 1.0)]);
        let two = group("two", &[(0.0, 1.0)]).goals(goal(2.0));
        let of = || {
            let of = world().group(one.clone()).group(two.clone());
            of.event(at(8, push(Vec2::new(-1.0, 2.0))))
        };
        let right = crate::math::PI / 2.0;
        // 4 s with 1/2 and 1 s with 2.
        assert_eq!(after(10, "one.path_length one.energy", of()), [Some(6.0), Some(4.0)]);
        assert_eq!(after(10, "two.path_length two.energy", of()), [Some(2.0), Some(1.0)]);
        assert_eq!(after(10, "path_length energy", of()), [Some(4.0), Some(2.5)]);
        assert_eq!(after(10, "turning two.turning", of()), [Some(right / 2.0), Some(0.0)]);
        let none = world().group(group("none", &[]));
        assert_eq!(after(3, "path_length turning energy", none), [None; 3]);
    }

    #[test]
    fn collisions_count_for_both_agents() {
        let rock = Shape::Circle { center: Vec2::new(-8.0, 0.0), radius: 1.0 };
        // The first one passes the second one; the third one is in the rock when it is first seen.
        let of = || {
            let a = group("a", &[(0.0, 1.0), (-8.0, 0.0)]);
            world().obstacle("rock", rock.clone()).group(a).group(group("b", &[(2.0, 0.0)]))
        };
        assert_eq!(
            after(8, "collisions a.collisions b.collisions", of()),
            [3.0, 2.0, 1.0].map(Some)
        );
        assert_eq!(after(1, "collisions agents b.agents", of()), [1.0, 3.0, 1.0].map(Some));
    }

    #[test]
    fn names_are_found_and_wrong_ones_get_advice() {
        let of = world().group(group("a.b", &[])).group(group("birds", &[])).build().unwrap();
        for name in ["density", "a.b.density", "birds.time_to_goal"] {
            assert_eq!(MeasureOf::find(name, of.world()).unwrap().to_string(), name);
        }
        for (name, message, help) in [
            ("birds.mean_sped", "there is no measure `mean_sped`", "did you mean `mean_speed`?"),
            ("bird.density", "there is no group `bird` to measure", "did you mean `birds`?"),
            ("", "there is no measure ``", "known: agents,"),
        ] {
            let error = MeasureOf::find(name, of.world()).unwrap_err();
            assert_eq!(error.message, message);
            assert!(error.help.iter().any(|line| line.starts_with(help)), "{:?}", error.help);
        }
        let all = MeasureOf::all(of.world());
        assert_eq!(all.len(), 3 * Measure::ALL.len());
        for of_all in all {
            assert_eq!(MeasureOf::find(&of_all.to_string(), of.world()), Ok(of_all));
        }
    }

    #[test]
    fn without_totals_only_measures_of_the_moment_have_values() {
        let of =
            world().group(group("all", &[(0.0, 1.0), (1.0, 1.0), (2.0, 1.0)])).build().unwrap();
        let agents = MeasuredAgents::new(&of, None, None);
        for measure in Measure::ALL {
            assert_eq!(measure.take(&agents).is_none(), measure.needs_totals(), "{measure}");
            let is_count = matches!(measure.take(&agents), Some(MeasureValue::Count(_)));
            assert!(measure.needs_totals() || is_count == measure.is_count(), "{measure}");
        }
    }
}
