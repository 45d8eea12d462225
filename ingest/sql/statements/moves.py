"""What statements that move rows without a query write: SWAP, EXCHANGE, SWITCH, ATTACH, MOVE, RENAME."""

from __future__ import annotations

from typing import Any

from ingest.sql.binder.relations.catalog import Catalog
from ingest.sql.binder.relations.relations import Effects
from ingest.sql.dialects.dialects import Names, path_dataset
from ingest.sql.parser.scripts.moves import Move
from ingest.sql.statements.emit import Write
from ingest.sql.statements.run import Outcome, Run


def move(run: Run, node: Move) -> Outcome:
    """Every column of the one table goes to the column of its name in the other."""
    done = run.outcome("other")
    if node.kind == "rename":
        for old, new in node.pairs:
            done.add(rename(run, old, new))
        return done
    if node.kind == "files":
        for path, table in node.pairs:
            effects = Effects()
            effects.reads.add(path_dataset(path))
            done.add(run.write("other", Write(run.walk.names.dataset(table), [], effects)))
        return done
    pairs = [(run.walk.names.dataset(source), run.walk.names.dataset(target)) for source, target in node.pairs]
    relations = [run.walk.dataset(source) for source, _ in pairs]
    for relation, (_, target) in zip(relations, pairs, strict=True):
        run.walk.count_all(relation)
        columns = [(column.name, column) for column in relation.visible()]
        done.add(run.write("other", Write(target, columns, relation.effects)))
    if node.kind == "swap":
        swap(run.catalog, *pairs[0])
    return done


def rename(run: Run, old: Any, new: Any) -> Outcome:
    """A table under another name.

    What this text wrote to the old name moves to the new one, what others wrote to it, too, and so does the content of
    a temporary table.
    """
    names = run.walk.names
    source, target = names.dataset(old), names.dataset_of_parts(renamed_parts(names, old, new))
    done = run.outcome("ddl")
    is_stored = run.catalog.state(source) is None and target not in run.short_lived
    if is_stored or (source in run.written and not run.catalog.holds_content(source)):
        relation = run.walk.dataset(source)
        run.walk.count_all(relation)
        columns = [(column.name, column) for column in relation.visible()]
        done.add(run.write("ddl", Write(target, columns, relation.effects)))
    run.catalog.rename(source, target)
    return done


def renamed_parts(names: Names, old: Any, new: Any) -> list[str]:
    """A bare new name stays in the old name's database in most engines; in Hive it goes to the current one."""
    parts = names.parts(new)
    if len(parts) == 1 and not names.rules.rename_moves_to_current:
        parts = [*names.parts(old)[:-1], *parts]
    return parts


def swap(catalog: Catalog, one: str, other: str) -> None:
    """Give each of two tables the columns of the other."""
    states = [(catalog.all_columns(name), catalog.kinds(name), catalog.computed(name)) for name in (other, one)]
    for name, (columns, kinds, computed) in zip((one, other), states, strict=True):
        catalog.amend(name, columns)
        catalog.describe(name, kinds)
        catalog.compute(name, computed)
