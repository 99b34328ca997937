"""The shipped epidemic here: the same process, the same table."""

from pathlib import Path

import flockwork as fw

if __name__ == "__main__":
    run = fw.load(Path(__file__).parents[4] / "scenarios/epidemic.ron", seed=1)
    counts: list[tuple[int, int]] = []
    while run.tick < run.ticks:
        run.step()
        counts.append((int(run.is_in("sick").sum()), len(run)))
    print(counts[-5:])
