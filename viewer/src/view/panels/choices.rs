//! The list of what can be chosen, above the line that is typed.

use flockwork_engine::math::{self, Vec2};

use super::super::area::Area;
use super::super::ask::Question;
use super::super::choice::{Choice, ChoiceRow};
use super::super::choices::OPEN;
use super::super::menu_rows::{menu_room, menu_row};
use super::super::named_rows::{is_id, no_agent, no_agent_of_group};
use super::super::panel::{Panel, Position, Scene};
use super::super::panel_drawing::{floating_ground, scroll_bar, writer};
use super::super::panel_states::PanelId;
use super::super::text_writer::{SIZE, SMALL, TextWriter, cut_middle};
use super::super::ui_command::UiCommand;
use super::super::widget::Widget;
use super::question;
use crate::draw::{Palette, Pen, Picture};

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("choices"),
    position: Position::Own(list_area),
    widgets,
    draw,
    is_menu: true,
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
    scene.ui.lists_rows(scene.state).then_some(Shown { question, rows })
}

/// What is in a line of the list.
enum Line<'a> {
    Heading(&'a str),
    /// A row, by its number.
    Row(usize),
}

impl Shown<'_> {
    /// Returns all lines: the rows, and the headings above them.
    fn lines(&self) -> Vec<Line<'_>> {
        let mut all = Vec::new();
        let mut last = "";
        for (number, row) in self.rows.iter().enumerate() {
            if row.heading != last {
                all.push(Line::Heading(&row.heading));
            }
            last = &row.heading;
            all.push(Line::Row(number));
        }
        all
    }
}

/// Returns its area, if something is listed.
pub(super) fn list_area(scene: &Scene<'_>) -> Option<Area> {
    area(scene, &shown(scene)?)
}

/// Returns its area: below that of the question, and as wide.
fn area(scene: &Scene<'_>, shown: &Shown<'_>) -> Option<Area> {
    let above = question::area(scene)?;
    let room = math::max((scene.layout.bottom - above.max.y - EDGES) / ROW, 1.0) as usize;
    let rows = shown.lines().len().clamp(1, MAX_ROWS.min(room));
    let height = rows as f32 * ROW + EDGES;
    Some(Area::new(above.min.x, above.max.y, above.width(), height))
}

/// Returns the lines that are shown, the selected row among them, with their indices and areas.
fn lines<'s>(shown: &'s Shown<'_>, area: Area) -> impl Iterator<Item = (usize, Line<'s>, Area)> {
    let count = math::max((area.height() - EDGES) / ROW + 0.01, 1.0) as usize;
    let selected = shown.question.selected.min(shown.rows.len().saturating_sub(1));
    let all = shown.lines();
    let is_selected = |line: &Line<'_>| matches!(line, Line::Row(number) if *number == selected);
    let line = all.iter().position(is_selected).unwrap_or_default();
    let first = (line + 1).saturating_sub(count);
    let visible = all.into_iter().enumerate().skip(first).take(count);
    visible.enumerate().map(move |(row, (index, line))| {
        let top = area.min.y + EDGES / 2.0 + row as f32 * ROW;
        (index, line, Area::new(area.min.x + 1.0, top, area.width() - 2.0, ROW))
    })
}

fn widgets(scene: &Scene<'_>, area: Area) -> Vec<Widget> {
    let Some(shown) = shown(scene) else { return Vec::new() };
    let widget = |(_, line, area): (usize, Line<'_>, Area)| {
        let widget = match line {
            Line::Heading(_) => Widget::background(area),
            Line::Row(number) => {
                let row = &shown.rows[number];
                Widget::clickable(area, UiCommand::Choose(row.choice)).tip(row.words.clone())
            }
        };
        widget.wheel(UiCommand::SelectChoice(-1), UiCommand::SelectChoice(1))
    };
    lines(&shown, area).map(widget).collect()
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let Some(shown) = shown(scene) else { return };
    let palette = scene.palette();
    let whole = question::area(scene).map_or(area, |above| Area { min: above.min, ..area });
    floating_ground(picture, whole, palette, 255);
    let edge = [area.min, Vec2::new(area.max.x, area.min.y)];
    picture.line(&edge, false, Pen::new(palette.edge.alpha(140), 1.0));
    let mut writer = writer(picture, area);
    if shown.rows.is_empty() {
        writer.base = area.min.y + EDGES / 2.0 + 16.5;
        let (world, wanted) = (&scene.state.world, &shown.question.text);
        let words = match is_id(wanted.trim()) {
            true => Some(no_agent(world, wanted.trim())),
            false => no_agent_of_group(world, wanted),
        };
        let words = words.as_deref().unwrap_or("nothing has these words");
        writer.at(writer.left, SIZE, palette.quiet, words);
    }
    let all = shown.lines().len();
    let selected = shown.question.selected.min(shown.rows.len().saturating_sub(1));
    let listed: Vec<(usize, Line<'_>, Area)> = lines(&shown, area).collect();
    for (position, (_, line, row)) in listed.iter().enumerate() {
        let number = match line {
            Line::Row(number) => *number,
            Line::Heading(words) => {
                draw_heading(&mut writer, palette, *row, (words, position > 0));
                continue;
            }
        };
        if number == selected {
            writer.picture.fill_rect(row.min, row.max, palette.group(0).alpha(50));
        }
        let listed = &shown.rows[number];
        let words = row_words(listed, menu_room(&writer, &listed.beside));
        menu_row(&mut writer, palette, *row, &words, &listed.beside);
    }
    if let (Some((first, ..)), Some((last, ..))) = (listed.first(), listed.last()) {
        scroll_bar(writer.picture, palette, area, *first as f32..(last + 1) as f32, all as f32);
    }
}

/// Returns the words of a row that has room for a width. The heading of scenarios says what they are, and their names need the room.
fn row_words(row: &ChoiceRow, room: f32) -> String {
    match row.choice {
        Choice::Scenario(_) => cut_middle(row.words.trim_start_matches(OPEN), SIZE, room),
        _ => row.words.clone(),
    }
}

/// Draws a heading, with a line above it if `has_line`.
fn draw_heading(
    writer: &mut TextWriter<'_>,
    palette: &Palette,
    row: Area,
    (words, has_line): (&str, bool),
) {
    if has_line {
        let edge = [row.min, Vec2::new(row.max.x, row.min.y)];
        writer.picture.line(&edge, false, Pen::new(palette.edge.alpha(90), 1.0));
    }
    writer.base = row.min.y + 17.0;
    writer.at(writer.left, SMALL, palette.quiet, words);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Caught: in a small window, what all rows begin with left no room for the names.
    #[test]
    fn the_name_of_a_scenario_has_the_room_of_its_row() {
        let words = format!("{OPEN}scenarios/three_rules.ron");
        let (beside, heading) = (String::new(), String::new());
        let row = ChoiceRow {
            choice: Choice::Scenario(0),
            completed: words.clone(),
            words,
            beside,
            heading,
        };
        assert_eq!(row_words(&row, 200.0), "scenarios/three_rules.ron");
    }
}
