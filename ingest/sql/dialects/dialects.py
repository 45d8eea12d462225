"""How each dialect spells names: sqlglot's dialect, identifiers, datasets, and what a query calls unnamed columns."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Any, Final

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect, NormalizationStrategy

from ingest.sql.dialects import precedence
from ingest.sql.dialects.names import ALIASES, PARSED, unknown_words
from ingest.sql.words import words
from lineage_tt.model.edges import dataset_node, split_dataset

#: Trino and its kin.
TRINOS: Final = frozenset(["trino", "presto", "athena"])
MICROSOFT: Final = frozenset(["tsql", "fabric"])
# Dialects in which a select item may name an earlier one of the same list.
_LATERAL_ALIASES: Final = frozenset(
    ["spark", "spark2", "databricks", "redshift", "snowflake", "clickhouse", "duckdb", "teradata"]
)
# Dialects in which a comma in FROM is just another join, not weaker than those written out.
_COMMA_IS_A_JOIN: Final = frozenset(["hive", "spark", "spark2", "databricks", "bigquery", "clickhouse"])
# What Spark reads files as.
_FILE_FORMATS: Final = frozenset(["parquet", "orc", "csv", "json", "text", "avro", "xml", "binaryfile", "delta"])
# What a file's name ends with where DuckDB reads it in the place of a table.
_FILES: Final = tuple(words(".parquet .csv .tsv .json .jsonl .ndjson .csv.gz .json.gz .csv.zst .json.zst"))
#: The dialects in which a source's field may stand beside it in FROM.
IMPLICIT_UNNESTS: Final = frozenset(["bigquery", "redshift"])
_RECURSIVE_WITHOUT_KEYWORD: Final = MICROSOFT | {"oracle", "teradata"}
_ANY_DEPTH: Final = 100
_DEFAULT_SCHEMAS: Final = MappingProxyType({"snowflake": "public", "tsql": "dbo", "fabric": "dbo"})
_MAX_WORDS: Final = 4096
_LONGEST_WORD: Final = 64
_SESSION_CATALOG: Final = "spark_catalog"
_PATH = re.compile(r"([a-z][a-z0-9+.-]*://[^/]+)/*(.*)", re.IGNORECASE)


class UnknownDialectError(ValueError):
    """The dialect is not one that the parser knows."""


class NotATableError(ValueError):
    """Something else stands where a statement must name a table; said as a problem of the statement."""


def _uncommanded(dialect: Any) -> Any:
    """Return a class of tokenizer that takes what follows PRINT, FETCH or END for words, not for one text."""
    return type("PlainTokenizer", (dialect.tokenizer_class,), {"COMMANDS": set()})


@cache
def _rules(name: str) -> Any:
    """Return sqlglot's dialect, which remembers the tokens of single words.

    The parser asks for them at each ``STRUCT(x AS word)`` and the like, as the word might be a type, and a tokenizer
    is made each time. Raises ValueError for a dialect that is not known.
    """
    if name and name not in PARSED:  # sqlglot would look for a module that is called so
        raise ValueError(f"{name!r} is not a dialect's name")
    rules = Dialect.get_or_raise(name)
    plain = rules.tokenize
    if name in MICROSOFT:
        tokenizer = _uncommanded(rules)

        def plain(sql: str, dialect: Any = None) -> Any:
            return tokenizer(dialect=rules).tokenize(sql)

    word = lru_cache(_MAX_WORDS)(plain)

    def tokenize(sql: str, dialect: Any = None) -> Any:
        return (
            word(sql) if dialect is None and len(sql) <= _LONGEST_WORD and sql.isidentifier() else plain(sql, dialect)
        )

    rules.tokenize = tokenize
    return rules


class Names:
    """Names of one script: the dialect's rules, the namespace and the current database (which USE changes)."""

    def __init__(self, dialect: str, namespace: str, default_database: str) -> None:
        name = dialect.lower()
        name = ALIASES.get(name, name)
        try:
            self.dialect = _rules(name)
        except ValueError as unknown:
            raise UnknownDialectError(unknown_words(dialect)) from unknown
        self.dialect_name = name
        self.namespace = namespace
        self.database = [part for part in default_database.split(".") if part]
        self.precise_structs = name == "bigquery"
        self.session_catalog = name in ("spark", "spark2", "databricks")
        self.lateral_aliases = name in _LATERAL_ALIASES
        self.precedence = precedence.BY_DIALECT.get(name, precedence.PLAIN)
        self.names_several = name in ("duckdb", "clickhouse")
        self.implicit_unnests = name in IMPLICIT_UNNESTS
        self.both_sides_count = self.grouping_counts = self.numbers_unnamed = name in TRINOS
        self.commas_part_joins = name not in _COMMA_IS_A_JOIN
        self.recursive_without_keyword = name in _RECURSIVE_WITHOUT_KEYWORD
        self.touched: set[str] = set()
        self._depth = 3 if name == "bigquery" else len(self.database) + 1
        self._strategy = self.dialect.normalization_strategy
        self._as_written = name == "bigquery" or self._strategy is NormalizationStrategy.CASE_SENSITIVE

    def use(self, parts: list[str], *, catalog: bool = False) -> None:
        """Make ``parts`` the current database, keeping a catalog in front that they do not name.

        With ``catalog`` they are one: names without a schema are then in its schema of that dialect's default.
        """
        if self.session_catalog and parts[:1] == [_SESSION_CATALOG]:
            parts = parts[1:] or ["default"]
        if catalog and len(parts) == 1:
            parts = [*parts, self.spell(_DEFAULT_SCHEMAS.get(self.dialect_name, "default"))]
        self.database = [*self.database[: max(0, len(self.database) - len(parts))], *parts]
        self._depth = max(self._depth, len(self.database) + 1)

    def keep_under(self, prefix: str) -> None:
        """Put ``prefix`` in front of every name, however many parts it has."""
        self.database = [prefix]
        self._depth = _ANY_DEPTH

    def spell(self, identifier: exp.Expr | str) -> str:
        """Return an identifier's canonical spelling; BigQuery keeps what was written (columns match in any case)."""
        if isinstance(identifier, exp.Column | exp.ColumnDef):
            identifier = identifier.this
        text: str = identifier if isinstance(identifier, str) else identifier.name
        if self._as_written:
            return text
        quoted = False if isinstance(identifier, str) else bool(identifier.args.get("quoted"))
        if self._strategy in (NormalizationStrategy.CASE_INSENSITIVE, NormalizationStrategy.CASE_INSENSITIVE_UPPERCASE):
            quoted = False
        if quoted:
            return text
        upper = self._strategy in (NormalizationStrategy.UPPERCASE, NormalizationStrategy.CASE_INSENSITIVE_UPPERCASE)
        return text.upper() if upper else text.lower()

    def parts(self, table: exp.Table) -> list[str]:
        """Return the spelt parts of a table's name as written; raises NotATableError for anything else."""
        if not isinstance(table, exp.Table):
            raise NotATableError(f"{type(table).__name__} stands where a table is named")
        if isinstance(table.this, exp.Parameter) and self.dialect_name in MICROSOFT:
            return [f"@{table.name.lower()}"]  # a variable that holds rows
        spelt = [self.spell(part) for part in table.parts if part.name]
        if len(spelt) > 2 and spelt[0] == _SESSION_CATALOG and self.session_catalog:
            del spelt[0]  # the catalog that names without one are in
        if spelt and "INFORMATION_SCHEMA." in spelt[-1]:  # the parser takes it and the view's name as one
            return [*spelt[:-1], *spelt[-1].split(".")]
        return spelt

    def spell_path(self, identifiers: list[exp.Expr]) -> list[str]:
        """Return the spelt parts of a column's dotted name, without the catalog that names without one are in."""
        if self._as_written:
            return [part.name for part in identifiers]
        return self._without_catalog([self.spell(part) for part in identifiers])

    def spell_words(self, parts: list[str]) -> list[str]:
        """Return the same of a dotted name whose parts are written without quotes."""
        return parts if self._as_written else self._without_catalog([self.spell(part) for part in parts])

    def _without_catalog(self, spelt: list[str]) -> list[str]:
        return spelt[1:] if len(spelt) > 2 and spelt[0] == _SESSION_CATALOG and self.session_catalog else spelt

    def dataset(self, table: exp.Table) -> str:
        """Return the node of a table, its missing leading parts taken from the current database."""
        parts = self.parts(table)
        if len(parts) == 1 and self._is_file(parts[0]):
            return path_dataset(table.name)
        if len(parts) == 2 and self.session_catalog and parts[0].lower() in _FILE_FORMATS and "/" in parts[1]:
            return path_dataset(table.name)  # parquet.`/x`
        return self.dataset_of_parts(parts)

    def _is_file(self, name: str) -> bool:
        """Whether a table's name is that of a file: an address, or in DuckDB one that ends like a file's."""
        if "/" in name and _PATH.match(name):
            return True
        return self.dialect_name == "duckdb" and name.lower().endswith(_FILES)

    def dataset_of_parts(self, parts: list[str]) -> str:
        """Return the node of a dataset from the parts of its name, and note that a statement asked for it."""
        dataset = self.dataset_of_spelt(parts)
        self.touched.add(dataset)
        return dataset

    def dataset_of_spelt(self, parts: list[str]) -> str:
        """Return the node of a dataset from the parts of its name."""
        return dataset_node(self.namespace, ".".join(self.full(parts)))

    def target(self, given: str) -> str:
        """Return the node of a message's ``target``; one without a namespace is read as a name in the SQL would be."""
        try:
            split_dataset(given)
        except ValueError:
            return self.dataset_of_parts([self.spell(part) for part in given.split(".")])
        return given

    def full(self, parts: list[str]) -> list[str]:
        """Return a name's parts with the missing leading ones of the current database."""
        return [*self.database[: max(0, self._depth - len(parts))], *parts]

    def of_values(self, place: int) -> str:
        """Return what the dialect calls the column at ``place`` of VALUES without names."""
        if self.dialect_name in TRINOS:
            return f"_col{place}"
        if self.dialect_name in _COLUMN_ONE:
            return self.spell(f"column{place + 1}")
        own = {"duckdb": f"col{place}", "mysql": f"column_{place}", "clickhouse": f"c{place + 1}"}
        return own.get(self.dialect_name, f"col{place + 1}")

    def unnamed(self, position: int, ordinal: int, text: str) -> str:
        """Return what the dialect calls the unnamed item at ``position`` (the ``ordinal``-th unnamed one)."""
        if self.dialect_name == "hive":
            return f"_c{position}"
        if self.dialect_name == "bigquery":
            return f"f{ordinal}_"
        if self.dialect_name in TRINOS:
            return f"_col{position}"
        return text if len(text) <= 128 else f"_c{position}"


_COLUMN_ONE: Final = frozenset(["postgres", "redshift", "snowflake", "sqlite", "materialize", "risingwave"])


def path_dataset(path: str) -> str:
    """Return the node of a file or directory: ``s3://bucket:key``, or ``file:/path`` where there is no scheme."""
    found = _PATH.match(path)
    if found and found.group(2):
        return dataset_node(found.group(1), found.group(2))
    return dataset_node("file", path)
