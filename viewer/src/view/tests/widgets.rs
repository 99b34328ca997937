//! Widgets: where they are, what they do, and what their tooltips say.

use super::super::area::Area;
use super::super::frame::Frame;
use super::super::keys::keys;
use super::super::plot::PlotSource;
use super::super::pointer_shape::PointerShape;
use super::super::ui_command::UiCommand;
use super::super::view_state::Pacing;
use super::super::widget::Widget;
use super::*;
use crate::draw::Color;
use flockwork_engine::world::{AgentId, GroupId, Values};

/// Sizes of windows, from small to large.
const SIZES: [(u32, u32); 4] = [(500, 400), (900, 640), (1280, 800), (3840, 2160)];

fn middle(area: Area) -> Vec2 {
    (area.min + area.max) / 2.0
}

/// Moves the pointer to the middle of a widget and clicks.
fn click(ui: &mut Ui, area: Area, state: &ViewState) -> Vec<PlayerCommand> {
    ui.pointer_moved(Some(middle(area)), state);
    let mut commands = ui.press(Button::Left, state);
    commands.extend(ui.release(state));
    commands
}

fn widgets(ui: &Ui, state: &ViewState) -> Vec<Widget> {
    Frame::new(ui, state, None).widgets().cloned().collect()
}

/// Returns the widget of a command.
fn widget_of(ui: &Ui, state: &ViewState, command: UiCommand) -> Widget {
    let mut all = widgets(ui, state).into_iter();
    all.find(|widget| widget.click == Some(command)).unwrap()
}

#[test]
fn widgets_are_large_enough_inside_the_window_and_say_what_they_do() {
    let test = PlayerTest::new();
    test.at(30);
    test.send(PlayerCommand::Select(Some(AgentId(4))));
    let state = test.wait("the explained agent", |state| state.next_turn.is_some());
    for size in SIZES {
        let mut ui = Ui::new(size, false);
        panels::params::PANEL.set_open(&mut ui, true);
        press(Key::Char('j'), &mut ui, &state);
        // The list of plots covers other widgets.
        press(Key::Escape, &mut ui, &state);
        let far = Vec2::new(size.0 as f32, size.1 as f32);
        save_picture("agent", &ui, &state);
        let mut all = widgets(&ui, &state);
        // In a small window, a panel may cover places that only have a tooltip; and what scrolls lies below its places.
        all.retain(|widget| widget.click.is_some());
        assert!(all.len() >= 13, "{size:?}: {}", all.len());
        for (i, widget) in all.iter().enumerate() {
            let Area { min, max } = widget.area;
            let name = format!("{size:?}: {:?} {min} {max}", widget.click);
            // The edges of the column and of the plots are long, so they are easy to hit.
            let edges = [UiCommand::ResizeColumn, UiCommand::ResizePlots, UiCommand::ResizeFiles];
            if !edges.map(Some).contains(&widget.click) {
                assert!((max - min).cmpge(Vec2::splat(Widget::MIN_SIDE)).all(), "{name}");
            }
            assert!(min.cmpge(Vec2::ZERO).all() && max.cmple(far).all(), "{name}");
            let (words, key) = widget.tip_words();
            assert!(words.is_some_and(|words| !words.is_empty()), "{name}");
            assert!(widget.icon.is_none() || key.is_some(), "{name} has no key");
            let apart = |other: &Widget| {
                let (left, right) = (widget.area, other.area);
                left.max.cmple(right.min).any() || right.max.cmple(left.min).any()
            };
            assert!(all[..i].iter().all(apart), "{name}");
        }
    }
}

/// A click hits the widget that is drawn at its place.
#[test]
fn a_button_does_what_its_key_does() {
    let test = PlayerTest::new();
    test.at(60);
    let state = test.at(30);
    for size in SIZES {
        let all = widgets(&Ui::new(size, false), &state);
        let buttons = all.iter().filter(|widget| widget.icon.is_some());
        let mut count = 0;
        for widget in buttons {
            count += 1;
            let command = widget.click.unwrap();
            let (mut by_key, mut by_click) = (Ui::new(size, false), Ui::new(size, false));
            let expected = press(keys().of_command(command).unwrap().keys[0], &mut by_key, &state);
            assert_eq!(click(&mut by_click, widget.area, &state), expected, "{command:?}");
            assert_eq!(by_click.panels, by_key.panels, "{command:?}");
        }
        assert_eq!(count, 8, "{size:?}");
    }
    let mut ui = Ui::new(SIZE, false);
    let first = widget_of(&ui, &state, UiCommand::FirstTick);
    assert_eq!(click(&mut ui, first.area, &state), [PlayerCommand::Seek(0)]);
    // A press that is released elsewhere is not a click.
    ui.pointer_moved(Some(middle(first.area)), &state);
    ui.press(Button::Left, &state);
    ui.pointer_moved(Some(Vec2::new(300.0, 200.0)), &state);
    assert_eq!(ui.release(&state), []);
}

