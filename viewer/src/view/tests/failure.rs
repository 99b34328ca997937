//! A failure: opening the window at it, and saving it as a test.

use flockwork_engine::Standing;
use flockwork_engine::diag::Source;
use flockwork_engine::script::Scripts;
use flockwork_engine::world::AgentId;

use super::super::first_failure::FirstFailure;
use super::super::icon::Icon;
use super::super::ui_command::UiCommand;
use super::super::view_state::Notice;
use super::super::widget::Widget;
use super::super::window_command::WindowCommand;
use super::expectations::{click, first_failure, judged, scenario};
use super::*;

#[test]
fn the_first_failure_of_a_run_is_found() {
    // Something speeds up by 10 world units per second in each second.
    let text = r#"(
        ticks: 30, dt: 0.1, world: (size: (400, 300)),
        groups: { "a": (behavior: "push", spawn: Points([(0, 0)])) },
        expect: [AllFinite, MaxSpeed(speed: 10.5)],
    )"#;
    let scripts = Scripts::new().with("push", "fn steer(me) { vec(10, 0) }");
    let run = Run::new(&Source::new("a.ron", text), &scripts, &Options::default()).unwrap();
    let failure = FirstFailure::find(run).unwrap().unwrap();
    assert_eq!((failure.index, failure.tick, failure.agent), (1, 11, Some(AgentId(0))));
    assert_eq!(
        (failure.expectation.as_str(), failure.unit),
        ("MaxSpeed(speed: 10.5)", "world units/s")
    );
}

#[test]
fn a_failure_is_shown_with_its_agent_and_its_row() {
    // The expectation that fails is the last of many.
    let many: String = (0..30).map(|i| format!("MaxSpeed(speed: 1{i:02}), ")).collect();
    let expect = format!("expect: [{many} MaxSpeed(group: \"bird\", speed: 40)], groups");
    let test = PlayerTest::with_scenario(&SCENARIO.replace("groups", &expect));
    let failure = FirstFailure::find(Run::open(&test.path(), &Options::default()).unwrap());
    let failure = failure.unwrap().unwrap();
    let (failed_at, agent) = (failure.tick, failure.agent.unwrap());
    test.at(failed_at);
    let mut ui = Ui::new((1280, 800), false);
    test.send_all(ui.show_failure(&failure));
    let is_shown = |state: &ViewState| state.judged.is_some() && state.next_turn.is_some();
    let state = test.wait("the failure", is_shown);
    assert_eq!(state.next_turn.as_ref().unwrap().id, agent);
    assert_eq!(judged(&state)[30].standing, Standing::Failed);
    save_picture("expectations_failure", &ui, &state);
    let right = ui.camera(&state).pixel(Vec2::new(400.0, 0.0)).x;
    assert!(right < ui.layout(&state).area(panels::agent::PANEL.id).unwrap().min.x, "{right}");
    let first = drawn(&ui, &state);
    press(Key::Char('f'), &mut ui, &state);
    assert_eq!(drawn(&ui, &state), first);
    // The window is already where a click on the row leads to.
    let commands = click(&mut ui, &state, |one| one.click == Some(UiCommand::GoToFailure(30)));
    assert_eq!(commands, [PlayerCommand::Seek(failed_at), PlayerCommand::Select(Some(agent))]);
    // The key closes the panel.
    press(Key::Char('a'), &mut ui, &state);
    assert!(!panels::expectations::PANEL.is_open(&ui));
}

