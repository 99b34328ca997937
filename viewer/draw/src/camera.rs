//! The camera: from world units to pixels and back.

use flockwork_core::math::{self, Vec2};
use flockwork_core::world::{Edge, Space, World};

/// Distance beyond an open edge up to which agents are kept in the picture, in sizes of the world: an agent that flies
/// away must not make all others too small to see.
const OPEN_REACH: f32 = 3.0;
/// Smallest and largest scale for zooming, in pixels per world unit. Within these, worlds of any allowed size fit a
/// picture, and pixels are finite numbers.
const SCALE_LIMITS: (f64, f64) = (1e-13, 1e9);
/// The same, relative to the scale at which the world fits the picture. Farther out, nothing of the world is visible;
/// farther in, neighboring 32-bit positions are many pixels apart.
const ZOOM_LIMITS: (f64, f64) = (1.0 / 32.0, 1e4);
/// Maximum distance of the center of the view from the origin, along each axis, in world units.
const MAX_DISTANCE: f64 = 1e15;

/// A rectangle of the world, with its sides along the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    /// The corner with the smallest x and y, in world units.
    pub min: Vec2,
    /// The corner with the largest x and y, in world units.
    pub max: Vec2,
}

impl Rect {
    /// Returns the part of a world to show, as [`around`](Self::around) its agents.
    pub fn of_world(world: &World) -> Self {
        Self::around(&world.space, world.agents.positions())
    }

    /// Returns the part of a space to show: its rectangle and, if its edge is open, also the positions up to three of its
    /// sizes beyond.
    pub fn around(space: &Space, positions: impl IntoIterator<Item = Vec2>) -> Self {
        let mut rect = Self { min: space.min, max: space.max() };
        if space.edge != Edge::Open {
            return rect;
        }
        let lower = space.min - space.size * OPEN_REACH;
        let upper = space.max() + space.size * OPEN_REACH;
        for at in positions {
            if at.cmpge(lower).all() && at.cmple(upper).all() {
                rect.min = Vec2::new(math::min(rect.min.x, at.x), math::min(rect.min.y, at.y));
                rect.max = Vec2::new(math::max(rect.max.x, at.x), math::max(rect.max.y, at.y));
            }
        }
        rect
    }

    /// Returns a rectangle with the same middle and this many times its sides.
    pub fn scaled(self, factor: f32) -> Self {
        let (middle, half) = ((self.min + self.max) / 2.0, (self.max - self.min) / 2.0 * factor);
        Self { min: middle - half, max: middle + half }
    }

    /// Returns a rectangle whose edges are a share of the way to those of another one.
    pub fn toward(self, other: Self, share: f32) -> Self {
        let min = self.min + (other.min - self.min) * share;
        Self { min, max: self.max + (other.max - self.max) * share }
    }

    /// Returns the smallest rectangle with this one and another in it.
    pub fn joined(self, other: Self) -> Self {
        let (min, max) = (self.min, self.max);
        Self {
            min: Vec2::new(math::min(min.x, other.min.x), math::min(min.y, other.min.y)),
            max: Vec2::new(math::max(max.x, other.max.x), math::max(max.y, other.max.y)),
        }
    }
}

/// Converts world units to pixels: x to the right, y up, with the same scale in both. A camera is immutable: moving it
/// returns another one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    // In double precision, so that a world far from the origin does not jitter.
    /// The place of the world in the middle of the picture, in world units.
    center: (f64, f64),
    /// The middle of the picture, in pixels.
    middle: (f64, f64),
    /// Pixels per world unit.
    scale: f64,
    /// How many times as large as usual small things are drawn.
    emphasis: f32,
}

