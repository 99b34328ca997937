//! The shipped goldens, and the diagnoses of changes to shipped scenarios.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flockwork_engine::diag::{Diagnostic, Source};
use flockwork_engine::golden::{Follower, Golden, GoldenBody, Header, Mode, Track, compare_window};
use flockwork_engine::load::ScriptsFolder;
use flockwork_engine::script::{Library, Scripts};
use flockwork_engine::sim::{AgentError, Simulation};
use flockwork_engine::suite::{
    Case, ComparisonDetails, OldFiles, OldRun, RecordingLibrary, StopRule, TestFiles, TestOutcome,
    TestResult, diagnose, each, mutations, try_mutations, update,
};

use crate::support::{ShippedScripts, folder, names, open, report};

/// Returns the case of a shipped scenario.
fn case(name: &str) -> Case {
    Case::open(&folder(&format!("scenarios/{name}.ron")))
}

#[test]
fn every_shipped_scenario_equals_its_golden() {
    let all = names("scenarios", "ron");
    assert_eq!(names("scenarios", "golden"), all, "one golden for each scenario");
    let tested = each(&all, |name| case(name).test());
    for (name, tested) in all.iter().zip(tested) {
        assert_eq!(tested.errors, [], "{name}: {}", tested.errors[0]);
        assert_eq!(tested.golden_error, None, "{name}");
        let comparison = tested.comparison.as_ref().unwrap();
        // Identical, not only within the tolerance: every machine computes the same bits.
        assert!(comparison.is_same(), "{name}: {comparison:?}");
        assert_eq!(tested.notes, [""; 0], "{name}: write it again with `flockwork test --update`");
        assert_eq!(tested.outcome, TestOutcome::Passed, "{name}");
    }
}

#[test]
fn a_golden_is_much_smaller_than_its_trajectory() {
    for name in names("scenarios", "golden") {
        let text = fs::read_to_string(folder(&format!("scenarios/{name}.golden"))).unwrap();
        let case = case(&name);
        let golden = case.golden.unwrap().unwrap();
        if let GoldenBody::Track(track) = &golden.body {
            // Agents may come and go.
            let agents: usize = track.keyframes.iter().map(|one| one.agents.len()).sum();
            let rows = golden.header.terms.until * agents as u64 / track.keyframes.len() as u64;
            // A trajectory has four numbers for each agent and tick: about 40 characters.
            assert!(text.len() as u64 <= 10_000 + rows * 40 / 8, "{name}: {}", text.len());
        }
    }
}

/// A library in which one script is changed.
struct Changed<'l> {
    library: &'l dyn Library,
    name: &'static str,
    from: &'static str,
    to: &'static str,
}

impl Library for Changed<'_> {
    fn read(&self, name: &str) -> Result<Option<Arc<Source>>, Diagnostic> {
        let found = self.library.read(name)?;
        Ok(found.map(|source| {
            if name != self.name {
                return source;
            }
            assert_eq!(source.text.matches(self.from).count(), 1, "{}", self.from);
            Source::new(source.name.as_str(), source.text.replace(self.from, self.to))
        }))
    }

    fn names(&self) -> Vec<String> {
        self.library.names()
    }
}

/// Tests a shipped scenario with a changed script.
fn with_script(
    case: &Case,
    name: &'static str,
    from: &'static str,
    to: &'static str,
) -> TestResult {
    let files = case.files().unwrap();
    let scripts = Changed { library: files.scripts, name, from, to };
    let files = TestFiles { scripts: &scripts, ..files };
    case.test_with(files, StopRule::Never)
}

#[test]
fn comments_and_spacing_change_only_a_fingerprint() {
    let case = case("flock");
    let changed = "return  /* all */   p.separation * me.separation(p.room)";
    let tested = with_script(&case, "flock", "p.separation * me.separation(p.room)", changed);
    assert_eq!(tested.outcome, TestOutcome::Passed, "{tested:?}");
    assert!(tested.comparison.unwrap().is_same());
    assert_eq!(tested.notes, ["the script `flock` has changed since the golden was written"]);
}

