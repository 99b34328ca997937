"""The table of runs of a sweep, and its statistics over seeds."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ._table import Table

if TYPE_CHECKING:
    from ._native import SweepRuns


class Sweep(Table):
    """The table of runs of a sweep: a row for each run, in the order and with the columns of the program's `runs.csv`.

    Columns: `run`, `point`, the values by their paths, `seed`, `tick` (the last one), `state_hash`, the measures at the last tick, for each
    expectation `holds.1.NAME` and `margin.1.NAME`, and `error` (None if there was none).
    """

    series: Table | None
    """The measures over time, with the columns `run`, `tick` and measures, if the sweep has `every`; else None."""

    varied: list[str]
    """The paths of the values that vary: names of columns."""

    measures: list[str]
    """The names of the measures: names of columns."""

    expectations: list[str]
    """The expectations of the scenario, as they are written."""

    def __init__(
        self,
        runs: SweepRuns,
        columns: dict[str, NDArray[Any]],
        series: dict[str, NDArray[Any]] | None,
        margins: list[str | None],
    ) -> None:
        units = {name: unit for name, unit in runs.measures if unit}
        self.series = None if series is None else Table(series, units)
        self.varied = runs.varied
        self.measures = [name for name, _ in runs.measures]
        self.expectations = runs.expectations
        of_margins = [name for name in columns if name.startswith("margin.")]
        units.update((name, unit) for name, unit in zip(of_margins, margins, strict=False) if unit)
        super().__init__(columns, units)
        self._runs = runs

    def scenario(self, run: int) -> str:
        """Return the scenario of a run by its number, as a text that runs alone to the hash in the table."""
        return self._runs.scenario(run)

    def summary(self, level: float = 0.95, *, over_time: bool = False) -> Table:
        """Return the mean of each measure over the seeds of each point, with its interval.

        level: the probability of the intervals.
        over_time: a row for each point and tick, from `series`, in place of one for each point.

        Columns: `point`, the values, `tick` if asked for, `runs` (without those that ended with an error), and for each measure and margin
        NAME, `NAME.low` and `NAME.high`. The interval of a mean is that of Student's t distribution: mean +- t s / sqrt(n), where s is the
        standard deviation with n - 1; NaN for fewer than two runs. Runs in which a measure has no value do not count for it. For each
        expectation, `holds.1.NAME` is the share of runs in which it holds, with the interval of Wilson.
        """
        if not 0.0 < level < 1.0:
            raise ValueError("`level` must be between 0 and 1")
        source: Table = self
        if over_time:
            if self.series is None:
                raise ValueError("this sweep has no measures over time: give `every`")
            source = self.series
        # The first run is number 0, and all are there.
        rows = source["run"].astype(np.int64)
        points = self["point"].astype(np.int64)[rows]
        has_ended = np.array([error is None for error in self["error"]], dtype=bool)[rows]
        ticks = source["tick"].astype(np.int64) if over_time else np.zeros_like(rows)
        keys, first, group = _groups(points, ticks)
        columns: dict[str, NDArray[Any]] = {"point": keys[:, 0]}
        for name in self.varied:
            columns[name] = self[name][rows[first]]
        if over_time:
            columns["tick"] = keys[:, 1]
        columns["runs"] = np.bincount(group, has_ended, len(keys)).astype(np.int64)
        units: dict[str, str] = {}
        for name in source:
            if name in self.measures or name.startswith("margin."):
                stats = _mean(source[name].astype(np.float64), group, len(keys), level)
            elif name.startswith("holds."):
                stats = _share(source[name], group, len(keys), level)
            else:
                continue
            for ending, column in zip(("", ".low", ".high"), stats, strict=True):
                columns[name + ending] = column
                if name in source.units:
                    units[name + ending] = source.units[name]
        return Table(columns, units)

    def __repr__(self) -> str:
        return f"<flockwork.Sweep of {self.rows} runs: {', '.join(self)}>"


def _groups(
    points: NDArray[np.int64], ticks: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.intp], NDArray[np.intp]]:
    """Return the pairs of point and tick, the first row of each, and which of them each row has."""
    pairs = np.column_stack([points, ticks]).astype(np.int64)
    keys, first, group = np.unique(pairs, axis=0, return_index=True, return_inverse=True)
    return keys, first, group.reshape(-1)


def _mean(
    values: NDArray[np.float64], group: NDArray[np.intp], groups: int, level: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return the mean of each group, and the ends of its interval."""
    known = ~np.isnan(values)
    values, group = values[known], group[known]
    count = np.bincount(group, minlength=groups).astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.bincount(group, values, groups) / count
        squares = np.bincount(group, (values - mean[group]) ** 2, groups)
        error = np.sqrt(squares / (count - 1) / count)
    error[count < 2] = np.nan
    quantiles = {n: _student_t(level, n - 1) for n in {int(n) for n in count} if n > 1}
    half = error * np.array([quantiles.get(int(n), np.nan) for n in count])
    return mean, mean - half, mean + half


def _share(
    holds: NDArray[Any], group: NDArray[np.intp], groups: int, level: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return the share of each group, and the ends of its interval (Wilson)."""
    known = np.array([value is not None for value in holds], dtype=bool)
    holds, group = holds[known].astype(np.float64), group[known]
    z = NormalDist().inv_cdf(0.5 + level / 2)
    n = np.bincount(group, minlength=groups).astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.bincount(group, holds, groups) / n
        middle = share + z * z / (2 * n)
        half = z * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
        scale = 1 + z * z / n
        low, high = (middle - half) / scale, (middle + half) / scale
    # Rounding leaves hardly more than nothing there.
    low[share == 0], high[share == 1] = 0.0, 1.0
    return share, low, high


def _student_t(level: float, degrees: int) -> float:
    """Return the t with this probability between -t and t (Abramowitz and Stegun, 26.7.3 and 26.7.4)."""

    if degrees > 200:
        # The first terms of an expansion (26.7.5), which are enough here for all digits of a float of 32 bits.
        z = NormalDist().inv_cdf(0.5 + level / 2)
        first, second = (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96
        third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
        return z + first / degrees + second / degrees**2 + third / degrees**3
    is_odd = degrees % 2 == 1

    def inside(angle: float) -> float:
        sine, cosine = math.sin(angle), math.cos(angle)
        total, term = 0.0, cosine if is_odd else 1.0
        for k in range(2 if is_odd else 1, degrees + 1, 2):
            total += term
            term *= cosine * cosine * k / (k + 1)
        return 2 / math.pi * (angle + sine * total) if is_odd else sine * total

    low, high = 0.0, math.pi / 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if inside(middle) < level else (low, middle)
    return math.sqrt(degrees) * math.tan(low)
