"""From what a statement writes to edges."""

from __future__ import annotations

from ingest.sql.binder.relations.flow import (
    AGGREGATION,
    CONDITIONAL,
    FILTER,
    IDENTITY,
    JOIN,
    TRANSFORMATION,
    Column,
    Part,
)
from ingest.sql.binder.relations.relations import Effects
from ingest.sql.statements.emit import Write, edges_of, in_order
from lineage_tt.model.edges import DIRECT, INDIRECT, Edge


def effects(predicates: dict[str, int], *reads: str) -> Effects:
    """Return what decides about rows, and the datasets read."""
    made = Effects()
    made.predicates = predicates
    made.reads = set(reads)
    return made


def test_a_value_goes_to_its_column_and_a_decision_to_the_dataset() -> None:
    """Only a value that is changed shows what makes it."""
    columns = [
        ("y", Column("y", (Part({"n:t#b": TRANSFORMATION, "n:t#c": CONDITIONAL}, "upper(t.b)"),))),
        ("x", Column("x", (Part({"n:t#a": IDENTITY}, "t.a"),))),
    ]
    found = edges_of(Write("n:o", columns, effects({"n:t#c": FILTER}, "n:t")))

    assert set(found) == {
        Edge("n:t#a", "n:o#x", DIRECT, "IDENTITY", ""),
        Edge("n:t#b", "n:o#y", DIRECT, "TRANSFORMATION", "upper(t.b)"),
        Edge("n:t#c", "n:o#y", INDIRECT, "CONDITIONAL", ""),
        Edge("n:t#c", "n:o", INDIRECT, "FILTER", ""),
    }


def test_a_source_has_an_edge_for_each_way() -> None:
    """One column that is both summed and joined on."""
    columns = [("s", Column("s", (Part({"n:t#a": IDENTITY | AGGREGATION}, "sum(t.a)"),)))]
    found = edges_of(Write("n:o", columns, effects({"n:t#a": JOIN | FILTER})))

    assert sorted((edge.target, edge.subtype, edge.expression) for edge in found) == [
        ("n:o", "FILTER", ""),
        ("n:o", "JOIN", ""),
        ("n:o#s", "AGGREGATION", "sum(t.a)"),
        ("n:o#s", "IDENTITY", ""),
    ]


def test_each_derivation_of_a_column_shows_its_own_expression() -> None:
    """Those of a union."""
    parts = Part({"n:t#a": TRANSFORMATION}, "t.a + ?"), Part({"n:u#d": TRANSFORMATION}, "upper(u.d)")
    found = edges_of(Write("n:o", [("x", Column("x", parts))]))

    assert {(edge.source, edge.expression) for edge in found} == {("n:t#a", "t.a + ?"), ("n:u#d", "upper(u.d)")}


def test_a_dataset_without_another_edge_keeps_one() -> None:
    """A table that is only counted, or joined on nothing, still feeds what is written."""
    columns = [("x", Column("x", (Part({"n:t#a": IDENTITY}, "t.a"),)))]
    found = edges_of(Write("n:o", columns, effects({"n:v#k": FILTER}, "n:t", "n:u", "n:v")))

    assert [edge for edge in found if edge.source == "n:u"] == [Edge("n:u", "n:o", DIRECT, "TRANSFORMATION", "")]
    assert {edge.source for edge in found} == {"n:t#a", "n:u", "n:v#k"}


def test_a_star_says_what_it_leaves_out() -> None:
    """A column of a name taken out of it does not."""
    part = Part({"n:t#*": IDENTITY}, "t.*", frozenset(["b", "a"]))
    found = edges_of(Write("n:o", [("*", Column("*", (part,))), ("x", Column("x", (part,)))]))

    assert {(edge.target, edge.expression) for edge in found} == {("n:o#*", "* EXCEPT (a, b)"), ("n:o#x", "")}


def test_a_write_of_nothing_has_no_edges() -> None:
    """Rows of constants."""
    assert edges_of(Write("n:o", [("x", Column("x", ()))])) == []


def test_edges_come_once_and_in_the_order_of_their_values() -> None:
    """By source, then target, type, subtype and expression; of two that are alike one stays."""
    one, two = Edge("n:a", "n:o#x"), Edge("n:a", "n:o#y")
    agg, other = Edge("n:a", "n:o#x", DIRECT, "AGGREGATION", "z"), Edge("n:A", "n:o#y", INDIRECT, "FILTER")

    assert in_order([two, one, agg, other, two]) == (other, agg, one, two)
    assert in_order([]) == ()
