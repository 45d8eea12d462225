"""Accepted messages on the timelines of their subjects: their rows, and what the catalog knows after them."""

from __future__ import annotations

from dataclasses import replace

from planned import Planner, define, retract, star

from lineage_tt.model.facts import LABEL, OWNER, task_node
from lineage_tt.model.messages import Lineage, NodeChange, TaskChange
from lineage_tt.model.redaction.policy import TextPolicy, TextState
from lineage_tt.testing import task_change
from lineage_tt.write.planning.placing import Placing

EDGE = ("n:a#x", "n:b#y", "DIRECT", "IDENTITY", "")
OWN = task_node("t")


def test_a_row_holds_what_it_changes() -> None:
    """Edges and facts apart; an edge that stays is not a change."""
    planner = Planner()
    first = replace(task_change("t", "online", 10, [("n:a#x", "n:b#y")]), facts=[(OWN, OWNER, "ann")])
    row, again = planner.plan(first, task_change("t", "update", 20, [("n:a#x", "n:b#y")])).rows

    assert isinstance(planner.plan(), Placing)
    assert (row.changes, row.fact_changes) == ([(1, *EDGE, 10, None)], [(1, OWN, OWNER, "ann", 10, None)])
    assert (again.changes, again.fact_changes) == ([], [])


def test_owners_that_a_message_does_not_speak_of_stay() -> None:
    """Those that it clears go; so do all where the task goes offline."""
    planner = Planner()
    first = replace(task_change("t", "online", 10), facts=[(OWN, OWNER, "ann"), (OWN, LABEL, "pii")])
    cleared = replace(task_change("t", "update", 20), cleared=[LABEL])
    rows = planner.plan(first, cleared, task_change("t", "offline", 30)).rows

    assert [fact[2] for fact in rows[1].facts] == ["ann"]
    assert [change for change in rows[1].fact_changes if change[0] > 0 and change[-1] is None] == []
    assert rows[2].facts == []


def test_columns_that_are_written_are_known_from_then_on() -> None:
    """Until the message is withdrawn; the datasets are those that the plan followed."""
    planner = Planner()
    planner.plan(define("d", 0, "x", "y"))
    said = star("t", 10)
    planner.plan(said)
    assert planner.catalog.columns("n:out_t", 10) == ("x", "y")
    assert planner.catalog.columns("n:out_t", 9) is None
    plan = planner.plan(retract(said))

    assert planner.catalog.columns("n:out_t", 10) is None
    assert plan.followed == {2: False}


def test_a_message_that_loses_says_nothing_of_columns() -> None:
    """The one with the greater source version does, whichever comes first."""
    for order in ((7, 3), (3, 7)):
        planner = Planner()
        made = [replace(define(f"d{rank}", 10, f"c{rank}"), source_version=rank) for rank in order]
        planner.plan(*made)

        assert planner.catalog.columns("n:a", 10) == ("c7",)


def test_fields_get_ids_that_outlive_their_order() -> None:
    """A column keeps its id; a new one gets the next; where messages come in any order, by its name."""
    planner = Planner()
    planner.plan(define("d1", 10, "x", "y"), define("d2", 20, "z", "y"))
    fields = planner.catalog.fields("n:a", 20) or ()
    assert [(field.name, field.field_id) for field in fields] == [("z", 3), ("y", 2)]
    named = replace(define("d3", 15, "x", "z"), ids_by_name=True)
    planner.plan(named)

    assert [field.field_id for field in planner.catalog.fields("n:a", 15) or ()] == [1, 3]


def test_a_dataset_keeps_its_owner_when_it_is_declared_again() -> None:
    """A drop ends both."""
    planner = Planner()
    first = replace(define("d1", 10, "x"), facts=[("n:a", OWNER, "ann")])
    drop = NodeChange("d3", "dataset", "n:a", "drop", 30)
    rows = planner.plan(first, define("d2", 20, "x"), drop).rows

    assert ("n:a", OWNER, "ann") in rows[1].facts
    assert rows[2].facts == []
    assert planner.catalog.columns("n:a", 30) is None


def test_what_a_statement_read_is_in_its_row() -> None:
    """So that it can be seen whether it must be resolved again; the plan knows which datasets it asked for."""
    planner = Planner()
    plan = planner.plan(star("t", 10))

    assert plan.looked_up == {"n:a"}
    assert plan.rows[0].stars == (("n:a", None),)
    assert planner.stars.since({"n:a": 5}) == {"t": 5}


def test_under_a_policy_the_row_and_later_plans_hold_the_text_that_is_kept() -> None:
    """What is dropped cannot be resolved again."""
    texts = TextState(((1, TextPolicy.DROP),))
    planner = Planner()
    plan = planner.plan(star("t", 10), texts=texts)

    assert plan.rows[0].sql is None
    assert plan.rows[0].sql_sha256 is not None


def test_a_version_that_only_says_types_has_facts_of_columns() -> None:
    """They are of the text, not of the task."""
    typed = Lineage([EDGE], outputs=[("n:b", ("y",))], types=[("n:b", (("y", "int"),))])
    plan = Planner().plan(TaskChange("e", "t", "update", 10, lineage=typed))

    assert [(fact[0], fact[1]) for fact in plan.rows[0].facts] == [("n:b#y", "column")]
    assert plan.rows[0].fact_changes == ()
