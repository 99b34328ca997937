//! All keys: one list that the help, the tooltips and the book show and that key presses are looked up in.

use std::sync::LazyLock;

use super::ask::Ask;
use super::command::PlayerCommand;
use super::key::{Key, KeyBinding, KeySection, Keys};
use super::panels::{self, PANELS, help};
use super::ui::Ui;
use super::ui_command::UiCommand;
use super::view_state::ViewState;

const fn key(key: Key, label: &'static str, does: &'static str, command: UiCommand) -> KeyBinding {
    KeyBinding { key, label, does, command }
}

/// Another key for the command of an entry above it, which explains both.
const fn also(key: Key, command: UiCommand) -> KeyBinding {
    KeyBinding { key, label: "", does: "", command }
}

/// The keys of commands, in the order of the help. Panels declare their own keys.
static COMMAND_KEYS: &[(&str, &[KeyBinding])] = &[
    (
        "Time",
        &[
            key(Key::Char(' '), "space", "pause or continue", UiCommand::TogglePause),
            key(Key::Char('.'), ".", "one tick forward", UiCommand::StepForward),
            key(Key::Char(','), ",", "one tick back", UiCommand::StepBack),
            key(Key::Left, "left", "one second back", UiCommand::SecondBack),
            key(Key::Right, "right", "one second forward", UiCommand::SecondForward),
            key(Key::Home, "home", "go to the first tick", UiCommand::FirstTick),
            key(Key::End, "end", "go to the last tick so far; again: the end", UiCommand::LastTick),
            key(
                Key::Enter,
                "digits, enter",
                "run to that tick; without digits: type a value for the selected param",
                UiCommand::RunToDigits,
            ),
            key(Key::Char(']'), "]", "twice as fast", UiCommand::Faster),
            key(Key::Char('['), "[", "half as fast", UiCommand::Slower),
            key(Key::Char('n'), "n", "normal speed", UiCommand::NormalSpeed),
            key(
                Key::Char('k'),
                "k",
                "pause when something becomes true for an agent",
                UiCommand::Ask(Ask::PauseWhen),
            ),
            key(
                Key::Char('r'),
                "r",
                "drop the future and play from here with the current files and params",
                UiCommand::Rerun,
            ),
        ],
    ),
    (
        "View",
        &[
            key(Key::Char('f'), "f", "show the whole world", UiCommand::Fit),
            key(
                Key::Char('/'),
                "/",
                "find an agent by its id or by what is true for it",
                UiCommand::Ask(Ask::Find),
            ),
            key(Key::Char('c'), "c", "keep the selected agent in the center", UiCommand::Follow),
            key(Key::Char('t'), "t", "trails on or off", UiCommand::Trails),
            key(Key::Char('v'), "v", "forces of all agents on or off", UiCommand::Forces),
            key(
                Key::Char('w'),
                "w",
                "the selected agent's force at places around it, on or off",
                UiCommand::Field,
            ),
            key(
                Key::Char('g'),
                "g",
                "keep this run as the baseline; with a ghost: remove it",
                UiCommand::ToggleGhost,
            ),
            key(
                Key::Char('j'),
                "j",
                "plot a measure, a speed, a param or a margin over time, with a list; again: the next",
                UiCommand::NextPlot,
            ),
            key(Key::Char('d'), "d", "dark or light colors", UiCommand::SwapColors),
            key(
                Key::Ctrl('+'),
                "ctrl+plus",
                "draw all larger; ctrl+minus: smaller; ctrl+0: as at the start",
                UiCommand::Scale(1),
            ),
            also(Key::Ctrl('='), UiCommand::Scale(1)),
            also(Key::Ctrl('-'), UiCommand::Scale(-1)),
            also(Key::Ctrl('0'), UiCommand::Scale(0)),
            key(Key::Escape, "esc", "close or stop one thing, the latest first", UiCommand::Close),
            also(Key::Char('?'), help::PANEL.toggle()),
        ],
    ),
    (
        "Params",
        &[
            key(Key::Tab, "tab", "show params of the next group", UiCommand::NextGroup),
            key(Key::Up, "up", "select the param above", UiCommand::ParamAbove),
            key(Key::Down, "down", "select the param below", UiCommand::ParamBelow),
            key(
                Key::Char('-'),
                "-",
                "decrease it by one step; _ by ten steps",
                UiCommand::Tune(-1),
            ),
            key(Key::Char('='), "=", "increase it by one step; + by ten steps", UiCommand::Tune(1)),
            also(Key::Char('_'), UiCommand::Tune(-10)),
            also(Key::Char('+'), UiCommand::Tune(10)),
            key(
                Key::Char('o'),
                "o",
                "write changed params to the scenario file",
                UiCommand::WriteParams,
            ),
        ],
    ),
    (
        "Actions",
        &[
            key(
                Key::Char('x'),
                "x",
                "set a goal here for the selected agent's group, or for all",
                UiCommand::Goal,
            ),
            key(
                Key::Delete,
                "delete",
                "remove the selected place while you edit the scene",
                UiCommand::RemoveMark,
            ),
            key(
                Key::Ctrl('z'),
                "ctrl+z",
                "undo a change of params, a goal, a push or an edit of the scene",
                UiCommand::Undo,
            ),
            key(Key::Ctrl('y'), "ctrl+y", "redo it; also ctrl+shift+z", UiCommand::Redo),
            also(Key::CtrlShift('z'), UiCommand::Redo),
            key(Key::PageUp, "page up, (", "previous result of a tune", UiCommand::PreviousResult),
            key(Key::PageDown, "page down, )", "next result of a tune", UiCommand::NextResult),
            also(Key::Char('('), UiCommand::PreviousResult),
            also(Key::Char(')'), UiCommand::NextResult),
            key(Key::F4, "F4", "open the script in your editor", UiCommand::OpenEditor),
            key(Key::F5, "F5", "read the files again", UiCommand::Reload),
            key(
                Key::Char('q'),
                "q",
                "quit; if params are not written, press it twice",
                UiCommand::Quit,
            ),
        ],
    ),
    (
        "Take along",
        &[
            key(Key::Char('s'), "s", "save from here: a failure becomes a test", UiCommand::Save),
            key(Key::Char('b'), "b", "save it with a golden of what happens", UiCommand::SaveTest),
            key(Key::F9, "F9", "record a film of the window; again: end", UiCommand::Record),
            key(Key::F12, "F12", "write a picture of the window", UiCommand::TakePicture),
            key(
                Key::Ctrl('c'),
                "ctrl+c",
                "copy the command that explains an agent",
                UiCommand::CopyCommand,
            ),
            also(Key::CtrlShift('c'), UiCommand::CopyId),
        ],
    ),
];

