"""Statements that give one table the rows of another without a query: SWAP, EXCHANGE, SWITCH, ATTACH, MOVE, RENAME.

They are read from their words, since each engine has its own and the parser leaves most of them as they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from sqlglot import exp
from sqlglot.tokens import Token, TokenType

from ingest.sql.dialects.rules import Rules
from ingest.sql.text.tokens import NAMES, after_name, commas_outside, items_of, word_at

_PARTITIONS: Final = ("partition", "subpartition", "part")
_MOVING_FUNCTIONS: Final = ("move_partitions_to_table", "copy_partitions_to_table", "swap_partitions_between_tables")
#: Of such a function's arguments, from 0: the table that the rows go to.
_LAST_ARGUMENT: Final = 3


@dataclass(frozen=True, slots=True)
class Move:
    """Rows that go from the first table of each pair to the second; ``kind`` is copy, swap, rename or files.

    Of files the first is a folder's path, as text.
    """

    pairs: tuple[tuple[Any, Any], ...]
    kind: str = "copy"


def moved(tokens: list[Token], rules: Rules) -> Move | None:
    """Return what a statement moves, None for statements that move nothing between tables."""
    first, second = word_at(tokens, 0), word_at(tokens, 1)
    if first == "rename" and second in ("table", "tables"):
        return _renamed(tokens)
    if first == "rename" and second == "object":
        return _renamed_object(tokens)
    if first == "exchange" and second == "tables":
        end = after_name(tokens, 2)
        return _both(_table(tokens, 2), _table(tokens, end + 1)) if word_at(tokens, end) == "and" else None
    if first == "select":
        return _called(tokens, rules)
    if first != "alter" or second not in ("table", "view", "schema"):
        return None
    start = 4 if word_at(tokens, 2) == "if" else 2
    end = after_name(tokens, start)
    if word_at(tokens, end) == "on" and word_at(tokens, end + 1) == "cluster":
        tokens = tokens[:end] + tokens[end + 3 :]
    table = _table(tokens, start)
    if table is None or end >= len(tokens):
        return None
    if second == "schema":
        return _transferred(tokens, table, end)
    return _all_actions(tokens, table, end, rules)


def _called(tokens: list[Token], rules: Rules) -> Move | None:
    """Vertica's ``SELECT MOVE_PARTITIONS_TO_TABLE('d.a', min, max, 'd.b')``, and those that copy or swap them."""
    known = rules.moves_by_functions and word_at(tokens, 1) in _MOVING_FUNCTIONS and word_at(tokens, 2) == "("
    commas = commas_outside(tokens[3:-1]) if known else []
    if len(commas) < _LAST_ARGUMENT:
        return None
    named = tokens[3], tokens[3 + commas[_LAST_ARGUMENT - 1] + 1]
    if any(token.token_type is not TokenType.STRING for token in named):
        return None
    source, target = (exp.to_table(token.text, dialect=rules.parser) for token in named)
    return _both(target, source) if word_at(tokens, 1).startswith("swap") else _to(source, target)


def _all_actions(tokens: list[Token], table: exp.Expr, end: int, rules: Rules) -> Move | None:
    """``ALTER TABLE t DROP PARTITION 1, MOVE PARTITION 2 TO TABLE u, …``: what any of the actions moves."""
    actions = items_of(tokens[end:])
    if len(actions) == 1:
        return _altered(tokens, table, end, rules)
    moves = [_altered([*tokens[:end], *action], table, end, rules) for action in actions]
    kinds = {move.kind for move in moves if move is not None}
    if len(kinds) != 1:
        return None
    return Move(tuple(pair for move in moves if move is not None for pair in move.pairs), kinds.pop())


def _altered(tokens: list[Token], table: exp.Expr, end: int, rules: Rules) -> Move | None:
    rest = [word_at(tokens, place) for place in range(end, len(tokens))]
    if rest[:1] in (["add"], ["partition"]) and "location" in rest and "partition" in rest[:5]:
        return _of_folders(tokens, table, end)
    if rest[:2] == ["swap", "with"]:
        return _both(table, _beside(table, _table(tokens, end + 2), rules))
    if rest[:3] == ["replace", "with", "table"]:
        other = _beside(table, _table(tokens, end + 3), rules)
        texts = [token.text.lower() for token in tokens[end:]]
        one_way = "swap" in texts and texts[-2:-1] == ["false"]
        return _to(other, table) if one_way else _both(table, other)
    if rest[:2] == ["set", "schema"] and len(rest) > 2:
        return _to(table, exp.Table(this=table.this.copy(), db=exp.to_identifier(tokens[end + 2].text)), "rename")
    if rest[:1] == ["inherit"]:  # who reads the parent reads the child's rows, too
        return _to(table, _table(tokens, end + 1))
    if rest[:1] in (["exchange"], ["switch"], ["replace"], ["attach"], ["detach"], ["move"]):
        return _partition(tokens, table, end, rest, rules)
    return None


