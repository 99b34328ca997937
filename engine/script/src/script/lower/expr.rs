//! Expressions.

use std::rc::Rc;

use rhai::{Dynamic, Expr, ImmutableString, Position};

use super::tracked::{NarrowedTypes, TrackedId};
use super::value::{ConstantPick, LoweredValue, TypeCase};
use super::{Lowering, Variable, VariableBinding};
use crate::math::Vec2;
use crate::program::{B, Columns, Type, V};
use crate::script::{handles, problem};

impl Lowering<'_> {
    /// Returns the value of an expression for the lanes that get here.
    pub(super) fn expression(&mut self, expression: &Expr) -> LoweredValue {
        self.nodes += 1;
        if self.active.is_none() {
            return LoweredValue::never();
        }
        let value = self.within_limits(|this| this.expression_within(expression));
        self.note_types(&value, expression.position());
        self.note_expression(expression, &value);
        value
    }

    fn expression_within(&mut self, expression: &Expr) -> LoweredValue {
        match expression {
            Expr::IntegerConstant(x, _) => LoweredValue::integer(self.emit.const_i(*x)),
            Expr::FloatConstant(x, _) => LoweredValue::number(self.const_f(**x)),
            Expr::BoolConstant(x, _) => LoweredValue::boolean(self.emit.const_b(*x)),
            Expr::StringConstant(text, _) => self.string_constant(text),
            Expr::Unit(_) => LoweredValue::nothing(),
            Expr::DynamicConstant(value, _) => self.constant(value),
            Expr::Variable(variable, _, position) if variable.2.is_empty() => {
                let name = variable.1.to_string();
                self.variable(&name, *position)
            }
            Expr::Array(items, _) => {
                let mut all = Vec::with_capacity(items.len());
                for item in &**items {
                    all.push(self.expression(item));
                }
                if self.active.is_none() {
                    return LoweredValue::never();
                }
                LoweredValue::Array(Rc::new(all))
            }
            Expr::Stmt(block) => self.block(block.statements()),
            Expr::FnCall(call, position) => self.function_call(call, *position),
            Expr::Dot(parts, flags, _) => self.chain(&parts.lhs, &parts.rhs, false, *flags),
            Expr::Index(parts, flags, _) => self.chain(&parts.lhs, &parts.rhs, true, *flags),
            Expr::And(..) | Expr::Or(..) => match self.condition(expression) {
                Some(truth) => LoweredValue::boolean(truth),
                None => LoweredValue::never(),
            },
            Expr::Coalesce(choices, _) => self.coalesce(choices),
            Expr::Custom(_, position) => self.leave_to_interpreter("this expression", *position),
            Expr::InterpolatedString(parts, position) => self.interpolated(parts, *position),
            Expr::Map(_, position) => self.leave_with_help(
                "a map with computed elements",
                "use a variable for each value",
                *position,
            ),
            Expr::CharConstant(_, position) => {
                self.leave_with_help("a character", "use a string of one letter", *position)
            }
            Expr::Variable(_, _, position) => self.leave_with_help(
                "a constant of an imported script",
                "return it from a function of that script",
                *position,
            ),
            // Only a function that is called as a method has it, and such a call is not lowered.
            Expr::ThisPtr(position) => self.fail(problem::no_this(), *position),
            other => self.leave_to_interpreter("this expression", other.position()),
        }
    }

    /// Returns a string constant: its index among the strings of the program.
    pub(super) fn string_constant(&mut self, text: &str) -> LoweredValue {
        let place = self.emit.program.strings.add(text);
        LoweredValue::of_type(Type::String, Columns::I(self.emit.const_i(place as i64)))
    }

    /// Returns a value that is known before the run.
    pub(super) fn constant(&mut self, value: &Dynamic) -> LoweredValue {
        if value.is_unit() {
            return LoweredValue::nothing();
        }
        if let Ok(x) = value.as_bool() {
            return LoweredValue::boolean(self.emit.const_b(x));
        }
        if let Ok(x) = value.as_int() {
            return LoweredValue::integer(self.emit.const_i(x));
        }
        if let Ok(x) = value.as_float() {
            return LoweredValue::number(self.const_f(x));
        }
        if let Some(v) = value.read_lock::<Vec2>().map(|v| *v) {
            return LoweredValue::vector(V(self.const_f(v.x), self.const_f(v.y)));
        }
        if let Some(text) = value.read_lock::<ImmutableString>().map(|text| text.clone()) {
            return self.string_constant(&text);
        }
        if let Some(closure) = Self::closure_of(value) {
            return closure;
        }
        if value.is::<handles::WorldHandle>() {
            return LoweredValue::World;
        }
        if let Some(range) = value.read_lock::<std::ops::Range<i64>>().map(|r| r.clone()) {
            return LoweredValue::Range {
                from: self.emit.const_i(range.start),
                to: self.emit.const_i(range.end),
                inclusive: false,
            };
        }
        if let Some(range) = value.read_lock::<std::ops::RangeInclusive<i64>>().map(|r| r.clone()) {
            return LoweredValue::Range {
                from: self.emit.const_i(*range.start()),
                to: self.emit.const_i(*range.end()),
                inclusive: true,
            };
        }
        self.constants_copied += size(value);
        LoweredValue::Constant(ConstantPick {
            candidates: Rc::new(vec![value.clone()]),
            index: None,
        })
    }

    /// Returns the value of a variable, or of a constant of the script.
    pub(super) fn variable(&mut self, name: &str, position: Position) -> LoweredValue {
        let value = self.declared_value(name, position);
        // Lanes that change it in place are left to the interpreter. Findings are about all lanes.
        if self.trial_world.is_some() && self.may_have_changed(name, &value) {
            return LoweredValue::Interpreted;
        }
        value
    }

    /// Returns whether something may have changed the value of a variable in place.
    fn may_have_changed(&self, name: &str, value: &LoweredValue) -> bool {
        let Some(frame) = self.frames.last() else { return false };
        let is_variable = frame.variables.iter().any(|variable| variable.name == name);
        let Some(body) = frame.body.as_ref().filter(|_| is_variable) else { return false };
        let changed = &body.changed_in_place;
        // Assignments to parts of vectors are followed. Of the values in columns, functions change only strings.
        let (by_calls, by_assignments) = match value {
            LoweredValue::Typed(cases) => {
                let may_change = |case: &TypeCase| case.ty == Type::String;
                (cases.iter().any(may_change), false)
            }
            LoweredValue::Text(_) => (true, false),
            LoweredValue::Array(_) | LoweredValue::List(_) | LoweredValue::Constant(_) => {
                (true, true)
            }
            _ => return false,
        };
        (by_calls && changed.by_calls.contains(name))
            || (by_assignments && changed.by_assignments.contains(name))
            || changed.by_own.contains(name)
            || frame.analysis.is_captured(name)
    }

    /// Returns the value that a variable has if nothing changes it in place.
    pub(super) fn declared_value(&mut self, name: &str, position: Position) -> LoweredValue {
        if let Some(variable) = self.find_variable(name) {
            let value = match variable.binding.clone() {
                VariableBinding::Constant(value) => {
                    let id = variable.id;
                    self.narrow(id, value)
                }
                VariableBinding::Stored(id) => self.read_stored(id),
                VariableBinding::NotInColumns(value, ..) => value,
            };
            self.name_optional(&value, || name.to_owned());
            return value;
        }
        match name {
            "world" => return LoweredValue::World,
            "PI" => return LoweredValue::number(self.const_f(crate::math::PI)),
            _ => {}
        }
        let analysis = Rc::clone(&self.frame().analysis);
        match analysis.constant(name) {
            Some(value) if value.is_array() || value.is_map() => {
                match analysis.constant_as_list(name) {
                    Some(candidates) => {
                        LoweredValue::Constant(ConstantPick { candidates, index: None })
                    }
                    None => LoweredValue::never(),
                }
            }
            Some(value) => self.constant(value),
            None => self.leave_to_interpreter("this variable", position),
        }
    }

    /// Removes the types that a value cannot have at this point.
    pub(super) fn narrow(&mut self, id: TrackedId, value: LoweredValue) -> LoweredValue {
        let LoweredValue::Typed(cases) = value else { return value };
        let Some(types) = self.narrowed_types.get(id) else {
            return LoweredValue::Typed(cases);
        };
        let mut left: Vec<TypeCase> =
            cases.into_iter().filter(|case| types.contains(case.ty)).collect();
        if let [only] = &mut left[..] {
            only.mask = None;
        }
        LoweredValue::Typed(left)
    }

    /// Lowers a condition. Lanes in which it is not a boolean are marked as faulted.
    pub(super) fn condition(&mut self, condition: &Expr) -> Option<B> {
        match condition {
            Expr::And(parts, _) => self.and_or(parts, true),
            Expr::Or(parts, _) => self.and_or(parts, false),
            _ => {
                let value = self.expression(condition);
                self.as_boolean(&value, condition.position())
            }
        }
    }

    /// Lowers `a && b && c` or `a || b || c`. A part is evaluated only in lanes where those before leave the
    /// result open.
    fn and_or(&mut self, parts: &[Expr], is_and: bool) -> Option<B> {
        let entered = self.active?;
        // Only what is known after every part is known at the end.
        let mut known: Option<NarrowedTypes> = None;
        let mut result = self.emit.const_b(is_and);
        // The lanes that are still here, whether the next part is evaluated in them or not.
        let mut here = entered;
        for (i, part) in parts.iter().enumerate() {
            let evaluated = self.active?;
            let truth = self.condition(part);
            here = self.rejoin(here, evaluated, self.active);
            let Some(truth) = truth else {
                // The lanes that evaluated this part are faulted or have returned. In all others the result
                // is decided.
                if i == 0 {
                    return None;
                }
                break;
            };
            known = Some(match known {
                Some(known) => known.joined(&self.narrowed_types),
                None => self.narrowed_types.clone(),
            });
            // Where the result is already decided it stays, whatever the column of this part holds there.
            result =
                if is_and { self.emit.and(result, truth) } else { self.emit.or(result, truth) };
            if self.emit.known(result) == Some(!is_and) {
                break;
            }
            self.active = Some(if is_and {
                self.emit.and(here, result)
            } else {
                self.emit.and_not(here, result)
            });
            self.learn_from(part, is_and);
        }
        self.active = Some(here);
        self.narrowed_types = known.unwrap_or_default();
        Some(result)
    }

    /// Lowers `truth && condition`, where `truth` is known.
    pub(super) fn and_condition(&mut self, truth: B, condition: &Expr) -> Option<B> {
        let entered = self.active?;
        if self.emit.known(truth) == Some(false) {
            return Some(truth);
        }
        let before = self.narrowed_types.clone();
        let evaluated = self.emit.and(entered, truth);
        self.active = Some(evaluated);
        let holds = self.condition(condition);
        let here = self.rejoin(entered, evaluated, self.active);
        self.narrowed_types = before.joined(&self.narrowed_types);
        self.active = Some(here);
        Some(match holds {
            Some(holds) => self.emit.and(truth, holds),
            // The lanes that evaluated it are faulted or have returned.
            None => self.emit.const_b(false),
        })
    }

    /// Returns the lanes of `all`, without those that went another way (`went`) and did not come back from it
    /// (`back`).
    fn rejoin(&mut self, all: B, went: B, back: Option<B>) -> B {
        match back {
            Some(back) if back == went => all,
            Some(back) => {
                let lost = self.emit.and_not(went, back);
                self.emit.and_not(all, lost)
            }
            None => self.emit.and_not(all, went),
        }
    }

    /// Lowers `a ?? b`: the first value that is not `()`.
    fn coalesce(&mut self, choices: &[Expr]) -> LoweredValue {
        let Some((first, rest)) = choices.split_first() else {
            return LoweredValue::nothing();
        };
        let value = self.expression(first);
        if rest.is_empty() {
            return value;
        }
        let Some(entered) = self.active else {
            return LoweredValue::never();
        };
        let LoweredValue::Typed(cases) = &value else {
            return value;
        };
        let Some(nothing) = cases.iter().find(|case| case.ty == Type::Nothing) else {
            return value;
        };
        let missing = nothing.mask.map_or(entered, |mask| self.emit.and(entered, mask));
        let mut there: Vec<TypeCase> =
            cases.iter().filter(|case| case.ty != Type::Nothing).copied().collect();
        if let [only] = &mut there[..] {
            only.mask = None;
        }
        let before = self.narrowed_types.clone();
        let skip = self.emit.skip(missing);
        self.active = Some(missing);
        let other = self.coalesce(rest);
        self.emit.end_skip(skip);
        self.narrowed_types =
            if self.active.is_some() { before.joined(&self.narrowed_types) } else { before };
        let back = self
            .active
            .map(|back| if back == missing { missing } else { self.emit.and(missing, back) });
        self.active = Some(self.rejoin(entered, missing, back));
        if back.is_none() || there.is_empty() {
            if there.is_empty() && back.is_none() {
                self.active = None;
            }
            return if there.is_empty() { other } else { LoweredValue::Typed(there) };
        }
        self.merge(missing, other, LoweredValue::Typed(there), first.position())
    }

    /// Returns the variable of a name, if one is in scope.
    pub(super) fn find_variable(&self, name: &str) -> Option<&Variable> {
        let variables = &self.frames.last()?.variables;
        variables.iter().rev().find(|variable| variable.name == name)
    }
}

/// Returns the number of values that a constant is made of.
fn size(value: &Dynamic) -> usize {
    if let Some(items) = value.read_lock::<rhai::Array>() {
        return 1 + items.iter().map(size).sum::<usize>();
    }
    match value.read_lock::<rhai::Map>() {
        Some(items) => 1 + items.values().map(size).sum::<usize>(),
        None => 1,
    }
}
