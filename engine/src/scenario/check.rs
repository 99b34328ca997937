//! From specs to a checked scenario: the world, and the scenario as a whole.

use std::sync::Arc;

use super::events::{self, SpawnEvent};
use super::findings::{Findings, KnownNames};
use super::ordered::Ordered;
use super::spec::{ObstacleSpec, PathSpec, ScenarioSpec, WorldSpec};
use super::start::{self, StartContext};
use super::{Scenario, expect, fields, golden, groups, limits, measures, warnings};
use crate::diag::{Code, Diagnostic, Diagnostics, Source};
use crate::expect::ScenarioFacts;
use crate::geom::{OrientedBox, Polygon, Shape};
use crate::math::{self, Vec2};
use crate::number::{Point, Positive};
use crate::sim::{Setup, State};
use crate::world::{self, Obstacle, Path, Space};

/// The maximum number of seconds per tick. A larger number is meant as milliseconds or as a rate.
const MAX_DT: f32 = 10.0;

/// The default number of ticks of a run: ten seconds at the default `dt`.
const DEFAULT_TICKS: u64 = 600;

/// Checks everything and returns the scenario if there are no errors.
pub(super) fn check(source: &Arc<Source>, spec: ScenarioSpec) -> Result<Scenario, Diagnostics> {
    let mut findings = Findings::new(source);
    limits::check(&mut findings, &spec);
    if findings.has_errors() {
        // A scenario with too much of something would also take too long to check.
        return Err(findings.finish().into());
    }
    let ticks = spec.ticks.map_or(DEFAULT_TICKS, |ticks| ticks.get());
    let space = space(&mut findings, &spec.world);
    let way_cell = way_cell(&mut findings, &spec.world, &space);

    let obstacle_names = findings.names("obstacle", &spec.obstacles);
    let obstacles = obstacles(&mut findings, &spec.obstacles, &obstacle_names);
    let path_names = findings.names("path", &spec.paths);
    let paths = paths(&mut findings, &spec.paths, &path_names);
    let field_names = findings.names("field", &spec.fields);
    let (fields, field_scripts) = fields::build(&mut findings, &spec.fields, &field_names, &space);
    let group_names = findings.names("group", &spec.groups);
    let built = groups::build(&mut findings, &spec.params, &spec.groups, &group_names, &path_names);
    let start_context = StartContext {
        ticks,
        space: &space,
        groups: &built.groups,
        group_names: &group_names,
        path_names: &path_names,
    };
    let start = start::build(&mut findings, spec.start.as_ref(), &start_context);
    let from = start.as_ref().map_or(0, |start| start.tick);
    let (events, spawning) =
        events::build(&mut findings, &spec.events, from..ticks, &group_names, &built);
    let dt = dt(&mut findings, &spec);
    let facts = ScenarioFacts {
        from,
        ticks,
        dt,
        groups: &built.groups,
        spawns: &built.spawns,
        start: start.as_ref(),
        events: &events,
        obstacles: obstacles.len(),
        is_complete: !findings.has_errors(),
    };
    let expectations =
        expect::build(&mut findings, &spec.expect, &facts, &group_names, &path_names);
    let measure_names = findings.names("measure", &spec.measures);
    let measures = measures::build(&mut findings, &spec.measures, &measure_names);
    let agents = match &start {
        Some(start) => start.agents.len() as u64,
        None => built.spawns.iter().map(|of| u64::from(of.count)).sum(),
    };
    let terms = golden::build(&mut findings, &spec.golden, from..ticks, agents);
    if !findings.has_errors() {
        check_numbers(&mut findings, &spec, &built, start.as_ref(), &spawning);
    }
    if findings.has_errors() {
        return Err(findings.finish().into());
    }

    let setup = Setup {
        seed: spec.seed.map_or(0, |seed| seed.get()),
        dt,
        order: spec.order,
        space,
        obstacles,
        way_cell,
        paths,
        fields,
        groups: built.groups.into_iter().zip(built.spawns).collect(),
        events,
        start,
    };
    warnings::check(&mut findings, &setup, &spec);
    Ok(Scenario {
        name: spec.name,
        ticks,
        setup,
        behaviors: built.behaviors,
        field_scripts,
        expectations,
        measures,
        golden: terms,
        numbers: groups::numbers(&findings, &spec.params, &spec.groups),
        paths: spec.paths.0.iter().map(|(_, path)| findings.place(&path.points)).collect(),
        goals: groups::written_goals(&findings, &spec.groups),
        obstacles: spec.obstacles.0.first().map(|(name, _)| findings.place(name)),
        formations: groups::formations(&findings, &spec.groups),
        fields: spec.fields.0.iter().map(|(name, _)| findings.place(name)).collect(),
        inherited: built.inherited,
        declared: built.declared,
        warnings: findings.finish(),
    })
}

