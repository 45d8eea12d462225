"""The tasks of a platform as messages, and as statements that DuckDB runs on made rows."""

from __future__ import annotations

import gzip
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import sqlglot
from sqlglot import exp

from ingest.messages.mapping import load_mapping
from ingest.messages.parsing import parse_line
from lineage_tt.model.messages import NodeChange, TaskChange

#: The day of all data, in the forms in which texts ask for it.
DAY = "2026-03-01"
_TEMPLATE = re.compile(r"\$\{(\w+)\}")


class Statement(NamedTuple):
    """What a text writes: the dataset, its query in the text's own dialect, its columns' names if declared."""

    target: str
    query: exp.Expression
    names: tuple[str, ...]
    constants: tuple[tuple[str, str], ...]


def sample_messages() -> list[Any]:
    """The messages of the sample, in order."""
    from lineage_tt.sample import messages

    return [parse_line(None, line, None) for line in messages().read_bytes().splitlines()]


def stream_messages(folder: Path) -> list[Any]:
    """The messages of the real stream with its schemas, in the order in which they were recorded."""
    mapping = load_mapping("bqetl_stream")
    messages = []
    for path in [*sorted(folder.glob("messages-*.jsonl.gz")), *sorted(folder.glob("schemas-*.jsonl.gz"))]:
        with gzip.open(path) as lines:
            messages += [parse_line(mapping, line, None) for line in lines]
    return sorted((m for m in messages if m is not None), key=lambda m: m.recorded_at or 0)


class Platform:
    """Messages of tasks, and which of them is in force when."""

    def __init__(self, name: str, messages: Sequence[Any]) -> None:
        self.name = name
        self.messages = [m for m in messages if isinstance(m, TaskChange | NodeChange)]
        self._by_task: dict[str, list[TaskChange]] = defaultdict(list)
        withdrawn = {(m.task_id, m.retracts) for m in self.messages if isinstance(m, TaskChange) and m.retracts}
        for m in self.messages:
            if isinstance(m, TaskChange) and m.op != "retract" and (m.task_id, m.event_id) not in withdrawn:
                self._by_task[m.task_id].append(m)

    def in_force(self, at: int) -> dict[str, TaskChange]:
        """The message of each task that is online at a valid time."""
        result = {}
        for task, messages in self._by_task.items():
            past = [m for m in messages if m.effective_at is not None and m.effective_at <= at]
            last = max(past, key=lambda m: m.effective_at or 0, default=None)
            if last is not None and last.op != "offline":
                result[task] = last
        return result

    def times(self) -> list[int]:
        """The valid times of all messages of tasks, in order."""
        return sorted(m.effective_at for of in self._by_task.values() for m in of if m.effective_at is not None)

    def last_change(self, task: str, upto: int) -> int:
        """When a task changed last up to a time."""
        return max((m.effective_at or 0 for m in self._by_task[task] if (m.effective_at or 0) <= upto), default=0)


def statements_of(message: TaskChange) -> list[Statement]:
    """What a message's text writes; nothing for a text that sqlglot cannot read or that holds no query."""
    if not message.sql or "{{" in message.sql or "{%" in message.sql:
        return []
    sql = _TEMPLATE.sub(DAY, message.sql).replace("@submission_date", f"DATE '{DAY}'")
    try:
        trees = sqlglot.parse(sql, dialect=message.dialect)
    except Exception:
        return []
    declared: dict[str, tuple[str, ...]] = {}
    statements = []
    for tree in trees:
        if isinstance(tree, exp.Create) and isinstance(tree.this, exp.Schema) and tree.expression is None:
            declared[_written(tree.this.this)] = tuple(
                each.name for each in tree.this.expressions if isinstance(each, exp.ColumnDef)
            )
        made = _statement(tree, message, declared)
        if made is not None:
            statements.append(made)
    return statements


def _statement(tree: Any, message: TaskChange, declared: dict[str, tuple[str, ...]]) -> Statement | None:
    if isinstance(tree, exp.Create) and isinstance(tree.expression, exp.Query):
        table = tree.this.this if isinstance(tree.this, exp.Schema) else tree.this
        return Statement(_dataset(_written(table), message), tree.expression, (), ())
    if isinstance(tree, exp.Insert) and isinstance(tree.expression, exp.Query):
        schema = isinstance(tree.this, exp.Schema)
        table = tree.this.this if schema else tree.this
        name = _written(table)
        names = tuple(e.name for e in tree.this.expressions) if schema else declared.get(name, ())
        constants = []
        partition = tree.args.get("partition") or (
            table.args.get("partition") if isinstance(table, exp.Table) else None
        )
        if partition is not None:
            for each in partition.expressions:
                if isinstance(each, exp.EQ) and isinstance(each.expression, exp.Literal):
                    constants.append((each.this.name, each.expression.name))
        return Statement(_dataset(name, message), tree.expression, names, tuple(constants))
    if isinstance(tree, exp.Query) and message.target:
        return Statement(message.target, tree, (), ())
    return None


def _written(table: Any) -> str:
    return ".".join(part.name for part in table.parts) if isinstance(table, exp.Table) else table.name


def _dataset(name: str, message: TaskChange) -> str:
    parts = name.split(".")
    default = message.default_database
    if default and (len(parts) == 1 or (message.dialect == "bigquery" and len(parts) == 2)):
        parts = [default, *parts]
    return f"{message.namespace or message.dialect}:{'.'.join(parts)}"


def reads_of(statement: Statement, message: TaskChange) -> set[str]:
    """The datasets that a query reads, names of its own subqueries left out."""
    return {dataset for _, dataset in _tables(statement.query, message)}


def _tables(query: exp.Expression, message: TaskChange) -> Iterable[tuple[exp.Table, str]]:
    own = {cte.alias_or_name.lower() for cte in query.find_all(exp.CTE)}
    for table in query.find_all(exp.Table):
        if isinstance(table.this, exp.Identifier) and not (len(table.parts) == 1 and table.name.lower() in own):
            yield table, _dataset(_written(table), message)


def in_duckdb(statement: Statement, message: TaskChange, name_of: Callable[[str], str]) -> str:
    """The query as DuckDB runs it, its tables under the names that ``name_of`` gives to datasets."""
    query = statement.query.copy()
    for table, dataset in list(_tables(query, message)):
        alias = table.alias or table.name
        table.replace(exp.alias_(exp.Table(this=exp.to_identifier(name_of(dataset), quoted=True)), alias, table=True))
    return query.sql(dialect="duckdb")
