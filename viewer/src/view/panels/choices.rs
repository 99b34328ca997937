//! The list of what can be chosen, above the line that is typed.

use std::ops::Range;

use flockwork_engine::math;

use super::super::area::Area;
use super::super::ask::{Ask, Question};
use super::super::choice::{Choice, ChoiceRow};
use super::super::menu_rows::{menu_room, menu_row};
use super::super::named_rows::{no_agent, no_agent_of_group};
use super::super::panel::{Panel, Position, Scene};
use super::super::panel_drawing::{ground, scroll_bar, writer};
use super::super::panel_states::PanelId;
use super::super::text_writer::{SIZE, cut_middle};
use super::super::ui_command::UiCommand;
use super::super::widget::Widget;
use super::question;
use crate::draw::Picture;

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("choices"),
    position: Position::Own(|scene| area(scene, &shown(scene)?)),
    widgets,
    draw,
    ..Panel::DEFAULT
};

/// Height of a row, and of what is above and below the rows together, in pixels.
const ROW: f32 = 24.0;
const EDGES: f32 = 8.0;
/// Maximum number of rows.
const MAX_ROWS: usize = 14;

/// What is listed for the text that is typed.
struct Shown<'a> {
    question: &'a Question,
    rows: Vec<ChoiceRow>,
}

fn shown<'a>(scene: &Scene<'a>) -> Option<Shown<'a>> {
    let question = scene.ui.question.as_ref()?;
    let rows = scene.ui.question_rows(scene.state);
    // Other questions are also answered by what is in no list.
    (question.ask == Ask::Choice || !rows.is_empty()).then_some(Shown { question, rows })
}

/// Returns its area: below that of the question, and as wide.
fn area(scene: &Scene<'_>, shown: &Shown<'_>) -> Option<Area> {
    let above = question::area(scene)?;
    let room = math::max((scene.layout.bottom - above.max.y - EDGES) / ROW, 1.0) as usize;
    let rows = shown.rows.len().clamp(1, MAX_ROWS.min(room));
    let height = rows as f32 * ROW + EDGES;
    Some(Area::new(above.min.x, above.max.y, above.width(), height))
}

/// Returns the rows that are shown, the selected one among them, with their areas.
fn rows(shown: &Shown<'_>, area: Area) -> impl Iterator<Item = (usize, Area)> {
    let count = math::max((area.height() - EDGES) / ROW + 0.01, 1.0) as usize;
    let selected = shown.question.selected.min(shown.rows.len().saturating_sub(1));
    let first = (selected + 1).saturating_sub(count);
    let numbers: Range<usize> = first..(first + count).min(shown.rows.len());
    numbers.enumerate().map(move |(index, number)| {
        let top = area.min.y + EDGES / 2.0 + index as f32 * ROW;
        (number, Area::new(area.min.x + 1.0, top, area.width() - 2.0, ROW))
    })
}

fn widgets(scene: &Scene<'_>, area: Area) -> Vec<Widget> {
    let Some(shown) = shown(scene) else { return Vec::new() };
    let widget = |(number, row): (usize, Area)| {
        Widget::clickable(row, UiCommand::Choose(shown.rows[number].choice))
            .tip(shown.rows[number].words.clone())
            .wheel(UiCommand::SelectChoice(-1), UiCommand::SelectChoice(1))
    };
    rows(&shown, area).map(widget).collect()
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let Some(shown) = shown(scene) else { return };
    let palette = scene.palette();
    picture.fill_rect(area.min, area.max, palette.panel.alpha(255));
    ground(picture, area, palette);
    let mut writer = writer(picture, area);
    if shown.rows.is_empty() {
        writer.base = area.min.y + EDGES / 2.0 + 16.5;
        let (world, wanted) = (&scene.state.world, &shown.question.text);
        let words = match wanted.trim().parse() {
            Ok(wanted) => Some(no_agent(world, wanted)),
            Err(_) => no_agent_of_group(world, wanted),
        };
        let words = words.as_deref().unwrap_or("nothing has these words");
        writer.at(writer.left, SIZE, palette.quiet, words);
    }
    let all = shown.rows.len();
    let selected = shown.question.selected.min(all.saturating_sub(1));
    let listed: Vec<(usize, Area)> = rows(&shown, area).collect();
    for (number, row) in &listed {
        if *number == selected {
            writer.picture.fill_rect(row.min, row.max, palette.group(0).alpha(50));
        }
        let ChoiceRow { choice, words, beside, .. } = &shown.rows[*number];
        let words = match choice {
            Choice::Scenario(_) => cut_middle(words, SIZE, menu_room(&writer, beside)),
            _ => words.clone(),
        };
        menu_row(&mut writer, palette, *row, &words, beside);
    }
    if let (Some((first, _)), Some((last, _))) = (listed.first(), listed.last()) {
        scroll_bar(writer.picture, palette, area, *first as f32..(last + 1) as f32, all as f32);
    }
}
