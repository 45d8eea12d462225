"""Our own statements with the answers that a real Trino 476 gave: for each output, the columns of its expression.

``trino_answers.jsonl`` was made by running ``CREATE VIEW … AS SELECT * FROM (statement)`` on a server with the tpch and
memory catalogs and keeping what its event listener said of the view's columns.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ingest.sql.script import Script
from lineage_tt.edges import DIRECT, column_of, dataset_of
from lineage_tt.facts import Field, shape_of

TPCH = {
    "orders": "orderkey custkey orderstatus totalprice orderdate orderpriority clerk shippriority comment",
    "customer": "custkey name address nationkey phone acctbal mktsegment comment",
    "lineitem": "orderkey partkey suppkey linenumber quantity extendedprice discount tax returnflag linestatus "
    "shipdate commitdate receiptdate shipinstruct shipmode comment",
    "nation": "nationkey name regionkey comment",
    "region": "regionkey name comment",
    "part": "partkey name mfgr brand type size container retailprice comment",
    "supplier": "suppkey name address nationkey phone acctbal comment",
    "partsupp": "partkey suppkey availqty supplycost comment",
}
NESTED = [
    ("id", "bigint"), ("r", "row(a bigint, b row(c varchar, d double))"), ("arr", "array(row(x bigint, y varchar))"),
    ("m", "map(varchar, bigint)"), ("nums", "array(bigint)"), ("js", "varchar"),
]  # fmt: skip
COLUMNS = {f"case:tpch.tiny.{table}": tuple(names.split()) for table, names in TPCH.items()} | {
    "case:memory.default.nested": shape_of(Field(name, kind) for name, kind in NESTED),
    "case:tpch.sf1.region": tuple(TPCH["region"].split()),
}
#: Where Trino's answer is thinner than what happens, and ours is not: named windows, a mixed chain of set operations.
LEFT_OUT = ("WINDOW w", " EXCEPT SELECT name FROM part")
#: What makes columns for which Trino names no source at all.
WITHOUT_SOURCE = ("USING", "UNNEST", "JSON_TABLE", "MATCH_RECOGNIZE", "exclude_columns", "VALUES", ").*", "x.r.*")
CASES = [json.loads(line) for line in Path(__file__).with_name("trino_answers.jsonl").read_text().splitlines()]


def answered(sql: str) -> list[set[str]]:
    """Return the columns of each output's expression, in order."""
    found = Script(dialect="trino", namespace="case", default_database="tpch.tiny", columns=COLUMNS).run(sql, "case:q")
    assert found.problems == ()
    outputs = dict(found.outputs).get("case:q", ())
    told: dict[str, set[str]] = {name: set() for name in outputs}
    for edge in found.edges:
        of_one = edge.type == DIRECT or edge.subtype in ("CONDITIONAL", "WINDOW")
        source, target = column_of(edge.source), column_of(edge.target)
        if of_one and source is not None and target is not None:
            told[target].add(f"{dataset_of(edge.source).removeprefix('case:')}.{source.split('.')[0]}")
    return [told[name] for name in outputs]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["sql"][:60])
def test_an_output_has_the_columns_that_trino_says(case: dict[str, Any]) -> None:
    """Where Trino leaves some out ours may have them; outputs of one name share theirs."""
    sql, theirs = case["sql"], [set(sources) for sources in case["sources"]]
    ours = answered(sql)

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
