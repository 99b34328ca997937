//! Explains the decision of the selected agent: its panel, and the arrows and lines in the world.

use flockwork_engine::math::{self, Vec2, percent, short, short_vector};
use flockwork_engine::sim::{
    CHANGED_BY_CONTACT, Decision, Explanation, ForceShare, NOT_EXPLAINED, NextTurn,
};

use super::explain_text::{
    BARS, CALL_GAP, CALL_LINE, FACT, FACTS_GAP, HEADLINE_GAP, INDENT, TITLE, VALUE, call_position,
    explanation, facts, headline, height, legend, rows, shares_top,
};
use super::frame::{Panel, Scene};
use super::layout::Area;
use super::panels::{ground, scroll_bar, writer};
use super::sample::Sample;
use super::text_writer::{LINE, PAD, SIZE, SMALL, TextWriter};
use super::ui::Ui;
use super::ui_command::UiCommand;
use super::view_state::ViewState;
use super::widget::Widget;
use crate::draw::{AgentMark, Camera, Color, Palette, Pen, Picture, arrow, arrows, ring};

/// Length of the longest arrow of an agent's forces, in pixels; it is longer for a large body.
const ARROW: f32 = 90.0;
/// The part of what the body is capable of from which on an arrow can be that long. Smaller forces have shorter arrows, so that a
/// tiny force does not look like a large one.
const LARGE: f32 = 0.125;

/// Draws the selected agent's goal, waypoint, seen neighbors and forces into the world.
pub(super) fn in_world(picture: &mut Picture, camera: &Camera, ui: &Ui, state: &ViewState) {
    // On the way to a tick, the explanation may be of another one.
    let Some(next_turn) = state.next_turn.as_ref().filter(|turn| turn.tick == state.world.tick)
    else {
        return;
    };
    if ui.is_hidden(state, next_turn.group) {
        return;
    }
    let palette = ui.palette();
    let own = palette.group(next_turn.group.0.into());
    let at = camera.pixel(next_turn.pos);
    if let Some(goal) = &next_turn.goal {
        let end =
            camera.pixel(next_turn.pos + state.world.space.offset(next_turn.pos, goal.goal.at));
        let pen = Pen { dash: Some(4.0), ..Pen::new(own, 1.0) };
        picture.line(&[at, end], false, pen);
        let radius = math::max(camera.pixels(goal.goal.radius), 4.0);
        picture.circle(end, radius, Pen::new(own, 1.5));
    }
    if let Some(waypoint) = &next_turn.waypoint {
        picture.circle(camera.pixel(waypoint.at), 7.0, Pen::new(own, 1.5));
    }
    let explanation = explanation(next_turn);
    for call in explanation.iter().flat_map(|all| &all.calls) {
        for id in call.seen.iter().flat_map(|seen| &seen.nearest) {
            let agents = &state.world.agents;
            if let Some(row) = agents.row(*id) {
                let to = state.world.space.offset(next_turn.pos, agents.pos(row));
                let end = camera.pixel(next_turn.pos + to);
                picture.line(&[at, end], false, Pen::new(own.alpha(45), 1.0));
            }
        }
    }
    let mark = AgentMark {
        pos: next_turn.pos,
        heading: next_turn.heading,
        radius: next_turn.body.radius,
        color: own,
    };
    let (space, count) = (&state.world.space, state.world.agents.len());
    let pen = Pen::new(palette.ink, 1.3);
    ring(picture, camera, space, &mark, count, pen);
    others(picture, camera, state, next_turn.id, Pen { dash: Some(4.0), ..pen });
    let Ok(decision) = &next_turn.decision else {
        return;
    };
    let reach = math::max(ARROW, camera.pixels(next_turn.body.radius) * 2.0);
    let shares = explanation.map(Explanation::shares).unwrap_or_default();
    // Forces and changes of the velocity have different units, so each has its own scale.
    let [force_scale, velocity_scale] = [false, true].map(|is_of_velocity| {
        let same = shares.iter().filter(|share| share.is_of_velocity == is_of_velocity);
        let (whole, most) = if is_of_velocity {
            (Vec2::ZERO, next_turn.body.max_speed)
        } else {
            (decision.wanted_force, next_turn.body.max_force)
        };
        let large = if most.is_finite() { LARGE * most } else { 0.0 };
        scale(same.map(|share| share.force).chain([whole, Vec2::new(large, 0.0)]), reach)
    });
    // The total is wide and pale, so that it stays visible below a single share.
    let whole = Pen::new(palette.ink.alpha(70), 6.0);
    arrow(picture, at, at + on_screen(decision.wanted_force, force_scale), whole);
    for (i, share) in shares.iter().enumerate().filter(|(_, share)| share.call.is_some()) {
        let scale = if share.is_of_velocity { velocity_scale } else { force_scale };
        let pen = Pen::new(palette.force(i), 2.0);
        arrow(picture, at, at + on_screen(share.force, scale), pen);
    }
}

