"""The messages of one append: each is checked first, and only a message on which the code fails is rejected.

A message that makes an attempt to plan fail is replaced by its dead letter (``catch_all``), and the next attempt skips
it. Each message is replaced at most once, so the attempts end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lineage_tt.model.format import LogRow, chain_checksum
from lineage_tt.model.messages import Message, RejectedMessage
from lineage_tt.write.admission import catch_all
from lineage_tt.write.admission.rules import admitted
from lineage_tt.write.catalog.catalog import Catalog
from lineage_tt.write.catalog.lineages import Lineages
from lineage_tt.write.planning.plan import Plan
from lineage_tt.write.rows import raw_of

#: Each replaced message costs an attempt. A batch in which this many messages fail is appended in halves, so that a bug
#: that affects all messages costs a bounded number of attempts per message.
MAX_REPLACED: Final = 16


class RefusedMessage(Exception):  # noqa: N818
    """An attempt failed because of one message, which is now a dead letter in the batch: plan again."""


class TooManyBugs(Exception):  # noqa: N818
    """So many messages had to be replaced that the batch should be appended in halves."""


class Batch:
    """The messages of one append, in order; those that are not admitted are replaced by their rejections."""

    def __init__(self, messages: Sequence[Message], *, own: bool = False) -> None:
        self._replaced = 0
        self.messages: list[Message] = []
        for message in messages:
            try:
                self.messages.append(admitted(message, own=own))
            except Exception as error:
                self.messages.append(_letter(message, error))

    def halves(self) -> tuple[Batch, Batch]:
        """Return the first and the second half of the messages, with the replacements made so far."""
        middle = len(self.messages) // 2
        first, second = Batch(()), Batch(())
        first.messages, second.messages = self.messages[:middle], self.messages[middle:]
        return first, second

    def fill(self, plan: Plan, lineages: Lineages, catalog: Catalog) -> None:
        """Place every message in a plan; RefusedMessage where one had to be replaced."""
        try:
            lineages.prepare(filter(plan.is_new, self.messages), catalog)
        except Exception as error:
            if not catch_all.is_bug(error):
                raise
            lineages.one_by_one()  # so that it fails again at the message that causes it
        for place, message in enumerate(self.messages):
            try:
                plan.add(message, lineages)
            except Exception as error:
                self._replace(place, error)

    def stamp(self, plan: Plan, times: Sequence[int], checksum: bytes) -> None:
        """Give a plan's rows their times and checksums; RefusedMessage where a message had to be replaced."""
        try:
            plan.stamp(times, checksum)
        except Exception as error:
            if self.refuse_unstorable(plan, error):
                raise RefusedMessage from error
            raise

    def refuse_unstorable(self, plan: Plan, error: BaseException) -> bool:
        """Replace the messages whose rows cannot be written; return whether there were any.

        Called after an attempt to write all rows together failed; tries each row alone.
        """
        if not catch_all.is_bug(error):
            return False
        bad = [(row.version, problem) for row in plan.rows if (problem := _unstorable(row)) is not None]
        places = {place for version, _ in bad if (place := _place_of(version, plan)) is not None}
        fresh = [place for place in places if not _is_letter(self.messages[place])]
        for place in fresh:
            self._put(place, bad[0][1])
        return bool(fresh)

    def _replace(self, place: int, error: Exception) -> None:
        message = self.messages[place]
        if not catch_all.is_bug(error) or _is_letter(message):
            raise error
        self._put(place, error)
        raise RefusedMessage from error

    def _put(self, place: int, error: Exception) -> None:
        self.messages[place] = _letter(self.messages[place], error)
        self._replaced += 1
        if self._replaced >= MAX_REPLACED and len(self.messages) > 1:
            raise TooManyBugs from error


def _is_letter(message: Message) -> bool:
    return isinstance(message, RejectedMessage) and message.code == catch_all.CODE


def _letter(message: Message, error: BaseException) -> RejectedMessage:
    if not catch_all.is_bug(error):
        raise error
    return catch_all.letter_of(message, raw_of(message), error)


def _unstorable(row: LogRow) -> Exception | None:
    """Return why a row cannot be written, None where it can."""
    from lineage_tt.log.arrow import parquet_bytes  # loads pyarrow only after a failure

    try:
        chain_checksum(b"", row)
        parquet_bytes([row])
    except Exception as error:
        return error
    return None


def _place_of(version: int, plan: Plan) -> int | None:
    """Return the position of a version's message: its own, or the one before the versions derived from it."""
    result = None
    for place, receipt in enumerate(plan.receipts):
        if receipt.status != "duplicate" and receipt.version <= version:
            result = place
    return result
