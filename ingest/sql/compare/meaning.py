"""What a text says, exactly, where that is simple: one SELECT over tables, written to one dataset.

Texts that say more give None, and so do columns that cannot be compared: what depends on the moment or on chance, on
functions that are not known, on the order of rows. So two columns are called equal only where both texts were read
whole. Source of the tree: sqlglot.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from sqlglot import ErrorLevel, exp
from sqlglot.errors import SqlglotError

from ingest.sql.dialects.engine import engine_of
from ingest.sql.dialects.registry import rules_or_standard
from ingest.sql.sqlglot_errors import SQLGLOT_ERRORS
from ingest.sql.text.guard import inspect_sql
from lineage_tt.governance.upkeep.redundancy.statements import COLUMN, Expression, Rows, Statement, Text, normal_form
from lineage_tt.model.edges import name_of

#: Longer texts are seldom one SELECT over tables.
MAX_TEXT: Final = 20_000
#: The parts that a SELECT may have; a SELECT with any other part is not compared.
_CLAUSES: Final = {"expressions", "from_", "joins", "where", "group", "having", "distinct", "kind", "hint"}
#: Functions that give another value at each call, or are not known to be the same everywhere.
_UNSURE: Final = (
    exp.Anonymous, exp.Rand, exp.Randn, exp.Uuid, exp.CurrentDate, exp.CurrentTime, exp.CurrentTimestamp,
    exp.CurrentDatetime, exp.CurrentUser, exp.Window, exp.Placeholder, exp.Parameter, exp.SessionParameter, exp.Star,
    exp.Subquery, exp.Select, exp.ArrayAgg, exp.GroupConcat, exp.AnyValue, exp.First, exp.Last, exp.UDTF,
    exp.Lateral, exp.Explode, exp.Command, exp.Kwarg, exp.Lambda,
)  # fmt: skip


class _NotSimpleError(Exception):
    """The text says more than is compared here."""


def definitions(texts: Sequence[Text]) -> list[Statement | None]:
    """Return what each text says, None for one that is not read whole; parsed in this process, which no limit ends."""
    return [define(text) for text in texts]


def define(text: Text) -> Statement | None:
    """Return what a text says, None where it is not read whole."""
    if len(text.sql) > MAX_TEXT or "$" in text.sql or "{" in text.sql or inspect_sql(text.sql, dialect=text.dialect):
        return None
    dialect = engine_of(rules_or_standard(text.dialect)).dialect
    try:
        trees = [tree for tree in dialect.parser(error_level=ErrorLevel.IMMEDIATE).parse(
            dialect.tokenize(text.sql), text.sql) if tree is not None]  # fmt: skip
        return _statement(text, trees[0]) if len(trees) == 1 else None
    except (_NotSimpleError, SqlglotError, *SQLGLOT_ERRORS):
        return None


def _statement(text: Text, tree: exp.Expr) -> Statement:
    names: list[str] | None = None
    if isinstance(tree, exp.Insert):
        _only(tree, {"this", "expression", "overwrite", "is_function", "exists", "hint"})
        if not tree.args.get("overwrite"):
            raise _NotSimpleError  # appended to the rows that exist
        names = _listed(tree.this) or list(text.columns)
    elif isinstance(tree, exp.Create):
        if tree.args.get("kind") not in ("TABLE", "VIEW") or isinstance(tree.this, exp.Schema):
            raise _NotSimpleError
    else:
        raise _NotSimpleError
    query = tree.expression
    if not isinstance(query, exp.Select):
        raise _NotSimpleError
    _only(query, _CLAUSES)
    if query.args.get("kind") or query.args.get("hint"):
        raise _NotSimpleError
    return _Reader(text, query).statement(names)


def _listed(target: exp.Expr) -> list[str] | None:
    if isinstance(target, exp.Schema):
        return [column.name.lower() for column in target.expressions]
    if not isinstance(target, exp.Table):
        raise _NotSimpleError
    _only(target, {"this", "db", "catalog"})  # a partition is not the whole table
    return None


def _only(node: exp.Expr, known: set[str]) -> None:
    if any(value for name, value in node.args.items() if name not in known):
        raise _NotSimpleError


class _Reader:
    """Reads one SELECT over tables."""

    def __init__(self, text: Text, query: exp.Expr) -> None:
        self.text, self.query = text, query
        self.tables: list[str] = []
        self.places: dict[str, int] = {}

    def statement(self, names: list[str] | None) -> Statement:
        start = self.query.args.get("from_")
        if start is None:
            raise _NotSimpleError
        self._take(start.this)
        joins = self.query.args.get("joins") or []
        for join in joins:
            _only(join, {"this", "side", "kind", "on"})
            self._take(join.this)
        ways = tuple((f"{join.side} {join.kind}".strip().upper() or "INNER", self._all(join.args.get("on")))
                     for join in joins)  # fmt: skip
        group = self.query.args.get("group")
        if group is not None:
            _only(group, {"expressions"})
            if any(isinstance(each, exp.Literal) for each in group.expressions):
                raise _NotSimpleError  # a place in the list, or a constant: dialects differ
        distinct = self.query.args.get("distinct")
        if distinct is not None and distinct.args.get("on"):
            raise _NotSimpleError
        rows = Rows(
            tuple(self.tables), ways, self._all(self._of("where")),
            None if group is None else frozenset(self._sure(each) for each in group.expressions),
            self._all(self._of("having")), distinct is not None,
        )  # fmt: skip
        outputs = self.query.expressions
        if distinct is not None and any(self._unsure(each) for each in outputs):
            raise _NotSimpleError
        if names is None:
            names = [each.alias_or_name.lower() for each in outputs]
        if len(names) != len(outputs) or len(set(names)) != len(names) or "" in names or "*" in names:
            raise _NotSimpleError
        if distinct is not None:  # which rows are left depends on everything else
            everything = tuple(self._sure(each.unalias()) for each in outputs)
            rows = rows._replace(joins=(*rows.joins, ("DISTINCT", frozenset([("all", *sorted(everything, key=repr))]))))
        columns = {
            name: self._sure(each.unalias())
            for name, each in zip(names, outputs, strict=True)
            if not self._unsure(each)
        }
        aggregates = any(each.find(exp.AggFunc) for each in outputs) or bool(rows.having)
        return Statement(self.text.task_id, self.text.target, rows, columns, aggregates, self.text.dialect)

    def _of(self, clause: str) -> Any:
        node = self.query.args.get(clause)
        return None if node is None else node.this

    def _take(self, table: exp.Expr) -> None:
        """Take in a table of the statement under its alias."""
        if not isinstance(table, exp.Table) or not isinstance(table.this, exp.Identifier):
            raise _NotSimpleError
        _only(table, {"this", "db", "catalog", "alias"})
        written = ".".join(part.name for part in table.parts).lower()
        sources = [each for each in self.text.sources if name_of(each).lower() == written]
        alias = table.alias_or_name.lower()
        if len(sources) != 1 or alias in self.places or (table.args.get("alias") and table.args["alias"].columns):
            raise _NotSimpleError
        self.places[alias] = len(self.tables)
        self.tables.append(sources[0])

    def _all(self, condition: exp.Expr) -> frozenset[Expression]:
        """Return the conditions that must all hold."""
        return frozenset() if condition is None else frozenset(map(self._sure, _conjuncts(condition)))

    def _unsure(self, node: exp.Expr) -> bool:
        return node.find(*_UNSURE) is not None

    def _sure(self, node: exp.Expr) -> Expression:
        if self._unsure(node):
            raise _NotSimpleError
        result: Expression = self._value(node)
        return result

    def _value(self, node: exp.Expr) -> Any:
        """Return a tree as a value: columns by table and name, brackets and comments left out."""
        if isinstance(node, exp.Paren):
            return self._value(node.this)
        if isinstance(node, exp.Column):
            return self._column(node)
        if isinstance(node, exp.Literal):
            return ("literal", "text" if node.is_string else "number", node.this)
        if isinstance(node, exp.Expr):
            parts = [(name, self._value(value)) for name, value in sorted(node.args.items()) if _says(value)]
            if isinstance(node, (exp.And, exp.Or, exp.Mul, exp.EQ, exp.NEQ)) and len(parts) == 2:
                return normal_form(type(node).__name__, [value for _, value in parts])
            return (type(node).__name__, *parts)
        if isinstance(node, list):
            return ("list", *map(self._value, node))
        return ("plain", str(node))

    def _column(self, node: Any) -> Expression:
        if not isinstance(node.this, exp.Identifier) or node.args.get("db"):
            raise _NotSimpleError
        if any(part.quoted and part.name != part.name.lower() for part in node.parts):
            raise _NotSimpleError  # two such names may differ in nothing but case
        table = node.table.lower()
        if not table and len(self.tables) == 1:
            return (COLUMN, 0, node.name.lower())
        if table not in self.places:
            raise _NotSimpleError  # only the columns could show which table a bare name is of
        return (COLUMN, self.places[table], node.name.lower())


def _says(value: Any) -> bool:
    return value is not None and value is not False and value != []


def _conjuncts(condition: exp.Expr) -> Iterator[Any]:
    if isinstance(condition, exp.Paren):
        yield from _conjuncts(condition.this)
    elif isinstance(condition, exp.And):
        yield from _conjuncts(condition.left)
        yield from _conjuncts(condition.right)
    else:
        yield condition
