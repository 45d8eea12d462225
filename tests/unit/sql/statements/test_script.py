"""Scripts: statements over one catalog, temporary tables, what is left of each, and what is reported."""

from __future__ import annotations

import pytest
from steps import lines_of

from ingest.sql import extract
from ingest.sql.dialects.dialects import UnknownDialectError
from ingest.sql.result import Extraction
from ingest.sql.statements.script import Script

TABLES = {"n:d.t": ("a", "b", "c"), "n:d.u": ("a", "d", "e")}


def script(dialect: str = "hive", *, keep: bool = False) -> Script:
    """Return a script over t(a, b, c) and u(a, d, e) at its beginning."""
    return Script(dialect=dialect, namespace="n", default_database="d", columns=TABLES, keep_temporary=keep)


def arrows(found: Extraction) -> set[tuple[str, str]]:
    """Return source and target of each edge, without namespace and database."""
    return {(edge.source.removeprefix("n:d."), edge.target.removeprefix("n:d.")) for edge in found.edges}


def test_a_later_text_sees_what_an_earlier_one_made_known() -> None:
    """Its own problems and outputs are reported with each."""
    going = script()
    first = going.run("CREATE TABLE k (x INT, y INT); INSERT INTO o SELECT * FROM nowhere")
    second = going.run("INSERT INTO k SELECT a, b FROM t")

    assert (first.coverage, second.coverage, second.problems) == ("partial", "complete", ())
    assert arrows(second) == {("t#a", "k#x"), ("t#b", "k#y")}


def test_a_script_of_an_unknown_dialect_is_an_error() -> None:
    """There are no rules to run it by."""
    with pytest.raises(UnknownDialectError, match="klingon"):
        Script(dialect="klingon", namespace="n")


@pytest.mark.parametrize(("keep", "expected"), [(False, {("t#a", "o#a")}), (True, {("t#a", "k#a"), ("k#a", "o#a")})])
def test_temporary_tables_are_kept_where_that_is_asked(keep: bool, expected: set[tuple[str, str]]) -> None:
    """As stored ones are."""
    text = "CREATE TEMPORARY TABLE k AS SELECT a FROM t; INSERT INTO o SELECT a FROM k"

    assert arrows(script(keep=keep).run(text)) == expected


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("hive", "SELECT a FROM t; SELECT d FROM u", {("u#d", "r#d")}),
        ("hive", "CREATE TABLE r AS SELECT a FROM t; SELECT d FROM u", {("t#a", "r#a")}),
        ("spark", "MERGE INTO r USING t ON r.a = t.a WHEN MATCHED THEN UPDATE SET a = t.a; SELECT d FROM u",
         {("r#a", "r"), ("t#a", "r"), ("t#a", "r#a")}),
        ("hive", "INSERT INTO o SELECT a FROM t; SELECT d FROM u", {("t#a", "o#a"), ("u#d", "r#d")}),
        ("tsql", "SELECT b FROM t; SELECT @x = a FROM t", {("t#b", "r#b")}),
        ("hive", "SELECT a b c FROM t", {("t", "r")}),
        ("hive", "INSERT INTO o SELECT a b c FROM t", {("t", "o")}),
    ],
)  # fmt: skip
def test_the_target_gets_the_last_bare_select(dialect: str, sql: str, expected: set[tuple[str, str]]) -> None:
    """Unless a statement names it; one that does not parse and names no other table is taken to write it."""
    assert arrows(script(dialect).run(sql, "n:d.r")) == expected


