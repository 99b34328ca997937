//! Controls a window on a virtual display: keys, mouse, and screenshots.

use std::fs;
use std::io::{Cursor, Read};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::project;
use crate::project::{Project, skipped};

/// Maximum time to wait for anything, on a machine that is busy with other tests.
const PATIENCE: Duration = Duration::from_secs(60);

/// Returns whether all programs are installed that the tests need; otherwise reports that they are skipped.
pub(super) fn has_tools() -> bool {
    has_tools_and(&[])
}

/// Does the same for a test that needs more programs.
pub(super) fn has_tools_and(more: &[&str]) -> bool {
    let there = |program: &str| {
        let found = Command::new(program)
            .arg(if program == "Xvfb" { "-help" } else { "-version" })
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        found.is_ok()
    };
    let needed = ["Xvfb", "xdotool", "import"].iter().chain(more);
    let missing: Vec<&str> = needed.copied().filter(|one| !there(one)).collect();
    if !missing.is_empty() {
        skipped(&format!("{} not found, so the window is not tested", missing.join(", ")));
    }
    missing.is_empty()
}

/// A virtual display.
pub(super) struct VirtualDisplay {
    server: Child,
    name: String,
    lock: String,
    socket: String,
}

impl VirtualDisplay {
    /// Starts a display with a free number. Many tests may start one at the same time, and a server that searches for a free
    /// number itself may lose it to another one. So each server is given a number and claims it with its lock file.
    /// `more` are further options of the server.
    pub(super) fn new(more: &[&str]) -> Self {
        static BEFORE: AtomicU32 = AtomicU32::new(0);
        for _ in 0..20 {
            let before = BEFORE.fetch_add(1, Ordering::Relaxed);
            let number = 1_000 + (std::process::id() * 16 + before) % 50_000;
            let server = Command::new("Xvfb")
                .arg(format!(":{number}"))
                .args(["-screen", "0", "1400x1000x24", "-nolisten", "tcp"])
                .args(more)
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

    /// Returns whether this server has claimed the number.
    fn has_number(&self) -> bool {
        let holder = fs::read_to_string(&self.lock).unwrap_or_default();
        holder.trim().parse() == Ok(self.server.id())
    }

    /// Returns how many programs and parts of them are connected to this display, without connecting to it.
    pub(super) fn connections(&self) -> usize {
        let sockets = fs::read_to_string("/proc/net/unix").unwrap();
        // The abstract socket is named like the file, with an @ before it. 03 is the state of a connection.
        let is_connection = |line: &&str| {
            let mut fields = line.split_whitespace().skip(5);
            let is_connected = fields.next() == Some("03");
            is_connected
                && fields.last().is_some_and(|name| name.trim_start_matches('@') == self.socket)
        };
        sockets.lines().filter(is_connection).count()
    }

    /// Starts the program with a window on this display.
    pub(super) fn open(&self, project: &Project, size: &[&str], more: &[&str]) -> ViewerProcess {
        self.open_file(project, "scenarios/a.ron", size, more)
    }

    /// Starts the program with a window for a scenario or a plan.
    fn open_file(
        &self,
        project: &Project,
        file: &str,
        size: &[&str],
        more: &[&str],
    ) -> ViewerProcess {
        let program = Command::new(env!("CARGO_BIN_EXE_flockwork"))
            .args(["view", file])
            .args(size)
            .args(more)
            .current_dir(project.path("."))
            .env("DISPLAY", &self.name)
            .env("XDG_STATE_HOME", project.path("state"))
            .env("XDG_RUNTIME_DIR", project.path("runtime"))
            .env_remove("GDK_SCALE")
            .env("VISUAL", project.path("code"))
            .stderr(Stdio::piped())
            .spawn();
        ViewerProcess(program.unwrap())
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Kills the server without closing the windows on it.
    pub(super) fn kill(&mut self) {
        let _ = self.server.kill();
    }

    pub(super) fn xdotool(&self, arguments: &[&str]) -> String {
        self.run("xdotool", arguments)
    }

    /// Runs a program on this display and returns what it prints.
    pub(super) fn run(&self, program: &str, arguments: &[&str]) -> String {
        let done = Command::new(program)
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
            // The killed server did not delete its files.
            let _ = fs::remove_file(&self.socket);
            let _ = fs::remove_file(&self.lock);
        }
    }
}

/// The running program, which is killed at the end of the test.
pub(super) struct ViewerProcess(Child);

impl ViewerProcess {
    pub(super) fn id(&self) -> u32 {
        self.0.id()
    }

    /// Returns exit status and standard error, if the program has ended.
    pub(super) fn ended(&mut self) -> Option<(ExitStatus, String)> {
        let status = self.0.try_wait().unwrap()?;
        let mut stderr = String::new();
        let errors = self.0.stderr.as_mut().unwrap();
        errors.read_to_string(&mut stderr).unwrap();
        Some((status, stderr))
    }
}

/// A window that shows a scenario.
pub(super) struct Viewer {
    pub(super) program: ViewerProcess,
    pub(super) window: String,
    pub(super) display: VirtualDisplay,
    pub(super) project: Project,
}

/// The title of the window and what it says.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Title {
    pub(super) text: String,
    pub(super) tick: u64,
    pub(super) hash: Option<String>,
}

impl Viewer {
    pub(super) fn open(more: &[&str]) -> Self {
        Self::open_in(project(), "scenarios/a.ron", more)
    }

