"""Environments for learning: what they observe, do and return, and that they are those of Gymnasium and PettingZoo."""

from __future__ import annotations

import contextlib
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import flockwork as fw
from flockwork import learning
from flockwork.learning import (
    Choices,
    Directions,
    Forces,
    Goal,
    Measure,
    Own,
    Params,
    Question,
    Sectors,
)

gymnasium = pytest.importorskip("gymnasium")

WALKERS = """(
    ticks: 60,
    hz: 10,
    world: (size: (20, 20), edge: Clamp),
    groups: {
        "walker": (
            count: 4,
            spawn: Rect(min: (1, 1), max: (19, 19)),
            velocity: (0.1, 0),
            body: (radius: 0.3, max_speed: 1.5, max_force: 3),
            goals: [(at: (10, 10), radius: 1.5)],
            behavior: "walk",
            params: { "eager": 1.0, "kind": 2 },
        ),
        "other": (behavior: "roam", count: 3, spawn: Rect(min: (1, 1), max: (19, 19)), body: (radius: 0.5, max_speed: 1, max_force: 2)),
    },
)"""
SCRIPTS = {
    "walk": "fn steer(me) { if me.goal == () { return -me.vel; } me.seek(me.goal) * me.params.eager }",
    "roam": "fn steer(me) { me.wander() }",
    "east": "fn steer(me) { vec(1, 0) }",
    "north": "fn steer(me) { vec(0, 1) }",
}
SEES = [
    Own(1.5),
    Goal(10),
    Sectors(6, range=6, speed=1.5),
    Measure("walker.mean_speed"),
    Question("fn steer(me) { me.separation(4) }"),
]


def settings(**more: Any) -> dict[str, Any]:
    usual: dict[str, Any] = {
        "group": "walker",
        "observe": SEES,
        "act": Forces(),
        "reward": learning.total(
            learning.progress(), learning.collision(-0.5, margin=0.2), learning.new_goals(2)
        ),
        "ends": learning.arrived(),
        "scripts": SCRIPTS,
    }
    return usual | more


def env(text: str = WALKERS, **more: Any) -> Any:
    return learning.Env(text, **settings(**more))


def vector(worlds: int, text: str = WALKERS, **more: Any) -> Any:
    return learning.VectorEnv(text, worlds, **settings(**more))


ACTS = [
    Forces(),
    Forces(0.5),
    Directions(5),
    Choices(["east", "north", "fn steer(me) { me.wander() }"]),
    Params({"walker.eager": (0, 2)}),
]


# Conformance.


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("act", ACTS, ids=str)
def test_an_environment_passes_the_check_of_gymnasium(act: learning.Action) -> None:
    from gymnasium.utils.env_checker import check_env

    check_env(env(act=act))
    check_env(env(act=act, agents=None, text=WALKERS.replace("count: 4", "count: 1")))


@pytest.mark.parametrize("act", ACTS[:4], ids=str)
@pytest.mark.parametrize("removes", [False, True])
def test_a_parallel_environment_passes_the_tests_of_pettingzoo(
    act: learning.Action, removes: bool
) -> None:
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import parallel_api_test, parallel_seed_test

    text = (
        WALKERS.replace("radius: 1.5)]", "radius: 5)], after_goals: Remove") if removes else WALKERS
    )

    def make() -> Any:
        return learning.ParallelEnv(text, **settings(act=act))

    parallel_api_test(make(), num_cycles=200)
    parallel_seed_test(make, num_cycles=100)


