"""Where a table says that its rows are: the table and its files, or a table elsewhere, are one thing under two names.

CREATE TABLE … LOCATION, options such as ``external_location``, ``path`` and ``uris``, engines of ClickHouse, foreign
tables and ALTER TABLE … SET LOCATION say so. A partition's own place is not the table's, and a place with variables or
patterns in it is not a name. Of several files, and of patterns over files, the table takes its rows.

Users, passwords and keys are beside the names and are never part of a place.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from sqlglot import exp

from ingest.sql.binder.query.sources.external import NAMESPACE, server_of
from ingest.sql.binder.relations.relations import Effects
from ingest.sql.dialects.dialects import path_dataset
from ingest.sql.parser.before.heads import FOREIGN_SERVER
from ingest.sql.statements.emit import Write
from ingest.sql.statements.run import Outcome, Run
from ingest.sql.statements.temporary import ends_with_session
from ingest.sql.words import words
from lineage_tt.model.edges import dataset_node

_KEYS: Final = ("location", "external_location", "path")
_PLACE: Final = re.compile(
    r"(?:[a-zA-Z][a-zA-Z0-9+.-]*://[^/{}$?*<>\s]+|/)[^{}$?*<>\x00-\x1f]*|@[~%]?[\w.\"]+(?:/[^{}$?*<>\x00-\x1f]*)?"
)
_PLAIN_NAME: Final = re.compile(r"[\w.\"`\[\]-]+")
MAX_LENGTH: Final = 1000
#: Engines of ClickHouse over files, which their first argument names.
_OF_FILES: Final = words("s3 s3queue url hdfs gcs oss cosn deltalake iceberg icebergs3 hudi")


def of_create(run: Run, node: Any) -> Outcome:
    """Note where a CREATE TABLE says that its rows are, unless the table lives no longer than the script."""
    done = run.outcome("ddl")
    table = node.this.this if isinstance(node.this, exp.Schema) else node.this
    properties = node.args.get("properties")
    if node.kind != "TABLE" or not isinstance(table, exp.Table) or isinstance(table.this, exp.Func):
        return done
    items = properties.expressions if properties is not None else []
    if ends_with_session(items):
        return done
    files = list(_files(items))
    if len(files) == 1 and _is_place(files[0]):
        _note(run, table, files[0])
    elif files and any(map(_lists_files, items)):
        effects = Effects()
        effects.reads |= {path_dataset(file) for file in files}
        return run.write("other", Write(run.walk.names.dataset(table), [], effects))
    elif not files:
        _note_node(run, table, _elsewhere(run, table, items, node.comments or ()))
    return done


def of_alter(run: Run, node: exp.Expr) -> None:
    """Note where an ALTER TABLE … SET LOCATION puts a table; that of a partition is not the table's."""
    table = node.this
    if table.args.get("partition") is not None or node.args.get("partition") is not None:
        return
    for action in node.args.get("actions") or ():
        if isinstance(action, exp.AlterSet):
            _note(run, table, _text(action.args.get("location")))


def _is_place(text: str) -> bool:
    return len(text) <= MAX_LENGTH and _PLACE.fullmatch(text) is not None and bool(text.strip("/"))


def _note(run: Run, table: Any, text: str | None) -> None:
    if text is not None and _is_place(text):
        _note_node(run, table, path_dataset(text.rstrip("/")))


def _note_node(run: Run, table: Any, place: str | None) -> None:
    dataset = run.walk.names.dataset(table)
    if place is not None and dataset not in run.short_lived:
        run.places[dataset] = place


def _text(value: Any) -> str | None:
    """Return the text of a constant, and of a stage, which the parser has as a word."""
    value = value.unnest() if isinstance(value, exp.Paren) else value
    if isinstance(value, exp.Anonymous) and value.name.upper() == "LOCATION" and len(value.expressions) == 1:
        value = value.expressions[0]  # Teradata's, in brackets of its own
    is_stage = isinstance(value, exp.Var) and value.name.startswith("@")
    return value.name if is_stage or (isinstance(value, exp.Literal) and value.is_string) else None


