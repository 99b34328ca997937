//! Tests of what counts as a failure: hunts against another version, failures without a cause in a script, and starts that obey
//! bodies and walls.

use std::sync::Arc;

use proptest::prelude::*;

use super::hunt_tests::{LEFT_ONLY, WALKERS, options};
use super::probe::Probes;
use super::starts::{Draw, Starts};
use super::{FoundStart, Hunt, HuntOptions, HuntResult, Shrunk, Varied};
use crate::diag::{Diagnostics, Source};
use crate::math::random::Mix;
use crate::script::Scripts;

/// Walkers that avoid others on both sides.
const BOTH_SIDES: &str = "fn steer(me) {
    let force = me.seek(me.goal);
    let other = me.neighbors(12).nearest;
    if other != () { force += 3 * me.flee(other); }
    force
}";

const IDLE: &str = "fn steer(me) { vec(0, 0) }";

fn scripts(text: &str) -> Scripts {
    Scripts::new().with("walk", text)
}

fn hunt(scenario: &str, script: &str, against: Option<&str>) -> Result<Hunt, Diagnostics> {
    let other = against.map(scripts);
    let other = other.as_ref().map(|other| other as &dyn crate::script::Library);
    let options = HuntOptions { runs: 200, expectation: Some("1".to_owned()), ..options() };
    Hunt::new(options, &Source::new("walkers.ron", scenario), &scripts(script), other)
}

fn search(hunt: &Hunt) -> HuntResult {
    hunt.search(&|| false, &mut |_| {}, &mut |_| {}).unwrap()
}

fn shrunk(hunt: &Hunt, start: &FoundStart) -> Shrunk {
    hunt.shrink(start, 1000, &|| false, &mut |_| {}).unwrap()
}

/// Returns whether the first expectation of a scenario fails as it is.
fn fails(scenario: &str, script: &str) -> bool {
    let found = search(&hunt(scenario, script, None).unwrap()).found;
    found.first().is_some_and(|found| found.run == 0)
}

fn no_overlap() -> String {
    WALKERS.replace("MaxSpeed(speed: 20.1), ", "")
}

#[test]
fn what_counts_fails_with_one_version_and_holds_with_the_other() {
    let hunt = hunt(&no_overlap(), LEFT_ONLY, Some(BOTH_SIDES)).unwrap();
    let result = search(&hunt);
    let found = &result.found[0];
    let small = shrunk(&hunt, found);
    assert!(small.after.agents <= 3, "{}", small.text);
    for text in [&found.text, &small.text] {
        assert!(fails(text, LEFT_ONLY) && !fails(text, BOTH_SIDES), "{text}");
    }
    let (share, _) = result.share().unwrap();
    let without = search(&self::hunt(&no_overlap(), LEFT_ONLY, None).unwrap());
    assert!(share <= without.share().unwrap().0);
}

#[test]
fn what_fails_with_both_versions_is_counted_apart() {
    let same = LEFT_ONLY.replace("12", "12.0");
    let result = search(&hunt(&no_overlap(), LEFT_ONLY, Some(&same)).unwrap());
    assert!(result.found.is_empty() && result.random_failed == 0);
    assert!(result.failed_with_both > 20, "{}", result.failed_with_both);
    assert_eq!(result.runs, 201, "all runs are made");
}

#[test]
fn the_other_version_must_run_the_scenario_and_differ() {
    let error = |against: &str| {
        let error = hunt(&no_overlap(), LEFT_ONLY, Some(against)).err().unwrap().into_first();
        (error.message.clone(), error.help.concat())
    };
    assert!(error(LEFT_ONLY).0.contains("has the same scripts"));
    let (message, help) = error("fn steer(me) { me.seek(me.goal) * me.params.haste }");
    assert!(message.contains("haste") && help.contains("other version"), "{message}; {help}");
    let options = HuntOptions { runs: 5, ..options() };
    let source = Source::new("walkers.ron", no_overlap());
    let missing = Hunt::new(options, &source, &scripts(LEFT_ONLY), Some(&Scripts::new()));
    let missing = missing.err().unwrap().into_first();
    assert!(missing.message.contains("no script for the behavior `walk`"), "{missing}");
    assert!(missing.help.concat().contains("other version"), "{missing}");
}

/// The other version holds only because of an obstacle, which the present scripts do not feel.
#[test]
fn each_smaller_scenario_holds_with_the_other_version() {
    let scenario = r#"(
        ticks: 200,
        world: (size: (100, 60)),
        obstacles: { "far": Circle(center: (50, 900), radius: 5) },
        groups: { "crowd": (behavior: "walk", count: 2, spawn: Rect(min: (5, 5), max: (60, 55)),
            body: (radius: 1, max_speed: 20)) },
        expect: [MaxSpeed(speed: 5)],
    )"#;
    let other = "fn steer(me) { if world.obstacles.len() > 0 { vec(0, 0) } else { vec(9, 0) } }";
    let obstacles = |against| {
        let hunt = hunt(scenario, "fn steer(me) { vec(9, 0) }", against).unwrap();
        shrunk(&hunt, &search(&hunt).found[0]).after.obstacles
    };
    assert_eq!((obstacles(Some(other)), obstacles(None)), (1, 0));
}

