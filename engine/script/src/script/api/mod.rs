//! Everything that scripts can call and read, one file for each type.
//!
//! Scripts must not be able to reach anything else: no clock, no files, no output but `debug`.

mod accessors;
mod agents;
mod arrays;
mod bind;
mod by_hand;
pub(in crate::script) mod changes;
mod choices;
mod comparisons;
pub(in crate::script) mod define;
mod inputs;
mod language;
mod lists;
mod me;
pub(in crate::script) mod neighbors;
mod numbers;
mod others;
mod plain;
mod public;
mod shared;
mod surroundings;
mod topic;
mod vectors;
mod world;

use std::any::TypeId;
use std::sync::LazyLock;

use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicFnPackage, BasicIteratorPackage, BasicMapPackage,
    BasicStringPackage, LogicPackage, MoreStringPackage, Package,
};
use rhai::{
    Array, Dynamic, Engine, FuncRegistration, ImmutableString, Module, NativeCallContext,
    RhaiNativeFunc, Shared, Token,
};

pub(super) use accessors::add as add_accessors;
pub(super) use by_hand::{ByHand, ENTRIES as BY_HAND};
pub(super) use choices::no_state_name;
pub use topic::Topic;

use super::handles::{
    AgentHandle, FieldHandle, InputsHandle, MeHandle, NeighborhoodHandle, ObstacleHandle,
    OtherStateHandle, ParamsHandle, PathHandle, ScriptType, SharedHandle, StateHandle, TypeIdFn,
    WorldHandle,
};
use super::problem::{self, Problem, Result};
use super::{limits, messages, turn, value};
use crate::math::Vec2;
use crate::world::ScenarioPart;
use define::{Attribute, Evaluator, Function};

/// Names that can be used anywhere in a script, besides its own.
pub(super) const GLOBALS: &[&str] = &["me", "world", "PI"];

/// All definitions, grouped by the type that they belong to. If several fit a call, the first one is called.
const DEFINITIONS: [&[Function]; 5] =
    [agents::ALL, neighbors::ALL, world::ALL, vectors::ALL, numbers::ALL];

/// Returns the types that a kind takes, in words without an article.
pub(super) fn type_words(kind: define::ValueKind) -> Vec<&'static str> {
    let word = |of: &TypeIdFn| -> &'static str {
        let id = of();
        let builtin = [
            (TypeId::of::<rhai::INT>(), "integer"),
            (TypeId::of::<rhai::FLOAT>(), "float"),
            (TypeId::of::<bool>(), "boolean"),
            (TypeId::of::<ImmutableString>(), "string"),
        ];
        let builtin = builtin.iter().find(|(known, _)| *known == id).map(|(_, word)| *word);
        builtin.or_else(|| ScriptType::of_type(id).map(|of| of.name)).unwrap_or_default()
    };
    kind.types().iter().map(word).collect()
}

/// Evaluates the body of a definition, or that of its variant for integers.
pub(super) fn evaluate<A: Evaluator>(
    function: &Function,
    are_integers: bool,
    on: &A,
) -> std::result::Result<A::Output, A::Error> {
    let in_modules = [
        agents::evaluate::<A>,
        neighbors::evaluate::<A>,
        world::evaluate::<A>,
        vectors::evaluate::<A>,
        numbers::evaluate::<A>,
    ];
    let found = in_modules.into_iter().find_map(|evaluate| evaluate(function, are_integers, on));
    found.unwrap_or_else(|| unreachable!("`{}` is in a list", function.names[0]))
}

/// Returns all definitions.
pub(super) fn all() -> impl Iterator<Item = &'static Function> {
    DEFINITIONS.into_iter().flatten()
}

/// Returns the definitions with a name that are called.
pub(super) fn functions(name: &str) -> impl Iterator<Item = &'static Function> {
    all().filter(move |one| one.binding != define::Binding::Property && one.names.contains(&name))
}

