"""How good the lineage itself is: what is covered, how far it agrees, how late it came, what flaps, what is by hand.

``groups`` says whose figure a task or dataset counts for, ``measures`` reads what the log says, ``quality`` puts the
figures together. All of it is worked out as of a point.
"""
