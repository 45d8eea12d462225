"""What to delete and what to fix: ``redundancy`` covers tables and columns, ``quality`` the lineage itself."""
