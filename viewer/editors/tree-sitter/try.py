#!/usr/bin/env python3
"""Tries the grammars of tree-sitter for RON and Rhai: parses everything that ships, and runs the queries of this folder.

Needs a C compiler, and `pip install tree-sitter`. The arguments are clones of
https://github.com/elkowar/tree-sitter-rhai and https://github.com/tree-sitter-grammars/tree-sitter-ron.
"""

import ctypes
import pathlib
import subprocess
import sys
import tempfile

from tree_sitter import Language, Parser, Query, QueryCursor

HERE = pathlib.Path(__file__).parent
TOP = HERE.parents[2]
# Files that the grammar of Rhai cannot read: a comment behind the last statement of a block.
KNOWN = {"grazer.rhai", "predators.rhai", "queue_doorway.rhai", "sneak.rhai", "take_turns.rhai"}


def language(name: str, clone: pathlib.Path, folder: str) -> Language:
    library = pathlib.Path(folder) / f"{name}.so"
    sources = [str(path) for path in sorted((clone / "src").glob("*.c"))]
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", f"-I{clone / 'src'}", *sources, "-o", str(library)], check=True)
    function = getattr(ctypes.CDLL(str(library)), f"tree_sitter_{name}")
    function.restype = ctypes.c_void_p
    pointer = ctypes.pythonapi.PyCapsule_New
    pointer.restype = ctypes.py_object
    pointer.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return Language(pointer(function(), b"tree_sitter.Language", None))


def main() -> int:
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, clone, files in (
            ("rhai", sys.argv[1], sorted((TOP / "scripts").rglob("*.rhai"))),
            ("ron", sys.argv[2], sorted((TOP / "scenarios").rglob("*.ron"))),
        ):
            known = language(name, pathlib.Path(clone), folder)
            queries = {path.name: Query(known, path.read_text()) for path in (HERE / "queries" / name).glob("*.scm")}
            captured = {query: set() for query in queries}
            for path in files:
                tree = Parser(known).parse(path.read_bytes())
                if tree.root_node.has_error and path.name not in KNOWN:
                    print(f"{path}: has an error")
                    wrong += 1
                for query, rules in queries.items():
                    captured[query] |= QueryCursor(rules).captures(tree.root_node).keys()
            print(f"{name}: {len(files)} files, {({query: len(names) for query, names in captured.items()})} names of colors and folds")
            for query, names in captured.items():
                text = (HERE / "queries" / name / query).read_text()
                unused = {word.strip("()[]") for word in text.replace("\n", " ").split() if word.startswith("@")}
                unused = {word[1:] for word in unused} - names
                if unused:
                    print(f"{query}: matches nothing: {sorted(unused)}")
                    wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
