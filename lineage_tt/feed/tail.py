"""Reads the feed from the end of the log, commit by commit, for ``changes``, the relay and the service.

Only the columns that the feed needs are read, one data file at a time, and each file's bytes are verified. Nothing is
returned before it is durable: a reader must never hold what the store could still lose in a power cut.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lineage_tt.feed.changes import entry_of
from lineage_tt.log import commits, verify
from lineage_tt.model.answers import FeedEntry
from lineage_tt.model.errors import CorruptError, GapError
from lineage_tt.model.os_errors import system_errors

if TYPE_CHECKING:
    import pyarrow as pa

    from lineage_tt.read.ports import LogAt

#: The columns of the log from which the feed is made; a store of an older release may lack some of them.
COLUMNS: Final = (
    "version", "system_time", "task_id", "event_id", "op", "effective_at", "actor", "reason", "cause", "edges",
    "changes", "kind", "subject", "fact_changes", "derived_from",
)  # fmt: skip
#: A data file of the log: path, first version, last version.
DataFile = tuple[Any, int, int]
_LISTS: Final = ("edges", "changes", "fact_changes")
#: A call of ``read`` stops after the data file with which it reaches this many entries, or this many changes.
MAX_ENTRIES: Final = 2_000
MAX_CHANGES: Final = 200_000
#: How long to sleep between two checks for new versions, in seconds.
LOOK_EVERY: Final = 0.004
#: The same where a check is a request over the network.
LOOK_EVERY_REMOTE: Final = 0.5
NO_END: Final = 2**63 - 1


class Tail:
    """A cursor over the feed: ``read`` returns what came after version ``after`` and advances.

    It moves the given log to new commits, so a tail that is followed needs a log of its own; with ``upto`` it stays at
    that version. Raises GapError where versions after ``after`` are no longer kept.
    """

    def __init__(self, log: LogAt, after: int = 0, *, upto: int | None = None) -> None:
        self._log = log
        self._head_seen: object = None
        self._pending: list[FeedEntry] = []
        self.after = after
        self._read_to = after
        self._end = NO_END if upto is None else upto
        self._version = upto or 0
        self._listed = -1  # the Delta version up to which files were listed or noted
        self._files: list[DataFile] = []
        if upto is None:
            self.refresh()
        else:
            self._list()
        self._refuse_gap(after)
        self._previous = verify.retried(self._log, partial(self._last_changing, after))

    @property
    def version(self) -> int:
        """The last acknowledged version at the last refresh."""
        return self._version

    @property
    def previous(self) -> int:
        """The last version up to ``after`` that changed anything: the ``previous_version`` of the next entry."""
        return self._previous

    @property
    def lag(self) -> int:
        """How many versions were acknowledged and not yet read at the last refresh."""
        return max(0, self._version - self.after)

    @system_errors("read the log's commits")
    def refresh(self) -> int:
        """Check for new commits; return the last acknowledged version."""
        self._head_seen = _stamp(self._log)
        unseen = self._log.delta_version != self._listed
        fresh = self._log.refresh()
        if unseen or any(commit.removed or commit.adds_no_version for commit in fresh):
            self._list()
        else:
            self._files += [_stated(self._log.path / name) for commit in fresh for name in commit.added]
            self._listed = self._log.delta_version
        head = commits.read_head(self._log.path)
        self._version = min(self._log.version, head.version if head else 0, self._end)
        if self._read_to:
            self._refuse_gap(self._read_to)  # a horizon may have passed this reader
        return self._version

    def _list(self) -> None:
        """List the data files to read; files of commits that only add are noted one by one instead."""
        files = [_stated(path) for path in self._log.files()]
        self._files = [file for file in files if file[2] > self._read_to]
        dropped = self._log.horizon.version if self._log.horizon else 0
        #: The version after which the log is kept completely: a cursor before it has missed changes. 0: all is kept.
        self._log_begin = max(files[0][1] - 1, dropped) if files else dropped
        self._listed = self._log.delta_version

    def _refuse_gap(self, after: int) -> None:
        if after < self._log_begin:
            raise GapError(after, self._log_begin, self._log_begin)

    def wait(self, timeout: float) -> bool:
        """Wait at most ``timeout`` seconds until there is a version after ``after``; return whether there is one."""
        deadline = time.monotonic() + timeout
        while True:
            if self._pending or self._version > self._read_to:
                return True
            if self._read_to >= self._end:
                return False
            seen = _stamp(self._log)
            if (seen is None or seen != self._head_seen) and self.refresh() > self._read_to:
                return True
            if time.monotonic() >= deadline:
                return False
            time.sleep(min(LOOK_EVERY_REMOTE if seen is None else LOOK_EVERY, timeout))

    @system_errors("read the feed")
    def read(self, most: int = MAX_ENTRIES) -> list[FeedEntry]:
        """Return the next entries, in version order, at most ``most``; none if there are no more yet.

        Afterwards ``after`` is the last version read, even if that has no changes.
        """
        while len(self._pending) < most and self._read_to < self._version:
            self._read_files(most - len(self._pending))
        entries, self._pending = self._pending[:most], self._pending[most:]
        self.after = entries[-1].version if self._pending else self._read_to
        return entries

    def entries(self) -> Iterator[FeedEntry]:
        """Yield all entries up to the last acknowledged version at the last refresh."""
        while self.after < self._version or self._pending:
            yield from self.read()

    def _read_files(self, most: int) -> None:
        changes = 0
        while self._files and self._files[0][1] <= self._version:
            path, _, last = self._files[0]
            try:
                rows = _rows(path, COLUMNS, self._read_to, self._version)
            except FileNotFoundError:  # another file has replaced it
                self._log.refresh()
                self._list()
                if not self._files or self._files[0][0] == path:
                    raise
                continue
            for row in rows:
                if entry := entry_of(row, self._previous):
                    self._pending.append(entry)
                    self._previous = entry.version
                    changes += len(entry.changes) + len(entry.facts)
            self._read_to = min(last, self._version)
            if last <= self._version:
                del self._files[0]
            if len(self._pending) >= most or changes >= MAX_CHANGES:
                return
            if last > self._version:
                break
        self._read_to = self._version

    @system_errors("read the feed")
    def _last_changing(self, upto: int) -> int:
        """Return the last version up to ``upto`` that changed anything, 0 where there is none."""
        dropped = self._log.horizon.version if self._log.horizon else 0
        files = [item for item in map(_stated, self._log.files()) if item[1] <= upto and item[2] > dropped]
        for path, _, _ in reversed(files):
            rows = _rows(path, ("version", "op", *_LISTS), 0, upto)
            versions = [row["version"] for row in rows if entry_of(_bare(row), 0)]
            if versions and versions[-1] > dropped:
                return int(versions[-1])
        return self._log.changed_before_horizon or self._log_begin


def _stated(path: Any) -> DataFile:
    stated = commits.DATA_FILE.fullmatch(path.name)
    if not stated:
        raise CorruptError(f"{path.name} is not named as a data file of the log")
    return path, int(stated.group(1)), int(stated.group(2))


def _stamp(log: LogAt) -> object:
    """Return a value that changes when the head file is replaced; None where only reading the file shows that."""
    if not isinstance(log.path, Path):
        return None
    try:
        status = (log.path / commits.HEAD_NAME).stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns


def _rows(path: Any, names: tuple[str, ...], after: int, upto: int) -> Iterator[dict[str, Any]]:
    """Yield the rows of a data file in (after, upto] that changed anything, as dictionaries of these columns."""
    data = path.read_bytes()
    stated = commits.DATA_FILE.fullmatch(path.name)
    if not stated or hashlib.sha256(data).hexdigest() != stated.group(3):
        raise CorruptError(f"data file {path.name} was cut or altered")
    return _rows_in(data, names, after, upto)


def _rows_in(data: bytes, names: tuple[str, ...], after: int, upto: int) -> Iterator[dict[str, Any]]:
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    from lineage_tt.log.arrow import batches

    file = pq.ParquetFile(pa.BufferReader(data))
    stored = set(file.schema_arrow.names)
    there = [name for name in names if name in stored]
    for batch in batches(file, 2048, there):
        table = pa.Table.from_batches([batch])
        version = table["version"]
        in_range = pc.and_(pc.greater(version, after), pc.less_equal(version, upto))
        changed = [pc.greater(pc.list_value_length(table[n]), 0) for n in ("changes", "fact_changes") if n in there]
        for more in changed[1:]:
            changed[0] = pc.or_kleene(changed[0], more)
        table = table.filter(pc.and_(in_range, changed[0]))
        columns = [_values(table[name].combine_chunks(), name in _LISTS) for name in there]
        for values in zip(*columns, strict=True):
            yield dict(zip(there, values, strict=True))


def _values(column: pa.Array, nested: bool) -> list[Any]:
    """Return a column as Python values: instants as integers, lists of structs as lists of tuples."""
    import pyarrow as pa

    if not nested:
        return _plain(column)
    flat = column.flatten()
    fields = [_plain(flat.field(i)) for i in range(flat.type.num_fields)]
    items = list(zip(*fields, strict=True))
    lengths = column.value_lengths().fill_null(0).to_pylist()
    result, at = [], 0
    for length in lengths:
        result.append(items[at : at + length])
        at += length
    assert isinstance(column, pa.ListArray)
    return result


def _plain(column: pa.Array) -> list[Any]:
    import pyarrow as pa

    values: list[Any] = (column.cast(pa.int64()) if pa.types.is_timestamp(column.type) else column).to_pylist()
    return values


def _bare(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row in which the columns that only describe an entry are empty."""
    return dict.fromkeys(COLUMNS) | row
