"""Changes to a text as people make them by mistake, made to its tree: filters, joins, expressions, columns, rows."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from sqlglot import exp

Mutation = tuple[str, Callable[[exp.Expression], None]]


def mutations(query: exp.Expression) -> Iterator[tuple[str, exp.Expression]]:
    """Yield every changed query with the kind of its change; the query itself stays."""
    for number, node in enumerate(query.walk()):
        for kind, _ in _changes(node):
            copied = query.copy()
            other = next(n for at, n in enumerate(copied.walk()) if at == number)
            change = dict(_changes(other))[kind]
            change()
            yield kind, copied


def _changes(node: exp.Expression) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield what may be changed at one node."""
    swap: dict[type[exp.Expression], type[exp.Expression]] = {
        exp.Mul: exp.Add, exp.Div: exp.Mul, exp.Sub: exp.Add, exp.GT: exp.GTE, exp.LT: exp.GT, exp.GTE: exp.GT,
        exp.LTE: exp.LT, exp.NEQ: exp.EQ, exp.Sum: exp.Max, exp.Avg: exp.Max, exp.Max: exp.Min, exp.Min: exp.Max,
    }  # fmt: skip
    kind = type(node)
    if kind in swap:
        words = "an operator" if issubclass(kind, exp.Binary) else "an aggregate"
        yield f"{words} exchanged", lambda: node.replace(swap[kind](**_parts(node)))
    if isinstance(node, exp.Where):
        yield "a filter removed", node.pop
        yield "a filter turned round", lambda: node.set("this", exp.Not(this=exp.paren(node.this.copy())))
    if isinstance(node, exp.And) and node.find_ancestor(exp.Where, exp.Join):
        yield "one condition less", lambda: node.replace(node.this.copy())
    if isinstance(node, exp.Literal) and isinstance(node.parent, exp.Binary | exp.In | exp.Coalesce | exp.If):
        if node.is_string:
            yield "another text", lambda: node.replace(exp.Literal.string(node.name + "x"))
        else:
            yield "another number", lambda: node.replace(exp.Literal.number(_greater(node.name)))
    if isinstance(node, exp.Join) and node.side:
        yield "an outer join made inner", lambda: (node.set("side", None), node.set("kind", "INNER"))
    elif isinstance(node, exp.Join) and node.args.get("on") is not None:
        yield "an inner join made outer", lambda: node.set("side", "LEFT")
    if isinstance(node, exp.Select):
        if node.args.get("distinct"):
            yield "duplicates kept", lambda: node.set("distinct", None)
        elif not node.args.get("group"):
            yield "duplicates removed", lambda: node.set("distinct", exp.Distinct())
        yield "a limit", lambda: node.set("limit", exp.Limit(expression=exp.Literal.number(7)))
        yield from _columns(node)
    if isinstance(node, exp.Union):
        yield "one branch less", lambda: node.replace(node.this.copy())
    if isinstance(node, exp.Having):
        yield "a filter of groups removed", node.pop


def _columns(select: exp.Select) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield changes of single columns of a select list."""
    listed = [each for each in select.expressions if not each.find(exp.Star)]
    for place, item in enumerate(listed):
        name = item.alias_or_name
        value = item.this if isinstance(item, exp.Alias) else item
        if not name:
            continue
        others = [e.this if isinstance(e, exp.Alias) else e for at, e in enumerate(listed) if at != place]
        plain = [other for other in others if isinstance(other, exp.Column) and other.sql() != value.sql()]
        if isinstance(value, exp.Column) and plain:
            other = plain[place % len(plain)]
            yield (
                f"another column for {name}",
                lambda item=item, other=other, name=name: item.replace(exp.alias_(other.copy(), name)),
            )
        if isinstance(value, exp.Column):
            yield (
                f"a default for {name}",
                lambda item=item, value=value, name=name: item.replace(
                    exp.alias_(exp.func("NULLIF", value.copy(), value.copy()), name)
                ),
            )


def _parts(node: exp.Expression) -> dict[str, object]:
    return {key: value.copy() if isinstance(value, exp.Expression) else value for key, value in node.args.items()
            if key in ("this", "expression")}  # fmt: skip


def _greater(number: str) -> str:
    return f"{float(number) * 3 + 1:g}"


def laid_out(sql: str, draw: random.Random) -> str:
    """The same text with another layout and a comment."""
    return f"-- {draw.choice(['reviewed', 'see the ticket', 'owner changed'])} {draw.randrange(1000)}\n" + sql.replace(
        ", ", ",\n  " if draw.random() < 0.5 else ",  "
    )
