//! Properties of `me` and the world, of other agents, neighborhoods, obstacles, paths and vectors.

use std::slice;

use rhai::{Dynamic, Position};

use super::analysis::ConstantPart;
use super::tracked::Tracked;
use super::value::{ConstantPick, LoweredValue, TypeCase, type_name};
use super::{Lowering, definitions};
use crate::diag::{Declared, Diagnostic, Remedy};
use crate::program::{AgentNumber, B, Columns, I, LoweredView, Near, SharedNumber, Type};
use crate::script::api;
use crate::script::error::unknown_property;
use crate::script::problem;
use crate::world::View;

impl Lowering<'_> {
    /// Lowers `base.property`.
    pub(super) fn property(
        &mut self,
        base: &LoweredValue,
        property: &str,
        position: Position,
    ) -> LoweredValue {
        if self.active.is_none() {
            return LoweredValue::never();
        }
        let value = self.property_within(base, property, position);
        let owner = match base {
            LoweredValue::Me => "me",
            LoweredValue::World => "world",
            LoweredValue::State => "me.state",
            LoweredValue::Params => "me.params",
            _ => return value,
        };
        self.name_optional(&value, || format!("{owner}.{property}"));
        value
    }

    fn property_within(
        &mut self,
        base: &LoweredValue,
        property: &str,
        position: Position,
    ) -> LoweredValue {
        match base {
            LoweredValue::Me if property == "params" => LoweredValue::Params,
            LoweredValue::Me if property == "state" => LoweredValue::State,
            LoweredValue::World if property == "obstacles" => LoweredValue::Obstacles,
            LoweredValue::World if property == "inputs" => LoweredValue::Inputs,
            LoweredValue::World if property == "shared" => LoweredValue::Shared,
            LoweredValue::Me | LoweredValue::World | LoweredValue::Neighborhood(_) => {
                match definitions::find_property(property, base) {
                    Some(function) => {
                        self.call_definition(function, slice::from_ref(base), position)
                    }
                    None => self.fail_unknown_property(base, property, position),
                }
            }
            LoweredValue::Params => self.param(property, position),
            LoweredValue::State => self.read_state(property, position),
            LoweredValue::Inputs => self.input(property, position),
            LoweredValue::OtherState(row) => self.other_state(*row, property, position),
            LoweredValue::Shared => self.shared_value(property, position),
            LoweredValue::Array(items) if property == "len" => {
                LoweredValue::integer(self.emit.const_i(items.len() as i64))
            }
            LoweredValue::List(list) if property == "len" => LoweredValue::integer(list.count),
            LoweredValue::Array(_) | LoweredValue::List(_) | LoweredValue::Obstacles => {
                self.property_of_array(base, property, position)
            }
            LoweredValue::Constant(pick) if pick.candidates.iter().all(Dynamic::is_array) => {
                self.property_of_array(base, property, position)
            }
            LoweredValue::Constant(pick) => self.constant_field(pick, property, position),
            LoweredValue::Typed(cases) if !cases.is_empty() => {
                self.property_of_columns(base, property, position)
            }
            LoweredValue::Typed(_) => self.stop_here(),
            LoweredValue::Interpreted => LoweredValue::Interpreted,
            LoweredValue::Differing(at) => self.leave_differing(*at),
            LoweredValue::Text(_)
            | LoweredValue::Map(_)
            | LoweredValue::Closure(_)
            | LoweredValue::Range { .. } => {
                let what = format!("`{property}` of {}", base.description());
                self.leave_to_interpreter(&what, position)
            }
        }
    }

    /// Lowers a property of an array, which has only those that Rhai gives it.
    fn property_of_array(
        &mut self,
        base: &LoweredValue,
        property: &str,
        position: Position,
    ) -> LoweredValue {
        if !self.has_accessor(&format!("get${property}"), slice::from_ref(base)) {
            return self.fail(unknown_property("array", "an array", property), position);
        }
        let what = format!("`{property}` of {}", base.description());
        self.leave_to_interpreter(&what, position)
    }

    fn fail_unknown_property(
        &mut self,
        of: &LoweredValue,
        property: &str,
        position: Position,
    ) -> LoweredValue {
        let (kind, shown) = match of {
            LoweredValue::Me => ("me", "`me`"),
            LoweredValue::World => ("world", "`world`"),
            _ => ("neighborhood", "a neighborhood"),
        };
        self.fail(unknown_property(kind, shown, property), position)
    }

    /// Lowers `world.inputs.name`.
    fn input(&mut self, name: &str, position: Position) -> LoweredValue {
        match self.facts.names.input(name) {
            Some(index) => LoweredValue::boolean(self.emit.input(index)),
            None if !self.facts.scenario => {
                self.leave_to_interpreter("an input that no scenario declares", position)
            }
            None => self.fail(problem::no_input(name, &self.facts.names), position),
        }
    }

    fn param(&mut self, name: &str, position: Position) -> LoweredValue {
        let Some(live) = self.emit.program.live else {
            return LoweredValue::never();
        };
        match self.facts.kind.param(name) {
            Some(Some(Type::Nothing)) => LoweredValue::nothing(),
            Some(Some(ty)) => {
                let at = if self.facts.kind.is_drawn(name) {
                    Columns::F(self.emit.own_param(name, live))
                } else {
                    self.emit.param(name, ty, live)
                };
                if self.trial_world.is_some() {
                    self.param_columns.insert(at, name.to_owned());
                }
                LoweredValue::of_type(ty, at)
            }
            Some(None) => self.leave_with_help(
                "a param that is an array or a map",
                "use several params, or a `const` array in the script",
                position,
            ),
            None if !self.facts.scenario => {
                self.leave_to_interpreter("a param that no scenario gives", position)
            }
            None => {
                let group = self.facts.group_name().map_or("", |group| group);
                let params = self.facts.kind.params.iter();
                let wrong = Diagnostic::error(format!("group `{group}` has no param `{name}`"))
                    .suggest(name, params.map(|(known, _)| &**known))
                    .help(format!("declare it in the scenario: `params: {{ \"{name}\": 1.0 }}`"))
                    .remedy(Remedy::Declare {
                        group: group.to_owned(),
                        what: Declared::Param,
                        name: name.to_owned(),
                    });
                self.fail(wrong, position)
            }
        }
    }

    /// Returns an agent that may not exist. It gives no warning for one of a group that always has agents, or of a
    /// neighborhood that has some at this point.
    pub(super) fn optional_agent(&mut self, near: u16, row: I, found: B) -> LoweredValue {
        let Near { radius, group, relation, view, most, .. } =
            self.emit.program.nears[near as usize];
        let is_everyone = self.known_float(radius) == Some(f32::INFINITY)
            && relation.is_none()
            && most.is_none()
            && matches!(view, LoweredView::Fixed(View::Around));
        let value = self.optional(Type::Agent, Columns::I(row), found);
        let always_has_one =
            is_everyone && self.trial_world.is_some_and(|world| world.always_has_another(group));
        let id = self.inferred.tracked.id(Tracked::AgentOf(near));
        if (always_has_one || self.narrowed_types.get(id).is_some())
            && let LoweredValue::Typed(cases) = &value
        {
            // No warning is given that it may be `()`.
            let nothing = cases.iter().find(|case| case.ty == Type::Nothing);
            self.warned.extend(nothing.and_then(|case| case.mask));
        }
        value
    }

    /// Returns a number of the agent's body: the same column for all agents of the group, or each agent's
    /// own.
    pub(super) fn body_number(
        &mut self,
        own: AgentNumber,
        common: SharedNumber,
    ) -> crate::program::F {
        if self.facts.kind.one_body { self.emit.common(common) } else { self.emit.own(own) }
    }

    /// Returns a value that is `()` where `exists` does not hold.
    pub(super) fn optional(&mut self, of: Type, at: Columns, exists: B) -> LoweredValue {
        let not = self.emit.not(exists);
        LoweredValue::Typed(vec![
            TypeCase { ty: of, mask: Some(exists), columns: at },
            TypeCase { ty: Type::Nothing, mask: Some(not), columns: Columns::None },
        ])
    }

    fn constant_field(
        &mut self,
        pick: &ConstantPick,
        property: &str,
        position: Position,
    ) -> LoweredValue {
        let part = ConstantPart::Field(property.to_owned());
        let fields = self.analyses.constant_part(&pick.candidates, part, |maps| {
            let field = |value: &Dynamic| {
                let map = value.read_lock::<rhai::Map>();
                let field = map.and_then(|map| map.get(property).cloned());
                field.unwrap_or(Dynamic::UNIT)
            };
            maps.iter().map(field).collect()
        });
        if fields.iter().any(Dynamic::is_unit) {
            let what = format!("`{property}`, which not all of these maps have,");
            return self.leave_with_help(&what, "give all of these maps the same fields", position);
        }
        let pick = ConstantPick { candidates: fields, index: pick.index };
        self.picked_constant(pick, position)
    }

    /// Lowers a property of a value in columns.
    fn property_of_columns(
        &mut self,
        base: &LoweredValue,
        property: &str,
        position: Position,
    ) -> LoweredValue {
        let LoweredValue::Typed(cases) = base else {
            return LoweredValue::never();
        };
        let has =
            |ty| api::properties(super::value::property_owner(ty)).any(|known| known == property);
        if !cases.iter().any(|case| has(case.ty)) {
            let owner = cases.iter().find(|case| case.ty != Type::Nothing).unwrap_or(&cases[0]).ty;
            let kind = super::value::property_owner(owner);
            if owner == Type::Nothing {
                let wrong = Diagnostic::error(format!("`()` has no property `{property}`"));
                return self.fail(wrong.help(problem::NOTHING_HELP), position);
            }
            // Booleans, numbers and strings have only the properties that Rhai gives them.
            if kind.is_empty() {
                let getter = format!("get${property}");
                if self.has_accessor(&getter, slice::from_ref(base)) {
                    let what = format!("`{property}` of {}", type_name(owner));
                    return self.leave_to_interpreter(&what, position);
                }
            }
            return self.fail(unknown_property(kind, type_name(owner), property), position);
        }
        let what = format!("the value before `.{property}`");
        let cases = self.cases_that_fit(base, has, &what, "something else", position);
        if property == "state"
            && let [TypeCase { ty: Type::Agent, columns: Columns::I(row), .. }] = cases[..]
        {
            return LoweredValue::OtherState(row);
        }
        self.property_of(&cases, property, position).unwrap_or_else(LoweredValue::never)
    }
}
