//! The other version of the scripts: a failure counts only if the same start holds with it.

use std::sync::Arc;

use super::probe::{Counted, Deciding, FailureKind, ProbeOptions, Probed, Probes};
use super::variation::Variation;
use crate::diag::{Diagnostic, Diagnostics, Place, Source};
use crate::script::Library;
use crate::threads::NoThreads;

/// Runs the scenario with the other version of its scripts.
pub(super) struct OtherVersion(Probes);

/// What an error with the other version means.
const HELP: &str = "this is the other version: it runs the scenario as it is now, so its scripts must have everything that the scenario names, and may read only params that the scenario has";

impl OtherVersion {
    /// Reads the scripts of the other version. `present` has the scripts that are hunted.
    ///
    /// # Errors
    ///
    /// If the scenario cannot run with them, or if they are the same.
    pub(super) fn new(
        source: &Arc<Source>,
        scripts: &dyn Library,
        vary: &[(String, Place, Variation)],
        present: &Probes,
    ) -> Result<Self, Diagnostics> {
        let mut probes = Probes::new(source, scripts).map_err(of_other_version)?;
        probes.read_listed_scripts(vary, scripts).map_err(of_other_version)?;
        if probes.fingerprints() == present.fingerprints() {
            let same = format!(
                "the other version has the same scripts for {}, so that no start can fail with one version and hold with the other",
                source.name
            );
            return Err(Diagnostic::error(same)
                .help("name a version before the change, such as the Git revision `HEAD~1`")
                .into());
        }
        // Most things that its scripts lack, such as a param, show in the first turns.
        let mut run = probes.start(&source.text).map_err(of_other_version)?;
        run.step().map_err(|error| of_other_version(error.into()))?;
        Ok(Self(probes))
    }

    /// Returns the scenario with the scripts of the other version.
    pub(super) fn probes(&self) -> &Probes {
        &self.0
    }

    /// Runs starts that were run with the present scripts, each with the kind of failure that it had. The other version holds for those
    /// that are [`Probed::Held`]: what fails now does not fail with it, up to the end of the run. A start that did not fail runs up to its
    /// end, whatever fails. `is_compared` says whether margins and the hashes of all states are computed.
    ///
    /// # Errors
    ///
    /// If the threads cannot be started.
    pub(super) fn results(
        &self,
        starts: &[(&str, Option<&FailureKind>)],
        is_compared: bool,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<Probed>, NoThreads> {
        let mut results = vec![Probed::Stopped; starts.len()];
        let counted = starts.iter().map(|(_, kind)| kind.map_or(Counted::Scripts, Counted::of));
        let counted: Vec<Counted> = counted.collect();
        for (first, &kind) in counted.iter().enumerate() {
            // The runs of each kind are made with the first of them.
            if counted[..first].contains(&kind) {
                continue;
            }
            let same: Vec<usize> = (first..starts.len()).filter(|&i| counted[i] == kind).collect();
            let sources: Vec<&str> = same.iter().map(|&index| starts[index].0).collect();
            let options = ProbeOptions {
                counted: kind,
                deciding: Deciding::Scripts,
                with_margins: is_compared,
                with_history: is_compared,
                with_features: false,
                stop,
            };
            for (index, probed) in same.into_iter().zip(self.0.results(&sources, options)?) {
                results[index] = probed;
            }
        }
        Ok(results)
    }
}

fn of_other_version(errors: Diagnostics) -> Diagnostics {
    errors.into_iter().map(|error| error.help(HELP)).collect()
}
