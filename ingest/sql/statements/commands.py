"""Statements that move data or state without a query, and those that the parser leaves as opaque commands."""

from __future__ import annotations

import re
from typing import Any

from sqlglot import exp
from sqlglot.errors import SqlglotError

from ingest.sql.binder.names.search_path import follow
from ingest.sql.binder.relations.relations import Effects, Relation
from ingest.sql.dialects.dialects import path_dataset
from ingest.sql.sqlglot_errors import SQLGLOT_ERRORS
from ingest.sql.statements.copied import files_added
from ingest.sql.statements.emit import Write
from ingest.sql.statements.run import Outcome, Run
from ingest.sql.words import words

# First words of commands that change no lineage.
_HARMLESS_WORDS = words(
    """set reset show grant revoke analyze refresh msck explain list add assert raise signal resignal leave break
    iterate return continue begin commit rollback end start comment lock unlock vacuum optimize print go declare
    reload clear uncache describe desc use help dfs compile deny fetch open close deallocate prepare
    savepoint release checkpoint discard listen notify reindex cluster security label abort alter drop
    compute invalidate collect truncate exit raiserror throw goto waitfor save dbcc backup kill reconfigure shutdown
    fsck reorg generate repair undrop remove rm purge quit whoami profile summary"""
)
# What CREATE makes that holds no rows of its own, and a function of a program.
_MAKES_NO_ROWS = re.compile(
    r"\s*(?:or\s+replace\s+)?(?:(?:external|foreign|bloomfilter|row\s+access|storage)\s+)*"
    r"(?:(?:role|user|group|catalog|database|schema|namespace|volume|location|connection|credential|policy|share|index|"
    r"recipient|capacity|reservation|assignment|widget)\b|(?:temporary\s+)?function\b[^()]*\bas\s+'[^']*'\s+using\b)",
    re.IGNORECASE,
)
# A database with the tables of another one: PostgreSQL's TEMPLATE, Azure's AS COPY OF, a share's.
_HAS_TABLES = re.compile(
    r"\s*(?:or\s+replace\s+)?(?:catalog|database)\b.*?\b"
    r"(?:template\b(?!\W*template[01]\b)|(?:replica|copy|snapshot)\s+of\b|(?:from|using)\s+(?:data)?share\b)",
    re.IGNORECASE | re.DOTALL,
)
# Hive's shell commands that bring files to where a table may have its own.
_MOVES_FILES = re.compile(r"\s*-(?:put|cp|mv|copyFromLocal|moveFromLocal|appendToFile)\b", re.IGNORECASE)
_HARMLESS = frozenset(["update statistics", "get diagnostics"])
# Delta's table as it was: others restore from elsewhere.
_RESTORED = re.compile(r".+\bto\s+(?:version|timestamp)\s+as\s+of\b", re.IGNORECASE | re.DOTALL)
_CALLS = frozenset(["call", "execute", "exec", "do", "perform", "source"])
_MACRO = re.compile(r"\s*temporary\s+macro\s+([\w.`]+)\s*\(([^)]*)\)\s*(.*)", re.IGNORECASE | re.DOTALL)
_EXPORT = re.compile(r"\s*table\s+([\w.`]+)\s*(?:partition\s*\([^)]*\))?\s*to\s*'([^']+)'", re.IGNORECASE)
_SYNONYM = re.compile(
    r"\s*(?:or\s+replace\s+)?(?:(?:non)?editionable\s+)?(?:public\s+|private\s+)?(?:synonym|alias)\s+"
    r"(?:if\s+(?:not\s+)?exists\s+)?(\S+)(?:\s+for\s+(?:table\s+)?(\S+?))?\s*(?:force\s*)?;?\s*",
    re.IGNORECASE,
)
_IMPORT = re.compile(
    r"\s*(?:external\s+)?table\s+([\w.`]+)\s*(?:partition\s*\([^)]*\))?\s*from\s*'([^']+)'", re.IGNORECASE
)


