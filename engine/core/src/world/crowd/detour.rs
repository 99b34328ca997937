//! The direction of the least detour, and the speed that leaves time before the first body in it.

use std::cell::RefCell;
use std::sync::OnceLock;

use glam::DVec2;
use pulp::{Simd, WithSimd};

use crate::geom::{Course, Sweep};
use crate::math::wide::{Real, WIDE, Wide};
use crate::math::{self, Vec2};
use crate::simd;
use crate::world::{Me, Neighborhood, View};

/// How an agent looks for its way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lookout {
    /// How far it looks, in world units.
    pub(crate) horizon: f32,
    /// The angle of its field of view, in radians.
    pub(crate) view: f32,
    /// The time that it leaves before it would touch the first body, in seconds.
    pub(crate) time: f32,
}

/// The number of directions around the agent that are compared.
const DIRECTIONS: usize = 128;

/// The farthest horizon, in world units: its square is still finite.
const MAX_HORIZON: f32 = 1e15;

/// The part of the wanted speed at which an agent turns that has no room to move.
const TURNING: f32 = 1e-6;

/// A neighbor in view.
#[derive(Clone, Copy)]
struct Seen {
    /// The offset at which it counts, in world units.
    offset: Vec2,
    /// Its velocity, in world units per second.
    vel: Vec2,
    /// The sum of the radii of both bodies, in world units.
    reach: f32,
}

/// The buffers that are reused from agent to agent, so that nothing is allocated.
#[derive(Default)]
struct Memory {
    seen: Vec<Seen>,
    /// The directions that are compared, in the order in which they are preferred.
    ways: Vec<Ways>,
    count: usize,
}

/// Some directions, and how far the agent can walk in each of them.
#[derive(Clone, Copy)]
struct Ways {
    x: Wide<f32>,
    y: Wide<f32>,
    free: Wide<f32>,
}

thread_local! {
    static MEMORY: RefCell<Memory> = RefCell::default();
}

impl Me<'_> {
    /// Returns the velocity of the heuristics of pedestrians, in world units per second. Without others it is `wanted`, if that is in
    /// view.
    ///
    /// Source: Moussaid, Helbing, Theraulaz: "How simple rules determine pedestrian behavior and crowd disasters" (2011).
    pub(crate) fn least_detour(&self, which: &Neighborhood, wanted: Vec2, look: Lookout) -> Vec2 {
        let (speed, toward) = (math::length(wanted), math::unit(wanted));
        if speed == 0.0 {
            return Vec2::ZERO;
        }
        let horizon = math::min(look.horizon, MAX_HORIZON);
        MEMORY.with_borrow_mut(|memory| {
            self.look_at_neighbors(which, look.view, &mut memory.seen);
            memory.list_ways(toward, self.heading(), look.view);
            let Memory { seen, ways, .. } = memory;
            simd::dispatch(Walks { seen, ways, speed, horizon });
            self.stop_at_obstacles(memory, horizon);
            let along = memory.least_detour(toward, horizon);
            let free = self.free_now(along, horizon, &memory.seen);
            let speed_now = if free <= 0.0 {
                0.0
            } else if look.time > 0.0 {
                math::min(free / look.time, speed)
            } else {
                speed
            };
            // An agent that stands must be able to turn: its heading is the direction of its motion.
            along * math::max(speed_now, speed * TURNING)
        })
    }

    /// Remembers all neighbors in view.
    fn look_at_neighbors(&self, which: &Neighborhood, view: f32, seen: &mut Vec<Seen>) {
        seen.clear();
        let (view, heading, radius) = (View::over(view), self.heading(), self.body().radius);
        self.each_neighbor(which, |other| {
            if !view.shows(heading, other.offset, other.distance_squared) {
                return;
            }
            let reach = radius + self.world().radius_of(other.row);
            let offset = if other.offset == Vec2::ZERO {
                (-other.push_at_same_place() * 1e-6).as_dvec2()
            } else {
                other.offset.as_dvec2()
            };
            let offset: DVec2 =
                self.seen_offset(other.row, offset, other.vel.as_dvec2(), reach.into());
            seen.push(Seen { offset: offset.as_vec2(), vel: other.vel, reach });
        });
    }

    /// Ends ways where they lead into obstacles.
    fn stop_at_obstacles(&self, memory: &mut Memory, horizon: f32) {
        let (pos, radius) = (self.pos(), self.body().radius);
        for obstacle in &self.world().obstacles {
            if obstacle.shape.surface(pos).distance - radius > horizon {
                continue;
            }
            for number in 0..memory.count {
                let (ways, lane) = (&mut memory.ways[number / WIDE], number % WIDE);
                let (along, free) = (Vec2::new(ways.x.0[lane], ways.y.0[lane]), ways.free.0[lane]);
                let hit = obstacle.shape.cast_disc(&Sweep::new(pos, along, free, radius));
                if let Some(hit) = hit.filter(|hit| hit.normal.dot(along) < 0.0) {
                    ways.free.0[lane] = math::min(hit.distance, free);
                }
            }
        }
    }

    /// Returns how far the agent can walk in a direction if all others stood, at most `horizon`.
    fn free_now(&self, along: Vec2, horizon: f32, seen: &[Seen]) -> f32 {
        let mut free = horizon;
        for &Seen { offset, reach, .. } in seen {
            let course = Course::new(offset.into(), (-along).into(), reach);
            free = math::min(course.time_to_enter(), free);
        }
        for obstacle in &self.world().obstacles {
            let sweep = Sweep::new(self.pos(), along, free, self.body().radius);
            let hit = obstacle.shape.cast_disc(&sweep);
            if let Some(hit) = hit.filter(|hit| hit.normal.dot(along) < 0.0) {
                free = math::min(hit.distance, free);
            }
        }
        free
    }
}

