//! Obstacles that move: how they move, and where they are.
//!
//! Where an obstacle is depends on its state only: it is where the scenario puts it, moved by an offset.

use std::borrow::Cow;
use std::sync::Arc;

use super::{Obstacle, ObstacleId, Path, Progress, World};
use crate::geom::{FAR, Shape};
use crate::math::{self, Vec2};

/// How an obstacle moves.
#[derive(Clone, Debug, PartialEq)]
pub enum ObstacleMotion {
    /// It stays where it is.
    Stop,
    /// It moves on and on, with a velocity in world units per second.
    Velocity(Vec2),
    /// Its center goes straight to a point, where it stops.
    To {
        /// The point, in world units.
        at: Vec2,
        /// The speed in world units per second, above 0.
        speed: f32,
    },
    /// Its center goes from waypoint to waypoint of a path, first straight to the first one. After the last one it goes on as the mode of the
    /// path says.
    Along {
        /// The name of the path.
        path: Arc<str>,
        /// The speed in world units per second, above 0.
        speed: f32,
    },
}

/// The part of an obstacle that changes while it moves.
#[derive(Clone, Debug, PartialEq)]
pub struct ObstacleState {
    /// The name of the obstacle.
    pub name: Arc<str>,
    /// How far it is from where the scenario puts it, in world units.
    pub offset: Vec2,
    /// How it moves.
    pub motion: ObstacleMotion,
    /// Its progress along the path that it moves along.
    pub progress: Progress,
}

/// An obstacle that moves, or that is not where the scenario puts it.
#[derive(Clone, Debug)]
pub(crate) struct MovedObstacle {
    id: ObstacleId,
    /// The shape where the scenario puts it.
    home: Shape,
    state: ObstacleState,
}

impl ObstacleState {
    /// Returns the state of an obstacle that begins to move where the scenario puts it.
    pub fn new(name: Arc<str>, motion: ObstacleMotion) -> Self {
        Self { name, offset: Vec2::ZERO, motion, progress: Progress::default() }
    }

    /// Returns whether the obstacle is as if it had never moved.
    fn is_at_home(&self) -> bool {
        self.offset == Vec2::ZERO && self.motion == ObstacleMotion::Stop
    }
}

impl MovedObstacle {
    /// Moves on by one tick. `path` is the path that it moves along, if there is one with that name.
    fn advance(&mut self, path: Option<&Path>, dt: f32) {
        let center = self.home.center();
        let ObstacleState { offset, motion, progress, .. } = &mut self.state;
        match *motion {
            ObstacleMotion::Stop => {}
            ObstacleMotion::Velocity(velocity) => *offset += velocity * dt,
            ObstacleMotion::To { at, speed } => {
                if go(offset, at - center, &mut (speed * dt)) {
                    *motion = ObstacleMotion::Stop;
                }
            }
            ObstacleMotion::Along { speed, .. } => {
                let Some(path) = path else {
                    *motion = ObstacleMotion::Stop;
                    return;
                };
                let mut left = speed * dt;
                // A fast obstacle passes several waypoints, but not more than all of them there and back.
                for _ in 0..2 * path.points.len() {
                    if !go(offset, path.waypoint(*progress) - center, &mut left) {
                        break;
                    }
                    if path.is_last(*progress) {
                        *motion = ObstacleMotion::Stop;
                        break;
                    }
                    *progress = path.next(*progress);
                }
            }
        }
        *offset = offset.clamp(Vec2::splat(-FAR), Vec2::splat(FAR));
    }

    /// Returns its velocity, in world units per second. `path` is the path that it moves along.
    fn velocity(&self, path: Option<&Path>) -> Vec2 {
        let center = self.home.center() + self.state.offset;
        match (&self.state.motion, path) {
            (ObstacleMotion::Velocity(velocity), _) => *velocity,
            (ObstacleMotion::To { at, speed }, _) => math::unit(*at - center) * *speed,
            (ObstacleMotion::Along { speed, .. }, Some(path)) => {
                let mut progress = self.state.progress;
                // At a waypoint, it goes to the next one.
                for _ in 0..2 * path.points.len() {
                    let way = path.waypoint(progress) - center;
                    if way != Vec2::ZERO || path.is_last(progress) {
                        return math::unit(way) * *speed;
                    }
                    progress = path.next(progress);
                }
                Vec2::ZERO
            }
            (ObstacleMotion::Stop | ObstacleMotion::Along { .. }, _) => Vec2::ZERO,
        }
    }
}

/// Moves an offset straight to another one by at most the length `left`, which becomes what is left of it. Returns whether it is there.
fn go(offset: &mut Vec2, to: Vec2, left: &mut f32) -> bool {
    let way = to - *offset;
    let distance = math::length(way);
    if distance > *left {
        *offset += way * (*left / distance);
        return false;
    }
    *offset = to;
    *left -= distance;
    true
}

