//! Hashes of a run's state: XXH3 over bits, in one fixed order.

use xxhash_rust::xxh3::Xxh3;

use crate::math::Vec2;
use crate::world::{
    AgentMessage, Agents, LateListeners, Minds, ObstacleMotion, ObstacleState, Progress, Value,
    Values, WaitingMessage, World,
};

/// Returns the hash of all agents (where they are, how they move, and what they know) and of the amounts of all layers. This is the number
/// that `flockwork run` prints, that the window shows, and that goldens record for each tick.
///
/// The params and goals of groups are left out: a changed param shows in the tick in which an agent first
/// acts on it, and not before. The same holds for shared values. [`world_hash`] has them.
pub fn state_hash(world: &World, minds: &Minds) -> u64 {
    let mut hash = Encoder::new();
    hash.agents(&world.agents, minds);
    hash.layers(world);
    hash.finish()
}

/// Returns the hash of everything that changes during a run and determines its future: the agents as in
/// [`state_hash`], the tick, the pointer, which inputs are true, the params and goals of groups, which obstacles are absent, where others
/// are that have moved, which events with conditions wait, the messages that are not heard yet, and the shared values. Two runs of one
/// scenario with the same hash continue in the same way, whatever the machine and the number of threads.
///
/// Everything that only the scenario sets and no tick changes (bodies, shapes, the edge) is left out.
pub fn world_hash(world: &World, minds: &Minds) -> u64 {
    let mut hash = Encoder::new();
    hash.long(world.tick);
    hash.count(world.groups.len());
    for group in &world.groups {
        hash.int(group.made);
        hash.values(&group.params);
        hash.count(group.goals.len());
        for sequence in &group.goals {
            hash.count(sequence.len());
            for goal in sequence.iter() {
                hash.vector(goal.at);
                hash.float(goal.radius);
            }
        }
    }
    hash.agents(&world.agents, minds);
    if let Some(at) = world.cursor {
        hash.vector(at);
    }
    // Other worlds keep the hashes that they had before there were such things.
    if !(world.absent.is_empty() && world.spent_events.is_empty()) {
        hash.bytes(b"absent");
        hash.count(world.absent.len());
        world.absent.iter().for_each(|(id, _)| hash.int(u32::from(id.0)));
        hash.count(world.spent_events.len());
        world.spent_events.iter().for_each(|&number| hash.int(number));
    }
    hash.obstacles(&world.moving_obstacles());
    hash.layers(world);
    hash.waiting(world);
    if world.inputs.iter().any(|input| input.is_down) {
        hash.bytes(b"inputs");
        hash.count(world.inputs.len());
        world.inputs.iter().for_each(|input| hash.byte(u8::from(input.is_down)));
    }
    if !world.shared.is_empty() {
        hash.bytes(b"shared");
        hash.count(world.shared.len());
        for shared in &world.shared {
            hash.text(&shared.name);
            hash.value(shared.value());
        }
    }
    hash.finish()
}

/// Number of bytes that are hashed at a time. Hashing each value separately would take longer than a tick.
const BUFFERED: usize = 4096;

/// Encodes a state for the hash, so that different states give different bytes: a length before each list, a tag before
/// each value, and numbers in little-endian order on every machine.
struct Encoder {
    hash: Xxh3,
    buffer: [u8; BUFFERED],
    used: usize,
}

impl Encoder {
    fn new() -> Self {
        Self { hash: Xxh3::new(), buffer: [0; BUFFERED], used: 0 }
    }

    fn finish(mut self) -> u64 {
        self.hash.update(&self.buffer[..self.used]);
        self.hash.digest()
    }

    #[inline]
    fn bytes(&mut self, bytes: &[u8]) {
        if self.used + bytes.len() > BUFFERED {
            self.hash.update(&self.buffer[..self.used]);
            self.used = 0;
            if bytes.len() > BUFFERED {
                self.hash.update(bytes);
                return;
            }
        }
        self.buffer[self.used..self.used + bytes.len()].copy_from_slice(bytes);
        self.used += bytes.len();
    }

