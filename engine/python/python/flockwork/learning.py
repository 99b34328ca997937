"""Environments for learning: agents of a scenario that observe, act and get rewards.

    from flockwork import learning

    env = learning.VectorEnv(
        "scenarios/corner.ron",
        worlds=1000,
        group="people",
        observe=[learning.Own(speed=1.4), learning.Goal(distance=10), learning.Sectors(8, range=3)],
        act=learning.Forces(),
        reward=learning.total(learning.progress(), learning.collision(margin=0.1)),
        ends=learning.arrived(),
    )
    observations, _ = env.reset(seed=1)
    observations, rewards, terminations, truncations, infos = env.step(env.action_space.sample())

- `VectorEnv` is a vector environment of Gymnasium over many worlds that advance together.
- `Env` is an environment of Gymnasium: one world.
- `ParallelEnv` is an environment of PettingZoo: one world, with each agent of a group by its name.

The agents of an environment are those of one group that are there when an episode begins. Agents that come later do what their script
says, and so do all other groups. An episode is a run of the scenario from its first tick with a seed: the same seed and the same actions
give the same bits, on any machine.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._batch import Batch, worlds_of
from ._native import Learner

if TYPE_CHECKING:
    from os import PathLike

    from ._gymnasium import Env, VectorEnv
    from ._pettingzoo import ParallelEnv

__all__ = [
    "Choices",
    "Directions",
    "Env",
    "Forces",
    "Goal",
    "Measure",
    "Own",
    "ParallelEnv",
    "Params",
    "Question",
    "Sectors",
    "VectorEnv",
    "View",
    "any_of",
    "arrived",
    "collided",
    "collision",
    "new_goals",
    "progress",
    "total",
]

Floats = NDArray[np.float32]
Bools = NDArray[np.bool_]


# What agents observe.


@dataclass(frozen=True)
class Own:
    """An agent's velocity, divided by `speed` (world units per second), and its heading, a unit vector in the world: 4 numbers."""

    speed: float = 1.0


@dataclass(frozen=True)
class Goal:
    """The direction to an agent's present goal, a unit vector, and how far it is, divided by `distance` (world units): 3 numbers.

    Zeros if it has no goal.
    """

    distance: float = 1.0


@dataclass(frozen=True)
class Sectors:
    """Neighbors in sectors around an agent: 4 numbers for each of `count` sectors, counterclockwise from the direction ahead.

    The first number is how near the nearest neighbor is: 1 at the same place, 0 at the range or if there is none. The second is how many
    neighbors there are. The others are the velocity of the nearest, relative to the agent's own, divided by `speed`.

    range: in world units; neighbors are at most that far away, center to center.
    speed: in world units per second.
    groups: the names of the groups whose agents count; by default all.
    """

    count: int
    range: float
    speed: float = 1.0
    groups: Sequence[str] | None = None


@dataclass(frozen=True)
class Measure:
    """A measure of the world, such as "polarization": one number, the same for all agents. 0 while it has no value."""

    name: str


@dataclass(frozen=True)
class Question:
    """What a script answers: the two numbers of the vector that its `steer` returns.

    script: the name of a script, or its text: `"fn steer(me) { me.wall_following() }"`. It can use everything that behaviors can. What
        it changes is forgotten, and the world stays as it is. Ways that it searches (`go_to`, `way_to`) are searched again in each step, which
        takes a thousand times as long as everything else: let the scenario's own script search, and publish what it finds.
    """

    script: str


Observation = Own | Goal | Sectors | Measure | Question


