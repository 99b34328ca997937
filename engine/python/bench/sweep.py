"""Compare a sweep of 2,560 runs through Python with the same one by the program, in turns.

    python engine/python/bench/sweep.py [--program target/release/flockwork] [--rounds 5]

The sweep is the one of the question "how do the weight of alignment and the noise of motion change the polarization of a flock": 16 weights x
16 noises x 10 seeds, 50 agents, 120 ticks. Prints the processor time and the wall time of each and the medians of their ratios. What the
program needs to start and what Python needs to start are not counted; the program writes its tables to a disk.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import flockwork as fw
from flockwork._plan import plan_text

ROOT = Path(__file__).resolve().parents[3]

VARY = {
    "groups.birds.params.alignment": fw.Range(0, 3, steps=16),
    "groups.birds.body.noise.motion": fw.Range(0, 60, steps=16),
    "groups.birds.count": [50],
}


def project(folder: Path) -> Path:
    """Write the flock with a noise that can vary."""
    for name in ("scenarios", "scripts"):
        (folder / name).mkdir()
    shutil.copytree(ROOT / "scripts", folder / "scripts", dirs_exist_ok=True)
    text = (ROOT / "scenarios/flock.ron").read_text()
    noisy = text.replace("max_force: 180)", "max_force: 180, noise: (motion: 0))")
    assert noisy != text
    (folder / "scenarios/flock.ron").write_text(noisy)
    return folder / "scenarios/flock.ron"


def seconds(who: int) -> float:
    """Return the processor time of this process or its children."""
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Measure, and print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=Path, default=ROOT / "target/release/flockwork")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=0)
    arguments = parser.parse_args()
    plan = {
        "vary": VARY,
        "seeds": 10,
        "ticks": 120,
        "record": ["polarization"],
        "expectations": "ignore",
    }
    walls, works = [], []
    with tempfile.TemporaryDirectory() as folder:
        plan["scenario"] = project(Path(folder))
        file = Path(folder) / "bench.plan.ron"
        file.write_text(plan_text(plan))
        for round_ in range(arguments.rounds):
            took = {}
            for who in ("program", "python") if round_ % 2 == 0 else ("python", "program"):
                children = resource.RUSAGE_CHILDREN if who == "program" else resource.RUSAGE_SELF
                work, wall = seconds(children), time.perf_counter()
                if who == "python":
                    table = fw.sweep(plan, threads=arguments.threads)
                    assert table.rows == 2560
                else:
                    out = Path(folder) / f"out{round_}"
                    command = [
                        arguments.program,
                        "sweep",
                        file,
                        "--out",
                        out,
                        "--threads",
                        str(arguments.threads),
                    ]
                    subprocess.run([str(word) for word in command], check=True, capture_output=True)
                took[who] = (time.perf_counter() - wall, seconds(children) - work)
            (wall, work), (wall_program, work_program) = took["python"], took["program"]
            walls.append(wall / wall_program)
            works.append(work / work_program)
            print(
                f"python {wall:.2f} s (processor {work:.2f} s), program {wall_program:.2f} s ({work_program:.2f} s)",
                file=sys.stderr,
            )
    print(
        json.dumps(
            {
                "wall_ratio": round(statistics.median(walls), 3),
                "processor_ratio": round(statistics.median(works), 3),
            }
        )
    )


if __name__ == "__main__":
    main()
