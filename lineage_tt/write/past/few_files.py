"""The histories of some subjects read from the few files of a small log, without DuckDB.

Loading DuckDB, opening a database and querying one task takes 120 ms of processor time the first time and 60 ms later,
and many times as long next to nine other writers. A single message would wait for this if it is the first about its
task in this process. Reading a few files directly takes less: only the row groups that hold the subjects are read, and
compaction clusters the rows by task.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Set
from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from lineage_tt.log.verify import last_version, verified_files
from lineage_tt.write.past import history, latest
from lineage_tt.write.subjects.tasks import PastMessage, TaskHistory

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa
    import pyarrow.parquet as pq

    from lineage_tt.log.log import Log
    from lineage_tt.model.messages import Subject

#: The columns that tell whether a row may be about a subject, and those that are read if it is.
_LOOK: Final = ("status", "task_id", "subject")
_COLUMNS: Final = (
    "version", "system_time", "status", "event_id", "task_id", "op", "effective_at", "source_version", "retracts",
    "outputs", "kind", "subject", "fact_key", "facts", "stars", "derived_from", "content_sha256", "edges", "coverage",
    "problems",
)  # fmt: skip
#: DuckDB is faster for more files than this, for more rows in their row groups, or for more rows to look through.
MAX_FILES: Final = 32
MAX_ROWS: Final = 32_768
MAX_LOOK: Final = 131_072


class _Rows(NamedTuple):
    """Rows of a data file: its row groups that hold any of them, how many rows these have, and the places in them."""

    file: pq.ParquetFile
    groups: list[int]
    size: int
    places: list[int]


def are_few(log: Log, after: int = 0, rows: int = MAX_ROWS) -> bool:
    """Return whether the versions after ``after`` are at most ``rows``, and in few files."""
    if log.version - after > rows:
        return False
    return sum(last_version(path) > after for path in log.files()) <= MAX_FILES


def task_histories(log: Log, subjects: Iterable[Subject], after: int = 0) -> Mapping[Subject, TaskHistory]:
    """Return what ``history.task_histories`` returns, without DuckDB where little is to be read. Raises as that does.

    The caller knows that no version up to ``after`` is about these subjects.
    """
    if not are_few(log, after, MAX_LOOK):
        return history.task_histories(log, subjects, after)
    listed = frozenset(subjects)
    try:
        found = [_rows(path, listed) for path in verified_files(log, after)]
        if sum(rows.size for rows in found) > MAX_ROWS:
            return history.task_histories(log, listed, after)
        tables = [_read(rows) for rows in found if rows.places]
    except FileNotFoundError:  # a rewrite replaced it meanwhile; the DuckDB reader handles that
        return history.task_histories(log, listed, after)
    return {subject: TaskHistory.rebuild(messages) for subject, messages in _messages(tables, listed).items()}


def _rows(path: Path, subjects: Set[Subject]) -> _Rows:
    """Return which rows of a data file may belong to accepted messages about these subjects."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    file = pq.ParquetFile(path)
    look = file.read(columns=list(_LOOK), use_threads=False)
    named = pc.if_else(pc.is_valid(look["task_id"]), look["task_id"], look["subject"])
    names = pa.array({subject if isinstance(subject, str) else subject[1] for subject in subjects}, pa.string())
    wanted = pc.indices_nonzero(pc.and_(pc.equal(look["status"], "accepted"), pc.is_in(named, names))).to_pylist()
    groups, size, places, begin = [], 0, [], 0
    for group in range(file.num_row_groups):
        end = begin + file.metadata.row_group(group).num_rows
        if inside := wanted[bisect_left(wanted, begin) : bisect_left(wanted, end)]:
            groups.append(group)
            places += [size + place - begin for place in inside]
            size += end - begin
        begin = end
    return _Rows(file, groups, size, places)


def _read(rows: _Rows) -> pa.Table:
    return rows.file.read_row_groups(rows.groups, columns=list(_COLUMNS), use_threads=False).take(rows.places)


def _messages(tables: Iterable[pa.Table], subjects: Set[Subject]) -> dict[Subject, list[PastMessage]]:
    from lineage_tt.log.arrow import some_of

    messages: dict[Subject, list[PastMessage]] = {}
    # one table after another: files that compaction wrote differ in which columns may be null
    rows = [row for table in tables for row in some_of(table, _COLUMNS)]
    for row in sorted(rows, key=attrgetter("version")):
        if (subject := latest.subject_of(row)) in subjects:
            messages.setdefault(subject, []).append(latest.message_of(row))
    return messages