/// Caught: what only the end of a run shows kept all its ticks, also if the other version was done with its way after few of them.
#[test]
fn a_goal_is_missed_in_a_short_run_if_the_other_version_reaches_it_in_time() {
    let scenario = r#"(
        ticks: 900,
        world: (size: (160, 90), edge: Open),
        groups: { "crowd": (behavior: "walk", count: 8, spawn: Rect(min: (5, 5), max: (30, 85)),
            body: (radius: 1, max_speed: 20, max_force: 60), goals: [(at: (80, 45), radius: 5)], after_goals: Stop) },
        expect: [ReachAll(group: "crowd")],
    )"#;
    let ticks = |against| {
        // Later, they are so far away that the way back takes long.
        let hunt = hunt(scenario, "fn steer(me) { me.flee(me.goal) }", against).unwrap();
        let result = search(&hunt);
        let small = shrunk(&hunt, &result.found[0]);
        assert!(small.after.agents <= 2, "{}", small.text);
        assert!(against.is_none_or(|other| !fails(&small.text, other)), "{}", small.text);
        small.after.ticks
    };
    assert_eq!(ticks(None), 900);
    let short = ticks(Some("fn steer(me) { me.seek(me.goal) }"));
    assert!(short <= 300, "{short}");
}

/// Caught: three agents of a crowd that is shown shortly before its failure were all needed.
#[test]
fn few_agents_of_a_crowd_are_left() {
    let crowd = no_overlap().replace("count: 3", "count: 12");
    let hunt = hunt(&crowd, LEFT_ONLY, Some(BOTH_SIDES)).unwrap();
    let result = search(&hunt);
    let small = shrunk(&hunt, &result.found[0]);
    assert!(small.before.agents > 5 && small.after.agents <= 3, "{}", small.text);
    assert!(fails(&small.text, LEFT_ONLY) && !fails(&small.text, BOTH_SIDES), "{}", small.text);
}

/// Caught: a later start had agents that failed whatever they did.
#[test]
fn agents_that_nothing_moves_do_not_fail_in_a_smaller_scenario() {
    let scenario = r#"(
        ticks: 900,
        world: (size: (100, 60)),
        groups: { "crowd": (behavior: "walk", count: 2, spawn: Rect(min: (5, 5), max: (10, 55)),
            body: (radius: 1, max_speed: 20, max_force: 10), goals: [(at: (400, 30), radius: 5)]) },
        expect: [StayInside(min: (0, 0), max: (100, 60))],
    )"#;
    let hunt = hunt(scenario, "fn steer(me) { me.seek(me.goal) }", None).unwrap();
    let result = search(&hunt);
    let found = &result.found[0];
    assert!(!fails(&found.text, IDLE), "{}", found.text);
    let small = shrunk(&hunt, found);
    assert!(!fails(&small.text, IDLE), "{}", small.text);
}

/// Caught: without walls, `StayInside` fails for any behavior.
#[test]
fn walls_that_nobody_has_felt_stay_if_the_expectation_needs_them() {
    let scenario = r#"(
        ticks: 400,
        world: (size: (100, 60)),
        obstacles: { "hall": Room(min: (0, 0), max: (100, 60)), "pillar": Circle(center: (20, 20), radius: 3) },
        groups: { "crowd": (behavior: "walk", count: 6, spawn: Rect(min: (5, 5), max: (60, 55)),
            body: (radius: 1, max_speed: 20, max_force: 60), goals: [(at: (120, 30), radius: 5)]) },
        expect: [StayInside(min: (0, 0), max: (100, 60))],
    )"#;
    let hunt = hunt(scenario, "fn steer(me) { me.seek(me.goal) }", None).unwrap();
    let result = search(&hunt);
    let small = shrunk(&hunt, &result.found[0]);
    assert_eq!((small.after.agents, small.after.obstacles), (1, 2), "{}", small.text);
}

/// Caught: agents began again with the first waypoint, but from the middle of the path.
#[test]
fn agents_on_their_way_are_not_put_into_a_list() {
    let scenario = r#"(
        ticks: 900,
        world: (size: (100, 60)),
        paths: { "way": (points: [(70, 10), (95, 10)], radius: 40, mode: Once) },
        groups: { "guard": (behavior: "walk", spawn: Points([(10, 10)]), path: "way",
            body: (radius: 1, max_speed: 20, max_force: 60)) },
        expect: [AllFinite],
    )"#;
    let script = "fn steer(me) { if me.pos.x > 60 { throw \"far\"; } me.follow_path() }";
    let hunt = hunt(scenario, script, None).unwrap();
    let result = search(&hunt);
    let small = shrunk(&hunt, &result.found[0]);
    // A list of agents may be part of it, from the time before the first waypoint.
    assert!(small.text.contains("start:") && small.after.ticks < 120, "{}", small.text);
}

