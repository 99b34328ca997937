//! Being asked to end: by ctrl-c, or by a signal from outside.
//!
//! The program deletes the outputs that are not complete and ends with 128 and the signal's number as exit
//! code, whatever it is busy with. A command that ends well by itself gets a little time to do so.

use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::time::Duration;

use flockwork_engine::load::abandon_outputs;

use super::terminal;

/// The number of the signal that asked the program to end; 0 if none did.
static ASKED_BY: AtomicI32 = AtomicI32::new(0);
/// Whether the command ends by itself when it is asked to.
static ENDS_BY_ITSELF: AtomicBool = AtomicBool::new(false);

/// Time for a command to end by itself.
const GRACE: Duration = Duration::from_millis(500);
/// Ctrl-c.
const SIGINT: i32 = 2;

/// Held by a command that looks at [`is_asked`](Self::is_asked) again and again, and ends if it is so.
pub(super) struct Interrupt(());

impl Interrupt {
    /// From now on the command ends by itself.
    pub(super) fn expect() -> Self {
        ENDS_BY_ITSELF.store(true, Ordering::Relaxed);
        Self(())
    }

    /// Whether the program has been asked to end.
    #[expect(clippy::unused_self, reason = "only a command that has said so may go by it")]
    pub(super) fn is_asked(&self) -> bool {
        ASKED_BY.load(Ordering::Relaxed) != 0
    }
}

impl Drop for Interrupt {
    fn drop(&mut self) {
        ENDS_BY_ITSELF.store(false, Ordering::Relaxed);
    }
}

/// The exit code of a command that has ended because it was asked to: what a shell expects.
pub(super) fn exit_code() -> u8 {
    let signal = match ASKED_BY.load(Ordering::Relaxed) {
        0 => SIGINT,
        signal => signal,
    };
    u8::try_from(128 + signal).unwrap_or(u8::MAX)
}

/// Does what signals ask for, from now on and on a thread of its own.
#[cfg(unix)]
pub(super) fn listen() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    let wanted = [SIGINT, SIGTERM, SIGHUP];
    let ignored = ignored_signals();
    let wanted = wanted.iter().filter(|signal| !ignored.contains(signal));
    // Where none can be listened to, each ends the program at once.
    if let Ok(mut signals) = Signals::new(wanted) {
        std::thread::spawn(move || signals.forever().for_each(end));
    }
}

#[cfg(not(unix))]
pub(super) fn listen() {
    let _ = ctrlc::set_handler(|| end(SIGINT));
}

/// The signals that whoever started the program wants it to ignore, as `nohup` does.
#[cfg(unix)]
fn ignored_signals() -> Vec<i32> {
    use flockwork_engine::load;
    use std::path::Path;

    // Only Linux tells. Elsewhere none is taken for ignored.
    let status = load::read(Path::new("/proc/self/status")).ok();
    let mask = status.and_then(|status| {
        let mut lines = status.text.lines();
        let mask = lines.find_map(|line| line.strip_prefix("SigIgn:"))?;
        u64::from_str_radix(mask.trim(), 16).ok()
    });
    let mask = mask.unwrap_or_default();
    (1..=64).filter(|signal| mask >> (signal - 1) & 1 == 1).collect()
}

/// Ends the program, at once or after a while.
fn end(signal: i32) {
    let is_first = ASKED_BY.swap(signal, Ordering::Relaxed) == 0;
    if is_first && ENDS_BY_ITSELF.load(Ordering::Relaxed) {
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
    terminal::say("interrupted");
    std::process::exit(exit_code().into());
}
