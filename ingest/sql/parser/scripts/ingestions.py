"""Statements that load or apply rows in words of their own, as statements that every dialect has.

Databricks' APPLY CHANGES and AUTO CDC are merges; Doris's LOAD LABEL and ROUTINE LOAD, and Exasol's IMPORT, load files
or a topic; Teradata's ``UPDATE … ELSE INSERT …`` is two statements, and so is a change that gives values to variables.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from sqlglot.dialects.dialect import Dialect
from sqlglot.tokens import Token, TokenType

from ingest.sql.text.tokens import after_name, closing, items_of, kinds_of, outside, token_like, word_at
from ingest.sql.words import words

#: The first words of such statements.
FIRST: Final = words("apply auto load create import update upd insert delete")
#: How many tokens at a statement's end are looked at for RETURNING.
_LONGEST_END: Final = 60
_INSERTS: Final = words("insert ins")
#: What begins a clause of APPLY CHANGES, and the word after it that must be there ("" for any).
_CLAUSES: Final = {
    "keys": "(", "ignore": "null", "apply": "as", "sequence": "by", "columns": "", "stored": "as", "track": "history",
}  # fmt: skip
_HISTORY: Final = 2


def plainly(tokens: list[Token], dialect: Dialect) -> list[list[Token]] | None:
    """Return the statements that a statement of this kind is, None for any other."""
    first, second = word_at(tokens, 0), word_at(tokens, 1)
    if first in ("apply", "auto") and second in ("changes", "cdc"):
        return _merged(tokens, dialect)
    if first == "load" and second == "label":
        return _labelled(tokens, dialect)
    if first == "create" and second == "routine":
        return _routine(tokens, dialect)
    if first == "import" and second == "into":
        return _imported(tokens, dialect)
    if first in ("insert", "update", "delete") and (parts := _returned(tokens)) is not None:
        return parts
    return _or_inserted(tokens) if first in ("update", "upd") else None


def _merged(tokens: list[Token], dialect: Dialect) -> list[list[Token]] | None:
    """``APPLY CHANGES INTO t FROM STREAM(s) KEYS (k) APPLY AS DELETE WHEN c SEQUENCE BY e COLUMNS … STORED AS …``."""
    into = next((place for place in range(2, min(len(tokens), 5)) if word_at(tokens, place) == "into"), 0)
    end = after_name(tokens, into + 1)
    if not into or word_at(tokens, end) != "from":
        return None
    start = end + 1 + (word_at(tokens, end + 1) == "stream")
    opened = word_at(tokens, start) == "("
    source = tokens[start + opened : closing(tokens, start) if opened else after_name(tokens, start)]
    clauses = _clauses(tokens)
    keys, sequence = clauses.get("keys", []), clauses.get("sequence", [])[2:]
    if not source or len(keys) < 4 or not sequence:
        return None
    listed = items_of(keys[2:-1])
    columns = clauses.get("columns", [])[1:] or dialect.tokenize("*")
    if columns[0].token_type is TokenType.L_PAREN:
        columns = columns[1:-1]
    if any(token.text == str(_HISTORY) for token in clauses.get("stored", [])[-1:]):
        history = [dialect.tokenize(f"AS {name}") for name in ("__START_AT", "__END_AT")]
        comma = dialect.tokenize(",")
        columns = [*columns, *(token for name in history for token in (*comma, *sequence, *name))]
    deletes = clauses.get("delete", [])
    where = [*dialect.tokenize("WHERE"), *deletes] if deletes else []
    query = [*dialect.tokenize("SELECT"), *columns, *dialect.tokenize("FROM"), *source, *where]
    query += [*dialect.tokenize("QUALIFY row_number() OVER (ORDER BY"), *sequence, *dialect.tokenize(") = 1")]
    on: list[Token] = []
    for key in listed:
        one = [*dialect.tokenize("applied_to."), *key, *dialect.tokenize("= applied."), *key]
        on += [*(dialect.tokenize("AND") if on else []), *one]
    head = [*dialect.tokenize("MERGE INTO"), *tokens[into + 1 : end], *dialect.tokenize("AS applied_to USING (")]
    tail = dialect.tokenize("WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *")
    return [[*head, *query, *dialect.tokenize(") AS applied ON"), *on, *tail]]


def _clauses(tokens: list[Token]) -> dict[str, list[Token]]:
    """Return the clauses of an APPLY CHANGES by their first word; ``delete`` is what WHEN says of it."""
    places = [
        place
        for place in outside(tokens)
        if place > 2
        and (word := word_at(tokens, place)) in _CLAUSES
        and _CLAUSES[word] in ("", word_at(tokens, place + 1))
    ]
    result: dict[str, list[Token]] = {}
    for start, end in pairwise([*places, len(tokens)]):
        clause = tokens[start:end]
        when = next((place for place in range(len(clause)) if word_at(clause, place) == "when"), 0)
        if word_at(clause, 0) == "apply" and when:
            more = [token_like(clause[0], TokenType.OR, "OR")] if "delete" in result else []
            result["delete"] = [*result.get("delete", []), *more, *clause[when + 1 :]]
        else:
            result[word_at(clause, 0)] = clause
    return result


def _labelled(tokens: list[Token], dialect: Dialect) -> list[list[Token]] | None:
    """``LOAD LABEL d.l (DATA INFILE ("p") INTO TABLE t …, …) WITH BROKER …``."""
    database = tokens[2 : after_name(tokens, 2) - 1]
    loads = []
    for place in range(3, len(tokens) - 4):
        if word_at(tokens, place) != "infile" or word_at(tokens, place + 1) != "(":
            continue
        end = closing(tokens, place + 1)
        into = next((p for p in range(end, min(end + 5, len(tokens))) if word_at(tokens, p) == "into"), 0)
        if not end or not into or word_at(tokens, into + 1) != "table":
            return None
        table = _in_database(tokens[into + 2 : after_name(tokens, into + 2)], database)
        loads += [_loaded(t, table, dialect) for t in tokens[place:end] if t.token_type is TokenType.STRING]
    return loads or None


def _routine(tokens: list[Token], dialect: Dialect) -> list[list[Token]] | None:
    """``CREATE ROUTINE LOAD d.job ON t … FROM KAFKA ("kafka_broker_list" = "b:9092", "kafka_topic" = "x")``."""
    end = after_name(tokens, 3)
    kafka = next((place for place in range(end, len(tokens) - 1) if word_at(tokens, place) == "kafka"), 0)
    if word_at(tokens, end) != "on" or not kafka or word_at(tokens, kafka - 1) != "from":
        return None
    strings = [token for token in tokens[kafka + 1 :] if token.token_type is TokenType.STRING]
    options = {name.text.lower(): value for name, value in zip(strings[::2], strings[1::2], strict=False)}
    broker, topic = options.get("kafka_broker_list"), options.get("kafka_topic")
    if broker is None or topic is None:
        return None
    path = token_like(topic, TokenType.STRING, f"kafka://{broker.text.partition(',')[0].strip()}/{topic.text}")
    table = _in_database(tokens[end + 1 : after_name(tokens, end + 1)], tokens[3 : end - 1])
    return [_loaded(path, table, dialect)]


def _imported(tokens: list[Token], dialect: Dialect) -> list[list[Token]] | None:
    """Exasol's ``IMPORT INTO t FROM CSV AT 'server' FILE 'a.csv' FILE 'b.csv'``."""
    table = tokens[2 : after_name(tokens, 2)]
    files = [place + 1 for place in range(2, len(tokens) - 1) if word_at(tokens, place) == "file"]
    return [_loaded(tokens[p], table, dialect) for p in files if tokens[p].token_type is TokenType.STRING] or None


