"""Candidates' texts beside those in force: what differs, as the store keeps it, and the types that come of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from plain_base import AT, PlainBase, candidate, edge, resolved, text

from lineage_tt.impact.release.comparing import as_stored, message_of, side_of
from lineage_tt.impact.release.release import Change
from lineage_tt.impact.texts import Side
from lineage_tt.model.edges import Edge
from lineage_tt.model.messages import Lineage, Problem
from lineage_tt.model.redaction.policy import TextPolicy

ORDERS, SALES = "hive:ods.orders", "hive:dw.sales"
SQL = "CREATE TABLE sales AS SELECT id, amount FROM ods.orders WHERE status = 'paid'"
EDGES = [edge("sales", f"{ORDERS}#{name}", f"{SALES}#{name}") for name in ("id", "amount")]
EDGES.append(edge("sales", f"{ORDERS}#status", SALES, "INDIRECT", "FILTER"))
KNOWN: dict[str, Any] = {
    "columns": {ORDERS: ("id", "amount", "status"), SALES: ("id", "amount")},
    "types": {ORDERS: {"id": "INT", "amount": "INT", "status": "STRING"}},
}


def compared(sql: str, *, was: str | None = SQL, policy: TextPolicy = TextPolicy.KEEP, **more: Any) -> Change:
    """Return the change of ``sales`` to a text."""
    texts = [text("sales", was, policy=policy)] if was is not None else []
    base = PlainBase(*EDGES, texts=texts, **(KNOWN | more))
    return resolved(base, candidate("sales", sql)).changes["sales"]


def test_a_text_is_compared_with_the_one_in_force() -> None:
    """Its columns by name, with what the text before was read as."""
    change = compared(SQL.replace("amount FROM", "amount * 2 AS amount FROM"))

    assert change.difference is not None
    assert (change.difference.changed, change.difference.reasons) == (("amount",), ("expression",))
    assert change.old is not None
    assert sorted(change.old.edges) == sorted(each.edge for each in EDGES)


def test_a_new_text_is_compared_with_itself() -> None:
    """So that it is known how it writes, and which names it cannot resolve."""
    change = compared(SQL, was=None)

    assert change.difference is not None
    assert (change.difference.same, change.difference.writes, change.old) == (True, ((SALES, "ctas"),), None)


def test_types_of_the_target_are_kept_where_they_differ() -> None:
    """Of a text that makes its table; one that fills a table changes no type of it."""
    cast = SQL.replace("amount FROM", "CAST(amount AS STRING) AS amount FROM")
    base = PlainBase(*EDGES, texts=[text("sales", SQL)], **KNOWN)
    insert = "INSERT INTO sales SELECT id, amount FROM ods.orders WHERE status = 'paid'"
    filled = PlainBase(*EDGES, texts=[text("sales", insert)], **KNOWN)

    made = resolved(base, candidate("sales", cast))
    kept = resolved(base, candidate("sales", SQL.replace("paid", "open")))
    other = resolved(filled, candidate("sales", insert.replace("amount FROM", "CAST(amount AS STRING) FROM")))

    assert made.types[SALES]["amount"].upper() in ("STRING", "TEXT")
    assert kept.types == other.types == {}


def test_types_of_undeclared_sources_are_inferred_where_columns_change() -> None:
    """What made the source says of which type the changed column was, and is."""
    base = PlainBase(
        edge("mid", "hive:ods.raw#a", "hive:dw.mid#a"), edge("sales", "hive:dw.mid#a", f"{SALES}#x"),
        columns={"hive:dw.mid": ("a", "b"), SALES: ("x",)}, declared={"hive:dw.mid": "mid"},
        texts=[text("mid", "CREATE TABLE mid AS SELECT CAST(p AS INT) AS a, CAST(q AS DATE) AS b FROM ods.raw"),
               text("sales", "CREATE TABLE sales AS SELECT a AS x FROM mid")],
    )  # fmt: skip

    change = resolved(base, candidate("sales", "CREATE TABLE sales AS SELECT b AS x FROM mid")).changes["sales"]

    assert change.difference is not None
    assert [(name, old.upper(), new.upper()) for name, old, new in change.difference.types] == [("x", "INT", "DATE")]


def test_a_renamed_source_is_no_difference() -> None:
    """A text that takes the column by its new name says the same as the one before."""
    base = PlainBase(
        edge("src", "hive:ods.raw#a", f"{ORDERS}#amount"), edge("sales", f"{ORDERS}#amount", f"{SALES}#amount"),
        columns={ORDERS: ("amount",), SALES: ("amount",)},
        texts=[text("src", "CREATE TABLE ods.orders AS SELECT a AS amount FROM ods.raw"),
               text("sales", "CREATE TABLE sales AS SELECT amount FROM ods.orders")],
    )  # fmt: skip

    made = resolved(base, candidate("src", "CREATE TABLE ods.orders AS SELECT a AS paid FROM ods.raw"),
                    candidate("sales", "CREATE TABLE sales AS SELECT paid AS amount FROM ods.orders"))  # fmt: skip

    assert made.renames == {f"{ORDERS}#amount": f"{ORDERS}#paid"}
    assert made.changes["sales"].difference is not None
    assert made.changes["sales"].difference.same


@pytest.mark.parametrize(
    ("sql", "same"),
    [(SQL.replace("paid", "open"), True), (SQL.replace("status =", "status <>"), False), (SQL, True)],
)
def test_a_text_kept_without_literals_is_compared_without_them(sql: str, same: bool) -> None:
    """An edit of a literal alone cannot be seen; others are."""
    change = compared(sql, was=SQL.replace("paid", "?"), policy=TextPolicy.MASK)

    assert change.difference is not None
    assert change.difference.same is same


def test_an_offline_task_is_asked_what_it_wrote() -> None:
    """Its text in force is read, and there is nothing to compare."""
    base = PlainBase(*EDGES, texts=[text("sales", SQL)], **KNOWN)

    change = resolved(base, candidate("sales", op="offline")).changes["sales"]

    assert change.old is not None
    assert change.old.outputs == ((SALES, ("id", "amount")),)
    assert change.difference is None


def test_expressions_are_as_the_store_keeps_them_of_the_text_in_force() -> None:
    """Those that a message gives without literals, or as a digest that literals do not change; a parser's hold none."""

    def stored(policy: TextPolicy | None, words: str = "x + 'secret'", sql: str | None = None) -> str:
        before = text("t", policy=policy) if policy is not None else None
        made = Edge("n:a#x", "n:b#x", "DIRECT", "TRANSFORMATION", words)
        given = candidate("t", sql, *([] if sql else [made]))
        return as_stored(given, Lineage([made]), before, TextPolicy.KEEP).ordered_edges()[0][4]

    assert stored(None) == stored(TextPolicy.KEEP) == "x + 'secret'"
    assert stored(TextPolicy.MASK) == "x + ?"
    assert stored(TextPolicy.MASK, "coalesce(x, 0)", sql="SELECT 1") == "coalesce(x, 0)"
    dropped = stored(TextPolicy.DROP)
    assert (dropped[0], "secret" in dropped) == ("~", False)
    assert dropped == stored(TextPolicy.DROP, "x + 'other'") != stored(TextPolicy.DROP, "x - 'other'")


