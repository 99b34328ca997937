//! Obstacles: named shapes that agents should avoid, and which of them are there now. `obstacle_motion` moves them.

use std::sync::Arc;

use super::{ObstacleId, World};
use crate::geom::Shape;

/// A shape that agents should avoid.
#[derive(Clone, Debug, PartialEq)]
pub struct Obstacle {
    /// Its name in the scenario.
    pub name: Arc<str>,
    /// Its shape, with its position.
    pub shape: Shape,
}

impl World {
    /// Returns an obstacle, also if it is absent now.
    pub fn obstacle(&self, id: ObstacleId) -> &Obstacle {
        let found = self.find_obstacle(usize::from(id.0));
        found.unwrap_or_else(|| panic!("there is no obstacle with the index {}", id.0))
    }

    /// Returns the obstacle with an index among all obstacles of the scenario, also if it is absent now.
    #[doc(hidden)]
    pub fn find_obstacle(&self, index: usize) -> Option<&Obstacle> {
        match self.absent_index(index) {
            Ok(absent) => Some(&self.absent[absent].1),
            Err(before) => self.obstacles.get(index - before),
        }
    }

    /// Returns an obstacle for changes, also if it is absent now.
    pub(super) fn obstacle_mut(&mut self, id: ObstacleId) -> Option<&mut Obstacle> {
        let index = usize::from(id.0);
        match self.absent_index(index) {
            Ok(absent) => Some(&mut self.absent[absent].1),
            Err(before) => self.obstacles.get_mut(index - before),
        }
    }

    /// Returns the id of the obstacle with an index in `obstacles`.
    pub fn obstacle_id(&self, index: usize) -> ObstacleId {
        let mut id = index;
        for (absent, _) in &self.absent {
            if usize::from(absent.0) > id {
                break;
            }
            id += 1;
        }
        ObstacleId(id as u16)
    }

    /// Returns all obstacles of the scenario in the order of their ids, also those that are absent now.
    pub fn all_obstacles(&self) -> impl Iterator<Item = &Obstacle> {
        let count = self.obstacles.len() + self.absent.len();
        (0..count).filter_map(|index| self.find_obstacle(index))
    }

    /// Returns the obstacle with a name, also if it is absent now.
    pub fn obstacle_named(&self, name: &str) -> Option<ObstacleId> {
        let index = self.all_obstacles().position(|obstacle| *obstacle.name == *name)?;
        Some(ObstacleId(index as u16))
    }

    /// Returns whether an obstacle is there now.
    pub fn is_present(&self, id: ObstacleId) -> bool {
        self.absent_index(usize::from(id.0)).is_err()
    }

    /// Puts an obstacle there, or takes it away. Nothing happens if it is so already, or if there is no such obstacle.
    pub fn set_present(&mut self, id: ObstacleId, present: bool) {
        let index = usize::from(id.0);
        match self.absent_index(index) {
            Ok(absent) if present => {
                let (_, obstacle) = self.absent.remove(absent);
                self.obstacles.insert(index - absent, obstacle);
            }
            Err(before) if !present && index - before < self.obstacles.len() => {
                let obstacle = self.obstacles.remove(index - before);
                self.absent.insert(before, (id, obstacle));
            }
            Ok(_) | Err(_) => return,
        }
        self.refresh_ways();
    }

    /// Returns the names of the obstacles that are absent now, in the order of the scenario.
    pub fn absent_obstacles(&self) -> Vec<Arc<str>> {
        self.absent.iter().map(|(_, obstacle)| Arc::clone(&obstacle.name)).collect()
    }

    /// Takes the obstacles with these names away, and puts all others there.
    #[doc(hidden)]
    pub fn set_absent_obstacles(&mut self, names: &[Arc<str>]) {
        for index in 0..self.obstacles.len() + self.absent.len() {
            let id = ObstacleId(index as u16);
            let is_absent = names.contains(&self.obstacle(id).name);
            self.set_present(id, !is_absent);
        }
    }

    /// Returns the index in `absent` of the obstacle with an index among all; otherwise the number of absent ones before it.
    pub(super) fn absent_index(&self, index: usize) -> Result<usize, usize> {
        self.absent.binary_search_by_key(&index, |(id, _)| usize::from(id.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;

    fn world() -> World {
        let mut world = World::example(&[]);
        for name in ["a", "b", "c", "d"] {
            let shape = Shape::Circle { center: Vec2::ZERO, radius: 1.0 };
            world.obstacles.push(Obstacle { name: name.into(), shape });
        }
        world
    }

    fn names(world: &World) -> String {
        world.obstacles.iter().map(|one| &*one.name).collect()
    }

    #[test]
    fn obstacles_keep_their_ids_and_their_order_while_some_are_absent() {
        let mut world = world();
        for (index, present, there) in [
            (1, false, "acd"),
            (0, false, "cd"),
            (1, false, "cd"),
            (3, false, "c"),
            (1, true, "bc"),
            (9, false, "bc"),
            (3, true, "bcd"),
            (0, true, "abcd"),
        ] {
            world.set_present(ObstacleId(index), present);
            assert_eq!(names(&world), there);
            let all: String = world.all_obstacles().map(|one| &*one.name).collect();
            assert_eq!(all, "abcd");
            for (place, obstacle) in world.obstacles.iter().enumerate() {
                let id = world.obstacle_id(place);
                assert_eq!(world.obstacle(id), obstacle);
                assert_eq!(world.obstacle_named(&obstacle.name), Some(id));
                assert!(world.is_present(id));
            }
            assert_eq!(world.absent_obstacles().len() + world.obstacles.len(), 4);
        }
        world.set_absent_obstacles(&["c".into(), "a".into(), "none".into()]);
        assert_eq!((names(&world).as_str(), world.is_present(ObstacleId(2))), ("bd", false));
        world.set_absent_obstacles(&["d".into()]);
        assert_eq!(names(&world), "abc");
    }
}
