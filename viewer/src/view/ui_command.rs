//! The commands of keys, clicks and the wheel: one list for all of them.

use flockwork_engine::world::GroupId;

use super::ask::Ask;
use super::choice::Choice;
use super::copies::CopyAction;
use super::find_action::FindAction;
use super::leaving::LeaveAction;
use super::panel_states::PanelId;
use super::scene_editor::Tool;

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
    /// Shows fewer ticks around the pointer, which is there, or more if negative.
    ZoomTime(i32),
    /// Shows all ticks in the time bar and the plots.
    ShowAllTime,
    Faster,
    Slower,
    /// Plays at 1x speed.
    NormalSpeed,
    Rerun,
    /// Runs again from the first tick.
    RerunAll,
    /// Plays another random run from the first tick.
    AnotherRun,
    /// Plays with the seed of the scenario file from the first tick.
    FileSeed,
    /// Asks for the number of agents of the group whose params are shown.
    TypeCount,
    /// Zooms in around the middle of the world by this many steps, or out if negative.
    Zoom(i32),
    /// Moves the view by this many steps to the right and down.
    Pan(i32, i32),
    /// Shows the whole world.
    Fit,
    Follow,
    Trails,
    Forces,
    Field,
    /// Colors the agents by the next thing that their color can show.
    NextColors,
    /// Draws the forces of the selected agent one after another, or all from the agent.
    ChainForces,
    /// Hides the pointer from scripts, or shows it to them again.
    TogglePointer,
    /// Draws everything larger and closes all panels, or goes back.
    Present,
    /// Removes the ghost; without one, makes the run so far a ghost that is kept.
    ToggleGhost,
    /// Keeps the ghost.
    KeepGhost,
    SwapColors,
    /// Moves the left edge of the column of panels to the pointer.
    ResizeColumn,
    /// Draws everything larger by this many steps, or smaller if negative; 0 returns to the size at the start.
    Scale(i32),
    /// Closes or stops one thing.
    Close,
    /// Opens or closes a panel.
    Toggle(PanelId),
    /// Scrolls a panel by this much in its own unit, or back if negative.
    Scroll(PanelId, i32),
    /// Shows the other page of the help.
    SwitchHelp,
    /// Hides the agents of a group, or shows them again.
    ToggleGroup(GroupId),
    /// Opens the plots over time and the list of all that can be plotted, or closes the list.
    PlotsAndList,
    /// Shows what comes this many steps later in the list of all that can be plotted, in the plot with a number.
    StepPlot(usize, isize),
    /// Opens the list of all that can be plotted, for the plot with a number, or closes it.
    ListPlots(usize),
    /// Plots something instead of what is there, by its number in that list.
    ChoosePlot(usize),
    /// Adds a plot of something below the others, or removes it, by its number in that list.
    TogglePlot(usize),
    /// Shows the measures of a group in that list, by the index of the group, or hides them.
    UnfoldGroup(usize),
    /// Moves the upper edge of the plots to the pointer.
    ResizePlots,
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
    /// Sets a param to the number under the pointer, which drags its slider, by the index of the param.
    SlideParam(usize),
    /// Sets a param to its value in the scenario file, by its index.
    ResetParam(usize),
    /// Switches a weight off, or on again, by its index among the params.
    SwitchParam(usize),
    /// Switches all weights off but the selected param; again: on.
    OnlyWeight,
    /// Does the same and runs from the first tick.
    OnlyWeightFromStart,
    /// Selects a param by its index and shows its force alone from the first tick.
    ShowAlone(usize),
    /// Sets all params to those of the scenario file; again: back to those of the person.
    SwapParams,
    /// Runs from the first tick with the params of the scenario file, and then with those of the person beside it.
    CompareParams,
    /// Plots a row of the table of the comparison, by its index.
    PlotCompared(usize),
    /// Writes the changed params and the changed texts of files.
    Write,
    Undo,
    Redo,
    /// Sets a goal at the pointer, or where the menu of the right mouse button is.
    Goal,
    /// Pushes the agents there away.
    Push,
    /// Lists the other scenarios of the project.
    ListScenarios,
    /// Asks for a line of text.
    Ask(Ask),
    /// Closes the lists of choices and does what was chosen.
    Choose(Choice),
    /// Selects a row of the list of choices that is this much further down, or up if negative.
    SelectChoice(isize),
    /// Uses the word that the error in the question suggests.
    TakeSuggestion,
    /// Goes to the tick of a line of the log and selects its agent, by its number.
    GoToLog(usize),
    /// Goes to the tick at which an expectation fails first and selects its agent, by the expectation's index.
    GoToFailure(usize),
    /// Goes to the tick since when an agent reacts to the other one of a failure, and selects it, by its index in the pair.
    GoToReaction(usize),
    /// Shows the condition because of which the selected agent leaves out calls, by its index.
    ShowSkipped(usize),
    /// Shows a condition that has changed when an agent of a pair began to react, or ceased to, by both indices.
    ShowChangedCondition(usize, usize),
    /// Goes to the tick at which the margin of an expectation is the smallest, by its index.
    GoToWorst(usize),
    /// Plots the margin of an expectation, by its index.
    PlotMargin(usize),
    /// Begins or stops to pause when an expectation fails.
    PauseOnFailure,
    /// Chooses the time after which the selected agent is predicted, by its number.
    PredictAfter(usize),
    /// Predicts another agent, which a click then selects.
    PredictOther,
    PreviousResult,
    NextResult,
    /// Chooses what the next click adds to the scene.
    Tool(Tool),
    /// Removes the selected mark from the scene.
    RemoveMark,
    /// Makes what fails after this tick as small as possible and saves it.
    SaveSmall,
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
    /// Shows the script of a call of the selected agent, by the index of its share.
    ShowCall(usize),
    /// Shows the place of the error in the files.
    ShowError,
    /// Opens what a notice is about, by its index.
    OpenNotice(usize),
    /// Selects the agent that a notice offers, by its index.
    SelectInNotice(usize),
    /// Goes to the failure that a notice is about, by its index, and closes it.
    GoToFailureInNotice(usize),
    /// Goes to the tick of a notice, selects its agent, and closes it.
    GoToNotice(usize),
    /// Keeps the params in use, to compare others with them; if they are those that are kept: forgets them.
    KeepParams,
    /// Switches the other weights of a group on again, of which only one is on.
    EndOnlyWeight(GroupId),
    /// Goes to the nearest tick with the selected agent, which is not in the world now.
    GoToAbsent,
    /// Closes a notice, by its index.
    CloseNotice(usize),
    /// Moves the left edge of the files to the pointer.
    ResizeFiles,
    /// Shows where the scenario has its groups.
    ShowGroups,
    /// Shows a file of the run, by its index.
    ShowFile(usize),
    /// Puts the cursor in the shown file to the pointer.
    PlaceCursor,
    /// Selects text of the shown file up to the pointer.
    SelectToPointer,
    /// Finds or replaces words of the shown file.
    Find(FindAction),
    /// Writes a suggestion where the person types, by its index.
    WriteSuggestion(usize),
    /// Selects a suggestion that is this much further down, or up if negative.
    SelectSuggestion(isize),
    /// Writes the fix of a line of the shown file, by the number of the line from 0.
    WriteFix(usize),
    /// Goes to the next problem in the files, or to the one before.
    NextProblem(bool),
    /// Goes to the next problem of a line of the shown file, by the number of the line from 0.
    ShowProblems(usize),
    /// Forgets what was typed in the shown file.
    DropText,
    /// Keeps what was typed in the shown file, which another program has changed: writing it replaces that change.
    KeepText,
    /// Does something with the copy of a text that an earlier window has left.
    ActOnCopy(CopyAction),
    Reload,
    /// Opens the file of keys, which is made if there is none.
    EditKeys,
    Quit,
    /// Answers the question whether to leave.
    Leave(LeaveAction),
}
