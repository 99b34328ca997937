//! The scripts and the scenario: their text, which can be changed here, with the values of the selected agent behind each line.

use flockwork_engine::diag::{Diagnostic, Place, Severity};
use flockwork_engine::math::{self, Vec2};
use flockwork_engine::tokens::{Language, Token, TokenKind, tokens};
use flockwork_lsp::{SharedValue, line_values, text_hash};

use super::super::area::Area;
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
use super::super::text_writer::{PAD, SMALL, cut};
use super::super::ui::Ui;
use super::super::ui_command::UiCommand;
use super::super::view_state::ViewState;
use super::super::widget::Widget;
use super::super::word_help::WordHelp;
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
const CODE: f32 = 12.5;
/// Distance between two lines, in pixels.
const LINE: f32 = 18.0;
/// Height of the names of the files above the text, and of the line below it, in pixels.
const ROW: f32 = 26.0;
/// Width unless the person changes it, in pixels: room for lines and the values behind them.
const WIDTH: f32 = 760.0;
/// The least width, in pixels.
const MIN_WIDTH: f32 = 240.0;
/// Width of the numbers of the lines, in pixels.
const NUMBERS: f32 = 40.0;
/// Distance between the text and the values behind it, in pixels.
const VALUES: f32 = 24.0;
/// The part of the panel that a problem may take from the end of its line.
const PROBLEM: f32 = 0.6;
/// Number of spaces of a tab.
const TAB: usize = 4;

/// The words that have a meaning of their own in scripts.
const KEYWORDS: &[&str] = &[
    "break", "const", "continue", "do", "else", "fn", "for", "if", "import", "in", "let", "loop",
    "return", "switch", "until", "while", "as", "private", "true", "false", "throw", "try",
    "catch",
];

/// Returns its width if there is room.
fn width(ui: &Ui, _: &ViewState) -> f32 {
    math::max(ui.files.width.unwrap_or(WIDTH), MIN_WIDTH)
}

/// Returns its area, if it is open.
fn area(ui: &Ui, state: &ViewState) -> Option<Area> {
    ui.layout(state).area(PANEL.id)
}

/// Returns whether a point is in it, if it is open.
pub(in super::super) fn contains(ui: &Ui, state: &ViewState, at: Vec2) -> bool {
    area(ui, state).is_some_and(|area| area.contains(at))
}

/// Returns the number of lines that there is room for.
fn lines_in(area: Area) -> usize {
    math::max((area.height() - 2.0 * ROW) / LINE, 1.0) as usize
}

/// Returns the number of lines and of columns that are shown in a window.
pub(in super::super) fn room(ui: &Ui, state: &ViewState) -> (usize, usize) {
    area(ui, state).map_or((1, 1), |area| (lines_in(area), columns_in(area)))
}

/// Returns the number of columns that there is room for.
fn columns_in(area: Area) -> usize {
    math::max((area.width() - 2.0 * PAD - NUMBERS) / cell(), 1.0) as usize
}

/// Returns the number of the line, from 0, that is the first one when the end of a text is shown.
fn last_first(text: &str, area: Area) -> usize {
    (lines(text).count() + 1).saturating_sub(lines_in(area))
}

/// Returns the lines of a text: where each begins, and its words.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let base = text.as_ptr() as usize;
    text.split('\n')
        .map(move |line| (line.as_ptr() as usize - base, line.strip_suffix('\r').unwrap_or(line)))
}

/// Returns the width of a letter, in pixels.
fn cell() -> f32 {
    Typeface::Code.width("0", CODE)
}

/// Returns the number of columns of a part of a line.
pub(in super::super) fn columns(part: &str) -> usize {
    part.chars().map(|letter| if letter == '\t' { TAB } else { 1 }).sum()
}

/// The parts of the panel.
struct View<'s> {
    file: ShownFile<'s>,
    area: Area,
    /// The number of the first line that is shown, from 0.
    first: usize,
    /// The number of columns that are left of the panel.
    hidden: usize,
    /// Where the lines begin, in pixels.
    left: f32,
    /// The number of the line where the person types, from 0.
    typed: Option<usize>,
}

