"""A statement is resolved again when columns come or go that it names, or that it asked for and nobody knew."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.resolve.resolver import SqlResolver
from lineage_tt import Store
from lineage_tt.model.facts import Field
from lineage_tt.model.messages import Lineage, Message, NodeChange, Problem, Receipt, TaskChange
from lineage_tt.write.catalog.reresolve import (
    Cause,
    Resolution,
    carried,
    content_of,
    in_force,
    is_transient,
    is_without_text,
    is_worse,
    restated,
    without_text,
)
from lineage_tt.write.subjects.tasks import TaskHistory

NOON = 1_714_564_800_000_000
JOINED = "INSERT OVERWRITE TABLE dw.o SELECT amount FROM ods.a JOIN ods.b ON a.id = b.id"


def task(event_id: str, text: str) -> TaskChange:
    """A message of a task's SQL."""
    return TaskChange(event_id, "t", "update", NOON, sql=text, dialect="hive", namespace="hive")


def define(event_id: str, dataset: str, *columns: str) -> NodeChange:
    """A message that declares columns."""
    return NodeChange(event_id, "dataset", dataset, "define", NOON, fields=[Field(name) for name in columns])


def send(store: Store, message: Message) -> Receipt:
    """Append one message with the resolver of an ingest."""
    with SqlResolver(0) as resolver:
        return store.append([message], resolver=resolver)[0]


def feeding(store: Store, version: int | None = None) -> set[str]:
    """What feeds a value into the target."""
    return {edge.source for edge in store.as_of(NOON, version=version).edges() if edge.type == "DIRECT"}


def coverage(store: Store) -> list[str]:
    """Return the coverage of each version of the task."""
    return [row[0] for row in store.sql("SELECT coverage FROM log WHERE task_id = 't' ORDER BY version")[1]]


@pytest.mark.long
def test_a_column_that_is_added_later_is_found(tmp_path: Path) -> None:
    """A column that no source had when the task was sent is found in the source that gets it."""
    store = Store.create(tmp_path / "store")
    send(store, define("d0", "hive:dw.o", "amount"))
    send(store, define("d1", "hive:ods.a", "id"))
    send(store, define("d2", "hive:ods.b", "id"))
    send(store, task("e1", JOINED))
    assert coverage(store) == ["partial"]
    assert send(store, define("d3", "hive:ods.a", "id", "amount")).derived == 1
    assert (coverage(store)[-1], feeding(store)) == ("complete", {"hive:ods.a#amount"})
    assert feeding(store, version=4) != feeding(store), "what was known before stays as it was"
    more = send(store, define("d4", "hive:ods.a", "id", "amount", "more"))
    assert (more.derived, feeding(store)) == (0, {"hive:ods.a#amount"}), "a column that it does not name"
    gone = send(store, define("d5", "hive:ods.a", "id"))
    assert (gone.derived, coverage(store)[-1]) == (1, "partial"), "it wants the column again"


def test_what_is_complete_is_left_alone(tmp_path: Path) -> None:
    """A text without a star whose columns were all known is not resolved again, whatever its sources get."""
    store = Store.create(tmp_path / "store")
    send(store, define("d0", "hive:dw.o", "amount"))
    send(store, define("d1", "hive:ods.a", "id", "amount"))
    send(store, define("d2", "hive:ods.b", "id"))
    send(store, task("e1", JOINED))
    assert coverage(store) == ["complete"]
    assert send(store, define("d3", "hive:ods.b", "id", "other")).derived == 0


def test_a_column_that_several_had_is_found_when_one_loses_it(tmp_path: Path) -> None:
    """Such a statement does not run: what is known of its sources may be older than it is."""
    store = Store.create(tmp_path / "store")
    send(store, define("d0", "hive:dw.o", "amount"))
    send(store, define("d1", "hive:ods.a", "id", "amount"))
    send(store, define("d2", "hive:ods.b", "id", "amount"))
    send(store, task("e1", JOINED))
    assert coverage(store) == ["partial"]
    assert "hive:ods.a#amount" not in feeding(store)
    assert send(store, define("d3", "hive:ods.a", "id")).derived == 1
    assert (coverage(store)[-1], feeding(store)) == ("complete", {"hive:ods.b#amount"})


