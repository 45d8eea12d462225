"""How good the lineage itself is: its coverage, its agreement, its delay, edges that flap, edges added by hand.

``groups`` determines the groups for which a task or dataset counts, ``measures`` reads the log, ``quality`` computes
the figures. All of it is as of a point.
"""
