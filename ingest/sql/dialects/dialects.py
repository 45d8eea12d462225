"""How each dialect spells names: sqlglot's dialect, identifiers, datasets, and what a query calls unnamed columns."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from sqlglot import exp
from sqlglot.dialects.dialect import NormalizationStrategy
from sqlglot.tokens import Token, TokenType

from ingest.sql.dialects.engine import engine_of
from ingest.sql.dialects.foreign import FOREIGN_NILADIC
from ingest.sql.dialects.names import unknown_words
from ingest.sql.dialects.registry import find_rules
from lineage_tt.model.edges import dataset_node

# What Spark reads files as.
_FILE_FORMATS: Final = frozenset(["parquet", "orc", "csv", "json", "text", "avro", "xml", "binaryfile", "delta"])
_ANY_DEPTH: Final = 100
#: What USE may choose beside a database: who runs the statements, and on which machines.
_NO_DATABASES: Final = ("ROLE", "WAREHOUSE")
_MAX_NAME: Final = 128
_CASELESS: Final = (NormalizationStrategy.CASE_INSENSITIVE, NormalizationStrategy.CASE_INSENSITIVE_UPPERCASE)
_UPPER: Final = (NormalizationStrategy.UPPERCASE, NormalizationStrategy.CASE_INSENSITIVE_UPPERCASE)
# A node has its namespace before the first quote; a name in SQL may have a colon within quotes.
_OF_NODE = re.compile(r"[^:\"`\[]+:")
_PATH = re.compile(r"([a-z][a-z0-9+.-]*://[^/]+)/*(.*)", re.IGNORECASE)


class UnknownDialectError(ValueError):
    """The dialect is not one that the parser knows."""


class NotATableError(ValueError):
    """Something else takes the place of a table's name in a statement; reported as a problem of the statement."""


