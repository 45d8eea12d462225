"""Core links: the chain of tasks that makes a promised node, its times, and which promise breaks when a task is late.

Pure: edges and facts are passed in as values, and times of day are microseconds since midnight UTC. It imports only
``model`` and the port of ``governance``. ``tasks`` orders tasks, ``timings`` determines how long each takes,
``promises`` reads what people promised, ``schedule`` computes times, ``chain`` and ``late`` answer the questions.
"""
