"""ALTER TABLE and ALTER VIEW: columns that come, go and change names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from sqlglot import exp

from ingest.sql.binder.relations.relations import all_meant, meant
from ingest.sql.statements import located
from ingest.sql.statements.changes import update
from ingest.sql.statements.creates import kinds_of
from ingest.sql.statements.emit import Write
from ingest.sql.statements.inserts import computed_edges, left_out
from ingest.sql.statements.moves import rename
from ingest.sql.statements.run import Outcome, Run
from ingest.sql.statements.temporary import alter as alter_content
from lineage_tt.model.edges import DIRECT, Edge, column_node

_NOT_MOVED: Final[Mapping[str, str]] = MappingProxyType({})


def alter(run: Run, node: exp.Expr) -> Outcome:
    """Apply every action of an ALTER to the catalog; ALTER VIEW … AS replaces the view."""
    if not isinstance(node.this, exp.Table):
        return run.outcome("ddl")
    dataset = run.walk.names.dataset(node.this)
    located.of_alter(run, node)
    done = run.outcome("ddl")
    new_name = None
    for action in node.args.get("actions") or ():
        if isinstance(action, exp.Query):
            relation = run.walk.query(action, None, top=True)
            pairs = [(column.name, column) for column in relation.visible()]
            return run.write("view", Write(dataset, pairs, relation.effects), created=True)
        if isinstance(action, exp.AlterRename):
            new_name = action.this
            continue
        moved = _change(run, dataset, action)
        if dataset in run.written and not run.catalog.holds_content(dataset):  # what this text wrote moves along
            nodes = [(column_node(dataset, old), column_node(dataset, new)) for old, new in moved.items()]
            done.edges += [Edge(old, new, DIRECT, "IDENTITY", "") for old, new in nodes if old != new]
        done.edges += _computed(run, dataset, action)
        if isinstance(action, exp.AlterColumn) and _has_other_columns(action):
            assigned = exp.EQ(this=exp.Column(this=action.this.copy()), expression=action.args["using"])
            done.add(update(run, exp.Update(this=node.this, expressions=[assigned])))
    if new_name is not None:  # all other actions are of the table by its old name
        done.add(rename(run, node.this, new_name))
    return done


def _has_other_columns(action: exp.AlterColumn) -> bool:
    """Whether ``ALTER a TYPE INT USING a + b`` makes a column of others than itself."""
    made = action.args.get("using")
    own = action.this.name.lower()
    return isinstance(made, exp.Expr) and any(column.name.lower() != own for column in made.find_all(exp.Column))


def _computed(run: Run, dataset: str, action: Any) -> list[Edge]:
    """Return the edges of computed columns that are added to a table which is not the script's own."""
    state = run.catalog.state(dataset)
    if not isinstance(action, exp.Schema | exp.ColumnDef) or (state is not None and state.content is not None):
        return []
    added = [item for item in _columns_in(action) if isinstance(item, exp.ColumnDef)]
    return computed_edges(run.walk, dataset, added, run.catalog.all_columns(dataset)) if added else []


def _change(run: Run, dataset: str, action: Any) -> Mapping[str, str]:
    """Change what is known of a table's columns; return new names by old ones."""
    spell = run.walk.names.spell
    partitions = run.catalog.partitions(dataset)
    if isinstance(action, exp.ReplaceColumns):
        names = [spell(item.this) for item in action.expressions if isinstance(item, exp.ColumnDef)]
        run.catalog.amend(dataset, (*names, *partitions))
        _describe(run, dataset, action.expressions)
        return _NOT_MOVED
    known = run.catalog.all_columns(dataset)
    if known is None:
        renamed = {spell(action.this): spell(action.args["to"])} if isinstance(action, exp.RenameColumn) else {}
        alter_content(run.catalog, dataset, renamed, None)
        return renamed
    columns = list(known)
    defined: list[Any] = []
    moved: dict[str, str] = {}
    if isinstance(action, exp.Schema | exp.ColumnDef):
        _doubt_the_order(run, dataset, action, known)
        for item in _columns_in(action):
            if isinstance(item, exp.ColumnDef):
                _insert(run, columns, item, len(columns) - len(partitions))
                defined.append(item)
    elif isinstance(action, exp.RenameColumn):
        moved = _rename(columns, spell(action.this), spell(action.args["to"]))
    elif isinstance(action, exp.AlterColumn):
        if action.args.get("rename_to") is not None:
            moved = _rename(columns, spell(action.this), spell(action.args["rename_to"]))
        if isinstance(action.args.get("dtype"), exp.DataType):
            name = action.args.get("rename_to") or action.this
            defined.append(exp.ColumnDef(this=name.copy(), kind=action.args["dtype"].copy()))
    elif isinstance(action, exp.ModifyColumn):
        if action.args.get("rename_from") is not None:
            moved = _rename(columns, spell(action.args["rename_from"]), spell(action.this.this))
        _move(run, columns, action.this)
        defined += [action.this] if action.this.args.get("kind") is not None else []
    elif isinstance(action, exp.Drop) and action.kind in ("COLUMN", "COLUMNS"):
        dropped = (spell(column) for item in action.args.get("tables") or () for column in _columns_in(item))
        gone = {name for found in all_meant(dropped, columns).values() for name in found}
        columns = [name for name in columns if name not in gone]
    else:
        return moved
    if tuple(columns) != known or defined:
        alter_content(run.catalog, dataset, moved, columns)
        run.catalog.amend(dataset, tuple(columns))
        _describe(run, dataset, defined, moved)
    return moved


