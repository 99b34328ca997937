//! The expectation `StayNearPath`: agents stay near a path.

use serde::Deserialize;

use super::check::{Check, GroupFilter, NameRef};
use super::rule::{Judgment, Measured, Rule, TickView, Violation};
use crate::geom;
use crate::math;
use crate::number::Length;
use crate::schema::described;
use crate::world::PathId;

described! {
    /// The centers of agents stay near a path.
    #[derive(Clone, Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct StayNearPath {
        /// The group whose agents are checked; by default all agents.
        group: GroupFilter,
        /// The path.
        path: NameRef<PathId>,
        /// The maximum distance from the path, in world units.
        distance: Length,
    }
}

impl Rule for StayNearPath {
    fn check(&mut self, check: &mut Check<'_>) {
        check.group_filter(&mut self.group);
        check.path("path", &mut self.path);
    }

    fn judge(&mut self, now: &TickView<'_>) -> Judgment {
        let agents = &now.world.agents;
        let path = now.world.path(self.path.id());
        now.each(&self.group, self.worse(), |row| {
            let nearest =
                geom::nearest_on_polyline(&path.points, path.is_closed(), agents.pos(row));
            Some(Measured::at_most(nearest.distance, self.distance.0))
        })
    }

    fn unit(&self) -> &'static str {
        "world units"
    }

    /// Returns true, since walls may keep agents there.
    fn needs_surroundings(&self) -> bool {
        true
    }

    fn bound(&self, _now: &TickView<'_>) -> f32 {
        self.distance.0
    }

    fn describe(&self, now: &TickView<'_>, violation: &Violation) -> String {
        let (agent, tick) = (now.agent_name(violation.first()), now.tick());
        let path = &now.world.path(self.path.id()).name;
        let most = self.distance.0;
        let value = math::short_beside(violation.value, most);
        format!(
            "{agent} is {value} away from path `{path}` at tick {tick}; expected at most {most}"
        )
    }
}
