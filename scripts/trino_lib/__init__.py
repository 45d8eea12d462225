"""A stock Trino server for tests: fetched with Maven, started with chosen event listeners, asked over HTTP."""
