"""Nothing that is called in any way crashes the interpreter: wrong values, forks, signals, small stacks, deep texts."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import flockwork as fw

from .conftest import BIRDS, ROOT, SCRIPTS

# Whatever somebody may hand over.
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=True)
    | st.text(max_size=20)
    | st.sampled_from(["birds", "hawk", "tree", "food", "gap", "birds.gap", "hunger", "positions"])
    | st.binary(max_size=5)
)
ARRAYS = arrays.arrays(
    dtype=st.sampled_from(
        [np.float32, np.float64, np.int8, np.uint64, np.bool_, np.complex64, object]
    ),
    shape=arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=22),
    fill=st.just(0),
)
ANYTHING = SCALARS | ARRAYS | st.lists(SCALARS, max_size=3) | st.tuples(SCALARS, SCALARS)
METHODS = [name for name in dir(fw.Run) if not name.startswith("__")]
EXPECTED = (TypeError, ValueError, OverflowError, fw.Error, fw.BusyError, NotImplementedError)


@settings(
    max_examples=400, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
@given(data=st.data())
def test_any_call_returns_or_raises(data: st.DataObject) -> None:
    run = fw.loads(BIRDS, scripts=SCRIPTS)
    run.step()
    for _ in range(data.draw(st.integers(1, 5))):
        name = data.draw(st.sampled_from(METHODS))
        try:
            thing = getattr(run, name)
            if callable(thing):
                arguments: list[Any] = data.draw(st.lists(ANYTHING, max_size=4))
                # Time is not what is tried here.
                if name in ("step", "spawn", "run", "continuation", "animate"):
                    arguments = [min(one, 50) if isinstance(one, int) else one for one in arguments]
                thing(*arguments)
        except EXPECTED:
            continue
    run.step()
    assert np.isfinite(run.positions).all()


@settings(max_examples=100, deadline=None, derandomize=True)
@given(answer=ANYTHING)
def test_any_answer_of_a_function_is_taken_or_refused(answer: Any) -> None:
    run = fw.loads(BIRDS, scripts=SCRIPTS)
    run.set_behavior("hawk", lambda _: answer)
    before = run.hash
    try:
        run.step()
    except (TypeError, ValueError):
        assert run.hash == before
    assert np.isfinite(run.positions).all()


@settings(max_examples=100, deadline=None, derandomize=True)
@given(scenario=st.text(max_size=60), script=st.text(max_size=60))
def test_any_text_is_a_scenario_or_an_error(scenario: str, script: str) -> None:
    told: list[int] = []
    for text, scripts in [(scenario, {}), (BIRDS, {"fly": script, "hunt": script})]:
        try:
            fw.loads(text, scripts=scripts).step()
        except fw.Error as error:
            told.append(len(error.findings))
    assert 0 not in told


@pytest.mark.parametrize("stack", [0, 256 << 10])
def test_deep_texts_and_scripts_need_no_large_stack(stack: int) -> None:
    """Threads of Python have small stacks on some systems."""
    deep = "(" * 5000 + "1" + ")" * 5000
    endless = "fn deep(n) { if n == 0 { 0.0 } else { deep(n - 1) + 1.0 } } fn steer(me) { vec(deep(50), 0.0) }"
    results: list[object] = []

    def work() -> None:
        for text, scripts in [
            (deep, {}),
            (BIRDS, SCRIPTS | {"fly": f"fn steer(me) {{ {deep} }}"}),
            (BIRDS, SCRIPTS | {"fly": "fn steer(me) { steer(me) }"}),
            (BIRDS, SCRIPTS | {"fly": endless}),
        ]:
            try:
                run = fw.loads(text, scripts=scripts, interpreter=True)
                run.step(2)
                results.append(run.tick)
            except fw.Error as error:
                results.append(type(error))

    before = threading.stack_size(stack)
    try:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)
    assert len(results) == 4
    assert results[0] is fw.Error


def child_hash(agents: int) -> str:
    run = fw.load(ROOT / "scenarios/flock.ron", agents=agents)
    run.step(5)
    return run.hash


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.parametrize("agents", [300, 5000])
def test_processes_that_are_forked_or_spawned_run(method: str, agents: int) -> None:
    here = child_hash(agents)
    with multiprocessing.get_context(method).Pool(2) as pool:
        there = pool.map_async(child_hash, [agents] * 3).get(timeout=60)
    assert there == [here] * 3


@pytest.mark.skipif(sys.platform == "win32", reason="signals are others there")
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_a_long_run_after_a_whole_tick(threads: int) -> None:
    code = f"""
import flockwork as fw
run = fw.load("scenarios/flock.ron", threads={threads})
print("ready", flush=True)
try:
    run.step(10_000_000)
except KeyboardInterrupt:
    tick = run.tick
    other = fw.load("scenarios/flock.ron")
    other.step(tick)
    print("same" if other.hash == run.hash else "other")
"""
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60)[0] == "same\n"
