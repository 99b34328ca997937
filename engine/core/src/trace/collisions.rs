//! Collisions: the times at which a body begins to overlap another one, or an obstacle.

use crate::geom::CoarseTest;
use crate::math;
use crate::world::{AgentId, Agents, Grid, Motions, ObstacleId, World};

/// Overlaps up to this depth are no collision, in world units.
pub(super) const TOLERANCE: f32 = 0.001;

/// Finds the collisions of each tick.
#[derive(Clone, Default)]
pub(super) struct Collisions {
    /// The overlaps at the last tick, in order.
    overlaps: Vec<Overlap>,
    new_overlaps: Vec<Overlap>,
    /// The motions of the agents, in the order of the grid.
    motions: Motions,
    grid: Grid,
    /// A fast test for each obstacle.
    tests: Vec<CoarseTest>,
}

/// An agent, or rather its body, that overlaps another agent or an obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Overlap {
    /// The id of the agent.
    agent: AgentId,
    with: Contact,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Contact {
    /// The id of another agent, which is higher.
    Agent(AgentId),
    Obstacle(ObstacleId),
}

impl Collisions {
    /// Calls `collides` with the row of each agent whose body overlaps something that it did not overlap a tick ago, once for
    /// each such thing. If two agents collide, it is called for both.
    pub(super) fn each_new(&mut self, world: &World, mut collides: impl FnMut(usize)) {
        self.find_overlaps(world);
        for overlap in &self.new_overlaps {
            if self.overlaps.binary_search(overlap).is_ok() {
                continue;
            }
            let other = match overlap.with {
                Contact::Agent(other) => Some(other),
                Contact::Obstacle(_) => None,
            };
            let ids = [Some(overlap.agent), other].into_iter().flatten();
            ids.filter_map(|id| world.agents.row(id)).for_each(&mut collides);
        }
        std::mem::swap(&mut self.overlaps, &mut self.new_overlaps);
    }

    /// Finds the overlaps at this tick.
    fn find_overlaps(&mut self, world: &World) {
        self.new_overlaps.clear();
        let radii = world.groups.iter().map(|group| group.largest_radius());
        let largest = radii.fold(0.0, math::max);
        if largest > 0.0 {
            self.find_overlapping_agents(world, largest);
            self.find_agents_in_obstacles(world);
        }
        self.new_overlaps.sort_unstable();
    }

    fn find_overlapping_agents(&mut self, world: &World, largest: f32) {
        self.motions.clone_from(&world.agents.motions);
        self.grid.sort(&world.space, &mut self.motions);
        let (rows, positions) = (self.motions.rows(), self.motions.positions());
        for (slot, &pos) in positions.iter().enumerate() {
            let row = rows[slot] as usize;
            let radius = body_radius(world, row);
            // Rounding up misses nothing; each pair is then checked exactly.
            let reach = (radius + largest) * 1.000_01;
            self.grid.each_later(slot, pos, reach, |run, _| {
                for other in run {
                    let distance = world.space.offset_inside(pos, positions[other]).length();
                    let other = rows[other] as usize;
                    if radius + body_radius(world, other) - distance > TOLERANCE {
                        let id = |row: usize| world.agents.id[row];
                        let with = Contact::Agent(id(row.max(other)));
                        self.new_overlaps.push(Overlap { agent: id(row.min(other)), with });
                    }
                }
            });
        }
    }

    fn find_agents_in_obstacles(&mut self, world: &World) {
        self.tests.clear();
        self.tests.extend(world.obstacles.iter().map(|obstacle| CoarseTest::new(&obstacle.shape)));
        for (row, pos) in world.agents.positions().enumerate() {
            let radius = body_radius(world, row);
            for (index, test) in self.tests.iter().enumerate() {
                if test.may_touch(pos, radius)
                    && radius - world.obstacles[index].shape.surface(pos).distance > TOLERANCE
                {
                    let with = Contact::Obstacle(world.obstacle_id(index));
                    self.new_overlaps.push(Overlap { agent: world.agents.id[row], with });
                }
            }
        }
    }
}

fn body_radius(world: &World, row: usize) -> f32 {
    let Agents { group, index, .. } = &world.agents;
    world.group(group[row]).body_of(index[row]).radius
}
