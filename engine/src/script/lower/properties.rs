//! Properties: of `me` and the world, of others, of neighborhoods, obstacles, paths and vectors.

use std::slice;

use rhai::{Dynamic, Position};

use super::digest::Part;
use super::value::{Alt, Pick, Val, name};
use super::{Lower, definitions};
use crate::diag::Diagnostic;
use crate::program::{AgentNumber, B, Columns, I, LoweredView, Near, SharedNumber, Type};
use crate::script::api;
use crate::script::error::unknown_property;
use crate::world::View;

impl Lower<'_> {
    /// `base.property`.
    pub(super) fn property(&mut self, base: &Val, property: &str, position: Position) -> Val {
        if self.active.is_none() {
            return Val::never();
        }
        match base {
            Val::Me if property == "params" => Val::Params,
            Val::Me if property == "state" => Val::State,
            Val::World if property == "obstacles" => Val::Obstacles,
            Val::Me | Val::World | Val::Near(_) => match definitions::find_property(property, base)
            {
                Some(function) => self.called(function, slice::from_ref(base), position),
                None => self.unknown(base, property, position),
            },
            Val::Params => self.param(property, position),
            Val::State => self.read_state(property, position),
            Val::Constant(pick) => self.of_constant(pick, property, position),
            Val::List(items) if property == "len" => {
                Val::whole(self.emit.const_i(items.len() as i64))
            }
            Val::Alts(alts) if !alts.is_empty() => self.of_columns(base, property, position),
            Val::Alts(_) => self.stop(),
            Val::Any => Val::Any,
            Val::Mixed(at) => self.slow("one thing on one way and another on another", *at),
            Val::Obstacles | Val::List(_) | Val::Range { .. } => {
                self.slow("a property of this", position)
            }
        }
    }

    fn unknown(&mut self, of: &Val, property: &str, position: Position) -> Val {
        let (kind, shown) = match of {
            Val::Me => ("me", "me"),
            Val::World => ("world", "world"),
            _ => ("neighborhood", "a neighborhood"),
        };
        self.fails(unknown_property(kind, shown, property), position)
    }

    fn param(&mut self, name: &str, position: Position) -> Val {
        let Some(live) = self.emit.program.live else {
            return Val::never();
        };
        match self.facts.kind.param(name) {
            Some(Some(Type::Nothing)) => Val::nothing(),
            Some(Some(is)) => {
                let at = self.emit.param(name, is, live);
                Val::one(is, at)
            }
            Some(None) => self.slow("a parameter that is a list or a map", position),
            None if !self.facts.scenario => {
                self.slow("a parameter that no scenario has given", position)
            }
            None => {
                let group = self.facts.group_name().map_or("", |group| group);
                let params = self.facts.kind.params.iter();
                let wrong = Diagnostic::error(format!("group `{group}` has no param `{name}`"))
                    .suggest(name, params.map(|(known, _)| &**known))
                    .help("params are declared in the scenario, as `params: { \"name\": 1.0 }`");
                self.fails(wrong, position)
            }
        }
    }

    /// An agent that may not be there, unless it is one of a group that always is.
    pub(super) fn nearest_of(&mut self, near: u16, row: I, found: B) -> Val {
        let Near { radius, group, view, .. } = self.emit.program.nears[near as usize];
        let is_everyone = self.known_float(radius) == Some(f32::INFINITY)
            && matches!(view, LoweredView::Fixed(View::Around));
        let value = self.maybe(Type::Agent, Columns::I(row), found);
        if is_everyone
            && self.stage.is_some_and(|stage| stage.is_lasting(group))
            && let Val::Alts(alts) = &value
        {
            // Nothing to warn of.
            let nothing = alts.iter().find(|alt| alt.is == Type::Nothing);
            self.warned.extend(nothing.and_then(|alt| alt.mask));
        }
        value
    }

    /// A number of the agent's body: the same for all agents of the group, or each agent's own.
    pub(super) fn of_body(&mut self, own: AgentNumber, common: SharedNumber) -> crate::program::F {
        if self.facts.kind.one_body { self.emit.common(common) } else { self.emit.own(own) }
    }

    /// Something that is nothing where `is` does not hold.
    pub(super) fn maybe(&mut self, of: Type, at: Columns, is: B) -> Val {
        let not = self.emit.not(is);
        Val::Alts(vec![
            Alt { is: of, mask: Some(is), at },
            Alt { is: Type::Nothing, mask: Some(not), at: Columns::None },
        ])
    }

    fn of_constant(&mut self, pick: &Pick, property: &str, position: Position) -> Val {
        let part = Part::Field(property.to_owned());
        let fields = self.digests.part(&pick.among, part, |maps| {
            let field = |value: &Dynamic| {
                let map = value.read_lock::<rhai::Map>();
                let field = map.and_then(|map| map.get(property).cloned());
                field.unwrap_or(Dynamic::UNIT)
            };
            maps.iter().map(field).collect()
        });
        if fields.iter().any(Dynamic::is_unit) {
            return self.slow("a field that is not always there", position);
        }
        let pick = Pick { among: fields, at: pick.at };
        self.picked(pick, position)
    }

    /// A property of a value in columns.
    fn of_columns(&mut self, base: &Val, property: &str, position: Position) -> Val {
        let Val::Alts(alts) = base else {
            return Val::never();
        };
        let has = |is| api::properties(super::value::kind(is)).any(|known| known == property);
        if !alts.iter().any(|alt| has(alt.is)) {
            let owner = alts.iter().find(|alt| alt.is != Type::Nothing).unwrap_or(&alts[0]).is;
            let kind = super::value::kind(owner);
            if owner == Type::Nothing {
                let wrong = Diagnostic::error(format!("`()` has no `{property}`"));
                return self.fails(wrong.help(crate::script::error::NOTHING), position);
            }
            // Booleans, numbers and strings have properties that Rhai gives them, if any.
            if kind.is_empty() {
                let getter = format!("get${property}");
                if self.has_accessor(&getter, slice::from_ref(base)) {
                    return self.slow("a property of this", position);
                }
            }
            return self.fails(unknown_property(kind, name(owner), property), position);
        }
        let what = format!("what `{property}` is asked of");
        let alts = self.fitting(base, has, &what, "something else", position);
        self.property_of(&alts, property, position).unwrap_or_else(Val::never)
    }
}
