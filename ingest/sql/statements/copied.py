"""CREATE and ALTER that give a table the rows of others without a query: engines over tables, parts of a table, files.

Also the problems of a CREATE with words that the parser skipped.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any, Final

from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.tokens import Token, TokenType

from ingest.sql.binder.relations.catalog import TableState
from ingest.sql.binder.relations.relations import Effects
from ingest.sql.binder.relations.types import Kind
from ingest.sql.dialects.dialects import Names, path_dataset
from ingest.sql.parser.after.left_out import name_end
from ingest.sql.parser.scan import name_at, spelt
from ingest.sql.sqlglot_errors import SQLGLOT_ERRORS
from ingest.sql.statements.emit import Write
from ingest.sql.statements.run import Outcome, Run
from ingest.sql.text.misspelt import misspelt
from ingest.sql.text.tokens import outside, word_at
from ingest.sql.words import words

#: ClickHouse's engines of tables that hold no rows of their own: where the name of the other table is.
_OVER_TABLES: Final = {"distributed": 1, "buffer": 0}
_OVER_MANY: Final = "merge"
_COPYING: Final = ("like", "clone", "copy", "select")
#: What is named after CREATE TABLE t, with a dot, and is not a table.
_OTHER_NAMES: Final = words("policy tablespace tag cluster serde schema catalog connection volume collate in")
_ADD_FILES: Final = re.compile(
    r"\s*table\s+([\w.\"]+)\s+execute\s+add_files\s*\(.*?location\s*=>\s*'([^']+)'", re.IGNORECASE | re.DOTALL
)
_EXECUTED: Final = re.compile(r"\s*table\s+[\w.\"]+\s+execute\s+(\w+)", re.IGNORECASE)
#: Trino's procedures of a table that keep its rows.
_KEEPING: Final = words(
    """optimize optimize_manifests expire_snapshots remove_orphan_files drop_extended_stats rollback_to_snapshot"""
)


def over_another(run: Run, dataset: str, properties: list[Any]) -> Outcome:
    """How a table of ClickHouse's engines Distributed, Buffer and Merge relates to the tables below it.

    What is written to either one is read from the other.
    """
    done = run.outcome("ddl")
    engine = next((item.this for item in properties if isinstance(item, exp.EngineProperty)), None)
    name = engine.name.lower() if isinstance(engine, exp.Anonymous) else ""
    if name == _OVER_MANY:
        detail = f"{dataset} shows the rows of all tables whose names match, and which these are is not known"
        run.walk.report("unknown-source", detail, dataset)
    if name not in _OVER_TABLES or engine is None:
        return done
    arguments = engine.expressions[_OVER_TABLES[name] :][:2]
    parts = [item.name for item in arguments if isinstance(item, exp.Column | exp.Literal)]
    if len(parts) != 2:
        run.walk.report("unknown-source", f"which table {dataset} shows is not known", dataset)
        return done
    other = run.walk.names.dataset_of_parts([part for part in parts if part])
    for source, target in ((other, dataset), (dataset, other)):
        done.add(all_columns(run, source, target))
    return done


def dictionary(run: Run, dataset: str, columns: Sequence[str], properties: list[Any]) -> Outcome:
    """What feeds ClickHouse's dictionaries: the columns of their names in a table, or of a query."""
    source = next((p for p in properties if isinstance(p, exp.DictProperty) and p.name.upper() == "SOURCE"), None)
    settings = source.args.get("settings") or () if source is not None else ()
    options = {item.name.upper(): item.args["value"].name for item in settings if item.args.get("value") is not None}
    names = run.walk.names
    if source is None or str(source.args.get("kind")).upper() != "CLICKHOUSE":
        options = {}
    if options.get("TABLE"):
        parts = [*options.get("DB", "").split("."), *options["TABLE"].split(".")]
        other = names.dataset_of_parts([part for part in parts if part])
        pairs = [(name, run.walk.base_column(other, name)) for name in columns]
        effects = Effects()
        effects.reads.add(other)
        return run.write("other", Write(dataset, pairs, effects))
    try:
        query = names.dialect.parse(options["QUERY"])[0] if options.get("QUERY") else None
    except (SqlglotError, *SQLGLOT_ERRORS):
        query = None
    if not isinstance(query, exp.Query):
        run.walk.report("unknown-source", f"where the rows of {dataset} come from is not stated", subject=dataset)
        return run.outcome("ddl")
    relation = run.walk.query(query, None, top=True)
    pairs = [(name, c) for name, c in zip(columns, relation.visible(), strict=False)]
    return run.write("other", Write(dataset, pairs, relation.effects))