def command(run: Run, node: exp.Expr) -> Outcome:
    """A statement that the parser did not look into: a few are understood here, the others are named."""
    word = next(iter((node.this or "").lower().split()), "")
    rest = node.args.get("expression")
    text = rest if isinstance(rest, str) else rest.name if rest is not None else ""
    macro = _MACRO.match(text) if word == "create" else None
    if macro is not None:
        _define_macro(run, macro)
        return run.outcome("ddl")
    synonym = _SYNONYM.fullmatch(text) if word in ("create", "drop") else None
    if synonym is not None:
        return _name_again(run, *synonym.groups())
    moved = _MOVES[word][0].match(text) if word in _MOVES else None
    if moved is not None:
        table = exp.to_table(moved.group(1), dialect=run.walk.names.dialect)
        return _MOVES[word][1](run, run.walk.names.dataset(table), path_dataset(moved.group(2)))
    if word == "call" and text.lower() in run.walk.rules.idle_procedures:
        return run.outcome("other")
    if word in _CALLS or (word == "dfs" and _MOVES_FILES.match(text)):
        return opaque_call(run, node)
    added = files_added(run, text) if word == "alter" else None
    if added is not None:
        return _import_table(run, *added)
    if word in ("set", "alter"):
        follow(run.walk, node)
    moves_nothing = word == "load" and len(text.split()) == 1  # an extension
    moves_nothing = moves_nothing or (word == "restore" and _RESTORED.match(text) is not None)
    if word == "create" and _MAKES_NO_ROWS.match(text) is not None:
        moves_nothing = _HAS_TABLES.match(text) is None
    if word not in _HARMLESS_WORDS and not moves_nothing and node.this.lower() not in _HARMLESS:
        run.walk.report("unsupported-statement", f"{word.upper()} … is not understood")
    return run.outcome("ddl" if word in ("alter", "create", "drop") else "other")


def opaque_call(run: Run, node: exp.Expr) -> Outcome:
    """A call of a procedure, or SQL put together at run time: what it does is not known."""
    name = node.this if isinstance(node.this, str) else node.this.name if node.this is not None else ""
    run.walk.report("opaque-call", f"what {name or 'a procedure'} does is not looked into")
    return run.outcome("other")


def _name_again(run: Run, synonym: str, table: str | None) -> Outcome:
    """CREATE SYNONYM gives a table another name in the statements that follow, DROP SYNONYM takes it away."""
    names = run.walk.names
    name, meant = (
        ".".join(names.full(names.parts(exp.to_table(each, dialect=names.dialect)))) if each else ""
        for each in (synonym, table)
    )
    names.synonyms.pop(name, None)
    if meant:
        names.synonyms[name] = names.synonyms.get(meant, meant)
    return run.outcome("ddl")


def _define_macro(run: Run, match: re.Match[str]) -> None:
    try:
        body = run.walk.names.dialect.parse(f"SELECT {match.group(3)}")[0]
    except (SqlglotError, *SQLGLOT_ERRORS):
        return
    if body is None or not body.expressions:
        return
    parameters = [exp.to_identifier(item.split()[0].strip("`")) for item in match.group(2).split(",") if item.strip()]
    name = exp.to_table(match.group(1).replace("`", ""))
    run.walk.functions.define(exp.UserDefinedFunction(this=name, expressions=parameters), body.expressions[0])


def _export_table(run: Run, table: str, path: str) -> Outcome:
    """Hive's EXPORT TABLE copies a table's rows to files."""
    relation = run.walk.dataset(table)
    run.walk.count_all(relation)
    return run.write("other", Write(path, [(c.name, c) for c in relation.visible()], relation.effects))


def _import_table(run: Run, table: str, path: str) -> Outcome:
    """Hive's IMPORT TABLE fills a table from such files."""
    effects = Effects()
    effects.reads.add(path)
    return run.write("other", Write(table, [], effects))


_MOVES = {"export": (_EXPORT, _export_table), "import": (_IMPORT, _import_table)}


def for_in(run: Run, node: exp.Expr) -> Outcome:
    """FOR r IN (SELECT …): the record's fields are the query's columns, in the statements of the loop and after it.

    In Spark each column is a variable by itself, too, with a record or without.
    """
    name = node.this.name
    scalar = name.lower() in run.walk.declared
    run.walk.declared.discard(name.lower())
    run.walk.variables.pop(name.lower(), None)
    if isinstance(node.expression, exp.Column):  # FOR r IN c, of a cursor
        named = run.walk.rows_named(node.expression.name)
        if named is not None:
            run.walk.row_variables[node.this.name.lower()] = named
        return run.outcome("other")
    relation = run.walk.query(node.expression, None, top=True)
    run.walk.row_variables[name.lower()] = relation
    columns = relation.visible()
    for column in columns if run.walk.rules.loops_name_columns else ():
        if not column.is_open:
            run.walk.hold(column.name, column.without_text(column.name), relation.effects)
    if scalar and len(columns) == 1 and not columns[0].is_open:  # PL/pgSQL: a variable of a plain type
        run.walk.declared.add(name.lower())
        run.walk.hold(name, columns[0].without_text(name), relation.effects)
    return run.outcome("other")


def load(run: Run, node: exp.Expr) -> Outcome:
    """LOAD DATA: a file feeds a table, or BigQuery's files do, from a list of their addresses."""
    effects = Effects()
    path, files = node.args.get("inpath"), node.args.get("files")
    if path is not None and not isinstance(path, bool):
        effects.reads.add(path_dataset(path.name))
    for item in files.expressions if isinstance(files, exp.Properties) else ():
        if isinstance(item, exp.Property) and item.name.lower() == "uris":
            effects.reads |= {path_dataset(uri.name) for uri in item.args["value"].find_all(exp.Literal)}
    table = node.this.this if isinstance(node.this, exp.Schema) else node.this
    return run.write("other", Write(run.walk.names.dataset(table), [], effects))