    fn agents(&mut self, agents: &Agents, minds: &Minds) {
        self.int(agents.made());
        self.count(agents.len());
        for row in 0..agents.len() {
            self.int(agents.id[row].0);
            self.int(u32::from(agents.group[row].0));
            self.int(agents.index[row]);
            self.vector(agents.pos(row));
            self.vector(agents.vel(row));
            self.vector(agents.heading(row));
            self.int(agents.goal_progress[row].sequence);
            self.int(agents.goal_progress[row].reached);
            let own_goal = agents.own_goal(row);
            self.byte(u8::from(agents.stopped[row]) + 2 * u8::from(own_goal.is_some()));
            if let Some(goal) = own_goal {
                self.vector(goal.at);
                self.float(goal.radius);
            }
        }
        self.count(minds.len());
        for row in 0..minds.len() {
            self.values(minds.state(row));
            self.count(minds.progress(row).len());
            minds.progress(row).iter().for_each(|progress| self.progress(*progress));
        }
    }

    /// Worlds without layers keep the hashes that they had before there were any.
    fn layers(&mut self, world: &World) {
        for layer in &world.layers {
            self.bytes(b"layer");
            self.count(layer.amounts.len());
            layer.amounts.iter().for_each(|&amount| self.float(amount));
        }
    }

    /// Worlds in which no obstacle moves keep the hashes that they had before any could.
    fn obstacles(&mut self, moving: &[ObstacleState]) {
        for ObstacleState { name, offset, motion, progress } in moving {
            self.bytes(b"moves");
            self.text(name);
            self.vector(*offset);
            match motion {
                ObstacleMotion::Stop => self.byte(0),
                ObstacleMotion::Velocity(velocity) => {
                    self.byte(1);
                    self.vector(*velocity);
                }
                ObstacleMotion::To { at, speed } => {
                    self.byte(2);
                    self.vector(*at);
                    self.float(*speed);
                }
                ObstacleMotion::Along { path, speed } => {
                    self.byte(3);
                    self.text(path);
                    self.float(*speed);
                    self.progress(*progress);
                }
            }
        }
    }

    fn progress(&mut self, progress: Progress) {
        self.int(progress.waypoint);
        self.byte(u8::from(progress.back));
    }

    fn waiting(&mut self, world: &World) {
        for WaitingMessage { heard, to, message } in &world.waiting {
            self.bytes(b"waiting");
            self.long(*heard);
            match to {
                LateListeners::Agents(ids) => {
                    self.count(ids.len());
                    ids.iter().for_each(|id| self.int(id.0));
                }
                LateListeners::Group(group) => {
                    self.bytes(b"group");
                    self.int(u32::from(group.0));
                }
            }
            let AgentMessage { tick, teller, group, name, value } = message;
            self.long(*tick);
            self.int(teller.0);
            self.int(u32::from(group.0));
            self.text(name);
            self.value(value);
        }
    }

    fn byte(&mut self, x: u8) {
        self.bytes(&[x]);
    }

    fn int(&mut self, x: u32) {
        self.bytes(&x.to_le_bytes());
    }

    fn long(&mut self, x: u64) {
        self.bytes(&x.to_le_bytes());
    }

    fn count(&mut self, x: usize) {
        self.long(x as u64);
    }

    fn float(&mut self, x: f32) {
        self.int(x.to_bits());
    }

    fn vector(&mut self, v: Vec2) {
        self.float(v.x);
        self.float(v.y);
    }

    fn text(&mut self, text: &str) {
        self.count(text.len());
        self.bytes(text.as_bytes());
    }

