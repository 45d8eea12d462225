"""Temporary tables: what was written to one is read in its place."""

from __future__ import annotations

import pytest
from scripted import pairs, ran, reasons, running, tree
from sqlglot import exp
from steps import calls_of

from ingest.sql import Extraction, extract
from ingest.sql.binder.relations.catalog import Catalog
from ingest.sql.binder.relations.flow import FILTER, IDENTITY, TRANSFORMATION, Column, Part
from ingest.sql.binder.relations.relations import Effects
from ingest.sql.statements.emit import Write
from ingest.sql.statements.temporary import fill, is_temporary_name, make_empty


def write(source: str, *names: str, decides: str = "") -> Write:
    """Return a write to ``n:k`` of columns that come from those of the same names in a source."""
    effects = Effects()
    effects.reads.add(source)
    effects.predicates = {f"{source}#{decides}": FILTER} if decides else {}
    columns = [(name, Column(name, (Part({f"{source}#{name}": IDENTITY}, name),))) for name in names]
    return Write("n:k", columns, effects)


def held(catalog: Catalog) -> dict[str, set[str]]:
    """Return the sources of each column of ``n:k``."""
    content = catalog.content("n:k")
    assert content is not None
    return {column.name: set(column.flow()) for column in content.columns}


@pytest.mark.parametrize(
    ("afresh", "expected", "decided"),
    [
        (False, {"x": {"n:s#x", "n:t#x"}, "y": {"n:s#y"}}, {"n:s#c", "n:t#d"}),
        (True, {"x": {"n:t#x"}}, {"n:t#d"}),
    ],
)
def test_a_further_write_adds_to_the_content_or_takes_its_place(
    afresh: bool, expected: dict[str, set[str]], decided: set[str]
) -> None:
    """Column by column, with what decides about the rows."""
    walk = running(known={}).walk
    catalog = walk.catalog
    fill(walk, write("n:s", "x", "y", decides="c"), afresh=True)
    fill(walk, write("n:t", "x", decides="d"), afresh=afresh)

    assert held(catalog) == expected
    content = catalog.content("n:k")
    assert content is not None
    assert set(content.effects.predicates) == decided


def test_files_loaded_into_it_fill_all_its_columns() -> None:
    """Which of them goes where is not stated."""
    walk = running(known={}).walk
    catalog = walk.catalog
    make_empty(catalog, "n:k", ("x", "y"))
    loaded = Write("n:k", [], write("file:/in").effects)
    fill(walk, loaded, afresh=False, loads=True)

    assert held(catalog) == {"x": {"file:/in"}, "y": {"file:/in"}}
    content = catalog.content("n:k")
    assert content is not None
    assert set(content.columns[0].flow().values()) == {TRANSFORMATION}


def test_an_empty_one_has_columns_without_sources() -> None:
    """The declared ones, or those that the catalog has."""
    catalog = Catalog({})
    make_empty(catalog, "n:k", ("x", "y"))

    assert held(catalog) == {"x": set(), "y": set()}
    assert catalog.columns("n:k") == ("x", "y")


@pytest.mark.parametrize("kept", [False, True])
def test_a_script_reports_temporary_tables_only_where_it_is_to_keep_them(kept: bool) -> None:
    """Else the stored sources are reported in their place."""
    run = running("hive", keep=kept)
    done = ran(run, "CREATE TEMPORARY TABLE k AS SELECT a FROM t; INSERT INTO o SELECT a FROM k")

    assert pairs(done.edges) == ({"k#a": "t#a", "o#a": "k#a"} if kept else {"o#a": "t#a"})


def test_a_variable_that_holds_rows_is_no_table_of_that_name(lineage):
    """T-SQL's DECLARE @v TABLE: what is read from it was written to it."""
    script = """DECLARE @u TABLE (p int, q int); INSERT INTO @u SELECT a, b FROM t;
    INSERT INTO @u (q) SELECT d FROM u; INSERT INTO o (z) SELECT x.q FROM @u AS x"""
    result = lineage(script, dialect="tsql")
    assert result.names() == {"z": "t#b u#d"}
    assert result.tables() == {("t", "o"), ("u", "o")}


@pytest.mark.parametrize("name", ["#k", "@k", "k"])
def test_a_name_alone_may_say_that_a_table_does_not_stay(name: str) -> None:
    """T-SQL's, and BigQuery's ``_SESSION``."""
    table = tree(running("tsql"), f"SELECT a FROM {name}").find(exp.Table)
    session = tree(running("bigquery"), "SELECT a FROM _SESSION.k").find(exp.Table)

    assert is_temporary_name(table) == (name != "k")
    assert is_temporary_name(session)


@pytest.mark.parametrize("dialect", ["tsql", "fabric"])
@pytest.mark.parametrize(
    "before",
    [
        "CREATE SCHEMA s;",
        "CREATE SCHEMA s",
        "DROP SCHEMA s;",
        "DROP SCHEMA IF EXISTS s;",
        "IF NOT EXISTS (SELECT 1 FROM sys.schemas WHERE name = 's') EXEC('CREATE SCHEMA s');",
    ],
)
def test_a_schema_is_no_temporary_table(dialect, before):
    """It has no table's name, and the extractor failed on it: the whole text was lost."""
    found = extract(f"{before} INSERT INTO o SELECT a FROM u", dialect=dialect, namespace="n")

    assert [(edge.source, edge.target) for edge in found.edges] == [("n:u#a", "n:o#a")]
    assert found.coverage == "complete"


