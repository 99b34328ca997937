//! Measures how long the language server takes from a change to its findings, in a project of 50 scenarios that share a script of 500
//! lines. An editor feels immediate below 100 ms.

#![expect(dead_code, reason = "the benchmark uses the client of the tests")]
#![expect(clippy::unwrap_used, reason = "what a benchmark sets up either works or ends it")]

#[path = "../tests/it/lsp/client.rs"]
mod client;
#[path = "../tests/it/lsp/large.rs"]
mod large;
#[path = "../tests/it/project.rs"]
mod project;

use client::Client;
use criterion::{Criterion, criterion_group, criterion_main};
use large::SCRIPT;

fn changes(criterion: &mut Criterion) {
    let project = large::project();
    let mut client = Client::start(&project);
    client.open(SCRIPT, &project.read(SCRIPT));
    client.wait(SCRIPT);
    let mut change = |criterion: &mut Criterion, name: &str, path: &str, from: &str, to: &str| {
        client.open(path, &project.read(path));
        client.wait(path);
        let mut is_changed = false;
        criterion.bench_function(name, |bencher| {
            bencher.iter(|| {
                let (from, to) = if is_changed { (to, from) } else { (from, to) };
                is_changed = !is_changed;
                client.edit(path, from, to);
                client.wait_for_first(path);
            });
        });
    };
    change(criterion, "a change of the shared script", SCRIPT, "near.count > 9", "near.count > 8");
    change(criterion, "a change of a scenario", "scenarios/s0.ron", "speed\": 0", "speed\": 9");
    for i in 0..50 {
        let path = format!("scenarios/s{i}.ron");
        client.open(&path, &project.read(&path));
    }
    client.wait(SCRIPT);
    let mut change = |name: &str, ask: bool| {
        let mut is_changed = false;
        criterion.bench_function(name, |bencher| {
            bencher.iter(|| {
                let (from, to) = if is_changed { ("> 8", "> 9") } else { ("> 9", "> 8") };
                is_changed = !is_changed;
                client.edit(SCRIPT, &format!("near.count {from}"), &format!("near.count {to}"));
                match ask {
                    true => drop(client.hover_at(SCRIPT, "near.count")),
                    false => client.wait_for_first(SCRIPT),
                }
            });
        });
    };
    change("with 50 open scenarios, the first findings of a change of the shared script", false);
    change("with 50 open scenarios, hover after a change of the shared script", true);
}

criterion_group!(benches, changes);
criterion_main!(benches);
