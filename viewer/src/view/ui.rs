//! What is seen and how: the view of the world, the panels that are open, and what keys and the mouse
//! make of them.

use flockwork_engine::math::{self, Vec2};
use flockwork_engine::world::{GroupId, Values};

use super::command::{Command, Wanted};
use super::help::Help;
use super::layout::{Cover, Knobs, Layout};
use super::shown::Shown;
use super::{failure, telling, tune};
use crate::draw::{Camera, DARK, LIGHT, Palette};

/// An agent is selected by a click so near to it, in pixels.
const NEAR: f32 = 14.0;
/// A drag shorter than this is a click, in pixels.
const STILL: f32 = 4.0;
/// How far a push reaches, in pixels.
const PUSH: f32 = 90.0;
/// What a step of the wheel zooms by.
const ZOOM: f32 = 1.2;

/// What is seen and how.
pub(crate) struct Ui {
    /// In pixels.
    pub size: (u32, u32),
    /// Where a person has moved the view to; none to fit all of the world.
    view: Option<Camera>,
    pub is_dark: bool,
    /// The page of the help that is open.
    pub help: Option<usize>,
    pub has_trails: bool,
    pub has_params: bool,
    /// Whether the selected agent stays in the middle.
    pub follows: bool,
    pub wanted: Wanted,
    /// Whose params are shown, where nobody is selected.
    group: Option<String>,
    /// Which of them is tuned.
    pub param: usize,
    /// In pixels; outside of the window it is where it was last.
    pub pointer: Vec2,
    drag: Option<Drag>,
    /// A tick that is being written.
    pub digits: String,
    pub is_over: bool,
}

/// What is being done with the left button.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Drag {
    /// The world is moved, or somebody is clicked at.
    World { from: Vec2, last: Vec2 },
    /// The time is moved.
    Time,
    /// Something that lies over the world.
    Panel,
}

/// A button of the mouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Button {
    Left,
    Right,
}

impl Ui {
    /// The whole world in a window.
    pub(crate) fn new(size: (u32, u32), is_dark: bool) -> Self {
        Self {
            size,
            view: None,
            is_dark,
            help: None,
            has_trails: false,
            has_params: false,
            follows: false,
            wanted: Wanted::default(),
            group: None,
            param: 0,
            pointer: Vec2::ZERO,
            drag: None,
            digits: String::new(),
            is_over: false,
        }
    }

