//! Where a body of one radius fits.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use super::Cells;
use super::distances::Distances;
use super::table::{Kept, Table};
use crate::math::{self, Vec2};
use crate::world::Obstacle;

/// Stands for no cell.
const NONE: u32 = u32::MAX;

/// The minimum radius, as a multiple of the side of a cell. For a smaller body, the centers of two adjacent cells could be on
/// both sides of a wall.
const MIN_RADIUS: f32 = 0.75;

/// The distance from obstacles that a body keeps on a short step, as a multiple of the radius. A step around a corner cuts it a little.
const LEAST_STEP: f32 = 0.97;

/// The distance from obstacles beyond the radius that ways keep where there is room, as a multiple of the side of a cell. An
/// agent is not exactly at the point of its cell that sees the next corner.
const COMFORT: f32 = 1.0;

/// The distance from obstacles that a body must keep on its way to a corner that it looks for, as a multiple of the radius.
/// It is less than [`LEAST_STEP`], since the body is not exactly at the point of a cell, and since lines are tested point by point.
const MIN_ROOM_IN_SIGHT: f32 = 0.95;

/// The distance from obstacles up to which a body looks for corners, as a multiple of the radius. A body that is deeper in an
/// obstacle first leaves it.
const MIN_ROOM: f32 = 0.7;

/// The distance from obstacles beyond the radius from which on a body anywhere in a cell sees what the point of the cell sees, as
/// a multiple of the side of a cell. A body is at most this far away from that point.
const ROOMY: f32 = 0.71;

/// The distance from a leg up to which a body on the leg may pass through a cell, as a multiple of the side of a cell: the
/// body and the point of the cell are each at most 0.71 sides away from where the search assumes them.
const BESIDE: f32 = 1.5;

/// Points in a line of this many are tried to find one at which the body fits, along each side of a cell.
const TRIED: i32 = 5;

/// The grid for bodies of one radius: which cells they fit in, and what is connected.
#[derive(Debug)]
pub(super) struct Layer {
    obstacles: Arc<[Obstacle]>,
    cells: Cells,
    distances: Distances,
    /// The radius that the layer was made for.
    key: u32,
    /// The radius of the body, in world units.
    radius: f32,
    /// For each cell, the point that stands for it: its center, if the body fits there.
    nodes: Vec<Vec2>,
    /// For each cell, the distance of that point from the nearest obstacle, in world units; negative if the body fits
    /// nowhere in the cell.
    room: Vec<f32>,
    /// For each cell, the cell that counts in its place: itself, if the body fits.
    homes: Vec<u32>,
    /// For each cell, the first cell of the part of the plane that it is connected with.
    parts: Vec<u32>,
    /// The results of [`Layer::end`], by part and goal.
    ends: Table<u32>,
}

const END_SLOTS: usize = 1 << 8;

/// The bits of a squared distance, a cell that has no home yet, and the home at that distance. The nearest comes first.
type OfferedHome = Reverse<(u32, u32, u32)>;

impl Kept for Layer {
    fn bytes(&self) -> usize {
        self.nodes.len() * 24
    }
}

impl Layer {
    pub(super) fn new(obstacles: Arc<[Obstacle]>, cells: Cells, radius: f32) -> Self {
        let key = radius.to_bits();
        let side = cells.side();
        let radius = math::max(radius, MIN_RADIUS * side);
        let distances = Distances::new(&obstacles, &cells, radius + 20.0 * side);
        let count = cells.count();
        let mut layer = Self {
            obstacles,
            cells,
            distances,
            key,
            radius,
            nodes: Vec::with_capacity(count),
            room: Vec::with_capacity(count),
            homes: Vec::new(),
            parts: vec![NONE; count],
            ends: Table::new(END_SLOTS, usize::MAX),
        };
        for cell in 0..count as u32 {
            let (node, room) = layer.roomiest(cell);
            layer.nodes.push(node);
            layer.room.push(room);
        }
        layer.find_parts();
        layer.find_homes();
        layer
    }

    pub(super) fn cells(&self) -> &Cells {
        &self.cells
    }

    /// Returns the key of the field of a root.
    #[inline]
    pub(super) fn field_key(&self, root: u32) -> u64 {
        u64::from(self.key) << 32 | u64::from(root)
    }

    /// Returns the point that stands for a cell.
    #[inline]
    pub(super) fn node(&self, cell: u32) -> Vec2 {
        self.nodes[cell as usize]
    }

    /// Returns whether the body fits in a cell.
    pub(super) fn is_free(&self, cell: u32) -> bool {
        self.room[cell as usize] >= 0.0
    }

