//! `flockwork view` in a real window, on a display of its own. Says that it skips where there is no Xvfb,
//! xdotool or ImageMagick.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::project::{Project, skipped};

/// So long anything may take on a machine that is busy with other tests.
const PATIENCE: Duration = Duration::from_secs(60);

/// Birds that never stand still.
const CIRCLE: &str = "fn steer(me) { me.heading * me.max_speed - me.vel + me.vel.perp() * 0.8 }";
/// The same birds, nailed down.
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
    Project::empty()
        .with("scripts/bird.rhai", CIRCLE)
        .with("scenarios/a.ron", SCENARIO)
}

/// Whether all programs are there that a window is tried with.
fn can_try() -> bool {
    let there = |program: &str| {
        let found = Command::new(program)
            .arg(if program == "Xvfb" {
                "-help"
            } else {
                "-version"
            })
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        found.is_ok()
    };
    let missing: Vec<&str> = ["Xvfb", "xdotool", "import"]
        .into_iter()
        .filter(|one| !there(one))
        .collect();
    if !missing.is_empty() {
        skipped(&format!(
            "{} not found, so no window is tried",
            missing.join(", ")
        ));
    }
    missing.is_empty()
}

/// A display with nothing on it.
struct Display {
    server: Child,
    name: String,
    lock: String,
    socket: String,
}

impl Display {
    /// A display of a number that nobody else has: many tests, and many runs of them, may start one in the
    /// same moment. A server that looks for a free number itself can lose it to another that does so too,
    /// so each is told one and takes it by its lock.
    fn new() -> Self {
        static BEFORE: AtomicU32 = AtomicU32::new(0);
        for _ in 0..20 {
            let before = BEFORE.fetch_add(1, Ordering::Relaxed);
            let number = 1_000 + (std::process::id() * 16 + before) % 50_000;
            let server = Command::new("Xvfb")
                .arg(format!(":{number}"))
                .args(["-screen", "0", "1400x1000x24", "-nolisten", "tcp"])
                .arg("-noreset")
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            let mut this = Self {
                server,
                name: format!(":{number}"),
                lock: format!("/tmp/.X{number}-lock"),
                socket: format!("/tmp/.X11-unix/X{number}"),
            };
            let ready = wait("a display", || {
                if this.server.try_wait().unwrap().is_some() {
                    return Some(false);
                }
                let answers = || !this.xdotool(&["getdisplaygeometry"]).is_empty();
                (this.has_number() && answers()).then_some(true)
            });
            if ready {
                return this;
            }
        }
        panic!("no number was free for a display");
    }

    /// Whether it is this server that has taken the number.
    fn has_number(&self) -> bool {
        let holder = fs::read_to_string(&self.lock).unwrap_or_default();
        holder.trim().parse() == Ok(self.server.id())
    }

    fn xdotool(&self, arguments: &[&str]) -> String {
        let done = Command::new("xdotool")
            .args(arguments)
            .env("DISPLAY", &self.name)
            .stderr(Stdio::null())
            .output()
            .unwrap();
        String::from_utf8(done.stdout).unwrap()
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        let ours = self.has_number();
        let _ = self.server.kill();
        let _ = self.server.wait();
        if ours {
            // It had no time to tidy up.
            let _ = fs::remove_file(&self.socket);
            let _ = fs::remove_file(&self.lock);
        }
    }
}

/// A window that shows a scenario.
struct Viewer {
    program: Child,
    window: String,
    display: Display,
    project: Project,
}

/// What the title of the window says.
#[derive(Clone, Debug, PartialEq)]
struct Title {
    text: String,
    tick: u64,
    hash: Option<String>,
}

impl Viewer {
    fn open(more: &[&str]) -> Self {
        let project = project();
        let display = Display::new();
        let program = Command::new(env!("CARGO_BIN_EXE_flockwork"))
            .args(["view", "scenarios/a.ron", "--size", "900x640"])
            .args(more)
            .current_dir(project.path("."))
            .env("DISPLAY", &display.name)
            .spawn()
            .unwrap();
        let mut this = Self {
            program,
            window: String::new(),
            display,
            project,
        };
        this.window = wait("a window", || {
            if let Some(status) = this.program.try_wait().unwrap() {
                panic!("the window was not opened: {status}");
            }
            let found = this.xdotool(&["search", "--name", "Circles - tick"]);
            found.lines().next().map(str::to_owned)
        });
        // Without a window manager nobody else gives it the keys.
        this.xdotool(&["windowfocus", "--sync", &this.window]);
        this
    }

