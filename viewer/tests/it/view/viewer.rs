//! A window on a display of its own, with hands and eyes.

use std::fs;
use std::io::{Cursor, Read};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::project;
use crate::project::{Project, skipped};

/// So long anything may take on a machine that is busy with other tests.
const PATIENCE: Duration = Duration::from_secs(60);

/// Whether all programs are there that a window is tried with.
pub(super) fn has_tools() -> bool {
    let there = |program: &str| {
        let found = Command::new(program)
            .arg(if program == "Xvfb" { "-help" } else { "-version" })
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        found.is_ok()
    };
    let missing: Vec<&str> =
        ["Xvfb", "xdotool", "import"].into_iter().filter(|one| !there(one)).collect();
    if !missing.is_empty() {
        skipped(&format!("{} not found, so no window is tried", missing.join(", ")));
    }
    missing.is_empty()
}

/// A display with nothing on it.
pub(super) struct VirtualDisplay {
    server: Child,
    name: String,
    lock: String,
    socket: String,
}

impl VirtualDisplay {
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

    /// Opens a window on it.
    pub(super) fn open(&self, project: &Project, size: &[&str], more: &[&str]) -> ViewerProcess {
        let program = Command::new(env!("CARGO_BIN_EXE_flockwork"))
            .args(["view", "scenarios/a.ron"])
            .args(size)
            .args(more)
            .current_dir(project.path("."))
            .env("DISPLAY", &self.name)
            .stderr(Stdio::piped())
            .spawn();
        ViewerProcess(program.unwrap())
    }

    /// Ends it, with no word to those who have windows on it.
    pub(super) fn kill(&mut self) {
        let _ = self.server.kill();
    }

    pub(super) fn xdotool(&self, arguments: &[&str]) -> String {
        let done = Command::new("xdotool")
            .args(arguments)
            .env("DISPLAY", &self.name)
            .stderr(Stdio::null())
            .output()
            .unwrap();
        String::from_utf8(done.stdout).unwrap()
    }
}

impl Drop for VirtualDisplay {
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

/// The program, which does not outlive its test.
pub(super) struct ViewerProcess(Child);

impl ViewerProcess {
    pub(super) fn id(&self) -> u32 {
        self.0.id()
    }

    /// How it has ended, if it has, and what it said.
    pub(super) fn ended(&mut self) -> Option<(ExitStatus, String)> {
        let status = self.0.try_wait().unwrap()?;
        let mut said = String::new();
        let errors = self.0.stderr.as_mut().unwrap();
        errors.read_to_string(&mut said).unwrap();
        Some((status, said))
    }
}

/// A window that shows a scenario.
pub(super) struct Viewer {
    pub(super) program: ViewerProcess,
    pub(super) window: String,
    pub(super) display: VirtualDisplay,
    pub(super) project: Project,
}

/// What the title of the window says.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Title {
    pub(super) text: String,
    pub(super) tick: u64,
    pub(super) hash: Option<String>,
}

impl Viewer {
    pub(super) fn open(more: &[&str]) -> Self {
        let project = project();
        let display = VirtualDisplay::new();
        let program = display.open(&project, &["--size", "900x640"], more);
        let mut this = Self { program, window: String::new(), display, project };
        this.window = wait("a window", || {
            if let Some((status, said)) = this.program.ended() {
                panic!("the window was not opened: {status}\n{said}");
            }
            let found = this.xdotool(&["search", "--name", "Circles - tick"]);
            found.lines().next().map(str::to_owned)
        });
        // Without a window manager nobody else gives it the keys.
        this.xdotool(&["windowfocus", "--sync", &this.window]);
        this
    }

    pub(super) fn xdotool(&self, arguments: &[&str]) -> String {
        self.display.xdotool(arguments)
    }

    pub(super) fn key(&self, key: &str) {
        self.xdotool(&["key", "--window", &self.window, key]);
    }

    /// Presses and releases a button of the mouse at a place of the window.
    pub(super) fn click(&self, x: u32, y: u32) {
        self.point(x, y);
        self.xdotool(&["click", "--delay", "0", "1"]);
    }

    /// Puts the pointer to a place of the window.
    pub(super) fn point(&self, x: u32, y: u32) {
        let (x, y) = (x.to_string(), y.to_string());
        self.xdotool(&["mousemove", "--sync", "--window", &self.window, &x, &y]);
    }

    pub(super) fn title(&self) -> Title {
        let text = self.xdotool(&["getwindowname", &self.window]).trim().to_owned();
        let mut parts = text.split(" - ");
        let tick = parts.find_map(|part| part.strip_prefix("tick ")?.parse().ok());
        let hash = text.split(" - ").skip_while(|part| *part != "paused").nth(1);
        Title { tick: tick.unwrap_or_default(), hash: hash.map(str::to_owned), text: text.clone() }
    }

    /// Runs to a tick and waits until it is there; the hash of the state then.
    pub(super) fn at(&self, tick: u64) -> String {
        for digit in tick.to_string().chars() {
            self.key(&digit.to_string());
        }
        self.key("Return");
        wait("the tick", || {
            let title = self.title();
            title.hash.filter(|_| title.tick == tick)
        })
    }

    pub(super) fn screenshot(&self) -> Screenshot {
        // It would wait for a click on another one.
        let is_there = !self.title().text.is_empty();
        assert!(is_there, "there is no window any more");
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
        Screenshot {
            width: info.width as usize,
            rgb: bytes[..info.buffer_size()].chunks(channels).map(<[u8]>::to_vec).collect(),
        }
    }

    pub(super) fn script(&self) -> PathBuf {
        self.project.path("scripts/bird.rhai")
    }
}

impl Drop for ViewerProcess {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What is to be seen.
#[derive(PartialEq)]
pub(super) struct Screenshot {
    pub(super) width: usize,
    pub(super) rgb: Vec<Vec<u8>>,
}

impl Screenshot {
    pub(super) fn colors(&self) -> usize {
        let mut all = self.rgb.clone();
        all.sort_unstable();
        all.dedup();
        all.len()
    }

    /// The pixels above the time bar and below what is said.
    pub(super) fn world(&self) -> &[Vec<u8>] {
        &self.rgb[self.width * 200..self.width * 560]
    }
}

/// Waits until there is something.
pub(super) fn wait<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let since = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(since.elapsed() < PATIENCE, "{what} has not come");
        sleep(Duration::from_millis(40));
    }
}
