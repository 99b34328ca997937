//! The whole state at one tick, as text: what a run can be taken up from.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use super::text::{self, Line, Wrong};
use crate::math::{self, Vec2};
use crate::sim::{Reached, Simulation, State};
use crate::trace::state_hash;
use crate::world::{Agents, Goal, GroupId, Minds, Newborn, Plan, Progress, Value};

/// What should be where the name of a group is unknown.
pub(super) const A_GROUP: &str = "the name of a group";

/// What should be where the name of a path is unknown.
pub(super) const A_PATH: &str = "the name of a path";

/// The state at a tick, but for what the scenario says of the groups and no event has changed: a run that
/// is taken up from here has the params that the scenario has now.
#[derive(Clone, Debug, PartialEq)]
pub struct Keyframe {
    /// When.
    pub tick: u64,
    /// [`state_hash`] of it.
    pub hash: u64,
    /// Where the pointer was, in world units, if there was one.
    pub cursor: Option<Vec2>,
    /// How many agents of each group there had ever been, and what they had reached.
    pub made: Vec<(u32, Reached)>,
    /// What events had changed about the groups.
    pub changed: Vec<Changed>,
    /// All agents there were.
    pub agents: Agents,
    /// What they knew.
    pub minds: Minds,
}

/// Something about a group that is not as the scenario says.
#[derive(Clone, Debug, PartialEq)]
pub enum Changed {
    /// A param has another value.
    Param {
        /// Of which group.
        group: GroupId,
        /// Which.
        name: Arc<str>,
        /// What it is.
        value: Value,
    },
    /// It has other goals.
    Goals {
        /// Which group.
        group: GroupId,
        /// Its sequences.
        goals: Vec<Arc<[Goal]>>,
    },
}

/// What the groups and paths of a golden are called, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// The groups.
    pub groups: Vec<Arc<str>>,
    /// The paths.
    pub paths: Vec<Arc<str>>,
}

impl Names {
    /// Those of a run.
    pub fn of(simulation: &Simulation) -> Self {
        let world = simulation.world();
        Self {
            groups: world.groups.iter().map(|one| Arc::clone(&one.name)).collect(),
            paths: world.paths.iter().map(|one| Arc::clone(&one.name)).collect(),
        }
    }
}

impl Keyframe {
    /// The state of a run that began in `start`.
    pub fn of(simulation: &Simulation, start: &State) -> Self {
        let world = simulation.world();
        let mut changed = Vec::new();
        for (i, (group, before)) in world.groups.iter().zip(&start.groups).enumerate() {
            let id = GroupId(i as u16);
            for (name, value) in group.params.iter() {
                if !before.params.get(name).is_some_and(|was| same(was, value)) {
                    changed.push(Changed::Param {
                        group: id,
                        name: name.into(),
                        value: value.clone(),
                    });
                }
            }
            if !same_goals(&group.goals, &before.goals) {
                let goals = group.goals.clone();
                changed.push(Changed::Goals { group: id, goals });
            }
        }
        let made = (0..).map(GroupId).zip(&world.groups);
        let made = made.map(|(id, group)| (group.made, simulation.reached(id)));
        let made = made.collect();
        Self {
            tick: world.tick,
            hash: state_hash(world, simulation.minds()),
            cursor: world.cursor,
            made,
            changed,
            agents: world.agents.clone(),
            minds: simulation.minds().clone(),
        }
    }

    /// The state to go on from, of a run that begins in `start`.
    pub fn state(&self, start: &State) -> State {
        let mut groups = start.groups.clone();
        for (group, &(made, reached)) in groups.iter_mut().zip(&self.made) {
            group.made = made;
            group.reached = reached;
        }
        for changed in &self.changed {
            match changed {
                Changed::Param { group, name, value } => {
                    groups[group.0 as usize].params.set(name, value.clone());
                }
                Changed::Goals { group, goals } => {
                    groups[group.0 as usize].goals.clone_from(goals);
                }
            }
        }
        State {
            tick: self.tick,
            cursor: self.cursor,
            groups,
            agents: self.agents.clone(),
            minds: self.minds.clone(),
        }
    }