    pub(super) fn palette(&self) -> &'static Palette {
        if self.is_dark { &DARK } else { &LIGHT }
    }

    /// How the world is seen.
    pub(super) fn camera(&self, shown: &Shown) -> Camera {
        let view = self.view.unwrap_or_else(|| self.fitting(shown));
        match &shown.account {
            Some(account) if self.follows => view.centered(account.pos),
            _ => view,
        }
    }

    /// All of the world.
    fn fitting(&self, shown: &Shown) -> Camera {
        Camera::of_world(&shown.world, self.layout(shown).world, Layout::MARGIN)
    }

    pub(super) fn layout(&self, shown: &Shown) -> Layout {
        let params = self
            .has_params
            .then(|| Knobs { count: tune::knobs(self.params(shown).1).len(), tuned: self.param });
        let agent = shown.account.as_deref().map(telling::height);
        let layout = Layout::new(self.size, agent, params);
        let (right, bottom) = (layout.left(self.size), layout.strip.min.y);
        Layout {
            failure: failure::area(shown, right, bottom),
            help: self.help.map(|_| Help::new(self.size).area),
            ..layout
        }
    }

    /// Where in the world the pointer is.
    pub(super) fn pointed(&self, shown: &Shown) -> Vec2 {
        self.camera(shown).place(self.pointer)
    }

    /// Shows all of the world.
    pub(super) fn fit(&mut self) {
        self.view = None;
        self.follows = false;
    }

    pub(super) fn close(&mut self, shown: &Shown) -> Vec<Command> {
        if !self.digits.is_empty() {
            self.digits.clear();
            return Vec::new();
        }
        if shown.target.is_some() {
            return vec![Command::Toggle];
        }
        self.help = None;
        self.has_params = false;
        self.follows = false;
        vec![Command::Select(None)]
    }

    /// Opens the help, shows its next page, or closes it after the last.
    pub(super) fn next_help(&mut self) {
        let next = self.help.map_or(0, |page| page + 1);
        self.help = Some(next).filter(|page| *page < Help::new(self.size).pages());
    }

    /// Shows another page of the help, if there is one.
    fn turn_page(&mut self, is_on: bool) {
        let last = Help::new(self.size).pages() - 1;
        self.help = self.help.map(|page| {
            let page = page.min(last);
            if is_on { (page + 1).min(last) } else { page.saturating_sub(1) }
        });
    }

    /// The tick that has been written, if it is one.
    pub(super) fn take_digits(&mut self) -> Option<u64> {
        std::mem::take(&mut self.digits).parse().ok()
    }

    /// Whose params are shown, and what they are.
    pub(super) fn params<'s>(&self, shown: &'s Shown) -> (GroupId, &'s Values) {
        let turned_to = self.group.as_ref();
        let turned_to = turned_to.and_then(|name| shown.world.group_named(name));
        let own = shown.account.as_ref().map(|account| account.group);
        let group = turned_to.or(own).unwrap_or_default();
        (group, &shown.params[usize::from(group.0)])
    }

    pub(super) fn next_group(&mut self, shown: &Shown) {
        let (GroupId(group), _) = self.params(shown);
        // The first time it is the one that is there.
        let on = usize::from(self.has_params);
        let next = (usize::from(group) + on) % shown.world.groups.len();
        self.group = Some(shown.world.groups[next].name.to_string());
        self.param = 0;
        self.has_params = true;
    }

    pub(super) fn next_param(&mut self, shown: &Shown) {
        let last = tune::knobs(self.params(shown).1).len().saturating_sub(1);
        self.param = (self.param + 1).min(last);
    }

    /// Changes the param that is tuned by so many of its steps.
    pub(super) fn tune(&mut self, shown: &Shown, steps: f32) -> Vec<Command> {
        let (group, params) = self.params(shown);
        let mut knobs = tune::knobs(params);
        if !self.has_params {
            // What changes is to be seen.
            self.has_params = true;
            return Vec::new();
        }
        if knobs.is_empty() {
            return Vec::new();
        }
        let knob = knobs.swap_remove(self.param.min(knobs.len() - 1));
        let group = shown.world.group(group).name.to_string();
        vec![Command::Tune { group, knob, steps }]
    }

    /// The pointer moves; `None` if it leaves the window.
    pub(crate) fn moved(&mut self, to: Option<Vec2>, shown: &Shown) -> Vec<Command> {
        let Some(to) = to else {
            return vec![Command::Cursor(None)];
        };
        let by = to - self.pointer;
        self.pointer = to;
        match self.drag {
            Some(Drag::World { from, last }) => {
                if to.distance(from) > STILL || last != from {
                    let by = to - last;
                    self.view = Some(self.camera(shown).panned(by.x, by.y));
                    self.follows = false;
                    self.drag = Some(Drag::World { from, last: to });
                }
                Vec::new()
            }
            Some(Drag::Time) if by != Vec2::ZERO => self.time_here(shown),
            Some(Drag::Time | Drag::Panel) => Vec::new(),
            None if self.layout(shown).cover(to).is_some() => vec![Command::Cursor(None)],
            None => vec![Command::Cursor(Some(self.pointed(shown)))],
        }
    }

    /// Whether moving the pointer changes what is seen.
    pub(crate) fn is_dragging(&self) -> bool {
        self.drag.is_some()
    }

    /// A button of the mouse goes down.
    pub(crate) fn press(&mut self, button: Button, shown: &Shown) -> Vec<Command> {
        let (at, layout) = (self.pointer, self.layout(shown));
        if button == Button::Right {
            return if layout.cover(at).is_some() { Vec::new() } else { vec![self.push(shown)] };
        }
        if layout.is_time(at) {
            self.drag = Some(Drag::Time);
            return self.time_here(shown);
        }
        self.drag = Some(if layout.cover(at).is_some() {
            if let Some(row) = layout.param_at(at) {
                self.param = row;
            }
            Drag::Panel
        } else {
            Drag::World { from: at, last: at }
        });
        Vec::new()
    }

    /// The left button goes up.
    pub(crate) fn release(&mut self, shown: &Shown) -> Vec<Command> {
        match self.drag.take() {
            Some(Drag::World { from, last }) if from == last => {
                let agent = self.agent_here(shown);
                if agent.is_some() {
                    self.group = None;
                }
                vec![Command::Select(agent)]
            }
            _ => Vec::new(),
        }
    }

    /// The wheel turns; positive is away from the person.
    pub(crate) fn wheel(&mut self, by: f32, shown: &Shown) -> Vec<Command> {
        let layout = self.layout(shown);
        if let Some(row) = layout.param_at(self.pointer) {
            self.param = row;
            return self.tune(shown, if by > 0.0 { 1.0 } else { -1.0 });
        }
        match layout.cover(self.pointer) {
            None => {
                let factor = if by > 0.0 { ZOOM } else { 1.0 / ZOOM };
                let fit = self.fitting(shown);
                let zoomed = self.camera(shown).zoomed(factor, self.pointer, &fit);
                self.view = Some(zoomed);
            }
            Some(Cover::Help) => self.turn_page(by < 0.0),
            Some(_) => {}
        }
        Vec::new()
    }

    /// The window has another size.
    pub(crate) fn resized(&mut self, size: (u32, u32)) {
        self.size = size;
        self.view = self.view.map(|view| view.resized(size));
    }

    fn time_here(&self, shown: &Shown) -> Vec<Command> {
        let tick = self.layout(shown).tick_at(self.pointer, shown);
        vec![if tick > shown.end { Command::RunTo(tick) } else { Command::Seek(tick) }]
    }

    /// Who is at the pointer.
    fn agent_here(&self, shown: &Shown) -> Option<u32> {
        let camera = self.camera(shown);
        let agents = &shown.world.agents;
        let near = (0..agents.len()).filter_map(|row| {
            let distance = camera.pixel(agents.pos[row]).distance(self.pointer);
            let body = shown.world.agent(row).body().radius;
            (distance <= math::max(NEAR, camera.pixels(body))).then_some((distance, row))
        });
        let nearest = near.min_by(|left, right| left.0.total_cmp(&right.0))?;
        Some(agents.id[nearest.1])
    }

    /// Pushes those near the pointer away.
    fn push(&self, shown: &Shown) -> Command {
        Command::Push { at: self.pointed(shown), radius: self.camera(shown).units(PUSH) }
    }
}
