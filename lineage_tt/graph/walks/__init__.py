"""Walks that need more than one kernel: through stars, between two nodes, over a stretch of time, with filters.

Imports ``graph.arrays``.
"""