/// Copies the shipped files into a folder, changes one of them, and diagnoses a scenario there. The shipped files are the
/// old version.
fn diagnosis_of(name: &str, file: &str, from: &str, to: &str) -> String {
    let dir = tempfile::tempdir().unwrap();
    for (part, ending) in [("scenarios", "ron"), ("scenarios", "golden"), ("scripts", "rhai")] {
        for name in names(part, ending) {
            let path = format!("{part}/{name}.{ending}");
            let target = dir.path().join(&path);
            fs::create_dir_all(target.parent().unwrap()).unwrap();
            fs::copy(folder(&path), target).unwrap();
        }
    }
    let changed = dir.path().join(file);
    let text = fs::read_to_string(&changed).unwrap();
    assert_eq!(text.matches(from).count(), 1, "{from}");
    fs::write(&changed, text.replace(from, to)).unwrap();
    let case = Case::open(&dir.path().join(format!("scenarios/{name}.ron")));
    let tested = case.test();
    assert_eq!(tested.outcome, TestOutcome::Failed);
    let path = folder(&format!("scenarios/{name}.ron"));
    let source = flockwork_engine::load::read(&path).unwrap();
    let old = OldFiles::new("before", source, ScriptsFolder::of_scenario(&path));
    let diagnosis = diagnose(&case, &tested.comparison.unwrap(), Some(&old)).unwrap();
    diagnosis.unwrap().to_string()
}

#[test]
fn a_changed_weight_is_named_with_its_primitive_and_its_line() {
    for (name, file, from, to, parts) in [
        (
            "night_watch",
            "scripts/sneak.rhai",
            "0.3 * me.wander()",
            "0.4 * me.wander()",
            ["`wander`", "scripts/sneak.rhai:13:", "its weight was 0.3, is 0.4"],
        ),
        (
            "flock",
            "scenarios/flock.ron",
            "\"separation\": 1.5",
            "\"separation\": 1.6",
            ["`separation`", "scripts/flock.rhai:6:", "its weight was 1.5, is 1.6"],
        ),
        (
            "arrive_puppet",
            "scenarios/arrive_puppet.ron",
            "\"brake_distance\": 80",
            "\"brake_distance\": 70",
            ["`arrive`", "scripts/arrive_puppet.rhai:", "its result was "],
        ),
    ] {
        let text = diagnosis_of(name, file, from, to);
        for part in parts {
            assert!(text.contains(part), "`{part}` is missing in\n{text}");
        }
        assert!(text.contains("compared with     revision before"), "{text}");
    }
}

/// Returns the line `cause` of the diagnosis of a change in the script of one agent that runs to the right.
fn cause_of(script: &str, from: &str, to: &str) -> String {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("scenarios/a.ron");
    fs::create_dir(dir.path().join("scenarios")).unwrap();
    fs::create_dir(dir.path().join("scripts")).unwrap();
    let scenario = r#"(
        world: (size: (1000, 100)), ticks: 200,
        groups: {"a": (behavior: "a", spawn: Points([(100, 50)]), body: (max_speed: 60, max_force: 100))},
    )"#;
    fs::write(&path, scenario).unwrap();
    fs::write(dir.path().join("scripts/a.rhai"), script).unwrap();
    let case = Case::open(&path);
    update(&case, &case.test().header.unwrap()).unwrap();
    let old = Scripts::new().with("a", script);
    assert_eq!(script.matches(from).count(), 1, "{from}");
    fs::write(dir.path().join("scripts/a.rhai"), script.replace(from, to)).unwrap();
    let case = Case::open(&path);
    let tested = case.test();
    assert_eq!(tested.outcome, TestOutcome::Failed, "{from} -> {to}");
    let old = OldFiles::new("before", flockwork_engine::load::read(&path).unwrap(), old);
    let diagnosis = diagnose(&case, &tested.comparison.unwrap(), Some(&old)).unwrap().unwrap();
    assert_eq!(diagnosis.old, OldRun::Known("before".to_owned()));
    let at = format!("{}/scripts/", dir.path().display());
    diagnosis.cause().unwrap().replace(&at, "")
}

