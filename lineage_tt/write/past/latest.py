"""What the last few commits hold, for a writer that knows everything before them.

The result is that of ``history.load``, but without deltalake to find the files or DuckDB to read the rows: between two
appends of a writer, others may have made ten small commits, and reading these in 40 ms would take several times as long
as making them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import compress
from typing import TYPE_CHECKING, Any, Final

from lineage_tt.log import commit_file, commits, verify
from lineage_tt.model.errors import CorruptError
from lineage_tt.model.facts import fields_of, stated_types, with_types
from lineage_tt.model.format import LogRow
from lineage_tt.model.messages import OTHERS, Subject
from lineage_tt.storage import location
from lineage_tt.storage.durable import DigestError
from lineage_tt.timeline import NO_SOURCE_VERSION
from lineage_tt.write.catalog.catalog import Entry, Statement
from lineage_tt.write.past import history
from lineage_tt.write.past.history import Past
from lineage_tt.write.subjects.tasks import PastMessage, TaskHistory

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa

    from lineage_tt.log.commits import Commit
    from lineage_tt.log.log import Log

#: DuckDB is faster for more rows than this in all the commits.
MAX_ROWS: Final = 16_384
_COLUMN: Final = "column"
_OF_OTHERS: Final = (
    "version", "system_time", "status", "event_id", "task_id", "op", "effective_at", "source_version", "retracts",
    "outputs", "kind", "subject", "fact_key", "facts", "stars", "derived_from", "content_sha256",
)  # fmt: skip
#: The columns that tell whether a row says more than that it is about its task.
_LOOK: Final = ("status", "task_id", "op", "outputs", "kind", "stars", "derived_from")
#: The columns that are read of plain rows.
_OF_PLAIN: Final = (
    "version", "system_time", "status", "event_id", "task_id", "op", "effective_at", "source_version", "kind", "facts",
    "content_sha256",
)  # fmt: skip
#: The columns that are also read for messages of remembered subjects.
_OF_MESSAGES: Final = ("edges", "coverage", "problems")


def load(log: Log, after: int, remembered: Callable[[Subject], bool], upto: int | None = None) -> Past | None:
    """Return what versions greater than ``after`` hold for a writer; None where ``history.load`` must be used.

    It includes the messages of subjects that are ``remembered``. With ``upto``, which must be the last version of a
    commit, only versions up to it are read. Raises as ``history.load`` does.
    """
    recent = log.commits_after(after)
    if recent is not None and upto is not None:
        recent = [each for each in recent if each.meta["last_version"] <= upto]
    if recent is None or sum(map(_size, recent)) > MAX_ROWS:
        return None
    if any(len(each.added) > 1 and not each.adds_no_version for each in recent):
        return None
    past, moved = Past(), set[Subject]()
    try:
        for commit in recent:
            subjects = commit_file.touches(commit.meta)
            if subjects is not None and not any(map(remembered, subjects)):
                past.tasks.update(subjects)
            elif not commit.adds_no_version:
                _take_file(past, _file(log, commit.added[0]), remembered, moved)
    except (CorruptError, FileNotFoundError):
        if verify.gone(log.path / name for each in recent for name in each.removed):
            return None  # ``history.load`` reads what is in their place
        raise
    reading = {task for task, _ in past.stars if task}
    histories = history.note_moved(log, past, {*moved, *(history.superseding(log, reading) if reading else ())})
    past.declared = [(dataset, _stated(entry, histories)) for dataset, entry in past.declared]
    return past


def of_rows(rows: Iterable[LogRow], remembered: Callable[[Subject], bool]) -> Past:
    """Return what rows hold for a writer, as ``load`` does; all rows must be plain (``commit_file.is_plain``)."""
    past = Past()
    for row in rows:
        subject = subject_of(row)
        past.tasks.add(subject)
        if remembered(subject):
            past.messages.setdefault(subject, []).append(message_of(row))
    return past


def _stated(entry: Entry, histories: Mapping[Subject, TaskHistory]) -> Entry:
    """Return an entry with the time at which its statement took effect, if the statement was re-resolved."""
    statement = entry.statement
    if statement is None or statement.version == entry.version:
        return entry
    stated_at = histories[statement.task_id].effective_at(statement.version)
    return entry._replace(statement=statement._replace(effective_at=stated_at))


def _size(commit: Commit) -> int:
    return int(commit.meta["last_version"]) - int(commit.meta["first_version"]) + 1


def _take_file(past: Past, path: Path, remembered: Callable[[Subject], bool], moved: set[Subject]) -> None:
    """Note what a data file holds. Most rows are plain and of tasks that are not remembered: only their ids are read.

    The order of rows is kept; edges are read only for the messages of remembered subjects.
    """
    import pyarrow.parquet as pq

    from lineage_tt.log.arrow import some_of

    file = pq.ParquetFile(path)
    look = file.read(columns=list(_LOOK), use_threads=False)
    tasks, plain = look.column("task_id").to_pylist(), _plain(look)
    past.tasks.update(compress(tasks, plain))
    places = [place for place, task in enumerate(tasks) if plain[place] and remembered(task)]
    others = [place for place, is_plain in enumerate(plain) if not is_plain]
    if others:
        rows = file.read(columns=list(_OF_OTHERS), use_threads=False).take(others)
        subjects = [_take(past, row, moved) for row in some_of(rows, _OF_OTHERS)]
        places += [place for place, each in zip(others, subjects, strict=True) if each is not None and remembered(each)]
    if not places:
        return
    names = (*_OF_OTHERS, *_OF_MESSAGES) if others else (*_OF_PLAIN, *_OF_MESSAGES)
    table = file.read(columns=list(names), use_threads=False).take(sorted(places))
    for row in some_of(table, names):
        past.messages.setdefault(subject_of(row), []).append(message_of(row))


def _plain(table: pa.Table) -> list[bool]:
    """Return for each row whether it is a task's, was accepted, and is plain (see ``commit_file.is_plain``)."""
    import pyarrow.compute as pc

    def is_empty(name: str) -> pa.ChunkedArray:
        return pc.equal(pc.list_value_length(table.column(name)), 0)

    mask = pc.is_null(table.column("derived_from"))
    for each in (
        pc.equal(table.column("status"), "accepted"), pc.equal(table.column("kind"), "task"),
        pc.not_equal(table.column("op"), "retract"), is_empty("outputs"), is_empty("stars"),
    ):  # fmt: skip
        mask = pc.and_(mask, pc.fill_null(each, False))
    plain: list[bool] = mask.to_pylist()
    return plain


