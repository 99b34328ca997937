//! The plot above the time bar: its values, its curve, and the mouse.

use flockwork_engine::math;
use flockwork_engine::trace::Measure;
use flockwork_engine::world::AgentId;

use super::super::frame::Frame;
use super::super::plot::{PlotSource, ShownPlot};
use super::super::tune::{Component, Knob};
use super::super::ui_command::UiCommand;
use super::super::widget::Widget;
use super::*;

fn widget(ui: &Ui, state: &ViewState, is_it: impl Fn(&Widget) -> bool) -> Widget {
    let frame = Frame::new(ui, state, None);
    frame.widgets().find(|widget| is_it(widget)).unwrap().clone()
}

impl PlayerTest {
    /// Plots something, and waits until no value is missing.
    fn plot(&self, source: &PlotSource) -> Arc<ViewState> {
        self.send(PlayerCommand::Plot(Some(source.clone())));
        self.whole_plot(source)
    }

    fn whole_plot(&self, source: &PlotSource) -> Arc<ViewState> {
        self.wait("the whole plot", |state| {
            let is_whole =
                |plot: &ShownPlot| plot.series.values.len() as u64 == state.last_tick + 1;
            state.plot.as_ref().is_some_and(|plot| plot.source == *source && is_whole(plot))
        })
    }

    /// Returns what the ticks of a run without a window have.
    fn expected(&self, ticks: u64, value: impl Fn(&Run) -> f32) -> Vec<(u64, Option<f32>)> {
        let mut run = Run::open(&self.path(), &Options::default()).unwrap();
        let mut all = vec![(0, Some(value(&run)))];
        for tick in 1..=ticks {
            run.step().unwrap();
            all.push((tick, Some(value(&run))));
        }
        all
    }
}

fn values(state: &ViewState) -> Vec<(u64, Option<f32>)> {
    state.plot.as_ref().unwrap().series.values.to_vec()
}

fn mean_speed(run: &Run) -> f32 {
    flockwork_engine::trace::mean_speed(run.simulation().world()).unwrap()
}

#[test]
fn a_plot_has_the_values_of_all_ticks_even_of_those_before_it_was_opened() {
    let test = PlayerTest::new();
    test.at(150);
    let source = PlotSource::Measure(Measure::MeanSpeed);
    let state = test.plot(&source);
    assert_eq!(state.world.tick, 150, "nothing else moves");
    assert_eq!(values(&state), test.expected(150, mean_speed));
    assert_eq!(state.plot.as_ref().unwrap().now, values(&state)[150].1);
    // New ticks are added; going back keeps the whole curve.
    test.at(230);
    let state = test.at(70);
    let expected = test.expected(230, mean_speed);
    assert_eq!(values(&state), expected);
    assert_eq!(state.plot.as_ref().unwrap().now, expected[70].1);
    // Also the speed of an agent that is selected later, and a measure that is only taken while it is shown.
    test.send(PlayerCommand::Select(Some(AgentId(4))));
    let speed = |run: &Run| {
        let agents = &run.simulation().world().agents;
        agents.vel(agents.row(AgentId(4)).unwrap()).length()
    };
    assert_eq!(values(&test.plot(&PlotSource::Speed)), test.expected(230, speed));
    let closest = |run: &Run| {
        flockwork_engine::trace::closest_pair(run.simulation().world()).unwrap().distance
    };
    let state = test.plot(&PlotSource::Measure(Measure::ClosestPair));
    assert_eq!(values(&state), test.expected(230, closest));
    test.send(PlayerCommand::Plot(None));
    test.wait("no plot", |state| state.plot.is_none());
}

