//! Where notices are, and what a click there does.

use super::super::area::Area;
use super::super::frame::Frame;
use super::super::view_state::Notice;
use super::super::widget::Widget;
use super::*;

fn notice(text: &str, since: Instant) -> Notice {
    let (at, is_failure, stays) = (Instant::now(), false, false);
    let text = text.to_owned();
    Notice {
        text,
        at,
        since,
        is_failure,
        stays,
        opens: None,
        selects: None,
        goes_to: None,
        failed_at: None,
    }
}

/// Returns where the notices are, in their order.
fn areas(ui: &Ui, state: &ViewState) -> Vec<Area> {
    let frame = Frame::new(ui, state, None);
    let area = |index| {
        let command = Some(UiCommand::CloseNotice(index));
        frame.widgets().find(|one| one.click == command).map(|one| one.area)
    };
    (0..state.notices.len()).filter_map(area).collect()
}

fn click(ui: &mut Ui, state: &ViewState, at: Vec2) -> Vec<PlayerCommand> {
    ui.pointer_moved(Some(at), state);
    ui.press(Button::Left, state);
    ui.release(state)
}

/// A notice jumped from the column to the world when another came, and back when that one ended.
#[test]
fn a_notice_stays_where_it_is_when_others_come_and_end() {
    let test = PlayerTest::new();
    let mut state = ViewState::clone(&test.at(30));
    for size in [(500, 700), SIZE, (1280, 800)] {
        let mut ui = Ui::new(size, false);
        let long = "a notice that needs more than one line in the column ".repeat(3);
        let since = [0, 1, 2].map(|ago| Instant::now().checked_sub(Duration::from_millis(ago)));
        let [third, second, first] = since.map(Option::unwrap);
        state.notices = vec![notice("first", first)];
        ui.note_messages(&state, None);
        let alone = areas(&ui, &state)[0];
        state.notices.push(notice(&long, second));
        ui.note_messages(&state, None);
        let both = areas(&ui, &state);
        assert_eq!(both[0], alone, "{size:?}");
        save_picture("two_notices", &ui, &state);
        // The same notice with another number is where the first one was, although it is newer.
        state.notices.rotate_left(1);
        assert_eq!(areas(&ui, &state), [both[1], both[0]], "{size:?}");
        state.notices.remove(1);
        ui.note_messages(&state, None);
        assert_eq!(areas(&ui, &state), [both[1]], "{size:?}");
        // What comes next does not come below a pointer that is there for the one that has ended.
        state.notices.push(notice("third", third));
        let third = areas(&ui, &state)[1];
        assert!(third.min.y >= alone.max.y || third.max.y <= alone.min.y, "{size:?}: {third:?}");
    }
}

/// A click fell through to the world and deselected the agent.
#[test]
fn a_click_where_a_notice_was_a_moment_ago_does_not_reach_the_world() {
    let test = PlayerTest::new();
    test.at(30);
    test.send(PlayerCommand::Select(Some(AgentId(4))));
    let state = test.wait("the agent", |state| state.next_turn.is_some());
    let mut state = ViewState::clone(&state);
    let mut ui = Ui::new((500, 400), false);
    state.notices = vec![notice("it ends while a person moves the pointer to it", Instant::now())];
    ui.note_messages(&state, None);
    let area = areas(&ui, &state)[0];
    let at = (area.min + area.max) / 2.0;
    state.notices.clear();
    // Before the next frame is drawn, and after it.
    assert_eq!(click(&mut ui, &state, at), []);
    ui.note_messages(&state, None);
    assert_eq!(click(&mut ui, &state, at), []);
    thread::sleep(Duration::from_millis(550));
    assert!(matches!(click(&mut ui, &state, at)[..], [PlayerCommand::Select(_)]));
}

