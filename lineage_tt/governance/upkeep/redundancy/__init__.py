"""Redundant and unused data: columns with the same computation, sources that landed twice, tables that nobody reads.

``statements`` represents texts as values, ``transitive`` follows copies to their sources, ``pairs`` compares: these are
exact. ``equivalent`` finds what edges alone suggest. ``unused`` finds what nobody reads or feeds. ``ingest`` parses the
texts.
"""
