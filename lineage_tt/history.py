"""What a writer reads back from the log: the past of tasks, of the catalog, of refused messages."""

from __future__ import annotations

import errno
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lineage_tt import commits, durable
from lineage_tt.catalog import Entry
from lineage_tt.errors import CorruptError, UnavailableError
from lineage_tt.session import read_failure
from lineage_tt.tasks import PastMessage, TaskHistory
from lineage_tt.timeline import NO_SOURCE_VERSION

if TYPE_CHECKING:
    import duckdb

    from lineage_tt.log import Log

_MESSAGES = """
    SELECT version, task_id, event_id, op, epoch_us(effective_at), source_version, retracts, content_sha256,
           edges.list_transform(lambda e: (e.source, e.target, e.type, e.subtype, e.expression))
    FROM read_parquet($files) WHERE status = 'accepted' AND task_id IN (SELECT unnest($tasks)) ORDER BY task_id, version
"""


@dataclass(slots=True)
class Past:
    """What the versions behind some version hold for a writer."""

    tasks: set[str] = field(default_factory=set)
    rejected: dict[bytes, int] = field(default_factory=dict)
    declared: list[tuple[str, Entry]] = field(default_factory=list)
    withdrawn: set[int] = field(default_factory=set)
    restored: set[int] = field(default_factory=set)


def load(log: Log, after: int = 0) -> Past:
    """Return what versions greater than ``after`` hold for a writer that knows all up to it."""
    files = verified_files(log, after)
    past = Past()
    if not files:
        return past
    known = {"files": [str(path) for path in files], "after": after}
    source = "FROM read_parquet($files) WHERE version > $after"
    with _duckdb() as con:
        past.tasks = {
            t for (t,) in con.execute(f"SELECT DISTINCT task_id {source} AND status = 'accepted'", known).fetchall()
        }
        refused = con.execute(f"SELECT content_sha256, version {source} AND status = 'rejected'", known).fetchall()
        past.rejected = dict(refused)
        outputs = con.execute(
            f"SELECT o.dataset, o.columns, epoch_us(effective_at), coalesce(source_version, {NO_SOURCE_VERSION}), "
            f"version FROM (SELECT version, effective_at, source_version, unnest(outputs) AS o {source})",
            known,
        ).fetchall()
        for dataset, columns, at, source_version, version in outputs:
            past.declared.append((dataset, Entry(at, source_version, version, tuple(columns))))
        retracting = con.execute(f"SELECT DISTINCT task_id {source} AND op = 'retract'", known).fetchall()
    if retracting:
        for history in task_histories(log, {task for (task,) in retracting}).values():
            visible = history.visible_versions()
            past.withdrawn |= history.versions() - visible
            past.restored |= visible
    return past


def task_histories(log: Log, tasks: Iterable[str]) -> Mapping[str, TaskHistory]:
    """Return the histories of these tasks as the log holds them."""
    files = [str(path) for path in verified_files(log)]
    if not files:
        return {}
    with _duckdb() as con:
        rows = con.execute(_MESSAGES, {"files": files, "tasks": list(tasks)}).fetchall()
    messages = [PastMessage(*row) for row in rows]
    return {task: TaskHistory.rebuild(group) for task, group in groupby(messages, key=attrgetter("task_id"))}


def verified_files(log: Log, after: int = 0) -> list[Path]:
    """Return the data files that hold versions behind ``after``, each verified once by this process.

    DuckDB reads a file with a flipped bit without a word. Raises CorruptError where a file is not what was written, or
    where the files together don't hold every version of the log once.
    """
    files, expected = log.files(), 1
    for path in files:
        stated = commits.DATA_FILE.fullmatch(path.name)
        if not stated or int(stated.group(1)) != expected:
            raise CorruptError(f"the log names {path.name} where the data file of version {expected} should stand")
        expected = int(stated.group(2)) + 1
    if expected != log.version + 1:
        raise CorruptError(f"the log's data files end at version {expected - 1}, not {log.version}")
    wanted = [path for path in files if _last_version(path) > after]
    for path in wanted:
        if path not in log.verified:
            verify_file(path)
            log.verified.add(path)
    return wanted


def verify_tail(log: Log) -> None:
    """Raise CorruptError unless the data file of the last commit holds the bytes that were written."""
    for path in log.files()[-1:]:
        verify_file(path)


def verify_file(path: Path) -> None:
    """Raise CorruptError unless a data file's bytes are those that its name states."""
    stated = commits.DATA_FILE.fullmatch(path.name)
    if not stated:
        raise CorruptError(f"{path.name} is not named as a data file of the log")
    first, last, digest = stated.groups()
    try:
        if durable.sha256_file(path) == digest:
            return
        problem = "was cut or altered"
    except FileNotFoundError:
        problem = "is missing"
    except OSError as error:
        if error.errno != errno.EIO:
            raise UnavailableError(
                f"data file {path.name} cannot be read: {error.strerror}",
                hint="raise the limit or mend the permissions, then run the same command again",
            ) from error
        problem = f"cannot be read ({error})"
    raise CorruptError(f"data file {path.name} {problem}: versions {int(first)} to {int(last)} are damaged")


def _last_version(path: Path) -> int:
    stated = commits.DATA_FILE.fullmatch(path.name)
    return int(stated.group(2)) if stated else 0


@contextmanager
def _duckdb() -> Iterator[duckdb.DuckDBPyConnection]:
    import duckdb  # read paths only: appending to an empty store needs none

    config: dict[str, Any] = {"enable_external_access": "true", "preserve_insertion_order": "false"}
    try:
        with duckdb.connect(config=config) as connection:
            yield connection
    except duckdb.Error as error:
        raise read_failure(error) from error
