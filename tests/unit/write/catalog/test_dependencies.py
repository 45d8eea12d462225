"""What a statement depends on, and when it is to be resolved again."""

from __future__ import annotations

from lineage_tt.model.facts import Field
from lineage_tt.model.messages import Lineage, TaskChange
from lineage_tt.timeline import NO_SOURCE_VERSION, StatementSpan
from lineage_tt.write.catalog.catalog import Catalog, Entry
from lineage_tt.write.catalog.dependencies import (
    OF_NAMED,
    Due,
    StarIndex,
    columns_read,
    due,
    reads_named,
    spans_since,
    stars_of,
    words_of,
)
from lineage_tt.write.subjects.tasks import Stars, TaskHistory

EDGE = ("n:s#a", "n:o#a", "DIRECT", "IDENTITY", "")


def declared(*names: str, at: int = 0, version: int = 1) -> Entry:
    """A dataset message that declares these columns from a time on."""
    return Entry.declared(at, NO_SOURCE_VERSION, version, tuple(Field(name, "int") for name in names))


def select(sql: str) -> TaskChange:
    """A task's statement."""
    return TaskChange("e", "t", "online", 0, sql=sql)


def history_of(stars: Stars) -> TaskHistory:
    """A task whose version 5 was resolved with these columns, from valid time 0 on."""
    history = TaskHistory()
    history.place(5, 0, None, [EDGE], None)
    history.note_stars(5, stars)
    return history


def read(catalog: Catalog, *datasets: str, at: int = 0) -> Stars:
    """What a statement that reads all columns of datasets depends on."""
    return columns_read(catalog, tuple((dataset, None) for dataset in datasets), at, 5, None)


def test_a_statement_that_names_its_columns_depends_on_those_alone() -> None:
    """A column that it does not name may come and go; one with an odd name may be written in another way."""
    lookups = [("n:s", ("a", "z1"))], [("n:s", ("a", "z2"))], [("n:s", ("a", "odd name"))]
    one, other, odd = (stars_of(Lineage(lookups=each), select("SELECT a FROM s")) for each in lookups)

    assert one == other != odd
    assert reads_named(one)


def test_a_star_depends_on_every_column() -> None:
    """And so does a text whose template may put names together; without lookups it depends on nothing."""
    one, other = [("n:s", ("a", "b"))], [("n:s", ("a", "c"))]

    for sql, stars in (("SELECT * FROM s", ["n:s"]), ("SELECT {{ x }} FROM s", [])):
        first, second = (stars_of(Lineage(lookups=each, stars=stars), select(sql)) for each in (one, other))
        assert first != second
        assert not reads_named(first)
    assert stars_of(Lineage(), select("SELECT 1")) == ()


def test_the_words_of_a_dropped_text_are_the_columns_of_its_edges() -> None:
    """Parameters count as words, too; letters' case does not."""
    assert words_of(TaskChange("e", "t", "online", 0), [EDGE]) == "a"
    assert words_of(TaskChange("e", "t", "online", 0, sql="SELECT ${c}", params={"c": "Price"})) == "select ${c}\nprice"


def test_changed_columns_make_a_statement_due_from_their_time_on() -> None:
    """As of the same columns it is not; a column added later makes it due from then on."""
    catalog = Catalog()
    catalog.declare("n:s", declared("a"))
    history = history_of(read(catalog, "n:s"))
    held = StatementSpan(5, 0, None)

    assert list(due("t", history, held, 0, catalog)) == []
    catalog.declare("n:s", declared("a", "b", at=10, version=2))
    assert list(due("t", history, held, 0, catalog)) == [Due("t", 5, 10, read(catalog, "n:s", at=10))]
    assert list(due("t", history, held._replace(valid_to=10), 0, catalog)) == []


def test_what_was_checked_is_not_due_again() -> None:
    """A result that says the same makes no version, and is not computed at every message."""
    catalog = Catalog()
    catalog.declare("n:s", declared("a"))
    history = history_of((("n:s", None),))
    [found] = due("t", history, StatementSpan(5, 0, None), 0, catalog)

    history.note_checked(5, 0, 5, found.read)
    assert list(due("t", history, StatementSpan(5, 0, None), 0, catalog)) == []


def test_only_statements_that_read_columns_are_looked_at() -> None:
    """``only`` limits it to one version."""
    history = history_of((("n:s", None),))
    history.place(6, 20, None, [EDGE], None)

    assert [held.version for held in spans_since(history, 0)] == [5]
    assert list(spans_since(history, 0, only=6)) == []
    assert list(spans_since(history, 20)) == []


def test_tasks_are_found_by_the_datasets_they_read() -> None:
    """Each with the earliest change of any of them."""
    index = StarIndex()
    index.add("t", ["n:a", "n:b"])
    index.add("u", ["n:b"])

    assert index.since({"n:a": 5, "n:b": 3, "n:c": 1}) == {"t": 3, "u": 3}
    assert index.since({"n:c": 1}) == {}


def test_a_dataset_of_unknown_columns_has_no_digest() -> None:
    """It differs from one that is known to have none of the columns named."""
    catalog = Catalog()
    named = ((("n:s"), OF_NAMED),)
    assert columns_read(catalog, named, 0, 5, lambda: "select a") == (("n:s", None),)
    catalog.declare("n:s", declared("z"))
    [(_, digest)] = columns_read(catalog, named, 0, 5, lambda: "select a")

    assert digest is not None
    assert digest.startswith(OF_NAMED)
