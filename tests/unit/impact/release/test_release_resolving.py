"""Candidates resolved together: each sees what the others make, and what ends is found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from plain_base import AT, COMPLETE_TEXT, PlainBase, candidate, edge, resolved, text

from lineage_tt.impact.release.candidates import Candidate
from lineage_tt.impact.release.release import Dropped
from lineage_tt.impact.release.resolving import MAX_ROUNDS, OtherOutputs, resolve
from lineage_tt.impact.texts import Side, TextDifference
from lineage_tt.model.edges import Edge
from lineage_tt.model.facts import Shape, names_of
from lineage_tt.model.messages import Lineage, TaskChange

RAW, A, B = "hive:ods.raw", "hive:dw.a", "hive:dw.b"
MAKE_A, MAKE_B = "CREATE TABLE a AS SELECT x, y FROM ods.raw", "CREATE TABLE b AS SELECT * FROM a"


def test_a_candidate_sees_what_the_others_make_and_not_what_it_makes_itself() -> None:
    """The last of two others counts; where none makes it, the columns before the release do."""
    others = OtherOutputs(
        {A: ("old",), RAW: ("r",)},
        {0: {A: ("own",)}, 1: {A: ("first",)}, 2: {A: ("second",), B: ("b",)}},
        {0: {"n:loaded": ("p", "q"), RAW: ("mine",)}},
    )

    assert [others.but(place)[A] for place in range(4)] == [("second",), ("second",), ("first",), ("second",)]
    assert (others.but(2).get(B), others.but(0)[B]) == (None, ("b",))
    assert (others.but(0)["n:loaded"], others.but(1).get("n:loaded")) == (("p", "q"), None)
    assert (others.but(0)[RAW], others.but(1)[RAW]) == (("mine",), ("r",))


def test_what_a_candidate_sees_is_a_mapping() -> None:
    """Datasets of which it knows nothing are not among its items, though their names are keys."""
    seen = OtherOutputs({A: ("x",)}, {0: {B: ("own",)}}).but(0)

    assert (list(seen), len(seen), B in seen) == ([A], 1, False)
    assert set(seen.keys()) == {A, B}
    with pytest.raises(KeyError):
        seen[B]


@pytest.mark.parametrize("order", [1, -1])
def test_candidates_are_resolved_together_in_any_order(order: int) -> None:
    """A star over a table that another candidate makes knows its columns."""
    candidates = [candidate("b", MAKE_B), candidate("a", MAKE_A)][::order]

    made = resolved(PlainBase(columns={RAW: ("x", "y")}), *candidates)

    assert made.after[B] == ("x", "y")
    assert list(made.changes["b"].edges) == [Edge(f"{A}#x", f"{B}#x"), Edge(f"{A}#y", f"{B}#y")]


def test_candidates_that_read_each_other_end() -> None:
    """Each is resolved under the columns of the other."""
    made = resolved(PlainBase(), candidate("a", "CREATE TABLE a AS SELECT k, 1 AS x FROM b"),
                    candidate("b", "CREATE TABLE b AS SELECT *, 2 AS k FROM a"))  # fmt: skip

    assert made.after[A] == ("k", "x")
    assert set(made.after[B]) >= {"k", "x"}


def test_a_chain_of_forty_tables_in_the_wrong_order_knows_its_columns() -> None:
    """Each round brings the columns one table further."""
    chain = [candidate(f"t{n}", f"CREATE TABLE t{n} AS SELECT * FROM t{n + 1}") for n in range(40)]

    made = resolved(PlainBase(), *chain, candidate("t40", "CREATE TABLE t40 AS SELECT x, y FROM ods.raw"))

    assert made.after["hive:dw.t0"] == ("x", "y")
    assert {change.lineage.coverage for change in made.changes.values()} == {"complete"}


class Longer:
    """An analyst of texts that name the table they read: its columns and one more."""

    def __call__(self, waiting: Sequence[tuple[TaskChange, Mapping[str, Shape]]]) -> list[Lineage]:
        """Return lineages without edges, with the columns that each text makes."""
        made = []
        for message, known in waiting:
            read = message.sql or ""
            names = names_of(known.get(read) or ())
            outputs = [(f"hive:dw.{message.task_id}", (*names, f"c{len(names)}"))]
            made.append(Lineage(outputs=outputs, lookups=[(read, known.get(read))], stars=[read]))
        return made

    def compare(self, pairs: Sequence[tuple[Side, Side]]) -> list[TextDifference]:
        """Say that all texts are the same."""
        return [COMPLETE_TEXT for _ in pairs]


def test_candidates_whose_columns_never_settle_say_so() -> None:
    """Each makes the other's columns longer in each round: both are partial."""
    made = resolve([candidate("a", B), candidate("b", A)], PlainBase(), Longer(), AT)

    for change in made.changes.values():
        assert change.lineage.coverage == "partial"
        assert f"still changed after {MAX_ROUNDS}" in change.lineage.problems[0].detail


