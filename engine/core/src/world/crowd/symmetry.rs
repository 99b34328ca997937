//! How agents get past each other that are mirror images of each other, or are held from two sides alike.
//!
//! These rules are the same for all words of avoidance. They depend on the agents alone, neither on axes nor on the order of agents,
//! and both agents of a pair that moves decide alike. Everywhere else they change nothing.
//!
//! People keep to a side, too: to the right in most places, to the left in some. See Moussaid et al., "Experimental study of the
//! behavioural mechanisms underlying self-organization in human crowds" (2009), and Xiao et al., "Go left or right?" (2019), where
//! about 70 % of the walkers kept right.

use glam::DVec2;

use crate::math::wide::{Real, dot};
use crate::math::{self, Vec2};
use crate::world::{Me, Neighbor, Neighborhood};

/// Two directions count as the same up to this angle, in radians. So a pair that was turned or moved is recognized, although
/// its coordinates are rounded.
const SAME: f32 = 1e-3;

/// How far to the left of its place a neighbor is seen, in parts of the sum of both radii. The sine of 0.3 radians: less than 1, so that it is still
/// in the way.
const ASIDE: f64 = 0.295_520_206_661_339_6;

/// The push of a mirror image is turned by 0.3 radians: cosine and sine of the angle.
const PUSHED_ASIDE: (f32, f32) = (0.955_336_5, 0.295_520_2);

/// A velocity is along the wanted one if it is beside it by at most this part of the speed.
const ALONG: f64 = 1e-3;

/// An agent is held if it gets less than this part of the speed that it wants.
const HELD: f64 = 0.95;

/// A held agent wants a velocity turned to its side by 1 radian: cosine and sine of the angle.
const TURN: DVec2 = DVec2::new(0.540_302_305_868_139_8, 0.841_470_984_807_896_5);

/// Returns 1 if an agent and a neighbor approach each other and are mirror images: in the line on which both are and the agent
/// moves ahead, or in the line between them. Else 0.
///
/// `offset` leads to the neighbor; `own` and `other` are the velocities. Comparisons fail for numbers that are not finite.
#[inline(always)]
pub(super) fn is_mirrored<T: Real>(offset: (T, T), own: (T, T), other: (T, T)) -> T {
    let (zero, one) = (T::of(0.0), T::of(1.0));
    let relative = (own.0 - other.0, own.1 - other.1);
    let closing = dot(relative, offset);
    let most = T::of(SAME) * closing;
    let is_small = |x: T| x.abs().if_less(most, one, zero);
    let beside = |v: (T, T)| v.0 * offset.1 - v.1 * offset.0;
    // In both cases, the neighbor comes straight toward the agent, as the agent sees it.
    let is_central = is_small(beside(relative));
    let is_on_line = beside(own).abs().if_less(T::of(SAME) * dot(own, offset), one, zero);
    let is_image = is_small(dot((own.0 + other.0, own.1 + other.1), offset));
    let is_image = zero.if_less(is_on_line, one, is_image);
    zero.if_less(closing, is_central * is_image, zero)
}

/// What others do to an agent that wants to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Hold {
    /// They do not hold it from two sides alike.
    None,
    /// They hold it from two sides alike, but it still moves on.
    Loose,
    /// They hold it from two sides alike. It wants this velocity instead.
    Tight(DVec2),
}

