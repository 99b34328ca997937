//! Where the world is in the picture.

use flockwork::math::{self, Vec2};
use flockwork::world::{Edge, Space, World};

/// How far beyond an open edge agents are still in the picture, in sizes of the world: one that flies off
/// for good must not make all others too small to see.
const REACH: f32 = 3.0;

/// A rectangle of the world, with its sides along the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rect {
    /// The corner with the least x and y, in world units.
    pub min: Vec2,
    /// The corner with the greatest x and y, in world units.
    pub max: Vec2,
}

impl Rect {
    /// The part of a space to look at: its rectangle, and where it has no end also the positions up to
    /// three of its sizes beyond.
    pub(crate) fn around(space: &Space, positions: impl IntoIterator<Item = Vec2>) -> Self {
        let mut rect = Self {
            min: space.min,
            max: space.max(),
        };
        if space.edge != Edge::Open {
            return rect;
        }
        let least = space.min - space.size * REACH;
        let most = space.max() + space.size * REACH;
        for at in positions {
            if at.cmpge(least).all() && at.cmple(most).all() {
                rect.min = Vec2::new(math::min(rect.min.x, at.x), math::min(rect.min.y, at.y));
                rect.max = Vec2::new(math::max(rect.max.x, at.x), math::max(rect.max.y, at.y));
            }
        }
        rect
    }
}

/// From world units to pixels: x to the right, y up, the same scale in both.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Camera {
    // In double precision, so that a world far from its origin does not tremble.
    center: (f64, f64),
    middle: (f64, f64),
    scale: f64,
}

impl Camera {
    /// All of a rectangle in the middle of a picture of a size in pixels, with a margin of pixels around it.
    pub(crate) fn fit(rect: Rect, (width, height): (u32, u32), margin: u32) -> Self {
        let (width, height) = (f64::from(width), f64::from(height));
        let inner = |side: f64| {
            let rest = side - 2.0 * f64::from(margin);
            if rest > 1.0 { rest } else { 1.0 }
        };
        let (min_x, max_x) = (f64::from(rect.min.x), f64::from(rect.max.x));
        let (min_y, max_y) = (f64::from(rect.min.y), f64::from(rect.max.y));
        let across = inner(width) / (max_x - min_x);
        let up = inner(height) / (max_y - min_y);
        let scale = if across < up { across } else { up };
        Self {
            center: ((min_x + max_x) / 2.0, (min_y + max_y) / 2.0),
            middle: (width / 2.0, height / 2.0),
            // A rectangle without a size is a point, at any scale.
            scale: if scale.is_finite() { scale } else { 1.0 },
        }
    }

    /// All of a world, and its agents beyond an open edge that are not lost.
    pub(crate) fn of_world(world: &World, size: (u32, u32), margin: u32) -> Self {
        let agents = world.agents.pos.iter().copied();
        Self::fit(Rect::around(&world.space, agents), size, margin)
    }

    /// Where in the picture a place of the world is, in pixels from the upper left corner.
    pub(crate) fn pixel(&self, at: Vec2) -> Vec2 {
        let x = self.middle.0 + (f64::from(at.x) - self.center.0) * self.scale;
        let y = self.middle.1 - (f64::from(at.y) - self.center.1) * self.scale;
        Vec2::new(x as f32, y as f32)
    }

    /// How many pixels a length in world units is.
    pub(crate) fn pixels(&self, length: f32) -> f32 {
        (f64::from(length) * self.scale) as f32
    }

    /// How many world units a length in pixels is.
    pub(crate) fn units(&self, pixels: f32) -> f32 {
        (f64::from(pixels) / self.scale) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn space(edge: Edge) -> Space {
        Space {
            edge,
            min: Vec2::new(-50.0, 0.0),
            size: Vec2::new(100.0, 50.0),
        }
    }

    #[test]
    fn a_rectangle_is_in_the_middle_and_y_points_up() {
        let rect = Rect::around(&space(Edge::Wrap), []);
        let camera = Camera::fit(rect, (220, 220), 10);
        assert_eq!(camera.pixel(Vec2::new(-50.0, 0.0)), Vec2::new(10.0, 160.0));
        assert_eq!(camera.pixel(Vec2::new(50.0, 50.0)), Vec2::new(210.0, 60.0));
        assert_eq!((camera.pixels(3.0), camera.units(6.0)), (6.0, 3.0));
    }

    #[test]
    fn an_open_world_reaches_to_its_agents_unless_they_are_lost() {
        let agents = [(80.0, -20.0), (1e30, 0.0), (0.0, f32::NAN)].map(Vec2::from);
        let rect = Rect::around(&space(Edge::Open), agents);
        assert_eq!(
            (rect.min, rect.max),
            (Vec2::new(-50.0, -20.0), Vec2::new(80.0, 50.0))
        );
        let rect = Rect::around(&space(Edge::Clamp), agents);
        assert_eq!(rect.max, Vec2::new(50.0, 50.0));
    }

    #[test]
    fn a_picture_without_room_and_a_place_without_size_are_drawn_somehow() {
        let point = Rect {
            min: Vec2::ONE,
            max: Vec2::ONE,
        };
        let camera = Camera::fit(point, (10, 10), 20);
        assert_eq!(camera.pixel(Vec2::ONE), Vec2::splat(5.0));
    }
}