def test_what_a_release_keeps_of_the_base() -> None:
    """Text and edges in force are those before; columns of other datasets are as they were."""
    before = [edge("a", f"{RAW}#x", f"{A}#x")]
    base = PlainBase(
        *before, columns={RAW: ("x", "y"), A: ("x",)}, texts=[text("a", "CREATE TABLE a AS SELECT x FROM ods.raw")]
    )

    made = resolved(base, candidate("a", MAKE_A))

    change = made.changes["a"]
    assert (change.known, change.op, change.before_edges) == (True, "update", (before[0].edge,))
    assert change.before is not None
    assert (made.before[A], made.after[A], made.after[RAW]) == (("x",), ("x", "y"), ("x", "y"))


def test_a_task_that_the_store_never_saw_is_compared_with_its_own_earlier_text() -> None:
    """One that it saw, though it is not in force, is compared with nothing."""
    earlier = candidate("a", "CREATE TABLE a AS SELECT x FROM ods.raw")
    given = replace(candidate("a", MAKE_A), earlier=earlier)
    base: dict[str, Any] = {"columns": {RAW: ("x", "y")}}

    class Seen(PlainBase):
        def seen(self, task_ids: object) -> set[str]:
            return {"a"}

    unseen, seen = (resolved(kind(**base), given) for kind in (PlainBase, Seen))

    change = unseen.changes["a"]
    assert (change.known, change.op, change.before_edges) == (False, "update", (Edge(f"{RAW}#x", f"{A}#x"),))
    assert unseen.before[A] == ("x",)
    assert (seen.changes["a"].known, seen.changes["a"].op) == (True, "online")


def test_a_datasets_own_change_is_compared_with_its_columns_in_force() -> None:
    """One that nobody declared is new."""
    given = [Candidate.of_dataset({"dataset": dataset, "columns": [{"name": "z"}]}) for dataset in (A, B)]

    changes = resolved(PlainBase(columns={A: ("x", ("s", "STRUCT<a INT>"))}), *given).changes

    known, new = changes[f"dataset:{A}"], changes[f"dataset:{B}"]
    assert known.old is not None
    assert (known.op, known.old.outputs) == ("update", [(A, ("x", "s"))])
    assert (new.op, new.old) == ("online", None)


def declaration(dataset: str) -> Candidate:
    """Return the candidate of a message that declares one column of a dataset."""
    return Candidate.of_dataset({"dataset": dataset, "columns": [{"name": "z"}]})


def test_a_dataset_declared_in_other_letters_is_unknown() -> None:
    """It may be the known one, whose columns then go, or another: nobody can say."""
    base = PlainBase(columns={"hive:ods.orders": ("x",), "n:Same": ("x",)})

    changes = resolved(base, declaration("hive:ods.Orders"), declaration("n:Same")).changes

    assert changes["dataset:hive:ods.Orders"].unseen == (
        "hive:ods.Orders is declared, and the store knows hive:ods.orders: only the case of letters differs"
    )
    assert changes["dataset:n:Same"].unseen == ""


