//! A window that shares the values of the selected agent with an editor.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::project;
use super::viewer::{Viewer, VirtualDisplay, has_tools, wait};
use crate::lsp::client::Client;

const SCRIPT: &str = "\
fn steer(me) {
    let turn = me.vel.perp() * 0.8;
    turn + me.seek(vec(320, 200))
}
";
const FILE: &str = "scripts/bird.rhai";

impl Client {
    /// Returns the line and the text of each inlay hint in the script.
    fn hints(&mut self) -> Vec<(u64, String)> {
        let end = json!({"line": 99, "character": 0});
        let params = json!({
            "textDocument": {"uri": self.uri(FILE)},
            "range": {"start": {"line": 0, "character": 0}, "end": end},
        });
        let hints = self.request("textDocument/inlayHint", params);
        let hint = |one: &Value| {
            // Those behind long lines are padded.
            let label = one["label"].as_str().unwrap().trim_end().to_owned();
            (one["position"]["line"].as_u64().unwrap(), label)
        };
        hints.as_array().unwrap().iter().map(hint).collect()
    }

    /// Returns the hover on a name in the script.
    fn hover(&mut self, name: &str) -> String {
        let offset = self.text(FILE).find(name).unwrap();
        let at = crate::lsp::client::position(self.text(FILE), offset);
        let params = json!({"textDocument": {"uri": self.uri(FILE)}, "position": at});
        let hover = self.request("textDocument/hover", params);
        hover["contents"]["value"].as_str().unwrap_or_default().to_owned()
    }

    /// Waits until the server says that hints have changed.
    fn wait_for_values(&mut self) {
        self.wait_for_request("workspace/inlayHint/refresh");
    }
}

/// Starts an editor that shows all that it can be asked for.
fn editor(viewer: &Viewer) -> Client {
    let capabilities = json!({
        "workspace": {"inlayHint": {"refreshSupport": true}},
        "window": {"showDocument": {"support": true}},
    });
    let mut client = Client::start_with(&viewer.project, capabilities);
    client.open(FILE, SCRIPT);
    client.wait_for_first(FILE);
    client
}

fn sharing(more: &[&str]) -> Viewer {
    let options: Vec<&str> = ["--paused", "--editor"].iter().chain(more).copied().collect();
    let viewer = Viewer::open_in(project().with(FILE, SCRIPT), "scenarios/a.ron", &options);
    viewer.at(20);
    viewer
}

