"""T+1 reconciliation: differences between a full list of tasks and the message stream.

The list is as of one moment. Compared with what the store holds in force at that moment, a task is *gone* (not in the
list), *unknown* (only in the list) or *changed* (its text, what its text is read with, its edges, or the facts that the
list gives differ). Each difference becomes an ordinary message, in force from that moment on: no message states when
the change really happened. Its event id is a digest of the moment and of its content: the same list, reconciled twice,
counts once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

import orjson

from ingest.messages.native import as_change, model_of
from ingest.messages.refusals import refusal
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.messages import Message, NodeChange, RejectedMessage, TaskChange
from lineage_tt.model.redaction.credentials import mask_credentials
from lineage_tt.model.redaction.messages import redacted_change
from lineage_tt.model.redaction.names import with_masked_names
from lineage_tt.model.redaction.policy import TextPolicy
from lineage_tt.model.redaction.texts import text_sha256
from lineage_tt.model.times import format_instant
from lineage_tt.store import Store
from lineage_tt.write.rows import masked_params

if TYPE_CHECKING:
    from ingest.messages.mapping import FieldMapping

Difference = Literal["gone", "changed", "unknown"]
#: A list that lacks more than this share of the tasks is taken for a truncated one.
MAX_GONE: Final = 0.5
_FEW: Final = 10
_REASONS: Final = {
    "gone": "not in the list of tasks",
    "changed": "other in the list of tasks",
    "unknown": "only in the list of tasks",
}
_STATES: Final = """
    SELECT t.task_id, t.version, l.sql_sha256, l.dialect, l.namespace, l.default_database, l.target, l.params,
        CASE WHEN l.sql_sha256 IS NULL
            THEN l.edges.list_transform(lambda e: [e.source, e.target, e.type, e.subtype, e.expression]) END,
        l.facts.list_filter(lambda f: f."key" <> 'column')
            .list_transform(lambda f: [f.node, f."key", f."value"])
    FROM tasks_as_of(make_timestamptz({at})) AS t JOIN log AS l ON l.version = t.version
