//! The steering primitives: pure functions, one file each, and the one table that lists them.
//!
//! A primitive returns a force after Reynolds ("Steering Behaviors For Autonomous Characters", 1999): desired
//! velocity minus velocity, before the limits of the body are applied. The script binding, the lowering, the
//! reference and the general tests are made from [`PRIMITIVES`], and each primitive is written once, over an
//! [`Algebra`].
//!
//! Primitives must not change anything but the progress of an agent on a path.

mod algebra;
mod cause;
mod choice;
mod explanation;
#[cfg(test)]
mod passing_tests;
mod table;
#[cfg(test)]
mod tests;

pub use cause::Cause;
pub use choice::{ChoiceRule, ExplainedChoice};
pub use explanation::{ExplainedCall, ExplainedVariable, Explanation, SeenNeighbors};
pub use table::{Arg, CallError, ForceKind, Param, ParamDefault, ParamKind, Primitive};

use table::primitive;
/// For the other crates of Flockwork.
#[doc(hidden)]
pub use {
    algebra::{
        Algebra, Argument, Boolean, Choose, FirstHit, Flow, NeighborSums, Number, Perception,
        Vector, choose,
    },
    choice::{before_key, since_key},
    table::{MAX_PARAMS, RADIANS, SLOTS},
};

/// Lists primitives by name. Each of them has a file of that name.
macro_rules! list {
    (primitives: $($primitive:ident),*; combinators: $($combinator:ident),*;) => {
        $(mod $primitive; pub use $primitive::$primitive;)*
        $(mod $combinator; pub use $combinator::$combinator;)*

        /// All primitives, in the order of the reference. Scripts call them on `me`.
        pub const PRIMITIVES: &[Primitive] = &[$($primitive::ENTRY),*];

        /// All functions that make one force of several, or return which one they would take. Scripts call them as
        /// plain functions.
        pub const COMBINATORS: &[Primitive] = &[$($combinator::ENTRY),*];

        /// Evaluates a primitive or combinator in a given algebra. There is one argument for each parameter,
        /// of the kind of that parameter.
        #[doc(hidden)]
        pub fn evaluate<A: Perception>(of: &Primitive, me: &A, args: &[Argument<'_, A>]) -> A::Vector {
            match of.name {
                $(stringify!($primitive) => $primitive::evaluate(me, args),)*
                _ => evaluate_combinator(of, me, args),
            }
        }

        /// Evaluates a combinator in a given algebra.
        #[doc(hidden)]
        pub fn evaluate_combinator<A: Algebra>(of: &Primitive, on: &A, args: &[Argument<'_, A>]) -> A::Vector {
            match of.name {
                $(stringify!($combinator) => $combinator::evaluate(on, args),)*
                name => unreachable!("no primitive is called {name}"),
            }
        }
    };
}

list! {
    primitives:
        seek, flee, arrive, pursue, evade, wander, match_velocity, separation, alignment, cohesion,
        avoid_obstacles, contain, follow_path, stay_on_path, follow_leader, queue,
        avoid_neighbors, anticipate, social_force, collision_free_speed, anticipation_velocity,
        least_detour,
        velocity_obstacles, orca,
        obstacle_danger, neighbor_danger, go_to, keep_formation, interpose, offset_pursue,
        shadow, orbit, dock, face, jink, explore, vicsek, zones, hide, wall_follow, slide,
        whiskers, flow_field;
    combinators:
        weighted_sum, prioritize, first_of, budget, dither, context, context_slot;
}

/// Returns the primitive or combinator with a name.
pub fn find(name: &str) -> Option<&'static Primitive> {
    PRIMITIVES.iter().chain(COMBINATORS).find(|primitive| primitive.name == name)
}
