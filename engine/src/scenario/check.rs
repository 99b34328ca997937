//! From specs to a checked scenario.

use std::sync::Arc;

use super::events::{self, CheckedEvents, EventNames, EventSpec, SpawnEvent};
use super::findings::{Findings, names_in_order};
use super::spec::ScenarioSpec;
use super::start::{self, StartContext};
use super::{
    Scenario, counts, expect, fields, golden, groups, hunt, inputs, layers, limits, measures,
    moving_obstacles, obstacle_warnings, shared, surroundings, warnings,
};
use crate::diag::{Code, Diagnostic, Diagnostics, Source};
use crate::expect::ScenarioFacts;
use crate::number::Positive;
use crate::sim::{Setup, Spawn, State};

/// The maximum number of seconds per tick. A larger number is meant as milliseconds or as a rate.
const MAX_DT: f32 = 10.0;

/// The default number of ticks of a run: ten seconds at the default `dt`.
const DEFAULT_TICKS: u64 = 600;

/// Checks everything and returns the scenario if there are no errors. `is_whole` says whether nothing that is written is left out of it.
pub(super) fn check(
    source: &Arc<Source>,
    spec: ScenarioSpec,
    is_whole: bool,
) -> Result<Scenario, Diagnostics> {
    let mut findings = Findings::new(source);
    counts::check(&mut findings, &spec);
    // A scenario with too much of something would also take too long to check.
    let mut findings = findings.without_errors()?;
    let ticks = spec.ticks.map_or(DEFAULT_TICKS, |ticks| ticks.get());
    let space = surroundings::space(&mut findings, &spec.world);
    let way_cell = surroundings::way_cell(&mut findings, &spec.world, &space);
    let obstacle_names = findings.names("obstacle", &spec.obstacles);
    let obstacles = surroundings::obstacles(&mut findings, &spec.obstacles, &obstacle_names);
    let absent_obstacles = names_in_order(&mut findings, &spec.absent_obstacles, &obstacle_names);
    let input_names = findings.names("input", &spec.inputs);
    let inputs = inputs::build(&mut findings, &spec.inputs, &input_names);
    let path_names = findings.names("path", &spec.paths);
    let paths = surroundings::paths(&mut findings, &spec.paths, &path_names);
    let moving_obstacles = moving_obstacles::build(
        &mut findings,
        &spec.moving_obstacles,
        &obstacle_names,
        &path_names,
    );
    let (fields, field_scripts) = fields::build(&mut findings, &spec.fields, &space);
    let dt = dt(&mut findings, &spec);
    let known_space = spec.world.size.read.is_ok().then_some(&space);
    let layers = layers::build(&mut findings, &spec.layers, known_space, dt);
    let group_names = findings.names("group", &spec.groups);
    let built = groups::build(&mut findings, &spec.params, &spec.groups, &group_names, &path_names);
    let shared = shared::build(&mut findings, &spec.shared);
    let start_context = StartContext {
        ticks,
        space: &space,
        groups: &built.groups,
        group_names: &group_names,
        path_names: &path_names,
        obstacle_names: &obstacle_names,
        layers: &layers,
        input_names: &input_names,
        shared: &shared,
        conditions: spec.events.iter().filter(|one| matches!(one, EventSpec::When { .. })).count(),
    };
    let start = start::build(&mut findings, spec.start.as_ref(), &start_context);
    let from = start.as_ref().map_or(0, |start| start.tick);
    let event_names = EventNames {
        groups: &group_names,
        obstacles: &obstacle_names,
        paths: &path_names,
        inputs: &input_names,
        shared: &shared,
    };
    let CheckedEvents { events, spawning } =
        events::build(&mut findings, &spec.events, from..ticks, &event_names, &built, dt);
    let facts = ScenarioFacts {
        from,
        ticks,
        dt,
        groups: &built.groups,
        spawns: &built.spawns,
        start: start.as_ref(),
        events: &events,
        obstacles: obstacles.len(),
        is_complete: is_whole && !findings.has_errors(),
    };
    let expectations =
        expect::build(&mut findings, &spec.expect, &facts, &group_names, &path_names);
    let measures = measures::build(&mut findings, &spec.measures);
    let agents = agents_at_start(start.as_ref(), &built.spawns);
    let terms = golden::build(&mut findings, &spec.golden, from..ticks, agents);
    let hunts_keep = hunt::build(&mut findings, &spec.hunt);
    let mut findings = findings.without_errors()?;
    check_numbers(&mut findings, &spec, &built, start.as_ref(), &spawning);
    let mut findings = findings.without_errors()?;

    let most_by_paths = limits::AGENTS_TIMES_PATHS.value(&spec.limits) / paths.len().max(1) as u64;
    let mut setup = Setup {
        max_agents: limits::AGENTS.value(&spec.limits).min(most_by_paths) as usize,
        seed: spec.seed.map_or(0, |seed| seed.get()),
        dt,
        order: spec.order,
        space,
        obstacles,
        absent_obstacles,
        moving_obstacles,
        inputs,
        way_cell,
        paths,
        fields,
        layers,
        shared: shared.values(),
        groups: built.groups.into_iter().zip(built.spawns).collect(),
        events,
        start,
    };
    let seed = setup.seed;
    for (group, spawn) in &mut setup.groups {
        group.draw_bodies(seed, spawn.count);
    }
    warnings::check(&mut findings, &setup, &spec);
    findings.warn_of_leading_zeros();
    if setup.start.is_none() {
        warnings::empty_groups(&mut findings, &setup, &spec.groups);
    }
    obstacle_warnings::check(&mut findings, &setup, &spec, ticks);
    Ok(Scenario {
        name: spec.name,
        ticks,
        setup,
        behaviors: built.behaviors,
        field_scripts,
        expectations,
        measures,
        golden: terms,
        hunts_keep,
        numbers: groups::numbers(&findings, &spec.params, &spec.groups),
        paths: spec.paths.0.iter().map(|(_, path)| findings.place(&path.points)).collect(),
        goals: groups::written_goals(&findings, &spec.groups),
        obstacles: spec.obstacles.0.first().map(|(name, _)| findings.place(name)),
        inputs: spec.inputs.0.iter().map(|(name, _)| findings.place(name)).collect(),
        formations: groups::formations(&findings, &spec.groups),
        fields: spec.fields.0.iter().map(|(name, _)| findings.place(name)).collect(),
        layers: spec.layers.0.iter().map(|(name, _)| findings.place(name)).collect(),
        shared: spec.shared.0.iter().map(|(name, _)| findings.place(name)).collect(),
        inherited: built.inherited,
        declared: built.declared,
        public: built.public,
        unless_scripts: findings.take_unless_scripts(),
        warnings: findings.finish(),
    })
}

/// Returns the number of agents at the first tick.
fn agents_at_start(start: Option<&State>, spawns: &[Spawn]) -> u64 {
    match start {
        Some(start) => start.agents.len() as u64,
        None => spawns.iter().map(|spawn| u64::from(spawn.count)).sum(),
    }
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