    fn xdotool(&self, arguments: &[&str]) -> String {
        self.display.xdotool(arguments)
    }

    fn key(&self, key: &str) {
        self.xdotool(&["key", "--window", &self.window, key]);
    }

    /// Presses and releases a button of the mouse at a place of the window.
    fn click(&self, x: u32, y: u32) {
        let (x, y) = (x.to_string(), y.to_string());
        self.xdotool(&["mousemove", "--sync", "--window", &self.window, &x, &y]);
        // Long enough for a program that looks at the mouse now and then, on a busy machine too.
        sleep(Duration::from_millis(150));
        self.xdotool(&["mousedown", "1"]);
        sleep(Duration::from_millis(150));
        self.xdotool(&["mouseup", "1"]);
    }

    fn title(&self) -> Title {
        let text = self
            .xdotool(&["getwindowname", &self.window])
            .trim()
            .to_owned();
        let mut parts = text.split(" - ");
        let tick = parts.find_map(|part| part.strip_prefix("tick ")?.parse().ok());
        let hash = text
            .split(" - ")
            .skip_while(|part| *part != "paused")
            .nth(1);
        Title {
            tick: tick.unwrap_or_default(),
            hash: hash.map(str::to_owned),
            text: text.clone(),
        }
    }

    /// Runs to a tick and waits until it is there; the hash of the state then.
    fn at(&self, tick: u64) -> String {
        for digit in tick.to_string().chars() {
            self.key(&digit.to_string());
        }
        self.key("Return");
        wait("the tick", || {
            let title = self.title();
            title.hash.filter(|_| title.tick == tick)
        })
    }

    fn picture(&self) -> Pixels {
        let shot = Command::new("import")
            .args(["-window", &self.window, "-depth", "8", "png:-"])
            .env("DISPLAY", &self.display.name)
            .output()
            .unwrap();
        let mut decoder = png::Decoder::new(Cursor::new(shot.stdout));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        let channels = info.color_type.samples();
        Pixels {
            width: info.width as usize,
            rgb: bytes[..info.buffer_size()]
                .chunks(channels)
                .map(<[u8]>::to_vec)
                .collect(),
        }
    }

    fn script(&self) -> PathBuf {
        self.project.path("scripts/bird.rhai")
    }
}

impl Drop for Viewer {
    fn drop(&mut self) {
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

/// What is to be seen.
#[derive(PartialEq)]
struct Pixels {
    width: usize,
    rgb: Vec<Vec<u8>>,
}

impl Pixels {
    fn colours(&self) -> usize {
        let mut all = self.rgb.clone();
        all.sort_unstable();
        all.dedup();
        all.len()
    }

    /// The pixels above the time bar and below what is said.
    fn world(&self) -> &[Vec<u8>] {
        &self.rgb[self.width * 200..self.width * 560]
    }
}

/// Waits until there is something.
fn wait<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let since = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(since.elapsed() < PATIENCE, "{what} has not come");
        sleep(Duration::from_millis(40));
    }
}

/// Saves as most editors do: another file in the place of the old one.
fn save(path: &Path, text: &str) {
    let new = path.with_extension("new");
    fs::write(&new, text).unwrap();
    fs::rename(new, path).unwrap();
}

/// The state of the run at a tick, without a window.
fn headless(project: &Project, tick: u64) -> String {
    let tick = tick.to_string();
    let run = project.flockwork(&["run", "scenarios/a.ron", "--ticks", &tick]);
    run.summary("state hash")
}

