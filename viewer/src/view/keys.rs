//! The keys: one list that the help, the tooltips and the book show and that key presses are looked up in.

use super::command::PlayerCommand;
use super::question::Ask;
use super::ui::Ui;
use super::ui_command::UiCommand;
use super::view_state::ViewState;

/// A key, independent of the window library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    /// A key that types a character.
    Char(char),
    /// A character together with Ctrl.
    Ctrl(char),
    /// A letter together with Ctrl and Shift.
    CtrlShift(char),
    Left,
    Right,
    Up,
    Down,
    Home,
    End,
    PageUp,
    PageDown,
    Enter,
    Escape,
    Backspace,
    Delete,
    Tab,
    F4,
    F5,
    F9,
    F12,
}

/// A key and what it does.
pub(crate) struct KeyBinding {
    pub key: Key,
    /// Name of the key in the help; empty for a key that another entry explains.
    pub label: &'static str,
    /// What the key does, as the help and the tooltips say it.
    pub does: &'static str,
    pub command: UiCommand,
}

/// A heading of the help and the keys below it.
pub(crate) struct KeySection {
    pub title: &'static str,
    pub keys: &'static [KeyBinding],
}

const fn key(key: Key, label: &'static str, does: &'static str, command: UiCommand) -> KeyBinding {
    KeyBinding { key, label, does, command }
}

/// Another key for the command of an entry above it, which explains both.
const fn also(key: Key, command: UiCommand) -> KeyBinding {
    KeyBinding { key, label: "", does: "", command }
}

/// All keys, in the order of the help.
pub(crate) const KEYS: &[KeySection] = &[
    KeySection {
        title: "Time",
        keys: &[
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
    },
    KeySection {
        title: "View",
        keys: &[
            key(Key::Char('f'), "f", "show the whole world", UiCommand::Fit),
            key(
                Key::Char('/'),
                "/",
                "find an agent by its id or by what is true for it",
                UiCommand::Ask(Ask::Find),
            ),
            key(Key::Char('m'), "m", "messages of scripts and notices (the log)", UiCommand::Log),
            key(
                Key::Char('a'),
                "a",
                "expectations of the scenario and whether they hold so far",
                UiCommand::Expectations,
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
            key(Key::Char('l'), "l", "legend of the groups on or off", UiCommand::Legend),
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
            key(Key::Char('h'), "h or ?", "this help", UiCommand::Help),
            also(Key::Char('?'), UiCommand::Help),
        ],
    },
    KeySection {
        title: "Params",
        keys: &[
            key(
                Key::Char('p'),
                "p",
                "show params of the selected agent's group",
                UiCommand::Params,
            ),
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
    },
    KeySection {
        title: "Actions",
        keys: &[
            key(
                Key::Char('x'),
                "x",
                "set a goal here for the selected agent's group, or for all",
                UiCommand::Goal,
            ),
            key(Key::Char('e'), "e", "edit the scene by mouse, on or off", UiCommand::EditScene),
            key(
                Key::Delete,
                "delete",
                "remove the selected place while you edit the scene",
                UiCommand::RemovePlace,
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
    },
    KeySection {
        title: "Take along",
        keys: &[
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
    },
];

/// Mouse actions and what they do, for the help.
pub(crate) const MOUSE: &[(&str, &str)] = &[
    (
        "click",
        "select an agent; on a button: what its key does; on a group: hide or show it; on a call: open its line; on the value of a param: type another",
    ),
    ("drag", "move the view, also with the middle button; on the time bar: go to another tick"),
    ("wheel", "zoom; over a param: change it; over the help: scroll"),
    ("right click", "push nearby agents away"),
];

/// Returns all keys, in the order of the help.
pub(crate) fn all_keys() -> impl Iterator<Item = &'static KeyBinding> {
    KEYS.iter().flat_map(|section| section.keys)
}

/// Returns the key of a command that the help explains, if there is one.
pub(crate) fn key_of(command: UiCommand) -> Option<&'static KeyBinding> {
    all_keys().find(|binding| binding.command == command && !binding.label.is_empty())
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
    let command = ui.help_command(key).or_else(|| {
        let binding = all_keys().find(|binding| binding.key == key)?;
        Some(binding.command)
    });
    command.map_or_else(Vec::new, |command| command.execute(ui, state))
}
