"""Dialects of sqlglot whose tokenizers follow our rules."""

from __future__ import annotations

from sqlglot.tokens import TokenType

from ingest.sql.dialects.engine import engine_of, tokenizer_of
from ingest.sql.dialects.registry import rules_or_standard


def kinds(sql: str, dialect: str) -> list[TokenType]:
    """Return the kinds of a text's tokens."""
    return [token.token_type for token in engine_of(rules_or_standard(dialect)).dialect.tokenize(sql)]


def test_batches_have_no_commands() -> None:
    """What follows FETCH is words in T-SQL, and one text where statements end with semicolons."""
    assert len(kinds("fetch next from c", "tsql")) == 4
    assert len(kinds("fetch next from c", "postgres")) == 2


def test_rules_say_what_escapes_a_quote() -> None:
    """In Flink a backslash is a character like others, though Hive's parser reads it."""
    assert len(kinds("'a\\' 'b'", "flink")) == 2
    assert kinds("'a\\' b'", "hive") == [TokenType.STRING]


def test_keywords_may_be_added_to_the_parsers() -> None:
    """Hive itself has no MATCH_RECOGNIZE; the tokens of a word are remembered for each dialect by itself."""
    for _ in range(2):
        assert kinds("match_recognize", "flink") == [TokenType.MATCH_RECOGNIZE]
        assert kinds("match_recognize", "hive") == [TokenType.VAR]


def test_a_dialect_without_own_rules_has_sqlglots_tokenizer() -> None:
    """No class is made where nothing differs."""
    rules = rules_or_standard("hive")

    assert tokenizer_of(rules) is engine_of(rules).dialect.tokenizer_class
    assert tokenizer_of(rules_or_standard("flink")) is not tokenizer_of(rules)
