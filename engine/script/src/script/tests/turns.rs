//! Tests of turns: forces, state, random numbers, imports and messages.

use super::*;
use crate::world::AgentId;

#[test]
fn a_script_returns_the_force_of_its_primitives() {
    let v = one_tick("fn steer(me) { me.seek(vec(10, 90)) }").unwrap();
    assert_eq!(v, Vec2::new(0.5, 5.0), "half of the way from (1, 0) to (0, 10)");
    let v = one_tick("fn steer(me) { if me.id == 0 { return vec(2, 0); } vec(0, 0) }").unwrap();
    assert_eq!(v, Vec2::new(2.0, 0.0));
    let v = one_tick("fn steer(me) { prioritize([vec(0, 0), vec(0, 4), vec(9, 9)]) }").unwrap();
    assert_eq!(v, Vec2::new(1.0, 2.0));
    let v = one_tick("fn steer(me) { budget([vec(3, 0), vec(5, 0)], 4) }").unwrap();
    assert_eq!(v, Vec2::new(3.0, 0.0));
}

#[test]
fn velocity_and_state_persist() {
    let script = "fn init(me) { me.state.n = 0; me.state.list = [1]; me.vel = vec(0, 3); }
        fn steer(me) { me.state.n += 1; me.state.list.push(me.state.n); me.vel = me.vel * 2; vec(0, 0) }";
    let simulation = ticks(&scripts(&[("main", script)]), 2).unwrap();
    assert_eq!(
        simulation.world().agents.vel(0),
        Vec2::new(0.0, 10.0),
        "0 3, doubled twice, cut to 10"
    );
    let state = simulation.minds().state(0);
    assert_eq!(state.get("n"), Some(&Value::Int(2)));
    assert_eq!(
        state.get("list"),
        Some(&Value::List(vec![Value::Int(1), Value::Int(1), Value::Int(2)]))
    );
}

#[test]
fn following_a_path_advances_the_progress() {
    let simulation = ticks(&scripts(&[("main", "fn steer(me) { me.follow_path() }")]), 2).unwrap();
    assert_eq!(simulation.minds().progress(0)[0].waypoint, 0, "the first waypoint is 10 away");
    let simulation =
        ticks(&scripts(&[("main", "fn steer(me) { me.follow_path(\"round\", 5) }")]), 5).unwrap();
    assert_eq!(simulation.minds().progress(0)[0].waypoint, 1);
}

#[test]
fn debug_messages_have_agent_tick_group_and_line() {
    let script = "fn steer(me) {\n    if me.id == 2 {\n debug(`at ${me.pos}`); }\n vec(0, 0) }";
    let mut simulation = ticks(&scripts(&[("main", script)]), 1).unwrap();
    let messages = simulation.take_messages();
    assert_eq!(messages.len(), 1);
    assert_eq!((messages[0].tick, messages[0].agent), (0, AgentId(2)));
    assert!(messages[0].text.starts_with("at (10, 5)"), "{}", messages[0].text);
    let group = &simulation.world().group(simulation.world().agents.group[2]).name;
    assert_eq!((&messages[0].group, messages[0].place.as_str()), (group, "scripts/main.rhai:3"));
}

#[test]
fn debug_messages_are_one_line_without_control_characters() {
    let script = r#"fn steer(me) {
        if me.id == 0 { debug(`${"a\n\t\x1b[31m ß \u202e"}`); }
        vec(0, 0)
    }"#;
    let mut simulation = ticks(&scripts(&[("main", script)]), 1).unwrap();
    assert_eq!(simulation.take_messages()[0].text, r"a\n\t\u{1b}[31m ß \u{202e}");
}

#[test]
fn random_numbers_are_separate_for_each_agent() {
    let library = |extra: &str| {
        scripts(&[(
            "main",
            &format!(
                "fn steer(me) {{ {extra} me.state.r = me.random(); me.state.s = me.random(5, 7); vec(0, 0) }}"
            ),
        )])
    };
    let state = |simulation: &Simulation, row: usize, name: &str| match simulation
        .minds()
        .state(row)
        .get(name)
    {
        Some(Value::Float(x)) => *x,
        other => panic!("{other:?}"),
    };
    let plain = ticks(&library(""), 3).unwrap();
    let again = ticks(&library(""), 3).unwrap();
    let others_draw = ticks(&library("if me.id == 1 { me.random(); }"), 3).unwrap();
    assert_eq!(state(&plain, 0, "r"), state(&again, 0, "r"));
    assert_eq!(
        state(&plain, 0, "r"),
        state(&others_draw, 0, "r"),
        "random numbers of another agent change nothing"
    );
    assert_ne!(state(&plain, 1, "r"), state(&others_draw, 1, "r"));
    assert_ne!(state(&plain, 0, "r"), state(&plain, 2, "r"));
    assert!((5.0..7.0).contains(&state(&plain, 0, "s")));
}

