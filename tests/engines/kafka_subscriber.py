"""A subscriber for tests to kill: adds up a change topic in SQLite, and stores its cursor in the same transaction.

python tests/engines/kafka_subscriber.py kafka://host:port/topic DATABASE [UNTIL_VERSION [SECONDS_EACH]]
"""

from __future__ import annotations

import sqlite3
import sys
import time
from typing import Any

from lineage_tt.events import signed_changes
from lineage_tt.kafka.reader import TopicReader
from lineage_tt.model.errors import LineageError

_SCHEMA = """
CREATE TABLE IF NOT EXISTS place (version INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS sums (
    edge TEXT, start INTEGER, stop INTEGER, total INTEGER, PRIMARY KEY (edge, start, stop));
"""
#: Represents "without end" in a key.
ENDLESS = 2**62


def opened(path: str) -> sqlite3.Connection:
    """Open the database; create it if necessary."""
    database = sqlite3.connect(path, timeout=30, isolation_level=None)
    database.executescript(_SCHEMA)
    return database


def place(database: sqlite3.Connection) -> int:
    """Return the version up to which the database has read the feed."""
    return int(database.execute("SELECT coalesce(max(version), 0) FROM place").fetchone()[0])


def apply(database: sqlite3.Connection, event: dict[str, Any]) -> None:
    """Add one version and move the cursor, in one transaction."""
    database.execute("BEGIN IMMEDIATE")
    for sign, edge, start, end in signed_changes(event):
        database.execute(
            "INSERT INTO sums VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET total = total + excluded.total",
            ("\x1f".join(edge), start, ENDLESS if end is None else end, sign),
        )
    database.execute("INSERT INTO place VALUES (?)", (event["data"]["version"],))
    database.execute("COMMIT")


def held(path: str) -> dict[tuple[str, ...], list[tuple[int, int]]]:
    """Return the intervals of each edge in the database; touching intervals are joined."""
    steps: dict[tuple[str, ...], dict[int, int]] = {}
    database = opened(path)
    for edge, start, end, total in database.execute("SELECT * FROM sums"):
        of_edge = steps.setdefault(tuple(edge.split("\x1f")), {})
        of_edge[start] = of_edge.get(start, 0) + total
        of_edge[end] = of_edge.get(end, 0) - total
    database.close()
    return {edge: found for edge, cuts in steps.items() if (found := _stretches(cuts))}


def _stretches(cuts: dict[int, int]) -> list[tuple[int, int]]:
    result: list[tuple[int, int]] = []
    total, since = 0, 0
    for at in sorted(cuts):
        before, total = total, total + cuts[at]
        assert total in (0, 1), (cuts, total)
        if before == 0 and total == 1:
            since = at
        elif before == 1 and total == 0:
            result.append((since, at))
    return result


def main(topic: str, path: str, until: int | None = None, each: float = 0.0) -> None:
    """Follow a topic up to version ``until``, and continue after broker failures; wait ``each`` seconds per event."""
    database = opened(path)
    while until is None or place(database) < until:
        try:
            with TopicReader(topic, after=place(database)) as reader:
                while until is None or reader.after < until:
                    for event in reader.poll(0.5):
                        apply(database, event)
                        time.sleep(each)
        except LineageError as error:
            if error.kind != "unavailable":
                raise
            time.sleep(0.5)


if __name__ == "__main__":
    upto, wait = [*sys.argv[3:], "", ""][:2]
    main(sys.argv[1], sys.argv[2], int(upto) if upto else None, float(wait or 0))
