//! Where notes are behind the lines of the shown file: as far as they have room.

use flockwork_engine::math;

use super::area::Area;
use super::file_notes::{LEAST, Note, VALUES};
use super::file_view::View;
use super::problem_rows::FIX;
use super::text_rows::{LINE, TextRow};
use super::text_writer::{PAD, SMALL};
use crate::draw::text_width;

/// Width of the sign of a value where there is less room, in pixels.
const SIGN: f32 = 10.0;

/// What of a note has room behind its line.
pub(super) struct PlacedNote<'n> {
    pub(super) note: &'n Note,
    pub(super) area: Area,
    /// The words that have room; `None` for a sign instead of them.
    pub(super) words: Option<String>,
    /// Where the number of other problems is written, if there are any.
    pub(super) more: Option<Area>,
    /// Where the fix is written.
    pub(super) fix: Option<Area>,
}

impl PlacedNote<'_> {
    /// Returns whether something of a value has no room.
    pub(super) fn is_cut(&self) -> bool {
        self.note.values.is_some() && self.words.as_ref() != Some(&self.note.words)
    }
}

/// Returns the notes of the line whose last row this is, as far as there is room. A problem that has none is below the line.
pub(super) fn placed<'n>(
    view: &View<'_>,
    notes: &'n [Note],
    (number, row, base): (usize, &TextRow<'_>, f32),
) -> Vec<PlacedNote<'n>> {
    let right = view.area.max.x - PAD;
    let mut left = view.x_of(row.column_of(row.end())) + VALUES;
    let area = |left: f32, width: f32| Area::new(left, base - 13.0, width, LINE);
    let is_below = view.below.iter().any(|one| one.line == number);
    let mut all = Vec::new();
    let is_here =
        |note: &&Note| row.is_last() && (row.line.start..=row.line.end).contains(&note.at);
    for note in notes.iter().filter(is_here) {
        let room = right - left;
        if note.values.is_none() {
            if is_below || note.width() > room {
                continue;
            }
            let (words, more) = (text_width(&note.words, SMALL), text_width(&note.more, SMALL));
            let end = left + words + more + 1.0;
            let fix = note.fix.as_ref();
            let fix = fix.map(|fix| area(end + FIX, text_width(&fix.words, SMALL) + 1.0));
            let more = (more > 0.0).then(|| area(left + words, more));
            let words = Some(note.whole());
            all.push(PlacedNote { note, area: area(left, end - left), words, more, fix });
            left = fix.map_or(end, |fix| fix.max.x) + VALUES;
            continue;
        }
        let words = note.in_room(room);
        let is_cut = text_width(&note.words, SMALL) >= room;
        // A few letters say nothing, but a short value, such as a number that is rounded, needs less.
        let is_sign = is_cut && room < LEAST && words.contains('…');
        let width = if is_sign { SIGN } else { text_width(&words, SMALL) + 1.0 };
        if !is_sign || room >= SIGN {
            let (area, words) = (area(left, math::min(width, room)), Some(words));
            let words = words.filter(|_| !is_sign);
            all.push(PlacedNote { note, area, words, more: None, fix: None });
        }
        left += width + VALUES;
    }
    all
}
