"""Rows of the log as a stricter policy keeps them."""

from __future__ import annotations

import hashlib

import orjson
import pytest

from lineage_tt.model.format import LogRow
from lineage_tt.model.messages import DIGEST_BYTES, Lineage, MaskedText, Problem, TaskChange
from lineage_tt.model.redaction.messages import says_the_same
from lineage_tt.model.redaction.policy import POLICY_NODE, TextPolicy
from lineage_tt.model.redaction.rows import Items, digest_without_literals, redacted_row
from lineage_tt.model.redaction.texts import text_sha256

KEEP, MASKED, DROP = TextPolicy
EDGE = ("n:a#x", "n:b#y", "DIRECT", "TRANSFORMATION", "x + 41")
ROW = LogRow(
    7, 9, "accepted", event_id="e", task_id="t", op="update", kind="task", effective_at=5, reason="select 41",
    attributes='{"q":"select 41"}', params='{"day":"41"}', sql="select x + 41", sql_sha256="00", parser="p",
    problems=[Problem("syntax", "at 41")], edges=[EDGE], changes=[(1, *EDGE, 5, None)],
    facts=[("n:b", "definition", "select 41"), ("n:b#y", "column", "select 41")],
    fact_changes=[(1, "n:b", "definition", "select 41", 5, None)], content_sha256=b"old", checksum=b"sum",
)  # fmt: skip


def test_a_stricter_policy_leaves_no_literal() -> None:
    """The declared type of a column is none; version, time and checksum are those of before."""
    row = redacted_row(ROW, MASKED, KEEP, Items(MASKED, [EDGE[4]]))
    said = repr(row._replace(facts=[fact for fact in row.facts if fact[1] != "column"]))

    assert "41" not in said
    assert (row.version, row.system_time, row.checksum) == (7, 9, b"sum")
    assert (row.sql, row.params) == (None, None)
    assert row.facts == [("n:b", "definition", "select ?"), ("n:b#y", "column", "select 41")]
    assert row.changes == [(1, *EDGE[:4], "x + ?", 5, None)]
    assert row.sql_sha256 == text_sha256("select x + 41", None, MASKED)


def test_a_masked_text_that_a_parser_read_is_kept() -> None:
    """With what it says of it; where texts are dropped it goes all the same."""
    text, problems = MaskedText("select x + ?", {"day": "?"}), [Problem("syntax", "at 12")]
    kept = redacted_row(ROW, MASKED, KEEP, Items(MASKED, []), text, problems)
    gone = redacted_row(ROW, DROP, KEEP, Items(DROP, []), text, problems)

    assert (kept.sql, kept.params, kept.problems) == ("select x + ?", '{"day":"?"}', problems)
    assert (gone.sql, gone.params) == (None, None)
    assert gone.edges[0][4].startswith("~")


def test_what_was_as_strict_before_keeps_its_text_and_digest() -> None:
    """Only words beside the text are looked at again."""
    row = redacted_row(ROW, MASKED, MASKED, Items(MASKED, []))

    assert (row.sql, row.content_sha256, row.sql_sha256) == (ROW.sql, b"old", "00")
    assert row.reason == "select ?"


def test_a_row_is_known_by_its_message_after_it_was_tightened() -> None:
    """A message that is sent a second time has literals that the row has no more."""
    said = TaskChange("e", "t", "update", 5, sql="select x + 41", params={"day": "41"})

    assert says_the_same(said, digest_without_literals(ROW))
    assert redacted_row(ROW, DROP, KEEP, Items(DROP, [])).content_sha256 == digest_without_literals(ROW)


def test_given_edges_count_without_literals_and_a_row_without_text_keeps_its_digest() -> None:
    """A message of edges alone has no text to lose."""
    given = ROW._replace(sql=None, sql_sha256=None, params=None, parser=None)
    said = TaskChange("e", "t", "update", 5, lineage=Lineage([(*EDGE[:4], "x + 99")]))

    assert says_the_same(said, digest_without_literals(given))
    assert digest_without_literals(given._replace(edges=[(*EDGE[:4], "")])) == b"old"


def test_a_dead_letter_is_known_by_what_is_kept_of_it() -> None:
    """Its bytes and words are masked; where nothing of them is kept, the digest stays that of the bytes."""
    raw = orjson.dumps({"sql": "select 41", "task": "t"})
    letter = LogRow(3, 1, "rejected", content_sha256=b"old", rejected_bytes=raw, rejected_detail="no 'select 41'")
    row = redacted_row(letter, MASKED, KEEP, Items(MASKED, []))
    no_json = redacted_row(letter._replace(rejected_bytes=b"select 41"), MASKED, KEEP, Items(MASKED, []))

    assert row.rejected_detail == "no '?'"
    assert b"41" not in (row.rejected_bytes or b"")
    assert row.content_sha256 == hashlib.sha256(row.rejected_bytes or b"").digest()[:DIGEST_BYTES]
    assert b"41" not in (no_json.rejected_bytes or b"")
    assert no_json.content_sha256 == b"old"
    assert redacted_row(letter, MASKED, DROP, Items(MASKED, [])) is letter


@pytest.mark.parametrize("node", [POLICY_NODE, "subscription:x"])
def test_facts_of_the_product_stay(node: str) -> None:
    """So do those of columns; all others are texts."""
    items = Items(MASKED, [])

    assert items.facts([(node, "k", "select 1"), ("n:a", "k", "select 1")]) == sorted(
        [(node, "k", "select 1"), ("n:a", "k", "select ?")]
    )
    assert items.fact_changes([(-1, node, "k", "select 1", 5, None)]) == [(-1, node, "k", "select 1", 5, None)]


def test_equal_expressions_become_equal_ones() -> None:
    """Whichever row they are in; one that a parser wrote holds no literal, and stays."""
    items = Items(MASKED, ["x + 41"])

    assert (items.expression("x + 41"), items.expression("y + 41"), items.expression("")) == ("x + ?", "y + 41", "")
    assert items.edges([EDGE, EDGE]) == [(*EDGE[:4], "x + ?")]
