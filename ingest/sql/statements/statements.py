"""The statements of a script, one after the other: what each writes, reads and makes known to the later ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlglot import exp

from ingest.sql.binder.names.scope import Scope
from ingest.sql.binder.query.unused import look_up_unused
from ingest.sql.binder.relations.catalog import Catalog
from ingest.sql.binder.relations.flow import FILTER, JOIN, SORT, Column, add
from ingest.sql.binder.relations.relations import Relation
from ingest.sql.dialects.dialects import Names, path_dataset
from ingest.sql.dialects.generators import called_path
from ingest.sql.parser.scripts.blocks import Called, Closed, Declared, Fetched, Opened
from ingest.sql.parser.scripts.moves import Move
from ingest.sql.statements import alters, changes, commands, creates, declared, moves, routines
from ingest.sql.statements.changed import merges
from ingest.sql.statements.emit import Write
from ingest.sql.statements.inserts import (
    by_name,
    by_position,
    check_targets,
    doubt_names,
    insert_names,
    listed_names,
    partition_names,
    with_dynamic_last,
)
from ingest.sql.statements.multi_insert import multi_insert
from ingest.sql.statements.returned import changed_table, check_returned, returned_scope
from ingest.sql.statements.run import Outcome, Run
from ingest.sql.statements.temporary import is_temporary_name
from lineage_tt.model.edges import INDIRECT


class Statements(Run):
    """Runs parsed statements against a catalog."""

    def __init__(
        self, names: Names, catalog: Catalog, target: str | None = None, *, keep_temporary: bool = False
    ) -> None:
        super().__init__(names, catalog, target, keep_temporary=keep_temporary)
        self.walk.change = self._change_and_return
        self._beside = Outcome("other")

    def run(self, node: exp.Expr) -> Outcome:
        """Run one statement."""
        self.walk.begin()
        self._beside = Outcome("other")
        done = self._dispatch(node)
        look_up_unused(self.walk)
        done.add(self._beside)
        check_returned(self, node)
        return done

    def _dispatch(self, node: exp.Expr) -> Outcome:
        rule = _RULES.get(type(node))
        if rule is not None:
            return rule(self, node)
        if isinstance(node, exp.Query | exp.Values | exp.Table | exp.Pivot):
            return self._select(node)
        if isinstance(node, exp.PropertyEQ):
            return declared.assign_value(self, node)
        if isinstance(node, _HARMLESS):
            return self.outcome("other")
        self.walk.report("unsupported-statement", f"{type(node).__name__} is not understood")
        return self.outcome("other")

    def block(self, node: exp.Expr) -> Outcome:
        """Run the statements of a block one after the other."""
        whole = Outcome("other")
        for statement in _statements_in(node):
            done = self._dispatch(statement)
            whole.add(done)
            whole.kind = done.kind if done.edges else whole.kind
        return whole

    # Changes in a WITH clause

    def _change_and_return(self, node: exp.Expr) -> Relation:
        """Run a change in a WITH clause; its RETURNING list is a query over the changed table."""
        done = self._dispatch(node)
        self._beside.add(done)
        returning = node.args.get("returning")
        table = changed_table(node)
        if returning is None or table is None:
            return Relation([])
        scope = returned_scope(self, node, table)
        for edge in done.edges:  # what decided which rows are changed decides which are returned
            if edge.type == INDIRECT and edge.subtype in _DECIDING and edge.target == self.walk.names.dataset(table):
                add(scope.effects.predicates, {edge.source: _DECIDING[edge.subtype]})
        return Relation(self.walk.items.select_list(returning, scope), scope.effects, scope.rows())

    # Statements that write a query's rows

    def _select(self, node: exp.Expr) -> Outcome:
        if declared.assigns(node):
            return declared.assign_selected(self, node)
        first = node
        while isinstance(first, exp.SetOperation):
            first = first.this
        into = first.args.get("into") if isinstance(first, exp.Select) else None
        variables = declared.declared_targets(self, into) if into is not None else None
        if variables is not None:
            return declared.set_from(self, variables, node)
        relation = self.walk.query(node, None, top=True)
        pairs = [(column.name, column) for column in relation.visible()]
        if into is not None and isinstance(into.this, exp.Table):
            dataset = self.walk.names.dataset(into.this)
            temporary = bool(into.args.get("temporary")) or is_temporary_name(into.this)
            return self.write("ctas", Write(dataset, pairs, relation.effects), created=True, temporary=temporary)
        if self.target is None:
            return Outcome("select", reads=set(relation.effects.reads) - self.created)
        write = Write(self.target, pairs, relation.effects)
        done = self.write("select", write)
        self._leave(self.target, write.columns)
        return done

    def _leave(self, dataset: str, pairs: list[tuple[str, Column]]) -> None:
        names = tuple(name for name, _ in pairs)
        if names and "*" not in names:
            self.outputs[dataset] = names

    def _insert(self, node: exp.Expr) -> Outcome:
        scope = Scope()
        self.walk.with_clause(node, scope)
        self._touch(node.this)
        query = node.expression
        if query is None:
            if not node.args.get("default"):
                self.walk.report("unsupported-statement", "INSERT without a table or without rows")
            return self.outcome("insert")
        relation = self.walk.query(query, scope, top=True)
        return self.insert_rows(node, relation)

    def _touch(self, target: Any) -> None:
        """Note the table that is filled before its query is read: its schema is one that names may begin with."""
        table = target.this if isinstance(target, exp.Schema) else target
        if isinstance(table, exp.Table) and not isinstance(table.this, exp.Func):
            self.walk.names.dataset(table)

    def insert_rows(self, node: exp.Expr, relation: Relation) -> Outcome:
        """Write a relation where an INSERT says: a table, with column list or partition, or a directory."""
        target, items = node.this, []
        if isinstance(target, exp.Schema):
            target, items = target.this, target.expressions
        columns = relation.visible()
        if isinstance(target, exp.Directory):
            pairs = [(column.name, column) for column in columns]
            return self.write("insert", Write(path_dataset(target.this.name), pairs, relation.effects))
        file = called_path(target) if isinstance(target, exp.Anonymous) else None
        if file is not None:  # ClickHouse's INSERT INTO FUNCTION s3('…')
            pairs = [(column.name, column) for column in columns]
            return self.write("insert", Write(path_dataset(file.name), pairs, relation.effects))
        if not isinstance(target, exp.Table) or isinstance(target.this, exp.Func):
            self.walk.report("unsupported-statement", "INSERT into something that is not a table")
            return self.outcome("insert")
        dataset = self.walk.names.dataset(target)
        partition = target.args.get("partition") or node.args.get("partition")
        listed = listed_names(self.walk, dataset, items)
        names = insert_names(self.walk, dataset, listed, partition)
        if node.args.get("by_name"):
            pairs = by_name(columns, names)
            check_targets(self.walk, dataset, (column.name for column in columns if not column.is_open))
        elif names is None:
            dynamic = partition_names(self.walk, partition)[1]
            pairs = with_dynamic_last(columns, dynamic)
            doubt_names(self.walk, dataset, pairs)
        else:
            fewer = not listed and self.walk.rules.insert_may_fill_fewer
            pairs = by_position(self.walk, dataset, columns, names, fewer=fewer)
        if node.args.get("conflict") is not None:
            pairs = pairs + changes.conflict_pairs(self, node, dataset, pairs, relation)
        if self.catalog.columns(dataset) is None:
            self._note_names(dataset, [name for name, _ in pairs], partition)
        if node.args.get("where") is not None:  # Databricks' REPLACE WHERE removes rows of the target
            changes.filter_target(self, node, target, dataset, relation)
        if node.args.get("using"):  # REPLACE USING removes those that are matched
            changes.match_target(self, node, dataset, pairs, relation)
        overwrite = bool(node.args.get("overwrite")) and not partition
        variable = isinstance(target.this, exp.Parameter)
        if variable and self.catalog.state(dataset) is None and self.walk.variable(target.name) is None:
            self.walk.report("not-understood", f"@{target.name} is filled, and is declared nowhere", f"@{target.name}")
        return self.write("insert", Write(dataset, pairs, relation.effects), overwrite=overwrite, temporary=variable)

    def _note_names(self, dataset: str, names: list[str], partition: Any) -> None:
        """Note the names with which a query fills a table of unknown columns, its partition columns last."""
        last = [name for names in partition_names(self.walk, partition) for name in names]
        lowered = {name.lower() for name in last}
        named = dict.fromkeys(name for name in names if name and name != "*" and name.lower() not in lowered)
        self.filled[dataset] = (*named, *last)

    def _cache(self, node: exp.Expr) -> Outcome:
        dataset = self.walk.names.dataset(node.this)
        if node.expression is None:
            return self.outcome("ddl")
        relation = self.walk.query(node.expression, None, top=True)
        pairs = [(column.name, column) for column in relation.visible()]
        return self.write("ctas", Write(dataset, pairs, relation.effects), created=True, temporary=True)

    def _use(self, node: exp.Expr) -> Outcome:
        self.walk.names.follow_use(node)
        return self.outcome("ddl")


def _statements_in(node: exp.Expr) -> list[Any]:
    """Return the statements directly inside a block, those of branches and loops included."""
    if isinstance(node, exp.Block):
        return [inner for item in node.expressions for inner in _statements_in(item)]
    if isinstance(node, _BRANCHING):
        statements = []
        for key in ("true", "false", "body", "ifs", "default"):
            value = node.args.get(key)
            for item in value if isinstance(value, list) else [value] if value is not None else []:
                statements.extend(_statements_in(item))
        return statements
    return [node] if isinstance(node, exp.Expr) else []


_DECIDING = {"FILTER": FILTER, "JOIN": JOIN, "SORT": SORT}
_BRANCHING = (exp.IfBlock, exp.CaseStatement, exp.WhileBlock, exp.LoopBlock, exp.RepeatBlock, exp.If)
_HARMLESS = (
    exp.TruncateTable,
    exp.Describe,
    exp.Show,
    exp.Set,
    exp.Commit,
    exp.Rollback,
    exp.Transaction,
    exp.Comment,
    exp.Grant,
    exp.Revoke,
    exp.Analyze,
    exp.Pragma,
    exp.Kill,
    exp.Uncache,
    exp.Refresh,
    exp.Semicolon,
    exp.EndStatement,
    exp.Attach,
    exp.Detach,
    exp.Install,
    exp.Summarize,
    exp.Leave,
    exp.Iterate,
    exp.Return,
    exp.Undrop,
    exp.AlterSession,
    exp.Put,
    exp.Get,
    exp.ListStage,
)
_Rule = Callable[[Statements, Any], Outcome]
_RULES: dict[type, _Rule] = {
    exp.Insert: Statements._insert,
    exp.MultitableInserts: multi_insert,
    exp.Create: creates.create,
    exp.Drop: creates.drop,
    exp.Alter: alters.alter,
    exp.Update: changes.update,
    exp.Delete: changes.delete,
    exp.Merge: merges.merge,
    exp.Cache: Statements._cache,
    exp.Use: Statements._use,
    exp.Block: Statements.block,
    exp.IfBlock: Statements.block,
    exp.CaseStatement: Statements.block,
    exp.WhileBlock: Statements.block,
    exp.LoopBlock: Statements.block,
    exp.RepeatBlock: Statements.block,
    exp.Set: declared.assign,
    exp.Declare: declared.declare_statement,
    exp.ForIn: commands.for_in,
    exp.LoadData: commands.load,
    exp.Copy: commands.copy,
    exp.Export: commands.export,
    exp.Execute: commands.opaque_call,
    exp.Command: commands.command,
    Move: moves.move,
    Declared: declared.declare_head,
    Opened: declared.opened,
    Closed: declared.closed,
    Fetched: declared.fetch,
    Called: routines.call,
}