#[test]
fn the_values_of_a_dropped_future_are_replaced() {
    let test = PlayerTest::new();
    let knob = Knob { param: "room".into(), component: Component::Whole };
    let room = PlotSource::Param { group: "bird".into(), knob: knob.clone() };
    test.at(90);
    assert!(values(&test.plot(&room)).iter().all(|(_, value)| *value == Some(20.0)));
    let before = values(&test.plot(&PlotSource::Measure(Measure::MeanSpeed)));
    test.at(40);
    test.send(PlayerCommand::Tune { group: "bird".into(), knob, steps: 10.0 });
    test.wait("the change", |state| state.last_tick == 40);
    let source = PlotSource::Measure(Measure::MeanSpeed);
    let state = test.whole_plot(&source);
    assert_eq!(values(&state), before[..=40]);
    // The ghost keeps the values that were dropped.
    let dropped = state.plot.as_ref().unwrap().dropped.clone().unwrap();
    assert_eq!(dropped.values[..], before[40..]);
    assert_eq!((dropped.at(39), dropped.at(70), dropped.at(91)), (None, before[70].1, None));
    test.at(70);
    let state = test.whole_plot(&source);
    for size in [(500, 400), (1280, 800)] {
        let mut ui = Ui::new(size, false);
        ui.show_plot(Some(source.clone()));
        save_picture("plot_before_and_after", &ui, &state);
        let shown = state.plot.clone().unwrap();
        let alone =
            ViewState { plot: Some(ShownPlot { dropped: None, ..shown }), ..(*state).clone() };
        assert!(drawn(&ui, &state) != drawn(&ui, &alone));
    }
    test.at(90);
    let after = values(&test.whole_plot(&source));
    assert_eq!(after.len(), 91);
    assert_eq!(after[..=40], before[..=40]);
    assert_ne!(after[60..], before[60..]);
    // The curve of the param has a step there, although nothing was recorded then.
    let state = test.plot(&room);
    for (tick, value) in values(&state) {
        assert_eq!(value, Some(if tick <= 40 { 20.0 } else { 30.0 }), "{tick}");
    }
    // The values before belong to the ghost.
    assert_eq!(state.plot.as_ref().unwrap().dropped.as_ref().unwrap().at(60), Some(20.0));
    assert!(test.plot(&source).plot.as_ref().unwrap().dropped.is_some());
    test.send(PlayerCommand::DropGhost);
    let is_alone = |state: &ViewState| state.plot.as_ref().unwrap().dropped.is_none();
    test.wait("no ghost", is_alone);
    // An edit that changes the number of agents takes effect at its tick.
    fs::write(test.path(), SCENARIO.replace("count: 12", "count: 5")).unwrap();
    test.wait("the edit", |state| state.edits.len() > 1);
    test.at(100);
    let state = test.plot(&PlotSource::Measure(Measure::Agents));
    for (tick, value) in values(&state) {
        assert_eq!(value, Some(if tick < 90 { 13.0 } else { 6.0 }), "{tick}");
    }
}

#[test]
fn a_key_the_wheel_and_the_title_step_through_what_can_be_plotted() {
    let test = PlayerTest::new();
    test.at(60);
    test.send(PlayerCommand::Select(Some(AgentId(4))));
    let state = test.wait("the agent", |state| state.next_turn.is_some());
    let mut ui = Ui::new(SIZE, false);
    let (plain, top) = (drawn(&ui, &state), ui.layout(&state).strip.min.y);
    let mut seen = Vec::new();
    loop {
        let commands = press(Key::Char('j'), &mut ui, &state);
        let [PlayerCommand::Plot(Some(source))] = &commands[..] else {
            panic!("{commands:?}");
        };
        if seen.contains(source) {
            break;
        }
        seen.push(source.clone());
    }
    let titles: Vec<String> = seen.iter().map(|source| source.title(&state)).collect();
    let expected = [
        "mean_speed",
        "max_speed",
        "polarization",
        "closest_pair",
        "spread",
        "density",
        "goals_reached",
        "agents",
        "speed of agent 4",
        "at.x of bird",
        "at.y of bird",
        "room of bird",
    ];
    assert_eq!(titles, expected);
    assert!(ui.layout(&state).strip.min.y < top);
    let title =
        widget(&ui, &state, |one| one.click == Some(panels::plot_list::PANEL.toggle())).area;
    ui.pointer_moved(Some((title.min + title.max) / 2.0), &state);
    let plot = |source: &PlotSource| vec![PlayerCommand::Plot(Some(source.clone()))];
    assert_eq!(ui.wheel(-1.0, &state), plot(&seen[1]));
    assert_eq!(ui.wheel(1.0, &state), plot(&seen[0]));
    assert_eq!(ui.wheel(1.0, &state), plot(seen.last().unwrap()));
    // The title closes the list, and opens it again.
    for is_open in [false, true] {
        ui.press(Button::Left, &state);
        assert_eq!((ui.release(&state), panels::plot_list::PANEL.is_open(&ui)), (vec![], is_open));
    }
    // The list closes before the plot, and the plot before the agent is deselected.
    assert_eq!(press(Key::Escape, &mut ui, &state), []);
    assert!(!panels::plot_list::PANEL.is_open(&ui) && ui.plot.is_some());
    assert_eq!(press(Key::Escape, &mut ui, &state), [PlayerCommand::Plot(None)]);
    ui.pointer_moved(None, &state);
    assert_eq!(drawn(&ui, &state), plain);
}

