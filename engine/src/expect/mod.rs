//! Expectations: what a scenario says must hold of its run, judged tick by tick while it goes on.
//!
//! An [`Expected`] says what, one rule each judges it, and the [`Judge`] asks them all and keeps what has
//! failed. It looks at a simulation and never changes it, reads no files and knows no clock; what it finds
//! depends on nothing but the run.

mod apart;
mod arrive;
mod cross;
mod judge;
mod motion;
mod obstacles;
mod place;
mod progress;
mod rule;
mod script;
#[cfg(test)]
mod tests;
mod written;

use std::fmt;

pub use judge::{Failure, Judge};
pub(crate) use rule::ticks;

use crate::diag::Place;
use crate::math::Vec2;
use crate::world::{Goal, GroupId, PathId};

/// Something that must hold of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// What.
    pub what: Expected,
    /// Where it is written.
    pub place: Place,
}

/// As it is written, in one line.
impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.place.source.text.get(self.place.span.clone());
        f.write_str(&written::in_one_line(text.unwrap_or_default()))
    }
}

/// What must hold. Where a group may be left out, all agents are meant; what has a tick `from` is not
/// judged before it; a tick `by` that is left out is the last of the run.
#[derive(Clone, Debug, PartialEq)]
pub enum Expected {
    /// At least one agent comes to the end of its goals, or to a place.
    Reach {
        /// Whose.
        group: GroupId,
        /// Within this of this place at the end of a tick; the end of the goals where it is left out.
        place: Option<Goal>,
        /// At the end of this tick at the latest.
        by: Option<u64>,
    },
    /// All agents made by then have come to the end of their goals, or have been at a place.
    ReachAll {
        /// Whose.
        group: GroupId,
        /// Within this of this place at the end of a tick; the end of the goals where it is left out.
        place: Option<Goal>,
        /// At the end of this tick at the latest.
        by: Option<u64>,
    },
    /// Bodies overlap neither each other nor obstacles.
    NoOverlap {
        /// Whose bodies; everyone's where it is left out.
        groups: Option<Vec<GroupId>>,
        /// By more than this, in world units.
        tolerance: f32,
        /// Whether each other.
        agents: bool,
        /// Whether obstacles.
        obstacles: bool,
        /// The first tick that is judged.
        from: u64,
    },
    /// Centres stay apart.
    MinSeparation {
        /// Whose; everyone's where it is left out.
        groups: Option<Vec<GroupId>>,
        /// At least this, in world units.
        distance: f32,
        /// The first tick that is judged.
        from: u64,
    },
    /// Nobody is faster.
    MaxSpeed {
        /// Who.
        group: Option<GroupId>,
        /// World units per second.
        speed: f32,
        /// The first tick that is judged.
        from: u64,
    },
    /// Nobody changes its velocity faster, for whatever reason.
    MaxAcceleration {
        /// Who.
        group: Option<GroupId>,
        /// World units per second squared.
        acceleration: f32,
        /// The first tick that is judged, by its difference to the one before.
        from: u64,
    },
    /// No heading turns faster.
    MaxTurnRate {
        /// Whose.
        group: Option<GroupId>,
        /// Degrees per second.
        deg_per_s: f32,
        /// The first tick that is judged, by its difference to the one before.
        from: u64,
    },
    /// Centres stay in a rectangle or on its edge.
    StayInside {
        /// Whose.
        group: Option<GroupId>,
        /// The corner with the smallest coordinates.
        min: Vec2,
        /// The corner with the largest coordinates.
        max: Vec2,
        /// The first tick that is judged.
        from: u64,
    },
    /// Centres stay near a path.
    StayNearPath {
        /// Whose.
        group: Option<GroupId>,
        /// Which.
        path: PathId,
        /// At most this far from it, in world units.
        distance: f32,
        /// The first tick that is judged.
        from: u64,
    },
    /// Nobody is stuck who has something to do: a goal left, or no goals in its group at all.
    Progress {
        /// Who.
        group: Option<GroupId>,
        /// In this time, in seconds,
        seconds: f32,
        /// an agent comes at least so far from where it was, in world units; its body's radius where it is
        /// left out.
        distance: Option<f32>,
        /// The first tick that is judged.
        from: u64,
    },
    /// Nobody turns back again and again: its velocity of one tick points against that of the tick before.
    NoJitter {
        /// Who.
        group: Option<GroupId>,
        /// At most so often
        reversals: u32,
        /// within this time, in seconds.
        seconds: f32,
        /// The first tick that is judged, by its difference to the one before.
        from: u64,
    },
    /// Agents cross a line, either way; each counts once.
    Throughput {
        /// Who.
        group: Option<GroupId>,
        /// One end of the line.
        from: Vec2,
        /// The other end.
        to: Vec2,
        /// So many.
        at_least: u32,
        /// At the end of this tick at the latest.
        by: Option<u64>,
    },
    /// Positions, velocities and headings are numbers, and finite.
    AllFinite,
    /// A script's `expect(now)` is true.
    Script {
        /// Its name.
        name: String,
        /// Where the name is written.
        place: Place,
        /// How many ticks from one time to the next; once, at the end of the run, where it is left out.
        every: Option<u64>,
        /// The first time, if there are several.
        from: u64,
    },
}
