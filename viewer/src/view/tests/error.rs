//! The error panel.

use super::*;

/// A script with a mistake in a long line between others.
const BROKEN: &str = "// Birds stay together.
fn steer(me) {
\tlet together = me.cohesion(60);
\tlet apart = me.sepration(me.params.room) + me.alignment(60) + 0.4 * me.wander() + 2 * me.avoid_obstacles();
\ttogether + apart
}
";

#[test]
fn an_error_is_shown_with_its_lines_in_a_panel_of_their_width() {
    let test = PlayerTest::new();
    test.at(30);
    test.script("bird", BROKEN);
    let state = test.wait("the error", |state| !state.errors.is_empty());
    for size in [(500, 400), SIZE, (1280, 800)] {
        for is_dark in [false, true] {
            let ui = Ui::new(size, is_dark);
            save_picture("error", &ui, &state);
            let panel = ui.layout(&state).area(panels::error::PANEL.id).unwrap();
            assert!(panel.max.x <= size.0 as f32 && panel.max.y < size.1 as f32, "{panel:?}");
        }
    }
    let wide = Ui::new((1280, 800), false).layout(&state).area(panels::error::PANEL.id).unwrap();
    test.script("bird", "fn steer(me) {\n    me.sepration(3)\n}\n");
    let short =
        test.wait("another error", |now| !now.errors.is_empty() && now.errors != state.errors);
    let ui = Ui::new((1280, 800), false);
    save_picture("short_error", &ui, &short);
    let narrow = ui.layout(&short).area(panels::error::PANEL.id).unwrap();
    assert!(narrow.width() < wide.width() - 100.0, "{narrow:?} {wide:?}");
}
