"""What people state, appended to a store and listed as of a point: who stated it, why, on what evidence, until when.

>>> add_alias(store, "hive:dw.orders", "s3://lake:dw/orders", by=Author("ana", "one table"))  # doctest: +SKIP
"""

from __future__ import annotations

import getpass
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import orjson

from lineage_tt.curation import messages
from lineage_tt.curation.messages import ALIAS_TASK, EDGE_TASK, EXPIRY
from lineage_tt.model.clock import unique_name
from lineage_tt.model.edges import ALIAS, REJECTED
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.messages import TaskChange, evidence_in

if TYPE_CHECKING:
    from lineage_tt.model.answers import Basis
    from lineage_tt.read.questions import Instant
    from lineage_tt.store import Store

Fetch = Callable[..., list[tuple[Any, ...]]]

_POINT: Final = "make_timestamptz($valid_at), make_timestamptz($system_at)"
_STATED: Final = f"""
    SELECT e.task_id, e.source, e.target, e."type", e.subtype, e.expression, e.version, epoch_us(e.valid_from),
        epoch_us(e.valid_to), l.actor, l.reason, l.cause, l.attributes
    FROM edges_as_of({_POINT}) AS e JOIN log AS l USING (version)
    WHERE {{condition}} ORDER BY e.source, e.target, e.task_id"""
_ALIASES: Final = _STATED.format(
    condition=f"""e.subtype = '{ALIAS}' AND NOT contains(e.source, '#')
        AND ($node IS NULL OR $node IN (e.source, e.target))"""
)
_EDGES: Final = _STATED.format(
    condition=f"""e.task_id = '{EDGE_TASK}' || e.source || ' -> ' || e.target
        AND ($node IS NULL OR $node IN (e.source, e.target, dataset_of(e.source), dataset_of(e.target))
            OR e.subtype = '{REJECTED}' AND dataset_of($node) IN (e.source, e.target))"""
)
_EXPIRIES: Final = f"""
    WITH said AS (
        SELECT event_id, version, effective_at, op = 'offline' AND cause IS NOT DISTINCT FROM '{EXPIRY}' AS ends
        FROM log
        WHERE task_id = $task AND status = 'accepted' AND op <> 'retract' AND effective_at > make_timestamptz($since)
            AND version NOT IN (FROM withdrawn_as_of()))
    SELECT event_id FROM said WHERE ends
        AND NOT EXISTS (FROM said AS other WHERE NOT other.ends AND other.effective_at <= said.effective_at)
    ORDER BY version"""


def user_of_machine() -> str | None:
    """Return the name of the user of this machine, None where it has none.

    ``$USER`` comes first; in containers, services and scheduled jobs it is often missing.
    """
    try:
        return os.environ.get("USER") or getpass.getuser()
    except (OSError, KeyError, ImportError):
        return None


_TAKEN_BACK: Final = "give no values to take them back"


class Author(NamedTuple):
    """Who states something, why, and where to read more; ``actor`` None is the user of this machine."""

    actor: str | None = None
    reason: str | None = None
    evidence: str | None = None

    def fields(self) -> dict[str, Any]:
        """Return them as fields of a message."""
        return self._asdict() | {"actor": self.actor or user_of_machine()}


#: The user of this machine, without a reason.
NOBODY: Final = Author()


class Alias(NamedTuple):
    """Two names of one thing at a point, and who states it: a person, or the task whose text or run does."""

    dataset: str
    alias: str
    task_id: str
    version: int
    valid_from: int
    valid_to: int | None
    actor: str | None
    reason: str | None
    cause: str | None
    evidence: str | None


class StatedEdge(NamedTuple):
    """What a person states about an edge at a point: ``stated`` is ``added`` or ``rejected``."""

    stated: str
    source: str
    target: str
    type: str
    subtype: str
    expression: str
    version: int
    valid_from: int
    valid_to: int | None
    actor: str | None
    reason: str | None
    evidence: str | None


def add_alias(
    store: Store,
    dataset: str,
    alias: str,
    *,
    by: Author = NOBODY,
    at: Instant = "now",
    expires: Instant | None = None,
) -> int:
    """State that two datasets are one thing from a valid time on; return the version.

    Raises InvalidRequestError for names that are not datasets.
    """
    task = messages.alias_task(dataset, alias)
    return _state(store, task, at, expires, lambda op, **a: messages.alias_change(op, dataset, alias, **a), "add", by)


def remove_alias(store: Store, dataset: str, alias: str, *, by: Author = NOBODY, at: Instant = "now") -> int:
    """State that two datasets are no longer one thing from a valid time on; return the version.

    Earlier answers can still be read at their times. Raises InvalidRequestError if no person stated the alias: an alias
    from a task or a run ends when the task or run no longer states it.
    """
    task = messages.alias_task(dataset, alias)
    others = "lineage-tt alias list; leave out those of runs and texts, each way, with: lineage-tt edge reject"
    _check_stated(store, task, f"{dataset} = {alias}", others)
    return _state(store, task, at, None, lambda op, **a: messages.alias_change(op, dataset, alias, **a), "remove", by)


