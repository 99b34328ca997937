//! All keys: one list that the help, the tooltips and the book show and that key presses are looked up in.

use std::sync::{LazyLock, OnceLock};

use super::ask::Ask;
use super::command::PlayerCommand;
use super::key::{Key, KeyBinding, KeySection, Keys};
use super::panels::{self, PANELS};
use super::ui::Ui;
use super::ui_command::UiCommand;
use super::view_state::ViewState;

/// An action of the list below: its name in the file of keys, its keys, what it does, and its command.
type Action = (&'static str, &'static [Key], &'static str, UiCommand);

/// The actions with their keys, in the order of the help. Panels declare their own keys.
static ACTIONS: &[(&str, &[Action])] = {
    use Key::*;
    use UiCommand as Do;
    #[rustfmt::skip]
    const ACTIONS: &[(&str, &[Action])] = &[
        ("Time", &[
            ("pause", &[Char(' ')], "pause or continue", Do::TogglePause),
            ("step", &[Char('.')], "one tick forward", Do::StepForward),
            ("step_back", &[Char(',')], "one tick back", Do::StepBack),
            ("second", &[Char('>')], "one second forward", Do::SecondForward),
            ("second_back", &[Char('<')], "one second back", Do::SecondBack),
            ("first", &[Home], "go to the first tick", Do::FirstTick),
            ("last", &[End], "go to the last tick so far; again: the end", Do::LastTick),
            ("run_to", &[Enter], "after digits: run to that tick; else type a value for the selected param", Do::RunToDigits),
            ("faster", &[Char(']')], "twice as fast", Do::Faster),
            ("slower", &[Char('[')], "half as fast", Do::Slower),
            ("normal_speed", &[Char('n')], "normal speed", Do::NormalSpeed),
            ("pause_when", &[Char('k')], "pause when something becomes true for an agent or for the world", Do::Ask(Ask::PauseWhen)),
            ("run_again", &[Char('r')], "forget what comes after this tick and play on, with the current files and params", Do::Rerun),
            ("run_all_again", &[Ctrl('r')], "play again from the first tick; the run so far stays visible in gray", Do::RerunAll),
            ("another_run", &[CtrlShift('r')], "run again as another random run: the next seed", Do::AnotherRun),
            ("seed", &[], "run again with a certain seed", Do::Ask(Ask::Seed)),
            ("file_seed", &[], "run again with the seed of the scenario file", Do::FileSeed),
        ]),
        ("View", &[
            ("zoom_in", &[Char('+'), Char('=')], "zoom in", Do::Zoom(1)),
            ("zoom_out", &[Char('-')], "zoom out", Do::Zoom(-1)),
            ("pan_left", &[Left], "move the view to the left", Do::Pan(-1, 0)),
            ("pan_right", &[Right], "move the view to the right", Do::Pan(1, 0)),
            ("pan_up", &[Up], "move the view up", Do::Pan(0, -1)),
            ("pan_down", &[Down], "move the view down", Do::Pan(0, 1)),
            ("fit", &[Char('f')], "show the whole world", Do::Fit),
            ("find", &[Char('/')], "find an agent, a group or a place: by its id, its name or what is true for it", Do::Ask(Ask::Find)),
            ("follow", &[Char('c')], "keep the selected agent in the center", Do::Follow),
        ]),
        ("Show", &[
            ("trails", &[Char('t')], "trails on or off: where agents have been", Do::Trails),
            ("forces", &[Char('v')], "forces of all agents on or off", Do::Forces),
            ("field", &[Char('w')], "the selected agent's force around it, on or off", Do::Field),
            ("color_by", &[Char('z')], "color agents by speed, heading or something else", Do::NextColors),
            ("color_by_expression", &[Ctrl('x')], "color agents by an expression, such as me.speed", Do::Ask(Ask::ColorBy)),
            ("add_forces", &[Char('y')], "how the selected agent's forces add up; again: all from the agent", Do::ChainForces),
            ("pointer", &[Ctrl('p')], "whether scripts see the pointer", Do::TogglePointer),
            ("present", &[Char('\'')], "present to an audience: larger, few panels, nothing interrupts; again: back", Do::Present),
            ("baseline", &[Char('g')], "keep this run in gray, to compare later ones with it; again: remove it", Do::ToggleGhost),
            ("plot", &[Char('j')], "plot something over time: measures, a speed, params or margins; again: close the list", Do::PlotsAndList),
            ("plot_expression", &[Ctrl('j')], "plot an expression, such as me.speed < 1", Do::Ask(Ask::Plot)),
            ("colors", &[Char('d')], "dark or light colors", Do::SwapColors),
            ("larger", &[Ctrl('+'), Ctrl('=')], "draw everything larger", Do::Scale(1)),
            ("smaller", &[Ctrl('-')], "draw everything smaller", Do::Scale(-1)),
            ("usual_size", &[Ctrl('0')], "draw everything as large as at the start", Do::Scale(0)),
            ("find_action", &[CtrlShift('p'), Char(':')], "find anything: an action, a param, a scenario, a word", Do::Ask(Ask::Choice)),
            ("open_scenario", &[Ctrl('o')], "open another scenario of the project", Do::ListScenarios),
            ("close", &[Escape], "close or stop one thing, the latest first", Do::Close),
        ]),
        ("Params", &[
            ("next_group", &[Tab], "show params of the next group", Do::NextGroup),
            ("param_above", &[CtrlUp], "select the param above", Do::ParamAbove),
            ("param_below", &[CtrlDown], "select the param below", Do::ParamBelow),
            ("decrease", &[CtrlLeft], "decrease the selected param by one step", Do::Tune(-1)),
            ("increase", &[CtrlRight], "increase the selected param by one step", Do::Tune(1)),
            ("decrease_much", &[CtrlShiftLeft], "decrease it by ten steps", Do::Tune(-10)),
            ("increase_much", &[CtrlShiftRight], "increase it by ten steps", Do::Tune(10)),
            ("number_of_agents", &[], "run again with another number of agents", Do::TypeCount),
            ("only_weight", &[Ctrl('d')], "only the selected weight of a force; again: all", Do::OnlyWeight),
            ("only_weight_from_start", &[CtrlShift('d')], "only the selected weight, from the first tick; again: all", Do::OnlyWeightFromStart),
            ("swap_params", &[Char('u')], "use the file's or the kept params; again: yours", Do::SwapParams),
            ("compare_params", &[Ctrl('u')], "compare your params with the file or the kept ones", Do::CompareParams),
            ("keep_params", &[CtrlShift('u')], "keep these params to compare; again: forget them", Do::KeepParams),
            ("write", &[Ctrl('s')], "write changed params and scripts to their files", Do::Write),
        ]),
        ("Actions", &[
            ("goal", &[Char('x')], "set a goal here for the selected agent's group, or for all", Do::Goal),
            ("push", &[], "push the agents near this place away", Do::Push),
            ("remove", &[Delete], "remove the selected place while you edit the scene", Do::RemoveMark),
            ("undo", &[Ctrl('z')], "undo a change of params or the seed, writing them, a goal, a push or an edit of the scene", Do::Undo),
            ("redo", &[Ctrl('y'), CtrlShift('z')], "do it again", Do::Redo),
            ("previous_result", &[PageUp, Char('(')], "previous result of a tune", Do::PreviousResult),
            ("next_result", &[PageDown, Char(')')], "next result of a tune", Do::NextResult),
            ("open_script", &[F4], "open the script in your editor", Do::OpenEditor),
            ("rename", &[ShiftF2], "rename the name at the cursor; in a text: also F2", Do::Ask(Ask::Rename)),
            ("uses", &[ShiftF12], "list the uses of the name at the cursor", Do::Ask(Ask::Use)),
            ("new_script", &[], "a new script for the group whose params are shown", Do::Ask(Ask::NewScript)),
            ("add_group", &[], "another group in the scenario", Do::ShowGroups),
            ("reload", &[F5], "read the files again", Do::Reload),
            ("edit_keys", &[], "open the file of keys in your editor", Do::EditKeys),
            ("quit", &[Ctrl('q')], "quit; if something is not written, it asks first", Do::Quit),
        ]),
        ("Take along", &[
            ("save", &[Char('s')], "save from here: a failure becomes a test", Do::Ask(Ask::Save { is_test: false })),
            ("save_test", &[Char('b')], "save it as a test, with a golden: the recording of what happens", Do::Ask(Ask::Save { is_test: true })),
            ("save_small", &[Ctrl('b')], "save a failure as a small test: the one before or after this tick; again: stop", Do::SaveSmall),
            ("record", &[F9], "record a film of the window; again: end", Do::Record),
            ("picture", &[F10], "write a picture of the window", Do::TakePicture),
            ("copy_command", &[Ctrl('c')], "copy the command that explains an agent", Do::CopyCommand),
            ("copy_id", &[CtrlShift('c')], "copy the id of the selected agent", Do::CopyId),
        ]),
    ];
    ACTIONS
};

/// The keys of the person, if they have been [set](set).
static OWN: OnceLock<Keys> = OnceLock::new();

/// Returns all actions with their keys: those of commands, and among them those of panels.
pub(crate) fn keys() -> &'static Keys {
    static USUAL: LazyLock<Keys> = LazyLock::new(usual);
    OWN.get().unwrap_or(&USUAL)
}

