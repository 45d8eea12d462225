"""Lineage at levels other than columns and tables: from task to task, and between groups. Imports only ``model``."""