/// Draws rings around the agents that have failed an expectation together with the selected one.
fn others(picture: &mut Picture, camera: &Camera, state: &ViewState, selected: u32, pen: Pen) {
    let agents = &state.world.agents;
    for failure in state.failures.iter() {
        let pair = [failure.agent, failure.other];
        let other =
            pair.iter().flatten().find(|id| **id != selected && pair.contains(&Some(selected)));
        let Some(row) = other.and_then(|id| agents.row(*id)) else { continue };
        let agent = state.world.agent(row);
        let mark = AgentMark {
            pos: agents.pos(row),
            heading: Vec2::X,
            radius: agent.body().radius,
            color: pen.color,
        };
        ring(picture, camera, &state.world.space, &mark, agents.len(), pen);
    }
}

/// Draws the forces of all agents as thin arrows.
pub(super) fn forces(
    picture: &mut Picture,
    camera: &Camera,
    ui: &Ui,
    state: &ViewState,
    sample: Sample,
) {
    let palette = ui.palette();
    let longest = state.forces.iter().map(|(_, force)| math::length(*force)).fold(0.0, math::max);
    if longest <= 0.0 {
        return;
    }
    let scale = ARROW / 2.0 / longest;
    let agents = &state.world.agents;
    let all = state.forces.iter().filter(|(id, _)| sample.has(*id)).filter_map(|(id, force)| {
        let row = agents.row(*id).filter(|row| !ui.is_hidden(state, agents.group[*row]))?;
        let at = camera.pixel(agents.pos(row));
        let color = palette.group(agents.group[row].0.into());
        let pen = Pen::new(color.alpha(200), 1.2);
        Some((at, at + on_screen(*force, scale), pen))
    });
    arrows(picture, &all.collect::<Vec<_>>());
}

/// Draws the force that the selected agent would choose at places around it.
pub(super) fn field(picture: &mut Picture, camera: &Camera, ui: &Ui, state: &ViewState) {
    let palette = ui.palette();
    let lengths = state.field.iter().map(|(_, force)| math::length(*force));
    let longest = lengths.fold(0.0, math::max);
    let [first, second, ..] = state.field.as_slice() else {
        return;
    };
    if longest <= 0.0 {
        return;
    }
    let step = camera.pixels(math::length(second.0 - first.0));
    for (place, force) in &state.field {
        let at = camera.pixel(*place);
        // The square root keeps short arrows visible beside long ones.
        let share = math::sqrt(math::length(*force) / longest);
        let along = Vec2::new(force.x, -force.y);
        let to = at + math::unit(along) * (step * 0.85 * share);
        arrow(picture, at, to, Pen::new(palette.ink.alpha(150), 1.2));
    }
}

pub(super) static PANEL: Panel =
    Panel { area: |scene| scene.layout.agent, widgets, draw: panel, is_solid: true };

/// Height of what a step of the wheel scrolls, in pixels.
const SCROLL: f32 = 3.0 * LINE;

