//! Expectations in the window: their panel, their margins in the plot, and pausing when one fails.

use flockwork_engine::world::AgentId;
use flockwork_engine::{ExpectationState, Failure, Standing};

use super::super::frame::Frame;
use super::super::panels::expectations::summary;
use super::super::plot::PlotSource;
use super::super::tune::knobs;
use super::super::ui_command::UiCommand;
use super::super::view_state::Notice;
use super::super::widget::Widget;
use super::*;

const EXPECT: &str = r#"expect: [
    MaxSpeed(group: "bird", speed: 40),
    MaxSpeed(group: "bird", speed: 60.1),
    NoOverlap(groups: ["fox"], agents: false, tolerance: 0.5),
    Reach(group: "fox", at: (200, 150), radius: 25, by: 350),
    AllFinite,
],
groups"#;

pub(super) fn scenario() -> String {
    SCENARIO.replace("groups", EXPECT)
}

pub(super) fn judged(state: &ViewState) -> &[ExpectationState] {
    state.judged.as_ref().unwrap()
}

/// Returns the first failure of the first expectation in a run without a window: its tick and its agent.
pub(super) fn first_failure(test: &PlayerTest) -> (u64, AgentId) {
    let mut run = Run::open(&test.path(), &Options::default()).unwrap();
    let mut judge = run.judge();
    while !judge.has_failed(0) {
        run.step().unwrap();
        judge.tick(run.simulation());
    }
    let failure = judge.into_failures().swap_remove(0);
    (failure.tick, failure.agent.unwrap())
}

impl PlayerTest {
    pub(super) fn send_all(&self, commands: Vec<PlayerCommand>) {
        commands.into_iter().for_each(|command| self.send(command));
    }

    /// Opens the panel and waits until all earlier ticks are judged.
    fn open_expectations(&self, ui: &mut Ui) -> Arc<ViewState> {
        self.send_all(press(Key::Char('a'), ui, &self.shared.latest()));
        self.wait("the judgment", |state| state.judged.is_some())
    }
}

fn resize(ui: &mut Ui, size: (u32, u32), is_dark: bool) {
    ui.is_dark = is_dark;
    ui.set_scale(Scale::new(size, Some(1.0)));
}

pub(super) fn click(
    ui: &mut Ui,
    state: &ViewState,
    is_it: impl Fn(&Widget) -> bool,
) -> Vec<PlayerCommand> {
    let frame = Frame::new(ui, state, None);
    let area = frame.widgets().find(|widget| is_it(widget)).unwrap().area;
    ui.pointer_moved(Some((area.min + area.max) / 2.0), state);
    ui.press(Button::Left, state);
    ui.release(state)
}

/// A notice about a tick that was dropped stayed, while the status said that nothing was judged yet.
#[test]
fn a_notice_about_a_failure_goes_with_its_tick() {
    let test = PlayerTest::with_scenario(&scenario());
    let (failed_at, _) = first_failure(&test);
    let begins = format!("an expectation fails at tick {failed_at}");
    let is_shown =
        |state: &ViewState| state.notices.iter().any(|one| one.text.starts_with(&begins));
    test.at(failed_at + 20);
    test.wait("the notice", is_shown);
    test.at(failed_at - 8);
    test.send(PlayerCommand::Rerun);
    let state = test.wait("the future is dropped", |state| state.last_tick < failed_at);
    assert!(!is_shown(&state), "{:?}", state.notices);
}

