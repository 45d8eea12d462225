"""The append-only log: a Delta table of messages with checksums, its commits, retention and rewriting.

Nothing here answers questions about lineage; imports ``storage`` and ``model``.
"""
