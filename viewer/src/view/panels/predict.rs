//! Predicting: where will the selected agent be after some seconds or ticks? A click in the world answers, and the run shows how near it was.

use flockwork_engine::math::{Vec2, short};
use flockwork_engine::trace::Measure;

use super::super::area::Area;
use super::super::command::{PlayerCommand, counts_ticks, speed_factor};
use super::super::key::Key;
use super::super::keys::key_of;
use super::super::panel::{Escape, Opening, Panel, PanelKey, Position, Scene};
use super::super::panel_drawing::{ButtonLook, ground, word_button, word_buttons, writer};
use super::super::panel_states::PanelId;
use super::super::prediction::{SECONDS, ShownPrediction};
use super::super::text_writer::{PAD, SIZE};
use super::super::ui_command::UiCommand;
use super::super::view_state::ViewState;
use super::super::widget::Widget;
use crate::draw::Picture;

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("predict"),
    opening: Opening::ByHand,
    key: Some(PanelKey {
        keys: &[Key::Ctrl('g')],
        does: "predict where the selected agent will be: click the place, then play and see",
        before: "run_again",
    }),
    position: Position::Bottom(|_| HEIGHT),
    widgets,
    draw,
    escape: Escape::InTurn,
    on_toggle: |_, is_open| {
        Some(if is_open { PlayerCommand::Pause } else { PlayerCommand::Predict(None) })
    },
    needs_run: true,
    ..Panel::DEFAULT
};

const HEIGHT: f32 = 66.0;
/// The label of the button for another agent.
const OTHER: &str = "another agent";

/// Returns the times that a person can choose, in simulated seconds. A run that plays faster goes farther while a person watches it.
pub(in super::super) fn seconds(state: &ViewState) -> [f32; SECONDS.len()] {
    SECONDS.map(|seconds| seconds * speed_factor(state.speed.max(0)) as f32)
}

/// Returns the labels of the buttons for times: as long as a person watches it, or as many ticks as pass if these are long.
fn labels(state: &ViewState) -> [String; SECONDS.len()] {
    let seconds = seconds(state);
    std::array::from_fn(|number| match counts_ticks(state.world.dt) {
        true => simulated(state, seconds[number]),
        false => format!("{} s", SECONDS[number]),
    })
}

/// Returns the buttons, with their labels: the times, the one for another agent, and the one that ends it. Without an agent, only that.
fn buttons(state: &ViewState, area: Area) -> Vec<(String, Area)> {
    let at = Vec2::new(area.min.x + PAD, area.max.y - Widget::MIN_SIDE - 6.0);
    let end = format!("end ({})", key_of(PANEL.toggle()));
    let of_agent =
        state.next_turn.as_ref().map(|_| labels(state).into_iter().chain([OTHER.to_owned()]));
    word_buttons(at, of_agent.into_iter().flatten().chain([end]))
}

fn widgets(scene: &Scene<'_>, area: Area) -> Vec<Widget> {
    let state = scene.state;
    let seconds = seconds(state);
    let mut buttons = buttons(state, area);
    let end = buttons
        .pop()
        .map(|(_, area)| Widget::clickable(area, PANEL.toggle()).tip("end predicting"));
    let widget = |(number, (_, area)): (usize, (String, Area))| {
        let Some(watched) = SECONDS.get(number) else {
            return Widget::clickable(area, UiCommand::PredictOther).tip("predict another agent");
        };
        let time = simulated(state, seconds[number]);
        let at_speed = match seconds[number] == *watched || counts_ticks(state.world.dt) {
            true => String::new(),
            false => format!("{watched} s at this speed: "),
        };
        let tip = format!("{at_speed}predict where the agent is after {time}");
        Widget::clickable(area, UiCommand::PredictAfter(number)).tip(tip)
    };
    buttons.into_iter().enumerate().map(widget).chain(end).collect()
}

/// Returns what the person can do now, or what came of the guess.
pub(in super::super) fn words(scene: &Scene<'_>) -> String {
    let state = scene.state;
    let seconds = seconds(state)[scene.ui.predicted_time];
    match (&state.prediction, &state.next_turn) {
        (Some(shown), _) if shown.way.is_some() => outcome_words(state, shown),
        (Some(shown), _) => {
            let key = key_of(UiCommand::TogglePause);
            let left = shown.prediction.end.saturating_sub(state.world.tick);
            let left = match counts_ticks(state.world.dt) {
                true => ticks_text(left),
                false => format!("{:.1} s", left as f32 * state.world.dt),
            };
            let agent = shown.prediction.agent;
            let cross = match shown.prediction.guesses.len() {
                1 => "the cross".to_owned(),
                count => format!("one of {count} crosses"),
            };
            format!(
                "will agent {agent} be at {cross} in {left}? {key} plays until then; a click adds another guess"
            )
        }
        (None, Some(turn)) => {
            let watched = SECONDS[scene.ui.predicted_time];
            let after = match seconds {
                _ if counts_ticks(state.world.dt) => simulated(state, seconds),
                seconds if seconds == watched => format!("{watched} s"),
                seconds => format!("{watched} s at this speed ({seconds} s of the world)"),
            };
            format!("where will agent {} be after {after}? click that place", turn.id)
        }
        (None, None) => "predict where an agent will be: click the agent first".to_owned(),
    }
}

/// Returns a simulated time in words: in ticks if these are long.
fn simulated(state: &ViewState, seconds: f32) -> String {
    let dt = state.world.dt;
    if counts_ticks(dt) {
        ticks_text((seconds / dt).round() as u64)
    } else {
        format!("{} s", short(seconds))
    }
}

fn ticks_text(count: u64) -> String {
    format!("{count} tick{}", if count == 1 { "" } else { "s" })
}

/// Says how far the agent is from the guess.
fn outcome_words(state: &ViewState, shown: &ShownPrediction) -> String {
    let prediction = &shown.prediction;
    let time = simulated(state, (prediction.end - prediction.begin) as f32 * state.world.dt);
    let agent = prediction.agent;
    match shown.errors(&state.world) {
        Some(errors) => {
            let unit = Measure::ClosestPair.unit();
            let mut all: Vec<(usize, f32)> =
                errors.iter().enumerate().map(|(index, one)| (index + 1, one.length())).collect();
            all.sort_by(|(_, a), (_, b)| a.total_cmp(b));
            let far = match all[..] {
                [(_, only)] => {
                    format!("agent {agent} is {} {unit} from the cross", short(only))
                }
                _ => {
                    let one = |(index, (number, far)): (usize, &(usize, f32))| match index {
                        0 => format!("guess {number}: {} {unit} away", short(*far)),
                        _ => format!("guess {number}: {}", short(*far)),
                    };
                    let all: Vec<String> = all.iter().enumerate().map(one).collect();
                    all.join(", ")
                }
            };
            format!("after {time}, {far}; click to predict again")
        }
        None => format!("agent {agent} is gone after {time}; click to predict again"),
    }
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let palette = scene.palette();
    ground(picture, area, palette);
    let mut writer = writer(picture, area);
    writer.base = area.min.y + 22.0;
    writer.line(SIZE, palette.ink, &words(scene));
    for (number, (words, area)) in buttons(scene.state, area).into_iter().enumerate() {
        if number == scene.ui.predicted_time && scene.state.next_turn.is_some() {
            writer.picture.fill_rect(area.min, area.max, palette.group(0).alpha(70));
        }
        word_button(writer.picture, palette, area, &words, ButtonLook::Plain);
    }
}
