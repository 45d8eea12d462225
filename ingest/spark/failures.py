"""Spark's failures in the store's words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from lineage_tt.model.errors import LineageError, UnavailableError


@contextmanager
def spark_failures(what: str) -> Iterator[None]:
    """Turn what Spark raises into an UnavailableError that names the cause; errors of our own pass."""
    try:
        yield
    except (LineageError, KeyboardInterrupt):
        raise
    except Exception as error:
        from py4j.protocol import Py4JError
        from pyspark.errors import PySparkException

        if not isinstance(error, (Py4JError, PySparkException, ConnectionError)):
            raise
        raise UnavailableError(
            f"Spark could not {what}: {cause(error)}",
            hint="what was committed before is in the store: fix the cause and run the same command again",
        ) from error


def cause(error: Exception) -> str:
    """Return the line of Spark's report that says what went wrong: our own error on an executor, else the first."""
    text = str(error)
    ours = re.findall(r"lineage_tt\.errors\.\w+: (.*)", text)
    if ours:
        return str(ours[-1])
    raised = re.findall(r"^(?:[\w.]+Error|[\w.]+Exception): .*$", text, flags=re.MULTILINE)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return (raised[-1] if raised else lines[0] if lines else type(error).__name__)[:500]
