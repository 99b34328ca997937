"""Sweeps, tunes and hunts: the same as those of the program."""

from __future__ import annotations

import csv
import json
import math
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import flockwork as fw
from flockwork._plan import plan_text
from flockwork._sweep import _student_t

ROOT = Path(__file__).parents[3]
SCENARIOS = ROOT / "scenarios"
PROGRAM = ROOT / "target/release/flockwork"
BOIDS = SCENARIOS / "boids_three_rules.ron"
CENTER = "groups.birds.params.center"

needs_program = pytest.mark.skipif(
    not PROGRAM.exists(), reason="the program is not built: cargo build --release"
)

PASSERS = """(
    seed: 3, ticks: 600, world: (size: (160, 90)),
    groups: {
        "east": (
            behavior: "passer", count: 3, spawn: Rect(min: (5, 10), max: (35, 80)), velocity: (10, 0),
            body: (radius: 1.5, max_speed: 20, max_force: 60), goals: [(at: (150, 45), radius: 5)], after_goals: Remove,
        ),
        "west": (
            behavior: "passer", count: 3, spawn: Rect(min: (125, 10), max: (155, 80)), velocity: (-10, 0),
            body: (radius: 1.5, max_speed: 20, max_force: 60), goals: [(at: (10, 45), radius: 5)], after_goals: Remove,
        ),
    },
    expect: [NoOverlap()],
)
"""
PASSER = """fn steer(me) {
    let force = me.seek(me.goal);
    let other = me.neighbors(12).nearest;
    if other != () && me.heading.cross(me.to(other)) > 0 {
        force += me.flee(other);
    }
    force
}
"""


def project(folder: Path) -> Path:
    (folder / "scenarios").mkdir()
    (folder / "scripts").mkdir()
    (folder / "scripts/passer.rhai").write_text(PASSER)
    (folder / "scenarios/passers.ron").write_text(PASSERS)
    return folder / "scenarios/passers.ron"


