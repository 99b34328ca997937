//! A scenario as it is written. The file that checks a part of it declares the specs of that part; those of groups have a file of their own.
//!
//! The names that appear in error messages are the `rename`s here. A single number is checked while it is read. Rules
//! that need more than one value must not be checked here.

use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer};

use super::events::EventSpec;
use super::fields::FieldSpec;
use super::findings::FORMULA;
use super::golden::GoldenSpec;
use super::group_spec::GroupSpec;
use super::hunt::HuntSpec;
use super::inputs::InputSpec;
use super::layers::LayerSpec;
use super::limits::LimitsSpec;
use super::moving_obstacles::MotionSpec;
use super::ordered::{self, Ordered};
use super::param::ParamSpec;
use super::rule::RuleSpec;
use super::spanned::Spanned;
use super::start::StartSpec;
use super::surroundings::{ObstacleSpec, PathSpec, WorldSpec};
use crate::diag::is_invisible_control;
use crate::expect::ExpectationSpec;
use crate::number::{Natural, Positive, Ticks};
use crate::schema::described;
use crate::sim::Order;

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
        /// The names of obstacles that are not there at first. An event with `SetObstacle` can put them there. Default: none.
        #[serde(default, deserialize_with = "ordered::list")]
        pub(super) absent_obstacles: Vec<Spanned<String>> => Obstacle,
        /// The names of obstacles that move from the beginning, and how. An event with `MoveObstacle` can change that. Default: none.
        #[serde(default)]
        pub(super) moving_obstacles: Ordered<Spanned<MotionSpec>>,
        /// Names of inputs, and the keys that set them in the window. Scripts read them as `world.inputs.name`.
        #[serde(default)]
        pub(super) inputs: Ordered<InputSpec>,
        /// Names and paths.
        #[serde(default)]
        pub(super) paths: Ordered<PathSpec>,
        /// Names and flow fields.
        #[serde(default)]
        pub(super) fields: Ordered<FieldSpec>,
        /// Names and layers: amounts on the ground that agents change.
        #[serde(default)]
        pub(super) layers: Ordered<LayerSpec>,
        /// Names and values of the world that agents change together. Default: none.
        #[serde(default)]
        pub(super) shared: Ordered<Spanned<RuleSpec>>,
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
        /// How hunts treat the scenario.
        #[serde(default)]
        pub(super) hunt: HuntSpec,
        /// A state to begin with, instead of the spawns.
        pub(super) start: Option<Spanned<StartSpec>>,
        /// Higher limits, where you mean more than usual.
        #[serde(default)]
        pub(super) limits: LimitsSpec,
    }
}
