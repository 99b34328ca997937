//! The keys: one list that the help shows and that key presses are looked up in.

use super::command::PlayerCommand;
use super::ui::Ui;
use super::view_state::ViewState;

/// Radius of a new goal for agents without a body, in pixels.
const GOAL_RADIUS: f32 = 10.0;

/// A key, independent of the window library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    /// A key that types a character.
    Char(char),
    Left,
    Right,
    Up,
    Down,
    Home,
    End,
    Enter,
    Escape,
    Backspace,
    Tab,
    F5,
}

/// A key and what it does.
pub(crate) struct KeyBinding {
    pub key: Key,
    /// Name of the key in the help; empty for a key that another entry explains.
    pub label: &'static str,
    /// What the key does, as the help says it.
    pub does: &'static str,
    act: fn(&mut Ui, &ViewState) -> Vec<PlayerCommand>,
}

/// A heading of the help and the keys below it.
pub(crate) struct KeySection {
    pub title: &'static str,
    pub keys: &'static [KeyBinding],
}

const fn key(
    key: Key,
    label: &'static str,
    does: &'static str,
    act: fn(&mut Ui, &ViewState) -> Vec<PlayerCommand>,
) -> KeyBinding {
    KeyBinding { key, label, does, act }
}

/// No commands: the key only changes what the window shows.
const NO_COMMANDS: Vec<PlayerCommand> = Vec::new();

/// All keys, in the order of the help.
pub(crate) const KEYS: &[KeySection] = &[
    KeySection {
        title: "Time",
        keys: &[
            key(Key::Char(' '), "space", "pause or continue", |_, _| {
                vec![PlayerCommand::TogglePause]
            }),
            key(Key::Char('.'), ".", "one tick forward", |_, _| vec![PlayerCommand::StepForward]),
            key(Key::Char(','), ",", "one tick back", |_, _| vec![PlayerCommand::StepBack]),
            key(Key::Left, "left", "one second back", |_, _| vec![PlayerCommand::Skip(-1.0)]),
            key(Key::Right, "right", "one second forward", |_, _| vec![PlayerCommand::Skip(1.0)]),
            key(Key::Home, "home", "go to the first tick", |_, state| {
                vec![PlayerCommand::Seek(state.first_tick)]
            }),
            key(Key::End, "end", "go to the last tick run so far", |_, state| {
                vec![PlayerCommand::Seek(state.last_tick)]
            }),
            key(Key::Enter, "digits, enter", "run to that tick", |ui, _| {
                ui.take_digits().map(PlayerCommand::RunTo).into_iter().collect()
            }),
            key(Key::Char(']'), "]", "twice as fast", |_, _| vec![PlayerCommand::ChangeSpeed(1)]),
            key(Key::Char('['), "[", "half as fast", |_, _| vec![PlayerCommand::ChangeSpeed(-1)]),
            key(Key::Char('r'), "r", "run again from here with the current files", |_, _| {
                vec![PlayerCommand::Rerun]
            }),
        ],
    },
    KeySection {
        title: "View",
        keys: &[
            key(Key::Char('f'), "f", "show the whole world", |ui, _| {
                ui.fit();
                NO_COMMANDS
            }),
            key(Key::Char('c'), "c", "keep the selected agent in the center", |ui, _| {
                ui.is_following = !ui.is_following;
                NO_COMMANDS
            }),
            key(Key::Char('t'), "t", "trails on or off", |ui, _| {
                ui.has_trails = !ui.has_trails;
                NO_COMMANDS
            }),
            key(Key::Char('v'), "v", "forces of all agents on or off", |ui, _| {
                ui.overlays.forces = !ui.overlays.forces;
                vec![PlayerCommand::SetOverlays(ui.overlays)]
            }),
            key(
                Key::Char('w'),
                "w",
                "the selected agent's force at places around it, on or off",
                |ui, _| {
                    ui.overlays.field = !ui.overlays.field;
                    vec![PlayerCommand::SetOverlays(ui.overlays)]
                },
            ),
            key(Key::Char('g'), "g", "remove the ghost", |_, _| vec![PlayerCommand::DropGhost]),
            key(Key::Char('d'), "d", "dark or light colors", |ui, _| {
                ui.is_dark = !ui.is_dark;
                NO_COMMANDS
            }),
            key(Key::Escape, "esc", "stop going to a tick, deselect, close panels", |ui, state| {
                ui.close(state)
            }),
            key(Key::Char('h'), "h", "this help", |ui, _| {
                ui.next_help();
                NO_COMMANDS
            }),
        ],
    },
    KeySection {
        title: "Params",
        keys: &[
            key(Key::Char('p'), "p", "show params of the selected agent's group", |ui, _| {
                ui.has_params = !ui.has_params;
                NO_COMMANDS
            }),
            key(Key::Tab, "tab", "show params of the next group", |ui, state| {
                ui.next_group(state);
                NO_COMMANDS
            }),
            key(Key::Up, "up", "select the param above", |ui, _| {
                ui.param = ui.param.saturating_sub(1);
                NO_COMMANDS
            }),
            key(Key::Down, "down", "select the param below", |ui, state| {
                ui.next_param(state);
                NO_COMMANDS
            }),
            key(Key::Char('-'), "-", "decrease it by one step; _ by ten steps", |ui, state| {
                ui.tune(state, -1.0)
            }),
            key(Key::Char('='), "=", "increase it by one step; + by ten steps", |ui, state| {
                ui.tune(state, 1.0)
            }),
            key(Key::Char('_'), "", "", |ui, state| ui.tune(state, -10.0)),
            key(Key::Char('+'), "", "", |ui, state| ui.tune(state, 10.0)),
            key(Key::Char('o'), "o", "write changed params to the scenario file", |_, _| {
                vec![PlayerCommand::WriteParams]
            }),
        ],
    },
    KeySection {
        title: "Actions",
        keys: &[
            key(
                Key::Char('x'),
                "x",
                "set a goal here for the selected agent's group, or for all",
                |ui, state| goal_here(ui, state),
            ),
            key(Key::Char('s'), "s", "save a scenario that starts at this tick", |_, _| {
                vec![PlayerCommand::Save { is_test: false }]
            }),
            key(Key::Char('b'), "b", "save it with a golden: a bug becomes a test", |_, _| {
                vec![PlayerCommand::Save { is_test: true }]
            }),
            key(Key::F5, "F5", "read the files again", |_, _| vec![PlayerCommand::Reload]),
            key(Key::Char('q'), "q", "quit", |ui, _| {
                ui.is_closing = true;
                NO_COMMANDS
            }),
        ],
    },
];

