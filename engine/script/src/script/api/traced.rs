//! Functions for traced values: the definitions, combinators, setters and conversions to strings.

use std::any::TypeId;

use rhai::{
    Array, Dynamic, FLOAT, FuncRegistration, INT, Module, NativeCallContext, RhaiFunc, Shared,
};

use super::bind::define_traced;
use super::plain::ScriptValue;
use super::{DEFINITIONS, finite, me};
use crate::math::Vec2;
use crate::script::error::Result;
use crate::script::messages;
pub(super) use crate::script::traced::{TracedNumber, TracedVector};
use crate::steer::{self, Vector as _};

/// Returns all functions for traced values.
pub(super) fn module() -> Module {
    let mut module = Module::new();
    for function in DEFINITIONS.iter().copied().flatten() {
        define_traced(&mut module, function);
    }
    for combinator in steer::COMBINATORS {
        for given in combinator.required()..=combinator.params.len() {
            let mut types = vec![TypeId::of::<Array>()];
            types.resize(given, TypeId::of::<Dynamic>());
            let func = RhaiFunc::Pure {
                func: Shared::new(
                    move |_: Option<NativeCallContext<'_>>, arguments: &mut [&mut Dynamic]| {
                        me::combine_traced(combinator, arguments)
                    },
                ),
                has_context: false,
                is_pure: true,
                is_volatile: true,
            };
            FuncRegistration::new(combinator.name).set_into_module_raw(&mut module, types, func);
        }
    }
    setters(&mut module);
    for name in ["to_string", "to_debug"] {
        FuncRegistration::new(name).set_into_module(&mut module, |x: &mut TracedNumber| {
            Dynamic::from(x.value).to_string()
        });
        FuncRegistration::new(name)
            .set_into_module(&mut module, |v: &mut TracedVector| messages::vector(v.value));
    }
    module.build_index();
    module
}

/// Adds `v.x = number`, which can turn a plain vector into a traced one.
fn setters(module: &mut Module) {
    let vectors = [TypeId::of::<Vec2>(), TypeId::of::<TracedVector>()];
    let numbers = [TypeId::of::<FLOAT>(), TypeId::of::<INT>(), TypeId::of::<TracedNumber>()];
    for (name, is_x) in [("x", true), ("y", false)] {
        let pairs = vectors.iter().flat_map(|&v| numbers.iter().map(move |&x| [v, x]));
        // Plain vectors and numbers have their usual setters.
        for types in pairs.filter(|types| types.contains(&vectors[1]) || types[1] == numbers[2]) {
            let func = RhaiFunc::Method {
                func: Shared::new(
                    move |_: Option<NativeCallContext<'_>>, arguments: &mut [&mut Dynamic]| {
                        set(arguments, is_x)
                    },
                ),
                has_context: false,
                is_pure: false,
                is_volatile: true,
            };
            FuncRegistration::new(format!("set${name}")).set_into_module_raw(module, types, func);
        }
    }
}

fn set(arguments: &mut [&mut Dynamic], is_x: bool) -> Result<Dynamic> {
    let (Some(v), Some(part)) =
        (TracedVector::from_dynamic(arguments[0]), TracedNumber::from_dynamic(arguments[1]))
    else {
        return Ok(Dynamic::UNIT);
    };
    let (x, y) = v.parts();
    let v = if is_x { TracedVector::new(part, y) } else { TracedVector::new(x, part) };
    finite(v.value)?;
    *arguments[0] = v.into_dynamic();
    Ok(Dynamic::UNIT)
}
