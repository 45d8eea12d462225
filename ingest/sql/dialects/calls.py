"""Calls keep all of their arguments: what the parser makes of a function that it knows may leave some out.

It knows a function by its name, in the form that one engine has. Another engine, or a function of the user's own, may
take more arguments, or have the unit of a time first and not last: then the call stays what is written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from sqlglot import exp
from sqlglot.parsers.postgres import PostgresParser

from ingest.sql.dialects.parts.time_units import UNITS
from ingest.sql.words import words

#: Where a call keeps the column whose name the parser took for a unit.
WORD: Final = "word"
#: Functions whose unit comes first in each engine that has one for it.
_UNIT_FIRST: Final = words(
    "timestampadd timestampdiff dateadd datediff datediff_big date_bucket datetrunc datename datepart timeadd timediff"
)
#: Functions whose unit comes first in some engines, where the parser knows another form.
_ALSO_FIRST: Final = words("date_add date_diff")


class _Kept:
    """Makes the tree of a call as the parser does, unless an argument would be lost."""

    __slots__ = ("_name", "_plain")

    def __init__(self, name: str, plain: Callable[..., exp.Expr]) -> None:
        self._name = name
        self._plain = plain

    def __call__(self, args: list[Any], **beside: Any) -> exp.Expr:
        node = self._plain(args, **beside)
        for place, argument in enumerate(args):
            if isinstance(argument, exp.Expr) and argument is not node and not _is_held(argument):
                return _with_all(self._name, node, args, place)
        return node


def keep_arguments(parser: Any) -> None:
    """Make the functions that a parser knows keep all arguments, and know the unit in those that it does not know."""
    functions = parser.FUNCTIONS
    if issubclass(parser, PostgresParser) and parser.FUNCTION_PARSERS.pop("DATE_PART", None) is not None:
        functions["DATE_PART"] = _part_of  # its own way makes a word of a column
    for name, plain in functions.items():
        if not isinstance(plain, _Kept):
            functions[name] = _Kept(name, plain)
    for name in map(str.upper, _UNIT_FIRST - {each.lower() for each in functions}):
        functions[name] = _Kept(name, lambda args, name=name: _plain_call(name, args))


def _part_of(args: list[Any]) -> exp.Expr:
    """Return ``date_part('day', d)`` as the parser makes it; in Postgres the part may be a column."""
    if len(args) != 2:
        return exp.Anonymous(this="DATE_PART", expressions=args)
    part = args[0]
    is_word = isinstance(part, exp.Literal) or (isinstance(part, exp.Column) and not part.table)
    return exp.Extract(this=exp.var(part.name.upper()) if is_word else part, expression=args[1])


def _with_all(name: str, node: exp.Expr, args: list[Any], first_lost: int) -> exp.Expr:
    """Return a call of which the parser leaves out an argument, perhaps for a word, with what it left out."""
    lost = [each for each in args[first_lost:] if isinstance(each, exp.Expr) and _is_lost(each, node)]
    written = {word.name.upper() for word in node.find_all(exp.Var, exp.Literal)} if lost else set()
    with_unit = "unit" in node.arg_types or isinstance(node, exp.Extract)
    words_of = [each for each in lost if _is_word(each, written) or (with_unit and _names_unit(each))]
    if len(words_of) < len(lost):
        return _plain_call(name, args, aggregate=isinstance(node, exp.AggFunc))
    if words_of and words_of[0] is not args[0] and _is_first(name, args[0], words_of[0]):
        return _plain_call(name, args)
    if words_of:
        node.meta[WORD] = words_of[0]
    return node


def _is_held(argument: exp.Expr) -> bool:
    """Whether an argument is where its parent says; a unit has a parent, which has a word in its place."""
    parent = argument.parent
    held = parent.args.get(argument.arg_key) if parent is not None else None
    return held is argument or isinstance(held, list)


def _is_lost(argument: exp.Expr, node: exp.Expr) -> bool:
    """Whether columns of an argument, or a query in it, are not in a call's tree, which may have a copy of it."""
    if _is_held(argument):
        return False
    there = {column.name for column in node.find_all(exp.Column)}
    return argument.find(exp.Query) is not None or any(each.name not in there for each in argument.find_all(exp.Column))


def _is_word(argument: exp.Expr, written: set[str]) -> bool:
    """Whether a call has the name of a column as a word."""
    if not isinstance(argument, exp.Column) or argument.table:
        return False
    name = argument.name.upper()
    return bool(written & {name, exp.TimeUnit.UNABBREVIATED_UNIT_NAME.get(name, name)})


def _is_first(name: str, first: Any, taken: exp.Expr) -> bool:
    """Whether the first argument is the unit, and not the one that the parser has taken for it."""
    if isinstance(first, exp.Literal):
        return _says_unit(first)
    return _names_unit(first) and (name.lower() in _UNIT_FIRST or taken.name.lower() not in UNITS)


def _says_unit(node: Any) -> bool:
    return isinstance(node, exp.Literal) and node.is_string and node.name.lower() in UNITS


def _names_unit(node: Any) -> bool:
    return isinstance(node, exp.Column) and not node.table and node.name.lower() in UNITS


def _plain_call(name: str, args: list[Any], *, aggregate: bool = False) -> exp.Expr:
    """Return the call of a function that is not known, its first argument a word where that is a unit's name."""
    may_be_first = name.lower() in _UNIT_FIRST | _ALSO_FIRST and args and _names_unit(args[0])
    if may_be_first and not any(map(_says_unit, args[1:])):
        args = [exp.var(args[0].name), *args[1:]]
    return (exp.AnonymousAggFunc if aggregate else exp.Anonymous)(this=name, expressions=args)
