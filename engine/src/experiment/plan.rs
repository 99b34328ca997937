//! Plans: what an experiment varies and records.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};

use super::tune_plan::{TunePlan, TuneSpec};
use super::variation::VariationSpec;
use super::{Points, Variation};
use crate::diag::{Diagnostic, Diagnostics, Place, Source};
use crate::number::{AtLeastOne, Natural, Ticks};
use crate::scenario::{self, Findings, Ordered, Spanned};

/// The shortest plan, for a message about an empty file.
const SHORTEST: &str =
    "(scenario: \"flock.ron\", vary: { \"groups.flock.params.sight\": List([20, 40]) })";

/// Why a seed is no value that varies.
const SEED_VARIES: &str =
    "the seed is not a value that varies: say `seeds: 10` or `seeds: [3, 14, 15]` instead";

/// Why the last tick does not vary if the plan has one.
const END_VARIES: &str =
    "`ticks` cannot vary here, since the `ticks` of the plan end all runs: leave one of them out";

/// The variations and records of an experiment, as they are written in a plan (RON).
#[derive(Clone, Debug)]
pub struct Plan {
    /// The text that it was read from.
    pub source: Arc<Source>,
    /// The path of the scenario's file, relative to the plan's folder, and where it is written.
    pub scenario: (String, Place),
    /// The values that vary: the path of each in the scenario (see [`Template`](crate::scenario::Template)), and where that
    /// is written.
    pub vary: Vec<(String, Place, Variation)>,
    /// The seeds that each point is run with.
    pub seeds: Seeds,
    /// The tick at which runs end; `None` for the one of the scenario.
    pub ticks: Option<u64>,
    /// The names of the measures that are recorded, and where they are written; `None` for the usual ones.
    pub record: Option<Vec<(String, Place)>>,
    /// The records of the scenario's expectations.
    pub expectations: Expectations,
    /// The runs of a sweep.
    pub sweep: SweepPlan,
    /// The goals and options of a tune.
    pub tune: Option<TunePlan>,
    /// The names of values that vary and of measures on pages and in figures, by their names in the plan.
    pub labels: BTreeMap<String, String>,
    /// The contents of the tables that goals name, by their paths. They are added by whoever reads files.
    pub tables: BTreeMap<String, Arc<Source>>,
}

/// The seeds that each point of an experiment is run with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seeds {
    /// A number of seeds: that of the scenario, and the following ones.
    Count(u64),
    /// These seeds, at least one.
    List(Vec<u64>),
}

impl Seeds {
    /// Returns the number of seeds.
    pub fn count(&self) -> u64 {
        match self {
            Self::Count(count) => *count,
            Self::List(all) => all.len() as u64,
        }
    }

    /// Returns a seed by its index. `first` is that of the scenario.
    pub fn seed(&self, index: u64, first: u64) -> u64 {
        match self {
            Self::Count(_) => first.wrapping_add(index),
            Self::List(all) => all[index as usize],
        }
    }
}

/// The records of the expectations of a scenario.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename = "expectations")]
pub enum Expectations {
    /// How far each of them is from failing.
    #[default]
    Margins,
    /// Whether each of them holds, which takes less time.
    Holds,
    /// Nothing: they are not checked.
    Ignore,
}

/// The runs of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SweepPlan {
    /// How the points are chosen.
    pub points: Points,
    /// Measures are recorded at ticks that are multiples of this too, and not only at the end; `None` for only there.
    pub every: Option<u64>,
}

#[derive(Debug, serde::Deserialize)]
#[serde(rename = "Plan", deny_unknown_fields)]
struct PlanSpec {
    scenario: Spanned<String>,
    #[serde(default)]
    vary: Ordered<Spanned<VariationSpec>>,
    seeds: Option<Spanned<SeedsSpec>>,
    ticks: Option<Ticks>,
    record: Option<Vec<Spanned<String>>>,
    #[serde(default)]
    expectations: Expectations,
    #[serde(default)]
    sweep: SweepSpec,
    tune: Option<TuneSpec>,
    #[serde(default)]
    labels: Ordered<Spanned<String>>,
}

#[derive(Debug, Default, serde::Deserialize)]
#[serde(rename = "Sweep", deny_unknown_fields)]
struct SweepSpec {
    points: Option<Spanned<PointsSpec>>,
    every: Option<Ticks>,
}

