"""A name that no table has is reported wherever it is written: the text fails, or is newer than what is known."""

from __future__ import annotations

import pytest

from ingest.sql import extract

COLUMNS = {"n:db.a": ("id", "x", "arr"), "n:db.b": ("id", "y"), "n:db.t": ("id", "v"), "n:db.w": ("k", "m1", "m2")}
INTO = "INSERT INTO db.t SELECT id, x FROM db.a"
MERGE = "MERGE INTO db.t USING db.b ON t.id = b.id WHEN"
RECURSIVE = (
    "WITH RECURSIVE c(p, q, r) AS (SELECT id, y FROM db.b UNION ALL SELECT p, q FROM c WHERE p < 9) SELECT p, q FROM c"
)
#: By dialect, texts in which all names are known but ``nope``.
TEXTS = {
    "spark": [
        "INSERT INTO db.t SELECT id, nope FROM db.a", f"{INTO} WHERE nope > 1", f"{INTO} GROUP BY id, nope",
        f"{INTO} GROUP BY id HAVING max(nope) > 1", f"{INTO} ORDER BY nope", f"{INTO} SORT BY nope",
        f"{INTO} DISTRIBUTE BY nope", f"{INTO} CLUSTER BY nope", f"{INTO} WHERE id IN (SELECT nope FROM db.b)",
        f"{INTO} WHERE EXISTS (SELECT 1 FROM db.b WHERE nope = 1)", f"{INTO} UNION ALL SELECT id, nope FROM db.b",
        "INSERT INTO db.t SELECT id, x FROM (SELECT id, x FROM db.a ORDER BY nope)",
        "INSERT INTO db.t SELECT id, sum(x) OVER (PARTITION BY nope) FROM db.a",
        "INSERT INTO db.t SELECT id, sum(x) OVER w FROM db.a WINDOW w AS (ORDER BY nope)",
        "INSERT INTO db.t SELECT a.id, b.y FROM db.a JOIN db.b ON a.id = b.nope",
        "INSERT INTO db.t SELECT y, x FROM db.a JOIN db.b USING (nope)",
        "INSERT INTO db.t SELECT id, (SELECT max(y) FROM db.b WHERE b.id = a.nope) FROM db.a",
        "INSERT INTO db.t SELECT id, e FROM db.a LATERAL VIEW explode(nope) q AS e",
        "INSERT INTO db.t SELECT id, transform(arr, e -> e + nope) FROM db.a",
        "INSERT INTO db.t SELECT * EXCEPT (nope) FROM db.b", "INSERT INTO db.t SELECT nope.* FROM db.b",
        "INSERT INTO db.t BY NAME SELECT id, x AS nope FROM db.a",
        "INSERT INTO db.t SELECT * FROM (SELECT k, m1 FROM db.w) PIVOT (sum(m1) FOR nope IN (1 AS p))",
        "INSERT INTO db.t SELECT k, val FROM db.w UNPIVOT (val FOR n IN (m1, nope))",
        "WITH c AS (SELECT id FROM db.a) INSERT INTO db.t SELECT id, nope FROM c",
        "INSERT INTO db.t (id, nope) SELECT id, x FROM db.a", "UPDATE db.t SET nope = 1", "UPDATE db.t SET v = nope",
        "UPDATE db.t SET v = 1 WHERE nope = 2", "DELETE FROM db.t WHERE nope = 1",
        f"{MERGE} MATCHED THEN UPDATE SET t.v = b.nope", f"{MERGE} MATCHED THEN UPDATE SET t.nope = b.y",
        f"{MERGE} MATCHED AND b.nope > 1 THEN DELETE", f"{MERGE} NOT MATCHED THEN INSERT (id, nope) VALUES (b.id, b.y)",
    ],
    "bigquery": [
        "INSERT INTO db.t SELECT * REPLACE (1 AS nope) FROM db.b", f"{INTO} JOIN db.b USING (id, nope)",
        f"{INTO} QUALIFY row_number() OVER (PARTITION BY nope) = 1",
        "INSERT INTO db.t SELECT id, u FROM db.a, UNNEST(nope) u",
    ],
    "duckdb": [
        "INSERT INTO db.t SELECT * RENAME (nope AS z) FROM db.b", f"{INTO} ASOF JOIN db.b USING (id, nope)",
        "INSERT INTO db.t BY NAME SELECT id, x AS nope FROM db.a",
    ],
    "postgres": [
        "INSERT INTO db.t SELECT DISTINCT ON (nope) id, x FROM db.a",
        "INSERT INTO db.t (id, v) SELECT id, x FROM db.a ON CONFLICT (id) DO UPDATE SET nope = excluded.v",
        "INSERT INTO db.t (id, v) SELECT id, x FROM db.a ON CONFLICT (id, nope) DO NOTHING",
        "UPDATE db.t SET v = b.nope FROM db.b WHERE b.id = t.id", "DELETE FROM db.t USING db.b WHERE b.nope = t.id",
        "INSERT INTO db.t SELECT id, string_agg(x, ',' ORDER BY nope) FROM db.a GROUP BY id",
    ],
}  # fmt: skip
#: Texts in which every name means something.
KNOWN = {
    "spark": [
        "INSERT INTO db.t (ID, V) SELECT id, x FROM db.a", f"{MERGE} MATCHED THEN UPDATE SET T.V = b.y",
        "INSERT INTO db.t SELECT id, x AS z FROM db.a CLUSTER BY z", "INSERT INTO db.free (nope) SELECT id FROM db.a",
        "INSERT INTO db.t SELECT * EXCEPT (nope) FROM db.free",
        "INSERT INTO db.t SELECT s.* FROM (SELECT id, x FROM db.a ORDER BY 2) s",
        "INSERT OVERWRITE TABLE db.t PARTITION (dt = '1') SELECT id, x FROM db.a",
    ],
    "bigquery": [
        "INSERT INTO db.t SELECT id, y FROM db.a, UNNEST(arr) AS p JOIN (SELECT id AS k, y FROM db.b) USING (k)",
        "INSERT INTO db.t (id, _PARTITIONTIME) SELECT id, x FROM db.a", "UPDATE db.t SET v.field = 1 WHERE TRUE",
    ],
    "clickhouse": [
        "INSERT INTO db.t SELECT * EXCEPT (nope) FROM db.b", "INSERT INTO db.t (* EXCEPT (v)) SELECT id FROM db.a",
    ],
}  # fmt: skip


