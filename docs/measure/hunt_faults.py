#!/usr/bin/env python3
"""Measures hunts: plants faults in shipped scripts, and hunts each of them.

    cargo build --release -p flockwork
    python3 docs/measure/hunt_faults.py target/release/flockwork --runs 2000

Each fault is a small change of a script that the shipped scenario does not show: all its expectations still hold. It is
hunted with `--against` the right scripts. The table says at which run it was found; in how many of the spread starts it shows, that is, how many
random starts would be needed; how small the failure became; and whether it fails with the fault and holds without it, by a test of each.
A fault that the shipped scenario shows is left out.
"""

import argparse
import json
import pathlib
import re
import shutil
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Scenario, script, what is replaced, and by what.
FAULTS = [
    ("primitives/anticipate", "primitives/anticipate", "me.anticipate(8)", "me.anticipate(0.8)"),
    ("primitives/anticipation_velocity", "primitives/anticipation_velocity", "3)", "0.3)"),
    ("primitives/collision_free_speed", "primitives/collision_free_speed", "3)", "0.8)"),
    ("primitives/arrive", "primitives/arrive", "40)", "4)"),
    ("primitives/arrive", "primitives/arrive", "3 * me.arrive", "0.3 * me.arrive"),
    ("primitives/avoid_neighbors", "primitives/avoid_neighbors", "3 * me.avoid", "me.avoid"),
    ("primitives/avoid_neighbors", "primitives/avoid_neighbors", "(60, 3, 1)", "(60, 1, 1)"),
    ("primitives/avoid_neighbors", "primitives/avoid_neighbors", "(60, 3, 1)", "(25, 3, 1)"),
    ("primitives/avoid_obstacles", "primitives/avoid_obstacles", "(1.5, 1)", "(0.5, 1)"),
    ("primitives/avoid_obstacles", "primitives/avoid_obstacles", "(1.5, 1)", "(1.5)"),
    ("primitives/contain", "primitives/contain", "me.contain(6)", "me.contain(1)"),
    ("primitives/contain", "primitives/contain", "[me.contain(6), me.wander()]", "[me.wander(), me.contain(6)]"),
    ("primitives/evade", "primitives/evade", "50)", "25)"),
    ("primitives/evade", "primitives/evade", "me.evade", "me.flee"),
    ("primitives/flee", "primitives/flee", "24)", "16)"),
    ("primitives/flee", "primitives/flee", " + me.separation(6)", ""),
    ("primitives/go_to", "primitives/go_to", "6 * me.go_to(me.goal, 20)", "6 * me.seek(me.goal)"),
    ("primitives/go_to", "primitives/go_to", "6 * me.go_to", "2 * me.go_to"),
    ("primitives/jink", "primitives/jink", "60, 1", "30, 1"),
    ("primitives/orca", "primitives/orca", "40)", "5)"),
    ("primitives/velocity_obstacles", "primitives/velocity_obstacles", "40)", "6)"),
    ("primitives/social_force", "primitives/social_force", "me.social_force(3)", "me.social_force(0.9)"),
    ("primitives/least_detour", "primitives/least_detour", "9)", "1)"),
    ("primitives/neighbor_danger", "primitives/neighbor_danger", "40, 1.5", "40, 0.5"),
    ("primitives/neighbor_danger", "primitives/neighbor_danger", ", whisker(me, goal.rotated(-0.5))", ""),
    ("primitives/context", "primitives/context", "whisker(me, goal, 0.4), whisker(me, goal, 0.8), ", ""),
    ("primitives/context", "primitives/context", "whisker(me, goal, -0.4), whisker(me, goal, -0.8), ", ""),
    ("primitives/context_slot", "primitives/context_slot", "angle), 0.7)", "angle), 0.07)"),
    ("primitives/obstacle_danger", "primitives/obstacle_danger", "1.5)", "0.6)"),
    ("primitives/slide", "primitives/slide", "me.slide(want, 0.5)", "want"),
    ("primitives/stay_on_path", "primitives/stay_on_path", "2 * me.stay", "0.7 * me.stay"),
    ("primitives/wall_follow", "primitives/wall_follow", "40, 0.3", "10, 0.3"),
    ("primitives/weighted_sum", "primitives/weighted_sum", "me.contain(12)", "me.contain(4)"),
    ("primitives/weighted_sum", "primitives/weighted_sum", "0.8, 2.0", "0.8, 0.6"),
    ("primitives/whiskers", "primitives/whiskers", "whiskers(14)", "whiskers(6)"),
    ("primitives/prioritize", "primitives/prioritize", "0.8, 2", "0.2, 2"),
    ("primitives/shadow", "primitives/shadow", "12, 40", "3, 40"),
    ("primitives/first_of", "primitives/first_of", "30), me", "18), me"),
    ("primitives/dither", "primitives/dither", "0.6, 0.9", "0.95, 0.2"),
    ("primitives/seek", "primitives/seek", "me.seek(vec(85, 45))", "me.arrive(vec(85, 45), 60)"),
    ("primitives/wander", "primitives/wander", "1.2, 0.7", "1.2, 2"),
    ("primitives/dock", "primitives/dock", "2 *", "1 *"),
    ("primitives/jink", "primitives/jink", "4 * me.jink", "2 * me.jink"),
    ("primitives/anticipate", "primitives/anticipate", "/ 0.5", "/ 0.2"),
    ("primitives/neighbor_danger", "primitives/neighbor_danger", "whisker(me, goal.rotated(0.5)), ", ""),
    ("primitives/avoid_neighbors", "primitives/avoid_neighbors", "me.seek(me.goal) + 3", "2 * me.seek(me.goal) + 3"),
    ("primitives/wall_follow", "primitives/wall_follow", "6, 0, 40", "4, 0, 40"),
    ("primitives/wall_follow", "primitives/wall_follow", "0.3)", "0.1)"),
    ("primitives/whiskers", "primitives/whiskers", "whiskers(14)", "whiskers(11)"),
    ("primitives/shadow", "primitives/shadow", "12, 40", "8, 40"),
    ("primitives/first_of", "primitives/first_of", "30), me", "24), me"),
    ("primitives/slide", "primitives/slide", "me.vel = me.slide(me.vel, 0.5);", ""),
    ("primitives/stay_on_path", "primitives/stay_on_path", "2 * me.stay", "1.4 * me.stay"),
    ("primitives/context", "primitives/context", "0.7 * me.heading", "2 * me.heading"),
    ("primitives/go_to", "primitives/go_to", "me.goal, 20)", "me.goal, 3)"),
    ("primitives/prioritize", "primitives/prioritize", "0.8, 2", "0.5, 2"),
    ("primitives/prioritize", "primitives/prioritize", "2 * me.follow_path()", "6 * me.follow_path()"),
    ("primitives/avoid_obstacles", "primitives/avoid_obstacles", "(1.5, 1)", "(1, 1)"),
    ("primitives/follow_leader", "primitives/follow_leader", "15, 10)", "2, 10)"),
    ("primitives/follow_leader", "primitives/follow_leader", "0.6 * me.separation(6)", "0.2 * me.separation(6)"),
    ("primitives/arrive", "primitives/arrive", "3 * me.arrive", "1.5 * me.arrive"),
    ("primitives/arrive", "primitives/arrive", "40)", "20)"),
    ("primitives/orca", "primitives/orca", "40)", "12)"),
    ("primitives/velocity_obstacles", "primitives/velocity_obstacles", "40)", "14)"),
    ("primitives/least_detour", "primitives/least_detour", "9)", "4)"),
    ("primitives/keep_formation", "primitives/keep_formation", "10)", "8)"),
    ("parking", "parking", "me.arrive(me.goal, me.params.slowing)", "me.seek(me.goal)"),
    ("follow_leader", "follow_leader", "+ separation(me)", ""),
    ("follow_leader", "follow_leader", "me.distance(ahead) <= me.params.sight ||", ""),
    ("crowds/head_on_social_force", "crowds/social_force", "HEADWAY = 0.5", "HEADWAY = 0.05"),
    ("crowds/head_on_social_force", "crowds/social_force", "near, 25, range", "near, 2, range"),
    ("crowds/head_on_orca", "crowds/orca", "horizon, 0.5", "0.2, 0.5"),
    ("steerbench/overtake", "steerbench/goto", "limit(STRONGEST)", "limit(0.8 * STRONGEST)"),
    ("steerbench/simple-1", "steerbench/goto", "limit(STRONGEST)", "limit(0.9 * STRONGEST)"),
    ("guard_dog", "guard_dog", "me.contain(10, 0.5), me.avoid_obstacles(0.5), want", "want"),
    ("guard_dog", "guard_dog", "> 2.5", "> 25"),
    ("guard_dog", "guard_dog", "if me.time_in(\"mode\") > 3", "if me.time_in(\"mode\") > 30"),
    ("guard_dog", "sneak", "me.contain(15, 0.4), me.avoid_obstacles(0.5), want", "want"),
    ("crowd_obstacles", "crowd_obstacles", "disc.contains(far) || disc.contains(near) || disc.contains(me.pos)", "disc.contains(far)"),
    ("crowd_obstacles", "crowd_obstacles", "< me.distance(threat.center)", "> me.distance(threat.center)"),
    ("turn_away", "turn_away", "WALL_RANGE = 100", "WALL_RANGE = 20"),
    ("turn_away", "turn_away", "v += wall", "if distance > 12 { continue; } v += wall"),
    ("leader_chain", "leader_chain", "ahead.pos - GAP * ahead.heading", "ahead.pos - 9 * ahead.heading"),
    ("leader_chain", "leader_chain", "2 * me.follow_path()", "1 * me.follow_path()"),
    ("traffic", "traffic", "its_speed = other.speed", "its_speed = me.speed"),
    ("traffic", "traffic", "if turn < 0 { turn += 2 * PI; }", "if turn < 0 { turn += PI; }"),
    ("traffic", "traffic", "p.least_gap +", "0.1 +"),
    ("bumper", "bumper", "me.seek(me.goal) * me.params.haste", "0.6 * me.seek(me.goal)"),
]


