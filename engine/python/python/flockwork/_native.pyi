from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, TypeAlias, final

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike, NDArray

from ._errors import Error
from ._notebook import World
from ._types import Expectation, Explanation, Finding, Message, Obstacle, Unordered

_Path: TypeAlias = str | PathLike[str]
_Pair: TypeAlias = tuple[float, float] | Sequence[float] | NDArray[Any]
_Value: TypeAlias = bool | float | str | _Pair | None
_Behavior: TypeAlias = Callable[[GroupView], ArrayLike]
_Columns: TypeAlias = dict[str, NDArray[Any]]
_Progress: TypeAlias = Callable[[int, int], object]
__all__ = [
    "Animation",
    "GroupView",
    "Learner",
    "Picture",
    "Run",
    "Snapshot",
    "SweepRuns",
    "Worlds",
    "WorldsSnapshot",
    "__version__",
    "check",
    "hunt",
    "load",
    "loads",
    "tune",
    "worlds",
]
__version__: str

def load(
    scenario: _Path,
    *,
    files: Mapping[_Path, str] | None = None,
    params: Mapping[str, _Value] | None = None,
    seed: int | None = None,
    agents: int | None = None,
    record: Sequence[str] = ...,
    judge: bool = False,
    interpreter: bool = False,
    threads: int | None = None,
) -> Run:
    """Reads a scenario and its scripts, and returns a run at its first tick.

    scenario: the path of a scenario (.ron). Its scripts are in the folder `scripts` beside it or above.
    files: texts by path that are read in place of files on disk, also of files that are not there.
    params: values of params in place of the scenario's: `{"bird.fear_radius": 80}`, or `{"sight": 30}` for all groups that share it.
    seed: the seed in place of the scenario's.
    agents: the number of agents, divided among the groups as in the scenario.
    record: names of measures that need all ticks, such as `["collisions"]`. Others can be asked for at any time.
    judge: whether the expectations of the scenario are judged: see `Run.expectations`.
    interpreter: whether scripts run in the interpreter, more slowly and with the same results.
    threads: the number of threads, 0 for one for each core; results do not depend on it. By default it depends on the number of agents.

    Raises `flockwork.Error` with all errors in the files.
    """

def loads(
    scenario: str,
    *,
    scripts: Mapping[str, str] | None = None,
    name: str = "scenario.ron",
    params: Mapping[str, _Value] | None = None,
    seed: int | None = None,
    agents: int | None = None,
    record: Sequence[str] = ...,
    judge: bool = False,
    interpreter: bool = False,
    threads: int | None = None,
) -> Run:
    """Reads a scenario from a text, and returns a run at its first tick.

    scenario: the text of a scenario.
    scripts: the texts of scripts by name: `{"fly": "fn steer(me) { me.wander() }"}`.
    name: the name of the scenario in messages.

    Everything else is as in `load`.
    """

def check(scenario: _Path, *, files: Mapping[_Path, str] | None = None) -> list[Finding]:
    """Finds errors and warnings in a scenario and its scripts without running more than the first turns, as `flockwork check` does.

    scenario: the path of a scenario, a string or any other path.
    files: texts by path that are read in place of files on disk.

    Returns a list of findings, each a dictionary with `severity`, `code`, `message`, `place` (file, lines and columns from 1), `help`,
    `fixes` and the `text` that the program prints. The list is empty if all is well.
    """

