//! Ways around obstacles, for bodies of a given size.
//!
//! The plane is divided into cells. A [`Layer`] knows where a body of one radius fits, and a [`Field`] knows for each cell
//! the next corner on the shortest way to one goal. Both are pure functions of the obstacles, the space, the radius and
//! the goal: whoever computes them, and when, they have the same bits. So they are no state. They are computed when
//! first needed, kept beside the world, and shared by all agents and by copies of the world.

mod cells;
mod distances;
mod field;
mod layer;
mod leg;
mod table;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use cells::{Cells, ObstacleBounds};
use field::Field;
use layer::Layer;
use leg::Leg;
use table::{Held, Table};

pub use cells::smallest_way_cell;

use super::{Group, Me, Obstacle, Space, World};
use crate::math::{self, Vec2};

/// The way of a body from one point to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Way {
    /// The next point to go to, which is in sight: a corner, or the end of the way.
    pub next: Vec2,
    /// Where the way ends: the goal or, if no way leads there, the point nearest to it that can be reached.
    pub end: Vec2,
    /// The length of the way, in world units.
    pub length: f32,
    /// Whether the way leads to the goal, or to the point nearest to the goal at which the body fits. If not, obstacles are
    /// in between everywhere.
    pub reaches: bool,
}

/// The fields and layers of a world. Copies of the world share them.
#[derive(Clone, Debug, Default)]
pub(super) struct Ways {
    known: OnceLock<Arc<Known>>,
}

/// The maximum memory for fields, in bytes. Further fields are computed again each time someone asks, which is very slow.
const MAX_FIELD_BYTES: usize = 512 << 20;

/// The memory for fields, in bytes, up to which none is dropped. Above it, fields that nobody has asked for some ticks are dropped whenever
/// the memory has doubled.
const MIN_DROP_BYTES: usize = 6 << 20;

/// The number of ticks after which a field that nobody has asked is dropped, if fields take too much memory.
const UNUSED_TICKS: u32 = 8;

/// The number of bodies that look straight at a goal in each tick, before a field is made for it. Many bodies with the same goal are
/// faster with a field.
const MAX_LOOKS: u32 = 32;

/// The number of counters of looks. Goals may share one: that changes only how fast ways are found.
const LOOK_COUNTERS: usize = 1 << 8;

/// The bits of a counter that hold the looks. The others hold the tick.
const LOOK_BITS: u32 = 8;

const FIELD_SLOTS: usize = 1 << 14;
const LAYER_SLOTS: usize = 1 << 8;

/// Everything that has been computed, and what it was computed from.
#[derive(Debug)]
struct Known {
    obstacles: Arc<[Obstacle]>,
    bounds: ObstacleBounds,
    space: Space,
    cell: Option<f32>,
    /// By radius.
    layers: Table<Layer>,
    /// By radius and cell of the goal.
    fields: Table<Field>,
    /// The memory for fields, in bytes, from which unused ones are dropped.
    drop_bytes: usize,
    /// The ticks since fields were last marked as unused; 0 if none is to be dropped.
    ticks_unused: AtomicU32,
    /// How many bodies have looked straight at goals in a tick, and the tick.
    looks: Box<[AtomicU32]>,
}

impl World {
    /// Returns the shortest way of a disc around the obstacles.
    ///
    /// A goal in an obstacle, or closer to it than the radius, counts as the nearest point at which the disc fits. If no
    /// way leads to the goal, the way ends at the reachable point that is nearest to it. If the disc fits nowhere, or
    /// there are no obstacles, the way is straight.
    pub fn way(&self, from: Vec2, to: Vec2, radius: f32) -> Way {
        let to = self.space.inside(to);
        if self.obstacles.is_empty() {
            return straight(&self.space, from, to);
        }
        self.known_ways().way(from, to, radius, self.tick as u32)
    }

    /// Returns where the way of a disc ends if no way leads to its goal, and the distance that the disc surely keeps from the
    /// goal: a little less than that of the end. This takes much less time than [`World::way`], which also finds the way.
    #[doc(hidden)]
    pub fn end_of_way_apart(&self, from: Vec2, to: Vec2, radius: f32) -> Option<(Vec2, f32)> {
        if self.obstacles.is_empty() {
            return None;
        }
        self.known_ways().end_apart(from, self.space.inside(to), radius)
    }

    /// Returns the least distance from a point that a disc gets to, from where its way ends because no way leads to the point. It is
    /// exact to some tenths of a cell.
    #[doc(hidden)]
    pub fn least_distance_apart(&self, end: Vec2, to: Vec2, radius: f32) -> f32 {
        let layer = self.known_ways().layer(radius);
        layer.least_distance(layer.cells().cell_of(end), self.space.inside(to))
    }

