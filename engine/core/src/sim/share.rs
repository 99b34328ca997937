//! Shared values: what agents contribute to them, and when it counts.
//!
//! Agents that decide together read what there was before the tick; their contributions are combined in the order of ids when all have
//! decided. In sequential order, each agent reads what those before it have contributed.

use std::sync::Arc;

use super::{AgentError, ChangeKind, Order, Simulation};
use crate::diag::Diagnostic;
use crate::world::{AgentId, Combined};

impl Simulation {
    /// Gives the shared values that begin again in each tick their first values, except for those that events have set in this tick.
    pub(super) fn begin_shared_again(&mut self) {
        for index in 0..self.world.shared.len() {
            let shared = &self.world.shared[index];
            if shared.each_tick
                && shared.value != shared.start
                && !self.set_by_events.contains(&index)
            {
                let shared = &mut Arc::make_mut(&mut self.world).shared[index];
                shared.value = shared.start.clone();
            }
        }
    }

    /// Combines what agents have contributed to shared values since the last call.
    ///
    /// # Errors
    ///
    /// If a number becomes infinite; the error of the agent whose contribution made it so.
    pub(super) fn combine_shared(&mut self) -> Result<(), AgentError> {
        if self.world.shared.is_empty() {
            return Ok(());
        }
        if self.order == Order::Synchronous {
            self.set_by_events.clear();
            self.begin_shared_again();
        }
        let changes = &mut self.output.changes;
        if !changes.iter().any(|change| matches!(change.kind, ChangeKind::Share { .. })) {
            return Ok(());
        }
        changes.sort_by_key(|change| change.agent);
        let shared = &mut Arc::make_mut(&mut self.world).shared;
        let mut all: Vec<Option<Combined>> = shared.iter().map(|_| None).collect();
        let mut failed: Option<(AgentId, usize)> = None;
        let contributed =
            changes.extract_if(.., |change| matches!(change.kind, ChangeKind::Share { .. }));
        for change in contributed {
            let ChangeKind::Share { shared: index, value } = change.kind else { continue };
            let index = usize::from(index);
            let Some(of) = shared.get(index) else { continue };
            if let Some(value) = of.ty().fit(value)
                && !all[index].get_or_insert_with(|| Combined::new(&of.value)).add(of.rule, &value)
                && failed.is_none()
            {
                failed = Some((change.agent, index));
            }
        }
        for (shared, new) in shared.iter_mut().zip(all) {
            if let Some(new) = new {
                shared.value = new.finish();
            }
        }
        match failed {
            None => Ok(()),
            Some((agent, index)) => {
                let name = &self.world.shared[index].name;
                let what = Diagnostic::error(format!("the shared value `{name}` became infinite"))
                    .help("contribute smaller numbers, or let it begin again: `each_tick: true`");
                let row = self.world.agents.row(agent).unwrap_or(0);
                Err(AgentError::new(&self.world, row, what))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Acts, setup};
    use super::*;
    use crate::math::Vec2;
    use crate::sim::{
        Action, Brain, Change, Condition, Event, EventTime, Output, Setup, SharedTest, Turn,
        step_together,
    };
    use crate::threads;
    use crate::world::{AfterGoals, SharedRule, SharedValue, Value, World};

    /// Each agent notes what it reads of the first shared value, and contributes to all of them.
    fn shares(what: fn(u32, u16) -> Option<Value>) -> impl Brain {
        Acts(move |world: &World, turn: Turn<'_>, output: &mut Output| {
            turn.mind.state.set("read", world.shared[0].value().clone());
            let agent = world.agents.id[turn.row];
            for shared in 0..world.shared.len() as u16 {
                if let Some(value) = what(agent.0, shared) {
                    let kind = ChangeKind::Share { shared, value };
                    output.changes.push(Change { agent, kind });
                }
            }
        })
    }

    fn number(x: f32) -> Value {
        Value::Float(x)
    }

    fn sharing(
        order: Order,
        agents: usize,
        shared: Vec<SharedValue>,
        events: Vec<Event>,
        what: fn(u32, u16) -> Option<Value>,
    ) -> Simulation {
        // From right to left, so that agents decide in another order than that of their ids.
        let places: Vec<(f32, f32)> = (0..agents).map(|i| (900.0 - 9.0 * i as f32, 0.0)).collect();
        let setup = setup(&places, &[], AfterGoals::Stop);
        let setup = Setup { order, shared, events, ..setup };
        Simulation::new(setup, vec![Arc::new(shares(what))]).unwrap()
    }

    fn reads(simulation: &Simulation) -> Vec<Value> {
        let state = |row| simulation.minds().state(row).get("read").cloned().unwrap();
        (0..simulation.minds().len()).map(state).collect()
    }

    fn value(simulation: &Simulation, name: &str) -> Value {
        simulation.world().shared_value(name).unwrap().clone()
    }

    #[test]
    fn agents_read_what_was_there_before_or_what_those_before_them_have_contributed() {
        for (each_tick, sums, together, in_turn) in [
            (false, [3.0, 6.0], [[0.0; 3], [3.0; 3]], [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]),
            (true, [3.0, 3.0], [[0.0; 3], [3.0; 3]], [[0.0, 1.0, 2.0], [0.0, 1.0, 2.0]]),
        ] {
            for (order, expected) in [(Order::Synchronous, together), (Order::Sequential, in_turn)]
            {
                let sum = SharedValue::new("sum", SharedRule::Sum, each_tick, Value::Int(0));
                let one = |_, _| Some(Value::Int(1));
                let mut simulation = sharing(order, 3, vec![sum], Vec::new(), one);
                for (tick, (sum, expected)) in sums.iter().zip(expected).enumerate() {
                    simulation.step().unwrap();
                    assert_eq!(reads(&simulation), expected.map(number), "{order:?} at {tick}");
                    assert_eq!(value(&simulation, "sum"), number(*sum), "{order:?} at {tick}");
                }
            }
        }
    }

    #[test]
    fn what_nobody_contributes_to_stays_or_begins_again() {
        for order in [Order::Synchronous, Order::Sequential] {
            let stays = SharedValue::new("stays", SharedRule::Largest, false, number(5.0));
            let begins = SharedValue::new("begins", SharedRule::Largest, true, number(5.0));
            let set = |name: &str| Event {
                when: EventTime::At(1),
                action: Action::SetShared { name: name.into(), value: Value::Int(9) },
            };
            let events = vec![set("stays"), set("begins")];
            let mut simulation = sharing(order, 2, vec![stays, begins], events, |_, _| None);
            let mut seen = Vec::new();
            for _ in 0..3 {
                simulation.step().unwrap();
                assert_eq!(reads(&simulation)[0], reads(&simulation)[1]);
                let after = ["begins", "stays"].map(|name| value(&simulation, name));
                seen.push((reads(&simulation).remove(0), after));
            }
            // Agents read what the event of the same tick has set; then it begins again, in sequential order at the next tick.
            let after = if order == Order::Synchronous { 5.0 } else { 9.0 };
            let expected = [
                (number(5.0), [number(5.0), number(5.0)]),
                (number(9.0), [number(after), number(9.0)]),
                (number(5.0), [number(5.0), number(9.0)]),
            ];
            assert_eq!(seen, expected, "{order:?}");
        }
    }

    /// One shared value of each rule; each is given something by some agents.
    fn all_rules() -> Vec<SharedValue> {
        let latest = |name, value| SharedValue::new(name, SharedRule::Latest, false, value);
        vec![
            SharedValue::new("a", SharedRule::Sum, true, Value::Int(0)),
            SharedValue::new("b", SharedRule::Sum, false, number(0.25)),
            SharedValue::new("c", SharedRule::Any, true, Value::Bool(false)),
            SharedValue::new("d", SharedRule::All, false, Value::Bool(true)),
            SharedValue::new("e", SharedRule::Largest, false, Value::Int(-3)),
            SharedValue::new("f", SharedRule::Smallest, true, number(1e9)),
            latest("g", Value::Nothing),
            latest("h", Value::String("none".into())),
            latest("i", Value::Vector(Vec2::ZERO)),
        ]
    }

    fn something(agent: u32, shared: u16) -> Option<Value> {
        let x = ((agent * 37 + u32::from(shared)) % 101) as f32 * 0.013 - 0.6;
        Some(match shared {
            6 => Value::Agent(AgentId(agent)),
            7 => Value::String(format!("agent {agent}").into()),
            8 => Value::Vector(Vec2::splat(x)),
            2 | 3 => Value::Bool(agent % 7 < 3),
            _ => number(x),
        })
        .filter(|_| !(agent + u32::from(shared)).is_multiple_of(3))
    }

    fn bits(simulation: &Simulation) -> String {
        format!("{:?}", simulation.state())
    }

    #[test]
    fn threads_saved_states_and_other_runs_do_not_change_what_is_shared() {
        for order in [Order::Synchronous, Order::Sequential] {
            let begin = |agents| sharing(order, agents, all_rules(), Vec::new(), something);
            let mut straight = begin(300);
            let mut small = begin(9);
            let mut on_threads = [2, 8].map(|threads| (threads, begin(300)));
            for tick in 0..6 {
                let mut restored = begin(300);
                restored.restore(straight.state());
                restored.step().unwrap();
                let mut others = [small.clone(), begin(9), small.clone()];
                let mut others: Vec<&mut Simulation> = others.iter_mut().collect();
                assert!(step_together(&mut others).iter().all(Result::is_ok));
                small.step().unwrap();
                assert_eq!(bits(others[2]), bits(&small), "{order:?} together at {tick}");
                straight.step().unwrap();
                assert_eq!(bits(&restored), bits(&straight), "{order:?} at {tick}");
                for (threads, other) in &mut on_threads {
                    threads::with_threads(*threads, || other.step()).unwrap().unwrap();
                    assert_eq!(bits(other), bits(&straight), "{threads} threads at {tick}");
                }
            }
            assert_eq!(value(&straight, "g"), Value::Agent(AgentId(299)));
        }
    }

    #[test]
    fn a_number_that_becomes_infinite_is_an_error_of_the_agent_that_contributed_last() {
        for order in [Order::Synchronous, Order::Sequential] {
            let sum = SharedValue::new("sum", SharedRule::Sum, false, Value::Int(0));
            let much = |agent, _| Some(number(if agent == 2 { f32::MAX } else { 2e38 }));
            let mut simulation = sharing(order, 4, vec![sum], Vec::new(), much);
            let failed = simulation.step().unwrap_err();
            assert_eq!((failed.tick, failed.agent), (0, AgentId(1)), "{failed}");
            assert!(failed.to_string().contains("`sum` became infinite"), "{failed}");
        }
    }

    #[test]
    fn events_happen_when_a_shared_value_is_as_they_demand() {
        let sum = SharedValue::new("sum", SharedRule::Sum, false, Value::Int(0));
        let done = SharedValue::new("over", SharedRule::Any, false, Value::Bool(false));
        let when = |name: &str, is, set: &str, value| Event {
            when: EventTime::When {
                condition: Condition::Shared { name: name.into(), is },
                again: false,
            },
            action: Action::SetShared { name: set.into(), value },
        };
        let events = vec![
            when("sum", SharedTest::AtLeast(6.0), "over", Value::Bool(true)),
            when("over", SharedTest::Equal(true), "sum", Value::Int(-9)),
        ];
        let one = |_, shared| (shared == 1).then_some(Value::Int(1));
        let mut simulation = sharing(Order::Synchronous, 3, vec![sum, done], events, one);
        let mut seen = Vec::new();
        for _ in 0..4 {
            simulation.step().unwrap();
            seen.push((value(&simulation, "sum"), value(&simulation, "over")));
        }
        let (no, yes) = (Value::Bool(false), Value::Bool(true));
        let expected = [(3.0, &no), (6.0, &no), (-6.0, &yes), (-3.0, &yes)];
        assert_eq!(seen, expected.map(|(sum, over)| (number(sum), over.clone())));
    }

    #[test]
    fn an_edit_keeps_shared_values_that_it_does_not_declare_in_another_way() {
        let run = |shared, ticks| {
            let one = |_, _| Some(Value::Int(1));
            let mut simulation = sharing(Order::Synchronous, 2, shared, Vec::new(), one);
            (0..ticks).for_each(|_| simulation.step().unwrap());
            simulation
        };
        let sum = |name, start| SharedValue::new(name, SharedRule::Sum, false, number(start));
        let old = run(vec![sum("a", 0.0), sum("b", 0.0), sum("c", 0.0)], 3);
        let next = old.adopt(&run(vec![sum("c", 0.0), sum("b", 5.0), sum("d", 1.0)], 0)).unwrap();
        let values = ["b", "c", "d"].map(|name| value(&next, name));
        assert_eq!(values, [5.0, 6.0, 1.0].map(number));
    }
}