@pytest.mark.parametrize(
    ("dialect", "made"),
    [
        ("tsql", "CREATE TABLE #k (x INT, y AS x + z, z INT); INSERT INTO #k SELECT a, b FROM t"),
        ("tsql", "DECLARE @k TABLE (x INT, y AS x + z, z INT); INSERT INTO @k SELECT a, b FROM t"),
        ("postgres", "CREATE TEMP TABLE k (x INT, y INT GENERATED ALWAYS AS (x + z) STORED, z INT); "
         "INSERT INTO k (x, z) SELECT a, b FROM t"),
        ("mysql", "CREATE TEMPORARY TABLE k (x INT, y INT AS (x + z), z INT); INSERT INTO k (x, z) SELECT a, b FROM t"),
    ],
)  # fmt: skip
def test_a_computed_column_has_what_the_others_have(dialect: str, made: str) -> None:
    """It had nothing, so that what was read from it came from nowhere; a later change counts as well."""
    name = made.split()[1 if "@" in made else 2 if "#" in made else 3]
    run = running(dialect)
    done = ran(run, f"{made}; UPDATE {name} SET x = 1; INSERT INTO u (d) SELECT y FROM {name}")

    assert pairs(done.edges) == {"u#d": "t#a t#b"}
    assert {edge.subtype for edge in done.edges} == {"TRANSFORMATION"}
    assert reasons(run) == []


def test_computed_columns_are_evaluated_where_they_are_read() -> None:
    """All of them were evaluated after each write."""
    made = "create table #x (a int, b int, c as a + 1, e as b + 2)"
    writes = ["insert into #x (a) select a from t", "insert into #x (b) select d from u"] * 20
    sql = "; ".join([made, *writes, "insert into o select c, e from #x", "insert into p select e from #x"])
    found: list[Extraction] = []
    called = calls_of(lambda: found.append(extract(sql, dialect="tsql", namespace="n", default_database="d")))

    assert called["_computed"] == 1
    edges = {(edge.source, edge.target) for edge in found[0].edges if "#" in edge.target}
    assert edges >= {("n:d.t#a", "n:d.o#c"), ("n:d.u#d", "n:d.o#e"), ("n:d.u#d", "n:d.p#e")}
    assert ("n:d.u#d", "n:d.o#c") not in edges


def test_a_write_after_a_read_changes_computed_columns() -> None:
    """What was read before has what was there then."""
    sql = "create table #x (a int, c as a + 1); insert into #x (a) select a from t; insert into o select c from #x;"
    found = extract(
        f"{sql} insert into #x (a) select d from u; insert into p select c from #x; truncate table #x",
        dialect="tsql", namespace="n", default_database="d",
    )  # fmt: skip
    assert {(edge.source, edge.target) for edge in found.edges} == {
        ("n:d.t#a", "n:d.o#c"), ("n:d.t#a", "n:d.p#c"), ("n:d.u#d", "n:d.p#c"),
    }  # fmt: skip


UPSERT = "INSERT INTO k SELECT a, d FROM u ON CONFLICT (a) DO UPDATE SET b = "


@pytest.mark.parametrize(
    ("dialect", "written", "expected"),
    [
        (
            "duckdb",
            "MERGE INTO k USING u ON k.a = u.a WHEN MATCHED THEN UPDATE SET b = u.d"
            " WHEN NOT MATCHED THEN INSERT (a, b) VALUES (u.a, u.e)",
            "t#b u#d u#e",
        ),
        (
            "postgres",
            "MERGE INTO k USING u ON k.a = u.a WHEN MATCHED AND u.e = 1 THEN UPDATE SET b = u.d"
            " WHEN MATCHED THEN UPDATE SET B = u.a",
            "t#b u#a u#d",
        ),
        ("duckdb", UPSERT + "excluded.a", "t#b u#a u#d"),
        ("postgres", UPSERT + "7", "t#b u#d"),
        ("sqlite", UPSERT.replace(" ON", " WHERE true ON") + "excluded.a", "t#b u#a u#d"),
    ],
)
def test_every_branch_of_a_statement_adds_to_a_column(lineage, dialect: str, written: str, expected: str) -> None:
    """What one WHEN or the INSERT writes to a column stays beside what another one, or ON CONFLICT, does."""
    script = f"CREATE TEMP TABLE k AS SELECT a, b FROM t; {written}; INSERT INTO o SELECT b AS x FROM k"

    assert lineage(script, dialect).names() == {"x": expected}


@pytest.mark.parametrize("kind", ["TABLE", "VIEW"])
def test_what_exists_is_not_made_again(lineage, kind: str) -> None:
    """IF NOT EXISTS does nothing where the script has made the table, or the view, itself."""
    made = f"CREATE TEMP {kind} k AS SELECT b AS x FROM t; CREATE TEMP {kind} IF NOT EXISTS k AS SELECT d AS x FROM u"

    assert lineage(f"{made}; INSERT INTO o SELECT x FROM k", "duckdb").names() == {"x": "t#b"}
    assert lineage(f"{made.partition('; ')[2]}; INSERT INTO o SELECT x FROM k", "duckdb").names() == {"x": "u#d"}
