"""The shape of the lineage after a release: two writers, cycles, sources that nobody writes, layers."""

from __future__ import annotations

from typing import Any

import pytest
from plain_base import PlainBase, change, edge, release

from lineage_tt.impact.downstream.structure import layer_of, structure_findings
from lineage_tt.impact.release.candidates import Candidate
from lineage_tt.impact.release.release import Change
from lineage_tt.impact.report import BREAKING, POTENTIALLY
from lineage_tt.impact.texts import TextDifference

A, B, C, D = "hive:ods.a", "hive:dw.b", "hive:dw.c", "bi:d"
KNOWN: Any = {"columns": {A: ("x",)}}


def found(base: PlainBase, *changes: Change, layers: tuple[str, ...] = (), **more: Any) -> list[tuple[Any, ...]]:
    """Return findings as (kind, class, task, subject, reader, reason)."""
    listed = structure_findings(release(base, *changes, **more), layers)
    return [(each.kind, each.class_, each.task, each.subject, each.reader, each.reason) for each in listed]


def makes(task: str, source: str, target: str, before: Any = ()) -> Change:
    """Return a task that begins to make a dataset of another."""
    return change(task, before, [*before, (source, target)])


# --- writers ----------------------------------------------------------------------------------------------------------


def test_a_second_task_that_writes_a_dataset_is_found() -> None:
    """With those that write it already, by name or number; one that wrote it before is not news."""
    base = PlainBase(*(edge(f"w{place}", A, B) for place in range(7)), **KNOWN)

    assert found(base, makes("t", A, B)) == [
        ("two-writers", POTENTIALLY, "t", B, "w0", f"{B} is now written by t and by w0, w1, w2, w3, w4 and 2 more")
    ]
    assert found(base, change("w0", [(A, B)], [(A, B), (f"{A}#x", f"{B}#x")])) == []


def test_two_new_writers_are_found_with_each_other() -> None:
    """Also beside a task that is only edited; a declaration writes nothing."""
    base = PlainBase(**KNOWN)
    own = Candidate("dataset", dataset=B, fields=())

    assert [(each[2], each[4]) for each in found(base, makes("t", A, B), makes("u", A, B))] == [("t", "u"), ("u", "t")]
    edited = change("old", [(A, B)], [(A, B)])
    assert [(each[2], each[4]) for each in found(base, edited, makes("t", A, B))] == [("t", "old")]
    assert found(base, makes("t", A, B), change("dataset", candidate_=own, outputs=[(B, ("x",))])) == []


def test_a_writer_that_hands_its_dataset_over_is_none() -> None:
    """The release moves the dataset from one task to another."""
    base = PlainBase(edge("old", A, B), **KNOWN)

    assert found(base, change("old", [(A, B)], [(A, C)]), makes("new", A, B)) == []


def first_writers(base: PlainBase, *changes: Change) -> list[tuple[str, str, str]]:
    """Return the findings about rows that a task begins to change, as (task, dataset, reader)."""
    return [(each[2], each[3], each[4]) for each in found(base, *changes) if each[0] == "meaning"]


def test_a_task_that_changes_what_only_others_made_is_found_with_its_readers() -> None:
    """The dataset is declared or only read: its rows came from outside of all tasks, and now come from one."""
    base = PlainBase(edge("r", f"{A}#x", C), edge("s", A, D), **KNOWN)

    assert found(base, makes("t", B, A))[:2] == [
        ("meaning", POTENTIALLY, "t", A, "r",
         f"r reads {A}, whose rows t changes; no task that the store knows did before"),
        ("meaning", POTENTIALLY, "t", A, "s",
         f"s reads {A}, whose rows t changes; no task that the store knows did before"),
    ]  # fmt: skip
    constant = TextDifference(writes=((A, "other"),), fills=(A,))
    assert first_writers(base, change("t", sql="UPDATE a SET x = 0", difference=constant)) == [
        ("t", A, "r"),
        ("t", A, "s"),
    ]


def test_readers_that_come_with_the_writer_are_none() -> None:
    """Nor is the writer itself, a declaration, or an edit of nothing that counts."""
    base = PlainBase(edge("t", f"{A}#x", D), **KNOWN)

    assert first_writers(base, makes("t", A, A), makes("new", A, C)) == []
    read = PlainBase(edge("r", A, C), **KNOWN)
    assert first_writers(read, change("t", sql="CREATE TABLE a (x int)", outputs=[(A, ("x",))])) == []
    same = TextDifference(same=True, fills=(A,))
    assert first_writers(read, change("t", sql="UPDATE a SET x = 0", had="", difference=same)) == []


# --- cycles -----------------------------------------------------------------------------------------------------------


def test_a_dataset_that_is_made_of_itself_over_others_is_a_cycle() -> None:
    """With the ring of datasets, whatever columns the steps are of."""
    base = PlainBase(edge("u", f"{A}#x", f"{B}#y"), edge("v", f"{B}#z", C), **KNOWN)
    made = release(base, makes("t", f"{C}#p", f"{A}#q"))

    (cycle,) = [each for each in structure_findings(made) if each.kind == "cycle"]

    assert (cycle.class_, cycle.task, cycle.subject, cycle.path) == (BREAKING, "t", A, (A, B, C, A))
    assert cycle.reason == f"t closes a cycle: {A} → {B} → {C} → {A}; no order of running them makes all"


