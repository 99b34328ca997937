"""A pool of processes runs parts of an experiment, started afresh or forked: the results are the same, to the bit.

pip install flockwork
"""

from __future__ import annotations

import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

import flockwork as fw

SCENARIO = Path(__file__).parents[2] / "scenarios" / "noisy_flock.ron"


def part(seeds: list[int], ticks: int) -> tuple[list[str], list[float]]:
    """Run worlds with some seeds on one thread, in whatever process: return their hashes and mean speeds."""
    batch = fw.batch(SCENARIO, seeds=seeds, threads=1)
    batch.step(ticks)
    return batch.hashes, batch.measure("noisy.mean_speed").tolist()


def run(kind: str, seeds: int, ticks: int) -> tuple[list[str], list[float]]:
    """Run worlds in a pool of processes that are started in one way."""
    parts = [list(range(first, min(first + 8, seeds))) for first in range(0, seeds, 8)]
    context = multiprocessing.get_context(kind)
    with ProcessPoolExecutor(max_workers=os.cpu_count(), mp_context=context) as pool:
        done = list(pool.map(part, parts, [ticks] * len(parts)))
    return [one for hashes, _ in done for one in hashes], [
        one for _, speeds in done for one in speeds
    ]


def main(seeds: int = 64, ticks: int = 200) -> dict[str, list[str]]:
    """Run the same worlds in pools of each kind, and in this process; return the hashes."""
    kinds = [kind for kind in ("spawn", "fork") if kind in multiprocessing.get_all_start_methods()]
    found = {"here": part(list(range(seeds)), ticks)}
    found.update({kind: run(kind, seeds, ticks) for kind in kinds})
    for kind, (hashes, speeds) in found.items():
        same = "the same bits" if hashes == found["here"][0] else "OTHER BITS"
        print(f"{kind:6} {np.mean(speeds):.4f} mean speed of {len(hashes)} worlds: {same}")
    return {kind: hashes for kind, (hashes, _) in found.items()}


if __name__ == "__main__":
    main()