/// Caught: two calls of one primitive at different places were taken for one call with another result.
#[test]
fn a_decision_that_branches_otherwise_is_named_with_its_condition() {
    let machine = "\
fn steer(me) { me.machine(\"mode\", [\"run\", \"walk\"]) }
fn run(me) { me.seek(vec(900, 50)) }
fn next_run(me) { if me.time_in(\"mode\") > 2.0 { \"walk\" } }
fn walk(me) { me.seek(vec(900, 50), 20) }
";
    let cause = cause_of(machine, "2.0", "1.0");
    assert_eq!(
        cause,
        "`mode` at a.rhai:1:19 was run, is walk (after run, by `next_run` (a.rhai:3:1)), since \
         `me.time_in(\"mode\") > 1.0` at a.rhai:3:22 was false, is true (it was `me.time_in(\"mode\") > 2.0`)"
    );
    let cause = cause_of(machine, "2.0", "3.0");
    let end = "3:22 was true, is false (it was `me.time_in(\"mode\") > 2.0`)";
    assert!(
        cause.starts_with("`mode` at a.rhai:1:19 was walk, is run (before: after run,"),
        "{cause}"
    );
    assert!(cause.ends_with(end), "{cause}");

    let two = "\
const FAR = 300;
fn steer(me) {
    if me.pos.x < FAR {
        me.seek(vec(900, 50))
    } else {
        me.seek(vec(900, 50), 20)
    }
}
";
    let branch = "`me.pos.x < FAR` at a.rhai:3:8 was true, is false";
    assert_eq!(cause_of(two, "300", "200"), branch);
    // Other lines before it do not matter.
    let moved = "200;\n// Not so far.\nconst NEAR = 1";
    assert_eq!(cause_of(two, "300", moved), branch.replace(":3:", ":5:"));

    let switch = "\
fn steer(me) {
    switch (me.pos.x / 100).to_int() {
        1 | 2 => me.seek(vec(900, 50)),
        _ => me.seek(vec(900, 50), 20),
    }
}
";
    let cause = cause_of(switch, "100", "50");
    let (was, is) = ("`(me.pos.x / 100).to_int()`", "`(me.pos.x / 50).to_int()`");
    assert_eq!(cause, format!("{is} at a.rhai:2:12 was 1, is 3 (it was {was})"));

    let choose = "\
fn steer(me) {
    let mood = me.choose(\"mood\", #{run: 500 - me.pos.x, walk: 250});
    if mood == \"run\" { me.seek(vec(900, 50)) } else { me.seek(vec(900, 50), 20) }
}
";
    let cause = cause_of(choose, "500", "400");
    let start = "`mood` at a.rhai:2:19 was run, is walk (the best score; scores: run 249.";
    assert!(cause.starts_with(start), "{cause}");
}

#[test]
fn a_call_that_differs_before_a_branch_is_named_first() {
    let script = "\
fn steer(me) {
    let force = me.seek(vec(900, 50), 60);
    if force.length() > 30 { force } else { force + me.seek(vec(900, 50), 20) }
}
";
    let cause = cause_of(script, "60", "20");
    assert_eq!(
        cause,
        "`seek` at a.rhai:2:20: its result was (60, 0), is (20, 0) (the point (900, 50), 800 away)"
    );
}

