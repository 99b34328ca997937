//! A project as large as the language server is made for: 50 scenarios that share a script of 500 lines.

use std::fmt::Write as _;

use crate::project::Project;

/// The script that all scenarios use.
pub(crate) const SCRIPT: &str = "scripts/big.rhai";

/// Returns a script of about 500 lines: functions that use most kinds of values, all of which are called.
fn script() -> String {
    let mut text = String::new();
    for i in 0..60 {
        let _ = write!(
            text,
            "fn part_{i}(me, near) {{\n    \
                 let speed = me.params.speed * {i} / 60;\n    \
                 let other = me.nearest(\"b\");\n    \
                 let to = if other == () {{ vec({i}, 0) }} else {{ other.pos }};\n    \
                 if near.count > {i} {{ return me.seek(to, speed); }}\n    \
                 me.state.sum += (to - me.pos).length() * 0.5;\n    \
                 me.separation(5 + {i}) + me.wander() * 0.1\n}}\n"
        );
    }
    text += "fn init(me) {\n    me.state.sum = 0.0;\n}\nfn steer(me) {\n    let near = me.neighbors(20);\n    let force = vec(0, 0);\n";
    for i in 0..60 {
        let _ = writeln!(text, "    force += part_{i}(me, near);");
    }
    text + "    force\n}\n"
}

/// Returns the project.
pub(crate) fn project() -> Project {
    let mut project = Project::empty().with(SCRIPT, script());
    for i in 0..50 {
        let scenario = format!(
            "(\n    world: (size: (100, 100)),\n    params: {{ \"speed\": {i} }},\n    groups: {{\n        \
                 \"a\": (behavior: \"big\", count: 20, spawn: Disc(center: (50, 50), radius: 20), body: (max_speed: 9, max_force: 9)),\n        \
                 \"b\": (behavior: \"big\", count: 20, spawn: Disc(center: (50, 50), radius: 20), body: (max_speed: 9, max_force: 9)),\n    \
             }},\n)\n"
        );
        project = project.with(&format!("scenarios/s{i}.ron"), scenario);
    }
    project
}

/// The memory of a project of this size stays below 100 MB, also after many changes.
#[cfg(target_os = "linux")]
#[test]
fn a_large_project_needs_little_memory() {
    let project = project();
    let text = project.read(SCRIPT);
    assert!(text.lines().count() > 500, "{}", text.lines().count());
    let mut client = super::client::Client::start(&project);
    client.open(SCRIPT, &text);
    client.wait(SCRIPT);
    assert_eq!(client.files(), [""; 0], "{:?}", client.messages(SCRIPT));
    for (from, to) in [("part_7(me, near)", "part_7(me, neer)"), ("neer", "near")] {
        client.edit(SCRIPT, from, to);
        let known = client.hover_at(SCRIPT, "nearest(");
        assert!(known.is_object(), "{known}");
        client.wait(SCRIPT);
    }
    let peak = client.peak_memory();
    assert!(peak < 100_000_000, "{peak}");
}
