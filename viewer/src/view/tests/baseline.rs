//! The ghost that stays: the baseline.

use flockwork_engine::live::Tracks;
use flockwork_engine::trace::Measure;

use super::super::compared::ComparedRow;
use super::super::frame::Frame;
use super::super::plot::PlotSource;
use super::super::tune::knobs;
use super::super::ui_command::UiCommand;
use super::super::view_state::Notice;
use super::expectations::click;
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
    let before = state.plots[0].curves[0].series.values.clone();
    for tick in [40, 20, 30] {
        let state = test.push_at(tick);
        assert_eq!((ticks(&state), &*state.ghost_name), (Some((0, 90)), "the run up to tick 90"));
    }
    let state = test.at(70);
    let shown = &state.plots[0];
    assert_eq!(shown.curves[0].dropped.as_ref().unwrap().values, before);
    assert_ne!(shown.curves[0].series.values, before);
    for (size, is_dark) in [(SIZE, false), ((500, 400), true), ((1280, 800), false)] {
        ui.is_dark = is_dark;
        ui.set_scale(Scale::new(size, Some(1.0)));
        save_picture("baseline", &ui, &state);
    }
    // Behind its end it is not drawn, but still there.
    let state = test.at(120);
    assert!(state.ghost_at_tick().is_none());
    assert!(remark(&ui, &state, UiCommand::ToggleGhost).is_some());
    let words = panels::remarks::remarks(&ui, &state).remove(0).0;
    assert!(words.contains("up to tick 90, not drawn here"), "{words}");
    test.press_g(&mut ui);
    let state = test.wait("no ghost", |state| state.ghost.is_none());
    assert!(!state.is_ghost_kept && state.plots[0].curves[0].dropped.is_none());
    // From now on, the ghost is again what was dropped last.
    let state = test.push_at(50);
    assert_eq!(ticks(&state), Some((50, 120)));
    // Caught: a ghost of which nothing is drawn was named.
    assert!(remark(&ui, &state, UiCommand::KeepGhost).is_some());
    ui.hidden.extend(["bird", "fox"].map(str::to_owned));
    assert!(remark(&ui, &state, UiCommand::KeepGhost).is_none());
}

/// A change during the second run replaced what one wanted to compare with.
#[test]
fn a_run_that_is_run_all_again_stays_the_ghost_until_the_next_one() {
    let test = PlayerTest::new();
    let rerun_all = |end: u64| {
        test.at(end);
        test.send(PlayerCommand::RerunAll);
        let name = format!("the run before, up to tick {end}");
        test.wait("the run before", |state| state.ghost_name == name)
    };
    assert_eq!(ticks(&rerun_all(90)), Some((0, 90)));
    test.at(60);
    let state = test.push_at(40);
    assert_eq!(ticks(&state), Some((0, 90)));
    assert_eq!(ticks(&rerun_all(50)), Some((0, 50)));
    // What the person keeps stays.
    test.at(70);
    test.send(PlayerCommand::KeepRun);
    test.wait("the baseline", |state| ticks(state) == Some((0, 70)));
    test.at(80);
    test.send(PlayerCommand::RerunAll);
    let state = test.wait("the beginning", |state| state.last_tick < 80);
    assert_eq!((ticks(&state), &*state.ghost_name), (Some((0, 70)), "the run up to tick 70"));
}

