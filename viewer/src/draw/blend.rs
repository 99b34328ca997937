//! Mixing a colour into opaque pixels.

use super::Colour;

/// A pixel as it lies in memory: red, green, blue, and an opacity that is always full.
pub(super) type Pixel = [u8; 4];

/// Every other byte of a pixel.
const LANES: u32 = 0x00ff_00ff;

/// A colour, ready to be mixed into many pixels.
#[derive(Clone, Copy)]
pub(super) struct Ink {
    red_blue: u32,
    green_full: u32,
    alpha: u32,
}

impl Ink {
    pub(super) fn new(colour: Colour) -> Self {
        let Colour {
            red, green, blue, ..
        } = colour;
        let pixel = u32::from_le_bytes([red, green, blue, 255]);
        Self {
            red_blue: pixel & LANES,
            green_full: (pixel >> 8) & LANES,
            alpha: colour.alpha.into(),
        }
    }

    /// Mixes it in where it covers so much of a pixel, of 255.
    #[inline]
    pub(super) fn over(self, pixel: &mut Pixel, cover: u8) {
        let share = shared(u32::from(cover) * self.alpha);
        let rest = 255 - share;
        let below = u32::from_le_bytes(*pixel);
        let red_blue = shared((below & LANES) * rest + self.red_blue * share);
        let green_full = shared(((below >> 8) & LANES) * rest + self.green_full * share);
        *pixel = (red_blue | green_full << 8).to_le_bytes();
    }

    /// Mixes it into a row that it covers.
    pub(super) fn fill(self, pixels: &mut [Pixel]) {
        if self.alpha == 255 {
            let pixel = self.red_blue | self.green_full << 8;
            pixels.fill(pixel.to_le_bytes());
        } else {
            pixels.iter_mut().for_each(|pixel| self.over(pixel, 255));
        }
    }
}

/// Both lanes divided by 255 and rounded, each being at most 255 times 255.
#[inline]
fn shared(lanes: u32) -> u32 {
    let lanes = lanes + 0x0080_0080;
    ((lanes + ((lanes >> 8) & LANES)) >> 8) & LANES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_mixed_in_their_shares() {
        let red = Colour {
            red: 255,
            green: 0,
            blue: 10,
            alpha: 255,
        };
        let mixed = |colour, cover| {
            let mut pixel = [55, 200, 10, 255];
            Ink::new(colour).over(&mut pixel, cover);
            pixel
        };
        assert_eq!(mixed(red, 0), [55, 200, 10, 255]);
        assert_eq!(mixed(red, 255), [255, 0, 10, 255]);
        assert_eq!(mixed(red, 51), [95, 160, 10, 255]);
        assert_eq!(mixed(red.alpha(51), 255), [95, 160, 10, 255]);
        assert_eq!(mixed(red.alpha(0), 255), [55, 200, 10, 255]);
    }

    #[test]
    fn a_division_by_255_is_rounded() {
        for number in 0..=255 * 255 {
            let rounded = (number + 127) / 255;
            assert_eq!(shared(number | number << 16), rounded | rounded << 16);
        }
    }
}
