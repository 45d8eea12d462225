"""The snapshot of a log: its form, its commit, and walks over it, or over the log alone, hop by hop.

Makes no snapshot (``spark`` compacts); imports ``log``, ``storage``, ``model`` and ``read.macros``.
"""