/// Uses other keys from now on. Only the first call does something.
pub(super) fn set(keys: Keys) {
    let _ = OWN.set(keys);
}

/// Returns all actions with the keys that they have unless the person changes them.
pub(super) fn usual() -> Keys {
    let section = |(title, actions): &(&'static str, &'static [Action])| {
        let with_panels = |(name, keys, does, command): &'static Action| {
            let own = KeyBinding::new(name, keys, does, *command);
            panel_actions(name).chain([own])
        };
        KeySection { title, keys: actions.iter().flat_map(with_panels).collect() }
    };
    Keys { sections: ACTIONS.iter().map(section).collect() }
}

/// Returns the actions of the panels that the help explains directly before another action.
fn panel_actions(before: &str) -> impl Iterator<Item = KeyBinding> {
    let keys = PANELS.iter().filter_map(|panel| Some((panel, panel.key.as_ref()?)));
    keys.filter(move |(_, one)| one.before == before)
        .map(|(panel, one)| KeyBinding::new(panel.id.0, one.keys, one.does, panel.toggle()))
}

/// Returns the names of the keys of a command, for a message that says how to do something.
pub(crate) fn key_of(command: UiCommand) -> &'static str {
    keys().of_command(command).map_or("", |binding| &binding.label)
}

/// Handles a pressed key and returns the commands for the player. Digits are collected until enter; any other key drops them.
pub(crate) fn press(key: Key, ui: &mut Ui, state: &ViewState) -> Vec<PlayerCommand> {
    ui.hide_tip();
    let mut commands = ui.follow(state);
    let asked = ui.leaving.clone();
    commands.extend(ui.close_pages(key, state));
    let answered = ui.answer_leaving_by(key, state).or_else(|| ui.answer(key, state));
    let typed = answered.or_else(|| ui.type_in_file(key, state));
    commands.extend(typed.unwrap_or_else(|| match key_is_of_run(key, ui) {
        true => {
            let text = format!("{key} acts on the run: end the typing with esc twice first");
            vec![PlayerCommand::Notice { text, is_failure: false }]
        }
        false => act(key.without_shift(), ui, state),
    }));
    // Who does something else does not leave.
    if ui.leaving == asked {
        ui.leaving = None;
    }
    commands
}

