//! The window and its system: covered, moved, minimized, with short clicks and shortcuts, and without its server.

use std::fs;
use std::process::Command;

use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{ClientMessageEvent, ConnectionExt as _, EventMask};

use crate::interrupt::is_ignored;
use crate::project::skipped;

use super::viewer::{Screenshot, Viewer, has_tools, wait};

impl Viewer {
    /// Waits until the window shows something.
    fn shows(&self, what: &str, is_so: impl Fn(&Screenshot) -> bool) {
        wait(what, || is_so(&self.screenshot()).then_some(()));
    }

    /// Waits until the window has shown something else than before for a moment. Returns what it shows.
    fn settles(&self, before: &Screenshot) -> Screenshot {
        let mut last = self.screenshot();
        wait("something that stays", || {
            let earlier = std::mem::replace(&mut last, self.screenshot());
            (last == earlier && last != *before).then_some(())
        });
        last
    }

    /// Returns the number of bytes that the program has written so far, most of them pictures for the X server.
    fn bytes_written(&self) -> u64 {
        let io = fs::read_to_string(format!("/proc/{}/io", self.program.id())).unwrap();
        let written = io.lines().find_map(|line| line.strip_prefix("wchar: "));
        written.unwrap().parse().unwrap()
    }

    /// Asks the window to close, as a desktop does for Alt+F4 or its close button.
    fn ask_to_close(&self) {
        let (server, _) = x11rb::connect(Some(self.display.name())).unwrap();
        let atom = |name: &[u8]| server.intern_atom(false, name).unwrap().reply().unwrap().atom;
        let window = self.window.parse().unwrap();
        let data = [atom(b"WM_DELETE_WINDOW"), 0, 0, 0, 0];
        let message = ClientMessageEvent::new(32, window, atom(b"WM_PROTOCOLS"), data);
        server.send_event(false, window, EventMask::NO_EVENT, message).unwrap();
        server.flush().unwrap();
        server.get_input_focus().unwrap().reply().unwrap();
    }

    /// Returns the number of bytes that the program writes during some ticks.
    fn bytes_of_ticks(&self, ticks: u64) -> u64 {
        let (from, before) = (self.title().tick, self.bytes_written());
        wait("time", || (self.title().tick >= from + ticks).then_some(()));
        self.bytes_written() - before
    }
}

/// A paused window was not drawn, so parts that had been covered or off the screen were black until a key was pressed.
#[test]
fn a_paused_window_is_painted_again_when_it_becomes_visible() {
    if !has_tools() {
        return;
    }
    let viewer = Viewer::open(&["--paused"]);
    // Not on a part that looks different below the pointer.
    viewer.point(20, 20);
    viewer.shows("the world", |now| now.colors() > 20);
    let whole = viewer.screenshot();
    viewer.xdotool(&["windowunmap", "--sync", &viewer.window]);
    viewer.xdotool(&["windowmap", "--sync", &viewer.window]);
    viewer.shows("what was minimized", |now| *now == whole);

    let at = |x| {
        viewer.xdotool(&["windowmove", "--sync", &viewer.window, x, "100"]);
    };
    at("1200");
    at("100");
    viewer.shows("what was off the screen", |now| *now == whole);

    // Cover the window with another one, and uncover it.
    let title = viewer.title().text;
    let other = viewer.display.open(&viewer.project, &["--size", "1000x700"], &[]);
    let above = wait("the other window", || {
        let found = viewer.xdotool(&["search", "--name", "Circles - tick"]);
        let other = found.lines().find(|window| *window != viewer.window);
        other.map(str::to_owned)
    });
    viewer.xdotool(&["windowmove", "--sync", &above, "50", "50"]);
    viewer.xdotool(&["windowraise", &above]);
    wait("the other window's picture", || (viewer.screenshot() != whole).then_some(()));
    drop(other);
    viewer.shows("what was covered", |now| *now == whole);
    assert_eq!(viewer.title().text, title, "the run has not changed");
}