@pytest.mark.parametrize("mode", ["next", "same"])
@pytest.mark.parametrize(
    "act", [Forces(), Directions(5), Params({"walker.eager": (0, 2)})], ids=str
)
def test_worlds_of_a_vector_environment_are_single_environments(
    mode: str, act: learning.Action
) -> None:
    """Gymnasium's own vector environment of single ones is what it has to be: to the bit, through many episodes."""
    from gymnasium.vector import SyncVectorEnv

    together = vector(5, act=act, autoreset=mode, max_steps=17)
    modes = {
        "next": gymnasium.vector.AutoresetMode.NEXT_STEP,
        "same": gymnasium.vector.AutoresetMode.SAME_STEP,
    }
    alone = SyncVectorEnv([lambda: env(act=act, max_steps=17)] * 5, autoreset_mode=modes[mode])
    assert together.observation_space == alone.observation_space
    assert together.action_space == alone.action_space
    assert together.metadata["autoreset_mode"] == alone.metadata["autoreset_mode"]
    first, others = together.reset(seed=3), alone.reset(seed=3)
    assert np.array_equal(first[0], others[0])
    together.action_space.seed(1)
    over = 0
    for _ in range(60):
        actions = together.action_space.sample()
        ours, theirs = together.step(actions), alone.step(actions)
        for one, other in zip(ours[:4], theirs[:4], strict=True):
            assert one.dtype == other.dtype
            assert np.array_equal(one, other)
        assert together.observation_space.contains(ours[0])
        over += int((ours[2] | ours[3]).sum())
        if "_final_obs" in theirs[4]:
            mask = theirs[4]["_final_obs"]
            assert np.array_equal(ours[4]["_final_obs"], mask)
            for world in np.flatnonzero(mask):
                assert np.array_equal(ours[4]["final_obs"][world], theirs[4]["final_obs"][world])
                assert np.array_equal(
                    ours[4]["final_info"]["rewards"][world],
                    theirs[4]["final_info"]["rewards"][world],
                )
        else:
            assert "final_obs" not in ours[4]
    assert over >= 10


def test_wrappers_of_gymnasium_work() -> None:
    from gymnasium.wrappers.vector import RecordEpisodeStatistics

    wrapped = RecordEpisodeStatistics(vector(3, max_steps=5))
    wrapped.reset(seed=1)
    lengths = []
    for _ in range(14):
        *_, infos = wrapped.step(wrapped.action_space.sample())
        if "episode" in infos:
            lengths += infos["episode"]["l"][infos["_episode"]].tolist()
    assert lengths
    assert set(lengths) == {5}


# Worlds and seeds.


def test_an_episode_is_the_run_with_its_seed() -> None:
    one = env(act=Choices(["walk"]), frame="world")
    for seed in (0, 11):
        one.reset(seed=seed)
        run = fw.loads(WALKERS, scripts=SCRIPTS, seed=seed)
        for _ in range(12):
            assert one.batch.hashes == [run.hash]
            one.step(np.zeros(4, dtype=np.int64))
            run.step()


def test_the_same_seed_gives_the_same_bits_and_episodes_differ() -> None:
    first, second = vector(4), vector(4, threads=2)
    rows = []
    for one in (first, second):
        seen = [one.reset(seed=9)[0]]
        one.action_space.seed(0)
        seen += [one.step(one.action_space.sample())[0] for _ in range(130)]
        rows.append(np.array(seen))
    assert np.array_equal(*rows)
    begins = [first.reset(seed=9)[0], first.reset()[0], first.reset()[0]]
    assert np.array_equal(begins[0], rows[0][0])
    assert not np.array_equal(begins[0], begins[1])
    assert not np.array_equal(begins[1], begins[2])
    assert len({begin[world].tobytes() for begin in begins for world in range(4)}) == 12


def test_worlds_without_a_seed_are_random() -> None:
    assert not np.array_equal(env().reset()[0], env().reset()[0])
    mixed = vector(3)
    mixed.reset(seed=[5, None, 7])
    assert mixed.batch.seeds[[0, 2]].tolist() == [5, 7]


def test_some_worlds_are_reset_by_a_mask() -> None:
    one = vector(3, autoreset="never", max_steps=3)
    one.reset(seed=1)
    for _ in range(2):
        one.step(one.action_space.sample())
    one.reset(options={"reset_mask": np.array([False, True, False])})
    *_, truncated, _ = one.step(one.action_space.sample())
    assert truncated.tolist() == [True, False, True]
    with pytest.raises(gymnasium.error.ResetNeeded, match="reset_mask"):
        one.step(one.action_space.sample())
    one.reset(options={"reset_mask": truncated})
    one.step(one.action_space.sample())
    for wrong in (np.array([1, 0, 0]), np.zeros(3, dtype=bool), np.ones(2, dtype=bool), True):
        with pytest.raises(ValueError, match="reset_mask"):
            one.reset(options={"reset_mask": wrong})


