"""Backfill: which tasks to run again after a window of a node was wrong, over which partitions, in which order.

Pure over the port in ``ports``. ``partitions`` cuts time into partitions, ``propagation`` follows the wrong values from
partition to partition through the tasks in force at each time, ``plan`` puts the runs in order, ``cuts`` finds the
points at which to check before continuing. It imports ``model`` and, from ``governance``, the order of tasks
(``core.tasks``).
"""
