"""Arrays of many rows: whatever is merged before the parser sees it, the answer is that of the whole text."""

from __future__ import annotations

import random
import secrets
from typing import Any

import pytest

import ingest.sql.parser.parse
from ingest.sql import Extraction, extract
from ingest.sql.dialects.dialects import Names
from ingest.sql.parser.before.long_arrays import SHOWN, merge_rows
from ingest.sql.parser.tokenize import tokenize

ROUNDS = 300
COLUMNS = {
    "n:d.t": ("a", "b", "c", ("s", "STRUCT<x INT64, y STRUCT<z INT64, w INT64>>"), "arr"),
    "n:d.u": ("a", "d", "e", "c1", "c2"),
    "n:d.wide": tuple(f"c{n}" for n in range(2 * SHOWN)),
}
NAMES = [
    *("a", "b", "c", "C1", "t.a", "t.b", "s.x", "t.s.y.z", "s.y.none", "d", "u.d", "v.q", "x.y.z.p.q.r", "none", "g"),
    *("_file_name", "t._metadata.file_path", "alias", "q.a", "p"),
]
ROWS = [
    "('k', {n})",
    "({n}, 'k', {n}, (1, 2, 3))",
    "(1, 'k', true, {n})",
    "(1, 2)",
    "(NULL, {n})",
    "( /* , */ 'a)', {n})",
    "({n})",
    "('k', max(cast({n} AS STRING)))",
    "(safe_cast({n} AS BIGINT), 'k', {n})",
]
ODD = [
    *("('k', any_value({n}))", "('k', max(cast(upper({n}) AS STRING)))", "('k', f(g(h(cast({n} AS STRING)))))"),
    *(
        "('k', max(cast({n} AS DECIMAL(3, 2))))",
        "('k', sum({n}) OVER (PARTITION BY a))",
        "('k', min(cast({n} AS DATE)))",
    ),
    *("NULL", "{n}", "()", "({n}, -1)", "('k', upper({n}))", "(1 AS k, {n} AS v)", "('k', `{n}`)", "(('k', {n}), 1)"),
    *("('k', [1, {n}])", "('k', {n}[1])", "('k', date '2020-01-01', {n})", "({n}, 'two' 'strings')", "STRUCT({n}, 1)"),
    *("('k', (SELECT max(e) FROM u))", "('k', {n} + 1)", "('k' {n})", "('k', CASE WHEN a THEN b END)", "('k', ({n}))"),
]
AROUND = [
    "SELECT [{rows}] AS arr FROM t",
    "SELECT a, x.f2 FROM t, UNNEST([{rows}]) AS x",
    "SELECT a, x.v FROM t, UNNEST(ARRAY<STRUCT<k STRING, v INT64>>[{rows}]) AS x",
    "SELECT x.v FROM t CROSS JOIN UNNEST(ARRAY[{rows}]) AS x (k, v)",
    "WITH q AS (SELECT *, [{rows}] AS arr FROM t) SELECT z.*, arr FROM q, UNNEST(arr) AS z",
    "SELECT a AS alias, [{rows}] AS one, [{rows}] AS two FROM t JOIN u ON t.a = u.a",
    "SELECT f([{rows}]), t.arr[1] FROM t JOIN v ON true",
    "SELECT [('k', [{rows}])] AS nested FROM t",
    "SELECT arr[{rows}] AS picked FROM t",
    "SELECT max([{rows}]) OVER (PARTITION BY b) FROM t WHERE a IN (SELECT d FROM u)",
    "DECLARE p INT64 DEFAULT 1; CREATE TABLE d.o AS SELECT [{rows}] AS arr FROM t; SELECT arr FROM o",
    "SELECT ARRAY(SELECT AS STRUCT x.* FROM UNNEST([{rows}]) AS x) AS g FROM t, u",
    "SELECT [{rows} FROM t; SELECT a FROM t",
]


def _random_text(chance: random.Random) -> str:
    """Return a statement with arrays longer and shorter than what is shown, now and then damaged."""
    shapes = chance.sample(ROWS, chance.randint(1, 3)) + chance.sample(ODD, chance.choice([0, 0, 1, 3]))

    def rows() -> str:
        listed = [chance.choice(shapes) for _ in range(chance.choice([SHOWN - 1, SHOWN + 1, 2 * SHOWN, 3 * SHOWN]))]
        return ", ".join(row.replace("{n}", chance.choice(NAMES)) for row in listed)

    pieces = chance.choice(AROUND).split("{rows}")
    text = pieces[0] + "".join(rows() + piece for piece in pieces[1:])
    if chance.random() < 0.1:
        cut = chance.randrange(len(text))
        text = text[:cut] + chance.choice([")", "]", "(", ";", ""]) + text[cut + 1 :]
    return text


