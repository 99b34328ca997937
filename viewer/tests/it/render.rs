//! Pictures.

use std::fs;

use crate::project::Project;

#[test]
fn a_tick_is_drawn() {
    let project = Project::two();
    let picture = |name: &str, more: &[&str]| {
        let mut args = vec![
            "render",
            "scenarios/two.ron",
            "--out",
            name,
            "--size",
            "320x200",
        ];
        args.extend(more);
        project.flockwork(&args).says(0, &[]);
        fs::read(project.path(name)).unwrap()
    };
    let start = picture("a.png", &["--tick", "0"]);
    assert!(start.starts_with(b"\x89PNG"));
    let (width, height) = (
        start[16..20].try_into().unwrap(),
        start[20..24].try_into().unwrap(),
    );
    assert_eq!(
        (u32::from_be_bytes(width), u32::from_be_bytes(height)),
        (320, 200)
    );
    assert_eq!(
        start,
        picture("b.png", &["--tick", "0"]),
        "the same bytes each time"
    );
    assert_ne!(start, picture("c.png", &["--tick", "9"]));
    assert_ne!(start, picture("d.png", &["--tick", "0", "--dark"]));
}

#[test]
fn pictures_that_cannot_be_drawn() {
    let project = Project::two();
    let fails = |out: &str, size: &str, part: &str| {
        let args = [
            "render",
            "scenarios/two.ron",
            "--tick",
            "1",
            "--out",
            out,
            "--size",
            size,
        ];
        project.flockwork(&args).says(2, &[part]);
    };
    fails("a.bmp", "320x200", "end its name in .png");
    fails("no/a.png", "320x200", "there is no folder no");
    fails("a.png", "320", "such as 1280x720");
    fails("a.png", "0x9", "both must be from 16 to 16384");
    let script = "fn steer(me) { throw 1; }";
    Project::two_with(script)
        .flockwork(&[
            "render",
            "scenarios/two.ron",
            "--tick",
            "1",
            "--out",
            "a.png",
        ])
        .says(2, &["scripts/walk.rhai:1:"]);
}
