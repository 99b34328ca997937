//! Worlds of all kinds and sizes, drawn and looked at pixel by pixel.

use std::sync::Arc;

use flockwork::diag::Source;
use flockwork::load;
use flockwork::math::Vec2;
use flockwork::script::Library;
use flockwork::world::{Edge, Space, World};
use flockwork::{Diagnostic, Options, Run};

use super::*;

const SIZE: (u32, u32) = (400, 300);

/// One script, by which agents stay as they are.
struct Still;

impl Library for Still {
    fn read(&self, _: &str) -> Result<Option<Arc<Source>>, Diagnostic> {
        Ok(Some(Source::new(
            "still.rhai",
            "fn steer(me) { 0 * me.vel }",
        )))
    }

    fn names(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A scenario that is written as a world with obstacles, and a spawn.
fn run(world: &str, spawn: &str) -> Run {
    let text =
        format!("(world: {world}, groups: {{ \"all\": (behavior: \"still\", spawn: {spawn}) }})");
    Run::new(&Source::new("test", text), &Still, &Options::default()).unwrap()
}

fn drawn(of: &World, palette: &Palette) -> Picture {
    let mut picture = Picture::new(SIZE, palette.ground);
    let camera = Camera::of_world(of, SIZE, 20);
    world(&mut picture, &camera, of, palette);
    scale_bar(&mut picture, &camera, palette);
    picture
}

fn rgb(colour: Colour) -> u32 {
    u32::from_be_bytes([0, colour.red, colour.green, colour.blue])
}

fn count(picture: &Picture, colour: Colour) -> usize {
    picture.rgb().filter(|pixel| *pixel == rgb(colour)).count()
}

fn pixel(picture: &Picture, at: Vec2) -> u32 {
    let place = at.y as usize * picture.size().0 as usize + at.x as usize;
    picture.rgb().nth(place).unwrap()
}

#[test]
fn every_shipped_scenario_shows_its_groups_in_both_palettes() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../scenarios").into();
    let found = load::find(&[folder]).unwrap();
    assert!(found.scenarios.len() > 10);
    for path in found.scenarios {
        let run = Run::open(&path, &Options::default()).unwrap();
        let world = run.simulation().world();
        for palette in [&LIGHT, &DARK] {
            let picture = drawn(world, palette);
            for group in &world.agents.group {
                let colour = palette.group(group.0.into());
                assert!(count(&picture, colour) > 0, "{path:?}, group {group:?}");
            }
            assert!(count(&picture, palette.ink) > 0, "{path:?} has no scale");
        }
    }
}

#[test]
fn worlds_of_any_size_and_any_number_of_agents_are_drawn() {
    for (size, spacing, agents) in [
        ("(0.001, 0.0005)", "spacing: (0.0003, 0.0003)", 4),
        ("(1e6, 1e6)", "spacing: (3e5, 3e5)", 4),
        ("(1e14, 1e14)", "spacing: (3e13, 3e13)", 4),
        ("(100, 100)", "spacing: (1, 1)", 10_000),
    ] {
        let columns = if agents > 4 { 100 } else { 2 };
        let grid = format!("Grid(at: (0, 0), columns: {columns}, {spacing})");
        let text = format!(
            "(world: (size: {size}, edge: Wrap), groups: {{ \"all\": (behavior: \"still\",
            count: {agents}, spawn: {grid}) }})"
        );
        let source = Source::new("test", text);
        let run = Run::new(&source, &Still, &Options::default()).unwrap();
        let picture = drawn(run.simulation().world(), &LIGHT);
        let seen = count(&picture, LIGHT.group(0));
        assert!(seen > agents, "{size}: {seen} pixels");
    }
}

#[test]
fn y_points_up_and_who_is_far_beyond_an_open_edge_is_left_out() {
    let agents = "Points([(50, 90), (150, 50), (1e9, 50)])";
    let run = run("(size: (100, 100))", agents);
    let world = run.simulation().world();
    let camera = Camera::of_world(world, SIZE, 20);
    let picture = drawn(world, &DARK);
    let group = rgb(DARK.group(0));
    let [above, beyond, lost] = [0, 1, 2].map(|row| camera.pixel(world.agents.pos[row]));
    assert!(above.y < beyond.y);
    assert_eq!(pixel(&picture, above), group);
    assert_eq!(pixel(&picture, beyond), group);
    assert!(lost.x > 1e6);
}

