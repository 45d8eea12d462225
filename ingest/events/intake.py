"""Events in, versions out: taken into the journal, decided, and what differs appended to the log.

``take`` returns when events are on disk; ``settle`` decides all that is due and appends it. If the process is killed in
between, the next ``settle`` continues: messages in the outbox have final event ids, and the log counts each once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Final, NamedTuple, Self

import orjson

from ingest.events import observations
from ingest.events.formats import as_openlineage
from ingest.events.openlineage.reading import Event, parse_event
from ingest.events.policy import Policies
from ingest.events.runs import contents, redaction, unfinished
from ingest.events.runs.journal import FOLDER, NAME, Journal, Taken
from ingest.events.runs.placing import Placing
from ingest.events.runs.points import Points
from ingest.resolve.resolver import SqlResolver
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.messages import Message, Receipt, RejectedMessage, SourcePosition
from lineage_tt.storage import failpoints
from lineage_tt.store import Store

#: The source that the log's rows of events have.
SOURCE: Final = "openlineage"
#: Messages per append.
MAX_TOGETHER: Final = 2048


class Settled(NamedTuple):
    """What a decision led to: runs looked at, and the receipts of the messages that were appended."""

    runs: int
    receipts: list[Receipt]


class EventIntake:
    """Takes OpenLineage events into one store. One thread at a time; other processes may do the same."""

    def __init__(
        self, store: Store, *, policies: Policies | None = None, workers: int = 2, state: Path | None = None,
        resolver: SqlResolver | None = None,
    ) -> None:  # fmt: skip
        self._store = store
        self.resolver = resolver or SqlResolver(workers)
        folder = folder_of(store, state)
        redaction.tighten(folder / NAME, store.texts)
        self.journal = Journal(folder)
        policies = policies or Policies()
        self._unfinished = policies.unfinished
        self._translate = partial(as_openlineage, namespaces=policies.namespaces, sessions=policies.sessions)
        self._points = Points(self.journal, policies, self.resolver)
        self._placing = Placing(self.journal)

    def read(self, raw: bytes, position: int | None = None) -> Event | RejectedMessage:
        """Return the event in ``raw``, in any known format, or its refusal."""
        return parse_event(raw, self.journal, position, self._translate)

    def take(self, events: Sequence[Event | RejectedMessage], place: SourcePosition | None = None) -> list[Taken]:
        """Take events in; they are on disk when this returns. ``place`` is how far their source has been read.

        The journal keeps as much of texts as the store's policy allows.
        """
        self._store.refresh()
        self.journal.policy = self._store.texts.policy
        return self.journal.take(events, place, now=self._store.clock.now())

    def settle(self) -> Settled:
        """Decide what is due, and append what differs from what is in force.

        A decision is a function of the events on disk; it is forced to disk itself only where it leads to a message.
        """
        runs = self._points.settle()
        self._placing.settle()
        self.journal.drop_decided()
        receipts = self._deliver()
        unfinished.forget(self.journal, self._store.clock.now(), self._unfinished)
        return Settled(runs, receipts)

    def _deliver(self) -> list[Receipt]:
        receipts: list[Receipt] = []
        while waiting := self.journal.outbox(MAX_TOGETHER):
            self.journal.force()  # a power cut must not change the decision about what the log got
            messages = [_message(packed) for _, packed in waiting]
            receipts += self._store.writer.append_in_pieces(messages, source=SOURCE, resolver=self.resolver)
            failpoints.reach("e3:before")
            self.journal.delivered(waiting[-1][0])
        return receipts

    def observe(self) -> int:
        """Write what runs report beside lineage; return how many days were written."""
        return observations.write(self.journal, self._store.log_path.parent)

    def close(self) -> None:
        """End the worker processes and close the journal."""
        self.resolver.close()
        self.journal.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def folder_of(store: Store, state: Path | None = None) -> Path:
    """Return the folder of a store's journal; InvalidRequestError where it has to be given."""
    if state is not None:
        return state
    folder = store.log_path.parent
    if not isinstance(folder, Path):
        raise InvalidRequestError(
            "the store is in an object store, and the journal of events needs a disk",
            hint="give a folder that stays: --state FOLDER",
        )
    return folder / FOLDER


def _message(packed: bytes) -> Message:
    """Return a message of the outbox."""
    document: dict[str, Any] = orjson.loads(packed)
    if "refused" in document:
        refused = document["refused"]
        raw = refused["raw"].encode("latin-1")
        return RejectedMessage(raw, refused["code"], refused["detail"], position=document["position"])
    origin, member = document["origin"], document["member"]
    content = document["content"].encode() if document["content"] is not None else None
    about: dict[str, Any] = {"cause": None, "attributes": None, "produced_at": None, "raw": packed}
    if origin:
        details = {"run": origin["run"], **orjson.loads(origin["about"])} if origin["kind"] == "run" else {}
        about |= {
            "cause": f"{origin['kind']} {origin['run']}" if origin["kind"] == "run" else f"{origin['kind']} event",
            "attributes": orjson.dumps({"openlineage": details}).decode() if details else None,
            "produced_at": origin["ended"],
        }
    if "retracts" in document:
        return contents.retraction(document["event"], member, document["retracts"], **about)
    if contents.is_task(member):
        return contents.task_change(document["event"], member.partition("\x1f")[2], document["at"], content, **about)
    return contents.node_change(document["event"], member, document["at"], content, **about)