def program(*arguments: object, code: int = 0) -> str:
    done = subprocess.run(
        [PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stderr
    return done.stdout


def cells(table: fw.Table, name: str) -> list[str]:
    """Return a column as the program writes it."""
    cells = []
    for cell in table[name].tolist():
        if cell is None or (isinstance(cell, float) and math.isnan(cell)):
            cells.append("")
        elif isinstance(cell, bool):
            cells.append("true" if cell else "false")
        else:
            cells.append(str(cell))
    return cells


def assert_rows(table: fw.Table, path: Path) -> None:
    with open(path, newline="") as file:
        header, *rows = csv.reader(file)
    assert list(table) == header
    assert table.rows == len(rows)
    for index, name in enumerate(header):
        for found, row in zip(cells(table, name), rows, strict=True):
            wanted = row[index]
            if found != wanted:
                # 60 and 60.0, and numbers with an exponent; strings without quotes.
                assert wanted == f'"{found}"' or float(found) == float(wanted), (
                    name,
                    found,
                    wanted,
                )


@needs_program
@pytest.mark.parametrize("every", [None, 300])
def test_a_sweep_is_the_table_of_the_program(tmp_path: Path, every: int | None) -> None:
    plan = SCENARIOS / "night_watch.plan.ron"
    if every is None:
        table = fw.sweep(plan)
    else:
        text = plan.read_text().replace(
            "seeds: 5,", f"seeds: [7, 18446744073709551615], sweep: (every: {every}),"
        )
        text = text.replace("night_watch.ron", (SCENARIOS / "night_watch.ron").as_posix())
        plan = tmp_path / "watch.plan.ron"
        plan.write_text(text)
        table = fw.sweep(plan)
    program("sweep", plan, "--out", tmp_path / "out")
    assert_rows(table, tmp_path / "out/runs.csv")
    assert (table.series is None) == (every is None)
    if table.series is not None:
        assert_rows(table.series, tmp_path / "out/series.csv")
        assert table["seed"].dtype == np.uint64
    table.save(tmp_path / "saved.csv")
    assert_rows(table, tmp_path / "saved.csv")


@needs_program
def test_arguments_say_the_same_as_a_plan(tmp_path: Path) -> None:
    plan = f"""(
        scenario: "{BOIDS.as_posix()}",
        vary: {{
            "{CENTER}": Range(from: 0.1, to: 10, steps: 3, log: true),
            "groups.birds.count": Integers(from: 5, to: 9, step: 4),
            "order": List([Sequential, Synchronous]),
            "groups.birds.spawn": List([Ring(center: (400, 300), radius: 50)]),
        }},
        seeds: [3, 5], ticks: 90, record: ["polarization", "spread"], expectations: Holds,
        sweep: (points: Sobol(points: 8, seed: 4)),
    )"""
    (tmp_path / "one.plan.ron").write_text(plan)
    program("sweep", tmp_path / "one.plan.ron", "--out", tmp_path / "out")
    vary = {
        CENTER: fw.Range(0.1, 10, steps=3, log=True),
        "groups.birds.count": range(5, 10, 4),
        "order": [fw.Ron("Sequential"), fw.Ron("Synchronous")],
        "groups.birds.spawn": [fw.Ron("Ring(center: (400, 300), radius: 50)")],
    }
    arguments = {
        "seeds": [3, 5],
        "ticks": 90,
        "record": ["polarization", "spread"],
        "expectations": "holds",
        "points": fw.Sobol(8, seed=4),
    }
    for table in (
        fw.sweep(BOIDS, vary=vary, **arguments),
        fw.sweep({"scenario": BOIDS, "vary": vary, **arguments}, threads=1),
        fw.sweep({"scenario": BOIDS, **arguments}, vary=vary, threads=2),
    ):
        assert_rows(table, tmp_path / "out/runs.csv")
    assert table.varied == list(vary)
    assert table.measures == ["polarization", "spread"]
    assert table.units["spread"] == "world units"


def test_a_run_of_a_sweep_can_run_alone() -> None:
    table = fw.sweep(BOIDS, vary={CENTER: [0.5, 1.5]}, seeds=2, ticks=120, record=["spread"])
    scripts = {"boids_three_rules": (ROOT / "scripts/boids_three_rules.rhai").read_text()}
    for number in range(4):
        run = fw.loads(table.scenario(number), scripts=scripts)
        run.run()
        assert run.hash == table["state_hash"][number]
        assert run.measure("spread") == table["spread"][number]
    with pytest.raises(ValueError, match="no run 4"):
        table.scenario(4)


def test_files_are_found_in_an_empty_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The folder of the scenario is there, and that of the scripts is not; a folder above has other scripts.
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts/passer.rhai").write_text("this is no script")
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    files = {"passers.ron": PASSERS, "scripts/passer.rhai": PASSER}
    table = fw.sweep("passers.ron", seeds=2, ticks=10, files=files)
    assert table["error"].tolist() == [None, None]
    run = fw.load("passers.ron", files=files)
    run.step(10)
    assert run.hash == table["state_hash"][0]


def test_files_take_the_place_of_those_on_disk() -> None:
    files = {"nowhere/scenarios/passers.ron": PASSERS, "nowhere/scripts/passer.rhai": PASSER}
    table = fw.sweep(
        "nowhere/scenarios/passers.ron", vary={"groups.east.count": [1, 2]}, ticks=10, files=files
    )
    assert table["agents"].tolist() == [4, 5]


def test_strings_are_values_without_quotes() -> None:
    files = {
        "n/scenarios/passers.ron": PASSERS,
        "n/scripts/passer.rhai": PASSER,
        "n/scripts/idle.rhai": "fn steer(me) { () }",
    }
    vary = {"groups.east.behavior": ["passer", "idle"]}
    table = fw.sweep("n/scenarios/passers.ron", vary=vary, ticks=30, files=files)
    assert table["groups.east.behavior"].tolist() == ["passer", "idle"]
    assert table["state_hash"][0] != table["state_hash"][1]


def test_an_error_of_a_run_is_in_its_row() -> None:
    script = 'fn steer(me) {\n    if world.tick > me.params.limit { throw "enough" }\n    me.wander()\n}\n'
    scenario = PASSERS.replace(
        'behavior: "passer",', 'behavior: "passer", params: { "limit": 100 },'
    )
    files = {"a/scenarios/b.ron": scenario, "a/scripts/passer.rhai": script}
    table = fw.sweep(
        "a/scenarios/b.ron",
        vary={"groups.east.params.limit": [3, 100]},
        ticks=20,
        seeds=2,
        files=files,
    )
    assert [error is None for error in table["error"]] == [False, False, True, True]
    assert "passer.rhai:2" in table["error"][0]
    assert table["state_hash"][0] is None
    assert table["holds.1.NoOverlap"][0] is None
    assert np.isnan(table["tick"][0])
    assert np.isnan(table["mean_speed"][1])
    summary = table.summary()
    assert summary["runs"].tolist() == [0, 2]
    assert np.isnan(summary["mean_speed"][0])
    assert not np.isnan(summary["mean_speed.low"][1])


def test_the_mean_has_the_interval_of_student() -> None:
    # Tables of the t distribution, two-sided.
    for level, degrees, wanted in [
        (0.95, 1, 12.7062),
        (0.95, 2, 4.30265),
        (0.95, 9, 2.26216),
        (0.95, 30, 2.04227),
        (0.99, 5, 4.03214),
        (0.9, 120, 1.65765),
        (0.99, 201, 2.600510),
        (0.95, 1000, 1.96234),
    ]:
        assert _student_t(level, degrees) == pytest.approx(wanted, abs=6e-6), degrees
    table = fw.sweep(
        BOIDS, vary={CENTER: [0.5, 1.5]}, seeds=5, ticks=60, every=20, record=["spread"]
    )
    for summary, spreads in [
        (table.summary(), table["spread"].reshape(2, 5)),
        (
            table.summary(over_time=True),
            table.series["spread"].reshape(2, 5, 4).transpose(0, 2, 1).reshape(8, 5),
        ),
    ]:
        half = 2.776445 * spreads.std(axis=1, ddof=1) / math.sqrt(5)
        mean = spreads.mean(axis=1)
        np.testing.assert_allclose(summary["spread"], mean, rtol=1e-12)
        np.testing.assert_allclose(summary["spread.low"], mean - half, rtol=1e-5)
        np.testing.assert_allclose(summary["spread.high"], mean + half, rtol=1e-5)
        assert summary.units["spread.low"] == "world units"
    assert summary["tick"].tolist() == [0, 20, 40, 60] * 2
    assert table.summary()[CENTER].tolist() == [0.5, 1.5]


def test_the_share_has_the_interval_of_wilson() -> None:
    table = fw.sweep(SCENARIOS / "night_watch.plan.ron").summary()
    share, low, high = (table["holds.1.Reach" + end] for end in ("", ".low", ".high"))
    for n, wanted in [(0.0, (0.0, 0.434482)), (0.2, (0.036224, 0.624466)), (1.0, (0.565518, 1.0))]:
        for index in np.flatnonzero(share == n):
            assert (low[index], high[index]) == pytest.approx(wanted, abs=1e-5)
    assert {0.0, 0.2, 1.0} & set(share.tolist())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            {"vary": {"groups.birds.params.centre": [1, 2]}},
            ["no `centre`", "did you mean `center`", "arguments.plan.ron"],
        ),
        ({"vary": {CENTER: fw.Range(0, 3)}}, ["a grid needs single values"]),
        ({"vary": {CENTER: fw.Range(3, 3)}}, ["the range is empty"]),
        ({"vary": {CENTER: []}}, ["the list is empty"]),
        ({"vary": {CENTER: [1, "a"]}}, ["values of one type"]),
        ({"vary": {CENTER: [1]}, "record": ["polarisation"]}, ["polarization"]),
        ({"vary": {"seed": [1]}}, ["the seed is not a value that varies"]),
        ({"seeds": 0}, ["at least 1"]),
        ({"ticks": -1}, ["arguments.plan.ron"]),
    ],
)
def test_mistakes_are_found_where_they_are(arguments: dict, words: list[str]) -> None:
    with pytest.raises(fw.Error) as caught:
        fw.sweep(BOIDS, **arguments)
    for word in words:
        assert word in str(caught.value)
    assert caught.value.line is not None


