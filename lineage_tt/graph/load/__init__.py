"""What the graph takes in: the snapshot, the log's tail, the messages of tasks and what they lack.

Makes no answers; imports ``graph.arrays``, ``log`` and ``read``.
"""