impl World {
    /// Returns the states of the obstacles that move or are not where the scenario puts them, in the order of the scenario.
    pub fn moving_obstacles(&self) -> Vec<ObstacleState> {
        self.moved.iter().map(|one| one.state.clone()).collect()
    }

    /// Puts obstacles where these states say, lets them move on from there, and puts all others where the scenario puts them.
    #[doc(hidden)]
    pub fn set_moving_obstacles(&mut self, states: &[ObstacleState]) {
        for one in std::mem::take(&mut self.moved) {
            if let Some(obstacle) = self.obstacle_mut(one.id) {
                obstacle.shape = one.home;
            }
        }
        for state in states {
            if let Some(id) = self.obstacle_named(&state.name) {
                self.set_obstacle_state(id, |known| *known = state.clone());
            }
        }
        self.refresh_ways();
    }

    /// Lets an obstacle move in another way, from where it is. Nothing happens if there is no such obstacle.
    pub fn set_obstacle_motion(&mut self, id: ObstacleId, motion: ObstacleMotion) {
        self.set_obstacle_state(id, |state| {
            state.motion = motion;
            state.progress = Progress::default();
        });
        self.refresh_ways();
    }

    fn set_obstacle_state(&mut self, id: ObstacleId, set: impl FnOnce(&mut ObstacleState)) {
        let Some(obstacle) = self.find_obstacle(usize::from(id.0)) else { return };
        let index = match self.moved.binary_search_by_key(&id, |one| one.id) {
            Ok(index) => index,
            Err(index) => {
                let state = ObstacleState::new(Arc::clone(&obstacle.name), ObstacleMotion::Stop);
                self.moved.insert(index, MovedObstacle { id, home: obstacle.shape.clone(), state });
                index
            }
        };
        let moved = &mut self.moved[index];
        set(&mut moved.state);
        let shape = moved.home.moved(moved.state.offset);
        if moved.state.is_at_home() {
            self.moved.remove(index);
        }
        if let Some(obstacle) = self.obstacle_mut(id) {
            obstacle.shape = shape;
        }
    }

    /// Moves all obstacles that move by one tick, also those that are absent.
    pub(crate) fn move_obstacles(&mut self) {
        let mut all = std::mem::take(&mut self.moved);
        for one in all.iter_mut().filter(|one| one.state.motion != ObstacleMotion::Stop) {
            one.advance(self.path_of(&one.state.motion), self.dt);
            let shape = one.home.moved(one.state.offset);
            if let Some(obstacle) = self.obstacle_mut(one.id) {
                obstacle.shape = shape;
            }
        }
        all.retain(|one| !one.state.is_at_home());
        self.moved = all;
        self.refresh_ways();
    }

    /// Returns whether an obstacle moves now.
    pub(crate) fn has_moving_obstacles(&self) -> bool {
        self.moved.iter().any(|one| one.state.motion != ObstacleMotion::Stop)
    }

    /// Returns the path that an obstacle moves along.
    fn path_of(&self, motion: &ObstacleMotion) -> Option<&Path> {
        let ObstacleMotion::Along { path, .. } = motion else { return None };
        self.names().path(path).map(|id| self.path(id))
    }

    /// Returns the velocity of an obstacle, in world units per second: zero if it does not move.
    pub fn obstacle_velocity(&self, id: ObstacleId) -> Vec2 {
        let Ok(index) = self.moved.binary_search_by_key(&id, |one| one.id) else {
            return Vec2::ZERO;
        };
        let moved = &self.moved[index];
        moved.velocity(self.path_of(&moved.state.motion))
    }

    /// Returns all obstacles where the scenario puts them, also those that are absent now.
    #[doc(hidden)]
    pub fn obstacles_at_home(&self) -> Vec<Obstacle> {
        let mut all: Vec<Obstacle> = self.all_obstacles().cloned().collect();
        for one in &self.moved {
            all[usize::from(one.id.0)].shape = one.home.clone();
        }
        all
    }

    /// Returns the obstacles that are there as ways know them: those that move are at multiples of a step, so that ways change only when an
    /// obstacle has moved by about that much.
    pub(super) fn obstacles_for_ways(&self) -> Cow<'_, [Obstacle]> {
        if !self.has_moving_obstacles() {
            return Cow::Borrowed(&self.obstacles);
        }
        let step = self.way_step();
        let mut all = self.obstacles.clone();
        for one in self.moved.iter().filter(|one| one.state.motion != ObstacleMotion::Stop) {
            if let Err(before) = self.absent_index(usize::from(one.id.0)) {
                let steps = one.state.offset / step;
                let offset = Vec2::new(steps.x.round(), steps.y.round()) * step;
                all[usize::from(one.id.0) - before].shape = one.home.moved(offset);
            }
        }
        Cow::Owned(all)
    }
}

#[cfg(test)]
mod tests;
