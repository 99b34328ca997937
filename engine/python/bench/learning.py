"""How many steps of agents a second go through the environments for learning: observations, actions, rewards and new episodes included.

python engine/python/bench/learning.py
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from flockwork import learning

WORLDS, AGENTS = 1000, 4
STEPS, WARM_UP, ROUNDS = 150, 20, 5

SCENARIO = """(
    ticks: 200,
    hz: 10,
    world: (size: (20, 20), edge: Clamp),
    groups: { "walker": (
        count: 4,
        spawn: Rect(min: (1, 1), max: (19, 19)),
        body: (radius: 0.3, max_speed: 1.5, max_force: 3),
        goals: [(at: (10, 10), radius: 0.5)],
        behavior: "walk",
    ) },
)"""

SCRIPTS = {
    "walk": "fn steer(me) { if me.goal == () { -me.vel } else { me.arrive(me.goal, 2.0) + me.separation(2.0) } }",
    "roam": "fn steer(me) { me.wander() }",
}

Observations = list[learning.Observation]
SEES: Observations = [
    learning.Own(1.5),
    learning.Goal(10.0),
    learning.Sectors(8, range=5.0, speed=1.5),
]
ASKS: Observations = [learning.Own(1.5), learning.Question("fn steer(me) { me.separation(2.0) }")]
MEASURES: Observations = [learning.Own(1.5), learning.Goal(10.0), learning.Measure("mean_speed")]


def rate(observe: Observations, act: learning.Action, **more: object) -> float:
    """Return steps of agents a second, in the best round."""
    env = learning.VectorEnv(
        SCENARIO,
        WORLDS,
        group="walker",
        observe=observe,
        act=act,
        reward=learning.progress(),
        ends=learning.arrived(),
        scripts=SCRIPTS,
        **more,  # type: ignore[arg-type]
    )
    env.reset(seed=1)
    env.action_space.seed(1)
    actions = [env.action_space.sample() for _ in range(10)]

    def steps(count: int) -> None:
        for number in range(count):
            env.step(actions[number % len(actions)])

    steps(WARM_UP)
    return WORLDS * AGENTS * STEPS / best(lambda: steps(STEPS))


def best(work: Callable[[], None]) -> float:
    """Return the seconds of the fastest of some rounds."""
    seconds: list[float] = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - begin)
    return min(seconds)


def main() -> None:
    """Print the rates."""
    cases: list[tuple[str, Observations, learning.Action, dict[str, object]]] = [
        ("forces, 8 sectors, goal", SEES, learning.Forces(), {}),
        ("  without copies", SEES, learning.Forces(), {"copy": False}),
        ("  on one thread", SEES, learning.Forces(), {"threads": 1}),
        ("directions, 8 sectors, goal", SEES, learning.Directions(8), {}),
        ("forces, a question to a script", ASKS, learning.Forces(), {}),
        ("forces, a measure", MEASURES, learning.Forces(), {}),
        ("choices of scripts, 8 sectors", SEES, learning.Choices(["walk", "roam"]), {}),
    ]
    print(f"{WORLDS} worlds of {AGENTS} agents, numpy {np.__version__}")
    for name, observe, act, more in cases:
        print(f"{name:32} {rate(observe, act, **more) / 1e6:6.2f} million agent-steps a second")


if __name__ == "__main__":
    main()
