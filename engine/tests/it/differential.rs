//! Two ways to run a script, and one result: what a compiled behavior does, the interpreter alone does
//! too, to the bit: states after every tick, messages, and errors with agent and tick.

mod agents;
mod encounters;
mod flow;
mod forms;
mod grammar;
mod leaving;
mod stage;
mod templates;
mod values;

use std::collections::{BTreeMap, BTreeSet};

use flockwork_engine::sim::Order;
use flockwork_engine::world::Edge;
use flockwork_engine::{Options, Run, load, with_threads, world_hash};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::support::{folder, report};
use stage::{Case, Events, Seen, Stage};

/// Several turns are taken at once, on stacks with room for scripts.
const THREADS: usize = 2;

/// Small scripts, each about one thing.
fn sketches() -> impl Iterator<Item = &'static (&'static str, &'static str, &'static str)> {
    values::SKETCHES
        .iter()
        .chain(flow::SKETCHES)
        .chain(agents::SKETCHES)
        .chain(encounters::SKETCHES)
        .chain(leaving::SKETCHES)
}

/// One group of 70 has the script, the others only drift; agents come and go.
fn plain() -> Stage {
    Stage {
        counts: [70, 9, 1],
        edge: Edge::Wrap,
        order: Order::Synchronous,
        events: Events::Mild,
        unlimited: false,
        bodies: false,
        seed: 1,
        ticks: 8,
    }
}

/// All have the script, and move one after another; params change their kinds.
fn classic() -> Stage {
    Stage {
        counts: [3, 66, 2],
        edge: Edge::Bounce,
        order: Order::Sequential,
        events: Events::Wild,
        ticks: 5,
        ..plain()
    }
}

/// The agents of the first group have different bodies.
fn bodies() -> Stage {
    Stage { bodies: true, ..plain() }
}

#[test]
fn small_scripts_do_the_same_either_way() {
    let mut wrong = Vec::new();
    let mut check = |name: &str, case: Case, ends: Option<&str>| match case.compare() {
        Seen::Same { ticks, fault } => {
            let told = fault.map_or_else(String::new, |fault| fault.to_string());
            if let Some(ends) = ends
                && (!told.contains(ends) || (ticks == case.stage.ticks) != ends.is_empty())
            {
                wrong.push(format!("{name}: not `{ends}`, but `{told}`"));
            }
        }
        Seen::Different(how) => wrong.push(format!("{name}, {:?}: {how}", case.stage)),
        Seen::NoScript(error) => wrong.push(format!("{name}: {error}")),
    };
    with_threads(THREADS, || {
        for (place, (name, script, ends)) in sketches().enumerate() {
            check(name, Case::one(script, plain()), Some(ends));
            check(name, Case::one(script, bodies()), None);
            let crowded = Stage {
                counts: [128, 2, 1],
                edge: Edge::Open,
                events: Events::None,
                ticks: 4,
                ..plain()
            };
            check(name, Case::all(script, crowded).watched(), None);
            let other = if place % 2 == 0 { classic() } else { Stage::of(place as u64) };
            check(name, Case::all(script, other), None);
        }
    })
    .unwrap();
    let all = sketches().count();
    assert!(all >= 130, "only {all}");
    assert!(wrong.is_empty(), "{} differ\n\n{}", wrong.len(), wrong.join("\n\n"));
}

#[test]
fn imported_functions_do_the_same_either_way() {
    let script = r#"import "tools/turn" as turn;
    const OWN = 2.5;
    fn init(me) { me.state.n = turn::first(me); }
    fn steer(me) {
        me.state.n += STEP;
        let v = turn::around(me, me.vel, OWN);
        if v == () { return PLAIN; }
        v + turn::most([me.index, me.state.n, 7])
    }"#;
    let tools = r#"const STEP = 3; const PLAIN = vec(2, STEP);
    fn first(me) { me.index / 2 }
    fn around(me, v, n) {
        debug(me.group);
        if me.index % 5 == 1 { return; }
        helper(v, n).rotated(STEP)
    }
    fn helper(v, n) { if n > v.x { v * n } else { v / (20 - n) } }
    fn most(list) { let most = list[0]; for x in list { if x > most { most = x; } } PLAIN * most }"#;
    let broken = tools.replace("v / (20 - n)", "v / (n - 2.5)");
    for (tools, fails) in [(tools, None), (&broken, Some("scripts/tools/turn.rhai:8:"))] {
        for stage in [plain(), classic()] {
            match Case::all(script, stage).with("tools/turn", tools).compare() {
                Seen::Same { fault, .. } => {
                    let told = fault.map(|fault| fault.to_string());
                    assert_eq!(told.is_some(), fails.is_some(), "{told:?}");
                    assert!(told.unwrap_or_default().contains(fails.unwrap_or_default()));
                }
                seen => panic!("{seen:?}"),
            }
        }
    }
}

