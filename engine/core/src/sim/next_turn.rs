//! Computes what one agent, or all of them, will decide in the next tick, and why.
//!
//! This module computes the next tick in a copy and never changes the simulation. In [`Order::Sequential`] the
//! agents before this one move first, as in the tick itself.

use std::sync::Arc;

use super::contacts::{self, Contact};
use super::locomotion::{Motion, advance};
use super::{
    AgentError, Brain, Explanation, LimitCut, Moment, NoBehavior, Order, Simulation, SkippedCalls,
    TurnValue,
};
use crate::math::{self, Vec2};
use crate::steer::{Cause, ExplainedCall, PRIMITIVES, Primitive};
use crate::world::{AgentId, Body, Goal, GroupId, Values, World};

/// An agent as it is before its next turn, and what it will do in that turn.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct NextTurn {
    /// Number of ticks that have passed.
    pub tick: u64,
    /// Seconds since the start.
    pub time: f32,
    /// Its id, unique among all agents.
    pub id: AgentId,
    /// Its group.
    pub group: GroupId,
    /// The name of its group.
    pub group_name: Arc<str>,
    /// Its index in its group.
    pub index: u32,
    /// Its body.
    pub body: Body,
    /// Its position in world units. This and all fields below include what the events and goals of the coming
    /// tick do.
    pub pos: Vec2,
    /// Its velocity in world units per second.
    pub vel: Vec2,
    /// The unit vector that it faces along.
    pub heading: Vec2,
    /// The params of its group.
    pub params: Values,
    /// The values that its script keeps in `me.state`.
    pub state: Values,
    /// Its current goal, if it has one left.
    pub goal: Option<GoalAhead>,
    /// The name of the first obstacle on the straight line to its goal.
    pub before_goal: Option<Arc<str>>,
    /// Number of goals that it has reached.
    pub goals_reached: u32,
    /// Its current waypoint on the path of its group, if the group has a path.
    pub waypoint: Option<WaypointAhead>,
    /// Its decision, or the reason why it makes none.
    pub decision: Result<Decision, NoDecision>,
    /// The calls of primitives that its script does not make in this turn because of a condition.
    pub skipped: Vec<SkippedCalls>,
}

/// Why an agent makes no decision.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum NoDecision {
    /// It has stopped after its last goal.
    Stopped,
    /// Its turn fails, and the tick with it.
    Fails(AgentError),
}

/// The current goal of an agent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GoalAhead {
    /// The goal.
    pub goal: Goal,
    /// Its distance in world units.
    pub distance: f32,
    /// Number of goals that the agent has in all.
    pub all: u32,
}

/// The current waypoint of an agent.
#[derive(Clone, Debug, PartialEq)]
pub struct WaypointAhead {
    /// The name of the path.
    pub path: Arc<str>,
    /// The index of the waypoint among the points of the path, from 0.
    pub number: u32,
    /// Number of points that the path has.
    pub all: u32,
    /// Whether the agent follows the points in reverse order.
    pub back: bool,
    /// The position of the waypoint in world units.
    pub at: Vec2,
    /// Its distance in world units.
    pub distance: f32,
}

/// The decision of an agent, and its movement in the tick because of that.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Decision {
    /// Its velocity before the force, in world units per second: the one it had, or the one that its script set.
    pub set_vel: Vec2,
    /// The velocity that events and the noise of motion add after the decision, in world units per second.
    pub push: Vec2,
    /// The force that its behavior returned.
    pub wanted_force: Vec2,
    /// The same force, cut to the maximum force of its body.
    pub force: Vec2,
    /// The cuts by the limits of its body after that: of the force along and across the heading, and of the turn.
    pub cuts: Vec<LimitCut>,
    /// The velocity that results from the rest of the force and the push.
    pub wanted_vel: Vec2,
    /// The same velocity, cut to the maximum speed of its body.
    pub vel: Vec2,
    /// Its position after the tick.
    pub next_pos: Vec2,
    /// Its velocity after the tick. It differs from `vel` only if the edge of the world or a contact changes it.
    pub next_vel: Vec2,
    /// The things that it touches after the tick. Empty for a body that is not solid, except at the edge of the world.
    pub contacts: Vec<Contact>,
    /// Its heading after the tick.
    pub next_heading: Vec2,
    /// The values that its script keeps in `me.state` when it has decided: without what others tell it in this tick, what it takes
    /// from layers, and whom it captures.
    pub next_state: Values,
    /// Why it wants that force. `None` if its brain cannot say: if it is no script, or if the turn computes too
    /// many vectors to track.
    pub explanation: Option<Explanation>,
}