#[test]
fn a_tooltip_is_shown_after_a_moment_and_hidden_by_a_click() {
    let test = PlayerTest::new();
    let state = test.at(30);
    for size in SIZES {
        for is_dark in [false, true] {
            let mut ui = Ui::new(size, is_dark);
            let play = widget_of(&ui, &state, UiCommand::TogglePause);
            let plain = drawn(&ui, &state);
            // Drawing may take longer than the tooltip waits.
            let now = Instant::now();
            ui.pointer_moved(Some(middle(play.area)), &state);
            let marked = drawn(&ui, &state);
            assert!(marked != plain);
            ui.show_due_tip(now);
            assert_eq!(drawn(&ui, &state), marked, "too early");
            ui.show_due_tip(now + Duration::from_secs(1));
            let shown = drawn(&ui, &state);
            let changed = shown.iter().zip(&marked).filter(|(now, before)| now != before).count();
            assert!((1000..20_000).contains(&changed), "{size:?}: {changed}");
            ui.press(Button::Left, &state);
            ui.release(&state);
            ui.show_due_tip(now + Duration::from_secs(2));
            assert_eq!(drawn(&ui, &state), marked);
            ui.pointer_moved(None, &state);
            assert_eq!(drawn(&ui, &state), plain);
        }
    }
}

#[test]
fn the_time_bar_says_the_tick_under_the_pointer_and_goes_there() {
    let test = PlayerTest::new();
    test.at(60);
    let state = test.at(30);
    let mut ui = Ui::new(SIZE, false);
    let bar = widget_of(&ui, &state, UiCommand::GoToPointer).area;
    assert!(bar.max.y - bar.min.y >= 24.0);
    let at = |tick| Vec2::new(ui.layout(&state).x_of(tick, &state), bar.min.y + 1.0);
    let (early, late) = (at(40), at(200));
    ui.pointer_moved(Some(early), &state);
    let words = widget_of(&ui, &state, UiCommand::GoToPointer);
    assert_eq!(words.tip_words(), (Some("tick 40: 0.80 s (wheel: zoom)"), None));
    assert_eq!(ui.press(Button::Left, &state), [PlayerCommand::Seek(40)]);
    assert_eq!(ui.pointer_moved(Some(late), &state), [PlayerCommand::RunTo(200)]);
    // The drag goes on beside the bar.
    let above = Vec2::new(early.x, 100.0);
    assert_eq!(ui.pointer_moved(Some(above), &state), [PlayerCommand::Seek(40)]);
    assert_eq!(ui.release(&state), []);
}

