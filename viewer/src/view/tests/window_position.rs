//! The place of the window, remembered in a file.

use super::super::window_position::{WindowPosition, to_open};
use super::*;

#[test]
fn a_place_is_read_as_it_was_written() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("state/flockwork/window.ron");
    assert_eq!(WindowPosition::read(&file), Ok(None));
    for (at, column, plot) in [((10, 20), None, None), ((-5, 0), Some(300), Some(120))] {
        let place = WindowPosition { size: (900, 640), at, column, plot };
        place.write(&file).unwrap();
        assert_eq!(WindowPosition::read(&file), Ok(Some(place)));
    }
    assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1);
}

#[test]
fn a_file_of_another_kind_is_reported_and_kept() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("window.ron");
    let place = WindowPosition { size: (900, 640), at: (1, 2), column: None, plot: None };
    for text in ["my notes\n", "(size: (900, 640))\n", "(size: (9, 640), at: (1, 2))\n", "\0"] {
        fs::write(&file, text).unwrap();
        let error = WindowPosition::read(&file).unwrap_err();
        assert!(error.message.contains("is not the place of a window"), "{}", error.message);
        assert!(place.write(&file).is_err(), "{text}");
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
    }
    // A file of ours that was damaged is replaced.
    place.write(&dir.path().join("other.ron")).unwrap();
    let text = fs::read_to_string(dir.path().join("other.ron")).unwrap();
    fs::write(&file, text.replace("(size", "(sise")).unwrap();
    assert!(WindowPosition::read(&file).is_err());
    place.write(&file).unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
}

#[test]
fn a_window_opens_where_it_was_but_on_the_screen() {
    let screen = Some((1920, 1080));
    let last = |size, at| Some(WindowPosition { size, at, column: None, plot: None });
    let (size, all) = ((900, 640), (1920, 1080));
    for (wanted, last, factor, expected) in [
        (None, None, None, ((1280, 800), None)),
        (None, None, Some(1.25), ((1600, 1000), None)),
        (None, None, Some(2.0), (all, None)),
        (None, last(size, (10, 20)), Some(2.0), (size, Some((10, 20)))),
        (None, last(size, (-300, 2000)), None, (size, Some((0, 440)))),
        (None, last((3840, 2160), (1920, 0)), None, (all, Some((0, 0)))),
        (Some(size), last(all, (1000, 900)), None, (size, Some((1000, 440)))),
        (Some((4000, 640)), None, None, ((4000, 640), None)),
    ] {
        assert_eq!(to_open(wanted, last, factor, screen), expected);
    }
    // If the size of the screen is not known, nothing is moved.
    assert_eq!(to_open(None, last(size, (-300, 2000)), None, None), (size, Some((-300, 2000))));
}
