//! Notes: what the variables and calls of a script have for values, written down while a program runs for one agent.

use super::machine::{Machine, Scene};
use super::{B, Columns, I, One, Program, TextStyle, Type};
use crate::diag::Place;
use crate::sim::ValueKind;
use crate::world::{Me, Value};

/// A part of a script whose values are noted.
#[derive(Clone, Debug)]
pub struct NotePlace {
    pub place: Place,
    pub kind: ValueKind,
}

/// A value to note.
#[derive(Clone, Debug)]
pub struct Note {
    /// The index of the part of the script whose value it is.
    pub place: usize,
    pub value: NotedColumns,
}

/// The columns or constants of a noted value, known before the run.
#[derive(Clone, Debug)]
pub enum NotedColumns {
    /// One of several types.
    Typed(Vec<TypedColumns>),
    /// A neighborhood, by its index.
    Neighborhood(u16),
    List(Vec<Self>),
    /// One of several constants, as text, by an index; the only one without an index.
    Constant(Vec<String>, Option<I>),
    /// A string that is put together. Each part is there only in the lanes of its mask.
    Text(Vec<(TypedColumns, TextStyle)>),
}

/// The columns of a value of one type, and the lanes in which it has this type; `None` if it always has.
#[derive(Clone, Copy, Debug)]
pub struct TypedColumns {
    pub ty: Type,
    pub mask: Option<B>,
    pub columns: Columns,
}

/// A value that an agent has computed.
#[derive(Clone, Debug)]
pub enum NotedValue {
    Value(Value),
    /// An obstacle, a path or a field.
    Thing(Type),
    /// A neighborhood with a number of neighbors.
    Neighbors(usize),
    List(Vec<Self>),
    /// A constant, as text.
    Constant(String),
    /// The parts of a string.
    Text(Vec<(Value, TextStyle)>),
}

/// The values of a part of a script in one turn.
#[derive(Clone, Debug)]
pub struct NotedValues {
    /// The last value.
    pub last: NotedValue,
    /// The number of values.
    pub count: u32,
    /// How many other parts of the script had a value before.
    pub order: u32,
}

/// The values of all parts of a script in one turn.
#[derive(Debug, Default)]
pub(super) struct Notebook {
    values: Vec<Option<NotedValues>>,
    known: u32,
}

impl Notebook {
    pub(super) fn new(program: &Program) -> Self {
        Self { values: vec![None; program.note_places.len()], known: 0 }
    }

    /// Notes a value of the agent in the first lane.
    pub(super) fn add(&mut self, note: &Note, machine: &Machine<One>, scene: &Scene<'_>) {
        let Some(last) = value(&note.value, machine, scene) else { return };
        match &mut self.values[note.place] {
            Some(values) => {
                values.last = last;
                values.count = values.count.saturating_add(1);
            }
            none => {
                *none = Some(NotedValues { last, count: 1, order: self.known });
                self.known += 1;
            }
        }
    }

    /// Returns the values of those parts that had one, in the order of the parts.
    pub(super) fn finish(self, program: &Program) -> Vec<(NotePlace, NotedValues)> {
        let all = program.note_places.iter().zip(self.values);
        all.filter_map(|(place, values)| Some((place.clone(), values?))).collect()
    }
}

const LANE: usize = 0;

/// Returns what columns hold for the agent. `None` if it is nothing to show.
fn value(of: &NotedColumns, machine: &Machine<One>, scene: &Scene<'_>) -> Option<NotedValue> {
    Some(match of {
        NotedColumns::Typed(cases) => {
            let case = cases.iter().find(|case| is_in(case.mask, machine))?;
            if matches!(case.ty, Type::Obstacle | Type::Path | Type::Field) {
                NotedValue::Thing(case.ty)
            } else {
                NotedValue::Value(typed_value(case, machine, scene)?)
            }
        }
        NotedColumns::Neighborhood(near) => {
            let near = machine.neighborhood(scene.program, *near, LANE);
            let mut count = 0;
            let me = Me::new(scene.first_world(), machine.row(LANE), machine.own_vel(LANE));
            me.each_neighbor(&near, |_| count += 1);
            NotedValue::Neighbors(count)
        }
        NotedColumns::List(items) => {
            let items = items.iter().map(|item| value(item, machine, scene));
            NotedValue::List(items.collect::<Option<_>>()?)
        }
        NotedColumns::Constant(strings, index) => {
            let index = index.map_or(0, |index| machine.banks.integer(index, LANE));
            NotedValue::Constant(strings.get(usize::try_from(index).ok()?)?.clone())
        }
        NotedColumns::Text(parts) => {
            let parts = parts.iter().filter(|(part, _)| is_in(part.mask, machine));
            let parts =
                parts.map(|(part, style)| Some((typed_value(part, machine, scene)?, *style)));
            NotedValue::Text(parts.collect::<Option<_>>()?)
        }
    })
}

fn is_in(mask: Option<B>, machine: &Machine<One>) -> bool {
    mask.is_none_or(|mask| machine.banks.boolean(mask, LANE))
}

fn typed_value(of: &TypedColumns, machine: &Machine<One>, scene: &Scene<'_>) -> Option<Value> {
    match (of.ty, of.columns) {
        (Type::Agent, Columns::I(row)) => {
            machine.other(scene.first_world(), row, LANE).map(|other| Value::Agent(other.id()))
        }
        (ty, columns) => machine.value_of(scene.program, ty, columns, LANE),
    }
}
