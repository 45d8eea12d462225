"""Masked SQL holds no literal and no comment's text, and is still the same SQL otherwise."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
import sqlglot
from sqlglot import exp

from ingest.sql.text.redact import mask_literals


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("hive", "SELECT 'a\\'b', \"c\" FROM t", "SELECT '?', \"?\" FROM t"),
        ("postgres", "SELECT 'a''b', \"c\" FROM t", "SELECT '?', \"c\" FROM t"),
        ("postgres", "SELECT $x$ it's $x$, $$b$$", "SELECT $x$?$x$, $$?$$"),
        ("oracle", "SELECT q'[it's]' FROM t", "SELECT q'[?]' FROM t"),
        ("bigquery", "SELECT '''a\nb''', r\"x\"", "SELECT '''?\n''', r\"?\""),
        ("bigquery", "SELECT 1 -- pw: x\n# y\nFROM t /* k\n */", "SELECT 0 -- ?\n# ?\nFROM t /* ?\n */"),
        ("spark", "SELECT 12, -3.5e-7, .5, 10L, 1.5BD, 0xFF, a1, t.c2", "SELECT 0, -0, 0, 0, 0BD, 0, a1, t.c2"),
        ("bigquery", "SELECT x[0] FROM proj-12.ds.t1, `p.2.t`", "SELECT x[0] FROM proj-12.ds.t1, `p.2.t`"),
        ("hive", "SELECT a FROM 2019_events LIMIT 77", "SELECT a FROM 2019_events LIMIT 0"),
        ("trino", "SELECT 'open 12", "SELECT '?'"),
    ],
)
def test_strings_numbers_and_comments_are_masked(dialect: str, sql: str, expected: str) -> None:
    """Each literal is replaced in its own quotes; names, also those with digits or quotes, stay."""
    assert mask_literals(sql, dialect) == expected


HIDING = (
    "'{}'", "'it''s {}'", "'\\'{}'", '"{}"', "'''{}'''", '"""{} " """', "r'{}'", "b'{}'", "-- {}", "/* {} */", "# {}",
    "/* /* {} */", "'a' '{}'", "'{}", "/* {}", "'/*' '{}'", "-- '\n'{}'", "`a'b` '{}'",
)  # fmt: skip


@pytest.mark.parametrize("place", HIDING)
def test_a_secret_is_gone_wherever_the_dialect_hides_it(place: str) -> None:
    """No way of quoting or commenting lets a canary through."""
    for canary in ("c4n4ry", "hunter2 x", "4111111111111111"):
        sql = f"SELECT a FROM t WHERE b = {place.format(canary)}\n"

        assert canary not in mask_literals(sql, "bigquery")


def test_masking_twice_changes_nothing_more() -> None:
    """Masking is idempotent."""
    once = mask_literals("SELECT 'a', 1.5, \"b\" -- c\n/* d */ FROM t", "hive")

    assert mask_literals(once, "hive") == once


@pytest.mark.long
def test_real_texts_parse_alike_after_masking(shared_dir: Path) -> None:
    """Masked real texts keep their lines, and parse to trees with the same tables and columns."""
    with gzip.open(shared_dir / "data/bqetl_stream/messages-2022.jsonl.gz", "rt") as lines:
        texts = {m["sql"] for m in map(json.loads, lines) if m["sql"] and not m["templated"] and len(m["sql"]) < 20_000}
    compared = 0
    for sql in sorted(texts)[::6]:
        masked = mask_literals(sql, "bigquery")
        assert masked.count("\n") == sql.count("\n")
        before, after = sqlglot.parse(sql, dialect="bigquery"), sqlglot.parse(masked, dialect="bigquery")
        compared += 1
        for kind in (exp.Table, exp.Column):
            assert names(after, kind) == names(before, kind)
    assert compared > 50


def names(trees: list[exp.Expression | None], kind: type[exp.Expression]) -> list[list[str]]:
    """The name parts of each table or column."""
    found = [node for tree in trees if tree for node in tree.find_all(kind)]
    return [
        [part.name for part in node.parts] for node in found if all(isinstance(p, exp.Identifier) for p in node.parts)
    ]


def test_the_line_between_two_cells_of_a_notebook_stays() -> None:
    """It ends a statement, and says nothing that is not in every notebook."""
    assert mask_literals("a -- b\n-- COMMAND ----------\nc", "databricks") == "a -- ?\n-- COMMAND ----------\nc"
