//! A measure, and when it is read: `polarization`, `polarization@60`, `polarization@60..120`.

use std::fmt;

/// When a measure is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum When {
    /// At the end of the run.
    End,
    /// At a tick; 0 is the start.
    At(u64),
    /// At all ticks from the first to the second one; the mean counts.
    Mean(u64, u64),
}

impl When {
    /// Returns whether it is read at a tick. The end is no tick that is known before.
    pub(super) fn contains(self, tick: u64) -> bool {
        match self {
            Self::End => false,
            Self::At(at) => tick == at,
            Self::Mean(first, last) => (first..=last).contains(&tick),
        }
    }

    /// Returns the last tick that is needed; `None` for the end.
    pub(super) fn last(self) -> Option<u64> {
        match self {
            Self::End => None,
            Self::At(tick) | Self::Mean(_, tick) => Some(tick),
        }
    }
}

/// A measure, and when it is read. Written `polarization` for the end of the run, `polarization@60` for a tick, and
/// `polarization@60..120` for the mean over ticks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MeasureAt {
    /// The name of the measure.
    pub name: String,
    /// When it is read.
    pub when: When,
}

impl MeasureAt {
    /// Reads it. A name may contain an `@` itself, but no digit follows it then.
    ///
    /// # Errors
    ///
    /// What is wrong with the ticks.
    pub fn parse(text: &str) -> Result<Self, String> {
        let at_end = || Self { name: text.to_owned(), when: When::End };
        let Some((name, ticks)) = text.rsplit_once('@') else {
            return Ok(at_end());
        };
        if !ticks.starts_with(|first: char| first.is_ascii_digit() || first == '-') {
            return Ok(at_end());
        }
        let tick = |text: &str| {
            text.parse::<u64>().map_err(|_| {
                format!("expected a tick, or two with `..` between them, found `{ticks}`")
            })
        };
        let when = match ticks.split_once("..") {
            None => When::At(tick(ticks)?),
            Some((first, last)) => match (tick(first)?, tick(last)?) {
                (first, last) if first > last => {
                    return Err(format!("the first tick is after the last one: `{ticks}`"));
                }
                (first, last) => When::Mean(first, last),
            },
        };
        Ok(Self { name: name.to_owned(), when })
    }
}

impl fmt::Display for MeasureAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.when {
            When::End => f.write_str(&self.name),
            When::At(tick) => write!(f, "{}@{tick}", self.name),
            When::Mean(first, last) => write!(f, "{}@{first}..{last}", self.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_written_is_read(name in "[a-z@]{1,5}(\\.[a-z_]{1,5})?", first in 0..9u64, more in 0..9u64) {
            for when in [When::End, When::At(first), When::Mean(first, first + more)] {
                let of = MeasureAt { name: name.clone(), when };
                prop_assert_eq!(MeasureAt::parse(&of.to_string()), Ok(of));
            }
        }
    }

    #[test]
    fn ticks_that_are_none_get_a_message() {
        for (text, message) in [
            ("spread@-3", "expected a tick, or two with `..` between them, found `-3`"),
            ("spread@6x", "expected a tick, or two with `..` between them, found `6x`"),
            ("spread@6..", "expected a tick, or two with `..` between them, found `6..`"),
            ("spread@9..6", "the first tick is after the last one: `9..6`"),
        ] {
            assert_eq!(MeasureAt::parse(text), Err(message.to_owned()), "{text}");
        }
    }
}
