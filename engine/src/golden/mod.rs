//! Goldens: what a run did when it was right, to compare later runs with.
//!
//! Owns the file format, the ways to compare and what a difference is. It opens no files, and changes
//! nothing about a run: who runs it, and what follows from a difference, is the `suite`'s.

mod agent;
mod bands;
mod difference;
mod follow;
mod keyframe;
mod read;
#[cfg(test)]
mod tests;
mod text;
mod write;

pub(crate) use agent::{AgentState, PushError};
pub use bands::{Band, BandTerms, BandViolation, bands};
pub use difference::{Difference, FarthestAgent, Field, FieldDifference, StateView};
pub use follow::{Follower, TrackComparison, Window, compare_window};
pub use keyframe::{GroupChange, Keyframe, NameTable};
pub use read::GoldenError;
pub use write::Writer;

use xxhash_rust::xxh3::xxh3_64;

/// The version of the format. One that reads a higher one cannot know what it means.
const VERSION: u32 = 1;

/// The first words of every golden.
pub(crate) const FIRST_WORDS: &str = "flockwork golden";

/// How a scenario wants its runs compared with their golden.
#[derive(Clone, Debug, PartialEq)]
pub struct Terms {
    /// In which way.
    pub mode: Mode,
    /// The tick at which the run begins.
    pub from: u64,
    /// Ticks from one keyframe, or set of bands, to the next, at least 1.
    pub every: u64,
    /// The last tick that is compared, after the first.
    pub until: u64,
}

/// What counts as the same.
#[derive(Clone, Debug, PartialEq)]
pub enum Mode {
    /// The same bits in every tick.
    Exact,
    /// Nobody farther away than this at any keyframe.
    Within(Tolerance),
    /// Taken up from each keyframe of the golden, nobody farther away than this at the next one: what is
    /// small stays small even where paths diverge in the long run.
    Windows(Tolerance),
    /// The median of measures over several seeds within bands of the golden's.
    Bands(BandTerms),
}

/// How far from its place in the golden an agent may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// World units.
    pub position: f32,
    /// World units per second, if velocities are compared.
    pub velocity: Option<f32>,
    /// At least this share of the agents must be no farther, above 0 to 1. Where the smallest difference
    /// can decide who is seen and who is not, some go other ways whatever is allowed.
    pub share: f32,
}

/// A text that a run is made of, so that a change of it is noticed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    /// The name of the scenario, or of the script among the scripts.
    pub name: String,
    /// A hash of the text, the same for all kinds of line ends.
    pub hash: u64,
}

impl Fingerprint {
    /// That of a text.
    pub fn of(name: &str, text: &str) -> Self {
        let hash = if text.contains('\r') {
            xxh3_64(text.replace("\r\n", "\n").as_bytes())
        } else {
            xxh3_64(text.as_bytes())
        };
        Self { name: name.to_owned(), hash }
    }
}

/// What a golden says before it comes to the run.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// The scenario.
    pub scenario: Fingerprint,
    /// The scripts of all its behaviors and what they import, in the order of their names.
    pub scripts: Vec<Fingerprint>,
    /// The seed it ran with.
    pub seed: u64,
    /// Seconds per tick.
    pub dt: f32,
    /// How it was to be compared.
    pub terms: Terms,
    /// What its groups and paths are called.
    pub names: NameTable,
    /// Why it was last written; empty where nobody said.
    pub reason: String,
}

/// What a run did when it was right.
#[derive(Clone, Debug, PartialEq)]
pub struct Golden {
    /// How it came about.
    pub header: Header,
    /// What it did.
    pub body: GoldenBody,
}

/// What a golden keeps of the run, or runs.
#[derive(Clone, Debug, PartialEq)]
pub enum GoldenBody {
    /// One run.
    Track(Track),
    /// Measures of several.
    Bands(Vec<Band>),
}

/// One run: its state now and then, and a hash of it in every tick.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track {
    /// The tick at which it begins.
    pub from: u64,
    /// From that tick to the last, in order.
    pub keyframes: Vec<Keyframe>,
    /// The upper half of [`state_hash`](crate::trace::state_hash) after each tick, from `from` on.
    pub hashes: Vec<u32>,
}

impl Track {
    /// The hash after a tick; `None` before the first and after the last.
    pub fn hash(&self, tick: u64) -> Option<u32> {
        let place = usize::try_from(tick.checked_sub(self.from)?).ok()?;
        self.hashes.get(place).copied()
    }

    /// The first tick that is not part of it any more.
    fn end(&self) -> u64 {
        self.from.saturating_add(self.hashes.len() as u64)
    }
}

impl Terms {
    /// Whether there is a keyframe, or a set of bands, at a tick of the run: at multiples of `every`, at the
    /// first and at the last.
    pub fn is_keyframe(&self, tick: u64) -> bool {
        tick.is_multiple_of(self.every) || tick == self.from || tick == self.until
    }
}

/// What a golden keeps of the hash of a tick.
pub(crate) fn short_hash(hash: u64) -> u32 {
    (hash >> 32) as u32
}
