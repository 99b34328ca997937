//! Simulations that advance together do the same as each of them alone, to the bit: the states after every tick, the
//! messages, and the errors.

use std::sync::Arc;

use flockwork_engine::load::ScriptsFolder;
use flockwork_engine::math::Vec2;
use flockwork_engine::script::{Behavior, Scripts};
use flockwork_engine::sim::{Brain, Simulation, ask_together, step_together};
use flockwork_engine::world::GroupId;
use flockwork_engine::{AgentError, Batch, Message, Options, Run, load, with_threads, world_hash};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::test_world::{ScriptCase, Started, TestWorld};
use super::{case_of, choices, default_world, grammar, sequential_world, small_scripts};
use crate::support::folder;

/// The observable state of a simulation after a tick.
type Seen = (u64, Vec<Message>, Result<(), AgentError>);

fn seen(simulation: &mut Simulation, result: Result<(), AgentError>) -> Seen {
    // After an error, only the messages and the error count.
    let hash = result.is_ok().then(|| world_hash(simulation.world(), simulation.minds()));
    (hash.unwrap_or_default(), simulation.take_messages(), result)
}

/// Returns all that can be seen of a simulation alone, up to its first error.
fn alone(simulation: &mut Simulation, ticks: u64) -> Vec<Seen> {
    let mut all = vec![seen(simulation, Ok(()))];
    for _ in 0..ticks {
        let result = simulation.step();
        let failed = result.is_err();
        all.push(seen(simulation, result));
        if failed {
            break;
        }
    }
    all
}

/// Returns the same of simulations that advance together. Those that have failed are left out of the later ticks.
fn together(simulations: &mut [Simulation], ticks: &[u64]) -> Vec<Vec<Seen>> {
    let mut all: Vec<Vec<Seen>> =
        simulations.iter_mut().map(|one| vec![seen(one, Ok(()))]).collect();
    for tick in 0..ticks.iter().copied().max().unwrap_or_default() {
        let runs = simulations.iter_mut().zip(&mut all).zip(ticks);
        let runs = runs.filter(|((_, seen), ticks)| {
            tick < **ticks && seen.last().is_some_and(|(_, _, result)| result.is_ok())
        });
        let (mut now, to): (Vec<&mut Simulation>, Vec<_>) = runs.map(|(run, _)| run).unzip();
        let results = step_together(&mut now);
        assert_eq!(results.len(), now.len());
        for ((one, to), result) in now.into_iter().zip(to).zip(results) {
            to.push(seen(one, result));
        }
    }
    all
}

/// Runs the scripts of a case in several worlds, together and alone. Returns how many worlds ended with an error, or
/// `None` if a script does not compile or no world starts.
fn compare(case: &ScriptCase, worlds: &[TestWorld]) -> Option<usize> {
    let start = || -> Option<Vec<Started>> {
        let behaviors = case.compile(|it| it).ok()?;
        let case =
            |test_world: &TestWorld| ScriptCase { test_world: test_world.clone(), ..case.clone() };
        Some(worlds.iter().map(|world| case(world).simulation(&behaviors)).collect())
    };
    let running = |all: Vec<Started>| {
        let all = worlds.iter().zip(all);
        let all = all.filter_map(|(world, one)| Some((world.ticks, one.ok()?)));
        all.unzip::<u64, Simulation, Vec<_>, Vec<_>>()
    };
    let (ticks, mut ones) = running(start()?);
    let (_, mut others) = running(start()?);
    let together = together(&mut ones, &ticks);
    let mut failed = 0;
    for (number, (found, other)) in together.iter().zip(&mut others).enumerate() {
        let expected = alone(other, ticks[number]);
        for (tick, (found, expected)) in found.iter().zip(&expected).enumerate() {
            assert_eq!(
                found, expected,
                "world {number}, tick {tick}, {:?}\n{case}",
                worlds[number]
            );
        }
        assert_eq!(found.len(), expected.len(), "world {number}");
        failed += usize::from(expected.last().is_some_and(|(_, _, result)| result.is_err()));
    }
    (!others.is_empty()).then_some(failed)
}

/// Returns different worlds: of all edges, with both orders, and with params that change and have different types.
fn different_worlds() -> Vec<TestWorld> {
    let mut worlds = vec![
        TestWorld { counts: [3, 1, 1], ..default_world() },
        TestWorld { counts: [1, 0, 2], seed: 2, ..sequential_world() },
        TestWorld { counts: [2, 3, 0], seed: 9, ..sequential_world() },
        TestWorld { different_bodies: true, seed: 3, ..default_world() },
    ];
    worlds.extend([7, 30, 104].map(TestWorld::of));
    worlds
}

#[test]
fn small_scripts_do_the_same_in_many_worlds_as_in_one() {
    with_threads(2, || {
        let worlds = different_worlds();
        let mut failed = 0;
        for (place, (name, script, _)) in small_scripts().enumerate() {
            let case = ScriptCase::all(script, default_world());
            // Each script in every second world.
            let own: Vec<TestWorld> = worlds.iter().skip(place % 2).step_by(2).cloned().collect();
            failed += compare(&case, &own).unwrap_or_else(|| panic!("{name} does not start"));
        }
        assert!(failed > 25, "only {failed} worlds failed");
    })
    .unwrap();
}

#[test]
fn generated_scripts_do_the_same_in_many_worlds_as_in_one() {
    let mut runner = TestRunner::deterministic();
    let mut compared = 0;
    for _ in 0..20 {
        let (choices, first) = choices().new_tree(&mut runner).unwrap().current();
        let case = case_of(&grammar::generate(&choices), first);
        let worlds: Vec<TestWorld> = (0..6).map(|n| TestWorld::of(first + 7 * n)).collect();
        compared += usize::from(with_threads(2, || compare(&case, &worlds)).unwrap().is_some());
    }
    assert!(compared >= 15, "only {compared}");
}

