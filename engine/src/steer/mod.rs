//! The steering primitives: pure functions, one file each, and the one table that lists them.
//!
//! A primitive answers with a force after Reynolds ("Steering Behaviors For Autonomous Characters",
//! 1999): the velocity it wants minus the velocity there is, not yet cut to what the body can do. The
//! script binding, the reference and the general tests are made from [`PRIMITIVES`].

mod alignment;
mod arrive;
mod avoid_obstacles;
mod budget;
mod cause;
mod cohesion;
mod contain;
mod evade;
mod flee;
mod follow_leader;
mod follow_path;
mod match_velocity;
mod prioritize;
mod pursue;
mod queue;
mod seek;
mod separation;
mod stay_on_path;
mod table;
#[cfg(test)]
mod tests;
mod wander;

pub use alignment::alignment;
pub use arrive::arrive;
pub use avoid_obstacles::avoid_obstacles;
pub use budget::budget;
pub use cause::Cause;
pub use cohesion::cohesion;
pub use contain::contain;
pub use evade::evade;
pub use flee::flee;
pub use follow_leader::follow_leader;
pub use follow_path::follow_path;
pub use match_velocity::match_velocity;
pub use prioritize::prioritize;
pub use pursue::pursue;
pub use queue::queue;
pub use seek::seek;
pub use separation::separation;
pub use stay_on_path::stay_on_path;
pub use table::{Arg, CallError, Default, Kind, MOST_PARAMS, Param, Primitive, RADIANS, Wants};
pub use wander::wander;

use crate::math::Vec2;
use table::primitive;

/// All primitives, in the order of the reference. Scripts call them on `me`.
pub const PRIMITIVES: &[Primitive] = &[
    seek::ENTRY,
    flee::ENTRY,
    arrive::ENTRY,
    pursue::ENTRY,
    evade::ENTRY,
    wander::ENTRY,
    match_velocity::ENTRY,
    separation::ENTRY,
    alignment::ENTRY,
    cohesion::ENTRY,
    avoid_obstacles::ENTRY,
    contain::ENTRY,
    follow_path::ENTRY,
    stay_on_path::ENTRY,
    follow_leader::ENTRY,
    queue::ENTRY,
];

/// What makes one force of several. Scripts call them as plain functions.
pub const COMBINATORS: &[Primitive] = &[prioritize::ENTRY, budget::ENTRY];

/// By which numbers a combinator takes forces into its sum, of which there may be so much; `None` for a
/// primitive.
pub(crate) fn scales(combinator: &Primitive, forces: &[Vec2], most: f32) -> Option<Vec<f32>> {
    match combinator.name {
        "prioritize" => Some(prioritize::scales(forces)),
        "budget" => Some(budget::scales(forces, most)),
        _ => None,
    }
}

/// The primitive or combinator of a name.
pub fn find(name: &str) -> Option<&'static Primitive> {
    PRIMITIVES.iter().chain(COMBINATORS).find(|primitive| primitive.name == name)
}