# Observations, against independent arithmetic in float64.


def turned(vector: NDArray[Any], ahead: NDArray[Any]) -> NDArray[Any]:
    return np.array([vector @ ahead, -vector[0] * ahead[1] + vector[1] * ahead[0]])


@pytest.mark.parametrize("frame", ["agent", "world"])
@pytest.mark.parametrize(("edge", "groups"), [("Clamp", None), ("Wrap", None), ("Wrap", ["other"])])
@pytest.mark.parametrize("count", [4, 150])
def test_agents_observe_what_arithmetic_says(
    frame: str, edge: str, groups: list[str] | None, count: int
) -> None:
    text = (
        WALKERS.replace("Clamp", edge)
        .replace("count: 3", f"count: {count}")
        .replace("count: 4", f"count: {count}")
    )
    see = [
        Own(1.5),
        Goal(10),
        Sectors(6, range=6, speed=2, groups=groups),
        Measure("walker.mean_speed"),
    ]
    one = env(text, observe=see, frame=frame)
    one.reset(seed=2)
    for _ in range(5):
        seen = one.step(one.action_space.sample())[0].astype(float)
    run = one.batch[0]
    positions, velocities, headings = (
        np.array(column, dtype=float) for column in (run.positions, run.velocities, run.headings)
    )
    is_seen = np.ones(len(run), dtype=bool) if groups is None else run.is_in("other")
    rows = np.flatnonzero(run.is_in("walker"))
    for agent, row in enumerate(rows.tolist()[:20]):
        ahead = headings[row] if frame == "agent" else np.array([1.0, 0.0])
        expected = [*turned(velocities[row], ahead) / 1.5, *headings[row]]
        to = np.array([10, 10]) - positions[row]
        to = to - 20 * np.round(to / 20) if edge == "Wrap" else to
        expected += [*turned(to, ahead) / np.linalg.norm(to), np.linalg.norm(to) / 10]
        if np.isnan(run.goals[row]).any():
            expected[4:] = [0, 0, 0]
        sectors = np.zeros((6, 4))
        nearest = np.full(6, np.inf)
        for other in range(len(run)):
            offset = positions[other] - positions[row]
            offset = offset - 20 * np.round(offset / 20) if edge == "Wrap" else offset
            distance = np.linalg.norm(offset)
            if other == row or distance > 6 or not is_seen[other]:
                continue
            x, y = turned(offset, ahead)
            sector = int(math.atan2(y, x) % math.tau / math.tau * 6)
            sectors[sector, 1] += 1
            if distance < nearest[sector]:
                nearest[sector] = distance
                sectors[sector, 0] = 1 - distance / 6
                sectors[sector, 2:] = turned(velocities[other] - velocities[row], ahead) / 2
        expected += [*sectors.flatten(), np.linalg.norm(velocities[rows], axis=1).mean()]
        np.testing.assert_allclose(seen[agent], expected, atol=2e-5)


@pytest.mark.parametrize("count", [4, 40, 250])
def test_a_question_is_what_a_behavior_would_decide_on(count: int) -> None:
    # It depends on the tick, on params, on neighbors, on what the agent knows and on chance.
    question = "fn steer(me) { me.separation(4.0) + vec(me.params.eager, world.tick) + me.state.drawn * me.random() }"
    walk = "fn init(me) { me.state.drawn = vec(0, me.random()); } fn steer(me) { vec(0.5, 0) }"
    one = env(
        WALKERS.replace("count: 4", f"count: {count}"),
        observe=[Question(question)],
        frame="world",
        act=Choices(["walk"]),
        scripts=SCRIPTS | {"walk": walk},
    )
    one.reset(seed=4)
    for _ in range(3):
        seen = one.step(np.zeros(count, dtype=np.int64))[0]
        run = one.batch[0]
        # The same world, in which the question is what steers.
        steered = run.continuation(run.tick + 1).replace('behavior: "walk"', 'behavior: "question"')
        asked = fw.loads(steered, scripts=SCRIPTS | {"question": question})
        asked.step()
        assert np.array_equal(seen, asked.forces[:count])


