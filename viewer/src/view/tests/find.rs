//! Finding agents, groups, obstacles and paths by their names, and completing what is typed.

use super::super::choice::Choice;
use super::super::frame::Frame;
use super::*;

fn type_keys(ui: &mut Ui, state: &ViewState, keys: &str) {
    for letter in keys.chars() {
        assert_eq!(press(Key::Char(letter), ui, state), []);
    }
}

fn text(ui: &Ui) -> &str {
    &ui.question.as_ref().unwrap().text
}

fn listed(ui: &Ui, state: &ViewState) -> Vec<String> {
    ui.question_rows(state).into_iter().map(|row| row.words).collect()
}

/// The search knew agents only.
#[test]
fn groups_obstacles_and_paths_are_found_by_their_names() {
    let path = r#"paths: { "trail": (points: [(20, 20), (60, 40)], radius: 4) }, groups"#;
    let test = PlayerTest::with_scenario(&SCENARIO.replacen("groups", path, 1));
    let state = test.at(30);
    let mut ui = Ui::new(SIZE, false);
    type_keys(&mut ui, &state, "/");
    assert_eq!(
        listed(&ui, &state),
        ["group bird", "group fox", "obstacle tree", "path trail"],
        "what there is"
    );
    type_keys(&mut ui, &state, "fo");
    assert_eq!(listed(&ui, &state), ["group fox"]);
    save_picture("find_group", &ui, &state);
    press(Key::Tab, &mut ui, &state);
    assert_eq!(text(&ui), "fox");
    let found = press(Key::Enter, &mut ui, &state);
    assert_eq!(found, [PlayerCommand::Find("fox".to_owned())]);
    test.send(found[0].clone());
    let selected = |id: u32| {
        test.wait("the agent", |state| state.next_turn.as_ref().is_some_and(|one| one.id == id))
    };
    let state = selected(12);
    assert!(state.notices.iter().any(|one| one.text.contains("the group fox has 1 agent; ")));
    // The agents of a group in turn.
    for id in [0, 1] {
        test.send(PlayerCommand::Find("bird".to_owned()));
        selected(id);
    }
    // The list of everything finds the same.
    press(Key::Escape, &mut ui, &state);
    type_keys(&mut ui, &state, ":fox");
    assert_eq!(listed(&ui, &state)[0], "group fox");
    assert_eq!(press(Key::Enter, &mut ui, &state), [PlayerCommand::Find("fox".to_owned())]);
    type_keys(&mut ui, &state, ":agent 7");
    assert_eq!(ui.question_rows(&state)[0].choice, Choice::Agent(AgentId(7)));
    press(Key::Escape, &mut ui, &state);
    // What is no agent comes to the middle.
    for (name, at) in [("tree", Vec2::new(300.0, 80.0)), ("trail", Vec2::new(40.0, 30.0))] {
        ui.fit();
        type_keys(&mut ui, &state, "/");
        type_keys(&mut ui, &state, &name[..3]);
        let commands = press(Key::Enter, &mut ui, &state);
        let [PlayerCommand::Notice { text, is_failure: false }] = &commands[..] else {
            panic!("{commands:?}")
        };
        assert!(text.contains(name), "{text}");
        let (width, height) = ui.layout(&state).world;
        let middle = Vec2::new(width as f32, height as f32) / 2.0;
        let pixel = ui.camera(&state).pixel(at);
        assert!(pixel.distance(middle) < 1.0 && ui.question.is_none(), "{pixel}");
    }
}

/// The list had words of the reference in place of the states.
#[test]
fn states_of_the_selected_agent_are_completed() {
    let test = PlayerTest::new();
    test.at(30);
    test.send(PlayerCommand::Select(Some(AgentId(4))));
    let state = test.wait("the agent", |state| state.next_turn.is_some());
    let mut ui = Ui::new(SIZE, false);
    for (keys, completed) in
        [("/me.state.t", "me.state.turns"), ("/1 < me.state.", "1 < me.state.turns")]
    {
        type_keys(&mut ui, &state, keys);
        assert_eq!(listed(&ui, &state), ["turns"]);
        press(Key::Tab, &mut ui, &state);
        assert_eq!(text(&ui), completed);
        press(Key::Escape, &mut ui, &state);
    }
}

