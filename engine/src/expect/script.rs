//! The rule that a script judges.

use std::sync::Arc;

use super::rule::{Moment, Offence, Rule, Worse};
use crate::script::Verdict;

/// [`super::Expected::Script`]
pub(super) struct Script {
    pub(super) name: String,
    pub(super) verdict: Arc<Verdict>,
    pub(super) every: Option<u64>,
    pub(super) from: u64,
    /// Why it last failed, and what else to say.
    pub(super) failed: (String, Vec<String>),
}

impl Script {
    fn ask(&mut self, now: &Moment<'_>) -> Option<Offence> {
        let tick = now.tick();
        let (result, said) = self.verdict.judge(now.simulation);
        let said = said.into_iter().map(|text| format!("it said: {text}"));
        self.failed = match result {
            Ok(true) => return None,
            Ok(false) => {
                let place = format!("`expect` is at {}", self.verdict.position());
                (format!("does not hold at tick {tick}"), said.chain([place]).collect())
            }
            Err(error) => {
                let place = format!("this is at {}", error.position());
                let help = [place].into_iter().chain(error.help).chain(said);
                (format!("fails at tick {tick}: {}", error.message), help.collect())
            }
        };
        Some(Offence::of_all(0.0))
    }
}

impl Rule for Script {
    fn judge(&mut self, now: &Moment<'_>) -> Option<Offence> {
        let every = self.every?;
        let is_due = (now.tick() - self.from).is_multiple_of(every);
        is_due.then(|| self.ask(now)).flatten()
    }

    fn finish(&mut self, now: &Moment<'_>) -> Option<Offence> {
        self.every.is_none().then(|| self.ask(now)).flatten()
    }

    fn describe(&self, _now: &Moment<'_>, _offence: &Offence) -> String {
        format!("the script `{}` {}", self.name, self.failed.0)
    }

    fn worse(&self) -> Option<Worse> {
        None
    }

    fn help(&self) -> Vec<String> {
        self.failed.1.clone()
    }
}
