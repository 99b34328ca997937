//! The selected agent: why it decides as it does.

use flockwork_engine::math::{self, Vec2, percent, short_vector};
use flockwork_engine::sim::{Explanation, ForceShare, NOT_EXPLAINED, NextTurn};

use super::super::agent_rows::{self, AgentRow};
use super::super::area::Area;
use super::super::choice::Choice;
use super::super::code_words::{CodeWords, code_in};
use super::super::explain_text;
use super::super::explain_text::{
    BARS, CALL_LINE, FACT, GROUP_GAP, INDENT, NAME, TITLE, VALUE, call_position, explanation,
    facts, facts_height, headline, headline_bottom, height, legend, rows,
};
use super::super::panel::{Panel, Position, Scene};
use super::super::panel_drawing::{
    ButtonLook, group_dot, scroll_bar, section, word_button, word_button_width, writer,
};
use super::super::panel_states::PanelId;
use super::super::text_writer::{LINE, PAD, SIZE, SMALL, TextWriter};
use super::super::ui_command::UiCommand;
use super::super::view_state::{AbsentAgent, ViewState};
use super::super::widget::Widget;
use super::super::word_help;
use super::{comparison, predict};
use crate::draw::{Color, Palette, Picture, text_width};

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("agent"),
    position: Position::Column(|ui, state, width| {
        if state.next_turn.is_none() {
            return state.absent.as_ref().map(|_| ABSENT);
        }
        let next_turn = state.next_turn.as_deref()?;
        // Who predicts where the agent goes sees no forces.
        (!predict::PANEL.is_open(ui)).then(|| match comparison::has_table(ui, state) {
            true => FOLDED,
            false => full_height(state, next_turn, width),
        })
    }),
    widgets,
    draw,
    max_scroll: |scene| {
        if comparison::has_table(scene.ui, scene.state) {
            return 0.0;
        }
        let area = scene.layout.area(PANEL.id);
        let open = scene.state.next_turn.as_deref().zip(area);
        open.map_or(0.0, |(next_turn, area)| max_scroll(scene.state, next_turn, area))
    },
    needs_run: true,
    ..Panel::DEFAULT
};

/// Height of what a step of the wheel scrolls, in pixels.
const SCROLL: i32 = 3 * LINE as i32;

/// Height of the panel while only its title is shown, since the table of a comparison needs the room, in pixels.
const FOLDED: f32 = PAD + TITLE;

/// Height of the panel of an agent that is not in the world, in pixels.
const ABSENT: f32 = PAD + TITLE + LINE + Widget::MIN_SIDE + 1.0 + PAD;

/// Returns the button that goes to the nearest tick with an agent that is not in the world, and its words.
pub(in super::super) fn absent_button(absent: &AbsentAgent, area: Area) -> (String, Area) {
    let words = match absent.left_at {
        Some(_) => format!("back to tick {}, its last turn", absent.nearest),
        None => format!("go to its first tick, {}", absent.nearest),
    };
    let at = Vec2::new(area.min.x + PAD, area.min.y + PAD + TITLE + LINE + 1.0);
    let button = Area::new(at.x, at.y, word_button_width(&words), Widget::MIN_SIDE);
    (words, button)
}

/// Draws the panel of an agent that is not in the world at the shown tick.
fn draw_absent(picture: &mut Picture, scene: &Scene<'_>, absent: &AbsentAgent, area: Area) {
    let (palette, world) = (scene.palette(), &scene.state.world);
    section(picture, area, palette);
    let mut writer = writer(picture, area);
    let group = absent.group.as_ref().and_then(|name| world.names().group(name));
    if let Some(group) = group {
        let dot = Vec2::new(writer.left + 5.0, writer.base - 4.5);
        let color = palette.color_of(&world.groups, group).alpha(110);
        writer.picture.disc(dot, 5.0, color);
    }
    let group = absent.group.as_ref().map_or_else(String::new, |name| format!("  ·  {name}"));
    let title = format!("agent {}{group}", absent.id);
    writer.title(writer.left + 18.0, palette.quiet, &title);
    writer.gap(TITLE);
    let words = match absent.left_at {
        Some(tick) => format!("left the world at tick {tick}"),
        None => format!("is not in the world before tick {}", absent.nearest),
    };
    writer.line(SIZE, palette.ink, &words);
    let (words, button) = absent_button(absent, area);
    word_button(picture, palette, button, &words, ButtonLook::Plain);
}