    /// Returns whether the body fits at a point of a free cell.
    pub(super) fn fits_at(&self, point: Vec2, cell: u32) -> bool {
        let side = self.cells.side();
        // Points of a cell are at most one and a half sides apart.
        let surely = self.room[cell as usize] >= self.radius + 1.5 * side;
        let least = self.radius - 0.02 * side;
        surely || self.distances.exact(&self.obstacles, &self.cells, point) >= least
    }

    /// Returns the first cell of the part of the plane that a cell is connected with. Blocked cells are in no part.
    pub(super) fn part(&self, cell: u32) -> u32 {
        self.parts[cell as usize]
    }

    /// Returns the cell that counts in the place of a cell: itself if the body fits there, else one nearby on the same
    /// side of the obstacle. `None` if the body fits nowhere.
    #[inline]
    pub(super) fn home(&self, cell: u32) -> Option<u32> {
        let home = self.homes[cell as usize];
        (home != NONE).then_some(home)
    }

    /// Returns the cell at which ways from a part of the plane end if the goal is in another part.
    pub(super) fn end(&self, part: u32, goal: u32) -> u32 {
        let key = u64::from(part) << 32 | u64::from(goal);
        *self.ends.get_or_make(key, || self.nearest_in(part, goal))
    }

    /// Returns the cell of a part of the plane that is nearest to a cell.
    fn nearest_in(&self, part: u32, cell: u32) -> u32 {
        let center = self.cells.center(cell);
        let mut nearest = (f32::INFINITY, part);
        for (candidate, &of) in (0..).zip(&self.parts) {
            if of == part {
                let away = self.cells.offset(self.node(candidate), center).length_squared();
                if away < nearest.0 {
                    nearest = (away, candidate);
                }
            }
        }
        nearest.1
    }

    /// Returns the least distance from a point that the body gets to near a cell of a part of the plane, in world units.
    pub(super) fn least_distance(&self, cell: u32, to: Vec2) -> f32 {
        let (part, side) = (self.part(cell), self.cells.side());
        let away = |point: Vec2| math::length(self.cells.offset(point, to));
        let mut least = away(self.node(cell));
        // The points of two cells beside each other are at most two diagonals apart.
        let reach = least + 3.0 * side;
        let step = self.cells.size() / TRIED as f32;
        for (candidate, &of) in (0..).zip(&self.parts) {
            if of != part || away(self.node(candidate)) >= reach {
                continue;
            }
            let center = self.cells.center(candidate);
            for y in -(TRIED / 2)..=TRIED / 2 {
                for x in -(TRIED / 2)..=TRIED / 2 {
                    let point = self.cells.inside(center + step * Vec2::new(x as f32, y as f32));
                    let exact = || self.distances.exact(&self.obstacles, &self.cells, point);
                    if away(point) < least && exact() >= self.radius {
                        least = away(point);
                    }
                }
            }
        }
        // Points between those that are tried are nearer, and a small body gets nearer than the grid says.
        let slack = 0.5 * math::length(step) + self.radius - f32::from_bits(self.key);
        least - slack
    }

    /// Returns the distance between the points of two cells, in world units.
    #[inline]
    pub(super) fn distance(&self, a: u32, b: u32) -> f32 {
        math::sqrt(self.cells.offset(self.node(a), self.node(b)).length_squared())
    }

    /// Returns whether a body can go straight from the point of a cell to that of a cell beside it. Both must be free.
    #[inline]
    pub(super) fn are_connected(&self, a: u32, b: u32) -> bool {
        let least = LEAST_STEP * self.radius;
        // The points of two cells beside each other are at most two diagonals apart.
        let room = math::min(self.room[a as usize], self.room[b as usize]);
        if room >= least + 1.42 * self.cells.side() {
            return true;
        }
        // Each point between them is at most half as far from one of them as they are from each other.
        // Rounding must not make a difference between there and back.
        let (a, b) = (a.min(b), a.max(b));
        let surely = self.room[a as usize] + self.room[b as usize] - self.distance(a, b);
        surely >= 2.0 * least || self.is_clear(self.node(a), self.node(b), least)
    }

    /// Returns what a way through a cell counts as longer because the cell is tight, in world units. At the end of a wall,
    /// a way that keeps one unit more distance is up to two units longer.
    pub(super) fn penalty(&self, cell: u32) -> f32 {
        let wanted = self.radius + COMFORT * self.cells.side();
        3.0 * math::max(wanted - self.room[cell as usize], 0.0)
    }

