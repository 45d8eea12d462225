"""Task changes from a topic to the store, as a member of a consumer group.

Imports ``lineage_tt.kafka`` and the pipeline's batches.
"""
