"""Lineage as files for other programs: edges, closures, changes and roll-ups as tables.

``tables`` makes Arrow tables with a fixed schema, ``files`` writes them. Imports ``read``, ``levels`` and below.
"""
