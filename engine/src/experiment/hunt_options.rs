//! The options of a hunt.

use super::variation::Variation;
use crate::diag::Place;
use crate::scenario::Varied;

/// The options of a hunt.
#[derive(Clone, Debug)]
pub struct HuntOptions {
    /// Maximum number of runs of the search.
    pub runs: u64,
    /// The seed of all random choices.
    pub seed: u64,
    /// The things that stay as they are written, beside those that the scenario keeps.
    pub keep: Vec<Varied>,
    /// How far agents with a fixed place may be moved, in world units; `None` for the diameter of their body.
    pub near: Option<f32>,
    /// The only expectation that counts: its number, from 1, or the beginning of its text.
    pub expectation: Option<String>,
    /// Values that vary: the path of each (see [`Template`](crate::scenario::Template)), where that is written, and how.
    pub vary: Vec<(String, Place, Variation)>,
}
