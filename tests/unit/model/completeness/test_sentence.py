"""The line that an incomplete answer ends with."""

from __future__ import annotations

from lineage_tt.model.completeness.sentence import DECLARE, line
from lineage_tt.model.completeness.summary import COMPLETE, End, Gap, Reason, summed

UNKNOWN = Reason("unknown-columns", "", "n:src")
NOT_PARSED = Reason("syntax", "the text does not parse", "")


def gap(task: str, *reasons: Reason, coverage: str = "partial") -> Gap:
    """A task that is not complete."""
    return Gap(task, 1, coverage, reasons)


def test_a_complete_answer_ends_with_no_line() -> None:
    """Nothing is missing."""
    assert line(COMPLETE) is None


def test_unknown_columns_come_with_the_way_out() -> None:
    """One task is named; the line says how to declare the columns."""
    assert line(summed([gap("t", UNKNOWN)])) == (
        f"incomplete: task t on the way is partial: columns of n:src are unknown; {DECLARE}"
    )


def test_tasks_are_counted_and_reasons_named_once() -> None:
    """Two tasks of different coverage, one reason in words, others counted."""
    found = summed([gap("t", NOT_PARSED, coverage="opaque"), gap("u", NOT_PARSED, Reason("crash", "it broke", ""))])

    assert line(found, "of the release") == (
        "incomplete: 2 tasks of the release are partial or opaque: the text does not parse; "
        "1 other reason, shown by lineage-tt tasks --format json"
    )


def test_ends_and_steps_by_star_are_said_too() -> None:
    """At most three nodes by name."""
    ends = [End(f"n:{name}", "up", "unknown-sources", "task t writes it") for name in "abcde"]

    assert line(summed([], ends, 1)) == (
        "incomplete: the walk ends for want of knowledge at n:a, n:b, n:c and 2 more (task t writes it); "
        "1 step assumes a column name (by star)"
    )


def test_rejected_edges_are_said_of_complete_answers_too() -> None:
    """To leave an edge out by hand makes an answer not incomplete."""
    assert line(COMPLETE._replace(rejected=2)) == (
        "left out: 2 edges that are rejected by hand, listed by lineage-tt edge list"
    )
