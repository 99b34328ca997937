//! No agent is faster.

use serde::Deserialize;

use super::check::{Check, Whose};
use super::rule::{Moment, Offence, Rule};
use crate::number::Length;

/// No agent is faster than this.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MaxSpeed {
    group: Whose,
    /// World units per second.
    speed: Length,
}

impl Rule for MaxSpeed {
    fn check(&mut self, check: &mut Check<'_>) {
        check.whose(&mut self.group);
    }

    fn judge(&mut self, now: &Moment<'_>) -> Option<Offence> {
        let vel = &now.world.agents.vel;
        now.each(&self.group, self.worse(), |row| {
            let speed = vel[row].length();
            (speed > self.speed.0).then_some(speed)
        })
    }

    fn describe(&self, now: &Moment<'_>, offence: &Offence) -> String {
        let who = now.who(offence.first());
        let (value, tick) = (offence.value, now.tick());
        format!("{who} moves at {value} at tick {tick}; at most {}", self.speed.0)
    }
}
