//! Hunts: looks for a start of a scenario that breaks an expectation.
//!
//! The first starts are random. The following ones are near those with the smallest margins: a simple evolution. All starts of
//! a generation are chosen before any of them runs, so the number of threads changes nothing.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::hunt_options::HuntOptions;
use super::probe::{FailureKind, FoundStart, ProbeOptions, Probed, Probes};
use super::shrink::{Shrinker, Shrunk, lead};
use super::starts::{Draw, Start, Starts};
use super::trials::check_value;
use crate::diag::{Diagnostic, Diagnostics, Source, nearest};
use crate::math;
use crate::math::random::Mix;
use crate::scenario::text_parts::{part, with_part};
use crate::script::Library;
use crate::sim::Law;
use crate::threads::NoThreads;

/// A hunt in a scenario.
pub struct Hunt {
    probes: Probes,
    starts: Starts,
    options: HuntOptions,
    only: Option<usize>,
    /// Each law that it considers of its own accord, and why it is not tried, if it is not.
    laws: Vec<(Law, Option<String>)>,
    /// Hunts for a failure of the laws that are tried.
    law_hunt: Option<Box<Self>>,
}

/// The smallest margin of an expectation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmallestMargin {
    /// The margin.
    pub value: f32,
    /// Its unit.
    pub unit: &'static str,
    /// The number of the run.
    pub run: u64,
    /// The tick.
    pub tick: u64,
}

/// The result of a search.
#[derive(Clone, Debug, Default)]
pub struct HuntResult {
    /// Number of runs.
    pub runs: u64,
    /// Number of runs with random starts, without those that fail at once.
    pub random: u64,
    /// How many of these failed.
    pub random_failed: u64,
    /// Number of starts that were no use: an expectation failed before the first tick, or the values did not fit.
    pub unusable: u64,
    /// Why values did not fit, if they did not.
    pub misfit: Option<String>,
    /// One start for each expectation that fails, and for scripts: one that leaves time to react, with few agents and ticks.
    pub found: Vec<FoundStart>,
    /// Number of further runs in which only the laws of symmetry were tried.
    pub law_runs: u64,
    /// For each expectation, its smallest margin in all runs; in one that fails, that of the failure.
    pub margins: Vec<Option<SmallestMargin>>,
    /// The start with the smallest margin, compared with the usual ones.
    pub nearest: Option<String>,
    /// Whether it was stopped before its end.
    pub is_stopped: bool,
}

impl HuntResult {
    /// Returns the share of random starts that fail, and the ends of its 95 % interval (Wilson); `None` if there were no
    /// random starts.
    pub fn share(&self) -> Option<(f32, [f32; 2])> {
        if self.random == 0 {
            return None;
        }
        let (n, z) = (self.random as f32, 1.96);
        let p = self.random_failed as f32 / n;
        let middle = p + z * z / (2.0 * n);
        let half = z * math::sqrt(p * (1.0 - p) / n + z * z / (4.0 * n * n));
        let scale = 1.0 + z * z / n;
        let low = math::max(0.0, (middle - half) / scale);
        let high = math::min(1.0, (middle + half) / scale);
        Some((p, [low, high]))
    }
}

/// Number of starts of a generation.
const GENERATION: u64 = 32;

/// How often a start at which an expectation fails before the first tick is moved toward the one that is written.
const MOVES_TO_WRITTEN: u32 = 4;

/// Number of the best starts of each expectation that are kept.
const KEPT: usize = 8;

/// The expectation of the laws that a hunt tries of its own accord.
const SYMMETRIC: &str = "Symmetric";

/// One run in so many is added to try laws.
const LAW_SHARE: u64 = 10;

impl Hunt {
    /// Prepares a hunt.
    ///
    /// # Errors
    ///
    /// All errors in the scenario and its scripts; if it has no expectations; and for an expectation or a path that does
    /// not exist.
    pub fn new(
        options: HuntOptions,
        scenario: &Arc<Source>,
        scripts: &dyn Library,
    ) -> Result<Self, Diagnostics> {
        let is_general = options.expectation.is_none();
        let mut this = Self::of_expectations(options, scenario, scripts)?;
        if is_general && !this.expectations().iter().any(|text| text.starts_with(SYMMETRIC)) {
            this.add_laws(scenario, scripts)?;
        }
        Ok(this)
    }

