"""Browsing apart from lineage: nodes, lists of datasets, the SQL of a task, planned changes.

Each module answers one question with plain values, which ``routes`` sends over HTTP. It imports ``http`` and ``reads``.
"""
