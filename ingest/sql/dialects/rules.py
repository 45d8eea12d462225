"""What is true of one dialect, made in ``families``: code elsewhere asks for a rule, never for a dialect's name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ingest.sql.dialects.parts.accepted import ANY, Accepted
from ingest.sql.dialects.parts.clients import NO_CLIENT, Client
from ingest.sql.dialects.parts.grouping import USUAL, Grouping
from ingest.sql.dialects.parts.statements import StatementRules
from ingest.sql.dialects.parts.variables import PLAIN_VARIABLES, Variables


@dataclass(frozen=True, slots=True)
class Identity:
    """The names of a dialect, and the parser that reads it; never inherited."""

    name: str
    """Its name in lower case, as messages give it; "" is standard SQL."""
    parser: str | None = None
    """sqlglot's name of the dialect that reads it; None: it has the same name there."""
    aliases: tuple[str, ...] = ()
    """Other names of the same dialect."""
    similar: tuple[str, ...] = ()
    """Engines without rules of their own that are most like this one: the error for such a name suggests this one."""
    rendered_as: str | None = None
    """sqlglot's name of the dialect that writes expressions, where the parser's cannot."""
    also_read_as: tuple[str, ...] = ()
    """sqlglot's dialects that read all of this one, and forms that its own parser leaves out; tried when it fails."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rules(StatementRules):
    """The rules of one dialect. Defaults are what most engines do; a child of a dialect is ``replace(PARENT, …)``."""

    identity: Identity
    """The dialect's names. Each child has its own."""

    # Template parts and variables of a script

    client: Client = NO_CLIENT
    """What the engine's client reads itself, see ``parts/clients.py``."""
    delimiter_lines: bool = False
    """Lines ``DELIMITER //`` name what ends a statement, as MySQL's client reads them."""
    runs_marked_comments: bool = False
    """The engine runs what a comment ``/*! … */`` holds."""
    dollar: Literal["part", "name", "column"] = "part"
    """What ``$x`` is: a template part; a part unless glued to a name, ``a$b``; a column of the engine, ``$action``."""
    at_is_variable: bool = False
    """``@x`` is a variable of the script itself, not a template part."""
    substitutes_settings: bool = False
    """``SET day=…`` gives ``${day}`` its value."""
    sets_at_names_only: bool = False
    """SET changes a variable only where its name begins with ``@``; other names are options."""
    any_name_may_be_variable: bool = False
    """Variables hide columns of tables that are not known, declared by the statement's own text or not."""
    variables: Variables = PLAIN_VARIABLES
    """How variables are named beside that, see ``parts/variables.py``."""
    session_variables: bool = False
    """``system.session.v`` and ``session.v`` are variables."""
    select_into_sets_variables: bool = False
    """``SELECT … INTO a, b`` sets variables; elsewhere it makes a table."""
    loops_name_columns: bool = False
    """In a loop over a query its columns are variables by themselves, for names that no source has."""
    calls_by_name: bool = False
    """``p(3);`` and ``pkg.p;`` in a block run a procedure, and ``NULL;`` nothing."""
    idle_packages: frozenset[str] = frozenset()
    """The packages, and procedures without one (lower case), that move no rows."""
    idle_procedures: frozenset[str] = frozenset()
    """The engine's own procedures (lower case, with their schema) that CALL runs and that change no table's source."""
    declares_by_statement: bool = False
    """DECLARE is a statement of the parser's own, not the head of a block."""

    # How scripts and statements are read

    batches: bool = False
    """Statements need no semicolons between them: batches are split at the words that begin one (T-SQL)."""
    statement_sets: bool = False
    """``EXECUTE STATEMENT SET BEGIN … END`` holds the INSERTs of one job."""
    table_variables: bool = False
    """``@a := SELECT …`` names rows for the statements after it, ``@x := 1`` a value."""
    storage_statements: bool = False
    """LIFECYCLE of a table, LOAD FROM LOCATION, UNLOAD INTO LOCATION, CLONE TABLE."""
    forms: Literal[
        "", "registers", "hints", "locks", "limit_over", "local", "priorities", "shown", "projects", "indexes", "links"
    ] = ""
    """What the parser lacks: registers and durations; STRAIGHT_JOIN, UPSERT; LOCKING; LIMIT … OVER; LOCAL; IGNORE;
    functions that show a table or files, ``remote('host', t)``; those of other projects, ``p:f(a)``; inline indexes;
    ``t@"link"``."""
    moves_by_functions: bool = False
    """``SELECT MOVE_PARTITIONS_TO_TABLE('a', …, 'b')`` moves rows."""
    macros_run_statements: bool = False
    """CREATE MACRO defines statements, as a procedure does, and REPLACE defines either again."""
    has_editions: bool = False
    """``CREATE OR REPLACE FORCE EDITIONABLE VIEW`` is CREATE VIEW."""
    words_by_statement: bool = False
    """How a statement's words are read, and what quotes a name, depends on how it begins."""
    cell_lines: bool = False
    """``-- COMMAND ----------`` between the cells of a notebook ends a statement."""
    slash_ends: bool = False
    """A line with ``/`` alone ends a statement (SQL*Plus)."""
    stream_tables: bool = False
    """Tables over streams: WATERMARK, METADATA, LIKE with options and more columns, functions of ``TABLE t``."""
    guesses_at_calls: bool = False
    """The parser tries the argument of any call as a lambda's typed parameter first."""
    guesses_at_arrows: bool = False
    """The parser reads what comes after ``->`` twice: as the body of a lambda, and as an operand."""
    identifier_clause: bool = False
    """``IDENTIFIER('a.b')`` of a constant is the name that it says."""
    transforms: bool = False
    """``SELECT TRANSFORM (…) USING 'program' AS a, b``, and Hive's own arguments of ``percentile``."""
    all_is_name: bool = False
    """``SELECT all, a``: before a comma ALL is a column's name."""
    single_pipes: bool = False
    """``|`` may replace ``|>`` between the steps of a query."""
    zeroifnull: bool = False
    """``ZEROIFNULL(a)`` is a value, which sqlglot reads as a condition."""
    called_otherwise: tuple[tuple[str, str], ...] = ()
    """Functions of whose name the parser knows another one, each with a second name that it has in the engine."""
    niladic: frozenset[str] = frozenset()
    """Words (lower case) that alone and unquoted call a function of the engine, ``USER``, or count rows, ``ROWNUM``."""
    sequence_words: frozenset[str] = frozenset()
    """Words (lower case) that after a dot read a sequence, ``seq.NEXTVAL``."""
    query_functions: frozenset[str] = frozenset()
    """Functions (lower case, those of a package after it) that run a query, or read tables, which a text names."""
    sequence_functions: frozenset[str] = frozenset()
    """Functions (lower case) whose first argument is the name of a sequence: ``NEXTVAL(seq)``."""
    functions_have_paths: bool = False
    """``project.dataset.f(x)`` calls a function by its whole name."""
    exchange_moves_one_way: bool = False
    """``EXCHANGE PARTITION … WITH TABLE`` moves rows one way; elsewhere the two tables swap them."""
    attaches_tables: bool = False
    """``ATTACH PARTITION p`` and ``DETACH PARTITION p`` name a table, whose rows come or go."""

    # FROM

    comma_is_a_join: bool = False
    """A comma in FROM binds as a written JOIN does; elsewhere it binds less."""
    outer_joins_need_condition: bool = False
    """A LEFT, RIGHT or FULL JOIN without ON or USING is a syntax error."""
    implicit_unnests: bool = False
    """``FROM t, t.items`` reads the elements of a field of the source beside it."""
    recursive_without_keyword: bool = False
    """A query of WITH may read itself without RECURSIVE."""
    subqueries_see_beside: bool = False
    """A query in FROM sees the sources in front of it, without LATERAL."""
    fixed_columns: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Functions (lower case) in FROM that always have the same columns, each with these."""
    change_functions: frozenset[str] = frozenset()
    """Functions (lower case) of a table's name that give its rows as they changed."""
    foreign_tables: tuple[tuple[str, int], ...] = ()
    """Functions (lower case) that give a table of another database, each with how many arguments say which it is."""
    has_dual: bool = False
    """``DUAL`` is a table of one row that the engine has."""
    values_column: str = "col{ordinal}"
    """The name of a column of VALUES, from its ``place`` (from 0) or ``ordinal`` (from 1)."""
    values_take_records: bool = False
    """``VALUES r`` inserts the fields of a record, and ``SET ROW = r`` updates all columns with them."""
    values_take_rows: bool = False
    """``VALUES ROW(a, b)`` is a row of two columns."""
    explode_names: bool = False
    """EXPLODE calls its columns ``col``, or ``key`` and ``value``; POSEXPLODE puts ``pos`` before them."""
    rows_take_alias: frozenset[str] = frozenset()
    """Functions (lower case) in FROM of one column, which is called as the source is, else as they are."""
    unnest_alias_is_element: bool = False
    """``UNNEST(a) AS e`` names the element, not a source: a struct's fields are beside it and ``e.*`` is of them."""
    unnest_offset: str = "ordinality"
    """The name of UNNEST's column of places."""
    unnest_takes_alias: bool = False
    """The one column of ``UNNEST(a) AS u`` is called ``u``."""
    unnest_names_element: bool = False
    """UNNEST has a column of its own name where the elements' type is not known."""
    unnest_keeps_structs: bool = False
    """UNNEST of an array of structs in FROM is one column, not one of each field."""
    pivoted_numbers_get_underscore: bool = False
    """A column of PIVOT for the number 1 is called ``_1``."""
    views_take_arguments: bool = False
    """``FROM v(a = 1)`` are the rows of a view, whose query has a parameter ``a``."""
    checks_unused_queries: bool = True
    """Names in a query of WITH that nothing reads must be known, too."""
    queries_in_from_have_names_once: bool = False
    """A query in FROM or WITH may not have two columns of one name."""
    one_column_may_repeat: bool = False
    """A name that a query in FROM has twice is not ambiguous where it is the same column."""
    natural_needs_names: bool = False
    """NATURAL JOIN without a common name is rejected; elsewhere it joins every row to every row."""
    using_takes_first: bool = False
    """A name in USING that several sources of a side have is the first one's; elsewhere it is ambiguous."""
    returning_sees_sources: bool = True
    """RETURNING may name columns of FROM and USING, too, not only the target's."""
    elements_column: str = ""
    """What the plain values of ``TABLE(collection)`` are called, though no star names them; "": it has no such name."""
    window_tables: frozenset[str] = frozenset()
    """Functions (lower case) that give a table's rows with ``window_start``, ``window_end`` and ``window_time``."""
    temporal_joins: bool = False
    """``FOR SYSTEM_TIME AS OF o.ts`` joins the version of a row that a column of another source chooses."""
    accepted: Accepted = ANY
    """Which forms the engine takes of those that the parser reads in every dialect."""
    grouping: Grouping = USUAL
    """What GROUP BY may list, and what a grouped query may select."""
    set_operations_count_both: bool = False
    """Values of INTERSECT come from both sides, those of EXCEPT are decided by the right one."""

    # The select list, and what its columns are called

    lateral_aliases: bool = False
    """An item may name an earlier one of the same list."""
    local_items: bool = False
    """``LOCAL.a`` is an item of the same select list."""
    selects_nothing: bool = False
    """``SELECT FROM t``, without columns, is a query."""
    unnamed_column: str = ""
    """The name of an item without one, from its ``position`` or its ``ordinal`` among those; "": its own text."""
    unnamed_keeps_case: bool = False
    """Its own text is its name as it is written, ``toDate(ts)``; elsewhere case tells no two names apart."""
    unnamed_by_place: bool = False
    """The name counts the columns of stars in front, too, and a star brings unnamed columns along without one."""
    unnamed_in_created: str = ""
    """The same in CREATE TABLE AS, from ``position``; "": as in any query."""
    unnamed_as_postgres: bool = False
    """An item without a name is called after its function or its type, else ``?column?``."""
    bracketed_column_keeps_name: bool = False
    """``SELECT (a)`` makes a column ``a``."""
    bracketed_star: bool = False
    """``SELECT (*)`` is ``SELECT *``."""
    cast_keeps_name: bool = False
    """``CAST(a AS INT)``, and a type's call as ``decimal(a)``, make a column ``a``."""
    literal_is_name: bool = False
    """``SELECT 'a'`` makes a column ``a``."""
    quoted_patterns: bool = False
    """A quoted name among the items may be a pattern over columns: `` `(ds|pt)?+.+` ``."""
    column_sets: bool = False
    """One item may name several columns: ``COLUMNS('a.*')``, lists in brackets."""
    column_set_keeps_names: bool = False
    """Around ``COLUMNS(…)`` an expression is called as the column is, not by its text."""
    unnest_spreads_structs: bool = False
    """``SELECT unnest(s)`` of a struct gives its fields as columns."""
    star_omits_using: bool = False
    """``t.*`` leaves out the columns that USING made one of two."""
    using_columns_in_place: bool = False
    """A star shows the columns of USING where the left side has them; elsewhere first."""
    using_columns_in_left_order: bool = False
    """Those that it shows first have the order of the left side, not that of the list."""
    joined_names_are_qualified: bool = False
    """In a join a column is called ``b.id`` where an earlier source has an ``id``, of three sources any other."""
    lists_may_be: Literal["exact", "shorter", "any in WITH"] = "exact"
    """How long a list of column names of a view, a CTE or a derived table may be; the last: shorter, in WITH any."""
    star_ignores_unknown_names: bool = False
    """``* EXCEPT (a)`` is no error where there is no ``a``."""

    # Expressions

    subqueries_make_rows: bool = False
    """A query of several columns in an expression is a row, or a tuple; elsewhere it has one column."""
    in_names_tables: Literal["never", "unless a column", "always"] = "never"
    """When the name in ``x IN t`` is a table, whose rows are meant; else it is a column."""
    looks_up_by_name: bool = False
    """``dictGet('d', 'c', key)`` and ``joinGet`` read a column of the dictionary or table that they name."""
    arrow: Literal["lambda", "field", "either"] = "lambda"
    """What ``(a -> 'b')`` is: a lambda; a document's field; the latter where ``a`` is a column and ``'b'`` constant."""
    dollar_places: bool = False
    """``$2`` is the second column of the source."""
    struct_fields_are_apart: bool = False
    """A field of a struct that an expression makes comes from that field alone, not from all of the struct."""
    casts_drop_precision: bool = False
    """The types of casts are written without their precision (a rule of sqlglot's generator)."""
    grouping_counts: bool = False
    """``grouping(a)`` depends on the column ``a``."""
    columns_hide_functions: bool = False
    """``current_date`` without brackets is a column where a source has one of that name."""
    brackets_cast: bool = False
    """``a(DATE)`` is a cast where ``a`` is a column."""
    file_metadata: bool = False
    """``_metadata`` is a struct of what is known of the file of a row."""
    method_schemas: frozenset[str] | None = None
    """``c.f(x)`` calls ``f`` on a value unless ``c`` is one of these schemas; None: ``c`` is a package or schema."""
    xml_methods: frozenset[str] = frozenset()
    """Functions that are always called on a value, ``c.value(…)``."""
    object_methods: bool = False
    """``t.c.f(x)`` calls a method on a column's object where ``t`` is a source."""

    @property
    def name(self) -> str:
        """The dialect's name."""
        return self.identity.name

    @property
    def parser(self) -> str:
        """sqlglot's name of the dialect that reads it."""
        return self.name if self.identity.parser is None else self.identity.parser
