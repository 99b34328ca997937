//! The help: all keys and mouse actions, in columns; on several pages if the window is too small for one.

use flockwork_engine::math::{self, Vec2};

use super::keys::{KEYS, MOUSE};
use super::layout::Area;
use super::panels::{ground, writer};
use super::text_writer::{PAD, SIZE, SMALL, wrap};
use super::ui::Ui;
use crate::draw::{Palette, Picture, text_width};

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
/// Height of a heading, in pixels.
const HEADING: f32 = 18.0;
/// Gap below the keys of a heading, in pixels.
const GAP: f32 = 8.0;
/// Height of a line, in pixels.
const LINE: f32 = 16.5;

/// One entry of the help.
enum HelpItem {
    Heading(&'static str),
    /// A key and the lines that say what it does.
    Key(&'static str, Vec<&'static str>),
    /// Empty space below the keys of a heading.
    Gap,
}

impl HelpItem {
    fn height(&self) -> f32 {
        match self {
            Self::Heading(_) => HEADING,
            Self::Key(_, lines) => lines.len() as f32 * LINE,
            Self::Gap => GAP,
        }
    }
}

/// The help, laid out for a window.
pub(super) struct HelpPages {
    pub(super) area: Area,
    /// Pages, each a list of columns.
    pages: Vec<Vec<Vec<HelpItem>>>,
    /// Width of a column, in pixels.
    column: f32,
    /// Width of the keys within a column, in pixels.
    key: f32,
}

impl HelpPages {
    /// Lays out the help for a window of a size in pixels.
    pub(super) fn new(size: (u32, u32)) -> Self {
        let (width, height) = (size.0 as f32, size.1 as f32);
        let wide = math::max(width - 2.0 * (MARGIN + PAD), 1.0);
        let tall = math::max(height - 2.0 * (MARGIN + PAD) - TITLE, LINE);
        let room = ((wide + COLUMN_GAP) / (MIN_COLUMN + COLUMN_GAP)).floor() as usize;
        let room = room.clamp(1, MAX_COLUMNS);
        let labels = entries().map(|(label, _)| text_width(label, SMALL));
        let key = labels.fold(0.0, math::max) + 14.0;
        // Use as few columns as hold everything; a single long column is hard to read.
        let fitting = (room.min(2)..=room).find_map(|columns| {
            let column = width_of(wide, columns);
            let items = items(column - key);
            let page = fill(&items, columns, tall)?;
            Some((column, page, items))
        });
        let (column, lengths, items) = fitting.unwrap_or_else(|| {
            let column = width_of(wide, room);
            let items = items(column - key);
            (column, cut(&items, tall), items)
        });
        let mut items = items.into_iter();
        let columns: Vec<Vec<HelpItem>> =
            lengths.into_iter().map(|length| items.by_ref().take(length).collect()).collect();
        let height_of = |column: &Vec<HelpItem>| column.iter().map(HelpItem::height).sum::<f32>();
        let used = columns.iter().map(height_of).fold(0.0, math::max);
        let mut pages = Vec::new();
        let mut columns = columns.into_iter();
        loop {
            let page: Vec<_> = columns.by_ref().take(room).collect();
            if page.is_empty() {
                break;
            }
            pages.push(page);
        }
        let across = pages.iter().map(Vec::len).max().unwrap_or(1) as f32;
        let outer = Vec2::new(
            across * (column + COLUMN_GAP) - COLUMN_GAP + 2.0 * PAD,
            math::min(used, tall) + TITLE + 2.0 * PAD,
        );
        let min = (Vec2::new(width, height) - outer) / 2.0;
        let min = min.max(Vec2::ZERO).round();
        Self { area: Area { min, max: min + outer }, pages, column, key }
    }

    /// Returns the number of pages.
    pub(super) fn pages(&self) -> usize {
        self.pages.len()
    }

    /// Draws a page, or the last page if there are not so many.
    pub(super) fn draw(&self, picture: &mut Picture, ui: &Ui, page: usize) {
        let palette = ui.palette();
        let area = self.area;
        picture.fill_rect(area.min, area.max, palette.panel.alpha(255));
        ground(picture, area, palette);
        let page = page.min(self.pages() - 1);
        self.title(picture, palette, page);
        for (i, column) in self.pages[page].iter().enumerate() {
            let mut writer = writer(picture, area);
            writer.left += i as f32 * (self.column + COLUMN_GAP);
            writer.right = writer.left + self.column;
            writer.gap(TITLE);
            for item in column {
                match item {
                    HelpItem::Heading(title) => {
                        writer.at(writer.left, SIZE, palette.highlight, title)
                    }
                    HelpItem::Key(label, lines) => {
                        let base = writer.base;
                        writer.at(writer.left, SMALL, palette.ink, label);
                        for line in lines {
                            writer.at(writer.left + self.key, SMALL, palette.quiet, line);
                            writer.gap(LINE);
                        }
                        writer.base = base;
                    }
                    HelpItem::Gap => {}
                }
                writer.gap(item.height());
            }
        }
    }

