//! The whole state at one tick, as text. A run can continue from it.

use std::fmt::Write as _;
use std::sync::Arc;

use super::agent::{AgentState, PushError};
use super::amounts::{MAX_CELLS, amounts_text};
use super::moving;
use super::scenario_names::{ScenarioNames, group};
use super::string_pool::StringPool;
use super::text::{self, LineParser, SyntaxError};
use super::waiting;
use crate::math::{self, Vec2};
use crate::sim::{GoalCounts, LayerState, Simulation, State};
use crate::trace::state_hash;
use crate::world::{
    Agents, Goal, GroupId, Layer, Minds, NewAgent, ObstacleState, Progress, Value, WaitingMessage,
};

/// The state at a tick, without what the scenario declares for its groups and no event has changed. So a run that
/// continues from here has the params that the scenario has now.
#[derive(Clone, Debug, PartialEq)]
pub struct Keyframe {
    /// The tick.
    pub tick: u64,
    /// The [`state_hash`] of the state.
    pub hash: u64,
    /// The position of the pointer in world units, if there was one.
    pub cursor: Option<Vec2>,
    /// The names of the inputs that were true.
    pub inputs_down: Vec<Arc<str>>,
    /// The names of the obstacles that were absent.
    pub absent_obstacles: Vec<Arc<str>>,
    /// The obstacles that moved or were not where the scenario puts them.
    pub moving_obstacles: Vec<ObstacleState>,
    /// The numbers of the events that were spent, as in [`State::spent_events`].
    pub spent_events: Vec<u32>,
    /// What agents had told others that was not heard yet, as in [`State::waiting`].
    pub waiting: Vec<WaitingMessage>,
    /// The layers.
    pub layers: Vec<LayerState>,
    /// The shared values that differed from their first values, by their names.
    pub shared: Vec<(Arc<str>, Value)>,
    /// For each group, the number of agents ever made and what they had reached.
    pub made: Vec<(u32, GoalCounts)>,
    /// The changes that events had made to the groups.
    pub changes: Vec<GroupChange>,
    /// All agents.
    pub agents: Agents,
    /// Their minds.
    pub minds: Minds,
}

/// A property of a group that differs from what the scenario declares.
#[derive(Clone, Debug, PartialEq)]
pub enum GroupChange {
    /// A param has another value.
    Param {
        /// The group.
        group: GroupId,
        /// The param's name.
        name: Arc<str>,
        /// Its value.
        value: Value,
    },
    /// The group has other goals.
    Goals {
        /// The group.
        group: GroupId,
        /// Its sequences of goals.
        goals: Vec<Arc<[Goal]>>,
    },
}

impl Keyframe {
    /// Returns the current state of a run that began in `start`.
    pub fn of(simulation: &Simulation, start: &State) -> Self {
        let world = simulation.world();
        let mut changes = Vec::new();
        for (i, (group, before)) in world.groups.iter().zip(&start.groups).enumerate() {
            let id = GroupId(i as u16);
            for (name, value) in group.params.iter() {
                if !before.params.get(name).is_some_and(|was| same(was, value)) {
                    changes.push(GroupChange::Param {
                        group: id,
                        name: name.into(),
                        value: value.clone(),
                    });
                }
            }
            if !same_goals(&group.goals, &before.goals) {
                let goals = group.goals.clone();
                changes.push(GroupChange::Goals { group: id, goals });
            }
        }
        let shared = world.shared.iter().filter(|one| {
            let before = start.shared.get(&one.name);
            !before.is_some_and(|before| same(before, one.value()))
        });
        let shared = shared.map(|one| (Arc::clone(&one.name), one.value().clone())).collect();
        let made = (0..).map(GroupId).zip(&world.groups);
        let made = made.map(|(id, group)| (group.made, simulation.goal_counts(id)));
        let made = made.collect();
        Self {
            tick: world.tick,
            hash: state_hash(world, simulation.minds()),
            cursor: world.cursor,
            inputs_down: world.inputs_down(),
            absent_obstacles: world.absent_obstacles(),
            moving_obstacles: world.moving_obstacles(),
            spent_events: simulation.spent_events().to_vec(),
            waiting: simulation.waiting().to_vec(),
            layers: world.layers.iter().map(Layer::state).collect(),
            shared,
            made,
            changes,
            agents: world.agents.clone(),
            minds: simulation.minds().clone(),
        }
    }

