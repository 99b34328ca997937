//! Test cases of SteerBench: from XML to a scenario.
//!
//! Their x and z are our x and y, seen from above. A rotation about their upward axis turns z toward x, so angles change
//! their sign.

mod chance;
mod read;

use std::sync::Arc;

use flockwork_engine::Diagnostic;
use flockwork_engine::diag::Source;
use flockwork_engine::geom::{OrientedBox, Polygon, Shape};
use flockwork_engine::math::{self, Vec2};

use super::Wanted;
use super::notes::Notes;
use super::ron_text::{comment, number, plain, point, points, quote, world};
use super::xml::XmlText;
use crate::area::{Point, bounds, most};
use chance::Chance;
use read::{AgentRead, GoalRead, Obstacle, RegionRead, SomePoint, TestCase, read};

/// The rule that agents follow unless the user names another one.
const BEHAVIOR: &str = "steerbench/goto";

/// Seconds per tick in SteerSuite.
const DT: f64 = 0.05;

/// The shortest run, in seconds.
const MIN_SECONDS: f64 = 10.0;

/// An agent with all its numbers.
struct Agent {
    name: String,
    radius: f64,
    max_speed: f64,
    at: Point,
    /// The direction in which it looks; `None` if it has none.
    direction: Option<Point>,
    speed: f64,
    goals: Vec<Goal>,
}

struct Goal {
    at: Point,
    radius: f64,
}

/// Agents that are made in the same way.
struct Group {
    name: String,
    radius: f64,
    max_speed: f64,
    spawn: Spawn,
    has_goals: bool,
}

enum Spawn {
    Agents(Vec<Agent>),
    /// A number of agents like this one, in a box.
    Rect(u32, (Point, Point), Agent),
}

/// Returns the scenario of a test case.
///
/// # Errors
///
/// If the file is not a test case.
pub(super) fn scenario(
    source: &Arc<Source>,
    wanted: &Wanted<'_>,
    notes: &mut Notes<'_>,
) -> Result<String, Diagnostic> {
    let text = XmlText::new(source);
    let document = text.parse()?;
    let case = read(text.elements(), document.root_element(), notes)?;
    let mut chance = Chance::new(wanted.seed, case.bounds);
    let obstacles = obstacles(&case, &mut chance, notes);
    let mut groups = groups(&case, &mut chance, notes);
    if groups.is_empty() {
        notes.mention("the file has no agents: there is one, which stands");
        groups.extend(group_of("agents".to_owned(), vec![standing(case.bounds)]));
    }
    let seconds = run_seconds(&groups);
    note_durations(&case, seconds, notes);
    Ok(scenario_text(&case, &obstacles, &groups, seconds, wanted, notes))
}

/// Returns all obstacles with their names.
fn obstacles(
    case: &TestCase,
    chance: &mut Chance,
    notes: &mut Notes<'_>,
) -> Vec<(String, Obstacle)> {
    let mut all: Vec<(String, Obstacle)> = Vec::new();
    for (number, obstacle) in (1..).zip(&case.obstacles) {
        chance.keep_free(shape(obstacle));
        all.push((format!("{} {number}", kind(obstacle)), obstacle.clone()));
    }
    for (region, one) in (1..).zip(&case.obstacle_regions) {
        let mut crowded = 0;
        for index in 1..=one.count {
            let half = one.size / 2.0;
            let (at, is_free) = chance.free_point(
                &format!("square of region {region}"),
                index,
                one.bounds,
                half * 2f64.sqrt(),
            );
            crowded += u32::from(!is_free);
            let obstacle = Obstacle::Box { center: at, size: [one.size; 2], angle_deg: 0.0 };
            chance.keep_free(shape(&obstacle));
            all.push((format!("square {index} of region {region}"), obstacle));
        }
        notes.warn(
            one.span.clone(),
            format!(
                "`obstacleRegion` becomes {} boxes at places that depend on `--seed`",
                one.count
            ),
        );
        if crowded > 0 {
            notes.warn(
                one.span.clone(),
                format!("{crowded} boxes of this region overlap others, for lack of space"),
            );
        }
    }
    all
}

fn kind(obstacle: &Obstacle) -> &'static str {
    match obstacle {
        Obstacle::Box { .. } => "box",
        Obstacle::Circle { .. } => "circle",
        Obstacle::Polygon(_) => "polygon",
    }
}

fn vec2([x, y]: Point) -> Vec2 {
    Vec2::new(x as f32, y as f32)
}

fn shape(obstacle: &Obstacle) -> Shape {
    match obstacle {
        Obstacle::Box { center, size, angle_deg } => {
            let angle = (*angle_deg as f32).to_radians();
            Shape::Box(OrientedBox::new(vec2(*center), vec2(*size) * 0.5, angle))
        }
        Obstacle::Circle { center, radius } => {
            Shape::Circle { center: vec2(*center), radius: *radius as f32 }
        }
        Obstacle::Polygon(corners) => {
            Shape::Polygon(Polygon::new(corners.iter().map(|corner| vec2(*corner)).collect()))
        }
    }
}