impl Camera {
    /// Returns the camera that shows a whole rectangle in the middle of a picture, with a margin. Size and margin are in
    /// pixels.
    pub fn fit(rect: Rect, (width, height): (u32, u32), margin: u32) -> Self {
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
            // A rectangle without size is a point, which fits at any scale.
            scale: if scale.is_finite() { scale } else { 1.0 },
            emphasis: 1.0,
        }
    }

    /// Returns the camera for an audience that sits far away: everything is where it is, but the least size of agents, and forces, are
    /// this many times as large.
    pub fn emphasized(self, emphasis: f32) -> Self {
        Self { emphasis, ..self }
    }

    /// Returns how many times as large as usual small things are drawn.
    pub fn emphasis(&self) -> f32 {
        self.emphasis
    }

    /// Returns the lower right corner of what it shows, in pixels: a picture may have other things beside that.
    pub(super) fn corner(&self) -> Vec2 {
        Vec2::new(2.0 * self.middle.0 as f32, 2.0 * self.middle.1 as f32)
    }

    /// Converts a place of the world, in world units, to pixels from the upper left corner.
    pub fn pixel(&self, at: Vec2) -> Vec2 {
        let x = self.middle.0 + (f64::from(at.x) - self.center.0) * self.scale;
        let y = self.middle.1 - (f64::from(at.y) - self.center.1) * self.scale;
        Vec2::new(x as f32, y as f32)
    }

    /// Converts pixels from the upper left corner to a place of the world, in world units.
    pub fn place(&self, pixel: Vec2) -> Vec2 {
        let (x, y) = self.exact(pixel);
        Vec2::new(x as f32, y as f32)
    }

    fn exact(&self, pixel: Vec2) -> (f64, f64) {
        (
            self.center.0 + (f64::from(pixel.x) - self.middle.0) / self.scale,
            self.center.1 - (f64::from(pixel.y) - self.middle.1) / self.scale,
        )
    }

    /// Returns the camera after the picture was dragged to the right and down by some pixels.
    pub fn panned(&self, dx: f32, dy: f32) -> Self {
        let pixel = Vec2::new(self.middle.0 as f32 - dx, self.middle.1 as f32 - dy);
        self.looking_at(self.exact(pixel))
    }

    /// Returns the camera with a place of the world in the middle.
    pub fn centered(&self, at: Vec2) -> Self {
        self.looking_at((at.x.into(), at.y.into()))
    }

    fn looking_at(&self, (x, y): (f64, f64)) -> Self {
        let kept = |x: f64, before: f64| {
            if x.is_nan() { before } else { x.clamp(-MAX_DISTANCE, MAX_DISTANCE) }
        };
        let center = (kept(x, self.center.0), kept(y, self.center.1));
        Self { center, ..*self }
    }

    /// Returns the camera zoomed by a factor around a place of the picture, in pixels, which shows the same place as before.
    /// The scale is limited relative to `fit`, the camera that shows the whole world.
    pub fn zoomed(&self, factor: f32, around: Vec2, fit: &Self) -> Self {
        let lower = (fit.scale * ZOOM_LIMITS.0).clamp(SCALE_LIMITS.0, SCALE_LIMITS.1);
        let upper = (fit.scale * ZOOM_LIMITS.1).clamp(SCALE_LIMITS.0, SCALE_LIMITS.1);
        let scale = self.scale * f64::from(factor);
        let scale = if scale > 0.0 {
            // A scale that is already beyond the limits stays reachable: the world may fit only there, or have changed.
            let lower = if self.scale < lower { self.scale } else { lower };
            let upper = if self.scale > upper { self.scale } else { upper };
            scale.clamp(lower, upper)
        } else {
            self.scale
        };
        let (x, y) = self.exact(around);
        let zoomed = Self { scale, ..*self };
        let moved = zoomed.exact(around);
        zoomed.looking_at((self.center.0 + (x - moved.0), self.center.1 + (y - moved.1)))
    }

    /// Returns the camera for a picture of another size in pixels, with the same center and scale.
    pub fn resized(&self, (width, height): (u32, u32)) -> Self {
        let middle = (f64::from(width) / 2.0, f64::from(height) / 2.0);
        Self { middle, ..*self }
    }

    /// Converts a length from world units to pixels.
    pub fn pixels(&self, length: f32) -> f32 {
        (f64::from(length) * self.scale) as f32
    }

    /// Converts a length from pixels to world units.
    pub fn units(&self, pixels: f32) -> f32 {
        (f64::from(pixels) / self.scale) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn space(edge: Edge) -> Space {
        Space { edge, min: Vec2::new(-50.0, 0.0), size: Vec2::new(100.0, 50.0) }
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
    fn an_open_world_is_shown_with_its_agents_unless_they_are_too_far() {
        let agents = [(80.0, -20.0), (1e30, 0.0), (0.0, f32::NAN)].map(Vec2::from);
        let rect = Rect::around(&space(Edge::Open), agents);
        assert_eq!((rect.min, rect.max), (Vec2::new(-50.0, -20.0), Vec2::new(80.0, 50.0)));
        let rect = Rect::around(&space(Edge::Clamp), agents);
        assert_eq!(rect.max, Vec2::new(50.0, 50.0));
    }

    #[test]
    fn zooming_keeps_the_place_under_the_pointer() {
        let fit = Camera::fit(Rect::around(&space(Edge::Wrap), []), (220, 220), 10);
        let hand = Vec2::new(30.0, 140.0);
        let place = fit.place(hand);
        assert_eq!(fit.pixel(place), hand);
        let near = |a: Vec2, b: Vec2| assert!(a.distance(b) < 1e-3, "{a} and {b}");
        for factor in [0.5, 3.0, 1000.0] {
            let zoomed = fit.zoomed(factor, hand, &fit);
            near(zoomed.pixel(place), hand);
            near(Vec2::X * zoomed.pixels(1.0), Vec2::X * fit.pixels(factor));
        }
        near(fit.panned(7.0, -3.0).pixel(place), hand + Vec2::new(7.0, -3.0));
        near(fit.centered(place).pixel(place), Vec2::splat(110.0));
        near(fit.resized((20, 40)).pixel(Vec2::new(0.0, 25.0)), Vec2::new(10.0, 20.0));
        near(fit.place(Vec2::new(0.0, 220.0)), Vec2::new(-55.0, -30.0));
    }

    /// The world could be zoomed smaller than a pixel, or beyond the precision of its numbers.
    #[test]
    fn zooming_stops_at_its_limits() {
        let fit = Camera::fit(Rect::around(&space(Edge::Wrap), []), (220, 220), 10);
        let middle = Vec2::splat(110.0);
        let zoomed = |factor| {
            let steps = 0..200;
            steps.fold(fit, |at, _| at.zoomed(factor, middle, &fit))
        };
        let (far, near) = (zoomed(1.0 / 1.2), zoomed(1.2));
        assert_eq!(far.pixels(1.0), fit.pixels(1.0 / 32.0));
        assert_eq!(near.pixels(1.0), fit.pixels(1e4));
        // From beyond the limits one can zoom back, but not farther out of them.
        let beyond = near.zoomed(10.0, middle, &near);
        assert_eq!(beyond.zoomed(1.2, middle, &fit), beyond);
        let back = beyond.zoomed(0.5, middle, &fit);
        assert_eq!(back.pixels(1.0), beyond.pixels(0.5));
    }

    #[test]
    fn a_camera_stays_finite_wherever_it_is_moved() {
        let mut camera = Camera::fit(Rect::around(&space(Edge::Wrap), []), (220, 220), 10);
        let wild = [f32::NAN, f32::INFINITY, 0.0, -1.0, 1e30, 1e-30, f32::MAX];
        for times in 0..3 {
            for by in wild {
                let panned = camera.panned(by, -by);
                camera = panned.zoomed(by, Vec2::splat(by * times as f32), &panned);
                camera = camera.centered(Vec2::new(by, 1.0));
                let at = camera.pixel(Vec2::new(40.0, 2.0));
                assert!(at.is_finite() && camera.pixels(1.0) > 0.0, "{camera:?}");
                assert!(camera.place(Vec2::splat(220.0)).is_finite(), "{camera:?}");
            }
        }
    }

    #[test]
    fn a_picture_without_room_and_a_world_without_size_have_a_camera() {
        let point = Rect { min: Vec2::ONE, max: Vec2::ONE };
        let camera = Camera::fit(point, (10, 10), 20);
        assert_eq!(camera.pixel(Vec2::ONE), Vec2::splat(5.0));
    }
}
