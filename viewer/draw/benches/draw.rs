//! Measures how long each part of a frame of the window takes, on one thread.
//!
//! The pictures have 1280x800 pixels. The window has 16 ms for a whole frame.

use criterion::{Criterion, criterion_group, criterion_main};
use flockwork_core::geom::Shape;
use flockwork_core::math::random::Mix;
use flockwork_core::math::{self, Vec2};
use flockwork_core::world::{AgentShape, Edge, Obstacle, Path, PathMode, Space};
use flockwork_draw as draw;
use flockwork_draw::{AgentMark, Anchor, Camera, LIGHT, Pen, Picture, Trail};

const SIZE: (u32, u32) = (1280, 800);

/// A world with pillars and a path around them.
struct BenchScene {
    space: Space,
    obstacles: Vec<Obstacle>,
    paths: Vec<Path>,
    camera: Camera,
}

fn scene() -> BenchScene {
    let space = Space { edge: Edge::Wrap, min: Vec2::ZERO, size: Vec2::new(1280.0, 800.0) };
    let pillars = (0..12).map(|pillar| Obstacle {
        name: format!("pillar {pillar}").into(),
        shape: Shape::Circle {
            center: Vec2::new(100.0 + 95.0 * pillar as f32, 400.0),
            radius: 20.0,
        },
    });
    let path = [(150.0, 150.0), (1100.0, 200.0), (1100.0, 650.0), (150.0, 600.0)];
    BenchScene {
        space,
        obstacles: pillars.collect(),
        paths: vec![Path {
            name: "way".into(),
            points: path.map(Vec2::from).to_vec(),
            radius: 30.0,
            mode: PathMode::Loop,
        }],
        camera: Camera::fit(draw::Rect::around(&space, []), SIZE, 24),
    }
}

/// Returns agents of four groups at random places. The radius of their bodies is in world units, which here are pixels.
fn marks(space: &Space, agents: u64, radius: f32) -> Vec<AgentMark<'static>> {
    let mark = |agent| {
        let random = Mix::new(7).with(agent);
        AgentMark {
            pos: space.size * Vec2::new(random.with(0).unit(), random.with(1).unit()),
            heading: random.with(2).direction(),
            radius,
            size: radius,
            color: LIGHT.group(agent as usize % 4),
            shape: &AgentShape::Dart,
        }
    };
    (0..agents).map(mark).collect()
}

fn frames(bench: &mut Criterion) {
    let scene = scene();
    let mut picture = Picture::new(SIZE, LIGHT.ground);
    for (name, agents, radius) in [
        ("10000 agents", 10_000, 2.0),
        ("1000 agents", 1000, 2.0),
        ("1000 agents of 12 px", 1000, 12.5),
        ("300 agents of 30 px", 300, 31.0),
        ("1000000 agents", 1_000_000, 0.2),
    ] {
        let marks = marks(&scene.space, agents, radius);
        bench.bench_function(name, |bench| {
            bench.iter(|| {
                background(&mut picture, &scene);
                draw::agents(&mut picture, &scene.camera, &LIGHT, &scene.space, &marks);
            });
        });
    }
    // Simulate zooming: no two frames have the same scale.
    let marks = marks(&scene.space, 10_000, 2.0);
    let cameras: Vec<Camera> = (0..64)
        .map(|step| {
            scene.camera.zoomed(1.0 + 0.06 * step as f32, Vec2::new(600.0, 300.0), &scene.camera)
        })
        .collect();
    let mut cameras = cameras.iter().cycle();
    bench.bench_function("10000 agents, zooming", |bench| {
        bench.iter(|| {
            let camera = cameras.next().unwrap_or(&scene.camera);
            background(&mut picture, &scene);
            draw::agents(&mut picture, camera, &LIGHT, &scene.space, &marks);
        });
    });
    bench.bench_function("background alone", |bench| {
        bench.iter(|| background(&mut picture, &scene));
    });
}

fn background(picture: &mut Picture, scene: &BenchScene) {
    let BenchScene { space, obstacles, paths, camera } = scene;
    let scenery = draw::Scenery { obstacles, paths, ..draw::Scenery::bare(space) };
    draw::background(picture, camera, &LIGHT, scenery);
}

fn trails(bench: &mut Criterion) {
    let scene = scene();
    let tracks: Vec<(Vec<Vec2>, draw::Color)> = marks(&scene.space, 300, 2.0)
        .iter()
        .map(|mark| {
            let bend = |step: u32| math::rotated(mark.heading, step as f32 * 0.03);
            let steps = (0..60).map(|step| bend(step) * 4.0);
            let track = steps.scan(mark.pos, |at, step| {
                *at = scene.space.apply_edge(*at + step, Vec2::ZERO).0;
                Some(*at)
            });
            (track.collect(), mark.color)
        })
        .collect();
    let mut picture = Picture::new(SIZE, LIGHT.ground);
    bench.bench_function("trails of 300 agents", |bench| {
        bench.iter(|| {
            let trails = tracks.iter().map(|(places, color)| Trail { places, color: *color });
            draw::trails(&mut picture, &scene.camera, &scene.space, trails);
        });
    });
}

/// Measures drawing the forces of many agents one by one and all at once.
fn forces(bench: &mut Criterion) {
    let scene = scene();
    let forces: Vec<(Vec2, Vec2, Pen)> = marks(&scene.space, 50_000, 1.0)
        .iter()
        .zip(0..)
        .map(|(mark, agent)| {
            let at = scene.camera.pixel(mark.pos);
            let length = 45.0 * Mix::new(8).with(agent).unit();
            (at, at + mark.heading * length, Pen::new(mark.color.alpha(200), 1.2))
        })
        .collect();
    let mut picture = Picture::new(SIZE, LIGHT.ground);
    bench.bench_function("forces of 50000 agents, one by one", |bench| {
        bench.iter(|| {
            for (from, to, pen) in &forces {
                draw::arrow(&mut picture, *from, *to, *pen);
            }
        });
    });
    bench.bench_function("forces of 50000 agents", |bench| {
        bench.iter(|| draw::arrows(&mut picture, &forces));
    });
}

fn letters(bench: &mut Criterion) {
    let mut picture = Picture::new(SIZE, LIGHT.ground);
    let line = "separation(20) + 2 * alignment: 17.25 ";
    bench.bench_function("page of 500 letters", |bench| {
        bench.iter(|| {
            for row in 0..13 {
                let at = Vec2::new(20.0, 30.0 + 18.0 * row as f32);
                draw::text(&mut picture, at, Anchor::Left, 13.0, LIGHT.ink, line);
            }
        });
    });
}

fn pixels(bench: &mut Criterion) {
    let picture = Picture::new(SIZE, LIGHT.ground);
    let mut copy = Vec::new();
    bench.bench_function("copying the pixels", |bench| {
        bench.iter(|| picture.copy_rgb(&mut copy));
    });
}

criterion_group!(benches, frames, trails, forces, letters, pixels);
criterion_main!(benches);
