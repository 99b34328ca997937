//! Agents of worlds that are steered from outside: by forces, or by a choice among scripts for each agent.

use std::sync::{Arc, PoisonError, RwLock, RwLockWriteGuard};

use flockwork_engine::diag::Source;
use flockwork_engine::math::Vec2;
use flockwork_engine::script::{Behavior, Library};
use flockwork_engine::sim::{AgentError, Brain, Output, Simulation, Turns};
use flockwork_engine::world::{AgentId, GroupId, Need, World};
use flockwork_engine::{Diagnostic, Diagnostics};

use crate::errors;

/// How the agents of one group are steered in all worlds of a batch.
pub(crate) struct Steering {
    pub(crate) group: GroupId,
    /// The scripts among which agents choose.
    choices: Arc<[Arc<Behavior>]>,
}

/// The brain of the group in one world.
pub(crate) struct Steered {
    /// What the scenario gives the group. It prepares agents, and steers those that are not part of the episode.
    own: Arc<dyn Brain>,
    choices: Arc<[Arc<Behavior>]>,
    orders: RwLock<Orders>,
}

/// What agents are to do.
#[derive(Default)]
pub(crate) struct Orders {
    /// The ids of the agents, in order. All others do as the scenario says.
    ids: Vec<AgentId>,
    orders: Vec<Order>,
}

/// What an agent is to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Order {
    /// What the scenario says.
    Own,
    Force(Vec2),
    /// What the script with this number says.
    Choice(u16),
}

/// The agents of the group that take part in an episode, and what they have reached.
#[derive(Clone, Default)]
pub(crate) struct Episode {
    /// The ids, in order. Agents that come later do not take part.
    pub(crate) ids: Vec<AgentId>,
    /// Number of goals that each has reached, also of those that have been removed since.
    pub(crate) reached: Vec<u32>,
}

impl Steering {
    /// Compiles the scripts among which agents of a group choose.
    pub(crate) fn new(
        world: &World,
        group: &str,
        choices: &[String],
        scripts: &dyn Library,
    ) -> Result<Self, Diagnostics> {
        let group = world.group_named(group)?;
        let choices = choices.iter().map(|name| compile(name, scripts));
        let choices = choices.collect::<Result<Vec<_>, Diagnostics>>()?;
        Ok(Self { group, choices: choices.into() })
    }

    /// Returns the brain for a world, in place of that of the scenario.
    pub(crate) fn brain(&self, own: Arc<dyn Brain>) -> Steered {
        Steered { own, choices: Arc::clone(&self.choices), orders: RwLock::default() }
    }

    /// Returns how many scripts there are to choose from.
    pub(crate) fn choices(&self) -> usize {
        self.choices.len()
    }
}

/// A script that is given as a text, beside those of a folder.
struct WithText<'l> {
    scripts: &'l dyn Library,
    text: Arc<Source>,
}

/// The name of a script that is given as a text, in messages.
const TEXT: &str = "script";

impl Library for WithText<'_> {
    fn read(&self, name: &str) -> Result<Option<Arc<Source>>, Diagnostic> {
        if name == TEXT { Ok(Some(Arc::clone(&self.text))) } else { self.scripts.read(name) }
    }

    fn names(&self) -> Vec<String> {
        self.scripts.names()
    }
}

/// Compiles a script: one with a name, or a text with a function `steer`.
pub(crate) fn compile(name: &str, scripts: &dyn Library) -> Result<Arc<Behavior>, Diagnostics> {
    if name.contains("fn ") {
        let text = errors::source(TEXT, name);
        return Ok(Arc::new(Behavior::compile(TEXT, &WithText { scripts, text })?));
    }
    if scripts.read(name)?.is_none() {
        let known = scripts.names();
        let missing = Diagnostic::error(format!("there is no script `{name}`"));
        return Err(missing.suggest(name, known.iter().map(String::as_str)).into());
    }
    Ok(Arc::new(Behavior::compile(name, scripts)?))
}

