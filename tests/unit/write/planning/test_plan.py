"""From messages to rows: duplicates, rejections, receipts, and plans that are numbered again."""

from __future__ import annotations

from dataclasses import replace

import pytest
from planned import Planner, define, retract, star

from lineage_tt.log.system_times import ImportOrder
from lineage_tt.model.format import GENESIS
from lineage_tt.model.messages import Lineage, Message, Problem, RejectedMessage
from lineage_tt.testing import task_change
from lineage_tt.write.catalog.lineages import Lineages
from lineage_tt.write.planning.plan import Plan

ONE = task_change("t", "online", 10, [("n:a#x", "n:b#y")])
LETTER = RejectedMessage(b"{", "syntax", "cut")


def outcome(plan: Plan) -> list[tuple[str, int]]:
    """Status and version of each receipt."""
    return [(receipt.status, receipt.version) for receipt in plan.receipts]


def test_each_message_is_a_row_or_names_the_version_that_it_repeats() -> None:
    """In its own batch as in an earlier one; whether the repeated one was rejected is said."""
    plan = Planner().plan(ONE, ONE, LETTER, LETTER)

    assert outcome(plan) == [("accepted", 1), ("duplicate", 1), ("rejected", 2), ("duplicate", 2)]
    assert [receipt.repeats_rejected for receipt in plan.receipts] == [False, False, False, True]
    assert [row.version for row in plan.rows] == [1, 2]
    assert list(plan.refused.values()) == [2]


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        (replace(ONE, effective_at=11), "conflicting-duplicate"),
        (replace(retract(ONE), retracts="never"), "unknown-event"),
    ],
)
def test_what_contradicts_the_log_is_rejected(bad: Message, code: str) -> None:
    """The message before it stays as it is; a conflict within a batch names a version of this plan."""
    plan = Planner().plan(ONE, bad)

    assert outcome(plan) == [("accepted", 1), ("rejected", 2)]
    assert plan.rows[1].rejected_code == code
    assert plan.cites_itself is (code == "conflicting-duplicate")


def test_an_import_out_of_order_is_rejected() -> None:
    """By the recorded_at of the messages."""
    plan = Planner().plan(ONE, order=ImportOrder(0, 10**15))

    assert plan.rows[0].rejected_code == "recorded-at-missing"


def test_lineage_that_the_log_cannot_hold_rejects_its_message() -> None:
    """A parser may find names that nobody gave."""
    bad = Lineage([("subscription:x", "n:b", "DIRECT", "IDENTITY", "")])
    plan = Planner(lambda waiting: [bad for _ in waiting]).plan(star("t", 10))

    assert plan.rows[0].rejected_code == "reserved-node"


def test_a_receipt_says_what_took_effect_and_what_is_not_known() -> None:
    """The winner of a message that loses; the coverage of a text; fields that had no effect."""
    winner = replace(ONE, source_version=7)
    problem = Problem("syntax", "cut")
    partial = task_change("u", "online", 10)
    partial.lineage = Lineage([], "partial", [problem])
    partial.misspelled = [("ownr", "owner")]
    plan = Planner().plan(winner, replace(ONE, event_id="late"), partial)

    assert [receipt.superseded_by for receipt in plan.receipts] == [None, 1, None]
    assert (plan.receipts[2].coverage, [each.code for each in plan.receipts[2].problems]) == (
        "partial", ["unknown-field", "syntax"],
    )  # fmt: skip
    assert plan.receipts[0].changes == 1


def test_a_second_retract_changes_nothing() -> None:
    """It names the one that did."""
    again = replace(retract(ONE), event_id="again")
    plan = Planner().plan(ONE, retract(ONE), again)

    assert [(receipt.changes, receipt.superseded_by) for receipt in plan.receipts] == [(1, None), (1, None), (0, 2)]


def test_a_dataset_that_used_up_its_field_ids_is_rejected() -> None:
    """In words; the columns before it stay."""
    planner = Planner()
    spent = define("d1", 10, "x")
    spent.fields = [spent.fields[0]._replace(field_id=2**63 - 1)]
    planner.plan(spent)
    plan = planner.plan(define("d2", 20, "x", "y"))

    assert plan.rows[0].rejected_code == "invalid-message"
    assert planner.catalog.columns("n:a", 20) == ("x",)


def test_a_plan_is_numbered_again_after_others_took_its_numbers() -> None:
    """Rows, receipts, what it refuses and the histories move; what it repeats of the log does not."""
    planner = Planner()
    planner.plan(ONE)
    plan = planner.plan(replace(ONE, event_id="e2", effective_at=20), ONE, LETTER)
    plan.renumber(5)

    assert [row.version for row in plan.rows] == [7, 8]
    assert outcome(plan) == [("accepted", 7), ("duplicate", 1), ("rejected", 8)]
    assert list(plan.refused.values()) == [8]
    assert planner.known["t"].events["e2"][0] == 7
    assert plan.version == 6


def test_rows_are_stamped_once_their_times_are_known() -> None:
    """Each checksum follows from the one before."""
    plan = Planner().plan(ONE, LETTER)
    plan.stamp([50, 51], GENESIS)
    first = [row.checksum for row in plan.rows]
    plan.stamp([50, 52], GENESIS)

    assert [row.system_time for row in plan.rows] == [50, 52]
    assert plan.rows[0].checksum == first[0]
    assert plan.rows[1].checksum != first[1]


def test_one_of_its_messages_is_placed_alone() -> None:
    """Against the same histories, under the number that it had."""
    planner = Planner()
    plan = planner.plan(ONE)
    planner.known["t"].rewind(0)
    alone = plan.alone(0)
    alone.add(ONE, Lineages(None))

    assert alone.rows == plan.rows
