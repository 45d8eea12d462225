"""A dbt project into the store: what differs from its last run becomes messages, and nothing else does.

A project and its target are one source. Each statement of the project (a task, a dataset's columns, a fact) has a
digest, and its event id carries it; where the latest message before the manifest's time has the same digest, both of
this source and of all such sources, nothing is sent. So a run that changed nothing makes no version, and an older
manifest that arrives late takes effect at its own time. What a later manifest lacks goes offline, or is no longer
declared, where this source was the last that said it: several targets may read one table.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import orjson

from ingest.batches import Summary
from ingest.dbt import checks
from ingest.dbt.artifacts import Artifacts, read_target
from ingest.dbt.dependencies import DependenciesResolver
from ingest.dbt.messages import TABLES, Content, contents
from ingest.dbt.places import elsewhere, held_tasks
from ingest.dbt.relations import SOURCE, Relations, dialect_of
from ingest.dbt.runs import not_built
from ingest.dbt.unread import unread
from ingest.messages.native import parse_message
from ingest.resolve.resolver import SqlResolver
from ingest.sql.dialects.dialects import UnknownDialectError
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.facts import CHECK
from lineage_tt.model.messages import TABLES_ONLY, Message, Problem, RejectedMessage, TaskChange
from lineage_tt.model.names import clipped, too_long
from lineage_tt.model.os_errors import system_errors
from lineage_tt.model.times import parse_instant
from lineage_tt.store import Store

#: The most messages of one commit.
MAX_TOGETHER: Final = 4096
_MARK: Final = "dbt-"
_GONE: Final = ("offline", "drop", "clear")
_LAST: Final = """
    SELECT kind, coalesce(task_id, subject), fact_key, arg_max(event_id, (effective_at, version)),
        arg_max(op, (effective_at, version)), arg_max(source, (effective_at, version)),
        arg_max(event_id, (effective_at, version)) FILTER (source = $source)
    FROM log
    WHERE starts_with(source, $prefix) AND starts_with(event_id, $mark) AND status = 'accepted'
        AND derived_from IS NULL AND op <> 'retract' AND effective_at <= make_timestamptz($at)
    GROUP BY ALL
"""
_CHECKS: Final = f"""
    SELECT subject, fact_key, epoch_us(effective_at), event_id FROM log
    WHERE starts_with(source, $prefix) AND status = 'accepted' AND starts_with(fact_key, '{CHECK}') AND op <> 'retract'
    ORDER BY version
"""


class Subject(NamedTuple):
    """What a message is about: kind, task or node, and for a fact its key."""

    kind: str
    name: str
    key: str | None = None


class LastMessage(NamedTuple):
    """The last message of all projects about a subject: its digest, its source, and whether it ended the subject.

    ``own`` is the digest of the last message of the source that is ingested, None if it said nothing of the subject.
    """

    digest: str
    source: str
    is_gone: bool
    own: str | None


@system_errors("ingest the dbt project")
def ingest_target(
    store: Store,
    folder: Path,
    resolver: SqlResolver,
    *,
    dialect: str | None = None,
    namespace: str | None = None,
    target: str | None = None,
) -> Summary:
    """Append what a target folder says and the store does not hold; return the outcome.

    ``dialect`` and ``namespace`` default to the adapter's, ``target`` to that of the run results. Raises
    InvalidRequestError for a folder without artifacts, a dialect that is not known, or a time that cannot be read.
    """
    begun = time.monotonic()
    artifacts = read_target(folder)
    source = source_of(artifacts, target)
    relations = relations_of(artifacts, dialect=dialect, namespace=namespace)
    pending = messages(store, artifacts, source, relations)
    summary = Summary(source)
    summary.problems = {each.code: (each.number, each.example) for each in unread(artifacts, relations)}
    analyst = DependenciesResolver(resolver, relations)
    for start in range(0, len(pending), MAX_TOGETHER):
        some = pending[start : start + MAX_TOGETHER]
        summary.received += len(some)
        summary.count(store.writer.append(some, source=source, resolver=analyst))
    summary.seconds = time.monotonic() - begun
    return summary


def source_of(artifacts: Artifacts, target: str | None = None) -> str:
    """Return the name of a project and its target as a source of messages."""
    result = ":".join(filter(None, ("dbt", artifacts.project, target or artifacts.target)))
    if too_long(result):
        raise InvalidRequestError(
            f"the name of the project is too long: {clipped(result)}", hint="give it a shorter one"
        )
    return result


def relations_of(artifacts: Artifacts, *, dialect: str | None = None, namespace: str | None = None) -> Relations:
    """Return the nodes of a project; InvalidRequestError for a dialect that is not known."""
    spoken = dialect or dialect_of(artifacts.adapter)
    try:
        return Relations(artifacts.manifest, spoken, namespace or spoken, artifacts.catalog)
    except UnknownDialectError as error:
        raise InvalidRequestError(
            f"dbt's adapter {artifacts.adapter!r}: {error}", hint="name the dialect of its SQL: --dialect"
        ) from None


def messages(store: Store, artifacts: Artifacts, source: str, relations: Relations | None = None) -> list[Message]:
    """Return the messages that bring the store up to a project's artifacts, in order."""
    relations = relations or relations_of(artifacts)
    at = _instant(artifacts)
    relations.set_place(source, elsewhere(relations, source, held_tasks(store)))
    known = {
        Subject(kind, name, key): LastMessage(_digest_in(event_id), last, op in _GONE, own and _digest_in(own))
        for kind, name, key, event_id, op, last, own in store.fetch(
            _LAST, source=source, prefix=SOURCE, mark=_MARK, at=at
        )
    }
    checked = {Subject("fact", node, key) for node, key in checks.keys(relations)}
    held = _held(artifacts, relations, known)
    changed = list(_differing(contents(artifacts, relations), known, artifacts, source, checked | held))
    return changed + list(_results(store, artifacts, relations))


