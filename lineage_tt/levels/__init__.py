"""Lineage seen from other levels than columns and tables: from task to task. Imports ``model`` alone."""
