"""The result of a hunt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._native import load
from ._table import Table

if TYPE_CHECKING:
    from ._native import Run
    from ._plan import PathLike
    from ._types import Finding


@dataclass(frozen=True)
class HuntFailure:
    """A start that breaks an expectation, made as small as possible."""

    expectation: str | None
    """The expectation, as it is written; None if a script fails."""
    message: str
    """What fails, in one line."""
    tick: int
    """The tick of the failure in the small scenario."""
    agent: int | None
    """The id of the agent, if it is about one."""
    margin: float | None
    """How far the expectation is from holding; None if it has no margin."""
    unit: str | None
    """The unit of the margin."""
    scenario: str
    """The small scenario, as a text."""
    found: str
    """The scenario as it was found, as a text."""
    run: int
    """The number of the run that found it; 0 is the scenario as it is."""
    smallest: bool
    """Whether nothing more can be removed."""
    shrink_runs: int
    """The number of runs that made it smaller."""
    before: dict[str, int]
    """The numbers of `agents`, `groups`, `obstacles`, `paths`, `events` and `ticks` before."""
    after: dict[str, int]
    """The same numbers now."""
    finding: Finding
    """The failure as a finding at the expectation: see `check`."""
    path: Path
    """The path of the scenario that was hunted in."""
    files: Mapping[Path, str]
    """Texts in place of files on disk."""

    def load(self, *, judge: bool = True) -> Run:
        """Return a run of the small scenario, at its first tick, with the scripts of the original one."""
        files: dict[PathLike, str] = {self.path: self.scenario}
        for path, text in self.files.items():
            files.setdefault(path, text)
        return load(self.path, files=files, judge=judge)


class Hunt:
    """The result of a hunt."""

    failures: list[HuntFailure]
    """One for each expectation that fails, and for scripts."""
    runs: int
    """The number of runs."""
    random_runs: int
    """The number of runs with starts that are spread over all starts."""
    random_failed: int
    """How many of these failed."""
    corner_runs: int
    """The number of runs with corner starts, which are rare among the spread ones. They are not part of the share."""
    corner_failed: int
    """How many of these failed."""
    compared_runs: int
    """The number of runs that were made with both versions."""
    same_in_both: int
    """In how many of these both versions had the same states in all ticks, to the bit."""
    share: float | None
    """The share of spread starts that fail; None if there were none."""
    interval: tuple[float, float] | None
    """The ends of the 95 % interval of the share (Wilson)."""
    margins: Table
    """How close each expectation came to failing: `expectation`, `margin`, `unit`, `run`, `tick`."""
    failed_with_both: int
    """The number of starts that fail with the version `against`, too. They do not count."""
    unusable: int
    """The number of starts that were no use: an expectation failed before the first tick, or values did not fit."""
    misfit: str | None
    """Why values did not fit, if they did not."""
    laws: dict[str, str | None]
    """The laws of symmetry that were considered, and why one was not tried: None if it was."""
    law_runs: int
    """The number of further runs in which only these were tried."""

    def __init__(self, result: dict[str, Any], path: Path, files: Mapping[Path, str]) -> None:
        self.failures = [HuntFailure(**one, path=path, files=files) for one in result["failures"]]
        self.margins = Table(result["margins"])
        self.runs = result["runs"]
        self.random_runs = result["random_runs"]
        self.random_failed = result["random_failed"]
        self.corner_runs = result["corner_runs"]
        self.corner_failed = result["corner_failed"]
        self.compared_runs = result["compared_runs"]
        self.same_in_both = result["same_in_both"]
        self.share = result["share"]
        self.interval = result["interval"]
        self.failed_with_both = result["failed_with_both"]
        self.unusable = result["unusable"]
        self.misfit = result["misfit"]
        self.laws = result["laws"]
        self.law_runs = result["law_runs"]

    def __repr__(self) -> str:
        if not self.failures:
            return f"<flockwork.Hunt: nothing found in {self.runs} runs>"
        first = self.failures[0]
        return (
            f"<flockwork.Hunt: {len(self.failures)} failures in {self.runs} runs: {first.message}>"
        )