def _cases(texts: dict[str, list[str]]) -> list[tuple[str, str]]:
    return [(dialect, text) for dialect, listed in texts.items() for text in listed]


@pytest.mark.parametrize(("dialect", "text"), _cases(TEXTS))
def test_a_name_that_no_table_has_is_reported(dialect: str, text: str) -> None:
    """The lineage is not complete, and the reason has the name."""
    made = extract(text, dialect=dialect, namespace="n", columns=COLUMNS)

    assert made.coverage != "complete"
    assert [problem.code for problem in made.problems if "nope" in problem.detail][:1] == ["unknown-column"]


@pytest.mark.parametrize(("dialect", "text"), _cases(KNOWN))
def test_names_that_mean_something_are_not_reported(dialect: str, text: str) -> None:
    """Names in another case, of outputs, of pseudo columns, of partitions, and of tables of unknown columns."""
    made = extract(text, dialect=dialect, namespace="n", columns=COLUMNS)

    assert [problem for problem in made.problems if problem.code == "unknown-column"] == []


def test_one_side_of_a_join_without_the_column_of_using_is_named() -> None:
    """The other side had it, so that the statement was called complete."""
    text = "INSERT INTO db.t SELECT y, x FROM db.a JOIN db.b USING (x)"
    made = extract(text, dialect="spark", namespace="n", columns=COLUMNS)

    assert [problem.detail for problem in made.problems] == ["USING names a column x that is not in b"]


@pytest.mark.parametrize(
    ("dialect", "text", "codes"),
    [
        ("spark", "INSERT INTO db.w SELECT id FROM db.a", ["column-count"]),
        ("postgres", "INSERT INTO db.w SELECT id FROM db.a", []),
        ("postgres", "INSERT INTO db.w (k, m1) SELECT id FROM db.a", ["column-count"]),
        ("postgres", "INSERT INTO db.t SELECT id, x, arr FROM db.a", ["column-count"]),
        ("postgres", "UPDATE db.w SET (k, m1) = (SELECT id FROM db.b)", ["column-count"]),
        ("postgres", "UPDATE db.w SET (k, m1) = (SELECT id, y FROM db.b)", []),
    ],
)
def test_an_insert_of_fewer_columns_is_one_of_postgres(dialect: str, text: str, codes: list[str]) -> None:
    """It fills the first ones where no columns are listed; other engines reject it, and all reject too many."""
    made = extract(text, dialect=dialect, namespace="n", columns=COLUMNS)

    assert [problem.code for problem in made.problems] == codes


