//! Rectangles of the window, in pixels of the layout.

use flockwork_engine::math::Vec2;

/// A rectangle of the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Area {
    pub(super) min: Vec2,
    pub(super) max: Vec2,
}

impl Area {
    /// Returns a rectangle with an upper left corner, a width and a height.
    pub(super) fn new(left: f32, top: f32, width: f32, height: f32) -> Self {
        let min = Vec2::new(left, top);
        Self { min, max: min + Vec2::new(width, height) }
    }

    /// Returns the part of it between two y coordinates.
    pub(super) fn between(&self, top: f32, end: f32) -> Self {
        Self { min: Vec2::new(self.min.x, top), max: Vec2::new(self.max.x, end) }
    }

    pub(super) fn contains(&self, point: Vec2) -> bool {
        point.cmpge(self.min).all() && point.cmplt(self.max).all()
    }

    /// Returns whether it has a part of another one.
    pub(super) fn overlaps(&self, other: Self) -> bool {
        self.min.cmplt(other.max).all() && other.min.cmplt(self.max).all()
    }

    pub(super) fn width(&self) -> f32 {
        self.max.x - self.min.x
    }

    pub(super) fn height(&self) -> f32 {
        self.max.y - self.min.y
    }
}
