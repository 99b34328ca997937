//! Traced values: numbers and vectors of scripts that know how they depend on the results of primitives. They explain
//! turns that only the interpreter can run.
//!
//! In a traced turn, a primitive returns a [`TracedVector`] of this module instead of a plain one, and every value that the
//! script computes from it has a [`Form`]. The forms of a turn are in one list on its thread.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::{Add, Div, Mul, Neg, Sub};

use rhai::{Dynamic, Position};

use crate::math::{self, Binary, Compare, Unary, Vec2};
use crate::program::{Form, RecordedCall};

use crate::script::api::{Arithmetic, Bodies, BodyFn, ScriptValue};
use crate::script::turn::ScriptTurn;
use crate::steer::{self, Algebra, ChoiceRule, Choose};

thread_local! {
    static FORMS: RefCell<Vec<Form>> = const { RefCell::new(Vec::new()) };
}

/// Number of forms of a turn above which it is not explained.
const MAX_FORMS: usize = 1 << 18;

/// The index of a form in the list of the turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct FormId(u32);

/// The empty form, of values that do not depend on any primitive.
const NO_FORM: FormId = FormId(0);

/// Removes all forms.
pub(super) fn restart() {
    FORMS.with_borrow_mut(|forms| {
        forms.clear();
        forms.push(Form::default());
    });
}

/// Returns whether there were so many forms that some are lost.
pub(super) fn is_full() -> bool {
    FORMS.with_borrow(|forms| forms.len() >= MAX_FORMS)
}

fn store(form: Form) -> FormId {
    if form.is_empty() {
        return NO_FORM;
    }
    FORMS.with_borrow_mut(|forms| {
        if forms.len() >= MAX_FORMS {
            return NO_FORM;
        }
        forms.push(form);
        FormId((forms.len() - 1) as u32)
    })
}

/// Computes a form from others, unless all of them are empty.
fn combined_form<const N: usize>(of: [FormId; N], make: impl FnOnce([&Form; N]) -> Form) -> FormId {
    if of == [NO_FORM; N] {
        return NO_FORM;
    }
    let form = FORMS.with_borrow(|forms| make(of.map(|id| &forms[id.0 as usize])));
    store(form)
}

/// A traced number.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TracedNumber {
    pub(super) value: f32,
    form: FormId,
}

/// A traced vector.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TracedVector {
    pub(super) value: Vec2,
    forms: (FormId, FormId),
}

impl From<f32> for TracedNumber {
    fn from(value: f32) -> Self {
        Self { value, form: NO_FORM }
    }
}

impl From<Vec2> for TracedVector {
    fn from(value: Vec2) -> Self {
        Self { value, forms: (NO_FORM, NO_FORM) }
    }
}

impl TracedVector {
    /// Creates the result of a call, by its index among the calls of the turn.
    pub(super) fn of_result(call: u32, value: Vec2) -> Self {
        let (x, y) = Form::of_result(call);
        Self { value, forms: (store(x), store(y)) }
    }

    /// Returns the forms of its parts.
    pub(super) fn forms(self) -> (Form, Form) {
        FORMS.with_borrow(|forms| {
            let form = |id: FormId| forms.get(id.0 as usize).cloned().unwrap_or_default();
            (form(self.forms.0), form(self.forms.1))
        })
    }

    /// Returns this vector with another value, which is the old one scaled by a factor.
    fn scaled(self, value: Vec2, by: f32) -> Self {
        let scaled = |id| combined_form([id], |[form]| form.scaled(by));
        Self { value, forms: (scaled(self.forms.0), scaled(self.forms.1)) }
    }
}

impl Choose for TracedNumber {
    type Boolean = bool;

    fn choose(which: bool, yes: Self, no: Self) -> Self {
        if which { yes } else { no }
    }
}

impl Choose for TracedVector {
    type Boolean = bool;

    fn choose(which: bool, yes: Self, no: Self) -> Self {
        if which { yes } else { no }
    }
}

impl steer::Number for TracedNumber {
    fn unary(self, function: Unary) -> Self {
        let form = combined_form([self.form], |[form]| Form::unary(function, form));
        Self { value: function.of(self.value), form }
    }

    fn binary(self, function: Binary, other: Self) -> Self {
        let form = combined_form([self.form, other.form], |[a, b]| {
            Form::binary(function, (self.value, a), (other.value, b))
        });
        Self { value: function.of(self.value, other.value), form }
    }

