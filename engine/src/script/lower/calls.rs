//! Calls: of the script's own functions, of imported ones, and of everything the engine gives.

use rhai::{Expr, FnCallExpr, Position};

use super::Lower;
use super::value::{Alt, Val};
use crate::diag::Diagnostic;
use crate::math::{Binary, Compare, Unary};
use crate::program::{AskObstacle, AskPath, B, Columns, CommonI, F, Look, Near, Type, V};
use crate::steer::{self};
use crate::world::{PathId, View};

impl<'a> Lower<'a> {
    /// `name(...)`, which is also what an operator is.
    pub(super) fn function_call(&mut self, call: &FnCallExpr, position: Position) -> Val {
        if self.active.is_none() {
            return Val::never();
        }
        let name = call.name.as_str();
        if !call.namespace.is_empty() {
            return self.imported_call(call, position);
        }
        if call.capture_parent_scope {
            return self.slow("a call that takes the variables along", position);
        }
        self.warn_of_unknown_group(call);
        let is_own = self.script_defines(name, call.args.len());
        let mut values = self.arguments(call);
        if self.active.is_none() {
            return Val::never();
        }
        if is_own {
            let script = match self.frames.last() {
                Some(frame) => frame.script,
                None => return Val::never(),
            };
            return self.take_in(script, name, values, position);
        }
        let is_operator = !name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        match (is_operator, values.len()) {
            (true, 2) if matches!(name, ".." | "..=") => {
                let inclusive = name == "..=";
                if values.iter().any(|value| matches!(value, Val::Any)) {
                    return Val::Any;
                }
                if self.is_sure_to_fail(name, &values, position) {
                    return Val::Any;
                }
                match (self.whole(&values[0]), self.whole(&values[1])) {
                    (Some(from), Some(to)) => Val::Range { from, to, inclusive },
                    _ => self.slow("a range of these", position),
                }
            }
            (true, 2) => {
                let b = values.pop().unwrap_or_else(Val::never);
                let a = values.pop().unwrap_or_else(Val::never);
                self.binary(name, a, b, position)
            }
            (true, 1) => self.unary(name, &values[0], position),
            _ => self.native(name, values, position),
        }
    }

    /// The values of a call's arguments. A variable that comes first is looked at last, as Rhai has it:
    /// the function could change it.
    fn arguments(&mut self, call: &FnCallExpr) -> Vec<Val> {
        let is_variable = matches!(call.args.first(), Some(Expr::Variable(..)));
        let late = usize::from(is_variable);
        let mut values = Vec::with_capacity(call.args.len());
        for argument in call.args.iter().skip(late) {
            values.push(self.expression(argument));
        }
        if let Some(first) = call.args.first().filter(|_| is_variable) {
            values.insert(0, self.expression(first));
        }
        values
    }

