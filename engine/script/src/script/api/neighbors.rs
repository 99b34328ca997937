//! Definitions on neighborhoods: which other agents are near, and their count and means.

use super::define::{Evaluator, NeighborTotals, define};
use crate::steer::{RADIANS, Vector, choose};
use crate::world::Relation;

define! { on of;
    /// Returns all other agents, of all groups. `.of("group")`, `.prey()`, `.predators()` and `.allies()` keep only some of them.
    Typed "neighbors"(me: Me) -> Neighbors { of.neighbors_within(of.number(f32::INFINITY)) }

    /// Returns all other agents, of all groups, whose centers are within a radius of `me`. `.of("group")`, `.prey()`, `.predators()` and `.allies()` keep only some of them.
    Untyped "neighbors"(me: Me, radius: NotNegative in "world units") -> Neighbors { of.neighbors_within(radius) }

    /// Returns the nearest other agent; `()` if there is none.
    Typed "nearest"(me: Me) -> MaybeAgent [Queries] { of.nearest(of.neighbors_within(of.number(f32::INFINITY)))? }

    /// Returns the nearest other agent of a group; `()` if there is none.
    Typed "nearest"(me: Me, group: Group) -> MaybeAgent [Queries] {
        of.nearest(of.of_group(of.neighbors_within(of.number(f32::INFINITY)), group))?
    }

    /// Returns the nearest other agent within a radius, in world units; `()` if there is none.
    Typed "nearest"(me: Me, radius: NotNegative in "world units") -> MaybeAgent [Queries] { of.nearest(of.neighbors_within(radius))? }

    /// Returns the nearest other agent of a group within a radius, in world units; `()` if there is none.
    Typed "nearest"(me: Me, group: Group, radius: NotNegative in "world units") -> MaybeAgent [Queries] {
        of.nearest(of.of_group(of.neighbors_within(radius), group))?
    }

    /// Returns the neighbors that belong to a group.
    Typed "of"(near: Neighbors, group: Group) -> Neighbors { of.of_group(near, group) }

    /// Returns the neighbors that are prey: agents of a group that the scenario declares as `prey` of the group of `me`. Of several relations, the last one counts.
    Typed "prey"(near: Neighbors) -> Neighbors [NeedsPrey] { of.related(near, Relation::Prey) }

    /// Returns the neighbors that are predators: agents of a group that the scenario declares as one of the `predators` of the group of `me`.
    Typed "predators"(near: Neighbors) -> Neighbors [NeedsPredators] { of.related(near, Relation::Predator) }

    /// Returns the neighbors that are allies: agents of a group that the scenario declares as one of the `allies` of the group of `me`.
    Typed "allies"(near: Neighbors) -> Neighbors [NeedsAllies] { of.related(near, Relation::Ally) }

    /// Returns the neighbors in view: in a sector of this angle in radians, half of it on each side of the heading; neighbors at the same place are always in view.
    Typed "in_view"(near: Neighbors, angle: Number in RADIANS) -> Neighbors { of.in_view(near, angle) }

    /// Returns the neighbors in front of the agent: less than a quarter turn from its heading. Of several `ahead` and `in_view`, the last one counts.
    Typed "ahead"(near: Neighbors) -> Neighbors { of.ahead(near) }

    /// Returns the neighbors that the agent would have if it stood at a point with its heading; distances, means and views are then as seen from there.
    Untyped "around"(near: Neighbors, point: Point) -> Neighbors { of.around(near, point) }

    /// Returns the nearest of the neighbors, at most so many. They are chosen from all that meet the other conditions, whatever the order of the calls. Of two that are equally near, the one with the lower id counts. Of several `nearest`, the last one counts. A loop goes through them in the order of their ids; the very nearest is `near.nearest`. `count` is rounded down.
    Typed "nearest"(near: Neighbors, count: NotNegative) -> Neighbors { of.nearest_of(near, count) }

    /// The number of neighbors.
    Property "count"(near: Neighbors) -> Integer [Queries] { of.means(near)?.count }

    /// Returns the number of neighbors.
    Typed "len"(near: Neighbors) -> Integer [Queries] { of.means(near)?.count }

    /// Returns whether there are no neighbors.
    Typed "is_empty"(near: Neighbors) -> Boolean [Queries] { of.means(near)?.is_empty }

    /// The mean offset to the neighbors, in world units; the zero vector if there are none.
    Property "mean_offset"(near: Neighbors) -> Vector in "world units" [Queries] { mean_offset(of, near)? }

    /// The mean velocity of the neighbors, in world units per second; the zero vector if there are none.
    Property "mean_velocity"(near: Neighbors) -> Vector in "world units/s" [Queries] {
        let means = of.means(near)?;
        mean(of, &means, means.velocities)
    }

    /// The mean position of the neighbors, in world units; the position of the agent if there are none.
    Property "center"(near: Neighbors) -> FiniteVector in "world units" [Queries] {
        let offset = mean_offset(of, near)?;
        of.viewpoint(near)? + offset
    }

    /// The nearest of the neighbors; `()` if there are none.
    Property "nearest"(near: Neighbors) -> MaybeAgent [Queries] { of.nearest(near)? }

    /// The neighbor with the lowest id; `()` if there are none.
    Property "first"(near: Neighbors) -> MaybeAgent [Queries] { of.first(near)? }
}

fn mean_offset<A: Evaluator>(of: &A, near: A::Neighbors) -> Result<A::Vector, A::Error> {
    let means = of.means(near)?;
    Ok(mean(of, &means, means.offsets))
}

/// Returns a sum divided by the number of neighbors; the zero vector if there are none.
fn mean<A: Evaluator>(of: &A, means: &NeighborTotals<A>, sum: A::Vector) -> A::Vector {
    let ((x, y), count) = (sum.parts(), of.to_number(means.count));
    choose(means.is_empty, of.zero(), Vector::new(x / count, y / count))
}