    /// Returns the state to continue from, for a run that begins in `start`.
    pub fn state(&self, start: &State) -> State {
        let mut groups = start.groups.clone();
        for (group, &(made, reached)) in groups.iter_mut().zip(&self.made) {
            group.made = made;
            group.reached = reached;
        }
        for change in &self.changes {
            match change {
                GroupChange::Param { group, name, value } => {
                    groups[group.0 as usize].params.set(name, value.clone());
                }
                GroupChange::Goals { group, goals } => {
                    groups[group.0 as usize].goals.clone_from(goals);
                }
            }
        }
        let mut shared = start.shared.clone();
        for (name, value) in &self.shared {
            shared.set(name, value.clone());
        }
        State {
            tick: self.tick,
            cursor: self.cursor,
            inputs_down: self.inputs_down.clone(),
            absent_obstacles: self.absent_obstacles.clone(),
            moving_obstacles: self.moving_obstacles.clone(),
            spent_events: self.spent_events.clone(),
            waiting: self.waiting.clone(),
            layers: self.layers.clone(),
            shared,
            groups,
            agents: self.agents.clone(),
            minds: self.minds.clone(),
        }
    }

    /// Appends the keyframe to `text`, with one line for each agent.
    pub(super) fn write(&self, text: &mut String, names: &ScenarioNames) {
        let _ = write!(text, "tick {} {:016x} made {}", self.tick, self.hash, self.agents.made());
        for (made, reached) in &self.made {
            let GoalCounts { goals, agents, lost } = reached;
            let _ = write!(text, " {made}:{goals}:{agents}:{lost}");
        }
        text.push('\n');
        if let Some(at) = self.cursor {
            text.push_str("cursor");
            text::vector(text, at);
            text.push('\n');
        }
        for (word, all) in [("down", &self.inputs_down), ("absent", &self.absent_obstacles)] {
            if !all.is_empty() {
                text.push_str(word);
                for name in all {
                    text.push(' ');
                    text::name(text, name);
                }
                text.push('\n');
            }
        }
        self.moving_obstacles.iter().for_each(|one| moving::write(text, one));
        if !self.spent_events.is_empty() {
            text.push_str("spent");
            self.spent_events.iter().for_each(|number| {
                let _ = write!(text, " {number}");
            });
            text.push('\n');
        }
        self.waiting.iter().for_each(|one| waiting::write(text, one, names));
        for LayerState { name, amounts } in &self.layers {
            text.push_str("layer ");
            text::name(text, name);
            text.push(' ');
            text.push_str(&amounts_text(amounts));
            text.push('\n');
        }
        for (name, value) in &self.shared {
            text.push_str("shared ");
            text::name(text, name);
            text.push(' ');
            text::value(text, value);
            text.push('\n');
        }
        for change in &self.changes {
            match change {
                GroupChange::Param { group, name, value } => {
                    text.push_str("param ");
                    text::name(text, &names.groups[group.0 as usize]);
                    text.push(' ');
                    text::name(text, name);
                    text.push(' ');
                    text::value(text, value);
                }
                GroupChange::Goals { group, goals } => {
                    text.push_str("goals ");
                    text::name(text, &names.groups[group.0 as usize]);
                    for sequence in goals {
                        text.push_str(" then");
                        for goal in sequence.iter() {
                            text::vector(text, goal.at);
                            text.push(' ');
                            text::number(text, goal.radius);
                        }
                    }
                }
            }
            text.push('\n');
        }
        for row in 0..self.agents.len() {
            self.agent(row).write(text, names);
        }
    }

    /// Reads the rest of a line that begins with `tick`; the state has no agents yet.
    pub(super) fn read(
        line: &mut LineParser<'_>,
        names: &ScenarioNames,
    ) -> Result<Self, SyntaxError> {
        let tick = line.parse("a tick")?;
        let hash = line.hex(16)?;
        line.expect("made")?;
        let mut agents = Agents::default();
        agents.set_made(line.parse("an integer")?);
        let made = names.groups.iter().map(|_| {
            let made = line.parse("`made:goals:agents:lost` for each group")?;
            let [goals, agents, lost] = [line.counted()?, line.counted()?, line.counted()?];
            Ok((made, GoalCounts { goals, agents, lost }))
        });
        Ok(Self {
            tick,
            hash,
            cursor: None,
            inputs_down: Vec::new(),
            absent_obstacles: Vec::new(),
            moving_obstacles: Vec::new(),
            spent_events: Vec::new(),
            waiting: Vec::new(),
            layers: Vec::new(),
            shared: Vec::new(),
            made: made.collect::<Result<_, _>>()?,
            changes: Vec::new(),
            agents,
            minds: Minds::new(names.paths.len()),
        })
    }

