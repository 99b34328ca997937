//! Changes that agents decide on in their turns: they tell others something, they leave, and they make others.
//!
//! All of them happen in the order of the agents that decided. What agents are told is in their state when all have decided, so they
//! know it in the next tick. At the end of the tick, first agents leave, then others come.

use std::sync::Arc;

use super::{AgentError, Change, ChangeKind, Listeners, NewcomerSpec, Order, Simulation, Told};
use crate::diag::Diagnostic;
use crate::math::Vec2;
use crate::world::{Me, NewAgent, Telling};

impl Simulation {
    /// Sets what agents have told each other, and returns whether there was anything. Of several values of one name, the last one
    /// stays. The agents must not have moved since they decided, and the minds must be in the order of rows.
    pub(super) fn deliver(&mut self) -> bool {
        let changes = &mut self.output.changes;
        if !changes.iter().any(|change| matches!(change.kind, ChangeKind::Tell(_))) {
            return false;
        }
        changes.sort_by_key(|change| change.agent);
        let mut told = std::mem::take(changes);
        self.output.changes =
            told.extract_if(.., |change| !matches!(change.kind, ChangeKind::Tell(_))).collect();
        let (world, minds) = (&*self.world, &mut self.minds);
        let (notes, is_sequential) = (world.tellings.is_some(), self.order == Order::Sequential);
        let mut tellings: Vec<Telling> = Vec::new();
        for Change { agent, kind } in told {
            let (ChangeKind::Tell(told), Some(teller)) = (kind, world.agents.row(agent)) else {
                continue;
            };
            let Told { to, name, value } = told;
            let mut set = |row: usize| {
                let group = world.group(world.agents.group[row]);
                if group.public.get(&name).is_some() {
                    minds.mind(row).state.put(&name, value.clone());
                    if notes {
                        let listener = world.agents.id[row];
                        let before_turn = is_sequential && row > teller;
                        let group = Arc::clone(&world.agent(teller).group().name);
                        let name = Arc::clone(&name);
                        let (tick, teller) = (world.tick, agent);
                        tellings.push(Telling { tick, listener, name, teller, group, before_turn });
                    }
                }
            };
            match to {
                Listeners::Agent(id) => {
                    if let Some(row) = world.agents.row(id).filter(|&row| row != teller) {
                        set(row);
                    }
                }
                Listeners::Group(group) => {
                    let of_group = |&row: &usize| world.agents.group[row] == group && row != teller;
                    (0..world.agents.len()).filter(of_group).for_each(set);
                }
                Listeners::Neighbors(which) => {
                    let me = Me::new(world, teller, world.agents.vel(teller));
                    me.each_neighbor(&which, |other| {
                        if other.row != teller {
                            set(other.row);
                        }
                    });
                }
            }
        }
        if notes {
            Arc::make_mut(&mut self.world).note_tellings(tellings);
        }
        true
    }

    /// Notes from now on what agents tell each other, so that explanations can name it. This changes nothing else.
    pub fn note_tellings(&mut self) {
        let tellings = &mut Arc::make_mut(&mut self.world).tellings;
        tellings.get_or_insert_default();
    }

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
        let leaving = changes.iter().filter(|change| change.kind == ChangeKind::Remove);
        let mut leaving: Vec<_> = leaving.map(|change| change.agent).collect();
        leaving.dedup();
        self.check_room(&changes, leaving.len())?;
        if !leaving.is_empty() {
            self.remove(&leaving);
        }
        self.add_newcomers(changes)
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
            ChangeKind::Remove | ChangeKind::Tell(_) | ChangeKind::Share { .. } => None,
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
    use super::super::tests::setup;
    use super::*;
    use crate::sim::{Brain, Output, Setup, Turns};
    use crate::world::{AfterGoals, AgentId, GroupId, Neighborhood, Value, Values, World};

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

    /// Agents tell others their number from 1 on, and keep in mind what they had heard before.
    struct Tells(fn(AgentId) -> Listeners);

    impl Brain for Tells {
        fn decide(
            &self,
            world: &Arc<World>,
            mut turns: Turns<'_>,
            output: &mut Output,
        ) -> Result<(), AgentError> {
            turns.each(world, |turn| {
                let agent = world.agents.id[turn.row];
                let heard = turn.mind.state.get("heard").cloned().unwrap_or(Value::Nothing);
                turn.mind.state.set("before", heard);
                let value = Value::Float(agent.0 as f32 + 1.0);
                let told = Told { to: (self.0)(agent), name: "heard".into(), value };
                output.changes.push(Change { agent, kind: ChangeKind::Tell(told) });
                Ok(())
            })
        }
    }