def project(folder, scenario, change):
    """Copies the scripts and one scenario into a folder, with a change of a script."""
    shutil.copytree(ROOT / "scripts", folder / "scripts", symlinks=True)
    file = folder / "scenarios" / (scenario + ".ron")
    file.parent.mkdir(parents=True)
    shutil.copy(ROOT / "scenarios" / (scenario + ".ron"), file)
    if change:
        script, old, new = change
        path = folder / "scripts" / (script + ".rhai")
        text = path.read_text()
        if text.count(old) < 1:
            raise SystemExit(f"{script} has no `{old}`")
        path.write_text(text.replace(old, new, 1))
    return file


def run(program, folder, *args):
    return subprocess.run([program, *args], cwd=folder, capture_output=True, text=True, timeout=1800)


def hunt(program, runs, fault, threads):
    """Plants a fault and hunts it. Returns None if the scenario as it is shows it."""
    scenario, script, old, new = fault
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        right, wrong = folder / "right", folder / "wrong"
        project(right, scenario, None)
        project(wrong, scenario, (script, old, new))
        file = f"scenarios/{scenario}.ron"
        if run(program, wrong, "test", file).returncode == 1:
            return None
        answer = run(program, wrong, "hunt", file, "--runs", str(runs), "--against", "../right", "--json", "--threads", str(threads))
        if answer.returncode not in (0, 1):
            raise SystemExit(f"{scenario}: {answer.stderr}")
        report = json.loads(answer.stdout)
        result = {"fault": f"{script}: `{old}` is `{new}`", "scenario": scenario, "report": report, "first": None}
        told = re.search(r"^run (\d+) fails", answer.stderr, re.M)
        if not told:
            return result
        result["first"] = int(told[1])
        result["fails"] = result["holds"] = True
        for failure in report["failures"]:
            path = failure["file"]
            result["fails"] &= run(program, wrong, "test", path).returncode == 1
            copy = right / path
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(wrong / path, copy)
            result["holds"] &= run(program, right, "test", path).returncode == 0
        return result


