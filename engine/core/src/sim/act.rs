//! Actions on a running simulation: those of its events, and those of a program or of a person in the window.

use std::sync::Arc;

use super::{Action, AgentError, ChangeError, PushTime, Simulation};
use crate::math::{self, Vec2};
use crate::world::{GoalProgress, GroupId, World, retain_rows};

impl Simulation {
    /// Adds an action to the next step. It happens after the scenario's own events of that tick, exactly as if
    /// the last event of the scenario was this action `At` the current tick.
    ///
    /// Clones and explanations include the actions that wait. [`Simulation::state`] does not include them, and
    /// [`Simulation::restore`] drops them.
    ///
    /// # Errors
    ///
    /// If the group, the param, the obstacle, the path or the input of the action does not exist.
    pub fn act(&mut self, action: Action) -> Result<(), ChangeError> {
        if !action.is_possible_in(&self.world) {
            return Err(ChangeError::NoTarget { action: Box::new(action) });
        }
        self.queue(action);
        Ok(())
    }

    /// Adds an action that is known to be possible to the next step.
    pub fn queue(&mut self, action: Action) {
        self.pending.push(action);
    }

    /// Returns the actions that wait for the next step, in order.
    pub fn pending(&self) -> &[Action] {
        &self.pending
    }

    /// Lets the events of this tick and the waiting actions happen.
    pub(super) fn apply_events(&mut self) -> Result<(), AgentError> {
        self.pushes.clear();
        self.set_by_events.clear();
        if self.pending.is_empty() && self.events.at(self.world.tick).next().is_none() {
            return Ok(());
        }
        let events = Arc::clone(&self.events);
        for (event, number) in events.at(self.world.tick) {
            if number.is_none_or(|number| self.happens_now(&event.when, number)) {
                self.apply(event.action.clone())?;
            }
        }
        for action in std::mem::take(&mut self.pending) {
            self.apply(action)?;
        }
        Ok(())
    }

    fn apply(&mut self, action: Action) -> Result<(), AgentError> {
        match action {
            Action::Push { group, velocity, when: PushTime::AfterDecision } => {
                self.pushes.push((group, velocity))
            }
            Action::Push { group, velocity, when: PushTime::BeforeDecision } => {
                let world = Arc::make_mut(&mut self.world);
                for row in 0..world.agents.len() {
                    if world.agents.group[row] == group && !world.agents.stopped[row] {
                        world.push(row, velocity);
                    }
                }
            }
            Action::Set { group, param, value } => {
                Arc::make_mut(&mut self.world).set_param(group, &param, value);
                self.prepared.clear();
            }
            Action::Spawn { group, count } => {
                let first = self.world.agents.len();
                self.spawn_agents(group, count);
                self.begin_agents(first)?;
            }
            Action::Remove { group, count } => {
                let mut left = count.unwrap_or(u32::MAX);
                let World { agents, groups, .. } = &*self.world;
                let lost = &mut self.reached[group.0 as usize].lost;
                self.keep.clear();
                self.keep.extend((0..agents.len()).map(|row| {
                    let goes = agents.group[row] == group && left > 0;
                    left -= u32::from(goes);
                    *lost += u64::from(goes && agents.goal(row, groups).is_some());
                    !goes
                }));
                self.remove_unmarked();
            }
            Action::SetGoals { group, goals } => {
                let world = Arc::make_mut(&mut self.world);
                world.groups[group.0 as usize].goals = vec![goals];
                world.agents.remove_own_goals(group);
                for row in 0..world.agents.len() {
                    if world.agents.group[row] == group {
                        world.agents.goal_progress[row] = GoalProgress::default();
                        world.agents.stopped[row] = false;
                    }
                }
            }
            Action::SetObstacle { obstacle, present } => {
                if let Some(id) = self.world.obstacle_named(&obstacle) {
                    Arc::make_mut(&mut self.world).set_present(id, present);
                }
            }
            Action::MoveObstacle { obstacle, motion } => {
                if let Some(id) = self.world.obstacle_named(&obstacle) {
                    Arc::make_mut(&mut self.world).set_obstacle_motion(id, motion);
                }
            }
            Action::SetShared { name, value } => {
                if let Some(index) = self.world.shared_named(&name) {
                    let shared = &mut Arc::make_mut(&mut self.world).shared[index];
                    if let Some(value) = shared.ty().fit(value) {
                        shared.value = value;
                    }
                    self.set_by_events.push(index);
                }
            }
            Action::Cursor { at } => Arc::make_mut(&mut self.world).cursor = at,
            Action::Input { name, down } => {
                if let Some(index) = self.world.input_named(&name) {
                    Arc::make_mut(&mut self.world).inputs[index].is_down = down;
                }
            }
            Action::Scatter { at, radius, speed, group } => self.scatter(at, radius, speed, group),
        }
        Ok(())
    }