    /// Returns what three agents in a row at the distances 0, 2 and 5 have heard after a tick, and what they had heard when they
    /// decided.
    fn heard(order: Order, to: fn(AgentId) -> Listeners) -> [Vec<f32>; 2] {
        let mut setup = setup(&[(0.0, 0.0), (2.0, 0.0), (5.0, 0.0)], &[], AfterGoals::Stop);
        setup.groups[0].0.public.set("heard", Value::Float(0.0));
        let setup = Setup { order, ..setup };
        let mut simulation = Simulation::new(setup, vec![Arc::new(Tells(to))]).unwrap();
        simulation.step().unwrap();
        let world = simulation.world();
        let published = (0..3).map(|row| world.agent(row).state("heard"));
        let known = (0..3).map(|row| simulation.minds().state(row).get("heard").cloned());
        assert!(published.eq(known), "others see it");
        ["heard", "before"].map(|name| {
            let value = |row| match simulation.minds().state(row).get(name) {
                Some(Value::Float(value)) => *value,
                other => panic!("{other:?}"),
            };
            (0..3).map(value).collect()
        })
    }

    #[test]
    fn agents_hear_what_others_tell_them_when_all_have_decided() {
        let everyone = |_| Listeners::Group(GroupId(0));
        // The highest id counts, and nobody hears itself.
        let after = vec![3.0, 3.0, 2.0];
        assert_eq!(heard(Order::Synchronous, everyone), [after.clone(), vec![0.0; 3]]);
        assert_eq!(heard(Order::Sequential, everyone), [after, vec![0.0, 1.0, 2.0]]);
        let near = |_| Listeners::Neighbors(Neighborhood::within(3.5));
        for order in [Order::Synchronous, Order::Sequential] {
            assert_eq!(heard(order, near)[0], [2.0, 3.0, 2.0], "{order:?}");
            let next = |agent: AgentId| Listeners::Agent(AgentId(agent.0 + 1));
            assert_eq!(heard(order, next)[0], [0.0, 1.0, 2.0], "{order:?}");
        }
    }

    #[test]
    fn who_told_what_is_known_until_the_next_turn_if_it_is_noted() {
        for order in [Order::Synchronous, Order::Sequential] {
            let mut setup = setup(&[(0.0, 0.0), (2.0, 0.0), (5.0, 0.0)], &[], AfterGoals::Stop);
            setup.groups[0].0.public.set("heard", Value::Float(0.0));
            let setup = Setup { order, ..setup };
            // Each tells the next one.
            let tells = Tells(|id| Listeners::Agent(AgentId((id.0 + 1) % 3)));
            let mut simulation = Simulation::new(setup, vec![Arc::new(tells)]).unwrap();
            let teller = |simulation: &Simulation, id| {
                let telling = simulation.world().last_telling(AgentId(id), "heard");
                telling.map(|one| (one.teller.0, one.tick, &*one.group == "all"))
            };
            simulation.step().unwrap();
            assert_eq!(teller(&simulation, 0), None, "nobody has asked for it");
            simulation.note_tellings();
            simulation.step().unwrap();
            simulation.step().unwrap();
            let known = [0, 1, 2].map(|id| teller(&simulation, id));
            let (last, other) =
                (Some((2, 2, true)), simulation.world().last_telling(AgentId(0), "it"));
            assert!(other.is_none());
            match order {
                Order::Synchronous => {
                    assert_eq!(known, [last, Some((0, 2, true)), Some((1, 2, true))]);
                }
                // The others have had their turns since they were told.
                Order::Sequential => assert_eq!(known, [last, None, None]),
            }
            simulation.restore(simulation.state());
            assert_eq!(teller(&simulation, 0), None);
        }
    }

    #[test]
    fn changes_happen_in_the_order_of_ids_wherever_agents_are() {
        // From right to left, so that agents decide in another order.
        let places: Vec<(f32, f32)> = (0..100).map(|i| (900.0 - 9.0 * i as f32, 0.0)).collect();
        let mut setup = setup(&places, &[], AfterGoals::Stop);
        setup.groups[0].0.public.set("heard", Value::Float(0.0));
        let tells = Tells(|_| Listeners::Group(GroupId(0)));
        let mut telling = Simulation::new(setup.clone(), vec![Arc::new(tells)]).unwrap();
        telling.step().unwrap();
        let heard: Vec<_> = telling.world().iter().map(|one| one.state("heard").unwrap()).collect();
        assert!(heard[..99].iter().all(|heard| *heard == Value::Float(100.0)), "{heard:?}");
        assert_eq!(heard[99], Value::Float(99.0));

        let mut dividing = Simulation::new(setup, vec![Arc::new(Divides)]).unwrap();
        (0..3).for_each(|_| dividing.step().unwrap());
        let mother = |row| dividing.minds().state(row).get("mother").cloned();
        let mothers: Vec<_> = (100..200).map(mother).collect();
        let expected: Vec<_> = (0..100).map(|id| Some(Value::Agent(AgentId(id)))).collect();
        assert_eq!(mothers, expected);
    }
}
