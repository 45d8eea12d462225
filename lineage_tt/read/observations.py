"""What runs and deliveries report in addition to lineage.

Runs are in a table next to the log, with one row per task and day. The times at which subscribers received the events
of versions are in the deliverer's SQLite file. A file that ``subscriptions run --state`` keeps elsewhere is not read,
nor what a broker delivers.

Observations are never a reason for a version, and no answer about lineage is read from them. The code that takes in
events writes them (``ingest.events.observations``).
"""

from __future__ import annotations

import sqlite3
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from lineage_tt.model.errors import UnavailableError
from lineage_tt.model.times import instant_of
from lineage_tt.storage import location

if TYPE_CHECKING:
    from lineage_tt.storage.location import Place

#: The folder of the Delta table, next to ``log``; it is partitioned by ``day``.
NAME: Final = "observations"
#: The file of deliveries, next to ``log``.
DELIVERIES: Final = "deliveries.sqlite"
#: A row for each subscription and version; ``at`` in UTC microseconds.
DELIVERED: Final = """CREATE TABLE IF NOT EXISTS delivered
    (subscription TEXT, version INTEGER, at INTEGER, PRIMARY KEY (subscription, version)) WITHOUT ROWID"""
#: Deliveries older than this are dropped when a runner opens the file (microseconds).
MAX_DELIVERY_AGE: Final = 400 * 86_400_000_000
_EPOCH: Final = date(1970, 1, 1)


class Observation(NamedTuple):
    """The runs of one task that took effect on one day (UTC).

    ``first_seen`` and ``last_seen`` are UTC microseconds, ``duration`` is the time that all runs took, in
    microseconds; ``rows`` and ``bytes`` are what they wrote, None where no run reported it. ``runs`` counts completed
    runs, ``failed`` the other runs that ended.
    """

    day: str
    task_id: str
    first_seen: int
    last_seen: int
    runs: int
    failed: int
    duration: int
    rows: int | None
    bytes: int | None


def day_of(number: int) -> str:
    """Return the day ``number`` after 1970-01-01 as ISO 8601."""
    return (_EPOCH + timedelta(days=number)).isoformat()


def observations(store: Place, task_id: str | None = None) -> list[Observation]:
    """Return what was observed, by task and day, for one task if given; empty if no run was ever observed.

    Raises UnavailableError where the table cannot be read.
    """
    if not (store / NAME / "_delta_log").is_dir():
        return []
    from deltalake.exceptions import DeltaError

    filters: Any = [("task_id", "=", task_id)] if task_id is not None else None
    try:
        table = location.delta_table(store / NAME).to_pyarrow_table(filters=filters)
    except (DeltaError, OSError) as error:
        raise UnavailableError(
            f"the observations cannot be read: {error}", hint="send the events again, or restore the folder"
        ) from error
    result = [
        Observation(
            str(row["day"]), row["task_id"], _instant(row["first_seen"]), _instant(row["last_seen"]), row["runs"],
            row["failed"], row["duration"], row["rows"], row["bytes"],
        )
        for row in table.to_pylist()
    ]  # fmt: skip
    return sorted(result, key=lambda each: (each.task_id, each.day))


def _instant(moment: datetime) -> int:
    return instant_of(moment if moment.tzinfo else moment.replace(tzinfo=UTC))


def delivered(store: Place) -> dict[int, tuple[int, ...]]:
    """Return when each version was delivered (UTC microseconds), once for each subscription that received it.

    Empty if none was delivered, or the store is in a bucket. Raises UnavailableError where the file cannot be read.
    """
    path = store / DELIVERIES
    if not isinstance(path, Path) or not path.exists():
        return {}
    mode = "mode=ro" if path.with_name(f"{DELIVERIES}-wal").exists() else "immutable=1"
    result: dict[int, tuple[int, ...]] = {}
    try:
        database = sqlite3.connect(f"{path.resolve().as_uri()}?{mode}", uri=True, timeout=10)
        try:
            if database.execute("SELECT 1 FROM sqlite_master WHERE name = 'delivered'").fetchone():
                for version, at in database.execute("SELECT version, at FROM delivered ORDER BY version, at"):
                    result[version] = (*result.get(version, ()), at)
        finally:
            database.close()
    except sqlite3.Error as error:
        raise UnavailableError(
            f"the deliveries in {path} cannot be read: {error}", hint="run: lineage-tt check"
        ) from None
    return result
