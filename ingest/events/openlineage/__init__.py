"""OpenLineage events: models, and what they state as edges and facts; pure functions of events.

Nothing here knows of runs that follow one another, of a store or of a disk. Imports ``ingest.messages``,
``ingest.resolve`` and ``lineage_tt.model``.
"""
