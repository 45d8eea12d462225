"""T-SQL scripts, whose statements need no semicolons."""

from __future__ import annotations

import pytest

from ingest.sql import extract

WORLD = {"n:s": ("a", "b", "c"), "n:t": ("a", "b", "c")}


def edges_of(sql):
    """Return the DIRECT edges and the coverage of a script."""
    found = extract(sql, dialect="tsql", namespace="n", columns=WORLD)
    told = {f"{e.source.removeprefix('n:')} {e.target.removeprefix('n:')}" for e in found.edges if e.type == "DIRECT"}
    return told, found.coverage


@pytest.mark.parametrize(
    "before",
    [
        "SET NOCOUNT ON",
        "SET NOCOUNT ON SET XACT_ABORT ON",
        "DECLARE @d date = getdate()",
        "DECLARE @d date = getdate(), @n int",
        "PRINT 'begins'",
        "USE db\nGO",
        "IF OBJECT_ID('t') IS NOT NULL TRUNCATE TABLE t",
        "BEGIN TRY",
        "BEGIN TRANSACTION",
        "WHILE @i < 3\nBEGIN\nSET @i = @i + 1",
        "UPDATE STATISTICS t",
        "GRANT SELECT, INSERT ON t TO u",
        "ALTER TABLE k ADD z int\nALTER TABLE k DROP COLUMN z\nALTER TABLE k ALTER COLUMN y bigint",
        "CREATE TABLE k (a int, b int REFERENCES t (b) ON DELETE SET NULL ON UPDATE CASCADE)",
        "SELECT CASE WHEN a = 1 THEN 2 ELSE 3 END AS x FROM s ORDER BY a OFFSET 1 ROWS FETCH NEXT 5 ROWS ONLY",
        "RAISERROR('x', 16, 1)",
        "SET IDENTITY_INSERT t ON",
        "GO 5",
    ],
)
def test_a_statement_is_found_behind_any_other(before):
    """What follows is not swallowed, whatever is before it."""
    use = "db." if before.startswith("USE") else ""
    told, coverage = edges_of(f"{before}\nINSERT INTO t (a) SELECT a FROM s WHERE b = @d\nPRINT 'done'")

    assert {"s#a t#a"} == told or (use and len(told) == 1)
    assert coverage == "complete" or use


def test_errors_are_caught_and_batches_end():
    """TRY, CATCH, GO, ELSE and THROW guard statements, which are resolved as if they ran."""
    told, coverage = edges_of(
        """BEGIN TRY
             IF EXISTS (SELECT 1 FROM s) BEGIN
               WITH q AS (SELECT a, CASE WHEN b = 1 THEN b ELSE 3 END z FROM s) INSERT t (a, b) SELECT a, z FROM q
             END
             ELSE INSERT INTO t (c) SELECT c FROM s UNION ALL SELECT b FROM s
           END TRY
           BEGIN CATCH
             IF @@TRANCOUNT > 0 ROLLBACK
             INSERT INTO k (a) SELECT a FROM s;
             THROW;
           END CATCH
           GO
           INSERT INTO l (a) SELECT a FROM s"""
    )

    assert {"s#a t#a", "s#b t#b", "s#c t#c", "s#b t#c", "s#a k#a", "s#a l#a"} == told
    assert coverage == "complete"


def test_a_procedures_body_is_split_too():
    """Its head ends at AS, not at a parameter's AS or at EXECUTE AS; variables hold what their query gives."""
    found = extract(
        """CREATE OR ALTER PROCEDURE dbo.p @x AS int, @y int = 1 WITH EXECUTE AS OWNER AS
           SET NOCOUNT ON
           DECLARE @m int
           SELECT @m = max(a) FROM s
           INSERT INTO t (a) SELECT b FROM s WHERE c > @m AND c = @x""",
        dialect="tsql",
        namespace="n",
        columns=WORLD,
    )

    assert {("n:s#b", "n:t#a"), ("n:s#a", "n:t"), ("n:s#c", "n:t")} == {(e.source, e.target) for e in found.edges}
    assert [(problem.code, problem.subject) for problem in found.problems] == [("definition-only", "p")]


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("DELETE FROM t OUTPUT deleted.a, deleted.b INTO k (x, y) WHERE c = 1", {"t#a k#x", "t#b k#y"}),
        ("INSERT INTO t (a) OUTPUT inserted.a INTO k (x) SELECT a FROM s", {"s#a t#a", "t#a k#x"}),
        (
            "UPDATE p SET b = q.b OUTPUT deleted.b, q.c INTO k (x, y) FROM t p JOIN s q ON p.a = q.a",
            {"s#b t#b", "t#b k#x", "s#c k#y"},
        ),
        (
            "MERGE t AS p USING s AS q ON p.a = q.a WHEN MATCHED THEN UPDATE SET b = q.b"
            " OUTPUT $action, inserted.a, q.c INTO k (act, x, y);",
            {"s#b t#b", "t#a k#x", "s#c k#y"},
        ),
    ],
)
def test_what_output_puts_out_is_written(sql, expected):
    """OUTPUT … INTO fills a second table from the changed one, and from what it is joined to."""
    assert (expected, "complete") == edges_of(sql)


