"""A dialect's rules together with the sqlglot dialect that reads it."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final

from sqlglot.dialects.dialect import Dialect
from sqlglot.tokens import TokenType

from ingest.sql.dialects.calls import keep_arguments
from ingest.sql.dialects.rules import Rules

_MAX_WORDS: Final = 4096
_MAX_WORD_LENGTH: Final = 64
#: The longest text, in characters, that a thread's tokenizer reads: a tokenizer keeps its last text and the tokens.
_MAX_SHARED: Final = 1 << 16


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
    """Return a dialect's engine, which keeps a tokenizer for each thread and remembers the tokens of single words.

    Making a tokenizer takes as long as reading a short statement, and sqlglot makes one for each text. The parser also
    asks for the tokens of a word at each ``STRUCT(x AS word)`` and the like, as the word might be a type.
    """
    dialect: Any = Dialect.get_or_raise(rules.parser)
    for reading in (dialect, *map(Dialect.get_or_raise, rules.identity.also_read_as)):
        keep_arguments(reading.parser_class)
    tokenizer = tokenizer_of(rules)
    of_thread = threading.local()

    def plain(sql: str, settings: Any = None) -> Any:
        if settings is not None or len(sql) > _MAX_SHARED:
            return tokenizer(dialect=settings or dialect).tokenize(sql)
        shared = getattr(of_thread, "tokenizer", None)
        if shared is None:
            shared = of_thread.tokenizer = tokenizer(dialect=dialect)
        return shared.tokenize(sql)

    word = lru_cache(_MAX_WORDS)(plain)

    def tokenize(sql: str, dialect: Any = None) -> Any:
        is_word = dialect is None and len(sql) <= _MAX_WORD_LENGTH and sql.isidentifier()
        return word(sql) if is_word else plain(sql, dialect)

    dialect.tokenize = tokenize
    return Engine(rules, dialect)
