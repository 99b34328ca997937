//! What scripts can call and read, one file for each kind of thing.

mod agents;
mod arrays;
mod bind;
mod by_hand;
mod comparisons;
pub(in crate::script) mod define;
mod language;
mod lists;
mod me;
pub(in crate::script) mod neighbors;
mod numbers;
mod others;
mod plain;
mod surroundings;
mod traced;
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
    RhaiNativeFunc, Shared,
};

pub(super) use by_hand::{ByHand, ENTRIES as BY_HAND};
pub(super) use define::Bodies;
pub(super) use me::{MeHandle, ParamsHandle, StateHandle};
pub(super) use others::{AgentHandle, NeighborhoodHandle};
pub(super) use plain::{Arithmetic, BodyFn, ScriptValue};
pub(super) use surroundings::{ObstacleHandle, PathHandle, WorldHandle};

use super::error::{Problem, Result};
use super::turn::DebugMessage;
use super::{limits, turn, value};
use crate::math::Vec2;
use define::{Attribute, Function};

/// What is in reach everywhere in a script, besides its own names.
pub(super) const GLOBALS: &[&str] = &["me", "world", "PI"];

/// Gives the id of a type; a function, since the id itself is no constant.
type TypeIdFn = fn() -> TypeId;

/// A kind of thing that scripts handle.
pub(super) struct ScriptType {
    id: TypeIdFn,
    path: fn() -> &'static str,
    /// What to call it in messages.
    pub(super) name: &'static str,
}

impl ScriptType {
    const fn of<T: 'static>(name: &'static str) -> Self {
        Self { id: TypeId::of::<T>, path: std::any::type_name::<T>, name }
    }

    /// The kind of a type, if it is one of ours.
    pub(super) fn of_type(id: TypeId) -> Option<&'static Self> {
        SCRIPT_TYPES.iter().find(|kind| (kind.id)() == id)
    }

    /// The kind of a type by the path that Rust has for it.
    pub(super) fn of_path(path: &str) -> Option<&'static Self> {
        SCRIPT_TYPES.iter().find(|kind| (kind.path)() == path)
    }
}

const SCRIPT_TYPES: &[ScriptType] = &[
    ScriptType::of::<MeHandle>("me"),
    ScriptType::of::<AgentHandle>("agent"),
    ScriptType::of::<Vec2>("vector"),
    ScriptType::of::<NeighborhoodHandle>("neighborhood"),
    ScriptType::of::<PathHandle>("path"),
    ScriptType::of::<ObstacleHandle>("obstacle"),
    ScriptType::of::<WorldHandle>("world"),
    ScriptType::of::<ParamsHandle>("params"),
    ScriptType::of::<StateHandle>("state"),
];

/// All definitions, by the kind of thing that they belong to. Where several fit a call, the first is meant.
const DEFINITIONS: &[&[Function]] =
    &[agents::ALL, neighbors::ALL, world::ALL, vectors::ALL, numbers::ALL];

/// All definitions.
pub(super) fn all() -> impl Iterator<Item = &'static Function> {
    DEFINITIONS.iter().copied().flatten()
}

/// The definitions of a name that take so many arguments.
pub(super) fn definitions(name: &str, count: usize) -> impl Iterator<Item = &'static Function> {
    all().filter(move |one| one.params.len() == count && one.names.contains(&name))
}

/// Everything that we bind, without Rhai's packages.
#[cfg(test)]
pub(super) fn module() -> Shared<Module> {
    API.module.clone()
}

/// The names of all functions.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    API.names.iter().copied()
}

/// Whether there is a function of this name.
pub(super) fn is_function(name: &str) -> bool {
    API.names.binary_search(&name).is_ok()
}

/// Whether a function or a property of this name may give a script an array.
pub(super) fn may_return_array(name: &str) -> bool {
    API.returning_arrays.contains(&name)
}

/// Whether a fact is true of a function or a property of this name.
pub(super) fn has_attribute(name: &str, attribute: Attribute) -> bool {
    all().any(|one| one.names.contains(&name) && one.has(attribute))
}

/// The properties of a kind of thing, by the name of the kind.
pub(super) fn properties(kind: &str) -> impl Iterator<Item = &'static str> {
    API.properties.iter().filter(move |(of, _)| *of == kind).map(|(_, name)| *name)
}

/// Whether any kind of thing has a property of this name.
pub(super) fn is_property(name: &str) -> bool {
    API.properties.iter().any(|(_, known)| *known == name)
}

