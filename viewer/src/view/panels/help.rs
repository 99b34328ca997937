//! The help: all actions with their keys, and what the mouse does, in columns. A click does an action. It scrolls if the window is
//! too small for it.

use std::ops::Range;

use flockwork_engine::math::{self, Vec2};

use super::super::area::Area;
use super::super::ask::Ask;
use super::super::choice::Choice;
use super::super::key::{Key, Keys};
use super::super::panel::{Escape, Opening, Panel, PanelKey, Position, Scene};
use super::super::panel_drawing::{ground, scroll_bar, writer};
use super::super::panel_states::PanelId;
use super::super::text_writer::{PAD, SIZE, SMALL, wrap};
use super::super::ui_command::UiCommand;
use super::super::widget::Widget;
use crate::draw::{Picture, text_width};

/// Width of a column if there is room, in pixels.
const COLUMN: f32 = 400.0;
/// Minimum width of a column, in pixels: in narrower ones most lines would be broken.
const MIN_COLUMN: f32 = 330.0;
/// Gap between two columns, in pixels.
const COLUMN_GAP: f32 = 14.0;
/// Maximum number of columns: more are hard to read as one list.
const MAX_COLUMNS: usize = 3;
/// Distance of the panel from the edges of the window, in pixels.
const MARGIN: f32 = 10.0;
/// Height of the title, in pixels.
const TITLE: f32 = 36.0;
/// Height of a line, in pixels.
const LINE: f32 = 16.0;
/// Lines that one step of the wheel or one key scrolls.
const SCROLL: i32 = 3;

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("help"),
    opening: Opening::ByHand,
    key: Some(PanelKey {
        keys: &[Key::Char('?'), Key::F1],
        does: "all actions and their keys",
        before: "zoom_in",
    }),
    position: Position::Own(|scene| Some(HelpText::new(scene.ui.size, scene.keys).area)),
    widgets,
    draw,
    escape: Escape::First,
    on_toggle: |ui, _| {
        // It is in front of the text that is typed.
        ui.files.is_typing = false;
        None
    },
    max_scroll: |scene| HelpText::new(scene.ui.size, scene.keys).max_scroll() as f32,
    own_key: |key| {
        let lines = match key {
            Key::Up => -1,
            Key::Down => 1,
            Key::PageUp => -12,
            Key::PageDown => 12,
            _ => return None,
        };
        Some(UiCommand::Scroll(PANEL.id, lines))
    },
    ..Panel::DEFAULT
};

/// Mouse actions and what they do.
pub(in super::super) const MOUSE: &[(&str, &str)] = &[
    (
        "click",
        "select an agent; on a button or a row of a menu: do it; on a group: hide or show it; on a call: show its line; on the value of a param: type another",
    ),
    (
        "drag",
        "move the view, also with the middle button; on the time bar: go to another tick; on a slider: change a param; on the edge of the panels: make them wider",
    ),
    (
        "wheel",
        "zoom; over the time bar: zoom the time; over a param: change it; over this list: scroll",
    ),
    (
        "right click",
        "a menu of what can be done at this place: select, set a goal, push, edit; on a weight: only it, from the first tick",
    ),
];

/// One line of the help.
#[derive(Clone, Debug, PartialEq)]
enum HelpLine<'k> {
    Heading(&'static str),
    /// A key and what it does. Further lines of the same key have no label.
    Key {
        label: &'k str,
        does: &'k str,
        /// What a click does.
        choice: Option<Choice>,
    },
    /// Empty space below the keys of a heading.
    Gap,
}

/// The help, laid out for a window.
pub(in super::super) struct HelpText<'k> {
    pub(in super::super) area: Area,
    columns: Vec<Vec<HelpLine<'k>>>,
    /// Width of a column, in pixels.
    column: f32,
    /// Width of the keys within a column, in pixels.
    key: f32,
    /// Number of lines that fit.
    rows: usize,
}

