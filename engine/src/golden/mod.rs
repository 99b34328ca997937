//! Goldens: recordings of runs that were right, for comparison with later runs.
//!
//! Owns the file format, the comparison modes and the differences. It never opens files and never changes a run. The
//! module `suite` runs scenarios and decides what follows from a difference.

mod agent;
mod amounts;
mod bands;
#[cfg(test)]
pub(crate) mod case_edits;
mod difference;
mod follow;
mod keyframe;
mod moving;
mod read;
mod scenario_names;
mod string_pool;
#[cfg(test)]
mod tests;
mod text;
mod waiting;
mod write;

pub(crate) use agent::{AgentState, PushError};
pub(crate) use amounts::{amounts_text, read_amounts};
pub use bands::{Band, BandTerms, BandViolation, bands};
pub use difference::{
    AgentOffset, Difference, FarthestAgent, Field, FieldDifference, LayerDifference, LayersView,
    StateView,
};
pub use follow::{Follower, TrackComparison, Window, compare_window};
pub use keyframe::{GroupChange, Keyframe};
pub use read::GoldenError;
pub use scenario_names::ScenarioNames;
pub use write::GoldenWriter;

use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use crate::schema::NameKind;

/// The version of the format. A golden with a higher version is refused: its meaning is unknown.
const VERSION: u32 = 1;

/// The first words of every golden.
pub(crate) const FIRST_WORDS: &str = "flockwork golden";

/// How the runs of a scenario are compared with their golden: the field `golden` of a scenario, checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Terms {
    /// The rule for equality.
    pub mode: Mode,
    /// The tick at which the run begins.
    pub from: u64,
    /// Ticks from one keyframe, or set of bands, to the next, at least 1.
    pub every: u64,
    /// The last tick that is compared, after the first.
    pub until: u64,
}

/// The rule for equality of a run and a golden.
#[derive(Clone, Debug, PartialEq)]
pub enum Mode {
    /// The same bits in every tick.
    Exact,
    /// No agent exceeds the tolerance at any keyframe.
    Within(Tolerance),
    /// Continued from each keyframe of the golden, no agent exceeds the tolerance at the next one. So small differences
    /// stay small even in scenes where paths diverge in the long run.
    Windows(Tolerance),
    /// The medians of measures over several seeds are within the golden's bands.
    Bands(BandTerms),
}

/// How far an agent may differ from the golden.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Distance between positions, in world units.
    pub position: f32,
    /// Distance between velocities, in world units per second; `None` if velocities are not compared.
    pub velocity: Option<f32>,
    /// The share of the agents that must be within the tolerance, above 0 and up to 1. Where a tiny difference can decide
    /// which neighbors an agent perceives, some agents always take another way.
    pub share: f32,
}

/// Name and hash of a file that a run is made of, so that a change of the file is noticed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    /// The name of the scenario, or of the script in the scripts folder.
    pub name: String,
    /// A hash of the content, the same for all kinds of line ends.
    pub hash: u64,
}

impl Fingerprint {
    /// Returns the fingerprint of a file with this name and content.
    pub fn of(name: &str, text: &str) -> Self {
        let hash = if text.contains('\r') {
            xxh3_64(text.replace("\r\n", "\n").as_bytes())
        } else {
            xxh3_64(text.as_bytes())
        };
        Self { name: name.to_owned(), hash }
    }
}

/// The header of a golden: how its run was made.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// The scenario file.
    pub scenario: Fingerprint,
    /// The scripts of all behaviors and everything they import, ordered by name.
    pub scripts: Vec<Fingerprint>,
    /// The seed of the run.
    pub seed: u64,
    /// Seconds per tick.
    pub dt: f32,
    /// How it is compared.
    pub terms: Terms,
    /// The names of its groups and paths.
    pub names: ScenarioNames,
    /// Why it was last written; empty if no reason was given.
    pub reason: String,
}