def _settings(items: Iterable[Any]) -> dict[str, Any]:
    """Return the values of a table's options by their names in lower case."""
    result: dict[str, Any] = {}
    for item in items:
        if isinstance(item, exp.OptionsProperty):
            result |= _settings(item.expressions)
        elif isinstance(item, exp.SettingsProperty):
            result |= {each.this.name.lower(): each.expression for each in item.expressions if isinstance(each, exp.EQ)}
        elif type(item) is exp.Property:
            result[str(getattr(item.this, "name", item.this)).lower()] = item.args.get("value")
    return result


def _lists_files(item: Any) -> bool:
    return (type(item) is exp.Property and item.name.lower() == "uris") or isinstance(item, exp.EngineProperty)


def _files(items: list[Any]) -> Iterator[str]:
    """Yield the files or folders that a table's options name."""
    settings = _settings(items)
    values = [item.this for item in items if isinstance(item, exp.LocationProperty | exp.FileFormatProperty)]
    values = [value for value in values if not isinstance(value, exp.Literal)] + [
        item.this for item in items if isinstance(item, exp.LocationProperty) and isinstance(item.this, exp.Literal)
    ]
    values += [settings[key] for key in _KEYS if key in settings][:1]
    uris = settings.get("uris")
    values += uris.expressions if isinstance(uris, exp.Array) else [uris]
    engine = next((item.this for item in items if isinstance(item, exp.EngineProperty)), None)
    if isinstance(engine, exp.Anonymous) and engine.name.lower() in _OF_FILES:
        values += engine.expressions[:1]
    yield from filter(None, map(_text, values))


def _elsewhere(run: Run, table: exp.Table, items: list[Any], comments: Iterable[str]) -> str | None:
    """Return the node of the table in another database, or of the topic, that a table shows."""
    settings = {name: text for name, value in _settings(items).items() if (text := _text(value)) is not None}
    engine = next((item.this for item in items if isinstance(item, exp.EngineProperty)), None)
    kind = engine.name.lower() if isinstance(engine, exp.Expr) else ""
    given = [_text(each) for each in engine.expressions] if isinstance(engine, exp.Anonymous) else []
    size = dict(run.walk.rules.foreign_tables).get(kind, 0)  # the engine is called as the function
    if size:
        return _of_table(*given[:size]) if len(given) >= size else None
    if kind == "kafka":
        return _topic(*(given[:2] or (settings.get("kafka_broker_list"), settings.get("kafka_topic_list"))))
    if settings.get("connector", "").endswith("kafka"):
        return _topic(settings.get("properties.bootstrap.servers"), settings.get("topic"))
    if kind == "federated" and "connection" in settings:  # mysql://user:password@host/database/table
        return _of_table(*server_of(settings["connection"]).split("/"))
    if "url" in settings:
        return _of_table(settings["url"], settings.get("dbtable") or settings.get("table-name"))
    return next((_of_server(run, table, note) for note in comments if note.startswith(FOREIGN_SERVER)), None)


def _of_table(connection: str | None, *names: str | None) -> str | None:
    """Return the node of another database's table; None where a value, or a query, is in the place of a name."""
    if connection is None or not names or not all(name and _PLAIN_NAME.fullmatch(name) for name in names):
        return None
    server = server_of(connection)
    return dataset_node(NAMESPACE, ".".join([server, *map(str, names)])) if server else None


def _topic(brokers: str | None, topic: str | None) -> str | None:
    if not brokers or not topic or not _PLAIN_NAME.fullmatch(topic):
        return None
    return dataset_node(f"kafka://{brokers.partition(',')[0].strip()}", topic)


def _of_server(run: Run, table: exp.Table, note: str) -> str | None:
    """Return what a foreign table of Postgres shows: a file, or a table that has its own name unless an option says."""
    server, options = json.loads(note.removeprefix(FOREIGN_SERVER))
    if "filename" in options:
        return path_dataset(options["filename"]) if _is_place(options["filename"]) else None
    schema = options.get("schema_name") or options.get("schema") or run.walk.names.spell(table.args.get("db") or "")
    name = options.get("table_name") or options.get("table") or run.walk.names.spell(table.this)
    return dataset_node(NAMESPACE, ".".join(filter(None, (server, schema, name))))