#[test]
fn params_are_compared_with_those_of_the_file_from_the_first_tick() {
    let test = PlayerTest::new();
    test.send(PlayerCommand::Compare);
    test.wait("why not", |state| {
        state.notices.iter().any(|one| one.text.starts_with("no param differs"))
    });
    // What both runs should be.
    let speed = PlotSource::Measure(Measure::MeanSpeed);
    test.send(PlayerCommand::Plot(vec![speed.clone()]));
    let plotted = |state: &ViewState| state.plots[0].curves[0].series.values.clone();
    let files = plotted(&test.at(120));
    let mut ui = Ui::new(SIZE, false);
    panels::params::PANEL.set_open(&mut ui, true);
    ui.param = 2;
    test.at(100);
    let commands = press(Key::CtrlShiftRight, &mut ui, &test.shared.latest());
    commands.into_iter().for_each(|command| test.send(command));
    let state = test.wait("a change", |state| state.unwritten().count() == 1);
    assert!(state.can_swap_params());
    save_picture("compare_button", &ui, &state);
    let frame = Frame::new(&ui, &state, None);
    let button = frame.widgets().find(|one| one.click == Some(UiCommand::CompareParams)).unwrap();
    let at = (button.area.min + button.area.max) / 2.0;
    ui.pointer_moved(Some(at), &state);
    ui.press(Button::Left, &state);
    // Two runs are compared by a plot.
    let commands = ui.release(&state);
    assert!(matches!(&commands[..], [PlayerCommand::Plot(_), PlayerCommand::Compare]));
    commands.into_iter().skip(1).for_each(|command| test.send(command));
    let name = "the same run with room 20";
    test.wait("the second run", |state| state.ghost_name == name && state.is_playing);
    let state = test.at(100);
    assert!(ticks(&state).is_some_and(|(first, last)| first == 0 && last >= 120));
    let dropped = state.plots[0].curves[0].dropped.as_ref().unwrap();
    assert_eq!(dropped.values[..=120], files[..=120]);
    assert_ne!(plotted(&state)[..=100], files[..=100]);
    let mean = |values: &[(u64, Option<f32>)]| {
        values.iter().map(|(_, value)| f64::from(value.unwrap())).sum::<f64>() / values.len() as f64
    };
    let [own, file] = state.plots[0].curves[0].means().unwrap().map(f64::from);
    assert!((file - mean(&files[..=100])).abs() < 1e-3 && (own - file).abs() > 0.1, "{own} {file}");
    assert_eq!(state.unwritten().count(), 1);
    save_picture("compared", &ui, &state);
    // A plot that is opened now has both curves, too: only one of these values was recorded anyway.
    let closest = PlotSource::Measure(Measure::ClosestPair);
    let foxes = PlotSource::Count("fox".to_owned());
    test.send(PlayerCommand::Plot(vec![closest, foxes, speed]));
    let state = test.wait("other plots", |state| state.plots.len() == 3);
    for plot in &state.plots {
        let dropped = plot.curves[0].dropped.as_ref().unwrap();
        let values = dropped.values.iter().filter(|(tick, value)| *tick <= 120 && value.is_some());
        assert_eq!(values.count(), 121, "{:?}", plot.source);
    }
    // Nothing that is done later replaces it.
    let state = test.push_at(60);
    assert_eq!(&*state.ghost_name, name);
    test.send(PlayerCommand::Undo);
    test.send(PlayerCommand::Undo);
    // The run began again with it: the value changes here, and the runs that are compared stay.
    let undone = "undone: room of bird is 20 again, from tick 6";
    let is_said = |state: &ViewState| state.notices.iter().any(|one| one.text.starts_with(undone));
    let state = test.wait("the change before the comparison", is_said);
    assert_eq!((&*state.ghost_name, state.unwritten().count()), (name, 0));
    test.send(PlayerCommand::Redo);
    test.wait("the change again", |state| state.unwritten().count() == 1);
}

