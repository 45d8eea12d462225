"""Statements at random, prepared by the engine itself: what it rejects is reported, and what it takes is not."""

from __future__ import annotations

import random
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any

import duckdb
import pytest
from random_statements import TABLES, Statements, judged
from rounds import rounds, seed_of

CREATE = [f"CREATE TABLE {table} ({', '.join(f'{name} int' for name in names)})" for table, names in TABLES.items()]
#: What an engine rejects for reasons of its own: names are right, and it cannot run the statement.
OWN = re.compile(
    r"not yet supported|Not implemented|before it is defined|LATERAL join cannot",
    re.IGNORECASE,
)
#: The share of statements that are right only because an engine does not look at what it need not make, or wrong only
#: because of an aggregate of the query around in a subquery, or of a name that may be an item's or a column's.
OF_ITS_OWN = {"duckdb": 0.001, "sqlite": 0.01}


@contextmanager
def _duckdb() -> Iterator[Callable[[str], str]]:
    with duckdb.connect() as session:
        yield _refusing(session.execute, duckdb.Error)


@contextmanager
def _sqlite() -> Iterator[Callable[[str], str]]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as session:
        yield _refusing(session.execute, sqlite3.Error)


def _refusing(execute: Callable[[str], Any], error: type[Exception]) -> Callable[[str], str]:
    """Make the tables; return what prepares a statement, undoes it, and returns the engine's reason to reject it."""
    for text in CREATE:
        execute(text)

    def refusal(text: str) -> str:
        execute("BEGIN")
        try:
            execute(text if text.startswith("CREATE") else f"EXPLAIN {text}").fetchall()
            if text.startswith("CREATE VIEW"):  # SQLite looks its names up when it is read
                execute("SELECT * FROM made").fetchall()
        except error as reason:
            return str(reason)
        finally:
            execute("ROLLBACK")
        return ""

    return refusal


ENGINES: dict[str, tuple[Any, dict[str, Any]]] = {
    "duckdb": (_duckdb, {"with_first": False}),
    "sqlite": (_sqlite, {"lists": False, "alone": False}),
}


@pytest.mark.long
@pytest.mark.parametrize("dialect", ENGINES)
def test_what_an_engine_rejects_is_reported_and_nothing_else(dialect: str) -> None:
    """Of three thousand statements about every second one is wrong somewhere."""
    seed = seed_of(60454294)
    print("seed", seed)
    open_engine, forms = ENGINES[dialect]
    made = Statements(random.Random(seed), **forms)
    counts = {True: 0, False: 0}
    missed, wrong = [], []
    with open_engine() as refusal:
        for _ in range(rounds(3000)):
            text = made.statement()
            refused = refusal(text)
            if OWN.search(refused):
                continue
            reported, complete, words = judged(text, dialect, "n:db")
            if refused and not reported:
                missed.append(f"{words}\n{refused}")
            if not refused and not complete:
                wrong.append(words)
            counts[bool(refused)] += 1
    most = max(1, sum(counts.values()) * OF_ITS_OWN[dialect])
    assert len(missed) <= most, "\n\n".join(missed)
    assert len(wrong) <= most, "\n\n".join(wrong)
    assert min(counts.values()) > sum(counts.values()) / 5
