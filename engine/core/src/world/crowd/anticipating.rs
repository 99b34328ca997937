//! The anticipation velocity model: an agent steps aside from where neighbors will be.

use super::collision_free::{MAX_PUSH, MEMORY, Memory, Seen, speed_behind};
use super::sight::Sight;
use super::symmetry::is_mirrored;
use crate::geom::Surface;
use crate::math::wide::{Real, Wide, dot};
use crate::math::{self, Vec2};
use crate::world::neighbor_lanes::{NeighborFunction, NeighborLanes};
use crate::world::{Me, Neighborhood};

/// How an agent reacts in the anticipation velocity model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AnticipationModel {
    /// How long the agent would need for the gap to the body ahead, in seconds.
    pub(crate) time_gap: f32,
    /// How much a neighbor that will just touch turns the agent, in parts of the wanted direction.
    pub(crate) strength: f32,
    /// The distance over which that falls to 1 / e, in world units.
    pub(crate) range: f32,
    /// How far ahead the agent looks, in seconds.
    pub(crate) anticipation: f32,
    /// How long it takes to turn, in seconds.
    pub(crate) reaction: f32,
    /// The distance to keep from obstacles, in world units.
    pub(crate) wall_distance: f32,
}

impl Me<'_> {
    /// Returns the velocity of the anticipation velocity model, in world units per second.
    ///
    /// Neighbors behind an obstacle do not count.
    ///
    /// Source: Xu, Chraibi, Seyfried: "Anticipation in a velocity-based model for pedestrian dynamics" (2021).
    pub(crate) fn anticipating_velocity(
        &self,
        neighbors: &Neighborhood,
        wanted: Vec2,
        model: AnticipationModel,
    ) -> Vec2 {
        MEMORY.with_borrow_mut(|Memory { sight, seen }| {
            let toward = math::unit(wanted);
            let wall = self.look_for_walls(sight);
            let aside = self.influences(neighbors, toward, model, sight, seen);
            let along = math::unit(toward + aside);
            let along = if along == Vec2::ZERO { self.heading() } else { along };
            let along = self.turned(toward, along, model.reaction);
            let along = wall.map_or(along, |wall| self.beside(&wall, along, model.wall_distance));
            let most = math::length(wanted);
            let speed = speed_behind(seen, along, most, model.time_gap);
            // An agent that stands must be able to turn: its heading is the direction of its motion.
            along * math::max(speed, most * TURNING)
        })
    }

    /// Returns the nearest point of obstacles, and remembers which of them may hide neighbors.
    fn look_for_walls(&self, sight: &mut Sight) -> Option<Surface> {
        sight.clear(self.pos());
        let mut nearest: Option<Surface> = None;
        for (index, obstacle) in self.world().obstacles.iter().enumerate() {
            let surface = obstacle.shape.surface(self.pos());
            sight.add(index, &surface);
            if nearest.is_none_or(|nearest| surface.distance < nearest.distance) {
                nearest = Some(surface);
            }
        }
        nearest
    }

    /// Returns the sum of the influences of all neighbors that the agent sees, and these neighbors.
    fn influences(
        &self,
        which: &Neighborhood,
        toward: Vec2,
        model: AnticipationModel,
        sight: &Sight,
        seen: &mut Vec<Seen>,
    ) -> Vec2 {
        seen.clear();
        // How far all turn it to the left, and the push of those at the same place.
        let (mut leftward, mut apart) = (0.0, Vec2::ZERO);
        let (own, vel, heading) = (self.body().radius, self.vel(), self.heading());
        let foresight = Foresight { model, own, vel, heading, toward };
        let sees_all = sight.is_open();
        self.each_chunk(which, &foresight, |mut foreseen, chunk| {
            foreseen.seen.end(chunk.count());
            for lane in 0..chunk.count() {
                let distance = foreseen.distance.0[lane];
                if !sees_all && sight.is_hidden(self.world(), foreseen.seen.offset(lane), distance)
                {
                    foreseen.seen.hide(lane);
                } else if distance == 0.0 {
                    // Agents at the same place must be free to part.
                    foreseen.seen.hide(lane);
                    let push = chunk.neighbor(lane).push_at_same_place();
                    apart += math::unit(push) * math::min(model.strength, MAX_PUSH);
                } else if foreseen.strength.0[lane] > 0.0 {
                    let (row, aside) = (chunk.row(lane), foreseen.aside.0[lane]);
                    leftward += self.leftward(row, toward, aside) * foreseen.strength.0[lane];
                }
            }
            seen.push(foreseen.seen);
        });
        math::perp(toward) * leftward + apart
    }

    /// Returns how much a neighbor turns the agent to the left, more if it comes toward the agent. `aside` is how far to the left
    /// of the wanted way it will be, or 0 if there is no side.
    fn leftward(&self, row: usize, toward: Vec2, aside: f32) -> f32 {
        let opposes = 1.0 - toward.dot(self.world().agents.heading(row));
        let goes_left = aside < 0.0 || aside == 0.0 && self.passes_left_of(row);
        let turns = 1.0 + OPPOSITION * opposes;
        if goes_left { turns } else { -turns }
    }

    /// Returns the direction of the next step, if the agent turns to a direction within its reaction time.
    fn turned(&self, toward: Vec2, along: Vec2, reaction: f32) -> Vec2 {
        let heading = self.heading();
        if toward.dot(along) * toward.dot(heading) < 0.0 {
            return along;
        }
        let tick = self.world().dt;
        let share = if reaction > tick { tick / reaction } else { 1.0 };
        let turned = math::unit(heading + (along - heading) * share);
        if turned == Vec2::ZERO { along } else { turned }
    }

    /// Returns a direction that leads along the nearest obstacle instead of into it, and away if the agent is too near.
    fn beside(&self, wall: &Surface, along: Vec2, keep: f32) -> Vec2 {
        let least = keep + self.body().radius;
        let begins = 2.0 * least;
        let across = wall.normal * along.dot(wall.normal);
        if wall.distance < least {
            math::unit(along - across + wall.normal * PUSH_OUT)
        } else if wall.distance < begins && along.dot(wall.normal) < 0.0 {
            let share = (begins - wall.distance) / (begins - least);
            math::unit(along - across * share)
        } else {
            along
        }
    }
}