/// A hidden window was drawn 60 times per second.
#[cfg(target_os = "linux")]
#[test]
fn a_hidden_window_is_not_drawn_and_the_run_continues() {
    if !has_tools() {
        return;
    }
    let viewer = Viewer::open(&[]);
    wait("time", || (viewer.title().tick > 60).then_some(()));
    let seen = viewer.bytes_of_ticks(60);
    viewer.xdotool(&["windowunmap", "--sync", &viewer.window]);
    // The last frame may still be in progress.
    viewer.bytes_of_ticks(20);
    let unseen = viewer.bytes_of_ticks(60);
    assert!(unseen < seen / 1000, "{unseen} bytes after {seen}");
    viewer.xdotool(&["windowmap", "--sync", &viewer.window]);
    viewer.shows("the world", |now| now.colors() > 20);
}

/// A press and a release between two polls of the mouse were lost.
#[test]
fn the_shortest_click_counts() {
    if !has_tools() {
        return;
    }
    let viewer = Viewer::open(&["--paused"]);
    for x in [300, 500, 400, 600] {
        let before = viewer.title().tick;
        viewer.click(x, 615 - 26);
        wait("a click on the time bar", || {
            let title = viewer.title();
            (title.tick != before && title.hash.is_some()).then_some(())
        });
    }
    let before = viewer.screenshot();
    viewer.point(450, 300);
    viewer.xdotool(&["click", "--delay", "0", "4"]);
    viewer.shows("the world nearer", |now| now.world() != before.world());
}

/// Alt+Q ended the program; Alt+S and Ctrl+B wrote files.
#[test]
fn shortcuts_of_other_programs_do_nothing() {
    if !has_tools() {
        return;
    }
    let mut viewer = Viewer::open(&["--paused"]);
    viewer.shows("the world", |now| now.colors() > 20);
    let plain = viewer.screenshot();
    let shortcuts = ["alt+q", "alt+s", "super+b", "ctrl+s", "ctrl+alt+q", "alt+Home", "ctrl+1"];
    for shortcut in shortcuts {
        viewer.xdotool(&["key", shortcut]);
    }
    // Keys are handled in order, so these come after the shortcuts.
    viewer.xdotool(&["key", "d"]);
    viewer.shows("another ground", |now| now.rgb[0] != plain.rgb[0]);
    viewer.xdotool(&["key", "d"]);
    viewer.shows("the first ground", |now| *now == plain);
    assert!(viewer.program.ended().is_none(), "it has ended");
    let files = fs::read_dir(viewer.project.path("scenarios")).unwrap();
    assert_eq!(files.count(), 1, "it has saved something");
    viewer.xdotool(&["key", "ctrl+q"]);
    let (status, _) = wait("the end", || viewer.program.ended());
    assert_eq!(status.code(), Some(0));
}

/// There was no message but that of Xlib.
#[test]
fn without_its_server_the_program_reports_it_and_ends() {
    if !has_tools() {
        return;
    }
    for paused in [&["--paused"][..], &[]] {
        let mut viewer = Viewer::open(paused);
        viewer.display.kill();
        let (status, stderr) = wait("the end", || viewer.program.ended());
        assert_eq!(status.code(), Some(1), "{stderr}");
        let (word, help) = ("the window was closed from outside", "the X server has ended");
        assert!(stderr.contains(word) && stderr.contains(help), "{stderr}");
        assert_eq!(stderr.matches(word).count(), 1, "{stderr}");
    }
}

