"""The SQL views and macros that compute every answer, and the DuckDB session that runs them.

Imports ``model`` and ``storage``.
"""
