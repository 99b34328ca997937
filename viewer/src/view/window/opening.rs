//! Opens a window: its size, what it begins with, and how another scenario is opened in place of the shown one.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use flockwork_engine::diag::set_reference_words;
use flockwork_engine::live::Session;
use minifb::{ScaleMode, Window, WindowOptions};

use super::super::ask::Ask;
use super::super::command::PlayerCommand;
use super::super::desktop::introduce;
use super::super::keys::key_of;
use super::super::other_scenarios;
use super::super::panels::files;
use super::super::scale::Scale;
use super::super::ui::Ui;
use super::super::ui_command::UiCommand;
use super::super::view_state::ViewState;
use super::super::window_position;
use super::{ViewSettings, WindowLoop};

/// Opens a window with an inner size, in pixels of the screen.
pub(super) fn new_window(
    name: &str,
    (width, height): (u32, u32),
    at: Option<(i32, i32)>,
) -> Result<Window, minifb::Error> {
    let options = WindowOptions {
        resize: true,
        scale_mode: ScaleMode::UpperLeft,
        ..WindowOptions::default()
    };
    let mut window = Window::new(name, width as usize, height as usize, options)?;
    introduce(window.get_window_handle() as usize, Scale::SMALLEST);
    if let Some((x, y)) = at {
        window.set_position(x as isize, y as isize);
    }
    // With a frame rate, `minifb` would sleep and miss mouse actions.
    window.set_target_fps(0);
    Ok(window)
}

/// Shows what a new window begins with, and returns the commands for the player.
pub(super) fn begin(ui: &mut Ui, settings: &ViewSettings) -> Vec<PlayerCommand> {
    let failure = settings.failure.as_ref();
    let mut commands = failure.map_or_else(Vec::new, |failure| ui.show_failure(failure));
    if let Some((file, line)) = &settings.file {
        commands.extend(ui.open_file(file, *line));
    }
    commands
}

/// Makes messages say how to open the reference in this window, also those of files that were read before.
pub(super) fn name_reference(session: &mut Session) {
    let key = key_of(UiCommand::Ask(Ask::Choice)).split(' ').next().unwrap_or_default();
    set_reference_words(key.to_owned());
    if session.is_waiting() {
        session.retry();
    }
}

/// Returns the arguments of the program with which a scenario opens in a window that looks like another one, with the same script.
pub(in super::super) fn arguments(path: &Path, ui: &Ui, state: &ViewState) -> Vec<OsString> {
    let (width, height) = ui.scale.window;
    let size = format!("{width}x{height}");
    let mut all: Vec<OsString> = vec!["view".into(), path.into(), "--size".into(), size.into()];
    all.extend(ui.is_dark.then(|| "--dark".into()));
    if let Some(file) = ui.shown_file(state).filter(|_| files::PANEL.is_open(ui)) {
        // The other window has a scenario of its own.
        let other = path.display().to_string();
        let name = if file.is_scenario() { &other } else { &file.source.name };
        let line = ui.panels.scroll(files::PANEL.id) as usize + 1;
        all.extend(["--file".into(), format!("{name}:{line}").into()]);
    }
    all
}

impl WindowLoop<'_> {
    /// Opens a scenario in a window that looks like this one, which closes.
    pub(super) fn open_scenario(&mut self, path: PathBuf) {
        let state = self.shared.latest();
        // Two windows at one place look like one. If the place cannot be written, the other window says so when it closes.
        if let Some(file) = window_position::path() {
            let _ = self.position().write(&file);
        }
        match other_scenarios::open(&path, &arguments(&path, &self.ui, &state)) {
            Ok(()) => self.ui.is_closing = true,
            Err(error) => {
                self.ui.is_closing = false;
                self.notice(error, true);
            }
        }
    }
}