/// Caught: closed by the desktop, the window did not ask about params that were not written, as it does for `q`.
#[test]
fn closing_by_the_desktop_asks_about_params_that_are_not_written() {
    if !has_tools() {
        return;
    }
    let mut viewer = Viewer::open(&["--paused"]);
    viewer.shows("the world", |now| now.colors() > 20);
    let plain = viewer.screenshot();
    viewer.key("ctrl+Right");
    viewer.shows("another param", |now| *now != plain);
    let before = viewer.window.clone();
    viewer.ask_to_close();
    wait("another window", || {
        let found = viewer.xdotool(&["search", "--name", "Circles - tick"]);
        found.lines().any(|window| window != before).then_some(())
    });
    viewer.find_window();
    viewer.shows("the world again", |now| now.colors() > 20);
    viewer.key("ctrl+s");
    let path = viewer.project.path("scenarios/a.ron");
    wait("the params", || fs::read_to_string(&path).unwrap().contains("1.55").then_some(()));
    viewer.ask_to_close();
    let (status, stderr) = wait("the end", || viewer.program.ended());
    assert_eq!(status.code(), Some(0), "{stderr}");
}

/// Caught: a signal lost what was typed since the last copy, and the params that were not written.
#[test]
fn a_signal_leaves_a_copy_of_what_was_typed_until_then() {
    if !has_tools() {
        return;
    }
    for (signal, code) in [("-TERM", 143), ("-INT", 130), ("-HUP", 129)] {
        if is_ignored(code - 128) {
            skipped(&format!("{signal}: the tests themselves ignore it"));
            continue;
        }
        let mut viewer = Viewer::open(&["--paused"]);
        viewer.shows("the world", |now| now.colors() > 20);
        let plain = viewer.screenshot();
        viewer.key("ctrl+Right");
        let changed = viewer.settles(&plain);
        viewer.key("F3");
        let read = viewer.settles(&changed);
        ["ctrl+f", "m", "e", "Escape", "Delete"].into_iter().for_each(|key| viewer.key(key));
        let first = viewer.settles(&read);
        // Sooner than another copy is saved.
        ["z", "z", "y"].into_iter().for_each(|key| viewer.key(key));
        viewer.shows("the letters", |now| *now != first);
        let sent = Command::new("kill").args([signal, &viewer.program.id().to_string()]).status();
        assert!(sent.unwrap().success());
        let (status, stderr) = wait("the end", || viewer.program.ended());
        assert_eq!(status.code(), Some(code), "{stderr}");
        let (_, copy) = stderr.split_once("(a copy is in ").unwrap_or_else(|| panic!("{stderr}"));
        let copied =
            fs::read_to_string(copy.lines().next().unwrap().trim_end_matches(')')).unwrap();
        assert!(copied.contains("steer(zzy)"), "{copied}");
        assert!(stderr.contains("1 param is not written to scenarios/a.ron"), "{stderr}");
    }
}

/// Caught: what was typed in a file was lost, and the terminal said nothing of it.
#[test]
fn what_is_typed_is_kept_when_the_window_closes_and_when_its_server_ends() {
    if !has_tools() {
        return;
    }
    for is_killed in [false, true] {
        let mut viewer = Viewer::open(&["--paused"]);
        viewer.shows("the world", |now| now.colors() > 20);
        let plain = viewer.screenshot();
        viewer.key("F3");
        let read = viewer.settles(&plain);
        ["ctrl+f", "m", "e", "Escape", "Delete"].into_iter().for_each(|key| viewer.key(key));
        viewer.settles(&read);
        if is_killed {
            viewer.display.kill();
        } else {
            ["Escape", "Escape", "ctrl+q", "ctrl+q"].into_iter().for_each(|key| viewer.key(key));
        }
        let (_, stderr) = wait("the end", || viewer.program.ended());
        let said = "what you typed in scripts/bird.rhai is not written; the next window with this file offers it (a copy is in ";
        let (_, copy) = stderr.split_once(said).unwrap_or_else(|| panic!("{stderr}"));
        let copy = copy.lines().next().unwrap().trim_end_matches(')');
        assert!(copy.ends_with("_bird.rhai") && copy.contains("state/flockwork/unwritten/"));
        let copied = fs::read_to_string(copy).unwrap();
        assert!(copied.contains("steer()"), "{copied}");
    }
}
