//! Direct access to params, states, inputs and shared values whose names are written in a script, also to states of other agents.
//!
//! Rhai looks for a getter of `me.params.x` first. Only when there is none does it make an error with a message, drop
//! it, and call the indexer. So a script gets a getter and a setter for each name that it uses, which give the same
//! as the indexer. Where they cannot, they leave it to the indexer, whose errors are shown.

use std::any::TypeId;

use rhai::{Dynamic, EvalAltResult, FuncRegistration, Module, Position, RhaiFunc, Shared};

use super::inputs::input;
use super::me::{param, set_state, state};
use super::public::state_of;
use super::shared::shared;
use super::{InputsHandle, OtherStateHandle, ParamsHandle, SharedHandle, StateHandle};
use crate::script::handles::SCRIPT_TYPES;
use crate::script::meter;
use crate::script::problem::Result;

/// Adds getters and setters for these names to the module of a script.
pub(in crate::script) fn add<'n>(module: &mut Module, names: impl Iterator<Item = &'n str>) {
    for name in names {
        let key = name.to_owned();
        getter::<ParamsHandle>(module, name, move |_| param(&key));
        let key = name.to_owned();
        getter::<StateHandle>(module, name, move |_| state(&key));
        let key = name.to_owned();
        getter::<OtherStateHandle>(module, name, move |of| state_of(of.0, &key));
        let key = name.to_owned();
        getter::<InputsHandle>(module, name, move |_| input(&key));
        let key = name.to_owned();
        getter::<SharedHandle>(module, name, move |_| shared(&key));
        setter(module, name);
    }
    // Rhai looks up the name of a type at each call of a method, in this module first.
    for of in SCRIPT_TYPES {
        module.set_custom_type_raw((of.path)(), of.name);
    }
    module.build_index();
}

fn getter<T: rhai::Variant + Copy>(
    module: &mut Module,
    name: &str,
    get: impl Fn(T) -> Result<Dynamic> + Send + Sync + 'static,
) {
    let get = move |_: Option<rhai::NativeCallContext<'_>>, arguments: &mut [&mut Dynamic]| {
        count_call()?;
        let of = arguments[0].read_lock::<T>().map(|of| *of);
        of.map_or_else(leave_to_indexer, |of| get(of).or_else(|_| leave_to_indexer()))
    };
    let func = RhaiFunc::Method {
        func: Shared::new(get),
        has_context: false,
        is_pure: true,
        is_volatile: true,
    };
    FuncRegistration::new_getter(name).set_into_module_raw(module, [TypeId::of::<T>()], func);
}

fn setter(module: &mut Module, name: &str) {
    let key = name.to_owned();
    let set = move |_: Option<rhai::NativeCallContext<'_>>, arguments: &mut [&mut Dynamic]| {
        count_call()?;
        if arguments[0].is_read_only() {
            return leave_to_indexer();
        }
        set_state(&key, arguments[1]).map(|()| Dynamic::UNIT).or_else(|_| leave_to_indexer())
    };
    let func = RhaiFunc::Method {
        func: Shared::new(set),
        has_context: false,
        is_pure: true,
        is_volatile: true,
    };
    let types = [TypeId::of::<StateHandle>(), TypeId::of::<Dynamic>()];
    // Not `new_setter`, which says that it changes its first argument.
    FuncRegistration::new(format!("set${name}"))
        .in_global_namespace()
        .set_into_module_raw(module, types, func);
}

/// Counts the call of the indexer that is not made. If the limit is exceeded, the indexer is called, which stops the
/// script at its own place.
fn count_call() -> Result<()> {
    if meter::step() { leave_to_indexer().map(|_| ()) } else { Ok(()) }
}

/// Returns the error after which Rhai calls the indexer.
fn leave_to_indexer() -> Result<Dynamic> {
    Err(EvalAltResult::ErrorDotExpr(String::new(), Position::NONE).into())
}
