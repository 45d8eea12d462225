"""Labels and owners at any point, in memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from lineage_tt import Store
from lineage_tt.model.messages import NodeChange
from lineage_tt.subscriptions.knowledge import ALWAYS, Knowledge
from lineage_tt.testing import ManualClock


def fact(at: int, *values: str, key: str = "label", node: str = "n:a") -> NodeChange:
    """A message of one key."""
    facts = [(node, key, value) for value in values]
    return NodeChange(f"{node}/{key}/{at}", "fact", node, "set", at, fact_key=key, facts=facts)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A label from 10 to 20, an owner, a key that no filter asks about."""
    made = Store.create(tmp_path, clock=ManualClock(1_000_000))
    made.append([fact(10, "pii")])
    made.append([fact(20, "public")])
    made.append([fact(10, "ann", key="owner"), fact(10, "x", key="other")])
    return made


@pytest.mark.parametrize(
    ("stretch", "version", "holds"),
    [((0, 10), 4, False), ((0, 11), 4, True), ((10, 20), 4, True), ((20, ALWAYS), 4, False), ((20, ALWAYS), 1, True),
     ((10, 20), 0, False), ((5, ALWAYS), 4, True)],
)  # fmt: skip
def test_a_label_holds_in_a_stretch_as_known_at_a_version(
    store: Store, stretch: tuple[int, int], version: int, holds: bool
) -> None:
    """Anywhere in it is enough."""
    assert Knowledge(store, 4).holds("n:a", "label", ["pii"], stretch, version) is holds


def test_what_comes_later_is_taken_in_from_the_feed(store: Store) -> None:
    """It is then what it would have read."""
    known = Knowledge(store, 1)
    for entry in store.changes(1):
        known.take_in(entry)

    for stretch in ((10, 20), (20, 30), (0, 10)):
        for label in ("pii", "public"):
            asked = "n:a", "label", [label], stretch, 4
            assert known.holds(*asked) is Knowledge(store, 4).holds(*asked)
    assert known.holds("n:a", "owner", ["ann"], (0, ALWAYS), 4)
    assert not known.holds("n:a", "other", ["x"], (0, ALWAYS), 4)


def test_a_column_has_the_labels_of_its_dataset(store: Store) -> None:
    """A dataset has not those of its columns."""
    known = Knowledge(store, 4)

    assert known.labelled("n:a#x", ["pii"], (10, 20), 4)
    assert not known.labelled("n:b#x", ["pii"], (10, 20), 4)
    store.append([fact(10, "key", node="n:b#x")])
    later = Knowledge(store, 5)
    assert later.labelled("n:b#x", ["key"], (10, 20), 5)
    assert not later.labelled("n:b", ["key"], (10, 20), 5)
