//! Operations that read neighborhoods.

use super::banks::Column;
use super::lanes::LaneValues;
use super::machine::{GroupLanes, Machine, Scene};
use super::width::Width;
use super::{LoweredView, Op, OpKind, Program};
use crate::world::{Me, NeighborQuestion, Neighborhood, Perceived, View, WantedSums};

/// Returns the sums that a program needs of each of its neighborhoods.
pub(super) fn wanted(program: &Program) -> Vec<WantedSums> {
    let mut wanted = vec![WantedSums::default(); program.nears.len()];
    for op in &program.body {
        match op.kind {
            OpKind::Means(near) => wanted[usize::from(near)].means = true,
            OpKind::Push(near) => wanted[usize::from(near)].push = true,
            OpKind::Nearest(near) => wanted[usize::from(near)].nearest = true,
            _ => {}
        }
    }
    wanted
}

impl<W: Width> Machine<W> {
    /// Returns one of the program's neighborhoods, with the values of a lane.
    pub(super) fn neighborhood(&self, program: &Program, near: u16, lane: usize) -> Neighborhood {
        let near = &program.nears[usize::from(near)];
        Neighborhood {
            radius: self.banks.number(near.radius, lane),
            group: near.group,
            relation: near.relation,
            view: match near.view {
                LoweredView::Fixed(view) => view,
                LoweredView::Over(radians) => View::over(self.banks.number(radians, lane)),
            },
            around: near.around.map(|point| self.banks.vector(point, lane)),
            // What is not a number is a fault.
            most: near.most.map(|most| self.banks.number(most, lane) as u32),
        }
    }

    /// Returns the sums that were computed in advance for a group, for a neighborhood that is the same for all its
    /// agents.
    #[inline(always)]
    fn ready<'w>(
        &self,
        program: &Program,
        of: &GroupLanes<'w>,
        near: u16,
    ) -> Option<Perceived<'w>> {
        if !program.nears[usize::from(near)].shared {
            return None;
        }
        let which = self.neighborhood(program, near, of.lanes.start);
        of.world.perceived(of.group, &which)
    }

    /// Calls a function for each lane of a group that takes part, with its neighborhood. A radius that is negative or
    /// NaN is a fault.
    fn each_near<'w, O: LaneValues>(
        &mut self,
        program: &Program,
        of: &GroupLanes<'w>,
        op: &Op,
        near: u16,
        mut answer: impl FnMut(&mut Self, usize, &Me<'w>, &Neighborhood) -> O,
    ) {
        self.each_lane_of(of, op, |machine, of, lane, ()| {
            let which = machine.neighborhood(program, near, lane);
            let me = machine.me(of.world, lane, machine.own_vel(lane));
            (which.radius >= 0.0).then(|| answer(machine, lane, &me, &which))
        });
    }

    pub(super) fn means(&mut self, scene: &Scene<'_>, op: &Op, near: u16) {
        for of in scene.groups {
            if let Some(means) = self.ready(scene.program, of, near).and_then(|ready| ready.means())
            {
                let (lanes, slots) = (of.lanes.clone(), &self.slots);
                if let Some(run) = self.run.clone() {
                    self.banks.copy_means(op.writes(), lanes, &means, run);
                } else {
                    self.banks
                        .set_means(op.writes(), lanes, |lane| means.at(slots.lane(lane) as usize));
                }
                continue;
            }
            self.each_near(scene.program, of, op, near, |_, _, me, which| {
                let sum = me.means(which);
                (i64::from(sum.count), sum.offsets, sum.velocities)
            });
        }
    }

    pub(super) fn push(&mut self, scene: &Scene<'_>, op: &Op, near: u16) {
        for of in scene.groups {
            if let Some(push) = self.ready(scene.program, of, near).and_then(|ready| ready.push()) {
                let (lanes, slots) = (of.lanes.clone(), &self.slots);
                if let Some(run) = self.run.clone() {
                    self.banks.copy_vectors(op.writes(), lanes, push.0, run);
                } else {
                    let push = |lane: usize| push.at(slots.lane(lane) as usize);
                    self.banks.set_vectors(op.writes(), lanes, push);
                }
                continue;
            }
            self.each_near(scene.program, of, op, near, |_, _, me, which| me.push(which));
        }
    }

    pub(super) fn nearest(&mut self, scene: &Scene<'_>, op: &Op, near: u16) {
        for of in scene.groups {
            if let Some(nearest) =
                self.ready(scene.program, of, near).and_then(|ready| ready.nearest())
            {
                self.each_lane_of(of, op, |machine, _, lane, ()| {
                    Some(found(nearest.at(machine.slots.lane(lane) as usize)))
                });
                continue;
            }
            self.each_near(scene.program, of, op, near, |_, _, me, which| found(me.nearest(which)));
        }
    }

    pub(super) fn ask_neighbors(
        &mut self,
        scene: &Scene<'_>,
        op: &Op,
        question: NeighborQuestion,
        near: u16,
    ) {
        self.each_lane(scene, op, |machine, of, lane, (vel, a, b, c, d)| {
            let which = machine.neighborhood(scene.program, near, lane);
            let me = machine.me(of.world, lane, vel);
            (which.radius >= 0.0).then(|| question.answer(&me, &which, [a, b, c, d]))
        });
    }

    pub(super) fn first(&mut self, scene: &Scene<'_>, op: &Op, near: u16) {
        for of in scene.groups {
            self.each_near(scene.program, of, op, near, |_, _, me, which| {
                found(me.first(which).map(|row| (row, ())))
            });
        }
    }

    pub(super) fn list(&mut self, scene: &Scene<'_>, op: &Op, near: u16, list: u16) {
        let to = usize::from(list);
        self.lists[to].rows.clear();
        self.lists[to].lanes = Column::of((0, 0));
        for of in scene.groups {
            self.each_near(scene.program, of, op, near, |machine, lane, me, which| {
                let list = &mut machine.lists[to];
                let from = list.rows.len();
                me.each_neighbor(which, |other| list.rows.push(other.row as u32));
                list.rows[from..].sort_unstable();
                let found = list.rows.len() - from;
                list.lanes.set(lane, (from as u32, found as u32));
                found as i64
            });
        }
    }

    pub(super) fn listed(&mut self, scene: &Scene<'_>, op: &Op, list: u16) {
        self.each_lane(scene, op, |machine, _, lane, at: i64| {
            let list = &machine.lists[usize::from(list)];
            let (from, count) = list.lanes.lane(lane);
            let place = usize::try_from(at).ok().filter(|&at| at < count as usize);
            Some(place.map_or(0, |at| i64::from(list.rows[from as usize + at])))
        });
    }
}

/// Returns the row of an agent, and whether there is one.
fn found<T>(agent: Option<(usize, T)>) -> (i64, bool) {
    (agent.as_ref().map_or(0, |(row, _)| *row as i64), agent.is_some())
}
