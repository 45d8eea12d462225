"""A store at a point as a base: what is in force there, what was and what comes, and what a message would change."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from stores import DAY, SQL, A, B, C, filled

from ingest.resolve.resolver import SqlResolver
from lineage_tt.impact.base.from_store import StoreBase, in_background
from lineage_tt.log.dismissals import dismissal
from lineage_tt.model.edges import Edge, TaskEdge
from lineage_tt.model.facts import Field
from lineage_tt.model.messages import Lineage, NodeChange, RejectedMessage, TaskChange
from lineage_tt.store import Store

TO_B = [TaskEdge("b", *Edge(f"{A}#x", f"{B}#x")), TaskEdge("b", f"{A}#x", B, "INDIRECT", "FILTER", "x > 0")]
TO_C = TaskEdge("c", *Edge(f"{B}#x", f"{C}#x"))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A store that no test writes to."""
    return filled(tmp_path_factory.mktemp("from_store") / "s")


@pytest.fixture
def base(store: Store) -> Iterator[StoreBase]:
    """The store on the tenth day."""
    base = StoreBase(store, store.basis(DAY[10]))
    yield base
    base.close()


def test_only_edges_in_force_are_given(base: StoreBase) -> None:
    """Neither those of a task that went offline, nor those that begin later."""
    assert sorted(base.edges_of(["b", "gone", "late", "nobody"])) == sorted(TO_B)
    assert list(base.edges_from([B])) == [TO_C]
    assert sorted(base.edges_into([B, C])) == sorted([*TO_B, TO_C])
    assert list(base.edges_from([])) == []


def test_the_point_decides_by_both_times(store: Store) -> None:
    """On the third day ``gone`` still is in force; at version 2 nobody had heard of it."""
    then, early = (StoreBase(store, store.basis(DAY[3], version=version)) for version in (None, 2))

    assert [edge.source for edge in then.edges_of(["gone"])] == ["kafka:é#x"]
    assert list(early.edges_of(["gone", "c"])) == []
    assert sorted(early.edges_of(["b"])) == sorted(TO_B)
    then.close()
    early.close()


def test_the_text_in_force_is_that_of_the_last_message(base: StoreBase) -> None:
    """A task that is offline, or only comes later, has none."""
    found = base.tasks(["made", "c", "gone", "late", "nobody"])

    assert sorted(found) == ["c", "made"]
    assert (found["made"].sql, dict(found["made"].params)) == (SQL, {"day": "1"})
    assert (found["made"].dialect, found["made"].namespace, found["made"].default_database) == ("spark", "hive", "dw")
    assert found["c"].sql is None
    assert base.tasks([]) == {}


def test_what_comes_next_is_known_of_tasks_that_are_not_in_force_too(store: Store, base: StoreBase) -> None:
    """One that begins later has its beginning to come; before a task ends, its end is to come."""
    then = StoreBase(store, store.basis(DAY[3]))

    assert base.next_changes(["made", "c", "gone", "late", "nobody"]) == {"c": DAY[25], "late": DAY[20]}
    assert then.next_changes(["gone", "c"]) == {"gone": DAY[5], "c": DAY[25]}
    then.close()


def test_a_task_was_seen_though_it_is_not_in_force(base: StoreBase) -> None:
    """Whoever compares with an own text at the base revision must know."""
    assert base.seen(["gone", "late", "nobody"]) == {"gone", "late"}


def test_columns_and_types_are_those_stated(base: StoreBase) -> None:
    """A struct shows its fields; types are those of top columns only, and of none where none are known."""
    columns = base.columns()

    assert columns[A] == ("x", ("s", "STRUCT<`in` STRING>"))
    assert columns["hive:dw.made"] == ("x", "y")
    assert B not in columns
    assert base.types([A, B]) == {A: {"x": "INT", "s": "RECORD"}}


def test_a_text_that_gave_columns_is_found_and_a_declaration_has_none(base: StoreBase) -> None:
    """``made`` has its columns from a statement, ``a`` from a dataset message, ``b`` from nobody."""
    found = base.declared_by(["hive:dw.made", A, B])

    assert {dataset: (text.task_id, text.sql) for dataset, text in found.items()} == {"hive:dw.made": ("made", SQL)}


def test_columns_that_were_resolved_again_are_those_of_the_text_they_began_with(tmp_path: Path) -> None:
    """A star over a dataset that is declared later: the version derived of it has no text of its own."""
    store = Store.create(tmp_path / "s")
    star = TaskChange("1", "star", "online", DAY[1], sql="CREATE TABLE s AS SELECT * FROM a", dialect="spark",
                      namespace="hive", default_database="dw")  # fmt: skip
    with SqlResolver(0) as resolver:
        store.append([star], resolver=resolver)
        store.append([NodeChange("2", "dataset", A, "define", DAY[0], fields=[Field("x", "INT")])], resolver=resolver)
    base = StoreBase(store, store.basis(DAY[10]))

    found = base.declared_by(["hive:dw.s"])["hive:dw.s"]

    assert (base.columns()["hive:dw.s"], found.version, found.sql) == (("x",), 1, star.sql)
    base.close()


