//! Pictures and films.

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

#[test]
fn pictures_that_cannot_be_drawn() {
    let project = Project::two();
    let fails = |out: &str, size: &str, part: &str| {
        let args = ["render", "scenarios/two.ron", "--tick", "1", "--out", out, "--size", size];
        project.flockwork(&args).says(2, &[part]);
    };
    fails("a.bmp", "320x200", "end its name in .png or .gif");
    fails("no/a.png", "320x200", "there is no folder no");
    fails("a.png", "320", "such as 1280x720");
    fails("a.png", "0x9", "both must be from 16 to 16384");
    let script = "fn steer(me) { throw 1; }";
    Project::two_with(script)
        .flockwork(&["render", "scenarios/two.ron", "--tick", "1", "--out", "a.png"])
        .says(2, &["scripts/walk.rhai:1:"]);
}

/// Each frame of a GIF: its size and its time in hundredths of a second.
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
    // Its ticks are 0.05 s long.
    assert_eq!(time(&shown), 60);
    let slow = film("c.gif", &[&ticks[..], &["--speed", "0.25"]].concat());
    assert_eq!(time(&frames(&slow)), 240);
    let trails = film("d.gif", &[&ticks[..], &["--trails=9", "--dark"]].concat());
    assert_ne!(bytes, trails);
}

#[test]
fn a_film_of_long_ticks_says_how_to_play_it_faster() {
    let project = Project::two();
    let scenario = project.read("scenarios/two.ron");
    let slow = project.with(
        "scenarios/two.ron",
        scenario.replace("dt: 0.05,", "dt: 0.5, // check: allow(long-step)\n"),
    );
    let args = ["render", "scenarios/two.ron", "--out", "a.gif"];
    let said = slow.flockwork(&args).says(0, &[]).err();
    assert!(said.contains("with --speed 8"), "{said}");
    let fast = [&args[..], &["--speed", "8"]].concat();
    assert_eq!(slow.flockwork(&fast).says(0, &[]).err(), "");
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

#[test]
fn films_that_cannot_be_made() {
    let project = Project::two();
    for (more, part) in [
        (&["--out", "a.png", "--every", "2"][..], "--every is for films"),
        (&["--out", "a.gif", "--tick", "9", "--to", "8"], "--to is 8, --tick is 9"),
        (
            &["--out", "a.gif", "--tick", "999999"],
            "there is no tick 999999: the scenario ends at tick 10",
        ),
        (&["--out", "a.gif", "--speed", "50", "--every", "1"], "with --every "),
        (&["--out", "a.gif", "--speed", "0"], "from 0.001 to 1000"),
        (&["--out", "a.gif", "--every", "0"], "must be at least 1"),
        (&["--out", "a.gif", "--to", "11"], "there is no tick 11: the scenario ends at tick 10"),
        (&["--out", "a.png", "--tick", "11"], "ask for `--tick 10` or an earlier one"),
    ] {
        let args = [&["render", "scenarios/two.ron"], more].concat();
        project.flockwork(&args).says(2, &[part]);
    }
    assert!(!project.path("a.gif").exists());
    let text = project.read("scenarios/two.ron");
    let project = project.with("scenarios/two.ron", text.replace("ticks: 10,", "ticks: 900000,"));
    project
        .flockwork(&["render", "scenarios/two.ron", "--out", "a.gif"])
        .says(2, &["too much for a film"]);
}
