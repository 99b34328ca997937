//! What the player can be asked for. Groups go by their names: by the time it is done the texts may number
//! them otherwise.

use flockwork_engine::math::Vec2;

use super::tune::Knob;

/// What the player can be asked for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Command {
    /// Goes on if it pauses, and the other way round.
    TogglePause,
    /// One tick on, and pauses.
    StepForward,
    /// One tick back, and pauses.
    StepBack,
    /// Pauses, and looks at a tick that has been.
    Seek(u64),
    /// Runs to a tick as fast as it can, and pauses there.
    RunTo(u64),
    /// Pauses, and looks at the moment so many seconds of the world later, or earlier.
    Skip(f32),
    /// Lets time pass twice as fast so many times, or half as fast.
    ChangeSpeed(i32),
    /// Takes the newest texts from here on, and runs to where the end was.
    Rerun,
    /// The texts may have changed: reads them again soon.
    FilesChanged,
    /// Reads the texts again now, and tries them again if they have failed.
    Reload,
    /// Whom to tell everything about.
    Select(Option<u32>),
    /// What else to find out.
    SetOverlays(Overlays),
    /// Whether anything of the window can be seen.
    SetVisible(bool),
    /// Where the pointer is in the world.
    MoveCursor(Option<Vec2>),
    /// Turns a knob of a group's params by so many of its steps.
    Tune {
        /// The group's name.
        group: String,
        knob: Knob,
        steps: f32,
    },
    /// Gives a group, or all, a goal.
    SetGoal {
        /// The group's name.
        group: Option<String>,
        /// World units.
        at: Vec2,
        /// How near an agent without a body has to come, in world units.
        radius: f32,
    },
    /// Pushes those near a place away.
    Push {
        /// World units.
        at: Vec2,
        /// How far it reaches, in world units.
        radius: f32,
    },
    /// Writes the params as they are now into the scenario.
    WriteParams,
    /// Writes a scenario that begins at this tick, and its golden if it is to be a test.
    Save {
        /// Whether a golden is wanted too.
        is_test: bool,
    },
    /// Takes the ghost away.
    DropGhost,
    /// Ends.
    Quit,
}

/// What costs too much to be found out where nobody looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Overlays {
    /// The forces of all agents.
    pub forces: bool,
    /// Where the selected agent would go from around it.
    pub field: bool,
}

/// The slowest and the fastest, as powers of 2.
pub(crate) const SPEED_POWERS: std::ops::RangeInclusive<i32> = -3..=6;

/// How many times as fast time passes at a speed.
pub(crate) fn times(speed: i32) -> f64 {
    let faster = f64::from(1u32 << speed.max(0));
    let slower = f64::from(1u32 << (-speed).max(0));
    faster / slower
}
