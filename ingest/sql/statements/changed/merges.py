"""MERGE: each branch writes rows or assigns values, the conditions decide about rows of the target."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from ingest.sql.binder.names.scope import Scope
from ingest.sql.binder.relations.flow import FILTER, JOIN, Column, add
from ingest.sql.parser.before.heads import BY_NAME, SCHEMA_EVOLUTION
from ingest.sql.statements.changed import updated
from ingest.sql.statements.emit import Write
from ingest.sql.statements.inserts import Pairs, by_name, by_position, check_targets, doubt_names, insert_names
from ingest.sql.statements.run import Outcome, Run


def merge(run: Run, node: exp.Expr) -> Outcome:
    """MERGE INTO t USING s ON … WHEN …"""
    scope = Scope()
    run.walk.with_clause(node, scope)
    dataset = run.walk.names.dataset(node.this)
    updated.bring_target(run, node.this, dataset, scope)
    if node.args.get("using_cond"):  # DuckDB's USING (a) makes one column of the two, as any join's does
        run.walk.joins.join(exp.Join(this=node.args["using"], using=node.args["using_cond"]), scope)
    else:
        run.walk.sources.bring(node.args["using"], scope)
    if node.args.get("on") is not None:
        add(scope.effects.predicates, run.walk.values.flow(node.args["on"], scope, JOIN))
    pairs: Pairs = []
    whens = node.args.get("whens")
    for when in whens.expressions if whens is not None else ():
        seen = scope
        if not when.args.get("matched"):  # one of the two rows does not exist
            there = scope.sources[:1] if when.args.get("source") else scope.sources[1:]
            seen = Scope(parent=scope.parent, ctes=scope.ctes, effects=scope.effects)
            seen.sources, seen.by_alias = list(there), {source.alias.lower(): source for source in there}
        if when.args.get("condition") is not None:
            run.walk.values.collect(when.args["condition"], seen, FILTER, scope.effects.predicates)
        then = when.args["then"]
        if isinstance(then, exp.Expr) and then.args.get("where") is not None:  # Oracle's
            run.walk.values.collect(then.args["where"].this, seen, FILTER, scope.effects.predicates)
        pairs.extend(_branch(run, node, dataset, when.args["then"], scope, seen))
    scope.effects.reads.discard(dataset)
    return run.write("merge", Write(dataset, pairs, scope.effects))


def _branch(run: Run, node: exp.Expr, dataset: str, then: Any, scope: Scope, seen: Scope) -> Pairs:
    """Return what one WHEN branch writes; ``seen`` has the rows that exist for the branch.

    A star takes all of the source's columns.
    """
    for source in scope.sources[1:]:
        run.walk.count_all(source.relation)
    everything = [column for source in scope.sources[1:] for column in source.relation.visible()]
    if isinstance(then, exp.Update):
        stated = then.args.get("expressions") or []
        stated = stated if isinstance(stated, list) else [stated]  # of ``UPDATE *`` the parser makes the star alone
        if stated and not isinstance(stated[0], exp.Star | exp.Var):
            items = updated.assignments(run, stated, seen, node.this)
            assigned = [pair for item in items for pair in updated.assigned(run, item, seen)]
            check_targets(run.walk, dataset, (name for name, _ in assigned))
            updated.check_once(run, dataset, items)
            return assigned
        return _whole_row(run, node, stated[0] if stated else None, dataset, everything)
    if not isinstance(then, exp.Insert):
        return []
    listed, cells = _inserted(then)
    if cells is None:
        return _whole_row(run, node, then.this, dataset, everything)
    columns = [updated.value_at(run, cell, place, seen) for place, cell in enumerate(cells)]
    names = insert_names(run.walk, dataset, [updated.target_name(run, item, scope) for item in listed], None)
    if names is None:
        pairs = [(column.name, column) for column in columns]
        doubt_names(run.walk, dataset, pairs)
        return pairs
    return by_position(run.walk, dataset, columns, names)


def _inserted(then: exp.Insert) -> tuple[list[Any], list[Any] | None]:
    """Return the columns that a branch lists and the values of its row, None for the source's whole row.

    Of BigQuery's ``INSERT VALUES (…)`` the parser takes VALUES for a function among the listed columns.
    """
    listed = list(then.this.expressions) if isinstance(then.this, exp.Tuple) else []
    if isinstance(then.expression, exp.Tuple):
        return listed, list(then.expression.expressions)
    called = listed[0] if len(listed) == 1 and isinstance(listed[0], exp.Anonymous) else None
    if called is not None and called.name.upper() == "VALUES":
        return [], list(called.expressions)
    return listed, None


def _whole_row(run: Run, node: exp.Expr, star: Any, dataset: str, columns: list[Column]) -> Pairs:
    """Return what a branch of a MERGE writes that takes the source's whole row, by place or by name.

    BigQuery's ``INSERT ROW`` takes it by place, DuckDB's star unless it is BY NAME. By name each column of the target
    must be in the source, and others of the source are left out, unless the statement may change the target; BY NAME
    leaves the target's other columns as they are. Those of ``* EXCEPT (a)`` are not written.
    """
    gone = _left_out(run, star)
    columns = [each.without(gone) if each.is_open and gone else each for each in columns]
    columns = [each for each in columns if each.is_open or each.name.lower() not in gone]
    known = run.catalog.all_columns(dataset)
    by_name_only = isinstance(star, exp.Star) and BY_NAME in (star.comments or ())
    if isinstance(star, exp.Var) or (run.walk.rules.merge_star_by_place and not by_name_only):
        return by_position(run.walk, dataset, columns, list(known) if known else None)
    if by_name_only:
        check_targets(run.walk, dataset, (column.name for column in columns if not column.is_open))
    elif SCHEMA_EVOLUTION not in (node.comments or ()) and not run.merge_adds_columns:
        there = {column.name.lower() for column in columns} | gone
        for name in () if any(column.is_open for column in columns) else known or ():
            if name.lower() not in there:
                detail = f"the source of the star is not known to have a column {name} of {dataset}"
                run.walk.report("unknown-column", detail, subject=dataset)
        if known:
            ours = {name.lower() for name in known}
            columns = [each for each in columns if each.is_open or each.name.lower() in ours]
    return by_name(columns, known)


def _left_out(run: Run, star: Any) -> set[str]:
    """Return the columns, in lower case, that a branch's ``* EXCEPT (a, b)`` does not write."""
    named = star.args.get("except_") if isinstance(star, exp.Star) else None
    return {run.walk.names.spell(name).lower() for name in named or ()}
