//! What a key or a click does: one list for both.

use flockwork_engine::world::GroupId;

use super::command::PlayerCommand;
use super::explain;
use super::panels::LogView;
use super::plot::PlotSource;
use super::question::Ask;
use super::scene_editor::{SceneEditor, Tool};
use super::tune;
use super::ui::Ui;
use super::view_state::ViewState;

/// Radius of a new goal for agents without a body, in pixels.
const GOAL_RADIUS: f32 = 10.0;

/// Something that a person does with a key, a click or the wheel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UiCommand {
    TogglePause,
    StepForward,
    StepBack,
    SecondBack,
    SecondForward,
    FirstTick,
    LastTick,
    /// Runs to the tick whose digits were typed; without digits, asks for the value of the selected param.
    RunToDigits,
    /// Goes to the tick under the pointer, which is on the time bar.
    GoToPointer,
    Faster,
    Slower,
    /// Plays at 1x speed.
    NormalSpeed,
    Rerun,
    /// Runs again from the first tick.
    RerunAll,
    /// Shows the whole world.
    Fit,
    Follow,
    Trails,
    Forces,
    Field,
    /// Removes the ghost; without one, makes the run so far a ghost that is kept.
    ToggleGhost,
    /// Keeps the ghost.
    KeepGhost,
    SwapColors,
    /// Draws everything larger by this many steps, or smaller if negative; 0 returns to the size at the start.
    Scale(i32),
    /// Closes or stops one thing.
    Close,
    Help,
    /// Scrolls the help down by this many lines, or up if negative.
    ScrollHelp(i32),
    Legend,
    /// Hides the agents of a group, or shows them again.
    ToggleGroup(GroupId),
    /// Opens the plot over time, or shows the next value there.
    NextPlot,
    /// The same with the value before.
    PreviousPlot,
    /// Shows or hides the list of all that can be plotted.
    PlotList,
    /// Plots something, by its number in that list.
    ChoosePlot(usize),
    Params,
    NextGroup,
    ParamAbove,
    ParamBelow,
    /// Selects a param by its index.
    SelectParam(usize),
    /// Changes the selected param by this many steps.
    Tune(i32),
    /// Selects a param by its index and changes it by this many steps.
    TuneParam(usize, i32),
    /// Selects a param by its index and asks for its value.
    TypeParam(usize),
    WriteParams,
    Undo,
    Redo,
    /// Sets a goal at the pointer.
    Goal,
    /// Asks for a line of text.
    Ask(Ask),
    /// Shows or hides the log.
    Log,
    /// Scrolls the log up by this many lines, or down if negative.
    ScrollLog(i32),
    /// Goes to the tick of a line of the log and selects its agent, by its number.
    GoToLog(usize),
    /// Shows or hides the expectations.
    Expectations,
    /// Scrolls the expectations down by this many rows, or up if negative.
    ScrollExpectations(i32),
    /// Scrolls the explanation of the selected agent down by this many steps, or up if negative.
    ScrollExplanation(i32),
    /// Goes to the tick at which an expectation fails first and selects its agent, by the expectation's index.
    GoToFailure(usize),
    /// Goes to the tick at which the margin of an expectation is the smallest, by its index.
    GoToWorst(usize),
    /// Plots the margin of an expectation, by its index.
    PlotMargin(usize),
    /// Pauses from now on when an expectation fails, or no more.
    PauseOnFailure,
    PreviousResult,
    NextResult,
    /// Begins or ends editing the scene.
    EditScene,
    /// Chooses what the next click adds to the scene.
    Tool(Tool),
    /// Removes the selected place from the scene.
    RemovePlace,
    Save,
    SaveTest,
    /// Starts or ends a film of the window.
    Record,
    /// Writes a picture of the window.
    TakePicture,
    /// Copies the command that explains the selected agent.
    CopyCommand,
    /// Copies the id of the selected agent.
    CopyId,
    /// Opens the script of the error or of the selected agent.
    OpenEditor,
    /// Opens the script of a call of the selected agent, by the index of its share.
    OpenCall(usize),
    Reload,
    Quit,
}