/// Returns the corners of the box around an obstacle.
fn extent(obstacle: &Obstacle) -> [Point; 2] {
    let (min, max) = shape(obstacle).bounds();
    [min, max].map(|corner| [f64::from(corner.x), f64::from(corner.y)])
}

/// Returns the groups: those of single agents, and one for each region.
fn groups(case: &TestCase, chance: &mut Chance, notes: &mut Notes<'_>) -> Vec<Group> {
    let mut listed: Vec<Agent> = Vec::new();
    // Places that the file gives come first, since agents at random places must not overlap them.
    let is_placed = |agent: &AgentRead| matches!(agent.at, SomePoint::At(_));
    for placed in [true, false] {
        for (index, agent) in (1..).zip(&case.agents) {
            if is_placed(agent) == placed {
                listed.push(concrete("agent", index, agent, case.bounds, chance, notes));
            }
        }
    }
    let (with, without): (Vec<_>, Vec<_>) =
        listed.into_iter().partition(|agent| !agent.goals.is_empty());
    let mut groups = Vec::new();
    for (name, agents) in [("agents", with), ("agents without goals", without)] {
        groups.extend(group_of(name.to_owned(), agents));
    }
    for (number, region) in (1..).zip(&case.regions) {
        groups.extend(region_group(number, region, chance, notes));
    }
    groups
}

/// Returns an agent that stands in the middle of a box.
fn standing((min, max): (Point, Point)) -> Agent {
    Agent {
        name: String::new(),
        radius: 0.5,
        max_speed: read::USUAL_SPEED,
        at: [(min[0] + max[0]) / 2.0, (min[1] + max[1]) / 2.0],
        direction: None,
        speed: 0.0,
        goals: Vec::new(),
    }
}

/// Returns the group of a region.
fn region_group(
    number: u32,
    region: &RegionRead,
    chance: &mut Chance,
    notes: &mut Notes<'_>,
) -> Option<Group> {
    let name = format!("region {number}");
    let agent = &region.agent;
    let is_random = |goal: &GoalRead| matches!(goal.at, SomePoint::Random);
    let moves_at_random = agent.speed != 0.0 && matches!(agent.direction, SomePoint::Random);
    if agent.goals.iter().any(is_random) || moves_at_random {
        notes.warn(
            region.span.clone(),
            format!("the {} agents of this region are listed one by one, at places and with goals that depend on `--seed`", region.count),
        );
        let agents = (1..=region.count)
            .map(|index| concrete(&name, index, agent, region.bounds, chance, notes));
        return group_of(name.clone(), agents.collect());
    }
    notes.warn(
        region.span.clone(),
        "`agentRegion` becomes a `Rect` spawn: places depend on the seed, and bodies may overlap at the start",
    );
    if matches!(agent.direction, SomePoint::Random) {
        notes.warn(region.span.clone(), "the random directions of this region are left out: its agents look along x until they move");
    }
    let one = concrete(&name, 0, agent, region.bounds, chance, notes);
    (region.count > 0).then(|| Group {
        name,
        radius: one.radius,
        max_speed: one.max_speed,
        has_goals: !one.goals.is_empty(),
        spawn: Spawn::Rect(
            region.count,
            region.bounds,
            Agent { direction: fixed(agent.direction), ..one },
        ),
    })
}

fn fixed(point: SomePoint) -> Option<Point> {
    match point {
        SomePoint::At(at) => Some(at).filter(|at| *at != [0.0; 2]),
        SomePoint::Random => None,
    }
}

fn group_of(name: String, agents: Vec<Agent>) -> Option<Group> {
    let (radius, max_speed) = agents.first().map(|first| (first.radius, first.max_speed))?;
    let has_goals = agents.iter().all(|agent| !agent.goals.is_empty());
    Some(Group { name, radius, max_speed, spawn: Spawn::Agents(agents), has_goals })
}

