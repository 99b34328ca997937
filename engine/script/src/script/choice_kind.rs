//! The kinds of choices of scripts, and the positions of the functions that are generated for them; see `choices.rs`.

use std::ops::Range;

/// The functions of `me` that choose, and the one that asks for the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChoiceKind {
    Machine,
    Choose,
    Keep,
    TimeIn,
}

impl ChoiceKind {
    pub(super) const ALL: [Self; 4] = [Self::Machine, Self::Choose, Self::Keep, Self::TimeIn];

    pub(super) fn method(self) -> &'static str {
        match self {
            Self::Machine => "machine",
            Self::Choose => "choose",
            Self::Keep => "keep",
            Self::TimeIn => "time_in",
        }
    }

    pub(super) fn of(method: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.method() == method)
    }

    /// Returns whether a function is generated, not written in the script.
    pub(super) fn generates(function: &str) -> bool {
        let is_of = |kind: Self| function.starts_with(&kind.function(""));
        Self::ALL.into_iter().any(is_of)
    }

    /// Returns how many arguments it takes: the fewest and the most.
    pub(super) fn arguments(self) -> (usize, usize) {
        match self {
            Self::Machine => (2, 2),
            Self::Choose => (2, 4),
            Self::Keep => (3, 3),
            Self::TimeIn => (1, 1),
        }
    }

    /// Returns how it is called.
    pub(super) fn usage(self) -> &'static str {
        match self {
            Self::Machine => "me.machine(\"mode\", [\"first\", \"second\"])",
            Self::Choose => "me.choose(\"what\", #{ feed: 0.3, rest: 0.5 }, margin, dwell)",
            Self::Keep => "me.keep(\"turn\", value, dwell)",
            Self::TimeIn => "me.time_in(\"mode\")",
        }
    }

    /// Returns the name of the function that is generated for a choice with a name.
    pub(super) fn function(self, name: &str) -> String {
        format!("{}__{name}", self.method())
    }
}

/// Returns the range to mark in a message whose position is behind the end of a line, because the code there is
/// generated: the call of a choice, or the name of a function.
pub(super) fn mark(line: &str) -> Range<usize> {
    for kind in ChoiceKind::ALL {
        if let Some(at) = line.find(&format!(".{}(", kind.method())) {
            return at + 1..at + 1 + kind.method().len();
        }
    }
    let start = line.find("fn ").map_or(line.len() - line.trim_start().len(), |at| at + 3);
    let length = line[start..].find(|c: char| !c.is_alphanumeric() && c != '_');
    start..length.map_or(line.len(), |length| start + length)
}

/// Returns whether a column is that of generated code.
pub(super) fn is_behind(line: &str, column: usize) -> bool {
    column > line.chars().count() + 1
}
