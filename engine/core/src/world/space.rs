//! The rectangle that agents move in, and what happens at its edge.

use crate::math::wide::Real;
use crate::math::{self, Vec2};
use crate::schema::described;

described! {
    /// What happens to an agent at the edge of the world.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
    #[serde(rename = "edge")]
    pub enum Edge {
        /// Nothing: the world has no end. Its size only says which part to show.
        #[default]
        Open,
        /// The agent comes back on the other side. Distances wrap: agents see each other across the edge.
        Wrap,
        /// The agent bounces off the edge; its velocity is mirrored.
        Bounce,
        /// The agent stays at the edge and loses the outward part of its velocity.
        Clamp,
    }
}

/// A rectangle, with what happens at its edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Space {
    /// The behavior of the edge.
    pub edge: Edge,
    /// The corner with the smallest coordinates, in world units.
    pub min: Vec2,
    /// Width and height, in world units, both above 0.
    pub size: Vec2,
}

impl Space {
    /// Returns the corner with the largest coordinates, in world units.
    #[inline]
    pub fn max(&self) -> Vec2 {
        self.min + self.size
    }

    /// Returns the shortest offset from one point to another; in a world that wraps it may cross the edge.
    #[inline]
    pub fn offset(&self, from: Vec2, to: Vec2) -> Vec2 {
        let straight = to - from;
        if self.edge != Edge::Wrap {
            return straight;
        }
        Vec2::new(shortest(straight.x, self.size.x), shortest(straight.y, self.size.y))
    }

    /// Returns [`Space::offset`] for two points that are inside the rectangle. It is faster, for loops over pairs.
    #[inline]
    pub(crate) fn offset_inside(&self, from: Vec2, to: Vec2) -> Vec2 {
        let straight = to - from;
        if self.edge != Edge::Wrap {
            return straight;
        }
        let (size, half) = (self.size, self.size * 0.5);
        let x = wrap_offset(straight.x, size.x, half.x);
        Vec2::new(x, wrap_offset(straight.y, size.y, half.y))
    }

    /// Returns the size of a world that wraps, and half of it. In other worlds they are zero and infinite, so that no offset
    /// is more than half. With these numbers, loops need not ask which edge the world has.
    #[inline]
    pub(crate) fn wrap_sizes(&self) -> (Vec2, Vec2) {
        if self.edge == Edge::Wrap {
            (self.size, self.size * 0.5)
        } else {
            (Vec2::ZERO, Vec2::INFINITY)
        }
    }

    /// Applies the edge to a position and a velocity after a move, and returns both.
    #[inline]
    pub fn apply_edge(&self, pos: Vec2, vel: Vec2) -> (Vec2, Vec2) {
        match self.edge {
            Edge::Open => (pos, vel),
            Edge::Wrap => (self.wrapped(pos), vel),
            Edge::Bounce => {
                let (x, vx) = bounced(pos.x, vel.x, self.min.x, self.max().x);
                let (y, vy) = bounced(pos.y, vel.y, self.min.y, self.max().y);
                (Vec2::new(x, y), Vec2::new(vx, vy))
            }
            Edge::Clamp => {
                let (x, vx) = clamped(pos.x, vel.x, self.min.x, self.max().x);
                let (y, vy) = clamped(pos.y, vel.y, self.min.y, self.max().y);
                (Vec2::new(x, y), Vec2::new(vx, vy))
            }
        }
    }

    /// Returns the equivalent point inside the rectangle of a world that wraps; in other worlds the point itself.
    #[inline]
    pub(crate) fn inside(&self, point: Vec2) -> Vec2 {
        match self.edge {
            Edge::Wrap => self.wrapped(point),
            Edge::Open | Edge::Bounce | Edge::Clamp => point,
        }
    }

    fn wrapped(&self, pos: Vec2) -> Vec2 {
        Vec2::new(wrapped(pos.x, self.min.x, self.size.x), wrapped(pos.y, self.min.y, self.size.y))
    }
}

/// Returns the shorter difference in a world that wraps: [`Space::offset`] along one axis.
#[inline(always)]
pub fn shortest(d: f32, size: f32) -> f32 {
    d - size * (d / size).round()
}

/// Computes [`Space::offset_inside`] along one axis, with numbers from [`Space::wrap_sizes`].
#[inline(always)]
pub(super) fn wrap_offset<T: Real>(straight: T, size: T, half: T) -> T {
    let down = half.if_less(straight, straight - size, straight);
    straight.if_less(-half, straight + size, down)
}