def all_columns(run: Run, source: str, target: str, only: Collection[str] | None = None) -> Outcome:
    """Every column of the one table goes to the column of its name in the other; ``only`` those, where given."""
    relation = run.walk.dataset(source)
    run.walk.count_all(relation)
    pairs = [(column.name, column) for column in relation.columns if only is None or column.name in only]
    return run.write("other", Write(target, pairs, relation.effects))


def parent(item: exp.Expr) -> Any:
    """Return the table that PARTITION OF or INHERITS names, None for another property."""
    if isinstance(item, exp.PartitionedOfProperty):  # what it says of columns, ``(c DEFAULT 0)``, is of the parent's
        return item.this.this if isinstance(item.this, exp.Schema) else item.this
    if isinstance(item, exp.InheritsProperty) and len(item.expressions) == 1:
        return item.expressions[0]
    return None


def child(run: Run, dataset: str, original: str, listed: tuple[str, ...], kinds: dict[str, Kind]) -> Outcome:
    """PARTITION OF and INHERITS: a new table has its parent's columns, and its rows are rows of that, too."""
    known = run.catalog.all_columns(original)
    names = tuple(dict.fromkeys([*(known or ()), *listed])) if known is not None else None
    run.catalog.declare(dataset, TableState(names, kinds={**run.catalog.kinds(original), **kinds}))
    return all_columns(run, dataset, original, known)


def files_added(run: Run, text: str) -> tuple[str, str] | None:
    """Return the table and the folder of Trino's ``ALTER TABLE t EXECUTE add_files``; report other procedures."""
    match = _ADD_FILES.match(text)
    if match is not None:
        table = exp.to_table(match.group(1), dialect=run.walk.names.dialect)
        return run.walk.names.dataset(table), path_dataset(match.group(2))
    called = _EXECUTED.match(text)
    if called is not None and called.group(1).lower() not in _KEEPING:
        run.walk.report("opaque-call", f"what {called.group(1)} does is not looked into")
    return None


def unread_in_create(node: exp.Create, tokens: list[Token], names: Names) -> str:
    """Return what a CREATE TABLE names after its own name that no rule looked up, in words; "" for nothing."""
    if node.args.get("clone") is not None and node.kind in ("SCHEMA", "DATABASE"):
        return f"all tables of a {node.kind.lower()} come from another one, and which these are is not known"
    if node.kind != "TABLE" or node.expression is not None or not any(word_at(tokens, p) == "table" for p in range(6)):
        return ""
    prepared = node.find(exp.ExecuteAsProperty)
    if prepared is not None:
        return f"what the prepared statement {prepared.this.name} returns is not known"
    start = name_end(tokens)
    if any(word_at(tokens, p) == "organization" and word_at(tokens, p + 1) == "external" for p in outside(tokens)):
        return "which files a table of ORGANIZATION EXTERNAL shows is not looked into"
    meant = misspelt(word_at(tokens, start), _COPYING)
    if meant:
        return f"{tokens[start].text} after the table's name is not understood: perhaps {meant.upper()}"
    for place in outside(tokens):
        before = tokens[place - 1]
        if (
            place < start
            or before.token_type in (TokenType.DOT, TokenType.PARAMETER, TokenType.EQ)
            or before.text.lower() in _OTHER_NAMES
        ):
            continue
        parts = name_at(tokens, place)
        if len(parts) > 1 and names.dataset_of_spelt(spelt(names, parts)) not in names.looked_up:
            return f"{'.'.join(parts)}: named in the statement, and not found in its lineage"
    return ""
