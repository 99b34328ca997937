"""The same flock here. The rules are a script, so they run as fast as native code."""

import flockwork as fw

SCENARIO = """(
    ticks: 600,
    world: (size: (800, 600), edge: Wrap),
    groups: { "birds": (
        behavior: "flock", count: 100, spawn: Rect(min: (0, 0), max: (800, 600)),
        body: (radius: 3, max_speed: 90, max_force: 180, noise: (motion: 1)),
    ) },
)"""
RULES = """
fn steer(me) {
    me.cohesion(60) * 0.8 + me.separation(18) * 1.5 + me.alignment(60) * 1.5
}
"""

if __name__ == "__main__":
    files = {"flock.ron": SCENARIO, "scripts/flock.rhai": RULES}
    vary = {"groups.birds.body.noise.motion": [1, 10]}
    result = fw.sweep("flock.ron", files=files, vary=vary, seeds=4, record=["polarization"])
    print(result.to_pandas()[["groups.birds.body.noise.motion", "seed", "polarization"]])