@pytest.mark.long
def test_a_text_read_before_its_sources_is_resolved_again(tmp_path: Path) -> None:
    """Of tables of unknown columns, too: a name that both might have had is found once one is known."""
    store = Store.create(tmp_path / "store")
    send(store, task("e1", JOINED))
    assert (coverage(store), feeding(store)) == (["partial"], set())
    assert send(store, define("d1", "hive:ods.a", "id", "amount")).derived == 1
    assert (coverage(store)[-1], feeding(store)) == ("complete", {"hive:ods.a#amount"})
    assert send(store, define("d2", "hive:ods.b", "id")).derived == 0, "it says the same"
    assert send(store, define("d3", "hive:dw.o", "total")).derived == 1
    assert {edge.target for edge in store.as_of(NOON).edges() if edge.type == "DIRECT"} == {"hive:dw.o#total"}


def test_what_a_statement_writes_itself_does_not_change_what_it_reads(tmp_path: Path) -> None:
    """``SELECT *, 1 AS n FROM b`` into b reads b as it was before, however often it is resolved."""
    store = Store.create(tmp_path / "store")
    send(store, define("d1", "hive:ods.s", "x"))
    first = TaskChange(
        "e1", "t", "update", NOON, sql="CREATE TABLE b AS SELECT * FROM ods.s", dialect="hive", namespace="hive"
    )
    again = TaskChange(
        "e2", "t", "update", NOON + 1, sql="CREATE TABLE b AS SELECT *, 1 AS n FROM b", dialect="hive", namespace="hive"
    )
    send(store, first)
    send(store, again)
    assert [column.column for column in store.as_of(NOON + 1).columns("hive:b")] == ["x", "n"]
    send(store, define("d2", "hive:ods.s", "x", "y"))
    assert [column.column for column in store.as_of(NOON + 1).columns("hive:b")] == ["x", "y", "n"]


def test_a_statement_does_not_read_what_the_one_that_it_replaces_wrote(tmp_path: Path) -> None:
    """Edited at the very time at which it took effect, a statement that reads its own table is resolved once."""
    own = "INSERT OVERWRITE TABLE dw.o SELECT * FROM dw.o UNION ALL SELECT * FROM ods.a"
    once, edited = Store.create(tmp_path / "once"), Store.create(tmp_path / "edited")
    for store in (once, edited):
        send(store, define("d1", "hive:ods.a", "id", "amount"))
    send(edited, task("e1", "CREATE TABLE dw.o AS SELECT id AS key, amount AS total FROM ods.a"))
    receipts = [send(store, task("e2", own)) for store in (once, edited)]
    assert [receipt.derived for receipt in receipts] == [0, 0]
    assert edited.as_of(NOON).edges(), "it has lineage"
    assert {edge[1:6] for edge in edited.as_of(NOON).edges()} == {edge[1:6] for edge in once.as_of(NOON).edges()}


@pytest.mark.long
def test_a_long_chain_of_stars_is_followed_to_its_end(tmp_path: Path) -> None:
    """However many views are between a table and its last reader."""
    store = Store.create(tmp_path / "store")
    texts = [f"CREATE VIEW v{n + 1} AS SELECT * FROM v{n}" for n in range(20)]
    with SqlResolver(0) as resolver:
        store.append(
            [
                TaskChange(f"e{n}", f"t{n}", "update", NOON, sql=text, dialect="hive", namespace="hive")
                for n, text in reversed(list(enumerate(texts)))
            ],
            resolver=resolver,
        )
    assert send(store, define("d", "hive:v0", "x")).derived == len(texts)
    assert [column.column for column in store.as_of(NOON).columns("hive:v20")] == ["x"]


