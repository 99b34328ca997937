//! The plot above the time bar: its values, its curve, and the mouse.

use flockwork_engine::math;
use flockwork_engine::trace::Measure;
use flockwork_engine::world::AgentId;

use super::super::area::Area;
use super::super::ask::Ask;
use super::super::frame::Frame;
use super::super::plot::{PlotSource, ShownPlot};
use super::super::plot_scale;
use super::super::plot_sources;
use super::super::tune::{Component, Knob};
use super::super::ui_command::UiCommand;
use super::super::view_state::Notice;
use super::super::widget::Widget;
use super::*;

fn widget(ui: &Ui, state: &ViewState, is_it: impl Fn(&Widget) -> bool) -> Widget {
    let frame = Frame::new(ui, state, None);
    frame.widgets().find(|widget| is_it(widget)).unwrap().clone()
}

impl PlayerTest {
    /// Plots something, and waits until no value is missing.
    fn plot(&self, source: &PlotSource) -> Arc<ViewState> {
        self.send(PlayerCommand::Plot(vec![source.clone()]));
        self.whole_plot(source)
    }

    fn whole_plot(&self, source: &PlotSource) -> Arc<ViewState> {
        self.wait("the whole plot", |state| {
            let is_whole =
                |plot: &ShownPlot| plot.curves[0].series.values.len() as u64 == state.last_tick + 1;
            state.plots.first().is_some_and(|plot| plot.source == *source && is_whole(plot))
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
    state.plots[0].curves[0].series.values.to_vec()
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
    assert_eq!(state.plots[0].curves[0].now, values(&state)[150].1);
    // New ticks are added; going back keeps the whole curve.
    test.at(230);
    let state = test.at(70);
    let expected = test.expected(230, mean_speed);
    assert_eq!(values(&state), expected);
    assert_eq!(state.plots[0].curves[0].now, expected[70].1);
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
    test.send(PlayerCommand::Plot(Vec::new()));
    test.wait("no plot", |state| state.plots.is_empty());
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
    let dropped = state.plots[0].curves[0].dropped.clone().unwrap();
    assert_eq!(dropped.values[..], before[40..]);
    assert_eq!((dropped.at(39), dropped.at(70), dropped.at(91)), (None, before[70].1, None));
    test.at(70);
    let state = test.whole_plot(&source);
    for size in [(500, 400), (1280, 800)] {
        let mut ui = Ui::new(size, false);
        ui.show_plot(Some(source.clone()));
        save_picture("plot_before_and_after", &ui, &state);
        let mut alone = (*state).clone();
        alone.plots[0].curves[0].dropped = None;
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
    assert_eq!(state.plots[0].curves[0].dropped.as_ref().unwrap().at(60), Some(20.0));
    assert!(test.plot(&source).plots[0].curves[0].dropped.is_some());
    test.send(PlayerCommand::DropGhost);
    let is_alone = |state: &ViewState| state.plots[0].curves[0].dropped.is_none();
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
fn the_wheel_and_the_title_step_through_what_can_be_plotted() {
    let test = PlayerTest::new();
    test.at(60);
    test.send(PlayerCommand::Select(Some(AgentId(4))));
    let state = test.wait("the agent", |state| state.next_turn.is_some());
    let mut ui = Ui::new(SIZE, false);
    let (plain, top) = (drawn(&ui, &state), ui.layout(&state).strip.min.y);
    let mut seen = Vec::new();
    loop {
        let commands = UiCommand::StepPlot(0, 1).execute(&mut ui, &state);
        let [PlayerCommand::Plot(sources)] = &commands[..] else {
            panic!("{commands:?}");
        };
        let [source] = &sources[..] else { panic!("{sources:?}") };
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
        "agents of each group",
        "agents of bird",
        "agents of fox",
        "speed of agent 4",
        "at.x of bird",
        "at.y of bird",
        "room of bird",
    ];
    assert_eq!(titles, expected);
    assert!(ui.layout(&state).strip.min.y < top);
    let title = widget(&ui, &state, |one| one.click == Some(UiCommand::ListPlots(0))).area;
    ui.pointer_moved(Some((title.min + title.max) / 2.0), &state);
    let plot = |source: &PlotSource| vec![PlayerCommand::Plot(vec![source.clone()])];
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
    assert!(!panels::plot_list::PANEL.is_open(&ui) && ui.plots.current().is_some());
    assert_eq!(press(Key::Escape, &mut ui, &state), [PlayerCommand::Plot(Vec::new())]);
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
                    Some(UiCommand::UnfoldGroup(index)) => Some(100 + index),
                    _ => None,
                };
                frame.widgets().filter_map(number).collect()
            };
            assert_eq!(shown(&ui), [0usize; 0]);
            for _ in 0..11 {
                UiCommand::StepPlot(0, 1).execute(&mut ui, &state);
            }
            save_picture("plot_list", &ui, &state);
            let all = shown(&ui);
            // In a small window, the explained agent needs room, too.
            assert!(all.contains(&10) && all.len() >= 3, "{all:?}");
            // The plot, the status line and the question for an expression take the room of three.
            assert!(size.1 < 800 || all.len() >= 9, "{all:?}");
            // The wheel comes to all of them, up and down.
            let row = widget(&ui, &state, |one| one.click == Some(UiCommand::ChoosePlot(10))).area;
            ui.pointer_moved(Some((row.min + row.max) / 2.0), &state);
            for (by, expected) in [(1.0, 0), (-1.0, 12)] {
                (0..14).for_each(|_| assert_eq!(ui.wheel(by, &state), []));
                assert!(shown(&ui).contains(&expected), "{size:?}: {:?}", shown(&ui));
                assert_eq!(shown(&ui).len(), all.len());
            }
            let last = *shown(&ui).last().unwrap();
            let area =
                widget(&ui, &state, |one| one.click == Some(UiCommand::ChoosePlot(last))).area;
            ui.pointer_moved(Some((area.min + area.max) / 2.0), &state);
            ui.press(Button::Left, &state);
            let commands = ui.release(&state);
            assert_eq!(commands, [PlayerCommand::Plot(ui.plots.sources.clone())]);
            assert_eq!(shown(&ui), [0usize; 0], "a click closes the list");
            let title = ui.plots.current().unwrap().title(&state);
            assert_eq!((last, title.as_str()), (14, "room of bird"));
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
            let places = ui.layout(&whole).plots[0];
            let curve = places.curve;
            let is_curve = |one: &Widget| one.area == curve;
            assert_eq!(widget(&ui, &whole, is_curve).click, Some(UiCommand::GoToPointer));
            // Each column of the recorded ticks has ink, and none of later ones.
            let pixels = drawn(&ui, &whole);
            let empty = pixels[(curve.min.y as usize) * size.0 as usize + curve.max.x as usize - 2];
            let green = |pixel: u32| pixel >> 8 & 255;
            let has_ink = |x: f32| {
                let rows = curve.min.y as usize..curve.max.y as usize;
                let mut column = rows.map(|y| pixels[y * size.0 as usize + x as usize]);
                // The lines of ticks are paler than a curve.
                column.any(|pixel| green(pixel).abs_diff(green(empty)) > 70)
            };
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

/// Returns the numbers of the rows of the list that have a button of a kind, with the area of that button.
fn buttons(ui: &Ui, state: &ViewState) -> Vec<(usize, Area)> {
    let frame = Frame::new(ui, state, None);
    let number = |one: &Widget| match one.click {
        Some(UiCommand::TogglePlot(number)) => Some((number, one.area)),
        _ => None,
    };
    frame.widgets().filter_map(number).collect()
}

#[test]
fn several_plots_are_one_below_the_other_and_the_list_adds_and_removes_them() {
    let test = PlayerTest::new();
    test.at(300);
    let state = test.at(200);
    let mut ui = Ui::new((1280, 800), false);
    press(Key::Char('j'), &mut ui, &state);
    let click = |ui: &mut Ui, number: usize| {
        let (_, area) = buttons(ui, &state).into_iter().find(|(of, _)| *of == number).unwrap();
        ui.pointer_moved(Some((area.min + area.max) / 2.0), &state);
        ui.press(Button::Left, &state);
        let commands = ui.release(&state);
        assert_eq!(commands, [PlayerCommand::Plot(ui.plots.sources.clone())]);
    };
    let measures = [Measure::MeanSpeed, Measure::Polarization, Measure::Agents];
    let sources = measures.map(PlotSource::Measure).to_vec();
    // The rows stay below the pointer until it leaves the list.
    let before = buttons(&ui, &state);
    click(&mut ui, 2);
    click(&mut ui, 7);
    let after = buttons(&ui, &state);
    assert!(after.len() > 7 && after.iter().all(|one| before.contains(one)), "{after:?}");
    // Caught: three plots had the height of one.
    let (strip, plots) = (ui.layout(&state).strip, ui.layout(&state).plots);
    assert!(plots.iter().all(|areas| areas.whole.height() >= 56.0), "{plots:?}");
    save_picture("plots_held", &ui, &state);
    ui.pointer_moved(Some(Vec2::new(100.0, 100.0)), &state);
    assert!(ui.layout(&state).strip.height() > strip.height() + 50.0);
    assert_eq!((&ui.plots.sources, ui.plots.current), (&sources, 2));
    // A click on a row changes the plot that was added last, and the wheel goes on from there.
    UiCommand::StepPlot(2, 1).execute(&mut ui, &state);
    assert_ne!(ui.plots.sources[2], sources[2]);
    assert_eq!(ui.plots.sources[..2], sources[..2]);
    ui.show_plot(sources.last().cloned());
    click(&mut ui, 5);
    assert_eq!(ui.plots.sources.len(), 4);
    assert_eq!(buttons(&ui, &state).len(), 4, "no fifth plot can be added");
    click(&mut ui, 5);
    // All of them have their values, also those of earlier ticks.
    test.send(PlayerCommand::Plot(ui.plots.sources.clone()));
    let state = test.wait("all values", |state| {
        state.plots.len() == 3
            && state.plots.iter().all(|plot| plot.curves[0].series.values.len() == 301)
    });
    let shown: Vec<_> = state.plots.iter().map(|plot| plot.source.clone()).collect();
    assert_eq!(shown, sources);
    assert_eq!(state.plots[0].curves[0].series.values[..], test.expected(300, mean_speed));
    save_picture("plots_list", &ui, &state);
    press(Key::Escape, &mut ui, &state);
    for size in [(500, 400), (1280, 800), (3840, 2160)] {
        ui.set_scale(Scale::new(size, Some(1.0)));
        let layout = ui.layout(&state);
        let curves: Vec<_> = layout.plots.iter().map(|areas| areas.curve).collect();
        assert!(curves.windows(2).all(|pair| pair[0].max.y < pair[1].min.y));
        assert!(curves.iter().all(|area| area.height() >= 24.0), "{size:?}: {curves:?}");
        save_picture("plots", &ui, &state);
    }
    // Esc closes all of them.
    assert_eq!(press(Key::Escape, &mut ui, &state), [PlayerCommand::Plot(Vec::new())]);
    assert!(ui.layout(&state).plots.is_empty());
    // What was chosen is not forgotten.
    let again = press(Key::Char('j'), &mut ui, &state);
    assert_eq!(again, [PlayerCommand::Plot(sources.clone())]);
    assert_eq!(ui.plots.sources, sources);
    // Caught: there was room for the plots, but they were not drawn, and esc did not close them again.
    assert!(panels::plot::PANEL.is_open(&ui));
    press(Key::Escape, &mut ui, &state);
    assert_eq!(press(Key::Escape, &mut ui, &state), [PlayerCommand::Plot(Vec::new())]);
}

#[test]
fn the_values_under_the_pointer_are_shown_in_all_plots() {
    let test = PlayerTest::new();
    test.at(300);
    let sources = [Measure::MeanSpeed, Measure::Spread].map(PlotSource::Measure).to_vec();
    test.send(PlayerCommand::Plot(sources.clone()));
    let state = test.wait("all values", |state| {
        state.plots.len() == 2
            && state.plots.iter().all(|plot| plot.curves[0].series.values.len() == 301)
    });
    let mut ui = Ui::new((1280, 800), true);
    for source in sources {
        ui.add_or_remove_plot(source);
    }
    let (layout, plain) = (ui.layout(&state), drawn(&ui, &state));
    let x = layout.x_of(120, &state);
    for area in [layout.plots[0].curve, layout.plots[1].curve, layout.time] {
        ui.pointer_moved(Some(Vec2::new(x, area.min.y + 8.0)), &state);
        save_picture(&format!("plots_pointer_{}", area.min.y), &ui, &state);
        let now = drawn(&ui, &state);
        for areas in &layout.plots {
            let curve = areas.curve;
            let changed = |at: Vec2| {
                now[at.y as usize * 1280 + at.x as usize]
                    != plain[at.y as usize * 1280 + at.x as usize]
            };
            assert!(changed(Vec2::new(x.round(), curve.min.y + 2.0)), "the line at the tick");
            // It is below the curve where that is high.
            let is_written = [curve.min.y, curve.max.y - 18.0].map(|top| {
                let label = (0..18 * 60).map(|i| Vec2::new((8 + i % 60) as f32, (i / 60) as f32));
                let label = label.map(|by| Vec2::new(x.round(), top) + by);
                label.filter(|at| changed(*at)).count() > 100
            });
            assert!(is_written[0] != is_written[1], "the value beside it: {is_written:?}");
        }
    }
    ui.pointer_moved(Some(Vec2::new(300.0, 200.0)), &state);
    assert!(drawn(&ui, &state) == plain);
}

#[test]
fn the_edge_of_the_plots_is_dragged() {
    let test = PlayerTest::new();
    let state = test.at(30);
    for (count, expected) in [(1, [96.0, 150.0, 56.0, 480.0]), (2, [96.0, 75.0, 56.0, 240.0])] {
        let mut ui = Ui::new((1280, 800), false);
        for measure in [Measure::MeanSpeed, Measure::Spread].into_iter().take(count) {
            ui.add_or_remove_plot(PlotSource::Measure(measure));
        }
        let height = |ui: &Ui| ui.layout(&state).plots[0].whole.height();
        assert_eq!(height(&ui), expected[0]);
        let bottom = ui.layout(&state).plots[count - 1].whole.max.y;
        let edge = widget(&ui, &state, |one| one.click == Some(UiCommand::ResizePlots)).area;
        ui.pointer_moved(Some((edge.min + edge.max) / 2.0), &state);
        ui.press(Button::Left, &state);
        for (y, expected) in [bottom - 150.0, bottom, 10.0].into_iter().zip(&expected[1..]) {
            ui.pointer_moved(Some(Vec2::new(700.0, y)), &state);
            assert_eq!(height(&ui), *expected, "{count}: {y}");
        }
    }
}

/// Without a plot, nothing is measured or simulated again.
#[test]
fn nothing_is_recorded_while_no_plot_is_open() {
    let test = PlayerTest::new();
    let state = test.at(50);
    assert!(state.plots.is_empty());
    let source = PlotSource::Measure(Measure::MaxSpeed);
    test.plot(&source);
    test.send(PlayerCommand::Plot(Vec::new()));
    test.wait("no plot", |state| state.plots.is_empty());
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

/// Only measures could be plotted, not what the person wants to know.
#[test]
fn an_expression_is_plotted_from_the_first_tick() {
    let test = PlayerTest::new();
    let state = test.at(120);
    let mut ui = Ui::new(SIZE, false);
    let ask = |ui: &mut Ui, text: &str| {
        press(Key::Ctrl('j'), ui, &test.shared.latest());
        ui.question.as_mut().unwrap().text = text.to_owned();
        let tried = test.shared.latest().answer.tried;
        test.send_all(press(Key::Enter, ui, &test.shared.latest()));
        let state = test.wait("the answer", |state| state.answer.tried > tried);
        let commands = ui.follow(&state);
        test.send_all(commands.clone());
        commands
    };
    assert!(state.plots.is_empty());
    // A mean over those that have a number, and how many fulfill a condition.
    assert!(matches!(&ask(&mut ui, "me.speed * 2")[..], [PlayerCommand::Plot(_)]));
    let source = ui.plots.sources[0].clone();
    assert_eq!(source.name().unwrap(), "mean of me.speed * 2");
    let state = test.whole_plot(&source);
    let expected = test.expected(120, |run| 2.0 * mean_speed(run));
    for (shown, expected) in values(&state).iter().zip(expected) {
        let (shown, other) = (shown.1.unwrap(), expected.1.unwrap());
        assert!((shown - other).abs() < 1e-3, "{expected:?}: {shown}");
    }
    ask(&mut ui, "me.speed > 55");
    let count = ui.plots.sources[1].clone();
    assert_eq!(
        (count.name().unwrap().as_str(), count.unit()),
        ("agents with me.speed > 55", "agents")
    );
    let state = test.plot(&count);
    let fast = |run: &Run| {
        let agents = &run.simulation().world().agents;
        (0..agents.len()).filter(|row| math::length(agents.vel(*row)) > 55.0).count() as f32
    };
    assert_eq!(values(&state), test.expected(120, fast));
    assert!(values(&state).iter().any(|(_, value)| *value > Some(0.0)));
    // A mistake is told, and plots nothing. The words stay.
    assert!(ask(&mut ui, "me.sped").is_empty());
    let error = ui.question.as_ref().unwrap().error.clone().unwrap();
    assert!(error.contains("`speed`"), "{error}");
    assert!(ask(&mut ui, "\"fast\"").is_empty());
    // Caught: only that there is no function `mean` was told.
    assert!(ask(&mut ui, "mean(me.sped)").is_empty());
    let error = ui.question.as_ref().unwrap().error.clone().unwrap();
    let begin = "the mean is taken already, so write only `me.sped`; and ";
    assert!(error.starts_with(begin) && error.contains("did you mean `speed`"), "{error}");
    assert!(ask(&mut ui, "count(me.speed > 5)").is_empty());
    let error = ui.question.as_ref().unwrap().error.clone().unwrap();
    assert_eq!(error, "agents are counted already, so write only `me.speed > 5`");
    assert_eq!(ui.plots.sources.len(), 2);
    press(Key::Escape, &mut ui, &state);
    // The list has them from now on.
    panels::plot_list::PANEL.set_open(&mut ui, true);
    save_picture("plot_expression", &ui, &state);
    widget(&ui, &state, |one| one.click == Some(UiCommand::Ask(Ask::Plot)));
    let all = plot_sources::sources(&state, ui.params(&state).0, ui.params(&state).1);
    assert_eq!(all[all.len() - 2..], [source, count]);
}

/// Returns how many agents a group has.
fn count(run: &Run, group: &str) -> f32 {
    let world = run.simulation().world();
    world.iter().filter(|agent| &*agent.group().name == group).count() as f32
}

/// Wolves and sheep had to be in two plots, each with its own axis.
#[test]
fn the_numbers_of_agents_of_all_groups_share_a_plot() {
    let events = "events: [At(tick: 20, do: Remove(group: \"fox\"))], groups";
    let test = PlayerTest::with_scenario(&SCENARIO.replacen("groups", events, 1));
    test.at(40);
    let state = test.plot(&PlotSource::AllCounts);
    let mut ui = Ui::new(SIZE, false);
    ui.show_plot(Some(PlotSource::AllCounts));
    save_picture("plot_groups", &ui, &state);
    let pixels = drawn(&ui, &state);
    let layout = ui.layout(&state);
    let scale = plot_scale::Scale::new(layout.plots[0].curve, [0.0, 12.0].into_iter()).unwrap();
    let curves = &state.plots[0].curves;
    assert_eq!(curves.len(), 2);
    for (curve, (index, group)) in curves.iter().zip(["bird", "fox"].into_iter().enumerate()) {
        let values = curve.series.values.to_vec();
        assert_eq!(values, test.expected(40, |run| count(run, group)), "{group}");
        assert_eq!(curve.now, values[40].1);
        let color = ui.palette().group(index);
        let (x, y) = (layout.x_of(10, &state) as usize, scale.y(values[10].1.unwrap()) as usize);
        let is_near = |pixel: u32| {
            let [_, red, green, blue] = pixel.to_be_bytes();
            let both = [(red, color.red), (green, color.green), (blue, color.blue)];
            both.iter().all(|(drawn, own)| drawn.abs_diff(*own) < 100)
        };
        assert!((y - 1..=y + 1).any(|y| is_near(pixels[y * SIZE.0 as usize + x])), "{group}");
    }
    // A single group has nothing to share a plot with.
    let all =
        |state: &ViewState| plot_sources::sources(state, ui.params(state).0, ui.params(state).1);
    assert!(all(&state).contains(&PlotSource::AllCounts));
    let fox = SCENARIO.find("        \"fox\"").unwrap();
    let alone = format!("{}}},\n)", &SCENARIO[..fox]);
    let state = PlayerTest::with_scenario(&alone).at(1);
    assert!(
        !all(&state).iter().any(|one| matches!(one, PlotSource::AllCounts | PlotSource::Count(_)))
    );
}

/// Where agents die, one wants to see how many there are; and expressions were taken for numbers when none was left.
#[test]
fn the_numbers_of_agents_of_groups_are_plotted_first_where_they_change() {
    let events = "events: [At(tick: 20, do: Remove(group: \"bird\")), At(tick: 40, do: Remove(group: \"fox\"))], groups";
    let test = PlayerTest::with_scenario(&SCENARIO.replacen("groups", events, 1));
    let state = test.at(30);
    let mut ui = Ui::new(SIZE, false);
    press(Key::Char('j'), &mut ui, &state);
    assert_eq!(ui.plots.sources, [PlotSource::AllCounts]);
    UiCommand::StepPlot(0, 1).execute(&mut ui, &state);
    let source = PlotSource::Count("bird".to_owned());
    assert_eq!(ui.plots.sources, std::slice::from_ref(&source));
    let state = test.plot(&source);
    assert_eq!(values(&state), test.expected(30, |run| count(run, "bird")));
    let state = test.at(50);
    let is_told = |one: &Notice| one.text == "the last agent is gone at tick 41";
    assert!(state.notices.iter().any(is_told), "{:?}", state.notices);
    assert!(state.world.agents.is_empty());
    test.send(PlayerCommand::AddExpression("me.group == \"fox\"".to_owned()));
    let state = test.wait("the expression", |state| !state.expressions.is_empty());
    assert_eq!(state.expressions[0].name().unwrap(), "agents with me.group == \"fox\"");
}

/// The measures of a group were in no list, and no expression knew them.
#[test]
fn measures_of_a_group_are_behind_its_name_and_known_by_their_names() {
    let test = PlayerTest::new();
    let state = test.at(40);
    let mut ui = Ui::new((1280, 1000), false);
    press(Key::Char('j'), &mut ui, &state);
    let names = |ui: &Ui| {
        let frame = Frame::new(ui, &state, None);
        let tips = frame.widgets().filter_map(|one| Some((one.click?, one.tip_words().0?)));
        let plots = tips.filter(|(click, _)| matches!(click, UiCommand::ChoosePlot(_)));
        plots.map(|(_, tip)| tip.to_owned()).collect::<Vec<_>>()
    };
    let folded = names(&ui);
    assert!(!folded.iter().any(|name| name.contains("fox.")), "{folded:?}");
    UiCommand::UnfoldGroup(1).execute(&mut ui, &state);
    save_picture("plot_list_group", &ui, &state);
    assert!(names(&ui).len() > folded.len(), "{:?}", names(&ui));
    // In a small window, the list scrolls to them.
    let mut small = Ui::new((900, 560), false);
    press(Key::Char('j'), &mut small, &state);
    UiCommand::UnfoldGroup(1).execute(&mut small, &state);
    assert!(
        names(&small).iter().any(|name| name.contains("fox.mean_speed")),
        "{:?}",
        names(&small)
    );
    let row = widget(&ui, &state, |one| {
        one.tip_words().0.is_some_and(|tip| tip.starts_with("plot this: fox.mean_speed, "))
    });
    row.click.unwrap().execute(&mut ui, &state);
    let source = PlotSource::OfGroup { group: "fox".to_owned(), measure: Measure::MeanSpeed };
    assert_eq!(ui.plots.sources, std::slice::from_ref(&source));
    assert_eq!(source.unit(), Measure::MeanSpeed.unit());
    let state = test.plot(&source);
    let of_foxes = |run: &Run| {
        let world = run.simulation().world();
        let speeds = world.iter().filter(|one| &*one.group().name == "fox");
        let speeds: Vec<f32> = speeds.map(|one| math::length(one.vel())).collect();
        speeds.iter().sum::<f32>() / speeds.len() as f32
    };
    for (shown, expected) in values(&state).iter().zip(test.expected(40, of_foxes)) {
        assert!((shown.1.unwrap() - expected.1.unwrap()).abs() < 1e-3, "{expected:?}: {shown:?}");
    }
    // What is plotted stays in the list when its group is folded again.
    UiCommand::UnfoldGroup(1).execute(&mut ui, &state);
    panels::plot_list::PANEL.set_open(&mut ui, true);
    let folded = names(&ui);
    assert_eq!(folded.iter().filter(|name| name.contains("fox.")).count(), 1, "{folded:?}");
    // The names are known where an expression is asked for.
    let mut ask = |text: &str| {
        press(Key::Ctrl('j'), &mut ui, &state);
        ui.question.as_mut().unwrap().text = text.to_owned();
        let commands = press(Key::Enter, &mut ui, &state);
        let error = ui.question.take().and_then(|question| question.error);
        (commands, ui.plots.current().and_then(PlotSource::name), error)
    };
    let bird = "bird.polarization";
    assert!(matches!(ask(bird), (_, Some(name), None) if name == bird));
    assert!(matches!(ask("bird.agents"), (_, Some(name), None) if name == "agents of bird"));
    let (commands, _, error) = ask("bird.mean_sped");
    assert_eq!(commands, []);
    assert!(error.as_ref().unwrap().contains("did you mean `mean_speed`?"), "{error:?}");
    let (_, _, error) = ask("brid.mean_speed");
    assert!(error.as_ref().unwrap().contains("did you mean `bird`?"), "{error:?}");
    let (_, _, error) = ask("fox.path_length");
    assert!(error.as_ref().unwrap().contains("counts from the first tick on"), "{error:?}");
    let (_, _, error) = ask("fox.state.energy.mean");
    assert!(error.as_ref().unwrap().contains("no public state `energy`"), "{error:?}");
    // `energy` is a measure that counts from the first tick on, but not of an agent.
    for expression in ["me.speed", "me.state.energy", "me.energy"] {
        let (commands, _, _) = ask(expression);
        assert_eq!(commands, [PlayerCommand::AddExpression(expression.to_owned())]);
    }
}

#[test]
fn an_expression_computes_with_measures_of_groups() {
    let test = PlayerTest::new();
    test.at(30);
    let text = "now.groups.fox.agents * 2 + now.mean_speed";
    test.send(PlayerCommand::AddExpression(text.to_owned()));
    let state = test.wait("the expression", |state| !state.expressions.is_empty());
    let source = state.expressions[0].clone();
    assert_eq!(source.name().as_deref(), Some(text));
    let state = test.plot(&source);
    let expected = |run: &Run| {
        let world = run.simulation().world();
        let foxes = world.iter().filter(|one| &*one.group().name == "fox").count();
        2.0 * foxes as f32 + mean_speed(run)
    };
    assert_eq!(values(&state), test.expected(30, expected));
    for (wrong, why) in [
        ("now.groups.fux.agents", "fox"),
        ("now.mean_sped", "mean_speed"),
        ("now.path_length", "counts from the first tick on"),
        // Caught: it was about a `vec` that nobody had written.
        ("me.pos", "expected a number, found a vector; write `me.pos.x`"),
        ("me", "expected a number, found `me`"),
    ] {
        test.send(PlayerCommand::AddExpression(wrong.to_owned()));
        let is_told =
            |state: &ViewState| state.answer.error.as_ref().is_some_and(|one| one.contains(why));
        test.wait(wrong, is_told);
    }
}
