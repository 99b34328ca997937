//! The expectation `Script`: the function `expect` of a script returns true, or a number of at least 0.

use std::sync::Arc;

use serde::Deserialize;

use super::check::{Check, SpecPart};
use super::rule::{Judgment, Measured, Rule, TickView, Violation, Worse};
use super::{ExpectationScript, FROM, Verdict};
use crate::diag::Place;
use crate::number::Ticks;
use crate::schema::described;
use crate::trace::Measure;
use crate::world::GroupId;

described! {
    /// The function `expect(now)` of a script returns true, or a number of at least 0: its margin.
    #[derive(Clone, Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct Script {
        /// The name of the script.
        name: String => Script,
        /// Number of ticks from one check to the next. By default the script runs once, at the end of the run.
        every: Option<Ticks>,
        ;
        /// Where the name is written.
        place: Option<Place>,
        /// The first tick at which the script runs, if it runs several times.
        first: u64,
        script: Option<Arc<dyn ExpectationScript>>,
        /// Whether the script has run.
        is_asked: bool,
        /// The message about why it last failed, and further lines.
        failed: (String, Vec<String>),
    }
}

/// A script that returns false or fails does not say how far it is from holding.
const FAILED: Measured = Measured { value: 0.0, margin: -1.0 };

impl Script {
    fn ask(&mut self, now: &TickView<'_>) -> Judgment {
        let tick = now.tick();
        self.is_asked = true;
        let Some(script) = &self.script else {
            self.failed = (format!("the script `{}` was not compiled", self.name), Vec::new());
            return Judgment::without_agent(FAILED);
        };
        let (result, debug_lines) = script.judge(now.simulation, now.totals);
        let debug_lines = debug_lines.into_iter().map(|text| format!("debug output: {text}"));
        let (measured, returned) = match result {
            Ok(Verdict::Bool(true)) => return Judgment::default(),
            Ok(Verdict::Bool(false)) => (FAILED, format!("returned false at tick {tick}")),
            Ok(Verdict::Margin(margin)) => {
                let returned = format!("returned {margin} at tick {tick}; 0 or more holds");
                (Measured { value: margin, margin }, returned)
            }
            Err(error) => {
                let position = format!("the error is at {}", error.position());
                let help = [position].into_iter().chain(error.help).chain(debug_lines);
                let what =
                    format!("the script `{}` failed at tick {tick}: {}", self.name, error.message);
                self.failed = (what, help.collect());
                return Judgment::without_agent(FAILED);
            }
        };
        if measured.fails() {
            let position = format!("the function `expect` is at {}", script.position());
            let what = match script.meaning() {
                Some(meaning) => {
                    format!("{} does not hold: \"{meaning}\" (it {returned})", self.name)
                }
                None => format!("the script `{}` {returned}", self.name),
            };
            self.failed = (what, debug_lines.chain([position]).collect());
        }
        Judgment::without_agent(measured)
    }
}

impl Rule for Script {
    fn check(&mut self, check: &mut Check<'_>) {
        check.script_name("name", &self.name);
        self.place = Some(check.position(SpecPart::Field("name")));
        match (self.every, check.from) {
            (None, Some(_)) => {
                let what =
                    "`from` needs `every`: without it, the script runs only once, at the end";
                check.error(SpecPart::Field(FROM), what);
            }
            (Some(every), None) => {
                let every = every.get();
                let next = check.facts.from.max(1).div_ceil(every).saturating_mul(every);
                if next > check.facts.ticks {
                    check.never_judged(SpecPart::Field("every"), check.after_the_end(next));
                }
                self.first = every;
            }
            (Some(_), Some(from)) => self.first = from,
            (None, None) => {}
        }
    }

    fn judge(&mut self, now: &TickView<'_>) -> Judgment {
        let (Some(every), Some(since)) = (self.every, now.tick().checked_sub(self.first)) else {
            return Judgment::default();
        };
        if since.is_multiple_of(every.get()) { self.ask(now) } else { Judgment::default() }
    }

    fn finish(&mut self, now: &TickView<'_>) -> Judgment {
        if self.every.is_none() { self.ask(now) } else { Judgment::default() }
    }

    fn unit(&self) -> &'static str {
        ""
    }

    fn bound(&self, _now: &TickView<'_>) -> f32 {
        0.0
    }

    fn is_judged(&self) -> bool {
        self.is_asked
    }

    fn describe(&self, _now: &TickView<'_>, _violation: &Violation) -> String {
        self.failed.0.clone()
    }

    fn worse(&self) -> Option<Worse> {
        None
    }

    fn help(&self) -> Vec<String> {
        self.failed.1.clone()
    }

    /// Returns true, since it is not known what a script reads.
    fn reads_goals(&self, _of: GroupId) -> bool {
        true
    }

    fn reads_obstacles(&self) -> bool {
        true
    }

    fn needs_surroundings(&self) -> bool {
        true
    }

    fn script(&self) -> Option<(&str, &Place)> {
        Some((&self.name, self.place.as_ref()?))
    }

    fn measures(&self) -> &[Measure] {
        self.script.as_ref().map_or(&[], |script| script.measures())
    }

    fn compiled(&self) -> Option<&dyn ExpectationScript> {
        self.script.as_deref()
    }

    fn set_script(&mut self, script: Arc<dyn ExpectationScript>) {
        self.script = Some(script);
    }
}
