//! The specs: a scenario as it is written.
//!
//! The names that appear in error messages are the `rename`s here. A single number is checked while it is read. Rules
//! that need more than one value must not be checked here.

use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer};

use super::findings::FORMULA;
use super::ordered::{self, MayFail, Ordered};
use super::param::ParamSpec;
use super::spanned::Spanned;
use super::start::StartSpec;
use crate::diag::is_invisible_control;
use crate::expect::ExpectationSpec;
use crate::number::{
    AtLeastOne, Count, Finite, Fraction, Length, Natural, Point, Positive, PositiveLength,
    PositiveSize, Seeds, Size, Ticks,
};
use crate::schema::described;
use crate::sim::{Order, PushTime};
use crate::trace::Measure;
use crate::world::{AfterGoals, BodySpec, Edge, PathMode};

/// Reads the name of the scenario. Commands print it, and a terminal would obey an escape sequence in it.
fn name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let name = String::deserialize(deserializer)?;
    let expected = if name.contains(is_invisible_control) {
        "a name without control characters"
    } else if name.starts_with(FORMULA) {
        "a name that begins with a letter, since a spreadsheet would read this one in a CSV file as a formula"
    } else {
        return Ok(name);
    };
    Err(D::Error::invalid_value(Unexpected::Str(&name), &expected))
}

described! {
    #[derive(Debug, Deserialize)]
    #[serde(rename = "Scenario", deny_unknown_fields)]
    pub(super) struct ScenarioSpec {
        /// A title. Default: the name of the file.
        #[serde(default, deserialize_with = "name")]
        pub(super) name: String,
        /// The number that all random numbers depend on. Default: 0.
        pub(super) seed: Option<Natural>,
        /// Seconds per tick, at most 10. Default: 1/60.
        pub(super) dt: Option<Spanned<Positive>>,
        /// Ticks per second, instead of `dt`.
        pub(super) hz: Option<Spanned<Positive>>,
        /// The tick at which a run ends. Default: 600.
        pub(super) ticks: Option<Ticks>,
        /// The order in which agents decide and move. Default: `Synchronous`.
        #[serde(default)]
        pub(super) order: Order,
        /// The size of the world and what happens at its edge.
        pub(super) world: WorldSpec,
        /// Names and shapes of obstacles.
        #[serde(default)]
        pub(super) obstacles: Ordered<ObstacleSpec>,
        /// Names and paths.
        #[serde(default)]
        pub(super) paths: Ordered<PathSpec>,
        /// Names and flow fields.
        #[serde(default)]
        pub(super) fields: Ordered<FieldSpec>,
        /// Params that all groups share. A group may give them other values of the same type.
        #[serde(default)]
        pub(super) params: Ordered<Spanned<ParamSpec>>,
        /// Names and groups. Agents get their ids in this order.
        #[serde(deserialize_with = "ordered::groups")]
        pub(super) groups: Ordered<GroupSpec>,
        /// What happens from outside.
        #[serde(default)]
        pub(super) events: Vec<EventSpec>,
        /// What must hold during a run.
        #[serde(default, deserialize_with = "ordered::list")]
        pub(super) expect: Vec<Spanned<ExpectationSpec>>,
        /// Measures of your own: names, and the scripts that compute them.
        #[serde(default)]
        pub(super) measures: Ordered<Spanned<String>> => Script,
        /// How a run is compared with its golden. Default: to the bit.
        #[serde(default)]
        pub(super) golden: GoldenSpec,
        /// A state to begin with, instead of the spawns.
        pub(super) start: Option<Spanned<StartSpec>>,
        /// Higher limits, where you mean more than usual.
        #[serde(default)]
        pub(super) limits: LimitsSpec,
    }
}