/// Returns whether a function with a name has no definition, or not only that.
pub(super) fn is_by_hand(name: &str) -> bool {
    BY_HAND.iter().any(|one| one.names.contains(&name))
}

/// Returns the definitions with a name and a number of arguments.
pub(super) fn definitions(name: &str, count: usize) -> impl Iterator<Item = &'static Function> {
    all().filter(move |one| one.params.len() == count && one.names.contains(&name))
}

/// Returns whether a function with a name makes a vector of a vector, as `limit` does.
pub(super) fn is_vector_of_vector(name: &str) -> bool {
    use define::ValueKind::{FiniteVector, Vector};
    functions(name).any(|one| {
        matches!(one.params.first(), Some(first) if first.kind == Vector)
            && matches!(one.result, FiniteVector | Vector)
    })
}

/// Returns whether a function with a name is one of `me` that takes a single point or other agent.
pub(super) fn asks_about_another(name: &str) -> bool {
    definitions(name, 2).any(|one| {
        one.binding != define::Binding::Property
            && one.params[0].kind == define::ValueKind::Me
            && matches!(one.params[1].kind, define::ValueKind::Point | define::ValueKind::Agent)
    })
}

/// Returns how the functions with a name are called: those that take a first argument of a type, by its name in
/// messages such as "a vector", or all if there are none.
pub(super) fn signatures(name: &str, first: &str) -> Vec<String> {
    let all = signatures_for(name, first);
    let fitting = all.iter().any(|(fits, _)| *fits);
    let all = all.into_iter().filter(|(fits, _)| *fits || !fitting);
    let mut signatures: Vec<String> = all.map(|(_, one)| one).collect();
    signatures.dedup();
    signatures
}

/// Returns how the method with a name of a type is called, by the name of the type in messages, if it has one.
pub(super) fn method_signature(name: &str, first: &str) -> Option<String> {
    signatures_for(name, first).into_iter().find(|(fits, _)| *fits).map(|(_, one)| one)
}

/// Returns how the functions with a name are called, and whether they take a first argument of a type.
fn signatures_for(name: &str, first: &str) -> Vec<(bool, String)> {
    let type_name = first.split_once(' ').map_or(first, |(_, name)| name).trim_matches('`');
    let is_first = |kind: define::ValueKind| {
        let mut types = kind.types().iter().filter_map(|of| ScriptType::of_type(of()));
        types.any(|of| of.name == type_name)
    };
    let definitions = functions(name).map(|one| {
        let fits = one.params.first().is_some_and(|param| is_first(param.kind));
        (fits, one.signature())
    });
    let by_hand = BY_HAND.iter().filter(|one| one.names.contains(&name)).map(|one| {
        let fits = one.receiver.is_some_and(|(_, of)| !first.is_empty() && of.contains(first));
        (fits, one.signature.to_owned())
    });
    definitions.chain(by_hand).collect()
}

/// Returns whether a function with a name and a number of arguments exists only on `me`, which is missing in the call.
pub(super) fn needs_me(name: &str, given: usize) -> bool {
    let is_on_me = |one: &Function| {
        one.binding != define::Binding::Property && one.params[0].kind == define::ValueKind::Me
    };
    definitions(name, given).next().is_none()
        && definitions(name, given + 1).any(is_on_me)
        && !is_by_hand(name)
}

/// Returns the type of what the functions and properties with a name give; empty if it is not known, or not the same.
pub(super) fn result_type(name: &str) -> &'static str {
    // Setting a property gives nothing.
    let by_hand = BY_HAND.iter().filter(|one| !one.signature.contains(" = "));
    let by_hand = by_hand.clone().any(|one| one.names.contains(&name));
    let mut types = all().filter(|one| one.names.contains(&name)).map(|one| type_words(one.result));
    match types.next().as_deref() {
        Some(&[only]) if !by_hand && types.all(|of| of == [only]) => only,
        _ => "",
    }
}

