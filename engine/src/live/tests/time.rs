//! Going back to earlier ticks, and acting there.

use super::*;
use crate::world::AgentId;

#[test]
fn a_session_has_the_same_states_as_a_run() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 150);
    assert_eq!(hash(&session), run_hash(&project.path(), 150));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn going_back_and_forth_leads_to_the_same_state(
        ticks in prop::collection::vec(0u64..260, 1..12),
        edit_at in 1u64..200,
        pushed_at in 1u64..200,
    ) {
        let project = Project::new();
        let mut session = project.open();
        let mut hashes = Vec::new();
        for tick in 0..260 {
            if tick == edit_at {
                project.script("bird", &BIRD.replace("0.4 * me.wander()", "me.wander()"));
                took(&mut session);
            }
            if tick == pushed_at {
                session.act(Action::Push { group: GroupId(0), velocity: Vec2::new(30.0, -10.0), when: crate::sim::PushTime::BeforeDecision });
            }
            hashes.push(hash(&session));
            prop_assert_eq!(session.step(), StepResult::New);
        }
        for tick in ticks {
            session.seek(tick);
            prop_assert_eq!(session.tick(), tick);
            prop_assert_eq!(hash(&session), hashes[tick as usize], "tick {}", tick);
        }
        prop_assert_eq!(session.end(), 260);
        prop_assert!(session.ghost().is_none());
    }
}

#[test]
fn acting_at_an_earlier_tick_leaves_the_old_future_as_a_ghost() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 100);
    let far = session.simulation().world().agents.pos(0);
    session.seek(60);
    let here = session.simulation().world().agents.pos(0);
    session.act(Action::SetGoals {
        group: GroupId(0),
        goals: [Goal { at: Vec2::ONE, radius: 5.0 }].into(),
    });
    assert_eq!((session.tick(), session.end()), (60, 60));
    let ghost = session.ghost().unwrap();
    assert_eq!(ghost.ticks(), Some((60, 100)));
    assert_eq!(ghost.at(100).unwrap().1.position(AgentId(0)), Some(far));
    assert_eq!(ghost.at(60).unwrap().1.position(AgentId(0)), Some(here));
    step(&mut session, 40);
    assert_eq!(session.end(), 100);
}

#[test]
fn the_newest_files_can_run_again_from_any_tick() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 100);
    project.script("bird", &BIRD.replace("me.alignment(60)", "vec(0, 0)"));
    took(&mut session);
    assert!(session.ghost().is_none(), "nothing was given up");
    step(&mut session, 20);
    session.seek(50);
    let before = state_hash(session.simulation().world(), session.simulation().minds());
    assert!(session.has_older_files());
    session.rerun();
    assert!(!session.has_older_files());
    let now = state_hash(session.simulation().world(), session.simulation().minds());
    assert_eq!(now, before, "it begins where they were");
    assert_eq!((session.tick(), session.end()), (50, 50));
    step(&mut session, 70);
    let ghost = session.ghost().unwrap();
    assert_eq!(ghost.ticks(), Some((50, 120)));
    let new = session.tracks().at(90).unwrap().1.position(AgentId(0));
    assert_ne!(ghost.at(90).unwrap().1.position(AgentId(0)), new);
}

#[test]
fn after_acting_at_an_earlier_tick_the_newest_files_run() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 50);
    project.script("bird", "fn steer(me) { me.vel = vec(0, 0); vec(0, 0) }");
    took(&mut session);
    step(&mut session, 10);
    session.seek(20);
    assert!(session.act(Action::Push {
        group: GroupId(0),
        velocity: Vec2::ONE,
        when: crate::sim::PushTime::BeforeDecision,
    }));
    assert_eq!(session.edits(), [0, 20]);
    step(&mut session, 5);
    let before = session.simulation().world().agents.pos(0);
    step(&mut session, 5);
    assert_eq!(session.simulation().world().agents.pos(0), before);
    assert!(!session.act(Action::Push {
        group: GroupId(7),
        velocity: Vec2::ONE,
        when: crate::sim::PushTime::BeforeDecision,
    }));
}

#[test]
fn an_action_that_the_newest_files_do_not_know_is_refused() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 50);
    project.scenario(&SCENARIO.replace("\"pull\": 0.4", "\"far\": 0.4"));
    project.script("bird", &BIRD.replace("pull", "far"));
    took(&mut session);
    step(&mut session, 10);
    session.seek(20);
    assert!(!session.act(Action::Set {
        group: GroupId(0),
        param: "pull".into(),
        value: Value::Float(1.0),
    }));
    assert_eq!((session.end(), session.edits()), (60, vec![0, 50]));
}

#[test]
fn an_agent_spawned_by_the_user_reads_the_params_set_before() {
    let project = Project::new();
    let init = "fn init(me) { me.state.room = me.params.room; me.state.turns = 0; }";
    let (_, steer) = BIRD.split_once("fn steer").unwrap();
    project.script("bird", &format!("{init} fn steer{steer}"));
    let mut session = project.open();
    step(&mut session, 5);
    tune(&mut session, 33.0);
    let group = GroupId(0);
    assert!(session.act(Action::Spawn { group, count: 1 }));
    tune(&mut session, 44.0);
    step(&mut session, 5);
    assert_eq!(state(&session, 14, "room"), Some(Value::Float(33.0)));
    let live = hash(&session);
    session.seek(0);
    session.seek(10);
    assert_eq!(hash(&session), live);
}

