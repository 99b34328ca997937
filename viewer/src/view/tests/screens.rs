//! Screens with small pixels, and windows with little room.

use super::super::area::Area;
use super::super::frame::Frame;
use super::super::layout::Layout;
use super::super::ui_command::UiCommand;
use super::super::widget::Widget;
use super::*;
use flockwork_engine::world::AgentId;

/// Returns an interface for a window of a size in pixels of the layout, drawn larger by a factor.
fn scaled((width, height): (u32, u32), factor: f32) -> Ui {
    let side = |side: u32| (side as f32 * factor) as u32;
    let mut ui = Ui::new((1, 1), false);
    ui.set_scale(Scale::new((side(width), side(height)), Some(factor)));
    ui
}

#[test]
fn a_click_hits_the_button_that_is_drawn_there_at_any_factor() {
    let test = PlayerTest::new();
    test.at(60);
    let state = test.at(30);
    for factor in [1.0, 1.5, 2.0] {
        let mut ui = scaled(SIZE, factor);
        assert_eq!((ui.size, ui.layout(&state)), (SIZE, Ui::new(SIZE, false).layout(&state)));
        let frame = Frame::new(&ui, &state, None);
        let button = frame.widgets().find(|one| one.click == Some(UiCommand::TogglePause));
        let Area { min, max } = button.unwrap().area;
        let plain = drawn(&ui, &state);
        let width = ui.scale.window.0 as usize;
        assert_eq!(plain.len(), (900.0 * factor) as usize * (640.0 * factor) as usize);
        // The places on the screen come from what is drawn: the part that is marked under the pointer.
        ui.pointer_moved(Some((min + max) / 2.0), &state);
        let marked = drawn(&ui, &state);
        let changed = (0..plain.len()).filter(|i| plain[*i] != marked[*i]);
        let places: Vec<Vec2> =
            changed.map(|i| Vec2::new((i % width) as f32, (i / width) as f32)).collect();
        let corner = places.iter().copied().reduce(Vec2::min).unwrap();
        assert!((corner - min * factor).abs().max_element() <= 1.0, "{factor}: {corner}");
        let area = (max - min) * factor;
        assert!((places.len() as f32 / (area.x * area.y) - 1.0).abs() < 0.15, "{factor}");
        // At its edges, a pixel is partly beside the button.
        let inside =
            |at: &&Vec2| at.cmpge(min * factor).all() && at.cmple(max * factor - 1.0).all();
        let inside: Vec<&Vec2> = places.iter().filter(inside).collect();
        for place in [inside[0], inside[inside.len() / 2], inside[inside.len() - 1]] {
            ui.pointer_moved(None, &state);
            ui.pointer_moved(Some(ui.scale.layout_point(*place + 0.5)), &state);
            ui.press(Button::Left, &state);
            assert_eq!(ui.release(&state), [PlayerCommand::TogglePause], "{factor}: {place}");
        }
    }
}

#[test]
fn keys_draw_everything_larger_and_back() {
    let test = PlayerTest::new();
    let state = test.at(30);
    let mut ui = scaled((1280, 800), 1.0);
    let plain = drawn(&ui, &state);
    for (key, size, says) in [
        ('-', (1280, 800), "drawn at 1x: no smaller fits"),
        ('+', (1024, 640), "drawn at 1.25x"),
        ('=', (854, 534), "drawn at 1.5x"),
        ('-', (1024, 640), "drawn at 1.25x"),
    ] {
        let said = PlayerCommand::Notice { text: says.to_owned(), is_failure: false };
        assert_eq!(press(Key::Ctrl(key), &mut ui, &state), [said]);
        assert_eq!(ui.size, size);
        assert_eq!(drawn(&ui, &state).len(), plain.len());
    }
    press(Key::Ctrl('0'), &mut ui, &state);
    assert!(drawn(&ui, &state) == plain);
}

