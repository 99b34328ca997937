//! Agents that set themselves goals, that capture others, that leave, and that make others.
//!
//! All of it happens at the end of the tick, in the order of the agents that decided: first agents get their goals, then agents leave or are
//! captured, then others come.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::layers::add_to;
use super::{AgentError, Change, ChangeKind, NewcomerSpec, Simulation};
use crate::diag::Diagnostic;
use crate::math::Vec2;
use crate::world::{AgentId, NewAgent, News, NewsSource};

impl Simulation {
    /// Lets the changes happen that agents have decided on in the tick that has just ended.
    pub(super) fn apply_changes(&mut self) -> Result<(), AgentError> {
        if self.output.changes.is_empty() {
            return Ok(());
        }
        let tick = self.world.tick - 1;
        self.apply_each().map_err(|error| AgentError { tick, ..error })
    }

    fn apply_each(&mut self) -> Result<(), AgentError> {
        let mut changes = std::mem::take(&mut self.output.changes);
        changes.sort_by_key(|change| change.agent);
        self.set_goals(&changes);
        let leaving = changes.iter().filter(|change| change.kind == ChangeKind::Remove);
        let mut leaving: Vec<AgentId> = leaving.map(|change| change.agent).collect();
        leaving.extend(self.capture(&changes));
        leaving.sort_unstable();
        leaving.dedup();
        self.check_room(&changes, leaving.len())?;
        if !leaving.is_empty() {
            self.remove(&leaving);
        }
        self.add_newcomers(changes)
    }

    /// Gives agents the goals that they have set themselves.
    fn set_goals(&mut self, changes: &[Change]) {
        for change in changes {
            let ChangeKind::SetGoal(goal) = change.kind else { continue };
            let Some(row) = self.world.agents.row(change.agent) else { continue };
            let agents = &mut Arc::make_mut(&mut self.world).agents;
            agents.set_own_goal(row, goal);
            agents.goal_progress[row].reached = 0;
        }
    }

    /// Lets agents count those that they capture, and returns these. The first one that wants an agent gets it, also if one of the two leaves
    /// or is captured itself.
    fn capture(&mut self, changes: &[Change]) -> BTreeSet<AgentId> {
        let names = Arc::clone(self.world.names());
        let (mut captured, mut news) = (BTreeSet::new(), Vec::new());
        let tick = self.world.tick - 1;
        for change in changes {
            let ChangeKind::Capture { agent, into } = change.kind else { continue };
            let agents = &self.world.agents;
            if let Some(row) = agents.row(change.agent)
                && let Some(other) = agents.row(agent)
                && captured.insert(agent)
            {
                let name = Arc::clone(&names.public()[usize::from(into)].name);
                add_to(&mut self.minds, row, &name, 1.0);
                let group = Arc::clone(&self.world.agent(other).group().name);
                let source = NewsSource::Captured { id: agent, group };
                news.push(News::of_own_act(tick, change.agent, name, source));
            }
        }
        self.note(news);
        captured
    }

    /// Returns the error of the agent with whose newcomer there would be too many agents.
    fn check_room(&self, changes: &[Change], leaving: usize) -> Result<(), AgentError> {
        let agents = &self.world.agents;
        let room = (self.max_agents + leaving).saturating_sub(agents.len());
        let is_newcomer = |change: &&Change| matches!(change.kind, ChangeKind::Spawn(_));
        let mut newcomers = changes.iter().filter(is_newcomer);
        let Some(one_too_many) = newcomers.nth(room) else {
            return Ok(());
        };
        let row = agents.row(one_too_many.agent).unwrap_or(0);
        let max = self.max_agents;
        let what = Diagnostic::error(format!("there would be more than {max} agents"))
            .help("let agents leave with `me.leave()`, or make fewer")
            .help("a scenario can allow more: `limits: (agents: ...)`");
        Err(AgentError::new(&self.world, row, what))
    }

