"""Reports of how far long work is."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._plan import Progress


class Report:
    """What is told how far work is: a function, a bar of tqdm, or a line of text."""

    def __init__(self, progress: Progress, unit: str) -> None:
        self.bar: Any = None
        self.call: Callable[[int, int], object] | None = None
        self._last = 0.0
        self._has_line = False
        if callable(progress):
            self.call = progress
        elif progress:
            try:
                from tqdm.auto import tqdm
            except ImportError:
                self.call = self._line
            else:
                self.bar = tqdm(unit=f" {unit}")
                self.call = self._tqdm

    def _tqdm(self, done: int, total: int) -> None:
        self.bar.total = total
        self.bar.update(done - self.bar.n)

    def _line(self, done: int, total: int) -> None:
        now = time.monotonic()
        if done == total or now - self._last > 0.5:
            self._last = now
            self._has_line = True
            print(f"\r{done} of {total}", end="", file=sys.stderr, flush=True)

    def __enter__(self) -> Callable[[int, int], object] | None:
        return self.call

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.refresh()
            self.bar.close()
        if self._has_line:
            print(file=sys.stderr)
