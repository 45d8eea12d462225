"""LOCATION of a table: the table and the folder of its files are one thing under two names.

CREATE TABLE … LOCATION, Trino's ``external_location`` and ``location``, and ALTER TABLE … SET LOCATION say so. A
partition's own place is not the table's, and a place with variables or patterns in it is not a name.
"""

from __future__ import annotations

import re
from typing import Any, Final

from sqlglot import exp

from ingest.sql.dialects.dialects import path_dataset
from ingest.sql.statements.run import Run
from ingest.sql.statements.temporary import ends_with_session

_KEYS: Final = ("location", "external_location", "path")
_PLACE: Final = re.compile(r"(?:[a-zA-Z][a-zA-Z0-9+.-]*://[^/{}$?*<>\s]+|/)[^{}$?*<>\x00-\x1f]*")
MAX_LENGTH: Final = 1000


def of_create(run: Run, node: Any) -> None:
    """Note where a CREATE TABLE says that its files are, unless the table lives no longer than the script."""
    table = node.this.this if isinstance(node.this, exp.Schema) else node.this
    properties = node.args.get("properties")
    if node.kind != "TABLE" or not isinstance(table, exp.Table) or isinstance(table.this, exp.Func) or not properties:
        return
    if ends_with_session(properties.expressions):
        return
    locations = map(_location, properties.expressions)
    _note(run, table, next((location for location in locations if location is not None), None))


def of_alter(run: Run, node: exp.Expr) -> None:
    """Note where an ALTER TABLE … SET LOCATION puts a table; that of a partition is not the table's."""
    table = node.this
    if table.args.get("partition") is not None or node.args.get("partition") is not None:
        return
    for action in node.args.get("actions") or ():
        if isinstance(action, exp.AlterSet):
            _note(run, table, action.args.get("location"))


def _note(run: Run, table: Any, location: Any) -> None:
    text = location.this if isinstance(location, exp.Literal) and location.is_string else None
    if text is None or len(text) > MAX_LENGTH or not _PLACE.fullmatch(text) or not text.strip("/"):
        return
    dataset = run.walk.names.dataset(table)
    if dataset not in run.short_lived:
        run.places[dataset] = path_dataset(text.rstrip("/"))


def _location(item: exp.Expr) -> Any:
    if isinstance(item, exp.LocationProperty):
        return item.this
    if type(item) is exp.Property and str(getattr(item.this, "name", item.this)).lower() in _KEYS:
        return item.args.get("value")
    return None
