//! The comparison of params: its table, and the plots beside it.

use super::super::compared::ComparedRow;
use super::super::frame::Frame;
use super::super::plot::PlotSource;
use super::super::tune::knobs;
use super::super::ui_command::UiCommand;
use super::*;

/// Birds that leave the world: the more, the larger their room is.
const LEAVING: &str = "
fn steer(me) {
    if me.random() * 4000 < me.params.room { me.leave(); }
    me.wander()
}";

/// Returns a player in whose world birds leave, after the room of the birds was set to another value.
fn changed_player(room: &str) -> PlayerTest {
    let test = PlayerTest::with_scenario(&SCENARIO.replace("ticks: 400", "ticks: 100"));
    let before = test.at(5).edits.len();
    test.script("bird", LEAVING);
    test.wait("the script", |state| state.edits.len() > before && state.errors.is_empty());
    let (group, text) = ("bird".to_owned(), room.to_owned());
    let knob = knobs(&test.shared.latest().params[0]).remove(2);
    test.send(PlayerCommand::SetParam { group, knob, text });
    test.wait("a change", |state| state.unwritten().count() == 1);
    test
}

fn rows(state: &ViewState) -> &[ComparedRow] {
    state.compared.as_ref().map_or(&[], |table| &table.rows)
}

/// Waits until both parts of a table are complete.
fn compared(test: &PlayerTest) -> Arc<ViewState> {
    let is_here = |row: &ComparedRow| row.is_count && row.here.is_some();
    test.wait("the table", |state| {
        let has_runs = state.compared.as_ref().is_some_and(|table| table.has_runs());
        has_runs && rows(state).iter().any(is_here)
    })
}

/// The ten other seeds had all agents together, and no number for each group.
#[test]
fn numbers_of_agents_that_change_are_first() {
    let test = changed_player("90");
    let state = test.shared.latest();
    let mut ui = Ui::new(SIZE, false);
    test.send_all(UiCommand::CompareParams.execute(&mut ui, &state));
    let state = compared(&test);
    let first = &rows(&state)[0];
    assert_eq!((&*first.name, first.is_count), ("agents of bird", true));
    let own = |values: &[String; 2]| values.each_ref().map(|one| one.parse::<f32>().unwrap());
    let [mine, others] = own(&first.over_runs.as_ref().unwrap().values);
    assert!(mine < others && others < 12.0, "{mine} {others}");
    let [mine, others] = own(first.here.as_ref().unwrap());
    assert!(mine < others && others < 12.0, "{mine} {others}");
    // The only fox stays in each run: its number is among those of this run, and says no more.
    let fox = rows(&state).iter().find(|row| row.name == "agents of fox").unwrap();
    assert!(fox.is_pale() && fox.over_runs.is_none());
    assert_eq!(first.plot_source(&state), Some(PlotSource::Count("bird".to_owned())));
    ui.follow(&state);
    assert_eq!(ui.plots.sources, [PlotSource::AllCounts]);
    save_picture("comparison_counts", &ui, &state);
    // With a plot of them, both have a row for the other seeds.
    test.send(PlayerCommand::Plot(vec![PlotSource::AllCounts]));
    test.wait("the plot", |state| state.plots.len() == 1);
    test.send(PlayerCommand::Compare);
    let fox = |state: &ViewState| {
        rows(state).iter().any(|row| row.name == "agents of fox" && row.over_runs.is_some())
    };
    let state = test.wait("the fox", fox);
    // An expression that is new has no curve of the run before, and nothing said so.
    assert!(state.plots.iter().all(|plot| !plot.lacks_dashed));
    let text = "me.speed >= 0".to_owned();
    test.send(PlayerCommand::AddExpression(text));
    let is_new = |source: &PlotSource| matches!(source, PlotSource::Expression { .. });
    let state = test.wait("the expression", |state| state.expressions.iter().any(is_new));
    let expression = state.expressions.iter().find(|one| is_new(one)).unwrap().clone();
    test.send(PlayerCommand::Plot(vec![PlotSource::AllCounts, expression]));
    // The run before is simulated again for it.
    let is_whole = |state: &ViewState| {
        state.plots.len() == 2 && state.plots.iter().all(|one| !one.lacks_dashed && !one.is_filling)
    };
    let state = test.wait("two plots with both curves", is_whole);
    let dashed = |plot: usize, curve: usize| {
        state.plots[plot].curves[curve].dropped.clone().expect("a dashed curve")
    };
    let ticks: Vec<u64> = dashed(1, 0).values.iter().map(|(tick, _)| *tick).collect();
    assert_eq!((ticks.first(), ticks.last()), (Some(&0), Some(&100)));
    // It is the same run, in which the expression is true for each agent.
    let count = |tick: u64| dashed(0, 0).at(tick).unwrap() + dashed(0, 1).at(tick).unwrap();
    assert!(ticks.iter().all(|tick| dashed(1, 0).at(*tick).unwrap() == count(*tick)));
}

