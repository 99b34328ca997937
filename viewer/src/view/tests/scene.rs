//! Editing the scene by mouse.

use flockwork_engine::geom::Shape;
use flockwork_engine::math;
use flockwork_engine::scenario::{Handle, SceneEdit, ScenePart};

use super::super::frame::Frame;
use super::super::layout::Layout;
use super::super::scene_editor::Tool;
use super::super::ui_command::UiCommand;
use super::super::widget::Widget;
use super::*;

/// Where a place of the world is in the window.
fn pixel(ui: &Ui, state: &ViewState, at: Vec2) -> Vec2 {
    ui.camera(state).pixel(at)
}

fn press_at(ui: &mut Ui, state: &ViewState, at: Vec2) -> Vec<PlayerCommand> {
    ui.pointer_moved(Some(pixel(ui, state, at)), state);
    ui.press(Button::Left, state)
}

/// Drags from one place of the world to another.
fn drag(ui: &mut Ui, state: &ViewState, from: Vec2, to: Vec2) -> Vec<PlayerCommand> {
    let mut commands = press_at(ui, state, from);
    ui.pointer_moved(Some(pixel(ui, state, (from + to) / 2.0)), state);
    ui.pointer_moved(Some(pixel(ui, state, to)), state);
    commands.extend(ui.release(state));
    commands
}

fn edit_of(commands: Vec<PlayerCommand>) -> SceneEdit {
    match <[PlayerCommand; 1]>::try_from(commands) {
        Ok([PlayerCommand::EditScene(edit)]) => edit,
        other => panic!("no edit: {other:?}"),
    }
}

fn text(test: &PlayerTest) -> String {
    fs::read_to_string(test.path()).unwrap()
}

/// The center of the tree.
fn tree(state: &ViewState) -> Option<Vec2> {
    state
        .handles
        .iter()
        .find(|one| one.part == ScenePart::Obstacle("tree".into()))
        .map(|one| one.at)
}

/// Returns where the row of the panel with these words is.
fn row_place(ui: &Ui, state: &ViewState, words: &str) -> Vec2 {
    let rows = [
        "add a round obstacle",
        "add a box",
        "add a point",
        "add a goal",
        "add an agent",
        "remove the selected mark",
        "undo",
        "redo",
    ];
    let place = rows.iter().position(|one| *one == words).unwrap();
    let panel = ui.layout(state).area(panels::scene::PANEL.id).unwrap();
    panel.min + Vec2::new(20.0, Layout::HEAD + (place as f32 + 0.5) * Layout::ROW)
}

/// Returns the places of the start of a group.
fn starts(state: &ViewState, group: &str) -> Vec<Handle> {
    let part = ScenePart::Spawn(group.to_owned());
    state.handles.iter().filter(|one| one.part == part).cloned().collect()
}

/// Returns how much of a circle in the world is drawn differently.
fn changed_share(ui: &Ui, state: &ViewState, plain: &Ui, center: Vec2, radius: f32) -> f32 {
    let (now, before) = (drawn(ui, state), drawn(plain, state));
    let is_changed = |step: u16| {
        let along = math::direction(f32::from(step) * 0.02);
        let at = pixel(ui, state, center + along * radius);
        let index = at.y as usize * ui.size.0 as usize + at.x as usize;
        now[index] != before[index]
    };
    (0..314).filter(|step| is_changed(*step)).count() as f32 / 314.0
}

/// Returns what the row of the panel with these words does, or why it does nothing.
fn row(ui: &Ui, state: &ViewState, words: &str) -> Result<UiCommand, String> {
    let frame = Frame::new(ui, state, None);
    let widget = frame.widget_at(row_place(ui, state, words)).unwrap();
    widget.click.ok_or_else(|| widget.tip_words().0.unwrap_or_default().to_owned())
}

const TREE: Vec2 = Vec2::new(300.0, 80.0);