impl<'s> View<'s> {
    fn new(scene: &'s Scene<'_>, area: Area) -> Option<Self> {
        let file = scene.ui.shown_file(scene.state)?;
        let last = last_first(file.text(), area);
        let first = (scene.ui.panels.scroll(PANEL.id) as usize).min(last);
        let (left, hidden) = (area.min.x + PAD + NUMBERS, scene.ui.files.hidden);
        let edit = file.edit.filter(|_| scene.ui.files.is_typing);
        let typed = edit.map(|edit| edit.text()[..edit.cursor()].matches('\n').count());
        Some(Self { file, area, first, hidden, left, typed })
    }

    /// Returns the lines that are shown: the number of each, where it begins, and its words.
    fn shown(&self) -> impl Iterator<Item = (usize, usize, &'s str)> {
        let all = lines(self.file.text()).enumerate();
        let all = all.map(|(number, (start, line))| (number, start, line));
        all.skip(self.first).take(lines_in(self.area))
    }

    /// Returns the base of the letters of a line.
    fn base(&self, number: usize) -> f32 {
        self.area.min.y + ROW + (number - self.first) as f32 * LINE + 13.0
    }

    /// Returns where a column is, in pixels.
    fn x_of(&self, column: usize) -> f32 {
        self.left + (column as f32 - self.hidden as f32) * cell()
    }

    /// Returns the place in the text that a point is at.
    fn place_at(&self, at: Vec2) -> usize {
        let row = math::max((at.y - self.area.min.y - ROW) / LINE, 0.0) as usize;
        let all = lines(self.file.text());
        let (start, line) = all.take(self.first + row + 1).last().unwrap_or_default();
        let column = math::max((at.x - self.left) / cell() + 0.5, 0.0) as usize + self.hidden;
        let mut ends = line.char_indices().map(|(place, _)| place).chain([line.len()]);
        start + ends.rfind(|end| columns(&line[..*end]) <= column).unwrap_or(0)
    }
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

/// The line below the text: what can be done, and the buttons at its end.
fn foot(scene: &Scene<'_>, area: Area) -> (String, Vec<(&'static str, UiCommand, Area)>) {
    let Some(file) = scene.ui.shown_file(scene.state) else {
        return ("there is no file".to_owned(), Vec::new());
    };
    // The first key is the one that also counts while the person types.
    let write = key_of(UiCommand::Write).split(' ').next().unwrap_or_default();
    let editor = key_of(UiCommand::OpenEditor);
    let words = if file.has_conflict {
        "another program has changed this file: copy what you need, then drop your text".to_owned()
    } else if let Some(names) = completions(scene, &file) {
        // A word that is being typed is wrong until it is complete.
        names
    } else if let Some(problem) = problem_at_cursor(scene, &file) {
        problem
    } else if let Some(help) = word_help(scene, &file) {
        help.line()
    } else if file.is_changed() {
        format!("not written yet; {write} writes it, and the run goes on with it")
    } else if scene.ui.files.is_typing {
        "esc: stop typing; ctrl+z: undo; ctrl+f: find; ctrl+c, ctrl+x, ctrl+v: copy, cut, paste"
            .to_owned()
    } else {
        format!("a click into the text changes it; {editor} opens it in your editor")
    };
    let mut buttons = Vec::new();
    let mut right = area.max.x - PAD / 2.0;
    if file.is_changed() {
        for (words, command) in [("drop", UiCommand::DropText), ("write", UiCommand::Write)] {
            let width = (text_width(words, SMALL) + PAD).ceil();
            right -= width;
            buttons.push((words, command, Area::new(right, area.max.y - ROW, width, ROW)));
        }
    }
    let room = right - area.min.x - PAD;
    (cut(&words, SMALL, room), buttons)
}

/// Returns what is wrong in the line of the cursor, and what helps.
fn problem_at_cursor(scene: &Scene<'_>, file: &ShownFile<'_>) -> Option<String> {
    let edit = file.edit.filter(|_| scene.ui.files.is_typing)?;
    let line = |at: usize| file.text()[..at].matches('\n').count();
    let mut all = problems(scene, file);
    let (_, found) = all.find(|(place, _)| line(place.span.start) == line(edit.cursor()))?;
    let words: Vec<&str> =
        [&found.message].into_iter().chain(&found.help).map(String::as_str).collect();
    Some(words.join("; "))
}

