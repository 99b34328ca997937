//! The scripts and the scenario: their text, which can be changed here, with the values of the selected agent behind each line.

use std::collections::BTreeMap;

use flockwork_engine::diag::{Diagnostic, Place, Severity};
use flockwork_engine::math::{self, Vec2};
use flockwork_engine::tokens::{Language, Token, TokenKind, tokens};
use flockwork_lsp::{CallHelp, SharedValue, line_values, text_hash};

use super::super::area::Area;
use super::super::ask::Ask;
use super::super::command::PlayerCommand;
use super::super::explain_text::explanation;
use super::super::files::{ShownFile, short_name};
use super::super::frame::scene;
use super::super::key::Key;
use super::super::keys::key_of;
use super::super::layout::Layout;
use super::super::panel::{Escape, Opening, Panel, PanelButton, PanelKey, Position, Scene};
use super::super::panel_drawing::{ground, scroll_bar};
use super::super::panel_states::PanelId;
use super::super::text_rows::{TextRow, lines, rows_of};
use super::super::text_writer::{PAD, SMALL, cut, wrap};
use super::super::ui::Ui;
use super::super::ui_command::UiCommand;
use super::super::unchanged_lines::UnchangedLines;
use super::super::view_state::ViewState;
use super::super::widget::Widget;
use super::super::word_help::{summary, word_at};
use crate::draw::{Anchor, Color, Palette, Picture, Typeface, text, text_width};

pub(in super::super) static PANEL: Panel = Panel {
    id: PanelId("files"),
    opening: Opening::ByHand,
    key: Some(PanelKey {
        keys: &[Key::F3],
        does: "the scripts and the scenario: read them, and change them here",
        before: "open_script",
    }),
    button: Some(PanelButton { words: "script", is_useful: |_| true }),
    position: Position::Beside(width),
    widgets,
    draw,
    own_key: |key| (key == Key::Ctrl('f')).then_some(UiCommand::Ask(Ask::Words)),
    escape: Escape::InTurn,
    on_toggle: |ui, is_open| {
        ui.files.is_typing = false;
        // What was typed can be written while it is closed, too.
        ui.overlays.files = is_open || !ui.files.unwritten().is_empty();
        Some(PlayerCommand::SetOverlays(ui.overlays))
    },
    max_scroll: |scene| {
        let open = scene.ui.shown_file(scene.state).zip(scene.layout.area(PANEL.id));
        open.map_or(0.0, |(file, area)| last_first(file.text(), area) as f32)
    },
    ..Panel::DEFAULT
};

/// Font size of the text, in pixels.
pub(super) const CODE: f32 = 12.5;
/// Distance between two lines, in pixels.
pub(super) const LINE: f32 = 18.0;
/// Height of the names of the files above the text, and of a button below it, in pixels.
const ROW: f32 = 26.0;
/// Height of what is below the text, in pixels, and its largest number of lines.
const FOOT: f32 = 56.0;
const FOOT_LINES: usize = 3;
/// Width unless the person changes it, in pixels: room for lines and the values behind them. The world has at least as much.
const WIDTH: f32 = 760.0;
/// The least width, in pixels.
const MIN_WIDTH: f32 = 240.0;
/// Width of the numbers of the lines, in pixels.
const NUMBERS: f32 = 40.0;
/// Distance between the text and the values behind it, in pixels.
const VALUES: f32 = 24.0;
/// The least widths of words that are cut behind a line, in pixels: about 24 letters of a problem, about 14 of a value, so that the
/// beginning of a number is there.
const LEAST_PROBLEM: f32 = 140.0;
const LEAST_VALUE: f32 = 84.0;
/// Width of the sign where there is less room, in pixels.
const SIGN: f32 = 10.0;
/// The words that have a meaning of their own in scripts.
const KEYWORDS: &[&str] = &[
    "break", "const", "continue", "do", "else", "fn", "for", "if", "import", "in", "let", "loop",
    "return", "switch", "until", "while", "as", "private", "true", "false", "throw", "try",
    "catch",
];

/// Returns the width that it takes beside the world.
fn width(ui: &Ui, room: f32) -> f32 {
    let usual = || math::min(WIDTH, room * 0.5);
    math::max(ui.files.width.unwrap_or_else(usual), MIN_WIDTH)
}

