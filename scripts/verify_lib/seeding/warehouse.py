"""A warehouse of a platform's tasks in DuckDB: made rows below, every task that DuckDB can run above."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import duckdb
from sqlglot import exp

from lineage_tt.model.messages import TaskChange
from verify_lib.seeding.platform import DAY, Statement, in_duckdb, reads_of

ROWS = 48
#: How a column's name tells its type, in this order.
KINDS = (
    ("BOOLEAN", ("is_", "has_", "_flag", "active", "enabled", "deleted")),
    ("TIMESTAMP", ("_at", "timestamp", "_ts", "_time")),
    ("DATE", ("date", "_on", "day", "month")),
    ("DOUBLE", ("amount", "price", "cost", "value", "rate", "total", "revenue", "score", "budget", "share", "sum",
                "ratio", "percent", "ltv", "duration", "points", "discount", "cents")),
    ("BIGINT", ("_id", "id", "count", "num", "quantity", "qty", "stock", "users", "clicks", "visits", "orders", "n_",
                "sample", "dau", "mau", "wau", "used", "level", "version_number", "hits", "sessions", "rank")),
)  # fmt: skip
DECLARED = {
    "INTEGER": "BIGINT", "INT64": "BIGINT", "INT": "BIGINT", "BIGINT": "BIGINT", "FLOAT": "DOUBLE",
    "FLOAT64": "DOUBLE", "NUMERIC": "DOUBLE", "DOUBLE": "DOUBLE", "STRING": "VARCHAR", "BOOLEAN": "BOOLEAN",
    "BOOL": "BOOLEAN", "DATE": "DATE", "TIMESTAMP": "TIMESTAMP", "DATETIME": "TIMESTAMP",
}  # fmt: skip


class Task(NamedTuple):
    """A task that DuckDB can run: its message, what it writes, and what it reads."""

    message: TaskChange
    statements: tuple[Statement, ...]
    reads: frozenset[str]

    @property
    def writes(self) -> set[str]:
        """The datasets it writes."""
        return {statement.target for statement in self.statements}


class Hints:
    """What texts say of columns: the literals they are compared with."""

    def __init__(self) -> None:
        self.values: dict[str, set[str]] = defaultdict(set)
        self.numbers: set[str] = set()

    def learn(self, query: exp.Expression) -> None:
        """Note what a query compares columns with."""
        for node in query.find_all(exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.In):
            column = node.this
            others = node.expressions if isinstance(node, exp.In) else [node.expression]
            if isinstance(column, exp.Column):
                for other in others:
                    if isinstance(other, exp.Literal) and other.is_string:
                        self.values[column.name.lower()].add(other.name)
                    elif isinstance(other, exp.Literal):
                        self.numbers.add(column.name.lower())


class Rows:
    """Makes the rows of tables that no task of the warehouse makes, the same for the same seed."""

    def __init__(self, hints: Hints, types: Mapping[tuple[str, str], str], seed: int) -> None:
        self._hints, self._types, self._seed = hints, types, seed

    def kind(self, dataset: str, column: str) -> str:
        """The type of a column."""
        name = column.lower()
        declared = self._types.get((dataset, name))
        if declared:
            return declared
        if name in ("dt", "hour") or self._hints.values.get(name):
            return "VARCHAR"
        for kind, words in KINDS:
            if any(
                name.endswith(w) if w[0] == "_" else name.startswith(w) if w[-1] == "_" else w in name for w in words
            ):
                return kind
        return "BIGINT" if name in self._hints.numbers else "VARCHAR"

    def fill(self, connection: Any, dataset: str, columns: Collection[str]) -> None:
        """Create a table and its rows."""
        kinds = {column: self.kind(dataset, column) for column in sorted(columns)}
        listed = ", ".join(f'"{column}" {kind}' for column, kind in kinds.items())
        draw = random.Random(f"{self._seed} {dataset}")
        rows = [[self._value(draw, column, kind, at) for column, kind in kinds.items()] for at in range(ROWS)]
        values = ", ".join(f"({', '.join(_literal(value) for value in row)})" for row in rows)
        connection.execute(f'CREATE TABLE "{dataset}" ({listed})')
        connection.execute(f'INSERT INTO "{dataset}" VALUES {values}')

    def _value(self, draw: random.Random, column: str, kind: str, at: int) -> Any:
        name = column.lower()
        if kind == "BIGINT":
            return at if name == "id" else draw.randrange(20) if name.endswith("id") else draw.randrange(1, 400)
        if kind == "DOUBLE":
            return round(draw.uniform(1, 500), 2)
        if kind == "BOOLEAN":
            return draw.random() < 0.5
        if kind == "DATE":
            return DAY if draw.random() < 0.8 else f"2026-02-{draw.randrange(1, 28):02}"
        if kind == "TIMESTAMP":
            return f"{DAY} {draw.randrange(24):02}:{draw.randrange(60):02}:00"
        if name == "dt":
            return DAY
        known = sorted(self._hints.values.get(name, ()))
        return draw.choice([*known, *known, *(f"{name[:6]}{n}" for n in range(4))])


class Warehouse:
    """Tasks that run, with their right tables in one database; a run rebuilds only what a change reaches."""

    def __init__(self, tasks: Mapping[str, Task], connection: Any) -> None:
        self.tasks, self._connection = tasks, connection
        self._right: dict[str, Any] = {}

    def ordered(self, wanted: Collection[str]) -> list[str]:
        """The given tasks, each after those whose datasets it reads; ties by name."""
        return in_order({name: self.tasks[name] for name in wanted})

    def upstream(self, dataset: str) -> set[str]:
        """The tasks that make a dataset, directly or not."""
        result: set[str] = set()
        waiting = [dataset]
        while waiting:
            current = waiting.pop()
            for name, task in self.tasks.items():
                if current in task.writes and name not in result:
                    result.add(name)
                    waiting += task.reads
        return result

    def run(self, wanted: Collection[str], instead: Mapping[str, Task] | None = None) -> dict[str, Any]:
        """Run tasks, some of them with another text; return each table's columns, and each error under its task."""
        given = {name: (instead or {}).get(name, self.tasks[name]) for name in wanted}
        reached = _reached(given, instead or {})
        names = {dataset: f"{dataset}~" for name in reached for dataset in given[name].writes}
        result: dict[str, Any] = {}
        for name in (name for name in in_order(given) if name in reached):
            try:
                _execute(self._connection, given[name], names)
            except duckdb.Error as error:
                result[name] = str(error).splitlines()[0]
        for dataset in {d for task in given.values() for d in task.writes}:
            result[dataset] = (
                self._held(dataset) if dataset not in names else _contents(self._connection, names[dataset])
            )
        for name in names.values():
            self._connection.execute(f'DROP TABLE IF EXISTS "{name}"')
        return result

    def _held(self, dataset: str) -> Any:
        """The right columns of a table, read once."""
        if dataset not in self._right:
            self._right[dataset] = _contents(self._connection, dataset)
        return self._right[dataset]


