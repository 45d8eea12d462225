"""Seeded faults: a platform's real tasks run in DuckDB on made rows, one text made wrong, and its root cause asked."""
