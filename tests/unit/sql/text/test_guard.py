"""The guard refuses what would crash or stall the parser, fast, and lets everything else pass."""

from __future__ import annotations

import gzip
import json
import random
import time
from pathlib import Path

import pytest
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import TokenError
from sqlglot.tokens import TokenType

from ingest.sql.text.guard import inspect_sql
from ingest.sql.text.limits import DEFAULT_LIMITS, Limits
from ingest.sql.text.regions import CODE, region_scanner

NESTS = {
    "parentheses": ("SELECT {}a{} FROM t", "(", ")"),
    "brackets": ("SELECT {}a{} FROM t", "[", "]"),
    "calls": ("SELECT {}a{} FROM t", "f(", ")"),
    "case": ("SELECT {}a{} FROM t", "CASE WHEN b THEN ", " END"),
    "subqueries": ("SELECT a FROM {}t{}", "(SELECT a FROM ", ") x"),
    "exists": ("SELECT a FROM t WHERE {}a{}", "EXISTS (SELECT 1 FROM u WHERE ", ")"),
    "types": ("SELECT CAST(a AS {}INT64{}) FROM t", "ARRAY<", ">"),
    "mixed": ("SELECT {}a{} FROM t", "(CASE WHEN f([", "]) THEN 1 END)"),
}


def nested_text(kind: str, depth: int) -> str:
    """Return a text with ``depth`` levels of one kind of nesting."""
    pattern, opening, closing = NESTS[kind]
    return pattern.format(opening * depth, closing * depth)


@pytest.mark.parametrize("kind", NESTS)
@pytest.mark.parametrize("depth", [50, 500, 10_000])
def test_deep_nesting_is_refused_within_50_ms(kind: str, depth: int) -> None:
    """Nesting of any kind beyond the limit is refused as too-nested in under 50 ms of CPU time, the best of three."""
    sql = nested_text(kind, depth)
    seconds = []
    for _ in range(3):
        begun = time.thread_time()
        problem = inspect_sql(sql, dialect="bigquery")
        seconds.append(time.thread_time() - begun)
        assert problem is not None
        assert problem.code == "too-nested"
    assert min(seconds) < 0.05 + len(sql) * 100e-9


@pytest.mark.parametrize("kind", sorted(set(NESTS) - {"mixed"}))
def test_nesting_within_the_limit_passes(kind: str) -> None:
    """What is nested as deep as the limit allows passes."""
    depth = DEFAULT_LIMITS.nesting - 1  # some of the texts have a bracket of their own
    assert inspect_sql(nested_text(kind, depth), dialect="bigquery") is None


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("bigquery", "SELECT '{0}', \"{0}\", '''{0} ' ''', r'{0}\\'{0}' FROM `{0}` -- {0}\n/* {0} */ # {0}"),
        ("hive", "SELECT '{0}', \"{0}\", 'it\\'s {0}' FROM `{0}` -- {0}\n/* {0} /* {0} */ {0} */"),
        ("postgres", "SELECT '{0}', '\\', \"{0}\", $${0}$$, $tag$ {0} $$ {0} $tag$, E'\\'{0}' -- {0}"),
        ("tsql", "SELECT [{0}], '{0}', \"{0}\" /* {0} */"),
        ("snowflake", "SELECT $${0}$$, '\\'{0}' // {0}"),
        ("oracle", "SELECT q'[{0} ' {0}]' FROM \"{0}\""),
        ("mysql", "SELECT '{0}', \"{0}\" # {0}\n-- {0}"),
    ],
)
def test_what_is_quoted_or_commented_does_not_count(dialect: str, sql: str) -> None:
    """Brackets in strings, quoted names and comments of the dialect are not nesting."""
    assert inspect_sql(sql.format("(" * 200), dialect=dialect) is None


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [("postgres", r"SELECT '\' , {}"), ("hive", r"SELECT 'a''b' , {}"), ("trino", "SELECT 1 /* /* */ , {}")],
)
def test_no_quoting_of_another_dialect_hides_nesting(dialect: str, sql: str) -> None:
    """Nesting is seen after a string or comment that ends earlier than in other dialects."""
    problem = inspect_sql(sql.format("(" * 200), dialect=dialect)
    assert problem is not None
    assert problem.code == "too-nested"


