"""Query events of Trino and Presto: from their HTTP and Kafka listeners as they are, and as OpenLineage events.

A query event becomes the run event that Trino's OpenLineage listener would send for the same query, so that all
listeners give the same lineage. Imports ``ingest.messages`` and ``ingest.sql.text``.
"""
