//! Looking ahead: the next turn that is computed in advance is what the tick then does.

use std::path::Path;
use std::sync::Arc;

use flockwork_engine::load;
use flockwork_engine::math::Vec2;
use flockwork_engine::runner::{Options, Run};
use flockwork_engine::sim::Simulation;
use flockwork_engine::world::{AgentId, Value};

use crate::support::{folder, names, open, step};

fn bits(v: Vec2) -> (u32, u32) {
    (v.x.to_bits(), v.y.to_bits())
}

/// Calls `look` with each shipped scenario in many of its ticks.
fn each_scenario(ticks: u32, mut look: impl FnMut(&str, u32, &mut Simulation)) {
    for name in names("scenarios", "ron") {
        let mut simulation = open(&name);
        for tick in 0..ticks {
            look(&name, tick, &mut simulation);
        }
    }
}

#[test]
fn the_next_turn_is_what_the_tick_then_does() {
    let (mut checked, mut explained, mut set) = (0, 0, 0);
    each_scenario(25, |name, tick, simulation| {
        let ids = simulation.world().agents.id.clone();
        let ids: Vec<AgentId> =
            ids.into_iter().filter(|id| (id.0 + tick) % 11 == 0).take(6).collect();
        let turns: Vec<_> =
            ids.iter().filter_map(|&id| simulation.next_turn(id).unwrap()).collect();
        let wishes = simulation.wishes().unwrap();
        let before = Arc::clone(simulation.world());
        step(simulation);
        let (world, minds) = (simulation.world(), simulation.minds());
        for one in turns {
            // It may have left by its own decision.
            let Some(row) = world.agents.row(one.id) else { continue };
            let (pos, vel) = (world.agents.pos(row), world.agents.vel(row));
            let Ok(decision) = &one.decision else {
                assert!(world.agents.stopped[row], "{name}, agent {}", one.id);
                continue;
            };
            let at = format!("{name}, tick {tick}, agent {}: {one:?}", one.id);
            assert_eq!(bits(decision.next_pos), bits(pos), "{at}");
            assert_eq!(bits(decision.next_vel), bits(vel), "{at}");
            assert_eq!(bits(decision.next_heading), bits(world.agents.heading(row)), "{at}");
            let mut state = minds.state(row).clone();
            if let Some(Value::Float(had)) = decision.next_state.get("carried")
                && let Some(Value::Float(carries)) = state.get("carried")
                && carries > had
            {
                // An ant may get food when all have decided.
                state.set("carried", Value::Float(*had));
            }
            // A wolf knows what it has captured only when all have decided.
            if let Some(eaten) = decision.next_state.get("eaten") {
                state.set("eaten", eaten.clone());
            }
            assert_eq!(decision.next_state, state, "{at}");
            assert_eq!(one.tick, before.tick);
            let wish = wishes.iter().find(|(id, _)| *id == one.id).unwrap().1;
            assert_eq!(bits(wish.force), bits(decision.wanted_force), "{at}");
            assert_eq!(wish.vel_change, decision.set_vel - one.vel, "{at}");
            set += usize::from(wish.vel_change != Vec2::ZERO);
            checked += 1;
            if let Some(why) = &decision.explanation {
                assert_eq!(bits(why.force), bits(decision.wanted_force), "{at}");
                explained += 1;
                let parts = why.calls.iter().map(|call| why.fraction(call.share));
                let parts: Option<f32> = parts.chain([why.fraction(why.rest)]).sum();
                assert!(parts.is_none_or(|all| (all - 1.0).abs() < 0.01), "{at}");
            }
        }
    });
    assert!(checked > 500, "{checked}");
    assert_eq!(checked, explained, "no script is left to the interpreter");
    assert!(set > 8, "{set} set their velocity");
}

