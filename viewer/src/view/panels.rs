//! The panels over the world: the time bar, the params, and messages.

use std::time::{Duration, Instant};

use flockwork_engine::math::{self, Vec2};

use super::command::speed_factor;
use super::layout::{Area, Layout};
use super::text_writer::{LINE, PAD, SIZE, SMALL, TextWriter, cut, wrap};
use super::tune;
use super::ui::Ui;
use super::view_state::{Notice, Task, ViewState};
use crate::draw::{Anchor, Palette, Pen, Picture, text, text_width};

/// A task of the player that takes longer than this is shown.
pub(super) const LONG_TASK: Duration = Duration::from_millis(700);

/// Returns a writer that starts at the top of a panel.
pub(super) fn writer(picture: &mut Picture, area: Area) -> TextWriter<'_> {
    TextWriter {
        picture,
        left: area.min.x + PAD,
        right: area.max.x - PAD,
        base: area.min.y + PAD + SIZE,
        end: area.max.y - PAD / 2.0,
    }
}

/// Draws the background and the frame of a panel.
pub(super) fn ground(picture: &mut Picture, area: Area, palette: &Palette) {
    picture.fill_rect(area.min, area.max, palette.panel);
    frame(picture, area, Pen::new(palette.edge.alpha(140), 1.0));
}

fn frame(picture: &mut Picture, area: Area, pen: Pen) {
    let (a, b) = (area.min + Vec2::splat(0.5), area.max - Vec2::splat(0.5));
    let corners = [a, Vec2::new(b.x, a.y), b, Vec2::new(a.x, b.y)];
    picture.line(&corners, true, pen);
}

/// Draws the strip at the bottom: the play icon, the tick, the time bar and the speed.
pub(super) fn time_bar(picture: &mut Picture, ui: &Ui, state: &ViewState) {
    let (layout, palette) = (ui.layout(state), ui.palette());
    let strip = layout.strip;
    picture.fill_rect(strip.min, strip.max, palette.panel);
    let line = [strip.min, Vec2::new(strip.max.x, strip.min.y)];
    picture.line(&line, false, Pen::new(palette.edge.alpha(140), 1.0));
    let middle = layout.time.min.y + 18.0;

    play_icon(
        picture,
        Vec2::new(22.0, middle),
        palette,
        state.is_playing || state.target.is_some(),
    );
    let at = Vec2::new(42.0, middle - 2.0);
    let tick = format!("tick {}", state.world.tick);
    text(picture, at, Anchor::Left, SIZE, palette.ink, &tick);
    let seconds = format!("{:.2} s", state.world.time());
    let at = Vec2::new(42.0, middle + 14.0);
    text(picture, at, Anchor::Left, SMALL, palette.quiet, &seconds);

    let right = strip.max.x - 14.0;
    let at = Vec2::new(right, middle - 2.0);
    text(picture, at, Anchor::Right, SIZE, palette.ink, &pace_text(state));
    let at = Vec2::new(right, middle + 14.0);
    text(picture, at, Anchor::Right, SMALL, palette.quiet, "h for help");
    progress_bar(picture, &layout, state, palette);
    margins(picture, &layout, ui, state);
}

/// Draws the margin of an expectation over time, and where it is zero.
fn margins(picture: &mut Picture, layout: &Layout, ui: &Ui, state: &ViewState) {
    let (Some(area), Some(track)) = (layout.margins, ui.margins(state)) else {
        return;
    };
    let palette = ui.palette();
    // Zero is always in sight.
    let (mut low, mut high) = (0.0, 0.0);
    for &(_, margin) in &track.values {
        low = math::min(low, margin);
        high = math::max(high, margin);
    }
    let height = area.max.y - area.min.y;
    let range = math::max(high - low, f32::MIN_POSITIVE);
    let y_of = |margin: f32| area.max.y - 4.0 - (margin - low) / range * (height - 8.0);
    let zero = [Vec2::new(area.min.x, y_of(0.0)), Vec2::new(area.max.x, y_of(0.0))];
    picture.line(&zero, false, Pen { dash: Some(4.0), ..Pen::new(palette.quiet, 1.0) });
    // At most one point for each pixel: the lowest margin there.
    let mut points: Vec<Vec2> = Vec::new();
    for &(tick, margin) in &track.values {
        let at = Vec2::new(layout.place_of(tick, state).round(), y_of(margin));
        match points.last_mut() {
            Some(last) if last.x == at.x => last.y = math::max(last.y, at.y),
            _ => points.push(at),
        }
    }
    picture.line(&points, false, Pen::new(palette.ink, 1.5));
    let failed = layout.place_of(track.failed_at, state);
    let line = [Vec2::new(failed, area.min.y), Vec2::new(failed, area.max.y)];
    picture.line(&line, false, Pen::new(palette.highlight, 1.5));
    let now = layout.place_of(state.world.tick, state);
    if let Some(margin) = track.at(state.world.tick) {
        picture.disc(Vec2::new(now, y_of(margin)), 4.0, palette.ink);
        let value = format!("{margin:.3} {}", track.unit);
        let at = Vec2::new(14.0, area.min.y + 34.0);
        text(picture, at, Anchor::Left, SMALL, palette.ink, &value);
    }
    let name = track.expectation.split('(').next().unwrap_or_default();
    let at = Vec2::new(14.0, area.min.y + 18.0);
    text(picture, at, Anchor::Left, SMALL, palette.quiet, &format!("margin of {name}"));
    let failure = format!("fails at {}", track.failed_at);
    let at = Vec2::new(layout.strip.max.x - 14.0, area.min.y + 18.0);
    text(picture, at, Anchor::Right, SMALL, palette.quiet, &failure);
}

