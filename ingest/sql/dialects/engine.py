"""A dialect's rules together with the sqlglot dialect that reads it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final

from sqlglot.dialects.dialect import Dialect
from sqlglot.tokens import TokenType

from ingest.sql.dialects.rules import Rules

_MAX_WORDS: Final = 4096
_MAX_WORD_LENGTH: Final = 64


@dataclass(frozen=True, slots=True)
class Engine:
    """How the texts of one dialect are read; made by :func:`engine_of`."""

    rules: Rules
    dialect: Dialect
    """sqlglot's dialect, whose ``tokenize`` follows the rules."""


@cache
def tokenizer_of(rules: Rules) -> Any:
    """Return sqlglot's class of tokenizer for a dialect, changed where the rules differ from the parser's."""
    tokenizer = Dialect.get_or_raise(rules.parser).tokenizer_class
    changes: dict[str, Any] = {}
    if rules.batches:  # what follows PRINT, FETCH or END is words, not one text
        changes["COMMANDS"] = set()
    if rules.string_escapes is not None:
        changes["STRING_ESCAPES"] = list(rules.string_escapes)
    if rules.keywords:
        changes["KEYWORDS"] = {**tokenizer.KEYWORDS, **{word: TokenType[word] for word in rules.keywords}}
    return type("RulesTokenizer", (tokenizer,), changes) if changes else tokenizer


@cache
def engine_of(rules: Rules) -> Engine:
    """Return a dialect's engine, which remembers the tokens of single words.

    The parser asks for them at each ``STRUCT(x AS word)`` and the like, as the word might be a type, and a tokenizer
    is made each time.
    """
    dialect: Any = Dialect.get_or_raise(rules.parser)
    tokenizer, own = tokenizer_of(rules), dialect.tokenize

    def plain(sql: str, settings: Any = None) -> Any:
        return own(sql, settings) if tokenizer is dialect.tokenizer_class else tokenizer(dialect=dialect).tokenize(sql)

    word = lru_cache(_MAX_WORDS)(plain)

    def tokenize(sql: str, dialect: Any = None) -> Any:
        is_word = dialect is None and len(sql) <= _MAX_WORD_LENGTH and sql.isidentifier()
        return word(sql) if is_word else plain(sql, dialect)

    dialect.tokenize = tokenize
    return Engine(rules, dialect)