#[test]
fn the_panel_says_at_each_tick_what_holds() {
    let test = PlayerTest::with_scenario(&scenario());
    let (failed_at, agent) = first_failure(&test);
    assert!((10..200).contains(&failed_at), "{failed_at}");
    let state = test.at(250);
    let mut ui = Ui::new((1280, 800), false);
    let plain = drawn(&ui, &state);
    let state = test.open_expectations(&mut ui);
    assert_eq!(state.world.tick, 250, "nothing else moves");
    use Standing::{Failed, NearlyFailed, NotYet, Passing};
    let standings: Vec<_> = judged(&state).iter().map(|one| one.standing).collect();
    assert_eq!(standings, [Failed, NearlyFailed, Passing, NotYet, Passing], "{:?}", state.judged);
    let failure = judged(&state)[0].failure.clone().unwrap();
    assert_eq!((failure.tick, failure.agent), (failed_at, Some(agent)));
    let no_overlap = &judged(&state)[2];
    assert!(no_overlap.margin.value.is_some_and(|margin| margin > 0.5), "{no_overlap:?}");
    for size in [(500, 400), (1280, 800)] {
        for is_dark in [false, true] {
            resize(&mut ui, size, is_dark);
            save_picture("expectations", &ui, &state);
            let layout = ui.layout(&state);
            assert!(
                layout.world.1 as f32 <= layout.area(panels::expectations::PANEL.id).unwrap().min.y
            );
        }
    }
    resize(&mut ui, (1280, 800), false);
    let now = drawn(&ui, &state);
    assert_ne!(now, plain);
    // A click on the one that has failed goes there.
    let commands = click(&mut ui, &state, |one| one.click == Some(UiCommand::GoToFailure(0)));
    assert_eq!(commands, [PlayerCommand::Seek(failed_at), PlayerCommand::Select(Some(agent))]);
    test.send_all(commands);
    let there = |state: &ViewState| {
        state.world.tick == failed_at && state.next_turn.is_some() && state.judged.is_some()
    };
    let state = test.wait("the failure", there);
    assert_eq!(state.next_turn.as_ref().unwrap().id, agent);
    assert_eq!(judged(&state)[0].standing, Failed);
    save_picture("expectations_agent", &ui, &state);
    test.send(PlayerCommand::StepBack);
    let before = |state: &ViewState| state.world.tick == failed_at - 1 && state.judged.is_some();
    assert_ne!(judged(&test.wait("the tick before", before))[0].standing, Failed);
}

#[test]
fn a_failure_is_seen_without_asking() {
    let test = PlayerTest::with_scenario(&scenario());
    let (failed_at, agent) = first_failure(&test);
    let before = test.at(failed_at - 1);
    assert!(before.failures.is_empty());
    assert!(before.notices.iter().all(|notice| !notice.is_failure));
    let words = |state: &ViewState| summary(state).unwrap();
    let whole = ViewState { scenario_ticks: before.world.tick, ..(*before).clone() };
    assert_eq!(words(&whole).0, "5 expectations: 4 hold in the whole run, 1 not judged");
    let empty = ViewState { empty_since: Some(9), ..whole.clone() };
    let said =
        "5 expectations: 4 hold in the whole run, 1 not judged; no agents were left from tick 9 on";
    assert_eq!(words(&empty).0, said);
    let edited = ViewState { changed_at: Some(3), ..whole };
    assert_eq!(words(&edited).0, "5 expectations: 4 hold in a run with edits, 1 not judged");
    assert_eq!(
        words(&before),
        ("5 expectations: 4 hold so far, 1 not judged yet".to_owned(), false)
    );
    let state = test.at(failed_at + 30);
    let notice = state.notices.iter().find(|notice| notice.is_failure).unwrap();
    let begin = format!(
        "an expectation fails at tick {failed_at}: `MaxSpeed(group: \"bird\", speed: 40)`: agent {agent}"
    );
    assert!(notice.text.starts_with(&begin), "{}", notice.text);
    assert!(notice.text.ends_with("(press a for all)"), "{}", notice.text);
    assert_eq!(
        words(&state),
        ("5 expectations: 1 failed, 3 hold so far, 1 not judged yet".to_owned(), true)
    );
    let is_mark = |one: &Widget| one.click == Some(UiCommand::GoToFailure(0));
    for (size, is_dark) in [((500, 400), true), ((1280, 800), false)] {
        let mut ui = Ui::new(size, is_dark);
        save_picture("failure_unasked", &ui, &state);
        // A click on the mark goes there, and one on the status line opens the panel.
        let commands = click(&mut ui, &state, is_mark);
        assert_eq!(commands, [PlayerCommand::Seek(failed_at), PlayerCommand::Select(Some(agent))]);
        click(&mut ui, &state, |one| one.click == Some(panels::expectations::PANEL.toggle()));
        assert!(panels::expectations::PANEL.is_open(&ui), "{size:?}");
    }
    // Looking back changes nothing about what will be; the notice is shown once.
    let ui = Ui::new(SIZE, false);
    let count_marks = |state: &ViewState| {
        Frame::new(&ui, state, None).widgets().filter(|one| is_mark(one)).count()
    };
    let back = test.at(failed_at - 2);
    assert_eq!((count_marks(&back), words(&back).1), (1, false));
    test.at(failed_at + 30);
    let count_notices = |state: &ViewState| {
        state.notices.iter().filter(|notice| notice.text.starts_with(&begin)).count()
    };
    assert!(count_notices(&test.shared.latest()) <= 1);
    // An edit in the past takes the failure and its mark with it.
    test.at(failed_at - 2);
    test.script("bird", "fn steer(me) { -me.vel }");
    let state = test.wait("the edit", |state| state.edits.len() > 1);
    assert_eq!(count_marks(&state), 0);
    let state = test.at(failed_at + 30);
    assert_eq!((count_marks(&state), words(&state).1), (0, false));
}

