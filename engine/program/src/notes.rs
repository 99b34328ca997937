//! Notes: what the variables and calls of a script have for values, written down while a program runs for one agent.

use std::sync::Arc;

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
    /// The calls that lead to its function, the outermost first.
    pub calls: Arc<[Place]>,
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

/// A value of a part of a script in a turn.
#[derive(Clone, Debug)]
pub struct NotedStep {
    /// The index of the part among [`Program::note_places`].
    place: usize,
    /// The value.
    pub value: NotedValue,
    /// The number of values that it stands for: more than one if there are too many to keep them all.
    pub count: u32,
}

impl Note {
    /// Returns the columns of the noted value if it is of a type in this turn.
    pub(super) fn columns_of(&self, ty: Type, machine: &Machine<One>) -> Option<Columns> {
        let NotedColumns::Typed(cases) = &self.value else { return None };
        let case = cases.iter().find(|case| is_in(case.mask, machine))?;
        (case.ty == ty).then_some(case.columns)
    }
}

/// Maximum number of values of a turn that are kept one by one. After that, only the last one of each part is.
const MAX_STEPS: usize = 20_000;

/// The values in one turn, in the order in which they were computed.
#[derive(Debug, Default)]
pub(super) struct Notebook {
    steps: Vec<NotedStep>,
    /// For each part of the script, the index of its last step.
    last: Vec<Option<usize>>,
}

impl Notebook {
    pub(super) fn new(program: &Program) -> Self {
        Self { steps: Vec::new(), last: vec![None; program.note_places.len()] }
    }

    /// Notes a value of the agent in the first lane.
    pub(super) fn add(&mut self, note: &Note, machine: &Machine<One>, scene: &Scene<'_>) {
        let Some(value) = value(&note.value, machine, scene) else { return };
        match self.last[note.place] {
            Some(last) if self.steps.len() >= MAX_STEPS => {
                let step = &mut self.steps[last];
                step.value = value;
                step.count = step.count.saturating_add(1);
            }
            _ => {
                self.last[note.place] = Some(self.steps.len());
                self.steps.push(NotedStep { place: note.place, value, count: 1 });
            }
        }
    }

    /// Returns the values with their places.
    pub(super) fn finish(self, program: &Program) -> Vec<(NotePlace, NotedStep)> {
        let place = |step: &NotedStep| program.note_places[step.place].clone();
        self.steps.into_iter().map(|step| (place(&step), step)).collect()
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