/// A comparison opened another plot than the one that the person had chosen and closed.
#[test]
fn a_comparison_opens_a_plot_only_if_none_was_ever_chosen() {
    let test = changed_player("90");
    let state = test.shared.latest();
    let mut ui = Ui::new(SIZE, false);
    ui.show_plot(Some(PlotSource::AllCounts));
    panels::plot::PANEL.set_open(&mut ui, false);
    assert!(ui.plots.sources.is_empty());
    let commands = UiCommand::CompareParams.execute(&mut ui, &state);
    assert_eq!(commands, [PlayerCommand::Compare]);
    assert!(ui.plots.sources.is_empty());
    // One that the window had chosen is no choice of the person.
    let mut ui = Ui::new(SIZE, false);
    UiCommand::CompareParams.execute(&mut ui, &state);
    panels::plot::PANEL.set_open(&mut ui, false);
    let commands = UiCommand::CompareParams.execute(&mut ui, &state);
    assert!(matches!(&commands[..], [PlayerCommand::Plot(_), PlayerCommand::Compare]));
}

/// The table was empty until all runs had ended.
#[test]
fn the_table_shows_what_is_known_while_the_other_runs_are_not_complete() {
    let test = changed_player("90");
    let state = test.shared.latest();
    let mut ui = Ui::new((1280, 800), false);
    test.send_all(UiCommand::CompareParams.execute(&mut ui, &state));
    let state = test.wait("the first run", |state| {
        rows(state).iter().any(|row| row.other_here.is_some() && row.here.is_none())
    });
    let mut state = ViewState::clone(&state);
    let table = Arc::make_mut(state.compared.as_mut().unwrap());
    table.rows.iter_mut().for_each(|row| row.over_runs = None);
    let words = "comparing over 10 seeds: 7 of 20 runs so far";
    state.background_task = Some(words.to_owned());
    assert_eq!(panels::comparison::progress(&ui, &state), Some(words));
    let open = drawn(&ui, &state);
    save_picture("comparison_begins", &ui, &state);
    state.background_task = None;
    assert!(drawn(&ui, &state) != open);
    // Otherwise, a message says it.
    panels::comparison::PANEL.set_open(&mut ui, false);
    assert_eq!(panels::comparison::progress(&ui, &state), None);
}

/// Only one row of the table was visible, between panels that the audience had seen before.
#[test]
fn the_table_has_the_column_before_an_audience() {
    let test = changed_player("90");
    let state = test.shared.latest();
    let mut ui = Ui::new((1440, 900), false);
    ui.set_scale(Scale::new((1440, 900), Some(1.0)));
    panels::params::PANEL.set_open(&mut ui, true);
    panels::plot_list::PANEL.set_open(&mut ui, true);
    test.send_all(UiCommand::CompareParams.execute(&mut ui, &state));
    test.send(PlayerCommand::Select(Some(AgentId(12))));
    compared(&test);
    let state = test.wait("the agent", |state| state.next_turn.is_some());
    press(Key::Char('\''), &mut ui, &state);
    panels::comparison::PANEL.set_open(&mut ui, true);
    panels::plot_list::PANEL.set_open(&mut ui, true);
    let layout = ui.layout(&state);
    let table = layout.area(panels::comparison::PANEL.id).unwrap();
    assert!(table.height() > 0.8 * layout.column.unwrap().height(), "{table:?}");
    assert!(layout.area(panels::agent::PANEL.id).is_some());
    for panel in [&panels::params::PANEL, &panels::plot_list::PANEL, &panels::legend::PANEL] {
        assert!(layout.area(panel.id).is_none());
    }
    save_picture("comparison_presented", &ui, &state);
    // Without the table, they are there again.
    panels::comparison::PANEL.set_open(&mut ui, false);
    assert!(ui.layout(&state).area(panels::params::PANEL.id).is_some());
    // Lines that are too long are broken.
    let next_turn = state.next_turn.as_ref().unwrap();
    let lines = |width| super::super::explain_text::height(next_turn, width);
    assert!(lines(200.0) > lines(2000.0));
}

/// Rows that were scrolled up were written over the heads of the columns.
#[test]
fn scrolled_rows_end_below_the_heads_of_the_columns() {
    let test = changed_player("90");
    let state = test.shared.latest();
    let mut ui = Ui::new((1280, 500), false);
    test.send_all(UiCommand::CompareParams.execute(&mut ui, &state));
    let state = compared(&test);
    let id = panels::comparison::PANEL.id;
    let area = ui.layout(&state).area(id).unwrap();
    let heads = |ui: &Ui| {
        let (all, width) = (drawn(ui, &state), ui.size.0 as usize);
        let columns = (area.min.x as usize + 2)..(area.max.x as usize - 2);
        let (from, to) = (area.min.y as usize + 40, area.min.y as usize + 56);
        (from..to).flat_map(|y| all[y * width..][columns.clone()].to_vec()).collect::<Vec<u32>>()
    };
    let before = heads(&ui);
    let last = (panels::comparison::PANEL.max_scroll)(&Frame::new(&ui, &state, None).scene);
    assert!(last > 60.0);
    for scroll in 0..60 {
        ui.panels.state_mut(id).scroll = scroll as f32;
        assert!(heads(&ui) == before, "{scroll}");
    }
}