/// The decision of an agent in a tick, before the limits of its body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Wish {
    /// The force that its behavior returns.
    pub force: Vec2,
    /// By how much its script itself changes the velocity, in world units per second. Zero if it does not.
    pub vel_change: Vec2,
}

impl Wish {
    /// Returns the force that would change the velocity of a body as much in a tick of `dt` seconds.
    pub fn as_force(&self, body: &Body, dt: f32) -> Vec2 {
        if self.vel_change == Vec2::ZERO {
            return self.force;
        }
        self.force + self.vel_change * (body.mass / dt)
    }
}

impl Decision {
    /// Returns whether the wanted force is above the maximum force of its body.
    pub fn is_force_cut(&self) -> bool {
        self.force != self.wanted_force
    }

    /// Returns whether what it touches leaves less than half of its velocity, as a whole or in the direction of what it mostly
    /// follows: an agent that slowly slides along a wall, away from the place that it steers to, is blocked too.
    pub fn is_blocked(&self) -> bool {
        let is_lost = |to: Vec2| {
            let before = self.vel.dot(to);
            before > 0.0 && self.next_vel.dot(to) < 0.5 * before
        };
        let follows = self.explanation.as_ref().and_then(Explanation::dominant);
        let follows = follows.is_some_and(|call| is_lost(call.pull));
        !self.contacts.is_empty() && (is_lost(self.vel) || follows)
    }

    /// Returns the primitive that finds a way around the obstacle that blocks the agent. `None` if no obstacle does, if what the
    /// agent mostly follows does not steer straight to a place, or if its turn searches a way already.
    pub(super) fn way_around(&self) -> Option<&'static Primitive> {
        let is_obstacle = |contact: &Contact| matches!(contact, Contact::Obstacle { .. });
        let why = self.explanation.as_ref().filter(|_| self.is_blocked())?;
        let goes_straight = why.dominant().is_some_and(|call| call.primitive.goes_straight);
        let has_to = goes_straight && self.contacts.iter().any(is_obstacle);
        searches_way().filter(|_| has_to && !why.searches_way())
    }

    /// Returns the primitive that finds a way to a goal, if the agent mostly goes straight to it, or only avoids an obstacle that is between
    /// it and the goal. `None` if its turn does not ask for a way straight to a place, or if it searches one already.
    pub(super) fn way_to_goal(&self, goal: Vec2) -> Option<&'static Primitive> {
        let why = self.explanation.as_ref()?;
        let is_it = |cause: &Cause| matches!(cause, Cause::Point { at, .. } if *at == goal);
        let goes_there = |call: &ExplainedCall| {
            call.primitive.goes_straight && call.cause.as_ref().is_some_and(is_it)
        };
        let goes_straight = why.calls.iter().any(|call| call.primitive.goes_straight);
        let avoids = |call: &ExplainedCall| call.primitive.sees_obstacles && goes_straight;
        let does = why.dominant().is_some_and(|call| goes_there(call) || avoids(call));
        searches_way().filter(|_| does && !why.searches_way())
    }

    /// Returns whether the wanted velocity is above the maximum speed of its body.
    pub fn is_speed_cut(&self) -> bool {
        self.vel != self.wanted_vel
    }
}

/// Returns the primitive that finds a way around obstacles.
fn searches_way() -> Option<&'static Primitive> {
    PRIMITIVES.iter().find(|primitive| primitive.searches_way)
}

