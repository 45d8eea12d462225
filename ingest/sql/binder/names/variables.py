"""Names that are not names of columns: variables of lambdas and comprehensions, which hide columns, places (``$1``),
sequences, and functions called without brackets, which columns hide."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from sqlglot import exp

from ingest.sql.binder.names.ports import Binder, Expressions
from ingest.sql.binder.names.resolving import known_column, resolve
from ingest.sql.binder.names.scope import Scope
from ingest.sql.binder.relations.flow import (
    CONDITIONAL,
    IDENTITY,
    TRANSFORMATION,
    WINDOW,
    Column,
    Flow,
    Part,
    add,
    field_part,
    through,
)
from ingest.sql.binder.relations.relations import Relation
from ingest.sql.parser.after.other_words import NEXT_VALUE


def in_lambda(values: Expressions, node: exp.Expr, scope: Scope, by: int, out: Flow) -> None:
    """``a -> a + b``: the values of the parameters are among the arguments beside it; ``b`` is looked up in the scope.

    In dialects without such lambdas, ``doc -> 'a'`` is the field of a document, and the parser's guess is wrong.
    """
    if _is_field(values, node, scope):
        for parameter in node.expressions:
            values.collect(exp.Column(this=parameter), scope, through(TRANSFORMATION, by), out)
        values.collect(node.this, scope, through(TRANSFORMATION, by), out)
        return
    inner = _scope(node.expressions, scope)
    values.collect(node.this, inner, through(TRANSFORMATION, by), out)
    scope.effects.add(inner.effects)


def _is_field(values: Expressions, node: exp.Expr, scope: Scope) -> bool:
    """Whether an arrow in brackets takes a field of a JSON document."""
    arrow = values.walk.rules.arrow
    if arrow == "field":
        return True
    if arrow == "lambda" or len(node.expressions) != 1:
        return False
    key = node.this
    while isinstance(key, exp.Binary) and not isinstance(key, exp.Connector):
        key = key.this
    return isinstance(key, exp.Literal) and known_column(scope, node.expressions[0].name) is not None


def in_comprehension(values: Expressions, node: exp.Expr, scope: Scope, by: int, out: Flow) -> None:
    """``[a + b for a in c if a > d]``: the list's values, what else the expression takes, and what chooses them."""
    values.collect(node.args["iterator"], scope, through(TRANSFORMATION, by), out)
    inner = _scope(filter(None, (node.expression, node.args.get("position"))), scope)
    values.collect(node.this, inner, through(TRANSFORMATION, by), out)
    if node.args.get("condition") is not None:
        values.collect(node.args["condition"], inner, through(CONDITIONAL, by), out)
    scope.effects.add(inner.effects)


def field_by_place(values: Expressions, node: exp.Expr, scope: Scope, by: int, out: Flow) -> None:
    """``t.$1``, and ``t.$1.a.b``, which the parser takes for a table's column; nothing for other names."""
    parts = list(node.parts)
    at = next((at for at, part in enumerate(parts) if isinstance(part, exp.Parameter)), None)
    if at is None:
        return
    path = [part.name for part in parts[at + 1 :]]
    table = parts[at - 1].name if at else ""
    if not path:
        by_place(values, parts[at], scope, by, out, table)
        return
    values.lookup.note(node)
    found: Flow = {}
    by_place(values, parts[at], scope, IDENTITY, found, table)
    add(out, field_part(Part(found, table), ".".join(path)).flow, through(TRANSFORMATION, by))


