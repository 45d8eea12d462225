"""SQL/JSON functions cut down to their arguments."""

from __future__ import annotations

import pytest
from token_texts import text_of, tokens_in

from ingest.sql.parser.after.json_clauses import bracketed_paths, plain_json


@pytest.mark.parametrize(
    ("sql", "plain"),
    [("json_value(d, 'p' returning bigint)", "json_value ( d , 'p' )"),
     ("json_value(d, 'p' null on empty error on error)", "json_value ( d , 'p' )"),
     ("json_value(d, 'p' returning decimal(3, 1) default z on empty)", "json_value_default ( d , 'p' , z )"),
     ("json_query(d, 'p' passing x as y with array wrapper)", "json_query_passing ( d , 'p' , x )"),
     ("json_value(f(a) format json, 'p')", "json_value ( f ( a ) , 'p' )"),
     ("json_array(json_value(a, 'p' returning int), b absent on null)", "json_array ( json_value ( a , 'p' ) , b )")],
)  # fmt: skip
def test_arguments_stay_and_clauses_go(sql: str, plain: str) -> None:
    """What is passed, or given by default, is a further argument of a function of another name."""
    assert text_of(plain_json(tokens_in(sql, "trino"))) == plain


@pytest.mark.parametrize("sql", ["json_value(d, 'p')", "f(a returning int)", "select error, format from t", ""])
def test_where_there_are_no_clauses_there_is_no_other_form(sql: str) -> None:
    """The same words outside of such functions are names."""
    assert plain_json(tokens_in(sql, "trino")) is None


@pytest.mark.parametrize(
    ("sql", "plain"),
    [
        ("f(e->'x' order by b)", "f ( ( e -> 'x' ) ORDER BY b )"),
        ("f(distinct t.e->'x'->>'y')", "f ( distinct ( t . e -> 'x' ->> 'y' ) )"),
        ("f(k, e->0 order by b)", "f ( k , ( e -> 0 ) ORDER BY b )"),
    ],
)
def test_a_path_at_the_start_of_an_argument_gets_brackets(sql, plain):
    """After them the parser takes its arrow for no lambda's; one inside an expression stays."""
    assert text_of(bracketed_paths(tokens_in(f"select {sql}", "postgres"))) == f"select {plain}"
    assert bracketed_paths(tokens_in("select 1 + e->'x'", "postgres")) is None


@pytest.mark.parametrize(
    "call",
    [
        "jsonb_agg(a->'x' ORDER BY b)",
        "array_agg(t.a->'x'->'y' ORDER BY b)",
        "jsonb_agg(jsonb_build_object('k', a->'x') ORDER BY b)",
        "jsonb_agg((a->'x')::int ORDER BY b DESC)",
        "string_agg(a->>'x', ',' ORDER BY b)",
    ],
)
def test_an_aggregate_of_a_field_has_its_order(lineage, call):
    """Such a call was a syntax error, or what it is ordered by was a value of it."""
    told = lineage(f"SELECT {call} AS z FROM t", dialect="postgres")
    assert told.columns() == {"z": {"t#a": "AGGREGATION", "t#b": "SORT"}}
    assert told.found.coverage == "complete"


@pytest.mark.parametrize(
    ("dialect", "call", "expected"),
    [
        ("oracle", "json_arrayagg(a RETURNING clob)", {"a": "AGGREGATION"}),
        ("oracle", "json_arrayagg(a FORMAT JSON NULL ON NULL RETURNING blob STRICT)", {"a": "AGGREGATION"}),
        ("oracle", "json_arrayagg(a ORDER BY b RETURNING json)", {"a": "AGGREGATION", "b": "SORT"}),
        ("oracle", "json_arrayagg(a RETURNING varchar2(4000))", {"a": "AGGREGATION"}),
        ("oracle", "json_array(a, b RETURNING clob)", {"a": "TRANSFORMATION", "b": "TRANSFORMATION"}),
        ("oracle", "json_object('k' VALUE a NULL ON NULL RETURNING clob)", {"a": "TRANSFORMATION"}),
        ("oracle", "json_objectagg(a VALUE b RETURNING clob)", {"a": "AGGREGATION", "b": "AGGREGATION"}),
        ("oracle", "json_serialize(a RETURNING clob PRETTY)", {"a": "TRANSFORMATION"}),
        ("oracle", "json_mergepatch(a, b RETURNING clob)", {"a": "TRANSFORMATION", "b": "TRANSFORMATION"}),
        ("postgres", "json_object('k' : a RETURNING jsonb)", {"a": "TRANSFORMATION"}),
        ("postgres", "json_objectagg(a : b RETURNING text FORMAT JSON)", {"a": "AGGREGATION", "b": "AGGREGATION"}),
        ("postgres", "json_arrayagg(a ORDER BY b RETURNING jsonb)", {"a": "AGGREGATION", "b": "SORT"}),
        ("trino", "json_object('k' : a RETURNING varbinary)", {"a": "TRANSFORMATION"}),
        ("tsql", "json_object('k' : a, 'l' : b RETURNING json)", {"a": "TRANSFORMATION", "b": "TRANSFORMATION"}),
    ],
)
def test_the_type_after_returning_is_no_column(lineage, dialect, call, expected):
    """It was a column of the table, a source of the value or a name that no clause understood."""
    world = {"n:d.t": ["a", "b"], "n:D.T": ["A", "B"]}
    told = lineage(f"INSERT INTO o (z) SELECT {call} FROM t", dialect, columns=world, default_database="d")
    ways = {edge.source.rpartition("#")[2].lower(): edge.subtype for edge in told.found.edges}

    assert ways == expected
    assert told.found.coverage == "complete"


def test_a_type_is_no_column_that_a_query_must_group_by(lineage):
    """A column of the type's name was reported as one that is in no aggregate."""
    known = {"n:d.T": ["B", "CLOB"]}
    told = lineage("SELECT b, json_object('k' VALUE b RETURNING clob) z FROM t GROUP BY b", "oracle", columns=known)

    assert told.codes() == set()
