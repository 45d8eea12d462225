"""What people browse apart from lineage itself: nodes, lists of what exists, the SQL of a task, planned changes.

Each file turns one question into plain values; ``routes`` answers it over HTTP. Imports ``http`` and ``reads``.
"""
