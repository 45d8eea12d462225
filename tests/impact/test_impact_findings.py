"""What a release does, found before it is deployed: classes, stale readers, shapes, labels, backfill."""

from __future__ import annotations

from pathlib import Path

import pytest
from releases import BOARD, TASKS, assessed, candidate, edged, platform, said, sql_change

from lineage_tt.impact.policy import Policy
from lineage_tt.impact.release.candidates import Candidate
from lineage_tt.model.errors import InvalidRequestError
from lineage_tt.store import Store

SALES = TASKS["sales"]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A platform that no test writes to."""
    return platform(tmp_path_factory.mktemp("platform"))


@pytest.mark.parametrize(
    ("sql", "verdict"),
    [
        (SALES.replace(", ", ",\n   -- who\n  "), "none"),
        (SALES.replace("id, amount", "id, o.amount").replace("ods.orders", "ods.orders o"), "none"),
        (SALES.replace("'paid'", "'open'"), "potentially_breaking"),
        (SALES.replace(" WHERE status = 'paid'", ""), "potentially_breaking"),
        (SALES.replace("amount,", "amount * 2 AS amount,"), "potentially_breaking"),
        (SALES.replace("amount,", ""), "breaking"),
        (SALES.replace("amount,", "amount AS paid,"), "breaking"),
        (SALES.replace("amount,", "amont AS amount,"), "breaking"),
        (SALES.replace("amount,", "CAST(amount AS STRING) AS amount,"), "breaking"),
        (SALES.replace("amount,", "sum(amount) AS amount,"), "breaking"),
        (SALES.replace("status = 'paid'", "max(amount) > 1"), "breaking"),
        (SALES.replace("SELECT", "SELECT FROM"), "unknown"),
    ],
)
def test_a_change_has_its_class(store: Store, sql: str, verdict: str) -> None:
    """From layout to a column that goes: the class of each change of one task, in words."""
    report = assessed(store, candidate("sales", sql))

    assert report.verdict == verdict
    assert report.tasks[0].reasons


def test_a_column_that_only_a_star_reads_is_no_break_but_widens(store: Store) -> None:
    """A column is added: what names its columns is not touched, a star takes it on, and the report says so."""
    report = assessed(store, candidate("sales", SALES.replace("status FROM", "status, email FROM")))

    assert report.verdict == "potentially_breaking"
    assert said(report.findings) == {("widened-star", "potentially_breaking", "hive:dw.mirror", "mirror")}
    assert [(c.change, c.column) for c in report.tasks[0].columns] == [("added", "email")]
    assert [each.task_id for each in report.derived] == ["mirror"]


@pytest.mark.parametrize(
    ("fields", "kind", "class_"),
    [("x: INT", "narrowed-star", "breaking"), ("x: INT, y: STRING, z: INT", "widened-star", "potentially_breaking")],
)
def test_a_field_of_a_struct_that_a_task_declares_goes_or_comes(
    tmp_path: Path, fields: str, kind: str, class_: str
) -> None:
    """A star over the struct stands for its fields: those that the release's own DDL declares."""
    table = "CREATE TABLE ods.events (id INT, body STRUCT<x: INT, y: STRING>)"
    store = platform(
        tmp_path,
        sql_change("events", table),
        sql_change("flat", "CREATE TABLE flat AS SELECT e.body.* FROM ods.events e"),
    )

    report = assessed(store, candidate("events", table.replace("x: INT, y: STRING", fields)))

    assert (kind, class_, "hive:dw.flat", "flat") in said(report.findings)


def test_who_reads_a_field_that_goes_fails(tmp_path: Path) -> None:
    """The field is named, the struct is declared without it by the release's own DDL."""
    table = "CREATE TABLE ods.events (id INT, body STRUCT<x: INT, y: STRING>)"
    reader = sql_change("named", "CREATE TABLE named AS SELECT e.body.y AS why FROM ods.events e")
    store = platform(tmp_path, sql_change("events", table), reader)

    report = assessed(store, candidate("events", table.replace(", y: STRING", "")))

    assert report.verdict == "breaking"
    assert ("named", "breaking") in {(finding.reader, finding.class_) for finding in report.findings}


def test_a_column_that_nobody_is_touched_by_is_additive(store: Store) -> None:
    """A column with no star behind it is additive; only the task itself is to be filled again."""
    sql = TASKS["totals"].replace("AS total", "AS total, count(*) AS orders")

    report = assessed(store, candidate("totals", sql))

    assert report.verdict == "additive"
    assert report.findings == ()
    assert [(each.task_id, each.reason) for each in report.backfill] == [("totals", "fills orders")]