@pytest.mark.parametrize(
    ("code", "sql"),
    [
        ("too-large", "SELECT '" + "x" * 5_000_000 + "'"),
        ("too-large", "SELECT '" + "é" * 2_500_000 + "'"),
        ("too-many-tokens", "SELECT a FROM t WHERE a IN (" + ",".join(map(str, range(250_000))) + ")"),
        ("too-long-chain", "SELECT a FROM t WHERE " + " AND ".join(["a = 1"] * 20_000)),
        ("too-long-chain", "SELECT " + " || ".join(["a"] * 20_000) + " FROM t"),
        ("too-many-queries", " UNION ALL ".join(["SELECT 1"] * 3_000)),
        ("too-many-queries", "WITH " + ", ".join(f"c{i} AS (SELECT 1)" for i in range(10_000)) + " SELECT 1"),
        ("too-nested", "SELECT " + "NOT " * 1_000 + "a"),
        ("too-nested", "SELECT " + "- " * 1_000 + "a"),
        ("too-nested", "SELECT a" + ".b" * 1_000),
        ("too-nested", "SELECT a" + "::int" * 1_000),
        ("too-nested", "SELECT a" + "[0]" * 1_000),
        ("too-nested", "SELECT " + "STRUCT(" * 20 + "a" + ")" * 20),
        ("too-nested", "SELECT " + "DATE((" * 11 + "a" + "))" * 11),
        ("too-nested", "SELECT " + "SAFE.f(" * 11 + "a" + ")" * 11),
    ],
)
def test_other_costly_texts_are_refused_by_name(code: str, sql: str) -> None:
    """Size, tokens, flat chains, queries, unbracketed recursion and calls that cost exponential time are limited."""
    problem = inspect_sql(sql, dialect="bigquery")
    assert problem is not None
    assert problem.code == code
    assert len(problem.detail) < 200


GUESSED = {
    "array": "ARRAY[", "list": "LIST[", "struct": "STRUCT(", "typed struct": "STRUCT<a INT>(", "date": "DATE(",
    "decimal": "DECIMAL(", "typed array": "ARRAY<INT>[", "object": "OBJECT(",
}  # fmt: skip


@pytest.mark.parametrize(
    "dialect", ["bigquery", "hive", "spark", "trino", "duckdb", "postgres", "snowflake", "clickhouse"]
)
@pytest.mark.parametrize("one", GUESSED)
@pytest.mark.parametrize("other", GUESSED)
def test_guesses_of_any_two_kinds_are_counted_together(dialect: str, one: str, other: str) -> None:
    """14 to 18 levels of brackets after types' names, of two kinds by turns, are refused in every dialect."""
    for depth in (14, 18):
        levels = [GUESSED[one] if level % 2 else GUESSED[other] for level in range(depth)]
        closing = "".join("]" if level[-1] == "[" else ")" for level in reversed(levels))
        problem = inspect_sql(f"SELECT {''.join(levels)}a{closing} FROM t", dialect=dialect)
        assert problem is not None
        assert problem.code == "too-nested"


def test_calls_are_guesses_in_materialize() -> None:
    """Materialize's parser reads the argument of each call twice, so that any call counts there, and only there."""
    sql = "SELECT " + "f(" * 14 + "a" + ")" * 14 + " FROM t"

    assert inspect_sql(sql, dialect="materialize") is not None
    assert inspect_sql(sql, dialect="postgres") is None


def test_arrows_are_limited_where_the_parser_reads_each_twice() -> None:
    """T-SQL has no arrow, and each in a text doubles the time; other dialects have lambdas and JSON paths."""
    text = "SELECT " + "x -> " * 5 + "1 FROM t"
    assert (found := inspect_sql(text, dialect="tsql")) is not None
    assert found.code == "too-nested"
    assert inspect_sql(text, dialect="fabric") is not None
    assert inspect_sql(text, dialect="spark") is None
    assert inspect_sql("SELECT 1 -- " + "-> " * 9 + "\nFROM t WHERE a = '->->->->->->'", dialect="tsql") is None


def test_many_guesses_side_by_side_are_as_costly_as_deep_ones() -> None:
    """Eight levels pass once; thousands of them in one text are refused, since the parser reads each 256 times."""
    level = DEFAULT_LIMITS.guesses
    one = "ARRAY[" * level + "a" + "]" * level

    assert inspect_sql(f"SELECT {one} FROM t", dialect="bigquery") is None
    assert inspect_sql(f"SELECT {', '.join([one] * 2_000)} FROM t", dialect="bigquery") is not None


def test_flat_lists_of_guesses_pass() -> None:
    """Thousands of calls by types' names beside each other, two deep, are not nesting."""
    sql = "SELECT " + ", ".join(f"STRUCT(DATE(a), ARRAY[{i}])" for i in range(10_000)) + " FROM t"

    assert inspect_sql(sql, dialect="bigquery") is None


