//! Because of whom numbers are what they are that a script computes itself.
//!
//! While a program is done for one agent, every column keeps whom it depends on:
//! others, obstacles and places that it was computed from, and those that a choice between numbers was
//! made by. It says whom, not by how much; and who is there counts, not who might have been.

use super::banks::Banks;
use super::columns::{Bank, Columns, Operand, OperandSlots};
use super::machine::{Machine, Scene};
use super::{AgentNumber, AskObstacle, AskPath, B, F, I, Op, OpKind, Program, V};
use crate::math;
use crate::steer::Cause;
use crate::world::{Me, ObstacleId};

/// The lane of the one agent.
const LANE: usize = 0;

/// A cause by its place, and how it counts: rising, none twice.
type Set = Vec<(u16, How)>;

/// How something depends on a cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum How {
    /// It was computed from it.
    Computed,
    /// It was chosen by it.
    Chosen,
}

/// Whom all columns depend on.
#[derive(Default)]
pub(super) struct Reasons {
    causes: Vec<Cause>,
    /// Of each column, bank by bank.
    sets: [Vec<Set>; 3],
}

impl Reasons {
    pub(super) fn new(program: &Program) -> Self {
        let (f, i, b) = program.columns;
        Self { causes: Vec::new(), sets: [f, i, b].map(|columns| vec![Set::new(); columns]) }
    }

    /// Whom a vector depends on, in the order in which the script came upon them.
    pub(super) fn of_vector(&self, v: V) -> Vec<Cause> {
        let mut places: Vec<u16> = self.of(v).iter().map(|&(place, _)| place).collect();
        places.dedup();
        let causes = places.iter().map(|&place| &self.causes[usize::from(place)]);
        causes.cloned().collect()
    }

    /// Nobody is the reason for a vector.
    pub(super) fn clear(&mut self, v: V) {
        self.set(v, &Set::new());
    }

    /// Takes note of an operation that has been done.
    pub(super) fn after(&mut self, op: &Op, machine: &Machine, scene: &Scene<'_>) {
        let banks = &machine.banks;
        let all = match op.kind {
            OpKind::BlendF | OpKind::BlendI | OpKind::BlendB => {
                let (from, mask): (Columns, B) = op.reads();
                if !banks.truth(mask, LANE) {
                    return;
                }
                self.chosen(from, mask)
            }
            OpKind::SelectF | OpKind::SelectI | OpKind::SelectB => {
                let (mask, yes, no): (B, Columns, Columns) = op.reads();
                self.chosen(if banks.truth(mask, LANE) { yes } else { no }, mask)
            }
            OpKind::CompareF(_) | OpKind::CompareI(_) => {
                compared(self.of_all(&op.read), banks.truth(op.writes(), LANE))
            }
            // Elements of what all agents share.
            OpKind::TableF(_) | OpKind::TableI(_) | OpKind::PathCount => Set::new(),
            OpKind::Goal => {
                let (at, radius, is): (V, F, B) = op.writes();
                let me = Me::new(scene.world, machine.row(LANE), machine.own_vel(LANE));
                let all = self.found(me.goal().map(|goal| Cause::point(&me, goal.at)));
                self.set(at, &all);
                self.set(is, &all);
                return self.set(radius, &Set::new());
            }
            _ => self.perceived(op, machine, scene).unwrap_or_else(|| self.of_all(&op.read)),
        };
        for slot in op.written {
            self.set(slot.columns(), &all);
        }
    }

