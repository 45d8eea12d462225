"""A release on a base becomes a report: what is judged, sorted, counted, and whose it is."""

from __future__ import annotations

from typing import Any

import pytest
from plain_base import AT, PlainBase, PlainGaps, candidate, edge, text

from ingest.resolve.comparing import SqlAnalyst
from lineage_tt.impact.assess import MAX_REASONS, assess
from lineage_tt.impact.base.port import Facts
from lineage_tt.impact.policy import Allowed, Policy
from lineage_tt.impact.release.candidates import Candidate
from lineage_tt.impact.report import (
    ADDITIVE,
    BREAKING,
    NONE,
    POTENTIALLY,
    UNKNOWN,
    Backfill,
    DerivedChange,
    EdgeChange,
    Report,
    SignedEdge,
)
from lineage_tt.model.completeness.summary import Gap, Reason
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.model.times import format_instant

ORDERS, SALES, TOTALS, MIRROR, BOARD = "hive:ods.orders", "hive:dw.sales", "hive:dw.totals", "hive:dw.mirror", "bi:42"
SQL = {
    "sales": "CREATE TABLE sales AS SELECT id, amount FROM ods.orders",
    "totals": "CREATE TABLE totals AS SELECT id, sum(amount) AS total FROM sales GROUP BY id",
    "mirror": "CREATE TABLE mirror AS SELECT * FROM sales",
}
EDGES = [
    edge("sales", f"{ORDERS}#id", f"{SALES}#id"), edge("sales", f"{ORDERS}#amount", f"{SALES}#amount"),
    edge("totals", f"{SALES}#id", f"{TOTALS}#id"), edge("totals", f"{SALES}#id", TOTALS, "INDIRECT", "GROUP_BY"),
    edge("totals", f"{SALES}#amount", f"{TOTALS}#total", "DIRECT", "AGGREGATION", "sum(amount)"),
    edge("mirror", f"{SALES}#id", f"{MIRROR}#id"), edge("mirror", f"{SALES}#amount", f"{MIRROR}#amount"),
    edge("board", f"{TOTALS}#total", f"{BOARD}#total"),
]  # fmt: skip
COLUMNS: Any = {ORDERS: ("id", "amount", "mail"), SALES: ("id", "amount"), TOTALS: ("id", "total"),
                MIRROR: ("id", "amount")}  # fmt: skip
WITHOUT = SQL["sales"].replace(", amount", "")


def platform(*more: Any, **known: Any) -> PlainBase:
    """Return orders → sales → totals → a board, and a mirror of sales."""
    texts = [text(task, sql) for task, sql in SQL.items()]
    return PlainBase(*EDGES, *more, **({"columns": COLUMNS, "texts": texts} | known))


def report(
    *candidates: Candidate, base: PlainBase | None = None, policy: Policy | None = None, at: int | None = None
) -> Report:
    """Assess a release, its texts read in this process."""
    with SqlAnalyst(0) as analyst:
        return assess(candidates, base or platform(), analyst, policy or Policy(), at)


def test_a_break_is_reported_with_its_readers_their_way_and_what_to_rebuild() -> None:
    """The edited task is as bad as what it does to others; a column is followed to the board."""
    made = report(candidate("sales", WITHOUT, path="jobs/sales.sql"))

    (sales,) = made.tasks
    assert (made.verdict, sales.class_, sales.op, sales.file) == (BREAKING, BREAKING, "update", "jobs/sales.sql")
    assert sales.edges == (EdgeChange("removed", f"{ORDERS}#amount", f"{SALES}#amount", "DIRECT IDENTITY", None),)
    assert sales.predicted == (
        SignedEdge(-1, f"{ORDERS}#amount", f"{SALES}#amount", "DIRECT", "IDENTITY", "", AT, None),
    )
    assert sales.reasons[-1] == "columns removed: amount"
    assert {(each.kind, each.reader) for each in made.findings} == {
        ("stale-reader", "totals"), ("stale-reader", "mirror"), ("narrowed-star", "mirror"),
    }  # fmt: skip
    assert {each.file for each in made.findings} == {"jobs/sales.sql"}
    totals = next(each for each in made.findings if each.reader == "totals")
    assert totals.path == (f"{SALES}#amount", f"{TOTALS}#total")
    assert [(each.dataset, each.class_, each.steps) for each in made.readers] == [
        (MIRROR, BREAKING, 1), (TOTALS, BREAKING, 1), (BOARD, POTENTIALLY, 2),
    ]  # fmt: skip
    assert made.readers[2].path == (f"{SALES}#amount", f"{TOTALS}#total", f"{BOARD}#total")
    assert [each.task_id for each in made.derived] == ["mirror"]  # totals names the column itself, and fails
    order = [each.task_id for each in made.backfill]
    assert (order[0], set(order)) == ("sales", {"sales", "totals", "mirror", "board"})
    assert order.index("totals") < order.index("board")


