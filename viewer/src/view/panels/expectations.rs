//! The expectations of the scenario: whether each one holds so far, and how far it is from failing. A click on one that has
//! failed goes to its first failure.

use flockwork_engine::live::ListedExpectation;
use flockwork_engine::math::{self, Vec2, short};
use flockwork_engine::{ExpectationState, Failure, Margin, Standing};

use super::super::area::Area;
use super::super::command::PlayerCommand;
use super::super::first_failure::FirstFailure;
use super::super::key::Key;
use super::super::panel::{Escape, Opening, Panel, PanelKey, Position, Scene};
use super::super::panel_drawing::{BUTTON_GAP, ButtonLook, ground, word_button, writer};
use super::super::panel_states::PanelId;
use super::super::plot::PlotSource;
use super::super::terms::{MARGIN, NEARLY_FAILED, NOT_JUDGED_YET};
use super::super::text_writer::{PAD, SMALL};
use super::super::ui::Ui;
use super::super::ui_command::UiCommand;
use super::super::view_state::ViewState;
use super::super::widget::Widget;
use crate::draw::{Color, Palette, Pen, Picture, text_width};

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("expectations"),
    opening: Opening::ByHand,
    key: Some(PanelKey {
        keys: &[Key::Char('a')],
        does: "what the scenario expects, and whether it holds",
        before: "follow",
    }),
    position: Position::Bottom(height),
    widgets,
    draw,
    escape: Escape::Last,
    on_toggle: |ui, is_open| {
        ui.overlays.expectations = is_open;
        Some(PlayerCommand::SetOverlays(ui.overlays))
    },
    max_scroll: |scene| scene.state.expectations.len().saturating_sub(1) as f32,
    needs_run: true,
    ..Panel::DEFAULT
};

/// Height of the title and of a row, in pixels.
const ROW: f32 = 24.0;
/// Height of what is below the rows, in pixels.
const FOOT: f32 = 4.0;
/// Width of a mark, in pixels.
const MARK: f32 = 22.0;
/// Width of the words beside the marks, in a window that is wide enough, in pixels.
const WORDS: f32 = 82.0;
const MIN_WIDTH: f32 = 700.0;
/// Width of the column of margins in a window that is wide enough, and in a narrow one, in pixels.
const MARGINS: [f32; 2] = [284.0, 150.0];
/// The label of the button beside a margin, and its width, in pixels.
const PLOT: &str = "plot";
const PLOT_WIDTH: f32 = 50.0;
/// The label of the button in the title, and the width of its box, in pixels.
const PAUSE: &str = "pause when one fails";
const BOX: f32 = 18.0;

/// Returns the height of the panel if there is room for all expectations, in pixels.
fn height(state: &ViewState) -> f32 {
    (state.expectations.len() + 1) as f32 * ROW + FOOT
}

/// An expectation that has a row.
struct Row<'s> {
    index: usize,
    expectation: &'s ListedExpectation,
    /// Its state, if that is known.
    state: Option<&'s ExpectationState>,
    area: Area,
}

impl Row<'_> {
    /// Returns what the expectation is and, if it is not clear, how it stands.
    fn words(&self) -> String {
        let text = &self.expectation.text;
        match self.state.map(|state| state.standing) {
            Some(Standing::NotYet) => format!("{text}; {}", NOT_JUDGED_YET.note()),
            Some(Standing::NearlyFailed) => format!("{text}; {}", NEARLY_FAILED.note()),
            _ => text.clone(),
        }
    }

    /// Returns the area of the button that plots the margin.
    fn plot(&self) -> Area {
        let right = self.area.max.x - BUTTON_GAP;
        let left = math::max(right - PLOT_WIDTH, self.area.min.x);
        Area { min: Vec2::new(left, self.area.min.y), max: Vec2::new(right, self.area.max.y) }
    }

    /// Returns the area of the margin.
    fn margin(&self) -> Area {
        let right = math::max(self.plot().min.x - BUTTON_GAP, self.area.min.x);
        let [wide, narrow] = MARGINS;
        let width = if self.has_words() { wide } else { narrow };
        let left = math::max(right - width, self.area.min.x);
        Area { min: Vec2::new(left, self.area.min.y), max: Vec2::new(right, self.area.max.y) }
    }

    /// Returns whether there is room for words.
    fn has_words(&self) -> bool {
        self.area.width() >= MIN_WIDTH
    }

    /// Returns the area of everything but the margin.
    fn rest(&self) -> Area {
        Area { max: Vec2::new(self.margin().min.x, self.area.max.y), ..self.area }
    }
}