    /// Adds the agents that others have made, and lets their behaviors prepare them.
    fn add_newcomers(&mut self, changes: Vec<Change>) -> Result<(), AgentError> {
        let newcomers = changes.into_iter().filter_map(|change| match change.kind {
            ChangeKind::Spawn(newcomer) => Some(*newcomer),
            ChangeKind::Remove
            | ChangeKind::Capture { .. }
            | ChangeKind::SetGoal(_)
            | ChangeKind::Tell(_)
            | ChangeKind::Share { .. } => None,
        });
        let first = self.world.agents.len();
        self.sort_forces_by_row();
        let world = Arc::make_mut(&mut self.world);
        for NewcomerSpec { group, pos, vel, state } in newcomers {
            world.add(group, NewAgent::at(pos, vel));
            let row = world.agents.len() - 1;
            self.minds.grow(row + 1);
            *self.minds.mind(row).state = state;
        }
        self.complete_minds(first);
        let count = self.world.agents.len();
        if count == first {
            return Ok(());
        }
        self.forces.resize(count, Vec2::ZERO);
        self.begin_agents(first)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Acts, setup};
    use super::*;
    use crate::sim::{Brain, Order, Output, Setup, Turn, Turns};
    use crate::world::{AfterGoals, AgentId, Goal, GroupId, Value, Values, World};

    /// Agents divide every third tick, and leave at the age of five.
    struct Divides;

    impl Brain for Divides {
        fn begin(
            &self,
            world: &Arc<World>,
            mut turns: Turns<'_>,
            _: &mut Output,
        ) -> Result<(), AgentError> {
            turns.each(world, |turn| {
                turn.mind.state.set("born", Value::Int(world.tick as i64));
                Ok(())
            })
        }

        fn decide(
            &self,
            world: &Arc<World>,
            mut turns: Turns<'_>,
            output: &mut Output,
        ) -> Result<(), AgentError> {
            turns.each(world, |turn| {
                let agent = world.agent(turn.row);
                let Some(&Value::Int(born)) = turn.mind.state.get("born") else { return Ok(()) };
                let age = world.tick as i64 - born;
                let mut change = |kind| output.changes.push(Change { agent: agent.id(), kind });
                if age == 5 {
                    change(ChangeKind::Remove);
                }
                if age % 3 == 2 {
                    let state = Values::from_iter([("mother".into(), Value::Agent(agent.id()))]);
                    let pos = agent.pos() + Vec2::X;
                    let group = GroupId(0);
                    change(ChangeKind::Spawn(Box::new(NewcomerSpec {
                        group,
                        pos,
                        vel: Vec2::Y,
                        state,
                    })));
                }
                Ok(())
            })
        }
    }

    fn dividing(order: Order, max_agents: usize) -> Simulation {
        let setup = setup(&[(0.0, 0.0), (5.0, 0.0)], &[], AfterGoals::Stop);
        Simulation::new(Setup { order, max_agents, ..setup }, vec![Arc::new(Divides)]).unwrap()
    }

    #[test]
    fn agents_leave_and_come_at_the_end_of_the_tick() {
        for order in [Order::Synchronous, Order::Sequential] {
            let mut simulation = dividing(order, 100);
            let mut counts = Vec::new();
            for _ in 0..7 {
                simulation.step().unwrap();
                counts.push(simulation.world().agents.len());
            }
            // Born at tick 3, and again at tick 6, when the first two leave.
            assert_eq!(counts, [2, 2, 4, 4, 4, 6, 6]);
            let ids: Vec<u32> = simulation.world().agents.id.iter().map(|id| id.0).collect();
            assert_eq!(ids, [2, 3, 4, 5, 6, 7], "in the order of those who made them");
            let mothers = (0..6).map(|row| simulation.minds().state(row).get("mother").cloned());
            let expected = [0, 1, 0, 1, 2, 3].map(|id| Some(Value::Agent(AgentId(id))));
            assert_eq!(mothers.collect::<Vec<_>>(), expected);
            assert_eq!(simulation.minds().state(0).get("born"), Some(&Value::Int(3)));
        }
    }

    #[test]
    fn a_run_goes_on_from_any_state_as_it_went() {
        let mut straight = dividing(Order::Synchronous, 1000);
        for _ in 0..12 {
            let mut restored = dividing(Order::Synchronous, 1000);
            restored.restore(straight.state());
            restored.step().unwrap();
            straight.step().unwrap();
            assert_eq!(format!("{:?}", restored.state()), format!("{:?}", straight.state()));
        }
    }

    #[test]
    fn there_are_never_more_agents_than_allowed() {
        let mut simulation = dividing(Order::Synchronous, 5);
        let failed = (0..9).find_map(|_| simulation.step().err()).unwrap();
        assert_eq!((failed.tick, failed.agent), (5, AgentId(3)), "{failed}");
        assert!(failed.to_string().contains("more than 5 agents"), "{failed}");
    }

