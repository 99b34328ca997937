//! Tests of the page: its data, its files, and its behavior in a browser.

mod browser;

use std::fs;

use flockwork_engine::geom::Shape;
use flockwork_engine::math;
use flockwork_engine::world::{AgentId, AgentShape, Edge, ObstacleMotion, Rgb};
use flockwork_engine::{Options, Run};
use serde_json::Value;

use super::*;

fn group((name, radius): (&str, f32)) -> SceneGroup {
    SceneGroup { name: name.to_owned(), radius, appearance: Appearance::default() }
}

/// Returns an empty scene with two groups.
fn scene(edge: Edge) -> StaticScene {
    StaticScene {
        space: Space { edge, min: Vec2::ZERO, size: Vec2::new(100.0, 50.0) },
        obstacles: Vec::new(),
        paths: Vec::new(),
        groups: [("left", 1.0), ("right", 2.0)].map(group).to_vec(),
    }
}

/// Returns frames of two agents that go to the right; from a tick on, the second one goes up as well.
fn track(ticks: impl Iterator<Item = u64>, until: u64) -> Vec<AgentFrame> {
    let frame = |tick: u64| {
        let along = tick as f32 * 0.5;
        let up = tick.saturating_sub(until) as f32 * 0.2;
        let agent =
            |id, group, pos| AgentPosition { id, group, pos, heading: math::direction(0.0) };
        AgentFrame {
            tick,
            absent: Vec::new(),
            moved: Vec::new(),
            agents: vec![
                agent(AgentId(3), 0, Vec2::new(10.0 + along, 10.0)),
                agent(AgentId(7), 1, Vec2::new(10.0 + along, 20.0 + up)),
            ],
        }
    };
    ticks.map(frame).collect()
}

/// Returns two runs: the second agent differs after tick 40, and only every 20th tick of the expected run is known.
fn compared() -> RunComparison {
    let apart = |tick: u64| (tick, tick.saturating_sub(40) as f32 * 0.2);
    RunComparison {
        scene: scene(Edge::Wrap),
        dt: 0.02,
        expected: RunFrames { exact: false, every: 1, frames: track((0..=120).step_by(20), 1000) },
        actual: RunFrames { exact: true, every: 1, frames: track(0..=120, 40) },
        first: Some(AgentId(7)),
        first_tick: Some(41),
        deviation: (0..=120).map(apart).collect(),
    }
}

/// Returns two runs without frames.
fn nothing() -> RunComparison {
    RunComparison {
        expected: RunFrames::default(),
        actual: RunFrames::default(),
        first: None,
        first_tick: None,
        deviation: Vec::new(),
        ..compared()
    }
}

fn entry(name: &str, outcome: EntryOutcome, compared: Option<RunComparison>) -> ReportEntry {
    ReportEntry {
        name: name.into(),
        outcome,
        seconds: 0.25,
        cause: "agent 7 left at tick 41".into(),
        diagnosis: "error: agent 7 left\n  at tick 41\n".into(),
        compared,
    }
}

fn page() -> ReportPage {
    ReportPage {
        title: "A & B <tests>".into(),
        entries: vec![
            entry("scenarios/good.ron", EntryOutcome::Passed, None),
            entry("scenarios/</script>\u{2028}.ron", EntryOutcome::Failed, Some(compared())),
            entry("scenarios/new.ron", EntryOutcome::Untested, None),
            entry("scenarios/torn.ron", EntryOutcome::Broken, Some(nothing())),
        ],
    }
}

/// Returns the data of a page.
fn data(html: &str) -> Value {
    let (_, rest) = html.split_once("id=\"report\">").unwrap();
    let (json, _) = rest.split_once("</script>").unwrap();
    serde_json::from_str(json).unwrap()
}

