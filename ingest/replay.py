"""Dead letters sent through once more: with a mapping, after an upgrade, or after what they waited for has come."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Final, Literal, NamedTuple

from ingest.messages.mapping import FieldMapping
from ingest.messages.parsing import parse_line
from ingest.resolve.resolver import SqlResolver
from lineage_tt.log.system_times import SystemTimes
from lineage_tt.model.answers import DeadLetter
from lineage_tt.model.messages import Message, Receipt, RejectedMessage
from lineage_tt.model.redaction.documents import is_replayable
from lineage_tt.read.overtime import replay_cause
from lineage_tt.store import Store

#: The most dead letters of one commit.
MAX_TOGETHER: Final = 20_000


class Replayed(NamedTuple):
    """The outcome of a dead letter: its new version, or the one that it repeats; or why it is rejected again.

    One that the mapping ``ignored``, or a ``duplicate`` of a message that has come in since, is dismissed for that
    reason.
    """

    letter: DeadLetter
    status: Literal["accepted", "duplicate", "ignored", "rejected"]
    receipt: Receipt
    code: str | None = None
    detail: str | None = None


class Replayer:
    """Sends dead letters of a store through again."""

    def __init__(
        self, store: Store, mapping: FieldMapping | None, resolver: SqlResolver, system_times: SystemTimes
    ) -> None:
        self._store = store
        self._mapping = mapping
        self._resolver = resolver
        self._system_times = system_times

    def replay(self, letters: Sequence[DeadLetter]) -> list[Replayed]:
        """Return the outcome of each, in order. They are appended in batches, with the source that they came from."""
        result: list[Replayed] = []
        for source, group in groupby(letters, key=attrgetter("source")):
            together = list(group)
            for start in range(0, len(together), MAX_TOGETHER):
                result += self._replay(source, together[start : start + MAX_TOGETHER])
        return result

    def _replay(self, source: str | None, letters: Sequence[DeadLetter]) -> list[Replayed]:
        parsed = [self._parsed(letter) for letter in letters]
        sent: list[Message] = []
        for letter, message in zip(letters, parsed, strict=True):
            if message is not None and not isinstance(message, RejectedMessage):
                message.cause = replay_cause(letter.version)
                sent.append(message)
        receipts = iter(
            self._store.append(sent, source=source, resolver=self._resolver, system_times=self._system_times)
            if sent
            else ()
        )
        return [self._outcome(letter, message, receipts) for letter, message in zip(letters, parsed, strict=True)]

    def _parsed(self, letter: DeadLetter) -> Message | None:
        """Return the message of a dead letter; a refusal where its texts are not kept: they cannot be parsed again."""
        if is_replayable(letter.raw):
            return parse_line(self._mapping, letter.raw, letter.source_position)
        came = f"from {letter.source}" if letter.source else "as it came"
        place = f" at {letter.source_position}" if letter.source and letter.source_position is not None else ""
        detail = f"the policy of this store does not keep its text: send the message itself again ({came}{place})"
        return RejectedMessage(letter.raw, letter.code, detail, letter.event_id, letter.task_id)

    def _outcome(self, letter: DeadLetter, message: Message | None, receipts: Iterator[Receipt]) -> Replayed:
        same = Receipt(letter.version, "duplicate", repeats_rejected=True)
        if message is None:
            self._dismiss(letter, "the mapping ignores it")
            return Replayed(letter, "ignored", same)
        if isinstance(message, RejectedMessage):
            return Replayed(letter, "rejected", same, message.code, message.detail)
        receipt = next(receipts)
        if receipt.status == "accepted":
            return Replayed(letter, "accepted", receipt)
        if receipt.version == letter.version:
            return Replayed(letter, "rejected", receipt, letter.code, letter.detail)
        if receipt.status == "rejected":
            again = self._store.dead_letter(receipt.version)
            return Replayed(letter, "rejected", receipt, again.code, again.detail)
        self._dismiss(letter, f"the same message came in as version {receipt.version}")
        return Replayed(letter, "duplicate", receipt)

    def _dismiss(self, letter: DeadLetter, reason: str) -> None:
        if letter.waits:
            self._store.dismiss(letter.version, reason)