def _describe(run: Run, dataset: str, defined: list[exp.Expr], moved: Mapping[str, str] = _NOT_MOVED) -> None:
    """Note the types of columns that an ALTER defines or redefines, and which are computed.

    ``moved`` are new names by old ones.
    """
    redefined = {run.walk.names.spell(item.this) for item in defined if isinstance(item, exp.ColumnDef)}
    computed = {moved.get(name, name) for name in run.catalog.computed(dataset)} - redefined
    run.catalog.compute(dataset, left_out(run.walk, defined) | computed)
    known = {moved.get(name, name): kind for name, kind in run.catalog.kinds(dataset).items()}
    run.catalog.describe(dataset, known | kinds_of(run, defined))


def _doubt_the_order(run: Run, dataset: str, action: Any, known: Sequence[str]) -> None:
    """Report that new columns may be misplaced: of a table known from outside, partition columns are not known.

    FIRST and AFTER say the place; a table that this text made, or declares as it is known, says its partition columns.
    """
    if run.walk.rules.partitions_last == "never" or run.catalog.knows_partitions(dataset):
        return
    there = {name.lower() for name in known}
    new = [
        item
        for item in _columns_in(action)
        if not isinstance(item, exp.ColumnDef) or run.walk.names.spell(item.this).lower() not in there
    ]
    if all(isinstance(item, exp.ColumnDef) and item.args.get("position") is not None for item in new):
        return
    detail = f"whether {dataset} has partition columns, before which new columns go, is not known"
    run.walk.report("column-order", detail, dataset)


def _columns_in(item: exp.Expr) -> list[Any]:
    return list(item.expressions) if isinstance(item, exp.Schema | exp.Tuple) else [item]


def _insert(run: Run, columns: list[str], item: exp.Expr, end: int) -> None:
    """A new column goes before the partition columns, unless FIRST or AFTER says where."""
    name = run.walk.names.spell(item.this)
    if name.lower() in {column.lower() for column in columns}:
        return
    columns.insert(_place(columns, item, end), name)


def _move(run: Run, columns: list[str], item: exp.Expr) -> None:
    """A column that FIRST or AFTER puts elsewhere; that of another table's name is none."""
    found = meant(run.walk.names.spell(item.this), columns)
    if item.args.get("position") is None or len(found) != 1:
        return
    place = columns.index(found[0])
    columns.pop(place)
    columns.insert(_place(columns, item, place), found[0])


def _place(columns: list[str], item: exp.Expr, otherwise: int) -> int:
    """Return the place of a column that FIRST or AFTER gives it, ``otherwise`` where neither does."""
    position = item.args.get("position")
    if not isinstance(position, exp.ColumnPosition):
        return otherwise
    after = position.this.name.lower() if position.this is not None else ""
    places = [place for place, column in enumerate(columns) if column.lower() == after]
    return places[0] + 1 if places else 0 if not after else otherwise


def _rename(columns: list[str], old: str, new: str) -> dict[str, str]:
    """Give a column another name; return the new one by the old one as it was spelt."""
    moved = {}
    found = meant(old, columns)
    for place, name in enumerate(columns):
        if name in found:
            columns[place], moved[name] = new, new
    return moved
