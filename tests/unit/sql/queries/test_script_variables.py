"""Variables of scripts carry their sources from the statement that sets them to those that read them."""

from __future__ import annotations

import pytest

from ingest.sql import extract
from ingest.sql.jobs import ExtractionJob
from ingest.sql.statements.templated import extract_guarded

A_AND_B = {"s.a#x s.o#p", "s.a#y s.o#q"}
X = {"s.a#x s.o#p"}


def told(sql: str, dialect: str) -> tuple[set[str], list[str]]:
    """Return the pairs of nodes in lower case, without the namespace, and the codes of the problems."""
    found = extract_guarded(ExtractionJob(sql, dialect, "n", "", None))
    pairs = {f"{edge.source} {edge.target}".lower().replace("n:", "") for edge in found.edges}
    return pairs, [problem.code for problem in found.problems]


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("bigquery", "DECLARE v, w INT64; SET (v, w) = (SELECT AS STRUCT x, y FROM s.a);", A_AND_B),
        ("bigquery", "DECLARE v, w INT64; SET (v, w) = (SELECT AS STRUCT x, 1 FROM s.a);", X),
        ("bigquery", "DECLARE v, w INT64; SET (v) = (SELECT x FROM s.a);", X),
        (
            "bigquery",
            "DECLARE v, w INT64; SET w = (SELECT y FROM s.a); SET (v, w) = ((SELECT x FROM s.a), w);",
            A_AND_B,
        ),
        ("databricks", "DECLARE VARIABLE v INT; DECLARE w INT; SET VAR (v, w) = (SELECT x, y FROM s.a);", A_AND_B),
        ("databricks", "DECLARE v INT; DECLARE w INT; SET VARIABLE v = (SELECT x FROM s.a), w = 3;", X),
        ("databricks", "DECLARE w INT; DECLARE OR REPLACE VARIABLE v INT DEFAULT (SELECT x FROM s.a);", X),
    ],
)
def test_set_gives_each_variable_what_is_at_its_place(dialect: str, sql: str, expected: set[str]) -> None:
    """From a query of several columns or from a list of values; a constant gives nothing."""
    assert told(f"{sql} INSERT INTO s.o (p, q) VALUES (v, w)", dialect) == (expected, [])


def test_variables_set_from_unknown_columns_come_from_any_of_them() -> None:
    """Which column each takes is not known."""
    sql = "SET (v, w) = (SELECT * FROM s.a); INSERT INTO s.o (p) SELECT $w"

    assert told(sql, "snowflake") == ({"s.a#* s.o#p"}, ["unknown-columns"])


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("bigquery", 'DECLARE v INT64; EXECUTE IMMEDIATE "SELECT x FROM s.a" INTO v;'),
        ("databricks", 'DECLARE v INT; EXECUTE IMMEDIATE "SELECT x FROM s.a WHERE 1 = ?" INTO v USING 5;'),
    ],
)
def test_a_text_that_is_run_gives_its_row_to_variables(dialect: str, sql: str) -> None:
    """It writes nothing else."""
    assert told(f"{sql} INSERT INTO s.o (p) VALUES (v)", dialect) == (X, [])


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("bigquery", "DECLARE v INT64; SET v = (SELECT x FROM s.a); EXECUTE IMMEDIATE '{} (?)' USING v"),
        ("bigquery", "DECLARE v INT64; SET v = (SELECT x FROM s.a); EXECUTE IMMEDIATE '{} (@k)' USING v AS k"),
        ("databricks", "DECLARE v INT; SET VAR v = (SELECT x FROM s.a); EXECUTE IMMEDIATE '{} (:k)' USING v AS k"),
        ("oracle", "DECLARE v INT; BEGIN SELECT x INTO v FROM s.a; EXECUTE IMMEDIATE '{} (:1)' USING v; END;"),
        (
            "snowflake",
            "DECLARE v INT; BEGIN SELECT x INTO :v FROM s.a; EXECUTE IMMEDIATE '{} (?)' USING (v); END;",
        ),
    ],
)
def test_what_using_hands_in_comes_from_its_variable(dialect: str, sql: str) -> None:
    """By place, by number and by name."""
    assert told(sql.format("INSERT INTO s.o (p) VALUES"), dialect) == (X, [])


