//! The difference between two states of one scenario.
//!
//! Compares agents, minds and layers. It does not decide whether a difference is acceptable, beyond counting the agents that
//! exceed a tolerance.

use std::fmt;

use super::Tolerance;
use super::keyframe::Keyframe;
use super::text;
use crate::math::Vec2;
use crate::sim::{LayerState, Simulation};
use crate::world::{AgentId, Agents, Goal, GoalProgress, Layer, Minds, Space};

/// The agents, minds and layers of a state, borrowed.
#[derive(Clone, Copy, Debug)]
pub struct StateView<'s> {
    /// All agents.
    pub agents: &'s Agents,
    /// Their minds, in the same rows.
    pub minds: &'s Minds,
    /// The layers.
    pub layers: LayersView<'s>,
}

/// The layers of a state, borrowed.
#[derive(Clone, Copy, Debug)]
pub enum LayersView<'s> {
    /// Those of a world.
    World(&'s [Layer]),
    /// Those of a recorded state.
    Recorded(&'s [LayerState]),
}

impl<'s> LayersView<'s> {
    /// Returns the amounts of a layer; none if there is no such layer.
    fn amounts(self, name: &str) -> &'s [f32] {
        let amounts = match self {
            Self::World(layers) => {
                layers.iter().find(|one| *one.name == *name).map(|one| &one.amounts)
            }
            Self::Recorded(layers) => {
                layers.iter().find(|one| *one.name == *name).map(|one| &one.amounts)
            }
        };
        amounts.map_or(&[], |amounts| amounts)
    }

    fn names(self) -> Vec<&'s str> {
        match self {
            Self::World(layers) => layers.iter().map(|one| &*one.name).collect(),
            Self::Recorded(layers) => layers.iter().map(|one| &*one.name).collect(),
        }
    }
}

impl<'s> From<&'s Simulation> for StateView<'s> {
    fn from(simulation: &'s Simulation) -> Self {
        let world = simulation.world();
        let layers = LayersView::World(&world.layers);
        Self { agents: &world.agents, minds: simulation.minds(), layers }
    }
}

impl<'s> From<&'s Keyframe> for StateView<'s> {
    fn from(keyframe: &'s Keyframe) -> Self {
        let layers = LayersView::Recorded(&keyframe.layers);
        Self { agents: &keyframe.agents, minds: &keyframe.minds, layers }
    }
}

/// The differences between a state and the expected state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Difference {
    /// Number of agents that differ in anything, including missing and surplus ones.
    pub agents: usize,
    /// The agent that is farthest from its expected position; `None` if all positions are equal.
    pub position: Option<FarthestAgent>,
    /// The agent whose velocity differs most; `None` if all velocities are equal.
    pub velocity: Option<FarthestAgent>,
    /// Ids of the agents that are expected and not there.
    pub missing: Vec<AgentId>,
    /// Ids of the agents that are there and not expected.
    pub surplus: Vec<AgentId>,
    /// The first field that differs, of the first agent (by id) that differs.
    pub first: Option<FieldDifference>,
    /// The distances of each agent that is in both states.
    pub offsets: Vec<AgentOffset>,
    /// The layers that differ.
    pub layers: Vec<LayerDifference>,
}

/// How a layer differs.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerDifference {
    /// The name of the layer.
    pub name: String,
    /// Number of cells that differ, including those that only one state has.
    pub cells: usize,
    /// The first cell that differs: its index, the expected amount and the actual one. `None` if the numbers of cells differ.
    pub first: Option<(usize, f32, f32)>,
}

impl LayerDifference {
    fn between(name: &str, was: &[f32], is: &[f32]) -> Option<Self> {
        let mut cells = was.len().abs_diff(is.len());
        let has_same_cells = cells == 0;
        let mut first = None;
        for (cell, (&a, &b)) in was.iter().zip(is).enumerate() {
            if a.to_bits() != b.to_bits() {
                cells += 1;
                first.get_or_insert((cell, a, b));
            }
        }
        let first = first.filter(|_| has_same_cells);
        (cells > 0).then(|| Self { name: name.to_owned(), cells, first })
    }
}