/// Returns its area, if it is open.
fn area(ui: &Ui, state: &ViewState) -> Option<Area> {
    ui.layout(state).area(PANEL.id)
}

/// Returns whether a point is in it, if it is open.
pub(in super::super) fn contains(ui: &Ui, state: &ViewState, at: Vec2) -> bool {
    area(ui, state).is_some_and(|area| area.contains(at))
}

/// Returns the number of rows that there is room for.
fn rows_in(area: Area) -> usize {
    math::max((area.height() - ROW - FOOT) / LINE, 1.0) as usize
}

/// Returns the number of columns that there is room for.
fn columns_in(area: Area) -> usize {
    math::max((area.width() - 2.0 * PAD - NUMBERS) / cell(), 1.0) as usize
}

/// Returns the number of the line, from 0, that is the first one when the end of a text is shown.
fn last_first(text: &str, area: Area) -> usize {
    let counts: Vec<usize> =
        lines(text).map(|line| rows_of(line, columns_in(area)).count()).collect();
    // Below the last line, a row is free.
    let mut room = rows_in(area).saturating_sub(1);
    let fits = |count: &&usize| {
        let is_room = **count <= room;
        room = room.saturating_sub(**count);
        is_room
    };
    counts.len() - counts.iter().rev().take_while(fits).count().max(1)
}

/// Returns the number of the line to show first, from 0, so that a place of a text is shown: if possible, the one that is first now.
pub(in super::super) fn first_to_show(
    ui: &Ui,
    state: &ViewState,
    text: &str,
    place: usize,
) -> usize {
    let line = text[..place].matches('\n').count();
    let first = (ui.panels.scroll(PANEL.id) as usize).min(line);
    let Some(area) = area(ui, state) else { return first };
    let (room, columns) = (rows_in(area), columns_in(area));
    let is_shown = |first: &usize| {
        let rows = lines(text).skip(*first).flat_map(|line| rows_of(line, columns));
        rows.take(room).any(|row| row.has(place))
    };
    (first..line).find(is_shown).unwrap_or(line)
}

/// Returns the width of a letter, in pixels.
pub(super) fn cell() -> f32 {
    Typeface::Code.width("0", CODE)
}

/// The parts of the panel.
struct View<'s> {
    file: ShownFile<'s>,
    area: Area,
    /// The number of the first line that is shown, from 0.
    first: usize,
    /// The rows that are shown, each with the number of its line.
    rows: Vec<(usize, TextRow<'s>)>,
    /// Where the rows begin, in pixels.
    left: f32,
}

impl<'s> View<'s> {
    fn new(scene: &'s Scene<'_>, area: Area) -> Option<Self> {
        let file = scene.ui.shown_file(scene.state)?;
        let last = last_first(file.text(), area);
        let first = (scene.ui.panels.scroll(PANEL.id) as usize).min(last);
        let of_line =
            |(number, line)| rows_of(line, columns_in(area)).map(move |row| (number, row));
        let rows = lines(file.text()).enumerate().skip(first).flat_map(of_line);
        let rows = rows.take(rows_in(area)).collect();
        let left = area.min.x + PAD + NUMBERS;
        Some(Self { file, area, first, rows, left })
    }

    /// Returns the rows that are shown, each with the number of its line and the base of its letters.
    fn shown(&self) -> impl Iterator<Item = (usize, &TextRow<'s>, f32)> {
        let top = self.area.min.y + ROW + 13.0;
        let rows = self.rows.iter().enumerate();
        rows.map(move |(index, (number, row))| (*number, row, top + index as f32 * LINE))
    }

    /// Returns where a column is, in pixels.
    fn x_of(&self, column: usize) -> f32 {
        self.left + column as f32 * cell()
    }

    /// Returns the place in the text that a point is at.
    fn place_at(&self, at: Vec2) -> usize {
        let index = math::max((at.y - self.area.min.y - ROW) / LINE, 0.0) as usize;
        let Some((_, row)) = self.rows.get(index).or(self.rows.last()) else { return 0 };
        let column = math::max((at.x - self.left) / cell() + 0.5, 0.0) as usize;
        let mut ends = row.words.char_indices().map(|(place, _)| place).chain([row.words.len()]);
        row.start + ends.rfind(|end| row.column_of(row.start + *end) <= column).unwrap_or(0)
    }
}