#[test]
fn a_failure_of_two_agents_names_and_marks_both() {
    let expect = "expect: [MinSeparation(groups: [\"bird\"], distance: 24, from: 100)], groups";
    let test = PlayerTest::with_scenario(&SCENARIO.replace("groups", expect));
    let state = test.at(300);
    let failure = state.failures[0].clone();
    let (agent, other) = (failure.agent.unwrap(), failure.other.unwrap());
    assert!(failure.message.contains(&format!("from agent {other} ")), "{failure:?}");
    let mut ui = Ui::new((1280, 800), false);
    let state = test.open_expectations(&mut ui);
    let margin = judged(&state)[0].margin;
    let commands = click(&mut ui, &state, |one| one.click == Some(UiCommand::GoToWorst(0)));
    assert_eq!(commands, [PlayerCommand::Seek(margin.tick)]);
    assert!(margin.tick > failure.tick, "{margin:?}");
    test.send_all(click(&mut ui, &state, |one| one.click == Some(UiCommand::GoToFailure(0))));
    let there = |state: &ViewState| state.world.tick == failure.tick && state.next_turn.is_some();
    let state = test.wait("the failure", there);
    ui.pointer_moved(None, &state);
    assert_eq!(state.next_turn.as_ref().unwrap().id, agent);
    save_picture("failure_of_two", &ui, &state);
    // The ring of the other agent is the only thing in the world that the failure adds.
    let has_ring = |agent: Option<AgentId>, other: Option<AgentId>| {
        let failures = [Failure { agent, other, ..failure.clone() }].into();
        let one = ViewState { failures, ..(*state).clone() };
        let none = ViewState {
            failures: [Failure { agent: None, ..failure.clone() }].into(),
            ..one.clone()
        };
        drawn(&ui, &one) != drawn(&ui, &none)
    };
    assert!(has_ring(Some(agent), Some(other)) && has_ring(Some(other), Some(agent)));
    let third = (0..12).map(AgentId).find(|id| ![agent, other].contains(id));
    assert!(!has_ring(third, Some(other)) && !has_ring(Some(agent), None));
}

/// A scenario in which a bird keeps away from a fox, which does not look where it goes, and both are too near.
fn too_near() -> PlayerTest {
    let expect = "expect: [MinSeparation(distance: 24, from: 5)], groups";
    let spawn = "count: 12, spawn: Disc(center: (200, 150), radius: 60), velocity: (20, 5)";
    let near = "spawn: Points([(60, 75)])";
    PlayerTest::with_scenario(&SCENARIO.replace("groups", expect).replace(spawn, near))
}

