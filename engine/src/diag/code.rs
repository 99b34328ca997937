//! The codes of findings: stable names by which tools sort them and files silence them.

use std::fmt;

/// Declares the codes once: variant, name, and what it stands for.
macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $code:ident = $name:literal,)*) => {
        /// What sort of finding a diagnostic is. Names are stable: they are never reused for something else.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Code {
            $($(#[doc = $doc])+ $code,)*
        }

        impl Code {
            /// All codes.
            pub const ALL: &'static [Self] = &[$(Self::$code),*];

            /// The name, as it is written in output and in `allow(..)` comments.
            pub fn name(self) -> &'static str {
                match self { $(Self::$code => $name,)* }
            }

            /// What it stands for, in one sentence.
            pub fn meaning(self) -> &'static str {
                match self { $(Self::$code => concat!($($doc),+).trim_ascii(),)* }
            }
        }
    };
}

codes! {
    /// Something is wrong that has no code of its own.
    Invalid = "invalid",
    /// The file cannot be read.
    Unreadable = "unreadable",
    /// The text does not follow the grammar of RON or Rhai.
    Syntax = "syntax",
    /// A name that nothing has.
    UnknownName = "unknown-name",
    /// A value of the wrong type for what is done with it.
    WrongType = "wrong-type",
    /// A call with the wrong number or kind of arguments.
    WrongArguments = "wrong-arguments",
    /// A value outside the range that is allowed.
    OutOfRange = "out-of-range",
    /// A script sets what it may only read.
    ReadOnly = "read-only",
    /// A script reads state that was never set.
    UnsetState = "unset-state",
    /// A script does not come to an end.
    Endless = "endless",
    /// A value may be nothing, `()`, where something is needed.
    MayBeNothing = "may-be-nothing",
    /// `steer` returns something other than a vector on some paths.
    NotAlwaysForce = "not-always-a-force",
    /// `steer` never returns a force, and the script sets no velocity.
    NeverForce = "never-a-force",
    /// A force that a primitive returns is not used.
    UnusedForce = "unused-force",
    /// A variable that is never read.
    UnusedVariable = "unused-variable",
    /// A statement that is never reached.
    Unreachable = "unreachable",
    /// A param that no script of its group reads.
    UnusedParam = "unused-param",
    /// Goals that the script of their group never uses.
    UnusedGoals = "unused-goals",
    /// Obstacles that no script looks at.
    UnusedObstacles = "unused-obstacles",
    /// Agents that start inside an obstacle.
    StartInObstacle = "start-in-obstacle",
    /// A place, such as a spawn or a goal, outside the world.
    OutsideWorld = "outside-world",
    /// A goal inside an obstacle.
    GoalInObstacle = "goal-in-obstacle",
    /// An angle that looks like degrees where radians are meant.
    Degrees = "degrees",
    /// A time step in which agents jump further than their own size or the size of the world.
    LongStep = "long-step",
    /// Something that keeps a script on the interpreter, which is slower.
    Interpreted = "interpreted",
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Whether a comment on the line of an offset, or on the line above it, allows a code:
/// `// check: allow(unused-param)`. Several codes are separated by commas.
pub(super) fn is_within_tolerance(text: &str, offset: usize, code: Code) -> bool {
    let start = text[..offset].rfind('\n').map_or(0, |end| end + 1);
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
        assert!(is_within_tolerance(text, 0, Code::Degrees));
        assert!(is_within_tolerance(text, 0, Code::UnusedParam));
        assert!(!is_within_tolerance(text, 0, Code::Syntax));
        assert!(!is_within_tolerance(text, at("\nb") + 1, Code::Degrees));
        assert!(is_within_tolerance(text, at("\nc") + 1, Code::Degrees));
        assert!(!is_within_tolerance("", 0, Code::Degrees));
    }
}
