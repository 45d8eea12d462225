"""The append-only log: a Delta table of messages with checksums, its commits, retention and rewriting.

Asks no question about lineage; imports ``storage`` and ``model``.
"""
