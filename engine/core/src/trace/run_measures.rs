//! Measures by name, and their values over a run.

use std::cell::OnceCell;
use std::fmt;
use std::sync::Arc;

use super::agent_measures::AgentMeasure;
use super::value_measures::{ValueMeasure, ValueNames};
use super::{AgentsByGroup, Measure, MeasureValue, MeasuredAgents, Totals};
use crate::diag::Diagnostic;
use crate::sim::{Setup, Simulation};
use crate::world::{GroupId, World};

/// A compiled script that computes a measure.
#[doc(hidden)]
pub trait MeasureScript: fmt::Debug + Send + Sync {
    /// Returns the measures that it is given.
    fn measures(&self) -> &[Measure];

    /// Runs the script. `totals` are needed if one of its measures needs them. Returns `None` if it has no value.
    ///
    /// # Errors
    ///
    /// If the script fails, or returns neither a finite number nor `()`.
    fn take(
        &self,
        simulation: &Simulation,
        totals: Option<&Totals>,
    ) -> Result<Option<f32>, Diagnostic>;
}

/// A measure that a scenario defines with a script.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct OwnMeasure {
    /// Its name.
    pub name: Arc<str>,
    /// Its script.
    pub script: Arc<dyn MeasureScript>,
}

/// The names of the measures of a scenario.
#[derive(Clone, Debug, Default)]
pub struct MeasureNames {
    groups: Vec<Arc<str>>,
    values: ValueNames,
    own: Vec<OwnMeasure>,
}

/// A measure of all agents, or of those of one group. Written `mean_speed` and `flock.mean_speed`. Shared values are measures of the whole
/// run, `shared.food`, and public state can be summed up: `flock.state.hunger.mean`, also with `sum`, `min` or `max`. `agent.7.x`, `agent.7.y`
/// and `agent.7.speed` are those of the agent with the id 7.
#[derive(Clone, Debug)]
pub struct MeasureOf {
    name: Arc<str>,
    what: Measured,
}

#[derive(Clone, Debug)]
enum Measured {
    BuiltIn(Measure, Option<GroupId>),
    Value(ValueMeasure),
    Agent(AgentMeasure),
    Own(Arc<dyn MeasureScript>),
}

impl MeasureNames {
    /// Returns the names of measures in a scenario with these groups.
    pub fn new(groups: impl IntoIterator<Item = Arc<str>>) -> Self {
        Self { groups: groups.into_iter().collect(), ..Self::default() }
    }

    /// Returns the names of measures in the world of a setup.
    #[doc(hidden)]
    pub fn from_setup(setup: &Setup) -> Self {
        let groups = setup.groups.iter().map(|(group, _)| Arc::clone(&group.name));
        Self { values: ValueNames::from_setup(setup), ..Self::new(groups) }
    }

    /// Adds the measures of a scenario.
    #[doc(hidden)]
    #[must_use]
    pub fn with_own(mut self, own: &[OwnMeasure]) -> Self {
        self.own.extend_from_slice(own);
        self
    }

    /// Returns the names of measures in a world.
    pub fn from_world(world: &World) -> Self {
        let groups = world.groups.iter().map(|group| Arc::clone(&group.name));
        Self { values: ValueNames::from_world(world), ..Self::new(groups) }
    }

    /// Finds the measure with a name.
    ///
    /// # Errors
    ///
    /// If there is no such measure, or no such group. The error has no position.
    pub fn find(&self, name: &str) -> Result<MeasureOf, Diagnostic> {
        if let Some(found) = self.values.find(name, |group| self.group(group)) {
            return Ok(MeasureOf { name: name.into(), what: Measured::Value(found?) });
        }
        if let Some(found) = AgentMeasure::find(name) {
            return Ok(MeasureOf { name: name.into(), what: Measured::Agent(found?) });
        }
        // Names of groups may contain dots, those of measures do not.
        let (group, measure) = match name.rsplit_once('.') {
            Some((group, measure)) => (Some(group), measure),
            None => (None, name),
        };
        let group = group.map(|group| self.group(group)).transpose()?;
        if let Some(own) = self.own.iter().find(|own| &*own.name == measure) {
            return match group {
                None => Ok(MeasureOf::own(own)),
                Some(_) => Err(Diagnostic::error(format!(
                    "the measure `{measure}` is one of the whole run, not of a group"
                ))
                .help(format!("write `{measure}`"))),
            };
        }
        let known = Measure::ALL.iter();
        let measure = known.clone().find(|one| one.name() == measure).ok_or_else(|| {
            let own = self.own.iter().map(|own| &*own.name).filter(|_| group.is_none());
            let unknown = Diagnostic::error(format!("there is no measure `{measure}`"));
            // Who writes `speed` means `mean_speed`, and not `spread`.
            let mut whole = known.clone().map(|one| one.name());
            match whole.find(|name| name.split('_').any(|part| part == measure)) {
                Some(meant) => unknown.meant(measure, meant),
                None => unknown.suggest(measure, known.map(|one| one.name()).chain(own)),
            }
        })?;
        Ok(MeasureOf { name: name.into(), what: Measured::BuiltIn(*measure, group) })
    }