@pytest.mark.parametrize(
    ("dialect", "text", "codes"),
    [
        ("spark", "CREATE VIEW db.n (p, q) AS SELECT id FROM db.b", ["column-count"]),
        ("spark", "CREATE VIEW db.n (p) AS SELECT id, y FROM db.b", ["column-count"]),
        ("spark", "CREATE VIEW db.n (p, q) AS SELECT * FROM db.b", []),
        ("spark", "CREATE VIEW db.n (p, q) AS SELECT * FROM db.free", ["unknown-columns"]),
        ("trino", "CREATE TABLE db.n (p) AS SELECT id, y FROM db.b", ["column-count"]),
        ("postgres", "CREATE VIEW db.n (p) AS SELECT id, y FROM db.b", []),
        ("postgres", "CREATE VIEW db.n (p, q) AS SELECT id FROM db.b", ["column-count"]),
        ("spark", "WITH c(p) AS (SELECT id, y FROM db.b) INSERT INTO db.t SELECT p, p FROM c", ["column-count"]),
        ("spark", "INSERT INTO db.t SELECT p, p FROM db.b AS z(p)", ["column-count"]),
        ("trino", "INSERT INTO db.t SELECT p, p FROM (SELECT id, y FROM db.b) AS z(p)", ["column-count"]),
        ("duckdb", "INSERT INTO db.t SELECT p, p FROM (SELECT id, y FROM db.b) AS z(p)", []),
        ("mysql", "CREATE TABLE db.n (p INT) AS SELECT id, y FROM db.b", []),
        ("duckdb", f"INSERT INTO db.t {RECURSIVE}", []),
        ("trino", f"INSERT INTO db.t {RECURSIVE}", ["column-count"]),
    ],
)
def test_a_list_of_names_fits_its_columns(dialect: str, text: str, codes: list[str]) -> None:
    """Of a view, a CTE and a derived table; MySQL adds the columns of the list to those of the query."""
    made = extract(text, dialect=dialect, namespace="n", columns=COLUMNS)

    assert [problem.code for problem in made.problems] == codes


@pytest.mark.parametrize(
    ("dialect", "text", "codes"),
    [
        ("spark", "CREATE TABLE db.n AS SELECT id, y AS ID FROM db.b", ["repeated-column"]),
        ("bigquery", "CREATE VIEW db.n AS SELECT *, id FROM db.b", ["repeated-column"]),
        ("spark", "CREATE TABLE db.n AS SELECT * FROM db.a JOIN db.b ON a.id = b.id", ["repeated-column"]),
        ("spark", "CREATE TABLE db.n AS SELECT * FROM db.a JOIN db.b USING (id)", []),
        ("spark", "CREATE TEMPORARY VIEW n AS SELECT id, y AS id FROM db.b", []),
        ("postgres", 'CREATE TABLE db.n AS SELECT id, y AS "ID" FROM db.b', []),
        ("duckdb", "CREATE TABLE db.n AS SELECT id, y AS id FROM db.b", []),
        ("spark", "INSERT INTO db.t SELECT id, y AS id FROM db.b", []),
    ],
)
def test_a_table_has_no_name_twice(dialect: str, text: str, codes: list[str]) -> None:
    """Engines reject it when they make a table or a view; by position, names do not matter."""
    made = extract(text, dialect=dialect, namespace="n", columns=COLUMNS)

    assert [problem.code for problem in made.problems] == codes


@pytest.mark.parametrize(
    ("dialect", "clause", "codes"),
    [
        ("spark", "ORDER BY 2", []),
        ("spark", "ORDER BY 3", ["column-count"]),
        ("spark", "ORDER BY 0", ["column-count"]),
        ("spark", "GROUP BY 3", ["column-count"]),
        ("duckdb", "GROUP BY 1, 3", ["column-count"]),
        ("impala", "GROUP BY 3", ["column-count"]),
        ("hive", "GROUP BY 3", []),
        ("oracle", "GROUP BY 3", []),
        ("clickhouse", "LIMIT 1 BY 3", ["column-count"]),
    ],
)
def test_a_number_is_the_place_of_an_output(dialect: str, clause: str, codes: list[str]) -> None:
    """A star that brings one column fewer makes the text fail; in Hive and Oracle a number groups by a constant."""
    of, into = ("B", "T") if dialect == "oracle" else ("b", "t")
    columns = {f"n:db.{of}": ("id", "y"), f"n:db.{into}": ("id", "v"), "n:DB.B": ("ID", "Y"), "n:DB.T": ("ID", "V")}
    text = f"INSERT INTO db.t SELECT * FROM db.b {clause}"
    made = extract(text, dialect=dialect, namespace="n", columns=columns)

    assert [problem.code for problem in made.problems] == codes