def row(number, result):
    """Returns a row of the table."""
    report = result["report"]
    failed, spread = report["random_failed"], report["random_runs"]
    random = f"{spread / failed:.0f}" if failed else f"> {spread}"
    cells = [str(number), result["scenario"], result["fault"], str(result["first"] or "-"), random]
    if result["first"]:
        sizes = [(one["before"], one["after"]) for one in report["failures"]]
        cells.append(", ".join(f"{after['agents']} of {before['agents']}" for before, after in sizes))
        cells.append(", ".join(f"{after['ticks'] / before['ticks']:.0%}" for before, after in sizes))
        cells += ["yes" if result["fails"] else "no", "yes" if result["holds"] else "no"]
    else:
        cells += ["", "", "", ""]
    cells.append(str(report["failed_with_both"]))
    cells.append(f"{report['same_in_both']} of {report['compared_runs']}")
    return "| " + " | ".join(cells) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path, help="the program flockwork")
    parser.add_argument("--runs", type=int, default=2000, help="the number of runs of each hunt")
    parser.add_argument("--faults", type=int, default=30, help="the number of hidden faults to hunt")
    parser.add_argument("--threads", type=int, default=0, help="the number of threads of each hunt; 0 uses one per core")
    parser.add_argument("--only", help="hunt only faults in scenarios with this in their name")
    args = parser.parse_args()
    program = args.program.resolve()
    print("| | scenario | fault | found in run | one of so many random starts | agents | ticks | fails with it | holds without | fails with both | same in both |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    results = []
    for fault in FAULTS:
        if len(results) == args.faults or (args.only and args.only not in fault[0]):
            continue
        result = hunt(program, args.runs, fault, args.threads)
        if result:
            results.append(result)
            print(row(len(results), result), flush=True)
    found = [one for one in results if one["first"]]
    sure = [one for one in found if one["fails"] and one["holds"]]
    print(f"\nhidden faults: {len(results)}, found: {len(found)}, shrunk cases that fail with the fault and hold without it: {len(sure)}")
    if found:
        least = lambda one: one["report"]["random_runs"] / max(one["report"]["random_failed"], 1)
        ratios = [least(one) / one["first"] for one in found]
        print(f"random starts for each run that was needed (median): {statistics.median(ratios):.1f}")
        agents = [failure["after"]["agents"] for one in found for failure in one["report"]["failures"]]
        print(f"agents of the shrunk cases (median, largest): {statistics.median(agents)}, {max(agents)}")


if __name__ == "__main__":
    main()
