"""What a writer reads back from the log: whole histories, or the last few commits.

Imports ``log``, ``write.catalog`` and ``write.subjects``.
"""