    fn group(&self, name: &str) -> Result<GroupId, Diagnostic> {
        let index = self.groups.iter().position(|one| &**one == name).ok_or_else(|| {
            Diagnostic::error(format!("there is no group `{name}` to measure"))
                .suggest(name, self.groups.iter().map(|group| &**group))
        })?;
        Ok(GroupId(index as u16))
    }

    /// Returns the usual measures of all agents, and those that the scenario defines.
    pub fn of_all_agents(&self) -> Vec<MeasureOf> {
        let usual = Measure::ALL.iter().filter(|measure| measure.is_usual());
        let built_in = usual.map(|&measure| MeasureOf {
            name: measure.name().into(),
            what: Measured::BuiltIn(measure, None),
        });
        built_in.chain(self.own.iter().map(MeasureOf::own)).collect()
    }

    /// Returns the usual measures: those of all agents and, if there are several groups, those of each group.
    pub fn all(&self) -> Vec<MeasureOf> {
        let mut all = self.of_all_agents();
        if self.groups.len() > 1 {
            for (id, group) in (0..).map(GroupId).zip(&self.groups) {
                let usual = Measure::ALL.iter().filter(|measure| measure.is_usual());
                all.extend(usual.map(|&measure| MeasureOf {
                    name: format!("{group}.{measure}").into(),
                    what: Measured::BuiltIn(measure, Some(id)),
                }));
            }
        }
        all
    }
}

impl MeasureNames {
    /// Returns the measures of shared values, and the means of public numbers and booleans in each group.
    pub fn of_values(&self) -> Vec<MeasureOf> {
        let values = self.values.all(&self.groups).into_iter();
        values.map(|(name, what)| MeasureOf { name, what: Measured::Value(what) }).collect()
    }
}

impl MeasureOf {
    /// Returns its present value, if it is one of a shared value, of public state or of a single agent.
    pub fn value_in(&self, world: &World) -> Option<f32> {
        match &self.what {
            Measured::Value(value) => value.take(world),
            Measured::Agent(measure) => measure.take(world),
            Measured::BuiltIn(..) | Measured::Own(_) => None,
        }
    }

    fn own(own: &OwnMeasure) -> Self {
        Self { name: Arc::clone(&own.name), what: Measured::Own(Arc::clone(&own.script)) }
    }

    /// Returns its name, as [`MeasureNames::find`] reads it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns whether its values are counts.
    pub fn is_count(&self) -> bool {
        match &self.what {
            Measured::BuiltIn(measure, _) => measure.is_count(),
            Measured::Value(_) | Measured::Agent(_) | Measured::Own(_) => false,
        }
    }

    /// Returns its unit; empty for numbers without one, and for those whose unit is not known.
    pub fn unit(&self) -> &'static str {
        match &self.what {
            Measured::BuiltIn(measure, _) => measure.unit(),
            Measured::Agent(measure) => measure.unit(),
            Measured::Value(_) | Measured::Own(_) => "",
        }
    }

    /// Returns whether its values depend on earlier ticks, so that [`RunMeasures`] must have seen these.
    pub fn needs_totals(&self) -> bool {
        self.measures().iter().any(|measure| measure.needs_totals())
    }

    /// Returns the measures that it is computed from.
    fn measures(&self) -> &[Measure] {
        match &self.what {
            Measured::BuiltIn(measure, _) => std::slice::from_ref(measure),
            Measured::Value(_) | Measured::Agent(_) => &[],
            Measured::Own(script) => script.measures(),
        }
    }
}

/// Watches a run and computes some of its measures.
///
/// ```
/// use flockwork_core::trace::{MeasureNames, RunMeasures};
/// use flockwork_core::world::{Edge, NewAgent, Space};
/// use flockwork_core::sim::{GroupBuilder, Simulation};
/// use flockwork_core::math::Vec2;
///
/// let space = Space { edge: Edge::Open, min: Vec2::ZERO, size: Vec2::splat(100.0) };
/// let birds = GroupBuilder::new("birds").agents([NewAgent::at(Vec2::ZERO, Vec2::X)]);
/// let mut simulation = Simulation::builder(space).group(birds).build().unwrap();
/// let mean_speed = MeasureNames::from_world(simulation.world()).find("birds.mean_speed").unwrap();
/// let mut measures = RunMeasures::new(&simulation, vec![mean_speed]);
/// for _ in 0..10 {
///     simulation.step().unwrap();
///     measures.add_tick(&simulation);
/// }
/// let values = measures.take(&simulation).unwrap();
/// assert_eq!(values[0].map(f32::from), Some(1.0));
/// ```
#[derive(Clone)]
pub struct RunMeasures {
    measures: Vec<MeasureOf>,
    totals: Option<Totals>,
}

