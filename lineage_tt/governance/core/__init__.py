"""Core links: the chain of tasks that makes a promised node, its times, and which promise breaks when a task is late.

Pure: edges and facts come in as values, times of a day are microseconds since its midnight in UTC. It imports ``model``
and the port of ``governance`` alone. ``tasks`` orders tasks, ``timings`` says how long each takes, ``promises`` reads
what people promised, ``schedule`` computes times, ``chain`` and ``late`` answer.
"""
