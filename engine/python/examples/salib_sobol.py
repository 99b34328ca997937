"""SALib says which weights of boids matter: Sobol's first and total indices for the polarization.

pip install flockwork SALib
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from SALib.analyze import sobol as analyze
from SALib.sample import sobol as sample

import flockwork as fw

SCENARIO = Path(__file__).parents[2] / "scenarios" / "boids_three_rules.ron"
PROBLEM = {
    "num_vars": 3,
    "names": ["birds.center", "birds.avoid", "birds.average"],
    "bounds": [[0.1, 3], [0.01, 1], [0, 1]],
}


def main(points: int = 128, ticks: int = 300, seeds: int = 4) -> dict[str, Any]:
    """Run all points of the design in one batch, each with some seeds, and print the indices."""
    design = sample.sample(PROBLEM, points, seed=1)
    params = dict(zip(PROBLEM["names"], design.T, strict=True))
    batch = fw.batch(SCENARIO, seeds=seeds, params=params)
    batch.step(ticks)
    # All seeds of a row follow each other.
    polarization = batch.measure("polarization").reshape(len(design), seeds)
    indices = analyze.analyze(PROBLEM, np.nanmean(polarization, axis=1), seed=1)
    print(f"polarization of {len(batch)} worlds of {batch.agents[0]} birds after {ticks} ticks")
    for number, name in enumerate(PROBLEM["names"]):
        first, total, wide = (indices[key][number] for key in ("S1", "ST", "ST_conf"))
        print(f"{name:14} first {first:5.2f}   total {total:5.2f} ± {wide:.2f}")
    return indices


if __name__ == "__main__":
    main()
