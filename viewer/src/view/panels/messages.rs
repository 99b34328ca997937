//! Messages: in an upper corner, a task that takes long, recent notices, and digits that are being typed; above the
//! time bar, what scripts printed.

use std::time::{Duration, Instant};

use flockwork_engine::math::{self, Vec2};

use super::super::area::Area;
use super::super::keys::key_of;
use super::super::layout::Layout;
use super::super::panel::{Panel, Position, Scene};
use super::super::panel_states::PanelId;
use super::super::text_writer::{LINE, PAD, SIZE, SMALL, cut, wrap};
use super::super::ui_command::UiCommand;
use super::super::view_state::{Notice, Task};
use crate::draw::{Anchor, Palette, Picture, text, text_width};

/// A task of the player that takes longer than this is shown.
pub(in super::super) const LONG_TASK: Duration = Duration::from_millis(700);

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("messages"),
    position: Position::Own(|scene| Some(area(scene))),
    draw,
    is_solid: false,
    ..Panel::DEFAULT
};

/// Returns where notices are: in the upper left corner, below an error.
fn area(scene: &Scene<'_>) -> Area {
    let layout = &scene.layout;
    Area {
        min: Vec2::new(Layout::GAP, layout.messages),
        max: Vec2::new(layout.world.0 as f32 - Layout::GAP, layout.bottom),
    }
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let Scene { ui, state, busy, .. } = scene;
    let palette = scene.palette();
    let mut corner = area.min;
    let mut banner = |words: &str, is_failure: bool, alpha: u8| {
        corner.y = banner(picture, palette, words, is_failure, alpha, corner, area.width());
    };
    if let Some((task, time)) = busy.filter(|(_, time)| *time >= LONG_TASK) {
        let what = match task {
            Task::Tick => "computing this tick",
            Task::Reload => "trying the edited files",
            Task::Explain => "explaining the decision",
            Task::Save => "writing files",
        };
        let words = format!("{what}: {:.1} s so far", time.as_secs_f32());
        banner(&words, true, 255);
    }
    if let Some(words) = &state.background_task {
        banner(words, false, 255);
    }
    let now = Instant::now();
    for notice in state.notices.iter().rev().take(4) {
        let age = now.saturating_duration_since(notice.at);
        if age >= Notice::DURATION {
            continue;
        }
        let left = (Notice::DURATION - age).as_secs_f32();
        let alpha = (math::min(left, 1.0) * 255.0) as u8;
        banner(&notice.text, notice.is_failure, alpha);
    }
    if !ui.digits.is_empty() {
        let words =
            format!("run to tick {}_ (press {})", ui.digits, key_of(UiCommand::RunToDigits));
        banner(&words, false, 255);
    }
    script_messages(picture, scene);
}

/// Draws a message on its own background and returns the y coordinate for the next one.
fn banner(
    picture: &mut Picture,
    palette: &Palette,
    words: &str,
    is_failure: bool,
    alpha: u8,
    min: Vec2,
    width: f32,
) -> f32 {
    let lines = wrap(words, SIZE, math::max(width - 2.0 * PAD, 60.0));
    let widest = lines.iter().map(|line| text_width(line, SIZE)).fold(0.0, math::max);
    let widest = math::min(widest, math::max(width - 2.0 * PAD, 60.0));
    let max = min + Vec2::new(widest + 2.0 * PAD, lines.len() as f32 * LINE + 12.0);
    let faded = |color: crate::draw::Color| {
        color.alpha((u16::from(color.alpha) * u16::from(alpha) / 255) as u8)
    };
    picture.fill_rect(min, max, faded(palette.panel));
    let side = if is_failure { palette.highlight } else { palette.group(2) };
    picture.fill_rect(min, Vec2::new(min.x + 3.0, max.y), faded(side));
    for (i, line) in lines.iter().enumerate() {
        let at = Vec2::new(min.x + PAD, min.y + 6.0 + LINE * (i as f32 + 0.75));
        // A path without spaces is not broken.
        let line = cut(line, SIZE, math::max(width - 2.0 * PAD, 60.0));
        text(picture, at, Anchor::Left, SIZE, faded(palette.ink), &line);
    }
    max.y + 6.0
}

/// Draws what scripts printed, above the strip.
fn script_messages(picture: &mut Picture, scene: &Scene<'_>) {
    let Scene { state, layout, .. } = scene;
    let palette = scene.palette();
    let bottom = layout.bottom - Layout::GAP - 4.0;
    let count = state.messages.len();
    for (i, message) in state.messages.iter().enumerate() {
        let y = bottom - (count - 1 - i) as f32 * 16.0;
        let room = layout.world.0 as f32;
        let at = Vec2::new(math::max(room / 2.0 - 200.0, 10.0), y);
        let words = cut(&message.to_string(), SMALL, room - at.x - 10.0);
        let width = text_width(&words, SMALL);
        let (min, max) = (Vec2::new(-4.0, -12.0), Vec2::new(width + 4.0, 4.0));
        picture.fill_rect(at + min, at + max, palette.panel);
        text(picture, at, Anchor::Left, SMALL, palette.quiet, &words);
    }
}
