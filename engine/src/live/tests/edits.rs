//! Edits that run.

use super::*;
use crate::math::Vec2;
use crate::world::{AgentShape, Agents, Appearance, Rgb};

fn places(agents: &Agents) -> Vec<Vec2> {
    agents.positions().collect()
}

#[test]
fn an_edited_script_takes_over_and_agents_stay_in_place() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 40);
    let before = session.simulation().world().agents.clone();
    project.script(
        "bird",
        "fn init(me) { me.state.turns = 100; me.state.calm = true; me.vel = vec(0, 0); }
         fn steer(me) { me.vel = vec(0, 0); vec(0, 0) }",
    );
    assert_eq!(took(&mut session), ["script `bird`"]);
    assert_eq!(session.tick(), 40);
    assert_eq!(session.simulation().world().agents, before);
    assert_eq!(state(&session, 3, "turns"), Some(Value::Int(40)), "what was there");
    assert_eq!(state(&session, 3, "calm"), Some(Value::Bool(true)), "what is new");
    assert!(state(&session, 3, "seen").is_some(), "what no script reads any more");
    let guard = before.pos(12);
    step(&mut session, 20);
    let agents = &session.simulation().world().agents;
    assert_eq!(places(agents)[..12], places(&before)[..12], "the birds stand");
    assert_ne!(agents.pos(12), guard, "the guards go on");
    assert_eq!(session.reload(), ReloadResult::Unchanged);
}

#[test]
fn an_edited_comment_changes_nothing() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 30);
    project.script("bird", &format!("// calm\n{BIRD}"));
    assert_eq!(took(&mut session), ["script `bird`"]);
    step(&mut session, 30);
    assert_eq!(hash(&session), run_hash(&project.path(), 60));
    assert_eq!(session.reload(), ReloadResult::Unchanged);
}

#[test]
fn an_edited_scenario_changes_in_place() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 30);
    let before = session.simulation().world().agents.clone();
    let edited = SCENARIO
        .replace("edge: Wrap", "edge: Bounce")
        .replace("\"room\": 20.0", "\"room\": 35")
        .replace("max_speed: 45", "max_speed: 50")
        .replace("(350, 60)", "(300, 60)")
        .replace(
            "paths:",
            "obstacles: { \"pillar\": Circle(center: (200, 150), radius: 9) }, paths:",
        );
    project.scenario(&edited);
    assert_eq!(
        took(&mut session),
        [
            "edge Wrap to Bounce",
            "`bird`: room 20 to 35",
            "`guard`: max_speed 45 to 50",
            "new obstacle `pillar`",
            "path `round`",
        ]
    );
    let world = session.simulation().world();
    assert_eq!(world.agents, before);
    assert_eq!(world.obstacles.len(), 1);
    assert_eq!(world.groups[0].params.get("room"), Some(&Value::Int(35)));
}

#[test]
fn an_edited_color_or_shape_is_shown_at_once_and_changes_no_run() {
    let project = Project::new();
    let plain = run_hash(&project.path(), 60);
    let mut session = project.open();
    step(&mut session, 30);
    let edited =
        SCENARIO.replace("max_force: 80)", "max_force: 80), color: \"#e69f00\", shape: Person");
    assert_ne!(edited, SCENARIO);
    project.scenario(&edited);
    assert_eq!(took(&mut session), ["scenario, without effect on any agent"]);
    assert_eq!(session.tick(), 30);
    let appearance = session.simulation().world().groups[1].appearance.clone();
    let color = Some(Rgb { red: 230, green: 159, blue: 0 });
    assert_eq!(
        appearance,
        Appearance { color, shape: AgentShape::Person, ..Appearance::default() }
    );
    step(&mut session, 30);
    assert_eq!(hash(&session), plain);
}

#[test]
fn a_new_count_adds_or_removes_agents_and_a_new_shape_spawns_again() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 30);
    let before = session.simulation().world().agents.clone();
    project.scenario(&SCENARIO.replace("count: 12", "count: 14"));
    assert_eq!(took(&mut session), ["`bird`: count 12 to 14"]);
    let agents = &session.simulation().world().agents;
    assert_eq!(agents.len(), 16);
    assert_eq!(places(agents)[..14], places(&before)[..]);
    assert_eq!(agents.id[14..], [14, 15]);
    assert_eq!(agents.index[14..], [12, 13]);
    assert_eq!(state(&session, 15, "turns"), Some(Value::Int(0)), "init is asked");

    project.scenario(&SCENARIO.replace("count: 12", "count: 5"));
    took(&mut session);
    let agents = &session.simulation().world().agents;
    assert_eq!(agents.id, [0, 1, 2, 3, 4, 12, 13]);

    project
        .scenario(&SCENARIO.replace("count: 12", "count: 5").replace("radius: 60", "radius: 50"));
    assert_eq!(took(&mut session), ["`bird` is spawned again"]);
    let agents = &session.simulation().world().agents;
    assert_eq!(agents.id, [12, 13, 16, 17, 18, 19, 20]);
    assert_eq!(agents.index[2..], [0, 1, 2, 3, 4]);
    assert_eq!(places(agents)[..2], places(&before)[12..]);

    project.scenario(
        &SCENARIO.replace("\"guard\": (", "\"watch\": (").replace("(80, 90)", "(80, 90), (1, 1)"),
    );
    let changes = took(&mut session).join(", ");
    assert!(changes.contains("group `guard` is removed"), "{changes}");
    step(&mut session, 5);
}