impl UiCommand {
    /// Changes what the window shows, and returns the commands for the player.
    pub(crate) fn execute(self, ui: &mut Ui, state: &ViewState) -> Vec<PlayerCommand> {
        let command = match self {
            Self::TogglePause => PlayerCommand::TogglePause,
            Self::StepForward => PlayerCommand::StepForward,
            Self::StepBack => PlayerCommand::StepBack,
            Self::SecondBack => PlayerCommand::Skip(-1.0),
            Self::SecondForward => PlayerCommand::Skip(1.0),
            Self::FirstTick => PlayerCommand::Seek(state.first_tick),
            // At the last tick so far, there is only the end of the scenario to go to.
            Self::LastTick
                if state.world.tick == state.last_tick
                    && state.last_tick < state.scenario_ticks =>
            {
                PlayerCommand::RunTo(state.scenario_ticks)
            }
            Self::LastTick => PlayerCommand::Seek(state.last_tick),
            Self::RunToDigits => match ui.take_digits() {
                Some(tick) => PlayerCommand::RunTo(tick),
                None => {
                    if ui.has_params {
                        ui.ask_value(state);
                    }
                    return Vec::new();
                }
            },
            Self::GoToPointer => ui.go_to_pointer(state),
            Self::Faster => PlayerCommand::ChangeSpeed(1),
            Self::Slower => PlayerCommand::ChangeSpeed(-1),
            Self::NormalSpeed => PlayerCommand::ChangeSpeed(-state.speed),
            Self::Rerun => PlayerCommand::Rerun,
            Self::RerunAll => PlayerCommand::RerunAll,
            Self::Scale(steps) => return ui.change_scale(steps),
            Self::Forces => {
                ui.overlays.forces = !ui.overlays.forces;
                PlayerCommand::SetOverlays(ui.overlays)
            }
            Self::Field => {
                ui.overlays.field = !ui.overlays.field;
                PlayerCommand::SetOverlays(ui.overlays)
            }
            Self::Log => {
                ui.log = if ui.log.is_some() { None } else { Some(LogView::default()) };
                ui.overlays.log = ui.log.is_some();
                PlayerCommand::SetOverlays(ui.overlays)
            }
            Self::GoToLog(number) => {
                let line = state.log.get(number);
                return line.map_or_else(Vec::new, |line| go_to(line.tick, line.agent));
            }
            Self::Expectations => {
                ui.expectations = ui.expectations.xor(Some(0));
                ui.overlays.expectations = ui.expectations.is_some();
                PlayerCommand::SetOverlays(ui.overlays)
            }
            Self::GoToFailure(index) => {
                let failure = state.failures.iter().find(|one| one.expectation == index);
                return failure.map_or_else(Vec::new, |one| go_to(one.tick, one.agent));
            }
            Self::GoToWorst(index) => {
                let judged = state.judged.as_ref().and_then(|judged| judged.get(index));
                return judged.map_or_else(Vec::new, |one| go_to(one.margin.tick, None));
            }
            Self::PlotMargin(index) => {
                ui.plot = state.expectations.get(index).map(PlotSource::from);
                PlayerCommand::Plot(ui.plot.clone())
            }
            Self::PauseOnFailure => PlayerCommand::PauseOnFailure(!state.pauses_on_failure),
            Self::ToggleGhost if state.shown_ghost().is_none() => PlayerCommand::KeepRun,
            Self::ToggleGhost => PlayerCommand::DropGhost,
            Self::KeepGhost => PlayerCommand::KeepGhost,
            Self::WriteParams => PlayerCommand::WriteParams,
            Self::Undo => PlayerCommand::Undo,
            Self::Redo => PlayerCommand::Redo,
            Self::Goal => match goal_here(ui, state) {
                Some(goal) => goal,
                None => return Vec::new(),
            },
            Self::PreviousResult => PlayerCommand::StepResult(-1),
            Self::NextResult => PlayerCommand::StepResult(1),
            Self::RemovePlace => match ui.editor.as_mut().and_then(|editor| editor.remove(state)) {
                Some(edit) => PlayerCommand::EditScene(edit),
                None => return Vec::new(),
            },
            Self::Save => PlayerCommand::Save { is_test: false },
            Self::SaveTest => PlayerCommand::Save { is_test: true },
            Self::Reload => PlayerCommand::Reload,
            Self::Record
            | Self::TakePicture
            | Self::CopyCommand
            | Self::CopyId
            | Self::OpenEditor
            | Self::OpenCall(_) => {
                return self.ask_window(ui, state);
            }
            Self::Close => return ui.close(state),
            Self::Quit => return ui.quit(state),
            Self::NextPlot => return ui.step_plot(state, 1),
            Self::PreviousPlot => return ui.step_plot(state, -1),
            Self::ChoosePlot(number) => return ui.choose_plot(state, number),
            Self::Tune(steps) => return ui.tune(state, steps),
            Self::TuneParam(param, steps) => {
                ui.param = param;
                return ui.tune(state, steps);
            }
            _ => {
                self.change(ui, state);
                return Vec::new();
            }
        };
        vec![command]
    }

