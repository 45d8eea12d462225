"""Events and facets as OpenLineage's specification defines them, and what of one cannot be read.

Imports ``ingest.messages``.
"""