/// Returns the script types that have a property with this name.
pub(super) fn owners(name: &str) -> impl Iterator<Item = &'static str> {
    API.properties.iter().filter(move |(_, known)| *known == name).map(|(of, _)| *of)
}

/// Returns everything that this module binds, without Rhai's packages.
#[cfg(test)]
pub(super) fn module() -> Shared<Module> {
    API.module.clone()
}

/// Returns the names of all functions.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    API.names.iter().copied()
}

/// Returns whether there is a function with this name.
pub(super) fn is_function(name: &str) -> bool {
    API.names.binary_search(&name).is_ok()
}

/// Returns whether a function or a property with this name may return an array.
pub(super) fn may_return_array(name: &str) -> bool {
    API.returning_arrays.contains(&name)
}

/// Returns whether a function or a property with this name has an attribute.
pub(super) fn has_attribute(name: &str, attribute: Attribute) -> bool {
    all().any(|one| one.names.contains(&name) && one.has(attribute))
}

/// Returns whether a property with this name has an attribute.
pub(super) fn property_has(name: &str, attribute: Attribute) -> bool {
    all().any(|one| {
        one.binding == define::Binding::Property && one.names.contains(&name) && one.has(attribute)
    })
}

/// Returns whether a function with this name has an attribute.
pub(super) fn function_has(name: &str, attribute: Attribute) -> bool {
    all().any(|one| {
        one.binding != define::Binding::Property && one.names.contains(&name) && one.has(attribute)
    })
}

/// Returns whether a function or a property with this name needs a part of the scenario.
pub(super) fn needs(name: &str, part: ScenarioPart) -> bool {
    all().any(|one| one.names.contains(&name) && one.needs() == Some(part))
}

/// Returns the properties of a script type, by the name of the type.
pub(super) fn properties(kind: &str) -> impl Iterator<Item = &'static str> {
    API.properties.iter().filter(move |(of, _)| *of == kind).map(|(_, name)| *name)
}

/// Returns whether any script type has a property with this name.
pub(super) fn is_property(name: &str) -> bool {
    API.properties.iter().any(|(_, known)| *known == name)
}

/// Creates an engine that has everything scripts can use, and nothing else.
pub(super) fn engine() -> Engine {
    let mut engine = Engine::new_raw();
    for package in PACKAGES.iter() {
        engine.register_global_module(package.clone());
    }
    // Of several modules Rhai searches the last one first, so ours takes precedence over the packages.
    engine.register_global_module(API.module.clone());
    limits::set(&mut engine);
    // Rhai's own comparisons treat numbers as equal that differ by a rounding error, and all below 1e-7 as
    // zero, which would lose the sign of a small number. With fast operators, ours would not be called.
    engine.set_fast_operators(false);
    // The standard operator gives different results on different platforms, so it is replaced by our own
    // with the same name and precedence.
    engine.disable_symbol("**");
    engine
        .register_custom_operator("**", POWER_PRECEDENCE)
        .unwrap_or_else(|error| unreachable!("{error}"))
        .disable_symbol("**=")
        .disable_symbol("eval")
        // It can nest functions without a limit; closures do the same.
        .disable_symbol("curry");
    // Rhai reserves the word and never uses it.
    #[expect(deprecated, reason = "the function may change, and the version of Rhai is exact")]
    engine.on_parse_token(|token, _, _| match token {
        Token::Reserved(word) if *word == "shared" => Token::Identifier(word),
        token => token,
    });
    engine.on_debug(|text, source, position| {
        // Outside of a turn, there is no agent that the message could belong to.
        let _ = turn::with(|turn| {
            let place = || messages::place(source.unwrap_or_default(), position.line());
            messages::add(&mut turn.messages, text, place);
            Ok(())
        });
    });
    engine
}

/// Precedence of `**`, the same as that of Rhai's operator: above `*`.
const POWER_PRECEDENCE: u8 = 190;