class Names:
    """Names of one script: the dialect's rules, the namespace and the current database (which USE changes)."""

    def __init__(self, dialect: str, namespace: str, default_database: str) -> None:
        rules = find_rules(dialect)
        if rules is None:
            raise UnknownDialectError(unknown_words(dialect))
        self.rules = rules
        self.engine = engine_of(rules)
        self.dialect = self.engine.dialect
        self.namespace = namespace
        self.niladic = rules.niladic
        self._own_schema = ""
        #: The datasets that rules looked up: in the whole script, and in the statement that is run.
        self.touched: set[str] = set()
        self.looked_up: set[str] = set()
        #: Where in the text the names begin of the tables that rules looked up in that statement.
        self.starts: set[int] = set()
        #: Other names of tables that the script has given, in full, each with the full name that it means.
        self.synonyms: dict[str, str] = {}
        strategy = self.dialect.normalization_strategy
        self._as_written = rules.keeps_case or strategy is NormalizationStrategy.CASE_SENSITIVE
        self._ignores_quotes = strategy in _CASELESS
        self._fold: Callable[[str], str] = str.upper if strategy in _UPPER else str.lower
        # Where case tells no two names apart, a name with its database and one without are one dataset
        parts = [part for part in default_database.split(".") if part]
        self.database = list(map(self.spell, parts)) if self._ignores_quotes else parts
        self._depth = rules.name_depth or len(self.database) + 1

    @property
    def as_written(self) -> bool:
        """Whether names stay as they are written, so that one name may exist in several cases."""
        return self._as_written

    def begin(self, tokens: list[Token]) -> None:
        """Take note of the text whose statements come next: what a schema means may depend on what else it says."""
        schema, needed = self.rules.own_schema, self.rules.own_schema_needs_words
        meant = bool(schema) and any(token.text.lower().partition(".")[0] == schema for token in tokens)
        if meant and needed:
            said = " ".join(["", *(t.text.lower() for t in tokens if t.token_type is not TokenType.STRING), ""])
            meant = any(f" {row} " in said for row in needed)
        self._own_schema = schema if meant else ""

    def use(self, parts: list[str], *, catalog: bool = False) -> None:
        """Make ``parts`` the current database, keeping a catalog in front that they do not name.

        With ``catalog``, ``parts`` are a catalog: names without a schema are then in its default schema.
        """
        if self.rules.session_catalog and parts[:1] == [self.rules.session_catalog]:
            self.database = parts[1:] or [self.rules.default_schema]
        else:
            if catalog and len(parts) == 1:
                parts = [*parts, self.spell(self.rules.default_schema)]
            self.database = [*self.database[: max(0, len(self.database) - len(parts))], *parts]
        self._depth = max(self._depth, len(self.database) + 1)

    def follow_use(self, node: exp.Expr) -> None:
        """Change the current database as a USE says: a role or a warehouse is none."""
        kind = node.args["kind"].name.upper() if isinstance(node.args.get("kind"), exp.Expr) else ""
        if isinstance(node.this, exp.Table) and kind not in _NO_DATABASES:
            catalog = kind == "CATALOG" or (self.rules.use_names_catalog and kind in ("", "DATABASE"))
            self.use(self.parts(node.this), catalog=catalog)

    def keep_under(self, prefix: str) -> None:
        """Put ``prefix`` in front of every name, however many parts it has: the text is one for another database."""
        self.database = [prefix]
        self.niladic = self.niladic | FOREIGN_NILADIC
        self._depth = _ANY_DEPTH

    def spell(self, identifier: exp.Expr | str) -> str:
        """Return an identifier's canonical spelling, or as it was written where the rules keep that."""
        if isinstance(identifier, str):
            return identifier if self._as_written else self._fold(identifier)
        if identifier.__class__ is not exp.Identifier and isinstance(identifier, exp.Column | exp.ColumnDef):
            identifier = identifier.this
        text: str = identifier.name
        if self._as_written or (not self._ignores_quotes and identifier.args.get("quoted")):
            return text
        return self._fold(text)

    def parts(self, table: exp.Table) -> list[str]:
        """Return the spelt parts of a table's name as written; raises NotATableError for anything else."""
        if not isinstance(table, exp.Table):
            raise NotATableError(f"{type(table).__name__} in the place of a table's name")
        if isinstance(table.this, exp.Parameter) and self.rules.at_names_hold_rows:
            return [f"@{table.name.lower()}"]  # a variable that holds rows
        if mark := _mark_of_temporary(table.this):
            return [f"{mark}{self.spell(table.this)}"]  # ``tempdb..#t`` is the same one; ``t`` is another table
        spelt = [self.spell(part) for part in table.parts if part.name]
        if len(spelt) > 1 and "" in (table.args.get("db"), table.this.args.get("this")):
            return self.without_gap([*spelt[:-1], "", spelt[-1]])
        if self._own_schema and len(spelt) == 2 and spelt[0].lower() == self._own_schema:
            return spelt[1:]
        if spelt and "INFORMATION_SCHEMA." in spelt[-1]:  # the parser takes it and the view's name as one
            return [*spelt[:-1], *spelt[-1].split(".")]
        return spelt

    def without_gap(self, spelt: list[str]) -> list[str]:
        """Return the parts of ``db..t`` with the schema left out: the current one if in ``db``, or the default."""
        if "" not in spelt[1:-1]:
            return spelt
        gap = spelt.index("", 1)
        before, after = spelt[:gap], [part for part in spelt[gap:] if part]
        if not self.rules.leaves_out_schemas or self.database == before:
            return [*before, *after]
        is_current = len(self.database) > 1 and self.database[-2] == before[-1]
        return [*before, self.database[-1] if is_current else self.spell(self.rules.default_schema), *after]

    def spell_path(self, identifiers: list[exp.Expr]) -> list[str]:
        """Return the spelt parts of a column's dotted name, without the default catalog."""
        if self._as_written:
            return [part.name for part in identifiers]
        return self._without_catalog([self.spell(part) for part in identifiers])

    def spell_words(self, parts: list[str]) -> list[str]:
        """Return the same of a dotted name whose parts are written without quotes."""
        return parts if self._as_written else self._without_catalog([self.spell(part) for part in parts])

    def _without_catalog(self, spelt: list[str]) -> list[str]:
        catalog = self.rules.session_catalog
        return spelt[1:] if catalog and len(spelt) > 2 and spelt[0] == catalog else spelt

    def in_front(self, table: exp.Table) -> tuple[str, ...]:
        """Return what may be in front of a column of this table, in lower case.

        That is its full name, but ``live.t`` where it is written so; and ``t`` for ``#t``, without the sign.
        """
        parts = self.full(self.parts(table))
        if self._own_schema and table.db.lower() == self._own_schema and not table.catalog:
            parts = [self._own_schema, parts[-1]]
        elif _mark_of_temporary(table.this):
            parts = [*parts[:-1], self.spell(table.this)]
        return tuple(part.lower() for part in parts)

    def dataset(self, table: exp.Table) -> str:
        """Return the node of a table, its missing leading parts taken from the current database.

        A stage, ``@s/p``, and an address in quotes are files.
        """
        if isinstance(table, exp.Table) and isinstance(table.this, exp.Var | exp.Literal):
            return path_dataset(table.name)
        parts = self.parts(table)
        if (start := start_of(table.this)) is not None:
            self.starts.add(start)
        if len(parts) == 1 and self._is_file(parts[0]):
            return path_dataset(table.name)
        if len(parts) == 2 and self._is_format(parts[0]) and "/" in parts[1]:
            return path_dataset(table.name)  # parquet.`/x`
        return self.dataset_of_parts(parts)

    def _is_file(self, name: str) -> bool:
        """Whether a table's name is a file's: an address, or one that ends as the rules have it."""
        if "/" in name and _PATH.match(name):
            return True
        return bool(self.rules.file_suffixes) and name.lower().endswith(self.rules.file_suffixes)

    def _is_format(self, name: str) -> bool:
        return self.rules.names_files_by_format and name.lower() in _FILE_FORMATS

    def dataset_of_parts(self, parts: list[str]) -> str:
        """Return the node of a dataset from the parts of its name, and note that a statement looked it up."""
        dataset = self.dataset_of_spelt(parts)
        self.touched.add(dataset)
        self.looked_up.add(dataset)
        return dataset

    def dataset_of_spelt(self, parts: list[str]) -> str:
        """Return the node of a dataset from the parts of its name."""
        name = self._table_of(".".join(self.full(parts)))
        return dataset_node(self.namespace, self.synonyms.get(name, name))

    def _table_of(self, name: str) -> str:
        """Return a full name without the partition or branch that it may name: to write one is to write the table."""
        pattern = self.rules.part_of_table
        match = pattern.fullmatch(name) if pattern is not None else None
        return match[1] if match else name

    def target(self, name: str) -> str:
        """Return the node of a message's ``target``; one without a namespace is read as a name in the SQL would be."""
        if _OF_NODE.match(name):
            return self._table_of(name)
        return self.dataset_of_parts([self.spell(part) for part in self._table_of(name).split(".")])

    def full(self, parts: list[str]) -> list[str]:
        """Return a name's parts with the missing leading ones of the current database.

        The session's catalog is left out, unless the current database shows it, so that its tables have one name.
        """
        parts = self.without_gap(parts)
        plain = self._without_catalog(parts)
        if len(plain) < len(parts) and self.database[:1] != parts[:1]:
            return plain
        return [*self.database[: max(0, self._depth - len(plain))], *plain]

    def of_values(self, place: int) -> str:
        """Return what the dialect calls the column at ``place`` of VALUES without names."""
        return self.rules.values_column.format(place=place, ordinal=place + 1)

    def unnamed(self, position: int, ordinal: int, text: str) -> str:
        """Return what the dialect calls the unnamed item at ``position`` (the ``ordinal``-th unnamed one)."""
        if self.rules.unnamed_column:
            return self.rules.unnamed_column.format(position=position, ordinal=ordinal)
        return text if len(text) <= _MAX_NAME else f"_c{position}"


def path_dataset(path: str) -> str:
    """Return the node of a file or directory: ``s3://bucket:key``, or ``file:/path`` where there is no scheme.

    Secrets in it are masked where names enter the store, alike for all messages.
    """
    match = _PATH.match(path)
    if match and match.group(2):
        return dataset_node(match.group(1), match.group(2))
    return dataset_node("file", path)


def _mark_of_temporary(identifier: Any) -> str:
    """Return the signs in front of the name of T-SQL's temporary tables, which the parser keeps beside it."""
    if identifier.__class__ is not exp.Identifier:
        return ""
    return "#" if identifier.args.get("temporary") else "##" if identifier.args.get("global_") else ""


def start_of(identifier: Any) -> int | None:
    """Return where in the text an identifier of a tree begins, None for anything else and for what rules made."""
    meta = identifier._meta if identifier.__class__ is exp.Identifier else None
    return meta.get("start") if meta else None
