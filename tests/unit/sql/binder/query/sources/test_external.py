"""Queries handed to another database as text: whose tables they read, and what is known of their columns."""

from __future__ import annotations

import pytest
from bound import Bound, listed

from ingest.sql import extract
from ingest.sql.binder.query.sources.external import external, passed_through
from ingest.sql.binder.relations.relations import Relation


def _call(sql: str, dialect: str) -> tuple[Bound, Relation | None]:
    bound = Bound("", dialect)
    return bound, external(bound.walk, bound.tree(f"SELECT 1 FROM {sql}").args["from_"].this.this)


def _passed(sql: str) -> tuple[Bound, Relation | None]:
    bound = Bound("", "trino")
    call = bound.tree(f"SELECT 1 FROM TABLE({sql})").args["from_"].this.this.expressions[0]
    return bound, passed_through(bound.walk, call)


def test_a_query_text_reads_tables_of_its_connection() -> None:
    """Its select list says the columns, and what it filters by decides; nothing need be known of the tables."""
    bound, found = _call("EXTERNAL_QUERY('p.us.c', 'SELECT id, x + y AS z FROM s.accounts WHERE k > 1')", "bigquery")

    assert found is not None
    table = "external:p.us.c.s.accounts"
    assert listed(found.columns) == [("id", f"{table}#id"), ("z", f"{table}#x {table}#y")]
    assert list(found.effects.predicates) == [f"{table}#k"]
    assert (found.effects.reads, bound.problems()) == ({table}, [])


def test_a_star_of_such_a_query_needs_the_columns_of_its_tables() -> None:
    """What is not known of them is reported then, and left out where the list names all columns."""
    _, found = _call("EXTERNAL_QUERY('c', 'SELECT * FROM accounts')", "bigquery")

    assert found is not None
    assert found.is_open
    natural = "FROM accounts NATURAL JOIN b"
    assert _call(f"EXTERNAL_QUERY('c', 'SELECT accounts.x {natural}')", "bigquery")[0].problems() == []
    bound, _ = _call(f"EXTERNAL_QUERY('c', 'SELECT * {natural}')", "bigquery")
    assert {code for code, _ in bound.problems()} == {"unknown-columns"}
    assert _call("EXTERNAL_QUERY('c', 'SELECT x FROM a, b')", "bigquery")[0].problems() == [("ambiguous-column", "x")]


def test_the_script_around_it_keeps_its_names_and_problems() -> None:
    """Its database and its dialect are those of before, whatever the text was."""
    bound = Bound("", "bigquery")
    names = bound.walk.names
    bound.walk.report("syntax", "of before")
    for text in ("SELECT x FROM y", "no query at all", "SELECT 1; SELECT 2"):
        external(bound.walk, bound.tree(f"SELECT 1 FROM EXTERNAL_QUERY('c', '{text}')").args["from_"].this.this)
    assert bound.walk.names is names
    assert bound.problems() == [("syntax", "")]


@pytest.mark.parametrize(
    "arguments",
    ["'c'", "", "'c', x", "'c', concat('SELECT ', 'x FROM y')", "'c', 'DELETE FROM x'", "'c', 'SELECT FROM ('"],
)
def test_what_is_no_query_text_cannot_be_read(arguments: str) -> None:
    """A text that is put together, a statement that is not a query, and one that does not parse."""
    assert _call(f"EXTERNAL_QUERY({arguments})", "bigquery")[1] is None


def test_a_text_in_the_words_of_any_likely_database_is_read() -> None:
    """Which one it is sent to is not said."""
    for text in ("SELECT [a b] FROM [x y]", "SELECT `a b` FROM `x y`"):
        _, found = _call(f"OPENQUERY('srv', '{text}')", "tsql")
        assert found is not None, text
        assert listed(found.columns) == [("a b", "external:srv.x y#a b")], text


@pytest.mark.parametrize("connection", ["srv", "Server=srv;Trusted_Connection=yes;", "Password=x;server=srv"])
def test_a_connection_of_sql_server_comes_after_its_provider(connection: str) -> None:
    """Of its settings only the server's name is kept."""
    _, found = _call(f"OPENROWSET('SQLNCLI', '{connection}', 'SELECT a FROM s.x')", "tsql")

    assert found is not None
    assert listed(found.columns) == [("a", "external:srv.s.x#a")]


@pytest.mark.parametrize(
    "call", ["pg.system.query(query => 'SELECT x FROM s.w')", "pg.system.query('SELECT x FROM s.w')"]
)
def test_a_query_of_a_connector_reads_tables_of_its_catalog(call: str) -> None:
    """In the namespace of the script: the names by which other statements read them."""
    bound, found = _passed(call)

    assert found is not None
    assert listed(found.columns) == [("x", "n:pg.s.w#x")]
    assert bound.problems() == []