/// The recording of a run that was right.
#[derive(Clone, Debug, PartialEq)]
pub struct Golden {
    /// How the run was made.
    pub header: Header,
    /// The recorded behavior of the run.
    pub body: GoldenBody,
}

impl Golden {
    /// Gives a group, a path, an obstacle, a layer, an input, a shared value or the params with a name another name. Names of other kinds are not in
    /// goldens.
    pub fn rename(&mut self, kind: NameKind, old: &str, new: &str) {
        let rename = |name: &mut Arc<str>| {
            if **name == *old {
                *name = new.into();
            }
        };
        match (kind, &mut self.body) {
            (NameKind::Group, _) => self.header.names.groups.iter_mut().for_each(rename),
            (NameKind::Path, body) => {
                self.header.names.paths.iter_mut().for_each(rename);
                if let GoldenBody::Track(track) = body {
                    let moving =
                        track.keyframes.iter_mut().flat_map(|one| &mut one.moving_obstacles);
                    moving.for_each(|one| moving::rename_path(one, rename));
                }
            }
            (NameKind::Obstacle, GoldenBody::Track(track)) => {
                let absent = track.keyframes.iter_mut().flat_map(|one| &mut one.absent_obstacles);
                absent.for_each(rename);
                let moving = track.keyframes.iter_mut().flat_map(|one| &mut one.moving_obstacles);
                moving.for_each(|one| rename(&mut one.name));
            }
            (NameKind::Layer, GoldenBody::Track(track)) => {
                let layers = track.keyframes.iter_mut().flat_map(|one| &mut one.layers);
                layers.map(|layer| &mut layer.name).for_each(rename);
            }
            (NameKind::Input, GoldenBody::Track(track)) => {
                let down = track.keyframes.iter_mut().flat_map(|one| &mut one.inputs_down);
                down.for_each(rename);
            }
            (NameKind::Shared, GoldenBody::Track(track)) => {
                let shared = track.keyframes.iter_mut().flat_map(|one| &mut one.shared);
                shared.for_each(|(name, _)| rename(name));
            }
            (NameKind::Param, GoldenBody::Track(track)) => {
                let changes = track.keyframes.iter_mut().flat_map(|one| &mut one.changes);
                for change in changes {
                    if let GroupChange::Param { name, .. } = change {
                        rename(name);
                    }
                }
            }
            _ => {}
        }
    }
}

/// The contents of a golden.
#[derive(Clone, Debug, PartialEq)]
pub enum GoldenBody {
    /// The states of one run.
    Track(Track),
    /// Measures of several runs.
    Bands(Vec<Band>),
}

/// The recording of one run: its state at some ticks, and a hash of it at every tick.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track {
    /// The tick at which the run begins.
    pub from: u64,
    /// The states at some ticks, from the first to the last, in order.
    pub keyframes: Vec<Keyframe>,
    /// The upper half of [`state_hash`](crate::trace::state_hash) after each tick, from `from` on.
    pub hashes: Vec<u32>,
}

impl Track {
    /// Returns the hash after a tick; `None` before the first tick and after the last.
    pub fn hash(&self, tick: u64) -> Option<u32> {
        let place = usize::try_from(tick.checked_sub(self.from)?).ok()?;
        self.hashes.get(place).copied()
    }

    /// Returns the tick after the last one.
    fn end(&self) -> u64 {
        self.from.saturating_add(self.hashes.len() as u64)
    }
}

impl Terms {
    /// Returns true if there is a keyframe or a set of bands at a tick: at multiples of `every`, at the first and at the
    /// last tick.
    pub fn is_keyframe(&self, tick: u64) -> bool {
        tick.is_multiple_of(self.every) || tick == self.from || tick == self.until
    }
}

/// Returns the part of a state hash that goldens store for each tick.
pub(crate) fn short_hash(hash: u64) -> u32 {
    (hash >> 32) as u32
}