/// Caught: a call that had moved was "not called before", though it gave the same.
#[test]
fn the_same_forces_added_otherwise_are_named_so() {
    let script = "\
fn steer(me) {
    let goal = vec(0, 0);
    0.3 * me.seek(vec(900, 53)) + me.flee(vec(90, 57)) + 0.7 * me.arrive(vec(910, 71), 40)
}
";
    let same = "not a primitive: all their results and weights are the same, but they are added";
    let order = |place: &str| format!("{same} in another order: {place}");
    let (first, second) = ("me.flee(vec(90, 57)) + ", "0.7 * me.arrive(vec(910, 71), 40)");
    let swapped = "0.7 * me.arrive(vec(910, 71), 40) + me.flee(vec(90, 57))";
    assert_eq!(
        cause_of(script, &format!("{first}{second}"), swapped),
        order("`flee` has moved to a.rhai:3:74")
    );
    // A moved call with another weight differs by its weight.
    let cause = cause_of(
        script,
        &format!("{first}{second}"),
        &format!("{second} + 2.0 * me.flee(vec(90, 57))"),
    );
    assert!(cause.starts_with("`flee` at a.rhai:3:80: its weight was 1, is 2 ("), "{cause}");
    // One that gives something else is another call.
    let cause =
        cause_of(script, &format!("{first}{second}"), &format!("{second} + me.flee(vec(20, 57))"));
    assert!(cause.contains("called"), "{cause}");
    let grouped = "(me.flee(vec(90, 57)) + 0.7 * me.arrive(vec(910, 71), 40))";
    assert_eq!(
        cause_of(script, &format!("{first}{second}"), grouped),
        format!("{same} in another way: see `seek` at a.rhai:3:14")
    );
    let helper =
        "rest(me)\n}\nfn rest(me) {\n    me.flee(vec(90, 57)) + 0.7 * me.arrive(vec(910, 71), 40)";
    let cause = cause_of(script, &format!("{first}{second}"), helper);
    assert!(cause.starts_with(same), "{cause}");
}

/// Returns the golden and the run of the shipped flock, which is compared by windows.
fn flock() -> (Golden, Simulation) {
    let golden = case("flock").golden.unwrap().unwrap();
    (golden, open("flock"))
}

fn track(golden: &Golden) -> &Track {
    match &golden.body {
        GoldenBody::Track(track) => track,
        GoldenBody::Bands(_) => panic!("the flock has no track"),
    }
}

/// A point just inside the upper corner of the flock's world.
const MAX_CORNER: glam::Vec2 = glam::Vec2::new(799.999, 599.999);

/// Simulates a tick with other rounding: positions differ by one unit in the last place.
fn otherwise_rounded(simulation: &mut Simulation) -> Result<(), AgentError> {
    simulation.step()?;
    let mut state = simulation.state();
    for row in 0..state.agents.len() {
        let pos = state.agents.pos_mut(row);
        // Up for one half of the agents, down for the other half.
        let other = |x: f32| {
            if row % 2 == 0 { x.next_up() } else { x.next_down() }
        };
        *pos = glam::Vec2::new(other(pos.x), other(pos.y)).clamp(glam::Vec2::ZERO, MAX_CORNER);
    }
    simulation.restore(state);
    Ok(())
}

#[test]
fn windows_tolerate_a_rounding_change_that_a_whole_run_does_not() {
    let (golden, simulation) = flock();
    let Header { terms, .. } = &golden.header;
    let Mode::Windows(tolerance) = terms.mode else {
        panic!("the flock is compared by {:?}", terms.mode);
    };
    let track = track(&golden);
    let start = simulation.state();
    let places: Vec<usize> = (0..track.windows()).collect();
    let windows = each(&places, |&place| {
        compare_window(track, place, &start, simulation.clone(), otherwise_rounded).unwrap()
    });
    assert!(windows.iter().all(|one| one.first.is_some()), "something has changed");
    let beyond: Vec<usize> =
        windows.iter().map(|one| one.difference.count_beyond(tolerance)).collect();
    let allowed = windows.iter().all(|one| !one.difference.exceeds(tolerance));
    assert!(allowed, "{beyond:?} of 300 exceed the tolerance at the ends of the windows");

    let mut whole = simulation;
    let mut follower = Follower::new(track);
    follower.tick(&whole);
    for _ in 0..terms.until {
        otherwise_rounded(&mut whole).unwrap();
        follower.tick(&whole);
    }
    let followed = follower.finish();
    let (tick, last) = followed.differences.last().unwrap();
    assert!(last.exceeds(tolerance) && last.count_beyond(tolerance) > 200, "{last:?}");
    report(&format!(
        "flock: of 300 agents, {beyond:?} exceed the tolerance at the ends of the windows, and {} at tick \
         {tick} of the whole run",
        last.count_beyond(tolerance)
    ));
}