def test_questions_change_nothing() -> None:
    hashes = []
    for see in (Own(), Question("fn steer(me) { me.state.n = 1; me.leave(); me.wander() }")):
        one = env(observe=[see])
        one.reset(seed=4)
        one.action_space.seed(3)
        for _ in range(10):
            one.step(one.action_space.sample())
        hashes.append(one.batch.hashes)
    assert hashes[0] == hashes[1]


def test_a_question_by_name_and_its_errors() -> None:
    named, text = (
        env(observe=[Question(script)], frame="world") for script in ("east", SCRIPTS["east"])
    )
    assert named.reset(seed=1)[0].tolist() == text.reset(seed=1)[0].tolist() == [[1, 0]] * 4
    with pytest.raises(fw.Error, match="did you mean `east`"):
        env(observe=[Question("est")])
    with pytest.raises(fw.Error) as error:
        env(observe=[Question("fn steer(me) {\n    me.wandr() }")])
    assert error.value.line == 2
    failing = env(observe=[Question("fn steer(me) { me.params.nothing }")])
    with pytest.raises(fw.ScriptError, match="nothing"):
        failing.reset(seed=1)


# Actions.


def test_forces_are_in_the_frame_of_agents_and_cut_to_the_limit() -> None:
    for frame in ("agent", "world"):
        one = env(act=Forces(2.0), frame=frame)
        one.reset(seed=1)
        headings = one.batch.headings[0, :4]
        one.step(np.array([[1, 0], [0, 1], [5, 0], [-0.5, -0.25]], dtype=np.float32))
        forces = one.batch.column("forces")[0, :4]
        share = np.array([[1, 0], [0, 1], [1, 0], [-0.5, -0.25]])
        left = np.stack([-headings[:, 1], headings[:, 0]], axis=1)
        expected = headings * share[:, :1] + left * share[:, 1:] if frame == "agent" else share
        np.testing.assert_allclose(forces, 2 * expected, atol=1e-6)
    one = env()
    one.reset(seed=1)
    one.step(np.ones((4, 2)))
    assert np.linalg.norm(one.batch.column("forces")[0, :4], axis=1) == pytest.approx(
        [3 * math.sqrt(2)] * 4
    )


def test_directions_are_forces_on_a_circle() -> None:
    one = env(act=Directions(4, limit=2), frame="world")
    one.reset(seed=1)
    one.step(np.array([0, 1, 2, 4]))
    np.testing.assert_allclose(
        one.batch.column("forces")[0, :4], [[0, 0], [2, 0], [0, 2], [0, -2]], atol=1e-6
    )


def test_agents_choose_among_scripts() -> None:
    one = env(act=Choices(["east", "north", SCRIPTS["walk"]]))
    one.reset(seed=1)
    run = one.batch[0]
    one.step(np.array([0, 1, 2, 0]))
    run = fw.loads(WALKERS, scripts=SCRIPTS, seed=1)
    run.step()
    forces = one.batch.column("forces")[0]
    assert forces[[0, 1, 3]].tolist() == [[1, 0], [0, 1], [1, 0]]
    assert np.array_equal(forces[2], run.forces[2])
    # The other group does what it does alone.
    assert np.array_equal(forces[4:], run.forces[4:])


def test_params_are_actions() -> None:
    one = env(act=Params({"walker.eager": (0, 2), "walker.kind": (0, 9)}))
    assert one.action_space.shape == (2,)
    one.reset(seed=1)
    one.step(np.array([1.5, 6.6]))
    assert one.batch[0].params["walker"] == {"eager": 1.5, "kind": 7}
    one.step(np.array([-1, 3]))
    assert one.batch[0].params["walker"]["eager"] == 0
    run = fw.loads(WALKERS, scripts=SCRIPTS, params={"walker.eager": 1.5}, seed=1)
    run.step()
    one.reset(seed=1)
    one.step(np.array([1.5, 2]))
    assert np.array_equal(one.batch[0].positions, run.positions)


