//! The strip at the bottom: the buttons for time and speed, the tick, and the time bar.

use flockwork_engine::Failure;
use flockwork_engine::math::{Vec2, short};

use super::super::area::Area;
use super::super::command::{counts_ticks, speed_factor};
use super::super::icon::Icon;
use super::super::layout::{Layout, all_ends};
use super::super::panel::{Panel, Position, Scene};
use super::super::panel_drawing::{ButtonLook, word_button, word_button_width};
use super::super::panel_states::PanelId;
use super::super::text_writer::{SIZE, SMALL};
use super::super::ui_command::UiCommand;
use super::super::view_state::ViewState;
use super::super::widget::{Widget, row_of};
use super::{expectations, help};
use crate::draw::{Anchor, Palette, Pen, Picture, text, text_width};

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("time_bar"),
    position: Position::Own(|scene| Some(scene.layout.strip)),
    widgets,
    draw,
    needs_run: true,
    ..Panel::DEFAULT
};

/// Size of a button, in pixels.
const BUTTON: Vec2 = Vec2::new(31.0, 34.0);
/// Distance of the buttons from the edges of the window, in pixels.
const EDGE: f32 = 6.0;
/// Width of the speed, in pixels.
pub(in super::super) const SPEED: f32 = 140.0;
/// Width of the tick, in pixels.
const TICK: f32 = 90.0;
/// What the button says that ends a zoom, and its distance from the time bar, with room for the sign that there is more time, in pixels.
const ALL: &str = "all";
const ALL_GAP: f32 = 18.0;
/// Edits that are nearer to each other than this share a mark, in pixels.
const EDIT_DISTANCE: f32 = 3.0;

/// The areas of what is beside or below the time bar; `None` without room.
struct StripAreas {
    transport: [Area; 5],
    tick: Option<Area>,
    /// To the right: slower, the speed, faster, the help.
    speed: Option<[Area; 4]>,
    /// While some ticks are not shown: the button that shows all.
    all: Option<Area>,
}

fn strip_areas(layout: &Layout) -> StripAreas {
    let top =
        layout.controls.min.y + (layout.controls.max.y - layout.controls.min.y - BUTTON.y) / 2.0;
    let transport: [Area; 5] = row_of(Vec2::new(EDGE, top), BUTTON);
    let left = transport[4].max.x;
    let right = layout.controls.max.x - EDGE;
    let wide = 3.0 * BUTTON.x + SPEED;
    let speed = (right - left >= wide).then(|| {
        let mut x = right - wide;
        [BUTTON.x, SPEED, BUTTON.x, BUTTON.x].map(|width| {
            let area = Area::new(x, top, width, BUTTON.y);
            x += width;
            area
        })
    });
    let end = speed.map_or(right, |[slower, ..]| slower.min.x);
    let tick = (end - left >= TICK).then(|| Area::new(left + 8.0, top, TICK - 8.0, BUTTON.y));
    let width = word_button_width(ALL);
    // In a narrow window, it is below the time bar.
    let beside = [layout.time.max.x + ALL_GAP, tick.map_or(left, |tick| tick.max.x)];
    let place = beside.into_iter().find(|left| left + width <= end - 2.0);
    let top = top + (BUTTON.y - Widget::MIN_SIDE) / 2.0;
    let all = place.map(|left| Area::new(left, top, width, Widget::MIN_SIDE));
    StripAreas { transport, tick, speed, all: all.filter(|_| layout.shown_ticks.is_some()) }
}

fn widgets(scene: &Scene<'_>, _: Area) -> Vec<Widget> {
    let Scene { state, layout, .. } = scene;
    let mut words = tick_words(scene);
    if let Some(edits) = edit_words(layout, state, scene.ui.pointer.x) {
        words = format!("{words}; {edits}");
    }
    let mut all = vec![slider(layout.time, words)];
    all.extend(failures(layout, state).map(|(failure, area)| {
        let text = &state.expectations[failure.expectation].text;
        Widget::clickable(area, UiCommand::GoToFailure(failure.expectation))
            .tip(format!("`{text}` fails: {}", expectations::failure_tip(failure)))
    }));
    let StripAreas { transport: [first, back, play, forward, last], speed, tick, all: zoom_end } =
        strip_areas(layout);
    let play_icon = if is_moving(state) { Icon::Pause } else { Icon::Play };
    all.extend([
        Widget::button(first, Icon::First, UiCommand::FirstTick),
        Widget::button(back, Icon::Back, UiCommand::StepBack),
        Widget::button(play, play_icon, UiCommand::TogglePause),
        Widget::button(forward, Icon::Forward, UiCommand::StepForward),
        Widget::button(last, Icon::Last, UiCommand::LastTick),
    ]);
    if let Some((hash, label)) = state.hash.zip(tick) {
        let words = format!(
            "the state of this tick has the hash {hash:016x}, as in a run without a window"
        );
        all.push(Widget::background(label).tip(words));
    }
    if let Some(area) = zoom_end {
        let tip = "show all ticks; the same: double click on the time bar";
        all.push(Widget::clickable(area, UiCommand::ShowAllTime).tip(tip));
    }
    if let Some([slower, normal, faster, help]) = speed {
        all.extend([
            Widget::button(slower, Icon::Slower, UiCommand::Slower),
            Widget::clickable(normal, UiCommand::NormalSpeed),
            Widget::button(faster, Icon::Faster, UiCommand::Faster),
            Widget::button(help, Icon::Help, help::PANEL.toggle()),
        ]);
    }
    all
}

