"""The snapshot of a log: its form, its commit, and hop-by-hop walks over it or over the log alone.

Does not make snapshots (``spark`` compacts); imports ``log``, ``storage``, ``model`` and ``read.macros``.
"""
