"""The examples run, with few trials."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


def example(name: str, *packages: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the module of an example, or skip the test if it needs what is not there."""
    for package in packages:
        pytest.importorskip(package)
    monkeypatch.syspath_prepend(str(EXAMPLES))
    sys.modules.pop(name, None)
    return importlib.import_module(name)


@pytest.mark.filterwarnings("ignore")
def test_optuna_finds_weights_and_prunes(monkeypatch: pytest.MonkeyPatch) -> None:
    study = example("optuna_search", "optuna", monkeypatch=monkeypatch).main(trials=15)
    states = [trial.state.name for trial in study.trials]
    assert len(states) == 15
    assert set(states) == {"COMPLETE", "PRUNED"}
    assert study.best_value > 0.5


def test_pools_of_processes_have_the_same_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    hashes = example("pool_of_processes", monkeypatch=monkeypatch).main(seeds=10, ticks=20)
    assert "spawn" in hashes
    assert len(set(hashes["here"])) == 10
    assert all(of == hashes["here"] for of in hashes.values())


@pytest.mark.filterwarnings("ignore")
def test_salib_has_indices_of_each_weight(monkeypatch: pytest.MonkeyPatch) -> None:
    indices = example("salib_sobol", "SALib", monkeypatch=monkeypatch).main(
        points=16, ticks=60, seeds=2
    )
    assert indices["ST"].shape == (3,)
    assert np.isfinite(indices["ST"]).all()


@pytest.mark.filterwarnings("ignore")
def test_the_ema_workbench_explores(monkeypatch: pytest.MonkeyPatch) -> None:
    runs, outcomes = example(
        "ema_workbench_explore", "ema_workbench", monkeypatch=monkeypatch
    ).main(experiments=12)
    assert len(runs) == 12
    assert all(values.shape == (12,) for values in outcomes.values())
    assert (outcomes["polarization"] <= 1).all()


@pytest.mark.filterwarnings("ignore")
def test_pedpy_has_diagrams_of_a_crowd(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib").use("agg")
    module = example("pedpy_diagrams", "pedpy", "pandas", monkeypatch=monkeypatch)
    passed, density = module.main(ticks=400, picture=str(tmp_path / "diagrams.png"))
    assert 1 < passed < 100
    assert 1 < density < 8
    assert (tmp_path / "diagrams.png").stat().st_size > 10_000


def test_walkers_learn(monkeypatch: pytest.MonkeyPatch) -> None:
    module = example("learn_cross_entropy", "gymnasium", monkeypatch=monkeypatch)
    history = module.main(rounds=10)
    assert np.mean(history[-3:]) > np.mean(history[:3]) + 3
    assert module.main(rounds=2) == history[:2]


def test_examples_are_short() -> None:
    for path in EXAMPLES.glob("*.py"):
        assert len(path.read_text().splitlines()) < 60, path.name
