//! Edits of scenes: places are found, moved, added and removed, and everything else stays as it is written.

use std::sync::Arc;

use crate::diag::Source;
use crate::math::Vec2;
use crate::scenario::{FullPart, Handle, NewObstacle, SceneEdit, ScenePart, SceneShape};
use crate::tokens::ron_tree::RonTree;

const TEXT: &str = r#"// A scene.
(
    ticks: 60,
    world: (size: (100, 200)),
    obstacles: {
        "rock": Circle(center: (10, 20), radius: 3.5), // round
        "hut": Polygon([(50, 50), (60, 50), (60, 60), (50, 60)]),
        "room": Room(min: (1, 2), max: (30, 40)),
    },
    paths: { "way": (points: [(1, 2), (3, 4)], radius: 2) },
    groups: {
        "a": (spawn: Points([(1, 2), (3, 4)]), count: 2, goals: [
            (at: (5, 6), radius: 2), // first
            (at: (7, 8)),
        ]),
        "b": (spawn: Agents([(at: (9, 9), velocity: (1, 0))])),
        "c": (spawn: Disc(center: (70, 70), radius: 5), count: 3),
    },
)"#;

fn source() -> Arc<Source> {
    Source::new("s.ron", TEXT)
}

fn edited(edit: &SceneEdit) -> String {
    edit.apply(&source()).unwrap_or_else(|errors| panic!("{errors:?}"))
}

fn spawn(group: &str) -> ScenePart {
    ScenePart::Spawn(group.to_owned())
}

#[test]
fn all_places_are_found() {
    let all = Handle::all(&source());
    let places = |part: &ScenePart| -> Vec<(f32, f32)> {
        all.iter().filter(|one| one.part == *part).map(|one| (one.at.x, one.at.y)).collect()
    };
    assert_eq!(places(&ScenePart::Obstacle("rock".into())), [(10.0, 20.0), (13.5, 20.0)]);
    assert_eq!(places(&ScenePart::Obstacle("hut".into())).len(), 4);
    assert_eq!(places(&ScenePart::Obstacle("room".into())), [(1.0, 2.0), (30.0, 40.0)]);
    assert_eq!(places(&ScenePart::Path("way".into())), [(1.0, 2.0), (3.0, 4.0)]);
    assert_eq!(places(&ScenePart::Goals("a".into())), [(5.0, 6.0), (7.0, 8.0)]);
    assert_eq!(places(&spawn("a")), [(1.0, 2.0), (3.0, 4.0)]);
    assert_eq!(places(&spawn("b")), [(9.0, 9.0)]);
    assert_eq!(places(&spawn("c")), [(70.0, 70.0), (75.0, 70.0)]);
    assert_eq!(all.len(), 17);
    assert_eq!(all.iter().filter(|one| one.is_size).count(), 2);
}

#[test]
fn only_the_place_changes() {
    let at = Vec2::new(11.5, 12.0);
    let to = |number| vec![(number, at)];
    for (part, number, old, new) in [
        (ScenePart::Obstacle("rock".into()), 0, "(10, 20)", "(11.5, 12)"),
        (ScenePart::Obstacle("hut".into()), 2, "(60, 60)", "(11.5, 12)"),
        (ScenePart::Path("way".into()), 1, "(3, 4)], radius", "(11.5, 12)], radius"),
        (ScenePart::Goals("a".into()), 0, "at: (5, 6)", "at: (11.5, 12)"),
        (spawn("b"), 0, "at: (9, 9)", "at: (11.5, 12)"),
        (spawn("c"), 0, "center: (70, 70)", "center: (11.5, 12)"),
    ] {
        let moved = edited(&SceneEdit::Move { part, to: to(number) });
        assert_eq!(moved, TEXT.replacen(old, new, 1));
    }
    let both = vec![(0, Vec2::new(2.0, 3.0)), (1, Vec2::new(31.0, 41.0))];
    let room = SceneEdit::Move { part: ScenePart::Obstacle("room".into()), to: both };
    assert_eq!(edited(&room), TEXT.replace("(1, 2), max: (30, 40)", "(2, 3), max: (31, 41)"));
}

