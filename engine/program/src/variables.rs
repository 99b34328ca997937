//! The vectors that a script computes itself and keeps in variables, or that its own functions return: what of them goes into the
//! force.
//!
//! A variable counts like a call of a primitive, see [`Form`], but separately: in a product of both, the call has the share. A
//! variable that is set to something else stands for all of it that comes from no call, so that an offset is not told as
//! the difference of two points; only sums keep the parts that they are made of.

use super::form::{Form, weighed};
use crate::diag::Place;
use crate::math::{self, Binary, Unary, Vec2};
use crate::steer::{Cause, ExplainedVariable};

/// A sum of vectors differs from a value only by rounding if it does so by at most this fraction of their lengths.
const ROUNDING: f32 = 1e-5;

/// The forms of a number: what calls of primitives and what variables have in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct NumberForm {
    pub(crate) calls: Form,
    variables: Form,
    /// Whether it was computed as a sum, perhaps times a number.
    is_sum: bool,
}

impl NumberForm {
    /// Returns the form of a coordinate of the force that a call returned.
    pub(crate) fn of_call(calls: Form) -> Self {
        Self { calls, ..Self::default() }
    }

    fn is_plain(&self) -> bool {
        self.calls.is_empty() && self.variables.is_empty()
    }

    /// Returns the form of the number times another one.
    #[must_use]
    pub(crate) fn scaled(&self, by: f32) -> Self {
        Self {
            calls: self.calls.scaled(by),
            variables: self.variables.scaled(by),
            is_sum: self.is_sum,
        }
    }

    /// Returns the form of a function of a number.
    pub(crate) fn unary(function: Unary, of: &Self) -> Self {
        Self {
            calls: Form::unary(function, &of.calls),
            variables: Form::unary(function, &of.variables),
            is_sum: function == Unary::Neg && of.is_sum,
        }
    }

    /// Returns the form of a function of two numbers, each given with its form.
    pub(crate) fn binary(
        function: Binary,
        (a, left): (f32, &Self),
        (b, right): (f32, &Self),
    ) -> Self {
        let calls = Form::binary(function, (a, &left.calls), (b, &right.calls));
        let is_linear = match function {
            Binary::Add | Binary::Sub => true,
            _ => left.is_plain() || right.is_plain(),
        };
        let variables = if is_linear {
            Form::binary(function, (a, &left.variables), (b, &right.variables))
        } else {
            Form::default()
        };
        let is_sum = match function {
            Binary::Add => true,
            Binary::Mul | Binary::Div => left.is_sum || right.is_sum,
            _ => false,
        };
        Self { calls, variables, is_sum }
    }
}

/// What gives a vector a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NamedBy {
    /// A variable that gets it.
    Variable,
    /// A function of the script that returns it. What already has names keeps them.
    Function,
}

/// A value that a variable got, or that a function has returned.
#[derive(Debug)]
struct RecordedVariable {
    name: String,
    place: Place,
    causes: Vec<Cause>,
    value: Vec2,
}

/// The variables that have got vectors, in the order in which that happened.
#[derive(Debug)]
pub(crate) struct RecordedVariables {
    /// The agent's velocity before its turn, which is no variable but counts like the first one.
    own_vel: Vec2,
    all: Vec<RecordedVariable>,
}

/// The index of the agent's own velocity among the variables.
const OWN_VEL: u32 = 0;

impl RecordedVariables {
    pub(crate) fn new(own_vel: Vec2) -> Self {
        Self { own_vel, all: Vec::new() }
    }

    /// Returns the forms of the agent's velocity before its turn.
    pub(crate) fn of_own_vel() -> (NumberForm, NumberForm) {
        let (x, y) = Form::of_source(OWN_VEL);
        let form = |variables| NumberForm { variables, ..NumberForm::default() };
        (form(x), form(y))
    }

    fn vector(&self, source: u32) -> Vec2 {
        match source {
            OWN_VEL => self.own_vel,
            _ => self.all[source as usize - 1].value,
        }
    }

