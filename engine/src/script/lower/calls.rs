//! Calls: of the script's own functions, of imported ones, and of everything the engine gives.

use rhai::{Expr, FnCallExpr, Position};

use super::value::{Alt, Val};
use super::{Facts, Lower};
use crate::diag::Diagnostic;
use crate::program::{
    AskObstacle, AskPath, B, Call, Cmp, Columns, Common, CommonI, F, F1, F2, Given, I2, Look, Near,
    Of, Op, Type, V,
};
use crate::steer::{self, Default, Kind, Primitive};
use crate::world::{ObstacleId, PathId, View};

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
                match (self.whole(&values[0]), self.whole(&values[1])) {
                    (Some(from), Some(to)) => Val::Range {
                        from,
                        to,
                        inclusive,
                    },
                    _ => self.slow("a range of these", position),
                }
            }
            (true, 2) => {
                let b = values.pop().unwrap_or_else(Val::never);
                let a = values.pop().unwrap_or_else(Val::never);
                self.binary(name, a, b, position)
            }
            (true, 1) => self.unary(name, &values[0], position),
            _ => self.native(name, values, position, false),
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
    fn whole(&self, value: &Val) -> Option<crate::program::I> {
        match value {
            Val::Alts(alts) => match alts[..] {
                [
                    Alt {
                        is: Type::Int,
                        at: Columns::I(at),
                        ..
                    },
                ] => Some(at),
                _ => None,
            },
            _ => None,
        }
    }

    /// A text that is known now.
    fn named(&self, value: &Val) -> Option<String> {
        match value {
            Val::Alts(alts) => match alts[..] {
                [
                    Alt {
                        is: Type::Text, at, ..
                    },
                ] => self.known_text(at),
                _ => None,
            },
            _ => None,
        }
    }

    /// A function that the engine gives: the first value is what a method is called on.
    pub(super) fn native(
        &mut self,
        name: &str,
        values: Vec<Val>,
        position: Position,
        is_method: bool,
    ) -> Val {
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
        let _ = is_method;
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
                let (x, y) = (self.emit.f1(F1::Cos, angle), self.emit.f1(F1::Sin, angle));
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

    // Vectors.

    fn of_vector_called(&mut self, name: &str, values: &[Val], position: Position) -> Val {
        let Some(V(x, y)) = self.as_vector(&values[0], "this", position) else {
            return Val::never();
        };
        let a = V(x, y);
        let what = format!("the argument of `{name}`");
        match (name, &values[1..]) {
            ("length", []) => Val::number(self.emit.length(a)),
            ("length_squared", []) => Val::number(self.dot(a, a)),
            ("normalized", []) => Val::vector(self.emit.unit(a)),
            ("perp", []) => Val::vector(V(self.emit.f1(F1::Neg, y), x)),
            ("angle", []) => Val::number(self.emit.f2(F2::Atan2, y, x)),
            ("dot" | "cross" | "distance", [other]) => {
                let Some(b) = self.as_vector(other, &what, position) else {
                    return Val::never();
                };
                Val::number(match name {
                    "dot" => self.dot(a, b),
                    "cross" => {
                        let (p, q) = (self.emit.f2(F2::Mul, x, b.1), self.emit.f2(F2::Mul, y, b.0));
                        self.emit.f2(F2::Sub, p, q)
                    }
                    _ => {
                        let way = V(self.emit.f2(F2::Sub, b.0, x), self.emit.f2(F2::Sub, b.1, y));
                        self.emit.length(way)
                    }
                })
            }
            ("rotated", [angle]) => {
                let Some(angle) = self.as_number(angle, &what, position) else {
                    return Val::never();
                };
                let (s, c) = (self.emit.f1(F1::Sin, angle), self.emit.f1(F1::Cos, angle));
                let (xc, ys) = (self.emit.f2(F2::Mul, x, c), self.emit.f2(F2::Mul, y, s));
                let (xs, yc) = (self.emit.f2(F2::Mul, x, s), self.emit.f2(F2::Mul, y, c));
                let turned = V(self.emit.f2(F2::Sub, xc, ys), self.emit.f2(F2::Add, xs, yc));
                self.finite(turned)
            }
            ("limit", [longest]) => {
                let Some(longest) = self.as_number(longest, &what, position) else {
                    return Val::never();
                };
                let to = self.emit.v();
                self.emit.op(Op::Limit { to, a, longest });
                Val::vector(to)
            }
            ("with_length", [length]) => {
                let Some(length) = self.as_number(length, &what, position) else {
                    return Val::never();
                };
                let unit = self.emit.unit(a);
                let long = V(
                    self.emit.f2(F2::Mul, unit.0, length),
                    self.emit.f2(F2::Mul, unit.1, length),
                );
                self.finite(long)
            }
            ("lerp", [other, share]) => {
                let b = self.as_vector(other, &what, position);
                let share = self.as_number(share, &what, position);
                let (Some(b), Some(share)) = (b, share) else {
                    return Val::never();
                };
                let mut mixed = |a: F, b: F| {
                    let way = self.emit.f2(F2::Sub, b, a);
                    let part = self.emit.f2(F2::Mul, way, share);
                    self.emit.f2(F2::Add, a, part)
                };
                let between = V(mixed(x, b.0), mixed(y, b.1));
                self.finite(between)
            }
            _ => self.slow(&format!("`{name}` on a vector"), position),
        }
    }

    fn dot(&mut self, a: V, b: V) -> F {
        let (x, y) = (
            self.emit.f2(F2::Mul, a.0, b.0),
            self.emit.f2(F2::Mul, a.1, b.1),
        );
        self.emit.f2(F2::Add, x, y)
    }

    // Numbers.

    fn of_number_called(&mut self, name: &str, values: &[Val], position: Position) -> Val {
        let Some(active) = self.active else {
            return Val::never();
        };
        let fits = |is| matches!(is, Type::Int | Type::Float);
        let are_numbers = values.iter().all(|value| match value {
            Val::Alts(alts) => alts.iter().all(|alt| fits(alt.is)),
            _ => false,
        });
        if !are_numbers {
            return self.slow(&format!("`{name}` on these"), position);
        }
        let wholes: Option<Vec<_>> = values.iter().map(|value| self.whole(value)).collect();
        // What keeps whole numbers whole.
        match (name, wholes.as_deref()) {
            ("floor" | "ceiling" | "round" | "fraction" | "to_int", Some([x])) => {
                return Val::whole(*x);
            }
            ("abs", Some([a])) => {
                let to = self.emit.i();
                self.emit.op(Op::AbsI { to, a: *a, active });
                return Val::whole(to);
            }
            ("min" | "max" | "pow", Some([a, b])) => {
                let op = match name {
                    "min" => I2::Min,
                    "max" => I2::Max,
                    _ => I2::Pow,
                };
                return Val::whole(self.emit.i2(op, *a, *b, active));
            }
            _ => {}
        }
        let mixed = values.iter().any(|value| match value {
            Val::Alts(alts) => alts.len() > 1,
            _ => false,
        });
        let keeps = matches!(
            name,
            "floor"
                | "ceiling"
                | "round"
                | "fraction"
                | "to_int"
                | "abs"
                | "min"
                | "max"
                | "pow"
                | "is_finite"
                | "is_nan"
        );
        if mixed && keeps {
            return self.slow(
                "a number that is whole on one way and not on another",
                position,
            );
        }
        let mut numbers = Vec::with_capacity(values.len());
        for value in values {
            match self.as_number(value, "this", position) {
                Some(number) => numbers.push(number),
                None => return Val::never(),
            }
        }
        let one = |op| Some((op, 1));
        let of_one = match name {
            "sin" => one(F1::Sin),
            "cos" => one(F1::Cos),
            "tan" => one(F1::Tan),
            "asin" => one(F1::Asin),
            "acos" => one(F1::Acos),
            "atan" => one(F1::Atan),
            "sinh" => one(F1::Sinh),
            "cosh" => one(F1::Cosh),
            "tanh" => one(F1::Tanh),
            "exp" => one(F1::Exp),
            "ln" => one(F1::Ln),
            "log" => one(F1::Log10),
            "sqrt" => one(F1::Sqrt),
            "floor" => one(F1::Floor),
            "ceiling" => one(F1::Ceiling),
            "round" => one(F1::Round),
            "fraction" => one(F1::Fraction),
            "abs" => one(F1::Abs),
            _ => None,
        };
        match (name, &numbers[..]) {
            (_, [x]) if of_one.is_some() => {
                let op = of_one.map_or(F1::Neg, |(op, _)| op);
                Val::number(self.emit.f1(op, *x))
            }
            ("to_float", [x]) => Val::number(*x),
            ("to_radians", [x]) => {
                let by = self.const_f(crate::math::PI / 180.0);
                Val::number(self.emit.f2(F2::Mul, *x, by))
            }
            ("to_degrees", [x]) => {
                let by = self.const_f(180.0 / crate::math::PI);
                Val::number(self.emit.f2(F2::Mul, *x, by))
            }
            ("to_int", [a]) => {
                let to = self.emit.i();
                self.emit.op(Op::ToI { to, a: *a, active });
                Val::whole(to)
            }
            ("is_finite", [a]) if wholes.is_none() => {
                let to = self.emit.b();
                self.emit.op(Op::IsFinite { to, a: *a });
                Val::truth(to)
            }
            ("is_nan", [a]) if wholes.is_none() => {
                let to = self.emit.b();
                self.emit.op(Op::IsNan { to, a: *a });
                Val::truth(to)
            }
            ("atan", [a, b]) => Val::number(self.emit.f2(F2::Atan2, *a, *b)),
            ("log", [x, base]) => {
                let (x, base) = (self.emit.f1(F1::Ln, *x), self.emit.f1(F1::Ln, *base));
                Val::number(self.emit.f2(F2::Div, x, base))
            }
            ("min", [a, b]) => Val::number(self.emit.f2(F2::Min, *a, *b)),
            ("max", [a, b]) => Val::number(self.emit.f2(F2::Max, *a, *b)),
            ("pow", [a, b]) => Val::number(self.emit.f2(F2::Pow, *a, *b)),
            ("clamp", [x, low, high]) => {
                let x = self.emit.f2(F2::Min, *x, *high);
                Val::number(self.emit.f2(F2::Max, x, *low))
            }
            ("lerp", [from, to, share]) => {
                let way = self.emit.f2(F2::Sub, *to, *from);
                let part = self.emit.f2(F2::Mul, way, *share);
                Val::number(self.emit.f2(F2::Add, *from, part))
            }
            _ => self.slow(&format!("`{name}`"), position),
        }
    }

    // `me`.

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
                let to = self.offset(target);
                if name == "to" {
                    Val::vector(to)
                } else {
                    Val::number(self.emit.length(to))
                }
            }
            ("random", []) => {
                let to = self.emit.f();
                self.emit.op(Op::Draw { to, active });
                Val::number(to)
            }
            ("random", [low, high]) => {
                let low = self.as_number(low, "the lower end of `random`", position);
                let high = self.as_number(high, "the upper end of `random`", position);
                let (Some(low), Some(high)) = (low, high) else {
                    return Val::never();
                };
                let draw = self.emit.f();
                self.emit.op(Op::Draw { to: draw, active });
                let span = self.emit.f2(F2::Sub, high, low);
                let part = self.emit.f2(F2::Mul, span, draw);
                Val::number(self.emit.f2(F2::Add, low, part))
            }
            _ => self.slow(&format!("`{name}` on `me`"), position),
        }
    }

    /// The way to a point.
    fn offset(&mut self, target: V) -> V {
        let to = self.emit.v();
        self.emit.op(Op::Offset { to, target });
        to
    }

    fn near(&mut self, radius: F, group: Option<crate::world::GroupId>) -> Val {
        Val::Near(self.emit.near(Near {
            radius,
            group,
            view: Look::Fixed(View::Around),
            shared: false,
        }))
    }

    /// The same of a radius that must not be negative: said here, also if nobody asks.
    fn near_checked(&mut self, radius: F, group: Option<crate::world::GroupId>) -> Val {
        self.at_least_zero(radius);
        self.near(radius, group)
    }

    /// Lanes where a number is negative or undefined are at fault.
    fn at_least_zero(&mut self, x: F) {
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
        let good = self.emit.cmp_f(Cmp::Ge, x, zero);
        let active = self.emit.and_not(active, good);
        self.emit.op(Op::Fault { active });
    }

    /// The number that a column is known to hold.
    fn known_number(&self, x: F) -> Option<f32> {
        self.emit.program.prologue.iter().find_map(|op| match op {
            Op::ConstF { to, value } if *to == x => Some(*value),
            _ => None,
        })
    }

    fn group_named(&mut self, name: &str, position: Position) -> Option<crate::world::GroupId> {
        match Facts::place(&self.facts.groups, name) {
            Some(place) => Some(crate::world::GroupId(place)),
            None if self.facts.scenario => {
                let wrong = Diagnostic::error(format!("there is no group `{name}`"))
                    .suggest(name, self.facts.groups.iter().map(|known| &**known));
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
                self.maybe_agent(row, found)
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
                    Some(group) => Near {
                        group: Some(group),
                        ..old
                    },
                    None => return Val::never(),
                }
            }
            ("ahead", []) => Near {
                view: Look::Fixed(View::Ahead),
                ..old
            },
            ("in_view", [angle]) => {
                let what = "the angle of `in_view`";
                match self.as_number(angle, what, position) {
                    Some(angle) => Near {
                        view: Look::Over(angle),
                        ..old
                    },
                    None => return Val::never(),
                }
            }
            _ => return self.slow(&format!("`{name}` on a neighborhood"), position),
        };
        Val::Near(self.emit.near(Near {
            shared: false,
            ..new
        }))
    }

    // The world.

    fn of_world_called(&mut self, name: &str, values: &[Val], position: Position) -> Val {
        match (name, values) {
            ("count", []) => Val::whole(self.emit.common_i(CommonI::Count(None))),
            ("count" | "obstacle" | "path", [one]) => {
                let Some(wanted) = self.named(one) else {
                    return self.slow("a name that is not written here", position);
                };
                match name {
                    "count" => match self.group_named(&wanted, position) {
                        Some(group) => Val::whole(self.emit.common_i(CommonI::Count(Some(group)))),
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
        let found = Facts::place(&self.facts.obstacles, name).map(ObstacleId);
        match found {
            Some(obstacle) => {
                let at = self.emit.const_i(i64::from(obstacle.0));
                Val::one(Type::Obstacle, Columns::I(at))
            }
            None if self.facts.scenario => {
                let wrong = Diagnostic::error(format!("there is no obstacle `{name}`"))
                    .suggest(name, self.facts.obstacles.iter().map(|known| &**known));
                self.fails(wrong, position)
            }
            None => {
                let at = self.emit.const_i(0);
                Val::one(Type::Obstacle, Columns::I(at))
            }
        }
    }

    fn path_named(&mut self, name: &str, position: Position) -> Option<PathId> {
        match Facts::place(&self.facts.paths, name).map(PathId) {
            Some(path) => Some(path),
            None if self.facts.scenario => {
                let wrong = Diagnostic::error(format!("there is no path `{name}`"))
                    .suggest(name, self.facts.paths.iter().map(|known| &**known));
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
        let alts = self.fitting(
            on,
            |is| is == Type::Obstacle,
            "this",
            "an obstacle",
            position,
        );
        let what = format!("the argument of `{name}`");
        let point = self.as_point(point, &what, position);
        let (
            Some(&Alt {
                at: Columns::I(which),
                ..
            }),
            Some(point),
            Some(active),
        ) = (alts.first(), point, self.active)
        else {
            return Val::never();
        };
        let to = self.emit.v();
        self.emit.op(Op::Obstacle {
            ask,
            to,
            which,
            point,
            active,
        });
        match ask {
            AskObstacle::Contains => {
                let zero = self.const_f(0.0);
                Val::truth(self.emit.cmp_f(Cmp::Ne, to.0, zero))
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
                Some(place) => Some(V(self.emit.to_f(place), self.emit.to_f(place))),
                None => return self.slow("a point of a path by this", position),
            }
        } else if ask == AskPath::At {
            self.as_number(point, &what, position)
                .map(|along| V(along, along))
        } else {
            self.as_point(point, &what, position)
        };
        let (
            Some(&Alt {
                at: Columns::I(which),
                ..
            }),
            Some(point),
            Some(active),
        ) = (alts.first(), point, self.active)
        else {
            return Val::never();
        };
        let to = self.emit.v();
        self.emit.op(Op::Path {
            ask,
            to,
            which,
            point,
            active,
        });
        match ask {
            AskPath::Distance | AskPath::Along => Val::number(to.0),
            _ => Val::vector(to),
        }
    }

    // Primitives.

    fn primitive(
        &mut self,
        primitive: &'static Primitive,
        given: &[Val],
        position: Position,
    ) -> Val {
        if given.len() < primitive.required() || given.len() > primitive.params.len() {
            let wrong = Diagnostic::error(primitive.wrong_count(given.len()).to_string())
                .help(format!("call it as `{}`", primitive.usage()));
            return self.fails(wrong, position);
        }
        let mut args = Vec::with_capacity(given.len());
        for (param, value) in primitive.params.iter().zip(given) {
            let what = format!("{}: `{}`", primitive.name, param.name);
            let wanted = param.kind.expected();
            let place = match param.kind {
                Kind::Number => self.as_number(value, &what, position).map(Given::Number),
                Kind::Point => self.as_point(value, &what, position).map(Given::Vector),
                Kind::Vector => self
                    .of_agent_or_vector(value, &what, wanted, (Of::VelX, Of::VelY), position)
                    .map(Given::Vector),
                Kind::Agent => {
                    let alts = self.fitting(value, |is| is == Type::Agent, &what, wanted, position);
                    match alts.first() {
                        Some(Alt {
                            at: Columns::I(row),
                            ..
                        }) => Some(Given::Agent(*row)),
                        _ => None,
                    }
                }
                Kind::Neighbors => match value {
                    Val::Near(near) => Some(Given::Neighbors(*near)),
                    _ => match self.as_number(value, &what, position) {
                        Some(radius) => match self.near(radius, None) {
                            Val::Near(near) => Some(Given::Neighbors(near)),
                            _ => None,
                        },
                        None => None,
                    },
                },
                Kind::Path => match self.named(value) {
                    Some(name) => self
                        .path_named(&name, position)
                        .map(|path| Given::Path(self.emit.const_i(i64::from(path.0)))),
                    None => {
                        let alts =
                            self.fitting(value, |is| is == Type::Path, &what, wanted, position);
                        match alts.first() {
                            Some(Alt {
                                at: Columns::I(path),
                                ..
                            }) => Some(Given::Path(*path)),
                            _ => None,
                        }
                    }
                },
                Kind::Forces => match value {
                    Val::List(items) => {
                        let mut forces = Vec::with_capacity(items.len());
                        for (i, item) in items.iter().enumerate() {
                            let what = format!("{}: element {i}", primitive.name);
                            match self.as_vector(item, &what, position) {
                                Some(force) => forces.push(force),
                                None => return Val::never(),
                            }
                        }
                        Some(Given::Forces(forces))
                    }
                    _ => return self.slow("a list of forces that is not made here", position),
                },
            };
            match place {
                Some(place) => args.push(place),
                None => return Val::never(),
            }
        }
        if primitive
            .params
            .iter()
            .skip(given.len())
            .any(|param| param.default == Default::OwnPath)
            && self.facts.path.is_none()
        {
            if self.facts.scenario {
                let group = self.facts.groups.get(self.facts.group.0 as usize);
                let wrong = Diagnostic::error(format!(
                    "{} needs a path: group `{}` has none, so give `path`",
                    primitive.name,
                    group.map_or("", |group| group)
                ));
                return self.fails(wrong, position);
            }
            return self.slow("a path that no scenario has given", position);
        }
        let Some(active) = self.active else {
            return Val::never();
        };
        if let Some(force) = self.taken_apart(primitive, &args, position, active) {
            return force;
        }
        let (vel, to) = (self.vel(), self.emit.v());
        let site = self.site(position);
        let call = Box::new(Call {
            primitive,
            args,
            vel,
            to,
            site,
        });
        self.emit.op(Op::Call { call, active });
        Val::vector(to)
    }

    /// The place of a call among those of the program.
    fn site(&mut self, position: Position) -> u16 {
        let place = self.place(Diagnostic::note(""), position).place;
        let sites = &mut self.emit.program.sites;
        sites.push(place);
        (sites.len() - 1) as u16
    }

    /// Primitives that are so simple that they are quicker as operations on columns.
    fn taken_apart(
        &mut self,
        primitive: &'static Primitive,
        args: &[Given],
        position: Position,
        active: B,
    ) -> Option<Val> {
        let speed = |this: &mut Self, at: usize| match args.get(at) {
            Some(Given::Number(speed)) => Some(*speed),
            None => Some(this.emit.common(Common::MaxSpeed)),
            _ => None,
        };
        let force = match (primitive.name, args) {
            ("separation" | "alignment" | "cohesion", [Given::Neighbors(near), ..]) => {
                let speed = speed(self, 1)?;
                let radius = self.emit.program.nears[*near as usize].radius;
                self.at_least_zero(radius);
                self.speed_given(speed);
                let sum = match primitive.name {
                    "separation" => self.emit.push(*near, active),
                    "alignment" => self.emit.means(*near, active).2,
                    _ => self.emit.means(*near, active).1,
                };
                let along = self.emit.unit(sum);
                let zero = self.const_f(0.0);
                let none = if primitive.name == "cohesion" {
                    let count = self.emit.means(*near, active).0;
                    let zero = self.emit.const_i(0);
                    self.emit.cmp_i(Cmp::Eq, count, zero)
                } else {
                    let (x, y) = (
                        self.emit.cmp_f(Cmp::Eq, along.0, zero),
                        self.emit.cmp_f(Cmp::Eq, along.1, zero),
                    );
                    self.emit.and(x, y)
                };
                let wanted = self.wanted(along, speed);
                V(
                    self.emit.select_f(none, zero, wanted.0),
                    self.emit.select_f(none, zero, wanted.1),
                )
            }
            ("seek", [Given::Vector(target), ..]) => {
                let speed = speed(self, 1)?;
                self.speed_given(speed);
                let way = self.offset(*target);
                let along = self.emit.unit(way);
                self.wanted(along, speed)
            }
            ("arrive", [Given::Vector(target), Given::Number(slowing), ..]) => {
                let speed = speed(self, 2)?;
                self.at_least_zero(*slowing);
                self.speed_given(speed);
                let way = self.offset(*target);
                let (along, distance) = (self.emit.unit(way), self.emit.length(way));
                let is_near = self.emit.cmp_f(Cmp::Lt, distance, *slowing);
                let share = self.emit.f2(F2::Div, distance, *slowing);
                let slow = self.emit.f2(F2::Mul, speed, share);
                let speed = self.emit.select_f(is_near, slow, speed);
                self.wanted(along, speed)
            }
            _ => return None,
        };
        let site = self.site(position);
        self.emit.op(Op::Gave {
            primitive,
            a: force,
            site,
            active,
        });
        Some(self.finite(force))
    }

    /// A direction at a speed, minus the velocity there is.
    fn wanted(&mut self, along: V, speed: F) -> V {
        let vel = self.vel();
        let (x, y) = (
            self.emit.f2(F2::Mul, along.0, speed),
            self.emit.f2(F2::Mul, along.1, speed),
        );
        V(
            self.emit.f2(F2::Sub, x, vel.0),
            self.emit.f2(F2::Sub, y, vel.1),
        )
    }

    /// A speed to want must be a number from 0, and finite.
    fn speed_given(&mut self, speed: F) {
        self.at_least_zero(speed);
        let Some(active) = self.active else { return };
        if !self.checked.insert((speed, active, true)) {
            return;
        }
        let infinite = self.const_f(f32::INFINITY);
        let bad = self.emit.cmp_f(Cmp::Eq, speed, infinite);
        let active = self.emit.and(active, bad);
        self.emit.op(Op::Fault { active });
    }
}
