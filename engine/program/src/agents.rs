//! Operations that read agents: the one that decides, and others.

use super::lanes::LaneValues;
use super::machine::{GroupLanes, Machine, Scene};
use super::width::Width;
use super::{AgentInteger, AgentNumber, AskOther, I, Op, UNKNOWN_STRING};
use crate::math::random::{Use, noise};
use crate::math::{self, Vec2};
use crate::world::{Agent, PublicColumn, World};

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

    /// Writes a value of another agent's public state, by the index of its name.
    pub(super) fn other_state(&mut self, scene: &Scene<'_>, op: &Op, name: u16) {
        let name = usize::from(name);
        let strings = &scene.program.strings;
        for of in scene.groups {
            let world = of.world;
            let groups = world.names().public().get(name).map_or(&[][..], |name| &name.groups);
            match world.public_column(name) {
                Some(PublicColumn::Bool(all)) => {
                    self.gather(of, op, groups, |row| all.get(row).copied());
                }
                Some(PublicColumn::Number(all)) => {
                    self.gather(of, op, groups, |row| all.get(row).copied());
                }
                Some(PublicColumn::Vector(all)) => {
                    self.gather(of, op, groups, |row| all.get(row).copied());
                }
                Some(PublicColumn::String(all)) => self.gather(of, op, groups, |row| {
                    Some(
                        strings
                            .index_of(all.get(row)?)
                            .map_or(UNKNOWN_STRING, |index| index as i64),
                    )
                }),
                Some(PublicColumn::Agent(all)) => self.gather(of, op, groups, |row| {
                    Some(match all.get(row)? {
                        Some(id) => (world.agents.row(*id)? as i64, true),
                        None => (0, false),
                    })
                }),
                None => self.each_lane_of(of, op, |_, _, _, _: i64| None::<()>),
            }
        }
    }

    /// Writes a value of the agents whose rows the operation reads. Lanes are faulted where there is none, or where the group
    /// of that agent is not marked.
    #[inline(always)]
    fn gather<T: LaneValues>(
        &mut self,
        of: &GroupLanes<'_>,
        op: &Op,
        groups: &[bool],
        value: impl Fn(usize) -> Option<T>,
    ) {
        self.each_lane_of(of, op, |_, of, _, row: i64| {
            let row = usize::try_from(row).ok()?;
            let group = of.world.agents.group.get(row)?;
            if groups[usize::from(group.0)] { value(row) } else { None }
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
