"""Lines that the LineageLogger of Hive 4.0.1 wrote, beside the edges that were written down before the queries ran.

``tests/data/recorded/hive_4.jsonl``: CREATE TABLE AS SELECT, INSERT INTO and OVERWRITE, of static and dynamic
partitions, of two tables at once; joins, views, a window, a UNION, a lateral view; one query ran twice, one only reads.
"""

from __future__ import annotations

import json
from pathlib import Path

from run_events import pairs
from test_trino_events import take

from lineage_tt import Store
from lineage_tt.read.observations import observations

RECORDED = Path(__file__).parents[2] / "data/recorded/hive_4.jsonl"
#: By target: its columns, each with those that it is made of, and the columns that decide over its rows.
EXPECTED = {
    "dw.sales": (
        {"cust": "ods.orders.cust dw.sales.cust", "total": "ods.orders.amt dw.sales.total"},
        "ods.orders.ok ods.orders.id dw.sales.total ods.orders.cust ods.customers.cust",
    ),
    "dw.sales_by_city": (
        {"city": "ods.customers.city", "total": "ods.orders.amt", "dt": "ods.orders.dt"},
        "ods.orders.dt ods.orders.cust ods.customers.cust",
    ),
    "dw.rich": ({"cust": "dw.sales.cust", "total": "dw.sales.total"}, ""),  # as ALTER VIEW left it: without a filter
    "dw.ranked": (
        {
            "cust": "dw.sales.cust",
            "total": "dw.sales.total",
            "rn": "dw.sales.cust dw.sales.total",
            "cls": "dw.sales.total",
        },
        "",
    ),
    "dw.u": ({"cust": "dw.sales.cust ods.customers.city ods.orders.cust"}, "ods.orders.ok"),
    "dw.exploded": ({"cust": "ods.orders.cust", "w": "ods.orders.dt"}, ""),
}


def node(name: str) -> str:
    """Return the node of a column."""
    database, table, column = name.split(".")
    return f"hive:{database}.{table}#{column}"


def expected() -> set[tuple[str, str]]:
    """Return the edges of all queries."""
    made = set()
    for table, (columns, deciding) in EXPECTED.items():
        made |= {(node(each), f"hive:{table}") for each in deciding.split()}
        made |= {
            (node(each), f"hive:{table}#{column}") for column, sources in columns.items() for each in sources.split()
        }
    return made


def test_what_a_real_hive_reports_is_answered_and_nothing_else(tmp_path: Path) -> None:
    """Every edge; a redefined view has its new definition alone, and the same query again is the same task."""
    lines = RECORDED.read_bytes().splitlines()
    assert set(take(tmp_path, *lines)) == {"accepted"}

    assert pairs(tmp_path) == expected()
    runs = {each.task_id: each.runs for each in observations(tmp_path)}
    assert sorted(runs.values(), reverse=True)[:3] == [2, 2, 1]  # a query that ran twice, a view defined twice
    assert runs["hive/dw.rich/view"] == 2
    assert len(Store.open(tmp_path).as_of().tasks()) == 12


def test_a_column_of_a_union_is_what_its_text_says(tmp_path: Path) -> None:
    """Hive gives only the name of the column that the UNION makes; where a branch makes a value, its text says so."""
    union = next(line for line in RECORDED.read_bytes().splitlines() if b"union all" in line)
    assert b'"expression":"cust"' in union
    changed = union.replace(b"select cust from", b"select upper(cust) cust from").replace(b"dw.u.", b"dw.u2.")
    changed = changed.replace(b"create table u ", b"create table u2 ")
    assert set(take(tmp_path, union, changed)) == {"accepted"}

    kinds = {(e.source, e.target): (e.subtype, e.expression) for e in Store.open(tmp_path).as_of().edges()}
    cust, city = node("dw.sales.cust"), node("ods.customers.city")
    assert [kinds[each, node("dw.u.cust")][0] for each in (cust, city)] == ["IDENTITY", "IDENTITY"]
    assert [kinds[each, node("dw.u2.cust")][0] for each in (cust, city)] == ["TRANSFORMATION", "IDENTITY"]


def test_a_name_without_a_text_is_a_transformation(tmp_path: Path) -> None:
    """Nothing says how the value is made: the kind that claims less stays."""
    union = json.loads(next(line for line in RECORDED.read_bytes().splitlines() if b"union all" in line))
    del union["queryText"]
    assert take(tmp_path, json.dumps(union).encode()) == ["accepted"]

    assert {e.subtype for e in Store.open(tmp_path).as_of().edges()} == {"TRANSFORMATION"}