def test_agents_that_have_ended_get_no_force() -> None:
    # All agents have ended after the first step, but one.
    ends = lambda view: np.arange(4)[np.newaxis, :] > 0  # noqa: E731
    one = env(ends=ends)
    one.reset(seed=1)
    _, _, terminated, _, info = one.step(np.ones((4, 2)))
    assert not terminated
    assert info["active"].tolist() == [True, False, False, False]
    *_, info = one.step(np.ones((4, 2)))
    forces = one.batch.column("forces")[0, :4]
    assert (forces[0] != 0).any()
    assert (forces[1:] == 0).all()
    assert (info["rewards"][1:] == 0).all()


# Rewards and ends.


def test_progress_sums_up_to_the_way_and_goals_count_once() -> None:
    text = WALKERS.replace("radius: 1.5)]", "radius: 1.5)], after_goals: Remove")
    for scenario in (WALKERS, text):
        one = env(
            scenario, act=Choices(["walk"]), reward=learning.progress(), ends=None, max_steps=300
        )
        goals = env(
            scenario,
            act=Choices(["walk"]),
            reward=learning.new_goals(3),
            ends=learning.arrived(),
            max_steps=300,
        )
        one.reset(seed=3)
        goals.reset(seed=3)
        start = np.linalg.norm(one.batch.positions[0, :4] - 10, axis=1)
        ways, counts, left = np.zeros(4), np.zeros(4), 4
        for _ in range(300):
            *_, truncated, info = one.step(np.zeros(4, dtype=np.int64))
            ways += info["rewards"]
            if left:
                _, _, terminated, _, info = goals.step(np.zeros(4, dtype=np.int64))
                counts += info["rewards"]
                left = int(info["active"].sum())
                assert terminated == (left == 0)
            if truncated:
                break
        assert counts.tolist() == [3, 3, 3, 3]
        assert left == 0
        np.testing.assert_allclose(ways, start, atol=1e-4)


def test_gaps_are_distances_between_bodies() -> None:
    text = WALKERS.replace(
        "ticks: 60,", 'ticks: 60, obstacles: { "pillar": Circle(center: (10, 4), radius: 2) },'
    )
    seen: list[NDArray[Any]] = []

    def reward(view: learning.View) -> NDArray[Any]:
        seen.append(view.gap.copy())
        return view.gap < 0.5

    one = env(text, reward=reward)
    one.reset(seed=6)
    _, total, *_ = one.step(np.zeros((4, 2)))
    run = one.batch[0]
    radii = np.array([0.3] * 4 + [0.5] * 3)
    distances = (
        np.linalg.norm(run.positions[:, np.newaxis] - run.positions, axis=2)
        - radii
        - radii[:, np.newaxis]
    )
    distances[np.diag_indices(len(run))] = np.inf
    pillar = np.linalg.norm(run.positions - np.array([10, 4]), axis=1) - 2 - radii
    expected = np.minimum(distances.min(axis=1), pillar)[:4]
    np.testing.assert_allclose(seen[-1][0], expected, atol=1e-5)
    assert total == (expected < 0.5).sum()


def test_views_have_arrays_of_what_happened() -> None:
    checked: list[int] = []

    def reward(view: learning.View) -> NDArray[Any]:
        if view.actions.size:
            assert np.array_equal(view.positions, view.batch.positions[:, :4])
            assert np.array_equal(view.velocities, view.batch.velocities[:, :4])
            assert np.array_equal(view.headings, view.batch.headings[:, :4])
            assert np.array_equal(view.goals, view.batch.column("goals")[:, :4], equal_nan=True)
            assert (
                view.measure("polarization").tolist() == view.batch.measure("polarization").tolist()
            )
            assert view.observations.shape == (2, 4, 34)
            assert view.there.all()
            assert view.active.all()
            checked.append(int(view.steps[0]))
        return view.steps

    one = vector(2, reward=reward, ends=None)
    one.reset(seed=1)
    for number in range(1, 4):
        rewards = one.step(one.action_space.sample())[1]
        assert rewards.tolist() == [4 * number] * 2
    assert checked == [1, 2, 3]


