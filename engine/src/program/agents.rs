//! Operations that read agents: the one that decides, and others.

use super::machine::{Machine, Scene};
use super::{AgentInteger, AgentNumber, AskOther, I, Op};
use crate::math::random::{Use, noise};
use crate::math::{self, Vec2};
use crate::world::{Agent, World};

impl Machine {
    /// Writes a number of the agent itself that is in no column yet.
    pub(super) fn own(&mut self, scene: &Scene<'_>, op: &Op, what: AgentNumber) {
        self.each_lane(op, |machine, lane, ()| {
            Some(match what {
                AgentNumber::Speed => math::length(machine.own_vel(lane)),
                AgentNumber::HeadingX => machine.heading(scene.world, lane).x,
                AgentNumber::HeadingY => machine.heading(scene.world, lane).y,
                _ => what.of(&scene.world.agent(machine.row(lane))),
            })
        });
    }

    pub(super) fn own_i(&mut self, scene: &Scene<'_>, op: &Op, what: AgentInteger) {
        self.each_lane(op, |machine, lane, ()| {
            Some(what.of(&scene.world.agent(machine.row(lane))))
        });
    }

    pub(super) fn goal(&mut self, scene: &Scene<'_>, op: &Op) {
        let world = scene.world;
        self.each_lane(op, |machine, lane, ()| {
            let goal = world.agents.goal(machine.row(lane), &world.groups);
            let (at, radius) = goal.map_or((Vec2::ZERO, 0.0), |goal| (goal.at, goal.radius));
            Some((at, radius, goal.is_some()))
        });
    }

    pub(super) fn draw(&mut self, scene: &Scene<'_>, op: &Op) {
        self.prepare_draws(scene);
        self.each_lane(op, |machine, lane, ()| {
            let draw = machine.streams[lane].with(u64::from(machine.draws[lane]));
            machine.draws[lane] += 1;
            Some(draw.unit())
        });
    }

    pub(super) fn noise(&mut self, scene: &Scene<'_>, op: &Op) {
        let (world, all) = (scene.world, scene.world.streams(scene.group, Use::Wander));
        self.each_lane(op, |machine, lane, moment| {
            let stream = all.with(world.agents.index[machine.row(lane)].into());
            Some(noise(stream, moment))
        });
    }

    pub(super) fn other_number(&mut self, scene: &Scene<'_>, op: &Op, what: AgentNumber) {
        self.each_lane(op, |_, _, row| {
            Some(agent(scene.world, row).map_or(0.0, |other| what.of(&other)))
        });
    }

    pub(super) fn other_integer(&mut self, scene: &Scene<'_>, op: &Op, what: AgentInteger) {
        let world = scene.world;
        self.each_lane(op, |_, _, row| Some(agent(world, row).map_or(0, |other| what.of(&other))));
    }

    pub(super) fn encounter(&mut self, scene: &Scene<'_>, op: &Op, ask: AskOther) {
        self.each_lane(op, |machine, lane, (row, vel)| {
            let other = agent(scene.world, row)?;
            let me = machine.me(scene.world, lane, vel);
            let answer = ask.of(&me, other);
            Some((answer.unwrap_or(0.0), answer.is_some()))
        });
    }

    pub(super) fn free(&mut self, scene: &Scene<'_>, op: &Op) {
        self.each_lane(op, |machine, lane, (velocity, horizon)| {
            let me = machine.me(scene.world, lane, machine.own_vel(lane));
            Some(me.free_distance(velocity, horizon))
        });
    }

    pub(super) fn blocked(&mut self, scene: &Scene<'_>, op: &Op) {
        self.each_lane(op, |machine, lane, (ahead, radius, vel)| {
            Some(machine.me(scene.world, lane, vel).is_blocked(ahead, radius))
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
        let all = scene.world.streams(scene.group, Use::Script);
        for lane in 0..self.banks.lanes() {
            let index = scene.world.agents.index[self.row(lane)];
            self.streams[lane] = all.with(index.into()).with(scene.world.tick);
            self.draws[lane] = 0;
        }
        self.has_streams = true;
    }
}

fn agent(world: &World, row: i64) -> Option<Agent<'_>> {
    let row = usize::try_from(row).ok()?;
    (row < world.agents.len()).then(|| world.agent(row))
}