/// Returns a scenario that ships with the other order.
fn in_other_order(text: &str) -> String {
    if text.contains("order: Sequential,") {
        return text.replace("order: Sequential,", "");
    }
    let at = text.find("\n(").unwrap() + 2;
    format!("{}order: Sequential,{}", &text[..at], &text[at..])
}

fn compare_batch(batch: &mut Batch, runs: &mut [Run], ticks: u64, name: &str) {
    for tick in 0..ticks {
        assert_eq!(batch.step(), runs.len(), "{name}");
        for (number, run) in runs.iter_mut().enumerate() {
            let result = run.step();
            assert_eq!(batch.error(number), result.as_ref().err(), "{name}, run {number}");
            let found = seen(batch.run_mut(number).simulation_mut(), result.clone());
            let expected = seen(run.simulation_mut(), result);
            assert_eq!(found, expected, "{name}, run {number}, tick {tick}");
        }
    }
}

#[test]
fn every_scenario_does_the_same_in_a_batch() {
    use flockwork_engine::diag::Source;

    for path in load::find(&[folder("scenarios")]).unwrap().scenarios {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(&path).unwrap();
        for text in [in_other_order(&text), text] {
            let source = Source::new(name.clone(), text);
            let scripts = ScriptsFolder::of_scenario(&path);
            let options: Vec<Options> =
                (0..3).map(|n| Options::default().seed(n).interpreter(n == 2)).collect();
            let mut batch = Batch::new(&source, &scripts, &options).unwrap();
            let runs = options.iter().map(|options| Run::new(&source, &scripts, options).unwrap());
            compare_batch(&mut batch, &mut runs.collect::<Vec<_>>(), 8, &name);
        }
    }
}

#[test]
fn many_runs_do_the_same_on_any_number_of_threads() {
    let guards =
        |n: u64| Options::default().settings([format!("guard.alert={}", 80 + n).parse().unwrap()]);
    let birds = |n: u64| Options::default().agents([1, 30, 70][n as usize % 3]);
    let cases: [(&str, &dyn Fn(u64) -> Options); 2] = [("night_watch", &guards), ("flock", &birds)];
    for (name, options) in cases {
        let path = folder(&format!("scenarios/{name}.ron"));
        let options: Vec<Options> = (0..200).map(|n| options(n).seed(n)).collect();
        for threads in [1, 2, 3] {
            with_threads(threads, || {
                let mut batch = Batch::open(&path, &options).unwrap();
                let runs = options.iter().map(|options| Run::open(&path, options).unwrap());
                compare_batch(&mut batch, &mut runs.collect::<Vec<_>>(), 8, name);
            })
            .unwrap();
        }
    }
}

/// A brain that is asked about many worlds answers what it decides on in each of them alone, and changes none of them.
#[test]
fn answers_of_many_worlds_are_the_decisions_of_each() {
    let path = folder("scenarios/flock.ron");
    let scripts = ScriptsFolder::of_scenario(&path);
    let behavior: Arc<dyn Brain> = Arc::new(Behavior::compile("flock", &scripts).unwrap());
    // More agents than decide together, too.
    let options = (0..30).map(|n| Options::default().seed(n).agents([1, 40, 250][n as usize % 3]));
    let mut runs: Vec<Run> = options.map(|options| Run::open(&path, &options).unwrap()).collect();
    for _ in 0..5 {
        for run in &mut runs {
            run.step().unwrap();
        }
        let hashes = |runs: &[Run]| -> Vec<u64> {
            let hash = |run: &Run| world_hash(run.world(), run.simulation().minds());
            runs.iter().map(hash).collect()
        };
        let before = hashes(&runs);
        for threads in [1, 3] {
            let all: Vec<&Simulation> = runs.iter().map(Run::simulation).collect();
            let answers =
                with_threads(threads, || ask_together(&all, GroupId(0), &behavior)).unwrap();
            for (run, answers) in runs.iter().zip(answers) {
                let wishes = run.simulation().wishes().unwrap();
                let wishes: Vec<Vec2> = wishes.into_iter().map(|(_, wish)| wish.force).collect();
                assert_eq!(answers.unwrap(), wishes, "{} agents", wishes.len());
            }
        }
        assert_eq!(hashes(&runs), before);
    }
}

#[test]
fn a_brain_that_fails_for_one_world_answers_for_the_others() {
    let path = folder("scenarios/flock.ron");
    let script = "fn steer(me) { if me.index == 20 { let a = []; a[1] } vec(1, 0) }";
    let scripts = Scripts::new().with("fails", script);
    let behavior: Arc<dyn Brain> = Arc::new(Behavior::compile("fails", &scripts).unwrap());
    let runs: Vec<Run> = [3, 30, 300, 2]
        .map(|agents| Run::open(&path, &Options::default().agents(agents)).unwrap())
        .into();
    let all: Vec<&Simulation> = runs.iter().map(Run::simulation).collect();
    let answers = ask_together(&all, GroupId(0), &behavior);
    let lengths: Vec<Option<usize>> =
        answers.iter().map(|answer| answer.as_ref().ok().map(Vec::len)).collect();
    assert_eq!(lengths, [Some(3), None, None, Some(2)]);
    for failed in [1, 2] {
        let error = answers[failed].as_ref().unwrap_err();
        assert_eq!(error.agent.0, 20);
    }
}
