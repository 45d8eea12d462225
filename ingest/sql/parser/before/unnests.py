"""Implicit unnests, ``FROM t, t.items``, made explicit: ``FROM t, UNNEST(t.items)``.

sqlglot's parser does so itself, but to learn the name of each joined subquery it copies the whole of it, and again
around each bracket: a third of the time that it takes for long texts. A worker process, in which nothing else parses,
switches that off (``left_to_us``); what it would have done is done here, from names alone. Names of sources
match in any case, as BigQuery has it.
"""

from __future__ import annotations

from functools import cache

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect

from ingest.sql.dialects.registry import DIALECTS


@cache
def left_to_us() -> None:
    """Make sqlglot's parsers in this process leave implicit unnests as they are written."""
    for rules in DIALECTS:
        if rules.implicit_unnests:
            Dialect.get_or_raise(rules.parser).parser_class.SUPPORTS_IMPLICIT_UNNEST = False


def explicit(select: exp.Expr) -> None:
    """Make the implicit unnests among a SELECT's joins explicit, as ``Parser._implicit_unnests_to_explicit`` does."""
    joins = select.args.get("joins")
    if not joins or select.args.get("from_") is None:
        return
    names = {_name(select.args["from_"].this)}
    for join in joins:
        source = join.this
        if isinstance(source, exp.AtIndex) and isinstance(source.this, exp.Alias):  # Redshift's ``t.items AS i AT n``
            source.replace(_with_index(source))
            continue
        name = _name(source)
        dotted = isinstance(source, exp.Table) and not join.args.get("on") and len(source.parts) > 1
        if dotted and source.parts[0].name.lower() in names:
            source.replace(_unnest(source))
        names.add(name)


def explicit_everywhere(node: exp.Expr) -> None:
    """Make all implicit unnests of a statement explicit."""
    for select in list(node.find_all(exp.Select)):
        explicit(select)


def _name(source: exp.Expr) -> str:
    name: str = source.alias_or_name
    return name.lower()


def _with_index(source: exp.AtIndex) -> exp.Unnest:
    alias: exp.Expr = source.this
    unnest = exp.Unnest(expressions=[alias.this], offset=source.expression)
    exp.alias_(unnest, None, table=[alias.args["alias"]], copy=False)
    return unnest


def _unnest(table: exp.Table) -> exp.Unnest:
    column = table.to_column()
    unnest = exp.Unnest(expressions=[column])
    alias = table.args.get("alias")
    if isinstance(alias, exp.TableAlias):
        column.replace(column.this)
        exp.alias_(unnest, None, table=[alias.this], copy=False)
    return unnest