    /// Returns whether the body can go straight from one cell to another, with some distance from obstacles unless the cells
    /// themselves have less.
    pub(super) fn sees(&self, from: u32, to: u32) -> bool {
        let side = self.cells.side();
        let ends = math::min(self.room[from as usize], self.room[to as usize]);
        let least = math::min(ends, self.radius + COMFORT * side);
        let is_across = self.cells.is_across(self.cells.offset(self.node(from), self.node(to)));
        // A line that is blocked is mostly blocked near the corner.
        !is_across && self.is_clear(self.node(to), self.node(from), least - 0.02 * side)
    }

    /// Returns whether all bodies in a cell can go straight to all points of another one.
    pub(super) fn is_in_sight(&self, from: u32, to: u32) -> bool {
        self.is_roomy(from) && self.is_roomy(to) && (from == to || self.sees(from, to))
    }

    /// Returns two cells beside a cell between which the straight line to another cell leads, if there is much room at all three. If both
    /// see the other cell, the cell sees it, too: an obstacle between two lines that are at most a cell apart would be too near to one of them.
    pub(super) fn cells_between(&self, cell: u32, to: u32) -> Option<[u32; 2]> {
        let offset = self.cells.offset(self.node(cell), self.node(to));
        let two = self.cells.beside_line(cell, offset)?;
        let least = self.radius + (COMFORT + 1.0) * self.cells.side();
        let has_room = |cell: u32| self.room[cell as usize] >= least;
        (has_room(cell) && two.into_iter().all(has_room)).then_some(two)
    }

    /// Returns whether cells are so small that no obstacle is between the lines from points all over a cell to a corner, unless a body on one of
    /// these lines would touch it.
    pub(super) fn has_small_cells(&self) -> bool {
        self.cells.side() <= f32::from_bits(self.key)
    }

    /// Returns whether there is so much room at the point of a cell that the cell need not be left through that point.
    pub(super) fn is_roomy(&self, cell: u32) -> bool {
        self.room[cell as usize] >= self.radius + ROOMY * self.cells.side()
    }

    /// Returns whether a cell is so close to the straight line from one corner to another that a body on this line may
    /// pass through the cell.
    pub(super) fn is_beside_leg(&self, cell: u32, from: u32, to: u32) -> bool {
        let side = self.cells.side();
        let leg = math::unit(self.cells.offset(self.node(from), self.node(to)));
        let offset = self.cells.offset(self.node(from), self.node(cell));
        leg.dot(offset) > -side && leg.perp_dot(offset).abs() < BESIDE * side
    }

    /// Returns the distances from obstacles that a body at a point must and should keep on a straight line to a corner. If it
    /// touches an obstacle, both are its present distance; `None` if it is deep in the obstacle.
    pub(super) fn least_rooms(&self, from: Vec2) -> Option<(f32, f32)> {
        let now = self.room_at(from);
        let side = self.cells.side();
        let at_most = |room: f32| math::min(now, room - 0.02 * side);
        (now >= MIN_ROOM * self.radius).then(|| {
            (at_most(MIN_ROOM_IN_SIGHT * self.radius), at_most(self.radius + COMFORT * side))
        })
    }

    /// Returns the distance from obstacles that a body at a point keeps in any case, even if it is smaller than the cells.
    pub(super) fn own_room(&self, from: Vec2) -> f32 {
        math::min(self.room_at(from), MIN_ROOM_IN_SIGHT * f32::from_bits(self.key))
    }

    fn room_at(&self, point: Vec2) -> f32 {
        self.distances.exact(&self.obstacles, &self.cells, self.cells.inside(point))
    }

    /// Returns the first point on the line from a point to that of a free cell from which a body may look for corners, and what
    /// [`Layer::least_rooms`] returns for it. `None` if it is more than a cell away.
    pub(super) fn place_near(&self, point: Vec2, cell: u32) -> Option<(Vec2, (f32, f32))> {
        let offset = self.cells.offset(point, self.node(cell));
        let step = math::limit(offset, self.cells.side()) / TRIED as f32;
        (0..=TRIED).find_map(|steps| {
            let place = self.cells.inside(point + step * steps as f32);
            Some((place, self.least_rooms(place)?))
        })
    }

    /// Returns whether a body can go straight from one point to another with a minimum distance from obstacles, in world
    /// units.
    pub(super) fn may_pass(&self, from: Vec2, to: Vec2, least: f32) -> bool {
        least > 0.0 && self.is_clear(from, to, least)
    }

