//! What keys and the mouse make of the screen.

use std::path::Path;

use super::super::help::Help;
use super::super::keys::{KEYS, MOUSE};
use super::super::layout::{Area, Layout};
use super::super::{panels, sheet};
use super::*;
use crate::draw::text_width;

#[test]
fn a_click_selects_who_is_there_and_the_panels_tell() {
    let stage = Stage::new();
    let shown = stage.at(30);
    let mut ui = Ui::new(SIZE, false);
    let plain = drawn(&ui, &shown);
    let at = ui.camera(&shown).pixel(shown.world.agents.pos[4]);
    ui.moved(Some(at), &shown);
    ui.press(Button::Left, &shown);
    let commands = ui.release(&shown);
    let [Command::Select(Some(_))] = commands.as_slice() else {
        panic!("{commands:?}");
    };
    stage.tell(Command::Select(Some(4)));
    stage.tell(Command::Find(Wanted { forces: true, field: true }));
    let told = stage.wait("the account", |shown| {
        shown.account.is_some() && !shown.forces.is_empty() && !shown.field.is_empty()
    });
    assert_eq!(told.account.as_ref().unwrap().id, 4);
    assert_eq!(told.forces.len(), 13);
    assert!(drawn(&ui, &told) != plain);
    // One that has been selected may be gone.
    fs::write(stage.path(), SCENARIO.replace("count: 12", "count: 2")).unwrap();
    stage.wait("nobody", |shown| shown.account.is_none());
}

#[test]
fn keys_do_what_they_are_pressed_for() {
    let stage = Stage::new();
    stage.at(5);
    stage.tell(Command::Select(Some(4)));
    let shown = stage.wait("a bird", |shown| shown.account.is_some());
    let mut ui = Ui::new(SIZE, false);
    let group = |ui: &Ui| ui.params(&shown).0.0;
    // First the params of the bird, then those of the next group, whoever is selected.
    press(Key::Tab, &mut ui, &shown);
    assert_eq!(group(&ui), 0);
    press(Key::Tab, &mut ui, &shown);
    assert_eq!(group(&ui), 1);
    drawn(&ui, &shown);
    press(Key::Tab, &mut ui, &shown);
    assert_eq!(group(&ui), 0);
    press(Key::Tab, &mut ui, &shown);
    let bird = ui.camera(&shown).pixel(shown.world.agents.pos[4]);
    ui.moved(Some(bird), &shown);
    ui.press(Button::Left, &shown);
    ui.release(&shown);
    assert_eq!(group(&ui), 0, "of who has been clicked");

    let goal = press(Key::Char('x'), &mut ui, &shown);
    assert!(matches!(&goal[..], [Command::Goal { group: Some(name), .. }] if name == "bird"));
    let panel = ui.layout(&shown).agent.unwrap();
    ui.moved(Some((panel.min + panel.max) / 2.0), &shown);
    assert_eq!(press(Key::Char('x'), &mut ui, &shown), []);

    let mut far = Shown::clone(&shown);
    far.target = Some(1_000_000);
    assert_eq!(press(Key::Escape, &mut ui, &far), [Command::Toggle]);
    let close = press(Key::Escape, &mut ui, &shown);
    assert_eq!(close, [Command::Select(None)]);
    assert!(!ui.has_params);
}

#[test]
fn the_wheel_zooms_around_the_pointer_and_a_drag_moves_the_world() {
    let stage = Stage::new();
    let shown = stage.at(1);
    let mut ui = Ui::new(SIZE, false);
    let pointer = Vec2::new(300.0, 200.0);
    ui.moved(Some(pointer), &shown);
    let under = ui.pointed(&shown);
    for _ in 0..5 {
        ui.wheel(1.0, &shown);
    }
    assert!(ui.pointed(&shown).distance(under) < 1e-2);
    ui.press(Button::Left, &shown);
    ui.moved(Some(pointer + Vec2::new(40.0, 10.0)), &shown);
    assert!(ui.release(&shown).is_empty(), "a drag selects nobody");
    assert!(ui.pointed(&shown).distance(under) < 1e-2, "the world came along");
    press(Key::Char('f'), &mut ui, &shown);
    assert!(ui.pointed(&shown).distance(under) > 1.0);
}

#[test]
fn no_key_has_two_meanings_and_each_is_explained() {
    let all: Vec<_> = KEYS.iter().flat_map(|section| section.keys).collect();
    for (i, binding) in all.iter().enumerate() {
        assert!(all[..i].iter().all(|other| other.key != binding.key), "{}", binding.label);
        let hidden = matches!(binding.key, Key::Char('_' | '+'));
        assert_eq!(binding.does.is_empty(), hidden, "{}", binding.label);
    }
}

