//! The calls of primitives that a turn does not make, and the conditions that decide so.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use super::{TurnValue, ValueKind};
use crate::diag::{Place, Source};
use crate::steer;
use crate::tokens::{CodeTokens, Language};

/// Calls in a script that a turn does not make because of a condition: of primitives, or of functions that call some.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedCalls {
    /// The name of the function in each call.
    pub calls: Vec<Place>,
    /// The condition of the `if` that decides it.
    pub condition: Place,
    /// How it decides it.
    pub why: WhySkipped,
    /// What the condition is computed from: names and values, such as `near.count` and `1`.
    pub values: Vec<(String, String)>,
}

/// How a condition keeps a turn from making calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhySkipped {
    /// It does not hold.
    False,
    /// It holds, and the calls are behind an `else`.
    Else,
    /// It holds, and the function returns there, before the calls.
    Returned,
}

/// Says why the calls are not made: `near.count > 2` is false, since `near.count` is 1.
impl fmt::Display for SkippedCalls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = self.condition.text().split_whitespace().collect::<Vec<_>>().join(" ");
        write!(f, "`{line}` is {}", self.why != WhySkipped::False)?;
        for (i, (name, value)) in self.values.iter().enumerate() {
            let before = match i {
                0 => ", since",
                _ if i + 1 == self.values.len() => " and",
                _ => ",",
            };
            write!(f, "{before} `{name}` is {value}")?;
        }
        f.write_str(if self.why == WhySkipped::Returned {
            "; the function returns there"
        } else {
            ""
        })
    }
}

impl SkippedCalls {
    /// Returns the names of the functions, each once.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for call in &self.calls {
            if !names.contains(&call.text()) {
                names.push(call.text());
            }
        }
        names
    }

    /// Returns the same as words: `separation` and `cohesion`.
    pub fn names_in_words(&self) -> String {
        let names: Vec<_> = self.names().iter().map(|name| format!("`{name}`")).collect();
        match names.split_last() {
            Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
            _ => names.concat(),
        }
    }

    /// Finds the calls that a turn with these values does not make, in the order of the values and of the text.
    pub(super) fn all(values: &[TurnValue]) -> Vec<Self> {
        let mut sources: Vec<&Arc<Source>> = Vec::new();
        for value in values {
            if !sources.iter().any(|known| Arc::ptr_eq(known, &value.place.source)) {
                sources.push(&value.place.source);
            }
        }
        sources.into_iter().flat_map(|source| ScriptTurn::new(source, values).skipped()).collect()
    }
}

/// A script, and the values that a turn has computed in it.
struct ScriptTurn<'a> {
    source: &'a Arc<Source>,
    code: CodeTokens<'a>,
    values: Vec<&'a TurnValue>,
    /// Where these values begin.
    starts: BTreeSet<usize>,
}

impl<'a> ScriptTurn<'a> {
    fn new(source: &'a Arc<Source>, values: &'a [TurnValue]) -> Self {
        let code = CodeTokens::new(&source.text, Language::Rhai);
        let values = values.iter().filter(|value| Arc::ptr_eq(&value.place.source, source));
        let values: Vec<&TurnValue> = values.collect();
        let starts = values.iter().map(|value| value.place.span.start).collect();
        Self { source, code, values, starts }
    }

    fn skipped(&self) -> Vec<SkippedCalls> {
        let own = self.functions_that_steer();
        let is_call = |&at: &usize| {
            let name = self.code.get(at);
            let is_method = self.code.before(at) == ".";
            let steers = if is_method { steer::find(name).is_some() } else { own.contains(name) };
            steers && self.code.get(at + 1) == "(" && self.code.before(at) != "fn"
        };
        let mut all: Vec<SkippedCalls> = Vec::new();
        for at in (0..self.code.all.len()).filter(is_call) {
            let Some((condition, why)) = self.why_skipped(at) else { continue };
            let span = self.code.all[at].span.clone();
            let call = Place { source: Arc::clone(self.source), span };
            match all.iter_mut().find(|one| one.condition == condition.place && one.why == why) {
                Some(same) => same.calls.push(call),
                None => all.push(SkippedCalls {
                    calls: vec![call],
                    condition: condition.place.clone(),
                    why,
                    values: self.values_in(&condition.place),
                }),
            }
        }
        all
    }

