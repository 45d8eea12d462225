"""Takes away the brackets of a query that change nothing: those around one value, and those that precedence implies.

Only what all engines agree on counts: AND binds closer than OR, NOT closer than AND, a comparison closer than NOT,
``+`` and ``-`` closer than a comparison, ``*`` and ``/`` closer than those, each from left to right. Around any other
operator, and inside of it, brackets stay as they are written.
"""

from __future__ import annotations

from typing import Any, Final

from sqlglot import exp

from ingest.sql.dialects.dialects import Names
from ingest.sql.text.tokens import outside, tokens_of

#: How closely an operator binds, by its class; what is not here binds in no known way.
_BINDS: Final = {
    exp.Or: 1, exp.And: 2, exp.Not: 3,
    exp.EQ: 4, exp.NEQ: 4, exp.LT: 4, exp.LTE: 4, exp.GT: 4, exp.GTE: 4,
    exp.Is: 4, exp.Like: 4, exp.In: 4, exp.Between: 4,
    exp.Add: 5, exp.Sub: 5, exp.Mul: 6, exp.Div: 6,
}  # fmt: skip
_ASSOCIATIVE: Final = (exp.And, exp.Or)
_FROM_LEFT: Final = (exp.Add, exp.Sub, exp.Mul, exp.Div)
#: What ends where its own words or commas do, so that brackets around the whole of it say nothing.
_WHOLES: Final = (exp.Where, exp.Having, exp.Qualify, exp.Alias, exp.Join)
#: ``f(`` are the only two tokens of a call that are outside of brackets.
_OF_CALL: Final = 2


def without_brackets(query: exp.Expr, names: Names) -> None:
    """Take the brackets that change nothing out of a query, which is changed in place."""
    for paren in list(query.find_all(exp.Paren)):
        if _is_redundant(paren, names):
            paren.replace(paren.this)


def _is_redundant(paren: exp.Paren, names: Names) -> bool:
    inner: Any = paren.this
    if isinstance(inner, exp.Column | exp.Literal | exp.Paren) or isinstance(paren.parent, _WHOLES):
        return True
    if type(inner) in _BINDS:
        return type(paren.parent) in _BINDS and _binds_closer(inner, paren)
    return isinstance(inner, exp.Func) and _is_call(inner, names)


def _binds_closer(inner: exp.Expr, paren: exp.Paren) -> bool:
    """Whether an operator in brackets would be one operand of the operator around it without them, too."""
    above: Any = paren.parent
    mine, around = _BINDS[type(inner)], _BINDS[type(above)]
    if mine != around:
        return mine > around
    if isinstance(inner, _ASSOCIATIVE):
        return type(inner) is type(above)
    return isinstance(inner, _FROM_LEFT) and above.args.get("this") is paren


def _is_call(function: exp.Func, names: Names) -> bool:
    """Whether a function is written as ``f(…)``: many are written as operators, and some with words after them."""
    if isinstance(function, exp.Binary | exp.Unary):
        return False
    if isinstance(function, exp.Case):
        return True
    tokens = tokens_of(function.sql(names.dialect, comments=False), names.engine.dialect)
    return tokens is not None and tokens[-1].text == ")" and len(outside(tokens)) == _OF_CALL
