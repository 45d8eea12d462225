"""Words after a query that are none of its clauses: a slip that the parser takes for an option."""

from __future__ import annotations

from sqlglot import exp
from sqlglot.tokens import Token

from ingest.sql.result import Problem
from ingest.sql.text.tokens import word_at


def after_query(node: exp.Expr, tokens: list[Token]) -> Problem | None:
    """Return what to say of a CREATE … AS whose query is followed by ``name = value``, which no engine has there.

    The parser takes it for an option of the table; it may be a condition after a misspelt WHERE.
    """
    properties = node.args.get("properties") if isinstance(node, exp.Create) and node.expression is not None else None
    plain = [p for p in properties.expressions if type(p) is exp.Property] if properties else []
    computed = next((p for p in plain if isinstance(p.this, exp.Func | exp.Window | exp.Binary)), None)
    if computed is not None:
        return Problem("syntax", "a condition after the query is not understood", "", tokens[-1].line, tokens[-1].col)
    named = {p.name.lower() for p in plain}
    if not named:
        return None
    start = next((place for place in range(len(tokens)) if word_at(tokens, place) == "as"), len(tokens))
    before = {word_at(tokens, place) or tokens[place].text.lower() for place in range(start)}
    late = next((place for place in range(start, len(tokens)) if word_at(tokens, place) in named - before), None)
    if late is None:
        return None
    token = tokens[late]
    return Problem("syntax", f"{token.text} = … after the query is not understood", "", token.line, token.col)
