//! The state of the user interface: the camera, the panels, and the mouse.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use flockwork_engine::math::Vec2;
use flockwork_engine::world::AgentId;

use super::area::Area;
use super::ask::Question;
use super::chosen_plots::ChosenPlots;
use super::command::Overlays;
use super::files::Files;
use super::help_page::HelpPage;
use super::key::Key;
use super::leaving::Leaving;
use super::message_places::MessagePlaces;
use super::other_scenarios::OtherScenarios;
use super::panel_states::{PanelId, PanelStates};
use super::param_ranges::ParamRanges;
use super::pointer_shape::PointerShape;
use super::scale::Scale;
use super::scene_editor::SceneEditor;
use super::shown_region::ShownRegion;
use super::shown_speeds::ShownSpeeds;
use super::shown_time::ShownTime;
use super::ui_command::UiCommand;
use super::window_command::WindowCommand;
use crate::draw::{Camera, ColorBy, DARK, LIGHT, Palette};

/// The parts of the view state that the window shows, and how it shows them.
pub(crate) struct Ui {
    /// Size of the window, in pixels of the layout.
    pub size: (u32, u32),
    pub(super) scale: Scale,
    /// The camera that the person has moved; `None` to show the whole world.
    pub(super) view: Option<Camera>,
    /// The part of the world that is shown while the person has chosen none.
    pub(super) region: ShownRegion,
    pub is_dark: bool,
    /// The panels that are open, and which part of each is shown.
    pub(super) panels: PanelStates,
    /// The page that the help shows.
    pub(super) help_page: HelpPage,
    pub has_trails: bool,
    /// What the color of agents shows.
    pub(super) color_by: ColorBy,
    /// The speeds that the colors have shown so far.
    pub(super) speeds: ShownSpeeds,
    /// Whether the forces of the selected agent are drawn one after another, from the agent to their sum.
    pub(super) has_chain: bool,
    /// Whether scripts see where the pointer is.
    pub(super) has_pointer: bool,
    /// While a person presents: the panels that were open before.
    pub(super) presented: Option<Vec<PanelId>>,
    /// Where the menu of the right mouse button was opened, while it is open.
    pub(super) here: Option<Here>,
    /// The last push: its center and radius in world units, and when it was.
    pub(super) pushed: Option<(Vec2, f32, Instant)>,
    /// Names of the groups whose agents are not drawn.
    pub(super) hidden: BTreeSet<String>,
    /// How long drawing a frame takes.
    pub frame_time: Duration,
    /// Whether a panel has taken a part of the world since the view was looked at.
    pub(super) is_world_covered: bool,
    /// How many selections of agents have been brought into view.
    pub(super) shown_selections: u64,
    /// Whether the selected agent stays in the center.
    pub is_following: bool,
    pub overlays: Overlays,
    /// Name of the group whose params were chosen; otherwise those of the selected agent's group are shown.
    pub(super) group: Option<String>,
    /// Index of the param that the keys change.
    pub param: usize,
    /// The ranges of the sliders so far.
    pub(super) param_ranges: ParamRanges,
    /// Position of the pointer, in pixels; outside the window, its last position inside.
    pub pointer: Vec2,
    /// Whether Ctrl is down.
    pub(super) has_ctrl: bool,
    /// Whether Shift is down.
    pub(super) has_shift: bool,
    pub(super) drag: Option<Drag>,
    pub(super) hover: Option<Hover>,
    /// The shape of the pointer where it is.
    pub(super) pointer_shape: PointerShape,
    /// The width of the column of panels that the person has chosen, in pixels.
    pub(super) column_width: Option<f32>,
    /// Where messages are shown.
    pub(super) message_places: MessagePlaces,
    /// Digits of a tick that is being typed.
    pub digits: String,
    /// What is plotted above the time bar.
    pub(super) plots: ChosenPlots,
    /// The number of the time after which an agent is predicted.
    pub(super) predicted_time: usize,
    /// The question that is asked.
    pub(super) question: Option<Question>,
    /// The keys that were pressed while the player tries an answer.
    pub(super) later_keys: Vec<Key>,
    /// The files that are shown, and what was typed in them.
    pub(super) files: Files,
    /// The word of the reference that is shown last, by its number.
    pub(super) word: usize,
    /// The other scenarios of the project.
    pub(super) other_scenarios: OtherScenarios,
    /// The last text that was searched for.
    pub(super) last_find: String,
    /// Editing the scene by mouse, while it is on.
    pub(super) editor: Option<SceneEditor>,
    /// The command `flockwork explain` for this run, without an agent and a tick.
    pub(super) explain_command: String,
    /// The ticks that the time bar and the plots show.
    pub(super) shown_time: ShownTime,
    /// The question whether to leave the shown scenario although something would be lost.
    pub(super) leaving: Option<Leaving>,
    /// The commands that the window has to execute next.
    pub(super) window_commands: Vec<WindowCommand>,
    /// Whether the files could not be loaded when the state was last looked at.
    pub(super) was_waiting: bool,
    /// Whether the window is to close.
    pub is_closing: bool,
}