impl Episode {
    /// Begins with the agents of a group that are there.
    pub(crate) fn begin(&mut self, simulation: &Simulation, group: GroupId) {
        let agents = &simulation.world().agents;
        self.ids.clear();
        let of = agents.id.iter().zip(&agents.group).filter(|(_, of)| **of == group);
        self.ids.extend(of.map(|(id, _)| *id));
        self.reached.clear();
        self.reached.resize(self.ids.len(), 0);
        self.end_tick(simulation);
    }

    /// Counts the goals that agents have reached after a tick.
    pub(crate) fn end_tick(&mut self, simulation: &Simulation) {
        let world = simulation.world();
        let agents = &world.agents;
        for (id, reached) in self.ids.iter().zip(&mut self.reached) {
            let Some(row) = agents.row(*id) else { continue };
            // The world notices at the beginning of the next tick, and may then remove the agent.
            let is_there = agents.goal(row, &world.groups).is_some_and(|goal| {
                !agents.stopped[row] && world.me(row).to(goal.at).length() < goal.radius
            });
            *reached = agents.goal_progress[row].reached + u32::from(is_there);
        }
    }
}

impl Steered {
    /// Returns access to the orders.
    fn orders(&self) -> RwLockWriteGuard<'_, Orders> {
        self.orders.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives orders to agents, in place of those that they had.
    pub(crate) fn give(&self, ids: &[AgentId], all: impl IntoIterator<Item = Order>) {
        let mut orders = self.orders();
        orders.ids.clear();
        orders.ids.extend_from_slice(ids);
        orders.orders.clear();
        orders.orders.extend(all);
    }
}

impl Orders {
    fn of(&self, id: AgentId) -> Order {
        let index = self.ids.binary_search(&id).ok();
        index.and_then(|index| self.orders.get(index)).copied().unwrap_or(Order::Own)
    }
}

impl Brain for Steered {
    fn begin(
        &self,
        world: &Arc<World>,
        turns: Turns<'_>,
        output: &mut Output,
    ) -> Result<(), AgentError> {
        self.own.begin(world, turns, output)
    }

    fn needs(&self, world: &World, group: GroupId) -> Vec<Need> {
        let mut needs = Vec::new();
        for script in self.choices.iter() {
            for need in script.needs(world, group) {
                if !needs.contains(&need) {
                    needs.push(need);
                }
            }
        }
        needs
    }

    fn asks_neighbors(&self, world: &World, group: GroupId) -> bool {
        self.own.asks_neighbors(world, group)
            || self.choices.iter().any(|script| script.asks_neighbors(world, group))
    }

    fn decide(
        &self,
        world: &Arc<World>,
        turns: Turns<'_>,
        output: &mut Output,
    ) -> Result<(), AgentError> {
        let orders = self.orders.read().unwrap_or_else(PoisonError::into_inner);
        let mut left = turns;
        let mut result = Ok(());
        while !left.is_empty() {
            let order = |turn: usize| orders.of(world.agents.id[left.row(turn)]);
            let first = order(0);
            // Agents that do the same decide together. Forces need no order.
            let same = |of: Order| match (first, of) {
                (Order::Force(_), Order::Force(_)) => true,
                _ => of == first,
            };
            let count = (1..left.len()).find(|turn| !same(order(*turn))).unwrap_or(left.len());
            let (mut now, others) = left.split(count);
            left = others;
            let decided = match first {
                Order::Own => self.own.decide(world, now, output),
                Order::Choice(number) => {
                    self.choices[usize::from(number)].decide(world, now, output)
                }
                Order::Force(_) => now.each(world, |turn| {
                    if let Order::Force(force) = orders.of(world.agents.id[turn.row]) {
                        *turn.force = force;
                    }
                    Ok(())
                }),
            };
            // The error of the agent with the lowest row counts.
            result = match (result, decided) {
                (Err(one), Err(other)) if other.agent < one.agent => Err(other),
                (Err(error), _) | (Ok(()), Err(error)) => Err(error),
                (Ok(()), Ok(())) => Ok(()),
            };
        }
        result
    }
}
