"""From messages to rows: duplicates left out, refusals kept, each accepted message placed on its task's timeline.

A plan is made against one end of the log. It touches nothing but the histories and the catalog it was given; whether it
comes to be is decided by the commit.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Final

import orjson

from lineage_tt.catalog import Catalog, Entry
from lineage_tt.edges import EdgeTuple
from lineage_tt.format import ChangeTuple, LogRow, chain_checksum
from lineage_tt.lineages import Lineages
from lineage_tt.messages import (
    DIGEST_BYTES,
    Lineage,
    Message,
    Receipt,
    RejectedMessage,
    TaskChange,
    content_digest,
)
from lineage_tt.systemtimes import ImportOrder
from lineage_tt.tasks import TaskHistory
from lineage_tt.timeline import NO_SOURCE_VERSION

TIME: Final = LogRow._fields.index("system_time")


class Plan:
    """The rows that a batch of messages becomes behind version ``version`` of the log."""

    def __init__(
        self,
        version: int,
        histories: dict[str, TaskHistory],
        catalog: Catalog,
        rejected: Mapping[bytes, int],
        source: str | None,
        order: ImportOrder | None,
    ) -> None:
        self.version = version
        self.histories = histories
        self.rows: list[LogRow] = []
        self.receipts: list[Receipt] = []
        self.refused: dict[bytes, int] = {}
        self._catalog = catalog
        self._rejected = rejected
        self._source = source
        self._order = order

    def is_new(self, message: Message) -> bool:
        """Say whether the log holds no message with this task and event id yet."""
        return isinstance(message, TaskChange) and message.event_id not in self.histories[message.task_id].events

    def add(self, message: Message, lineages: Lineages) -> None:
        """Place one message: a row for it, or a receipt that names the version it repeats."""
        if isinstance(message, RejectedMessage):
            self._refuse(message)
            return
        digest = message.digest or content_digest(message)
        history = self.histories[message.task_id]
        seen = history.events.get(message.event_id)
        if seen is not None:
            if seen[1] == digest:
                self.receipts.append(Receipt(seen[0], "duplicate"))
            else:
                self._refuse(_conflicting(message, seen[0]))
            return
        if message.op == "retract" and message.retracts not in history.events:
            self._refuse(_unknown_event(message))
            return
        problem = self._order.problem(message) if self._order else None
        if problem:
            self._refuse(_refusal(message, *problem))
            return
        lineage = lineages.given(message) or lineages.resolve(message, self._catalog)
        self._accept(message, history, lineage, lineage.ordered_edges(), digest)

    def _accept(
        self,
        message: TaskChange,
        history: TaskHistory,
        lineage: Lineage,
        edges: Sequence[EdgeTuple],
        digest: bytes,
    ) -> None:
        version = self.version + len(self.rows) + 1
        if message.op == "retract":
            before = history.visible_versions()
            changes = history.withdraw(version, message.retracts or "")
            after = history.visible_versions()
            for gone in before - after:
                self._catalog.withdraw(gone)
            for come in after - before:
                self._catalog.restore(come)
        else:
            effective_at = message.effective_at or 0
            changes = history.place(version, effective_at, message.source_version, edges)
            source_version = NO_SOURCE_VERSION if message.source_version is None else message.source_version
            for dataset, columns in lineage.outputs:
                self._catalog.declare(dataset, Entry(effective_at, source_version, version, tuple(columns)))
        history.events[message.event_id] = (version, digest)
        self.rows.append(_row(version, message, lineage, edges, changes, digest, self._source))
        self.receipts.append(Receipt(version, "accepted", len(changes)))

    def _refuse(self, message: RejectedMessage) -> None:
        digest = hashlib.sha256(message.raw).digest()[:DIGEST_BYTES]
        seen = self._rejected.get(digest) or self.refused.get(digest)
        if seen is not None:
            self.receipts.append(Receipt(seen, "duplicate"))
            return
        version = self.version + len(self.rows) + 1
        self.refused[digest] = version
        self.rows.append(
            LogRow(
                version=version,
                system_time=0,
                status="rejected",
                event_id=message.event_id,
                task_id=message.task_id,
                recorded_at=message.recorded_at,
                source=self._source,
                source_position=message.position,
                content_sha256=digest,
                rejected_code=message.code,
                rejected_detail=message.detail,
                rejected_bytes=message.raw,
            )
        )
        self.receipts.append(Receipt(version, "rejected"))

    def stamp(self, times: Sequence[int], checksum: bytes) -> None:
        """Give the rows their system times (one each, strictly increasing) and chain their checksums."""
        stamped = []
        for row, time in zip(self.rows, times, strict=True):
            values = list(row)
            values[TIME] = time
            values[-1] = checksum = chain_checksum(checksum, values)
            stamped.append(LogRow._make(values))
        self.rows = stamped


def _row(
    version: int,
    message: TaskChange,
    lineage: Lineage,
    edges: Sequence[EdgeTuple],
    changes: Sequence[ChangeTuple],
    digest: bytes,
    source: str | None,
) -> LogRow:
    return LogRow(
        version=version,
        system_time=0,
        status="accepted",
        event_id=message.event_id,
        task_id=message.task_id,
        op=message.op,
        effective_at=message.effective_at,
        source_version=message.source_version,
        retracts=message.retracts,
        produced_at=message.produced_at,
        recorded_at=message.recorded_at,
        actor=message.actor,
        reason=message.reason,
        cause=message.cause,
        source=source,
        source_position=message.position,
        dialect=message.dialect,
        namespace=message.namespace,
        default_database=message.default_database,
        target=message.target,
        params=orjson.dumps(message.params, option=orjson.OPT_SORT_KEYS).decode() if message.params else None,
        attributes=message.attributes,
        sql=message.sql,
        sql_sha256=hashlib.sha256(message.sql.encode()).hexdigest() if message.sql is not None else None,
        parser=lineage.parser,
        coverage=lineage.coverage if message.op != "retract" else None,
        problems=lineage.problems,
        outputs=lineage.outputs,
        edges=edges,
        changes=changes,
        content_sha256=digest,
    )


def _conflicting(message: TaskChange, version: int) -> RejectedMessage:
    return _refusal(
        message,
        "conflicting-duplicate",
        f"event {message.event_id!r} of task {message.task_id!r} came before, as version {version}, with other "
        "content; the first is kept. Send a correction as a new event with the same effective_at",
    )


def _unknown_event(message: TaskChange) -> RejectedMessage:
    return _refusal(
        message,
        "unknown-event",
        f"retracts event {message.retracts!r}, which task {message.task_id!r} never sent. "
        "If it is still to come, replay this dead letter after it",
    )


def _refusal(message: TaskChange, code: str, detail: str) -> RejectedMessage:
    return RejectedMessage(
        raw=message.raw if message.raw is not None else _as_json(message),
        code=code,
        detail=detail,
        event_id=message.event_id,
        task_id=message.task_id,
        recorded_at=message.recorded_at,
        position=message.position,
    )


def _as_json(message: TaskChange) -> bytes:
    """Return a message that came as a value, not as bytes, in the native format (instants as microseconds)."""
    fields: dict[str, Any] = {name: getattr(message, name) for name in TaskChange.__dataclass_fields__}
    lineage = fields.pop("lineage")
    fields = {
        name: value
        for name, value in fields.items()
        if value not in (None, {}) and name not in ("raw", "position", "digest")
    }
    if lineage is not None:
        names = ("source", "target", "type", "subtype", "expression")
        fields["edges"] = [dict(zip(names, edge, strict=True)) for edge in lineage.edges]
    return orjson.dumps(fields, option=orjson.OPT_SORT_KEYS)