"""


class Repair(NamedTuple):
    """A difference, and the message that repairs it."""

    difference: Difference
    message: TaskChange


class State(NamedTuple):
    """What a task is at a moment, as digests: its text or edges, and its facts by key.

    Where the ``policy`` for its text was not to keep it, the digests are of what is left of it.
    """

    digest: bytes
    facts: tuple[tuple[str, bytes], ...]
    policy: TextPolicy = TextPolicy.KEEP


@dataclass(slots=True)
class Reconciliation:
    """The result: how many tasks the list and the store have, and the repairs in order of task."""

    as_of: int
    listed: int
    stored: int
    repairs: list[Repair]

    def count(self, difference: Difference) -> int:
        """Return how many tasks differ in this way."""
        return sum(repair.difference == difference for repair in self.repairs)


class TaskList:
    """Reads the rows of a list of tasks as messages: a row need not say ``event_id``, ``op`` or ``effective_at``.

    It is used in place of a field mapping; ``mapping`` is the list's own.
    """

    def __init__(self, as_of: int, mapping: FieldMapping | None = None) -> None:
        self._defaults = {"event_id": "listed", "op": "online", "effective_at": as_of}
        self._mapping = mapping

    def apply(self, document: Mapping[str, Any], raw: bytes, position: int | None) -> Message | None:
        """Return the message that a row states."""
        row = self._defaults | dict(document)
        if self._mapping is not None:
            return self._mapping.apply(row, raw, position)
        try:
            return as_change(model_of(row), raw, position)
        except ValueError as error:
            return refusal(raw, error, position)


def reconcile(store: Store, listed: Iterable[Message], as_of: int, *, force: bool = False) -> Reconciliation:
    """Return the repairs that bring the store, as of the instant ``as_of``, to what the list says.

    Raises InvalidRequestError where a row of the list cannot be read, where the list is empty, and, unless ``force``,
    where it lacks more than half of the tasks: a truncated list must not take tasks offline.
    """
    states = dict(_states(store, as_of))
    rows = _differing(listed, states, as_of)
    gone = states.keys() - rows.keys()
    if not rows and states:
        raise InvalidRequestError("the list of tasks is empty", hint="give the full list of the tasks that are online")
    if len(gone) > max(len(states) * MAX_GONE, _FEW) and not force:
        raise InvalidRequestError(
            f"the list lacks {len(gone):,} of {len(states):,} tasks: is it complete?",
            hint="if it is, give --force; --dry-run shows what would be appended",
        )
    policy = store.texts.policy
    repairs = [_repair("gone", TaskChange("", task, "offline"), as_of, policy) for task in gone]
    for task, row in rows.items():
        if row is not None:
            repairs.append(_repair("changed" if task in states else "unknown", row, as_of, policy))
    repairs.sort(key=lambda repair: repair.message.task_id)
    return Reconciliation(as_of, len(rows), len(states), repairs)


def _differing(listed: Iterable[Message], states: Mapping[str, State], as_of: int) -> dict[str, TaskChange | None]:
    """Return each task of the list with the row that counts, or None where the row agrees with the store.

    A row that says offline counts as a missing row. A row that takes effect after ``as_of``, a plan, is ignored.
    """
    rows: dict[str, tuple[tuple[int, int], bool, TaskChange | None]] = {}
    for number, message in enumerate(listed, 1):
        if isinstance(message, NodeChange):
            continue
        if isinstance(message, RejectedMessage) or message.op == "retract":
            detail = message.detail if isinstance(message, RejectedMessage) else "a retract states no task"
            raise InvalidRequestError(
                f"row {number} of the list cannot be read: {detail}",
                hint="fix it: a row that is not read would count as a removed task",
            )
        at = message.effective_at or 0
        rank = at, message.source_version or 0
        if at <= as_of and (message.task_id not in rows or rank >= rows[message.task_id][0]):
            differing = None if _agree(states.get(message.task_id), message) else message
            rows[message.task_id] = rank, message.op != "offline", differing
    return {task: row for task, (_, online, row) in rows.items() if online}


def _agree(state: State | None, row: TaskChange) -> bool:
    if state is None:
        return False
    expected = state_of(row, state.policy)
    return state.digest == expected.digest and _facts_agree(state, expected)


def _facts_agree(state: State, expected: State) -> bool:
    """Return whether the store has the facts that a row states; a key that the row does not state is not compared."""
    known, none = dict(state.facts), _facts_digest(())
    return all(known.get(key, none) == digest for key, digest in expected.facts)


def _repair(difference: Difference, row: TaskChange, as_of: int, policy: TextPolicy) -> Repair:
    op: Any = {"gone": "offline", "changed": "update", "unknown": "online"}[difference]
    identity = orjson.dumps(
        [as_of, row.task_id, op, state_of(row, policy).digest.hex(), _facts_digest(row.facts).hex()]
    )
    message = replace(
        row,
        event_id=f"reconciliation-{hashlib.sha256(identity).hexdigest()[:24]}",
        op=op,
        effective_at=as_of,
        source_version=None,
        cause=f"reconciliation {format_instant(as_of)}",
        reason=_REASONS[difference],
        recorded_at=None,
        position=None,
        raw=None,
        digest=None,
    )
    return Repair(difference, message)


def state_of(row: TaskChange, policy: TextPolicy = TextPolicy.KEEP) -> State:
    """Return what a message says that its task is, as a log with this policy for its text holds it."""
    row = redacted_change(with_masked_names(row), policy)
    if row.sql is not None:
        text = text_sha256(mask_credentials(row.sql), row.dialect, policy)
        params = masked_params(row.params) if policy is TextPolicy.KEEP else None
        content: Sequence[Any] = (text, row.dialect, row.namespace, row.default_database, row.target, params)
    else:
        content = [list(edge) for edge in row.lineage.ordered_edges()] if row.lineage else []
    facts = (*_by_key(row.facts), *((key, _facts_digest(())) for key in row.cleared))
    return State(_digest(content), facts, policy)


def _by_key(facts: Sequence[Sequence[str]]) -> tuple[tuple[str, bytes], ...]:
    """Return the digest of the facts under each key; a key that a message does not speak of stays as it is."""
    keys = {fact[1] for fact in facts}
    return tuple((key, _facts_digest(fact for fact in facts if fact[1] == key)) for key in sorted(keys))


def _facts_digest(facts: Iterable[Sequence[str]]) -> bytes:
    return _digest(sorted(list(fact) for fact in facts))


def _states(store: Store, as_of: int) -> Iterator[tuple[str, State]]:
    """Yield each task in force at ``as_of`` with its state."""
    _, rows = store.sql(_STATES.format(at=int(as_of)))
    for task, version, text, dialect, namespace, database, target, params, edges, facts in rows:
        policy = store.texts.at(version)
        if policy is not TextPolicy.KEEP:
            params = None
        content = (text, dialect, namespace, database, target, params) if text is not None else sorted(edges or [])
        yield task, State(_digest(content), _by_key(facts or []), policy)


def _digest(content: Any) -> bytes:
    return hashlib.sha256(orjson.dumps(content)).digest()[:16]