def test_a_table_variable_takes_output_in():
    """What reads the variable gets what was put out to it."""
    told, coverage = edges_of(
        """DECLARE @log TABLE (x int)
           DELETE FROM t OUTPUT deleted.a INTO @log WHERE c = 1
           INSERT INTO k (x) SELECT x FROM @log"""
    )

    assert ({"t#a k#x"}, "complete") == (told, coverage)


def test_a_triggers_rows_are_those_of_its_table():
    """``inserted`` and ``deleted`` are not tables."""
    told, coverage = edges_of(
        "CREATE TRIGGER r ON t AFTER INSERT, UPDATE AS INSERT INTO k (x) SELECT i.a FROM inserted i"
    )

    assert ({"t#a k#x"}, "partial") == (told, coverage)


def test_rows_of_a_procedure_and_of_a_file():
    """INSERT … EXEC is a reason, BULK INSERT an edge from the file."""
    found = extract("INSERT INTO t EXEC dbo.p 1\nBULK INSERT t FROM 'x.csv'", dialect="tsql", namespace="n")

    assert [(problem.code, problem.subject) for problem in found.problems] == [("opaque-call", "dbo.p")]
    assert [(edge.source, edge.target) for edge in found.edges] == [("file:x.csv", "n:t")]


@pytest.mark.parametrize("word", ["DELETE", "update", "Open", "End", "WITH", "go", "case", "merge"])
def test_a_national_text_is_no_word(word):
    """``op = N'DELETE'`` began the next statement, and both were syntax errors."""
    result, coverage = edges_of(f"INSERT INTO t (a) SELECT a FROM s WHERE b = N'{word}' AND c = 1 UPDATE t SET b = 1")

    assert (result, coverage) == ({"s#a t#a"}, "complete")


@pytest.mark.parametrize(
    "script",
    [
        "RENAME OBJECT u TO old RENAME OBJECT v TO u",
        "RENAME OBJECT::u TO old; RENAME OBJECT::v TO u;",
        "EXEC sp_rename 'u', 'old' EXEC sp_rename 'v', 'u'",
        "EXEC sp_rename N'u', N'old'; EXEC sys.sp_rename @objname = N'v', @newname = N'u', @objtype = 'OBJECT';",
    ],
)
def test_a_table_that_is_filled_and_renamed_gives_its_new_name_its_rows(script):
    """This is how tables are replaced; RENAME OBJECT was a syntax error, and sp_rename was not looked into."""
    found = extract(f"SELECT a INTO v FROM s {script} DROP TABLE old", dialect="tsql", namespace="n", columns=WORLD)

    assert {(edge.source, edge.target) for edge in found.edges} == {("n:s#a", "n:v#a"), ("n:v#a", "n:u#a")}
    assert found.coverage == "complete"


def test_a_new_name_is_in_the_schema_of_the_old_one():
    """``EXEC sp_rename 'etl.v', 'u'`` makes ``etl.u``, whatever the current schema is."""
    for script in ("EXEC sp_rename 'etl.v', 'u'", "RENAME OBJECT etl.v TO u"):
        found = extract(script, dialect="tsql", namespace="n", default_database="d.dbo")
        assert [edge.target for edge in found.edges] == ["n:d.etl.u#*"]


def test_a_renamed_column_has_its_new_name():
    """What else sp_rename does moves no rows, and is not looked into."""
    text = "CREATE TABLE d.v (a INT, b INT); EXEC sp_rename 'd.v.b', 'c', 'COLUMN'; SELECT c INTO d.w FROM d.v;"
    found = extract(text, dialect="tsql", namespace="n")

    assert [(edge.source, edge.target) for edge in found.edges] == [("n:d.v#c", "n:d.w#c")]
    assert found.coverage == "complete"
    result = extract("EXEC sp_rename 'dbo.v.ix', 'iy', 'INDEX'", dialect="tsql", namespace="n")
    assert {problem.code for problem in result.problems} == {"opaque-call"}


@pytest.mark.parametrize(
    "call",
    [
        "EXEC ('INSERT INTO t (a) SELECT b FROM s')",
        "EXECUTE (N'INSERT INTO t (a) SELECT b FROM s')",
        "EXEC sp_executesql N'INSERT INTO t (a) SELECT b FROM s WHERE c = @d', N'@d DATE', @d = '2024-01-01'",
        "EXEC sys.sp_executesql N'INSERT INTO t (a) SELECT b FROM s'",
        "EXEC @rc = sp_executesql N'INSERT INTO t (a) SELECT b FROM s'",
    ],
)
def test_a_constant_text_is_run(call):
    """It was not looked into, as a text that is put together at run time is not."""
    assert edges_of(call) == ({"s#b t#a"}, "complete")