    fn imported_call(&mut self, call: &FnCallExpr, position: Position) -> Val {
        let script: &'a super::Script = match self.frames.last() {
            Some(frame) => frame.script,
            None => return Val::never(),
        };
        let alias = call.namespace.root();
        let Some((_, module)) = script.modules.iter().find(|(known, _)| known == alias) else {
            return self.slow("a call of this", position);
        };
        let values = self.arguments(call);
        if self.active.is_none() {
            return Val::never();
        }
        let defined = module
            .functions()
            .any(|(name, count)| name == call.name.as_str() && count == values.len());
        if !defined {
            return self.slow("a call of this", position);
        }
        self.take_in(module, &call.name, values, position)
    }

    /// The column of a value that is a whole number and nothing else.
    pub(super) fn whole(&self, value: &Val) -> Option<crate::program::I> {
        match value {
            Val::Alts(alts) => match alts[..] {
                [Alt { is: Type::Int, at: Columns::I(at), .. }] => Some(at),
                _ => None,
            },
            _ => None,
        }
    }

    /// A text that is known now.
    pub(super) fn named(&self, value: &Val) -> Option<String> {
        match value {
            Val::Alts(alts) => match alts[..] {
                [Alt { is: Type::Text, at, .. }] => self.known_text(at),
                _ => None,
            },
            _ => None,
        }
    }

    /// A function that the engine gives: the first value is what a method is called on.
    pub(super) fn native(&mut self, name: &str, values: Vec<Val>, position: Position) -> Val {
        let Some(active) = self.active else {
            return Val::never();
        };
        if let Some(Val::Mixed(at)) = values.iter().find(|value| matches!(value, Val::Mixed(_))) {
            let at = *at;
            return self.slow("one thing on one way and another on another", at);
        }
        if values.iter().any(Val::is_never) {
            return self.stop();
        }
        if values.iter().any(|value| matches!(value, Val::Any)) {
            return Val::Any;
        }
        if self.is_sure_to_fail(name, &values, position) {
            return Val::Any;
        }
        self.warn_of_degrees(name, &values, position);
        let primitive = steer::find(name);
        match (&values[..], primitive) {
            ([Val::Me, given @ ..], Some(primitive)) if !primitive.is_combinator() => {
                let given = given.to_vec();
                return self.primitive(primitive, &given, position);
            }
            ([Val::List(_), ..], Some(primitive)) if primitive.is_combinator() => {
                return self.primitive(primitive, &values, position);
            }
            ([Val::Me, rest @ ..], _) => {
                let rest = rest.to_vec();
                return self.of_me_called(name, &rest, position, active);
            }
            ([Val::World, rest @ ..], _) => {
                let rest = rest.to_vec();
                return self.of_world_called(name, &rest, position);
            }
            ([Val::Near(near), rest @ ..], _) => {
                let (near, rest) = (*near, rest.to_vec());
                return self.of_near_called(near, name, &rest, position);
            }
            ([Val::List(items)], _) if name == "len" => {
                return Val::whole(self.emit.const_i(items.len() as i64));
            }
            ([Val::Obstacles], _) if name == "len" => {
                return Val::whole(self.emit.common_i(CommonI::Obstacles));
            }
            ([Val::List(items)], _) if name == "is_empty" => {
                return Val::truth(self.emit.const_b(items.is_empty()));
            }
            ([Val::Constant(pick)], _)
                if matches!(name, "len" | "is_empty") && pick.at.is_none() =>
            {
                let len = pick
                    .among
                    .first()
                    .and_then(|value| value.read_lock::<rhai::Array>().map(|items| items.len()));
                return match len {
                    Some(len) if name == "is_empty" => Val::truth(self.emit.const_b(len == 0)),
                    Some(len) => Val::whole(self.emit.const_i(len as i64)),
                    None => self.slow("the length of this", position),
                };
            }
            _ => {}
        }
        match name {
            "debug" => return self.slow("`debug`", position),
            "curry" => return self.slow("a closure", position),
            "call" => return self.slow("calling a function that is a value", position),
            "vec" if values.len() == 2 => {
                let x = self.as_number(&values[0], "`vec`: the first argument", position);
                let y = self.as_number(&values[1], "`vec`: the second argument", position);
                return match (x, y) {
                    (Some(x), Some(y)) => self.finite(V(x, y)),
                    _ => Val::never(),
                };
            }
            "direction" if values.len() == 1 => {
                let what = "the angle of `direction`";
                let Some(angle) = self.as_number(&values[0], what, position) else {
                    return Val::never();
                };
                let (x, y) = (self.emit.f1(Unary::Cos, angle), self.emit.f1(Unary::Sin, angle));
                return self.finite(V(x, y));
            }
            _ => {}
        }
        let is_of = |value: &Val, wanted: Type| matches!(value, Val::Alts(alts) if alts.iter().any(|alt| alt.is == wanted));
        match &values[..] {
            [first, rest @ ..] if is_of(first, Type::Obstacle) => {
                let (first, rest) = (first.clone(), rest.to_vec());
                self.of_obstacle_called(name, &first, &rest, position)
            }
            [first, rest @ ..] if is_of(first, Type::Path) => {
                let (first, rest) = (first.clone(), rest.to_vec());
                self.of_path_called(name, &first, &rest, position)
            }
            [first, ..] if is_of(first, Type::Vector) => {
                self.of_vector_called(name, &values, position)
            }
            [Val::Alts(_), ..] => self.of_number_called(name, &values, position),
            _ => self.slow(&format!("`{name}` on these"), position),
        }
    }

    fn of_me_called(&mut self, name: &str, values: &[Val], position: Position, active: B) -> Val {
        match (name, values) {
            ("neighbors", []) => {
                let radius = self.const_f(f32::INFINITY);
                self.near(radius, None)
            }
            ("neighbors", [radius]) => {
                let what = "the radius of `neighbors`";
                match self.as_number(radius, what, position) {
                    Some(radius) => self.near_checked(radius, None),
                    None => Val::never(),
                }
            }
            ("nearest", _) => self.nearest(values, position),
            ("to" | "distance", [target]) => {
                let what = format!("the argument of `{name}`");
                let Some(target) = self.as_point(target, &what, position) else {
                    return Val::never();
                };
                let to = self.emit.offset(target);
                if name == "to" { Val::vector(to) } else { Val::number(self.emit.length(to)) }
            }
            ("random", []) => Val::number(self.emit.draw(active)),
            ("random", [low, high]) => {
                let low = self.as_number(low, "the lower end of `random`", position);
                let high = self.as_number(high, "the upper end of `random`", position);
                let (Some(low), Some(high)) = (low, high) else {
                    return Val::never();
                };
                let draw = self.emit.draw(active);
                let span = self.emit.f2(Binary::Sub, high, low);
                let part = self.emit.f2(Binary::Mul, span, draw);
                Val::number(self.emit.f2(Binary::Add, low, part))
            }
            _ => self.encounter(name, values, position, active),
        }
    }

    pub(super) fn near(&mut self, radius: F, group: Option<crate::world::GroupId>) -> Val {
        Val::Near(self.emit.near(Near {
            radius,
            group,
            view: Look::Fixed(View::Around),
            around: None,
            shared: false,
        }))
    }

    /// The same of a radius that must not be negative: said here, also if nobody asks.
    fn near_checked(&mut self, radius: F, group: Option<crate::world::GroupId>) -> Val {
        self.at_least_zero(radius);
        self.near(radius, group)
    }

    /// Lanes where a number is negative or undefined are at fault.
    pub(super) fn at_least_zero(&mut self, x: F) {
        let Some(active) = self.active else { return };
        if let Some(known) = self.known_number(x)
            && known >= 0.0
        {
            return;
        }
        if !self.checked.insert((x, active, false)) {
            return;
        }
        let zero = self.const_f(0.0);
        let good = self.emit.cmp_f(Compare::Ge, x, zero);
        let active = self.emit.and_not(active, good);
        self.emit.fault(active);
    }

    /// The number that a column is known to hold.
    fn known_number(&self, x: F) -> Option<f32> {
        self.emit.constant_f(x)
    }

    fn group_named(&mut self, name: &str, position: Position) -> Option<crate::world::GroupId> {
        match self.facts.names.group(name) {
            Some(group) => Some(group),
            None if self.facts.scenario => {
                let wrong = Diagnostic::error(format!("there is no group `{name}`"))
                    .suggest(name, self.facts.names.groups().iter().map(|known| &**known));
                self.fails(wrong, position);
                None
            }
            None => {
                // Any name may be right in some scenario.
                Some(crate::world::GroupId(0))
            }
        }
    }

    fn nearest(&mut self, values: &[Val], position: Position) -> Val {
        let infinite = self.const_f(f32::INFINITY);
        let (group, radius) = match values {
            [] => (None, None),
            [one] => match self.named(one) {
                Some(group) => (Some(group), None),
                None => (None, Some(one)),
            },
            [group, radius] => match self.named(group) {
                Some(group) => (Some(group), Some(radius)),
                None => return self.slow("a group that is not named here", position),
            },
            _ => return self.slow("`nearest` with these", position),
        };
        let group = match group {
            Some(name) => match self.group_named(&name, position) {
                Some(group) => Some(group),
                None => return Val::never(),
            },
            None => None,
        };
        let near = match radius {
            Some(radius) => {
                let what = "the radius of `nearest`";
                match self.as_number(radius, what, position) {
                    Some(radius) => self.near_checked(radius, group),
                    None => return Val::never(),
                }
            }
            None => self.near(infinite, group),
        };
        match (near, self.active) {
            (Val::Near(near), Some(active)) => {
                let (row, found) = self.emit.nearest(near, active);
                self.nearest_of(near, row, found)
            }
            _ => Val::never(),
        }
    }

    fn of_near_called(&mut self, near: u16, name: &str, values: &[Val], position: Position) -> Val {
        let old = self.emit.program.nears[near as usize];
        let new = match (name, values) {
            ("of", [group]) => {
                let Some(name) = self.named(group) else {
                    return self.slow("a group that is not named here", position);
                };
                match self.group_named(&name, position) {
                    Some(group) => Near { group: Some(group), ..old },
                    None => return Val::never(),
                }
            }
            ("ahead", []) => Near { view: Look::Fixed(View::Ahead), ..old },
            ("in_view", [angle]) => {
                let what = "the angle of `in_view`";
                match self.as_number(angle, what, position) {
                    Some(angle) => Near { view: Look::Over(angle), ..old },
                    None => return Val::never(),
                }
            }
            ("around", [point]) => {
                match self.as_point(point, "the argument of `around`", position) {
                    Some(point) => Near { around: Some(point), ..old },
                    None => return Val::never(),
                }
            }
            ("len" | "is_empty", []) => return self.how_many(near, name),
            _ => return self.slow(&format!("`{name}` on a neighborhood"), position),
        };
        Val::Near(self.emit.near(Near { shared: false, ..new }))
    }

    fn of_world_called(&mut self, name: &str, values: &[Val], position: Position) -> Val {
        match (name, values) {
            ("count", []) => Val::whole(self.emit.common_i(CommonI::Count(None))),
            ("ray", [from, to]) => self.ray(from, to, position),
            ("count" | "obstacle" | "path" | "agent", [one]) => {
                let Some(wanted) = self.named(one) else {
                    return self.slow("a name that is not written here", position);
                };
                match name {
                    "count" => match self.group_named(&wanted, position) {
                        Some(group) => Val::whole(self.emit.common_i(CommonI::Count(Some(group)))),
                        None => Val::never(),
                    },
                    "agent" => match self.group_named(&wanted, position) {
                        Some(group) => self.only(group),
                        None => Val::never(),
                    },
                    "obstacle" => self.obstacle_named(&wanted, position),
                    _ => match self.path_named(&wanted, position) {
                        Some(path) => {
                            let at = self.emit.const_i(i64::from(path.0));
                            Val::one(Type::Path, Columns::I(at))
                        }
                        None => Val::never(),
                    },
                }
            }
            _ => self.slow(&format!("`{name}` on the world"), position),
        }
    }

    fn obstacle_named(&mut self, name: &str, position: Position) -> Val {
        match self.facts.names.obstacle(name) {
            Some(obstacle) => {
                let at = self.emit.const_i(i64::from(obstacle.0));
                Val::one(Type::Obstacle, Columns::I(at))
            }
            None if self.facts.scenario => {
                let wrong = Diagnostic::error(format!("there is no obstacle `{name}`"))
                    .suggest(name, self.facts.names.obstacles().iter().map(|known| &**known));
                self.fails(wrong, position)
            }
            None => {
                let at = self.emit.const_i(0);
                Val::one(Type::Obstacle, Columns::I(at))
            }
        }
    }

    pub(super) fn path_named(&mut self, name: &str, position: Position) -> Option<PathId> {
        match self.facts.names.path(name) {
            Some(path) => Some(path),
            None if self.facts.scenario => {
                let wrong = Diagnostic::error(format!("there is no path `{name}`"))
                    .suggest(name, self.facts.names.paths().iter().map(|known| &**known));
                self.fails(wrong, position);
                None
            }
            None => Some(PathId(0)),
        }
    }

    fn of_obstacle_called(
        &mut self,
        name: &str,
        on: &Val,
        values: &[Val],
        position: Position,
    ) -> Val {
        let ask = match name {
            "contains" => AskObstacle::Contains,
            "distance" => AskObstacle::Distance,
            "closest" => AskObstacle::Closest,
            "normal" => AskObstacle::Normal,
            _ => return self.slow(&format!("`{name}` on an obstacle"), position),
        };
        let [point] = values else {
            return self.slow(&format!("`{name}` with these"), position);
        };
        let alts = self.fitting(on, |is| is == Type::Obstacle, "this", "an obstacle", position);
        let what = format!("the argument of `{name}`");
        let point = self.as_point(point, &what, position);
        let (Some(&Alt { at: Columns::I(which), .. }), Some(point), Some(active)) =
            (alts.first(), point, self.active)
        else {
            return Val::never();
        };
        let to = self.emit.obstacle(ask, which, point, active);
        match ask {
            AskObstacle::Contains => {
                let zero = self.const_f(0.0);
                Val::truth(self.emit.cmp_f(Compare::Ne, to.0, zero))
            }
            AskObstacle::Distance => Val::number(to.0),
            _ => Val::vector(to),
        }
    }

    fn of_path_called(&mut self, name: &str, on: &Val, values: &[Val], position: Position) -> Val {
        let ask = match name {
            "closest" => AskPath::Closest,
            "distance" => AskPath::Distance,
            "along" => AskPath::Along,
            "at" => AskPath::At,
            "point" => AskPath::Point,
            _ => return self.slow(&format!("`{name}` on a path"), position),
        };
        let [point] = values else {
            return self.slow(&format!("`{name}` with these"), position);
        };
        let alts = self.fitting(on, |is| is == Type::Path, "this", "a path", position);
        let what = format!("the argument of `{name}`");
        let point = if ask == AskPath::Point {
            match self.whole(point) {
                Some(place) => Some(V(self.emit.as_f(place), self.emit.as_f(place))),
                None => return self.slow("a point of a path by this", position),
            }
        } else if ask == AskPath::At {
            self.as_number(point, &what, position).map(|along| V(along, along))
        } else {
            self.as_point(point, &what, position)
        };
        let (Some(&Alt { at: Columns::I(which), .. }), Some(point), Some(active)) =
            (alts.first(), point, self.active)
        else {
            return Val::never();
        };
        let to = self.emit.path(ask, which, point, active);
        match ask {
            AskPath::Distance | AskPath::Along => Val::number(to.0),
            _ => Val::vector(to),
        }
    }
}
