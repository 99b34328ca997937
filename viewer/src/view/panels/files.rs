//! The scripts and the scenario: their text, which can be changed here, with the values of the selected agent behind each line.

use flockwork_engine::diag::Place;
use flockwork_engine::math::{self, Vec2};
use flockwork_engine::tokens::{Token, TokenKind, tokens};
use flockwork_lsp::{CallHelp, TypingHelp, UnchangedLines, WordHelp};

use super::super::area::Area;
use super::super::ask::Ask;
use super::super::command::PlayerCommand;
use super::super::editor_keys::FIX_KEY;
use super::super::explain_text::explanation;
use super::super::file_notes::{
    LEAST, LineRepair, VALUES, first_with_fix, line_of, notes, problem_lines, problems,
    problems_in_line, words_of,
};
use super::super::file_view::{CODE, FOOT_LINE, ID, TABS, View, cell, last_first, text_area};
use super::super::files::{ShownFile, short_name};
use super::super::find_action::FindField;
use super::super::icon::Icon;
use super::super::key::Key;
use super::super::keys::key_of;
use super::super::layout::Layout;
use super::super::panel::{Escape, Opening, Panel, PanelButton, PanelKey, Position, Scene};
use super::super::panel_drawing::{
    BUTTON_GAP, ButtonLook, frame, ground, handle, scroll_bar, word_button, word_button_width,
};
use super::super::placed_notes::{PlacedNote, placed};
use super::super::problem_rows::{LineFix, color_of_problem, draw_fix};
use super::super::text_find::find_action;
use super::super::text_rows::lines;
use super::super::text_writer::{PAD, SMALL, wrap, wrap_at_most};
use super::super::ui::Ui;
use super::super::ui_command::UiCommand;
use super::super::ui_problems::problem_counts;
use super::super::view_state::ViewState;
use super::super::widget::Widget;
use crate::draw::{Anchor, Color, Palette, Pen, Picture, Typeface, text, text_width};

pub(in super::super) static PANEL: Panel = Panel {
    id: ID,
    opening: Opening::ByHand,
    key: Some(PanelKey {
        keys: &[Key::F3],
        does: "scripts and scenario: read and change them here",
        before: "open_script",
    }),
    button: Some(PanelButton { to_do: unwritten_words, ..PanelButton::new("script") }),
    position: Position::Beside(width),
    widgets,
    draw,
    own_key: |key| match key {
        Key::F8 => Some(UiCommand::NextProblem(true)),
        Key::ShiftF8 => Some(UiCommand::NextProblem(false)),
        _ => find_action(key).map(UiCommand::Find),
    },
    escape: Escape::InTurn,
    step_back: |ui, state| {
        let is_open = ui.files.find.is_open;
        ui.close_find(state);
        is_open
    },
    on_toggle: |ui, is_open| {
        ui.files.is_typing = false;
        ui.files.kept_width = None;
        ui.is_world_covered = is_open;
        ui.overlays.files = ui.files.are_needed(is_open);
        Some(PlayerCommand::SetOverlays(ui.overlays))
    },
    max_scroll: |scene| {
        let open = scene.ui.shown_file(scene.state).zip(scene.layout.area(PANEL.id));
        let last = open.map(|(file, area)| last_first(scene, &file, text_area(scene, area)));
        last.unwrap_or_default() as f32
    },
    ..Panel::DEFAULT
};

/// The largest number of lines below the text for one message, and for all.
const MESSAGE_LINES: usize = 4;
const FOOT_LINES: usize = 5;
/// The least width, in pixels: unless the person changes it, and the least that it is changed to.
const USUAL_WIDTH: f32 = 320.0;
const MIN_WIDTH: f32 = 240.0;
/// The words that have a meaning of their own in scripts.
pub(in super::super) const KEYWORDS: &[&str] = &[
    "break", "const", "continue", "do", "else", "fn", "for", "if", "import", "in", "let", "loop",
    "return", "switch", "until", "while", "as", "private", "true", "false", "throw", "try",
    "catch",
];