/// Returns the upper left and the lower right corner of the text, if the panel is open.
pub(super) fn room(scene: &Scene<'_>) -> Option<(Vec2, Vec2)> {
    let area = scene.layout.area(PANEL.id)?;
    Some((area.min + Vec2::new(0.0, ROW), area.max - Vec2::new(0.0, FOOT)))
}

/// Returns where a place of the shown file is: the base of its letter. `None` if it is not visible.
pub(super) fn point_of(scene: &Scene<'_>, place: usize) -> Option<Vec2> {
    let view = View::new(scene, scene.layout.area(PANEL.id)?)?;
    let (_, row, base) = view.shown().find(|(_, row, _)| row.has(place))?;
    Some(Vec2::new(view.x_of(row.column_of(place)), base))
}

impl Ui {
    /// Puts the cursor to the pointer; with `selects`, the selection reaches to there.
    pub(in super::super) fn cursor_to_pointer(&mut self, state: &ViewState, selects: bool) {
        let scene = scene(self, state, None);
        let view = scene.layout.area(PANEL.id).and_then(|area| View::new(&scene, area));
        let place = view.map(|view| view.place_at(self.pointer));
        if let Some(place) = place {
            self.place_cursor(state, place, selects);
        }
    }
}

/// Returns the names of the files with their areas: the shown one, and the others as far as there is room.
fn tabs<'s>(scene: &Scene<'s>, area: Area) -> Vec<(usize, String, Area)> {
    let mut left = area.min.x + Layout::GRIP;
    let all = scene.state.files.iter().enumerate();
    let tab = |(index, source): (usize, _)| {
        let is_changed = scene.ui.files.file(source).is_changed();
        let name = format!("{}{}", short_name(&source.name), if is_changed { " *" } else { "" });
        let width = (text_width(&name, SMALL) + PAD).ceil();
        let tab = Area::new(left, area.min.y, width, ROW);
        left += width;
        (index, name, tab)
    };
    all.map(tab).filter(|(.., tab)| tab.max.x <= area.max.x).collect()
}

/// The lines below the text: what can be done, and the buttons at their end.
fn foot(scene: &Scene<'_>, area: Area) -> (Vec<String>, Vec<(&'static str, UiCommand, Area)>) {
    let Some(file) = scene.ui.shown_file(scene.state) else {
        return (vec!["there is no file".to_owned()], Vec::new());
    };
    // The first key is the one that also counts while the person types.
    let write = key_of(UiCommand::Write).split(' ').next().unwrap_or_default();
    let editor = key_of(UiCommand::OpenEditor);
    let words = if file.has_conflict {
        "another program has changed this file: `drop` shows what it has now (ctrl+z: yours again); `keep mine` lets you write yours over it".to_owned()
    } else if let Some(help) = scene.ui.listed(scene.state) {
        // A word that is being typed is wrong until it is complete.
        let selected = help.suggestions.get(scene.ui.files.help.selected);
        let about = selected.map_or_else(String::new, |one| format!("{} ", one.about));
        format!("{about}(tab or a click: write it; up, down: select another; esc: close)")
    } else if let Some(call) = call_help(scene, &file) {
        // A call that is being typed is wrong until it is complete, so that comes behind it.
        let problem = problem_at_cursor(scene, &file);
        problem.map_or_else(|| call.clone(), |problem| format!("{call}. {problem}"))
    } else if let Some(problem) = problem_at_cursor(scene, &file) {
        problem
    } else if let Some(help) = word_help(scene, &file) {
        help
    } else if file.is_changed() {
        format!("not written yet; {write} writes it, and the run goes on with it")
    } else if scene.ui.files.is_typing {
        "esc: stop typing; ctrl+z: undo; ctrl+f: find; ctrl+/: comment; ctrl+c, ctrl+x, ctrl+v: copy, cut, paste"
            .to_owned()
    } else {
        format!(
            "a click into the text changes it; ctrl+f finds words; {editor} opens it in your editor"
        )
    };
    let mut buttons = Vec::new();
    let mut right = area.max.x - PAD / 2.0;
    if file.is_changed() {
        let write = match file.has_conflict {
            true => ("keep mine", UiCommand::KeepText),
            false => ("write", UiCommand::Write),
        };
        for (words, command) in [("drop", UiCommand::DropText), write] {
            let width = (text_width(words, SMALL) + PAD).ceil();
            right -= width;
            buttons.push((words, command, Area::new(right, area.max.y - ROW, width, ROW)));
        }
    }
    let room = right - area.min.x - 2.0 * PAD;
    let mut lines = wrap(&words, SMALL, room);
    let rest = lines.get(FOOT_LINES - 1..).unwrap_or_default().join(" ");
    lines.truncate(FOOT_LINES - 1);
    let last = (!rest.is_empty()).then(|| cut(&rest, SMALL, room));
    (lines.into_iter().map(str::to_owned).chain(last).collect(), buttons)
}

