//! Moving along a path.

use super::algebra::*;
use super::{Cause, Param, arrive, primitive};
use crate::math;

primitive! {
    /// Steers to the current waypoint of a path, then to the next one.
    ///
    /// A waypoint is reached when the agent is within the path's radius. The next waypoint counts from the next
    /// tick on.
    ///
    /// force = seek(waypoint); for the last waypoint of a path with mode Once, force = arrive(waypoint, radius)
    ///
    /// At the end of a path with mode PingPong, the last waypoint counts twice before the agent goes back: an
    /// agent within its radius turns around one tick later.
    ///
    /// Each agent has its own progress on each path, and only this primitive advances it. At the waypoint
    /// itself the force is -vel, like that of `seek` at its target.
    ///
    /// Source: the waypoint lists of Buckland and Bevilacqua. There the progress belongs to the path, so that
    /// agents that share a path change each other's waypoint.
    follow_path(
        me,
        path: Path = Param::path("path", "the path to follow"),
        speed: Number = Param::SPEED,
    ) returns ToDesiredVelocity and advances_progress and goes_straight {
        let (waypoint, radius) = (me.waypoint(path), me.radius_of(path));
        let slowing = choose(me.is_at_last_waypoint(path), radius, me.number(0.0));
        let force = arrive(me, waypoint, slowing, speed);
        me.advance(path, me.to(waypoint).norm().le(radius));
        force
    } reacts_to {
        let (progress, path) = (me.progress(path), me.world().path(path));
        let at = path.waypoint(progress);
        Cause::Waypoint {
            path: path.name.clone(),
            number: path.current(progress) as u32,
            at,
            distance: math::length(me.to(at)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::world::World;
    use crate::world::{PathId, PathMode, Progress};

    use crate::world::Path;

    fn world(pos: Vec2, mode: PathMode) -> World {
        let mut world = World::example(&[(pos, Vec2::ZERO)]);
        let points = vec![Vec2::ZERO, Vec2::new(100.0, 0.0)];
        world.paths.push(Path { name: "p".into(), points, radius: 5.0, mode });
        world
    }

    #[test]
    fn in_the_tick_that_reaches_a_waypoint_the_force_still_aims_at_it() {
        let world = world(Vec2::new(3.0, 0.0), PathMode::Loop);
        let mut progress = [Progress::default()];
        let force = follow_path(&world.me(0).with_progress(&mut progress), PathId(0), 10.0);
        assert_eq!(force, Vec2::new(-10.0, 0.0));
        assert_eq!(progress[0].waypoint, 1);
        let force = follow_path(&world.me(0).with_progress(&mut progress), PathId(0), 10.0);
        assert_eq!(force, Vec2::new(10.0, 0.0));
    }

    #[test]
    fn stops_at_the_end_of_a_path_walked_once() {
        let world = world(Vec2::new(98.0, 0.0), PathMode::Once);
        let mut progress = [Progress { waypoint: 1, back: false }];
        let force = follow_path(&world.me(0).with_progress(&mut progress), PathId(0), 10.0);
        assert_eq!(force, Vec2::new(4.0, 0.0));
        assert_eq!(progress[0].waypoint, 1);
    }
}