def _held(artifacts: Artifacts, relations: Relations, known: Mapping[Subject, LastMessage]) -> set[Subject]:
    """Return the tasks that this run did not build: what was said of them before holds, or nothing yet."""
    failed, skipped = (
        {Subject("task", relations.task(each)) for each in ids} for ids in not_built(artifacts, relations)
    )
    return failed | {each for each in skipped if each in known}


def _results(store: Store, artifacts: Artifacts, relations: Relations) -> Iterator[Message]:
    """Yield the results of tests that differ from those before."""
    before: dict[Subject, list[tuple[int, str]]] = {}
    for node, key, at, event_id in store.fetch(_CHECKS, prefix=SOURCE):
        before.setdefault(Subject("fact", node, key), []).append((at, _digest_in(event_id)))
    for result in checks.results(artifacts, relations):
        if isinstance(result, RejectedMessage):
            yield result
            continue
        earlier = before.setdefault(_subject(result.content), [])
        at, digest = parse_instant(result.at), _digest(result.content)
        last = max((each for each in earlier if each[0] <= at), default=None)
        if last is None or last[1] != digest:
            earlier.append((at, digest))
            yield _message(result.content | result.figures, digest, artifacts, result.at)


def _differing(
    stated: Iterable[Content | RejectedMessage],
    known: Mapping[Subject, LastMessage],
    artifacts: Artifacts,
    source: str,
    there: set[Subject],
) -> Iterator[Message]:
    """Yield what is stated and not yet known, and the ends of known subjects that are neither stated nor ``there``.

    Only what the source itself said last ends.
    """
    failed: set[str | None] = set()
    for content in stated:
        if isinstance(content, RejectedMessage):
            failed.add(content.task_id)
            yield content
            continue
        subject = _subject(content)
        if subject in there:
            continue
        there.add(subject)
        digest = _digest(content)
        last = known.get(subject)
        if last is not None and last.digest == last.own == digest and not last.is_gone:
            continue
        if content["kind"] == "task":
            content["op"] = "update" if last is not None and not last.is_gone else "online"
        yield _message(content, digest, artifacts)
    own = [subject for subject, state in known.items() if state.source == source and not state.is_gone]
    left = [subject for subject in own if subject not in there]
    if failed:  # what these nodes say about datasets is not known
        left = [subject for subject in left if subject.kind == "task" and subject.name not in failed]
    yield from _gone(left, artifacts)


def _gone(subjects: Sequence[Subject], artifacts: Artifacts) -> Iterator[Message]:
    """Yield messages that end what only earlier runs stated."""
    reason = "not in the manifest any more"
    for kind, name, key in sorted(subjects, key=lambda subject: (subject.kind, subject.name, subject.key or "")):
        content: Content = {"kind": kind, "reason": reason}
        if kind == "task":
            content |= {"task_id": name, "op": "offline"}
        elif kind == "dataset":
            if not artifacts.catalog:
                continue  # columns come with the catalog, which this run did not write
            content |= {"dataset": name, "op": "drop"}
        else:
            content |= {"node": name, "key": key, "op": "clear"}
        yield _message(content, _digest(content), artifacts)


def _subject(content: Content) -> Subject:
    if content["kind"] == "task":
        return Subject("task", content["task_id"])
    if content["kind"] == "dataset":
        return Subject("dataset", content["dataset"])
    return Subject("fact", content["node"], content["key"])


def _digest_in(event_id: str) -> str:
    return event_id.removeprefix(_MARK).partition("@")[0]


def _digest(content: Content) -> str:
    return hashlib.sha256(orjson.dumps(content, option=orjson.OPT_SORT_KEYS)).hexdigest()[:24]


def _message(content: Content, digest: str, artifacts: Artifacts, at: str | None = None) -> Message:
    at = at or artifacts.generated_at
    invocation = artifacts.manifest["metadata"].get("invocation_id")
    whole: dict[str, Any] = content | {
        "event_id": f"{_MARK}{digest}@{at}", "effective_at": at, "produced_at": at,
        "cause": f"dbt invocation {invocation}" if isinstance(invocation, str) and len(invocation) < 100 else "dbt",
    }  # fmt: skip
    tables = whole.pop(TABLES, None)
    message = parse_message(orjson.dumps(whole))
    if tables is not None and isinstance(message, TaskChange) and message.lineage is not None:
        problem = Problem(TABLES_ONLY, "dbt says which tables feed this one, not which columns", tables)
        message.lineage = replace(message.lineage, coverage="partial", problems=[problem])
    return message


def _instant(artifacts: Artifacts) -> int:
    try:
        return parse_instant(artifacts.generated_at)
    except ValueError as error:
        raise InvalidRequestError(f"the manifest's generated_at: {error}", hint="run dbt compile again") from None
