//! The state of the user interface: the camera, open panels, and the mouse; turns mouse actions into commands.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use flockwork_engine::math::{self, Vec2, short};
use flockwork_engine::world::{GroupId, Values};

use super::command::{Overlays, PlayerCommand};
use super::first_failure::FirstFailure;
use super::frame::Frame;
use super::help::HelpText;
use super::keys::Key;
use super::layout::{Area, Layout, LayoutNeeds, ParamRows};
use super::panels::LogView;
use super::plot::{self, PlotSource};
use super::question::Question;
use super::scale::Scale;
use super::scene_editor::{self, EditedScene, SceneEditor};
use super::shown_region::ShownRegion;
use super::ui_command::UiCommand;
use super::view_state::{Notice, ViewState};
use super::widget::Widget;
use super::window_command::WindowCommand;
use super::{error_panel, explain_text, panels, tune};
use crate::draw::{Camera, DARK, LIGHT, Palette};

/// Distance within which a click selects an agent, in pixels.
const CLICK_DISTANCE: f32 = 14.0;
/// A drag shorter than this is a click, in pixels.
const MIN_DRAG: f32 = 4.0;
/// Reach of a push, in pixels.
const PUSH_RADIUS: f32 = 90.0;
/// With less room than this beside a panel, the whole world is shown behind it, in pixels.
const MIN_WORLD: f32 = 400.0;
/// Zoom factor of one step of the wheel.
const ZOOM_STEP: f32 = 1.2;

/// The pointer has to stay on a widget for this time until its tooltip is shown.
const TIP_DELAY: Duration = Duration::from_millis(500);

/// What the window shows of the view state, and how.
pub(crate) struct Ui {
    /// Size of the window, in pixels of the layout.
    pub size: (u32, u32),
    pub(super) scale: Scale,
    /// The camera that the person has moved; `None` to show the whole world.
    view: Option<Camera>,
    /// Whether to show the whole world beside the selected agent's panel as soon as that is open.
    fits_soon: bool,
    /// The part of the world that is shown while the person has chosen none.
    pub(super) region: ShownRegion,
    pub is_dark: bool,
    /// The number of lines by which the open help is scrolled down.
    pub help: Option<usize>,
    pub has_trails: bool,
    pub has_params: bool,
    pub has_legend: bool,
    /// Names of the groups whose agents are not drawn.
    pub(super) hidden: BTreeSet<String>,
    /// How long drawing a frame takes.
    pub frame_time: Duration,
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
    hover: Option<Hover>,
    /// Whether the selected agent's panel is on the left side.
    is_agent_left: bool,
    /// Digits of a tick that is being typed.
    pub digits: String,
    /// What is plotted above the time bar.
    pub(super) plot: Option<PlotSource>,
    /// Whether a list shows all that can be plotted.
    pub(super) is_choosing_plot: bool,
    /// The question that is asked.
    pub(super) question: Option<Question>,
    /// What was found last.
    pub(super) last_find: String,
    /// The log, while it is shown.
    pub(super) log: Option<LogView>,
    /// The number of rows by which the open expectations are scrolled down.
    pub(super) expectations: Option<usize>,
    /// The number of pixels by which the explanation of the selected agent is scrolled down.
    pub(super) explain_scroll: f32,
    /// Editing the scene by mouse, while it is on.
    pub(super) editor: Option<SceneEditor>,
    /// The command `flockwork explain` for this run, without an agent and a tick.
    pub(super) explain_command: String,
    /// When it was last said that closing the window loses params.
    asked_to_quit: Option<Instant>,
    /// What the window has to do next.
    pub(super) window_commands: Vec<WindowCommand>,
    /// Whether the window is to close.
    pub is_closing: bool,
}

/// A drag with the left or the middle button.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Drag {
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
    Agent { from: Vec2, id: u32 },
}

/// The widget that the pointer is on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hover {
    area: Area,
    since: Instant,
    /// Whether its tooltip is due, or was until something was pressed.
    tip: TipState,
    /// Whether the widget cannot do anything now. Its tooltip says why, also while it is pressed.
    is_gray: bool,
}