/// The first one was selected, which did all that it could.
#[test]
fn of_two_agents_the_one_that_does_not_react_is_selected_and_the_other_one_offered() {
    let (bird, fox) = (AgentId(0), AgentId(1));
    let test = too_near();
    let state = test.at(30);
    let failure = &state.failures[0];
    assert_eq!((failure.agent, failure.other), (Some(bird), Some(fox)));
    assert_eq!(failure.react, Some([true, false]));
    let mut ui = Ui::new((1280, 800), false);
    test.open_expectations(&mut ui);
    let state = test.at(30);
    let commands = click(&mut ui, &state, |one| one.click == Some(UiCommand::GoToFailure(0)));
    assert_eq!(
        commands[..2],
        [PlayerCommand::Seek(failure.tick), PlayerCommand::Select(Some(fox))]
    );
    test.send_all(commands);
    let offers = |state: &ViewState| state.notices.iter().any(|one| one.selects == Some(bird));
    let state = test.wait("the offer", |state| offers(state) && state.next_turn.is_some());
    let notice = state.notices.iter().find(|one| one.selects.is_some()).unwrap();
    let words = "agent 1 does not react to agent 0: its force would be the same without it; agent 1 is selected";
    assert_eq!((notice.text.as_str(), state.next_turn.as_ref().unwrap().id), (words, fox));
    save_picture("failure_offers_the_other", &ui, &state);
    let is_offer = |one: &Widget| matches!(one.click, Some(UiCommand::SelectInNotice(_)));
    test.send_all(click(&mut ui, &state, is_offer));
    let is_bird = |state: &ViewState| state.next_turn.as_ref().is_some_and(|one| one.id == bird);
    let state = test.wait("the other one", is_bird);
    assert!(!offers(&state), "{:?}", state.notices);
    // Pausing selects the same one.
    let test = too_near();
    test.send(PlayerCommand::PauseOnFailure(true));
    test.send(PlayerCommand::RunTo(30));
    let is_fox = |state: &ViewState| state.next_turn.as_ref().is_some_and(|one| one.id == fox);
    let state = test.wait("the pause", |state| is_fox(state) && offers(state));
    let notice = state.notices.iter().find(|one| one.selects.is_some()).unwrap();
    assert!(notice.text.ends_with("; agent 1 is selected"), "{}", notice.text);
}

/// Judging takes as long as a tick, so a large world is judged only if somebody wants to know.
#[test]
fn a_large_world_is_judged_only_on_request() {
    let expect = "expect: [MaxSpeed(speed: 1)], groups";
    let large = SCENARIO.replace("groups", expect).replace("count: 12", "count: 10000");
    let test = PlayerTest::with_scenario(&large);
    let state = test.at(2);
    assert!(state.judged.is_none() && state.failures.is_empty() && !state.is_judging);
    assert_eq!(summary(&state), Some(("1 expectation, not judged".to_owned(), false)));
    let state = test.open_expectations(&mut Ui::new(SIZE, false));
    assert_eq!(state.failures.len(), 1);
    assert_eq!(summary(&state), Some(("1 expectation failed".to_owned(), true)));
}

#[test]
fn the_wheel_scrolls_to_expectations_without_room() {
    let many: String = (0..30).map(|i| format!("MaxSpeed(speed: 1{i:02}), ")).collect();
    let test = PlayerTest::with_scenario(
        &SCENARIO.replace("groups", &format!("expect: [{many}], groups")),
    );
    test.at(5);
    let mut ui = Ui::new((500, 400), false);
    let state = test.open_expectations(&mut ui);
    let shown = |ui: &Ui| -> Vec<usize> {
        let frame = Frame::new(ui, &state, None);
        let index = |one: &Widget| match one.click {
            Some(UiCommand::PlotMargin(index)) => Some(index),
            _ => None,
        };
        frame.widgets().filter_map(index).collect()
    };
    let first = shown(&ui);
    assert!(first.len() > 3 && first.len() < 10 && first[0] == 0, "{first:?}");
    let area = ui.layout(&state).area(panels::expectations::PANEL.id).unwrap();
    ui.pointer_moved(Some((area.min + area.max) / 2.0), &state);
    ui.wheel(-1.0, &state);
    assert_eq!(shown(&ui)[0], 1);
    for _ in 0..40 {
        ui.wheel(-1.0, &state);
    }
    assert_eq!(shown(&ui).last(), Some(&29));
    assert_eq!(shown(&ui).len(), first.len());
    save_picture("expectations_many", &ui, &state);
}

