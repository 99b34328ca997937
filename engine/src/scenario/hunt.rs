//! Checks what a hunt must leave as it is written.

use serde::Deserialize;

use super::findings::Findings;
use super::ordered;
use super::spanned::Spanned;
use crate::schema::described;

described! {
    #[derive(Debug, Default, Deserialize)]
    #[serde(rename = "Hunt", deny_unknown_fields)]
    pub(super) struct HuntSpec {
        /// What hunts leave as it is written, because the expectations promise nothing without it. Default: nothing.
        #[serde(default, deserialize_with = "ordered::list")]
        pub(super) keep: Vec<Spanned<Varied>>,
    }
}

described! {
    /// Something that a hunt varies unless it is kept.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
    #[serde(rename = "keep")]
    pub enum Varied {
        /// The seed of the scenario.
        Seed,
        /// The places of the agents of each group.
        Places,
        /// The numbers of agents of each group.
        Counts,
        /// The times of events.
        Events,
    }
}

impl Varied {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Seed, Self::Places, Self::Counts, Self::Events];

    /// Returns its name in commands.
    pub fn name(self) -> &'static str {
        match self {
            Self::Seed => "seed",
            Self::Places => "places",
            Self::Counts => "counts",
            Self::Events => "events",
        }
    }
}

/// Checks the `hunt` field of a scenario, and returns what hunts keep.
pub(super) fn build(findings: &mut Findings<'_>, spec: &HuntSpec) -> Vec<Varied> {
    let mut keep: Vec<Varied> = Vec::new();
    for written in &spec.keep {
        let Some(&one) = findings.read(written) else { continue };
        if keep.contains(&one) {
            findings.error(format!("`{one:?}` is listed twice"), findings.span(written));
        } else {
            keep.push(one);
        }
    }
    keep
}
