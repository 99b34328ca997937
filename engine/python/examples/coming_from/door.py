"""The same room here, with the shipped script of the social force model."""

from pathlib import Path

import flockwork as fw

SCENARIO = """(
    ticks: 3000, dt: 0.01,
    world: (size: (14, 10), edge: Open),
    obstacles: {
        "room": Room(min: (0, 0), max: (14, 10)),
        "below": Box(center: (10.2, 2.25), size: (0.4, 4.5)),
        "above": Box(center: (10.2, 7.75), size: (0.4, 4.5)),
    },
    params: { "sight": 6.0, "range": 0.08 },
    groups: { "people": (
        behavior: "crowds/social_force", count: 150,
        spawn: Grid(at: (0.6, 0.8), columns: 15, spacing: (0.6, 0.9)),
        body: (radius: 0.2, max_speed: 1.3, max_force: 30, solid: true),
        goals: [(at: (13.5, 5), radius: 1)], after_goals: Remove,
    ) },
)"""

if __name__ == "__main__":
    script = Path(__file__).parents[4] / "scripts/crowds/social_force.rhai"
    run = fw.loads(SCENARIO, scripts={"crowds/social_force": script.read_text()})
    left = []
    while len(run) > 0 and run.tick < run.ticks:
        run.step(100)
        left.append(150 - len(run))
    print(left)
