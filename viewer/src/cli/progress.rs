//! What takes a while: a bar on the terminal.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar on the terminal, for what takes a while.
pub(super) struct Progress {
    start: Instant,
    /// What is counted.
    what: &'static str,
    most: u64,
    bar: Option<ProgressBar>,
    wanted: bool,
}

/// Nobody needs a bar for what is over sooner.
const PATIENCE: Duration = Duration::from_secs(1);

impl Progress {
    /// For so many of something, which is named as one of it.
    pub(super) fn new(what: &'static str, most: u64) -> Self {
        Self {
            start: Instant::now(),
            what,
            most,
            bar: None,
            wanted: std::io::stderr().is_terminal(),
        }
    }

    /// So many are done.
    pub(super) fn at(&mut self, done: u64) {
        if self.wanted && self.bar.is_none() && self.start.elapsed() >= PATIENCE {
            let bar = ProgressBar::with_draw_target(Some(self.most), ProgressDrawTarget::stderr())
                .with_elapsed(self.start.elapsed());
            let what = self.what;
            let template = format!("{{wide_bar}} {what} {{pos}} of {{len}}, {{eta}} left");
            if let Ok(style) = ProgressStyle::with_template(&template) {
                bar.set_style(style);
            }
            self.bar = Some(bar);
        }
        if let Some(bar) = &self.bar {
            bar.set_position(done);
        }
    }

    /// Writes something without the bar in the way.
    pub(super) fn aside(&self, write: impl FnOnce()) {
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    /// Takes the bar away; how long it all took.
    pub(super) fn finish(&mut self) -> Duration {
        let wall = self.start.elapsed();
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
        wall
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.finish();
    }
}
