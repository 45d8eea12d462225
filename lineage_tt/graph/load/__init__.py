"""What the graph loads: the snapshot, the log's tail, the messages of tasks and their gaps.

Does not make answers; imports ``graph.arrays``, ``log`` and ``read``.
"""
