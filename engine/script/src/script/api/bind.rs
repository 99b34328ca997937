//! Binds definitions to the interpreter: once for each combination of types that a definition takes, because the
//! interpreter finds functions by the types of the arguments.

use std::any::TypeId;

use rhai::{
    Dynamic, FLOAT, FuncRegistration, INT, ImmutableString, Module, NativeCallContext, RhaiFunc,
    Shared,
};

use super::define::{Attribute, Binding, Function, InterpretedCall, ValueKind};
use super::{
    AgentHandle, ApiBuilder, FieldHandle, MeHandle, NeighborhoodHandle, ObstacleHandle, PathHandle,
    TypeIdFn, WorldHandle,
};
use crate::math::Vec2;
use crate::script::problem::Result;
use crate::script::turn::{self, ScriptTurn};

impl ApiBuilder {
    /// Binds a definition.
    pub(super) fn define(&mut self, function: &'static Function) {
        if function.binding == Binding::Property {
            for types in function.types() {
                let of = super::ScriptType::of_type(types[0]).map_or("?", |kind| kind.name);
                self.properties.extend(function.names.iter().map(|&name| (of, name)));
            }
        } else {
            self.names.extend(function.names.iter().filter(|name| is_word(name)));
        }
        if function.binding != Binding::BuiltIn {
            for types in function.types() {
                bind(&mut self.module, function, &types);
            }
        }
    }
}

fn bind(module: &mut Module, function: &'static Function, types: &[TypeId]) {
    for &name in function.names {
        let func = call(function, types);
        let (has_context, is_pure, is_volatile) = (false, true, true);
        let is_getter = function.binding == Binding::Property;
        let is_of_me = types.first() == Some(&TypeId::of::<MeHandle>());
        if is_getter {
            // A getter takes its owner by reference, which avoids a copy.
            let func = RhaiFunc::Method { func, has_context, is_pure, is_volatile };
            FuncRegistration::new_getter(name).set_into_module_raw(module, types, func);
        } else if is_of_me || function.is_operator() {
            // So do operators and the methods of `me`. After a call of a method of another value, Rhai would set the
            // property that the value was read from.
            let func = RhaiFunc::Method { func, has_context, is_pure, is_volatile };
            FuncRegistration::new(name).set_into_module_raw(module, types, func);
        } else {
            let func = RhaiFunc::Pure { func, has_context, is_pure, is_volatile };
            FuncRegistration::new(name).set_into_module_raw(module, types, func);
        }
    }
}

/// A native function as the interpreter calls it.
type NativeFn =
    dyn Fn(Option<NativeCallContext<'_>>, &mut [&mut Dynamic]) -> Result<Dynamic> + Send + Sync;

/// Returns the native function of a definition for given types of arguments.
fn call(function: &'static Function, types: &[TypeId]) -> Shared<NativeFn> {
    let are_integers = types.iter().all(|is| *is == TypeId::of::<INT>());
    let read = match &function.integers {
        Some(integers) if are_integers => integers.body,
        _ => function.body,
    };
    // Numbers and vectors can be used without a turn, all other values refer to the world of the turn.
    let known: [TypeIdFn; 4] =
        [TypeId::of::<INT>, TypeId::of::<FLOAT>, TypeId::of::<bool>, TypeId::of::<Vec2>];
    let is_known = |is: &TypeId| known.iter().any(|of| of() == *is);
    let needs_turn = match function.binding {
        Binding::Untyped => function.is_method(),
        _ => !types.iter().all(is_known),
    };
    let queries = function.has(Attribute::Queries);
    if needs_turn {
        return Shared::new(move |_, arguments| {
            let evaluate = |turn: &mut ScriptTurn| {
                read(&InterpretedCall { function, arguments, turn: Some(turn) })
            };
            if queries { turn::query(evaluate) } else { turn::with(evaluate) }
        });
    }
    Shared::new(move |_, arguments| read(&InterpretedCall { function, arguments, turn: None }))
}

impl Function {
    /// Returns all combinations of types that it is bound for.
    fn types(&self) -> Vec<Vec<TypeId>> {
        let mut all: Vec<Vec<TypeId>> = vec![Vec::new()];
        for (place, param) in self.params.iter().enumerate() {
            let open = self.binding == Binding::Untyped && place > 0;
            let types: &[TypeIdFn] =
                if open { &[TypeId::of::<Dynamic>] } else { param.kind.types() };
            let types: Vec<TypeId> = types.iter().map(|of| of()).collect();
            let with = |list: &Vec<TypeId>| {
                let list = list.clone();
                let types = types.clone().into_iter();
                types.map(move |of| list.iter().copied().chain([of]).collect())
            };
            all = all.iter().flat_map(with).collect();
        }
        all
    }
}

impl ValueKind {
    /// Returns the types of script values that it takes.
    pub(super) fn types(self) -> &'static [TypeIdFn] {
        match self {
            Self::Number => &[TypeId::of::<FLOAT>, TypeId::of::<INT>],
            Self::Float => &[TypeId::of::<FLOAT>],
            Self::Integer => &[TypeId::of::<INT>, TypeId::of::<FLOAT>],
            Self::Boolean => &[TypeId::of::<bool>],
            Self::NotNegative | Self::MaybeNumber => Self::Number.types(),
            Self::Vector | Self::FiniteVector | Self::MaybeVector => &[TypeId::of::<Vec2>],
            Self::Point => &[TypeId::of::<Vec2>, TypeId::of::<AgentHandle>, TypeId::of::<MeHandle>],
            Self::String
            | Self::Group
            | Self::LayerName
            | Self::ObstacleName
            | Self::PathName
            | Self::FieldName => &[TypeId::of::<ImmutableString>],
            Self::Me => &[TypeId::of::<MeHandle>],
            Self::World => &[TypeId::of::<WorldHandle>],
            Self::AnyAgent => &[TypeId::of::<MeHandle>, TypeId::of::<AgentHandle>],
            Self::Agent | Self::MaybeAgent => &[TypeId::of::<AgentHandle>],
            Self::Neighbors => &[TypeId::of::<NeighborhoodHandle>],
            Self::Obstacle => &[TypeId::of::<ObstacleHandle>],
            Self::Path | Self::MaybePath => &[TypeId::of::<PathHandle>],
            Self::Field => &[TypeId::of::<FieldHandle>],
        }
    }
}

/// Returns whether a name is that of a function, not of an operator.
fn is_word(name: &str) -> bool {
    name.starts_with(|c: char| c.is_alphabetic())
}
