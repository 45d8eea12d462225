"""Words of procedural scripts around statements: BEGIN, IF … THEN, WHILE … DO, labels, handlers, END, and Flink's sets.

A script is cut at its semicolons, so these words are in front of the first statement that they guard.
"""

from __future__ import annotations

from typing import Final

from sqlglot.tokens import Token, TokenType

from ingest.sql.text.tokens import word_at
from ingest.sql.words import words


def without_script_words(tokens: list[Token]) -> list[Token]:
    """Return a statement without the words of a procedural script in front of it."""
    place = 0
    while place < len(tokens):
        end = _script_prefix(tokens, place)
        if end == place:
            break
        place = end
    return tokens[place:]


def words_before(whole: list[Token], body: list[Token]) -> list[Token]:
    """Return the words in front of a statement, which may have been opened."""
    start = next((place for place, token in enumerate(whole) if body and token is body[0]), len(whole))
    return whole[:start]


def _script_prefix(tokens: list[Token], place: int) -> int:
    word = tokens[place].text.upper()
    following = tokens[place + 1].text.upper() if place + 1 < len(tokens) else ""
    if following == ":" and word_at(tokens, place + 2) in _LABELLED:
        return place + 2
    if word == "UNTIL":
        return len(tokens)
    if word == "DECLARE" and place + 2 < len(tokens):
        return _declared(tokens, place)
    if word == "BEGIN":
        return len(tokens) if following in ("TRANSACTION", "TRAN", "WORK") else place + 1
    if word == "ATOMIC" and word_at(tokens, place - 1) in ("begin", "not"):
        return place + 1
    if word == "NOT" and following == "ATOMIC":  # MariaDB's and Db2's BEGIN NOT ATOMIC
        return place + 1
    if word in ("ELSE", "LOOP", "REPEAT") and tokens[place].token_type != TokenType.STRING:
        return place + 1 if following != "(" else place
    if word == "END":
        named = place + 2 == len(tokens) and tokens[place + 1].token_type is TokenType.VAR  # END label
        closes = named or following in ("IF", "WHILE", "LOOP", "FOR", "REPEAT", "CASE", "")
        return len(tokens) if closes else place + 1
    if word in ("IF", "ELSEIF", "ELSIF"):
        return _after(tokens, place, "THEN")
    if word in ("CASE", "WHEN"):  # a statement that begins so is not an expression
        end = _after(tokens, place + 1, "THEN")
        return end if end > place + 1 else place
    if word in ("WHILE", "FOR"):
        return loop_body(tokens, place)
    if word == "EXCEPTION" and following == "WHEN":
        return _after(tokens, place, "THEN")
    if word == "CREATE" and any(token.text.upper() == "PROCEDURE" for token in tokens[place : place + 4]):
        return _after(tokens, place, "BEGIN")
    return place


def loop_body(tokens: list[Token], place: int) -> int:
    """Return the place where a loop's body begins: after DO or, in PostgreSQL and Oracle, LOOP."""
    end = _after(tokens, place, "DO")
    return end if end > place else _after(tokens, place, "LOOP")


def _after(tokens: list[Token], place: int, word: str) -> int:
    """Return the place after ``word`` outside of brackets and CASE, ``place`` where it does not come."""
    depth = 0
    for index in range(place, len(tokens)):
        text = tokens[index].text.upper()
        kind = tokens[index].token_type
        if kind in (TokenType.L_PAREN, TokenType.CASE):
            depth += 1
        elif kind == TokenType.R_PAREN or (kind == TokenType.END and depth):
            depth -= 1
        elif text == word and depth == 0 and kind not in (TokenType.STRING, TokenType.IDENTIFIER):
            return index + 1
    return place


def _declared(tokens: list[Token], place: int) -> int:
    """What DECLARE EXIT HANDLER FOR … does is reported as if it ran; DECLARE … CONDITION FOR … does nothing."""
    if word_at(tokens, place + 2) == "condition":
        return len(tokens)
    if word_at(tokens, place + 2) != "handler":
        return place
    end = place + 4
    while end < len(tokens) and not _follows_conditions(tokens, end):
        end += 1
    return end


def _follows_conditions(tokens: list[Token], place: int) -> bool:
    """Whether a statement begins, after ``SQLEXCEPTION``, ``NOT FOUND``, ``SQLSTATE '22012'``, a name or several."""
    if tokens[place].token_type in (TokenType.COMMA, TokenType.STRING):
        return False
    return tokens[place - 1].token_type is not TokenType.COMMA and word_at(tokens, place - 1) not in _BEFORE_CONDITION


_LABELLED: Final = words("begin while loop repeat for if case")
_BEFORE_CONDITION: Final = words("for not sqlstate value")


#: How Flink's statement sets begin, several INSERTs that run as one job: each INSERT stays.
_OPENINGS: Final = (["execute", "statement", "set", "begin"], ["begin", "statement", "set"])
_RUN: Final = ("insert", "with", "select")


def without_statement_set(tokens: list[Token]) -> list[Token]:
    """Return a statement without ``EXECUTE STATEMENT SET BEGIN``, ``BEGIN STATEMENT SET`` or ``EXECUTE`` in front."""
    for opening in _OPENINGS:
        if [word_at(tokens, place) for place in range(len(opening))] == opening:
            return tokens[len(opening) :]
    if word_at(tokens, 0) == "execute" and word_at(tokens, 1) in _RUN:
        return tokens[1:]
    return tokens