/// An agent that looks ahead.
struct Foresight {
    model: AnticipationModel,
    /// The radius of its body, in world units.
    own: f32,
    /// Its velocity, in world units per second.
    vel: Vec2,
    heading: Vec2,
    /// The unit vector along the wanted velocity.
    toward: Vec2,
}

/// Some neighbors, as they will be.
struct Foreseen {
    /// How much they turn the agent; 0 if it does not look at them.
    strength: Wide<f32>,
    /// How far they will be to the left of the wanted way, in world units; 0 for mirror images.
    aside: Wide<f32>,
    distance: Wide<f32>,
    seen: Seen,
}

impl NeighborFunction for Foresight {
    type Results = Foreseen;

    #[inline(always)]
    fn compute(&self, of: &NeighborLanes) -> Foreseen {
        let AnticipationModel { strength, range, anticipation, .. } = self.model;
        let (zero, one) = (Wide::of(0.0), Wide::of(1.0));
        let wide = |v: Vec2| (Wide::of(v.x), Wide::of(v.y));
        let (toward, own) = (wide(self.toward), wide(self.vel));
        let distance = (of.x * of.x + of.y * of.y).sqrt();
        let unit = (of.x / distance, of.y / distance);
        let reach = Wide::of(self.own) + of.radius;
        let ahead = dot(toward, unit);
        let ahead = ahead.if_less(zero, dot(wide(self.heading), unit), ahead);
        let soon = Wide::of(anticipation);
        let closer = dot((own.0 - of.vel_x, own.1 - of.vel_y), unit) * soon;
        let gap = distance - reach - closer;
        let gap = zero.if_less(gap, gap, zero);
        let falls = if range > 0.0 {
            math::power(-gap / Wide::of(range))
        } else {
            zero.if_less(gap, zero, one)
        };
        let next = (of.x + of.vel_x * soon, of.y + of.vel_y * soon);
        let aside = toward.0 * next.1 - toward.1 * next.0;
        let is_plain = one - is_mirrored((of.x, of.y), own, (of.vel_x, of.vel_y));
        let (strength, most) = (Wide::of(strength) * falls, Wide::of(MAX_PUSH));
        let strength = strength.if_less(most, strength, most);
        Foreseen {
            strength: ahead.if_less(zero, zero, strength),
            aside: zero.if_less(is_plain, aside, zero),
            distance,
            seen: Seen::new(of, reach, distance),
        }
    }
}

/// How much more a neighbor turns the agent that comes toward it, half of the way from 1 to 2.
const OPPOSITION: f32 = 0.5;

/// How much of its direction leads away from an obstacle that is too near, as in JuPedSim.
const PUSH_OUT: f32 = 0.3;

/// The part of the wanted speed at which an agent turns that has no room to move.
const TURNING: f32 = 1e-6;
