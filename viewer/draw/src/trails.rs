//! Trails of agents: lines through their last positions, which fade with age.

use flockwork_core::math::{self, Vec2};
use flockwork_core::world::{Group, Space, World};

use super::blend::{Pixel, mix};
use super::clip::ClipRect;
use super::track::jumps;
use super::{Camera, Color, Picture};

/// Width of a trail, in pixels.
const WIDTH: f32 = 1.6;
/// Opacity of the newest end of a trail, of 255.
const NEWEST_OPACITY: f32 = 150.0;
/// Positions closer to the previous one than this are left out, in pixels.
const MIN_DISTANCE: f32 = 1.0;

/// Longest trail, in ticks.
const MAX_TICKS: u64 = 90;
/// Longest trail, as a share of the longer side of the world: if ticks are long, 90 of them would cross the world many times.
const MAX_SHARE: f32 = 1.0 / 6.0;

/// Returns how many ticks back the trails of a world reach.
pub fn trail_ticks(world: &World) -> u64 {
    let fastest = |group: &Group| {
        group.bodies.iter().chain([&group.body]).map(|body| body.max_speed).fold(0.0, math::max)
    };
    let fastest = world.groups.iter().map(fastest).fold(0.0, math::max);
    let ticks =
        math::max(world.space.size.x, world.space.size.y) * MAX_SHARE / (fastest * world.dt);
    if fastest.is_finite() { (ticks as u64).clamp(2, MAX_TICKS) } else { MAX_TICKS }
}

/// The last positions of one agent.
#[derive(Clone, Copy, Debug)]
pub struct Trail<'a> {
    /// Positions in world units, oldest first.
    pub places: &'a [Vec2],
    /// Color of the newest end.
    pub color: Color,
}

/// Draws the trails of any number of agents. In a world that wraps, a step over the edge draws no line across the picture.
pub fn trails<'a>(
    picture: &mut Picture,
    camera: &Camera,
    space: &Space,
    trails: impl IntoIterator<Item = Trail<'a>>,
) {
    let (pixels, layer) = picture.layered();
    for Trail { places, color } in trails {
        let steps = places.len() as f32;
        let mut from: Option<(Vec2, Vec2)> = None;
        for (step, place) in places.iter().enumerate() {
            let to = camera.pixel(*place);
            if let Some((before, from)) = from
                && !jumps(space, before, *place)
            {
                let near = from.distance_squared(to) < MIN_DISTANCE * MIN_DISTANCE;
                if near && step + 1 < places.len() {
                    continue;
                }
                let alpha = NEWEST_OPACITY * (step + 1) as f32 / steps;
                layer.line(from, to, WIDTH, color, alpha);
            }
            from = Some((*place, to));
        }
    }
    layer.put(pixels);
}

/// Returns the largest integer that is not above `x`, which must be at least -64. This is much faster than `f32::floor`.
pub(super) fn floor(x: f32) -> i32 {
    const UP: f32 = 64.0;
    (x + UP) as i32 - UP as i32
}

/// A layer of lines to be blended into a picture. If several lines cross a pixel, only the most opaque one counts, so that
/// crossings do not look like dots.
#[derive(Default)]
pub(super) struct Layer {
    width: usize,
    height: usize,
    /// That of the picture.
    scale: f32,
    /// Opacity, red, green and blue of each pixel, from the highest byte down, so that the most opaque is the largest.
    pixels: Vec<u32>,
    /// For each row, its first used column and the one after its last.
    used: Vec<(u32, u32)>,
}

impl Layer {
    /// Gives the empty layer the size of a picture, in pixels, and its scale.
    pub(super) fn fit(&mut self, (width, height): (u32, u32), scale: f32) {
        self.scale = scale;
        let size = (width as usize, height as usize);
        if size != (self.width, self.height) {
            (self.width, self.height) = size;
            self.pixels = vec![0; size.0 * size.1];
            self.used = vec![(width, 0); size.1];
        }
    }

