//! Runs one scenario with several seeds.

use super::case::{StopRule, TestFiles};
use super::{RecordingLibrary, each};
use crate::diag::Diagnostics;
use crate::golden::{Band, BandTerms, Terms, bands};
use crate::runner::{Options, Run};
use crate::script::Scripts;
use crate::trace::{MeasuredAgents, Totals};

/// Measures a scenario with several seeds, in parallel. Returns the bands, and agents times ticks of all runs.
///
/// # Errors
///
/// If the scenario has errors, or a run fails or is stopped.
pub(super) fn measure_bands(
    files: TestFiles<'_>,
    of: &BandTerms,
    terms: &Terms,
    stop: StopRule<'_>,
) -> Result<(Vec<Band>, u64), Diagnostics> {
    let scripts = RecordingLibrary::new(files.scripts);
    let first = Run::new(files.source, &scripts, &Options::default())?;
    let seed = first.simulation().world().seed;
    let seeds: Vec<u64> = (0..u64::from(of.seeds)).map(|more| seed.wrapping_add(more)).collect();
    // Scripts are read once, so that they cannot change between the runs.
    let scripts = Scripts::from(scripts.scripts());
    let ticks: Vec<u64> =
        (terms.from + 1..=terms.until).filter(|tick| terms.is_keyframe(*tick)).collect();
    let runs = each(&seeds, |&seed| {
        let options = Options { seed: Some(seed), ..Options::default() };
        let mut run = Run::new(files.source, &scripts, &options)?;
        let (mut values, mut agent_ticks) = (Vec::new(), 0);
        let mut totals = Totals::needed(run.simulation(), of.measures.iter().copied());
        for tick in terms.from + 1..=terms.until {
            stop.check(tick - 1)?;
            agent_ticks += run.simulation().world().agents.len() as u64;
            run.step()?;
            if let Some(totals) = &mut totals {
                totals.add_tick(run.simulation());
            }
            if ticks.contains(&tick) {
                let measured = MeasuredAgents::new(run.simulation(), totals.as_ref());
                let taken = of.measures.iter().map(|measure| measure.take(&measured));
                values.extend(taken.map(|amount| amount.map(f32::from)));
            }
        }
        Ok((values, agent_ticks))
    });
    let runs: Vec<(Vec<Option<f32>>, u64)> =
        runs.into_iter().collect::<Result<_, Diagnostics>>()?;
    let agent_ticks = runs.iter().map(|(_, count)| count).sum();
    let values: Vec<_> = runs.into_iter().map(|(values, _)| values).collect();
    Ok((bands(of, &ticks, &values), agent_ticks))
}
