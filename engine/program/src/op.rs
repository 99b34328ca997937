//! The parts of a program: operations on columns.
//!
//! Every operation runs in all lanes, also in lanes whose agent takes another branch of the script. The results in a lane
//! that is not *active* must never be used. Only operations with effects (faults, changes) and expensive operations
//! are limited to the active lanes.

use std::sync::Arc;

use super::columns::{B, Bank, Columns, F, I, OperandSlots, Operands, V};
use super::kind::{OpKind, OpProperty};
use super::{ChangeCall, LayerCall, Note, NotePlace, Strings};
use crate::diag::Place;
use crate::steer::{ChoiceRule, Primitive};
use crate::world::{GroupId, Relation, Value, View};

/// A neighborhood of a program. If it is `shared`, its radius is the same for all agents of the group, so that sums over
/// it can be computed for all of them at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near {
    pub radius: F,
    pub group: Option<GroupId>,
    pub relation: Option<Relation>,
    pub view: LoweredView,
    /// The point that it is around, if that is not the agent's position.
    pub around: Option<V>,
    /// The maximum number of neighbors, if there is one.
    pub most: Option<F>,
    /// Whether computing its sums in advance for all agents is worth it.
    pub shared: bool,
}

/// A view whose angle may be in a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LoweredView {
    Fixed(View),
    /// A cone over this angle, in radians.
    Over(F),
}

/// The operand of an argument of a primitive.
#[derive(Clone, Debug, PartialEq)]
pub enum CallArg {
    Number(F),
    Vector(V),
    /// A vector of another agent (its position or its velocity), and the row of that agent.
    VectorOf(V, I),
    /// An agent, by its row.
    Agent(I),
    /// One of the program's neighborhoods.
    Neighbors(u16),
    /// A path, by its index.
    Path(I),
    /// A field, by its index.
    Field(I),
    /// A vector that is the flow everywhere.
    FlowOf(V),
    Forces(Vec<V>),
    Numbers(Vec<F>),
    Slots(usize),
}

/// A call of a primitive.
#[derive(Clone, Debug)]
pub struct Call {
    pub primitive: &'static Primitive,
    pub args: Vec<CallArg>,
    /// The agent's present velocity.
    pub vel: V,
    /// Where the script makes the call.
    pub place: Option<Place>,
}

/// The type of a variable, a param or a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    Nothing,
    Bool,
    Int,
    Float,
    Vector,
    String,
    Agent,
    Obstacle,
    Path,
    Field,
}

impl Type {
    /// Returns the type of a value, if columns can hold it.
    pub fn of(value: &Value) -> Option<Self> {
        Some(match value {
            Value::Nothing => Self::Nothing,
            Value::Bool(_) => Self::Bool,
            Value::Int(_) => Self::Int,
            Value::Float(_) | Value::Drawn(_) => Self::Float,
            Value::Vector(_) => Self::Vector,
            Value::String(_) => Self::String,
            Value::Agent(_) => Self::Agent,
            Value::List(_) | Value::Map(_) => return None,
        })
    }

    /// Returns the operands that hold a value of this type: none or one.
    pub fn banks(self) -> &'static [Bank] {
        match self {
            Self::Nothing => &[],
            Self::Bool => &[Bank::B],
            Self::Float => &[Bank::F],
            Self::Vector => &[Bank::V],
            Self::Int | Self::String | Self::Agent | Self::Obstacle | Self::Path | Self::Field => {
                &[Bank::I]
            }
        }
    }
}

/// One operation: its kind, and the columns that it reads and writes. No column is both, unless the table says that the
/// operation changes something in place.
#[derive(Clone, Copy, Debug)]
pub struct Op {
    pub kind: OpKind,
    pub read: OperandSlots,
    pub written: OperandSlots,
    /// The lanes in which it runs, if it does not run in all lanes.
    pub mask: Option<B>,
}

