//! What one agent, or all, will decide on in the next tick, and why.
//!
//! Looks ahead in a copy and never changes the simulation. In [`Order::Sequential`] an agent's turn is
//! looked at after those before it have moved, as in the tick itself.

use std::sync::Arc;

use super::{AgentError, Explanation, Order, Simulation, motion};
use crate::math::{self, Vec2};
use crate::world::{Body, Goal, GroupId, Values, World};

/// An agent as it is before its next turn, and what that turn brings.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct NextTurn {
    /// How many ticks have passed.
    pub tick: u64,
    /// Seconds since the start.
    pub time: f32,
    /// Its name among all agents.
    pub id: u32,
    /// Its group.
    pub group: GroupId,
    /// The name of its group.
    pub group_name: Arc<str>,
    /// Its number in its group.
    pub index: u32,
    /// What it is made of.
    pub body: Body,
    /// World units. As all that follows, after what events and goals do in the coming tick.
    pub pos: Vec2,
    /// World units per second.
    pub vel: Vec2,
    /// The unit vector it looks along.
    pub heading: Vec2,
    /// The params of its group.
    pub params: Values,
    /// What its script remembers.
    pub state: Values,
    /// The goal it is after, if it has one left.
    pub goal: Option<GoalAhead>,
    /// Where it is on the path of its group, if that has one.
    pub waypoint: Option<WaypointAhead>,
    /// What it decides on, if it does.
    pub decision: Result<Decision, NoDecision>,
}

/// Why an agent decides on nothing.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum NoDecision {
    /// It has stopped for good.
    Stopped,
    /// Its turn fails, and with it the tick.
    Fails(AgentError),
}

/// A goal on the way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GoalAhead {
    /// Which.
    pub goal: Goal,
    /// How far it is, in world units.
    pub distance: f32,
    /// How many goals the agent has reached.
    pub reached: u32,
    /// How many it has in all.
    pub all: u32,
}

/// A waypoint on the way.
#[derive(Clone, Debug, PartialEq)]
pub struct WaypointAhead {
    /// The name of the path.
    pub path: Arc<str>,
    /// The waypoint's place among the points of the path, from 0.
    pub number: u32,
    /// How many points the path has.
    pub all: u32,
    /// Whether the agent walks against their order.
    pub back: bool,
    /// Where the waypoint is, in world units.
    pub at: Vec2,
    /// How far it is, in world units.
    pub distance: f32,
}

/// What an agent decides on, and what comes of it in the tick.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Decision {
    /// Its velocity before the force: the one it had, or the one that its script has set. World units per
    /// second.
    pub set_vel: Vec2,
    /// What events add to that velocity after the decision. World units per second.
    pub push: Vec2,
    /// The force it wants.
    pub wanted: Vec2,
    /// The same, cut to what its body can do.
    pub force: Vec2,
    /// The velocity that this force and the push make.
    pub wanted_vel: Vec2,
    /// The same, cut to what its body can do.
    pub vel: Vec2,
    /// Where it is after the tick.
    pub next_pos: Vec2,
    /// Its velocity after the tick; another than `vel` only where the edge of the world changes it.
    pub next_vel: Vec2,
    /// Where it looks after the tick.
    pub next_heading: Vec2,
    /// What its script remembers after the tick.
    pub next_state: Values,
    /// How the force it wants comes about. `None` if its brain cannot say: if it is no script, or one whose
    /// force does not come from what primitives answer by sums and multiples.
    pub explanation: Option<Explanation>,
}

impl Decision {
    /// Whether the force it wants is more than its body can do.
    pub fn is_force_cut(&self) -> bool {
        self.force != self.wanted
    }

    /// Whether that force makes it faster than its body can be.
    pub fn is_speed_cut(&self) -> bool {
        self.vel != self.wanted_vel
    }
}

impl Simulation {
    /// How the force comes about that an agent will decide on in the next tick, by its id. `None` if there
    /// is no such agent by then, if it has stopped for good, or if its brain cannot say.
    ///
    /// # Errors
    ///
    /// If the next tick fails before this agent decides.
    pub fn explain(&self, id: u32) -> Result<Option<Explanation>, AgentError> {
        let turn = self.advance_to_turn(id)?;
        Ok(turn.and_then(|(next, row)| next.explain_row(row)))
    }

    /// What there is to say about an agent and its next turn, by its id. `None` if there is no such agent
    /// in the next tick.
    ///
    /// # Errors
    ///
    /// If the next tick fails before it is this agent's turn.
    pub fn next_turn(&self, id: u32) -> Result<Option<NextTurn>, AgentError> {
        let Some((mut next, row)) = self.advance_to_turn(id)? else {
            return Ok(None);
        };
        let explanation = next.explain_row(row);
        let state = next.minds.state(row).clone();
        let waypoint = next.waypoint(row);
        let decision = if next.world.agents.stopped[row] {
            Err(NoDecision::Stopped)
        } else {
            next.decision(row, explanation).map_err(NoDecision::Fails)
        };
        let world = &*next.world;
        let me = world.me(row);
        let plan = world.agents.goal_progress[row];
        let goal = me.goal().map(|goal| GoalAhead {
            goal,
            distance: math::length(me.to(goal.at)),
            reached: plan.reached,
            all: me.group().goals[plan.sequence as usize].len() as u32,
        });
        Ok(Some(NextTurn {
            tick: self.world.tick,
            time: self.world.time(),
            id,
            group: me.group_id(),
            group_name: Arc::clone(&me.group().name),
            index: world.agents.index[row],
            body: *me.body(),
            pos: me.pos(),
            vel: me.vel(),
            heading: me.heading(),
            params: me.group().params.clone(),
            state,
            goal,
            waypoint,
            decision,
        }))
    }

