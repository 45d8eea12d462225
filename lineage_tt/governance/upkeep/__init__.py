"""What to delete and what to fix: ``redundancy`` is about tables and columns, ``quality`` about the lineage itself."""
