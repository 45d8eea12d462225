"""Messages into the store through Spark: bulk import, reconciliation, streaming. Needs ``lineage-tt[spark]``."""
