"""Answers: the DuckDB session, the snapshot, views as of a point, and answers over time.

Does not write the log; imports ``log``, ``storage`` and ``model``.
"""
