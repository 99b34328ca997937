"""150 people leave a room by a door of 1 m, in JuPedSim.

Usage: jupedsim_door.py SCENE, a JSON object as `compare.py` writes it. Prints nanoseconds of processor time per agent
and step, and how many people are out.
"""

import json
import sys
from time import process_time

import jupedsim as jps
from shapely import box

MODELS = {
    "social force": (jps.SocialForceModel, jps.SocialForceModelAgentParameters),
    "collision-free speed": (jps.CollisionFreeSpeedModel, jps.CollisionFreeSpeedModelAgentParameters),
}

scene = json.loads(sys.argv[1])
model, person = MODELS[scene["model"]]
walkable = box(0, 0, *scene["size"])
for wall in scene["walls"]:
    walkable = walkable.difference(box(*wall))
simulation = jps.Simulation(model=model(), geometry=walkable, dt=scene["dt"])
leave = simulation.add_exit_stage(box(*scene["exit"]))
journey = simulation.add_journey(jps.JourneyDescription([leave]))
for position in scene["people"]:
    who = dict(position=tuple(position), desired_speed=scene["speed"], radius=scene["radius"])
    simulation.add_agent(person(journey_id=journey, stage_id=leave, **who))

turns = 0
start = process_time()
for _ in range(scene["steps"]):
    turns += simulation.agent_count()
    simulation.iterate()
seconds = process_time() - start
out = len(scene["people"]) - simulation.agent_count()
print(json.dumps({"ns": seconds * 1e9 / turns, "check": f"{out} are out"}))
