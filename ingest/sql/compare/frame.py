"""What a text says beside the trees that the parser makes of it, word for word.

Conditions of branches and loops, declared values, arguments of calls and hints reach no tree, or not as they are
written. Texts whose trees are the same differ all the same where these do. Words are compared in small letters,
comments and layout left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

from sqlglot import exp
from sqlglot.tokens import Token, TokenType

from ingest.sql.dialects.dialects import Names
from ingest.sql.dialects.engine import Engine, tokenizer_of
from ingest.sql.parser.parse import opened, split
from ingest.sql.parser.parsed import Parsed
from ingest.sql.parser.scripts.batches import is_go
from ingest.sql.text.regions import COMMENT, scanner_of
from ingest.sql.text.tokens import BETWEEN_DOLLARS, NAMES, tokens_of, word_at

#: Where a statement with a tree of its own is among the other words.
_STATEMENT: Final = "…"
_TEXTS: Final = (
    TokenType.STRING, TokenType.NATIONAL_STRING, TokenType.BYTE_STRING, TokenType.HEX_STRING, TokenType.BIT_STRING,
    TokenType.UNICODE_STRING, *BETWEEN_DOLLARS,
)  # fmt: skip
#: A comment that MySQL and MariaDB run, and one that holds hints, as Flink's ``/*+ OPTIONS('k'='v') */`` does.
_RUN: Final = re.compile(r"/\*M?!")
_HINT: Final = re.compile(r"/\*\+\s*\w+\s*\(")
#: A statement without effect on data: what it says does not count.
_SAYS_ONLY: Final = "print"


def opened_everywhere(tokens: list[Token], engine: Engine) -> list[Token]:
    """Return a script's tokens, also where the tokenizer took most of a statement as one text."""
    if engine.rules.batches:
        return tokens
    result: list[Token] = []
    ends = {id(one): [other] for one, other in pairwise(tokens) if other.token_type is TokenType.SEMICOLON}
    for chunk in split(tokens):
        read = opened(chunk, engine)
        while len(read) > 2 and len(tail := opened(read[-2:], engine)) > 2:  # EXECUTE after BEGIN
            read = [*read[:-2], *tail]
        result += [*read, *ends.get(id(chunk[-1]), ())]
    return result


def frame_of(sql: str, tokens: list[Token], items: Iterable[Parsed], names: Names) -> tuple[str, ...]:
    """Return the words of a script that are in none of its statements' trees, with a sign where each statement is.

    Comments that the engine reads come last.
    """
    listed = list(items)
    owners = {id(token): place for place, item in enumerate(listed) if not _is_empty(item) for token in item.tokens}
    frame: list[str] = []
    last = None
    for place, token in enumerate(tokens):
        owner = owners.get(id(token))
        if owner is None:
            if not _ends(tokens, place, names):
                frame += _quoted_code(tokens, place, names) or [_word(token, names)]
        elif owner != last and not isinstance(listed[owner].node, exp.Set):  # settings are compared by themselves
            frame.append(_STATEMENT)
        last = last if owner is None else owner
    return (*frame, *_read_comments(sql, tokens, names))


def _read_comments(sql: str, tokens: list[Token], names: Names) -> Iterator[str]:
    """Yield the comments that an engine reads and no tree holds."""
    if "/*!" not in sql and "/*+" not in sql and "/*M!" not in sql:
        return
    in_trees = {token.start for token in tokens if token.token_type is TokenType.HINT}
    for region in scanner_of(names.rules).opaque(sql):
        if region.kind != COMMENT or region.start in in_trees:
            continue
        runs = names.rules.runs_marked_comments and _RUN.match(sql, region.start)
        if runs or _HINT.match(sql, region.start):
            inner = tokens_of(sql[region.start + 3 : region.end].removesuffix("*/"), names.engine.dialect)
            yield _said(inner, names) if inner is not None else sql[region.start : region.end]


def said(tokens: list[Token], names: Names) -> str:
    """Return a command as text: layout, comments and the letters of words do not count, those of strings do."""
    if word_at(tokens, 0) == _SAYS_ONLY:
        return _SAYS_ONLY
    return _said(_read(tokens, names), names)


def _read(tokens: list[Token], names: Names) -> list[Token]:
    """Return the tokens of a statement, also where the tokenizer took all after its first word as one text."""
    if len(tokens) > 1 and tokens[0].token_type in tokenizer_of(names.rules).COMMANDS:
        return [tokens[0], *(tokens_of(tokens[1].text, names.engine.dialect) or tokens[1:]), *tokens[2:]]
    return tokens


def _said(tokens: list[Token], names: Names) -> str:
    return " ".join(_word(token, names) for token in tokens)


def folded(sql: str, names: Names) -> str:
    """Return a text of a statement in which only strings and quoted names keep their letters."""
    tokens = tokens_of(sql, names.engine.dialect)
    return _said(tokens, names) if tokens is not None else sql


def lost(tokens: list[Token], whole: str, names: Names) -> Counter[str]:
    """Return the names, strings and numbers of a statement that its tree, written out as ``whole``, does not hold."""
    written = tokens_of(whole, names.engine.dialect)
    return Counter(_values(_read(tokens, names))) - Counter(_values(_read(written or [], names)))


def _is_empty(item: Parsed) -> bool:
    return item.node is None or isinstance(item.node, exp.Semicolon)


def _ends(tokens: list[Token], place: int, names: Names) -> bool:
    """Whether a token only ends a statement, or a batch that runs once."""
    return tokens[place].token_type is TokenType.SEMICOLON or (names.rules.batches and is_go(tokens, place))


def _quoted_code(tokens: list[Token], place: int, names: Names) -> list[str] | None:
    """Return the words of the text that EXECUTE IMMEDIATE runs, None for any other token."""
    if tokens[place].token_type not in _TEXTS or word_at(tokens, place - 1) != "immediate":
        return None
    inner = tokens_of(tokens[place].text, names.engine.dialect)
    return [_word(token, names) for token in inner] if inner is not None else None


def _word(token: Token, names: Names) -> str:
    text: str = token.text
    if token.token_type in _TEXTS:
        return f"'{text}'"
    lower = text.lower()
    if token.token_type is TokenType.IDENTIFIER:
        spelt = names.spell(exp.to_identifier(text, quoted=True))
        return lower if spelt == names.spell(exp.to_identifier(text, quoted=False)) else f'"{spelt}"'
    return lower


def _values(tokens: list[Token]) -> Iterator[str]:
    for place, token in enumerate(tokens):
        if token.token_type in _TEXTS or token.token_type is TokenType.NUMBER:
            yield token.text
        elif token.token_type in NAMES and word_at(tokens, place + 1) != "(":  # functions have many names
            yield token.text.lower()