def _spec(part: Observation) -> tuple[str, str, float, float, list[str] | None]:
    """Return an observation as the engine reads it."""
    if isinstance(part, Own):
        return ("own", "", part.speed, 0.0, None)
    if isinstance(part, Goal):
        return ("goal", "", part.distance, 0.0, None)
    if isinstance(part, Sectors):
        groups = None if part.groups is None else list(part.groups)
        return ("sectors", str(part.count), part.range, part.speed, groups)
    if isinstance(part, Measure):
        return ("measure", part.name, 0.0, 0.0, None)
    if isinstance(part, Question):  # pyright: ignore[reportUnnecessaryIsInstance]
        return ("question", part.script, 0.0, 0.0, None)
    if isinstance(part, type) and part.__name__ in __all__:
        raise TypeError(f"write `{part.__name__}()`: an observation is an object, not its class")
    raise TypeError(f"an observation is Own, Goal, Sectors, Measure or Question, not {part!r}")


def _bounds(part: Observation) -> tuple[list[float], list[float]]:
    """Return the smallest and the largest value of each number of an observation."""
    inf = math.inf
    if isinstance(part, Own):
        return [-inf, -inf, -1, -1], [inf, inf, 1, 1]
    if isinstance(part, Goal):
        return [-1, -1, 0], [1, 1, inf]
    if isinstance(part, Sectors):
        return [0, 0, -inf, -inf] * part.count, [1, inf, inf, inf] * part.count
    numbers = 1 if isinstance(part, Measure) else 2
    return [-inf] * numbers, [inf] * numbers


# What agents do.


@dataclass(frozen=True)
class Forces:
    """A force for each agent: two numbers from -1 to 1, in shares of `limit`, forward and to the left.

    limit: mass times acceleration; by default the `max_force` of the group's body.
    """

    limit: float | None = None


@dataclass(frozen=True)
class Directions:
    """One of some forces for each agent: 0 is no force, and 1 to `count` are forces in directions, counterclockwise from ahead.

    limit: how strong they are; by default the `max_force` of the group's body.
    """

    count: int = 8
    limit: float | None = None


@dataclass(frozen=True)
class Choices:
    """One of some scripts for each agent, which then decides for it: names of scripts, or texts with `fn steer(me)`.

    Agents are prepared by the script that the scenario gives them, if it has `init`.
    """

    scripts: Sequence[str]


@dataclass(frozen=True)
class Params:
    """Params of groups, which the scripts of the scenario read: `{"bird.fear_radius": (0, 100)}`, with the least and the largest value.

    They are the same for all agents of a world, so the actions of a world are one number for each param.
    """

    ranges: Mapping[str, tuple[float, float]]


Action = Forces | Directions | Choices | Params


# What agents get.


