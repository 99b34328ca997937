//! Texts that change while time goes on.

use super::*;

/// The time from the save to the first picture of it is printed; what is asserted is only that it comes.
#[test]
#[expect(clippy::print_stderr, reason = "this is how a test tells what it measured")]
fn a_saved_script_takes_effect_while_time_goes_on() {
    let stage = Stage::new();
    let shown = stage.wait("time", |shown| shown.world.tick > 20);
    let saved = Instant::now();
    stage.script("bird", "fn steer(me) { me.vel = vec(0, 0); vec(0, 0) }");
    let edited = stage.wait("the edit", |shown| shown.edits.len() > 1);
    let took = saved.elapsed();
    eprintln!("from the save to the first picture: {:.1} ms", took.as_secs_f64() * 1e3);
    assert!(edited.world.tick >= shown.world.tick);
    let notice = edited.notices.last().unwrap();
    assert!(notice.text.contains("script `bird`"), "{}", notice.text);
    let later = stage.wait("time", |shown| shown.world.tick > edited.world.tick + 20);
    assert_eq!(later.world.agents.pos[..12], stage.at(later.world.tick + 5).world.agents.pos[..12]);
}

#[test]
fn a_broken_script_is_told_until_it_is_fixed() {
    let stage = Stage::new();
    stage.wait("time", |shown| shown.world.tick > 5);
    stage.script("bird", "fn steer(me) { me.sepration(3) }");
    let broken = stage.wait("the error", |shown| !shown.errors.is_empty());
    assert!(broken.errors[0].to_string().contains("separation"));
    stage.wait("time", |shown| shown.world.tick > broken.world.tick + 20);
    stage.script("bird", BIRD);
    stage.wait("no error", |shown| shown.errors.is_empty());
    let tick = stage.board.shown().world.tick + 10;
    assert_eq!(stage.at(tick).hash, Some(stage.headless(tick)), "as if nothing had been");
}

#[test]
fn a_script_that_never_ends_gives_way_and_the_board_can_always_be_read() {
    let stage = Stage::new();
    stage.wait("time", |shown| shown.world.tick > 5);
    stage.script("bird", "fn steer(me) { loop { me.vel; } }");
    let since = Instant::now();
    let mut looks = 0;
    while stage.board.shown().errors.is_empty() {
        looks += 1;
        let _ = stage.board.busy();
        assert!(since.elapsed() < PATIENCE);
        thread::sleep(Duration::from_millis(1));
    }
    assert!(looks > 0);
    let stuck = stage.board.shown();
    assert!(stuck.errors[0].to_string().contains("bird.rhai"), "{}", stuck.errors[0]);
    stage.wait("time", |shown| shown.world.tick > stuck.world.tick + 20);
}

#[test]
fn fifty_saves_in_a_second_end_with_the_last() {
    let stage = Stage::new();
    stage.wait("time", |shown| shown.world.tick > 5);
    for round in 0..50 {
        let text = format!("{BIRD}// {round}");
        let half = round % 4 == 1;
        stage.script("bird", if half { &text[..90] } else { &text });
        thread::sleep(Duration::from_millis(20));
    }
    stage.script("bird", "fn steer(me) { me.vel = vec(0, 0); vec(0, 0) }");
    let still = stage.wait("the last", |shown| {
        shown.world.agents.vel[..12].iter().all(|vel| *vel == Vec2::ZERO)
    });
    assert!(still.errors.is_empty());
    stage.wait("time", |shown| shown.world.tick > still.world.tick + 10);
}

#[test]
fn what_is_asked_for_a_group_that_is_gone_is_not_done() {
    let stage = Stage::new();
    let shown = stage.at(10);
    let mut ui = Ui::new(SIZE, false);
    press(Key::Tab, &mut ui, &shown);
    let flock = SCENARIO.find("\"fox\"").map(|at| &SCENARIO[..at]).unwrap();
    fs::write(stage.path(), format!("{flock}}} )")).unwrap();
    let fewer = stage.wait("no fox", |shown| shown.world.groups.len() == 1);
    let knob = super::super::tune::knobs(&shown.params[0]).remove(0);
    let group = Some("fox".to_owned());
    let commands = [
        Command::Tune { group: "fox".into(), knob, steps: 1.0 },
        Command::Goal { group, at: Vec2::ONE, radius: 1.0 },
        Command::Select(Some(12)),
        Command::Step,
    ];
    for command in commands {
        stage.tell(command);
    }
    let later = stage.wait("a step", |shown| shown.world.tick > fewer.world.tick);
    assert!(later.account.is_none());
    drawn(&ui, &later);
    press(Key::Char('='), &mut ui, &later);
}

#[test]
fn a_folder_of_scripts_that_is_renamed_is_missed_until_it_is_back() {
    let stage = Stage::new();
    stage.wait("time", |shown| shown.world.tick > 5);
    let (scripts, old) = (stage.dir.path().join("scripts"), stage.dir.path().join("old"));
    for _ in 0..2 {
        fs::rename(&scripts, &old).unwrap();
        let missing = stage.wait("the error", |shown| !shown.errors.is_empty());
        let words = missing.errors[0].to_string();
        assert!(words.contains("there is no folder `scripts`"), "{words}");
        stage.wait("time", |shown| shown.world.tick > missing.world.tick + 20);
        fs::rename(&old, &scripts).unwrap();
        let back = stage.wait("no error", |shown| shown.errors.is_empty());
        let notice = &back.notices.last().unwrap().text;
        assert!(notice.contains("again as before"), "{notice}");
    }
}
