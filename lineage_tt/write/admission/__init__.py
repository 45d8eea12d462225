"""Checks of a single message before it is placed, and what happens to a message on which the code fails.

Imports ``model`` and ``write.rows``.
"""
