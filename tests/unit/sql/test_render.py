"""Texts of expressions: as written, cut to a length, or a digest."""

from __future__ import annotations

import sqlglot

from ingest.sql.render import LONGEST_TEXT, MAX_QUERIES, digest_of, shorten, text_of


def test_a_long_text_is_cut_and_still_told_from_others() -> None:
    """Its end is a hash of the whole."""
    one, two = shorten("x" * 600 + "a"), shorten("x" * 600 + "b")

    assert len(one) <= LONGEST_TEXT
    assert one != two
    assert shorten("x" * LONGEST_TEXT) == "x" * LONGEST_TEXT


def test_many_columns_are_a_digest_in_any_order() -> None:
    """Others give another."""
    assert digest_of(["a", "b"]) == digest_of(["b", "a"]) != digest_of(["a", "c"])
    assert digest_of(["\ud800"]).startswith("… ")


def test_a_node_is_written_in_its_dialect() -> None:
    """One with too many queries has no text."""
    nested = "SELECT a FROM t"
    for _ in range(MAX_QUERIES):
        nested = f"SELECT a FROM ({nested}) AS q"

    assert text_of(sqlglot.parse_one("a || 'x'", dialect="hive"), "hive") == "a || 'x'"
    assert text_of(sqlglot.parse_one(nested), None) == ""
