//! The scale bar, which is as long as a round number of world units.

use flockwork_core::math::{self, Vec2};
use flockwork_core::trace::significant;

use super::text::text_with_halo;
use super::{Camera, Palette, Pen, Picture};

/// Maximum length of the bar, as a fraction of the width of the picture and in pixels.
const MAX_FRACTION: f32 = 0.2;
const MAX_LENGTH: f32 = 130.0;
/// Distance from the edges of the picture, in pixels.
const INSET: f32 = 14.0;
/// Font size, in pixels.
const SIZE: f32 = 12.0;
/// Width of the bar and of the border around it, in pixels, and the opacity of the border, of 255.
const WIDTH: f32 = 1.5;
const BORDER: f32 = 3.0;
const BORDER_ALPHA: u8 = 220;

/// Draws the scale bar in the lower left corner, with a border that hides next to nothing. Its lower edge is near the y coordinate `above`,
/// in pixels, which usually is the height of the picture.
pub fn scale_bar(picture: &mut Picture, camera: &Camera, palette: &Palette, above: f32) {
    let longest = math::min(picture.corner().x * MAX_FRACTION, MAX_LENGTH);
    let units = round_length(camera.units(longest));
    let length = camera.pixels(units);
    if !length.is_finite() || length < 4.0 {
        return;
    }
    let (left, base) = (INSET, above - INSET);
    let right = left + length;
    let name = significant(f64::from(units), 3);
    let label = format!("{name} {}", if name == "1" { "unit" } else { "units" });
    let tick = Vec2::new(0.0, -5.0);
    let (from, to) = (Vec2::new(left, base), Vec2::new(right, base));
    let line = [from + tick, from, to, to + tick];
    let border = Pen::new(palette.ground.alpha(BORDER_ALPHA), WIDTH + BORDER);
    picture.line(&line, false, border);
    picture.line(&line, false, Pen::new(palette.ink, WIDTH));
    let at = Vec2::new(left + 4.0, base - 6.0);
    text_with_halo(picture, at, SIZE, palette.ink, palette.ground, &label);
}

/// Returns the largest number of 1, 2, 5, 10, 20 and so on, also below 1, that is not greater than `longest`.
pub(super) fn round_length(longest: f32) -> f32 {
    let power = math::pow(10.0, math::log10(longest).floor());
    let steps = [10.0, 5.0, 2.0, 1.0];
    // Rounding may have made the power slightly greater than the length.
    let step = steps.into_iter().find(|step| step * power <= longest);
    step.unwrap_or(1.0) * power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_round() {
        for (longest, round) in
            [(1.0, 1.0), (1.9, 1.0), (99.0, 50.0), (230.0, 200.0), (0.0049, 0.002), (3.4e7, 2e7)]
        {
            let found = round_length(longest);
            assert!((found / round - 1.0).abs() < 1e-5, "{longest}: {found}");
        }
    }
}
