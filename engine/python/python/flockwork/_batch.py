"""Many worlds of one scenario that advance together."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._errors import Error
from ._native import Run, Worlds, WorldsSnapshot
from ._native import worlds as make_worlds
from ._table import Table

if TYPE_CHECKING:
    from os import PathLike

Params: TypeAlias = Any
"""Values of params for many runs: a list of dicts, a dict of columns, or a DataFrame of pandas or polars."""


def batch(
    scenario: str | PathLike[str],
    *,
    seeds: int | Sequence[int] | None = None,
    params: Params = None,
    agents: int | None = None,
    files: Mapping[str, str] | None = None,
    record: Sequence[str] = (),
    threads: int | None = None,
) -> Batch:
    """Read a scenario and its scripts once, and return many worlds of it that advance together.

    scenario: the path of a scenario (.ron).
    seeds: a number n for n seeds from the scenario's on, or the seeds themselves.
    params: values of params, a row for each world: a list of dicts, a dict of columns or a DataFrame, with names such as
        "bird.fear_radius". With seeds, there is a world for each row with each seed: all seeds of the first row, then those of the next.
    agents: the number of agents of each world, divided among the groups as in the scenario.
    files: texts by path that are read in place of files on disk.
    record: names of measures that are columns of the table. Those that need all ticks must be named here.
    threads: the number of threads, 0 for one for each core; results do not depend on it. By default it depends on the number of agents.

    Each world has exactly the bits of `load(scenario, params=..., seed=...)`. Raises `flockwork.Error` with all errors in the files.
    """
    return Batch(worlds_of(scenario, None, None, files, seeds, params, agents, record, threads))


def batches(
    scenario: str,
    *,
    scripts: Mapping[str, str] | None = None,
    name: str = "scenario.ron",
    seeds: int | Sequence[int] | None = None,
    params: Params = None,
    agents: int | None = None,
    record: Sequence[str] = (),
    threads: int | None = None,
) -> Batch:
    """Return many worlds of a scenario that is given as a text, as `loads` does.

    scenario: the text of a scenario.
    scripts: the texts of scripts by name.
    name: the name of the scenario in messages.

    Everything else is as in `batch`.
    """
    return Batch(worlds_of(None, scenario, name, scripts, seeds, params, agents, record, threads))


def worlds_of(
    path: str | PathLike[str] | None,
    text: str | None,
    name: str | None,
    files: Mapping[str, str] | None,
    seeds: int | Sequence[int] | None,
    params: Params,
    agents: int | None,
    record: Sequence[str],
    threads: int | None,
    steer: tuple[str, list[str]] | None = None,
) -> tuple[Worlds, list[dict[str, Any]]]:
    """Make worlds. Returns them with the params of each."""
    rows = _rows(params)
    runs: list[tuple[int | None, bool, dict[str, Any]]] = []
    for row in rows:
        if seeds is None:
            runs.append((None, False, row))
        elif isinstance(seeds, (int, np.integer)):
            runs.extend((number, True, row) for number in range(int(seeds)))
        else:
            runs.extend((int(seed), False, row) for seed in seeds)
    if isinstance(record, str):
        raise TypeError("`record` is a list of names of measures")
    worlds = make_worlds(
        path=path,
        text=text or "",
        name=name or "",
        files=None if files is None else {str(path): text for path, text in files.items()},
        runs=runs,
        agents=agents,
        record=list(record),
        threads=threads,
        steer=steer,
    )
    return worlds, [row for _, _, row in runs]


def _rows(params: Params) -> list[dict[str, Any]]:
    """Return the params of each row of a list of dicts, a dict of columns or a DataFrame."""
    if params is None:
        return [{}]
    if isinstance(params, Mapping) or hasattr(params, "columns"):
        table: Any = cast("Any", params)
        names: Iterable[Any] = table if isinstance(params, Mapping) else table.columns
        columns = {str(name): _column(str(name), table[name]) for name in names}
        lengths = {len(column) for column in columns.values()}
        if len(lengths) > 1:
            raise ValueError(f"the columns of `params` have different lengths: {sorted(lengths)}")
        rows = zip(*columns.values(), strict=True)
        return [dict(zip(columns, row, strict=True)) for row in rows]
    rows_of_dicts: list[Any] = list(params)
    if not all(isinstance(row, Mapping) for row in rows_of_dicts):
        raise TypeError("`params` is a list of dicts, a dict of columns or a DataFrame")
    return [dict(row) for row in rows_of_dicts]


def _column(name: str, values: Any) -> list[Any]:
    for method in ("tolist", "to_list"):
        if hasattr(values, method):
            values = getattr(values, method)()
            break
    if isinstance(values, (list, tuple)):
        return [*cast("Sequence[Any]", values)]
    raise TypeError(
        f"`params` has one value for each world: `{name}` must be a list, not {values!r}"
    )


class Batch:
    """Many worlds of one scenario that advance together, each with its seed and params.

    `flockwork.batch` and `flockwork.batches` make batches. Arrays have a row for each world and in it one for each agent, in the order of
    ids. Other threads of Python run while it steps.
    """

    def __init__(self, worlds: tuple[Worlds, list[dict[str, Any]]]) -> None:
        self._worlds, self._params = worlds

    def __len__(self) -> int:
        return len(self._worlds)

    def __getitem__(self, world: int) -> Run:
        """Return one world as a run that goes on by itself from the present state. `batch[world] = run` puts its state back."""
        return self._worlds.world(self._number(world))

    def __setitem__(self, world: int, run: Run) -> None:
        self._worlds.set_world(self._number(world), run)

    def __iter__(self) -> Iterator[Run]:
        return (self[world] for world in range(len(self)))

    def _number(self, world: int) -> int:
        world = int(world)
        number = world + len(self) if world < 0 else world
        if not 0 <= number < len(self):
            raise IndexError(f"there is no world {world}: the batch has {len(self)}")
        return number

    @property
    def name(self) -> str:
        """The name of the scenario."""
        return self._worlds.name

    @property
    def tick(self) -> int:
        """The present tick: that of the world that is furthest, since worlds that fail or are restarted stay behind."""
        return int(self._worlds.ticks_passed.max())

    @property
    def world_ticks(self) -> NDArray[np.uint64]:
        """The present tick of each world: an array of shape (worlds,)."""
        return self._worlds.ticks_passed

    @property
    def ticks(self) -> int:
        """The tick at which the scenario ends. Worlds can step beyond it."""
        return self._worlds.ticks

    @property
    def dt(self) -> float:
        """The seconds that a tick takes."""
        return self._worlds.dt

    @property
    def seeds(self) -> NDArray[np.uint64]:
        """The seed of each world: an array of shape (worlds,)."""
        return self._worlds.seeds

    @property
    def params(self) -> list[dict[str, Any]]:
        """The params that were given for each world: a list of dicts."""
        return [dict(row) for row in self._params]

    @property
    def agents(self) -> NDArray[np.uint32]:
        """The number of agents of each world: an array of shape (worlds,)."""
        return self._worlds.agents

    @property
    def hashes(self) -> list[str]:
        """The hash of each world, as of `Run.hash`; an empty string for one whose script has failed."""
        return self._worlds.hashes

    @property
    def errors(self) -> list[Error | None]:
        """The error of each world whose script has failed, and None for all others. A world that fails ends no other."""
        return self._worlds.errors

    @property
    def measures(self) -> list[str]:
        """The names of the measures that `measure` knows."""
        return self._worlds.measures

    @property
    def positions(self) -> NDArray[np.float32]:
        """Positions in world units: a new array of shape (worlds, agents, 2).

        It needs the same number of agents in all worlds, as all columns do.
        """
        return self.column("positions")

    @property
    def velocities(self) -> NDArray[np.float32]:
        """Velocities in world units per second: a new array of shape (worlds, agents, 2)."""
        return self.column("velocities")

    @property
    def headings(self) -> NDArray[np.float32]:
        """The directions that agents face, as unit vectors: a new array of shape (worlds, agents, 2)."""
        return self.column("headings")

    def column(self, name: str, out: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
        """Return a column of all worlds: an array of shape (worlds, agents, 2).

        name: "positions", "velocities", "headings", "forces" or "goals".
        out: an array to write into, contiguous and of float32; by default it is a new one.
        """
        return self._worlds.column(name, out)

    def measure(self, name: str) -> NDArray[np.float64]:
        """Return the present value of a measure in each world: an array of shape (worlds,), NaN where it has none.

        Measures that need all ticks must be named when the batch is made, with `record`.
        """
        return self._worlds.measure(name)

    def step(self, ticks: int = 1, *, worlds: ArrayLike | None = None) -> None:
        """Simulate ticks of all worlds. Ctrl-c ends it after a whole tick of all of them.

        worlds: which worlds, an array of bool; by default all.

        A script that fails ends its world and no other: see `errors`.
        """
        chosen = None if worlds is None else np.asarray(worlds, dtype=bool).tolist()
        self._worlds.step(ticks, chosen)

    def run(self, progress: bool | None = None) -> Batch:
        """Simulate all worlds up to the end of the scenario, and return the batch.

        progress: whether to show a bar. By default there is one in a terminal, if tqdm is installed.
        """
        left = max(0, self.ticks - self.tick)
        bar = _bar(progress, left, self.name)
        each = left if bar is None else max(1, left // 200)
        try:
            while left > 0:
                ticks = min(each, left)
                self.step(ticks)
                left -= ticks
                if bar is not None:
                    bar.update(ticks)
        finally:
            if bar is not None:
                bar.close()
        return self

    def restart(
        self, worlds: Sequence[int] | None = None, seeds: Sequence[int] | None = None
    ) -> None:
        """Start worlds again from their first tick.

        worlds: their numbers; by default all.
        seeds: a seed for each of them; by default those that they have.
        """
        numbers = range(len(self)) if worlds is None else [self._number(world) for world in worlds]
        own = self.seeds
        all_seeds = (
            [int(own[number]) for number in numbers]
            if seeds is None
            else [int(seed) for seed in seeds]
        )
        self._worlds.restart(list(numbers), all_seeds)

    def snapshot(self) -> WorldsSnapshot:
        """Return the present state of all worlds, to go back to."""
        return self._worlds.snapshot()

    def restore(self, snapshot: WorldsSnapshot, worlds: Sequence[int] | None = None) -> None:
        """Go back to a snapshot of this batch, in all worlds or in those with some numbers."""
        numbers = None if worlds is None else [self._number(world) for world in worlds]
        self._worlds.restore(snapshot, numbers)

    def table(self) -> Table:
        """Return a table with a row for each world: its params, seed, tick, recorded measures, hash and error.

        The hash is an empty string for a world that has failed, the error one for all others.
        """
        names = list(dict.fromkeys(name for row in self._params for name in row))
        columns: dict[str, NDArray[Any]] = {
            name: _array([row.get(name) for row in self._params]) for name in names
        }
        columns["seed"] = self.seeds
        columns["tick"] = self.world_ticks
        for measure in self._worlds.recorded:
            columns[measure] = self.measure(measure)
        columns["hash"] = np.array(self.hashes, dtype=str)
        errors = ["" if error is None else str(error) for error in self.errors]
        columns["error"] = np.array(errors, dtype=str)
        return Table(columns, self._worlds.units)

    def __repr__(self) -> str:
        failed = sum(error is not None for error in self.errors)
        end = f", {failed} failed" if failed else ""
        return f'<flockwork.Batch of {len(self)} worlds of "{self.name}" at tick {self.tick} of {self.ticks}{end}>'


def _array(values: list[Any]) -> NDArray[Any]:
    """Return values as a column: numbers, bools or strings, or else objects."""
    kinds: set[type[Any]] = {type(value) for value in values}
    if kinds <= {int, float, bool, str} and (len(kinds) == 1 or kinds == {int, float}):
        return np.array(values)
    column = np.empty(len(values), dtype=object)
    column[:] = values
    return column


def _bar(progress: bool | None, total: int, name: str) -> Any:
    """Return a bar of tqdm, or None if there is to be none."""
    if progress is False or (progress is None and not sys.stderr.isatty()):
        return None
    try:
        from tqdm.auto import tqdm
    except ImportError:
        if progress:
            raise ImportError("a bar needs tqdm: pip install tqdm") from None
        return None
    return tqdm(total=total, desc=name, unit="tick")
