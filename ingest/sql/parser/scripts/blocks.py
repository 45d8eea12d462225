"""Blocks of procedural languages: parameters, declared variables and cursors, and what sets them.

``DECLARE v NUMBER; CURSOR c IS SELECT …; BEGIN …``, the head of a PL/SQL procedure, ``SELECT a INTO v FROM …``,
``FETCH c INTO v``, ``FOR r IN c LOOP``: a declared name is a variable wherever no source is known to have a column of
that name, and holds what it was set from.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from sqlglot.tokens import Token, TokenType

from ingest.sql.parser.scripts.records import Typed, typed_in
from ingest.sql.text.tokens import NAMES, closing, items_of, outside, start_of_name, token_like, word_at
from ingest.sql.words import words

_ROUTINES: Final = words("procedure proc function")
_MODES: Final = words("in out inout variadic")
_NO_VARIABLES: Final = words("type subtype pragma exit continue procedure function begin declare end")
_STATEMENTS: Final = words(
    "select insert update delete merge truncate create alter drop with set call use grant if while for loop return copy"
)
#: What FORALL does with each element.
_EDITIONS: Final = words("no force noforce editionable noneditionable")
_EDITIONED: Final = words("view procedure function package trigger type")
_ATTRIBUTES: Final = words("rowcount found notfound isopen bulk_rowcount")
_OF_EACH: Final = words("insert update delete merge execute")
#: A name and a type, after a word that says what is declared.
_SHORTEST: Final = 2
_BULK: Final = "bulk collect into"
_ASSIGNS: Final = (TokenType.COLON_EQ, TokenType.EQ)


@dataclass(frozen=True, slots=True)
class Declared:
    """Names that a block declares as variables, of whose values nothing is known yet; ``rows`` hold rows.

    ``typed`` says of which types they are.
    """

    names: tuple[str, ...]
    rows: tuple[str, ...] = ()
    typed: tuple[Typed, ...] = ()


@dataclass(frozen=True, slots=True)
class Opened:
    """Where a body begins whose variables end with it."""


@dataclass(frozen=True, slots=True)
class Closed:
    """Where such a body ends."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """``FETCH c INTO a, b``, or ``SELECT … INTO a, b``: the columns of a cursor, or of a query, go to variables."""

    names: tuple[str, ...]
    cursor: str = ""
    query: Any = None


@dataclass(frozen=True, slots=True)
class Called:
    """``pkg.p(a);``: a procedure that is called by its name alone; "" for ``NULL;``, which does nothing."""

    name: str


@dataclass(frozen=True, slots=True)
class Head:
    """What comes before a block's BEGIN: names of variables, and the tokens of each cursor's query by its name.

    ``values`` are the tokens of first values that a query or another variable gives, by the variable's name; ``rows``
    are variables of rows that have none yet, ``typed`` says of which types variables are.
    """

    names: tuple[str, ...]
    cursors: tuple[tuple[str, list[Token]], ...] = ()
    values: tuple[tuple[str, list[Token]], ...] = ()
    rows: tuple[str, ...] = ()
    typed: tuple[Typed, ...] = ()


def parameters(head: list[Token]) -> tuple[str, ...]:
    """Return the names of the parameters in the head of a routine, up to its body."""
    place = next((place for place in range(min(len(head), 6)) if word_at(head, place) in _ROUTINES), None)
    if place is None:
        return ()
    start = next((at for at in range(place, len(head)) if head[at].token_type is TokenType.L_PAREN), None)
    if start is None or any(word_at(head, at) in ("is", "as", "begin") for at in range(place, start)):
        return ()
    result = []
    depth = 0
    for at in range(start, closing(head, start) or len(head)):
        kind = head[at].token_type
        depth += (kind is TokenType.L_PAREN) - (kind is TokenType.R_PAREN)
        opens = depth == 1 and (at == start or kind is TokenType.COMMA)
        if opens and at + 1 < len(head):
            name = at + 2 if word_at(head, at + 1) in _MODES and at + 2 < len(head) else at + 1
            result.append(head[name].text)
    return tuple(result)


def declared(tokens: list[Token]) -> Head:
    """Return what the pieces between DECLARE, IS or AS and BEGIN declare, or one piece after LET."""
    names: list[str] = []
    before: set[str] = set()  # the names as they are compared
    cursors: list[tuple[str, list[Token]]] = []
    values: list[tuple[str, list[Token]]] = []
    rows: list[str] = []
    pieces = _pieces(tokens)
    for piece in pieces:
        first, second = word_at(piece, 0), word_at(piece, 1)
        body = next((place for place in range(1, len(piece)) if word_at(piece, place) in ("is", "for", "as")), 0)
        if "cursor" in (first, second) and body and len(piece) > body + 1:
            cursors.append((piece[1 if first == "cursor" else 0].text, piece[body + 1 :]))
            if word_at(piece, 2) == "(" and (end := closing(piece, 2)):  # CURSOR c (p DATE DEFAULT SYSDATE) IS …
                names += [item[0].text for item in items_of(piece[3:end]) if item]
        elif first not in _NO_VARIABLES and len(piece) > 1:
            piece = _without_kind(piece)
            end = next((place for place in range(len(piece)) if piece[place].token_type is not TokenType.COMMA), 0)
            name, value = piece[end].text, _first_value(piece)
            if word_at(piece, 1) == "resultset":
                cursors += [(name, value)] if value else []
                rows += [] if value else [name]
                continue
            listed = [name, *_listed(piece)]
            names += listed
            before.update(each.lower() for each in listed[:-1])
            if value and (_tells(value, before) or word_at(tokens, 0) == "let"):
                values.append((name, value))
            before.add(listed[-1].lower())
    return Head(tuple(names), tuple(cursors), tuple(values), tuple(rows), tuple(typed_in(pieces)))


def _first_value(piece: list[Token]) -> list[Token]:
    """Return the tokens of the value after ``:=``, ``=`` or DEFAULT in a declaration, none where it has none."""
    for place in outside(piece)[1:]:
        if piece[place].token_type in _ASSIGNS or word_at(piece, place) == "default":
            return piece[place + 1 :]
    return []


def _tells(value: list[Token], before: set[str]) -> bool:
    """Whether a first value is more than a constant: it holds a query, or a variable that is declared before."""
    named = (token.text.lower() for token in value if token.token_type in NAMES)
    return any(name in before for name in named) or any(t.token_type is TokenType.SELECT for t in value)


def _without_kind(piece: list[Token]) -> list[Token]:
    """Return ``OR REPLACE VARIABLE a INT``, of Spark, without the words before the name."""
    if word_at(piece, 0) == "or" and word_at(piece, 1) == "replace":
        piece = piece[2:]
    return piece[1:] if word_at(piece, 0) in ("variable", "var") and len(piece) > _SHORTEST else piece


def _listed(piece: list[Token]) -> list[str]:
    """Return the further names of ``a, b INT``."""
    names = []
    place = 1
    while place + 1 < len(piece) and piece[place].token_type is TokenType.COMMA:
        names.append(piece[place + 1].text)
        place += 2
    return names


def _pieces(tokens: list[Token]) -> list[list[Token]]:
    pieces: list[list[Token]] = [[]]
    for token in tokens:
        if token.token_type is TokenType.SEMICOLON:
            pieces.append([])
        elif not (not pieces[-1] and token.text.lower() in ("declare", "let")):
            pieces[-1].append(token)
    return [piece for piece in pieces if piece]


def head_of_block(chunks: list[list[Token]], place: int) -> tuple[int, tuple[list[Token], list[Token]] | None]:
    """Return the head of a block that begins at a chunk: (the routine's own head, its declarations), and where it ends.

    There is none where no block begins, or where its BEGIN is in the same chunk; then no block begins before the
    place that is returned either.
    """
    first = chunks[place]
    word = word_at(first, 0)
    start = 1
    if word != "declare":
        start = _after_head(first) if any(word_at(first, at) in _ROUTINES for at in range(1, 5)) else 0
    if not start or any(word_at(first, at) == "begin" for at in range(start, len(first))):
        return place + 1, None
    at = place + 1
    while at < len(chunks) and word_at(chunks[at], 0) not in _STATEMENTS:
        if word_at(chunks[at], 0) == "begin":
            declarations = list(first[start:])
            for chunk in chunks[place + 1 : at]:
                declarations += [*_SEMICOLON, *chunk]
            return at, (first[:start], declarations)
        at += 1
    return at, None


_SEMICOLON: Final = (Token(TokenType.SEMICOLON, ";"),)


def _after_head(tokens: list[Token]) -> int:
    """Return the place after the IS or AS that ends a routine's head, 0 where there is none."""
    depth = 0
    for place in range(len(tokens)):
        kind = tokens[place].token_type
        depth += (kind is TokenType.L_PAREN) - (kind is TokenType.R_PAREN)
        if not depth and word_at(tokens, place) in ("is", "as"):
            return place + 1
    return 0


def fetched(tokens: list[Token]) -> Fetched | None:
    """Return what ``FETCH [NEXT FROM] c [BULK COLLECT] INTO a, b`` sets, None for another statement."""
    if word_at(tokens, 0) != "fetch":
        return None
    into = next((place for place in range(1, len(tokens)) if word_at(tokens, place) == "into"), 0)
    if not into:
        return None
    limit = next((place for place in range(into, len(tokens)) if word_at(tokens, place) == "limit"), len(tokens))
    names = tuple(token.text for token in tokens[into + 1 : limit] if token.token_type in NAMES)
    cursor = next((token.text for token in reversed(tokens[1:into])), "")
    return Fetched(names, cursor)


def plain_bulk(tokens: list[Token]) -> list[Token]:
    """``SELECT a BULK COLLECT INTO l`` and ``FORALL i IN 1 .. l.COUNT INSERT … VALUES (l(i).a)``, row by row."""
    words_of = [word_at(tokens, place) for place in range(len(tokens))]
    if _BULK in words_of:
        tokens = [token_like(t, TokenType.INTO, "INTO") if t.text.lower() == _BULK else t for t in tokens]
    if "forall" not in words_of:
        return tokens
    start = words_of.index("forall")
    index = words_of[start + 1] if start + 1 < len(tokens) else ""
    body = next((place for place in range(start, len(tokens)) if words_of[place] in _OF_EACH), len(tokens))
    result = tokens[:start]
    place = body
    while place < len(tokens):
        result.append(tokens[place])
        placed = words_of[place + 1 : place + 4] == ["(", index, ")"]
        place += 4 if placed and tokens[place].token_type in NAMES else 1
    return result


def without_editions(tokens: list[Token]) -> list[Token]:
    """Return a script with ``CREATE OR REPLACE VIEW`` for Oracle's ``CREATE OR REPLACE FORCE EDITIONABLE VIEW``."""
    creates = [place for place in range(len(tokens)) if word_at(tokens, place) == "create"]
    gone: set[int] = set()
    for start in creates:
        place = start + 1 + 2 * (word_at(tokens, start + 2) == "replace")
        end = place
        while word_at(tokens, end) in _EDITIONS:
            end += 1
        if word_at(tokens, end) in _EDITIONED:
            gone.update(range(place, end))
    return [token for place, token in enumerate(tokens) if place not in gone] if gone else tokens


def without_attributes(tokens: list[Token]) -> list[Token]:
    """Return a script with NULL for ``SQL%ROWCOUNT``, ``p.c%NOTFOUND`` and the like: how many rows, and whether any."""
    changed: list[Token] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        asks = token.token_type is TokenType.MOD and word_at(tokens, place + 1) in _ATTRIBUTES and changed
        if not asks:
            changed.append(token)
            place += 1
            continue
        del changed[start_of_name(changed, len(changed) - 1) :]
        changed.append(token_like(token, TokenType.NULL, "NULL"))
        of_one = word_at(tokens, place + 1) == "bulk_rowcount" and word_at(tokens, place + 2) == "("
        place = ((closing(tokens, place + 2) if of_one else 0) or place + 1) + 1
    return changed


def loop_variables(tokens: list[Token]) -> tuple[tuple[str, ...], list[Token]]:
    """Return the variables of ``a, b IN SELECT x, y``, and the query; no names where there are not several."""
    within = next((at for at, token in enumerate(tokens) if token.token_type is TokenType.IN), 0)
    several = within > 1 and within % 2 == 1 and all(t.token_type is TokenType.COMMA for t in tokens[1:within:2])
    return (tuple(token.text for token in tokens[:within:2]), tokens[within + 1 :]) if several else ((), [])


def is_range(sql: str, tokens: list[Token]) -> bool:
    """Whether a loop counts, ``1 .. 10`` or, in Snowflake, ``1 TO 10``."""
    return ".." in sql[tokens[0].start : tokens[-1].end + 1] or any(word_at([token], 0) == "to" for token in tokens)