def test_a_namespace_is_closed_where_each_source_is_written_or_declared(store: Store, base: StoreBase) -> None:
    """``hive`` is: a is declared, b is written. ``kafka`` is open while its topic is read.

    Before and after, nothing of it is read: what its sources are is not known, so it is not closed.
    """
    first, then = (StoreBase(store, store.basis(DAY[day])) for day in (0, 3))

    assert base.is_closed("hive")
    assert not then.is_closed("kafka")
    assert not base.is_closed("kafka")
    assert not first.is_closed("kafka")  # what begins to read it is to come
    then.close()
    first.close()


def test_what_was_ever_named_is_known_though_nothing_of_it_is_in_force(base: StoreBase) -> None:
    """The topic of the task that went offline is; a name that no edge had is not."""
    assert base.ever_named(["kafka:é", C, "hive:dw.nowhere"]) == {"kafka:é", C}
    assert base.ever_named([]) == set()


def test_edges_to_come_have_their_instant(base: StoreBase) -> None:
    """Those out of the datasets asked for, and none that is in force already."""
    late = TaskEdge("late", *Edge(f"{A}#x", f"{C}#late"))

    assert list(base.later_readers([A])) == [(late, DAY[20])]
    assert list(base.later_readers([B])) == [(TaskEdge("c", *Edge(f"{B}#x", f"{C}#other")), DAY[25])]
    assert list(base.later_readers([])) == []


def test_a_message_that_would_be_the_last_takes_away_what_is_in_force(base: StoreBase) -> None:
    """What both have in common stays; a task that nobody knows only brings edges."""
    kept, fresh = TO_B[0].edge, Edge(f"{A}#x", f"{B}#z")

    placed = base.placed({"b": (DAY[12], [kept, fresh]), "new": (DAY[12], [fresh])})

    assert list(placed["b"]) == [(-1, *TO_B[1][1:], DAY[12], None), (1, *fresh, DAY[12], None)]
    assert list(placed["new"]) == [(1, *fresh, DAY[12], None)]


def test_a_message_before_a_later_one_ends_there(base: StoreBase) -> None:
    """``c`` changes on the 25th: what is placed on the 12th holds until then, and what is to come is not touched."""
    fresh = Edge(f"{B}#x", f"{C}#y")

    (placed,) = base.placed({"c": (DAY[12], [fresh])}).values()

    assert list(placed) == [(-1, *TO_C[1:], DAY[12], DAY[25]), (1, *fresh, DAY[12], DAY[25])]


def test_facts_come_by_node(base: StoreBase) -> None:
    """Two owners of one task are both known."""
    assert set(base.facts().owners["task:c"]) == {"ana", "bo"}
    assert base.facts().labels == {}


def test_work_in_the_background_gives_its_answer_or_its_failure() -> None:
    """Whoever waits for it gets the error that it raised."""
    assert in_background(lambda: 7).result() == 7
    with pytest.raises(ZeroDivisionError):
        in_background(lambda: 1 // 0).result()


def test_a_task_whose_last_message_was_rejected_is_known(tmp_path: Path) -> None:
    """Until another message of it is accepted, or the rejected one is dismissed; others are not asked about."""
    store = Store.create(tmp_path / "s")
    ends = TaskChange("1", "known", "offline", DAY[1], lineage=Lineage())
    refused = [RejectedMessage(f"{task}".encode(), "code", "detail", "2", task) for task in ("known", "late", "gone")]
    store.append([ends, *refused, TaskChange("3", "late", "offline", DAY[1], lineage=Lineage())])
    store.append([dismissal(4, "an exercise", DAY[1])], own=True)
    base = StoreBase(store, store.basis(DAY[10]))
    before = StoreBase(store, store.basis(DAY[10], version=4))

    assert base.rejected(["known", "late", "gone", "nobody"]) == {"known": 2}
    assert before.rejected(["known", "late", "gone"]) == {"known": 2, "late": 3, "gone": 4}
    assert base.rejected([]) == {}
    base.close()
    before.close()


def test_a_store_is_empty_until_a_message_is_accepted(tmp_path: Path, base: StoreBase) -> None:
    """A rejected one does not count."""
    store = Store.create(tmp_path / "s")
    store.append([RejectedMessage(b"a", "code", "detail")])
    other = StoreBase(store, store.basis(DAY[10]))

    assert (base.is_empty(), other.is_empty()) == (False, True)
    other.close()
