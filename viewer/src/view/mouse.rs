//! The mouse: what movements, clicks and the wheel do.

use std::time::{Duration, Instant};

use flockwork_engine::math::Vec2;
use flockwork_engine::world::AgentId;

use super::command::PlayerCommand;
use super::file_view;
use super::frame::Frame;
use super::panels;
use super::pointer_shape::PointerShape;
use super::scene_editor::{self, EditedScene};
use super::ui::{Button, Drag, Hover, TipState, Ui};
use super::ui_command::UiCommand;
use super::view_state::ViewState;
use super::widget::Widget;
use crate::draw;

/// A drag shorter than this is a click, in pixels.
const MIN_DRAG: f32 = 4.0;
/// The pointer has to stay on a widget for this time until its tooltip is shown.
const TIP_DELAY: Duration = Duration::from_millis(300);
/// With more agents than this, the pointer has no shape of its own on an agent.
const MAX_LOOKED_AT: usize = 20_000;

impl Ui {
    /// Handles a movement of the pointer; `None` if it leaves the window.
    pub(crate) fn pointer_moved(
        &mut self,
        to: Option<Vec2>,
        state: &ViewState,
    ) -> Vec<PlayerCommand> {
        // Pointing at a guess must not change the run: scripts see the pointer where it was.
        let is_predicting = panels::predict::PANEL.is_open(self);
        let Some(to) = to else {
            (self.hover, self.files.pointed) = (None, None);
            self.plots.held_height = None;
            return if is_predicting { vec![] } else { vec![PlayerCommand::MoveCursor(None)] };
        };
        let has_moved = to != self.pointer;
        self.pointer = to;
        self.release_plot_height(state);
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
        let click = frame.widget_at(to).and_then(|widget| widget.click);
        let is_panel = frame.is_panel(to);
        if self.hover.map(|hover| hover.area) != widget.map(|(area, _)| area) {
            let since = Instant::now();
            // After one tooltip, the next comes at once.
            let is_at_once =
                self.hover.is_some_and(|last| last.tip == TipState::Shown && !last.is_gray);
            self.hover = widget.map(|(area, is_gray)| {
                let tip = if is_gray || is_at_once { TipState::Shown } else { TipState::Waiting };
                Hover { area, since, tip, is_gray }
            });
        }
        if self.drag.is_none() {
            self.pointer_shape = match click {
                Some(command) => PointerShape::of_command(command),
                None if !is_panel && self.has_agent_here(state) => PointerShape::Hand,
                None => PointerShape::Arrow,
            };
        }
        if self.drag == Some(Drag::Scene) {
            let at = self.point_under_pointer(state);
            if let Some(editor) = &mut self.editor {
                editor.drag(at);
            }
        }
        match self.drag {
            None => self.point_at_name(state),
            Some(_) => self.files.pointed = None,
        }
        match self.drag {
            Some(Drag::Slider(UiCommand::PlaceCursor)) if has_moved => {
                UiCommand::SelectToPointer.execute(self, state)
            }
            Some(Drag::Slider(command)) if has_moved => command.execute(self, state),
            Some(_) => Vec::new(),
            None if is_predicting => Vec::new(),
            None if is_panel || !self.has_pointer => vec![PlayerCommand::MoveCursor(None)],
            None => vec![PlayerCommand::MoveCursor(Some(self.point_under_pointer(state)))],
        }
    }

    /// Returns whether moving the pointer changes the view.
    pub(crate) fn is_dragging(&self) -> bool {
        self.drag.is_some() || self.presented.is_some()
    }

    /// Returns the widget that the pointer is on and whether its tooltip is shown, and the name of a file that is explained.
    pub(crate) fn hover(&self) -> (Option<(Vec2, bool)>, Option<usize>) {
        let widget = self.hover.map(|hover| (hover.area.min, hover.tip == TipState::Shown));
        let pointed = self.files.pointed.as_ref().filter(|pointed| pointed.is_explained);
        (widget, pointed.map(|pointed| pointed.span.start))
    }

