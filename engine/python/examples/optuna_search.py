"""Optuna looks for weights with which boids fly alike, and gives up early on weights that do badly halfway.

pip install flockwork optuna
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import optuna

import flockwork as fw

SCENARIO = Path(__file__).parents[2] / "scenarios" / "boids_three_rules.ron"
SEEDS, PARTS = 8, 6


def objective(trial: optuna.Trial) -> float:
    """Return the polarization at the end, the mean of worlds with different seeds."""
    params = {
        "birds.center": trial.suggest_float("center", 0.1, 3),
        "birds.avoid": trial.suggest_float("avoid", 0.01, 1, log=True),
        "birds.average": trial.suggest_float("average", 0, 1),
    }
    batch = fw.batch(SCENARIO, seeds=SEEDS, params=[params])
    polarization = 0.0
    for part in range(PARTS):
        batch.step(batch.ticks // PARTS)
        polarization = float(np.nanmean(batch.measure("polarization")))
        trial.report(polarization, part)
        if trial.should_prune():
            raise optuna.TrialPruned()
    return polarization


def main(trials: int = 60) -> optuna.Study:
    """Search, and print what was found."""
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(
        direction="maximize",
        sampler=optuna.samplers.TPESampler(seed=1),
        pruner=optuna.pruners.MedianPruner(n_startup_trials=5),
    )
    study.optimize(objective, n_trials=trials)
    pruned = len(study.get_trials(states=[optuna.trial.TrialState.PRUNED]))
    print(
        f"polarization {study.best_value:.3f} with {study.best_params}; {pruned} of {trials} trials ended early"
    )
    return study


if __name__ == "__main__":
    main()
