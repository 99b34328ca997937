//! What happens in a run, as seen from outside: states of scripts, goals, speeds and contacts. A hunt keeps starts in which
//! something happens that no run before had.

use crate::math::random::Mix;
use crate::math::{self, Vec2};
use crate::sim::Simulation;
use crate::world::{Value, World};

/// What has happened in a run, each thing once.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct RunFeatures {
    /// The hashes of what has happened, sorted.
    seen: Vec<u64>,
}

/// A kind of thing that happens.
#[derive(Clone, Copy)]
enum FeatureKind {
    /// A boolean, a string or nothing in the state of a script of a group.
    State,
    /// A number of goals that an agent of a group has reached, and how fast it moves.
    Progress,
    /// How near two agents of two groups are, where the second is as seen from the first, and whether they move alike.
    Meeting,
    /// How near an agent of a group is to an obstacle.
    Obstacle,
    /// How many agents touch an agent of a group, about.
    Crowd,
}

/// The run is looked at once in so many ticks, and at its last one.
const EVERY: u64 = 8;

/// Maximum number of agents whose meetings are noted: the first ones. There are pairs of them.
const MAX_AGENTS: usize = 64;

/// The distances between bodies that are told apart, in units of their radii. Bodies that touch are at 1.
const DISTANCES: [f32; 4] = [1.0, 1.3, 2.0, 4.0];

impl RunFeatures {
    /// Notes what happens now.
    pub(super) fn note(&mut self, simulation: &Simulation, is_last: bool) {
        let world = simulation.world();
        if !is_last && !world.tick.is_multiple_of(EVERY) {
            return;
        }
        let count = world.agents.len().min(MAX_AGENTS);
        for row in 0..count {
            self.note_agent(simulation, row);
            let mut touching = 0;
            for other in 0..count {
                touching += u64::from(other != row && self.note_meeting(world, row, other));
            }
            // One, two, and more than two.
            self.add(FeatureKind::Crowd, &[group(world, row), touching.min(3)]);
        }
    }

    /// Returns the hashes of what has happened.
    pub(super) fn seen(&self) -> &[u64] {
        &self.seen
    }

    fn add(&mut self, kind: FeatureKind, parts: &[u64]) {
        let mix = parts.iter().fold(Mix::new(kind as u64), |mix, part| mix.with(*part));
        let hash = mix.value();
        if let Err(place) = self.seen.binary_search(&hash) {
            self.seen.insert(place, hash);
        }
    }

    /// Notes the state, the progress and the surroundings of an agent.
    fn note_agent(&mut self, simulation: &Simulation, row: usize) {
        let world = simulation.world();
        let (agents, of) = (&world.agents, group(world, row));
        for (name, value) in simulation.minds().state(row).iter() {
            let content = match value {
                Value::Nothing => 0,
                Value::Bool(value) => 1 + u64::from(*value),
                Value::String(text) => Mix::new(3).with_str(text).value(),
                _ => continue,
            };
            let name = Mix::new(0).with_str(name).value();
            self.add(FeatureKind::State, &[of, name, content]);
        }
        let body = *world.agent(row).body();
        let (at, speed) = (agents.pos(row), math::length(agents.vel(row)));
        let pace =
            u64::from(speed > 0.05 * body.max_speed) + u64::from(speed > 0.95 * body.max_speed);
        let reached = u64::from(agents.goal_progress[row].reached.min(7));
        self.add(FeatureKind::Progress, &[of, reached, pace, u64::from(agents.stopped[row])]);
        for (index, obstacle) in world.obstacles.iter().take(MAX_AGENTS).enumerate() {
            let distance = obstacle.shape.surface(at).distance;
            if let Some(near) = nearness(distance, body.radius) {
                self.add(FeatureKind::Obstacle, &[of, index as u64, near]);
            }
        }
    }

    /// Notes how an agent meets another one. Returns whether they touch.
    fn note_meeting(&mut self, world: &World, row: usize, other: usize) -> bool {
        let agents = &world.agents;
        let offset = world.space.offset(agents.pos(row), agents.pos(other));
        let radii = world.agent(row).body().radius + world.agent(other).body().radius;
        let Some(near) = nearness(math::length(offset), radii) else { return false };
        let heading = agents.heading(row);
        let side = quarter(heading, offset);
        let way = quarter(heading, agents.heading(other));
        let groups = [group(world, row), group(world, other)];
        self.add(FeatureKind::Meeting, &[groups[0], groups[1], near, side, way]);
        near == 0
    }
}

fn group(world: &World, row: usize) -> u64 {
    u64::from(world.agents.group[row].0)
}

/// Returns how near something is, from 0; `None` if it is far.
fn nearness(distance: f32, radius: f32) -> Option<u64> {
    let index = DISTANCES.iter().position(|limit| distance < limit * radius)?;
    Some(index as u64)
}

/// Returns the quarter of a direction as seen along a heading: ahead, left, behind or right.
fn quarter(heading: Vec2, direction: Vec2) -> u64 {
    let (along, across) = (heading.dot(direction), math::perp(heading).dot(direction));
    let is_along = along * along >= across * across;
    match (is_along, along >= 0.0, across >= 0.0) {
        (true, true, _) => 0,
        (false, _, true) => 1,
        (true, false, _) => 2,
        (false, _, false) => 3,
    }
}