described! {
    #[derive(Debug, Default, Deserialize)]
    #[serde(rename = "Limits", deny_unknown_fields)]
    pub(super) struct LimitsSpec {
        /// Number of agents.
        pub(super) agents: Option<Spanned<Natural>>,
        /// Number of agents times the number of paths.
        pub(super) agents_times_paths: Option<Spanned<Natural>>,
        /// Number of groups.
        pub(super) groups: Option<Spanned<Natural>>,
        /// Number of obstacles.
        pub(super) obstacles: Option<Spanned<Natural>>,
        /// Number of paths.
        pub(super) paths: Option<Spanned<Natural>>,
        /// Number of flow fields.
        pub(super) fields: Option<Spanned<Natural>>,
        /// Number of cells of all flow fields.
        pub(super) field_cells: Option<Spanned<Natural>>,
        /// Number of points of obstacles and paths.
        pub(super) points: Option<Spanned<Natural>>,
        /// Number of goals.
        pub(super) goals: Option<Spanned<Natural>>,
        /// Number of params of all groups.
        pub(super) params: Option<Spanned<Natural>>,
        /// Number of events.
        pub(super) events: Option<Spanned<Natural>>,
        /// Number of expectations.
        pub(super) expectations: Option<Spanned<Natural>>,
        /// Number of measures.
        pub(super) measures: Option<Spanned<Natural>>,
    }
}

described! {
    #[derive(Debug, Default, Deserialize)]
    #[serde(rename = "Golden", deny_unknown_fields)]
    pub(super) struct GoldenSpec {
        /// How it is compared. Default: `Exact`.
        #[serde(default)]
        pub(super) mode: GoldenModeSpec,
        /// Number of ticks from one keyframe to the next.
        pub(super) every: Option<Ticks>,
        /// The last tick that is compared. Default: the end of the run.
        pub(super) until: Option<Spanned<Ticks>>,
    }
}

described! {
    #[derive(Debug, Default, Deserialize)]
    #[serde(rename = "mode", deny_unknown_fields)]
    pub(super) enum GoldenModeSpec {
        /// Every bit is the same.
        #[default]
        Exact,
        /// Agents stay within tolerances of the golden.
        Within {
            /// The largest distance from the recorded position, in world units.
            position: PositiveLength,
            /// The largest distance from the recorded velocity, in world units per second.
            velocity: Option<PositiveLength>,
            /// The share of the agents that must be within the tolerance. Default: 1.
            share: Option<Fraction>,
        },
        /// Each part between two keyframes begins at the golden and stays within tolerances.
        Windows {
            /// The largest distance from the recorded position, in world units.
            position: PositiveLength,
            /// The largest distance from the recorded velocity, in world units per second.
            velocity: Option<PositiveLength>,
            /// The share of the agents that must be within the tolerance. Default: 1.
            share: Option<Fraction>,
        },
        /// Measures stay within the bands of runs with other seeds.
        Bands {
            /// Number of seeds.
            seeds: Option<Seeds>,
            /// The quantiles between which a run must be.
            quantiles: Option<Spanned<(Finite, Finite)>>,
            /// The measures that are compared. Default: all.
            measures: Option<Vec<Measure>>,
        },
    }
}

described! {
    #[derive(Debug, Deserialize)]
    #[serde(rename = "World", deny_unknown_fields)]
    pub(super) struct WorldSpec {
        /// The corner with the smallest coordinates. Default: (0, 0).
        #[serde(default)]
        pub(super) min: Point,
        /// Width and height, in world units.
        pub(super) size: Spanned<PositiveSize>,
        /// What happens to an agent at the edge. Default: `Open`.
        #[serde(default)]
        pub(super) edge: Edge,
        /// The side of the cells on which ways around obstacles are searched, in world units. Default: half the radius of the
        /// body.
        pub(super) way_cell: Option<Spanned<PositiveLength>>,
    }
}

described! {
    #[derive(Debug, Deserialize)]
    #[serde(rename = "obstacle", deny_unknown_fields)]
    pub(super) enum ObstacleSpec {
        /// A disc.
        Circle {
            /// The center.
            center: Point,
            /// The radius, in world units.
            radius: Length,
        },
        /// A rectangle, which may be turned.
        Box {
            /// The center.
            center: Point,
            /// Width and height, in world units.
            size: Size,
            /// The angle from the x axis, in degrees. Default: 0.
            #[serde(default)]
            angle_deg: Finite,
        },
        /// A thin wall.
        Segment {
            /// One end.
            from: Point,
            /// The other end.
            to: Point,
        },
        /// A polygon, by its corners.
        Polygon(Spanned<Vec<Point>>),
        /// A rectangle whose outside is solid.
        Room {
            /// The corner with the smallest coordinates.
            min: Point,
            /// The corner with the largest coordinates.
            max: Spanned<Point>,
        },
    }
}

