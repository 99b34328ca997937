//! Narrows the types of the values in a condition, such as a test for `()`, also in a function that is called.

use rhai::{Expr, FnCallExpr, Position, Stmt};

use super::tracked::{NarrowedTypes, Tracked, TrackedId, TypeSet, spot};
use super::value::{LoweredValue, TypeCase, property_owner};
use super::{Lowering, VariableBinding, definitions};
use crate::program::{Columns, Type};
use crate::script::api::define::Attribute;

/// The types that are possible after a function where it returns false, and where it returns true; `None` if it never
/// does. Only types of values that do not change, so that they still hold for the caller.
#[derive(Debug, Default)]
pub(super) struct LearnedTypes([Option<NarrowedTypes>; 2]);

impl Lowering<'_> {
    /// Narrows the types of the values in a condition, where the condition is known to hold or not to hold.
    pub(super) fn learn_from(&mut self, condition: &Expr, holds: bool) {
        match condition {
            Expr::And(parts, _) if holds => {
                parts.iter().for_each(|part| self.learn_from(part, true))
            }
            Expr::Or(parts, _) if !holds => {
                parts.iter().for_each(|part| self.learn_from(part, false))
            }
            Expr::FnCall(call, position) => self.learn_from_call(call, *position, holds),
            Expr::Dot(dot, ..) if !holds => {
                let is_empty =
                    matches!(&dot.rhs, Expr::MethodCall(call, _) if call.name == "is_empty");
                if is_empty && let Some(near) = self.neighborhood(&dot.lhs) {
                    self.note_agents(near);
                }
            }
            _ => {}
        }
    }

    /// Notes that a neighborhood has agents.
    fn note_agents(&mut self, near: u16) {
        let id = self.inferred.tracked.id(Tracked::AgentOf(near));
        self.narrowed_types.insert(id, [Type::Agent].into_iter().collect());
    }

    /// Returns the neighborhood that a variable holds.
    fn neighborhood(&mut self, variable: &Expr) -> Option<u16> {
        let Expr::Variable(variable, ..) = variable else { return None };
        match self.variable(&variable.1, Position::NONE) {
            LoweredValue::Neighborhood(near) => Some(near),
            _ => None,
        }
    }

    /// Narrows the types of the values in a call or an operator, which is known to hold or not to hold.
    fn learn_from_call(&mut self, call: &FnCallExpr, position: Position, holds: bool) {
        if let [left, right] = &call.args[..]
            && let Some(near) = self.neighborhood_with_agents(&call.name, left, right, holds)
        {
            return self.note_agents(near);
        }
        let is_equal = match (call.name.as_str(), call.args.len()) {
            ("!", 1) => return self.learn_from(&call.args[0], !holds),
            ("==", 2) => holds,
            ("!=", 2) => !holds,
            _ => {
                let caller = self.frame().call_path;
                let path = self.inferred.tracked.call_path(caller, spot(position));
                if let Some(LearnedTypes(learned)) = self.learned.get(&path)
                    && let Some(types) = &learned[usize::from(holds)]
                {
                    self.narrowed_types.narrow(types);
                }
                return;
            }
        };
        let (looked_at, name) = match (&call.args[0], &call.args[1]) {
            (one, Expr::Unit(_)) | (Expr::Unit(_), one) => (one, "()"),
            (test, Expr::StringConstant(name, _)) | (Expr::StringConstant(name, _), test)
                if let Some(one) = self.argument_of_type_of(test) =>
            {
                (one, name.as_str())
            }
            _ => return,
        };
        // A neighborhood of which an agent is not `()` has agents.
        if let (Expr::Dot(dot, ..), "()", false) = (looked_at, name, is_equal)
            && matches!(&dot.rhs, Expr::Property(one, _) if ["nearest", "first"].contains(&&*one.2))
            && let Some(near) = self.neighborhood(&dot.lhs)
        {
            return self.note_agents(near);
        }
        self.learn_type(looked_at, name, is_equal);
    }

    /// Narrows the types of a value to the one that has a name in Rhai, or to the others.
    pub(super) fn learn_type(&mut self, looked_at: &Expr, name: &str, is_equal: bool) {
        if let Some(id) = self.tracked_id_of(looked_at) {
            let types = self.types_of(id, looked_at);
            let left: TypeSet =
                types.iter().filter(|&ty| (name_in_rhai(ty) == name) == is_equal).collect();
            self.narrowed_types.insert(id, left);
        }
    }

    /// Returns `x` of `type_of(x)` or `x.type_of()`, if findings are asked for.
    pub(super) fn argument_of_type_of<'e>(&self, call: &'e Expr) -> Option<&'e Expr> {
        self.trial_world?;
        match call {
            Expr::FnCall(call, _) if call.name == "type_of" => call.args.first(),
            Expr::Dot(dot, ..) => match &dot.rhs {
                Expr::MethodCall(call, _) if call.name == "type_of" => Some(&dot.lhs),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the neighborhood that has agents if a comparison of their number with a literal holds, or does not hold.
    fn neighborhood_with_agents(
        &mut self,
        operator: &str,
        left: &Expr,
        right: &Expr,
        holds: bool,
    ) -> Option<u16> {
        let (count, operator, limit) = match (left, right) {
            (count, Expr::IntegerConstant(limit, _)) => (count, operator, *limit),
            (Expr::IntegerConstant(limit, _), count) => {
                let turned = match operator {
                    "<" => ">",
                    "<=" => ">=",
                    ">" => "<",
                    ">=" => "<=",
                    same => same,
                };
                (count, turned, *limit)
            }
            _ => return None,
        };
        // The comparison for no agents.
        let of_none = match operator {
            "==" => limit == 0,
            "!=" => limit != 0,
            "<" => 0 < limit,
            "<=" => 0 <= limit,
            ">" => 0 > limit,
            ">=" => 0 >= limit,
            _ => return None,
        };
        let Expr::Dot(dot, ..) = count else { return None };
        let is_count = match &dot.rhs {
            Expr::Property(property, _) => property.2 == "count",
            Expr::MethodCall(call, _) => call.name == "len",
            _ => false,
        };
        (is_count && of_none != holds).then(|| self.neighborhood(&dot.lhs))?
    }

    /// Records the types that the value at the end of a function implies.
    pub(super) fn learn_from_end(&mut self, statements: &[Stmt], value: &LoweredValue) {
        self.learn_from_exit(value, |this, holds| match statements.last() {
            Some(Stmt::Expr(expression)) => this.learn_from(expression, holds),
            Some(Stmt::FnCall(call, position)) => this.learn_from_call(call, *position, holds),
            _ => {}
        });
    }

    /// Records the types that the value of a `return`, or at the end of a function, implies. `learn` narrows the types
    /// where it is true or false.
    pub(super) fn learn_from_exit(
        &mut self,
        value: &LoweredValue,
        learn: impl Fn(&mut Self, bool),
    ) {
        let LoweredValue::Typed(cases) = value else { return };
        // Only booleans are conditions.
        let truth = cases.iter().find_map(|case| match case {
            TypeCase { ty: Type::Bool, columns: Columns::B(truth), .. } => Some(*truth),
            _ => None,
        });
        let (Some(truth), Some(_)) = (truth, self.active) else { return };
        let known = self.emit.known(truth);
        let before = self.narrowed_types.clone();
        for holds in [false, true] {
            if known == Some(!holds) {
                continue;
            }
            learn(self, holds);
            let now = std::mem::replace(&mut self.narrowed_types, before.clone());
            let LearnedTypes(learned) = &mut self.frame().learned;
            let learned = &mut learned[usize::from(holds)];
            *learned = Some(match learned.take() {
                Some(other) => now.joined(&other),
                None => now,
            });
        }
    }

    /// Stores the types that the result of the function that ends implies, for its caller.
    pub(super) fn keep_learned(&mut self) {
        let frame = self.frame();
        let (path, LearnedTypes(mut learned)) =
            (frame.call_path, std::mem::take(&mut frame.learned));
        for types in learned.iter_mut().flatten() {
            types.retain(|place| self.inferred.tracked.is_constant(place));
        }
        self.learned.insert(path, LearnedTypes(learned));
    }

    /// Returns the ids of arguments that keep their values.
    pub(super) fn constant_ids(&mut self, arguments: &[Expr]) -> Vec<Option<TrackedId>> {
        let ids = arguments.iter().map(|argument| self.tracked_id_of(argument));
        let ids: Vec<_> = ids.collect();
        let is_constant = |id: &TrackedId| self.inferred.tracked.is_constant(id.place());
        ids.into_iter().map(|id| id.filter(is_constant)).collect()
    }

    /// Gives the last declared variable the id of its value.
    pub(super) fn share_id(&mut self, id: Option<TrackedId>) {
        if let (Some(id), Some(variable)) = (id, self.frame().variables.last_mut())
            && matches!(variable.binding, VariableBinding::Constant(_))
        {
            variable.id = id;
        }
    }

    /// Returns the id of a value that stays the same between a condition and what follows it.
    fn tracked_id_of(&mut self, expression: &Expr) -> Option<TrackedId> {
        match expression {
            Expr::Variable(variable, ..) => {
                let found = self.find_variable(&variable.1)?;
                match found.binding {
                    VariableBinding::Constant(_) => Some(found.id),
                    VariableBinding::Stored(id) => Some(id),
                    VariableBinding::NotInColumns(..) => None,
                }
            }
            Expr::Dot(dot, ..) => {
                let base = match &dot.lhs {
                    Expr::Variable(variable, ..) => variable.1.to_string(),
                    _ => return None,
                };
                let base = self.variable(&base, Position::NONE);
                match (base, &dot.rhs) {
                    (
                        base @ (LoweredValue::Me | LoweredValue::World),
                        Expr::Property(property, _),
                    ) => lasting(&base, &property.2).map(|(key, _)| self.inferred.tracked.id(key)),
                    (LoweredValue::Me, Expr::Dot(inner, ..)) => match (&inner.lhs, &inner.rhs) {
                        (Expr::Property(first, _), Expr::Property(name, _))
                            if first.2 == "state" =>
                        {
                            Some(self.inferred.tracked.id(Tracked::State(name.2.to_string())))
                        }
                        _ => None,
                    },
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Returns the types that something may have at this point.
    fn types_of(&mut self, id: TrackedId, expression: &Expr) -> TypeSet {
        if let Some(types) = self.narrowed_types.get(id) {
            return types;
        }
        let variable = match expression {
            Expr::Variable(variable, ..) => variable,
            Expr::Dot(dot, ..) => {
                let (Expr::Variable(base, ..), Expr::Property(property, _)) = (&dot.lhs, &dot.rhs)
                else {
                    return self.inferred.types(id);
                };
                let base = self.variable(&base.1, Position::NONE);
                return match lasting(&base, &property.2) {
                    Some((_, ty)) => [Type::Nothing, ty].into_iter().collect(),
                    None => self.inferred.types(id),
                };
            }
            _ => return self.inferred.types(id),
        };
        match self.find_variable(&variable.1).map(|found| &found.binding) {
            Some(VariableBinding::Constant(value)) => value.types().into_iter().flatten().collect(),
            _ => self.inferred.types(id),
        }
    }
}

/// Returns what `type_of` says of a value of a type.
fn name_in_rhai(ty: Type) -> &'static str {
    match ty {
        Type::Nothing => "()",
        Type::Bool => "bool",
        Type::Int => "i64",
        Type::Float => "f32",
        Type::String => "string",
        other => property_owner(other),
    }
}

/// Returns a property as something tracked, if it keeps its value for a whole turn, and its type where it is not `()`.
fn lasting(of: &LoweredValue, property: &str) -> Option<(Tracked, Type)> {
    let found =
        definitions::find_property(property, of).filter(|one| one.has(Attribute::StableInTurn))?;
    Some((Tracked::StableProperty(found.names[0]), found.result.column()))
}
