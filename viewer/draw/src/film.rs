//! Films: pictures one after another, as a GIF.
//!
//! All pictures share one color table, so that nothing flickers. So all pictures are counted in [`ColorCounts`] first, and
//! then added to the [`Film`]. The same pictures give the same bytes.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};

use gif::{Encoder, EncodingError, Frame, Repeat};

#[cfg(doc)]
use super::Picture;

/// Number of colors in the table. One more entry means that a pixel does not change.
const TABLE_COLORS: usize = 255;
/// Number of the most frequent colors that are always in the table.
const FREQUENT_COLORS: usize = 64;
/// The other colors have at least these squared distances from all others: first distant colors, then nearer ones while
/// there is room.
const MIN_SQUARED_DISTANCES: [i32; 5] = [48 * 48, 24 * 24, 12 * 12, 6 * 6, 1];

/// The colors of some pictures and how often they occur.
#[derive(Default)]
pub struct ColorCounts {
    pixels: BTreeMap<u32, u64>,
    last: Vec<u32>,
}

impl ColorCounts {
    /// Counts the pixels that have changed since the previous picture. They are those of [`Picture::rgb`].
    pub fn add(&mut self, pixels: &[u32]) {
        let same = self.last.len() == pixels.len();
        let (mut run, mut length) = (0, 0);
        for (place, &color) in pixels.iter().enumerate() {
            if same && self.last[place] == color {
                continue;
            }
            if color != run {
                *self.pixels.entry(run).or_default() += length;
                (run, length) = (color, 0);
            }
            length += 1;
        }
        *self.pixels.entry(run).or_default() += length;
        self.last.clear();
        self.last.extend_from_slice(pixels);
    }

    /// Returns the color table: the most frequent colors, and others that are as different as possible.
    fn table(&self) -> Vec<u32> {
        let seen = self.pixels.iter().filter(|(_, pixels)| **pixels > 0);
        let mut colors: Vec<(u32, u64)> = seen.map(|(color, pixels)| (*color, *pixels)).collect();
        colors.sort_by_key(|(_, pixels)| std::cmp::Reverse(*pixels));
        let frequent = colors.iter().take(FREQUENT_COLORS);
        let mut table: Vec<u32> = frequent.map(|(color, _)| *color).collect();
        for least in MIN_SQUARED_DISTANCES {
            for (color, _) in &colors {
                if table.len() == TABLE_COLORS {
                    return table;
                }
                if table.iter().all(|other| squared_distance(*other, *color) >= least) {
                    table.push(*color);
                }
            }
        }
        table
    }
}

/// Returns the squared distance of two colors.
fn squared_distance(a: u32, b: u32) -> i32 {
    let squares = a.to_be_bytes().into_iter().zip(b.to_be_bytes());
    squares.map(|(a, b)| (i32::from(a) - i32::from(b)).pow(2)).sum()
}

/// A GIF that is being written.
pub struct Film<W: Write> {
    encoder: Encoder<W>,
    size: (u16, u16),
    table: Vec<u32>,
    nearest: HashMap<u32, u8>,
    last: Vec<u32>,
}

impl<W: Write> Film<W> {
    /// Starts a film that repeats forever. All its pictures have the given size in pixels and have been counted.
    ///
    /// # Errors
    ///
    /// If the header cannot be written.
    pub fn new(to: W, (width, height): (u32, u32), counts: &ColorCounts) -> io::Result<Self> {
        let side = |pixels: u32| u16::try_from(pixels).map_err(io::Error::other);
        let size = (side(width)?, side(height)?);
        let table = counts.table();
        let mut colors: Vec<u8> = Vec::new();
        for color in &table {
            colors.extend(&color.to_be_bytes()[1..]);
        }
        // The entry for pixels that do not change.
        colors.extend([0; 3]);
        let mut encoder = Encoder::new(to, size.0, size.1, &colors).map_err(failed)?;
        encoder.set_repeat(Repeat::Infinite).map_err(failed)?;
        Ok(Self { encoder, size, table, nearest: HashMap::new(), last: Vec::new() })
    }