class View:
    """What happened in a step, for functions that return rewards and ends: arrays of shape (worlds, agents).

    The arrays are used again in the next step: copy what you keep. Values of agents that are gone are NaN.
    """

    def __init__(self, core: Core) -> None:
        """Make the view of an environment."""
        self._core = core
        self._columns: dict[str, Floats] = {}
        self._read: set[str] = set()
        self.tracks_progress = False
        """Whether distances to goals are kept from one step to the next."""
        shape = (core.worlds, core.agents)
        self.there: Bools = np.zeros(shape, dtype=bool)
        """Which agents are there: an agent may have been removed by a script, or since it reached its last goal."""
        self.active: Bools = np.zeros(shape, dtype=bool)
        """Which agents took part in this step: those that had not ended before."""
        self.reached: NDArray[np.uint32] = np.zeros(shape, dtype=np.uint32)
        """How many goals each agent has reached in this episode."""
        self.reached_before: NDArray[np.uint32] = np.zeros(shape, dtype=np.uint32)
        """How many goals each agent had reached before this step."""
        self.steps: NDArray[np.int64] = np.zeros(core.worlds, dtype=np.int64)
        """How many steps of the episode each world has done, with this one: an array of shape (worlds,)."""
        self.actions: NDArray[Any] = np.zeros(0)
        """The actions of this step, as they were given."""
        self.observations: Floats = core.observations
        """What agents observe after the step: an array of shape (worlds, agents, features)."""
        self._distance_before: Floats = np.full(shape, np.nan, dtype=np.float32)

    @property
    def batch(self) -> Batch:
        """The worlds."""
        return self._core.batch

    @property
    def positions(self) -> Floats:
        """Positions in world units: an array of shape (worlds, agents, 2)."""
        return self._column("positions")

    @property
    def velocities(self) -> Floats:
        """Velocities in world units per second: an array of shape (worlds, agents, 2)."""
        return self._column("velocities")

    @property
    def headings(self) -> Floats:
        """The directions that agents face, as unit vectors: an array of shape (worlds, agents, 2)."""
        return self._column("headings")

    @property
    def goals(self) -> Floats:
        """The present goals in world units: an array of shape (worlds, agents, 2)."""
        return self._column("goals")

    @property
    def goal_distance(self) -> Floats:
        """How far each agent is from its present goal, in world units; NaN if it has none."""
        return self._column("distances")[:, :, 0]

    @property
    def gap(self) -> Floats:
        """The distance from each body to the nearest other body or obstacle, in world units; below 0 if they overlap."""
        return self._column("distances")[:, :, 1]

    @property
    def new_goals(self) -> NDArray[np.int64]:
        """How many goals each agent has reached in this step."""
        new = self.reached.astype(np.int64) - self.reached_before.astype(np.int64)
        return np.maximum(new, 0)

    @property
    def progress(self) -> Floats:
        """How much nearer each agent has come to its goal in this step, in world units; up to the goal if it has reached it."""
        self.tracks_progress = True
        now = np.where(self.new_goals > 0, np.float32(0), self.goal_distance)
        return np.nan_to_num(self._distance_before - now, nan=0.0)

    def measure(self, name: str) -> NDArray[np.float64]:
        """Return a measure of each world: an array of shape (worlds,), NaN where it has no value."""
        return self.batch.measure(name)

    def _column(self, name: str) -> Floats:
        if name not in self._columns:
            shape = (self._core.worlds, self._core.agents, 2)
            self._columns[name] = np.zeros(shape, dtype=np.float32)
        column = self._columns[name]
        if name not in self._read:
            if name == "distances":
                self._core.learner.distances(column)
            else:
                self._core.learner.column(name, column)
            self._read.add(name)
        return column

    def begin_step(self) -> None:
        """Keep what later steps need."""
        self.reached_before[:] = self.reached
        if self.tracks_progress:
            self._distance_before[:] = self.goal_distance

    def changed(self) -> None:
        """Forget what was read of worlds that have changed since."""
        self._read.clear()
        self._core.learner.read_episode(self.there, self.reached)


Reward = Callable[[View], ArrayLike]
"""A function that returns rewards: an array of shape (worlds, agents), or of shape (worlds,), which each agent of a world gets. A world of a
`VectorEnv` gets the sum over its agents. Agents that are not active get none."""

Ends = Callable[[View], ArrayLike]
"""A function that returns which agents have ended their episodes: an array of bool of the same shapes."""


def new_goals(value: float = 1.0) -> Reward:
    """Return a reward: `value` for each goal that an agent reaches."""
    return lambda view: value * view.new_goals


def progress(value: float = 1.0) -> Reward:
    """Return a reward: `value` for each world unit that an agent comes nearer to its goal."""
    return lambda view: value * view.progress


def collision(value: float = -1.0, margin: float = 0.0) -> Reward:
    """Return a reward: `value` for each step in which the body of an agent is nearer than `margin` to another body or an obstacle."""
    return lambda view: value * (view.gap < margin)


def total(*rewards: Reward) -> Reward:
    """Return the sum of rewards."""

    def sum_up(view: View) -> ArrayLike:
        sums = np.zeros(view.there.shape, dtype=np.float64)
        for reward in rewards:
            sums += _per_agent(reward(view), view, "a reward")
        return sums

    return sum_up


def arrived(goals: int = 1) -> Ends:
    """Return an end: an agent has ended when it has reached so many goals."""
    return lambda view: view.reached >= goals


def collided(margin: float = 0.0) -> Ends:
    """Return an end: an agent has ended when its body is nearer than `margin` to another body or an obstacle."""
    return lambda view: view.gap < margin


