//! Definitions read as plain values: what the interpreter calls, and how each is bound.

use std::any::TypeId;

use rhai::{Dynamic, FLOAT, FuncRegistration, INT, RhaiFunc, Shared};

use super::define::{Fact, Form, Function, Kind, Reading, Readings};
use super::{Builder, Itself, Other, TypeOf, finite, others};
use crate::math::Vec2;
use crate::program::I2;
use crate::script::error::{self, Problem, Result};
use crate::script::{turn, value};

/// A call of a definition.
pub(in crate::script) struct Plain<'t> {
    function: &'static Function,
    arguments: &'t [&'t mut Dynamic],
}

impl Builder {
    /// Binds definitions.
    pub(super) fn define(&mut self, all: &'static [Function]) {
        for function in all {
            if function.form == Form::Property {
                self.bind_property(function);
                continue;
            }
            self.names.extend(function.names.iter().filter(|name| is_word(name)));
            if function.form != Form::Language {
                for types in function.types() {
                    self.bind(function, &types);
                }
            }
        }
    }

    fn bind_property(&mut self, function: &'static Function) {
        let [types] = &function.types()[..] else {
            unreachable!("a property is of one type");
        };
        let of = super::Kind::of_type(types[0]).map_or("?", |kind| kind.name);
        for &name in function.names {
            self.properties.push((of, name));
            // What it is of is only looked at, and so needs no copy.
            let func = RhaiFunc::Method {
                func: Shared::new(move |_, arguments| {
                    function.call(&function.readings, arguments)
                }),
                has_context: false,
                is_pure: true,
                is_volatile: true,
            };
            FuncRegistration::new_getter(name).set_into_module_raw(&mut self.module, types, func);
        }
    }

    fn bind(&mut self, function: &'static Function, types: &[TypeId]) {
        let are_integers = types.iter().all(|is| *is == TypeId::of::<INT>());
        let readings = match &function.integers {
            Some(integers) if are_integers => &integers.readings,
            _ => &function.readings,
        };
        for &name in function.names {
            let func = RhaiFunc::Pure {
                func: Shared::new(move |_, arguments| function.call(readings, arguments)),
                has_context: false,
                is_pure: true,
                is_volatile: true,
            };
            FuncRegistration::new(name).set_into_module_raw(&mut self.module, types, func);
        }
    }
}

impl Function {
    /// All lists of types that it is bound for.
    fn types(&self) -> Vec<Vec<TypeId>> {
        let mut all: Vec<Vec<TypeId>> = vec![Vec::new()];
        for (place, param) in self.params.iter().enumerate() {
            let open = self.form == Form::Open && place > 0;
            let types: &[TypeOf] =
                if open { &[TypeId::of::<Dynamic>] } else { param.kind.types() };
            let with = |list: &Vec<TypeId>| {
                let list = list.clone();
                types.iter().map(move |of| list.iter().copied().chain([of()]).collect())
            };
            all = all.iter().flat_map(with).collect();
        }
        all
    }

    fn call(&'static self, readings: &Readings, arguments: &mut [&mut Dynamic]) -> Result<Dynamic> {
        let on = Plain { function: self, arguments };
        let result = (readings.plain)(&on)?;
        if self.has(Fact::NotLinear) {
            return Ok(turn::plain(result));
        }
        if let Some(scale) = self.scale
            && turn::is_noted()
        {
            let by = scale(&on)?;
            let from = on.vector(0)?;
            return Ok(Dynamic::from(turn::scaled(from, result.cast(), || by)));
        }
        Ok(result)
    }
}

impl Kind {
    /// The types of a script that it takes.
    fn types(self) -> &'static [TypeOf] {
        match self {
            Self::Number => &[TypeId::of::<FLOAT>, TypeId::of::<INT>],
            Self::Float => &[TypeId::of::<FLOAT>],
            Self::Integer => &[TypeId::of::<INT>, TypeId::of::<FLOAT>],
            Self::Truth => &[TypeId::of::<bool>],
            Self::Vector | Self::Made => &[TypeId::of::<Vec2>],
            Self::Point => &[TypeId::of::<Vec2>, TypeId::of::<Other>, TypeId::of::<Itself>],
        }
    }
}