    /// Returns the widget to mark: the one under the pointer, or the one that is pressed.
    pub(super) fn highlighted<'f>(&self, frame: &'f Frame<'_>) -> Option<&'f Widget> {
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

    /// Shows the tooltip of the widget under the pointer if it is due at a time, and returns whether it was.
    pub(crate) fn show_due_tip(&mut self, now: Instant) -> bool {
        let Some(hover) = self.hover.as_mut().filter(|hover| {
            hover.tip == TipState::Waiting
                && now.saturating_duration_since(hover.since) >= TIP_DELAY
        }) else {
            return false;
        };
        hover.tip = TipState::Shown;
        true
    }

    /// Hides the tooltip until the pointer comes to another widget.
    pub(super) fn hide_tip(&mut self) {
        self.files.pointed = None;
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
        self.cancel_leaving_beside(state);
        self.digits.clear();
        // Another button while something is dragged does nothing: the dragged thing must not get lost.
        if matches!(self.drag, Some(Drag::Scene | Drag::Agent { .. })) {
            return Vec::new();
        }
        let at = self.pointer;
        // A press beside the menu of a place closes it. Only with the right button, it is opened elsewhere.
        if self.is_beside_menu(state) {
            panels::here::PANEL.set_open(self, false);
            if button != Button::Right {
                self.drag = Some(Drag::Panel);
                return Vec::new();
            }
        }
        let frame = Frame::new(self, state, None);
        let is_panel = frame.is_panel(at);
        let widget = frame.widget_at(at);
        let click = widget.and_then(|widget| Some((widget.click?, widget.is_slider)));
        // Pages and questions in front of the text do not end the typing.
        let help = &panels::help::PANEL;
        let in_front = [&panels::word::PANEL, &panels::question::PANEL, &panels::choices::PANEL];
        let keeps_typing = help.is_open(self)
            || click.is_some_and(|(command, _)| command == help.toggle())
            || in_front
                .iter()
                .any(|one| frame.scene.layout.area(one.id).is_some_and(|area| area.contains(at)))
            || file_view::contains(self, state, at);
        match button {
            Button::Right if is_panel => {
                let command = widget.and_then(|widget| widget.right_click);
                return command.map_or_else(Vec::new, |command| command.execute(self, state));
            }
            Button::Right => {
                self.open_here(state);
                return Vec::new();
            }
            Button::Left | Button::Middle => {}
        }
        self.files.is_typing &= keeps_typing;
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
            Some(Drag::Slider(command @ UiCommand::GoToPointer)) => {
                let Some(before) = self.shown_time.click(at, state.world.tick) else {
                    return command.execute(self, state);
                };
                // The second click of a double click takes back what the first one did.
                self.drag = Some(Drag::Panel);
                vec![PlayerCommand::Seek(before)]
            }
            Some(Drag::Slider(command)) => command.execute(self, state),
            _ => Vec::new(),
        }
    }

    /// Handles the left or the middle button going up.
    pub(crate) fn release(&mut self, state: &ViewState) -> Vec<PlayerCommand> {
        match self.drag.take() {
            Some(Drag::World { from, last, is_click: true }) if from == last => {
                if let Some(guess) = self.guess_here(state) {
                    return vec![guess];
                }
                let agent = self.agent_to_select(state);
                let goal = self.goal_here(state).filter(|_| agent.is_none());
                vec![match goal {
                    Some(text) => PlayerCommand::Notice { text, is_failure: false },
                    None => self.select(agent),
                }]
            }
            Some(Drag::Agent { id, .. }) => vec![self.select(Some(id))],
            Some(Drag::Widget(command)) => {
                let frame = Frame::new(self, state, None);
                let here = frame.widget_at(self.pointer).and_then(|widget| widget.click);
                let is_click = here == Some(command);
                let mut commands = if is_click { command.execute(self, state) } else { Vec::new() };
                commands.extend(panels::here::PANEL.set_open(self, false));
                commands
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
    fn select(&mut self, agent: Option<AgentId>) -> PlayerCommand {
        if agent.is_some() {
            self.group = None;
        }
        PlayerCommand::Select(agent)
    }

    /// Returns the scene that is edited.
    pub(super) fn edited_scene<'s>(&self, state: &'s ViewState) -> EditedScene<'s> {
        EditedScene { state, group: state.world.group(self.params(state).0).name.to_string() }
    }

    /// Handles a press on the world while the scene is edited. `None` if it does something else.
    fn press_scene(&mut self, state: &ViewState) -> Option<Vec<PlayerCommand>> {
        let (camera, at) = (self.camera(state), self.point_under_pointer(state));
        let scene = self.edited_scene(state);
        let editor = self.editor.as_mut()?;
        let (edit, follows) = editor.press(at, &camera, &scene);
        self.drag = follows.then_some(Drag::Scene);
        follows.then(|| edit.map(PlayerCommand::EditScene).into_iter().collect())
    }

    /// Handles a turn of the wheel; positive is away from the person.
    pub(crate) fn wheel(&mut self, by: f32, state: &ViewState) -> Vec<PlayerCommand> {
        // It would cover what the wheel changes.
        self.hide_tip();
        let frame = Frame::new(self, state, None);
        if frame.is_panel(self.pointer) {
            let wheel = frame.widget_at(self.pointer).and_then(|widget| widget.wheel);
            let Some([away, towards]) = wheel else {
                return Vec::new();
            };
            return if by > 0.0 { away } else { towards }.execute(self, state);
        }
        self.zoom(state, by, Some(self.pointer));
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

    /// Says whose goal is under the pointer, if one is.
    fn goal_here(&self, state: &ViewState) -> Option<String> {
        let goals = state.goals.iter().map(Vec::as_slice);
        let (group, number, count) = draw::goal_at(&self.camera(state), self.pointer, goals)?;
        let name = &state.world.groups.get(group)?.name;
        let which =
            if count > 1 { format!("goal {number} of {count}") } else { "the goal".to_owned() };
        Some(format!("this is {which} of the group {name}"))
    }

    /// Returns whether a click here selects an agent. In a crowd, it is not looked for at each movement.
    fn has_agent_here(&self, state: &ViewState) -> bool {
        state.world.agents.len() <= MAX_LOOKED_AT && self.agent_here(state).is_some()
    }

    /// Returns the id of the agent under the pointer, if there is one.
    pub(super) fn agent_here(&self, state: &ViewState) -> Option<AgentId> {
        let is_shown = |group| !self.is_hidden(state, group);
        draw::agent_at(&state.world, &self.camera(state), self.pointer, is_shown)
    }
}
