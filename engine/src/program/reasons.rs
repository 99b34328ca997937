//! Because of whom numbers are what they are that a script computes itself.
//!
//! While a program is done for one agent, every number and every truth value keeps whom it hangs on:
//! others, obstacles and places that it was computed from, and those that a choice between numbers was
//! made by. It says whom, not by how much; and who is there counts, not who might have been.

use super::banks::Banks;
use super::machine::{Machine, Scene};
use super::{AskObstacle, AskPath, B, F, I, Of, Op, Program, V};
use crate::math;
use crate::steer::Cause;
use crate::world::{Me, ObstacleId};

/// The lane of the one agent.
const LANE: usize = 0;

/// A cause by its place, and how it counts: rising, none twice.
type Set = Vec<(u16, How)>;

/// How something hangs on a cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum How {
    /// It was computed from it.
    Computed,
    /// It was chosen by it.
    Chosen,
}

/// Whom all numbers and truth values hang on.
#[derive(Default)]
pub(super) struct Reasons {
    causes: Vec<Cause>,
    numbers: Vec<Set>,
    wholes: Vec<Set>,
    truths: Vec<Set>,
}

impl Reasons {
    pub(super) fn new(program: &Program) -> Self {
        Self {
            causes: Vec::new(),
            numbers: vec![Set::new(); program.columns.0],
            wholes: vec![Set::new(); program.columns.1],
            truths: vec![Set::new(); program.columns.2],
        }
    }

    /// Whom a vector hangs on, in the order in which the script came upon them.
    pub(super) fn of(&self, V(x, y): V) -> Vec<Cause> {
        let all = union(self.number(x), self.number(y));
        let mut places: Vec<u16> = all.iter().map(|&(place, _)| place).collect();
        places.dedup();
        let causes = places.iter().map(|&place| &self.causes[usize::from(place)]);
        causes.cloned().collect()
    }

    /// What a primitive or a combinator gives hangs on this alone.
    pub(super) fn gives(&mut self, to: V, from: &[V]) {
        let mut all = Set::new();
        for &V(x, y) in from {
            all = union(&all, &union(self.number(x), self.number(y)));
        }
        self.set(to, all);
    }

