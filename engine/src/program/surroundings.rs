//! What a program asks of obstacles, paths and constant tables.

use super::lanes::LaneValue;
use super::machine::{Machine, Scene};
use super::{AskObstacle, AskPath, Op};
use crate::geom::{self, Shape};
use crate::math::{self, Vec2};
use crate::world::{Path, World};

impl Machine {
    pub(super) fn ray(&mut self, scene: &Scene<'_>, op: &Op) {
        self.each_lane(op, |_, _, (from, target)| {
            let hit = scene.world.ray(from, target);
            Some((hit.unwrap_or(Vec2::ZERO), hit.is_some()))
        });
    }

    pub(super) fn first_hit(&mut self, scene: &Scene<'_>, op: &Op) {
        let world = scene.world;
        self.every_lane(op, |machine, lane, (direction, length, radius)| {
            let from = world.agents.pos[machine.row(lane)];
            let asked = machine.banks.takes_part(op.mask, lane);
            let hit = asked.then(|| world.first_hit(from, direction, length, radius)).flatten();
            hit.map_or_else(Default::default, |(_, hit)| (hit.distance, hit.normal, true))
        });
    }

    pub(super) fn obstacle(&mut self, scene: &Scene<'_>, op: &Op, ask: AskObstacle) {
        self.each_lane(op, |_, _, (which, point)| {
            Some(of_shape(&item(&scene.world.obstacles, which)?.shape, ask, point))
        });
    }

    pub(super) fn path(&mut self, scene: &Scene<'_>, op: &Op, ask: AskPath) {
        self.each_lane(op, |_, _, (which, point)| {
            of_path(item(&scene.world.paths, which)?, ask, point)
        });
    }

    pub(super) fn path_count(&mut self, scene: &Scene<'_>, op: &Op) {
        self.each_lane(op, |_, _, which| {
            let path = item(&scene.world.paths, which);
            Some(path.map_or(0, |path| path.points.len() as i64))
        });
    }

    pub(super) fn nearest_on_path(&mut self, scene: &Scene<'_>, op: &Op) {
        self.each_lane(op, |_, _, (which, point): (i64, Vec2)| {
            let nearest = item(&scene.world.paths, which).map(|path| path.nearest(point));
            Some(nearest.map_or_else(Default::default, |nearest| (nearest.point, nearest.distance)))
        });
    }

    pub(super) fn waypoint(&mut self, scene: &Scene<'_>, op: &Op) {
        self.each_lane(op, |machine, lane, which| {
            let found = machine.path_of(scene.world, which, lane);
            let found = found.map(|(path, at)| {
                let progress = machine.progress.get(at).copied().unwrap_or_default();
                (path.waypoint(progress), path.is_last(progress))
            });
            Some(found.unwrap_or_default())
        });
    }

    pub(super) fn advance(&mut self, scene: &Scene<'_>, op: &Op) {
        self.each_lane(op, |machine, lane, which| {
            if let Some((path, at)) = machine.path_of(scene.world, which, lane) {
                machine.progress[at] = path.next(machine.progress[at]);
            }
            Some(())
        });
    }

    /// A path, and where the agent's progress on it is kept.
    fn path_of<'w>(&self, world: &'w World, which: i64, lane: usize) -> Option<(&'w Path, usize)> {
        let path = item(&world.paths, which)?;
        Some((path, lane * world.paths.len() + which as usize))
    }

    /// An element of a constant table.
    pub(super) fn table<T: Copy + LaneValue>(&mut self, op: &Op, table: &[T]) {
        self.each_lane(op, |_, _, at| item(table, at).copied());
    }
}

/// What is at a place that a column holds.
fn item<T>(items: &[T], place: i64) -> Option<&T> {
    items.get(usize::try_from(place).ok()?)
}

fn of_shape(shape: &Shape, ask: AskObstacle, point: Vec2) -> Vec2 {
    let number = |x| Vec2::new(x, 0.0);
    match ask {
        AskObstacle::Contains => number(f32::from(u8::from(shape.contains(point)))),
        AskObstacle::Distance => number(shape.surface(point).distance),
        AskObstacle::Closest => shape.surface(point).point,
        AskObstacle::Normal => shape.surface(point).normal,
        AskObstacle::Center => {
            let (min, max) = shape.bounds();
            (min + max) * 0.5
        }
        AskObstacle::Radius => number(match shape {
            Shape::Circle { radius, .. } => *radius,
            _ => {
                let (min, max) = shape.bounds();
                math::length(max - min) * 0.5
            }
        }),
    }
}

fn of_path(path: &Path, ask: AskPath, point: Vec2) -> Option<Vec2> {
    let number = |x| Vec2::new(x, 0.0);
    let nearest = || path.nearest(point);
    Some(match ask {
        AskPath::Closest => nearest().point,
        AskPath::Distance => number(nearest().distance),
        AskPath::Along => number(nearest().along),
        AskPath::At => {
            let at = geom::point_along(&path.points, path.is_closed(), point.x);
            return at.is_finite().then_some(at);
        }
        AskPath::Point => {
            // A place below 0 is no place, and would be 0 as a whole number of the other kind.
            return (point.x >= 0.0).then(|| path.points.get(point.x as usize).copied()).flatten();
        }
        AskPath::Radius => number(path.radius),
        AskPath::Length => number(geom::polyline_length(&path.points, path.is_closed())),
    })
}