    /// The force that each agent will decide on in the next tick, by its id, in the order of ids; zero for
    /// those that have stopped for good.
    ///
    /// # Errors
    ///
    /// If the next tick fails before all have decided.
    pub fn forces(&self) -> Result<Vec<(u32, Vec2)>, AgentError> {
        let mut next = self.clone();
        next.apply_events()?;
        next.check_goals();
        let rows = next.world.agents.len();
        let forces = match next.order {
            Order::Synchronous => {
                next.decide_all(|_| {})?;
                std::mem::take(&mut next.forces)
            }
            Order::Sequential => {
                Arc::make_mut(&mut next.world).index_for_changes();
                (0..rows).map(|row| next.take_turn(row)).collect::<Result<_, _>>()?
            }
        };
        let ids = next.world.agents.id.iter().copied();
        Ok(ids.zip(forces).collect())
    }

    /// The forces that an agent would decide on in the next tick if it stood at other places by then, with
    /// its velocity, its heading and what it knows, and all others where they are: one for each place.
    /// Places beyond the edge of the world count as where the edge puts them. Empty if there is no such
    /// agent, or if it has stopped for good.
    ///
    /// Sums over neighbors run in the order of a grid that is made for where the agent is: in a world
    /// without an edge, last bits may not be those of an agent that has been moved there.
    ///
    /// # Errors
    ///
    /// If the next tick fails before this agent decides, or if its brain fails at one of the places.
    pub fn field(&self, id: u32, places: &[Vec2]) -> Result<Vec<Vec2>, AgentError> {
        let Some((mut next, row)) = self.advance_to_turn(id)? else {
            return Ok(Vec::new());
        };
        if next.world.agents.stopped[row] {
            return Ok(Vec::new());
        }
        let state = next.minds.state(row).clone();
        let progress = next.minds.progress(row).to_vec();
        let mut forces = Vec::with_capacity(places.len());
        for &place in places {
            let world = Arc::make_mut(&mut next.world);
            // The grid still shows where it was, but nobody sees itself.
            world.agents.pos[row] = world.space.settle(place, Vec2::ZERO).0;
            forces.push(next.decide_one(row)?.0);
            let mind = next.minds.mind(row);
            mind.state.clone_from(&state);
            mind.progress.copy_from_slice(&progress);
        }
        Ok(forces)
    }

    /// A copy at the moment when an agent is about to decide in the next tick, and its row there.
    fn advance_to_turn(&self, id: u32) -> Result<Option<(Self, usize)>, AgentError> {
        let mut next = self.clone();
        next.apply_events()?;
        next.check_goals();
        let Some(row) = next.world.agents.row(id) else {
            return Ok(None);
        };
        let world: &mut World = Arc::make_mut(&mut next.world);
        match next.order {
            Order::Synchronous => world.index(),
            Order::Sequential => {
                world.index_for_changes();
                for before in 0..row {
                    next.take_turn(before)?;
                }
            }
        }
        Ok(Some((next, row)))
    }

    /// How the force comes about of an agent that is about to decide.
    fn explain_row(&self, row: usize) -> Option<Explanation> {
        let agents = &self.world.agents;
        if agents.stopped[row] {
            return None;
        }
        let mind = (self.minds.state(row), self.minds.progress(row));
        let brain = &self.brains[agents.group[row].0 as usize];
        brain.explain(&self.world, row, mind)
    }

    /// What an agent decides on that is about to.
    fn decision(
        &mut self,
        row: usize,
        explanation: Option<Explanation>,
    ) -> Result<Decision, AgentError> {
        let (wanted, set_vel) = self.decide_one(row)?;
        let world = &*self.world;
        let me = world.me(row);
        let (body, dt) = (me.body(), world.dt);
        let force = math::limit(wanted, body.max_force);
        let vel = self.pushed(row, set_vel);
        let wanted_vel = vel + force / body.mass * dt;
        let (next_pos, next_vel) = motion::moved(&world.space, body, dt, me.pos(), vel, wanted);
        if !(next_pos.is_finite() && next_vel.is_finite()) {
            return Err(self.out_of_range(row));
        }
        let along = math::unit(next_vel);
        Ok(Decision {
            set_vel,
            push: self.pushed(row, Vec2::ZERO),
            wanted,
            force,
            wanted_vel,
            vel: math::limit(wanted_vel, body.max_speed),
            next_pos,
            next_vel,
            next_heading: if along == Vec2::ZERO { me.heading() } else { along },
            next_state: self.minds.state(row).clone(),
            explanation,
        })
    }

    fn waypoint(&self, row: usize) -> Option<WaypointAhead> {
        let me = self.world.me(row);
        let id = me.group().path?;
        let path = self.world.path(id);
        let progress = self.minds.progress(row)[usize::from(id.0)];
        let at = path.waypoint(progress);
        Some(WaypointAhead {
            path: Arc::clone(&path.name),
            number: path.current(progress) as u32,
            all: path.points.len() as u32,
            back: progress.back,
            at,
            distance: math::length(me.to(at)),
        })
    }
}
