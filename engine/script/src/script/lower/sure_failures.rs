//! Finds calls that are sure to fail, by trying them in the interpreter with values of the types that are
//! known.

use std::sync::Arc;

use rhai::{Dynamic, Position};

use super::Lowering;
use super::value::{LoweredValue, TypeCase, type_name};
use crate::diag::{Code, Diagnostic, Remedy, Severity, WrongArguments};
use crate::math::Vec2;
use crate::program::{Columns, F, Type, V};
use crate::script::error::wrong_beside_others;
use crate::script::handles::{
    FieldHandle, InputsHandle, MeHandle, NeighborhoodHandle, OtherStateHandle, ParamsHandle,
    PathHandle, SharedHandle, StateHandle, WorldHandle,
};
use crate::script::names::BUILT_IN;
use crate::script::scope;
use crate::script::trial::{Example, TrialWorld};
use crate::world::{AgentId, FieldId, Neighborhood, PathId};

/// Maximum number of combinations of types that are tried.
const MAX_TRIES: usize = 32;

impl<'a> Lowering<'a> {
    /// Returns the world to try calls in, if findings are asked for and any lane gets here.
    pub(super) fn trial_world(&self) -> Option<&'a TrialWorld> {
        self.trial_world.filter(|_| self.active.is_some())
    }

    /// Reports an error and returns true if calling a native function with these values is sure to fail.
    pub(super) fn is_sure_to_fail(
        &mut self,
        function: &str,
        values: &[LoweredValue],
        position: Position,
    ) -> bool {
        match self.certain_error(function, values, true) {
            Some(mut error) => {
                if matches!(error.code, Code::WrongType | Code::WrongArguments) {
                    for value in values {
                        error = self.with_help_for_string(error, value);
                    }
                    error = self.with_order(error, function, values);
                    error = self.with_meant_argument(error, function, values, position);
                }
                if error.code != Code::UnknownName
                    && self.certain_error(function, values, false).is_none()
                {
                    self.fail_for_value(error, position);
                } else {
                    self.fail(error, position);
                }
                true
            }
            None => false,
        }
    }

    /// Reports an error if a call is wrong for any values of those arguments that are not known, since they are wrong themselves, for example.
    pub(super) fn fails_beside_others(
        &mut self,
        function: &str,
        values: &[LoweredValue],
        position: Position,
    ) {
        if self.trial_world().is_none() {
            return;
        }
        let kinds = values.iter().map(|value| match value {
            LoweredValue::Typed(cases) => match &cases[..] {
                [only] => Some(type_name(only.ty)),
                _ => None,
            },
            LoweredValue::Interpreted => None,
            other => Some(other.description()),
        });
        let kinds: Vec<Option<&str>> = kinds.collect();
        // What a value that is not known has as functions is not known, either.
        let is_known = kinds.first().is_some_and(Option::is_some);
        let wrong = wrong_beside_others(function, &kinds).filter(|_| is_known);
        if let Some(wrong) = wrong {
            self.fail(wrong, position);
        }
    }

    /// Reports an error that depends on a value, not only on its type. Where an agent may not get, it is a warning: a
    /// condition may be about that value.
    pub(super) fn fail_for_value(&mut self, what: Diagnostic, position: Position) -> LoweredValue {
        let is_sure = self.active.is_some_and(|active| self.emit.truth(active) == Some(true));
        let what = if is_sure {
            what
        } else {
            let help = "a run stops when an agent gets here";
            what.severity(Severity::Warning).help(help)
        };
        self.fail(what, position)
    }

    /// Notes a value that is certainly not a force, if this is a position at which `steer` returns its result and an
    /// agent may get there.
    pub(super) fn note_result(&mut self, value: &LoweredValue, position: Position) {
        let is_reached = |active| self.emit.truth(active) != Some(false);
        let is_in_steer = self.frames.len() == 2 && self.frames[1].name == "steer";
        let is_result = is_in_steer && self.results.contains(&position);
        let (LoweredValue::Typed(cases), true) = (value, is_result) else { return };
        if !self.active.is_some_and(is_reached) {
            return;
        }
        let is_wrong = |case: &TypeCase| {
            matches!(case.ty, Type::Int | Type::Float | Type::String | Type::Bool)
        };
        if let Some(first) = cases.first().filter(|_| cases.iter().all(is_wrong)) {
            self.wrong_result.get_or_insert((first.ty, position));
        }
    }

    /// Adds help for a string that may be the wrong argument of a call: a number in quotes, or a param.
    fn with_help_for_string(&self, error: Diagnostic, value: &LoweredValue) -> Diagnostic {
        if let Some(name) = self.param_of(value) {
            let is_string = self.facts.kind.param(&name) == Some(Some(Type::String));
            let group = self.facts.group_name().filter(|_| is_string);
            return match group {
                Some(group) => error
                    .help(format!("the param `{name}` of group `{group}` is a string"))
                    .remedy(Remedy::ParamInQuotes { name: name.to_string() }),
                None => error,
            };
        }
        match self.known_string(value).filter(|text| text.parse::<f32>().is_ok()) {
            Some(text) => error
                .help(format!("remove the quotes: `{text}`"))
                .remedy(Remedy::Name { written: format!("\"{text}\""), meant: text }),
            None => error,
        }
    }

    /// Tells that a wrong argument and the next one, or the one before, are in the wrong order, if the call works the other way round.
    fn with_order(
        &self,
        mut error: Diagnostic,
        function: &str,
        values: &[LoweredValue],
    ) -> Diagnostic {
        use WrongArguments::{One, Point, Swapped};
        let Some(One(first) | Point(first)) = error.arguments else { return error };
        for first in [Some(first), first.checked_sub(1)].into_iter().flatten() {
            let mut swapped = values.to_vec();
            if first + 1 < swapped.len() {
                swapped.swap(first, first + 1);
                if self.certain_error(function, &swapped, true).is_none() {
                    error.help.insert(0, "the arguments are in the wrong order".to_owned());
                    error.arguments = Some(Swapped(first));
                    break;
                }
            }
        }
        error
    }

    /// Adds what is meant by a wrong argument, if the call works with it: the param whose name is in quotes, or the center of a neighborhood.
    fn with_meant_argument(
        &mut self,
        error: Diagnostic,
        function: &str,
        values: &[LoweredValue],
        position: Position,
    ) -> Diagnostic {
        let Some(WrongArguments::One(index)) = error.arguments else { return error };
        let place = self.locate(error.clone(), position).place;
        let (Some(place), Some(value)) = (place, values.get(index)) else { return error };
        let text = &place.source.text[place.span.clone()];
        let is_param = |name: &String| {
            let param = self.facts.kind.param(name);
            matches!(param, Some(Some(Type::Int | Type::Float)))
                && *text == format!("\"{name}\"")
                && scope::variables(&place.source.text, place.span.start).contains(&"me")
        };
        let (meant, value) = match value {
            LoweredValue::Neighborhood(_)
                if text.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ')')) =>
            {
                (format!("{text}.center"), LoweredValue::vector(self.emit.new_v()))
            }
            other => match self.known_string(other).filter(is_param) {
                Some(name) => {
                    (format!("me.params.{name}"), LoweredValue::number(self.emit.new_f()))
                }
                None => return error,
            },
        };
        let mut right = values.to_vec();
        right[index] = value;
        if self.certain_error(function, &right, true).is_some() {
            return error;
        }
        let error = error.help(format!("did you mean `{meant}`?"));
        error.fix(format!("Write `{meant}`"), &place.source, place.span, meant)
    }

    /// Returns an error of a native function, if calling it fails for all types that the values may have. `()` counts
    /// only for a value that is always `()`: other warnings are about values that may be `()`. Known values are tried
    /// as they are only if `exactly` is true, otherwise as any value of their type.
    fn certain_error(
        &self,
        function: &str,
        values: &[LoweredValue],
        exactly: bool,
    ) -> Option<Diagnostic> {
        let trial_world = self.trial_world()?;
        if BUILT_IN.contains(&function) && function != "print" {
            return None;
        }
        // It may be called by its name.
        let script = self.frames.last()?.script;
        let is_function = |text: String| script.functions().any(|(name, _)| name == text);
        if values.iter().filter_map(|value| self.known_string(value)).any(is_function) {
            return None;
        }
        let mut examples = Vec::with_capacity(values.len());
        let mut count = 1;
        for value in values {
            let of_value = self.examples(value, exactly)?;
            count *= of_value.len();
            if count > MAX_TRIES {
                return None;
            }
            examples.push(of_value);
        }
        let tries = (0..count).map(|number| {
            let (mut stride, mut has_nothing) = (count, false);
            let arguments = examples.iter().map(|of_value| {
                stride /= of_value.len();
                let (example, is_nothing) = &of_value[number / stride % of_value.len()];
                has_nothing |= is_nothing;
                example.clone()
            });
            let arguments: Vec<Example> = arguments.collect();
            (arguments, has_nothing)
        });
        // A value that is `()` in one branch only is meant to be the other thing.
        let (others, with_nothing): (Vec<_>, Vec<_>) =
            tries.partition(|(_, has_nothing)| !has_nothing);
        let relevant = if others.is_empty() { with_nothing } else { others };
        let mut first = None;
        for (arguments, _) in relevant {
            let error = trial_world.error(script, function, &arguments)?;
            first.get_or_insert(error);
        }
        first
    }

    /// Returns whether values like these have a property that can be read or set.
    pub(super) fn has_accessor(&self, accessor: &str, values: &[LoweredValue]) -> bool {
        let (Some(trial_world), Some(frame)) = (self.trial_world(), self.frames.last()) else {
            return true;
        };
        let mut first = Vec::with_capacity(values.len());
        for value in values {
            match self.examples(value, true) {
                Some(examples) => match examples.into_iter().next() {
                    Some((example, _)) => first.push(example),
                    None => return true,
                },
                None => return true,
            }
        }
        trial_world.takes(frame.script, accessor, &first)
    }

    /// Returns an example for each type that a value may have, and whether it is `()`; `None` if the types
    /// are not known.
    fn examples(&self, value: &LoweredValue, exactly: bool) -> Option<Vec<(Example, bool)>> {
        let one = |value: Dynamic| Some(vec![(Example::Exactly(value), false)]);
        match value {
            LoweredValue::Typed(cases) => Some(
                cases
                    .iter()
                    .map(|case| (self.example(case, exactly), case.ty == Type::Nothing))
                    .collect(),
            ),
            LoweredValue::Me => one(Dynamic::from(MeHandle)),
            LoweredValue::World => one(Dynamic::from(WorldHandle)),
            LoweredValue::Params => one(Dynamic::from(ParamsHandle)),
            LoweredValue::State => one(Dynamic::from(StateHandle)),
            LoweredValue::OtherState(_) => one(Dynamic::from(OtherStateHandle(AgentId(0)))),
            LoweredValue::Inputs => one(Dynamic::from(InputsHandle)),
            LoweredValue::Shared => one(Dynamic::from(SharedHandle)),
            LoweredValue::Obstacles => {
                Some(vec![(Example::Array(vec![Example::Some(Type::Obstacle)]), false)])
            }
            LoweredValue::Neighborhood(_) => {
                one(Dynamic::from(NeighborhoodHandle(Neighborhood::within(50.0))))
            }
            LoweredValue::Array(items) => {
                let mut array = Vec::with_capacity(items.len());
                for item in items.iter() {
                    let mut examples = self.examples(item, exactly)?;
                    if examples.len() != 1 {
                        return None;
                    }
                    array.extend(examples.pop().map(|(example, _)| example));
                }
                Some(vec![(Example::Array(array), false)])
            }
            LoweredValue::Map(items) => {
                let mut map = Vec::with_capacity(items.len());
                for (name, item) in items.iter() {
                    let examples = self.examples(item, exactly)?;
                    let [(example, _)] = &examples[..] else { return None };
                    map.push((Arc::clone(name), example.clone()));
                }
                Some(vec![(Example::Map(map), false)])
            }
            LoweredValue::Constant(pick) if pick.index.is_none() => {
                one(pick.candidates.first()?.clone())
            }
            LoweredValue::Text(_) => Some(vec![(Example::Some(Type::String), false)]),
            LoweredValue::Range { .. } => one(Dynamic::from(0..1i64)),
            LoweredValue::Constant(_)
            | LoweredValue::List(_)
            | LoweredValue::Closure(_)
            | LoweredValue::Differing(_)
            | LoweredValue::Interpreted => None,
        }
    }

    fn example(&self, case: &TypeCase, exactly: bool) -> Example {
        if !exactly {
            return Example::Some(case.ty);
        }
        let exactly = match (case.ty, case.columns) {
            (Type::Nothing, _) => Some(Dynamic::UNIT),
            (Type::Bool, Columns::B(at)) => self.emit.known(at).map(Dynamic::from),
            (Type::Int, Columns::I(at)) => self.known_integer(at).map(Dynamic::from),
            (Type::Float, Columns::F(at)) => self.known_float(at).map(Dynamic::from),
            (Type::Vector, Columns::V(V(x, y))) => self
                .known_float(x)
                .zip(self.known_float(y))
                .map(|(x, y)| Dynamic::from(Vec2::new(x, y))),
            (Type::Path, Columns::I(at)) => self
                .known_integer(at)
                .and_then(|path| u16::try_from(path).ok())
                .map(|path| Dynamic::from(PathHandle(PathId(path)))),
            (Type::Field, Columns::I(at)) => self
                .known_integer(at)
                .and_then(|field| u16::try_from(field).ok())
                .map(|field| Dynamic::from(FieldHandle(FieldId(field)))),
            (Type::String, at) => self.known_string_at(at).map(Dynamic::from),
            _ => None,
        };
        exactly.map_or(Example::Some(case.ty), Example::Exactly)
    }

    /// Returns whether findings are asked for, and a number that must be finite is infinite or NaN for every agent.
    pub(super) fn fails_as_never_finite(&self, at: F) -> bool {
        self.trial_world().is_some() && self.emit.is_never_finite(at)
    }

    /// Returns the number that a column is known to hold: a constant, or computed from constants.
    pub(super) fn known_float(&self, at: F) -> Option<f32> {
        self.emit.known_f(at)
    }
}