static PACKAGES: LazyLock<Vec<Shared<Module>>> = LazyLock::new(|| {
    vec![
        ArithmeticPackage::new().as_shared_module(),
        LogicPackage::new().as_shared_module(),
        BasicStringPackage::new().as_shared_module(),
        MoreStringPackage::new().as_shared_module(),
        BasicIteratorPackage::new().as_shared_module(),
        BasicFnPackage::new().as_shared_module(),
        BasicArrayPackage::new().as_shared_module(),
        BasicMapPackage::new().as_shared_module(),
    ]
});

struct Api {
    module: Shared<Module>,
    names: Vec<&'static str>,
    properties: Vec<(&'static str, &'static str)>,
    returning_arrays: Vec<&'static str>,
}

static API: LazyLock<Api> = LazyLock::new(|| {
    let mut builder = ApiBuilder {
        module: Module::new(),
        names: Vec::new(),
        properties: Vec::new(),
        returning_arrays: Vec::new(),
    };
    arrays::add(&mut builder);
    language::add(&mut builder);
    comparisons::add(&mut builder);
    all().for_each(|function| builder.define(function));
    builder.name_type::<Vec2>();
    others::add(&mut builder);
    inputs::add(&mut builder);
    public::add(&mut builder);
    shared::add(&mut builder);
    surroundings::add(&mut builder);
    me::add(&mut builder);
    choices::add(&mut builder);
    changes::add(&mut builder);
    lists::add(&mut builder);
    builder.names.extend(["debug", "len", "push", "is_empty", "contains", "filter", "map"]);
    builder.names.sort_unstable();
    builder.names.dedup();
    builder.module.set_var("world", WorldHandle);
    builder.module.set_var("PI", crate::math::PI);
    builder.module.build_index();
    Api {
        module: builder.module.into(),
        names: builder.names,
        properties: builder.properties,
        returning_arrays: builder.returning_arrays,
    }
});

/// Collects everything that scripts can use.
struct ApiBuilder {
    module: Module,
    names: Vec<&'static str>,
    properties: Vec<(&'static str, &'static str)>,
    returning_arrays: Vec<&'static str>,
}

