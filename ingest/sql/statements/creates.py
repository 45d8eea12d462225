"""CREATE, ALTER and DROP: what they make known of tables, and what CREATE … AS writes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from sqlglot import exp

from ingest.sql.binder.names.scope import Scope
from ingest.sql.binder.relations.catalog import TableState
from ingest.sql.binder.relations.flow import Column
from ingest.sql.binder.relations.types import Kind, has_parts
from ingest.sql.render import type_text
from ingest.sql.statements import copied as copied_rows
from ingest.sql.statements import located
from ingest.sql.statements.emit import Write
from ingest.sql.statements.inserts import by_name, computed_edges, formulas, left_out
from ingest.sql.statements.routines import create_function, create_procedure
from ingest.sql.statements.run import Outcome, Run
from ingest.sql.statements.temporary import ends_with_session, is_temporary_name, make_empty
from ingest.sql.words import words
from lineage_tt.model.names import and_more, repeated


def create(run: Run, node: exp.Expr) -> Outcome:
    """CREATE TABLE, VIEW, FUNCTION, PROCEDURE …"""
    outcome = _created(run, node)
    outcome.add(located.of_create(run, node))
    return outcome


def _created(run: Run, node: Any) -> Outcome:
    if node.kind in ("PROCEDURE", "PROC"):
        return create_procedure(run, node)
    if isinstance(node.this, exp.UserDefinedFunction) or node.kind in ("FUNCTION", "MACRO"):
        return create_function(run, node)
    table = node.this.this if isinstance(node.this, exp.Schema) else node.this
    if not isinstance(table, exp.Table) or node.kind not in _MAKES_ROWS:
        if node.kind == "TRIGGER":
            run.walk.report("opaque-call", "what the trigger runs is not looked into")
        if isinstance(node.expression, exp.Query):
            run.walk.report("unsupported-statement", f"CREATE {node.kind} AS a query is not understood")
        return run.outcome("ddl")
    global_views = run.walk.rules.global_views_schema
    if global_views and any(isinstance(item, exp.GlobalProperty) for item in _properties(node)):
        table.set("db", exp.to_identifier(global_views))
    dataset = run.walk.names.dataset(table)
    listed = node.this.expressions if isinstance(node.this, exp.Schema) else []
    query = node.expression
    if query is not None and node.kind == "TABLE" and any(_has_no_rows(item) for item in _properties(node)):
        return _empty(run, node, dataset, query)
    if isinstance(query, exp.Table) and run.walk.rules.create_as_table_is_like:  # a definition, not rows
        done = _like(run, node, dataset, query)
        done.add(copied_rows.over_another(run, dataset, _properties(node)))
        return done
    if node.args.get("exists") and run.catalog.holds_content(dataset):  # the script's own temporary table stays
        return run.outcome("ddl")
    if isinstance(query, exp.Query | exp.Table | exp.Values | exp.Summarize | exp.Pivot):
        return _as_query(run, node, dataset, listed, query)
    if query is not None and not isinstance(query, exp.Literal | exp.Heredoc | exp.RawString):
        run.walk.report("unsupported-statement", f"CREATE {node.kind} AS {type(query).__name__} is not understood")
    copied = node.args.get("clone")
    if copied is not None:
        return run.write(
            "ctas", Write(dataset, *_everything(run, copied.this)), created=True, temporary=_is_temporary(node, table)
        )
    if node.args.get("exists") and run.catalog.columns(dataset) is not None:
        run.catalog.repeat(dataset, *_declared(run, node, listed))
        return Outcome("ddl", computed_edges(run.walk, dataset, listed))
    like = next((p.this for p in _properties(node) if isinstance(p, exp.LikeProperty)), None)
    like = like or next((item.this for item in listed if isinstance(item, exp.LikeProperty)), None)
    if like is not None:
        return _like(run, node, dataset, like, [item for item in listed if isinstance(item, exp.ColumnDef)])
    parent = next(filter(None, map(copied_rows.parent, _properties(node))), None)
    if parent is not None:  # a partition, or a child: it has its parent's columns, and who reads that reads its rows
        own = [item for item in listed if isinstance(item, exp.ColumnDef)]
        done = run.created_table(dataset)
        of = run.walk.names.dataset(parent)
        done.add(copied_rows.child(run, dataset, of, _declared(run, node, own)[0], kinds_of(run, own)))
        return done
    columns, partitions = _declared(run, node, listed)
    _check_once(run, dataset, node, listed)
    known = columns if len(columns) > len(partitions) else None  # a serde may declare the others
    kinds, computed, made = _kinds(run, node, listed), left_out(run.walk, listed), formulas(run.walk, listed)
    run.catalog.declare(dataset, TableState(known, partitions, kinds=kinds, computed=computed, formulas=made))
    if _is_emptied(run, node, table) and not _reads_elsewhere(run, node, dataset):
        make_empty(run.catalog, dataset, columns)
        return run.outcome("ddl")
    done = run.created_table(dataset)
    if dataset not in run.short_lived:
        done.edges += computed_edges(run.walk, dataset, listed)
    done.add(copied_rows.over_another(run, dataset, _properties(node)))
    if node.kind == "DICTIONARY":
        done.add(copied_rows.dictionary(run, dataset, columns, _properties(node)))
    return done


def _is_emptied(run: Run, node: exp.Expr, table: exp.Expr) -> bool:
    """Whether a new table lives no longer than the script, so that what it holds is followed, not reported."""
    return not run.keep_temporary and not run.walk.rules.temporary_tables_are_stored and _is_temporary(node, table)


def _reads_elsewhere(run: Run, node: exp.Expr, dataset: str) -> bool:
    """Whether a temporary view without a query names rows that lie elsewhere, ``USING jdbc OPTIONS (…)``: say so."""
    made_by = next((item for item in _properties(node) if isinstance(item, exp.FileFormatProperty)), None)
    if made_by is None or not any(isinstance(item, exp.OptionsProperty) for item in _properties(node)):
        return False
    run.walk.report("unknown-source", f"the rows of {dataset} come from {made_by.name}, and are not followed", dataset)
    return True


def _has_no_rows(item: exp.Expr) -> bool:
    return isinstance(item, exp.WithDataProperty) and bool(item.args.get("no"))


def _empty(run: Run, node: exp.Expr, dataset: str, query: exp.Expr) -> Outcome:
    """``CREATE TABLE … AS … WITH NO DATA``: the columns of the query, and none of its rows."""
    relation = run.walk.query(query, None, top=True)
    names = tuple(column.name for column in relation.visible())
    run.catalog.declare(dataset, TableState(None if "*" in names else names))
    if _is_emptied(run, node, node.this.this if isinstance(node.this, exp.Schema) else node.this):
        make_empty(run.catalog, dataset, () if "*" in names else names)
        return run.outcome("ddl")
    return run.created_table(dataset)


def _like(run: Run, node: exp.Expr, dataset: str, like: Any, listed: Sequence[exp.Expr] = ()) -> Outcome:
    """A table with the columns of another and none of its rows: no value flows, but its columns are known.

    Where tables are over streams, columns that are ``listed`` beside it come after those.
    """
    original = run.walk.names.dataset(like)
    columns, partitions = run.catalog.all_columns(original), run.catalog.partitions(original)
    kinds, computed = run.catalog.kinds(original), run.catalog.computed(original)
    if columns is None:
        run.walk.report("unknown-columns", f"the columns of {original} are not known", subject=original)
    elif run.walk.rules.stream_tables:
        columns = tuple(dict.fromkeys([*columns, *_declared(run, node, list(listed))[0]]))
        kinds, computed = {**kinds, **kinds_of(run, listed)}, computed | left_out(run.walk, listed)
    table = node.this.this if isinstance(node.this, exp.Schema) else node.this
    run.catalog.declare(dataset, TableState(columns, partitions, kinds=kinds, computed=computed))
    if _is_emptied(run, node, table):
        make_empty(run.catalog, dataset, columns or ())
        return run.outcome("ddl")
    return run.created_table(dataset)


def kinds_of(run: Run, definitions: Iterable[exp.Expr]) -> dict[str, Kind]:
    """Return the types of columns as they are defined, by their names; a type that cannot be written is unknown."""
    names = run.walk.names
    typed = [(item.this, item.args.get("kind")) for item in definitions if isinstance(item, exp.ColumnDef)]
    return {
        names.spell(name): Kind(text, kind if has_parts(kind) else None)
        for name, kind in typed
        if isinstance(kind, exp.DataType) and (text := type_text(kind, names.dialect))
    }


def _kinds(run: Run, node: exp.Expr, listed: list[exp.Expr]) -> dict[str, Kind]:
    """Return the types that a CREATE declares, those of partition columns too."""
    return kinds_of(run, [*listed, *_partition_parts(node)])


# Formats of tables that are files and nothing else.
_OF_FILES: Final = words("avro csv hive json orc parquet rcfile sequencefile text textfile")


def _as_query(run: Run, node: Any, dataset: str, listed: list[Any], query: Any) -> Outcome:
    scope = Scope()
    run.walk.with_clause(node, scope)
    relation = run.walk.query(query, scope, top=True)
    columns = relation.visible()
    spell = run.walk.names.spell
    names = [spell(c) for c in listed if not isinstance(c, exp.Constraint)]
    called = run.walk.rules.unnamed_in_created
    if node.kind != "VIEW" and called:
        columns = [_called(called, column) for column in columns]
    pairs = [(column.name, column) for column in columns]
    if names and not any(column.is_open for column in columns) and not _adds_columns(run, node):
        run.walk.sources.check_list(dataset, len(names), len(columns))
        # fewer names are the first ones'; MySQL adds the columns it lists to those of the query, by name
        pairs = [*zip(names, columns, strict=False), *pairs[len(names) :]]
    kind = "view" if node.kind == "VIEW" else "ctas"
    into = next((item.this for item in _properties(node) if isinstance(item, exp.ToTableProperty)), None)
    if into is not None:
        return _into_table(run, dataset, into, pairs, relation.effects)
    table = node.this.this if isinstance(node.this, exp.Schema) else node.this
    partitions = _last_columns(run, node)
    if partitions:
        last = {name.lower() for name in partitions}
        pairs.sort(key=lambda pair: pair[0].lower() in last)
    done = run.write(
        kind,
        Write(dataset, pairs, relation.effects),
        created=True,
        temporary=_is_temporary(node, table),
        partitions=tuple(partitions),
    )
    if kinds := _kinds(run, node, listed):
        run.catalog.describe(dataset, kinds)
    return done


def _into_table(run: Run, view: str, into: Any, pairs: list[tuple[str, Column]], effects: Any) -> Outcome:
    """ClickHouse's ``MATERIALIZED VIEW v TO t``: its rows go to ``t``, by name, and who reads the view reads ``t``."""
    target = run.walk.names.dataset(into)
    known = run.catalog.columns(target)
    done = run.write("view", Write(target, by_name([c.renamed(name) for name, c in pairs], known), effects))
    run.catalog.declare(view, TableState(known, is_view=True, dropped=True))
    return done


