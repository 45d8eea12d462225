"""What people state under keys that governance reads: values that have no effect."""

from __future__ import annotations

import pytest

from lineage_tt.governance.upkeep.stated import MAX_SENTENCES, block_source, unread_of, without_effect
from lineage_tt.model.answers import FactAsOf


def fact(node: str, key: str, value: str) -> FactAsOf:
    """A fact in force."""
    return FactAsOf(node, key, value, "task", "note", 1, 0, None)


@pytest.mark.parametrize(
    ("key", "good", "bad"),
    [
        ("sla", "09:00", "nine"),
        ("duration", "2h", "long"),
        ("begins", "23:30", "noon"),
        ("partition", "day", "fortnight"),
        ("life-cycle", "retired", "gone"),
        ("retention", "30", "a month"),
        ("parent", "task:load", "load"),
        ("grant:ana", "read", "reed"),
        ("label-decision:pii", "reject", "rejct"),
        ("label-decision:secret", "downgrade public", "downgrade "),
        ("label-block:db:a", "*", " "),
    ],
)
def test_a_value_that_cannot_be_read_is_said_to_have_no_effect(key: str, good: str, bad: str) -> None:
    """One sentence a value, which names the key and the value; nothing of what is read."""
    assert list(without_effect(key, [good])) == []
    (said,) = without_effect(key, [good, bad])
    assert said.startswith(f"it has no effect as {key}: ")
    assert bad in said


def test_a_key_of_which_governance_knows_nothing_takes_any_value() -> None:
    """A description, an owner, a key of one's own."""
    assert list(without_effect("description", ["", "nine", "-1"])) == []


@pytest.mark.parametrize(
    ("key", "near"),
    [
        ("lable", "label"),
        ("Owner", "owner"),
        ("lifecycle", "life-cycle"),
        ("grants:ana", "grant:ana"),
        ("label_decision:pii", "label-decision:pii"),
    ],
)
def test_a_key_that_resembles_a_known_one_is_said_to_have_no_effect(key: str, near: str) -> None:
    """With the key that was probably meant; what is stated under it is kept."""
    (said,) = without_effect(key, ["read"])
    assert said == f"{key!r} is kept as a key of its own and has no effect; did you mean {near}?"


@pytest.mark.parametrize("key", ["label", "check:unique", "register:cmdb", "team:lead", "colour", "masked"])
def test_a_known_key_and_one_that_resembles_none_need_no_sentence(key: str) -> None:
    """Keys of one's own stay possible."""
    assert list(without_effect(key, ["x"])) == []


def test_of_several_values_under_a_key_with_one_value_the_sentence_says_which_counts() -> None:
    """Of priorities the first by name; labels and owners may be several."""
    (said,) = without_effect("priority", ["P2", "P1"])
    assert "only one of the 2 values has an effect ('P1', the first by name)" in said
    assert list(without_effect("priority", ["P1", "P1"])) == []
    assert list(without_effect("owner", ["ana", "bob"])) == []


def test_a_key_that_counts_only_for_tasks_or_datasets_says_so_for_another_node() -> None:
    """Duration and parent of a dataset, retention of a column."""
    assert "only a task has a duration" in next(without_effect("duration", ["2h"], "db:a"))
    assert "only a dataset has a retention" in next(without_effect("retention", ["30"], "db:a#x"))
    assert list(without_effect("duration", ["2h"], "task:load")) == []
    assert list(without_effect("retention", ["30"], "db:a")) == []


def test_facts_in_force_that_cannot_be_read_are_listed_up_to_a_number() -> None:
    """Each once, by node, then how many more there are; a level of another scene counts only where levels are given."""
    facts = [fact(f"db:{at}", "grant:ana", "reed") for at in range(MAX_SENTENCES + 2)]
    said = unread_of([*facts, facts[0], fact("db:z", "grant:ana", "read")])

    assert len(said) == MAX_SENTENCES + 1
    assert said[0].startswith("grant:ana of db:0 has no effect: 'reed' is not a right (give read, write, own)")
    assert "the node counts as one with grants" in said[0]
    assert said[-1] == "2 other values that are stated have no effect either"

    lower = [fact("db:a", "label-decision:secret", "downgrade public")]
    assert unread_of(lower) == unread_of(lower, ("public", "secret")) == []
    assert "'public' is not a level" in unread_of(lower, ("open", "secret"))[0]


def test_a_block_names_the_source_of_an_edge() -> None:
    """Other keys name none."""
    assert [block_source(key) for key in ("label-block:db:a#x", "label-block:", "label")] == ["db:a#x", None, None]