/// How far an agent is from what is expected of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AgentOffset {
    /// The agent's id.
    pub id: AgentId,
    /// The distance between its positions, in world units.
    pub position: f32,
    /// The distance between its velocities, in world units per second.
    pub velocity: f32,
}

/// The agent that differs most, and by how much.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FarthestAgent {
    /// The agent's id.
    pub id: AgentId,
    /// The distance in world units (positions) or world units per second (velocities); above 0.
    pub by: f32,
}

/// One field of one agent that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldDifference {
    /// The agent's id.
    pub id: AgentId,
    /// The field.
    pub field: Field,
    /// The expected value.
    pub was: String,
    /// The actual value.
    pub is: String,
}

/// A field in which agents can differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field {
    /// Its position.
    Position,
    /// Its velocity.
    Velocity,
    /// Its heading.
    Heading,
    /// The goal that it is moving to.
    Goal,
    /// Whether it has stopped for good.
    Stopped,
    /// Its group, or its index in the group.
    Group,
    /// Its progress on a path.
    Path,
    /// An element of `me.state`, by name.
    State(String),
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Position => "position",
            Self::Velocity => "velocity",
            Self::Heading => "heading",
            Self::Goal => "goal",
            Self::Stopped => "stopped",
            Self::Group => "group",
            Self::Path => "progress on its path",
            Self::State(name) => return write!(f, "state.{name}"),
        })
    }
}

