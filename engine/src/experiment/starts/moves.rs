//! Changes of a start that small changes of its numbers rarely make: agents in a line, beside each other, at a wall, at a goal or in
//! each other's places, and numbers at the ends of their ranges.

use super::{Area, Draw, Start, Starts, VariedGroup};
use crate::math::{self, Vec2};

/// Maximum number of changes that make a corner start.
const MAX_CHANGES: usize = 4;

/// An agent whose place varies: the index of its group among those that vary, and its number in it.
type Placed = (usize, usize);

/// The largest number below 1.
const ALMOST_ONE: f32 = 1.0 - f32::EPSILON;

impl Starts {
    /// Returns a corner start: a random start, or the one that is written, with some changes.
    pub(in super::super) fn corner(&self, draw: &mut Draw) -> Start {
        let mut start = self.draw_start(draw);
        if draw.unit() < 0.5 {
            self.widen(&mut start, draw);
        }
        if draw.unit() < 0.3 {
            for _ in 0..4 {
                self.move_to_written(&mut start);
            }
        }
        for _ in 0..1 + draw.below(MAX_CHANGES) {
            self.change(&mut start, draw);
        }
        self.separate(&mut start, draw);
        start
    }

    /// Makes one change. Agents may then be on each other.
    pub(super) fn change(&self, start: &mut Start, draw: &mut Draw) {
        let kind = draw.below(8);
        let (one, two) = (self.choose_placed(start, draw), self.choose_placed(start, draw));
        let (Some(one), Some(two)) = (one, two) else {
            return to_an_end(start, draw);
        };
        match kind {
            0 => swap(start, one, two),
            1 => self.move_beside(start, one, two, draw),
            2 => self.align(start, one, two, draw),
            3 => start.places[one.0][one.1] = [0, 1].map(|_| end(draw)),
            4 => self.move_all_alike(start, one.0, draw),
            5 => self.move_to_obstacle(start, one, draw),
            6 => self.move_to_target(start, one, draw),
            _ => to_an_end(start, draw),
        }
    }

    /// Chooses an agent whose place varies, if there is one.
    fn choose_placed(&self, start: &Start, draw: &mut Draw) -> Option<Placed> {
        let counts: Vec<usize> = (0..self.groups.len())
            .map(|group| start.places[group].len().min(self.count(start, group) as usize))
            .collect();
        let mut agent = draw.below(counts.iter().sum());
        for (group, count) in counts.into_iter().enumerate() {
            if agent < count {
                return Some((group, agent));
            }
            agent -= count;
        }
        None
    }

    fn at(&self, start: &Start, (group, agent): Placed) -> Vec2 {
        let (count, numbers) = (self.count(start, group) as usize, start.places[group][agent]);
        self.groups[group].place(agent, count, numbers, start.reach())
    }

    /// Moves an agent to a point, or as near to it as it may be.
    fn move_to(&self, start: &mut Start, (group, agent): Placed, to: Vec2) {
        let count = self.count(start, group) as usize;
        let numbers = self.groups[group].numbers(agent, count, to, start.reach());
        start.places[group][agent] = numbers;
    }

    /// Moves an agent beside another one.
    fn move_beside(&self, start: &mut Start, one: Placed, two: Placed, draw: &mut Draw) {
        let radii = self.groups[one.0].radius + self.groups[two.0].radius;
        let unit = draw.unit();
        let distance = radii * (1.02 + 2.0 * unit * unit);
        let direction = math::direction((draw.unit() * 2.0 - 1.0) * math::PI);
        self.move_to(start, one, self.at(start, two) + direction * distance);
    }

    /// Moves an agent to the same coordinate as another one, so that one is exactly ahead of the other, or beside it.
    fn align(&self, start: &mut Start, one: Placed, two: Placed, draw: &mut Draw) {
        let (mut at, other) = (self.at(start, one), self.at(start, two));
        if draw.unit() < 0.5 {
            at.x = other.x;
        } else {
            at.y = other.y;
        }
        self.move_to(start, one, at);
    }

    /// Moves all agents of a group to the same side of their places. In an area, they come near each other.
    fn move_all_alike(&self, start: &mut Start, group: usize, draw: &mut Draw) {
        let (numbers, share) = ([draw.unit(), draw.unit()], draw.unit());
        let is_near = self.groups[group].area.is_near_written();
        for own in &mut start.places[group] {
            for (own, to) in own.iter_mut().zip(numbers) {
                *own = if is_near { to } else { *own + (to - *own) * share };
            }
        }
    }