def _beside(table: Any, other: Any, rules: Rules) -> Any:
    """Return a table that a statement over another names without a database, in the other's where that is meant."""
    if not rules.swaps_in_database or other is None or other.db:
        return other
    return exp.Table(this=other.this, db=table.args.get("db"), catalog=table.args.get("catalog"))


def _of_folders(tokens: list[Token], table: exp.Expr, start: int) -> Move | None:
    """``ADD PARTITION (a = 1) LOCATION '/x'`` and ``PARTITION (a = 1) SET LOCATION '/x'``: files feed the table."""
    after_location = [p + 1 for p in range(start, len(tokens) - 1) if word_at(tokens, p) == "location"]
    paths = [tokens[p].text for p in after_location if tokens[p].token_type is TokenType.STRING]
    return Move(tuple((path, table) for path in paths if path.strip("/")), "files") if paths else None


def _partition(tokens: list[Token], table: exp.Expr, end: int, rest: list[str], rules: Rules) -> Move | None:
    """What happens to a partition, or with SWITCH to a whole table."""
    word = rest[0]
    if word == "switch" and "to" in rest:
        return _to(table, _table(tokens, end + rest.index("to") + 1))
    if len(rest) < 3 or rest[1] not in _PARTITIONS:
        return None
    if word == "exchange" and "table" in rest:
        other = _table(tokens, end + rest.index("table") + 1)
        return _to(other, table) if rules.exchange_moves_one_way else _both(table, other)
    if word == "move" and "to" in rest[:-1] and rest[rest.index("to") + 1] == "table":
        return _to(table, _table(tokens, end + rest.index("to") + 2))
    if rules.attaches_tables:
        other = _table(tokens, end + 2)
        return {"attach": _to(other, table), "detach": _to(table, other)}.get(word)
    if word == "detach" and "into" in rest:  # Db2
        return _to(table, _table(tokens, end + rest.index("into") + 1))
    if word in ("replace", "attach") and "from" in rest:
        return _to(_table(tokens, end + rest.index("from") + 1), table)
    return None


def _transferred(tokens: list[Token], schema: exp.Expr, end: int) -> Move | None:
    """T-SQL's ``ALTER SCHEMA s TRANSFER dbo.t``."""
    if word_at(tokens, end) != "transfer":
        return None
    table = _table(tokens, end + 1)
    return _to(table, exp.Table(this=table.this.copy(), db=schema.this.copy()), "rename") if table is not None else None


def _renamed(tokens: list[Token]) -> Move | None:
    """``RENAME TABLE a TO b, c TO d``."""
    pairs: list[tuple[Any, Any]] = []
    place = 2
    while place < len(tokens):
        old, end = _table(tokens, place), after_name(tokens, place)
        new = _table(tokens, end + 1) if word_at(tokens, end) in ("to", "as") else None
        if old is None or new is None:
            return None
        pairs.append((old, new))
        place = after_name(tokens, end + 1)
        if place >= len(tokens) or tokens[place].token_type is not TokenType.COMMA:
            break
        place += 1
    return Move(tuple(pairs), "rename")


def _renamed_object(tokens: list[Token]) -> Move | None:
    """Synapse's ``RENAME OBJECT dbo.t TO u`` and ``RENAME OBJECT::dbo.t TO u``: the new name is in the same schema."""
    start = next((p for p in range(2, len(tokens)) if tokens[p].token_type is not TokenType.DCOLON), 2)
    old, end = _table(tokens, start), after_name(tokens, start)
    if old is None or word_at(tokens, end) != "to" or end + 1 >= len(tokens):
        return None
    return renamed_beside(old, tokens[end + 1].text)


def renamed_beside(old: exp.Expr, name: str) -> Move:
    """Return the renaming of a table whose new name has no schema of its own."""
    parts = {key: part.copy() if isinstance(part := old.args.get(key), exp.Expr) else part for key in ("db", "catalog")}
    return Move(((old, exp.Table(this=exp.to_identifier(name, quoted=True), **parts)),), "rename")


def _table(tokens: list[Token], place: int) -> Any:
    """Return the table that is named at a place, None where there is no name."""
    if place < len(tokens) and word_at(tokens, place) == "table":
        place += 1
    if place >= len(tokens) or (tokens[place].token_type not in NAMES and not tokens[place].text.isidentifier()):
        return None
    parts = [token for token in tokens[place : after_name(tokens, place)] if token.token_type is not TokenType.DOT]
    named = [exp.to_identifier(token.text, quoted=token.token_type is TokenType.IDENTIFIER) for token in parts[-3:]]
    return exp.Table(**dict(zip(("this", "db", "catalog"), reversed(named), strict=False)))


def _to(source: exp.Expr, target: exp.Expr, kind: str = "copy") -> Move | None:
    return Move(((source, target),), kind) if source is not None and target is not None else None


def _both(one: exp.Expr, other: exp.Expr) -> Move | None:
    return Move(((other, one), (one, other)), "swap") if one is not None and other is not None else None