fn rows<'s>(scene: &'s Scene<'_>, area: Area) -> Vec<Row<'s>> {
    let Scene { ui, state, .. } = scene;
    let count = ((area.max.y - area.min.y - FOOT) / ROW) as usize;
    let count = count.saturating_sub(1);
    let scroll = ui.panels.scroll(PANEL.id) as usize;
    let first = scroll.min(state.expectations.len().saturating_sub(count));
    let all = state.expectations.iter().enumerate().skip(first).take(count);
    let row = |(row, (index, expectation))| Row {
        index,
        expectation,
        state: state.judged.as_ref().and_then(|judged| judged.get(index)),
        area: Area::new(
            area.min.x + 1.0,
            area.min.y + (row + 1) as f32 * ROW,
            area.width() - 2.0,
            ROW,
        ),
    };
    all.enumerate().map(row).collect()
}

/// Returns the area of the button in the title.
fn pause_area(area: Area) -> Area {
    let width = BOX + text_width(PAUSE, SMALL) + 2.0 * PAD;
    let left = math::max(area.max.x - width, area.min.x);
    Area::new(left, area.min.y, area.max.x - left, ROW)
}

fn widgets(scene: &Scene<'_>, area: Area) -> Vec<Widget> {
    let scrolls = |widget: Widget| widget.scrolls(PANEL.id, 1);
    let pause = Widget::clickable(pause_area(area), UiCommand::PauseOnFailure)
        .tip("pause when an expectation fails, on or off");
    let mut all = vec![scrolls(Widget::background(area)), pause];
    for row in rows(scene, area) {
        let failure = row.state.and_then(|state| state.failure.as_ref());
        all.push(scrolls(match failure {
            Some(failure) => Widget::clickable(row.rest(), UiCommand::GoToFailure(row.index))
                .tip(failure_tip(failure)),
            None => Widget::background(row.rest()).tip(row.words()),
        }));
        let margin = row.state.map(|state| state.margin).filter(|margin| margin.value.is_some());
        all.push(scrolls(match margin {
            Some(margin) => {
                Widget::clickable(row.margin(), UiCommand::GoToWorst(row.index)).tip(format!(
                    "go to tick {}, where the margin was smallest; {}",
                    margin.tick,
                    MARGIN.note()
                ))
            }
            None => {
                Widget::background(row.margin()).tip(format!("no margin so far; {}", MARGIN.note()))
            }
        }));
        let plot = Widget::clickable(row.plot(), UiCommand::PlotMargin(row.index));
        all.push(scrolls(plot.tip(format!("plot this margin over time; {}", MARGIN.note()))));
    }
    all
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let Scene { state, .. } = scene;
    let palette = scene.palette();
    ground(picture, area, palette);
    let button = pause_area(area);
    let mut writer = writer(picture, area);
    writer.base = area.min.y + 16.5;
    writer.right = button.min.x - 8.0;
    let left = writer.left;
    writer.title(left, palette.ink, &title(state));
    let at = Vec2::new(button.min.x + PAD + 5.0, button.min.y + ROW / 2.0);
    check_box(writer.picture, at, state.pauses_on_failure, palette);
    writer.right = area.max.x;
    writer.at(button.min.x + PAD + BOX, SMALL, palette.ink, PAUSE);
    for row in rows(scene, area) {
        writer.base = row.area.min.y + 16.5;
        writer.right = area.max.x - PAD;
        let standing = row.state.map(|state| state.standing);
        let color = match standing {
            Some(Standing::Failed) => palette.highlight,
            Some(Standing::Passing | Standing::NearlyFailed) => palette.ink,
            Some(Standing::NotYet) | None => palette.quiet,
        };
        if let Some(standing) = standing {
            let color = if standing == Standing::Passing { palette.good } else { color };
            let at = Vec2::new(left + 6.0, row.area.min.y + ROW / 2.0);
            mark(writer.picture, at, standing, color);
            if row.has_words() {
                writer.at(left + MARK, SMALL, color, word(standing));
            }
        }
        let begin = left + MARK + if row.has_words() { WORDS } else { 0.0 };
        let Area { min, max } = row.plot();
        // The rows have no distance.
        let inner = Area { min: min + Vec2::new(0.0, 2.0), max: max - Vec2::new(0.0, 2.0) };
        word_button(writer.picture, palette, inner, PLOT, ButtonLook::Plain);
        if let Some(state) = row.state {
            let is_over = scene.state.world.tick >= scene.state.scenario_ticks;
            let words = margin_words(state, row.has_words(), is_over);
            writer.up_to(row.margin().max.x - 4.0, SMALL, color, &words);
        }
        writer.right = row.margin().min.x - 6.0;
        if let Some(failure) = row.state.and_then(|state| state.failure.as_ref()) {
            let agents = failure.agents().map(|agents| format!(", {agents}"));
            let words = format!("tick {}{}", failure.tick, agents.unwrap_or_default());
            writer.up_to(writer.right, SMALL, color, &words);
            writer.right -= text_width(&words, SMALL) + 8.0;
        }
        writer.at(begin, SMALL, color, &row.expectation.text);
    }
}

