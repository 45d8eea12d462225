"""What every statement of a script is given, and where what it writes goes."""

from __future__ import annotations

import pytest
from scripted import pairs, reasons, running

from ingest.sql.binder.relations.flow import IDENTITY, Column, Part
from ingest.sql.binder.relations.relations import Effects
from ingest.sql.statements.emit import Write
from ingest.sql.statements.run import Outcome
from lineage_tt.model.edges import Edge


def write(target: str, *names: str, source: str = "n:d.t") -> Write:
    """Return a write of columns that come from those of the same names in a source."""
    effects = Effects()
    effects.reads.add(source)
    columns = [(name, Column(name, (Part({f"{source}#{name}": IDENTITY}, name),))) for name in names]
    return Write(f"n:d.{target}", columns, effects)


def test_what_parts_of_a_statement_did_is_added_up() -> None:
    """Edges in their order, datasets once; the kind stays."""
    one = Outcome("insert", [Edge("n:a", "n:b")], {"n:a"}, {"n:b"})
    one.add(Outcome("update", [Edge("n:c", "n:b")], {"n:c", "n:a"}, {"n:b"}))

    assert one == Outcome("insert", [Edge("n:a", "n:b"), Edge("n:c", "n:b")], {"n:a", "n:c"}, {"n:b"})


def test_a_write_to_a_stored_table_is_the_result() -> None:
    """With what was read, and what it makes known of the table where it creates that."""
    run = running()
    done = run.write("ctas", write("k", "a", "b"), created=True)

    assert (done.kind, pairs(done.edges)) == ("ctas", {"k#a": "t#a", "k#b": "t#b"})
    assert (done.reads, done.writes, run.written) == ({"n:d.t"}, {"n:d.k"}, {"n:d.k"})
    assert run.catalog.columns("n:d.k") == ("a", "b")


def test_an_insert_makes_no_columns_known() -> None:
    """The table may have more."""
    run = running()
    run.write("insert", write("k", "a"))

    assert run.catalog.columns("n:d.k") is None


def test_what_the_text_itself_created_is_not_read_from_outside() -> None:
    """Its edges stay, since it is stored."""
    run = running()
    run.write("ctas", write("k", "a"), created=True)
    done = run.write("insert", write("o", "a", source="n:d.k"))

    assert (pairs(done.edges), done.reads) == ({"o#a": "k#a"}, set())


@pytest.mark.parametrize(("keep", "edges"), [(False, {}), (True, {"k#a": "t#a"})])
def test_a_temporary_table_is_filled_or_kept(keep: bool, edges: dict[str, str]) -> None:
    """Filled, it is not part of the result."""
    run = running(keep=keep)
    done = run.write("ctas", write("k", "a"), created=True, temporary=True)

    assert (pairs(done.edges), run.catalog.content("n:d.k") is not None) == (edges, not keep)


@pytest.mark.parametrize(("overwrite", "expected"), [(False, {"n:d.t#a", "n:d.u#a"}), (True, {"n:d.u#a"})])
def test_a_later_write_of_a_temporary_table_adds_or_begins_again(overwrite: bool, expected: set[str]) -> None:
    """Without the word that it is temporary: the first one said so."""
    run = running()
    run.write("ctas", write("k", "a"), created=True, temporary=True)
    run.write("insert", write("k", "a", source="n:d.u"), overwrite=overwrite)
    content = run.catalog.content("n:d.k")

    assert content is not None
    assert set(content.columns[0].flow()) == expected


def test_a_table_that_the_script_drops_in_the_end_is_a_temporary_one() -> None:
    """Also where it is made empty."""
    run = running()
    run.short_lived = frozenset(["n:d.k"])

    assert run.write("ctas", write("k", "a"), created=True) == Outcome("ctas")
    assert (run.created_table("n:d.k").writes, run.created_table("n:d.j").writes) == (set(), {"n:d.j"})


@pytest.mark.parametrize(
    ("dialect", "known", "given", "expected"),
    [
        ("mysql", ("Name", "id"), ("NAME", "ID"), {"k#Name": "t#NAME", "k#id": "t#ID"}),
        ("mysql", ("a", "A"), ("A",), {"k#A": "t#A"}),
        ("mysql", ("a",), ("b",), {"k#b": "t#b"}),
        ("hive", ("Name",), ("NAME",), {"k#NAME": "t#NAME"}),
    ],
)
def test_columns_in_another_case_are_those_of_the_target(
    dialect: str, known: tuple[str, ...], given: tuple[str, ...], expected: dict[str, str]
) -> None:
    """Where names stay as they are written; one that is there as written is itself."""
    run = running(dialect, {"n:d.k": known})

    assert pairs(run.write("insert", write("k", *given)).edges) == expected


def test_a_star_over_what_nothing_tells_is_in_doubt() -> None:
    """One over a table of unknown columns names that table; another one the table that is written."""
    run = running()
    run.walk.dataset("n:d.nowhere")
    run.write("insert", write("o", "*", source="n:d.nowhere"))
    assert reasons(run) == [("unknown-columns", "n:d.nowhere")]

    run = running()
    star = Write("n:d.o", [("*", Column("*", (Part({"n:d.t#a": IDENTITY}, "f(a)"),)))])
    run.write("insert", star)
    assert reasons(run) == [("unknown-columns", "n:d.o")]


def test_a_created_table_with_a_star_has_unknown_columns() -> None:
    """Its partition columns are kept all the same."""
    run = running()
    run.write("ctas", write("k", "a", "*"), created=True, partitions=("dt",))

    assert (run.catalog.columns("n:d.k"), run.catalog.partitions("n:d.k")) == (None, ("dt",))


@pytest.mark.parametrize("dialect", ["bigquery", "mysql"])
@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("INSERT INTO t (C, a) SELECT u.d, u.e FROM u", {"c": "u#d", "a": "u#e"}),
        ("UPDATE t SET B = u.d FROM u WHERE t.a = u.a", {"b": "u#d"}),
        ("INSERT INTO t (New) SELECT u.d FROM u", {"New": "u#d"}),
    ],
)
def test_columns_written_in_another_case_are_those_of_the_table(lineage, dialect, sql, expected):
    """Where names stay as written a column was fed under a name that the table does not have."""
    if dialect == "mysql" and sql.startswith("UPDATE"):
        sql = "UPDATE t JOIN u ON t.a = u.a SET B = u.d"

    assert expected == lineage(sql, dialect).names("d.t")


def test_a_value_whose_column_has_no_name_may_be_of_any() -> None:
    """No node has an empty name: that the table's columns are not known is reported."""
    run = running()
    done = run.write("insert", write("o", ""))

    assert [edge.target for edge in done.edges] == ["n:d.o#*"]
    assert reasons(run) == [("unknown-columns", "n:d.o")]