    /// Returns how far an obstacle moves until ways count it at its new place, in world units: two cells of the smallest body, so that it is
    /// never more than a cell away from there along each axis.
    pub(super) fn way_step(&self) -> f32 {
        let bodies = self.groups.iter().flat_map(Group::all_bodies);
        let radii = bodies.map(|body| body.radius).filter(|radius| *radius > 0.0);
        2.0 * Cells::least_side(&self.space, self.way_cell, radii.fold(f32::INFINITY, math::min))
    }

    fn known_ways(&self) -> &Known {
        self.ways.known.get_or_init(|| Arc::new(Known::new(self)))
    }

    /// Returns the number of cells of the grid on which ways of a body are searched. It is 0 if there are no obstacles.
    pub(crate) fn way_cells(&self, radius: f32) -> usize {
        if self.obstacles.is_empty() { 0 } else { self.known_ways().cells(radius).count() }
    }

    /// Returns an upper bound of the cells of ways for all agents of a group.
    #[doc(hidden)]
    pub fn max_way_cells(&self, group: &Group) -> usize {
        match &group.bodies[..] {
            [] => self.way_cells(group.body.radius),
            _ => Cells::max_count(&self.space, self.way_cell),
        }
    }

    /// Drops what is known about ways if the obstacles have changed since, and what nobody has used for long. A tick
    /// begins with this.
    pub(super) fn refresh_ways(&mut self) {
        let Some(known) = self.ways.known.get() else {
            return;
        };
        if !known.is_of(self) {
            self.ways = Ways::default();
            return;
        }
        if known.fields.bytes() > known.drop_bytes {
            match known.ticks_unused.fetch_add(1, Ordering::Relaxed) {
                0 => known.fields.each(|field| field.mark_unused()),
                1..UNUSED_TICKS => {}
                _ => self.ways.known = OnceLock::from(Arc::new(known.without_unused())),
            }
        }
    }
}

impl Me<'_> {
    /// Returns the agent's shortest way to a point, see [`World::way`].
    pub fn way(&self, to: Vec2) -> Way {
        self.world().way(self.pos(), to, self.body().radius)
    }

    /// Returns the number of cells of the grid on which its ways are searched. It is 0 if there are no obstacles.
    #[doc(hidden)]
    pub fn way_cells(&self) -> usize {
        self.world().way_cells(self.body().radius)
    }
}

fn straight(space: &Space, from: Vec2, to: Vec2) -> Way {
    Way { next: to, end: to, length: math::length(space.offset(from, to)), reaches: true }
}

impl Known {
    fn new(world: &World) -> Self {
        let obstacles = world.obstacles_for_ways();
        Self {
            bounds: ObstacleBounds::new(&obstacles),
            obstacles: obstacles.into(),
            space: world.space,
            cell: world.way_cell,
            layers: Table::new(LAYER_SLOTS, usize::MAX),
            fields: Table::new(FIELD_SLOTS, MAX_FIELD_BYTES),
            drop_bytes: MIN_DROP_BYTES,
            ticks_unused: AtomicU32::new(0),
            looks: (0..LOOK_COUNTERS).map(|_| AtomicU32::new(0)).collect(),
        }
    }

    fn is_of(&self, world: &World) -> bool {
        self.space == world.space
            && self.cell == world.way_cell
            && *self.obstacles == *world.obstacles_for_ways()
    }

    /// Returns the same without the fields that nobody has asked since the last time.
    fn without_unused(&self) -> Self {
        let fields = self.fields.copy_if(Field::is_used);
        Self {
            obstacles: Arc::clone(&self.obstacles),
            bounds: self.bounds,
            space: self.space,
            cell: self.cell,
            layers: self.layers.copy_if(|_| true),
            drop_bytes: (2 * fields.bytes()).clamp(MIN_DROP_BYTES, MAX_FIELD_BYTES / 2),
            ticks_unused: AtomicU32::new(0),
            looks: (0..LOOK_COUNTERS).map(|_| AtomicU32::new(0)).collect(),
            fields,
        }
    }

    fn way(&self, from: Vec2, to: Vec2, radius: f32, tick: u32) -> Way {
        let shared = rounded_up(radius);
        let way = self.way_on(&self.layer(shared), from, to, tick);
        if way.reaches || shared == radius {
            return way;
        }
        // The body itself may fit where the rounded one does not.
        let exact = self.way_on(&self.layer(radius), from, to, tick);
        if exact.reaches { exact } else { way }
    }

