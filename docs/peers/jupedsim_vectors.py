"""Writes what JuPedSim's agents do in random small scenes, for the test that compares Flockwork with it.

Usage: jupedsim_vectors.py > engine/tests/conformance/jupedsim.json, with JuPedSim 1.4.2 and Shapely installed.
"""

import json
import math
import random

import jupedsim as jps
from shapely import LineString, Point, Polygon

DT = 0.05


def room(draw, kind):
    """Returns the corners of a walkable area and of the walls in it."""
    if kind == 0:
        return [(-20, -20), (20, -20), (20, 20), (-20, 20)], []
    angles = sorted(draw.uniform(0, 2 * math.pi) for _ in range(draw.randint(4, 7)))
    corners = [(round(4 * math.cos(a), 3), round(4 * math.sin(a), 3)) for a in angles]
    if kind == 1:
        return corners, []
    turn, length = draw.uniform(0, math.pi), draw.uniform(0.3, 1.5)
    along, aside = (length * math.cos(turn), length * math.sin(turn)), (-0.05 * math.sin(turn), 0.05 * math.cos(turn))
    signs = [(1, 1), (-1, 1), (-1, -1), (1, -1)]
    wall = [(round(a * along[0] + b * aside[0], 3), round(a * along[1] + b * aside[1], 3)) for a, b in signs]
    return corners, [wall]


def people(draw, area, corners, count):
    """Returns agents that do not overlap, or None. The ways to their goals keep off corners, which JuPedSim leads around."""
    agents = []
    for _ in range(1000):
        if len(agents) == count:
            return agents
        radius = round(draw.uniform(0.15, 0.3), 3)
        spread = draw.choice([0.8, 2.0])
        pos = (round(draw.uniform(-spread, spread), 3), round(draw.uniform(-spread, spread), 3))
        apart = all(math.dist(pos, other["pos"]) > radius + other["radius"] + 0.001 for other in agents)
        goal = (round(draw.uniform(-3, 3), 3), round(draw.uniform(-3, 3), 3))
        way = LineString([pos, goal])
        is_straight = area.contains(way) and all(way.distance(Point(corner)) > 0.5 for corner in corners)
        if apart and is_straight and area.boundary.distance(Point(pos)) > radius + 0.001:
            agents.append({"pos": pos, "goal": goal, "radius": radius, "speed": round(draw.uniform(0.6, 1.8), 3)})
    return None


def scenes(seed, count):
    """Yields random scenes: the shapely area, its edges, and the agents."""
    draw, found = random.Random(seed), 0
    while found < count:
        corners, walls = room(draw, found % 3)
        area = Polygon(corners, walls)
        agents = people(draw, area, sum(walls, []), draw.randint(2, 6)) if area.is_valid else None
        if not agents:
            continue
        rings = [corners] + walls
        edges = [[*ring[i], *ring[(i + 1) % len(ring)]] for ring in rings for i in range(len(ring))]
        found += 1
        yield draw, area, edges, agents


def simulation(model, area, params):
    """Returns a simulation with an agent for each set of params, each on the way to its goal."""
    sim = jps.Simulation(model=model, geometry=area, dt=DT)
    stage = sim.add_direct_steering_stage()
    journey = sim.add_journey(jps.JourneyDescription([stage]))
    ids = []
    for goal, param in params:
        param.journey_id, param.stage_id = journey, stage
        ids.append(sim.add_agent(param))
        sim.agent(ids[-1]).target = goal
    return sim, ids


def step(sim, ids):
    """Returns the velocities in the next step."""
    before = [sim.agent(id).position for id in ids]
    sim.iterate()
    after = [sim.agent(id).position for id in ids]
    return [[round((b[i] - a[i]) / DT, 7) for i in (0, 1)] for a, b in zip(before, after)]


