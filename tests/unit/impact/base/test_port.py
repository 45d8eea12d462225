"""Facts of nodes: owners and priorities are those of the first nodes named."""

from __future__ import annotations

from lineage_tt.impact.base.port import Facts

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