/// Returns all that is wrong in the line of the cursor, each with what helps.
pub(in super::super) fn problem_at_cursor(
    scene: &Scene<'_>,
    file: &ShownFile<'_>,
) -> Option<String> {
    let edit = file.edit.filter(|_| scene.ui.files.is_typing)?;
    let line = line_of(file, edit.cursor());
    let here = problems(scene, file).filter(|(place, _)| line_of(file, place.span.start) == line);
    let mut here: Vec<(usize, &Diagnostic)> =
        here.map(|(place, found)| (place.span.start, found)).collect();
    here.sort_by_key(|(at, _)| *at);
    // Where there is no room for all, what is wrong matters more than what helps.
    let messages = here.iter().map(|(_, found)| &found.message);
    let help = here.iter().flat_map(|(_, found)| &found.help);
    let words: Vec<&str> = messages.chain(help).map(String::as_str).collect();
    (!words.is_empty()).then(|| words.join("; "))
}

/// Returns what the reference says of the word at the cursor.
fn word_help(scene: &Scene<'_>, file: &ShownFile<'_>) -> Option<String> {
    let edit = file.edit.filter(|_| scene.ui.files.is_typing && !file.is_scenario())?;
    word_at(edit.text(), edit.cursor())
        .map(|entry| format!("{}: {}", entry.signature, summary(entry)))
}

/// Returns the call around the cursor: its signature, and what the argument means.
fn call_help(scene: &Scene<'_>, file: &ShownFile<'_>) -> Option<String> {
    let edit = file.edit.filter(|_| scene.ui.files.is_typing)?;
    let help = scene.ui.files.help.at(&file.source.name, edit.text(), edit.cursor())?;
    let CallHelp { signature, argument } = help.call.as_ref()?;
    let argument = if argument.is_empty() { String::new() } else { format!("; {argument}") };
    Some(format!("{signature}{argument}"))
}

fn widgets(scene: &Scene<'_>, area: Area) -> Vec<Widget> {
    let by_wheel = |widget: Widget| {
        widget.wheel(UiCommand::Scroll(PANEL.id, -3), UiCommand::Scroll(PANEL.id, 3))
    };
    let grip = Area::new(area.min.x, area.min.y, Layout::GRIP, area.height());
    let mut all = vec![
        by_wheel(Widget::background(area)),
        Widget::clickable(grip, UiCommand::ResizeFiles)
            .slider()
            .tip("drag: make the files wider or narrower"),
    ];
    let left = area.min.x + Layout::GRIP;
    let height = area.height() - ROW - FOOT;
    let text = Area::new(left, area.min.y + ROW, area.max.x - left, height);
    if text.height() >= Widget::MIN_SIDE {
        all.push(by_wheel(Widget::clickable(text, UiCommand::PlaceCursor).slider()));
    }
    if let Some(view) = View::new(scene, area) {
        let notes = notes(scene, &view.file);
        let placed = view.shown().flat_map(|row| placed(&view, &notes, row));
        // What has no room is read where the pointer is.
        all.extend(placed.filter(PlacedNote::is_cut).map(|one| {
            let widget = Widget::clickable(one.area, UiCommand::PlaceCursor).slider();
            by_wheel(widget.tip(&one.note.tip))
        }));
    }
    for (index, _, tab) in tabs(scene, area) {
        let name = &scene.state.files[index].name;
        all.push(Widget::clickable(tab, UiCommand::ShowFile(index)).tip(format!("show {name}")));
    }
    for (_, command, button) in foot(scene, area).1 {
        let widget = Widget::clickable(button, command);
        all.push(match command {
            UiCommand::DropText => widget.tip("forget what you have typed in this file"),
            UiCommand::KeepText => widget.tip("keep your text, to write it over that of the file"),
            _ => widget,
        });
    }
    all
}

