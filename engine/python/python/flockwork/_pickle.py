"""How runs are unpickled."""

from __future__ import annotations

from ._native import Run, loads


def unpickle(
    scenario: str,
    scripts: dict[str, str],
    name: str,
    judge: bool,
    interpreter: bool,
    threads: int | None,
) -> Run:
    """Make a run from what `Run.__reduce__` has written."""
    return loads(
        scenario, scripts=scripts, name=name, judge=judge, interpreter=interpreter, threads=threads
    )
