"""Creates tokens and matches brackets, for the code that changes a statement before it is parsed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import TokenError
from sqlglot.tokens import Token, TokenType

#: The kinds of texts that are no words, whatever they say: ``N'DELETE'``.
QUOTED: Final = frozenset(
    [
        TokenType.STRING, TokenType.IDENTIFIER, TokenType.NATIONAL_STRING, TokenType.RAW_STRING,
        TokenType.HEREDOC_STRING, TokenType.UNICODE_STRING, TokenType.BYTE_STRING,
    ]
)  # fmt: skip
#: The kinds of words that may be names, without quotes and with.
NAMES: Final = (TokenType.VAR, TokenType.IDENTIFIER)
#: The kinds of plain texts, N'…' too.
TEXTS: Final = (TokenType.STRING, TokenType.NATIONAL_STRING)
#: The kinds of texts between dollars.
BETWEEN_DOLLARS: Final = (TokenType.HEREDOC_STRING, TokenType.RAW_STRING)
_OPENING: Final = frozenset([TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE])
_CLOSING: Final = frozenset([TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE])
_ROUND: Final = (TokenType.L_PAREN, TokenType.R_PAREN)
_SQUARE: Final = (TokenType.L_BRACKET, TokenType.R_BRACKET)


def tokens_of(text: str, dialect: Dialect) -> list[Token] | None:
    """Return a text's tokens, None where the tokenizer does not read it."""
    try:
        return list(dialect.tokenize(text))
    except TokenError:
        return None


def token_like(like: Token, kind: TokenType, text: str) -> Token:
    """Return a token at the place of ``like``."""
    return Token(kind, text, like.line, like.col, like.start, like.end)


def as_names(tokens: list[Token], places: Iterable[int]) -> list[Token] | None:
    """Return the tokens with the words at some places as plain names, None where there are no such places."""
    changed = list(tokens)
    place = None
    for place in places:
        changed[place] = token_like(tokens[place], TokenType.VAR, tokens[place].text)
    return changed if place is not None else None


def word_at(tokens: list[Token], place: int) -> str:
    """Return the word at a place in lower case; nothing outside of the text, and for a string or a quoted name."""
    if not 0 <= place < len(tokens) or tokens[place].token_type in QUOTED:
        return ""
    text: str = tokens[place].text
    return text.lower()


def kinds_of(tokens: list[Token]) -> list[TokenType]:
    """Return the kind of each token: to look for one is then a search in a list, not a walk over objects."""
    return [token.token_type for token in tokens]


def places_of(kind: TokenType, kinds: list[TokenType]) -> Iterator[int]:
    """Yield the places of one kind."""
    place = -1
    for _ in range(kinds.count(kind)):
        place = kinds.index(kind, place + 1)
        yield place


def after_name(tokens: list[Token], place: int) -> int:
    """Return the place after the dotted name that begins at ``place``."""
    end = place + 1
    while end < len(tokens) and tokens[end].token_type == TokenType.DOT:
        end += 2
    return end


def start_of_name(tokens: list[Token], place: int) -> int:
    """Return the place where the dotted name that ends at ``place`` begins."""
    while place > 1 and tokens[place - 1].token_type is TokenType.DOT:
        place -= 2
    return place


def bracketed(tokens: Iterable[Token], like: Token) -> list[Token]:
    """Return tokens with brackets around them, at the place of ``like``."""
    return [token_like(like, TokenType.L_PAREN, "("), *tokens, token_like(like, TokenType.R_PAREN, ")")]


def with_commas(items: Iterable[list[Token]], like: Token) -> list[Token]:
    """Return the tokens of some items, with commas between these: ``items_of`` takes them apart again."""
    return [token for item in items for token in (token_like(like, TokenType.COMMA, ","), *item)][1:]


def select_all_from(like: Token) -> list[Token]:
    """Return the tokens of ``SELECT * FROM``, at the place of ``like``."""
    words = ((TokenType.SELECT, "SELECT"), (TokenType.STAR, "*"), (TokenType.FROM, "FROM"))
    return [token_like(like, kind, text) for kind, text in words]


def closing(tokens: list[Token], place: int) -> int:
    """Return the place of the bracket that closes the round or square one at ``place``, 0 where there is none."""
    opening, ending = _SQUARE if place < len(tokens) and tokens[place].token_type is TokenType.L_BRACKET else _ROUND
    depth = 0
    for index in range(place, len(tokens)):
        depth += (tokens[index].token_type == opening) - (tokens[index].token_type == ending)
        if depth == 0:
            return index
    return 0


def outside(tokens: list[Token]) -> list[int]:
    """Return the places of what is outside of brackets of any kind, opening ones included."""
    result: list[int] = []
    depth = 0
    for place, kind in enumerate(kinds_of(tokens)):
        if depth == 0:
            result.append(place)
        if kind in _OPENING:
            depth += 1
        elif kind in _CLOSING:
            depth -= 1
    return result


def commas_outside(tokens: list[Token]) -> list[int]:
    """Return the places of the commas outside of brackets."""
    return [place for place in outside(tokens) if tokens[place].token_type is TokenType.COMMA]


def items_of(tokens: list[Token]) -> list[list[Token]]:
    """Return what is between the commas outside of brackets; one empty item for no tokens."""
    cuts = [-1, *commas_outside(tokens), len(tokens)]
    return [tokens[start + 1 : end] for start, end in pairwise(cuts)]
