"""What people look at besides lineage itself: a node, what there is to browse, the SQL of a task, what is planned.

Each file turns one question into plain values; ``routes`` answers it over HTTP. Imports ``http`` and ``reads``.
"""
