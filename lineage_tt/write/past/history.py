"""What a writer reads back from the log: the history of its subjects, the catalog, and rejected messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import orjson

from lineage_tt.log.verify import verified_files
from lineage_tt.model.facts import fields_of, stated_types, with_types
from lineage_tt.model.messages import OTHERS, Subject, TaskChange
from lineage_tt.read.macros.database import reading_files
from lineage_tt.timeline import NO_SOURCE_VERSION
from lineage_tt.write.catalog.catalog import Entry, Statement
from lineage_tt.write.catalog.reresolve import TRANSIENT, Resolution
from lineage_tt.write.subjects.tasks import PastMessage, TaskHistory

if TYPE_CHECKING:
    import duckdb

    from lineage_tt.log.log import Log

_MESSAGES = """
    SELECT version, {subject}, event_id, op, epoch_us(effective_at), source_version, retracts, content_sha256,
           edges.list_transform(lambda e: (e.source, e.target, e.type, e.subtype, e.expression)),
           facts.list_filter(lambda f: kind <> 'task' OR f."key" <> 'column')
               .list_transform(lambda f: (f.node, f."key", f."value")), derived_from,
           stars.list_transform(lambda s: (s.dataset, s.columns_digest)),
           CASE WHEN len(stars) > 0 THEN (
               coverage, problems.list_transform(lambda p: (p.code, p.detail, p.subject, p.line, p."column")),
               outputs.list_transform(lambda o: (o.dataset, o.columns)), {types}) END
    FROM read_parquet($files) WHERE status = 'accepted' AND {condition} ORDER BY 2, version
"""
#: The types that the text of a task's message declares for columns (``lineage_tt.model.facts.type_facts``).
_TYPES = """facts.list_filter(lambda f: f."key" = 'column').list_transform(lambda f: (f.node, f."key", f."value"))"""
_OUTPUTS = """
    SELECT o.dataset, o.columns, {types}, epoch_us(effective_at), coalesce(source_version, -9223372036854775808),
           version, task_id, derived_from
    FROM (SELECT version, effective_at, source_version, task_id, derived_from, facts, unnest(outputs) AS o {source})
"""
_SUPERSEDING = """
    SELECT DISTINCT task_id FROM (
        SELECT task_id FROM read_parquet($files)
        WHERE status = 'accepted' AND task_id IS NOT NULL AND op <> 'retract' AND derived_from IS NULL
            AND ($tasks IS NULL OR task_id IN (SELECT unnest($tasks)))
        GROUP BY task_id, effective_at HAVING count(*) > 1)
"""
_NODE = "(kind, subject, coalesce(fact_key, ''))"
_STATEMENTS = """
    SELECT version, event_id, task_id, op, epoch_us(effective_at), source_version, sql, dialect, namespace,
           default_database, target, params, facts.list_filter(lambda f: f."key" <> 'column')
               .list_transform(lambda f: (f.node, f."key", f."value")), sql_sha256
    FROM read_parquet($files) WHERE version IN (SELECT unnest($versions))