#[test]
fn words_of_expressions_are_completed() {
    let test = PlayerTest::new();
    let state = test.at(30);
    let mut ui = Ui::new(SIZE, false);
    for key in ['/', 'k'].map(Key::Char).into_iter().chain([Key::Ctrl('x')]) {
        press(key, &mut ui, &state);
        type_keys(&mut ui, &state, "me.max_sp");
        assert_eq!(listed(&ui, &state), ["max_speed"], "{key:?}");
        save_picture("complete", &ui, &state);
        press(Key::Tab, &mut ui, &state);
        assert_eq!(text(&ui), "me.max_speed");
        type_keys(&mut ui, &state, " < me.params.r");
        press(Key::Tab, &mut ui, &state);
        assert_eq!(text(&ui), "me.max_speed < me.params.room");
        // Without anything to complete, it stays.
        press(Key::Tab, &mut ui, &state);
        assert_eq!(text(&ui), "me.max_speed < me.params.room");
        // A selected row is another one.
        type_keys(&mut ui, &state, " + me.se");
        press(Key::Down, &mut ui, &state);
        let second = listed(&ui, &state)[1].clone();
        press(Key::Tab, &mut ui, &state);
        assert_eq!(text(&ui), format!("me.max_speed < me.params.room + me.{second}"));
        let before = text(&ui).to_owned();
        assert!(
            matches!(&press(Key::Enter, &mut ui, &state)[0],
                PlayerCommand::Find(text) | PlayerCommand::PauseWhen(text) | PlayerCommand::ColorBy(text)
                    if *text == before),
            "{before}"
        );
        press(Key::Escape, &mut ui, &state);
    }
}

/// A slip in a name found nothing until it was entered, and an id that nobody has had no guess.
#[test]
fn a_misspelled_name_is_guessed_while_it_is_typed() {
    let test = PlayerTest::new();
    let state = test.at(30);
    let mut ui = Ui::new(SIZE, false);
    for (typed, expected) in
        [("fxo", "group fox"), ("brid", "group bird"), ("tre3", "obstacle tree")]
    {
        type_keys(&mut ui, &state, "/");
        type_keys(&mut ui, &state, typed);
        assert_eq!(listed(&ui, &state), [expected]);
        assert!(ui.question_rows(&state)[0].beside.starts_with("did you mean this?"));
        save_picture("find_guess", &ui, &state);
        press(Key::Escape, &mut ui, &state);
        type_keys(&mut ui, &state, ":");
        type_keys(&mut ui, &state, typed);
        assert_eq!(listed(&ui, &state)[0], expected);
        press(Key::Escape, &mut ui, &state);
    }
    type_keys(&mut ui, &state, "/112");
    let entered = press(Key::Enter, &mut ui, &state);
    test.send_all(entered);
    let state = test.wait("why not", |state| state.answer.error.is_some());
    let words = "there is no agent 112 at this tick: the ids go from 0 to 12";
    assert_eq!(state.answer.error.as_deref(), Some(words));
    press(Key::Escape, &mut ui, &state);
    type_keys(&mut ui, &state, ":112");
    save_picture("find_no_agent", &ui, &state);
}

/// Caught: `me.neighbors` was behind a screen of words in whose descriptions there are neighbors.
#[test]
fn a_word_of_the_reference_comes_before_descriptions_that_have_it() {
    let state = PlayerTest::new().at(3);
    let mut ui = Ui::new(SIZE, false);
    for (typed, expected) in [("neighbors", "me.neighbors("), ("nearest", "me.nearest(")] {
        type_keys(&mut ui, &state, ":");
        type_keys(&mut ui, &state, typed);
        let shown = listed(&ui, &state);
        assert!(shown.iter().take(3).any(|row| row.contains(expected)), "{shown:?}");
        press(Key::Escape, &mut ui, &state);
    }
}

