//! Operators on numbers, vectors and booleans, and equality of values.

use std::slice;

use rhai::Position;

use super::Lowering;
use super::value::{LoweredValue, TypeCase, type_name};
use crate::diag::{Code, Diagnostic, Fix, Place, Remedy};
use crate::math::Compare;
use crate::program::{AgentInteger, AgentNumber, B, Columns, Type, V};
use crate::script::api;
use crate::script::api::define::Function;
use crate::script::problem::{ADD_VECTOR, NOTHING_HELP, adds_number_to_vector};
use crate::tokens::{CodeTokens, Language};

/// The result of an operator on two operands.
enum OperatorResult {
    Value(Type, Columns),
    /// There is no such operator for these types.
    Undefined,
    /// Only the interpreter can apply it.
    NotLowered,
    /// It fails, or only the interpreter can apply it, which has been reported.
    Reported,
}

impl Lowering<'_> {
    /// Lowers `a operator b`. An assignment operator is given without its `=`.
    pub(super) fn binary(
        &mut self,
        operator: &str,
        a: LoweredValue,
        b: LoweredValue,
        position: Position,
    ) -> LoweredValue {
        let Some(active) = self.active else {
            return LoweredValue::never();
        };
        let operands = [a, b];
        if self.is_sure_to_fail(operator, &operands, position) {
            return LoweredValue::Interpreted;
        }
        if operator == "+"
            && let [a, b] = &operands
            && let Some(text) = self.joined(a, b, position)
        {
            return text;
        }
        let [a, b] = operands;
        let (a, b) = match self.cases_of_operands(operator, a, b, position) {
            Ok(cases) => cases,
            Err(value) => return value,
        };
        if a.is_empty() || b.is_empty() {
            return self.stop_here();
        }
        if operator == "+" {
            self.warn_of_position([&a, &b], position);
        }
        let mut results: Vec<(Option<B>, Type, Columns)> = Vec::new();
        let (mut failed, mut is_reported) = (None, false);
        for x in &a {
            for y in &b {
                let mask = match (x.mask, y.mask) {
                    (Some(x), Some(y)) => Some(self.emit.and(x, y)),
                    (one, other) => one.or(other),
                };
                let here = mask.map_or(active, |mask| self.emit.and(active, mask));
                match self.apply_operator(operator, [*x, *y], here, position) {
                    OperatorResult::Value(ty, at) => results.push((mask, ty, at)),
                    OperatorResult::Undefined => {
                        failed = Some((x.ty, y.ty));
                        self.emit.fault(here);
                    }
                    OperatorResult::Reported => is_reported = true,
                    OperatorResult::NotLowered => {
                        let what =
                            format!("`{operator}` on {} and {}", type_name(x.ty), type_name(y.ty));
                        self.emit.fault(here);
                        if a.len() == 1 && b.len() == 1 {
                            return self.leave_to_interpreter(&what, position);
                        }
                    }
                }
            }
        }
        if results.is_empty() {
            return match failed {
                Some((a, b)) => self.fail_undefined(operator, a, b, position),
                None if is_reported => LoweredValue::Interpreted,
                None => {
                    self.leave_to_interpreter(&format!("`{operator}` on these values"), position)
                }
            };
        }
        if failed.is_some() {
            let nothing = a.iter().chain(&b).find(|case| case.ty == Type::Nothing);
            if let Some(case) = nothing {
                let what = format!("an operand of `{operator}` may be `()`");
                self.may_be_nothing(case.mask, what, position);
            }
        }
        self.combined_cases(results)
    }

    /// Returns the types that the operands of an operator may have. The error is the value of the operation if they are
    /// not in columns.
    fn cases_of_operands(
        &mut self,
        operator: &str,
        a: LoweredValue,
        b: LoweredValue,
        position: Position,
    ) -> Result<(Vec<TypeCase>, Vec<TypeCase>), LoweredValue> {
        Ok(match (a, b) {
            (LoweredValue::Typed(a), LoweredValue::Typed(b)) => (a, b),
            (LoweredValue::Interpreted, _) | (_, LoweredValue::Interpreted) => {
                return Err(LoweredValue::Interpreted);
            }
            // `me` is an agent too.
            (LoweredValue::Me, LoweredValue::Typed(other)) => (vec![self.own_agent()], other),
            (LoweredValue::Typed(other), LoweredValue::Me) => (other, vec![self.own_agent()]),
            (LoweredValue::Me, LoweredValue::Me) => {
                (vec![self.own_agent()], vec![self.own_agent()])
            }
            // No other kind of value equals `()`.
            (_, LoweredValue::Typed(b)) | (LoweredValue::Typed(b), _)
                if matches!(operator, "==" | "!=") && b.len() == 1 && b[0].ty == Type::Nothing =>
            {
                return Err(LoweredValue::boolean(self.emit.const_b(operator == "!=")));
            }
            (LoweredValue::Differing(at), _) | (_, LoweredValue::Differing(at)) => {
                return Err(self.leave_differing(at));
            }
            (a, b) => {
                let what = format!("`{operator}` on {} and {}", a.description(), b.description());
                return Err(self.leave_to_interpreter(&what, position));
            }
        })
    }

    /// Warns that an agent is added to a vector, such as a force to which `near.nearest` is added: that adds its position.
    fn warn_of_position(&mut self, operands: [&[TypeCase]; 2], position: Position) {
        let is = |ty: Type| {
            operands.map(|cases| {
                let mut known = cases.iter().filter(|case| case.ty != Type::Nothing).peekable();
                known.peek().is_some() && known.all(|case| case.ty == ty)
            })
        };
        let (agents, vectors) = (is(Type::Agent), is(Type::Vector));
        if !(agents[0] && vectors[1] || vectors[0] && agents[1]) {
            return;
        }
        let what = "adds the position of the agent, not a force toward it";
        let warning = Diagnostic::warning(what).code(Code::AddedPosition).help(
            "a primitive gives a force, such as `me.seek(other)` or `me.flee(other)`; if the position is meant, write `.pos`",
        );
        let warning = self.locate(warning, position);
        let fix = warning.place.as_ref().and_then(|place| position_said(place, agents[1]));
        self.findings.push(fix.into_iter().map(Remedy::Change).fold(warning, Diagnostic::remedy));
    }

    /// Reports that there is no such operator for two types.
    fn fail_undefined(
        &mut self,
        operator: &str,
        a: Type,
        b: Type,
        position: Position,
    ) -> LoweredValue {
        let wrong = Diagnostic::error(format!(
            "`{operator}` cannot be applied to {} and {}",
            type_name(a),
            type_name(b)
        ));
        let has_nothing = a == Type::Nothing || b == Type::Nothing;
        let wrong = match adds_number_to_vector(operator, [type_name(a), type_name(b)].into_iter())
        {
            true => wrong.help(ADD_VECTOR),
            false => wrong,
        };
        self.fail(if has_nothing { wrong.help(NOTHING_HELP) } else { wrong }, position)
    }

    /// Returns `me` as an agent like others.
    fn own_agent(&mut self) -> TypeCase {
        TypeCase {
            ty: Type::Agent,
            mask: None,
            columns: Columns::I(self.emit.own_i(AgentInteger::Row)),
        }
    }

    /// Combines results for different lanes into one value.
    pub(super) fn combined_cases(
        &mut self,
        results: Vec<(Option<B>, Type, Columns)>,
    ) -> LoweredValue {
        let mut cases: Vec<TypeCase> = Vec::new();
        for (mask, ty, at) in results {
            match cases.iter().position(|case| case.ty == ty) {
                None => cases.push(TypeCase { ty, mask, columns: at }),
                Some(place) => {
                    let old = cases[place];
                    let Some(mask) = mask else { continue };
                    cases[place].columns = self.emit.select(mask, at, old.columns);
                    cases[place].mask = old.mask.map(|old| self.emit.or(old, mask));
                }
            }
        }
        if let [only] = &mut cases[..] {
            only.mask = None;
        }
        LoweredValue::Typed(cases)
    }

    fn apply_operator(
        &mut self,
        operator: &str,
        [a, b]: [TypeCase; 2],
        active: B,
        position: Position,
    ) -> OperatorResult {
        use Columns as C;
        use Type as T;
        if let (C::B(x), C::B(y)) = (a.columns, b.columns)
            && matches!(operator, "&" | "|" | "^")
        {
            let truth = match operator {
                "&" => self.emit.and(x, y),
                "|" => self.emit.or(x, y),
                _ => {
                    let same = self.emit.same(x, y);
                    self.emit.not(same)
                }
            };
            return OperatorResult::Value(T::Bool, C::B(truth));
        }
        let takes = |function: &&Function| {
            function.params[0].kind.accepts_type(a.ty) && function.params[1].kind.accepts_type(b.ty)
        };
        // In Rhai, anything can be joined to a string with `+`.
        let is_built_in = [a.ty, b.ty].iter().any(|ty| matches!(ty, T::String | T::Bool));
        match api::definitions(operator, 2).find(takes) {
            Some(function) => {
                let operands = [a, b].map(|one| LoweredValue::of_type(one.ty, one.columns));
                match self.call_definition_in(active, function, &operands, position) {
                    LoweredValue::Typed(cases) if let [case] = cases[..] => {
                        OperatorResult::Value(case.ty, case.columns)
                    }
                    LoweredValue::Interpreted => OperatorResult::Reported,
                    _ => OperatorResult::NotLowered,
                }
            }
            None if let Some(cmp) = comparison(operator) => self.compare(cmp, a, b),
            None if is_built_in || api::definitions(operator, 2).next().is_none() => {
                OperatorResult::NotLowered
            }
            None => OperatorResult::Undefined,
        }
    }

    /// Returns the lanes in which two values are equal; `None` if that cannot be lowered.
    pub(super) fn equality(&mut self, a: TypeCase, b: TypeCase) -> Option<B> {
        match self.apply_operator("==", [a, b], self.active?, Position::NONE) {
            OperatorResult::Value(Type::Bool, Columns::B(truth)) => Some(truth),
            _ => None,
        }
    }

    fn compare(&mut self, cmp: Compare, a: TypeCase, b: TypeCase) -> OperatorResult {
        use Columns as C;
        use Type as T;
        let truth = |at| OperatorResult::Value(T::Bool, C::B(at));
        let is_equality = matches!(cmp, Compare::Eq | Compare::Ne);
        match (a.ty, b.ty) {
            (T::Nothing, T::Nothing) if is_equality => truth(self.emit.const_b(cmp == Compare::Eq)),
            (T::Nothing, T::Nothing) => OperatorResult::Undefined,
            (T::Nothing, _) | (_, T::Nothing) if is_equality => {
                truth(self.emit.const_b(cmp == Compare::Ne))
            }
            (x, y) if x != y => OperatorResult::Undefined,
            (T::Bool, T::Bool) if is_equality => match (a.columns, b.columns) {
                (C::B(x), C::B(y)) => {
                    let same = self.emit.same(x, y);
                    truth(if cmp == Compare::Eq { same } else { self.emit.not(same) })
                }
                _ => OperatorResult::NotLowered,
            },
            (T::String | T::Agent | T::Obstacle | T::Path | T::Field, _) if is_equality => {
                if let Some(equal) = self.is_own_group(a, b) {
                    return truth(self.emit.const_b(equal == (cmp == Compare::Eq)));
                }
                match (a.columns, b.columns) {
                    (C::I(x), C::I(y)) => truth(self.emit.cmp_i(cmp, x, y)),
                    _ => OperatorResult::NotLowered,
                }
            }
            (T::Vector | T::Agent | T::Obstacle | T::Path | T::Field, _) => {
                OperatorResult::Undefined
            }
            _ => OperatorResult::NotLowered,
        }
    }

    /// Returns whether the name of the own group equals another string, if one of two values is that name and the other
    /// one is known. Only for findings, which are about one group: groups of one kind share a program.
    fn is_own_group(&self, a: TypeCase, b: TypeCase) -> Option<bool> {
        let own = self.trial_world.and(self.group_column).map(Columns::I)?;
        if a.columns != own && b.columns != own {
            return None;
        }
        Some(self.known_string_at(a.columns)? == self.known_string_at(b.columns)?)
    }

    /// Lowers `-a`, `+a` and `!a`.
    pub(super) fn unary(
        &mut self,
        operator: &str,
        a: &LoweredValue,
        position: Position,
    ) -> LoweredValue {
        let Some(active) = self.active else {
            return LoweredValue::never();
        };
        if matches!(a, LoweredValue::Interpreted)
            || self.is_sure_to_fail(operator, slice::from_ref(a), position)
        {
            return LoweredValue::Interpreted;
        }
        if operator == "!" {
            return match self.as_boolean(a, position) {
                Some(a) => LoweredValue::boolean(self.emit.not(a)),
                None => LoweredValue::never(),
            };
        }
        let found =
            |ty| api::definitions(operator, 1).find(|one| one.params[0].kind.accepts_type(ty));
        let cases = self.cases_that_fit(
            a,
            |ty| found(ty).is_some(),
            "this",
            "a number or a vector",
            position,
        );
        let mut results = Vec::new();
        for case in cases {
            let Some(function) = found(case.ty) else { continue };
            let here = case.mask.map_or(active, |mask| self.emit.and(active, mask));
            let operand = [LoweredValue::of_type(case.ty, case.columns)];
            if let LoweredValue::Typed(cases) =
                self.call_definition_in(here, function, &operand, position)
                && let [one] = cases[..]
            {
                results.push((case.mask, one.ty, one.columns));
            }
        }
        if results.is_empty() {
            return LoweredValue::never();
        }
        self.combined_cases(results)
    }

    /// Returns the position of a value that is a point or an agent.
    pub(super) fn as_point(
        &mut self,
        value: &LoweredValue,
        what: &str,
        position: Position,
    ) -> Option<V> {
        if matches!(value, LoweredValue::Me) {
            return Some(V(self.emit.own(AgentNumber::PosX), self.emit.own(AgentNumber::PosY)));
        }
        self.of_agent_or_vector(
            value,
            what,
            "a point or an agent",
            (AgentNumber::PosX, AgentNumber::PosY),
            position,
        )
    }

    /// Returns a vector, or a vector of an agent: `x` and `y` say which.
    pub(super) fn of_agent_or_vector(
        &mut self,
        value: &LoweredValue,
        what: &str,
        wanted: &str,
        (x, y): (AgentNumber, AgentNumber),
        position: Position,
    ) -> Option<V> {
        if matches!(value, LoweredValue::Interpreted) {
            return self.active.map(|_| self.emit.new_v());
        }
        let fits = |ty| matches!(ty, Type::Vector | Type::Agent);
        let cases = self.cases_that_fit(value, fits, what, wanted, position);
        let mut result: Option<V> = None;
        for case in cases {
            let v = match case.columns {
                Columns::V(v) => v,
                Columns::I(row) => V(self.emit.other(row, x), self.emit.other(row, y)),
                _ => continue,
            };
            result = Some(match (result, case.mask) {
                (Some(old), Some(mask)) => {
                    V(self.emit.select_f(mask, v.0, old.0), self.emit.select_f(mask, v.1, old.1))
                }
                _ => v,
            });
        }
        result
    }
}

