//! Kinds of output files, recognized by how they begin and end.

use super::read::MAX_GOLDEN_BYTES;
use crate::golden;

/// A kind of output file. An output replaces an older file only if that file is empty or of the same kind, so that a typing
/// error in an option cannot overwrite a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileKind {
    /// How messages call such a file: "a trajectory".
    pub name: &'static str,
    /// The ways in which such files begin. Each way is a list of parts: the first one is at the start of the file, the others
    /// follow in this order within the first [`HEAD_BYTES`](Self::HEAD_BYTES).
    pub beginnings: &'static [&'static [&'static [u8]]],
    /// The bytes that occur in the last [`TAIL_BYTES`](Self::TAIL_BYTES) of such files, for formats that describe their
    /// contents there. Empty for other formats.
    pub ending: &'static [u8],
    /// Size of the largest such file that Flockwork can read, in bytes.
    pub max_bytes: u64,
}

impl FileKind {
    /// Number of bytes at the start that are compared.
    pub const HEAD_BYTES: u64 = 4096;

    /// Number of bytes at the end that are compared, if there is an `ending`.
    pub const TAIL_BYTES: u64 = 65536;

    /// Trajectories in any of the formats of [`Recorder`](crate::Recorder).
    pub const TRAJECTORY: Self = Self::new(
        "a trajectory",
        &[
            &[b"tick,time,id,group,x,y,"],
            &[b"{\"tick\":", b",\"time\":"],
            // Other programs write this format too, with other comments.
            &[b"# framerate: ", b"\n# id frame x/m y/m"],
        ],
    );

    /// Goldens, including those with an unresolved merge conflict.
    pub const GOLDEN: Self = Self {
        name: "a golden",
        beginnings: &[
            &[golden::FIRST_WORDS.as_bytes()],
            &[b"<<<<<<< ", golden::FIRST_WORDS.as_bytes()],
        ],
        ending: b"",
        max_bytes: MAX_GOLDEN_BYTES,
    };

    /// Creates a kind of files of any size, which is known by how they begin.
    pub const fn new(name: &'static str, beginnings: &'static [&'static [&'static [u8]]]) -> Self {
        Self { name, beginnings, ending: b"", max_bytes: u64::MAX }
    }

    /// Returns true if a file that begins and ends with these bytes is of this kind.
    pub(super) fn is_of(&self, head: &[u8], tail: &[u8]) -> bool {
        let has_ending = self.ending.is_empty()
            || tail.windows(self.ending.len()).any(|window| window == self.ending);
        has_ending && self.beginnings.iter().any(|parts| begins(head, parts))
    }
}

fn begins(head: &[u8], parts: &[&[u8]]) -> bool {
    let Some((first, others)) = parts.split_first() else {
        return false;
    };
    let Some(mut rest) = head.strip_prefix(*first) else {
        return false;
    };
    others.iter().all(|part| {
        let found = rest.windows(part.len()).position(|window| window == *part);
        found.is_some_and(|at| {
            rest = &rest[at + part.len()..];
            true
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_must_follow_in_order() {
        let kind = FileKind {
            name: "a letter",
            beginnings: &[&[b"Dear "], &[b"Hello", b",\n", b"\n"]],
            ending: b"",
            max_bytes: u64::MAX,
        };
        for (head, is) in [
            ("Dear friend", true),
            ("Dear", false),
            ("Oh Dear ", false),
            ("Hello you,\nbye\n", true),
            ("Hello you,\nbye", false),
            ("", false),
        ] {
            assert_eq!(kind.is_of(head.as_bytes(), b""), is, "{head}");
        }
    }

    #[test]
    fn an_ending_must_be_there_too() {
        let kind = FileKind {
            name: "a letter",
            beginnings: &[&[b"Dear "]],
            ending: b"Yours",
            max_bytes: u64::MAX,
        };
        assert!(kind.is_of(b"Dear friend", b"Yours, me"));
        assert!(!kind.is_of(b"Dear friend", b"Your"));
        assert!(!kind.is_of(b"Hello", b"Yours, me"));
    }
}
