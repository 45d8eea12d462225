"""Messages of what people state: each a task of its own, named after what it is about."""

from __future__ import annotations

import orjson
import pytest

from lineage_tt.curation.messages import (
    alias_change,
    alias_task,
    aliases_change,
    edge_change,
    edge_task,
    is_curated,
    note_change,
    note_task,
    statement,
)
from lineage_tt.model.edges import alias_edges

PLAIN = ("DIRECT", None, "")


def test_an_alias_is_one_task_whichever_is_named_first() -> None:
    """With edges both ways, and a fact about the one."""
    made = alias_change("add", "n:b", "n:a", "e", 5, "https://wiki", actor="ann")

    assert alias_task("n:a", "n:b") == alias_task("n:b", "n:a") == made.task_id
    assert made.lineage is not None
    assert made.lineage.edges == sorted(alias_edges("n:b", "n:a"))
    assert (list(made.facts), made.actor) == ([("n:b", "alias", "n:a")], "ann")
    assert orjson.loads(made.attributes or "") == {"evidence": "https://wiki"}
    assert made.digest is not None


@pytest.mark.parametrize(
    ("dataset", "alias", "words"), [("n:a#x", "n:b", "is a column"), ("n:a", "b", "has no namespace"),
                                    ("n:a", "n:a", "not an alias of itself")],
)  # fmt: skip
def test_an_alias_is_between_two_datasets(dataset: str, alias: str, words: str) -> None:
    """In words that name the one that is wrong."""
    with pytest.raises(ValueError, match=words):
        alias_change("add", dataset, alias, "e", 5)


def test_a_producer_gives_all_other_names_at_once() -> None:
    """Itself and columns are none; without any it takes them back."""
    made = aliases_change("n:a", ["n:c", "n:b", "n:a", "n:b#x", "n:b"], "e", 5)

    assert [fact[2] for fact in made.facts] == ["n:b", "n:c"]
    assert aliases_change("n:a", ["n:a"], "e", 5).op == "offline"


def test_an_edge_is_added_rejected_or_taken_back() -> None:
    """A rejection of two datasets is met at each of their columns."""
    added = edge_change("add", "n:a#x", "n:b#y", ("INDIRECT", None, "x > 1"), "e", 5)
    rejected = edge_change("reject", "n:a", "n:b", PLAIN, "e", 5)
    column = edge_change("reject", "n:a#x", "n:b#y", PLAIN, "e", 5)

    assert added.lineage is not None
    assert added.lineage.edges == [("n:a#x", "n:b#y", "INDIRECT", "FILTER", "x > 1")]
    assert rejected.lineage is not None
    assert [edge[:2] for edge in rejected.lineage.edges] == [("n:a", "n:b"), ("n:a#*", "n:b#*")]
    assert column.lineage is not None
    assert [edge[3] for edge in column.lineage.edges] == ["REJECTED"]
    assert edge_change("remove", "n:a", "n:b", PLAIN, "e", 5).op == "offline"
    assert added.task_id == edge_task("n:a#x", "n:b#y")
    with pytest.raises(ValueError, match="JOIN is not a subtype of DIRECT"):
        edge_change("add", "n:a", "n:b", ("DIRECT", "JOIN", ""), "e", 5)
    with pytest.raises(ValueError, match="has no namespace"):
        edge_change("add", "a", "n:b", PLAIN, "e", 5)


def test_values_of_a_node_are_stated_once_each() -> None:
    """Of a task, too."""
    made = note_change("add", "task:t", "owner", ["bob", "ann", "bob"], "e", 5)

    assert list(made.facts) == [("task:t", "owner", "ann"), ("task:t", "owner", "bob")]
    assert made.task_id == note_task("task:t", "owner")
    with pytest.raises(ValueError, match="has no namespace"):
        note_change("add", "t", "owner", ["ann"], "e", 5)


def test_a_retract_names_an_event_and_has_no_time() -> None:
    """All else has one."""
    made = statement("retract", "note:x", "e", None, retracts="f")

    assert (made.op, made.retracts, made.effective_at) == ("retract", "f", None)
    with pytest.raises(ValueError, match="names the event_id"):
        statement("retract", "note:x", "e", None)
    for op in ("add", "remove"):
        with pytest.raises(ValueError, match="effective_at: missing"):
            statement(op, "note:x", "e", None)  # type: ignore[arg-type]


def test_what_people_state_is_told_by_its_task() -> None:
    """Its id begins so."""
    assert all(map(is_curated, (alias_task("n:a", "n:b"), edge_task("n:a", "n:b"), note_task("n:a", "k"))))
    assert not is_curated("my alias:x")
