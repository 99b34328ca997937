//! Reads a test case of SteerBench, as the schema and the reader of SteerSuite define it.

use std::ops::Range;

use flockwork_engine::Diagnostic;
use roxmltree::Node;

use super::super::notes::Notes;
use super::super::ron_text::plain;
use super::super::xml::{Xml, children, name};
use crate::area::{Point, least};

/// The speed of agents whose goals have no `desiredSpeed`, in meters per second: SteerBench's usual one.
pub(super) const USUAL_SPEED: f64 = 1.3;

/// The largest number of agents of a region.
const MAX_AGENTS: u32 = 1_000_000;
/// The largest number of obstacles of a region.
const MAX_OBSTACLES: u32 = 10_000;

/// A test case.
pub(super) struct TestCase {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) criteria: String,
    pub(super) bounds: (Point, Point),
    pub(super) obstacles: Vec<Obstacle>,
    pub(super) obstacle_regions: Vec<ObstacleRegion>,
    pub(super) agents: Vec<AgentRead>,
    pub(super) regions: Vec<RegionRead>,
}

/// An obstacle.
#[derive(Clone)]
pub(super) enum Obstacle {
    Box { center: Point, size: Point, angle_deg: f64 },
    Circle { center: Point, radius: f64 },
    Polygon(Vec<Point>),
}

/// Square obstacles at random points.
pub(super) struct ObstacleRegion {
    pub(super) span: Range<usize>,
    pub(super) count: u32,
    pub(super) size: f64,
    pub(super) bounds: (Point, Point),
}

/// A point or a direction, or one that is drawn.
#[derive(Clone, Copy)]
pub(super) enum SomePoint {
    At(Point),
    Random,
}

/// An agent as the file describes it.
pub(super) struct AgentRead {
    pub(super) span: Range<usize>,
    pub(super) name: String,
    pub(super) radius: f64,
    pub(super) at: SomePoint,
    pub(super) direction: SomePoint,
    pub(super) speed: f64,
    /// The desired speed of the first goal.
    pub(super) max_speed: f64,
    pub(super) goals: Vec<GoalRead>,
}

/// A goal as the file describes it.
pub(super) struct GoalRead {
    pub(super) span: Range<usize>,
    pub(super) at: SomePoint,
    /// Its radius, if it is not that of the agent.
    pub(super) radius: Option<f64>,
    /// The time after which an agent gives it up, in seconds.
    pub(super) duration: Option<f64>,
}

/// Agents at random points.
pub(super) struct RegionRead {
    pub(super) span: Range<usize>,
    pub(super) count: u32,
    pub(super) bounds: (Point, Point),
    pub(super) agent: AgentRead,
}

/// The elements of a test case.
const TOP: [&str; 10] = [
    "header",
    "suggestedCameraView",
    "agent",
    "agentRegion",
    "agentEmitter",
    "obstacle",
    "obstacleRegion",
    "circleObstacle",
    "orientedBoxObstacle",
    "polygonObstacle",
];

/// Reads a test case from its root element.
///
/// # Errors
///
/// The first error in the file.
pub(super) fn read(
    xml: Xml<'_>,
    root: Node<'_, '_>,
    notes: &mut Notes<'_>,
) -> Result<TestCase, Diagnostic> {
    if name(root) != "SteerBenchTestCase" {
        let message =
            format!("this is not a test case of SteerBench: its root is `{}`", name(root));
        return Err(xml
            .error(root, message)
            .help("expected the root element `SteerBenchTestCase`"));
    }
    let header = xml.need(root, "header")?;
    let text = |of| xml.child(header, of).map_or(String::new(), |node| plain(xml.text(node)));
    let mut case = TestCase {
        name: text("name"),
        description: text("description"),
        criteria: text("passingCriteria"),
        bounds: bounds(xml, xml.need(header, "worldBounds")?, notes)?,
        obstacles: Vec::new(),
        obstacle_regions: Vec::new(),
        agents: Vec::new(),
        regions: Vec::new(),
    };
    for node in children(root) {
        match name(node) {
            "header" => {}
            "suggestedCameraView" => {
                notes.mention_element(xml, node, "is left out: the window finds its own view")
            }
            "agent" => {
                let at = start_point(xml, node)?;
                case.agents.push(agent(xml, node, at, notes)?);
            }
            "agentEmitter" => {
                notes.warn_element(
                    xml,
                    node,
                    "becomes a single agent, the first one that it makes",
                );
                let at = start_point(xml, node)?;
                case.agents.push(agent(xml, node, at, notes)?);
            }
            "agentRegion" => case.regions.push(RegionRead {
                span: xml.span(node),
                count: xml.count(xml.need(node, "numAgents")?, MAX_AGENTS)?,
                bounds: bounds(xml, xml.need(node, "regionBounds")?, notes)?,
                agent: agent(xml, node, SomePoint::Random, notes)?,
            }),
            "orientedWallObstacle" => {
                notes.warn_element(xml, node, "is left out: walls with doors are not supported")
            }
            "obstacleRegion" => case.obstacle_regions.push(ObstacleRegion {
                span: xml.span(node),
                count: xml.count(xml.need(node, "numObstacles")?, MAX_OBSTACLES)?,
                size: xml.positive(xml.need(node, "obstacleSize")?)?,
                bounds: bounds(xml, xml.need(node, "regionBounds")?, notes)?,
            }),
            _ => match obstacle(xml, node, notes)? {
                Some(obstacle) => case.obstacles.push(obstacle),
                None => return Err(xml.unknown(node, TOP)),
            },
        }
    }
    Ok(case)
}

