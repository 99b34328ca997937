//! The world, its obstacles and its paths.

use super::define::define;
use crate::math::Compare;
use crate::program::{AskObstacle, AskPath, SharedInteger, SharedNumber};
use crate::steer::{Number, Vector};

define! { on of;
    /// Seconds since the start.
    Property "time"(world: World) -> Number in "s" { of.common(SharedNumber::Time)? }

    /// The number of the tick, from 0.
    Property "tick"(world: World) -> Integer { of.common_integer(SharedInteger::Tick)? }

    /// The length of a tick.
    Property "dt"(world: World) -> Number in "s" { of.common(SharedNumber::Dt)? }

    /// Width and height.
    Property "size"(world: World) -> Vector in "world units" {
        Vector::new(of.common(SharedNumber::SizeX)?, of.common(SharedNumber::SizeY)?)
    }

    /// The lower corner.
    Property "min"(world: World) -> Vector in "world units" {
        Vector::new(of.common(SharedNumber::MinX)?, of.common(SharedNumber::MinY)?)
    }

    /// The upper corner.
    Property "max"(world: World) -> Vector in "world units" {
        Vector::new(of.common(SharedNumber::MaxX)?, of.common(SharedNumber::MaxY)?)
    }

    /// Where the pointer of the window is; `()` if it is not in the world.
    Property "cursor"(world: World) -> MaybeVector in "world units" [Lasts] { of.cursor()? }

    /// The obstacle of a name.
    Fixed "obstacle"(world: World, name: ObstacleName) -> Obstacle [Asks, SeesObstacles] { name }

    /// The path of a name.
    Fixed "path"(world: World, name: PathName) -> Path [Asks] { name }

    /// How many agents there are.
    Fixed "count"(world: World) -> Integer { of.common_integer(SharedInteger::Count(None))? }

    /// How many agents of a group there are.
    Fixed "count"(world: World, group: Group) -> Integer [Asks] { of.common_integer(SharedInteger::Count(Some(group)))? }

    /// The one agent of a group; the call fails if there is not exactly one.
    Fixed "agent"(world: World, group: Group) -> Agent [Asks] { of.only(group)? }

    /// The first place of an obstacle on the straight way between two points; `()` if the way is free.
    Open "ray"(world: World, from: Point, to: Point) -> MaybeVector in "world units" [Asks, SeesObstacles] {
        of.ray(from, to)?
    }

    /// Its name in the scenario.
    Property "name"(obstacle: Obstacle) -> Text { of.name_of_obstacle(obstacle)? }

    /// The middle of its bounds.
    Property "center"(obstacle: Obstacle) -> Vector in "world units" { of.obstacle(AskObstacle::Center, obstacle, of.zero())? }

    /// The radius of a circle; half the diagonal of the bounds of any other shape.
    Property "radius"(obstacle: Obstacle) -> Number in "world units" {
        of.obstacle(AskObstacle::Radius, obstacle, of.zero())?.parts().0
    }

    /// Whether a point lies in it.
    Open "contains"(obstacle: Obstacle, point: Point) -> Truth [Asks] {
        let inside = of.obstacle(AskObstacle::Contains, obstacle, point)?.parts().0;
        inside.compare(Compare::Ne, of.number(0.0))
    }

    /// How far a point is from its surface; negative inside.
    Open "distance"(obstacle: Obstacle, point: Point) -> Number in "world units" [Asks] {
        of.obstacle(AskObstacle::Distance, obstacle, point)?.parts().0
    }

    /// The point of its surface that is nearest to a point.
    Open "closest"(obstacle: Obstacle, point: Point) -> Vector in "world units" [Asks] {
        of.obstacle(AskObstacle::Closest, obstacle, point)?
    }

    /// The unit vector out of it at the point of its surface that is nearest to a point.
    Open "normal"(obstacle: Obstacle, point: Point) -> Vector [Asks] { of.obstacle(AskObstacle::Normal, obstacle, point)? }

    /// Its name in the scenario.
    Property "name"(path: Path) -> Text [Asks] { of.name_of_path(path)? }

    /// How near a waypoint has to be to be reached, and half the width of the way.
    Property "radius"(path: Path) -> Number in "world units" [Asks] { of.path(AskPath::Radius, path, of.zero())?.parts().0 }

    /// How many points it has.
    Property "count"(path: Path) -> Integer [Asks] { of.path_count(path)? }

    /// How long it is.
    Property "length"(path: Path) -> Number in "world units" [Asks] { of.path(AskPath::Length, path, of.zero())?.parts().0 }

    /// One of its points, counted from 0.
    Fixed "point"(path: Path, place: Integer) -> Vector in "world units" { of.path_point(path, place)? }

    /// The point of it that is nearest to a point.
    Open "closest"(path: Path, point: Point) -> Vector in "world units" [Asks] { of.path(AskPath::Closest, path, point)? }

    /// How far it is from a point.
    Open "distance"(path: Path, point: Point) -> Number in "world units" [Asks] {
        of.path(AskPath::Distance, path, point)?.parts().0
    }

    /// How far along it the point is that is nearest to a point.
    Open "along"(path: Path, point: Point) -> Number in "world units" [Asks] {
        of.path(AskPath::Along, path, point)?.parts().0
    }

    /// The point so far along it.
    Fixed "at"(path: Path, along: Number in "world units") -> Made in "world units" [Asks] {
        of.path(AskPath::At, path, Vector::new(along, along))?
    }
}
