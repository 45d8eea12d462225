"""What holds of one kind of dbt's nodes: what tests are attached to, what snapshots add, what metrics take in.

Imports ``ingest.dbt.columns``, ``ingest.dbt.relations`` and ``ingest.dbt.texts``.
"""
