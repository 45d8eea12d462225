"""A branch of a MERGE that takes the source's whole row, by place or by name: DuckDB's, run, beside its lineage."""

from __future__ import annotations

import duckdb
import pytest

from ingest.sql import extract

COLUMNS = {"n:t": ("k", "p", "q"), "n:s": ("q", "k", "p")}
BRANCHES = [
    "NOT MATCHED THEN INSERT", "NOT MATCHED THEN INSERT *", "NOT MATCHED THEN INSERT BY NAME",
    "NOT MATCHED THEN INSERT BY NAME *", "MATCHED THEN UPDATE", "MATCHED THEN UPDATE SET *",
    "MATCHED THEN UPDATE BY NAME", "MATCHED THEN UPDATE SET p = s.q",
    "NOT MATCHED THEN INSERT (k, q) VALUES (s.k, s.p)",
]  # fmt: skip


def _merge(branch: str) -> str:
    return f"MERGE INTO t USING s ON t.k {'=' if branch.startswith('MATCHED') else '>'} s.k WHEN {branch}"


def _filled(branch: str) -> set[tuple[str, str]]:
    """Run the statement; return each source column whose value is in a target column afterwards that was not before."""
    with duckdb.connect() as session:
        session.execute("CREATE TABLE t (k INT, p INT, q INT); CREATE TABLE s (q INT, k INT, p INT)")
        session.execute("INSERT INTO s VALUES (30, 1, 20)")
        if branch.startswith("MATCHED"):
            session.execute("INSERT INTO t VALUES (1, -1, -2)")
        session.execute(_merge(branch))
        ((*row,),) = session.execute("SELECT * FROM t").fetchall()
    source = {30: "q", 1: "k", 20: "p"}
    return {(source[value], name) for name, value in zip("kpq", row, strict=True) if value in source}


@pytest.mark.parametrize("branch", BRANCHES)
def test_the_lineage_of_a_branch_is_what_duckdb_does(branch: str) -> None:
    """Its star goes by place, BY NAME by name, with a list of assignments as those say."""
    made = extract(_merge(branch), dialect="duckdb", namespace="n", columns=COLUMNS)
    edges = {(e.source[4:], e.target[4:]) for e in made.edges if e.subtype == "IDENTITY"}

    kept = {("k", "k")} if "p = s.q" in branch else set()  # the row that is there has its key already
    assert edges == _filled(branch) - kept
    assert made.problems == ()


@pytest.mark.parametrize(
    ("dialect", "head", "source", "branch", "codes"),
    [
        ("duckdb", "MERGE", "s2", "NOT MATCHED THEN INSERT *", ["column-count"]),
        ("duckdb", "MERGE", "s2", "NOT MATCHED THEN INSERT BY NAME", []),
        ("duckdb", "MERGE", "s4", "NOT MATCHED THEN INSERT BY NAME", ["unknown-column"]),
        ("duckdb", "MERGE", "s4", "MATCHED THEN UPDATE BY NAME", ["unknown-column"]),
        ("spark", "MERGE", "s2", "NOT MATCHED THEN INSERT *", ["unknown-column"]),
        ("spark", "MERGE", "s2", "MATCHED THEN UPDATE SET *", ["unknown-column"]),
        ("spark", "MERGE", "s4", "MATCHED THEN UPDATE SET *", []),
        ("databricks", "MERGE WITH SCHEMA EVOLUTION", "s2", "MATCHED THEN UPDATE SET *", []),
        ("spark", "MERGE", "free", "MATCHED THEN UPDATE SET *", ["unknown-columns"]),
        ("bigquery", "MERGE", "s2", "NOT MATCHED THEN INSERT ROW", ["column-count"]),
        ("redshift", "MERGE", "s2", "", ["unknown-column"]),
    ],
)
def test_a_row_that_does_not_fit_its_target_is_reported(
    dialect: str, head: str, source: str, branch: str, codes: list[str]
) -> None:
    """A column of the target that the source lacks, or one too many: the text fails when it is run."""
    text = f"{head} INTO t USING {source} ON t.k = {source}.k " + (f"WHEN {branch}" if branch else "REMOVE DUPLICATES")
    columns = COLUMNS | {"n:s2": ("k", "p"), "n:s4": ("q", "k", "p", "nope")}
    made = extract(text, dialect=dialect, namespace="n", columns=columns)

    assert [problem.code for problem in made.problems] == codes


@pytest.mark.parametrize(("source", "branch"), [("s2", "NOT MATCHED THEN INSERT *"),
                                                ("s4", "NOT MATCHED THEN INSERT BY NAME"),
                                                ("s4", "MATCHED THEN UPDATE BY NAME")])  # fmt: skip
def test_duckdb_rejects_what_is_reported(source: str, branch: str) -> None:
    """The cases of the test above that it can run."""
    with duckdb.connect() as session:
        session.execute("CREATE TABLE t (k INT, p INT, q INT); CREATE TABLE s2 (k INT, p INT)")
        session.execute("CREATE TABLE s4 (q INT, k INT, p INT, nope INT)")

        with pytest.raises(duckdb.BinderException):
            session.execute(f"MERGE INTO t USING {source} ON t.k = {source}.k WHEN {branch}")
