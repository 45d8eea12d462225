"""The cursor of each subscription, and undelivered events: a SQLite file of the process that delivers.

A cursor moves once an event is delivered or has become a dead letter. So every event is delivered at least once, and an
event whose delivery was interrupted is sent again with the same id.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from types import TracebackType
from typing import Final, NamedTuple, Self

from lineage_tt.events import Event, encode
from lineage_tt.model.errors import UnavailableError
from lineage_tt.read.observations import DELIVERED, MAX_DELIVERY_AGE

_PREPARE: Final = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "CREATE TABLE IF NOT EXISTS cursors (subscription TEXT PRIMARY KEY, version INTEGER)",
    "CREATE TABLE IF NOT EXISTS undelivered "
    "(subscription TEXT, version INTEGER, problem TEXT, event BLOB, PRIMARY KEY (subscription, version))",
    DELIVERED,
)


class Undelivered(NamedTuple):
    """An event that was given up: its subscription, its version, the reason, and the event as it was sent."""

    subscription: str
    version: int
    problem: str
    event: bytes


class Outbox:
    """Cursors and dead letters in one file; only one process at a time may deliver a subscription from it."""

    def __init__(self, path: str | Path) -> None:
        try:
            self._db = sqlite3.connect(path, isolation_level=None, timeout=10)
            try:
                for statement in _PREPARE:
                    self._db.execute(statement)
            except BaseException:
                self._db.close()
                raise
        except sqlite3.Error as error:
            raise UnavailableError(
                f"cannot keep cursors in {path}: {error}", hint="give another file: --state"
            ) from None

    def cursor(self, subscription: str) -> int | None:
        """Return the version up to which a subscription was delivered, None before the first."""
        row = self._db.execute("SELECT version FROM cursors WHERE subscription = ?", (subscription,)).fetchone()
        return int(row[0]) if row else None

    def move(self, subscription: str, version: int) -> None:
        """Note that everything up to a version was delivered or given up."""
        self._db.execute("INSERT OR REPLACE INTO cursors VALUES (?, ?)", (subscription, version))

    def delivered(self, subscription: str, version: int, at: int) -> None:
        """Note that a version's event was delivered at an instant (UTC microseconds), after all events before it."""
        self._db.execute("BEGIN IMMEDIATE")
        self.late(subscription, version, at)
        self.move(subscription, version)
        self._db.execute("COMMIT")

    def late(self, subscription: str, version: int, at: int) -> None:
        """Note when a dead letter was finally delivered; the cursor is already past it."""
        self._db.execute("INSERT OR IGNORE INTO delivered VALUES (?, ?, ?)", (subscription, version, at))

    def drop_old(self, now: int) -> None:
        """Drop the delivery times of events that are too old for any figure."""
        self._db.execute("DELETE FROM delivered WHERE at < ?", (now - MAX_DELIVERY_AGE,))

    def give_up(self, subscription: str, version: int, event: Event, problem: str) -> None:
        """Keep an event that could not be delivered, and continue after it."""
        self._db.execute("BEGIN IMMEDIATE")
        row = (subscription, version, problem, encode(event))
        self._db.execute("INSERT OR REPLACE INTO undelivered VALUES (?, ?, ?, ?)", row)
        self.move(subscription, version)
        self._db.execute("COMMIT")

    def undelivered(self, subscription: str | None = None) -> list[Undelivered]:
        """Return the events that were given up, for one subscription or all, by version."""
        rows = self._db.execute(
            "SELECT * FROM undelivered WHERE ? IS NULL OR subscription = ? ORDER BY version, subscription",
            (subscription, subscription),
        )
        return [Undelivered(*row) for row in rows]

    def forget(self, subscription: str, version: int) -> None:
        """Drop a dead letter that was finally delivered."""
        self._db.execute("DELETE FROM undelivered WHERE subscription = ? AND version = ?", (subscription, version))

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