def by_place(values: Expressions, node: exp.Expr, scope: Scope, by: int, out: Flow, table: str = "") -> None:
    """``$2`` is the second column of the one source, ``t.$2`` of the source ``t`` (Snowflake).

    T-SQL's ``@v`` is what a script's variable holds.
    """
    walk = values.walk
    if isinstance(node.this, exp.Expr) and not isinstance(node.this, exp.Identifier | exp.Var | exp.Literal):
        values.collect(node.this, scope, through(TRANSFORMATION, by), out)  # ``@(…)``: what is read in the brackets
        return
    variable = walk.variable(node.name, scope)
    if variable is not None:
        add(out, variable.flow(), by)
        return
    if not walk.rules.dollar_places or not node.name.isdecimal() or not scope.sources:
        return
    named = scope.by_alias.get(table.lower())
    sources = [named] if named is not None else scope.sources
    for source in sources:
        walk.count_all(source.relation)
    columns = sources[0].relation.visible()[: int(node.name)] if len(sources) == 1 else []
    chosen = next((column for column in columns if column.is_open), None)
    if chosen is None and len(columns) == int(node.name) > 0:
        chosen = columns[-1]
    if chosen is not None:
        add(out, _of_file(walk, chosen, f"${node.name}").flow() if chosen.is_open else chosen.flow(), by)
    else:
        walk.report("unknown-column", f"no source is known to have a column ${node.name}", subject=f"${node.name}")


def bound(values: Expressions, node: exp.Expr, scope: Scope, by: int, out: Flow) -> None:
    """``:x`` is what a script's variable holds where the dialect writes variables so, else a value handed in."""
    walk = values.walk
    variable = walk.variable(node.name, scope) if walk.rules.variables.colon != "bind" and node.name else None
    if variable is not None:
        add(out, variable.flow(), by)


def of_bound_row(values: Expressions, node: exp.Expr, scope: Scope) -> Column | None:
    """Return the field ``:r.id``, ``@r.id`` or ``l(i).id`` of a row in a variable, None for any other expression."""
    names: list[exp.Expr] = []
    while isinstance(node, exp.Dot) and isinstance(node.expression, exp.Identifier):
        names.append(node.expression)
        node = node.this
    colon = isinstance(node, exp.Placeholder) and values.walk.rules.variables.colon != "bind"
    element_of = isinstance(node, exp.Anonymous) and names and node.name.lower() in values.walk.declared
    if element_of and values.walk.rows_named(node.name) is not None:
        values.below(node, scope, TRANSFORMATION, {})
        return values.lookup.find([node.name, *values.walk.names.spell_path(names[::-1])], scope)
    if not colon and not isinstance(node, exp.Parameter):
        return None
    return values.lookup.of_record([node.name, *values.walk.names.spell_path(names[::-1])], scope)


def unknown_field(walk: Binder, parts: list[str]) -> Column:
    """Report a field of a record whose row has no column of its name: the type decides which column it is."""
    name = ".".join(parts)
    walk.report("ambiguous-column", f"which column of its row {name} is depends on a type that is not known", name)
    return Column(parts[-1], ())


def row_listed(walk: Binder, node: exp.Expr) -> Relation | None:
    """Return the record of ``VALUES r`` and ``VALUES l(i)``, whose fields are the row; None for any other values."""
    cells = node.expressions[0].expressions if len(node.expressions) == 1 else []
    cell = cells[0] if len(cells) == 1 and walk.rules.values_take_records else None
    if not isinstance(cell, exp.Column | exp.Anonymous) or (isinstance(cell, exp.Column) and cell.table):
        return None
    record = walk.rows_named(cell.name)
    if record is not None:
        for column in cell.find_all(exp.Column):
            walk.values.lookup.note(column)
    return record


def called(values: Expressions, node: Any, name: str, scope: Scope, by: int, out: Flow) -> bool:
    """Add what a call that reads a variable or a sequence, or casts a column, gives; False for a call of a function."""
    if node.expressions and (name == NEXT_VALUE or name in values.walk.rules.sequence_functions):
        values.lookup.note(node.expressions[0])
        return True
    if name in values.walk.declared and element(values, node, name, scope, by, out):
        return True
    if name in values.walk.rules.variables.functions and _read_by_name(values, node, scope, by, out):
        return True
    return values.walk.rules.brackets_cast and _cast(values, node, scope, by, out)


