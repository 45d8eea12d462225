"""The lineage of messages: each text resolved with the columns that the store knows.

Imports ``ingest.workers`` and ``ingest.messages``.
"""
