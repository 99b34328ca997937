//! The standard flock of the page `docs/src/benchmarks.md`, for krABMaga, built like its own example of flocking birds: birds are agents
//! in a `Field2D` with two buffers, so that all of them decide from the same state.
//!
//! Usage: peer-krabmaga AGENTS WARM_UP STEPS REPEATS. Prints nanoseconds of processor time per agent and step, the
//! least of the repeats, and the mean number of neighbors after the warm-up.

use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};

use cpu_time::ProcessTime;
use krabmaga::engine::agent::Agent;
use krabmaga::engine::fields::field::Field;
use krabmaga::engine::fields::field_2d::{
    Field2D, Location2D, toroidal_distance, toroidal_transform,
};
use krabmaga::engine::location::Real2D;
use krabmaga::engine::schedule::Schedule;
use krabmaga::engine::state::State;

const SEPARATION_RADIUS: f32 = 25.0;
const RADIUS: f32 = 50.0;
/// Maximum speed; the maximum force is the same number.
const SPEED: f32 = 180.0;
const AREA_PER_AGENT: f32 = 1636.0;
const DT: f32 = 1.0 / 60.0;
const ZERO: Real2D = Real2D { x: 0.0, y: 0.0 };

#[derive(Clone, Copy)]
struct Bird {
    id: u32,
    at: Real2D,
    velocity: Real2D,
}

impl Bird {
    /// Adds the force of a rule: its direction at full speed, minus the velocity. No direction, no force.
    fn add_force(&self, force: &mut Real2D, weight: f32, toward: Real2D) {
        let length = toward.x.hypot(toward.y);
        if length > 0.0 {
            force.x += weight * (toward.x / length * SPEED - self.velocity.x);
            force.y += weight * (toward.y / length * SPEED - self.velocity.y);
        }
    }
}

impl Agent for Bird {
    fn step(&mut self, state: &mut dyn State) {
        let flock = state.as_any_mut().downcast_mut::<Flock>().expect("the state is the flock");
        let (mut apart, mut center, mut along) = (ZERO, ZERO, ZERO);
        flock.for_neighbors(self, |other, dx, dy, squared| {
            if squared < SEPARATION_RADIUS * SEPARATION_RADIUS {
                apart.x += dx / squared;
                apart.y += dy / squared;
            }
            center.x -= dx;
            center.y -= dy;
            along.x += other.velocity.x;
            along.y += other.velocity.y;
        });
        let mut force = ZERO;
        self.add_force(&mut force, 1.5, apart);
        self.add_force(&mut force, 1.0, along);
        self.add_force(&mut force, 1.0, center);
        let force = cut(force);
        self.velocity.x += force.x * DT;
        self.velocity.y += force.y * DT;
        self.velocity = cut(self.velocity);
        self.at.x = toroidal_transform(self.at.x + self.velocity.x * DT, flock.size);
        self.at.y = toroidal_transform(self.at.y + self.velocity.y * DT, flock.size);
        flock.field.set_object_location(*self, self.at);
    }
}

/// Cuts a velocity or a force to its maximum.
fn cut(vector: Real2D) -> Real2D {
    let length = vector.x.hypot(vector.y);
    let scale = if length > SPEED { SPEED / length } else { 1.0 };
    Real2D { x: vector.x * scale, y: vector.y * scale }
}

impl Location2D<Real2D> for Bird {
    fn get_location(self) -> Real2D {
        self.at
    }

    fn set_location(&mut self, at: Real2D) {
        self.at = at;
    }
}

impl PartialEq for Bird {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Bird {}

impl Hash for Bird {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

impl fmt::Display for Bird {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.id)
    }
}

struct Flock {
    field: Field2D<Bird>,
    agents: u32,
    size: f32,
    cell: f32,
}

impl Flock {
    fn new(agents: u32) -> Self {
        let size = (agents as f32 * AREA_PER_AGENT).sqrt();
        // Cells divide the world, and are as large as the radius at least. In krABMaga 0.5.3, a field that is toroidal does not look across
        // the edge, and one that is not does. So this one is not, and distances are taken here.
        let cell = size / (size / RADIUS).floor();
        Self { field: Field2D::new(size, size, cell, false), agents, size, cell }
    }

    /// Calls a function with each neighbor of a bird, the offset from the neighbor to the bird, and its squared length.
    fn for_neighbors(&self, bird: &Bird, mut call: impl FnMut(&Bird, f32, f32, f32)) {
        for other in self.field.get_neighbors_within_relax_distance(bird.at, self.cell) {
            let dx = toroidal_distance(bird.at.x, other.at.x, self.size);
            let dy = toroidal_distance(bird.at.y, other.at.y, self.size);
            let squared = dx * dx + dy * dy;
            if squared < RADIUS * RADIUS && squared > 0.0 && other.id != bird.id {
                call(&other, dx, dy, squared);
            }
        }
    }
}

impl State for Flock {
    fn init(&mut self, schedule: &mut Schedule) {
        // Numbers of SplitMix64, the same in each run.
        let mut seed = 1_u64;
        let mut random = || {
            seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let bits = (seed ^ (seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((bits ^ (bits >> 31)) >> 40) as f32 / (1 << 24) as f32
        };
        for id in 0..self.agents {
            let at = Real2D { x: random() * self.size, y: random() * self.size };
            let bird = Bird { id, at, velocity: Real2D { x: SPEED, y: 0.0 } };
            self.field.set_object_location(bird, at);
            schedule.schedule_repeating(Box::new(bird), 0.0, 0);
        }
    }

    fn update(&mut self, _step: u64) {
        self.field.lazy_update();
    }

    fn reset(&mut self) {
        *self = Self::new(self.agents);
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn as_state(&self) -> &dyn State {
        self
    }

    fn as_state_mut(&mut self) -> &mut dyn State {
        self
    }
}

fn main() {
    let numbers: Vec<u32> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let [agents, warm_up, steps, repeats] = numbers[..] else {
        panic!("usage: peer-krabmaga AGENTS WARM_UP STEPS REPEATS");
    };
    let (mut least, mut neighbors) = (f64::INFINITY, 0);
    for _ in 0..repeats {
        let mut flock = Flock::new(agents);
        let mut schedule = Schedule::new();
        flock.init(&mut schedule);
        for _ in 0..warm_up {
            schedule.step(&mut flock);
        }
        neighbors = 0;
        for agent in schedule.get_all_events() {
            let bird = agent.downcast_ref::<Bird>().expect("all agents are birds");
            flock.for_neighbors(bird, |_, _, _, _| neighbors += 1);
        }
        let start = ProcessTime::now();
        for _ in 0..steps {
            schedule.step(&mut flock);
        }
        let time = start.elapsed().as_secs_f64() * 1e9 / f64::from(agents * steps);
        if time < least {
            least = time;
        }
    }
    let neighbors = f64::from(neighbors) / f64::from(agents);
    println!(r#"{{"ns": {least}, "check": "{neighbors:.1} neighbors"}}"#);
}
