//! What can be chosen by typing a part of its name: actions, params, agents, groups, obstacles, paths, other scenarios and the words of
//! the reference.

use std::collections::BTreeSet;

use flockwork_engine::diag::nearest;
use flockwork_engine::math::Vec2;
use flockwork_engine::world::GroupId;

use super::ask::Ask;
use super::choice::{Choice, ChoiceRow};
use super::command::PlayerCommand;
use super::keys::keys;
use super::leaving::Destination;
use super::named_rows::named_rows;
use super::panels;
use super::tune;
use super::ui::Ui;
use super::ui_command::UiCommand;
use super::view_state::ViewState;
use super::word_help::summary;
use super::words::words;

/// Words that other programs have for actions, and what these are called here.
const OTHER_WORDS: &[(&str, &str)] = &[
    ("add", "another group, edit the scene"),
    ("agent", "edit the scene"),
    ("arrow", "forces of all agents"),
    ("backward", "tick back, second back"),
    ("baseline", "in gray"),
    ("bookmark", "save from here"),
    ("breakpoint", "pause when"),
    ("breed", "another group"),
    ("camera", "view, zoom, center"),
    ("chart", "plot"),
    ("console", "log"),
    ("count", "number of agents"),
    ("csv", "plot something, plot an expression"),
    ("data", "plot something, plot an expression"),
    ("delete", "edit the scene, remove the selected place, undo"),
    ("diff", "compare"),
    ("disable", "weight"),
    ("explain", "forces add up"),
    ("export", "picture, film"),
    ("focus", "center"),
    ("faster", "twice as fast, max_speed"),
    ("font", "larger, smaller"),
    ("fullscreen", "present"),
    ("graph", "plot"),
    ("ghost", "in gray"),
    ("gif", "film"),
    ("gizmo", "forces, edit the scene"),
    ("heat", "color agents"),
    ("heatmap", "color agents"),
    ("histogram", "plot"),
    ("hide", "close, on or off"),
    ("inspect", "find an agent, forces"),
    ("keyboard", "keys"),
    ("motion", "half as fast, trails"),
    ("monitor", "plot something, plot an expression"),
    ("mute", "weight"),
    ("new", "save from here, another group, open another scenario, another random run"),
    ("obstacle", "edit the scene"),
    ("parameters", "params"),
    ("pathfinding", "go_to"),
    ("population", "plot, number of agents"),
    ("reset", "run all again, fit"),
    ("restart", "run all again"),
    ("rewind", "tick back, second back, first tick"),
    ("save", "write changed params"),
    ("screenshot", "picture"),
    ("search", "find"),
    ("seed", "another random run, compare"),
    ("settings", "params, keys"),
    ("setup", "run all again, another random run, number of agents"),
    ("shortcuts", "keys"),
    ("sliders", "params"),
    ("slow", "half as fast, max_speed"),
    ("solo", "weight"),
    ("species", "another group"),
    ("stuck", "go_to, way_to"),
    ("theme", "dark or light colors"),
    ("timeline", "tick"),
    ("tracks", "trails"),
    ("vectors", "forces"),
    ("video", "film"),
    ("watch", "plot something, plot an expression"),
    ("weights", "weight"),
    ("why", "forces add up"),
];

/// Returns whether some words have a part that was typed, or what it is called here.
fn have(words: &str, part: &str) -> bool {
    let is_typed = |(other, _): &&(&str, &str)| {
        part.len() > 2 && (other.starts_with(part) || part.starts_with(other))
    };
    words.contains(part)
        || OTHER_WORDS
            .iter()
            .filter(is_typed)
            .any(|(_, here)| here.split(", ").any(|here| words.contains(here)))
}

/// What the rows of other scenarios begin with.
pub(super) const OPEN: &str = "open scenario ";
/// Words of a question that say nothing about what is meant.
const FILLERS: &[&str] =
    &["a", "an", "and", "do", "for", "how", "i", "in", "is", "it", "make", "my", "of", "on", "the"];