#[test]
fn names_do_not_end_the_script_they_are_in() {
    let html = html(&page());
    assert!(html.contains("<title>A &amp; B &lt;tests&gt;</title>"));
    assert_eq!(html.matches("</script>").count(), 2);
    assert!(!html.contains('\u{2028}'));
    let data = data(&html);
    assert_eq!(data["entries"][1]["name"], "scenarios/</script>\u{2028}.ron");
    assert_eq!(data["entries"][1]["outcome"], "failed");
    assert_eq!(data["title"], "A & B <tests>");
}

#[test]
fn the_page_refers_to_nothing_outside() {
    let html = html(&page());
    for part in ["http:", "https:", "//www", "src=", "@import", "url(", "fetch("] {
        assert!(!html.contains(part), "{part}");
    }
    assert!(!html.contains("@@"));
}

#[test]
fn positions_are_short_numbers_in_worlds_of_any_size() {
    for factor in [1e-6, 1.0, 1e9] {
        let mut compared = compared();
        compared.scene.space.min = Vec2::splat(-factor);
        compared.scene.space.size *= factor;
        for frame in &mut compared.actual.frames {
            for agent in &mut frame.agents {
                agent.pos *= factor;
            }
        }
        compared.deviation[1].1 = f32::NAN;
        let page = ReportPage {
            title: String::new(),
            entries: vec![entry("a", EntryOutcome::Failed, Some(compared))],
        };
        let data = data(&html(&page));
        let pair = &data["entries"][0]["compared"];
        assert_eq!(pair["world"], serde_json::json!([0, 0, 50_000, 25_000]));
        let frames = pair["actual"]["frames"].as_array().unwrap();
        assert_eq!(frames.len(), 121);
        assert_eq!(frames[0]["agents"], serde_json::json!([3, 0, 7, 1]));
        assert_eq!(frames[1].get("agents"), None, "the same agents are listed once");
        // From -1 to 10.5 and 20 of 100.
        assert_eq!(frames[1]["x"], serde_json::json!([5750, 5750]));
        assert_eq!(frames[1]["y"], serde_json::json!([5500, 10_500]));
        assert_eq!(pair["deviation"][1], serde_json::json!([1, null]));
    }
}

#[test]
fn long_runs_are_sampled_but_keep_the_first_differing_tick() {
    let seen = compared().actual.frames[0].agents[0];
    let many = |tick| AgentFrame {
        tick,
        absent: Vec::new(),
        moved: Vec::new(),
        agents: (0..1000).map(|id| AgentPosition { id: AgentId(id), ..seen }).collect(),
    };
    let mut compared = compared();
    compared.actual.frames = (0..1000).map(many).collect();
    compared.first_tick = Some(500);
    let page = ReportPage {
        title: String::new(),
        entries: vec![entry("a", EntryOutcome::Failed, Some(compared))],
    };
    let data = data(&html(&page));
    let actual = &data["entries"][0]["compared"]["actual"];
    assert_eq!(actual["every"], 3);
    let frames = actual["frames"].as_array().unwrap();
    let ticks: Vec<u64> = frames.iter().map(|frame| frame["tick"].as_u64().unwrap()).collect();
    assert_eq!((ticks[0], ticks[1], *ticks.last().unwrap()), (0, 3, 999));
    assert!(ticks.contains(&500) && ticks.len() < 340);
}

fn frame(run: &Run) -> AgentFrame {
    let world = run.simulation().world();
    AgentFrame::at(world.tick, &world.agents, world.absent_obstacles(), world.moving_obstacles())
}