def in_order(tasks: Mapping[str, Task]) -> list[str]:
    """Tasks by name, each after those whose datasets it reads; ties, and what is in a circle, by name."""
    writers: dict[str, set[str]] = defaultdict(set)
    for name, task in tasks.items():
        for dataset in task.writes:
            writers[dataset].add(name)
    waits = {name: {w for d in task.reads for w in writers[d]} - {name} for name, task in tasks.items()}
    left, done, order = sorted(tasks), set(), []
    while left:
        ready = [name for name in left if waits[name] <= done] or left[:1]
        order += ready
        done.update(ready)
        left = [name for name in left if name not in done]
    return order


def _reached(tasks: Mapping[str, Task], changed: Collection[str]) -> set[str]:
    """The tasks that are changed, read what changes, or write beside one of these."""
    result = {name for name in tasks if name in changed}
    while True:
        datasets = {dataset for name in result for dataset in tasks[name].writes}
        more = {name for name, task in tasks.items() if (task.reads | task.writes) & datasets} - result
        if not more:
            return result
        result |= more


def _execute(connection: Any, task: Task, names: Mapping[str, str]) -> None:
    for statement in task.statements:
        query = in_duckdb(statement, task.message, lambda dataset: names.get(dataset, dataset))
        listed = ", ".join(f'"{name}"' for name in statement.names)
        constants = "".join(f", '{value}' AS \"{name}\"" for name, value in statement.constants)
        body = f"SELECT *{constants} FROM ({query}) AS t{f'({listed})' if listed else ''}"
        target = names.get(statement.target, statement.target)
        there = connection.execute("SELECT 1 FROM duckdb_tables() WHERE table_name = ?", [target]).fetchall()
        connection.execute(f'INSERT INTO "{target}" {body}' if there else f'CREATE TABLE "{target}" AS {body}')


