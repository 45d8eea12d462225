"""What people promise: times of day with a priority and owners."""

from __future__ import annotations

from core_story import fact

from lineage_tt.governance.core.promises import Promise, owners_by_node, owners_of, promises_of, task_nodes
from lineage_tt.governance.core.timings import MINUTE


def test_a_promise_that_cannot_be_read_is_shown_as_such() -> None:
    """It is not dropped in silence, and of two times the earlier counts."""
    promises = promises_of([fact("d:a", "sla", "soon"), fact("d:b", "sla", "09:00"), fact("d:b", "sla", "08:00")])

    assert promises == [
        Promise("d:b", 480 * MINUTE, None, ()),
        Promise("d:a", None, None, (), ("soon",)),
    ]


def test_promises_are_in_order_of_priority_then_time_then_node() -> None:
    """One without a priority comes after all that have one, one without a time after those of its priority."""
    said = {"d:e": ("09:00", None), "d:d": ("soon", "P1"), "d:c": ("09:00", "P1"), "d:b": ("09:00", "P1"),
            "d:a": ("07:00", "P2")}  # fmt: skip
    facts = [fact(node, "sla", time) for node, (time, _) in said.items()]
    facts += [fact(node, "priority", priority) for node, (_, priority) in said.items() if priority]

    assert [promise.node for promise in promises_of(facts)] == ["d:b", "d:c", "d:d", "d:a", "d:e"]


def test_of_two_priorities_the_first_counts_and_all_owners_do() -> None:
    """A fact of a priority or an owner alone makes no promise."""
    facts = [
        fact("d:a#x", "sla", "08:00"), fact("d:a#x", "priority", "P3"), fact("d:a#x", "priority", "P2"),
        fact("d:a", "owner", "bo"), fact("d:a", "owner", "ana"), fact("d:b", "owner", "cy"),
        fact("d:b", "priority", "P1"),
    ]  # fmt: skip

    assert promises_of(facts) == [Promise("d:a#x", 480 * MINUTE, "P2", ("ana", "bo"))]
    assert promises_of([]) == []


def test_a_column_that_nobody_owns_is_owned_by_who_owns_its_dataset() -> None:
    """Who owns the column itself goes before; each owner is named once, in order."""
    facts = [fact("d:a", "owner", "ana"), fact("d:a#x", "owner", "bo"), fact("task:t", "owner", "ana"),
             fact("task:t", "sla", "08:00")]  # fmt: skip
    owners = owners_by_node(facts)

    assert owners_of(["d:a#x"], owners) == ("bo",)
    assert owners_of(["d:a#y"], owners) == ("ana",)
    assert owners_of(["d:a#x", *task_nodes({"t"}), "d:a"], owners) == ("ana", "bo")
    assert owners_of(["d:none"], owners) == ()
    assert task_nodes({"b", "a"}) == ["task:a", "task:b"]
