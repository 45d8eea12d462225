"""T-SQL's definitions of tables without what says how rows are kept: indexes, and which key is in the rows' order.

The parser takes ``INDEX ix (id)`` for a column, and lacks ``PRIMARY KEY NONCLUSTERED`` of one. Where INDEX is no
reserved word, it may be a column's name.
"""

from __future__ import annotations

from typing import Final

from sqlglot.tokens import Token, TokenType

from ingest.sql.text.tokens import after_name, closing, items_of, kinds_of, places_of, with_commas, word_at
from ingest.sql.words import words

_DEFINING: Final = words("create alter declare")
_MARKS: Final = (TokenType.PARAMETER, TokenType.HASH)
_CHECKS: Final = words("with check nocheck")
#: What an index may be; after KEY or UNIQUE, the index that a key has.
_KINDS: Final = words("unique clustered nonclustered hash columnstore")
_BEFORE_KINDS: Final = _KINDS | {"primary key"}
#: Words in the definition of a column or key that say nothing about which columns there are.
_SAY_NOTHING: Final = (
    ("with", "values"), ("not", "for", "replication"), ("not", "enforced"), ("rowguidcol",), ("filestream",),
    ("sparse",), ("column_set", "for", "all_sparse_columns"),
)  # fmt: skip
#: Words that options in brackets follow, of a value that is not shown to all.
_CONCEALED: Final = words("masked encrypted")


def plain_tables(tokens: list[Token]) -> list[Token]:
    """Return a CREATE, ALTER or DECLARE whose tables have columns and keys alone; any other statement as it is."""
    first = word_at(tokens, 0)
    if first not in _DEFINING:
        return tokens
    if first == "alter":
        return _altered(tokens)
    changed: list[Token] = []
    done = 0
    for place in places_of(TokenType.TABLE, kinds_of(tokens)):
        opened = place + 1 if word_at(tokens, place + 1) == "(" else _after_table(tokens, place + 1)
        end = closing(tokens, opened) if word_at(tokens, opened) == "(" and place >= done else 0
        if end:
            changed += [*tokens[done : opened + 1], *_plain_items(tokens[opened + 1 : end])]
            done = end
    return changed + tokens[done:] if done else tokens


def _altered(tokens: list[Token]) -> list[Token]:
    """``ALTER TABLE t ADD a INT DEFAULT (0) WITH VALUES, INDEX ix (a)``; to add an index alone alters no column."""
    place = _after_table(tokens, 2)
    while word_at(tokens, place) in _CHECKS:
        place += 1
    if word_at(tokens, 1) != "table" or word_at(tokens, place) != "add" or place + 1 == len(tokens):
        return tokens
    items = _plain_items(tokens[place + 1 :])
    return [*tokens[: place + 1], *items] if items else [tokens[0], *tokens[place + 1 :]]


def _after_table(tokens: list[Token], place: int) -> int:
    """Return the place after the name of a table, ``dbo.#t`` and ``@t`` too."""
    place = after_name(tokens, place)
    while place < len(tokens) and tokens[place - 1].token_type in _MARKS:
        place = after_name(tokens, place)
    return place


def _plain_items(tokens: list[Token]) -> list[Token]:
    items = [_plain(item) for item in items_of(tokens) if not _is_index(item)]
    return with_commas(items, tokens[0]) if tokens else []


def _is_index(item: list[Token]) -> bool:
    """Whether an item is an index with a name and what it is over, ``UNIQUE CLUSTERED INDEX ix (a)`` too."""
    place = 1 if word_at(item, 0) == "unique" else 0  # CLUSTERED INDEX is one word
    return len(item) > place + 2 and item[place].token_type is TokenType.INDEX


def _plain(item: list[Token]) -> list[Token]:
    """Return the definition of a column or key without its index; its first word is a name."""
    result = item[:1]
    place = 1
    while place < len(item):
        after = _after_left_out(item, place)
        if after == place:
            after = _past(item, place)  # what is in brackets stays
            result += item[place:after]
        place = after
    return result


def _after_left_out(item: list[Token], place: int) -> int:
    """Return the place after words that are left out, ``place`` itself where none are."""
    word = word_at(item, place)
    if word in _KINDS and word != "unique" and word_at(item, place - 1) in _BEFORE_KINDS:
        return place + 1
    if word in _CONCEALED and [word_at(item, place + n) for n in (1, 2)] == ["with", "("]:
        return _past(item, place + 2)
    if item[place].token_type is TokenType.INDEX and place + 1 < len(item):
        return _after_index(item, place + 2)
    return next((place + len(said) for said in _SAY_NOTHING if _reads(item, place, said)), place)


def _after_index(item: list[Token], place: int) -> int:
    """Return the place after the kind of a column's index, its options, and where it is kept."""
    while word_at(item, place) in _KINDS:
        place += 1
    if word_at(item, place) == "with" and word_at(item, place + 1) == "(":
        place = _past(item, place + 1)
    if word_at(item, place) == "on" and place + 1 < len(item):
        place += 2
        place = _past(item, place) if word_at(item, place) == "(" else place
    return place


def _past(item: list[Token], place: int) -> int:
    """Return the place after a word, or after a bracket and all that is in it; one may lack its partner."""
    return max(closing(item, place), place) + 1


def _reads(item: list[Token], place: int, said: tuple[str, ...]) -> bool:
    return all(word_at(item, place + n) == word for n, word in enumerate(said))
