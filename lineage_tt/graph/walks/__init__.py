"""Walks that need more than one kernel: through stars, between two nodes, over an interval of time, with filters.

Imports ``graph.arrays``.
"""
