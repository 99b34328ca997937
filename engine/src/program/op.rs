//! What a program is made of: operations on columns of lanes.
//!
//! Every operation is done in all lanes, also in those where the script would not have come by: what a
//! lane that is not *active* computes is never looked at. Only what could be noticed takes the active
//! lanes: faults, changes, and what is too costly to do in vain.

use std::sync::Arc;

use super::Strings;
use super::columns::{B, Bank, Columns, F, I, OperandSlots, Operands, V};
use super::kind::{OpKind, OpProperty};
use crate::diag::Place;
use crate::steer::Primitive;
use crate::world::{GroupId, Value, View};

/// A neighborhood. Where `shared` is, its radius is the same for all agents of the group, and so it can
/// be perceived for all of them at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Near {
    pub(crate) radius: F,
    pub(crate) group: Option<GroupId>,
    pub(crate) view: LoweredView,
    /// The point to look from, if it is not where the agent is.
    pub(crate) around: Option<V>,
    /// Whether it is worth perceiving it for all agents in advance.
    pub(crate) shared: bool,
}

/// A view whose angle may be in a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum LoweredView {
    Fixed(View),
    /// Over this many radians.
    Over(F),
}

/// Where an argument of a primitive is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum CallArg {
    Number(F),
    Vector(V),
    /// A vector of another agent, its place or its velocity, and that agent's row.
    VectorOf(V, I),
    /// An agent, by its row.
    Agent(I),
    /// One of the program's neighborhoods.
    Neighbors(u16),
    /// A path, by its place.
    Path(I),
    Forces(Vec<V>),
}

/// A call of a primitive.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) primitive: &'static Primitive,
    pub(crate) args: Vec<CallArg>,
    /// The agent's velocity now.
    pub(crate) vel: V,
    /// Where it is written.
    pub(crate) place: Option<Place>,
}

/// A kind of value that a variable, a parameter or a state holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Type {
    Nothing,
    Bool,
    Int,
    Float,
    Vector,
    Text,
    Agent,
    Obstacle,
    Path,
}

impl Type {
    /// The type of a value, if a column can hold it.
    pub(crate) fn of(value: &Value) -> Option<Self> {
        Some(match value {
            Value::Nothing => Self::Nothing,
            Value::Bool(_) => Self::Bool,
            Value::Int(_) => Self::Int,
            Value::Float(_) => Self::Float,
            Value::Vector(_) => Self::Vector,
            Value::Text(_) => Self::Text,
            Value::Agent(_) => Self::Agent,
            Value::List(_) | Value::Map(_) => return None,
        })
    }

    /// What holds a value of this type: at most one operand.
    pub(crate) fn banks(self) -> &'static [Bank] {
        match self {
            Self::Nothing => &[],
            Self::Bool => &[Bank::B],
            Self::Float => &[Bank::F],
            Self::Vector => &[Bank::V],
            Self::Int | Self::Text | Self::Agent | Self::Obstacle | Self::Path => &[Bank::I],
        }
    }
}

/// One operation: what it does, and the columns that it reads and writes. No column is both, unless the
/// table says that it changes something in place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Op {
    pub(crate) kind: OpKind,
    pub(crate) read: OperandSlots,
    pub(crate) written: OperandSlots,
    /// The lanes in which it is done, if it is not done in all.
    pub(crate) mask: Option<B>,
}

impl Op {
    pub(crate) fn new(
        kind: OpKind,
        read: impl Operands,
        written: impl Operands,
        mask: Option<B>,
    ) -> Self {
        let (read, written) = (read.row(), written.row());
        let signature = kind.signature();
        debug_assert!(fits(&read, signature.reads), "{kind:?} of {read:?}");
        debug_assert!(fits(&written, signature.writes), "{kind:?} to {written:?}");
        debug_assert_eq!(mask.is_some(), signature.has(OpProperty::Masked), "the mask of {kind:?}");
        let in_place = || written.iter().any(|to| to.bank.is_some() && read.contains(to));
        debug_assert!(
            signature.has(OpProperty::Changes) || !in_place(),
            "{kind:?} of {read:?} in place"
        );
        Self { kind, read, written, mask }
    }

    /// The columns read, of the banks that the table says.
    #[inline(always)]
    pub(crate) fn reads<R: Operands>(&self) -> R {
        R::of_row(self.read)
    }

    /// The columns written, of the banks that the table says.
    #[inline(always)]
    pub(crate) fn writes<W: Operands>(&self) -> W {
        W::of_row(self.written)
    }

    /// The mask of an operation that has one.
    #[inline(always)]
    pub(crate) fn active(&self) -> B {
        self.mask.unwrap_or_else(|| unreachable!("{self:?} has no mask"))
    }
}

/// Whether operands are of these banks.
fn fits(row: &OperandSlots, banks: &[Bank]) -> bool {
    row.iter().map_while(|slot| slot.bank).eq(banks.iter().copied())
}

/// Something an agent remembers, while the program runs: its tag says which of the columns counts, by
/// the place of their type in `types`; [`StateSlot::ABSENT`] where the agent remembers no such thing.
#[derive(Clone, Debug)]
pub(crate) struct StateSlot {
    pub(crate) name: Arc<str>,
    pub(crate) tag: I,
    /// The types it may have, and where the value is then.
    pub(crate) types: Vec<(Type, Columns)>,
    /// Whether the program may change it.
    pub(crate) written: bool,
}

impl StateSlot {
    /// The tag of what has never been set.
    pub(crate) const ABSENT: i64 = -1;
}

/// A behavior of one group as operations on columns.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    /// Done first; nothing in it depends on the agent, so it also says what is perceived in advance.
    pub(crate) prologue: Vec<Op>,
    pub(crate) body: Vec<Op>,
    /// How many columns there are of each bank: numbers, integers, booleans.
    pub(crate) columns: (usize, usize, usize),
    /// The lanes that hold agents; set before the prologue.
    pub(crate) live: Option<B>,
    /// The force decided on; none for what only prepares the agent.
    pub(crate) force: Option<V>,
    /// The agent's own velocity: holds it at the start, and is what it is at the end.
    pub(crate) vel: Option<V>,
    /// Whether the program may change the velocity.
    pub(crate) sets_vel: bool,
    /// Whether it asks for or moves on the progress on paths.
    pub(crate) uses_progress: bool,
    pub(crate) state: Vec<StateSlot>,
    pub(crate) nears: Vec<Near>,
    pub(crate) lists: usize,
    /// The names of params by their place.
    pub(crate) params: Vec<Arc<str>>,
    /// Calls of primitives by their place.
    pub(crate) calls: Vec<Call>,
    pub(crate) tables_f: Vec<Vec<f32>>,
    pub(crate) tables_i: Vec<Vec<i64>>,
    /// Strings by their place.
    pub(crate) texts: Strings,
}

impl Program {
    /// The call of a primitive that an operation notes.
    pub(crate) fn call_of(&self, op: &Op) -> Option<&Call> {
        match op.kind {
            OpKind::Asked(call) | OpKind::Gave(call) => Some(&self.calls[usize::from(call)]),
            _ => None,
        }
    }

    /// Whether doing it may change what an agent knows.
    pub(crate) fn changes_minds(&self) -> bool {
        self.uses_progress || self.state.iter().any(|slot| slot.written)
    }
}
