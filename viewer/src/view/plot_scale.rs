//! Where values are in a plot: from the lowest to the highest, with ticks at round numbers.

use flockwork_engine::math::{self, Vec2};

use super::area::Area;
use super::text_writer::SMALL;
use crate::draw::{Anchor, Color, Palette, Pen, Picture, text, text_width};
use crate::ticks;

/// The label of the line where a margin is zero.
const ZERO: &str = "0: fails below";
/// A plot of a margin that becomes negative goes up to this many times the most negative value.
const NEAR_ZERO: f32 = 4.0;
/// Minimum distance of two ticks, in pixels.
const MIN_TICK: f32 = 18.0;
/// Distance below which two ticks have no room for their numbers, in pixels.
const NEAR: f64 = 12.0;
/// Distance of the lowest and the highest value from the edges of the area, in pixels.
const PAD: f32 = 5.0;

/// Where values are in a plot.
pub(super) struct Scale {
    pub(super) area: Area,
    low: f64,
    high: f64,
    /// Whether values above `high` are drawn there.
    pub(super) is_cut: bool,
}

impl Scale {
    /// Returns a scale for some values. Those that are not finite, such as a sum beyond all numbers, are left out. `None` if there are no
    /// others.
    pub(super) fn new(area: Area, values: impl Iterator<Item = f32>) -> Option<Self> {
        let all = values.filter(|value| value.is_finite()).map(|value| (value, value));
        let join = |a: (f32, f32), b: (f32, f32)| (math::min(a.0, b.0), math::max(a.1, b.1));
        let (low, high) = all.reduce(join)?;
        Some(Self { area, low: low.into(), high: high.into(), is_cut: false }.widened())
    }

    /// Returns a scale that shows more than one value: a value that never changes is in the middle.
    fn widened(self) -> Self {
        let Self { low, high, .. } = self;
        if high - low > 1e-6 * (low.abs() + high.abs()) {
            return self;
        }
        let half = if low == 0.0 { 1.0 } else { 0.1 * low.abs() };
        Self { low: low - half, high: high + half, ..self }
    }

    /// Returns the scale of values that cannot be negative.
    pub(super) fn not_negative(self) -> Self {
        if self.low < 0.0 && self.high > 0.0 { Self { low: 0.0, ..self } } else { self }
    }

    /// Returns the scale of a margin, where what matters is near zero: the last agents of a run may be far from failing.
    pub(super) fn near_zero(self) -> Self {
        let most = -f64::from(NEAR_ZERO) * self.low;
        if most > 0.0 && most < self.high {
            Self { high: most, is_cut: true, ..self }
        } else {
            self
        }
    }

    /// Returns the y coordinate of a value, in pixels.
    pub(super) fn y(&self, value: f32) -> f32 {
        self.y_of(value.into())
    }

    fn y_of(&self, value: f64) -> f32 {
        let share = ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        self.area.max.y - PAD - share as f32 * (self.area.height() - 2.0 * PAD)
    }

    /// Returns the values with a tick, and what is written beside each: multiples of one step, and at least two, since one says nothing about
    /// the others.
    fn ticks(&self) -> impl Iterator<Item = (f64, String)> {
        let height = self.area.height() - 2.0 * PAD;
        let count = math::max(height / MIN_TICK, 1.0);
        let pixels = |units: f64| units / (self.high - self.low) * f64::from(height);
        let mut step = ticks::round_step((self.high - self.low) / f64::from(count));
        let mut all: Vec<f64> = ticks::multiples(step, self.low, self.high).collect();
        let is_near = |all: &[f64]| pixels(all[all.len() - 1] - all[0]) < NEAR;
        while height >= MIN_TICK && (all.is_empty() || is_near(&all)) {
            step = ticks::smaller_step(step);
            all = ticks::multiples(step, self.low, self.high).collect();
            // Where not all of them have room, those that are next to the ends.
            if pixels(step) < NEAR && all.len() > 2 {
                all.drain(1..all.len() - 1);
            }
        }
        all.into_iter().map(move |at| (at, ticks::text(step, at)))
    }

    /// Draws a line and a number for each tick. The numbers end at an x coordinate; without one, they are in the plot.
    pub(super) fn draw_ticks(&self, picture: &mut Picture, palette: &Palette, right: Option<f32>) {
        for (value, words) in self.ticks() {
            let y = self.y_of(value).round() + 0.5;
            let line = [Vec2::new(self.area.min.x, y), Vec2::new(self.area.max.x, y)];
            picture.line(&line, false, Pen::new(palette.quiet.alpha(45), 1.0));
            match right {
                Some(right) => {
                    let at = Vec2::new(right, y + 4.0);
                    text(picture, at, Anchor::Right, SMALL, palette.quiet, &words);
                }
                None => {
                    let at = Vec2::new(self.area.min.x + 3.0, y + 4.0);
                    self.label(picture, palette, (at, Anchor::Left), palette.quiet, &words);
                }
            }
        }
    }

    /// Draws a vertical line.
    pub(super) fn line_at(&self, picture: &mut Picture, x: f32, pen: Pen) {
        let line = [Vec2::new(x, self.area.min.y), Vec2::new(x, self.area.max.y)];
        picture.line(&line, false, pen);
    }

    /// Draws where a margin is zero.
    pub(super) fn zero_line(&self, picture: &mut Picture, palette: &Palette) {
        let (area, y) = (self.area, self.y(0.0));
        let zero = [Vec2::new(area.min.x, y), Vec2::new(area.max.x, y)];
        picture.line(&zero, false, Pen { dash: Some(4.0), ..Pen::new(palette.highlight, 1.0) });
    }

