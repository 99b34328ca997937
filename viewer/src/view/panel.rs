//! The declaration of a panel: its key, its button, where it is, and what it shows.

use std::time::Duration;

use flockwork_engine::math::Vec2;

use super::area::Area;
use super::command::PlayerCommand;
use super::key::{Key, Keys};
use super::layout::Layout;
use super::panel_states::{PanelId, PanelState};
use super::sample::Sample;
use super::ui::Ui;
use super::ui_command::UiCommand;
use super::view_state::{Task, ViewState};
use super::widget::Widget;
use crate::draw::{Palette, Picture};

/// The data that panels are made from.
pub(super) struct Scene<'a> {
    pub(super) ui: &'a Ui,
    pub(super) state: &'a ViewState,
    pub(super) layout: Layout,
    /// The agents that overlays show.
    pub(super) sample: Sample,
    /// The player's current task and how long it has taken so far.
    pub(super) busy: Option<(Task, Duration)>,
    /// All panels, from the back to the front.
    pub(super) panels: &'static [&'static Panel],
    pub(super) keys: &'static Keys,
}

impl Scene<'_> {
    pub(super) fn palette(&self) -> &'static Palette {
        self.ui.palette()
    }
}

/// A panel of the window. `panels.rs` lists all of them; everything else loops over that list.
pub(super) struct Panel {
    pub(super) id: PanelId,
    pub(super) opening: Opening,
    /// The keys that open and close it.
    pub(super) key: Option<PanelKey>,
    /// The button in the status line that opens and closes it.
    pub(super) button: Option<PanelButton>,
    pub(super) position: Position,
    /// Returns the parts that do something. Later ones are in front.
    pub(super) widgets: fn(&Scene<'_>, Area) -> Vec<Widget>,
    /// Draws everything but the icons of the widgets.
    pub(super) draw: fn(&mut Picture, &Scene<'_>, Area),
    /// Whether all of it keeps the mouse from what is below it, not only its widgets.
    pub(super) is_solid: bool,
    /// Whether it only explains what is in the world, so that the mouse does what it does there.
    pub(super) is_label: bool,
    /// Whether it is a menu, which tooltips must not cover.
    pub(super) is_menu: bool,
    /// When Esc closes it.
    pub(super) escape: Escape,
    /// Gives up what was begun in it, and returns whether there was something. Esc does this before it closes the panel.
    pub(super) step_back: fn(&mut Ui, &ViewState) -> bool,
    /// What a click on its button does while it is closed, if that is more than to open it.
    pub(super) opens_by: Option<UiCommand>,
    /// Does what else has to happen when it opens (`true`) or closes.
    pub(super) on_toggle: fn(&mut Ui, bool) -> Option<PlayerCommand>,
    /// Whether it shows something of the run, so that it is closed as long as there is none.
    pub(super) needs_run: bool,
    /// Returns why it cannot be opened by hand now; `None` if it can.
    pub(super) why_not: fn(&ViewState) -> Option<&'static str>,
    /// Returns how far it can be scrolled, in the unit of [`UiCommand::Scroll`].
    pub(super) max_scroll: fn(&Scene<'_>) -> f32,
    /// Returns what a key does while it is open, if that is something else than usual.
    pub(super) own_key: fn(Key) -> Option<UiCommand>,
}

/// The way in which a panel is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opening {
    /// Its key or its button.
    ByHand,
    /// It is open at the start, and its key closes it.
    AtStart,
    /// It is open whenever there is something to show.
    WithContents,
}

/// When Esc closes a panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Escape {
    /// Before it stops a run to a tick.
    First,
    /// When nothing runs to a tick; the panel in front first.
    InTurn,
    /// After all others; the panel in front first.
    Last,
    Never,
}

/// The key of a panel.
pub(super) struct PanelKey {
    pub(super) keys: &'static [Key],
    /// The effect of the key, in the words of the help and the tooltips.
    pub(super) does: &'static str,
    /// The help explains it directly before the action with this name.
    pub(super) before: &'static str,
}

/// The button of a panel.
pub(super) struct PanelButton {
    pub(super) words: &'static str,
    /// Returns whether the panel has anything to show. Otherwise, there is no button.
    pub(super) is_useful: fn(&ViewState) -> bool,
    /// Says what is to be done in the panel, if there is anything: then the button has a mark.
    pub(super) to_do: fn(&Ui) -> Option<String>,
}

impl PanelButton {
    /// Returns a button of a panel that always has something to show.
    pub(super) const fn new(words: &'static str) -> Self {
        Self { words, is_useful: |_| true, to_do: |_| None }
    }
}

/// Where a panel is. Sizes and heights are in pixels; without one, the panel is closed.
pub(super) enum Position {
    /// Across the window, above the time bar and the panels of this kind before it in the list. Returns its height.
    Bottom(fn(&ViewState) -> f32),
    /// In the column beside the world, below the panels of this kind before it in the list. Returns the height that it needs
    /// with a given width to show everything.
    Column(fn(&Ui, &ViewState, f32) -> Option<f32>),
    /// Beside the world, at its right and as high; in a narrow window below the column; in a small and narrow one over all of it. Returns the
    /// width that it takes, if the world and it have a given width together.
    Beside(fn(&Ui, &ViewState, f32) -> f32),
    /// Over the world; in a small window at its bottom. Returns its size, if there is a given room.
    Alert(fn(&Ui, &ViewState, Vec2) -> Option<Vec2>),
    /// Wherever it says, when the panels of the other kinds have their areas.
    Own(fn(&Scene<'_>) -> Option<Area>),
}

impl Panel {
    /// A panel without key, button and widgets, to declare others from.
    pub(super) const DEFAULT: Self = Self {
        id: PanelId(""),
        opening: Opening::WithContents,
        key: None,
        button: None,
        position: Position::Own(|_| None),
        widgets: |_, _| Vec::new(),
        draw: |_, _, _| {},
        is_solid: true,
        is_label: false,
        is_menu: false,
        escape: Escape::Never,
        step_back: |_, _| false,
        opens_by: None,
        on_toggle: |_, _| None,
        needs_run: false,
        why_not: |_| None,
        max_scroll: |_| 0.0,
        own_key: |_| None,
    };

    /// Returns whether it is open, if there is something to show.
    pub(super) fn is_open(&self, ui: &Ui) -> bool {
        match self.opening {
            Opening::ByHand => ui.panels.is_toggled(self.id),
            Opening::AtStart => !ui.panels.is_toggled(self.id),
            Opening::WithContents => true,
        }
    }

    /// Returns whether it is open, and there is a run if it needs one.
    pub(super) fn is_shown(&self, ui: &Ui, state: &ViewState) -> bool {
        self.is_open(ui) && !(state.is_waiting && self.needs_run)
    }

    /// Opens or closes it, and returns the commands for the player.
    pub(super) fn set_open(&self, ui: &mut Ui, is_open: bool) -> Vec<PlayerCommand> {
        if is_open == self.is_open(ui) {
            return Vec::new();
        }
        let is_toggled = !ui.panels.is_toggled(self.id);
        *ui.panels.state_mut(self.id) = PanelState { is_toggled, ..PanelState::default() };
        (self.on_toggle)(ui, is_open).into_iter().collect()
    }

    /// Returns the command that opens or closes it.
    pub(super) const fn toggle(&self) -> UiCommand {
        UiCommand::Toggle(self.id)
    }
}
