"""A dismissed dead letter is a fact of the log that says who dismissed it and why."""

from __future__ import annotations

from pathlib import Path

from lineage_tt import RejectedMessage, Store
from lineage_tt.log.dismissals import DISMISSED, LETTER_NODE, dismissal
from lineage_tt.testing import ManualClock

NOON = 1_714_564_800_000_000


def test_it_states_the_reason_at_the_letters_node() -> None:
    """From now on, by name."""
    message = dismissal(7, "a test", NOON, "ann")

    assert list(message.facts) == [(f"{LETTER_NODE}7", DISMISSED, "a test")]
    assert (message.op, message.effective_at, message.actor, message.reason) == ("set", NOON, "ann", "a test")


def test_two_dismissals_are_two_messages() -> None:
    """A second reason for one letter is not a duplicate of the first."""
    assert dismissal(7, "one", NOON).event_id != dismissal(7, "one", NOON).event_id


def test_only_the_product_writes_it(tmp_path: Path) -> None:
    """The node is reserved: a message that states it is refused; the product's own takes the letter off the list."""
    store = Store.create(tmp_path, clock=ManualClock(NOON))
    store.append([RejectedMessage(b"?", "not-json", "it is not JSON")])
    assert [letter.waits for letter in store.dead_letters()] == [True]

    assert [receipt.status for receipt in store.append([dismissal(1, "mine", NOON)])] == ["rejected"]
    assert store.dead_letters()[0].waits
    store.append([dismissal(1, "known", NOON, "ann")], own=True)

    letter = store.dead_letters()[0]
    assert (letter.dismissed, letter.waits) == ("known", False)