/// Nothing said which of two runs was better.
#[test]
fn a_comparison_ends_with_words_for_what_is_different() {
    let expect = "expect: [MinSeparation(distance: 5, groups: [\"bird\"], from: 150), AllFinite],";
    let scenario = SCENARIO.replace("groups: {", &format!("{expect} groups: {{"));
    let scenario = scenario.replace("ticks: 400", "ticks: 200");
    let test = PlayerTest::with_scenario(&scenario.replace("\"room\": 20.0", "\"room\": 0.5"));
    let state = test.at(5);
    let mut ui = Ui::new(SIZE, false);
    let (group, knob) = ("bird".to_owned(), knobs(&state.params[0]).remove(2));
    test.send(PlayerCommand::SetParam { group, knob, text: "30".to_owned() });
    let state = test.wait("a change", |state| state.unwritten().count() == 1);
    // What the scenario expects is plotted.
    let commands = UiCommand::CompareParams.execute(&mut ui, &state);
    let PlayerCommand::Plot(sources) = &commands[0] else { panic!("{commands:?}") };
    assert!(matches!(&sources[..], [PlotSource::Margin { .. }]), "{sources:?}");
    commands.into_iter().for_each(|command| test.send(command));
    let row = |state: &ViewState, part: &str| {
        let table = state.compared.clone();
        table.and_then(|table| table.rows.iter().find(|row| row.name.starts_with(part)).cloned())
    };
    let here = |state: &ViewState, part: &str| row(state, part).and_then(|row| row.here);
    let state = test.wait("the second run", |state| here(state, "MinSeparation").is_some());
    assert_eq!(here(&state, "MinSeparation").unwrap(), ["holds", "fails at 150"]);
    // Caught: the mean margin was above 0 below the words that it fails.
    let [own, file] = here(&state, "smallest margin of MinSeparation").unwrap();
    let [own, file] = [own, file].map(|one| one.parse::<f32>().unwrap());
    assert!(own >= 0.0 && file < 0.0, "{own} {file}");
    let margins = state.plots[0].curves[0].series.values.iter().filter_map(|(_, margin)| *margin);
    let smallest = margins.min_by(f32::total_cmp).unwrap();
    assert!((own - smallest).abs() < 0.01, "{own} {smallest}");
    let table = state.compared.as_ref().unwrap();
    let margin = table.rows.iter().find(|row| row.name.starts_with("smallest")).unwrap();
    assert!(margin.plot_source(&state).is_some_and(|source| source.is_margin()));
    let failed = |one: &Notice| one.text.starts_with("an expectation fails");
    assert!(!state.notices.iter().any(failed), "it does not fail with the params of the person");
    // One run says little: meanwhile, both are compared over several seeds.
    let over_runs = |state: &ViewState| row(state, "MinSeparation").and_then(|row| row.over_runs);
    let state = test.wait("the other seeds", |state| over_runs(state).is_some());
    let found = over_runs(&state).unwrap();
    assert_eq!(found.values, ["10 of 10 hold", "6 of 10 hold"]);
    let is_told = |why: &str| why.starts_with("since ");
    let is_unclear =
        found.verdict == "~ perhaps chance" && found.why_unclear.as_deref().is_some_and(is_told);
    assert!(is_unclear && !found.is_certain, "{found:?}");
    let [difference, interval] = found.difference.unwrap();
    assert_eq!(difference, "+40 %");
    assert!(interval.starts_with("95 %: ") && !found.may_be_zero, "{interval}");
    let is_said =
        |one: &Notice| one.text.starts_with("compared with the file's params, more than chance: ");
    let state = test.wait("a sentence", |state| state.notices.iter().any(is_said));
    let area = ui.layout(&state).area(panels::comparison::PANEL.id).unwrap();
    assert!(area.height() > 150.0);
    // The expectation holds with one side only: its margin is what to look at.
    ui.follow(&state);
    assert!(ui.plots.sources[0].is_margin());
    // A click on a row plots it.
    let table = state.compared.as_ref().unwrap();
    let measured = table.rows.iter().position(|row| row.name == "spread").unwrap();
    // Measures that take longer were left out unless they were plotted.
    assert!(table.rows.iter().any(|row| row.name == "closest_pair"), "{table:?}");
    // Some rows have to be scrolled to.
    ui.panels.state_mut(panels::comparison::PANEL.id).scroll = 130.0;
    let commands =
        click(&mut ui, &state, |one| one.click == Some(UiCommand::PlotCompared(measured)));
    ui.panels.state_mut(panels::comparison::PANEL.id).scroll = 0.0;
    let PlayerCommand::Plot(sources) = &commands[0] else { panic!("{commands:?}") };
    assert_eq!(sources[..], [PlotSource::Measure(Measure::Spread)]);
    let counted = ComparedRow { name: "agents of bird".to_owned(), ..table.rows[0].clone() };
    assert_eq!(counted.plot_source(&state), Some(PlotSource::Count("bird".to_owned())));
    save_picture("comparison", &ui, &state);
    // The values are not those of a param that is changed afterwards.
    let seed = state.world.seed;
    assert_eq!(table.changed(seed, &state.params), None);
    assert_eq!(table.changed(seed + 1, &state.params).as_deref(), Some("the seed"));
    let set = |text: &str| {
        let (group, knob) = ("bird".to_owned(), knobs(&state.params[0]).remove(2));
        test.send(PlayerCommand::SetParam { group, knob, text: text.to_owned() });
        let name =
            |state: &ViewState| state.compared.as_ref().unwrap().changed(seed, &state.params);
        let is_stale = text != "30";
        let state = test.wait("a change", |state| name(state).is_some() == is_stale);
        assert_eq!(name(&state).as_deref(), is_stale.then_some("room"));
        state
    };
    save_picture("comparison_stale", &ui, &set("25"));
    let state = set("30");
    press(Key::Escape, &mut ui, &state);
    press(Key::Escape, &mut ui, &state);
    assert!(ui.layout(&state).area(panels::comparison::PANEL.id).is_none(), "esc closes it");
    assert_eq!(state.background_task, None);
    // After they are written, there are still those that the scenario had when it was opened.
    test.send(PlayerCommand::WriteParams);
    let state = test.wait("it is written", |state| state.unwritten().count() == 0);
    assert!(!state.can_swap_params() && state.can_compare_params());
    assert_eq!(state.compared.as_ref().unwrap().others, "the params before");
    test.send(PlayerCommand::Compare);
    test.wait("the second run", |state| {
        let is_said = |one: &Notice| one.text.contains("dashed lines are the params before");
        state.ghost_name == "the same run with room 0.5" && state.notices.iter().any(is_said)
    });
}