#[test]
fn an_edit_in_the_past_repairs_a_failure() {
    let test = PlayerTest::with_scenario(&scenario());
    let (failed_at, _) = first_failure(&test);
    test.at(250);
    let mut ui = Ui::new(SIZE, false);
    let state = test.open_expectations(&mut ui);
    assert_eq!(judged(&state)[0].standing, Standing::Failed);
    test.at(failed_at - 2);
    test.script("bird", "fn steer(me) { -me.vel }");
    test.wait("the edit", |state| state.edits.len() > 1);
    test.at(250);
    let state = test.wait("the judgment", |state| state.judged.is_some());
    assert_ne!(judged(&state)[0].standing, Standing::Failed);
}

#[test]
fn the_run_pauses_when_an_expectation_fails() {
    let test = PlayerTest::with_scenario(&scenario());
    let (failed_at, agent) = first_failure(&test);
    let state = test.at(5);
    let mut ui = Ui::new((1280, 800), false);
    let state_with_panel = test.open_expectations(&mut ui);
    assert!(!state.pauses_on_failure);
    let commands =
        click(&mut ui, &state_with_panel, |one| one.click == Some(UiCommand::PauseOnFailure));
    assert_eq!(commands, [PlayerCommand::PauseOnFailure(true)]);
    test.send_all(commands);
    // It does so too while the panel is closed.
    test.send_all(press(Key::Char('a'), &mut ui, &state_with_panel));
    test.send(PlayerCommand::TogglePause);
    let paused = |state: &ViewState| state.hash.is_some() && state.world.tick > 5;
    let state = test.wait("a pause", paused);
    assert_eq!(state.world.tick, failed_at);
    assert_eq!(state.next_turn.as_ref().unwrap().id, agent);
    let notice = state.notices.last().unwrap();
    let begin = format!(
        "paused at tick {failed_at}, an expectation fails: `MaxSpeed(group: \"bird\", speed: 40)`: agent {agent}"
    );
    assert!(notice.is_failure && notice.text.starts_with(&begin), "{}", notice.text);
    let state = test.open_expectations(&mut ui);
    for (size, is_dark) in [((500, 400), true), ((1280, 800), false)] {
        resize(&mut ui, size, is_dark);
        save_picture("expectations_pause", &ui, &state);
    }
    // It has failed already, so the run goes on, also on the way through the history.
    assert_eq!(test.at(200).world.tick, 200);
    test.at(failed_at - 3);
    assert_eq!(test.at(150).world.tick, 150);
    // Playing from before the failure, the run pauses again.
    test.at(failed_at - 3);
    test.send(PlayerCommand::TogglePause);
    test.wait("a pause", |state| state.hash.is_some() && state.world.tick == failed_at);
    test.send(PlayerCommand::PauseOnFailure(false));
    test.at(failed_at - 3);
    test.send(PlayerCommand::TogglePause);
    test.wait("time", |state| state.world.tick > failed_at + 5);
}

