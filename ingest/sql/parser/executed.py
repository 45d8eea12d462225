"""EXECUTE IMMEDIATE of a constant text: the statement that it runs, with USING's arguments and INTO's variables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from sqlglot.tokens import Token, TokenType

from ingest.sql.text.tokens import BETWEEN_DOLLARS, NAMES, TEXTS, items_of, token_like, word_at

_MODES: Final = ("in", "out")
_BINDS: Final = (TokenType.COLON, TokenType.PARAMETER)
_OF_NAMES: Final = (*NAMES, TokenType.DOT, TokenType.COLON, TokenType.PARAMETER)
_START: Final = 3
#: Words that the tokenizer may take for names, and that a value may follow.
_BEFORE_VALUES: Final = ("return", "returning", "then", "else", "when", "by", "like")


@dataclass(frozen=True, slots=True)
class Executed:
    """A constant text that is run: the variables that take its row, and the names or values handed in, in order."""

    text: str
    into: tuple[str, ...] = ()
    using: tuple[list[Token], ...] = ()


def executed(tokens: list[Token]) -> Executed | None:
    """Return the constant text that EXECUTE IMMEDIATE runs, None for another command and a text made at run time.

    T-SQL's are ``EXEC ('…')`` and ``EXEC sp_executesql N'…', N'@d DATE', @d = …``, whose parameters are variables.
    """
    if word_at(tokens, 0) in ("exec", "execute") and (text := _of_batches(tokens)) is not None:
        return Executed(text)
    if len(tokens) < _START or word_at(tokens, 1) != "immediate":
        return None
    if tokens[2].token_type not in (TokenType.STRING, *BETWEEN_DOLLARS):
        return None
    places = {word_at(tokens, place): place for place in range(len(tokens) - 1, _START - 1, -1)}
    into, using = places.get("into"), places.get("using")
    if len(tokens) > _START and _START not in (into, using):
        return None
    names = tokens[into + 1 : using if using is not None and using > into else None] if into is not None else []
    handed = tokens[using + 1 : into if into is not None and into > using else None] if using is not None else []
    if handed and handed[0].token_type is TokenType.L_PAREN and handed[-1].token_type is TokenType.R_PAREN:
        handed = handed[1:-1]
    listed = items_of(handed) if handed else []
    return Executed(tokens[2].text, tuple(t.text for t in names if t.token_type in NAMES), tuple(map(_plain, listed)))


def _of_batches(tokens: list[Token]) -> str | None:
    words = [word_at(tokens, place) for place in range(1, len(tokens))]
    place = next((p for p, word in enumerate(words[:4], start=1) if word in ("sp_executesql", "(")), 0)
    named = word_at(tokens, place) == "sp_executesql"
    if not place or (place > 1 and not named) or place + 1 >= len(tokens) or tokens[place + 1].token_type not in TEXTS:
        return None
    text: str = tokens[place + 1].text
    rest = [word_at(tokens, after) for after in range(place + 2, len(tokens))]
    is_whole = rest[:1] in ([], [","]) if named else rest == [")"]
    return text if is_whole else None  # else it is put together at run time, or run on another server


def _plain(item: list[Token]) -> list[Token]:
    """Return an argument without IN or OUT in front."""
    return item[1:] if word_at(item, 0) in _MODES and len(item) > 1 else item


def handed_in(tokens: list[Token], using: tuple[list[Token], ...]) -> list[Token]:
    """Return a statement with its placeholders replaced by the arguments of USING, as far as these are plain names.

    A ``?`` or ``:a`` is the next argument, ``:1`` the one of its number, ``@a`` or ``:a`` that of ``… AS a``. A name
    becomes ``@name``, which is never a column's.
    """
    if not using:
        return tokens
    given = iter(using)
    named = {item[-1].text.lower(): item[:-2] for item in using if word_at(item, len(item) - 2) == "as"}
    result: list[Token] = []
    place = 0
    while place < len(tokens):
        argument, end = _argument(tokens, place, given, using, named)
        if argument and all(token.token_type in _OF_NAMES for token in argument):
            like = tokens[place]
            result.append(token_like(like, TokenType.PARAMETER, "@"))
            result += [
                token_like(like, token.token_type, token.text) for token in argument[argument[0].token_type in _BINDS :]
            ]
        elif end > place + 1 and tokens[place + 1].token_type is TokenType.NUMBER:  # not every parser reads ``:1``
            result.append(token_like(tokens[place], TokenType.PLACEHOLDER, "?"))
        else:
            result += tokens[place:end]
        place = end
    return result


def _argument(
    tokens: list[Token],
    place: int,
    given: Iterator[list[Token]],
    using: tuple[list[Token], ...],
    named: dict[str, list[Token]],
) -> tuple[list[Token], int]:
    """Return the argument that replaces a placeholder, nothing for any other token; and the place after it."""
    kind = tokens[place].token_type
    if kind is TokenType.PLACEHOLDER:
        return next(given, []), place + 1
    if kind not in _BINDS or place + 1 >= len(tokens) or _follows_operand(tokens, place):
        return [], place + 1
    name = tokens[place + 1]
    if kind is TokenType.PARAMETER or named:
        return named.get(name.text.lower(), []), place + 2
    if name.token_type is TokenType.NUMBER:
        number = int(name.text) if name.text.isdecimal() else 0
        return using[number - 1] if 0 < number <= len(using) else [], place + 2
    return (next(given, []) if name.token_type in NAMES else []), place + 2


def _follows_operand(tokens: list[Token], place: int) -> bool:
    """Whether a colon is that of a path, ``a:b``, or of a cast."""
    closes = (*NAMES, TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.COLON)
    return place > 0 and tokens[place - 1].token_type in closes and word_at(tokens, place - 1) not in _BEFORE_VALUES