    /// Does the same as [`World::end_of_way_apart`].
    fn end_apart(&self, from: Vec2, to: Vec2, radius: f32) -> Option<(Vec2, f32)> {
        let layer = self.layer(radius);
        let cells = layer.cells();
        if !cells.covers(to) && cells.is_beside(from, to) {
            return None;
        }
        let (start, goal) = (layer.home(cells.cell_of(from))?, layer.home(cells.cell_of(to))?);
        let here = layer.part(start);
        if here == layer.part(goal) {
            return None;
        }
        let end = layer.node(layer.end(here, cells.cell_of(to)));
        // The points of two cells beside each other are at most two diagonals apart.
        let least = math::length(self.space.offset(end, to)) - 3.0 * cells.side();
        Some((end, least))
    }

    fn cells(&self, radius: f32) -> Cells {
        Cells::new(&self.space, &self.bounds, self.cell, radius)
    }

    fn layer(&self, radius: f32) -> Held<'_, Layer> {
        let make = || Layer::new(Arc::clone(&self.obstacles), self.cells(radius), radius);
        self.layers.get_or_make(u64::from(radius.to_bits()), make)
    }

    fn field(&self, layer: &Layer, root: u32) -> Held<'_, Field> {
        let make = || Field::new(layer, root);
        let field = self.fields.get_or_make(layer.field_key(root), make);
        field.mark_used();
        field
    }

    /// Returns whether a body sees its goal, if it is not faster to ask for the field of the goal.
    fn looks_straight(&self, layer: &Layer, start: u32, root: u32, tick: u32) -> bool {
        let key = layer.field_key(root);
        if self.fields.get(key).is_some() {
            return false;
        }
        let looks = &self.looks[table::hash(key) & (LOOK_COUNTERS - 1)];
        // Threads may lose a look of each other.
        let (now, before) = (tick << LOOK_BITS, looks.load(Ordering::Relaxed));
        let count = if before >> LOOK_BITS == now >> LOOK_BITS { before - now } else { 0 };
        if count == MAX_LOOKS {
            return false;
        }
        looks.store(now + count + 1, Ordering::Relaxed);
        layer.is_in_sight(start, root)
    }

    /// Returns the way on a layer.
    fn way_on(&self, layer: &Layer, from: Vec2, to: Vec2, tick: u32) -> Way {
        let cells = layer.cells();
        let covers_goal = cells.covers(to);
        if !covers_goal && cells.is_beside(from, to) {
            return straight(&self.space, from, to);
        }
        let (start, goal) = (cells.cell_of(from), cells.cell_of(to));
        let Some(root) = layer.home(goal) else {
            return straight(&self.space, from, to);
        };
        let end = if root == goal && layer.fits_at(to, goal) { to } else { layer.node(root) };
        if covers_goal && self.looks_straight(layer, start, root, tick) {
            return straight(&self.space, from, end);
        }
        let field = self.field(layer, root);
        let leg = Leg { layer, field: &field, from, start, end };
        if !covers_goal {
            return self.way_out(leg, to);
        }
        leg.way().unwrap_or_else(|| self.way_apart(layer, from, to))
    }

    /// Returns the way to a goal outside of the grid. Its last leg begins at the cell at the border.
    fn way_out(&self, leg: Leg<'_>, to: Vec2) -> Way {
        let Leg { layer, field, from, start, .. } = leg;
        if layer.home(start) == Some(field.root()) {
            return straight(&self.space, from, to);
        }
        let end = layer.node(field.root());
        let Some(way) = (Leg { end, ..leg }).way() else {
            return self.way_apart(layer, from, to);
        };
        let rest = math::length(self.space.offset(end, to));
        Way { end: to, length: way.length + rest, ..way }
    }

    /// Returns the way from a part of the plane that the goal is not in.
    #[cold]
    fn way_apart(&self, layer: &Layer, from: Vec2, to: Vec2) -> Way {
        let cells = layer.cells();
        let (start, goal) = (cells.cell_of(from), cells.cell_of(to));
        let home = layer.home(start).unwrap_or(start);
        let root = layer.end(layer.part(home), goal);
        let leg =
            Leg { layer, field: &self.field(layer, root), from, start, end: layer.node(root) };
        let way = leg.way().unwrap_or_else(|| straight(&self.space, from, to));
        Way { reaches: false, ..way }
    }
}

/// Rounds a radius up to three binary digits behind the first one, by at most an eighth, so that agents of similar size
/// share layers and fields.
fn rounded_up(radius: f32) -> f32 {
    const DROPPED: u32 = (1 << 20) - 1;
    f32::from_bits((radius.to_bits() + DROPPED) & !DROPPED)
}
