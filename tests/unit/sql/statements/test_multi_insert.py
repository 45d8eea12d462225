"""One source, several targets."""

from __future__ import annotations

import pytest
from scripted import TABLES, pairs, reasons, running, tree, ways

from ingest.sql.statements.multi_insert import multi_insert
from ingest.sql.statements.run import Outcome
from ingest.sql.statements.statements import Statements

UPPER = {name.upper().replace("N:D.", "n:d."): tuple(c.upper() for c in columns) for name, columns in
         ((name, [str(column) for column in shape]) for name, shape in TABLES.items())}  # fmt: skip


def run_of(dialect: str, sql: str) -> tuple[Statements, Outcome]:
    """Run one statement over t and u, in upper case for the dialects that spell names so."""
    run = running(dialect, TABLES if dialect == "hive" else UPPER)
    return run, multi_insert(run, tree(run, sql))


def test_each_insert_of_hive_has_its_own_columns_and_filter() -> None:
    """The source is read once, in a WITH clause, too."""
    run, done = run_of(
        "hive",
        "WITH q AS (SELECT a, b, c FROM t WHERE a > 1) FROM q INSERT OVERWRITE TABLE k SELECT a WHERE b = 1"
        " INSERT INTO j SELECT c",
    )

    assert pairs(done.edges) == {"k": "t#a t#b", "k#a": "t#a", "j": "t#a", "j#c": "t#c"}
    assert (done.kind, done.reads, done.writes) == ("insert", {"n:d.t"}, {"n:d.k", "n:d.j"})
    assert reasons(run) == []


@pytest.mark.parametrize(
    ("kind", "decided"), [("ALL", {"J": "T#B", "L": "T#A T#B"}), ("FIRST", {"J": "T#A T#B", "L": "T#A T#B"})]
)
def test_conditions_decide_about_their_own_insert_and_those_after(kind: str, decided: dict[str, str]) -> None:
    """A row gets to ELSE where no condition holds, and on in INSERT FIRST where none before did."""
    _, done = run_of(
        "oracle",
        f"INSERT {kind} WHEN a > 1 THEN INTO k (x) VALUES (a) WHEN b > 1 THEN INTO j (y) VALUES (b)"
        " ELSE INTO l (z) VALUES (c) SELECT a, b, c FROM t",
    )

    assert pairs(done.edges) == {"K": "T#A", **decided, "K#X": "T#A", "J#Y": "T#B", "L#Z": "T#C"}
    assert set(ways(done.edges, "L").values()) == {"FILTER"}


def test_without_values_all_columns_of_the_source_are_taken() -> None:
    """By position, as of any INSERT."""
    _, done = run_of("snowflake", "INSERT ALL INTO u INTO k (x, y, z) SELECT a, b, c FROM t")

    assert pairs(done.edges) == {
        "U#A": "T#A", "U#D": "T#B", "U#E": "T#C", "K#X": "T#A", "K#Y": "T#B", "K#Z": "T#C"
    }  # fmt: skip


def test_an_insert_without_a_table_is_reported() -> None:
    """The parser takes the query for the table."""
    run, done = run_of("hive", "FROM t INSERT INTO k SELECT a INSERT OVERWRITE TABLE SELECT b")

    assert pairs(done.edges) == {"k#a": "t#a"}
    assert reasons(run) == [("unsupported-statement", "")]


def test_multi_insert_shares_its_source(lineage):
    """FROM-first multi-insert: each branch has its own columns and filter over the one source."""
    found = lineage(
        "FROM t JOIN u ON t.a = u.a LATERAL VIEW explode(c) l AS k "
        "INSERT OVERWRITE TABLE o1 SELECT t.b, k WHERE d > 1 INSERT INTO TABLE o2 SELECT e",
        "hive",
    )

    assert found.names("d.o1") == {"b": "t#b", "k": "t#c"}
    assert found.names("d.o2") == {"e": "u#e"}
    assert found.decisions("d.o1") == {"JOIN": "t#a u#a", "FILTER": "u#d"}
    assert found.decisions("d.o2") == {"JOIN": "t#a u#a"}


def test_conditional_multi_insert(lineage):
    """Snowflake's INSERT ALL: the condition filters its own branch."""
    found = lineage('INSERT ALL WHEN "a" > 1 THEN INTO "o1" ("x") VALUES ("b") SELECT "a", "b" FROM "t"', "snowflake")

    assert found.names("d.o1") == {"x": "t#b"}
    assert found.decisions("d.o1") == {"FILTER": "t#a"}


@pytest.mark.parametrize("dialect", ["oracle", "snowflake"])
def test_a_branch_decides_about_each_of_its_tables(dialect: str) -> None:
    """From the second INTO of a branch on, the condition was lost, in an answer that was complete."""
    _, done = run_of(
        dialect,
        "INSERT FIRST WHEN a > 1 THEN INTO k (x) VALUES (c) INTO j (x) VALUES (c)"
        " WHEN b > 1 THEN INTO l (x) VALUES (c) INTO m (x) VALUES (c) ELSE INTO n (x) VALUES (c) INTO o (x) VALUES (c)"
        " SELECT a, b, c FROM t",
    )
    decided = {target: found for target, found in pairs(done.edges).items() if "#" not in target}

    assert decided == {"K": "T#A", "J": "T#A", **dict.fromkeys("LMNO", "T#A T#B")}


@pytest.mark.parametrize("dialect", ["oracle", "snowflake"])
@pytest.mark.parametrize("value", ["bb", "bb || 'x'"])
def test_a_value_shows_its_expression(dialect: str, value: str) -> None:
    """An item of VALUES was shown as a literal, whatever it computes."""
    sql = f"INSERT ALL INTO k (x) VALUES ({value}) SELECT upper(b) AS bb, a FROM t"
    _, done = run_of(dialect, sql)
    (edge,) = [edge for edge in done.edges if edge.target == "n:d.K#X"]

    assert ("UPPER(" in edge.expression, edge.source) == (True, "n:d.T#B")
