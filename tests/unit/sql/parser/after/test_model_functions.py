"""BigQuery's functions of a model in the forms that the parser knows."""

from __future__ import annotations

import pytest
from token_texts import text_of, tokens_in

from ingest.sql.parser.after.model_functions import plain_models


@pytest.mark.parametrize(
    ("call", "plain"),
    [
        ("ml.evaluate(model d.m)", "ml . FORECAST ( model d . m , STRUCT ( ) )"),
        ("ml.weights(model m, struct(true as x))", "ml . FORECAST ( model m , struct ( true as x ) )"),
        ("ml.evaluate(model m, table d.t)", "ml . FORECAST ( model m , table d . t , STRUCT ( ) )"),
        (
            "ML.DETECT_ANOMALIES(MODEL m, STRUCT(1 AS x), (SELECT a FROM t))",
            "ML . GENERATE_EMBEDDING ( MODEL m , ( SELECT a FROM t ) , STRUCT ( 1 AS x ) )",
        ),
        ("ml.distance(a, b)", None),
        ("ml.model(a)", None),
        ("ml.evaluate", None),
        ("ml.evaluate(model", None),
    ],
)
def test_a_function_of_a_model_is_one_of_two_kinds(call: str, plain: str | None) -> None:
    """Its rows are the given ones with more columns, or figures; settings come last."""
    changed = plain_models(tokens_in(f"select a from {call}", "bigquery"))

    assert plain_models(tokens_in(f"select {call}, a from t", "bigquery")) is None  # no value
    assert text_of(changed) == (None if plain is None else f"select a from {plain}")
