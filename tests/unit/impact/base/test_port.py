"""Facts of nodes: owners and priorities are those of the first nodes named."""

from __future__ import annotations

from lineage_tt.impact.base.port import Facts
from lineage_tt.model.answers import FactAsOf

FACTS = Facts({"n:a": ("ana", "bo"), "task:t": ("bo", "çem")}, priorities={"n:b": "P1", "task:t": "P0"})


def test_owners_come_in_the_order_of_the_nodes_each_once() -> None:
    """A node that is None, or of which nothing is known, is passed over."""
    assert FACTS.owners_of("n:a", None, "n:nobody", "task:t") == ("ana", "bo", "çem")
    assert FACTS.owners_of("task:t", "n:a") == ("bo", "çem", "ana")
    assert FACTS.owners_of() == ()


def test_the_priority_is_that_of_the_first_node_that_has_one() -> None:
    """Not the most urgent: the nodes are given nearest first."""
    assert FACTS.priority_of("n:a", None, "n:b", "task:t") == "P1"
    assert FACTS.priority_of("n:a") is None


def test_facts_in_force_are_sorted_by_their_kind() -> None:
    """Several owners and labels of a node, one priority; other facts, such as columns, are left out."""
    rows = [("n:a", "owner", "ana"), ("n:a", "owner", "bo"), ("n:a#x", "label", "pii"), ("n:b", "priority", "P1"),
            ("n:a", "column", "{}")]  # fmt: skip

    made = Facts.of(FactAsOf(*row, "fact", row[0], 1, 0, None) for row in rows)

    assert made == Facts({"n:a": ("ana", "bo")}, {"n:a#x": ("pii",)}, {"n:b": "P1"})
