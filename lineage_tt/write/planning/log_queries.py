"""What a plan asks of the log, and what it derives from a message and the history of its subject."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Protocol

from lineage_tt.model.edges import EdgeTuple
from lineage_tt.model.facts import OWN_KEYS, FactTuple
from lineage_tt.model.format import LogRow, chain_checksum
from lineage_tt.model.messages import DIGEST_BYTES, Change, RejectedMessage, Subject, TaskChange
from lineage_tt.model.redaction.credentials import mask_bytes
from lineage_tt.model.redaction.documents import redacted_bytes
from lineage_tt.model.redaction.messages import redacted_edges
from lineage_tt.model.redaction.policy import TextPolicy, TextState
from lineage_tt.model.redaction.texts import DROPPED_TEXT
from lineage_tt.timeline import NO_SOURCE_VERSION
from lineage_tt.write.catalog.dependencies import words_of
from lineage_tt.write.subjects.tasks import TaskHistory

_TIME: Final = LogRow._fields.index("system_time")


class Refusals:
    """The messages that were refused, by the digests of their bytes; the same bytes are refused once."""

    def __init__(self, before: Mapping[bytes, int], texts: TextState) -> None:
        self.before = before
        self._texts = texts
        #: The messages that this plan refuses.
        self.fresh: dict[bytes, int] = {}

    def find(self, message: RejectedMessage) -> tuple[int | None, bytes]:
        """Return the version in which a message was refused (None: it is new), and the digest to store.

        Where its texts are not kept, the digest is of what is kept; a message that is not JSON is identified by its
        own bytes.
        """
        digests = [_digest(message.raw)]
        if self._texts.spans:
            masked = redacted_bytes(mask_bytes(message.raw), TextPolicy.MASK, [message.sql] if message.sql else ())
            if masked != DROPPED_TEXT.encode():
                digests.insert(0, _digest(masked))
            if self._texts.policy is TextPolicy.KEEP:
                digests.reverse()
        seen = (self.before.get(digest) or self.fresh.get(digest) for digest in digests)
        return next(filter(None, seen), None), digests[0]

    def renumber(self, by: int) -> None:
        """Raise the versions of the plan's own refusals by ``by``."""
        self.fresh = {digest: version + by for digest, version in self.fresh.items()}


def _digest(raw: bytes) -> bytes:
    return hashlib.sha256(raw).digest()[:DIGEST_BYTES]


class Past(Protocol):
    """What a plan asks of the log, and of what the writer has in memory."""

    def histories(self, subjects: Iterable[Subject]) -> dict[Subject, TaskHistory]:
        """Return the histories of these subjects."""

    def statements(self, versions: Iterable[int]) -> Mapping[int, TaskChange]:
        """Return the task messages of these versions."""


def retained_facts(message: Change, node: str, history: TaskHistory) -> list[FactTuple]:
    """Return the owners, labels and so on in force for a message's own node that the message does not mention."""
    own_keys = {fact[1] for fact in message.facts if fact[0] == node} | set(message.cleared)
    known = history.facts_at(message.effective_at or 0) if len(own_keys) < len(OWN_KEYS) else ()
    return [fact for fact in known if fact[0] == node and fact[1] in OWN_KEYS and fact[1] not in own_keys]


def edges_stated(history: TaskHistory, version: int, policy: TextPolicy) -> Sequence[EdgeTuple]:
    """Return the edges that a version states, as the current policy would keep them."""
    edges = history.edges(version)
    return redacted_edges(edges, policy, given=False) if policy is TextPolicy.DROP else edges


def words_in(statement: TaskChange, history: TaskHistory, version: int) -> str | None:
    """Return the words in which the statement of a version names columns; see ``words_of``."""
    return words_of(statement, history.edges(version) if statement.sql is None else ())


def rank_of(message: Change) -> int:
    """Return the message's ``source_version``, or the least possible number where it has none."""
    return NO_SOURCE_VERSION if message.source_version is None else message.source_version


def stamped(rows: Sequence[LogRow], times: Sequence[int], checksum: bytes) -> list[LogRow]:
    """Return rows with their system times (one each, strictly increasing) and chained checksums."""
    result = []
    for row, time in zip(rows, times, strict=True):
        values = list(row)
        values[_TIME] = time
        values[-1] = checksum = chain_checksum(checksum, values)
        result.append(LogRow._make(values))
    return result
