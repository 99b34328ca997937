//! The state of the user interface: the camera, open panels, and the mouse; turns mouse actions into commands.

use flockwork_engine::math::{self, Vec2};
use flockwork_engine::world::{GroupId, Values};

use super::command::{Overlays, PlayerCommand};
use super::help::HelpPages;
use super::layout::{Layout, PanelKind, ParamRows};
use super::margin_track::MarginTrack;
use super::view_state::ViewState;
use super::{error_panel, explain_text, tune};
use crate::draw::{Camera, DARK, LIGHT, Palette};

/// Distance within which a click selects an agent, in pixels.
const CLICK_DISTANCE: f32 = 14.0;
/// A drag shorter than this is a click, in pixels.
const MIN_DRAG: f32 = 4.0;
/// Reach of a push, in pixels.
const PUSH_RADIUS: f32 = 90.0;
/// Zoom factor of one step of the wheel.
const ZOOM_STEP: f32 = 1.2;

/// What the window shows of the view state, and how.
pub(crate) struct Ui {
    /// Size of the window, in pixels.
    pub size: (u32, u32),
    /// The camera that the person has moved; `None` to show the whole world.
    view: Option<Camera>,
    pub is_dark: bool,
    /// The page of the help that is open.
    pub help: Option<usize>,
    pub has_trails: bool,
    pub has_params: bool,
    /// Whether the selected agent stays in the center.
    pub is_following: bool,
    pub overlays: Overlays,
    /// Name of the group whose params were chosen; otherwise those of the selected agent's group are shown.
    group: Option<String>,
    /// Index of the param that the keys change.
    pub param: usize,
    /// Position of the pointer, in pixels; outside the window, its last position inside.
    pub pointer: Vec2,
    drag: Option<Drag>,
    /// Digits of a tick that is being typed.
    pub digits: String,
    /// The margin of an expectation that fails.
    margins: Option<MarginTrack>,
    /// Whether the window is to close.
    pub is_closing: bool,
}

/// A drag with the left button.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Drag {
    /// Moves the view; without movement, it is a click on the world.
    World { from: Vec2, last: Vec2 },
    /// Moves along the time bar.
    Time,
    /// Starts on a panel and does nothing.
    Panel,
}

/// A button of the mouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Button {
    Left,
    Right,
}

impl Ui {
    /// Returns the interface of a new window, which shows the whole world.
    pub(crate) fn new(size: (u32, u32), is_dark: bool) -> Self {
        Self {
            size,
            view: None,
            is_dark,
            help: None,
            has_trails: false,
            has_params: false,
            is_following: false,
            overlays: Overlays::default(),
            group: None,
            param: 0,
            pointer: Vec2::ZERO,
            drag: None,
            digits: String::new(),
            margins: None,
            is_closing: false,
        }
    }

    /// Shows the margin of an expectation above the time bar.
    pub(crate) fn show_margins(&mut self, margins: Option<MarginTrack>) {
        self.margins = margins;
    }

    /// Returns the margin to show. After an edit it would be that of other files.
    pub(super) fn margins(&self, state: &ViewState) -> Option<&MarginTrack> {
        let is_edited = state.edits.iter().any(|edit| *edit > state.first_tick);
        self.margins.as_ref().filter(|_| !is_edited)
    }