#[test]
fn an_obstacle_is_moved_and_put_back() {
    let test = PlayerTest::new();
    let state = test.at(30);
    let mut ui = Ui::new(SIZE, false);
    let plain = drawn(&ui, &state);
    press(Key::Char('e'), &mut ui, &state);
    assert!(drawn(&ui, &state) != plain, "there are no marks");
    let to = Vec2::new(250.0, 120.0);
    // Inside the tree, beside its mark.
    let inside = Vec2::new(12.0, -5.0);
    let commands = drag(&mut ui, &state, TREE + inside, to + inside);
    let SceneEdit::Move { part, to: places } = edit_of(commands.clone()) else {
        panic!("{commands:?}")
    };
    assert_eq!(part, ScenePart::Obstacle("tree".into()));
    assert!(places[0].1.distance(to) < 1.0, "{places:?}");
    test.send(commands[0].clone());
    let state = test.wait("the moved tree", |state| tree(state) == Some(places[0].1));
    assert_eq!(state.world.tick, 30);
    assert!(text(&test).contains(&format!("center: ({}, {})", places[0].1.x, places[0].1.y)));
    assert_eq!(
        text(&test).replace(&format!("({}, {})", places[0].1.x, places[0].1.y), "(300, 80)"),
        SCENARIO
    );
    test.send(PlayerCommand::Undo);
    test.wait("the tree where it was", |state| tree(state) == Some(TREE));
    assert_eq!(text(&test), SCENARIO);
    test.send(PlayerCommand::Redo);
    test.wait("the moved tree", |state| tree(state) == Some(places[0].1));
}

#[test]
fn a_radius_is_dragged_at_the_rim() {
    let test = PlayerTest::new();
    let state = test.at(30);
    for is_dark in [false, true] {
        let mut ui = Ui::new((1280, 800), is_dark);
        press(Key::Char('e'), &mut ui, &state);
        let (rim, to) = (TREE + Vec2::new(20.0, 0.0), TREE + Vec2::new(0.0, 32.0));
        assert_eq!(press_at(&mut ui, &state, rim), []);
        ui.pointer_moved(Some(pixel(&ui, &state, to)), &state);
        save_picture("scene_radius", &ui, &state);
        let commands = ui.release(&state);
        if is_dark {
            test.send(commands[0].clone());
        }
    }
    let radius = |state: &ViewState| match state.world.obstacles.first().unwrap().shape {
        Shape::Circle { radius, .. } => radius,
        _ => 0.0,
    };
    test.wait("the larger tree", |state| radius(state) == 32.0);
    assert_eq!(text(&test), SCENARIO.replace("radius: 20)", "radius: 32)"));
    // In a small picture, the mark would hide the center.
    let mut ui = Ui::new((500, 400), false);
    press(Key::Char('e'), &mut ui, &state);
    drag(&mut ui, &state, TREE, TREE);
    let removal = edit_of(press(Key::Delete, &mut ui, &state));
    let part = ScenePart::Obstacle("tree".into());
    assert_eq!(removal, SceneEdit::Remove { part, number: 0 });
}

/// Caught: a thing that was dragged when the escape key was pressed was moved when the button went up.
#[test]
fn escape_puts_back_what_is_dragged() {
    let test = PlayerTest::new();
    let state = test.at(30);
    let mut ui = Ui::new(SIZE, false);
    press(Key::Char('e'), &mut ui, &state);
    let marks = drawn(&ui, &state);
    let to = TREE + Vec2::new(60.0, 20.0);
    // At its mark, at its rim, and inside.
    for from in [Vec2::ZERO, Vec2::new(20.0, 0.0), Vec2::new(12.0, -5.0)] {
        assert_eq!(press_at(&mut ui, &state, TREE + from), []);
        ui.pointer_moved(Some(pixel(&ui, &state, to)), &state);
        assert!(drawn(&ui, &state) != marks, "nothing is dragged");
        assert_eq!(press(Key::Escape, &mut ui, &state), []);
        ui.pointer_moved(Some(pixel(&ui, &state, to + from)), &state);
        assert_eq!(ui.release(&state), []);
        assert!(ui.editor.is_some(), "the editor was closed, too");
    }
}

#[test]
fn a_click_selects_a_mark_and_does_not_move_it() {
    let test = PlayerTest::new();
    let state = test.at(30);
    let mut ui = Ui::new(SIZE, false);
    press(Key::Char('e'), &mut ui, &state);
    assert_eq!(drag(&mut ui, &state, TREE, TREE), []);
    let commands = press(Key::Delete, &mut ui, &state);
    let part = ScenePart::Obstacle("tree".into());
    assert_eq!(edit_of(commands.clone()), SceneEdit::Remove { part, number: 0 });
    test.send(commands[0].clone());
    test.wait("no tree", |state| state.world.obstacles.is_empty());
    // Nothing is selected now.
    assert_eq!(press(Key::Delete, &mut ui, &state), []);
    // Beside all marks, the view moves as always.
    let view = ui.camera(&state);
    drag(&mut ui, &state, Vec2::new(20.0, 20.0), Vec2::new(60.0, 40.0));
    assert!(ui.camera(&state) != view);
}

