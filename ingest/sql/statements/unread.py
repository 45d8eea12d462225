"""A safety net for columns: each name that the parser took for a column is resolved, or is where it means no column.

The places are a closed list. A clause that is not on it, and that no rule looked into, may decide about the rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from sqlglot import exp

from ingest.sql.binder.names.ports import NameLookup
from ingest.sql.words import words

#: Parts of a tree that hold names, but none of a column that is read, by class and key; None for all keys.
_NO_READS: Final[dict[type, tuple[str, ...] | None]] = {
    exp.Partition: None,
    exp.Properties: None,
    exp.IndexParameters: None,
    exp.Index: None,
    exp.Hint: None,
    exp.WithTableHint: None,
    exp.IndexTableHint: None,
    exp.CopyParameter: None,
    exp.Returning: None,
    exp.ColumnDef: None,
    exp.UnpivotColumns: None,
    exp.Grouping: None,
    exp.GroupingId: None,
    exp.Distribute: None,
    exp.Cluster: None,
    exp.Sort: None,
    exp.SetItem: ("this",),
    exp.OnConflict: ("conflict_keys", "index_predicate", "constraint"),
    exp.Star: ("except_", "rename"),
    exp.Select: ("hint", "settings", "distribute", "cluster", "sort", "format", "kind", "into", "windows"),
    exp.Insert: ("this", "settings", "returning"),
    exp.Merge: ("returning",),
    exp.Update: ("returning",),
    exp.Delete: ("returning",),
    exp.ForIn: ("expression",),
    exp.Declare: None,
    exp.Set: None,
    exp.Use: None,
    exp.Copy: ("params", "credentials"),
    exp.LoadData: None,
    exp.Export: ("options", "connection"),
    exp.Lambda: None,
    exp.Schema: None,
    exp.TableAlias: None,
    exp.Pivot: ("fields", "into", "columns", "default_on_null"),
}
#: Statements whose names are looked at by their own rules.
LOOKED_AT: Final = (
    exp.Alter, exp.Drop, exp.Analyze, exp.Command, exp.Show, exp.Describe, exp.Set, exp.Declare, exp.Use, exp.Comment,
    exp.Grant, exp.Revoke, exp.TruncateTable, exp.AlterSession, exp.LoadData, exp.Execute, exp.Pragma, exp.Kill,
    exp.ListStage,
)  # fmt: skip
#: Functions of tables: their arguments are tables, and columns that their own rules look at.
_OF_TABLES: Final = words("descriptor tumble hop cumulate session exclude_columns openquery")
#: What holds no names: texts and switches, and the nodes that are made of them alone.
_NAMELESS: Final = frozenset(
    [str, bool, int, type(None), exp.Identifier, exp.Literal, exp.Null, exp.Boolean, exp.Var, exp.Placeholder]
)


def unread(node: Any, lookup: NameLookup) -> exp.Column | None:
    """Return the first column of a statement that nothing resolved; None where all were."""
    if not isinstance(node, exp.Expr) or isinstance(node, LOOKED_AT):
        return None
    return next(_unread(node, lookup), None)


def _unread(root: exp.Expr, lookup: NameLookup) -> Iterator[exp.Column]:
    nameless, column, knows = _NAMELESS, exp.Column, lookup.knows
    # of columns only those that are not known
    waiting: list[Any] = [] if root.__class__ is column and knows(root) else [root]
    while waiting:
        node = waiting.pop()
        kind = node.__class__
        if kind is column:
            if not _is_word(node):
                yield node
            continue
        if kind is exp.CTE and not any(map(knows, node.find_all(column, bfs=False))):
            continue  # a query that nothing reads
        skipped = _NO_READS.get(kind, ())
        if skipped is None or (kind is exp.Anonymous and node.name.lower() in _OF_TABLES):
            continue
        if kind is exp.EQ and _is_assignment(node):
            skipped = ("this",)
        for key, value in node.args.items():
            if value.__class__ in nameless or (skipped and key in skipped) or (key == "order" and _is_idle_order(node)):
                continue
            for child in value if value.__class__ is list else (value,):
                if child.__class__ is column:
                    if not knows(child):
                        waiting.append(child)
                elif child.__class__ not in nameless and isinstance(child, exp.Expr):
                    waiting.append(child)


def _is_word(node: exp.Expr) -> bool:
    """``GROUP BY AUTO``, Trino's."""
    return isinstance(node.parent, exp.Group) and node.name.lower() == "auto"


def _is_idle_order(node: exp.Expr) -> bool:
    """Whether the ORDER BY of a query has no effect: that of a subquery without LIMIT or OFFSET has none."""
    if not isinstance(node, exp.Query) or node.parent is None or isinstance(node.parent, exp.Insert | exp.Create):
        return False
    return node.args.get("limit") is None and node.args.get("offset") is None


def _is_assignment(node: exp.Expr) -> bool:
    """Whether an equation gives a name a value: in UPDATE, and ``read_csv('x', delim = '|')`` in FROM."""
    if isinstance(node.parent, exp.Func) and isinstance(node.parent.parent, exp.Table):
        return isinstance(node.this, exp.Column) and len(node.this.parts) == 1
    return node.arg_key == "expressions" and isinstance(node.parent, exp.Update | exp.OnConflict)