/// In a long run, a tick was a fraction of a pixel.
#[test]
fn the_wheel_zooms_the_time_around_the_pointer_and_a_double_click_shows_all() {
    let test = PlayerTest::new();
    let mut state = ViewState::clone(&test.at(30));
    (state.last_tick, state.edits) = (400, vec![0, 300]);
    let mut ui = Ui::new((1280, 800), false);
    let bar = widget_of(&ui, &state, UiCommand::GoToPointer).area;
    let x_of = |ui: &Ui, tick| ui.layout(&state).x_of(tick, &state);
    ui.pointer_moved(Some(Vec2::new(x_of(&ui, 300), bar.min.y + 1.0)), &state);
    let pointer = ui.pointer;
    let plain = drawn(&ui, &state);
    for _ in 0..5 {
        ui.wheel(1.0, &state);
    }
    let (from, to) = ui.layout(&state).ends(&state);
    assert!((200..230).contains(&from) && (325..350).contains(&to), "{from}..{to}");
    assert!((x_of(&ui, 300) - pointer.x).abs() < 4.0, "the tick under the pointer stays there");
    let tip = widget_of(&ui, &state, UiCommand::GoToPointer).tip_words().0.unwrap().to_owned();
    assert!(tip.contains("double click: all"), "{tip}");
    save_picture("time_zoomed", &ui, &state);
    // The shown tick is not in it, so it does not move until that is reached.
    ui.follow(&state);
    assert_eq!(ui.layout(&state).ends(&state), (from, to));
    let mut later = state.clone();
    later.world = Arc::clone(&test.at(320).world);
    ui.follow(&later);
    later.world = Arc::clone(&test.at(360).world);
    ui.follow(&later);
    let (moved, end) = ui.layout(&state).ends(&state);
    assert!(moved > from && (moved..=end).contains(&360) && end - moved == to - from);
    // As far as there is more.
    for _ in 0..40 {
        ui.wheel(1.0, &state);
    }
    let (from, to) = ui.layout(&state).ends(&state);
    assert!((10..13).contains(&(to - from)), "{from}..{to}");
    // Two clicks at a place show all again; the second one goes back to the tick before them.
    assert_eq!(ui.press(Button::Left, &state).len(), 1);
    ui.release(&state);
    assert_eq!(ui.press(Button::Left, &later), [PlayerCommand::Seek(30)]);
    ui.release(&state);
    assert_eq!(ui.layout(&state).ends(&state), (0, 400));
    assert!(drawn(&ui, &state) == plain);
    ui.wheel(1.0, &state);
    ui.wheel(-1.0, &state);
    ui.wheel(-1.0, &state);
    assert_eq!(ui.layout(&state).shown_ticks, None);
}

/// Nothing on the screen said how to leave the zoom.
#[test]
fn a_button_beside_the_zoomed_time_bar_shows_all() {
    let test = PlayerTest::new();
    let state = test.at(30);
    for size in [(560, 400), (780, 560), (1280, 800)] {
        let mut ui = Ui::new(size, false);
        let is_it = |one: &Widget| one.click == Some(UiCommand::ShowAllTime);
        assert!(!widgets(&ui, &state).iter().any(is_it));
        let bar = widget_of(&ui, &state, UiCommand::GoToPointer).area;
        ui.pointer_moved(Some(middle(bar)), &state);
        ui.wheel(1.0, &state);
        save_picture("time_zoomed_with_button", &ui, &state);
        let area = widget_of(&ui, &state, UiCommand::ShowAllTime).area;
        let is_over = |one: &Widget| one.area.contains(area.min) || one.area.contains(area.max);
        let over = widgets(&ui, &state).into_iter().filter(|one| one.click.is_some());
        let over: Vec<_> = over.filter(|one| is_over(one) && !is_it(one)).collect();
        assert_eq!(over, [], "{size:?}");
        assert_eq!(click(&mut ui, area, &state), []);
        assert_eq!(ui.layout(&state).shown_ticks, None);
    }
}

/// After a zoom elsewhere, the knob was nowhere, and stayed so while time went on.
#[test]
fn a_zoomed_time_bar_follows_the_tick_when_it_moves() {
    let test = PlayerTest::new();
    let state = test.at(30);
    let mut ui = Ui::new((1280, 800), false);
    ui.follow(&state);
    let bar = widget_of(&ui, &state, UiCommand::GoToPointer).area;
    let x = ui.layout(&state).x_of(300, &state);
    ui.pointer_moved(Some(Vec2::new(x, bar.min.y + 1.0)), &state);
    (0..5).for_each(|_| drop(ui.wheel(1.0, &state)));
    ui.follow(&state);
    assert!(!ui.layout(&state).shows_tick(30, &state));
    // Meanwhile, the end of the bar says where it is.
    let tip = widget_of(&ui, &state, UiCommand::GoToPointer).tip_words().0.unwrap().to_owned();
    assert!(tip.ends_with("; the world is at tick 30"), "{tip}");
    let away = drawn(&ui, &state);
    let mut other = ViewState::clone(&state);
    other.world = Arc::clone(&test.at(380).world);
    save_picture("knob_beyond", &ui, &state);
    assert!(drawn(&ui, &other) != away);
    test.at(30);
    let state = test.at(31);
    ui.follow(&state);
    assert!(ui.layout(&state).shows_tick(31, &state));
}