/// After an edit and another run, the plot showed the margin of the run before, and during the reload there was none.
#[test]
fn the_plot_of_a_failure_stays_open_and_shows_the_run_as_it_is_now() {
    let test = PlayerTest::with_scenario(&scenario());
    let failure = FirstFailure::find(Run::open(&test.path(), &Options::default()).unwrap());
    let failure = failure.unwrap().unwrap();
    test.at(failure.tick);
    let mut ui = Ui::new((1280, 800), false);
    test.send_all(ui.show_failure(&failure));
    let is_plotted = |state: &ViewState| {
        let margin = state.judged.as_ref().and_then(|judged| judged[failure.index].margin.latest);
        let plot = state.plots.first().filter(|plot| !plot.is_filling);
        margin.is_some() && plot.is_some_and(|plot| plot.curves[0].now == margin)
    };
    let failed = test.wait("the margin", is_plotted);
    assert!(failed.plots[0].curves[0].now.unwrap() < 0.0);
    let (top, curve) = (ui.layout(&failed).strip.min.y, ui.layout(&failed).plots[0].curve);
    save_picture("failure_plot", &ui, &failed);
    // A line marks the tick at which it fails.
    let unmarked = ViewState { failures: Arc::new([]), ..(*failed).clone() };
    let row = (curve.min.y + 20.0) as usize * 1280;
    let row = row + curve.min.x as usize..row + curve.max.x as usize;
    assert_ne!(drawn(&ui, &failed)[row.clone()], drawn(&ui, &unmarked)[row]);
    test.script("bird", "fn steer(me) { -me.vel }");
    let edited = test.wait("the edit", |state| state.edits.len() > 1);
    assert_eq!(ui.layout(&edited).strip.min.y, top);
    test.send(PlayerCommand::RerunAll);
    test.wait("the run", |state| state.world.tick > 5 && state.edits.len() == 1);
    test.at(failure.tick);
    let passing = test.wait("the other margin", is_plotted);
    assert!(passing.plots[0].curves[0].now.unwrap() > 0.0);
    assert_eq!(judged(&passing)[failure.index].standing, Standing::Passing);
    save_picture("failure_plot_repaired", &ui, &passing);
    assert_eq!(ui.layout(&passing).strip.min.y, top);
}

/// How long one watched changed what the saved test was about.
#[test]
fn a_scenario_that_is_saved_for_a_failure_ends_soon_after_it() {
    let test = PlayerTest::with_scenario(&scenario());
    let (failed_at, _) = first_failure(&test);
    test.at(250);
    let save = |tick: u64, is_test: bool, file: &str| {
        test.at(tick);
        test.send(PlayerCommand::Save { is_test, name: None });
        let is_it = |one: &&Notice| one.text.contains(file);
        let state = test.wait("a save", |state| state.notices.iter().any(|one| is_it(&one)));
        let notice = state.notices.iter().find(is_it).unwrap().text.clone();
        let path = test.dir.path().join(file);
        (notice, Run::open(&path, &Options::default()).unwrap().ticks(), path)
    };
    let before = failed_at - 5;
    let (notice, ticks, path) = save(before, false, &format!("a_at_{before}.ron"));
    // A second is 50 ticks.
    assert_eq!(ticks, failed_at + 50);
    let words = format!("; it ends at tick {ticks}, soon after the failure at tick {failed_at}");
    assert!(notice.ends_with(&words), "{notice}");
    assert_eq!(Case::open(&path).test().outcome, TestOutcome::Failed);
    // A golden is about what no expectation notices.
    let (notice, ticks, _) = save(before, true, &format!("a_at_{before}_2.ron"));
    assert_eq!(ticks, 250);
    assert!(notice.contains("; it ends at tick 250. The golden"), "{notice}");
    let (notice, ticks, _) = save(200, false, "a_at_200.ron");
    assert_eq!(ticks, 250);
    let earlier = format!("; to keep the failure at tick {failed_at}, save at an earlier tick");
    assert!(notice.ends_with(&earlier), "{notice}");
    // The notice said the same at the tick of the failure itself, although the saved scenario has it.
    let (notice, ticks, path) = save(failed_at, false, &format!("a_at_{failed_at}.ron"));
    assert_eq!(ticks, failed_at + 50);
    assert!(notice.ends_with(&words), "{notice}");
    assert_eq!(Case::open(&path).test().outcome, TestOutcome::Failed);
}