/// Returns all keys: those of commands, and among them those of panels.
pub(crate) fn keys() -> &'static Keys {
    static KEYS: LazyLock<Keys> = LazyLock::new(|| {
        let section = |(title, keys): &(&'static str, &[KeyBinding])| KeySection {
            title,
            keys: keys.iter().flat_map(|key| panel_keys(key.key).chain([*key])).collect(),
        };
        Keys { sections: COMMAND_KEYS.iter().map(section).collect() }
    });
    &KEYS
}

/// Returns the keys of the panels that the help explains directly before another key.
fn panel_keys(next: Key) -> impl Iterator<Item = KeyBinding> {
    let keys = PANELS.iter().filter_map(|panel| Some((panel, panel.key.as_ref()?)));
    keys.filter(move |(_, one)| one.before == next)
        .map(|(panel, one)| key(one.key, one.label, one.does, panel.toggle()))
}

/// Handles a pressed key and returns the commands for the player. Digits are collected until enter.
pub(crate) fn press(key: Key, ui: &mut Ui, state: &ViewState) -> Vec<PlayerCommand> {
    ui.hide_tip();
    if let Some(commands) = ui.answer(key, state) {
        return commands;
    }
    let key = match key {
        Key::Char(letter) => Key::Char(letter.to_ascii_lowercase()),
        other => other,
    };
    if panels::play::PANEL.is_open(ui) && is_of_input(key, state) {
        return Vec::new();
    }
    match key {
        Key::Char(digit @ '0'..='9') if ui.digits.len() < 18 => {
            ui.digits.push(digit);
            return Vec::new();
        }
        Key::Backspace => {
            ui.digits.pop();
            return Vec::new();
        }
        _ => {}
    }
    let mut open = PANELS.iter().rev().filter(|panel| panel.is_open(ui));
    let own = open.find_map(|panel| (panel.own_key)(key));
    let binding = keys().all().find(|binding| binding.key == key);
    let command = own.or(binding.map(|binding| binding.command));
    command.map_or_else(Vec::new, |command| command.execute(ui, state))
}

/// Returns whether a key sets an input of the world while the person plays.
fn is_of_input(key: Key, state: &ViewState) -> bool {
    let mut letter = [0; 4];
    let name = match key {
        Key::Char(' ') => "space",
        Key::Char(other) => other.encode_utf8(&mut letter),
        Key::Left => "left",
        Key::Right => "right",
        Key::Up => "up",
        Key::Down => "down",
        Key::Home => "home",
        Key::End => "end",
        Key::PageUp => "page up",
        Key::PageDown => "page down",
        Key::Enter => "enter",
        Key::Backspace => "backspace",
        Key::Delete => "delete",
        Key::Tab => "tab",
        _ => return false,
    };
    state.world.inputs.iter().any(|input| *input.key == *name)
}

/// Handles a key of [`Input::KEYS`] that went down or up, and returns the commands for the player: nothing unless the person plays. While
/// a question is asked, keys are typed.
pub(crate) fn play(
    (key, is_down): (&'static str, bool),
    ui: &Ui,
    state: &ViewState,
) -> Option<PlayerCommand> {
    let is_of_world = state.world.inputs.iter().any(|input| *input.key == *key);
    let is_typed = is_down && ui.question.is_some();
    let is_played = panels::play::PANEL.is_open(ui) && is_of_world && !is_typed;
    is_played.then_some(PlayerCommand::PlayKey { key, is_down })
}