impl RunMeasures {
    /// Begins with the current state of a simulation. Call it before the first step.
    pub fn new(simulation: &Simulation, measures: Vec<MeasureOf>) -> Self {
        let needed = measures.iter().flat_map(MeasureOf::measures).copied();
        let totals = Totals::needed(simulation, needed);
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
    ///
    /// # Errors
    ///
    /// If the script of a measure fails.
    pub fn take(&self, simulation: &Simulation) -> Result<Vec<Option<MeasureValue>>, Diagnostic> {
        self.take_where(simulation, |_| true)
    }

    /// As [`take`](Self::take), but computes only the measures for whose index `needed` returns true. The others have no value.
    ///
    /// # Errors
    ///
    /// If the script of a measure fails.
    pub fn take_where(
        &self,
        simulation: &Simulation,
        needed: impl Fn(usize) -> bool,
    ) -> Result<Vec<Option<MeasureValue>>, Diagnostic> {
        let totals = self.totals.as_ref();
        let groups = OnceCell::new();
        let mut last: Option<MeasuredAgents<'_>> = None;
        let mut values = Vec::with_capacity(self.measures.len());
        for (index, of) in self.measures.iter().enumerate() {
            if !needed(index) {
                values.push(None);
                continue;
            }
            values.push(match &of.what {
                Measured::BuiltIn(measure, group) => {
                    // Measures of one group usually follow each other.
                    let known = last.filter(|last| last.group() == *group);
                    let agents = known.unwrap_or_else(|| match group {
                        None => MeasuredAgents::new(simulation, totals),
                        Some(group) => {
                            let make = || AgentsByGroup::new(simulation, totals);
                            groups.get_or_init(make).group(*group)
                        }
                    });
                    last = Some(agents);
                    measure.take(&agents)
                }
                Measured::Value(value) => value.take(simulation.world()).map(MeasureValue::Number),
                Measured::Agent(measure) => {
                    measure.take(simulation.world()).map(MeasureValue::Number)
                }
                Measured::Own(script) => script.take(simulation, totals)?.map(MeasureValue::Number),
            });
        }
        Ok(values)
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
        let measures =
            names.map(|name| MeasureNames::from_world(simulation.world()).find(name).unwrap());
        let mut measures = RunMeasures::new(&simulation, measures.collect());
        for _ in 0..ticks {
            simulation.step().unwrap();
            measures.add_tick(&simulation);
        }
        let values = measures.take(&simulation).unwrap().into_iter();
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
        let names = MeasureNames::new(["a.b".into(), "birds".into()]);
        for name in ["density", "a.b.density", "birds.time_to_goal"] {
            assert_eq!(names.find(name).unwrap().name(), name);
        }
        for (name, message, help) in [
            ("birds.mean_sped", "there is no measure `mean_sped`", "did you mean `mean_speed`?"),
            ("birds.speed", "there is no measure `speed`", "did you mean `mean_speed`?"),
            ("bird.density", "there is no group `bird` to measure", "did you mean `birds`?"),
            ("", "there is no measure ``", "known: agents,"),
        ] {
            let error = names.find(name).unwrap_err();
            assert_eq!(error.message, message);
            assert!(error.help.iter().any(|line| line.starts_with(help)), "{:?}", error.help);
        }
        let all = names.all();
        assert_eq!(all.len(), 3 * (Measure::ALL.len() - 2), "without births and deaths");
        for of in all {
            assert_eq!(names.find(of.name()).unwrap().name(), of.name());
        }
        let one = MeasureNames::new(["birds".into()]);
        assert_eq!(one.all().len(), one.of_all_agents().len());
    }

    #[test]
    fn without_totals_only_measures_of_the_moment_have_values() {
        let of =
            world().group(group("all", &[(0.0, 1.0), (1.0, 1.0), (2.0, 1.0)])).build().unwrap();
        let agents = MeasuredAgents::new(&of, None);
        for measure in Measure::ALL {
            assert_eq!(measure.take(&agents).is_none(), measure.needs_totals(), "{measure}");
            let is_count = matches!(measure.take(&agents), Some(MeasureValue::Count(_)));
            assert!(measure.needs_totals() || is_count == measure.is_count(), "{measure}");
        }
    }
}