/// Draws all numbers of an agent that the file leaves to chance.
fn concrete(
    what: &str,
    index: u32,
    agent: &AgentRead,
    bounds: (Point, Point),
    chance: &mut Chance,
    notes: &mut Notes<'_>,
) -> Agent {
    let at = match agent.at {
        SomePoint::At(at) => at,
        SomePoint::Random => {
            let (at, is_free) = chance.free_point(what, index, bounds, agent.radius);
            if !is_free {
                notes.warn(
                    agent.span.clone(),
                    format!("{what} {index} overlaps something, for lack of space"),
                );
            }
            at
        }
    };
    if index > 0 {
        chance.keep_free(Shape::Circle { center: vec2(at), radius: agent.radius as f32 });
    }
    let direction = match agent.direction {
        SomePoint::Random => Some(chance.direction(what, index)),
        SomePoint::At(_) => fixed(agent.direction),
    };
    let goals = (0..).zip(&agent.goals).map(|(number, goal)| Goal {
        at: match goal.at {
            SomePoint::At(at) => at,
            SomePoint::Random => chance.goal(&format!("{what} {index}"), number),
        },
        radius: goal.radius.unwrap_or(agent.radius),
    });
    Agent {
        name: agent.name.clone(),
        radius: agent.radius,
        max_speed: agent.max_speed,
        at,
        direction,
        speed: agent.speed,
        goals: goals.collect(),
    }
}

/// Returns how long the run is: twice the time that the agent with the longest way needs along straight lines.
fn run_seconds(groups: &[Group]) -> f64 {
    let needed = |agent: &Agent, from: Point| {
        let mut here = from;
        let mut way = 0.0;
        for goal in &agent.goals {
            way += distance(here, goal.at);
            here = goal.at;
        }
        way / agent.max_speed
    };
    let slowest = groups.iter().flat_map(|group| match &group.spawn {
        Spawn::Agents(agents) => {
            agents.iter().map(|agent| needed(agent, agent.at)).collect::<Vec<_>>()
        }
        Spawn::Rect(_, (min, max), agent) => {
            let corners = [*min, *max, [min[0], max[1]], [max[0], min[1]]];
            corners.iter().map(|corner| needed(agent, *corner)).collect()
        }
    });
    most(2.0 * slowest.fold(0.0, most), MIN_SECONDS).ceil()
}

fn distance(a: Point, b: Point) -> f64 {
    let offset = [b[0] - a[0], b[1] - a[1]];
    (offset[0] * offset[0] + offset[1] * offset[1]).sqrt()
}

/// Notes goals that agents would give up during the run.
fn note_durations(case: &TestCase, seconds: f64, notes: &mut Notes<'_>) {
    let regions = case.regions.iter().map(|region| &region.agent);
    let goals = case.agents.iter().chain(regions).flat_map(|agent| &agent.goals);
    let short = goals.filter(|goal| goal.duration.is_some_and(|duration| duration < seconds));
    let spans: Vec<_> = short.map(|goal| goal.span.clone()).collect();
    if let Some(first) = spans.first() {
        notes.warn(
            first.clone(),
            format!("`timeDuration` is left out, since an agent never gives up a goal here: {} are shorter than this run", spans.len()),
        );
    }
}

/// Writes the scenario.
fn scenario_text(
    case: &TestCase,
    obstacles: &[(String, Obstacle)],
    groups: &[Group],
    seconds: f64,
    wanted: &Wanted<'_>,
    notes: &mut Notes<'_>,
) -> String {
    let behavior = wanted.behavior.unwrap_or(BEHAVIOR);
    if wanted.behavior.is_none() {
        notes.mention(format!(
            "the behavior is `{BEHAVIOR}`, which walks straight to the goal; it ships as scripts/{BEHAVIOR}.rhai. Name another one with --behavior"
        ));
    }
    let mut text = head(case, wanted, notes);
    let file_name = wanted.file.trim_end_matches(".xml");
    let name = if case.name.is_empty() { file_name } else { &case.name };
    text += &format!("(\n    name: {},\n", quote(name));
    text += &format!("    seed: {},\n    dt: {},\n", wanted.seed, number(DT));
    text += &format!("    ticks: {},\n", (seconds / DT).round());
    text += &format!("    {}\n", extent_of_all(obstacles, groups));
    if !obstacles.is_empty() {
        text += "    obstacles: {\n";
        for (name, obstacle) in obstacles {
            text += &format!("        {}: {},\n", quote(name), obstacle_text(obstacle));
        }
        text += "    },\n";
    }
    text += "    groups: {\n";
    for group in groups {
        text += &group_text(group, behavior);
    }
    text += "    },\n";
    let with_goals: Vec<_> = groups.iter().filter(|group| group.has_goals).collect();
    if !with_goals.is_empty() {
        text += "    expect: [\n";
        for group in with_goals {
            text += &format!("        ReachAll(group: {}),\n", quote(&group.name));
        }
        text += "    ],\n";
    }
    text += ")\n";
    text
}