/// Returns the height of the panel if there is room for all of it, in pixels.
fn full_height(state: &ViewState, next_turn: &NextTurn, width: f32) -> f32 {
    let [above, below] = sentences(state, width);
    height(next_turn, width) + agent_rows::height(&above) + agent_rows::height(&below)
}

/// Returns by how many pixels the panel is scrolled down.
fn scroll_offset(scene: &Scene<'_>, next_turn: &NextTurn, area: Area) -> f32 {
    math::min(scene.ui.panels.scroll(PANEL.id), max_scroll(scene.state, next_turn, area))
}

/// Returns by how many pixels the panel can be scrolled down.
fn max_scroll(state: &ViewState, next_turn: &NextTurn, area: Area) -> f32 {
    math::max(full_height(state, next_turn, area.width()) - area.height(), 0.0)
}

/// Returns the areas of the rows about a failure of two agents, and of the shares of the force. The tooltips of shares say what the
/// percentage means, and a click shows the line of the call, or the reference if it is on the name.
fn widgets(scene: &Scene<'_>, area: Area) -> Vec<Widget> {
    if let (None, Some(absent)) = (&scene.state.next_turn, &scene.state.absent) {
        let (_, button) = absent_button(absent, area);
        let tip = "go to the nearest tick with this agent";
        return vec![Widget::clickable(button, UiCommand::GoToAbsent).tip(tip)];
    }
    if comparison::has_table(scene.ui, scene.state) {
        let title = Widget::clickable(area, comparison::PANEL.toggle());
        return vec![title.tip("close the comparison, so that the forces on the agent have room")];
    }
    let Some(next_turn) = &scene.state.next_turn else { return Vec::new() };
    let (width, scroll) = (area.width(), scroll_offset(scene, next_turn, area));
    let by_wheel = |widget: Widget| widget.scrolls(PANEL.id, SCROLL);
    let mut widgets = vec![by_wheel(Widget::background(area))];
    let is_visible =
        |one: &Area| one.min.y >= area.min.y + PAD + TITLE - 4.0 && one.max.y <= area.max.y;
    for (number, line) in headline(next_turn, width).iter().enumerate() {
        let top = area.min.y + PAD + TITLE + number as f32 * LINE - scroll;
        for (from, to, name) in code_in(line, SIZE) {
            let left = area.min.x + PAD + from - 2.0;
            let word = Area::new(left, top - 3.0, to - from + 4.0, Widget::MIN_SIDE);
            let link = reference(word, name).filter(|_| is_visible(&word));
            widgets.extend(link.map(|(widget, tip)| by_wheel(widget.tip(tip))));
        }
    }
    let mut top = area.min.y + headline_bottom(next_turn, width) - scroll;
    let [above, below] = sentences(scene.state, width);
    let more = agent_rows::height(&above);
    let add_rows = |widgets: &mut Vec<Widget>, rows: Vec<AgentRow>, top: &mut f32| {
        for row in rows {
            let row_area = Area::new(area.min.x + 1.0, *top, width - 2.0, row.height);
            *top += row.height;
            let widget = match row.click {
                Some(click) => Widget::clickable(row_area, click),
                None => Widget::background(row_area),
            };
            widgets.extend(is_visible(&row_area).then(|| by_wheel(widget.tip(row.tip))));
        }
    };
    add_rows(&mut widgets, above, &mut top);
    let Some(all) = explanation(next_turn) else { return widgets };
    let mut top = area.min.y + headline_bottom(next_turn, width) + more - scroll;
    if !has_facts_last(scene) {
        top += facts_height(next_turn, width);
    }
    let shares = all.shares();
    for (index, (share, row)) in shares.iter().zip(rows(&shares, width)).enumerate() {
        let row_area = Area::new(area.min.x + 1.0, top, width - 2.0, row.height);
        top += row.height;
        if !is_visible(&row_area) {
            continue;
        }
        let fraction = share.fraction.filter(|_| !row.is_faint);
        let fraction = fraction.map(|part| meaning(share, part));
        let [name, rest] = split(row_area, row.is_faint);
        let word = share.call.and_then(|call| reference(name, call.primitive.name));
        let call_area = if word.is_some() { rest } else { row_area };
        widgets.extend(word.map(|(widget, tip)| {
            by_wheel(
                widget.tip(fraction.iter().cloned().chain([tip]).collect::<Vec<_>>().join(" ")),
            )
        }));
        let opens = call_position(share).map(|position| format!("A click shows {position}."));
        let widget = match opens {
            Some(_) => Widget::clickable(call_area, UiCommand::ShowCall(index)),
            None => Widget::background(call_area),
        };
        let words: Vec<String> = [fraction, opens].into_iter().flatten().collect();
        if !words.is_empty() {
            widgets.push(by_wheel(widget.tip(words.join(" "))));
        }
    }
    let end = top + agent_rows::height(&below);
    add_rows(&mut widgets, below, &mut top);
    top = end;
    let limits = next_turn.decision.as_ref().map(|one| explain_text::limits(one, width));
    for (number, (_, line)) in limits.unwrap_or_default().iter().enumerate() {
        let middle = top + (number as f32 + 0.5) * FACT;
        let line_area = Area::new(area.min.x + 1.0, middle - 12.0, width - 2.0, Widget::MIN_SIDE);
        let word = LIMITS.iter().find(|word| line.contains(**word));
        let link = word.filter(|_| is_visible(&line_area));
        let link = link.and_then(|word| reference(line_area, word));
        widgets.extend(link.map(|(widget, tip)| by_wheel(widget.tip(tip))));
    }
    widgets
}