/// A new engine that knows everything scripts can use, and nothing else: no clock, no files, no output.
pub(super) fn engine() -> Engine {
    let mut engine = Engine::new_raw();
    for package in PACKAGES.iter() {
        engine.register_global_module(package.clone());
    }
    // Registered last, it comes before the packages.
    engine.register_global_module(API.module.clone());
    limits::set(&mut engine);
    // Rhai's own comparisons call numbers equal that differ by a rounding error, and everything below
    // 1e-7 equal to zero: a direction that depends on a sign would be lost. Without this, ours would not be
    // asked.
    engine.set_fast_operators(false);
    // The functions behind the standard operator differ between platforms; ours stand behind one of the
    // same name and precedence.
    engine.disable_symbol("**");
    engine
        .register_custom_operator("**", POWER_PRECEDENCE)
        .unwrap_or_else(|error| unreachable!("{error}"))
        .disable_symbol("**=")
        .disable_symbol("eval")
        // It would put functions into functions, without end; a closure does what it is for.
        .disable_symbol("curry");
    engine.on_debug(|text, source, position| {
        // Outside of a turn there is nobody who speaks.
        let _ = turn::with(|turn| {
            let text = match turn.messages.len() {
                ..limits::MAX_MESSAGES => printable(text),
                limits::MAX_MESSAGES => {
                    format!("more than {} messages in one turn", limits::MAX_MESSAGES)
                }
                _ => return Ok(()),
            };
            let file = source.unwrap_or_default();
            let place =
                position.line().map_or_else(|| file.to_owned(), |line| format!("{file}:{line}"));
            turn.messages.push(DebugMessage { place, text });
            Ok(())
        });
    });
    engine
}

/// Returns a text on one line, cut where it is very long, without characters that do something to a terminal or
/// to the order of what is shown.
fn printable(text: &str) -> String {
    let mut line = String::new();
    for (place, c) in text.chars().enumerate() {
        if place == limits::MAX_MESSAGE_CHARS {
            line.push('…');
            break;
        }
        let turns = matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if c.is_control() || turns || matches!(c, '\u{2028}' | '\u{2029}') {
            line.extend(c.escape_default());
        } else {
            line.push(c);
        }
    }
    line
}

/// As of the operator it stands in for: above `*`.
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

/// What a turn that is traced calls before all else.
pub(super) fn traced_module() -> Shared<Module> {
    static TRACED: LazyLock<Shared<Module>> = LazyLock::new(|| traced::module().into());
    TRACED.clone()
}

struct Api {
    module: Shared<Module>,
    names: Vec<&'static str>,
    properties: Vec<(&'static str, &'static str)>,
    returning_arrays: Vec<&'static str>,
}

static API: LazyLock<Api> = LazyLock::new(|| {
    let mut builder = Builder {
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
    surroundings::add(&mut builder);
    me::add(&mut builder);
    lists::add(&mut builder);
    builder.names.extend(["debug", "len", "push", "is_empty", "contains", "filter", "map"]);
    builder.names.sort_unstable();
    builder.names.dedup();
    // A script must not be able to tell traced values from others.
    for (traced, name) in [
        (std::any::type_name::<traced::Number>(), std::any::type_name::<rhai::FLOAT>()),
        (std::any::type_name::<traced::Vector>(), "vector"),
    ] {
        builder.module.set_custom_type_raw(traced, name);
    }
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

/// Collects what scripts can use.
struct Builder {
    module: Module,
    names: Vec<&'static str>,
    properties: Vec<(&'static str, &'static str)>,
    returning_arrays: Vec<&'static str>,
}

impl Builder {
    /// Names a type for messages.
    fn name_type<T: Clone + 'static>(&mut self) {
        let name = ScriptType::of_type(TypeId::of::<T>()).map_or("?", |kind| kind.name);
        self.module.set_custom_type_raw(std::any::type_name::<T>(), name);
    }

    /// A function that changes its first argument, which thus must not be a constant.
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

    /// A function of given types.
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

    /// A property of `T` that can be read.
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

    /// Notes what gives a script an array.
    fn note_result<R: 'static>(&mut self, name: &'static str) {
        if TypeId::of::<R>() == TypeId::of::<Array>() {
            self.returning_arrays.push(name);
        }
    }

    /// A function on `T` of a number of arguments of any kind.
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

    /// An operator with assignment, such as `/=`: what it returns becomes the first argument.
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

    /// A function of any kind of arguments that looks at where it is called.
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
            rhai::RhaiFunc::Pure {
                func: Shared::new(function),
                has_context: true,
                is_pure: true,
                is_volatile: true,
            },
        );
    }
}

/// A vector that a script has made: it must be finite, or whatever it gets into would be lost.
fn finite(v: Vec2) -> Result<Vec2> {
    if v.is_finite() {
        return Ok(v);
    }
    Err(Problem::new(format!("this vector is not finite: ({}, {})", v.x, v.y))
        .help("was something divided by zero, or did a number grow beyond all bounds?")
        .into())
}

/// A number among the arguments of a function.
fn number(function: &str, argument: &Dynamic) -> Result<f32> {
    value::number(argument).ok_or_else(|| {
        Problem::new(format!("`{function}` takes a number, and got {}", value::kind(argument)))
            .into()
    })
}

/// A name among the arguments of a function.
fn name(argument: &Dynamic) -> Option<ImmutableString> {
    argument.read_lock::<ImmutableString>().map(|text| text.clone())
}