def copy(run: Run, node: exp.Expr) -> Outcome:
    """COPY INTO a table from files or a stage, or from a table or query to files."""
    target = node.this.this if isinstance(node.this, exp.Schema) else node.this
    places = [place for place in node.args.get("files") or () if isinstance(place, exp.Expr)]
    files = [path_dataset(place.name) for place in places if isinstance(place, exp.Literal) or _is_stage(place)]
    done = None
    if _is_stage(target) and len(places) == 1 and not files:
        done = _unload(run, path_dataset(target.name), places[0])
    elif node.args.get("kind") and isinstance(target, exp.Table) and not _is_stage(target):
        done = _load_from(run, run.walk.names.dataset(target), node.this, places, files)
    elif isinstance(target, exp.Query | exp.Table) and files:
        done = _unload(run, files[0], target)
    if done is None:
        run.walk.report("unsupported-statement", "COPY of this form is not understood")
        return run.outcome("other")
    return done


def _is_stage(node: exp.Expr) -> bool:
    """Whether a name is one of a stage or of files in quotes, not of a table."""
    return isinstance(node, exp.Table) and isinstance(node.this, exp.Var | exp.Literal)


def _load_from(run: Run, dataset: str, target: exp.Expr, places: list[exp.Expr], files: list[str]) -> Outcome:
    """Files feed a table; Snowflake's COPY may choose their columns with a query over a stage."""
    queries = [place for place in places if isinstance(place, exp.Query)]
    effects = Effects()
    for query in queries:
        files += [path_dataset(table.name) for table in query.find_all(exp.Table) if _is_stage(table)]
    effects.reads.update(files)
    listed = [run.walk.names.spell(c) for c in target.expressions] if isinstance(target, exp.Schema) else []
    names = listed or run.walk.catalog.all_columns(dataset) or ()
    rows = _rows_of_files(run, queries) if not files else None
    if rows is not None:
        return run.write("other", Write(dataset, [(c.name, c) for c in rows.visible()], rows.effects))
    if len(queries) == 1 and files and names:
        rows = run.walk.query(queries[0], None, top=True)
        columns = rows.visible()
        if len(columns) == len(names) and not rows.is_open:
            return run.write("other", Write(dataset, list(zip(names, columns, strict=True)), rows.effects))
        if not rows.is_open:
            run.walk.report("column-count", f"COPY fills {len(names)} columns from {len(columns)}", dataset)
    if not files:
        detail = (
            f"where the rows of {dataset} come from is not stated: {', '.join(p.name for p in places) or 'no file'}"
        )
        run.walk.report("unknown-source", detail, dataset)
    if queries:
        fed = ", ".join(names) or "its columns"
        run.walk.report("unknown-columns", f"which fields of the files feed {fed} is not stated", dataset)
    return run.write("other", Write(dataset, [], effects))


def _rows_of_files(run: Run, queries: list[Any]) -> Relation | None:
    """Return the rows of a COPY's query over files that are named by their address, None for any other."""
    tables = [table for query in queries for table in query.find_all(exp.Table)]
    if len(queries) != 1 or not tables or not all("/" in table.name for table in tables):
        return None
    for table in tables:
        table.this.set("this", table.name.strip("'"))
    return run.walk.query(queries[0], None, top=True)


def _unload(run: Run, path: str, rows: Any) -> Outcome | None:
    if not isinstance(rows, exp.Query | exp.Table):
        return None
    relation = run.walk.query(rows, None, top=True)
    return run.write("other", Write(path, [(c.name, c) for c in relation.visible()], relation.effects))


def export(run: Run, node: exp.Expr) -> Outcome:
    """EXPORT DATA: a query's rows go to files."""
    relation = run.walk.query(node.this, None, top=True)
    options = node.args.get("options")
    uri = next((_option_value(o) for o in options.expressions if _option_name(o) == "uri"), "") if options else ""
    if not uri:
        run.walk.report("unsupported-statement", "EXPORT DATA without a uri")
        return run.outcome("other")
    pairs = [(column.name, column) for column in relation.visible()]
    return run.write("other", Write(path_dataset(uri), pairs, relation.effects))


def _option_name(node: exp.Expr) -> str:
    return node.this.name.lower() if isinstance(node.this, exp.Expr) else ""


def _option_value(node: exp.Expr) -> str:
    value = node.args.get("value") or node.args.get("expression")
    return value.name if isinstance(value, exp.Expr) else ""