/// A hundred edits were a hundred lines over each other.
#[test]
fn edits_that_are_close_to_each_other_share_a_mark() {
    let test = PlayerTest::new();
    let mut state = ViewState::clone(&test.at(30));
    state.last_tick = 400;
    state.edits = [0, 40].into_iter().chain(100..=140).collect();
    let mut ui = Ui::new(SIZE, false);
    let bar = widget_of(&ui, &state, UiCommand::GoToPointer).area;
    let mut words_at = |tick, pixels| {
        let x = ui.layout(&state).x_of(tick, &state) + pixels;
        ui.pointer_moved(Some(Vec2::new(x, bar.min.y + 1.0)), &state);
        let words = widget_of(&ui, &state, UiCommand::GoToPointer);
        words.tip_words().0.unwrap().to_owned()
    };
    assert!(!words_at(70, 0.0).contains("took effect"), "the start is no edit");
    assert!(words_at(40, 0.0).ends_with("; an edit took effect at tick 40"));
    let all = "; 41 edits took effect from tick 100 to 140";
    for words in [words_at(100, -2.0), words_at(120, 0.0), words_at(140, 2.0)] {
        assert!(words.ends_with(all), "{words}");
    }
    // With more room, each has its own mark.
    ui = Ui::new((3840, 2160), false);
    ui.pointer_moved(Some(Vec2::new(ui.layout(&state).x_of(120, &state), 2140.0)), &state);
    let words = widget_of(&ui, &state, UiCommand::GoToPointer);
    assert!(words.tip_words().0.unwrap().ends_with("took effect at tick 120"));
    save_picture("edits", &ui, &state);
}

/// The panels stayed over the world, where they covered a goal and the selected agent.
#[test]
fn selecting_an_agent_does_not_move_the_camera() {
    let test = PlayerTest::new();
    let state = test.at(30);
    for id in [4, 12].map(AgentId) {
        for size in [(900, 640), (1280, 800)] {
            let mut ui = Ui::new(size, false);
            let before = ui.camera(&state);
            let row = state.world.agents.row(id).unwrap();
            let at = before.pixel(state.world.agents.pos(row));
            ui.pointer_moved(Some(at), &state);
            ui.press(Button::Left, &state);
            assert_eq!(ui.release(&state), [PlayerCommand::Select(Some(id))]);
            test.send(PlayerCommand::Select(Some(id)));
            let selected = test.wait("the agent", |state| {
                state.next_turn.as_ref().is_some_and(|next_turn| next_turn.id == id)
            });
            assert_eq!(ui.camera(&selected), before, "{size:?}");
        }
    }
}

#[test]
fn the_middle_button_moves_the_view_and_clicks_nothing() {
    let test = PlayerTest::new();
    let state = test.at(30);
    let mut ui = Ui::new(SIZE, false);
    let at = ui.camera(&state).pixel(state.world.agents.pos(4));
    ui.pointer_moved(Some(at), &state);
    let under = ui.point_under_pointer(&state);
    ui.press(Button::Middle, &state);
    assert_eq!(ui.release(&state), [], "it selects no agent");
    ui.press(Button::Middle, &state);
    ui.pointer_moved(Some(at + Vec2::new(40.0, 10.0)), &state);
    assert_eq!(ui.release(&state), []);
    assert!(ui.point_under_pointer(&state).distance(under) < 1e-2);
    let button = widget_of(&ui, &state, UiCommand::TogglePause);
    ui.pointer_moved(Some(middle(button.area)), &state);
    ui.press(Button::Middle, &state);
    assert_eq!(ui.release(&state), []);
}

#[test]
fn one_key_returns_to_normal_speed() {
    let test = PlayerTest::new();
    test.send(PlayerCommand::ChangeSpeed(3));
    let state = test.wait("another speed", |state| state.speed == 3);
    let mut ui = Ui::new(SIZE, false);
    for command in press(Key::Char('n'), &mut ui, &state) {
        test.send(command);
    }
    test.wait("normal speed", |state| state.speed == 0);
}