/// Returns by how many pixels the panel is scrolled down.
fn scrolled(scene: &Scene<'_>, next_turn: &NextTurn, area: Area) -> f32 {
    math::min(scene.ui.explain_scroll, max_scroll(next_turn, area))
}

/// Returns by how many pixels the panel can be scrolled down.
fn max_scroll(next_turn: &NextTurn, area: Area) -> f32 {
    math::max(height(next_turn, area.width()) - (area.max.y - area.min.y), 0.0)
}

/// Returns the scroll of the panel after some steps down, or up if negative.
pub(super) fn scroll_after(ui: &Ui, state: &ViewState, steps: i32) -> f32 {
    let area = ui.layout(state).agent;
    let last = state.next_turn.as_deref().zip(area).map(|(one, area)| max_scroll(one, area));
    let last = last.unwrap_or_default();
    let now = math::min(ui.explain_scroll, last);
    math::max(math::min(now + steps as f32 * SCROLL, last), 0.0)
}

/// Returns the places of the shares of the force. Their tooltips say what the percentage means, and a click opens the line
/// of the call.
fn widgets(scene: &Scene<'_>, area: Area) -> Vec<Widget> {
    let Some((next_turn, all)) =
        scene.state.next_turn.as_ref().and_then(|one| Some((one, explanation(one)?)))
    else {
        return Vec::new();
    };
    let scroll = scrolled(scene, next_turn, area);
    let mut top = area.min.y + shares_top(next_turn, area.width()) - scroll;
    let shares = all.shares();
    let by_wheel = |widget: Widget| {
        widget.wheel(UiCommand::ScrollExplanation(-1), UiCommand::ScrollExplanation(1))
    };
    let mut widgets = vec![by_wheel(Widget::background(area))];
    for (index, (share, row)) in shares.iter().zip(rows(&shares, area.width())).enumerate() {
        let place = Area::new(area.min.x + 1.0, top, area.width() - 2.0, row.height);
        top += row.height;
        if place.min.y < area.min.y + PAD + TITLE || place.max.y > area.max.y {
            continue;
        }
        let fraction = share.fraction.filter(|_| !row.is_faint);
        let opens = call_position(share).map(|position| format!("A click opens {position}."));
        let is_link = opens.is_some();
        let words: Vec<String> =
            [fraction.map(|part| meaning(share, part)), opens].into_iter().flatten().collect();
        let widget = if is_link {
            Widget::place(place, UiCommand::OpenCall(index))
        } else {
            Widget::background(place)
        };
        if !words.is_empty() {
            widgets.push(by_wheel(widget.tip(words.join(" "))));
        }
    }
    widgets
}

/// Explains a percentage.
fn meaning(share: &ForceShare<'_>, fraction: f32) -> String {
    let (name, part) = (share.name(), percent(fraction));
    let whole = if share.is_of_velocity {
        "the change of velocity that the script makes"
    } else {
        "the force that is chosen"
    };
    let what = if fraction < 0.0 {
        format!("{part}: {name} pulls against {whole}")
    } else {
        format!("{part}: as much of {whole} comes from {name}")
    };
    let star = if share.is_dominant { " * marks the call that matters most." } else { "" };
    format!("{what}. It is measured along it, and the sum of all is 100 %.{star}")
}

