"""Answers: the DuckDB session, the snapshot, views as of a point, and answers over time.

Never writes the log; imports ``log``, ``storage`` and ``model``.
"""