def test_a_removed_column_names_each_reader_with_the_way_to_it(store: Store) -> None:
    """Who selects the column, who selects it through a star, and whose values hang on it."""
    report = assessed(store, candidate("sales", SALES.replace("amount, ", "")))

    readers = {(finding.kind, finding.reader) for finding in report.findings if finding.class_ == "breaking"}
    assert readers == {("stale-reader", "mirror"), ("stale-reader", "totals"), ("narrowed-star", "mirror")}
    board = next(reader for reader in report.readers if reader.dataset == "bi:board/42")
    assert board.path == ("hive:dw.sales#amount", "hive:dw.totals#total", "bi:board/42#total")
    assert board.columns == ("total",)
    order = [each.task_id for each in report.backfill]
    assert order.index("sales") < order.index("totals") < order.index("board")


def test_what_is_repaired_in_the_same_release_is_no_break(store: Store) -> None:
    """A column renamed together with all its readers breaks none of them."""
    renamed = candidate("sales", SALES.replace("amount,", "amount AS paid,"))
    totals = candidate("totals", TASKS["totals"].replace("sum(amount)", "sum(paid)"))
    mirror = candidate("mirror", "CREATE TABLE mirror AS SELECT id, paid AS amount, status FROM sales")

    assert assessed(store, renamed, totals, mirror).counts["breaking"] == 0
    assert {f.reader for f in assessed(store, renamed, mirror).findings if f.class_ == "breaking"} == {"totals"}


def test_an_offline_task_breaks_its_readers(store: Store) -> None:
    """What nobody writes any more breaks whoever reads it, unless they go, too."""
    report = assessed(store, Candidate("totals", "offline"))
    both = assessed(store, Candidate("totals", "offline"), Candidate("board", "offline"))

    assert said(report.findings) == {("gone-dataset", "breaking", "hive:dw.totals", "board")}
    assert both.counts["breaking"] == 0


def test_the_base_may_be_the_state_planned_for_later(tmp_path: Path) -> None:
    """A reader scheduled for next month is broken by a release of next month, and announced to one of today."""
    later = sql_change("late", "CREATE TABLE late AS SELECT email FROM customers", "2024-03-01T00:00:00Z")
    made = sql_change("customers", "CREATE TABLE customers AS SELECT id, email FROM ods.orders")
    store = platform(tmp_path, made, later)
    change = candidate("customers", "CREATE TABLE customers AS SELECT id FROM ods.orders")

    now = assessed(store, change, at="2024-02-01T00:00:00Z")
    then = assessed(store, change, at="2024-04-01T00:00:00Z")

    assert now.verdict == "potentially_breaking"
    assert any("late will read hive:dw.customers#email from 2024-03-01T00:00:00Z" in note for note in now.notes)
    assert ("stale-reader", "breaking", "hive:dw.customers#email", "late") in said(then.findings)


def test_a_base_is_pinned_to_its_version(store: Store) -> None:
    """At an earlier version the readers that came later are not there; the report names the version."""
    change = candidate("sales", SALES.replace("amount, ", ""))

    early = assessed(store, change, version=2)

    assert early.basis["version"] == 2
    assert early.counts["breaking"] == 0


def test_two_writers_and_a_cycle_are_told(store: Store) -> None:
    """A second task that writes a dataset, and a task that makes a dataset from what is made of it."""
    second = assessed(store, candidate("sales_too", SALES))
    ring = assessed(store, candidate("ddl2", "INSERT INTO ods.orders SELECT id, amount, status, status FROM mirror"))

    assert ("two-writers", "potentially_breaking", "hive:dw.sales", "sales") in said(second.findings)
    cycle = next(finding for finding in ring.findings if finding.kind == "cycle")
    assert cycle.class_ == "breaking"
    assert cycle.path[0] == cycle.path[-1] == "hive:ods.orders"


def test_a_source_that_nobody_knows_dangles(store: Store) -> None:
    """A misspelt source is reported, with the name that was meant."""
    report = assessed(store, candidate("new", "CREATE TABLE new AS SELECT id FROM salse"))

    finding = next(finding for finding in report.findings if finding.kind == "dangling-source")
    assert finding.subject == "hive:dw.salse"
    assert "did you mean hive:dw.sales?" in finding.reason


def test_a_layer_above_may_not_feed_one_below(store: Store) -> None:
    """With layers configured, a new edge downwards is reported; edges that were there are not."""
    policy = Policy(layers=("hive:ods.*", "hive:dw.*", "bi:*"))
    release = candidate("back", "INSERT INTO ods.orders SELECT id, amount, status, status FROM sales")

    report = assessed(store, release, policy=policy)

    assert [f.subject for f in report.findings if f.kind == "layer"] == ["hive:ods.orders"]
    assert not report.gate.passed
    assert assessed(store, candidate("sales", SALES), policy=policy).gate.passed