@pytest.mark.parametrize(
    ("dialect", "call"),
    [("oracle", "'{} :1' USING x"), ("bigquery", "'{} ?' USING x"), ("snowflake", "'{} ?' USING (x)")],
)
def test_what_using_hands_in_is_no_column(dialect: str, call: str) -> None:
    """Nor where nothing says what it is: a parameter of a package, say."""
    text = call.format("INSERT INTO s.o (p) SELECT y FROM s.a WHERE z =")

    assert told(f"EXECUTE IMMEDIATE {text}", dialect) == ({"s.a#y s.o#p", "s.a#z s.o"}, [])


def test_a_field_of_a_loops_row_may_be_handed_in() -> None:
    """PL/SQL's record goes over a cursor or a query."""
    loop = "FOR r IN (SELECT x FROM s.a) LOOP EXECUTE IMMEDIATE 'INSERT INTO s.o (p) VALUES (:1)' USING r.x; END LOOP;"

    assert told(f"BEGIN {loop} END;", "oracle") == (X, [])


@pytest.mark.parametrize(
    ("dialect", "block"),
    [
        ("postgres", "DO $$ DECLARE v int; w int; BEGIN SELECT x, y INTO v, w FROM s.a; {} END $$"),
        ("postgres", "DO $$ DECLARE v int; w int; BEGIN SELECT x, y INTO STRICT v, w FROM s.a; {} END $$"),
        ("mysql", "BEGIN DECLARE v, w INT; SELECT x, y INTO v, w FROM s.a; {} END"),
        ("oracle", "DECLARE v INT; w INT; BEGIN SELECT x, y INTO v, w FROM s.a; {} END;"),
        ("teradata", "BEGIN DECLARE v, w INT; SELECT x, y INTO :v, w FROM s.a; {} END"),
    ],
)
def test_a_query_with_into_sets_several_variables(dialect: str, block: str) -> None:
    """Of a query each column goes to the variable at its place; no table of such a name is written."""
    assert told(block.format("INSERT INTO s.o (p, q) VALUES (v, w);"), dialect) == (A_AND_B, [])


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("bigquery", "DECLARE u, v INT64; SET u = (SELECT x FROM s.a WHERE y = 1); SET v = u;"),
        ("databricks", "DECLARE u INT; DECLARE v INT; SET VAR u = (SELECT x FROM s.a WHERE y = 1); SET VAR v = u;"),
    ],
)
def test_a_variable_may_be_set_from_another(dialect: str, sql: str) -> None:
    """What decided about the value goes along."""
    assert told(f"{sql} INSERT INTO s.o (p) VALUES (v)", dialect) == ({*X, "s.a#y s.o"}, [])


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("postgres", "DO $$ DECLARE v int := (SELECT x FROM s.a); BEGIN INSERT INTO s.o (p) VALUES (v); END $$"),
        ("mysql", "BEGIN DECLARE v INT DEFAULT (SELECT x FROM s.a); INSERT INTO s.o (p) VALUES (v); END"),
        ("mysql", "SELECT 1, x INTO @u, @v FROM s.a; INSERT INTO s.o (p) VALUES (@v)"),
        (
            "postgres",
            "DO $$ DECLARE v int; BEGIN SELECT x INTO STRICT v FROM s.a; INSERT INTO s.o (p) VALUES (v); END $$",
        ),
        ("mysql", "SET @u = (SELECT x FROM s.a), @v = @u; INSERT INTO s.o (p) VALUES (@v)"),
        ("duckdb", "SET VARIABLE v = (SELECT x FROM s.a); INSERT INTO s.o (p) SELECT getvariable('V')"),
        ("teradata", "BEGIN DECLARE v INT; SELECT x INTO :v FROM s.a; INSERT INTO s.o (p) VALUES (:v); END"),
        ("snowflake", "SET v = (SELECT x FROM s.a); INSERT INTO s.o (p) SELECT $v"),
        ("snowflake", "SET t = 's.a'; INSERT INTO s.o (p) SELECT x FROM IDENTIFIER($t)"),
        ("snowflake", "SET t = 's.o'; INSERT INTO IDENTIFIER($t) (p) SELECT x FROM s.a"),
    ],
)
def test_a_variable_carries_its_source_in_every_dialect_that_sets_it_so(dialect: str, sql: str) -> None:
    """From a first value, from SET, and from a query with INTO."""
    assert told(sql, dialect) == (X, [])


