//! Warnings about a scenario that can run but is probably wrong: agents and goals in bad places, groups that stay empty,
//! and ticks that are too long.

use super::ScriptAct;
use super::events::ActionSpec;
use super::findings::Findings;
use super::group_spec::{GoalSpec, GroupSpec};
use super::ordered::Ordered;
use super::spanned::Spanned;
use super::spec::ScenarioSpec;
use crate::diag::{Code, Diagnostic};
use crate::geom::Shape;
use crate::math::{self, Vec2};
use crate::sim::{Action, Setup};
use crate::world::{Body, Edge, GroupId, Obstacle, Space, World};

/// Maximum number of tests of an agent against an obstacle: about a quarter of a second.
const MAX_TESTS: usize = 50_000_000;

/// The least distance from obstacles that solid agents should have at the start, as a multiple of their radius: they may touch
/// obstacles.
const LEAST_ROOM: f32 = 0.99;

/// An agent that can move more than this many diameters in a tick gets a warning, since it can jump over obstacles and
/// other agents.
const LONG_STEP_IN_DIAMETERS: f32 = 4.0;

/// An agent that can move more than this part of the shorter side of the world in a tick gets a warning.
const LONG_STEP_IN_WORLDS: f32 = 0.5;

/// Help for a goal in an obstacle, or too near to one.
pub(crate) const GOAL_HELP: &str =
    "agents that avoid the obstacle cannot reach it: move the goal or enlarge its `radius`";

/// Adds all warnings.
pub(super) fn check(findings: &mut Findings<'_>, setup: &Setup, spec: &ScenarioSpec) {
    if setup.start.is_none() {
        check_spawns(findings, setup, &spec.groups);
    }
    check_goals(findings, setup, spec);
    check_steps(findings, setup, spec);
    check_absent_obstacles(findings, setup, spec);
}

/// Warns of obstacles that are absent from the beginning to the end.
fn check_absent_obstacles(findings: &mut Findings<'_>, setup: &Setup, spec: &ScenarioSpec) {
    for written in &spec.absent_obstacles {
        let Ok(name) = &written.read else { continue };
        let appears = setup.events.iter().any(|event| {
            matches!(&event.action, Action::SetObstacle { obstacle, present: true } if **obstacle == **name)
        });
        if !appears {
            let never = Diagnostic::warning(format!("obstacle `{name}` is never there"))
                .label("absent at first, and no event puts it there")
                .help(format!(
                    "add an event with `SetObstacle(obstacle: \"{name}\", present: true)`"
                ));
            findings.add(never, findings.span(written));
        }
    }
}

/// Warns of agents that start inside an obstacle or outside the world.
fn check_spawns(findings: &mut Findings<'_>, setup: &Setup, specs: &Ordered<GroupSpec>) {
    let groups = setup.groups.iter().map(|(group, _)| group.clone());
    let world =
        World::new(setup.seed, setup.dt, setup.space, Vec::new(), Vec::new(), groups.collect());
    let present = setup.obstacles.iter().filter(|one| !setup.absent_obstacles.contains(&one.name));
    let obstacles: Vec<BoundedObstacle<'_>> = present
        .map(|obstacle| match obstacle.shape {
            Shape::Room { .. } => (obstacle, None),
            _ => (obstacle, Some(obstacle.shape.bounds())),
        })
        .collect();
    let mut tests_left = MAX_TESTS / (obstacles.len() + 1);

    for (i, ((group, spawn), (_, spec))) in setup.groups.iter().zip(&specs.0).enumerate() {
        let mut bad = BadSpawns::default();
        let tested = (spawn.count as usize).min(tests_left);
        tests_left -= tested;
        for index in 0..tested as u32 {
            let pos = spawn.agent(&world, GroupId(i as u16), index).pos;
            bad.add(index, pos, setup, &obstacles, group.body_of(index));
        }
        let least = if tested < spawn.count as usize { "at least " } else { "" };
        let agents = format!("of {} agents of group `{}`", spawn.count, group.name);
        for (bad, code, what, help) in bad.kinds(&setup.space) {
            let Some(label) = bad.first else { continue };
            let what = format!("{least}{} {agents} {what}", bad.count);
            let mut warning = Diagnostic::warning(what).code(code).label(label);
            if let Some(help) = help {
                warning = warning.help(help);
            }
            findings.add(warning, findings.first_word(&spec.spawn));
        }
    }
}

/// An obstacle and its bounds; a room has none.
type BoundedObstacle<'a> = (&'a Obstacle, Option<(Vec2, Vec2)>);