#[test]
fn the_data_of_a_real_run_is_complete() {
    let scenario = concat!(env!("CARGO_MANIFEST_DIR"), "/scenarios/night_watch.ron");
    let mut run = Run::open(scenario.as_ref(), &Options::default()).unwrap();
    let mut frames = vec![frame(&run)];
    for _ in 0..50 {
        run.step().unwrap();
        frames.push(frame(&run));
    }
    let track = RunFrames { exact: true, every: 1, frames };
    let compared = RunComparison {
        scene: StaticScene::new(run.simulation().world()),
        expected: track.clone(),
        actual: track,
        ..nothing()
    };
    let page = ReportPage {
        title: String::new(),
        entries: vec![entry("night_watch", EntryOutcome::Failed, Some(compared))],
    };
    let data = data(&html(&page));
    let pair = &data["entries"][0]["compared"];
    let step = pair["step"].as_f64().unwrap();
    let shapes: Vec<&Value> = (0..3).map(|i| &pair["obstacles"][i]["shape"]).collect();
    assert_eq!(shapes, ["disc", "room", "wall"]);
    assert_eq!(pair["edge"], "clamp");
    assert_eq!(pair["paths"][0]["closed"], true);
    assert_eq!(pair["groups"][1]["name"], "thief");
    let frame = &pair["actual"]["frames"][50];
    let world = run.simulation().world();
    for (row, at) in world.agents.positions().enumerate() {
        for (axis, at) in [("x", at.x), ("y", at.y)] {
            let shown = frame[axis][row].as_f64().unwrap() * step;
            assert!((shown - f64::from(at)).abs() <= step, "{axis} of row {row}");
        }
    }
    assert_eq!(frame["tick"], 50);
}

#[test]
fn obstacles_are_where_they_are_in_each_frame() {
    let mut compared = compared();
    let post = |name: &str| Obstacle {
        name: name.into(),
        shape: Shape::Circle { center: Vec2::new(50.0, 20.0), radius: 2.0 },
    };
    compared.scene.obstacles = vec![post("a"), post("b")];
    let offset = Vec2::new(-2.0, 1.0);
    let state = ObstacleState::new("b".into(), ObstacleMotion::Stop);
    compared.actual.frames[3].moved = vec![ObstacleState { offset, ..state }];
    let page = ReportPage {
        title: String::new(),
        entries: vec![entry("a", EntryOutcome::Failed, Some(compared))],
    };
    let data = data(&html(&page));
    let frames = &data["entries"][0]["compared"]["actual"]["frames"];
    assert_eq!(frames[2].get("moved"), None);
    assert_eq!(frames[3]["moved"], serde_json::json!([[1, -1000, 500]]));
}

#[test]
fn groups_have_their_own_colors_and_shapes() {
    let mut scene = scene(Edge::Wrap);
    let own = Some(Rgb { red: 1, green: 35, blue: 255 });
    scene.groups[1].appearance = Appearance {
        color: own,
        shape: AgentShape::Car,
        size: Some(4.0),
        draw_order: 3,
        ..Appearance::default()
    };
    let page = ReportPage {
        title: String::new(),
        entries: vec![entry(
            "cars",
            EntryOutcome::Failed,
            Some(RunComparison { scene, ..nothing() }),
        )],
    };
    let data = data(&html(&page));
    let [left, right] = [0, 1].map(|group| &data["entries"][0]["compared"]["groups"][group]);
    assert_eq!((&left["color"], &right["color"]), (&Value::Null, &Value::from("#0123ff")));
    assert_eq!(left["outline"].to_string(), "[[1000,0,-750,620,-400,0,-750,-620]]");
    assert_eq!((&left["size"], &right["size"]), (&left["radius"], &Value::from(2000)));
    assert_eq!((&left["order"], &right["order"]), (&Value::from(0), &Value::from(3)));
    assert_eq!(right["outline"].as_array().unwrap().len(), 2, "the body and the windshield");
}

#[test]
fn the_folder_has_the_page_and_a_picture_of_each_difference() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("deep/report");
    write(&folder, &page()).unwrap();
    let mut names: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort_unstable();
    let pictures = ["scenarios---script--.ron.png", "scenarios-torn.ron.png"];
    assert_eq!(names, ["index.html", pictures[0], pictures[1]]);
    let picture = fs::read(folder.join(&names[1])).unwrap();
    assert!(picture.starts_with(b"\x89PNG"));
    let file = folder.join("index.html");
    assert!(write(&file, &page()).is_err(), "a file is not a folder");
}
