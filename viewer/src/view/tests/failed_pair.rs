//! What the panel of an agent says of a failure that it has a part in with another one.

use super::super::agent_rows::rows;
use super::super::choice::Choice;
use super::super::failed_pair::{Before, FailedPair, PairReaction, PairReactions};
use super::super::frame::Frame;
use super::super::widget::Widget;
use super::super::words::words as words_of_reference;
use super::expectations::click;
use super::*;

/// Two agents that walk toward each other.
const MEETING: &str = r#"(
    ticks: 300, hz: 30, world: (size: (120, 40), edge: Clamp),
    groups: { "bird": (behavior: "bird", spawn: Points([(10, 20), (110, 20.5)]),
        body: (radius: 1, max_speed: 10, max_force: 20), params: { "room": 1.0 }) },
    expect: [MinSeparation(distance: 3)],
)"#;

/// Begins the scenario with a script, goes to its failure and selects one of the agents.
fn meeting(steer: &str) -> (PlayerTest, Arc<ViewState>) {
    let script = format!(
        "fn steer(me) {{\n    let force = me.seek(vec(if me.id == 0 {{ 110 }} else {{ 10 }}, 20));\n{steer}\n    force\n}}"
    );
    let test = PlayerTest::with_scenario(MEETING);
    test.at(5);
    test.script("bird", &script);
    test.wait("the script", |state| state.edits.len() > 1);
    test.send(PlayerCommand::RerunAll);
    test.at(290);
    let state = test.wait("the failure", |state| !state.failures.is_empty());
    let failure = state.failures[0].clone();
    test.send(PlayerCommand::Seek(failure.tick));
    test.send(PlayerCommand::Select(failure.agent));
    (test, state)
}

/// Waits until both reactions are known.
fn known(test: &PlayerTest) -> (Arc<ViewState>, Arc<FailedPair>) {
    let is_known = |state: &ViewState| {
        let pair = state.failed_pair.as_ref();
        pair.is_some_and(|pair| matches!(pair.reactions, PairReactions::Known(_)))
    };
    let state = test.wait("the reactions", is_known);
    let pair = Arc::clone(state.failed_pair.as_ref().unwrap());
    (state, pair)
}

fn reactions(pair: &FailedPair) -> &[PairReaction; 2] {
    match &pair.reactions {
        PairReactions::Known(both) => both,
        PairReactions::Searching(_) => panic!("not known"),
    }
}

fn words(state: &ViewState) -> Vec<String> {
    rows(state, 380.0).iter().map(|row| row.lines.join(" ")).collect()
}

/// Returns how far apart both agents are at a tick of a run without a window.
fn apart(test: &PlayerTest, tick: u64) -> f32 {
    let mut run = Run::open(&test.path(), &Options::default()).unwrap();
    for _ in 0..tick {
        run.step().unwrap();
    }
    let agents = &run.simulation().world().agents;
    agents.pos(0).distance(agents.pos(1))
}

/// Only that both react too late, too weakly or not away from each other was said.
#[test]
fn it_is_said_since_when_each_of_two_agents_reacts_and_which_condition_delays_it() {
    let (test, _) =
        meeting("    if me.neighbors(5).count > 0 {\n        force += me.separation(9);\n    }");
    let (state, pair) = known(&test);
    let [own, other] = reactions(&pair);
    let failed_at = pair.failure.tick;
    assert_eq!(own.agent, pair.failure.agent.unwrap());
    assert_eq!((other.agent, other.other), (own.other, own.agent));
    for one in [own, other] {
        assert!(one.reacts && one.since < failed_at && one.before == Before::Otherwise);
        // The tick is exact: they come within 5 world units there.
        assert!(apart(&test, one.since) <= 5.0 && apart(&test, one.since - 1) > 5.0);
        assert!((one.distance - apart(&test, one.since)).abs() < 1e-3);
        assert!(one.toward < -0.9, "{one:?}");
    }
    let said = words(&state);
    let since = own.since;
    let begin = format!("agent {} reacts to agent {} since tick {since}, ", own.agent, own.other);
    assert!(said[1].starts_with(&begin) && said[1].ends_with("away from it"), "{said:?}");
    assert_eq!(said[2], "line 3: `me.neighbors(5).count > 0` became true");
    let mut ui = Ui::new((1280, 800), false);
    save_picture("failed_pair", &ui, &state);
    // A click goes to that tick, and back to the failure.
    let commands = click(&mut ui, &state, |one| one.click == Some(UiCommand::GoToReaction(1)));
    let there = [PlayerCommand::Seek(other.since), PlayerCommand::Select(Some(other.agent))];
    assert_eq!(commands, there);
    // A tick before, the condition does not hold, and a click shows its line.
    test.send(PlayerCommand::Seek(own.since - 1));
    let state = test
        .wait("the tick", |state| state.world.tick + 1 == own.since && state.failed_pair.is_some());
    let said = words(&state);
    assert_eq!(
        said.last().unwrap(),
        "`separation` is not called: `me.neighbors(5).count > 0` is false, since `me.neighbors(5).count` is 0"
    );
    click(&mut ui, &state, |one| one.click == Some(UiCommand::ShowSkipped(0)));
    test.send(PlayerCommand::SetOverlays(ui.overlays));
    let state = test.wait("the files", |state| !state.files.is_empty());
    assert_eq!(ui.shown_line(&state).unwrap().1, 3);
    // While time passes, nothing is computed for it.
    test.send(PlayerCommand::TogglePause);
    test.wait("no rows", |state| state.is_playing && state.failed_pair.is_none());
}

