//! The order in which completion offers variants: the file with it is what the shipped scenarios use, the most frequent first.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use flockwork_engine::scenario;
use flockwork_engine::tokens::ron_tree::{RonTree, RonWord};
use snapbox::{Assert, Data};

/// Returns the scenarios in a folder and in those inside it.
fn scenarios(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) = entries.partition(|path| path.is_dir());
    let is_scenario = |path: &PathBuf| {
        let name = path.file_name().unwrap().to_string_lossy();
        name.ends_with(".ron") && !name.ends_with(".plan.ron")
    };
    let own = files.into_iter().filter(is_scenario);
    own.chain(folders.iter().flat_map(|folder| scenarios(folder))).collect()
}

/// Returns the variants that a scenario uses.
fn variants(text: &str) -> BTreeSet<&'static str> {
    let tree = RonTree::new(text);
    let words = tree.words().filter(|word| !word.is_key);
    let variant = |word: RonWord<'_, '_>| {
        let shape = scenario::shape().of_value(word.node)?;
        shape.variants().iter().find(|one| one.name == word.text).map(|one| one.name)
    };
    words.filter_map(variant).collect()
}

#[test]
fn the_order_of_variants_is_that_of_the_shipped_scenarios() {
    let viewer = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = viewer.join("../scenarios");
    // In how many examples, and in how many of the tests in the folders beside them, which have few forms.
    let mut counts: BTreeMap<&'static str, [usize; 2]> = BTreeMap::new();
    for path in scenarios(&folder) {
        let is_test = path.parent() != Some(&folder);
        for variant in variants(&std::fs::read_to_string(path).unwrap()) {
            counts.entry(variant).or_default()[usize::from(is_test)] += 1;
        }
    }
    assert!(counts.len() > 30, "the shipped scenarios are missing: {counts:?}");
    let mut counts: Vec<(&str, [usize; 2])> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let mut order = String::new();
    for (variant, _) in counts {
        let _ = writeln!(order, "{variant}");
    }
    let file = Data::read_from(&viewer.join("lsp/src/variant_order.txt"), None).raw();
    Assert::new().action_env("SNAPSHOTS").eq(order, file);
}