#[test]
fn sizes_are_dragged_at_the_rim_and_at_the_corner() {
    let size = |part, at| edited(&SceneEdit::Move { part, to: vec![(1, at)] });
    let rock = size(ScenePart::Obstacle("rock".into()), Vec2::new(13.0, 24.0));
    assert_eq!(rock, TEXT.replace("radius: 3.5", "radius: 5"));
    let disc = size(spawn("c"), Vec2::new(70.0, 62.0));
    assert_eq!(disc, TEXT.replace("radius: 5", "radius: 8"));
    // The opposite corner stays: (10, 5), or (25, 0) of the box that is turned.
    for (angle, corner, to, center) in [
        ("", (30.0, 15.0), Vec2::new(26.0, 17.0), "(18, 11)"),
        (", angle_deg: 90", (15.0, 20.0), Vec2::new(13.0, 16.0), "(19, 8)"),
    ] {
        let text = |center: &str, size: &str| {
            let shed = format!("Box(center: {center}, size: {size}{angle})");
            TEXT.replace("Circle(center: (10, 20), radius: 3.5)", &shed)
        };
        let source = Source::new("s.ron", text("(20, 10)", "(20, 10)"));
        let part = ScenePart::Obstacle("rock".into());
        let handles = part.handles(&RonTree::new(&source.text));
        assert!(handles[1].at.distance(Vec2::from(corner)) < 1e-4, "{handles:?}");
        let done = SceneEdit::Move { part, to: vec![(1, to)] }.apply(&source).unwrap();
        assert_eq!(done, text(center, "(16, 12)"));
    }
}

#[test]
fn places_are_added_in_the_layout_of_the_others() {
    let at = Vec2::new(8.0, 9.0);
    let add = |part, before| edited(&SceneEdit::AddPlace { part, before, at });
    let way = || ScenePart::Path("way".into());
    assert!(add(way(), None).contains("points: [(1, 2), (3, 4), (8, 9)], radius"));
    assert!(add(way(), Some(1)).contains("points: [(1, 2), (8, 9), (3, 4)], radius"));
    let goals = add(ScenePart::Goals("a".into()), None);
    assert!(goals.contains("(at: (7, 8)),\n            (at: (8, 9)),\n        ])"), "{goals}");
    let first = add(ScenePart::Goals("a".into()), Some(0));
    assert!(first.contains("[\n            (at: (8, 9)),\n            (at: (5, 6)"), "{first}");
    let none = add(ScenePart::Goals("c".into()), None);
    assert!(none.contains("count: 3, goals: [(at: (8, 9))])"), "{none}");
    let points = add(spawn("a"), None);
    assert!(points.contains("Points([(1, 2), (3, 4), (8, 9)]), count: 3"), "{points}");
    let agents = add(spawn("b"), None);
    assert!(agents.contains("velocity: (1, 0)), (at: (8, 9))])"), "{agents}");
    let rock = edited(&SceneEdit::AddObstacle { center: at, shape: NewObstacle::Circle(4.0) });
    let new = "\n        \"obstacle_1\": Circle(center: (8, 9), radius: 4),\n    },\n    paths";
    assert!(rock.contains(new), "{rock}");
    let shape = NewObstacle::Box(Vec2::new(2.0, 1.5));
    let wall = edited(&SceneEdit::AddObstacle { center: at, shape });
    let new = "\n        \"obstacle_1\": Box(center: (8, 9), size: (4, 3)),\n    },\n    paths";
    assert!(wall.contains(new), "{wall}");
    let bare = Source::new(
        "s.ron",
        r#"(world: (size: (9, 9)), groups: { "a": (spawn: Points([(1, 1)])) })"#,
    );
    let rock = SceneEdit::AddObstacle { center: Vec2::ONE, shape: NewObstacle::Circle(1.0) };
    let rock = rock.apply(&bare).unwrap();
    let circle = r#"obstacles: { "obstacle_1": Circle(center: (1, 1), radius: 1) })"#;
    assert!(rock.ends_with(circle), "{rock}");
}

#[test]
fn places_are_removed() {
    let remove = |part, number| SceneEdit::Remove { part, number };
    let rock = edited(&remove(ScenePart::Obstacle("rock".into()), 0));
    assert!(!rock.contains("rock") && !rock.contains("// round"), "{rock}");
    let hut = edited(&remove(ScenePart::Obstacle("hut".into()), 3));
    assert!(hut.contains("[(50, 50), (60, 50), (60, 60)]"), "{hut}");
    let goal = edited(&remove(ScenePart::Goals("a".into()), 0));
    assert!(!goal.contains("first") && goal.contains("(7, 8)"), "{goal}");
    let agent = edited(&remove(spawn("a"), 0));
    assert!(agent.contains("Points([(3, 4)]), count: 1"), "{agent}");
}

