"""Variables that a script declares, and what statements set them from."""

from __future__ import annotations

from typing import Any, Final

from sqlglot import exp

from ingest.sql.binder.names.scope import Scope
from ingest.sql.binder.names.search_path import follow
from ingest.sql.binder.relations.catalog import TableState
from ingest.sql.binder.relations.flow import TRANSFORMATION, Column, Flow, Part, add
from ingest.sql.binder.relations.relations import Relation
from ingest.sql.parser.scripts.blocks import Closed, Declared, Fetched, Opened
from ingest.sql.parser.targets import target_name
from ingest.sql.statements import records
from ingest.sql.statements.inserts import formulas, left_out
from ingest.sql.statements.run import Outcome, Run
from ingest.sql.statements.temporary import make_empty

_MERGE_ADDS_COLUMNS: Final = ".databricks.delta.schema.automerge.enabled"


def declared_targets(run: Run, into: Any) -> tuple[str, ...] | None:
    """Return the variables of a SELECT's INTO where all its names are declared ones, None where it makes a table."""
    listed = into.expressions or [into.this]
    names = tuple(target_name(item) for item in listed if isinstance(item, exp.Expr))
    known = names and all(name.partition(".")[0].lower() in run.walk.declared for name in names)
    return names if known else None


def set_from(run: Run, names: tuple[str, ...], node: exp.Expr) -> Outcome:
    """Set variables from a query with an INTO."""
    query = node.copy()
    query.set("into", None)
    return fetch(run, Fetched(names, query=query))


def _any_of(columns: list[Column]) -> Column:
    """Return a value that any of these columns may have given."""
    flow: Flow = {}
    for column in columns:
        add(flow, column.flow(), TRANSFORMATION)
    return Column("", (Part(flow, "?"),))


def declare_head(run: Run, node: Declared) -> Outcome:
    """Make the names that the head of a block declares variables."""
    records.declare(run, node.names, node.typed)
    for name in node.names:
        run.walk.declared.add(name.lower())
        run.walk.hold(name, Column(name, ()))
    for name in node.rows:
        run.walk.row_variables[name.lower()] = Relation([Column("*", ())])
    return run.outcome("other")


def opened(run: Run, _: Opened) -> Outcome:
    """Remember the variables that are there before a body."""
    run.walk.open_body()
    return run.outcome("other")


def closed(run: Run, _: Closed) -> Outcome:
    """Forget a body's variables: they are columns again in what follows."""
    run.walk.close_body()
    return run.outcome("other")


def fetch(run: Run, node: Fetched) -> Outcome:
    """Set variables from a cursor's row or from a query's."""
    relation = run.walk.rows_named(node.cursor) if node.cursor else None
    if node.query is not None:
        relation = run.walk.query(node.query, None, top=True)
    if relation is None:
        detail = f"which rows the cursor {node.cursor} goes over is not known"
        run.walk.report("unknown-source", detail, subject=node.cursor)
        return run.outcome("other")
    columns = relation.visible()
    rest = Column("", ())
    if len(node.names) > 1 and relation.is_open:  # which column a variable takes is not known
        columns, rest = [], _any_of(columns)
        run.walk.count_all(relation)
        run.walk.report_open(relation.columns)
    whole = len(columns) > 1 or any(each.is_open for each in columns)
    if len(node.names) == 1 and whole:  # one variable for the row
        _hold_row(run, node.names[0], relation)
        return run.outcome("other")
    for place, name in enumerate(node.names):
        column = columns[place] if len(columns) >= len(node.names) else rest
        record, _, field = name.rpartition(".")
        if record:
            records.set_field(run, record, field, column, relation.effects)
            continue
        run.walk.declared.add(name.lower())
        run.walk.hold(name, column.without_text(name), relation.effects)
    return run.outcome("other")


def _hold_row(run: Run, name: str, row: Relation) -> None:
    """Make a variable hold a row; its name alone is a value of all columns."""
    row = records.filled(run, name, row)
    run.walk.declared.add(name.lower())
    run.walk.hold(name, _any_of(row.visible()).without_text(name), row.effects)
    run.walk.row_variables[name.lower()] = row


def assign(run: Run, node: exp.Expr) -> Outcome:
    """SET a variable: what it holds comes from the expression's columns."""
    follow(run.walk, node)
    for item in node.expressions:
        pair: Any = item.this if isinstance(item, exp.SetItem) else item
        if not isinstance(pair, exp.EQ):
            continue
        if isinstance(pair.this, exp.Dot) and pair.this.sql().lower().endswith(_MERGE_ADDS_COLUMNS):
            run.merge_adds_columns = pair.expression.sql().strip("'").lower() == "true"
        if isinstance(pair.this, exp.Tuple | exp.Paren):
            _hold_several(run, [name.name for name in pair.this.expressions or [pair.this.this]], pair.expression)
        elif _is_variable(run, pair.this) and not _is_setting(run, pair.expression):
            _hold(run, pair.this.name, pair.expression)
    return run.outcome("other")