def test_counts_are_those_of_the_report() -> None:
    """Tasks by class, findings, readers and labels, and the edges of the edited tasks."""
    made = report(candidate("sales", WITHOUT), candidate("new", "CREATE TABLE fresh AS SELECT id FROM ods.orders"))

    assert (made.counts["tasks"], made.counts[BREAKING], made.counts[ADDITIVE], made.counts[NONE]) == (2, 1, 1, 0)
    assert [each.task_id for each in made.tasks] == ["sales", "new"]
    assert (made.counts["findings"], made.counts["readers"]) == (len(made.findings), len(made.readers)) == (3, 3)
    assert [made.counts[f"edges_{change}"] for change in ("added", "removed", "changed")] == [1, 1, 0]
    assert (made.counts["unknown_to_store"], made.counts["unmapped"], made.counts["labels"]) == (0, 0, 0)


def test_a_text_that_says_the_same_has_no_impact() -> None:
    """Nothing is reached, to be rebuilt or predicted."""
    made = report(candidate("sales", SQL["sales"].replace(" FROM", "\n  FROM -- é\n")))

    assert (made.verdict, made.findings, made.readers, made.backfill, made.derived) == (NONE, (), (), (), ())
    assert (made.tasks[0].predicted, made.tasks[0].edges) == ((), ())
    assert made.gate.passed


def test_a_column_that_is_added_reaches_nobody_but_a_star() -> None:
    """Its task fills it; the mirror takes it on."""
    made = report(candidate("sales", SQL["sales"].replace("amount", "amount, mail")))

    assert [(each.kind, each.class_, each.reader) for each in made.findings] == [
        ("widened-star", POTENTIALLY, "mirror")
    ]
    assert made.derived == (DerivedChange("mirror", (
        EdgeChange("added", f"{SALES}#mail", f"{MIRROR}#mail", None, "DIRECT IDENTITY"),
    )),)  # fmt: skip
    assert made.backfill[0].task_id == "sales"
    assert made.readers == ()  # no value that anybody reads is another


def downstream(*candidates: Candidate, base: PlainBase | None = None) -> set[str]:
    """Return the datasets that a release reaches."""
    return {each.dataset for each in report(*candidates, base=base).readers}


def test_other_rows_reach_who_reads_the_dataset_as_a_whole() -> None:
    """Another value of a column does not."""
    base = platform(edge("count", SALES, "bi:count"))

    filtered = downstream(candidate("sales", f"{SQL['sales']} WHERE id > 1"), base=base)
    computed = downstream(
        candidate("sales", SQL["sales"].replace("amount FROM", "amount + 1 AS amount FROM")), base=base
    )

    assert filtered == {MIRROR, TOTALS, BOARD, "bi:count"}
    assert computed == {MIRROR, TOTALS, BOARD}


def test_what_cannot_be_read_ends_or_begins_reaches_all_that_its_task_writes() -> None:
    """Also where another task fills the same dataset still, or did before."""
    second = platform(edge("other", f"{ORDERS}#id", f"{TOTALS}#total"))

    assert downstream(candidate("sales", "SELECT FROM ((")) == {MIRROR, TOTALS, BOARD}
    assert downstream(Candidate("totals", "offline"), base=second) == {BOARD}
    plain = platform(edge("other", f"{ORDERS}#id", f"{MIRROR}#id"), edge("reads", f"{MIRROR}#id", "bi:m#id"))
    assert downstream(Candidate("mirror", "offline"), base=plain) == {"bi:m"}
    assert downstream(candidate("new", None, (f"{ORDERS}#id", f"{TOTALS}#total"))) == {BOARD}


@pytest.mark.parametrize(
    "sql",
    ["UPDATE ods.orders SET amount = 0",
     "INSERT OVERWRITE TABLE ods.orders VALUES (1, 2, 'm')",
     "CREATE OR REPLACE TABLE ods.orders AS SELECT 1 AS id, 2 AS amount, 'm' AS mail",
     "MERGE INTO ods.orders o USING ods.staged s ON o.id = s.id WHEN NOT MATCHED BY SOURCE THEN DELETE",
     "ALTER TABLE ods.orders EXCHANGE PARTITION (dt = '1') WITH TABLE ods.staged",
     "DELETE FROM ods.orders WHERE id = 3",
     "DELETE FROM ods.orders",
     "TRUNCATE TABLE ods.orders"],
)  # fmt: skip
def test_a_new_task_that_changes_what_others_read_is_not_additive(sql: str) -> None:
    """Whatever changes the rows, and where no task wrote them before: all that is downstream of them is reached."""
    made = report(candidate("new", sql))

    assert made.verdict == POTENTIALLY
    assert "sales" in {each.reader for each in made.findings}
    assert {each.dataset for each in made.readers} >= {SALES, MIRROR, TOTALS, BOARD}


