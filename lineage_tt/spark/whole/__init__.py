"""Jobs over all nodes of a point on Spark: labels, ranks, rules; for histories that no one machine holds in memory.

Executors hold the edges: they find those in force among all rectangles of the snapshot (and the log's tail), fold them
and hand values over them. The driver holds what is one number a node: names, bits of labels, ranks. What has to be read
as text (stars, rejections, masking, blocks) are few edges: the driver takes them out and asks the same code that a
question in memory asks, so that both answer alike. May import ``governance``; no module but this package does here.
"""