#[test]
fn functions_can_use_constants_and_imports() {
    let library = scripts(&[
        (
            "main",
            "import \"lib/tools\" as tools;\nconst HOME = vec(3, 4);\nconst TWICE = 2 * 4;\nfn steer(me) { tools::double(vec(HOME.x, TWICE)) + tools::far() + HOME * 0 }",
        ),
        (
            "lib/tools",
            "import \"lib/more\" as more;\nconst FAR = vec(100, 0);\nfn double(v) { more::times(v, 2) }\nfn far() { vec(FAR.x, 0) }",
        ),
        ("lib/more", "fn times(v, n) { v * n }"),
    ]);
    let simulation = ticks(&library, 1).unwrap();
    // Force (106, 16) for half a second on (1, 0), cut to 10.
    let expected = (Vec2::X + Vec2::new(106.0, 16.0) * 0.5).normalize() * 10.0;
    assert!((simulation.world().agents.vel(0) - expected).length() < 1e-5);
}

/// Data that a turn leaves in the interpreter must not reach the next turn.
#[test]
fn turns_do_not_depend_on_earlier_ones() {
    let library = scripts(&[
        (
            "main",
            "fn steer(me) { import \"tools\" as tools; let x = 1; if me.id % 2 == 0 { let y = 2; return vec(tools::one(), 0); } vec(x, 0) }",
        ),
        ("tools", "fn one() { 1 }"),
    ]);
    let brain: Arc<dyn Brain> = Arc::new(Behavior::compile("main", &library).unwrap());
    let mut setup = setup();
    setup.groups[1].1.count = 500;
    let mut simulation = Simulation::new(setup, vec![Arc::clone(&brain), brain]).unwrap();
    simulation.step().unwrap();
    assert!(simulation.world().agents.velocities().all(|vel| vel == Vec2::new(1.5, 0.0)));
}

#[test]
fn the_state_of_an_agent_survives_an_error() {
    let library = scripts(&[(
        "main",
        "fn init(me) { me.state.n = 5; }\nfn steer(me) { if world.tick == 1 { throw \"now\"; } vec(0, 0) }",
    )]);
    let mut simulation = start(&library).unwrap();
    simulation.step().unwrap();
    assert!(simulation.step().is_err());
    assert_eq!(simulation.minds().state(0).get("n"), Some(&Value::Int(5)));
}

#[test]
fn messages_before_an_error_are_kept() {
    let library = scripts(&[(
        "main",
        "fn steer(me) { debug(me.id); if me.id == 2 { me.params.none } vec(0, 0) }",
    )]);
    let mut simulation = start(&library).unwrap();
    simulation.step().unwrap_err();
    let messages: Vec<AgentId> = simulation.take_messages().iter().map(|it| it.agent).collect();
    assert_eq!(messages, [0, 1, 2]);
}

#[test]
fn the_number_of_messages_in_a_tick_is_limited() {
    let mut simulation = ticks(
        &scripts(&[("main", "fn steer(me) { for i in 0..5000 { debug(i); } vec(0, 0) }")]),
        1,
    )
    .unwrap();
    let messages = simulation.take_messages();
    assert_eq!(messages.len(), 4 * (crate::program::MAX_MESSAGES + 1));
    assert!(
        messages[crate::program::MAX_MESSAGES].text.contains("more"),
        "{}",
        messages[crate::program::MAX_MESSAGES].text
    );
}

#[test]
fn state_and_params_can_be_written_with_debug() {
    let script = "fn init(me) { me.state.mode = \"run\"; me.state.n = 2; }
        fn steer(me) { if me.id == 0 { debug(me.state); debug(me.params); debug(`I am ${me}`); } vec(0, 0) }";
    let mut simulation = ticks(&scripts(&[("main", script)]), 1).unwrap();
    let messages: Vec<String> =
        simulation.take_messages().into_iter().map(|one| one.text).collect();
    let messages: Vec<&str> =
        messages.iter().map(|text| text.split(" (line").next().unwrap()).collect();
    assert_eq!(messages, ["mode = \"run\", n = 2", "alert = 8.5, n = 3", "I am agent 0 (hero)"]);
}