    /// Says what the line where a margin is zero means, on a ground over the curves.
    pub(super) fn zero_label(&self, picture: &mut Picture, palette: &Palette) {
        let (area, y) = (self.area, self.y(0.0));
        let base = if y - area.min.y < 15.0 { y + 12.0 } else { y - 4.0 };
        let at = Vec2::new(area.max.x - 4.0, base.round());
        self.label(picture, palette, (at, Anchor::Right), palette.highlight, ZERO);
    }

    /// Writes words in the plot on a ground, over what is drawn so far.
    fn label(
        &self,
        picture: &mut Picture,
        palette: &Palette,
        (at, anchor): (Vec2, Anchor),
        color: Color,
        words: &str,
    ) {
        let width = text_width(words, SMALL);
        let left = if anchor == Anchor::Right { at.x - width } else { at.x };
        // No part of it is outside of the plot.
        let base = math::max(math::min(at.y, self.area.max.y - 3.0), self.area.min.y + 10.0);
        let low = Vec2::new(left - 3.0, base - 10.0);
        picture.fill_rect(low, Vec2::new(left + width + 3.0, base + 3.0), palette.panel.alpha(225));
        text(picture, Vec2::new(at.x, base), anchor, SMALL, color, words);
    }

    /// Returns the largest value that is not at the upper edge.
    pub(super) fn high(&self) -> f32 {
        self.high as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(values: impl IntoIterator<Item = f32>) -> Scale {
        Scale::new(Area::new(0.0, 0.0, 100.0, 50.0), values.into_iter()).unwrap()
    }

    #[test]
    fn a_margin_that_becomes_negative_is_drawn_near_zero() {
        let cut = scale([-0.5, 0.0, 33.0]).near_zero();
        assert_eq!((cut.high(), cut.is_cut), (2.0, true));
        assert_eq!((cut.y(33.0), cut.y(2.0), cut.y(-0.5)), (5.0, 5.0, 45.0));
        let whole = scale([-10.0, 0.0, 33.0]).near_zero();
        assert_eq!((whole.high(), whole.is_cut), (33.0, false));
        assert_eq!(scale([0.0, 3.0, 33.0]).near_zero().high(), 33.0);
    }

    /// The window hung while it looked for a round step between infinite values.
    #[test]
    fn values_that_are_not_finite_have_no_part_in_the_scale() {
        let area = Area::new(0.0, 0.0, 100.0, 50.0);
        for none in [f32::INFINITY, f32::NEG_INFINITY, f32::NAN] {
            assert!(Scale::new(area, [none, none].into_iter()).is_none());
            let of = scale([1.0, none, 3.0]);
            assert_eq!((of.low, of.high), (1.0, 3.0));
            assert!(!none.is_infinite() || (5.0..=45.0).contains(&of.y(none)));
        }
        for values in [[f32::MIN, f32::MAX], [0.0, f32::from_bits(1)], [f32::MAX, f32::MAX]] {
            let count = scale(values).ticks().count();
            assert!((1..=4).contains(&count), "{values:?}: {count}");
        }
    }

    /// The window hung for values that differ by little, such as 0.5 and 0.5000034 in a plot of 36 pixels.
    #[test]
    fn ticks_are_found_for_any_range_and_height() {
        for height in 20..70 {
            let area = Area::new(0.0, 0.0, 100.0, height as f32);
            for low in [0.0, 0.5, 1.0, 3.648_918, 60.0] {
                for power in [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0] {
                    for tenths in 10..100 {
                        let range = f64::from(tenths) / 10.0 * power;
                        let high = (f64::from(low) + range) as f32;
                        let of = Scale::new(area, [low, high].into_iter()).unwrap();
                        let count = of.ticks().count();
                        let least = if height < 28 { 0 } else { 2 };
                        assert!((least..=5).contains(&count), "{low} {high} {height}: {count}");
                    }
                }
            }
        }
    }

    #[test]
    fn ticks_are_round_numbers_that_are_far_enough_apart() {
        let labels = |of: Scale| of.ticks().map(|(_, words)| words).collect::<Vec<_>>().join(" ");
        assert_eq!(labels(scale([-0.4, 17.3])), "0 10");
        assert_eq!(labels(scale([0.31, 0.47])), "0.35 0.40 0.45");
        // An axis of a share had only two numbers, although there was room for a third one.
        assert_eq!(labels(scale([0.15, 0.85])), "0.25 0.50 0.75");
        // Nobody expects steps of three, such as 0.002, 0.005 and 0.008.
        assert_eq!(labels(scale([0.0015, 0.0085])), "0.0025 0.0050 0.0075");
        assert_eq!(labels(scale([20.0])), "18 20 22");
        assert_eq!(labels(scale([0.0])), "-1 0 1");
        // The number of agents was shown below 0.
        assert_eq!(labels(scale([0.0]).not_negative()), "0.0 0.5 1.0");
        for (low, high) in [(0.0, 1.0), (-3e-4, 8e-4), (1e6, 4e7), (99.0, 99.5), (1e9, 1e9 + 64.0)]
        {
            let of = scale([low, high]);
            let at: Vec<f32> = of.ticks().map(|(value, _)| of.y_of(value)).collect();
            assert!(!at.is_empty() && at.len() <= 3, "{low} {high}: {at:?}");
            assert!(at.windows(2).all(|pair| pair[0] - pair[1] >= 17.9), "{low} {high}: {at:?}");
        }
    }
}