fn comparison(operator: &str) -> Option<Compare> {
    Some(match operator {
        "==" => Compare::Eq,
        "!=" => Compare::Ne,
        "<" => Compare::Lt,
        "<=" => Compare::Le,
        ">" => Compare::Gt,
        ">=" => Compare::Ge,
        _ => return None,
    })
}

/// Returns the fix that writes `.pos` behind the agent before or behind the operator at a place, if it is a variable or a property.
fn position_said(operator: &Place, is_behind: bool) -> Option<Fix> {
    let source = &operator.source;
    let code = CodeTokens::new(&source.text, Language::Rhai);
    // An assignment has its place at the variable.
    let at = code.all.partition_point(|token| token.span.start < operator.span.start);
    let at = (at..code.all.len()).find(|&index| matches!(code.get(index), "+" | "+="))?;
    let is_part = |index: usize| code.is_word(index) || code.get(index) == ".";
    let end = match is_behind {
        true => (at + 1..code.all.len()).find(|&index| !is_part(index))?,
        false => at,
    };
    let last = end.checked_sub(1).filter(|&last| last != at && code.is_word(last))?;
    let place = code.all[last].span.end;
    let is_call = code.get(end) == "(";
    (!is_call).then(|| Fix::new("Add `.pos`", source, place..place, ".pos"))
}
