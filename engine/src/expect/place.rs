//! Rules about where agents are.

use super::rule::{Moment, Offence, Rule};
use crate::geom;
use crate::math::{self, Vec2};
use crate::world::{GroupId, PathId};

/// [`super::Expected::StayInside`]
pub(super) struct StayInside {
    pub(super) group: Option<GroupId>,
    pub(super) min: Vec2,
    pub(super) max: Vec2,
}

impl Rule for StayInside {
    fn judge(&mut self, now: &Moment<'_>) -> Option<Offence> {
        let pos = &now.world.agents.pos;
        let (min, max) = (self.min, self.max);
        now.each(self.group, |row| {
            let at = pos[row];
            let inside = (at.x >= min.x) & (at.x <= max.x) & (at.y >= min.y) & (at.y <= max.y);
            (!inside).then(|| math::length(at - at.clamp(min, max)))
        })
    }

    fn describe(&self, now: &Moment<'_>, offence: &Offence) -> String {
        let row = offence.first();
        let (who, at, tick) = (now.who(row), now.world.agents.pos[row], now.tick());
        let (value, min, max) = (offence.value, self.min, self.max);
        format!("{who} is at {at} at tick {tick}, {value} outside of {min} to {max}")
    }
}

/// [`super::Expected::StayNearPath`]
pub(super) struct StayNearPath {
    pub(super) group: Option<GroupId>,
    pub(super) path: PathId,
    pub(super) distance: f32,
}

impl Rule for StayNearPath {
    fn judge(&mut self, now: &Moment<'_>) -> Option<Offence> {
        let pos = &now.world.agents.pos;
        let path = now.world.path(self.path);
        now.each(self.group, |row| {
            let nearest = geom::nearest_on_polyline(&path.points, path.is_closed(), pos[row]);
            (nearest.distance > self.distance).then_some(nearest.distance)
        })
    }

    fn describe(&self, now: &Moment<'_>, offence: &Offence) -> String {
        let (who, tick) = (now.who(offence.first()), now.tick());
        let path = &now.world.path(self.path).name;
        let (value, most) = (offence.value, self.distance);
        format!("{who} is {value} from path `{path}` at tick {tick}; at most {most}")
    }
}
