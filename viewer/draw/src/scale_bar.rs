//! The scale bar, which is as long as a round number of world units.

use flockwork_core::math::{self, Vec2};
use flockwork_core::trace::significant;

use super::{Anchor, Camera, Palette, Pen, Picture, text, text_width};

/// Maximum length of the bar, as a fraction of the width of the picture and in pixels.
const MAX_FRACTION: f32 = 0.2;
const MAX_LENGTH: f32 = 130.0;
/// Distance from the edges of the picture, in pixels.
const INSET: f32 = 14.0;
/// Font size, in pixels.
const SIZE: f32 = 12.0;
/// Width of the bar and height of its ends, in pixels.
const WIDTH: f32 = 1.5;
const END: f32 = 6.0;
/// Distance between the bar and its label, and from both to the edges of their ground, in pixels; and the opacity of the ground, of 255.
const GAP: f32 = 6.0;
const GROUND_ALPHA: u8 = 225;

/// Draws the scale bar with its label beside it, in the lower left corner, on a ground that keeps edges of the world and agents away from
/// them. Its lower edge is near the y coordinate `above`, in pixels, which usually is the height of the picture.
pub fn scale_bar(picture: &mut Picture, camera: &Camera, palette: &Palette, above: f32) {
    let longest = math::min(picture.corner().x * MAX_FRACTION, MAX_LENGTH);
    let units = round_length(camera.units(longest));
    let length = camera.pixels(units);
    if !length.is_finite() || length < 4.0 {
        return;
    }
    let base = above - INSET;
    let name = significant(f64::from(units), 3);
    let label = format!("{name} {}", if name == "1" { "unit" } else { "units" });
    let (from, to) = (Vec2::new(INSET, base), Vec2::new(INSET + length, base));
    let label_at = to + Vec2::new(GAP, 0.0);
    let low = from - Vec2::new(GAP, SIZE);
    let high = label_at + Vec2::new(text_width(&label, SIZE) + GAP, GAP - 1.0);
    picture.fill_rect(low, high, palette.ground.alpha(GROUND_ALPHA));
    let end = Vec2::new(0.0, -END);
    picture.line(&[from + end, from, to, to + end], false, Pen::new(palette.ink, WIDTH));
    text(picture, label_at, Anchor::Left, SIZE, palette.ink, &label);
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
    use crate::tests::pixel;
    use crate::{LIGHT, Rect};

    /// The edge of the world and lines of the grid crossed the words.
    #[test]
    fn it_is_on_a_ground_of_its_own() {
        let size = (300, 200);
        let world = Rect { min: Vec2::ZERO, max: Vec2::new(300.0, 200.0) };
        let camera = Camera::fit(world, size, 0);
        let mut picture = Picture::new(size, LIGHT.ink);
        scale_bar(&mut picture, &camera, &LIGHT, 200.0);
        let base = 200.0 - INSET;
        // Above the bar, and between it and the label.
        let green = |at: Vec2| pixel(&picture, at) >> 8 & 255;
        for x in [INSET + 20.0, INSET + camera.pixels(50.0) + GAP / 2.0] {
            assert!(green(Vec2::new(x, base - 4.0)) > 200, "{x}");
        }
        assert!(green(Vec2::new(INSET + 20.0, base - 40.0)) < 100);
    }

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
