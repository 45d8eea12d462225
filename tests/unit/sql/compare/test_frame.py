"""What a text says beside its statements' trees."""

from __future__ import annotations

import pytest

from ingest.sql.compare.compare import compare
from ingest.sql.compare.frame import folded, frame_of, lost, opened_everywhere, said
from ingest.sql.dialects.dialects import Names
from ingest.sql.parser.parse import parse
from ingest.sql.parser.tokenize import tokenize
from lineage_tt.impact.texts import Side, TextDifference

INSERT = "INSERT INTO a SELECT x FROM b"


def difference(dialect: str, before: str, after: str) -> TextDifference:
    """Return how two texts differ."""
    return compare(Side(before, dialect, "n", "d"), Side(after, dialect, "n", "d"))


def frame(dialect: str, sql: str) -> tuple[str, ...]:
    """Return the words of a text that are in no tree."""
    names = Names(dialect, "n", "d")
    tokens = opened_everywhere(tokenize(sql, names.engine)[0], names.engine)
    return frame_of(sql, tokens, list(parse(sql, tokens, names.engine)), names)


def test_a_frame_has_a_sign_for_each_statement_among_the_words_around_it() -> None:
    """So it shows which statements a condition guards."""
    assert frame("bigquery", f"BEGIN {INSERT}; IF y = 1 THEN {INSERT}; {INSERT}; END IF; END") == (
        "begin", "…", "if", "y", "=", "1", "then", "…", "…", "end", "if", "end",
    )  # fmt: skip
    assert frame("tsql", f"{INSERT}\nGO\n{INSERT};") == ("…", "…")


@pytest.mark.parametrize(
    ("dialect", "before", "after"),
    [("tsql", f"IF @x = 1 {INSERT}", f"IF @x = 2 {INSERT}"),
     ("tsql", f"WHILE @i < 10 {INSERT}", f"WHILE @i < 20 {INSERT}"),
     ("tsql", f"IF EXISTS (SELECT 1 FROM c) {INSERT}", f"IF EXISTS (SELECT 1 FROM e) {INSERT}"),
     ("tsql", f"CREATE PROCEDURE p @x INT = 1 AS {INSERT}", f"CREATE PROCEDURE p @x INT = 2 AS {INSERT}"),
     ("tsql", "INSERT TOP (10) INTO a SELECT x FROM b", "INSERT TOP (20) INTO a SELECT x FROM b"),
     ("tsql", "DELETE TOP (10) FROM a", "DELETE TOP (20) FROM a"),
     ("tsql", f"{INSERT}\nGO 2\n", f"{INSERT}\nGO 3\n"),
     ("bigquery", f"IF v = 1 THEN {INSERT}; END IF", f"IF v = 2 THEN {INSERT}; END IF"),
     ("bigquery", f"IF v = 1 THEN {INSERT}; END IF; {INSERT}", f"IF v = 1 THEN {INSERT}; {INSERT}; END IF"),
     ("snowflake", f"BEGIN IF (x = 1) THEN {INSERT}; END IF; END", f"BEGIN IF (x = 2) THEN {INSERT}; END IF; END"),
     ("snowflake", f"BEGIN WHILE (i < 9) DO {INSERT}; END WHILE; END",
      f"BEGIN WHILE (i < 8) DO {INSERT}; END WHILE; END"),
     ("snowflake", f"BEGIN CASE WHEN i = 1 THEN {INSERT}; END CASE; END",
      f"BEGIN CASE WHEN i = 2 THEN {INSERT}; END CASE; END"),
     ("oracle", f"BEGIN IF x = 1 THEN {INSERT}; END IF; END;", f"BEGIN IF x = 2 THEN {INSERT}; END IF; END;"),
     ("flink", f"{INSERT} /*+ OPTIONS('k'='a') */", f"{INSERT} /*+ OPTIONS('k'='b') */"),
     ("mysql", f"{INSERT} /*!50000 WHERE y = 1 */", f"{INSERT} /*!50000 WHERE y = 2 */")],
)  # fmt: skip
def test_what_decides_whether_and_how_statements_run_is_a_change(dialect: str, before: str, after: str) -> None:
    """No column is then said to be as it was."""
    found = difference(dialect, before, after)

    assert (found.same, found.comparable, found.failure) == (False, False, "")
    assert "script" in found.reasons