    /// Adds the laws of symmetry that nothing in the scenario speaks against: an expectation in front of the others.
    fn add_laws(
        &mut self,
        scenario: &Arc<Source>,
        scripts: &dyn Library,
    ) -> Result<(), Diagnostics> {
        let run = self.probes.start(&scenario.text)?;
        self.laws = Law::ALL.map(|law| (law, run.simulation().why_not(law))).into();
        let tried = self.laws.iter().filter(|(_, why_not)| why_not.is_none());
        let tried: Vec<&str> = tried.map(|(law, _)| law.name()).collect();
        let path = ["expect".to_owned()];
        let rest = part(&scenario.text, &path).and_then(|list| list.strip_prefix('['));
        if let (false, Some(rest)) = (tried.is_empty(), rest) {
            let list = format!("[{SYMMETRIC}(under: [{}]), {rest}", tried.join(", "));
            let text = with_part(&scenario.text, &path, &list).unwrap_or_default();
            let options = HuntOptions {
                runs: (self.options.runs / LAW_SHARE).max(1),
                expectation: Some(SYMMETRIC.to_owned()),
                ..self.options.clone()
            };
            let source = Source::new(scenario.name.as_str(), text);
            let hunt = Self::of_expectations(options, &source, scripts)?;
            self.law_hunt = Some(Box::new(hunt));
        }
        Ok(())
    }

    fn of_expectations(
        options: HuntOptions,
        scenario: &Arc<Source>,
        scripts: &dyn Library,
    ) -> Result<Self, Diagnostics> {
        let mut probes = Probes::new(scenario, scripts)?;
        let strings = expectations(&probes);
        if strings.is_empty() {
            let none = format!("{} has no expectations, so nothing can fail", scenario.name);
            return Err(Diagnostic::error(none)
                .help("say what must hold in every run, for example `expect: [NoOverlap()]`")
                .into());
        }
        let only = options.expectation.as_deref().map(|one| find(one, &strings)).transpose()?;
        for (path, place, variation) in &options.vary {
            check_value(scenario, path, place, variation)?;
        }
        probes.read_listed_scripts(&options.vary, scripts)?;
        let run = probes.start(&scenario.text)?;
        let starts = Starts::new(
            scenario,
            probes.scenario(),
            &run,
            &options.keep,
            options.near,
            &options.vary,
        )?;
        Ok(Self { probes, starts, options, only, laws: Vec::new(), law_hunt: None })
    }

    /// Returns the expectations of the scenario, as they are written. If the hunt tries laws of symmetry of its own
    /// accord, their expectation is the last one.
    pub fn expectations(&self) -> Vec<String> {
        let mut strings = expectations(&self.probes);
        let of_laws =
            self.law_hunt.iter().filter_map(|hunt| expectations(&hunt.probes).into_iter().next());
        strings.extend(of_laws);
        strings
    }

    /// Returns the index of the expectation of the laws that the hunt tries of its own accord, if it tries some.
    pub fn expectation_of_laws(&self) -> Option<usize> {
        self.law_hunt().map(|(index, _)| index)
    }

    /// Returns whether an expectation counts.
    pub fn judges(&self, expectation: usize) -> bool {
        self.only.is_none_or(|only| only == expectation)
    }

    /// Returns each law of symmetry that it considers of its own accord, and why it is not tried, if it is not. Empty
    /// if the scenario expects some laws, or if the hunt is only for one expectation.
    pub fn laws(&self) -> impl Iterator<Item = (Law, Option<&str>)> {
        self.laws.iter().map(|(law, why_not)| (*law, why_not.as_deref()))
    }

    /// Returns the index that the expectation of the laws has, and the hunt for its failures.
    fn law_hunt(&self) -> Option<(usize, &Self)> {
        let index = self.probes.scenario().expectations.len();
        self.law_hunt.as_deref().map(|hunt| (index, hunt))
    }