def any_of(*ends: Ends) -> Ends:
    """Return an end: an agent has ended if any of these says so."""

    def any_end(view: View) -> ArrayLike:
        ended = np.zeros(view.there.shape, dtype=bool)
        for end in ends:
            ended |= _per_agent(end(view), view, "an end").astype(bool)
        return ended

    return any_end


def _per_agent(values: ArrayLike, view: View, what: str) -> NDArray[Any]:
    """Return values of shape (worlds, agents)."""
    if callable(values):
        raise TypeError(f"{what} is a function itself: call it, as in `learning.progress()`")
    array = np.asarray(values)
    worlds, agents = view.there.shape
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{what} must be an array of numbers, not of {array.dtype}")
    if array.shape == (worlds,):
        array = array[:, np.newaxis]
    elif array.shape not in ((worlds, agents), ()):
        raise ValueError(
            f"{what} must have the shape (worlds, agents) = ({worlds}, {agents}) or (worlds,), not {array.shape}"
        )
    return array


def _rewards(reward: Reward, view: View) -> NDArray[Any]:
    """Return rewards of shape (worlds, agents)."""
    rewards = _per_agent(reward(view), view, "a reward")
    if not np.isfinite(np.where(view.active, rewards, 0)).all():
        world, agent = np.argwhere(~np.isfinite(np.where(view.active, rewards, 0)))[0]
        raise ValueError(
            f"rewards must be finite numbers: that of agent {agent} in world {world} is not"
        )
    return rewards