/// The table of keys in the book is made from the keys. `SNAPSHOTS=overwrite` writes it.
#[test]
fn the_book_lists_all_keys() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/src/window.md");
    let page = fs::read_to_string(&path).unwrap();
    let keys = KEYS.iter().flat_map(|section| section.keys);
    let keys = keys.filter(|binding| !binding.label.is_empty());
    let keys = keys.map(|binding| format!("| `{}` | {} |\n", binding.label, binding.does));
    let mouse = MOUSE.iter().map(|(what, does)| format!("| {what} | {does} |\n"));
    let rows: String = keys.chain(mouse).collect();
    let table = format!("| key | what it does |\n|---|---|\n{rows}");
    if page.contains(&table) {
        return;
    }
    let (before, rest) = page.split_once("| key |").unwrap();
    let (_, after) = rest.split_once("<!-- end of the table").unwrap();
    let overwrites = std::env::var("SNAPSHOTS").is_ok_and(|action| action == "overwrite");
    assert!(overwrites, "docs/src/window.md should have this table:\n{table}");
    fs::write(path, format!("{before}{table}\n<!-- end of the table{after}")).unwrap();
}

#[test]
fn windows_of_any_size_show_something_whatever_is_open() {
    let stage = Stage::new();
    stage.tell(Command::Select(Some(3)));
    stage.tell(Command::Find(Wanted { forces: true, field: true }));
    stage.at(60);
    stage.at(30);
    stage.tell(Command::Push { at: Vec2::ONE, radius: 9.0 });
    stage.wait("a ghost", |shown| shown.ghost.is_some());
    stage.script("fox", &FOX.replace("me.wander()", "debug(1); me.wander()"));
    stage.wait("an edit", |shown| shown.edits.len() > 1);
    stage.at(45);
    stage.script("bird", "fn steer(me) { me.sepration(3) }");
    let shown = stage.wait("all", |shown| !shown.errors.is_empty() && shown.account.is_some());
    for size in [(1, 1), (2, 700), (40, 30), (300, 200), (1280, 800), (5000, 3000)] {
        for dark in [false, true] {
            let mut ui = Ui::new(size, dark);
            for key in "htvwp".chars() {
                press(Key::Char(key), &mut ui, &shown);
            }
            press(Key::Char('7'), &mut ui, &shown);
            ui.moved(Some(Vec2::new(size.0 as f32 / 2.0, size.1 as f32 / 2.0)), &shown);
            ui.wheel(1.0, &shown);
            ui.press(Button::Left, &shown);
            ui.press(Button::Right, &shown);
            ui.release(&shown);
            let pixels = drawn(&ui, &shown);
            assert_eq!(pixels.len(), size.0 as usize * size.1 as usize);
        }
    }
}

fn middle(area: Area) -> Vec2 {
    (area.min + area.max) / 2.0
}

/// All that the mouse can do at a place.
fn everything(ui: &mut Ui, at: Vec2, shown: &Shown) -> Vec<Command> {
    let mut commands = ui.moved(Some(at), shown);
    commands.extend(ui.press(Button::Left, shown));
    commands.extend(ui.release(shown));
    commands.extend(ui.press(Button::Right, shown));
    commands.extend(ui.wheel(1.0, shown));
    commands.extend(ui.wheel(-1.0, shown));
    commands.extend(press(Key::Char('x'), ui, shown));
    commands
}