    /// Returns the names of the functions of the script that call primitives, themselves or with others.
    fn functions_that_steer(&self) -> BTreeSet<&'a str> {
        let code = &self.code;
        let heads = (0..code.all.len()).filter(|&at| code.before(at) == "fn" && code.is_word(at));
        let bodies: Vec<_> = heads
            .filter_map(|at| {
                let open = code.closing(at + 1)? + 1;
                Some((code.get(at), open..code.closing(open)?))
            })
            .collect();
        let mut steer = BTreeSet::new();
        loop {
            let before = steer.len();
            for (name, body) in &bodies {
                let steers = |at: usize| {
                    let name = code.get(at);
                    code.get(at + 1) == "(" && (steer::find(name).is_some() || steer.contains(name))
                };
                if body.clone().any(steers) {
                    steer.insert(*name);
                }
            }
            if steer.len() == before {
                return steer;
            }
        }
    }

    /// Returns the condition that has kept the turn from making the call whose name is at a token. `None` if the turn makes it.
    fn why_skipped(&self, call: usize) -> Option<(&'a TurnValue, WhySkipped)> {
        if self.starts.contains(&self.code.all[call].span.start) {
            return None;
        }
        let mut blocks = std::iter::successors(self.code.opening_around(call), |open| {
            self.code.opening_around(*open)
        });
        let decisive = blocks.find_map(|open| self.decisive(open));
        decisive.or_else(|| self.returns_before(call))
    }

    /// Returns the condition because of which a block does not run, by the brace that opens it. `None` if the block runs, or if another
    /// block decides it.
    fn decisive(&self, mut open: usize) -> Option<(&'a TurnValue, WhySkipped)> {
        let mut is_first = true;
        loop {
            let condition = self.condition_before(open);
            match condition.map(|one| (one, one.text.as_str())) {
                Some((one, "false")) if is_first => return Some((one, WhySkipped::False)),
                Some((one, "true")) if !is_first => return Some((one, WhySkipped::Else)),
                Some((_, "true")) => return None,
                _ => {}
            }
            // The branch before: `} else {` or `} else if .. {`.
            is_first = false;
            let otherwise = if self.code.before(open) == "else" {
                open - 1
            } else {
                let head = self.head(open)?;
                head.checked_sub(1).filter(|&before| self.code.get(before) == "else")?
            };
            open = self.code.opening(otherwise.checked_sub(1)?)?;
        }
    }

    /// Returns the `if` of a block.
    fn head(&self, open: usize) -> Option<usize> {
        let around = self.code.opening_around(open);
        let mut before = (around.map_or(0, |around| around + 1)..open).rev();
        before.find(|&at| self.code.get(at) == "if" && self.code.opening_around(at) == around)
    }

    /// Returns the value of the condition before a block.
    fn condition_before(&self, open: usize) -> Option<&'a TurnValue> {
        let start = self.code.all[open].span.start;
        let end = self.code.all[open.checked_sub(1)?].span.end;
        let is_it = |value: &&&TurnValue| {
            let span = &value.place.span;
            value.kind == ValueKind::Condition && (end..=start).contains(&span.end)
        };
        self.values.iter().find(is_it).copied()
    }

    /// Returns a condition that holds, in whose block the function returns before a call.
    fn returns_before(&self, call: usize) -> Option<(&'a TurnValue, WhySkipped)> {
        let code = &self.code;
        let function = (0..call).rev().find(|&at| code.get(at) == "fn")?;
        let returns = |open: &usize| {
            let Some(close) = code.closing(*open).filter(|close| *close < call) else {
                return false;
            };
            code.outside_brackets(*open + 1..close).any(|at| code.get(at) == "return")
        };
        let blocks = (function..call).filter(|&at| code.get(at) == "{").filter(returns);
        let mut held = blocks.filter_map(|open| self.condition_before(open));
        held.find(|condition| condition.text == "true")
            .map(|condition| (condition, WhySkipped::Returned))
    }

    /// Returns the first token of what is before the dots of a name: `me` of `me.neighbors(5).count`.
    fn chain_start(&self, name: usize) -> usize {
        let code = &self.code;
        let mut first = name;
        while code.before(first) == "." && first > 1 {
            first -= 2;
            if let Some(open) = code.opening(first) {
                first = if code.is_word(open.saturating_sub(1)) { open - 1 } else { open };
            }
        }
        first
    }

    /// Returns the names in a condition, with what is before their dots, and their values.
    fn values_in(&self, condition: &Place) -> Vec<(String, String)> {
        let code = &self.code;
        let mut all: Vec<(String, String)> = Vec::new();
        for (at, token) in code.all.iter().enumerate() {
            let span = &token.span;
            let is_inside = condition.span.start <= span.start && span.end <= condition.span.end;
            let end = if code.get(at + 1) == "(" { code.closing(at + 1).unwrap_or(at) } else { at };
            if !is_inside || code.get(end + 1) == "." {
                continue;
            }
            let is_it =
                |value: &&&TurnValue| value.place.span == *span && value.kind == ValueKind::Result;
            let Some(value) = self.values.iter().find(is_it) else { continue };
            let name = &code.text[code.all[self.chain_start(at)].span.start..span.end];
            // A call has its arguments, which are among the names.
            let name = if code.get(at + 1) == "(" { format!("{name}(..)") } else { name.into() };
            let is_all = self.source.text[condition.span.clone()].trim() == name;
            if !is_all && all.iter().all(|(known, _)| *known != name) {
                all.push((name, value.text.clone()));
            }
        }
        all
    }
}