impl Ui {
    /// Plots the margin of an expectation that fails, opens the expectations at its row, and selects the agent for which it
    /// fails.
    pub(crate) fn show_failure(&mut self, failure: &FirstFailure) -> Vec<PlayerCommand> {
        let mut commands = PANEL.set_open(self, true);
        self.panels.state_mut(PANEL.id).scroll = failure.index as f32;
        commands.push(self.show_plot(Some(PlotSource::from(failure))));
        commands.extend(failure.agent.map(|agent| PlayerCommand::Select(Some(agent))));
        commands
    }
}

fn title(state: &ViewState) -> String {
    match summary(state) {
        Some((words, _)) => words,
        None => "the scenario has no expectations".to_owned(),
    }
}

/// Returns a short summary of the expectations at this tick, and whether one has failed. `None` if there are none.
pub(in super::super) fn summary(state: &ViewState) -> Option<(String, bool)> {
    let count = state.expectations.len();
    if count == 0 {
        return None;
    }
    let all = if count == 1 { "1 expectation".to_owned() } else { format!("{count} expectations") };
    let Some(judged) = &state.judged else {
        return Some(match state.judged_to {
            _ if !state.is_judging => (format!("{all}, not judged"), false),
            Some(tick) => (format!("{all}: judging earlier ticks, now {tick}"), false),
            None => (all, false),
        });
    };
    let with = |standing| judged.iter().filter(|one| one.standing == standing).count();
    let (failed, later) = (with(Standing::Failed), with(Standing::NotYet));
    let is_over = state.world.tick >= state.scenario_ticks;
    let so_far = match state.changed_at {
        _ if !is_over => "so far",
        None => "in the whole run",
        Some(_) => "in a run with edits",
    };
    let holding = count - failed - later;
    let later_words = if is_over { "not judged" } else { NOT_JUDGED_YET.word };
    let verb = if holding == 1 { "holds" } else { "hold" };
    let parts = [
        (failed, "failed".to_owned()),
        (holding, format!("{verb} {so_far}")),
        (later, later_words.to_owned()),
    ];
    let words = match parts.iter().find(|(number, _)| *number == count) {
        Some((_, words)) => format!("{all} {words}"),
        None => {
            let parts = parts.iter().filter(|(number, _)| *number > 0);
            let parts: Vec<_> = parts.map(|(number, words)| format!("{number} {words}")).collect();
            format!("{all}: {}", parts.join(", "))
        }
    };
    // Most expectations cannot fail any more then.
    let words = match state.empty_since.filter(|_| holding > 0) {
        Some(tick) => format!("{words}; no agents were left from tick {tick} on"),
        None => words,
    };
    Some((words, failed > 0))
}

