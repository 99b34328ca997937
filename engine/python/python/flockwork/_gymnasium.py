"""Environments of Gymnasium: see `flockwork.learning`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, cast

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from .learning import (
    Action,
    Choices,
    Core,
    Directions,
    Ends,
    Floats,
    Observation,
    Params,
    Reward,
)

if TYPE_CHECKING:
    from os import PathLike

    from ._batch import Batch

Bools = NDArray[np.bool_]


def box(low: Floats, high: Floats) -> spaces.Space[Floats]:
    """Return a space of arrays of float32."""
    return cast("spaces.Space[Floats]", spaces.Box(low, high, dtype=np.float32))


def agent_spaces(core: Core) -> tuple[spaces.Space[Floats], spaces.Space[Any]]:
    """Return what one agent observes, and what it can do."""
    observation = box(core.low, core.high)
    if isinstance(core.act, Params):
        return observation, spaces.Box(*core.param_bounds(), dtype=np.float32)
    if isinstance(core.act, Directions):
        return observation, spaces.Discrete(core.act.count + 1)
    if isinstance(core.act, Choices):
        return observation, spaces.Discrete(len(core.act.scripts))
    return observation, spaces.Box(-1.0, 1.0, (2,), np.float32)


def world_spaces(core: Core) -> tuple[spaces.Space[Floats], spaces.Space[Any]]:
    """Return what all agents of a world observe and can do; without the axis of agents if there is only one."""
    observation, action = agent_spaces(core)
    if core.agents == 1:
        return observation, action
    low, high = (np.tile(bound, (core.agents, 1)) for bound in (core.low, core.high))
    observation = box(low, high)
    if isinstance(core.act, Params):
        return observation, action
    if isinstance(action, spaces.Discrete):
        return observation, spaces.MultiDiscrete([int(action.n)] * core.agents)
    return observation, spaces.Box(-1.0, 1.0, (core.agents, 2), np.float32)


def _actions(core: Core, actions: Any) -> NDArray[Any]:
    """Return actions of all worlds in the shape of the core."""
    array = np.asarray(actions)
    if isinstance(core.act, Params):
        wanted: tuple[int, ...] = (core.worlds, len(core.act.ranges))
    elif isinstance(core.act, (Directions, Choices)):
        wanted = (core.worlds, core.agents)
    else:
        wanted = (core.worlds, core.agents, 2)
    if array.size != int(np.prod(wanted)):
        raise ValueError(f"actions must have the shape {wanted}, not {array.shape}")
    return array.reshape(wanted)


class Env(gymnasium.Env[Floats, Any]):
    """An environment of Gymnasium: one world, in which the agents of a group are steered.

    Observations have the shape (agents, features) and actions the shape (agents, 2), or without the axis of agents if the group has one
    agent. The reward is the sum of those of all agents. The episode terminates when all of them have ended.

    scenario: the path of a scenario, or its text if `scripts` are given.
    group: the name of the group.
    observe: what its agents observe, one after another in their row.
    act: what they do.
    reward: a function of a `View`, or a ready one such as `progress()`. It is also called once after the first reset.
    ends: a function of a `View` that says which agents have ended. Agents that are removed from the world have ended, too.
    max_steps: the number of steps after which an episode is truncated; by default the scenario's `ticks`.
    ticks: how many ticks a step takes.
    frame: whether vectors of observations and forces are in the frame of each "agent", forward and left, or in that of the "world".
    params: values of params, such as `{"bird.fear_radius": 80}`.
    agents: the number of agents at the start.
    record: names of measures that need all ticks and are observed.
    files: texts by path in place of files on disk.
    scripts: texts of scripts by name.
    threads: the number of threads, 0 for one for each core; results do not depend on it.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": []}  # type: ignore[misc, unused-ignore]

    def __init__(
        self,
        scenario: str | PathLike[str],
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
        super().__init__()
        self._core = Core(
            scenario,
            1,
            group=group,
            observe=observe,
            act=act,
            reward=reward,
            ends=ends,
            max_steps=max_steps,
            ticks=ticks,
            frame=frame,
            params=params,
            agents=agents,
            record=record,
            files=files,
            scripts=scripts,
            threads=threads,
        )
        self._is_probed = False
        self.render_mode = None
        self.observation_space, self.action_space = world_spaces(self._core)

    @property
    def batch(self) -> Batch:
        """The world, as a batch of one."""
        return self._core.batch

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Floats, dict[str, Any]]:
        """Begin an episode. With a seed, the world is that of `flockwork.load(scenario, seed=seed)`."""
        super().reset(seed=seed)
        core = self._core
        world = np.array([0])
        core.seed(world, [seed], self.np_random)
        core.reset(world)
        observations = core.observe()
        if not self._is_probed:
            core.probe()
            self._is_probed = True
        return observations.reshape(self.observation_space.shape or ()).copy(), {}

    def render(self) -> Any:
        """Raise, since environments draw nothing: a copy of a world does, `env.batch[0].picture()`."""
        raise NotImplementedError(
            "environments draw nothing: `env.batch[0].picture()` is a picture of a world"
        )

    def step(self, action: Any) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        """Simulate a step. `info` has the rewards of each agent, and which agents are still active."""
        core = self._core
        if not self._is_probed:
            raise gymnasium.error.ResetNeeded("call `reset` before the first `step`")
        core.step(_actions(core, action))
        observations = core.observe()
        core.judge()
        terminated = not core.active.any()
        truncated = bool(core.truncated()[0])
        info = {"rewards": core.rewards[0].copy(), "active": core.active[0].copy()}
        observation = observations.reshape(self.observation_space.shape or ()).copy()
        return observation, float(core.rewards.sum()), terminated, truncated, info


