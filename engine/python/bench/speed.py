"""Times of the interface, and of other systems beside it: `python engine/python/bench/speed.py`.

All figures of one run belong together. Mesa and JuPedSim are measured if they are installed.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import flockwork as fw

ROOT = Path(__file__).parents[3]
ALONE = """(ticks: 1, world: (size: (10, 10), edge: Wrap), groups: {
    "a": (spawn: Points([(1, 1)]), body: (max_speed: 1, max_force: 1)) })"""
# The standard flock of the page about benchmarks.
FLOCK = """(
    ticks: 600, seed: 1,
    world: (size: (SIDE, SIDE), edge: Wrap),
    groups: { "flock": (behavior: "flock", count: AGENTS, spawn: Rect(min: (0, 0), max: (SIDE, SIDE)),
        velocity: (180, 0), body: (radius: 1, max_speed: 180, max_force: 180)) },
)"""
RULES = "fn steer(me) { me.separation(25) * 1.5 + me.alignment(50) + me.cohesion(50) }"


def best(work: Callable[[], object], repeats: int = 7) -> float:
    """Return the shortest time of some work, in seconds."""
    times: list[float] = []
    for _ in range(repeats):
        begin = time.perf_counter()
        work()
        times.append(time.perf_counter() - begin)
    return min(times)


def step() -> None:
    """Print what a call of `step` costs beside its tick."""
    run, ticks = fw.loads(ALONE), 100_000

    def single() -> None:
        for _ in range(ticks):
            run.step(1)

    def loop() -> None:
        for _ in range(ticks):
            pass

    tick = best(lambda: run.step(ticks)) / ticks
    call = (best(single) - best(loop)) / ticks
    print(
        f"step(1) of one agent   {call * 1e9:8.0f} ns, {(call - tick) * 1e9:.0f} ns above the tick"
    )


def read(agents: int) -> None:
    """Print how long it takes to read positions."""
    run = fw.load(ROOT / "scenarios/flock.ron", agents=agents)
    run.step()
    out = np.zeros((agents, 2), np.float32)
    for name, work in [
        ("in place, unordered", lambda: run.unordered),
        ("a new array", lambda: run.positions),
        ("into an array", lambda: run.read_into("positions", out)),
    ]:
        print(f"{agents:7} positions, {name:20} {best(work, 50) * 1e6:8.1f} us")


def mesa() -> None:
    """Print how many turns of agents a second of a processor has, here and in Mesa."""
    side = (100 * 1636) ** 0.5
    scenario = FLOCK.replace("AGENTS", "100").replace("SIDE", f"{side:.3f}")
    begin = time.process_time()
    batch = fw.batches(scenario, scripts={"flock": RULES}, seeds=range(1, 101), threads=1)
    batch.run()
    polarization = batch.measure("polarization").mean()
    ours = 100 * 100 * 600 / (time.process_time() - begin)
    print(
        f"100 agents, 600 ticks, a batch of 100 runs: {ours:,.0f} turns a second, polarization {polarization:.2f}"
    )
    program = [sys.executable, str(ROOT / "docs/peers/mesa_flock.py"), "--batch", "2", "100", "600"]
    done = subprocess.run(program, capture_output=True, text=True)
    if done.returncode:
        print("Mesa is not there: pip install mesa==3.3.1")
        return
    theirs = 1e9 / float(done.stdout.split('"ns": ')[1].split(",")[0])
    print(
        f"Mesa's batch_run: {theirs:,.0f} turns a second; ratio {ours / theirs:,.0f}; {done.stdout.strip()}"
    )


def jupedsim() -> None:
    """Print the times of 100 people in a corridor, here and in JuPedSim, with the same model and steps."""
    try:
        import jupedsim as jps
        from shapely import box
    except ImportError:
        print("JuPedSim is not there: pip install jupedsim")
        return
    people, steps = 100, 1000
    places = [(1 + i // 8 * 0.8, 0.6 + i % 8 * 0.55) for i in range(people)]
    simulation = jps.Simulation(
        model=jps.CollisionFreeSpeedModel(), geometry=box(0, 0, 200, 5), dt=0.05
    )
    leave = simulation.add_exit_stage(box(198, 0, 200, 5))
    journey = simulation.add_journey(jps.JourneyDescription([leave]))
    for place in places:
        simulation.add_agent(
            jps.CollisionFreeSpeedModelAgentParameters(
                journey_id=journey, stage_id=leave, position=place, desired_speed=1.2, radius=0.2
            )
        )
    begin = time.perf_counter()
    simulation.iterate(steps)
    theirs = (time.perf_counter() - begin) / (people * steps)
    points = ", ".join(f"({x:.2f}, {y:.2f})" for x, y in places)
    run = fw.loads(
        f"""(ticks: {steps}, dt: 0.05, world: (size: (200, 5), edge: Clamp),
        groups: {{ "people": (behavior: "walk", spawn: Points([{points}]), goals: [(at: (199, 2.5), radius: 0.5)],
            body: (radius: 0.2, max_speed: 1.2, max_force: 1000)) }})""",
        scripts={
            "walk": "fn steer(me) { me.vel += me.collision_free_speed(me.seek(vec(199.0, me.pos.y)), 3); }"
        },
        threads=1,
    )
    begin = time.perf_counter()
    run.run()
    ours = (time.perf_counter() - begin) / (people * steps)
    reached = float(run.positions[:, 0].mean())
    where = np.mean([agent.position[0] for agent in simulation.agents()])
    print(
        f"corridor of {people} people: {ours * 1e9:,.0f} ns a turn, JuPedSim {theirs * 1e9:,.0f} ns; ratio {theirs / ours:.1f}; "
        f"mean x at the end {reached:.1f} and {where:.1f}"
    )


if __name__ == "__main__":
    step()
    read(1000)
    read(100_000)
    mesa()
    jupedsim()
