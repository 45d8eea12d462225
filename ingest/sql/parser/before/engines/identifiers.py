"""``IDENTIFIER(…)``: the name that a constant says, or one that shows which parameters and variables it is made of."""

from __future__ import annotations

import re
from typing import Final

from sqlglot.dialects.dialect import Dialect
from sqlglot.tokens import Token, TokenType

from ingest.sql.text.parts import label_of_part, name_of_part
from ingest.sql.text.tokens import closing, commas_outside, token_like, tokens_of, word_at

_PART: Final = re.compile(r"\{\{.*?\}\}|\$\{[^}]*\}", re.DOTALL)
_DOT: Final = re.compile(r"\.(?![^{}]*\})")
_PLAIN: Final = re.compile(r"\w+")
# A space that is not between two words.
_NEEDLESS: Final = re.compile(r"(?<=\W) | (?=\W)")
_LONGEST: Final = 60
#: A piece of what is in the brackets: a text, or the name of a value that only a run knows.
Piece = tuple[bool, str]


def plain_identifiers(tokens: list[Token], dialect: Dialect) -> list[Token]:
    """Return a statement with the name that each ``IDENTIFIER('a' || :b)`` says in its place: ``a${b}``."""
    changed: list[Token] = []
    place = 0
    while place < len(tokens):
        end, pieces = _clause(tokens, place)
        changed += _name(pieces, tokens[place], dialect) or tokens[place:end]
        place = end
    return changed


def without_value(tokens: list[Token]) -> list[str]:
    """Return the parameters, variables and template parts on which a name in IDENTIFIER depends, in order."""
    found: list[str] = []
    for place in [place for place, token in enumerate(tokens) if token.text.upper() == "IDENTIFIER"]:
        for is_text, piece in _clause(tokens, place)[1]:
            found += [name_of_part(part) for part in _PART.findall(piece)] if is_text else [piece]
    return list(dict.fromkeys(found))


def _clause(tokens: list[Token], place: int) -> tuple[int, list[Piece]]:
    """Return the place after the clause that begins here, and its pieces; after one token, where there is none."""
    opens = tokens[place].text.upper() == "IDENTIFIER" and tokens[place + 1 : place + 2]
    if not opens or opens[0].token_type is not TokenType.L_PAREN:
        return place + 1, []
    end = closing(tokens, place + 1)
    inside = tokens[place + 2 : end]
    if not inside or any(token.token_type is TokenType.NULL for token in inside):  # a value that a template gives
        return place + 1, []
    if _are_columns(tokens, place + 2, end):
        return place + 1, []
    pieces: list[Piece] = []
    start = 0
    for at in range(len(inside) + 1):
        if at == len(inside) or inside[at].token_type is TokenType.DPIPE:
            pieces.append(_piece(inside[start:at]))
            start = at + 1
    return end + 1, pieces


def _are_columns(tokens: list[Token], start: int, end: int) -> bool:
    """Whether the brackets hold the columns of a table or a WITH query that is called ``identifier``."""
    if word_at(tokens, end + 1) == "as" and word_at(tokens, end + 2) == "(":
        return True
    if word_at(tokens, start) != "case" and all(_PLAIN.fullmatch(token.text) for token in tokens[start : start + 2]):
        return end - start > 1  # a name and its type
    return bool(commas_outside(tokens[start:end]))


def _piece(tokens: list[Token]) -> Piece:
    if len(tokens) == 1 and tokens[0].token_type is TokenType.STRING:
        return True, tokens[0].text
    named = [token.text for token in tokens if _PLAIN.fullmatch(token.text)]
    if len(tokens) <= 2 and named:
        return False, named[0]
    return False, _NEEDLESS.sub("", " ".join(token.text for token in tokens))[:_LONGEST] or "?"


def _name(pieces: list[Piece], like: Token, dialect: Dialect) -> list[Token]:
    """Return the tokens of a name; none where there are no pieces, or they say none."""
    text = "".join(piece if is_text else f"${{{piece}}}" for is_text, piece in pieces)
    if all(is_text for is_text, _ in pieces) and not _PART.search(text):
        return tokens_of(text, dialect) or []
    named: list[Token] = []
    for part in filter(None, _DOT.split(text)):
        shown = _PART.sub(lambda match: label_of_part(match[0]), part)
        dot = [token_like(like, TokenType.DOT, ".")] if named else []
        kind = TokenType.VAR if _PLAIN.fullmatch(shown) else TokenType.IDENTIFIER
        named += [*dot, token_like(like, kind, shown)]
    return named
