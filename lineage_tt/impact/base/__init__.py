"""The state before a release: a port, its adapters over DuckDB and the graph, and what is asked of it.

Judges nothing.
"""