    /// Changes only what the window shows.
    fn change(self, ui: &mut Ui, state: &ViewState) {
        match self {
            Self::Fit => ui.fit(state),
            Self::Follow => ui.is_following = !ui.is_following,
            Self::Trails => ui.has_trails = !ui.has_trails,
            Self::SwapColors => ui.is_dark = !ui.is_dark,
            Self::Help => ui.toggle_help(),
            Self::ScrollHelp(lines) => ui.scroll_help(lines),
            Self::Legend => ui.has_legend = !ui.has_legend,
            Self::ToggleGroup(group) => ui.toggle_group(state, group),
            Self::Params => ui.has_params = !ui.has_params,
            Self::NextGroup => ui.next_group(state),
            Self::ParamAbove => ui.param = ui.param.saturating_sub(1),
            Self::ParamBelow => {
                let last = tune::knobs(ui.params(state).1).len().saturating_sub(1);
                ui.param = (ui.param + 1).min(last);
            }
            Self::SelectParam(param) => ui.param = param,
            Self::TypeParam(param) => {
                ui.param = param;
                ui.ask_value(state);
            }
            Self::Ask(ask) => {
                let last = match ask {
                    Ask::Find => ui.last_find.clone(),
                    Ask::PauseWhen => state.pause_when.clone().unwrap_or_default(),
                    Ask::LogFilter => {
                        ui.log.as_ref().map(|log| log.filter.clone()).unwrap_or_default()
                    }
                    Ask::Value => return ui.ask_value(state),
                };
                ui.ask(ask, &last);
            }
            Self::ScrollLog(lines) => {
                if let Some(log) = &mut ui.log {
                    log.scroll =
                        log.scroll.saturating_add_signed(lines as isize).min(state.log.len());
                }
            }
            Self::ScrollExpectations(rows) => {
                let last = state.expectations.len().saturating_sub(1);
                ui.expectations =
                    ui.expectations.map(|at| at.saturating_add_signed(rows as isize).min(last));
            }
            Self::PlotList => ui.is_choosing_plot = !ui.is_choosing_plot,
            Self::ScrollExplanation(steps) => {
                ui.explain_scroll = explain::scroll_after(ui, state, steps);
            }
            Self::EditScene => {
                ui.editor = if ui.editor.is_some() { None } else { Some(SceneEditor::default()) };
            }
            Self::Tool(tool) => {
                if let Some(editor) = &mut ui.editor {
                    editor.tool = (editor.tool != Some(tool)).then_some(tool);
                }
            }
            _ => {}
        }
    }
}

/// Returns the commands that go to a tick and select an agent there, if there is one.
fn go_to(tick: u64, agent: Option<u32>) -> Vec<PlayerCommand> {
    let select = agent.map(|agent| PlayerCommand::Select(Some(agent)));
    [PlayerCommand::Seek(tick)].into_iter().chain(select).collect()
}

/// Returns the command that sets a goal at the pointer, for the selected agent's group or for all groups.
/// `None` if a panel is under the pointer.
fn goal_here(ui: &Ui, state: &ViewState) -> Option<PlayerCommand> {
    if ui.is_pointer_on_panel(state) {
        return None;
    }
    let next_turn = state.next_turn.as_ref();
    Some(PlayerCommand::SetGoal {
        group: next_turn.map(|next_turn| next_turn.group_name.to_string()),
        at: ui.place_under_pointer(state),
        radius: ui.camera(state).units(GOAL_RADIUS),
    })
}