#[derive(Debug, serde::Deserialize)]
#[serde(rename = "points", deny_unknown_fields)]
enum PointsSpec {
    Grid,
    LatinHypercube { points: AtLeastOne, seed: Option<Natural> },
    Sobol { points: AtLeastOne, seed: Option<AtLeastOne> },
    Halton { points: AtLeastOne, seed: Option<Natural> },
    Random { points: AtLeastOne, seed: Option<Natural> },
    Saltelli { bases: AtLeastOne, seed: Option<AtLeastOne> },
    Morris { ways: AtLeastOne, levels: Option<AtLeastOne>, seed: Option<Natural> },
}

/// A number of seeds, or a list of seeds.
#[derive(Debug)]
enum SeedsSpec {
    Count(u64),
    List(Vec<Spanned<Natural>>),
}

impl<'de> Deserialize<'de> for SeedsSpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct SeedsVisitor;

        impl<'de> Visitor<'de> for SeedsVisitor {
            type Value = SeedsSpec;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number of seeds of at least 1, or a list of seeds")
            }

            fn visit_u64<E: serde::de::Error>(self, count: u64) -> Result<SeedsSpec, E> {
                match count {
                    0 => Err(E::invalid_value(serde::de::Unexpected::Unsigned(0), &self)),
                    _ => Ok(SeedsSpec::Count(count)),
                }
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<SeedsSpec, A::Error> {
                let mut all = Vec::new();
                while let Some(seed) = list.next_element()? {
                    all.push(seed);
                }
                if all.is_empty() {
                    return Err(serde::de::Error::invalid_length(0, &self));
                }
                Ok(SeedsSpec::List(all))
            }
        }

        deserializer.deserialize_any(SeedsVisitor)
    }
}

impl Plan {
    /// Returns the first of the values that each variation gives.
    pub(super) fn first_values(&self) -> Vec<scenario::TemplateValue> {
        self.vary.iter().map(|(.., variation)| variation.at(0.0)).collect()
    }

    /// Reads and checks a plan. Parts that depend on the scenario are checked by [`Trials::new`](super::Trials::new).
    ///
    /// # Errors
    ///
    /// All errors in the plan.
    pub fn parse(source: &Arc<Source>) -> Result<Self, Diagnostics> {
        let spec: PlanSpec = scenario::read_ron(source, SHORTEST)?;
        let mut findings = Findings::new(source);
        let scenario = findings.read(&spec.scenario).cloned().unwrap_or_default();
        let names = findings.names("value", &spec.vary);
        let mut vary = Vec::new();
        for ((key, value), name) in spec.vary.0.iter().zip(&names.all) {
            let Some(written) = findings.read(value) else {
                continue;
            };
            let is_end = &**name == "ticks" && spec.ticks.is_some();
            match written.check() {
                _ if &**name == "seed" => findings.error(SEED_VARIES, findings.span(key)),
                _ if is_end => findings.error(END_VARIES, findings.span(key)),
                Ok(variation) => {
                    if let Some([one, other]) = variation.of_two_types(name) {
                        let wrong = "a param has values of one type, but the list has several";
                        findings.add(
                            Diagnostic::error(wrong).help(format!("for example {one} and {other}")),
                            findings.span(value),
                        );
                    }
                    vary.push((name.to_string(), findings.place(key), variation));
                }
                Err(wrong) => findings.error(wrong, findings.span(value)),
            }
        }
        let seeds = spec.seeds.as_ref().and_then(|seeds| findings.read(seeds));
        let seeds = seeds.map_or(Seeds::Count(1), |seeds| check_seeds(&mut findings, seeds));
        let record = spec.record.as_ref().map(|names| {
            let mut read: Vec<(String, Place)> = Vec::new();
            for name in names {
                if let Some(text) = findings.read(name) {
                    if read.iter().any(|(known, _)| known == text) {
                        let twice = format!("`{text}` is recorded twice: leave one of them out");
                        findings.error(twice, findings.span(name));
                    }
                    read.push((text.clone(), findings.place(name)));
                }
            }
            read
        });
        let labels = check_labels(&mut findings, &spec.labels, &vary, record.as_deref());
        let points = points(&mut findings, spec.sweep.points.as_ref());
        let tune = spec.tune.as_ref().map(|tune| tune.check(&mut findings));
        let plan = Self {
            source: Arc::clone(source),
            scenario: (scenario, findings.place(&spec.scenario)),
            vary,
            seeds,
            ticks: spec.ticks.map(Ticks::get),
            record,
            expectations: spec.expectations,
            sweep: SweepPlan { points, every: spec.sweep.every.map(Ticks::get) },
            tune,
            labels,
            tables: BTreeMap::new(),
        };
        if findings.has_errors() { Err(findings.finish().into()) } else { Ok(plan) }
    }

    /// Returns the variations alone.
    pub fn variations(&self) -> Vec<Variation> {
        self.vary.iter().map(|(.., variation)| variation.clone()).collect()
    }
}

