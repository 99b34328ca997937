//! The choices that a script keeps over several ticks, for explanations: the states of state machines, the winners of
//! choosers, and values that are kept for some time.

use super::Cause;
use crate::diag::Place;

/// A choice that a script made or kept in one turn.
///
/// `me.state` holds the chosen value under its name, and the tick of the choice under [`since_key`].
#[derive(Clone, Debug)]
pub struct ExplainedChoice {
    /// Its name in `me.state`.
    pub name: String,
    /// Where the script makes it.
    pub place: Option<Place>,
    /// How it is made.
    pub rule: ChoiceRule<f32>,
    /// The changes of the agent's state since its last turn that it depends on, as far as that is known.
    pub news: Vec<Cause>,
}

/// How a choice is made, with numbers of a type.
#[derive(Clone, Debug, PartialEq)]
pub enum ChoiceRule<N> {
    /// `me.machine(name, states)`: the state of a state machine.
    Machine {
        /// The functions that decide which state follows a state, and where they are: by state.
        next: Vec<(String, Option<Place>)>,
    },
    /// `me.choose(name, scores, margin, dwell)`: the option with the highest score.
    Choose {
        /// The options and their scores, in the order of the script.
        scores: Vec<(String, N)>,
        /// An option replaces the present one if its score is higher by more than this.
        margin: N,
        /// The time that an option stays chosen at least, in seconds.
        dwell: N,
    },
    /// `me.keep(name, value, dwell)`: a value that stays for some time.
    Keep {
        /// The time that a value stays at least, in seconds.
        dwell: N,
    },
}

impl<N: Copy> ChoiceRule<N> {
    /// Returns the same rule with other numbers.
    pub fn map<M>(&self, number: impl Fn(N) -> M) -> ChoiceRule<M> {
        match self {
            Self::Machine { next } => ChoiceRule::Machine { next: next.clone() },
            Self::Choose { scores, margin, dwell } => ChoiceRule::Choose {
                scores: scores.iter().map(|(name, score)| (name.clone(), number(*score))).collect(),
                margin: number(*margin),
                dwell: number(*dwell),
            },
            Self::Keep { dwell } => ChoiceRule::Keep { dwell: number(*dwell) },
        }
    }
}

/// Returns the key in `me.state` of the tick at which a choice was made.
pub fn since_key(name: &str) -> String {
    format!("{name}_since")
}

/// Returns the key in `me.state` of the state that a state machine was in before.
pub fn before_key(name: &str) -> String {
    format!("{name}_before")
}
