//! Where the window was, how large it was and how large its panels and plots were, remembered from one run to the next.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use flockwork_engine::load::{make_folder, read};
use flockwork_engine::{Diagnostic, FileKind, OutputFile};
use serde::Deserialize;

use super::ui::Ui;
use crate::user_folder;

/// Position and size of a window, in pixels of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct WindowPosition {
    /// Width and height, without the frame.
    pub(super) size: (u32, u32),
    /// The upper left corner, with the frame.
    pub(super) at: (i32, i32),
    /// The width of the column of panels, in pixels of the layout, if the person has chosen one.
    #[serde(default)]
    pub(super) column: Option<u32>,
    /// The height of each plot, in the same way.
    #[serde(default)]
    pub(super) plot: Option<u32>,
}

/// The file that keeps the position.
const KIND: FileKind = FileKind {
    max_bytes: 4096,
    ..FileKind::new(
        "a place of a window that `flockwork view` has written",
        &[&[FIRST_LINE.as_bytes()]],
    )
};

const FIRST_LINE: &str =
    "// Where the window of `flockwork view` was when it was closed, and its size, in pixels.\n";

/// Width and height of the first window, in pixels of the layout.
const FIRST_SIZE: [f32; 2] = [1280.0, 800.0];

/// Widths and heights that windows can have.
const SIDES: RangeInclusive<u32> = 16..=16_384;

/// Returns the path of the file, in the folder for what the programs of this user remember. `None` if there is none.
pub(super) fn path() -> Option<PathBuf> {
    Some(user_folder::state()?.join("window.ron"))
}

/// Returns size and position of a new window, in pixels of the screen: the wanted size, else that of the last run, else one that
/// suits how large everything is drawn. Without a position, the system chooses one.
pub(super) fn to_open(
    wanted: Option<(u32, u32)>,
    last: Option<WindowPosition>,
    factor: Option<f32>,
    screen: Option<(u32, u32)>,
) -> ((u32, u32), Option<(i32, i32)>) {
    let first = FIRST_SIZE.map(|side| (side * factor.unwrap_or(1.0)) as u32);
    let size = wanted.or(last.map(|last| last.size)).unwrap_or(first.into());
    let at = last.map_or((0, 0), |last| last.at);
    let position = WindowPosition { size, at, column: None, plot: None };
    let position = screen.map_or(position, |screen| position.on_screen(screen));
    (wanted.unwrap_or(position.size), last.map(|_| position.at))
}

/// Gives panels and plots the sizes that they had in the last run.
pub(super) fn restore_sizes(last: Option<WindowPosition>, ui: &mut Ui) {
    ui.column_width = last.and_then(|last| last.column).map(|width| width as f32);
    ui.plots.height = last.and_then(|last| last.plot).map(|height| height as f32);
}

impl WindowPosition {
    /// Returns the position of a window with the sizes of its panels and plots.
    pub(super) fn new(ui: &Ui, at: (i32, i32)) -> Self {
        let column = ui.column_width.map(|width| width as u32);
        let plot = ui.plots.height.map(|height| height as u32);
        Self { size: ui.scale.window, at, column, plot }
    }

    /// Reads the position of the last run. `None` if there is no such file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or says something else.
    pub(super) fn read(path: &Path) -> Result<Option<Self>, Diagnostic> {
        if !path.exists() {
            return Ok(None);
        }
        let source = read(path)?;
        let wrong = |why: &dyn Display| {
            Diagnostic::error(format!("{} is not the place of a window: {why}", source.name))
        };
        let position: Self = ron::from_str(&source.text).map_err(|error| wrong(&error))?;
        if !SIDES.contains(&position.size.0) || !SIDES.contains(&position.size.1) {
            return Err(wrong(&"no window has this size"));
        }
        Ok(Some(position))
    }

    /// Writes the file, whole or not at all. It replaces only a file of its kind.
    ///
    /// # Errors
    ///
    /// If that is not possible.
    pub(super) fn write(&self, path: &Path) -> Result<(), Diagnostic> {
        if let Some(folder) = path.parent() {
            make_folder(folder)?;
        }
        let WindowPosition { size, at, column, plot } = self;
        let text = format!(
            "{FIRST_LINE}(size: {size:?}, at: {at:?}, column: {column:?}, plot: {plot:?})\n"
        );
        OutputFile::create(path, KIND)?.write_whole(text)
    }

    /// Returns the position on a screen of a size: the screen may have been larger when the window was closed.
    fn on_screen(self, (width, height): (u32, u32)) -> Self {
        let size = (self.size.0.min(width), self.size.1.min(height));
        let corner = |at: i32, size: u32, screen: u32| {
            at.clamp(0, i32::try_from(screen.saturating_sub(size)).unwrap_or(0))
        };
        Self {
            size,
            column: self.column,
            plot: self.plot,
            at: (corner(self.at.0, size.0, width), corner(self.at.1, size.1, height)),
        }
    }
}
