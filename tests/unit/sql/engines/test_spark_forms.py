"""Forms of Spark's own: pipes of one sign, partition columns, names without brackets, files' metadata."""

from __future__ import annotations

import pytest

from ingest.sql.dialects.dialects import Names
from ingest.sql.parser.before.pipes import with_single_pipes


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("TABLE t | WHERE a > 1 | SELECT b, c | EXTEND b + 1 AS z", {"b": "t#b", "c": "t#c", "z": "t#b"}),
        ("FROM t | EXTEND a | b AS z | DROP a, b, c", {"z": "t#a t#b"}),
        ("TABLE t |> SELECT b, sum(a) AS s GROUP BY b |> WHERE s > 1", {"b": "t#b", "s": "t#a"}),
        ("SELECT a | b AS z FROM t", {"z": "t#a t#b"}),
    ],
)
def test_a_stroke_before_a_stage_is_a_pipe_and_any_other_an_operator(lineage, sql, expected):
    """Spark 4.2 takes ``|`` for ``|>``; ``a | b`` stays what it was."""
    told = lineage(sql)
    assert expected == told.names()
    assert told.found.coverage == "complete"


@pytest.mark.parametrize("right", ["set", "extend, b", "left(b, 1)"])
def test_a_stage_s_word_that_names_a_column_or_a_function_begins_none(right):
    """An operator's right side may be called as a stage is."""
    tokens = Names("spark", "n", "").dialect.tokenize(f"SELECT a | {right} FROM t")
    assert with_single_pipes(tokens) == tokens


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT (*) FROM t", {"a": "t#a", "b": "t#b", "c": "t#c"}),
        ("SELECT all, c FROM (SELECT a AS all, c FROM t)", {"all": "t#a", "c": "t#c"}),
        ("SELECT decimal(a), int(b), 'Word', c FROM t", {"a": "t#a", "b": "t#b", "c": "t#c"}),
        ("SELECT last_value(a, true) OVER (ORDER BY b) AS z FROM t", {"z": "t#a t#b"}),
        ("SELECT array(f(a)::GEOGRAPHY(ANY), b::GEOMETRY(ANY)) AS z FROM t", {"z": "t#a t#b"}),
        ("CREATE OR REPLACE VIEW o DEFAULT COLLATION UNICODE AS SELECT a, b FROM t", {"a": "t#a", "b": "t#b"}),
        ("SELECT a, b, sum(c) AS s FROM t GROUP BY a, b GROUPING SETS ((a), ())", {"a": "t#a", "s": "t#c"}),
        (
            "WITH RECURSIVE r(n) MAX RECURSION LEVEL 9 AS (SELECT a FROM t UNION ALL SELECT n FROM r) TABLE r",
            {"n": "t#a"},
        ),
        ("ALTER TABLE t CHANGE b COMMENT 'a word'; SELECT b FROM t", {"b": "t#b"}),
        ("DESC QUERY VALUES (1) AS v(c); SELECT b FROM t", {"b": "t#b"}),
        ("USE spark_catalog; SELECT a FROM t", {"a": "default.t#a"}),
        ("USE spark_catalog.d; SELECT a FROM t", {"a": "t#a"}),
    ],
)
def test_forms_that_were_not_understood(lineage, sql, expected):
    """Each was an error, a column too many, or a column of another name."""
    told = lineage(sql)
    assert {column: sources.replace("n:", "") for column, sources in told.names().items()} == expected


@pytest.mark.parametrize("recursive", ["", "RECURSIVE "])
def test_a_recursive_query_begins_with_named_queries_of_its_own(lineage, recursive):
    """What is in WITH inside of a recursive query is seen by its first part."""
    inner = f"WITH {recursive}q AS (SELECT a AS n FROM t) SELECT n, 0 AS l FROM q UNION ALL SELECT n, l + 1 FROM r"
    told = lineage(f"WITH RECURSIVE r AS ({inner}) SELECT n, l FROM r")
    assert told.names() == {"n": "t#a"}
    assert told.found.coverage == "complete"


def test_what_only_decides_inside_of_transform_is_no_value(lineage):
    """The condition of a CASE among the program's inputs decides about what it gets."""
    told = lineage("SELECT TRANSFORM(a, CASE WHEN b > 1 THEN c END) USING 'cat' AS (x) FROM t")
    assert told.columns() == {"x": {"t#a": "TRANSFORMATION", "t#b": "CONDITIONAL", "t#c": "TRANSFORMATION"}}


@pytest.mark.parametrize(
    ("sql", "line", "column"),
    [("SELECT nullif(a) FROM t", 1, 16), ("SELECT last_value(a, true, FROM t", 1, 33)],
)
def test_calls_that_lack_something_are_errors_at_their_place(lineage, sql, line, column):
    """Only what is too much for the parser is put up with; the place of what is left is reported."""
    told = lineage(sql)
    assert told.codes() == {"syntax"}
    assert (told.found.problems[0].line, told.found.problems[0].column) == (line, column)


def test_the_metadata_of_files_is_a_struct_that_every_table_has(lineage):
    """Some formats have more fields than the six that all have."""
    told = lineage("SELECT _metadata.file_name, t._metadata.file_size AS size FROM t")
    assert told.names() == {"file_name": "t#_metadata.file_name", "size": "t#_metadata.file_size"}
    assert told.found.coverage == "complete"
    told = lineage("SELECT a, _metadata.* FROM t")
    assert told.names()["file_path"] == "t#_metadata.file_path"
    assert told.names()["*"] == "t#_metadata.*"
    assert told.codes() == {"unknown-columns"}