def test_a_label_that_newly_reaches_a_board_is_told_with_its_way(store: Store) -> None:
    """``pii`` comes to a board of somebody's over two tasks; where it was already, it is not news."""
    policy = Policy(labels={"hive:ods.orders#email": ("pii",)}, owners={"bi:board/42": ("ana",)}, fail_on=("labels",))
    totals = candidate("totals", "CREATE TABLE totals AS SELECT email AS status, 1 AS total FROM ods.orders")

    report = assessed(store, totals, policy=policy)
    board = next(reach for reach in report.labels if reach.node.startswith("bi:board/42"))

    assert board.label == "pii"
    assert board.owners == ("ana",)
    assert board.path == ("hive:ods.orders#email", "hive:dw.totals#status", "bi:board/42#status")
    assert not report.gate.passed
    assert assessed(store, candidate("board", BOARD, target="bi:board/42"), policy=policy).labels == ()


def test_a_positional_insert_shifts(tmp_path: Path) -> None:
    """A column put in front of others goes, by position, into a table it was not meant for."""
    ddl = sql_change("ddl.loaded", "CREATE TABLE loaded (a INT, b INT)")
    src = sql_change("src", "CREATE TABLE src AS SELECT id, amount FROM ods.orders")
    load = sql_change("load", "INSERT INTO loaded SELECT * FROM src")
    store = platform(tmp_path, ddl, src, load)

    swapped = assessed(store, candidate("src", "CREATE TABLE src AS SELECT amount, id FROM ods.orders"))
    wider = assessed(store, candidate("src", "CREATE TABLE src AS SELECT id, amount, email FROM ods.orders"))

    assert {f.kind for f in swapped.findings if f.class_ == "breaking"} == {"shifted-insert"}
    assert [f.kind for f in wider.findings if f.reader == "load"] == ["shifted-insert"]


def test_tasks_without_text_are_judged_by_their_edges(tmp_path: Path) -> None:
    """Where the store holds edges only, a column that goes breaks its readers and another filter changes rows."""
    a, b, c = "hive:a.t", "hive:b.t", "bi:c"
    store = platform(
        tmp_path,
        edged("b", (f"{a}#x", f"{b}#x"), (f"{a}#y", f"{b}#y")),
        edged("c", (f"{b}#x", f"{c}#x")),
    )
    only_y = (f"{a}#y", f"{b}#y", "DIRECT", "IDENTITY", "")
    fewer = Candidate("b", edges=(only_y,))
    whole = (only_y, (f"{a}#x", f"{b}#x", "DIRECT", "IDENTITY", ""))
    filtered = Candidate("b", edges=(*whole, (f"{a}#z", b, "INDIRECT", "FILTER", "")))

    assert said(assessed(store, fewer).findings) == {("stale-reader", "breaking", f"{b}#x", "c")}
    assert assessed(store, filtered).verdict == "potentially_breaking"
    assert assessed(store, Candidate("b", edges=whole)).verdict == "none"


def test_a_column_that_another_task_fills_still_is_not_lost(tmp_path: Path) -> None:
    """Of two writers one stops to fill a column: its rows change, but nobody loses the column."""
    a, b = "hive:a.t", "hive:b.t"
    both = [edged(f"w{n}", (f"{a}#x", f"{b}#x"), (f"{a}#y", f"{b}#y")) for n in (1, 2)]
    store = platform(tmp_path, *both, edged("r", (f"{b}#x", "bi:c")))
    fewer = Candidate("w1", edges=((f"{a}#y", f"{b}#y", "DIRECT", "IDENTITY", ""),))

    assert said(assessed(store, fewer).findings) == {("stale-reader", "potentially_breaking", f"{b}#x", "r")}


def test_a_task_mapped_twice_is_refused(store: Store) -> None:
    """Two candidates for one task are an error that names both files."""
    one, other = (candidate("sales", SALES, path=path) for path in ("a/sales.sql", "b/sales.sql"))

    with pytest.raises(InvalidRequestError, match=r"mapped twice: a/sales\.sql and b/sales\.sql"):
        assessed(store, one, other)


def test_nothing_is_written(store: Store) -> None:
    """An assessment leaves the store as it was."""
    before = store.version

    assessed(
        store, candidate("sales", SALES.replace("amount, ", "")), candidate("fresh", "CREATE TABLE z AS SELECT 1 AS a")
    )

    assert store.refresh() == before
    assert Store.open(str(store.log_path.parent)).version == before
