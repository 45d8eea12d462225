"""How names are spelled in a dialect, and what they mean."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ingest.sql.dialects.parts.precedence import PLAIN, Precedence


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NameRules:
    """A part of the rules of one dialect (``Rules``), with the same defaults: what most engines do."""

    keeps_case: bool = False
    """Names stay as they are written, whatever sqlglot would normalize them to."""
    string_escapes: tuple[str, ...] | None = None
    """What escapes a quote in a string; None: as sqlglot's tokenizer has it."""
    keywords: tuple[str, ...] = ()
    """Keywords that the parser knows and its tokenizer does not, by their names in sqlglot's TokenType."""
    name_depth: int | None = None
    """Parts of a table's full name; None: one more than the default database has."""
    default_schema: str = "default"
    """The schema that is current after a statement that names a catalog only."""
    leaves_out_schemas: bool = False
    """``db..t`` is ``t`` in the default schema of ``db``."""
    session_catalog: str = ""
    """The catalog that names without one are in, and that is left out of them; "": there is none."""
    use_names_catalog: bool = False
    """``USE a`` and ``USE DATABASE a`` name a catalog, whose schemas hold the tables."""
    search_path_settings: frozenset[str] = frozenset()
    """The settings (upper case) that say where names without a schema are looked up."""
    part_of_table: re.Pattern[str] | None = None
    """A full name that means a part of a table, its first group: BigQuery's ``t$20240101``; None: no name does."""
    names_files_by_format: bool = False
    """``parquet.`/x``` in FROM is a file."""
    file_suffixes: tuple[str, ...] = ()
    """Table names that end so (lower case) are files."""
    at_names_hold_rows: bool = False
    """``@t`` in FROM is a variable that holds rows."""
    own_schema: str = ""
    """The schema (lower case) that means a script's own tables: ``LIVE.t`` is the current schema's ``t``; "": none."""
    own_schema_needs_words: tuple[str, ...] = ()
    """It does so only in texts with one of these rows of words (lower case); (): in all."""
    global_views_schema: str = ""
    """The schema of global temporary views; "": there is none."""
    rename_moves_to_current: bool = False
    """The new name in ``ALTER TABLE a.t RENAME TO u`` is in the current database, not in that of the old one."""
    swaps_in_database: bool = False
    """The bare name in ``ALTER TABLE a.t SWAP WITH u`` is in the database of the changed table."""
    precedence: Precedence = PLAIN
    """Which of two things of one name is meant, clause by clause."""
    bare_fields: frozenset[str] | None = None
    """The fields (lower case) that ``col.field`` reads of a column without its source in front; None: all."""