/// Clicks on the help pushed and selected those below it, and its wheel zoomed the world and changed params.
#[test]
fn what_is_covered_is_out_of_reach() {
    let stage = Stage::new();
    stage.at(30);
    stage.tell(Command::Select(Some(4)));
    let shown = stage.wait("the account", |shown| shown.account.is_some());
    let quiet = [Command::Cursor(None)];
    for size in [SIZE, (500, 400), (3840, 2160)] {
        let mut ui = Ui::new(size, false);
        ui.has_params = true;
        let world = ui.camera(&shown);
        press(Key::Char('h'), &mut ui, &shown);
        let help = ui.layout(&shown).help.unwrap();
        // Everywhere on it, whatever is below.
        for share in [0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99] {
            for other in [0.02, 0.4, 0.8, 0.98] {
                let at = help.min + (help.max - help.min) * Vec2::new(share, other);
                ui.param = 1;
                assert_eq!(everything(&mut ui, at, &shown), quiet, "{size:?}: {at}");
                assert_eq!(ui.param, 1, "{size:?}: {at}");
            }
        }
        assert_eq!(ui.camera(&shown), world, "{size:?}");
    }
    // Where there is no room for both, the agent's panel lies over the params.
    let mut ui = Ui::new((500, 400), false);
    ui.has_params = true;
    let layout = ui.layout(&shown);
    let (agent, params) = (layout.agent.unwrap(), layout.params.unwrap());
    let both = Vec2::new(params.max.x - 5.0, params.min.y + Layout::HEAD + 5.0);
    assert!(agent.contains(both) && params.contains(both));
    assert_eq!(everything(&mut ui, both, &shown), quiet);
    let beside = Vec2::new(agent.min.x - 5.0, both.y);
    let tuned = everything(&mut ui, beside, &shown);
    assert!(matches!(&tuned[..], [_, Command::Tune { .. }, Command::Tune { .. }]), "{tuned:?}");
}

/// Those below an error were clicked through its panel.
#[test]
fn an_error_is_in_front_of_the_world() {
    let stage = Stage::new();
    stage.at(30);
    stage.script("bird", "fn steer(me) { me.sepration(3) }");
    let shown = stage.wait("the error", |shown| !shown.errors.is_empty());
    let mut ui = Ui::new(SIZE, false);
    let panel = ui.layout(&shown).failure.unwrap();
    let commands = everything(&mut ui, middle(panel), &shown);
    assert_eq!(commands, [Command::Cursor(None)]);
    let below = Vec2::new(middle(panel).x, panel.max.y + 60.0);
    assert!(everything(&mut ui, below, &shown).len() > 2);
}

#[test]
fn the_help_is_paged_through_and_closed() {
    let stage = Stage::new();
    let shown = stage.at(1);
    let mut ui = Ui::new((500, 400), false);
    let closed = drawn(&ui, &shown);
    let mut seen = vec![closed.clone()];
    let pages = Help::new(ui.size).pages();
    assert!(pages > 1);
    for page in 0..pages {
        press(Key::Char('h'), &mut ui, &shown);
        let now = drawn(&ui, &shown);
        assert!(!seen.contains(&now), "page {page}");
        seen.push(now);
    }
    // The wheel goes both ways, and no further than the ends.
    ui.moved(ui.layout(&shown).help.map(middle), &shown);
    for _ in 0..pages + 3 {
        ui.wheel(1.0, &shown);
    }
    assert_eq!(drawn(&ui, &shown), seen[1]);
    for _ in 0..pages + 3 {
        ui.wheel(-1.0, &shown);
    }
    assert_eq!(drawn(&ui, &shown), seen[pages]);
    press(Key::Char('h'), &mut ui, &shown);
    assert_eq!(drawn(&ui, &shown), closed);
}

/// One could zoom until a world of 400 units was 1e-8 pixels wide, or 1e12.
#[test]
fn the_wheel_stops_where_there_is_nothing_more_to_see() {
    let stage = Stage::new();
    let shown = stage.at(1);
    let fit = Ui::new(SIZE, false).camera(&shown).pixels(1.0);
    for (by, least, most) in [(1.0, 1e3, 1e4), (-1.0, 0.02, 0.1)] {
        let mut ui = Ui::new(SIZE, false);
        ui.moved(Some(Vec2::new(300.0, 200.0)), &shown);
        for _ in 0..300 {
            ui.wheel(by, &shown);
        }
        let times = ui.camera(&shown).pixels(1.0) / fit;
        assert!(least <= times && times <= most * 1.001, "{times} times");
        drawn(&ui, &shown);
    }
}

#[test]
fn a_speed_that_is_not_reached_is_told_and_fits_its_place() {
    let speeds = [
        (0, None, "1x speed"),
        (-3, None, "1/8 speed"),
        (0, Some(0.4167), "0.42x of 1x speed"),
        (6, Some(0.55), "35x of 64x speed"),
        (4, Some(0.203), "3.2x of 16x speed"),
        (6, Some(0.001), "0.064x of 64x speed"),
        (-3, Some(0.4), "0.050x of 1/8 speed"),
    ];
    let strip = Ui::new(SIZE, false).layout(&Stage::new().at(0));
    for (power, reached, words) in speeds {
        assert_eq!(panels::speed(power, reached), words);
        let width = text_width(words, sheet::SIZE);
        assert!(width + 14.0 + 8.0 <= SIZE.0 as f32 - strip.time.max.x, "{words}: {width}");
    }
}