def test_an_agent_that_leaves_has_ended() -> None:
    text = WALKERS.replace(
        "ticks: 60,", 'ticks: 60, events: [At(tick: 4, do: Remove(group: "walker", count: 2))],'
    )
    pytest.importorskip("pettingzoo")
    one = learning.ParallelEnv(text, **settings(ends=None))
    one.reset(seed=1)
    for number in range(6):
        before = list(one.agents)
        observed, _, terminated, _, _ = one.step({name: np.zeros(2) for name in one.agents})
        assert list(observed) == before
        gone = [name for name, has in terminated.items() if has]
        if number == 4:
            assert gone == ["walker_0", "walker_1"]
            assert (observed["walker_0"] == 0).all()
            assert one.agents == ["walker_2", "walker_3"]
        else:
            assert gone == []


def test_measures_of_all_ticks_are_recorded() -> None:
    one = env(observe=[Measure("path_length"), Measure("mean_speed")], record=["path_length"])
    one.reset(seed=1)
    for _ in range(20):
        seen = one.step(one.action_space.sample())[0]
    run = one.batch[0]
    expected = [np.float32(run.measure(name)) for name in ("path_length", "mean_speed")]
    assert seen.tolist() == [expected] * 4
    assert expected[0] > 0
    one.reset(seed=1)
    assert one.batch[0].measure("path_length") == 0
    with pytest.raises(fw.Error, match="needs all ticks"):
        env(observe=[Measure("path_length")])


def test_a_scenario_is_read_from_a_file() -> None:
    path = Path(__file__).parents[2] / "scenarios" / "corner.ron"
    more = {
        "group": "people",
        "act": Choices(["walk_around"]),
        "scripts": None,
        "observe": SEES[:3],
    }
    one = learning.VectorEnv(path, 2, **settings(**more))
    one.reset(seed=3)
    for _ in range(5):
        one.step(np.zeros((2, 20), dtype=np.int64))
    for world, seed in enumerate([3, 4]):
        run = fw.load(path, seed=seed)
        run.step(5)
        assert one.batch.hashes[world] == run.hash
    assert one.batch.name == run.name


def test_some_ticks_make_a_step() -> None:
    three, one = env(ticks=3, frame="world"), env(frame="world")
    three.reset(seed=1)
    one.reset(seed=1)
    actions = np.full((4, 2), 0.5)
    seen = three.step(actions)[0]
    steps = [one.step(actions)[0] for _ in range(3)]
    assert three.batch.tick == 3
    assert three.batch.hashes == one.batch.hashes
    assert np.array_equal(seen, steps[-1])
    assert three._core.max_steps == 20


# Mistakes.