/// Properties of agents that limit what they do.
const LIMITS: [&str; 2] = ["max_force", "max_speed"];

/// Returns a part that shows a word of the reference when it is clicked, and what its tooltip says, if the reference has the word.
fn reference(area: Area, word: &str) -> Option<(Widget, String)> {
    let number = word_help::number_of(word)?;
    let widget = Widget::clickable(area, UiCommand::Choose(Choice::Word(number)));
    Some((widget, format!("A click says what {word} is.")))
}

/// Divides the row of a share: into the name and what is beside it, or into the line with the name and the lines below it.
fn split(row: Area, is_one_line: bool) -> [Area; 2] {
    let Area { min, max } = row;
    let (x, y) = (min.x + PAD + BARS - 6.0, min.y + Widget::MIN_SIDE);
    if is_one_line {
        return [Area { min, max: Vec2::new(x, max.y) }, Area { min: Vec2::new(x, min.y), max }];
    }
    [Area { min, max: Vec2::new(max.x, y) }, Area { min: Vec2::new(min.x, y), max }]
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
    let star = if share.is_dominant { " * marks the one that matters most." } else { "" };
    format!("{what}, in its direction. The sum of all is 100 %.{star}")
}

/// Draws the panel of the selected agent.
fn draw(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let Some(next_turn) = &scene.state.next_turn else {
        return scene.state.absent.iter().for_each(|one| draw_absent(picture, scene, one, area));
    };
    let palette = scene.palette();
    section(picture, area, palette);
    let mut writer = writer(picture, area);
    let dot = Vec2::new(writer.left + 5.0, writer.base - 4.5);
    let own = palette.color_of(&scene.state.world.groups, next_turn.group);
    if writer.has_room() {
        group_dot(writer.picture, dot, 5.0, own, palette);
    }
    let followed = if scene.ui.is_following { "  ·  followed" } else { "" };
    let of_tick = match next_turn.tick {
        tick if tick == scene.state.world.tick => String::new(),
        tick => format!("  ·  at tick {tick}"),
    };
    let title = format!("agent {}  ·  {}{followed}{of_tick}", next_turn.id, next_turn.group_name);
    if comparison::has_table(scene.ui, scene.state) {
        let words = "show its forces";
        writer.up_to(writer.right, SMALL, palette.ink, words);
        writer.right -= text_width(words, SMALL) + 10.0;
        writer.title(writer.left + 18.0, palette.ink, &title);
        return;
    }
    writer.title(writer.left + 18.0, palette.ink, &title);
    writer.gap(TITLE);
    // The rest scrolls below the title.
    writer.start = writer.base;
    let scroll = scroll_offset(scene, next_turn, area);
    let last = max_scroll(scene.state, next_turn, area);
    writer.gap(-scroll);
    for line in headline(next_turn, area.width()) {
        writer.line(SIZE, palette.ink, &line);
    }
    writer.gap(GROUP_GAP);
    let [above, below] = sentences(scene.state, area.width());
    draw_rows(&mut writer, palette, &above, palette.highlight);
    let all_facts = |writer: &mut TextWriter<'_>| {
        named_lines(writer, palette, facts(next_turn, area.width()));
    };
    if !has_facts_last(scene) {
        all_facts(&mut writer);
    }
    match (&next_turn.decision, explanation(next_turn)) {
        // The headline already contains the error.
        (Err(_), _) => {}
        (Ok(decision), None) => {
            writer.wrapped(SMALL, palette.quiet, NOT_EXPLAINED);
            draw_rows(&mut writer, palette, &below, palette.edge);
            named_lines(&mut writer, palette, explain_text::limits(decision, area.width()));
        }
        (Ok(decision), Some(all)) => {
            calls(&mut writer, palette, all, area.width());
            draw_rows(&mut writer, palette, &below, palette.edge);
            named_lines(&mut writer, palette, explain_text::limits(decision, area.width()));
            for line in legend(all, area.width()) {
                writer.at(writer.left, SMALL, palette.quiet, &line);
                writer.gap(CALL_LINE);
            }
        }
    }
    if has_facts_last(scene) {
        all_facts(&mut writer);
    }
    let track = area.between(area.min.y + PAD + TITLE, area.max.y - PAD / 2.0);
    let height = track.height();
    scroll_bar(picture, palette, track, scroll..scroll + height, height + last);
}