#[test]
fn agents_removed_by_an_edit_come_back_with_another() {
    let project = Project::new();
    let mut session = project.open();
    let count = |session: &mut Session, count: u32| {
        step(session, 5);
        project.scenario(&SCENARIO.replace("count: 12", &format!("count: {count}")));
        took(session);
        let agents = &session.simulation().world().agents;
        let birds = agents.group.iter().zip(&agents.index);
        let birds = birds.filter(|(group, _)| **group == GroupId(0));
        birds.map(|(_, index)| *index).collect::<Vec<u32>>()
    };
    assert_eq!(count(&mut session, 5), [0, 1, 2, 3, 4]);
    let mut all = count(&mut session, 12);
    all.sort_unstable();
    assert_eq!(all, (0..12).collect::<Vec<u32>>());
    assert_eq!(count(&mut session, 5), [0, 1, 2, 3, 4]);
    assert_eq!(count(&mut session, 14).len(), 14);
    assert_eq!(count(&mut session, 0), [0; 0]);
}

#[test]
fn a_new_seed_spawns_all_groups_again() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 30);
    project.scenario(&SCENARIO.replace("seed: 3", "seed: 4"));
    took(&mut session);
    let fresh = project.open();
    let (now, then) = (session.simulation().world(), fresh.simulation().world());
    assert_eq!(places(&now.agents), places(&then.agents));
    assert_eq!(now.tick, 30);
}

#[test]
fn params_set_by_the_user_survive_other_edits() {
    let project = Project::new();
    let mut session = project.open();
    let set =
        |value| Action::Set { group: GroupId(0), param: "room".into(), value: Value::Float(value) };
    session.act(set(55.0));
    step(&mut session, 10);
    project.script("bird", &BIRD.replace("80", "81"));
    took(&mut session);
    project.scenario(&SCENARIO.replace("0.4", "0.5"));
    took(&mut session);
    let param = |session: &Session, name: &str| {
        session.simulation().world().groups[0].params.get(name).cloned()
    };
    assert_eq!(param(&session, "room"), Some(Value::Float(55.0)));
    assert_eq!(param(&session, "pull"), Some(Value::Float(0.5)));
    project.scenario(&SCENARIO.replace("20.0", "21.0"));
    took(&mut session);
    assert_eq!(param(&session, "room"), Some(Value::Float(21.0)));
}

#[test]
fn the_later_of_setting_and_editing_a_param_counts() {
    let project = Project::new();
    let mut session = project.open();
    let room = |session: &Session| session.params()[0].get("room").cloned();
    step(&mut session, 10);
    tune(&mut session, 55.0);
    project.script("bird", &BIRD.replace("80", "81"));
    took(&mut session);
    assert_eq!(room(&session), Some(Value::Float(55.0)));
    project.scenario(&SCENARIO.replace("20.0", "21.0"));
    assert_eq!(took(&mut session), ["`bird`: room 20 to 21"]);
    assert_eq!(room(&session), Some(Value::Float(21.0)));
    step(&mut session, 5);
    assert_eq!(room(&session), Some(Value::Float(21.0)));
    tune(&mut session, 60.0);
    step(&mut session, 1);
    assert_eq!(room(&session), Some(Value::Float(60.0)));
}

#[test]
fn an_edit_undone_at_an_earlier_tick_is_the_newest_again() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 50);
    project.script("bird", &BIRD.replace("me.alignment(60)", "vec(0, 0)"));
    took(&mut session);
    step(&mut session, 50);
    session.seek(20);
    // Saved again in two halves: nothing is new.
    project.script("bird", "fn steer(");
    assert_eq!(session.reload(), ReloadResult::Failed);
    project.script("bird", &BIRD.replace("me.alignment(60)", "vec(0, 0)"));
    assert_eq!(session.reload(), ReloadResult::Adopted(Vec::new()));
    assert_eq!((session.tick(), session.end()), (20, 100));
    project.script("bird", BIRD);
    assert_eq!(session.reload(), ReloadResult::Adopted(Vec::new()));
    assert_eq!((session.tick(), session.end()), (20, 20));
    step(&mut session, 60);
    assert_eq!(hash(&session), run_hash(&project.path(), 80));
}