fn draw(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let palette = scene.palette();
    picture.fill_rect(area.min, area.max, palette.panel.alpha(235));
    ground(picture, area, palette);
    let shown = scene.ui.files.shown(scene.state);
    for (index, name, tab) in tabs(scene, area) {
        let color = if index == shown { palette.ink } else { palette.quiet };
        let at = Vec2::new(tab.min.x + PAD / 2.0, tab.min.y + 17.0);
        text(picture, at, Anchor::Left, SMALL, color, &name);
        if index == shown {
            let line = Vec2::new(tab.min.x + PAD / 2.0, tab.max.y - 3.0);
            picture.fill_rect(line, Vec2::new(tab.max.x - PAD / 2.0, tab.max.y - 1.0), palette.ink);
        }
    }
    let Some(view) = View::new(scene, area) else { return };
    draw_marks(picture, scene, &view);
    draw_text(picture, scene, &view);
    draw_notes(picture, scene, &view);
    draw_foot(picture, scene, area);
    let all = lines(view.file.text()).count();
    let end = view.rows.last().map_or(0, |(number, _)| number + 1);
    if view.first > 0 || end < all {
        let (top, height) = (area.min.y + ROW, area.height() - ROW - FOOT);
        let at = |line: usize| top + height * math::min(line as f32 / all as f32, 1.0);
        scroll_bar(picture, area, at(view.first)..at(end), palette);
    }
}

/// Draws the numbers of the lines, the selection and the cursor.
fn draw_marks(picture: &mut Picture, scene: &Scene<'_>, view: &View<'_>) {
    let palette = scene.palette();
    let edit = view.file.edit.filter(|_| scene.ui.files.is_typing);
    for (number, row, base) in view.shown() {
        if row.is_first() {
            let words = (number + 1).to_string();
            let at = Vec2::new(view.left - 12.0 - words.len() as f32 * cell(), base);
            Typeface::Code.write(picture, at, CODE, palette.quiet.alpha(150), &words);
        }
        if scene.ui.files.line == Some(number) {
            let low = Vec2::new(view.area.min.x + 1.0, base - 13.0);
            let high = Vec2::new(view.area.max.x - 1.0, base + 5.0);
            picture.fill_rect(low, high, palette.ink.alpha(20));
        }
        let x_of = |place: usize| view.x_of(row.column_of(place));
        for (place, _) in problems(scene, &view.file) {
            if row.has(place.span.start) {
                let low = Vec2::new(x_of(place.span.start), base + 3.0);
                let right = math::max(x_of(place.span.end), low.x + cell());
                picture.fill_rect(low, Vec2::new(right, base + 4.5), palette.highlight);
            }
        }
        let Some(edit) = edit else { continue };
        let selected = edit.selection();
        // A line break that is selected is as wide as half a letter.
        let has_break = row.is_last() && selected.end > row.end();
        let more = if has_break { cell() / 2.0 } else { 0.0 };
        if selected.start <= row.end() && row.start < selected.end {
            let low = Vec2::new(x_of(selected.start), base - 13.0);
            let high = Vec2::new(x_of(selected.end) + more, base + 5.0);
            picture.fill_rect(low, high, palette.quiet.alpha(70));
        }
        if row.has(edit.cursor()) {
            let low = Vec2::new(x_of(edit.cursor()).floor() - 1.0, base - 13.0);
            picture.fill_rect(low, low + Vec2::new(2.0, 18.0), palette.highlight);
        }
    }
}

/// Draws the words of the lines, each kind in its color.
fn draw_text(picture: &mut Picture, scene: &Scene<'_>, view: &View<'_>) {
    let palette = scene.palette();
    let language = if view.file.is_scenario() { Language::Ron } else { Language::Rhai };
    let words = view.file.text();
    let all: Vec<Token> = tokens(words, language).collect();
    for (_, row, base) in view.shown() {
        let first = all.partition_point(|token| token.span.end <= row.start);
        for token in all[first..].iter().take_while(|token| token.span.start < row.end()) {
            let (from, to) = (token.span.start.max(row.start), token.span.end.min(row.end()));
            let at = Vec2::new(view.x_of(row.column_of(from)), base);
            let shown = words[from..to].replace('\t', "    ");
            let color = color_of(token.kind, &words[token.span.clone()], palette);
            Typeface::Code.write(picture, at, CODE, color, &shown);
        }
    }
}

