//! The body of an agent: its size, its mass, and what limits its movement.

use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

use crate::distribution::Drawable;
use crate::number::{Length, Limit, Positive, PositiveLength, TurnLimit, positive_length};
use crate::schema::settings::settings;
use crate::schema::{ReadSetting, described};

settings! {
    /// The body of an agent: its size, mass, limits and drive. A limit that it does not have is infinite.
    ///
    /// `Body::default()` is a point without limits, with the mass 1.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize)]
    pub struct Body, read as BodySpec, "Body" {
        /// The radius, in world units. Default: 0.
        radius: f32 as Length = 0.0 => perceived,
        /// What forces are divided by. Default: 1.
        mass: f32 as Positive = 1.0,
        /// The maximum speed, in world units per second. Default: no limit.
        max_speed: f32 as Limit = f32::INFINITY,
        /// The maximum length of the force. Default: no limit.
        max_force: f32 as Limit = f32::INFINITY,
        /// The maximum of the force along the heading. Default: no limit.
        max_forward_force: f32 as Limit = f32::INFINITY,
        /// The maximum of the force against the heading. Default: no limit.
        max_braking_force: f32 as Limit = f32::INFINITY,
        /// The maximum of the force across the heading. Default: no limit.
        max_sideways_force: f32 as Limit = f32::INFINITY,
        /// How fast the heading can turn, in degrees per second. Default: no limit.
        max_turn_rad_per_s (max_turn_deg_per_s, " This value is in radians per second."): f32 as TurnLimit = f32::INFINITY,
        /// How it moves and turns. Default: `Point`.
        drive: Drive as Drive = Drive::Point,
        /// Whether it may overlap neither other solid bodies nor obstacles. Default: false.
        solid: bool as bool = false,
        /// Whether it passes on the left, if another one that does the same comes straight toward it. Default: false.
        keeps_left: bool as bool = false => perceived,
        /// Random errors of perception and motion. Default: no errors.
        noise: Noise as NoiseSpec = Noise::default() => perceived,
    }
}

settings! {
    /// Standard deviations of random errors. Those of perception are drawn again in each tick, also for what an agent perceives of itself.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize)]
    pub struct Noise, read as NoiseSpec, "Noise" {
        /// The standard deviation of the perceived position along each axis, in world units. Default: 0.
        position: f32 as Length = 0.0,
        /// The standard deviation of the perceived velocity along each axis, in world units per second. Default: 0.
        velocity: f32 as Length = 0.0,
        /// The standard deviation of all random changes of the velocity in one second. Default: 0.
        motion: f32 as Length = 0.0,
    }
}

described! {
    /// The directions in which a body can move.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
    #[serde(rename = "drive", deny_unknown_fields)]
    pub enum Drive {
        /// Moves in all directions.
        #[default]
        Point,
        /// Moves only along its heading, and turns where it stands.
        Unicycle {
            /// Whether it can drive backward. Default: false.
            #[serde(default)]
            reverse: bool,
        },
        /// Moves only along its heading, and turns only while it moves.
        Car {
            /// The smallest radius of its turns, in world units.
            #[serde(deserialize_with = "positive_length")]
            turning_radius: f32 as PositiveLength,
            /// Whether it can drive backward. Default: false.
            #[serde(default)]
            reverse: bool,
        },
    }
}

impl ReadSetting for Drive {
    type Value = Self;

    fn value(self) -> Self {
        self
    }

    fn problem(value: &Self) -> Option<&'static str> {
        match *value {
            Self::Car { turning_radius, .. }
                if !(turning_radius > 0.0 && turning_radius.is_finite()) =>
            {
                Some("have a turning_radius that is finite and above 0")
            }
            _ => None,
        }
    }

    fn text(value: &Self) -> String {
        let backward = if value.can_reverse() { "reverse: true" } else { "" };
        match value {
            Self::Point => "Point".into(),
            Self::Unicycle { .. } => format!("Unicycle({backward})"),
            Self::Car { turning_radius, .. } => {
                let comma = if backward.is_empty() { "" } else { ", " };
                format!("Car(turning_radius: {turning_radius}{comma}{backward})")
            }
        }
    }
}

/// Writes the kind, and what the variant has.
impl Serialize for Drive {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let (kind, turning_radius) = match self {
            Self::Point => ("point", None),
            Self::Unicycle { .. } => ("unicycle", None),
            Self::Car { turning_radius, .. } => ("car", Some(turning_radius)),
        };
        map.serialize_entry("kind", kind)?;
        if self.is_wheeled() {
            map.serialize_entry("reverse", &self.can_reverse())?;
        }
        if let Some(radius) = turning_radius {
            map.serialize_entry("turning_radius", radius)?;
        }
        map.end()
    }
}

impl Drive {
    /// Returns whether the velocity is always along the heading, or against it.
    pub fn is_wheeled(self) -> bool {
        self != Self::Point
    }

    /// Returns whether it can move against its heading while it keeps its heading.
    pub fn can_reverse(self) -> bool {
        matches!(self, Self::Unicycle { reverse: true } | Self::Car { reverse: true, .. })
    }
}

impl Body {
    /// Returns whether anything limits its movement besides the maximum speed and the maximum force. If not, its heading
    /// is the direction of its velocity.
    #[inline]
    pub fn depends_on_heading(&self) -> bool {
        self.drive.is_wheeled() || self.has_limited_turn() || self.has_limited_parts()
    }

    /// Returns whether its heading does not follow every change of its velocity at once.
    pub fn steers_its_heading(&self) -> bool {
        self.drive.is_wheeled() || self.has_limited_turn()
    }

    pub(crate) fn has_limited_turn(&self) -> bool {
        self.max_turn_rad_per_s < f32::INFINITY
    }

    /// Returns whether its force is limited along, against or across the heading.
    pub(crate) fn has_limited_parts(&self) -> bool {
        self.max_forward_force < f32::INFINITY
            || self.max_braking_force < f32::INFINITY
            || self.max_sideways_force < f32::INFINITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Described, Shape};

    #[test]
    fn what_is_read_is_what_is_shown() {
        let read: BodySpec =
            serde_json::from_str(r#"{"max_turn_deg_per_s": 90.0, "noise": {"motion": 2.0}}"#)
                .unwrap();
        let other = Body { radius: 2.0, max_turn_rad_per_s: 1.0, ..Body::default() };
        let body = read.or(&other);
        assert_eq!((body.radius, body.noise.motion), (2.0, 2.0));
        let settings = body.settings();
        let text = |name: &str| &*settings.iter().find(|one| one.name == name).unwrap().text;
        assert_eq!((text("max_turn_deg_per_s"), text("max_speed")), ("90", "no limit"));
        assert_eq!(text("noise"), "(position: 0, velocity: 0, motion: 2)");
        let Shape::Fields(fields) = BodySpec::shape() else { panic!("fields") };
        assert!(fields.iter().map(|field| field.name).eq(settings.iter().map(|one| one.name)));
        let json = serde_json::to_value(body).unwrap();
        assert_eq!(json.as_object().unwrap().len(), fields.len());
        assert!(json["max_speed"].is_null());
    }

    #[test]
    fn values_that_cannot_be_are_named() {
        let drive = Drive::Car { turning_radius: 0.0, reverse: true };
        let noise = Noise { velocity: -1.0, ..Noise::default() };
        let body = Body { mass: 0.0, max_force: f32::NAN, drive, noise, ..Body::default() };
        let names: Vec<_> = body.problems().into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["mass", "max_force", "drive", "noise"]);
        assert!(Body::default().problems().is_empty());
    }
}
