"""The result of a tune."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from ._table import Table


def _read(text: str) -> Any:
    """Return a value of a scenario as an object: a number, a bool or a string."""
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            pass
    if text in ("true", "false"):
        return text == "true"
    if text.startswith('"'):
        try:
            return json.loads(text)
        except ValueError:
            pass
    return text or None


@dataclass(frozen=True)
class Confirmation:
    """How values compare with the scenario as it is, for one goal, with seeds that the search has not used."""

    goal: str
    """The goal."""
    now: float | None
    """The goal's value in the scenario as it is; None if runs had an error, or gave nothing to judge by."""
    found: float | None
    """The goal's value with the values that were found."""
    gain: tuple[float, float] | None
    """The bounds of the gain, with a probability of about 90 %. A gain above 0 is better, whatever the goal."""
    verdict: Literal["better", "within_spread", "not_better", "violates"]
    """Whether the values are better, and by more than other seeds might change; or that runs of them do not keep the constraints."""
    errors: int
    """The number of runs of the values that ended with an error."""
    violations: int
    """The number of runs of the values that do not keep the constraints."""


@dataclass(frozen=True)
class Change:
    """What a change of one value alone does: by 5 % of its range, or to the next value."""

    value: Any
    """The changed value."""
    goal: float | None
    """The goal's value then, with the seeds of the search."""


@dataclass(frozen=True)
class Found:
    """Values that a tune has found."""

    evaluation: int
    """The number of the try: a row of `Tuned.history`. 0 is the scenario as it is."""
    values: dict[str, Any]
    """The values by their paths."""
    goals: dict[str, float | None]
    """The value of each goal, with the seeds of the search."""
    confirmation: list[Confirmation]
    """For each goal; empty for the scenario as it is."""
    sensitivity: dict[str, tuple[Change | None, Change | None]]
    """For each value, what a lower and a higher one does; None where it cannot change so. Empty if there are several goals."""
    violations: int
    """The number of runs of the search with these values that do not keep the constraints."""
    intervals: dict[str, tuple[Any, Any] | None]
    """For each value, the ends of an interval that has the true one with a probability of about 90 %; None for one from a list. Empty unless
    the only goal is to match measures."""
    unidentified: list[list[str]]
    """Sets of values that cannot be identified: single ones, and those of which only a combination is known."""
    scenario: str
    """The scenario with these values, as a text. Comments are kept."""


class Tuned:
    """The result of a tune."""

    found: list[Found]
    """The best values. With several goals, up to 12 of those that no other is better than, from the worst to the best for the first."""
    now: Found
    """The scenario as it is."""
    history: Table
    """All values that were tried, in order: `evaluation`, `restarts`, the values, the goals, `errors` and `best`."""
    goals: list[str]
    """The goals, as the program prints them."""
    seeds: list[int]
    """The seeds of the search."""
    confirmation_seeds: list[int]
    """The seeds of the confirmation."""
    end: Literal["budget", "exhausted"]
    """Why the search ended: no more runs were allowed, or it found nothing that it had not tried before."""
    runs: int
    """The number of all runs."""

    def __init__(self, result: dict[str, Any], history: Table, scenarios: list[str]) -> None:
        self.goals = result["goals"]
        self.seeds = result["seeds"]
        self.confirmation_seeds = result["confirmation_seeds"]
        self.end = result["end"]
        self.runs = result["runs"]
        self.history = history
        paths: list[str] = result["values"]
        now = {
            "evaluation": 0,
            "confirmation": None,
            "sensitivity": None,
            "intervals": None,
            "unidentified": None,
            **result["now"],
        }
        self.now = self._found(now, paths, "")
        self.found = [
            self._found(one, paths, text)
            for one, text in zip(result["found"], scenarios, strict=True)
        ]

    def _found(self, one: dict[str, Any], paths: list[str], scenario: str) -> Found:
        confirmations: list[Confirmation] = []
        for goal, of in zip(self.goals, one["confirmation"] or [], strict=False):
            gain = None if of["gain"] is None else (of["gain"][0], of["gain"][1])
            confirmations.append(
                Confirmation(
                    goal,
                    of["now"],
                    of["found"],
                    gain,
                    of["verdict"],
                    of["errors"],
                    of["violations"]["found"],
                )
            )
        changes: dict[str, tuple[Change | None, Change | None]] = {}
        for path, sides in zip(paths, one["sensitivity"] or [], strict=False):
            lower, higher = (
                None if side is None else Change(_read(side["value"]), side["goal"])
                for side in sides
            )
            changes[path] = (lower, higher)
        intervals: dict[str, tuple[Any, Any] | None] = {
            path: None if ends is None else (_read(ends[0]), _read(ends[1]))
            for path, ends in zip(paths, one["intervals"] or [], strict=False)
        }
        values = dict(zip(paths, map(_read, one["values"]), strict=True))
        return Found(
            one["evaluation"],
            values,
            dict(zip(self.goals, one["goals"], strict=True)),
            confirmations,
            changes,
            one["violations"],
            intervals,
            one["unidentified"] or [],
            scenario,
        )

    @property
    def best(self) -> Found | None:
        """The best values for the first goal; None if each try had a run with an error or without a value."""
        return self.found[-1] if self.found else None

    def __repr__(self) -> str:
        best = self.best
        if best is None:
            return f"<flockwork.Tuned: {'; '.join(self.goals)}: nothing found in {self.runs} runs>"
        verdict = ", ".join(one.verdict for one in best.confirmation) or "as it is"
        return f"<flockwork.Tuned: {'; '.join(self.goals)}: {best.values} ({verdict}), {self.runs} runs>"
