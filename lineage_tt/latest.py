"""What the last few commits hold for a writer that knows all before them.

It is what ``history.load`` finds, without asking deltalake for the files or DuckDB for the rows: between two appends of
one writer others may have made ten small commits, and 40 ms for them would be several times what they took.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final

from lineage_tt import commit_file, commits, history, storage
from lineage_tt.catalog import Entry
from lineage_tt.durable import DigestError
from lineage_tt.facts import fields_of, stated_types, with_types
from lineage_tt.format import LogRow
from lineage_tt.history import Past
from lineage_tt.messages import OTHERS, Subject
from lineage_tt.tasks import PastMessage
from lineage_tt.timeline import NO_SOURCE_VERSION

if TYPE_CHECKING:
    from pathlib import Path

    from lineage_tt.commits import Commit
    from lineage_tt.log import Log

#: More rows than these in the commits together are better read by DuckDB.
MAX_ROWS: Final = 16_384
#: Of a file with more rows the edges are not read: who needs these histories reads them from the log.
MAX_WHOLE: Final = 64
_COLUMN: Final = "column"
_WANTED: Final = (
    "version", "system_time", "status", "event_id", "task_id", "op", "effective_at", "source_version", "outputs",
    "kind", "subject", "fact_key", "facts", "stars", "derived_from", "content_sha256",
)  # fmt: skip


def load(log: Log, after: int, remembered: Callable[[Subject], bool]) -> Past | None:
    """Return what versions greater than ``after`` hold for a writer; None where ``history.load`` has to be asked.

    The messages of subjects that are ``remembered`` are with it where they are few. Raises as ``history.load``.
    """
    made = log.commits_after(after)
    if made is None or sum(map(_size, made)) > MAX_ROWS or any(len(each.added) > 1 for each in made):
        return None
    past, moved, unread = Past(), set[Subject](), set[Subject]()
    for commit in made:
        subjects = commit_file.touches(commit.meta)
        if subjects is not None and not any(map(remembered, subjects)):
            past.tasks.update(subjects)
        elif not commit.adds_no_version:
            whole = _size(commit) <= MAX_WHOLE
            for row in _rows(log, commit, whole):
                subject = _take(past, row, moved)
                if subject is None:
                    continue
                if not whole:
                    unread.add(subject)
                elif remembered(subject):
                    past.messages.setdefault(subject, []).append(_message(row, subject))
    for subject in unread:
        past.messages.pop(subject, None)
    history.note_moved(log, past, moved)
    return past


def _size(commit: Commit) -> int:
    return int(commit.meta["last_version"]) - int(commit.meta["first_version"]) + 1


def _rows(log: Log, commit: Commit, whole: bool) -> Iterable[LogRow]:
    """Return the rows of a commit's data file, once its bytes are verified; not whole, they lack edges and changes."""
    import pyarrow.parquet as pq

    from lineage_tt.arrow import from_table, some_of

    file = pq.ParquetFile(_file(log, commit.added[0]))
    if whole:
        return from_table(file.read(use_threads=False))
    return some_of(file.read(columns=list(_WANTED), use_threads=False), _WANTED)


def _file(log: Log, name: str) -> Path:
    path = log.path / name
    stated = commits.DATA_FILE.fullmatch(name)
    if storage.is_local(path) and path not in log.verified:
        history.verify_file(path)
        log.verified.add(path)
    try:
        return storage.local_file(path, stated.group(3) if stated else None)
    except (FileNotFoundError, DigestError):
        history.verify_file(path)  # says what is wrong
        raise


def _take(past: Past, row: LogRow, moved: set[Subject]) -> Subject | None:
    """Note what a row holds for a writer; return its subject, None for a rejected message."""
    if row.status == "rejected":
        past.rejected[row.content_sha256] = row.version
        return None
    subject: Subject = row.task_id or (row.kind or "", row.subject or "", row.fact_key or "")
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
                past.declared.append((dataset, Entry(at, rank, row.version, shape)))
    if row.kind == "dataset" and row.op != "retract":
        fields = fields_of(row.facts)
        past.declared.append((row.subject or "", Entry.declared(at, rank, row.version, fields)))
    past.stars += [(row.task_id or "", dataset) for dataset, _ in row.stars]
    return subject


def _message(row: LogRow, subject: Subject) -> PastMessage:
    facts: Sequence[tuple[str, str, str]] = row.facts
    if row.kind == "task":
        facts = [fact for fact in facts if fact[1] != _COLUMN]
    return PastMessage(
        row.version, subject, row.event_id or "", row.op or "", row.effective_at, row.source_version, row.retracts,
        row.content_sha256, row.edges, facts, row.derived_from, row.stars,
    )  # fmt: skip
