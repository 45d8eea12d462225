"""What runs tell beside lineage: a table of its own beside the log, a row a task and day.

It is never a reason for a version, and no answer about lineage is read from it. Whoever takes events in writes it
(``ingest.events.observations``).
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from lineage_tt.model.errors import UnavailableError
from lineage_tt.model.times import instant_of
from lineage_tt.storage import location

if TYPE_CHECKING:
    from lineage_tt.storage.location import Place

#: The folder of the Delta table, beside ``log``; it is partitioned by ``day``.
NAME: Final = "observations"
_EPOCH: Final = date(1970, 1, 1)


class Observation(NamedTuple):
    """The runs of one task that took effect on one day (UTC).

    ``first_seen`` and ``last_seen`` are UTC microseconds, ``duration`` is the time that all runs took, in
    microseconds; ``rows`` and ``bytes`` are what they wrote, None where no run reported it. ``runs`` counts those
    that were completed, ``failed`` the others that ended.
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
    """Return the day so many days after 1970-01-01 as ISO 8601."""
    return (_EPOCH + timedelta(days=number)).isoformat()


def observations(store: Place, task_id: str | None = None) -> list[Observation]:
    """Return what was observed, by task and day, of one task if given; nothing where no run was ever observed.

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