    fn compare(self, how: Compare, other: Self) -> bool {
        how.of(self.value, other.value)
    }
}

impl steer::Vector for TracedVector {
    type Number = TracedNumber;

    fn new(x: TracedNumber, y: TracedNumber) -> Self {
        Self { value: Vec2::new(x.value, y.value), forms: (x.form, y.form) }
    }

    fn parts(self) -> (TracedNumber, TracedNumber) {
        let Self { value, forms } = self;
        (
            TracedNumber { value: value.x, form: forms.0 },
            TracedNumber { value: value.y, form: forms.1 },
        )
    }

    fn norm(self) -> TracedNumber {
        math::length(self.value).into()
    }

    fn unit(self) -> Self {
        let unit = math::unit(self.value);
        self.scaled(unit, math::scale(self.value, unit))
    }

    fn limit(self, longest: TracedNumber) -> Self {
        let (value, longest) = (self.value, longest.value);
        self.scaled(math::limit(value, longest), math::limit_scale(value, longest))
    }
}

macro_rules! operator {
    ($trait:ident $method:ident $function:ident) => {
        impl $trait for TracedNumber {
            type Output = Self;

            fn $method(self, other: Self) -> Self {
                steer::Number::binary(self, Binary::$function, other)
            }
        }
    };
}

operator!(Add add Add);
operator!(Sub sub Sub);
operator!(Mul mul Mul);
operator!(Div div Div);

impl Neg for TracedNumber {
    type Output = Self;

    fn neg(self) -> Self {
        steer::Number::unary(self, Unary::Neg)
    }
}

/// Computes a vector from the parts of one or two others.
fn each(
    a: TracedVector,
    b: TracedVector,
    of: impl Fn(TracedNumber, TracedNumber) -> TracedNumber,
) -> TracedVector {
    let ((ax, ay), (bx, by)) = (steer::Vector::parts(a), steer::Vector::parts(b));
    steer::Vector::new(of(ax, bx), of(ay, by))
}

impl Add for TracedVector {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        each(self, other, |a, b| a + b)
    }
}

impl Sub for TracedVector {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        each(self, other, |a, b| a - b)
    }
}

impl Mul<TracedNumber> for TracedVector {
    type Output = Self;

    fn mul(self, by: TracedNumber) -> Self {
        each(self, self, |a, _| a * by)
    }
}

impl Neg for TracedVector {
    type Output = Self;

    fn neg(self) -> Self {
        each(self, self, |a, _| -a)
    }
}

impl ScriptValue<f32> for TracedNumber {
    fn plain(self) -> f32 {
        self.value
    }

    fn from_dynamic(argument: &Dynamic) -> Option<Self> {
        let traced = argument.read_lock::<Self>().map(|x| *x);
        traced.or_else(|| f32::from_dynamic(argument).map(Self::from))
    }

    fn into_dynamic(self) -> Dynamic {
        if self.form == NO_FORM { self.value.into() } else { Dynamic::from(self) }
    }
}

impl ScriptValue<Vec2> for TracedVector {
    fn plain(self) -> Vec2 {
        self.value
    }

    fn from_dynamic(argument: &Dynamic) -> Option<Self> {
        let traced = argument.read_lock::<Self>().map(|v| *v);
        traced.or_else(|| Vec2::from_dynamic(argument).map(Self::from))
    }

    fn into_dynamic(self) -> Dynamic {
        if self.forms == (NO_FORM, NO_FORM) {
            Dynamic::from(self.value)
        } else {
            Dynamic::from(self)
        }
    }
}

/// Returns the plain value of a traced one; `None` for any other value.
pub(super) fn plain(value: &Dynamic) -> Option<Dynamic> {
    if let Some(x) = value.read_lock::<TracedNumber>() {
        return Some(x.value.into());
    }
    value.read_lock::<TracedVector>().map(|v| Dynamic::from(v.value))
}

/// Everything that is recorded while a turn is traced.
#[derive(Debug, Default)]
pub(super) struct TurnTrace {
    /// The calls of primitives, in order, and where they are in the script.
    pub(super) calls: Vec<(RecordedCall, CallSite)>,
    /// The velocity that the script has set in this turn.
    pub(super) vel: Option<TracedVector>,
    /// The values of `me.state` that the script has set in this turn.
    pub(super) state: HashMap<String, Dynamic>,
    /// The choices that the script has made: their names, how, and where they are in the script.
    pub(super) choices: Vec<(String, ChoiceRule<f32>, CallSite)>,
}