impl Memory {
    /// Lists the directions in view: the wanted one, the heading, and then to the right and the left of it in turn.
    fn list_ways(&mut self, toward: Vec2, heading: Vec2, view: f32) {
        self.count = 0;
        let half = math::min(view * 0.5, math::PI);
        if heading.dot(toward) >= math::cos(half) {
            self.add_way(toward);
        }
        self.add_way(heading);
        let step = 2.0 * math::PI / DIRECTIONS as f32;
        for (number, turn) in turns().iter().enumerate().skip(1) {
            if number as f32 * step > half {
                break;
            }
            self.add_way(Vec2::new(turn.x, -turn.y).rotate(heading));
            self.add_way(turn.rotate(heading));
        }
        self.ways.truncate(self.count.div_ceil(WIDE));
    }

    fn add_way(&mut self, along: Vec2) {
        let (block, lane) = (self.count / WIDE, self.count % WIDE);
        if block == self.ways.len() {
            let zero = Wide::of(0.0);
            self.ways.push(Ways { x: zero, y: zero, free: zero });
        }
        let ways = &mut self.ways[block];
        (ways.x.0[lane], ways.y.0[lane]) = (along.x, along.y);
        self.count += 1;
    }

    /// Returns the direction from whose end the point at the horizon in the wanted direction is nearest, the first one of several.
    fn least_detour(&self, toward: Vec2, horizon: f32) -> Vec2 {
        let mut best = (Vec2::ZERO, f32::INFINITY);
        for number in 0..self.count {
            let (ways, lane) = (&self.ways[number / WIDE], number % WIDE);
            let (along, free) = (Vec2::new(ways.x.0[lane], ways.y.0[lane]), ways.free.0[lane]);
            // The square of the distance, without that of the horizon.
            let detour = free * (free - 2.0 * horizon * toward.dot(along));
            if detour < best.1 {
                best = (along, detour);
            }
        }
        best.0
    }
}

/// Returns unit vectors at equal angles, from ahead to behind on the left.
fn turns() -> &'static [Vec2; DIRECTIONS / 2 + 1] {
    static TURNS: OnceLock<[Vec2; DIRECTIONS / 2 + 1]> = OnceLock::new();
    TURNS.get_or_init(|| {
        std::array::from_fn(|number| {
            let angle = number as f32 * (2.0 * math::PI / DIRECTIONS as f32);
            Vec2::new(math::cos(angle), math::sin(angle))
        })
    })
}

/// Computes how far an agent can walk in each direction until it touches a neighbor that keeps its velocity.
struct Walks<'w> {
    seen: &'w [Seen],
    ways: &'w mut [Ways],
    speed: f32,
    horizon: f32,
}

impl WithSimd for Walks<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let speed = Wide::of(self.speed);
        for ways in self.ways {
            let own = (ways.x * speed, ways.y * speed);
            let mut free = Wide::of(self.horizon);
            for &Seen { offset, vel, reach } in self.seen {
                let offset = (Wide::of(offset.x), Wide::of(offset.y));
                let relative = (Wide::of(vel.x) - own.0, Wide::of(vel.y) - own.1);
                let course = Course::new(offset, relative, Wide::of(reach));
                let way = course.time_to_enter() * speed;
                free = way.if_less(free, way, free);
            }
            ways.free = free;
        }
    }
}