/// Returns the seconds per tick, from `dt` or from `hz`.
fn dt(findings: &mut Findings<'_>, spec: &ScenarioSpec) -> f32 {
    let dt = spec.dt.as_ref().and_then(|dt| findings.read(dt));
    let Some(hz) = &spec.hz else {
        if let (Some(Positive(dt)), Some(written)) = (dt, &spec.dt)
            && *dt > MAX_DT
        {
            let mut long = Diagnostic::error(format!(
                "expected at most {MAX_DT} seconds per tick, found `{dt}`"
            ))
            .code(Code::OutOfRange)
            .help(format!("`dt` is in seconds: did you mean milliseconds, `dt: {}`?", dt / 1000.0));
            if *dt >= 20.0 {
                long = long.help(format!("or ticks per second, `hz: {dt}`?"));
            }
            findings.add(long, findings.span(written));
            return Setup::DEFAULT_DT;
        }
        return dt.map_or(Setup::DEFAULT_DT, |dt| dt.0);
    };
    let place = findings.span(hz);
    if let Some(dt) = &spec.dt {
        let both = Diagnostic::error("`hz` and `dt` both give the length of a tick")
            .label("1 / `hz` seconds per tick")
            .related(findings.place(dt), "and this is also the length of a tick")
            .help("keep one of them");
        findings.add(both, place);
        return Setup::DEFAULT_DT;
    }
    let Some(hz) = findings.read(hz) else {
        return Setup::DEFAULT_DT;
    };
    let dt = 1.0 / hz.0;
    if !dt.is_finite() || dt > MAX_DT {
        let slow = Diagnostic::error(format!(
            "expected at least {} ticks per second, found `{}`",
            1.0 / MAX_DT,
            hz.0
        ));
        findings.add(slow.code(Code::OutOfRange), place);
        return Setup::DEFAULT_DT;
    }
    dt
}

/// Checks that there are agents, but not too many.
fn check_numbers(
    findings: &mut Findings<'_>,
    spec: &ScenarioSpec,
    built: &groups::CheckedGroups,
    start: Option<&State>,
    spawning: &[SpawnEvent],
) {
    let mut all: Vec<_> = match (start, &spec.start) {
        (Some(start), Some(written)) => {
            vec![(u64::from(start.agents.made()), findings.first_word(written))]
        }
        _ => {
            let at_start = built.spawns.iter().zip(&spec.groups.0);
            let at_start = at_start.map(|(spawn, (_, group))| {
                let place = match &group.count {
                    Some(count) => findings.span(count),
                    None => findings.first_word(&group.spawn),
                };
                (u64::from(spawn.count), place)
            });
            at_start.collect()
        }
    };
    let later = spawning.iter().map(|spawning| (spawning.agents, spawning.place.clone()));
    all.extend(later);

    let total = all.iter().fold(0u64, |total, (agents, _)| total.saturating_add(*agents));
    limits::AGENTS.check(findings, &spec.limits, all.iter().cloned());
    let paths = spec.paths.0.len() as u64;
    let places = all.iter().map(|(agents, place)| (agents.saturating_mul(paths), place.clone()));
    limits::AGENTS_TIMES_PATHS.check(findings, &spec.limits, places);
    if let Some((_, place)) = all.into_iter().next().filter(|_| total == 0 && start.is_none())
        && spawning.is_empty()
    {
        findings.error("no agents: give a group a count above 0, or spawn some in an event", place);
    }
}

fn space(findings: &mut Findings<'_>, spec: &WorldSpec) -> Space {
    let size = findings.read(&spec.size).map_or(Vec2::ONE, |size| size.0);
    let min = spec.min.0;
    if !(min + size).cmpgt(min).all() {
        findings.error(
            "the world is too small for its distance from (0, 0): enlarge `size` or move `min` closer to 0",
            findings.span(&spec.size),
        );
    }
    Space { edge: spec.edge, min, size }
}

/// Returns the side of the cells of ways.
fn way_cell(findings: &mut Findings<'_>, spec: &WorldSpec, space: &Space) -> Option<f32> {
    let written = spec.way_cell.as_ref()?;
    let side = findings.read(written)?.0;
    let smallest = world::smallest_way_cell(space);
    if side < smallest {
        let size = space.size.as_dvec2();
        let cells = (size.x / f64::from(side)).round() * (size.y / f64::from(side)).round();
        let what = format!("cells of this size are too many for the world: {cells}");
        // Rounded up.
        let least = math::short(1.001 * smallest);
        let many = Diagnostic::error(what)
            .code(Code::OutOfRange)
            .help(format!("the smallest `way_cell` of this world is {least}"));
        findings.add(many, findings.span(written));
    }
    Some(side)
}

