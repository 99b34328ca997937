//! The specs: a scenario as it is written.
//!
//! The names that appear in error messages are the `rename`s here. A single number is checked while it is read. Rules
//! that need more than one value must not be checked here.

use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer};

use super::ordered::{self, MayFail, Ordered};
use super::param::ParamSpec;
use super::spanned::Spanned;
use super::start::StartSpec;
use crate::expect::ExpectationSpec;
use crate::number::{
    AtLeastOne, Count, Finite, Fraction, Length, Natural, Point, Positive, PositiveLength,
    PositiveSize, Seeds, Size, Ticks,
};
use crate::sim::{Order, PushTime};
use crate::trace::Measure;
use crate::world::{AfterGoals, Edge, PathMode};

/// Reads the name of the scenario. Commands print it, and a terminal would obey an escape sequence in it.
fn name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let name = String::deserialize(deserializer)?;
    if name.contains(char::is_control) {
        return Err(D::Error::invalid_value(
            Unexpected::Str(&name),
            &"a name without control characters",
        ));
    }
    Ok(name)
}

#[derive(Debug, Deserialize)]
#[serde(rename = "Scenario", deny_unknown_fields)]
pub(super) struct ScenarioSpec {
    #[serde(default, deserialize_with = "name")]
    pub(super) name: String,
    pub(super) seed: Option<Natural>,
    pub(super) dt: Option<Spanned<Positive>>,
    pub(super) hz: Option<Spanned<Positive>>,
    pub(super) ticks: Option<Ticks>,
    #[serde(default)]
    pub(super) order: Order,
    pub(super) world: WorldSpec,
    #[serde(default)]
    pub(super) obstacles: Ordered<ObstacleSpec>,
    #[serde(default)]
    pub(super) paths: Ordered<PathSpec>,
    #[serde(default)]
    pub(super) fields: Ordered<FieldSpec>,
    #[serde(default)]
    pub(super) params: Ordered<Spanned<ParamSpec>>,
    #[serde(deserialize_with = "ordered::groups")]
    pub(super) groups: Ordered<GroupSpec>,
    #[serde(default)]
    pub(super) events: Vec<EventSpec>,
    #[serde(default, deserialize_with = "ordered::list")]
    pub(super) expect: Vec<Spanned<ExpectationSpec>>,
    #[serde(default)]
    pub(super) measures: Ordered<Spanned<String>>,
    #[serde(default)]
    pub(super) golden: GoldenSpec,
    pub(super) start: Option<Spanned<StartSpec>>,
    #[serde(default)]
    pub(super) limits: LimitsSpec,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename = "Limits", deny_unknown_fields)]
pub(super) struct LimitsSpec {
    pub(super) agents: Option<Spanned<Natural>>,
    pub(super) agents_times_paths: Option<Spanned<Natural>>,
    pub(super) groups: Option<Spanned<Natural>>,
    pub(super) obstacles: Option<Spanned<Natural>>,
    pub(super) paths: Option<Spanned<Natural>>,
    pub(super) fields: Option<Spanned<Natural>>,
    pub(super) field_cells: Option<Spanned<Natural>>,
    pub(super) points: Option<Spanned<Natural>>,
    pub(super) goals: Option<Spanned<Natural>>,
    pub(super) params: Option<Spanned<Natural>>,
    pub(super) events: Option<Spanned<Natural>>,
    pub(super) expectations: Option<Spanned<Natural>>,
    pub(super) measures: Option<Spanned<Natural>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename = "Golden", deny_unknown_fields)]
pub(super) struct GoldenSpec {
    #[serde(default)]
    pub(super) mode: GoldenModeSpec,
    pub(super) every: Option<Ticks>,
    pub(super) until: Option<Spanned<Ticks>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename = "mode", deny_unknown_fields)]
pub(super) enum GoldenModeSpec {
    #[default]
    Exact,
    Within {
        position: PositiveLength,
        velocity: Option<PositiveLength>,
        share: Option<Fraction>,
    },
    Windows {
        position: PositiveLength,
        velocity: Option<PositiveLength>,
        share: Option<Fraction>,
    },
    Bands {
        seeds: Option<Seeds>,
        quantiles: Option<Spanned<(Finite, Finite)>>,
        measures: Option<Vec<Measure>>,
    },
}

#[derive(Debug, Deserialize)]
#[serde(rename = "World", deny_unknown_fields)]
pub(super) struct WorldSpec {
    #[serde(default)]
    pub(super) min: Point,
    pub(super) size: Spanned<PositiveSize>,
    #[serde(default)]
    pub(super) edge: Edge,
    pub(super) way_cell: Option<PositiveLength>,
}

#[derive(Debug, Deserialize)]
#[serde(rename = "obstacle", deny_unknown_fields)]
pub(super) enum ObstacleSpec {
    Circle {
        center: Point,
        radius: Length,
    },
    Box {
        center: Point,
        size: Size,
        #[serde(default)]
        angle_deg: Finite,
    },
    Segment {
        from: Point,
        to: Point,
    },
    Polygon(Spanned<Vec<Point>>),
    Room {
        min: Point,
        max: Spanned<Point>,
    },
}

#[derive(Debug, Deserialize)]
#[serde(rename = "Path", deny_unknown_fields)]
pub(super) struct PathSpec {
    pub(super) points: Spanned<Vec<Point>>,
    pub(super) radius: PositiveLength,
    #[serde(default)]
    pub(super) mode: PathMode,
}

#[derive(Debug, Deserialize)]
#[serde(rename = "flow field", deny_unknown_fields)]
pub(super) enum FieldSpec {
    Vortex {
        center: Point,
        radius: PositiveLength,
        strength: Option<Finite>,
    },
    Grid {
        min: Option<Point>,
        cell: Spanned<PositiveLength>,
        #[serde(deserialize_with = "ordered::list")]
        vectors: Vec<Spanned<Vec<Point>>>,
    },
    Script {
        name: Spanned<String>,
        cell: Spanned<PositiveLength>,
    },
}