/// Panels that are not in the column at the right are at the bottom, or in front of everything for a moment.
#[test]
fn in_a_small_window_no_panel_covers_the_world() {
    let test = PlayerTest::new();
    test.at(60);
    let plain = test.at(30);
    test.send(PlayerCommand::Select(Some(AgentId(4))));
    let selected = test.wait("the explained agent", |state| state.next_turn.is_some());
    test.script("bird", "fn steer(me) { me.sepration(3) }");
    let failed = test.wait("the error", |state| !state.errors.is_empty());
    for size in [(300, 200), (500, 400), (640, 360), (799, 900), (1280, 499)] {
        for (name, state, keys) in [
            ("legend", &plain, ""),
            ("why", &selected, ""),
            ("why_params_log", &selected, "pm"),
            ("why_expectations_log", &selected, "am"),
            ("scene_params", &plain, "pe"),
            ("error", &failed, ""),
        ] {
            for is_dark in [false, true] {
                let mut ui = Ui::new(size, is_dark);
                for key in keys.chars() {
                    press(Key::Char(key), &mut ui, state);
                }
                let name = format!("small_{name}");
                save_picture(&name, &ui, state);
                let layout = ui.layout(state);
                let (width, height) = (layout.world.0 as f32, layout.world.1 as f32);
                let sides = [
                    layout.area(panels::agent::PANEL.id),
                    layout.area(panels::params::PANEL.id),
                    layout.area(panels::scene::PANEL.id),
                    layout.area(panels::legend::PANEL.id),
                ];
                let open: Vec<Area> = sides
                    .into_iter()
                    .chain([
                        layout.area(panels::error::PANEL.id),
                        layout.area(panels::log::PANEL.id),
                        layout.area(panels::expectations::PANEL.id),
                    ])
                    .flatten()
                    .collect();
                assert!(size.0 < 500 || !open.is_empty(), "{name} {size:?}");
                for (i, area) in open.iter().enumerate() {
                    assert!(
                        area.min.x >= width || area.min.y >= height,
                        "{name} {size:?}: {area:?}"
                    );
                    assert!(area.max.x <= size.0 as f32 && area.max.y <= layout.strip.min.y);
                    let apart = |other: &Area| {
                        area.max.cmple(other.min).any() || other.max.cmple(area.min).any()
                    };
                    assert!(open[..i].iter().all(apart), "{name} {size:?}: {area:?}");
                }
                assert!(width >= size.0 as f32 * 0.4 - 1.0, "{name} {size:?}: {width}");
                assert!(height >= layout.strip.min.y * 0.4 - 1.0, "{name} {size:?}: {height}");
                // The whole world is in the part that is left.
                let camera = ui.camera(state);
                for corner in [Vec2::ZERO, Vec2::new(400.0, 300.0)] {
                    let at = camera.pixel(corner);
                    assert!(at.x >= 0.0 && at.x <= width && at.y >= 0.0 && at.y <= height);
                }
            }
        }
    }
}

/// Pictures to look at: each density with the same layout.
#[test]
fn windows_of_any_density_are_drawn_with_everything_open() {
    let test = PlayerTest::new();
    test.send(PlayerCommand::Select(Some(AgentId(3))));
    let overlays = Overlays { forces: true, ..Overlays::default() };
    test.send(PlayerCommand::SetOverlays(overlays));
    test.at(60);
    let state = test.wait("all", |state| {
        state.hash.is_some() && state.next_turn.is_some() && !state.forces.is_empty()
    });
    for (size, factor) in
        [((500, 400), 1.5), ((500, 400), 2.0), ((1280, 800), 1.5), ((1920, 1080), 2.0)]
    {
        for is_dark in [false, true] {
            let mut ui = scaled(size, factor);
            ui.is_dark = is_dark;
            press(Key::Char('t'), &mut ui, &state);
            save_picture("dense", &ui, &state);
            press(Key::Char('h'), &mut ui, &state);
            save_picture("dense_help", &ui, &state);
            let window = ui.scale.window;
            assert_eq!(drawn(&ui, &state).len(), (window.0 * window.1) as usize);
        }
    }
}

/// A third of the width was empty.
#[test]
fn a_plot_and_the_time_bar_go_to_the_right_edge() {
    let test = PlayerTest::new();
    let state = test.at(30);
    for size in [(1000, 640), (1280, 800)] {
        let mut ui = Ui::new(size, false);
        let alone = ui.layout(&state).time;
        press(Key::Char('j'), &mut ui, &state);
        let layout = ui.layout(&state);
        let curve = layout.plots[0].curve;
        assert_eq!([curve.min.x, curve.max.x], [layout.time.min.x, layout.time.max.x]);
        assert_eq!((curve.min.x, curve.max.x), (alone.min.x, size.0 as f32 - 14.0));
        // So do the buttons, and the world begins where the time bar's buttons do.
        let frame = Frame::new(&ui, &state, None);
        let menu = |one: &&Widget| one.click == Some(panels::menu::PANEL.toggle());
        assert_eq!(frame.widgets().find(menu).unwrap().area.max.x, curve.max.x);
        assert_eq!(Layout::MARGIN as f32, Layout::GAP);
        // What was beside the time bar is below it.
        assert!(layout.controls.min.y >= layout.time.max.y - 8.0, "{size:?}");
        // A click in the plot goes to the tick below it on the time bar.
        let at = Vec2::new(curve.max.x - 1.0, (curve.min.y + curve.max.y) / 2.0);
        assert!(layout.tick_at(at, &state) >= 399);
    }
}

/// With the script open, a small window had no world, and params an empty half; in a tiny one, words lay over each other.
#[test]
fn a_small_window_has_a_world_beside_the_script_and_a_tiny_one_nothing_else() {
    let test = PlayerTest::new();
    test.at(30);
    let mut ui = files::open_files(&test);
    let state = test.shared.latest();
    panels::params::PANEL.set_open(&mut ui, true);
    for size in [(640, 400), (500, 400), (700, 700)] {
        ui.set_scale(Scale::new(size, Some(1.0)));
        save_picture("small_script", &ui, &state);
        let layout = ui.layout(&state);
        let files = layout.area(panels::files::PANEL.id).unwrap();
        assert!(layout.column.is_none(), "{size:?}");
        assert!(files.width() >= 240.0, "{files:?}");
        assert!(layout.world.0 >= 180 && layout.world.0 as f32 <= files.min.x, "{layout:?}");
    }
    for size in [(200, 150), (60, 800)] {
        ui.set_scale(Scale::new(size, Some(1.0)));
        save_picture("tiny", &ui, &state);
        assert_eq!(Frame::new(&ui, &state, None).widgets().count(), 0, "{size:?}");
        assert_eq!(ui.layout(&state).world, size);
    }
}
