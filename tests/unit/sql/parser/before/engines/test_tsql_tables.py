"""T-SQL's definitions of tables without indexes."""

from __future__ import annotations

import pytest
from token_texts import text_of, tokens_in

from ingest.sql import extract
from ingest.sql.parser.before.engines.tsql_tables import plain_tables

#: Items that make no column, and what else a column may say.
INDEXES = [
    "INDEX ix (a)",
    "INDEX ix CLUSTERED (a)",
    "INDEX ix UNIQUE NONCLUSTERED (a DESC) INCLUDE (b) WHERE a > 1 WITH (FILLFACTOR = 80) ON [PRIMARY]",
    "INDEX ix CLUSTERED COLUMNSTORE",
    "INDEX ix HASH (a) WITH (BUCKET_COUNT = 8)",
    "UNIQUE INDEX ix (a)",
    "UNIQUE CLUSTERED INDEX ix (a)",
]
KEYS = [
    "PRIMARY KEY CLUSTERED (a)",
    "PRIMARY KEY CLUSTERED ([a] ASC) WITH (PAD_INDEX = OFF, FILLFACTOR = 80) ON [PRIMARY]",
    "UNIQUE NONCLUSTERED (a, b)",
    "CONSTRAINT pk PRIMARY KEY NONCLUSTERED (a) NOT ENFORCED",
]
CLAUSES = [
    "INDEX ix",
    "INDEX ix UNIQUE CLUSTERED WITH (FILLFACTOR = 80) ON ps (a) NOT NULL",
    "PRIMARY KEY NONCLUSTERED",
    "PRIMARY KEY NONCLUSTERED HASH WITH (BUCKET_COUNT = 8)",
    "NOT NULL CONSTRAINT pk PRIMARY KEY CLUSTERED",
    "UNIQUE CLUSTERED",
    "NOT NULL DEFAULT (0) WITH VALUES",
    "CONSTRAINT df DEFAULT 0 WITH VALUES",
    "CHECK NOT FOR REPLICATION (a > 0)",
    "MASKED WITH (FUNCTION = 'default()') NULL",
    "SPARSE NULL",
    "ROWGUIDCOL",
]


def edges_of(sql: str, dialect: str) -> tuple[set[str], str]:
    """Return the edges of a script, and how much of it is understood."""
    found = extract(sql, dialect=dialect, namespace="n")
    return {f"{edge.source} {edge.target}".replace("n:", "") for edge in found.edges}, found.coverage


@pytest.mark.parametrize("dialect", ["tsql", "fabric"])
@pytest.mark.parametrize("item", [*INDEXES, *KEYS])
def test_an_index_or_a_key_is_no_column(item: str, dialect: str) -> None:
    """``INDEX ix (a)`` was a column ``index``, and what a key says of its index a syntax error."""
    made = f"CREATE TABLE t (a INT, {item}, b INT); INSERT INTO o SELECT * FROM t"

    assert edges_of(made, dialect) == ({"t#a o#a", "t#b o#b"}, "complete")


@pytest.mark.parametrize("clause", CLAUSES)
def test_a_columns_index_is_no_part_of_it(clause: str) -> None:
    """Its clauses were a syntax error, and the columns of the table not known."""
    made = f"CREATE TABLE t (a INT {clause}, b INT); INSERT INTO o SELECT * FROM t"
    added = f"CREATE TABLE t (b INT); ALTER TABLE t ADD a INT {clause}, c INT; INSERT INTO o SELECT * FROM t"

    assert edges_of(made, "tsql") == ({"t#a o#a", "t#b o#b"}, "complete")
    assert edges_of(added, "tsql") == ({"t#a o#a", "t#b o#b", "t#c o#c"}, "complete")


@pytest.mark.parametrize("item", [*INDEXES, *KEYS, *(f"c INT {clause}" for clause in CLAUSES)])
@pytest.mark.parametrize("made", ["CREATE TABLE #x ({})", "CREATE TABLE dbo.#x ({})", "DECLARE @x TABLE ({}), @y INT"])
def test_a_table_of_the_script_takes_rows_for_its_columns_alone(made: str, item: str) -> None:
    """What is inserted by position was one column short, or the variable was declared nowhere."""
    name = "@x" if "@x" in made else "#x"
    rows = "s.a, s.b, s.c" if item.startswith("c ") else "s.a, s.b"
    made = made.format(f"a INT, b INT, {item}")
    sql = f"{made}; INSERT INTO {name} SELECT {rows} FROM s; SELECT a, b INTO o FROM {name}"

    assert edges_of(sql, "tsql") == ({"s#a o#a", "s#b o#b"}, "complete")


@pytest.mark.parametrize(
    "added", ["INDEX ix (a)", "UNIQUE INDEX ix (a)", "INDEX ix (a), INDEX iy CLUSTERED COLUMNSTORE"]
)
def test_to_add_an_index_alone_alters_no_column(added: str) -> None:
    """It was a syntax error."""
    sql = f"CREATE TABLE t (a INT) ALTER TABLE t ADD {added} INSERT INTO o SELECT * FROM t"

    assert edges_of(sql, "tsql") == ({"t#a o#a"}, "complete")


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE TABLE t ( [index] INT , [unique] INT , clustered INT )",
        "CREATE TABLE t ( a INT DEFAULT ( 0 ) , CHECK ( a IN ( 1 , 2 ) ) )",
        "CREATE TABLE t ( a INT , INDEX",
        "CREATE TABLE t ( a INT , INDEX )",
        "CREATE TABLE t ( )",
        "CREATE TABLE t WITH ( HEAP ) AS SELECT a FROM s",
        "CREATE TABLE #",
        "ALTER TABLE t ADD",
        "ALTER TABLE t ADD a INT INDEX",
        "ALTER TABLE t DROP COLUMN a",
        "ALTER INDEX ix ON t REBUILD",
        "DECLARE @x INT = 1",
        "SELECT a FROM t WITH ( INDEX ( ix ) )",
    ],
)
def test_other_words_stay(sql: str) -> None:
    """Names in brackets are no words, and what is unfinished is not finished by leaving it out."""
    assert text_of(plain_tables(tokens_in(sql, "tsql"))) == text_of(tokens_in(sql, "tsql"))


def test_an_unfinished_index_is_told() -> None:
    """The word that lacks a name after it stays, so that the parser rejects it."""
    assert (
        text_of(plain_tables(tokens_in("ALTER TABLE t ADD a INT INDEX ix ON", "tsql"))) == "ALTER TABLE t ADD a INT ON"
    )
    assert edges_of("ALTER TABLE t ADD a INT INDEX ix ON", "tsql") == (set(), "opaque")


@pytest.mark.parametrize("clause", ["MASKED WITH (x", "INDEX ix WITH (x", "INDEX ix ON p (x", "DEFAULT (0"])
def test_a_bracket_without_a_partner_ends_nothing(clause: str) -> None:
    """The statement is read to its end once, and is an error."""
    assert edges_of(f"ALTER TABLE t ADD a INT {clause}, b INT", "tsql") == (set(), "opaque")
