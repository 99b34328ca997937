//! The pages of the help.

/// A page of the help.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum HelpPage {
    /// All actions and what the mouse does.
    #[default]
    Window,
    /// The keys while one types in a file.
    Files,
}

impl HelpPage {
    /// All pages, from left to right.
    pub(super) const ALL: [Self; 2] = [Self::Window, Self::Files];

    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Window => "All actions and their keys",
            Self::Files => "Keys in files",
        }
    }

    /// Returns the other page.
    pub(super) fn other(self) -> Self {
        match self {
            Self::Window => Self::Files,
            Self::Files => Self::Window,
        }
    }
}