/// The plot that the comparison opened was flat, while something else differed.
#[test]
fn what_differs_most_is_plotted_unless_the_person_has_chosen_a_plot() {
    let expect = "expect: [MinSeparation(distance: 0.001, groups: [\"bird\"])], groups: {";
    let scenario = SCENARIO.replace("groups: {", expect).replace("ticks: 400", "ticks: 100");
    // The length was limited by simulated time, which is short with long ticks.
    let scenario = scenario.replace("dt: 0.02", "dt: 1.0");
    let test = PlayerTest::with_scenario(&scenario);
    let state = test.at(5);
    let (group, knob) = ("bird".to_owned(), knobs(&state.params[0]).remove(2));
    test.send(PlayerCommand::SetParam { group, knob, text: "90".to_owned() });
    let state = test.wait("a change", |state| state.unwritten().count() == 1);
    let mut ui = Ui::new(SIZE, false);
    test.send_all(UiCommand::CompareParams.execute(&mut ui, &state));
    assert!(ui.plots.sources[0].is_margin());
    let is_complete = |state: &ViewState| {
        state.compared.as_ref().is_some_and(|table| table.most_different(state).is_some())
    };
    let state = test.wait("the other runs", is_complete);
    let mut chosen = Ui::new(SIZE, false);
    chosen.show_plot(Some(PlotSource::Speed));
    assert!(chosen.follow(&state).is_empty());
    let commands = ui.follow(&state);
    assert!(matches!(&commands[..], [PlayerCommand::Plot(_)]), "{commands:?}");
    let table = state.compared.as_ref().unwrap();
    let is_certain = |row: &&ComparedRow| row.over_runs.as_ref().is_some_and(|of| of.is_certain);
    let certain = table.rows.iter().find(is_certain).unwrap();
    assert_eq!(ui.plots.sources[0].name().as_ref(), Some(&certain.name));
    assert!(ui.follow(&state).is_empty(), "once");
    assert_eq!(table.end, 100);
    for over_runs in table.rows.iter().filter_map(|row| row.over_runs.as_ref()) {
        let verdict = &over_runs.verdict;
        assert!(!verdict.contains("times"), "{verdict}");
    }
}

#[test]
fn a_comparison_can_be_stopped() {
    let test = PlayerTest::with_scenario(&SCENARIO.replace("ticks: 400", "ticks: 99999"));
    test.at(20);
    let mut ui = Ui::new(SIZE, false);
    panels::params::PANEL.set_open(&mut ui, true);
    let commands = press(Key::CtrlShiftRight, &mut ui, &test.shared.latest());
    commands.into_iter().for_each(|command| test.send(command));
    let changed = test.wait("a change", |state| state.unwritten().count() == 1);
    test.send(PlayerCommand::Compare);
    test.send(PlayerCommand::Pause);
    let state = test.wait("the end of it", |state| {
        state.notices.iter().any(|one| one.text.starts_with("not compared"))
    });
    assert_eq!(state.params, changed.params);
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
    assert!(!state.notices.iter().any(|one| is_it(&one.text) && one.text.contains("in gray")));
    assert_eq!((ticks(&state), &*state.ghost_name), expected);
}