    /// Returns a failure as an error at the place of its expectation.
    pub fn diagnostic(&self, found: &FoundStart) -> Diagnostic {
        let message = format!("with another start: {}", found.failure.message);
        let error = Diagnostic::error(message);
        match found.expectation() {
            Some(index) => match self.probes.scenario().expectations.get(index) {
                Some(expectation) => {
                    let place = &expectation.place;
                    error.at(&place.source, place.span.clone())
                }
                None => error.help(format!(
                    "if this is meant, list the laws that hold in `expect`: `{SYMMETRIC}(under: [])`"
                )),
            },
            None => error,
        }
    }

    /// Searches. `stop` is called often; `progress` is called with the number of runs that are done.
    ///
    /// # Errors
    ///
    /// If the threads cannot be started.
    pub fn search(
        &self,
        stop: &(dyn Fn() -> bool + Sync),
        progress: &mut (dyn FnMut(u64) + Send),
    ) -> Result<HuntResult, NoThreads> {
        let mut result = self.search_own(stop, progress)?;
        if let Some((index, hunt)) = self.law_hunt() {
            let before = result.runs;
            let laws = hunt.search_own(stop, &mut |runs| progress(before + runs))?;
            result.law_runs = laws.runs;
            result.is_stopped |= laws.is_stopped;
            result.margins.extend(laws.margins.into_iter().take(1));
            let broken = laws.found.into_iter().filter(|found| found.expectation().is_some());
            result.found.extend(broken.map(|found| found.into_expectation(index)));
        }
        Ok(result)
    }

    /// Does the same without laws that it tries of its own accord.
    fn search_own(
        &self,
        stop: &(dyn Fn() -> bool + Sync),
        progress: &mut (dyn FnMut(u64) + Send),
    ) -> Result<HuntResult, NoThreads> {
        let count = self.probes.scenario().expectations.len();
        let mut state = SearchState {
            hunt: self,
            stop,
            progress,
            search: HuntResult { margins: vec![None; count], ..HuntResult::default() },
            best: vec![Vec::new(); count],
            spreads: vec![Spread::default(); count],
        };
        state.run(Vec::new(), false)?;
        if !state.search.found.is_empty() || !self.starts.is_varied() {
            return Ok(state.search);
        }
        let random = (self.options.runs * 2 / 5).max(1);
        let mix = Mix::new(self.options.seed).with_str("hunt");
        let mut number = 0;
        while number < random && !state.search.is_stopped {
            let last = random.min(number + GENERATION);
            let starts = number..last;
            let starts = starts.map(|one| self.starts.random(&mut Draw::new(mix.with(one))));
            state.run(starts.collect(), true)?;
            number = last;
        }
        while number < self.options.runs
            && state.search.found.is_empty()
            && !state.search.is_stopped
        {
            let last = self.options.runs.min(number + GENERATION);
            let starts: Vec<Start> = (number..last)
                .map(|one| {
                    let mut draw = Draw::new(mix.with(one));
                    state.child(one, &mut draw).unwrap_or_else(|| self.starts.random(&mut draw))
                })
                .collect();
            state.run(starts, false)?;
            number = last;
        }
        Ok(state.search)
    }

    /// Makes a start smaller as long as it fails in the same way, with at most `runs` runs.
    ///
    /// # Errors
    ///
    /// If the threads cannot be started.
    pub fn shrink(
        &self,
        start: &FoundStart,
        runs: u64,
        stop: &(dyn Fn() -> bool + Sync),
        progress: &mut (dyn FnMut(u64) + Send),
    ) -> Result<Shrunk, NoThreads> {
        let options = &self.options;
        match self.law_hunt() {
            Some((index, hunt)) if start.expectation() == Some(index) => {
                let start = start.clone().into_expectation(0);
                Shrinker::new(&hunt.probes, options, &start, runs, stop, progress).shrink()
            }
            _ => Shrinker::new(&self.probes, options, start, runs, stop, progress).shrink(),
        }
    }
}

fn expectations(probes: &Probes) -> Vec<String> {
    probes.scenario().expectations.iter().map(ToString::to_string).collect()
}