/// Returns the rows that are sentences: those above the forces, and those below.
fn sentences(state: &ViewState, width: f32) -> [Vec<AgentRow>; 2] {
    [agent_rows::rows(state, width), agent_rows::rows_below(state, width)]
}

/// Draws rows that are sentences, beside a line.
fn draw_rows(writer: &mut TextWriter<'_>, palette: &Palette, rows: &[AgentRow], line: Color) {
    let top = writer.base;
    for row in rows {
        let below = writer.base + row.height;
        let indent = if row.is_indented { agent_rows::INDENT } else { 0.0 };
        let color = if row.is_quiet { palette.quiet } else { palette.ink };
        let mut code = CodeWords::default();
        writer.gap(ROW_BASE);
        for line in &row.lines {
            if writer.has_room() {
                let at = Vec2::new(writer.left + indent, writer.base);
                code.draw(writer.picture, at, SMALL, color, line);
            }
            writer.gap(agent_rows::NEXT_LINE);
        }
        writer.base = below;
    }
    let from = math::max(top - LINE + 6.0, writer.start - LINE + 6.0);
    let to = math::min(writer.base - LINE + 4.0, writer.end);
    if !rows.is_empty() && from < to {
        let left = writer.left - PAD + 2.0;
        let (min, max) = (Vec2::new(left, from), Vec2::new(left + 3.0, to));
        writer.picture.fill_rect(min, max, line);
    }
    writer.base = top + agent_rows::height(rows);
}

/// Distance of the base line of a row of text from where other lines have it, in pixels, so that it is in the middle of what is clicked.
const ROW_BASE: f32 = 3.0;

