"""Runs: the same bits as the program, arrays, going back, and reasons."""

from __future__ import annotations

import copy
import json
import pickle
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import flockwork as fw

from .conftest import BIRDS, ROOT, SCRIPTS

Program = Callable[..., str]

# One of each kind: order, edges, solid bodies, messages, layers, moving obstacles, drawn numbers, ways.
SCENARIOS = [
    "flock",
    "night_watch",
    "queue_doorway",
    "follow_leader",
    "ants",
    "epidemic",
    "fireflies",
    "heist",
    "gates",
    "crowds/bottleneck_social_force",
    "primitives/orca",
]


def birds(**options: object) -> fw.Run:
    return fw.loads(BIRDS, scripts=SCRIPTS, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_run_has_the_bits_of_the_program(name: str, program: Program) -> None:
    path = f"scenarios/{name}.ron"
    ticks = 120
    summary = json.loads(program("run", path, "--ticks", str(ticks), "--seed", "7", "--json"))
    run = fw.load(ROOT / path, seed=7)
    run.step(ticks)
    assert run.hash == summary["state_hash"]


def test_neither_threads_nor_the_interpreter_change_a_run() -> None:
    path = ROOT / "scenarios/flock.ron"
    hashes: set[str] = set()
    for options in ({}, {"threads": 1}, {"threads": 2}, {"interpreter": True}):
        run = fw.load(path, agents=400, **options)
        run.step(30)
        hashes.add(run.hash)
    assert len(hashes) == 1


def test_one_step_of_many_ticks_is_many_steps() -> None:
    one, other = birds(), birds()
    one.step(25)
    for _ in range(25):
        other.step()
    assert one.hash == other.hash
    assert (one.tick, one.first_tick, one.ticks, one.seed) == (25, 0, 60, 5)
    one.run()
    assert one.tick == 60
    one.step()
    assert one.tick == 61, "it can step beyond the end"


def test_arrays_have_a_row_for_each_agent() -> None:
    run = birds()
    run.step(5)
    assert len(run) == 21
    assert run.ids.tolist() == list(range(21))
    assert run.group_names == ["birds", "hawk"]
    assert run.groups.tolist() == [0] * 20 + [1]
    assert run.is_in("hawk").tolist() == [False] * 20 + [True]
    for column in (run.positions, run.velocities, run.headings, run.forces, run.goals):
        assert column.shape == (21, 2)
        assert column.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(run.headings, axis=1), 1, rtol=1e-6)
    assert np.isnan(run.goals).all()
    assert not run.stopped.any()
    assert run.public("hunger").tolist()[:20] == [7.0] * 20
    assert np.isnan(run.public("hunger")[20])
    assert run.own("turns").tolist()[:20] == [5.0] * 20
    assert run.state(0)["turns"] == 5
    assert run.params == {"birds": {"gap": 5.0}, "hawk": {}}
    assert run.shared == {"food": 3.0}
    assert run.obstacles["tree"]["center"] == (80.0, 80.0)
    assert run.bounds == ((0.0, 0.0), (100.0, 100.0))


def test_arrays_are_copies_that_can_be_reused() -> None:
    run = birds()
    run.step()
    out = np.zeros((21, 2), np.float32)
    for column in ("positions", "velocities", "headings", "forces"):
        run.read_into(column, out)
        np.testing.assert_array_equal(out, getattr(run, column))
    with pytest.raises(ValueError, match="read-only"):
        run.positions[0] = 0
    before = run.positions
    run.step()
    assert (before != run.positions).any(), "it stays as it was"
    run.read_into("positions", out)
    run.read_into("positions", np.asfortranarray(out))
    for wrong in (np.zeros((20, 2), np.float32), np.zeros((21, 2)), [1, 2]):
        with pytest.raises(TypeError, match=r"float32 of the shape \(21, 2\)"):
            run.read_into("positions", wrong)  # type: ignore[arg-type]
    out.flags.writeable = False
    with pytest.raises(ValueError, match="cannot be written"):
        run.read_into("positions", out)
    with pytest.raises(fw.Error, match="did you mean `positions`"):
        run.read_into("position", out)


