"""Calls of registered functions: which arguments give the value, which only decide, which do neither."""

from __future__ import annotations

import pytest
from bound import Bound, listed, ways
from sqlglot import exp

from ingest.sql.binder.expressions import called
from ingest.sql.binder.relations.flow import AGGREGATION, IDENTITY, Flow
from ingest.sql.dialects.function_registry import Function, Registry

CHANGED, CHOOSES, SUMMED = "TRANSFORMATION", "CONDITIONAL", "AGGREGATION"


def with_registered(*functions: Function, dialect: str = "spark") -> Bound:
    """A binder over t in whose script these functions are registered."""
    bound = Bound("t", dialect)
    by_last_part: dict[str, tuple[Function, ...]] = {}
    for each in functions:
        last = each.name.rpartition(".")[2]
        by_last_part[last] = (*by_last_part.get(last, ()), each)
    bound.walk.functions.registry = Registry(by_last_part)
    return bound


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (Function("f"), {"t#a": CHANGED, "t#b": CHANGED, "t#c": CHANGED}),
        (Function("f", decides=(1,)), {"t#a": CHANGED, "t#b": CHOOSES, "t#c": CHANGED}),
        (Function("f", values=(0,), decides=(2,)), {"t#a": CHANGED, "t#c": CHOOSES}),
        (Function("f", values=(1,), aggregate=True), {"t#b": SUMMED}),
        (Function("f", values=(0,), masks=True), {"t#a": CHOOSES}),
        (Function("f", values=()), {}),
    ],
)
def test_an_argument_gives_the_value_decides_or_does_neither(function: Function, expected: dict[str, str]) -> None:
    """A masking function's value depends on its argument and is not it."""
    assert with_registered(function).ways("f(a, b, c)") == expected


def test_an_argument_that_does_neither_is_resolved_all_the_same() -> None:
    """A column that does not exist is a problem wherever it is named."""
    bound = with_registered(Function("f", values=(0,)))

    assert bound.ways("f(a, zz)") == {"t#a": CHANGED}
    assert bound.problems() == [("unknown-column", "n:d.t")]


def test_what_was_done_outside_counts_as_well() -> None:
    """An aggregate over a call aggregates; a decision stays one."""
    bound = with_registered(Function("f", decides=(1,)))

    assert bound.ways("f(a, b)", AGGREGATION) == {"t#a": SUMMED, "t#b": CHOOSES}


def test_a_function_that_the_parser_knows_may_be_registered_too() -> None:
    """It is found by the class of its calls; others, and what is not a function, are not."""
    bound = with_registered(Function("upper", masks=True))
    out: Flow = {}

    assert called.built_in(bound.values, bound.item("upper(a)"), bound.scope, IDENTITY, out)
    assert ways(out) == {"t#a": CHOOSES}
    assert not called.built_in(bound.values, bound.item("lower(a)"), bound.scope, IDENTITY, out)
    assert not called.built_in(bound.values, bound.item("a + b"), bound.scope, IDENTITY, out)
    assert bound.ways("upper(b)") == {"t#b": CHOOSES}


@pytest.mark.parametrize(
    ("text", "expected"),
    [("udf.f(a, b)", {"t#a": CHANGED, "t#b": CHOOSES}), ("other.f(a, b)", {"t#a": CHANGED, "t#b": CHANGED}),
     ("f(a, b)", {"t#a": CHANGED, "t#b": CHOOSES})],
)  # fmt: skip
def test_a_schema_in_front_must_be_the_registered_one(text: str, expected: dict[str, str]) -> None:
    """The same name elsewhere is another function: all its arguments count."""
    assert with_registered(Function("udf.f", decides=(1,)), dialect="bigquery").ways(text) == expected


def test_without_a_registered_name_a_call_with_a_schema_is_left_to_others() -> None:
    """Nothing was added then."""
    bound = with_registered(Function("g"), dialect="bigquery")
    out: Flow = {}

    assert not called.with_schema(bound.values, bound.item("udf.f(a)"), bound.scope, IDENTITY, out)
    assert out == {}


def test_the_rows_of_a_table_function_come_from_the_arguments_of_each_column() -> None:
    """Without places, from all that give the value; names beside the call count before the registered ones."""
    bound = with_registered()
    function = Function("split", decides=(2,), columns=(("id", (0,)), ("amount", None)))
    given = [exp.column(name) for name in "abc"]

    rows = called.rows_of(bound.values, function, given, ["k"], bound.scope)

    assert listed(rows.visible()) == [("k", "t#a t#c"), ("amount", "t#a t#b t#c")]
    assert ways(rows.visible()[1].flow()) == {"t#a": CHANGED, "t#b": CHANGED, "t#c": CHOOSES}


@pytest.mark.parametrize(
    ("dialect", "call", "subject"),
    [
        ("postgres", "query_to_xml('SELECT x FROM s', true, true, '')", "query_to_xml"),
        ("postgres", "pg_catalog.table_to_xml('s', true, true, '')", "table_to_xml"),
        ("redshift", "DBLINK_EXEC('c', 'DELETE FROM s')", "dblink_exec"),
        ("oracle", "dbms_xmlgen.getxml('SELECT x FROM s')", "getxml"),
        ("oracle", "sys.dbms_xmlgen.getxmltype('SELECT x FROM s')", "getxmltype"),
        ("sqlite", "eval('SELECT x FROM s')", "eval"),
    ],
)
def test_a_query_in_a_text_that_a_function_runs_is_reported(dialect: str, call: str, subject: str) -> None:
    """What it reads is not known, so the answer is not complete."""
    bound = Bound("t", dialect)

    assert bound.ways(call) == {}
    assert bound.problems() == [("opaque-call", subject)]


@pytest.mark.parametrize(
    ("dialect", "call"), [("spark", "query_to_xml(a)"), ("oracle", "mine.getxml(a)"), ("oracle", "getxml(a)")]
)
def test_a_function_of_that_name_elsewhere_is_a_function_as_any_other(dialect: str, call: str) -> None:
    """The package is part of the name."""
    bound = Bound("t", dialect)

    assert list(bound.ways(call).values()) == [CHANGED]
    assert bound.problems() == []