impl<'k> HelpText<'k> {
    /// Lays out the help for a window of a size in pixels.
    pub(in super::super) fn new(size: (u32, u32), keys: &'k Keys) -> Self {
        let (width, height) = (size.0 as f32, size.1 as f32);
        let wide = math::max(width - 2.0 * (MARGIN + PAD), 1.0);
        let tall = math::max(height - 2.0 * (MARGIN + PAD) - TITLE, LINE);
        let rows = (tall / LINE) as usize;
        let room = ((wide + COLUMN_GAP) / (MIN_COLUMN + COLUMN_GAP)).floor() as usize;
        let room = room.clamp(1, MAX_COLUMNS);
        let labels = entries(keys).map(|(label, ..)| text_width(label, SMALL));
        let key = labels.fold(0.0, math::max) + 14.0;
        let laid_out = |count| {
            let column = width_of(wide, count);
            (column, columns(sections(keys, column - key), count))
        };
        // Use as few columns as hold everything; a single long column is hard to read.
        let fits =
            |columns: &[Vec<HelpLine<'_>>]| columns.iter().all(|column| column.len() <= rows);
        let fitting =
            (room.min(2)..=room).map(laid_out).find(|(_, columns)| fits(columns.as_slice()));
        let (column, columns) = fitting.unwrap_or_else(|| laid_out(room));
        let used = columns.iter().map(Vec::len).max().unwrap_or(1).min(rows);
        let outer = Vec2::new(
            columns.len() as f32 * (column + COLUMN_GAP) - COLUMN_GAP + 2.0 * PAD,
            used as f32 * LINE + TITLE + 2.0 * PAD,
        );
        let min = (Vec2::new(width, height) - outer) / 2.0;
        let min = min.max(Vec2::ZERO).round();
        Self { area: Area { min, max: min + outer }, columns, column, key, rows: used }
    }

    /// Returns by how many lines the help can be scrolled down.
    pub(in super::super) fn max_scroll(&self) -> usize {
        self.columns.iter().map(Vec::len).max().unwrap_or(0) - self.rows
    }

    /// Returns the lines of a column that are visible after scrolling down by some lines.
    fn visible<'c>(&self, column: &'c [HelpLine<'k>], scroll: usize) -> &'c [HelpLine<'k>] {
        let first = scroll.min(column.len());
        &column[first..column.len().min(scroll + self.rows)]
    }

    /// Returns the y coordinates of the scroll bar, if the help is scrolled.
    fn scroll_bar(&self, scroll: usize) -> Option<Range<f32>> {
        let all = (self.max_scroll() + self.rows) as f32;
        let top = self.area.min.y + PAD + TITLE;
        let tall = self.rows as f32 * LINE;
        let at = |row: usize| top + row as f32 / all * tall;
        (self.max_scroll() > 0).then(|| at(scroll)..at(scroll + self.rows))
    }

    /// Returns the visible lines after scrolling down by some lines, with their areas.
    fn lines(&self, scroll: usize) -> impl Iterator<Item = (&HelpLine<'k>, Area)> {
        let corner = self.area.min + Vec2::new(PAD, PAD + TITLE - 4.0);
        let columns = self.columns.iter().enumerate();
        columns.flat_map(move |(number, column)| {
            let left = corner.x + number as f32 * (self.column + COLUMN_GAP);
            let lines = self.visible(column, scroll).iter().enumerate();
            lines.map(move |(row, line)| {
                (line, Area::new(left, corner.y + row as f32 * LINE, self.column, LINE))
            })
        })
    }
}

/// Returns by how many lines the help is scrolled.
fn scroll_of(scene: &Scene<'_>, help: &HelpText<'_>) -> usize {
    (scene.ui.panels.scroll(PANEL.id) as usize).min(help.max_scroll())
}

fn widgets(scene: &Scene<'_>, area: Area) -> Vec<Widget> {
    let help = HelpText::new(scene.ui.size, scene.keys);
    let wheel = |widget: Widget| {
        widget.wheel(UiCommand::Scroll(PANEL.id, -SCROLL), UiCommand::Scroll(PANEL.id, SCROLL))
    };
    let rows = help.lines(scroll_of(scene, &help)).filter_map(|(line, row)| match line {
        HelpLine::Key { choice: Some(choice), does, .. } => {
            let tip = format!("click: {does}");
            Some(wheel(Widget::clickable(row, UiCommand::Choose(*choice)).tip(tip)))
        }
        _ => None,
    });
    [wheel(Widget::background(area))].into_iter().chain(rows).collect()
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let palette = scene.palette();
    let help = HelpText::new(scene.ui.size, scene.keys);
    let scroll = scroll_of(scene, &help);
    ground(picture, area, palette);
    let mut writer = writer(picture, area);
    let title = "All actions and their keys";
    writer.at(writer.left, SIZE + 3.0, palette.ink, title);
    let find = scene.keys.of_command(UiCommand::Ask(Ask::Choice)).map_or("", |key| &key.label);
    let how = format!("{find} finds by a word; a click does it; the wheel scrolls; esc closes");
    let title_end = writer.left + text_width(title, SIZE + 3.0) + 12.0;
    if title_end + text_width(&how, SMALL) <= writer.right {
        writer.up_to(writer.right, SMALL, palette.quiet, &how);
    }
    for (line, row) in help.lines(scroll) {
        writer.right = row.max.x;
        writer.base = row.min.y + LINE - 4.0;
        match line {
            HelpLine::Heading(title) => writer.at(row.min.x, SIZE, palette.highlight, title),
            HelpLine::Key { label, does, .. } => {
                writer.at(row.min.x, SMALL, palette.ink, label);
                writer.at(row.min.x + help.key, SMALL, palette.quiet, does);
            }
            HelpLine::Gap => {}
        }
    }
    if let Some(bar) = help.scroll_bar(scroll) {
        scroll_bar(picture, area, bar, palette);
    }
}

/// Returns the width of one of several columns, in pixels.
fn width_of(wide: f32, columns: usize) -> f32 {
    let columns = columns as f32;
    math::min((wide + COLUMN_GAP) / columns - COLUMN_GAP, COLUMN)
}

/// An action or what the mouse does: its keys, what it does, and what a click does.
type HelpEntry<'k> = (&'k str, &'k str, Option<Choice>);

/// Returns all actions, and what the mouse does.
fn entries(keys: &Keys) -> impl Iterator<Item = HelpEntry<'_>> {
    let actions = keys.all().enumerate();
    let actions = actions.map(|(i, one)| {
        // Without a key, an action is in a menu.
        let label = if one.label.is_empty() { "menu" } else { &one.label };
        (label, one.does, Some(Choice::Action(i)))
    });
    actions.chain(MOUSE.iter().map(|(label, does)| (*label, *does, None)))
}

/// Returns the lines of each heading, with explanations that fit a width.
fn sections(keys: &Keys, width: f32) -> Vec<Vec<HelpLine<'_>>> {
    let mut entries = entries(keys);
    let titles = keys.sections.iter().map(|section| (section.title, section.keys.len()));
    let mut section = |(title, count): (&'static str, usize)| {
        let mut lines = vec![HelpLine::Heading(title)];
        for (label, does, choice) in entries.by_ref().take(count) {
            for (i, does) in wrap(does, SMALL, width).into_iter().enumerate() {
                let label = if i == 0 { label } else { "" };
                lines.push(HelpLine::Key { label, does, choice });
            }
        }
        lines.push(HelpLine::Gap);
        lines
    };
    titles.chain([("Mouse", MOUSE.len())]).map(&mut section).collect()
}