def test_wrong_arguments_are_errors_of_python() -> None:
    with pytest.raises(TypeError, match="a tuple is one value"):
        fw.sweep(BOIDS, vary={CENTER: (0, 3)})
    with pytest.raises(ValueError, match="finite"):
        fw.sweep(BOIDS, vary={CENTER: [math.nan]})
    with pytest.raises(TypeError, match="says everything"):
        fw.sweep(SCENARIOS / "night_watch.plan.ron", seeds=3)
    with pytest.raises(TypeError, match="no `sed`"):
        fw.sweep({"scenario": BOIDS, "sed": 3})
    with pytest.raises(TypeError, match="is a list of names"):
        fw.sweep(BOIDS, record="polarization")
    with pytest.raises(ValueError, match="more than 10"):
        fw.sweep(BOIDS, seeds=11, limit=10)
    with pytest.raises(ValueError, match="`threads` must be from 0 to 1024"):
        fw.sweep(BOIDS, threads=100_000_000)
    with pytest.raises(ValueError, match="'margins', 'holds', 'ignore'"):
        fw.sweep(BOIDS, expectations="all")
    with pytest.raises(fw.Error, match=r"there is no file nowhere\.ron"):
        fw.sweep("nowhere.ron")


def test_values_are_written_as_in_scenarios() -> None:
    vary = {
        "a": ['say "x\\"'],
        "b": np.float32([0.5, 1]),
        "c": np.array([[1, 2], [3, 4]]),
        "d": True,
        "e": [(1, 2.5)],
    }
    text = plan_text({"scenario": "s.ron", "vary": vary})
    assert r'"a": List(["say \"x\\\""])' in text
    assert '"b": List([0.5, 1.0])' in text
    assert '"c": List([(1, 2), (3, 4)])' in text
    assert '"d": List([true])' in text
    assert '"e": List([(1, 2.5)])' in text


