"""What people browse apart from lineage itself: nodes, lists of what exists, the SQL of a task, planned changes.

Each module answers one question with plain values, which ``routes`` sends over HTTP. Imports ``http`` and ``reads``.
"""
