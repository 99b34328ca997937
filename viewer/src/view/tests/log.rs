//! Finding agents, pausing at a condition, and the log.

use super::super::ui_command::UiCommand;
use super::super::widget::Widget;
use super::expectations::click;
use super::*;
use flockwork_engine::world::AgentId;

/// Answers a question of the window by typing.
fn type_in(ui: &mut Ui, state: &ViewState, key: char, text: &str) -> Vec<PlayerCommand> {
    press(Key::Char(key), ui, state);
    for letter in text.chars() {
        assert_eq!(press(Key::Char(letter), ui, state), []);
    }
    press(Key::Enter, ui, state)
}

#[test]
fn a_typed_answer_finds_agents_in_turn() {
    let test = PlayerTest::new();
    let state = test.at(30);
    let mut ui = Ui::new(SIZE, false);
    let found = type_in(&mut ui, &state, '/', "Q0 x");
    assert_eq!(found, [PlayerCommand::Find("Q0 x".to_owned())], "letters keep their case");
    assert_eq!(press(Key::Char('b'), &mut ui, &state), [], "it waits for the answer");
    // A question whose answer the player refuses stays open, with the reason.
    test.send(found[0].clone());
    let state = test.wait("the answer", |state| state.answer.tried == 1);
    assert_eq!(press(Key::Left, &mut ui, &state), []);
    let question = ui.question.clone().unwrap();
    assert_eq!(question.text, "Q0 x");
    assert!(
        question.error.is_some_and(|why| why.contains("is called `Q0 x`")),
        "{:?}",
        state.answer
    );
    save_picture("refused", &ui, &state);
    for _ in 0..2 {
        press(Key::Backspace, &mut ui, &state);
    }
    assert_eq!(press(Key::Enter, &mut ui, &state), [PlayerCommand::Find("Q0".to_owned())]);
    press(Key::Escape, &mut ui, &state);
    assert!(ui.question.is_none());
    // The last answer is offered, and typing replaces it.
    press(Key::Char('/'), &mut ui, &state);
    assert_eq!(ui.question.as_ref().unwrap().text, "Q0");
    save_picture("offered", &ui, &state);
    press(Key::Char('3'), &mut ui, &state);
    let again = press(Key::Enter, &mut ui, &state);
    assert_eq!(again, [PlayerCommand::Find("3".to_owned())]);
    // What is typed before the player has answered is not lost.
    assert_eq!(press(Key::Ctrl('q'), &mut ui, &state), []);
    test.send(again[0].clone());
    let state = test.wait("the second answer", |state| state.answer.tried == 2);
    assert_eq!(ui.settle_question(&state), []);
    assert!(ui.question.is_none(), "a good answer closes it");
    assert!(ui.is_closing, "`q` after the answer");

    for (wanted, selected) in
        [("7", 7), ("me.group == \"fox\"", 12), ("me.id < 2", 0), ("me.id < 2", 1)]
    {
        test.send(PlayerCommand::Find(wanted.to_owned()));
        test.wait(wanted, |state| state.next_turn.as_ref().is_some_and(|one| one.id == selected));
    }
    for (wanted, why) in [
        ("99", "no agent 99"),
        // Caught: a number that is too large for an id was no agent, group, obstacle or path.
        ("99999999999999999999", "no agent 99999999999999999999 at this tick: the ids go from"),
        ("me.id >", "a value is missing after `>`"),
        ("false", "no agent"),
        ("speed > 5", "did you mean `me.speed`?"),
        ("speed", "did you mean `me.speed`?"),
        // Caught: a name was answered with a mistake in an expression.
        // Caught: it named what expressions know instead of what has names.
        (
            "zebra",
            "no agent, group, obstacle or path is called `zebra`; there are the group bird, the group fox and the obstacle tree",
        ),
        // Caught: only names with few other letters were meant.
        ("birches", "`birches`; did you mean `bird`?"),
        ("brid", "`brid`; did you mean `bird`? There are also the group fox and the obstacle tree"),
    ] {
        // The answer before may have the same words.
        let tried = test.shared.latest().answer.tried;
        test.send(PlayerCommand::Find(wanted.to_owned()));
        let state = test.wait(wanted, |state| state.answer.tried > tried);
        let error = state.answer.error.clone().unwrap_or_default();
        assert!(error.contains(why), "{wanted}: {error}");
    }
}

