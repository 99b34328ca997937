//! The parts of a move that the limits of a body cut off, for explanations.

use std::fmt;

use super::locomotion::Moved;
use crate::math::{PI, short};
use crate::world::{Body, Drive};

/// Something that a limit of a body has cut.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct LimitCut {
    /// The name of the limit, as it is written in a scenario: `max_sideways_force`.
    pub limit: &'static str,
    /// The limited quantity: `force forward`, or `turn`.
    pub what: &'static str,
    /// The amount that the agent wanted: a force, or degrees in this tick. Not negative.
    pub wanted: f32,
    /// The amount that the limit left of it.
    pub allowed: f32,
    /// The unit of both, with a space before it; empty for forces.
    pub unit: &'static str,
}

impl LimitCut {
    /// Returns everything that limits have cut, except by the maximum force and the maximum speed.
    pub(super) fn all(body: &Body, dt: f32, moved: &Moved) -> Vec<Self> {
        let mut all = Vec::new();
        let mut add = |limit, what, [wanted, allowed]: [f32; 2], unit| {
            if wanted != allowed {
                let (wanted, allowed) = (wanted.abs(), allowed.abs());
                all.push(Self { limit, what, wanted, allowed, unit });
            }
        };
        if moved.is_braking {
            add("max_braking_force", "braking force", moved.forward, "");
        } else {
            add("max_forward_force", "force along the heading", moved.forward, "");
        }
        add("max_sideways_force", "force across the heading", moved.sideways, "");
        let degrees = moved.turn.map(|radians| radians * (180.0 / PI));
        match body.drive {
            Drive::Car { .. } if moved.tightest <= body.max_turn_rad_per_s * dt => {
                add("turning_radius", "turn", degrees, " degrees");
            }
            _ => add("max_turn_deg_per_s", "turn", degrees, " degrees"),
        }
        all
    }
}

/// Shows it as in `turn of 30 degrees cut to 2 by turning_radius`.
impl fmt::Display for LimitCut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { limit, what, wanted, allowed, unit } = self;
        write!(f, "{what} of {}{unit} cut to {} by {limit}", short(*wanted), short(*allowed))
    }
}