    /// Adds it to a text, a line for each agent.
    pub(super) fn write(&self, text: &mut String, names: &Names) {
        let _ = write!(text, "tick {} {:016x}", self.tick, self.hash);
        self.write_without_hash(text, names);
    }

    /// All that follows the tick and its hash.
    pub(super) fn write_without_hash(&self, text: &mut String, names: &Names) {
        let _ = write!(text, " made {}", self.agents.made());
        for (made, reached) in &self.made {
            let Reached { goals, agents, lost } = reached;
            let _ = write!(text, " {made}:{goals}:{agents}:{lost}");
        }
        text.push('\n');
        if let Some(at) = self.cursor {
            text.push_str("cursor");
            vector(text, at);
            text.push('\n');
        }
        for changed in &self.changed {
            match changed {
                Changed::Param { group, name, value } => {
                    text.push_str("param ");
                    text::name(text, &names.groups[group.0 as usize]);
                    text.push(' ');
                    text::name(text, name);
                    text.push(' ');
                    text::value(text, value);
                }
                Changed::Goals { group, goals } => {
                    text.push_str("goals ");
                    text::name(text, &names.groups[group.0 as usize]);
                    for sequence in goals {
                        text.push_str(" then");
                        for goal in sequence.iter() {
                            vector(text, goal.at);
                            text.push(' ');
                            text::number(text, goal.radius);
                        }
                    }
                }
            }
            text.push('\n');
        }
        for row in 0..self.agents.len() {
            self.write_agent(text, names, row);
        }
    }

    fn write_agent(&self, text: &mut String, names: &Names, row: usize) {
        let agents = &self.agents;
        let _ = write!(text, "{} ", agents.id[row]);
        text::name(text, &names.groups[agents.group[row].0 as usize]);
        let _ = write!(text, " {}", agents.index[row]);
        vector(text, agents.pos[row]);
        vector(text, agents.vel[row]);
        if !same_bits(agents.heading[row], math::unit(agents.vel[row])) {
            text.push_str(" look");
            vector(text, agents.heading[row]);
        }
        let plan = agents.plan[row];
        if plan != Plan::default() {
            let _ = write!(text, " goal {} {}", plan.sequence, plan.reached);
        }
        if agents.stopped[row] {
            text.push_str(" stopped");
        }
        for (progress, name) in self.minds.progress(row).iter().zip(&names.paths) {
            if *progress != Progress::default() {
                text.push_str(" path ");
                text::name(text, name);
                let _ = write!(text, " {}", progress.waypoint);
                text.push_str(if progress.back { " back" } else { "" });
            }
        }
        let state = self.minds.state(row);
        if state.names().next().is_some() {
            text.push_str(" state");
        }
        for (key, value) in state.iter() {
            text.push(' ');
            text::name(text, key);
            text.push(' ');
            text::value(text, value);
        }
        text.push('\n');
    }

    /// The state that a line after `tick` begins, still without agents. The hash may be left out and then
    /// is 0: the start of a scenario has none.
    pub(super) fn read(line: &mut Line<'_>, names: &Names) -> Result<Self, Wrong> {
        let tick = line.parse("the number of a tick")?;
        let is_hashed = !{ *line }.takes("made");
        let hash = if is_hashed { line.hex(16)? } else { 0 };
        line.expect("made")?;
        let mut agents = Agents::default();
        agents.set_made(line.parse("an integer")?);
        let made = names.groups.iter().map(|_| {
            let made = line.parse("made:goals:agents:lost for each group")?;
            let [goals, agents, lost] = [line.counted()?, line.counted()?, line.counted()?];
            Ok((made, Reached { goals, agents, lost }))
        });
        Ok(Self {
            tick,
            hash,
            cursor: None,
            made: made.collect::<Result<_, _>>()?,
            changed: Vec::new(),
            agents,
            minds: Minds::new(names.paths.len()),
        })
    }

    /// Takes in the line after `cursor`.
    pub(super) fn read_cursor(&mut self, line: &mut Line<'_>) -> Result<(), Wrong> {
        self.cursor = Some(line.vector()?);
        Ok(())
    }