#[test]
fn a_click_in_the_legend_hides_a_group_in_the_drawing_only() {
    let test = PlayerTest::new();
    let state = test.at(30);
    for is_dark in [false, true] {
        let mut ui = Ui::new(SIZE, is_dark);
        let birds = widget_of(&ui, &state, UiCommand::ToggleGroup(GroupId(0))).area;
        let color = ui.palette().group(0);
        let color = u32::from_be_bytes([0, color.red, color.green, color.blue]);
        let dots = |ui: &Ui| drawn(ui, &state).iter().filter(|pixel| **pixel == color).count();
        let all = dots(&ui);
        assert_eq!(click(&mut ui, birds, &state), []);
        let hidden = dots(&ui);
        assert!(hidden < all / 4, "{hidden} of {all}");
        // Agents that are not drawn cannot be clicked.
        let at = ui.camera(&state).pixel(state.world.agents.pos(4));
        ui.pointer_moved(Some(at), &state);
        ui.press(Button::Left, &state);
        assert_eq!(ui.release(&state), [PlayerCommand::Select(None)]);
        click(&mut ui, birds, &state);
        ui.pointer_moved(None, &state);
        assert_eq!(dots(&ui), all);
        press(Key::Char('l'), &mut ui, &state);
        assert!(ui.layout(&state).area(panels::legend::PANEL.id).is_none());
    }
}

/// Sheep are nearly white, and were seen neither in the legend nor in their plot.
#[test]
fn groups_with_the_color_of_panels_have_a_border_in_them() {
    let scenario =
        SCENARIO.replace("(behavior: \"bird\",", "(behavior: \"bird\", color: \"#ffffff\",");
    let test = PlayerTest::with_scenario(&scenario);
    test.at(30);
    let source = PlotSource::Count("bird".to_owned());
    test.send(PlayerCommand::Plot(vec![source.clone()]));
    let state = test.wait("the plot", |state| {
        state.plots.first().is_some_and(|plot| plot.curves[0].series.values.len() == 31)
    });
    let mut ui = Ui::new(SIZE, false);
    ui.show_plot(Some(source));
    save_picture("white_group", &ui, &state);
    let pixels = drawn(&ui, &state);
    let dark_in = |min: Vec2, max: Vec2| {
        let rows = min.y as usize..max.y as usize;
        let row = |y: usize| &pixels[y * SIZE.0 as usize..][min.x as usize..max.x as usize];
        rows.flat_map(row).filter(|pixel| (**pixel >> 16) < 160).count()
    };
    let sign = widget_of(&ui, &state, UiCommand::ToggleGroup(GroupId(0))).area;
    assert!(dark_in(sign.min, Vec2::new(sign.min.x + 30.0, sign.max.y)) > 10);
    let layout = ui.layout(&state);
    let curve = layout.plots[0].curve;
    // Left of the line at the tick.
    let end = layout.x_of(28, &state);
    assert!(dark_in(curve.min, Vec2::new(end, curve.max.y)) > 20);
}

/// Nothing but the help said that params can be changed.
#[test]
fn a_button_opens_the_params_if_there_are_any() {
    // The first group has none.
    let second = SCENARIO.replace("\"bird\": (", "\"ant\": (spawn: Points([(9, 9)])), \"bird\": (");
    let test = PlayerTest::with_scenario(&second);
    let state = test.at(30);
    for size in SIZES {
        for is_dark in [false, true] {
            let mut ui = Ui::new(size, is_dark);
            let button = widget_of(&ui, &state, panels::params::PANEL.toggle());
            assert_eq!(button.tip_words().1, Some("p"));
            save_picture("params_button", &ui, &state);
            click(&mut ui, button.area, &state);
            assert!(panels::params::PANEL.is_open(&ui));
            let layout = ui.layout(&state);
            let area = layout.area(panels::params::PANEL.id).unwrap();
            let rows = panels::params::shown_rows(&Frame::new(&ui, &state, None).scene, area);
            assert_eq!((ui.params(&state).0, rows.len()), (GroupId(1), 4), "{size:?}");
            save_picture("params_button_open", &ui, &state);
            let button = widget_of(&ui, &state, panels::params::PANEL.toggle());
            click(&mut ui, button.area, &state);
            assert!(!panels::params::PANEL.is_open(&ui), "{size:?}");
        }
    }
    let mut state = ViewState::clone(&state);
    state.params.iter_mut().for_each(|params| *params = Values::default());
    let all = widgets(&Ui::new(SIZE, false), &state);
    assert!(all.iter().all(|widget| widget.click != Some(panels::params::PANEL.toggle())));
}