@final
class Run:
    """A scenario that is being simulated, one tick after another.

    `flockwork.load` and `flockwork.loads` make runs. Arrays have a row for each agent, in the order of ids; lengths are in world units,
    times in seconds.
    """

    @property
    def name(self) -> str:
        """The name of the scenario."""

    @property
    def tick(self) -> int:
        """The present tick: the number of ticks that have passed."""

    @property
    def first_tick(self) -> int:
        """The tick at which the run began."""

    @property
    def ticks(self) -> int:
        """The tick at which the scenario ends. The run can step beyond it."""

    @property
    def dt(self) -> float:
        """The seconds that a tick takes."""

    @property
    def seed(self) -> int:
        """The seed."""

    @property
    def hash(self) -> str:
        """The hash of the state, as the program prints it: 16 digits. Two runs with the same hash are in the same state, to the bit."""

    @property
    def warnings(self) -> list[Finding]:
        """The warnings of the scenario: a list of findings, as of `check`."""

    @property
    def messages(self) -> list[Message]:
        """The messages that scripts have written with `debug`, the last 10,000 of them: a list of dicts with `tick`, `agent`, `group`,
        `place` and `text`.
        """

    @property
    def files(self) -> dict[str, str]:
        """The files of the run: a dict from paths to texts, with the scenario and all scripts that it reads."""

    @property
    def expectations(self) -> list[Expectation]:
        """The expectations of the scenario: a list of dicts with `text`, `state`, and of one that has failed `tick`, `agent` and `why`. The
        state is `not judged` unless the run was loaded with `judge=True`.
        """

    def step(self, ticks: int = 1) -> None:
        """Simulates ticks. Other threads of Python run meanwhile, and ctrl-c ends it after a whole tick.

        Raises `flockwork.ScriptError` if a script fails. The run cannot go on then, but `restore` leads back.
        """

    def run(self) -> None:
        """Simulates all ticks up to the end of the scenario."""

    def snapshot(self) -> Snapshot:
        """Returns the present state, to go back to. It takes no memory until the run goes on."""

    def restore(self, snapshot: Snapshot) -> None:
        """Goes back to a snapshot of this run, or of a copy of it."""

    def copy(self) -> Run:
        """Returns a run that goes on from the same state by itself."""

    def continuation(self, ticks: int | None = None) -> str:
        """Returns the text of a scenario that begins in the present state and goes on exactly as this run.

        ticks: the tick at which it ends; by default that of this run, but at least one more tick.
        """

    def explain(self, agent: int, tick: int | None = None) -> Explanation | None:
        """Explains what an agent will do in a tick, and why.

        agent: the id of the agent.
        tick: the tick before the decision; by default the present one. For an earlier one, the run is simulated again from its beginning.

        Returns a dict with the same fields as `flockwork explain --json` prints, and the `text` that it prints without it; `None` if there is
        no such agent by then.
        """

    def check(self) -> list[Finding]:
        """Finds errors and warnings in the files of the run as they are now: a list of findings, as of `flockwork.check`."""

    def __len__(self) -> int: ...
    @property
    def ids(self) -> NDArray[np.uint32]:
        """The ids of the agents: an array of shape (agents,), of uint32. Ids count up and are never used again."""

    @property
    def group_names(self) -> list[str]:
        """The names of the groups, in the order of the scenario."""

    @property
    def groups(self) -> NDArray[np.uint16]:
        """The index of the group of each agent in `group_names`: an array of shape (agents,), of uint16."""

    def is_in(self, group: str) -> NDArray[np.bool_]:
        """Which agents are in a group: an array of shape (agents,), of bool, to choose rows of other arrays."""

    @property
    def stopped(self) -> NDArray[np.bool_]:
        """Which agents have stopped for the rest of the run: an array of shape (agents,), of bool."""

    @property
    def positions(self) -> NDArray[np.float32]:
        """Positions in world units: a new array of shape (agents, 2), of float32, which cannot be written. `place` moves agents."""

    @property
    def velocities(self) -> NDArray[np.float32]:
        """Velocities in world units per second: a new array of shape (agents, 2), of float32."""

    @property
    def headings(self) -> NDArray[np.float32]:
        """The directions that agents face, as unit vectors: a new array of shape (agents, 2), of float32."""

    @property
    def forces(self) -> NDArray[np.float32]:
        """The forces that agents decided on in the last tick, before the limits of their bodies: a new array of shape (agents, 2), of
        float32. A force is mass times acceleration.
        """

    @property
    def goals(self) -> NDArray[np.float32]:
        """The present goals in world units: a new array of shape (agents, 2), of float32; NaN for an agent that has none."""

    def read_into(self, column: str, out: NDArray[np.float32]) -> None:
        """Writes a column into an array that is there already.

        column: "positions", "velocities", "headings", "forces" or "goals".
        out: an array of shape (agents, 2), of float32.
        """

    @property
    def unordered(self) -> Unordered:
        """The same agents in the order in which they are in memory, which may be another one after each tick: the fastest way to read
        those of very many, where the order makes no difference.

        A dict with `positions`, `velocities` and `headings`, and with `rows`: the row of each of them in all other arrays. The arrays are
        not copies, and cannot be written. They keep their values when the run goes on, which then takes a copy of its world; so drop
        them before you step.
        """

    def public(self, name: str) -> NDArray[Any]:
        """A public value of all agents, by its name: an array of shape (agents,), or (agents, 2) for vectors. Of agents whose group does
        not declare the name: NaN for numbers and vectors, False, None.
        """

    def state(self, agent: int) -> dict[str, Any]:
        """What an agent knows for itself: a dict of its state.

        agent: its id.
        """

    def own(self, name: str) -> NDArray[Any]:
        """A value of the own state of all agents, by its name: an array of shape (agents,) of float64, with NaN for agents that do not have it;
        of objects, with None for these, if not all values are numbers.
        """

    @property
    def params(self) -> dict[str, dict[str, Any]]:
        """The params of the groups: a dict of dicts."""

    @property
    def shared(self) -> dict[str, Any]:
        """The shared values: a dict."""

    @property
    def obstacles(self) -> dict[str, Obstacle]:
        """The obstacles: a dict by name of dicts with `present`, `center` and `bounds` (two corners), in world units."""

    @property
    def bounds(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """The rectangle of the world: a pair of corners, in world units."""

    def measure(self, name: str) -> float | None:
        """The present value of a measure, such as "polarization" or "birds.mean_speed"; None if it has none, for example because there are
        too few agents. Measures that need all ticks must be named when the run is loaded, with `record`.
        """

    @property
    def measures(self) -> list[str]:
        """The names of the measures of this run: those of all agents, those of the scenario, the usual ones of each group, and those of shared
        and public values. Some need all ticks, see `measure`.
        """

    def place(self, agent: int, position: _Pair, velocity: _Pair | None = None) -> None:
        """Moves an agent to a position and gives it a velocity. At once.

        agent: its id.
        position: in world units.
        velocity: in world units per second; by default it keeps its own.
        """

    def add(
        self, group: str, positions: ArrayLike, velocities: ArrayLike | None = None
    ) -> NDArray[np.uint32]:
        """Adds agents to a group, and returns their ids: an array of uint32. At once.

        group: the name of the group.
        positions: an array of shape (number, 2), in world units.
        velocities: an array of the same shape, in world units per second; by default zero.
        """

    def remove(self, agents: int | Iterable[int]) -> int:
        """Removes agents, and returns how many of them were there. At once.

        agents: the id of one, or any sequence of ids.
        """

    def push(self, group: str, velocity: _Pair, *, after_decision: bool = False) -> None:
        """Adds to the velocity of each agent of a group in the next tick.

        velocity: in world units per second.
        after_decision: whether agents notice only after they have decided.
        """

    def scatter(self, at: _Pair, radius: float, speed: float, *, group: str | None = None) -> None:
        """Pushes agents away from a place in the next tick: by `speed` there, and by nothing at the radius.

        group: the name of a group; by default all agents.
        """

    def spawn(self, group: str, count: int = 1) -> None:
        """Makes more agents of a group in the next tick, where the scenario says."""

    def set_param(self, name: str, value: _Value) -> None:
        """Sets a param of a group from the next tick on.

        name: `"group.param"`, or `"param"` for all groups that have it.
        value: as in a scenario: a number, a bool, a string, a pair of numbers, or a distribution as a string: `"Normal(mean: 3, deviation: 1)"`.
        """

    def set_shared(self, name: str, value: _Value) -> None:
        """Sets a shared value in the next tick, whatever its rule is."""

    def set_goals(self, group: str, goals: ArrayLike, radius: float | None = None) -> None:
        """Gives all agents of a group new goals, in order. Agents that have stopped move again.

        goals: an array of shape (number, 2), in world units.
        radius: an agent has reached a goal when it is nearer than this.
        """

    def set_obstacle(self, name: str, present: bool) -> None:
        """Puts an obstacle there from the next tick on, or takes it away."""

    def move_obstacle(
        self,
        name: str,
        *,
        velocity: _Pair | None = None,
        to: _Pair | None = None,
        along: str | None = None,
        speed: float | None = None,
    ) -> None:
        """Lets an obstacle move from the next tick on, in one of four ways.

        velocity: it goes on and on, in world units per second.
        to: its center goes straight to this point, with `speed`, and stops there.
        along: its center goes along the path with this name, with `speed`.

        Without any of these it stops.
        """

    def set_input(self, name: str, down: bool) -> None:
        """Sets an input from the next tick on: whether its key is down."""

    def set_cursor(self, at: _Pair | None) -> None:
        """Moves the pointer to a place in the next tick; None takes it away."""

    def set_behavior(self, group: str, function: _Behavior) -> None:
        """Lets a function of Python steer a group from now on, in place of its script.

        group: the name of the group.
        function: it is called once in each tick with a `GroupView`, after the events of the tick, and returns the forces of all agents of
            the group: an array of shape (agents, 2), in the order of `ids`. A force is mass times acceleration; limits of the body hold.
            An exception in it leaves the last whole tick, and comes out of `step`.
        """

    def __copy__(self) -> Run: ...
    def __deepcopy__(self, _memo: Any, /) -> Run: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def picture(
        self, width: int = 640, height: int | None = None, *, dark: bool = False, trails: int = 0
    ) -> Picture:
        """Draws the present state.

        width, height: in pixels of a page; without a height, it follows from the shape of the world. The picture has two pixels for each.
        dark: whether colors are light on a dark ground.
        trails: the number of ticks that trails of agents reach back. The run is simulated again from its beginning for them.
        """

    def animate(
        self,
        ticks: int,
        *,
        every: int | None = None,
        speed: float = 1.0,
        width: int = 480,
        height: int | None = None,
        dark: bool = False,
        trails: int = 0,
    ) -> Animation:
        """Makes a film of the next ticks. They happen in a copy: this run stays where it is.

        ticks: the number of ticks.
        every: show every so many ticks; by default about 15 frames per second.
        speed: how much faster than simulated time it plays.
        width, height: in pixels; without a height, it follows from the shape of the world.
        dark: whether colors are light on a dark ground.
        trails: the number of ticks that trails of agents reach back.
        """

    def page(self, ticks: int | None = None) -> str:
        """Returns a page for browsers as a text of HTML: it plays this run on from its present state, and needs neither a server nor a
        network. It has the whole engine in it, which is about 3 MB.

        ticks: the tick at which the time bar ends; by default that of the run.
        """

    def show(self, width: int = 720, height: int | None = None) -> World:
        """Shows the run in a notebook as a world that plays: see `flockwork.World`."""

    def plot(self, ax: Axes | None = None, **arrows: Any) -> Axes:
        """Plots the present state with matplotlib: agents as arrows in the colors of their groups, obstacles and goals. Lengths are in world
        units, and the same along both axes.

        ax: the axes to draw on; by default those of `matplotlib.pyplot.gca()`.
        Everything else goes to `matplotlib.axes.Axes.quiver`, which draws the agents.

        Returns the axes.
        """

    def _scenery(self) -> dict[str, Any]:
        """What `plot` draws beside agents: the colors of the groups, the outlines of obstacles with their kinds, and the goals of groups."""

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        """How a notebook shows a run: as a picture of its present state."""

@final
class Snapshot:
    """The state of a run at a tick, to go back to."""

    @property
    def tick(self) -> int:
        """The tick of the state."""

@final
class GroupView:
    """What a function that steers a group perceives: the world at the beginning of a tick, after its events. Arrays are in the order of ids."""

    @property
    def tick(self) -> int:
        """The number of the tick that begins."""

    @property
    def dt(self) -> float:
        """The seconds that a tick takes."""

    @property
    def all(self) -> GroupView:
        """The agents of all groups."""

    @property
    def ids(self) -> NDArray[np.uint32]:
        """The ids of the agents: an array of shape (agents,), of uint32."""

    @property
    def groups(self) -> NDArray[np.uint16]:
        """The index of the group of each agent: an array of shape (agents,), of uint16."""

    @property
    def positions(self) -> NDArray[np.float32]:
        """Positions in world units: an array of shape (agents, 2), of float32."""

    @property
    def velocities(self) -> NDArray[np.float32]:
        """Velocities in world units per second: an array of shape (agents, 2), of float32."""

    @property
    def headings(self) -> NDArray[np.float32]:
        """The directions that agents face, as unit vectors: an array of shape (agents, 2), of float32."""

    @property
    def goals(self) -> NDArray[np.float32]:
        """The present goals in world units: an array of shape (agents, 2), of float32; NaN for an agent that has none."""

    @property
    def params(self) -> dict[str, Any]:
        """The params of the group: a dict. Empty for agents of all groups."""

@final
class Picture:
    """A picture of a run: bytes of a PNG file, with two pixels for each one of the page. Notebooks show it."""

    @property
    def png(self) -> bytes:
        """The bytes of the PNG file."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels of the page. The file has twice as many."""

    def save(self, path: _Path) -> None:
        """Writes the PNG file to a path."""

    def __bytes__(self) -> bytes: ...
    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        """How a notebook shows it: the file, and the size on the page."""

@final
class Animation:
    """A film of a run: bytes of a GIF file, which repeats. Notebooks show it."""

    @property
    def gif(self) -> bytes:
        """The bytes of the GIF file."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""

    @property
    def frames(self) -> int:
        """The number of frames."""

    def save(self, path: _Path) -> None:
        """Writes the GIF file to a path."""

    def __bytes__(self) -> bytes: ...
    def _repr_html_(self) -> str:
        """How a notebook shows it."""

@final
class SweepRuns:
    """A sweep that is ready to run."""

    def __new__(cls, plan: _Path, files: Mapping[Any, str] | None = None) -> SweepRuns: ...
    @property
    def runs(self) -> int:
        """The number of runs."""

    @property
    def varied(self) -> list[str]:
        """The paths of the values that vary."""

    @property
    def measures(self) -> list[tuple[str, str]]:
        """The names of the measures, and the unit of each."""

    @property
    def expectations(self) -> list[str]:
        """The expectations, as they are written."""

    def scenario(self, run: int) -> str:
        """Returns the scenario of a run, as a text that runs alone."""

    def run(
        self, progress: _Progress | None = None, threads: int = 0
    ) -> tuple[_Columns, _Columns | None, list[str | None]]:
        """Runs all of them. Returns the columns of the table of runs, those of the measures over time, and the units of the margins."""

def tune(
    plan: _Path,
    files: Mapping[Any, str] | None = None,
    progress: _Progress | None = None,
    threads: int = 0,
) -> tuple[dict[str, Any], _Columns, list[str]]:
    """Searches for the values that are best for the goals of a plan.

    Returns what `flockwork tune --json` prints, the columns of the table of all tries, and the scenario of each row that was found.
    """

def hunt(
    plan: _Path,
    hunting: Mapping[str, Any],
    files: Mapping[Any, str] | None = None,
    progress: _Progress | None = None,
    threads: int = 0,
) -> dict[str, Any]:
    """Looks for starts of a scenario that break its expectations, and makes each smaller.

    plan: the path of a plan that names the scenario and what varies.
    """

def worlds(
    *,
    path: _Path | None,
    text: str,
    name: str,
    files: Mapping[str, str] | None,
    runs: Sequence[tuple[int | None, bool, Mapping[str, Any]]],
    agents: int | None,
    record: Sequence[str],
    threads: int | None,
    steer: tuple[str, list[str]] | None = None,
) -> Worlds:
    """Makes the worlds of a batch. Each of the `runs` is a seed, whether it counts from the scenario's, and params. `files` are those of `load`
    if `path` is given, else scripts by name.
    """

@final
class Worlds:
    """What a batch holds: worlds of one scenario. `flockwork.Batch` shows it to users."""

    def __len__(self) -> int: ...
    @property
    def name(self) -> str:
        """The name of the scenario."""

    @property
    def ticks_passed(self) -> NDArray[np.uint64]:
        """The present tick of each world: an array of shape (worlds,), of uint64."""

    @property
    def ticks(self) -> int:
        """The tick at which the scenario ends."""

    @property
    def dt(self) -> float:
        """The seconds that a tick takes."""

    @property
    def seeds(self) -> NDArray[np.uint64]:
        """The seed of each world: an array of shape (worlds,), of uint64."""

    @property
    def agents(self) -> NDArray[np.uint32]:
        """The number of agents of each world: an array of shape (worlds,), of uint32."""

    @property
    def hashes(self) -> list[str]:
        """The hash of each world; an empty string for one that has failed."""

    @property
    def errors(self) -> list[Error | None]:
        """The error of each world whose script has failed, or None: a list."""

    @property
    def recorded(self) -> list[str]:
        """The names of the recorded measures."""

    @property
    def units(self) -> dict[str, str]:
        """The units of the recorded measures, by name; without those that have none."""

    @property
    def measures(self) -> list[str]:
        """The names of the measures."""

    def step(self, ticks: int = 1, chosen: Sequence[bool] | None = None) -> None:
        """Simulates ticks of all worlds, or of those that are chosen by an array of bool."""

    def restart(self, numbers: Sequence[int], seeds: Sequence[int]) -> None:
        """Starts worlds again from their first tick, each with a seed."""

    def snapshot(self) -> WorldsSnapshot:
        """Returns the states of all worlds."""

    def restore(self, snapshot: WorldsSnapshot, numbers: Sequence[int] | None = None) -> None:
        """Goes back to a snapshot, in all worlds or in some."""

    def world(self, number: int) -> Run:
        """Returns a run that goes on from the state of one world by itself."""

    def set_world(self, number: int, run: Run) -> None:
        """Puts the state of a run into one world."""

    def column(self, name: str, out: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
        """Returns a column of all worlds, of shape (worlds, agents, 2), in a new array or in `out`."""

    def measure(self, name: str) -> NDArray[np.float64]:
        """Returns the present value of a measure in each world: an array of shape (worlds,), of float64, NaN where it has none."""

@final
class WorldsSnapshot:
    """The states of all worlds, to go back to."""

@final
class Learner:
    """The arrays of an environment: one row for each agent of the group that is there when an episode begins."""

    def __new__(
        cls,
        worlds: Worlds,
        parts: Sequence[tuple[str, str, float, float, list[str] | None]],
        turned: bool,
        params: Sequence[str],
    ) -> Learner: ...
    @property
    def agents(self) -> int:
        """The number of agents of each world."""

    @property
    def features(self) -> int:
        """How many numbers each agent observes."""

    @property
    def max_force(self) -> float:
        """The largest force of the body of the group; infinite if there is no limit."""

    def ids(self, world: int) -> list[int]:
        """The ids of the agents in a world: those of the steered group when the episode began."""

    def restart(self, numbers: Sequence[int], seeds: Sequence[int]) -> None:
        """Begins new episodes in some worlds, each with a seed."""

    def give_forces(self, forces: NDArray[np.float32], limit: float) -> None:
        """Lets forces act on agents from the next tick on: an array of shape (worlds, agents, 2), in shares of `limit` and cut to those."""

    def give_choices(self, choices: NDArray[np.int64]) -> None:
        """Lets agents do what scripts say, by their numbers: an array of shape (worlds, agents). A number below 0 is the script of the
        scenario.
        """

    def give_params(self, params: NDArray[np.float32], chosen: Sequence[bool] | None) -> None:
        """Sets params of each world from the next tick on: an array of shape (worlds, params). `chosen` are the worlds."""

    def step(self, ticks: int, chosen: Sequence[bool] | None = None) -> None:
        """Simulates ticks of all worlds, or of those that are chosen. Raises the error of the first world whose script fails."""

    def observe(self, out: NDArray[np.float32]) -> None:
        """Writes what all agents observe into an array of shape (worlds, agents, features); zeros for agents that are gone."""

    def read_episode(self, there: NDArray[np.bool_], reached: NDArray[np.uint32]) -> None:
        """Writes which agents are there into an array of shape (worlds, agents), of bool, and how many goals each has reached into another,
        of uint32.
        """

    def column(self, name: str, out: NDArray[np.float32]) -> None:
        """Writes a column of the agents into an array of shape (worlds, agents, 2); NaN for agents that are gone."""

    def distances(self, out: NDArray[np.float32]) -> None:
        """Writes two distances of the agents into an array of shape (worlds, agents, 2), in world units: to the present goal, and of the
        body to the nearest other body or obstacle, below 0 if they overlap. NaN without a goal, and for agents that are gone; infinite
        if there is nothing else.
        """
