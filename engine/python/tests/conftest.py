"""What all tests share."""

from __future__ import annotations

import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]

# Jobs in the background of a shell ignore ctrl-c, and Python would leave it so. Tests that send it would wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository, with the shipped scenarios."""
    return ROOT


@pytest.fixture(scope="session")
def program() -> Callable[..., str]:
    """The program: called with arguments, it returns what the program prints."""
    built = ROOT / "target" / "release" / "flockwork"
    path = str(built) if built.exists() else shutil.which("flockwork")
    if path is None:
        pytest.skip("the program is not there: cargo build --release")

    def run(*arguments: str) -> str:
        done = subprocess.run([path, *arguments], capture_output=True, text=True, cwd=ROOT)
        assert done.returncode in (0, 1), done.stderr
        return done.stdout

    return run


BIRDS = """(
    name: "Birds",
    seed: 5,
    ticks: 60,
    world: (size: (100, 100), edge: Wrap),
    groups: {
        "birds": (behavior: "fly", count: 20, spawn: Disc(center: (50, 50), radius: 20),
            body: (max_speed: 20, max_force: 40), params: { "gap": 5.0 }, public: { "hunger": 1.0 }),
        "hawk": (behavior: "hunt", count: 1, spawn: Points([(10, 10)]),
            body: (max_speed: 25, max_force: 40)),
    },
    obstacles: { "tree": Circle(center: (80, 80), radius: 5) },
    shared: { "food": Sum(start: 3.0) },
    expect: [NoOverlap(tolerance: 100)],
)"""

SCRIPTS = {
    "fly": """
fn init(me) { me.state.turns = 0; }
fn steer(me) {
    me.state.turns += 1;
    me.state.hunger = 2.0 + me.state.turns;
    me.wander() + me.separation(me.params.gap)
}
""",
    "hunt": 'fn steer(me) { let bird = me.nearest("birds"); if bird == () { me.wander() } else { me.seek(bird.pos) } }',
}
