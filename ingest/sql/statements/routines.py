"""CREATE FUNCTION and CREATE PROCEDURE: what a routine's body says, and that its definition runs nothing; calls."""

from __future__ import annotations

from typing import Any

from sqlglot import exp
from sqlglot.errors import SqlglotError

from ingest.sql.parser.scripts.blocks import Called
from ingest.sql.parser.scripts.routines import CHANGES, defines_only
from ingest.sql.sqlglot_errors import SQLGLOT_ERRORS
from ingest.sql.statements.run import Outcome, Run


def create_function(run: Run, node: exp.Expr) -> Outcome:
    """CREATE FUNCTION: a body of statements is reported as if it ran; an expression is what calls become."""
    if isinstance(node.expression, exp.Block):
        return run.block(node.expression)
    body = node.expression
    if isinstance(body, exp.Literal | exp.Heredoc | exp.RawString) and CHANGES.search(body.name):
        problem = defines_only(next((part.name for part in node.this.find_all(exp.Table)), ""), looked_into=False)
        run.walk.report(problem.code, problem.detail, problem.subject)
    properties = node.args.get("properties")
    run.walk.functions.define(node.this, _written_query(run, body, properties) or body, properties)
    return run.outcome("ddl")


def _written_query(run: Run, body: Any, properties: Any) -> Any:
    """Return the query that a body in SQL holds as a text, such as ``$$ SELECT … $$``; None for any other body."""
    if not isinstance(body, exp.Literal | exp.Heredoc | exp.RawString):
        return None
    listed = properties.expressions if properties is not None else ()
    languages = [item.this.name.lower() for item in listed if isinstance(item, exp.LanguageProperty)]
    if languages not in ([], ["sql"]):
        return None
    try:
        trees = [tree for tree in run.walk.names.dialect.parse(body.name) if tree is not None]
    except (SqlglotError, *SQLGLOT_ERRORS):
        return None
    if len(trees) != 1 or not isinstance(trees[0], exp.Query):
        return None
    if trees[0].find(exp.Parameter, exp.Placeholder) is not None:  # ``$1``: arguments by place, not by name
        return None
    returns = next((item for item in listed if isinstance(item, exp.ReturnsProperty)), None)
    return trees[0] if returns is None or returns.args.get("is_table") else exp.Subquery(this=trees[0])


def create_procedure(run: Run, node: exp.Expr) -> Outcome:
    """CREATE PROCEDURE: what its body holds is reported as if it ran."""
    problem = defines_only(next((part.name for part in node.this.find_all(exp.Table)), ""))
    run.walk.report(problem.code, problem.detail, problem.subject)
    body = node.expression
    if isinstance(body, exp.Expr) and not isinstance(body, exp.Literal | exp.Heredoc | exp.RawString):
        return run.block(body)
    return run.outcome("ddl")


def call(run: Run, node: Called) -> Outcome:
    """A procedure that a block calls by its name: what it does is not known, unless its package moves no rows.

    A method of a collection that the block declares, ``l.EXTEND``, only makes room in it.
    """
    parts = node.name.lower().split(".")
    owner = parts[1] if parts[0] == "sys" and len(parts) > 1 else parts[0]
    method = len(parts) > 1 and (owner in run.walk.declared or run.walk.variable(owner) is not None)
    if node.name and not method and owner not in run.walk.rules.idle_packages:
        run.walk.report("opaque-call", f"what {node.name} does is not looked into", subject=node.name)
    return run.outcome("other")
