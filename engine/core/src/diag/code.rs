//! Codes of findings: stable names by which tools can sort them and comments can silence them.

use std::fmt;

use super::{Fix, Place, Severity, floor_char};
use crate::tokens::line_start;

/// Declares each code once: its variant, its name and its meaning.
macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $code:ident = $name:literal,)*) => {
        /// The kind of finding that a diagnostic is. Names are stable: they are never reused for something else.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Code {
            $($(#[doc = $doc])+ $code,)*
        }

        impl Code {
            /// All codes.
            pub const ALL: &'static [Self] = &[$(Self::$code),*];

            /// Returns the name, as written in output and in `allow(..)` comments.
            pub fn name(self) -> &'static str {
                match self { $(Self::$code => $name,)* }
            }

            /// Returns the meaning, in one sentence.
            pub fn meaning(self) -> &'static str {
                match self { $(Self::$code => concat!($($doc),+).trim_ascii(),)* }
            }
        }
    };
}

codes! {
    /// An error or a warning that has no code of its own.
    Invalid = "invalid",
    /// A file that cannot be read.
    Unreadable = "unreadable",
    /// A file that does not follow the grammar of RON or Rhai.
    Syntax = "syntax",
    /// A name that does not exist.
    UnknownName = "unknown-name",
    /// A value of the wrong type.
    WrongType = "wrong-type",
    /// A call with the wrong number or types of arguments.
    WrongArguments = "wrong-arguments",
    /// A value outside the allowed range.
    OutOfRange = "out-of-range",
    /// A script that sets something it can only read.
    ReadOnly = "read-only",
    /// A script that reads state before it is set.
    UnsetState = "unset-state",
    /// A script that takes too many steps, usually because of an endless loop.
    Endless = "endless",
    /// A value that may be nothing, `()`, but is used as if it never were.
    MayBeNothing = "may-be-nothing",
    /// The position of an agent that is added without its `.pos`.
    AddedPosition = "added-position",
    /// A function `steer` that does not return a vector in all cases.
    NotAlwaysForce = "not-always-a-force",
    /// A function `steer` that never returns a force and sets no velocity.
    NeverForce = "never-a-force",
    /// A force returned by a primitive that is not used.
    UnusedForce = "unused-force",
    /// A comparison whose result is not used.
    UnusedComparison = "unused-comparison",
    /// A variable that is never read.
    UnusedVariable = "unused-variable",
    /// A function that nothing calls.
    UnusedFunction = "unused-function",
    /// A statement that can never be reached.
    Unreachable = "unreachable",
    /// A param that no script of its group reads.
    UnusedParam = "unused-param",
    /// A public state that others read, or a shared value, that nothing sets.
    ConstantState = "constant-state",
    /// A shared value that nothing reads.
    UnusedShared = "unused-shared",
    /// Goals that the script of the group never uses.
    UnusedGoals = "unused-goals",
    /// Obstacles that no script reads.
    UnusedObstacles = "unused-obstacles",
    /// A formation that the script of its group never uses.
    UnusedFormation = "unused-formation",
    /// A flow field that no script uses.
    UnusedField = "unused-field",
    /// No script uses a layer of the scenario.
    UnusedLayer = "unused-layer",
    /// An input that no script reads.
    UnusedInput = "unused-input",
    /// A path that neither the scenario nor a script names.
    UnusedPath = "unused-path",
    /// A call that has nothing to work with, such as `hide` without obstacles.
    MissingPart = "missing-part",
    /// A group that never has an agent.
    EmptyGroup = "empty-group",
    /// Agents that start inside an obstacle.
    StartInObstacle = "start-in-obstacle",
    /// A spawn, a goal or another position outside the world.
    OutsideWorld = "outside-world",
    /// A goal inside an obstacle.
    GoalInObstacle = "goal-in-obstacle",
    /// A goal that no way leads to.
    UnreachableGoal = "unreachable-goal",
    /// A path through an obstacle.
    PathThroughObstacle = "path-through-obstacle",
    /// An angle that looks like degrees, but is used in radians.
    Degrees = "degrees",
    /// Agents that move further in a tick than their own size or that of the world.
    LongStep = "long-step",
    /// A part of a script that only the interpreter can run, which is slower.
    Interpreted = "interpreted",
    /// Ways that are searched on so many cells that it takes a noticeable time.
    SlowWays = "slow-ways",
}

impl Code {
    /// Returns whether it is only about speed. `check` shows such findings with `--perf`.
    pub fn is_about_speed(self) -> bool {
        matches!(self, Self::Interpreted | Self::SlowWays)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Returns whether a comment on the line of a byte offset, or on the line above, allows a code:
/// `// check: allow(unused-param)`. Several codes are separated by commas.
pub(super) fn is_allowed(text: &str, offset: usize, code: Code) -> bool {
    let start = line_start(text, offset);
    let end = text[offset..].find('\n').map_or(text.len(), |end| offset + end);
    let above = text[..start].trim_end_matches('\n');
    let above = above.rfind('\n').map_or(above, |end| &above[end + 1..]);
    let above = Some(above).filter(|line| line.trim_start().starts_with("//"));
    [Some(&text[start..end]), above]
        .into_iter()
        .flatten()
        .filter_map(|line| line.split_once("//"))
        .filter_map(|(_, comment)| comment.split_once("check: allow("))
        .filter_map(|(_, rest)| rest.split_once(')'))
        .any(|(codes, _)| codes.split(',').any(|one| one.trim() == code.name()))
}

/// Returns the fix that silences a finding at a place by a comment; `None` for an error.
pub(super) fn silence(severity: Severity, code: Code, place: &Place) -> Option<Fix> {
    if severity == Severity::Error {
        return None;
    }
    let text = place.source.text.as_str();
    let start = floor_char(text, place.span.start);
    let line = line_start(text, start);
    let end = text[start..].find('\n').map_or(text.len(), |end| start + end);
    let end = line + text[line..end].trim_end().len();
    let allowed = text[line..end]
        .find("check: allow(")
        .and_then(|at| text[line + at..end].find(')').map(|end| line + at + end));
    let (at, new) = match allowed {
        Some(close) => (close, format!(", {code}")),
        None => (end, format!(" // check: allow({code})")),
    };
    Some(Fix::new(format!("Silence `{code}` here"), &place.source, at..at, new))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_distinct_words() {
        let mut names: Vec<_> = Code::ALL.iter().map(|code| code.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Code::ALL.len());
        let is_letter = |c: char| c.is_ascii_lowercase() || c == '-';
        assert!(names.iter().all(|name| name.chars().all(is_letter)));
        for code in Code::ALL {
            assert!(code.meaning().ends_with('.'), "{code}");
        }
    }

    #[test]
    fn a_comment_on_the_line_or_above_allows_a_code() {
        let text = "a // check: allow(degrees, unused-param)\nb\n// check: allow(degrees)\nc\n";
        let at = |word: &str| text.rfind(word).unwrap();
        assert!(is_allowed(text, 0, Code::Degrees));
        assert!(is_allowed(text, 0, Code::UnusedParam));
        assert!(!is_allowed(text, 0, Code::Syntax));
        assert!(!is_allowed(text, at("\nb") + 1, Code::Degrees));
        assert!(is_allowed(text, at("\nc") + 1, Code::Degrees));
        assert!(!is_allowed("", 0, Code::Degrees));
    }
}