fn wrapped(x: f32, min: f32, size: f32) -> f32 {
    if x >= min && x < min + size {
        return x;
    }
    let back = min + (x - min).rem_euclid(size);
    // The sum may round up to the far edge, which is the same as the near edge.
    if back < min + size { back } else { min }
}

fn bounced(x: f32, v: f32, min: f32, max: f32) -> (f32, f32) {
    if x >= min && x <= max {
        return (x, v);
    }
    // Unfold the reflections: there and back is twice the size.
    let size = max - min;
    let unfolded = (x - min).rem_euclid(2.0 * size);
    let (inside, flipped) =
        if unfolded <= size { (min + unfolded, false) } else { (max - (unfolded - size), true) };
    (inside.clamp(min, max), if flipped { -v } else { v })
}

fn clamped(x: f32, v: f32, min: f32, max: f32) -> (f32, f32) {
    if x < min {
        (min, math::max(v, 0.0))
    } else if x > max {
        (max, math::min(v, 0.0))
    } else {
        (x, v)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn space(edge: Edge) -> Space {
        Space { edge, min: Vec2::new(-10.0, 5.0), size: Vec2::new(40.0, 20.0) }
    }

    #[test]
    fn each_edge_acts_as_its_name_says() {
        let (pos, vel) = (Vec2::new(33.0, 4.0), Vec2::new(2.0, -3.0));
        assert_eq!(space(Edge::Open).apply_edge(pos, vel), (pos, vel));
        assert_eq!(space(Edge::Wrap).apply_edge(pos, vel), (Vec2::new(-7.0, 24.0), vel));
        assert_eq!(
            space(Edge::Bounce).apply_edge(pos, vel),
            (Vec2::new(27.0, 6.0), Vec2::new(-2.0, 3.0))
        );
        assert_eq!(
            space(Edge::Clamp).apply_edge(pos, vel),
            (Vec2::new(30.0, 5.0), Vec2::new(0.0, 0.0))
        );
    }

    #[test]
    fn offsets_in_a_wrapping_world_cross_the_edge() {
        let wrap = space(Edge::Wrap);
        assert_eq!(wrap.offset(Vec2::new(-9.0, 6.0), Vec2::new(29.0, 24.0)), Vec2::new(-2.0, -2.0));
        assert_eq!(
            space(Edge::Open).offset(Vec2::new(-9.0, 6.0), Vec2::new(29.0, 24.0)),
            Vec2::new(38.0, 18.0)
        );
    }

    proptest! {
        #[test]
        fn positions_are_inside_after_the_edge_is_applied(x in -1e6f32..1e6, y in -1e6f32..1e6) {
            for edge in [Edge::Wrap, Edge::Bounce, Edge::Clamp] {
                let space = space(edge);
                let (p, _) = space.apply_edge(Vec2::new(x, y), Vec2::ONE);
                prop_assert!(p.cmpge(space.min).all() && p.cmple(space.max()).all(), "{edge:?} {p}");
                if edge == Edge::Wrap {
                    prop_assert!(p.cmplt(space.max()).all(), "{p}");
                }
                prop_assert_eq!(space.apply_edge(p, Vec2::ONE), (p, Vec2::ONE), "applying the edge twice");
            }
        }

        #[test]
        fn both_offsets_agree_inside(ax in -10.0f32..30.0, ay in 5.0f32..25.0, bx in -10.0f32..30.0, by in 5.0f32..25.0) {
            let wrap = space(Edge::Wrap);
            let (a, b) = (Vec2::new(ax, ay), Vec2::new(bx, by));
            let (slow, quick) = (wrap.offset(a, b), wrap.offset_inside(a, b));
            prop_assert!((slow.abs() - quick.abs()).length() < 1e-4, "{slow} {quick}");
            prop_assert!(quick.x.abs() <= 20.0 && quick.y.abs() <= 10.0);
        }

        #[test]
        fn a_tiny_step_over_the_lower_edge_stays_inside(tiny in 1e-12f32..1e-3) {
            let wrap = Space { edge: Edge::Wrap, min: Vec2::ZERO, size: Vec2::splat(100.0) };
            let (p, _) = wrap.apply_edge(Vec2::splat(-tiny), Vec2::ZERO);
            prop_assert!(p.x >= 0.0 && p.x < 100.0);
        }
    }
}
