"""CREATE FUNCTION and CREATE PROCEDURE: what a routine's body says, and that its definition runs nothing."""

from __future__ import annotations

import re

from sqlglot import exp

from ingest.sql.parser.scripts.routines import defines_only
from ingest.sql.statements.run import Outcome, Run

# What a function's body in another language does beside giving a value.
_CHANGES = re.compile(r"\b(?:insert\s+into|update\s+\w|delete\s+from|merge\s+into|truncate\s)", re.IGNORECASE)


def create_function(run: Run, node: exp.Expr) -> Outcome:
    """CREATE FUNCTION: a body of statements is reported as if it ran; an expression is what calls become."""
    if isinstance(node.expression, exp.Block):
        return run.block(node.expression)
    body = node.expression
    if isinstance(body, exp.Literal | exp.Heredoc | exp.RawString) and _CHANGES.search(body.name):
        problem = defines_only(next((part.name for part in node.this.find_all(exp.Table)), ""), looked_into=False)
        run.walk.report(problem.code, problem.detail, problem.subject)
    run.walk.functions.define(node.this, body, node.args.get("properties"))
    return run.outcome("ddl")


def create_procedure(run: Run, node: exp.Expr) -> Outcome:
    """CREATE PROCEDURE: what its body holds is reported as if it ran."""
    problem = defines_only(next((part.name for part in node.this.find_all(exp.Table)), ""))
    run.walk.report(problem.code, problem.detail, problem.subject)
    body = node.expression
    if isinstance(body, exp.Expr) and not isinstance(body, exp.Literal | exp.Heredoc | exp.RawString):
        return run.block(body)
    return run.outcome("ddl")