    /// Gives a name to a vector, of which calls have a known part, and returns the forms that its coordinates have from now on. `None`
    /// if they stay as they are.
    pub(crate) fn set(
        &mut self,
        (name, place, by): (&str, &Place, NamedBy),
        value: Vec2,
        of_calls: Vec2,
        (x, y): (&NumberForm, &NumberForm),
        causes: Vec<Cause>,
    ) -> Option<(NumberForm, NumberForm)> {
        let share = |source| weighed(source, self.vector(source), &x.variables, &y.variables);
        // A velocity that is changed bit by bit is still the agent's own; in other vectors, it is a number like others.
        let keeps_vel = share(OWN_VEL).0 == Some(1.0);
        let mut others: Vec<u32> = x.variables.sources().chain(y.variables.sources()).collect();
        others.sort_unstable();
        others.dedup();
        others.retain(|source| *source != OWN_VEL);
        let vel = if keeps_vel { self.own_vel } else { Vec2::ZERO };
        let own = value - of_calls - vel;
        let shares = others.iter().map(|source| share(*source).1);
        let lengths = shares.clone().chain([of_calls, vel, value]).map(math::length).sum::<f32>();
        let new = own - shares.sum::<Vec2>();
        let is_new = math::length(new) > ROUNDING * lengths;
        let is_again = others.iter().any(|source| self.all[*source as usize - 1].name == name);
        let is_made_of_others = !is_new && !others.is_empty();
        let is_sum = x.is_sum && y.is_sum;
        // Another name for the same vector.
        let is_same = matches!(others[..], [one] if share(one).0 == Some(1.0));
        let keeps =
            is_again || (is_made_of_others && (is_sum || is_same || by == NamedBy::Function));
        let is_of_calls = !x.calls.is_empty() || !y.calls.is_empty();
        let is_known = keeps || (others.is_empty() && (keeps_vel || is_of_calls));
        if is_known && !is_new {
            return None;
        }
        let place = place.clone();
        let value = if keeps { new } else { own };
        self.all.push(RecordedVariable { name: name.to_owned(), place, causes, value });
        let (new_x, new_y) = Form::of_source(self.all.len() as u32);
        let form = |old: &NumberForm, new: &Form| {
            let kept = match (keeps, keeps_vel) {
                (true, true) => old.variables.clone(),
                (true, false) => old.variables.without(OWN_VEL),
                (false, true) => {
                    others.iter().fold(old.variables.clone(), |form, source| form.without(*source))
                }
                (false, false) => Form::default(),
            };
            NumberForm { variables: kept.plus(new), ..old.clone() }
        };
        Some((form(x, &new_x), form(y, &new_y)))
    }

    /// Returns the variables that have a share in the force or in a change of the velocity, given with the forms of the force and the
    /// new velocity.
    pub(crate) fn explain(
        self,
        (x, y): (&NumberForm, &NumberForm),
        (vel_x, vel_y): (&NumberForm, &NumberForm),
        vel_change: Vec2,
    ) -> Vec<ExplainedVariable> {
        let own_vel = weighed(OWN_VEL, self.own_vel, &vel_x.variables, &vel_y.variables);
        let keeps_vel = own_vel.0 == Some(1.0);
        let mut explained: Vec<ExplainedVariable> = Vec::new();
        for (source, one) in (OWN_VEL + 1..).zip(self.all) {
            let (weight, share) = weighed(source, one.value, &x.variables, &y.variables);
            let (_, vel_share) = weighed(source, one.value, &vel_x.variables, &vel_y.variables);
            // A part that is zero now, such as one of no neighbors, is listed too: the list stays the same from tick to tick.
            let forms = [x, y, vel_x, vel_y];
            if forms.iter().all(|form| form.variables.sources().all(|one| one != source)) {
                continue;
            }
            let RecordedVariable { name, place, causes, value } = one;
            match explained.iter_mut().find(|known| known.name == name) {
                // Sums that grow in a loop.
                Some(known) => {
                    known.value += value;
                    known.share += share;
                    known.vel_share += vel_share;
                    known.weight = known.weight.filter(|known| Some(*known) == weight);
                    known.causes = causes;
                }
                None => explained.push(ExplainedVariable {
                    name,
                    place,
                    causes,
                    value,
                    share,
                    vel_share,
                    weight,
                }),
            }
        }
        if !keeps_vel {
            // The script sets the velocity as a whole: what of the change comes from which part cannot be told, unless there is only one.
            let is_one = explained.iter().filter(|one| one.vel_share != Vec2::ZERO).count() == 1;
            let is_one = is_one && vel_x.calls.is_empty() && vel_y.calls.is_empty();
            for one in explained.iter_mut().filter(|one| one.vel_share != Vec2::ZERO) {
                one.vel_share = if is_one { vel_change } else { Vec2::ZERO };
            }
            explained.retain(|one| one.share != Vec2::ZERO || one.vel_share != Vec2::ZERO);
        }
        explained
    }
}