def _adds_columns(run: Run, node: Any) -> bool:
    """Whether columns that CREATE TABLE … AS lists are further ones, beside those of the query."""
    return run.walk.rules.create_as_adds_columns and node.kind == "TABLE"


def _called(template: str, column: Column) -> Column:
    """Return a column of CREATE TABLE AS, called by its position where the query gives it no name."""
    if column.position is None:
        return column
    return Column(template.format(position=column.position), column.parts)


def _everything(run: Run, table: Any) -> tuple[list[tuple[str, Column]], Any]:
    relation = run.walk.dataset(run.walk.names.dataset(table))
    run.walk.count_all(relation)
    return [(column.name, column) for column in relation.columns], relation.effects


def _declared(run: Run, node: exp.Expr, listed: list[exp.Expr]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return a table's declared columns, and those of them that the engine keeps last."""
    spell = run.walk.names.spell
    columns = [spell(item.this) for item in listed if isinstance(item, exp.ColumnDef)]
    columns += [spell(item) for item in listed if isinstance(item, exp.Identifier)]
    partitions = _last_columns(run, node)
    columns = [name for name in columns if name not in partitions] + partitions
    return tuple(columns), tuple(partitions)


def _check_once(run: Run, dataset: str, node: exp.Expr, listed: Iterable[exp.Expr]) -> None:
    """Report a column that is declared twice, with its type each time; where partitions are, its name may be alone."""
    defined = [item.this for item in (*listed, *_partition_parts(node)) if isinstance(item, exp.ColumnDef)]
    if twice := repeated(map(run.walk.names.spell, defined)):
        run.walk.report("repeated-column", f"{and_more(twice)} of {dataset} is declared twice", subject=dataset)


def _last_columns(run: Run, node: exp.Expr) -> list[str]:
    """Return a table's partition columns where they come after all others, else none."""
    parts = _partition_parts(node)
    spell = run.walk.names.spell
    names = [spell(part.this) for part in parts if isinstance(part, exp.ColumnDef)]
    if not names and not _keeps_partitions_last(run, node):
        return []
    return names + [spell(part) for part in parts if isinstance(part, exp.Identifier | exp.Column)]


def _keeps_partitions_last(run: Run, node: exp.Expr) -> bool:
    """Hive does, and Spark for files; its other formats (Delta, Iceberg) leave columns where they are declared."""
    rules = run.walk.rules
    if rules.partitions_last != "files":
        return rules.partitions_last == "always"
    formats = [item.this for item in _properties(node) if isinstance(item, exp.FileFormatProperty)]
    if not formats:
        return rules.default_format_is_files
    return not isinstance(formats[0], exp.Var) or formats[0].name.lower() in _OF_FILES


def _partition_parts(node: exp.Expr) -> list[Any]:
    """Return the columns of PARTITIONED BY."""
    clause = next((item.this for item in _properties(node) if isinstance(item, exp.PartitionedByProperty)), None)
    return list(clause.expressions) if isinstance(clause, exp.Schema | exp.Tuple) else []


def _is_temporary(node: exp.Expr, table: exp.Expr) -> bool:
    return ends_with_session(_properties(node)) or is_temporary_name(table)


def _properties(node: exp.Expr) -> list[Any]:
    properties = node.args.get("properties")
    return list(properties.expressions) if properties is not None else []


def drop(run: Run, node: Any) -> Outcome:
    """DROP TABLE or VIEW: what was known under the name is forgotten."""
    if node.kind in ("TABLE", "VIEW", None):
        for table in dropped_tables(node):
            run.catalog.drop(run.walk.names.dataset(table))
    return run.outcome("ddl")


def dropped_tables(node: exp.Expr) -> list[Any]:
    """Return the tables or views that a DROP names."""
    return [table for table in node.args.get("tables") or () if isinstance(table, exp.Table)]


_MAKES_ROWS = frozenset(["TABLE", "VIEW", "MODEL", "STREAM", "DICTIONARY"])