#[test]
fn the_list_shows_all_that_can_be_plotted_and_a_click_chooses() {
    let test = PlayerTest::new();
    test.at(60);
    test.send(PlayerCommand::Select(Some(AgentId(4))));
    let state = test.wait("the agent", |state| state.next_turn.is_some());
    for size in [(500, 400), (1280, 800), (3840, 2160)] {
        for is_dark in [false, true] {
            let mut ui = Ui::new(size, is_dark);
            let shown = |ui: &Ui| -> Vec<usize> {
                let frame = Frame::new(ui, &state, None);
                let number = |one: &Widget| match one.click {
                    Some(UiCommand::ChoosePlot(number)) => Some(number),
                    _ => None,
                };
                frame.widgets().filter_map(number).collect()
            };
            assert_eq!(shown(&ui), [0usize; 0]);
            for _ in 0..11 {
                press(Key::Char('j'), &mut ui, &state);
            }
            save_picture("plot_list", &ui, &state);
            let all = shown(&ui);
            // In a small window, the explained agent needs room, too.
            assert!(all.contains(&10) && all.len() >= 3, "{all:?}");
            assert!(size.1 < 800 || all == (0..12).collect::<Vec<_>>(), "{all:?}");
            let last = *all.last().unwrap();
            let area =
                widget(&ui, &state, |one| one.click == Some(UiCommand::ChoosePlot(last))).area;
            ui.pointer_moved(Some((area.min + area.max) / 2.0), &state);
            ui.press(Button::Left, &state);
            let commands = ui.release(&state);
            assert_eq!(commands, [PlayerCommand::Plot(ui.plot.clone())]);
            assert_eq!(shown(&ui), [0usize; 0], "a click closes the list");
            let title = ui.plot.as_ref().unwrap().title(&state);
            assert_eq!(title, if last == 11 { "room of bird" } else { "at.y of bird" }, "{last}");
        }
    }
}

#[test]
fn a_curve_is_drawn_in_windows_of_any_size_and_a_click_goes_to_its_tick() {
    let test = PlayerTest::new();
    test.at(300);
    let source = PlotSource::Measure(Measure::Polarization);
    test.plot(&source);
    let whole = test.at(200);
    test.send(PlayerCommand::Select(Some(AgentId(4))));
    let selected = test.wait("the agent", |state| state.next_turn.is_some());
    for size in [(500, 400), (1280, 800), (3840, 2160)] {
        for is_dark in [false, true] {
            let mut ui = Ui::new(size, is_dark);
            ui.show_plot(Some(source.clone()));
            save_picture("plot", &ui, &whole);
            save_picture("plot_agent", &ui, &selected);
            let places = ui.layout(&whole).plot.unwrap();
            let curve = places.curve;
            let is_curve = |one: &Widget| one.area == curve;
            assert_eq!(widget(&ui, &whole, is_curve).click, Some(UiCommand::GoToPointer));
            // Each column of the recorded ticks has ink, and none of later ones.
            let pixels = drawn(&ui, &whole);
            let color = ui.palette().panel;
            let ground = u32::from_be_bytes([0, color.red, color.green, color.blue]);
            let empty = pixels[(curve.min.y as usize) * size.0 as usize + curve.max.x as usize - 2];
            let has_ink = |x: f32| {
                let rows = curve.min.y as usize..curve.max.y as usize;
                let mut column = rows.map(|y| pixels[y * size.0 as usize + x as usize]);
                column.any(|pixel| pixel != empty)
            };
            assert!(color.alpha != 255 || empty == ground);
            for tick in (2..298).step_by(7) {
                assert!(has_ink(ui.layout(&whole).x_of(tick, &whole)), "{size:?}: {tick}");
            }
            for tick in (305..395).step_by(7) {
                assert!(!has_ink(ui.layout(&whole).x_of(tick, &whole)), "{size:?}: {tick}");
            }
            let at = ui.layout(&whole).x_of(120, &whole);
            ui.pointer_moved(Some(Vec2::new(at, curve.min.y + 20.0)), &whole);
            assert_eq!(ui.press(Button::Left, &whole), [PlayerCommand::Seek(120)]);
            ui.release(&whole);
        }
    }
}

/// Without a plot, nothing is measured or simulated again.
#[test]
fn nothing_is_recorded_while_no_plot_is_open() {
    let test = PlayerTest::new();
    let state = test.at(50);
    assert!(state.plot.is_none());
    let source = PlotSource::Measure(Measure::MaxSpeed);
    test.plot(&source);
    test.send(PlayerCommand::Plot(None));
    test.wait("no plot", |state| state.plot.is_none());
    test.at(80);
    test.at(20);
    // The values of the ticks between are filled in when it is opened again.
    let state = test.plot(&source);
    let fastest = |run: &Run| {
        let agents = &run.simulation().world().agents;
        agents.velocities().map(|vel| vel.length()).fold(0.0, math::max)
    };
    assert_eq!(values(&state), test.expected(80, fastest));
}
