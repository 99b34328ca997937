//! Laws for all panels: the window behaves as they declare.

use std::collections::BTreeSet;

use super::super::frame::Frame;
use super::super::keys::keys;
use super::super::panel::{Escape, Opening};
use super::super::panels::{NAMES, PANELS};
use super::*;

#[test]
fn each_panel_has_the_name_of_its_file_as_its_id() {
    let ids: Vec<&str> = PANELS.iter().map(|panel| panel.id.0).collect();
    assert_eq!(ids, NAMES);
    let unique: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(unique.len(), ids.len());
}

#[test]
fn the_key_of_a_panel_opens_and_closes_it() {
    let inputs = "inputs: { \"go\": Key(\"q\") }, groups:";
    let test = PlayerTest::with_scenario(&SCENARIO.replace("groups:", inputs));
    let state = test.at(30);
    let with_key: Vec<_> =
        PANELS.iter().filter_map(|panel| Some((*panel, panel.key.as_ref()?))).collect();
    assert!(with_key.len() >= 6);
    for (panel, declared) in with_key {
        let name = panel.id.0;
        // The help explains the key.
        let binding = keys().of_command(panel.toggle()).map(|one| (&*one.keys, one.does));
        assert_eq!(binding, Some((declared.keys, declared.does)), "{name}");
        let key = declared.keys[0];
        assert_ne!(panel.opening, Opening::WithContents, "{name}");
        let mut ui = Ui::new((1280, 800), false);
        let is_drawn = |ui: &Ui| Frame::new(ui, &state, None).area(panel.id).is_some();
        let (at_start, plain) = (panel.is_open(&ui), drawn(&ui, &state));
        assert_eq!(is_drawn(&ui), at_start, "{name}");
        press(key, &mut ui, &state);
        assert_eq!((panel.is_open(&ui), is_drawn(&ui)), (!at_start, !at_start), "{name}");
        assert!(drawn(&ui, &state) != plain, "{name}");
        press(key, &mut ui, &state);
        assert!(drawn(&ui, &state) == plain, "{name}");
        // Esc closes it too, or leaves it as it is.
        press(key, &mut ui, &state);
        press(Key::Escape, &mut ui, &state);
        let is_left_open = panel.escape == Escape::Never && !at_start;
        assert_eq!(panel.is_open(&ui), is_left_open, "{name}");
    }
}