described! {
    #[derive(Debug, Deserialize)]
    #[serde(rename = "Path", deny_unknown_fields)]
    pub(super) struct PathSpec {
        /// The waypoints.
        pub(super) points: Spanned<Vec<Point>>,
        /// How near an agent must get to a waypoint, in world units.
        pub(super) radius: PositiveLength,
        /// What comes after the last waypoint. Default: `Once`.
        #[serde(default)]
        pub(super) mode: PathMode,
    }
}

described! {
    #[derive(Debug, Deserialize)]
    #[serde(rename = "flow field", deny_unknown_fields)]
    pub(super) enum FieldSpec {
        /// Vectors around a center, counter-clockwise if the strength is positive.
        Vortex {
            /// The center.
            center: Point,
            /// The distance from the center at which the vectors are longest, in world units.
            radius: PositiveLength,
            /// The length there. Default: 1.
            strength: Option<Finite>,
        },
        /// A vector for each cell of a grid.
        Grid {
            /// The corner with the smallest coordinates. Default: that of the world.
            min: Option<Point>,
            /// The side of a cell, in world units.
            cell: Spanned<PositiveLength>,
            /// The vectors, row by row from the smallest y.
            #[serde(deserialize_with = "ordered::list")]
            vectors: Vec<Spanned<Vec<Point>>>,
        },
        /// Vectors that the function `flow(point)` of a script returns.
        Script {
            /// The name of the script.
            name: Spanned<String> => Script,
            /// The side of a cell, in world units.
            cell: Spanned<PositiveLength>,
        },
    }
}

described! {
    #[derive(Debug, Deserialize)]
    #[serde(rename = "Group", deny_unknown_fields)]
    pub(super) struct GroupSpec {
        /// The script: `"patrol"` is `scripts/patrol.rhai`. Without one, the agents keep their velocity.
        pub(super) behavior: Option<Spanned<String>> => Script,
        /// Number of agents. Default: as many as `Points` and `Agents` list; the other spawns need it.
        pub(super) count: Option<Spanned<Count>>,
        /// Where agents are put.
        pub(super) spawn: Spanned<SpawnSpec>,
        /// The velocity at the start, in world units per second. Default: (0, 0).
        #[serde(default)]
        pub(super) velocity: Point,
        /// The heading at the start, in degrees from the x axis. Default: along the velocity, or the x axis.
        pub(super) heading_deg: Option<Finite>,
        /// How large an agent is, and how it can move. Default: no limits.
        #[serde(default)]
        pub(super) body: BodySpec,
        /// Values that scripts read as `me.params.name`.
        #[serde(default)]
        pub(super) params: Ordered<Spanned<ParamSpec>>,
        /// The path that `follow_path()` follows.
        pub(super) path: Option<Spanned<String>> => Path,
        /// Where its agents belong around an anchor.
        pub(super) formation: Option<Spanned<FormationSpec>>,
        /// The groups that it hunts.
        #[serde(default, deserialize_with = "ordered::list")]
        pub(super) prey: Vec<Spanned<String>> => Group,
        /// The groups that hunt it.
        #[serde(default, deserialize_with = "ordered::list")]
        pub(super) predators: Vec<Spanned<String>> => Group,
        /// The groups that are its allies.
        #[serde(default, deserialize_with = "ordered::list")]
        pub(super) allies: Vec<Spanned<String>> => Group,
        /// Places to go to, one after another.
        #[serde(default, deserialize_with = "ordered::list")]
        pub(super) goals: Vec<GoalSpec>,
        /// What happens after the last goal. Default: `Stay`.
        #[serde(default)]
        pub(super) after_goals: AfterGoals,
    }
}

