"""Our own statements with the answers that a real Trino 476 gave: for each output, the columns of its expression.

``trino_answers.jsonl`` was made by running ``CREATE VIEW … AS SELECT * FROM (statement)`` on a server with the tpch and
memory catalogs and keeping what its event listener said of the view's columns.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from trino_world import answered

#: Where Trino's answer is thinner than what happens, and ours is not: named windows, a mixed chain of set operations.
LEFT_OUT = ("WINDOW w", " EXCEPT SELECT name FROM part")
#: What makes columns for which Trino names no source at all.
WITHOUT_SOURCE = ("USING", "UNNEST", "JSON_TABLE", "MATCH_RECOGNIZE", "exclude_columns", "VALUES", ").*", "x.r.*")
CASES = [json.loads(line) for line in Path(__file__).with_name("trino_answers.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["sql"][:60])
def test_an_output_has_the_columns_that_trino_says(case: dict[str, Any]) -> None:
    """Where Trino leaves some out ours may have them; outputs of one name share theirs."""
    sql, theirs = case["sql"], [set(sources) for sources in case["sources"]]
    outputs, told = answered(sql)
    ours = [told[name] for name in outputs]

    assert len(ours) == len(theirs)
    for mine, said in zip(ours, theirs, strict=True):
        if any(words in sql for words in LEFT_OUT):
            assert said <= mine
        elif said or not any(words in sql for words in WITHOUT_SOURCE):
            same_name = [other for other, also in zip(theirs, ours, strict=True) if also == mine]
            assert mine in (said, set().union(*same_name))


def test_there_are_many() -> None:
    """The file is whole."""
    assert len(CASES) > 200
