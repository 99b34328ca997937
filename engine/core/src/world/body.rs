//! The body of an agent: its size, its mass, and what limits its movement.

/// The body of an agent: its size, mass, limits and drive.
///
/// `Body::default()` is a point without limits, with the mass 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Radius, in world units; not negative.
    pub radius: f32,
    /// Mass, above 0. A force of 1 changes the velocity by 1 / mass world units per second, in each second.
    pub mass: f32,
    /// Maximum speed, in world units per second; infinite if there is no limit.
    pub max_speed: f32,
    /// Maximum force; infinite if there is no limit.
    pub max_force: f32,
    /// Maximum force along the heading; infinite if there is no limit.
    pub max_forward_force: f32,
    /// Maximum force against the heading; infinite if there is no limit.
    pub max_braking_force: f32,
    /// Maximum force across the heading, to each side; infinite if there is no limit.
    pub max_sideways_force: f32,
    /// How fast the heading can turn, in radians per second; infinite if there is no limit.
    pub max_turn_rad_per_s: f32,
    /// The directions in which it can move.
    pub drive: Drive,
    /// Whether it neither overlaps other solid bodies nor obstacles after a tick.
    pub solid: bool,
    /// The random errors of its motion, and of what agents perceive of it.
    pub noise: Noise,
}

/// Returns a body without size and limits, with the mass 1.
impl Default for Body {
    fn default() -> Self {
        Self {
            radius: 0.0,
            mass: 1.0,
            max_speed: f32::INFINITY,
            max_force: f32::INFINITY,
            max_forward_force: f32::INFINITY,
            max_braking_force: f32::INFINITY,
            max_sideways_force: f32::INFINITY,
            max_turn_rad_per_s: f32::INFINITY,
            drive: Drive::Point,
            solid: false,
            noise: Noise::default(),
        }
    }
}

/// Standard deviations of random errors, along each axis. 0 means no error.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Noise {
    /// Of the position that agents perceive, the agent itself included, in world units. Drawn again in each tick.
    pub position: f32,
    /// Of the velocity that agents perceive, in world units per second. Drawn again in each tick.
    pub velocity: f32,
    /// Of the sum of all random changes of its velocity in one second, in world units per second.
    pub motion: f32,
}

/// The directions in which a body can move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Drive {
    /// In all directions, like a ball or a person. The heading follows the velocity.
    #[default]
    Point,
    /// Along the heading only. It can turn while it stands, like a robot with two wheels.
    Unicycle {
        /// Whether it can also move backward.
        reverse: bool,
    },
    /// Along the heading only. It turns only while it moves, along a circle that is not too small.
    Car {
        /// The radius of the smallest circle that it can drive, in world units; above 0.
        turning_radius: f32,
        /// Whether it can also move backward.
        reverse: bool,
    },
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
