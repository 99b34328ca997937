//! Expectations judged while a session runs.

use super::*;
use crate::expect::{ExpectationState, Standing};

const EXPECT: &str = r#"expect: [
    MaxSpeed(group: "bird", speed: 45),
    MaxSpeed(group: "bird", speed: 55),
    StayInside(min: (-1000, -1000), max: (2000, 2000)),
    MinSeparation(groups: ["guard"], distance: 1, from: 90),
    Reach(group: "bird", at: (200, 150), radius: 30, by: 120),
    Throughput(from: (200, 0), to: (200, 300), at_least: 500),
    AllFinite,
],
"#;

fn expecting(scenario: &str) -> String {
    scenario.replace("groups: {", &format!("{EXPECT} groups: {{"))
}

/// A project whose birds become faster than the first expectation allows.
fn project() -> Project {
    let project = Project::new();
    project.scenario(&expecting(SCENARIO));
    project
}

fn open(project: &Project) -> Session {
    let mut session = project.open();
    session.set_judging(true);
    judge_missing(&mut session);
    session
}

/// Judges what is missing, as a window does.
fn judge_missing(session: &mut Session) {
    if session.lacks_judgment() {
        let mut replay = session.replay(session.tick(), None);
        while session.lacks_judgment() && session.advance(&mut replay) {}
    }
}

fn states(session: &mut Session) -> Vec<ExpectationState> {
    judge_missing(session);
    session.judged().unwrap().states()
}

fn standings(session: &mut Session) -> Vec<Standing> {
    states(session).iter().map(|state| state.standing).collect()
}

/// Returns the first tick at which the first expectation fails.
fn failed_at(session: &mut Session) -> Option<u64> {
    states(session)[0].failure.as_ref().map(|failure| failure.tick)
}