/// Returns the width that it takes beside the world, if both have a width together: that which the person has chosen, or what the longest
/// line of the file needs. What is typed and written does not change it. Without a run, the world needs no room.
fn width(ui: &Ui, state: &ViewState, both: f32) -> f32 {
    let usual = || {
        if state.is_waiting {
            return both;
        }
        let wanted = ui.width_of_lines(state) + VALUES + LEAST;
        let most = both - ui.size.0 as f32 * Layout::WORLD_SHARE;
        math::max(math::min(wanted, most), USUAL_WIDTH)
    };
    math::max(ui.files.width.unwrap_or_else(usual), MIN_WIDTH)
}

/// Returns the area of the button for a new script, behind the names of the files.
fn new_script_area(scene: &Scene<'_>, area: Area) -> Area {
    let side = Widget::MIN_SIDE;
    let left = tabs(scene, area).last().map_or(area.min.x + Layout::GRIP, |(.., tab)| tab.max.x);
    Area::new(left, area.min.y + (TABS - side) / 2.0, side, side)
}

/// Returns the names of the files with their areas: the shown one, and the others as far as there is room.
fn tabs<'s>(scene: &Scene<'s>, area: Area) -> Vec<(usize, String, Area)> {
    let mut left = area.min.x + Layout::GRIP;
    let all = scene.state.files.iter().enumerate();
    let tab = |(index, source): (usize, _)| {
        let is_changed = scene.ui.files.file(source).is_changed();
        let name = format!("{}{}", short_name(&source.name), if is_changed { " *" } else { "" });
        let width = (text_width(&name, SMALL) + PAD).ceil();
        let tab = Area::new(left, area.min.y, width, TABS);
        left += width;
        (index, name, tab)
    };
    let end = area.max.x - Widget::MIN_SIDE;
    all.map(tab).filter(|(.., tab)| tab.max.x <= end).collect()
}

/// Says what keys do in the box that finds words.
fn find_hint(scene: &Scene<'_>) -> String {
    let find = &scene.ui.files.find;
    let replaces = find.field == Some(FindField::Replacement);
    let enter = match scene.ui.found_place(scene.state).is_some() {
        true if replaces => "replace this place, go to the next one",
        _ => "the next place",
    };
    let more = match (find.undoes_in_file, find.has_replacement) {
        (true, _) => "ctrl+z: undo in the file",
        (_, true) => "ctrl+enter: replace all",
        _ => "ctrl+h: replace",
    };
    format!("enter: {enter}; shift+enter: the one before; {more}; esc: type at the place")
}

/// Says which files are not written.
fn unwritten_words(ui: &Ui) -> Option<String> {
    let names = ui.files.unwritten();
    (!names.is_empty()).then(|| format!("not written yet: {}", names.join(", ")))
}

