"""Changes of a world, and functions of Python as behaviors."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import flockwork as fw

from .conftest import BIRDS, ROOT, SCRIPTS


def birds() -> fw.Run:
    return fw.loads(BIRDS, scripts=SCRIPTS)


def still(count: int = 3, **fields: str) -> fw.Run:
    """A run of agents without a behavior, side by side."""
    more = ", ".join(f"{name}: {value}" for name, value in fields.items())
    points = ", ".join(f"({10 * i}, 0)" for i in range(count))
    return fw.loads(
        f"""(
            ticks: 60,
            dt: 0.1,
            world: (size: (1000, 1000), edge: Open),
            groups: {{ "all": (spawn: Points([{points}]), body: (radius: 1, max_speed: 100, max_force: 1000),
                params: {{ "p": 1.0, "name": "x", "at": (1, 2), "on": true }}) }},
            {more}
        )"""
    )


def test_single_agents_change_at_once() -> None:
    run = still()
    run.place(1, (5, 6), (7, 8))
    assert run.positions[1].tolist() == [5, 6]
    assert run.velocities[1].tolist() == [7, 8]
    run.place(1, np.array([9, 9]))
    assert run.velocities[1].tolist() == [7, 8], "it keeps its velocity"
    ids = run.add("all", [[1, 1], [2, 2]], [[0, 1], [0, 2]])
    assert ids.tolist() == [3, 4]
    assert run.velocities[4].tolist() == [0, 2]
    assert run.remove([0, 3, 77]) == 2
    assert run.remove(1) == 1
    assert run.ids.tolist() == [2, 4]
    assert run.add("all", np.zeros((0, 2))).tolist() == []


def test_events_happen_in_the_next_tick() -> None:
    run = still()
    run.push("all", (1, 2))
    assert not run.velocities.any()
    run.step()
    assert run.velocities.tolist() == [[1, 2]] * 3
    run.spawn("all", 2)
    run.step()
    assert len(run) == 5
    run.set_goals("all", [[0, 0], [1, 1]], radius=0.5)
    run.step()
    # The first is at its first goal already.
    assert run.goals[1].tolist() == [0, 0]
    run.scatter((0, 0), radius=100, speed=10)
    before = run.velocities
    run.step()
    assert (run.velocities != before).any()


def test_params_take_what_scenarios_can_say() -> None:
    run = still()
    for name, value, expected in [
        ("all.p", 3, 3.0),
        ("p", np.float32(2.5), 2.5),
        ("p", np.int64(2), 2.0),
        ("all.name", "y z", "y z"),
        ("at", (3, 4.5), (3.0, 4.5)),
        ("at", np.array([1, 2]), (1.0, 2.0)),
        ("on", False, False),
        ("on", np.bool_(True), True),
        ("p", "Uniform(from: 1, to: 2)", "Uniform(from: 1, to: 2)"),
    ]:
        run.set_param(name, value)  # type: ignore[arg-type]
        run.step()
        assert run.params["all"][name.rsplit(".")[-1]] == expected, (name, value)
    for name, wrong in [("p", "three"), ("p", True), ("on", 3), ("at", 4), ("q", 1), ("none.p", 1)]:
        with pytest.raises(fw.Error):
            run.set_param(name, wrong)
    for strange in (object(), (1, 2, 3), float("nan"), 1e300):
        with pytest.raises((TypeError, ValueError)):
            run.set_param("p", strange)  # type: ignore[arg-type]


def test_obstacles_shared_values_inputs_and_the_pointer() -> None:
    run = birds()
    run.set_obstacle("tree", False)
    run.step()
    assert not run.obstacles["tree"]["present"]
    run.set_obstacle("tree", True)
    run.move_obstacle("tree", velocity=(60, 0))
    run.step()
    assert run.obstacles["tree"]["center"] == (81.0, 80.0)
    run.move_obstacle("tree", to=(80, 80), speed=1e6)
    run.step()
    run.move_obstacle("tree")
    run.step()
    assert run.obstacles["tree"]["center"] == (80.0, 80.0)
    run.set_shared("food", 7)
    run.step()
    assert run.shared == {"food": 7.0}
    run.set_cursor((3, 4))
    run.set_cursor(None)
    run.step()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda run: run.push("bird", (1, 0)), "did you mean `birds`"),
        (lambda run: run.set_obstacle("three", True), "did you mean `tree`"),
        (lambda run: run.move_obstacle("three"), "did you mean `tree`"),
        (lambda run: run.move_obstacle("tree", along="x", speed=1), "no path `x`"),
        (lambda run: run.set_input("left", True), "no input `left`"),
        (lambda run: run.set_shared("foot", 1), "did you mean `food`"),
        (lambda run: run.place(99, (0, 0)), "no agent 99"),
        (lambda run: run.public("hunter"), "did you mean `hunger`"),
        (lambda run: run.own("hunter"), "no agent has `hunter`"),
        (lambda run: run.state(99), "no agent 99"),
    ],
)
def test_what_is_not_there_is_named(change: object, message: str) -> None:
    run = birds()
    before = run.hash
    with pytest.raises(fw.Error, match=message):
        change(run)  # type: ignore[operator]
    assert run.hash == before


def test_wrong_arguments_change_nothing() -> None:
    run = birds()
    before = run.hash
    nan = float("nan")
    for wrong in [
        lambda: run.place(0, (nan, 0)),
        lambda: run.place(0, (0, 0), (float("inf"), 0)),
        lambda: run.place(-1, (0, 0)),
        lambda: run.add("birds", [[0, nan]]),
        lambda: run.add("birds", [0, 1]),
        lambda: run.add("birds", [[0, 1, 2]]),
        lambda: run.add("birds", [[0, 1]], [[0, 1], [2, 3]]),
        lambda: run.push("birds", (1e39, 0)),
        lambda: run.spawn("birds", 4_000_000_000),
        lambda: run.set_goals("birds", [[0, 0]], radius=-1),
        lambda: run.scatter((0, 0), radius=0, speed=1),
        lambda: run.set_shared("food", "much"),
        lambda: run.set_behavior("birds", 3),  # type: ignore[arg-type]
        lambda: run.move_obstacle("tree", velocity=(1, 0), speed=1),
        lambda: run.move_obstacle("tree", to=(1, 0)),
        lambda: run.move_obstacle("tree", to=(1, 0), speed=-1),
    ]:
        with pytest.raises((TypeError, ValueError)):
            wrong()
    assert run.hash == before


def test_a_function_steers_beside_scripts() -> None:
    run = birds()
    seen: list[tuple[int, int]] = []

    def hunt(hawk: fw.GroupView) -> NDArray[np.float32]:
        seen.append((hawk.tick, len(hawk.all.positions)))
        assert hawk.ids.tolist() == [20]
        assert hawk.groups.tolist() == [1]
        assert hawk.params == {}
        assert np.isnan(hawk.goals).all()
        way = hawk.all.positions[0] - hawk.positions
        return 40 * way / np.linalg.norm(way)

    run.set_behavior("hawk", hunt)
    run.step(10)
    assert seen == [(tick, 21) for tick in range(10)]
    np.testing.assert_allclose(np.linalg.norm(run.forces[20]), 40, rtol=1e-5)
    other = birds()
    other.step(10)
    assert run.hash != other.hash
    assert run.own("turns").tolist()[:20] == [10.0] * 20
    run.remove(range(20))
    assert np.isnan(run.own("turns")).all(), "those who had it are gone"


@pytest.mark.parametrize("order", ["Synchronous", "Sequential"])
def test_forces_of_a_function_move_as_those_of_scripts(order: str) -> None:
    text = """(ticks: 60, order: ORDER, world: (size: (1000, 1000), edge: Wrap), groups: { "a": (BEHAVIOR
        spawn: Rect(min: (0, 0), max: (1000, 1000)), count: 300,
        body: (radius: 1, max_speed: 50, max_force: 90)) })""".replace("ORDER", order)
    script = fw.loads(
        text.replace("BEHAVIOR", 'behavior: "s",'), scripts={"s": "fn steer(me) { me.vel * -2.0 }"}
    )
    function = fw.loads(text.replace("BEHAVIOR", ""))
    function.set_behavior("a", lambda all: all.velocities * np.float32(-2))
    for run in (script, function):
        run.place(7, (1, 1), (30, 10))
        run.step(20)
    np.testing.assert_array_equal(script.positions, function.positions)
    np.testing.assert_array_equal(script.velocities, function.velocities)


def test_events_come_before_functions_and_newcomers_have_no_force() -> None:
    run = still(2, events='[At(tick: 3, do: Spawn(group: "all", count: 2))]')
    counts: list[int] = []

    def push(all: fw.GroupView) -> NDArray[np.float32]:
        counts.append(len(all.ids))
        return np.ones((len(all.ids), 2), np.float32)

    run.set_behavior("all", push)
    run.step(5)
    assert counts == [2, 2, 2, 4, 4]


def test_an_error_in_a_function_leaves_the_last_whole_tick() -> None:
    run = birds()
    other = birds()

    def stop(hawk: fw.GroupView) -> NDArray[np.float32]:
        if hawk.tick == 7:
            raise KeyError("stop")
        return np.zeros((1, 2), np.float32)

    run.set_behavior("hawk", stop)
    with pytest.raises(KeyError, match="stop"):
        run.step(20)
    assert run.tick == 7
    assert other.tick == 0
    run.set_behavior("hawk", lambda hawk: np.zeros((1, 2)))
    run.step(20)
    assert run.tick == 27


@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (None, r"must be numbers of the shape \(number, 2\), not None"),
        ([[0, 0], [0, 0]], "there are 2, and 1 agents"),
        ([[0, float("nan")]], r"must be finite .*: row 0 is \(0, NaN\)"),
        (np.array([[0, 1e39]]), "must be finite"),
        ([0, 0], "must be numbers of the shape"),
        (np.zeros((1, 3)), r"not an array of the shape \(1, 3\)"),
        ("abc", "must be numbers of the shape"),
    ],
)
def test_wrong_forces_are_refused(answer: object, error: str) -> None:
    run = birds()
    run.set_behavior("hawk", lambda _: answer)  # type: ignore[arg-type, return-value]
    before = run.hash
    with pytest.raises(ValueError, match=error):
        run.step()
    assert run.hash == before
    assert run.tick == 0


def test_a_function_cannot_use_its_own_run_but_others() -> None:
    run, other = birds(), birds()

    def reenter(hawk: fw.GroupView) -> NDArray[np.float32]:
        other.step()
        for use in (run.step, run.snapshot, run.copy, lambda: run.positions, lambda: run.hash):
            with pytest.raises(fw.BusyError):
                use()
        return np.zeros((1, 2), np.float32)

    run.set_behavior("hawk", reenter)
    run.step(3)
    assert other.tick == 3


def test_functions_of_large_groups_may_run_others() -> None:
    """Both use all threads, and neither waits for the other."""
    run = fw.load(ROOT / "scenarios/flock.ron", agents=1000, threads=2)
    other = fw.load(ROOT / "scenarios/flock.ron", agents=1000, threads=2)

    def fly(all: fw.GroupView) -> NDArray[np.float32]:
        other.step()
        return np.zeros((len(all.ids), 2), np.float32)

    run.set_behavior("birds", fly)
    run.step(5)
    assert other.tick == 5


def test_explanations_of_functions_say_so_and_snapshots_bring_them_back() -> None:
    run = birds()
    snapshot = run.snapshot()
    run.set_behavior("hawk", lambda hawk: np.zeros((1, 2)))
    run.step()
    explained = run.explain(20)
    assert explained is not None
    assert "function of Python" in str(explained["error"])
    with pytest.raises(fw.Error, match="function of Python"):
        run.continuation()
    twin = run.copy()
    twin.step()
    run.restore(snapshot)
    run.step()
    plain = birds()
    plain.step()
    assert run.hash == plain.hash, "its script steers again"


@pytest.mark.parametrize("is_restored", [False, True])
def test_copies_and_snapshots_have_forces_of_their_own(is_restored: bool) -> None:
    """Another run with the same functions steps after a group has decided and before the tick goes on."""
    others: list[fw.Run] = []

    def follow(view: fw.GroupView) -> NDArray[np.float32]:
        return view.positions

    def step_others(view: fw.GroupView) -> NDArray[np.float32]:
        while others:
            others.pop().step()
        return np.zeros((len(view.ids), 2), np.float32)

    run = birds()
    run.set_behavior("hawk", follow)
    run.set_behavior("birds", step_others)
    alone, twin = run.copy(), run.copy()
    if is_restored:
        twin.restore(run.snapshot())
    alone.step()
    twin.place(20, (90, 90))
    others.append(twin)
    run.step()
    assert twin.tick == 1
    assert run.hash == alone.hash