def test_unordered_arrays_are_views_that_outlive_the_run() -> None:
    run = fw.load(ROOT / "scenarios/flock.ron")
    run.step(10)
    views = run.unordered
    rows = views["rows"]
    assert sorted(rows.tolist()) == list(range(300))
    for column in ("positions", "velocities", "headings"):
        np.testing.assert_array_equal(getattr(run, column)[rows], views[column])
        assert not views[column].flags.writeable
        assert not views[column].flags.owndata
    then = views["positions"].copy()
    run.step(10)
    np.testing.assert_array_equal(then, views["positions"])
    assert not np.array_equal(then, run.unordered["positions"])
    del run
    np.testing.assert_array_equal(then, views["positions"])


def test_snapshots_lead_back() -> None:
    run = birds(judge=True, record=["collisions"])
    run.step(10)
    snapshot = run.snapshot()
    assert snapshot.tick == 10
    run.step(20)
    there = run.hash, run.measure("collisions"), run.expectations
    run.place(0, (1, 1))
    run.step(5)
    run.restore(snapshot)
    assert run.tick == 10
    run.step(20)
    assert (run.hash, run.measure("collisions"), run.expectations) == there
    with pytest.raises(ValueError, match="another run"):
        birds().restore(snapshot)


@pytest.mark.parametrize(
    "make", [fw.Run.copy, copy.copy, copy.deepcopy, lambda run: pickle.loads(pickle.dumps(run))]
)
@pytest.mark.parametrize("name", ["night_watch", "ants", "heist", "crowds/bottleneck_social_force"])
def test_copies_go_on_by_themselves(name: str, make: Callable[[fw.Run], fw.Run]) -> None:
    run = fw.load(ROOT / f"scenarios/{name}.ron", seed=3)
    run.step(30)
    other = make(run)
    assert (other.tick, other.hash, other.name) == (run.tick, run.hash, run.name)
    run.step(30)
    assert other.hash != run.hash
    other.step(30)
    assert other.hash == run.hash


def test_changed_runs_can_be_pickled() -> None:
    run = birds(params={"birds.gap": 9})
    run.step(3)
    run.add("birds", [[1, 2], [3, 4]], [[1, 0], [0, 1]])
    run.set_param("birds.gap", 7)
    run.push("hawk", (5, 0))
    run.set_goals("hawk", [[50, 50]])
    other = pickle.loads(pickle.dumps(run))
    for one in (run, other):
        one.step(10)
    assert run.hash == other.hash


