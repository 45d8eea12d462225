"""dbt's artifacts to messages: what a project's manifest, catalog and run results say, without dbt installed.

Runs nothing and connects to nothing; imports ``ingest.messages``, ``ingest.resolve`` and the names of ``ingest.sql``.
"""