def _told(found: Extraction) -> tuple[Any, ...]:
    """Return what an answer says but for the texts of long expressions, which end in a digest of the whole."""
    edges = {(edge.source, edge.target, edge.type, edge.subtype) for edge in found.edges}
    return edges, found.coverage, set(found.problems), found.reads, found.writes, found.outputs, found.lookups


@pytest.mark.long
@pytest.mark.parametrize("dialect", ["bigquery", "duckdb", "clickhouse", "trino", "snowflake", "postgres"])
def test_the_answer_is_the_same_as_of_the_text_in_which_nothing_is_merged(dialect, monkeypatch):
    """Random arrays of plain and odd rows, in many places of a statement, over tables known and unknown."""
    seed = secrets.randbits(32)
    print("seed", seed)
    chance = random.Random(seed)
    merged = 0
    for _ in range(ROUNDS // 6):
        text = _random_text(chance)
        given: dict[str, Any] = {"namespace": "n", "default_database": "d", "columns": COLUMNS, "target": "n:d.o"}
        found = extract(text, dialect=dialect, **given)
        with monkeypatch.context() as plain:
            plain.setattr(ingest.sql.parser.parse, "merge_rows", lambda sql, tokens, markers: tokens)
            whole = extract(text, dialect=dialect, **given)
        assert _told(found) == _told(whole), text
        tokens, _ = tokenize(text, Names(dialect, "n", "d").engine)
        markers: dict[str, list[list[str]]] = {}
        merged += len(merge_rows(text, tokens, markers)) < len(tokens)
    assert merged > 2  # about two fifths of them


def _array(names: list[str]) -> str:
    return ", ".join(f"('{place}', {name}, ({place}, 1))" for place, name in enumerate(names))


def test_every_name_in_a_long_array_is_a_source(lineage):
    """Behind the rows that are shown as well as among them, once for each place of the row."""
    known = {"n:d.wide": COLUMNS["n:d.wide"]}
    names = [f"{'w.' * (n % 2)}c{n}" for n in range(2 * SHOWN)]
    sql = f"SELECT x.v, x.k FROM wide AS w, UNNEST(ARRAY<STRUCT<k STRING, v INT64, r STRING>>[{_array(names)}]) AS x"
    told = lineage(sql, dialect="bigquery", columns=known)

    assert told.columns()["v"].keys() == {f"wide#c{n}" for n in range(2 * SHOWN)}
    assert "k" not in told.columns()
    assert told.found.coverage == "complete"


def test_a_name_behind_the_shown_rows_that_no_source_has_is_told(lineage):
    """As it would be among the first."""
    names = ["b"] * (2 * SHOWN)
    names[-4], names[-3] = "d.f.g", "t.none"
    told = lineage(f"SELECT [{_array(names)}] AS r FROM t JOIN v ON t.b = v.d", dialect="bigquery")

    assert [problem.detail for problem in told.found.problems] == [
        "n:d.t is not known to have a column t.none",
    ]
    assert "v#d.f.g" in told.columns()["r"]


def test_an_expression_changes_with_the_names_behind_the_shown_rows(lineage):
    """Not with their order or their constants: it is cut to a digest there."""
    texts = []
    for last in (["a", "b"], ["b", "a"], ["a", "c"]):
        told = lineage(f"SELECT [{_array(['a'] * SHOWN + last)}] AS r FROM t", dialect="bigquery")
        texts.append(told.expression("r"))

    assert texts[0] == texts[1] != texts[2]


@pytest.mark.parametrize(
    "text",
    [
        "SELECT " + "[(1)," * 20_000,
        "SELECT " + "[(1)," * 20_000 + "1" + "]" * 20_000,
        f"SELECT [{_array(['a'] * 90)}], '{'…' * 400_000}' FROM t",
    ],
    ids=["open", "nested", "marks"],
)
def test_hostile_texts_are_looked_at_once(text):
    """Each bracket looked at to the end of the text, or each run of marks, would take minutes."""
    tokens, _ = tokenize(text, Names("bigquery", "n", "d").engine)
    assert len(merge_rows(text, tokens, {})) <= len(tokens)


def test_a_column_that_is_called_like_a_marker_stays_itself(lineage):
    """Markers are made so that the text has no such name."""
    columns = {"n:d.t": ("a", "b", "…0", "……0")}
    sql = f"SELECT `…0` AS x, [{_array(['a'] * SHOWN + ['b', 'b'])}] AS r, `……0` AS y FROM t"
    told = lineage(sql, dialect="bigquery", columns=columns)

    assert told.names() == {"x": "t#…0", "r": "t#a t#b", "y": "t#……0"}