#[test]
fn expectations_pass_fail_and_wait_for_their_tick() {
    use Standing::{Failed, NearlyFailed, NotYet, Passing};
    let project = project();
    let mut session = open(&project);
    assert_eq!(
        standings(&mut session),
        // One agent has reached it: others do not matter.
        [Passing, Passing, Passing, NotYet, Passing, NotYet, Passing]
    );
    step(&mut session, 400);
    let all = states(&mut session);
    let failure = all[0].failure.clone().unwrap();
    assert!(failure.message.contains(&format!("at tick {}", failure.tick)), "{failure:?}");
    assert!(failure.agent.is_some() && (1..400).contains(&failure.tick));
    assert!(all[0].margin.value.unwrap() < 0.0 && all[0].margin.unit == "world units/s");
    assert_eq!(
        standings(&mut session),
        [Failed, NearlyFailed, Passing, Passing, Passing, Failed, Passing],
        "{all:?}"
    );
    // The run without a window says the same.
    let mut run = Run::open(&project.path(), &Options::default()).unwrap();
    let mut judge = run.judge_with_margins();
    while run.tick() < run.ticks() {
        run.step().unwrap();
        judge.tick(run.simulation());
    }
    judge.end(run.simulation());
    assert_eq!(judge.states(), all);
    // After the end of the scenario, nothing changes any more.
    step(&mut session, 30);
    assert_eq!(states(&mut session), all);
    // Each state belongs to its tick.
    let failed = failure.tick;
    assert!(failed < 89, "{failed}");
    for (tick, expected) in [
        (failed - 1, [NearlyFailed, NotYet, NotYet]),
        (failed, [Failed, NotYet, NotYet]),
        (89, [Failed, NotYet, NotYet]),
        (90, [Failed, Passing, NotYet]),
        (119, [Failed, Passing, NotYet]),
        (120, [Failed, Passing, NotYet]),
    ] {
        session.seek(tick);
        let found = standings(&mut session);
        assert_eq!([found[0], found[3], found[5]], expected, "tick {tick}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    /// Going back, and judging only later, leads to the same states, across edits and actions.
    #[test]
    fn each_tick_has_the_same_states_however_it_is_reached(
        ticks in prop::collection::vec(0u64..260, 1..8),
        edit_at in 1u64..200,
        tuned_at in 1u64..200,
    ) {
        let project = project();
        let mut session = open(&project);
        let mut expected = Vec::new();
        for tick in 0..260 {
            if tick == edit_at {
                project.script("bird", &BIRD.replace("0.4 * me.wander()", "me.wander()"));
                took(&mut session);
            }
            if tick == tuned_at {
                tune(&mut session, 40.0);
            }
            expected.push(states(&mut session));
            prop_assert_eq!(session.step(), StepResult::New);
        }
        let mut late = session.replay(259, None);
        for tick in ticks {
            session.seek(tick);
            prop_assert_eq!(&states(&mut session), &expected[tick as usize], "tick {}", tick);
            session.set_judging(false);
            prop_assert!(session.judged().is_none() && !session.lacks_judgment());
            session.set_judging(true);
            prop_assert!(session.lacks_judgment());
            prop_assert_eq!(&states(&mut session), &expected[tick as usize], "late, tick {}", tick);
        }
        // A replay that has begun before is used only as long as it judges what is judged now.
        late = session.replay(259, Some(late));
        while late.tick() < 259 {
            prop_assert!(session.advance(&mut late));
        }
        prop_assert_eq!(late.judged().unwrap().states(), expected[259].clone());
    }
}

#[test]
fn an_edit_in_the_past_repairs_a_failure() {
    let project = project();
    let mut session = open(&project);
    step(&mut session, 300);
    let failed = failed_at(&mut session).unwrap();
    assert!(failed > 5);
    session.seek(failed - 5);
    assert_eq!(failed_at(&mut session), None);
    project.script("bird", "fn steer(me) { -me.vel }");
    took(&mut session);
    assert_eq!(failed_at(&mut session), None);
    step(&mut session, 200);
    assert_eq!(failed_at(&mut session), None);
    // The same edit at a later tick comes too late: the failure belongs to the ticks before it.
    let project = self::project();
    let mut session = open(&project);
    step(&mut session, failed + 5);
    project.script("bird", "fn steer(me) { -me.vel }");
    took(&mut session);
    assert_eq!(failed_at(&mut session), Some(failed));
    step(&mut session, 100);
    assert_eq!(failed_at(&mut session), Some(failed));
}

#[test]
fn an_edited_expectation_is_judged_from_the_first_tick_on() {
    let project = project();
    let mut session = open(&project);
    step(&mut session, 200);
    let failed = failed_at(&mut session).unwrap();
    project.scenario(&expecting(SCENARIO).replace("speed: 45", "speed: 200"));
    took(&mut session);
    assert!(session.lacks_judgment());
    assert_eq!(failed_at(&mut session), None);
    assert_eq!(session.expectations()[0].text, "MaxSpeed(group: \"bird\", speed: 200)");
    step(&mut session, 20);
    // Before the edit, the old expectation holds.
    session.seek(199);
    assert_eq!(failed_at(&mut session), Some(failed));
    session.seek(200);
    assert_eq!(failed_at(&mut session), None);
    project.scenario(&expecting(SCENARIO).replace("speed: 45", "speed: 20"));
    took(&mut session);
    assert_eq!(failed_at(&mut session), Some(0), "the birds begin faster");
    // Other groups have other places in the list, so the ticks before cannot be judged.
    let fewer = expecting(SCENARIO)
        .replace("\"guard\": (", "\"a\": (spawn: Points([(9, 9)])), \"guard\": (");
    project.scenario(&fewer);
    took(&mut session);
    let failed = failed_at(&mut session);
    assert!(failed.is_none_or(|failed| failed >= 200), "{failed:?}");
    step(&mut session, 50);
    states(&mut session);
}

/// The radii of bodies were those of the first tick.
#[test]
fn an_edit_of_bodies_takes_effect_on_their_expectations() {
    let project = Project::new();
    let expect = "expect: [NoOverlap(groups: [\"guard\"])], groups: {";
    let text = SCENARIO.replace("groups: {", expect);
    project.scenario(&text);
    project.script("guard", "fn steer(me) { vec(0, 0) }");
    let mut session = open(&project);
    step(&mut session, 30);
    assert_eq!(standings(&mut session), [Standing::Passing]);
    project.scenario(&text.replace("radius: 5", "radius: 30"));
    took(&mut session);
    assert_eq!(failed_at(&mut session), Some(30));
    session.seek(29);
    assert_eq!(standings(&mut session), [Standing::Passing]);
    session.seek(30);
    assert_eq!(failed_at(&mut session), Some(30));
}

#[test]
fn judging_stays_within_the_memory_of_the_history() {
    let project = project();
    let mut session = open(&project);
    let one = session.simulation().bytes();
    session.set_max_bytes(one * 14);
    for _ in 0..4 {
        step(&mut session, 300);
        let judged = states(&mut session);
        assert!((2..=14).contains(&session.keyframe_count()), "{}", session.keyframe_count());
        session.seek(session.tick() - 130);
        states(&mut session);
        session.seek(session.end());
        assert_eq!(states(&mut session), judged);
    }
}
