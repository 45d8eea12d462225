"""Functions written after a dot: ``pkg.f(x)`` names a package, ``c.f(x)`` calls it on a value, its first argument."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from sqlglot import exp

from ingest.sql.binder.names.lookup import path_parts
from ingest.sql.binder.names.resolving import find_source, known_column
from ingest.sql.binder.names.scope import Scope
from ingest.sql.dialects.rules import Rules
from ingest.sql.words import words

#: Nodes below which a bare name is not a column's, and the arguments of all other nodes in which it is.
_NAMED: Final = (exp.Column, exp.Dot, exp.Lambda, exp.Window, exp.Kwarg, exp.PropertyEQ, exp.Alias)
_OPERANDS: Final = words("this expression expressions low high default true false")


def called_on(node: exp.Dot, scope: Scope, rules: Rules, touched: Collection[str] = ()) -> Any:
    """Return the expression on whose value ``node`` calls a function, None where only a package is in front.

    A bare name becomes a column in the tree, so that it is resolved, and shown, as one. A name that is the schema of a
    dataset in ``touched``, and no known column, is a schema here, too, and one with its catalog in front is as well.
    """
    owner = node.this
    if owner is None:  # ``.f(x)``, damaged
        return None
    parts = path_parts(owner)
    if parts is None or owner.find(exp.Paren) is not None:
        _name_columns(owner)
        return owner  # f(x).g(), ('a').g(), c[1].g(), (c).d.g()
    names = [part.name for part in parts]
    if _is_path(names, scope, rules, touched) or not _is_value(names, node.expression.name.lower(), scope, rules):
        return None
    if isinstance(owner, exp.Identifier):
        node.set("this", exp.Column(this=owner))
    return node.this


def _is_path(parts: list[str], scope: Scope, rules: Rules, touched: Collection[str]) -> bool:
    """Whether the names in front of a function's are those of its schema, or of its catalog and schema."""
    if len(parts) > 2 or known_column(scope, parts[0]) is not None:
        return False
    if len(parts) == 1:
        return _is_schema(parts[0], touched)
    if any(parts[0].lower() in level.by_alias for level in scope.chain()):
        return False
    return parts[1].lower() in (rules.method_schemas or ()) or _is_schema(".".join(parts), touched)


def _is_schema(name: str, touched: Collection[str]) -> bool:
    """Whether the script has a dataset ``name.t``."""
    return any(dataset.partition(":")[2].lower().startswith(f"{name.lower()}.") for dataset in touched)


def _name_columns(owner: Any) -> None:
    """Turn the bare names in a value into columns: the parser reads them as if they were a package's."""
    for name in list(owner.find_all(exp.Identifier)):
        if _is_operand(name):
            name.replace(exp.Column(this=name.copy()))


def _is_operand(name: exp.Identifier) -> bool:
    """Whether a bare name is a value: not what XMLELEMENT calls its element, nor what an alias calls a value."""
    above, key = name.parent, name.arg_key or ""
    if isinstance(above, exp.Alias | exp.Ordered):
        return bool(key == "this")
    if isinstance(above, exp.XMLElement) and key == "this":
        return False
    return isinstance(above, exp.Condition) and not isinstance(above, _NAMED) and key in _OPERANDS


def _is_value(parts: list[str], function: str, scope: Scope, rules: Rules) -> bool:
    if rules.method_schemas is not None:
        return parts[0].lower() not in rules.method_schemas or known_column(scope, parts[0]) is not None
    if function in rules.xml_methods:
        return True
    if not rules.object_methods:
        return False
    source, rest = find_source(scope, parts)  # an object's method needs its table's alias in front
    return source is not None and bool(rest)