def test_problems_quote_nothing_where_the_store_keeps_no_texts() -> None:
    """By the policy now in force, whatever held when the text before came."""
    lineage = Lineage(problems=[Problem("syntax", "unexpected 'secret'")])

    kept, masked = (as_stored(candidate("t", "SELECT 1"), lineage, None, policy).problems[0].detail
                    for policy in (TextPolicy.KEEP, TextPolicy.MASK))  # fmt: skip

    assert (kept, masked) == ("unexpected 'secret'", "unexpected ?")


def test_a_text_in_force_is_a_message_again() -> None:
    """With its context, from the release's moment on."""
    given = text("t", "SELECT ${day}", target="bi:x", params={"day": "1"})

    message = message_of(given, AT)

    assert (message.task_id, message.op, message.effective_at, message.sql) == ("t", "update", AT, "SELECT ${day}")
    assert (message.dialect, message.namespace, message.default_database) == ("spark", "hive", "dw")
    assert (message.target, message.params) == ("bi:x", {"day": "1"})


def test_a_side_is_a_text_with_what_it_may_ask_for() -> None:
    """A candidate's or one in force; what is None is empty."""
    bare = replace(candidate("t", None), target="bi:x")
    columns, types, renames = {"n:a": ("x",)}, {"n:a": {"x": "INT"}}, {"n:a": {"old": "x"}}

    assert side_of(bare, {}, {}) == Side("", "", "", "", "bi:x")
    assert side_of(text("t", "SELECT 1"), columns, types, renames) == Side(
        "SELECT 1", "spark", "hive", "dw", None, {}, columns, types, renames
    )
