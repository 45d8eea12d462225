"""Record types of PL/SQL: what a block says of the fields of its variables, which the columns of rows fill by position.

``TYPE t IS RECORD (a NUMBER, b NUMBER)``, ``TYPE ts IS TABLE OF t``, ``r t``, ``r d.q%ROWTYPE``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from sqlglot.tokens import Token, TokenType

from ingest.sql.text.tokens import NAMES, after_name, closing, items_of, word_at
from ingest.sql.words import words

_NO_VARIABLES: Final = words("type subtype pragma exit cursor procedure function begin declare end")
_OF_COLLECTIONS: Final = words("table varray varying")
_NAME_AND_MORE: Final = 2


@dataclass(frozen=True, slots=True)
class Typed:
    """A variable, or a type (``is_type``), and what it has for fields.

    Their names, or the table or cursor whose columns they are, or the type (``of``) that says so.
    """

    name: str
    is_type: bool = False
    fields: tuple[str, ...] = ()
    like: str = ""
    of: str = ""


def typed_in(pieces: Sequence[list[Token]]) -> Iterator[Typed]:
    """Yield the types and the variables of rows among the pieces of a block's declarations."""
    for piece in pieces:
        first = word_at(piece, 0)
        if first in ("type", "subtype") and word_at(piece, 2) == "is":
            yield _typed(piece, 1, 3, is_type=True)
        elif first not in _NO_VARIABLES and len(piece) >= _NAME_AND_MORE and piece[0].token_type in NAMES:
            yield _typed(piece, 0, 1 + (word_at(piece, 1) == "constant"), is_type=False)


def _typed(piece: list[Token], named: int, place: int, *, is_type: bool) -> Typed:
    """Return what the type that begins at a place says of the name."""
    name = piece[named].text
    if word_at(piece, place) == "record" and word_at(piece, place + 1) == "(":
        listed = items_of(piece[place + 2 : closing(piece, place + 1)])
        return Typed(name, is_type, tuple(item[0].text for item in listed if item))
    if word_at(piece, place) in _OF_COLLECTIONS:
        place = next((at + 1 for at in range(place, len(piece)) if word_at(piece, at) == "of"), len(piece))
    if place >= len(piece):
        return Typed(name, is_type)
    end = after_name(piece, place)
    called = "".join(token.text for token in piece[place:end])
    if end < len(piece) and piece[end].token_type is TokenType.MOD and word_at(piece, end + 1) == "rowtype":
        return Typed(name, is_type, like=called)
    return Typed(name, is_type, of=called)