/// Returns the speed, or the tick that the player runs to.
fn pace_text(state: &ViewState) -> String {
    match state.target {
        Some(target) => format!("to tick {target}"),
        None => speed(state.speed, state.reached_share),
    }
}

/// Returns the label of a speed, given as a power of 2. If the run cannot keep up, `reached` is the share of the
/// speed that it reaches, and the label starts with the actual speed.
pub(super) fn speed(power: i32, reached: Option<f64>) -> String {
    let set = if power < 0 { format!("1/{}x", 1 << -power) } else { format!("{}x", 1 << power) };
    let Some(share) = reached else { return format!("{set} speed") };
    let actual = share * speed_factor(power);
    // Two significant digits are enough.
    let digits = if actual < 0.1 {
        3
    } else if actual < 1.0 {
        2
    } else {
        usize::from(actual < 10.0)
    };
    format!("{actual:.digits$}x (set to {set})")
}

/// Draws the icon: two bars while time passes, a triangle while it is paused.
fn play_icon(picture: &mut Picture, at: Vec2, palette: &Palette, is_moving: bool) {
    if is_moving {
        for x in [-5.0, 2.0] {
            let corner = at + Vec2::new(x, -7.0);
            picture.fill_rect(corner, corner + Vec2::new(4.0, 14.0), palette.ink);
        }
    } else {
        let corners = [(-5.0, -7.0), (7.0, 0.0), (-5.0, 7.0)].map(|(x, y)| at + Vec2::new(x, y));
        picture.polygon(&corners, palette.ink);
    }
}

fn progress_bar(picture: &mut Picture, layout: &Layout, state: &ViewState, palette: &Palette) {
    let area = layout.time;
    let middle = ((area.min.y + area.max.y) / 2.0).round();
    let strip = |picture: &mut Picture, from: f32, to: f32, half: f32, color| {
        let (min, max) = (Vec2::new(from, middle - half), Vec2::new(to, middle + half));
        picture.fill_rect(min, max, color);
    };
    let (left, right) = (area.min.x, area.max.x);
    strip(picture, left, right, 3.0, palette.solid);
    let played = layout.place_of(state.last_tick, state);
    strip(picture, left, played, 3.0, palette.quiet);
    let ghost = state.ghost.as_ref().and_then(|ghost| ghost.ticks());
    if let Some((from, to)) = ghost {
        let (from, to) = (layout.place_of(from, state), layout.place_of(to, state));
        let (min, max) = (Vec2::new(from, middle + 5.0), Vec2::new(to, middle + 7.0));
        picture.fill_rect(min, max, palette.ghost);
    }
    for edit in state.edits.iter().filter(|edit| **edit > state.first_tick) {
        let x = layout.place_of(*edit, state);
        strip(picture, x - 1.0, x + 1.0, 7.0, palette.highlight);
    }
    if let Some(target) = state.target {
        let x = layout.place_of(target, state);
        picture.circle(Vec2::new(x, middle), 6.0, Pen::new(palette.ink, 1.5));
    }
    let x = layout.place_of(state.world.tick, state);
    picture.disc(Vec2::new(x, middle), 7.0, palette.ink);
    picture.disc(Vec2::new(x, middle), 4.5, palette.ground);
}