def collision_free_speed():
    for draw, area, edges, agents in scenes(1, 60):
        for agent in agents:
            agent["time_gap"] = round(draw.uniform(0.5, 1.5), 3)
            agent["strength"], agent["range"] = round(draw.uniform(3, 9), 3), round(draw.uniform(0.05, 0.4), 3)
            agent["wall_strength"], agent["wall_range"] = round(draw.uniform(3, 9), 3), round(draw.uniform(0.02, 0.2), 3)
        params = [
            (
                agent["goal"],
                jps.CollisionFreeSpeedModelV2AgentParameters(
                    position=agent["pos"],
                    radius=agent["radius"],
                    desired_speed=agent["speed"],
                    time_gap=agent["time_gap"],
                    strength_neighbor_repulsion=agent["strength"],
                    range_neighbor_repulsion=agent["range"],
                    strength_geometry_repulsion=agent["wall_strength"],
                    range_geometry_repulsion=agent["wall_range"],
                ),
            )
            for agent in agents
        ]
        sim, ids = simulation(jps.CollisionFreeSpeedModelV2(), area, params)
        yield {"call": "collision_free_speed", "walls": edges, "agents": agents, "velocities": step(sim, ids)}


def is_near_end(agent, edges):
    """Returns whether the nearest wall counts and is nearest at its end: there JuPedSim's walls have another direction."""
    pos = Point(agent["pos"])
    edge = min(edges, key=lambda edge: LineString([edge[:2], edge[2:]]).distance(pos))
    distance = LineString([edge[:2], edge[2:]]).distance(pos)
    is_end = min(math.dist(agent["pos"], edge[:2]), math.dist(agent["pos"], edge[2:])) < distance + 1e-6
    return is_end and distance < 2 * (agent["wall_distance"] + agent["radius"])


def anticipation_velocity():
    for draw, area, edges, agents in scenes(2, 90):
        for agent in agents:
            agent["time_gap"] = round(draw.uniform(0.5, 1.5), 3)
            agent["strength"], agent["range"] = round(draw.uniform(3, 9), 3), round(draw.uniform(0.05, 0.4), 3)
            agent["reaction"], agent["wall_distance"] = round(draw.uniform(0.1, 0.9), 3), round(draw.uniform(0.05, 0.3), 3)
        # In JuPedSim, the place of a neighbor depends on how far the neighbor looks ahead.
        anticipation = round(draw.uniform(0, 1.5), 3)
        params = [
            (
                agent["goal"],
                jps.AnticipationVelocityModelAgentParameters(
                    position=agent["pos"],
                    radius=agent["radius"],
                    desired_speed=agent["speed"],
                    time_gap=agent["time_gap"],
                    strength_neighbor_repulsion=agent["strength"],
                    range_neighbor_repulsion=agent["range"],
                    anticipation_time=anticipation,
                    reaction_time=agent["reaction"],
                    wall_buffer_distance=agent["wall_distance"],
                ),
            )
            for agent in agents
        ]
        sim, ids = simulation(jps.AnticipationVelocityModel(rng_seed=1), area, params)
        # The first step turns at once, since there is no direction yet.
        for _ in range(draw.randint(1, 30)):
            before = step(sim, ids)
        for agent, id, velocity in zip(agents, ids, before):
            state = sim.agent(id)
            agent["pos"], agent["heading"] = [[round(x, 7) for x in v] for v in (state.position, state.orientation)]
            agent["vel"], agent["anticipation"] = velocity, anticipation
        # Near a goal, the direction would be a matter of rounding.
        has_far_goals = all(math.dist(agent["pos"], agent["goal"]) > 0.2 for agent in agents)
        if has_far_goals and not any(is_near_end(agent, edges) for agent in agents):
            yield {"call": "anticipation_velocity", "walls": edges, "agents": agents, "velocities": step(sim, ids)}


cases = [json.dumps(case) for model in (collision_free_speed, anticipation_velocity) for case in model()]
about = f"Velocities of JuPedSim {jps.__version__} in one step; docs/peers/jupedsim_vectors.py writes this file."
print(f'{{\n"about": {json.dumps(about)},\n"cases": [')
print(",\n".join(cases))
print("]\n}")