/// Tries every n-th mutation of the shipped scenarios and scripts.
fn most_mutations_are_noticed(n: usize) {
    let all = names("scenarios", "ron");
    let cases: Vec<Case> = all.iter().map(|name| case(name)).collect();
    let mutations = mutations(&cases).unwrap();
    assert!(mutations.len() > 250, "{}", mutations.len());
    let tried: Vec<_> = mutations.into_iter().step_by(n).collect();
    let noticed = try_mutations(&cases, &tried, || {});
    let caught = noticed.iter().filter(|noticed| **noticed).count();
    report(&format!("{caught} of {} mutations are noticed", tried.len()));
    for (mutation, _) in tried.iter().zip(&noticed).filter(|(_, noticed)| !**noticed) {
        let (line, _) = mutation.place.source.line_column(mutation.place.span.start);
        let (file, new) = (&mutation.place.source.name, &mutation.replacement);
        report(&format!("not noticed: {file}:{line}: {} -> {new}", mutation.written()));
    }
    assert!(caught * 100 >= tried.len() * 90, "{caught} of {}", tried.len());
}

#[test]
fn most_mutations_of_shipped_files_are_noticed() {
    most_mutations_are_noticed(29);
}

#[test]
#[ignore = "tries all mutations; run it after adding scenarios or kinds of mutations"]
fn most_of_all_mutations_of_shipped_files_are_noticed() {
    most_mutations_are_noticed(1);
}

#[test]
fn windows_are_run_only_from_the_first_difference_on() {
    let case = case("flock");
    let tested = with_script(
        &case,
        "flock",
        "fn steer(me) {",
        "fn steer(me) { if world.tick > 200 { return vec(0, 0); }",
    );
    let ComparisonDetails::Track(followed, windows) = tested.comparison.unwrap().details else {
        panic!("no track");
    };
    let first = followed.first.unwrap();
    assert_eq!(first, 202);
    assert!(windows[0].from < first && first <= windows[0].to, "{:?}", windows[0]);
    assert_eq!(tested.outcome, TestOutcome::Failed);
}

#[test]
fn fingerprints_are_of_the_scripts_that_were_read() {
    let scripts = ShippedScripts::default();
    let remembering = RecordingLibrary::new(&scripts);
    assert!(remembering.read("flock").unwrap().is_some());
    assert!(remembering.read("nothing").unwrap().is_none());
    let prints = remembering.fingerprints();
    assert_eq!(prints.len(), 1);
    let golden = case("flock").golden.unwrap().unwrap();
    // The second script belongs to an expectation.
    assert_eq!(golden.header.scripts[..1], prints);
    assert_eq!(golden.header.scripts.len(), 2);
}

#[test]
fn a_test_that_is_stopped_fails_in_every_mode() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.ron");
    for mode in [
        "Exact",
        "Windows(position: 0.01)",
        "Bands(seeds: 2, quantiles: (0.1, 0.9), measures: [MeanSpeed])",
    ] {
        let scenario = |velocity: &str| {
            format!(
                "(ticks: 40, world: (size: (900, 9)), golden: (every: 10, mode: {mode}), groups: {{
                    \"a\": (spawn: Points([(1, 1)]), velocity: {velocity}, body: (max_speed: 9)),
                }})"
            )
        };
        fs::write(&path, scenario("(2, 0)")).unwrap();
        let case = Case::open(&path);
        update(&case, &case.test().header.unwrap()).unwrap();
        fs::write(&path, scenario("(3, 0)")).unwrap();
        let case = Case::open(&path);
        let calls = AtomicU64::new(0);
        let complete = case.test_until(StopRule::Error(&|_| {
            calls.fetch_add(1, Ordering::Relaxed);
            Ok(())
        }));
        assert_eq!((complete.outcome, complete.errors.len()), (TestOutcome::Failed, 0), "{mode}");
        // It is stopped at each place at which it may be.
        for last in 0..calls.into_inner() {
            let calls = AtomicU64::new(0);
            let check = |tick: u64| match calls.fetch_add(1, Ordering::Relaxed) < last {
                true => Ok(()),
                false => Err(Diagnostic::error(format!("stopped at {tick}"))),
            };
            let stopped = case.test_until(StopRule::Error(&check));
            assert_eq!(stopped.outcome, TestOutcome::Failed, "{mode}");
            assert!(stopped.errors[0].message.starts_with("stopped at "), "{mode}");
            assert!(stopped.comparison.is_none() && stopped.notes.len() == 1, "{mode}");
        }
    }
}

