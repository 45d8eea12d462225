"""A lenient look at a statement that did not parse: which tables follow FROM, JOIN, USING and INTO."""

from __future__ import annotations

import re

from sqlglot import exp
from sqlglot.tokens import Token, TokenType

from ingest.sql.dialects.dialects import Names
from ingest.sql.text.tokens import NAMES, closing, kinds_of, places_of, word_at
from ingest.sql.words import words

_READS = frozenset(["FROM", "JOIN", "USING"])
_WRITES = frozenset(["INTO", "OVERWRITE", "TABLE", "VIEW", "UPDATE"])
_NOISE = frozenset(["TABLE", "IF", "NOT", "EXISTS", "ONLY", "LATERAL", "LOCAL"])
#: MySQL has these in front of a table that is filled or changed; alone they are a table's name.
_PRIORITIES = frozenset(["low_priority", "ignore"])
#: After INTO and OVERWRITE these say that files are written,
_FILES = frozenset(["directory", "outfile", "dumpfile"])
#: unless one of these follows: then they are a table's name.
_AFTER_TABLE = frozenset(["select", "with", "values", "(", "table", "from", "partition", "as", "."])
#: Words that begin a query or a change in brackets, some of which Teradata cuts short.
_QUERIES = words("select sel with delete del insert ins update upd merge explain values")
#: How many tokens of a CREATE may come before the name of what it makes.
_LONGEST_HEAD = 6


def scan(tokens: list[Token], names: Names) -> tuple[set[str], set[str]]:
    """Return (datasets read, datasets written) as far as keywords show; names of WITH queries are left out."""
    reads: set[str] = set()
    writes: set[str] = set()
    named = with_names(tokens)
    of_values = in_values(tokens)
    for place, token in enumerate(tokens):
        word = token.text.upper()
        if token.token_type in (TokenType.STRING, TokenType.IDENTIFIER) or word not in _READS | _WRITES:
            continue
        if place in of_values:
            continue
        parts = name_at(tokens, place + 1, lists_columns=_names_target(tokens, place))
        if not parts or (len(parts) == 1 and parts[0].lower() in named) or _names_files(tokens, place):
            continue
        dataset = names.dataset_of_parts(spelt(names, parts))
        (reads if word in _READS else writes).add(dataset)
    return reads - writes, writes


def in_values(tokens: list[Token]) -> set[int]:
    """Return the places of FROM and USING that name no source, but are words of a value.

    ``EXTRACT(DAY FROM d)``, ``TRANSLATE(a USING c)``: in brackets that hold no query; ``a IS DISTINCT FROM b``. What
    follows a bracket that nothing closes is not inside it: the bracket may be the error in the text.
    """
    result: set[int] = set()
    queries: list[bool] = []  # of each open bracket whether a query has begun in it
    inside: list[set[int]] = []
    for place, token in enumerate(tokens):
        if token.token_type is TokenType.L_PAREN:
            queries.append(False)
            inside.append(set())
        elif token.token_type is TokenType.R_PAREN and queries:
            queries.pop()
            result |= inside.pop()
        word = word_at(tokens, place)
        if word == "from" and word_at(tokens, place - 1) == "distinct" and word_at(tokens, place - 2) in ("is", "not"):
            result.add(place)
        elif queries and (word in _QUERIES or (word == "from" and word_at(tokens, place - 1) == "(")):
            queries[-1] = True
        elif queries and not queries[-1] and word in ("from", "using"):
            inside[-1].add(place)
    return result


def _names_target(tokens: list[Token], place: int) -> bool:
    """Whether a word comes before a table that is filled or made, so that a bracket after its name lists columns."""
    word = word_at(tokens, place)
    if word in ("into", "overwrite"):
        return True
    return word in ("table", "view") and word_at(tokens, 0) == "create" and place < _LONGEST_HEAD


def _names_files(tokens: list[Token], place: int) -> bool:
    """Whether a word comes before files that are written, ``OVERWRITE LOCAL DIRECTORY '/x'``."""
    if word_at(tokens, place) not in ("into", "overwrite"):
        return False
    place += 1 + (word_at(tokens, place + 1) == "local")
    following = word_at(tokens, place + 1)
    return word_at(tokens, place) in _FILES and place + 1 < len(tokens) and following not in _AFTER_TABLE


class _Quoted(str):
    """A part of a name that was written in quotes."""

    __slots__ = ()


def spelt(names: Names, parts: list[str]) -> list[str]:
    """Return the parts of a name that ``name_at`` gives as the dialect spells them: in quotes the case may count."""
    return [names.spell(exp.to_identifier(p, quoted=True) if isinstance(p, _Quoted) else p) for p in parts]


def _is_before_name(tokens: list[Token], place: int) -> bool:
    return place + 1 < len(tokens) and tokens[place + 1].token_type in NAMES


def name_at(tokens: list[Token], place: int, *, lists_columns: bool = False) -> list[str]:
    """Return the parts of the table's name at a place, none where something else is there; "" for one left out.

    ``f(`` is a call, unless the bracket after a name ``lists_columns``, and is closed.
    """
    if word_at(tokens, place) == "uniquejoin":
        place += 1 + (word_at(tokens, place + 1) == "preserve")
    while place < len(tokens) and tokens[place].text.upper() in _NOISE:
        place += 1
    if word_at(tokens, place) == "unlogged" and _is_before_name(tokens, place):
        place += 1  # Postgres's SELECT … INTO UNLOGGED t
    filled = word_at(tokens, place - 1).upper() not in _READS
    while filled and word_at(tokens, place) in _PRIORITIES and _is_before_name(tokens, place):
        place += 1
    parts: list[str] = []
    while place < len(tokens) and (tokens[place].token_type in NAMES or (parts and _is_word(tokens[place]))):
        kind = _Quoted if tokens[place].token_type is TokenType.IDENTIFIER else str
        parts.extend(kind(part) for part in tokens[place].text.split(".") if part)
        if place + 1 >= len(tokens) or tokens[place + 1].token_type != TokenType.DOT:
            break
        place += 2
        if place < len(tokens) and tokens[place].token_type == TokenType.DOT:  # db..t
            parts.append("")
            place += 1
    if parts and parts[-1].endswith("@") and place + 1 < len(tokens):  # Oracle's t@"LINK"
        parts[-1] += tokens[place + 1].text
    if parts and place < len(tokens) and tokens[place].token_type == TokenType.HASH:
        return []  # T-SQL's tempdb..#t, which is looked for no more than #t
    following = tokens[place + 1] if place + 1 < len(tokens) else None
    is_call = (
        following is not None
        and following.token_type == TokenType.L_PAREN
        and tokens[place].token_type == TokenType.VAR
    )
    if is_call and len(parts) == 1 and not (lists_columns and closing(tokens, place + 1)):
        return []
    return parts


def _is_word(token: Token) -> bool:
    return re.fullmatch(r"\w+", token.text) is not None


def with_names(tokens: list[Token]) -> set[str]:
    """Return the names of WITH queries, in lower case."""
    kinds = kinds_of(tokens)
    last = len(kinds) - 1
    return {
        tokens[place - 1].text.lower()
        for place in places_of(TokenType.ALIAS, kinds)
        if 0 < place < last and kinds[place + 1] is TokenType.L_PAREN and kinds[place - 1] in NAMES
    }