    /// Pushes agents away from a point; see [`Action::Scatter`].
    fn scatter(&mut self, at: Vec2, radius: f32, speed: f32, group: Option<GroupId>) {
        let world = Arc::make_mut(&mut self.world);
        for row in 0..world.agents.len() {
            let agents = &world.agents;
            let is_meant = group.is_none_or(|group| agents.group[row] == group);
            if !is_meant || agents.stopped[row] {
                continue;
            }
            let offset = world.space.offset(at, agents.pos(row));
            let distance = math::length(offset);
            if distance < radius {
                let away = if distance > 0.0 { math::unit(offset) } else { agents.heading(row) };
                let push = away * (speed * (1.0 - distance / radius));
                world.push(row, push);
            }
        }
    }

    /// Removes the agents that are not marked in `keep`.
    pub(super) fn remove_unmarked(&mut self) {
        if self.keep.iter().all(|&keep| keep) {
            return;
        }
        self.sort_forces_by_row();
        Arc::make_mut(&mut self.world).agents.retain(&self.keep);
        self.minds.retain(&self.keep);
        retain_rows(&mut self.forces, &self.keep);
        self.publish();
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{coast, setup};
    use super::*;
    use crate::geom::Shape;
    use crate::sim::{Event, EventTime, Order, PushTime, Setup};
    use crate::world::{
        AfterGoals, Edge, Goal, Input, Me, Mind, Obstacle, SharedRule, SharedValue, Value,
    };

    const ALL: GroupId = GroupId(0);

    /// The state as text, since 0.0 and -0.0 are equal but differ in their bits.
    fn bits(simulation: &Simulation) -> String {
        format!("{:?}", simulation.state())
    }

    /// At least one action of each kind.
    fn actions() -> Vec<Action> {
        let group = ALL;
        let goal = Goal { at: Vec2::new(20.0, 5.0), radius: 1.0 };
        vec![
            Action::Push { group, velocity: Vec2::Y, when: PushTime::BeforeDecision },
            Action::Set { group, param: "calm".into(), value: Value::Bool(false) },
            Action::Spawn { group, count: 2 },
            Action::Remove { group, count: Some(1) },
            Action::SetGoals { group, goals: [goal].into() },
            Action::Cursor { at: Some(Vec2::splat(7.0)) },
            Action::Cursor { at: None },
            Action::SetObstacle { obstacle: "wall".into(), present: false },
            Action::Input { name: "go".into(), down: true },
            Action::SetShared { name: "food".into(), value: Value::Float(3.0) },
            Action::Scatter {
                at: Vec2::new(1.0, 1.0),
                radius: 20.0,
                speed: 3.0,
                group: Some(group),
            },
        ]
    }

    /// Steers to the pointer or else to the goal, faster if the group is not calm.
    fn go(me: &Me<'_>, mind: Mind<'_>) -> Vec2 {
        let calm = me.group().params.get("calm") == Some(&Value::Bool(true));
        let input = me.world().inputs[0].is_down.then_some(Vec2::ZERO);
        let to = me.world().cursor.or(input).or(me.goal().map(|goal| goal.at));
        mind.state.set("seen", Value::Bool(to.is_some()));
        let way = to.map_or(Vec2::ZERO, |to| me.to(to) - me.vel());
        way * if calm { 0.1 } else { 0.2 }
    }

    fn busy() -> Setup {
        let mut setup = setup(&[(0.0, 0.0), (3.0, 1.0), (9.0, 9.0)], &[], AfterGoals::Stop);
        setup.space.edge = Edge::Wrap;
        let wall = Shape::Segment { from: Vec2::new(5.0, -9.0), to: Vec2::new(5.0, 9.0) };
        setup.obstacles.push(Obstacle { name: "wall".into(), shape: wall });
        setup.inputs.push(Input::new("go", "space"));
        setup.shared.push(SharedValue::new("food", SharedRule::Sum, true, Value::Int(0)));
        setup.groups[0].0.body.radius = 0.5;
        setup.groups[0].0.body.solid = true;
        setup.dt = 0.25;
        let before = Action::Push { group: ALL, velocity: Vec2::X, when: PushTime::BeforeDecision };
        setup.events =
            vec![Event { when: EventTime::Every { ticks: 2, from: 1, until: 9 }, action: before }];
        setup
    }

    #[test]
    fn an_action_by_hand_equals_the_last_event_of_that_tick() {
        for order in [Order::Synchronous, Order::Sequential] {
            for action in actions() {
                let mut setup = Setup { order, ..busy() };
                let mut by_hand = Simulation::new(setup.clone(), vec![Arc::new(go)]).unwrap();
                setup.events.push(Event { when: EventTime::At(5), action: action.clone() });
                let mut written = Simulation::new(setup, vec![Arc::new(go)]).unwrap();
                for tick in 0..20 {
                    if tick == 5 {
                        by_hand.act(action.clone()).unwrap();
                        let mut copy = by_hand.clone();
                        copy.step().unwrap();
                        let mut other = written.clone();
                        other.step().unwrap();
                        assert_eq!(bits(&copy), bits(&other), "{action:?}");
                    }
                    by_hand.step().unwrap();
                    written.step().unwrap();
                    assert_eq!(bits(&by_hand), bits(&written), "{action:?} at {tick}");
                }
                assert!(by_hand.pending().is_empty());
            }
        }
    }

    #[test]
    fn the_pointer_stays_where_it_was_put() {
        let mut simulation = Simulation::new(busy(), vec![Arc::new(go)]).unwrap();
        let at = Some(Vec2::new(4.0, 5.0));
        simulation.act(Action::Cursor { at }).unwrap();
        simulation.step().unwrap();
        simulation.step().unwrap();
        assert_eq!(simulation.world().cursor, at);
        let (state, known) = (simulation.state(), bits(&simulation));
        simulation.act(Action::Cursor { at: None }).unwrap();
        simulation.step().unwrap();
        assert_eq!(simulation.world().cursor, None);
        simulation.act(Action::Cursor { at: None }).unwrap();
        simulation.restore(state);
        assert_eq!((simulation.world().cursor, bits(&simulation)), (at, known));
        assert!(simulation.pending().is_empty());
    }

    #[test]
    fn inputs_stay_as_they_were_set() {
        let mut simulation = Simulation::new(busy(), vec![Arc::new(go)]).unwrap();
        let press = |down| Action::Input { name: "go".into(), down };
        let is_down = |simulation: &Simulation| simulation.world().inputs[0].is_down;
        simulation.act(press(true)).unwrap();
        assert!(!is_down(&simulation), "the action waits for the next tick");
        simulation.step().unwrap();
        simulation.step().unwrap();
        assert!(is_down(&simulation));
        let (state, known) = (simulation.state(), bits(&simulation));
        assert_eq!(state.inputs_down, ["go".into()]);
        simulation.act(press(false)).unwrap();
        simulation.step().unwrap();
        assert!(!is_down(&simulation));
        simulation.restore(state);
        assert_eq!((is_down(&simulation), bits(&simulation)), (true, known));
        let unknown = Action::Input { name: "stop".into(), down: true };
        assert!(simulation.act(unknown).unwrap_err().to_string().contains("stop"));
    }

    #[test]
    fn scatter_pushes_far_agents_less_than_near_ones() {
        let points = [(50.0, 50.0), (55.0, 50.0), (50.0, 42.5), (50.0, 60.0), (98.0, 50.0)];
        let mut setup = setup(&points, &[], AfterGoals::Stay);
        setup.groups[0].1.vel = Vec2::ZERO;
        setup.space.edge = Edge::Wrap;
        let scattered = |at: (f32, f32), stopped: bool| {
            let mut simulation = Simulation::new(setup.clone(), vec![Arc::new(coast)]).unwrap();
            let mut state = simulation.state();
            state.agents.stopped[1] = stopped;
            simulation.restore(state);
            simulation
                .act(Action::Scatter { at: at.into(), radius: 10.0, speed: 4.0, group: None })
                .unwrap();
            simulation.step().unwrap();
            simulation.world().agents.velocities().collect::<Vec<_>>()
        };
        let [none, right] = [Vec2::ZERO, Vec2::X];
        let down = Vec2::new(0.0, -1.0);
        // The agent at the exact place is pushed along its heading.
        let expected = [right * 4.0, right * 2.0, down, none, none];
        assert_eq!(scattered((50.0, 50.0), false), expected);
        assert_eq!(scattered((50.0, 50.0), true)[1], none);
        // Across the edge.
        assert_eq!(scattered((3.0, 50.0), false)[4], Vec2::new(-2.0, 0.0));
    }
}