    fn values(&mut self, values: &Values) {
        self.count(values.names().count());
        for (name, value) in values.iter() {
            self.text(name);
            self.value(value);
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Nothing => self.byte(0),
            Value::Bool(x) => {
                self.byte(1);
                self.byte(u8::from(*x));
            }
            Value::Int(x) => {
                self.byte(2);
                self.long(x.cast_unsigned());
            }
            Value::Float(x) => {
                self.byte(3);
                self.float(*x);
            }
            Value::Vector(x) => {
                self.byte(4);
                self.vector(*x);
            }
            Value::String(x) => {
                self.byte(5);
                self.text(x);
            }
            Value::Agent(id) => {
                self.byte(6);
                self.int(id.0);
            }
            Value::List(items) => {
                self.byte(7);
                self.count(items.len());
                for item in items {
                    self.value(item);
                }
            }
            Value::Drawn(distribution) => {
                self.byte(9);
                for (share, name, numbers) in distribution.parts() {
                    self.float(share);
                    self.text(name);
                    self.count(numbers.len());
                    numbers.into_iter().for_each(|number| self.float(number));
                }
            }
            Value::Map(entries) => {
                self.byte(8);
                self.count(entries.len());
                for (name, value) in entries {
                    self.text(name);
                    self.value(value);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    use crate::distribution::Distribution;
    use crate::geom::Shape;
    use crate::world::{
        AgentId, Edge, Goal, GoalProgress, GroupId, Input, Layer, Obstacle, ObstacleId, SharedRule,
        SharedValue, Space,
    };

    fn minds(state: &[(&str, Value)]) -> Minds {
        let mut minds = Minds::new(1);
        minds.grow(2);
        for (name, value) in state {
            minds.mind(0).state.set(name, value.clone());
        }
        minds
    }

    fn world() -> World {
        let mut world = World::example(&[(Vec2::new(1.0, 2.0), Vec2::X), (Vec2::ZERO, Vec2::ZERO)]);
        world.obstacles.push(Obstacle { name: "gate".into(), ..obstacle(0).1 });
        world
    }

    fn moved(offset: Vec2, motion: ObstacleMotion) -> ObstacleState {
        ObstacleState { offset, ..ObstacleState::new("gate".into(), motion) }
    }

    fn along(progress: Progress) -> ObstacleState {
        let motion = ObstacleMotion::Along { path: "way".into(), speed: 1.0 };
        ObstacleState { progress, ..moved(Vec2::X, motion) }
    }

    fn obstacle(id: u16) -> (ObstacleId, Obstacle) {
        let shape = Shape::Circle { center: Vec2::ZERO, radius: 1.0 };
        (ObstacleId(id), Obstacle { name: "it".into(), shape })
    }

    fn layer(amounts: &[f32]) -> Layer {
        let space = Space { edge: Edge::Open, min: Vec2::ZERO, size: Vec2::ONE };
        Layer { amounts: Arc::new(amounts.to_vec()), ..Layer::new("it", &space, 1.0) }
    }

    fn waiting(heard: u64, to: LateListeners) -> WaitingMessage {
        let (teller, group, name) = (AgentId(0), GroupId(0), "a".into());
        let message = AgentMessage { tick: 0, teller, group, name, value: Value::Int(7) };
        WaitingMessage { heard, to, message }
    }

    #[test]
    fn everything_that_determines_the_future_changes_the_hash() {
        let changes: &[fn(&mut World)] = &[
            |_| {},
            |w| w.tick = 1,
            |w| w.cursor = Some(Vec2::ZERO),
            |w| w.cursor = Some(Vec2::X),
            |w| w.inputs = vec![Input { is_down: true, ..Input::new("a", "a") }],
            |w| {
                let down = Input { is_down: true, ..Input::new("b", "b") };
                w.inputs = vec![Input::new("a", "a"), down];
            },
            |w| w.agents.id[0] = AgentId(7),
            |w| w.agents.group[0] = GroupId(1),
            |w| w.agents.index[0] = 7,
            |w| w.agents.pos_mut(1).x = -0.0,
            |w| w.agents.vel_mut(0).y = 1e-40,
            |w| *w.agents.heading_mut(1) = Vec2::Y,
            |w| w.agents.goal_progress[0] = GoalProgress { sequence: 0, reached: 1 },
            |w| w.agents.goal_progress[0] = GoalProgress { sequence: 1, reached: 0 },
            |w| w.agents.stopped[0] = true,
            |w| w.agents.set_own_goal(0, Goal { at: Vec2::X, radius: 1.0 }),
            |w| w.agents.set_own_goal(0, Goal { at: Vec2::X, radius: 2.0 }),
            |w| w.agents.set_own_goal(0, Goal { at: Vec2::Y, radius: 1.0 }),
            |w| w.absent = vec![obstacle(0)],
            |w| w.absent = vec![obstacle(1)],
            |w| w.set_moving_obstacles(&[moved(Vec2::X, ObstacleMotion::Stop)]),
            |w| w.set_moving_obstacles(&[moved(Vec2::Y, ObstacleMotion::Stop)]),
            |w| w.set_moving_obstacles(&[moved(Vec2::X, ObstacleMotion::Velocity(Vec2::X))]),
            |w| {
                let to = ObstacleMotion::To { at: Vec2::X, speed: 1.0 };
                w.set_moving_obstacles(&[moved(Vec2::X, to)]);
            },
            |w| w.set_moving_obstacles(&[along(Progress::default())]),
            |w| w.set_moving_obstacles(&[along(Progress { waypoint: 1, back: false })]),
            |w| w.set_moving_obstacles(&[along(Progress { waypoint: 1, back: true })]),
            |w| w.spent_events = vec![0],
            |w| w.spent_events = vec![0, 1],
            |w| w.layers = vec![layer(&[0.0, 0.0])],
            |w| w.layers = vec![layer(&[0.0, 1.0])],
            |w| w.layers = vec![layer(&[0.0]), layer(&[0.0])],
            |w| w.shared = vec![SharedValue::new("a", SharedRule::Sum, false, Value::Int(0))],
            |w| w.shared = vec![SharedValue::new("a", SharedRule::Sum, false, Value::Int(1))],
            |w| w.shared = vec![SharedValue::new("b", SharedRule::Sum, false, Value::Int(0))],
            |w| w.waiting = vec![waiting(2, LateListeners::Group(GroupId(0)))],
            |w| w.waiting = vec![waiting(3, LateListeners::Group(GroupId(0)))],
            |w| w.waiting = vec![waiting(2, LateListeners::Agents([AgentId(0)].into()))],
            |w| w.waiting = vec![waiting(2, LateListeners::Agents([AgentId(1)].into()))],
            |w| {
                let one = waiting(2, LateListeners::Group(GroupId(0)));
                w.waiting = vec![one.clone(), one];
            },
            |w| {
                w.waiting = vec![waiting(2, LateListeners::Group(GroupId(0)))];
                w.waiting[0].message.value = Value::Int(8);
            },
            |w| w.groups[0].made = 9,
            |w| w.groups[0].params.set("a", Value::Int(1)),
            |w| w.groups[0].goals = vec![[].into()],
            |w| {
                let at = Vec2::ZERO;
                w.groups[0].goals = vec![[Goal { at, radius: 1.0 }].into()];
            },
            |w| {
                let keep = [true, false];
                w.agents.retain(&keep);
            },
        ];
        let mut hashes: Vec<u64> = changes
            .iter()
            .map(|change| {
                let mut world = world();
                change(&mut world);
                world_hash(&world, &minds(&[]))
            })
            .collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), changes.len());
    }

    #[test]
    fn values_of_every_kind_and_shape_differ() {
        let name = || "a".into();
        let values = [
            Value::Nothing,
            Value::Bool(false),
            Value::Bool(true),
            Value::Int(0),
            Value::Int(-1),
            Value::Float(0.0),
            Value::Float(-0.0),
            Value::Vector(Vec2::ZERO),
            Value::String("".into()),
            Value::String("a".into()),
            Value::Agent(AgentId(0)),
            Value::List(vec![]),
            Value::List(vec![Value::Nothing]),
            Value::List(vec![Value::List(vec![])]),
            Value::Map(vec![]),
            Value::Map(vec![(name(), Value::Nothing)]),
            Value::Map(vec![(name(), Value::Map(vec![]))]),
            Distribution::uniform(0.0, 1.0).unwrap().into(),
            Distribution::uniform(0.0, 2.0).unwrap().into(),
            Distribution::table(&[(0.0, 0.0), (1.0, 1.0)]).unwrap().into(),
        ];
        let mut hashes: Vec<u64> = values
            .iter()
            .map(|value| world_hash(&world(), &minds(&[("v", value.clone())])))
            .collect();
        let mut moved_on = minds(&[]);
        moved_on.mind(0).progress[0].waypoint = 1;
        hashes.push(world_hash(&world(), &moved_on));
        moved_on.mind(0).progress[0].waypoint = 0;
        moved_on.mind(0).progress[0].back = true;
        hashes.push(world_hash(&world(), &moved_on));
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), values.len() + 2);
    }

    #[test]
    fn the_encoding_does_not_change() {
        // Recorded hashes are compared with those of other versions and machines.
        let minds = minds(&[("mode", Value::String("run".into()))]);
        let written = |hash: u64| format!("{hash:016x}");
        let (state, whole) = (state_hash(&world(), &minds), world_hash(&world(), &minds));
        assert_eq!(written(whole), "5567cd4ba10b6ebe");
        assert_eq!(written(state), "5a762ffccf50cfa6");
    }
}
