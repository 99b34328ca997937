//! The program `flockwork`, and the commit that it is built from.

fn main() -> std::process::ExitCode {
    flockwork::main(COMMIT.text())
}

/// The commit that the program is built from. `build.rs` writes it.
const COMMIT: Commit = include!(concat!(env!("OUT_DIR"), "/commit.rs"));

/// Number of characters of a hash that are shown.
const SHOWN: usize = 10;

/// What is known about the commit.
#[expect(dead_code, reason = "the build script makes one of the variants")]
enum Commit {
    /// A text that was given.
    Given(&'static str),
    /// The commit that is checked out, and the one at which the build script ran, with its date.
    CheckedOut { now: [u8; SHOWN], built: [u8; SHOWN], date: &'static str },
    /// Nothing.
    Unknown,
}

impl Commit {
    /// Returns the commit as the version shows it.
    fn text(&self) -> Option<String> {
        match self {
            Self::Given(text) => Some((*text).to_owned()),
            // The log may have been emptied.
            Self::CheckedOut { now, .. } if now.contains(&b'?') => None,
            Self::CheckedOut { now, built, date } => {
                let hash = String::from_utf8_lossy(now);
                Some(if now == built { format!("{hash} {date}") } else { hash.into_owned() })
            }
            Self::Unknown => None,
        }
    }
}

/// Returns the beginning of the hash at the end of a log of Git: its lines begin with the old hash and the new one. It is computed by the
/// compiler, so that nothing else of the log is in the program.
#[expect(clippy::allow_attributes, reason = "only some builds have a log")]
#[allow(dead_code, reason = "only some builds have a log")]
const fn last_commit(log: &[u8]) -> [u8; SHOWN] {
    let mut start = log.len().saturating_sub(1);
    while start > 0 && log[start - 1] != b'\n' {
        start -= 1;
    }
    while start < log.len() && log[start] != b' ' {
        start += 1;
    }
    let mut hash = [b'?'; SHOWN];
    let mut i = 0;
    while i < SHOWN && start + 1 + i < log.len() {
        hash[i] = log[start + 1 + i];
        i += 1;
    }
    hash
}
