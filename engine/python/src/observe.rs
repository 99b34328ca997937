//! What agents of many worlds observe, and what they are told to do: the arrays of environments for learning.

use std::sync::Arc;

use flockwork_engine::Diagnostic;
use flockwork_engine::math::{self, Vec2};
use flockwork_engine::sim::{Action, Brain, Simulation, ask_together};
use flockwork_engine::threads::{self, current_threads};
use flockwork_engine::trace::MeasureOf;
use flockwork_engine::world::{GroupId, Neighborhood, Value, World};
use numpy::{PyArray2, PyArrayMethods, PyReadonlyArray2, PyReadonlyArray3, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::batch::{OneWorld, Worlds, WorldsState};
use crate::batch_arrays::{Column, array3, numbers_of, writer};
use crate::errors;
use crate::steer::Order;

/// Worlds with more agents sort them into a grid before sectors are looked through.
const MANY_AGENTS: usize = 256;

/// The most sectors.
const MAX_SECTORS: usize = 360;

/// What an agent observes: numbers that follow each other in its row.
enum Part {
    /// Its velocity, divided by `speed`, and its heading: 4 numbers.
    Own { speed: f32 },
    /// The direction to its goal, and the distance divided by `distance`: 3 numbers.
    Goal { distance: f32 },
    /// In each sector around it: 1 for a neighbor here, 0 for one at the range or none; how many there are; and the velocity of the
    /// nearest relative to its own, divided by `speed`: 4 numbers.
    Sectors { count: usize, range: f32, speed: f32, groups: Vec<bool> },
    /// A measure of the world, the same for all agents.
    Measure(MeasureOf),
    /// The vector that a script returns: 2 numbers.
    Question(Arc<dyn Brain>),
}

/// A part as Python describes it: its kind, a name or a script, two numbers, and names of groups.
type PartSpec = (String, String, f32, f32, Option<Vec<String>>);

/// The arrays of an environment: one row for each agent of the group that is there when an episode begins.
#[pyclass(frozen, module = "flockwork._native")]
pub(crate) struct Learner {
    worlds: Py<Worlds>,
    group: GroupId,
    agents: usize,
    parts: Vec<Part>,
    features: usize,
    /// Whether vectors are in the frame of each agent: forward and left.
    turned: bool,
    /// The params that are set: their groups, names, and whether they are integers.
    params: Vec<(GroupId, Arc<str>, bool)>,
}

impl Part {
    fn features(&self) -> usize {
        match self {
            Self::Own { .. } => 4,
            Self::Goal { .. } => 3,
            Self::Sectors { count, .. } => 4 * count,
            Self::Measure(_) => 1,
            Self::Question(_) => 2,
        }
    }

    fn new(state: &WorldsState, spec: PartSpec) -> PyResult<Self> {
        let (kind, name, a, b, groups) = spec;
        let positive = |what: &str, number: f32| match number > 0.0 && number.is_finite() {
            true => Ok(number),
            false => Err(errors::value_error(format!("`{what}` must be above 0"))),
        };
        let run = &state.worlds()[0].run;
        match kind.as_str() {
            "own" => Ok(Self::Own { speed: positive("speed", a)? }),
            "goal" => Ok(Self::Goal { distance: positive("distance", a)? }),
            "sectors" => {
                let count: usize = name.parse().unwrap_or(0);
                if !(1..=MAX_SECTORS).contains(&count) {
                    return Err(errors::value_error(format!(
                        "there can be 1 to {MAX_SECTORS} sectors, not {name}"
                    )));
                }
                let (range, speed) = (positive("range", a)?, positive("speed", b)?);
                let all = run.world().groups.len();
                let mut of = vec![groups.is_none(); all];
                for group in groups.unwrap_or_default() {
                    let id = run.world().group_named(&group).map_err(errors::error)?;
                    of[usize::from(id.0)] = true;
                }
                Ok(Self::Sectors { count, range, speed, groups: of })
            }
            "measure" => {
                let measure = run.measure_names().find(&name).map_err(errors::error)?;
                let is_recorded = state.worlds()[0].recorded(&name).is_some();
                if measure.needs_totals() && !is_recorded {
                    let what = Diagnostic::error(format!("`{name}` needs all ticks of the run"));
                    let help =
                        format!("name it when you make the environment: `record=[\"{name}\"]`");
                    return Err(errors::error(what.help(help)));
                }
                Ok(Self::Measure(measure))
            }
            "question" => Ok(Self::Question(state.script(&name).map_err(errors::error)?)),
            _ => Err(errors::value_error(format!("there is no observation `{kind}`"))),
        }
    }
}

/// The directions of an agent's frame.
#[derive(Clone, Copy)]
struct Frame {
    ahead: Vec2,
}

impl Frame {
    /// Returns a vector of the world in this frame.
    fn of(self, v: Vec2) -> Vec2 {
        let left = math::perp(self.ahead);
        Vec2::new(v.dot(self.ahead), v.dot(left))
    }

    /// Returns a vector in this frame as one of the world.
    fn to_world(self, v: Vec2) -> Vec2 {
        self.ahead * v.x + math::perp(self.ahead) * v.y
    }
}

/// Returns a unit vector whose numbers are at most 1, also after rounding, as the space of observations says.
fn in_bounds(unit: Vec2) -> Vec2 {
    unit.clamp(Vec2::NEG_ONE, Vec2::ONE)
}

/// Writes the sectors of an agent. They are counted counterclockwise; the first one begins at the heading. `nearest` is memory.
fn write_sectors(
    world: &World,
    row: usize,
    frame: Frame,
    part: &Part,
    nearest: &mut Vec<(f32, usize)>,
    out: &mut [f32],
) {
    let Part::Sectors { count, range, speed, groups } = part else { return };
    let (sectors, _) = out.as_chunks_mut::<4>();
    let agents = &world.agents;
    let (pos, vel) = (agents.pos(row), agents.vel(row));
    nearest.clear();
    nearest.resize(*count, (f32::INFINITY, usize::MAX));
    let per_radian = *count as f32 / std::f32::consts::TAU;
    let limit = range * range;
    let mut add = |other: usize, offset: Vec2, squared: f32| {
        if other == row || squared > limit || !groups[usize::from(agents.group[other].0)] {
            return;
        }
        let local = frame.of(offset);
        let angle = math::atan2(local.y, local.x);
        let angle = if angle < 0.0 { angle + std::f32::consts::TAU } else { angle };
        // Rounding may lead to the whole circle.
        let sector = ((angle * per_radian) as usize).min(count - 1);
        sectors[sector][1] += 1.0;
        // Of two that are equally near, the one with the lower row.
        let (least, of) = nearest[sector];
        if squared < least || (squared == least && other < of) {
            nearest[sector] = (squared, other);
        }
    };
    if agents.len() > MANY_AGENTS {
        world.me(row).each_neighbor(&Neighborhood::within(*range), |other| {
            add(other.row, other.offset, other.distance_squared);
        });
    } else {
        for (slot, other) in agents.motions.rows().iter().enumerate() {
            let offset = world.space.offset(pos, agents.motions.positions()[slot]);
            add(*other as usize, offset, offset.length_squared());
        }
    }
    for (sector, (squared, other)) in sectors.iter_mut().zip(nearest) {
        if *other == usize::MAX {
            continue;
        }
        let relative = frame.of(agents.vel(*other) - vel) / *speed;
        let [near, _, x, y] = sector;
        *near = 1.0 - squared.sqrt() / range;
        (*x, *y) = (relative.x, relative.y);
    }
}

impl Learner {
    fn frame(&self, world: &World, row: usize) -> Frame {
        Frame { ahead: if self.turned { world.agents.heading(row) } else { Vec2::X } }
    }

    /// Writes what the agents of one world observe. `out` is filled with zeros. `answers` are those of its scripts.
    fn observe_one(
        &self,
        one: &OneWorld,
        measures: &[MeasureOf],
        answers: &[&[Vec2]],
        out: &mut [f32],
    ) -> Result<(), Diagnostic> {
        let simulation = one.run.simulation();
        let sorted;
        let mut world: &World = simulation.world();
        let looks_around = self.parts.iter().any(|part| matches!(part, Part::Sectors { .. }));
        if looks_around && world.agents.len() > MANY_AGENTS {
            let mut copy = world.clone();
            copy.index();
            sorted = copy;
            world = &sorted;
        }
        let mut nearest = Vec::new();
        let values = match measures {
            [] => Vec::new(),
            _ => one.values(measures)?,
        };
        let ids = one.episode.ids.iter().take(self.agents);
        for (id, out) in ids.zip(out.chunks_mut(self.features)) {
            let Some(row) = world.agents.row(*id) else { continue };
            let frame = self.frame(world, row);
            let (mut at, mut measure, mut question) = (0, 0, 0);
            for part in &self.parts {
                let out = &mut out[at..at + part.features()];
                at += out.len();
                match part {
                    Part::Own { speed } => {
                        let velocity = frame.of(world.agents.vel(row)) / *speed;
                        let heading = in_bounds(world.agents.heading(row));
                        out.copy_from_slice(&[velocity.x, velocity.y, heading.x, heading.y]);
                    }
                    Part::Goal { distance } => {
                        if let Some(goal) = world.agents.goal(row, &world.groups) {
                            let offset = world.me(row).to(goal.at);
                            let to = in_bounds(frame.of(math::unit(offset)));
                            let far = math::length(offset) / distance;
                            out.copy_from_slice(&[to.x, to.y, far]);
                        }
                    }
                    Part::Sectors { .. } => {
                        write_sectors(world, row, frame, part, &mut nearest, out);
                    }
                    Part::Measure(_) => {
                        out[0] = values[measure];
                        measure += 1;
                    }
                    Part::Question(_) => {
                        let answer = frame.of(answers[question][row]);
                        out.copy_from_slice(&[answer.x, answer.y]);
                        question += 1;
                    }
                }
            }
        }
        Ok(())
    }

    /// Writes what the agents of all worlds observe.
    fn observe_all(&self, state: &WorldsState, out: &mut [f32]) -> PyResult<()> {
        out.fill(0.0);
        let measures = self.parts.iter().filter_map(|part| match part {
            Part::Measure(measure) => Some(measure.clone()),
            _ => None,
        });
        let measures: Vec<MeasureOf> = measures.collect();
        let simulations: Vec<&Simulation> =
            state.worlds().iter().map(|one| one.run.simulation()).collect();
        let mut answers = Vec::new();
        for part in &self.parts {
            let Part::Question(brain) = part else { continue };
            let asked = ask_together(&simulations, self.group, brain);
            let asked = asked.into_iter().collect::<Result<Vec<_>, _>>();
            answers.push(asked.map_err(|error| errors::script_error(&error))?);
        }
        let each_world = (self.agents * self.features).max(1);
        let mut worlds: Vec<_> =
            state.worlds().iter().enumerate().zip(out.chunks_mut(each_world)).collect();
        let each_thread = worlds.len().div_ceil(current_threads()).max(1);
        let results = threads::map(worlds.chunks_mut(each_thread).collect(), |part: &mut [_]| {
            let mut of: Vec<&[Vec2]> = Vec::new();
            for ((number, one), out) in part.iter_mut() {
                of.clear();
                of.extend(answers.iter().map(|all: &Vec<Vec<Vec2>>| &*all[*number]));
                self.observe_one(one, &measures, &of, out)?;
            }
            Ok(())
        });
        results.into_iter().collect::<Result<(), Diagnostic>>().map_err(errors::error)
    }

    /// Gives orders to the agents of all worlds. `order` gets the world, the index of the agent in its episode, its number among all
    /// agents, and its row in the world.
    fn give(&self, state: &WorldsState, order: impl Fn(&World, usize, usize) -> Order) {
        for (number, one) in state.worlds().iter().enumerate() {
            let Some(steered) = &one.steered else { continue };
            let world = one.run.world();
            let ids = &one.episode.ids;
            // There is an action for each agent that the arrays have.
            let orders = ids.iter().take(self.agents).enumerate().map(|(index, id)| {
                match world.agents.row(*id) {
                    Some(row) => order(world, number * self.agents + index, row),
                    None => Order::Own,
                }
            });
            steered.give(ids, orders);
        }
    }

    /// Checks that each world has as many agents as the others.
    fn check_counts(&self, state: &WorldsState) -> PyResult<()> {
        for (number, one) in state.worlds().iter().enumerate() {
            let have = one.episode.ids.len();
            if have != self.agents {
                return Err(errors::plain(format!(
                    "an environment needs the same number of agents in each world: world {number} begins with {have}, and others with {}",
                    self.agents
                )));
            }
        }
        Ok(())
    }
}

#[pymethods]
impl Learner {
    /// Prepares arrays for the agents of the steered group of some worlds.
    #[new]
    fn new(
        py: Python<'_>,
        worlds: Py<Worlds>,
        parts: Vec<PartSpec>,
        turned: bool,
        params: Vec<String>,
    ) -> PyResult<Self> {
        let state = worlds.get().state.get()?;
        let Some(group) = state.steering.as_ref().map(|steering| steering.group) else {
            return Err(errors::value_error("no group of these worlds is steered"));
        };
        let parts = parts.into_iter().map(|part| Part::new(&state, part));
        let parts = parts.collect::<PyResult<Vec<_>>>()?;
        let features = parts.iter().map(Part::features).sum();
        let agents = state.worlds()[0].episode.ids.len();
        let params = params.iter().map(|name| number_param(state.worlds()[0].run.world(), name));
        let params = params.collect::<PyResult<Vec<_>>>()?;
        drop(state);
        let this =
            Self { worlds: worlds.clone_ref(py), group, agents, parts, features, turned, params };
        this.check_counts(&*worlds.get().state.get()?)?;
        Ok(this)
    }

    /// The number of agents of each world.
    #[getter]
    fn agents(&self) -> usize {
        self.agents
    }

    /// How many numbers each agent observes.
    #[getter]
    fn features(&self) -> usize {
        self.features
    }

    /// The largest force of the body of the group; infinite if there is no limit.
    #[getter]
    fn max_force(&self) -> PyResult<f32> {
        let state = self.worlds.get().state.get()?;
        Ok(state.worlds()[0].run.world().group(self.group).body.max_force)
    }

    /// The ids of the agents in a world: those of the steered group when the episode began.
    fn ids(&self, world: usize) -> PyResult<Vec<u32>> {
        let state = self.worlds.get().state.get()?;
        state.numbers(&[world])?;
        Ok(state.worlds()[world].episode.ids.iter().map(|id| id.0).collect())
    }

    /// Begins new episodes in some worlds, each with a seed.
    fn restart(&self, py: Python<'_>, numbers: Vec<usize>, seeds: Vec<u64>) -> PyResult<()> {
        let mut state = self.worlds.get().state.get()?;
        state.numbers(&numbers)?;
        state.restart(py, &numbers, &seeds)?;
        self.check_counts(&state)
    }

    /// Lets forces act on agents from the next tick on: an array of shape (worlds, agents, 2), in shares of `limit` and cut to those.
    fn give_forces(&self, forces: PyReadonlyArray3<'_, f32>, limit: f32) -> PyResult<()> {
        let state = self.worlds.get().state.get()?;
        let all = [state.worlds().len(), self.agents, 2];
        let numbers =
            forces.as_slice().ok().filter(|_| forces.shape() == all).ok_or_else(|| {
                errors::value_error(format!("actions must have the shape {all:?}"))
            })?;
        if !numbers.iter().all(|number| number.is_finite()) {
            return Err(errors::value_error("actions must be finite numbers"));
        }
        let (forces, _) = numbers.as_chunks::<2>();
        self.give(&state, |world, number, row| {
            let share = Vec2::from(forces[number]).clamp(Vec2::NEG_ONE, Vec2::ONE);
            Order::Force(self.frame(world, row).to_world(share) * limit)
        });
        Ok(())
    }

    /// Lets agents do what scripts say, by their numbers: an array of shape (worlds, agents). A number below 0 is the script of the
    /// scenario.
    fn give_choices(&self, choices: PyReadonlyArray2<'_, i64>) -> PyResult<()> {
        let state = self.worlds.get().state.get()?;
        let all = [state.worlds().len(), self.agents];
        let numbers =
            choices.as_slice().ok().filter(|_| choices.shape() == all).ok_or_else(|| {
                errors::value_error(format!("actions must have the shape {all:?}"))
            })?;
        let have = state.steering.as_ref().map_or(0, |steering| steering.choices()) as i64;
        if let Some(wrong) = numbers.iter().find(|number| **number >= have) {
            return Err(errors::value_error(format!(
                "there is no choice {wrong}: there are {have}, from 0"
            )));
        }
        self.give(&state, |_, number, _| match u16::try_from(numbers[number]) {
            Ok(choice) => Order::Choice(choice),
            Err(_) => Order::Own,
        });
        Ok(())
    }

    /// Sets params of each world from the next tick on: an array of shape (worlds, params). `chosen` are the worlds.
    fn give_params(
        &self,
        params: PyReadonlyArray2<'_, f32>,
        chosen: Option<Vec<bool>>,
    ) -> PyResult<()> {
        let mut state = self.worlds.get().state.get()?;
        let all = [state.worlds().len(), self.params.len()];
        let numbers =
            params.as_slice().ok().filter(|_| params.shape() == all).ok_or_else(|| {
                errors::value_error(format!("actions must have the shape {all:?}"))
            })?;
        if !numbers.iter().all(|number| number.is_finite()) {
            return Err(errors::value_error("actions must be finite numbers"));
        }
        let rows = numbers.chunks(self.params.len().max(1));
        for (number, (one, row)) in state.worlds_mut().iter_mut().zip(rows).enumerate() {
            let is_chosen = chosen.as_ref().is_none_or(|chosen| chosen.get(number) == Some(&true));
            if !is_chosen || one.error.is_some() {
                continue;
            }
            for ((group, param, is_int), number) in self.params.iter().zip(row) {
                let value = match is_int {
                    true => Value::Int(number.round() as i64),
                    false => Value::Float(*number),
                };
                let action = Action::Set { group: *group, param: Arc::clone(param), value };
                one.run.simulation_mut().act(action).map_err(errors::error)?;
            }
        }
        Ok(())
    }

    /// Simulates ticks of all worlds, or of those that are chosen. Raises the error of the first world whose script fails.
    #[pyo3(signature = (ticks, chosen=None))]
    fn step(&self, py: Python<'_>, ticks: u64, chosen: Option<Vec<bool>>) -> PyResult<()> {
        let mut state = self.worlds.get().state.get()?;
        if chosen.as_ref().is_some_and(|chosen| chosen.len() != state.worlds().len()) {
            return Err(errors::value_error("there must be an element for each world"));
        }
        state.step(py, ticks, chosen.as_deref())?;
        match state.worlds().iter().find_map(|one| one.error.as_ref()) {
            Some(error) => Err(errors::script_error(error)),
            None => Ok(()),
        }
    }

    /// Writes what all agents observe into an array of shape (worlds, agents, features); zeros for agents that are gone.
    fn observe(&self, py: Python<'_>, out: Bound<'_, PyAny>) -> PyResult<()> {
        let mut state = self.worlds.get().state.get()?;
        let shape = [state.worlds().len(), self.agents, self.features];
        let array = array3(py, shape, Some(out))?;
        let mut writer = writer(&array)?;
        let numbers = numbers_of(&mut writer)?;
        state.on_threads(py, |state| self.observe_all(state, numbers))?
    }

    /// Writes which agents are there into an array of shape (worlds, agents), of bool, and how many goals each has reached into another,
    /// of uint32.
    fn read_episode(
        &self,
        there: &Bound<'_, PyArray2<bool>>,
        reached: &Bound<'_, PyArray2<u32>>,
    ) -> PyResult<()> {
        let state = self.worlds.get().state.get()?;
        let wrong = || errors::value_error("the arrays must have the shape (worlds, agents)");
        let all = state.worlds().len() * self.agents;
        let mut there = there.try_readwrite().map_err(|_| wrong())?;
        let mut reached = reached.try_readwrite().map_err(|_| wrong())?;
        let there =
            there.as_slice_mut().ok().filter(|there| there.len() == all).ok_or_else(wrong)?;
        let reached =
            reached.as_slice_mut().ok().filter(|reached| reached.len() == all).ok_or_else(wrong)?;
        for (number, one) in state.worlds().iter().enumerate() {
            let agents = &one.run.world().agents;
            let of = one.episode.ids.iter().zip(&one.episode.reached);
            for (index, (id, goals)) in of.take(self.agents).enumerate() {
                there[number * self.agents + index] = agents.row(*id).is_some();
                reached[number * self.agents + index] = *goals;
            }
        }
        Ok(())
    }

    /// Writes a column of the agents into an array of shape (worlds, agents, 2); NaN for agents that are gone.
    fn column(&self, py: Python<'_>, name: &str, out: Bound<'_, PyAny>) -> PyResult<()> {
        let state = self.worlds.get().state.get()?;
        let column = Column::named(name)?;
        self.write_each(py, &state, out, |one, row| column.of(one.run.simulation(), row).into())
    }

    /// Writes two distances of the agents into an array of shape (worlds, agents, 2), in world units: to the present goal, and of the
    /// body to the nearest other body or obstacle, below 0 if they overlap. NaN without a goal, and for agents that are gone; infinite
    /// if there is nothing else.
    fn distances(&self, py: Python<'_>, out: Bound<'_, PyAny>) -> PyResult<()> {
        let state = self.worlds.get().state.get()?;
        self.write_each(py, &state, out, |one, row| {
            let world = one.run.world();
            let goal = world.agents.goal(row, &world.groups);
            let far = goal.map_or(f32::NAN, |goal| math::length(world.me(row).to(goal.at)));
            [far, gap(world, row)]
        })
    }
}

impl Learner {
    fn write_each(
        &self,
        py: Python<'_>,
        state: &WorldsState,
        out: Bound<'_, PyAny>,
        of: impl Fn(&OneWorld, usize) -> [f32; 2],
    ) -> PyResult<()> {
        let array = array3(py, [state.worlds().len(), self.agents, 2], Some(out))?;
        let mut writer = writer(&array)?;
        let numbers = numbers_of(&mut writer)?;
        let (vectors, _) = numbers.as_chunks_mut::<2>();
        for (one, to) in state.worlds().iter().zip(vectors.chunks_mut(self.agents.max(1))) {
            for (id, to) in one.episode.ids.iter().zip(to) {
                *to = match one.run.world().agents.row(*id) {
                    Some(row) => of(one, row),
                    None => [f32::NAN; 2],
                };
            }
        }
        Ok(())
    }
}

/// Returns the distance of the body of an agent to the nearest other body or obstacle.
fn gap(world: &World, row: usize) -> f32 {
    let agents = &world.agents;
    let (pos, radius) = (agents.pos(row), world.radius_of(row));
    let mut least = f32::INFINITY;
    for other in (0..agents.len()).filter(|other| *other != row) {
        let offset = world.space.offset(pos, agents.pos(other));
        least = math::min(least, math::length(offset) - radius - world.radius_of(other));
    }
    for obstacle in &world.obstacles {
        least = math::min(least, obstacle.shape.surface(pos).distance - radius);
    }
    least
}

/// Returns the param with a name such as `"bird.fear"`, which must be a number, and whether it is an integer.
fn number_param(world: &World, name: &str) -> PyResult<(GroupId, Arc<str>, bool)> {
    let Some((group, param)) = name.rsplit_once('.') else {
        return Err(errors::value_error(format!("`{name}` must be written as \"group.param\"")));
    };
    let id = world.group_named(group).map_err(errors::error)?;
    let params = &world.group(id).params;
    match params.get(param) {
        Some(Value::Float(_)) => Ok((id, param.into(), false)),
        Some(Value::Int(_)) => Ok((id, param.into(), true)),
        Some(_) => Err(errors::plain(format!("the param `{name}` is not a number"))),
        None => {
            let names = params.iter().map(|(name, _)| name);
            let missing = Diagnostic::error(format!("group `{group}` has no param `{param}`"));
            Err(errors::error(missing.suggest(param, names)))
        }
    }
}