@pytest.mark.parametrize(
    "unit", ["'", '"', "`", "-", "- ", "/", "/*", "{", "{{", "{%", "$", "(", ")", "a ", "a.", "\\", "<"]
)
def test_a_long_text_of_anything_is_looked_at_in_linear_time(unit: str) -> None:
    """No repeated sign makes the guard or the template scanner backtrack."""
    text = unit * (200_000 // len(unit))
    begun = time.thread_time()
    inspect_sql(text, dialect="bigquery")
    inspect_sql(text, dialect="postgres")
    assert sum(1 for _ in region_scanner("bigquery", templated=True).regions(text)) > 0
    assert time.thread_time() - begun < 3.0  # it takes about 0.1 s; anything quadratic would take minutes


@pytest.mark.parametrize(
    "piece", ["(row < 5)", "(a > b)", "(case)", "f(list < 2, [1])", "CASE WHEN a THEN b END", "end", ")"]
)
def test_unbalanced_words_do_not_add_up(piece: str) -> None:
    """Words that may open something but do not, and closing signs without an opening one, never amount to nesting."""
    assert inspect_sql("SELECT " + ", ".join([piece] * 200), dialect="bigquery") is None


def test_limits_can_be_set() -> None:
    """A caller's own limits count."""
    assert inspect_sql("SELECT ((a))", Limits(nesting=2)) is None
    assert inspect_sql("SELECT (((a)))", Limits(nesting=2)) is not None


@pytest.mark.long
def test_real_texts_pass(shared_dir: Path) -> None:
    """The guard refuses none of a sample of the real stream's texts, its largest, of a megabyte, included."""
    texts: set[str] = set()
    for year in ("2020",):
        with gzip.open(shared_dir / f"data/bqetl_stream/messages-{year}.jsonl.gz", "rt") as lines:
            texts.update(sql for line in lines if (sql := json.loads(line)["sql"]))
    texts = set(sorted(texts, key=len)[-40:]) | set(sorted(texts)[::8])
    assert max(map(len, texts)) > 1_000_000
    assert [text[:80] for text in texts if inspect_sql(text, dialect="bigquery")] == []


PIECES = [
    "'",
    '"',
    "`",
    "''",
    '""',
    "'''",
    '"""',
    "\\",
    "\\'",
    "--",
    "#",
    "/*",
    "*/",
    "\n",
    " ",
    "a",
    "r'",
    "b'",
    "x",
    "(",
]


@pytest.mark.parametrize("dialect", ["bigquery", "hive", "spark", "trino", "mysql", "tsql", "postgres", "snowflake"])
def test_regions_agree_with_the_parsers_tokenizer(dialect: str) -> None:
    """For random texts that sqlglot can tokenize, exactly the characters of its plain tokens are code for us."""
    seed = 20_261
    print(f"seed {seed}")
    chance = random.Random(seed)
    pieces = [
        piece for piece in PIECES if piece != "#" or dialect != "postgres"
    ]  # "#--" is an operator and a sign there
    compared = 0
    for _ in range(1_500):
        sql = "".join(chance.choice(pieces) for _ in range(chance.randint(1, 9)))
        try:
            tokens = Dialect.get_or_raise(dialect).tokenize(sql)
        except TokenError:
            continue
        compared += 1
        theirs = {
            place
            for token in tokens
            if "STRING" not in token.token_type.name and not _is_quoted_name(token.token_type, sql[token.start])
            for place in range(token.start, token.end + 1)
        }
        regions = region_scanner(dialect).regions(sql)
        ours = {place for r in regions if r.kind == CODE for place in range(r.start, r.end)}
        prefixes = {p for p in ours if sql[p] in "rbxnRBXN" and p + 1 < len(sql) and p + 1 not in ours}
        assert {p for p in ours ^ theirs if not sql[p].isspace()} <= prefixes, sql
    assert compared > 300


def _is_quoted_name(kind: TokenType, first: str) -> bool:
    return kind == TokenType.IDENTIFIER and first in '`"['


def test_joins_that_wait_for_their_conditions_are_counted():
    """Each join without ON or USING doubles the parser's time; those that have theirs, or need none, do not."""
    waiting = "SELECT * FROM a " + "JOIN b " * 40 + "USING (x)"
    nested = "SELECT * FROM a " + "JOIN b JOIN c JOIN (SELECT * FROM d " * 6 + ") e ON 1 = 1" * 6
    bare = "SELECT * FROM a" + " JOIN b, FROM c" * 20 + " JOIN d ON x = y"
    fine = (
        "SELECT * FROM a" + " JOIN b ON a.x = b.x" * 40,
        "SELECT * FROM a" + " CROSS JOIN b" * 40,
        "SELECT * FROM a" + " NATURAL LEFT JOIN b" * 40,
        ";".join(["SELECT * FROM a JOIN b"] * 40),
        " UNION ALL ".join(["SELECT * FROM a JOIN b"] * 40),
    )

    found = [inspect_sql(sql) for sql in (waiting, nested, bare)]
    assert [each and each.code for each in found] == ["too-nested"] * 3
    assert [inspect_sql(sql) for sql in fine] == [None] * len(fine)


def test_queries_nested_without_brackets_are_counted():
    """FROM-first queries nest without brackets; a comma after a BigQuery select list nests nothing."""
    nested = ("SELECT 1 FROM a" + ", FROM b" * 60, "SELECT * FROM a" + ", SELECT * FROM b" * 60)
    fine = " UNION ALL ".join(["SELECT x, FROM b"] * 60)

    found = [inspect_sql(sql, dialect="bigquery") for sql in nested]
    assert [each and each.code for each in found] == ["too-nested"] * 2
    assert inspect_sql(fine, dialect="bigquery") is None


def test_a_word_of_megabytes_is_read_once() -> None:
    """Where a call may begin is looked for at the beginning of a word: at each letter of this one took minutes."""
    assert inspect_sql(f"SELECT {'z' * 3_000_000} FROM t") is None
    assert inspect_sql(f"SELECT {'z ' * 300_000} FROM t") is None
