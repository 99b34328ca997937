//! Properties: of `me` and the world, of others, of neighbourhoods, obstacles, paths and vectors.

use std::slice;

use rhai::{Dynamic, Position};

use super::Lower;
use super::digest::Part;
use super::keys::Key;
use super::value::{Alt, Pick, Val, name};
use crate::diag::Diagnostic;
use crate::math::{Binary, Compare};
use crate::program::{
    AskObstacle, AskPath, B, Columns, Common, CommonI, I, Look, Near, Of, OfI, Type, V,
};
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
            Val::Me => self.of_me(property, position),
            Val::World => self.of_world(property, position),
            Val::Params => self.param(property, position),
            Val::State => self.read_state(property, position),
            Val::Near(near) => self.of_near(*near, property, position),
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

    fn unknown(&mut self, of: &str, kind: &str, property: &str, position: Position) -> Val {
        self.fails(unknown_property(kind, of, property), position)
    }

    fn own(&mut self, what: Of) -> Val {
        Val::number(self.emit.own(what))
    }

    fn own_vector(&mut self, x: Of, y: Of) -> Val {
        Val::vector(V(self.emit.own(x), self.emit.own(y)))
    }

    fn common(&mut self, what: Common) -> Val {
        Val::number(self.emit.common(what))
    }

    fn common_vector(&mut self, x: Common, y: Common) -> Val {
        Val::vector(V(self.emit.common(x), self.emit.common(y)))
    }

    fn of_me(&mut self, property: &str, position: Position) -> Val {
        match property {
            "id" => Val::whole(self.emit.own_i(OfI::Id)),
            "index" => Val::whole(self.emit.own_i(OfI::Index)),
            "group" if self.facts.scenario => {
                let group = self.emit.common_i(CommonI::Group);
                self.group = Some(group);
                Val::one(Type::Text, Columns::I(group))
            }
            "group" => Val::one(Type::Text, Columns::I(self.emit.own_i(OfI::Group))),
            "pos" => self.own_vector(Of::PosX, Of::PosY),
            "vel" => Val::vector(self.vel()),
            "heading" => self.own_vector(Of::HeadingX, Of::HeadingY),
            "speed" if self.sets_vel => {
                let vel = self.vel();
                Val::number(self.emit.length(vel))
            }
            "speed" => self.own(Of::Speed),
            "radius" => Val::number(self.of_body(Of::Radius, Common::Radius)),
            "mass" => Val::number(self.of_body(Of::Mass, Common::Mass)),
            "max_speed" => Val::number(self.of_body(Of::MaxSpeed, Common::MaxSpeed)),
            "max_force" => Val::number(self.of_body(Of::MaxForce, Common::MaxForce)),
            "goal" | "goal_radius" => {
                let (at, radius, is) = self.emit.goal();
                let not = self.emit.not(is);
                let (of, at) = if property == "goal" {
                    (Type::Vector, Columns::V(at))
                } else {
                    (Type::Float, Columns::F(radius))
                };
                let there = Alt { is: of, mask: Some(is), at };
                let gone = Alt { is: Type::Nothing, mask: Some(not), at: Columns::None };
                let value = Val::Alts(vec![there, gone]);
                if property == "goal" {
                    let goal = self.seen.keys.id(Key::Goal);
                    self.narrowed(goal, value)
                } else {
                    value
                }
            }
            "path" => match self.facts.kind.path {
                Some(path) => {
                    let at = self.emit.const_i(i64::from(path.0));
                    Val::one(Type::Path, Columns::I(at))
                }
                None if self.facts.scenario => Val::nothing(),
                None => self.slow("a path that no scenario has given", position),
            },
            "waypoint" => match self.facts.kind.path {
                Some(path) => {
                    let which = self.emit.const_i(i64::from(path.0));
                    Val::vector(self.emit.waypoint(which).0)
                }
                None if self.facts.scenario => Val::nothing(),
                None => self.slow("a path that no scenario has given", position),
            },
            "params" => Val::Params,
            "state" => Val::State,
            _ => self.fails(unknown_property("me", "me", property), position),
        }
    }

    fn of_world(&mut self, property: &str, position: Position) -> Val {
        match property {
            "time" => self.common(Common::Time),
            "dt" => self.common(Common::Dt),
            "tick" => Val::whole(self.emit.common_i(CommonI::Tick)),
            "size" => self.common_vector(Common::SizeX, Common::SizeY),
            "min" => self.common_vector(Common::MinX, Common::MinY),
            "max" => self.common_vector(Common::MaxX, Common::MaxY),
            "cursor" => {
                let is = self.emit.has_cursor();
                let not = self.emit.not(is);
                let at = V(self.emit.common(Common::CursorX), self.emit.common(Common::CursorY));
                let there = Alt { is: Type::Vector, mask: Some(is), at: Columns::V(at) };
                let gone = Alt { is: Type::Nothing, mask: Some(not), at: Columns::None };
                let cursor = self.seen.keys.id(Key::Cursor);
                self.narrowed(cursor, Val::Alts(vec![there, gone]))
            }
            "obstacles" => Val::Obstacles,
            _ => self.unknown("world", "world", property, position),
        }
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

    fn of_near(&mut self, near: u16, property: &str, position: Position) -> Val {
        let Some(active) = self.active else {
            return Val::never();
        };
        match property {
            "count" => Val::whole(self.emit.means(near, active).0),
            "mean_offset" | "mean_velocity" | "center" => {
                let (count, offsets, velocities) = self.emit.means(near, active);
                let sum = if property == "mean_velocity" { velocities } else { offsets };
                let zero = self.emit.const_i(0);
                let none = self.emit.cmp_i(Compare::Eq, count, zero);
                let n = self.emit.as_f(count);
                let mean =
                    V(self.emit.f2(Binary::Div, sum.0, n), self.emit.f2(Binary::Div, sum.1, n));
                let still = self.const_f(0.0);
                let mean = V(
                    self.emit.select_f(none, still, mean.0),
                    self.emit.select_f(none, still, mean.1),
                );
                if property != "center" {
                    return Val::vector(mean);
                }
                let around = self.emit.program.nears[usize::from(near)].around;
                let V(x, y) =
                    around.unwrap_or_else(|| V(self.emit.own(Of::PosX), self.emit.own(Of::PosY)));
                let center =
                    V(self.emit.f2(Binary::Add, x, mean.0), self.emit.f2(Binary::Add, y, mean.1));
                self.finite(center)
            }
            "nearest" => {
                let (row, found) = self.emit.nearest(near, active);
                self.nearest_of(near, row, found)
            }
            "first" => {
                let (row, found) = self.emit.first(near, active);
                self.nearest_of(near, row, found)
            }
            _ => self.unknown("a neighborhood", "neighborhood", property, position),
        }
    }

    /// An agent that may not be there, unless it is one of a group that always is.
    pub(super) fn nearest_of(&mut self, near: u16, row: I, found: B) -> Val {
        let Near { radius, group, view, .. } = self.emit.program.nears[near as usize];
        let is_everyone = self.known_float(radius) == Some(f32::INFINITY)
            && matches!(view, Look::Fixed(View::Around));
        let value = self.maybe_agent(row, found);
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
    pub(super) fn of_body(&mut self, own: Of, common: Common) -> crate::program::F {
        if self.facts.kind.one_body { self.emit.common(common) } else { self.emit.own(own) }
    }

    /// An agent that may not be there.
    pub(super) fn maybe_agent(&mut self, row: I, found: B) -> Val {
        self.maybe(Type::Agent, Columns::I(row), found)
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
            return self.unknown(name(owner), kind, property, position);
        }
        let what = format!("what `{property}` is asked of");
        let alts = self.fitting(base, has, &what, "something else", position);
        let Some(active) = self.active else {
            return Val::never();
        };
        let mut results = Vec::new();
        for alt in alts {
            let here = alt.mask.map_or(active, |mask| self.emit.and(active, mask));
            let found = match (alt.is, alt.at) {
                (Type::Vector, Columns::V(V(x, y))) => {
                    (Type::Float, Columns::F(if property == "x" { x } else { y }))
                }
                (Type::Agent, Columns::I(row)) => self.of_agent(row, property),
                (Type::Obstacle, Columns::I(which)) => {
                    let ask = match property {
                        "center" => AskObstacle::Center,
                        "radius" => AskObstacle::Radius,
                        _ => return self.slow("the name of an obstacle", position),
                    };
                    let zero = self.const_f(0.0);
                    let to = self.emit.obstacle(ask, which, V(zero, zero), here);
                    if ask == AskObstacle::Center {
                        (Type::Vector, Columns::V(to))
                    } else {
                        (Type::Float, Columns::F(to.0))
                    }
                }
                (Type::Path, Columns::I(which)) => {
                    let ask = match property {
                        "radius" => AskPath::Radius,
                        "length" => AskPath::Length,
                        "count" => {
                            let to = self.emit.path_count(which);
                            results.push((alt.mask, Type::Int, Columns::I(to)));
                            continue;
                        }
                        _ => return self.slow("the name of a path", position),
                    };
                    let zero = self.const_f(0.0);
                    let to = self.emit.path(ask, which, V(zero, zero), here);
                    (Type::Float, Columns::F(to.0))
                }
                _ => continue,
            };
            results.push((alt.mask, found.0, found.1));
        }
        self.gathered(results)
    }

    fn of_agent(&mut self, row: I, property: &str) -> (Type, Columns) {
        let whole = match property {
            "id" => Some((Type::Int, OfI::Id)),
            "index" => Some((Type::Int, OfI::Index)),
            "group" => Some((Type::Text, OfI::Group)),
            _ => None,
        };
        if let Some((is, what)) = whole {
            return (is, Columns::I(self.emit.other_i(row, what)));
        }
        let pair = match property {
            "pos" => Some((Of::PosX, Of::PosY)),
            "vel" => Some((Of::VelX, Of::VelY)),
            "heading" => Some((Of::HeadingX, Of::HeadingY)),
            _ => None,
        };
        if let Some((x, y)) = pair {
            let v = V(self.emit.other(row, x), self.emit.other(row, y));
            return (Type::Vector, Columns::V(v));
        }
        let what = match property {
            "speed" => Of::Speed,
            "radius" => Of::Radius,
            "mass" => Of::Mass,
            "max_speed" => Of::MaxSpeed,
            _ => Of::MaxForce,
        };
        (Type::Float, Columns::F(self.emit.other(row, what)))
    }
}