    /// Takes in the line after `param`.
    pub(super) fn read_param(&mut self, line: &mut Line<'_>, names: &Names) -> Result<(), Wrong> {
        let group = group(line, names)?;
        let (name, value) = (line.name()?, line.value()?);
        self.changed.push(Changed::Param { group, name, value });
        Ok(())
    }

    /// Takes in the line after `goals`.
    pub(super) fn read_goals(&mut self, line: &mut Line<'_>, names: &Names) -> Result<(), Wrong> {
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
        self.changed.push(Changed::Goals { group, goals });
        Ok(())
    }

    /// Takes in the line of an agent.
    pub(super) fn read_agent(
        &mut self,
        line: &mut Line<'_>,
        names: &Names,
        shared: &mut Shared,
    ) -> Result<(), Wrong> {
        let before = *line;
        let id: u32 = line.parse("the id of an agent")?;
        let made = self.agents.made();
        if self.agents.id.last().is_some_and(|&last| last >= id) || id >= made {
            *line = before;
            return Err(line.wrong("a higher id, and one that has been made"));
        }
        let group = group(line, names)?;
        let before = *line;
        let index = line.parse("the agent's place in its group")?;
        if self.made[usize::from(group.0)].0 <= index {
            *line = before;
            return Err(line.wrong("a number below how many its group has made"));
        }
        let (pos, vel) = (line.vector()?, line.vector()?);
        let heading = if line.takes("look") { line.vector()? } else { math::unit(vel) };
        let mut plan = Plan::default();
        if line.takes("goal") {
            plan.sequence = line.parse("an integer")?;
            plan.reached = line.parse("an integer")?;
        }
        self.agents.set_made(id);
        self.agents.push(
            group,
            index,
            Newborn { pos, vel, heading: None, sequence: plan.sequence },
        );
        self.agents.set_made(made);
        self.minds.grow(self.agents.len());
        let row = self.agents.len() - 1;
        // Who stands still and looks nowhere in particular looks as it was made.
        if heading != Vec2::ZERO {
            self.agents.heading[row] = heading;
        }
        self.agents.plan[row] = plan;
        self.agents.stopped[row] = line.takes("stopped");
        let mind = self.minds.mind(row);
        while line.takes("path") {
            let before = *line;
            let name = line.name()?;
            let Some(path) = names.paths.iter().position(|known| *known == name) else {
                *line = before;
                return Err(line.wrong(A_PATH));
            };
            mind.progress[path] = Progress {
                waypoint: line.parse("the number of a waypoint")?,
                back: line.takes("back"),
            };
        }
        if line.takes("state") {
            while !line.is_done() {
                let name = shared.text(line.name()?);
                mind.state.put(&name, shared.value(line.value()?));
            }
        }
        Ok(())
    }

    /// Gives back memory that is kept for more agents.
    pub(super) fn shrink_to_fit(&mut self) {
        self.agents.shrink_to_fit();
        self.minds.shrink_to_fit();
    }
}

/// Strings that are kept once, however many agents have them.
#[derive(Default)]
pub(super) struct Shared(BTreeSet<Arc<str>>);

impl Shared {
    fn text(&mut self, text: Arc<str>) -> Arc<str> {
        if let Some(known) = self.0.get(&text) {
            return Arc::clone(known);
        }
        self.0.insert(Arc::clone(&text));
        text
    }

    fn value(&mut self, value: Value) -> Value {
        match value {
            Value::Text(text) => Value::Text(self.text(text)),
            other => other,
        }
    }
}

fn group(line: &mut Line<'_>, names: &Names) -> Result<GroupId, Wrong> {
    let before = *line;
    let name = line.name()?;
    match names.groups.iter().position(|known| *known == name) {
        Some(place) => Ok(GroupId(place as u16)),
        None => {
            *line = before;
            Err(line.wrong(A_GROUP))
        }
    }
}

fn vector(text: &mut String, v: Vec2) {
    text.push(' ');
    text::number(text, v.x);
    text.push(' ');
    text::number(text, v.y);
}

/// Whether two values have the same bits: equal zeros need not have.
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

fn same_bits(a: Vec2, b: Vec2) -> bool {
    a.x.to_bits() == b.x.to_bits() && a.y.to_bits() == b.y.to_bits()
}
