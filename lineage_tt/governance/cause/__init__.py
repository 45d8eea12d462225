"""Root cause: what changed upstream of a node before it went wrong, and which change is its most likely cause.

Pure over the port in ``ports``: walks at any valid time as known at one version, and the messages of tasks. It imports
only ``model``; ``past`` implements the port with the graph. ``flow`` computes how much of a column's value comes from
where, ``suspects`` finds the changes, ``classes`` determines what each did, ``checks`` reads the results of checks,
``ranking`` orders.
"""