/// Returns the socket of the window.
fn socket(viewer: &Viewer) -> PathBuf {
    let folder = viewer.project.path("runtime/flockwork");
    let mut files = fs::read_dir(&folder).unwrap();
    files.next().unwrap().unwrap().path()
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn an_editor_shows_the_values_of_the_selected_agent() {
    if !has_tools() {
        return;
    }
    let mut viewer = sharing(&[]);
    let socket = socket(&viewer);
    assert_eq!((mode(&socket), mode(socket.parent().unwrap())), (0o600, 0o700));
    viewer.select(4);

    let mut client = editor(&viewer);
    client.wait_for_values();
    let hints = client.hints();
    let [(1, turn), (2, seek)] = &hints[..] else { panic!("{hints:?}") };
    // Behind long lines, they are rounded, and without room for the name as wide as it may be in another tick. A hover has all digits.
    assert!(turn.starts_with("≈ (") && seek.starts_with("seek ≈ ("), "{turn} {seek}");
    let hover = client.hover("seek");
    let force = hover.strip_prefix("now: `").and_then(|rest| rest.split_once('`')).unwrap().0;
    assert!(hover.starts_with(&format!("now: `{force}` for `bird` 4 at tick 20\n")), "{hover}");
    let words = ["explain", "scenarios/a.ron", "--agent", "4", "--tick", "20"];
    let explained = viewer.project.flockwork(&words).out();
    assert!(explained.contains(force), "{force} is not in\n{explained}");
    assert!(client.hover("turn +").contains("now: `("), "of a variable that is read");

    // A line that has changed has no values, and the same line has them again. Caught: while one typed, all values were gone.
    client.edit(FILE, "0.8", "0.9\n");
    let [(3, moved), (1, changed)] = &client.hints()[..] else { panic!("{:?}", client.hints()) };
    assert_eq!((moved, &**changed), (seek, "not saved, so the world runs without this"));
    assert!(client.hover("seek").contains("now:"));
    assert!(!client.hover("turn").contains("now:"));
    client.edit(FILE, "0.9\n", "0.9");
    client.edit(FILE, "0.9", "0.8");
    assert_eq!(client.hints(), hints);

    // Another tick has other values.
    viewer.at(25);
    client.wait_for_values();
    assert!(client.hover("seek").contains("at tick 25"));
    assert!(client.hints() != hints);

    // A line is shown in this editor, and the editor of `VISUAL` is not started.
    viewer.key("F4");
    let shown = client.wait_for_request("window/showDocument");
    assert_eq!(client.path(shown["uri"].as_str().unwrap()), FILE);
    assert_eq!(shown["selection"]["start"]["line"], 2);

    // Another window of the project does not share, and takes nothing away.
    let mut second = viewer.display.open(&viewer.project, &["--size", "500x400"], &["--editor"]);
    wait("another window", || {
        let found = viewer.xdotool(&["search", "--name", "Circles - tick"]);
        (found.lines().count() == 2).then_some(())
    });
    assert!(second.ended().is_none());
    drop(second);
    viewer.at(30);
    client.wait_for_values();
    assert!(client.hover("seek").contains("at tick 30"));

    // When the window is closed, so are its values.
    viewer.close();
    client.wait_for_values();
    assert_eq!(client.hints(), []);
    assert!(!socket.exists());
    assert_eq!(client.end(), Some(0));
}

#[test]
fn a_window_shares_nothing_unless_asked_to() {
    if !has_tools() {
        return;
    }
    let viewer = Viewer::open_in(project().with(FILE, SCRIPT), "scenarios/a.ron", &["--paused"]);
    viewer.at(20);
    viewer.select(4);
    assert!(!viewer.project.path("runtime").exists());
    let mut client = editor(&viewer);
    assert_eq!(client.hints(), []);
}

/// Programs of the same user may send anything to either side.
#[test]
fn neither_side_trusts_what_it_reads() {
    if !has_tools() {
        return;
    }
    let mut viewer = sharing(&[]);
    let socket = socket(&viewer);
    let mut kept = Vec::new();
    for bytes in [
        &b"\n"[..],
        b"\xff\xfe\n",
        b"{\"version\":1}\n",
        b"{\"version\":9,\"can_show\":true}\n",
        b"",
    ] {
        let mut stream = UnixStream::connect(&socket).unwrap();
        let _ = stream.write_all(bytes);
        kept.push(stream);
    }
    // Readers that say hello and then anything, and never read.
    for _ in 0..3 {
        let mut stream = UnixStream::connect(&socket).unwrap();
        stream.write_all(b"{\"version\":1,\"can_show\":false}\n").unwrap();
        stream.write_all(&[b'['; 100_000]).unwrap();
        kept.push(stream);
    }
    viewer.at(40);
    viewer.select(4);
    let mut reader = UnixStream::connect(&socket).unwrap();
    reader.write_all(b"{\"version\":1,\"can_show\":false}\n").unwrap();
    let mut lines = BufReader::new(&reader).lines().map(Result::unwrap);
    assert_eq!(lines.next().unwrap(), "{\"Version\":1}");
    let values = lines.find(|line| line.contains("\"tick\":40")).unwrap();
    let values: Value = serde_json::from_str(&values).unwrap();
    viewer.close();
    drop(kept);

    // A program that is not a window listens.
    let listener = UnixListener::bind(&socket).unwrap();
    let mut client = editor(&viewer);
    let accept = || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut hello = String::new();
        BufReader::new(&stream).read_line(&mut hello).unwrap();
        assert_eq!(hello, "{\"version\":1,\"can_show\":true}\n");
        stream.write_all(b"{\"Version\":1}\n").unwrap();
        stream
    };
    let mut stream = accept();
    writeln!(stream, "{values}").unwrap();
    client.wait_for_values();
    assert_eq!(client.hints().len(), 2, "what the window has sent");
    let mut wrong = values.clone();
    for value in wrong["Values"]["files"][0]["values"].as_array_mut().unwrap() {
        value["end"] = json!(1_000_000);
    }
    writeln!(stream, "{wrong}").unwrap();
    client.wait_for_values();
    assert_eq!(client.hints(), []);
    for file in ["/etc/passwd", "../a.rhai", "/a.ron"] {
        writeln!(stream, "{}", json!({"Show": {"file": file, "line": 0}})).unwrap();
    }
    writeln!(stream, "{values}").unwrap();
    client.wait_for_values();
    for bytes in [&b"[[[[[[\n"[..], b"\xff\n", b"{\"Values\":{\"tick\":-1}}\n"] {
        stream.write_all(bytes).unwrap();
        client.wait_for_values();
        assert_eq!(client.hints(), [], "the server has closed the connection");
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
        stream = accept();
        writeln!(stream, "{values}").unwrap();
        client.wait_for_values();
    }
    // A folder that others can enter is not safe.
    let folder = socket.parent().unwrap();
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
    drop(stream);
    client.wait_for_values();
    listener.set_nonblocking(true).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(2500));
    assert!(listener.accept().is_err(), "the server does not connect");
    assert_eq!(client.end(), Some(0));
}

#[test]
fn the_lens_view_opens_a_window_that_outlives_the_editor() {
    if !has_tools() {
        return;
    }
    let display = VirtualDisplay::new(&["-noreset"]);
    let project = project().with(FILE, SCRIPT);
    let scenario = "scenarios/a.ron";
    let start = |name: &str| {
        let mut client = Client::start_in(&project, json!({}), &[("DISPLAY", name)]);
        client.open(scenario, &project.read(scenario));
        let arguments = json!([client.uri(scenario)]);
        let params = json!({"command": "flockwork.view", "arguments": arguments});
        assert_eq!(client.request("workspace/executeCommand", params), Value::Null);
        client
    };
    let mut nowhere = start(":55555");
    let why = nowhere.wait_for_message(1);
    assert!(why.starts_with("flockwork view failed\nerror: "), "{why}");

    let client = start(display.name());
    let find = || display.xdotool(&["search", "--name", "Circles - tick"]);
    let window = wait("a window", || find().lines().next().map(str::to_owned));
    assert_eq!(client.end(), Some(0));
    display.xdotool(&["windowfocus", "--sync", &window]);
    let title = || display.xdotool(&["getwindowname", &window]);
    let before = title();
    wait("more ticks", || (title() != before).then_some(()));
    display.xdotool(&["key", "--window", &window, "ctrl+q"]);
    wait("the end", || find().is_empty().then_some(()));
}
