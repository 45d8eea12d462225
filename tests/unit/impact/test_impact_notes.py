"""Notes of a report."""

from __future__ import annotations

from typing import Any

import pytest
from plain_base import PlainBase, change, edge, release
from reports import SALES, finding, report

from lineage_tt.impact.notes import notes_of, unused_allowances, unused_approvals, unused_fields
from lineage_tt.impact.policy import Allowed, Approval, Policy
from lineage_tt.impact.release.candidates import Candidate, read_candidate

ONLY_DATASETS = "is a column: only datasets are looked for"
NOTHING = "names nothing that the store or the release knows"


@pytest.mark.parametrize(
    ("allowed", "is_unused"),
    [
        ({}, False),
        ({"kind": "stale-*"}, False),
        ({"kind": "hidden-*"}, True),
        ({"subject": "hive:dw.zz"}, True),
        ({"task": "zz", "until": "2000-01-01"}, True),
    ],
)
def test_an_allowance_in_force_that_covers_no_finding_is_named(allowed: dict[str, Any], is_unused: bool) -> None:
    """One that has ended is reported elsewhere, and not here."""
    entry = Allowed("a reason", **({"until": "2999-01-01"} | allowed))
    policy = Policy(allow=(entry,))
    is_over = entry.until < policy.today

    notes = list(unused_allowances(report(findings=[finding("stale-reader", subject=SALES)]), policy))

    expected = ["the allowance 'a reason' covers no finding of this release"]
    assert notes == (expected if is_unused and not is_over else [])


def test_fields_without_effect_are_named_with_their_candidates() -> None:
    """One note for all candidates of which the same is true; an earlier text counts, too."""
    edged = Candidate("e", edges=(), unused=("dialect",))
    ended = [Candidate(f"t{n}", "offline", unused=("sql", "dialect")) for n in range(9)]
    given = [*ended, edged, Candidate("later", "offline", earlier=edged), Candidate("plain", "offline")]

    assert list(unused_fields(given)) == [
        "sql and dialect have no effect in a candidate that goes offline: t0, t1, t2, t3, t4, t5, t6, t7 and 1 more",
        "dialect has no effect in a candidate that is given as edges: e, later",
    ]


def test_a_time_of_candidates_has_no_effect() -> None:
    """A message is sent as it will be ingested, for next year, and the release was judged as of now without a word."""
    given = [read_candidate({"task_id": "t", "op": "offline", "effective_at": "2099-01-01T00:00:00Z"})]

    assert list(unused_fields(given)) == [
        "effective_at of a candidate has no effect, all take effect at that of the release: t"
    ]


def test_an_approval_that_nothing_asks_for_is_named() -> None:
    """A misspelt owner approved nothing, and nothing said so."""
    policy = Policy(approvals=(Approval("team-x", ("hive:*",)),), approved_by=("team-x", "team-X", "zoe"))

    assert list(unused_approvals(policy)) == [
        "the approval by 'team-X' has no effect: the policy asks for none; did you mean team-x?",
        "the approval by 'zoe' has no effect: the policy asks for none",
    ]


@pytest.mark.parametrize(
    ("policy", "said"),
    [(Policy(protected=("hive:dw.sales#amount",)), []),
     (Policy(protected=("hive:dw.*#amount",)), []),
     (Policy(protected=("hive:dw.sales#made",)), []),
     (Policy(protected=("hive:dw.sales#amont",)),
      [f"protected 'hive:dw.sales#amont' {NOTHING}; did you mean hive:dw.sales#amount?"]),
     (Policy(protected=("hive:dw.sale",)), [f"protected 'hive:dw.sale' {NOTHING}; did you mean hive:dw.sales?"]),
     (Policy(layers=("hive:dw.sales#amount",)), [f"layers 'hive:dw.sales#amount' {ONLY_DATASETS}"]),
     (Policy(approvals=(Approval("ana", ("hive:dw.sales#amount",)),)),
      [f"approve.datasets 'hive:dw.sales#amount' {ONLY_DATASETS}"])],
)  # fmt: skip
def test_a_pattern_of_columns_is_looked_for_among_columns(policy: Policy, said: list[str]) -> None:
    """Those that are declared, and those that edges name; where only datasets count, the note says so."""
    base = PlainBase(edge("t", "hive:ods.o#a", "hive:dw.sales#made"), columns={"hive:dw.sales": ("amount",)})

    assert list(notes_of(release(base), policy)) == said


def test_a_store_that_holds_nothing_is_noted() -> None:
    """Of another store, or before the first message, nothing is known that a release could break."""
    said = "the store holds no accepted message, so no reader of anything is known: is it the right one?"

    assert list(notes_of(release(PlainBase(empty=True)), Policy())) == [said]
    assert list(notes_of(release(PlainBase()), Policy())) == []


def test_a_task_whose_last_message_was_rejected_is_noted() -> None:
    """What the store knows of it is older than what it does; other tasks' messages are not asked about."""
    made = release(PlainBase(refused={"t": 7, "other": 8}), change("t", [], [("n:a", "n:b")]))

    assert list(notes_of(made, Policy())) == [
        "the last message of t was rejected (version 7): what is known of it may be out of date"
    ]


@pytest.mark.parametrize(
    ("known", "written", "said"),
    [("postgres://db:5432", "postgres", "; the namespaces that it knows are postgres://db:5432"),
     ("postgres", "postgres", "; did you mean postgres:dw.sales?")],
)  # fmt: skip
def test_a_namespace_is_named_whole(known: str, written: str, said: str) -> None:
    """Those of OpenLineage have colons of their own, and are what a file that leaves them out lacks."""
    base = PlainBase(edge("t", f"{known}:dw.orders", f"{known}:dw.sales"))
    unseen = change("file", [], [(f"{written}:dw.sale", f"{written}:a.q")])
    unseen.known = False

    (note,) = notes_of(release(base, unseen), Policy())

    assert note.endswith(f"check namespace and default_database{said}")