#[test]
fn every_kind_of_obstacle_is_seen() {
    let text = r#"(
        world: (size: (100, 100), edge: Clamp),
        obstacles: {
            "disc": Circle(center: (20, 20), radius: 8),
            "box": Box(center: (50, 20), size: (10, 20), angle_deg: 30),
            "dent": Polygon([(70, 10), (90, 10), (90, 30)]),
            "wall": Segment(from: (20, 60), to: (80, 60)),
            "room": Room(min: (10, 0), max: (100, 100)),
            "far": Segment(from: (-9e14, -9e14), to: (9e14, -9e14)),
        },
        paths: { "way": (points: [(20, 80), (80, 80)], radius: 5) },
        groups: { "all": (behavior: "still", spawn: Points([(50, 50)])) },
    )"#;
    let run = Run::new(&Source::new("test", text), &Still, &Options::default()).unwrap();
    let world = run.simulation().world();
    let camera = Camera::of_world(world, SIZE, 20);
    let picture = drawn(world, &LIGHT);
    for (x, y, colour) in [
        (20.0, 20.0, LIGHT.solid),
        (50.0, 20.0, LIGHT.solid),
        (85.0, 15.0, LIGHT.solid),
        (75.0, 25.0, LIGHT.ground),
        (40.0, 60.0, LIGHT.wall),
        (5.0, 50.0, LIGHT.solid),
        (50.0, 76.0, LIGHT.band),
    ] {
        let at = camera.pixel(Vec2::new(x, y));
        assert_eq!(pixel(&picture, at), rgb(colour), "({x}, {y})");
    }
}

#[test]
fn a_track_ends_at_an_edge_and_goes_on_from_the_other() {
    let space = |edge| Space {
        edge,
        min: Vec2::ZERO,
        size: Vec2::splat(100.0),
    };
    let way = [(70.0, 50.0), (95.0, 50.0), (5.0, 50.0), (30.0, 50.0)].map(Vec2::from);
    for (edge, crossed) in [(Edge::Wrap, false), (Edge::Open, true)] {
        let camera = Camera::fit(Rect::around(&space(edge), []), SIZE, 0);
        let mut picture = Picture::new(SIZE, LIGHT.ground);
        let pen = Pen::new(LIGHT.mark, 3.0);
        track(&mut picture, &camera, &space(edge), &way, pen);
        let seen = |x| pixel(&picture, camera.pixel(Vec2::new(x, 50.0))) == rgb(LIGHT.mark);
        assert!(seen(80.0) && seen(20.0));
        assert_eq!(seen(50.0), crossed, "{edge:?}");
    }
}

#[test]
fn text_stands_where_its_anchor_says() {
    let columns = |anchor| {
        let mut picture = Picture::new((200, 40), LIGHT.ground);
        text(
            &mut picture,
            Vec2::new(100.0, 25.0),
            anchor,
            14.0,
            LIGHT.ink,
            "Hörðβж 日",
        );
        let inked = picture.rgb().enumerate();
        let inked = inked.filter(|(_, pixel)| *pixel != rgb(LIGHT.ground));
        let columns: Vec<usize> = inked.map(|(place, _)| place % 200).collect();
        (
            *columns.iter().min().unwrap(),
            *columns.iter().max().unwrap(),
        )
    };
    let width = text_width("Hörðβж 日", 14.0) as usize;
    assert!(width > 50);
    let (left, right) = (columns(Anchor::Left), columns(Anchor::Right));
    assert!(left.0 >= 100 && left.1 <= 101 + width, "{left:?}");
    assert!(right.1 <= 100, "{right:?}");
    assert_eq!(text_width("", 14.0), 0.0);
}

#[test]
fn a_picture_is_a_png() {
    let picture = Picture::new((0, 3), LIGHT.ground);
    assert_eq!(picture.size(), (1, 3));
    assert!(picture.png().starts_with(b"\x89PNG\r\n"));
}
