"""The exceptions of Flockwork."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._types import Finding, Place


class Error(Exception):
    """An error in a scenario, a script or a plan, or in what was asked for.

    Its text is what the program prints: each error with its file, its line and what to do.
    """

    findings: list[Finding]
    """Everything that was found, each as a dict: see `flockwork.check`."""

    def __init__(self, text: str, findings: list[Finding] | None = None) -> None:
        super().__init__(text, findings or [])
        self.findings = findings or []

    def __str__(self) -> str:
        return str(self.args[0])

    @property
    def place(self) -> Place | None:
        """Where the first error is; None if it is in no file."""
        return self.findings[0]["place"] if self.findings else None

    @property
    def file(self) -> str | None:
        """The file of the first error."""
        return self.place["file"] if self.place else None

    @property
    def line(self) -> int | None:
        """The line of the first error, from 1."""
        return self.place["start_line"] if self.place else None

    @property
    def column(self) -> int | None:
        """The column of the first error, from 1."""
        return self.place["start_column"] if self.place else None


class ScriptError(Error):
    """A script failed in a tick."""


class BusyError(RuntimeError):
    """An object is in use: by another thread, or by the function that it has called."""