def test_what_is_no_new_ring_is_no_cycle() -> None:
    """A task that reads what it writes, a ring that was there, another name of a dataset."""
    base = PlainBase(edge("u", A, B), **KNOWN)

    assert [each[0] for each in found(base, makes("t", A, A)) if each[0] == "cycle"] == []
    assert found(base, change("t", [(B, A)], [(B, A), (f"{B}#x", f"{A}#x")])) == []
    alias = [(B, A, "DIRECT", "ALIAS"), (A, B, "DIRECT", "ALIAS")]
    assert [each[0] for each in found(base, change("t", [], alias)) if each[0] == "cycle"] == []


def test_a_dataset_is_in_one_ring_at_a_time() -> None:
    """The first of several sources that close one is named."""
    base = PlainBase(edge("u", A, B), edge("v", A, C), **KNOWN)
    made = change("t", [], [(B, A), (C, A)])

    assert [each[5].split(";")[0] for each in found(base, made) if each[0] == "cycle"] == [
        f"t closes a cycle: {A} → {B} → {A}"
    ]


# --- sources ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("base", "dangling"),
    [
        (PlainBase(), True),
        (PlainBase(edge("w", "n:x", A)), False),
        (PlainBase(edge("r", A, "n:x")), False),
        (PlainBase(columns={A: ("x",)}), False),
        (PlainBase(named=[A]), False),
    ],
    ids=["unknown", "written", "read", "declared", "once named"],
)
def test_a_new_source_that_nobody_knows_dangles(base: PlainBase, dangling: bool) -> None:
    """One that is written, read or declared, or that an edge once named, does not."""
    expected = ("dangling-source", POTENTIALLY, "t", A, None, f"t reads {A}, which no task writes or has read before")

    assert found(base, makes("t", f"{A}#x", D)) == ([expected] if dangling else [])


def test_what_the_task_itself_makes_is_not_offered_in_place_of_its_source() -> None:
    """It is new with the task; a dataset that was there before is offered."""
    made = makes("t", "hive:dw.order", "hive:dw.orders")
    own = {"hive:dw.orders": ("x",)}

    (new,) = found(PlainBase(), made, after=own)
    (old,) = found(PlainBase(columns=own), made)

    assert new[5] == "t reads hive:dw.order, which no task writes or has read before"
    assert old[5].endswith("; did you mean hive:dw.orders?")


def test_in_a_closed_namespace_it_is_not_there() -> None:
    """With the name that may be meant."""
    base = PlainBase(columns={B: ("x",)}, closed=True)

    ((_, class_, *_, reason),) = found(base, makes("t", "hive:dw.bb", D))

    assert class_ == BREAKING
    assert reason == (
        "t reads hive:dw.bb, which no task writes or has read before; all other sources are known, so it is not there"
        f"; did you mean {B}?"
    )


def test_a_source_that_the_release_makes_does_not_dangle() -> None:
    """Nor one that the task read before, or that a text names which cannot be read; one that goes does."""
    base = PlainBase()
    made = change("w", [], [], sql="x", outputs=[(A, ())])

    assert found(base, makes("t", A, D), change("w", [("n:z", A)], [("n:z", A)])) == []
    assert found(base, makes("t", A, D), made, after={A: ("x",)}) == []
    assert found(base, change("t", [(A, D)], [(A, D), (f"{A}#x", D)])) == []
    unread = change("t", [], [(A, D)], sql="x", coverage="opaque")
    assert found(base, unread) == []
    assert found(base, makes("t", A, D), gone={A: frozenset({"w"})}) == [
        ("gone-dataset", BREAKING, "t", A, "t", f"t reads {A}, which no task writes any more")
    ]


# --- layers -----------------------------------------------------------------------------------------------------------

LAYERS = ("hive:ods.*", "hive:dw.*", "bi:*")


def test_a_layer_is_the_first_pattern_that_matches() -> None:
    """Case counts, and what matches none has none."""
    assert [layer_of(each, (*LAYERS, "*")) for each in (A, B, D, "hive:DW.b", "n:x")] == [0, 1, 2, 3, 3]
    assert layer_of("n:x", LAYERS) is None


def test_a_lower_layer_is_not_made_of_a_higher_one() -> None:
    """What was so before, what goes up or stays in its layer, and what is of no layer is not reported."""
    base = PlainBase(edge("w", "n:z", B), **KNOWN)
    before = [(D, B)]
    made = change("t", before, [*before, (f"{B}#x", f"{A}#x"), (B, A), (A, B), (B, C), ("n:z", A)])
    layered = [each for each in found(base, made, layers=LAYERS) if each[0] == "layer"]

    assert layered == [
        ("layer", POTENTIALLY, "t", A, None, f"t makes {A} (hive:ods.*) from {B} (hive:dw.*), a higher layer")
    ]
    assert [each for each in found(base, made) if each[0] == "layer"] == []
