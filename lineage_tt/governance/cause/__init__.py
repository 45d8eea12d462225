"""Root cause: what changed upstream of a node before it went wrong, and which change is most likely behind it.

Pure over the port in ``ports``: walks at any valid time as known at one version, and the messages of tasks. It imports
``model`` alone; ``past`` answers the port from the graph. ``flow`` says how much of a column's value comes from where,
``suspects`` finds the changes, ``classes`` says what each did, ``checks`` reads what checks found, ``ranking`` orders.
"""