    /// Takes note of an operation that is no primitive and has been done.
    pub(super) fn after(&mut self, op: &Op, machine: &Machine, scene: &Scene<'_>) {
        let banks = &machine.banks;
        match *op {
            Op::BlendF { to, from, mask } => {
                if banks.truth(mask, LANE) {
                    self.numbers[place(to)] =
                        union(self.number(from), &chosen_by(self.truth(mask)));
                }
            }
            Op::SelectF { to, mask, yes, no } => {
                let chosen = chosen(banks, mask, yes, no);
                self.numbers[place(to)] = union(self.number(chosen), &chosen_by(self.truth(mask)));
            }
            Op::BlendI { to, from, mask } => {
                if banks.truth(mask, LANE) {
                    self.wholes[usize::from(to.0)] =
                        union(self.whole(from), &chosen_by(self.truth(mask)));
                }
            }
            Op::SelectI { to, mask, yes, no } => {
                let chosen = chosen(banks, mask, yes, no);
                self.wholes[usize::from(to.0)] =
                    union(self.whole(chosen), &chosen_by(self.truth(mask)));
            }
            Op::I2 { to, a, b, .. } => {
                self.wholes[usize::from(to.0)] = union(self.whole(a), self.whole(b));
            }
            Op::NegI { to, a, .. } | Op::AbsI { to, a, .. } => {
                self.wholes[usize::from(to.0)] = self.whole(a).clone();
            }
            Op::ToI { to, a, .. } => {
                self.wholes[usize::from(to.0)] = self.number(a).clone();
            }
            Op::ToF { to, a } => self.numbers[place(to)] = self.whole(a).clone(),
            Op::CmpI { to, a, b, .. } => {
                let all = union(self.whole(a), self.whole(b));
                self.truths[usize::from(to.0)] = compared(all, banks.truth(to, LANE));
            }
            Op::ConstI { to, .. }
            | Op::CommonI { to, .. }
            | Op::OwnI { to, .. }
            | Op::PathCount { to, .. }
            | Op::List { count: to, .. }
            | Op::TableI { to, .. } => self.wholes[usize::from(to.0)].clear(),
            Op::BlendB { to, from, mask } => {
                if banks.truth(mask, LANE) {
                    self.truths[usize::from(to.0)] = union(self.truth(from), self.truth(mask));
                }
            }
            Op::SelectB { to, mask, yes, no } => {
                let chosen = chosen(banks, mask, yes, no);
                self.truths[usize::from(to.0)] = union(self.truth(chosen), self.truth(mask));
            }
            Op::F1 { to, a, .. } => self.numbers[place(to)] = self.number(a).clone(),
            Op::F2 { to, a, b, .. } => {
                self.numbers[place(to)] = union(self.number(a), self.number(b));
            }
            Op::Unit { to, a } | Op::Offset { to, target: a } => self.gives(to, &[a]),
            Op::Limit { to, a, longest } => {
                let all = union(self.number(a.0), self.number(a.1));
                self.set(to, union(&all, self.number(longest)));
            }
            Op::Length { to, a } => {
                self.numbers[place(to)] = union(self.number(a.0), self.number(a.1));
            }
            Op::CmpF { to, a, b, .. } => {
                let all = union(self.number(a), self.number(b));
                self.truths[usize::from(to.0)] = compared(all, banks.truth(to, LANE));
            }
            Op::IsFinite { to, a } | Op::IsNan { to, a } => {
                self.truths[usize::from(to.0)] = self.number(a).clone();
            }
            Op::Not { to, a } | Op::Unfaulted { to, a } => {
                self.truths[usize::from(to.0)] = self.truth(a).clone();
            }
            Op::And { to, a, b }
            | Op::AndNot { to, a, b }
            | Op::Or { to, a, b }
            | Op::Same { to, a, b } => {
                self.truths[usize::from(to.0)] = union(self.truth(a), self.truth(b));
            }
            Op::ConstB { to, .. } | Op::HasCursor { to } => {
                self.truths[usize::from(to.0)].clear();
            }
            _ => self.perceived(op, machine, scene),
        }
    }