/// Draws the panel of the selected agent.
fn panel(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let Some(next_turn) = &scene.state.next_turn else {
        return;
    };
    let palette = scene.palette();
    ground(picture, area, palette);
    let mut writer = writer(picture, area);
    let dot = Vec2::new(writer.left + 5.0, writer.base - 4.5);
    let own = palette.group(next_turn.group.0.into());
    writer.picture.disc(dot, 5.0, own);
    let followed = if scene.ui.is_following { "  ·  followed" } else { "" };
    let of_tick = match next_turn.tick {
        tick if tick == scene.state.world.tick => String::new(),
        tick => format!("  ·  at tick {tick}"),
    };
    let title = format!("agent {}  ·  {}{followed}{of_tick}", next_turn.id, next_turn.group_name);
    writer.at(writer.left + 18.0, SIZE + 1.5, palette.ink, &title);
    writer.gap(TITLE);
    // The rest scrolls below the title.
    writer.start = writer.base;
    let (scroll, last) = (scrolled(scene, next_turn, area), max_scroll(next_turn, area));
    writer.gap(-scroll);
    for line in headline(next_turn, area.width()) {
        writer.line(SIZE, palette.ink, &line);
    }
    writer.gap(HEADLINE_GAP);
    for (name, value) in facts(next_turn, area.width()) {
        writer.at(writer.left, SMALL, palette.quiet, name);
        writer.at(writer.left + VALUE, SMALL, palette.ink, &value);
        writer.gap(FACT);
    }
    writer.gap(FACTS_GAP);
    match (&next_turn.decision, explanation(next_turn)) {
        // The headline already contains the error.
        (Err(_), _) => {}
        (Ok(decision), None) => {
            writer.wrapped(SMALL, palette.quiet, NOT_EXPLAINED);
            limits(&mut writer, palette, decision);
        }
        (Ok(decision), Some(all)) => {
            calls(&mut writer, palette, all, area.width());
            limits(&mut writer, palette, decision);
            for line in legend(all, area.width()) {
                writer.at(writer.left, SMALL, palette.quiet, &line);
                writer.gap(CALL_LINE);
            }
        }
    }
    if last > 0.0 {
        let (top, end) = (area.min.y + PAD + TITLE, area.max.y - PAD / 2.0);
        let all = end - top + last;
        let at = |y: f32| top + y / all * (end - top);
        scroll_bar(picture, area, at(scroll)..at(scroll + end - top), palette);
    }
}

/// Draws the shares of the force, each with a bar, its numbers and its cause; `*` marks the dominant one.
fn calls(writer: &mut TextWriter<'_>, palette: &Palette, all: &Explanation, width: f32) {
    let shares = all.shares();
    // The length of a bar is the percentage beside it; there is always room for 100 %.
    let size =
        |share: &ForceShare<'_>| share.fraction.map_or_else(|| math::length(share.force), f32::abs);
    let is_against = |share: &&ForceShare<'_>| share.fraction.is_some_and(|part| part < 0.0);
    let longest = |of: &mut dyn Iterator<Item = &ForceShare<'_>>| of.map(size).fold(0.0, math::max);
    let against = longest(&mut shares.iter().filter(is_against));
    let along = longest(&mut shares.iter().filter(|share| !is_against(share)));
    let has_percent = shares.iter().any(|share| share.fraction.is_some());
    let along = if has_percent { math::max(along, 1.0) } else { along };
    // Bars go to the left and right of zero.
    let scale = Bars { against, all: math::max(against + along, f32::MIN_POSITIVE) };
    for (i, (share, row)) in shares.iter().zip(rows(&shares, width)).enumerate() {
        let color = share.call.map_or(palette.ghost, |_| palette.force(i));
        if row.is_faint {
            let below = writer.base + row.height;
            writer.gap(CALL_GAP / 2.0);
            mark(writer, color.alpha(110));
            writer.at(writer.left + INDENT, SIZE, palette.quiet, share.name());
            for line in &row.reason {
                writer.at(writer.left + BARS, SMALL, palette.quiet, line);
                writer.gap(CALL_LINE);
            }
            writer.base = below;
            continue;
        }
        mark(writer, color);
        scale.draw(writer, color, if is_against(&share) { -size(share) } else { size(share) });
        let star = if share.is_dominant { " *" } else { "" };
        let name = format!("{}{star}", share.name());
        writer.at(writer.left + INDENT, SIZE, palette.ink, &name);
        if let Some(part) = share.fraction {
            writer.up_to(writer.right, SIZE, palette.ink, &percent(part));
        }
        writer.gap(16.0);
        let left = writer.left + INDENT;
        let mut line = |words: &str| {
            writer.at(left, SMALL, palette.quiet, words);
            writer.gap(CALL_LINE);
        };
        match share.call {
            Some(call) if share.is_of_velocity || !call.has_share => line(&share.product()),
            Some(_) => line(&format!("force {}", share.product())),
            None => line(&format!("computed by the script: {}", share.product())),
        }
        if let Some(wants) = share.call.and_then(|call| call.desired_velocity) {
            line(&format!("it wants the velocity {}", short_vector(wants)));
        }
        if row.reason.is_empty() {
            writer.gap(CALL_LINE);
        }
        for line in &row.reason {
            writer.at(left, SMALL, palette.quiet, line);
            writer.gap(CALL_LINE);
        }
        writer.gap(CALL_GAP);
    }
}

