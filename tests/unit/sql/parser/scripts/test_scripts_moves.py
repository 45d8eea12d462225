"""Statements that give one table the rows of another without a query."""

from __future__ import annotations

from typing import Any

import pytest
from token_texts import tokens_in

from ingest.sql.dialects.registry import rules_or_standard
from ingest.sql.parser.scripts.moves import moved


def pairs(sql: str, dialect: str) -> tuple[str, list[tuple[str, str]]] | None:
    """Return the kind and the pairs; T-SQL's tokenizer leaves RENAME and EXCHANGE as words, as the parser does."""
    move = moved(tokens_in(sql, "tsql"), rules_or_standard(dialect))
    return None if move is None else (move.kind, [(shown(old), shown(new)) for old, new in move.pairs])


def shown(table: Any) -> str:
    """Return a table as it is written, a path as it is."""
    return table if isinstance(table, str) else str(table.sql())


@pytest.mark.parametrize(
    ("sql", "dialect", "kind", "moves"),
    [("rename table a to b, d.c to d.e", "mysql", "rename", [("a", "b"), ("d.c", "d.e")]),
     ("exchange tables a and b", "clickhouse", "swap", [("b", "a"), ("a", "b")]),
     ("alter table if exists a swap with b", "snowflake", "swap", [("b", "a"), ("a", "b")]),
     ("alter table a switch partition 3 to b", "tsql", "copy", [("a", "b")]),
     ("alter table a switch to b", "tsql", "copy", [("a", "b")]),
     ("alter schema s transfer dbo.t", "tsql", "rename", [("dbo.t", "s.t")]),
     ("alter table d.t set schema s", "postgres", "rename", [("d.t", "s.t")]),
     ("alter table a inherit b", "postgres", "copy", [("a", "b")]),
     ("alter table p attach partition c for values in (1)", "postgres", "copy", [("c", "p")]),
     ("alter table p detach partition c", "postgres", "copy", [("p", "c")]),
     ("alter table t replace partition 1 from u", "clickhouse", "copy", [("u", "t")]),
     ("alter table t move partition 1 to table u", "clickhouse", "copy", [("t", "u")]),
     ("alter table a replace with table b properties('swap' = 'false')", "doris", "copy", [("b", "a")]),
     ("alter table t add partition (a = 1) location '/x'", "hive", "files", [("/x", "t")]),
     ("select move_partitions_to_table('d.a', 1, 2, 'd.b')", "vertica", "copy", [("d.a", "d.b")])],
)  # fmt: skip
def test_rows_go_where_each_engine_sends_them(sql: str, dialect: str, kind: str, moves: list[tuple[str, str]]) -> None:
    """The first of a pair gives its rows to the second."""
    assert pairs(sql, dialect) == (kind, moves)


def test_all_actions_of_an_alter_count() -> None:
    """Those that move nothing are passed over; of two kinds none is chosen."""
    moves = "alter table t drop partition 1, move partition 2 to table u, move partition 3 to table w"

    assert pairs(moves, "clickhouse") == ("copy", [("t", "u"), ("t", "w")])
    assert pairs("alter table t move partition 2 to table u, set schema s", "postgres") is None


@pytest.mark.parametrize(
    ("sql", "dialect"),
    [("alter table t add column a int", "hive"), ("alter table t", "hive"), ("rename table a", "mysql"),
     ("exchange tables a", "clickhouse"), ("select move_partitions_to_table('a', 1, 2, 'b')", "hive"),
     ("select move_partitions_to_table('a', 'b')", "vertica"), ("insert into t select 1", "hive")],
)  # fmt: skip
def test_other_statements_move_nothing(sql: str, dialect: str) -> None:
    """Neither do those that lack the other table, nor another engine's functions."""
    assert pairs(sql, dialect) is None