#[test]
fn later_starts_obey_the_maximum_speed() {
    let hunt = hunt(&no_overlap(), LEFT_ONLY, None).unwrap();
    let result = search(&hunt);
    let small = shrunk(&hunt, &result.found[0]);
    let probes = Probes::new(&Source::new("small.ron", small.text.as_str()), &scripts(LEFT_ONLY));
    let run = probes.unwrap().start(&small.text).unwrap();
    for velocity in run.simulation().world().agents.velocities() {
        assert!(velocity.length() <= 20.001, "{}", small.text);
    }
    // Too fast a start is not a start.
    let fast = no_overlap().replace("velocity: (10, 0)", "velocity: (30, 0)");
    let probes = Probes::new(&Source::new("a.ron", no_overlap()), &scripts(LEFT_ONLY)).unwrap();
    let options = super::probe::ProbeOptions {
        counted: super::probe::Counted::All,
        deciding: super::probe::Deciding::Scripts,
        with_margins: false,
        with_history: false,
        with_features: false,
        stop: &|| false,
    };
    let results = probes.results(&[fast], options).unwrap();
    let why = "agent 0 (east) begins with 30, which is above its maximum speed, 20";
    assert_eq!(results, [super::probe::Probed::Invalid(why.to_owned())]);
}

#[test]
fn failures_are_reported_as_soon_as_they_are_found() {
    let hunt = hunt(&no_overlap(), LEFT_ONLY, None).unwrap();
    let done = std::sync::atomic::AtomicU64::new(0);
    let mut reported: Vec<(u64, FoundStart)> = Vec::new();
    let result = hunt.search(
        &|| false,
        &mut |runs| done.store(runs, std::sync::atomic::Ordering::Relaxed),
        &mut |found| {
            reported.push((done.load(std::sync::atomic::Ordering::Relaxed), found.clone()))
        },
    );
    let result = result.unwrap();
    assert!(result.runs > 80, "{}", result.runs);
    let (first, last) = (&reported[0], &reported[reported.len() - 1].1);
    assert!(first.0 <= 33, "told after {} runs", first.0);
    assert_eq!((last.run, &last.text), (result.found[0].run, &result.found[0].text));
}

#[test]
fn a_scenario_says_what_hunts_keep() {
    let calm = no_overlap().replace("NoOverlap()", "AllFinite");
    let keep = |what: &str| {
        let text = calm.replace("events:", &format!("hunt: (keep: [{what}]), events:"));
        search(&hunt(&text, LEFT_ONLY, None).unwrap()).runs
    };
    assert_eq!((keep("Seed, Places, Counts, Events"), keep("Places, Counts")), (1, 201));
    let text = calm.replace("events:", "hunt: (keep: [Seed, Places]), events:");
    let options = HuntOptions { keep: vec![Varied::Counts, Varied::Events], ..options() };
    let hunt = Hunt::new(options, &Source::new("a.ron", text), &scripts(LEFT_ONLY), None).unwrap();
    assert_eq!(search(&hunt).runs, 1);
    assert_eq!(hunt.kept_by_scenario(), [Varied::Seed, Varied::Places]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn starts_are_neither_in_walls_nor_in_obstacles(seed in any::<u64>(), index in 0u64..40) {
        let scenario = r#"(
            world: (size: (100, 60), edge: Clamp),
            obstacles: { "pillar": Circle(center: (50, 30), radius: 25) },
            groups: {
                "crowd": (behavior: "walk", count: 5, spawn: Rect(min: (0, 0), max: (100, 60)), body: (radius: 2.5)),
                "ring": (behavior: "walk", count: 4, spawn: Points([(3, 3), (97, 3), (3, 57), (97, 57)]), body: (radius: 2.5)),
            },
            expect: [AllFinite],
        )"#;
        let probes = Probes::new(&Source::new("a.ron", scenario), &scripts(IDLE)).unwrap();
        let run = probes.start(scenario).unwrap();
        let starts =
            Starts::new(&Arc::clone(probes.source()), probes.scenario(), &run, &[], None, &[], false).unwrap();
        let start = starts.random(Draw::spread(Mix::new(seed), index, 40));
        let text = starts.text(&start);
        let run = probes.start(&text).unwrap();
        let world = run.simulation().world();
        for at in world.agents.positions() {
            let is_inside = at.x >= 2.5 && at.x <= 97.5 && at.y >= 2.5 && at.y <= 57.5;
            prop_assert!(is_inside, "{}: {}", at, text);
            prop_assert!(world.obstacles[0].shape.surface(at).distance >= 2.5, "{}: {}", at, text);
        }
    }

    #[test]
    fn spread_starts_have_each_number_once_in_each_share(seed in any::<u64>(), count in 1u64..50) {
        for dimension in 0..3 {
            let mut shares: Vec<u64> = (0..count)
                .map(|index| {
                    let mut draw = Draw::spread(Mix::new(seed), index, count);
                    let unit = (0..=dimension).map(|_| draw.unit()).last().unwrap_or_default();
                    // A number just below a bound may be rounded to it.
                    (f64::from(unit) * count as f64 - 1e-5) as u64
                })
                .collect();
            shares.sort_unstable();
            let wrong = shares.iter().zip(0..count).filter(|(a, b)| **a != *b).count();
            prop_assert!(wrong <= 1, "{:?}", shares);
        }
    }
}
