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
