//! The scale bar, which is as long as a round number of world units.

use flockwork_core::math::{self, Vec2};
use flockwork_core::trace::significant;

use super::{Anchor, Camera, Palette, Pen, Picture, text, text_width};

/// Maximum length of the bar, as a fraction of the width of the picture.
const MAX_FRACTION: f32 = 0.2;
/// Distance from the edges of the picture, in pixels.
const INSET: f32 = 14.0;
/// Font size, in pixels.
const SIZE: f32 = 12.0;
/// Opacity of the plate below it, of 255, and how far that reaches beyond it, in pixels.
const PLATE_ALPHA: u8 = 245;
const PLATE_PAD: Vec2 = Vec2::new(7.0, 6.0);

/// Draws the scale bar in the lower left corner. Its lower edge is near the y coordinate `above`, in pixels, which
/// usually is the height of the picture.
pub fn scale_bar(picture: &mut Picture, camera: &Camera, palette: &Palette, above: f32) {
    let units = round_length(camera.units(picture.corner().x * MAX_FRACTION));
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
    let pen = Pen::new(palette.ink, 1.5);
    let line = [from + tick, from, to, to + tick];
    let at = Vec2::new(left + 4.0, base - 6.0);
    // Agents below the plate are seen a little.
    let top = Vec2::new(left, at.y - 0.75 * SIZE);
    let end = Vec2::new(math::max(right, at.x + text_width(&label, SIZE)), base);
    picture.fill_rect(top - PLATE_PAD, end + PLATE_PAD, palette.panel.alpha(PLATE_ALPHA));
    picture.line(&line, false, pen);
    text(picture, at, Anchor::Left, SIZE, palette.ink, &label);
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
