//! Two agents that fail an expectation together: since when each of them reacts to the other one.

use std::sync::Arc;

use flockwork_engine::Failure;
use flockwork_engine::diag::Place;
use flockwork_engine::math::short;
use flockwork_engine::world::AgentId;

/// What is known of two agents that fail an expectation together, one of which is selected.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FailedPair {
    pub failure: Failure,
    /// How each of them reacts to the other one.
    pub reactions: PairReactions,
}

/// How each of two agents reacts to the other one, as far as it is known.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum PairReactions {
    /// The ticks up to this one have been looked at.
    Searching(u64),
    Known(Arc<[PairReaction; 2]>),
}

/// How an agent reacts to another one up to a failure of both.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PairReaction {
    pub agent: AgentId,
    pub other: AgentId,
    /// Whether it reacts to the other one when both fail.
    pub reacts: bool,
    /// The first tick from which on this is so without a break, and how far apart both are then, in world units.
    pub since: u64,
    pub distance: f32,
    /// What is known of the tick before that.
    pub before: Before,
    /// Where its reactions point since then: from -1, away from the other one, to 1, toward it.
    pub toward: f32,
    /// The conditions of its script that hold since then and did not before, or the other way round.
    pub changed: Vec<Condition>,
}

/// What is known of the tick before an agent began to react to another one, or ceased to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Before {
    /// It was otherwise.
    Otherwise,
    /// One of the agents was not there, or there is no such tick.
    NotThere,
    /// Nothing: it has not been looked at.
    Unknown,
}

/// A condition of a script.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Condition {
    /// How it is written.
    pub text: String,
    pub place: Place,
    /// Whether it holds.
    pub holds: bool,
}

/// From this on, the mean direction of reactions is toward the other agent, and below its opposite, away from it.
const CLEARLY: f32 = 0.5;

impl PairReaction {
    /// Says since when the agent reacts to the other one, or does not.
    pub(super) fn words(&self) -> String {
        let Self { agent, other, since, .. } = self;
        let apart = format!("{} apart then", short(self.distance));
        match (self.reacts, self.before) {
            (true, before) => {
                let since = match before {
                    Before::Otherwise => format!("since tick {since}, {apart}"),
                    Before::NotThere => format!("from its first tick on ({since}), {apart}"),
                    Before::Unknown => format!("since tick {since} or longer, {apart}"),
                };
                let direction = self.direction();
                format!("agent {agent} reacts to agent {other} {since}: {direction}")
            }
            (false, Before::Otherwise) => {
                format!(
                    "agent {agent} no longer reacts to agent {other} since tick {since}, {apart}"
                )
            }
            (false, Before::NotThere) => {
                format!("agent {agent} never reacts to agent {other} before they fail")
            }
            (false, Before::Unknown) => {
                format!(
                    "agent {agent} does not react to agent {other} since tick {since} or longer"
                )
            }
        }
    }

    fn direction(&self) -> &'static str {
        if self.toward > CLEARLY {
            "toward it, so look for a wrong sign"
        } else if self.toward < -CLEARLY {
            "away from it"
        } else {
            "to the side"
        }
    }

    /// Returns the tick to look at: that of the change, or else that of the last turn before the failure.
    pub(crate) fn tick(&self, failure: &Failure) -> u64 {
        match self.before {
            Before::Otherwise => self.since,
            _ if self.reacts => self.since,
            _ => failure.tick.saturating_sub(1).max(self.since),
        }
    }
}

impl Condition {
    /// Says what it became, and where it is.
    pub(super) fn words(&self) -> String {
        let (line, _) = self.place.source.line_column(self.place.span.start);
        format!("line {line}: `{}` became {}", self.text, self.holds)
    }
}
