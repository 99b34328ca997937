"""Plans: what an experiment varies and looks for, as arguments in Python and as the text of a file."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypedDict, Union, cast

import numpy as np
from numpy.typing import NDArray

PathLike: TypeAlias = Union[str, "os.PathLike[str]"]


class Ron(str):
    """A text that stands in a scenario as it is: `fw.Ron("Normal(mean: 3, sd: 1)")`. Other strings get quotes."""


@dataclass(frozen=True)
class Range:
    """Numbers from `start` to `end`, with both. `start` may be the larger one.

    steps: how many of them, at equal distances; without it, all numbers between the two (for `Sobol`, `LatinHypercube` and `tune`).
    log: equal ratios in place of equal distances. Both ends must be above 0 then.
    """

    start: float
    end: float
    steps: int | None = None
    log: bool = False

    def ron(self) -> str:
        """Return what a plan has for it."""
        steps = "" if self.steps is None else f", steps: {_number(self.steps)}"
        log = ", log: true" if self.log else ""
        return f"Range(from: {_number(self.start)}, to: {_number(self.end)}{steps}{log})"


@dataclass(frozen=True)
class Integers:
    """Integers from `start` to `end`, which is one of them if a step leads there."""

    start: int
    end: int
    step: int = 1

    def ron(self) -> str:
        """Return what a plan has for it."""
        start, end, step = _number(self.start), _number(self.end), _number(self.step)
        return f"Integers(from: {start}, to: {end}, step: {step})"


@dataclass(frozen=True)
class Normal:
    """Numbers of a normal distribution, for points that are not a grid.

    within: the ends of the numbers; without it, they are within four standard deviations.
    """

    mean: float
    deviation: float
    within: tuple[float, float] | None = None

    def ron(self) -> str:
        """Return what a plan has for it."""
        mean, deviation = _number(self.mean), _number(self.deviation)
        return f"Normal(mean: {mean}, deviation: {deviation}{_within(self.within)})"


@dataclass(frozen=True)
class LogNormal:
    """Numbers whose logarithms are normal, for points that are not a grid.

    spread: the factor of one standard deviation.
    within: the ends of the numbers; without it, they are within four standard deviations.
    """

    median: float
    spread: float
    within: tuple[float, float] | None = None

    def ron(self) -> str:
        """Return what a plan has for it."""
        median, spread = _number(self.median), _number(self.spread)
        return f"LogNormal(median: {median}, spread: {spread}{_within(self.within)})"


@dataclass(frozen=True)
class Sobol:
    """The first `points` points of a scrambled Sobol sequence, which fills the space of values evenly."""

    points: int
    seed: int | None = None

    def ron(self) -> str:
        """Return what a plan has for it."""
        return f"Sobol(points: {self.points}{_seed(self.seed)})"


@dataclass(frozen=True)
class LatinHypercube:
    """A number of points; each value takes each of as many equal shares of its range once."""

    points: int
    seed: int | None = None

    def ron(self) -> str:
        """Return what a plan has for it."""
        return f"LatinHypercube(points: {self.points}{_seed(self.seed)})"


@dataclass(frozen=True)
class Halton:
    """The first `points` points of a Halton sequence with permuted digits."""

    points: int
    seed: int | None = None

    def ron(self) -> str:
        """Return what a plan has for it."""
        return f"Halton(points: {self.points}{_seed(self.seed)})"


@dataclass(frozen=True)
class Random:
    """Independent random points."""

    points: int
    seed: int | None = None

    def ron(self) -> str:
        """Return what a plan has for it."""
        return f"Random(points: {self.points}{_seed(self.seed)})"


@dataclass(frozen=True)
class Saltelli:
    """Points that tell how much of the variance of a result each value explains: `bases` for each value, and two times as many more."""

    bases: int
    seed: int | None = None

    def ron(self) -> str:
        """Return what a plan has for it."""
        return f"Saltelli(bases: {self.bases}{_seed(self.seed)})"


@dataclass(frozen=True)
class Morris:
    """Points on random ways, whose steps each change one value.

    levels: how many values of each range are used, an even number; by default 4.
    """

    ways: int
    levels: int | None = None
    seed: int | None = None

    def ron(self) -> str:
        """Return what a plan has for it."""
        levels = "" if self.levels is None else f", levels: {_number(self.levels)}"
        return f"Morris(ways: {self.ways}{levels}{_seed(self.seed)})"


@dataclass(frozen=True)
class Maximize:
    """A measure should be high at the end of runs; `"polarization@60"` at a tick, `"polarization@60..120"` its mean over ticks."""

    measure: str

    def ron(self) -> str:
        """Return what a plan has for it."""
        return f"Maximize({_text(self.measure)})"


@dataclass(frozen=True)
class Minimize:
    """A measure should be low; it is read as for `Maximize`."""

    measure: str

    def ron(self) -> str:
        """Return what a plan has for it."""
        return f"Minimize({_text(self.measure)})"


@dataclass(frozen=True)
class Margins:
    """The smallest margin of all expectations should be large."""

    def ron(self) -> str:
        """Return what a plan has for it."""
        return "Margins"


@dataclass(frozen=True)
class Match:
    """Measures should have these values: the root of the mean of the squares of all relative differences should be low."""

    targets: Mapping[str, float]

    def ron(self) -> str:
        """Return what a plan has for it."""
        targets = (f"{_text(name)}: {_number(value)}" for name, value in self.targets.items())
        return f"Match({{ {', '.join(targets)} }})"


@dataclass(frozen=True)
class MatchSeries:
    """Measures should have the values of a table: a CSV file with a column `tick`, or `time` in seconds, and measures."""

    file: PathLike

    def ron(self) -> str:
        """Return what a plan has for it."""
        return f"MatchSeries({_path(self.file)})"


@dataclass(frozen=True)
class Sum:
    """Several goals as one number, each with its weight."""

    parts: Sequence[tuple[float, Maximize | Minimize | Margins | Match | MatchSeries]]

    def ron(self) -> str:
        """Return what a plan has for it."""
        parts = (f"({_number(weight)}, {goal.ron()})" for weight, goal in self.parts)
        return f"Sum([{', '.join(parts)}])"


@dataclass(frozen=True)
class AtLeast:
    """A constraint: a measure is at least this number in all runs."""

    measure: str
    limit: float

    def ron(self) -> str:
        """Return what a plan has for it."""
        return f"AtLeast({_text(self.measure)}, {_number(self.limit)})"


@dataclass(frozen=True)
class AtMost:
    """A constraint: a measure is at most this number in all runs."""

    measure: str
    limit: float

    def ron(self) -> str:
        """Return what a plan has for it."""
        return f"AtMost({_text(self.measure)}, {_number(self.limit)})"


@dataclass(frozen=True)
class Holds:
    """A constraint: all expectations of this kind hold in all runs. Without a kind, all expectations."""

    kind: str | None = None

    def ron(self) -> str:
        """Return what a plan has for it."""
        return "AllHold" if self.kind is None else f"Holds({_text(self.kind)})"


@dataclass(frozen=True)
class Quantile:
    """A quantile of the runs with several seeds, from 0, the worst, to 1, the best."""

    part: float


_GOALS = (Maximize, Minimize, Margins, Match, MatchSeries, Sum)
_CONSTRAINTS = (AtLeast, AtMost, Holds)
Goal: TypeAlias = Maximize | Minimize | Margins | Match | MatchSeries | Sum
Constraint: TypeAlias = AtLeast | AtMost | Holds
Value: TypeAlias = Union[bool, float, str, "tuple[Any, ...]", "list[Any]", "np.generic"]
Points: TypeAlias = Sobol | LatinHypercube | Halton | Random | Saltelli | Morris
Variation: TypeAlias = Union[
    Range, Integers, Normal, LogNormal, range, "Sequence[Value]", "NDArray[Any]", Value
]
Progress: TypeAlias = bool | Callable[[int, int], object] | None


class Plan(TypedDict, total=False):
    """A plan as a dict, with the same fields as the arguments of `sweep` and `tune`."""

    scenario: PathLike
    vary: Mapping[str, Variation]
    seeds: int | Sequence[int]
    ticks: int
    record: Sequence[str]
    expectations: Literal["margins", "holds", "ignore"]
    points: Points
    labels: Mapping[str, str]
    every: int
    goals: Goal | Sequence[Goal]
    where: Constraint | Sequence[Constraint]
    over: Literal["mean", "worst"] | Quantile
    budget: int
    confirm: int
    search_seed: int


def _seed(seed: int | None) -> str:
    return "" if seed is None else f", seed: {_number(seed)}"


def _within(ends: tuple[float, float] | None) -> str:
    if ends is None:
        return ""
    low, high = ends
    return f", within: ({_number(low)}, {_number(high)})"


def _text(text: str) -> str:
    for plain, written in (
        ("\\", "\\\\"),
        ('"', '\\"'),
        ("\n", "\\n"),
        ("\r", "\\r"),
        ("\t", "\\t"),
    ):
        text = text.replace(plain, written)
    return f'"{text}"'


def _path(path: PathLike) -> str:
    return _text(os.fspath(path).replace("\\", "/"))


def _number(value: Any) -> str:
    if isinstance(value, np.generic):
        value = cast("Any", value.item())
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"expected a number, found {value!r}")
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"expected a finite number, found {value}")
    return repr(value)


def _value(value: Any) -> str:
    """Return a value as it is written in a scenario."""
    if isinstance(value, (np.generic, np.ndarray)):
        value = cast("Any", value.tolist())
    if isinstance(value, Ron):
        return str(value)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (tuple, list)):
        items = ", ".join(_value(item) for item in cast("Iterable[Any]", value))
        return f"({items})" if isinstance(value, tuple) else f"[{items}]"
    return _number(value)


def _variation(path: str, of: Any) -> str:
    """Return what a value becomes, as it is written in a plan."""
    if isinstance(of, (Range, Integers, Normal, LogNormal)):
        return of.ron()
    if isinstance(of, tuple):
        raise TypeError(
            f"`{path}`: a tuple is one value, a vector. Give a list of values, or a range: `fw.Range(0, 1, steps=5)`"
        )
    if hasattr(of, "tolist"):
        # Vectors are rows of an array.
        is_matrix = getattr(of, "ndim", 1) > 1
        of = of.tolist()
        of = [tuple(row) for row in of] if is_matrix else of
    if isinstance(of, (str, bool, int, float)):
        of = [of]
    try:
        values: list[Any] = list(of)
    except TypeError:
        raise TypeError(
            f"`{path}`: expected a list of values, `fw.Range` or `fw.Integers`, found {of!r}"
        ) from None
    return f"List([{', '.join(map(_value, values))}])"


_POINTS = (Sobol, LatinHypercube, Halton, Random, Saltelli, Morris)

_NAMES = {
    "margins": "Margins",
    "holds": "Holds",
    "ignore": "Ignore",
    "mean": "Mean",
    "worst": "Worst",
}


def _named(what: str, of: object, known: tuple[str, ...]) -> str:
    if isinstance(of, str) and of in known:
        return _NAMES[of]
    raise ValueError(f"`{what}` is one of {', '.join(map(repr, known))}, not {of!r}")


def _seeds(seeds: Any) -> str:
    if hasattr(seeds, "__iter__"):
        return f"[{', '.join(_number(seed) for seed in seeds)}]"
    return _number(seeds)


def plan_text(plan: Mapping[str, Any]) -> str:
    """Write a plan: each field in a line of its own, so that an error shows the argument that it is about."""
    known = set(Plan.__annotations__)
    unknown = [name for name in plan if name not in known]
    if unknown:
        raise TypeError(f"a plan has no `{unknown[0]}`: it has {', '.join(sorted(known))}")
    if "scenario" not in plan:
        raise TypeError("a plan needs the path of a `scenario`")
    file: PathLike = plan["scenario"]
    lines = [f"    scenario: {_path(file)},"]
    if plan.get("vary"):
        lines.append("    vary: {")
        for path, of in plan["vary"].items():
            lines.append(f"        {_text(path)}: {_variation(path, of)},")
        lines.append("    },")
    if "seeds" in plan:
        lines.append(f"    seeds: {_seeds(plan['seeds'])},")
    if "ticks" in plan:
        lines.append(f"    ticks: {_number(plan['ticks'])},")
    if "record" in plan:
        record = plan["record"]
        if isinstance(record, str):
            raise TypeError(f"`record` is a list of names: [{record!r}]")
        lines.append(f"    record: [{', '.join(map(_text, record))}],")
    if "expectations" in plan:
        expectations = _named("expectations", plan["expectations"], ("margins", "holds", "ignore"))
        lines.append(f"    expectations: {expectations},")
    if plan.get("labels"):
        labels = (f"{_text(name)}: {_text(label)}" for name, label in plan["labels"].items())
        lines.append(f"    labels: {{ {', '.join(labels)} }},")
    sweep: list[str] = []
    if "points" in plan:
        if not isinstance(plan["points"], _POINTS):
            raise TypeError(
                "`points` is `fw.Sobol(..)`, `fw.LatinHypercube`, `fw.Halton`, `fw.Random`, `fw.Saltelli` or `fw.Morris`; without it, there is a grid"
            )
        sweep.append(f"points: {plan['points'].ron()}")
    if "every" in plan:
        sweep.append(f"every: {_number(plan['every'])}")
    if sweep:
        lines.append(f"    sweep: ({', '.join(sweep)}),")
    lines.extend(_tune_lines(plan))
    return "(\n" + "\n".join(lines) + "\n)\n"


def _tune_lines(plan: Mapping[str, Any]) -> list[str]:
    fields: list[str] = []
    if "goals" in plan:
        goals = plan["goals"]
        goals = [goals] if isinstance(goals, _GOALS) else list(goals)
        for goal in goals:
            if not isinstance(goal, _GOALS):
                raise TypeError(
                    f'a goal is `fw.Maximize("polarization")`, `fw.Minimize`, `fw.Margins()`, `fw.Match`, `fw.MatchSeries` or `fw.Sum`, not {goal!r}'
                )
        fields.append(f"goals: [{', '.join(goal.ron() for goal in goals)}]")
    if "where" in plan:
        where = plan["where"]
        where = [where] if isinstance(where, _CONSTRAINTS) else list(where)
        for one in where:
            if not isinstance(one, _CONSTRAINTS):
                raise TypeError(
                    f'a constraint is `fw.AtLeast("closest_pair", 2)`, `fw.AtMost` or `fw.Holds("NoOverlap")`, not {one!r}'
                )
        fields.append(f"where: [{', '.join(one.ron() for one in where)}]")
    if "over" in plan:
        over = plan["over"]
        if isinstance(over, Quantile):
            fields.append(f"over: Quantile({_number(over.part)})")
        else:
            fields.append(f"over: {_named('over', over, ('mean', 'worst'))}")
    for name, field in (("budget", "budget"), ("confirm", "confirm"), ("search_seed", "seed")):
        if name in plan:
            fields.append(f"{field}: {_number(plan[name])}")
    if not fields:
        return []
    return ["    tune: (", *(f"        {field}," for field in fields), "    ),"]


_ARGUMENTS = "arguments.plan.ron"
"""What messages call a plan that was not in a file. It is in no folder, so the scenario is relative to the present one."""


def open_plan(
    plan: PathLike | Mapping[str, Any],
    arguments: Mapping[str, Any],
    files: Mapping[PathLike, str] | None,
) -> tuple[Path, dict[Path, str]]:
    """Return the path of a plan, and texts in place of files: also that of the plan, if it is not in a file."""
    texts = {Path(path): text for path, text in (files or {}).items()}
    given = {name: value for name, value in arguments.items() if value is not None}
    if isinstance(plan, Mapping):
        both = [name for name in given if name in plan]
        if both:
            raise TypeError(f"`{both[0]}` is in the plan and an argument, too")
        given = {**plan, **given}
    elif os.fspath(plan).endswith(".plan.ron"):
        if given:
            raise TypeError(
                f"the plan {os.fspath(plan)} says everything: leave out `{next(iter(given))}`, or give the path of a scenario in its place"
            )
        return Path(plan), texts
    else:
        given = {"scenario": plan, **given}
    path = Path(_ARGUMENTS)
    texts[path] = plan_text(given)
    return path, texts