def test_explanations_are_those_of_the_program(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Paths in texts begin where the program runs.
    monkeypatch.chdir(ROOT)
    path = "scenarios/night_watch.ron"
    told = program("explain", path, "--agent", "2", "--tick", "100")
    as_json = json.loads(program("explain", path, "--agent", "2", "--tick", "100", "--json"))
    run = fw.load(path)
    run.step(100)
    now = run.explain(2)
    assert now is not None
    assert now["text"].strip() == told.strip()
    text = now.pop("text")  # type: ignore[misc]
    assert now == as_json
    run.step(50)
    then = run.explain(2, tick=100)
    assert then is not None
    assert then["text"] == text
    assert run.explain(99) is None
    with pytest.raises(fw.Error, match="has not come yet"):
        run.explain(2, tick=9999)


def test_explanations_of_earlier_ticks_know_changes() -> None:
    run = fw.load(ROOT / "scenarios/night_watch.ron")
    run.step(50)
    run.place(2, (20, 30), (1, 1))
    now = run.explain(2)
    run.step(50)
    assert run.explain(2, tick=50) == now, "the change is part of that tick"
    at_80 = run.explain(2, tick=80)
    assert run.explain(2, tick=49) is not None, "that was before the change"
    snapshot = run.snapshot()
    run.place(2, (20, 30))
    run.step()
    with pytest.raises(fw.Error, match="changed from Python at tick 50 and later again"):
        run.explain(2, tick=80)
    run.restore(snapshot)
    assert run.explain(2, tick=80) == at_80


def test_measures_and_expectations() -> None:
    run = birds(judge=True, record=["collisions"])
    run.step(60)
    assert run.expectations[0]["state"] == "holds"
    assert run.measure("agents") == 21
    assert run.measure("birds.mean_speed") == pytest.approx(
        np.linalg.norm(run.velocities[:20], axis=1).mean(), rel=1e-5
    )
    assert isinstance(run.measure("collisions"), float)
    with pytest.raises(fw.Error, match=r"record=\[\"collisions\"\]"):
        birds().measure("collisions")
    with pytest.raises(fw.Error, match="did you mean `polarization`"):
        run.measure("polarisation")
    assert {"polarization", "births", "birds.mean_speed", "shared.food"} <= set(run.measures)
    assert birds().expectations[0]["state"] == "not judged"


def test_messages_of_scripts_are_kept() -> None:
    scripts = SCRIPTS | {"hunt": 'fn steer(me) { debug("tick " + world.tick); me.wander() }'}
    run = fw.loads(BIRDS, scripts=scripts)
    run.step(3)
    assert [one["text"] for one in run.messages] == ["tick 0", "tick 1", "tick 2"]
    assert run.messages[0]["agent"] == 20
    assert run.messages[0]["group"] == "hawk"


def test_errors_point_at_their_place(tmp_path: Path) -> None:
    with pytest.raises(fw.Error) as caught:
        fw.loads('(ticks: 60,\n  groups: { "a": (behaviour: "x") })', name="a.ron")
    error = caught.value
    assert (error.file, error.line, error.column) == ("a.ron", 2, 19)
    assert "did you mean `behavior`?" in str(error)
    assert error.findings[0]["severity"] == "error"
    with pytest.raises(fw.Error) as caught:
        fw.loads(BIRDS, scripts=SCRIPTS | {"fly": "fn steer(me) { me.wonder() }"})
    assert "did you mean `wander`?" in str(caught.value)
    assert isinstance(pickle.loads(pickle.dumps(caught.value)), fw.Error)
    with pytest.raises(fw.Error, match=r"takes the text"):
        fw.load(BIRDS)
    with pytest.raises(fw.Error, match="`load` takes the path"):
        fw.loads("scenarios/flock.ron")
    for wrong in ({"seed": -1}, {"seed": 1.5}, {"agents": 0}, {"agents": 2**40}):
        with pytest.raises(ValueError, match=f"`{next(iter(wrong))}` must be"):
            birds(**wrong)
    with pytest.raises(ValueError, match="`threads` must be from 0 to 1024, not 100000"):
        birds(threads=100_000)
    with pytest.raises(ValueError, match="`ticks` must not be negative"):
        birds().step(-1)
    with pytest.raises(fw.Error, match="there is no file"):
        fw.load(tmp_path / "none.ron")


def test_a_script_that_fails_ends_the_run_until_it_is_restored() -> None:
    scripts = SCRIPTS | {"hunt": 'fn steer(me) { if world.tick == 4 { throw "no" } me.wander() }'}
    run = fw.loads(BIRDS, scripts=scripts)
    snapshot = run.snapshot()
    for _ in range(2):
        with pytest.raises(fw.ScriptError, match="at tick 4") as caught:
            run.step(10)
        assert caught.value.line == 1
    run.restore(snapshot)
    run.step(4)
    assert run.tick == 4


def test_files_can_come_from_memory(tmp_path: Path) -> None:
    (tmp_path / "scripts").mkdir()
    for name, text in SCRIPTS.items():
        (tmp_path / "scripts" / f"{name}.rhai").write_text(text)
    path = tmp_path / "birds.ron"
    path.write_text(BIRDS)
    expected = birds()
    expected.step(5)
    on_disk = fw.load(path)
    on_disk.step(5)
    assert on_disk.hash == expected.hash
    edited = fw.load(
        path, files={tmp_path / "scripts" / "hunt.rhai": "fn steer(me) { me.flee(vec(0, 0)) }"}
    )
    edited.step(5)
    assert edited.hash != expected.hash
    assert set(edited.files) == {"scenarios/birds.ron", "scripts/fly.rhai", "scripts/hunt.rhai"}
    assert fw.check(path) == on_disk.check()
    codes = [one["code"] for one in on_disk.check()]
    assert codes == [one["code"] for one in birds().check()] == ["constant-state"]
    broken = fw.check(path, files={path: BIRDS.replace("ticks", "tick")})
    assert "did you mean `ticks`?" in broken[0]["text"]


def test_threads_have_runs_of_their_own() -> None:
    hashes: list[str] = []

    def work() -> None:
        run = birds()
        run.step(60)
        hashes.append(run.hash)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(hashes) == 8
    assert len(set(hashes)) == 1


def test_other_threads_run_while_a_run_steps() -> None:
    run = fw.load(ROOT / "scenarios/flock.ron", agents=2000)
    thread = threading.Thread(target=run.step, args=(100,))
    thread.start()
    busy = turns = 0
    while thread.is_alive():
        turns += 1
        try:
            run.step()
        except fw.BusyError:
            busy += 1
    thread.join()
    assert busy > 0
    assert turns >= busy