#[test]
fn the_run_pauses_when_a_condition_becomes_true() {
    let test = PlayerTest::new();
    test.at(10);
    test.send(PlayerCommand::PauseWhen("me.state.turns == 40 && me.id == 3".to_owned()));
    let state = test.wait("the condition", |state| state.pause_when.is_some());
    assert_eq!(state.world.tick, 10);
    test.send(PlayerCommand::RunTo(100));
    let state = test.wait("a pause", |state| state.target.is_none() && state.world.tick > 10);
    assert_eq!(state.world.tick, 40);
    assert_eq!(state.next_turn.as_ref().unwrap().id, 3);
    // It is no longer new, so the run goes on.
    assert_eq!(test.at(100).world.tick, 100);
    test.at(20);
    test.send(PlayerCommand::PauseWhen(String::new()));
    test.wait("no condition", |state| state.pause_when.is_none());
    assert_eq!(test.at(60).world.tick, 60);
}

/// A person tried five ways to count the agents of a group, and then read that it is true for an agent in particular.
#[test]
fn a_condition_about_the_world_is_true_for_no_agent_in_particular() {
    let test = PlayerTest::new();
    test.at(10);
    for (wrong, count) in [
        ("birds.count > 3", r#"the number of bird is `world.count("bird")`"#),
        ("world.count(birds) > 3", r#"the number of bird is `world.count("bird")`"#),
        // Caught: it never became true, since it was from the beginning.
        ("true", "`true` is about nothing in the run"),
        // Caught: the name of a type was that of a type in Rust.
        ("me", "expected a boolean, found `me`"),
        ("bird > 3", r#"`world.count("bird")`"#),
        ("agents > 3", "the number of agents is `world.count()`"),
        ("me.count > 3", "did you mean `world.count("),
        ("me.id = 3", "compare with `==`"),
    ] {
        test.send(PlayerCommand::PauseWhen(wrong.to_owned()));
        let is_told =
            |state: &ViewState| state.answer.error.as_ref().is_some_and(|why| why.contains(count));
        test.wait(wrong, is_told);
    }
    test.send(PlayerCommand::PauseWhen(
        r#"world.count("bird") == 12 && world.tick > 30"#.to_owned(),
    ));
    test.wait("the condition", |state| state.pause_when.is_some());
    test.send(PlayerCommand::RunTo(100));
    let state = test.wait("a pause", |state| state.target.is_none() && state.world.tick > 30);
    assert_eq!((state.world.tick, state.next_turn.is_none()), (31, true));
    let said = |state: &ViewState| state.notices.iter().any(|one| one.text.ends_with("is true"));
    test.wait("the notice", said);
}

#[test]
fn the_log_shows_what_scripts_print_and_a_click_goes_there() {
    let test = PlayerTest::new();
    test.at(1);
    test.script("fox", "fn steer(me) { if world.tick % 10 == 5 { debug(`hungry at ${world.tick}`); } me.wander() }");
    test.wait("the edit", |state| {
        state.notices.iter().any(|one| one.text.contains("changed from here"))
    });
    let state = test.at(300);
    let late = PlayerCommand::Notice { text: "about 300".to_owned(), is_failure: false };
    test.send(late);
    let mut ui = Ui::new((1280, 800), false);
    let plain = ui.layout(&state);
    test.send(press(Key::Char('m'), &mut ui, &state).remove(0));
    let state = test.wait("the log", |state| state.log.len() > 10);
    assert!(state.log.is_sorted_by_key(|line| line.tick));
    assert!(ui.layout(&state).world.1 < plain.world.1, "the log covers the world");
    let number = state.log.iter().rposition(|line| line.text.contains("hungry at 265")).unwrap();
    let line = &state.log[number];
    assert_eq!((line.tick, line.agent), (265, Some(AgentId(12))));
    assert!(line.text.contains("(fox)  fox.rhai:1"), "{}", line.text);
    for command in UiCommand::GoToLog(number).execute(&mut ui, &state) {
        test.send(command);
    }
    let gone = |state: &ViewState| state.world.tick == 265 && state.next_turn.is_some();
    let there = test.wait("the place", gone);
    assert_eq!(there.next_turn.as_ref().unwrap().id, 12);
    // The newest notice is the last line, also if earlier ones are about later ticks.
    for text in ["about 265", "newest"] {
        test.send(PlayerCommand::Notice { text: text.to_owned(), is_failure: false });
        test.wait("the notice", |state| state.log.last().is_some_and(|line| line.text == text));
    }
    // Later lines are not known yet at this tick. Notices stay.
    assert!(there.log.iter().all(|line| line.agent.is_none() || line.tick < 266));
    for (size, is_dark) in [((500, 400), true), ((1280, 800), false), ((3840, 2160), true)] {
        ui.is_dark = is_dark;
        ui.set_scale(Scale::new(size, Some(1.0)));
        press(Key::Char('/'), &mut ui, &state);
        save_picture("log", &ui, &state);
        press(Key::Escape, &mut ui, &state);
    }
    type_in(&mut ui, &state, 'm', "");
}

#[test]
fn the_filter_of_the_log_hides_other_lines() {
    let test = PlayerTest::new();
    test.at(1);
    test.script("fox", "fn steer(me) { debug(`tick ${world.tick}`); me.wander() }");
    test.wait("the edit", |state| {
        state.notices.iter().any(|one| one.text.contains("changed from here"))
    });
    test.at(60);
    let mut ui = Ui::new(SIZE, false);
    test.send(press(Key::Char('m'), &mut ui, &test.shared.latest()).remove(0));
    let state = test.wait("the log", |state| state.log.len() > 10);
    UiCommand::Ask(super::super::ask::Ask::Filter(panels::log::PANEL.id)).execute(&mut ui, &state);
    let all = drawn(&ui, &state);
    for letter in "fox.rhai".chars() {
        press(Key::Char(letter), &mut ui, &state);
    }
    press(Key::Enter, &mut ui, &state);
    assert_eq!(ui.panels.filter(panels::log::PANEL.id), "fox.rhai");
    assert!(drawn(&ui, &state) != all);
    UiCommand::Scroll(panels::log::PANEL.id, 5).execute(&mut ui, &state);
    assert_eq!(ui.panels.scroll(panels::log::PANEL.id), 5.0);
    assert!(press(Key::Char('m'), &mut ui, &state).len() == 1 && !panels::log::PANEL.is_open(&ui));
}

/// Caught: the word that an error suggests looked like one that can be clicked, and a click did nothing.
#[test]
fn a_click_on_an_error_uses_the_word_that_it_suggests() {
    let test = PlayerTest::new();
    let mut state = ViewState::clone(&test.at(5));
    for (typed, error, wanted) in [
        (
            "brid",
            "no agent, group, obstacle or path is called `brid`; did you mean `bird`?",
            "bird",
        ),
        ("2 * spd > 5", "there is no `spd`; did you mean `me.speed`?", "2 * me.speed > 5"),
    ] {
        let mut ui = Ui::new(SIZE, false);
        press(Key::Char('/'), &mut ui, &state);
        typed.chars().for_each(|letter| drop(press(Key::Char(letter), &mut ui, &state)));
        press(Key::Enter, &mut ui, &state);
        state.answer.tried += 1;
        state.answer.error = Some(error.to_owned());
        ui.settle_question(&state);
        save_picture("suggestion", &ui, &state);
        let is_it = |one: &Widget| one.click == Some(UiCommand::TakeSuggestion);
        assert_eq!(click(&mut ui, &state, is_it), []);
        let question = ui.question.as_ref().unwrap();
        assert_eq!((&*question.text, &question.error), (wanted, &None));
    }
}