/// Returns whether a person who types in a file has pressed a key that would change the run, such as `ctrl+d`, which does something else in
/// other editors.
fn key_is_of_run(key: Key, ui: &Ui) -> bool {
    let is_typing = ui.files.is_typing && panels::files::PANEL.is_open(ui);
    if !is_typing || !matches!(key, Key::Ctrl(_) | Key::CtrlShift(_)) {
        return false;
    }
    let command = keys().of_key(key).map(|binding| binding.command);
    command.is_some_and(|command| {
        !matches!(
            command,
            UiCommand::Write
                | UiCommand::RerunAll
                | UiCommand::ListScenarios
                | UiCommand::Quit
                | UiCommand::Scale(_)
                | UiCommand::Ask(Ask::Choice)
        )
    })
}

/// Number of digits of a tick that can be typed.
const MAX_DIGITS: usize = 9;

/// Does what a key stands for while no question is asked.
fn act(key: Key, ui: &mut Ui, state: &ViewState) -> Vec<PlayerCommand> {
    let key = match key {
        Key::Char(letter) => Key::Char(letter.to_ascii_lowercase()),
        other => other,
    };
    if panels::play::PANEL.is_open(ui) && is_of_input(key, state) {
        return Vec::new();
    }
    match key {
        Key::Char(digit @ '0'..='9') => {
            if ui.digits.len() == MAX_DIGITS {
                let text = format!("a tick has at most {MAX_DIGITS} digits");
                return vec![PlayerCommand::Notice { text, is_failure: true }];
            }
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
    let binding = keys().of_key(key);
    let command = own.or(binding.map(|binding| binding.command));
    if !matches!(command, Some(UiCommand::RunToDigits | UiCommand::Close)) {
        ui.digits.clear();
    }
    let Some(command) = command else { return Vec::new() };
    let mut commands = command.execute(ui, state);
    // The menu of a place does not stay while something else is done.
    if command != UiCommand::Close && panels::here::PANEL.is_open(ui) {
        commands.extend(panels::here::PANEL.set_open(ui, false));
    }
    commands
}

/// Returns whether a key sets an input of the world while the person plays.
fn is_of_input(key: Key, state: &ViewState) -> bool {
    let name = key.to_string();
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
    let is_typed = is_down && (ui.question.is_some() || ui.files.is_typing);
    let is_played = panels::play::PANEL.is_open(ui) && is_of_world && !is_typed;
    is_played.then_some(PlayerCommand::PlayKey { key, is_down })
}