@pytest.mark.parametrize(
    "call",
    [
        "EXEC ('INSERT INTO t SELECT * FROM ' + @s)",
        "EXEC ('INSERT INTO t (a) SELECT b FROM s') AT far",
        "EXEC sp_executesql @sql",
        "EXEC p 'INSERT INTO t (a) SELECT b FROM s'",
    ],
)
def test_another_call_is_not_looked_into(call):
    """Its text is not known, it runs elsewhere, or it is a value."""
    assert edges_of(call) == (set(), "opaque")


def test_synapses_statements_need_no_semicolons():
    """COPY INTO begins a statement; as a name the word does not."""
    result, coverage = edges_of("TRUNCATE TABLE t COPY INTO t FROM 'https://x/y.csv' UPDATE t SET a = copy FROM s copy")

    assert coverage == "complete"
    assert "https://x:y.csv t" in result


def test_a_temporary_table_is_not_the_stored_one_of_its_name():
    """``#t`` of a caller was read as the stored table ``t``, and the answer was complete."""
    found = extract("INSERT INTO k (a) SELECT a FROM #s WHERE b = 1", dialect="tsql", namespace="n", columns=WORLD)

    assert (found.edges, found.reads) == ((), ())
    assert [(problem.code, problem.subject) for problem in found.problems] == [("unknown-source", "#s")]


@pytest.mark.parametrize("name", ["#s", "tempdb..#s"])
def test_what_a_script_puts_into_a_temporary_table_of_another_is_followed(name):
    """Also where the text does not create it; what it holds in the end is not reported."""
    result, _ = edges_of(
        f"INSERT INTO #s (a) SELECT b FROM t; UPDATE #s SET c = 1; INSERT INTO k (a) SELECT a FROM {name}"
    )

    assert result == {"t#b k#a"}


def test_a_global_temporary_table_has_its_own_name():
    """``##t`` outlives the script, so it is reported, but it is not ``t``."""
    result, coverage = edges_of("SELECT a INTO ##s FROM t; INSERT INTO k (a) SELECT a FROM ##s")

    assert (result, coverage) == ({"t#a %23%23s#a", "%23%23s#a k#a"}, "complete")


@pytest.mark.parametrize("table", ["#k", "@k"])
@pytest.mark.parametrize("alias", ["k", "x"])
def test_a_temporary_table_may_be_changed_by_its_alias(table, alias):
    """``UPDATE x SET … FROM #t x`` was said to name a table x that is not found in its lineage."""
    made = "DECLARE @k TABLE (a INT, b INT); CREATE TABLE #k (a INT, b INT);"
    result = edges_of(
        f"{made} INSERT INTO {table} SELECT a, b FROM s; UPDATE {alias} SET {alias}.b = t.c FROM {table} {alias} "
        f"JOIN t ON t.a = {alias}.a; DELETE {alias} FROM {table} {alias} JOIN t ON t.b = {alias}.b; "
        f"INSERT INTO o (b) SELECT b FROM {table}"
    )

    assert result == ({"s#b o#b", "t#c o#b"}, "complete")


def test_a_temporary_table_qualifies_its_columns():
    """``#t.a`` is a column of the temporary table."""
    made = "SELECT a, b INTO #k FROM s; UPDATE #k SET b = t.c FROM t WHERE t.a = #k.a;"
    text = f"{made} INSERT INTO o (b) SELECT #k.b FROM #k"

    assert edges_of(text) == ({"s#b o#b", "t#c o#b"}, "complete")


def test_copy_is_a_column_where_an_item_is_expected():
    """``SELECT copy INTO #t`` was a statement without columns, and a COPY."""
    found = extract(
        "SELECT a, copy INTO #t FROM s INSERT INTO t (a) SELECT copy FROM #t", dialect="tsql", namespace="n"
    )

    assert ([(edge.source, edge.target) for edge in found.edges], found.coverage) == (
        [("n:s#copy", "n:t#a")],
        "complete",
    )


@pytest.mark.parametrize(
    "sql",
    ["INSERT INTO o SELECT a FROM tempdb..#g", "INSERT INTO o SELECT a FROM tempdb.dbo.#g",
     "UPDATE tempdb..#g SET a = 1; INSERT INTO o SELECT a FROM #g",
     "DROP TABLE db..old; INSERT INTO o SELECT a FROM #g"],
)  # fmt: skip
def test_names_with_a_gap_are_understood_wherever_they_are(sql):
    """No word of them is taken for another table's name."""
    assert edges_of(f"SELECT a INTO #g FROM db..s; {sql}") == ({"db.dbo.s#a o#a"}, "complete")


def test_a_table_with_a_gap_in_its_name_is_renamed_in_its_schema():
    """sp_rename's new name has no schema; the old one may leave its own out."""
    assert edges_of("EXEC sp_rename 'db..s', 'o'") == ({"db.dbo.s#* db.dbo.o#*"}, "partial")
