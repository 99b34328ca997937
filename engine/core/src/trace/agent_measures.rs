//! Measures of single agents: where one is, and how fast.

use crate::diag::Diagnostic;
use crate::world::{AgentId, World};

/// A measure of one agent. It has no value while the agent is not in the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AgentMeasure {
    agent: AgentId,
    what: Motion,
}

/// What of an agent is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Motion {
    X,
    Y,
    Speed,
}

impl Motion {
    const ALL: [(&str, Self); 3] = [("x", Self::X), ("y", Self::Y), ("speed", Self::Speed)];
}

impl AgentMeasure {
    /// Returns the measure with a name such as `agent.12.x`. `None` if the name does not begin with `agent` and a number; an error if
    /// agents have no such measure.
    pub(super) fn find(name: &str) -> Option<Result<Self, Diagnostic>> {
        let (id, measure) = name.strip_prefix("agent.")?.split_once('.')?;
        let agent = AgentId(id.parse().ok()?);
        let known = Motion::ALL.iter();
        Some(match known.clone().find(|(known, _)| *known == measure) {
            Some((_, what)) => Ok(Self { agent, what: *what }),
            None => Err(Diagnostic::error(format!("single agents have no measure `{measure}`"))
                .suggest(measure, known.map(|(known, _)| *known))),
        })
    }

    pub(super) fn take(self, world: &World) -> Option<f32> {
        let agent = world.find(self.agent)?;
        Some(match self.what {
            Motion::X => agent.pos().x,
            Motion::Y => agent.pos().y,
            Motion::Speed => agent.vel().length(),
        })
    }

    pub(super) fn unit(self) -> &'static str {
        match self.what {
            Motion::X | Motion::Y => "world units",
            Motion::Speed => "world units/s",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec2;
    use crate::sim::{GroupBuilder, Simulation};
    use crate::world::{Edge, NewAgent, Space};

    #[test]
    fn an_agent_is_measured_by_its_id() {
        let space = Space { edge: Edge::Open, min: Vec2::ZERO, size: Vec2::splat(100.0) };
        let agents = [(1.0, 2.0), (7.0, 8.0)]
            .map(|(x, y)| NewAgent::at(Vec2::new(x, y), Vec2::new(3.0, 4.0)));
        let birds = GroupBuilder::new("birds").agents(agents);
        let simulation = Simulation::builder(space).group(birds).build().unwrap();
        let take = |name: &str| AgentMeasure::find(name).unwrap().unwrap().take(simulation.world());
        assert_eq!(
            ["agent.1.x", "agent.1.y", "agent.0.speed", "agent.2.x"].map(take),
            [Some(7.0), Some(8.0), Some(5.0), None]
        );
        for other in ["agent.x", "agents.1.x", "agent.one.x", "agent.-1.x", "mean_speed"] {
            assert!(AgentMeasure::find(other).is_none(), "{other}");
        }
        assert!(AgentMeasure::find("agent.1.z").unwrap().is_err());
    }
}