def _hold_several(run: Run, names: list[str], value: exp.Expr) -> None:
    """``SET (a, b) = (SELECT x, y …)`` or ``= (1, 2)``: each variable holds what is at its place."""
    if isinstance(value, exp.Subquery):
        fetch(run, Fetched(tuple(names), query=value))
        return
    values = value.expressions if isinstance(value, exp.Tuple | exp.Struct) else [value.unnest()]
    listed = values if len(values) == len(names) else [value] * len(names)
    for name, each in zip(names, listed, strict=True):
        _hold(run, name, each.this if isinstance(each, exp.PropertyEQ | exp.Alias) else each)


def _is_variable(run: Run, node: exp.Expr) -> bool:
    """Whether a name may be set: T-SQL's variables begin with ``@``, its options are none."""
    if run.walk.rules.sets_at_names_only:
        return isinstance(node, exp.Parameter)
    return isinstance(node, exp.Column | exp.Parameter | exp.Identifier)


def _is_setting(run: Run, value: exp.Expr) -> bool:
    """Whether a value is a text, as that of a setting of Hive and Spark: the dotted name of a class."""
    return run.walk.rules.substitutes_settings and isinstance(value, exp.Dot)


def assigns(node: exp.Expr) -> bool:
    """Whether a SELECT only sets variables: T-SQL's ``SELECT @a = x, @b = y FROM t``."""
    items = node.expressions if isinstance(node, exp.Select) else []
    return bool(items) and all(isinstance(item, exp.EQ) and isinstance(item.this, exp.Parameter) for item in items)


def assign_selected(run: Run, node: exp.Expr) -> Outcome:
    """Set each variable to its column of the query."""
    names: list[str] = [item.this.name for item in node.expressions]
    query = node.copy()
    query.set("expressions", [item.expression.copy() for item in node.expressions])
    relation = run.walk.query(query, None, top=True)
    for name, column in zip(names, relation.visible(), strict=False):
        run.walk.hold(name, column.without_text(name), relation.effects)
    return run.outcome("other")


def assign_value(run: Run, node: exp.Expr) -> Outcome:
    """``v := x`` in a block; a variable of rows holds those of the query."""
    if isinstance(node.expression, exp.Query) and run.walk.rows_named(node.this.name) is not None:
        run.walk.row_variables[node.this.name.lower()] = run.walk.query(node.expression, None, top=True)
        return run.outcome("other")
    if (row := records.row_in(run, node.expression)) is not None and not isinstance(node.this, exp.Dot):
        run.walk.values.lookup.note(node.expression)
        _hold_row(run, node.this.name, row)
        return run.outcome("other")
    record, field = records.assigned_field(run, node.this)
    if record:
        scope = Scope()
        column = run.walk.values.column(node.expression, scope, field)
        records.set_field(run, record, field, column, scope.effects)
        run.walk.values.lookup.note(node.this)
    else:
        _hold(run, node.this.name, node.expression)
    return run.outcome("other")


def declare_statement(run: Run, node: exp.Expr) -> Outcome:
    """DECLARE as a statement: variables, perhaps with a first value."""
    for item in node.expressions:
        names = item.this if isinstance(item.this, list) else [item.this]
        rows = item.args.get("kind")
        for name in names:
            if isinstance(rows, exp.Schema):  # T-SQL's variable that holds rows
                listed = [run.walk.names.spell(c) for c in rows.expressions if isinstance(c, exp.ColumnDef)]
                dataset = run.walk.names.dataset(exp.Table(this=name))
                computed, made = left_out(run.walk, rows.expressions), formulas(run.walk, rows.expressions)
                run.catalog.declare(dataset, TableState(tuple(listed), computed=computed, formulas=made))
                make_empty(run.catalog, dataset, tuple(listed))
                continue
            if isinstance(name, exp.Expr):
                _hold(run, name.name, item.args.get("default"))
    return run.outcome("other")


def _hold(run: Run, name: str, value: exp.Expr) -> None:
    held = run.walk.variable(value.name) if isinstance(value, exp.Var) else None
    if held is not None:  # the parser takes the bare name in ``SET a = b`` for a word
        run.walk.hold(name, held, run.walk.variable_effects.get(value.name.lower()))
        return
    if isinstance(value, exp.Expr):
        scope = Scope()
        column = run.walk.values.column(value, scope, name)
        run.walk.hold(name, column.without_text(name), scope.effects)
    else:
        run.walk.hold(name, Column(name, ()))
