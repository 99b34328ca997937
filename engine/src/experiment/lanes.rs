//! Many runs of one scenario with other values or sources, which advance together as lanes of the same programs.

use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use super::variation::{Variation, cannot_be};
use crate::diag::{Diagnostics, Place, Source};
use crate::golden::Fingerprint;
use crate::runner::{Options, Run, Starter};
use crate::scenario::{Scenario, Template};
use crate::script::{Library, Scripts};
use crate::sim::{AgentError, Simulation, step_lanes};
use crate::suite::RecordingLibrary;
use crate::threads::{self, NoThreads};

/// A scenario whose text varies. It and its scripts are read once.
pub(super) struct Variants {
    base: Starter,
    scripts: Scripts,
    source: Arc<Source>,
    fingerprints: Vec<Fingerprint>,
}

/// A run and what watches it.
pub(super) trait Lane: Sized {
    /// Returns the run.
    fn run(&mut self) -> &mut Run;

    /// Watches the state after a tick. Returns whether the run goes on.
    fn goes_on(&mut self) -> bool;

    /// Ends the run: a script has failed.
    fn fail(&mut self, error: AgentError);
}

/// Agents times ticks of the runs that advance together, about. An interrupted experiment loses no more than this for each
/// thread.
const AGENT_TICKS: u64 = 1_000_000;

/// Maximum number of runs that advance together.
const MAX_LANES: u64 = 128;

impl Variants {
    /// Reads a scenario and its scripts.
    ///
    /// # Errors
    ///
    /// All errors in them.
    pub(super) fn new(source: &Arc<Source>, scripts: &dyn Library) -> Result<Self, Diagnostics> {
        let recording = RecordingLibrary::new(scripts);
        let base = Starter::new(source, &recording, &[Options::default()])?;
        let own = Fingerprint::of(&source.name, &source.text);
        Ok(Self {
            base,
            scripts: Scripts::from(recording.scripts()),
            source: Arc::clone(source),
            fingerprints: [own].into_iter().chain(recording.fingerprints()).collect(),
        })
    }

    /// Reads the scripts that listed values name, such as those of `behavior`.
    ///
    /// # Errors
    ///
    /// All errors in them.
    pub(super) fn read_listed_scripts(
        &mut self,
        vary: &[(String, Place, Variation)],
        scripts: &dyn Library,
    ) -> Result<(), Diagnostics> {
        let source = Arc::clone(&self.source);
        for (path, place, variation) in vary {
            let Variation::List(listed) = variation else { continue };
            let template = Template::new(&source, &[path])
                .map_err(|(_, error)| error.at(&place.source, place.span.clone()))?;
            // Only a string can be a name.
            for value in listed.iter().filter(|value| value.to_string().contains('"')) {
                let text = template.fill(std::slice::from_ref(value));
                let read = self.read_scripts_of(&text, scripts);
                read.map_err(|errors| cannot_be(path, place, value, &errors))?;
            }
        }
        Ok(())
    }

    /// Reads the scripts that the scenario needs with another text, so that it can be [edited](Self::edited) to that.
    ///
    /// # Errors
    ///
    /// All errors in them.
    pub(super) fn read_scripts_of(
        &mut self,
        text: &Arc<Source>,
        scripts: &dyn Library,
    ) -> Result<(), Diagnostics> {
        let recording = RecordingLibrary::new(scripts);
        self.base.edited(text, &recording)?;
        for print in recording.fingerprints() {
            if !self.fingerprints.contains(&print) {
                self.fingerprints.push(print);
            }
        }
        self.scripts.extend(recording.scripts());
        Ok(())
    }

    /// Returns the scenario as it is written.
    pub(super) fn source(&self) -> &Arc<Source> {
        &self.source
    }

    /// Returns the scenario, checked.
    pub(super) fn scenario(&self) -> &Scenario {
        self.base.scenario()
    }

    /// Returns what starts runs of the scenario as it is written.
    pub(super) fn starter(&self) -> &Starter {
        &self.base
    }

    /// Returns the fingerprints of the scenario and its scripts.
    pub(super) fn fingerprints(&self) -> &[Fingerprint] {
        &self.fingerprints
    }

    /// Reads the scenario with another text.
    ///
    /// # Errors
    ///
    /// All errors in it.
    pub(super) fn edited(&self, text: &Arc<Source>) -> Result<Starter, Diagnostics> {
        self.base.edited(text, &self.scripts)
    }

    /// Makes `count` results on all threads of the current pool, and calls `take` with each, in order. If `take` breaks, no
    /// more begin. `together` makes the results of some runs of `ticks` ticks at once, on one thread: at most the share
    /// 1/`parts` of the work of each thread. Few results are kept at a time.
    ///
    /// # Errors
    ///
    /// If the threads cannot be started.
    pub(super) fn each<R: Send>(
        &self,
        count: u64,
        ticks: u64,
        parts: u64,
        together: impl Fn(Range<u64>) -> Vec<R> + Send + Sync,
        mut take: impl FnMut(u64, R) -> ControlFlow<()> + Send,
    ) -> Result<(), NoThreads> {
        let groups = &self.scenario().setup.groups;
        let agents: u64 = groups.iter().map(|(_, spawn)| u64::from(spawn.count)).sum();
        let lanes = (AGENT_TICKS / (agents * ticks).max(1)).clamp(1, MAX_LANES);
        // All threads should have work, also if there are few runs.
        let parts = parts.saturating_mul(threads::current_threads() as u64);
        let lanes = lanes.min(count.div_ceil(parts)).max(1);
        let mut next = 0;
        threads::for_each_in_order(
            count.div_ceil(lanes),
            |part| together(part * lanes..count.min((part + 1) * lanes)),
            |results| {
                for result in results {
                    take(next, result)?;
                    next += 1;
                }
                ControlFlow::Continue(())
            },
        )
    }
}

/// Runs lanes together on this thread, until none goes on or `stop`, which is called before every tick, returns true.
pub(super) fn run_lanes(mut lanes: Vec<impl Lane>, stop: impl Fn() -> bool) {
    while !lanes.is_empty() && !stop() {
        let mut simulations: Vec<&mut Simulation> =
            lanes.iter_mut().map(|lane| lane.run().simulation_mut()).collect();
        let mut results = step_lanes(&mut simulations).into_iter();
        lanes.retain_mut(|lane| match results.next() {
            Some(Err(error)) => {
                lane.fail(error);
                false
            }
            _ => lane.goes_on(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::threads::with_threads;

    /// Caught: of 118 runs on two threads, 59 ended at once, so that an interrupt lost all of them.
    #[test]
    fn results_come_in_as_many_parts_as_are_asked_for() {
        let text = "(ticks: 10, world: (size: (9, 9)), groups: { \"a\": (behavior: \"a\", spawn: Points([(0, 0)])) })";
        let scripts = Scripts::new().with("a", "fn steer(me) { vec(0, 0) }");
        let variants = Variants::new(&Source::new("a.ron", text), &scripts).unwrap();
        let largest = |parts| {
            let mut all = Vec::new();
            let each = variants.each(
                118,
                10,
                parts,
                |part| part.clone().map(|number| (number, part.end - part.start)).collect(),
                |index, result| {
                    all.push((index, result));
                    ControlFlow::Continue(())
                },
            );
            each.unwrap();
            assert!(all.len() == 118 && all.iter().all(|(index, (number, _))| index == number));
            all.into_iter().map(|(_, (_, size))| size).max()
        };
        with_threads(2, || assert_eq!([1, 16, 1000].map(largest), [Some(59), Some(4), Some(1)]))
            .unwrap();
    }
}
