//! The expectation `NoOverlap`: bodies overlap neither each other nor obstacles.

use serde::Deserialize;

use super::bodies::BodyRadii;
use super::check::{Check, NameRef, SpecPart};
use super::obstacles;
use super::pair_groups::{PairGroups, TwoGroups};
use super::rule::{Contact, Judgment, Rule, TickView, Violation, Worse};
use crate::diag::Diagnostic;
use crate::geom::CoarseTest;
use crate::math;
use crate::number::Length;
use crate::schema::described;
use crate::world::GroupId;

described! {
    /// Bodies overlap neither each other nor obstacles.
    #[derive(Clone, Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct NoOverlap {
        /// The groups whose bodies are checked; by default all agents.
        pub(super) groups: Option<Vec<NameRef<GroupId>>>,
        /// Two groups, instead of `groups`: only pairs of a body of the first and a body of the second are checked.
        pub(super) between: Option<TwoGroups>,
        /// The overlap that is allowed, in world units; by default 0.
        pub(super) tolerance: Option<Length>,
        /// Whether bodies are checked against each other; by default true.
        pub(super) agents: Option<bool>,
        /// Whether bodies are checked against obstacles; by default true, but false with `between`.
        pub(super) obstacles: Option<bool>,
        ;
        pub(super) bodies: Option<BodyRadii>,
        pub(super) tests: Vec<CoarseTest>,
    }
}

impl NoOverlap {
    fn tolerance(&self) -> f32 {
        self.tolerance.map_or(0.0, |tolerance| tolerance.0)
    }

    fn agents(&self) -> bool {
        self.agents.unwrap_or(true)
    }

    fn obstacles(&self) -> bool {
        self.obstacles.unwrap_or(self.between.is_none())
    }
}

impl Rule for NoOverlap {
    fn check(&mut self, check: &mut Check<'_>) {
        let groups = check.pair_groups(self.groups.as_deref_mut(), self.between.as_mut());
        let (is_between, facts) = (self.between.is_some(), check.facts);
        if is_between && self.obstacles == Some(true) {
            let unchecked = Diagnostic::error("obstacles are not checked with `between`")
                .help("remove `obstacles`, and add `NoOverlap(agents: false)` for obstacles");
            check.add(SpecPart::Field("obstacles"), unchecked);
            return;
        }
        let Some(groups) = groups.filter(|_| facts.is_complete) else {
            return;
        };
        let meant = (0..).map(GroupId).zip(facts.groups).filter(|(id, _)| groups.contains(*id));
        let are_points = meant.into_iter().all(|(_, of)| of.largest_radius() == 0.0);
        let none_there = facts.obstacles == 0;
        let why = match (self.agents(), self.obstacles()) {
            (false, false) if is_between => "`between` is about agents, and `agents` is false",
            (false, false) => "both `agents` and `obstacles` are false",
            (false, true) if none_there => "the scenario has no obstacles",
            (true, obstacles) if are_points && (!obstacles || none_there) => {
                "bodies with radius 0 do not overlap each other"
            }
            _ => return,
        };
        check.cannot_fail(SpecPart::Name, why);
    }

    fn judge(&mut self, now: &TickView<'_>) -> Judgment {
        let (agents, obstacles, tolerance) = (self.agents(), self.obstacles(), self.tolerance());
        self.bodies.take_if(|bodies| !bodies.is_complete(now.world));
        let bodies = self.bodies.get_or_insert_with(|| {
            let groups = PairGroups::new(self.groups.as_deref(), self.between.as_ref());
            BodyRadii::new(now.world, groups, |body| body.radius)
        });
        let pairs = agents.then(|| bodies.overlapping_pairs(now, tolerance, Worse::Higher));
        let tests = &mut self.tests;
        let inside = obstacles.then(|| obstacles::find_overlaps(now, bodies, tolerance, tests));
        pairs.unwrap_or_default().join(inside.unwrap_or_default(), Worse::Higher)
    }

    fn unit(&self) -> &'static str {
        "world units"
    }

    fn bound(&self, _now: &TickView<'_>) -> f32 {
        match self.tolerance() {
            // Gaps are compared with the size of bodies.
            0.0 => self.bodies.as_ref().map_or(0.0, BodyRadii::largest),
            // Bodies may touch.
            tolerance => tolerance,
        }
    }

    fn forget_files(&mut self) {
        self.bodies = None;
    }

    fn describe(&self, now: &TickView<'_>, violation: &Violation) -> String {
        let (agent, tick) = (now.agent_name(violation.first()), now.tick());
        let what = match violation.with {
            Contact::Agent(other) => now.agent_name(other),
            Contact::Obstacle(index) => format!("obstacle `{}`", now.world.obstacles[index].name),
            Contact::Nothing => String::new(),
        };
        let most = self.tolerance();
        let value = math::short_beside(violation.value, most);
        format!("{agent} overlaps {what} by {value} at tick {tick}; expected at most {most}")
    }

    fn wants_grid(&self) -> bool {
        self.agents()
    }

    fn reads_obstacles(&self) -> bool {
        self.obstacles()
    }

    fn needs_surroundings(&self) -> bool {
        self.obstacles() && !self.agents()
    }
}