/// Caught: a page of words of the reference followed the only action without a break.
#[test]
fn actions_come_first_and_few_words_of_the_reference_follow_under_their_heading() {
    let test = PlayerTest::new();
    let state = test.at(3);
    let mut ui = Ui::new(SIZE, false);
    type_keys(&mut ui, &state, ":trail");
    save_picture("choices_headings", &ui, &state);
    press(Key::Escape, &mut ui, &state);
    let headings = |text: &str| -> Vec<String> {
        let all = super::super::choices::choices(&ui, &state, text);
        all.into_iter().map(|row| row.heading).collect()
    };
    let all = headings("agent");
    assert_eq!(all[0], "Actions");
    assert_eq!(all.iter().filter(|heading| *heading == "Reference").count(), 5, "{all:?}");
    let mut in_turn = all.clone();
    in_turn.dedup();
    let mut different = in_turn.clone();
    different.sort();
    different.dedup();
    assert_eq!(in_turn.len(), different.len(), "each heading is there once: {in_turn:?}");
    // Where only the reference has something, all of it is there.
    assert!(headings("steer").iter().filter(|heading| *heading == "Reference").count() > 5);
}

/// A slip found nothing.
#[test]
fn misspelled_words_and_those_of_other_programs_are_found() {
    let test = PlayerTest::new();
    let state = test.at(30);
    let ui = Ui::new(SIZE, false);
    let found = |text: &str| -> Vec<String> {
        let all = super::super::choices::choices(&ui, &state, text);
        all.into_iter().map(|row| row.words.to_lowercase()).collect()
    };
    for (typed, expected) in [
        ("selct", "select"),
        ("trials", "trails"),
        ("compre", "compare"),
        ("pathfinding", "go_to"),
        ("stuck", "go_to"),
        ("heat map", "color agents"),
        ("baseline", "in gray"),
        ("ghost", "in gray"),
        ("aligment", "me.alignment"),
        ("new scenario", "open another scenario"),
    ] {
        let all = found(typed);
        assert!(all.iter().any(|words| words.contains(expected)), "{typed}: {all:?}");
    }
    assert!(found("qqqqq").is_empty());
    // Nothing is saved because of a word that is hardly meant.
    for (typed, expected) in [
        ("make it darker", "dark or light colors"),
        ("slow motion", "half as fast"),
        ("population", "plot"),
        ("why", "forces add up"),
        ("explain", "forces add up"),
        ("arrow", "forces of all agents"),
        ("arrows", "forces of all agents"),
        ("monitor", "plot something"),
        ("watch", "plot something"),
        ("csv", "plot something"),
        ("data", "plot something"),
        ("rewind", "one tick back"),
        ("test", "save"),
    ] {
        assert!(found(typed)[0].contains(expected), "{typed}: {:?}", found(typed));
    }
}

/// Caught: `test` found `nearest`.
#[test]
fn what_has_a_text_only_inside_of_its_words_is_listed_only_if_there_is_nothing_else() {
    let test = PlayerTest::new();
    let state = test.at(30);
    let ui = Ui::new(SIZE, false);
    let found = |text: &str| super::super::choices::choices(&ui, &state, text);
    assert!(found("test").iter().all(|row| !row.words.contains("nearest(")));
    assert!(found("earest").iter().any(|row| row.words.contains("nearest(")));
}