fn head(case: &TestCase, wanted: &Wanted<'_>, notes: &Notes<'_>) -> String {
    let mut lines =
        vec![format!("Imported from {}, a SteerBench test case.", wanted.file), String::new()];
    if !case.description.is_empty() {
        lines.push(format!("In its own words: {}", case.description));
        lines.push(String::new());
    }
    if !case.criteria.is_empty() {
        lines.push(format!("How it is to be passed, in its own words: {}", case.criteria));
        lines.push(String::new());
    }
    lines.push(
        "Seen from above, in meters and seconds: x and z of the file are x and y here. Not in the file: ticks \
         of 0.05 s, as in SteerSuite; a run of twice the time that the longest way takes; goals that are reached \
         within the radius of the agent; and the end of each agent at its last goal."
            .to_owned(),
    );
    let notes = notes.lines();
    if !notes.is_empty() {
        lines.push(String::new());
        lines.push("Not as in the file:".to_owned());
        lines.extend(notes);
    }
    comment(&lines)
}

/// Returns the rectangle of the world: everything that the scenario names.
fn extent_of_all(obstacles: &[(String, Obstacle)], groups: &[Group]) -> String {
    let mut all: Vec<Point> = Vec::new();
    for (_, obstacle) in obstacles {
        all.extend(extent(obstacle));
    }
    for group in groups {
        let goals = |agent: &Agent| agent.goals.iter().map(|goal| goal.at).collect::<Vec<_>>();
        match &group.spawn {
            Spawn::Agents(agents) => {
                for agent in agents {
                    all.push(agent.at);
                    all.extend(goals(agent));
                }
            }
            Spawn::Rect(_, (min, max), agent) => {
                all.extend([*min, *max]);
                all.extend(goals(agent));
            }
        }
    }
    world(bounds(all).unwrap_or_default(), 1.0)
}

fn obstacle_text(obstacle: &Obstacle) -> String {
    match obstacle {
        Obstacle::Box { center, size, angle_deg } => {
            let angle = match angle_deg {
                0.0 => String::new(),
                angle => format!(", angle_deg: {}", number(*angle)),
            };
            format!("Box(center: {}, size: {}{angle})", point(*center), point(*size))
        }
        Obstacle::Circle { center, radius } => {
            format!("Circle(center: {}, radius: {})", point(*center), number(*radius))
        }
        Obstacle::Polygon(corners) => format!("Polygon({})", points(corners)),
    }
}

fn group_text(group: &Group, behavior: &str) -> String {
    let mut text = format!("        {}: (\n", quote(&group.name));
    text += &format!("            behavior: {},\n", quote(behavior));
    let (radius, max_speed) = (number(group.radius), number(group.max_speed));
    text += &format!("            body: (radius: {radius}, max_speed: {max_speed}),\n");
    match &group.spawn {
        Spawn::Agents(agents) => {
            text += "            spawn: Agents([\n";
            for agent in agents {
                text += &format!("                {}\n", agent_text(agent, group));
            }
            text += "            ]),\n";
        }
        Spawn::Rect(count, (min, max), agent) => {
            text += &format!("            count: {count},\n");
            text +=
                &format!("            spawn: Rect(min: {}, max: {}),\n", point(*min), point(*max));
            for field in motion(agent) {
                text += &format!("            {field},\n");
            }
            if !agent.goals.is_empty() {
                text += &format!("            goals: {},\n", goals_text(&agent.goals));
            }
        }
    }
    if group.has_goals {
        text += "            after_goals: Remove,\n";
    }
    text += "        ),\n";
    text
}

fn agent_text(agent: &Agent, group: &Group) -> String {
    let mut fields = vec![format!("at: {}", point(agent.at))];
    fields.extend(motion(agent));
    if agent.radius != group.radius || agent.max_speed != group.max_speed {
        let (radius, max_speed) = (number(agent.radius), number(agent.max_speed));
        fields.push(format!("body: (radius: {radius}, max_speed: {max_speed})"));
    }
    if !agent.goals.is_empty() {
        fields.push(format!("goals: {}", goals_text(&agent.goals)));
    }
    let name = plain(&agent.name);
    let name = if name.is_empty() { name } else { format!("   // {name}") };
    format!("({}),{name}", fields.join(", "))
}

/// Returns the fields for velocity and heading.
fn motion(agent: &Agent) -> Vec<String> {
    let Some([x, y]) = agent.direction else {
        return Vec::new();
    };
    let mut fields = Vec::new();
    if agent.speed != 0.0 {
        let share = agent.speed / distance([0.0; 2], [x, y]);
        // Digits beyond these are rounding errors of the division.
        let velocity = [x, y].map(|part| (part * share * 1e6).round() / 1e6);
        fields.push(format!("velocity: {}", point(velocity)));
    }
    let angle = math::atan2(y as f32, x as f32).to_degrees();
    fields.push(format!("heading_deg: {}", number((f64::from(angle) * 1e4).round() / 1e4)));
    fields
}

fn goals_text(goals: &[Goal]) -> String {
    let goals = goals
        .iter()
        .map(|goal| format!("(at: {}, radius: {})", point(goal.at), number(goal.radius)));
    format!("[{}]", goals.collect::<Vec<_>>().join(", "))
}
