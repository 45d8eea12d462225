"""Give a statement's tokens to sqlglot: as they are, in other forms, as other dialects; say what failed."""

from __future__ import annotations

import logging
import re
from typing import Any, Final

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import ErrorLevel, ParseError, TokenError
from sqlglot.tokens import Token, TokenType

from ingest.sql.dialects.engine import Engine
from ingest.sql.parser.after.alterations import altered, is_lost
from ingest.sql.parser.after.json_clauses import with_named_types
from ingest.sql.parser.after.repair import repaired
from ingest.sql.parser.before.fitting import fit
from ingest.sql.result import Problem
from ingest.sql.sqlglot_errors import SQLGLOT_ERRORS
from ingest.sql.words import words

# The parser warns through its logger about what it leaves as a command; here that comes back as a Problem.
logging.getLogger("sqlglot").setLevel(logging.CRITICAL)

#: Characters of the text that a problem quotes.
MAX_CONTEXT: Final = 40
_LACKING = re.compile(r"Required keyword: .* missing for <class '(?:\w+\.)*(\w+)'>")
_SHOWN_TOKEN = re.compile(r"<Token token_type: (?:TokenType\.)?(\w+), text: (.*?), line: \d+, col: .*>", re.DOTALL)
_HOUSEKEEPING = words(
    """IMPORT EXPORT MSCK FSCK REORG RESTORE RELOAD ABORT LIST DFS ADD LOCK UNLOCK RESET DESC DESCRIBE COMPUTE
    INVALIDATE COLLECT"""
)
# Where a procedure may be called by its name alone, PURGE is one of somebody's own.
_OF_CLIENTS = words("CLEAR DENY UNDROP GENERATE REPAIR REMOVE PURGE KILL SOURCE QUIT WHOAMI PROFILE SUMMARY")
#: What the parser takes a command for that it does not know: RESET for a column, CLEAR CACHE for one with an alias.
_EXPRESSIONS = (exp.Column, exp.Alias, exp.Binary, exp.Cast)


def second_attempt(
    sql: str, tokens: list[Token], engine: Engine, nodes: list[exp.Expr], problem: Problem | None
) -> tuple[list[Any], Problem | None]:
    """Try the statement in other forms, then as a dialect that is a superset; keep what failed where none helps."""
    tokens, again, trouble = fit(tokens, nodes, problem, lambda fitted: attempt(sql, fitted, engine.dialect))
    if again is not nodes and trouble is None:
        return again, None
    better = tokens
    for better in repaired(tokens, engine):
        again, trouble = attempt(sql, better, engine.dialect)
        if trouble is None and not any(map(is_unread, again)):
            return again, None
    read = altered(better, lambda plain: attempt(sql, plain, engine.dialect))
    if read is not None and read.problem is None:
        return [read.node, *([_command(sql, tokens)] if read.partly else [])], None
    if read is not None and problem is None:
        return [], read.problem
    for wider in engine.rules.identity.also_read_as if problem is not None else ():
        again, trouble = attempt(sql, tokens, Dialect.get_or_raise(wider))
        if trouble is None and not any(map(is_unread, again)):
            return again, None
    calls = engine.rules.calls_by_name or engine.rules.batches
    unread = problem is not None or (not calls and any(map(is_no_statement, nodes)))
    if unread and (_moves_no_columns(tokens) or (not calls and _is_of_clients(tokens))):
        return [_command(sql, tokens)], None
    return nodes, problem


def _command(sql: str, tokens: list[Token]) -> exp.Command:
    return exp.Command(this=tokens[0].text.upper(), expression=sql[tokens[0].end + 1 : tokens[-1].end + 1])


def is_unread(node: exp.Expr) -> bool:
    """Whether the parser left a statement, or an action of an ALTER, as a text."""
    return isinstance(node, exp.Command) or is_lost(node)


def is_no_statement(node: exp.Expr) -> bool:
    """Whether the parser took the words of a statement for a value."""
    return isinstance(node, _EXPRESSIONS)


def _is_of_clients(tokens: list[Token]) -> bool:
    """Whether a statement is a client's command; one that holds a query is another one, or two without a semicolon."""
    return tokens[0].text.upper() in _OF_CLIENTS and not any(t.token_type is TokenType.SELECT for t in tokens)


def _moves_no_columns(tokens: list[Token]) -> bool:
    """Whether a statement that the parser does not read is one of a platform's housekeeping."""
    first = [token.text.upper() for token in tokens[:12]]
    if first[:2] == ["ALTER", "TABLE"]:
        return "PARTITION" in first or ("CHANGE" in first and len(tokens) <= 12 and first[-2] == "COMMENT")
    return first[0] in _HOUSEKEEPING


def attempt(sql: str, tokens: list[Token], dialect: Dialect) -> tuple[list[Any], Problem | None]:
    """Return the trees of a statement as this dialect reads it, or why it does not."""
    try:
        trees = dialect.parser(error_level=ErrorLevel.IMMEDIATE).parse(tokens, sql)
    except ParseError as error:
        return [], _problem(sql, tokens, error)
    except RecursionError:
        return [], Problem("syntax", "nested too deeply")
    except (TokenError, *SQLGLOT_ERRORS) as error:  # a hint is tokenized late
        return [], Problem(
            "syntax", f"the parser failed on this statement ({type(error).__name__})", line=tokens[0].line
        )
    return with_named_types([node for node in trees if node is not None], tokens), None


def _plainly(words: str) -> str:
    """Say in plain terms what the parser says; of several missing operands it does not always name the same one."""
    lacking = _LACKING.fullmatch(words)
    if lacking:
        return f"{lacking[1].upper()} lacks an operand"
    return _SHOWN_TOKEN.sub(lambda match: "the end" if match[1] == "SENTINEL" else repr(match[2]), words)


def _problem(sql: str, tokens: list[Token], error: ParseError) -> Problem:
    details: dict[str, Any] = dict(error.errors[0]) if error.errors else {}
    line, column = details.get("line"), details.get("col")
    highlight = str(details.get("highlight") or "")
    if column and column >= len(highlight) > 0:  # the parser says where a word ends
        column -= len(highlight) - 1
    before = (details.get("start_context") or "")[-MAX_CONTEXT:]
    after = (details.get("end_context") or "")[:MAX_CONTEXT]
    near = " ".join(f"{before}{details.get('highlight') or ''}{after}".split())
    words = _plainly(str(details.get("description") or "not understood").rstrip("."))
    detail = f"{words}, near: {near}" if near else words
    first = tokens[0].start - sql.rfind("\n", 0, tokens[0].start)
    return Problem("syntax", detail, line=line or tokens[0].line, column=column or first)