impl Difference {
    /// Compares a state (`is`) with the expected state (`was`). Distances take the edge of `space` into account.
    pub fn between<'s>(
        space: &Space,
        was: impl Into<StateView<'s>>,
        is: impl Into<StateView<'s>>,
    ) -> Self {
        let (was, is) = (was.into(), is.into());
        let mut this = Self::default();
        let (mut old, mut new) = (0, 0);
        loop {
            match (was.agents.id.get(old), is.agents.id.get(new)) {
                (Some(a), Some(b)) if a == b => {
                    this.compare(space, (was, old), (is, new));
                    old += 1;
                    new += 1;
                }
                (Some(a), other) if other.is_none_or(|b| a < b) => {
                    this.missing.push(*a);
                    old += 1;
                }
                (_, Some(b)) => {
                    this.surplus.push(*b);
                    new += 1;
                }
                _ => break,
            }
        }
        this.agents += this.missing.len() + this.surplus.len();
        let (mut names, more) = (was.layers.names(), is.layers.names());
        names.extend(more.into_iter().filter(|name| was.layers.amounts(name).is_empty()));
        for name in names {
            let (a, b) = (was.layers.amounts(name), is.layers.amounts(name));
            this.layers.extend(LayerDifference::between(name, a, b));
        }
        this
    }

    /// Returns true if nothing differs.
    pub fn is_empty(&self) -> bool {
        self.agents == 0 && self.layers.is_empty()
    }

    /// Returns the largest distance of an agent from its expected position, in world units; 0 if there is none.
    pub fn distance(&self) -> f32 {
        self.position.map_or(0.0, |largest| largest.by)
    }

    /// Counts the agents that exceed the tolerance, including missing and surplus ones.
    pub fn count_beyond(&self, tolerance: Tolerance) -> usize {
        let is_beyond = |offset: &&AgentOffset| {
            offset.position > tolerance.position
                || tolerance.velocity.is_some_and(|most| offset.velocity > most)
        };
        self.offsets.iter().filter(is_beyond).count() + self.missing.len() + self.surplus.len()
    }

    /// Returns true if more agents exceed the tolerance than its `share` permits.
    pub fn exceeds(&self, tolerance: Tolerance) -> bool {
        let all = self.offsets.len() + self.missing.len() + self.surplus.len();
        let may_be = (1.0 - f64::from(tolerance.share)) * all as f64;
        self.count_beyond(tolerance) as f64 > may_be
    }

    fn compare(
        &mut self,
        space: &Space,
        (was, old): (StateView<'_>, usize),
        (is, new): (StateView<'_>, usize),
    ) {
        let id = was.agents.id[old];
        let (a, b) = (was.agents, is.agents);
        let position = space.offset(a.pos(old), b.pos(new)).length();
        let velocity = (b.vel(new) - a.vel(old)).length();
        keep_larger(&mut self.position, id, position);
        keep_larger(&mut self.velocity, id, velocity);
        self.offsets.push(AgentOffset { id, position, velocity });
        let found = first_difference(was, old, is, new);
        if let Some((field, was, is)) = found {
            self.agents += 1;
            self.first.get_or_insert(FieldDifference { id, field, was, is });
        }
    }
}

fn keep_larger(largest: &mut Option<FarthestAgent>, id: AgentId, by: f32) {
    if by > 0.0 && largest.is_none_or(|known| by > known.by) {
        *largest = Some(FarthestAgent { id, by });
    }
}

/// Returns the first field in which an agent differs, with the expected and the actual value.
fn first_difference(
    was: StateView<'_>,
    old: usize,
    is: StateView<'_>,
    new: usize,
) -> Option<(Field, String, String)> {
    let (a, b) = (was.agents, is.agents);
    let vectors = [
        (Field::Position, a.pos(old), b.pos(new)),
        (Field::Velocity, a.vel(old), b.vel(new)),
        (Field::Heading, a.heading(old), b.heading(new)),
    ];
    let bits = |v: Vec2| (v.x.to_bits(), v.y.to_bits());
    for (field, a, b) in vectors {
        if bits(a) != bits(b) {
            return Some((field, shown(a), shown(b)));
        }
    }
    if (a.goal_progress[old], a.own_goal(old)) != (b.goal_progress[new], b.own_goal(new)) {
        return Some((Field::Goal, goal_text(a, old), goal_text(b, new)));
    }
    if a.stopped[old] != b.stopped[new] {
        let shown = |stopped: bool| stopped.to_string();
        return Some((Field::Stopped, shown(a.stopped[old]), shown(b.stopped[new])));
    }
    let group = |agents: &Agents, row: usize| (agents.group[row].0, agents.index[row]);
    if group(a, old) != group(b, new) {
        let shown = |(group, index): (u16, u32)| format!("index {index} of group {group}");
        return Some((Field::Group, shown(group(a, old)), shown(group(b, new))));
    }
    let (left, right) = (was.minds.progress(old), is.minds.progress(new));
    if let Some((a, b)) = left.iter().zip(right).find(|(a, b)| a != b) {
        let shown = |waypoint: u32| format!("waypoint {waypoint}");
        return Some((Field::Path, shown(a.waypoint), shown(b.waypoint)));
    }
    let (left, right) = (was.minds.state(old), is.minds.state(new));
    let names = left.names().chain(right.names());
    for name in names {
        let written = |of: Option<&crate::world::Value>| {
            let mut line = String::new();
            match of {
                Some(value) => text::value(&mut line, value),
                None => line.push_str("not set"),
            }
            line
        };
        // Compared as text: NaN equals NaN here, and 0.0 differs from -0.0.
        let (a, b) = (written(left.get(name)), written(right.get(name)));
        if a != b {
            return Some((Field::State(name.to_owned()), a, b));
        }
    }
    None
}

fn goal_text(agents: &Agents, row: usize) -> String {
    let GoalProgress { sequence, reached } = agents.goal_progress[row];
    match agents.own_goal(row) {
        Some(Goal { at, radius }) => format!("{reached} of its own at {at} with radius {radius}"),
        None => format!("{reached} of sequence {sequence}"),
    }
}

fn shown(v: Vec2) -> String {
    let mut line = String::from("(");
    text::number(&mut line, v.x);
    line.push_str(", ");
    text::number(&mut line, v.y);
    line.push(')');
    line
}