/// A single letter wrote a file.
#[test]
fn what_is_saved_is_asked_for_a_name() {
    let test = PlayerTest::new();
    let state = test.at(30);
    let mut ui = Ui::new(SIZE, false);
    let there = |name: &str| test.dir.path().join(name).exists();
    assert_eq!(press(Key::Char('s'), &mut ui, &state), [PlayerCommand::Pause]);
    let offered = ui.question.as_ref().unwrap().text.clone();
    assert_eq!(offered, "a_at_30");
    save_picture("save_as", &ui, &state);
    press(Key::Escape, &mut ui, &state);
    assert!(ui.question.is_none() && !there("a_at_30.ron"));
    let mut answer = |text: &str| {
        press(Key::Char('s'), &mut ui, &test.shared.latest());
        let keys = text.chars().map(Key::Char).chain([Key::Enter]);
        let tried = test.shared.latest().answer.tried;
        let commands: Vec<_> =
            keys.flat_map(|key| press(key, &mut ui, &test.shared.latest())).collect();
        commands.into_iter().for_each(|command| test.send(command));
        let state = test.wait("an answer", |state| state.answer.tried > tried);
        press(Key::Escape, &mut ui, &state);
        state.answer.error.clone()
    };
    assert_eq!(answer(""), None);
    assert_eq!(answer("door.ron"), None);
    assert!(there("a_at_30.ron") && there("door.ron"));
    let no_name = "is not a name of a file; write letters, digits";
    for (name, why) in
        [("door", "there is a file door.ron"), ("../x", no_name), ("a*b", no_name), ("-x", no_name)]
    {
        let error = answer(name).unwrap();
        assert!(error.contains(why), "{error}");
    }
    assert_eq!(answer(""), None);
    assert!(there("a_at_30_2.ron"), "the usual name finds a free one");
}

/// The acceleration at a tick depends on the tick before.
#[test]
fn a_failure_that_depends_on_earlier_ticks_has_to_be_saved_earlier() {
    let expect = "expect: [MaxAcceleration(acceleration: 0.1)], groups";
    let test = PlayerTest::with_scenario(&SCENARIO.replace("groups", expect));
    let failed_at = test.at(100).failures[0].tick;
    test.at(failed_at);
    test.send(PlayerCommand::Save { is_test: false, name: None });
    let words = format!("; to keep the failure at tick {failed_at}, save at an earlier tick");
    let is_said = |state: &ViewState| state.notices.iter().any(|one| one.text.ends_with(&words));
    test.wait("the notice", is_said);
}

/// A scenario without agents was written, and nothing said so.
#[test]
fn nothing_is_saved_when_all_agents_are_gone() {
    let events = "events: [At(tick: 20, do: Remove(group: \"bird\")), At(tick: 20, do: Remove(group: \"fox\")),\n\
        At(tick: 60, do: Spawn(group: \"bird\", count: 3))], groups";
    let test = PlayerTest::with_scenario(&SCENARIO.replace("groups", events));
    let save = |tick: u64, words: &str| {
        assert!(test.at(tick).world.agents.is_empty());
        test.send(PlayerCommand::Save { is_test: false, name: None });
        let is_said = |state: &ViewState| {
            let refused = state.answer.error.iter();
            state.notices.iter().map(|one| &one.text).chain(refused).any(|one| one.contains(words))
        };
        let state = test.wait("the answer", is_said);
        let told = state.notices.iter().filter(|one| one.text.starts_with("not saved"));
        assert_eq!(told.count(), 0, "the question says it");
        test.dir.path().join(format!("a_at_{tick}.ron")).exists()
    };
    // Some come later.
    assert!(save(50, "scenario saved"));
    fs::write(test.path(), SCENARIO.replace("groups", &events.replace("60", "40"))).unwrap();
    test.wait("the edit", |state| state.edits.len() > 1);
    assert!(!save(55, "not saved: there are no agents to save at tick 55"));
}

