"""From plans to commits: what a writer knows, turns, waiting drafts, and appends that another writer commits.

Does not read messages; imports plans and histories of ``write``, and ``log``.
"""