/// Maximum number of rows.
const MAX_ROWS: usize = 200;
/// Maximum number of words of the reference beside other rows.
const MAX_WORDS: usize = 5;
/// A rank that is larger than this says that a row is hardly meant.
const LAST_MEANT: u8 = 1;

/// Returns everything whose words have all parts of a text. What begins with the text comes first. If there is nothing, words that
/// lead nowhere by themselves are left out.
pub(super) fn choices(ui: &Ui, state: &ViewState, text: &str) -> Vec<ChoiceRow> {
    let text = text.trim().to_lowercase();
    let mut parts: Vec<&str> = text.split_whitespace().collect();
    if parts.iter().any(|part| !FILLERS.contains(part)) {
        parts.retain(|part| !FILLERS.contains(part));
    }
    let found = with_parts(ui, state, &text, &parts);
    // Another scenario than the one that was typed is not meant.
    if !found.is_empty() || text.is_empty() || text.starts_with(OPEN.trim()) {
        return found;
    }
    let meant = corrected(ui, state, &parts);
    if parts.len() < 2 || meant != text {
        let parts: Vec<&str> = meant.split(' ').collect();
        let found = with_parts(ui, state, &meant, &parts);
        if !found.is_empty() {
            return found;
        }
    }
    let leads = |part: &&&str| part.len() > 2 && !with_parts(ui, state, part, &[part]).is_empty();
    let known: Vec<&str> = parts.iter().filter(leads).copied().collect();
    let first = (1..=known.len()).rev().map(|count| with_parts(ui, state, &text, &known[..count]));
    first.into_iter().find(|rows| !rows.is_empty()).unwrap_or_default()
}

/// Returns whether an action writes files.
fn writes_files(number: usize) -> bool {
    let command = keys().all().nth(number).map(|action| action.command);
    matches!(
        command,
        Some(UiCommand::Write | UiCommand::SaveSmall | UiCommand::Ask(Ask::Save { .. }))
    )
}

/// Returns what was typed, with a known word in place of each one that is misspelled.
fn corrected(ui: &Ui, state: &ViewState, parts: &[&str]) -> String {
    let everything = with_parts(ui, state, "", &[]);
    let letters = |c: char| !c.is_alphanumeric() && c != '_';
    let known: BTreeSet<String> = everything
        .iter()
        .flat_map(|row| row.words.split(letters))
        .filter(|word| word.len() > 3)
        .map(str::to_lowercase)
        .chain(named_rows(&state.world, "").iter().map(|row| row.completed.to_lowercase()))
        .collect();
    let others = OTHER_WORDS.iter().map(|(other, _)| *other);
    let others = others.chain(words().iter().flat_map(|entry| entry.names.iter().copied()));
    let word = |part: &&str| {
        let all = known.iter().map(String::as_str).chain(others.clone());
        let is_known = known.iter().any(|word| word.contains(part));
        let meant = if is_known { None } else { nearest(part, all) };
        meant.unwrap_or(part).to_owned()
    };
    parts.iter().map(word).collect::<Vec<String>>().join(" ")
}