def test_a_new_dataset_whose_name_is_nearly_known_is_noted() -> None:
    """With the known name; one that an edge ever named is not new."""
    base = PlainBase(edge("t", "hive:ods.order_lines", B), columns={"hive:ods.orders": ("x",)})

    assert resolved(base, declaration("hive:ods.orderz")).notes == [
        "hive:ods.orderz is new to the store; did you mean hive:ods.orders?"
    ]
    assert resolved(base, declaration("hive:ods.order_lines")).notes == []
    assert resolved(base, declaration("kafka:clicks")).notes == []


def test_positions_of_an_unknown_table_are_those_of_the_text_in_force() -> None:
    """A second alias in the same place fills the same column."""
    base = PlainBase(edge("load", f"{RAW}#x", f"{A}#p"), columns={RAW: ("x", "y")},
                     texts=[text("load", "INSERT INTO a SELECT x AS p FROM ods.raw")])  # fmt: skip

    made = resolved(base, candidate("load", "INSERT INTO a SELECT x AS q FROM ods.raw"))

    assert made.changes["load"].positions == {A: ("p",)}
    assert list(made.changes["load"].edges) == [Edge(f"{RAW}#x", f"{A}#p")]


# --- what ends --------------------------------------------------------------------------------------------------------


def test_a_dataset_is_gone_where_nobody_writes_it_any_more() -> None:
    """With the task that stopped; another writer, before or in the release, keeps it."""
    mine, also = edge("a", f"{RAW}#x", f"{A}#x"), edge("other", f"{RAW}#y", f"{A}#y")
    offline = Candidate("a", "offline")

    assert resolved(PlainBase(mine), offline).gone == {A: frozenset({"a"})}
    assert resolved(PlainBase(mine, also), offline).gone == {}
    assert resolved(PlainBase(mine), offline, candidate("new", None, (f"{RAW}#x", f"{A}#x"))).gone == {}
    constant = candidate("new", "CREATE TABLE a AS SELECT 1 AS x")
    assert resolved(PlainBase(mine), offline, constant).gone == {}
    assert resolved(PlainBase(mine, also), offline, Candidate("other", "offline")).gone == {
        A: frozenset({"a", "other"})
    }
    assert resolved(PlainBase(mine), candidate("a", None, (f"{RAW}#x", f"{B}#x"))).gone == {A: frozenset({"a"})}


def test_a_dropped_dataset_that_is_written_still_names_who_makes_it_again() -> None:
    """A text that creates it is a maker, one that inserts into it only writes."""
    base = PlainBase(
        edge("make", f"{RAW}#x", f"{A}#x"), edge("fill", f"{RAW}#y", f"{A}#y"), columns={A: ("x", "y")},
        texts=[text("make", "CREATE TABLE a AS SELECT x FROM ods.raw"),
               text("fill", "INSERT INTO a SELECT y FROM ods.raw")],
    )  # fmt: skip

    made = resolved(base, candidate("drop", "DROP TABLE a"))

    assert made.gone == {}
    assert made.dropped == {A: Dropped(frozenset({"drop"}), ("fill", "make"), frozenset({"make"}))}
    constant = candidate("new", "CREATE TABLE a AS SELECT 1 AS x")
    assert resolved(base, candidate("drop", "DROP TABLE a"), constant).dropped == {}


def test_a_dropped_database_is_all_that_is_known_of_it() -> None:
    """Datasets of other databases stay."""
    base = PlainBase(columns={A: ("x",), "hive:dw.é": ("x",), "hive:dw2.a": ("x",), RAW: ("x",)})

    made = resolved(base, candidate("drop", "DROP DATABASE dw CASCADE"))

    assert made.gone == {A: frozenset({"drop"}), "hive:dw.é": frozenset({"drop"})}


def test_an_empty_release_is_empty() -> None:
    """Nothing is asked of anybody."""
    made = resolved(PlainBase(edge("a", f"{RAW}#x", f"{A}#x"), columns={A: ("x",)}))

    assert (made.changes, made.readers, made.gone, made.dropped, made.renames) == ({}, {}, {}, {}, {})
    assert made.after[A] == ("x",)