    /// Draws a line between two places, in pixels, with a width and an opacity from 0 to 255.
    pub(super) fn line(&mut self, from: Vec2, to: Vec2, width: f32, color: Color, alpha: f32) {
        let (from, to, width) = (from * self.scale, to * self.scale, width * self.scale);
        let clip = ClipRect::around((self.width as u32, self.height as u32), 2.0);
        let (from, to) = if clip.contains(from) && clip.contains(to) {
            (from, to)
        } else if let Some(ends) = clip.segment(from, to) {
            ends
        } else {
            return;
        };
        let Color { red, green, blue, .. } = color;
        let rgb = u32::from_be_bytes([0, red, green, blue]);
        let offset = to - from;
        // Go pixel by pixel along the longer axis.
        let steep = offset.y.abs() > offset.x.abs();
        let turned = |v: Vec2| if steep { Vec2::new(v.y, v.x) } else { v };
        let (mut from, mut to) = (turned(from), turned(to));
        if from.x > to.x {
            (from, to) = (to, from);
        }
        let offset = to - from;
        let slope = if offset.x > 0.0 { offset.y / offset.x } else { 0.0 };
        let half = width / 2.0 * math::sqrt(1.0 + slope * slope);
        for along in floor(from.x)..=floor(to.x) {
            let middle = (along as f32 + 0.5).clamp(from.x, to.x);
            let middle = from.y + slope * (middle - from.x);
            let (low, high) = (middle - half, middle + half);
            for across in floor(low)..=floor(high) {
                let edge = across as f32;
                let cover = math::min(high, edge + 1.0) - math::max(low, edge);
                let strength = (alpha * cover) as u32;
                if strength == 0 {
                    continue;
                }
                let (x, y) = if steep { (across, along) } else { (along, across) };
                self.mark(x, y, strength << 24 | rgb);
            }
        }
    }

    #[inline]
    fn mark(&mut self, x: i32, y: i32, pixel: u32) {
        let (x, y) = (x as usize, y as usize);
        // Negative numbers become huge, so this excludes them too.
        if x < self.width && y < self.height {
            let at = &mut self.pixels[y * self.width + x];
            *at = pixel.max(*at);
            let (first, end) = &mut self.used[y];
            *first = (x as u32).min(*first);
            *end = (x as u32 + 1).max(*end);
        }
    }

    /// Blends the layer into a picture and empties it.
    pub(super) fn put(&mut self, picture: &mut [Pixel]) {
        for (row, used) in self.used.iter_mut().enumerate() {
            let (first, end) = (used.0 as usize, used.1 as usize);
            if first >= end {
                continue;
            }
            *used = (self.width as u32, 0);
            let row = row * self.width;
            let part = row + first..row + end;
            let (groups, rest) = picture[part.clone()].as_chunks_mut::<4>();
            let (layers, layer) = self.pixels[part].as_chunks_mut::<4>();
            for (pixels, over) in groups.iter_mut().zip(layers) {
                if *over != [0; 4] {
                    mix_in(pixels, over);
                }
            }
            for (pixel, over) in rest.iter_mut().zip(layer) {
                let mut four = [*pixel; 4];
                mix_in(&mut four, &mut [std::mem::take(over); 4]);
                *pixel = four[0];
            }
        }
    }
}

/// Blends four pixels of a layer into a picture and empties them.
fn mix_in(pixels: &mut [Pixel; 4], over: &mut [u32; 4]) {
    let bytes = over.map(u32::to_be_bytes);
    let colors = bytes.map(|[_, red, green, blue]| [red, green, blue, 255]);
    mix(pixels, colors, bytes.map(|[alpha, ..]| alpha));
    *over = [0; 4];
}

#[cfg(test)]
mod tests {
    use super::super::tests::run_of;
    use super::*;

    /// Caught: in a world with a tick of a second, trails of 90 ticks crossed it many times.
    #[test]
    fn trails_are_no_longer_than_a_sixth_of_the_world() {
        let ticks = |dt: &str, speed: &str| {
            let agents = format!(r#"spawn: Points([(20, 20)]), body: (radius: 1{speed})"#);
            let groups = format!(r#"groups: {{ "all": (behavior: "still", {agents}) }}"#);
            trail_ticks(run_of(&format!("(dt: {dt}, world: (size: (60, 40)), {groups})")).world())
        };
        assert_eq!(ticks("1", ", max_speed: 1"), 10);
        assert_eq!(ticks("0.5", ", max_speed: 2"), 10);
        // Short ticks have trails of 90 of them.
        assert_eq!(ticks("0.0625", ", max_speed: 1"), 90);
        // One step at least, and 90 without a limit of the speed.
        assert_eq!(ticks("1", ", max_speed: 50"), 2);
        assert_eq!(ticks("1", ""), 90);
    }
}
