//! Rules about how agents move: speed, acceleration, turning, turning back, and whether it is a number.

use std::collections::VecDeque;

use super::rule::{Moment, Offence, Rule, Worse, ticks};
use crate::math::{self, Vec2};
use crate::world::{GroupId, retain_rows};

/// [`super::Expected::MaxSpeed`]
pub(super) struct MaxSpeed {
    pub(super) group: Option<GroupId>,
    pub(super) speed: f32,
}

impl Rule for MaxSpeed {
    fn judge(&mut self, now: &Moment<'_>) -> Option<Offence> {
        let vel = &now.world.agents.vel;
        now.each(self.group, |row| {
            let speed = vel[row].length();
            (speed > self.speed).then_some(speed)
        })
    }

    fn describe(&self, now: &Moment<'_>, offence: &Offence) -> String {
        let who = now.who(offence.first());
        let (value, tick) = (offence.value, now.tick());
        format!("{who} moves at {value} at tick {tick}; at most {}", self.speed)
    }
}

/// [`super::Expected::MaxAcceleration`]
pub(super) struct MaxAcceleration {
    pub(super) group: Option<GroupId>,
    pub(super) acceleration: f32,
}

impl Rule for MaxAcceleration {
    fn judge(&mut self, now: &Moment<'_>) -> Option<Offence> {
        let (vel, before) = (&now.world.agents.vel, &now.before.vel);
        let dt = now.world.dt;
        now.each_old(self.group, |row| {
            let change = (vel[row] - before[row]).length() / dt;
            (change > self.acceleration).then_some(change)
        })
    }

    fn describe(&self, now: &Moment<'_>, offence: &Offence) -> String {
        let who = now.who(offence.first());
        let (value, tick) = (offence.value, now.tick());
        let most = self.acceleration;
        format!("{who} changes its velocity by {value} per second at tick {tick}; at most {most}")
    }
}

/// [`super::Expected::MaxTurnRate`]
pub(super) struct MaxTurnRate {
    pub(super) group: Option<GroupId>,
    pub(super) deg_per_s: f32,
}

impl Rule for MaxTurnRate {
    fn judge(&mut self, now: &Moment<'_>) -> Option<Offence> {
        let (heading, before) = (&now.world.agents.heading, &now.before.heading);
        let dt = now.world.dt;
        // Angles are taken only of those that turn by about as much as they may.
        let most = self.deg_per_s * dt * (math::PI / 180.0);
        let slope = if most < 0.5 * math::PI { math::tan(most) * 0.9999 } else { f32::INFINITY };
        now.each_old(self.group, |row| {
            let (cross, dot) = (before[row].perp_dot(heading[row]), before[row].dot(heading[row]));
            if dot > 0.0 && cross.abs() < slope * dot {
                return None;
            }
            let rate = math::atan2(cross.abs(), dot) * (180.0 / math::PI) / dt;
            (rate > self.deg_per_s).then_some(rate)
        })
    }

    fn describe(&self, now: &Moment<'_>, offence: &Offence) -> String {
        let who = now.who(offence.first());
        let (value, tick) = (offence.value, now.tick());
        let most = self.deg_per_s;
        format!("{who} turns by {value} degrees per second at tick {tick}; at most {most}")
    }
}

/// [`super::Expected::NoJitter`]
pub(super) struct NoJitter {
    pub(super) group: Option<GroupId>,
    pub(super) reversals: u32,
    pub(super) seconds: f32,
    /// For each row the ticks of its latest reversals, no more of them than matter.
    pub(super) latest: Vec<VecDeque<u64>>,
}

impl Rule for NoJitter {
    fn judge(&mut self, now: &Moment<'_>) -> Option<Offence> {
        let Self { group, reversals, seconds, latest } = self;
        latest.resize_with(now.world.agents.len(), VecDeque::new);
        let (vel, before) = (&now.world.agents.vel, &now.before.vel);
        let (tick, window) = (now.tick(), ticks(*seconds, now.world.dt));
        now.each_old(*group, |row| {
            if vel[row].dot(before[row]) >= 0.0 {
                return None;
            }
            let latest = &mut latest[row];
            while latest.front().is_some_and(|&old| tick - old >= window) {
                latest.pop_front();
            }
            latest.push_back(tick);
            if latest.len() <= *reversals as usize {
                return None;
            }
            let count = latest.len() as f32;
            latest.pop_front();
            Some(count)
        })
    }

    fn retain(&mut self, keep: &[bool], _groups: &[GroupId]) {
        retain_rows(&mut self.latest, keep);
    }

    fn describe(&self, now: &Moment<'_>, offence: &Offence) -> String {
        let who = now.who(offence.first());
        let (value, tick) = (offence.value, now.tick());
        let (most, seconds) = (self.reversals, self.seconds);
        let times = if value == 1.0 { "time" } else { "times" };
        format!(
            "{who} turns back {value} {times} within {seconds} s at tick {tick}; at most {most}"
        )
    }

    fn worse(&self) -> Option<Worse> {
        None
    }
}

/// [`super::Expected::AllFinite`]
pub(super) struct AllFinite;

impl Rule for AllFinite {
    fn judge(&mut self, now: &Moment<'_>) -> Option<Offence> {
        now.each(None, |row| wrong(now, row).map(|_| f32::NAN))
    }

    fn describe(&self, now: &Moment<'_>, offence: &Offence) -> String {
        let row = offence.first();
        let (who, tick) = (now.who(row), now.tick());
        let (what, value) = wrong(now, row).unwrap_or_default();
        format!("{who} has the {what} {value} at tick {tick}, which is not finite")
    }

    fn worse(&self) -> Option<Worse> {
        None
    }
}

/// What of an agent is not finite.
fn wrong(now: &Moment<'_>, row: usize) -> Option<(&'static str, Vec2)> {
    let agents = &now.world.agents;
    [("position", agents.pos[row]), ("velocity", agents.vel[row]), ("heading", agents.heading[row])]
        .into_iter()
        .find(|(_, vector)| !vector.is_finite())
}
