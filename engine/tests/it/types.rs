//! The types of values in scripts, for editors.

use std::fs;
use std::sync::Arc;

use flockwork_engine::runner::types;

#[test]
fn types_are_found_where_values_are_written() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    fs::create_dir(root.join("scripts")).unwrap();
    let (scenario, script) = (root.join("a.ron"), root.join("scripts/go.rhai"));
    fs::write(
        &scenario,
        r#"(world: (size: (9, 9)), groups: { "a": (behavior: "go", spawn: Points([(1, 1)]), body: (max_speed: 9), params: { "far": 3.0 }) })"#,
    )
    .unwrap();
    let text = "fn init(me) { me.state.n = 1; }\nfn steer(me) {\n    let near = me.neighbors(me.params.far);\n    \
                let one = me.nearest(\"a\", near.count);\n    if one == () { return vec(0, me.state.n); }\n    me.seek(one)\n}\n";
    fs::write(&script, text).unwrap();
    let found = types(&[scenario], &script, &Arc::default());
    let at = |word: &str| {
        let start = text.find(word).unwrap();
        let here = found.iter().find(|one| one.place.span.start == start);
        here.map(|one| one.types.clone()).unwrap_or_default()
    };
    assert_eq!(at("near ="), ["neighborhood"]);
    assert_eq!(at("neighbors"), ["neighborhood"]);
    assert_eq!(at("far"), ["float"]);
    assert_eq!(at("one ="), ["()", "agent"]);
    assert_eq!(at("count"), ["integer"]);
    assert_eq!(at("n);"), ["integer"]);
    // Behind the test it cannot be `()`.
    assert_eq!(at("one)"), ["agent"]);
    assert_eq!(at("seek"), ["vector"]);
    let anywhere = types(&[], &script, &Arc::default());
    // Nobody knows what `far` is without a scenario.
    assert!(anywhere.iter().any(|one| one.types == ["integer"]));
    assert!(anywhere.iter().all(|one| one.types != ["neighborhood"]));
}
