//! Hunts: looks for a start of a scenario that breaks an expectation.
//!
//! The first starts are spread over all starts, as a Latin hypercube, and corners of it. Of the following ones, some are made from those
//! with the smallest margins and from those in which something new has happened: a simple evolution. All starts of a batch are chosen
//! before any of them runs, so the number of threads changes nothing.

use std::sync::Arc;

use super::against::OtherVersion;
use super::hunt_options::HuntOptions;
use super::hunt_result::HuntResult;
use super::hunt_search::{SearchSpace, SearchState, StartKind};
use super::probe::{FoundStart, Probes};
use super::shrink::{Shrinker, Shrunk};
use super::starts::{Draw, Start, Starts};
use super::trials::check_value;
use crate::diag::{Diagnostic, Diagnostics, Source, nearest};
use crate::golden::Fingerprint;
use crate::math::random::Mix;
use crate::scenario::Varied;
use crate::scenario::text_parts::{part, with_part};
use crate::scenario::whole_path;
use crate::script::Library;
use crate::sim::Law;
use crate::threads::NoThreads;

/// A hunt in a scenario.
pub struct Hunt {
    probes: Probes,
    /// The other version, with which starts must hold.
    against: Option<OtherVersion>,
    starts: Starts,
    options: HuntOptions,
    only: Option<usize>,
    /// Each law that it considers of its own accord, and why it is not tried, if it is not.
    laws: Vec<(Law, Option<String>)>,
    /// Hunts for a failure of the laws that are tried.
    law_hunt: Option<Box<Self>>,
}

/// Number of starts of a generation.
const GENERATION: u64 = 32;

/// One of the first starts in so many is a corner start.
const FIRST_CORNER_SHARE: u64 = 4;

/// One of the later starts in so many is a corner start.
const CORNER_SHARE: u64 = 8;

/// One of the later starts in so many is guided. The others are spread, as long as there are spread ones left.
const GUIDED_SHARE: u64 = 2;

/// Number of the first starts, of which none is guided: there must be some that guide the others.
const FIRST_UNGUIDED: u64 = 64;

/// The expectation of the laws that a hunt tries of its own accord.
const SYMMETRIC: &str = "Symmetric";

/// One run in so many is added to try laws.
const LAW_SHARE: u64 = 10;

impl Hunt {
    /// Prepares a hunt. With `against`, another version of the scripts, a start counts only if it fails with `scripts`, and what
    /// fails holds with `against`.
    ///
    /// # Errors
    ///
    /// All errors in the scenario and its scripts; if it has no expectations; for an expectation or a path that does
    /// not exist; if the scenario as it is cannot run with the other version, or if that has the same scripts.
    pub fn new(
        options: HuntOptions,
        scenario: &Arc<Source>,
        scripts: &dyn Library,
        against: Option<&dyn Library>,
    ) -> Result<Self, Diagnostics> {
        let is_general = options.expectation.is_none();
        let mut this = Self::of_expectations(options, scenario, scripts, against)?;
        if is_general && !this.expectations().iter().any(|text| text.starts_with(SYMMETRIC)) {
            this.add_laws(scenario, scripts, against)?;
        }
        Ok(this)
    }