/// Only the params of the file could be compared with those of the person.
#[test]
fn two_sets_of_own_params_are_compared_over_seeds() {
    let test = changed_player("90");
    let knobs = knobs(&test.shared.latest().params[0]);
    let set = |number: usize, text: &str| {
        let (group, text) = ("bird".to_owned(), text.to_owned());
        test.send(PlayerCommand::SetParam { group, knob: knobs[number].clone(), text });
    };
    let value = |state: &ViewState, number: usize| knobs[number].value_text(&state.params[0]);
    // Both sides have another value of this one than the file.
    set(0, "7");
    test.wait("a change", |state| state.unwritten().count() == 2);
    test.send(PlayerCommand::KeepParams);
    let state = test.wait("kept params", |state| state.kept_params.is_some());
    assert!(!state.can_compare_params() && !state.can_swap_params());
    test.send(PlayerCommand::Compare);
    test.wait("nothing differs", |state| {
        state.notices.iter().any(|one| one.text.contains("differs from those that you kept"))
    });
    set(2, "2");
    let state = test.wait("another value", |state| value(state, 2) == "2");
    assert!(state.can_compare_params() && state.can_swap_params());
    // They are swapped.
    test.send(PlayerCommand::SwapParams);
    test.wait("the kept ones", |state| value(state, 2) == "90" && state.has_params_aside());
    test.send(PlayerCommand::SwapParams);
    test.wait("the others", |state| value(state, 2) == "2");
    let mut ui = Ui::new((1280, 800), false);
    let state = test.shared.latest();
    test.send_all(UiCommand::CompareParams.execute(&mut ui, &state));
    let state = compared(&test);
    let table = state.compared.as_ref().unwrap();
    assert_eq!(table.others, "the kept params");
    let own = |values: &[String; 2]| values.each_ref().map(|one| one.parse::<f32>().unwrap());
    let first = table.rows.iter().find(|row| row.name == "agents of bird").unwrap();
    let [mine, kept] = own(&first.over_runs.as_ref().unwrap().values);
    assert!(mine > kept, "fewer leave with a room of 2 than with one of 90: {mine} {kept}");
    assert!(
        state.ghost_name.contains("room 90") && !state.ghost_name.contains("at"),
        "{}",
        state.ghost_name
    );
    assert_eq!(value(&state, 0), "7");
    save_picture("comparison_kept", &ui, &state);
    // With the list of plots, the table had room for a single row.
    panels::plot_list::PANEL.set_open(&mut ui, true);
    let [table, list] = [&panels::comparison::PANEL, &panels::plot_list::PANEL]
        .map(|panel| ui.layout(&state).area(panel.id).unwrap().height());
    assert!(table > 1.5 * list, "{table} {list}");
    save_picture("comparison_and_list", &ui, &state);
    // What is kept again is forgotten.
    test.send(PlayerCommand::KeepParams);
    test.wait("new ones", |state| !state.can_swap_params());
    test.send(PlayerCommand::KeepParams);
    let state = test.wait("none", |state| state.kept_params.is_none());
    assert!(state.can_compare_params());
}

/// The table scrolled and the legend was away, although there was room below the table.
#[test]
fn the_table_and_the_legend_have_all_room_of_the_column() {
    let test = changed_player("90");
    let state = test.shared.latest();
    let mut ui = Ui::new(SIZE, false);
    test.send_all(UiCommand::CompareParams.execute(&mut ui, &state));
    let mut state = ViewState::clone(&compared(&test));
    // A longer table has no room for the legend in any of these windows.
    state.compared.iter_mut().for_each(|table| Arc::make_mut(table).rows.truncate(3));
    let mut counts = [0; 2];
    for height in (520..1400).step_by(40) {
        ui.set_scale(Scale::new((1280, height), Some(1.0)));
        let frame = Frame::new(&ui, &state, None);
        let rest = panels::column::rest(&frame.scene).unwrap().height();
        let has_legend = frame.area(panels::legend::PANEL.id).is_some();
        let is_cut = (panels::comparison::PANEL.max_scroll)(&frame.scene) > 0.0;
        assert!(!is_cut || rest < 1.0, "{height}: {rest}");
        assert!(has_legend || rest < 84.0, "{height}: {rest}");
        counts[usize::from(has_legend)] += 1;
    }
    assert!(counts[0] > 0 && counts[1] > 0, "{counts:?}");
}
