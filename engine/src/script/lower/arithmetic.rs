//! Functions of vectors and numbers.

use rhai::Position;

use super::Lower;
use super::value::Val;
use crate::program::{F, F1, F2, I2, Op, Type, V};

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
            ("perp", []) => Val::vector(V(self.emit.f1(F1::Neg, y), x)),
            ("angle", []) => Val::number(self.emit.f2(F2::Atan2, y, x)),
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
                let long =
                    V(self.emit.f2(F2::Mul, unit.0, length), self.emit.f2(F2::Mul, unit.1, length));
                self.finite(long)
            }
            ("lerp", [other, share]) => {
                let b = self.as_point(other, &what, position);
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
        let (x, y) = (self.emit.f2(F2::Mul, a.0, b.0), self.emit.f2(F2::Mul, a.1, b.1));
        self.emit.f2(F2::Add, x, y)
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
}