#[test]
fn tools_add_what_is_clicked_and_escape_closes_one_thing_at_a_time() {
    let test = PlayerTest::new();
    let state = test.at(30);
    let mut ui = Ui::new(SIZE, false);
    press(Key::Char('e'), &mut ui, &state);
    let at = Vec2::new(120.0, 200.0);
    for tool in [Tool::Obstacle, Tool::Goal, Tool::Agent, Tool::PathPoint] {
        UiCommand::Tool(tool).execute(&mut ui, &state);
        let commands = drag(&mut ui, &state, at, at);
        match tool {
            // There is no path.
            Tool::PathPoint => assert_eq!(commands, []),
            _ => test.send(commands[0].clone()),
        }
    }
    // Birds are spawned in a disc, so no place of an agent can be added.
    let why = "no places of their own";
    let state = test.wait("a notice", |state| {
        state.notices.iter().any(|one| one.is_failure && one.text.contains(why))
    });
    let text = text(&test);
    assert!(text.contains("\"obstacle_1\": Circle(center: (120, 200), radius: "), "{text}");
    assert!(text.contains("goals: [(at: (120, 200))]"), "{text}");
    // The panel says so before.
    assert!(row(&ui, &state, "add an agent").is_err_and(|tip| tip.contains(why)));
    assert!(row(&ui, &state, "add a point").is_err_and(|tip| tip.contains("has no path")));
    let fox = Vec2::new(60.0, 60.0);
    drag(&mut ui, &state, fox, fox);
    let agent = UiCommand::Tool(Tool::Agent);
    assert_eq!(row(&ui, &state, "add an agent"), Ok(agent));
    UiCommand::Tool(Tool::Agent).execute(&mut ui, &state);
    let added = edit_of(drag(&mut ui, &state, at, at));
    let part = ScenePart::Spawn("fox".into());
    assert_eq!(added, SceneEdit::AddPlace { part: part.clone(), before: None, at });
    test.send(PlayerCommand::EditScene(added));
    let state = test.wait("the fox", |state| {
        state.handles.iter().any(|one| one.part == part && one.number == 1)
    });

    UiCommand::Tool(Tool::Goal).execute(&mut ui, &state);
    for is_open in [true, true, false] {
        assert_eq!(press(Key::Escape, &mut ui, &state), []);
        assert_eq!(ui.editor.is_some(), is_open);
    }
}

#[test]
fn what_was_added_is_selected_until_it_is_undone() {
    let test = PlayerTest::new();
    let state = test.at(30);
    let mut ui = Ui::new((1280, 800), false);
    press(Key::Char('e'), &mut ui, &state);
    let remove = "remove the selected mark";
    assert!(row(&ui, &state, remove).is_err_and(|tip| tip.contains("nothing is selected")));
    assert_eq!(press(Key::Delete, &mut ui, &state), []);
    for (tool, part) in [
        (Tool::Obstacle, ScenePart::Obstacle("obstacle_1".into())),
        (Tool::Goal, ScenePart::Goals("bird".into())),
    ] {
        UiCommand::Tool(tool).execute(&mut ui, &state);
        let at = Vec2::new(120.0, 210.0);
        let commands = drag(&mut ui, &state, at, at);
        test.send(commands[0].clone());
        let is_there = |state: &ViewState| state.handles.iter().any(|one| one.part == part);
        let added = test.wait("the new place", is_there);
        assert_eq!(row(&ui, &added, remove), Ok(UiCommand::RemoveMark));
        save_picture("scene_added", &ui, &added);
        test.send(PlayerCommand::Undo);
        let undone = test.wait("the undone place", |state| !is_there(state));
        assert!(row(&ui, &undone, remove).is_err());
        assert_eq!(press(Key::Delete, &mut ui, &undone), []);
        test.send(PlayerCommand::Redo);
        let state = test.wait("the place again", is_there);
        let removal = SceneEdit::Remove { part: part.clone(), number: 0 };
        assert_eq!(edit_of(press(Key::Delete, &mut ui, &state)), removal);
    }
}

