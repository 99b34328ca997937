//! The values of a script, as far as they are known while it is lowered.

use std::rc::Rc;
use std::sync::Arc;

use rhai::{Dynamic, Position};

use super::tracked::TrackedId;
use crate::program::{B, Columns, F, I, TextStyle, Type, V};

/// A value of a script, as far as it is known before the run.
#[derive(Clone, Debug)]
pub(super) enum LoweredValue {
    /// One of several types, lane by lane. It is empty if no lane gets here.
    Typed(Vec<TypeCase>),
    /// `me`.
    Me,
    /// `world`.
    World,
    /// `me.params`.
    Params,
    /// `me.state`.
    State,
    /// `other.state`: that of the agent in a row.
    OtherState(I),
    /// `world.inputs`.
    Inputs,
    /// `world.shared`.
    Shared,
    /// `world.obstacles`.
    Obstacles,
    /// A neighborhood, by its index.
    Neighborhood(u16),
    /// An array that the script makes.
    Array(Rc<Vec<Self>>),
    /// A map that the script makes for the state of a new agent.
    Map(Rc<Vec<(Arc<str>, Self)>>),
    /// An array whose length and elements differ between agents.
    List(Rc<List>),
    /// A function without a name.
    Closure(Rc<Closure>),
    /// A constant array or map, or an element of one that each lane picks.
    Constant(ConstantPick),
    /// A string that is put together at runtime. It can only be shown.
    Text(Rc<Text>),
    /// Different values in two branches, without a common type. Only the interpreter can use it. Holds the
    /// position where the branches meet.
    Differing(Position),
    /// A value that only the interpreter knows. All lanes that get here are faulted.
    Interpreted,
    /// A range of integers.
    Range { from: I, to: I, inclusive: bool },
}

/// One of the types that a value may have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TypeCase {
    pub(super) ty: Type,
    /// The lanes in which it has this type; `None` if it is the only one.
    pub(super) mask: Option<B>,
    pub(super) columns: Columns,
}

/// An array whose length and elements differ between agents. All elements have one type.
#[derive(Clone, Copy, Debug)]
pub(super) struct List {
    pub(super) count: I,
    pub(super) ty: Type,
    pub(super) elements: StoredElements,
}

/// The arrays of a program that hold elements of one type.
#[derive(Clone, Copy, Debug)]
pub(super) enum StoredElements {
    /// The elements are all `()`.
    None,
    F(u16),
    I(u16),
    /// Integers, 0 or 1.
    B(u16),
    V(u16, u16),
}

/// A function without a name, such as `|other| other.speed > 2`.
#[derive(Clone, Debug)]
pub(super) struct Closure {
    /// The name that Rhai gives it.
    pub(super) name: String,
    /// The values of the variables of its surroundings that it uses. They are its first arguments.
    pub(super) captured: Vec<(LoweredValue, Option<TrackedId>)>,
}

/// One of several constants, by an index that may differ from lane to lane.
#[derive(Clone, Debug)]
pub(super) struct ConstantPick {
    pub(super) candidates: Rc<Vec<Dynamic>>,
    /// The index; `None` if there is only one candidate.
    pub(super) index: Option<I>,
}

/// A string that is put together from values.
#[derive(Clone, Debug, Default)]
pub(super) struct Text {
    /// Its parts in their order. Each is there only in the lanes of its mask.
    pub(super) parts: Vec<TextPart>,
    /// The most bytes that it can have.
    pub(super) max_bytes: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct TextPart {
    pub(super) value: TypeCase,
    pub(super) style: TextStyle,
}

impl Text {
    /// Returns its parts, each with how it is written.
    pub(super) fn parts(&self) -> impl Iterator<Item = (&TypeCase, TextStyle)> {
        self.parts.iter().map(|part| (&part.value, part.style))
    }

    pub(super) fn add(&mut self, value: TypeCase, style: TextStyle, max_bytes: usize) {
        self.parts.push(TextPart { value, style });
        self.max_bytes += max_bytes;
    }

    pub(super) fn append(&mut self, other: &Self) {
        self.parts.extend(&other.parts);
        self.max_bytes += other.max_bytes;
    }
}

impl LoweredValue {
    /// Returns an unreachable value.
    pub(super) fn never() -> Self {
        Self::Typed(Vec::new())
    }

    pub(super) fn of_type(ty: Type, columns: Columns) -> Self {
        Self::Typed(vec![TypeCase { ty, mask: None, columns }])
    }

    pub(super) fn nothing() -> Self {
        Self::of_type(Type::Nothing, Columns::None)
    }

    pub(super) fn number(at: F) -> Self {
        Self::of_type(Type::Float, Columns::F(at))
    }

    pub(super) fn integer(at: I) -> Self {
        Self::of_type(Type::Int, Columns::I(at))
    }

    pub(super) fn boolean(at: B) -> Self {
        Self::of_type(Type::Bool, Columns::B(at))
    }

    pub(super) fn vector(at: V) -> Self {
        Self::of_type(Type::Vector, Columns::V(at))
    }

    /// Returns whether it may be a string.
    pub(super) fn may_be_string(&self) -> bool {
        match self {
            Self::Text(_) => true,
            Self::Typed(cases) => cases.iter().any(|case| case.ty == Type::String),
            _ => false,
        }
    }

    pub(super) fn is_never(&self) -> bool {
        matches!(self, Self::Typed(cases) if cases.is_empty())
    }

    /// Returns the types that it may have, if it is kept in columns.
    pub(super) fn types(&self) -> Option<Vec<Type>> {
        match self {
            Self::Typed(cases) => Some(cases.iter().map(|case| case.ty).collect()),
            Self::Interpreted => Some(Vec::new()),
            _ => None,
        }
    }

    /// Describes the value in a message.
    pub(super) fn description(&self) -> &'static str {
        match self {
            Self::Typed(cases) => cases.first().map_or("nothing", |case| type_name(case.ty)),
            Self::Me => "`me`",
            Self::World => "`world`",
            Self::Params => "`me.params`",
            Self::State => "`me.state`",
            Self::OtherState(_) => "`other.state`",
            Self::Inputs => "`world.inputs`",
            Self::Shared => "`world.shared`",
            Self::Obstacles | Self::Array(_) | Self::List(_) => "an array",
            Self::Map(_) => "a map",
            Self::Closure(_) => "a closure",
            Self::Neighborhood(_) => "a neighborhood",
            Self::Constant(pick) => match pick.candidates.first() {
                Some(value) if value.is_map() => "a map",
                _ => "an array",
            },
            Self::Range { .. } => "a range",
            Self::Text(_) => "a string",
            Self::Differing(_) | Self::Interpreted => "a value that may be of several kinds",
        }
    }
}

/// Returns the name under which the tables of properties list a type; empty for types without properties of
/// our own.
pub(super) fn property_owner(ty: Type) -> &'static str {
    match ty {
        Type::Vector => "vector",
        Type::Agent => "agent",
        Type::Obstacle => "obstacle",
        Type::Path => "path",
        Type::Field => "field",
        Type::Nothing | Type::Bool | Type::Int | Type::Float | Type::String => "",
    }
}

/// Describes a type in a message.
pub(super) fn type_name(ty: Type) -> &'static str {
    match ty {
        Type::Nothing => "`()`",
        Type::Bool => "a boolean",
        Type::Int => "an integer",
        Type::Float => "a float",
        Type::Vector => "a vector",
        Type::String => "a string",
        Type::Agent => "an agent",
        Type::Obstacle => "an obstacle",
        Type::Path => "a path",
        Type::Field => "a field",
    }
}