impl ApiBuilder {
    /// Registers the name of a type for messages.
    fn name_type<T: Clone + 'static>(&mut self) {
        let name = ScriptType::of_type(TypeId::of::<T>()).map_or("?", |kind| kind.name);
        self.module.set_custom_type_raw(std::any::type_name::<T>(), name);
    }

    /// Adds a function that changes its first argument, which therefore must not be a constant.
    fn method<A: 'static, const N: usize, const X: bool, R, const F: bool, FUNC>(
        &mut self,
        name: &'static str,
        function: FUNC,
    ) where
        R: rhai::Variant + Clone,
        FUNC: RhaiNativeFunc<A, N, X, R, F> + Send + Sync + 'static,
    {
        self.names.push(name);
        FuncRegistration::new(name)
            .with_purity(false)
            .with_volatility(true)
            .set_into_module(&mut self.module, function);
    }

    /// Adds a function of given types.
    fn function<A: 'static, const N: usize, const X: bool, R, const F: bool, FUNC>(
        &mut self,
        name: &'static str,
        function: FUNC,
    ) where
        R: rhai::Variant + Clone,
        FUNC: RhaiNativeFunc<A, N, X, R, F> + Send + Sync + 'static,
    {
        self.names.push(name);
        self.note_result::<R>(name);
        FuncRegistration::new(name)
            .with_purity(true)
            .with_volatility(true)
            .set_into_module(&mut self.module, function);
    }

    /// Adds a property of `T` that can be read.
    fn property<T, R>(
        &mut self,
        name: &'static str,
        get: impl Fn(&mut T) -> Result<R> + Send + Sync + 'static,
    ) where
        T: rhai::Variant + Clone,
        R: rhai::Variant + Clone,
    {
        let of = ScriptType::of_type(TypeId::of::<T>()).map_or("?", |kind| kind.name);
        self.properties.push((of, name));
        self.note_result::<R>(name);
        FuncRegistration::new_getter(name)
            .with_volatility(true)
            .set_into_module(&mut self.module, get);
    }

    /// Records that a function returns an array, if it does.
    fn note_result<R: 'static>(&mut self, name: &'static str) {
        if TypeId::of::<R>() == TypeId::of::<Array>() {
            self.returning_arrays.push(name);
        }
    }

    /// Adds a function on `T` that takes a number of arguments of any type.
    fn untyped<T: 'static>(
        &mut self,
        name: &'static str,
        arguments: usize,
        function: impl Fn(&mut [&mut Dynamic]) -> Result<Dynamic> + Send + Sync + 'static,
    ) {
        let mut types = vec![TypeId::of::<T>()];
        types.resize(1 + arguments, TypeId::of::<Dynamic>());
        self.raw(name, &types, function);
    }

    /// Adds an assignment operator, such as `/=`: its result becomes the first argument.
    fn assigning(
        &mut self,
        name: &'static str,
        types: [TypeId; 2],
        function: impl Fn(&Dynamic, &Dynamic) -> Dynamic + Send + Sync + 'static,
    ) {
        let function = move |_: Option<NativeCallContext<'_>>, arguments: &mut [&mut Dynamic]| {
            *arguments[0] = function(arguments[0], arguments[1]);
            Ok(Dynamic::UNIT)
        };
        FuncRegistration::new(name).set_into_module_raw(
            &mut self.module,
            types,
            rhai::RhaiFunc::Method {
                func: Shared::new(function),
                has_context: false,
                is_pure: false,
                is_volatile: true,
            },
        );
    }

    /// A function of any kind of arguments.
    fn raw(
        &mut self,
        name: &'static str,
        types: &[TypeId],
        function: impl Fn(&mut [&mut Dynamic]) -> Result<Dynamic> + Send + Sync + 'static,
    ) {
        self.raw_with_context(name, types, move |_, arguments| function(arguments));
    }

    /// Adds a function that gets its arguments unchecked, and the place of its call.
    fn raw_with_context(
        &mut self,
        name: &'static str,
        types: &[TypeId],
        function: impl Fn(Option<&NativeCallContext<'_>>, &mut [&mut Dynamic]) -> Result<Dynamic>
        + Send
        + Sync
        + 'static,
    ) {
        self.names.push(name);
        let function = move |context: Option<NativeCallContext<'_>>,
                             arguments: &mut [&mut Dynamic]| {
            function(context.as_ref(), arguments)
        };
        FuncRegistration::new(name).set_into_module_raw(
            &mut self.module,
            types,
            // A method takes its first argument by reference, which avoids a copy.
            if types.first() == Some(&TypeId::of::<MeHandle>()) {
                rhai::RhaiFunc::Method {
                    func: Shared::new(function),
                    has_context: true,
                    is_pure: true,
                    is_volatile: true,
                }
            } else {
                rhai::RhaiFunc::Pure {
                    func: Shared::new(function),
                    has_context: true,
                    is_pure: true,
                    is_volatile: true,
                }
            },
        );
    }
}

/// Returns a vector that a script has computed.
///
/// # Errors
///
/// If it is not finite: one such value would spread to everything that is computed from it.
fn finite(v: Vec2) -> Result<Vec2> {
    if v.is_finite() {
        return Ok(v);
    }
    let wrong = problem::not_finite().label(format!("this is ({}, {})", v.x, v.y));
    Err(Problem::from(wrong).into())
}

/// Returns an argument of a function as a number. `index` is that of the argument, with the value before the dot as the first one.
fn number(function: &str, argument: &Dynamic, index: usize) -> Result<f32> {
    value::number(argument).ok_or_else(|| {
        Problem::new(format!("`{function}` takes a number, but got {}", value::kind(argument)))
            .argument(index, argument)
            .into()
    })
}

/// Returns an argument of a function as a string.
fn name(argument: &Dynamic) -> Option<ImmutableString> {
    argument.read_lock::<ImmutableString>().map(|text| text.clone())
}
