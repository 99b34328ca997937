//! Functions of vectors and numbers.

use rhai::Position;

use super::Lower;
use super::value::Val;
use crate::math::{Binary, Unary};
use crate::program::{F, I2, Type, V};

impl Lower<'_> {
    pub(super) fn of_vector_called(
        &mut self,
        name: &str,
        values: &[Val],
        position: Position,
    ) -> Val {
        let Some(V(x, y)) = self.as_vector(&values[0], "this", position) else {
            return Val::never();
        };
        let a = V(x, y);
        let what = format!("the argument of `{name}`");
        match (name, &values[1..]) {
            ("length", []) => Val::number(self.emit.length(a)),
            ("length_squared", []) => Val::number(self.dot(a, a)),
            ("normalized", []) => Val::vector(self.emit.unit(a)),
            ("perp", []) => Val::vector(V(self.emit.f1(Unary::Neg, y), x)),
            ("angle", []) => Val::number(self.emit.f2(Binary::Atan2, y, x)),
            ("dot" | "cross" | "distance", [other]) => {
                let b = match name {
                    "distance" => self.as_point(other, &what, position),
                    _ => self.as_vector(other, &what, position),
                };
                let Some(b) = b else {
                    return Val::never();
                };
                Val::number(match name {
                    "dot" => self.dot(a, b),
                    "cross" => {
                        let (p, q) =
                            (self.emit.f2(Binary::Mul, x, b.1), self.emit.f2(Binary::Mul, y, b.0));
                        self.emit.f2(Binary::Sub, p, q)
                    }
                    _ => {
                        let way =
                            V(self.emit.f2(Binary::Sub, b.0, x), self.emit.f2(Binary::Sub, b.1, y));
                        self.emit.length(way)
                    }
                })
            }
            ("rotated", [angle]) => {
                let Some(angle) = self.as_number(angle, &what, position) else {
                    return Val::never();
                };
                let (s, c) = (self.emit.f1(Unary::Sin, angle), self.emit.f1(Unary::Cos, angle));
                let (xc, ys) = (self.emit.f2(Binary::Mul, x, c), self.emit.f2(Binary::Mul, y, s));
                let (xs, yc) = (self.emit.f2(Binary::Mul, x, s), self.emit.f2(Binary::Mul, y, c));
                let turned =
                    V(self.emit.f2(Binary::Sub, xc, ys), self.emit.f2(Binary::Add, xs, yc));
                self.finite(turned)
            }
            ("limit", [longest]) => {
                let Some(longest) = self.as_number(longest, &what, position) else {
                    return Val::never();
                };
                Val::vector(self.emit.limit(a, longest))
            }
            ("with_length", [length]) => {
                let Some(length) = self.as_number(length, &what, position) else {
                    return Val::never();
                };
                let unit = self.emit.unit(a);
                let long = V(
                    self.emit.f2(Binary::Mul, unit.0, length),
                    self.emit.f2(Binary::Mul, unit.1, length),
                );
                self.finite(long)
            }
            ("lerp", [other, share]) => {
                let b = self.as_point(other, &what, position);
                let share = self.as_number(share, &what, position);
                let (Some(b), Some(share)) = (b, share) else {
                    return Val::never();
                };
                let mut mixed = |a: F, b: F| {
                    let way = self.emit.f2(Binary::Sub, b, a);
                    let part = self.emit.f2(Binary::Mul, way, share);
                    self.emit.f2(Binary::Add, a, part)
                };
                let between = V(mixed(x, b.0), mixed(y, b.1));
                self.finite(between)
            }
            _ => self.slow(&format!("`{name}` on a vector"), position),
        }
    }

    fn dot(&mut self, a: V, b: V) -> F {
        let (x, y) = (self.emit.f2(Binary::Mul, a.0, b.0), self.emit.f2(Binary::Mul, a.1, b.1));
        self.emit.f2(Binary::Add, x, y)
    }

    pub(super) fn of_number_called(
        &mut self,
        name: &str,
        values: &[Val],
        position: Position,
    ) -> Val {
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
            ("abs", Some([a])) => return Val::whole(self.emit.abs_i(*a, active)),
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
            return self.slow("a number that is whole on one way and not on another", position);
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
            "sin" => one(Unary::Sin),
            "cos" => one(Unary::Cos),
            "tan" => one(Unary::Tan),
            "asin" => one(Unary::Asin),
            "acos" => one(Unary::Acos),
            "atan" => one(Unary::Atan),
            "sinh" => one(Unary::Sinh),
            "cosh" => one(Unary::Cosh),
            "tanh" => one(Unary::Tanh),
            "exp" => one(Unary::Exp),
            "ln" => one(Unary::Ln),
            "log" => one(Unary::Log10),
            "sqrt" => one(Unary::Sqrt),
            "floor" => one(Unary::Floor),
            "ceiling" => one(Unary::Ceiling),
            "round" => one(Unary::Round),
            "fraction" => one(Unary::Fraction),
            "abs" => one(Unary::Abs),
            _ => None,
        };
        match (name, &numbers[..]) {
            (_, [x]) if of_one.is_some() => {
                let op = of_one.map_or(Unary::Neg, |(op, _)| op);
                Val::number(self.emit.f1(op, *x))
            }
            ("to_float", [x]) => Val::number(*x),
            ("to_radians", [x]) => {
                let by = self.const_f(crate::math::PI / 180.0);
                Val::number(self.emit.f2(Binary::Mul, *x, by))
            }
            ("to_degrees", [x]) => {
                let by = self.const_f(180.0 / crate::math::PI);
                Val::number(self.emit.f2(Binary::Mul, *x, by))
            }
            ("to_int", [a]) => Val::whole(self.emit.as_i(*a, active)),
            ("is_finite", [a]) if wholes.is_none() => Val::truth(self.emit.is_finite(*a)),
            ("is_nan", [a]) if wholes.is_none() => Val::truth(self.emit.is_nan(*a)),
            ("atan", [a, b]) => Val::number(self.emit.f2(Binary::Atan2, *a, *b)),
            ("log", [x, base]) => {
                let (x, base) = (self.emit.f1(Unary::Ln, *x), self.emit.f1(Unary::Ln, *base));
                Val::number(self.emit.f2(Binary::Div, x, base))
            }
            ("min", [a, b]) => Val::number(self.emit.f2(Binary::Min, *a, *b)),
            ("max", [a, b]) => Val::number(self.emit.f2(Binary::Max, *a, *b)),
            ("pow", [a, b]) => Val::number(self.emit.f2(Binary::Pow, *a, *b)),
            ("clamp", [x, low, high]) => {
                let x = self.emit.f2(Binary::Min, *x, *high);
                Val::number(self.emit.f2(Binary::Max, x, *low))
            }
            ("lerp", [from, to, share]) => {
                let way = self.emit.f2(Binary::Sub, *to, *from);
                let part = self.emit.f2(Binary::Mul, way, *share);
                Val::number(self.emit.f2(Binary::Add, *from, part))
            }
            _ => self.slow(&format!("`{name}`"), position),
        }
    }
}