/// Returns a widget as wide as the time bar that goes to the tick under the pointer, with a tooltip.
pub(super) fn slider(area: Area, words: String) -> Widget {
    Widget::clickable(area, UiCommand::GoToPointer)
        .tip(words)
        .slider()
        .wheel(UiCommand::ZoomTime(1), UiCommand::ZoomTime(-1))
}

/// Returns the tick under the pointer and its time, and what the mouse does there.
fn tick_words(scene: &Scene<'_>) -> String {
    let tick = scene.layout.tick_at(scene.ui.pointer, scene.state);
    let seconds = tick as f64 * f64::from(scene.state.world.dt);
    let how = match scene.layout.shown_ticks {
        Some(_) => "wheel: zoom; double click: all",
        None => "wheel: zoom",
    };
    let mut words = format!("tick {tick}: {seconds:.2} s ({how})");
    let now = scene.state.world.tick;
    if !scene.layout.shows_tick(now, scene.state) {
        words += &format!("; the world is at tick {now}");
    }
    words
}

/// Returns the failures that are known, with the areas of their marks: above the bar, where the first one is in front.
fn failures<'s>(
    layout: &'s Layout,
    state: &'s ViewState,
) -> impl Iterator<Item = (&'s Failure, Area)> {
    let mut all: Vec<&Failure> = state.failures.iter().collect();
    all.retain(|one| state.expectations.len() > one.expectation && one.tick >= state.first_tick);
    all.retain(|one| layout.shows_tick(one.tick, state));
    all.sort_by_key(|one| std::cmp::Reverse(one.tick));
    let side = Widget::MIN_SIDE;
    all.into_iter().map(move |failure| {
        let x = layout.x_of(failure.tick, state);
        (failure, Area::new(x - side / 2.0, layout.time.min.y - 6.0, side, side))
    })
}

/// Edits that are too close to each other for a mark each.
struct EditMark {
    first: u64,
    last: u64,
    count: usize,
}

impl EditMark {
    /// Returns the x coordinates between which the mark is drawn, in pixels.
    fn span(&self, layout: &Layout, state: &ViewState) -> [f32; 2] {
        [layout.x_of(self.first, state) - 1.0, layout.x_of(self.last, state) + 1.0]
    }
}

/// Returns the marks of edits on the time bar, from the left.
fn edit_marks(layout: &Layout, state: &ViewState) -> Vec<EditMark> {
    let mut marks: Vec<EditMark> = Vec::new();
    let is_shown = |edit: &&u64| **edit > state.first_tick && layout.shows_tick(**edit, state);
    for &edit in state.edits.iter().filter(is_shown) {
        let x = layout.x_of(edit, state);
        match marks.last_mut() {
            Some(mark) if x - layout.x_of(mark.last, state) < EDIT_DISTANCE => {
                mark.last = edit;
                mark.count += 1;
            }
            _ => marks.push(EditMark { first: edit, last: edit, count: 1 }),
        }
    }
    marks
}

/// Describes the mark of edits at an x coordinate of the time bar, if there is one.
fn edit_words(layout: &Layout, state: &ViewState, x: f32) -> Option<String> {
    let marks = edit_marks(layout, state).into_iter();
    let mut near = marks.filter(|mark| {
        let [left, right] = mark.span(layout, state);
        (left - EDIT_DISTANCE..right + EDIT_DISTANCE).contains(&x)
    });
    let EditMark { first, last, count } = near.next()?;
    Some(match count {
        1 => format!("an edit took effect at tick {first}"),
        _ => format!("{count} edits took effect from tick {first} to {last}"),
    })
}