/// The lines below the text: what can be done, and the buttons at their end.
pub(in super::super) fn foot(
    scene: &Scene<'_>,
    area: Area,
) -> (Vec<String>, Vec<(&'static str, UiCommand, Area)>) {
    let Some(file) = scene.ui.shown_file(scene.state) else {
        return (vec!["there is no file".to_owned()], Vec::new());
    };
    // The first key is the one that also counts while the person types.
    let write = key_of(UiCommand::Write).split(' ').next().unwrap_or_default();
    let editor = key_of(UiCommand::OpenEditor);
    let problems = problems_at_cursor(scene, &file);
    let words = if scene.ui.files.is_typing && scene.ui.files.is_leaving {
        "esc again: stop typing, and keys act on the run; any other key: type on".to_owned()
    } else if file.has_conflict {
        "another program has changed this file: `drop` shows what it has now (ctrl+z: yours again); `keep mine` lets you write yours over it".to_owned()
    } else if scene.ui.files.find.field.is_some() && scene.ui.files.is_typing {
        find_hint(scene)
    } else if let Some(help) = scene.ui.listed(scene.state) {
        // A word that is being typed is wrong until it is complete.
        let selected = help.suggestions.get(scene.ui.files.help.selected);
        let about = selected.map_or_else(String::new, |one| format!("{} ", one.about));
        format!("{about}(enter, tab or a click: write it; up, down: select another; esc: close)")
    } else if let Some(call) = call_help(scene, &file) {
        // A call that is being typed is wrong until it is complete, so that comes behind it.
        let about = word_help(scene, &file).unwrap_or(call);
        [about].into_iter().chain(problems).collect::<Vec<_>>().join("\n")
    } else if !problems.is_empty() {
        problems.join("\n")
    } else {
        let elsewhere = problem_counts(scene).map(|counts| format!("{counts}; "));
        elsewhere.unwrap_or_default() + usual_words(scene, &file, write, editor).as_str()
    };
    let mut buttons = Vec::new();
    let mut right = area.max.x - BUTTON_GAP;
    if file.is_changed() {
        let write = match file.has_conflict {
            true => ("keep mine", UiCommand::KeepText),
            false => ("write", UiCommand::Write),
        };
        for (words, command) in [("drop", UiCommand::DropText), write] {
            let (width, height) = (word_button_width(words), Widget::MIN_SIDE);
            let top = area.max.y - height - 4.0;
            buttons.push((words, command, Area::new(right - width, top, width, height)));
            right -= width + BUTTON_GAP;
        }
    }
    let room = right - area.min.x - 2.0 * PAD;
    (foot_lines(&words, room), buttons)
}

/// Returns what is said below the text while nothing is wrong in the line of the cursor.
fn usual_words(scene: &Scene<'_>, file: &ShownFile<'_>, write: &str, editor: &str) -> String {
    if let Some(help) = word_help(scene, file) {
        help
    } else if file.is_changed() {
        format!("not written yet; {write} writes it, and the run goes on with it")
    } else if scene.ui.files.is_typing {
        let mut keys = scene.keys.all().filter(|one| one.name == "help").flat_map(|one| &one.keys);
        // Others type a character.
        let key = keys.find(|key| !matches!(key, Key::Char(_))).map(Key::to_string);
        format!(
            "esc twice: stop typing; ctrl+z: undo; ctrl+f: find; F12: definition; ctrl+space: what can be written; {}: all keys",
            key.unwrap_or_default()
        )
    } else {
        format!(
            "a click into the text changes it; ctrl+f finds words; {editor} opens it in your editor"
        )
    }
}

/// Returns the lines of words that have room below the text. Each line break begins a message: the first one is whole if that is possible,
/// and others are there if they have room.
fn foot_lines(words: &str, room: f32) -> Vec<String> {
    let mut shown: Vec<String> = Vec::new();
    let parts: Vec<&str> = words.lines().collect();
    for (index, part) in parts.iter().enumerate() {
        let lines = wrap(part, SMALL, room);
        let left = parts.len() - index;
        if index == 0 {
            shown = wrap_at_most(part, SMALL, room, MESSAGE_LINES);
        } else if shown.len() + lines.len() + usize::from(left > 1) <= FOOT_LINES {
            shown.extend(lines.into_iter().map(str::to_owned));
        } else {
            let what = if left == 1 { "problem" } else { "problems" };
            let more = format!("{left} more {what} in this line: F8 goes to the next one");
            // Beside the buttons, there may be room for a few words only.
            let has_room = text_width(&more, SMALL) <= room;
            shown.push(if has_room { more } else { format!("{left} more {what}: F8") });
            break;
        }
    }
    shown
}

/// Returns a line for each problem in the line of the cursor, that at the cursor first.
pub(in super::super) fn problems_at_cursor(scene: &Scene<'_>, file: &ShownFile<'_>) -> Vec<String> {
    let Some(edit) = file.edit.filter(|_| scene.ui.files.is_typing) else { return Vec::new() };
    let cursor = edit.cursor();
    let here = problems_in_line(scene, file, line_of(file, cursor), Some(cursor));
    let mut lines = problem_lines(here.iter().copied());
    if let Some((index, fix)) = first_with_fix(file, &here) {
        let line = &mut lines[index];
        let is_meant = line.contains("did you mean") && matches!(fix, LineRepair::Change(_));
        *line += &match is_meant {
            true => format!(" ({FIX_KEY})"),
            false => format!("; {FIX_KEY}: {}", words_of(&fix)),
        };
    }
    lines
}

/// Returns what the reference says of the word at the cursor.
fn word_help(scene: &Scene<'_>, file: &ShownFile<'_>) -> Option<String> {
    let WordHelp { signature, summary } = typing_help(scene, file)?.word.as_ref()?;
    Some(format!("{signature}: {summary}"))
}

/// Returns what is known of the place of the cursor.
fn typing_help<'s>(scene: &'s Scene<'_>, file: &ShownFile<'_>) -> Option<&'s TypingHelp> {
    let edit = file.edit.filter(|_| scene.ui.files.is_typing)?;
    scene.ui.files.help.latest(&file.source.name, edit.text(), edit.cursor())
}

