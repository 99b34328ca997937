"""The types and the documentation of the interface."""

# pyright: reportPrivateUsage=false
from __future__ import annotations

import ast
import inspect
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import flockwork
from flockwork import _native

PROJECT = Path(__file__).parents[1]
STUB = Path(flockwork.__file__).with_name("_native.pyi")


def with_docs(stub: str) -> str:
    """Return a stub file with the names of the module, in which everything has the docstring that it has in Rust."""
    tree = ast.parse(stub)
    names = next(part for part in tree.body if isinstance(part, ast.Assign))
    names.value = ast.List([ast.Constant(name) for name in sorted(_native.__all__)])
    document(tree.body, _native)
    return ast.unparse(tree) + "\n"


def document(body: list[ast.stmt], owner: ModuleType | type) -> None:
    for node in body:
        if not isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            continue
        # A stub may have a name that Python gives to all objects, such as __len__.
        docs = inspect.getdoc(getattr(owner, node.name))
        is_special = node.name.startswith("__")
        if isinstance(node, ast.ClassDef):
            node.body = [part for part in node.body if not is_docstring(part)]
            document(node.body, getattr(owner, node.name))
        else:
            node.body = [ast.Expr(ast.Constant(...))]
        if docs and not is_special:
            if isinstance(node, ast.FunctionDef):
                node.body = []
            node.body.insert(0, ast.Expr(ast.Constant(indented(docs, node))))


def indented(docs: str, node: ast.ClassDef | ast.FunctionDef) -> str:
    """Return the text of a docstring with the indentation that it has in a file."""
    space = " " * (node.col_offset + 4)
    lines = docs.strip().split("\n")
    text = "\n".join([lines[0], *(space + line if line.strip() else "" for line in lines[1:])])
    return text if len(lines) == 1 else f"{text}\n{space}"


def is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def test_the_stub_has_the_documentation_of_the_module() -> None:
    text = STUB.read_text()
    new = with_docs(text)
    if os.environ.get("SNAPSHOTS") == "overwrite":
        STUB.write_text(new)
        return
    # The file is formatted otherwise.
    assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(new)), (
        "write it again: SNAPSHOTS=overwrite pytest tests/test_types.py"
    )


def test_everything_public_is_documented() -> None:
    missing: list[str] = []
    for name in flockwork.__all__:
        thing = getattr(flockwork, name)
        if callable(thing) and not inspect.getdoc(thing):
            missing.append(name)
        if inspect.isclass(thing) and thing.__module__.startswith("flockwork"):
            for member, value in vars(thing).items():
                is_function = callable(value) or inspect.isdatadescriptor(value)
                if not member.startswith("_") and is_function and not inspect.getdoc(value):
                    missing.append(f"{name}.{member}")
    assert not missing


def test_the_stub_is_the_module() -> None:
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy.stubtest", "flockwork", "--ignore-disjoint-bases"]
    command += ["--mypy-config-file", str(PROJECT / "pyproject.toml")]
    done = subprocess.run(command, capture_output=True, text=True, cwd=PROJECT)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_types_are_right(checker: str) -> None:
    pytest.importorskip(checker)
    options = ["--strict"] if checker == "mypy" else ["--pythonpath", sys.executable]
    command = [sys.executable, "-m", checker, *options, "python/flockwork"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=PROJECT)
    assert done.returncode == 0, done.stdout + done.stderr
