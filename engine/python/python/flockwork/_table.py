"""Tables of results, for numpy, pandas, polars and Arrow."""

from __future__ import annotations

import csv
import html
import math
import os
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas
    import polars

_SHOWN_ROWS = 10
"""Number of rows that a notebook shows."""


class Table(Mapping[str, "NDArray[Any]"]):
    """Columns by name: arrays of one length, and the unit of each.

    A table is a mapping, so `table["polarization"]` is an array. `table[:10]` and `table[mask]` are tables
    of these rows. Numbers that are missing are NaN; strings and bools that are missing are None, in columns of objects.
    """

    def __init__(
        self, columns: Mapping[str, NDArray[Any]], units: Mapping[str, str] | None = None
    ) -> None:
        self._columns = {name: np.asarray(column) for name, column in columns.items()}
        self.units: dict[str, str] = dict(units or {})
        """The units of the columns that have one."""
        lengths = {len(column) for column in self._columns.values()}
        if len(lengths) > 1:
            raise ValueError(f"the columns have different lengths: {sorted(lengths)}")
        self.rows: int = lengths.pop() if lengths else 0
        """The number of rows."""

    @overload
    def __getitem__(self, name: str, /) -> NDArray[Any]: ...
    @overload
    def __getitem__(self, rows: slice | NDArray[Any] | list[int] | list[bool], /) -> Table: ...
    def __getitem__(
        self, key: str | int | slice | NDArray[Any] | list[int] | list[bool], /
    ) -> NDArray[Any] | Table:
        """Return a column by its name, or a table of some rows: a slice, which shares the memory, or an array of bools or of numbers."""
        if isinstance(key, str):
            try:
                return self._columns[key]
            except KeyError:
                raise KeyError(f"there is no column `{key}`; there are {', '.join(self)}") from None
        if isinstance(key, int):
            raise TypeError(f"expected the name of a column or a slice of rows, not {key}")
        return Table({name: column[key] for name, column in self._columns.items()}, self.units)

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def to_pandas(self) -> pandas.DataFrame:
        """Return the table as a DataFrame of pandas, which shares the memory of all numbers and bools."""
        frame: pandas.DataFrame = _import("pandas").DataFrame(self._columns, copy=False)
        return frame

    def to_polars(self) -> polars.DataFrame:
        """Return the table as a DataFrame of polars.

        If pyarrow is installed, numbers share their memory. Without it polars copies them once, since it takes columns without a copy
        only from Arrow. Bools and strings are stored otherwise there, so they are always copied.
        """
        pl = _import("polars")
        frame: polars.DataFrame
        if find_spec("pyarrow") is None:
            columns = {name: _listed(column) for name, column in self._columns.items()}
            nothing = {name: pl.String for name, column in self.items() if _is_nothing(column)}
            frame = pl.DataFrame(columns, schema_overrides=nothing)
        else:
            frame = pl.from_arrow(self.to_arrow(), rechunk=False)
        return frame

    def to_arrow(self) -> Any:
        """Return the table as a `pyarrow.Table`, which shares the memory of numbers."""
        pa = _import("pyarrow")

        def column(column: NDArray[Any]) -> Any:
            return pa.array(_listed(column), pa.string() if _is_nothing(column) else None)

        return pa.table({name: column(of) for name, of in self._columns.items()})

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Offer the table to other libraries through the C stream interface of Arrow. This needs pyarrow."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the table to a file of comma-separated values, as the program writes them.

        Numbers have all digits, so they read back to the same bits. What is missing is empty; bools are `true` and `false`.
        """
        with open(path, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(self)
            writer.writerows(
                zip(*(map(_cell, column.tolist()) for column in self._short()), strict=True)
            )

    def _short(self) -> Iterator[NDArray[Any]]:
        """Return the columns; numbers of 32 bits as those of 64 bits with the fewest digits."""
        for column in self._columns.values():
            yield column.astype(str).astype(np.float64) if column.dtype == np.float32 else column

    def _repr_html_(self) -> str:
        """Show the first rows and the units."""
        head = "".join(
            f"<th>{html.escape(name)}{_unit(self.units.get(name))}</th>" for name in self
        )
        shown = (column.tolist() for column in self[:_SHOWN_ROWS]._short())
        rows = "".join(
            f"<tr>{''.join(f'<td>{html.escape(_short_cell(value))}</td>' for value in row)}</tr>"
            for row in zip(*shown, strict=True)
        )
        more = self.rows - _SHOWN_ROWS
        note = f"<p>{more} more rows, {len(self)} columns</p>" if more > 0 else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{note}"

    def __repr__(self) -> str:
        return f"<flockwork.Table of {self.rows} rows: {', '.join(self)}>"


def _import(name: str) -> Any:
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(f"this needs {name}: pip install {name}") from error


def _listed(column: NDArray[Any]) -> Any:
    """Return a column for other libraries, which know None only in lists."""
    return column.tolist() if column.dtype == object else column


def _is_nothing(column: NDArray[Any]) -> bool:
    """Return whether nothing is known of the type of a column: such columns have errors, which are strings."""
    return column.dtype == object and all(cell is None for cell in column)


def _cell(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(value)
    return str(value)


def _short_cell(value: Any) -> str:
    if isinstance(value, float) and not math.isnan(value):
        return f"{value:.6g}"
    return _cell(value)


def _unit(unit: str | None) -> str:
    return f"<br><small>{html.escape(unit)}</small>" if unit else ""
