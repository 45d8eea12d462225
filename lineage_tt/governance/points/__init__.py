"""Builds points from the temporal graph and its store (``graphed``), or from a list of edges (``plain``).

Both use ``building``, which removes what people reject and joins star edges to columns (``stars``).
"""