    /// Opens a window for a scenario or a plan of a project.
    pub(super) fn open_in(project: Project, file: &str, more: &[&str]) -> Self {
        let display = VirtualDisplay::new(&["-noreset"]);
        let mut this = Self::start_on(display, project, file, more);
        this.find_window();
        this
    }

    /// Starts the program on a display, and does not wait for its window.
    pub(super) fn start_on(
        display: VirtualDisplay,
        project: Project,
        file: &str,
        more: &[&str],
    ) -> Self {
        let program = display.open_file(&project, file, &["--size", "900x640"], more);
        Self { program, window: String::new(), display, project }
    }

    /// Closes the window and waits until the program has ended. Returns what it wrote to standard error.
    pub(super) fn close(&mut self) -> String {
        self.key("ctrl+q");
        let (status, stderr) = wait("the end", || self.program.ended());
        // Once the window is gone, xdotool does not release what it has pressed, and a key that is down cannot be pressed again.
        self.xdotool(&["keyup", "ctrl+q"]);
        assert_eq!(status.code(), Some(0), "{stderr}");
        stderr
    }

    /// Starts the program again, after it was closed, on the same display.
    pub(super) fn start(&mut self, options: &[&str]) {
        self.program = self.display.open(&self.project, options, &[]);
        self.find_window();
    }

    /// Waits until the window is open.
    pub(super) fn find_window(&mut self) {
        self.window = wait("a window", || {
            if let Some((status, stderr)) = self.program.ended() {
                panic!("the window was not opened: {status}\n{stderr}");
            }
            let found = self.xdotool(&["search", "--name", "Circles - tick"]);
            found.lines().next().map(str::to_owned)
        });
        // Without a window manager, the window has to be given the focus.
        self.xdotool(&["windowfocus", "--sync", &self.window]);
    }

    pub(super) fn xdotool(&self, arguments: &[&str]) -> String {
        self.display.xdotool(arguments)
    }

    pub(super) fn key(&self, key: &str) {
        self.xdotool(&["key", "--window", &self.window, key]);
    }

    /// Clicks at a place of the window, in pixels.
    pub(super) fn click(&self, x: u32, y: u32) {
        self.point(x, y);
        self.xdotool(&["click", "--delay", "0", "1"]);
    }

    /// Moves the pointer to a place of the window, in pixels.
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

    /// Runs to a tick, waits until it is reached, and returns the state hash.
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
        // Without the window, `import` would wait for a click on another one.
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

/// A screenshot of the window.
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

    /// The first row below messages and legend.
    pub(super) const TOP: usize = 200;

    /// Returns the rows between the messages and the time bar.
    pub(super) fn world(&self) -> &[Vec<u8>] {
        &self.rgb[self.width * Self::TOP..self.width * 560]
    }
}

/// Waits until a function returns a value.
pub(super) fn wait<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let since = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(since.elapsed() < PATIENCE, "{what} has not happened");
        sleep(Duration::from_millis(40));
    }
}