/// Returns everything whose words have some parts. What begins with the text comes first.
fn with_parts(ui: &Ui, state: &ViewState, text: &str, parts: &[&str]) -> Vec<ChoiceRow> {
    let mut rows = Vec::new();
    // Whether a row has all parts at the beginnings of its words.
    let mut are_meant = Vec::new();
    let mut add = |choice, name: &str, words: String, beside: String| {
        let all = format!("{name} {words}").to_lowercase();
        if parts.iter().all(|part| have(&all, part)) {
            let begins =
                name.to_lowercase().starts_with(text) || words.to_lowercase().starts_with(text);
            // What has a part only inside of its words, such as `test` in `latest`, is hardly meant.
            let is_inside = |part: &&str| {
                let mut words = all.split(|c: char| !c.is_alphanumeric());
                all.contains(*part) && !words.any(|word| word.starts_with(*part))
            };
            let is_word = matches!(choice, Choice::Word(_));
            // The word itself, such as `me.neighbors` for `neighbors`.
            let is_whole = || name.split([' ', '.']).any(|one| one.eq_ignore_ascii_case(text));
            let rank = match is_word {
                true => u8::from(!is_whole()),
                false => u8::from(!begins),
            };
            let is_loose = parts.iter().any(is_inside);
            let rank = rank + u8::from(is_loose);
            are_meant.push(!is_loose);
            // What writes files is not meant by a word inside of its description.
            let is_risky =
                matches!(choice, Choice::Action(number) if rank > 0 && writes_files(number));
            let (completed, heading) = (words.clone(), heading(choice).to_owned());
            let row = ChoiceRow { choice, words, beside, completed, heading };
            rows.push(((rank, is_risky), row));
        }
    };
    // Who looks for scenarios wants no actions.
    let is_scenario = text.starts_with(OPEN.trim());
    for (number, action) in keys().all().enumerate().filter(|_| !is_scenario) {
        let name = action.name.replace('_', " ");
        add(Choice::Action(number), &name, action.does.to_owned(), action.label.clone());
    }
    let is_agent = |row: &ChoiceRow| matches!(row.choice, Choice::Agent(_));
    for row in named_rows(&state.world, text).into_iter().filter(is_agent) {
        add(row.choice, text, row.words, row.beside);
    }
    for row in named_rows(&state.world, "").into_iter().filter(|_| !is_scenario) {
        add(row.choice, &row.completed, row.words, row.beside);
    }
    for ((group, id), params) in
        state.world.groups.iter().zip((0..).map(GroupId)).zip(&state.params)
    {
        for (number, knob) in tune::knobs(params).iter().enumerate() {
            let words = format!("{}.{}", group.name, knob.name());
            let value = format!("param, {}", knob.value_text(params));
            add(Choice::Param(id, number), &knob.name(), words, value);
        }
    }
    if !text.is_empty() {
        for (number, path) in ui.other_scenarios.paths().iter().enumerate() {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let words = format!("{OPEN}{}", path.display());
            add(Choice::Scenario(number), &name, words, "scenario".to_owned());
        }
        for (number, entry) in words().iter().enumerate() {
            let words = format!("{}: {}", entry.signature, summary(entry));
            add(Choice::Word(number), &entry.names.join(" "), words, "reference".to_owned());
        }
    }
    if are_meant.contains(&true) {
        let mut is_meant = are_meant.into_iter();
        rows.retain(|_| is_meant.next() == Some(true));
    }
    below_headings(rows)
}

/// The headings of the rows, in their order if none has a better row than another one.
const HEADINGS: [&str; 5] = ["Actions", "In the world", "Params", "Scenarios", "Reference"];

/// Returns the heading of a row.
fn heading(choice: Choice) -> &'static str {
    let index = match choice {
        Choice::Action(_) => 0,
        Choice::Param(..) => 2,
        Choice::Agent(_) | Choice::Group(_) | Choice::Obstacle(_) | Choice::Path(_) => 1,
        Choice::Scenario(_) => 3,
        Choice::Word(_) | Choice::Use(_) | Choice::Complete(_) => 4,
    };
    HEADINGS[index]
}

/// A row with its rank, and whether it writes files although that is hardly meant.
type RankedRow = ((u8, bool), ChoiceRow);

/// Returns the rows below their headings: actions, then those with the best row first, and in each the better rows first. If anything
/// else is meant, only a few words of the reference are among them.
fn below_headings(rows: Vec<RankedRow>) -> Vec<ChoiceRow> {
    let mut sections: Vec<Vec<RankedRow>> = HEADINGS.map(|_| Vec::new()).into();
    for row in rows {
        let index = HEADINGS.iter().position(|heading| *heading == row.1.heading);
        sections[index.unwrap_or_default()].push(row);
    }
    for section in &mut sections {
        section.sort_by_key(|(rank, _)| *rank);
    }
    let best = |section: &Vec<RankedRow>| section.first().map(|(rank, _)| *rank);
    let is_meant =
        |section: &Vec<RankedRow>| best(section).is_some_and(|(rank, _)| rank <= LAST_MEANT);
    if let Some((words, others)) = sections.split_last_mut()
        && others.iter().any(is_meant)
    {
        words.truncate(MAX_WORDS);
    }
    // Actions that are meant are first: who opens the list wants to do something.
    let are_meant = sections.first().is_some_and(is_meant);
    sections[usize::from(are_meant)..]
        .sort_by_key(|section| best(section).unwrap_or((u8::MAX, true)));
    sections.into_iter().flatten().map(|(_, row)| row).take(MAX_ROWS).collect()
}

