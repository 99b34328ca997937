//! Public state: when other agents see what an agent has written into it.
//!
//! After each change of minds that is there to stay, the columns that others read are filled again. So between two ticks they
//! always agree with the minds. While agents decide together, they stay as they were.

use std::ops::Range;
use std::sync::Arc;

use super::Simulation;
use crate::world::Group;

impl Simulation {
    /// Adds minds for new agents, with their public state.
    pub(super) fn grow_minds(&mut self) {
        let first = self.minds.len();
        self.minds.grow(self.world.agents.len());
        self.complete_minds(first);
    }

    /// Gives the minds from the row `first` on the public state that they lack.
    pub(super) fn complete_minds(&mut self, first: usize) {
        let world = &self.world;
        for row in first..self.minds.len() {
            let group = world.group(world.agents.group[row]);
            if !group.public.is_empty() {
                group.complete(world.agents.index[row], self.minds.mind(row));
            }
        }
    }

    /// Gives the public state that begins again after each turn its first values, for agents that have just had their turns.
    pub(super) fn begin_public_again(&mut self, rows: Range<usize>) {
        let world = &self.world;
        let begins = |group: &Group| group.public_rules.values().any(|rule| rule.each_tick);
        if !world.groups.iter().any(begins) {
            return;
        }
        for row in rows.filter(|&row| !world.agents.stopped[row]) {
            let group = world.group(world.agents.group[row]);
            group.begin_again(world.agents.index[row], self.minds.mind(row));
        }
    }

    /// Lets other agents see the public state that is in the minds now.
    pub(super) fn publish(&mut self) {
        if !self.world.names().public().is_empty() {
            Arc::make_mut(&mut self.world).publish(&self.minds);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::sim::{GroupBuilder, Order, SpawnShape, step_together};
    use crate::world::{AgentId, Edge, GroupId, Me, Mind, NewAgent, Space, Value};

    /// Each agent sets its number to that of the agent before it plus 1, and its force to that number.
    fn count(me: &Me<'_>, mind: Mind<'_>) -> Vec2 {
        let Some(Value::Float(before)) =
            me.agent().previous().map_or(Some(Value::Float(0.0)), |it| it.state("n"))
        else {
            panic!("a public number");
        };
        mind.state.set("n", Value::Float(before + 1.0));
        Vec2::new(before, 0.0)
    }

    fn group(count_at_start: u32) -> GroupBuilder {
        let shape = SpawnShape::Ring { center: Vec2::splat(50.0), radius: 10.0 };
        let group = GroupBuilder::new("a").spawn(shape, count_at_start).steer(count);
        group.public("n", 0).public("seen", Value::Nothing)
    }

    fn simulation(order: Order, agents: u32) -> Simulation {
        let space = Space { edge: Edge::Wrap, min: Vec2::ZERO, size: Vec2::splat(100.0) };
        let other = GroupBuilder::new("b").agents([NewAgent::at(Vec2::ONE, Vec2::X)]);
        Simulation::builder(space).order(order).group(group(agents)).group(other).build().unwrap()
    }

    fn numbers(simulation: &Simulation) -> Vec<f32> {
        let world = simulation.world();
        let number = |agent: crate::world::Agent<'_>| match agent.state("n") {
            Some(Value::Float(x)) => x,
            other => panic!("{other:?}"),
        };
        let numbers: Vec<f32> = world.members(GroupId(0)).map(number).collect();
        let known =
            (0..world.agents.len()).filter_map(|row| simulation.minds().state(row).get("n"));
        let known: Vec<Value> = known.cloned().collect();
        assert_eq!(known, numbers.iter().map(|x| Value::Float(*x)).collect::<Vec<_>>());
        numbers
    }

    #[test]
    fn agents_see_what_others_had_before_the_tick_or_have_by_now() {
        let mut together = simulation(Order::Synchronous, 3);
        let mut one_by_one = simulation(Order::Sequential, 3);
        assert_eq!(numbers(&together), [0.0; 3], "an integer becomes a float");
        for (ticks, expected) in
            [[1.0, 1.0, 1.0], [1.0, 2.0, 2.0], [1.0, 2.0, 3.0]].iter().enumerate()
        {
            together.step().unwrap();
            assert_eq!(numbers(&together), expected, "after {ticks} more ticks");
        }
        one_by_one.step().unwrap();
        assert_eq!(numbers(&one_by_one), [1.0, 2.0, 3.0]);
        assert_eq!(together.world().agent(0).state("seen"), Some(Value::Nothing));
        assert_eq!(together.world().agent(0).state("else"), None);
        assert_eq!(together.world().agent(3).state("n"), None, "its group does not declare it");
    }

    #[test]
    fn a_snapshot_keeps_what_others_saw() {
        let mut simulation = simulation(Order::Synchronous, 3);
        let before = Arc::clone(simulation.world());
        simulation.step().unwrap();
        assert_eq!(before.agent(2).state("n"), Some(Value::Float(0.0)));
        assert_eq!(simulation.world().agent(2).state("n"), Some(Value::Float(1.0)));
    }

    #[test]
    fn public_state_follows_agents_that_come_go_and_are_restored() {
        for order in [Order::Synchronous, Order::Sequential] {
            let mut simulation = simulation(order, 3);
            (0..3).for_each(|_| simulation.step().unwrap());
            simulation.remove(&[AgentId(0)]);
            assert_eq!(numbers(&simulation), [2.0, 3.0], "{order:?}");
            simulation.add(GroupId(0), &[NewAgent::at(Vec2::ZERO, Vec2::X); 2]).unwrap();
            assert_eq!(numbers(&simulation), [2.0, 3.0, 0.0, 0.0], "{order:?}");
            let state = simulation.state();
            simulation.step().unwrap();
            let after = numbers(&simulation);
            (0..3).for_each(|_| simulation.step().unwrap());
            simulation.restore(state);
            assert_eq!(numbers(&simulation), [2.0, 3.0, 0.0, 0.0], "{order:?}");
            simulation.step().unwrap();
            assert_eq!(numbers(&simulation), after, "{order:?}");
        }
    }

    #[test]
    fn an_edit_keeps_public_state_and_gives_new_agents_the_declared_one() {
        let mut old = simulation(Order::Synchronous, 2);
        (0..2).for_each(|_| old.step().unwrap());
        let next = old.adopt(&simulation(Order::Synchronous, 4)).unwrap();
        let shown = |agent: crate::world::Agent<'_>| agent.state("n").unwrap().to_string();
        let shown: Vec<String> = next.world().members(GroupId(0)).map(shown).collect();
        assert_eq!(shown, ["1", "2", "0", "0"]);
    }

    #[test]
    fn many_simulations_at_once_see_the_same_as_alone() {
        for order in [Order::Synchronous, Order::Sequential] {
            let mut all: Vec<Simulation> = (1..4).map(|agents| simulation(order, agents)).collect();
            let mut alone = all.clone();
            for _ in 0..3 {
                let mut all: Vec<&mut Simulation> = all.iter_mut().collect();
                step_together(&mut all).into_iter().for_each(|result| result.unwrap());
                alone.iter_mut().for_each(|one| one.step().unwrap());
            }
            for (one, alone) in all.iter().zip(&alone) {
                assert_eq!(numbers(one), numbers(alone));
                assert_eq!(one.state(), alone.state());
            }
        }
    }
}
