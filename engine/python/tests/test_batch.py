"""Many worlds at once: each has the bits that it has alone."""

from __future__ import annotations

import contextlib
import signal
import threading
from pathlib import Path

import numpy as np
import pytest

import flockwork as fw

SCENARIOS = Path(__file__).parents[2] / "scenarios"
ALL = sorted(path for path in SCENARIOS.rglob("*.ron") if not path.name.endswith(".plan.ron"))

BIRDS = """(
    ticks: 40,
    seed: 5,
    world: (size: (100, 100), edge: Wrap),
    groups: { "birds": (behavior: "fly", count: 6, spawn: Disc(center: (50, 50), radius: 20),
        body: (max_speed: 20, max_force: 40), params: { "gap": 5.0, "eager": true }) },
)"""
SCRIPTS = {"fly": "fn steer(me) { me.separation(me.params.gap) + me.wander() }"}


def birds(**more: object) -> fw.Batch:
    return fw.batches(BIRDS, scripts=SCRIPTS, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_worlds_are_single_runs(path: Path) -> None:
    batch = fw.batch(path, seeds=[1, 2, 77], threads=2)
    ticks = max(2, min(25, 6000 // int(batch.agents.max() + 1)))
    batch.step(ticks)
    for world, seed in enumerate([1, 2, 77]):
        run = fw.load(path, seed=seed)
        run.step(ticks)
        assert batch.hashes[world] == run.hash
        assert batch.errors[world] is None
        assert np.array_equal(batch[world].positions, run.positions)


def test_each_row_has_each_seed_and_the_same_bits_as_a_run() -> None:
    params = [{"birds.gap": 3}, {"birds.gap": 12.5, "birds.eager": False}]
    batch = birds(seeds=[4, 9], params=params, record=["polarization", "path_length"])
    assert len(batch) == 4
    assert batch.seeds.tolist() == [4, 9, 4, 9]
    assert batch.params == [params[0], params[0], params[1], params[1]]
    batch.run(progress=False)
    assert batch.tick == batch.ticks == 40
    table = batch.table()
    assert list(table) == [
        "birds.gap",
        "birds.eager",
        "seed",
        "tick",
        "polarization",
        "path_length",
        "hash",
        "error",
    ]
    for world in range(4):
        row, seed = batch.params[world], int(batch.seeds[world])
        run = fw.loads(BIRDS, scripts=SCRIPTS, params=row, seed=seed, record=["path_length"])
        run.run()
        assert table["hash"][world] == run.hash
        assert table["polarization"][world] == run.measure("polarization")
        assert table["path_length"][world] == run.measure("path_length")
        assert table["error"][world] == ""
        assert np.array_equal(batch.positions[world], run.positions)
        assert np.array_equal(batch.velocities[world], run.velocities)
        assert np.array_equal(batch.headings[world], run.headings)
        assert np.array_equal(batch.column("forces")[world], run.forces)


def test_a_number_of_seeds_counts_from_that_of_the_scenario() -> None:
    assert birds(seeds=3).seeds.tolist() == [5, 6, 7]
    assert birds(seeds=np.int64(2)).seeds.tolist() == [5, 6]
    assert birds(seeds=np.array([8, 1])).seeds.tolist() == [8, 1]
    assert birds(params={"birds.gap": [1, 2]}).seeds.tolist() == [5, 5]
    assert len(birds()) == 1


def test_params_come_as_columns_and_data_frames() -> None:
    expected = birds(
        params=[{"birds.gap": 1.0, "birds.eager": True}, {"birds.gap": 20.0, "birds.eager": False}]
    )
    expected.step(5)
    columns = {"birds.gap": [1.0, 20.0], "birds.eager": [True, False]}
    kinds = [
        columns,
        {name: np.array(column) for name, column in columns.items()},
        fw.Table({name: np.array(column) for name, column in columns.items()}),
    ]
    for module in ("pandas", "polars"):
        with contextlib.suppress(ImportError):
            kinds.append(__import__(module).DataFrame(columns))
    for params in kinds:
        batch = birds(params=params)
        batch.step(5)
        assert batch.hashes == expected.hashes
    assert expected.hashes[0] != expected.hashes[1]


def test_results_do_not_depend_on_threads() -> None:
    hashes = []
    for threads in (1, 2, 3, 0):
        batch = birds(seeds=20, threads=threads)
        batch.step(30)
        hashes.append(batch.hashes)
    assert all(one == hashes[0] for one in hashes)


def test_arrays_are_read_into_memory_that_is_there() -> None:
    batch = birds(seeds=3)
    out = np.zeros((3, 6, 2), dtype=np.float32)
    assert batch.column("positions", out) is out
    assert np.array_equal(out, batch.positions)
    for wrong in (np.zeros((3, 5, 2), dtype=np.float32), np.zeros((3, 6, 2)), [1, 2]):
        with pytest.raises(TypeError, match=r"float32 of the shape \(3, 6, 2\)"):
            batch.column("positions", wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="contiguous"):
        batch.column("positions", np.zeros((3, 2, 6), dtype=np.float32).transpose(0, 2, 1))
    out.flags.writeable = False
    with pytest.raises(ValueError, match="cannot be written"):
        batch.column("positions", out)
    with pytest.raises(fw.Error, match="did you mean `positions`"):
        batch.column("position")


def test_worlds_with_different_numbers_of_agents_have_no_common_array() -> None:
    script = {"fly": "fn steer(me) { if me.random() < 0.2 { me.leave() } me.wander() }"}
    batch = fw.batches(BIRDS, scripts=script, seeds=4)
    batch.step(6)
    assert len(set(batch.agents.tolist())) > 1, "the test needs different numbers"
    with pytest.raises(fw.Error, match=r"different numbers of agents, from \d+ to \d+.*batch\[0\]"):
        _ = batch.positions
    for world in range(4):
        assert len(batch[world].positions) == batch.agents[world]


def test_a_world_that_fails_ends_no_other() -> None:
    script = {
        "fly": "fn steer(me) { if me.params.gap > 8.0 && world.tick == 3 { let a = []; a[7] } me.wander() }"
    }
    batch = fw.batches(
        BIRDS, scripts=script, params={"birds.gap": [1, 9, 2]}, record=["polarization"]
    )
    batch.run(progress=False)
    assert batch.world_ticks.tolist() == [40, 3, 40]
    assert repr(batch).endswith("at tick 40 of 40, 1 failed>")
    first, second, third = batch.errors
    assert first is None
    assert third is None
    assert isinstance(second, fw.ScriptError)
    assert second.line == 1
    assert batch.hashes[1] == ""
    assert len(batch.hashes[0]) == 16
    table = batch.table()
    assert np.isnan(table["polarization"]).tolist() == [False, True, False]
    assert "index" in table["error"][1].lower() or "array" in table["error"][1].lower()
    with pytest.raises(fw.ScriptError):
        batch[1].step()
    batch.restart([1])
    assert batch.errors[1] is None
    assert batch.world_ticks.tolist() == [40, 0, 40]


def test_worlds_go_back_and_start_again() -> None:
    batch = birds(seeds=3, record=["path_length"])
    first = batch.hashes
    batch.step(10)
    snapshot, ten, ways = batch.snapshot(), batch.hashes, batch.measure("path_length")
    batch.step(5)
    fifteen, longer = batch.hashes, batch.measure("path_length")
    assert (longer > ways).all()
    batch.restore(snapshot, [2])
    assert batch.hashes == [*fifteen[:2], ten[2]]
    batch.restore(snapshot)
    assert batch.hashes == ten
    assert np.array_equal(batch.measure("path_length"), ways)
    batch.step(5)
    assert batch.hashes == fifteen
    assert np.array_equal(batch.measure("path_length"), longer)
    batch.restart([0, -1], seeds=[7, 5])
    assert batch.hashes == [first[2], fifteen[1], first[0]]
    batch.restart()
    assert (batch.measure("path_length") == 0).all()
    assert batch.seeds.tolist() == [7, 6, 5]
    with pytest.raises(ValueError, match="another batch"):
        birds(seeds=3).restore(snapshot)


def test_a_world_is_a_run_of_its_own_until_it_is_put_back() -> None:
    batch = birds(seeds=2, record=["path_length"])
    batch.step(2)
    before = batch.hashes
    run = batch[1]
    run.place(0, (1, 2))
    run.step(3)
    assert batch.hashes == before
    batch[1] = run
    assert batch.hashes == [before[0], run.hash]
    assert batch.measure("path_length")[1] == run.measure("path_length")
    # It was changed from outside, so it cannot be simulated again.
    with pytest.raises(fw.Error, match="changed from Python at tick 2"):
        batch[1].explain(0, tick=4)
    run.step()
    batch.step()
    assert batch.hashes[1] == run.hash
    assert batch[-1].hash == run.hash
    assert [one.hash for one in batch] == batch.hashes
    with pytest.raises(ValueError, match="not a run of this batch"):
        batch[0] = fw.loads(BIRDS, scripts=SCRIPTS)
    with pytest.raises(IndexError, match="there is no world 2"):
        _ = batch[2]
    run.set_behavior("birds", lambda view: view.positions)
    with pytest.raises(fw.Error, match="function of Python"):
        batch[0] = run


def test_some_worlds_step_alone() -> None:
    batch = birds(seeds=3)
    batch.step(4, worlds=[True, False, True])
    assert batch.world_ticks.tolist() == [4, 0, 4]
    assert batch.tick == 4
    with pytest.raises(ValueError, match="an element for each world"):
        batch.step(1, worlds=[True])


def test_measures_have_a_value_for_each_world() -> None:
    batch = birds(seeds=3, record=["collisions"])
    batch.step(10)
    for name in ("polarization", "birds.mean_speed", "collisions"):
        values = batch.measure(name)
        assert values.shape == (3,)
        assert values.dtype == np.float64
    assert batch.measure("polarization").tolist() == [one.measure("polarization") for one in batch]
    assert "polarization" in batch.measures
    with pytest.raises(
        fw.Error, match=r'record=\["goals_reached"\]|there is no measure|needs all ticks'
    ):
        batch.measure("overlaps")
    with pytest.raises(fw.Error, match="did you mean `polarization`"):
        batch.measure("polarisation")


@pytest.mark.parametrize(
    ("more", "error", "words"),
    [
        ({"params": {"birds.gap": [1, 2], "birds.eager": [True]}}, ValueError, "different lengths"),
        ({"params": {"birds.gap": 3}}, TypeError, "must be a list"),
        ({"params": {"birds.gap": "abc"}}, TypeError, "must be a list"),
        ({"params": 3}, TypeError, "not iterable"),
        ({"params": ["birds.gap"]}, TypeError, "list of dicts"),
        ({"params": [{"birds.gp": 1}]}, fw.Error, "birds"),
        ({"params": [{"birds.gap": float("nan")}]}, ValueError, "not a finite number"),
        ({"seeds": 0}, ValueError, "at least one world"),
        ({"seeds": [-1]}, OverflowError, "negative"),
        ({"seeds": ["a"]}, ValueError, "invalid literal"),
        ({"record": ["nothing"]}, fw.Error, "no measure"),
        ({"record": "polarization"}, TypeError, "list"),
    ],
)
def test_wrong_arguments_are_refused(
    more: dict[str, object], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        birds(**more)


def test_errors_of_files_are_those_of_load() -> None:
    with pytest.raises(fw.Error) as batch_error:
        fw.batches(BIRDS, scripts={"fly": "fn steer(me) { me.wandr() }"}, seeds=2)
    with pytest.raises(fw.Error) as load_error:
        fw.loads(BIRDS, scripts={"fly": "fn steer(me) { me.wandr() }"})
    assert str(batch_error.value) == str(load_error.value)


def test_a_second_thread_is_told_that_a_batch_is_in_use() -> None:
    batch = birds(seeds=200, threads=1)
    seen: list[Exception] = []
    stop = threading.Event()

    def read() -> None:
        while not stop.is_set():
            try:
                batch.measure("polarization")
            except fw.BusyError as error:
                seen.append(error)

    other = threading.Thread(target=read)
    other.start()
    for _ in range(2000):
        with contextlib.suppress(fw.BusyError):
            batch.step(5)
        if seen:
            break
    stop.set()
    other.join()
    assert seen


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_a_step_after_a_whole_tick(threads: int) -> None:
    batch = birds(seeds=50, threads=threads)
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        batch.step(10**9)
    timer.join()
    ticks = set(batch.world_ticks.tolist())
    assert len(ticks) == 1
    expected = birds(seeds=50)
    expected.step(ticks.pop())
    assert batch.hashes == expected.hashes


def test_a_bar_counts_ticks(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("tqdm")
    batch = birds(seeds=2)
    assert batch.run(progress=True) is batch
    assert "40/40" in capsys.readouterr().err


def test_a_batch_shows_itself() -> None:
    assert repr(birds(seeds=2)) == '<flockwork.Batch of 2 worlds of "scenario" at tick 0 of 40>'