/// Notices and the box of an error covered half of the world before an audience.
#[test]
fn notices_and_errors_cover_at_most_a_quarter_of_the_height() {
    let test = PlayerTest::new();
    test.at(30);
    test.script("bird", "fn steer(me) {\n    // one\n    me.sepration(3)\n    // two\n}\n");
    let state = test.wait("the error", |state| !state.errors.is_empty());
    let broken = ViewState::clone(&state);
    let mut ui = Ui::new((1280, 800), false);
    press(Key::Char('\''), &mut ui, &state);
    let error = ui.layout(&broken).area(panels::error::PANEL.id).unwrap();
    save_picture("presented_error", &ui, &broken);
    assert!(error.height() <= ui.size.1 as f32 / 4.0, "{error:?}");
    let no_errors = Arc::new([]);
    let long = "a notice that has more to say than there is room for ".repeat(6);
    let now = Instant::now();
    let earlier = now.checked_sub(Duration::from_millis(1)).unwrap();
    let notices = vec![notice("short", earlier), notice(&long, now)];
    let state = ViewState { errors: no_errors, notices, ..broken };
    ui.note_messages(&state, None);
    let areas = areas(&ui, &state);
    save_picture("presented_notices", &ui, &state);
    let height: f32 = areas.iter().map(|area| area.height()).sum();
    assert!(areas.len() == 1 && height <= ui.layout(&state).bottom / 4.0, "{areas:?}");
    let frame = Frame::new(&ui, &state, None);
    let newest = frame.widgets().find(|one| one.click == Some(UiCommand::CloseNotice(1))).unwrap();
    assert!(newest.tip_words().0.unwrap().starts_with(&long), "the tooltip has the rest");
}

/// Caught: the way to a failure vanished when the scenario ended, and left a gap.
#[test]
fn the_way_to_a_failure_stays_beside_a_newer_notice() {
    let test = PlayerTest::new();
    let state = ViewState::clone(&test.at(30));
    let long = "an expectation fails, which has more to say than there is room for ".repeat(4);
    let now = Instant::now();
    let earlier = now.checked_sub(Duration::from_millis(1)).unwrap();
    let failure = Notice { failed_at: Some(20), is_failure: true, ..notice(&long, earlier) };
    let notices = vec![failure, notice("the scenario ends at tick 30", now)];
    let state = ViewState { notices, ..state };
    // Caught: it ended before the notice of a file that was saved.
    assert_eq!(state.notices[0].duration(), Duration::MAX);
    let ui = Ui::new((1280, 500), false);
    save_picture("failure_and_end", &ui, &state);
    let frame = Frame::new(&ui, &state, None);
    let goes = |one: &Widget| one.click == Some(UiCommand::GoToFailureInNotice(0));
    assert!(frame.widgets().any(goes));
}

/// The words of notices and of a question lay over each other.
#[test]
fn notices_are_beside_a_question_and_its_list() {
    let test = PlayerTest::new();
    let mut state = ViewState::clone(&test.at(30));
    state.notices = vec![notice("something has happened", Instant::now())];
    for (size, has_room) in [((1280, 800), true), ((900, 420), false)] {
        let mut ui = Ui::new(size, false);
        ui.note_messages(&state, None);
        assert_eq!(areas(&ui, &state).len(), 1);
        press(Key::CtrlShift('p'), &mut ui, &state);
        let frame = Frame::new(&ui, &state, None);
        let asked = [panels::question::PANEL.id, panels::choices::PANEL.id];
        let asked = asked.map(|id| frame.area(id).unwrap());
        let notices = areas(&ui, &state);
        assert_eq!(notices.len(), usize::from(has_room), "{size:?}");
        let is_free = |notice: &Area| asked.iter().all(|one| !one.overlaps(*notice));
        assert!(notices.iter().all(is_free), "{size:?}: {notices:?}");
        save_picture("notice_and_question", &ui, &state);
        press(Key::Escape, &mut ui, &state);
        assert_eq!(areas(&ui, &state).len(), 1, "{size:?}");
    }
}