@pytest.mark.parametrize(
    ("more", "error", "words"),
    [
        ({"group": "walkr"}, fw.Error, "did you mean `walker`"),
        ({"observe": []}, ValueError, "observe something"),
        ({"observe": [3]}, TypeError, "an observation is"),
        ({"observe": [Own(0)]}, ValueError, "`speed` must be above 0"),
        ({"observe": [Sectors(0, range=1)]}, ValueError, "1 to 360 sectors"),
        ({"observe": [Sectors(4, range=float("nan"))]}, ValueError, "`range`"),
        ({"observe": [Sectors(4, range=1, groups=["othr"])]}, fw.Error, "did you mean `other`"),
        ({"observe": [Measure("polarity")]}, fw.Error, "no measure"),
        ({"act": Choices([])}, ValueError, "at least one script"),
        ({"act": Choices(["est"])}, fw.Error, "did you mean `east`"),
        ({"act": Params({"walker.eagr": (0, 1)})}, fw.Error, "did you mean `eager`"),
        ({"act": Params({"eager": (0, 1)})}, ValueError, "group.param"),
        ({"act": Params({"walker.eager": (1, 0)})}, ValueError, "lower one first"),
        ({"act": Forces(-1)}, ValueError, "limit"),
        ({"act": Directions(0)}, ValueError, "one direction"),
        ({"frame": "body"}, ValueError, "frame"),
        ({"ticks": 0}, ValueError, "at least 1"),
        ({"params": {"walker.eagr": 1}}, fw.Error, "eager"),
    ],
)
def test_mistakes_are_explained(more: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        env(**more)


def test_wrong_rewards_and_actions_are_explained() -> None:
    with pytest.raises(
        ValueError, match=r"a reward must have the shape \(worlds, agents\) = \(1, 4\)"
    ):
        env(reward=lambda view: np.zeros(3)).reset()
    with pytest.raises(ValueError, match="an end must have"):
        env(ends=lambda view: np.zeros((4, 4))).reset()
    one = env()
    with pytest.raises(gymnasium.error.ResetNeeded):
        one.step(np.zeros((4, 2)))
    one.reset(seed=1)
    with pytest.raises(ValueError, match="actions must have the shape"):
        one.step(np.zeros(3))
    with pytest.raises(ValueError, match="finite"):
        one.step(np.full((4, 2), np.nan))
    for act in (Directions(3), Choices(["east"])):
        chooser = env(act=act)
        chooser.reset(seed=1)
        for wrong in (-1, 4):
            with pytest.raises(ValueError, match="from 0"):
                chooser.step(np.full(4, wrong))
    pytest.importorskip("pettingzoo")
    with pytest.raises(TypeError, match="use `Env`"):
        learning.ParallelEnv(WALKERS, **settings(act=ACTS[4]))


def test_a_script_that_fails_is_an_error() -> None:
    scripts = SCRIPTS | {
        "roam": "fn steer(me) { if world.tick == 2 { let a = []; a[3] } me.wander() }"
    }
    one = env(scripts=scripts)
    one.reset(seed=1)
    one.step(one.action_space.sample())
    one.step(one.action_space.sample())
    with pytest.raises(fw.ScriptError, match="roam"):
        one.step(one.action_space.sample())
    one.reset(seed=1)
    one.step(one.action_space.sample())


def test_nothing_that_is_given_to_the_engine_can_crash_it() -> None:
    """Wrong shapes, types, orders and numbers are errors of Python, and the worlds go on."""
    hypothesis = pytest.importorskip("hypothesis")
    from hypothesis import strategies
    from hypothesis.extra import numpy as arrays

    numbers = (
        strategies.integers(-3, 2**65)
        | strategies.floats()
        | strategies.none()
        | strategies.text(max_size=3)
    )
    shapes = (
        arrays.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=5)
        | strategies.just((2, 4, 2))
        | strategies.just((2, 4))
    )
    kinds = strategies.sampled_from([np.float32, np.float64, np.int64, np.bool_, np.uint32, object])
    array = strategies.builds(
        lambda shape, kind, order: np.zeros(shape, dtype=kind, order=order),
        shapes,
        kinds,
        strategies.sampled_from("CF"),
    )
    things = numbers | array | strategies.lists(numbers, max_size=4)
    one = vector(2)
    one.reset(seed=1)
    learner = one._core.learner
    methods = {
        "ids": 1,
        "restart": 2,
        "give_forces": 2,
        "give_choices": 1,
        "give_params": 2,
        "observe": 1,
        "read_episode": 2,
        "column": 2,
        "distances": 1,
    }

    @hypothesis.settings(max_examples=300, deadline=None)
    @hypothesis.given(strategies.data())
    def try_out(data: Any) -> None:
        name = data.draw(strategies.sampled_from(sorted(methods)))
        arguments = [data.draw(things) for _ in range(methods[name])]
        with contextlib.suppress(TypeError, ValueError, OverflowError, IndexError, fw.Error):
            getattr(learner, name)(*arguments)
        one.step(one.action_space.sample())

    try_out()
