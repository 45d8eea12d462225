"""Jobs on Spark over all nodes of a point: labels, ranks, rules; for histories that do not fit in one machine's memory.

Executors hold the edges: they find those in force among all rectangles of the snapshot (and the log's tail), fold them
and pass values over them. The driver holds what is one number per node: names, bits of labels, ranks. Edges whose text
matters (stars, rejections, masking, blocks) are few: the driver takes them out and runs the same code that answers a
question in memory, so that both give the same answer. Of ``spark``, only this package may import ``governance``.
"""
