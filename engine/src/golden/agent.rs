//! One agent of a state: a line of a golden, or an entry in the `start` of a scenario.

use std::fmt::Write as _;

use super::scenario_names::{ScenarioNames, group, named};
use super::string_pool::StringPool;
use super::text::{self, LineParser, SyntaxError};
use crate::math::Vec2;
use crate::world::{AgentId, Goal, GoalProgress, GroupId, Progress, Values};

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
    /// The goal that it has set itself.
    pub(crate) own_goal: Option<Goal>,
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

impl AgentState {
    /// Appends the agent's line to `text`.
    pub(super) fn write(&self, text: &mut String, names: &ScenarioNames) {
        let _ = write!(text, "{} ", self.id);
        text::name(text, &names.groups[usize::from(self.group.0)]);
        let _ = write!(text, " {}", self.index);
        text::vector(text, self.pos);
        text::vector(text, self.vel);
        if let Some(heading) = self.heading {
            text.push_str(" look");
            text::vector(text, heading);
        }
        if self.plan != GoalProgress::default() {
            let _ = write!(text, " goal {} {}", self.plan.sequence, self.plan.reached);
        }
        if let Some(Goal { at, radius }) = self.own_goal {
            text.push_str(" own_goal");
            text::vector(text, at);
            text.push(' ');
            text::number(text, radius);
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
            own_goal: None,
            stopped: false,
            progress: Vec::new(),
            state: Values::default(),
        };
        if line.takes("goal") {
            let mut count = || line.parse("an integer");
            agent.plan = GoalProgress { sequence: count()?, reached: count()? };
        }
        if line.takes("own_goal") {
            agent.own_goal = Some(Goal { at: line.vector()?, radius: line.number()? });
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