#[test]
fn the_marks_and_the_panel_fit_any_window() {
    let test = PlayerTest::new();
    let state = test.at(30);
    for size in [(500, 400), (1280, 800), (3840, 2160)] {
        for is_dark in [false, true] {
            let mut ui = Ui::new(size, is_dark);
            press(Key::Char('e'), &mut ui, &state);
            let pixels = drawn(&ui, &state);
            ui.pointer_moved(Some(pixel(&ui, &state, TREE)), &state);
            save_picture("scene", &ui, &state);
            let panel = ui.layout(&state).area(panels::scene::PANEL.id).unwrap();
            assert!(panel.max.y <= size.1 as f32 && panel.max.x <= size.0 as f32);
            assert!(pixels.len() == (size.0 * size.1) as usize);
        }
    }
}

#[test]
fn agents_of_a_saved_situation_are_moved_added_and_removed() {
    let first = PlayerTest::new();
    first.at(50);
    first.send(PlayerCommand::Save { is_test: false, name: None });
    let is_saved =
        |state: &ViewState| state.notices.iter().any(|one| one.text.contains("saved as"));
    first.wait("the saved scenario", is_saved);
    let test = PlayerTest::with_scenario(
        &fs::read_to_string(first.dir.path().join("a_at_50.ron")).unwrap(),
    );
    let state = test.at(80);
    let mut ui = Ui::new((1280, 800), false);
    press(Key::Char('e'), &mut ui, &state);
    save_picture("scene_start", &ui, &state);
    let birds = starts(&state, "bird");
    assert_eq!((birds.len(), starts(&state, "fox").len()), (12, 1));
    let to = Vec2::new(40.0, 200.0);
    test.send(drag(&mut ui, &state, birds[3].at, to)[0].clone());
    let words = "the start of `bird` is moved, written to a.ron; the run begins again";
    let says = |words: &'static str| {
        move |state: &ViewState| state.notices.iter().any(|one| one.text == words)
    };
    let state = test.wait(words, says(words));
    assert_eq!(state.world.tick, 50);
    let moved = starts(&state, "bird")[3].at;
    assert!(moved.distance(to) < 1.0 && state.world.agents.positions().any(|at| at == moved));
    assert_eq!(row(&ui, &state, "add an agent"), Ok(UiCommand::Tool(Tool::Agent)));
    UiCommand::Tool(Tool::Agent).execute(&mut ui, &state);
    let at = Vec2::new(90.0, 250.0);
    test.send(drag(&mut ui, &state, at, at)[0].clone());
    let state = test.wait("the new bird", |state| state.world.agents.len() == 14);
    test.send(press(Key::Delete, &mut ui, &state)[0].clone());
    test.wait("no new bird", |state| state.world.agents.len() == 13);
    // The run goes on, and all of it can be undone.
    let state = test.at(90);
    assert!(state.errors.is_empty());
    assert_eq!(state.hash, Some(test.headless(40)));
    for _ in 0..3 {
        test.send(PlayerCommand::Undo);
    }
    let state = test.wait("the old start", |state| !state.can_undo);
    assert_eq!((starts(&state, "bird"), state.world.tick), (birds, 50));
}

#[test]
fn an_agent_that_cannot_be_moved_says_why() {
    let test = PlayerTest::new();
    let state = test.at(150);
    let mut ui = Ui::new(SIZE, false);
    press(Key::Char('e'), &mut ui, &state);
    let view = ui.camera(&state);
    for (group, words) in [("bird", "save what you see with s"), ("fox", "has left its mark")] {
        let id = state.world.names().group(group).unwrap();
        // An agent that is away from all marks and panels.
        let agents = &state.world.agents;
        let is_free = |row: &usize| {
            let at = agents.pos(*row);
            let away =
                |one: &Handle| pixel(&ui, &state, one.at).distance(pixel(&ui, &state, at)) > 13.0;
            agents.group[*row] == id && state.handles.iter().all(away)
        };
        let Some(row) = (0..agents.len()).find(is_free) else { continue };
        let (agent, at) = (agents.id[row], agents.pos(row));
        assert_eq!(press_at(&mut ui, &state, at), []);
        let commands = ui.pointer_moved(Some(ui.pointer + Vec2::new(30.0, 0.0)), &state);
        let [PlayerCommand::Notice { text, is_failure: true }] = &commands[..] else {
            panic!("{commands:?}")
        };
        assert!(text.starts_with(&format!("agent {agent} ")) && text.contains(words), "{text}");
        assert_eq!(ui.pointer_moved(Some(ui.pointer + Vec2::new(30.0, 0.0)), &state), []);
        assert_eq!(ui.release(&state), []);
        assert!(ui.camera(&state) == view, "the view has moved");
        // A click selects it.
        assert_eq!(drag(&mut ui, &state, at, at), [PlayerCommand::Select(Some(agent))]);
    }
}

