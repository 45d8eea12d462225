"""Redundant and unused data: columns with the same computation, sources that landed twice, tables that nobody reads.

``statements`` is what a text says as a value, ``transitive`` follows copies to their sources, ``pairs`` compares: they
are exact. ``equivalent`` is what edges alone suggest. ``unused`` asks who reads and feeds. ``ingest`` reads the texts.
"""
