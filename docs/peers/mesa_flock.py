"""The standard flock of the page `docs/src/benchmarks.md`, in Mesa.

Neighbors, offsets and sums are arrays of numpy, in the continuous space that Mesa's own example of flocking birds uses too. All agents
decide from the same state; then all move at once.

Usage: mesa_flock.py AGENTS WARM_UP STEPS, or mesa_flock.py --batch RUNS AGENTS STEPS, which runs Mesa's `batch_run` in one process.
Prints nanoseconds of processor time per agent and step.
"""

import json
import sys
from time import process_time

import numpy as np
from mesa import DataCollector, Model, batch_run
from mesa.experimental.continuous_space import ContinuousSpace, ContinuousSpaceAgent

SEPARATION_RADIUS, RADIUS = 25, 50
SPEED = 180  # the maximum force is the same number
AREA_PER_AGENT = 1636
DT = 1 / 60


def rule(toward, velocity):
    """The force of a rule: its direction at full speed, minus the velocity."""
    length = np.sqrt(toward @ toward)
    return toward * (SPEED / length) - velocity if length > 0 else 0 * velocity


class Bird(ContinuousSpaceAgent):
    def __init__(self, model, space, position):
        super().__init__(space, model)
        self.position = position
        self.row = self.unique_id - 1

    def decide(self):
        model, positions, row = self.model, self.space.agent_positions, self.row
        here, velocity = positions[row], model.velocities[row]
        distances, _ = self.space.calculate_distances(here)
        near = np.flatnonzero(distances < RADIUS)
        near = near[near != row]
        if not len(near):
            model.forces[row] = 0
            return
        offsets = positions[near] - here
        offsets -= np.round(offsets / model.size) * model.size
        distances = distances[near]
        close = distances < SEPARATION_RADIUS
        apart = -(offsets[close] / distances[close, None] ** 2).sum(axis=0)
        along = model.velocities[near].sum(axis=0)
        force = 1.5 * rule(apart, velocity) + rule(along, velocity) + rule(offsets.sum(axis=0), velocity)
        model.forces[row] = force * min(1, SPEED / max(1e-9, np.sqrt(force @ force)))


class Flock(Model):
    def __init__(self, agents, seed=None, collects=False):
        super().__init__(seed=seed)
        self.size = (agents * AREA_PER_AGENT) ** 0.5
        self.space = ContinuousSpace([[0, self.size]] * 2, torus=True, random=self.random, n_agents=agents)
        Bird.create_agents(self, agents, self.space, position=self.rng.random((agents, 2)) * self.size)
        self.velocities = np.tile([SPEED, 0.0], (agents, 1))
        self.forces = np.zeros((agents, 2))
        self.datacollector = DataCollector({"polarization": Flock.polarization})
        self.collects = collects

    def step(self):
        self.agents.do("decide")
        velocities = self.velocities + self.forces * DT
        speeds = np.hypot(*velocities.T)
        self.velocities = velocities * np.minimum(1, SPEED / np.maximum(1e-9, speeds))[:, None]
        positions = self.space.agent_positions
        positions[:] = self.space.torus_correct(positions + self.velocities * DT)
        if self.collects:
            self.datacollector.collect(self)

    def polarization(self):
        directions = self.velocities / np.hypot(*self.velocities.T)[:, None]
        return float(np.hypot(*directions.mean(axis=0)))

    def neighbors(self):
        counts = [(self.space.calculate_distances(agent.position)[0] < RADIUS).sum() - 1 for agent in self.agents]
        return float(np.mean(counts))


if sys.argv[1] == "--batch":
    runs, agents, steps = map(int, sys.argv[2:])
    values = {"agents": agents, "seed": range(1, runs + 1), "collects": True}
    start = process_time()
    # It makes one step more than `max_steps`. What it returns at the end must have been collected in each step.
    rows = batch_run(Flock, values, max_steps=steps - 1, number_processes=1, display_progress=False)
    seconds = process_time() - start
    mean = sum(row["polarization"] for row in rows) / len(rows)
    print(json.dumps({"ns": seconds * 1e9 / (runs * agents * steps), "check": f"polarization {mean:.2f}"}))
else:
    agents, warm_up, steps = map(int, sys.argv[1:])
    flock = Flock(agents, seed=1)
    for _ in range(warm_up):
        flock.step()
    neighbors = flock.neighbors()
    start = process_time()
    for _ in range(steps):
        flock.step()
    seconds = process_time() - start
    print(json.dumps({"ns": seconds * 1e9 / (agents * steps), "check": f"{neighbors:.1f} neighbors"}))
