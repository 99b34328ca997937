//! The causes of numbers that a script computes itself.
//!
//! While a program runs for one agent, every column keeps the causes that it depends on: the other agents, obstacles and
//! places that it was computed from, and those that decided a choice between numbers. It keeps the causes, not their
//! weights, and only causes that exist, not those that were looked for.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::banks::Banks;
use super::columns::{Bank, Columns, Operand, OperandSlots};
use super::machine::{Machine, Scene};
use super::{AgentNumber, AskObstacle, AskPath, B, F, I, One, Op, OpKind, Program, V};
use crate::math;
use crate::steer::Cause;
use crate::world::{FieldId, Me, ObstacleId, Question, World};

/// The lane of the only agent.
const LANE: usize = 0;

/// Causes by their index, each with its relation; in increasing order, and each at most once.
type CauseSet = Vec<(u16, Relation)>;

/// How something depends on a cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Relation {
    /// It was computed from the cause.
    Computed,
    /// It was chosen by a condition that depends on the cause.
    Chosen,
}

/// The causes that all columns depend on.
#[derive(Default)]
pub(super) struct Reasons {
    causes: Vec<Cause>,
    /// The causes of each column, bank by bank.
    sets: [Vec<CauseSet>; 3],
    /// The causes of the elements of arrays.
    stored: BTreeMap<ArrayElement, CauseSet>,
}

/// An element of an array: the bank and the index of the array, and the index of the element.
type ArrayElement = (Bank, u16, i64);

impl Reasons {
    pub(super) fn new(program: &Program) -> Self {
        let (f, i, b) = program.columns;
        let sets = [f, i, b].map(|columns| vec![CauseSet::new(); columns]);
        Self { causes: Vec::new(), sets, stored: BTreeMap::new() }
    }

    /// Adds the causes of the values of the agent's state that have changed since its last turn.
    pub(super) fn add_news(&mut self, program: &Program, me: &Me<'_>) {
        for slot in &program.state {
            let news = Cause::news(me, &slot.name).into_iter();
            let all = news.fold(CauseSet::new(), |all, one| union(&all, &self.set_of(Some(one))));
            if !all.is_empty() {
                self.set(slot.tag, &all);
                slot.types.iter().for_each(|(_, columns)| self.set(*columns, &all));
            }
        }
    }

    /// Returns the changes since the agent's last turn that a value of its state depends on now.
    pub(super) fn news_of_state(&self, program: &Program, name: &str) -> Vec<Cause> {
        let Some(slot) = program.state.iter().find(|slot| *slot.name == *name) else {
            return Vec::new();
        };
        let columns = slot.types.iter().map(|(_, columns)| self.of(*columns));
        let all = columns.fold(self.of(slot.tag), |all, more| union(&all, &more));
        let mut places: Vec<u16> = all.iter().map(|&(place, _)| place).collect();
        places.dedup();
        let causes = places.iter().map(|&place| &self.causes[usize::from(place)]);
        causes.filter(|cause| cause.is_news()).cloned().collect()
    }

    /// Returns the causes of a vector, in the order in which the script found them.
    pub(super) fn of_vector(&self, v: V) -> Vec<Cause> {
        let mut places: Vec<u16> = self.of(v).iter().map(|&(place, _)| place).collect();
        places.dedup();
        let causes = places.iter().map(|&place| &self.causes[usize::from(place)]);
        causes.cloned().collect()
    }

    /// Removes all causes of a vector.
    pub(super) fn clear(&mut self, v: V) {
        self.set(v, &CauseSet::new());
    }