/// Caught: the finder had no answer to "add a breed".
#[test]
fn another_group_is_found_and_shown_where_the_scenario_has_its_groups() {
    let test = PlayerTest::new();
    let state = test.at(3);
    let mut ui = Ui::new(SIZE, false);
    for typed in ["add a group", "another group", "add a breed", "another species"] {
        type_keys(&mut ui, &state, ":");
        type_keys(&mut ui, &state, typed);
        let first = listed(&ui, &state).into_iter().next().unwrap_or_default();
        assert!(first.starts_with("another group"), "{typed}: {first}");
        if typed == "another group" {
            let commands = press(Key::Enter, &mut ui, &state);
            let is_said = |one: &PlayerCommand| matches!(one, PlayerCommand::Notice { text, .. } if text.contains("Small changes"));
            assert!(commands.iter().any(is_said), "{commands:?}");
            assert!(panels::files::PANEL.is_open(&ui));
            test.send_all(commands);
            let state = test.wait("the files", |state| !state.files.is_empty());
            ui.follow(&state);
            let shown = ui.shown_file(&state).unwrap();
            let line = shown.text().lines().nth(ui.files.line.unwrap()).unwrap();
            assert!(shown.is_scenario() && line.trim_start().starts_with("groups:"), "{line}");
        }
        press(Key::Escape, &mut ui, &state);
    }
}

/// `bird 12` was taken for the group, and another agent was selected.
#[test]
fn a_group_and_a_number_are_an_agent() {
    // The birds come second.
    let fox = SCENARIO.find("\"fox\"").unwrap();
    let (start, end) = (SCENARIO.find("\"bird\"").unwrap(), SCENARIO.rfind("    },\n)").unwrap());
    let (birds, foxes) = (&SCENARIO[start..fox], &SCENARIO[fox..end]);
    let groups = format!("{foxes}{birds}");
    let test = PlayerTest::with_scenario(&SCENARIO.replacen(&SCENARIO[start..end], &groups, 1));
    let state = test.at(3);
    let mut ui = Ui::new(SIZE, false);
    let rows = |ui: &mut Ui, typed: &str| {
        type_keys(ui, &state, "/");
        type_keys(ui, &state, typed);
        let rows = ui.question_rows(&state);
        save_picture("find_in_group", ui, &state);
        let found = press(Key::Enter, ui, &state);
        ui.question = None;
        ui.last_find.clear();
        (rows.into_iter().map(|row| (row.words, row.beside)).collect::<Vec<_>>(), found)
    };
    let both = [("agent 12, bird", "select it"), ("agent 12, bird", "number 12 of bird")];
    let row = |(words, beside): (&str, &str)| (words.to_owned(), beside.to_owned());
    // Its ids go from 1 to 12, so that one is both.
    let found = vec![PlayerCommand::Find("12".to_owned())];
    assert_eq!(rows(&mut ui, "Bird 12"), (vec![row(both[0])], found));
    let found = vec![PlayerCommand::Find("0".to_owned())];
    assert_eq!(rows(&mut ui, "fox 1"), (vec![row(("agent 0, fox", "number 1 of fox"))], found));
    // Caught: where there is no such agent, the first one of the group was selected without a word.
    let (listed_rows, entered) = rows(&mut ui, "fox 2");
    assert_eq!(
        (listed_rows, &entered[..]),
        (vec![], &[PlayerCommand::Find("fox 2".to_owned())][..])
    );
    test.send_all(entered);
    let now = test.wait("why not", |state| state.answer.error.is_some());
    let words = "the group fox has no agent 2 at this tick: its ids go from 0 to 0";
    assert_eq!(now.answer.error.as_deref(), Some(words));
    // The list of everything knows it too.
    type_keys(&mut ui, &state, ":fox 1");
    assert_eq!(listed(&ui, &state)[0], "agent 0, fox");
}

/// The end of a prompt was cut off where the world was narrow.
#[test]
fn a_long_prompt_has_two_lines_in_a_narrow_world() {
    let test = PlayerTest::new();
    let state = test.at(3);
    let height = |width| {
        let mut ui = Ui::new((width, 800), false);
        press(Key::Ctrl('j'), &mut ui, &state);
        save_picture("narrow_prompt", &ui, &state);
        let frame = Frame::new(&ui, &state, None);
        frame.area(panels::question::PANEL.id).unwrap().height()
    };
    assert!(height(520) > height(1280));
}

