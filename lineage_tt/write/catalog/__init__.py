"""Columns that the store knows, which statements depend on them, and when a statement is re-resolved.

Imports ``model`` and ``write.subjects``.
"""