/// Returns the call around the cursor: its signature, and what the argument means.
fn call_help(scene: &Scene<'_>, file: &ShownFile<'_>) -> Option<String> {
    let CallHelp { signature, argument } = typing_help(scene, file)?.call.as_ref()?;
    let argument = if argument.is_empty() { String::new() } else { format!("; {argument}") };
    Some(format!("{signature}{argument}"))
}

/// Returns the edge that can be dragged.
fn grip(area: Area) -> Area {
    Area::new(area.min.x, area.min.y, Layout::GRIP, area.height())
}

fn widgets(scene: &Scene<'_>, area: Area) -> Vec<Widget> {
    let by_wheel = |widget: Widget| widget.scrolls(PANEL.id, 3);
    let mut all = vec![
        by_wheel(Widget::background(area)),
        Widget::clickable(grip(area), UiCommand::ResizeFiles)
            .slider()
            .tip("drag: make the files wider or narrower"),
    ];
    let left = area.min.x + Layout::GRIP;
    let text = text_area(scene, area);
    let text = Area { min: Vec2::new(left, text.min.y), max: text.max };
    if text.height() >= Widget::MIN_SIDE {
        all.push(by_wheel(Widget::clickable(text, UiCommand::PlaceCursor).slider()));
    }
    if let Some(view) = View::new(scene) {
        let notes = notes(scene, &view.file);
        let placed = view.shown().flat_map(|row| placed(&view, &notes, row));
        let fix_widget = |area: Area, LineFix { line, words }: &LineFix| {
            let tip = format!("click: {words} ({FIX_KEY} in the line)");
            by_wheel(Widget::clickable(area, UiCommand::WriteFix(*line)).tip(tip))
        };
        let problems = |area: Area, line: usize, tip: &str| {
            let tip = format!("{tip}\nclick, or F8: go to the next one");
            by_wheel(Widget::clickable(area, UiCommand::ShowProblems(line)).tip(tip))
        };
        for one in placed {
            // What has no room is read where the pointer is.
            if one.is_cut() {
                let widget = Widget::clickable(one.area, UiCommand::PlaceCursor).slider();
                all.push(by_wheel(widget.tip(&one.note.tip)));
            }
            all.extend(one.more.map(|area| problems(area, one.note.line, &one.note.tip)));
            let fix = one.fix.zip(one.note.fix.as_ref());
            all.extend(fix.map(|(area, fix)| fix_widget(area, fix)));
        }
        for (one, area) in view.shown_below().filter(|(one, _)| !one.is_empty()) {
            all.push(problems(one.words_area(area), one.line, &one.tip));
            let fix = one.fix_area(area).zip(one.fix.as_ref());
            all.extend(fix.map(|(area, fix)| fix_widget(area, fix)));
        }
    }
    for (index, _, tab) in tabs(scene, area) {
        let name = &scene.state.files[index].name;
        all.push(Widget::clickable(tab, UiCommand::ShowFile(index)).tip(format!("show {name}")));
    }
    let new_script = UiCommand::Ask(Ask::NewScript);
    all.push(Widget::button(new_script_area(scene, area), Icon::Add, new_script));
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
    handle(picture, palette, grip(area), scene.ui.pointer);
    let shown = scene.ui.files.shown(scene.state);
    for (index, name, tab) in tabs(scene, area) {
        let color = if index == shown { palette.ink } else { palette.quiet };
        let at = Vec2::new(tab.min.x + PAD / 2.0, tab.min.y + 20.0);
        text(picture, at, Anchor::Left, SMALL, color, &name);
        if index == shown {
            let line = Vec2::new(tab.min.x + PAD / 2.0, tab.max.y - 2.0);
            picture.fill_rect(line, Vec2::new(tab.max.x - PAD / 2.0, tab.max.y), palette.accent);
        }
    }
    let Some(view) = View::new(scene) else { return };
    draw_marks(picture, scene, &view);
    draw_text(picture, scene, &view);
    draw_notes(picture, scene, &view);
    draw_foot(picture, scene, area);
    let all = lines(view.file.text()).count();
    let end = view.rows.last().map_or(0, |(number, _)| number + 1).min(all);
    let text = area.between(view.area.min.y, view.area.max.y);
    // Keys go to the text now.
    if scene.ui.files.is_typing && scene.ui.files.find.field.is_none() {
        frame(picture, text, Pen::new(palette.accent, 1.5));
    }
    scroll_bar(picture, palette, text, view.first.min(end) as f32..end as f32, all as f32);
}