described! {
    #[derive(Debug, Deserialize)]
    #[serde(rename = "formation", deny_unknown_fields)]
    pub(super) enum FormationSpec {
        /// Side by side, across the heading of the anchor.
        Line {
            /// The distance between neighbors, in world units.
            spacing: PositiveLength,
            /// How far the formation is behind the anchor, in world units. Default: `spacing` for a line, a column and a grid, else 0.
            behind: Option<Finite>,
        },
        /// One behind the other.
        Column {
            /// The distance between neighbors, in world units.
            spacing: PositiveLength,
            /// How far the formation is behind the anchor, in world units. Default: `spacing` for a line, a column and a grid, else 0.
            behind: Option<Finite>,
        },
        /// Two arms that go back from the anchor.
        Wedge {
            /// The distance between neighbors, in world units.
            spacing: PositiveLength,
            /// The angle between the arms, in degrees. Default: 90.
            angle_deg: Option<Spanned<Positive>>,
            /// How far the formation is behind the anchor, in world units. Default: `spacing` for a line, a column and a grid, else 0.
            behind: Option<Finite>,
        },
        /// Around the anchor.
        Circle {
            /// The distance between neighbors, in world units.
            spacing: PositiveLength,
            /// How far the formation is behind the anchor, in world units. Default: `spacing` for a line, a column and a grid, else 0.
            behind: Option<Finite>,
        },
        /// Rows; the last one is centered.
        Grid {
            /// The distance between neighbors, in world units.
            spacing: PositiveLength,
            /// Number of places in a row.
            columns: AtLeastOne,
            /// How far the formation is behind the anchor, in world units. Default: `spacing` for a line, a column and a grid, else 0.
            behind: Option<Finite>,
        },
        /// Your own places.
        Places {
            /// Offsets: x ahead of the anchor, y to its left.
            at: Spanned<Vec<Point>>,
            /// The distance between neighbors, in world units.
            spacing: PositiveLength,
            /// How far the formation is behind the anchor, in world units. Default: `spacing` for a line, a column and a grid, else 0.
            behind: Option<Finite>,
        },
    }
}

described! {
    #[derive(Debug, Deserialize)]
    #[serde(rename = "spawn", deny_unknown_fields)]
    pub(super) enum SpawnSpec {
        /// One agent at each of these points.
        Points(Vec<Point>),
        /// One agent for each entry, which may have a velocity, a heading, a body and goals of its own.
        Agents(Vec<AgentSpec>),
        /// Row by row.
        Grid {
            /// The place of the first agent.
            at: Point,
            /// Number of agents in a row.
            columns: AtLeastOne,
            /// The distances between columns and between rows.
            spacing: Point,
        },
        /// Evenly on a circle.
        Ring {
            /// The center.
            center: Point,
            /// The radius, in world units.
            radius: Length,
        },
        /// At random places in a disc.
        Disc {
            /// The center.
            center: Point,
            /// The radius, in world units.
            radius: Length,
        },
        /// At random places in a rectangle.
        Rect {
            /// The corner with the smallest coordinates.
            min: Point,
            /// The corner with the largest coordinates.
            max: Spanned<Point>,
        },
    }
}

described! {
    #[derive(Debug, Deserialize)]
    #[serde(rename = "Agent", deny_unknown_fields)]
    pub(super) struct AgentSpec {
        /// Its position.
        pub(super) at: Point,
        /// Its velocity. Default: that of the group.
        pub(super) velocity: Option<Point>,
        /// Its heading, in degrees from the x axis. Default: that of the group.
        pub(super) heading_deg: Option<Finite>,
        /// Its body, where it differs from that of the group.
        pub(super) body: Option<BodySpec>,
        /// Its goals. Default: those of the group.
        #[serde(default, deserialize_with = "ordered::list")]
        pub(super) goals: Vec<GoalSpec>,
    }
}

described! {
    #[derive(Debug, Deserialize)]
    #[serde(rename = "Goal", deny_unknown_fields)]
    pub(super) struct GoalSpec {
        /// The place.
        pub(super) at: Spanned<Point>,
        /// How near an agent must get to it, in world units. Without it, the goal is never reached.
        pub(super) radius: Option<Length>,
    }
}

