"""Plots of runs with matplotlib."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ._native import Run

_WALL = "#555555"
_SOLID = "#bbbbbb"


def plot(run: Run, ax: Axes | None = None, **arrows: Any) -> Axes:
    """Plot the state of a run: see `Run.plot`."""
    try:
        plt: Any = import_module("matplotlib.pyplot")
        patches: Any = import_module("matplotlib.patches")
    except ImportError as error:
        raise ImportError("plots need matplotlib: pip install matplotlib") from error
    if ax is not None and not isinstance(ax, import_module("matplotlib.axes").Axes):
        raise TypeError(f"`ax` must be axes of matplotlib, not {type(ax).__name__}")
    axes: Any = plt.gca() if ax is None else ax
    _draw(run, axes, patches, arrows)
    return cast("Axes", axes)


def _draw(run: Run, ax: Any, patches: Any, arrows: dict[str, Any]) -> None:
    scenery = run._scenery()
    (left, bottom), (right, top) = run.bounds
    ax.add_patch(
        patches.Rectangle(
            (left, bottom), right - left, top - bottom, fill=False, edgecolor=_WALL, linewidth=0.8
        )
    )
    for kind, corners, radius in scenery["obstacles"]:
        if kind == "circle":
            ax.add_patch(patches.Circle(corners[0], radius, facecolor=_SOLID, edgecolor=_WALL))
        elif kind == "wall":
            ax.plot(*zip(*corners, strict=True), color=_WALL, linewidth=2)
        else:
            ax.add_patch(
                patches.Polygon(corners, fill=kind == "solid", facecolor=_SOLID, edgecolor=_WALL)
            )
    for group, at, radius in scenery["goals"]:
        color = scenery["colors"][group]
        ax.add_patch(patches.Circle(at, radius, fill=False, edgecolor=color, linestyle=":"))
        ax.plot(*at, marker=".", color=color, linestyle="none")
    positions, headings, groups = run.positions, run.headings, run.groups
    style: dict[str, Any] = {
        "pivot": "mid",
        "units": "width",
        "width": 0.004,
        "scale": 45,
        "headwidth": 4,
        "zorder": 3,
        **arrows,
    }
    for index, name in enumerate(run.group_names):
        rows = groups == index
        if rows.any():
            of_group = {"color": scenery["colors"][index], "label": name, **style}
            ax.quiver(*positions[rows].T, *headings[rows].T, **of_group)
    ax.set_aspect("equal")
    ax.set_xlim(left, right)
    ax.set_ylim(bottom, top)
    ax.set_title(f"{run.name}, tick {run.tick}")
