"""lineage_tt: a temporal lineage store with a change feed."""