/// Draws a small colored square before a name.
fn mark(writer: &mut TextWriter<'_>, color: Color) {
    if writer.has_room() {
        let mark = Vec2::new(writer.left, writer.base - 9.0);
        let end = mark + Vec2::new(6.0, 9.0);
        writer.picture.fill_rect(mark, end, color);
    }
}

/// The bars of the shares: to the right of zero what points along the force, to the left what points against it.
struct Bars {
    /// The longest share against the force, as a positive number.
    against: f32,
    /// The sum of the longest shares along and against the force.
    all: f32,
}

impl Bars {
    fn draw(&self, writer: &mut TextWriter<'_>, color: Color, size: f32) {
        if !writer.has_room() {
            return;
        }
        let base = writer.base;
        let (from, to) = (writer.left + BARS, writer.right - 52.0);
        let place = |x: f32| from + (to - from) * (self.against + x) / self.all;
        let (left, right) = (place(math::min(size, 0.0)), place(math::max(size, 0.0)));
        let (min, max) = (Vec2::new(left, base - 7.0), Vec2::new(right, base - 2.0));
        let alpha = if size < 0.0 { 110 } else { 200 };
        writer.picture.fill_rect(min, max, color.alpha(alpha));
        if self.against > 0.0 {
            let zero = place(0.0).round();
            let (min, max) = (Vec2::new(zero, base - 10.0), Vec2::new(zero + 1.0, base + 1.0));
            writer.picture.fill_rect(min, max, color.alpha(255));
        }
    }
}

/// Writes the force, what the limits of the body leave of it, and the next velocity.
fn limits(writer: &mut TextWriter<'_>, palette: &Palette, decision: &Decision) {
    let mut row = |name: &str, value: &str, note: &str| {
        writer.at(writer.left, SMALL, palette.quiet, name);
        let left = writer.left + VALUE;
        writer.at(left, SMALL, palette.ink, &format!("{value}{note}"));
        writer.gap(16.0);
    };
    let wanted = format!(
        "{}, length {}",
        short_vector(decision.wanted_force),
        short(math::length(decision.wanted_force))
    );
    row("force", &wanted, "");
    if decision.is_force_cut() {
        let cut = short(math::length(decision.force));
        row("cut to", &format!("{}, length {cut}", short_vector(decision.force)), " by max_force");
    }
    for cut in &decision.cuts {
        row("limit", &cut.to_string(), "");
    }
    let mut note = String::new();
    if decision.is_speed_cut() {
        note.push_str(", cut by max_speed");
    }
    if decision.next_vel != decision.vel {
        note = format!("{note}, {CHANGED_BY_CONTACT}");
    }
    row("next velocity", &short_vector(decision.next_vel), &note);
}

/// Returns the pixels per unit, so that the longest of the vectors is `reach` pixels long.
fn scale(all: impl Iterator<Item = Vec2>, reach: f32) -> f32 {
    let longest = all.map(math::length).fold(0.0, math::max);
    if longest > 0.0 { reach / longest } else { 0.0 }
}

/// Returns a force in pixels. The y axis of the world points up, that of the screen down.
fn on_screen(force: Vec2, scale: f32) -> Vec2 {
    Vec2::new(force.x, -force.y) * scale
}
