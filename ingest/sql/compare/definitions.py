"""What a statement does to tables and views, whatever it reads: it creates, drops, renames, fills or alters them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from sqlglot import exp

from ingest.sql.dialects.dialects import Names
from ingest.sql.parser.scripts.moves import Move
from ingest.sql.statements.creates import dropped_tables


class Definition(NamedTuple):
    """Datasets as a statement leaves them.

    ``makes`` are created; ``drops`` no longer exist under their names (``namespace:database.*`` is all of a database);
    ``empties`` lost rows; ``alters`` are pairs (dataset, column) that must exist, the column '' where the statement
    names none; ``fills`` have other rows or values.
    """

    makes: tuple[str, ...] = ()
    drops: tuple[str, ...] = ()
    empties: tuple[str, ...] = ()
    alters: tuple[tuple[str, str], ...] = ()
    fills: tuple[str, ...] = ()


NOTHING: Final = Definition()


def definition_of(node: exp.Expr, names: Names) -> Definition:
    """Return what a statement does to tables and views."""
    if isinstance(node, exp.Create):
        table = node.this.this if isinstance(node.this, exp.Schema) else node.this
        return Definition(makes=_datasets([table], names)) if node.kind in ("TABLE", "VIEW") else NOTHING
    if isinstance(node, exp.Drop):
        if node.kind in ("SCHEMA", "DATABASE"):
            return Definition(drops=tuple(_databases(node, names)))
        return Definition(drops=_datasets(dropped_tables(node), names)) if node.kind in ("TABLE", "VIEW") else NOTHING
    if isinstance(node, Move):
        return Definition(drops=_datasets([old for old, _ in node.pairs], names)) if node.kind == "rename" else NOTHING
    if isinstance(node, exp.Alter):
        return _altered(node, names)
    if isinstance(node, exp.TruncateTable):
        return Definition(empties=_datasets(node.expressions, names))
    if isinstance(node, exp.Delete):
        return Definition(empties=_datasets([node.this], names))
    if isinstance(node, exp.Insert | exp.Update | exp.Merge):
        table = node.this.this if isinstance(node.this, exp.Schema) else node.this
        return Definition(fills=_datasets([table], names))
    return NOTHING


def _datasets(tables: list[Any], names: Names) -> tuple[str, ...]:
    return tuple(names.dataset(each) for each in tables if isinstance(each, exp.Table) and each.name)


def _databases(node: exp.Drop, names: Names) -> Iterator[str]:
    for each in node.args.get("tables") or ():
        if isinstance(each, exp.Table) and (parts := [names.spell(part) for part in each.parts if part.name]):
            yield names.dataset_of_spelt([*parts, "*"])


def _altered(node: exp.Alter, names: Names) -> Definition:
    actions = node.args.get("actions") or []
    datasets = _datasets([node.this], names) if node.kind in ("TABLE", "VIEW", None) else ()
    if any(isinstance(action, exp.AlterRename) for action in actions):
        return Definition(drops=datasets)
    if any(isinstance(action, exp.DropPartition) for action in actions):
        return Definition(empties=datasets)
    columns = [column for action in actions for column in _columns(action, names)] or [""]
    return Definition(alters=tuple((dataset, column) for dataset in datasets for column in columns))


def _columns(action: Any, names: Names) -> Iterator[str]:
    """Yield the columns that an action of ALTER TABLE drops, renames or changes."""
    if action.args.get("exists"):
        return
    if isinstance(action, exp.Drop) and action.kind in ("COLUMN", "COLUMNS"):
        for each in action.args.get("tables") or ():
            for column in each.expressions if isinstance(each, exp.Schema) else [each]:
                yield names.spell(column.this if isinstance(column, exp.Column) else column)
    elif isinstance(action, exp.RenameColumn | exp.AlterColumn):
        yield names.spell(action.this.this if isinstance(action.this, exp.Column) else action.this)
