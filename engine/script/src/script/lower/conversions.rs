//! Converts values to the type that is required. Lanes with a value of another type are marked as faulted.

use rhai::Position;

use super::Lowering;
use super::value::{LoweredValue, TypeCase};
use crate::diag::{Code, Diagnostic, Place, Remedy};
use crate::program::{B, Columns, Type, V};
use crate::script::choices::is_generated;
use crate::script::nothing::check_before;
use crate::script::problem::{self, NOTHING_HELP};

impl Lowering<'_> {
    /// Returns the cases of a value that fit, and marks lanes with any other case as faulted. If no case
    /// fits, it reports an error. `what` must be `wanted` in the message.
    pub(super) fn cases_that_fit(
        &mut self,
        value: &LoweredValue,
        fits: impl Fn(Type) -> bool,
        what: &str,
        wanted: &str,
        position: Position,
    ) -> Vec<TypeCase> {
        let Some(active) = self.active else {
            return Vec::new();
        };
        let cases = match value {
            LoweredValue::Typed(cases) => cases,
            LoweredValue::Interpreted => return Vec::new(),
            LoweredValue::Differing(at) => {
                let at = *at;
                self.leave_differing(at);
                return Vec::new();
            }
            other => {
                let kind = other.description();
                let wrong = Diagnostic::error(format!("{what} must be {wanted}, but is {kind}"));
                self.fail(wrong, position);
                return Vec::new();
            }
        };
        if cases.is_empty() {
            self.stop_here();
            return Vec::new();
        }
        let (good, bad): (Vec<TypeCase>, Vec<TypeCase>) =
            cases.iter().partition(|case| fits(case.ty));
        if good.is_empty() {
            let kind = super::value::type_name(bad[0].ty);
            let wrong = Diagnostic::error(format!("{what} must be {wanted}, but is {kind}"));
            let wrong = if bad[0].ty == Type::Nothing { wrong.help(NOTHING_HELP) } else { wrong };
            self.fail(wrong, position);
            return Vec::new();
        }
        for case in &bad {
            let active = case.mask.map_or(active, |mask| self.emit.and(active, mask));
            self.emit.fault(active);
            if case.ty == Type::Nothing {
                self.may_be_nothing(case.mask, format!("{what} may be `()`"), position);
            }
        }
        if let [only] = good[..] {
            return vec![TypeCase { mask: None, ..only }];
        }
        good
    }

    /// Warns that a value may be `()`, once for each value.
    pub(super) fn may_be_nothing(&mut self, mask: Option<B>, what: String, position: Position) {
        // The code of a machine is not the script's own.
        let script = self.frames.last().map(|frame| frame.script);
        let is_own = script.is_none_or(|script| !is_generated(position, &script.source));
        if !is_own || mask.is_some_and(|mask| !self.warned.insert(mask)) {
            return;
        }
        let name = mask.and_then(|mask| self.optional_names.get(&mask));
        let may = Diagnostic::warning(what).code(Code::MayBeNothing).help(match name {
            Some(name) => format!("check it first: `if {name} != () {{ ... }}`"),
            None => "keep it in a variable and check it first: `let it = ...; if it != () { ... }`"
                .to_owned(),
        });
        let may = match name.filter(|name| name.starts_with("me.state.")) {
            Some(name) => may.help(format!(
                "an agent that has been removed is not `()`: ask `me.neighbors().contains({name})`, too, if it may be one"
            )),
            None => may,
        };
        let name = name.cloned();
        let may = self.locate(may, position);
        let check =
            may.place.as_ref().zip(name).and_then(|(place, name)| check_before(place, &name));
        let may = check.into_iter().map(Remedy::Change).fold(may, Diagnostic::remedy);
        self.findings.push(may);
    }

    /// Stores the name of a value in the script, for the warning that it may be `()`.
    pub(super) fn name_optional(&mut self, value: &LoweredValue, name: impl FnOnce() -> String) {
        if self.trial_world.is_some()
            && let LoweredValue::Typed(cases) = value
            && let Some(case) = cases.iter().find(|case| case.ty == Type::Nothing)
            && let Some(mask) = case.mask
        {
            self.optional_names.insert(mask, name());
        }
    }

    pub(super) fn as_boolean(&mut self, value: &LoweredValue, position: Position) -> Option<B> {
        if matches!(value, LoweredValue::Interpreted) {
            return self.active.map(|_| self.emit.new_b());
        }
        // For a condition the interpreter words this error differently than elsewhere.
        if let LoweredValue::Typed(cases) = value
            && let Some(other) =
                cases.iter().find(|case| case.ty != Type::Nothing).or(cases.first())
            && !cases.iter().any(|case| case.ty == Type::Bool)
        {
            let mut wrong = problem::mismatch(super::value::type_name(other.ty), "a boolean");
            let nothing = cases.iter().find(|case| case.ty == Type::Nothing);
            let mask = nothing.and_then(|case| case.mask);
            if let Some(name) = mask.and_then(|mask| self.optional_names.get(&mask)) {
                for help in &mut wrong.help {
                    *help = help.replace("if it != ()", &format!("if {name} != ()"));
                }
            }
            self.fail(wrong, position);
            return None;
        }
        if let LoweredValue::Me
        | LoweredValue::World
        | LoweredValue::Params
        | LoweredValue::State
        | LoweredValue::OtherState(_)
        | LoweredValue::Inputs = value
        {
            self.fail(problem::mismatch(value.description(), "a boolean"), position);
            return None;
        }
        if let LoweredValue::Neighborhood(_) = value {
            let wrong = problem::mismatch("a neighborhood", "a boolean");
            let place = self.locate(wrong.clone(), position).place;
            self.fail(with_count(wrong, place), position);
            return None;
        }
        let cases = self.cases_that_fit(
            value,
            |ty| ty == Type::Bool,
            "a condition",
            "true or false",
            position,
        );
        match cases.first()?.columns {
            Columns::B(b) => Some(b),
            _ => None,
        }
    }

    pub(super) fn as_vector(
        &mut self,
        value: &LoweredValue,
        what: &str,
        position: Position,
    ) -> Option<V> {
        if matches!(value, LoweredValue::Interpreted) {
            return self.active.map(|_| self.emit.new_v());
        }
        let cases = self.cases_that_fit(value, |ty| ty == Type::Vector, what, "a vector", position);
        match cases.first()?.columns {
            Columns::V(v) => Some(v),
            _ => None,
        }
    }

    /// Returns an integer or float as a float.
    pub(super) fn as_number(
        &mut self,
        value: &LoweredValue,
        what: &str,
        position: Position,
    ) -> Option<crate::program::F> {
        if matches!(value, LoweredValue::Interpreted) {
            return self.active.map(|_| self.emit.new_f());
        }
        let fits = |ty| matches!(ty, Type::Int | Type::Float);
        let cases = self.cases_that_fit(value, fits, what, "a number", position);
        let mut result = None;
        for case in cases {
            let x = match case.columns {
                Columns::F(x) => x,
                Columns::I(x) => self.emit.as_f(x),
                _ => continue,
            };
            result = Some(match (result, case.mask) {
                (Some(other), Some(mask)) => self.emit.select_f(mask, x, other),
                _ => x,
            });
        }
        result
    }

    /// Returns a vector as a value, and marks lanes as faulted where it is not finite. Reports an error if it never is.
    pub(super) fn require_finite(&mut self, a: V, position: Position) -> LoweredValue {
        if self.fails_as_never_finite(a.0) || self.fails_as_never_finite(a.1) {
            return self.fail_for_value(problem::not_finite(), position);
        }
        if let Some(active) = self.active {
            self.emit.require_finite(a, active);
        }
        LoweredValue::vector(a)
    }
}

/// Adds to the error of a neighborhood as a condition that its number is meant, if it is a variable that is the whole condition, or a side of `&&`
/// or `||`.
fn with_count(error: Diagnostic, place: Option<Place>) -> Diagnostic {
    let Some(place) = place else { return error };
    let (before, after) =
        (&place.source.text[..place.span.start], &place.source.text[place.span.end..]);
    let begins =
        ["if", "while", "&&", "||", "("].iter().any(|sign| before.trim_end().ends_with(sign));
    let ends = ["{", "&&", "||", ")"].iter().any(|sign| after.trim_start().starts_with(sign));
    let end = place.span.end;
    match begins && ends {
        true => error.fix("Add `.count > 0`", &place.source, end..end, ".count > 0"),
        false => error,
    }
}