@pytest.mark.parametrize(
    "call", ["pg.system.other('SELECT 1')", "pg.system.query(x)", "pg.system.query('a', 'b')", "f(1)"]
)
def test_another_call_is_none_of_a_connectors_query(call: str) -> None:
    """One of another name, of a text that is not there, or of more than one."""
    assert _passed(call)[1] is None


@pytest.mark.parametrize(
    ("connection", "server"),
    [
        ("host=h user=u password=s3cret dbname=d", "h/d"),
        ("password='s3 cret' host=h", "h"),
        ("postgresql://u:s3cret@h:5432/d?sslmode=off&password=s3cret", "h:5432/d"),
        ("conn", "conn"),
        ("password=s3cret", "unknown"),
    ],
)
def test_a_connection_is_named_without_its_password(connection, server):
    """The text of a dblink's connection became the name of a dataset, with user and password in it."""
    text = connection.replace("'", "''")
    sql = f"INSERT INTO d.t (a) SELECT a FROM dblink('{text}', 'SELECT a FROM r.s') AS x (a int)"
    found = extract(sql, dialect="postgres", namespace="n")

    assert [edge.source for edge in found.edges] == [f"external:{server}.r.s#a"]


def test_a_query_sent_to_another_database_is_read(lineage):
    """EXTERNAL_QUERY's text is a query over the connection's tables; its select list names what comes back."""
    sql = "SELECT id AS z FROM EXTERNAL_QUERY('p.us.c', 'SELECT id, x FROM accounts WHERE x > 1')"

    found = lineage(sql, "bigquery")

    assert found.names() == {"z": "external:p.us.c.accounts#id"}
    assert found.found.coverage == "complete"


def test_a_query_passed_through_reads_tables_of_its_catalog(lineage):
    """Trino's query function of a connector: the names that other statements read them by."""
    text = "SELECT q.x AS z FROM TABLE(pg.system.query(query => 'SELECT x, y FROM public.w')) AS q"
    result = lineage(text, dialect="trino")
    assert result.columns() == {"z": {"n:pg.public.w#x": "IDENTITY"}}
    assert result.found.coverage == "complete"


@pytest.mark.parametrize(
    ("call", "dataset"),
    [
        ("postgres_scan('host=h dbname=d password=s3cret', 'public', 'Orders')", "external:h/d.public.Orders"),
        ("postgres_scan_pushdown('dbname=d', 'public', 'orders')", "external:d.public.orders"),
        ("sqlite_scan('x.db', 'orders')", "external:x.db.orders"),
    ],
)
def test_a_table_of_another_database_is_named_with_its_connection(call: str, dataset: str) -> None:
    """As a query's text over that connection would name it; its columns are not known here."""
    bound, found = _call(call, "duckdb")

    assert found is not None
    assert listed(found.columns) == [("*", f"{dataset}#*")]
    assert (found.effects.reads, bound.problems()) == ({dataset}, [])


@pytest.mark.parametrize("arguments", ["'dbname=d', 'public', x", "'dbname=d', 'public'", "'dbname=d'"])
def test_a_table_of_another_database_that_is_not_named_is_not_known(arguments: str) -> None:
    """By a parameter, or not at all."""
    assert _call(f"postgres_scan({arguments})", "duckdb")[1] is None


def test_a_query_for_an_attached_database_is_read(lineage):
    """DuckDB's, by the name under which the database was attached."""
    found = lineage("SELECT * FROM postgres_query('pg', 'SELECT id AS z FROM s.accounts')", "duckdb")

    assert found.names() == {"z": "external:pg.s.accounts#id"}
    assert found.found.coverage == "complete"


@pytest.mark.parametrize("function", ["mysql", "postgresql"])
def test_a_function_that_names_a_table_elsewhere_gives_its_rows(lineage, function):
    """ClickHouse reads tables of other databases so; user and password are in no name."""
    told = lineage(f"SELECT a FROM {function}('db1:3306', 'shop', 'sales', 'me', 'word')", dialect="clickhouse")
    assert told.names() == {"a": "external:db1:3306.shop.sales#a"}
    assert told.found.coverage == "complete"


def test_a_table_elsewhere_that_a_collection_names_is_not_known(lineage):
    """What the server's settings say is not looked into."""
    told = lineage("SELECT a FROM mysql(creds, table = 'sales')", dialect="clickhouse")
    assert "opaque-call" in told.codes()


@pytest.mark.parametrize(
    "rows", ["remote('h', d.t)", "cluster('c', d, t)", "remote('h', 'd.t')", "view(SELECT a, b FROM t)"]
)
def test_a_function_that_shows_a_table_reads_that_table(lineage, rows):
    """It was reported as opaque, and its argument as a column that nothing has."""
    told = lineage(f"SELECT q.a FROM {rows} AS q WHERE q.b > 1", dialect="clickhouse")
    assert (told.names(), told.decisions()) == ({"a": "t#a"}, {"FILTER": "t#b"})
    assert told.found.coverage == "complete"
