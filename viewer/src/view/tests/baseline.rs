//! The ghost that stays: the baseline.

use flockwork_engine::live::Tracks;
use flockwork_engine::trace::Measure;

use super::super::frame::Frame;
use super::super::plot::PlotSource;
use super::super::ui_command::UiCommand;
use super::*;

impl PlayerTest {
    fn press_g(&self, ui: &mut Ui) {
        let commands = press(Key::Char('g'), ui, &self.shared.latest());
        commands.into_iter().for_each(|command| self.send(command));
    }

    /// Goes to a tick and pushes agents there, so that the future is dropped.
    fn push_at(&self, tick: u64) -> Arc<ViewState> {
        self.at(tick);
        self.send(PlayerCommand::Push { at: Vec2::new(200.0, 150.0), radius: 90.0 });
        self.wait("the push", |state| state.last_tick == tick)
    }
}

fn ticks(state: &ViewState) -> Option<(u64, u64)> {
    state.ghost.as_deref().and_then(Tracks::ticks)
}

/// Returns the place of the remark about the ghost, if there is one.
fn remark(ui: &Ui, state: &ViewState, click: UiCommand) -> Option<Vec2> {
    let frame = Frame::new(ui, state, None);
    let remark = frame.widgets().find(|widget| widget.click == Some(click))?;
    assert!(remark.tip_words().0.is_some());
    Some((remark.area.min + remark.area.max) / 2.0)
}

/// Each edit replaced what one wanted to compare with.
#[test]
fn a_run_that_is_kept_stays_the_ghost_until_it_is_removed() {
    let test = PlayerTest::new();
    let speed = PlotSource::Measure(Measure::MeanSpeed);
    test.send(PlayerCommand::Plot(vec![speed.clone()]));
    test.at(90);
    let mut ui = Ui::new(SIZE, false);
    ui.show_plot(Some(speed));
    test.press_g(&mut ui);
    let state = test.wait("the baseline", |state| state.is_ghost_kept);
    assert_eq!((ticks(&state), &*state.ghost_name), (Some((0, 90)), "the run up to tick 90"));
    let before = state.plots[0].series.values.clone();
    for tick in [40, 20, 30] {
        let state = test.push_at(tick);
        assert_eq!((ticks(&state), &*state.ghost_name), (Some((0, 90)), "the run up to tick 90"));
    }
    let state = test.at(70);
    let shown = &state.plots[0];
    assert_eq!(shown.dropped.as_ref().unwrap().values, before);
    assert_ne!(shown.series.values, before);
    for (size, is_dark) in [(SIZE, false), ((500, 400), true), ((1280, 800), false)] {
        ui.is_dark = is_dark;
        ui.set_scale(Scale::new(size, Some(1.0)));
        save_picture("baseline", &ui, &state);
    }
    // Behind its end it is not drawn, but still there.
    let state = test.at(120);
    assert!(state.ghost_at_tick().is_none());
    assert!(remark(&ui, &state, UiCommand::ToggleGhost).is_some());
    test.press_g(&mut ui);
    let state = test.wait("no ghost", |state| state.ghost.is_none());
    assert!(!state.is_ghost_kept && state.plots[0].dropped.is_none());
    // From now on, the ghost is again what was dropped last.
    let state = test.push_at(50);
    assert_eq!(ticks(&state), Some((50, 120)));
}

#[test]
fn a_click_on_the_remark_keeps_the_ghost() {
    let test = PlayerTest::new();
    test.at(90);
    let state = test.push_at(40);
    let mut ui = Ui::new(SIZE, false);
    save_picture("ghost_remark", &ui, &state);
    let at = remark(&ui, &state, UiCommand::KeepGhost).unwrap();
    ui.pointer_moved(Some(at), &state);
    ui.press(Button::Left, &state);
    ui.release(&state).into_iter().for_each(|command| test.send(command));
    test.wait("the baseline", |state| state.is_ghost_kept);
    test.at(80);
    let state = test.push_at(60);
    let expected = (Some((40, 90)), "the run before the push at tick 40");
    assert_eq!((ticks(&state), &*state.ghost_name), expected);
    // A run that goes on from an earlier tick does not become the ghost, and the notice does not say so.
    test.at(50);
    test.send(PlayerCommand::Rerun);
    let is_it = |text: &str| text.starts_with("running from tick 50");
    let state =
        test.wait("a notice", |state| state.notices.iter().any(|notice| is_it(&notice.text)));
    assert!(!state.notices.iter().any(|one| is_it(&one.text) && one.text.contains("ghost")));
    assert_eq!((ticks(&state), &*state.ghost_name), expected);
}
