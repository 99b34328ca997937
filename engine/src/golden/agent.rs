//! One agent of a state: a line of a golden, or an entry in the `start` of a scenario.

use std::fmt::Write as _;

use super::keyframe::{Keyframe, ScenarioNames, StringPool, group, named, vector};
use super::text::{self, LineParser, SyntaxError};
use crate::math::{self, Vec2};
use crate::world::{AgentId, GoalProgress, GroupId, NewAgent, Progress, Values};

/// Everything that a state stores for one agent.
pub(crate) struct AgentState {
    pub(crate) id: AgentId,
    pub(crate) group: GroupId,
    /// Its index among all agents ever made in its group.
    pub(crate) index: u32,
    pub(crate) pos: Vec2,
    pub(crate) vel: Vec2,
    /// A unit vector; `None` if the agent faces along its velocity.
    pub(crate) heading: Option<Vec2>,
    pub(crate) plan: GoalProgress,
    pub(crate) stopped: bool,
    /// Its progress on the paths that it has begun, each with the index of the path.
    pub(crate) progress: Vec<(usize, Progress)>,
    /// The values that its script stores in `me.state`.
    pub(crate) state: Values,
}

/// Why an agent cannot be added to a state.
pub(crate) enum PushError {
    /// Its id is not above the one before, or was never given to an agent.
    Id,
    /// Its index is not below the number of agents made in its group.
    Index,
}

impl Keyframe {
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
        self.agents.stopped[row] = agent.stopped;
        let mind = self.minds.mind(row);
        for (path, progress) in agent.progress {
            mind.progress[path] = progress;
        }
        *mind.state = agent.state;
        Ok(())
    }
}

impl AgentState {
    /// Appends the agent's line to `text`.
    pub(super) fn write(&self, text: &mut String, names: &ScenarioNames) {
        let _ = write!(text, "{} ", self.id);
        text::name(text, &names.groups[usize::from(self.group.0)]);
        let _ = write!(text, " {}", self.index);
        vector(text, self.pos);
        vector(text, self.vel);
        if let Some(heading) = self.heading {
            text.push_str(" look");
            vector(text, heading);
        }
        if self.plan != GoalProgress::default() {
            let _ = write!(text, " goal {} {}", self.plan.sequence, self.plan.reached);
        }
        if self.stopped {
            text.push_str(" stopped");
        }
        for (path, progress) in &self.progress {
            text.push_str(" path ");
            text::name(text, &names.paths[*path]);
            let _ = write!(text, " {}", progress.waypoint);
            text.push_str(if progress.back { " back" } else { "" });
        }
        if self.state.names().next().is_some() {
            text.push_str(" state");
        }
        for (key, value) in self.state.iter() {
            text.push(' ');
            text::name(text, key);
            text.push(' ');
            text::value(text, value);
        }
        text.push('\n');
    }

    /// Reads an agent's line.
    ///
    /// # Errors
    ///
    /// If the line does not have the expected form.
    pub(super) fn read(
        line: &mut LineParser<'_>,
        names: &ScenarioNames,
        shared: &mut StringPool,
    ) -> Result<Self, SyntaxError> {
        let mut agent = Self {
            id: line.parse("the id of an agent")?,
            group: group(line, names)?,
            index: line.parse("the agent's index in its group")?,
            pos: line.vector()?,
            vel: line.vector()?,
            heading: line.takes("look").then(|| line.vector()).transpose()?,
            plan: GoalProgress::default(),
            stopped: false,
            progress: Vec::new(),
            state: Values::default(),
        };
        if line.takes("goal") {
            let mut count = || line.parse("an integer");
            agent.plan = GoalProgress { sequence: count()?, reached: count()? };
        }
        agent.stopped = line.takes("stopped");
        while line.takes("path") {
            let path = named(line, &names.paths, "the name of a path")?;
            let waypoint = line.parse("the index of a waypoint")?;
            agent.progress.push((path, Progress { waypoint, back: line.takes("back") }));
        }
        if line.takes("state") {
            while !line.is_done() {
                let name = shared.intern(line.name()?);
                agent.state.put(&name, shared.intern_value(line.value()?));
            }
        }
        Ok(agent)
    }
}

fn same_bits(a: Vec2, b: Vec2) -> bool {
    a.x.to_bits() == b.x.to_bits() && a.y.to_bits() == b.y.to_bits()
}
