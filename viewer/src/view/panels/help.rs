//! The help: all actions with their keys, and what the mouse does, in columns. A click does an action. It scrolls if the window is
//! too small for it. A page of its own has the keys while one types in a file.

use std::ops::Range;

use flockwork_engine::math::{self, Vec2};

use super::super::area::Area;
use super::super::ask::Ask;
use super::super::choice::Choice;
use super::super::columns::columns;
use super::super::editor_keys;
use super::super::help_page::HelpPage;
use super::super::key::{Key, KeySection, Keys};
use super::super::key_caps;
use super::super::panel::{Escape, Opening, Panel, PanelKey, Position, Scene};
use super::super::panel_drawing::{SHADOW, floating_ground, scroll_bar, writer};
use super::super::panel_states::PanelId;
use super::super::text_writer::{PAD, SIZE, SMALL, wrap};
use super::super::ui_command::UiCommand;
use super::super::widget::Widget;
use super::files;
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
/// How dark the rest of the window is, of 255.
const BEHIND: u8 = 80;
/// Size of the letters of the title of a page, and distance of two titles, in pixels.
const TAB: f32 = SIZE + 3.0;
const TAB_GAP: f32 = 22.0;
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
    position: Position::Own(|scene| Some(help_text(scene).area)),
    widgets,
    draw,
    escape: Escape::First,
    on_toggle: |ui, is_open| {
        if is_open {
            let has_files = files::PANEL.is_open(ui);
            ui.help_page = if has_files { HelpPage::Files } else { HelpPage::Window };
        }
        None
    },
    max_scroll: |scene| help_text(scene).max_scroll() as f32,
    own_key: |key| {
        let lines = match key {
            Key::Up => -1,
            Key::Down => 1,
            Key::PageUp => -12,
            Key::PageDown => 12,
            Key::Tab => return Some(UiCommand::SwitchHelp),
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
        /// What fits into the line of what the key does.
        does: &'k str,
        /// All of it.
        whole: &'k str,
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
    pub(in super::super) fn new(size: (u32, u32), keys: &'k Keys, page: HelpPage) -> Self {
        let (width, height) = (size.0 as f32, size.1 as f32);
        let wide = math::max(width - 2.0 * (MARGIN + PAD), 1.0);
        let tall = math::max(height - 2.0 * (MARGIN + PAD) - TITLE, LINE);
        let rows = (tall / LINE) as usize;
        let room = ((wide + COLUMN_GAP) / (MIN_COLUMN + COLUMN_GAP)).floor() as usize;
        let room = room.clamp(1, MAX_COLUMNS);
        let entries = entries(keys, page);
        let all = entries.iter().flat_map(|(_, entries)| entries);
        let key = all.map(|(label, ..)| key_caps::width(label)).fold(0.0, math::max) + 10.0;
        let laid_out = |count| {
            let column = width_of(wide, count);
            let mut columns = columns(&sections(&entries, column - key), count);
            for column in &mut columns {
                column.pop_if(|last| *last == HelpLine::Gap);
            }
            (column, columns)
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

    /// Returns the area of the lines, which and how many of them are visible, and how many there are.
    fn scrolled(&self, scroll: usize) -> (Area, Range<f32>, f32) {
        let top = self.area.min.y + PAD + TITLE;
        let lines = self.area.between(top, top + self.rows as f32 * LINE);
        let visible = scroll as f32..(scroll + self.rows) as f32;
        (lines, visible, (self.max_scroll() + self.rows) as f32)
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

/// Returns the page that is shown, laid out for the window.
fn help_text<'s>(scene: &Scene<'s>) -> HelpText<'s> {
    HelpText::new(scene.ui.size, scene.keys, scene.ui.help_page)
}

/// Returns by how many lines the help is scrolled.
fn scroll_of(scene: &Scene<'_>, help: &HelpText<'_>) -> usize {
    (scene.ui.panels.scroll(PANEL.id) as usize).min(help.max_scroll())
}

/// Returns the titles of the pages with their areas.
fn tabs(area: Area) -> impl Iterator<Item = (HelpPage, &'static str, Area)> {
    let mut left = area.min.x + PAD;
    HelpPage::ALL.into_iter().map(move |page| {
        let title = page.title();
        let width = text_width(title, TAB);
        let tab = Area::new(left, area.min.y + 4.0, width, TITLE - 10.0);
        left += width + TAB_GAP;
        (page, title, tab)
    })
}

fn widgets(scene: &Scene<'_>, area: Area) -> Vec<Widget> {
    let help = help_text(scene);
    let rows = help.lines(scroll_of(scene, &help)).filter_map(|(line, row)| match line {
        HelpLine::Key { choice: Some(choice), whole, .. } => {
            let tip = format!("click: {whole}");
            let widget = Widget::clickable(row, UiCommand::Choose(*choice)).tip(tip);
            Some(widget.scrolls(PANEL.id, SCROLL))
        }
        _ => None,
    });
    let tabs = tabs(area).filter(|(page, ..)| *page != scene.ui.help_page);
    let tabs =
        tabs.map(|(_, _, tab)| Widget::clickable(tab, UiCommand::SwitchHelp).tip("key: tab"));
    let background = Widget::background(area).scrolls(PANEL.id, SCROLL);
    [background].into_iter().chain(tabs).chain(rows).collect()
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let palette = scene.palette();
    let help = help_text(scene);
    let scroll = scroll_of(scene, &help);
    // It covers parts of other panels, which should not be read.
    picture.fill_rect(Vec2::ZERO, picture.corner(), SHADOW.alpha(BEHIND));
    floating_ground(picture, area, palette, 255);
    let mut writer = writer(picture, area);
    let mut title_end = writer.left;
    for (page, title, tab) in tabs(area) {
        let is_shown = page == scene.ui.help_page;
        let color = if is_shown { palette.ink } else { palette.quiet };
        writer.at(tab.min.x, TAB, color, title);
        if is_shown {
            let line = Vec2::new(tab.min.x, tab.max.y);
            writer.picture.fill_rect(line, line + Vec2::new(tab.width(), 2.0), palette.accent);
        }
        title_end = tab.max.x + TAB_GAP;
    }
    let find = scene.keys.of_command(UiCommand::Ask(Ask::Choice)).map_or("", |key| &key.label);
    let how = format!("{find} finds by a word; a click does it; the wheel scrolls; esc closes");
    if title_end + text_width(&how, SMALL) <= writer.right {
        writer.up_to(writer.right, SMALL, palette.quiet, &how);
    }
    for (line, row) in help.lines(scroll) {
        writer.right = row.max.x;
        writer.base = row.min.y + LINE - 4.0;
        match line {
            HelpLine::Heading(title) => writer.title(row.min.x, palette.accent, title),
            HelpLine::Key { label, does, .. } => {
                let at = Vec2::new(row.min.x, writer.base);
                key_caps::draw(writer.picture, palette, at, palette.quiet, label);
                writer.at(row.min.x + help.key, SMALL, palette.ink, does);
            }
            HelpLine::Gap => {}
        }
    }
    let (lines, visible, all) = help.scrolled(scroll);
    scroll_bar(picture, palette, lines, visible, all);
}

/// Returns the width of one of several columns, in pixels.
fn width_of(wide: f32, columns: usize) -> f32 {
    let columns = columns as f32;
    math::min((wide + COLUMN_GAP) / columns - COLUMN_GAP, COLUMN)
}

/// An action or what the mouse does: its keys, what it does, and what a click does.
type HelpEntry<'k> = (&'k str, &'k str, Option<Choice>);

/// The actions of the window that are about files.
const FILE_ACTIONS: &[UiCommand] =
    &[files::PANEL.toggle(), UiCommand::Write, UiCommand::OpenEditor, UiCommand::Reload];

/// Returns the headings of a page, with what is below them.
fn entries(keys: &Keys, page: HelpPage) -> Vec<(&'static str, Vec<HelpEntry<'_>>)> {
    let entry = |command: UiCommand| {
        let (number, one) = keys.all().enumerate().find(|(_, one)| one.command == command)?;
        // Without a key, an action is in a menu.
        let label = if one.label.is_empty() { "menu" } else { &one.label };
        Some((label, one.does, Some(Choice::Action(number))))
    };
    let plain = |rows: &'static [(&'static str, &'static str)]| {
        rows.iter().map(|(label, does)| (*label, *does, None)).collect()
    };
    match page {
        HelpPage::Window => {
            let section = |section: &'_ KeySection| {
                let commands = section.keys.iter().map(|one| one.command);
                (section.title, commands.filter_map(entry).collect())
            };
            keys.sections.iter().map(section).chain([("Mouse", plain(MOUSE))]).collect()
        }
        HelpPage::Files => {
            let own = FILE_ACTIONS.iter().copied().filter_map(entry).collect();
            let typed = editor_keys::KEYS.iter().map(|(title, rows)| (*title, plain(rows)));
            let mouse = ("Mouse", plain(editor_keys::MOUSE));
            [("Files", own)].into_iter().chain(typed).chain([mouse]).collect()
        }
    }
}

/// Returns the lines of each heading, with explanations that fit a width.
fn sections<'k>(
    entries: &[(&'static str, Vec<HelpEntry<'k>>)],
    width: f32,
) -> Vec<Vec<HelpLine<'k>>> {
    let section = |(title, entries): &(&'static str, Vec<HelpEntry<'k>>)| {
        let mut lines = vec![HelpLine::Heading(title)];
        for &(label, does, choice) in entries {
            for (i, line) in wrap(does, SMALL, width).into_iter().enumerate() {
                let label = if i == 0 { label } else { "" };
                lines.push(HelpLine::Key { label, does: line, whole: does, choice });
            }
        }
        lines.push(HelpLine::Gap);
        lines
    };
    entries.iter().map(section).collect()
}