impl Plain<'_> {
    /// The name that the function is called by in messages.
    fn name(&self) -> &'static str {
        self.function.names[0]
    }

    /// An argument of a type, or what is wrong with it.
    #[cold]
    fn wrong(&self, place: usize, wanted: &str) -> Box<rhai::EvalAltResult> {
        let (what, found) = (self.function.what(place), value::kind(self.arguments[place]));
        Problem::new(format!("{what} must be {wanted}, and is {found}")).into()
    }
}

impl Reading for Plain<'_> {
    type Number = f32;
    type Vector = Vec2;
    type Truth = bool;
    type Integer = INT;
    type Fault = Box<rhai::EvalAltResult>;
    type Answer = Dynamic;

    #[inline]
    fn number(&self, place: usize) -> Result<f32> {
        match value::number(self.arguments[place]) {
            Some(x) => Ok(x),
            None => super::number(self.name(), self.arguments[place]),
        }
    }

    fn integer(&self, place: usize) -> Result<INT> {
        let float = |_| error::mismatch("a float", "an integer");
        self.arguments[place].as_int().map_err(|kind| Problem::from(float(kind)).into())
    }

    fn truth(&self, place: usize) -> Result<bool> {
        self.arguments[place].as_bool().map_err(|_| self.wrong(place, "a boolean"))
    }

    #[inline]
    fn vector(&self, place: usize) -> Result<Vec2> {
        match self.arguments[place].read_lock::<Vec2>() {
            Some(v) => Ok(*v),
            None => Err(self.wrong(place, "a vector")),
        }
    }

    fn point(&self, place: usize) -> Result<Vec2> {
        let argument = &*self.arguments[place];
        if let Some(v) = argument.read_lock::<Vec2>() {
            return Ok(*v);
        }
        turn::with(|turn| others::point(turn, self.name(), argument))
    }

    #[inline]
    fn give_number(&self, x: f32) -> Result<Dynamic> {
        Ok(x.into())
    }

    #[inline]
    fn give_integer(&self, x: INT) -> Result<Dynamic> {
        Ok(x.into())
    }

    #[inline]
    fn give_truth(&self, x: bool) -> Result<Dynamic> {
        Ok(x.into())
    }

    #[inline]
    fn give_vector(&self, v: Vec2) -> Result<Dynamic> {
        Ok(Dynamic::from(v))
    }

    #[inline]
    fn give_made(&self, v: Vec2) -> Result<Dynamic> {
        finite(v).map(Dynamic::from)
    }

    #[inline]
    fn constant(&self, x: f32) -> f32 {
        x
    }

    fn integers(&self, function: I2, a: INT, b: INT) -> Result<INT> {
        let result = match function {
            I2::Add => a.checked_add(b),
            I2::Sub => a.checked_sub(b),
            I2::Mul => a.checked_mul(b),
            I2::Rem => a.checked_rem(b),
            I2::Pow => u32::try_from(b).ok().and_then(|b| a.checked_pow(b)),
            I2::Min => Some(a.min(b)),
            I2::Max => Some(a.max(b)),
        };
        result.ok_or_else(|| {
            Problem::new(format!("{a} ** {b} is not an integer in range"))
                .help("make one of them a float, such as 2.0")
                .into()
        })
    }

    fn negated(&self, a: INT) -> Result<INT> {
        self.integers(I2::Sub, 0, a)
    }

    fn absolute(&self, a: INT) -> Result<INT> {
        if a < 0 { self.negated(a) } else { Ok(a) }
    }

    fn to_integer(&self, x: f32) -> Result<INT> {
        if x.is_finite() {
            return Ok(x as INT);
        }
        Err(Problem::new(format!("{x} is not an integer")).into())
    }
}

/// Whether a name is that of a function, and not of an operator.
fn is_word(name: &str) -> bool {
    name.starts_with(|c: char| c.is_alphabetic())
}