@pytest.mark.parametrize(
    ("sql", "expected", "outputs"),
    [
        ("CREATE TABLE k AS SELECT a FROM t; DROP TABLE k; CREATE TABLE k AS SELECT b FROM t",
         {("t#a", "k#a"), ("t#b", "k#b")}, (("n:d.k", ("b",)),)),
        ("DROP TABLE k; CREATE TABLE k AS SELECT a FROM t", {("t#a", "k#a")}, (("n:d.k", ("a",)),)),
        ("CREATE VIEW k AS SELECT a FROM t; INSERT INTO o SELECT a FROM k; DROP VIEW k", {("t#a", "o#a")}, ()),
        ("INSERT INTO k SELECT a FROM t; DROP TABLE k", {("t#a", "k#a")}, ()),
    ],
)  # fmt: skip
def test_only_what_the_script_both_makes_and_drops_is_not_left(
    sql: str, expected: set[tuple[str, str]], outputs: tuple[tuple[str, tuple[str, ...]], ...]
) -> None:
    """A table that is dropped first, or made again after, is stored."""
    found = script().run(sql)

    assert (arrows(found), found.outputs) == (expected, outputs)


@pytest.mark.parametrize(
    ("sql", "coverage", "codes"),
    [
        ("", "complete", []),
        ("  \n", "complete", []),
        ("-- nothing", "opaque", ["unsupported-statement"]),
        ("SELECT 'abc", "opaque", ["syntax"]),
        ("SELECT a FROM t", "complete", []),
        ("ALTER TABLE t ADD COLUMNS (z INT)", "partial", ["column-order"]),
        ("CALL p()", "opaque", ["opaque-call"]),
        ("CALL p(); INSERT INTO o SELECT a FROM t", "partial", ["opaque-call"]),
    ],
)
def test_how_far_an_answer_goes(sql: str, coverage: str, codes: list[str]) -> None:
    """Opaque where nothing of it is known, partial where something is not."""
    found = script().run(sql)

    assert (found.coverage, [problem.code for problem in found.problems]) == (coverage, codes)


def test_something_else_in_the_place_of_a_table_is_a_problem_of_its_statement() -> None:
    """What the others say stays."""
    found = script("oracle").run(
        "MERGE INTO (SELECT 1) USING t ON (1 = 1) WHEN MATCHED THEN DELETE; INSERT INTO o (x) SELECT d FROM u"
    )

    assert [(problem.code, problem.line) for problem in found.problems] == [("unsupported-statement", 1)]
    assert arrows(found) >= {("U#D", "O#X")}


def test_each_statement_has_its_own_edges_reads_and_writes() -> None:
    """Beside those of the whole text, which names no table that it makes itself among what it reads."""
    found = script().run("CREATE TABLE k AS SELECT a FROM t; INSERT INTO o SELECT k.a, d FROM k JOIN u ON k.a = u.a")

    assert [(each.index, each.kind, each.reads, each.writes) for each in found.statements] == [
        (0, "ctas", ("n:d.t",), ("n:d.k",)),
        (1, "insert", ("n:d.u",), ("n:d.o",)),
    ]
    assert (found.reads, found.writes) == (("n:d.t", "n:d.u"), ("n:d.k", "n:d.o"))
    assert list(found.edges) == sorted(edge for each in found.statements for edge in each.edges)


def test_types_are_reported_of_what_is_left() -> None:
    """In the order of the table's columns."""
    found = script().run("CREATE TABLE k (x INT, s STRUCT<y: INT>); CREATE TABLE j (x INT); DROP TABLE j")

    assert found.types == (("n:d.k", (("x", "INT"), ("s", "STRUCT<y: INT>"))),)


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("hive", "CREATE TEMPORARY TABLE k AS SELECT a AS x FROM t WHERE b = 1; INSERT INTO o SELECT x FROM k"),
        ("tsql", "SELECT a AS x INTO #k FROM t WHERE b = 1; INSERT INTO o SELECT x FROM #k"),
        ("spark", "CACHE TABLE k AS SELECT a AS x FROM t WHERE b = 1; INSERT INTO o SELECT x FROM k"),
        ("spark", "CREATE TEMPORARY VIEW k AS SELECT a AS x FROM t WHERE b = 1; INSERT INTO o SELECT x FROM k"),
        ("hive", "CREATE TABLE k AS SELECT a AS x FROM t WHERE b = 1; INSERT INTO o SELECT x FROM k; DROP TABLE k"),
        (
            "hive",
            "CREATE TEMPORARY TABLE k (x int); INSERT INTO k SELECT a FROM t WHERE b = 1; "
            "INSERT INTO o SELECT x FROM k",
        ),
    ],
)
def test_temporary_tables_vanish(lineage, dialect, sql):
    """What passes through a table that does not outlive the script is reported from its real source."""
    found = lineage(sql, dialect)

    assert found.columns() == {"x": {"t#a": "IDENTITY"}}
    assert found.decisions() == {"FILTER": "t#b"}
    assert found.found.reads == ("n:d.t",)
    assert found.found.writes == ("n:d.o",)