def _file(log: Log, name: str) -> Path:
    path = log.path / name
    stated = commits.DATA_FILE.fullmatch(name)
    if location.is_local(path) and path not in log.verified:
        verify.verify_file(path)
        log.verified.add(path)
    try:
        return location.local_file(path, stated.group(3) if stated else None)
    except (FileNotFoundError, DigestError):
        verify.verify_file(path)  # raises an error that says what is wrong
        raise


def _take(past: Past, row: LogRow, moved: set[Subject]) -> Subject | None:
    """Note what a row holds for a writer; return the row's subject, None for a rejected message."""
    if row.status == "rejected":
        past.rejected[row.content_sha256] = row.version
        return None
    subject = subject_of(row)
    past.tasks.add(subject)
    if row.op == "retract" or row.derived_from is not None:
        moved.add(subject)
    at = row.effective_at or 0
    rank = NO_SOURCE_VERSION if row.source_version is None else row.source_version
    if row.outputs:
        types = stated_types([fact for fact in row.facts if fact[1] == _COLUMN])
        for dataset, columns in row.outputs:
            if OTHERS not in columns:
                shape = with_types(tuple(columns), types.get(dataset, {}))
                statement = Statement(at, rank, row.task_id or "", row.derived_from or row.version)
                past.declared.append((dataset, Entry.written(at, row.version, shape, statement)))
    if row.kind == "dataset" and row.op != "retract":
        fields = fields_of(row.facts)
        past.declared.append((row.subject or "", Entry.declared(at, rank, row.version, fields)))
    past.stars += [(row.task_id or "", dataset) for dataset, _ in row.stars]
    return subject


def subject_of(row: LogRow) -> Subject:
    """Return the subject of an accepted message's row."""
    return row.task_id or (row.kind or "", row.subject or "", row.fact_key or "")


def message_of(row: LogRow) -> PastMessage:
    """Return an accepted row in the form that a history takes."""
    facts: Sequence[tuple[str, str, str]] = row.facts
    if row.kind == "task":
        facts = [fact for fact in facts if fact[1] != _COLUMN]
    return PastMessage(
        row.version, subject_of(row), row.event_id or "", row.op or "", row.effective_at, row.source_version,
        row.retracts, row.content_sha256, row.edges, facts, row.derived_from, row.stars,
        _beside_edges(row) if row.stars else None,
    )  # fmt: skip


def _beside_edges(row: LogRow) -> tuple[Any, ...]:
    """Return what a row says apart from its edges, as ``lineage_tt.write.catalog.reresolve.beside_edges`` does."""
    outputs = [[dataset, list(columns)] for dataset, columns in row.outputs]
    types = sorted(fact for fact in row.facts if fact[1] == _COLUMN)
    return row.coverage, [list(problem) for problem in row.problems], outputs, types
