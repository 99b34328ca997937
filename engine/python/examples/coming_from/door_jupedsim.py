"""150 people leave a room by a door of 1 m, in JuPedSim."""

import jupedsim as jps
from shapely import box

room = box(0, 0, 10, 10).union(box(10, 4.5, 10.4, 5.5)).union(box(10.4, 0, 14, 10))
simulation = jps.Simulation(model=jps.SocialForceModel(), geometry=room, dt=0.01)
leave = simulation.add_exit_stage(box(13, 4, 14, 6))
journey = simulation.add_journey(jps.JourneyDescription([leave]))
for i in range(150):
    place = (0.6 + i % 15 * 0.6, 0.8 + i // 15 * 0.9)
    person = jps.SocialForceModelAgentParameters(
        journey_id=journey, stage_id=leave, position=place, desired_speed=1.3, radius=0.2
    )
    simulation.add_agent(person)

left = []
while simulation.agent_count() > 0 and simulation.elapsed_time() < 30:
    simulation.iterate(100)
    left.append(150 - simulation.agent_count())
print(left)
