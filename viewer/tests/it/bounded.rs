//! Runs a program with limits of memory and time, so that a test with hostile files harms no machine.

use std::io::Read;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// Limits of a program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Resident memory, in bytes.
    pub(crate) memory_bytes: u64,
    /// Time from start to end.
    pub(crate) time: Duration,
}

/// The result of a program that ended within its limits.
#[derive(Debug)]
pub(crate) struct FinishedProgram {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// Maximum resident memory that was observed, in bytes; 0 if the system does not report it.
    pub(crate) peak_bytes: u64,
    pub(crate) wall: Duration,
}

/// Address space in addition to the memory limit: threads and libraries reserve far more than they use.
const RESERVED_BYTES: u64 = 2 << 30;
/// Time between two checks of the used memory.
const POLL: Duration = Duration::from_millis(5);

/// Runs a program to its end.
///
/// # Errors
///
/// If the program exceeds a limit. It is killed then, and the error says which limit it was.
pub(crate) fn run(command: &mut Command, bounds: Bounds) -> Result<FinishedProgram, String> {
    let began = Instant::now();
    let mut child = limited(command, bounds)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (stdout, stderr) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let out = thread::spawn(move || text(stdout));
    let (ended, end) = mpsc::channel();
    let err = thread::spawn(move || {
        let all = text(stderr);
        // Standard error is closed when the program ends.
        let _ = ended.send(());
        all
    });
    let mut peak_bytes = 0;
    let exceeded = loop {
        peak_bytes = peak_bytes.max(peak(&child));
        if peak_bytes > bounds.memory_bytes {
            break Some(format!("more than {} MiB", bounds.memory_bytes >> 20));
        }
        if began.elapsed() > bounds.time {
            break Some(format!("more than {} s", bounds.time.as_secs()));
        }
        match end.recv_timeout(POLL) {
            Err(RecvTimeoutError::Timeout) => {}
            _ => break None,
        }
    };
    if exceeded.is_some() {
        child.kill().unwrap();
    }
    let status = child.wait().unwrap();
    let (stdout, stderr) = (out.join().unwrap(), err.join().unwrap());
    match exceeded {
        Some(what) => Err(format!("it used {what}, and had said:\n{stderr}")),
        None => Ok(FinishedProgram { status, stdout, stderr, peak_bytes, wall: began.elapsed() }),
    }
}

/// Returns the command with a limited address space, which stops programs that grow faster than they are checked.
fn limited(command: &Command, bounds: Bounds) -> Command {
    let kilobytes = (bounds.memory_bytes + RESERVED_BYTES) >> 10;
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &format!("ulimit -v {kilobytes}; exec \"$0\" \"$@\"")])
        .arg(command.get_program())
        .args(command.get_args());
    if let Some(folder) = command.get_current_dir() {
        shell.current_dir(folder);
    }
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    shell
}

fn text(mut from: impl Read) -> String {
    let mut bytes = Vec::new();
    from.read_to_end(&mut bytes).unwrap();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Returns the maximum memory that a program has used so far, in bytes.
fn peak(child: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id()));
    let status = status.unwrap_or_default();
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = kilobytes.and_then(|text| text.trim().strip_suffix(" kB"));
    kilobytes.and_then(|text| text.parse().ok()).unwrap_or(0) << 10
}

#[test]
fn a_program_that_exceeds_its_limits_is_killed() {
    let bounds = Bounds { memory_bytes: 64 << 20, time: Duration::from_secs(20) };
    let shell = |line: &str| {
        let mut command = Command::new("sh");
        command.args(["-c", line]);
        command
    };
    let done = run(&mut shell("echo out; echo err >&2; exit 3"), bounds).unwrap();
    assert_eq!((&*done.stdout, &*done.stderr), ("out\n", "err\n"));
    assert_eq!(done.status.code(), Some(3));
    assert!(done.peak_bytes < bounds.memory_bytes && done.wall < bounds.time);
    let short = Bounds { time: Duration::from_secs(1), ..bounds };
    let error = run(&mut shell("exec sleep 100"), short).unwrap_err();
    assert!(error.contains("more than 1 s"), "{error}");
    if cfg!(target_os = "linux") {
        let line = "x=aaaaaaaaaaaaaaaa; while :; do x=$x$x; done";
        let error = run(&mut shell(line), bounds);
        let error = error.map(|ended| ended.status.code() != Some(0));
        assert!(matches!(&error, Ok(true)) || error.unwrap_err().contains("64 MiB"));
    }
}
