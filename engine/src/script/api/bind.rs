//! How definitions are bound: for each list of types that one takes, so that the interpreter finds it by
//! these.

use std::any::TypeId;

use rhai::{
    Dynamic, FLOAT, FuncRegistration, INT, ImmutableString, NativeCallContext, RhaiFunc, Shared,
};

use super::define::{Fact, Form, Function, Kind};
use super::plain::Plain;
use super::{Builder, Itself, Nearby, Other, Surroundings, Thing, TypeOf, Way};
use crate::math::Vec2;
use crate::script::error::Result;
use crate::script::turn::{self, Turn};

impl Builder {
    /// Binds a definition.
    pub(super) fn define(&mut self, function: &'static Function) {
        if function.form == Form::Property {
            self.bind_property(function);
            return;
        }
        self.names.extend(function.names.iter().filter(|name| is_word(name)));
        if function.form != Form::Language {
            for types in function.types() {
                self.bind(function, &types);
            }
        }
    }

    fn bind_property(&mut self, function: &'static Function) {
        for types in function.types() {
            let of = super::Kind::of_type(types[0]).map_or("?", |kind| kind.name);
            for &name in function.names {
                self.properties.push((of, name));
                // What it is of is only looked at, and so needs no copy.
                let func = RhaiFunc::Method {
                    func: call(function, &types),
                    has_context: false,
                    is_pure: true,
                    is_volatile: true,
                };
                FuncRegistration::new_getter(name).set_into_module_raw(
                    &mut self.module,
                    &types,
                    func,
                );
            }
        }
    }

    fn bind(&mut self, function: &'static Function, types: &[TypeId]) {
        for &name in function.names {
            let func = RhaiFunc::Pure {
                func: call(function, types),
                has_context: false,
                is_pure: true,
                is_volatile: true,
            };
            FuncRegistration::new(name).set_into_module_raw(&mut self.module, types, func);
        }
    }
}

/// What the interpreter calls.
type Called =
    dyn Fn(Option<NativeCallContext<'_>>, &mut [&mut Dynamic]) -> Result<Dynamic> + Send + Sync;

/// The function that is bound for types of arguments.
fn call(function: &'static Function, types: &[TypeId]) -> Shared<Called> {
    let are_integers = types.iter().all(|is| *is == TypeId::of::<INT>());
    let plain = match &function.integers {
        Some(integers) if are_integers => integers.readings.plain,
        _ => function.readings.plain,
    };
    // Whatever is neither a number nor a vector is known to those only whose turn it is.
    let known: [TypeOf; 4] =
        [TypeId::of::<INT>, TypeId::of::<FLOAT>, TypeId::of::<bool>, TypeId::of::<Vec2>];
    let is_known = |is: &TypeId| known.iter().any(|of| of() == *is);
    let needs_turn = match function.form {
        Form::Open => function.is_method(),
        _ => !types.iter().all(is_known),
    };
    let has_notes = function.scale.is_some() || function.has(Fact::NotLinear);
    let asks = function.has(Fact::Asks);
    let in_turn = move |turn: &mut Turn, arguments: &[&mut Dynamic]| {
        let result = plain(&Plain { function, arguments, turn: Some(turn) })?;
        if has_notes {
            return Plain { function, arguments, turn: None }.noted(turn, result);
        }
        Ok(result)
    };
    if needs_turn {
        return Shared::new(move |_, arguments| {
            let look = |turn: &mut Turn| in_turn(turn, arguments);
            if asks { turn::ask(look) } else { turn::with(look) }
        });
    }
    if has_notes {
        return Shared::new(move |_, arguments| {
            if turn::is_noted() {
                return turn::with(|turn| in_turn(turn, arguments));
            }
            plain(&Plain { function, arguments, turn: None })
        });
    }
    Shared::new(move |_, arguments| plain(&Plain { function, arguments, turn: None }))
}

impl Function {
    /// All lists of types that it is bound for.
    fn types(&self) -> Vec<Vec<TypeId>> {
        let mut all: Vec<Vec<TypeId>> = vec![Vec::new()];
        for (place, param) in self.params.iter().enumerate() {
            let open = self.form == Form::Open && place > 0;
            let types: &[TypeOf] = if open { &[TypeId::of::<Dynamic>] } else { param.kind.types() };
            let with = |list: &Vec<TypeId>| {
                let list = list.clone();
                types.iter().map(move |of| list.iter().copied().chain([of()]).collect())
            };
            all = all.iter().flat_map(with).collect();
        }
        all
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
            Self::NotNegative | Self::MaybeNumber => Self::Number.types(),
            Self::Vector | Self::Made | Self::MaybeVector => &[TypeId::of::<Vec2>],
            Self::Point => &[TypeId::of::<Vec2>, TypeId::of::<Other>, TypeId::of::<Itself>],
            Self::Text | Self::Group | Self::ObstacleName | Self::PathName => {
                &[TypeId::of::<ImmutableString>]
            }
            Self::Me => &[TypeId::of::<Itself>],
            Self::World => &[TypeId::of::<Surroundings>],
            Self::Someone => &[TypeId::of::<Itself>, TypeId::of::<Other>],
            Self::Agent | Self::MaybeAgent => &[TypeId::of::<Other>],
            Self::Neighbors => &[TypeId::of::<Nearby>],
            Self::Obstacle => &[TypeId::of::<Thing>],
            Self::Path | Self::MaybePath => &[TypeId::of::<Way>],
        }
    }
}

/// Whether a name is that of a function, and not of an operator.
fn is_word(name: &str) -> bool {
    name.starts_with(|c: char| c.is_alphabetic())
}