#[test]
fn the_status_counts_what_is_hidden() {
    let test = PlayerTest::new();
    let state = test.at(30);
    let mut ui = Ui::new(SIZE, false);
    let words = |ui: &Ui| status_words(ui, &state, Sample { every: 1 });
    assert_eq!(words(&ui), "13 agents");
    UiCommand::ToggleGroup(GroupId(0)).execute(&mut ui, &state);
    assert_eq!(words(&ui), "13 agents, 12 hidden");
    save_picture("hidden", &ui, &state);
    UiCommand::ToggleGroup(GroupId(0)).execute(&mut ui, &state);
    assert_eq!(words(&ui), "13 agents");
}

#[test]
fn the_status_says_what_is_slow() {
    let test = PlayerTest::new();
    let mut state = ViewState::clone(&test.at(30));
    let fast = Duration::from_millis(5);
    let words = |state: &ViewState, frame| {
        let mut ui = Ui::new(SIZE, false);
        ui.frame_time = frame;
        status_words(&ui, state, Sample { every: 1 })
    };
    assert_eq!(words(&state, fast), "13 agents");
    state.is_playing = true;
    let pacing = |ticks_per_s, tick_s| Pacing { ticks_per_s, tick_s, wanted_per_s: Some(60.0) };
    state.pacing = Some(pacing(59.7, 0.002));
    assert_eq!(words(&state, fast), "13 agents  ·  60 ticks/s");
    state.pacing = Some(pacing(24.2, 0.04));
    state.reached_share = Some(0.4);
    let slow = "13 agents  ·  24 of 60 ticks/s  ·  simulating is slow: 40 ms a tick";
    assert_eq!(words(&state, fast), slow);
    state.pacing = Some(pacing(24.2, 0.004));
    let slow = "13 agents  ·  24 of 60 ticks/s  ·  preparing the picture is slow";
    assert_eq!(words(&state, fast), slow);
    state.reached_share = None;
    state.pacing = Some(pacing(60.0, 0.002));
    let slow = "13 agents  ·  60 ticks/s  ·  drawing is slow: 45 ms a frame";
    assert_eq!(words(&state, Duration::from_millis(45)), slow);
}

#[test]
fn a_tooltip_explains_each_percentage() {
    let test = PlayerTest::new();
    test.at(30);
    test.send(PlayerCommand::Select(Some(AgentId(4))));
    let state = test.wait("the explained agent", |state| state.next_turn.is_some());
    let ui = Ui::new((1280, 800), false);
    let all = widgets(&ui, &state);
    let tips: Vec<&str> = all.iter().filter_map(|widget| widget.tip_words().0).collect();
    let is_of = |tip: &str, name: &str| tip.contains(name) && tip.contains(" %: ");
    let of = |name: &str| tips.iter().find(|tip| is_of(tip, name)).copied().unwrap_or_default();
    // A name in the sentence on top leads to the reference, too.
    assert!(tips.contains(&"A click says what separation is."), "{tips:?}");
    assert!(of("separation").starts_with("62 %: as much of the force"), "{tips:?}");
    assert!(
        of("separation").contains("matters most. A click says what separation is."),
        "{tips:?}"
    );
    assert!(of("A click shows").contains("matters most. A click shows bird.rhai:5."), "{tips:?}");
    assert!(of("alignment").starts_with("-4 %: alignment pulls against"), "{tips:?}");
    // All bars begin at the same zero, which has a line.
    let pixels = drawn(&ui, &state);
    let zero = |name: &str| {
        let place = all.iter().find(|one| one.tip_words().0.is_some_and(|tip| is_of(tip, name)));
        let top = place.unwrap().area.min.y as usize;
        let Color { red, green, blue, .. } = ui.palette().quiet;
        let line = u32::from_be_bytes([0, red, green, blue]);
        let is_line = |x: &usize| (top + 1..top + 12).all(|y| pixels[y * 1280 + x] == line);
        (1020..1210).find(is_line).unwrap()
    };
    assert_eq!(zero("separation"), zero("alignment"));
}