#[test]
fn the_last_obstacle_takes_the_field_with_it_but_no_comments() {
    let scenario = |obstacles: &str| {
        Source::new(
            "s.ron",
            format!(
                "(\n    world: (size: (9, 9)), // small\n{obstacles}    groups: {{ \"a\": (spawn: Points([(1, 1)])) }},\n)"
            ),
        )
    };
    let rock = "\"rock\": Circle(center: (8, 2), radius: 1)";
    let remove = SceneEdit::Remove { part: ScenePart::Obstacle("rock".into()), number: 0 };
    for (written, left) in [
        (format!("    obstacles: {{ {rock} }},\n"), ""),
        (format!("    obstacles: {{\n        {rock}, // round\n    }},\n"), ""),
        (
            format!("    // Stones.\n    obstacles: {{ {rock} }}, // one\n"),
            "    // Stones.\n     // one\n",
        ),
        (
            format!(
                "    obstacles: {{ // stones\n        // It is\n        {rock},\n        // no more.\n    }},\n"
            ),
            "    // stones\n        // no more.\n",
        ),
        (format!("    obstacles: {{ {rock} /* one */ }}, "), "    /* one */ "),
    ] {
        let done = remove.apply(&scenario(&written)).unwrap();
        assert_eq!(done, scenario(left).text, "{written}");
    }
    // Two obstacles are not the last one.
    let two = format!("    obstacles: {{ {rock}, \"hut\": Segment(from: (1, 7), to: (3, 7)) }},\n");
    let done = remove.apply(&scenario(&two)).unwrap();
    assert!(done.contains("obstacles: { \"hut\": Segment"), "{done}");
}

#[test]
fn parts_without_room_for_a_place_say_why() {
    let full: Vec<_> = FullPart::all(&source());
    assert_eq!(full.len(), 1, "{full:?}");
    assert_eq!(full[0].part, spawn("c"));
    assert!(full[0].why.contains("no places of their own; write `spawn: Points"), "{full:?}");
    let full = FullPart::all(&Source::new("s.ron", started("")));
    assert_eq!(full, []);
}

/// Returns the scenario with a start in which the group `b` has two agents, and other fields of the start.
fn started(more: &str) -> String {
    let start = format!(
        r#"start: (tick: 5,{more} groups: {{
            "b": (made: 4, agents: [
                (id: 1, index: 1, at: (2, 2), velocity: (1, 0)), // slow
                (id: 3, index: 3, at: (4, 4), velocity: (0, 2), goal: (sequence: 0, reached: 1), state: {{ "n": 7 }}),
            ]),
            "a": (made: 2),
        }})"#
    );
    TEXT.replace("ticks: 60,", &format!("ticks: 60,\n    {start},"))
}