@pytest.mark.parametrize(
    ("dialect", "listed", "codes"),
    [
        ("spark", "id, ID", ["repeated-column"]),
        ("postgres", "v, v", ["repeated-column"]),
        ("postgres", "id, v", []),
        ("sqlite", "v, v", []),
    ],
)
def test_an_insert_lists_no_column_twice(dialect: str, listed: str, codes: list[str]) -> None:
    """Engines reject it; in SQLite the first value counts."""
    made = extract(
        f"INSERT INTO db.t ({listed}) SELECT id, y FROM db.b", dialect=dialect, namespace="n", columns=COLUMNS
    )

    assert [problem.code for problem in made.problems] == codes
    if dialect == "sqlite":
        assert [(edge.source, edge.target) for edge in made.edges] == [("n:db.b#id", "n:db.t#v")]


SELF = "INSERT INTO db.t SELECT a.id, {} FROM db.a JOIN db.a AS q ON a.id = q.id"


@pytest.mark.parametrize(
    ("dialect", "text", "codes"),
    [
        ("spark", SELF.format("x"), ["ambiguous-column"]),
        ("duckdb", SELF.format("x"), ["ambiguous-column"]),
        ("clickhouse", SELF.format("x"), []),
        ("spark", SELF.format("q.x"), []),
        ("spark", "INSERT INTO db.t SELECT id, x FROM db.a JOIN db.a AS q USING (id, x)", []),
        ("mysql", "INSERT INTO db.t SELECT q.id AS p, a.id AS p FROM db.a JOIN db.a q USING (x) GROUP BY p", []),
        ("trino", "INSERT INTO db.t SELECT q.id, 1 FROM (SELECT id, y AS id FROM db.b) q", ["ambiguous-column"]),
        ("spark", "INSERT INTO db.t SELECT q.id, 1 FROM (SELECT id, b.id FROM db.b) q", []),
        ("duckdb", "INSERT INTO db.t SELECT q.id, 1 FROM (SELECT id, y AS id FROM db.b) q", []),
        ("mysql", "INSERT INTO db.t SELECT q.y, 1 FROM (SELECT id, y, id FROM db.b) q", ["repeated-column"]),
        ("tsql", "WITH q AS (SELECT id, y, id FROM db.b) INSERT INTO db.t SELECT y, 1 FROM q", ["repeated-column"]),
        ("postgres", "INSERT INTO db.t SELECT y, 1 FROM db.a JOIN db.b ON true JOIN db.t q USING (id)",
         ["ambiguous-column"]),
        ("sqlite", "INSERT INTO db.t SELECT y, 1 FROM db.a JOIN db.b ON true JOIN db.t q USING (id)", []),
        ("postgres", "INSERT INTO db.t SELECT id, 1 FROM db.a JOIN db.b USING (id) JOIN db.t q ON true",
         ["ambiguous-column"]),
        ("duckdb", "INSERT INTO db.t SELECT id, 1 FROM db.a JOIN db.b USING (id) JOIN db.t q ON true", []),
        ("duckdb", "INSERT INTO db.t SELECT id, k FROM db.a NATURAL JOIN db.w", ["unknown-column"]),
        ("postgres", "INSERT INTO db.t SELECT id, k FROM db.a NATURAL JOIN db.w", []),
        ("postgres", "CREATE TABLE db.n AS SELECT 1, 2", ["repeated-column"]),
        ("trino", "CREATE TABLE db.n AS SELECT id, 2 FROM db.a", ["unnamed-column"]),
        ("trino", "CREATE VIEW db.n AS SELECT id, 2 AS two FROM db.a", []),
        ("tsql", "SELECT id, 2 INTO db.n FROM db.a", ["unnamed-column"]),
        ("bigquery", "CREATE TABLE db.n AS SELECT id, x + 1 FROM db.a", ["unnamed-column"]),
        ("bigquery", "CREATE TABLE db.n AS SELECT (id), x + 1 AS y FROM db.a", []),
        ("bigquery", "CREATE TABLE db.n AS SELECT id AS a FROM db.a UNION ALL SELECT 2", []),
        ("bigquery", "CREATE VIEW db.n AS SELECT id, x + 1 FROM db.a", []),
        ("tsql", "CREATE VIEW db.n (p, q) AS SELECT id, 2 FROM db.a", []),
        ("trino", "INSERT INTO db.t SELECT a.id, 1 FROM db.a JOIN db.b USING (id)", ["unknown-column"]),
        ("spark", "INSERT INTO db.t SELECT a.id, 1 FROM db.a JOIN db.b USING (id)", []),
        ("clickhouse", "INSERT INTO db.t SELECT id AS p, x AS p FROM db.a", ["repeated-column"]),
        ("clickhouse", "INSERT INTO db.t SELECT a.id, x FROM db.a JOIN db.b ON a.id = b.id JOIN db.a q ON q.id = b.id",
         ["ambiguous-column"]),
        ("trino", "INSERT INTO db.t SELECT id AS p, p FROM db.a", ["unknown-column"]),
        ("bigquery", "INSERT INTO db.t SELECT id AS p, 1 FROM db.a WHERE p > 1", ["unknown-column"]),
        ("bigquery", "INSERT INTO db.t SELECT f, max(f) FROM db.a, UNNEST(arr) GROUP BY f", []),
        ("bigquery", "INSERT INTO db.t SELECT q.e, 1 FROM (SELECT id AS e, * FROM db.a, UNNEST(arr) AS e) q", []),
        ("sqlite", "INSERT INTO db.t SELECT id AS p, 1 FROM db.a WHERE p > 1", []),
        ("spark", "INSERT INTO db.t SELECT id AS p, p FROM db.a", []),
        ("trino", "INSERT INTO db.t SELECT id AS p, 1 FROM db.a ORDER BY p", []),
        ("postgres", "DELETE FROM db.b WHERE EXISTS (SELECT id AS y FROM db.a WHERE y = a.id)", []),
    ],
)  # fmt: skip
def test_a_name_means_one_column_that_is_in_sight(dialect: str, text: str, codes: list[str]) -> None:
    """Of a table that is joined to itself, of a query with a name twice, of USING, and of the select list itself."""
    made = extract(text, dialect=dialect, namespace="n", columns=COLUMNS)

    assert [problem.code for problem in made.problems] == codes


