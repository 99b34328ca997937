"""Experiments: sweeps, tunes and hunts."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ._hunted import Hunt
from ._native import SweepRuns
from ._native import hunt as native_hunt
from ._native import tune as native_tune
from ._plan import open_plan
from ._progress import Report
from ._sweep import Sweep
from ._table import Table
from ._tuned import Tuned

if TYPE_CHECKING:
    from ._plan import (
        Constraint,
        Goal,
        PathLike,
        Plan,
        Points,
        Progress,
        Quantile,
        Variation,
    )


def sweep(
    plan: PathLike | Plan,
    *,
    vary: Mapping[str, Variation] | None = None,
    seeds: int | Sequence[int] | None = None,
    ticks: int | None = None,
    record: Sequence[str] | None = None,
    expectations: Literal["margins", "holds", "ignore"] | None = None,
    points: Points | None = None,
    every: int | None = None,
    progress: Progress = None,
    threads: int = 0,
    files: Mapping[PathLike, str] | None = None,
    limit: int = 1_000_000,
) -> Sweep:
    """Run a scenario with many values and seeds, as `flockwork sweep` does.

    plan: the path of a plan (.plan.ron), which says everything; the path of a scenario, with the arguments below; or a dict with the same
        names and the path of a `scenario`.
    vary: what each value of the scenario becomes, by its path: `{"groups.birds.params.sight": fw.Range(10, 60, steps=6)}`, a list of
        values, `fw.Integers`, a `range`, or a distribution, `fw.Normal` or `fw.LogNormal`. Strings are strings; a text that a scenario should have as it is, is `fw.Ron(text)`.
    seeds: a number of seeds, from that of the scenario on, or a list of them. By default 1.
    ticks: the tick at which runs end; by default that of the scenario.
    record: names of measures; by default all measures of all agents.
    expectations: what is recorded of expectations: "margins" (the default), "holds" or "ignore".
    points: `fw.Sobol(256)`, `fw.LatinHypercube`, `fw.Halton`, `fw.Random`, `fw.Saltelli(bases)` or `fw.Morris(ways)`; by default a grid: each
        value with each other.
    every: measures are also recorded at all ticks that are multiples of this: see `Sweep.series`.
    progress: True for a bar of tqdm, if it is installed, or a function that is called with the number of runs that are done and that of
        all runs.
    threads: the number of threads, 0 for one for each core. Results do not depend on it.
    files: texts by path that are read in place of files on disk.
    limit: more runs than this are an error.

    Returns the table of runs. Ctrl-c raises KeyboardInterrupt, and an exception in `progress` comes out; the runs are lost then. Raises
    `flockwork.Error` for mistakes in the plan, the scenario or its scripts. An error of a single run is in the column `error` of its row.
    """
    arguments = {
        "vary": vary,
        "seeds": seeds,
        "ticks": ticks,
        "record": record,
        "expectations": expectations,
        "points": points,
        "every": every,
    }
    path, texts = open_plan(plan, arguments, files)
    runs = SweepRuns(path, texts)
    if runs.runs > limit:
        raise ValueError(
            f"the sweep has {runs.runs} runs, more than {limit}: give fewer values or seeds, choose points, for example `points=fw.Sobol(256)`, or a larger `limit`"
        )
    with Report(progress, "runs") as report:
        return Sweep(runs, *runs.run(report, threads))


def tune(
    plan: PathLike | Plan,
    *,
    vary: Mapping[str, Variation] | None = None,
    seeds: int | Sequence[int] | None = None,
    ticks: int | None = None,
    goals: Goal | Sequence[Goal] | None = None,
    where: Constraint | Sequence[Constraint] | None = None,
    over: Literal["mean", "worst"] | Quantile | None = None,
    budget: int | None = None,
    confirm: int | None = None,
    search_seed: int | None = None,
    progress: Progress = None,
    threads: int = 0,
    files: Mapping[PathLike, str] | None = None,
) -> Tuned:
    """Search for the values of a scenario that are best for goals, and confirm them with other seeds, as `flockwork tune` does.

    plan, vary, seeds, ticks, progress, threads, files: as for `sweep`.
    goals: `fw.Maximize("polarization")`, `fw.Minimize(..)`, `fw.Margins()`, `fw.Match({"mean_speed": 3.5})`, `fw.MatchSeries("seen.csv")`
        or `fw.Sum([(2, fw.Maximize(..)), ..])`, or a list of up to 4.
    where: what all runs must keep: `fw.AtLeast("closest_pair", 2)`, `fw.AtMost(..)`, `fw.Holds("NoOverlap")`, or a list of these.
    over: how the runs with several seeds make one number: "mean" (the default), "worst" or `fw.Quantile(0.1)`.
    budget: the maximum number of runs of the search.
    confirm: the number of other seeds with which the result is confirmed. By default 20.
    search_seed: the seed of the search. The same seed gives the same result. By default 0.
    """
    arguments = {
        "vary": vary,
        "seeds": seeds,
        "ticks": ticks,
        "goals": goals,
        "where": where,
        "over": over,
        "budget": budget,
        "confirm": confirm,
        "search_seed": search_seed,
    }
    path, texts = open_plan(plan, arguments, files)
    with Report(progress, "runs") as report:
        result, history, scenarios = native_tune(path, texts, report, threads)
    return Tuned(result, Table(history), scenarios)


def hunt(
    scenario: PathLike,
    *,
    runs: int = 500,
    seed: int = 0,
    expect: str | int | None = None,
    vary: Mapping[str, Variation] | None = None,
    against: PathLike | None = None,
    keep: Sequence[Literal["seed", "places", "counts", "events"]] = (),
    near: float | None = None,
    shrink_runs: int = 2000,
    progress: Progress = None,
    threads: int = 0,
    files: Mapping[PathLike, str] | None = None,
) -> Hunt:
    """Look for starts of a scenario that break an expectation, and make them smaller, as `flockwork hunt` does.

    scenario: the path of a scenario.
    runs: the number of runs of the search.
    seed: the seed of the search. The same seed gives the same result.
    expect: hunt only for this expectation: its number, from 1, or the beginning of its text.
    vary: values of the scenario that vary, too, as for `sweep`.
    against: another version of the scripts: a folder, or a Git revision. Only starts count that hold with it.
    keep: what stays as it is written: "seed", "places", "counts", "events".
    near: agents with a fixed place are moved by up to this, in world units; by default the diameter of their body.
    shrink_runs: the number of runs to make each failure smaller; 0 leaves it as it was found.
    progress, threads, files: as for `sweep`.
    """
    if os.fspath(scenario).endswith(".plan.ron"):
        raise ValueError("a hunt takes the path of a scenario; values of a plan are `vary`")
    path, texts = open_plan(scenario, {"vary": vary}, files)
    hunting = {
        "runs": runs,
        "seed": seed,
        "keep": list(keep),
        "near": near,
        "expect": None if expect is None else str(expect),
        "against": None if against is None else os.fspath(against),
        "shrink_runs": shrink_runs,
    }
    if runs < 1:
        raise ValueError("`runs` must be at least 1")
    with Report(progress, "runs") as report:
        result = native_hunt(path, hunting, texts, report, threads)
    others = {Path(of): text for of, text in (files or {}).items()}
    return Hunt(result, Path(scenario), others)