/// A failure among many agents took `hunt` in a terminal to become small.
#[test]
fn a_failure_becomes_a_small_test() {
    let test = PlayerTest::with_scenario(&scenario());
    let failure = FirstFailure::find(Run::open(&test.path(), &Options::default()).unwrap());
    let failed_at = failure.unwrap().unwrap().tick;
    test.at(failed_at + 5);
    let state = test.at(failed_at.saturating_sub(30));
    let mut ui = Ui::new((1280, 800), false);
    test.send_all(press(Key::Ctrl('b'), &mut ui, &state));
    let is_saved = |state: &ViewState| {
        state.notices.iter().any(|one| one.text.starts_with("small test saved as"))
    };
    let state = test.wait("the small test", is_saved);
    assert_eq!(state.background_task, None);
    save_picture("small_failure", &ui, &state);
    let saved = state.notices.iter().find_map(|one| one.opens.clone()).unwrap();
    let names: Vec<_> =
        fs::read_dir(test.dir.path()).unwrap().map(|one| one.unwrap().path()).collect();
    let path = names.iter().find(|one| one.ends_with(saved.file_name().unwrap())).unwrap().clone();
    let small = Run::open(&path, &Options::default()).unwrap();
    assert!(small.simulation().world().agents.len() <= 2, "of 13");
    // Caught: it ended where it fails, so a change that only delayed the failure passed.
    let (ticks, second) = (small.ticks(), (1.0 / small.dt()).ceil() as u64);
    let failure = FirstFailure::find(small).unwrap().unwrap();
    // Caught: its name had the tick from which it was made smaller.
    assert_eq!(path, test.path().with_file_name(format!("a_failure_at_{}.ron", failure.tick)));
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(&format!("Meadow, failure at tick {}", failure.tick)), "{text}");
    assert!(ticks >= failure.tick + second, "{ticks} ticks, and it fails at {}", failure.tick);
    let notice = state.notices.iter().find(|one| one.opens.is_some()).unwrap();
    // Caught: it stayed longer than the notice of the failure.
    assert!(notice.duration() < Duration::MAX);
    test.send(PlayerCommand::Notice { text: "newer".to_owned(), is_failure: false });
    let state =
        test.wait("a newer one", |state| state.notices.iter().any(|one| one.text == "newer"));
    let (text, mut over_world) = (notice.text.clone(), Ui::new((500, 400), false));
    let index = state.notices.iter().position(|one| one.text == text).unwrap();
    let closes = |one: &Widget| {
        one.icon == Some(Icon::Close) && one.click == Some(UiCommand::CloseNotice(index))
    };
    let closed = click(&mut over_world, &state, closes);
    assert_eq!(closed, [PlayerCommand::CloseNotice(text)]);
    // A click on the notice opens it.
    click(&mut ui, &state, |one| matches!(one.click, Some(UiCommand::OpenNotice(_))));
    let opened = WindowCommand::OpenScenario(path.clone());
    assert_eq!(ui.window_commands, [opened]);
    // Once more, the same test is not written again.
    test.send(PlayerCommand::SaveSmall);
    let is_known = |state: &ViewState| {
        state.notices.iter().any(|one| one.opens.is_some() && one.text.contains("there already"))
    };
    test.wait("the same test", is_known);
    let again = format!("a_failure_at_{}_2.ron", failure.tick);
    assert!(!path.with_file_name(again).exists());
}

#[test]
fn where_nothing_fails_later_no_test_is_made() {
    let test =
        PlayerTest::with_scenario(&SCENARIO.replace("groups", "expect: [AllFinite], groups"));
    test.at(40);
    test.at(30);
    test.send(PlayerCommand::SaveSmall);
    let state = test.wait("why not", |state| state.notices.iter().any(|one| one.is_failure));
    let why = &state.notices.iter().find(|one| one.is_failure).unwrap().text;
    assert!(why.contains("no expectation fails in a run from tick 30 on, and none"), "{why}");
    assert_eq!(fs::read_dir(test.dir.path()).unwrap().count(), 2);
}
