//! Assignments to variables, to states and to the agent's own velocity.

use std::collections::BTreeSet;

use rhai::{ASTNode, Expr, Position, Stmt};

use super::tracked::{Tracked, TrackedId, TypeSet};
use super::value::{LoweredValue, TypeCase, property_owner, type_name};
use super::{Lowering, MAX_SUGGESTIONS, VariableBinding};
use crate::diag::Diagnostic;
use crate::math::Compare;
use crate::program::{Columns, StateSlot, Type, V};
use crate::script::api;
use crate::script::compile::Script;
use crate::script::error;
use crate::script::problem;

/// Returns whether a script sets the velocity anywhere.
pub(super) fn sets_vel(script: &Script) -> bool {
    let mut found = false;
    script.ast.walk(&mut |path| {
        if let Some(ASTNode::Stmt(Stmt::Assignment(assignment))) = path.last()
            && let Expr::Dot(dot, ..) = &assignment.1.lhs
            && let Some("vel") = first_property(&dot.rhs)
        {
            found = true;
        }
        !found
    });
    found
}

/// The states that scripts set anywhere without reading them first.
#[derive(Default)]
pub(super) struct AssignedStates {
    named: BTreeSet<String>,
    /// Set if there is an assignment to a state whose name is computed, which may set any state. Holds the
    /// states that all such assignments read first.
    unnamed: Option<BTreeSet<String>>,
}

impl AssignedStates {
    pub(super) fn of(scripts: &[&Script]) -> Self {
        let mut all = Self::default();
        for script in scripts {
            script.ast.walk(&mut |path| {
                if let Some(ASTNode::Stmt(Stmt::Assignment(assignment))) = path.last()
                    && assignment.0.get_op_assignment_info().is_none()
                {
                    all.add(&assignment.1.lhs, &assignment.1.rhs);
                }
                true
            });
        }
        all
    }

    fn add(&mut self, target: &Expr, value: &Expr) {
        let Some(state) = assigned_state(target) else {
            return;
        };
        let read = always_read(value);
        match state {
            Some(name) if read.contains(name) => {}
            Some(name) => {
                self.named.insert(name.to_owned());
            }
            None => {
                self.unnamed = Some(match self.unnamed.take() {
                    Some(others) => others.intersection(&read).cloned().collect(),
                    None => read,
                });
            }
        }
    }

    pub(super) fn may_set(&self, state: &str) -> bool {
        self.named.contains(state)
            || self.unnamed.as_ref().is_some_and(|read| !read.contains(state))
    }
}

/// Returns the name of the state that an assignment may set as a whole: `me.state.x`, `me.state["x"]`, `s.x`,
/// or `s[i]`. The last has a name only at runtime, and gives `Some(None)`.
pub(in crate::script) fn assigned_state(target: &Expr) -> Option<Option<&str>> {
    let (Expr::Dot(parts, ..) | Expr::Index(parts, ..)) = target else {
        return None;
    };
    let mut last = &parts.rhs;
    while let Expr::Dot(rest, ..) | Expr::Index(rest, ..) = last {
        last = &rest.rhs;
    }
    Some(match last {
        Expr::Property(property, _) => Some(property.2.as_str()),
        Expr::StringConstant(name, _) => Some(name.as_str()),
        _ => None,
    })
}

/// Returns the states that an expression is sure to read, on every path through it.
fn always_read(expression: &Expr) -> BTreeSet<String> {
    let (mut reads, mut branches) = (BTreeSet::new(), false);
    expression.walk(&mut Vec::new(), &mut |path| {
        match path.last() {
            Some(ASTNode::Expr(Expr::Dot(parts, ..))) => {
                if let Expr::Dot(rest, ..) = &parts.rhs
                    && matches!(&rest.lhs, Expr::Property(first, _) if first.2 == "state")
                {
                    reads.extend(first_property(&rest.rhs).map(str::to_owned));
                }
            }
            Some(ASTNode::Expr(
                Expr::And(..) | Expr::Or(..) | Expr::Coalesce(..) | Expr::Stmt(..),
            )) => branches = true,
            _ => {}
        }
        !branches
    });
    if branches { BTreeSet::new() } else { reads }
}