/// Draws the messages in the upper left corner, below the error panel: a task that takes long, recent notices, and
/// digits that are being typed; also what scripts printed.
pub(super) fn messages(
    picture: &mut Picture,
    ui: &Ui,
    state: &ViewState,
    busy: Option<(Task, Duration)>,
) {
    let palette = ui.palette();
    let layout = ui.layout(state);
    let width = layout.left(ui.size) - 20.0;
    let mut top = layout.error.map_or(10.0, |area| area.max.y + 6.0);
    if let Some((task, time)) = busy.filter(|(_, time)| *time >= LONG_TASK) {
        let what = match task {
            Task::Tick => "computing this tick",
            Task::Reload => "trying the edited files",
            Task::Explain => "explaining the decision",
            Task::Save => "writing files",
        };
        let words = format!("{what}: {:.1} s so far", time.as_secs_f32());
        top = banner(picture, palette, &words, true, 255, top, width);
    }
    let now = Instant::now();
    for notice in state.notices.iter().rev().take(4) {
        let age = now.saturating_duration_since(notice.at);
        if age >= Notice::DURATION {
            continue;
        }
        let left = (Notice::DURATION - age).as_secs_f32();
        let alpha = (math::min(left, 1.0) * 255.0) as u8;
        top = banner(picture, palette, &notice.text, notice.is_failure, alpha, top, width);
    }
    if !ui.digits.is_empty() {
        let words = format!("run to tick {}_ (press enter)", ui.digits);
        banner(picture, palette, &words, false, 255, top, width);
    }
    script_messages(picture, ui, state);
}

/// Draws a message on its own background and returns the y coordinate for the next one.
fn banner(
    picture: &mut Picture,
    palette: &Palette,
    words: &str,
    is_failure: bool,
    alpha: u8,
    top: f32,
    width: f32,
) -> f32 {
    let lines = wrap(words, SIZE, math::max(width - 2.0 * PAD, 60.0));
    let widest = lines.iter().map(|line| text_width(line, SIZE)).fold(0.0, math::max);
    let min = Vec2::new(10.0, top);
    let max = min + Vec2::new(widest + 2.0 * PAD, lines.len() as f32 * LINE + 12.0);
    let faded = |color: crate::draw::Color| {
        color.alpha((u16::from(color.alpha) * u16::from(alpha) / 255) as u8)
    };
    picture.fill_rect(min, max, faded(palette.panel));
    let side = if is_failure { palette.highlight } else { palette.group(2) };
    picture.fill_rect(min, Vec2::new(min.x + 3.0, max.y), faded(side));
    for (i, line) in lines.iter().enumerate() {
        let at = Vec2::new(min.x + PAD, min.y + 6.0 + LINE * (i as f32 + 0.75));
        text(picture, at, Anchor::Left, SIZE, faded(palette.ink), line);
    }
    max.y + 6.0
}

/// Draws what scripts printed, above the strip.
fn script_messages(picture: &mut Picture, ui: &Ui, state: &ViewState) {
    let palette = ui.palette();
    let bottom = ui.layout(state).strip.min.y - 40.0;
    let count = state.messages.len();
    for (i, message) in state.messages.iter().enumerate() {
        let y = bottom - (count - 1 - i) as f32 * 16.0;
        let at = Vec2::new(math::max(ui.size.0 as f32 / 2.0 - 200.0, 10.0), y);
        let words = cut(&message.to_string(), SMALL, ui.size.0 as f32 - at.x - 10.0);
        let width = text_width(&words, SMALL);
        let (min, max) = (Vec2::new(-4.0, -12.0), Vec2::new(width + 4.0, 4.0));
        picture.fill_rect(at + min, at + max, palette.panel);
        text(picture, at, Anchor::Left, SMALL, palette.quiet, &words);
    }
}

/// Draws the params of a group and marks the one that the keys change.
pub(super) fn params(picture: &mut Picture, ui: &Ui, state: &ViewState) {
    let palette = ui.palette();
    let layout = ui.layout(state);
    let Some(area) = layout.params else {
        return;
    };
    ground(picture, area, palette);
    let (group, params) = ui.params(state);
    let name = &state.world.group(group).name;
    let mut writer = writer(picture, area);
    let dot = Vec2::new(writer.left + 5.0, writer.base - 4.0);
    writer.picture.disc(dot, 5.0, palette.group(group.0.into()));
    writer.at(writer.left + 18.0, SIZE + 1.0, palette.ink, &format!("params of {name}"));
    writer.base = area.min.y + Layout::HEAD + 14.0;
    let knobs = tune::knobs(params);
    if knobs.is_empty() {
        writer.line(SMALL, palette.quiet, "this group has no params to change here");
    }
    let rows = knobs.iter().enumerate();
    for (i, knob) in rows.filter(|(i, _)| layout.rows.contains(i)) {
        if i == ui.param.min(knobs.len() - 1) {
            let min = Vec2::new(area.min.x + 1.0, writer.base - 14.0);
            let max = Vec2::new(area.max.x - 1.0, min.y + Layout::ROW);
            writer.picture.fill_rect(min, max, palette.group(0).alpha(50));
        }
        writer.at(writer.left, SIZE, palette.ink, &knob.name());
        writer.up_to(writer.right, SIZE, palette.ink, &knob.value_text(params));
        writer.base += Layout::ROW;
    }
    writer.base = area.max.y - 12.0;
    writer.end = area.max.y;
    let how = "- = or wheel: change; o: write to scenario";
    if !knobs.is_empty() {
        writer.at(writer.left, SMALL, palette.quiet, how);
    }
}