/// A script that judges.
const JUDGE: &str = "fn is_slow(now) {
    now.max_speed < 20
}
fn expect(now) {
    if now.tick == 40 {
        return false;
    }
    if now.tick == 7 {
        now.center.z
    }
    now.agents > 0
        && is_slow(now)
        && now.members.all(|one| one.pos.x < 100)
}";

/// Returns what is told about the line of a script that decides, for an expectation which fails.
fn deciding_line(script: &str, expectation: &str) -> Option<String> {
    deciding_line_of("(100, 50)", script, expectation)
}

/// Returns the same for agents that begin at some points.
fn deciding_line_of(points: &str, script: &str, expectation: &str) -> Option<String> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("scenarios/a.ron");
    fs::create_dir(dir.path().join("scenarios")).unwrap();
    fs::create_dir(dir.path().join("scripts")).unwrap();
    let scenario = format!(
        "(world: (size: (1000, 100)), ticks: 50,
        groups: {{\"a\": (behavior: \"a\", spawn: Points([{points}]), body: (max_speed: 60, max_force: 100))}},
        expect: [{expectation}])"
    );
    fs::write(&path, scenario).unwrap();
    fs::write(dir.path().join("scripts/a.rhai"), script).unwrap();
    fs::write(dir.path().join("scripts/judge.rhai"), JUDGE).unwrap();
    let case = Case::open(&path);
    let tested = case.test();
    assert_eq!(tested.outcome, TestOutcome::Failed, "{:?}", tested.errors);
    let mut errors = tested.errors.clone();
    case.add_deciding_lines(&tested, &mut errors);
    let (place, what) = errors[0].related.last()?;
    Some(format!("{}: {what}", place.source.line_at(place.span.start).trim()))
}

#[test]
fn a_failed_expectation_leads_to_the_line_that_decides() {
    let script = "fn steer(me) {
            let far = me.seek(vec(900, 50));
            far + 0.1 * me.wander()
        }";
    let told = deciding_line(script, "MaxSpeed(speed: 20)").unwrap();
    let start = "let far = me.seek(vec(900, 50));: agent 0 mostly follows `seek` here at tick ";
    let tick = told.strip_prefix(start).unwrap_or_else(|| panic!("{told}"));
    assert!(tick.parse::<u64>().unwrap() > 0, "{tick}");
    // No call decides, or no agent is at fault.
    assert_eq!(deciding_line("fn steer(me) { vec(90, 0) }", "MaxSpeed(speed: 20)"), None);
    assert_eq!(
        deciding_line(script, "Throughput(from: (500, 0), to: (500, 99), at_least: 3)"),
        None
    );
}

/// Caught: the call was named that the agent follows, which is right as it is.
#[test]
fn an_agent_that_does_not_react_leads_to_the_condition_that_keeps_it_from_that() {
    let script = "fn steer(me) {
            let near = me.neighbors(30);
            let force = me.seek(vec(100, 50));
            if near.count > 1 { force += me.separation(near); }
            force
        }";
    let told =
        deciding_line_of("(100, 50), (120, 50)", script, "MinSeparation(distance: 8)").unwrap();
    let expected = "if near.count > 1 { force += me.separation(near); }: agent 0 does not call `separation`: `near.count > 1` is false, since `near.count` is 1";
    assert_eq!(told, expected);
}

/// Caught: only the function `expect` was named.
#[test]
fn a_script_that_does_not_hold_leads_to_its_false_condition() {
    let steer = "fn steer(me) { vec(90, 0) }";
    let told =
        |every: u64| deciding_line(steer, &format!("Script(name: \"judge\", every: {every})"));
    for (every, expected) in [
        (5, "&& now.members.all(|one| one.pos.x < 100): this does not hold at tick 5"),
        (7, "now.center.z: this does not hold at tick 7"),
        (20, "&& is_slow(now): this does not hold at tick 20"),
        (40, "return false;: this does not hold at tick 40"),
    ] {
        assert_eq!(told(every).as_deref(), Some(expected));
    }
}