/// Whether a tooltip is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TipState {
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
    /// [rescaled](Self::rescaled).
    pub(crate) fn new(size: (u32, u32), is_dark: bool) -> Self {
        Self {
            size,
            scale: Scale::new(size, Some(1.0)),
            view: None,
            fits_soon: false,
            region: ShownRegion::default(),
            is_dark,
            help: None,
            has_trails: false,
            has_params: false,
            has_legend: true,
            hidden: BTreeSet::new(),
            frame_time: Duration::ZERO,
            is_following: false,
            overlays: Overlays::default(),
            group: None,
            param: 0,
            pointer: Vec2::ZERO,
            drag: None,
            hover: None,
            is_agent_left: false,
            digits: String::new(),
            plot: None,
            is_choosing_plot: false,
            question: None,
            last_find: String::new(),
            log: None,
            expectations: None,
            explain_scroll: 0.0,
            editor: None,
            explain_command: String::new(),
            asked_to_quit: None,
            window_commands: Vec::new(),
            is_closing: false,
        }
    }

    /// Plots the margin of an expectation that fails, opens the expectations at its row, and selects the agent for which it
    /// fails.
    pub(crate) fn show_failure(&mut self, failure: &FirstFailure) -> Vec<PlayerCommand> {
        self.expectations = Some(failure.index);
        self.overlays.expectations = true;
        self.plot = Some(PlotSource::from(failure));
        self.fits_soon = true;
        let select = failure.agent.map(|agent| PlayerCommand::Select(Some(agent)));
        let shown =
            [PlayerCommand::SetOverlays(self.overlays), PlayerCommand::Plot(self.plot.clone())];
        shown.into_iter().chain(select).collect()
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
        Camera::fit(self.region.of(&state.world), self.layout(state).world, Layout::MARGIN)
    }

    pub(super) fn layout(&self, state: &ViewState) -> Layout {
        let params = self.has_params.then(|| ParamRows {
            count: tune::knobs(self.params(state).1).len(),
            tuned: self.param,
        });
        let agent = state.next_turn.as_deref();
        let needs = LayoutNeeds {
            agent: agent.map(|next_turn| explain_text::height(next_turn, Layout::panel(self.size))),
            is_agent_left: self.is_agent_left,
            params,
            has_plot: self.plot.is_some(),
            has_log: self.log.is_some(),
            expectations: self.expectations.map(|_| panels::expectations_height(state)),
            scene: self.editor.as_ref().map(|_| panels::SCENE_HEIGHT),
        };
        let mut layout = Layout::new(self.size, needs);
        let bottom = layout.bottom();
        layout.legend =
            self.has_legend.then(|| panels::legend_area(state, &layout.free(), bottom)).flatten();
        layout.results = panels::results_area(state, &layout.top(), bottom);
        if Layout::is_small(self.size) {
            layout.dock(needs, error_panel::height(state, self.size.0 as f32));
        } else {
            let tall = layout.below_results()..bottom;
            layout.error = error_panel::area(state, &layout.top(), tall);
        }
        layout.help = self.help.map(|_| HelpText::new(self.size).area);
        layout
    }

    /// Returns the place under the pointer, in world units.
    pub(super) fn place_under_pointer(&self, state: &ViewState) -> Vec2 {
        self.camera(state).place(self.pointer)
    }

    /// Shows the whole world, beside the selected agent's panel if there is room.
    pub(super) fn fit(&mut self, state: &ViewState) {
        self.region = ShownRegion::default();
        let (layout, is_open) = (self.layout(state), state.next_turn.is_some());
        let free = layout.free();
        let (width, (_, height)) = (free.end - free.start, layout.world);
        self.is_following = false;
        let is_covered = is_open && layout.column.is_none();
        self.view = (is_covered && width >= MIN_WORLD).then(|| {
            let beside =
                Camera::fit(self.region.of(&state.world), (width as u32, height), Layout::MARGIN);
            beside.panned(free.start, 0.0)
        });
    }

    /// Shows the whole world beside the panel of the agent that was selected when the window opened.
    pub(super) fn fit_if_due(&mut self, state: &ViewState) {
        if self.fits_soon && state.next_turn.is_some() {
            self.fits_soon = false;
            if self.view.is_none() {
                self.fit(state);
            }
        }
    }

    /// Closes or stops one thing: what is in front and what was begun last comes first.
    pub(super) fn close(&mut self, state: &ViewState) -> Vec<PlayerCommand> {
        if self.cancel_drag() {
            // What was dragged is where it was.
        } else if !self.digits.is_empty() {
            self.digits.clear();
        } else if self.help.is_some() {
            self.help = None;
        } else if state.target.is_some() {
            return vec![PlayerCommand::TogglePause];
        } else if self.is_choosing_plot {
            self.is_choosing_plot = false;
        } else if let Some(editor) = &mut self.editor {
            // First the tool, then the selection, then the editor.
            if editor.tool.take().is_none() && !editor.deselect(state) {
                self.editor = None;
            }
        } else if self.has_params {
            self.has_params = false;
        } else if self.plot.is_some() {
            self.plot = None;
            return vec![PlayerCommand::Plot(None)];
        } else if self.expectations.is_some() {
            return UiCommand::Expectations.execute(self, state);
        } else if self.log.is_some() {
            return UiCommand::Log.execute(self, state);
        } else {
            self.is_following = false;
            return vec![PlayerCommand::Select(None)];
        }
        Vec::new()
    }

    /// Ends a drag, and returns whether there was one: what is dragged in the scene stays where it is written. The button may
    /// still be down, and does nothing more.
    pub(super) fn cancel_drag(&mut self) -> bool {
        let is_dragging = self.drag.is_some_and(|drag| drag != Drag::Panel);
        if is_dragging {
            self.drag = Some(Drag::Panel);
            if let Some(editor) = &mut self.editor {
                editor.let_go();
            }
        }
        is_dragging
    }

    /// Closes the window. If this loses params, the first time says so instead.
    pub(super) fn quit(&mut self, state: &ViewState) -> Vec<PlayerCommand> {
        let unwritten = state.unwritten().count();
        let is_known = self.asked_to_quit.is_some_and(|at| at.elapsed() < Notice::DURATION);
        if unwritten == 0 || is_known {
            self.is_closing = true;
            return Vec::new();
        }
        self.asked_to_quit = Some(Instant::now());
        vec![PlayerCommand::WarnOfLoss]
    }

    pub(super) fn toggle_help(&mut self) {
        self.help = if self.help.is_some() { None } else { Some(0) };
    }

    /// Scrolls the help down by some lines, or up if negative, as far as there is more.
    pub(super) fn scroll_help(&mut self, lines: i32) {
        let last = HelpText::new(self.size).max_scroll();
        let step = lines.unsigned_abs() as usize;
        self.help = self.help.map(|at| {
            let at = at.min(last);
            if lines > 0 { (at + step).min(last) } else { at.saturating_sub(step) }
        });
    }

    /// Returns what a key does while the help is open, if that is something else.
    pub(super) fn help_command(&self, key: Key) -> Option<UiCommand> {
        self.help?;
        Some(UiCommand::ScrollHelp(match key {
            Key::Up => -1,
            Key::Down => 1,
            Key::PageUp => -12,
            Key::PageDown => 12,
            _ => return None,
        }))
    }

    /// Plots something, given by its number in the list of what can be plotted, and closes the list.
    pub(super) fn choose_plot(&mut self, state: &ViewState, number: usize) -> Vec<PlayerCommand> {
        let (group, params) = self.params(state);
        self.plot = plot::sources(state, group, params).into_iter().nth(number);
        self.is_choosing_plot = false;
        vec![PlayerCommand::Plot(self.plot.clone())]
    }

    /// Plots what comes this many places later in the list of what can be plotted, or earlier if negative, and shows the list.
    pub(super) fn step_plot(&mut self, state: &ViewState, by: isize) -> Vec<PlayerCommand> {
        let (group, params) = self.params(state);
        let all = plot::sources(state, group, params);
        let here = self.plot.as_ref().and_then(|here| all.iter().position(|one| one == here));
        let count = all.len() as isize;
        let next = match here {
            Some(here) => (here as isize + by).rem_euclid(count),
            None => 0,
        };
        self.plot = all.into_iter().nth(next as usize);
        self.is_choosing_plot = true;
        vec![PlayerCommand::Plot(self.plot.clone())]
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
        let group = chosen.or(own).or_else(|| state.first_with_params()).unwrap_or_default();
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

    /// Changes the selected param by some steps. If the panel is closed, only opens it.
    pub(super) fn tune(&mut self, state: &ViewState, steps: i32) -> Vec<PlayerCommand> {
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
        vec![PlayerCommand::Tune { group, knob, steps: steps as f32 }]
    }

    /// Handles a movement of the pointer; `None` if it leaves the window.
    pub(crate) fn pointer_moved(
        &mut self,
        to: Option<Vec2>,
        state: &ViewState,
    ) -> Vec<PlayerCommand> {
        let Some(to) = to else {
            self.hover = None;
            return vec![PlayerCommand::MoveCursor(None)];
        };
        let has_moved = to != self.pointer;
        self.pointer = to;
        if let Some(Drag::World { from, last, is_click }) = self.drag {
            if to.distance(from) > MIN_DRAG || last != from {
                let by = to - last;
                self.view = Some(self.camera(state).panned(by.x, by.y));
                self.is_following = false;
                self.drag = Some(Drag::World { from, last: to, is_click });
            }
            return Vec::new();
        }
        if let Some(Drag::Agent { from, id }) = self.drag {
            if to.distance(from) <= MIN_DRAG {
                return Vec::new();
            }
            self.drag = Some(Drag::Panel);
            let text = scene_editor::why_not_moved(state, id);
            return vec![PlayerCommand::Notice { text, is_failure: true }];
        }
        let frame = Frame::new(self, state, None);
        let widget = frame.widget_at(to).map(|widget| (widget.area, widget.is_gray));
        let is_panel = frame.is_panel(to);
        if self.hover.map(|hover| hover.area) != widget.map(|(area, _)| area) {
            let since = Instant::now();
            self.hover = widget.map(|(area, is_gray)| {
                let tip = if is_gray { TipState::Shown } else { TipState::Waiting };
                Hover { area, since, tip, is_gray }
            });
        }
        if self.drag == Some(Drag::Scene) {
            let at = self.place_under_pointer(state);
            if let Some(editor) = &mut self.editor {
                editor.drag(at);
            }
        }
        match self.drag {
            Some(Drag::Slider(command)) if has_moved => command.execute(self, state),
            Some(_) => Vec::new(),
            None if is_panel => vec![PlayerCommand::MoveCursor(None)],
            None => vec![PlayerCommand::MoveCursor(Some(self.place_under_pointer(state)))],
        }
    }

    /// Returns whether moving the pointer changes the view.
    pub(crate) fn is_dragging(&self) -> bool {
        self.drag.is_some()
    }

    /// Returns the widget that the pointer is on, and whether its tooltip is shown.
    pub(crate) fn hover(&self) -> Option<(Vec2, bool)> {
        self.hover.map(|hover| (hover.area.min, hover.tip == TipState::Shown))
    }

    /// Returns the widget to mark: the one under the pointer, or the one that is pressed.
    pub(super) fn hot<'f>(&self, frame: &'f Frame<'_>) -> Option<&'f Widget> {
        self.hover?;
        let here = frame.widget_at(self.pointer)?;
        match self.drag {
            None => Some(here),
            Some(Drag::Slider(pressed) | Drag::Widget(pressed)) => {
                Some(here).filter(|here| here.click == Some(pressed))
            }
            Some(_) => None,
        }
    }

    /// Shows the tooltip of the widget under the pointer if it is due at a time.
    pub(crate) fn show_due_tip(&mut self, now: Instant) {
        if let Some(hover) = &mut self.hover
            && hover.tip == TipState::Waiting
            && now.saturating_duration_since(hover.since) >= TIP_DELAY
        {
            hover.tip = TipState::Shown;
        }
    }

    /// Hides the tooltip until the pointer comes to another widget.
    pub(super) fn hide_tip(&mut self) {
        if let Some(hover) = self.hover.as_mut().filter(|hover| !hover.is_gray) {
            hover.tip = TipState::Hidden;
        }
    }

    /// Returns whether a tooltip is shown.
    pub(super) fn has_tip(&self) -> bool {
        self.hover.is_some_and(|hover| hover.tip == TipState::Shown)
    }

    /// Returns whether a panel is under the pointer.
    pub(super) fn is_pointer_on_panel(&self, state: &ViewState) -> bool {
        Frame::new(self, state, None).is_panel(self.pointer)
    }

    /// Handles a button of the mouse going down.
    pub(crate) fn press(&mut self, button: Button, state: &ViewState) -> Vec<PlayerCommand> {
        self.hide_tip();
        // Another button while something is dragged does nothing: what is dragged must not get lost.
        if matches!(self.drag, Some(Drag::Scene | Drag::Agent { .. })) {
            return Vec::new();
        }
        let at = self.pointer;
        let frame = Frame::new(self, state, None);
        let is_panel = frame.is_panel(at);
        let widget = frame.widget_at(at);
        let click = widget.and_then(|widget| Some((widget.click?, widget.is_slider)));
        match button {
            Button::Right if is_panel => return Vec::new(),
            Button::Right => return vec![self.push(state)],
            Button::Left | Button::Middle => {}
        }
        let is_click = button == Button::Left;
        if is_click
            && !is_panel
            && let Some(commands) = self.press_scene(state)
        {
            return commands;
        }
        let agent = self.agent_here(state).filter(|_| is_click && self.editor.is_some());
        self.drag = Some(match click.filter(|_| is_click) {
            Some((command, true)) => Drag::Slider(command),
            Some((command, false)) => Drag::Widget(command),
            None if is_panel => Drag::Panel,
            None => match agent {
                Some(id) => Drag::Agent { from: at, id },
                None => Drag::World { from: at, last: at, is_click },
            },
        });
        match self.drag {
            Some(Drag::Slider(command)) => command.execute(self, state),
            _ => Vec::new(),
        }
    }

    /// Handles the left or the middle button going up.
    pub(crate) fn release(&mut self, state: &ViewState) -> Vec<PlayerCommand> {
        match self.drag.take() {
            Some(Drag::World { from, last, is_click: true }) if from == last => {
                let agent = self.agent_here(state);
                vec![self.select(agent, state)]
            }
            Some(Drag::Agent { id, .. }) => vec![self.select(Some(id), state)],
            Some(Drag::Widget(command)) => {
                let frame = Frame::new(self, state, None);
                let here = frame.widget_at(self.pointer).and_then(|widget| widget.click);
                if here == Some(command) { command.execute(self, state) } else { Vec::new() }
            }
            Some(Drag::Scene) => {
                let camera = self.camera(state);
                let edit = self.editor.as_mut().and_then(|editor| editor.release(&camera));
                edit.map(PlayerCommand::EditScene).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the command that selects the agent under the pointer, or none.
    fn select(&mut self, agent: Option<u32>, state: &ViewState) -> PlayerCommand {
        if agent.is_some() {
            self.group = None;
        }
        if agent.is_some() && state.next_turn.is_none() {
            // The panel does not cover the agent.
            let width = self.size.0 as f32;
            let covered = width - explain_text::WIDTH - 4.0 * Layout::GAP;
            self.is_agent_left = self.pointer.x > math::max(covered, width / 2.0);
        }
        PlayerCommand::Select(agent)
    }

    /// Returns the scene that is edited.
    pub(super) fn edited_scene<'s>(&self, state: &'s ViewState) -> EditedScene<'s> {
        EditedScene { state, group: state.world.group(self.params(state).0).name.to_string() }
    }

    /// Handles a press on the world while the scene is edited. `None` if it does something else.
    fn press_scene(&mut self, state: &ViewState) -> Option<Vec<PlayerCommand>> {
        let (camera, at) = (self.camera(state), self.place_under_pointer(state));
        let scene = self.edited_scene(state);
        let editor = self.editor.as_mut()?;
        let (edit, follows) = editor.press(at, &camera, &scene);
        self.drag = follows.then_some(Drag::Scene);
        follows.then(|| edit.map(PlayerCommand::EditScene).into_iter().collect())
    }

    /// Handles a turn of the wheel; positive is away from the person.
    pub(crate) fn wheel(&mut self, by: f32, state: &ViewState) -> Vec<PlayerCommand> {
        let frame = Frame::new(self, state, None);
        if frame.is_panel(self.pointer) {
            let wheel = frame.widget_at(self.pointer).and_then(|widget| widget.wheel);
            let Some([away, towards]) = wheel else {
                return Vec::new();
            };
            return if by > 0.0 { away } else { towards }.execute(self, state);
        }
        let factor = if by > 0.0 { ZOOM_STEP } else { 1.0 / ZOOM_STEP };
        let fit = self.whole_world_camera(state);
        self.view = Some(self.camera(state).zoomed(factor, self.pointer, &fit));
        Vec::new()
    }

    /// Handles a new size of the window, or another factor.
    pub(crate) fn rescaled(&mut self, scale: Scale) {
        self.scale = scale;
        self.size = scale.layout_size();
        self.view = self.view.map(|view| view.resized(self.size));
    }

    /// Draws everything larger by some steps, or smaller if negative; 0 returns to the factor at the start. Says how large.
    pub(super) fn change_scale(&mut self, steps: i32) -> Vec<PlayerCommand> {
        let mut scale = self.scale;
        scale.change(steps);
        let (before, now) = (self.scale.factor(), scale.factor());
        self.rescaled(scale);
        let text = if before == now && steps != 0 {
            format!(
                "drawn at {}x: no {} fits",
                short(now),
                if steps > 0 { "larger" } else { "smaller" }
            )
        } else {
            format!("drawn at {}x", short(now))
        };
        vec![PlayerCommand::Notice { text, is_failure: false }]
    }

    /// Returns the command that goes to the tick under the pointer, which is on the time bar.
    pub(super) fn go_to_pointer(&self, state: &ViewState) -> PlayerCommand {
        let tick = self.layout(state).tick_at(self.pointer, state);
        if tick > state.last_tick { PlayerCommand::RunTo(tick) } else { PlayerCommand::Seek(tick) }
    }

    /// Returns the id of the agent under the pointer, if there is one.
    fn agent_here(&self, state: &ViewState) -> Option<u32> {
        let camera = self.camera(state);
        let agents = &state.world.agents;
        let rows = (0..agents.len()).filter(|row| !self.is_hidden(state, agents.group[*row]));
        let near = rows.filter_map(|row| {
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
