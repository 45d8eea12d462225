"""Where points come from: the temporal graph and its store (``graphed``), or a list of edges (``plain``).

Both go through ``building``: it takes away what people reject, and joins star edges to columns (``stars``).
"""