#[test]
fn a_window_shows_the_run_and_time_goes_both_ways() {
    if !can_try() {
        return;
    }
    let viewer = Viewer::open(&[]);
    let begun = viewer.title().tick;
    wait("time", || (viewer.title().tick > begun + 10).then_some(()));
    let hash = viewer.at(300);
    assert_eq!(
        hash,
        headless(&viewer.project, 300),
        "the same run without a window"
    );
    let picture = viewer.picture();
    assert!(picture.colours() > 20, "the window is blank");

    let early = viewer.at(120);
    assert_eq!(early, headless(&viewer.project, 120));
    assert!(viewer.picture().world() != picture.world());
    assert_eq!(viewer.at(300), hash, "there and back");
    viewer.key("comma");
    wait("one tick back", || {
        (viewer.title().tick == 299).then_some(())
    });
    viewer.key("period");
    let title = wait("one tick on", || {
        Some(viewer.title()).filter(|title| title.tick == 300)
    });
    assert_eq!(title.hash, Some(hash));

    viewer.click(400, 615);
    wait("a click on the time bar", || {
        (viewer.title().tick != 300).then_some(())
    });
    viewer.key("space");
    wait("time again", || viewer.title().hash.is_none().then_some(()));
    viewer.key("q");
    let mut viewer = viewer;
    let status = wait("the end", || viewer.program.try_wait().unwrap());
    assert_eq!(status.code(), Some(0));
}

#[test]
fn a_saved_script_changes_the_motion_and_a_broken_one_is_told() {
    if !can_try() {
        return;
    }
    let viewer = Viewer::open(&[]);
    wait("time", || (viewer.title().tick > 20).then_some(()));
    save(&viewer.script(), STAND);
    let still = wait("birds that stand", || {
        let (before, first) = (viewer.title().tick, viewer.picture());
        wait("time", || (viewer.title().tick > before + 20).then_some(()));
        (viewer.picture().world() == first.world()).then_some(first)
    });
    let tick = viewer.title().tick;
    assert!(tick > 20, "the ticks go on from where they were");

    save(
        &viewer.script(),
        &STAND.replace("vec(0, 0); ", "vec(0, 0; "),
    );
    wait("the error", || {
        viewer.title().text.ends_with("does not run").then_some(())
    });
    let told = wait("the error on the screen", || {
        Some(viewer.picture()).filter(|picture| {
            picture.rgb[picture.width * 30..picture.width * 40]
                != still.rgb[still.width * 30..still.width * 40]
        })
    });
    let before = viewer.title().tick;
    wait("time", || (viewer.title().tick > before + 20).then_some(()));
    assert!(
        viewer.picture().world() == told.world(),
        "the old behavior goes on"
    );

    save(&viewer.script(), CIRCLE);
    wait("no error", || {
        (!viewer.title().text.contains("does not run")).then_some(())
    });
    wait("motion", || {
        (viewer.picture().world() != still.world()).then_some(())
    });
    assert!(viewer.title().tick > before);
}

#[test]
fn a_click_asks_an_agent_why_and_a_bug_becomes_a_test() {
    if !can_try() {
        return;
    }
    let viewer = Viewer::open(&["--paused"]);
    viewer.at(40);
    let plain = viewer.picture();
    for key in ["h", "p", "t", "v"] {
        viewer.key(key);
        wait(&format!("what {key} shows"), || {
            (viewer.picture() != plain).then_some(())
        });
        viewer.key(key);
        wait(&format!("what {key} hides"), || {
            (viewer.picture() == plain).then_some(())
        });
    }
    // Where a bird is: its colour is the first of the palette.
    let bird = plain
        .rgb
        .iter()
        .position(|pixel| pixel[..3] == [0x00, 0x72, 0xb2])
        .unwrap();
    viewer.click((bird % plain.width) as u32, (bird / plain.width) as u32 + 2);
    wait("the panel", || {
        let now = viewer.picture();
        let row = |of: &Pixels| of.rgb[of.width * 20 + of.width - 200..of.width * 21].to_vec();
        (row(&now) != row(&plain)).then_some(())
    });

    viewer.key("b");
    let scenarios = viewer.project.path("scenarios");
    let golden = wait("a golden", || {
        let mut files = fs::read_dir(&scenarios)
            .unwrap()
            .map(|file| file.unwrap().path());
        files.find(|file| file.extension().is_some_and(|ending| ending == "golden"))
    });
    let saved = golden.with_extension("ron");
    let tested = viewer.project.flockwork(&["test", saved.to_str().unwrap()]);
    tested.says(0, &[]);
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
    let said = String::from_utf8(run.stderr).unwrap();
    assert_eq!(run.status.code(), Some(2), "{said}");
    for part in [
        "no display",
        "flockwork run",
        "flockwork render",
        "flockwork explain",
    ] {
        assert!(said.contains(part), "{part} is missing in\n{said}");
    }
}
