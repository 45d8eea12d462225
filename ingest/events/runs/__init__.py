"""From runs to valid time: the durable journal of events, what each run decides, and when lineage differs.

The journal is SQLite; the log is written by the caller. Imports ``ingest.events.openlineage``, ``ingest.events.policy``
and ``lineage_tt.model``.
"""
