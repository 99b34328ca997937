//! The list of all panels of the window.
//!
//! To add a panel, write a file in `panels/` with a [`Panel`], and add its name to the list below. Everything else loops over
//! [`PANELS`]: layout, drawing, the mouse, keys, the help, the buttons of the status line, and Esc.

use super::panel::Panel;
use super::panel_states::PanelId;

/// Declares the module of each panel, and the list of all panels.
macro_rules! panels {
    ($($name:ident,)*) => {
        $(pub(super) mod $name;)*

        /// All panels, from the back to the front.
        pub(super) static PANELS: &[&Panel] = &[$(&$name::PANEL),*];

        /// The name of the file of each panel.
        #[cfg(test)]
        pub(super) const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

// From the back to the front.
panels! {
    piles,
    status,
    no_run,
    remarks,
    modes,
    time_bar,
    plot,
    column,
    legend,
    results,
    files,
    find,
    suggestions,
    name_help,
    params,
    comparison,
    plot_list,
    scene,
    agent,
    error,
    messages,
    play,
    log,
    expectations,
    about,
    predict,
    unwritten,
    word,
    choices,
    question,
    leaving,
    menu,
    help,
    here,
}

/// Returns the panel with an id.
pub(super) fn with_id(id: PanelId) -> &'static Panel {
    let panel = PANELS.iter().find(|panel| panel.id == id);
    panel.expect("ids come from panels of the list")
}