/// In a small window, the last rows of the explanation could not be seen at all.
#[test]
fn a_long_explanation_scrolls() {
    let test = PlayerTest::new();
    test.at(30);
    test.send(PlayerCommand::Select(Some(AgentId(4))));
    let state = test.wait("the explained agent", |state| state.next_turn.is_some());
    let calls = |ui: &Ui| -> Vec<usize> {
        let all = widgets(ui, &state).into_iter();
        all.filter_map(|widget| match widget.click {
            Some(UiCommand::ShowCall(index)) => Some(index),
            _ => None,
        })
        .collect()
    };
    let mut ui = Ui::new((500, 400), false);
    let panel = ui.layout(&state).area(panels::agent::PANEL.id).unwrap();
    let before = drawn(&ui, &state);
    let mut seen = calls(&ui);
    assert!(seen.len() < 4, "{seen:?}");
    ui.pointer = middle(panel);
    let mut last = 0.0;
    for _ in 0..20 {
        ui.wheel(-1.0, &state);
        seen.extend(calls(&ui));
        if ui.panels.scroll(panels::agent::PANEL.id) == last {
            break;
        }
        last = ui.panels.scroll(panels::agent::PANEL.id);
    }
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen, [0, 1, 2, 3], "every call can be scrolled to");
    let after = drawn(&ui, &state);
    assert!(before != after);
    save_picture("scrolled", &ui, &state);
    ui.wheel(100.0, &state);
    // A large window shows all of it, and nothing scrolls.
    let mut ui = Ui::new((1280, 900), false);
    ui.pointer = middle(ui.layout(&state).area(panels::agent::PANEL.id).unwrap());
    ui.wheel(-1.0, &state);
    assert_eq!((ui.panels.scroll(panels::agent::PANEL.id), calls(&ui)), (0.0, vec![0, 1, 2, 3]));
}

#[test]
fn the_last_tick_leads_to_the_end_of_the_scenario() {
    let test = PlayerTest::new();
    test.at(30);
    let state = test.at(10);
    let mut ui = Ui::new(SIZE, false);
    assert_eq!(press(Key::End, &mut ui, &state), [PlayerCommand::Seek(30)]);
    let state = test.at(30);
    let to_end = [PlayerCommand::RunTo(state.scenario_ticks)];
    assert_eq!(press(Key::End, &mut ui, &state), to_end);
    // Nothing is beyond it.
    let there = ViewState { scenario_ticks: 30, ..(*state).clone() };
    assert_eq!(press(Key::End, &mut ui, &there), [PlayerCommand::Seek(30)]);
}

/// What could be clicked looked like what could not, and each tooltip had to be waited for.
#[test]
fn the_pointer_says_what_a_click_does_and_tooltips_follow_it() {
    let test = PlayerTest::new();
    let state = test.at(30);
    let mut ui = Ui::new((1280, 800), false);
    panels::params::PANEL.set_open(&mut ui, true);
    let place = |ui: &Ui, command: UiCommand| {
        let frame = Frame::new(ui, &state, None);
        middle(frame.widgets().find(|one| one.click == Some(command)).unwrap().area)
    };
    let agent = ui.camera(&state).pixel(state.world.agents.pos(12));
    let edge = place(&ui, UiCommand::ResizeColumn);
    for (at, shape) in [
        (place(&ui, UiCommand::SelectParam(2)), PointerShape::Hand),
        (place(&ui, UiCommand::SlideParam(2)), PointerShape::Sideways),
        (edge, PointerShape::Sideways),
        (agent, PointerShape::Hand),
        (Vec2::new(4.0, 4.0), PointerShape::Arrow),
    ] {
        ui.pointer_moved(Some(at), &state);
        assert_eq!(ui.pointer_shape, shape, "{at}");
    }
    ui.pointer_moved(Some(place(&ui, UiCommand::SelectParam(2))), &state);
    assert!(!ui.has_tip());
    assert!(ui.show_due_tip(Instant::now() + Duration::from_secs(1)));
    ui.pointer_moved(Some(place(&ui, UiCommand::TypeParam(2))), &state);
    assert!(ui.has_tip(), "no other wait");
    ui.pointer_moved(Some(agent), &state);
    ui.pointer_moved(Some(place(&ui, UiCommand::TypeParam(2))), &state);
    assert!(!ui.has_tip());
}
