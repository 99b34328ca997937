"""Tables, and what other libraries make of them."""

from __future__ import annotations

import builtins
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import flockwork as fw


def objects(*cells: Any) -> Any:
    column = np.empty(len(cells), dtype=object)
    column[:] = cells
    return column


@pytest.fixture
def table() -> fw.Table:
    return fw.Table(
        {
            "run": np.arange(4),
            "polarization": np.array([0.1, np.nan, 1 / 3, 1e-12]),
            "speed": np.array([0.1, 2, 3, 16777216], dtype=np.float32),
            "holds": np.array([True, False, True, True]),
            "name": objects("a", None, 'b "<c>", d', "e"),
            "error": objects(None, None, None, None),
        },
        {"speed": "world units/s"},
    )


def test_rows_are_chosen(table: fw.Table) -> None:
    part = table[1:3]
    assert part.rows == 2
    assert part.units == table.units
    assert np.shares_memory(part["run"], table["run"])
    assert table[table["holds"]]["run"].tolist() == [0, 2, 3]
    assert table[[3, 0]]["run"].tolist() == [3, 0]
    with pytest.raises(KeyError, match="no column `polarisation`; there are run, polarization"):
        table["polarisation"]
    with pytest.raises(TypeError, match="a slice of rows"):
        table[3]  # type: ignore[call-overload]
    assert "run" in table
    assert "x" not in table


def test_pandas_shares_the_memory(table: fw.Table) -> None:
    pd = pytest.importorskip("pandas")
    frame = table.to_pandas()
    for name in ("run", "polarization", "speed", "holds"):
        assert np.shares_memory(frame[name].to_numpy(), table[name]), name
    assert frame["name"].isna().tolist() == [False, True, False, False]
    pd.testing.assert_frame_equal(pd.DataFrame(dict(table)), frame)


def test_polars_shares_the_memory_of_numbers(table: fw.Table) -> None:
    pl = pytest.importorskip("polars")
    pytest.importorskip("pyarrow")
    frame = table.to_polars()
    for name in ("run", "polarization", "speed"):
        assert np.shares_memory(frame[name].to_numpy(allow_copy=False), table[name]), name
    assert frame["name"].to_list() == ["a", None, 'b "<c>", d', "e"]
    assert frame["error"].dtype == pl.String
    assert frame["holds"].dtype == pl.Boolean
    assert pl.DataFrame(table[:2].to_arrow()).shape == (2, 6)
    assert pl.from_arrow(table.to_arrow()).equals(frame)


def test_polars_needs_no_pyarrow(table: fw.Table, monkeypatch: pytest.MonkeyPatch) -> None:
    pl = pytest.importorskip("polars")
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name == "pyarrow":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    frame = table.to_polars()
    assert frame["error"].dtype == pl.String
    assert frame["name"].dtype == pl.String
    assert frame["polarization"].to_list()[0] == 0.1
    assert frame["run"].to_list() == [0, 1, 2, 3]


def test_a_saved_table_has_all_digits(table: fw.Table, tmp_path: Path) -> None:
    table.save(tmp_path / "t.csv")
    lines = (tmp_path / "t.csv").read_text().splitlines()
    assert lines[0] == "run,polarization,speed,holds,name,error"
    assert lines[1] == "0,0.1,0.1,true,a,"
    assert lines[2] == "1,,2.0,false,,"
    assert lines[3] == '2,0.3333333333333333,3.0,true,"b ""<c>"", d",'
    assert lines[4] == "3,1e-12,16777216.0,true,e,"


def test_a_notebook_shows_the_first_rows_with_units(table: fw.Table) -> None:
    html = table._repr_html_()
    assert "speed<br><small>world units/s</small>" in html
    assert "b &quot;&lt;c&gt;&quot;, d" in html
    assert "<c>" not in html
    assert "0.333333<" in html
    assert "more rows" not in html
    long = fw.Table({"x": np.arange(100)})._repr_html_()
    assert long.count("<tr>") == 11
    assert "90 more rows" in long


def test_columns_have_one_length() -> None:
    with pytest.raises(ValueError, match="different lengths"):
        fw.Table({"a": np.arange(2), "b": np.arange(3)})
    assert fw.Table({}).rows == 0
