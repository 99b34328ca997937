//! Definitions on the world, its obstacles, paths, fields and layers.

use super::define::{Evaluator, define};
use crate::math::Compare;
use crate::program::{AskObstacle, AskPath, SharedInteger, SharedNumber};
use crate::steer::{Number, Vector};
use crate::world::{LayerId, Question};

define! { on of;
    /// The simulated time since the start of the run, in seconds.
    Property "time"(world: World) -> Number in "s" { of.shared_number(SharedNumber::Time)? }

    /// The number of the current tick, from 0.
    Property "tick"(world: World) -> Integer { of.shared_integer(SharedInteger::Tick)? }

    /// The length of a tick, in seconds.
    Property "dt"(world: World) -> Number in "s" { of.shared_number(SharedNumber::Dt)? }

    /// The width and the height of the world, in world units.
    Property "size"(world: World) -> Vector in "world units" [KnowsDirection] {
        Vector::new(of.shared_number(SharedNumber::SizeX)?, of.shared_number(SharedNumber::SizeY)?)
    }

    /// The corner of the world with the smallest x and y, in world units.
    Property "min"(world: World) -> Vector in "world units" [KnowsPlace, KnowsDirection] {
        Vector::new(of.shared_number(SharedNumber::MinX)?, of.shared_number(SharedNumber::MinY)?)
    }

    /// The corner of the world with the largest x and y, in world units.
    Property "max"(world: World) -> Vector in "world units" [KnowsPlace, KnowsDirection] {
        Vector::new(of.shared_number(SharedNumber::MaxX)?, of.shared_number(SharedNumber::MaxY)?)
    }

    /// The position of the mouse pointer in the world, in world units, or the one that the last event `Cursor` has set;
    /// `()` if there is neither.
    Property "cursor"(world: World) -> MaybeVector in "world units" [StableInTurn] { of.cursor()? }

    /// Returns the obstacle with a name, also if an event has taken it away; the call fails if there is none.
    Typed "obstacle"(world: World, name: ObstacleName) -> Obstacle [Queries, ReadsObstacles] { name }

    /// Returns the path with a name; the call fails if there is none.
    Typed "path"(world: World, name: PathName) -> Path [Queries] { name }

    /// Returns the flow field with a name; the call fails if there is none.
    Typed "field"(world: World, name: FieldName) -> Field [Queries] { name }

    /// Returns the amount of a layer in the cell that a point is in; 0 outside of the world.
    Untyped "amount"(world: World, layer: LayerName, at: Point) -> Number [Queries, KnowsPlace, KnowsDirection] {
        of.ask(Question::Amount, [at, index(of, layer), of.zero()])?.1
    }

    /// Returns the direction in which the amount of a layer grows at a point, as long as it grows per world unit: from the cells on
    /// both sides of the one that the point is in. Zero outside of the world.
    Untyped "gradient"(world: World, layer: LayerName, at: Point) -> Vector [Queries, KnowsPlace, KnowsDirection] {
        of.ask(Question::Gradient, [at, index(of, layer), of.zero()])?.0
    }

    /// Returns which of three offsets from a point leads to the largest amount of a layer: `ahead`, or `ahead` turned by an angle in radians to
    /// the left or to the right. It is `ahead` unless a side has more, and the left one if both sides have the same.
    Untyped "best"(world: World, layer: LayerName, from: Point, ahead: Vector in "world units", angle: Number in "rad") -> Vector in "world units" [Queries, KnowsPlace, KnowsDirection, KnowsSide] {
        of.ask(Question::Best, [from, ahead, Vector::new(of.number(f32::from(layer.0)), angle)])?.0
    }

    /// Returns the number of agents.
    Typed "count"(world: World) -> Integer { of.shared_integer(SharedInteger::Count(None))? }

    /// Returns the number of agents in a group.
    Typed "count"(world: World, group: Group) -> Integer [Queries] { of.shared_integer(SharedInteger::Count(Some(group)))? }

    /// Returns the only agent of a group; the call fails if the group does not have exactly one.
    Typed "agent"(world: World, group: Group) -> Agent [Queries] { of.only_agent(group)? }

    /// Returns the first point of an obstacle on the straight line between two points, in world units; `from` if it lies in an obstacle, `()` if the line is free.
    Untyped "ray"(world: World, from: Point, to: Point) -> MaybeVector in "world units" [Queries, ReadsObstacles] {
        of.ray(from, to)?
    }

    /// The name of the obstacle in the scenario.
    Property "name"(obstacle: Obstacle) -> String { of.name_of_obstacle(obstacle)? }

    /// The center of the bounding box of the obstacle, in world units.
    Property "center"(obstacle: Obstacle) -> Vector in "world units" { of.obstacle(AskObstacle::Center, obstacle, of.zero())? }

    /// The radius of a circle, or half the diagonal of the bounding box of any other shape, in world units.
    Property "radius"(obstacle: Obstacle) -> Number in "world units" {
        of.obstacle(AskObstacle::Radius, obstacle, of.zero())?.parts().0
    }

    /// The velocity of the obstacle, in world units per second; zero if it does not move.
    Property "vel"(obstacle: Obstacle) -> Vector in "world units/s" { of.obstacle(AskObstacle::Vel, obstacle, of.zero())? }

    /// Whether the obstacle is there now; false while an event has taken it away.
    Property "present"(obstacle: Obstacle) -> Boolean {
        let present = of.obstacle(AskObstacle::Present, obstacle, of.zero())?.parts().0;
        present.compare(Compare::Ne, of.number(0.0))
    }

    /// Returns whether a point is inside the obstacle.
    Untyped "contains"(obstacle: Obstacle, point: Point) -> Boolean [Queries] {
        let inside = of.obstacle(AskObstacle::Contains, obstacle, point)?.parts().0;
        inside.compare(Compare::Ne, of.number(0.0))
    }

    /// Returns the distance from a point to the surface of the obstacle, in world units; negative inside.
    Untyped "distance"(obstacle: Obstacle, point: Point) -> Number in "world units" [Queries] {
        of.obstacle(AskObstacle::Distance, obstacle, point)?.parts().0
    }

    /// Returns the point on the surface of the obstacle that is nearest to a point, in world units.
    Untyped "closest"(obstacle: Obstacle, point: Point) -> Vector in "world units" [Queries] {
        of.obstacle(AskObstacle::Closest, obstacle, point)?
    }

    /// Returns the unit vector that points out of the obstacle, at the point on its surface that is nearest to a point.
    Untyped "normal"(obstacle: Obstacle, point: Point) -> Vector [Queries] { of.obstacle(AskObstacle::Normal, obstacle, point)? }

    /// The name of the path in the scenario.
    Property "name"(path: Path) -> String [Queries] { of.name_of_path(path)? }

    /// The distance at which a waypoint is reached, which is also half the width of the path, in world units.
    Property "radius"(path: Path) -> Number in "world units" [Queries] { of.path(AskPath::Radius, path, of.zero())?.parts().0 }

    /// The number of points of the path.
    Property "count"(path: Path) -> Integer [Queries] { of.path_count(path)? }

    /// The length of the path, in world units.
    Property "length"(path: Path) -> Number in "world units" [Queries] { of.path(AskPath::Length, path, of.zero())?.parts().0 }

    /// Returns the point of the path with an index, from 0, in world units.
    Typed "point"(path: Path, index: Integer) -> Vector in "world units" { of.path_point(path, index)? }

    /// Returns the point on the path that is nearest to a point, in world units.
    Untyped "closest"(path: Path, point: Point) -> Vector in "world units" [Queries] { of.path(AskPath::Closest, path, point)? }

    /// Returns the distance from a point to the path, in world units.
    Untyped "distance"(path: Path, point: Point) -> Number in "world units" [Queries] {
        of.path(AskPath::Distance, path, point)?.parts().0
    }

    /// Returns the distance along the path from its start to its point nearest to a given point, in world units.
    Untyped "along"(path: Path, point: Point) -> Number in "world units" [Queries] {
        of.path(AskPath::Along, path, point)?.parts().0
    }

    /// Returns the point at a distance along the path, in world units from the start.
    Typed "at"(path: Path, along: Number in "world units") -> FiniteVector in "world units" [Queries] {
        of.path(AskPath::At, path, Vector::new(along, along))?
    }

    /// The name of the field in the scenario.
    Property "name"(field: Field) -> String [Queries] { of.name_of_field(field)? }

    /// Returns the vector of the field at a point.
    Untyped "at"(field: Field, point: Point) -> Vector [Queries] { of.flow(field, point)? }
}

/// Returns the index of a layer as a question takes it.
fn index<A: Evaluator>(of: &A, layer: LayerId) -> A::Vector {
    let index = of.number(f32::from(layer.0));
    Vector::new(index, index)
}
