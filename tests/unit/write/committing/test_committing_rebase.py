"""Drafts that wait: which of them hold after concurrent commits, and what is placed again."""

from __future__ import annotations

import pytest
from planned import define, star
from stars import star_resolver
from writing import LETTER, Writing, change

from lineage_tt.log.system_times import ImportOrder
from lineage_tt.model.messages import Message
from lineage_tt.write.catalog.lineages import Lineages
from lineage_tt.write.committing.rebase import is_in_order


def test_a_draft_that_nobody_touched_is_renumbered(writing: Writing) -> None:
    """Its rows are those that planning again would give, but for their numbers."""
    draft = writing.draft(change("mine", 10), define("d", 0, "x"))
    assert draft.is_current
    writing.other.append([change("theirs", 20)])
    writing.known.look()
    assert not draft.is_current
    assert draft.touched == set()
    assert draft.stands([], None)
    plan = draft.renumber(1, writing.known.catalog)

    assert [row.version for row in plan.rows] == [2, 3]
    assert writing.known.catalog.touched(3) == [("n:a", 0)]


@pytest.mark.parametrize(
    "theirs",
    [define("d2", 0, "z"), LETTER, star("t", 10)],
    ids=["columns that it declares", "what it refuses", "a star over what it declares"],
)
def test_a_draft_that_rests_on_what_others_changed_is_planned_again(writing: Writing, theirs: Message) -> None:
    """Columns, refused messages, and which tasks read what it declares."""
    draft = writing.draft(define("d1", 0, "x"), LETTER)
    writing.other.append([theirs], resolver=star_resolver)
    writing.known.look()

    assert not draft.stands([define("d1", 0, "x"), LETTER], None)


def test_messages_of_a_touched_subject_are_placed_again_alone(writing: Writing) -> None:
    """The others keep their rows; what the other writer sent is before it on the timeline."""
    messages = [change("mine", 10), change("shared", 30)]
    writing.commit(change("shared", 5))
    draft = writing.draft(*messages)
    before = draft.plan.rows[0]
    writing.other.append([change("shared", 20)])
    writing.known.look()
    assert draft.touched == {"shared"}
    assert draft.stands(messages, None)
    plan = draft.renumber(2, writing.known.catalog)
    assert draft.place_again(messages, Lineages(None))

    assert plan.rows[0] == before._replace(version=3)
    assert {edge[2] for edge in plan.rows[1].changes if edge[0] < 0} == {"n:b#y20"}  # type: ignore[comparison-overlap]


def test_an_import_is_judged_by_the_order_of_the_log_now(writing: Writing) -> None:
    """A plan without an order has none to be judged by."""
    plan = writing.plan(change("mine", 10))

    assert is_in_order(plan, [], None)
    assert not is_in_order(plan, [], ImportOrder(0, 90))