/// Where a call is in a script.
#[derive(Clone, Debug)]
pub(super) struct CallSite {
    /// The name of the script, if it is an imported one.
    pub(super) source: Option<String>,
    pub(super) position: Position,
}

impl TurnTrace {
    /// Records a call, and returns its result for the script.
    pub(super) fn record(&mut self, made: RecordedCall, site: CallSite) -> TracedVector {
        let answer = TracedVector::of_result(self.calls.len() as u32, made.answer);
        self.calls.push((made, site));
        answer
    }
}

/// The arithmetic of traced turns. It also evaluates combinators, which need no world.
#[derive(Debug)]
pub(super) struct Traced;

impl Arithmetic for Traced {
    type Number = TracedNumber;
    type Vector = TracedVector;

    fn body_fn(of: &Bodies) -> BodyFn<Self> {
        of.traced
    }

    fn own_velocity(turn: &ScriptTurn) -> TracedVector {
        let set = turn.trace.as_ref().and_then(|trace| trace.vel);
        set.unwrap_or_else(|| turn.vel.into())
    }
}

impl Algebra for Traced {
    type Number = TracedNumber;
    type Vector = TracedVector;
    type Boolean = bool;
    type Agent = ();
    type Neighbors = ();
    type Path = ();
    type Field = ();

    fn number(&self, x: f32) -> TracedNumber {
        x.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steer::{Argument, COMBINATORS, ForceKind, ParamKind};
    use proptest::prelude::*;

    proptest! {
        /// The result of a combinator consists of parts of its forces. With one weight for each force, these are
        /// at most the whole force, unless the weight is an argument.
        #[test]
        fn combinators_return_a_sum_of_parts_of_their_forces(
            forces in prop::collection::vec((-9.0f32..9.0, -9.0f32..9.0, 0u8..4), 0..6),
            most in prop_oneof![Just(0.0f32), 0.0f32..20.0, Just(f32::INFINITY)],
        ) {
            restart();
            let force = |&(x, y, kind): &(f32, f32, u8)| if kind == 0 { Vec2::ZERO } else { Vec2::new(x, y) };
            let plain: Vec<Vec2> = forces.iter().map(force).collect();
            let traced: Vec<TracedVector> =
                plain.iter().zip(0..).map(|(&force, call)| TracedVector::of_result(call, force)).collect();
            let numbers: Vec<TracedNumber> = (0..plain.len()).map(|i| (0.7 - i as f32 * 0.2).into()).collect();
            let forces = COMBINATORS.iter().filter(|one| one.force_kind != ForceKind::Index);
            for combinator in forces {
                let has_weights = combinator.params.iter().any(|param| param.kind == ParamKind::Numbers);
                let args: Vec<Argument<'_, Traced>> = combinator.params.iter().map(|param| match param.kind {
                    ParamKind::Forces => Argument::Forces(&traced),
                    ParamKind::Numbers => Argument::Numbers(&numbers),
                    ParamKind::Slots => Argument::Slots(16),
                    _ => Argument::Number(most.into()),
                }).collect();
                let sum = steer::evaluate_combinator(combinator, &Traced, &args);
                let (x, y) = sum.forms();
                let made = |&answer: &Vec2| RecordedCall {
                    primitive: &steer::PRIMITIVES[0],
                    place: None,
                    cause: None,
                    depends_on: Vec::new(),
                    seen: None,
                    vel: Vec2::ZERO,
                    answer,
                };
                let calls = plain.iter().map(made).collect();
                let (calls, rest) = crate::program::split_into_shares(calls, sum.value, (&x, &y), (&Form::default(), &Form::default()));
                for call in &calls {
                    let weight = call.weight.unwrap_or_default();
                    prop_assert!(has_weights || (0.0..=1.0 + 1e-6).contains(&weight), "{call:?}");
                }
                let rounding = 1e-5 * plain.iter().map(|force| math::length(*force)).sum::<f32>();
                prop_assert!(math::length(rest) <= rounding, "{}: {rest}", combinator.name);
            }
        }
    }
}