#[test]
fn an_agent_that_never_reacts_is_told_from_one_that_goes_the_wrong_way() {
    let (test, _) =
        meeting("    if me.neighbors(5).count > 1 {\n        force += me.separation(9);\n    }");
    let (state, pair) = known(&test);
    for one in reactions(&pair) {
        assert_eq!((one.reacts, one.before), (false, Before::NotThere));
        assert_eq!(one.tick(&pair.failure), pair.failure.tick - 1, "the last turn before it");
    }
    assert!(words(&state)[1].ends_with("before they fail"), "{:?}", words(&state));
    let (test, _) = meeting("    force -= me.separation(9);");
    let (state, pair) = known(&test);
    assert!(reactions(&pair).iter().all(|one| one.reacts && one.toward > 0.9), "{pair:?}");
    assert!(words(&state)[1].ends_with("so look for a wrong sign"), "{:?}", words(&state));
}

/// A result must not stay when the history that it is about is gone.
#[test]
fn what_is_known_of_a_failure_ends_with_it() {
    let (test, _) = meeting("    force -= me.separation(9);");
    known(&test);
    test.send(PlayerCommand::Seek(10));
    test.wait("the tick", |state| state.world.tick == 10 && state.failed_pair.is_some());
    test.script("bird", "fn steer(me) { me.wander() }");
    let state = test.wait("the edit", |state| state.edits.len() > 1 && state.last_tick == 10);
    assert!(state.failures.is_empty() && state.failed_pair.is_none());
    // Without a failure, the panel has only what it always has.
    let ui = Ui::new((1280, 800), false);
    let frame = Frame::new(&ui, &state, None);
    assert!(!frame.widgets().any(|one| matches!(one.click, Some(UiCommand::GoToReaction(_)))));
}

/// A click on the notice of a failure only closed it.
#[test]
fn a_click_on_the_notice_of_a_failure_goes_there() {
    let (_test, state) = meeting("    force -= me.separation(9);");
    let mut ui = Ui::new((1280, 800), false);
    let failure = &state.failures[0];
    let goes = |one: &Widget| matches!(one.click, Some(UiCommand::GoToFailureInNotice(_)));
    let commands = click(&mut ui, &state, goes);
    assert_eq!(
        commands[..2],
        [PlayerCommand::Seek(failure.tick), PlayerCommand::Select(failure.agent)]
    );
    assert!(matches!(commands.last(), Some(PlayerCommand::CloseNotice(_))), "{commands:?}");
}

/// What `separation` is could only be found by typing its name.
#[test]
fn a_click_on_a_name_of_the_explanation_shows_the_reference() {
    let (test, _) = meeting("    force -= 9 * me.separation(9);");
    let (state, _) = known(&test);
    let mut ui = Ui::new((1280, 800), false);
    for name in ["separation", "max_force"] {
        let is_it = |one: &Widget| match one.click {
            Some(UiCommand::Choose(Choice::Word(number))) => {
                words_of_reference()[number].names.contains(&name)
            }
            _ => false,
        };
        assert_eq!(click(&mut ui, &state, is_it), []);
        assert!(
            panels::word::PANEL.is_open(&ui) && words_of_reference()[ui.word].names.contains(&name)
        );
        press(Key::Escape, &mut ui, &state);
    }
}
