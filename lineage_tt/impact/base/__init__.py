"""The state before a release: a port, its adapters over DuckDB and the graph, and queries on it.

This package judges nothing.
"""