impl Me<'_> {
    /// Returns whether the agent and a neighbor are [mirror images](is_mirrored).
    pub(super) fn is_mirror_image(&self, offset: DVec2, other: DVec2) -> bool {
        is_mirrored(offset.into(), self.vel().as_dvec2().into(), other.into()) != 0.0
    }

    /// Returns the offset at which the agent takes a neighbor into account: where it is, unless both are [mirror images](is_mirrored).
    /// Then it is turned to the left by `ASIDE * reach`, at most by the angle that this is at the distance `reach`, so whatever the
    /// agent does to avoid it leads past it on the right. If both keep left, it is the other way round.
    pub(super) fn seen_offset(&self, row: usize, offset: DVec2, other: DVec2, reach: f64) -> DVec2 {
        if self.is_mirror_image(offset, other) {
            self.turned_aside(row, offset, reach)
        } else {
            offset
        }
    }

    #[cold]
    fn turned_aside(&self, row: usize, offset: DVec2, reach: f64) -> DVec2 {
        let distance = offset.length();
        let share = if reach < distance { reach / distance } else { 1.0 };
        let sin = ASIDE * share;
        let side = if self.passes_left_of(row) { -sin } else { sin };
        DVec2::new((1.0 - sin * sin).sqrt(), side).rotate(offset)
    }

    /// Returns the unit vector along which a neighbor pushes the agent: away from it, but from a mirror image turned to the right by
    /// 0.3 radians, or to the left if both keep left. Neighbors at the same place push in opposite random directions.
    #[cold]
    pub(super) fn away_from(&self, other: &Neighbor<'_>) -> Vec2 {
        let distance = math::sqrt(other.distance_squared);
        if distance == 0.0 {
            return math::unit(other.push_at_same_place());
        }
        let away = -other.offset / distance;
        if is_mirrored(other.offset.into(), self.vel().into(), other.vel.into()) == 0.0 {
            return away;
        }
        let left = if self.passes_left_of(other.row) { -1.0 } else { 1.0 };
        // To the right of the motion, which is to the left of the direction back.
        Vec2::new(PUSHED_ASIDE.0, PUSHED_ASIDE.1 * left).rotate(away)
    }

    /// Returns whether the agent passes a mirror image on the left.
    pub(super) fn passes_left_of(&self, row: usize) -> bool {
        self.body().keeps_left && self.world().agent(row).body().keeps_left
    }

    /// Returns whether the agent and all of its neighbors keep left.
    fn keeps_left_among(&self, neighbors: &Neighborhood) -> bool {
        let mut all = self.body().keeps_left;
        if all {
            let world = self.world();
            self.each_neighbor_row(neighbors, |row| all &= world.agent(row).body().keeps_left);
        }
        all
    }

    /// Returns whether others hold the agent from two sides alike, given the velocity that it wants and the one that it gets: both
    /// and its present velocity are on one line. Agents that all want to go through one point would hold each other for ever.
    pub(super) fn hold(
        &self,
        neighbors: &Neighborhood,
        wanted: DVec2,
        gets: DVec2,
        speed: f64,
    ) -> Hold {
        let length = wanted.length();
        let most = length * if length < speed { length } else { speed };
        let is_along = |v: DVec2| wanted.perp_dot(v).abs() <= ALONG * most;
        if !(most > 0.0 && is_along(gets) && is_along(self.vel().as_dvec2())) {
            return Hold::None;
        }
        if wanted.dot(gets) >= HELD * most {
            return Hold::Loose;
        }
        let side = if self.keeps_left_among(neighbors) { TURN.y } else { -TURN.y };
        Hold::Tight(DVec2::new(TURN.x, side).rotate(wanted))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::math::wide::Wide;
    use crate::world::World;

    type Pair = (DVec2, DVec2, DVec2);

    fn fires((offset, own, other): Pair) -> bool {
        is_mirrored(offset.into(), own.into(), other.into()) == 1.0
    }

    fn vector(most: f64) -> impl Strategy<Value = DVec2> {
        (-most..most, -most..most).prop_map(|(x, y)| DVec2::new(x, y))
    }

    /// A neighbor and two velocities that are mirror images in the line between both, and approach each other.
    fn images() -> impl Strategy<Value = Pair> {
        (vector(5.0), 0.5..2.0, -2.0..2.0).prop_filter_map("apart", |(offset, ahead, aside)| {
            let along = offset.try_normalize()?;
            let (ahead, aside) = (along * ahead, along.perp() * aside);
            (offset.length() > 0.5).then_some((offset, aside + ahead, aside - ahead))
        })
    }

    proptest! {
        #[test]
        fn mirror_images_are_recognized_and_others_are_not((offset, own, other) in images(), by in 0.005f64..0.3, less in 0.1f64..0.9) {
            prop_assert!(fires((offset, own, other)));
            prop_assert!(fires((-offset, other, own)), "the other one decides alike");
            prop_assert!(!fires((offset, other, own)), "they part");
            prop_assert!(!fires((offset, own, DVec2::from_angle(by).rotate(other))), "turned");
            prop_assert!(!fires((DVec2::from_angle(by).rotate(offset), own, other)), "beside");
            // On the line on which both move, speeds need not be the same.
            let along = offset.normalize();
            let speeds = |own: f64, other: f64| (offset, along * own, along * other);
            prop_assert!(fires(speeds(2.0, -less)) && fires(speeds(2.0, 0.0)));
            prop_assert!(!fires(speeds(0.0, 0.0)) && !fires(speeds(0.0, -2.0)) && !fires(speeds(less, 2.0)));
        }

        #[test]
        fn lanes_and_numbers_agree(pairs in prop::collection::vec(images(), 16), by in -2e-3f64..2e-3) {
            let part = |of: fn(&Pair) -> f64| Wide(std::array::from_fn(|lane| of(&pairs[lane]) as f32));
            let turned = DVec2::from_angle(by).as_vec2();
            let (x, y) = (part(|pair| pair.0.x), part(|pair| pair.0.y));
            let turned = |x: f32, y: f32| turned.rotate(Vec2::new(x, y));
            let (x, y) = (
                Wide(std::array::from_fn(|lane| turned(x.0[lane], y.0[lane]).x)),
                Wide(std::array::from_fn(|lane| turned(x.0[lane], y.0[lane]).y)),
            );
            let own = (part(|pair| pair.1.x), part(|pair| pair.1.y));
            let other = (part(|pair| pair.2.x), part(|pair| pair.2.y));
            let lanes = is_mirrored((x, y), own, other);
            for lane in 0..16 {
                let at = |v: (Wide<f32>, Wide<f32>)| (v.0.0[lane], v.1.0[lane]);
                prop_assert_eq!(lanes.0[lane], is_mirrored(at((x, y)), at(own), at(other)));
            }
        }
    }

    #[test]
    fn pairs_without_symmetry_hardly_ever_count() {
        let unit = |number: u64| f64::from(math::random::Mix::new(number).unit()) - 0.5;
        let any = |number: u64| DVec2::new(unit(2 * number), unit(2 * number + 1));
        let fired =
            (0..300_000).filter(|&n| fires((any(3 * n), any(3 * n + 1), any(3 * n + 2)))).count();
        assert!(fired <= 3, "{fired}");
    }

    #[test]
    fn a_mirror_image_is_seen_to_the_left_unless_both_keep_left() {
        let mut world = World::example(&[(Vec2::ZERO, Vec2::X), (Vec2::new(8.0, 0.0), -Vec2::X)]);
        let seen = |world: &World| world.me(0).seen_offset(1, DVec2::X * 8.0, -DVec2::X, 2.0);
        let left = seen(&world);
        assert!(
            (left.y - 2.0 * ASIDE).abs() < 1e-12 && (left.length() - 8.0).abs() < 1e-12,
            "{left}"
        );
        world.groups[0].body.keeps_left = true;
        assert_eq!(seen(&world), DVec2::new(left.x, -left.y));
        world.groups.push(world.groups[0].clone());
        world.groups[1].body.keeps_left = false;
        world.agents.group[1] = crate::world::GroupId(1);
        assert_eq!(seen(&world), left, "both must keep left");
        let beside = DVec2::new(8.0, 0.1);
        assert_eq!(world.me(0).seen_offset(1, beside, -DVec2::X, 2.0), beside);
    }

    #[test]
    fn an_agent_is_held_if_it_is_slowed_on_the_line_of_its_motion() {
        let mut world = World::example(&[(Vec2::ZERO, Vec2::X * 0.4)]);
        let hold = |world: &World, gets: DVec2| {
            world.me(0).hold(&Neighborhood::within(9.0), DVec2::X * 2.0, gets, 1.3)
        };
        assert_eq!(hold(&world, DVec2::X * 1.3), Hold::Loose);
        assert_eq!(hold(&world, DVec2::new(0.4, 0.01)), Hold::None, "it gets aside");
        let Hold::Tight(right) = hold(&world, DVec2::X * 0.4) else { panic!("held") };
        assert!(right.y < -1.6 && (right.length() - 2.0).abs() < 1e-12, "{right}");
        world.groups[0].body.keeps_left = true;
        assert_eq!(hold(&world, DVec2::ZERO), Hold::Tight(DVec2::new(right.x, -right.y)));
        world.move_row(0, Vec2::ZERO, Vec2::new(0.4, 0.1));
        assert_eq!(hold(&world, DVec2::X * 0.4), Hold::None, "it came from aside");
    }
}