/// Finds an expectation by its number, from 1, or the beginning of its text.
fn find(wanted: &str, strings: &[String]) -> Result<usize, Diagnostic> {
    if let Ok(number) = wanted.parse::<usize>() {
        let index = number.checked_sub(1).filter(|index| *index < strings.len());
        return index.ok_or_else(|| {
            let count = strings.len();
            Diagnostic::error(format!("there is no expectation {number}"))
                .help(format!("the scenario has {count}, and they count from 1"))
        });
    }
    let mut matching = strings.iter().enumerate().filter(|(_, text)| text.starts_with(wanted));
    match (matching.next(), matching.next()) {
        (Some((index, _)), None) => Ok(index),
        (Some((first, _)), Some((second, _))) => {
            let both = format!("both {} and {} begin with `{wanted}`", first + 1, second + 1);
            Err(Diagnostic::error(format!("several expectations are called `{wanted}`"))
                .help(format!("{both}: give the number of one of them")))
        }
        _ => {
            let names = strings.iter().filter_map(|text| text.split('(').next());
            let error = Diagnostic::error(format!("no expectation begins with `{wanted}`"));
            Err(match nearest(wanted, names) {
                Some(name) => error.meant(wanted, name),
                None => error.help("give its number, from 1, or its name"),
            })
        }
    }
}

/// The mean and the variance of margins so far (Welford).
#[derive(Clone, Copy, Default)]
struct Spread {
    count: f32,
    mean: f32,
    squares: f32,
}

impl Spread {
    fn add(&mut self, x: f32) {
        self.count += 1.0;
        let off = x - self.mean;
        self.mean += off / self.count;
        self.squares += off * (x - self.mean);
    }

    /// Returns the standard deviation.
    fn deviation(&self) -> f32 {
        math::sqrt(self.squares / math::max(self.count, 1.0))
    }
}

/// A search so far.
struct SearchState<'h> {
    hunt: &'h Hunt,
    stop: &'h (dyn Fn() -> bool + Sync),
    progress: &'h mut (dyn FnMut(u64) + Send),
    search: HuntResult,
    /// For each expectation, the starts with the smallest margins, the smallest first.
    best: Vec<Vec<(f32, Start)>>,
    spreads: Vec<Spread>,
}