/// Returns the color of a token.
fn color_of(kind: TokenKind, words: &str, palette: &Palette) -> Color {
    match kind {
        TokenKind::LineComment | TokenKind::BlockComment => palette.quiet,
        TokenKind::Number | TokenKind::Text | TokenKind::Character | TokenKind::Template => {
            palette.forces()[0]
        }
        TokenKind::Word if KEYWORDS.contains(&words) => palette.forces()[1],
        TokenKind::Word | TokenKind::Sign => palette.ink,
    }
}

/// What stands behind a line.
struct Note {
    /// A place in the line.
    at: usize,
    words: String,
    /// What is shown behind the words, if there is room for both.
    more: String,
    /// What the tooltip says.
    tip: String,
    /// Whether it is something that is wrong, and not a value.
    is_problem: bool,
}

/// Returns what the selected agent computes in the lines, and what is wrong there.
fn notes(scene: &Scene<'_>, file: &ShownFile<'_>) -> Vec<Note> {
    let before = &file.source.text;
    let values = values_of(scene.state, file).map(|values| line_values(before, values));
    let values = values.into_iter().flatten();
    let unchanged = UnchangedLines::new(before, file.text());
    // What has no room is cut here, and its tooltip has all.
    let values = values.filter_map(|one| {
        let (at, words) = (unchanged.moved(one.end)?, one.whole.unwrap_or(one.words));
        Some(Note { at, tip: words.clone(), words, more: String::new(), is_problem: false })
    });
    values.chain(problem_notes(scene, file)).collect()
}

/// Returns what is wrong in the lines. Of several problems in a line, the first one is shown, and the tooltip has all.
fn problem_notes(scene: &Scene<'_>, file: &ShownFile<'_>) -> Vec<Note> {
    let mut lines: BTreeMap<usize, Vec<(usize, &str)>> = BTreeMap::new();
    for (place, found) in problems(scene, file) {
        let at = place.span.start;
        lines.entry(line_of(file, at)).or_default().push((at, &found.message));
    }
    let note = |mut problems: Vec<(usize, &str)>| {
        problems.sort_by_key(|(at, _)| *at);
        let (at, first) = *problems.first()?;
        let more = match problems.len() - 1 {
            0 => String::new(),
            count => format!(" (+{count} more)"),
        };
        let all: Vec<&str> = problems.into_iter().map(|(_, message)| message).collect();
        Some(Note { at, words: first.to_owned(), more, tip: all.join("; "), is_problem: true })
    };
    lines.into_values().filter_map(note).collect()
}

/// Returns the number of the line of a place in a file, from 0.
fn line_of(file: &ShownFile<'_>, at: usize) -> usize {
    file.text()[..at].matches('\n').count()
}

/// Returns why the shown text does not run, with the places in it.
fn problems<'s>(
    scene: &'s Scene<'_>,
    file: &'s ShownFile<'_>,
) -> impl Iterator<Item = (&'s Place, &'s Diagnostic)> {
    let of_run = scene.state.errors.iter().filter(|error| {
        let place = error.place.as_ref().filter(|place| place.source == *file.source);
        place.is_some() && !file.is_changed()
    });
    let of_run: Vec<&Diagnostic> = of_run.collect();
    // A run ends at the first kind of mistake; what was found while the text was typed holds for it, too.
    let is_shown = file.is_changed() || !of_run.is_empty();
    let typed = scene.ui.files.findings(file).filter(|found| found.severity != Severity::Note);
    // A warning also holds for a text that was written and runs.
    let is_told = |one: &Diagnostic| is_shown || one.severity == Severity::Warning;
    let typed: Vec<&Diagnostic> =
        typed.filter(|one| is_told(one) && !of_run.contains(one)).collect();
    let all = of_run.into_iter().chain(typed);
    all.filter_map(|found| Some((found.place.as_ref()?, found)))
}

/// What of a note has room behind its line.
struct PlacedNote<'n> {
    note: &'n Note,
    area: Area,
    /// The words that have room; `None` for a sign instead of them.
    words: Option<String>,
}

impl PlacedNote<'_> {
    /// Returns whether something has no room.
    fn is_cut(&self) -> bool {
        self.words.as_ref() != Some(&self.note.words)
    }
}

