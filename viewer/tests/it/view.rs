//! `flockwork view` in a real window on a virtual display. Without Xvfb, xdotool or ImageMagick, these tests say that they are
//! skipped.

mod screens;
#[cfg(unix)]
mod sharing;
mod system;
mod take_along;
mod viewer;

use std::fs;
use std::path::Path;

use crate::project::Project;
use viewer::{Screenshot, Viewer, has_tools, wait};

/// A script whose birds never stand still.
const CIRCLE: &str = "fn steer(me) { me.heading * me.max_speed - me.vel + me.vel.perp() * 0.8 }";
/// A script whose birds stand still.
const STAND: &str = "fn steer(me) { me.vel = vec(0, 0); vec(0, 0) }";
const SCENARIO: &str = r#"(
    name: "Circles", ticks: 2000,
    world: (size: (640, 400)),
    groups: { "bird": (
        behavior: "bird", count: 9, spawn: Grid(at: (120, 100), columns: 3, spacing: (150, 100)),
        velocity: (60, 0), body: (radius: 8, max_speed: 60, max_force: 90), params: { "calm": 1.5 },
    ) },
)"#;

fn project() -> Project {
    Project::empty().with("scripts/bird.rhai", CIRCLE).with("scenarios/a.ron", SCENARIO)
}

/// Saves like most editors: a new file replaces the old one.
fn save(path: &Path, text: &str) {
    let new = path.with_extension("new");
    fs::write(&new, text).unwrap();
    fs::rename(new, path).unwrap();
}

/// Returns the state hash of the run at a tick, without a window.
fn headless(project: &Project, tick: u64) -> String {
    let tick = tick.to_string();
    let run = project.flockwork(&["run", "scenarios/a.ron", "--ticks", &tick]);
    run.summary("state hash")
}

#[test]
fn a_window_shows_the_run_and_goes_back_and_forward() {
    if !has_tools() {
        return;
    }
    let viewer = Viewer::open(&[]);
    let begun = viewer.title().tick;
    wait("time", || (viewer.title().tick > begun + 10).then_some(()));
    let hash = viewer.at(300);
    assert_eq!(hash, headless(&viewer.project, 300), "the same run without a window");
    let picture = viewer.screenshot();
    assert!(picture.colors() > 20, "the window is blank");

    let early = viewer.at(120);
    assert_eq!(early, headless(&viewer.project, 120));
    assert!(viewer.screenshot().world() != picture.world());
    assert_eq!(viewer.at(300), hash, "there and back");
    viewer.key("comma");
    wait("one tick back", || (viewer.title().tick == 299).then_some(()));
    viewer.key("period");
    let title = wait("one tick forward", || Some(viewer.title()).filter(|title| title.tick == 300));
    assert_eq!(title.hash, Some(hash));

    viewer.click(400, 615 - 26);
    wait("a click on the time bar", || (viewer.title().tick != 300).then_some(()));
    viewer.key("space");
    wait("time again", || viewer.title().hash.is_none().then_some(()));
    viewer.key("ctrl+q");
    let mut viewer = viewer;
    let (status, _) = wait("the end", || viewer.program.ended());
    assert_eq!(status.code(), Some(0));
}

#[test]
fn a_saved_script_changes_the_motion_and_a_broken_one_is_reported() {
    if !has_tools() {
        return;
    }
    let viewer = Viewer::open(&[]);
    wait("time", || (viewer.title().tick > 20).then_some(()));
    save(&viewer.script(), STAND);
    let still = wait("birds that stand", || {
        let (before, first) = (viewer.title().tick, viewer.screenshot());
        wait("time", || (viewer.title().tick > before + 20).then_some(()));
        (viewer.screenshot().world() == first.world()).then_some(first)
    });
    let tick = viewer.title().tick;
    assert!(tick > 20, "the ticks go on from where they were");

    save(&viewer.script(), &STAND.replace("vec(0, 0); ", "vec(0, 0; "));
    wait("the error", || viewer.title().text.ends_with("has errors").then_some(()));
    let with_error = wait("the error on the screen", || {
        Some(viewer.screenshot()).filter(|picture| {
            picture.rgb[picture.width * 30..picture.width * 40]
                != still.rgb[still.width * 30..still.width * 40]
        })
    });
    let before = viewer.title().tick;
    wait("time", || (viewer.title().tick > before + 20).then_some(()));
    assert!(viewer.screenshot().world() == with_error.world(), "the old behavior keeps running");

    save(&viewer.script(), CIRCLE);
    wait("no error", || (!viewer.title().text.contains("has errors")).then_some(()));
    wait("motion", || (viewer.screenshot().world() != still.world()).then_some(()));
    assert!(viewer.title().tick > before);
}

