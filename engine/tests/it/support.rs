//! Opens the scenarios and scripts that ship with the repository.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flockwork_engine::diag::{Diagnostic, Diagnostics, Source};
use flockwork_engine::load::find;
use flockwork_engine::runner::sample_fields;
use flockwork_engine::scenario::Scenario;
use flockwork_engine::script::{Behavior, Library};
use flockwork_engine::sim::{Brain, NoBehavior, Simulation};

/// Returns the path of a folder or file that ships. Links in the package's folder lead to it, so that it is packed too.
pub(crate) fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The scripts of the repository; the test may replace some of them.
#[derive(Default)]
pub(crate) struct ShippedScripts(pub(crate) &'static [(&'static str, &'static str)]);

impl Library for ShippedScripts {
    fn read(&self, name: &str) -> Result<Option<Arc<Source>>, Diagnostic> {
        let file = format!("scripts/{name}.rhai");
        if let Some((_, text)) = self.0.iter().find(|(replaced, _)| *replaced == name) {
            return Ok(Some(Source::new(file, *text)));
        }
        Ok(fs::read_to_string(folder(&file)).ok().map(|text| Source::new(file, text)))
    }

    fn names(&self) -> Vec<String> {
        names("scripts", "rhai")
    }
}

/// Returns the names of all scenarios, scripts or goldens below a folder, by their extension and without it.
pub(crate) fn names(root: &str, ending: &str) -> Vec<String> {
    let root = folder(root);
    let found = find(std::slice::from_ref(&root)).unwrap();
    let all = found.scenarios.into_iter().chain(found.scripts).chain(found.goldens);
    let all = all.filter(|path| path.extension().is_some_and(|found| found == ending));
    let name = |path: PathBuf| {
        let name = path.with_extension("");
        let words = name.strip_prefix(&root).unwrap().iter();
        let words: Vec<_> = words.map(|word| word.to_str().unwrap()).collect();
        words.join("/")
    };
    let mut names: Vec<String> = all.map(name).collect();
    names.sort_unstable();
    names
}

/// Returns the content of a scenario that ships.
pub(crate) fn text(name: &str) -> String {
    fs::read_to_string(folder(&format!("scenarios/{name}.ron"))).unwrap()
}

/// Parses a scenario, which must have no errors and no warnings.
pub(crate) fn parse(name: &str, text: &str) -> Scenario {
    let source = Source::new(format!("scenarios/{name}.ron"), text);
    let mut scenario = Scenario::parse(&source).unwrap();
    let warnings = Diagnostics::from(std::mem::take(&mut scenario.warnings));
    assert!(warnings.is_empty(), "{warnings}");
    scenario
}

/// Returns a simulation of a scenario at tick 0.
pub(crate) fn start(mut scenario: Scenario, scripts: &ShippedScripts) -> Simulation {
    sample_fields(&mut scenario, scripts).unwrap();
    let brain =
        |name: &str| -> Arc<dyn Brain> { Arc::new(Behavior::compile(name, scripts).unwrap()) };
    let brains = scenario.behaviors.iter().map(|of| match of {
        Some(of) => brain(&of.name),
        None => Arc::new(NoBehavior),
    });
    let brains = brains.collect();
    Simulation::new(scenario.setup, brains).unwrap_or_else(|fault| panic!("{fault}"))
}

/// Returns a simulation of a scenario that ships, at tick 0.
pub(crate) fn open(name: &str) -> Simulation {
    start(parse(name, &text(name)), &ShippedScripts::default())
}

/// Runs one tick, which must not fail.
pub(crate) fn step(simulation: &mut Simulation) {
    simulation.step().unwrap_or_else(|fault| panic!("{fault}"));
}

/// Prints something that is worth reading even if all tests pass: `cargo test -- --nocapture`.
#[expect(clippy::print_stderr, reason = "tests print to the standard error")]
pub(crate) fn report(what: &str) {
    eprintln!("{what}");
}

/// Reports that a test is skipped, and why.
pub(crate) fn skipped(why: &str) {
    // Not with a macro: cargo hides what these print in tests that pass.
    let _ = writeln!(std::io::stderr(), "SKIPPED: {why}");
}
