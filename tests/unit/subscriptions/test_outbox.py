"""Cursors and dead letters of deliveries survive the process that wrote them."""

from __future__ import annotations

from pathlib import Path

import pytest

from lineage_tt.model.errors import UnavailableError
from lineage_tt.read.observations import MAX_DELIVERY_AGE
from lineage_tt.subscriptions.outbox import Outbox

EVENT = {"id": "7", "data": {"version": 7}}


def test_a_cursor_is_there_after_the_process_is_gone(tmp_path: Path) -> None:
    """Nothing was delivered before the first; each subscription has its own."""
    with Outbox(tmp_path / "d.sqlite") as outbox:
        assert outbox.cursor("a") is None
        outbox.move("a", 5)
        outbox.delivered("b", 7, 100)

    with Outbox(tmp_path / "d.sqlite") as outbox:
        assert (outbox.cursor("a"), outbox.cursor("b"), outbox.cursor("c")) == (5, 7, None)


def test_what_is_given_up_is_kept_and_passed_in_one_step(tmp_path: Path) -> None:
    """The event as it was to be sent, with the reason; delivered later, it is dropped."""
    with Outbox(tmp_path / "d.sqlite") as outbox:
        outbox.give_up("a", 7, EVENT, "410 gone")
        outbox.give_up("b", 3, EVENT, "no answer")
        assert outbox.cursor("a") == 7
        assert [(each.subscription, each.version) for each in outbox.undelivered()] == [("b", 3), ("a", 7)]
        (mine,) = outbox.undelivered("a")
        assert (mine.problem, mine.event) == ("410 gone", b'{"id":"7","data":{"version":7}}')

        outbox.late("a", 7, 100)
        outbox.forget("a", 7)
        assert outbox.undelivered("a") == []
        assert outbox.cursor("a") == 7


def test_given_up_twice_it_is_there_once(tmp_path: Path) -> None:
    """With the last reason."""
    with Outbox(tmp_path / "d.sqlite") as outbox:
        outbox.give_up("a", 7, EVENT, "first")
        outbox.give_up("a", 7, EVENT, "second")

        assert [each.problem for each in outbox.undelivered("a")] == ["second"]


def test_times_of_deliveries_are_kept_for_a_while(tmp_path: Path) -> None:
    """The first delivery of a version counts; cursors stay when times are dropped."""
    with Outbox(tmp_path / "d.sqlite") as outbox:
        outbox.delivered("a", 1, 100)
        outbox.late("a", 1, 900)
        outbox.delivered("a", 2, 5_000)
        outbox.drop_old(MAX_DELIVERY_AGE + 1_000)

        left = outbox._db.execute("SELECT version, at FROM delivered ORDER BY version").fetchall()
        assert left == [(2, 5_000)]
        assert outbox.cursor("a") == 2


def test_a_place_that_cannot_be_written_names_the_way_out(tmp_path: Path) -> None:
    """A file that is not a database, or a folder that is not there."""
    (tmp_path / "text").write_text("not a database, but long enough to be taken for a damaged one" * 20)
    for path in (tmp_path / "text", tmp_path / "no" / "folder"):
        with pytest.raises(UnavailableError, match="give another file: --state"):
            Outbox(path)