    /// Each agent sets itself a goal 10 to the right as soon as it has none.
    fn goes_on() -> impl Brain {
        Acts(move |world: &World, turn: Turn<'_>, output: &mut Output| {
            let agent = world.agent(turn.row);
            if world.me(turn.row).goal().is_none() {
                let goal = Goal { at: agent.pos() + Vec2::X * 10.0, radius: 1.0 };
                let kind = ChangeKind::SetGoal(goal);
                output.changes.push(Change { agent: agent.id(), kind });
            }
        })
    }

    #[test]
    fn agents_reach_the_goals_that_they_have_set_themselves() {
        for (after, reached, left) in
            [(AfterGoals::Stay, 4, 2), (AfterGoals::Stop, 2, 2), (AfterGoals::Remove, 2, 0)]
        {
            // They move by 1 a tick.
            let setup = setup(&[(0.0, 0.0), (5.0, 0.0)], &[], after);
            let mut simulation = Simulation::new(setup, vec![Arc::new(goes_on())]).unwrap();
            simulation.step().unwrap();
            let world = simulation.world();
            assert_eq!(world.me(1).goal(), Some(Goal { at: Vec2::new(15.0, 0.0), radius: 1.0 }));
            for _ in 0..23 {
                let mut restored = simulation.clone();
                restored.restore(simulation.state());
                simulation.step().unwrap();
                restored.step().unwrap();
                assert_eq!(format!("{:?}", restored.state()), format!("{:?}", simulation.state()));
            }
            let counts = simulation.goal_counts(GroupId(0));
            assert_eq!((counts.agents, counts.lost), (reached, 0), "{after:?}");
            assert_eq!(simulation.world().agents.len(), left, "{after:?}");
        }
    }

    /// Each agent wants to capture those with the ids that a function gives.
    fn captures(whom: fn(u32) -> &'static [u32]) -> impl Brain {
        Acts(move |world: &World, turn: Turn<'_>, output: &mut Output| {
            let agent = world.agents.id[turn.row];
            for &other in whom(agent.0) {
                let kind = ChangeKind::Capture { agent: AgentId(other), into: 0 };
                output.changes.push(Change { agent, kind });
            }
            if agent.0 == 7 {
                output.changes.push(Change { agent, kind: ChangeKind::Remove });
            }
        })
    }

    #[test]
    fn the_first_id_captures_an_agent_and_all_that_are_captured_leave_at_once() {
        for order in [Order::Synchronous, Order::Sequential] {
            // From right to left, so that agents decide in another order.
            let places: Vec<(f32, f32)> = (0..100).map(|i| (900.0 - 9.0 * i as f32, 0.0)).collect();
            let mut setup = Setup { order, ..setup(&places, &[], AfterGoals::Stop) };
            setup.groups[0].0.public.set("got", Value::Float(0.5));
            let captures = captures(|id| match id {
                // Each other; one that is gone; one that leaves.
                0 => &[1, 99, 98],
                1 => &[0],
                2 => &[99, 98, 97, 97, 7, 1000],
                3 => &[97, 7],
                _ => &[],
            });
            let mut simulation = Simulation::new(setup, vec![Arc::new(captures)]).unwrap();
            let before = Arc::clone(simulation.world());
            simulation.step().unwrap();
            let world = simulation.world();
            let gone: Vec<AgentId> = before
                .agents
                .id
                .iter()
                .copied()
                .filter(|&id| world.agents.row(id).is_none())
                .collect();
            assert_eq!(gone, [0, 1, 7, 97, 98, 99], "{order:?}");
            let got = [2, 3, 4].map(|id| {
                let row = world.agents.row(AgentId(id)).unwrap();
                assert_eq!(
                    world.agent(row).state("got").as_ref(),
                    simulation.minds().state(row).get("got")
                );
                world.agent(row).state("got").unwrap()
            });
            assert_eq!(got, [2.5, 0.5, 0.5].map(Value::Float), "{order:?}");
        }
    }

    #[test]
    fn changes_happen_in_the_order_of_ids_wherever_agents_are() {
        // From right to left, so that agents decide in another order.
        let places: Vec<(f32, f32)> = (0..100).map(|i| (900.0 - 9.0 * i as f32, 0.0)).collect();
        let setup = setup(&places, &[], AfterGoals::Stop);
        let mut dividing = Simulation::new(setup, vec![Arc::new(Divides)]).unwrap();
        (0..3).for_each(|_| dividing.step().unwrap());
        let mother = |row| dividing.minds().state(row).get("mother").cloned();
        let mothers: Vec<_> = (100..200).map(mother).collect();
        let expected: Vec<_> = (0..100).map(|id| Some(Value::Agent(AgentId(id)))).collect();
        assert_eq!(mothers, expected);
    }
}
