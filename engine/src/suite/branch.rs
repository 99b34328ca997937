//! The first decision of a turn that differs from before: a state of a machine, another choice, or a condition.

use std::fmt::Write as _;

use super::PlaceMap;
use crate::diag::Place;
use crate::sim::{Explanation, NextTurn, NoDecision, Simulation, TurnValue, ValueKind};
use crate::world::AgentId;

/// One turn of an agent, with all that is known about why it decided as it did.
#[derive(Debug, Default)]
pub(super) struct ExplainedTurn {
    turn: Option<NextTurn>,
    values: Vec<TurnValue>,
    /// Why the agent decides on nothing, if so.
    pub(super) absence: Option<&'static str>,
}

impl ExplainedTurn {
    /// Asks a simulation for the next turn of an agent.
    pub(super) fn next(simulation: &Simulation, id: AgentId) -> Self {
        let turn = simulation.next_turn(id);
        let absence = match &turn {
            Ok(None) => Some("there is no such agent"),
            Ok(Some(NextTurn { decision: Err(NoDecision::Stopped), .. })) => {
                Some("the agent has stopped after its last goal")
            }
            Ok(Some(_)) | Err(_) => None,
        };
        let values = simulation.values(id).unwrap_or_default();
        Self { turn: turn.ok().flatten(), values, absence }
    }

    /// Returns why it decided on its force, if that is known.
    pub(super) fn explanation(&self) -> Option<&Explanation> {
        self.turn.as_ref()?.decision.as_ref().ok()?.explanation.as_ref()
    }

    /// Returns when the turn computed the value at a place, counted in values.
    pub(super) fn order_of(&self, place: &Place) -> Option<u32> {
        let values = self.values.iter().filter(|value| value.place == *place);
        values.map(|value| value.order).min()
    }
}

/// A decision in which two turns of an agent differ before their calls of primitives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// A description of the change and its place.
    pub text: String,
    /// Its place in the current script, if it is known.
    pub place: Option<Place>,
    /// When the new turn decided it, counted in values.
    pub(super) order: u32,
}

impl Branch {
    /// Returns the first difference between what two turns decided by: a choice that is kept, with the condition that
    /// differs before it; or the condition alone. `None` if they decided by the same.
    pub(super) fn between(
        old: &ExplainedTurn,
        new: &ExplainedTurn,
        places: &PlaceMap,
    ) -> Option<Self> {
        let condition = changed_condition(old, new, places);
        match (changed_choice(old, new), condition) {
            (Some(choice), Some(condition)) if condition.order < choice.order => {
                let text = format!("{}, since {}", choice.text, condition.text);
                Some(Self { text, ..condition })
            }
            (choice, condition) => choice.or(condition),
        }
    }
}

fn changed_choice(old: &ExplainedTurn, new: &ExplainedTurn) -> Option<Branch> {
    let (old, turn) = (old.turn.as_ref()?, new.turn.as_ref()?);
    let before = old.choices();
    turn.choices().into_iter().find_map(|is| {
        let was = before.iter().find(|was| was.choice.name == is.choice.name)?;
        if was.value == is.value {
            return None;
        }
        let place = is.choice.place.as_ref();
        let at = place.map_or_else(String::new, |place| format!(" at {place}"));
        let order = place.and_then(|place| new.order_of(place)).unwrap_or(u32::MAX);
        let name = &is.choice.name;
        let (old, new) = (was.chosen(), is.chosen());
        // The reason is that of the run which has changed its mind in this very turn.
        let why = match (was.why(), is.why()) {
            (Some(why), _) if is.time > 0.0 && was.time == 0.0 => format!(" (before: {why})"),
            (_, why) => why.map_or_else(String::new, |why| format!(" ({why})")),
        };
        let text = format!("`{name}`{at} was {old}, is {new}{why}");
        Some(Branch { text, place: place.cloned(), order })
    })
}

/// Returns the first condition that gave something else.
fn changed_condition(
    old: &ExplainedTurn,
    new: &ExplainedTurn,
    places: &PlaceMap,
) -> Option<Branch> {
    let conditions = |turn: &'_ ExplainedTurn| {
        let mut all: Vec<TurnValue> = turn.values.clone();
        // In a loop a condition has several values, of which only the last one is known.
        all.retain(|value| value.kind == ValueKind::Condition && value.count == 1);
        all.sort_by_key(|value| value.order);
        all
    };
    let before = conditions(old);
    conditions(new).into_iter().find_map(|is| {
        let was = before.iter().find(|was| places.may_be_same(&was.place, &is.place))?;
        if was.text == is.text {
            return None;
        }
        let (was_written, written) = (was.place.text(), is.place.text());
        let mut text = format!("`{written}` at {} was {}, is {}", is.place, was.text, is.text);
        if was_written != written {
            let _ = write!(text, " (it was `{was_written}`)");
        }
        Some(Branch { text, place: Some(is.place.clone()), order: is.order })
    })
}
