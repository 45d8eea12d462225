"""A real Kafka broker for tests, benchmarks and trials: fetched with Maven, run by Java, on the loopback only."""