#[test]
fn the_margin_of_an_expectation_is_plotted() {
    let test = PlayerTest::with_scenario(&scenario());
    let (failed_at, _) = first_failure(&test);
    test.at(200);
    let mut ui = Ui::new((1280, 800), false);
    let state = test.open_expectations(&mut ui);
    let commands = click(&mut ui, &state, |one| one.click == Some(UiCommand::PlotMargin(0)));
    let source = PlotSource::from(&state.expectations[0]);
    assert_eq!(commands, [PlayerCommand::Plot(vec![source.clone()])]);
    // The plot alone needs the judgment too.
    test.send_all(press(Key::Char('a'), &mut ui, &state));
    test.send_all(commands);
    let whole = |state: &ViewState| {
        let plot = state.plots.first().filter(|plot| plot.source == source);
        plot.is_some_and(|plot| plot.curves[0].series.values.len() as u64 == state.last_tick + 1)
    };
    let state = test.wait("the whole plot", whole);
    let mut run = Run::open(&test.path(), &Options::default()).unwrap();
    let mut judge = run.judge_with_margins();
    for (tick, value) in state.plots[0].curves[0].series.values.iter() {
        assert_eq!(*value, judge.margins()[0].latest, "tick {tick}");
        assert_eq!(*tick == failed_at, judge.has_failed(0) && *tick <= failed_at);
        run.step().unwrap();
        judge.tick(run.simulation());
    }
    // Another bound has other margins at all ticks, and those of ticks after the end of the scenario are missing.
    let longer = scenario().replace("speed: 40", "speed: 50");
    fs::write(test.path(), longer).unwrap();
    let state = test.wait("the edit", |state| state.edits.len() > 1);
    let source = PlotSource::from(&state.expectations[0]);
    ui.show_plot(Some(source.clone()));
    test.send(PlayerCommand::Plot(vec![source.clone()]));
    test.at(420);
    let whole = |state: &ViewState| {
        let plot = state.plots.first().filter(|plot| plot.source == source);
        plot.is_some_and(|plot| plot.curves[0].series.values.len() == 421)
    };
    let state = test.wait("the other plot", whole);
    let values = &state.plots[0].curves[0].series.values;
    let is_above = |margin: Option<f32>| margin.is_some_and(|margin| margin > 0.0);
    assert!(is_above(values[failed_at as usize].1), "{values:?}");
    assert!(values[400].1.is_some() && values[401].1.is_none());
    for (size, is_dark) in [((500, 400), true), ((1280, 800), false)] {
        resize(&mut ui, size, is_dark);
        save_picture("expectations_plot", &ui, &state);
        // The line below which it fails has a color and words of its own.
        let curve = ui.layout(&state).plots[0].curve;
        let pixels = drawn(&ui, &state);
        let is_red = |pixel: u32| (pixel >> 16 & 255) > (pixel >> 8 & 255) + 60;
        let rows = curve.min.y as u32..curve.max.y as u32;
        let mut ranges = rows
            .map(|y| (y * size.0 + curve.min.x as u32) as usize)
            .map(|from| from..from + curve.width() as usize);
        assert!(ranges.any(|range| pixels[range].iter().any(|pixel| is_red(*pixel))), "{size:?}");
    }
}

/// The plot of an expectation that only the last tick decides was a single dot.
#[test]
fn the_plot_of_an_expectation_about_the_end_shows_how_it_gets_there() {
    let reach = "expect: [ReachAll(group: \"fox\", at: (350, 250), radius: 20, by: 300)], groups";
    let test = PlayerTest::with_scenario(
        &SCENARIO.replace("groups", reach).replace("edge: Wrap", "edge: Open"),
    );
    test.at(10);
    test.script("fox", "fn steer(me) { me.seek(vec(350, 250)) }");
    test.wait("the edit", |state| state.edits.len() > 1);
    test.send(PlayerCommand::RerunAll);
    test.wait("the start", |state| state.edits.len() == 1);
    let state = test.at(320);
    let source = PlotSource::from(&state.expectations[0]);
    test.send(PlayerCommand::Plot(vec![source.clone()]));
    let state = test.wait("the whole plot", |state| {
        state.plot(&source).is_some_and(|plot| plot.curves[0].series.values.len() == 321)
    });
    let values = &state.plots[0].curves[0].series.values;
    let at = |tick: usize| values[tick].1;
    assert!(at(1).unwrap() < -6.0, "{:?}", at(1));
    let all: Vec<_> = (100..=300).map(|tick| at(tick).unwrap()).collect();
    assert!(all.is_sorted(), "the fox comes nearer: {all:?}");
    let mut run = Run::open(&test.path(), &Options::default()).unwrap();
    let mut judge = run.judge_with_margins();
    for _ in 0..300 {
        run.step().unwrap();
        judge.tick(run.simulation());
    }
    assert_eq!(at(300), judge.margins()[0].latest, "the last one is the margin");
    assert_eq!(at(301), None);
    let mut ui = Ui::new((1280, 800), false);
    ui.show_plot(Some(source));
    save_picture("expectations_plot_reach", &ui, &state);
}

