"""The views and macros in SQL through which every answer comes, and the DuckDB session that runs them.

Imports ``model`` and ``storage``.
"""
