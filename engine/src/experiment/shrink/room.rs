//! Ticks behind the failure of a small scenario: a change that only delays the failure is no repair.

use super::{Shrunk, Size, path};
use crate::diag::{Diagnostics, Source};
use crate::scenario::text_parts::{part, with_part};
use crate::script::Library;
use crate::{Options, Run};

impl Shrunk {
    /// Returns the scenario with some simulated seconds more behind its failure, if it fails then, too.
    #[must_use]
    pub fn with_room(self, scripts: &dyn Library, seconds: f32) -> Self {
        let longer = self.longer(scripts, seconds);
        longer.ok().flatten().unwrap_or(self)
    }

    /// Returns the longer scenario. `None` if it holds.
    fn longer(&self, scripts: &dyn Library, seconds: f32) -> Result<Option<Self>, Diagnostics> {
        let start = |text: &str| {
            let source = Source::new("the small scenario", text);
            Run::new(&source, scripts, &Options::default())
        };
        let more = (seconds / start(&self.text)?.dt()).ceil() as u64;
        let end = path(&["ticks"]);
        let ticks = part(&self.text, &end).and_then(|ticks| ticks.parse::<u64>().ok());
        let longer = ticks.and_then(|ticks| {
            let ticks = ticks.saturating_add(more).to_string();
            with_part(&self.text, &end, &ticks)
        });
        let Some(text) = longer else { return Ok(None) };
        let mut run = start(&text)?;
        let mut judge = run.judge();
        while run.tick() < run.ticks() {
            run.step()?;
            judge.tick(run.simulation());
        }
        let after = Size { ticks: self.after.ticks.saturating_add(more), ..self.after };
        Ok(judge.failed().then(|| Self { text, after, ..self.clone() }))
    }
}
