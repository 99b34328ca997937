"""Steering agents, exact to the bit.

    import flockwork as fw

    run = fw.load("scenarios/meadow.ron", params={"bird.fear_radius": 80}, seed=3)
    run.step(600)
    run.positions

Scenarios (RON) declare agents, obstacles and paths; scripts (Rhai) are their behaviors. The same scenario gives the same bits here, in
the program and in a browser.
"""

from __future__ import annotations

from ._batch import Batch, batch, batches
from ._errors import BusyError, Error, ScriptError
from ._experiment import hunt, sweep, tune
from ._hunted import Hunt, HuntFailure
from ._native import (
    Animation,
    GroupView,
    Picture,
    Run,
    Snapshot,
    __version__,
    check,
    load,
    loads,
)
from ._notebook import World
from ._plan import (
    AtLeast,
    AtMost,
    Halton,
    Holds,
    Integers,
    LatinHypercube,
    LogNormal,
    Margins,
    Match,
    MatchSeries,
    Maximize,
    Minimize,
    Morris,
    Normal,
    Plan,
    Quantile,
    Random,
    Range,
    Ron,
    Saltelli,
    Sobol,
    Sum,
)
from ._sweep import Sweep
from ._table import Table
from ._tuned import Change, Confirmation, Found, Tuned
from ._types import (
    Decision,
    Expectation,
    Explanation,
    Finding,
    Fix,
    Message,
    Obstacle,
    Place,
    Unordered,
)

__all__ = [
    "Animation",
    "AtLeast",
    "AtMost",
    "Batch",
    "BusyError",
    "Change",
    "Confirmation",
    "Decision",
    "Error",
    "Expectation",
    "Explanation",
    "Finding",
    "Fix",
    "Found",
    "GroupView",
    "Halton",
    "Holds",
    "Hunt",
    "HuntFailure",
    "Integers",
    "LatinHypercube",
    "LogNormal",
    "Margins",
    "Match",
    "MatchSeries",
    "Maximize",
    "Message",
    "Minimize",
    "Morris",
    "Normal",
    "Obstacle",
    "Picture",
    "Place",
    "Plan",
    "Quantile",
    "Random",
    "Range",
    "Ron",
    "Run",
    "Saltelli",
    "ScriptError",
    "Snapshot",
    "Sobol",
    "Sum",
    "Sweep",
    "Table",
    "Tuned",
    "Unordered",
    "World",
    "__version__",
    "batch",
    "batches",
    "check",
    "hunt",
    "load",
    "loads",
    "sweep",
    "tune",
]

# Messages and documentation name what users write.
for _name in __all__:
    _module = getattr(globals()[_name], "__module__", "")
    if _module.startswith("flockwork._") and _module != "flockwork._native":
        globals()[_name].__module__ = "flockwork"