/// Mouse actions and what they do, for the help.
pub(crate) const MOUSE: &[(&str, &str)] = &[
    ("click", "select an agent"),
    ("drag", "move the view; on the time bar: go to another tick"),
    ("wheel", "zoom; over a param: change it; over the help: turn pages"),
    ("right click", "push nearby agents away"),
];

/// Handles a pressed key and returns the commands for the player. Digits are collected until enter.
pub(crate) fn press(key: Key, ui: &mut Ui, state: &ViewState) -> Vec<PlayerCommand> {
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
    let mut all = KEYS.iter().flat_map(|section| section.keys);
    match all.find(|binding| binding.key == key) {
        Some(binding) => (binding.act)(ui, state),
        None => Vec::new(),
    }
}

/// Returns the command that sets a goal at the pointer, for the selected agent's group or for all groups.
/// Returns nothing if a panel is under the pointer.
fn goal_here(ui: &Ui, state: &ViewState) -> Vec<PlayerCommand> {
    if ui.layout(state).panel_at(ui.pointer).is_some() {
        return NO_COMMANDS;
    }
    let next_turn = state.next_turn.as_ref();
    vec![PlayerCommand::SetGoal {
        group: next_turn.map(|next_turn| next_turn.group_name.to_string()),
        at: ui.place_under_pointer(state),
        radius: ui.camera(state).units(GOAL_RADIUS),
    }]
}
