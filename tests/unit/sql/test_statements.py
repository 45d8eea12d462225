"""Statements as data engineers deploy them, written with their lineage before any of them was run.

OPEN.txt lists the cases that do not come out yet. The list may only get shorter.
"""

from __future__ import annotations

from collections import Counter

import pytest
from statements import FOLDER, judge, read_cases, summary

CASES = read_cases()
OPEN = frozenset((FOLDER / "OPEN.txt").read_text(encoding="utf-8").split())
CLOSED = [case for case in CASES if case.name not in OPEN]
MAX_OPEN = 0


def test_an_open_case_is_still_wrong() -> None:
    """What OPEN.txt lists is known not to come out; a case that does must leave the list."""
    assert [case.name for case in CASES if case.name in OPEN and judge(case).kind == "right"] == []


@pytest.mark.parametrize("dialect", sorted({case.dialect for case in CASES}))
def test_no_wrong_answer_calls_itself_complete(dialect: str) -> None:
    """Exactly the edges that each text means in its dialect, or an answer that says that it is incomplete."""
    verdicts = [judge(case) for case in CLOSED if case.dialect == dialect]
    assert [verdict for verdict in verdicts if verdict.kind == "wrong"] == [], f"\n{summary(verdicts)}"


@pytest.mark.long
def test_nearly_all_come_out() -> None:
    """At least 97 of 100 are exactly right, and complete where nothing is in the way."""
    verdicts = [judge(case) for case in CLOSED]
    right = sum(verdict.kind == "right" for verdict in verdicts)
    assert right >= 0.97 * len(verdicts), f"\n{summary(verdicts)}"


def test_there_are_many_of_each_dialect_and_few_are_open() -> None:
    """The folder is whole; OPEN.txt names cases that are there, and no more than it did."""
    by_dialect = Counter(case.dialect for case in CASES)
    assert len(CASES) >= 800
    assert sum(count >= 9 for count in by_dialect.values()) >= 19, by_dialect
    assert set() == OPEN - {case.name for case in CASES}
    assert len(OPEN) <= MAX_OPEN
