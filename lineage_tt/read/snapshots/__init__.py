"""The snapshot of a log: its form, its commit, and walks over it hop by hop.

Makes no snapshot (``spark`` compacts); imports ``log``, ``storage``, ``model`` and ``read.macros``.
"""
