"""From plans to commits: what a writer knows, turns, drafts that wait, appends that another writer commits.

Reads no message; imports plans and histories of ``write``, and ``log``.
"""
