"""The writer itself: long batches in pieces, corrections, the clock, what a crash left."""

from __future__ import annotations

from pathlib import Path

import pytest
from planned import define, star
from stars import star_resolver

from lineage_tt import Store
from lineage_tt.log.log import Log
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.messages import Lineage
from lineage_tt.storage import failpoints
from lineage_tt.testing import ManualClock, task_change
from lineage_tt.write.catalog.reresolve import Cause
from lineage_tt.write.past import history
from lineage_tt.write.writer import MAX_PIECE, Writer

CAUSE = Cause("why", "a newer parser")


@pytest.fixture
def writer(tmp_path: Path) -> Writer:
    """A writer of an empty log."""
    return Writer(Log.create(tmp_path / "log"), ManualClock(90))


def test_a_long_batch_is_one_commit_where_nobody_waits(writer: Writer) -> None:
    """Its receipts come in the order of its messages."""
    messages = [task_change(f"t{number}", "online", 10) for number in range(MAX_PIECE + 1)]
    receipts = writer.append_in_pieces(messages)

    assert [receipt.version for receipt in receipts] == list(range(1, MAX_PIECE + 2))
    assert writer.log.delta_version == 1


def test_a_long_batch_is_cut_while_others_write(writer: Writer, tmp_path: Path) -> None:
    """Into commits of a bounded length; another writer wrote just now."""
    other = Store.open(tmp_path, clock=ManualClock(90))
    other.append([task_change("other", "online", 10)])
    writer.append_in_pieces([task_change(f"t{number}", "online", 10) for number in range(MAX_PIECE + 1)])

    assert writer.log.delta_version == 3
    assert writer.log.version == MAX_PIECE + 2


def test_a_clock_that_agrees_with_the_store_is_nothing_to_accept(writer: Writer) -> None:
    """Only one that was rejected is."""
    with pytest.raises(InvalidRequestError, match="nothing to accept"):
        writer.accept_clock("why")


def test_statements_are_corrected_once(writer: Writer) -> None:
    """A dry run says what would come of it; a second correction finds nothing."""
    writer.append([define("d", 0, "x"), star("t", 10)], resolver=star_resolver)
    made = history.resolutions(writer.log)

    def newer(waiting: object) -> list[Lineage]:
        edge = ("n:a#x", "n:out_t#better", "DIRECT", "IDENTITY", "")
        return [Lineage([edge], outputs=[("n:out_t", ("better",))], parser="newer")]

    assert writer.correct(made, CAUSE, resolver=newer, dry_run=True).versions == 1
    assert writer.log.version == 2
    assert writer.correct(made, CAUSE, resolver=newer).versions == 1
    assert writer.log.version == 3
    assert writer.correct(made, CAUSE, resolver=newer).versions == 0
    again = [each for each in history.resolutions(writer.log) if each.version == 3]
    assert writer.correct(again, CAUSE, resolver=newer).versions == 0


def test_what_a_crash_left_unacknowledged_is_acknowledged(writer: Writer, tmp_path: Path) -> None:
    """By the next writer that opens the log."""
    with failpoints.armed("p3:after:raise"), pytest.raises(failpoints.FailpointError):
        writer.append([task_change("t", "online", 10)])
    log = Log.open(tmp_path / "log")
    assert not log.acknowledged
    Writer(log)

    assert log.acknowledged


def test_a_batch_that_fails_twice_on_the_same_message_loses_it_alone(writer: Writer) -> None:
    """A resolver with a bug costs the message on which it fails."""

    def fails(waiting: list[tuple[object, object]]) -> list[Lineage]:
        raise ZeroDivisionError

    receipts = writer.append([star("t", 10), task_change("u", "online", 10)], resolver=fails)  # type: ignore[arg-type]

    assert [receipt.status for receipt in receipts] == ["rejected", "accepted"]
    assert (writer.renumbered, writer.planned_again) == (0, 0)
