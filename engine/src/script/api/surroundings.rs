//! The world, its obstacles and its paths.

use rhai::{Array, Dynamic, FLOAT, INT, ImmutableString};

use super::others::{group_named, point};
use super::{Builder, finite};
use crate::geom::{self, Shape};
use crate::math::Vec2;
use crate::script::error::{self, Problem, Result};
use crate::script::turn::{self, Turn};
use crate::world::{Obstacle, ObstacleId, Path, PathId, Space};

/// The world: `world`.
#[derive(Clone, Copy, Debug)]
pub(in crate::script) struct Surroundings;

/// An obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::script) struct Thing(pub(in crate::script) ObstacleId);

/// A path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::script) struct Way(pub(in crate::script) PathId);

pub(super) fn add(api: &mut Builder) {
    world(api);
    obstacles(api);
    paths(api);
}

fn world(api: &mut Builder) {
    fn property<R: rhai::Variant + Clone>(
        api: &mut Builder,
        name: &'static str,
        get: fn(&Turn) -> R,
    ) {
        api.property(name, move |_: &mut Surroundings| turn::with(|turn| Ok(get(turn))));
    }
    api.kind::<Surroundings>();
    property(api, "time", |turn| turn.world.time());
    property(api, "tick", |turn| INT::try_from(turn.world.tick).unwrap_or(INT::MAX));
    property(api, "dt", |turn| turn.world.dt);
    property(api, "size", |turn| turn.world.space.size);
    property(api, "min", |turn| turn.world.space.min);
    property(api, "max", |turn| Space::max(&turn.world.space));
    property(api, "cursor", |turn| turn.world.cursor.map_or(Dynamic::UNIT, Dynamic::from));
    api.property("obstacles", |_: &mut Surroundings| {
        turn::ask(|turn| {
            Ok((0..turn.world.obstacles.len())
                .map(|i| Dynamic::from(Thing(ObstacleId(i as u16))))
                .collect::<Array>())
        })
    });
    api.function("obstacle", |_: Surroundings, name: ImmutableString| {
        turn::ask(|turn| {
            turn.world.obstacle_named(&name).map(Thing).ok_or_else(|| {
                let known = turn.world.obstacles.iter().map(|obstacle| obstacle.name.as_ref());
                Problem::new(format!("there is no obstacle `{name}`")).suggest(&name, known).into()
            })
        })
    });
    api.function("path", |_: Surroundings, name: ImmutableString| {
        turn::ask(|turn| path_named(turn, &name).map(Way))
    });
    api.function("count", |_: Surroundings| turn::with(|turn| Ok(turn.world.agents.len() as INT)));
    api.function("count", |_: Surroundings, group: ImmutableString| {
        turn::ask(|turn| {
            let group = group_named(&turn.world, &group)?;
            Ok(turn.world.count(group) as INT)
        })
    });
}

fn obstacles(api: &mut Builder) {
    fn property<R: rhai::Variant + Clone>(
        api: &mut Builder,
        name: &'static str,
        get: fn(&Obstacle) -> R,
    ) {
        api.property(name, move |thing: &mut Thing| {
            turn::with(|turn| Ok(get(turn.world.obstacle(thing.0))))
        });
    }
    api.kind::<Thing>();
    property(api, "name", |obstacle| ImmutableString::from(obstacle.name.as_ref()));
    property(api, "center", |obstacle| obstacle.shape.center());
    property(api, "radius", |obstacle| obstacle.shape.radius());
    for (name, look) in OF_SHAPE {
        api.open::<Thing>(name, 1, |arguments| {
            turn::ask(|turn| {
                let shape = receiver::<Thing>(arguments)
                    .map(|thing| &turn.world.obstacle(thing.0).shape)?;
                Ok(look(shape, point(turn, name, arguments[1])?))
            })
            .map(turn::plain)
        });
    }
    api.function("==", |a: Thing, b: Thing| a == b);
    api.function("!=", |a: Thing, b: Thing| a != b);
}

fn paths(api: &mut Builder) {
    fn property<R: rhai::Variant + Clone>(
        api: &mut Builder,
        name: &'static str,
        get: fn(&Path) -> R,
    ) {
        api.property(name, move |way: &mut Way| turn::ask(|turn| Ok(get(turn.world.path(way.0)))));
    }
    api.kind::<Way>();
    property(api, "name", |path| ImmutableString::from(path.name.as_ref()));
    property(api, "radius", |path| path.radius);
    property(api, "count", |path| path.points.len() as INT);
    property(api, "length", |path| geom::polyline_length(&path.points, path.is_closed()));
    api.function("point", |way: Way, place: INT| {
        turn::with(|turn| {
            let points = &turn.world.path(way.0).points;
            usize::try_from(place).ok().and_then(|place| points.get(place)).copied().ok_or_else(
                || {
                    Problem::new(format!("the path has no point {place}"))
                        .help(format!("its points are 0 to {}", points.len() - 1))
                        .into()
                },
            )
        })
    });
    api.function("point", |_: Way, _: FLOAT| -> Result<Vec2> {
        Err(Problem::from(error::mismatch("a float", "an integer")).into())
    });
    for (name, look) in OF_PATH {
        api.open::<Way>(name, 1, |arguments| {
            turn::ask(|turn| {
                let path = receiver::<Way>(arguments).map(|way| turn.world.path(way.0))?;
                let at = point(turn, name, arguments[1])?;
                let nearest = path.nearest(at);
                Ok(look(nearest))
            })
            .map(turn::plain)
        });
    }
    api.function("at", |way: Way, along: FLOAT| at(way, along));
    api.function("at", |way: Way, along: INT| at(way, along as FLOAT));
    api.function("==", |a: Way, b: Way| a == b);
    api.function("!=", |a: Way, b: Way| a != b);
}

type OfShape = fn(&Shape, Vec2) -> Dynamic;
type OfPath = fn(geom::OnPolyline) -> Dynamic;

/// What a script asks of an obstacle about a point, or about where an agent is.
const OF_SHAPE: &[(&str, OfShape)] = &[
    ("contains", |shape, point| shape.contains(point).into()),
    ("distance", |shape, point| shape.surface(point).distance.into()),
    ("closest", |shape, point| Dynamic::from(shape.surface(point).point)),
    ("normal", |shape, point| Dynamic::from(shape.surface(point).normal)),
];

/// What a script asks of a path about the nearest place on it.
const OF_PATH: &[(&str, OfPath)] = &[
    ("closest", |nearest| Dynamic::from(nearest.point)),
    ("distance", |nearest| nearest.distance.into()),
    ("along", |nearest| nearest.along.into()),
];

/// What a function was called on.
fn receiver<T: rhai::Variant + Clone>(arguments: &[&mut Dynamic]) -> Result<T> {
    arguments[0].clone().try_cast().ok_or_else(|| Problem::new("called on something else").into())
}

fn at(way: Way, along: f32) -> Result<Vec2> {
    turn::ask(|turn| {
        let path = turn.world.path(way.0);
        finite(geom::point_along(&path.points, path.is_closed(), along))
    })
}

/// The path that a script names.
pub(super) fn path_named(turn: &Turn, name: &str) -> Result<PathId> {
    turn.world.path_named(name).ok_or_else(|| {
        let known = turn.world.paths.iter().map(|path| path.name.as_ref());
        Problem::new(format!("there is no path `{name}`")).suggest(name, known).into()
    })
}