    /// Updates the causes after an operation.
    pub(super) fn after(&mut self, op: &Op, machine: &Machine<One>, scene: &Scene<'_>) {
        let banks = &machine.banks;
        let all = match op.kind {
            OpKind::BlendF | OpKind::BlendI | OpKind::BlendB => {
                let (from, mask): (Columns, B) = op.reads();
                if !banks.boolean(mask, LANE) {
                    return;
                }
                self.chosen(from, mask)
            }
            OpKind::SelectF | OpKind::SelectI | OpKind::SelectB => {
                let (mask, yes, no): (B, Columns, Columns) = op.reads();
                self.chosen(if banks.boolean(mask, LANE) { yes } else { no }, mask)
            }
            OpKind::CompareF(_) | OpKind::CompareI(_) => {
                compared(self.of_all(&op.read), banks.boolean(op.writes(), LANE))
            }
            OpKind::StoreF(_) | OpKind::StoreI(_) => {
                let (index, from): (I, Columns) = op.reads();
                if banks.takes_part(op.mask, LANE) {
                    let all = self.chosen(from, op.active());
                    self.stored.insert(array_element(op.kind, banks, index), all);
                }
                return;
            }
            OpKind::LoadF(_) | OpKind::LoadI(_) => {
                let index: I = op.reads();
                let stored = self.stored.get(&array_element(op.kind, banks, index));
                stored.map_or_else(CauseSet::new, |stored| union(stored, &self.of(index)))
            }
            // These are the same for all agents.
            OpKind::TableF(_) | OpKind::TableI(_) | OpKind::PathCount | OpKind::PresentObstacle => {
                CauseSet::new()
            }
            OpKind::Goal => {
                let (at, radius, exists): (V, F, B) = op.writes();
                let me = Me::new(scene.first_world(), machine.row(LANE), machine.own_vel(LANE));
                let all = self.set_of(me.goal().map(|goal| Cause::point(&me, goal.at)));
                self.set(at, &all);
                self.set(exists, &all);
                return self.set(radius, &CauseSet::new());
            }
            _ => self.perceived(op, machine, scene).unwrap_or_else(|| self.of_all(&op.read)),
        };
        for slot in op.written {
            self.set(slot.columns(), &all);
        }
    }

    /// Returns the causes of the result of a query of the world; `None` if it only depends on what the operation reads.
    fn perceived(
        &mut self,
        op: &Op,
        machine: &Machine<One>,
        scene: &Scene<'_>,
    ) -> Option<CauseSet> {
        let (banks, world) = (&machine.banks, scene.first_world());
        let me = Me::new(world, machine.row(LANE), machine.own_vel(LANE));
        let takes_part = banks.takes_part(op.mask, LANE);
        let agent = |row| machine.other(world, row, LANE).map(|other| Cause::agent(&me, other));
        Some(match op.kind {
            OpKind::Other(what) => {
                // Numbers that all agents of a group have in common do not depend on the agent.
                let is_own = !matches!(
                    what,
                    AgentNumber::Radius
                        | AgentNumber::Mass
                        | AgentNumber::MaxSpeed
                        | AgentNumber::MaxForce
                );
                let row = op.reads();
                union(&self.set_of(agent(row).filter(|_| is_own)), &self.of(row))
            }
            OpKind::OtherState(name, _) => {
                let row: I = op.reads();
                let name = world.names().public().get(usize::from(name)).filter(|_| takes_part);
                let cause = machine.other(world, row, LANE).zip(name);
                let cause = cause.map(|(other, name)| Cause::state(&me, other, &name.name));
                union(&self.set_of(cause), &self.of(row))
            }
            OpKind::SharedValue(index, _) => {
                let shared = world.shared.get(usize::from(index));
                self.set_of(shared.map(|one| Cause::Shared { name: Arc::clone(&one.name) }))
            }
            OpKind::Listed(_) => self.set_of(agent(op.writes())),
            OpKind::Nearest(_) | OpKind::First(_) => {
                let (row, found): (I, B) = op.writes();
                self.set_of(agent(row).filter(|_| banks.boolean(found, LANE)))
            }
            OpKind::Means(near) | OpKind::AskNeighbors(_, near) => {
                self.set_of(takes_part.then(|| {
                    let which = machine.neighborhood(scene.program, near, LANE);
                    Cause::neighbors(&me, &me.summary(&which))
                }))
            }
            OpKind::Encounter(_) => {
                let (row, _): (I, V) = op.reads();
                union(&self.set_of(agent(row).filter(|_| takes_part)), &self.of(row))
            }
            OpKind::Obstacle(ask) => self.asked_obstacle(ask, op, machine, world),
            OpKind::Path(ask) => {
                let (which, _): (I, V) = op.reads();
                let path = index_in(banks, which).and_then(|number| world.paths.get(number));
                let is_place = matches!(ask, AskPath::Closest | AskPath::At | AskPath::Point);
                self.set_of(path.filter(|_| is_place).map(|path| {
                    let at = banks.vector(op.writes(), LANE);
                    Cause::Path { path: path.name.clone(), at, distance: math::length(me.to(at)) }
                }))
            }
            OpKind::Ask(Question::Flow) => {
                let (_, point, which, _): (V, V, V, V) = op.reads();
                let (at, field) = (banks.vector(point, LANE), banks.vector(which, LANE).x);
                let found = takes_part.then(|| Cause::field(&me, FieldId(field as u16), at));
                union(&self.set_of(found.flatten()), &self.of(point))
            }
            OpKind::Waypoint => {
                let path = index_in(banks, op.reads()).and_then(|place| world.paths.get(place));
                let (to, _): (V, B) = op.writes();
                let at = banks.vector(to, LANE);
                self.set_of(path.map(|path| {
                    let number = path.points.iter().position(|point| *point == at);
                    Cause::Waypoint {
                        path: path.name.clone(),
                        number: number.unwrap_or_default() as u32,
                        at,
                        distance: math::length(me.to(at)),
                    }
                }))
            }
            _ => return None,
        })
    }