impl Choice {
    /// Returns whether it is in the world, and no agent.
    pub(super) fn is_place(self) -> bool {
        matches!(self, Self::Obstacle(_) | Self::Path(_))
    }

    /// Closes the lists of choices and does what was chosen.
    pub(super) fn execute(self, ui: &mut Ui, state: &ViewState) -> Vec<PlayerCommand> {
        if let Self::Complete(number) = self {
            ui.complete(state, Some(number));
            return Vec::new();
        }
        ui.question = None;
        let mut commands = panels::help::PANEL.set_open(ui, false);
        commands.extend(panels::menu::PANEL.set_open(ui, false));
        match self {
            Self::Action(number) => {
                let action = keys().all().nth(number);
                commands
                    .extend(action.map(|one| one.command.execute(ui, state)).unwrap_or_default());
            }
            Self::Param(group, number) => {
                if let Some(group) = state.world.groups.get(usize::from(group.0)) {
                    ui.group = Some(group.name.to_string());
                    ui.param = number;
                    commands.extend(panels::params::PANEL.set_open(ui, true));
                }
            }
            Self::Agent(id) => {
                ui.group = None;
                commands.push(PlayerCommand::Select(Some(id)));
            }
            Self::Group(index) => {
                ui.group = None;
                let group = state.world.groups.get(index);
                commands.extend(group.map(|one| PlayerCommand::Find(one.name.to_string())));
            }
            Self::Obstacle(index) => {
                let one = state.world.obstacles.get(index);
                let (low, high) = one.map(|one| one.shape.bounds()).unzip();
                let name = one.map(|one| format!("the obstacle {}", one.name));
                commands.extend(ui.show_middle(state, low.zip(high), name));
            }
            Self::Path(index) => {
                let one = state.world.paths.get(index);
                let points = one.map(|one| &*one.points).unwrap_or_default();
                let low = points.iter().copied().reduce(Vec2::min);
                let high = points.iter().copied().reduce(Vec2::max);
                let name = one.map(|one| format!("the path {}", one.name));
                commands.extend(ui.show_middle(state, low.zip(high), name));
            }
            Self::Scenario(number) => {
                if let Some(path) = ui.other_scenarios.paths().get(number).cloned() {
                    ui.leave(Destination::Scenario(path), state);
                }
            }
            Self::Word(number) => {
                ui.word = number;
                commands.extend(panels::word::PANEL.set_open(ui, false));
                commands.extend(panels::word::PANEL.set_open(ui, true));
            }
            Self::Use(number) => commands.extend(ui.go_to_use(state, number)),
            // It has been done before the question closes.
            Self::Complete(_) => {}
        }
        commands
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_other_programs_lead_to_actions() {
        let actions =
            keys().all().map(|one| format!("{} {}", one.name.replace('_', " "), one.does));
        let words = words().iter().map(|entry| entry.names.join(" "));
        let actions: Vec<String> = actions.chain(words).map(|one| one.to_lowercase()).collect();
        for (other, here) in OTHER_WORDS {
            for word in here.split(", ") {
                let leads = |action: &String| have(action, other) && action.contains(word);
                assert!(actions.iter().any(leads), "{other}: nothing has `{word}`");
            }
        }
        // Two letters are not enough for that.
        assert!(!have("record a film", "vi") && have("record a film", "vid"));
    }
}