#[test]
fn agents_of_a_start_are_moved_added_and_removed() {
    let before = started("");
    let source = Source::new("s.ron", before.as_str());
    let places: Vec<Vec2> =
        spawn("b").handles(&RonTree::new(&before)).iter().map(|one| one.at).collect();
    assert_eq!(places, [Vec2::splat(2.0), Vec2::splat(4.0)]);
    assert_eq!(spawn("a").handles(&RonTree::new(&before)), [], "the spawn makes no agents here");
    let to = vec![(1, Vec2::new(5.0, 6.0))];
    let moved = SceneEdit::Move { part: spawn("b"), to }.apply(&source).unwrap();
    assert_eq!(moved, before.replace("at: (4, 4)", "at: (5, 6)"));
    let at = Vec2::new(8.0, 9.0);
    let add = |group| SceneEdit::AddPlace { part: spawn(group), before: None, at };
    // Its id is the next one that was never used, and so is its index.
    let added = add("b").apply(&source).unwrap();
    let agent = "(id: 6, index: 4, at: (8, 9), velocity: (0, 2), state: { \"n\": 7 }),";
    assert!(added.contains(agent) && added.contains("\"b\": (made: 5, agents"), "{added}");
    let added = add("a").apply(&source).unwrap();
    let agent = "\"a\": (made: 3, agents: [(id: 6, index: 2, at: (8, 9), velocity: (0, 0))])";
    assert!(added.contains(agent), "{added}");
    let added = add("c").apply(&source).unwrap();
    let agent = "\"c\": (made: 1, agents: [(id: 6, index: 0, at: (8, 9), velocity: (0, 0))])";
    assert!(added.contains(agent), "{added}");
    let counted = Source::new("s.ron", started(" made: 20,"));
    let added = add("b").apply(&counted).unwrap();
    assert!(added.contains(" made: 21, groups") && added.contains("id: 20, index: 4"), "{added}");
    let remove = SceneEdit::Remove { part: spawn("b"), number: 0 };
    let one = remove.apply(&source).unwrap();
    assert!(!one.contains("id: 1,") && one.contains("id: 3,"), "{one}");
    assert!(one.contains("\"b\": (made: 4, ") && one.contains("count: 3"), "{one}");
    // A group may have none left, and get another one.
    let source = Source::new("s.ron", one);
    let none = Source::new("s.ron", remove.apply(&source).unwrap());
    assert_eq!(spawn("b").handles(&RonTree::new(&none.text)), []);
    assert_eq!(spawn("b").handles(&RonTree::new(&add("b").apply(&none).unwrap())).len(), 1);
}

#[test]
fn a_moved_place_changes_the_shape_as_the_text_says() {
    for (spec, number, to) in [
        ("Circle(center: (10, 20), radius: 3.5)", 0, Vec2::new(12.0, 20.0)),
        ("Circle(center: (10, 20), radius: 3.5)", 1, Vec2::new(10.0, 26.0)),
        ("Box(center: (20, 10), size: (20, 10))", 0, Vec2::new(40.0, 30.0)),
        ("Box(center: (20, 10), size: (20, 10), angle_deg: 30)", 1, Vec2::new(40.0, 30.0)),
        ("Room(min: (1, 2), max: (30, 40))", 1, Vec2::new(33.0, 44.0)),
        ("Segment(from: (1, 2), to: (30, 40))", 0, Vec2::new(3.0, 4.0)),
        ("Polygon([(50, 50), (60, 50), (60, 60)])", 2, Vec2::new(61.0, 66.0)),
    ] {
        let text = TEXT.replace("Circle(center: (10, 20), radius: 3.5)", spec);
        let part = ScenePart::Obstacle("rock".into());
        let shape_of = |text: &str| {
            let handles = part.handles(&RonTree::new(text));
            (handles[0].shape, handles.iter().map(|one| one.at).collect::<Vec<_>>())
        };
        let (shape, places) = shape_of(&text);
        let shown = shape.moved(&places, &[(number, to)]);
        assert!(shape.outline(&shown).is_some(), "{spec}");
        let edit = SceneEdit::Move { part: part.clone(), to: vec![(number, to)] };
        let (_, written) = shape_of(&edit.apply(&Source::new("s.ron", text)).unwrap());
        let is_near = |(a, b): (&Vec2, &Vec2)| a.distance(*b) < 0.01;
        // A radius is written, not the place on the rim.
        if shape != SceneShape::Circle || number == 0 {
            assert!(shown.iter().zip(&written).all(is_near), "{spec}: {shown:?} {written:?}");
        }
    }
}

#[test]
fn what_is_impossible_is_an_error() {
    let at = Vec2::ONE;
    for (edit, message) in [
        (SceneEdit::Remove { part: spawn("b"), number: 0 }, "the only one"),
        (SceneEdit::Remove { part: spawn("c"), number: 0 }, "cannot lose a place"),
        (SceneEdit::Remove { part: ScenePart::Path("way".into()), number: 0 }, "two points"),
        (SceneEdit::Remove { part: ScenePart::Path("none".into()), number: 0 }, "no place 0"),
        (SceneEdit::AddPlace { part: spawn("c"), before: None, at }, "no places of their own"),
        (
            SceneEdit::Move { part: spawn("a"), to: vec![(0, Vec2::new(f32::NAN, 0.0))] },
            "finite number",
        ),
    ] {
        let errors = edit.apply(&source()).unwrap_err();
        let error = errors.iter().next().unwrap();
        assert!(error.message.contains(message), "{edit:?}: {}", error.message);
    }
}
