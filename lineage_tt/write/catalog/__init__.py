"""Columns that the store knows, which statements depend on them, and when a statement is resolved again.

Imports ``model`` and ``write.subjects``.
"""
