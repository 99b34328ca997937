//! Requests of keys and clicks to the window itself: copying, films, pictures, and opening files.

use flockwork_engine::diag::Place;
use flockwork_engine::sim::NextTurn;

use super::agent_rows::condition_place;
use super::command::PlayerCommand;
use super::explain_text::explanation;
use super::ui::Ui;
use super::ui_command::UiCommand;
use super::view_state::ViewState;
use super::window_command::WindowCommand;

impl UiCommand {
    /// Returns what a key or a click asks of the window, or the reason why it cannot be done. `None` if it asks nothing.
    pub(super) fn for_window(
        self,
        ui: &Ui,
        state: &ViewState,
    ) -> Option<Result<WindowCommand, &'static str>> {
        Some(match self {
            Self::CopyCommand => copied_command(ui, state),
            Self::CopyId => selected(state).map(|next_turn| {
                let text = next_turn.id.to_string();
                WindowCommand::Copy { text, caveat: None }
            }),
            Self::Record => Ok(WindowCommand::Record),
            Self::TakePicture => Ok(WindowCommand::TakePicture),
            Self::EditKeys => Ok(WindowCommand::EditKeys),
            Self::OpenEditor => match ui.shown_line(state) {
                Some((file, line)) => Ok(WindowCommand::Edit { file, line }),
                None => ui.place_to_edit(state).map(|place| {
                    let (file, line) = file_and_line(place);
                    WindowCommand::Edit { file, line }
                }),
            },
            _ => return None,
        })
    }
}

impl Ui {
    /// Shows the place of a call or of an error in the files.
    pub(super) fn show_place(&mut self, what: UiCommand, state: &ViewState) -> Vec<PlayerCommand> {
        let place = match what {
            UiCommand::ShowCall(share) => call_place(state, share),
            UiCommand::ShowSkipped(_) | UiCommand::ShowChangedCondition(..) => {
                condition_place(what, state).ok_or("this condition is no longer known")
            }
            _ => self.place_to_edit(state),
        };
        match place.map(file_and_line) {
            Ok((file, line)) => self.show_line(&file, line),
            Err(why) => vec![PlayerCommand::Notice { text: why.to_owned(), is_failure: true }],
        }
    }

    /// Returns the place of the error; without one, that of the call that matters most for the selected agent.
    fn place_to_edit<'a>(&'a self, state: &'a ViewState) -> Result<&'a Place, &'static str> {
        let error = self.shown_error(state).and_then(|shown| shown.error.place.as_ref());
        let all = state.next_turn.as_deref().and_then(explanation);
        let shares = all.map(|all| all.shares()).unwrap_or_default();
        let places = shares.iter().filter_map(|share| Some((share.is_dominant, share.place()?)));
        let call = places.reduce(|best, other| if other.0 && !best.0 { other } else { best });
        error.or(call.map(|(_, place)| place)).ok_or(
            "nothing to open: there is no error in the files, and no agent is selected whose calls are known",
        )
    }
}

fn selected(state: &ViewState) -> Result<&NextTurn, &'static str> {
    state.next_turn.as_deref().ok_or("nothing to copy: select an agent first")
}

/// Returns the command that explains the selected agent's decision without a window.
fn copied_command(ui: &Ui, state: &ViewState) -> Result<WindowCommand, &'static str> {
    let id = selected(state)?.id;
    let (tick, last) = (state.world.tick, state.scenario_ticks);
    let text = format!("{} --agent {id} --tick {tick}", ui.explain_command);
    let caveat = if !state.is_of_files {
        Some(
            "but this run is no longer that of the files alone: save the tick with s and explain it there"
                .to_owned(),
        )
    } else if tick > last {
        Some(format!(
            "but it goes to tick {last} only, where the scenario ends: save the tick with s and explain it there"
        ))
    } else {
        None
    };
    Ok(WindowCommand::Copy { text, caveat })
}

/// Returns the place of a call of the selected agent, by the index of its share.
fn call_place(state: &ViewState, share: usize) -> Result<&Place, &'static str> {
    let all = state.next_turn.as_deref().and_then(explanation);
    let shares = all.map(|all| all.shares()).unwrap_or_default();
    let place = shares.get(share).and_then(|share| share.place());
    place.ok_or("nothing to open: the line of this call is not known")
}

/// Returns the file of a place and its line, from 1.
fn file_and_line(place: &Place) -> (String, usize) {
    let (line, _) = place.source.line_column(place.span.start);
    (place.source.name.clone(), line)
}