    /// Whom the answer to a question about the world depends on, if not just on what was read.
    fn perceived(&mut self, op: &Op, machine: &Machine, scene: &Scene<'_>) -> Option<Set> {
        let (banks, world) = (&machine.banks, scene.world);
        let me = Me::new(world, machine.row(LANE), machine.own_vel(LANE));
        let takes_part = banks.takes_part(op.mask, LANE);
        let agent = |row| machine.other(world, row, LANE).map(|other| Cause::agent(&me, other));
        Some(match op.kind {
            OpKind::Other(what) => {
                // What all agents of a group have in common is nobody's own.
                let is_own = !matches!(
                    what,
                    AgentNumber::Radius
                        | AgentNumber::Mass
                        | AgentNumber::MaxSpeed
                        | AgentNumber::MaxForce
                );
                let row = op.reads();
                union(&self.found(agent(row).filter(|_| is_own)), &self.of(row))
            }
            OpKind::Listed(_) => self.found(agent(op.writes())),
            OpKind::Nearest(_) | OpKind::First(_) => {
                let (row, found): (I, B) = op.writes();
                self.found(agent(row).filter(|_| banks.truth(found, LANE)))
            }
            OpKind::Means(near) => self.found(takes_part.then(|| {
                let which = machine.neighborhood(scene.program, near, LANE);
                Cause::neighbors(&me, &me.summary(&which))
            })),
            OpKind::Encounter(_) => {
                let (row, _): (I, V) = op.reads();
                union(&self.found(agent(row).filter(|_| takes_part)), &self.of(row))
            }
            OpKind::Obstacle(ask) => {
                let (which, point): (I, V) = op.reads();
                let number = number_in(banks, which);
                let obstacle = number
                    .filter(|_| banks.truth(op.active(), LANE))
                    .and_then(|number| world.obstacles.get(number));
                let found = self.found(obstacle.map(|obstacle| {
                    let seen = obstacle.shape.surface(me.pos());
                    Cause::QueriedObstacle {
                        id: ObstacleId(number.unwrap_or_default() as u16),
                        name: obstacle.name.clone(),
                        at: seen.point,
                        distance: math::max(seen.distance, 0.0),
                    }
                }));
                let is_fixed = matches!(ask, AskObstacle::Center | AskObstacle::Radius);
                if is_fixed { found } else { union(&found, &self.of(point)) }
            }
            OpKind::Path(ask) => {
                let (which, _): (I, V) = op.reads();
                let path = number_in(banks, which).and_then(|number| world.paths.get(number));
                let is_place = matches!(ask, AskPath::Closest | AskPath::At | AskPath::Point);
                self.found(path.filter(|_| is_place).map(|path| {
                    let at = banks.vector(op.writes(), LANE);
                    Cause::Path { path: path.name.clone(), at, distance: math::length(me.to(at)) }
                }))
            }
            OpKind::Waypoint => {
                let path = number_in(banks, op.reads()).and_then(|place| world.paths.get(place));
                let (to, _): (V, B) = op.writes();
                let at = banks.vector(to, LANE);
                self.found(path.map(|path| {
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

    /// The set of a cause, which is noted if it is new.
    fn found(&mut self, cause: Option<Cause>) -> Set {
        let Some(cause) = cause.filter(|cause| *cause != Cause::NoNeighbors) else {
            return Set::new();
        };
        let known = self.causes.iter().position(|other| *other == cause);
        let place = known.unwrap_or_else(|| {
            self.causes.push(cause);
            self.causes.len() - 1
        });
        vec![(place as u16, How::Computed)]
    }

    /// Whom something depends on that was chosen by a mask.
    fn chosen(&self, from: Columns, mask: B) -> Set {
        let by = self.of(mask);
        // A boolean is computed from both alike.
        let by = if from.bank() == Some(Bank::B) { by } else { chosen_by(&by) };
        union(&self.of(from), &by)
    }

    fn of_all(&self, row: &OperandSlots) -> Set {
        row.iter().fold(Set::new(), |all, &columns| union(&all, &self.of(columns.columns())))
    }

    fn of(&self, operand: impl Operand) -> Set {
        let each = operand.slot().each();
        each.fold(Set::new(), |all, (bank, at)| union(&all, &self.sets[bank as usize][at]))
    }

    fn set(&mut self, operand: impl Operand, all: &Set) {
        for (bank, at) in operand.slot().each() {
            self.sets[bank as usize][at].clone_from(all);
        }
    }
}

/// The reasons of a boolean, for what is chosen by it.
fn chosen_by(all: &Set) -> Set {
    let mut all: Set = all.iter().map(|&(place, _)| (place, How::Chosen)).collect();
    all.dedup();
    all
}

/// The reasons of a comparison. One that does not hold is none by itself: it passes someone over. But
/// that there was someone to compare remains one.
fn compared(mut all: Set, holds: bool) -> Set {
    all.retain(|&(_, how)| holds || how == How::Chosen);
    all
}

fn number_in(banks: &Banks, column: I) -> Option<usize> {
    usize::try_from(banks.integer(column, LANE)).ok()
}

fn union(left: &Set, right: &Set) -> Set {
    if right.is_empty() {
        return left.clone();
    }
    let mut all = left.clone();
    all.extend(right);
    all.sort_unstable();
    all.dedup();
    all
}