#[cfg(test)]
mod tests {
    use super::super::super::keys::keys;
    use super::super::super::panel_drawing::bar_span;
    use super::*;

    /// At 500x400 lines were cut off at the right, and the last lines were missing.
    #[test]
    fn every_word_can_be_scrolled_to_at_any_window_size() {
        for size in [(300, 200), (500, 400), (700, 400), (1280, 300), (1280, 800), (3840, 2160)] {
            for page in [HelpPage::Window, HelpPage::Files] {
                every_word_can_be_scrolled_to(size, page);
            }
        }
    }

    fn every_word_can_be_scrolled_to(size: (u32, u32), page: HelpPage) {
        let help = HelpText::new(size, keys(), page);
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
                if let HelpLine::Key { label, does, choice, .. } = line {
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
        let all = entries(keys(), page);
        let all = all.iter().flat_map(|(_, entries)| entries);
        let all: Vec<_> = all.map(|&(label, does, to)| (to, label, does.to_owned())).collect();
        assert_eq!(seen, all, "{size:?}");
    }

    #[test]
    fn the_help_scrolls_only_if_there_is_no_room() {
        for page in [HelpPage::Window, HelpPage::Files] {
            let scroll = |size| HelpText::new(size, keys(), page).max_scroll();
            assert_eq!(scroll((1280, 800)), 0);
            assert_eq!(scroll((3840, 2160)), 0);
            assert!(scroll((500, 400)) > 0);
        }
        let help = HelpText::new((500, 400), keys(), HelpPage::Window);
        let [top, end] = [0, help.max_scroll()].map(|scroll| {
            let (lines, visible, all) = help.scrolled(scroll);
            bar_span(lines, visible, all).unwrap()
        });
        assert!(top.start < end.start && top.end < end.end && end.end <= help.area.max.y);
    }
}