    /// Adds a picture, as the pixels of [`Picture::rgb`], that is shown for some hundredths of a second.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn add(&mut self, pixels: &[u32], hundredths: u16) -> io::Result<()> {
        let (width, height) = (usize::from(self.size.0), usize::from(self.size.1));
        let first = self.last.is_empty();
        let (columns, rows) =
            if first { (0..width, 0..height) } else { changed(&self.last, pixels, width) };
        let kept = self.table.len() as u8;
        let mut numbers = Vec::with_capacity(columns.len() * rows.len());
        for y in rows.clone() {
            let row = y * width + columns.start..y * width + columns.end;
            for (place, color) in row.clone().zip(&pixels[row]) {
                numbers.push(if !first && self.last[place] == *color {
                    kept
                } else {
                    self.number(*color)
                });
            }
        }
        let frame = Frame {
            delay: hundredths,
            transparent: (!first).then_some(kept),
            left: columns.start as u16,
            top: rows.start as u16,
            width: columns.len() as u16,
            height: rows.len() as u16,
            buffer: numbers.into(),
            ..Frame::default()
        };
        self.last.clear();
        self.last.extend_from_slice(pixels);
        self.encoder.write_frame(&frame).map_err(failed)
    }

    /// Returns the index of a color in the table, or of the nearest one.
    fn number(&mut self, color: u32) -> u8 {
        let table = &self.table;
        *self.nearest.entry(color).or_insert_with(|| {
            let numbers = 0..table.len();
            let nearest = numbers.min_by_key(|number| squared_distance(table[*number], color));
            nearest.unwrap_or_default() as u8
        })
    }

    /// Finishes the film and returns the writer.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn finish(self) -> io::Result<W> {
        self.encoder.into_inner().map_err(failed)
    }
}

/// Returns the columns and rows in which two pictures differ; a single pixel if they are equal, since a frame cannot be
/// empty.
fn changed(
    before: &[u32],
    after: &[u32],
    width: usize,
) -> (std::ops::Range<usize>, std::ops::Range<usize>) {
    let (mut left, mut right) = (width, 0);
    let (mut top, mut bottom) = (usize::MAX, 0);
    let rows = before.chunks_exact(width).zip(after.chunks_exact(width));
    for (y, (before, after)) in rows.enumerate() {
        let differ = |x: &usize| before[*x] != after[*x];
        if let Some(first) = (0..width).find(differ) {
            let last = (0..width).rev().find(differ).unwrap_or(first);
            left = left.min(first);
            right = right.max(last + 1);
            top = top.min(y);
            bottom = y + 1;
        }
    }
    if left < right { (left..right, top..bottom) } else { (0..1, 0..1) }
}

fn failed(error: EncodingError) -> io::Error {
    match error {
        EncodingError::Io(error) => error,
        other => io::Error::other(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use flockwork_core::math::Vec2;

    use super::super::frames::frames;
    use super::super::{Color, LIGHT, Picture};
    use super::*;

    const SIZE: (u32, u32) = (60, 40);

    fn film(pictures: &[Picture]) -> Vec<u8> {
        let mut counts = ColorCounts::default();
        let pixels = |picture: &Picture| picture.rgb().collect::<Vec<u32>>();
        pictures.iter().for_each(|picture| counts.add(&pixels(picture)));
        let mut film = Film::new(Vec::new(), SIZE, &counts).unwrap();
        for (number, picture) in pictures.iter().enumerate() {
            film.add(&pixels(picture), 5 + number as u16).unwrap();
        }
        film.finish().unwrap()
    }

    fn moving() -> Vec<Picture> {
        let picture = |x: f32| {
            let mut picture = Picture::new(SIZE, LIGHT.ground);
            picture.disc(Vec2::new(x, 20.0), 6.0, LIGHT.group(0));
            picture
        };
        [10.0, 12.5, 12.5, 40.0].map(picture).into()
    }

    #[test]
    fn a_film_of_few_colors_shows_each_picture_as_it_is() {
        let pictures = moving();
        let bytes = film(&pictures);
        let frames = frames(&bytes);
        for (picture, (_, _, shown)) in pictures.iter().zip(&frames) {
            assert!(picture.rgb().eq(shown.iter().copied()));
        }
        let delays: Vec<u16> = frames.iter().map(|frame| frame.1).collect();
        assert_eq!(delays, [5, 6, 7, 8]);
        assert_eq!(frames[0].0, (60, 40));
        assert!(frames[1].0.0 < 20 && frames[1].0.1 < 15, "{:?}", frames[1].0);
        assert_eq!(frames[2].0, (1, 1), "nothing has changed");
        assert_eq!(bytes, film(&moving()), "the same bytes each time");
    }

    #[test]
    fn more_colors_than_the_table_has_are_approximated() {
        let mut picture = Picture::new(SIZE, LIGHT.ground);
        for x in 0..60 {
            for y in 0..40 {
                let at = Vec2::new(x as f32, y as f32);
                let color = Color { red: (x * 4) as u8, green: (y * 6) as u8, ..LIGHT.ink };
                picture.fill_rect(at, at + 1.0, color);
            }
        }
        let bytes = film(std::slice::from_ref(&picture));
        let frames = frames(&bytes);
        let worst = picture.rgb().zip(&frames[0].2);
        let worst = worst.map(|(a, b)| squared_distance(a, *b)).max().unwrap();
        assert!(worst > 0 && worst < 30 * 30, "{worst}");
    }
}
