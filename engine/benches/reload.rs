//! The time from saving a script until it runs: reading it, checking it, and lowering it for its group.
//!
//! Measured with the longest script that ships, and with a script four times as long as all of these together: many
//! functions, each called from `steer`.

use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use flockwork_engine::diag::{Diagnostic, Source};
use flockwork_engine::script::{Behavior, Library};
use flockwork_engine::world::{GroupId, World};
use flockwork_engine::{Options, Run};

struct OneScript(Arc<Source>);

impl Library for OneScript {
    fn read(&self, _: &str) -> Result<Option<Arc<Source>>, Diagnostic> {
        Ok(Some(Arc::clone(&self.0)))
    }

    fn names(&self) -> Vec<String> {
        vec!["it".to_owned()]
    }
}

/// Returns a script with many functions and a thousand lines.
fn long() -> String {
    let mut text = String::from("fn steer(me) {\n    let sum = vec(0, 0);\n");
    for i in 0..80 {
        text += &format!("    sum += part_{i}(me, {i});\n");
    }
    text += "    sum\n}\n";
    for i in 0..80 {
        text += &format!(
            "
fn part_{i}(me, n) {{
    let near = me.neighbors(20 + n);
    if near.count > 3 {{
        return me.separation(near) * 0.5;
    }}
    let other = me.nearest(50);
    if other == () {{
        return me.wander();
    }}
    me.pursue(other) + near.mean_offset.limit(9)
}}
"
        );
    }
    text
}

fn reload(world: &World, text: &str) -> usize {
    let library = OneScript(Source::new("it.rhai", text));
    match Behavior::compile("it", &library) {
        Ok(behavior) => behavior.findings(world, GroupId(0), Vec::new(), &[GroupId(0)]).len(),
        Err(errors) => panic!("{}", errors[0]),
    }
}

fn bench(criterion: &mut Criterion) {
    let root = env!("CARGO_MANIFEST_DIR");
    let scenario = format!("{root}/scenarios/queue_doorway.ron");
    let run = match Run::open(scenario.as_ref(), &Options::default()) {
        Ok(run) => run,
        Err(errors) => panic!("{}", errors[0]),
    };
    let world = run.simulation().world();
    let shipped = match std::fs::read_to_string(format!("{root}/scripts/queue_doorway.rhai")) {
        Ok(text) => text,
        Err(error) => panic!("{error}"),
    };
    let mut group = criterion.benchmark_group("reload");
    group.sample_size(20);
    for (name, text) in [("shipped", shipped), ("long", long())] {
        group.bench_function(name, |bencher| bencher.iter(|| reload(world, &text)));
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
