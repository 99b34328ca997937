//! Tests of the states of agents.

use super::*;
use crate::world::{AgentId, Mind};

/// Returns a state that may have every type.
fn slot(written: bool) -> StateSlot {
    StateSlot {
        name: "thing".into(),
        tag: I(0),
        types: vec![
            (Type::Float, Columns::F(F(0))),
            (Type::Int, Columns::I(I(1))),
            (Type::Bool, Columns::B(B(1))),
            (Type::Vector, Columns::V(V(F(1), F(2)))),
            (Type::String, Columns::I(I(2))),
            (Type::Agent, Columns::I(I(3))),
            (Type::Nothing, Columns::None),
        ],
        written,
    }
}

fn remembered(value: Value) -> Values {
    [("other".into(), Value::Bool(false)), ("thing".into(), value)].into_iter().collect()
}

/// Runs a program for agents with these states, one lane for each.
fn run_with(program: &Program, world: &World, minds: &[Values]) -> Machine {
    let slots: Vec<u32> =
        (0..minds.len()).map(|row| world.agents.motions.slot(row) as u32).collect();
    let velocities: Vec<Vec2> = world.agents.velocities().take(minds.len()).collect();
    let mut machine = Machine::default();
    machine.fit(program);
    let block = Block { slots: &slots, velocities: &velocities, mind: &|lane| (&minds[lane], &[]) };
    machine.run(program, &[lanes_of(world, block.slots.len())], block);
    machine
}

fn kept(
    machine: &mut Machine,
    program: &Program,
    world: &World,
    lane: usize,
    old: &Values,
) -> Values {
    let mut state = old.clone();
    let mind = Mind { state: &mut state, progress: &mut [] };
    machine.store_mind(program, world, lane, mind);
    state
}

/// The row of an agent whose id is not its row.
const ROW: usize = 50;

fn minds(world: &World) -> Vec<Values> {
    vec![
        remembered(Value::Float(-0.0)),
        remembered(Value::Int(5)),
        remembered(Value::Bool(true)),
        remembered(Value::Vector(Vec2::new(3.0, 4.0))),
        remembered(Value::String("b".into())),
        remembered(Value::Agent(world.agents.id[ROW])),
        remembered(Value::Nothing),
        Values::default(),
        [("thing".into(), Value::Int(6))].into_iter().collect(),
        remembered(Value::String("unknown".into())),
        remembered(Value::Agent(AgentId(3))),
        remembered(Value::List(Vec::new())),
        remembered(Value::Map(Vec::new())),
    ]
}

#[test]
fn values_are_loaded_by_type_and_stored_unchanged() {
    let world = full(Edge::Open);
    let (minds, strings) = (minds(&world), Strings::from(vec!["a".into(), "b".into()]));
    let program = Program { state: vec![slot(true)], strings, ..program(vec![]) };
    let mut machine = run_with(&program, &world, &minds);
    let banks = &machine.banks;
    let tags: Vec<i64> = (0..9).map(|lane| banks.integer(I(0), lane)).collect();
    assert_eq!(tags, [0, 1, 2, 3, 4, 5, 6, StateSlot::ABSENT, 1]);
    assert!(same(banks.number(F(0), 0), -0.0));
    assert_eq!(banks.integer(I(1), 1), 5);
    assert!(banks.boolean(B(1), 2));
    assert_eq!(banks.vector(V(F(1), F(2)), 3), Vec2::new(3.0, 4.0));
    assert_eq!(banks.integer(I(2), 4), 1);
    assert_eq!(banks.integer(I(3), 5), ROW as i64);
    assert_eq!(banks.integer(I(1), 8), 6);
    for (lane, old) in minds.iter().enumerate() {
        // A string that the program does not contain, an agent that was removed, an array.
        assert_eq!(machine.is_faulted(lane), lane >= 9, "lane {lane}");
        if lane < 9 {
            assert_eq!(kept(&mut machine, &program, &world, lane, old), *old);
        }
    }
}

#[test]
fn types_that_the_program_does_not_expect_are_faults() {
    let world = full(Edge::Open);
    let mut slot = slot(false);
    slot.types.truncate(1);
    let program = Program { state: vec![slot], ..program(vec![]) };
    let minds = minds(&world);
    let machine = run_with(&program, &world, &minds);
    for (lane, old) in minds.iter().enumerate() {
        let expected = !matches!(old.get("thing"), None | Some(Value::Float(_)));
        assert_eq!(machine.is_faulted(lane), expected, "{old:?}");
    }
}

#[test]
fn changed_states_are_stored() {
    let world = full(Edge::Open);
    let minds = minds(&world);
    let new = [
        Value::Float(7.5),
        Value::Int(-1),
        Value::Bool(true),
        Value::Vector(Vec2::new(7.5, -2.0)),
        Value::String("a".into()),
        Value::Agent(world.agents.id[60]),
        Value::Nothing,
    ];
    for (tag, new) in new.into_iter().enumerate() {
        for written in [true, false] {
            let program = Program {
                state: vec![slot(written)],
                strings: vec!["b".into(), "a".into()].into(),
                ..program(vec![
                    every(OpKind::ConstI(tag as i64), (), I(0)),
                    every(OpKind::number(7.5), (), F(0)),
                    every(OpKind::ConstI(-1), (), I(1)),
                    every(OpKind::ConstB(true), (), B(1)),
                    every(OpKind::number(7.5), (), F(1)),
                    every(OpKind::number(-2.0), (), F(2)),
                    every(OpKind::ConstI(1), (), I(2)),
                    every(OpKind::ConstI(60), (), I(3)),
                ])
            };
            let mut machine = run_with(&program, &world, &minds[..9]);
            for (lane, old) in minds[..9].iter().enumerate() {
                let kept = kept(&mut machine, &program, &world, lane, old);
                if written {
                    assert_eq!(kept.get("thing"), Some(&new));
                    assert_eq!(kept.get("other"), old.get("other"));
                } else {
                    assert_eq!(kept, *old);
                }
            }
        }
    }
}

#[test]
fn absent_states_stay_absent() {
    let world = full(Edge::Open);
    let program =
        Program { state: vec![slot(true)], ..program(vec![every(OpKind::number(1.0), (), F(0))]) };
    let mut machine = run_with(&program, &world, &[Values::default()]);
    let kept = kept(&mut machine, &program, &world, 0, &Values::default());
    assert_eq!(kept, Values::default());
}
