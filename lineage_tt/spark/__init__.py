"""Jobs on Spark, over the same tables and with the same pure functions; needs ``lineage-tt[spark]`` and Java."""