fn first_property(rhs: &Expr) -> Option<&str> {
    match rhs {
        Expr::Property(property, _) => Some(property.2.as_str()),
        Expr::Dot(dot, ..) | Expr::Index(dot, ..) => first_property(&dot.lhs),
        _ => None,
    }
}

impl Lowering<'_> {
    /// Assigns a value in the lanes that get here.
    pub(super) fn assign_stored(
        &mut self,
        id: TrackedId,
        value: &LoweredValue,
        position: Position,
    ) {
        let Some(active) = self.active else { return };
        if matches!(value, LoweredValue::Interpreted) {
            self.inferred.note_interpreted(id);
            self.narrowed_types.insert(id, TypeSet::default());
            return;
        }
        let LoweredValue::Typed(cases) = value else {
            let what =
                format!("keeping {} where agents may have different values", value.description());
            self.leave_with_help(
                &what,
                "keep numbers, vectors, strings or agents instead",
                position,
            );
            return;
        };
        let types: TypeSet = cases.iter().map(|case| case.ty).collect();
        self.inferred.note_types(id, types);
        let storage = self.storage(id);
        for case in cases {
            let mask = case.mask.map_or(active, |mask| self.emit.and(active, mask));
            let Some(tag) = storage.tag_of(case.ty) else {
                continue;
            };
            let tag = self.emit.const_i(tag);
            self.emit.blend(Columns::I(storage.tag), Columns::I(tag), mask);
            let to = storage
                .columns
                .iter()
                .find(|(ty, _)| *ty == case.ty)
                .map_or(Columns::None, |(_, columns)| *columns);
            self.emit.blend(to, case.columns, mask);
        }
        self.narrowed_types.insert(id, types);
    }

    /// Returns the current value of what is tracked by an id.
    pub(super) fn read_stored(&mut self, id: TrackedId) -> LoweredValue {
        let storage = self.storage(id);
        let possible = self.narrowed_types.get(id);
        let types: Vec<(Type, Columns)> = storage
            .columns
            .iter()
            .filter(|(ty, _)| possible.is_none_or(|types| types.contains(*ty)))
            .copied()
            .collect();
        let is_state = self.slots.contains_key(&id) && !self.is_public(id);
        if types.is_empty() && self.inferred.is_interpreted(id) {
            return LoweredValue::Interpreted;
        }
        let single = types.len() == 1 && (!is_state || possible.is_some());
        let cases = types
            .into_iter()
            .map(|(ty, columns)| {
                let mask = (!single).then(|| {
                    let tag = storage.tag_of(ty).unwrap_or(StateSlot::ABSENT);
                    let tag = self.emit.const_i(tag);
                    self.emit.cmp_i(Compare::Eq, storage.tag, tag)
                });
                TypeCase { ty, mask, columns: self.emit.copy(columns) }
            })
            .collect();
        LoweredValue::Typed(cases)
    }

    pub(super) fn assignment(&mut self, operator: Option<&str>, target: &Expr, expression: &Expr) {
        let new = self.expression(expression);
        if self.active.is_none() {
            return;
        }
        let position = target.position();
        match target {
            Expr::Variable(variable, ..) => {
                let name = variable.1.to_string();
                let new = match operator {
                    Some(operator) => {
                        let old = self.variable(&name, target.position());
                        self.binary(operator, old, new, position)
                    }
                    None => new,
                };
                self.assign_variable(&name, new, position);
            }
            Expr::Dot(dot, ..) => {
                let Expr::Variable(variable, ..) = &dot.lhs else {
                    if let Expr::ThisPtr(position) = dot.lhs {
                        self.fail(problem::no_this(), position);
                        return;
                    }
                    self.leave_to_interpreter("this assignment", position);
                    return;
                };
                let name = variable.1.to_string();
                let base = self.variable(&name, dot.lhs.position());
                self.assign_property(&name, base, &dot.rhs, operator, new, position);
            }
            _ => {
                self.leave_with_help(
                    "assigning to an element",
                    "use a variable for each value",
                    position,
                );
            }
        }
    }

    fn assign_variable(&mut self, name: &str, new: LoweredValue, position: Position) {
        let Some(active) = self.active else { return };
        let loops = self.frame().loops.len();
        let found = self.frame().variables.iter().rposition(|variable| variable.name == name);
        let Some(place) = found else {
            self.leave_to_interpreter("this assignment", position);
            return;
        };
        match self.frame().variables[place].binding.clone() {
            VariableBinding::Stored(id) => self.assign_stored(id, &new, position),
            VariableBinding::NotInColumns(old, then, depth)
                if then == Some(active) && depth == loops =>
            {
                if new.types().is_some() {
                    let what = format!(
                        "a variable that holds first {} and then {}",
                        old.description(),
                        new.description()
                    );
                    self.leave_with_help(&what, "use two variables", position);
                } else {
                    self.frame().variables[place].binding =
                        VariableBinding::NotInColumns(new, then, depth);
                }
            }
            _ => {
                let what = format!("assigning {} in a branch or a loop", new.description());
                self.leave_with_help(
                    &what,
                    "choose a number or a vector there, and compute this from it afterwards",
                    position,
                );
            }
        }
    }

    /// Lowers `name.property = new`, also with more than one property: `me.state.v.x = 1`.
    fn assign_property(
        &mut self,
        name: &str,
        base: LoweredValue,
        part: &Expr,
        operator: Option<&str>,
        new: LoweredValue,
        position: Position,
    ) {
        if self.is_read_only(&base, part) {
            return;
        }
        match (&base, part) {
            (LoweredValue::Me, Expr::Property(property, _)) if property.2 == "vel" => {
                let new = self.apply_assignment_operator(operator, &base, part, new, position);
                self.set_vel(&new, part.position());
            }
            (LoweredValue::Me, Expr::Dot(dot, ..)) => match (&dot.lhs, &dot.rhs) {
                (Expr::Property(first, _), rest) if first.2 == "state" => {
                    self.assign_to_state(rest, operator, new, position);
                }
                (Expr::Property(first, _), Expr::Property(axis, at)) if first.2 == "vel" => {
                    let old = LoweredValue::vector(self.vel());
                    let new = self.with_axis(&old, &axis.2, operator, new, *at);
                    self.set_vel(&new, *at);
                }
                _ => {
                    self.leave_to_interpreter("this assignment", position);
                }
            },
            // `me.state` under another name.
            (LoweredValue::State, Expr::Property(..)) => {
                self.assign_to_state(part, operator, new, position);
            }
            (LoweredValue::Typed(_), Expr::Property(axis, at)) => {
                let new = self.with_axis(&base, &axis.2, operator, new, *at);
                if self.active.is_some() {
                    self.assign_variable(name, new, position);
                }
            }
            _ => {
                self.leave_to_interpreter("this assignment", position);
            }
        }
    }

    /// Lowers an assignment to a state, or to a coordinate of one.
    fn assign_to_state(
        &mut self,
        target: &Expr,
        operator: Option<&str>,
        new: LoweredValue,
        position: Position,
    ) {
        match target {
            Expr::Property(state, at) => {
                let new = match operator {
                    Some(operator) => {
                        let old = self.read_state(&state.2, *at);
                        self.binary(operator, old, new, position)
                    }
                    None => new,
                };
                self.set_state(&state.2, &new, *at);
            }
            Expr::Dot(parts, ..)
                if let (Expr::Property(state, at), Expr::Property(axis, _)) =
                    (&parts.lhs, &parts.rhs) =>
            {
                let old = self.read_state(&state.2, *at);
                let new = self.with_axis(&old, &axis.2, operator, new, *at);
                self.set_state(&state.2, &new, *at);
            }
            other => {
                let element = match other {
                    Expr::Dot(parts, ..) => &parts.lhs,
                    whole => whole,
                };
                self.leave_with_help(
                    "assigning to an element of a state",
                    "keep each value in a state of its own",
                    element.position(),
                );
            }
        }
    }

    /// Reports an error and returns true if a property cannot be set: it does not exist or is read-only. A part of a
    /// property, as in `other.state.x`, cannot be set if the property does not exist.
    fn is_read_only(&mut self, base: &LoweredValue, part: &Expr) -> bool {
        let (first, rest) = match part {
            Expr::Dot(parts, ..) | Expr::Index(parts, ..) => (&parts.lhs, Some(&parts.rhs)),
            whole => (whole, None),
        };
        let Expr::Property(property, position) = first else { return false };
        let (property, position) = (property.2.as_str(), *position);
        let param = match (base, rest) {
            (LoweredValue::Me, Some(Expr::Property(param, at))) if property == "params" => {
                Some((param.2.as_str(), *at))
            }
            (LoweredValue::Params, None) => Some((property, position)),
            _ => None,
        };
        if let Some((param, at)) = param {
            self.fail(problem::param_set(param), at);
            return true;
        }
        let input = match (base, rest) {
            (LoweredValue::World, Some(rest)) if property == "inputs" => first_name(rest),
            (LoweredValue::Inputs, None) => Some((property, position)),
            _ => None,
        };
        if let Some((name, at)) = input {
            self.fail(problem::input_set(name), at);
            return true;
        }
        let state = match (base, rest) {
            (LoweredValue::OtherState(_), None) => Some((property, position)),
            (_, Some(rest)) if property == "state" && is_other(base) => first_name(rest),
            _ => None,
        };
        if let Some((name, at)) = state {
            self.fail(problem::state_of_other_set(name), at);
            return true;
        }
        let shared = match (base, rest) {
            (LoweredValue::Shared, None) => Some((property, position)),
            (LoweredValue::World, Some(rest)) if property == "shared" => first_name(rest),
            _ => None,
        };
        if let Some((name, at)) = shared {
            self.fail(problem::shared_set(name), at);
            return true;
        }
        let Some((of, shown)) = owner(base) else { return false };
        let wrong = if rest.is_none() {
            if of == "me" && property == "vel" {
                return false;
            }
            error::no_setter(of, property)
        } else {
            if api::properties(of).any(|known| known == property) {
                self.warn_of_changed_copy(of, shown, property, position);
                return false;
            }
            error::unknown_property(of, shown, property)
        };
        self.fail(wrong, position);
        true
    }

    fn apply_assignment_operator(
        &mut self,
        operator: Option<&str>,
        base: &LoweredValue,
        part: &Expr,
        new: LoweredValue,
        position: Position,
    ) -> LoweredValue {
        match (operator, part) {
            (Some(operator), Expr::Property(property, at)) => {
                let old = self.property(base, &property.2, *at);
                self.binary(operator, old, new, position)
            }
            _ => new,
        }
    }

    /// Returns a vector with another `x` or `y`.
    fn with_axis(
        &mut self,
        base: &LoweredValue,
        axis: &str,
        operator: Option<&str>,
        new: LoweredValue,
        position: Position,
    ) -> LoweredValue {
        // It may be a map.
        if matches!(base, LoweredValue::Interpreted) {
            return LoweredValue::Interpreted;
        }
        let Some(V(x, y)) = self.as_vector(base, "this", position) else {
            return LoweredValue::never();
        };
        let new = match operator {
            Some(operator) => {
                let old = LoweredValue::number(if axis == "x" { x } else { y });
                self.binary(operator, old, new, position)
            }
            None => new,
        };
        let Some(new) = self.as_number(&new, "this", position) else {
            return LoweredValue::never();
        };
        match axis {
            "x" => self.require_finite(V(new, y), position),
            "y" => self.require_finite(V(x, new), position),
            _ => {
                let what = Diagnostic::error(format!("a vector has no property `{axis}`"));
                self.fail(what.suggest(axis, ["x", "y"]), position)
            }
        }
    }

    /// Returns the current velocity of the agent itself.
    pub(super) fn vel(&mut self) -> V {
        if !self.sets_vel {
            return self.vel;
        }
        match self.emit.copy(Columns::V(self.vel)) {
            Columns::V(vel) => vel,
            _ => self.vel,
        }
    }

    fn set_vel(&mut self, new: &LoweredValue, position: Position) {
        let Some(new) = self.as_vector(new, "`me.vel`", position) else {
            return;
        };
        if let Some(active) = self.active {
            self.emit.blend(Columns::V(self.vel), Columns::V(new), active);
        }
    }

    pub(super) fn read_state(&mut self, name: &str, position: Position) -> LoweredValue {
        let id = self.inferred.tracked.id(Tracked::State(name.to_owned()));
        let Some(active) = self.active else {
            return LoweredValue::never();
        };
        if self.inferred.types(id).is_empty() {
            if self.analyses.may_set(name) {
                let what = format!("the value of `me.state.{name}`");
                return self.leave_with_help(
                    &what,
                    "set it to a value that is no array or map",
                    position,
                );
            }
            if !self.facts.scenario {
                // A group may declare it as public state.
                let what = format!("the value of `me.state.{name}`, which no script sets,");
                return self.leave_to_interpreter(&what, position);
            }
            let what = self.unset_state_error(name);
            return self.fail(what, position);
        }
        let value = self.read_stored(id);
        if self.narrowed_types.get(id).is_none() && !self.is_public(id) {
            let storage = self.storage(id);
            let absent = self.emit.const_i(StateSlot::ABSENT);
            let missing = self.emit.cmp_i(Compare::Eq, storage.tag, absent);
            let active = self.emit.and(active, missing);
            self.emit.fault(active);
        }
        self.note_options(&value, name);
        value
    }

    /// Returns the error for reading a state that is never set.
    fn unset_state_error(&self, name: &str) -> Diagnostic {
        let set = self.inferred.tracked.states().iter();
        let set = set.filter(|(id, _)| !self.inferred.types(*id).is_empty());
        let names = set.map(|(_, name)| name.as_str());
        // With so many errors, the first ones have the suggestions.
        let names = names.take(if self.findings.len() < MAX_SUGGESTIONS { usize::MAX } else { 0 });
        problem::unset_state(name, names)
    }

    fn set_state(&mut self, name: &str, value: &LoweredValue, position: Position) {
        let Some(value) = &self.fit_public(name, value, position) else { return };
        if value.types().is_none() {
            let id = self.inferred.tracked.id(Tracked::State(name.to_owned()));
            self.inferred.note_interpreted(id);
            if !matches!(
                value,
                LoweredValue::Array(_)
                    | LoweredValue::List(_)
                    | LoweredValue::Closure(_)
                    | LoweredValue::Constant(_)
                    | LoweredValue::Text(_)
                    | LoweredValue::Differing(_)
            ) {
                self.fail(problem::not_storable(value.description()), position);
                return;
            }
            let what = format!("keeping {} in `me.state`", value.description());
            let help = match value {
                LoweredValue::Text(_) => {
                    "keep what it is put together from, and put it together to show it"
                }
                _ => "keep each value in a state of its own",
            };
            self.leave_with_help(&what, help, position);
            return;
        }
        let active = self.active;
        // Numbers in states must be finite.
        if let LoweredValue::Typed(cases) = value {
            for case in cases {
                if let (Columns::F(x), Some(active)) = (case.columns, active) {
                    if case.mask.is_none() && self.fails_as_never_finite(x) {
                        self.fail_for_value(problem::state_not_finite(), position);
                    }
                    let active = case.mask.map_or(active, |mask| self.emit.and(active, mask));
                    self.emit.require_finite(V(x, x), active);
                }
                if matches!(case.ty, Type::Obstacle | Type::Path | Type::Field) {
                    let id = self.inferred.tracked.id(Tracked::State(name.to_owned()));
                    self.inferred.note_interpreted(id);
                    self.fail(problem::not_storable(type_name(case.ty)), position);
                    return;
                }
            }
        }
        let id = self.inferred.tracked.id(Tracked::State(name.to_owned()));
        self.assign_stored(id, value, position);
        if let Some(&slot) = self.slots.get(&id) {
            self.state[slot].written = true;
        }
    }
}

