//! The expectations `StayInside` and `StayOutside`: agents stay in an area, or out of it.

use serde::Deserialize;

use super::check::{Check, GroupFilter, SpecPart};
use super::rule::{Judgment, Measured, Rule, TickView, Violation};
use crate::diag::Diagnostic;
use crate::geom::Shape;
use crate::math::{self, Vec2};
use crate::number::Point;
use crate::schema::described;
use crate::world::Area;

described! {
    /// The centers of agents stay in a rectangle, or in another area, or on its edge.
    #[derive(Clone, Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct StayInside {
        /// The group whose agents are checked; by default all agents.
        group: GroupFilter,
        /// The corner of the rectangle with the smallest coordinates.
        min: Option<Point>,
        /// The corner of the rectangle with the largest coordinates.
        max: Option<Point>,
        /// The area, instead of a rectangle.
        area: Option<Area>,
        ;
        /// The shape of the area, once it is checked.
        shape: Option<Shape>,
    }
}

described! {
    /// The centers of agents stay out of an area, or on its edge.
    #[derive(Clone, Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub(super) struct StayOutside {
        /// The group whose agents are checked; by default all agents.
        group: GroupFilter,
        /// The area, which does not wrap.
        area: Area,
        ;
        /// The shape of the area, once it is checked.
        shape: Option<Shape>,
    }
}

impl StayInside {
    /// Returns how far a point is outside: below 0 inside.
    fn outside(&self, at: Vec2) -> f32 {
        match (self.min, self.max, &self.shape) {
            (Some(Point(min)), Some(Point(max)), _) => {
                let inside = (at - min).min(max - at).min_element();
                if inside >= 0.0 { -inside } else { math::length(at - at.clamp(min, max)) }
            }
            (_, _, Some(shape)) => shape.surface(at).distance,
            _ => 0.0,
        }
    }
}

/// Returns the shape of an area; reports what is wrong with it.
fn shape_of(area: &Area, check: &mut Check<'_>) -> Option<Shape> {
    let problem = match area.shape() {
        Ok(shape) => return Some(shape),
        Err(problem) => problem,
    };
    check.add(SpecPart::Field("area"), Diagnostic::error(problem));
    None
}

/// Returns how large a shape is, roughly: half of the shorter side of the rectangle around it.
fn size(shape: Option<&Shape>) -> f32 {
    let Some((min, max)) = shape.map(Shape::bounds) else { return 0.0 };
    math::max(0.5 * (max - min).min_element(), 0.0)
}

impl Rule for StayInside {
    fn check(&mut self, check: &mut Check<'_>) {
        check.group_filter(&mut self.group);
        match (self.min, self.max, &self.area) {
            (Some(min), Some(max), None) => {
                if !min.0.cmplt(max.0).all() {
                    let wrong = "`max` of a rectangle must be above `min` in both coordinates";
                    let wrong = Diagnostic::error(wrong).label("not above `min`");
                    check.add(SpecPart::Field("max"), wrong);
                }
            }
            (None, None, Some(area)) => self.shape = shape_of(area, check),
            _ => {
                let wrong = Diagnostic::error("`StayInside` needs `min` and `max`, or an `area`");
                let help = "write `StayInside(min: (0, 0), max: (100, 80))` or `StayInside(area: Circle(center: (50, 40), radius: 30))`";
                check.add(SpecPart::Name, wrong.help(help));
            }
        }
    }

    fn judge(&mut self, now: &TickView<'_>) -> Judgment {
        let agents = &now.world.agents;
        now.each(&self.group, self.worse(), |row| {
            Some(Measured::at_most(self.outside(agents.pos(row)), 0.0))
        })
    }

    fn unit(&self) -> &'static str {
        "world units"
    }

    /// Returns true, since walls keep agents there.
    fn needs_surroundings(&self) -> bool {
        true
    }

    fn bound(&self, _now: &TickView<'_>) -> f32 {
        // The largest margin is that of an agent in the middle.
        match (self.min, self.max) {
            (Some(min), Some(max)) => 0.5 * (max.0 - min.0).min_element(),
            _ => size(self.shape.as_ref()),
        }
    }

    fn describe(&self, now: &TickView<'_>, violation: &Violation) -> String {
        let row = violation.first();
        let (agent, at, tick) = (now.agent_name(row), now.world.agents.pos(row), now.tick());
        let value = math::short(violation.value);
        let area = match (self.min, self.max) {
            (Some(Point(min)), Some(Point(max))) => format!("rectangle from {min} to {max}"),
            _ => "area".to_owned(),
        };
        format!("{agent} is at {at} at tick {tick}, {value} outside the {area}")
    }
}

impl Rule for StayOutside {
    fn check(&mut self, check: &mut Check<'_>) {
        check.group_filter(&mut self.group);
        self.shape = shape_of(&self.area, check);
    }

    fn judge(&mut self, now: &TickView<'_>) -> Judgment {
        let agents = &now.world.agents;
        now.each(&self.group, self.worse(), |row| {
            let outside = self.shape.as_ref()?.surface(agents.pos(row)).distance;
            // Above 0 within the area.
            Some(Measured::at_most(-outside, 0.0))
        })
    }

    fn unit(&self) -> &'static str {
        "world units"
    }

    /// Returns true, since walls keep agents there.
    fn needs_surroundings(&self) -> bool {
        true
    }

    fn bound(&self, _now: &TickView<'_>) -> f32 {
        size(self.shape.as_ref())
    }

    fn describe(&self, now: &TickView<'_>, violation: &Violation) -> String {
        let row = violation.first();
        let (agent, at, tick) = (now.agent_name(row), now.world.agents.pos(row), now.tick());
        let value = math::short(violation.value);
        format!("{agent} is at {at} at tick {tick}, {value} inside the area")
    }
}