#[test]
fn every_scenario_does_the_same_either_way() {
    let scenarios = load::find(&[folder("scenarios")]).unwrap().scenarios;
    assert!(scenarios.len() >= 22, "{scenarios:?}");
    let open = |path, interpreter| {
        let options = Options::default().interpreter(interpreter);
        Run::open(path, &options).unwrap_or_else(|errors| panic!("{}", errors[0]))
    };
    let hash = |run: &Run| world_hash(run.simulation().world(), run.simulation().minds());
    with_threads(THREADS, || {
        for path in &scenarios {
            let (mut one, mut other) = (open(path, false), open(path, true));
            for tick in 0..=60 {
                assert_eq!(hash(&one), hash(&other), "{}, tick {tick}", path.display());
                assert_eq!(one.take_messages(), other.take_messages());
                assert_eq!(one.step(), other.step(), "{}", path.display());
            }
        }
    })
    .unwrap();
}

#[test]
fn what_differs_is_seen() {
    let script = "fn init(me) { me.state.n = 1; }
    fn steer(me) { if me.index == 66 { THERE } vec(1, 0) }";
    for (there, part) in [
        ("me.state.n = 1.0;", "agent 66: "),
        ("me.vel.x = -0.0 * me.vel.x;", "agent 66: "),
        ("me.vel = me.vel * 1.0000001;", "agent 66: "),
        ("me.follow_path(\"trail\"); me.vel = vec(0, 0);", "agent 66: "),
        ("return vec(1.0000001, 0);", "agent 66: "),
        ("debug(1);", "message 0 of 1 and 0"),
        ("throw 1;", "no fault"),
    ] {
        let case = |there| Case::one(&script.replace("THERE", there), plain());
        let (one, other) = (case(there).watched(), case("me.random();").watched());
        match one.compare_with(&other) {
            Seen::Different(how) if how.contains(part) => {}
            seen => panic!("{there}: {seen:?}"),
        }
    }
    let case = |n: u32| {
        let script = format!("fn steer(me) {{ if me.index == {n} {{ 1 % 0 }} vec(0, 0) }}");
        Case::one(&script, plain())
    };
    assert!(matches!(case(40).compare_with(&case(41)), Seen::Different(_)));
    assert!(matches!(case(40).compare_with(&case(40)), Seen::Same { .. }));
}

#[test]
fn what_differs_is_shown_without_the_rest() {
    let script = "const K = 2;
    fn steer(me) {
        let v = vec(1, 0);
        if me.index > 3 {
            v *= K;
        }
        for i in 0..3 {
            v += me.vel.perp();
            v.x += 1;
        }
        v + me.pos
    }";
    let differs = |case: &Case| {
        let other = case.texts.0["main"].replace("perp()", "normalized()");
        let other = case.clone().with("main", &other);
        matches!(case.compare_with(&other), Seen::Different(_))
    };
    let reduced = Case::all(script, plain()).reduced(differs);
    let main = reduced.texts.0["main"].replace(' ', "");
    let shortest = "fnsteer(me){\nletv=vec(1,0);\nv+=me.vel.perp();\nv+me.pos\n}";
    assert_eq!(main, shortest);
}

/// Choices for a script and for its stage.
fn choices() -> impl Strategy<Value = (Vec<u16>, u64)> {
    (proptest::collection::vec(any::<u16>(), 20..1200), 0..1000u64)
}

/// The case that choices make: a script for all groups or for one, with its forces watched or not.
fn made(script: &grammar::Program, stage: u64) -> Case {
    let stage = Stage::of(stage);
    let case = if stage.seed % 3 == 2 {
        Case::one(&script.main, stage)
    } else {
        Case::all(&script.main, stage)
    };
    let case = if case.stage.seed % 2 == 1 { case.watched() } else { case };
    case.with("lib", &script.lib)
}