#[test]
fn what_is_gray_says_why_at_once() {
    let test = PlayerTest::new();
    let state = test.at(30);
    let mut ui = Ui::new(SIZE, false);
    press(Key::Char('e'), &mut ui, &state);
    for (words, is_gray) in
        [("undo", true), ("redo", true), ("add a point", true), ("add a round obstacle", false)]
    {
        ui.pointer_moved(Some(row_place(&ui, &state, words)), &state);
        assert_eq!(ui.has_tip(), is_gray, "{words}");
        assert_eq!(ui.press(Button::Left, &state), []);
        ui.release(&state);
        assert_eq!(ui.has_tip(), is_gray, "{words}");
        if words == "add a point" {
            save_picture("scene_gray", &ui, &state);
        }
    }
    assert!(row(&ui, &state, "undo").is_err_and(|why| why == "nothing to undo"));
    test.send(PlayerCommand::Push { at: Vec2::new(200.0, 150.0), radius: 100.0 });
    let state = test.wait("the push", |state| state.can_undo);
    assert_eq!(row(&ui, &state, "undo"), Ok(UiCommand::Undo));
    assert!(row(&ui, &state, "redo").is_err_and(|why| why == "nothing to redo"));
}

/// Two marks alone did not show that they belong to an area.
#[test]
fn the_outlines_of_start_areas_and_of_dragged_shapes_are_drawn() {
    let test = PlayerTest::with_scenario(&SCENARIO.replace(
        "\"fox\": (behavior: \"fox\", spawn: Points([(60, 60)])",
        "\"fox\": (behavior: \"fox\", count: 2, spawn: Rect(min: (30, 30), max: (90, 70))",
    ));
    let state = test.at(30);
    for is_dark in [false, true] {
        let plain = Ui::new((1280, 800), is_dark);
        let mut ui = Ui::new((1280, 800), is_dark);
        let disc = (Vec2::new(200.0, 150.0), 60.0);
        press(Key::Char('e'), &mut ui, &state);
        assert!(changed_share(&ui, &state, &plain, disc.0, disc.1) > 0.3);
        ui.pointer_moved(Some(pixel(&ui, &state, Vec2::new(90.0, 70.0))), &state);
        save_picture("scene_areas", &ui, &state);
        // The tree, as it will be.
        let (to, radius) = (Vec2::new(340.0, 200.0), 20.0);
        press_at(&mut ui, &state, TREE);
        assert!(changed_share(&ui, &state, &plain, to, radius) == 0.0);
        ui.pointer_moved(Some(pixel(&ui, &state, to)), &state);
        assert!(changed_share(&ui, &state, &plain, to, radius) > 0.3);
        save_picture("scene_dragged", &ui, &state);
    }
}

/// The first button cut through the line above it.
#[test]
fn the_buttons_are_below_the_line_that_says_what_to_do() {
    let test = PlayerTest::new();
    let state = test.at(3);
    let mut ui = Ui::new((1280, 800), false);
    press(Key::Char('e'), &mut ui, &state);
    let frame = Frame::new(&ui, &state, None);
    let head = frame.area(panels::scene::PANEL.id).unwrap().min.y;
    let first = |one: &&Widget| one.click == Some(UiCommand::Tool(Tool::Obstacle));
    let first = frame.widgets().find(first).unwrap().area.min.y;
    // Two lines with their descenders.
    assert!(first - head >= 50.0, "{first} - {head}");
}

/// Caught: the only goal of a group that has to reach it was removed, so the file had an error, and later edits were not seen.
#[test]
fn an_edit_after_which_the_files_would_not_run_is_not_written() {
    let scenario =
        SCENARIO.replace("groups:", "expect: [Reach(group: \"fox\", by: 300)],\n    groups:");
    let scenario =
        scenario.replacen("\"fox\": (", "\"fox\": (goals: [(at: (300, 200), radius: 9)], ", 1);
    let test = PlayerTest::with_scenario(&scenario);
    let state = test.at(5);
    let goal = state.handles.iter().find(|one| matches!(one.part, ScenePart::Goals(_))).unwrap();
    test.send(PlayerCommand::EditScene(SceneEdit::Remove {
        part: goal.part.clone(),
        number: goal.number,
    }));
    let told = |state: &ViewState| {
        state
            .notices
            .iter()
            .any(|one| one.text.starts_with("not edited: ") && one.text.contains("have no goals"))
    };
    let state = test.wait("why not", told);
    assert!(state.errors.is_empty() && text(&test) == scenario);
}