impl Op {
    pub fn new(kind: OpKind, read: impl Operands, written: impl Operands, mask: Option<B>) -> Self {
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

    /// Returns the operands that it reads, of the banks in the table.
    #[inline(always)]
    pub fn reads<R: Operands>(&self) -> R {
        R::of_row(self.read)
    }

    /// Returns the operands that it writes, of the banks in the table.
    #[inline(always)]
    pub fn writes<W: Operands>(&self) -> W {
        W::of_row(self.written)
    }

    /// Returns the mask of an operation that has one.
    #[inline(always)]
    pub fn active(&self) -> B {
        self.mask.unwrap_or_else(|| unreachable!("{self:?} has no mask"))
    }
}

/// Returns whether operands are of these banks.
fn fits(row: &OperandSlots, banks: &[Bank]) -> bool {
    row.iter().map_while(|slot| slot.bank).eq(banks.iter().copied())
}

/// A state of an agent while the program runs. Its tag is the index in `types` of its present type;
/// [`StateSlot::ABSENT`] if the agent has no such state.
#[derive(Clone, Debug)]
pub struct StateSlot {
    pub name: Arc<str>,
    pub tag: I,
    /// The types that it may have, each with the columns for its value.
    pub types: Vec<(Type, Columns)>,
    /// Whether the program may change it.
    pub written: bool,
}

impl StateSlot {
    /// The tag of a state that was never set.
    pub const ABSENT: i64 = -1;
}

/// A behavior of one group, as operations on columns.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Operations that run first. They do not depend on the agent, and also compute the radii of neighborhoods that are
    /// perceived in advance.
    pub prologue: Vec<Op>,
    pub body: Vec<Op>,
    /// Number of columns in each bank: numbers, integers, booleans.
    pub columns: (usize, usize, usize),
    /// The lanes that hold agents; set before the prologue runs.
    pub live: Option<B>,
    /// The force that the agent decides on; `None` for a program that only prepares the agent.
    pub force: Option<V>,
    /// The agent's own velocity, at the start and at the end.
    pub vel: Option<V>,
    /// Whether the program may change the velocity.
    pub sets_vel: bool,
    /// Whether it reads or changes the progress on paths.
    pub uses_progress: bool,
    pub state: Vec<StateSlot>,
    pub nears: Vec<Near>,
    pub lists: usize,
    /// Number of arrays of numbers, and of integers.
    pub arrays_f: usize,
    pub arrays_i: usize,
    /// The names of params, by their index.
    pub params: Vec<Arc<str>>,
    /// Calls of primitives, by their index.
    pub calls: Vec<Call>,
    pub tables_f: Vec<Vec<f32>>,
    pub tables_i: Vec<Vec<i64>>,
    /// Where messages are written, by their index: file and line.
    pub message_places: Vec<String>,
    /// The changes of the world that agents may decide on, by their index.
    pub changes: Vec<ChangeCall>,
    /// The changes of layers that agents may decide on, by their index.
    pub layer_changes: Vec<LayerCall>,
    /// The choices that scripts keep, for explanations.
    pub choices: Vec<ChoiceCall>,
    /// The parts of the script whose values are noted, and the notes, by their index.
    pub note_places: Vec<NotePlace>,
    pub notes: Vec<Note>,
    /// Strings, by their index.
    pub strings: Strings,
}

/// A call that makes or keeps a choice.
#[derive(Clone, Debug)]
pub struct ChoiceCall {
    /// Its name in `me.state`.
    pub name: String,
    /// Where the script makes it.
    pub place: Option<Place>,
    /// The lanes that make it.
    pub mask: B,
    /// How it is made. The columns hold what they hold at the call until the program ends.
    pub rule: ChoiceRule<F>,
}

impl Program {
    /// Returns the call of a primitive that an operation marks.
    pub fn call_of(&self, op: &Op) -> Option<&Call> {
        match op.kind {
            OpKind::CallStart(call) | OpKind::CallEnd(call) => Some(&self.calls[usize::from(call)]),
            _ => None,
        }
    }

    /// Returns whether running it may change an agent's mind.
    pub fn changes_minds(&self) -> bool {
        self.uses_progress || self.state.iter().any(|slot| slot.written)
    }
}