EDGE = ("n:a#x", "n:b#y", "DIRECT", "IDENTITY", "")
MADE = Resolution(3, 3, "t", 5, "partial", [("n:b", ("y",))], [("n:b#y", "column", "int")])


def test_what_was_made_is_compared_with_what_is_made_now() -> None:
    """Lists of the log and tuples of a lineage are the same; edges come in order."""
    same = Lineage([EDGE, EDGE], "partial", outputs=[("n:b", ("y",))])

    assert MADE._replace(types=[], outputs=[("n:b", ["y"])]).says([EDGE]) == content_of(same)  # type: ignore[list-item]
    assert MADE.says([EDGE]) != content_of(same)
    assert MADE._replace(types=[]).says([]) != content_of(same)


@pytest.mark.parametrize(
    ("before", "edges", "now", "worse"),
    [("complete", [EDGE], Lineage((), "partial"), True), ("partial", [EDGE], Lineage((), "opaque"), True),
     ("complete", [EDGE], Lineage([EDGE], "opaque"), False), ("complete", [], Lineage((), "opaque"), False),
     ("partial", [EDGE], Lineage((), "partial"), False), (None, [EDGE], Lineage((), "opaque"), False)],
)  # fmt: skip
def test_an_answer_is_worse_that_knows_less_and_shows_nothing(
    before: str | None, edges: list[tuple[str, str, str, str, str]], now: Lineage, worse: bool
) -> None:
    """One that knows less and shows edges says openly what the one before did not know."""
    assert is_worse(MADE._replace(coverage=before), edges, now) is worse


def test_what_a_limit_left_is_no_answer() -> None:
    """Nor is a statement whose text is not kept; both carry on what was known, and say why."""
    late = Lineage((), "opaque", [Problem("timeout", "more than 5 s"), Problem("syntax", "x")], parser="p")
    gone = without_text(task("e", "select 1"))
    kept = carried([EDGE], [("n:b", ("y",))], late)

    assert (is_transient(late), is_without_text(late), is_transient(gone), is_without_text(gone)) == (
        True, False, False, True,
    )  # fmt: skip
    assert (kept.edges, kept.coverage, kept.outputs, kept.parser) == ([EDGE], "partial", [("n:b", ("y",))], "p")
    assert [(p.code, p.detail) for p in kept.problems] == [
        ("timeout", "more than 5 s; this is what was known before, see re-extract")
    ]


def test_a_statement_said_again_is_the_stores_own_message() -> None:
    """Of whoever sent it only what it states stays: the cause and its time are those of the event that led to it."""
    sent = TaskChange(
        "e", "t", "online", 5, 7, sql="select 1", actor="ann", reason="r", attributes="{}", position=3, raw=b"{}",
        digest=b"d", produced_at=1, recorded_at=2, params={"a": "1"},
    )  # fmt: skip
    again = restated(sent, 9, Cause("d1", "columns changed", 8))

    assert (again.op, again.effective_at, again.source_version, again.sql, again.params) == (
        "update", 9, 7, "select 1", {"a": "1"},
    )  # fmt: skip
    assert (again.cause, again.reason, again.recorded_at) == ("d1", "columns changed", 8)
    assert {again.actor, again.attributes, again.position, again.raw, again.digest, again.produced_at} == {None}


def test_a_version_is_in_force_until_another_is_derived_or_its_message_loses() -> None:
    """What was derived for another time does not count."""
    history = TaskHistory()
    history.place(3, 5, None, [EDGE])
    assert in_force(history, MADE)
    history.place(4, 5, None, [], derived_from=3)

    assert not in_force(history, MADE)
    assert in_force(history, MADE._replace(version=4))
    assert not in_force(history, MADE._replace(version=4, effective_at=6))
    history.place(5, 5, None, [])
    assert not in_force(history, MADE._replace(version=4))