def test_a_reason_is_given_once() -> None:
    """What a finding says in full is not said again by the task."""
    made = report(candidate("sales", f"{SQL['sales']} WHERE id > 1"))

    words = "its filter changes, so other rows come through (id, amount)"
    assert [each.reason for each in made.findings] == [words]
    assert made.tasks[0].reasons == (words,)


def test_reasons_beyond_twenty_are_counted() -> None:
    """A task whose readers all fail listed twenty of them as if they were all."""
    readers = [edge(f"r{number:02}", f"{SALES}#amount", f"bi:{number}#x") for number in range(30)]
    made = report(candidate("sales", WITHOUT), base=platform(*readers))
    broken = {each.reason for each in made.findings if each.class_ == BREAKING}

    assert made.tasks[0].reasons[MAX_REASONS] == f"{len(broken) - MAX_REASONS} more: see the findings"
    assert {*made.tasks[0].reasons[:MAX_REASONS]} < broken


def test_the_way_to_a_reader_is_over_the_column_that_it_makes_itself() -> None:
    """Though another task leads to its dataset, too."""
    base = platform(edge("second", f"{SALES}#amount", f"{TOTALS}#a"), edge("third", f"{SALES}#amount", f"{TOTALS}#z"))

    ways = {each.reader: each.path for each in report(candidate("sales", WITHOUT), base=base).findings}

    assert (ways["second"], ways["third"]) == ((f"{SALES}#amount", f"{TOTALS}#a"), (f"{SALES}#amount", f"{TOTALS}#z"))


def test_a_break_by_a_declaration_that_is_contradicted_is_unknown() -> None:
    """A task in force reads a column that is not declared, so the misspelt one may be there."""
    reasons = (Reason("unknown-column", "no odd", ORDERS),)
    gap = Gap("other", 3, "partial", reasons, frozenset([ORDERS]), frozenset(["n:out"]), frozenset([ORDERS]))
    misspelt = candidate("sales", SQL["sales"].replace("amount", "amont AS amount"))

    found = {base is None: {each.kind: each.class_ for each in report(misspelt, base=base).findings}["task-fails"]
             for base in (None, platform(gaps=PlainGaps(gap)))}  # fmt: skip

    assert found == {True: BREAKING, False: UNKNOWN}


def test_an_offline_task_leaves_its_readers_without_a_source() -> None:
    """Unless the readers go as well."""
    alone = report(Candidate("totals", "offline"))
    both = report(Candidate("totals", "offline"), Candidate("board", "offline"))

    assert [(each.kind, each.reader) for each in alone.findings] == [("gone-dataset", "board")]
    assert [each.dataset for each in alone.readers] == [BOARD]
    assert [(each.kind, each.class_) for each in both.findings] == [("unread", POTENTIALLY), ("unread", POTENTIALLY)]


def test_what_the_store_and_the_policy_know_is_in_findings_and_readers() -> None:
    """Owners of the reader and its dataset, the first priority; the urgent come first, protected readers too."""
    facts = Facts({"task:mirror": ("mo",), TOTALS: ("ana",), "task:sales": ("sam",)}, {}, {TOTALS: "P0", MIRROR: "P1"})
    policy = Policy(owners={TOTALS: ("bo",)}, protected=(TOTALS,))

    made = report(candidate("sales", WITHOUT), base=platform(facts=facts), policy=policy)

    assert [(each.reader, each.owners, each.priority) for each in made.findings] == [
        ("totals", ("ana", "bo"), "P0"), ("mirror", ("mo",), "P1"), ("mirror", ("mo",), "P1"),
    ]  # fmt: skip
    assert [(each.dataset, each.protected) for each in made.readers] == [
        (TOTALS, True),
        (MIRROR, False),
        (BOARD, False),
    ]
    own = report(candidate("sales", SQL["sales"].replace("FROM", "FROM ods.orders b,")), base=platform(facts=facts))
    assert {each.owners for each in own.findings if each.reader is None} == {("sam",)}