/// Reads a single obstacle; `None` if the element is something else.
fn obstacle(
    xml: Xml<'_>,
    node: Node<'_, '_>,
    notes: &mut Notes<'_>,
) -> Result<Option<Obstacle>, Diagnostic> {
    Ok(Some(match name(node) {
        "obstacle" => {
            let (min, max) = bounds(xml, node, notes)?;
            let center = [(min[0] + max[0]) / 2.0, (min[1] + max[1]) / 2.0];
            let size = [max[0] - min[0], max[1] - min[1]];
            Obstacle::Box { center, size, angle_deg: 0.0 }
        }
        "circleObstacle" => Obstacle::Circle {
            center: point(xml, xml.need(node, "position")?)?,
            radius: xml.positive(xml.need(node, "radius")?)?,
        },
        "orientedBoxObstacle" => {
            let size = point(xml, xml.need(node, "size")?)?;
            if size.iter().any(|side| *side < 0.0) {
                return Err(xml.error(node, "the size of an obstacle cannot be negative"));
            }
            Obstacle::Box {
                center: point(xml, xml.need(node, "position")?)?,
                size,
                angle_deg: -xml.number(xml.need(node, "thetaY")?)?,
            }
        }
        "polygonObstacle" => {
            let corners = children(node).filter(|child| name(*child) == "vertex");
            let corners: Vec<Point> =
                corners.map(|vertex| point(xml, vertex)).collect::<Result<_, _>>()?;
            if corners.len() < 3 {
                return Err(xml.error(node, "a polygon needs at least three `vertex` elements"));
            }
            Obstacle::Polygon(corners)
        }
        _ => return Ok(None),
    }))
}

/// Reads where a single agent starts.
fn start_point(xml: Xml<'_>, node: Node<'_, '_>) -> Result<SomePoint, Diagnostic> {
    let conditions = xml.need(node, "initialConditions")?;
    some_point(xml, xml.need(conditions, "position")?)
}

/// Reads an agent, or what all agents of a region have in common.
fn agent(
    xml: Xml<'_>,
    node: Node<'_, '_>,
    at: SomePoint,
    notes: &mut Notes<'_>,
) -> Result<AgentRead, Diagnostic> {
    let known = ["name", "initialConditions", "goalSequence", "numAgents", "regionBounds"];
    if let Some(other) = children(node).find(|child| !known.contains(&name(*child))) {
        return Err(xml.unknown(other, known));
    }
    let conditions = xml.need(node, "initialConditions")?;
    let known = ["position", "direction", "radius", "speed"];
    for child in children(conditions) {
        match name(child) {
            "color" => {
                notes.mention_element(xml, child, "is left out: groups have colors, agents do not")
            }
            "spawn_time" | "despawn_time" => {
                notes.warn_element(
                    xml,
                    child,
                    "is left out: the agent is there from the start to its last goal",
                );
            }
            other if known.contains(&other) => {}
            _ => return Err(xml.unknown(child, known)),
        }
    }
    let mut goals = Vec::new();
    let mut speeds = Vec::new();
    for node in xml.child(node, "goalSequence").into_iter().flat_map(children) {
        if let Some(goal) = goal(xml, node, notes)? {
            goals.push(goal);
        }
        if let Some(speed) = xml.child(node, "desiredSpeed") {
            speeds.push((speed, xml.positive(speed)?));
        }
    }
    let max_speed = speeds.first().map_or(USUAL_SPEED, |(_, speed)| *speed);
    if let Some((other, _)) = speeds.iter().find(|(_, speed)| *speed != max_speed) {
        notes.warn_element(
            xml,
            *other,
            "is left out: the agent keeps the maximum speed of its first goal",
        );
    }
    Ok(AgentRead {
        span: xml.span(node),
        name: xml.child(node, "name").map_or(String::new(), |node| plain(xml.text(node))),
        radius: xml.positive(xml.need(conditions, "radius")?)?,
        at,
        direction: some_point(xml, xml.need(conditions, "direction")?)?,
        speed: xml.number(xml.need(conditions, "speed")?)?,
        max_speed,
        goals,
    })
}

