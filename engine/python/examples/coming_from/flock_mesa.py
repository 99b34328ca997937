"""A flock in Mesa 3: polarization against noise, with 4 seeds each."""

import numpy as np
from mesa import DataCollector, Model, batch_run
from mesa.experimental.continuous_space import ContinuousSpace, ContinuousSpaceAgent


class Bird(ContinuousSpaceAgent):
    def __init__(self, model, space, position):
        super().__init__(space, model)
        self.position = position
        self.direction = model.rng.uniform(-1, 1, 2)

    def step(self):
        others, distances = self.get_neighbors_in_radius(60)
        if others:
            offsets = self.space.calculate_difference_vector(self.position, others)
            self.direction += 0.01 * offsets.mean(axis=0)
            self.direction -= 0.1 * offsets[distances < 18].sum(axis=0)
            self.direction += 0.5 * np.mean([other.direction for other in others], axis=0)
        self.direction += self.model.rng.normal(0, self.model.noise, 2)
        self.direction /= np.linalg.norm(self.direction)
        self.position += 1.5 * self.direction


class Flock(Model):
    def __init__(self, noise=0.1, birds=100, seed=None):
        super().__init__(seed=seed)
        self.noise = noise
        size = ((0, 800), (0, 600))
        space = ContinuousSpace(size, torus=True, random=self.random, n_agents=birds)
        Bird.create_agents(self, birds, space, position=self.rng.random((birds, 2)) * (800, 600))
        self.datacollector = DataCollector({"polarization": Flock.polarization})

    def step(self):
        self.agents.shuffle_do("step")
        self.datacollector.collect(self)

    def polarization(self):
        return np.linalg.norm(np.mean([bird.direction for bird in self.agents], axis=0))


if __name__ == "__main__":
    rows = batch_run(
        Flock, {"noise": [0.1, 1.0], "seed": range(4)}, max_steps=20, display_progress=False
    )
    for row in rows:
        print(row["noise"], row["seed"], row["polarization"])