impl Simulation {
    /// Explains the force that the agent with this id will decide on in the next tick. `None` if there is no
    /// such agent by then, if it has stopped, or if its brain cannot say.
    ///
    /// # Errors
    ///
    /// If the next tick fails before this agent decides.
    pub fn explain(&self, id: AgentId) -> Result<Option<Explanation>, AgentError> {
        let turn = self.advance_to_turn(id)?;
        Ok(turn.and_then(|(next, row)| next.explain_row(row)))
    }

    /// Returns the agent with this id before its next turn, and what it will do in that turn. `None` if there is
    /// no such agent in the next tick.
    ///
    /// # Errors
    ///
    /// If the next tick fails before the turn of this agent.
    pub fn next_turn(&self, id: AgentId) -> Result<Option<NextTurn>, AgentError> {
        let Some((mut next, row)) = self.advance_to_turn(id)? else {
            return Ok(None);
        };
        let (explanation, steps) = next.explain_row_with_steps(row);
        let skipped = SkippedCalls::all(&TurnValue::last_of_each(steps));
        let state = next.minds.state(row).clone();
        let waypoint = next.waypoint(row);
        let mut decision = if next.world.agents.stopped[row] {
            Err(NoDecision::Stopped)
        } else {
            next.decision(row, explanation).map_err(NoDecision::Fails)
        };
        if let Ok(decision) = &mut decision
            && next.world.agent(row).body().solid
        {
            self.add_contacts(id, decision);
        }
        next.blur.end(&mut next.world);
        let world = &*next.world;
        let me = world.me(row);
        let goal = me.goal().map(|goal| GoalAhead {
            goal,
            distance: math::length(me.to(goal.at)),
            all: world.agents.goals(row, &world.groups).len() as u32,
        });
        let before_goal = goal.and_then(|ahead| {
            let (id, _) = world.first_hit(me.pos(), me.to(ahead.goal.at), ahead.distance, 0.0)?;
            Some(Arc::clone(&world.obstacle(id).name))
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
            params: me.agent().params(),
            state,
            goal,
            before_goal,
            goals_reached: world.agents.goal_progress[row].reached,
            waypoint,
            decision,
            skipped,
        }))
    }

    /// Returns the id of each agent and what it will decide on in the next tick, in the order of ids. Nothing for agents that
    /// have stopped.
    ///
    /// # Errors
    ///
    /// If the next tick fails before all agents have decided.
    pub fn wishes(&self) -> Result<Vec<(AgentId, Wish)>, AgentError> {
        let mut next = self.clone();
        next.apply_events()?;
        next.check_goals();
        let rows = next.world.agents.len();
        let wishes = match next.order {
            Order::Synchronous => {
                next.decide_all(|_, _| {})?;
                next.last_wishes()
            }
            Order::Sequential => {
                next.begin_decisions();
                Arc::make_mut(&mut next.world).index_for_changes();
                let moment = Moment::unique();
                let wish = |row| {
                    if next.world.agents.stopped[row] {
                        return Ok(Wish::default());
                    }
                    let before = next.blur.true_vel(&next.world, row, next.world.agents.vel(row));
                    let (force, vel) = next.decide_one(moment, row)?;
                    next.move_one(row, force, vel)?;
                    Ok(Wish { force, vel_change: vel - before })
                };
                (0..rows).map(wish).collect::<Result<_, _>>()?
            }
        };
        let ids = next.world.agents.id.iter().copied();
        Ok(ids.zip(wishes).collect())
    }

    /// Returns what all agents have decided on, before they move.
    fn last_wishes(&self) -> Vec<Wish> {
        let agents = &self.world.agents;
        let mut wishes = vec![Wish::default(); agents.len()];
        for (turn, &row) in self.decision_order.rows(&self.world).iter().enumerate() {
            let row = row as usize;
            if !agents.stopped[row] {
                let vel_change = self.velocities[turn] - agents.vel(row);
                wishes[row] = Wish { force: self.forces[turn], vel_change };
            }
        }
        wishes
    }

    /// Returns the ids of the agents for which a condition holds, in the order of ids: a brain that decides on a force other
    /// than zero. Agents that have stopped are left out. The brain sees the world as it is, and changes nothing.
    ///
    /// A group is left out if the condition fails for an agent of it, for example because it names a param that the group
    /// does not have.
    ///
    /// # Errors
    ///
    /// The first error if the condition fails for all groups that have agents.
    pub fn agents_where(&self, condition: &Arc<dyn Brain>) -> Result<Vec<AgentId>, AgentError> {
        let all = self.answers(condition)?.into_iter();
        Ok(all.filter(|(_, force)| *force != Vec2::ZERO).map(|(id, _)| id).collect())
    }

    /// Returns the number that an expression has for each agent, in the order of ids: the x coordinate of the force that a brain
    /// decides on. For the rest, this is like [`agents_where`](Self::agents_where).
    ///
    /// # Errors
    ///
    /// The first error if the expression fails for all groups that have agents.
    pub fn numbers_of(
        &self,
        expression: &Arc<dyn Brain>,
    ) -> Result<Vec<(AgentId, f32)>, AgentError> {
        let all = self.answers(expression)?.into_iter();
        Ok(all.map(|(id, force)| (id, force.x)).collect())
    }

    /// Returns the force that a brain decides on for each agent that has not stopped, in the order of ids. Groups for which it
    /// fails are left out.
    fn answers(&self, brain: &Arc<dyn Brain>) -> Result<Vec<(AgentId, Vec2)>, AgentError> {
        let mut found = Vec::new();
        let mut failed: Option<AgentError> = None;
        let mut is_answered = self.world.agents.is_empty();
        for id in (0..self.brains.len() as u16).map(GroupId) {
            if !self.world.agents.group.contains(&id) {
                continue;
            }
            let mut now = self.asking(id, brain);
            match now.decide_all(|_, _| {}) {
                Ok(()) => {
                    is_answered = true;
                    let agents = &now.world.agents;
                    let all = agents.id.iter().zip(now.last_forces()).enumerate();
                    let own =
                        all.filter(|(row, _)| agents.group[*row] == id && !agents.stopped[*row]);
                    found.extend(own.map(|(_, (id, force))| (*id, force)));
                }
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        found.sort_unstable_by_key(|(id, _)| *id);
        match failed {
            Some(error) if !is_answered => Err(error),
            _ => Ok(found),
        }
    }

    /// Returns a copy in which another brain decides for a group, and nobody for all others, from the same state.
    pub(super) fn asking(&self, group: GroupId, brain: &Arc<dyn Brain>) -> Self {
        let mut now = self.clone();
        let idle: Arc<dyn Brain> = Arc::new(NoBehavior);
        now.order = Order::Synchronous;
        now.brains.fill(idle);
        now.brains[usize::from(group.0)] = Arc::clone(brain);
        now.prepared.clear();
        now
    }

    /// Returns what the agent would decide on in the next tick at each point, if it stood
    /// there, with its own velocity, heading and memory, and with all other agents where they are. A point
    /// outside the world is moved to where the edge puts it. Empty if there is no such agent, or if it has
    /// stopped.
    ///
    /// Sums over neighbors run in the order of a grid that is made for the agent's real position. In a world
    /// without an edge the last bits can therefore differ from those of an agent that really stands there.
    ///
    /// # Errors
    ///
    /// If the next tick fails before this agent decides, or if its brain fails at one of the points.
    pub fn field(&self, id: AgentId, points: &[Vec2]) -> Result<Vec<Wish>, AgentError> {
        let Some((mut next, row)) = self.advance_to_turn(id)? else {
            return Ok(Vec::new());
        };
        if next.world.agents.stopped[row] {
            return Ok(Vec::new());
        }
        let state = next.minds.state(row).clone();
        let progress = next.minds.progress(row).to_vec();
        let before = next.blur.true_vel(&next.world, row, next.world.agents.vel(row));
        let mut wishes = Vec::with_capacity(points.len());
        let moment = Moment::unique();
        for &point in points {
            let world = Arc::make_mut(&mut next.world);
            // The grid still has its old position, but no agent sees itself.
            *world.agents.pos_mut(row) = world.space.apply_edge(point, Vec2::ZERO).0;
            let (force, vel) = next.decide_one(moment, row)?;
            wishes.push(Wish { force, vel_change: vel - before });
            let mind = next.minds.mind(row);
            mind.state.clone_from(&state);
            mind.progress.copy_from_slice(&progress);
        }
        Ok(wishes)
    }

    /// Returns a copy in which the next thing to happen is the decision of an agent in the next tick, and the
    /// row of that agent in the copy.
    pub(super) fn advance_to_turn(&self, id: AgentId) -> Result<Option<(Self, usize)>, AgentError> {
        let mut next = self.advance_to_turns()?;
        let Some(row) = next.world.agents.row(id) else {
            return Ok(None);
        };
        if next.order == Order::Sequential {
            let moment = Moment::unique();
            for before in 0..row {
                next.take_turn(moment, before)?;
            }
        }
        Ok(Some((next, row)))
    }

    /// Returns a copy that is about to take the turns of the next tick.
    pub(super) fn advance_to_turns(&self) -> Result<Self, AgentError> {
        let mut next = self.clone();
        next.apply_events()?;
        next.check_goals();
        next.begin_decisions();
        let world: &mut World = Arc::make_mut(&mut next.world);
        match next.order {
            Order::Synchronous => world.index(),
            Order::Sequential => world.index_for_changes(),
        }
        Ok(next)
    }

    /// Explains the force of an agent that is about to decide.
    fn explain_row(&self, row: usize) -> Option<Explanation> {
        let agents = &self.world.agents;
        if agents.stopped[row] {
            return None;
        }
        let mind = (self.minds.state(row), self.minds.progress(row));
        let brain = &self.brains[agents.group[row].0 as usize];
        brain.explain(&self.world, row, mind)
    }

    /// Returns the same, and the steps of the turn.
    fn explain_row_with_steps(&self, row: usize) -> (Option<Explanation>, Vec<TurnValue>) {
        let agents = &self.world.agents;
        if agents.stopped[row] {
            return (None, Vec::new());
        }
        let mind = (self.minds.state(row), self.minds.progress(row));
        let brain = &self.brains[agents.group[row].0 as usize];
        brain.explain_with_steps(&self.world, row, mind)
    }

    /// Returns the decision of an agent that is about to decide.
    fn decision(
        &mut self,
        row: usize,
        explanation: Option<Explanation>,
    ) -> Result<Decision, AgentError> {
        let (wanted, set_vel) = self.decide_one(Moment::unique(), row)?;
        self.blur.end(&mut self.world);
        let world = &*self.world;
        let me = world.me(row);
        let body = me.body();
        let vel = self.with_pushes(row, set_vel);
        let before = Motion { pos: me.pos(), vel, heading: me.heading() };
        let after = advance(&world.space, body, world.dt, before, wanted);
        if !after.is_finite() {
            return Err(self.out_of_range(row));
        }
        Ok(Decision {
            set_vel,
            push: self.with_pushes(row, Vec2::ZERO),
            wanted_force: wanted,
            force: after.force,
            cuts: LimitCut::all(body, world.dt, &after),
            wanted_vel: after.wanted_vel,
            vel: after.vel,
            next_pos: after.motion.pos,
            next_vel: after.motion.vel,
            contacts: if after.motion.vel == after.vel { vec![] } else { vec![Contact::Edge] },
            next_heading: after.motion.heading,
            next_state: self.minds.state(row).clone(),
            explanation,
        })
    }

    /// Sets where an agent is after the contacts of the next tick. They depend on how all others move, so the whole tick
    /// must run.
    fn add_contacts(&self, id: AgentId, decision: &mut Decision) {
        let mut next = self.clone();
        if next.step().is_ok()
            && let Some(row) = next.world.agents.row(id)
        {
            let agents = &next.world.agents;
            decision.next_pos = agents.pos(row);
            decision.next_vel = agents.vel(row);
            decision.next_heading = agents.heading(row);
            decision.contacts.extend(contacts::contacts_of(&next.world, row));
        }
    }

    fn waypoint(&self, row: usize) -> Option<WaypointAhead> {
        let me = self.world.me(row);
        let id = me.path()?;
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
