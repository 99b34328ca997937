//! The window on its screen: where it was the last time, and how large everything is drawn.

use std::fs;
use std::path::PathBuf;
use std::thread::sleep;
use std::time::Duration;

use super::project;
use super::viewer::{Screenshot, Viewer, VirtualDisplay, has_tools, wait};

impl Viewer {
    /// Returns x, y, width and height of the window on the screen.
    fn place(&self) -> [i32; 4] {
        let text = self.xdotool(&["getwindowgeometry", "--shell", &self.window]);
        ["X=", "Y=", "WIDTH=", "HEIGHT="].map(|name| {
            let line = text.lines().find_map(|line| line.strip_prefix(name));
            line.unwrap().parse().unwrap()
        })
    }

    fn is_at(&self, place: [i32; 4]) {
        let found = || (self.place() == place).then_some(());
        wait(&format!("a window at {place:?}"), found);
    }

    /// Returns the path of the file that keeps the place.
    fn kept(&self) -> PathBuf {
        self.project.path("state/flockwork/window.ron")
    }
}

/// Without other programs, such a server restarts whenever the last connection to it ends.
#[test]
fn a_window_opens_on_a_server_that_starts_anew() {
    if !has_tools() {
        return;
    }
    let display = VirtualDisplay::new(&[]);
    // It has just restarted, since the check whether it is ready was its last connection.
    sleep(Duration::from_secs(1));
    let mut viewer = Viewer::start_on(display, project(), "scenarios/a.ron", &[]);
    // Nothing else may connect until the window and what listens to it are connected.
    wait("two connections", || (viewer.display.connections() >= 2).then_some(()));
    viewer.find_window();
}

#[test]
fn the_window_opens_where_it_was_closed() {
    if !has_tools() {
        return;
    }
    let mut viewer = Viewer::open(&["--paused"]);
    assert!(!viewer.kept().exists());
    viewer.xdotool(&["windowmove", "--sync", &viewer.window, "120", "80"]);
    viewer.xdotool(&["windowsize", "--sync", &viewer.window, "700", "500"]);
    viewer.is_at([120, 80, 700, 500]);
    // The window has to know its size before it is closed.
    wait("the new size", || (viewer.screenshot().width == 700).then_some(()));
    viewer.at(3);
    assert_eq!(viewer.close(), "");
    viewer.start(&[]);
    viewer.is_at([120, 80, 700, 500]);
    let text = fs::read_to_string(viewer.kept()).unwrap();
    assert!(
        text.ends_with("(size: (700, 500), at: (120, 80), column: None, plot: None)\n"),
        "{text}"
    );

    // An option wins. The screen is 1400 pixels wide and 1000 high.
    viewer.close();
    viewer.start(&["--size", "1300x600"]);
    viewer.is_at([100, 80, 1300, 600]);

    // The screen may have been larger.
    viewer.close();
    fs::write(viewer.kept(), text.replace("at: (120, 80)", "at: (5000, -300)")).unwrap();
    viewer.start(&[]);
    viewer.is_at([700, 0, 700, 500]);
}

#[test]
fn a_file_that_is_not_the_place_of_a_window_is_reported_and_kept() {
    if !has_tools() {
        return;
    }
    let mut viewer = Viewer::open(&["--paused"]);
    let kept = viewer.kept();
    fs::create_dir_all(kept.parent().unwrap()).unwrap();
    fs::write(&kept, "my notes\n").unwrap();
    for _ in 0..2 {
        let stderr = viewer.close();
        assert!(stderr.contains("warning") && stderr.contains("window.ron"), "{stderr}");
        assert_eq!(fs::read_to_string(&kept).unwrap(), "my notes\n");
        viewer.start(&["--size", "640x480"]);
    }
}

#[test]
fn everything_is_drawn_and_clicked_larger() {
    if !has_tools() {
        return;
    }
    let mut viewer = Viewer::open(&["--paused", "--scale", "2"]);
    viewer.at(30);
    // The button that plays, in a window that is 450 pixels of the layout wide.
    viewer.click(2 * 83, 640 - 2 * (24 + 26));
    wait("time", || viewer.title().hash.is_none().then_some(()));
    // The pointer is there already: xdotool would wait for it to move.
    viewer.xdotool(&["click", "1"]);
    wait("a pause", || viewer.title().hash.is_some().then_some(()));
    viewer.point(450, 100);
    let large = wait("the plain window", || {
        let one = viewer.screenshot();
        // Longer than a frame takes on a busy machine.
        sleep(Duration::from_millis(500));
        (one == viewer.screenshot()).then_some(one)
    });
    // A notice says how large, for some seconds. The time bar is below it.
    let bar = |shot: &Screenshot| shot.rgb[shot.width * 560..].to_vec();
    viewer.xdotool(&["key", "ctrl+minus"]);
    wait("less", || (bar(&viewer.screenshot()) != bar(&large)).then_some(()));
    viewer.xdotool(&["key", "ctrl+plus"]);
    wait("more", || (bar(&viewer.screenshot()) == bar(&large)).then_some(()));
    viewer.xdotool(&["key", "ctrl+minus", "ctrl+minus"]);
    wait("less again", || (bar(&viewer.screenshot()) != bar(&large)).then_some(()));
    viewer.xdotool(&["key", "ctrl+0"]);
    wait("the first size", || (viewer.screenshot() == large).then_some(()));

    // The setting of the system.
    let set = std::process::Command::new("xprop")
        .args([
            "-root",
            "-format",
            "RESOURCE_MANAGER",
            "8s",
            "-set",
            "RESOURCE_MANAGER",
            "Xft.dpi: 192",
        ])
        .env("DISPLAY", viewer.display.name())
        .status();
    if set.is_ok_and(|status| status.success()) {
        viewer.close();
        viewer.start(&["--size", "900x640", "--paused"]);
        viewer.click(2 * 83, 640 - 2 * (24 + 26));
        wait("time", || viewer.title().hash.is_none().then_some(()));
    }
}