    /// Returns whether all points of a straight line have a minimum distance from obstacles.
    fn is_clear(&self, from: Vec2, to: Vec2, least: f32) -> bool {
        let cells = &self.cells;
        let offset = cells.offset(from, to);
        let length = math::length(offset);
        let along = math::unit(offset);
        let side = cells.side();
        // Where a body fits, distances are nearly linear, except halfway between obstacles, where interpolation gives too
        // small ones.
        let (over, under) = (0.15 * side, 0.71 * side);
        // Between two points that are this far apart, a disc comes nearer to an obstacle by at most 1.6 % of its radius.
        let shortest = math::min(0.5 * side, 0.35 * least);
        let mut done = 0.0;
        loop {
            let point = cells.inside(from + along * done);
            let rough = self.distances.rough(cells, point);
            let mut free = rough - over - least;
            if free < 0.0 {
                if rough + under < least {
                    return false;
                }
                free = self.distances.exact(&self.obstacles, cells, point) - least;
                if free < 0.0 {
                    return false;
                }
            }
            if done >= length {
                return true;
            }
            // No obstacle is nearer than `free` to the body.
            done = math::min(done + math::max(free, shortest), length);
        }
    }

    /// Returns the point that stands for a cell, and its distance from the nearest obstacle. If the body does not fit at the
    /// center, that is the point of the cell with the largest distance. So a passage that is as wide as the body is found
    /// wherever the centers of the cells are.
    fn roomiest(&self, cell: u32) -> (Vec2, f32) {
        let (center, room) = (self.cells.center(cell), self.distances.get(cell));
        if room >= self.radius {
            return (center, room);
        }
        let size = self.cells.size();
        if room + 0.5 * math::length(size) < self.radius {
            return (center, -1.0);
        }
        let mut best = (center, room);
        let mut step = size / TRIED as f32;
        for _ in 0..4 {
            let around = best.0;
            for y in -(TRIED / 2)..=TRIED / 2 {
                for x in -(TRIED / 2)..=TRIED / 2 {
                    let point = around + step * Vec2::new(x as f32, y as f32);
                    let is_inside = (point - center).abs().cmple(size * 0.5).all();
                    let room = self.distances.exact(&self.obstacles, &self.cells, point);
                    if is_inside && room > best.1 {
                        best = (point, room);
                    }
                }
            }
            if best.1 >= self.radius {
                return best;
            }
            if best.1 + 3.0 * step.length() < self.radius {
                break;
            }
            step *= 0.4;
        }
        (center, -1.0)
    }

    /// Finds which free cells are connected.
    fn find_parts(&mut self) {
        let mut reached = Vec::new();
        for first in 0..self.parts.len() as u32 {
            if !self.is_free(first) || self.parts[first as usize] != NONE {
                continue;
            }
            let mut parts = std::mem::take(&mut self.parts);
            parts[first as usize] = first;
            reached.push(first);
            while let Some(cell) = reached.pop() {
                self.cells.each_around(cell, |next| {
                    let part = &mut parts[next as usize];
                    if *part == NONE && self.is_free(next) && self.are_connected(cell, next) {
                        *part = first;
                        reached.push(next);
                    }
                });
            }
            self.parts = parts;
        }
    }

    /// Finds the nearest free cell for each blocked one.
    fn find_homes(&mut self) {
        let mut homes: Vec<u32> = (0..)
            .zip(&self.room)
            .map(|(cell, &room)| if room >= 0.0 { cell } else { NONE })
            .collect();
        let mut open = BinaryHeap::new();
        // First only toward obstacles, so that the cell is on the same side of a wall; then to the remaining cells.
        for only_nearer in [true, false] {
            for cell in (0..homes.len() as u32).filter(|&cell| homes[cell as usize] != NONE) {
                self.offer_home(&homes, cell, only_nearer, &mut open);
            }
            while let Some(Reverse((_, cell, home))) = open.pop() {
                if homes[cell as usize] == NONE {
                    homes[cell as usize] = home;
                    self.offer_home(&homes, cell, only_nearer, &mut open);
                }
            }
        }
        self.homes = homes;
    }

    /// Offers the home of a cell to the cells around it that have none yet, each with its distance from there.
    fn offer_home(
        &self,
        homes: &[u32],
        cell: u32,
        only_nearer: bool,
        open: &mut BinaryHeap<OfferedHome>,
    ) {
        let (home, distance) = (homes[cell as usize], self.distances.get(cell));
        let slack = 0.01 * self.cells.side();
        self.cells.each_around(cell, |next| {
            let is_nearer = self.distances.get(next) <= distance + slack;
            if homes[next as usize] == NONE && (is_nearer || !only_nearer) {
                let offset = self.cells.offset(self.node(home), self.cells.center(next));
                // The bits of distances have the order of the distances.
                open.push(Reverse((offset.length_squared().to_bits(), next, home)));
            }
        });
    }
}
