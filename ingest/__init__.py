"""Messages in, changesets out: sources, validation and SQL extraction for lineage_tt."""