def test_two_inserts_fill_one_temporary_table(lineage):
    """A temporary table holds what all inserts so far brought; an overwrite starts over."""
    both = "CREATE TEMPORARY TABLE k (x int); INSERT INTO k SELECT a FROM t; INSERT {} k SELECT d FROM u; "

    added = lineage(both.format("INTO") + "INSERT INTO o SELECT x FROM k", "hive")
    replaced = lineage(both.format("OVERWRITE TABLE") + "INSERT INTO o SELECT x FROM k", "hive")

    assert added.names() == {"x": "t#a u#d"}
    assert replaced.names() == {"x": "u#d"}


def test_a_stored_table_between_two_statements_stays(lineage):
    """A table that the script leaves is a node of its own."""
    found = lineage("CREATE TABLE k AS SELECT a FROM t; INSERT INTO o SELECT a FROM k")

    assert {("t", "k"), ("k", "o")} == found.tables()
    assert found.found.reads == ("n:d.t",)


def test_the_last_select_writes_the_target(lineage):
    """A script's last bare SELECT is its result, unless a statement names the target itself."""
    assert lineage("SELECT a FROM t; SELECT d FROM u").names() == {"d": "u#d"}
    assert lineage("INSERT INTO o (x) SELECT a FROM t; SELECT count(*) FROM o").names() == {"x": "t#a"}


def test_a_script_without_semicolons_is_no_product_of_its_tables():
    """Where thousands of tables are in one unreadable statement, none feeds all the others."""
    sql = "\n".join(f"INSERT INTO w.t{i} SELECT a FROM w.s{i}" for i in range(600))
    found = extract(sql, dialect="hive", namespace="n")

    assert not found.edges
    assert (len(found.reads), len(found.writes)) == (600, 600)
    assert found.coverage == "opaque"


def test_work_is_linear_in_the_number_of_statements():
    """Four times as many INSERTs run about four times as many lines; sixteen times would be a square."""

    def ran(count: int) -> int:
        sql = ";\n".join(f"INSERT INTO w.t{i} SELECT a, b + 1 AS c FROM w.s{i} WHERE d > {i}" for i in range(count))
        return lines_of(lambda: extract(sql, dialect="hive", namespace="n"))

    ran(2)  # what is made once
    assert 3.5 < ran(240) / ran(60) < 4.5


def test_a_syntax_error_keeps_the_tables(lineage):
    """The tables of a statement that does not parse are reported as far as keywords show them."""
    found = lineage("INSERT INTO o SELECT a b c FROM t JOIN u ON t.a = u.a WHERE (")

    assert {("t", "o"), ("u", "o")} == found.tables()
    assert found.found.coverage == "partial"


def test_one_bad_statement_does_not_spoil_the_others(lineage):
    """Each statement of a script is parsed on its own."""
    found = lineage("INSERT INTO o (x) SELECT a FROM t; SELEC nonsense FROM; INSERT INTO o (y) SELECT d FROM u")

    assert found.names() == {"x": "t#a", "y": "u#d"}
    assert found.found.coverage == "partial"


