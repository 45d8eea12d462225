"""Backfill: which tasks to run again after a window of a node was wrong, over which partitions, in which order.

Pure over the port in ``ports``. ``partitions`` cuts time into partitions, ``propagation`` follows the wrong values from
partition to partition by who was in force when, ``plan`` puts the runs in order, ``cuts`` finds where to look before
continuing. It imports ``model``, and of ``governance`` the order of tasks (``core.tasks``).
"""
