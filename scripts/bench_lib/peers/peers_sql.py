"""The peers of SQL extraction: sqllineage (group ``bench`` of pyproject) and sqlglot's ``lineage()`` per column."""

from __future__ import annotations

import contextlib
import io
import logging
import statistics
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sqlglot
from sqlglot import exp
from sqlglot.lineage import lineage
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import build_scope

from bench_lib import machine


@dataclass(frozen=True, slots=True)
class Case:
    """A statement, the columns of the tables around it, and the seconds that we took for it."""

    sql: str
    schema: dict[str, dict[str, str]]
    ours: float


def compared(cases: list[Case]) -> dict[str, Any]:
    """Return how many times our median a peer's is, over the statements for which that peer gave any answer.

    A peer that is not installed is shown as a text in place of the figure.
    """
    found: dict[str, Any] = {"peer_statements": len(cases)}
    found |= _compared("sqlglot_lineage", per_column, cases)
    try:
        import sqllineage  # noqa: F401
    except ImportError:
        machine.tell("sqllineage is not installed: pip install --group bench")
        return found | {"vs_sqllineage": None, "sqllineage": "not installed: pip install --group bench"}
    return found | _compared("sqllineage", by_sqllineage, cases)


def _compared(name: str, ask: Callable[[Case], bool], cases: list[Case]) -> dict[str, Any]:
    spent, ours = [], []
    logging.disable(logging.WARNING)
    try:
        for place, case in enumerate([cases[0], *cases]):
            begun = time.perf_counter()
            answered = _quietly(ask, case)
            if answered and place:  # the first one imports
                spent.append(time.perf_counter() - begun)
                ours.append(case.ours)
    finally:
        logging.disable(logging.NOTSET)
    if not spent:
        return {f"vs_{name}": None, f"{name}_answered": 0}
    median = statistics.median(spent)
    return {
        f"vs_{name}": machine.rounded(median / statistics.median(ours)),
        f"{name}_ms_p50": machine.rounded(median * 1000),
        f"{name}_answered": len(spent),
    }


def _quietly(ask: Callable[[Case], bool], case: Case) -> bool:
    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        try:
            return ask(case)
        except Exception:  # a peer may fail in any way of its own; what it fails on does not count
            return False


def by_sqllineage(case: Case) -> bool:
    """Ask sqllineage for a statement's column lineage, with the columns of the tables around it."""
    from sqllineage.core.metadata.dummy import DummyMetaDataProvider
    from sqllineage.runner import LineageRunner

    metadata = DummyMetaDataProvider({table: list(columns) for table, columns in case.schema.items()})
    return bool(LineageRunner(case.sql, dialect="hive", metadata_provider=metadata).get_column_lineage())


def per_column(case: Case) -> bool:
    """Parse, qualify and find the scopes once, then ask sqlglot's ``lineage()`` for each output column."""
    parsed = sqlglot.parse_one(case.sql, dialect="hive")
    query = parsed if isinstance(parsed, exp.Query) else parsed.expression
    if not isinstance(query, exp.Query):
        return False
    schema: dict[str, dict[str, dict[str, str]]] = {}
    for table, columns in case.schema.items():
        database, _, name = table.rpartition(".")
        schema.setdefault(database, {})[name] = columns
    qualified: Any = qualify(query, schema=schema, dialect="hive", db="default", validate_qualify_columns=False)
    scope = build_scope(qualified)
    for column in qualified.named_selects:
        lineage(column, qualified, schema, scope=scope, dialect="hive", copy=False)
    return bool(qualified.named_selects)
