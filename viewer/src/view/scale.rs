//! How large everything in the window is drawn: the pixels of the screen that one pixel of the layout is wide and high.
//!
//! Everything but [`Picture`](crate::draw::Picture) and the window library counts in pixels of the layout, so it needs no
//! other sizes on a screen with small pixels.

use std::ops::RangeInclusive;

use flockwork_engine::math::{self, Vec2};

/// The factors that can be chosen.
const FACTORS: RangeInclusive<f32> = 1.0..=4.0;
/// The step between the factors that a key or the system chooses: others in between would only make lines less sharp.
const STEP: f32 = 0.25;
/// If neither the person nor the system has chosen a factor, a window that is wider than this gets [`WIDE_FACTOR`], in pixels
/// of the screen.
const WIDE: u32 = 3000;
const WIDE_FACTOR: f32 = 2.0;

/// The largest scale is that at which the layout has this size, in pixels: the panels need some room.
const LEAST: (f32, f32) = (400.0, 300.0);

/// The size of a window and how large everything in it is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scale {
    /// Width and height of the window, in pixels of the screen.
    pub(super) window: (u32, u32),
    /// The factor that the window was opened with; `None` if it depends on the width.
    first: Option<f32>,
    /// The factor that was chosen since.
    chosen: Option<f32>,
}

impl Scale {
    /// The smallest size of a window that a desktop may choose, in pixels of the screen.
    pub(super) const SMALLEST: (u32, u32) = (LEAST.0 as u32, LEAST.1 as u32);

    /// Returns the scale of a new window. Without a factor, its width decides.
    pub(crate) fn new(window: (u32, u32), factor: Option<f32>) -> Self {
        Self { window, first: factor, chosen: None }
    }

    /// Returns the scale for another size of the window, in pixels of the screen.
    pub(super) fn resized(self, window: (u32, u32)) -> Self {
        Self { window, ..self }
    }

    /// Returns the pixels of the screen per pixel of the layout.
    pub(super) fn factor(&self) -> f32 {
        let by_width = if self.window.0 > WIDE { WIDE_FACTOR } else { 1.0 };
        let room = math::min(self.window.0 as f32 / LEAST.0, self.window.1 as f32 / LEAST.1);
        let wanted = self.chosen.or(self.first).unwrap_or(by_width);
        math::min(wanted, math::max(room, 1.0))
    }

    /// Returns width and height of the window in pixels of the layout. The last ones may be cut off.
    pub(super) fn layout_size(&self) -> (u32, u32) {
        let side = |pixels: u32| (pixels as f32 / self.factor()).ceil() as u32;
        (side(self.window.0), side(self.window.1))
    }

    /// Converts a point from pixels of the screen to pixels of the layout.
    pub(super) fn layout_point(&self, at: Vec2) -> Vec2 {
        at / self.factor()
    }

    /// Makes everything larger by some steps, or smaller if negative; 0 returns to the factor at the start.
    pub(super) fn change(&mut self, steps: i32) {
        self.chosen = (steps != 0).then(|| rounded(self.factor() + steps as f32 * STEP));
    }
}

/// Returns the nearest factor that a key could choose.
pub(super) fn rounded(factor: f32) -> f32 {
    ((factor / STEP).round() * STEP).clamp(*FACTORS.start(), *FACTORS.end())
}

/// Parses the value of `--scale`.
pub(crate) fn parse(text: &str) -> Result<f32, String> {
    let factor = text.parse().ok().filter(|factor| FACTORS.contains(factor));
    factor.ok_or_else(|| {
        format!("must be a number from {} to {}, such as 1.5", FACTORS.start(), FACTORS.end())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_factor_is_a_number_within_limits() {
        assert_eq!(["1", "1.5", "4"].map(parse), [Ok(1.0), Ok(1.5), Ok(4.0)]);
        for text in ["", "0.9", "4.1", "-2", "nan", "inf", "2x"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn without_a_setting_a_wide_window_is_drawn_larger() {
        let of = |width, factor| Scale::new((width, 1001), factor).factor();
        assert_eq!([of(3000, None), of(3001, None), of(3001, Some(1.0))], [1.0, 2.0, 1.0]);
        assert_eq!(Scale::new((3840, 2160), None).layout_size(), (1920, 1080));
        assert_eq!(Scale::new((1000, 601), Some(1.5)).layout_size(), (667, 401));
        // Panels would not fit into half of this.
        assert_eq!(Scale::new((500, 400), Some(2.0)).layout_size(), (400, 320));
        assert_eq!(Scale::new((300, 200), Some(2.0)).layout_size(), (300, 200));
    }

    #[test]
    fn keys_change_the_factor_in_steps_and_return_to_the_first() {
        let mut scale = Scale::new((1800, 1200), Some(1.1));
        scale.change(1);
        assert_eq!(scale.factor(), 1.25);
        (0..20).for_each(|_| scale.change(1));
        assert_eq!(scale.factor(), 4.0);
        (0..20).for_each(|_| scale.change(-1));
        assert_eq!(scale.factor(), 1.0);
        scale.change(0);
        assert_eq!(scale.factor(), 1.1);
    }
}
