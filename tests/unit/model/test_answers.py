"""Values of answers: bases, walks and what they derive from their own parts."""

from __future__ import annotations

from lineage_tt.model.answers import Answers, Basis, DeadLetter, FeedEntry, Lineage
from lineage_tt.model.completeness.summary import COMPLETE
from lineage_tt.model.edges import EdgeAsOf, Step


def step(direction: str, steps: int, source: str, target: str) -> Step:
    """An edge reached after so many steps."""
    return Step(direction, steps, EdgeAsOf("t", source, target, "DIRECT", "IDENTITY", "", 1, 0, None))  # type: ignore[arg-type]


def test_a_basis_of_an_empty_store_has_no_system_time() -> None:
    """Before the first version nothing was recorded; after it both times are instants."""
    assert Basis(0, 0, 0).to_json() == {"valid_at": "1970-01-01T00:00:00Z", "version": 0, "system_time": None}
    assert Basis(0, 1, 0).to_json()["system_time"] == "1970-01-01T00:00:00Z"


def test_nodes_of_a_walk_are_the_far_ends_with_their_least_steps() -> None:
    """Downstream the targets, upstream the sources; a start is none; nearer ones first, then by name."""
    steps = (step("down", 2, "n:b", "n:z"), step("down", 1, "n:a", "n:c"), step("down", 1, "n:a", "n:b"),
             step("down", 1, "n:a", "n:z"), step("down", 3, "n:z", "n:a"), step("up", 1, "n:q", "n:a"))  # fmt: skip
    found = Lineage(Basis(0, 1, 0), ("n:a",), steps)

    assert list(found.nodes.items()) == [("n:b", 1), ("n:c", 1), ("n:q", 1), ("n:z", 1)]


def test_a_list_of_answers_is_complete_unless_it_says_otherwise() -> None:
    """It is a list like others, with its completeness beside it."""
    assert Answers([1, 2]) == [1, 2]
    assert Answers().completeness is COMPLETE


def test_a_version_is_about_its_task_or_its_node() -> None:
    """The subject is the task where there is one, else the node, else nothing."""
    entry = FeedEntry(1, 0, None, "e", None, None, None, ())

    assert entry._replace(task_id="t", node="n:a").subject == "t"
    assert entry._replace(node="n:a").subject == "n:a"
    assert entry.subject == ""


def test_a_dead_letter_waits_until_it_is_replayed_or_dismissed() -> None:
    """Either of the two ends its wait; version 0 does not exist, but an empty reason does."""
    letter = DeadLetter(1, 0, "code", "detail", None, None, None, None, b"", None)

    assert letter.waits
    assert not letter._replace(replayed_as=4).waits
    assert not letter._replace(dismissed="").waits
