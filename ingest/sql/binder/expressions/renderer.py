"""The text of an expression, normalised so that cosmetic edits do not change it.

sqlglot's generator writes it in the statement's dialect; columns are shown as the sources they resolve to, literals as
``?``, subqueries as their outputs and the datasets they read.
"""

from __future__ import annotations

import re
from functools import cached_property, partial
from typing import Any, Final

from sqlglot import exp, transforms
from sqlglot.dialects.dialect import Dialect

from ingest.sql.binder.names.ports import Expressions
from ingest.sql.dialects.engine import Engine
from ingest.sql.render import shorten
from ingest.sql.sqlglot_errors import SQLGLOT_ERRORS

_LONGEST_CALL: Final = 500
_LITERALS: Final = (
    exp.Literal,
    exp.National,
    exp.RawString,
    exp.ByteString,
    exp.HexString,
    exp.BitString,
    exp.UnicodeString,
    exp.Heredoc,
    exp.Boolean,
)
_QUOTED: Final = re.compile(r"'(?:[^']|'')*'")
_BRACKETS: Final = re.compile(r"[()]")


class Renderer:
    """Writes expressions in one dialect. Handlers replace the generator's own: compiled, it cannot be subclassed."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._values: Expressions | None = None
        self._active: set[int] = set()

    @cached_property
    def _generator(self) -> Any:
        """The generator with our handlers, made when the first expression is written."""
        engine, other = self._engine, self._engine.rules.identity.rendered_as
        dialect = engine.dialect if other is None else Dialect.get_or_raise(other)
        generator: Any = dialect.generator(comments=False)
        plain = generator._dispatch
        handlers = {
            **plain,
            exp.Column: partial(self._name, plain[exp.Column]),
            exp.Dot: partial(self._name, plain[exp.Dot]),
            **dict.fromkeys(_LITERALS, _hidden),
            exp.JSONPath: partial(_path, plain.get(exp.JSONPath, _hidden)),
            exp.Subquery: self._subquery,
        }
        for kind in (exp.Select, exp.Union, exp.Except, exp.Intersect):
            handlers[kind] = self._subquery
        if engine.rules.casts_drop_precision:
            handlers[exp.Cast] = _cast
        if generator.IGNORE_NULLS_IN_FUNC and generator.IGNORE_NULLS_BEFORE_ORDER:
            for kind in (exp.IgnoreNulls, exp.RespectNulls):
                handlers[kind] = partial(_beside_argument, handlers[kind])
        for kind in (exp.JSONExtract, exp.JSONExtractScalar):
            if kind in handlers:
                handlers[kind] = partial(_extracted, handlers[kind])
        generator._dispatch = handlers
        return generator

    def render(self, node: exp.Expr, values: Expressions) -> str:
        """Return the text of an expression whose names ``values`` has resolved."""
        if id(node) in self._active:  # a recursive query's expression is made of itself
            return "…"
        self._active.add(id(node))
        outer, self._values = self._values, values
        try:
            return shorten(self._generator.sql(node))
        except SQLGLOT_ERRORS:  # lineage does not depend on an expression's text
            return type(node).__name__.upper()
        finally:
            self._values = outer
            self._active.discard(id(node))

    def _name(self, plain: Any, generator: Any, node: exp.Expr) -> str:
        """A name, with or without dots, is shown as what it was resolved to."""
        column = self._values.lookup.column_at(node) if self._values else None
        return _grouped(column.text) if column is not None and column.parts else str(plain(generator, node))

    def _subquery(self, generator: Any, node: exp.Expr) -> str:
        relation = self._values.relation_at(node) if self._values else None
        if relation is None:
            return "(SELECT ?)"
        outputs = ", ".join(column.text for column in relation.visible())
        reads = ", ".join(sorted(dataset.partition(":")[2] for dataset in relation.effects.reads))
        return f"(SELECT {outputs} FROM {reads})" if reads else f"(SELECT {outputs})"


def _path(plain: Any, generator: Any, node: exp.Expr) -> str:
    """A path in quotes is a literal; one written as names (``b:x.y``) says which field it is."""
    named = node.parent is not None and node.parent.args.get("variant_extract")
    return str(plain(generator, node)).strip("'") if named else "?"


def _extracted(plain: Any, generator: Any, node: exp.Expr) -> str:
    """Some dialects write a path as several strings; where they do, the strings are literals."""
    text = str(plain(generator, node))
    return text if node.args.get("variant_extract") or "'" not in text else _QUOTED.sub("?", text)


def _grouped(text: str) -> str:
    """Put brackets around a text inside another, unless it is one name or one call."""
    if " " not in text:
        return text
    depth = 0
    if text.endswith(")") and len(text) <= _LONGEST_CALL and text.find(" ") > text.find("(") >= 0:
        for bracket in _BRACKETS.finditer(text):
            depth += 1 if bracket.group() == "(" else -1
            if depth == 0:
                return text if bracket.end() == len(text) else f"({text})"
    return f"({text})"


def _cast(generator: Any, node: exp.Expr) -> str:
    """At every cast the generator looks for types to simplify in all that is cast; the target type is enough."""
    transforms.remove_precision_parameterized_types(node.args["to"])
    return str(generator.cast_sql(node))


def _beside_argument(plain: Any, generator: Any, node: exp.Expr) -> str:
    """``ARRAY_AGG(a RESPECT NULLS ORDER BY b)``: before the order; the generator's own way copies ``a`` for that.

    What the names of a copy resolve to is not known, and copying costs more than everything else here.
    """
    modifier = None
    inner = node.this.this if node.this is not None else None
    while isinstance(inner, exp.HavingMax | exp.Order | exp.Limit):
        modifier, inner = inner, inner.this
    if modifier is None or inner is None:
        return str(plain(generator, node))
    marked = type(node)(this=inner)
    marked.meta["inline"] = True
    modifier.set("this", marked)
    try:
        return str(generator.sql(node.this))
    finally:
        modifier.set("this", inner)


def _hidden(generator: Any, node: exp.Expr) -> str:
    return "?"
