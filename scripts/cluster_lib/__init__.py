"""A Spark cluster on this machine, for tests and benchmarks."""