/// The text of the expectation stays the same, but its script says something else about all ticks.
#[test]
fn an_edited_script_of_an_expectation_has_other_margins_at_all_ticks() {
    let test = PlayerTest::new();
    test.at(60);
    test.script("calm", "fn expect(now) { 1.0 }");
    let expect = "expect: [Script(name: \"calm\", every: 1)], groups";
    fs::write(test.path(), SCENARIO.replace("groups", expect)).unwrap();
    let state = test.wait("the expectation", |state| !state.expectations.is_empty());
    test.send(PlayerCommand::Plot(vec![PlotSource::from(&state.expectations[0])]));
    let has_margin = |margin: f32| {
        move |state: &ViewState| {
            let plot = state.plots.first().filter(|plot| plot.curves[0].series.values.len() == 61);
            // The script runs after the first tick.
            plot.is_some_and(|plot| {
                plot.curves[0].series.values[1..].iter().all(|(_, one)| *one == Some(margin))
            })
        }
    };
    test.wait("the margins", has_margin(1.0));
    test.script("calm", "fn expect(now) { 2.0 }");
    test.wait("the other margins", has_margin(2.0));
}

/// A failure about no agent selected nobody, though there was one agent only.
#[test]
fn a_failure_in_a_world_of_one_agent_selects_it() {
    let expect = "expect: [Reach(group: \"fox\", at: (390, 290), radius: 1, by: 20)], groups";
    let scenario = SCENARIO.replacen("groups", expect, 1).replace("count: 12", "count: 0");
    let test = PlayerTest::with_scenario(&scenario);
    test.at(30);
    let state = test.wait("the failure", |state| !state.failures.is_empty());
    assert_eq!(state.world.agents.id, [AgentId(0)]);
    let commands = UiCommand::GoToFailure(0).execute(&mut Ui::new(SIZE, false), &state);
    assert_eq!(commands, [PlayerCommand::Seek(20), PlayerCommand::Select(Some(AgentId(0)))]);
}

/// The column changed from the params that the person was tuning to those of another group.
#[test]
fn a_failure_selects_nobody_after_a_param_was_changed() {
    for is_tuned in [false, true] {
        let test = PlayerTest::with_scenario(&scenario());
        let state = test.at(5);
        if is_tuned {
            let (group, knob) = ("bird".to_owned(), knobs(&state.params[0]).remove(2));
            test.send(PlayerCommand::SetParam { group, knob, text: "21".to_owned() });
        }
        test.at(395);
        test.send(PlayerCommand::TogglePause);
        let is_over = |one: &Notice| one.text.contains("the scenario ends at tick 400: ");
        let state = test.wait("the end", |state| state.notices.iter().any(is_over));
        let first = state.failures.iter().map(|one| one.tick).min();
        assert!(first.is_some());
        // It leads to the failure.
        let end = state.notices.iter().find(|one| is_over(one)).unwrap();
        assert_eq!(end.failed_at, first);
        assert_eq!(state.next_turn.is_none(), is_tuned);
    }
}

/// An expectation held in the whole run although nobody was there.
#[test]
fn a_run_whose_agents_are_all_gone_says_since_when() {
    let leaves = "goals: [(at: (60, 60), radius: 50)], after_goals: Remove, behavior: \"fox\"";
    let scenario = SCENARIO.replace("count: 12", "count: 0");
    let scenario = scenario.replace("behavior: \"fox\"", leaves);
    let test = PlayerTest::with_scenario(&scenario);
    assert_eq!(test.at(0).empty_since, None);
    let mut run = Run::open(&test.path(), &Options::default()).unwrap();
    while !run.simulation().world().agents.is_empty() {
        run.step().unwrap();
    }
    assert_eq!(test.at(50).empty_since, Some(run.simulation().world().tick));
}