def _cast(values: Expressions, node: Any, scope: Scope, by: int, out: Flow) -> bool:
    """Teradata's ``a(DATE)`` of a column ``a``; False where no source has it, so that today is given to a function."""
    argument = node.expressions[0] if len(node.expressions) == 1 else None
    if not isinstance(argument, exp.Column) or len(argument.parts) != 1:
        return False
    if argument.name.lower() not in CAST_OR_CALLED or values.walk.functions.knows(node.name):
        return False
    match = resolve(scope, [node.name])
    if match.column is None and not match.ambiguous:
        return False
    if known_column(scope, node.name) is None and node.name.lower() not in scope.aliases:
        detail = f"whether {node.name}({argument.name}) casts a column or calls a function is not known"
        values.walk.report("unknown-columns", detail, subject=node.name)
    values.lookup.note(argument)
    values.collect(exp.column(node.name), scope, through(TRANSFORMATION, by), out)
    return True


def _read_by_name(values: Expressions, node: exp.Expr, scope: Scope, by: int, out: Flow) -> bool:
    """DuckDB's ``getvariable('x')``: what the script set the variable to; False where it did not."""
    name = node.expressions[0] if len(node.expressions) == 1 else None
    variable = values.walk.variable(name.name, scope) if isinstance(name, exp.Literal) else None
    if variable is None:
        return False
    add(out, variable.flow(), by)
    return True


def _of_file(walk: Binder, column: Column, place: str) -> Column:
    """Return a column of files, which have no other name than their place, or what covers a table's unknown ones."""
    of_tables = f"{walk.names.namespace}:"
    return column if any(node.startswith(of_tables) for node in column.flow()) else column.named(place)


def fields_of_file(column: Column) -> list[Column]:
    """Return the fields of Spark's ``_metadata``: those that all files have, and what some formats add."""
    return [Column(name, tuple(field_part(part, name) for part in column.parts)) for name in (*_FILE_FIELDS, "*")]


#: Of Spark's ``_metadata``, in their order.
_FILE_FIELDS: Final = (
    *("file_path", "file_name", "file_size", "file_block_start", "file_block_length", "file_modification_time"),
)
#: Types in brackets that are functions as well, called without brackets: ``f(DATE)`` may be called with today.
CAST_OR_CALLED: Final = frozenset(["date", "time"])
#: The functions that the parser knows without brackets, and Spark only where no column has that name.
WITHOUT_BRACKETS: Final = (exp.CurrentDate, exp.CurrentTime, exp.CurrentTimestamp, exp.CurrentUser, exp.SessionUser)


def without_brackets(values: Expressions, node: Any, scope: Scope, by: int, out: Flow) -> None:
    """Spark's ``current_date`` is a column where a source is known to have one of that name."""
    hides = values.walk.rules.columns_hide_functions and not node.this
    column = known_column(scope, node.sql_name().lower()) if hides else None
    if column is not None:
        add(out, column.flow(), by)
    else:
        values.below(node, scope, through(TRANSFORMATION, by), out)


def next_value(values: Expressions, node: Any, scope: Scope, by: int, out: Flow) -> None:
    """``NEXT VALUE FOR d.s OVER (ORDER BY a)``: the sequence is no column; its order says which row gets which."""
    values.lookup.note(node.this)
    if node.args.get("order"):
        values.collect(node.args["order"], scope, through(WINDOW, by), out)


#: Rules of these names, by the classes of their nodes.
RULES: Final = {**dict.fromkeys(WITHOUT_BRACKETS, without_brackets), exp.NextValueFor: next_value}


def _scope(variables: Iterable[exp.Expr], around: Scope) -> Scope:
    names = [variable.name for variable in variables]
    return Scope(parent=around, parameters={name.lower(): Column(name, (Part({}, name),)) for name in names})


def element(values: Expressions, node: Any, name: str, scope: Scope, by: int, out: Flow) -> bool:
    """``l(i)``: an element of a collection that a block declares, as PL/SQL has it; False where none has the name."""
    collection = values.walk.variable(name, scope)
    if collection is None:
        return False
    values.below(node, scope, by, {})  # which element it is decides nothing that a column says
    add(out, collection.flow(), by)
    return True
