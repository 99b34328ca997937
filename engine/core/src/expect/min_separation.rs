//! The expectation `MinSeparation`: agents keep a distance from each other.

use serde::Deserialize;

use super::bodies::BodyRadii;
use super::check::{Check, NameRef};
use super::pair_groups::{PairGroups, TwoGroups};
use super::rule::{Contact, Judgment, Rule, TickView, Violation, Worse};
use crate::math;
use crate::number::PositiveLength;
use crate::schema::described;
use crate::world::GroupId;

described! {
    /// The centers of agents keep a distance from each other.
    #[derive(Clone, Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct MinSeparation {
        /// The groups whose agents are checked; by default all agents.
        pub(super) groups: Option<Vec<NameRef<GroupId>>>,
        /// Two groups, instead of `groups`: only pairs of an agent of the first and an agent of the second are checked.
        pub(super) between: Option<TwoGroups>,
        /// The minimum distance in world units.
        pub(super) distance: PositiveLength,
        ;
        /// The agents as bodies with half the distance as radius.
        pub(super) bodies: Option<BodyRadii>,
    }
}

impl Rule for MinSeparation {
    fn check(&mut self, check: &mut Check<'_>) {
        check.pair_groups(self.groups.as_deref_mut(), self.between.as_mut());
    }

    fn judge(&mut self, now: &TickView<'_>) -> Judgment {
        let distance = self.distance.0;
        self.bodies.take_if(|bodies| !bodies.is_complete(now.world));
        let bodies = self.bodies.get_or_insert_with(|| {
            let groups = PairGroups::new(self.groups.as_deref(), self.between.as_ref());
            BodyRadii::new(now.world, groups, |_| 0.5 * distance)
        });
        bodies.overlapping_pairs(now, 0.0, Worse::Lower)
    }

    fn unit(&self) -> &'static str {
        "world units"
    }

    fn bound(&self, _now: &TickView<'_>) -> f32 {
        self.distance.0
    }

    fn forget_files(&mut self) {
        self.bodies = None;
    }

    fn describe(&self, now: &TickView<'_>, violation: &Violation) -> String {
        let (agent, tick) = (now.agent_name(violation.first()), now.tick());
        let other = match violation.with {
            Contact::Agent(other) => now.agent_name(other),
            _ => String::new(),
        };
        let least = self.distance.0;
        let value = math::short_beside(violation.value, least);
        format!("{agent} is {value} away from {other} at tick {tick}; expected at least {least}")
    }

    fn worse(&self) -> Option<Worse> {
        Some(Worse::Lower)
    }

    fn wants_grid(&self) -> bool {
        true
    }
}
