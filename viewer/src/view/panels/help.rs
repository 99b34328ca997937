//! The help: all keys and mouse actions, in columns; it scrolls if the window is too small for it.

use std::ops::Range;

use flockwork_engine::math::{self, Vec2};

use super::super::area::Area;
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
const LINE: f32 = 15.0;
/// Lines that one step of the wheel or one key scrolls.
const SCROLL: i32 = 3;

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("help"),
    opening: Opening::ByHand,
    key: Some(PanelKey {
        key: Key::Char('h'),
        label: "h or ?",
        does: "this help",
        before: Key::Char('?'),
    }),
    position: Position::Own(|scene| Some(HelpText::new(scene.ui.size, scene.keys).area)),
    widgets,
    draw,
    escape: Escape::First,
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
        "select an agent; on a button: what its key does; on a group: hide or show it; on a call: open its line; on the value of a param: type another",
    ),
    ("drag", "move the view, also with the middle button; on the time bar: go to another tick"),
    ("wheel", "zoom; over a param: change it; over the help: scroll"),
    ("right click", "push nearby agents away"),
];

/// One line of the help.
#[derive(Clone, Debug, PartialEq)]
enum HelpLine {
    Heading(&'static str),
    /// A key and what it does. Further lines of the same key have no label.
    Key(&'static str, &'static str),
    /// Empty space below the keys of a heading.
    Gap,
}

/// The help, laid out for a window.
pub(in super::super) struct HelpText {
    pub(in super::super) area: Area,
    columns: Vec<Vec<HelpLine>>,
    /// Width of a column, in pixels.
    column: f32,
    /// Width of the keys within a column, in pixels.
    key: f32,
    /// Number of lines that fit.
    rows: usize,
}

impl HelpText {
    /// Lays out the help for a window of a size in pixels.
    pub(in super::super) fn new(size: (u32, u32), keys: &Keys) -> Self {
        let (width, height) = (size.0 as f32, size.1 as f32);
        let wide = math::max(width - 2.0 * (MARGIN + PAD), 1.0);
        let tall = math::max(height - 2.0 * (MARGIN + PAD) - TITLE, LINE);
        let rows = (tall / LINE) as usize;
        let room = ((wide + COLUMN_GAP) / (MIN_COLUMN + COLUMN_GAP)).floor() as usize;
        let room = room.clamp(1, MAX_COLUMNS);
        let labels = entries(keys).map(|(label, _)| text_width(label, SMALL));
        let key = labels.fold(0.0, math::max) + 14.0;
        let laid_out = |count| {
            let column = width_of(wide, count);
            (column, columns(sections(keys, column - key), count))
        };
        // Use as few columns as hold everything; a single long column is hard to read.
        let fits = |columns: &[Vec<HelpLine>]| columns.iter().all(|column| column.len() <= rows);
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
    fn visible<'c>(&self, column: &'c [HelpLine], scroll: usize) -> &'c [HelpLine] {
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
}

fn widgets(_: &Scene<'_>, area: Area) -> Vec<Widget> {
    let background = Widget::background(area);
    vec![
        background.wheel(UiCommand::Scroll(PANEL.id, -SCROLL), UiCommand::Scroll(PANEL.id, SCROLL)),
    ]
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let palette = scene.palette();
    let help = HelpText::new(scene.ui.size, scene.keys);
    let scroll = (scene.ui.panels.scroll(PANEL.id) as usize).min(help.max_scroll());
    ground(picture, area, palette);
    let mut writer = writer(picture, area);
    writer.at(writer.left, SIZE + 3.0, palette.ink, "Keys and mouse");
    let how = if help.max_scroll() > 0 { "wheel, up, down: scroll; h: close" } else { "h: close" };
    let title_end = writer.left + text_width("Keys and mouse", SIZE + 3.0) + 12.0;
    if title_end + text_width(how, SMALL) <= writer.right {
        writer.up_to(writer.right, SMALL, palette.quiet, how);
    }
    let (left, top) = (writer.left, writer.base + TITLE);
    for (i, column) in help.columns.iter().enumerate() {
        writer.left = left + i as f32 * (help.column + COLUMN_GAP);
        writer.right = writer.left + help.column;
        writer.base = top;
        for line in help.visible(column, scroll) {
            match line {
                HelpLine::Heading(title) => {
                    writer.at(writer.left, SIZE, palette.highlight, title);
                }
                HelpLine::Key(label, does) => {
                    writer.at(writer.left, SMALL, palette.ink, label);
                    writer.at(writer.left + help.key, SMALL, palette.quiet, does);
                }
                HelpLine::Gap => {}
            }
            writer.gap(LINE);
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

/// Returns the label and the explanation of each key and mouse action.
fn entries(keys: &Keys) -> impl Iterator<Item = (&'static str, &'static str)> {
    let keys = keys.all().map(|binding| (binding.label, binding.does));
    keys.chain(MOUSE.iter().copied()).filter(|(label, _)| !label.is_empty())
}

/// Returns the lines of each heading, with explanations that fit a width.
fn sections(keys: &Keys, width: f32) -> Vec<Vec<HelpLine>> {
    let keys = keys.sections.iter().map(|section| {
        let keys = section.keys.iter().filter(|one| !one.label.is_empty());
        let keys: Vec<_> = keys.map(|binding| (binding.label, binding.does)).collect();
        (section.title, keys)
    });
    let all = keys.chain([("Mouse", MOUSE.to_vec())]);
    let section = |(title, keys): (&'static str, Vec<(&'static str, &'static str)>)| {
        let mut lines = vec![HelpLine::Heading(title)];
        for (label, does) in keys {
            let first = lines.len();
            lines.extend(wrap(does, SMALL, width).into_iter().map(|does| HelpLine::Key("", does)));
            if let Some(HelpLine::Key(name, _)) = lines.get_mut(first) {
                *name = label;
            }
        }
        lines.push(HelpLine::Gap);
        lines
    };
    all.map(section).collect()
}

/// Divides sections into a number of columns of about the same height. A heading and its keys stay in one column.
fn columns(sections: Vec<Vec<HelpLine>>, count: usize) -> Vec<Vec<HelpLine>> {
    let longest = sections.iter().map(Vec::len).max().unwrap_or(0);
    let all = sections.iter().map(Vec::len).sum();
    let fill = |limit: usize| {
        let mut columns: Vec<Vec<HelpLine>> = vec![Vec::new()];
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
            let mut seen: Vec<(&str, String)> = Vec::new();
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
                    if let HelpLine::Key(label, does) = line {
                        let widest = help.column - help.key;
                        assert!(text_width(does, SMALL) <= widest, "{size:?}: {label}");
                        match seen.last_mut().filter(|_| label.is_empty()) {
                            Some((_, words)) => *words += &format!(" {does}"),
                            None => seen.push((label, does.to_owned())),
                        }
                    }
                }
            }
            let all: Vec<_> =
                entries(keys()).map(|(label, does)| (label, does.to_owned())).collect();
            assert_eq!(seen, all, "{size:?}");
        }
    }

    #[test]
    fn the_help_scrolls_only_if_there_is_no_room() {
        let scroll = |size| HelpText::new(size, keys()).max_scroll();
        assert_eq!(scroll((1280, 800)), 0);
        assert_eq!(scroll((3840, 2160)), 0);
        assert_eq!(scroll((900, 640)), 0);
        assert!(scroll((500, 400)) > 0);
        let help = HelpText::new((500, 400), keys());
        let (top, end) = (help.scroll_bar(0).unwrap(), help.scroll_bar(help.max_scroll()).unwrap());
        assert!(top.start < end.start && top.end < end.end && end.end <= help.area.max.y);
    }
}
