//! Warnings about goals that obstacles cut off, and about paths that lead agents through obstacles.

use std::collections::HashMap;
use std::rc::Rc;

use crate::diag::{Code, Diagnostic, Place};
use crate::math::{self, Vec2, short};
use crate::scenario::GOAL_HELP;
use crate::script::Mentions;
use crate::world::{AgentId, Group, GroupId, Obstacle, Path, PathId, PathMode, World};

/// The maximum number of pairs of an agent and a goal that are examined: some tenths of a second.
const MAX_TESTS: usize = 1_000_000;

/// The maximum number of different radii of bodies that are examined, since the grid of ways is computed for each.
const MAX_RADII: usize = 8;

/// A goal that some agents of a group cannot reach.
struct Unreachable {
    /// The number of agents that cannot reach it.
    agents: usize,
    /// The first such agent: its id and where it starts.
    agent: (AgentId, Vec2),
    /// The goal, and the point nearest to it that this agent can reach.
    goal: Vec2,
    nearest: Vec2,
}

/// Returns a warning for each group whose script knows obstacles or whose bodies are solid, if obstacles cut off a goal from
/// the start of an agent. `written` has the goals of each group and their places in the scenario.
pub(super) fn goals(
    world: &World,
    mentions: &[Rc<Mentions>],
    written: &[Vec<(Vec2, Place)>],
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if world.obstacles.is_empty() {
        return found;
    }
    let mut rows = vec![Vec::new(); world.groups.len()];
    for (row, group) in world.agents.group.iter().enumerate() {
        rows[usize::from(group.0)].push(row);
    }
    let mut tests_left = MAX_TESTS;
    let mut radii: Vec<f32> = Vec::new();
    for (group, (mentioned, written)) in mentions.iter().zip(written).enumerate() {
        let body = &world.groups[group].body;
        let is_stopped = body.solid || mentioned.reads_obstacles();
        if written.is_empty() || !is_stopped {
            continue;
        }
        if !body.solid && mentioned.searches_ways() {
            found.extend(too_near(world, &world.groups[group], written));
        }
        if !radii.contains(&body.radius) {
            if radii.len() == MAX_RADII {
                continue;
            }
            radii.push(body.radius);
        }
        let Some(first) = first_unreachable(world, &rows[group], &mut tests_left) else {
            continue;
        };
        // A scenario that begins in the middle of a run may have other goals.
        if let Some((_, place)) = written.iter().find(|(at, _)| *at == first.goal) {
            let group = GroupId(group as u16);
            found.push(warning(world, group, &first).at(&place.source, place.span.clone()));
        }
    }
    found
}

/// Returns a warning if a goal is so near to an obstacle that a body on a way around the obstacle does not reach it. The scenario's
/// own warnings have the goals inside of obstacles, and those of solid bodies.
fn too_near(world: &World, group: &Group, written: &[(Vec2, Place)]) -> Option<Diagnostic> {
    let goals = group.goals.iter().flat_map(|sequence| sequence.iter());
    goals.take(MAX_TESTS / world.obstacles.len()).find_map(|goal| {
        let is_behind = |one: &&Obstacle| {
            let distance = one.shape.surface(goal.at).distance;
            distance > 0.0 && group.body.radius - distance > goal.radius
        };
        let obstacle = world.obstacles.iter().find(is_behind)?;
        let (_, place) = written.iter().find(|(at, _)| *at == goal.at)?;
        let what = format!(
            "a goal of group `{}` is too near to an obstacle for its agents, which go around it",
            group.name
        );
        let warning = Diagnostic::warning(what)
            .code(Code::GoalInObstacle)
            .label(format!("this is too near to `{}`", obstacle.name))
            .help(GOAL_HELP);
        Some(warning.at(&place.source, place.span.clone()))
    })
}