    fn title(&self, picture: &mut Picture, palette: &Palette, page: usize) {
        let mut writer = writer(picture, self.area);
        writer.at(writer.left, SIZE + 3.0, palette.ink, "Keys and mouse");
        let how = match self.pages() {
            1 => "press h to close".to_owned(),
            all if page + 1 < all => format!("page {} of {all}: press h for the next", page + 1),
            all => format!("page {all} of {all}: press h to close"),
        };
        writer.up_to(writer.right, SMALL, palette.quiet, &how);
    }
}

/// Returns the width of one of several columns, in pixels.
fn width_of(wide: f32, columns: usize) -> f32 {
    let columns = columns as f32;
    math::min((wide + COLUMN_GAP) / columns - COLUMN_GAP, COLUMN)
}

/// Returns the label and the explanation of each key and mouse action.
fn entries() -> impl Iterator<Item = (&'static str, &'static str)> {
    let keys = KEYS.iter().flat_map(|section| section.keys);
    let keys = keys.map(|binding| (binding.label, binding.does));
    keys.chain(MOUSE.iter().copied()).filter(|(label, _)| !label.is_empty())
}

/// Returns all entries in order, with lines that fit a width.
fn items(width: f32) -> Vec<HelpItem> {
    let key = |(label, does)| HelpItem::Key(label, wrap(does, SMALL, width));
    let mut items = Vec::new();
    for section in KEYS {
        items.push(HelpItem::Heading(section.title));
        let keys = section.keys.iter().filter(|one| !one.label.is_empty());
        items.extend(keys.map(|binding| key((binding.label, binding.does))));
        items.push(HelpItem::Gap);
    }
    items.push(HelpItem::Heading("Mouse"));
    items.extend(MOUSE.iter().copied().map(key));
    items
}

/// Divides the entries into columns of about the same height and returns the number of entries in each; `None` if they
/// do not fit. A heading and its keys stay in one column.
fn fill(items: &[HelpItem], columns: usize, tall: f32) -> Option<Vec<usize>> {
    let mut sections: Vec<(usize, f32)> = Vec::new();
    for item in items {
        if matches!(item, HelpItem::Heading(_)) {
            sections.push((0, 0.0));
        }
        let (length, height) = sections.last_mut()?;
        *length += 1;
        *height += item.height();
    }
    let mut limit = sections.iter().map(|(_, height)| *height).fold(0.0, math::max);
    while limit <= tall {
        let mut filled = vec![(0, 0.0)];
        for (length, height) in &sections {
            let (column, used) = filled.last_mut()?;
            if *used + height > limit {
                filled.push((*length, *height));
            } else {
                *column += length;
                *used += height;
            }
        }
        if filled.len() <= columns {
            return Some(filled.into_iter().map(|(length, _)| length).collect());
        }
        limit += LINE;
    }
    None
}

/// Fills columns up to the maximum height and returns the number of entries in each. No column ends with a heading.
fn cut(items: &[HelpItem], tall: f32) -> Vec<usize> {
    let mut columns = vec![0];
    let mut used = 0.0;
    for (i, item) in items.iter().enumerate() {
        let next = items.get(i + 1).filter(|_| matches!(item, HelpItem::Heading(_)));
        let height = item.height() + next.map_or(0.0, HelpItem::height);
        let count = columns.last_mut().expect("there is a first column");
        if used + height > tall && *count > 0 && !matches!(item, HelpItem::Gap) {
            columns.push(1);
            used = item.height();
        } else {
            *count += 1;
            used += item.height();
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At 500x400 lines were cut off at the right, and the last lines were missing.
    #[test]
    fn every_word_is_on_some_page_at_any_window_size() {
        for size in [(300, 200), (500, 400), (700, 400), (1280, 300), (1280, 800), (3840, 2160)] {
            let help = HelpPages::new(size);
            assert!(help.area.min.cmpge(Vec2::ZERO).all(), "{size:?}");
            let far = Vec2::new(size.0 as f32, size.1 as f32);
            assert!(help.area.max.cmple(far).all(), "{size:?}: {:?}", help.area);
            let mut words: Vec<(&str, String)> = Vec::new();
            for column in help.pages.iter().flatten() {
                let tall: f32 = column.iter().map(HelpItem::height).sum();
                let room = help.area.max.y - help.area.min.y - 2.0 * PAD - TITLE;
                // A gap at the end takes no room.
                assert!(tall <= room + GAP, "{size:?}");
                assert!(!matches!(column.last(), Some(HelpItem::Heading(_))), "{size:?}");
                for item in column {
                    if let HelpItem::Key(label, lines) = item {
                        let widest = lines.iter().map(|line| text_width(line, SMALL));
                        let widest = widest.fold(0.0, math::max);
                        assert!(widest <= help.column - help.key, "{size:?}: {label}");
                        words.push((label, lines.join(" ")));
                    }
                }
            }
            let all: Vec<_> = entries().map(|(label, does)| (label, does.to_owned())).collect();
            assert_eq!(words, all, "{size:?}");
        }
    }

    #[test]
    fn one_page_is_enough_if_there_is_room() {
        let pages = |size| HelpPages::new(size).pages();
        assert_eq!(pages((1280, 800)), 1);
        assert_eq!(pages((3840, 2160)), 1);
        assert_eq!(pages((900, 640)), 1);
        assert!(pages((500, 400)) > 1);
    }
}
