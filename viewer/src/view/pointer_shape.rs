//! The shape of the pointer, which says what a click or a drag does here.

use super::ui_command::UiCommand;

/// The shape of the pointer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum PointerShape {
    /// A click does nothing special.
    #[default]
    Arrow,
    /// Something can be clicked.
    Hand,
    /// Text can be typed.
    Text,
    /// An edge or a handle can be dragged to the left and right.
    Sideways,
    /// An edge can be dragged up and down.
    UpDown,
}

impl PointerShape {
    /// Returns the shape over a widget with this command.
    pub(super) fn of_command(command: UiCommand) -> Self {
        match command {
            UiCommand::ResizeColumn | UiCommand::ResizeFiles | UiCommand::SlideParam(_) => {
                Self::Sideways
            }
            UiCommand::ResizePlots => Self::UpDown,
            UiCommand::PlaceCursor => Self::Text,
            _ => Self::Hand,
        }
    }
}
