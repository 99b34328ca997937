//! Operations that read obstacles, paths and constant tables.

use super::lanes::LaneValue;
use super::machine::{Machine, Scene};
use super::width::Width;
use super::{AskObstacle, AskPath, Op};
use crate::math::Vec2;
use crate::world::{ObstacleId, Path, Question, World};

impl<W: Width> Machine<W> {
    pub(super) fn ray(&mut self, scene: &Scene<'_>, op: &Op) {
        self.each_lane(scene, op, |_, of, _, (from, target)| {
            let hit = of.world.ray(from, target);
            Some((hit.unwrap_or(Vec2::ZERO), hit.is_some()))
        });
    }

    pub(super) fn first_hit(&mut self, scene: &Scene<'_>, op: &Op) {
        self.every_lane(scene, op, |machine, of, lane, (direction, length, radius)| {
            let from = machine.own_pos(lane);
            let takes_part = machine.banks.takes_part(op.mask, lane);
            let hit =
                takes_part.then(|| of.world.first_hit(from, direction, length, radius)).flatten();
            hit.map_or_else(Default::default, |(_, hit)| (hit.distance, hit.normal, true))
        });
    }

    pub(super) fn ask(&mut self, scene: &Scene<'_>, op: &Op, question: Question) {
        self.every_lane(scene, op, |machine, of, lane, (vel, a, b, c)| {
            let takes_part = machine.banks.takes_part(op.mask, lane);
            let ask = || question.answer(&machine.me(of.world, lane, vel), [a, b, c]);
            if takes_part { ask() } else { Default::default() }
        });
    }

    pub(super) fn obstacle(&mut self, scene: &Scene<'_>, op: &Op, ask: AskObstacle) {
        self.each_lane(scene, op, |_, of, _, (which, point): (i64, Vec2)| {
            ask.of(of.world, ObstacleId(u16::try_from(which).ok()?), point)
        });
    }

    pub(super) fn present_obstacle(&mut self, scene: &Scene<'_>, op: &Op) {
        self.each_lane(scene, op, |_, of, _, index: i64| {
            let index = usize::try_from(index).unwrap_or_default();
            Some(i64::from(of.world.obstacle_id(index).0))
        });
    }

    pub(super) fn path(&mut self, scene: &Scene<'_>, op: &Op, ask: AskPath) {
        self.each_lane(scene, op, |_, of, _, (which, point)| {
            ask.of(element(&of.world.paths, which)?, point)
        });
    }

    pub(super) fn path_count(&mut self, scene: &Scene<'_>, op: &Op) {
        self.each_lane(scene, op, |_, of, _, which| {
            let path = element(&of.world.paths, which);
            Some(path.map_or(0, |path| path.points.len() as i64))
        });
    }

    pub(super) fn nearest_on_path(&mut self, scene: &Scene<'_>, op: &Op) {
        self.each_lane(scene, op, |_, of, _, (which, point): (i64, Vec2)| {
            let nearest = element(&of.world.paths, which).map(|path| path.nearest(point));
            Some(nearest.map_or_else(Default::default, |nearest| (nearest.point, nearest.distance)))
        });
    }

    pub(super) fn waypoint(&mut self, scene: &Scene<'_>, op: &Op) {
        self.each_lane(scene, op, |machine, of, lane, which| {
            let found = machine.path_of(of.world, which, lane);
            let found = found.map(|(path, at)| {
                let progress = machine.progress.get(at).copied().unwrap_or_default();
                (path.waypoint(progress), path.is_last(progress))
            });
            Some(found.unwrap_or_default())
        });
    }

    pub(super) fn advance(&mut self, scene: &Scene<'_>, op: &Op) {
        self.each_lane(scene, op, |machine, of, lane, which| {
            if let Some((path, at)) = machine.path_of(of.world, which, lane) {
                machine.progress[at] = path.next(machine.progress[at]);
            }
            Some(())
        });
    }

    /// Returns a path, and the index of the agent's progress on it.
    fn path_of<'w>(&self, world: &'w World, which: i64, lane: usize) -> Option<(&'w Path, usize)> {
        let path = element(&world.paths, which)?;
        Some((path, lane * world.paths.len() + which as usize))
    }

    /// Reads an element of a constant table.
    pub(super) fn table<T: Copy + LaneValue>(&mut self, scene: &Scene<'_>, op: &Op, table: &[T]) {
        let length = table.len() as i64;
        let from_either_end = |at: i64| if at < 0 { at + length } else { at };
        self.each_lane(scene, op, |_, _, _, at| element(table, from_either_end(at)).copied());
    }
}

/// Returns the element at an index from a column, if it is in range.
fn element<T>(elements: &[T], index: i64) -> Option<&T> {
    elements.get(usize::try_from(index).ok()?)
}
