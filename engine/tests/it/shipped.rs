//! Everything that ships can be run.

use crate::support::{Scripts, names, open, step};
use flockwork::script::Script;

#[test]
fn every_scenario_runs_without_a_warning_or_a_fault() {
    let all = names("scenarios", "ron");
    assert!(all.len() >= 22, "{all:?}");
    for name in all {
        let mut simulation = open(&name);
        for _ in 0..100 {
            step(&mut simulation);
        }
    }
}

#[test]
fn every_script_compiles() {
    for name in names("scripts", "rhai") {
        if let Err(errors) = Script::compile(&name, &Scripts::default()) {
            panic!("{}", errors[0].render(false));
        }
    }
}
