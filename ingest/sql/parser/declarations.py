"""What blocks of procedural languages declare, fetch and loop over, as statements of their own.

A variable's first value, a cursor's rows and a loop's record come from queries, which are read here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sqlglot import exp
from sqlglot.tokens import Token, TokenType

from ingest.sql.dialects.engine import Engine
from ingest.sql.parser.attempts import attempt
from ingest.sql.parser.before.rewrite import rewritten
from ingest.sql.parser.parsed import Parsed
from ingest.sql.parser.scripts import blocks
from ingest.sql.parser.scripts.routines import defines_only
from ingest.sql.parser.scripts.script_words import loop_body
from ingest.sql.result import Problem
from ingest.sql.text.tokens import after_name, token_like, word_at
from ingest.sql.words import words

_ROUTINES: Final = words("PROCEDURE PROC TRIGGER")


def of_head(sql: str, head: list[Token], declarations: list[Token], engine: Engine) -> Iterator[Parsed]:
    """Yield what the head of a block declares: parameters and variables, and each cursor as its query's rows."""
    declared = blocks.declared(declarations)
    names = (*blocks.parameters(head), *declared.names)
    yield Parsed(blocks.Declared(names, declared.rows, declared.typed), None, head[:1], defined(head))
    yield from _first_rows(sql, declared, engine)


def _first_rows(sql: str, declared: blocks.Head, engine: Engine) -> Iterator[Parsed]:
    """Yield the rows of declared cursors, and what gives variables their first values."""
    for name, query in declared.cursors:
        yield _cursor(sql, name, query, engine)
    for name, value in declared.values:
        query = rewritten([token_like(value[0], TokenType.SELECT, "SELECT"), *value], engine)
        nodes, problem = attempt(sql, query, engine.dialect)
        if problem is None and len(nodes) == 1 and isinstance(nodes[0], exp.Select):
            yield Parsed(blocks.Fetched((name,), query=nodes[0]), None, value)
        else:
            yield Parsed(None, problem or Problem("syntax", f"the value of {name} is not understood"), value)


def executes(value: list[Token]) -> bool:
    """Whether a value is made by a text that is run: Snowflake's ``rs := (EXECUTE IMMEDIATE q)``."""
    return any(word_at(value, place) == "execute" for place in range(2))


def record(sql: str, name: str, query: list[Token], engine: Engine) -> Iterator[Parsed]:
    """Yield what makes a record, such as a trigger's NEW, of a query's rows."""
    nodes, problem = attempt(sql, query, engine.dialect)
    if problem is None and len(nodes) == 1:
        yield Parsed(exp.ForIn(this=exp.to_identifier(name), expression=nodes[0]), None, query)


def _cursor(sql: str, name: str, query: list[Token], engine: Engine) -> Parsed:
    if len(query) == 1:  # Snowflake's cursor over the rows that a variable holds
        return Parsed(exp.ForIn(this=exp.to_identifier(name), expression=exp.column(query[0].text)), None, query)
    if executes(query):
        return Parsed(exp.Command(this="EXECUTE", expression=""), None, query)
    nodes, problem = attempt(sql, rewritten(query, engine), engine.dialect)
    if problem is None and len(nodes) == 1 and isinstance(nodes[0], exp.Query):
        return Parsed(exp.ForIn(this=exp.to_identifier(name), expression=nodes[0]), None, query)
    return Parsed(None, problem or Problem("syntax", f"the query of the cursor {name} is not understood"), query)


def defined(words: list[Token]) -> Problem | None:
    """Return what to say where the words in front of a statement define a procedure that begins with the statement."""
    place = next((place for place, token in enumerate(words) if token.text.upper() in _ROUTINES), None)
    if place is None or place + 1 >= len(words):
        return None
    kind = "TRIGGER" if words[place].text.upper() == "TRIGGER" else "PROCEDURE"
    return defines_only(words[after_name(words, place + 1) - 1].text, words[place].line, kind=kind)


def defines_body(tokens: list[Token]) -> Problem | None:
    """Return what to say of a statement that holds its body as a text, nothing for DO; a function may be one, too."""
    place = next((place for place in range(1, 4) if word_at(tokens, place) == "function"), None)
    if place is None:
        return defined(tokens)
    return defines_only(tokens[after_name(tokens, place + 1) - 1].text, tokens[0].line, kind="FUNCTION")


def loop_rows(sql: str, words: list[Token], engine: Engine) -> Iterator[Parsed]:
    """Yield the rows of a loop's record: the query in ``FOR r IN (SELECT …) DO``, or in Spark's ``FOR [r AS] …``."""
    for place in range(len(words) - 4):
        if words[place].text.upper() != "FOR":
            continue
        names, query = blocks.loop_variables(words[place + 1 : loop_body(words, place) - 1])
        nodes, problem = attempt(sql, query, engine.dialect) if names else ([], None)
        if len(nodes) == 1 and isinstance(nodes[0], exp.Query):
            yield Parsed(blocks.Fetched(names, query=nodes[0]), None, words)
            continue
        named = words[place + 2].token_type in (TokenType.IN, TokenType.ALIAS)
        if not named and word_at(words, place + 1) not in ("select", "with"):
            continue
        query = words[place + (3 if named else 1) : loop_body(words, place) - 1]
        nodes, problem = attempt(sql, query, engine.dialect)
        name = exp.to_identifier(words[place + 1].text if named else "")
        if problem is None and len(nodes) == 1 and isinstance(nodes[0], exp.Query | exp.Column | exp.Anonymous):
            rows = exp.column(nodes[0].name) if isinstance(nodes[0], exp.Anonymous) else nodes[0]  # of parameters
            yield Parsed(exp.ForIn(this=name, expression=rows), None, words)
        elif query and blocks.is_range(sql, query):
            yield Parsed(blocks.Declared((name.name,)), None, words[:1])
        elif any(word_at(query, at) in ("select", "with") for at in range(2)):
            yield Parsed(None, problem or Problem("syntax", "the query of a loop is not understood"), query)


def of_block(sql: str, tokens: list[Token], engine: Engine) -> Iterator[Parsed]:
    """Yield what DECLARE, LET, OPEN and FETCH do with variables and cursors; nothing for what the parser is to read."""
    word = tokens[0].text.upper()
    if word == "FETCH":
        yield from (Parsed(row, None, tokens) for row in (blocks.fetched(tokens),) if row is not None)
        return
    if word == "CLOSE":
        yield Parsed(exp.Command(this=word, expression=""), None, tokens)
        return
    if word == "OPEN":
        start = next((place for place in range(2, len(tokens)) if word_at(tokens, place) == "for"), 0)
        if start and word_at(tokens, start + 1) in ("select", "with"):
            yield _cursor(sql, tokens[1].text, tokens[start + 1 :], engine)
        elif not start and len(tokens) > 1 and tokens[-1].text.upper() != word:
            yield Parsed(exp.Command(this=word, expression=""), None, tokens)
        return
    is_cursor = any(token.text.upper() == "CURSOR" for token in tokens[1:3])
    if word == "DECLARE" and (engine.rules.declares_by_statement or (engine.rules.batches and not is_cursor)):
        return
    declared = blocks.declared(tokens)
    yield Parsed(blocks.Declared(declared.names, declared.rows, declared.typed), None, tokens[:1])
    yield from _first_rows(sql, declared, engine)
