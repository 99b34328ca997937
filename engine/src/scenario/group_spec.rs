//! Groups as they are written, with their spawns and goals.

use serde::Deserialize;

use super::appearance::{ColorRuleSpec, DrawOrder, RangeSpec, SignSpec};
use super::distributions::WrittenBody;
use super::formation::FormationSpec;
use super::ordered::{self, MayFail, Ordered};
use super::param::ParamSpec;
use super::public::PublicStateSpec;
use super::rule::PublicSpec;
use super::spanned::Spanned;
use crate::number::{AtLeastOne, Count, Finite, Length, Point, PositiveLength};
use crate::schema::described;
use crate::world::{AfterGoals, AgentShape};

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
        /// How large an agent is, and how it can move. Default: no limits.
        pub(super) body: Option<Spanned<WrittenBody>>,
        /// Values that scripts read as `me.params.name`.
        #[serde(default)]
        pub(super) params: Ordered<Spanned<ParamSpec>>,
        /// The ranges of the sliders of params, such as `fear: (from: 0, to: 200)`. Default: guessed from the value.
        #[serde(default)]
        pub(super) ranges: Ordered<Spanned<RangeSpec>>,
        /// The velocity at the start, in world units per second. Default: (0, 0).
        #[serde(default)]
        pub(super) velocity: Point,
        /// The heading at the start, in degrees from the x axis. Default: along the velocity, or the x axis.
        pub(super) heading_deg: Option<Finite>,
        /// Values of `me.state.name` that other agents may read as `other.state.name`: the first value, or a rule for what others tell, as
        /// `shared` has them.
        #[serde(default)]
        pub(super) public: Ordered<PublicStateSpec>,
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
        /// The groups whose agents may capture its agents, with `me.capture(other, name)`.
        #[serde(default, deserialize_with = "ordered::list")]
        pub(super) captured_by: Vec<Spanned<String>> => Group,
        /// Places to go to, one after another.
        #[serde(default, deserialize_with = "ordered::list")]
        pub(super) goals: Vec<GoalSpec>,
        /// What happens after the last goal. Default: `Stay`.
        #[serde(default)]
        pub(super) after_goals: AfterGoals,
        /// The color of its agents when they are drawn, such as `"#e69f00"`. Default: the next one of the palette.
        pub(super) color: Option<Spanned<String>>,
        /// Colors that depend on a value of the public state. Default: all have one color.
        pub(super) color_by: Option<Spanned<ColorRuleSpec>>,
        /// The name of a public state whose value is written beside each agent. Default: nothing is written.
        pub(super) label: Option<Spanned<String>> => State,
        /// What is drawn around each agent. Default: nothing.
        #[serde(default, deserialize_with = "ordered::list")]
        pub(super) signs: Vec<Spanned<SignSpec>>,
        /// The shape of its agents when they are drawn. Default: `Dart`.
        pub(super) shape: Option<Spanned<AgentShape>>,
        /// How large they are drawn, from the center to the nose, in world units. Default: the radius of the body.
        pub(super) size: Option<PositiveLength>,
        /// Groups with a higher number are drawn over those with a lower one. Default: 0.
        pub(super) draw_order: Option<Spanned<DrawOrder>>,
    }
}

impl MayFail for GroupSpec {
    fn has_failed(&self) -> bool {
        let strings = [&self.behavior, &self.path, &self.color, &self.label];
        let body = self.body.as_ref();
        self.spawn.has_failed()
            || body.is_some_and(|body| body.read.as_ref().map_or(true, MayFail::has_failed))
            || self.count.as_ref().is_some_and(MayFail::has_failed)
            || self.color_by.as_ref().is_some_and(MayFail::has_failed)
            || self.shape.as_ref().is_some_and(MayFail::has_failed)
            || self.draw_order.as_ref().is_some_and(MayFail::has_failed)
            || self.signs.iter().any(MayFail::has_failed)
            || strings.into_iter().flatten().any(MayFail::has_failed)
            || self.formation.as_ref().is_some_and(MayFail::has_failed)
            || [&self.prey, &self.predators, &self.allies, &self.captured_by]
                .into_iter()
                .flatten()
                .any(MayFail::has_failed)
    }
}

impl GroupSpec {
    /// Returns the goals of the group and those of its agents.
    pub(super) fn all_goals(&self) -> impl Iterator<Item = &GoalSpec> {
        let agents = match &self.spawn.read {
            Ok(SpawnSpec::Agents(agents)) => agents.as_slice(),
            _ => &[],
        };
        self.goals.iter().chain(agents.iter().flat_map(|agent| &agent.goals))
    }
}

described! {
    #[derive(Debug, Deserialize)]
    #[serde(rename = "spawn", deny_unknown_fields)]
    pub(super) enum SpawnSpec {
        /// One agent at each of these points.
        Points(Vec<Point>),
        /// One agent for each entry, which may have a velocity, a heading, a body, a path, goals and state of its own.
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
        pub(super) body: Option<Spanned<WrittenBody>>,
        /// Its path. Default: that of the group.
        pub(super) path: Option<Spanned<String>> => Path,
        /// Its public state at first, where it differs from that of the group.
        #[serde(default)]
        pub(super) state: Ordered<Spanned<PublicSpec>>,
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

impl MayFail for GoalSpec {
    fn has_failed(&self) -> bool {
        self.at.has_failed()
    }
}
