//! Files that change while the run plays.

use super::*;
use flockwork_engine::world::AgentId;

/// Prints the time from the save to the first view of it, and asserts only that it comes.
#[test]
#[expect(clippy::print_stderr, reason = "the test prints what it measured")]
fn a_saved_script_takes_effect_while_the_run_plays() {
    let test = PlayerTest::new();
    let state = test.wait("time", |state| state.world.tick > 20);
    let saved = Instant::now();
    test.script("bird", "fn steer(me) { me.vel = vec(0, 0); vec(0, 0) }");
    let edited = test.wait("the edit", |state| state.edits.len() > 1);
    let took = saved.elapsed();
    eprintln!("from the save to the first picture: {:.1} ms", took.as_secs_f64() * 1e3);
    assert!(edited.world.tick >= state.world.tick);
    let notice = edited.notices.last().unwrap();
    assert!(notice.text.contains("script `bird`"), "{}", notice.text);
    let later = test.wait("time", |state| state.world.tick > edited.world.tick + 20);
    let places =
        |state: &ViewState| -> Vec<Vec2> { state.world.agents.positions().take(12).collect() };
    assert_eq!(places(&later), places(&test.at(later.world.tick + 5)));
}

#[test]
fn a_broken_script_is_reported_until_it_is_fixed() {
    let test = PlayerTest::new();
    test.wait("time", |state| state.world.tick > 5);
    test.script("bird", "fn steer(me) { me.sepration(3) }");
    let broken = test.wait("the error", |state| !state.errors.is_empty());
    assert!(broken.errors[0].to_string().contains("separation"));
    test.wait("time", |state| state.world.tick > broken.world.tick + 20);
    test.script("bird", BIRD);
    test.wait("no error", |state| state.errors.is_empty());
    let tick = test.shared.latest().world.tick + 10;
    assert_eq!(test.at(tick).hash, Some(test.headless(tick)), "as if the error had never been");
}

#[test]
fn an_endless_script_is_stopped_and_the_view_can_always_be_read() {
    let test = PlayerTest::new();
    test.wait("time", |state| state.world.tick > 5);
    test.script("bird", "fn steer(me) { loop { me.vel; } }");
    let since = Instant::now();
    let mut looks = 0;
    while test.shared.latest().errors.is_empty() {
        looks += 1;
        let _ = test.shared.busy();
        assert!(since.elapsed() < PATIENCE);
        thread::sleep(Duration::from_millis(1));
    }
    assert!(looks > 0);
    let stuck = test.shared.latest();
    assert!(stuck.errors[0].to_string().contains("bird.rhai"), "{}", stuck.errors[0]);
    test.wait("time", |state| state.world.tick > stuck.world.tick + 20);
}

#[test]
fn after_fifty_saves_in_a_second_the_last_one_counts() {
    let test = PlayerTest::new();
    test.wait("time", |state| state.world.tick > 5);
    for round in 0..50 {
        let text = format!("{BIRD}// {round}");
        let half = round % 4 == 1;
        test.script("bird", if half { &text[..90] } else { &text });
        thread::sleep(Duration::from_millis(20));
    }
    test.script("bird", "fn steer(me) { me.vel = vec(0, 0); vec(0, 0) }");
    let still = test.wait("the last", |state| {
        state.world.agents.velocities().take(12).all(|vel| vel == Vec2::ZERO)
    });
    assert!(still.errors.is_empty());
    test.wait("time", |state| state.world.tick > still.world.tick + 10);
}

#[test]
fn commands_for_a_removed_group_do_nothing() {
    let test = PlayerTest::new();
    let state = test.at(10);
    let mut ui = Ui::new(SIZE, false);
    press(Key::Tab, &mut ui, &state);
    let flock = SCENARIO.find("\"fox\"").map(|at| &SCENARIO[..at]).unwrap();
    fs::write(test.path(), format!("{flock}}} )")).unwrap();
    let fewer = test.wait("no fox", |state| state.world.groups.len() == 1);
    let knob = super::super::tune::knobs(&state.params[0]).remove(0);
    let group = Some("fox".to_owned());
    let commands = [
        PlayerCommand::Tune { group: "fox".into(), knob, steps: 1.0 },
        PlayerCommand::SetGoal { group, at: Vec2::ONE, radius: 1.0 },
        PlayerCommand::Select(Some(AgentId(12))),
        PlayerCommand::StepForward,
    ];
    for command in commands {
        test.send(command);
    }
    let later = test.wait("a step", |state| state.world.tick > fewer.world.tick);
    assert!(later.next_turn.is_none());
    drawn(&ui, &later);
    press(Key::CtrlRight, &mut ui, &later);
}

#[test]
fn a_renamed_scripts_folder_is_reported_until_it_is_back() {
    let test = PlayerTest::new();
    test.wait("time", |state| state.world.tick > 5);
    let (scripts, old) = (test.dir.path().join("scripts"), test.dir.path().join("old"));
    for _ in 0..2 {
        fs::rename(&scripts, &old).unwrap();
        let missing = test.wait("the error", |state| !state.errors.is_empty());
        let message = missing.errors[0].to_string();
        assert!(message.contains("there is no folder `scripts`"), "{message}");
        test.wait("time", |state| state.world.tick > missing.world.tick + 20);
        fs::rename(&old, &scripts).unwrap();
        let back = test.wait("no error", |state| state.errors.is_empty());
        let notice = &back.notices.last().unwrap().text;
        assert!(notice.contains("running version again"), "{notice}");
    }
}