    /// Reads the rest of a line that begins with `cursor`.
    pub(super) fn read_cursor(&mut self, line: &mut LineParser<'_>) -> Result<(), SyntaxError> {
        self.cursor = Some(line.vector()?);
        Ok(())
    }

    /// Reads the rest of a line that begins with `down`.
    pub(super) fn read_down(&mut self, line: &mut LineParser<'_>) -> Result<(), SyntaxError> {
        read_names(&mut self.inputs_down, line)
    }

    /// Reads the rest of a line that begins with `absent`.
    pub(super) fn read_absent(&mut self, line: &mut LineParser<'_>) -> Result<(), SyntaxError> {
        read_names(&mut self.absent_obstacles, line)
    }

    /// Reads the rest of a line that begins with `moves`.
    pub(super) fn read_moving(
        &mut self,
        line: &mut LineParser<'_>,
        names: &ScenarioNames,
    ) -> Result<(), SyntaxError> {
        self.moving_obstacles.push(moving::read(line, names)?);
        Ok(())
    }

    /// Reads the rest of a line that begins with `spent`.
    pub(super) fn read_spent(&mut self, line: &mut LineParser<'_>) -> Result<(), SyntaxError> {
        while !line.is_done() {
            let number = line.parse("the number of an event")?;
            if self.spent_events.last().is_some_and(|&last| last >= number) {
                return Err(line.wrong("the numbers of events in ascending order"));
            }
            self.spent_events.push(number);
        }
        Ok(())
    }

    /// Reads the rest of a line that begins with `message`.
    pub(super) fn read_message(
        &mut self,
        line: &mut LineParser<'_>,
        names: &ScenarioNames,
    ) -> Result<(), SyntaxError> {
        let before = *line;
        let one = waiting::read(line, names)?;
        let last = self.waiting.last().map_or(self.tick + 1, |last| last.heard);
        if one.heard < last {
            *line = before;
            return Err(line.wrong(
                "messages in the order of the ticks in which they are heard, all after this one",
            ));
        }
        self.waiting.push(one);
        Ok(())
    }

    /// Reads the rest of a line that begins with `layer`.
    pub(super) fn read_layer(&mut self, line: &mut LineParser<'_>) -> Result<(), SyntaxError> {
        let name = line.name()?;
        let mut amounts = Vec::new();
        while !line.is_done() {
            let (amount, count) = line.amount()?;
            if count > MAX_CELLS - amounts.len() {
                return Err(line.wrong("fewer cells"));
            }
            amounts.resize(amounts.len() + count, amount);
        }
        self.layers.push(LayerState { name, amounts: Arc::new(amounts) });
        Ok(())
    }

    /// Reads the rest of a line that begins with `shared`.
    pub(super) fn read_shared(&mut self, line: &mut LineParser<'_>) -> Result<(), SyntaxError> {
        self.shared.push((line.name()?, line.value()?));
        Ok(())
    }

    /// Reads the rest of a line that begins with `param`.
    pub(super) fn read_param(
        &mut self,
        line: &mut LineParser<'_>,
        names: &ScenarioNames,
    ) -> Result<(), SyntaxError> {
        let group = group(line, names)?;
        let (name, value) = (line.name()?, line.value()?);
        self.changes.push(GroupChange::Param { group, name, value });
        Ok(())
    }

    /// Reads the rest of a line that begins with `goals`.
    pub(super) fn read_goals(
        &mut self,
        line: &mut LineParser<'_>,
        names: &ScenarioNames,
    ) -> Result<(), SyntaxError> {
        let group = group(line, names)?;
        let mut goals: Vec<Arc<[Goal]>> = Vec::new();
        while line.takes("then") {
            let mut sequence = Vec::new();
            while !line.is_done() && !{ *line }.takes("then") {
                let (at, radius) = (line.vector()?, line.number()?);
                sequence.push(Goal { at, radius });
            }
            goals.push(sequence.into());
        }
        self.changes.push(GroupChange::Goals { group, goals });
        Ok(())
    }