#[test]
fn the_field_is_the_force_of_an_agent_placed_there() {
    let offsets = [Vec2::ZERO, Vec2::new(7.0, -3.0), Vec2::new(-40.0, 25.0), Vec2::new(0.5, 130.0)];
    for (name, tolerance) in
        [("flock", 0.0), ("night_watch", 0.0), ("queue_doorway", 0.0), ("boids_three_rules", 0.0)]
    {
        let mut simulation = open(name);
        for tick in 0..40u32 {
            step(&mut simulation);
            let ids = &simulation.world().agents.id;
            let id = ids[(tick as usize * 7) % ids.len()];
            let turn = simulation.next_turn(id).unwrap().unwrap();
            let places = offsets.map(|offset| turn.pos + offset);
            let field = simulation.field(id, &places).unwrap();
            let decision = turn.decision.unwrap();
            assert_eq!(bits(field[0].force), bits(decision.wanted_force));
            assert_eq!(field[0].vel_change, decision.set_vel - turn.vel);
            // Where other agents move before this one in the tick, moving it by hand would change them too.
            if matches!(name, "queue_doorway" | "boids_three_rules") && id != ids[0] {
                continue;
            }
            for (place, wish) in places.iter().zip(&field) {
                let mut moved = simulation.clone();
                let mut state = moved.state();
                let row = state.agents.row(id).unwrap();
                *state.agents.pos_mut(row) = moved.world().space.apply_edge(*place, Vec2::ZERO).0;
                moved.restore(state);
                let there = moved.next_turn(id).unwrap().unwrap();
                let off = (there.decision.unwrap().wanted_force - wish.force).length();
                assert!(off <= tolerance, "{name}, agent {id} at {place}: {off}");
            }
        }
    }
}

#[test]
fn looking_ahead_changes_nothing() {
    let (mut looked, mut plain) = (open("queue_doorway"), open("queue_doorway"));
    for _ in 0..5 {
        looked.next_turn(AgentId(30)).unwrap();
        looked.wishes().unwrap();
        looked.field(AgentId(3), &[Vec2::ZERO, Vec2::new(300.0, 100.0)]).unwrap();
        step(&mut looked);
        step(&mut plain);
    }
    assert_eq!(looked.state(), plain.state());
    assert!(looked.next_turn(AgentId(1000)).unwrap().is_none());
    assert!(looked.field(AgentId(1000), &[Vec2::ZERO]).unwrap().is_empty());
}

#[test]
fn the_interpreter_makes_the_calls_that_a_lowered_script_makes() {
    let scenarios = load::find(&[folder("scenarios")]).unwrap().scenarios;
    let open = |path: &Path, interpreter| {
        let options = Options::default().interpreter(interpreter);
        Run::open(path, &options).unwrap_or_else(|errors| panic!("{}", errors[0]))
    };
    let mut checked = 0;
    for path in &scenarios {
        let (mut lowered, mut slow) = (open(path, false), open(path, true));
        for tick in 0..15u32 {
            lowered.step().unwrap();
            slow.step().unwrap();
            let ids = &lowered.simulation().world().agents.id;
            let id = ids[(tick as usize * 7) % ids.len()];
            let explain = |run: &Run| run.simulation().explain(id).unwrap();
            let at = format!("{}, agent {id}, tick {}", path.display(), tick + 1);
            let Some(one) = explain(&lowered) else {
                continue;
            };
            let other = explain(&slow).unwrap_or_else(|| panic!("{at}: {one:#?}"));
            checked += 1;
            let at = format!("{at}: {one:#?}\n{other:#?}");
            assert_eq!(bits(one.force), bits(other.force), "{at}");
            assert_eq!(bits(one.vel_change), bits(other.vel_change), "{at}");
            assert_eq!(one.calls.len(), other.calls.len(), "{at}");
            assert_eq!(
                (one.has_shares(), other.has_shares()),
                (true, other.calls.is_empty()),
                "{at}"
            );
            for (one, other) in one.calls.iter().zip(&other.calls) {
                assert_eq!(one.primitive.name, other.primitive.name, "{at}");
                assert_eq!(one.position(), other.position(), "{at}");
                assert_eq!(one.cause, other.cause, "{at}");
                assert_eq!(one.seen, other.seen, "{at}");
                assert_eq!(bits(one.raw), bits(other.raw), "{at}");
                assert_eq!(
                    one.desired_velocity.map(bits),
                    other.desired_velocity.map(bits),
                    "{at}"
                );
            }
        }
    }
    assert!(checked > 220, "{checked}");
}