#[test]
fn messages_of_scripts_belong_to_their_tick() {
    let project = Project::new();
    let says = "fn init(me) { debug(\"hello\"); } fn steer(me) { debug(\"on\"); vec(0, 0) }";
    project.script("guard", says);
    let mut session = project.open();
    let messages = |session: &Session| -> Vec<String> {
        let all = session.messages().iter().filter(|message| message.agent == 12);
        let word = |text: &str| text.split(' ').next().unwrap().to_owned();
        all.map(|message| format!("{} {}", message.tick, word(&message.text))).collect()
    };
    step(&mut session, 3);
    assert_eq!(messages(&session), ["0 hello", "0 on", "1 on", "2 on"]);
    // Going back repeats no message.
    session.seek(1);
    step(&mut session, 2);
    assert_eq!(messages(&session).len(), 4);
    // Another future has messages of its own; `init` is not called again.
    session.seek(1);
    project.script("guard", &says.replace("on", "off"));
    took(&mut session);
    step(&mut session, 2);
    assert_eq!(messages(&session), ["0 hello", "0 on", "1 off", "2 off"]);
}

#[test]
fn an_edit_at_an_earlier_tick_begins_there() {
    let project = Project::new();
    let mut session = project.open();
    step(&mut session, 100);
    session.seek(30);
    project.script("bird", &BIRD.replace("me.alignment(60)", "vec(0, 0)"));
    took(&mut session);
    assert_eq!((session.tick(), session.end()), (30, 30));
    assert_eq!(session.edits(), [0, 30]);
    assert_eq!(session.ghost().unwrap().ticks(), Some((30, 100)));
}

#[test]
fn the_history_stays_within_its_memory() {
    let project = Project::new();
    let mut session = project.open();
    let one = session.simulation().bytes();
    // An edit takes two of these, other keyframes a little more than one.
    session.set_max_bytes(one * 12);
    for round in 0..6 {
        step(&mut session, 300);
        if round > 2 {
            project.script("bird", &format!("{BIRD}// {round}"));
            took(&mut session);
        }
        assert!((2..=12).contains(&session.keyframe_count()), "{}", session.keyframe_count());
    }
    let (first, end, last) = (session.first(), session.end(), hash(&session));
    session.seek(first);
    assert_eq!(session.tick(), first);
    session.seek(end);
    assert_eq!(hash(&session), last);
}

#[test]
fn a_retracted_action_was_never_done() {
    let project = Project::new();
    let plain = run_hash(&project.path(), 100);
    let push =
        Action::Scatter { at: Vec2::new(200.0, 150.0), radius: 90.0, speed: 60.0, group: None };
    // At a keyframe, at the last tick, at the present tick, and in between.
    for (tick, at) in [(64, 100), (50, 50), (50, 90), (0, 70), (64, 64)] {
        let mut session = project.open();
        step(&mut session, tick);
        tune(&mut session, 20.0);
        assert!(session.act(push.clone()));
        step(&mut session, at - tick);
        assert!(!session.retract(tick + 1, std::slice::from_ref(&push)));
        assert!(!session.retract(tick, &[push.clone(), push.clone()]));
        assert_eq!(session.tick(), at);
        assert!(session.retract(tick, std::slice::from_ref(&push)));
        assert_eq!((session.tick(), session.end()), (tick, tick));
        assert_eq!(session.ghost().is_some(), at > tick);
        step(&mut session, 100 - tick);
        assert_eq!(hash(&session), plain, "from tick {tick}, at {at}");
        session.seek(tick);
        step(&mut session, 100 - tick);
        assert_eq!(hash(&session), plain, "again");
        // The other inputs at that tick stay.
        assert_eq!(session.input_from(0).len(), 1);
    }
}

/// An edit after a retracted action stays, as it does when the user acts at an earlier tick.
#[test]
fn the_newest_files_take_over_where_an_action_is_retracted() {
    let project = Project::new();
    let push = Action::Scatter { at: Vec2::ONE, radius: 900.0, speed: 60.0, group: None };
    let mut session = project.open();
    step(&mut session, 30);
    session.act(push.clone());
    step(&mut session, 30);
    project.script("bird", "fn steer(me) { me.state.other = 1; me.wander() }");
    took(&mut session);
    step(&mut session, 10);
    assert!(session.retract(30, &[push]));
    step(&mut session, 1);
    assert_eq!(state(&session, 0, "other"), Some(Value::Int(1)));
}

/// A replay of the past has the same states as the session had, across edits and actions.
#[test]
fn a_replay_repeats_all_ticks_with_edits_and_actions() {
    let project = Project::new();
    let mut session = project.open();
    let mut hashes = Vec::new();
    for tick in 0..150 {
        if tick == 30 {
            tune(&mut session, 35.0);
        }
        if tick == 70 {
            project.script("guard", "fn steer(me) { 2 * me.follow_path() }");
            took(&mut session);
        }
        hashes.push(hash(&session));
        step(&mut session, 1);
    }
    hashes.push(hash(&session));
    for from in [0, 1, 63, 64, 65, 70, 149] {
        let mut replay = session.replay(from, None);
        assert!(replay.tick() <= from);
        loop {
            let simulation = replay.simulation();
            let found = world_hash(simulation.world(), simulation.minds());
            assert_eq!(found, hashes[replay.tick() as usize], "tick {}", replay.tick());
            if !session.advance(&mut replay) {
                break;
            }
        }
        assert_eq!(replay.tick(), 150);
    }
    assert_eq!(
        (session.tick(), hash(&session)),
        (150, hashes[150]),
        "the session stays where it is"
    );
}
