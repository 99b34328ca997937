//! The flock that is measured where no scenario is named: separation, alignment and cohesion among about
//! twelve neighbors, as scenario and script, and as the same behavior called from Rust.

use std::sync::Arc;

use flockwork_engine::diag::Source;
use flockwork_engine::math::{PI, Vec2, sqrt};
use flockwork_engine::script::Scripts;
use flockwork_engine::sim::{Brain, FnWithNeeds};
use flockwork_engine::steer::{alignment, cohesion, separation};
use flockwork_engine::world::{Me, Mind, Need, Neighborhood, WantedSums};

/// How many agents there are unless something else is asked for.
pub(super) const AGENTS: u32 = 10_000;

/// How far agents look to keep apart, in world units.
const NEAR: f32 = 25.0;

/// How far agents look for company, in world units.
const FAR: f32 = 50.0;

/// The maximum speed, in world units per second; as a number also the greatest force.
const SPEED: f32 = 180.0;

/// The area for each agent, in square world units, so that twelve stand within [`FAR`] once the flock has
/// formed.
const AREA_PER_AGENT: f32 = FAR * FAR * PI / 4.8;

/// The scenario, on a torus of constant density.
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

/// The script of the standard flock.
pub(super) fn scripts() -> Scripts {
    let text = format!(
        "fn steer(me) {{
    1.5 * me.separation({NEAR}) + me.alignment({FAR}) + me.cohesion({FAR})
}}
"
    );
    Scripts::new().with("flock", text)
}

/// What the script does, in Rust.
pub(super) fn native() -> Arc<dyn Brain> {
    let (near, far) = (Neighborhood::within(NEAR), Neighborhood::within(FAR));
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
