//! The expectation `AllFinite`: positions, velocities and headings are finite numbers.

use serde::Deserialize;

use super::rule::{Judgment, Measured, Rule, TickView, Violation, Worse};
use crate::math::Vec2;
use crate::schema::{Described, Shape};

/// Positions, velocities and headings are finite numbers.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct AllFinite;

impl Described for AllFinite {
    fn doc() -> String {
        "Positions, velocities and headings are finite numbers.".to_owned()
    }

    fn shape() -> Shape {
        Shape::Value("nothing".to_owned())
    }
}

impl Rule for AllFinite {
    fn judge(&mut self, now: &TickView<'_>) -> Judgment {
        let found = now.each(&None, self.worse(), |row| {
            wrong(now, row).map(|_| Measured { value: f32::NAN, margin: -1.0 })
        });
        // There is no distance from failing, only a number of agents that fail.
        let margin = found.violation.map(|violation| -(violation.count as f32));
        Judgment { margin, ..found }
    }

    fn unit(&self) -> &'static str {
        "agents"
    }

    fn bound(&self, _now: &TickView<'_>) -> f32 {
        0.0
    }

    fn describe(&self, now: &TickView<'_>, violation: &Violation) -> String {
        let row = violation.first();
        let (agent, tick) = (now.agent_name(row), now.tick());
        let (what, value) = wrong(now, row).unwrap_or_default();
        format!("the {what} of {agent} is {value} at tick {tick}; expected finite numbers")
    }

    fn worse(&self) -> Option<Worse> {
        None
    }
}

/// Returns the name and value of the first property of an agent that is not finite.
fn wrong(now: &TickView<'_>, row: usize) -> Option<(&'static str, Vec2)> {
    let agents = &now.world.agents;
    [("position", agents.pos(row)), ("velocity", agents.vel(row)), ("heading", agents.heading(row))]
        .into_iter()
        .find(|(_, vector)| !vector.is_finite())
}