fn obstacles(
    findings: &mut Findings<'_>,
    specs: &Ordered<ObstacleSpec>,
    names: &KnownNames,
) -> Vec<Obstacle> {
    let entries = specs.0.iter().zip(&names.all);
    entries
        .filter_map(|((_, spec), name)| {
            let name = Arc::clone(name);
            shape(findings, spec).map(|shape| Obstacle { name, shape })
        })
        .collect()
}

fn shape(findings: &mut Findings<'_>, spec: &ObstacleSpec) -> Option<Shape> {
    Some(match spec {
        ObstacleSpec::Circle { center, radius } => {
            Shape::Circle { center: center.0, radius: radius.0 }
        }
        ObstacleSpec::Box { center, size, angle_deg } => {
            Shape::Box(OrientedBox::new(center.0, size.0 * 0.5, radians(angle_deg.0)))
        }
        ObstacleSpec::Segment { from, to } => Shape::Segment { from: from.0, to: to.0 },
        ObstacleSpec::Polygon(corners) => {
            let points = vectors(findings.read(corners)?);
            let problem = if points.len() < 3 {
                "a polygon needs at least three corners"
            } else if !has_area(&points) {
                "a polygon must enclose an area: its corners lie on one line, or its edges cross"
            } else {
                return Some(Shape::Polygon(Polygon::new(points)));
            };
            findings.error(problem, findings.span(corners));
            return None;
        }
        ObstacleSpec::Room { min, max } => {
            let (min, max) = (min.0, findings.read(max).map(|read| (read.0, max))?);
            if !min.cmplt(max.0).all() {
                report_wrong_order(findings, "room", findings.span(max.1));
            }
            Shape::Room { min, max: max.0 }
        }
    })
}

/// Reports that the corners of a rectangle are in the wrong order.
pub(super) fn report_wrong_order(
    findings: &mut Findings<'_>,
    what: &str,
    place: std::ops::Range<usize>,
) {
    let wrong =
        Diagnostic::error(format!("`max` of a {what} must be above `min` in both coordinates"));
    findings.add(wrong.label("not above `min`"), place);
}

/// Returns whether the corners enclose an area that is larger than the rounding errors of their coordinates.
fn has_area(corners: &[Vec2]) -> bool {
    let first = corners[0];
    let (mut doubled, mut extent, mut largest) = (0.0f64, 0.0f32, 0.0f32);
    for pair in corners.windows(2) {
        let (a, b) = (pair[0] - first, pair[1] - first);
        doubled += f64::from(a.x) * f64::from(b.y) - f64::from(a.y) * f64::from(b.x);
    }
    for corner in corners {
        let off = (*corner - first).abs();
        extent = math::max(extent, math::max(off.x, off.y));
        largest = math::max(largest, math::max(corner.x.abs(), corner.y.abs()));
    }
    doubled.abs() > f64::from(f32::EPSILON) * f64::from(extent) * f64::from(largest)
}

fn paths(findings: &mut Findings<'_>, specs: &Ordered<PathSpec>, names: &KnownNames) -> Vec<Path> {
    let mut all = Vec::new();
    for ((_, spec), name) in specs.0.iter().zip(&names.all) {
        let points = match findings.read(&spec.points) {
            Some(points) => vectors(points),
            None => continue,
        };
        if points.len() < 2 {
            findings.error("a path needs at least two points", findings.span(&spec.points));
        }
        all.push(Path { name: Arc::clone(name), points, radius: spec.radius.0, mode: spec.mode });
    }
    all
}

/// Converts points to vectors.
pub(super) fn vectors(points: &[Point]) -> Vec<Vec2> {
    points.iter().map(|point| point.0).collect()
}

/// Converts an angle from degrees to radians, without full turns.
fn radians(degrees: f32) -> f32 {
    (degrees % 360.0) * (math::PI / 180.0)
}

/// Returns the unit vector at an angle in degrees, counter-clockwise from the x axis. Exact along the axes.
pub(super) fn direction(degrees: f32) -> Vec2 {
    let degrees = degrees % 360.0;
    if degrees % 90.0 == 0.0 {
        match (degrees / 90.0) as i32 {
            1 | -3 => Vec2::Y,
            2 | -2 => Vec2::NEG_X,
            3 | -1 => Vec2::NEG_Y,
            _ => Vec2::X,
        }
    } else {
        math::direction(radians(degrees))
    }
}
