"""The dicts that functions of Flockwork return."""

from __future__ import annotations

from typing import Any, Literal, TypedDict

import numpy as np
from numpy.typing import NDArray


class Place(TypedDict):
    """A part of a file. Lines and columns count from 1, bytes from 0; ends are exclusive."""

    file: str
    start_line: int
    start_column: int
    end_line: int
    end_column: int
    start_byte: int
    end_byte: int


class Fix(TypedDict):
    """A change that repairs a finding: `text` in place of what is at `place`."""

    title: str
    place: Place
    text: str


class Related(TypedDict):
    """Another place that a finding is about."""

    message: str
    place: Place


class Finding(TypedDict):
    """An error, a warning or a note about a file."""

    severity: Literal["error", "warning", "note"]
    code: str
    message: str
    label: str
    help: list[str]
    place: Place | None
    related: list[Related]
    fixes: list[Fix]
    text: str


class Message(TypedDict):
    """What a script has written with `debug`."""

    tick: int
    agent: int
    group: str
    place: str
    text: str


class Expectation(TypedDict):
    """An expectation of a scenario, and whether it holds so far."""

    text: str
    state: Literal["not judged", "not yet", "holds", "nearly failed", "failed"]
    tick: int | None
    agent: int | None
    why: str | None


class Obstacle(TypedDict):
    """An obstacle: whether it is there, its center and two corners around it, in world units."""

    present: bool
    center: tuple[float, float]
    bounds: tuple[tuple[float, float], tuple[float, float]]


class Unordered(TypedDict):
    """Agents in the order in which they are in memory."""

    positions: NDArray[np.float32]
    velocities: NDArray[np.float32]
    headings: NDArray[np.float32]
    rows: NDArray[np.uint32]


class Decision(TypedDict):
    """What an agent will do, and how the force comes about."""

    explained: bool
    calls: list[dict[str, Any]]
    variables: list[dict[str, Any]]
    rest: dict[str, Any] | None
    set_velocity: list[float] | None
    set_velocity_causes: list[Any]
    push: list[float]
    wanted_force: list[float]
    force: list[float]
    limits: list[dict[str, Any]]
    wanted_velocity: list[float]
    next_velocity: list[float]
    next_position: list[float]
    next_heading: list[float]
    touches: list[Any]
    next_state: dict[str, Any]
    choices: list[dict[str, Any]]


class Explanation(TypedDict):
    """What an agent decides in a tick, and why. The book has the fields, on the page about explanations."""

    scenario: str
    tick: int
    time: float
    agent: int
    group: str
    index: int
    headline: str
    position: list[float]
    velocity: list[float]
    heading: list[float]
    speed: float
    body: dict[str, Any]
    params: dict[str, Any]
    state: dict[str, Any]
    goal: dict[str, Any] | None
    waypoint: dict[str, Any] | None
    stopped: bool
    error: str | None
    decision: Decision | None
    text: str