/// A machine with three states, each a second long.
const DAY: &str = "
fn steer(me) { me.machine(\"mode\", [\"work\", \"rest\", \"sleep\"]) }
fn work(me) { vec(1, 0) }
fn next_work(me) { if me.time_in(\"mode\") > 1 { \"rest\" } }
fn rest(me) { vec(2, 0) }
fn next_rest(me) { if me.time_in(\"mode\") > 1 { \"sleep\" } }
fn sleep(me) { vec(3, 0) }
fn next_sleep(me) { if me.time_in(\"mode\") > 1 { \"work\" } }
";

#[test]
fn a_state_machine_keeps_its_place_when_its_script_changes() {
    let name = |text: &str| Some(Value::String(text.into()));
    let project = Project::new();
    project.script("guard", DAY);
    let mut session = project.open();
    step(&mut session, 80);
    assert_eq!(state(&session, 12, "mode"), name("rest"));
    let since = state(&session, 12, "mode_since");
    assert_eq!(since, Some(Value::Int(61)));

    // Another force and another function for what is next.
    let other =
        DAY.replace("vec(2, 0)", "vec(0, 2)").replace("> 1 { \"sleep\" }", "> 1.5 { \"sleep\" }");
    project.script("guard", &other);
    took(&mut session);
    step(&mut session, 1);
    assert_eq!(state(&session, 12, "mode"), name("rest"));
    assert_eq!(state(&session, 12, "mode_since"), since);
    step(&mut session, 60);
    assert_eq!(state(&session, 12, "mode"), name("rest"), "it takes longer now");
    step(&mut session, 20);
    assert_eq!(state(&session, 12, "mode"), name("sleep"));
    assert_eq!(state(&session, 12, "mode_since"), Some(Value::Int(61 + 90)));

    // A new state, which comes first.
    let with_dawn = DAY
        .replace("[\"work\"", "[\"dawn\", \"work\"")
        .replace("> 1 { \"work\" }", "> 1 { \"dawn\" }");
    let with_dawn =
        format!("{with_dawn}fn dawn(me) {{ vec(0, 0) }}\nfn next_dawn(me) {{ \"work\" }}\n");
    project.script("guard", &with_dawn);
    took(&mut session);
    step(&mut session, 2);
    assert_eq!(state(&session, 12, "mode"), name("sleep"));
    step(&mut session, 60);
    assert_eq!(state(&session, 12, "mode_before"), name("dawn"));
    step(&mut session, 61);
    assert_eq!(state(&session, 12, "mode"), name("rest"));

    // The present state is gone: the first one is entered.
    let without =
        DAY.replace("\"rest\", \"sleep\"", "\"sleep\"").replace("{ \"rest\" }", "{ \"sleep\" }");
    let without =
        without.lines().filter(|line| !line.contains("rest")).collect::<Vec<_>>().join("\n");
    project.script("guard", &without);
    took(&mut session);
    let tick = session.tick();
    step(&mut session, 1);
    assert_eq!(state(&session, 12, "mode"), name("work"));
    assert_eq!(state(&session, 12, "mode_since"), Some(Value::Int(tick as i64)));
    assert_eq!(state(&session, 12, "mode_before"), Some(Value::Nothing));
    step(&mut session, 61);
    assert_eq!(state(&session, 12, "mode"), name("sleep"));
}

#[test]
fn a_choice_keeps_its_place_when_its_script_changes() {
    let project = Project::new();
    let script = |options: &str| {
        format!("fn steer(me) {{ me.choose(\"what\", #{{ {options} }}, 0, 2); vec(0, 0) }}")
    };
    let name = |text: &str| Some(Value::String(text.into()));
    project.script("guard", &script("feed: 0.5, rest: 0.4"));
    let mut session = project.open();
    step(&mut session, 60);
    project.script("guard", &script("feed: 0.5, rest: 0.8, flee: 0.6"));
    took(&mut session);
    step(&mut session, 30);
    assert_eq!(state(&session, 12, "what"), name("feed"), "its dwell is not over");
    step(&mut session, 60);
    assert_eq!(state(&session, 12, "what"), name("rest"));
    project.script("guard", &script("feed: 0.5, flee: 0.6"));
    took(&mut session);
    step(&mut session, 1);
    assert_eq!(
        state(&session, 12, "what"),
        name("flee"),
        "an option that is gone is replaced at once"
    );
}

/// A window showed the script of an expectation first, since its name came first.
#[test]
fn the_scripts_of_groups_come_first_in_their_order() {
    let project = Project::new();
    project.script("aid", "fn help(me) { me.wander() }");
    project.script("bird", "import \"aid\" as aid;\nfn steer(me) { aid::help(me) }");
    project.script("guard", "fn steer(me) { me.wander() }");
    let swapped = SCENARIO.replace("behavior: \"bird\"", "behavior: \"guard\"");
    project.scenario(&swapped.replacen(
        "\"guard\": (behavior: \"guard\"",
        "\"guard\": (behavior: \"bird\"",
        1,
    ));
    let session = project.open();
    let names: Vec<String> = session.present_files().iter().map(|file| file.name.clone()).collect();
    let ends = ["a.ron", "guard.rhai", "bird.rhai", "aid.rhai"];
    let is_so = names.iter().zip(ends).all(|(name, end)| name.ends_with(end));
    assert!(is_so && names.len() == ends.len(), "{names:?}");
}