impl SearchState<'_> {
    /// Runs some starts; without any, the scenario as it is.
    ///
    /// A start at which an expectation fails before the first tick is moved toward the one that is written, and tried again.
    fn run(&mut self, mut starts: Vec<Start>, is_random: bool) -> Result<(), NoThreads> {
        let hunt = self.hunt;
        let mut sources: Vec<String> = if starts.is_empty() {
            vec![hunt.probes.source().text.clone()]
        } else {
            starts.iter().map(|start| hunt.starts.text(start)).collect()
        };
        let stop = self.stop;
        let options = ProbeOptions { only: hunt.only, with_margins: true, stop };
        let mut results = vec![Probed::FailsAtOnce; sources.len()];
        let mut left: Vec<usize> = (0..sources.len()).collect();
        let mut done = self.search.runs;
        for _ in 0..=MOVES_TO_WRITTEN {
            let tried: Vec<&str> = left.iter().map(|&index| sources[index].as_str()).collect();
            hunt.probes.run(&tried, options, |number, probed| {
                done += u64::from(!matches!(probed, Probed::FailsAtOnce));
                results[left[number]] = probed;
                (self.progress)(done);
                ControlFlow::Continue(())
            })?;
            left.retain(|&index| index < starts.len() && results[index] == Probed::FailsAtOnce);
            for &index in &left {
                hunt.starts.move_to_written(&mut starts[index]);
                sources[index] = hunt.starts.text(&starts[index]);
            }
        }
        for (index, probed) in results.into_iter().enumerate() {
            if matches!(probed, Probed::Stopped) {
                self.search.is_stopped = true;
                break;
            }
            self.take(&sources[index], starts.get(index), probed, is_random);
        }
        (self.progress)(self.search.runs);
        Ok(())
    }

    fn take(&mut self, text: &str, start: Option<&Start>, probed: Probed, is_random: bool) {
        let run = self.search.runs;
        self.search.runs += 1;
        let is_usable = matches!(probed, Probed::Held(_) | Probed::Failed(_));
        self.search.unusable += u64::from(!is_usable);
        self.search.random += u64::from(is_usable && is_random);
        match probed {
            Probed::Invalid(why) => {
                self.search.misfit.get_or_insert(why);
            }
            Probed::FailsAtOnce | Probed::Stopped => {}
            Probed::Failed(failure) => {
                self.search.random_failed += u64::from(is_random);
                if let (FailureKind::Expectation(index), Some((value, unit))) =
                    (&failure.kind, failure.margin)
                {
                    let tick = failure.tick;
                    self.keep_margin(*index, SmallestMargin { value, unit, run, tick });
                }
                self.keep_found(FoundStart { run, text: text.to_owned(), failure: *failure });
            }
            Probed::Held(margins) => {
                let is_nearest = self.keep_margins(run, &margins, start);
                if is_nearest {
                    self.search.nearest = Some(text.to_owned());
                }
            }
        }
    }

    /// Keeps a start that fails, if it is the best one of its kind: one that leaves time to react, with few agents and ticks.
    fn keep_found(&mut self, new: FoundStart) {
        let second = lead(&self.hunt.probes);
        let order = |one: &FoundStart| {
            let ticks = one.failure.tick - one.failure.first_tick;
            (ticks < second, one.failure.nearest.len(), ticks)
        };
        let known = self.search.found.iter_mut().find(|one| one.failure.kind == new.failure.kind);
        match known {
            Some(known) if order(&new) < order(known) => *known = new,
            Some(_) => {}
            None => self.search.found.push(new),
        }
    }

    /// Keeps the margin of an expectation if it is the smallest so far.
    fn keep_margin(&mut self, index: usize, margin: SmallestMargin) {
        if let Some(smallest) = self.search.margins.get_mut(index)
            && smallest.is_none_or(|smallest| margin.value < smallest.value)
        {
            *smallest = Some(margin);
        }
    }

    /// Keeps the margins of a run in which nothing failed. Returns whether it is nearest to a failure so far.
    fn keep_margins(
        &mut self,
        run: u64,
        margins: &[crate::expect::Margin],
        start: Option<&Start>,
    ) -> bool {
        let before = self.least_score();
        for (index, margin) in margins.iter().enumerate() {
            let Some(value) = margin.value else { continue };
            if !self.hunt.judges(index) {
                continue;
            }
            let (unit, tick) = (margin.unit, margin.tick);
            self.keep_margin(index, SmallestMargin { value, unit, run, tick });
            self.spreads[index].add(value);
            if let Some(start) = start {
                let best = &mut self.best[index];
                let at = best.partition_point(|(other, _)| *other <= value);
                if at < KEPT {
                    best.insert(at, (value, start.clone()));
                    best.truncate(KEPT);
                }
            }
        }
        match (before, self.least_score()) {
            (Some((_, before)), Some((_, now))) => now < before,
            (None, now) => now.is_some(),
            _ => false,
        }
    }

    /// Returns the expectation that is nearest to failing, in units of the spread of its margins, and this value.
    fn least_score(&self) -> Option<(usize, f32)> {
        let scores = self.spreads.iter().enumerate().filter_map(|(index, spread)| {
            let deviation = spread.deviation();
            let best = self.best[index].first()?.0;
            (deviation > 0.0).then_some((index, best / deviation))
        });
        scores.min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Returns a start near the best ones. Half of them aim at the expectation nearest to failing, the others at each in turn.
    fn child(&self, number: u64, draw: &mut Draw) -> Option<Start> {
        let (nearest, _) = self.least_score()?;
        let mut target = nearest;
        if number % 2 == 1 {
            let aims: Vec<usize> = (0..self.best.len())
                .filter(|&index| !self.best[index].is_empty() && self.spreads[index].squares > 0.0)
                .collect();
            target = aims[(number / 2) as usize % aims.len()];
        }
        let best = &self.best[target];
        let unit = draw.unit();
        let parent = ((unit * unit * best.len() as f32) as usize).min(best.len() - 1);
        let other = draw.below(best.len());
        Some(self.hunt.starts.child(&best[parent].1, &best[other].1, draw))
    }
}