@pytest.mark.parametrize(
    ("dialect", "before", "after"),
    [("tsql", f"IF @x = 1 {INSERT}", f"if @X  =  1 -- always\n {INSERT}"),
     ("tsql", f"{INSERT}\nGO\n{INSERT}", f"{INSERT};\n{INSERT}\nGO\n"),
     ("tsql", "PRINT 'a'", "PRINT 'b'"),
     ("bigquery", f"BEGIN {INSERT}; END", "begin insert into a select x from b as q; end"),
     ("bigquery", "BEGIN CALL p(1); END", "begin\n  call p( 1 ); end"),
     ("oracle", f"BEGIN EXECUTE IMMEDIATE '{INSERT}'; END;", f"begin execute immediate '{INSERT.lower()} '; end;"),
     ("spark", "CALL p(1,'A')", "call p(1 , 'A')"),
     ("flink", f"{INSERT} /*+ OPTIONS('k'='a') */", f"{INSERT} /*+options('k' = 'a')*/"),
     ("flink", f"{INSERT} /* OPTIONS('k'='a') */", f"{INSERT} /* OPTIONS('k'='b') */"),
     ("mysql", f"{INSERT} /* WHERE y = 1 */", f"{INSERT} /* WHERE y = 2 */"),
     ("postgres", f"{INSERT} /*!50000 WHERE y = 1 */", f"{INSERT} /*!50000 WHERE y = 2 */")],
)  # fmt: skip
def test_the_layout_of_a_script_is_no_difference(dialect: str, before: str, after: str) -> None:
    """Nor are comments, the letters of words and what only prints."""
    assert difference(dialect, before, after).same


@pytest.mark.parametrize(
    ("dialect", "before", "after"),
    [("spark", "CALL p('x', 'y')", "CALL p('x', 'z')"), ("postgres", "CALL p(1)", "CALL q(1)"),
     ("spark", f"{INSERT}; CALL p()", f"{INSERT}; CALL q()"),
     ("tsql", "EXEC p 1", "EXEC p 2"), ("tsql", "EXEC('insert t select x')", "EXEC('insert t select y')"),
     ("tsql", "EXEC sp_executesql N'select x'", "EXEC sp_executesql N'select y'"),
     ("tsql", "EXEC sp_rename 'a.x', 'y'", "EXEC sp_rename 'a.x', 'z'"),
     ("trino", "EXECUTE s USING 1", "EXECUTE s USING 2"), ("postgres", "EXECUTE s(1)", "EXECUTE s(2)"),
     ("postgres", "PERFORM f(1)", "PERFORM f(2)"), ("bigquery", "ASSERT x = 1", "ASSERT x = 2"),
     ("bigquery", "ASSERT x = 'A'", "ASSERT x = 'a'"),
     ("snowflake", "BEGIN CALL p('x'); END", "BEGIN CALL p('y'); END")],
)  # fmt: skip
def test_a_command_is_the_same_only_with_the_same_words(dialect: str, before: str, after: str) -> None:
    """It has no tree, and what it does is not known."""
    assert not difference(dialect, before, after).same


def test_words_fold_and_strings_and_quoted_names_do_not() -> None:
    """Where quotes keep the letters of a name."""
    postgres, hive = Names("postgres", "n", "d"), Names("hive", "n", "d")

    assert folded('SELECT X, "X", "x", \'X\'', postgres) == "select x , \"X\" , x , 'X'"
    assert folded("SELECT `X`, 'X'", hive) == "select x , 'X'"
    assert said(tokenize("CALL  P ('X') -- c", hive.engine)[0], hive) == "call p ( 'X' )"


def test_what_a_tree_does_not_hold_is_counted() -> None:
    """Names of functions are left out, since the tree has its own for many."""
    names = Names("hive", "n", "d")
    tokens, _ = tokenize("SELECT nvl(a, 'x'), 2 FROM t", names.engine)

    assert lost(tokens, "SELECT COALESCE(a, 'x') FROM t", names) == {"2": 1}
    assert not lost(tokens, "SELECT COALESCE(a, 'x'), 2 FROM t", names)


@pytest.mark.parametrize(
    ("dialect", "before", "after"),
    [
        ("mysql", "REPLACE INTO o (a) SELECT a FROM t -- x", "replace into o (a) SELECT a FROM `t` -- y"),
        ("oracle", "INSERT INTO o (a) SELECT a FROM t;\n/", "INSERT INTO o (a) SELECT a FROM t; -- y\n/"),
        (
            "oracle",
            "BEGIN INSERT INTO o (a) SELECT a FROM t; END;\n/",
            "begin INSERT INTO o (a) SELECT a FROM t; end;\n/",
        ),
    ],
)
def test_statements_that_the_tokenizer_keeps_as_one_text_are_read_to_be_compared(
    dialect: str, before: str, after: str
) -> None:
    """And a line that only ends one is no statement."""
    assert difference(dialect, before, after).same