described! {
    #[derive(Debug, Deserialize)]
    #[serde(rename = "event", deny_unknown_fields)]
    pub(super) enum EventSpec {
        /// Happens once.
        At {
            /// The tick at which it happens.
            tick: Spanned<Natural>,
            /// What happens.
            r#do: ActionSpec,
        },
        /// Happens again and again.
        Every {
            /// Number of ticks from one time to the next.
            ticks: Spanned<Ticks>,
            /// The first tick at which it happens. Default: `ticks`.
            from: Option<Spanned<Natural>>,
            /// The last tick at which it may happen. Default: the end of the run.
            until: Option<Spanned<Natural>>,
            /// What happens.
            r#do: ActionSpec,
        },
    }
}

described! {
    #[derive(Debug, Deserialize)]
    #[serde(rename = "action", deny_unknown_fields)]
    pub(super) enum ActionSpec {
        /// Adds a velocity to all agents of a group.
        Push {
            /// The group.
            group: Spanned<String> => Group,
            /// The velocity that is added, in world units per second.
            velocity: Point,
            /// Whether agents decide before or after it. Default: `BeforeDecision`.
            #[serde(default)]
            when: PushTime,
        },
        /// Sets a param of a group.
        Set {
            /// The group.
            group: Spanned<String> => Group,
            /// The param.
            param: Spanned<String> => Param,
            /// Its new value, of the same type.
            value: Spanned<ParamSpec>,
        },
        /// Adds agents to a group, as its spawn places them.
        Spawn {
            /// The group.
            group: Spanned<String> => Group,
            /// Number of agents.
            count: Spanned<AtLeastOne>,
        },
        /// Removes agents of a group.
        Remove {
            /// The group.
            group: Spanned<String> => Group,
            /// Number of agents.
            count: Option<AtLeastOne>,
        },
        /// Gives all agents of a group other goals.
        SetGoals {
            /// The group.
            group: Spanned<String> => Group,
            /// The goals, one after another.
            #[serde(deserialize_with = "ordered::list")]
            goals: Vec<GoalSpec>,
        },
        /// Moves the pointer that scripts read as `world.cursor`.
        Cursor {
            /// The place.
            at: Option<Point>,
        },
        /// Pushes agents away from a point.
        Scatter {
            /// The place.
            at: Point,
            /// How far it reaches, in world units.
            radius: PositiveLength,
            /// The speed that is added at the point itself, in world units per second.
            speed: Length,
            /// The group.
            group: Option<Spanned<String>> => Group,
        },
    }
}

impl MayFail for ObstacleSpec {
    fn has_failed(&self) -> bool {
        match self {
            Self::Polygon(corners) => corners.has_failed(),
            Self::Room { max, .. } => max.has_failed(),
            Self::Circle { .. } | Self::Box { .. } | Self::Segment { .. } => false,
        }
    }
}

impl MayFail for PathSpec {
    fn has_failed(&self) -> bool {
        self.points.has_failed()
    }
}

impl MayFail for FieldSpec {
    fn has_failed(&self) -> bool {
        match self {
            Self::Vortex { .. } => false,
            Self::Grid { cell, vectors, .. } => {
                cell.has_failed() || vectors.iter().any(MayFail::has_failed)
            }
            Self::Script { name, cell } => name.has_failed() || cell.has_failed(),
        }
    }
}

impl MayFail for GoalSpec {
    fn has_failed(&self) -> bool {
        self.at.has_failed()
    }
}

impl MayFail for GroupSpec {
    fn has_failed(&self) -> bool {
        let names = [&self.behavior, &self.path];
        self.spawn.has_failed()
            || self.count.as_ref().is_some_and(MayFail::has_failed)
            || names.into_iter().flatten().any(MayFail::has_failed)
            || self.formation.as_ref().is_some_and(MayFail::has_failed)
            || [&self.prey, &self.predators, &self.allies]
                .into_iter()
                .flatten()
                .any(MayFail::has_failed)
    }
}
