//! The question whether to leave the shown scenario although something is not written, with buttons that answer it.

use flockwork_engine::math::{self, Vec2};

use super::super::area::Area;
use super::super::files::short_name;
use super::super::frame::scene;
use super::super::keys::key_of;
use super::super::layout::Layout;
use super::super::leaving::{Destination, LeaveAction};
use super::super::panel::{Panel, Position, Scene};
use super::super::panel_drawing::{ButtonLook, floating_ground, word_button, word_buttons, writer};
use super::super::panel_states::PanelId;
use super::super::text_writer::{LINE, PAD, SIZE, TITLE_SIZE, wrap};
use super::super::ui::Ui;
use super::super::ui_command::UiCommand;
use super::super::view_state::ViewState;
use super::super::widget::Widget;
use super::question;
use crate::draw::Picture;

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("leaving"),
    position: Position::Own(area),
    widgets,
    draw,
    ..Panel::DEFAULT
};

/// Maximum width, in pixels, and the least one for buttons with all their words.
const WIDTH: f32 = 460.0;
const MIN_WIDTH: f32 = 350.0;

/// Returns its area: where other questions are.
pub(in super::super) fn area(scene: &Scene<'_>) -> Option<Area> {
    scene.ui.leaving.as_ref()?;
    let width = width(scene);
    let lines = reasons(scene, width).len();
    let height = 2.0 * PAD + TITLE_SIZE + (lines as f32 + 0.5) * LINE + 6.0 + Widget::MIN_SIDE;
    let at_top = question::at_top(scene, Vec2::new(width, height));
    // Where the world is narrow, it is over the panels beside it, too.
    let left = math::max(at_top.min.x, Layout::GAP);
    (lines > 0).then(|| Area::new(left, at_top.min.y, width, height))
}

/// Returns its width, in pixels.
fn width(scene: &Scene<'_>) -> f32 {
    math::max(math::min(WIDTH, scene.ui.size.0 as f32 - 2.0 * Layout::GAP), 1.0)
}

/// Returns whether the pointer is on it.
pub(in super::super) fn has_pointer(ui: &Ui, state: &ViewState) -> bool {
    area(&scene(ui, state, None)).is_some_and(|area| area.contains(ui.pointer))
}

/// Returns what would be lost, as lines in a panel of a width.
fn reasons(scene: &Scene<'_>, width: f32) -> Vec<String> {
    let room = math::max(width - 2.0 * PAD, 60.0);
    let all = scene.ui.at_risk(scene.state);
    let lines = all.iter().flat_map(|words| wrap(words, SIZE, room));
    lines.map(str::to_owned).collect()
}

/// Returns the question, and what its buttons say and do.
fn question_of(scene: &Scene<'_>) -> Option<(String, Vec<(&'static str, LeaveAction)>)> {
    let leaving = scene.ui.leaving.as_ref()?;
    let (words, write, anyway) = match &leaving.to {
        Destination::Quit => ("quit?".to_owned(), "write and quit", "quit without writing"),
        Destination::Scenario(path) => {
            let path = path.display().to_string();
            let words = format!("open {} in place of this scenario?", short_name(&path));
            (words, "write and open", "open without writing")
        }
    };
    // In a narrow window, the question says what is meant.
    let has_room = width(scene) >= MIN_WIDTH;
    let (write, anyway) = if has_room { (write, anyway) } else { ("write", "without") };
    let write = scene.ui.can_write(scene.state).then_some((write, LeaveAction::Write));
    let rest = [(anyway, LeaveAction::Anyway), ("cancel", LeaveAction::Cancel)];
    Some((words, write.into_iter().chain(rest).collect()))
}

/// Returns its buttons.
fn buttons(scene: &Scene<'_>, area: Area) -> Vec<(&'static str, LeaveAction, Area)> {
    let actions = question_of(scene).map(|(_, actions)| actions).unwrap_or_default();
    let at = Vec2::new(area.min.x + PAD, area.max.y - PAD - Widget::MIN_SIDE);
    let places = word_buttons(at, actions.iter().map(|(words, _)| *words));
    actions.iter().zip(places).map(|((words, action), (_, area))| (*words, *action, area)).collect()
}

fn widgets(scene: &Scene<'_>, area: Area) -> Vec<Widget> {
    let button = |(_, action, area)| {
        let quit = key_of(UiCommand::Quit);
        let is_quit = scene.ui.leaving.as_ref().is_some_and(|one| one.to == Destination::Quit);
        let tip = match action {
            LeaveAction::Write => "enter: write everything first".to_owned(),
            LeaveAction::Anyway if is_quit => {
                format!("{quit} again: params that are not written are listed in the terminal")
            }
            LeaveAction::Anyway => {
                "params that are not written are listed in the terminal".to_owned()
            }
            LeaveAction::Cancel => "esc: stay here".to_owned(),
        };
        Widget::clickable(area, UiCommand::Leave(action)).tip(tip)
    };
    let all = buttons(scene, area).into_iter().map(button);
    [Widget::background(area)].into_iter().chain(all).collect()
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let palette = scene.palette();
    let Some((words, _)) = question_of(scene) else { return };
    floating_ground(picture, area, palette, 255);
    let mut writer = writer(picture, area);
    writer.title(writer.left, palette.ink, &words);
    writer.gap(LINE + 2.0);
    writer.lines(SIZE, palette.ink, &reasons(scene, area.width()));
    for (words, action, button) in buttons(scene, area) {
        let look = match action {
            LeaveAction::Write => ButtonLook::Main,
            _ => ButtonLook::Plain,
        };
        word_button(picture, palette, button, words, look);
    }
}