def test_progress_is_told_and_may_fail() -> None:
    told = []
    fw.sweep(BOIDS, seeds=40, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (40, 40)
    assert told == sorted(told)

    def fail(done: int, total: int) -> None:
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        fw.sweep(BOIDS, seeds=40, progress=fail)


def test_a_bar_of_tqdm_is_closed(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("tqdm")
    fw.sweep(BOIDS, seeds=10, ticks=20, progress=True)
    assert "10/10" in capsys.readouterr().err


LONG = f"""
import sys, flockwork as fw
print("begins", flush=True)
fw.sweep({str(BOIDS)!r}, vary={{{CENTER!r}: fw.Range(0, 3, steps=100)}}, seeds=100, ticks=100_000)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_interrupts_a_sweep() -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", LONG], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    child.stdout.readline()
    time.sleep(0.7)
    sent = time.monotonic()
    child.send_signal(signal.SIGINT)
    try:
        _, error = child.communicate(timeout=30)
    finally:
        child.kill()
    assert "KeyboardInterrupt" in error
    assert time.monotonic() - sent < 5


def test_other_threads_run_meanwhile() -> None:
    import threading

    ticks: list[int] = []
    is_done = threading.Event()

    def count() -> None:
        while not is_done.is_set():
            ticks.append(1)
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    fw.sweep(BOIDS, seeds=200)
    is_done.set()
    thread.join()
    assert len(ticks) > 10


@needs_program
def test_a_tune_finds_what_the_program_finds(tmp_path: Path) -> None:
    plan = SCENARIOS / "boids_three_rules.plan.ron"
    tuned = fw.tune(plan, threads=1)
    wanted = json.loads(program("tune", plan, "--json", "--out", tmp_path))
    [best], [found] = tuned.found, wanted["found"]
    assert [repr(value) for value in best.values.values()] == found["values"]
    assert list(best.goals.values()) == found["goals"]
    [of], [told] = best.confirmation, found["confirmation"]
    assert (of.now, of.found, list(of.gain or ()), of.verdict) == (
        told["now"],
        told["found"],
        told["gain"],
        told["verdict"],
    )
    assert of.verdict == "better"
    assert tuned.best is best
    for sides, told_sides in zip(best.sensitivity.values(), found["sensitivity"], strict=True):
        for side, told_side in zip(sides, told_sides, strict=True):
            assert side is not None
            assert side.goal == told_side["goal"]
    assert (tuned.runs, tuned.end, tuned.seeds) == (wanted["runs"], wanted["end"], wanted["seeds"])
    assert_rows(tuned.history, tmp_path / "evaluations.csv")
    run = fw.loads(
        best.scenario,
        scripts={"boids_three_rules": (ROOT / "scripts/boids_three_rules.rhai").read_text()},
    )
    assert {
        f"groups.birds.params.{name}": value for name, value in run.params["birds"].items()
    } == best.values


def test_a_tune_matches_a_series_and_keeps_constraints() -> None:
    seen = "tick,polarization,spread\n10,0.9,50\n30,,48\n60,1,45\n"
    arguments: dict[str, Any] = {
        "vary": {CENTER: fw.Range(0.1, 3)},
        "ticks": 60,
        "seeds": 2,
        "budget": 30,
        "confirm": 4,
        "files": {"seen.csv": seen},
    }
    where = [fw.AtMost("spread@0..60", 1000), fw.AtLeast("polarization", 0), fw.Holds()]
    tuned = fw.tune(BOIDS, goals=fw.MatchSeries("seen.csv"), where=where, **arguments)
    assert tuned.goals == ["match the series of seen.csv"]
    best = tuned.best
    assert best is not None
    assert best.violations == 0 or best.confirmation[0].verdict == "violates"
    ends = best.intervals[CENTER]
    assert ends is not None
    low, high = ends
    assert 0.1 <= low <= best.values[CENTER] <= high <= 3
    assert tuned.history["violations"].sum() >= 0

    goals = fw.Sum([(2, fw.Maximize("polarization@60")), (1, fw.Match({"spread": 45}))])
    tuned = fw.tune(BOIDS, goals=goals, **arguments)
    assert tuned.goals == ["2 * (maximize polarization@60) + 1 * (match spread 45)"]
    assert tuned.found[0].intervals == {}


@pytest.mark.parametrize(
    ("points", "written", "count"),
    [
        (fw.Halton(6, seed=2), "Halton(points: 6, seed: 2)", 6),
        (fw.Random(5), "Random(points: 5)", 5),
        (fw.Saltelli(4, seed=1), "Saltelli(bases: 4, seed: 1)", 16),
        (fw.Morris(3, levels=6), "Morris(ways: 3, levels: 6)", 9),
    ],
)
def test_all_points_and_distributions_are_those_of_a_plan(
    tmp_path: Path, points: Any, written: str, count: int
) -> None:
    plan = f"""(
        scenario: "{BOIDS.as_posix()}",
        vary: {{
            "{CENTER}": Normal(mean: 1.0, deviation: 0.2, within: (0.5, 2)),
            "birds.avoid": LogNormal(median: 0.8, spread: 1.5),
        }},
        ticks: 5, record: ["spread"], expectations: Ignore, sweep: (points: {written}),
    )"""
    (tmp_path / "one.plan.ron").write_text(plan)
    vary = {
        CENTER: fw.Normal(1.0, 0.2, within=(0.5, 2)),
        "birds.avoid": fw.LogNormal(0.8, 1.5),
    }
    table = fw.sweep(
        BOIDS, vary=vary, ticks=5, record=["spread"], expectations="ignore", points=points
    )
    wanted = fw.sweep(tmp_path / "one.plan.ron")
    assert table.rows == count
    for name in wanted:
        np.testing.assert_array_equal(table[name], wanted[name])


def test_a_tune_from_arguments_is_that_of_a_plan() -> None:
    arguments = {
        "vary": {
            CENTER: fw.Range(0.1, 3),
            "groups.birds.params.avoid": fw.Range(0.01, 1, log=True),
            "groups.birds.params.average": fw.Range(0, 1),
        },
        "seeds": 4,
        "goals": fw.Match({"polarization": 1, "closest_pair": 30, "spread": 50}),
        "budget": 300,
    }
    told = []
    tuned = fw.tune(BOIDS, **arguments, progress=lambda *now: told.append(now))
    plan = fw.tune(SCENARIOS / "boids_three_rules.plan.ron")
    assert tuned.found == plan.found
    assert told[-1] == (tuned.runs, tuned.runs)
    other = fw.tune(BOIDS, **arguments, search_seed=1, confirm=3, over="worst")
    assert other.found[0].values != tuned.found[0].values
    assert len(other.confirmation_seeds) == 3


def test_several_goals_have_a_front() -> None:
    tuned = fw.tune(
        BOIDS,
        vary={CENTER: fw.Range(0.1, 3), "groups.birds.params.average": fw.Range(0, 1)},
        goals=[fw.Maximize("polarization"), fw.Minimize("spread")],
        budget=60,
        confirm=2,
        ticks=200,
    )
    assert len(tuned.found) > 1
    polarizations = [one.goals["maximize polarization"] for one in tuned.found]
    spreads = [one.goals["minimize spread"] for one in tuned.found]
    assert polarizations == sorted(polarizations)
    assert spreads == sorted(spreads)
    with pytest.raises(fw.Error, match="does not say what to look for"):
        fw.tune(BOIDS, vary={CENTER: fw.Range(0.1, 3)})
    with pytest.raises(TypeError, match="a goal is"):
        fw.tune(BOIDS, vary={CENTER: fw.Range(0.1, 3)}, goals=["polarization"], budget=60)


@needs_program
def test_a_hunt_finds_what_the_program_finds(tmp_path: Path) -> None:
    scenario = project(tmp_path)
    found = fw.hunt(scenario, threads=1)
    wanted = json.loads(program("hunt", scenario, "--json", code=1))
    assert (found.runs, found.random_runs, found.random_failed) == (
        wanted["runs"],
        wanted["random_runs"],
        wanted["random_failed"],
    )
    for name in ["corner_runs", "corner_failed", "compared_runs", "same_in_both"]:
        assert getattr(found, name) == wanted[name]
    assert found.share == wanted["share"]
    assert list(found.interval or ()) == wanted["interval"]
    assert list(found.laws) == [law["law"] for law in wanted["laws"]]
    [failure], [told] = found.failures, wanted["failures"]
    assert (failure.message, failure.tick, failure.agent) == (
        told["message"],
        told["tick"],
        told["agent"],
    )
    assert (failure.before, failure.after) == (told["before"], told["after"])
    written = (tmp_path / "scenarios/passers.hunt/failure-1.ron").read_text()
    assert written.endswith(failure.scenario)
    margins = [row["smallest_margin"] for row in wanted["expectations"]]
    assert found.margins["margin"].tolist() == margins
    run = failure.load()
    run.run()
    assert run.expectations[0]["state"] == "failed"
    assert run.expectations[0]["why"] == failure.message
    finding = failure.finding
    assert finding["place"] is not None
    assert finding["place"]["start_line"] == 13


def test_a_hunt_takes_its_options() -> None:
    files = {"h/scenarios/p.ron": PASSERS, "h/scripts/passer.rhai": PASSER}
    told = []
    kept = fw.hunt(
        "h/scenarios/p.ron",
        files=files,
        runs=32,
        keep=["places", "seed", "counts", "events"],
        vary={"groups.east.body.radius": fw.Range(1, 1.5)},
        expect="NoOverlap",
        shrink_runs=0,
        progress=lambda *now: told.append(now),
    )
    assert kept.laws == {}
    assert told[-1][0] == told[-1][1]
    assert kept.failures == [] or not kept.failures[0].smallest
    with pytest.raises(fw.Error, match="no expectation 7"):
        fw.hunt("h/scenarios/p.ron", files=files, expect=7)
    with pytest.raises(ValueError, match='not "place"'):
        fw.hunt("h/scenarios/p.ron", files=files, keep=["place"])
    with pytest.raises(fw.Error, match="no expectations"):
        fw.hunt(
            "h/scenarios/p.ron",
            files={**files, "h/scenarios/p.ron": PASSERS.replace("expect: [NoOverlap()],", "")},
        )