/// Draws the numbers of the lines, the selection and the cursor.
fn draw_marks(picture: &mut Picture, scene: &Scene<'_>, view: &View<'_>) {
    let palette = scene.palette();
    let edit = view.file.edit.filter(|_| scene.ui.files.is_typing);
    let (found, length) =
        (scene.ui.found_places(scene.state), scene.ui.files.find.words.text().len());
    let brackets = edit.and_then(|edit| edit.bracket_pair(view.file.language()));
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
        for (place, found) in problems(scene, &view.file) {
            if row.has(place.span.start) {
                let low = Vec2::new(x_of(place.span.start), base + 3.0);
                let right = math::max(x_of(place.span.end), low.x + cell());
                let color = color_of_problem(found.severity, palette);
                picture.fill_rect(low, Vec2::new(right, base + 4.5), color);
            }
        }
        for place in brackets.into_iter().flatten().filter(|place| row.has(*place)) {
            let low = Vec2::new(x_of(place), base - 13.0);
            picture.fill_rect(low, low + Vec2::new(cell(), 18.0), palette.ink.alpha(45));
        }
        let here = |place: &&usize| **place < row.end() && row.start < **place + length;
        for place in found.iter().filter(here) {
            let low = Vec2::new(x_of(*place), base - 13.0);
            let high = Vec2::new(x_of(place + length), base + 5.0);
            picture.fill_rect(low, high, palette.group(1).alpha(90));
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
        if row.has(edit.cursor()) && scene.ui.files.find.field.is_none() {
            let low = Vec2::new(x_of(edit.cursor()).floor() - 1.0, base - 13.0);
            picture.fill_rect(low, low + Vec2::new(2.0, 18.0), palette.accent);
        }
    }
}

/// Draws the words of the lines, each kind in its color.
fn draw_text(picture: &mut Picture, scene: &Scene<'_>, view: &View<'_>) {
    let palette = scene.palette();
    let words = view.file.text();
    let all: Vec<Token> = tokens(words, view.file.language()).collect();
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
        for PlacedNote { note, area, words, fix, .. } in placed(view, &notes, shown) {
            if let Some((area, fix)) = fix.zip(note.fix.as_ref()) {
                draw_fix(picture, palette, area, &fix.words);
            }
            let color = note.severity.map_or(palette.quiet, |one| color_of_problem(one, palette));
            let at = Vec2::new(area.min.x, base);
            text(picture, at, Anchor::Left, SMALL, color, words.as_deref().unwrap_or("…"));
        }
    }
    for (one, area) in view.shown_below() {
        one.draw(picture, palette, area);
    }
}

/// Draws the lines below the text.
fn draw_foot(picture: &mut Picture, scene: &Scene<'_>, area: Area) {
    let palette = scene.palette();
    let (lines, buttons) = foot(scene, area);
    let top = text_area(scene, area).max.y;
    let is_asked = scene.ui.files.is_typing && scene.ui.files.is_leaving;
    let color = if is_asked { palette.ink } else { palette.quiet };
    for (number, line) in lines.iter().enumerate() {
        let y = top + FOOT_LINE * (number as f32 + 1.0);
        text(picture, Vec2::new(area.min.x + PAD, y), Anchor::Left, SMALL, color, line);
    }
    for (words, _, button) in buttons {
        word_button(picture, palette, button, words, ButtonLook::Plain);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Caught: the number of other problems was written across the buttons.
    #[test]
    fn lines_below_the_text_end_before_the_buttons() {
        let problem = "there is no function `nearst`: did you mean `nearest(n)`?";
        let words = [problem; 6].join("\n");
        for room in [150.0, 400.0] {
            let lines = foot_lines(&words, room);
            assert!(lines.iter().any(|line| line.contains(" more problems")), "{lines:?}");
            assert!(lines.iter().all(|line| text_width(line, SMALL) <= room), "{lines:?}");
        }
    }
}