/// A drag with the left or the middle button.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Drag {
    /// Moves the view; without movement, it may be a click on the world.
    World { from: Vec2, last: Vec2, is_click: bool },
    /// Repeats a command while the pointer moves.
    Slider(UiCommand),
    /// Starts on a widget; if it ends there, it is a click.
    Widget(UiCommand),
    /// Starts on a panel and does nothing.
    Panel,
    /// Moves a part of the scene, or ends a click that added one.
    Scene,
    /// Starts on an agent while the scene is edited. An agent cannot be moved; without movement, this is a click on it.
    Agent { from: Vec2, id: AgentId },
}

/// Where the menu of the right mouse button was opened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Here {
    /// The place in the window, in pixels.
    pub(super) pixel: Vec2,
    /// The place in the world.
    pub(super) at: Vec2,
    /// The agent that was there.
    pub(super) agent: Option<AgentId>,
}

/// The widget that the pointer is on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hover {
    pub(super) area: Area,
    pub(super) since: Instant,
    /// Whether its tooltip is due, or was until something was pressed.
    pub(super) tip: TipState,
    /// Whether the widget cannot do anything now. Its tooltip says why, also while it is pressed.
    pub(super) is_gray: bool,
}

/// Whether a tooltip is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TipState {
    Waiting,
    Shown,
    /// Something was pressed, so the person knows.
    Hidden,
}

/// A button of the mouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Button {
    Left,
    Middle,
    Right,
}

impl Ui {
    /// Returns the interface of a new window, which shows the whole world. Its pixels are those of the screen until it is
    /// [scaled](Self::set_scale).
    pub(crate) fn new(size: (u32, u32), is_dark: bool) -> Self {
        Self {
            size,
            scale: Scale::new(size, Some(1.0)),
            view: None,
            region: ShownRegion::default(),
            is_dark,
            panels: PanelStates::default(),
            help_page: HelpPage::default(),
            has_trails: false,
            color_by: ColorBy::Group,
            speeds: ShownSpeeds::default(),
            has_chain: false,
            has_pointer: true,
            presented: None,
            here: None,
            pushed: None,
            hidden: BTreeSet::new(),
            frame_time: Duration::ZERO,
            is_world_covered: false,
            shown_selections: 0,
            is_following: false,
            overlays: Overlays::default(),
            group: None,
            param: 0,
            param_ranges: ParamRanges::default(),
            pointer: Vec2::ZERO,
            has_ctrl: false,
            has_shift: false,
            drag: None,
            hover: None,
            pointer_shape: PointerShape::default(),
            column_width: None,
            message_places: MessagePlaces::default(),
            digits: String::new(),
            plots: ChosenPlots::default(),
            predicted_time: 0,
            question: None,
            later_keys: Vec::new(),
            files: Files::default(),
            word: 0,
            other_scenarios: OtherScenarios::default(),
            last_find: String::new(),
            editor: None,
            explain_command: String::new(),
            shown_time: ShownTime::default(),
            leaving: None,
            window_commands: Vec::new(),
            was_waiting: false,
            is_closing: false,
        }
    }

    pub(super) fn palette(&self) -> &'static Palette {
        if self.is_dark { &DARK } else { &LIGHT }
    }
}