    /// Moves an agent to the free side of an obstacle, near it.
    fn move_to_obstacle(&self, start: &mut Start, one: Placed, draw: &mut Draw) {
        let Some(shape) = self.obstacles.get(draw.below(self.obstacles.len())) else { return };
        let radius = self.groups[one.0].radius;
        // The surface that is nearest to some point where the agent may be.
        start.places[one.0][one.1] = [draw.unit(), draw.unit()];
        let surface = shape.surface(self.at(start, one));
        let unit = draw.unit();
        let to = surface.point + surface.normal * (radius * (1.02 + 2.0 * unit * unit));
        self.move_to(start, one, to);
    }

    /// Moves an agent to a goal or a waypoint.
    fn move_to_target(&self, start: &mut Start, one: Placed, draw: &mut Draw) {
        let Some(target) = self.targets.get(draw.below(self.targets.len())) else { return };
        let unit = draw.unit();
        let distance = self.groups[one.0].radius * 4.0 * unit * unit;
        let direction = math::direction((draw.unit() * 2.0 - 1.0) * math::PI);
        self.move_to(start, one, *target + direction * distance);
    }
}

/// Lets two agents of a group change places relative to those that are written.
fn swap(start: &mut Start, one: Placed, two: Placed) {
    let numbers = (start.places[one.0][one.1], start.places[two.0][two.1]);
    (start.places[one.0][one.1], start.places[two.0][two.1]) = (numbers.1, numbers.0);
}

/// Moves a count, the time of an event or a value to an end of its range.
fn to_an_end(start: &mut Start, draw: &mut Draw) {
    let numbers = start.counts.iter_mut().chain(&mut start.events).chain(&mut start.values);
    let mut numbers: Vec<&mut f32> = numbers.collect();
    let chosen = draw.below(numbers.len());
    if let Some(number) = numbers.get_mut(chosen) {
        **number = end(draw);
    }
}

fn end(draw: &mut Draw) -> f32 {
    if draw.unit() < 0.5 { 0.0 } else { ALMOST_ONE }
}

impl VariedGroup {
    /// Returns the numbers that stand for a point, or for one near it if agents may not begin there.
    fn numbers(&self, agent: usize, count: usize, at: Vec2, reach: f32) -> [f32; 2] {
        let share =
            |x: f32, from: f32, to: f32| if to > from { (x - from) / (to - from) } else { 0.0 };
        let in_disc = |center: Vec2, radius: f32| {
            let offset = at - center;
            let ratio = math::length(offset) / math::max(radius, f32::MIN_POSITIVE);
            [ratio * ratio, (math::angle(offset) / math::PI + 1.0) * 0.5]
        };
        let center = self.exact_place(agent, count, [0.0, 0.0], reach);
        let numbers = match &self.area {
            Area::AsWritten => [0.0, 0.0],
            Area::Rect { min, max } => [share(at.x, min.x, max.x), share(at.y, min.y, max.y)],
            Area::Disc { radius, .. } => in_disc(center, *radius),
            Area::NearRing { distance, .. } | Area::Near { distance, .. } => {
                in_disc(center, *distance * reach)
            }
        };
        numbers.map(|x| math::min(math::max(x, 0.0), ALMOST_ONE))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_stand_for_the_point_that_they_are_made_from(
            [a, b] in [0.0f32..1.0, 0.0..1.0], kind in 0..4usize, reach in 1.0f32..12.0,
        ) {
            let area = match kind {
                0 => Area::Rect { min: Vec2::new(-20.0, 3.0), max: Vec2::new(60.0, 43.0) },
                1 => Area::Disc { center: Vec2::new(7.0, 9.0), radius: 30.0 },
                2 => Area::NearRing { center: Vec2::new(7.0, 9.0), radius: 30.0, distance: 4.0 },
                _ => Area::Near { places: vec![Vec2::ZERO, Vec2::ONE], distance: 4.0, is_listed: true },
            };
            let group = VariedGroup { index: 0, radius: 1.0, count: 2, counts: None, area, decimals: 6 };
            let at = group.exact_place(1, 2, [a, b], reach);
            let again = group.exact_place(1, 2, group.numbers(1, 2, at, reach), reach);
            prop_assert!(math::length(at - again) < 1e-3 * group.area.extent() * reach, "{} {}", at, again);
        }
    }
}
