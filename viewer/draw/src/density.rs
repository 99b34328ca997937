//! Dots of agents that are too small for a shape of their own. Where several cover a pixel, it gets stronger, so that dense
//! places stand out.

use flockwork_core::math::{self, Vec2};

use super::Color;
use super::blend::{Pixel, mix};
use super::trails::floor;

/// Width and height of a dot at scale 1, in pixels.
const SIDE: f32 = 2.0;
/// Opacity of a pixel that one agent covers, of 255.
const SINGLE_OPACITY: u32 = 110;
/// The number of agents on one pixel that makes it opaque is at least this.
const MIN_FULL: u32 = 4;
/// More agents than this on one pixel look the same.
const MOST: u32 = 255;

/// The dots of a frame, before they are blended into a picture.
#[derive(Default)]
pub(super) struct Density {
    width: usize,
    height: usize,
    /// Width and height of a dot, in pixels.
    side: i32,
    /// For each pixel, how many dots cover it in the highest byte, then red, green and blue of the last one.
    pixels: Vec<u32>,
    /// The largest number of dots that cover a pixel.
    most: u32,
}

impl Density {
    /// Gives the empty layer the size of a picture, in pixels, and its scale.
    pub(super) fn fit(&mut self, (width, height): (u32, u32), scale: f32) {
        self.side = (SIDE * scale).round() as i32;
        let size = (width as usize, height as usize);
        if size != (self.width, self.height) {
            (self.width, self.height) = size;
            self.pixels = vec![0; size.0 * size.1];
        }
    }

    /// Adds a dot around a place, in pixels.
    pub(super) fn add(&mut self, at: Vec2, color: Color) {
        let Color { red, green, blue, .. } = color;
        let rgb = u32::from_be_bytes([0, red, green, blue]);
        // The pixels whose middle is nearest to the place.
        let at = at.clamp(Vec2::splat(-16.0), Vec2::splat(1e6)) - self.side as f32 / 2.0 + 0.5;
        let (left, top) = (floor(at.x), floor(at.y));
        let inside = |from: i32, size: usize| {
            let end = (from + self.side).clamp(0, size as i32) as usize;
            (from.max(0) as usize).min(end)..end
        };
        let (columns, rows) = (inside(left, self.width), inside(top, self.height));
        for row in rows {
            let begin = row * self.width;
            for pixel in &mut self.pixels[begin + columns.start..begin + columns.end] {
                let count = (*pixel >> 24).min(MOST - 1) + 1;
                *pixel = count << 24 | rgb;
                self.most = self.most.max(count);
            }
        }
    }

    /// Blends the dots into a picture and removes them.
    pub(super) fn put(&mut self, picture: &mut [Pixel]) {
        if self.most == 0 {
            return;
        }
        let opacity = opacities(std::mem::take(&mut self.most));
        let (groups, rest) = picture.as_chunks_mut::<4>();
        let (dots, last) = self.pixels.as_chunks_mut::<4>();
        for (pixels, dots) in groups.iter_mut().zip(dots) {
            if *dots != [0; 4] {
                blend(pixels, dots, &opacity);
            }
        }
        for (pixel, dot) in rest.iter_mut().zip(last) {
            let mut four = [*pixel; 4];
            blend(&mut four, &mut [std::mem::take(dot); 4], &opacity);
            *pixel = four[0];
        }
    }
}

/// Returns the opacity of a pixel by the number of dots that cover it. It grows with the logarithm of their number, up to
/// the power of two above the largest number: so it does not change with each frame.
fn opacities(most: u32) -> [u8; 256] {
    let full = math::ln(most.next_power_of_two().max(MIN_FULL) as f32);
    let opacity = |count: usize| match count {
        0 => 0.0,
        _ => {
            let share = math::ln(count as f32) / full;
            SINGLE_OPACITY as f32 + (255 - SINGLE_OPACITY) as f32 * share
        }
    };
    std::array::from_fn(|count| opacity(count) as u8)
}

/// Blends four pixels of dots into a picture and removes them.
fn blend(pixels: &mut [Pixel; 4], dots: &mut [u32; 4], opacity: &[u8; 256]) {
    let bytes = dots.map(u32::to_be_bytes);
    let colors = bytes.map(|[_, red, green, blue]| [red, green, blue, 255]);
    mix(pixels, colors, bytes.map(|[count, ..]| opacity[usize::from(count)]));
    *dots = [0; 4];
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: (u32, u32) = (9, 5);
    const INK: Color = Color { red: 200, green: 0, blue: 0, alpha: 255 };

    /// Returns the red of all pixels, row by row.
    fn drawn(dots: &[(f32, f32)]) -> Vec<Vec<u8>> {
        let mut density = Density::default();
        density.fit(SIZE, 1.0);
        dots.iter().for_each(|&at| density.add(at.into(), INK));
        let mut pixels = vec![[0, 0, 0, 255]; (SIZE.0 * SIZE.1) as usize];
        density.put(&mut pixels);
        let first = pixels.clone();
        density.put(&mut pixels);
        assert_eq!(pixels, first, "the dots are gone");
        pixels
            .chunks(SIZE.0 as usize)
            .map(|row| row.iter().map(|pixel| pixel[0]).collect())
            .collect()
    }

    #[test]
    fn a_dot_covers_the_four_pixels_around_its_place() {
        let rows = drawn(&[(3.2, 1.9)]);
        let covered: Vec<_> = (0..5)
            .flat_map(|y| (0..9).map(move |x| (x, y)))
            .filter(|&(x, y)| rows[y][x] > 0)
            .collect();
        assert_eq!(covered, [(2, 1), (3, 1), (2, 2), (3, 2)]);
    }

    #[test]
    fn where_more_dots_are_the_color_is_stronger() {
        let many = |count| drawn(&vec![(4.0, 2.0); count]);
        let [one, two, four] = [1, 2, 4].map(|count| many(count)[2][4]);
        assert!(0 < one && one < two && two < four, "{one} {two} {four}");
        assert_eq!(four, 200, "opaque");
        // Much denser places elsewhere leave single dots visible, but weaker than pairs.
        let mut dots = vec![(6.0, 3.0); 1000];
        dots.push((2.0, 1.0));
        assert_eq!(drawn(&dots)[1][2], one);
    }

    #[test]
    fn what_is_outside_changes_nothing_inside() {
        for at in [(-3.0, 2.0), (12.0, 2.0), (4.0, -1e9), (4.0, 1e9), (f32::MIN, f32::MAX)] {
            assert!(drawn(&[at]).concat().iter().all(|red| *red == 0), "{at:?}");
        }
        let corner = drawn(&[(9.0, 5.0)]);
        assert_eq!(corner.concat().iter().filter(|red| **red > 0).count(), 1);
    }
}