/// Checks seeds: a list has each seed once.
fn check_seeds(findings: &mut Findings<'_>, written: &SeedsSpec) -> Seeds {
    let list = match written {
        SeedsSpec::Count(count) => return Seeds::Count(*count),
        SeedsSpec::List(list) => list,
    };
    let mut first: BTreeMap<u64, &Spanned<Natural>> = BTreeMap::new();
    let mut all = Vec::new();
    for one in list {
        let Some(seed) = findings.read(one).map(|seed| seed.get()) else { continue };
        if let Some(first) = first.get(&seed) {
            let first = findings.place(first);
            let twice = Diagnostic::error(format!("the seed {seed} is listed twice"))
                .label("the second one")
                .related(first, "the first one")
                .help("the same seed gives the same run: leave one of them out");
            findings.add(twice, findings.span(one));
        }
        first.entry(seed).or_insert(one);
        all.push(seed);
    }
    Seeds::List(all)
}

/// Checks labels: each is for a value that varies, or for a measure that is recorded.
fn check_labels(
    findings: &mut Findings<'_>,
    written: &Ordered<Spanned<String>>,
    vary: &[(String, Place, Variation)],
    record: Option<&[(String, Place)]>,
) -> BTreeMap<String, String> {
    let names = findings.names("label", written);
    let measures = record.unwrap_or_default().iter().map(|(name, _)| name.as_str());
    let known: Vec<&str> = vary.iter().map(|(name, ..)| name.as_str()).chain(measures).collect();
    let mut labels = BTreeMap::new();
    for ((key, label), name) in written.0.iter().zip(&names.all) {
        let Some(label) = findings.read(label) else { continue };
        if !known.contains(&&**name) {
            let unknown = format!("no value of this plan is called `{name}`");
            let error = Diagnostic::error(unknown).suggest(name, known.iter().copied());
            let help = "a label is for a value in `vary` or a measure in `record`, by the name that it has there";
            findings.add(error.help(help), findings.span(key));
        } else if label.trim().is_empty() || label.contains(char::is_control) {
            let empty = "a label has at least one character, and no line breaks";
            findings.error(empty, findings.span(key));
        }
        labels.insert(name.to_string(), label.clone());
    }
    labels
}

/// Checks how the points of a sweep are chosen.
fn points(findings: &mut Findings<'_>, written: Option<&Spanned<PointsSpec>>) -> Points {
    let Some((spec, span)) = written.and_then(|points| {
        let span = findings.span(points);
        findings.read(points).map(|spec| (spec, span))
    }) else {
        return Points::Grid;
    };
    match spec {
        PointsSpec::Grid => Points::Grid,
        PointsSpec::LatinHypercube { points, seed } => {
            Points::LatinHypercube { points: points.get_u32(), seed: seed.map_or(0, Natural::get) }
        }
        PointsSpec::Sobol { points, seed } => {
            check_sobol(findings, *points, "points", "use a `LatinHypercube`", span);
            Points::Sobol { points: points.get_u32(), seed: seed.map_or(0, AtLeastOne::get_u32) }
        }
        PointsSpec::Halton { points, seed } => {
            Points::Halton { points: points.get_u32(), seed: seed.map_or(0, Natural::get) }
        }
        PointsSpec::Random { points, seed } => {
            Points::Random { points: points.get_u32(), seed: seed.map_or(0, Natural::get) }
        }
        PointsSpec::Saltelli { bases, seed } => {
            check_sobol(findings, *bases, "bases", "give more seeds", span);
            Points::Saltelli { bases: bases.get_u32(), seed: seed.map_or(0, AtLeastOne::get_u32) }
        }
        PointsSpec::Morris { ways, levels, seed } => {
            let levels = levels.map_or(MORRIS_LEVELS, AtLeastOne::get_u32);
            if levels < 2 || levels % 2 == 1 {
                findings.error("the number of levels must be even, such as 4", span);
            }
            let seed = seed.map_or(0, Natural::get);
            Points::Morris { ways: ways.get_u32(), levels, seed }
        }
    }
}

/// The number of levels that is usual for the ways of Morris.
const MORRIS_LEVELS: u32 = 4;

/// Checks that a Sobol sequence has so many points.
fn check_sobol(
    findings: &mut Findings<'_>,
    count: AtLeastOne,
    what: &str,
    instead: &str,
    span: Range<usize>,
) {
    let (count, most) = (count.get_u32(), Points::MAX_SOBOL);
    if count > most {
        let error = format!("a Sobol sequence has at most {most} points, so not {count} {what}");
        findings.add(Diagnostic::error(error).help(format!("{instead}, which may be more")), span);
    }
}
