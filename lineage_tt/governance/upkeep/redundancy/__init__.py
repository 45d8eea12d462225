"""What is there twice, and what nobody needs: columns that say the same, sources landed twice, tables nobody reads.

``statements`` is what a text says as a value, ``transitive`` follows copies to their sources, ``pairs`` compares: they
are exact. ``equivalent`` is what edges alone suggest. ``unused`` asks who reads and feeds. ``ingest`` reads the texts.
"""
