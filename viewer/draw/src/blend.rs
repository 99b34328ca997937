//! Blends a color into opaque pixels.

use super::Color;

/// A pixel as it is in memory: red, green, blue, and an opacity that is always 255.
pub(super) type Pixel = [u8; 4];

/// Mask of every other byte of a pixel.
const LANES: u32 = 0x00ff_00ff;

/// A color, prepared for blending into many pixels.
#[derive(Clone, Copy)]
pub(super) struct Ink {
    red_blue: u32,
    green_full: u32,
    alpha: u32,
}

impl Ink {
    pub(super) fn new(color: Color) -> Self {
        let Color { red, green, blue, .. } = color;
        let pixel = u32::from_le_bytes([red, green, blue, 255]);
        Self {
            red_blue: pixel & LANES,
            green_full: (pixel >> 8) & LANES,
            alpha: color.alpha.into(),
        }
    }

    /// Blends the color into a pixel of which it covers a part, from 0 to 255.
    #[inline]
    pub(super) fn blend(self, pixel: &mut Pixel, cover: u8) {
        let share = divided_by_255(u32::from(cover) * self.alpha);
        let rest = 255 - share;
        let below = u32::from_le_bytes(*pixel);
        let red_blue = divided_by_255((below & LANES) * rest + self.red_blue * share);
        let green_full = divided_by_255(((below >> 8) & LANES) * rest + self.green_full * share);
        *pixel = (red_blue | green_full << 8).to_le_bytes();
    }

    /// Blends the color into a row of pixels. `cover` is the covered part of each, from 0 to 255.
    #[inline]
    pub(super) fn blend_row(self, pixels: &mut [Pixel], cover: &[u8]) {
        let (groups, rest) = pixels.as_chunks_mut::<4>();
        let (covers, cover) = cover.as_chunks::<4>();
        let color = (self.red_blue | self.green_full << 8).to_le_bytes();
        for (group, cover) in groups.iter_mut().zip(covers) {
            if *cover != [0; 4] {
                let share = |cover: u8| divided_by_255(u32::from(cover) * self.alpha) as u8;
                mix(group, [color; 4], cover.map(share));
            }
        }
        for (pixel, cover) in rest.iter_mut().zip(cover) {
            self.blend(pixel, *cover);
        }
    }

    /// Blends the color into a row of pixels that it covers completely.
    pub(super) fn fill(self, pixels: &mut [Pixel]) {
        let pixel = (self.red_blue | self.green_full << 8).to_le_bytes();
        if self.alpha == 255 {
            pixels.fill(pixel);
            return;
        }
        let (groups, rest) = pixels.as_chunks_mut::<4>();
        for group in groups {
            mix(group, [pixel; 4], [self.alpha as u8; 4]);
        }
        rest.iter_mut().for_each(|pixel| self.blend(pixel, 255));
    }
}

/// Blends four colors into four pixels with the same result as one by one, in steps that a processor can do for all bytes
/// at once.
#[inline]
pub(super) fn mix(pixels: &mut [Pixel; 4], colors: [Pixel; 4], shares: [u8; 4]) {
    let below = pixels.as_flattened_mut();
    let above = colors.as_flattened();
    let mut wide = [0u16; 16];
    for (wide, place) in wide.iter_mut().zip(0..) {
        *wide = shares[place / 4].into();
    }
    for place in 0..16 {
        let (below, above) = (u16::from(below[place]), u16::from(above[place]));
        // The sum is at most 255 * 255; this divides it by 255 and rounds.
        let sum = below * (255 - wide[place]) + above * wide[place] + 128;
        wide[place] = (sum + (sum >> 8)) >> 8;
    }
    for (below, wide) in below.iter_mut().zip(wide) {
        *below = wide as u8;
    }
}

/// Divides both lanes by 255 and rounds. Each is at most 255 * 255.
#[inline]
fn divided_by_255(lanes: u32) -> u32 {
    let lanes = lanes + 0x0080_0080;
    ((lanes + ((lanes >> 8) & LANES)) >> 8) & LANES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_are_blended_by_opacity_and_cover() {
        let red = Color { red: 255, green: 0, blue: 10, alpha: 255 };
        let mixed = |color, cover| {
            let mut pixel = [55, 200, 10, 255];
            Ink::new(color).blend(&mut pixel, cover);
            pixel
        };
        assert_eq!(mixed(red, 0), [55, 200, 10, 255]);
        assert_eq!(mixed(red, 255), [255, 0, 10, 255]);
        assert_eq!(mixed(red, 51), [95, 160, 10, 255]);
        assert_eq!(mixed(red.alpha(51), 255), [95, 160, 10, 255]);
        assert_eq!(mixed(red.alpha(0), 255), [55, 200, 10, 255]);
    }

    #[test]
    fn four_pixels_are_blended_like_single_ones() {
        let covers: Vec<u8> = (0..=255).chain([7, 9, 11]).collect();
        for alpha in [0, 1, 40, 200, 255] {
            let ink = Ink::new(Color { red: 250, green: 3, blue: 128, alpha });
            let mut row: Vec<Pixel> = covers.iter().map(|cover| [*cover, 77, 255, 255]).collect();
            let mut each = row.clone();
            ink.blend_row(&mut row, &covers);
            for (pixel, cover) in each.iter_mut().zip(&covers) {
                ink.blend(pixel, *cover);
            }
            assert_eq!(row, each);
            ink.fill(&mut row);
            each.iter_mut().for_each(|pixel| ink.blend(pixel, 255));
            assert_eq!(row, each);
        }
    }

    #[test]
    fn a_division_by_255_is_rounded() {
        for number in 0..=255 * 255 {
            let rounded = (number + 127) / 255;
            assert_eq!(divided_by_255(number | number << 16), rounded | rounded << 16);
        }
    }
}