@pytest.mark.parametrize("dialect", ["spark", "duckdb", "trino", "postgres"])
@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("SELECT q.id, q.x FROM db.a q JOIN db.b q ON q.x = 1", ["ambiguous-column"]),
        ("SELECT a.id, a.x FROM db.a JOIN db.a ON a.id = a.x", ["ambiguous-column"]),
        ("WITH c AS (SELECT id, x FROM db.a), c AS (SELECT id, y FROM db.b) SELECT * FROM c", ["repeated-column"]),
        ("WITH c AS (SELECT id, x FROM db.a) SELECT id, x FROM (WITH c AS (SELECT * FROM c) SELECT * FROM c) s", []),
        ("VALUES (1, 2), (3)", ["column-count"]),
        ("VALUES (1, 2), (3, 4)", []),
        ("SELECT * FROM (VALUES (1, 2), (3)) AS s (p, q)", ["column-count"]),
    ],
)
def test_names_and_rows_of_one_clause_fit_each_other(dialect: str, text: str, codes: list[str]) -> None:
    """Two sources of one alias, two queries of one name in a WITH, rows of two lengths; an inner WITH is its own."""
    made = extract(f"INSERT INTO db.t {text}", dialect=dialect, namespace="n", columns=COLUMNS)

    assert sorted({problem.code for problem in made.problems}) == codes


@pytest.mark.parametrize(
    ("item", "named"),
    [
        *((item, False) for item in ("x + 1", "count(*)", "x::int", "2")),
        *((item, True) for item in ("x", "(x)", "$1", "x + 1 AS y")),
    ],
)
@pytest.mark.parametrize("made", ["TABLE", "VIEW"])
def test_snowflake_makes_no_column_without_a_name(item: str, named: bool, made: str) -> None:
    """Of what may be a name it is not said."""
    found = extract(f"CREATE {made} n AS SELECT {item} FROM A", dialect="snowflake", namespace="n",
                    columns={"n:A": ("X",)})  # fmt: skip

    assert [problem.code for problem in found.problems] == ([] if named else ["unnamed-column"])