/// Returns the notes of the line whose last row this is, as far as there is room. A problem has at least a sign at the edge.
fn placed<'n>(
    view: &View<'_>,
    notes: &'n [Note],
    (_, row, base): (usize, &TextRow<'_>, f32),
) -> Vec<PlacedNote<'n>> {
    let right = view.area.max.x - PAD;
    let mut left = view.x_of(row.column_of(row.end())) + VALUES;
    let top = base - 13.0;
    let mut all = Vec::new();
    let is_here =
        |note: &&Note| row.is_last() && (row.line.start..=row.line.end).contains(&note.at);
    for note in notes.iter().filter(is_here) {
        let wanted = text_width(&note.words, SMALL) + text_width(&note.more, SMALL);
        let room = right - left;
        let width = math::min(wanted + 1.0, room);
        let area = |left: f32, width: f32| Area::new(left, top, width, LINE);
        let least = if note.is_problem { LEAST_PROBLEM } else { LEAST_VALUE };
        if width <= wanted && width < least {
            // A few letters say nothing: the tooltip of a sign has the words.
            let at = if note.is_problem { right } else { left };
            if note.is_problem || room >= SIGN {
                all.push(PlacedNote { note, area: area(at, SIGN), words: None });
            }
            left += SIGN + VALUES;
            continue;
        }
        let words = cut(&note.words, SMALL, width - text_width(&note.more, SMALL));
        let words = Some(words + note.more.as_str());
        all.push(PlacedNote { note, area: area(left, width), words });
        left += width + VALUES;
    }
    all
}

/// Draws what stands behind the lines, and the colors of the forces before them.
fn draw_notes(picture: &mut Picture, scene: &Scene<'_>, view: &View<'_>) {
    let palette = scene.palette();
    let notes = notes(scene, &view.file);
    let unchanged = UnchangedLines::new(&view.file.source.text, view.file.text());
    let shares = scene.state.next_turn.as_deref().and_then(explanation);
    let shares = shares.map(|all| all.shares()).unwrap_or_default();
    for shown in view.shown() {
        let (_, row, base) = shown;
        let is_here = |place: &Place| {
            place.source == *view.file.source
                && unchanged.moved(place.span.start).is_some_and(|at| row.has(at))
        };
        // The color of a force is that of its arrow.
        if let Some(share) = shares.iter().find(|share| share.place().is_some_and(is_here)) {
            let low = Vec2::new(view.left - 8.0, base - 12.0);
            picture.fill_rect(low, low + Vec2::new(4.0, 15.0), palette.share(share));
        }
        for PlacedNote { note, area, words } in placed(view, &notes, shown) {
            let color = if note.is_problem { palette.highlight } else { palette.quiet };
            let at = Vec2::new(area.min.x, base);
            match words {
                Some(words) => text(picture, at, Anchor::Left, SMALL, color, &words),
                None if note.is_problem => {
                    picture.fill_rect(area.min, area.max - Vec2::new(0.0, 2.0), color);
                    let at = at + Vec2::new((SIGN - text_width("!", SMALL)) / 2.0, 0.0);
                    text(picture, at, Anchor::Left, SMALL, palette.panel, "!");
                }
                None => text(picture, at, Anchor::Left, SMALL, color, "…"),
            }
        }
    }
}

/// Returns the values of the selected agent in a file, if it runs with the file as it is without what was typed.
fn values_of<'s>(state: &'s ViewState, file: &ShownFile<'_>) -> Option<&'s [SharedValue]> {
    let hash = text_hash(&file.source.text);
    let all = state.turn_values.as_ref()?.files.iter();
    let name = short_name(&file.source.name);
    let mut here = all.filter(|one| one.text == hash && one.path.ends_with(name));
    Some(&here.next()?.values)
}

/// Draws the lines below the text.
fn draw_foot(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let palette = scene.palette();
    let (lines, buttons) = foot(scene, area);
    let base = area.max.y - 9.0;
    for (number, line) in lines.iter().enumerate() {
        let y = area.max.y - FOOT + 16.0 * (number as f32 + 1.0);
        text(picture, Vec2::new(area.min.x + PAD, y), Anchor::Left, SMALL, palette.quiet, line);
    }
    for (words, _, button) in buttons {
        let at = Vec2::new(button.min.x + PAD / 2.0, base);
        text(picture, at, Anchor::Left, SMALL, palette.ink, words);
    }
}