#[test]
fn a_click_explains_an_agent_and_a_tick_is_saved_as_a_test() {
    if !has_tools() {
        return;
    }
    let viewer = Viewer::open(&["--paused"]);
    viewer.at(40);
    let plain = viewer.screenshot();
    for key in ["h", "p", "t", "v"] {
        viewer.key(key);
        wait(&format!("what {key} shows"), || (viewer.screenshot() != plain).then_some(()));
        viewer.key(key);
        wait(&format!("what {key} hides"), || (viewer.screenshot() == plain).then_some(()));
    }
    // Find a bird by its color, which is the first of the palette, in the left half: the column has that color, too.
    let is_bird = |(index, pixel): (usize, &Vec<u8>)| {
        index % plain.width < plain.width / 2 && pixel[..3] == [0x00, 0x72, 0xb2]
    };
    let bird = plain.world().iter().enumerate().position(is_bird).unwrap();
    let bird = bird + plain.width * Screenshot::TOP;
    viewer.click((bird % plain.width) as u32, (bird / plain.width) as u32 + 2);
    wait("the panel", || {
        let now = viewer.screenshot();
        // In the column at the right, below the legend and the params.
        let column = |of: &Screenshot| {
            let rows = of.rgb.chunks(of.width).skip(150).take(350);
            rows.map(|row| row[of.width - 150..].to_vec()).collect::<Vec<_>>()
        };
        (column(&now) != column(&plain)).then_some(())
    });

    // It asks for a name before it writes.
    viewer.key("b");
    let scenarios = viewer.project.path("scenarios");
    assert!(!scenarios.join("a_at_40.ron").exists());
    viewer.key("Return");
    let golden = wait("a golden", || {
        let mut files = fs::read_dir(&scenarios).unwrap().map(|file| file.unwrap().path());
        files.find(|file| file.extension().is_some_and(|ending| ending == "golden"))
    });
    let saved = golden.with_extension("ron");
    let tested = viewer.project.flockwork(&["test", saved.to_str().unwrap()]);
    tested.says(0, &[]);
}

#[test]
fn a_plan_shows_the_results_of_its_tune() {
    if !has_tools() {
        return;
    }
    let plan = r#"(
        scenario: "a.ron", ticks: 60, seeds: 1,
        vary: { "groups.bird.body.max_speed": Range(from: 40, to: 90) },
        tune: (goals: [Maximize("mean_speed")], budget: 20, confirm: 2),
    )"#;
    let project = project().with("scenarios/a.plan.ron", plan);
    let early = project.flockwork(&["view", "scenarios/a.plan.ron"]);
    early.says(2, &["a.tune", "flockwork tune scenarios/a.plan.ron"]);
    let tuned = project.flockwork(&["tune", "scenarios/a.plan.ron", "--json"]);
    let tuned: serde_json::Value = serde_json::from_str(&tuned.out()).unwrap();
    let best = tuned["found"][0]["values"][0].as_str().unwrap().to_owned();
    let text = SCENARIO.replace("max_speed: 60", &format!("max_speed: {best}"));
    let project = project.with("scenarios/best.ron", &text);
    let best = project.flockwork(&["run", "scenarios/best.ron", "--ticks", "50"]);

    let viewer = Viewer::open_in(project, "scenarios/a.plan.ron", &["--paused"]);
    assert_eq!(viewer.at(50), best.summary("state hash"));
    let picture = viewer.screenshot();
    viewer.key("Next");
    let other = wait("the next result", || {
        viewer.title().hash.filter(|hash| *hash != best.summary("state hash"))
    });
    assert_eq!(viewer.title().tick, 50, "the run goes to the same tick");
    assert!(viewer.screenshot() != picture && !other.is_empty());
    viewer.key("Prior");
    wait("the best result", || {
        viewer.title().hash.filter(|hash| *hash == best.summary("state hash"))
    });
}

/// A script that was saved with a mistake locked its scenario out of the window.
#[test]
fn a_scenario_with_mistakes_opens_and_begins_when_they_are_repaired() {
    if !has_tools() {
        return;
    }
    let run = headless(&project(), 50);
    let broken = project().with("scripts/bird.rhai", "fn steer(me) { (");
    // As long as it has errors, its name is that of the file.
    let broken = broken.with("scenarios/Circles.ron", SCENARIO);
    let viewer = Viewer::open_in(broken, "scenarios/Circles.ron", &["--paused"]);
    let waiting = wait("the window", || viewer.title().hash);
    save(&viewer.project.path("scripts/bird.rhai"), CIRCLE);
    wait("the run", || viewer.title().hash.filter(|hash| *hash != waiting));
    assert_eq!(viewer.at(50), run);
}

#[cfg(target_os = "linux")]
#[test]
fn without_a_display_the_commands_that_need_none_are_named() {
    let project = project();
    let run = project
        .command(&["view", "scenarios/a.ron"])
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .unwrap();
    let stderr = String::from_utf8(run.stderr).unwrap();
    assert_eq!(run.status.code(), Some(2), "{stderr}");
    for part in [
        "neither DISPLAY nor WAYLAND_DISPLAY is set",
        "flockwork run",
        "flockwork render",
        "flockwork explain",
    ] {
        assert!(stderr.contains(part), "{part} is missing in\n{stderr}");
    }
}
