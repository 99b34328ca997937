//! The direction that an agent takes after its neighbors in three zones.

use super::{Me, Neighborhood};
use crate::math::{self, Vec2};

/// The borders of the zones around an agent.
pub(super) struct Zones {
    /// Neighbors within this distance are too near, in world units.
    pub(super) repulsion: f32,
    /// Farther neighbors within this distance give their direction, those beyond it their position; in world units.
    pub(super) orientation: f32,
    /// The angle behind the agent in which only neighbors that are too near count, in radians.
    pub(super) blind: f32,
}

impl Me<'_> {
    /// Returns the unit vector along which the neighbors lead: away from those that are too near; if there are none, the
    /// sum of the directions of those in the middle zone and of the directions to those farther away. Zero without
    /// neighbors, and if the sum is so small that rounding would decide its direction.
    pub(super) fn zone_direction(&self, which: &Neighborhood, zones: &Zones) -> Vec2 {
        let way = math::unit(self.vel());
        let heading = if way == Vec2::ZERO { self.heading() } else { way };
        let is_blind = zones.blind > 0.0;
        let seen = -math::cos(math::min(zones.blind, 2.0 * math::PI) * 0.5);
        let (mut too_near, mut away, mut with) = (false, Vec2::ZERO, Vec2::ZERO);
        self.each_neighbor(which, |other| {
            let distance = math::sqrt(other.distance_squared);
            let toward = math::unit(other.offset);
            if distance <= zones.repulsion {
                too_near = true;
                let apart = if toward == Vec2::ZERO { other.push_at_same_place() } else { -toward };
                away += apart;
            } else if is_blind && heading.dot(toward) < seen {
                // Nobody sees it.
            } else if distance <= zones.orientation {
                with += math::unit(other.vel);
            } else {
                with += toward;
            }
        });
        let sum = if too_near { away } else { with };
        if math::length(sum) < ROUNDING { Vec2::ZERO } else { math::unit(sum) }
    }
}

/// The length below which a sum of unit vectors is nothing but rounding.
const ROUNDING: f32 = 1e-4;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::World;

    fn direction(others: &[(f32, f32, Vec2)], blind: f32) -> Vec2 {
        let mut agents = vec![(Vec2::ZERO, Vec2::X)];
        agents.extend(others.iter().map(|&(x, y, vel)| (Vec2::new(x, y), vel)));
        let world = World::example(&agents);
        let zones = Zones { repulsion: 1.0, orientation: 5.0, blind };
        world.me(0).zone_direction(&Neighborhood::within(10.0), &zones)
    }

    #[test]
    fn repulsion_goes_before_everything_else() {
        let far = (0.0, 8.0, Vec2::Y);
        assert_eq!(direction(&[(0.5, 0.0, Vec2::Y), far], 0.0), Vec2::NEG_X);
        assert_eq!(direction(&[(-1.0, 0.0, Vec2::Y), far], 3.0), Vec2::X, "also behind");
        assert!(direction(&[(0.0, 0.0, Vec2::Y)], 0.0).length() > 0.99, "at the same place");
    }

    #[test]
    fn the_middle_zone_gives_directions_and_the_outer_one_places() {
        assert_eq!(direction(&[(0.0, 3.0, Vec2::new(-7.0, 0.0))], 0.0), Vec2::NEG_X);
        assert_eq!(direction(&[(0.0, 7.0, Vec2::new(-7.0, 0.0))], 0.0), Vec2::Y);
        let both = direction(&[(0.0, 3.0, Vec2::X), (0.0, 7.0, Vec2::X)], 0.0);
        assert!((both - Vec2::ONE.normalize()).length() < 1e-6, "{both}");
        assert_eq!(direction(&[(0.0, 30.0, Vec2::X)], 0.0), Vec2::ZERO);
        assert_eq!(direction(&[(0.0, 3.0, Vec2::X), (0.0, 3.0, Vec2::NEG_X)], 0.0), Vec2::ZERO);
    }

    #[test]
    fn nobody_is_seen_in_the_blind_angle() {
        let behind = (-3.0, 1.0, Vec2::Y);
        assert_eq!(direction(&[behind], 1.0), Vec2::ZERO);
        // It is 18.4 degrees off the line behind the agent.
        assert_eq!(direction(&[behind], 0.6), Vec2::Y);
        assert_eq!(direction(&[(-3.0, 0.0, Vec2::Y)], 0.0), Vec2::Y);
    }
}
