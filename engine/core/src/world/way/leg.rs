//! The next leg of a way: which corner a body goes to from where it is.

use super::field::{Field, Next};
use super::layer::Layer;
use super::{Way, math};
use crate::math::Vec2;

/// The data that determine the next leg of a way.
#[derive(Clone, Copy)]
pub(super) struct Leg<'a> {
    pub(super) layer: &'a Layer,
    pub(super) field: &'a Field,
    pub(super) from: Vec2,
    /// The cell of `from`.
    pub(super) start: u32,
    /// Where the way ends: a point in the root of the field.
    pub(super) end: Vec2,
}

/// A corner that a body sees.
struct Seen {
    corner: u32,
    /// The number of corners before it on the way that the body skips.
    skipped: u32,
    /// The number of these up to the last one from which the way turns back.
    must_skip: u32,
    /// The point of the corner, or the end of the way.
    point: Vec2,
    /// The length of the way over it, in world units.
    length: f32,
}

impl Leg<'_> {
    /// Returns the way, or `None` if the body is in another part of the plane than the end.
    #[inline(always)]
    pub(super) fn way(&self) -> Option<Way> {
        match self.field.next(self.layer, self.start) {
            Next::Sure(corner) => Some(self.way_over(self.to_corner(corner))),
            Next::Apart => None,
            other => self.look(other == Next::Unexamined),
        }
    }

    fn way_over(&self, (next, length): (Vec2, f32)) -> Way {
        Way { next, end: self.end, length, reaches: true }
    }

    /// Returns the point of a corner that all bodies in the cell see, or the end of the way if it is the last one, and the length of the way over
    /// it.
    #[inline]
    fn to_corner(self, corner: u32) -> (Vec2, f32) {
        let is_last = corner == self.field.root();
        if is_last { self.to_end() } else { self.to_point_of(corner) }
    }

    #[inline]
    fn to_end(self) -> (Vec2, f32) {
        (self.end, self.length_to(self.end))
    }

    /// Returns the point of a corner, and the length of the way over it.
    #[inline]
    fn to_point_of(self, corner: u32) -> (Vec2, f32) {
        let point = self.layer.node(corner);
        let after = if corner == self.field.root() {
            math::length(self.layer.cells().offset(point, self.end))
        } else {
            self.field.length(corner)
        };
        (point, self.length_to(point) + after)
    }

    /// Does the same if the body itself sees the point with a distance from obstacles. Of the last corner, it rather sees the end of the way.
    fn to_seen(self, corner: u32, least: f32) -> Option<(Vec2, f32)> {
        let sees = |point: Vec2| self.layer.may_pass(self.from, point, least);
        if corner == self.field.root() && sees(self.end) {
            return Some(self.to_end());
        }
        Some(self.to_point_of(corner)).filter(|(point, _)| sees(*point))
    }

    #[inline]
    fn length_to(&self, point: Vec2) -> f32 {
        math::length(self.layer.cells().offset(self.from, point))
    }

    /// Returns the way of a body in a narrow place. If all bodies in its cell see the same corner, it goes there.
    /// Otherwise it looks itself: it goes to the last corner in sight on the way from its cell. If the first one is not in
    /// sight, it takes the best one of the cells around it, and if none of these is, it first goes to the point of
    /// its cell.
    ///
    /// On its way to a corner, a body passes through cells whose points do not see that corner. Their ways begin with the cell that
    /// the body comes from. They would lead it back, and then to and fro. But what comes after that cell is the
    /// corner, which the body itself sees.
    #[cold]
    fn look(&self, is_unexamined: bool) -> Option<Way> {
        let (layer, field) = (self.layer, self.field);
        // If the body touches an obstacle, another cell counts as its cell.
        let at = layer.home(self.start)?;
        field.first(layer, at)?;
        if is_unexamined {
            if layer.is_in_sight(self.start, field.root()) {
                field.note_in_sight(self.start);
                return Some(self.way_over(self.to_corner(field.root())));
            }
            let seen = self.examine(at);
            field.note(layer, self.start, seen.as_ref().map(|seen| (seen.corner, seen.skipped)));
            if let Some(seen) = seen {
                return Some(self.way_over(self.to_corner(seen.corner)));
            }
        }
        let Some(rooms) = layer.least_rooms(self.from) else {
            return Some(self.way_over(self.to_cell(at)));
        };
        let mut best = self.look_from(at, rooms, f32::INFINITY);
        if best.is_none() {
            layer.cells().each_around(self.start, |cell| {
                let shortest = best.as_ref().map_or(f32::INFINITY, |best| best.length);
                let better = self.look_from(cell, rooms, shortest);
                best = better.or(best.take());
            });
        }
        let seen = best.map(|best| (best.point, best.length));
        Some(self.way_over(seen.unwrap_or_else(|| self.to_cell(at))))
    }

    /// Returns the point of a cell and the length of the way over it. If an obstacle is in between, another cell around the body takes its
    /// place.
    fn to_cell(self, home: u32) -> (Vec2, f32) {
        let (layer, field) = (self.layer, self.field);
        let least = layer.own_room(self.from);
        let over = |cell: u32| {
            let point = layer.node(cell);
            (point, self.length_to(point) + field.length(cell))
        };
        if layer.may_pass(self.from, layer.node(home), least) {
            return over(home);
        }
        let mut best: Option<(Vec2, f32)> = None;
        layer.cells().each_around(self.start, |cell| {
            if field.first(layer, cell).is_some() {
                let way = over(cell);
                let is_shorter = best.is_none_or(|(_, length)| way.1 < length);
                if is_shorter && layer.may_pass(self.from, way.0, least) {
                    best = Some(way);
                }
            }
        });
        best.unwrap_or_else(|| over(home))
    }

    /// Returns the last corner in sight on the way from a cell, if the first one is in sight, and the way is shorter than
    /// `shortest`.
    fn look_from(&self, cell: u32, (least, wanted): (f32, f32), shortest: f32) -> Option<Seen> {
        let (layer, field) = (self.layer, self.field);
        let mut corner = field.first(layer, cell)?;
        let mut leg = self.to_seen(corner, least).filter(|leg| leg.1 < shortest)?;
        let (mut skipped, mut must_skip) = (0, 0);
        while corner != field.root() {
            let after = field.after(corner);
            let offset = |to: Vec2| layer.cells().offset(self.from, to);
            let is_back = offset(leg.0).dot(offset(layer.node(after)) - offset(leg.0)) <= 0.0;
            let Some(next) = self.to_seen(after, if is_back { least } else { wanted }) else {
                break;
            };
            (corner, leg, skipped) = (after, next, skipped + 1);
            must_skip = if is_back { skipped } else { must_skip };
        }
        Some(Seen { corner, skipped, must_skip, point: leg.0, length: leg.1 })
    }

    /// Returns the last corner in sight of all bodies in the cell; `None` if some see none, or if some would be led back
    /// by the corner of others. The answer depends on the cell, and not on where this body is.
    fn examine(&self, at: u32) -> Option<Seen> {
        let (layer, cells) = (self.layer, self.layer.cells());
        let first = self.field.after(at);
        if at == self.start && first != at && self.field.is_sure(layer, at, first) {
            let (point, length) = self.to_corner(first);
            return Some(Seen { corner: first, skipped: 0, must_skip: 0, point, length });
        }
        if !layer.has_small_cells() {
            return None;
        }
        let mut least: Option<Seen> = None;
        let mut must_skip = 0;
        for spot in cells.spots(self.start) {
            let (from, rooms) = layer.place_near(spot, at)?;
            let leg = Leg { from, end: layer.node(self.field.root()), ..*self };
            let seen = leg.look_from(at, rooms, f32::INFINITY)?;
            must_skip = must_skip.max(seen.must_skip);
            if least.as_ref().is_none_or(|least| seen.skipped < least.skipped) {
                least = Some(seen);
            }
        }
        least.filter(|seen| seen.skipped >= must_skip)
    }
}
