"""From plans to commits: turns, attempts, drafts that wait, and appends that are committed by another writer.

Reads no message; imports plans and histories of ``write``, and ``log``.
"""
