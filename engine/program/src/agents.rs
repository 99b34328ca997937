//! Operations that read agents: the one that decides, and others.

use super::machine::{GroupLanes, Machine, Scene};
use super::width::Width;
use super::{AgentInteger, AgentNumber, AskOther, I, Op};
use crate::math::random::{Use, noise};
use crate::math::{self, Vec2};
use crate::world::{Agent, World};

impl<W: Width> Machine<W> {
    /// Writes a number of the agent itself that is in no column yet.
    pub(super) fn own(&mut self, scene: &Scene<'_>, op: &Op, what: AgentNumber) {
        self.each_lane(scene, op, |machine, of, lane, ()| {
            Some(match what {
                AgentNumber::Speed => math::length(machine.own_vel(lane)),
                AgentNumber::HeadingX => machine.heading(of.world, lane).x,
                AgentNumber::HeadingY => machine.heading(of.world, lane).y,
                _ => what.of(&of.world.agent(machine.row(lane))),
            })
        });
    }

    pub(super) fn own_i(&mut self, scene: &Scene<'_>, op: &Op, what: AgentInteger) {
        self.each_lane(scene, op, |machine, of, lane, ()| {
            Some(what.of(&of.world.agent(machine.row(lane))))
        });
    }

    pub(super) fn goal(&mut self, scene: &Scene<'_>, op: &Op) {
        self.each_lane(scene, op, |machine, of, lane, ()| {
            let goal = of.world.agents.goal(machine.row(lane), &of.world.groups);
            let (at, radius) = goal.map_or((Vec2::ZERO, 0.0), |goal| (goal.at, goal.radius));
            Some((at, radius, goal.is_some()))
        });
    }

    pub(super) fn draw(&mut self, scene: &Scene<'_>, op: &Op) {
        self.prepare_draws(scene);
        self.each_lane(scene, op, |machine, _, lane, ()| {
            let draw = machine.draws.lane(lane);
            machine.draws.set(lane, draw + 1);
            Some(machine.streams.lane(lane).with(u64::from(draw)).unit())
        });
    }

    pub(super) fn noise(&mut self, scene: &Scene<'_>, op: &Op) {
        for group in scene.groups {
            let all = group.world.streams(group.group, Use::Wander);
            self.each_lane_of(group, op, |machine, of, lane, moment| {
                let stream = all.with(of.world.agents.index[machine.row(lane)].into());
                Some(noise(stream, moment))
            });
        }
    }

    pub(super) fn other_number(&mut self, scene: &Scene<'_>, op: &Op, what: AgentNumber) {
        self.each_lane(scene, op, |_, of, _, row| {
            Some(agent(of.world, row).map_or(0.0, |other| what.of(&other)))
        });
    }

    pub(super) fn other_integer(&mut self, scene: &Scene<'_>, op: &Op, what: AgentInteger) {
        self.each_lane(scene, op, |_, of, _, row| {
            Some(agent(of.world, row).map_or(0, |other| what.of(&other)))
        });
    }

    pub(super) fn encounter(&mut self, scene: &Scene<'_>, op: &Op, ask: AskOther) {
        self.each_lane(scene, op, |machine, of, lane, (row, vel)| {
            let other = agent(of.world, row)?;
            let me = machine.me(of.world, lane, vel);
            let answer = ask.of(&me, other);
            Some((answer.unwrap_or(0.0), answer.is_some()))
        });
    }

    pub(super) fn free(&mut self, scene: &Scene<'_>, op: &Op) {
        self.each_lane(scene, op, |machine, of, lane, (velocity, horizon)| {
            let me = machine.me(of.world, lane, machine.own_vel(lane));
            Some(me.free_distance(velocity, horizon))
        });
    }

    pub(super) fn blocked(&mut self, scene: &Scene<'_>, op: &Op) {
        self.each_lane(scene, op, |machine, of, lane, (ahead, radius, vel)| {
            Some(machine.me(of.world, lane, vel).is_blocked(ahead, radius))
        });
    }

    /// Returns the agent whose row is in a column, in one lane.
    pub(super) fn other<'w>(&self, world: &'w World, row: I, lane: usize) -> Option<Agent<'w>> {
        agent(world, self.banks.integer(row, lane))
    }

    /// Prepares the streams that the agents draw random numbers from in this tick.
    fn prepare_draws(&mut self, scene: &Scene<'_>) {
        if self.has_streams {
            return;
        }
        for GroupLanes { world, group, lanes, .. } in scene.groups {
            let all = world.streams(*group, Use::Script);
            for lane in lanes.clone() {
                let index = world.agents.index[self.row(lane)];
                self.streams.set(lane, all.with(index.into()).with(world.tick));
                self.draws.set(lane, 0);
            }
        }
        self.has_streams = true;
    }
}

fn agent(world: &World, row: i64) -> Option<Agent<'_>> {
    let row = usize::try_from(row).ok()?;
    (row < world.agents.len()).then(|| world.agent(row))
}