/// Divides sections into a number of columns of about the same height. A heading and its keys stay in one column.
fn columns(sections: Vec<Vec<HelpLine<'_>>>, count: usize) -> Vec<Vec<HelpLine<'_>>> {
    let longest = sections.iter().map(Vec::len).max().unwrap_or(0);
    let all = sections.iter().map(Vec::len).sum();
    let fill = |limit: usize| {
        let mut columns: Vec<Vec<HelpLine<'_>>> = vec![Vec::new()];
        for section in &sections {
            match columns.last_mut().filter(|column| column.len() + section.len() <= limit) {
                Some(column) => column.extend_from_slice(section),
                None => columns.push(section.clone()),
            }
        }
        columns
    };
    let mut columns = (longest..=all)
        .map(fill)
        .find(|columns| columns.len() <= count)
        .unwrap_or_else(|| fill(all));
    for column in &mut columns {
        column.pop_if(|last| *last == HelpLine::Gap);
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::super::super::keys::keys;
    use super::*;

    /// At 500x400 lines were cut off at the right, and the last lines were missing.
    #[test]
    fn every_word_can_be_scrolled_to_at_any_window_size() {
        for size in [(300, 200), (500, 400), (700, 400), (1280, 300), (1280, 800), (3840, 2160)] {
            let help = HelpText::new(size, keys());
            assert!(help.area.min.cmpge(Vec2::ZERO).all(), "{size:?}");
            let far = Vec2::new(size.0 as f32, size.1 as f32);
            assert!(help.area.max.cmple(far).all(), "{size:?}: {:?}", help.area);
            let mut seen: Vec<(Option<Choice>, &str, String)> = Vec::new();
            for column in &help.columns {
                assert!(!matches!(column.last(), Some(HelpLine::Heading(_))), "{size:?}");
                // Scroll by a line at a time; each adds the line at the bottom.
                let mut lines = help.visible(column, 0).to_vec();
                for scroll in 1..=help.max_scroll() {
                    let visible = help.visible(column, scroll);
                    if scroll + help.rows <= column.len() {
                        lines.push(visible.last().unwrap().clone());
                    }
                }
                for line in lines {
                    if let HelpLine::Key { label, does, choice } = line {
                        let widest = help.column - help.key;
                        assert!(text_width(does, SMALL) <= widest, "{size:?}: {label}");
                        let same = |last: &&mut (Option<Choice>, &str, String)| {
                            label.is_empty() && last.0 == choice
                        };
                        match seen.last_mut().filter(same) {
                            Some((_, _, words)) => *words += &format!(" {does}"),
                            None => seen.push((choice, label, does.to_owned())),
                        }
                    }
                }
            }
            let all: Vec<_> =
                entries(keys()).map(|(label, does, to)| (to, label, does.to_owned())).collect();
            assert_eq!(seen, all, "{size:?}");
        }
    }

    #[test]
    fn the_help_scrolls_only_if_there_is_no_room() {
        let scroll = |size| HelpText::new(size, keys()).max_scroll();
        assert_eq!(scroll((1280, 800)), 0);
        assert_eq!(scroll((3840, 2160)), 0);
        assert!(scroll((500, 400)) > 0);
        let help = HelpText::new((500, 400), keys());
        let (top, end) = (help.scroll_bar(0).unwrap(), help.scroll_bar(help.max_scroll()).unwrap());
        assert!(top.start < end.start && top.end < end.end && end.end <= help.area.max.y);
    }
}