def state_edge(
    store: Store, op: messages.EdgeOp, source: str, target: str, *,
    kind: tuple[str, str | None, str] = ("DIRECT", None, ""),
    by: Author = NOBODY, at: Instant = "now", expires: Instant | None = None,
) -> int:  # fmt: skip
    """Add an edge, reject the edges between two nodes, or take either back (``remove``); return the version.

    ``kind`` is type, subtype and expression of an edge that is added. Raises InvalidRequestError for an invalid edge,
    and for taking back what nobody stated.
    """
    task = messages.edge_task(source, target)
    if op == "remove":
        _check_stated(store, task, f"{source} -> {target}", "lineage-tt edge list")

    def make(op: Any, **about: Any) -> TaskChange:
        return messages.edge_change(op, source, target, kind, **about)

    return _state(store, task, at, expires, make, op, by)


def annotate(
    store: Store, node: str, key: str, values: Sequence[str], *, by: Author = NOBODY, at: Instant = "now",
    expires: Instant | None = None,
) -> int:  # fmt: skip
    """State the values of a node under a key (description, owner, label, …); with no values, take them back.

    Return the version. What tasks and catalogs state about the node under the key also stays in the store. Raises
    InvalidRequestError for an empty key or value.
    """
    if not key or not all(values):
        raise InvalidRequestError("an annotation has a key, and values that are not empty", hint=_TAKEN_BACK)
    task = messages.note_task(node, key)

    def make(op: Any, **about: Any) -> TaskChange:
        return messages.note_change(op, node, key, values, **about)

    return _state(store, task, at, expires, make, "add" if values else "remove", by)


def aliases(fetch: Fetch, basis: Basis, dataset: str | None = None) -> list[Alias]:
    """Return the aliases in force at a point, of one dataset if given; each pair once for each task that states it."""
    by_key = {}
    rows = fetch(_ALIASES, node=dataset, valid_at=basis.valid_at, system_at=basis.system_time)
    for task, source, target, _, _, _, version, since, until, actor, reason, cause, attributes in rows:
        one, other = _as_stated(task, source, target)
        by_key[task, one, other] = Alias(
            one,
            other,
            task,
            version,
            since,
            until,
            actor,
            reason or _job_in(attributes),
            cause,
            evidence_in(attributes),
        )
    return [by_key[key] for key in sorted(by_key, key=lambda key: (key[1:], key[0]))]


def stated_edges(fetch: Fetch, basis: Basis, node: str | None = None) -> list[StatedEdge]:
    """Return what people state about edges at a point, at one node if given; a column's include dataset rejections."""
    rows = fetch(_EDGES, node=node, valid_at=basis.valid_at, system_at=basis.system_time)
    return [
        StatedEdge(
            "rejected" if subtype == REJECTED else "added", source, target, kind, subtype, expression, version, since,
            until, actor, reason, evidence_in(attributes),
        )
        for _, source, target, kind, subtype, expression, version, since, until, actor, reason, _, attributes in rows
    ]  # fmt: skip


def expiries(fetch: Fetch, task_id: str, since: int) -> list[str]:
    """Return the events that end a statement after ``since``, which a new statement from ``since`` on withdraws.

    An end that follows a later statement belongs to that statement.
    """
    return [event for (event,) in fetch(_EXPIRIES, task=task_id, since=since)]


def _job_in(attributes: str | None) -> str | None:
    """Return, in words, the job whose run gave a dataset this name."""
    content = orjson.loads(attributes) if attributes else {}
    job = content.get("openlineage", {}).get("job") if isinstance(content, dict) else None
    return f"named so by the job {job['namespace']}/{job['name']}" if job else None


def _as_stated(task: str, source: str, target: str) -> tuple[str, str]:
    """Return a pair in order, or with that dataset first whose task states its other names."""
    stated = {ALIAS_TASK + source: (source, target), ALIAS_TASK + target: (target, source)}
    return stated.get(task) or (min(source, target), max(source, target))


def _check_stated(store: Store, task_id: str, what: str, hint: str) -> None:
    if not store.fetch("SELECT 1 FROM log WHERE task_id = $task AND status = 'accepted' LIMIT 1", task=task_id):
        raise InvalidRequestError(f"nobody stated {what} by hand", hint=f"list what is stated with: {hint}")


def _state(
    store: Store, task_id: str, at: Instant, expires: Instant | None, make: Callable[..., TaskChange], op: str,
    by: Author,
) -> int:  # fmt: skip
    """Append a statement, its end, and retracts of ends that were set before; return the statement's version."""
    since, about = store.instant(at), by.fields()
    until = None if expires is None else store.instant(expires)
    if until is not None and until <= since:
        raise InvalidRequestError("the statement expires before it begins", hint="give a later time of expiry")
    try:
        task_changes = [make(op, event_id=unique_name(), at=since, **about)]
        for event in expiries(store.fetch, task_id, since):
            task_changes.append(make("retract", event_id=unique_name(), at=None, retracts=event, **about))
        if until is not None:
            task_changes.append(make("remove", event_id=unique_name(), at=until, **about | {"cause": EXPIRY}))
    except ValueError as error:
        raise InvalidRequestError(str(error)) from None
    receipts = store.append(task_changes, system_times=store.late_system_times())
    for receipt in receipts:
        if receipt.status == "rejected":
            raise InvalidRequestError(f"the statement cannot be stored: {store.dead_letter(receipt.version).detail}")
    return receipts[0].version
