//! Clicks and drags in the text of a file: they put the cursor, and select text, words and lines.

use std::ops::Range;
use std::time::{Duration, Instant};

use super::file_view::{View, shown_text_area};
use super::files::TextClick;
use super::frame::scene;
use super::panels;
use super::text_edit::TextEdit;
use super::ui::{Drag, Ui};
use super::ui_command::UiCommand;
use super::view_state::ViewState;

/// Clicks at a place within this time of each other belong together.
const DOUBLE_CLICK: Duration = Duration::from_millis(500);
/// Time between two lines that are scrolled while the pointer is beyond the edge of the text.
const DRAGGED_LINE: Duration = Duration::from_millis(40);

/// Returns what a click selects at a place: nothing, a word, or a line.
fn selected_by(edit: &TextEdit, click: &TextClick, place: usize) -> Range<usize> {
    match click.count {
        0 | 1 => place..place,
        2 => edit.word_at(place),
        _ => edit.whole_line_at(place),
    }
}

impl Ui {
    /// Puts the cursor to the pointer. With Shift, the selection reaches to there; a second click there selects a word, and a third one the
    /// line.
    pub(super) fn click_text(&mut self, state: &ViewState) {
        let Some(place) = self.place_at_pointer(state) else { return };
        let now = Instant::now();
        let last = self.files.clicked.take().filter(|last| {
            last.place == place && now.duration_since(last.at) < DOUBLE_CLICK && !self.has_shift
        });
        let count = last.map_or(0, |last| last.count) + 1;
        let click = TextClick { at: now, place, count };
        self.place_cursor(state, place, self.has_shift);
        self.files.clicked = Some(click).filter(|_| !self.has_shift);
        if count > 1
            && let Some(edit) = self.typed_text(state)
        {
            edit.select(selected_by(edit, &click, place));
        }
    }

    /// Selects up to the pointer: whole words after a double click, and whole lines after a third one.
    pub(super) fn select_to_pointer(&mut self, state: &ViewState) {
        let Some(place) = self.place_at_pointer(state) else { return };
        let clicked = self.files.clicked.filter(|click| click.count > 1);
        let Some(click) = clicked else { return self.place_cursor(state, place, true) };
        if let Some(edit) = self.typed_text(state) {
            let (first, last) =
                (selected_by(edit, &click, click.place), selected_by(edit, &click, place));
            let is_back = last.start < first.start;
            let (from, to) =
                if is_back { (first.end, last.start) } else { (first.start, last.end) };
            edit.move_to(from, false);
            edit.move_to(to, true);
        }
    }

    /// Scrolls while the pointer drags a selection beyond an edge of the text. Returns whether it has done so.
    pub(super) fn drag_on(&mut self, state: &ViewState) -> bool {
        let is_dragging = self.drag == Some(Drag::Slider(UiCommand::PlaceCursor));
        let area = is_dragging.then(|| shown_text_area(&scene(self, state, None))).flatten();
        let Some(area) = area else { return false };
        let by = match self.pointer.y {
            y if y < area.min.y => -1,
            y if y > area.max.y => 1,
            _ => return false,
        };
        if self.files.dragged_on.is_some_and(|last| last.elapsed() < DRAGGED_LINE) {
            return false;
        }
        self.files.dragged_on = Some(Instant::now());
        UiCommand::Scroll(panels::files::PANEL.id, by).execute(self, state);
        self.select_to_pointer(state);
        true
    }

    /// Returns the place in the shown text that the pointer is at.
    fn place_at_pointer(&self, state: &ViewState) -> Option<usize> {
        let scene = scene(self, state, None);
        Some(View::new(&scene)?.place_at(self.pointer))
    }
}
