//! Neighborhoods: others near an agent, and what is known of them together.

use super::define::{Reading, define};
use crate::steer::{RADIANS, Vector, choose};

define! { on of;
    /// Everyone else.
    Fixed "neighbors"(me: Me) -> Neighbors { of.near(of.number(f32::INFINITY)) }

    /// Everyone else within a radius.
    Open "neighbors"(me: Me, radius: NotNegative in "world units") -> Neighbors { of.near(radius) }

    /// The nearest other agent; `()` if there is none.
    Fixed "nearest"(me: Me) -> MaybeAgent [Asks] { of.nearest(of.near(of.number(f32::INFINITY)))? }

    /// The nearest agent of a group; `()` if there is none.
    Fixed "nearest"(me: Me, group: Group) -> MaybeAgent [Asks] {
        of.nearest(of.of_group(of.near(of.number(f32::INFINITY)), group))?
    }

    /// The nearest other agent within a radius; `()` if there is none.
    Fixed "nearest"(me: Me, radius: NotNegative in "world units") -> MaybeAgent [Asks] { of.nearest(of.near(radius))? }

    /// The nearest agent of a group within a radius; `()` if there is none.
    Fixed "nearest"(me: Me, group: Group, radius: NotNegative in "world units") -> MaybeAgent [Asks] {
        of.nearest(of.of_group(of.near(radius), group))?
    }

    /// Those of a group.
    Fixed "of"(near: Neighbors, group: Group) -> Neighbors { of.of_group(near, group) }

    /// Those in view, over an angle of which half is to either side of the heading.
    Fixed "in_view"(near: Neighbors, angle: Number in RADIANS) -> Neighbors { of.in_view(near, angle) }

    /// Those in front: less than a quarter turn from the heading.
    Fixed "ahead"(near: Neighbors) -> Neighbors { of.ahead(near) }

    /// Those there would be if the agent stood at a point.
    Open "around"(near: Neighbors, point: Point) -> Neighbors { of.around(near, point) }

    /// How many there are.
    Property "count"(near: Neighbors) -> Integer [Asks] { of.means(near)?.count }

    /// How many there are.
    Fixed "len"(near: Neighbors) -> Integer [Asks] { of.means(near)?.count }

    /// Whether there is none.
    Fixed "is_empty"(near: Neighbors) -> Truth [Asks] { of.means(near)?.nobody }

    /// The mean of the ways to them; zero where there is none.
    Property "mean_offset"(near: Neighbors) -> Vector in "world units" [Asks] { mean_offset(of, near)? }

    /// The mean of their velocities; zero where there is none.
    Property "mean_velocity"(near: Neighbors) -> Vector in "world units/s" [Asks] {
        let means = of.means(near)?;
        mean(of, &means, means.velocities)
    }

    /// The middle of where they are; where the agent is if there is none.
    Property "center"(near: Neighbors) -> Made in "world units" [Asks] {
        let offset = mean_offset(of, near)?;
        of.middle(near)? + offset
    }

    /// The nearest of them; `()` if there is none.
    Property "nearest"(near: Neighbors) -> MaybeAgent [Asks] { of.nearest(near)? }

    /// The one with the lowest id; `()` if there is none.
    Property "first"(near: Neighbors) -> MaybeAgent [Asks] { of.first(near)? }
}

/// The sums over neighbors of which means are made.
pub(in crate::script) struct Sums<A: Reading> {
    pub(in crate::script) count: A::Integer,
    pub(in crate::script) nobody: A::Truth,
    pub(in crate::script) offsets: A::Vector,
    pub(in crate::script) velocities: A::Vector,
}

fn mean_offset<A: Reading>(of: &A, near: A::Neighbors) -> Result<A::Vector, A::Fault> {
    let means = of.means(near)?;
    Ok(mean(of, &means, means.offsets))
}

/// A sum divided by how many there are; zero where there is none.
fn mean<A: Reading>(of: &A, means: &Sums<A>, sum: A::Vector) -> A::Vector {
    let ((x, y), count) = (sum.parts(), of.to_number(means.count));
    choose(means.nobody, of.zero(), Vector::new(x / count, y / count))
}
