"""The example notebooks run, and are kept without outputs."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

import flockwork

EXAMPLES = Path(__file__).parents[1] / "examples"
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))

has_page = Path(flockwork.__file__).with_name("page.html").is_file()
has_kernel = all(
    importlib.util.find_spec(name) for name in ("nbclient", "nbformat", "ipykernel", "matplotlib")
)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_outputs(path: Path) -> None:
    for cell in json.loads(path.read_text())["cells"]:
        assert cell.get("outputs", []) == []
        assert cell.get("execution_count") is None


@pytest.mark.skipif(not has_kernel, reason="needs nbclient, ipykernel and matplotlib")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path: Path, tmp_path: Path) -> None:
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    if not has_page:
        notebook.cells = [cell for cell in notebook.cells if ".show(" not in cell.source]
    # In an empty folder: notebooks need no other files.
    NotebookClient(notebook, timeout=60, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    kinds = {kind for output in outputs for kind in output.get("data", {})}
    assert "image/png" in kinds
    assert not [output for output in outputs if output.get("name") == "stderr"], outputs


def test_there_are_notebooks() -> None:
    assert len(NOTEBOOKS) >= 4
