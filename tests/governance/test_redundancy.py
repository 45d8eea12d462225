"""What is there twice: planted pairs are found, DuckDB says that no other is; and what nobody reads, feeds or uses."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path

import duckdb
import pytest
from rounds import rounds

from ingest import pipeline
from ingest.sql.compare.meaning import define, definitions
from lineage_tt import Store
from lineage_tt.curation import statements
from lineage_tt.governance.upkeep.redundancy.redundancy import Redundancy
from lineage_tt.governance.upkeep.redundancy.statements import Text
from lineage_tt.model.messages import TaskChange
from lineage_tt.testing import ManualClock, task_change

FROM = "2024-01-01T00:00:00Z"
VALUES = ["x.a", "x.b", "x.a + x.b", "x.b + x.a", "x.a * 2", "2 * x.a", "x.a - x.b", "x.b - x.a", "x.a + 1", "x.a + 2",
          "coalesce(x.b, 0)", "CASE WHEN x.a > 3 THEN x.b ELSE x.a END", "x.a"]  # fmt: skip
TESTS = ["x.a > 3", "x.a > 4", "x.b < 5", "x.a = x.b", "x.b IS NULL", "NOT x.a > 3"]


def texts(chance: random.Random) -> dict[str, str]:
    """Return the queries of some tables, each over the two sources or over tables before it."""
    known, result = ["ods.s", "ods.r"], {}
    for number in range(14):
        source = chance.choice(known)
        values = [chance.choice(VALUES), chance.choice(VALUES)]
        end = ""
        if chance.random() < 0.2:
            end = f" {chance.choice(['JOIN', 'LEFT JOIN'])} {chance.choice(known)} y ON x.a = y.{chance.choice('ab')}"
        if chance.random() < 0.4:
            end += " WHERE " + " AND ".join(chance.sample(TESTS, chance.choice([1, 1, 2])))
        distinct = "DISTINCT " if chance.random() < 0.15 else ""
        if chance.random() < 0.2 and not distinct:
            values = ["x.a", f"{chance.choice(['SUM', 'MAX', 'COUNT'])}(x.b)"]
            end += " GROUP BY x.a" + chance.choice(["", " HAVING SUM(x.b) > 4", " HAVING COUNT(x.b) > 1"])
        name = f"dw.t{number}"
        result[name] = f"SELECT {distinct}{values[0]} AS a, {values[1]} AS b FROM {source} x{end}"
        known.append(name)
    return result


def asked(folder: Path, queries: dict[str, str]) -> Redundancy:
    """Return what is redundant in a store of tasks with these queries."""
    lines = [
        {"event_id": name, "task_id": name, "op": "online", "effective_at": FROM, "dialect": "spark",
         "namespace": "hive", "sql": f"CREATE TABLE {name} AS {query}"}
        for name, query in queries.items()
    ]  # fmt: skip
    (folder / "tasks.jsonl").write_text("\n".join(map(json.dumps, lines)))
    store = Store.create(folder / "store", clock=ManualClock("2024-02-01T00:00:00Z"))
    with pipeline.Ingester(store, workers=1) as ingester:
        summary = ingester.ingest_file(str(folder / "tasks.jsonl"))
    assert summary.accepted == len(lines)
    return store.governance().redundancy(define=definitions)


def rows_of(con: duckdb.DuckDBPyConnection, node: str) -> Counter[object]:
    """Return the values of a column, each with how often it is there."""
    table, column = node.removeprefix("hive:").split("#")
    return Counter(value for (value,) in con.execute(f"SELECT {column} FROM {table}").fetchall())


@pytest.mark.parametrize("seed", range(rounds(12)))
def test_what_is_called_equal_or_contained_is_so_in_a_warehouse(tmp_path: Path, seed: int) -> None:
    """Random tables over tables: DuckDB runs the texts over random rows, and no claim is wrong (no false pair)."""
    print(f"seed {seed}")
    chance = random.Random(seed)
    queries = texts(chance)
    found = asked(tmp_path, queries)
    con = duckdb.connect()
    con.execute("CREATE SCHEMA ods; CREATE SCHEMA dw")
    for name in ("ods.s", "ods.r"):
        con.execute(f"CREATE TABLE {name} (a INTEGER, b INTEGER)")
        rows = [(chance.randrange(8), chance.choice([None, *range(8)])) for _ in range(40)]
        con.executemany(f"INSERT INTO {name} VALUES (?, ?)", rows)
    for name, query in queries.items():
        con.execute(f"CREATE TABLE {name} AS {query}")

    for group in found.equal:
        values = [rows_of(con, node) for node in group.columns]
        assert all(each == values[0] for each in values), group
    for part, whole in found.contained:
        assert rows_of(con, part) <= rows_of(con, whole), (part, whole)
    known = {node: group.columns for group in found.equal for node in group.columns}
    for table, like, columns in found.tables:
        held = [any(other.startswith(f"{like}#") for other in known[f"{table}#{name}"]) for name in "ab"]
        assert (columns, held) == (2, [True, True])


PLANTED = {
    "dw.copy": "SELECT a, b FROM ods.s",
    "dw.sum": "SELECT x.a, x.a + x.b AS total FROM ods.s x WHERE x.a > 3 AND x.b < 9",
    "dw.sum_of_copy": "SELECT y.a, (y.b + y.a) AS total FROM dw.copy AS y WHERE y.b < 9 AND (y.a > 3)",
    "dw.sum_in_order": "SELECT y.a, y.a + y.b AS total FROM dw.copy AS y WHERE y.b < 9 AND y.a > 3",
    "dw.fewer": "SELECT a, a + b AS total FROM dw.copy WHERE a > 3 AND b < 9 AND a < 7",
    "dw.other_literal": "SELECT x.a, x.a + x.b AS total FROM ods.s x WHERE x.a > 4 AND x.b < 9",
    "dw.by_chance": "SELECT a, rand() AS total FROM ods.s",
    "dw.by_chance_too": "SELECT a, rand() AS total FROM ods.s",
}


def test_planted_pairs_are_found_over_copies_and_no_others(tmp_path: Path) -> None:
    """``a + b`` over a copy is that over the source; another literal, or chance, is not."""
    found = asked(tmp_path, PLANTED)

    groups = {group.columns for group in found.equal}
    totals = ("hive:dw.sum#total", "hive:dw.sum_in_order#total")
    assert totals in groups
    assert any("hive:dw.copy#a" in group and "hive:ods.s#a" in group for group in groups)
    assert not any("dw.other_literal" in node for group in groups for node in group)
    assert not any("by_chance#total" in node or "by_chance_too#total" in node for group in groups for node in group)
    assert ("hive:dw.fewer#total", "hive:dw.sum#total") in found.contained
    assert any({each.dataset, each.like} == {"hive:dw.sum", "hive:dw.sum_in_order"} for each in found.tables)
    assert (found.texts, found.texts_read) == (8, 8)


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE TABLE d AS SELECT a FROM ods.s LIMIT 3",
        "CREATE TABLE d AS SELECT a FROM ods.s UNION ALL SELECT a FROM ods.s",
        "CREATE TABLE d AS SELECT a FROM ods.s TABLESAMPLE (10 PERCENT)",
        "CREATE TABLE d AS SELECT * FROM ods.s",
        "CREATE TABLE d AS SELECT a FROM (SELECT a FROM ods.s WHERE a > 1)",
        "CREATE TABLE d AS WITH s AS (SELECT 1 AS a) SELECT a FROM s",
        "CREATE TABLE d AS SELECT a FROM ods.s, ods.r",
        "CREATE TABLE d AS SELECT a FROM ods.s LATERAL VIEW explode(b) t AS c",
        "CREATE TABLE d AS SELECT a FROM ods.s GROUP BY 1",
        "CREATE TABLE d AS SELECT a FROM ods.s WHERE rand() < 1",
        "CREATE TABLE d AS SELECT a FROM ods.s WHERE my_test(a)",
        "CREATE TABLE d AS SELECT a FROM ods.s JOIN ods.r USING (a)",
        "CREATE TABLE d AS SELECT a FROM ods.s WHERE dt = '${day}'",
        "INSERT INTO d SELECT a FROM ods.s",
        "INSERT OVERWRITE TABLE d PARTITION (dt = '1') SELECT a FROM ods.s",
        "DELETE FROM d", "SELECT a FROM ods.s", "", "(" * 5000, "CREATE TABLE d AS SELECT a FROM ods.s; DROP TABLE e",
    ],
)  # fmt: skip
def test_a_text_that_says_more_is_not_compared(sql: str) -> None:
    """Limits, unions, samples, subqueries, chance, unknown functions, appended rows: no claim is made of them."""
    assert define(Text("t", sql, "spark", frozenset(["hive:ods.s", "hive:ods.r"]), "hive:d", ("a",))) is None


def test_without_texts_nothing_is_proven_but_edges_look_alike(tmp_path: Path) -> None:
    """Two tasks that state the same edges over a table and over its copy look alike; tables landed twice are named."""
    store = Store.create(tmp_path / "s", clock=ManualClock("2024-02-01T00:00:00Z"))
    total = "DIRECT", "TRANSFORMATION"
    store.append(
        [
            task_change("copy", "online", FROM, [("hive:s#a", "hive:c#a"), ("hive:s#b", "hive:c#b")]),
            task_change("again", "online", FROM, [("hive:s#a", "hive:d#a")]),
            task_change("one", "online", FROM, [("hive:s#a", "hive:x#t", *total, "s.a + ?")]),
            task_change("two", "online", FROM, [("hive:c#a", "hive:y#t", *total, "c.a + ?")]),
            task_change("three", "online", FROM, [("hive:c#a", "hive:z#t", *total, "c.a - ?")]),
        ]
    )

    found = store.governance().redundancy()

    assert found.equal == []
    assert ("hive:x#t", "hive:y#t") in [group.columns for group in found.alike]
    assert not any("hive:z#t" in group.columns for group in found.alike)
    assert [(each.source, each.copies) for each in found.landed] == [("hive:s", ("hive:c", "hive:d"))]


def test_unread_unfed_and_unused_are_named_with_since_when(tmp_path: Path) -> None:
    """Reader offline since February: unread in June; feeder offline: unfed; a board is an end."""
    store = Store.create(tmp_path / "s", clock=ManualClock("2024-06-01T00:00:00Z"))
    store.append(
        [
            task_change("load", "online", FROM, [("hive:s#a", "hive:t#a"), ("hive:s#b", "hive:t#b")]),
            task_change("old", "online", FROM, [("hive:t#a", "hive:old#a")]),
            task_change("mart", "online", FROM, [("hive:t#a", "hive:mart#a"), ("hive:old#a", "hive:mart#o")]),
            task_change("board", "online", FROM, [("hive:mart#a", "bi:board#a")]),
            task_change("dead", "online", FROM, [("hive:s#a", "hive:dead#a")]),
            task_change("old", "offline", "2024-02-01T00:00:00Z"),
            task_change("never", "online", FROM, [("hive:s#a", "hive:never#a")]),
            task_change("read_dead", "online", FROM, [("hive:dead#a", "bi:board#d")]),
            task_change("read_dead", "offline", "2024-02-01T00:00:00Z"),
        ]
    )
    asks = store.governance()
    march = asks.basis("2024-03-01T00:00:00Z")

    found = asks.redundancy(asks.basis("2024-06-01T00:00:00Z"))

    february = store.instant("2024-02-01T00:00:00Z")
    assert [(each.dataset, each.why, each.last, each.tasks) for each in found.unused] == [
        ("hive:dead", "unread", february, ("dead",)),
        ("hive:never", "unread", None, ("never",)),
        ("hive:old", "unfed", february, ("mart",)),
    ]
    assert [each.column for each in found.unused_columns] == ["hive:mart#o", "hive:t#b"]
    assert [each.dataset for each in asks.redundancy(march).unused] == []
    assert {each.dataset for each in asks.redundancy(march, days=20).unused} == {"hive:dead", "hive:never", "hive:old"}


_USES = """
    WITH believed AS (
        SELECT source, target, subtype, valid_from, valid_to FROM changes
        WHERE version <= $version AND valid_from <= make_timestamptz($at)
        GROUP BY task_id, source, target, "type", subtype, expression, valid_from, valid_to HAVING sum(sign) = 1
    ), edge AS (
        SELECT dataset_of(source) AS reads, dataset_of(target) AS writes, epoch_us(valid_from) AS since,
            least(coalesce(epoch_us(valid_to), $at), $at) AS until
        FROM believed WHERE subtype NOT IN ('ALIAS', 'REJECTED') AND dataset_of(source) <> dataset_of(target)
    )
    SELECT reads, true, max(until), min(since) FROM edge GROUP BY reads
    UNION ALL SELECT writes, false, max(until), min(since) FROM edge GROUP BY writes"""


@pytest.mark.parametrize("seed", range(3))
def test_when_datasets_were_used_is_what_the_changes_say(tmp_path: Path, seed: int) -> None:
    """At random points of random messages, some of which came after the graph was loaded; aliases do not count."""
    print(f"seed {seed}")
    chance = random.Random(seed)
    store = Store.create(tmp_path / "s", clock=ManualClock("2024-06-01T00:00:00Z"))
    tables = [f"hive:t{number}" for number in range(6)]

    def messages(first: int) -> list[TaskChange]:
        return [
            task_change(
                f"k{chance.randrange(4)}", chance.choice(["update", "update", "offline"]),
                f"2024-0{chance.randrange(1, 6)}-{chance.randrange(1, 28):02}T00:00:00Z",
                [(f"{chance.choice(tables)}#a", f"{chance.choice(tables)}#b") for _ in range(3)], event_id=f"e{number}",
            )
            for number in range(first, first + 20)
        ]  # fmt: skip

    store.append(messages(0))
    asks = store.governance()
    statements.add_alias(store, "hive:t0", "hive:t9", at="2024-01-01T00:00:00Z")
    store.append(messages(20))
    asks.points.graph.refresh()
    for _ in range(12):
        at, version = chance.randrange(150), chance.randrange(1, store.version + 1)
        basis = asks.basis(store.instant("2024-01-01T00:00:00Z") + at * 86_400_000_000, version=version)
        expected = store.fetch(_USES, at=basis.valid_at, version=basis.version)

        assert sorted(asks.points.uses(basis)) == sorted(expected)
