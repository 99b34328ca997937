//! The status line at the lower edge: whether the expectations hold, the number of agents, the ticks per second that are
//! reached, and what is slow if the window cannot keep up. At its end are the buttons of panels.

use std::time::Duration;

use flockwork_engine::math::{self, Vec2};
use flockwork_engine::world::{AgentId, GroupId};

use super::super::area::Area;
use super::super::keys::key_of;
use super::super::panel::{Panel, PanelButton, Position, Scene};
use super::super::panel_drawing::{BUTTON_GAP, ButtonLook, word_button};
use super::super::panel_states::PanelId;
use super::super::sample::Sample;
use super::super::terms::NOT_JUDGED_YET;
use super::super::text_writer::{PAD, SMALL, cut};
use super::super::ui::Ui;
use super::super::ui_command::UiCommand;
use super::super::view_state::{Pacing, ViewState};
use super::super::widget::Widget;
use super::expectations;
use super::legend::group_digits;
use crate::draw::{Anchor, Pen, Picture, text, text_width};

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("status"),
    position: Position::Own(|scene| Some(scene.layout.status)),
    widgets,
    draw,
    ..Panel::DEFAULT
};

/// Distance of the words of a button from its edges, in pixels.
const BUTTON_PAD: f32 = 8.0;
/// The separator of two parts of the line.
const GAP: &str = "  ·  ";
/// With less room than this, there are no words, in pixels.
const MIN_WORDS: f32 = 60.0;
/// Radius of the mark of a button, in pixels.
const MARK: f32 = 3.5;
/// Drawing that takes longer than this makes motion uneven: 30 frames per second.
const SLOW_FRAME: Duration = Duration::from_millis(33);
/// Simulating is the slow part if it takes at least this share of the time.
const MOST: f64 = 0.5;

/// Returns the status in words.
pub(in super::super) fn words(ui: &Ui, state: &ViewState, sample: Sample) -> String {
    if state.is_waiting {
        return "no run yet".to_owned();
    }
    let (agents, frame) = (state.world.agents.len(), ui.frame_time);
    let mut words = expectations::summary(state).map_or_else(String::new, |(words, _)| words + GAP);
    words += &format!("{} agent{}", group_digits(agents), if agents == 1 { "" } else { "s" });
    let is_hidden = |group: &&GroupId| ui.is_hidden(state, **group);
    match state.world.agents.group.iter().filter(is_hidden).count() {
        0 => {}
        hidden => words += &format!(", {} hidden", group_digits(hidden)),
    }
    if sample.every > 1 {
        words += &format!("  ·  forces and trails of 1 in {}", group_digits(sample.every));
    }
    let is_zero = |(_, force): &(AgentId, Vec2)| *force == Vec2::ZERO;
    if ui.overlays.forces && !state.forces.is_empty() && state.forces.iter().all(is_zero) {
        words += "  ·  no agent wants a force";
    }
    if ui.overlays.field && state.next_turn.is_none() {
        words += "  ·  select an agent to see its force around it";
    }
    if state.reads_pointer {
        let key = key_of(UiCommand::TogglePointer);
        words += &match ui.has_pointer {
            true => format!("  ·  scripts see the pointer ({key}: not)"),
            false => "  ·  the pointer is hidden from scripts".to_owned(),
        };
    }
    if ui.follows_agents(state) {
        words += "  ·  the view follows the agents";
    }
    words += &ui.pile_words(state);
    words += &outside(ui, state);
    if let Some(condition) = &state.pause_when {
        words += &format!("  ·  pauses when {condition}");
    }
    let ms = |seconds: f64| {
        let ms = seconds * 1000.0;
        if ms < 10.0 { format!("{ms:.1} ms") } else { format!("{ms:.0} ms") }
    };
    if !state.is_playing && state.target.is_none() {
        return words;
    }
    if let Some(pacing) = state.pacing.filter(|_| ui.presented.is_none()) {
        let Pacing { ticks_per_s, tick_s, wanted_per_s } = pacing;
        let reached = ticks_per_s.round();
        words += &match wanted_per_s.filter(|_| state.reached_share.is_some()) {
            Some(wanted) => format!("  ·  {reached} of {} ticks/s", wanted.round()),
            None => format!("  ·  {reached} ticks/s"),
        };
        if state.reached_share.is_some() && tick_s * ticks_per_s >= MOST {
            words += &format!("  ·  simulating is slow: {} a tick", ms(tick_s));
        } else if state.reached_share.is_some() && frame < SLOW_FRAME {
            words += "  ·  preparing the picture is slow";
        }
    }
    // An audience need not know it.
    if frame >= SLOW_FRAME && ui.presented.is_none() {
        words += &format!("  ·  drawing is slow: {} a frame", ms(frame.as_secs_f64()));
    }
    words
}

/// Most agents that are looked for in the view.
const MAX_LOOKED_FOR: usize = 10_000;