@pytest.mark.parametrize(
    ("sql", "coverage"),
    [
        ("SELECT a FROM t", "complete"),
        ("SELECT 1 AS one", "complete"),
        ("SELECT a FROM nowhere", "complete"),
        ("SELECT * FROM nowhere", "partial"),
        ("SELECT nothing FROM t", "partial"),
        ("CALL something()", "opaque"),
        ("FROBNICATE THE TABLE", "opaque"),
        ("-- nothing", "opaque"),
    ],
)
def test_coverage(lineage, sql, coverage):
    """An answer is complete only where it depends on no unknown column and every statement is understood."""
    assert coverage == lineage(sql).found.coverage


def test_deep_nesting_is_a_problem_not_a_crash(lineage):
    """A statement nested beyond what the parser takes comes back with a problem and its tables."""
    found = lineage("SELECT a FROM (" * 500 + "SELECT a FROM t" + ") x" * 500)

    assert found.tables() == {("t", "o")}
    assert found.found.coverage == "partial"


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ("hive", "SELECT percentile(a, 1, b) FROM t"),
        ("hive", "CREATE TABLE k (x INT, s STRUCT<y: INT>) PARTITIONED BY (dt STRING) LOCATION 's3://l/k'"),
        ("hive", "CREATE TABLE k (x INT); INSERT INTO k SELECT cast(a AS STRING) FROM t; DROP TABLE u"),
        ("trino", "SELECT CAST(a AS INT) AS x FROM t"),
        ("spark", "CREATE TABLE k (dt STRING, x INT) USING csv PARTITIONED BY (dt)"),
        ("postgres", "SELECT extract(day FROM a), trim(both 'x' FROM b) FROM t"),
        ("bigquery", "SELECT a FROM t; ASSERT (SELECT COUNT(*) FROM t) > 0 AS 'rows'"),
        ("mysql", "LOAD DATA LOCAL INFILE 'x' REPLACE INTO TABLE d.t (a, b)"),
        ("athena", "UNLOAD (SELECT a, b FROM t) TO 's3://out/x' WITH (format = 'json')"),
        ("tsql", "SELECT a.value('(/a)[1]', 'int') AS z FROM t AS q"),
    ],
)
def test_a_statement_that_lacks_any_bracket_is_never_complete(dialect: str, text: str) -> None:
    """The parser reads some calls without their last bracket, and what stands before it may skip one."""
    assert all(problem.code != "syntax" for problem in script(dialect).run(text).problems)
    quoted = False
    for place, character in enumerate(text):
        quoted ^= character == "'"
        if character in "()" and not quoted:
            broken = text[:place] + text[place + 1 :]
            assert any(problem.code == "syntax" for problem in script(dialect).run(broken).problems), broken


@pytest.mark.parametrize(
    "text",
    [
        "CREATE TABLE k AS",
        "CREATE VIEW IF NOT EXISTS k",
        "INSERT INTO o SELECT , b FROM t",
        "INSERT INTO o SELECT f(a, , b) FROM t",
        "INSERT INTO o SELECT a FROM FROM t",
        "CREATE TABLE TABLE k (x INT)",
        "INSERT INTO o SELECT a FROM .t",
    ],
)
def test_a_statement_that_no_engine_runs_is_never_complete(text: str) -> None:
    """The parser reads on, and takes a keyword for a name or leaves out what is missing."""
    for dialect in ("hive", "bigquery", "duckdb", "postgres", "snowflake", "tsql"):
        assert script(dialect).run(text).coverage != "complete", dialect


def test_a_bracket_without_a_partner_is_named_with_its_place() -> None:
    """Statements beside it are read as before, and one that was not read at all has its own reason."""
    found = script().run("INSERT INTO o SELECT a FROM t;\nSELECT percentile(a, 1, b FROM t")
    assert [(each.code, each.detail, each.line, each.column) for each in found.problems] == [
        ("syntax", "the bracket ( has no partner", 2, 18)
    ]
    assert found.coverage == "partial"

    unread = script().run("SELECT a FROM t WHERE (a = 1")
    assert len(unread.problems) == 1
