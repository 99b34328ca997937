//! The keys: each with what it does, in one list that both the help and the keyboard go by.

use super::command::Command;
use super::ui::Ui;
use super::view_state::ViewState;

/// So near agents without a body have to come to a goal, in pixels.
const NEAR: f32 = 10.0;

/// A key, whatever window it comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    /// One that writes something.
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
pub(crate) struct Binding {
    pub key: Key,
    /// What is written on it.
    pub label: &'static str,
    /// What it does, in a few words.
    pub does: &'static str,
    act: fn(&mut Ui, &ViewState) -> Vec<Command>,
}

/// A heading of the help, and the keys below it.
pub(crate) struct Section {
    pub title: &'static str,
    pub keys: &'static [Binding],
}

const fn key(
    key: Key,
    label: &'static str,
    does: &'static str,
    act: fn(&mut Ui, &ViewState) -> Vec<Command>,
) -> Binding {
    Binding { key, label, does, act }
}

/// A key that only changes what is seen.
const NOTHING: Vec<Command> = Vec::new();

/// All keys.
pub(crate) const KEYS: &[Section] = &[
    Section {
        title: "Time",
        keys: &[
            key(Key::Char(' '), "space", "pause, go on", |_, _| vec![Command::TogglePause]),
            key(Key::Char('.'), ".", "one tick on", |_, _| vec![Command::StepForward]),
            key(Key::Char(','), ",", "one tick back", |_, _| vec![Command::StepBack]),
            key(Key::Left, "left", "back by a second", |_, _| vec![Command::Skip(-1.0)]),
            key(Key::Right, "right", "on by a second", |_, _| vec![Command::Skip(1.0)]),
            key(Key::Home, "home", "to the start", |_, state| {
                vec![Command::Seek(state.first_tick)]
            }),
            key(Key::End, "end", "to the last tick there has been", |_, state| {
                vec![Command::Seek(state.last_tick)]
            }),
            key(Key::Enter, "digits, enter", "run to that tick", |ui, _| {
                ui.take_digits().map(Command::RunTo).into_iter().collect()
            }),
            key(Key::Char(']'), "]", "twice as fast", |_, _| vec![Command::ChangeSpeed(1)]),
            key(Key::Char('['), "[", "half as fast", |_, _| vec![Command::ChangeSpeed(-1)]),
            key(Key::Char('r'), "r", "run again from here with the newest texts", |_, _| {
                vec![Command::Rerun]
            }),
        ],
    },
    Section {
        title: "Look",
        keys: &[
            key(Key::Char('f'), "f", "fit all of the world", |ui, _| {
                ui.fit();
                NOTHING
            }),
            key(Key::Char('c'), "c", "keep the selected agent in the middle", |ui, _| {
                ui.follows = !ui.follows;
                NOTHING
            }),
            key(Key::Char('t'), "t", "trails", |ui, _| {
                ui.has_trails = !ui.has_trails;
                NOTHING
            }),
            key(Key::Char('v'), "v", "forces of all agents", |ui, _| {
                ui.overlays.forces = !ui.overlays.forces;
                vec![Command::SetOverlays(ui.overlays)]
            }),
            key(
                Key::Char('w'),
                "w",
                "where the selected agent would go from around it",
                |ui, _| {
                    ui.overlays.field = !ui.overlays.field;
                    vec![Command::SetOverlays(ui.overlays)]
                },
            ),
            key(Key::Char('g'), "g", "take the ghost away", |_, _| vec![Command::DropGhost]),
            key(Key::Char('d'), "d", "dark, light", |ui, _| {
                ui.is_dark = !ui.is_dark;
                NOTHING
            }),
            key(Key::Escape, "esc", "stop, select nobody, close panels", |ui, state| {
                ui.close(state)
            }),
            key(Key::Char('h'), "h", "this help", |ui, _| {
                ui.next_help();
                NOTHING
            }),
        ],
    },
    Section {
        title: "Tune",
        keys: &[
            key(Key::Char('p'), "p", "params of the selected agent's group", |ui, _| {
                ui.has_params = !ui.has_params;
                NOTHING
            }),
            key(Key::Tab, "tab", "params of the next group", |ui, state| {
                ui.next_group(state);
                NOTHING
            }),
            key(Key::Up, "up", "the param above", |ui, _| {
                ui.param = ui.param.saturating_sub(1);
                NOTHING
            }),
            key(Key::Down, "down", "the param below", |ui, state| {
                ui.next_param(state);
                NOTHING
            }),
            key(Key::Char('-'), "-", "less of it; _ for much less", |ui, state| {
                ui.tune(state, -1.0)
            }),
            key(Key::Char('='), "=", "more of it; + for much more", |ui, state| {
                ui.tune(state, 1.0)
            }),
            key(Key::Char('_'), "", "", |ui, state| ui.tune(state, -10.0)),
            key(Key::Char('+'), "", "", |ui, state| ui.tune(state, 10.0)),
            key(Key::Char('o'), "o", "write the params into the scenario", |_, _| {
                vec![Command::WriteParams]
            }),
        ],
    },
    Section {
        title: "Do",
        keys: &[
            key(
                Key::Char('x'),
                "x",
                "a goal here for the selected agent's group, or all",
                |ui, state| goal_here(ui, state),
            ),
            key(Key::Char('s'), "s", "save a scenario that begins here", |_, _| {
                vec![Command::Save { is_test: false }]
            }),
            key(Key::Char('b'), "b", "the same with a golden: a bug becomes a test", |_, _| {
                vec![Command::Save { is_test: true }]
            }),
            key(Key::F5, "F5", "read the texts again", |_, _| vec![Command::Reload]),
            key(Key::Char('q'), "q", "quit", |ui, _| {
                ui.is_over = true;
                NOTHING
            }),
        ],
    },
];

/// What the mouse does, for the help.
pub(crate) const MOUSE: &[(&str, &str)] = &[
    ("click", "select an agent"),
    ("drag", "move the world; on the time bar, look at another tick"),
    ("wheel", "zoom; over a param, change it; over the help, turn pages"),
    ("right click", "push those near away"),
];

/// A key goes down.
pub(crate) fn press(key: Key, ui: &mut Ui, state: &ViewState) -> Vec<Command> {
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

/// A goal at the pointer for the group of the selected agent, or for all where nobody is selected.
fn goal_here(ui: &Ui, state: &ViewState) -> Vec<Command> {
    if ui.layout(state).panel_at(ui.pointer).is_some() {
        return NOTHING;
    }
    let account = state.account.as_ref();
    vec![Command::SetGoal {
        group: account.map(|account| account.group_name.to_string()),
        at: ui.pointed(state),
        radius: ui.camera(state).units(NEAR),
    }]
}