/// The agents of a group that start in bad places.
#[derive(Default)]
struct BadSpawns {
    inside: CountAndFirst,
    overlapping: CountAndFirst,
    outside: CountAndFirst,
}

/// A number of agents, with the words for the first one.
#[derive(Default)]
struct CountAndFirst {
    count: u32,
    first: Option<String>,
}

impl BadSpawns {
    /// Tests the place of the agent with an index in its group. `obstacles` are those that are there at first.
    fn add(
        &mut self,
        index: u32,
        pos: Vec2,
        setup: &Setup,
        obstacles: &[BoundedObstacle<'_>],
        body: &Body,
    ) {
        if distance_outside(&setup.space, pos) > 0.0 {
            self.outside.add(|| format!("the one with index {index} would be at {pos}"));
        }
        let (pos, _) = setup.space.apply_edge(pos, Vec2::ZERO);
        // Other bodies may overlap obstacles.
        let room = if body.solid { LEAST_ROOM * body.radius } else { 0.0 };
        let is_near = |bounds: &Option<(Vec2, Vec2)>| {
            bounds.is_none_or(|(low, high)| {
                pos.cmpge(low - room).all() && pos.cmple(high + room).all()
            })
        };
        let near = || obstacles.iter().filter(|(_, bounds)| is_near(bounds)).map(|(one, _)| *one);
        if let Some(Obstacle { name, .. }) = near().find(|one| one.shape.contains(pos)) {
            self.inside.add(|| format!("the one with index {index} at {pos} is inside `{name}`"));
        } else if let Some(Obstacle { name, .. }) =
            near().find(|one| one.shape.surface(pos).distance < room)
        {
            self.overlapping
                .add(|| format!("the one with index {index} at {pos} overlaps `{name}`"));
        }
    }

    /// Returns each kind of bad place, with what a warning says about it and how to help.
    fn kinds(self, space: &Space) -> [(CountAndFirst, Code, &'static str, Option<String>); 3] {
        let solid =
            "they are solid, so the first tick moves them: leave as much room as their radius";
        let extent = describe_extent(space, "its edge moves them in");
        [
            (self.inside, Code::StartInObstacle, "start inside an obstacle", None),
            (
                self.overlapping,
                Code::StartInObstacle,
                "overlap an obstacle at the start",
                Some(solid.to_owned()),
            ),
            (self.outside, Code::OutsideWorld, "start outside the world", Some(extent)),
        ]
    }
}

impl CountAndFirst {
    /// Counts an agent. The words are kept for the first one.
    fn add(&mut self, words: impl FnOnce() -> String) {
        self.count += 1;
        self.first.get_or_insert_with(words);
    }
}

/// Returns the warnings of groups that have no agents at the start and get none by events.
pub(super) fn empty_groups(findings: &mut Findings<'_>, setup: &Setup, specs: &Ordered<GroupSpec>) {
    let groups = setup.groups.iter().zip(&specs.0);
    for (of, ((group, spawn), (_, spec))) in (0..).map(GroupId).zip(groups) {
        let is_spawned = setup
            .events
            .iter()
            .any(|event| matches!(event.action, Action::Spawn { group, .. } if group == of));
        let Some(count) = spec.count.as_ref().filter(|_| spawn.count == 0 && !is_spawned) else {
            continue;
        };
        let warning = Diagnostic::warning(format!("group `{}` never has an agent", group.name))
            .code(Code::EmptyGroup)
            .label("no agents at the start, and neither an event nor a script makes any")
            .help("raise `count`, or add an event with `Spawn`");
        findings.add_unless(ScriptAct::Makes(of), warning, findings.span(count));
    }
}

/// Returns how far outside the world a place is, and 0 inside. An open world has no edge, but a place is surely wrong if
/// its distance from the declared rectangle is more than the longer side of that rectangle.
fn distance_outside(space: &Space, pos: Vec2) -> f32 {
    let (low, high) = extent(space);
    math::length(pos - pos.clamp(low, high))
}

/// Returns the smallest and the largest corner of the part of the plane outside of which a place is surely wrong.
pub(super) fn extent(space: &Space) -> (Vec2, Vec2) {
    let margin = match space.edge {
        Edge::Open => math::max(space.size.x, space.size.y),
        Edge::Wrap | Edge::Bounce | Edge::Clamp => 0.0,
    };
    (space.min - margin, space.max() + margin)
}

pub(super) fn describe_extent(space: &Space, edge: &str) -> String {
    let (min, max) = (space.min, space.max());
    match space.edge {
        Edge::Open => format!("the world goes from {min} to {max}"),
        Edge::Wrap | Edge::Bounce | Edge::Clamp => {
            format!("the world goes from {min} to {max}, and {edge}")
        }
    }
}

/// Warns of goals outside the world or inside an obstacle, which no agent can reach.
fn check_goals(findings: &mut Findings<'_>, setup: &Setup, spec: &ScenarioSpec) {
    let changing = setup.changing_obstacles();
    let lasting: Vec<&Obstacle> =
        setup.obstacles.iter().filter(|one| !changing.contains(&one.name)).collect();
    let mut tests_left = MAX_TESTS / (lasting.len() + 1);
    let mut check_group = |group: usize, goals: Vec<&GoalSpec>| {
        let (group, _) = &setup.groups[group];
        let (mut inside, mut beyond) = (Vec::new(), Vec::new());
        for goal in goals.into_iter().take(tests_left) {
            tests_left -= 1;
            let Ok(at) = &goal.at.read else { continue };
            let radius = goal.radius.map_or(0.0, |radius| radius.0);
            if distance_outside(&setup.space, at.0) > radius {
                beyond.push(&goal.at);
                continue;
            }
            // The goal is inside, or too near for a solid body, and its radius does not reach the centers of bodies that
            // touch the obstacle.
            let is_behind = |one: &&Obstacle| {
                let distance = one.shape.surface(at.0).distance;
                (distance <= 0.0 || group.body.solid) && group.body.radius - distance > radius
            };
            if let Some(obstacle) = lasting.iter().copied().find(is_behind) {
                inside.push((&goal.at, obstacle, at.0));
            }
        }
        let of = |count: usize| match count {
            1 => format!("a goal of group `{}` is", group.name),
            _ => format!("{count} goals of group `{}` are", group.name),
        };
        if let Some(&first) = beyond.first() {
            let what = format!("{} outside the world", of(beyond.len()));
            let warning = Diagnostic::warning(what)
                .code(Code::OutsideWorld)
                .help(describe_extent(&setup.space, "its edge keeps agents inside"));
            findings.add(warning, findings.span(first));
        }
        if let Some(&(first, Obstacle { name, shape }, at)) = inside.first() {
            let is_inside = shape.surface(at).distance <= 0.0;
            let (whole, one) = match is_inside {
                true => ("inside an obstacle", "inside"),
                false => ("too near to an obstacle for solid agents", "too near to"),
            };
            let warning = Diagnostic::warning(format!("{} {whole}", of(inside.len())))
                .code(Code::GoalInObstacle)
                .label(format!("this is {one} `{name}`"))
                .help(GOAL_HELP);
            findings.add(warning, findings.span(first));
        }
    };
    for (i, (_, group)) in spec.groups.0.iter().enumerate() {
        check_group(i, group.all_goals().collect());
    }
    for event in &spec.events {
        if let ActionSpec::SetGoals { group, goals } = event.action() {
            let is_it = |(key, _): &(Spanned<String>, _)| key.read == group.read;
            let of = spec.groups.0.iter().position(is_it);
            if let Some(of) = of {
                check_group(of, goals.iter().collect());
            }
        }
    }
}

/// Warns of a tick that is so long that agents can jump over others.
fn check_steps(findings: &mut Findings<'_>, setup: &Setup, spec: &ScenarioSpec) {
    let side = math::min(setup.space.size.x, setup.space.size.y);
    for ((group, _), (key, _)) in setup.groups.iter().zip(&spec.groups.0) {
        let body = group.body;
        let step = body.max_speed * setup.dt;
        let diameters = step / (2.0 * body.radius);
        let far = if !step.is_finite() {
            continue;
        } else if step > side * LONG_STEP_IN_WORLDS {
            format!("more than half of the world ({side})")
        } else if body.radius > 0.0 && diameters > LONG_STEP_IN_DIAMETERS {
            format!("{diameters:.0} times their diameter")
        } else {
            continue;
        };
        let mut warning = Diagnostic::warning(format!(
            "agents of group `{}` may move {step} in one tick, {far}",
            group.name
        ))
        .code(Code::LongStep)
        .help("`max_speed` is per second, and a tick lasts `dt` seconds: make one of them smaller");
        let written = spec.dt.as_ref().or(spec.hz.as_ref());
        let place = match written {
            Some(written) => {
                warning = warning
                    .label(format!("{} seconds per tick", setup.dt))
                    .related(findings.place(key), format!("`max_speed` is {}", body.max_speed));
                findings.span(written)
            }
            None => findings.span(key),
        };
        findings.add(warning, place);
        return;
    }
}