fn is_moving(state: &ViewState) -> bool {
    state.is_playing || state.target.is_some()
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, strip: Area) {
    let (state, layout, palette) = (scene.state, &scene.layout, scene.palette());
    picture.fill_rect(strip.min, strip.max, palette.panel);
    let line = [strip.min, Vec2::new(strip.max.x, strip.min.y)];
    picture.line(&line, false, Pen::new(palette.edge.alpha(140), 1.0));
    let areas = strip_areas(layout);
    if let Some(area) = areas.tick {
        let at = area.min + Vec2::new(0.0, 15.0);
        let tick = format!("tick {}", state.world.tick);
        text(picture, at, Anchor::Left, SIZE, palette.ink, &tick);
        let seconds = format!("{:.2} s", state.world.time());
        let at = at + Vec2::new(0.0, 15.0);
        text(picture, at, Anchor::Left, SMALL, palette.quiet, &seconds);
    }
    if let Some([_, area, ..]) = areas.speed {
        let words = pace_text(state);
        let middle = (area.min.x + area.max.x - text_width(&words, SIZE)) / 2.0;
        let at = Vec2::new(middle.round(), area.min.y + 21.5);
        text(picture, at, Anchor::Left, SIZE, palette.ink, &words);
    }
    if let Some(area) = areas.all {
        word_button(picture, palette, area, ALL, ButtonLook::Plain);
    }
    progress_bar(picture, layout, state, palette);
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
    let played = layout.x_of(state.last_tick, state);
    strip(picture, left, played, 3.0, palette.quiet);
    let ghost = state.ghost.as_ref().and_then(|ghost| ghost.ticks());
    if let Some((from, to)) = ghost {
        let (from, to) = (layout.x_of(from, state), layout.x_of(to, state));
        let (min, max) = (Vec2::new(from, middle + 5.0), Vec2::new(to, middle + 7.0));
        picture.fill_rect(min, max, palette.ghost);
    }
    let end = state.scenario_ticks;
    if state.last_tick > end && layout.shows_tick(end, state) {
        let end = layout.x_of(end, state).round();
        let (min, max) = (Vec2::new(end, middle - 8.0), Vec2::new(end + 1.0, middle + 8.0));
        picture.fill_rect(min, max, palette.ink);
    }
    for mark in edit_marks(layout, state) {
        let [left, right] = mark.span(layout, state);
        strip(picture, left, right, 7.0, palette.highlight);
    }
    for (_, area) in failures(layout, state) {
        let (x, y) = ((area.min.x + area.max.x) / 2.0, area.min.y + 11.0);
        let line = [Vec2::new(x, y), Vec2::new(x, middle + 8.0)];
        picture.line(&line, false, Pen::new(palette.highlight, 1.5));
        expectations::failed_mark(picture, Vec2::new(x, y), palette.highlight);
    }
    if let Some(target) = state.target.filter(|target| layout.shows_tick(*target, state)) {
        let x = layout.x_of(target, state);
        picture.circle(Vec2::new(x, middle), 6.0, Pen::new(palette.ink, 1.5));
    }
    let knob = Vec2::new(layout.x_of(state.world.tick, state), middle);
    if layout.shows_tick(state.world.tick, state) {
        picture.disc(knob, 7.0, palette.ink);
        picture.disc(knob, 4.5, palette.ground);
    } else {
        // The tick of the world is beyond this end.
        let inward = if state.world.tick < layout.ends(state).0 { 12.0 } else { -12.0 };
        let corners = [Vec2::ZERO, Vec2::new(inward, -8.0), Vec2::new(inward, 8.0)];
        picture.polygon(&corners.map(|corner| knob + corner), palette.ink);
    }
    // There is more time beyond an end.
    let ((from, to), (first, last)) = (layout.ends(state), all_ends(state));
    let signs = [("<", left - 13.0, from > first), (">", right + 5.0, to < last)];
    for (sign, x, _) in signs.into_iter().filter(|(.., has_more)| *has_more) {
        text(picture, Vec2::new(x, middle + 4.5), Anchor::Left, SIZE, palette.ink, sign);
    }
}

/// Returns the speed, or the tick that the player runs to.
fn pace_text(state: &ViewState) -> String {
    match state.target {
        Some(target) => format!("to tick {target}"),
        None => speed(state.speed, state.reached_share, state.world.dt),
    }
}

/// Returns the label of a speed, given as a power of 2. If the run cannot keep up, `reached` is the share of the
/// speed that it reaches, and the label starts with the actual speed. If ticks are long, it counts them.
pub(in super::super) fn speed(power: i32, reached: Option<f64>, dt: f32) -> String {
    if counts_ticks(dt) {
        let set = (speed_factor(power) / f64::from(dt)) as f32;
        return match reached {
            Some(share) => format!("{} of {} ticks/s", rounded(share * f64::from(set)), short(set)),
            None => format!("{} ticks/s", short(set)),
        };
    }
    let set = if power < 0 { format!("1/{}x", 1 << -power) } else { format!("{}x", 1 << power) };
    let Some(share) = reached else { return format!("{set} speed") };
    let actual = share * speed_factor(power);
    format!("{}x (set to {set})", rounded(actual))
}

/// Returns a number with about two significant digits.
fn rounded(number: f64) -> String {
    let digits = if number < 0.1 {
        3
    } else if number < 1.0 {
        2
    } else {
        usize::from(number < 10.0)
    };
    format!("{number:.digits$}")
}