    /// What the script asks of the world.
    fn perceived(&mut self, op: &Op, machine: &Machine, scene: &Scene<'_>) {
        let (banks, world) = (&machine.banks, scene.world);
        let me = Me::new(world, machine.row(LANE), machine.own_vel(LANE));
        match *op {
            Op::Other { to, row, what } => {
                // What all agents of a group have in common is nobody's own.
                let is_own = !matches!(what, Of::Radius | Of::Mass | Of::MaxSpeed | Of::MaxForce);
                let other = machine.other(world, row, LANE).filter(|_| is_own);
                let cause = other.map(|other| Cause::agent(&me, other));
                self.numbers[place(to)] = union(&self.found(cause), self.whole(row));
            }
            Op::OtherI { to, row, .. } => {
                self.wholes[usize::from(to.0)] = self.whole(row).clone();
            }
            Op::Listed { row, .. } => {
                let other = machine.other(world, row, LANE);
                let cause = other.map(|other| Cause::agent(&me, other));
                self.wholes[usize::from(row.0)] = self.found(cause);
            }
            Op::Nearest { row, found, .. } | Op::First { row, found, .. } => {
                let is_there = banks.truth(found, LANE);
                let other = machine.other(world, row, LANE).filter(|_| is_there);
                let cause = other.map(|other| Cause::agent(&me, other));
                let all = self.found(cause);
                self.wholes[usize::from(row.0)].clone_from(&all);
                self.truths[usize::from(found.0)] = all;
            }
            Op::Means { near, offsets, velocities, count, active } => {
                let cause = banks.takes_part(active, LANE).then(|| {
                    let which = machine.neighborhood(scene.program, near, LANE);
                    Cause::neighbors(&me, &me.summary(&which))
                });
                let all = self.found(cause);
                self.wholes[usize::from(count.0)].clone_from(&all);
                self.set(offsets, all.clone());
                self.set(velocities, all);
            }
            Op::Obstacle { ask, to, which, point, active } => {
                let number = number_in(banks, which);
                let obstacle = number
                    .filter(|_| banks.truth(active, LANE))
                    .and_then(|number| world.obstacles.get(number));
                let cause = obstacle.map(|obstacle| {
                    let seen = obstacle.shape.surface(me.pos());
                    Cause::Wall {
                        id: ObstacleId(number.unwrap_or_default() as u16),
                        name: obstacle.name.clone(),
                        at: seen.point,
                        distance: math::max(seen.distance, 0.0),
                    }
                });
                let found = self.found(cause);
                let asks_about = union(self.number(point.0), self.number(point.1));
                let is_fixed = matches!(ask, AskObstacle::Center | AskObstacle::Radius);
                self.set(to, if is_fixed { found } else { union(&found, &asks_about) });
            }
            Op::Encounter { to, is, row, active, .. } => {
                let other = machine.other(world, row, LANE);
                let other = other.filter(|_| banks.takes_part(active, LANE));
                let cause = other.map(|other| Cause::agent(&me, other));
                let all = union(&self.found(cause), self.whole(row));
                self.truths[usize::from(is.0)].clone_from(&all);
                self.numbers[place(to)] = all;
            }
            Op::Free { to, velocity, horizon, .. } => {
                let all = union(self.number(velocity.0), self.number(velocity.1));
                self.numbers[place(to)] = union(&all, self.number(horizon));
            }
            Op::Ray { to, is, from, target, .. } => {
                self.gives(to, &[from, target]);
                self.truths[usize::from(is.0)] = self.number(to.0).clone();
            }
            Op::Path { ask, to, which, .. } => {
                let path = number_in(banks, which).and_then(|number| world.paths.get(number));
                let is_place = matches!(ask, AskPath::Closest | AskPath::At | AskPath::Point);
                let cause = path.filter(|_| is_place).map(|path| {
                    let at = banks.vector(to, LANE);
                    Cause::Path { path: path.name.clone(), at, distance: math::length(me.to(at)) }
                });
                let all = self.found(cause);
                self.set(to, all);
            }
            Op::Goal { at, radius, is } => {
                let cause = me.goal().map(|goal| Cause::point(&me, goal.at));
                let all = self.found(cause);
                self.truths[usize::from(is.0)].clone_from(&all);
                self.set(at, all);
                self.numbers[place(radius)].clear();
            }
            Op::Waypoint { to, is_last, which } => {
                self.truths[usize::from(is_last.0)].clear();
                let Some(path) = number_in(banks, which).and_then(|place| world.paths.get(place))
                else {
                    return self.set(to, Set::new());
                };
                let at = banks.vector(to, LANE);
                let number = path.points.iter().position(|point| *point == at);
                let all = self.found(Some(Cause::Waypoint {
                    path: path.name.clone(),
                    number: number.unwrap_or_default() as u32,
                    at,
                    distance: math::length(me.to(at)),
                }));
                self.set(to, all);
            }
            _ => super::explain::written(op, |to| self.numbers[place(to)].clear()),
        }
    }

    /// The set of a cause, which is noted if it is new.
    fn found(&mut self, cause: Option<Cause>) -> Set {
        let Some(cause) = cause.filter(|cause| *cause != Cause::Nobody) else {
            return Set::new();
        };
        let known = self.causes.iter().position(|other| *other == cause);
        let place = known.unwrap_or_else(|| {
            self.causes.push(cause);
            self.causes.len() - 1
        });
        vec![(place as u16, How::Computed)]
    }

    fn number(&self, column: F) -> &Set {
        &self.numbers[place(column)]
    }

    fn whole(&self, column: I) -> &Set {
        &self.wholes[usize::from(column.0)]
    }

    fn truth(&self, column: B) -> &Set {
        &self.truths[usize::from(column.0)]
    }

    fn set(&mut self, V(x, y): V, all: Set) {
        self.numbers[place(x)].clone_from(&all);
        self.numbers[place(y)] = all;
    }
}

/// The reasons of a truth value, for what is chosen by it.
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

fn place(column: F) -> usize {
    usize::from(column.0)
}

fn number_in(banks: &Banks, column: I) -> Option<usize> {
    usize::try_from(banks.whole(column, LANE)).ok()
}

fn chosen<C>(banks: &Banks, mask: B, yes: C, no: C) -> C {
    if banks.truth(mask, LANE) { yes } else { no }
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