def _in_database(table: list[Token], database: list[Token]) -> list[Token]:
    """Return a table's name, in the database of the job that fills it; that ends with a dot, or is empty."""
    return table if len(table) > 1 else [*database, *table]


def _loaded(path: Token, table: list[Token], dialect: Dialect) -> list[Token]:
    return [*dialect.tokenize("LOAD DATA INPATH"), path, *dialect.tokenize("INTO TABLE"), *table]


def _returned(tokens: list[Token]) -> list[list[Token]] | None:
    """``INSERT INTO t … RETURNING a INTO v`` sets variables from the changed table: ``SELECT a INTO v FROM t``."""
    start = max(len(tokens) - _LONGEST_END, 2)
    kinds = kinds_of(tokens[start:])
    returning = start + kinds.index(TokenType.RETURNING) if TokenType.RETURNING in kinds else len(tokens)
    if TokenType.INTO not in kinds[returning - start :]:
        return None
    name = 1 + (word_at(tokens, 1) in ("into", "from"))
    like = tokens[returning]
    query = [token_like(like, TokenType.SELECT, "SELECT"), *tokens[returning + 1 :]]
    table = [token_like(like, TokenType.FROM, "FROM"), *tokens[name : after_name(tokens, name)]]
    return [tokens[:returning], [token for token in query if token.text.lower() != "strict"] + table]


def _or_inserted(tokens: list[Token]) -> list[list[Token]] | None:
    """Teradata's ``UPDATE t SET … WHERE … ELSE INSERT …``."""
    for place in range(len(tokens) - 2, 3, -1):
        if word_at(tokens, place) == "else" and word_at(tokens, place + 1) in _INSERTS:
            return [tokens[:place], tokens[place + 1 :]]
    return None
