"""An epidemic with pyNetLogo: NetLogo's model "Virus", controlled from Python."""

import pynetlogo

netlogo = pynetlogo.NetLogoLink(gui=False)
netlogo.load_model("models/Sample Models/Biology/Virus.nlogo")
netlogo.command("random-seed 1")
netlogo.command("set number-people 100")
netlogo.command("setup")
counts = netlogo.repeat_report(["count turtles with [sick?]", "count turtles"], 600)
print(counts.tail())
netlogo.kill_workspace()
