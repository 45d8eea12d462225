"""The runs of the journal as observations: a day about which something new is known is written again as a whole.

What is written is a function of the runs, so a day can be written any number of times. One process writes at a time;
the next one writes what changed meanwhile.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

import orjson

from ingest.events.runs.journal import Journal
from ingest.events.runs.points import DAY
from lineage_tt.model.errors import UnavailableError
from lineage_tt.read.observations import NAME, day_of
from lineage_tt.storage import durable, failpoints, location
from lineage_tt.storage.file_lock import FileLock, NoLocksError

if TYPE_CHECKING:
    import pyarrow

    from lineage_tt.storage.location import Place

#: Days per commit.
CHUNK: Final = 64
#: Commits after which the table's log gets a checkpoint, and files of days that were rewritten are removed.
TIDY_EVERY: Final = 64
#: How long replaced files are kept for readers, in hours.
RETENTION_HOURS: Final = 1
_RUNS: Final = """
    SELECT at / :length, task, min(at), max(at), sum(state = 'complete'), sum(state = 'failed'), sum(ended - began),
        sum(row_count), sum(byte_count)
    FROM runs
    WHERE at >= :day * :length AND at < (:day + 1) * :length AND kind = 'run' AND state IN ('complete', 'failed')
    GROUP BY task ORDER BY task
"""


def write(journal: Journal, store: Place) -> int:
    """Write the days on which something new is known; return how many there were.

    Raises UnavailableError where the table cannot be written; the next call then writes the days.
    """
    lock = FileLock(journal.path.with_name("observations.lock"))
    try:
        if not lock.try_acquire():
            return 0
    except NoLocksError:
        pass  # without locks, the operator makes sure that one process writes at a time
    try:
        count = 0
        while days := _days(journal):
            _commit(store, _rows(journal, [day for day, _ in days]), [day for day, _ in days])
            failpoints.reach("e4:before")
            journal.written(days)
            count += len(days)
        return count
    finally:
        lock.close()


def _days(journal: Journal) -> list[tuple[int, int]]:
    result: list[tuple[int, int]] = journal.read("SELECT day, stamp FROM days ORDER BY day LIMIT ?", (CHUNK,))
    return result


def _rows(journal: Journal, days: list[int]) -> list[tuple[Any, ...]]:
    return [row for day in days for row in journal.read(_RUNS, {"length": DAY, "day": day})]


def _commit(store: Place, rows: list[tuple[Any, ...]], days: list[int]) -> None:
    from deltalake import DeltaTable, write_deltalake
    from deltalake.exceptions import DeltaError

    place = store / NAME
    options = location.delta_options(place)
    uri = place if isinstance(place, Path) else str(place)
    named = ", ".join(f"'{day_of(day)}'" for day in days)
    try:
        begun = DeltaTable.is_deltatable(str(uri), options)
        write_deltalake(
            uri, _table(rows), partition_by=["day"], mode="overwrite", storage_options=options,
            predicate=f"day IN ({named})" if begun else None,
        )  # fmt: skip
        table = location.delta_table(place)
        _force(place, table)
        if table.version() and table.version() % TIDY_EVERY == 0:
            table.create_checkpoint()
            table.vacuum(RETENTION_HOURS, dry_run=False, enforce_retention_duration=False)
            table.cleanup_metadata()
    except (DeltaError, OSError) as error:
        raise UnavailableError(
            f"the observations cannot be written: {error}", hint="check the disk and its rights, then retry"
        ) from error


def _force(place: Place, table: Any) -> None:
    """Force the last commit and its files to disk: deltalake calls no fsync."""
    if not isinstance(place, Path):
        return
    commit = place / "_delta_log" / f"{table.version():020d}.json"
    for action in map(orjson.loads, commit.read_bytes().splitlines()):
        if "add" in action:
            path = place / unquote(action["add"]["path"])
            durable.sync(path)
            durable.sync(path.parent)
    durable.sync(commit)
    durable.sync(place / "_delta_log")
    durable.sync(place)


def _table(rows: list[tuple[Any, ...]]) -> pyarrow.Table:
    import pyarrow as pa

    instant = pa.timestamp("us", tz="UTC")
    kinds = [
        ("day", pa.string()), ("task_id", pa.string()), ("first_seen", instant), ("last_seen", instant),
        ("runs", pa.int64()), ("failed", pa.int64()), ("duration", pa.int64()), ("rows", pa.int64()),
        ("bytes", pa.int64()),
    ]  # fmt: skip
    rows = [(day_of(day), *rest) for day, *rest in rows]
    columns = zip(*rows, strict=True) if rows else [()] * len(kinds)
    arrays = [pa.array(column, kind) for column, (_, kind) in zip(columns, kinds, strict=True)]
    return pa.table(dict(zip([name for name, _ in kinds], arrays, strict=True)))
