"""BigQuery's table functions of models and of vectors: whose rows they make."""

from __future__ import annotations

import pytest
from bound import Bound

from ingest.sql.binder.names.scope import Scope
from ingest.sql.binder.query.sources.models import modelled

GIVEN = [
    "ML.PREDICT(MODEL d.m, (SELECT a, b FROM t))",
    "ML.PREDICT(MODEL d.m, (SELECT a, b FROM t), STRUCT(0.5 AS threshold))",
    "ML.GENERATE_EMBEDDING(MODEL d.m, (SELECT a, b FROM t), STRUCT(TRUE AS flatten_json_output))",
    "ML.GENERATE_TEXT_EMBEDDING(MODEL d.m, (SELECT a, b FROM t))",
    "ML.GENERATE_TEXT(MODEL d.m, (SELECT a, b FROM t), STRUCT(1 AS temperature))",
    "ML.TRANSLATE(MODEL d.m, (SELECT a, b FROM t), STRUCT('x' AS translate_mode))",
    "AI.GENERATE_TEXT(MODEL `n.d.m`, (SELECT a, b FROM t))",
    "AI.GENERATE_TABLE(MODEL d.m, (SELECT a, b FROM t), STRUCT('x STRING' AS output_schema))",
    "ML.EXPLAIN_PREDICT(MODEL d.m, (SELECT a, b FROM t), STRUCT(3 AS top_k_features))",
    "ML.DETECT_ANOMALIES(MODEL d.m, STRUCT(0.1 AS contamination), (SELECT a, b FROM t))",
]
FIGURES = [
    "ML.EVALUATE(MODEL d.m, (SELECT a, b FROM t))",
    "ML.EVALUATE(MODEL d.m, (SELECT a, b FROM t), STRUCT(0.5 AS threshold))",
    "ML.CONFUSION_MATRIX(MODEL d.m, (SELECT a, b FROM t))",
    "ML.FORECAST(MODEL d.m, STRUCT(3 AS horizon), (SELECT a, b FROM t))",
]
ALONE = [
    "ML.FORECAST(MODEL d.m, STRUCT(3 AS horizon))",
    "ML.EVALUATE(MODEL d.m)",
    "ML.WEIGHTS(MODEL `n.d.m`, STRUCT(TRUE AS standardize))",
    "ML.TRAINING_INFO(MODEL d.m)",
]


def told(lineage, select: str, call: str):
    """Return the lineage of a table made from a function's rows."""
    return lineage(f"CREATE TABLE o AS SELECT {select} FROM {call}", dialect="bigquery", target=None)


@pytest.mark.parametrize("call", GIVEN)
def test_a_model_adds_columns_to_the_rows_that_it_is_given(lineage, call: str) -> None:
    """A model that writes texts was a table whose columns are copied, as ``d.m#* -> d.o#*``."""
    result = told(lineage, "result, a", call)

    assert result.names() == {"result": "t#a t#b", "a": "t#a"}
    assert {source.rpartition(".")[2] for source, _ in result.tables()} == {"m", "t"}
    assert result.found.coverage == "complete"
    starred = told(lineage, "*", call)
    assert starred.names() == {"a": "t#a", "b": "t#b", "*": "t#a t#b"}
    assert starred.codes() == {"unknown-columns"}


@pytest.mark.parametrize("call", FIGURES)
def test_figures_of_a_model_have_none_of_the_columns(lineage, call: str) -> None:
    """They were a syntax error, or the rows that the function is given."""
    result = told(lineage, "*", call)

    assert result.names() == {"*": "t#a t#b"}
    assert told(lineage, "precision", call).names() == {"precision": "t#a t#b"}
    assert {source.rpartition(".")[2] for source, _ in result.tables()} == {"m", "t"}


@pytest.mark.parametrize("call", ALONE)
def test_what_a_model_says_of_itself_comes_from_all_of_it(lineage, call: str) -> None:
    """No column of it is named."""
    for select in ("*", "z", "z AS y"):
        result = told(lineage, select, call)

        assert {(edge.source.rpartition(".")[2], edge.target) for edge in result.found.edges} == {("m", "n:d.o")}
        assert result.found.coverage == "complete"


def test_a_forecast_without_a_model_keeps_the_columns_that_tell_series_apart(lineage) -> None:
    """AI.FORECAST had all the columns that it is given."""
    call = "AI.FORECAST((SELECT a, b, c FROM t), data_col => 'a', timestamp_col => 'b', id_cols => ['c'])"

    assert told(lineage, "*", call).names() == {"c": "t#c", "*": "t#a t#b t#c"}
    assert told(lineage, "forecast_value, c", call).names() == {"forecast_value": "t#a t#b t#c", "c": "t#c"}
    assert told(lineage, "*", "AI.FORECAST(TABLE t, data_col => 'a', timestamp_col => 'b')").names() == {
        "*": "t#a t#b t#c"
    }


@pytest.mark.parametrize(
    "asked", ["(SELECT d AS q, e FROM u), query_column_to_search => 'q'", "(SELECT d AS a, e FROM u)"]
)
def test_a_vector_search_gives_two_rows_that_are_near(lineage, asked: str) -> None:
    """Each column came from all of both tables, and the answer was complete."""
    result = told(lineage, "base.b, query.e, distance", f"VECTOR_SEARCH(TABLE t, 'a', {asked}, top_k => 3)")

    assert result.names() == {"b": "t#b", "e": "u#e", "distance": "t#a u#d"}
    assert result.decisions() == {"JOIN": "t#a u#d"}
    assert result.found.coverage == "complete"


def test_another_function_is_none_of_a_model() -> None:
    """It is looked at elsewhere."""
    bound = Bound("", "bigquery")
    call = bound.tree("SELECT 1 FROM ML.FEATURES_AT_TIME(TABLE t)").args["from_"].this.this

    assert modelled(bound.walk, call, lambda _: Scope()) is None
