"""What to delete and what to mend: ``redundancy`` is about tables and columns, ``quality`` about the lineage itself."""
