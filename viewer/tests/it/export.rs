//! `flockwork export`.

use crate::project::Project;

fn scenario(world: &str, obstacles: &str) -> Project {
    let text = format!(
        "(world: {world}, obstacles: {{ {obstacles} }}, groups: {{ \"all\": (spawn: Points([(1, 1)])) }})"
    );
    Project::empty().with("scenarios/a.ron", text)
}

fn area(project: &Project, more: &[&str], parts: &[&str]) -> String {
    let args = [&["export", "wkt", "scenarios/a.ron"], more].concat();
    project.flockwork(&args).says(0, parts).out()
}

#[test]
fn the_area_is_the_world_without_the_obstacles() {
    let project = scenario(
        "(min: (0, 0), size: (10, 4))",
        r#""a": Box(center: (5, 2), size: (2, 1)), "b": Polygon([(10, 4), (8, 4), (10, 2)])"#,
    );
    assert_eq!(
        area(&project, &[], &[]),
        "POLYGON ((0 0, 10 0, 10 2, 8 4, 0 4, 0 0), (4 1.5, 4 2.5, 6 2.5, 6 1.5, 4 1.5))\n"
    );
    area(&project, &["--out", "area.wkt"], &["wrote area.wkt"]);
    assert_eq!(project.read("area.wkt"), area(&project, &[], &[]));
}

#[test]
fn a_room_replaces_the_world() {
    let world = "(min: (-50, -50), size: (100, 100))";
    let project = scenario(world, r#""room": Room(min: (0, 0), max: (3, 2))"#);
    assert_eq!(area(&project, &[], &[]), "POLYGON ((0 0, 3 0, 3 2, 0 2, 0 0))\n");
}

#[test]
fn circles_are_as_accurate_as_asked() {
    let project =
        scenario("(min: (-3, -3), size: (10, 10))", r#""a": Circle(center: (3, 3), radius: 1)"#);
    for (accuracy, corners) in [("0.5", 8), ("0.01", 23), ("0.0001", 223)] {
        let text = area(&project, &["--accuracy", accuracy], &[]);
        let hole = text.split("), (").nth(1).unwrap();
        // The first corner closes the ring.
        assert_eq!(hole.split(", ").count(), corners + 1, "{text}");
        for corner in hole.trim_end_matches([')', '\n']).split(", ") {
            let numbers: Vec<f64> = corner.split(' ').map(|x| x.parse().unwrap()).collect();
            let [x, y] = [numbers[0] - 3.0, numbers[1] - 3.0];
            let distance = (x * x + y * y).sqrt();
            assert!((distance - 1.0).abs() < 1e-5, "{corner} is on the circle");
        }
    }
}

#[test]
fn walls_without_thickness_count_if_they_separate_parts() {
    let world = "(min: (0, 0), size: (10, 4))";
    let across = scenario(world, r#""a": Segment(from: (6, 0), to: (6, 4))"#);
    let text = area(&across, &[], &["left out a part of the area in which no agent starts: 1"]);
    assert_eq!(text, "POLYGON ((0 0, 6 0, 6 4, 0 4, 0 0))\n");
    let stub = scenario(world, r#""a": Segment(from: (6, 0), to: (6, 3))"#);
    let text = area(&stub, &[], &["walls without thickness that separate no parts"]);
    assert_eq!(text, "POLYGON ((0 0, 10 0, 10 4, 0 4, 0 0))\n");
}

#[test]
fn an_area_without_place_is_an_error() {
    let project = scenario("(size: (10, 4))", r#""a": Box(center: (5, 2), size: (10, 4))"#);
    let answer = project.flockwork(&["export", "wkt", "scenarios/a.ron", "--out", "a.wkt"]);
    answer.says(2, &["the obstacles of scenarios/a.ron leave nothing free"]);
    assert_eq!(project.names(), ["scenarios"]);
}

/// A page without a project, as `viewer/web/build` makes it, but without an engine.
const PAGE: &str = "<!doctype html><!-- flockwork page -->\n<script id=\"flockwork-project\" type=\"application/json\">{}</script>\n<p>end</p>\n";

/// Returns the project in a page.
fn project_in(page: &str) -> serde_json::Value {
    let (before, after) = PAGE.split_once("{}").unwrap();
    let json = page.strip_prefix(before).and_then(|rest| rest.strip_suffix(after)).unwrap();
    assert!(!json.contains('<'), "nothing in a text may end the element: {json}");
    serde_json::from_str(json).unwrap()
}

#[test]
fn a_page_has_the_scenario_and_the_scripts_that_it_uses() {
    let scenario = "// </script><p>\n(world: (size: (9, 9)), groups: { \"a\": (behavior: \"lib/go\", spawn: Points([(1, 1)]), params: { \"v\": 1.0 }) })";
    let script = "import \"far\" as far; fn steer(me) { far::away(me) * me.params.v }";
    let project = Project::empty()
        .with("deep/scenarios/my scene.ron", scenario)
        .with("scripts/lib/go.rhai", script)
        .with("scripts/far.rhai", "fn away(me) { me.wander() }")
        .with("scripts/other.rhai", "fn steer(me) { vec(0, 0) }")
        .with("engine.html", PAGE);
    let args = ["export", "page", "deep/scenarios/my scene.ron", "--engine", "engine.html"];
    let more = ["--seed", "7", "--set", "a.v=2.5", "--out", "scene.html"];
    project.flockwork(&[&args[..], &more].concat()).says(0, &["wrote scene.html"]);
    let in_page = project_in(&project.read("scene.html"));
    let expected = serde_json::json!({
        "scenario": "scenarios/my_scene.ron",
        "files": {
            "scenarios/my_scene.ron": scenario,
            "scripts/lib/go.rhai": script,
            "scripts/far.rhai": "fn away(me) { me.wander() }",
        },
        "seed": 7,
        "params": { "a.v": "2.5" },
    });
    assert_eq!(in_page, expected);
    assert_eq!(
        project_in(&project.flockwork(&args).says(0, &[]).out())["seed"],
        serde_json::Value::Null
    );
    // A page may be replaced, another file may not.
    project.flockwork(&[&args[..], &more].concat()).says(0, &["wrote scene.html"]);
    let into_script = [&args[..], &["--out", "scripts/far.rhai"]].concat();
    project.flockwork(&into_script).says(2, &["scripts/far.rhai"]);
}

#[test]
fn a_page_that_cannot_be_made_says_why() {
    let project = scenario("(size: (9, 9))", "").with("other.html", "<!doctype html>");
    let args = ["export", "page", "scenarios/a.ron"];
    if option_env!("FLOCKWORK_PAGE").is_none() {
        let answer = project.flockwork(&args);
        answer.says(2, &["built without the page for browsers", "viewer/web/build", "--engine"]);
    }
    let answer = project.flockwork(&[&args[..], &["--engine", "other.html"]].concat());
    answer.says(2, &["other.html is no page of Flockwork"]);
    let project = project.with("scenarios/a.ron", "(").with("engine.html", PAGE);
    let answer = project.flockwork(&[&args[..], &["--engine", "engine.html"]].concat());
    answer.says(2, &["scenarios/a.ron:1"]);
}