/// Draws the shares of the force, each with a bar, its numbers and its cause; `*` marks the dominant one.
fn calls(writer: &mut TextWriter<'_>, palette: &Palette, all: &Explanation, width: f32) {
    let shares = all.shares();
    let has_percent = shares.iter().any(|share| share.fraction.is_some());
    let sizes = shares.iter().map(bar_size);
    let ends = [writer.left + BARS, writer.right - Bars::NUMBERS];
    let bars = Bars::new(sizes, if has_percent { 1.0 } else { f32::MIN_POSITIVE }, ends);
    for (share, row) in shares.iter().zip(rows(&shares, width)) {
        let below = writer.base + row.height;
        let color = palette.share(share);
        if row.is_faint {
            writer.gap(ROW_BASE);
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
        bars.draw(writer, palette, color, bar_size(share));
        let star = if share.is_dominant { " *" } else { "" };
        let name = format!("{}{star}", share.name());
        writer.at(writer.left + INDENT, SIZE, palette.ink, &name);
        if let Some(part) = share.fraction {
            writer.up_to(writer.right, SIZE, palette.ink, &percent(part));
        }
        writer.gap(NAME);
        let left = writer.left + INDENT;
        for (name, value) in numbers(share) {
            writer.named(left, SMALL, [palette.quiet, palette.ink], name, &value);
            writer.gap(CALL_LINE);
        }
        for line in &row.reason {
            writer.at(left, SMALL, palette.quiet, line);
            writer.gap(CALL_LINE);
        }
        writer.base = below;
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
    /// The x coordinate of zero, in pixels: the same for all agents and ticks.
    zero: f32,
    /// Pixels for each unit of size.
    scale: f32,
}

impl Bars {
    /// The part of the width of the bars that is to the left of zero.
    const AGAINST: f32 = 0.25;
    /// Width of the numbers to the right of the bars, in pixels.
    const NUMBERS: f32 = 52.0;

    /// Returns bars between two x coordinates, at whose scale bars of some sizes have room, and one of the size `least`.
    fn new(sizes: impl Iterator<Item = f32>, least: f32, [from, to]: [f32; 2]) -> Self {
        let zero = (from + (to - from) * Self::AGAINST).round();
        let [mut against, mut along] = [f32::MIN_POSITIVE, least];
        for size in sizes {
            (against, along) = (math::max(against, -size), math::max(along, size));
        }
        Self { zero, scale: math::min((to - zero) / along, (zero - from) / against) }
    }

    /// Draws a bar, and the part of the line of zero in its row.
    fn draw(&self, writer: &mut TextWriter<'_>, palette: &Palette, color: Color, size: f32) {
        if writer.has_room() {
            let (base, end) = (writer.base, self.zero + size * self.scale);
            let (left, right) = (math::min(self.zero, end), math::max(self.zero, end));
            let (min, max) = (Vec2::new(left, base - 8.0), Vec2::new(right, base - 1.0));
            writer.picture.fill_rect(min, max, color.alpha(200));
            let (min, max) = (Vec2::new(self.zero, base - 12.0), Vec2::new(self.zero, base + 3.0));
            writer.picture.fill_rect(min, max + Vec2::X, palette.quiet);
        }
    }
}

/// Returns the size of the bar of a share: the percentage beside it. It is negative if the share points against the force.
fn bar_size(share: &ForceShare<'_>) -> f32 {
    share.fraction.unwrap_or_else(|| math::length(share.force))
}

/// Returns the numbers of a share, each with its name.
fn numbers(share: &ForceShare<'_>) -> Vec<(&'static str, String)> {
    let first = match share.call {
        _ if share.is_of_velocity => ("changes the velocity by", short_vector(share.force)),
        Some(call) if !call.has_share => ("returned", short_vector(call.raw)),
        Some(_) => ("force", share.product()),
        None => ("computed by the script", share.product()),
    };
    let wants = share.call.and_then(|call| call.desired_velocity);
    let wants = wants.map(|wants| ("wants the velocity", short_vector(wants)));
    [Some(first), wants].into_iter().flatten().collect()
}

/// Writes lines with names, such as the facts, or what the limits of the body leave of the force.
fn named_lines(
    writer: &mut TextWriter<'_>,
    palette: &Palette,
    lines: impl IntoIterator<Item = (&'static str, String)>,
) {
    for (name, value) in lines {
        writer.at(writer.left, SMALL, palette.quiet, name);
        writer.at(writer.left + VALUE, SMALL, palette.ink, &value);
        writer.gap(FACT);
    }
    writer.gap(GROUP_GAP);
}

/// Returns whether the facts are below the forces: for an audience, everything is so large that only the first ones have room.
fn has_facts_last(scene: &Scene<'_>) -> bool {
    scene.ui.presented.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The line of zero moved from tick to tick, and agents without a share against the force had none.
    #[test]
    fn zero_is_where_it_is_whatever_the_shares_are() {
        let ends = [100.0, 300.0];
        let cases: [&[f32]; 4] = [&[0.5, 0.5], &[1.5, -0.5], &[3.0, -2.0], &[]];
        for sizes in cases {
            let bars = Bars::new(sizes.iter().copied(), 1.0, ends);
            assert_eq!(bars.zero, 150.0, "{sizes:?}");
            for size in sizes {
                let end = bars.zero + size * bars.scale;
                assert!((99.99..=300.01).contains(&end), "{sizes:?}: {end}");
            }
        }
    }
}