/// Says that hardly any agents are in the view that the person has chosen.
fn outside(ui: &Ui, state: &ViewState) -> String {
    let agents = &state.world.agents;
    if !ui.has_moved_view() || agents.len() > MAX_LOOKED_FOR {
        return String::new();
    }
    let (camera, (width, height)) = (ui.camera(state), ui.layout(state).world);
    let world = Area::new(0.0, 0.0, width as f32, height as f32);
    let inside = agents.positions().filter(|at| world.contains(camera.pixel(*at))).count();
    let outside = agents.len() - inside;
    if outside == 0 || inside * 10 > agents.len() {
        return String::new();
    }
    let (outside, fit) = (group_digits(outside), key_of(UiCommand::Fit));
    format!("  ·  {outside} outside of the view ({fit}: show all)")
}

/// Returns the area of what is said about the expectations, if there are any: the beginning of the line.
fn expectations_area(scene: &Scene<'_>, area: Area) -> Option<Area> {
    let (words, _) = expectations::summary(scene.state)?;
    let room = area.width() - buttons_width(scene);
    let width = math::min(text_width(&words, SMALL) + 2.0 * PAD, room);
    (room >= MIN_WORDS).then(|| Area::new(area.min.x, area.min.y, width, area.height()))
}

/// Returns the buttons of panels that have something to show.
fn buttons<'s>(
    scene: &Scene<'s>,
) -> impl Iterator<Item = (&'static Panel, &'static PanelButton)> + use<'s> {
    let state = scene.state;
    let buttons = scene.panels.iter().filter_map(|panel| Some((*panel, panel.button.as_ref()?)));
    let has_run = |panel: &Panel| !(state.is_waiting && panel.needs_run);
    buttons.filter(move |(panel, button)| has_run(panel) && (button.is_useful)(state))
}

/// Returns the width of a button, in pixels.
fn button_width(button: &PanelButton) -> f32 {
    (text_width(button.words, SMALL) + 2.0 * BUTTON_PAD).ceil()
}

/// Returns the width of all buttons with the gaps before and after them, in pixels.
fn buttons_width(scene: &Scene<'_>) -> f32 {
    let widths = buttons(scene).map(|(_, button)| button_width(button) + BUTTON_GAP / 2.0);
    widths.sum::<f32>() + PAD
}

/// Returns the areas of the buttons, at the end of the line.
fn button_areas(
    scene: &Scene<'_>,
    area: Area,
) -> Vec<(&'static Panel, &'static PanelButton, Area)> {
    let mut left = area.max.x - buttons_width(scene);
    let button_area = |(panel, button): (&'static Panel, &'static PanelButton)| {
        let (start, width) = (left + BUTTON_GAP / 2.0, button_width(button));
        left = start + width;
        (panel, button, Area::new(start, area.min.y, width, area.height()))
    };
    buttons(scene).map(button_area).collect()
}

fn widgets(scene: &Scene<'_>, area: Area) -> Vec<Widget> {
    let expectations = expectations_area(scene, area).map(|area| {
        let widget = Widget::clickable(area, expectations::PANEL.toggle());
        match expectations::has_later(scene.state) {
            true => widget.tip(format!("what the scenario expects; {}", NOT_JUDGED_YET.note())),
            false => widget,
        }
    });
    let buttons = button_areas(scene, area).into_iter();
    let buttons = buttons.map(|(panel, button, area)| {
        let widget = match panel.opens_by {
            Some(opens) if !panel.is_open(scene.ui) => Widget::clickable(area, opens),
            Some(_) => {
                Widget::clickable(area, panel.toggle()).tip(format!("close: {}", button.words))
            }
            None => Widget::clickable(area, panel.toggle()),
        };
        match (button.to_do)(scene.ui) {
            Some(words) => widget.tip(words),
            None => widget,
        }
    });
    expectations.into_iter().chain(buttons).collect()
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let palette = scene.palette();
    picture.fill_rect(area.min, area.max, palette.panel);
    let top = [area.min, Vec2::new(area.max.x, area.min.y)];
    picture.line(&top, false, Pen::new(palette.edge, 1.0));
    let right = area.max.x - buttons_width(scene);
    for (panel, button, area) in button_areas(scene, area) {
        let inset = Vec2::new(0.0, 3.0);
        let area = Area { min: area.min + inset, max: area.max - inset };
        let look = ButtonLook::on(panel.is_open(scene.ui));
        word_button(picture, palette, area, button.words, look);
        if (button.to_do)(scene.ui).is_some() {
            let corner = Vec2::new(area.max.x - MARK, area.min.y + MARK);
            picture.disc(corner, MARK, palette.highlight);
        }
    }
    if right - area.min.x < MIN_WORDS {
        return;
    }
    let words = words(scene.ui, scene.state, scene.sample);
    let words = cut(&words, SMALL, right - area.min.x - 2.0 * PAD + 0.5);
    let at = Vec2::new(area.min.x + PAD, area.max.y - 10.5);
    text(picture, at, Anchor::Left, SMALL, palette.quiet, &words);
    // A failure is written over it in its own color.
    if let Some((failed, true)) = expectations::summary(scene.state)
        && words.starts_with(&failed)
    {
        text(picture, at, Anchor::Left, SMALL, palette.highlight, &failed);
    }
}
