//! Ctrl-C and other signals that end the program.
//!
//! The program deletes unfinished outputs and exits with 128 plus the signal's number. A command that holds an
//! [`Interrupt`] gets a short time to end by itself.

use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use flockwork_engine::load::abandon_outputs;

use super::terminal;

/// Number of the signal that was received; 0 if there was none.
static SIGNAL: AtomicI32 = AtomicI32::new(0);
/// Whether the command ends by itself after a signal.
static IS_HANDLED: AtomicBool = AtomicBool::new(false);

/// The message if the program has to end before the command does.
static LAST_WORDS: Mutex<String> = Mutex::new(String::new());

/// Time that such a command has before the program ends anyway.
const GRACE: Duration = Duration::from_millis(500);
/// Number of the signal that Ctrl-C sends.
const SIGINT: i32 = 2;

/// Held by a command that polls [`is_requested`](Self::is_requested), and ends by itself once it returns true.
pub(super) struct Interrupt(());

impl Interrupt {
    /// Declares that the command ends by itself, as long as the returned value lives.
    pub(super) fn handle() -> Self {
        IS_HANDLED.store(true, Ordering::Relaxed);
        Self(())
    }

    /// Sets the message for the case that the program has to end before the command does.
    #[expect(
        clippy::unused_self,
        reason = "only a command that has declared to end by itself has last words"
    )]
    pub(super) fn last_words(&self, words: String) {
        *LAST_WORDS.lock().unwrap_or_else(PoisonError::into_inner) = words;
    }

    /// Returns whether a signal has been received.
    #[expect(
        clippy::unused_self,
        reason = "only a command that has declared to end by itself may ask"
    )]
    pub(super) fn is_requested(&self) -> bool {
        SIGNAL.load(Ordering::Relaxed) != 0
    }
}

impl Drop for Interrupt {
    fn drop(&mut self) {
        IS_HANDLED.store(false, Ordering::Relaxed);
    }
}

/// Returns the exit code after a signal, as shells expect it.
pub(super) fn exit_code() -> u8 {
    let signal = match SIGNAL.load(Ordering::Relaxed) {
        0 => SIGINT,
        signal => signal,
    };
    u8::try_from(128 + signal).unwrap_or(u8::MAX)
}

/// Starts a thread that handles signals.
#[cfg(unix)]
pub(super) fn listen() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    let handled = [SIGINT, SIGTERM, SIGHUP];
    let ignored = ignored_signals();
    let handled = handled.iter().filter(|signal| !ignored.contains(signal));
    // If this fails, signals end the program at once, which is the default.
    if let Ok(mut signals) = Signals::new(handled) {
        std::thread::spawn(move || signals.forever().for_each(end));
    }
}

#[cfg(not(unix))]
pub(super) fn listen() {
    let _ = ctrlc::set_handler(|| end(SIGINT));
}

/// Returns the signals that were set to be ignored before the program started, as `nohup` does.
#[cfg(unix)]
fn ignored_signals() -> Vec<i32> {
    use flockwork_engine::load;
    use std::path::Path;

    // Only Linux has this file. Elsewhere no signal counts as ignored.
    let status = load::read(Path::new("/proc/self/status")).ok();
    let mask = status.and_then(|status| {
        let mut lines = status.text.lines();
        let mask = lines.find_map(|line| line.strip_prefix("SigIgn:"))?;
        u64::from_str_radix(mask.trim(), 16).ok()
    });
    let mask = mask.unwrap_or_default();
    (1..=64).filter(|signal| mask >> (signal - 1) & 1 == 1).collect()
}

/// Ends the program: at once, or after the grace period if the command ends by itself.
fn end(signal: i32) {
    let is_first = SIGNAL.swap(signal, Ordering::Relaxed) == 0;
    if is_first && IS_HANDLED.load(Ordering::Relaxed) {
        std::thread::spawn(|| {
            std::thread::sleep(GRACE);
            end_at_once();
        });
    } else {
        end_at_once();
    }
}

fn end_at_once() {
    let _held = abandon_outputs();
    let words = LAST_WORDS.lock().unwrap_or_else(PoisonError::into_inner);
    terminal::say(&if words.is_empty() {
        "interrupted".to_owned()
    } else {
        format!("interrupted: {words}")
    });
    std::process::exit(exit_code().into());
}