"""


@dataclass(slots=True)
class Past:
    """What a writer needs to know about the versions after some version."""

    tasks: set[Subject] = field(default_factory=set)
    rejected: dict[bytes, int] = field(default_factory=dict)
    declared: list[tuple[str, Entry]] = field(default_factory=list)
    withdrawn: set[int] = field(default_factory=set)
    restored: set[int] = field(default_factory=set)
    stars: list[tuple[str, str]] = field(default_factory=list)  # task, dataset that a star of it reads
    #: All accepted messages of some subjects, in version order, for a writer that has their histories in memory.
    messages: dict[Subject, list[PastMessage]] = field(default_factory=dict)


def load(log: Log, after: int = 0) -> Past:
    """Return what versions greater than ``after`` hold, for a writer that knows everything up to it."""
    files = verified_files(log, after)
    past = Past()
    if not files:
        return past
    known = {"files": [str(path) for path in files], "after": after}
    source = "FROM read_parquet($files) WHERE version > $after"
    with reading_files() as con:
        past.tasks = set(_subjects(con, f"{source} AND status = 'accepted'", known))
        refused = con.execute(f"SELECT content_sha256, version {source} AND status = 'rejected'", known).fetchall()
        past.rejected = dict(refused)
        outputs = con.execute(_OUTPUTS.format(types=_TYPES, source=source), known).fetchall()
        past.declared += _declarations(con, source, known)
        past.stars = con.execute(
            f"SELECT DISTINCT task_id, s.dataset FROM (SELECT task_id, unnest(stars) AS s {source})", known
        ).fetchall()
        moved = _subjects(con, f"{source} AND (op = 'retract' OR derived_from IS NOT NULL)", known)
    tasks = {subject for subject in past.tasks if isinstance(subject, str)} if after else None
    histories = note_moved(log, past, {*moved, *superseding(log, tasks)})
    for dataset, columns, types, at, source_version, version, task, derived_from in outputs:
        if OTHERS in columns:
            continue
        stated_at = histories[task].effective_at(derived_from) if derived_from is not None else at
        statement = Statement(stated_at, source_version, task, derived_from or version)
        shape = with_types(columns, stated_types(types).get(dataset, {}))
        past.declared.append((dataset, Entry.written(at, version, shape, statement)))
    return past


def note_moved(log: Log, past: Past, subjects: Iterable[Subject]) -> Mapping[Subject, TaskHistory]:
    """Note in ``past`` which versions of these subjects count and which do not; return their histories."""
    listed = list(subjects)
    histories = task_histories(log, listed) if listed else {}
    for subject, history in histories.items():
        visible = history.versions_in_force() if isinstance(subject, str) else history.visible_versions()
        past.withdrawn |= history.versions() - visible
        past.restored |= visible
    return histories


def superseding(log: Log, tasks: Iterable[str] | None) -> list[Subject]:
    """Return the tasks (only of these, if given) with several messages that take effect at the same time."""
    known = {"files": [str(path) for path in verified_files(log)], "tasks": None if tasks is None else list(tasks)}
    with reading_files() as con:
        return [task for (task,) in con.execute(_SUPERSEDING, known).fetchall()]


def _subjects(con: duckdb.DuckDBPyConnection, source: str, known: dict[str, Any]) -> list[Subject]:
    """Return the subjects of the rows that ``source`` names."""
    tasks = con.execute(f"SELECT DISTINCT task_id {source} AND task_id IS NOT NULL", known).fetchall()
    nodes = con.execute(f"SELECT DISTINCT {_NODE} {source} AND kind IN ('dataset', 'fact')", known).fetchall()
    return [*(task for (task,) in tasks), *(node for (node,) in nodes)]


def _declarations(con: duckdb.DuckDBPyConnection, source: str, known: dict[str, Any]) -> list[tuple[str, Entry]]:
    rows = con.execute(
        f"SELECT subject, epoch_us(effective_at), coalesce(source_version, {NO_SOURCE_VERSION}), version, "
        f'facts.list_transform(lambda f: (f.node, f."key", f."value")) {source} '
        "AND status = 'accepted' AND kind = 'dataset' AND op <> 'retract'",
        known,
    ).fetchall()
    return [
        (dataset, Entry.declared(at, source_version, version, fields_of(facts)))
        for dataset, at, source_version, version, facts in rows
    ]


def task_histories(log: Log, subjects: Iterable[Subject], after: int = 0) -> Mapping[Subject, TaskHistory]:
    """Return the histories of these subjects as the log holds them; no version up to ``after`` is about them."""
    return {subject: TaskHistory.rebuild(group) for subject, group in messages_of(log, subjects, after)}


def messages_of(
    log: Log, subjects: Iterable[Subject], after: int = 0
) -> Iterator[tuple[Subject, Iterable[PastMessage]]]:
    """Yield, in version order, the accepted messages of these subjects from files with versions after ``after``."""
    files = [str(path) for path in verified_files(log, after)]
    listed = list(subjects)
    tasks = [subject for subject in listed if isinstance(subject, str)]
    nodes = [list(subject) for subject in listed if not isinstance(subject, str)]
    for subject, condition, names in (
        ("task_id", "task_id IN (SELECT unnest($names))", tasks),
        (_NODE, _IS_NODE, nodes),
    ):
        if not files or not names:
            continue
        with reading_files() as con:
            query = _MESSAGES.format(subject=subject, condition=condition, types=_TYPES)
            rows = con.execute(query, {"files": files, "names": names}).fetchall()
        yield from groupby((PastMessage(*row) for row in rows), key=attrgetter("task_id"))


_IS_NODE = "kind IN ('dataset', 'fact') AND [kind, subject, coalesce(fact_key, '')] IN (SELECT unnest($names))"


_RESOLUTIONS = """
    SELECT version, coalesce(derived_from, version), task_id, epoch_us(effective_at), coverage,
        outputs.list_transform(lambda o: (o.dataset, o.columns)), {types}
    FROM read_parquet($files)
    WHERE status = 'accepted' AND sql_sha256 IS NOT NULL AND op <> 'retract'
        AND ($parser IS NULL OR parser <> $parser OR len(list_filter(problems, lambda p: p.code IN {transient})) > 0)
        AND ($task IS NULL OR task_id = $task) AND version <= $upto
    ORDER BY version
"""


def resolutions(log: Log, *, parser: str | None = None, task_id: str | None = None) -> list[Resolution]:
    """Return how SQL was resolved, in order of version: of one task if given, except by ``parser`` if given.

    A resolution that exceeded a limit counts as made by no parser.
    """
    files = [str(path) for path in verified_files(log)]
    if not files:
        return []
    with reading_files() as con:
        known = {"files": files, "parser": parser, "task": task_id, "upto": log.version}
        return [
            Resolution(*row)
            for row in con.execute(_RESOLUTIONS.format(types=_TYPES, transient=TRANSIENT), known).fetchall()
        ]


def statements(log: Log, versions: Iterable[int]) -> dict[int, TaskChange]:
    """Return, by version, the task messages of these versions with everything needed to resolve their SQL."""
    files = [str(path) for path in verified_files(log)]
    with reading_files() as con:
        rows = con.execute(_STATEMENTS, {"files": files, "versions": list(versions)}).fetchall()
    result = {}
    for version, event, task, op, at, rank, sql, dialect, namespace, database, target, params, facts, sha256 in rows:
        result[version] = TaskChange(
            event, task, op, at, rank, sql=sql, dialect=dialect, namespace=namespace, default_database=database,
            target=target, params=orjson.loads(params) if params else {}, facts=facts, text_sha256=sha256,
        )  # fmt: skip
    return result
