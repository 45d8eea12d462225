"""What a change really does: every task of the warehouse is run, with and without it, and the results are compared."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import duckdb
from mutations import Mutation
from warehouse import Task, Warehouse

#: What a task gives: its columns and its rows in order of their texts, or the error that it ends with.
Result = tuple[tuple[str, ...], tuple[str, ...]] | str
_MADE = re.compile(r"\ACREATE (?:OR REPLACE )?(?:TABLE|VIEW) (\w+)", re.IGNORECASE)


class Truth(NamedTuple):
    """What happens to the warehouse: tasks that fail, and tasks nobody edited whose result is another one."""

    fails: frozenset[str]
    changes: frozenset[str]

    @property
    def verdict(self) -> str:
        """In one word: fails, changes or same."""
        return "fails" if self.fails else "changes" if self.changes else "same"


def run_in_duckdb(warehouse: Warehouse, touched: frozenset[str] = frozenset()) -> dict[str, Result]:
    """Run every task in order in a fresh database; return what each gives. It costs too little to leave any out."""
    with duckdb.connect() as connection:
        connection.execute("PRAGMA threads=1")
        for name, (columns, rows) in warehouse.raw.items():
            connection.execute(f"CREATE TABLE {name} ({', '.join(f'{c} {kind}' for c, kind in columns)})")
            marks = ", ".join("?" for _ in columns)
            connection.executemany(f"INSERT INTO {name} VALUES ({marks})", rows)
        return {task.name: _run(connection, task) for task in warehouse.tasks}


def _run(connection: Any, task: Task) -> Result:
    try:
        if task.how == "report":
            found = connection.execute(task.sql())
        else:
            if task.how == "insert":
                declared = ", ".join(f"{name} {kind}" for name, kind in task.declared)
                connection.execute(f"CREATE OR REPLACE TABLE {task.name} ({declared})")
            elif task.how in ("table", "view"):
                _drop_other(connection, task)
            connection.execute(task.sql())
            found = connection.execute(f"SELECT * FROM {written_by(task)}")
        rows = tuple(sorted(map(repr, found.fetchall())))
        return tuple(column[0] for column in found.description), rows
    except duckdb.Error as error:
        return f"{type(error).__name__}: {str(error)[:120]}"


def written_by(task: Task) -> str:
    """Return the table or view that a task makes: that of its name, or the one that its own text names."""
    made = _MADE.match(task.raw or "")
    return made[1] if made else task.name


def _drop_other(connection: Any, task: Task) -> None:
    """What was a table may become a view: engines want the old one dropped first, which a deployment does."""
    for kind in ("TABLE", "VIEW"):
        try:
            connection.execute(f"DROP {kind} IF EXISTS {task.name}")
        except duckdb.Error:
            continue


Run = Callable[[Warehouse, frozenset[str]], dict[str, Result]]


def downstream_of(warehouse: Warehouse, names: set[str]) -> frozenset[str]:
    """Return these tasks and all that read them, directly or not, by the words of their texts."""
    result = set(names)
    for task in warehouse.tasks:
        if result & set(re.findall(r"\w+", task.sql())):
            result.add(task.name)
    return frozenset(result)


def truth_of(warehouse: Warehouse, mutation: Mutation, before: dict[str, Result], run: Run) -> Truth:
    """Return what a change does to the warehouse, found by running it and everything downstream of it."""
    changed = warehouse.having(*mutation.tasks, without=mutation.offline)
    edited = {task.name for task in mutation.tasks}
    touched = downstream_of(warehouse, edited | set(mutation.offline)) | downstream_of(changed, edited)
    written = {written_by(task) for task in mutation.tasks}
    touched |= downstream_of(changed, written)
    after = run(changed, touched)
    fails = {name for name, result in after.items() if isinstance(result, str)}
    changes = {
        name
        for name, result in after.items()
        if name not in edited and name in before and result != before[name] and name not in fails
    }
    return Truth(frozenset(fails), frozenset(changes))