    /// Reads the line of an agent and adds the agent.
    pub(super) fn read_agent(
        &mut self,
        line: &mut LineParser<'_>,
        names: &ScenarioNames,
        shared: &mut StringPool,
    ) -> Result<(), SyntaxError> {
        let before = *line;
        let agent = AgentState::read(line, names, shared)?;
        self.push(agent).map_err(|misplaced| {
            *line = before;
            line.wrong(match misplaced {
                PushError::Id => "an id above the one before and below the number after `made`",
                PushError::Index => "an index below the number of agents made in the group",
            })
        })
    }

    /// Returns the agent of a row.
    pub(crate) fn agent(&self, row: usize) -> AgentState {
        let agents = &self.agents;
        let (vel, heading) = (agents.vel(row), agents.heading(row));
        let progress = self.minds.progress(row).iter().copied().enumerate();
        AgentState {
            id: agents.id[row],
            group: agents.group[row],
            index: agents.index[row],
            pos: agents.pos(row),
            vel,
            heading: (!same_bits(heading, math::unit(vel))).then_some(heading),
            plan: agents.goal_progress[row],
            own_goal: agents.own_goal(row),
            stopped: agents.stopped[row],
            progress: progress.filter(|(_, one)| *one != Progress::default()).collect(),
            state: self.minds.state(row).clone(),
        }
    }

    /// Adds an agent as the last row.
    ///
    /// # Errors
    ///
    /// If its id or its index cannot be the next one.
    pub(crate) fn push(&mut self, agent: AgentState) -> Result<(), PushError> {
        let made = self.agents.made();
        if self.agents.id.last().is_some_and(|&last| last >= agent.id) || agent.id.0 >= made {
            return Err(PushError::Id);
        }
        if self.made[usize::from(agent.group.0)].0 <= agent.index {
            return Err(PushError::Index);
        }
        let AgentState { pos, vel, plan, .. } = agent;
        self.agents.set_made(agent.id.0);
        let new = NewAgent { pos, vel, heading: None, sequence: plan.sequence };
        self.agents.push(agent.group, agent.index, new);
        self.agents.set_made(made);
        self.minds.grow(self.agents.len());
        let row = self.agents.len() - 1;
        // An agent without velocity and without a stored heading keeps the one it was made with.
        let heading = agent.heading.unwrap_or_else(|| math::unit(vel));
        if heading != Vec2::ZERO {
            *self.agents.heading_mut(row) = heading;
        }
        self.agents.goal_progress[row] = plan;
        if let Some(goal) = agent.own_goal {
            self.agents.set_own_goal(row, goal);
        }
        self.agents.stopped[row] = agent.stopped;
        let mind = self.minds.mind(row);
        for (path, progress) in agent.progress {
            mind.progress[path] = progress;
        }
        *mind.state = agent.state;
        Ok(())
    }

    /// Frees memory that is reserved for more agents.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.agents.shrink_to_fit();
        self.minds.shrink_to_fit();
    }
}

fn same_bits(a: Vec2, b: Vec2) -> bool {
    a.x.to_bits() == b.x.to_bits() && a.y.to_bits() == b.y.to_bits()
}

/// Returns true if two values have the same bits, so that 0.0 differs from -0.0.
fn same(a: &Value, b: &Value) -> bool {
    let written = |of: &Value| {
        let mut line = String::new();
        text::value(&mut line, of);
        line
    };
    written(a) == written(b)
}

fn same_goals(a: &[Arc<[Goal]>], b: &[Arc<[Goal]>]) -> bool {
    let bits = |of: &[Goal]| -> Vec<[u32; 3]> {
        of.iter().map(|goal| [goal.at.x, goal.at.y, goal.radius].map(f32::to_bits)).collect()
    };
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| bits(a) == bits(b))
}

/// Reads the names in the rest of a line.
fn read_names(names: &mut Vec<Arc<str>>, line: &mut LineParser<'_>) -> Result<(), SyntaxError> {
    while !line.is_done() {
        names.push(line.name()?);
    }
    Ok(())
}