def _mixed(base: NDArray[np.uint64], episode: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the seed of an episode: the base itself for the first one, and well mixed numbers of 63 bits then (SplitMix64)."""
    with np.errstate(over="ignore"):
        z = base + episode * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z = (z ^ (z >> np.uint64(31))) >> np.uint64(1)
    return np.where(episode == 0, base, z)


class Core:
    """What all environments share: worlds, and arrays of what their agents observe and get. Use `Env`, `VectorEnv` or `ParallelEnv`."""

    def __init__(
        self,
        scenario: str | PathLike[str],
        worlds: int,
        *,
        group: str,
        observe: Sequence[Observation],
        act: Action,
        reward: Reward,
        ends: Ends | None = None,
        max_steps: int | None = None,
        ticks: int = 1,
        frame: Literal["agent", "world"] = "agent",
        params: Mapping[str, Any] | None = None,
        agents: int | None = None,
        record: Sequence[str] = (),
        files: Mapping[str, str] | None = None,
        scripts: Mapping[str, str] | None = None,
        threads: int | None = None,
    ) -> None:
        if worlds < 1 or ticks < 1:
            raise ValueError("`worlds` and `ticks` must be at least 1")
        if frame not in ("agent", "world"):
            raise ValueError('`frame` must be "agent" or "world"')
        if not isinstance(observe, (list, tuple)):
            raise TypeError("`observe` is a list, such as `[learning.Own(), learning.Goal()]`")
        if not observe:
            raise ValueError("agents must observe something: `observe` is empty")
        if not isinstance(act, (Forces, Directions, Choices, Params)):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError("`act` is one of Forces(), Directions(), Choices(..) and Params(..)")
        is_text = scripts is not None
        choices = list(act.scripts) if isinstance(act, Choices) else []
        # Seeds are those of `reset`.
        made = worlds_of(
            None if is_text else scenario,
            str(scenario) if is_text else None,
            "scenario.ron",
            scripts if is_text else files,
            worlds,
            [dict(params or {})],
            agents,
            record,
            threads,
            (group, choices),
        )
        self.batch = Batch(made)
        ranges = list(act.ranges) if isinstance(act, Params) else []
        parts = [_spec(part) for part in observe]
        self.learner = Learner(made[0], parts, frame == "agent", ranges)
        self.worlds = worlds
        self.agents = self.learner.agents
        if self.agents == 0:
            raise ValueError(f"there are no agents in group `{group}` when an episode begins")
        self.group = group
        self.ticks = ticks
        self.max_steps = max_steps or max(1, self.batch.ticks // ticks)
        self.act = act
        self._reward, self._ends = reward, ends
        self.observations: Floats = np.zeros(
            (worlds, self.agents, self.learner.features), dtype=np.float32
        )
        self.rewards: NDArray[np.float64] = np.zeros((worlds, self.agents), dtype=np.float64)
        self.ended: Bools = np.zeros((worlds, self.agents), dtype=bool)
        self.active: Bools = np.zeros((worlds, self.agents), dtype=bool)
        self.view = View(self)
        self._base: NDArray[np.uint64] = np.zeros(worlds, dtype=np.uint64)
        self._episode: NDArray[np.uint64] = np.zeros(worlds, dtype=np.uint64)
        self._is_seeded = np.zeros(worlds, dtype=bool)
        low, high = zip(*(_bounds(part) for part in observe), strict=True)
        self.low: Floats = np.array([number for part in low for number in part], dtype=np.float32)
        self.high: Floats = np.array([number for part in high for number in part], dtype=np.float32)
        self._prepare_actions(act)

    def _prepare_actions(self, act: Action) -> None:
        self._table: Floats | None = None
        self._limit = 0.0
        if isinstance(act, (Forces, Directions)):
            limit = self.learner.max_force if act.limit is None else float(act.limit)
            if not (limit > 0 and math.isfinite(limit)):
                raise ValueError(
                    f"the body of group `{self.group}` has no max_force: give a `limit` above 0"
                )
            self._limit = limit
        if isinstance(act, Directions):
            if act.count < 1:
                raise ValueError("there must be at least one direction")
            angles = [math.tau * number / act.count for number in range(act.count)]
            table = [(0.0, 0.0), *((math.cos(angle), math.sin(angle)) for angle in angles)]
            # Few digits: the last one of a sine is not the same on all machines.
            self._table = np.round(np.array(table), 6).astype(np.float32)
        if isinstance(act, Choices) and not act.scripts:
            raise ValueError("there must be at least one script to choose")
        if isinstance(act, Params):
            for name, (low, high) in act.ranges.items():
                if not (math.isfinite(low) and math.isfinite(high) and low < high):
                    raise ValueError(
                        f"the range of `{name}` must be two finite numbers, the lower one first"
                    )

    def seed(
        self, worlds: NDArray[np.intp], seeds: Sequence[int | None], random: np.random.Generator
    ) -> None:
        """Set the seeds from which worlds start. Without one, a world goes on to its next episode; the first time it gets a random one."""
        numbers: list[int] = worlds.tolist()
        for world, seed in zip(numbers, seeds, strict=True):
            if seed is None and self._is_seeded[world]:
                continue
            base = self._drawn(random) if seed is None else int(seed)
            if not 0 <= base < 2**64:
                raise ValueError(f"a seed is an integer from 0 to 2**64 - 1, not {seed}")
            self._base[world], self._episode[world], self._is_seeded[world] = base, 0, True

    @staticmethod
    def _drawn(random: np.random.Generator) -> int:
        words: NDArray[np.int64] = random.integers(2**63, size=1)
        return int(words[0])

    def reset(self, worlds: NDArray[np.intp]) -> None:
        """Begin new episodes in worlds. Call `observe` then."""
        seeds = _mixed(self._base[worlds], self._episode[worlds])
        self._episode[worlds] += np.uint64(1)
        self.learner.restart(worlds.tolist(), seeds.tolist())
        self.active[worlds] = True
        self.view.steps[worlds] = 0
        self.view.changed()

    def observe(self) -> Floats:
        """Return what agents observe now: an array that is used again."""
        self.learner.observe(self.observations)
        return self.observations

    def probe(self) -> None:
        """Call the functions of the user once, to see whether they fit."""
        self.view.active[:] = self.active
        _rewards(self._reward, self.view)
        if self._ends is not None:
            _per_agent(self._ends(self.view), self.view, "an end")

    def step(self, actions: NDArray[Any], chosen: Bools | None = None) -> None:
        """Simulate a step of worlds, of all or of those that are chosen, and compute rewards and ends. Call `observe` before.

        actions: of shape (worlds, agents, 2) for forces, (worlds, agents) for directions and choices, (worlds, params) for params.
        """
        view = self.view
        view.begin_step()
        view.active[:] = self.active
        if chosen is not None:
            view.active &= chosen[:, np.newaxis]
        view.actions = actions
        self._give(actions, chosen)
        self.learner.step(self.ticks, None if chosen is None else chosen.tolist())
        if chosen is None:
            view.steps += 1
        else:
            view.steps[chosen] += 1
        view.changed()

    def judge(self) -> None:
        """Compute rewards and ends of the step, after `observe`."""
        view = self.view
        rewards = _rewards(self._reward, view)
        self.rewards[:] = np.where(view.active, rewards, 0.0)
        ended = ~view.there
        if self._ends is not None:
            ended = ended | _per_agent(self._ends(view), view, "an end").astype(bool)
        np.logical_and(ended, view.active, out=self.ended)
        self.active &= ~self.ended

    def truncated(self) -> Bools:
        """Return which worlds are at the end of their time."""
        return self.view.steps >= self.max_steps

    def _give(self, actions: NDArray[Any], chosen: Bools | None) -> None:
        """Tell agents what to do. Those that have ended get no force, or do what their script says."""
        if isinstance(self.act, Params):
            numbers = np.ascontiguousarray(actions, dtype=np.float32)
            low, high = self.param_bounds()
            cut: Floats = np.clip(numbers, low, high)
            self.learner.give_params(cut, None if chosen is None else chosen.tolist())
            return
        if isinstance(self.act, Choices):
            choices = np.ascontiguousarray(actions, dtype=np.int64)
            if choices.size and choices.min() < 0:
                raise ValueError("a choice is a number from 0")
            if not self.active.all():
                choices = np.where(self.active, choices, -1)
            self.learner.give_choices(choices)
            return
        if self._table is not None:
            directions: NDArray[np.int64] = np.asarray(actions, dtype=np.int64)
            last = len(self._table) - 1
            if directions.size and (directions.min() < 0 or directions.max() > last):
                raise ValueError(f"a direction is a number from 0 to {last}")
            forces = self._table[directions]
        else:
            forces = np.ascontiguousarray(actions, dtype=np.float32)
        if not self.active.all():
            forces = np.where(self.active[:, :, np.newaxis], forces, np.float32(0))
        self.learner.give_forces(forces, self._limit)

    def param_bounds(self) -> tuple[Floats, Floats]:
        """Return the least and the largest values of params."""
        assert isinstance(self.act, Params)
        low, high = zip(*self.act.ranges.values(), strict=True)
        return np.array(low, dtype=np.float32), np.array(high, dtype=np.float32)


def __dir__() -> list[str]:
    """Name what `help` shows, with the environments whose packages are there."""
    needs = {"Env": "gymnasium", "VectorEnv": "gymnasium", "ParallelEnv": "pettingzoo"}
    missing = {name for name, package in needs.items() if find_spec(package) is None}
    return [*(name for name in globals() if name.startswith("__")), *(set(__all__) - missing)]


def __getattr__(name: str) -> Any:
    """Import environments when they are asked for, since they need other packages."""
    if name in ("Env", "VectorEnv"):
        try:
            from . import _gymnasium as found
        except ImportError as error:
            raise ImportError(f"`{name}` needs Gymnasium: pip install gymnasium") from error
        return getattr(found, name)
    if name == "ParallelEnv":
        try:
            from . import _pettingzoo
        except ImportError as error:
            raise ImportError("`ParallelEnv` needs PettingZoo: pip install pettingzoo") from error
        return _pettingzoo.ParallelEnv
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