def _contents(connection: Any, dataset: str) -> dict[str, tuple[str, ...]] | None:
    """Each column of a table as its values in order of their texts; None where there is none."""
    try:
        kinds = connection.execute(f'DESCRIBE "{dataset}"').fetchall()
        zoned = [name for name, kind, *_ in kinds if "WITH TIME ZONE" in kind]  # Python would need pytz for these
        as_text = "".join(f', "{name}"::VARCHAR AS "{name}"' for name in zoned)
        plain = f"* REPLACE ({as_text[2:]})" if zoned else "*"
        found = connection.execute(f'SELECT {plain} FROM "{dataset}"')
    except duckdb.Error:
        return None
    names = [column[0].lower() for column in found.description]
    rows = found.fetchall()
    return {name: tuple(sorted(_text(row[at]) for row in rows)) for at, name in enumerate(names)}


def _literal(value: Any) -> str:
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else str(value)


def _text(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else repr(value)


def built(in_force: Mapping[str, TaskChange], statements: Any, columns: Mapping[str, set[str]],
          types: Mapping[tuple[str, str], str], seed: int) -> Warehouse:  # fmt: skip
    """The warehouse of the tasks in force that DuckDB can run; what others write has made rows.

    ``statements`` gives those of a message, ``columns`` the columns that lineage knows of each dataset.
    """
    hints = Hints()
    tasks: dict[str, Task] = {}
    for name, message in sorted(in_force.items()):
        found = tuple(statements(message))
        if found and len({statement.target for statement in found}) == 1:
            reads = frozenset(d for statement in found for d in reads_of(statement, message))
            if found[0].target not in reads:
                tasks[name] = Task(message, found, reads)
                for statement in found:
                    hints.learn(statement.query)
    return _running(tasks, columns, Rows(hints, types, seed))


def _running(tasks: Mapping[str, Task], columns: Mapping[str, set[str]], rows: Rows) -> Warehouse:
    """Run every task once, in order; in the place of what fails its target gets made rows, for those that read it."""
    kept: dict[str, Task] = {}
    there: set[str] = set()
    raw: set[str] = set()
    connection = duckdb.connect()
    connection.execute("PRAGMA threads=1")

    def have(dataset: str) -> bool:
        """Make rows for a table that no task has made; False where no column of it is known."""
        if dataset not in there and columns.get(dataset):
            connection.execute(f'DROP TABLE IF EXISTS "{dataset}"')
            rows.fill(connection, dataset, columns[dataset])
            there.add(dataset)
            raw.add(dataset)
        return dataset in there

    for name in in_order(tasks):
        task = tasks[name]
        try:
            known = [have(dataset) for dataset in sorted(task.reads)]
            if not all(known) or task.writes & raw:
                continue  # a source has no known column, or a reader came first
            _execute(connection, task, {})
            _contents(connection, task.statements[0].target)
        except duckdb.Error:
            continue
        kept[name] = task
        there |= task.writes
    return Warehouse(kept, connection)