def test_labels_that_newly_reach_a_dataset_are_counted_and_gated() -> None:
    """Those that the policy states count as those of the store."""
    policy = Policy(("labels",), labels={f"{ORDERS}#mail": ("pii",)})

    made = report(candidate("sales", SQL["sales"].replace("amount FROM", "mail AS amount FROM")), policy=policy)

    assert [(each.label, each.node) for each in made.labels][:1] == [("pii", f"{SALES}#amount")]
    assert made.counts["labels"] == len(made.labels) == 4
    assert [reason.partition(":")[0] for reason in made.gate.tripped] == ["labels"]


def test_what_comes_later_is_a_note() -> None:
    """A change that replaces this one, and readers that begin later; what came before the deployment is not news."""
    base = platform(
        later=[(edge("late", f"{SALES}#id", "n:x"), 3_000_000), (edge("sales", f"{SALES}#id", "n:y"), 3_000_000)],
        coming={"sales": 2_000_000, "new": 3_000_000, "other": 4_000_000},
    )  # fmt: skip

    now, after = (report(candidate("sales", SQL["sales"]), base=base, at=at) for at in (None, 2_000_001))

    reads = f"late will read {SALES}#id from {format_instant(3_000_000)} on"
    assert now.notes == (
        f"sales has another change scheduled at {format_instant(2_000_000)}: this one holds only until then", reads,
    )  # fmt: skip
    assert after.notes == (reads,)
    assert (now.effective_at, after.effective_at) == (format_instant(AT), format_instant(2_000_001))
    assert now.basis == after.basis == base.basis.to_json()


@pytest.mark.parametrize("given", [candidate("new", "SELECT 1"), Candidate("new", "offline")], ids=["new", "offline"])
def test_a_task_that_begins_only_later_has_a_change_to_come(given: Candidate) -> None:
    """At the time of the release it is not in force, so that the release seems to make, or to end, another task."""
    base = platform(coming={"new": 3_000_000})

    notes = report(given, base=base).notes

    assert f"new has another change scheduled at {format_instant(3_000_000)}: this one holds only until then" in notes


def test_readers_that_begin_later_are_counted_beyond_twenty() -> None:
    """A list that is cut says so."""
    later = [(edge(f"late{n:02}", f"{SALES}#id", f"n:x{n}"), 3_000_000) for n in range(23)]

    notes = report(candidate("sales", SQL["sales"]), base=platform(later=later)).notes

    assert [each.partition(" ")[0] for each in notes[:20]] == [f"late{n:02}" for n in range(20)]
    assert notes[20:] == ("3 more edges from what the release writes begin later",)


def test_an_incomplete_reader_makes_its_task_unknown_and_the_answer_incomplete() -> None:
    """Though no edge leads to it."""
    reasons = (Reason("odd", "odd it is", SALES),)
    gap = Gap("strange", 3, "partial", reasons, frozenset([SALES]), frozenset(["n:out"]), frozenset([SALES]))
    widened = candidate("sales", SQL["sales"].replace("amount", "amount, mail"))

    made = report(widened, base=platform(gaps=PlainGaps(gap)))

    assert (made.verdict, made.tasks[0].class_) == (UNKNOWN, UNKNOWN)
    assert ("unknown-reader", "strange") in {(each.kind, each.reader) for each in made.findings}
    assert [each["task_id"] for each in made.completeness["tasks"]] == ["strange"]
    assert report(widened).completeness["complete"]


def test_what_is_allowed_no_longer_breaks() -> None:
    """The policy judges last."""
    allow = (Allowed("moving", "2999-01-01"),)

    made = report(candidate("sales", WITHOUT), policy=Policy(("breaking",), allow=allow, today="2024-01-01"))

    assert (made.verdict, made.gate.passed) == (POTENTIALLY, True)
    assert {each.allowed for each in made.findings} == {"moving (until 2999-01-01)"}


def test_a_task_that_comes_twice_is_refused_before_anything_is_read() -> None:
    """And a release of nothing is a report of nothing."""
    with pytest.raises(InvalidRequestError, match="mapped twice"):
        report(candidate("sales", WITHOUT), candidate("sales", WITHOUT))

    made = report()
    assert (made.verdict, made.tasks, made.findings, made.counts["tasks"], made.gate.passed) == (NONE, (), (), 0, True)


def test_a_datasets_own_change_is_no_task_to_run() -> None:
    """Its readers break where it drops a column; who fills it is not rebuilt for it."""
    own = Candidate.of_dataset({"dataset": ORDERS, "columns": [{"name": "id"}, {"name": "mail"}]})

    made = report(own)

    assert (made.tasks[0].kind, made.verdict) == ("dataset", BREAKING)
    assert {each.reader for each in made.findings} >= {"sales"}
    assert Backfill(f"dataset:{ORDERS}", (), "its output changes") not in made.backfill
    assert "sales" in [each.task_id for each in made.backfill]