/// Returns the first goal that an agent of a group cannot reach. `rows` are those of its agents.
fn first_unreachable(world: &World, rows: &[usize], tests_left: &mut usize) -> Option<Unreachable> {
    let mut found: Option<Unreachable> = None;
    // Where ways end is the same for many agents, and the exact distance from there takes long.
    let mut distances: HashMap<[u32; 5], f32> = HashMap::new();
    for &row in rows {
        let agent = world.agent(row);
        let goals = world.agents.goals_left(row, &world.groups);
        let Some(left) = tests_left.checked_sub(goals.len()) else {
            break;
        };
        *tests_left = left;
        // Once a goal is found, only that one counts.
        let wanted = found.as_ref().map(|found| found.goal);
        let mut goals = goals.iter().filter(|goal| wanted.is_none_or(|wanted| wanted == goal.at));
        let unreachable = goals.find_map(|goal| {
            let radius = world.radius_of(row);
            let (end, least) = world.end_of_way_apart(agent.pos(), goal.at, radius)?;
            let is_near = least < goal.radius;
            let key = [end.x, end.y, goal.at.x, goal.at.y, radius].map(f32::to_bits);
            let mut exact = || {
                let made = || world.least_distance_apart(end, goal.at, radius);
                *distances.entry(key).or_insert_with(made)
            };
            (!is_near || exact() >= goal.radius).then_some((goal.at, end))
        });
        if let Some((goal, nearest)) = unreachable {
            let agent = (agent.id(), agent.pos());
            found.get_or_insert(Unreachable { agents: 0, agent, goal, nearest }).agents += 1;
        }
    }
    found
}

fn warning(world: &World, group: GroupId, first: &Unreachable) -> Diagnostic {
    let (count, of) = (first.agents, world.count(group));
    let group = world.group(group);
    let have = if count == 1 { "has" } else { "have" };
    let (agent, start) = first.agent;
    let radius = short(group.body.radius);
    let point = math::short_vector;
    Diagnostic::warning(format!("{count} of {of} agents of group `{}` {have} no way to this goal", group.name))
        .code(Code::UnreachableGoal)
        .label(format!(
            "agent {agent} starts at {}, and gets no nearer than about {}",
            point(start),
            point(first.nearest)
        ))
        .help(format!("obstacles are in between: move the goal, or leave a gap that is wider than the agents, whose radius is {radius}"))
}

/// Returns a warning for each path that goes through an obstacle and that a group follows whose script does not know the obstacles there.
/// `written` has the places of the paths.
pub(super) fn paths(
    world: &World,
    mentions: &[Rc<Mentions>],
    written: &[Place],
) -> Vec<Diagnostic> {
    let mut tests_left = MAX_TESTS;
    let mut found = Vec::new();
    for ((path, place), id) in world.paths.iter().zip(written).zip(0..) {
        let follows = |group: usize| {
            let is_own = world.groups[group].follows(PathId(id));
            let is_named = mentions[group].names(&path.name);
            (is_own || is_named) && !mentions[group].knows_obstacles_on_paths()
        };
        let Some(follower) = (0..mentions.len()).find(|&group| follows(group)) else {
            continue;
        };
        let Some(left) = tests_left.checked_sub(path.points.len() * world.obstacles.len()) else {
            break;
        };
        tests_left = left;
        if let Some((number, at, name)) = first_obstacle(world, path) {
            let group = &world.groups[follower].name;
            let at = math::short_vector(at);
            let what = format!(
                "path `{}`, which group `{group}` follows, goes through obstacle `{name}`",
                path.name
            );
            let warning = Diagnostic::warning(what)
                .code(Code::PathThroughObstacle)
                .label(format!("after the point with index {number}, the path reaches the obstacle at {at}"))
                .help("nothing in the script keeps agents on the path out of obstacles: lead the path around this one, or go from point to point with `me.go_to(point)`");
            found.push(warning.at(&place.source, place.source.token(place.span.start)));
        }
    }
    found
}

/// Returns the index of the first point of a path after which an obstacle is in the way, where the path reaches it, and the name
/// of the obstacle.
fn first_obstacle<'w>(world: &'w World, path: &Path) -> Option<(usize, Vec2, &'w str)> {
    let back = (path.mode == PathMode::Loop).then(|| path.points.first()).flatten();
    let ends = path.points.iter().skip(1).chain(back);
    path.points.iter().zip(ends).enumerate().find_map(|(number, (from, to))| {
        let offset = world.space.offset(*from, *to);
        let length = math::length(offset);
        world.obstacles.iter().find_map(|one| {
            let hit = one.shape.cast(*from, offset, length, 0.0)?;
            Some((number, hit.point, &*one.name))
        })
    })
}