/// Returns what the reference says of the word at the cursor.
fn word_help(scene: &Scene<'_>, file: &ShownFile<'_>) -> Option<WordHelp> {
    let edit = file.edit.filter(|_| scene.ui.files.is_typing && !file.is_scenario())?;
    WordHelp::at(edit)
}

/// Returns the words that begin like the one at the cursor, if that is no word yet.
fn completions(scene: &Scene<'_>, file: &ShownFile<'_>) -> Option<String> {
    word_help(scene, file).filter(WordHelp::is_begun).map(|help| help.line())
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
    let height = area.height() - 2.0 * ROW;
    let text = Area::new(left, area.min.y + ROW, area.max.x - left, height);
    if text.height() >= Widget::MIN_SIDE {
        all.push(by_wheel(Widget::clickable(text, UiCommand::PlaceCursor).slider()));
    }
    if let Some(view) = View::new(scene, area) {
        let notes = notes(scene, &view.file);
        let placed = view.shown().flat_map(|line| placed(&view, &notes, line));
        // What has no room is read where the pointer is.
        let cut = placed.filter(|(area, note)| text_width(&note.words, SMALL) > area.width());
        all.extend(cut.map(|(area, note)| {
            by_wheel(Widget::clickable(area, UiCommand::PlaceCursor).slider().tip(&note.words))
        }));
    }
    if let Some(view) = View::new(scene, area) {
        let right = area.max.x - PAD;
        let long = view.shown().filter(|(.., line)| view.x_of(columns(line)) > right);
        // The mark where a line goes on beyond the panel.
        all.extend(long.map(|(number, _, line)| {
            let mark = Area::new(right - LINE, view.base(number) - 13.0, LINE + PAD, LINE);
            by_wheel(Widget::clickable(mark, UiCommand::PlaceCursor).slider().tip(line.trim()))
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
    draw_completions(picture, scene, &view);
    draw_foot(picture, scene, area);
    let (all, rows) = (lines(view.file.text()).count(), lines_in(area));
    if all > rows {
        let (top, height) = (area.min.y + ROW, area.height() - 2.0 * ROW);
        let at = |line: usize| top + height * math::min(line as f32 / all as f32, 1.0);
        scroll_bar(picture, area, at(view.first)..at(view.first + rows), palette);
    }
}

/// Draws the numbers of the lines, the selection and the cursor.
fn draw_marks(picture: &mut Picture, scene: &Scene<'_>, view: &View<'_>) {
    let palette = scene.palette();
    let edit = view.file.edit.filter(|_| scene.ui.files.is_typing);
    for (number, start, line) in view.shown() {
        let base = view.base(number);
        let words = (number + 1).to_string();
        let at = Vec2::new(view.left - 12.0 - words.len() as f32 * cell(), base);
        Typeface::Code.write(picture, at, CODE, palette.quiet.alpha(150), &words);
        if scene.ui.files.line == Some(number) {
            let low = Vec2::new(view.area.min.x + 1.0, base - 13.0);
            let high = Vec2::new(view.area.max.x - 1.0, base + 5.0);
            picture.fill_rect(low, high, palette.ink.alpha(20));
        }
        let column = |place: usize| {
            let end = place.saturating_sub(start).min(line.len());
            math::max(view.x_of(columns(&line[..end])), view.left)
        };
        for (place, _) in problems(scene, &view.file) {
            let span = &place.span;
            if (start..=start + line.len()).contains(&span.start) {
                let low = Vec2::new(column(span.start), base + 3.0);
                let right = math::max(column(span.end), low.x + cell());
                picture.fill_rect(low, Vec2::new(right, base + 4.5), palette.highlight);
            }
        }
        let Some(edit) = edit else { continue };
        let selected = edit.selection();
        // A line break that is selected is as wide as half a letter.
        let more = if selected.end > start + line.len() { cell() / 2.0 } else { 0.0 };
        if selected.start <= start + line.len() && start < selected.end {
            let low = Vec2::new(column(selected.start), base - 13.0);
            let high = Vec2::new(column(selected.end) + more, base + 5.0);
            picture.fill_rect(low, high, palette.quiet.alpha(70));
        }
        if (start..=start + line.len()).contains(&edit.cursor()) {
            let low = Vec2::new(column(edit.cursor()).floor() - 1.0, base - 13.0);
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
    let right = view.area.max.x - PAD;
    for (number, start, line) in view.shown() {
        let end = start + line.len();
        // A line that goes on beyond the panel says so.
        if view.x_of(columns(line)) > right {
            let at = Vec2::new(right, view.base(number));
            Typeface::Code.write(picture, at, CODE, palette.quiet, "…");
        }
        let first = all.partition_point(|token| token.span.end <= start);
        for token in all[first..].iter().take_while(|token| token.span.start < end) {
            let (from, to) = (token.span.start.max(start), token.span.end.min(end));
            let column = columns(&line[..from - start]);
            let skipped = view.hidden.saturating_sub(column);
            let at = Vec2::new(view.x_of(column + skipped), view.base(number));
            let room = math::max((right - at.x) / cell(), 0.0) as usize;
            let shown = line[from - start..to - start].replace('\t', "    ");
            let shown: String = shown.chars().skip(skipped).take(room).collect();
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
    /// Whether it is something that is wrong, and not a value.
    is_problem: bool,
}

/// Returns what the selected agent computes in the lines, and what is wrong there.
fn notes(scene: &Scene<'_>, file: &ShownFile<'_>) -> Vec<Note> {
    let values = values_of(scene.state, file).map(|values| line_values(file.text(), values));
    let values = values.into_iter().flatten();
    let values = values.map(|(at, words)| Note { at, words, is_problem: false });
    let problem = |(place, found): (&Place, &Diagnostic)| Note {
        at: place.span.start,
        words: found.message.clone(),
        is_problem: true,
    };
    values.chain(problems(scene, file).map(problem)).collect()
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
    let typed = scene.ui.files.findings(file).filter(|found| found.severity != Severity::Note);
    let all = of_run.chain(typed.filter(|_| file.is_changed()));
    all.filter_map(|found| Some((found.place.as_ref()?, found)))
}

/// Returns the notes of a line with their areas, as far as there is room. A problem is there in any case, over the end of the line, except
/// where the person types: there it is below the text.
fn placed<'n>(
    view: &View<'_>,
    notes: &'n [Note],
    line: (usize, usize, &str),
) -> Vec<(Area, &'n Note)> {
    let (number, start, words) = line;
    let right = view.area.max.x - PAD;
    let mut left = view.x_of(columns(words)) + VALUES;
    let top = view.base(number) - 13.0;
    let mut all = Vec::new();
    for note in notes.iter().filter(|note| (start..=start + words.len()).contains(&note.at)) {
        let wanted = text_width(&note.words, SMALL);
        if note.is_problem && view.typed != Some(number) {
            let room = math::min(wanted, (right - view.left) * PROBLEM);
            left = math::max(math::min(left, right - room), view.left);
        }
        let width = math::min(wanted + 1.0, right - left);
        if width > VALUES {
            all.push((Area::new(left, top, width, LINE), note));
        }
        left += width + VALUES;
    }
    all
}

/// Draws what stands behind the lines, and the colors of the forces before them.
fn draw_notes(picture: &mut Picture, scene: &Scene<'_>, view: &View<'_>) {
    let (palette, words) = (scene.palette(), view.file.text());
    let notes = notes(scene, &view.file);
    let shares = scene.state.next_turn.as_deref().and_then(explanation);
    let shares = shares.map(|all| all.shares()).unwrap_or_default();
    for line in view.shown() {
        let (number, start, length) = (line.0, line.1, line.2.len());
        let is_here = |place: &Place| {
            place.source.text == words
                && place.source.name == view.file.source.name
                && (start..=start + length).contains(&place.span.start)
        };
        // The color of a force is that of its arrow.
        if let Some(share) = shares.iter().find(|share| share.place().is_some_and(is_here)) {
            let low = Vec2::new(view.left - 8.0, view.base(number) - 12.0);
            picture.fill_rect(low, low + Vec2::new(4.0, 15.0), palette.share(share));
        }
        for (area, note) in placed(view, &notes, line) {
            let words = cut(&note.words, SMALL, area.width());
            let color = if note.is_problem { palette.highlight } else { palette.quiet };
            if note.is_problem {
                let end = Vec2::new(view.area.max.x - 1.0, area.max.y);
                picture.fill_rect(area.min - Vec2::new(8.0, 0.0), end, palette.panel);
            }
            let at = Vec2::new(area.min.x, view.base(number));
            text(picture, at, Anchor::Left, SMALL, color, &words);
        }
    }
}

/// Draws the words that begin like the one at the cursor, below it, or above where there is no room.
fn draw_completions(picture: &mut Picture, scene: &Scene<'_>, view: &View<'_>) {
    let help = word_help(scene, &view.file).filter(WordHelp::is_begun);
    let (Some(help), Some(edit), Some(line)) = (help, view.file.edit, view.typed) else { return };
    let is_shown = (view.first..view.first + lines_in(view.area)).contains(&line);
    let listed: Vec<_> = help.listed().filter(|_| is_shown).collect();
    if listed.is_empty() {
        return;
    }
    let palette = scene.palette();
    let before = &edit.text()[..edit.cursor() - help.typed().len()];
    let column = columns(before.rsplit('\n').next().unwrap_or_default());
    let names = listed.iter().map(|(name, _)| columns(name)).max().unwrap_or_default();
    let names = names as f32 * cell() + VALUES;
    let summaries = listed.iter().map(|(_, summary)| text_width(summary, SMALL));
    let room = view.area.width() - 2.0 * PAD;
    let width = math::min(names + summaries.fold(0.0, math::max) + 2.0 * PAD, room);
    let height = listed.len() as f32 * LINE + PAD;
    let left = math::min(view.x_of(column) - PAD, view.area.max.x - PAD - width);
    let (below, above) = (view.base(line) + 6.0, view.base(line) - 14.0 - height);
    let has_room = below + height <= view.area.max.y - ROW || above < view.area.min.y;
    let area = Area::new(left, if has_room { below } else { above }, width, height);
    picture.fill_rect(area.min, area.max, palette.panel.alpha(255));
    ground(picture, area, palette);
    for (number, (name, summary)) in listed.into_iter().enumerate() {
        let top = area.min.y + PAD / 2.0 + number as f32 * LINE;
        let at = Vec2::new(area.min.x + PAD, top + 13.0);
        if number == 0 {
            let (min, max) =
                (Vec2::new(area.min.x + 1.0, top), Vec2::new(area.max.x - 1.0, top + LINE));
            picture.fill_rect(min, max, palette.group(0).alpha(50));
        }
        Typeface::Code.write(picture, at, CODE, palette.ink, name);
        let at = at + Vec2::new(names, 0.0);
        let summary = cut(summary, SMALL, area.max.x - PAD - at.x);
        text(picture, at, Anchor::Left, SMALL, palette.quiet, &summary);
    }
}

/// Returns the values of the selected agent in a file, if it runs with the text that is shown.
fn values_of<'s>(state: &'s ViewState, file: &ShownFile<'_>) -> Option<&'s [SharedValue]> {
    let hash = text_hash(file.text());
    let all = state.turn_values.as_ref()?.files.iter();
    let name = short_name(&file.source.name);
    let mut here = all.filter(|one| one.text == hash && one.path.ends_with(name));
    Some(&here.next()?.values)
}

/// Draws the line below the text.
fn draw_foot(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let palette = scene.palette();
    let (words, buttons) = foot(scene, area);
    let base = area.max.y - 9.0;
    let at = Vec2::new(area.min.x + PAD, base);
    text(picture, at, Anchor::Left, SMALL, palette.quiet, &words);
    for (words, _, button) in buttons {
        let at = Vec2::new(button.min.x + PAD / 2.0, base);
        text(picture, at, Anchor::Left, SMALL, palette.ink, words);
    }
}
