"""SQL/JSON functions (SQL:2016, as in Trino and Oracle) cut down to their arguments: the clauses behind move no edge.

``json_value(d, 'lax $.a' PASSING x AS y RETURNING bigint DEFAULT z ON EMPTY)`` takes its value from d, x and z. What is
passed makes it a function of another name here, for the parser knows how many arguments the others have.
"""

from __future__ import annotations

from typing import Final

from sqlglot.tokens import Token, TokenType

from ingest.sql.words import words

_FUNCTIONS: Final = words("json_exists json_value json_query json_array json_object json_arrayagg json_objectagg")
_CLAUSES: Final = words("returning format error empty absent keep omit without")
_BEFORE_ON: Final = words("null true false unknown")
_BEHIND_WITH: Final = words("wrapper unique array conditional unconditional")


def plain_json(tokens: list[Token]) -> list[Token] | None:
    """Return the tokens without such clauses, None where there are none."""
    changed: list[Token] = []
    place = 0
    while place < len(tokens):
        changed.append(tokens[place])
        place += 1
        if _calls(tokens, place - 1):
            place = _arguments(tokens, place, changed)
    return changed if len(changed) < len(tokens) else None


def _arguments(tokens: list[Token], place: int, changed: list[Token]) -> int:
    """Add the bracket at ``place`` and the arguments in it to ``changed``; return the place of the closing one."""
    name = len(changed) - 1
    changed.append(tokens[place])
    place += 1
    while place < len(tokens) and not _is(tokens, place, ")"):
        word = tokens[place].text.lower()
        if _is(tokens, place, "("):
            end = _closing(tokens, place)
            changed += plain_json(tokens[place:end]) or tokens[place:end]
            place = end
        elif word in ("passing", "default"):
            changed[name] = _word(changed[name], TokenType.VAR, f"{changed[name].text}_{word}")
            changed.append(_word(tokens[place], TokenType.COMMA, ","))
            place += 1
        elif word in ("as", "on"):  # the name of what is passed; EMPTY or ERROR
            place += 2
        elif _begins_clause(tokens, place):
            place = _behind(tokens, place)
        else:
            changed.append(tokens[place])
            place += 1
            if _calls(tokens, place - 1):
                place = _arguments(tokens, place, changed)
    return place


def _calls(tokens: list[Token], place: int) -> bool:
    return tokens[place].text.lower() in _FUNCTIONS and _is(tokens, place + 1, "(")


def _begins_clause(tokens: list[Token], place: int) -> bool:
    word = tokens[place].text.lower()
    following = tokens[place + 1].text.lower() if place + 1 < len(tokens) else ""
    if word == "with":
        return following in _BEHIND_WITH
    return word in _CLAUSES or (word in _BEFORE_ON and following == "on")


def _behind(tokens: list[Token], place: int) -> int:
    """Return where a clause ends: at a comma or bracket, and where DEFAULT or PASSING brings another argument."""
    while place < len(tokens) and not (_is(tokens, place, ",") or _is(tokens, place, ")")):
        if tokens[place].text.lower() in ("default", "passing"):
            break
        place = _closing(tokens, place) if _is(tokens, place, "(") else place + 1
    return place


def _closing(tokens: list[Token], place: int) -> int:
    """Return the place behind the bracket that closes the one at ``place``."""
    depth = 0
    while place < len(tokens):
        depth += _is(tokens, place, "(") - _is(tokens, place, ")")
        place += 1
        if not depth:
            break
    return place


def _is(tokens: list[Token], place: int, text: str) -> bool:
    return place < len(tokens) and tokens[place].text == text


def _word(like: Token, kind: TokenType, text: str) -> Token:
    return Token(kind, text, like.line, like.col, like.start, like.end)
