"""An environment of PettingZoo: see `flockwork.learning`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
import pettingzoo
from gymnasium import spaces
from numpy.typing import NDArray

from ._gymnasium import agent_spaces
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


class ParallelEnv(pettingzoo.ParallelEnv[str, Floats, Any]):  # type: ignore[misc, unused-ignore]
    """A parallel environment of PettingZoo: one world, in which each agent of a group is steered by itself.

    The agents are called "bird_0", "bird_1" and so on if the group is `bird`. An agent that has ended, or that was removed from the world,
    is not among `agents` any more; if it is still in the world, no force acts on it.

    The arguments are those of `Env`. `act` cannot be `Params`, since params are the same for all agents.
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc, unused-ignore]
        "name": "flockwork",
        "render_modes": [],
        "is_parallelizable": True,
    }

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
        if isinstance(act, Params):
            raise TypeError("agents cannot have actions of their own for params: use `Env`")
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
        self._random = np.random.default_rng()
        self._is_probed = False
        self.render_mode = None
        self.possible_agents = [f"{group}_{number}" for number in range(self._core.agents)]
        self._number = {name: number for number, name in enumerate(self.possible_agents)}
        self.agents: list[str] = []
        made = [agent_spaces(self._core) for _ in self.possible_agents]
        self.observation_spaces = {
            name: observation
            for name, (observation, _) in zip(self.possible_agents, made, strict=True)
        }
        self.action_spaces = {
            name: action for name, (_, action) in zip(self.possible_agents, made, strict=True)
        }

    @property
    def batch(self) -> Batch:
        """The world, as a batch of one."""
        return self._core.batch

    def observation_space(self, agent: str) -> spaces.Space[Floats]:
        """Return what an agent can observe."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return what an agent can do."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Floats], dict[str, dict[str, Any]]]:
        """Begin an episode. With a seed, the world is that of `flockwork.load(scenario, seed=seed)`."""
        core = self._core
        world = np.array([0])
        core.seed(world, [seed], self._random)
        core.reset(world)
        self.agents = list(self.possible_agents)
        observations = core.observe()[0]
        if not self._is_probed:
            core.probe()
            self._is_probed = True
        return self._of(observations, self.agents), {name: {} for name in self.agents}

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[
        dict[str, Floats],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Simulate a step. The dicts have the agents that were active before it."""
        names, core = self.agents, self._core
        if not names:
            return {}, {}, {}, {}, {}
        core.step(self._actions(actions))
        observations = core.observe()[0]
        core.judge()
        is_truncated = bool(core.truncated()[0])
        numbers = [self._number[name] for name in names]
        rewards = {
            name: float(core.rewards[0, number])
            for name, number in zip(names, numbers, strict=True)
        }
        terminations = {
            name: bool(core.ended[0, number]) for name, number in zip(names, numbers, strict=True)
        }
        truncations = dict.fromkeys(names, is_truncated)
        infos: dict[str, dict[str, Any]] = {name: {} for name in names}
        self.agents = [name for name in names if not (terminations[name] or is_truncated)]
        return self._of(observations, names), rewards, terminations, truncations, infos

    def render(self) -> None:
        """Show nothing: a copy of the world shows itself, `env.batch[0]`."""

    def close(self) -> None:
        """Do nothing, since nothing is open."""

    def _of(self, observations: NDArray[np.float32], names: list[str]) -> dict[str, Floats]:
        return {name: observations[self._number[name]].copy() for name in names}

    def _actions(self, actions: Mapping[str, Any]) -> NDArray[Any]:
        core = self._core
        missing = [name for name in self.agents if name not in actions]
        if missing:
            raise ValueError(f"there is no action for {', '.join(missing)}")
        if isinstance(core.act, (Directions, Choices)):
            array: NDArray[Any] = np.zeros((1, core.agents), dtype=np.int64)
        else:
            array = np.zeros((1, core.agents, 2), dtype=np.float32)
        for name in self.agents:
            array[0, self._number[name]] = actions[name]
        return array
