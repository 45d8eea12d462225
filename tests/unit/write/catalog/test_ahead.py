"""Columns that a batch declares, foreseen for the texts after them."""

from __future__ import annotations

from lineage_tt.model.facts import Field
from lineage_tt.model.messages import NodeChange, TaskChange
from lineage_tt.write.catalog.ahead import Ahead
from lineage_tt.write.catalog.catalog import Catalog, Entry


def define(*names: str, at: int = 0, rank: int | None = None) -> NodeChange:
    """A message that declares the columns of n:s."""
    return NodeChange(f"d{at}", "dataset", "n:s", "define", at, rank, fields=[Field(name, "int") for name in names])


def task(at: int = 0) -> TaskChange:
    """A task's statement."""
    return TaskChange("e", "t", "online", at, sql="SELECT * FROM s")


def names(ahead: Ahead, message: TaskChange) -> tuple[str, ...] | None:
    """The columns of n:s that a text will probably be read with."""
    shape = ahead.at(message).get("n:s")
    return None if shape is None else tuple(c if isinstance(c, str) else c[0] for c in shape)


def test_a_text_sees_what_comes_before_it_in_the_batch() -> None:
    """Not what comes after it, and not what holds later than it does."""
    first, last = task(), task()
    ahead = Ahead([first, define("a"), last, define("a", "b", at=5)], Catalog())

    assert names(ahead, first) is None
    assert names(ahead, last) == ("a",)


def test_of_several_the_latest_and_then_the_greatest_wins() -> None:
    """As it does when the batch is placed: by time, source version, and order."""
    later = task(9)
    ahead = Ahead([define("b", at=5, rank=2), define("c", at=5, rank=1), define("a", at=0), later], Catalog())

    assert names(ahead, later) == ("b",)


def test_what_the_log_declares_counts_where_it_is_later() -> None:
    """A declaration that is in the log already may win over one of the batch."""
    catalog = Catalog()
    catalog.declare("n:s", Entry.declared(3, 0, 1, (Field("old", "int"),)))
    here, after = task(1), task(4)
    ahead = Ahead([define("a", at=0), here, after], catalog)

    assert names(ahead, here) == ("a",)
    assert names(ahead, after) == ("old",)


def test_a_drop_leaves_what_statements_wrote() -> None:
    """Nothing, where none did; a batch without declarations asks the catalog as it is."""
    catalog = Catalog()
    catalog.declare("n:s", Entry.declared(0, 0, 1, (Field("old", "int"),)))
    last = task(9)

    assert names(Ahead([NodeChange("x", "dataset", "n:s", "drop", 5, 1), last], catalog), last) is None
    assert names(Ahead([last], catalog), last) == ("old",)
