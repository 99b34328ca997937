"""The examples of the book's page about Python, and those for people from other systems."""

from __future__ import annotations

import ast
import re
import subprocess
import sys

import pytest

from .conftest import ROOT

PAGE = ROOT / "docs/src/python.md"
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)

# The large numbers of the page are for readers: fewer runs show the same.
FEWER = {
    "seeds=40, ticks=300": "seeds=2, ticks=20",
    "steps=8": "steps=2",
    "budget=100": "budget=20, confirm=2",
    "seeds=4, budget": "seeds=2, budget",
}


def test_the_examples_of_the_page_run(capfd: pytest.CaptureFixture[str]) -> None:
    blocks = [block for block in BLOCK.findall(PAGE.read_text()) if "{{#include" not in block]
    assert len(blocks) >= 10
    code = "\n".join(blocks)
    for many, few in FEWER.items():
        assert many in code, f"the page does not say `{many}` any more"
        code = code.replace(many, few)
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "did you mean `wander`?" in done.stdout


@pytest.mark.parametrize(
    ("name", "needs"),
    [
        ("flock", "pandas"),
        ("flock_mesa", "mesa"),
        ("door", ""),
        ("door_jupedsim", "jupedsim"),
        ("virus", ""),
    ],
)
def test_models_of_other_systems_run(name: str, needs: str) -> None:
    if needs:
        pytest.importorskip(needs)
    path = ROOT / f"engine/python/examples/coming_from/{name}.py"
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    if name == "flock":
        assert len(done.stdout.splitlines()) == 9, "two values with four seeds, and a title"
        assert "NaN" not in done.stdout
    if name.startswith("door"):
        left = ast.literal_eval(done.stdout)
        assert left == sorted(left)
        assert left[-1] >= 30