    /// Returns the causes of the answer to a question about an obstacle.
    fn asked_obstacle(
        &mut self,
        ask: AskObstacle,
        op: &Op,
        machine: &Machine<One>,
        world: &World,
    ) -> CauseSet {
        let banks = &machine.banks;
        let own_pos = machine.own_pos(LANE);
        let (which, point): (I, V) = op.reads();
        let number = index_in(banks, which);
        let obstacle = number
            .filter(|_| banks.boolean(op.active(), LANE))
            .and_then(|number| world.find_obstacle(number));
        let found = self.set_of(obstacle.map(|obstacle| {
            let seen = obstacle.shape.surface(own_pos);
            Cause::QueriedObstacle {
                id: ObstacleId(number.unwrap_or_default() as u16),
                name: obstacle.name.clone(),
                at: seen.point,
                distance: math::max(seen.distance, 0.0),
            }
        }));
        let needs_no_point = matches!(
            ask,
            AskObstacle::Center | AskObstacle::Radius | AskObstacle::Vel | AskObstacle::Present
        );
        if needs_no_point { found } else { union(&found, &self.of(point)) }
    }

    /// Returns the set of one cause, which is added to the list if it is new.
    fn set_of(&mut self, cause: Option<Cause>) -> CauseSet {
        let Some(cause) = cause.filter(|cause| *cause != Cause::NoNeighbors) else {
            return CauseSet::new();
        };
        let known = self.causes.iter().position(|other| *other == cause);
        let place = known.unwrap_or_else(|| {
            self.causes.push(cause);
            self.causes.len() - 1
        });
        vec![(place as u16, Relation::Computed)]
    }

    /// Returns the causes of a value that was chosen by a mask.
    fn chosen(&self, from: Columns, mask: B) -> CauseSet {
        let by = self.of(mask);
        // A boolean is computed from both in the same way.
        let by = if from.bank() == Some(Bank::B) { by } else { chosen_by(&by) };
        union(&self.of(from), &by)
    }

    fn of_all(&self, row: &OperandSlots) -> CauseSet {
        row.iter().fold(CauseSet::new(), |all, &columns| union(&all, &self.of(columns.columns())))
    }

    fn of(&self, operand: impl Operand) -> CauseSet {
        let each = operand.slot().each();
        each.fold(CauseSet::new(), |all, (bank, at)| union(&all, &self.sets[bank as usize][at]))
    }

    fn set(&mut self, operand: impl Operand, all: &CauseSet) {
        for (bank, at) in operand.slot().each() {
            self.sets[bank as usize][at].clone_from(all);
        }
    }
}

/// Returns the causes of a boolean, for a value that is chosen by it.
fn chosen_by(all: &CauseSet) -> CauseSet {
    let mut all: CauseSet = all.iter().map(|&(place, _)| (place, Relation::Chosen)).collect();
    all.dedup();
    all
}

/// Returns the causes of a comparison. If the comparison does not hold, the agents that it compares are no causes: it
/// rejects them. But what decided that there was something to compare remains a cause.
fn compared(mut all: CauseSet, holds: bool) -> CauseSet {
    all.retain(|&(_, how)| holds || how == Relation::Chosen);
    all
}

/// Returns the element that an operation stores or loads.
fn array_element(kind: OpKind, banks: &Banks<One>, index: I) -> ArrayElement {
    let (bank, array) = match kind {
        OpKind::StoreF(array) | OpKind::LoadF(array) => (Bank::F, array),
        OpKind::StoreI(array) | OpKind::LoadI(array) => (Bank::I, array),
        other => unreachable!("{other:?} has no array"),
    };
    (bank, array, banks.integer(index, LANE))
}

fn index_in(banks: &Banks<One>, column: I) -> Option<usize> {
    usize::try_from(banks.integer(column, LANE)).ok()
}

fn union(left: &CauseSet, right: &CauseSet) -> CauseSet {
    if right.is_empty() {
        return left.clone();
    }
    let mut all = left.clone();
    all.extend(right);
    all.sort_unstable();
    all.dedup();
    all
}
