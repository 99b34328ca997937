//! Figures as SVG files: those of sweeps, tunes and comparisons.

use crate::project::{Project, names};

const FLOCK: &str = r#"(
    ticks: 20,
    world: (size: (200, 200), edge: Wrap),
    groups: {
        "birds": (
            behavior: "soft", count: 8, spawn: Disc(center: (100, 100), radius: 40), velocity: (10, 0),
            body: (radius: 1, max_speed: 30), params: { "push": 1.0, "pull": 1.0, "side": 1.0 },
        ),
    },
)
"#;

/// The speed depends on all three params.
const SOFT: &str = "fn init(me) {
    let p = me.params;
    me.vel = vec(p.push + p.pull + p.side + me.random(0, 2), 0);
}
fn steer(me) { vec(0, 0) }
";

const PLAN: &str = r#"(
    scenario: "scenarios/flock.ron",
    vary: {
        "birds.push": Range(from: 0, to: 9, steps: 3),
        "birds.pull": Range(from: 0, to: 9, steps: 3),
        "birds.side": Range(from: 0, to: 9, steps: 3),
    },
    seeds: [4, 5, 6],
    record: ["mean_speed"],
    labels: { "birds.push": "push < pull (m)", "mean_speed": "speed (m)" },
    sweep: (points: Grid, every: 10),
)
"#;

fn flock() -> Project {
    Project::empty()
        .with("scenarios/flock.ron", FLOCK)
        .with("scripts/soft.rhai", SOFT)
        .with("a.plan.ron", PLAN)
}

/// Returns whether each element of a file is closed, and nothing is loaded.
fn is_alone(svg: &str) -> bool {
    if roxmltree::Document::parse(svg).is_err() {
        return false;
    }
    ["href", "src=", "url(http", "<script"].iter().all(|part| !svg.contains(part))
}

#[test]
fn each_figure_of_a_sweep_is_a_file_with_a_caption_and_labels() {
    let project = flock();
    let out = project.flockwork(&["sweep", "a.plan.ron"]).says(0, &[]).out();
    assert!(out.contains("the means of each point are in a.sweep/points.csv\n"), "{out}");
    assert!(out.contains("each also alone in a.sweep/figures\n"), "{out}");
    let files = names(&project.path("a.sweep/figures"));
    for file in [
        "speed_m_by_push_pull_m.svg",
        "speed_m_by_birds.pull.svg",
        "speed_m_map.svg",
        "speed_m_maps.svg",
    ] {
        assert!(files.iter().any(|name| name == file), "{file}: {files:?}");
    }
    for file in &files {
        let svg = project.read(&format!("a.sweep/figures/{file}"));
        assert!(is_alone(&svg), "{file}");
        let text: String = svg
            .split("</text>")
            .filter_map(|part| part.rsplit('>').next())
            .collect::<Vec<_>>()
            .join(" ");
        for part in ["81 runs of a.sweep, seeds 4 to 6,", "flockwork 0", "plan ", ".csv"] {
            assert!(text.contains(part), "{file}: {part}: {text}");
        }
        // The hashes of the files are in the description.
        assert!(svg.contains("<desc>") && svg.contains("`soft` "), "{file}");
    }
    let effect = project.read("a.sweep/figures/speed_m_by_push_pull_m.svg");
    assert!(effect.contains("push &lt; pull (m)") && !effect.contains("birds.push"), "{effect}");
    // Three values of the third value side by side.
    let maps = project.read("a.sweep/figures/speed_m_maps.svg");
    assert_eq!(maps.matches("<svg ").count(), 4);
    let page = project.read("a.sweep/report.html");
    assert!(page.contains("push &lt; pull (m)"));
    // Caught: figures of an earlier plan stayed beside those of this one. Files of others stay.
    let folder = project.path("a.sweep/figures");
    std::fs::copy(folder.join("speed_m_map.svg"), folder.join("old.svg")).unwrap();
    std::fs::write(folder.join("mine.svg"), "<svg/>").unwrap();
    project.flockwork(&["sweep", "a.plan.ron", "--restart"]).says(0, &[]);
    assert!(!folder.join("old.svg").exists() && folder.join("mine.svg").exists());
    // Labels are not names of columns.
    let table = project.read("a.sweep/runs.csv");
    assert!(table.starts_with("run,point,birds.push,birds.pull,birds.side,seed,"), "{table}");
}

#[test]
fn a_merge_has_the_labels_and_figures_of_a_single_sweep() {
    let project = flock();
    for shard in ["1/2", "2/2"] {
        project
            .flockwork(&["sweep", "a.plan.ron", "--out", "parts/a.sweep", "--shard", shard])
            .says(0, &[]);
    }
    project.flockwork(&["merge", "parts/a.sweep"]).says(0, &[]);
    project.flockwork(&["sweep", "a.plan.ron"]).says(0, &[]);
    let files = names(&project.path("a.sweep/figures"));
    assert!(!files.is_empty());
    for file in files {
        let [one, other] = ["a.sweep", "parts/a.sweep"]
            .map(|folder| project.read(&format!("{folder}/figures/{file}")));
        assert_eq!(one, other, "{file}");
    }
    assert_eq!(project.read("a.sweep/sweep.json"), project.read("parts/a.sweep/sweep.json"));
}

#[test]
fn a_sweep_says_where_sensitivities_are() {
    let project = flock();
    let plan = PLAN.replace("points: Grid", "points: Morris(ways: 3)");
    let project = project.with("a.plan.ron", plan);
    let out = project.flockwork(&["sweep", "a.plan.ron"]).says(0, &[]).out();
    assert!(out.contains("how much each value matters is in a.sweep/sensitivity.csv\n"), "{out}");
}

#[test]
fn a_comparison_has_figures_with_their_values() {
    let project = flock();
    let line = "compare scenarios/flock.ron --b birds.push=9 --seeds 4 --measure spread,polarization --figures f";
    project.flockwork(&line.split(' ').collect::<Vec<_>>()).says(0, &[]);
    let svg = project.read("f/spread.svg");
    assert!(is_alone(&svg) && svg.contains("values.csv"), "{svg}");
    assert_eq!(svg.matches("<circle").count(), 4);
    let values = project.read("f/values.csv");
    let lines: Vec<&str> = values.lines().collect();
    assert_eq!(lines[0], "seed,spread.A,spread.B,polarization.A,polarization.B");
    assert_eq!(lines.len(), 5);
    let project = project.with("g/values.csv", "mine\n");
    let line = line.replace("--figures f", "--figures g");
    project.flockwork(&line.split(' ').collect::<Vec<_>>()).says(2, &["g/values.csv", "is not a"]);
}
