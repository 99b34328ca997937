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
