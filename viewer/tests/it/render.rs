//! `flockwork render`: pictures and films.

use std::fs;

use crate::project::Project;

#[test]
fn a_tick_is_drawn() {
    let project = Project::two();
    let picture = |name: &str, more: &[&str]| {
        let mut args = vec!["render", "scenarios/two.ron", "--out", name, "--size", "320x200"];
        args.extend(more);
        project.flockwork(&args).says(0, &[]);
        fs::read(project.path(name)).unwrap()
    };
    let start = picture("a.png", &["--tick", "0"]);
    assert!(start.starts_with(b"\x89PNG"));
    let (width, height) = (start[16..20].try_into().unwrap(), start[20..24].try_into().unwrap());
    assert_eq!((u32::from_be_bytes(width), u32::from_be_bytes(height)), (320, 200));
    assert_eq!(start, picture("b.png", &["--tick", "0"]), "the same bytes each time");
    assert_ne!(start, picture("c.png", &["--tick", "9"]));
    assert_ne!(start, picture("d.png", &["--tick", "0", "--dark"]));
}

/// Returns width, height and delay of each frame of a GIF; the delay is in hundredths of a second.
fn frames(bytes: &[u8]) -> Vec<(u16, u16, u16)> {
    let mut decoder = gif::DecodeOptions::new().read_info(bytes).unwrap();
    let mut frames = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        frames.push((frame.width, frame.height, frame.delay));
    }
    frames
}

#[test]
fn a_film_plays_as_fast_as_the_run() {
    let project = Project::two();
    let film = |name: &str, more: &[&str]| {
        let start = ["render", "scenarios/two.ron", "--size", "160x120", "--out"];
        let args: Vec<&str> = start.iter().chain([&name]).chain(more).copied().collect();
        project.flockwork(&args).says(0, &[]);
        fs::read(project.path(name)).unwrap()
    };
    let ticks = ["--tick", "0", "--to", "10", "--every", "3"];
    let bytes = film("a.gif", &ticks);
    let shown = frames(&bytes);
    assert_eq!(shown.len(), 4);
    assert_eq!((shown[0].0, shown[0].1), (160, 120));
    assert_eq!(bytes, film("b.gif", &ticks), "the same bytes each time");
    let time = |frames: &[(u16, u16, u16)]| -> u16 { frames.iter().map(|frame| frame.2).sum() };
    // The ticks of the scenario are 0.05 s long.
    assert_eq!(time(&shown), 60);
    let slow = film("c.gif", &[&ticks[..], &["--speed", "0.25"]].concat());
    assert_eq!(time(&frames(&slow)), 240);
    let trails = film("d.gif", &[&ticks[..], &["--trails=9", "--dark"]].concat());
    assert_ne!(bytes, trails);
}

#[test]
fn a_picture_can_have_trails() {
    let project = Project::two();
    let picture = |more: &[&str]| {
        let start = ["render", "scenarios/two.ron", "--tick", "10", "--out", "a.png"];
        project.flockwork(&[&start[..], more].concat()).says(0, &[]);
        fs::read(project.path("a.png")).unwrap()
    };
    let without = picture(&[]);
    assert_ne!(without, picture(&["--trails"]));
    assert_ne!(picture(&["--trails=2"]), picture(&["--trails=8"]));
}
