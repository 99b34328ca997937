//! Public state in whole runs: it is the same on any number of threads, from any tick on, and in worlds with other names.

use std::sync::Arc;

use flockwork_engine::diag::Source;
use flockwork_engine::math::Vec2;
use flockwork_engine::script::Behavior;
use flockwork_engine::sim::{Brain, GroupBuilder, Simulation, step_together};
use flockwork_engine::world::{Edge, NewAgent, Space, Value};
use flockwork_engine::{Options, Run, with_threads, world_hash};

use crate::support::{ShippedScripts, text};

/// Returns a run of 300 fireflies, in one of the two orders.
fn fireflies(is_sequential: bool) -> Run {
    let order = if is_sequential { "order: Sequential, ticks:" } else { "ticks:" };
    let source = Source::new("fireflies.ron", text("fireflies").replace("ticks:", order));
    Run::new(&source, &ShippedScripts::default(), &Options::default().agents(300)).unwrap()
}

/// Returns a run in which agents are born and die.
fn wolves() -> Run {
    let source = Source::new("wolves.ron", text("wolves_and_sheep"));
    Run::new(&source, &ShippedScripts::default(), &Options::default().agents(1000)).unwrap()
}

fn hashes(run: &mut Run, ticks: u64) -> Vec<u64> {
    let mut all = Vec::new();
    for _ in 0..ticks {
        run.step().unwrap();
        all.push(world_hash(run.simulation().world(), run.simulation().minds()));
    }
    all
}

#[test]
fn threads_do_not_change_what_agents_see() {
    for scene in [|| fireflies(false), wolves] {
        let on = |threads| with_threads(threads, || hashes(&mut scene(), 40)).unwrap();
        let one = on(1);
        assert_eq!(on(2), one);
        assert_eq!(on(8), one);
    }
}

#[test]
fn a_restored_run_goes_on_as_it_did() {
    for is_sequential in [false, true] {
        let mut run = fireflies(is_sequential);
        let states: Vec<_> = (0..12)
            .map(|_| {
                let state = run.simulation().state();
                run.step().unwrap();
                state
            })
            .collect();
        let expected = hashes(&mut run, 3);
        for (tick, state) in (0..).zip(states) {
            let mut other = fireflies(is_sequential);
            other.simulation_mut().restore(state);
            let all = hashes(&mut other, 12 - tick + 3);
            assert_eq!(all[all.len() - 3..], expected, "from tick {tick}, {is_sequential}");
        }
    }
}

#[test]
fn a_behavior_runs_in_worlds_with_other_public_names() {
    const SCRIPT: &str = "fn steer(me) { me.state.b += 1; vec(me.nearest().state.b, 0) }";
    let brain: Arc<dyn Brain> =
        Arc::new(Behavior::compile("b", &ShippedScripts(&[("b", SCRIPT)])).unwrap());
    let simulation = |public: &[(&str, Value)]| {
        let space = Space { edge: Edge::Open, min: Vec2::ZERO, size: Vec2::splat(100.0) };
        let group = GroupBuilder::new("all").brain(Arc::clone(&brain));
        let group =
            group.agents([NewAgent::at(Vec2::ZERO, Vec2::X), NewAgent::at(Vec2::ONE, Vec2::X)]);
        let group =
            public.iter().fold(group, |group, (name, value)| group.public(name, value.clone()));
        Simulation::builder(space).group(group).build().unwrap()
    };
    let mut all = [
        simulation(&[("b", Value::Int(5))]),
        simulation(&[("a", Value::Bool(true)), ("b", Value::Float(1.0))]),
        simulation(&[("b", Value::Float(9.0)), ("c", Value::Nothing)]),
    ];
    for tick in 0..6 {
        if tick % 2 == 0 {
            all.iter_mut().for_each(|one| one.step().unwrap());
        } else {
            let mut all: Vec<&mut Simulation> = all.iter_mut().collect();
            step_together(&mut all).into_iter().for_each(|result| result.unwrap());
        }
        let forces = all.each_ref().map(|one| one.last_forces()[1].x - tick as f32);
        assert_eq!(forces, [5.0, 1.0, 9.0], "tick {tick}");
    }
}