    /// Adds the laws of symmetry that nothing in the scenario speaks against: an expectation in front of the others.
    fn add_laws(
        &mut self,
        scenario: &Arc<Source>,
        scripts: &dyn Library,
        against: Option<&dyn Library>,
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
            let hunt = Self::of_expectations(options, &source, scripts, against)?;
            self.law_hunt = Some(Box::new(hunt));
        }
        Ok(())
    }

    fn of_expectations(
        mut options: HuntOptions,
        scenario: &Arc<Source>,
        scripts: &dyn Library,
        against: Option<&dyn Library>,
    ) -> Result<Self, Diagnostics> {
        // What varies by itself is compared with these paths.
        for (path, ..) in &mut options.vary {
            *path = whole_path(scenario, path);
        }
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
        options.keep.extend(&probes.scenario().hunts_keep);
        probes.read_listed_scripts(&options.vary, scripts)?;
        let against =
            against.map(|other| OtherVersion::new(scenario, other, &options.vary, &probes));
        let against = against.transpose()?;
        let run = probes.start(&scenario.text)?;
        let starts = Starts::new(
            scenario,
            probes.scenario(),
            &run,
            &options.keep,
            options.near,
            &options.vary,
            against.is_some(),
        )?;
        Ok(Self { probes, against, starts, options, only, laws: Vec::new(), law_hunt: None })
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

    /// Returns the fingerprints of the scenario and its scripts, and of those of the other version, whose names begin with
    /// `against/`.
    pub fn fingerprints(&self) -> Vec<Fingerprint> {
        let mut all = self.probes.fingerprints().to_vec();
        let others = self.against.iter().flat_map(|other| other.probes().fingerprints());
        all.extend(others.map(|print| Fingerprint {
            name: format!("against/{}", print.name),
            hash: print.hash,
        }));
        all
    }

    /// Returns what the scenario says that hunts keep.
    pub fn kept_by_scenario(&self) -> &[Varied] {
        &self.probes.scenario().hunts_keep
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

    /// Searches. `stop` is called often; `progress` is called with the number of runs that are done; `found` is called with
    /// each failure soon after its run: with the first of its kind, and with each that is better than those before.
    ///
    /// # Errors
    ///
    /// If the threads cannot be started.
    pub fn search(
        &self,
        stop: &(dyn Fn() -> bool + Sync),
        progress: &mut (dyn FnMut(u64) + Send),
        found: &mut (dyn FnMut(&FoundStart) + Send),
    ) -> Result<HuntResult, NoThreads> {
        let mut result = self.search_own(stop, progress, found)?;
        if let Some((index, hunt)) = self.law_hunt() {
            let before = result.runs;
            let mut broken = |one: &FoundStart| {
                if one.expectation().is_some() {
                    found(&one.clone().into_expectation(index));
                }
            };
            let laws = hunt.search_own(stop, &mut |runs| progress(before + runs), &mut broken)?;
            result.law_runs = laws.runs;
            result.failed_with_both += laws.failed_with_both;
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
        found: &mut (dyn FnMut(&FoundStart) + Send),
    ) -> Result<HuntResult, NoThreads> {
        let space = SearchSpace {
            probes: &self.probes,
            against: self.against.as_ref(),
            starts: &self.starts,
            only: self.only,
        };
        let mut state = SearchState::new(space, stop, progress, found);
        state.run_as_written()?;
        if !state.result.found.is_empty() || !self.starts.is_varied() {
            return Ok(state.result);
        }
        let runs = self.options.runs;
        let spread = (runs * 2 / 5).max(1);
        let mix = Mix::new(self.options.seed).with_str("hunt");
        let (mut number, mut is_spread, mut is_corner, mut is_guided) = (0, 0, 0, 0);
        while number < runs && !state.result.is_stopped {
            let has_failed = !state.result.found.is_empty();
            let size = GENERATION.min(runs - number);
            let (corner, guided) = match has_failed {
                true => (0, 0),
                false if number < FIRST_UNGUIDED => (size / FIRST_CORNER_SHARE, 0),
                false => (size / CORNER_SHARE, size / GUIDED_SHARE),
            };
            let new = (size - corner - guided).min(spread - is_spread);
            let starts = is_spread..is_spread + new;
            let starts = starts.map(|one| self.starts.random(Draw::spread(mix, one, spread)));
            state.run(starts.collect(), StartKind::Spread)?;
            is_spread += new;
            number += new;
            if has_failed && new == 0 {
                break;
            }
            if !state.result.found.is_empty() || state.result.is_stopped {
                continue;
            }
            let starts = is_corner..is_corner + corner;
            let starts = starts.map(|one| {
                let mut draw = Draw::new(mix.with_str("corner").with(one));
                self.starts.corner(&mut draw)
            });
            state.run(starts.collect(), StartKind::Corner)?;
            is_corner += corner;
            number += corner;
            if !state.result.found.is_empty() || state.result.is_stopped {
                continue;
            }
            let rest = size - new - corner;
            let starts = (is_guided..is_guided + rest).map(|one| {
                let mut draw = Draw::new(mix.with_str("guided").with(one));
                let child = state.guide.child(&self.starts, one, &mut draw);
                child.unwrap_or_else(|| self.starts.corner(&mut draw))
            });
            let starts: Vec<Start> = starts.collect();
            is_guided += rest;
            number += rest;
            state.run(starts, StartKind::Guided)?;
        }
        Ok(state.result)
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
                let versions = (&hunt.probes, hunt.against.as_ref());
                Shrinker::new(versions, options, &start, runs, stop, progress).shrink()
            }
            _ => {
                let versions = (&self.probes, self.against.as_ref());
                Shrinker::new(versions, options, start, runs, stop, progress).shrink()
            }
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
            Err(match nearest(wanted, names.clone()) {
                Some(name) => error.meant(wanted, name),
                None => {
                    let known: Vec<&str> = names.collect();
                    error
                        .help(format!("give its number, from 1, or its name: {}", known.join(", ")))
                }
            })
        }
    }
}