#[derive(Debug, Deserialize)]
#[serde(rename = "Group", deny_unknown_fields)]
pub(super) struct GroupSpec {
    pub(super) behavior: Option<Spanned<String>>,
    pub(super) count: Option<Spanned<Count>>,
    pub(super) spawn: Spanned<SpawnSpec>,
    #[serde(default)]
    pub(super) velocity: Point,
    pub(super) heading_deg: Option<Finite>,
    #[serde(default)]
    pub(super) body: BodySpec,
    #[serde(default)]
    pub(super) params: Ordered<Spanned<ParamSpec>>,
    pub(super) path: Option<Spanned<String>>,
    pub(super) formation: Option<Spanned<FormationSpec>>,
    #[serde(default, deserialize_with = "ordered::list")]
    pub(super) prey: Vec<Spanned<String>>,
    #[serde(default, deserialize_with = "ordered::list")]
    pub(super) predators: Vec<Spanned<String>>,
    #[serde(default, deserialize_with = "ordered::list")]
    pub(super) allies: Vec<Spanned<String>>,
    #[serde(default, deserialize_with = "ordered::list")]
    pub(super) goals: Vec<GoalSpec>,
    #[serde(default)]
    pub(super) after_goals: AfterGoals,
}

#[derive(Debug, Deserialize)]
#[serde(rename = "formation", deny_unknown_fields)]
pub(super) enum FormationSpec {
    Line { spacing: PositiveLength, behind: Option<Finite> },
    Column { spacing: PositiveLength, behind: Option<Finite> },
    Wedge { spacing: PositiveLength, angle_deg: Option<Spanned<Positive>>, behind: Option<Finite> },
    Circle { spacing: PositiveLength, behind: Option<Finite> },
    Grid { spacing: PositiveLength, columns: AtLeastOne, behind: Option<Finite> },
    Places { at: Spanned<Vec<Point>>, spacing: PositiveLength, behind: Option<Finite> },
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename = "Body", deny_unknown_fields)]
pub(super) struct BodySpec {
    pub(super) radius: Option<Length>,
    pub(super) mass: Option<Positive>,
    pub(super) max_speed: Option<Positive>,
    pub(super) max_force: Option<Positive>,
    pub(super) max_forward_force: Option<Positive>,
    pub(super) max_braking_force: Option<Positive>,
    pub(super) max_sideways_force: Option<Positive>,
    pub(super) max_turn_deg_per_s: Option<Positive>,
    pub(super) drive: Option<DriveSpec>,
    pub(super) solid: Option<bool>,
    pub(super) noise: Option<NoiseSpec>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename = "Noise", deny_unknown_fields)]
pub(super) struct NoiseSpec {
    pub(super) position: Option<Length>,
    pub(super) velocity: Option<Length>,
    pub(super) motion: Option<Length>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename = "drive", deny_unknown_fields)]
pub(super) enum DriveSpec {
    Point,
    Unicycle {
        #[serde(default)]
        reverse: bool,
    },
    Car {
        turning_radius: PositiveLength,
        #[serde(default)]
        reverse: bool,
    },
}

#[derive(Debug, Deserialize)]
#[serde(rename = "spawn", deny_unknown_fields)]
pub(super) enum SpawnSpec {
    Points(Vec<Point>),
    Agents(Vec<AgentSpec>),
    Grid { at: Point, columns: AtLeastOne, spacing: Point },
    Ring { center: Point, radius: Length },
    Disc { center: Point, radius: Length },
    Rect { min: Point, max: Spanned<Point> },
}

#[derive(Debug, Deserialize)]
#[serde(rename = "Agent", deny_unknown_fields)]
pub(super) struct AgentSpec {
    pub(super) at: Point,
    pub(super) velocity: Option<Point>,
    pub(super) heading_deg: Option<Finite>,
    pub(super) body: Option<BodySpec>,
    #[serde(default, deserialize_with = "ordered::list")]
    pub(super) goals: Vec<GoalSpec>,
}

#[derive(Debug, Deserialize)]
#[serde(rename = "Goal", deny_unknown_fields)]
pub(super) struct GoalSpec {
    pub(super) at: Spanned<Point>,
    pub(super) radius: Option<Length>,
}

#[derive(Debug, Deserialize)]
#[serde(rename = "event", deny_unknown_fields)]
pub(super) enum EventSpec {
    At {
        tick: Spanned<Natural>,
        r#do: ActionSpec,
    },
    Every {
        ticks: Spanned<Ticks>,
        from: Option<Spanned<Natural>>,
        until: Option<Spanned<Natural>>,
        r#do: ActionSpec,
    },
}

#[derive(Debug, Deserialize)]
#[serde(rename = "action", deny_unknown_fields)]
pub(super) enum ActionSpec {
    Push {
        group: Spanned<String>,
        velocity: Point,
        #[serde(default)]
        when: PushTime,
    },
    Set {
        group: Spanned<String>,
        param: Spanned<String>,
        value: Spanned<ParamSpec>,
    },
    Spawn {
        group: Spanned<String>,
        count: Spanned<AtLeastOne>,
    },
    Remove {
        group: Spanned<String>,
        count: Option<AtLeastOne>,
    },
    SetGoals {
        group: Spanned<String>,
        #[serde(deserialize_with = "ordered::list")]
        goals: Vec<GoalSpec>,
    },
    Cursor {
        at: Option<Point>,
    },
    Scatter {
        at: Point,
        radius: PositiveLength,
        speed: Length,
        group: Option<Spanned<String>>,
    },
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