/// Reads a goal; `None` if it is not a point or an area.
fn goal(
    xml: Xml<'_>,
    node: Node<'_, '_>,
    notes: &mut Notes<'_>,
) -> Result<Option<GoalRead>, Diagnostic> {
    let known = ["targetLocation", "desiredSpeed", "timeDuration", "goalRegionBounds"];
    for child in children(node) {
        match name(child) {
            "Behaviour" => notes.warn_element(
                xml,
                child,
                "is left out: all agents of a group have one behavior",
            ),
            "state" => {
                notes.mention_element(xml, child, "is left out: it means nothing to SteerBench")
            }
            // These belong to goals that are left out as a whole.
            "targetName" | "random" | "targetDirection" | "targetTangent" | "targetTime"
            | "flowType" | "type" => {}
            other if known.contains(&other) => {}
            _ => return Err(xml.unknown(child, known)),
        }
    }
    // Some files have values that only mean "very long".
    let duration = xml.child(node, "timeDuration");
    let duration = duration.and_then(|node| xml.text(node).parse::<f64>().ok());
    let span = xml.span(node);
    Ok(match name(node) {
        "seekStaticTarget" => {
            let at = some_point(xml, xml.need(node, "targetLocation")?)?;
            Some(GoalRead { span, at, radius: None, duration })
        }
        "seekAxisAlignedBoxRegion" => {
            let (min, max) = bounds(xml, xml.need(node, "goalRegionBounds")?, notes)?;
            let half = [(max[0] - min[0]) / 2.0, (max[1] - min[1]) / 2.0];
            notes.warn_element(xml, node, "becomes a circle in the middle of the box");
            let at = SomePoint::At([min[0] + half[0], min[1] + half[1]]);
            let radius = Some(least(half[0], half[1])).filter(|radius| *radius > 0.0);
            Some(GoalRead { span, at, radius, duration })
        }
        "fleeStaticTarget"
        | "seekDynamicTarget"
        | "fleeDynamicTarget"
        | "flowStaticDirection"
        | "flowDynamicDirection"
        | "groupTarget"
        | "idle" => {
            notes.warn_element(xml, node, "is left out: a goal can only be a place to go to");
            None
        }
        _ => return Err(xml.unknown(node, ["seekStaticTarget", "seekAxisAlignedBoxRegion"])),
    })
}

/// Reads the x and z of a point, or that it is random.
fn some_point(xml: Xml<'_>, node: Node<'_, '_>) -> Result<SomePoint, Diagnostic> {
    let Some(random) = xml.child(node, "random") else {
        return point(xml, node).map(SomePoint::At);
    };
    match xml.text(random) {
        "true" => Ok(SomePoint::Random),
        "false" => point(xml, node).map(SomePoint::At),
        other => Err(xml.error(random, format!("`random` must be true or false, found `{other}`"))),
    }
}

/// Reads the x and z of a point.
fn point(xml: Xml<'_>, node: Node<'_, '_>) -> Result<Point, Diagnostic> {
    Ok([xml.number(xml.need(node, "x")?)?, xml.number(xml.need(node, "z")?)?])
}

/// Reads a box: its smallest and its largest x and z.
fn bounds(
    xml: Xml<'_>,
    node: Node<'_, '_>,
    notes: &mut Notes<'_>,
) -> Result<(Point, Point), Diagnostic> {
    let corner = |x, z| Ok([xml.number(xml.need(node, x)?)?, xml.number(xml.need(node, z)?)?]);
    let (min, max): (Point, Point) = (corner("xmin", "zmin")?, corner("xmax", "zmax")?);
    // Some files have them the wrong way around.
    let (mut low, mut high) = (min, max);
    for (axis, of_low, of_high) in [(0, "xmin", "xmax"), (1, "zmin", "zmax")] {
        if min[axis] > max[axis] {
            (low[axis], high[axis]) = (max[axis], min[axis]);
            let what = format!("is above `{of_high}`: they are exchanged");
            notes.warn_element(xml, xml.need(node, of_low)?, &what);
        }
    }
    Ok((low, high))
}
