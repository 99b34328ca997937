"""PedPy's diagrams of a crowd at a door: how many have passed at what time, and the density before the door.

pip install flockwork pedpy matplotlib
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas
import pedpy

import flockwork as fw

SCENARIO = Path(__file__).parents[2] / "scenarios" / "crowds" / "bottleneck_social_force.ron"
DOOR = pedpy.MeasurementLine([(14.5, 6.2), (14.5, 7.8)])
BEFORE = pedpy.MeasurementArea([(11.5, 6), (13.5, 6), (13.5, 8), (11.5, 8)])
EVERY = 2


def trajectories(ticks: int) -> pedpy.TrajectoryData:
    """Run the scenario, and return where everybody was in every second tick."""
    run = fw.load(SCENARIO)
    frames = []
    for frame in range(ticks // EVERY):
        x, y = run.positions.astype(float).T
        frames.append(pandas.DataFrame({"id": run.ids.astype(int), "frame": frame, "x": x, "y": y}))
        run.step(EVERY)
    return pedpy.TrajectoryData(
        pandas.concat(frames, ignore_index=True), frame_rate=1 / (EVERY * run.dt)
    )


def main(ticks: int = 1200, picture: str | None = None) -> tuple[int, float]:
    """Return how many have passed the door, and the highest density before it, in people per square meter."""
    data = trajectories(ticks)
    passed, _ = pedpy.compute_n_t(traj_data=data, measurement_line=DOOR)
    density = pedpy.compute_classic_density(traj_data=data, measurement_area=BEFORE)
    count, most = int(passed["cumulative_pedestrians"].max()), float(density["density"].max())
    seconds = ticks / 20
    print(f"{count} people have passed after {seconds:.0f} s: {count / seconds:.2f} a second")
    print(
        f"at most {most:.2f} people per square meter, {np.mean(density['density']):.2f} on average"
    )
    if picture:
        import matplotlib.pyplot as plt

        _, (left, right) = plt.subplots(1, 2, figsize=(10, 4))
        pedpy.plot_nt(nt=passed, axes=left)
        pedpy.plot_density(density=density, axes=right)
        plt.savefig(picture)
    return count, most


if __name__ == "__main__":
    main(picture=sys.argv[1] if len(sys.argv) > 1 else None)