IN_BLOCKS = [
    ("DECLARE c INT; BEGIN SELECT x INTO :c FROM s.a; INSERT INTO s.o (p) VALUES (:c); END;", X),
    (
        "DECLARE c INT; d INT; BEGIN SELECT x, y INTO :c, :d FROM s.a; INSERT INTO s.o (p, q) SELECT :c, :d; END;",
        A_AND_B,
    ),
    ("DECLARE c INT DEFAULT (SELECT x FROM s.a); BEGIN INSERT INTO s.o (p) VALUES (:c); END;", X),
    ("DECLARE c INT; BEGIN c := (SELECT x FROM s.a); INSERT INTO s.o (p) VALUES (:c); END;", X),
    ("BEGIN LET c INT := (SELECT x FROM s.a); INSERT INTO s.o (p) VALUES (:c); END;", X),
    ("BEGIN LET c := (SELECT x FROM s.a); LET d := c; INSERT INTO s.o (p) VALUES (:d); END;", X),
    ("BEGIN LET c := (SELECT x FROM s.a); DELETE FROM s.o WHERE p = :c; END;", {"s.a#x s.o", "s.o#p s.o"}),
    ("BEGIN LET id := (SELECT x FROM s.a); UPDATE s.o SET p = :id WHERE id = 1; END;", {*X, "s.o#id s.o"}),
    ("BEGIN FOR r IN (SELECT x, y FROM s.a) DO INSERT INTO s.o (p, q) VALUES (:r.x, r.y); END FOR; END;", A_AND_B),
    ("BEGIN LET c CURSOR FOR SELECT x FROM s.a; OPEN c; FETCH c INTO v; INSERT INTO s.o (p) VALUES (:v); END;", X),
    (
        "DECLARE rs RESULTSET; BEGIN rs := (SELECT x, y FROM s.a); LET c CURSOR FOR rs;"
        " FOR r IN c DO INSERT INTO s.o (p, q) VALUES (r.x, r.y); END FOR; END;",
        A_AND_B,
    ),
    (
        "BEGIN LET rs RESULTSET := (SELECT x, y FROM s.a);"
        " FOR r IN rs DO INSERT INTO s.o (p, q) VALUES (r.x, r.y); END FOR; END;",
        A_AND_B,
    ),
]


@pytest.mark.parametrize(("block", "expected"), IN_BLOCKS)
def test_a_block_of_snowflake_carries_its_variables(block: str, expected: set[str]) -> None:
    """As a text that is run, on its own, and in a procedure, which only defines it."""
    assert told(f"EXECUTE IMMEDIATE $$ {block} $$", "snowflake") == (expected, [])
    assert told(block, "snowflake") == (expected, [])
    procedure = f"CREATE PROCEDURE p() RETURNS INT LANGUAGE SQL AS $$ {block} $$"
    assert told(procedure, "snowflake") == (expected, ["definition-only"])
    assert told(procedure.replace("$$", "'"), "snowflake") == (expected, ["definition-only"])


def test_a_text_put_together_at_run_time_is_named_as_such() -> None:
    """The rows that it gives are not known; it is no error of syntax."""
    block = "DECLARE rs RESULTSET; BEGIN LET q := 'SELECT 1'; rs := (EXECUTE IMMEDIATE :q); RETURN TABLE(rs); END;"

    assert [problem.code for problem in extract(block, dialect="snowflake", namespace="n").problems] == ["opaque-call"]


@pytest.mark.parametrize("table", ["t", "far"])
def test_a_variable_of_the_session_is_no_field_of_an_unknown_table(lineage, table):
    """``session.x`` was a field of a column ``session`` wherever the table's columns are not known."""
    setting = "DECLARE x INT; SET VAR x = (SELECT max(d) FROM u)"
    result = lineage(
        f"{setting}; INSERT INTO o SELECT s.a FROM {table} s WHERE s.b > session.x", "databricks", target=None
    )

    assert result.decisions() == {"FILTER": f"{table}#b u#d"}
    assert result.found.coverage == "complete"


def test_a_field_of_a_column_called_session_stays_one(lineage):
    """Where the script has no such variable, or a source is known to have the column."""
    result = lineage("INSERT INTO o SELECT a FROM far WHERE session.y > 1", "databricks", target=None)
    known = lineage("DECLARE y INT; INSERT INTO o SELECT a FROM k WHERE session.y > 1", "databricks", target=None,
                    columns={"n:d.k": ["a", ("session", "STRUCT<y: INT>")]})  # fmt: skip

    assert result.decisions() == {"FILTER": "far#session.y"}
    assert known.decisions() == {"FILTER": "k#session.y"}