/// Returns the first name of what is behind a dot or in square brackets.
fn first_name(rest: &Expr) -> Option<(&str, Position)> {
    match rest {
        Expr::Property(property, position) => Some((property.2.as_str(), *position)),
        Expr::StringConstant(name, position) => Some((name.as_str(), *position)),
        Expr::Dot(parts, ..) | Expr::Index(parts, ..) => first_name(&parts.lhs),
        _ => None,
    }
}

/// Returns whether a value is another agent.
fn is_other(base: &LoweredValue) -> bool {
    owner(base).is_some_and(|(of, _)| of == "agent")
}

/// Returns the kind of value whose properties a script reads or sets, and how messages call such a value; `None` for
/// vectors, which can be changed, and for values of Rhai.
fn owner(base: &LoweredValue) -> Option<(&'static str, &'static str)> {
    match base {
        // A value that is `()` in one branch only is meant to be the other thing.
        LoweredValue::Typed(cases) => {
            let one = cases.iter().find(|case| case.ty != Type::Nothing)?;
            matches!(one.ty, Type::Agent | Type::Obstacle | Type::Path | Type::Field)
                .then(|| (property_owner(one.ty), type_name(one.ty)))
        }
        LoweredValue::Me => Some(("me", "`me`")),
        LoweredValue::World => Some(("world", "`world`")),
        LoweredValue::Neighborhood(_) => Some(("neighborhood", "a neighborhood")),
        _ => None,
    }
}