/// What remains of a case when all is left out that has no part in the difference.
fn shortest(case: &Case) -> String {
    let differs = |case: &Case| matches!(case.compare(), Seen::Different(_));
    let case = case.reduced(differs);
    match case.compare() {
        Seen::Different(how) => format!("{how}\n{case}"),
        seen => format!("not always the same: {seen:?}\n{case}"),
    }
}

/// What came of made-up scripts.
#[derive(Default)]
struct Outcome {
    through: usize,
    failed: usize,
    /// Why those are none that cannot be compiled.
    broken: Vec<String>,
    /// Turns, those of the interpreter, and what keeps them there: of plain scripts, and of others.
    shares: [(u64, u64, BTreeMap<String, u32>); 2],
    /// Templates that were used.
    used: BTreeSet<&'static str>,
}

impl Outcome {
    fn add(&mut self, script: &grammar::Program, case: &Case) {
        let (seen, turns, slow) = case.compare_and_count();
        let share = &mut self.shares[usize::from(!script.plain)];
        share.0 += turns;
        share.1 += slow;
        if slow > 0 {
            for note in case.notes() {
                *share.2.entry(note).or_insert(0) += 1;
            }
        }
        match seen {
            Seen::Same { fault: None, .. } => self.through += 1,
            Seen::Same { fault: Some(_), .. } => self.failed += 1,
            Seen::NoScript(error) => self.broken.push(error),
            Seen::Different(_) => panic!("{}", shortest(case)),
        }
    }

    fn report(&self) {
        for (what, (turns, slow, kept)) in ["plain", "other"].iter().zip(&self.shares) {
            let mut often: Vec<(&String, &u32)> =
                kept.iter().filter(|(_, count)| **count > 3).collect();
            often.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
            let often: Vec<String> =
                often.iter().map(|(note, count)| format!("{count} {note}")).collect();
            report(&format!(
                "{slow} of {turns} turns of {what} scripts by the interpreter: {}",
                often.join(", ")
            ));
        }
        let (through, failed, none) = (self.through, self.failed, self.broken.len());
        report(&format!("{through} scripts ran through, {failed} failed, {none} are none"));
    }
}

/// Compares the first made-up scripts, always the same ones.
fn made_up(scripts: usize) -> Outcome {
    let mut runner = TestRunner::deterministic();
    let mut outcome = Outcome::default();
    with_threads(THREADS, || {
        for _ in 0..scripts {
            let (choices, stage) = choices().new_tree(&mut runner).unwrap().current();
            let script = grammar::program(&choices);
            let case = made(&script, stage);
            outcome.add(&script, &case);
            outcome.used.extend(script.used);
        }
    })
    .unwrap();
    outcome.report();
    // Most of what is written is done in one go, or nothing would be compared.
    let (turns, slow, _) = outcome.shares[0];
    assert!(slow * 100 <= turns * 35, "{slow} of {turns}");
    assert!(outcome.broken.len() * 20 <= scripts, "{}", outcome.broken.join("\n"));
    assert!(outcome.through * 10 >= scripts * 6, "only {} ran through", outcome.through);
    assert!(outcome.failed * 20 >= scripts, "only {} failed", outcome.failed);
    outcome
}

#[test]
fn made_up_scripts_do_the_same_either_way() {
    made_up(80);
}

#[test]
#[ignore = "many scripts, for changes of the interpreter, the lowering or the machine"]
fn many_made_up_scripts_do_the_same_either_way() {
    let used = made_up(1000).used;
    let missing: Vec<_> = templates::all().filter(|one| !used.contains(one)).collect();
    let all = templates::all().count();
    assert!(missing.len() * 30 <= all, "never used: {missing:#?}");
}

fn new() -> ProptestConfig {
    ProptestConfig {
        // The script that is shown says more than the choices it was made from, which mean another script
        // as soon as a template is added.
        failure_persistence: None,
        max_shrink_iters: 3000,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(new())]

    /// As many as `PROPTEST_CASES` says.
    #[test]
    #[ignore = "other scripts in each run, for changes of the interpreter, the lowering or the machine"]
    fn new_scripts_do_the_same_either_way((choices, stage) in choices()) {
        let case = made(&grammar::program(&choices), stage);
        if let Seen::Different(how) = with_threads(THREADS, || case.compare()).unwrap() {
            prop_assert!(false, "{how}\n{case}");
        }
    }
}