class VectorEnv(gymnasium.vector.VectorEnv[Floats, Any, NDArray[Any]]):
    """A vector environment of Gymnasium: many worlds that advance together, in each of which the agents of a group are steered.

    Each world is what `Env` is: with the same seed and the same actions, it has the same bits. `infos` has the `rewards` of each agent and
    which agents are still `active`, arrays of shape (worlds, agents).

    worlds: the number of worlds.
    autoreset: when a world whose episode is over begins the next one: in the "next" step, in the "same" step, where `infos["final_obs"]` has
        what was observed last, or "never" by itself: `reset(options={"reset_mask": ...})` does it then.
    copy: whether each step returns arrays of its own. Without it they are used again in the next step, which is faster.

    Everything else is as in `Env`.
    """

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
        autoreset: str = "next",
        copy: bool = True,
    ) -> None:
        super().__init__()
        modes = {
            "next": AutoresetMode.NEXT_STEP,
            "same": AutoresetMode.SAME_STEP,
            "never": AutoresetMode.DISABLED,
        }
        if autoreset not in modes:
            raise ValueError('`autoreset` must be "next", "same" or "never"')
        self._core = Core(
            scenario,
            worlds,
            group=group,
            observe=observe,
            act=act,
            reward=reward,
            ends=ends,
            max_steps=max_steps,
            ticks=ticks,
            frame=frame,
            params=params,
            agents=agents,
            record=record,
            files=files,
            scripts=scripts,
            threads=threads,
        )
        self._is_probed = False
        self._copies = copy
        self._autoreset = modes[autoreset]
        self.num_envs = worlds
        self.render_mode = None
        self.metadata = {"render_modes": [], "autoreset_mode": self._autoreset}
        observation, action = world_spaces(self._core)
        self.single_observation_space, self.single_action_space = observation, action
        self.observation_space = batch_space(observation, worlds)
        self.action_space = batch_space(action, worlds)
        self._shape = (worlds, *(observation.shape or ()))
        self._over: Bools = np.zeros(worlds, dtype=bool)

    @property
    def batch(self) -> Batch:
        """The worlds."""
        return self._core.batch

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Floats, dict[str, Any]]:
        """Begin episodes in all worlds.

        seed: a number s for s, s + 1, ..., or one for each world. Later episodes get seeds that depend on these.
        options: `{"reset_mask": mask}` resets only some worlds, where the array of bool is true.
        """
        core = self._core
        mask = (options or {}).get("reset_mask")
        if mask is None:
            chosen = np.ones(core.worlds, dtype=bool)
        else:
            chosen = np.asarray(mask)
            if chosen.shape != (core.worlds,) or chosen.dtype != np.bool_ or not chosen.any():
                raise ValueError(
                    "`reset_mask` must be an array of bool with an element for each world, some of them true"
                )
        if isinstance(seed, (int, np.integer)):
            super().reset(seed=int(seed))
            seeds: list[int | None] = [int(seed) + world for world in range(core.worlds)]
        else:
            seeds = [None] * core.worlds if seed is None else list(seed)
        if len(seeds) != core.worlds:
            raise ValueError(
                f"there must be a seed for each of the {core.worlds} worlds, not {len(seeds)}"
            )
        worlds = np.flatnonzero(chosen)
        core.seed(worlds, [seeds[world] for world in worlds.tolist()], self.np_random)
        core.reset(worlds)
        self._over[worlds] = False
        observations = core.observe()
        if not self._is_probed:
            core.probe()
            self._is_probed = True
        return self._given(observations.reshape(self._shape)), {}

    def render(self) -> Any:
        """Raise, since environments draw nothing: a copy of a world does, `env.batch[0].picture()`."""
        raise NotImplementedError(
            "environments draw nothing: `env.batch[0].picture()` is a picture of a world"
        )

    def step(
        self, actions: Any
    ) -> tuple[Floats, NDArray[np.float64], Bools, Bools, dict[str, Any]]:
        """Simulate a step of all worlds."""
        core = self._core
        if not self._is_probed:
            raise gymnasium.error.ResetNeeded("call `reset` before the first `step`")
        chosen: Bools | None = None
        if self._over.any():
            if self._autoreset is not AutoresetMode.NEXT_STEP:
                raise gymnasium.error.ResetNeeded(
                    "episodes of some worlds are over: reset these with `reset_mask` first"
                )
            core.reset(np.flatnonzero(self._over))
            chosen = ~self._over
        core.step(_actions(core, actions), chosen)
        observations = core.observe()
        core.judge()
        rewards: NDArray[np.float64] = core.rewards.sum(axis=1)
        terminations: Bools = np.logical_not(core.active.any(axis=1))
        truncations = core.truncated()
        infos: dict[str, Any] = {
            "rewards": self._given(core.rewards),
            "active": self._given(core.active),
        }
        over: Bools = terminations | truncations
        if self._autoreset is AutoresetMode.SAME_STEP:
            if over.any():
                self._begin_again(observations, over, infos)
                observations = core.observe()
        else:
            self._over = over
        return (
            self._given(observations.reshape(self._shape)),
            rewards,
            terminations,
            truncations,
            infos,
        )

    def _begin_again(self, observations: Floats, over: Bools, infos: dict[str, Any]) -> None:
        """Begin new episodes in the step in which others were over, whose last observations go into `infos`."""
        numbers = np.flatnonzero(over)
        last = np.full(self.num_envs, None, dtype=object)
        shaped = observations.reshape(self._shape)
        for world in numbers.tolist():
            last[world] = shaped[world].copy()
        final = {key: np.where(over[:, np.newaxis], infos[key], 0) for key in ("rewards", "active")}
        infos["final_obs"], infos["_final_obs"] = last, over.copy()
        infos["final_info"], infos["_final_info"] = final, over.copy()
        self._core.reset(numbers)

    def _given(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self._copies else array
