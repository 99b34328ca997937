"""The EMA Workbench explores boids with uncertain weights, and says which weights each outcome depends on.

pip install flockwork ema_workbench
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np

warnings.filterwarnings("ignore", module="ema_workbench")
from ema_workbench import Model, RealParameter, ScalarOutcome, perform_experiments  # noqa: E402
from ema_workbench.analysis import feature_scoring  # noqa: E402

import flockwork as fw  # noqa: E402

SCENARIO = Path(__file__).parents[2] / "scenarios" / "boids_three_rules.ron"
SEEDS = 8


def boids(center: float, avoid: float, average: float) -> dict[str, float]:
    """Run worlds with some seeds, and return means over them."""
    params = {"birds.center": center, "birds.avoid": avoid, "birds.average": average}
    batch = fw.batch(SCENARIO, seeds=SEEDS, params=[params])
    batch.step(200)
    names = ("polarization", "spread", "closest_pair")
    return {name: float(np.nanmean(batch.measure(name))) for name in names}


def main(experiments: int = 100) -> tuple[Any, dict[str, np.ndarray]]:
    """Explore, and print how much each weight says about each outcome."""
    model = Model("boids", function=boids)
    model.uncertainties = [
        RealParameter("center", 0.1, 3),
        RealParameter("avoid", 0.01, 1),
        RealParameter("average", 0, 1),
    ]
    model.outcomes = [ScalarOutcome(name) for name in ("polarization", "spread", "closest_pair")]
    runs, outcomes = perform_experiments(model, scenarios=experiments)
    inputs = runs[["center", "avoid", "average"]]
    print(feature_scoring.get_feature_scores_all(inputs, outcomes).round(2))
    return runs, outcomes


if __name__ == "__main__":
    main()