/// Returns whether an expectation is only judged at a later tick.
pub(super) fn has_later(state: &ViewState) -> bool {
    let is_over = state.world.tick >= state.scenario_ticks;
    let mut judged = state.judged.iter().flat_map(|judged| judged.iter());
    !is_over && judged.any(|one| one.standing == Standing::NotYet)
}

fn word(standing: Standing) -> &'static str {
    match standing {
        Standing::NotYet => "not yet",
        Standing::Passing => "passing",
        Standing::NearlyFailed => "nearly failed",
        Standing::Failed => "failed",
    }
}

/// Returns the smallest margin up to the shown tick and its tick; in a narrow window, in short.
fn margin_words(state: &ExpectationState, has_room: bool, is_over: bool) -> String {
    let Margin { value, tick, unit, .. } = state.margin;
    let Some(value) = value else { return String::new() };
    let unit = if has_room && !unit.is_empty() { format!(" {unit}") } else { String::new() };
    if value < 0.0 {
        return format!("fails by {}{unit} at tick {tick}", short(-value));
    }
    let so_far = if is_over || !has_room { "" } else { " so far" };
    format!("worst{so_far} {}{unit} at tick {tick}", short(value))
}

/// Returns what a failure is, and what a click on it does.
pub(super) fn failure_tip(failure: &Failure) -> String {
    let (first, other) = failure.first_and_other();
    let select = first.map(|agent| format!(" and select agent {agent}"));
    let other = other.map(|agent| format!("; agent {agent} has a dashed ring"));
    let (select, other) = (select.unwrap_or_default(), other.unwrap_or_default());
    let cause = failure.cause().map(|cause| format!("; {cause}")).unwrap_or_default();
    format!("{}{cause}; go to tick {}{select}{other}", failure.message, failure.tick)
}

/// Draws the mark of an expectation that has failed.
pub(super) fn failed_mark(picture: &mut Picture, at: Vec2, color: Color) {
    mark(picture, at, Standing::Failed, color);
}

/// Draws a tick, a triangle, a cross or a ring.
fn mark(picture: &mut Picture, at: Vec2, standing: Standing, color: Color) {
    let pen = Pen::new(color, 1.8);
    let mut line = |points: &[(f32, f32)], closed: bool| {
        let points: Vec<Vec2> = points.iter().map(|(x, y)| at + Vec2::new(*x, *y)).collect();
        picture.line(&points, closed, pen);
    };
    match standing {
        Standing::Passing => line(&[(-5.0, 0.0), (-1.5, 4.0), (5.0, -4.5)], false),
        Standing::NearlyFailed => line(&[(0.0, -5.0), (5.5, 4.5), (-5.5, 4.5)], true),
        Standing::Failed => {
            line(&[(-4.5, -4.5), (4.5, 4.5)], false);
            line(&[(-4.5, 4.5), (4.5, -4.5)], false);
        }
        Standing::NotYet => picture.circle(at, 4.0, Pen::new(color, 1.2)),
    }
}

fn check_box(picture: &mut Picture, at: Vec2, is_on: bool, palette: &Palette) {
    let half = Vec2::splat(5.5);
    let (a, b) = (at - half, at + half);
    let corners = [a, Vec2::new(b.x, a.y), b, Vec2::new(a.x, b.y)];
    picture.line(&corners, true, Pen::new(palette.ink, 1.2));
    if is_on {
        mark(picture, at, Standing::Passing, palette.ink);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_margin_is_that_so_far_until_the_scenario_ends() {
        let unit = "world units/s^2";
        let margin = Margin { value: Some(-0.2232), tick: 15_000, unit, latest: None };
        let state = ExpectationState { standing: Standing::Failed, margin, failure: None };
        let words = margin_words(&state, true, false);
        assert_eq!(words, "fails by 0.2232 world units/s^2 at tick 15000");
        assert!(text_width(&words, SMALL) < MARGINS[0] - 4.0, "{}", text_width(&words, SMALL));
        let words = margin_words(&state, true, true);
        assert_eq!(words, "fails by 0.2232 world units/s^2 at tick 15000");
        let words = margin_words(&state, false, false);
        assert_eq!(words, "fails by 0.2232 at tick 15000");
    }
}