/// Caught: in a view of a part of the world, an agent was selected that was not seen.
#[test]
fn an_agent_that_is_found_comes_into_view() {
    let test = PlayerTest::new();
    test.send(PlayerCommand::Pause);
    test.at(30);
    let mut ui = Ui::new(SIZE, false);
    let find = |wanted: &str, id: u32| {
        test.send(PlayerCommand::Find(wanted.to_owned()));
        test.wait("the agent", |state| state.next_turn.as_ref().is_some_and(|one| one.id == id))
    };
    let state = find("12", 12);
    ui.advance_files(&state);
    assert_eq!(ui.view, None, "it is seen anyway");
    let is_seen = |ui: &Ui, state: &ViewState| {
        let at = ui.camera(state).pixel(state.next_turn.as_ref().unwrap().pos);
        let (width, height) = ui.layout(state).world;
        at.cmpge(Vec2::ZERO).all() && at.cmple(Vec2::new(width as f32, height as f32)).all()
    };
    // Away from all of them.
    let away = |ui: &mut Ui| {
        ui.fit();
        ui.zoom(&state, 1.0, None);
        ui.view = Some(ui.camera(&state).panned(5000.0, 0.0));
    };
    away(&mut ui);
    let far = ui.view;
    ui.advance_files(&state);
    assert_eq!(ui.view, far, "the person moves the view");
    for (wanted, id) in [("3", 3), ("fox", 12), ("me.id == 5", 5)] {
        away(&mut ui);
        let state = find(wanted, id);
        assert!(!is_seen(&ui, &state));
        ui.advance_files(&state);
        assert!(is_seen(&ui, &state), "{wanted}");
    }
    // Also if it is selected already.
    away(&mut ui);
    let before = test.shared.latest().selections;
    test.send(PlayerCommand::Find("5".to_owned()));
    let state = test.wait("it again", |state| state.selections > before);
    ui.advance_files(&state);
    assert!(is_seen(&ui, &state));
}

#[test]
fn the_name_of_a_state_leads_to_it_and_states_of_all_groups_are_listed() {
    let test = PlayerTest::new();
    test.at(30);
    test.script(
        "fox",
        "fn init(me) { me.state.eaten = 0; } fn steer(me) { vec(me.state.eaten, 1) }",
    );
    let edited = test.wait("the edit", |state| state.edits.len() > 1);
    test.send(PlayerCommand::TogglePause);
    test.wait("time", |state| state.world.tick > edited.world.tick + 2);
    let told = |command: PlayerCommand| {
        let before = test.shared.latest().answer.tried;
        test.send(command);
        let state = test.wait("the answer", |state| state.answer.tried > before);
        state.answer.error.clone().unwrap_or_default()
    };
    let commands = [
        PlayerCommand::Find,
        PlayerCommand::PauseWhen,
        PlayerCommand::ColorBy,
        PlayerCommand::AddExpression,
    ];
    for command in commands {
        for (text, state) in [("eaten", "eaten"), ("turns", "turns"), ("1 + turns * 2", "turns")] {
            let words = told(command(text.to_owned()));
            assert!(words.ends_with(&format!("; did you mean `me.state.{state}`?")), "{words}");
        }
        let words = told(command("me.state.no_such".to_owned()));
        assert!(words.ends_with("; known: eaten, turns"), "{words}");
    }
    // It was called a vector.
    for command in [PlayerCommand::ColorBy, PlayerCommand::AddExpression] {
        let words = told(command("me.speed / 0.0 + 1.0 / 0.0".to_owned()));
        assert!(words.starts_with("this number is not finite"), "{words}");
    }
}
