//! The commands that the window sends to the player.
//!
//! Commands name groups by name, not by number: a reload between sending and handling may renumber groups.

use std::sync::Arc;

use flockwork_engine::diag::Source;
use flockwork_engine::math::Vec2;
use flockwork_engine::scenario::SceneEdit;
use flockwork_engine::world::AgentId;

use super::plot::PlotSource;
use super::prediction::Prediction;
use super::tune::Knob;

/// A request to the player.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PlayerCommand {
    /// Pauses if time passes, otherwise continues.
    TogglePause,
    Pause,
    /// Goes one tick forward and pauses.
    StepForward,
    /// Goes one tick back and pauses.
    StepBack,
    /// Pauses and shows a tick of the history.
    Seek(u64),
    /// Runs to a tick as fast as possible and pauses there.
    RunTo(u64),
    /// Pauses and goes this many simulated seconds forward, or back if negative.
    Skip(f32),
    /// Doubles the speed this many times, or halves it if negative.
    ChangeSpeed(i32),
    /// Drops the future and plays from the shown tick, with the current files and params.
    Rerun,
    /// Drops everything and plays from the first tick, with the current files and params.
    RerunAll,
    /// Drops everything and plays another random run from the first tick, with the next seed.
    AnotherRun,
    /// Plays from the first tick with a seed that was typed; an empty text is for that of the scenario file.
    SetSeed(String),
    /// Runs from the first tick with the params that are kept, or else those of the scenario file, which becomes the ghost, then with
    /// those of the person.
    Compare,
    /// Scenario or script files may have changed; they are read again soon.
    FilesChanged,
    /// Reads the files again now, and tries them again even if they failed before.
    Reload,
    /// Selects an agent by id, or none. The selected agent is explained.
    Select(Option<AgentId>),
    /// Chooses the overlays to compute.
    SetOverlays(Overlays),
    /// Chooses what is plotted over time, from the top down.
    Plot(Vec<PlotSource>),
    /// Shares the current values with an editor that has just connected.
    Share,
    /// Whether any part of the window is visible.
    SetVisible(bool),
    /// The pointer moved to a point, in world units, or left the world.
    MoveCursor(Option<Vec2>),
    /// Adds an expression of the person to what can be plotted.
    AddExpression(String),
    /// Begins or ends to show the world to an audience.
    Present(bool),
    /// Begins or ends the play mode, in which keys set the inputs of the world.
    Play(bool),
    /// A key went down or up while the person plays.
    PlayKey {
        /// One of [`Input::KEYS`](flockwork_engine::world::Input::KEYS).
        key: &'static str,
        is_down: bool,
    },
    /// All keys are up: the window has lost the focus.
    ReleaseKeys,
    /// Changes a number in the params of a group by this many steps.
    Tune {
        /// The group's name.
        group: String,
        knob: Knob,
        steps: f32,
    },
    /// Sets a number in the params of a group to a value that was typed.
    SetParam {
        /// The group's name.
        group: String,
        knob: Knob,
        text: String,
    },
    /// Sets a param of a group to its value in the scenario file.
    ResetParam {
        /// The group's name.
        group: String,
        knob: Knob,
    },
    /// Switches a weight of a group off, or on again.
    SwitchWeight {
        group: String,
        param: String,
    },
    /// Switches all weights of a group off but one; again: on.
    OnlyWeight {
        group: String,
        param: String,
    },
    /// Sets all params to those that are kept, or else those of the scenario file; again: back to those of the person.
    SwapParams,
    /// Keeps the params in use, to compare others with them; if they are those that are kept: forgets them.
    KeepParams,
    /// Sets a goal for a group, or for all groups.
    SetGoal {
        /// The group's name; `None` for all groups.
        group: Option<String>,
        /// World units.
        at: Vec2,
        /// Radius of the goal for agents without a body, in world units.
        radius: f32,
    },
    /// Pushes agents near a point away from it.
    Push {
        /// World units.
        at: Vec2,
        /// Reach of the push, in world units.
        radius: f32,
    },
    /// Undoes the last change of a param, goal or push that was made by hand.
    Undo,
    /// Makes the change again that was undone last.
    Redo,
    /// Writes the current params to the scenario file.
    WriteParams,
    /// Writes a text to a file, in place of the text that was read.
    WriteFile {
        read: Arc<Source>,
        text: String,
    },
    /// Writes a script that does not exist yet.
    NewScript {
        name: String,
        /// What it has; `None` for a behavior to begin with.
        text: Option<String>,
        /// The name of the group that gets it as its behavior, if one does.
        group: Option<String>,
    },
    /// Edits the scene in the scenario file.
    EditScene(SceneEdit),
    /// Selects an agent by its id, or the next one for which an expression is true.
    Find(String),
    /// Pauses when an expression becomes true for an agent; an empty expression disables it.
    PauseWhen(String),
    /// Pauses and keeps a guess where an agent will be; time then passes until its tick. `None` forgets it.
    Predict(Option<Prediction>),
    /// Chooses the expression whose number colors each agent.
    ColorBy(String),
    /// Whether the run pauses when an expectation fails.
    PauseOnFailure(bool),
    /// Saves a scenario that starts at this tick.
    Save {
        /// Whether to save a golden too, so that the scenario is a test.
        is_test: bool,
        /// The name of the file; `None` for one that says the tick.
        name: Option<String>,
    },
    /// Makes what fails after this tick as small as possible and saves it; if that is going on, stops it.
    SaveSmall,
    /// Shows a later result of a tune, or an earlier one if negative.
    StepResult(isize),
    /// Shows a notice no longer.
    CloseNotice(String),
    /// Shows a notice.
    Notice {
        text: String,
        /// Whether something failed.
        is_failure: bool,
    },
    /// Shows a notice. A click on it selects an agent.
    OfferAgent {
        text: String,
        agent: AgentId,
    },
    /// Keeps the ghost, so that later futures that are dropped do not replace it.
    KeepGhost,
    /// Makes the run so far a ghost that is kept.
    KeepRun,
    /// Removes the ghost.
    DropGhost,
    /// Ends the player.
    Quit,
}

/// Optional overlays, which are computed only while they are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Overlays {
    /// The forces of all agents.
    pub forces: bool,
    /// The force that the selected agent would choose at points around it.
    pub field: bool,
    /// The log.
    pub log: bool,
    /// The expectations and their states.
    pub expectations: bool,
    /// The numbers of the expression that colors agents.
    pub numbers: bool,
    /// The files, and the values of the selected agent in them.
    pub files: bool,
}

/// Slowest and fastest speed, as powers of 2.
pub(crate) const SPEED_POWERS: std::ops::RangeInclusive<i32> = -3..=6;

/// Ticks of at least this length are counted instead of their seconds, which nobody sees pass.
const LONG_TICK_S: f32 = 0.5;

/// Returns whether speeds and times are told in ticks, since ticks are long.
pub(crate) fn counts_ticks(dt: f32) -> bool {
    dt >= LONG_TICK_S
}

/// Returns the factor of a speed that is given as a power of 2.
pub(crate) fn speed_factor(speed: i32) -> f64 {
    let faster = f64::from(1u32 << speed.max(0));
    let slower = f64::from(1u32 << (-speed).max(0));
    faster / slower
}
