//! What is known of a value while a script is lowered.

use std::rc::Rc;

use rhai::{Dynamic, Position};

use crate::program::{B, Columns, F, I, Type, V};

/// A value of a script, as far as it is known before it runs.
#[derive(Clone, Debug)]
pub(super) enum Val {
    /// One of several types, lane by lane; none at all where no lane comes by.
    Alts(Vec<Alt>),
    /// `me`.
    Me,
    /// `world`.
    World,
    /// `me.params`.
    Params,
    /// `me.state`.
    State,
    /// All obstacles.
    Obstacles,
    /// A neighborhood, by its number.
    Near(u16),
    /// An array made by the script itself.
    List(Rc<Vec<Self>>),
    /// A constant array or map, or an element of one that a lane picks.
    Constant(Pick),
    /// This or that, depending on the way: of use only to the interpreter. Where they meet.
    Mixed(Position),
    /// What only the interpreter knows: whoever gets here is at fault.
    Any,
    /// Whole numbers one after another.
    Range { from: I, to: I, inclusive: bool },
}

/// One of the types that a value may have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Alt {
    pub(super) is: Type,
    /// In which lanes it has it; everywhere if this is the only one.
    pub(super) mask: Option<B>,
    pub(super) at: Columns,
}

/// One of several constants, by a place that may differ from lane to lane.
#[derive(Clone, Debug)]
pub(super) struct Pick {
    pub(super) among: Rc<Vec<Dynamic>>,
    /// Which; the first if there is but one.
    pub(super) at: Option<I>,
}

impl Val {
    /// The value of something that no lane gets to.
    pub(super) fn never() -> Self {
        Self::Alts(Vec::new())
    }

    pub(super) fn one(is: Type, at: Columns) -> Self {
        Self::Alts(vec![Alt { is, mask: None, at }])
    }

    pub(super) fn nothing() -> Self {
        Self::one(Type::Nothing, Columns::None)
    }

    pub(super) fn number(at: F) -> Self {
        Self::one(Type::Float, Columns::F(at))
    }

    pub(super) fn whole(at: I) -> Self {
        Self::one(Type::Int, Columns::I(at))
    }

    pub(super) fn truth(at: B) -> Self {
        Self::one(Type::Bool, Columns::B(at))
    }

    pub(super) fn vector(at: V) -> Self {
        Self::one(Type::Vector, Columns::V(at))
    }

    pub(super) fn is_never(&self) -> bool {
        matches!(self, Self::Alts(alts) if alts.is_empty())
    }

    /// The types it may have, if they are known lane by lane.
    pub(super) fn types(&self) -> Option<Vec<Type>> {
        match self {
            Self::Alts(alts) => Some(alts.iter().map(|alt| alt.is).collect()),
            Self::Any => Some(Vec::new()),
            _ => None,
        }
    }

    /// What to call it in a message.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Alts(alts) => alts.first().map_or("nothing", |alt| name(alt.is)),
            Self::Me => "`me`",
            Self::World => "`world`",
            Self::Params => "params",
            Self::State => "state",
            Self::Obstacles | Self::List(_) => "an array",
            Self::Near(_) => "a neighborhood",
            Self::Constant(pick) => match pick.among.first() {
                Some(value) if value.is_map() => "a map",
                _ => "an array",
            },
            Self::Range { .. } => "a range",
            Self::Mixed(_) | Self::Any => "one thing or another",
        }
    }
}

/// The name of a kind of thing that has properties, as the engine knows it; empty for others.
pub(super) fn kind(is: Type) -> &'static str {
    match is {
        Type::Vector => "vector",
        Type::Agent => "agent",
        Type::Obstacle => "obstacle",
        Type::Path => "path",
        Type::Nothing | Type::Bool | Type::Int | Type::Float | Type::Text => "",
    }
}

/// What to call a type in a message.
pub(super) fn name(is: Type) -> &'static str {
    match is {
        Type::Nothing => "nothing, ()",
        Type::Bool => "a boolean",
        Type::Int => "an integer",
        Type::Float => "a float",
        Type::Vector => "a vector",
        Type::Text => "a string",
        Type::Agent => "an agent",
        Type::Obstacle => "an obstacle",
        Type::Path => "a path",
    }
}
