//! Transfers states and params between values and columns.

use std::sync::Arc;

use super::banks::CellValue;
use super::machine::{Block, GroupLanes, Machine, Scene};
use super::width::Width;
use super::{Columns, Op, Program, StateSlot, Type};
use crate::world::{Mind, NameHint, Progress, Value, Values, World};

impl<W: Width> Machine<W> {
    /// Loads what the program uses of the agents' minds into the columns.
    pub(super) fn load_minds(&mut self, scene: &Scene<'_>, block: &Block<'_>) {
        let program = scene.program;
        self.progress.clear();
        if program.state.is_empty() && !program.uses_progress {
            return;
        }
        for group in scene.groups {
            for lane in group.lanes.clone() {
                self.load_mind(program, group.world, lane, (block.mind)(lane));
            }
        }
    }

    #[inline(always)]
    fn load_mind(
        &mut self,
        program: &Program,
        world: &World,
        lane: usize,
        (state, progress): (&Values, &[Progress]),
    ) {
        if program.uses_progress {
            self.progress.extend_from_slice(progress);
        }
        for (slot, hint) in program.state.iter().zip(&mut self.hints) {
            let Some(value) = state.get_near(&slot.name, hint) else {
                self.banks.set_integer(slot.tag, lane, StateSlot::ABSENT);
                continue;
            };
            let ty = Type::of(value);
            let place = slot.types.iter().position(|(of, _)| Some(*of) == ty);
            let cell = cell_of(program, world, value);
            match (place, cell) {
                (Some(place), Some(cell)) => {
                    self.banks.set_integer(slot.tag, lane, place as i64);
                    self.banks.set(slot.types[place].1, lane, cell);
                }
                _ => self.banks.fail(lane),
            }
        }
    }

    /// Stores what the program changed in an agent's mind.
    pub fn store_mind(&mut self, program: &Program, world: &World, lane: usize, mind: Mind<'_>) {
        debug_assert!(!self.is_faulted(lane), "the results of a faulted lane are meaningless");
        if program.uses_progress {
            let paths = mind.progress.len();
            mind.progress.copy_from_slice(&self.progress[lane * paths..(lane + 1) * paths]);
        }
        for (index, slot) in program.state.iter().enumerate().filter(|(_, slot)| slot.written) {
            let kept = usize::try_from(self.banks.integer(slot.tag, lane))
                .ok()
                .and_then(|tag| slot.types.get(tag));
            let Some(&(ty, at)) = kept else {
                continue;
            };
            if let (Type::String, Columns::I(at)) = (ty, at)
                && let text = &program.strings[self.banks.integer(at, lane) as usize]
                && matches!(mind.state.get(&slot.name), Some(Value::String(old)) if old == text)
            {
                continue;
            }
            let value = match (ty, at) {
                (Type::Agent, Columns::I(at)) => {
                    Value::Agent(world.agents.id[self.banks.integer(at, lane) as usize])
                }
                _ => self.value_of(program, ty, at, lane).unwrap_or_else(|| {
                    unreachable!("`{}`: {ty:?} in {at:?}", slot.name);
                }),
            };
            mind.state.put_near(&slot.name, &mut self.hints[index], value);
        }
    }

    /// Returns the value that columns hold in a lane; `None` for what needs the world, is no value, or is a
    /// string that the program does not have.
    pub(super) fn value_of(
        &self,
        program: &Program,
        ty: Type,
        at: Columns,
        lane: usize,
    ) -> Option<Value> {
        Some(match (ty, at) {
            (Type::Nothing, _) => Value::Nothing,
            (Type::Bool, Columns::B(at)) => Value::Bool(self.banks.boolean(at, lane)),
            (Type::Int, Columns::I(at)) => Value::Int(self.banks.integer(at, lane)),
            (Type::Float, Columns::F(at)) => Value::Float(self.banks.number(at, lane)),
            (Type::Vector, Columns::V(at)) => Value::Vector(self.banks.vector(at, lane)),
            (Type::String, Columns::I(at)) => {
                let place = usize::try_from(self.banks.integer(at, lane)).ok()?;
                Value::String(Arc::clone(program.strings.get(place)?))
            }
            _ => return None,
        })
    }

    /// Loads a param of each group, by the index of its name.
    pub(super) fn param(&mut self, scene: &Scene<'_>, op: &Op, name: u16, ty: Type) {
        let name = &scene.program.params[usize::from(name)];
        let mut hint = NameHint::default();
        for GroupLanes { world, group, lanes, .. } in scene.groups {
            let value = world.group(*group).params.get_near(name, &mut hint);
            let cell = value
                .filter(|value| Type::of(value) == Some(ty))
                .and_then(|value| cell_of(scene.program, world, value));
            for lane in lanes.clone() {
                let fits = cell.is_some_and(|cell| self.banks.set(op.writes(), lane, cell));
                if !fits && self.banks.boolean(op.active(), lane) {
                    self.banks.fail(lane);
                }
            }
        }
    }

    /// Loads a param that each agent has a number of its own for.
    pub(super) fn own_param(&mut self, scene: &Scene<'_>, op: &Op, name: u16) {
        let name = &scene.program.params[usize::from(name)];
        for of in scene.groups {
            let Some(Value::Drawn(distribution)) = of.world.group(of.group).params.get(name) else {
                self.each_lane_of(of, op, |_, _, _, ()| None::<f32>);
                continue;
            };
            let number = of.world.drawn_numbers(of.group, name, distribution);
            self.each_lane_of(of, op, |machine, of, lane, ()| {
                Some(number(of.world.agents.index[machine.row(lane)]))
            });
        }
    }
}

/// Returns a value as columns hold it. `None` if the program has no representation of it: a string that it does not
/// contain, an agent that was removed, an array or a map.
fn cell_of(program: &Program, world: &World, value: &Value) -> Option<CellValue> {
    Some(match value {
        Value::Nothing => CellValue::Nothing,
        Value::Bool(x) => CellValue::Boolean(*x),
        Value::Int(x) => CellValue::Integer(*x),
        Value::Float(x) => CellValue::Number(*x),
        Value::Vector(x) => CellValue::Vector(*x),
        Value::String(text) => {
            let place = program.strings.index_of(text)?;
            CellValue::Integer(place as i64)
        }
        Value::Agent(id) => CellValue::Integer(world.agents.row(*id)? as i64),
        // Columns have the numbers of the agents, see `Machine::param`.
        Value::List(_) | Value::Map(_) | Value::Drawn(_) => return None,
    })
}
