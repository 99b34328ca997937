//! Goes through what is wrong in the files, and checks them.

use flockwork_engine::diag::Severity;

use super::command::PlayerCommand;
use super::file_notes::{line_of, problems};
use super::file_view;
use super::files::short_name;
use super::frame::scene;
use super::panel::Scene;
use super::panels;
use super::ui::Ui;
use super::view_state::ViewState;

/// By so many lines the text is scrolled at most if what is found covers the line of the cursor.
const COVERED: usize = 4;

/// Says how many problems there are in the files. `None` if there are none.
pub(super) fn problem_counts(scene: &Scene<'_>) -> Option<String> {
    let [mut errors, mut warnings] = [0, 0];
    for source in scene.state.files.iter() {
        for (_, found) in problems(scene, &scene.ui.files.file(source)) {
            let is_error = found.severity == Severity::Error;
            *(if is_error { &mut errors } else { &mut warnings }) += 1;
        }
    }
    let counted = [(errors, "error"), (warnings, "warning")].map(|(count, what)| match count {
        0 => None,
        1 => Some(format!("1 {what}")),
        _ => Some(format!("{count} {what}s")),
    });
    let counted: Vec<String> = counted.into_iter().flatten().collect();
    (!counted.is_empty()).then(|| format!("{}: F8 goes to the next", counted.join(", ")))
}

impl Ui {
    /// Does what is due in the files: checks them, and goes on with a selection that is dragged beyond the edge of the text. Returns whether
    /// there is something new to show.
    pub(super) fn advance_files(&mut self, state: &ViewState) -> bool {
        self.uncover_selected(state);
        self.keep_width(state);
        let is_new = self.files.check(state) | self.files.settle_others(state);
        self.hold_problem_rows(state);
        if is_new {
            self.uncover_cursor(state);
        }
        self.drag_on(state) || is_new
    }

    /// Scrolls by a few lines if the message below the text has become so high that it covers the cursor.
    fn uncover_cursor(&mut self, state: &ViewState) {
        let typed = self.shown_file(state).and_then(|file| file.edit);
        let Some(edit) = typed.filter(|_| self.files.is_typing) else { return };
        let first = file_view::first_to_show(self, state, edit.text(), edit.cursor());
        let scroll = &mut self.panels.state_mut(panels::files::PANEL.id).scroll;
        if (1..=COVERED).contains(&first.saturating_sub(*scroll as usize)) {
            *scroll = first as f32;
        }
    }

    /// Returns where something is wrong in the files: the indices of the files, and places in them.
    fn problem_places(&self, state: &ViewState) -> Vec<(usize, usize)> {
        let scene = scene(self, state, None);
        let mut all = Vec::new();
        for (index, source) in state.files.iter().enumerate() {
            let file = self.files.file(source);
            all.extend(problems(&scene, &file).map(|(place, _)| (index, place.span.start)));
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Returns the index of the shown file, and the place of the cursor in it, if the person types there.
    fn file_and_cursor(&self, state: &ViewState) -> (usize, Option<usize>) {
        let edit = self.shown_file(state).and_then(|file| file.edit);
        (self.files.shown(state), edit.filter(|_| self.files.is_typing).map(|edit| edit.cursor()))
    }

    /// Puts the cursor to the next place where something is wrong, or to the one before: around the ends of the files.
    pub(super) fn next_problem(
        &mut self,
        state: &ViewState,
        is_forward: bool,
    ) -> Vec<PlayerCommand> {
        // What was typed just now counts, too.
        self.files.finish_check(state);
        let all = self.problem_places(state);
        let (file, cursor) = self.file_and_cursor(state);
        // Without a cursor, the first one of the shown file is the next.
        let is_after = |place: &&(usize, usize)| (place.0, Some(place.1)) > (file, cursor);
        let is_before = |place: &&(usize, usize)| (place.0, Some(place.1)) < (file, cursor);
        let found = match is_forward {
            true => all.iter().find(is_after).or(all.first()),
            false => all.iter().rfind(is_before).or(all.last()),
        };
        let Some(&(index, at)) = found else {
            let text = "nothing is wrong in the files".to_owned();
            return vec![PlayerCommand::Notice { text, is_failure: false }];
        };
        let name = &state.files[index].name;
        self.go_to_place(state, name, at);
        let is_elsewhere = index != file;
        let text = format!("the next problem is in {}", short_name(name));
        is_elsewhere
            .then_some(PlayerCommand::Notice { text, is_failure: false })
            .into_iter()
            .collect()
    }

    /// Puts the cursor to the next problem of a line of the shown file: if it is at one there, to the one after.
    pub(super) fn show_problems(&mut self, state: &ViewState, line: usize) -> Vec<PlayerCommand> {
        let (shown, cursor) = self.file_and_cursor(state);
        let Some(file) = self.shown_file(state) else { return Vec::new() };
        let mut here = self.problem_places(state);
        here.retain(|(index, at)| *index == shown && line_of(&file, *at) == line);
        let next = here.iter().find(|(_, at)| cursor.is_some_and(|cursor| *at > cursor));
        let is_in_line = cursor.is_some_and(|cursor| line_of(&file, cursor) == line);
        let next = next.filter(|_| is_in_line).or(here.first());
        if let Some(&(index, at)) = next {
            self.go_to_place(state, &state.files[index].name, at);
        }
        Vec::new()
    }
}
