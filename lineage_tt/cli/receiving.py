"""Connects the service to ``ingest``: raw messages in, outcomes out. It does all writes of the process to the store."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ingest.events.intake import EventIntake, folder_of
from ingest.events.runs.journal import NAME
from ingest.messages.parsing import parse_line
from ingest.resolve.resolver import SqlResolver
from lineage_tt.api.intake import Outcome
from lineage_tt.api.reads.frozen_log import FrozenLog
from lineage_tt.api.reads.tail import Tail
from lineage_tt.log import verify
from lineage_tt.model.errors import LineageError
from lineage_tt.model.messages import RejectedMessage
from lineage_tt.storage import location
from lineage_tt.store import Store

if TYPE_CHECKING:
    from ingest.events.openlineage.reading import Event
    from ingest.events.policy import Policies
    from ingest.events.runs.journal import Taken
    from ingest.messages.mapping import FieldMapping
    from ingest.replay import Replayed
    from lineage_tt.model.messages import Receipt
    from lineage_tt.read.macros.own import Session
    from lineage_tt.subscriptions.model import Subscription

LOGGER: Final = logging.getLogger("lineage_tt.events")
SOURCE = "http"
#: Seconds from the end of a run to the write of its observations; one write includes all runs that ended meanwhile.
OBSERVE_EVERY: Final = 30.0
#: The code and the detail for a message that was rejected before and is sent again unchanged.
REPEATED: Final = "rejected-before", "it was rejected before and is a dead letter: lineage-tt dead-letters list"
_REFUSED = "SELECT version, rejected_code, rejected_detail FROM log WHERE status = 'rejected' AND version > $after"


class _WritesToLog:
    def warm(self) -> None:
        """Load the modules that the first commit needs."""
        from lineage_tt.log.arrow import warm  # imports pyarrow, which the service loads only after it listens

        warm()


class Receiver(_WritesToLog):
    """Parses messages, with their SQL in worker processes, and appends them through its own store object."""

    def __init__(self, uri: str, mapping: FieldMapping | None, workers: int) -> None:
        self._uri = uri
        self._mapping = mapping
        self._resolver = SqlResolver(workers)
        self._store: Store | None = None
        self._session: Session | None = None

    def __call__(self, raw: Sequence[bytes]) -> list[Outcome]:
        """Return the outcome of each message, once all are durable."""
        store = self._store = self._store or Store.open(self._uri)
        parsed = [parse_line(self._mapping, one, None) for one in raw]
        messages = [
            message or RejectedMessage(one, "ignored", "the mapping ignores this message")
            for message, one in zip(parsed, raw, strict=True)
        ]
        receipts = store.append(messages, source=SOURCE, resolver=self._resolver)
        reasons = self._reasons(store, receipts)
        outcomes = []
        for message, receipt in zip(messages, receipts, strict=True):
            outcome = Outcome(receipt.status, receipt.version, receipt.changes, message.event_id)
            code, detail = REPEATED if receipt.repeats_rejected else reasons.get(receipt.version, (None, None))
            outcomes.append(
                outcome._replace(
                    task_id=getattr(message, "task_id", None),
                    code=code,
                    detail=detail,
                    superseded_by=receipt.superseded_by,
                    coverage=receipt.coverage,
                    problems=receipt.problems,
                )
            )
        return outcomes

    def _reasons(self, store: Store, receipts: Sequence[Receipt]) -> dict[int, tuple[str, str]]:
        """Return why messages were rejected, by the version of their dead letters."""
        refused = [receipt.version for receipt in receipts if receipt.status == "rejected"]
        if not refused:
            return {}
        return verify.retried(store.opened_log, partial(self._refusals, store, min(refused) - 1))

    def _refusals(self, store: Store, after: int) -> dict[int, tuple[str, str]]:
        tail = Tail(FrozenLog(store.opened_log), after, self._session)
        rows = tail.fetch(_REFUSED, after=after)
        self._session = tail.session
        return {version: (code, detail) for version, code, detail in rows}

    def close(self) -> None:
        """End the worker processes."""
        self._resolver.close()


class Operator:
    """Operations that people start in the pages. They are rare: one runs at a time, with its own store object."""

    def __init__(self, uri: str, mapping: FieldMapping | None) -> None:
        self._uri = uri
        self._mapping = mapping
        self._turn = threading.Lock()

    def replay(self, versions: Sequence[int]) -> list[dict[str, Any]]:
        """Replay dead letters; return the outcome of each. InvalidRequestError for a version that is none."""
        from ingest.pipeline import Ingester

        with self._turn:
            store = Store.open(self._uri)
            letters = [store.dead_letter(version) for version in versions]
            with Ingester(store, mapping=self._mapping, workers=1) as ingester:
                return [replayed_object(each) for each in ingester.replays(letters, None)]

    def subscribe(self, subscription: Subscription, actor: str | None) -> tuple[int, list[str]]:
        """Store a subscription, replacing one with the same name; return its version, and notes on its limits."""
        from lineage_tt.subscriptions.blind_spots import notes
        from lineage_tt.subscriptions.stored import subscribe

        with self._turn:
            store = Store.open(self._uri)
            return subscribe(store, subscription, actor), notes(store, subscription)

    def unsubscribe(self, name: str, actor: str | None) -> int:
        """Remove a subscription; return the version. InvalidRequestError if it does not exist."""
        from lineage_tt.subscriptions.stored import unsubscribe

        with self._turn:
            return unsubscribe(Store.open(self._uri), name, actor)

    def close(self) -> None:
        """Do nothing: no resource stays open between calls."""


def replayed_object(each: Replayed) -> dict[str, Any]:
    """Return the outcome of a replayed dead letter."""
    return {
        "version": each.letter.version, "status": each.status, "as_version": each.receipt.version, "code": each.code,
        "detail": each.detail,
    }  # fmt: skip


class EventReceiver(_WritesToLog):
    """Writes OpenLineage events to the journal of a store, and the resulting messages to the store."""

    def __init__(self, uri: str, policies: Policies, workers: int, state: Path | None = None) -> None:
        self._uri = uri
        self._policies = policies
        self._workers = workers
        self._state = state
        self._intake: EventIntake | None = None
        self._lock = threading.Lock()
        self._due: threading.Timer | None = None

    def __call__(self, raw: Sequence[bytes]) -> list[Outcome]:
        """Return the outcome of each event, once all are on disk and the resulting messages are in the log."""
        with self._lock:
            intake = self._opened()
            events = [intake.read(one) for one in raw]
            taken = intake.take(events)
            intake.settle()
            self._observe_soon()
        return [_outcome(event, each) for event, each in zip(events, taken, strict=True)]

    def resume(self) -> None:
        """Finish what an earlier process left in the journal: decide the runs, and append their messages."""
        folder = folder_of(Store.open(self._uri), self._state) if self._is_placed() else None
        if folder is not None and (folder / NAME).exists():
            self._opened().settle()
            self._opened().observe()

    def _observe_soon(self) -> None:
        """Schedule a write of observations: identical runs are frequent, and commits are expensive."""
        if self._due is None:
            self._due = threading.Timer(OBSERVE_EVERY, self._observe)
            self._due.daemon = True
            self._due.start()

    def _observe(self) -> None:
        with self._lock:
            self._due = None
            if self._intake is not None:
                try:
                    self._intake.observe()
                except LineageError as error:  # the journal still holds them, and the next write includes them
                    LOGGER.warning("%s", error)

    def _is_placed(self) -> bool:
        return self._state is not None or isinstance(location.place(self._uri), Path)

    def _opened(self) -> EventIntake:
        if self._intake is None:
            store = Store.open(self._uri)
            self._intake = EventIntake(store, policies=self._policies, workers=self._workers, state=self._state)
        return self._intake

    def close(self) -> None:
        """Write the observations, end the worker processes and close the journal."""
        if self._due is not None:
            self._due.cancel()
            self._observe()
        with self._lock:
            if self._intake is not None:
                self._intake.close()
                self._intake = None


def _outcome(event: Event | RejectedMessage, taken: Taken) -> Outcome:
    if isinstance(event, RejectedMessage):
        return Outcome("rejected", 0, 0, event.event_id, event.task_id, event.code, event.detail)
    return Outcome("accepted" if taken.new else "duplicate", 0, 0, event.run_id or None, None, *(event.problem or ()))
