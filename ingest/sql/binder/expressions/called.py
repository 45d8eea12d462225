"""Calls of registered functions (``functions.toml``): which arguments give the value, and which only decide."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from ingest.sql.binder.names.ports import Expressions
from ingest.sql.binder.names.scope import Scope
from ingest.sql.binder.relations.flow import AGGREGATION, CONDITIONAL, TRANSFORMATION, Column, Flow, Part, add, through
from ingest.sql.binder.relations.relations import Relation
from ingest.sql.dialects.function_registry import Function


def collect_registered(
    values: Expressions, function: Function, arguments: list[exp.Expr], scope: Scope, by: int, out: Flow
) -> None:
    """Add the sources of a call: what a masking function makes of a value is not that value, but depends on it."""
    _check_places(values, function, function.values, len(arguments))
    own = CONDITIONAL if function.masks else AGGREGATION if function.aggregate else TRANSFORMATION
    for place, argument in enumerate(arguments):
        if function.gives(place):
            values.collect(argument, scope, through(own, by), out)
        elif place in function.decides:
            values.collect(argument, scope, through(CONDITIONAL, by), out)
        else:  # neither: its names are resolved, since one that does not exist is a problem all the same
            values.collect(argument, scope, through(CONDITIONAL, by), {})


def _check_places(
    values: Expressions, function: Function, places: tuple[int, ...] | None, given: int, column: str = ""
) -> None:
    """Report a call that has none of the arguments that give its value: its edges are lost.

    One that has some of them may leave out optional ones.
    """
    if places and given and min(places) >= given:
        says = f"functions.toml takes the value of {function.name} from argument {min(places) + 1}"
        of_column = f" for {column}" if column else ""
        values.walk.report("opaque-call", f"{says}{of_column}, but a call has {given}", subject=function.name)


def built_in(values: Expressions, node: exp.Expr, scope: Scope, by: int, out: Flow) -> bool:
    """Do the same for a function that the parser knows; returns whether it is registered, or the script's own."""
    functions = values.walk.functions
    if functions.redefined and _redefined(values, node, scope, by, out):
        return True
    if functions.registry is None or not isinstance(node, exp.Func):
        return False
    function = functions.registered_class(type(node))
    if function is not None:
        collect_registered(values, function, _arguments(node), scope, by, out)
    return function is not None


def with_schema(values: Expressions, node: exp.Expr, scope: Scope, by: int, out: Flow) -> bool:
    """Do the same for ``schema.f(a)``; returns whether the name without its schema must not be looked at any more."""
    call = node.expression
    functions = values.walk.functions
    if functions.registry is None or not isinstance(call, exp.Anonymous) or functions.registered(call.name) is None:
        return False
    schema = ".".join(part.name for part in node.this.find_all(exp.Identifier))
    function = functions.registered(f"{schema}.{call.name}")
    if function is not None:
        collect_registered(values, function, call.expressions, scope, by, out)
    else:
        values.below(call, scope, through(TRANSFORMATION, by), out)
    return True


def _redefined(values: Expressions, node: exp.Expr, scope: Scope, by: int, out: Flow) -> bool:
    """Add what a function of the script gives that has the name of one that the parser knows; False for all others.

    Only one argument is sure to be in its place: the parser moves those of some functions.
    """
    functions = values.walk.functions
    name = functions.redefined.get(type(node))
    if name is None:
        return False
    arguments = _arguments(node)
    made = functions.call(name, arguments, scope) if len(arguments) == 1 else None
    if made is None:
        values.walk.report("opaque-call", f"what the script's own {name} does is not looked into", subject=name)
        return False
    add(out, made.flow(), through(TRANSFORMATION, by))
    return True


def check_query(values: Expressions, node: exp.Expr, name: str) -> None:
    """Report a function that runs a query given as a text: what that reads is not known."""
    functions = values.walk.rules.query_functions
    if functions:
        package = node.parent.this if isinstance(node.parent, exp.Dot) else None
        owner = package.expression if isinstance(package, exp.Dot) else package
        if name in functions or (owner is not None and f"{owner.name.lower()}.{name}" in functions):
            values.walk.report("opaque-call", f"what {name} reads is not looked into", subject=name)


def _arguments(node: exp.Expr) -> list[Any]:
    result: list[Any] = []
    for key in node.arg_types:
        value = node.args.get(key)
        result += [item for item in (value if isinstance(value, list) else [value]) if isinstance(item, exp.Expr)]
    return result


def rows_of(
    values: Expressions, function: Function, arguments: list[exp.Expr], names: list[str], scope: Scope
) -> Relation:
    """Return the rows of a registered table function, its columns under other names where ``names`` has some."""
    columns = []
    for place, (name, places) in enumerate(function.columns):
        flow: Flow = {}
        own = CONDITIONAL if function.masks else TRANSFORMATION
        taken = function.values if places is None else places
        _check_places(values, function, taken, len(arguments), name)
        for at, argument in enumerate(arguments):
            if at in places if places is not None else function.gives(at):
                values.collect(argument, scope, own, flow)
            elif at in function.decides:
                values.collect(argument, scope, CONDITIONAL, flow)
            else:
                values.collect(argument, scope, CONDITIONAL, {})
        called = names[place] if place < len(names) else name
        columns.append(Column(called, (Part(flow, f"{function.name}(?)"),)))
    return Relation(columns)
