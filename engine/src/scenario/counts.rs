//! Counts the things in a scenario as it is written, and compares their numbers with its limits.

use std::ops::Range;

use super::events::{ActionSpec, EventSpec};
use super::fields::{FieldSpec, cells};
use super::findings::Findings;
use super::group_spec::{GoalSpec, SpawnSpec};
use super::layers::LayerSpec;
use super::limits;
use super::ordered::Ordered;
use super::spanned::Spanned;
use super::spec::ScenarioSpec;
use super::surroundings::ObstacleSpec;
use crate::math::Vec2;
use crate::number::Point;

/// The numbers that things count for, and the places where they are written.
type Counts = Vec<(u64, Range<usize>)>;

/// Checks everything that can be counted in the specs, before anything is made from them.
pub(super) fn check(findings: &mut Findings<'_>, spec: &ScenarioSpec) {
    let written = &spec.limits;
    limits::check_maxima(findings, written);
    let counts = names(findings, &spec.groups);
    limits::GROUPS.check(findings, written, counts);
    let counts = names(findings, &spec.obstacles);
    limits::OBSTACLES.check(findings, written, counts);
    let counts = names(findings, &spec.paths);
    limits::PATHS.check(findings, written, counts);
    let counts = names(findings, &spec.fields);
    limits::FIELDS.check(findings, written, counts);
    let counts = field_cells(findings, spec);
    limits::FIELD_CELLS.check(findings, written, counts);
    let counts = names(findings, &spec.layers);
    limits::LAYERS.check(findings, written, counts);
    let counts = layer_cells(findings, spec);
    limits::LAYER_CELLS.check(findings, written, counts);
    let counts: Counts = spec.expect.iter().map(|one| (1, findings.first_word(one))).collect();
    limits::EXPECTATIONS.check(findings, written, counts);
    let counts = names(findings, &spec.measures);
    limits::MEASURES.check(findings, written, counts);
    let counts: Counts = spec.events.iter().map(|event| (1, when(findings, event))).collect();
    limits::EVENTS.check(findings, written, counts);
    let counts = points(findings, spec);
    limits::POINTS.check(findings, written, counts);
    let counts = goals(findings, spec);
    limits::GOALS.check(findings, written, counts);
    let counts = params(findings, spec);
    limits::PARAMS.check(findings, written, counts);
}

/// Returns the places of names, each of which counts for one thing.
fn names<V>(findings: &Findings<'_>, all: &Ordered<V>) -> Counts {
    all.0.iter().map(|(name, _)| (1, findings.span(name))).collect()
}

/// Returns the place where an event says when it happens.
fn when(findings: &Findings<'_>, event: &EventSpec) -> Range<usize> {
    match event {
        EventSpec::At { tick, .. } => findings.span(tick),
        EventSpec::Every { ticks, .. } => findings.span(ticks),
        EventSpec::When { condition, .. } => findings.first_word(condition),
    }
}

/// Returns the number of cells of each field, each with the place of the field's size.
fn field_cells(findings: &Findings<'_>, spec: &ScenarioSpec) -> Counts {
    let size = spec.world.size.read.as_ref().map_or(Vec2::ONE, |size| size.0);
    let count = |(_, field): &(_, FieldSpec)| match field {
        FieldSpec::Vortex { .. } => None,
        FieldSpec::Grid { cell, vectors, .. } => {
            let row = |row: &Spanned<Vec<Point>>| row.read.as_ref().map_or(0, Vec::len) as u64;
            Some((vectors.iter().map(row).sum(), findings.span(cell)))
        }
        FieldSpec::Script { cell, .. } => {
            let (columns, rows) = cells(size, *cell.read.as_ref().ok()?);
            Some((columns.saturating_mul(rows), findings.span(cell)))
        }
    };
    spec.fields.0.iter().filter_map(count).collect()
}

/// Returns the number of cells of each layer, each with the place of their size.
fn layer_cells(findings: &Findings<'_>, spec: &ScenarioSpec) -> Counts {
    let size = spec.world.size.read.as_ref().map_or(Vec2::ONE, |size| size.0);
    let count = |(_, layer): &(_, LayerSpec)| {
        let cell = layer.cell.read.as_ref().ok()?;
        let (columns, rows) = cells(size, *cell);
        Some((columns.saturating_mul(rows), findings.span(&layer.cell)))
    };
    spec.layers.0.iter().filter_map(count).collect()
}

fn points(findings: &Findings<'_>, spec: &ScenarioSpec) -> Counts {
    let corners = spec.obstacles.0.iter().filter_map(|(_, one)| match one {
        ObstacleSpec::Polygon(corners) => Some(corners),
        _ => None,
    });
    let areas = spec.events.iter().filter_map(|event| match event {
        EventSpec::When { condition, .. } => condition.read.as_ref().ok()?.area(),
        _ => None,
    });
    let of_layers = spec.layers.0.iter().flat_map(|(_, layer)| &layer.areas);
    let of_layers = of_layers.filter_map(|one| Some(&one.read.as_ref().ok()?.area));
    let areas = areas.chain(of_layers).filter_map(|area| {
        let points = area.read.as_ref().ok()?.points();
        Some((points as u64, findings.first_word(area)))
    });
    let paths = spec.paths.0.iter().map(|(_, path)| &path.points);
    let lists = corners.chain(paths).filter_map(|points| {
        let count = points.read.as_ref().ok()?.len();
        Some((count as u64, findings.first_word(points)))
    });
    lists.chain(areas).collect()
}

fn goals(findings: &Findings<'_>, spec: &ScenarioSpec) -> Counts {
    let mut all = Vec::new();
    let mut add = |goals: &[GoalSpec]| {
        all.extend(goals.first().map(|first| (goals.len() as u64, findings.span(&first.at))));
    };
    for (_, group) in &spec.groups.0 {
        add(&group.goals);
        if let Ok(SpawnSpec::Agents(agents)) = &group.spawn.read {
            for agent in agents {
                add(&agent.goals);
            }
        }
    }
    for event in &spec.events {
        if let ActionSpec::SetGoals { goals, .. } = event.action() {
            add(goals);
        }
    }
    all
}

fn params(findings: &Findings<'_>, spec: &ScenarioSpec) -> Counts {
    let shared = spec.params.0.len() as u64;
    let mut all = Vec::new();
    for (name, group) in &spec.groups.0 {
        let place = group.params.0.first().map_or(name, |(param, _)| param);
        all.push((shared + group.params.0.len() as u64, findings.span(place)));
    }
    all
}