    pub(super) fn palette(&self) -> &'static Palette {
        if self.is_dark { &DARK } else { &LIGHT }
    }

    /// Returns the camera.
    pub(super) fn camera(&self, state: &ViewState) -> Camera {
        let view = self.view.unwrap_or_else(|| self.whole_world_camera(state));
        match &state.next_turn {
            Some(next_turn) if self.is_following => view.centered(next_turn.pos),
            _ => view,
        }
    }

    /// Returns the camera that shows the whole world.
    fn whole_world_camera(&self, state: &ViewState) -> Camera {
        Camera::of_world(&state.world, self.layout(state).world, Layout::MARGIN)
    }

    pub(super) fn layout(&self, state: &ViewState) -> Layout {
        let params = self.has_params.then(|| ParamRows {
            count: tune::knobs(self.params(state).1).len(),
            tuned: self.param,
        });
        let agent = state.next_turn.as_deref().map(explain_text::height);
        let layout = Layout::new(self.size, agent, params, self.margins(state).is_some());
        let (right, bottom) = (layout.left(self.size), layout.strip.min.y);
        Layout {
            error: error_panel::area(state, right, bottom),
            help: self.help.map(|_| HelpPages::new(self.size).area),
            ..layout
        }
    }

    /// Returns the place under the pointer, in world units.
    pub(super) fn place_under_pointer(&self, state: &ViewState) -> Vec2 {
        self.camera(state).place(self.pointer)
    }

    /// Shows the whole world.
    pub(super) fn fit(&mut self) {
        self.view = None;
        self.is_following = false;
    }

    pub(super) fn close(&mut self, state: &ViewState) -> Vec<PlayerCommand> {
        if !self.digits.is_empty() {
            self.digits.clear();
            return Vec::new();
        }
        if state.target.is_some() {
            return vec![PlayerCommand::TogglePause];
        }
        self.help = None;
        self.has_params = false;
        self.is_following = false;
        vec![PlayerCommand::Select(None)]
    }

    /// Opens the help, shows its next page, or closes it after the last.
    pub(super) fn next_help(&mut self) {
        let next = self.help.map_or(0, |page| page + 1);
        self.help = Some(next).filter(|page| *page < HelpPages::new(self.size).pages());
    }

    /// Shows another page of the help, if there is one.
    fn turn_page(&mut self, is_forward: bool) {
        let last = HelpPages::new(self.size).pages() - 1;
        self.help = self.help.map(|page| {
            let page = page.min(last);
            if is_forward { (page + 1).min(last) } else { page.saturating_sub(1) }
        });
    }

    /// Takes the typed digits and returns them as a tick, if they are one.
    pub(super) fn take_digits(&mut self) -> Option<u64> {
        std::mem::take(&mut self.digits).parse().ok()
    }

    /// Returns the group whose params are shown, and these params.
    pub(super) fn params<'s>(&self, state: &'s ViewState) -> (GroupId, &'s Values) {
        let chosen = self.group.as_ref();
        let chosen = chosen.and_then(|name| state.world.group_named(name));
        let own = state.next_turn.as_ref().map(|next_turn| next_turn.group);
        let group = chosen.or(own).unwrap_or_default();
        (group, &state.params[usize::from(group.0)])
    }

    pub(super) fn next_group(&mut self, state: &ViewState) {
        let (GroupId(group), _) = self.params(state);
        // If the panel is closed, open it for the current group.
        let on = usize::from(self.has_params);
        let next = (usize::from(group) + on) % state.world.groups.len();
        self.group = Some(state.world.groups[next].name.to_string());
        self.param = 0;
        self.has_params = true;
    }

    pub(super) fn next_param(&mut self, state: &ViewState) {
        let last = tune::knobs(self.params(state).1).len().saturating_sub(1);
        self.param = (self.param + 1).min(last);
    }

    /// Changes the selected param by some steps. If the panel is closed, only opens it.
    pub(super) fn tune(&mut self, state: &ViewState, steps: f32) -> Vec<PlayerCommand> {
        let (group, params) = self.params(state);
        let mut knobs = tune::knobs(params);
        if !self.has_params {
            // Show the params before the first change.
            self.has_params = true;
            return Vec::new();
        }
        if knobs.is_empty() {
            return Vec::new();
        }
        let knob = knobs.swap_remove(self.param.min(knobs.len() - 1));
        let group = state.world.group(group).name.to_string();
        vec![PlayerCommand::Tune { group, knob, steps }]
    }

    /// Handles a movement of the pointer; `None` if it leaves the window.
    pub(crate) fn pointer_moved(
        &mut self,
        to: Option<Vec2>,
        state: &ViewState,
    ) -> Vec<PlayerCommand> {
        let Some(to) = to else {
            return vec![PlayerCommand::MoveCursor(None)];
        };
        let by = to - self.pointer;
        self.pointer = to;
        match self.drag {
            Some(Drag::World { from, last }) => {
                if to.distance(from) > MIN_DRAG || last != from {
                    let by = to - last;
                    self.view = Some(self.camera(state).panned(by.x, by.y));
                    self.is_following = false;
                    self.drag = Some(Drag::World { from, last: to });
                }
                Vec::new()
            }
            Some(Drag::Time) if by != Vec2::ZERO => self.tick_here(state),
            Some(Drag::Time | Drag::Panel) => Vec::new(),
            None if self.layout(state).panel_at(to).is_some() => {
                vec![PlayerCommand::MoveCursor(None)]
            }
            None => vec![PlayerCommand::MoveCursor(Some(self.place_under_pointer(state)))],
        }
    }

    /// Returns whether moving the pointer changes the view.
    pub(crate) fn is_dragging(&self) -> bool {
        self.drag.is_some()
    }

    /// Handles a button of the mouse going down.
    pub(crate) fn press(&mut self, button: Button, state: &ViewState) -> Vec<PlayerCommand> {
        let (at, layout) = (self.pointer, self.layout(state));
        if button == Button::Right {
            return if layout.panel_at(at).is_some() { Vec::new() } else { vec![self.push(state)] };
        }
        if layout.is_time(at) {
            self.drag = Some(Drag::Time);
            return self.tick_here(state);
        }
        self.drag = Some(if layout.panel_at(at).is_some() {
            if let Some(row) = layout.param_at(at) {
                self.param = row;
            }
            Drag::Panel
        } else {
            Drag::World { from: at, last: at }
        });
        Vec::new()
    }

    /// Handles the left button going up.
    pub(crate) fn release(&mut self, state: &ViewState) -> Vec<PlayerCommand> {
        match self.drag.take() {
            Some(Drag::World { from, last }) if from == last => {
                let agent = self.agent_here(state);
                if agent.is_some() {
                    self.group = None;
                }
                vec![PlayerCommand::Select(agent)]
            }
            _ => Vec::new(),
        }
    }

    /// Handles a turn of the wheel; positive is away from the person.
    pub(crate) fn wheel(&mut self, by: f32, state: &ViewState) -> Vec<PlayerCommand> {
        let layout = self.layout(state);
        if let Some(row) = layout.param_at(self.pointer) {
            self.param = row;
            return self.tune(state, if by > 0.0 { 1.0 } else { -1.0 });
        }
        match layout.panel_at(self.pointer) {
            None => {
                let factor = if by > 0.0 { ZOOM_STEP } else { 1.0 / ZOOM_STEP };
                let fit = self.whole_world_camera(state);
                let zoomed = self.camera(state).zoomed(factor, self.pointer, &fit);
                self.view = Some(zoomed);
            }
            Some(PanelKind::Help) => self.turn_page(by < 0.0),
            Some(_) => {}
        }
        Vec::new()
    }

    /// Handles a new size of the window, in pixels.
    pub(crate) fn resized(&mut self, size: (u32, u32)) {
        self.size = size;
        self.view = self.view.map(|view| view.resized(size));
    }

    fn tick_here(&self, state: &ViewState) -> Vec<PlayerCommand> {
        let tick = self.layout(state).tick_at(self.pointer, state);
        vec![if tick > state.last_tick {
            PlayerCommand::RunTo(tick)
        } else {
            PlayerCommand::Seek(tick)
        }]
    }

    /// Returns the id of the agent under the pointer, if there is one.
    fn agent_here(&self, state: &ViewState) -> Option<u32> {
        let camera = self.camera(state);
        let agents = &state.world.agents;
        let near = (0..agents.len()).filter_map(|row| {
            let distance = camera.pixel(agents.pos(row)).distance(self.pointer);
            let body = state.world.agent(row).body().radius;
            (distance <= math::max(CLICK_DISTANCE, camera.pixels(body))).then_some((distance, row))
        });
        let nearest = near.min_by(|left, right| left.0.total_cmp(&right.0))?;
        Some(agents.id[nearest.1])
    }

    /// Returns the command that pushes agents near the pointer away.
    fn push(&self, state: &ViewState) -> PlayerCommand {
        PlayerCommand::Push {
            at: self.place_under_pointer(state),
            radius: self.camera(state).units(PUSH_RADIUS),
        }
    }
}
