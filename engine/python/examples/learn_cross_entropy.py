"""Four walkers learn to reach a goal without running into each other: the cross-entropy method on a vector environment, in some seconds.

pip install flockwork gymnasium
"""

from __future__ import annotations

import numpy as np

from flockwork import learning

SCENARIO = """(
    ticks: 80, hz: 10, world: (size: (20, 20), edge: Clamp),
    groups: { "walker": (count: 4, spawn: Rect(min: (1, 1), max: (19, 19)),
        body: (radius: 0.4, max_speed: 2, max_force: 4),
        goals: [(at: (10, 10), radius: 1)], after_goals: Remove) },
)"""
CANDIDATES, EPISODES = 64, 8
SEES: list[learning.Observation] = [learning.Own(2), learning.Goal(10), learning.Sectors(4, 3, 2)]
REWARD = learning.total(learning.progress(0.1), learning.new_goals(), learning.collision(-0.2))


def main(rounds: int = 25, seed: int = 1) -> list[float]:
    """Learn a linear policy, and return the mean score of each round."""
    env = learning.VectorEnv(
        SCENARIO,
        CANDIDATES * EPISODES,
        group="walker",
        observe=SEES,
        act=learning.Forces(),
        reward=REWARD,
        ends=learning.arrived(),
        scripts={},
    )
    random, features = np.random.default_rng(seed), env.single_observation_space.shape[-1]
    mean, deviation = np.zeros((features + 1, 2)), np.full((features + 1, 2), 1.0)
    history = []
    for number in range(rounds):
        policies = mean + deviation * random.standard_normal((CANDIDATES, features + 1, 2))
        weights = np.repeat(policies, EPISODES, axis=0)
        seeds = np.tile(np.arange(EPISODES) + number * EPISODES, CANDIDATES)
        seen, _ = env.reset(seed=seeds.tolist())
        scores, going = np.zeros(len(seeds)), np.ones(len(seeds), dtype=bool)
        while going.any():
            actions = np.tanh(seen @ weights[:, :-1] + weights[:, -1:])
            seen, rewards, terminated, truncated, _ = env.step(actions)
            scores += rewards * going
            going &= ~(terminated | truncated)
        scores = scores.reshape(CANDIDATES, EPISODES).mean(axis=1)
        best = policies[np.argsort(scores)[-12:]]
        mean, deviation = best.mean(axis=0), best.std(axis=0) + 0.3 / (number + 1)
        history.append(float(scores.mean()))
        print(f"round {number:2}: mean score {scores.mean():6.2f}, best {scores.max():6.2f}")
    return history


if __name__ == "__main__":
    main()
