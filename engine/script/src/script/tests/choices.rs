//! Tests of state machines, choosers and kept values. A tick is 0.5 s long.

use super::*;
use crate::sim::NextTurn;
use crate::world::AgentId;

fn state_after(script: &str, ticks_run: usize, name: &str) -> Option<Value> {
    let simulation = ticks(&scripts(&[("main", script)]), ticks_run)
        .unwrap_or_else(|error| panic!("{script}:\n{error}"));
    simulation.minds().state(0).get(name).cloned()
}

/// A machine that writes down what it calls, as digits.
const LOG: &str = "
fn init(me) { me.state.log = 0; }
fn note(me, digit) { me.state.log = me.state.log * 10 + digit; }
fn steer(me) { me.machine(\"mode\", [\"a\", \"b\"]) }
fn enter_a(me) { note(me, 1); }
fn a(me) { note(me, 2); vec(1, 0) }
fn next_a(me) { if me.time_in(\"mode\") >= 1 { \"b\" } }
fn exit_a(me) { note(me, 3); }
fn enter_b(me) { note(me, 4); }
fn b(me) { note(me, 5); }
";

#[test]
fn a_machine_leaves_and_enters_its_states() {
    let all = |ticks, name| state_after(LOG, ticks, name).unwrap();
    assert_eq!(all(1, "log"), Value::Int(12));
    assert_eq!(all(2, "log"), Value::Int(122));
    assert_eq!(all(3, "log"), Value::Int(122_345), "after a second");
    assert_eq!(all(4, "log"), Value::Int(1_223_455));
    assert_eq!(all(2, "mode"), Value::String("a".into()));
    assert_eq!(all(2, "mode_before"), Value::Nothing);
    assert_eq!(all(4, "mode"), Value::String("b".into()));
    assert_eq!(all(4, "mode_since"), Value::Int(2));
    assert_eq!(all(4, "mode_before"), Value::String("a".into()));
}

#[test]
fn a_state_that_follows_itself_begins_again() {
    let script = LOG.replace("{ \"b\" }", "{ \"a\" } else if false { \"b\" }");
    assert_eq!(state_after(&script, 4, "log"), Some(Value::Int(1_223_122)));
    assert_eq!(state_after(&script, 4, "mode_since"), Some(Value::Int(2)));
}

#[test]
fn init_sets_the_first_state() {
    let script = LOG.replace("me.state.log = 0;", "me.state.log = 0; me.state.mode = \"b\";");
    assert_eq!(state_after(&script, 1, "log"), Some(Value::Int(45)));
}

#[test]
fn machines_run_side_by_side_and_within_each_other() {
    let script = "
        const OUTER = [\"work\", \"rest\"];
        fn steer(me) { me.machine(\"day\", OUTER) + me.machine(\"mood\", [\"calm\", \"angry\"]) }
        fn work(me) { me.machine(\"task\", [\"dig\", \"carry\"]) }
        fn next_work(me) { if me.time_in(\"day\") > 1 { \"rest\" } }
        fn rest(me) { vec(0, 0) }
        fn next_rest(me) { if me.time_in(\"day\") > 1 { return \"work\"; } }
        fn dig(me) { vec(1, 0) }
        fn next_dig(me) { \"carry\" }
        fn carry(me) { vec(2, 0) }
        fn calm(me) { vec(0, 1) }
        fn next_calm(me) { switch me.state.task { \"carry\" => \"angry\", _ => () } }
        fn angry(me) { vec(0, 3) }";
    let simulation = ticks(&scripts(&[("main", script)]), 8).unwrap_or_else(|e| panic!("{e}"));
    let state = simulation.minds().state(0);
    assert_eq!(state.get("day"), Some(&Value::String("work".into())));
    assert_eq!(state.get("day_since"), Some(&Value::Int(6)));
    assert_eq!(state.get("task"), Some(&Value::String("carry".into())));
    assert_eq!(state.get("mood"), Some(&Value::String("angry".into())));
    let behavior = Behavior::compile("main", &scripts(&[("main", script)])).unwrap();
    let found = behavior.findings_anywhere();
    assert!(found.is_empty(), "{}", found[0].render(false));
}

#[test]
fn a_machine_written_by_hand_has_the_same_bits() {
    let declared = "
        fn steer(me) { me.machine(\"mode\", [\"roam\", \"near\", \"rest\"]) }
        fn roam(me) { me.wander() }
        fn next_roam(me) { if me.nearest(12) != () { \"near\" } else if me.time_in(\"mode\") > 4 { \"rest\" } }
        fn near(me) { me.separation(20) }
        fn next_near(me) { if me.nearest(12) == () { \"roam\" } }
        fn rest(me) { -0.3 * me.vel }
        fn next_rest(me) { if me.time_in(\"mode\") > 2 { \"roam\" } }";
    let by_hand = "
        fn init(me) { me.state.mode = \"roam\"; me.state.since = -1; }
        fn change(me, mode) { me.state.mode = mode; me.state.since = world.tick; }
        fn steer(me) {
            let time = (world.tick - me.state.since) * world.dt;
            // A machine enters its first state in the first tick, and leaves it in the second at the earliest.
            if me.state.since < 0 { me.state.since = world.tick; } else { switch me.state.mode {
                \"roam\" => if me.nearest(12) != () { change(me, \"near\") } else if time > 4 { change(me, \"rest\") },
                \"near\" => if me.nearest(12) == () { change(me, \"roam\") },
                _ => if time > 2 { change(me, \"roam\") },
            } }
            switch me.state.mode {
                \"roam\" => me.wander(),
                \"near\" => me.separation(20),
                _ => -0.3 * me.vel,
            }
        }";
    let places = |script: &str| {
        let simulation =
            ticks(&scripts(&[("main", script)]), 150).unwrap_or_else(|error| panic!("{error}"));
        let positions = simulation.world().agents.positions();
        positions.map(|pos| (pos.x.to_bits(), pos.y.to_bits())).collect::<Vec<_>>()
    };
    assert_eq!(places(declared), places(by_hand));
}

/// Returns how often a choice between two options, one of which is better in every other tick, changes in 40 ticks.
fn changes(limits: &str) -> Value {
    let script = format!(
        "fn init(me) {{ me.state.n = 0; me.state.last = \"\"; }}
        fn steer(me) {{
            let sway = if world.tick % 2 == 0 {{ 0.1 }} else {{ -0.1 }};
            let what = me.choose(\"what\", #{{ feed: 0.5, rest: 0.5 + sway }}{limits});
            if what != me.state.last {{ me.state.last = what; me.state.n += 1; }}
            vec(0, 0)
        }}"
    );
    state_after(&script, 40, "n").unwrap()
}

#[test]
fn margin_and_dwell_keep_a_choice_from_jittering() {
    assert_eq!(changes(""), Value::Int(40), "in every tick");
    assert_eq!(changes(", 0.05"), Value::Int(40), "the margin is too small");
    assert_eq!(changes(", 0.15"), Value::Int(1), "the other option is never better by so much");
    // 2 s are 4 ticks; the other option is better only in every other tick.
    assert_eq!(changes(", 0, 2"), Value::Int(8));
    assert_eq!(changes(", 0.0 / 0.0, 0.0 / 0.0"), Value::Int(40), "counts as none");
}

#[test]
fn the_first_of_equal_scores_wins_and_no_number_loses() {
    let chosen = |scores: &str| {
        let script = format!("fn steer(me) {{ me.choose(\"what\", {scores}); vec(0, 0) }}");
        state_after(&script, 1, "what").unwrap()
    };
    let name = |text: &str| Value::String(text.into());
    assert_eq!(chosen("#{ b: 1, a: 1.0, c: 0 }"), name("b"));
    assert_eq!(chosen("#{ b: me.id, a: me.id, c: -1 }"), name("b"));
    assert_eq!(chosen("#{ b: 0.0 / 0.0, a: -1e9 }"), name("a"));
    assert_eq!(chosen("#{ b: 2, a: 0.0 / 0.0, c: 3 }"), name("c"));
    assert_eq!(chosen("#{ \"run away\": 2, a: 1 }"), name("run away"));
    assert_eq!(chosen("[1, me.id + 3, 3]"), Value::Int(1));
}

#[test]
fn a_value_is_kept_for_its_time() {
    let script = "
        fn init(me) { me.state.n = 0; }
        fn steer(me) {
            let side = me.keep(\"side\", if world.tick % 2 == 0 { \"left\" } else { \"right\" }, 1.5);
            if side == \"left\" { me.state.n += 1; }
            vec(me.time_in(\"side\"), me.keep(\"which\", world.tick, 100))
        }";
    // Left at the ticks 0 to 2, right at 3 to 5, and so on.
    assert_eq!(state_after(script, 12, "n"), Some(Value::Int(6)));
    assert_eq!(state_after(script, 12, "side_since"), Some(Value::Int(9)));
    assert_eq!(state_after(script, 12, "which"), Some(Value::Int(0)));
}

#[test]
fn all_of_it_is_lowered() {
    let script = "
        fn steer(me) {
            let what = me.choose(\"what\", #{ a: me.speed, b: me.pos.x }, 0.1, me.params.alert);
            let which = me.choose(\"which\", [me.speed, 3], 0.5);
            let side = me.keep(\"side\", which, 0.5);
            if what == \"a\" { me.machine(\"mode\", [\"walk\", \"stop\"]) } else { vec(side, me.time_in(\"mode\")) }
        }
        fn walk(me) { me.wander() }
        fn next_walk(me) { if me.speed > 3 { \"stop\" } }
        fn enter_stop(me) { me.vel = vec(0, 0); }
        fn stop(me) { }
        fn next_stop(me) { \"walk\" }";
    let library = scripts(&[("main", script)]);
    let behavior = Arc::new(Behavior::compile("main", &library).unwrap());
    let brain: Arc<dyn Brain> = behavior.clone();
    let mut simulation = Simulation::new(setup(), vec![Arc::clone(&brain), brain]).unwrap();
    let world = simulation.world().clone();
    for group in 0..2 {
        let found = behavior.findings(&world, crate::world::GroupId(group), vec![true, true], &[]);
        assert!(found.is_empty(), "{}", found[0].render(false));
    }
    for _ in 0..20 {
        simulation.step().unwrap();
    }
    assert_eq!(behavior.interpreted_turns(), 0);
}

#[test]
fn a_machine_has_up_to_32_states() {
    let machine = |count: usize| {
        let states: Vec<String> = (0..count).map(|state| format!("\"s{state}\"")).collect();
        let functions: String = (0..count)
            .map(|state| {
                format!(
                    "fn s{state}(me) {{ vec({state}, 0) }}\nfn next_s{state}(me) {{ \"s{}\" }}\n",
                    (state + 1) % count
                )
            })
            .collect();
        format!("fn steer(me) {{ me.machine(\"mode\", [{}]) }}\n{functions}", states.join(", "))
    };
    assert_eq!(state_after(&machine(32), 40, "mode"), Some(Value::String("s7".into())));
    let error = ticks(&scripts(&[("main", &machine(33))]), 1).map(|_| ()).unwrap_err();
    assert!(error.contains("at most 32"), "{error}");
}

fn choices(script: &str, ticks_run: usize) -> Vec<String> {
    let simulation =
        ticks(&scripts(&[("main", script)]), ticks_run).unwrap_or_else(|error| panic!("{error}"));
    let turn: NextTurn = simulation.next_turn(AgentId(0)).unwrap().unwrap();
    turn.choices().iter().map(|kept| kept.text()).collect()
}

#[test]
fn choices_are_explained_whether_lowered_or_not() {
    let script = "
fn steer(me) {
    let what = me.choose(\"what\", #{ feed: 0.5, rest: 0.3 + 0.1 * world.tick }, 0.25, 1);
    let side = me.keep(\"side\", world.tick, 1);
    me.machine(\"mode\", [\"a\", \"b\"])
}
fn a(me) { vec(1, 0) }
fn next_a(me) {
    if me.time_in(\"mode\") >= 1 { \"b\" }
}
fn b(me) { vec(0, 0) }";
    let slow = script.replace("let what", "let none = [1].order(|a, b| a - b).len(); let what");
    for script in [script, &slow] {
        let at = |ticks| choices(script, ticks);
        assert_eq!(
            at(0),
            [
                "what: feed from now on, the best score; scores: feed 0.5, rest 0.3",
                "side: 0 from now on, stays for at least 1 s",
                "mode: a from now on, the first state",
            ]
        );
        assert_eq!(
            at(3),
            [
                "what: feed since tick 0 (1.5 s), kept, since rest is better by 0.1, within the margin of 0.25; scores: feed 0.5, rest 0.6",
                "side: 2 since tick 2 (0.5 s), stays for at least 1 s",
                "mode: b since tick 2 (0.5 s), after a, by `next_a` (scripts/main.rhai:8:1)",
            ]
        );
        assert_eq!(at(5)[0], "what: rest from now on, the best score; scores: feed 0.5, rest 0.8");
    }
}

#[test]
fn warnings_point_at_states_that_nothing_leads_to() {
    let script = "
fn steer(me) { me.machine(\"mode\", [\"a\", \"lost\", \"b\"]) + vec(me.time_in(\"moode\"), 0) }
fn a(me) { vec(1, 0) }
fn next_a(me) { \"b\" }
fn b(me) { vec(2, 0) }
fn lost(me) { vec(2, 0) }
fn enter_lsot(me) { }";
    let behavior = Behavior::compile("main", &scripts(&[("main", script)])).unwrap();
    let all: Vec<String> =
        behavior.findings_anywhere().iter().map(|one| one.render(false)).collect();
    for (message, place) in [
        ("nothing leads to the state `lost`", ":2:41"),
        ("there is no state `lsot`, so `enter_lsot` is not called", ":7:1"),
        ("no choice has the name `moode`", ":2:64"),
    ] {
        let found = all.iter().any(|one| one.contains(message) && one.contains(place));
        assert!(found, "{message}:\n{}", all.join("\n"));
    }
    assert_eq!(all.len(), 3, "{}", all.join("\n"));
}

/// Caught: the list of states could be a constant, but not the name of the machine, nor a single state.
#[test]
fn the_names_of_choices_and_states_may_be_constants() {
    let named = LOG.replace("\"mode\"", "MODE").replace("[\"a\", \"b\"]", "[FIRST, \"b\"]");
    let named = format!("const MODE = \"mode\"; const FIRST = \"a\";{named}");
    for (ticks, log) in [(2, 122), (4, 1_223_455)] {
        assert_eq!(state_after(&named, ticks, "log"), Some(Value::Int(log)));
    }
    let chooser = "const WHAT = \"what\";
        fn steer(me) { me.state.best = me.choose(WHAT, #{ a: 0.1, b: 0.3 }); vec(1, 0) }";
    assert_eq!(state_after(chooser, 1, "best"), Some(Value::String("b".into())));
}