/// Returns the variable that an assignment changes, as a whole or in part.
pub(super) fn root(target: &Expr) -> Option<String> {
    match target {
        Expr::Variable(variable, ..) => Some(variable.1.to_string()),
        Expr::Dot(dot, ..) | Expr::Index(dot, ..) => root(&dot.lhs),
        _ => None,
    }
}

/// Returns whether a method changes the value that it is called on.
pub(super) fn is_mutating(rhs: &Expr) -> bool {
    match rhs {
        Expr::MethodCall(call, _) => is_mutating_name(&call.name),
        Expr::Dot(dot, ..) | Expr::Index(dot, ..) => is_mutating(&dot.lhs) || is_mutating(&dot.rhs),
        _ => false,
    }
}

/// Returns whether a function of the script language with this name changes its first argument.
pub(super) fn is_mutating_name(name: &str) -> bool {
    const CHANGING: &[&str] = &[
        "append",
        "chop",
        "clear",
        "crop",
        "dedup",
        "drain",
        "extract",
        "fill_with",
        "for_each",
        "insert",
        "make_lower",
        "make_upper",
        "mixin",
        "pad",
        "pop",
        "push",
        "remove",
        "replace",
        "retain",
        "reverse",
        "set",
        "shift",
        "sort",
        "sort_by",
        "sort_desc",
        "splice",
        "trim",
        "truncate",
    ];
    CHANGING.contains(&name)
}
