//! The standard flock, which is measured if no scenario is given: separation, alignment and cohesion among about
//! eight neighbors, as scenario and script, and as the same behavior in Rust.

use std::sync::Arc;

use flockwork_engine::diag::Source;
use flockwork_engine::math::{PI, Vec2, sqrt};
use flockwork_engine::script::Scripts;
use flockwork_engine::sim::{Brain, FnWithNeeds};
use flockwork_engine::steer::{alignment, cohesion, separation};
use flockwork_engine::world::{Me, Mind, Need, Neighborhood, WantedSums};

/// Number of agents by default.
pub(super) const DEFAULT_AGENTS: u32 = 10_000;

/// Radius of the neighborhood for separation, in world units.
const SEPARATION_RADIUS: f32 = 25.0;

/// Radius of the neighborhood for alignment and cohesion, in world units.
const FLOCK_RADIUS: f32 = 50.0;

/// Maximum speed, in world units per second; the maximum force is the same number.
const SPEED: f32 = 180.0;

/// Area per agent, in square world units: about five neighbors are within [`FLOCK_RADIUS`] at first, and eight
/// after 100 ticks.
const AREA_PER_AGENT: f32 = FLOCK_RADIUS * FLOCK_RADIUS * PI / 4.8;

/// Returns the scenario, in a world that wraps, with the same density for any number of agents.
pub(super) fn scenario(agents: u32) -> Arc<Source> {
    let size = sqrt(agents as f32 * AREA_PER_AGENT);
    let text = format!(
        r#"(
    name: "Standard flock",
    seed: 1,
    ticks: 150,
    limits: (agents: {agents}),
    world: (size: ({size}, {size}), edge: Wrap),
    groups: {{
        "flock": (
            behavior: "flock",
            count: {agents},
            spawn: Rect(min: (0, 0), max: ({size}, {size})),
            velocity: ({SPEED}, 0),
            body: (radius: 1, max_speed: {SPEED}, max_force: {SPEED}),
        ),
    }},
)
"#
    );
    Source::new("standard flock", text)
}

/// Returns the script.
pub(super) fn scripts() -> Scripts {
    let text = format!(
        "fn steer(me) {{
    1.5 * me.separation({SEPARATION_RADIUS}) + me.alignment({FLOCK_RADIUS}) + me.cohesion({FLOCK_RADIUS})
}}
"
    );
    Scripts::new().with("flock", text)
}

/// Returns the behavior of the script, in Rust.
pub(super) fn native() -> Arc<dyn Brain> {
    let (near, far) = (Neighborhood::within(SEPARATION_RADIUS), Neighborhood::within(FLOCK_RADIUS));
    let (mut push, mut means) = (WantedSums::default(), WantedSums::default());
    push.push = true;
    means.means = true;
    Arc::new(FnWithNeeds {
        needs: vec![
            Need { neighborhood: near, sums: push },
            Need { neighborhood: far, sums: means },
        ],
        decide: move |me: &Me<'_>, _: Mind<'_>| -> Vec2 {
            1.5 * separation(me, near, SPEED) + alignment(me, far, SPEED) + cohesion(me, far, SPEED)
        },
    })
}
