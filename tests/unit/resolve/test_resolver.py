"""The lineage of SQL messages, with the columns that the store knows at their point."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from ingest.resolve.resolver import EXTRACTOR_VERSION, SqlResolver, parser_name
from lineage_tt.model.facts import Shape
from lineage_tt.model.messages import Lineage, TaskChange
from lineage_tt.model.redaction.policy import TextPolicy


@pytest.fixture
def resolver() -> Iterator[SqlResolver]:
    """One that reads SQL in this process."""
    with SqlResolver(0) as made:
        yield made


def task(sql: str, **more: str) -> TaskChange:
    """A message of Hive SQL."""
    given = {"dialect": "hive", "namespace": "n", "default_database": "d"} | more
    return TaskChange("1", "t", "update", 0, sql=sql, **given)  # type: ignore[arg-type]


def pairs(lineage: Lineage) -> set[tuple[str, str]]:
    """Return source and target of each edge."""
    return {(edge[0], edge[1]) for edge in lineage.edges}


def resolved(resolver: SqlResolver, message: TaskChange, known: Mapping[str, Shape]) -> Lineage:
    """Return the lineage of one message."""
    (found,) = resolver([(message, known)])
    return found


def test_each_message_is_read_with_its_own_columns(resolver: SqlResolver) -> None:
    """In order, whatever the others know."""
    message = task("INSERT INTO o SELECT * FROM t")
    found = resolver([(message, {"n:d.t": ("a",)}), (message, {}), (message, {"n:d.t": ("b",)})])

    assert [pairs(each) for each in found] == [
        {("n:d.t#a", "n:d.o#a")}, {("n:d.t#*", "n:d.o#*")}, {("n:d.t#b", "n:d.o#b")}
    ]  # fmt: skip
    assert [each.coverage for each in found] == ["complete", "partial", "complete"]
    assert resolver([]) == []


def test_columns_of_a_table_whose_name_is_not_in_the_text_are_asked_for(resolver: SqlResolver) -> None:
    """A template names it: the text is read again with what it asked for."""
    message = TaskChange(
        "1", "t", "update", 0, sql="INSERT INTO d.o SELECT * FROM d.${src}", dialect="hive", namespace="n",
        params={"src": "hidden"},
    )  # fmt: skip

    assert pairs(resolved(resolver, message, {"n:d.hidden": ("a",)})) == {("n:d.hidden#a", "n:d.o#a")}


def test_a_name_is_found_in_a_text_in_any_case_and_by_its_first_word(resolver: SqlResolver) -> None:
    """``my-table`` is two words to whoever looks for names."""
    known: Mapping[str, Shape] = {"n:d.my-table": ("a",), "n:d.t": ("b",)}

    assert pairs(resolved(resolver, task("INSERT INTO o SELECT * FROM `My-Table`"), known)) == {
        ("n:d.my-table#a", "n:d.o#a")
    }
    assert pairs(resolved(resolver, task("INSERT INTO O SELECT * FROM T"), known)) == {("n:d.t#b", "n:d.o#b")}


def test_tables_that_become_known_later_are_found(resolver: SqlResolver) -> None:
    """The names of a catalog are kept as it grows."""
    known: dict[str, Shape] = {"n:d.x": ("q",)}
    message = task("INSERT INTO o SELECT * FROM t")
    assert resolved(resolver, message, known).coverage == "partial"
    known["n:d.t"] = ("a",)

    assert pairs(resolved(resolver, message, known)) == {("n:d.t#a", "n:d.o#a")}


def test_the_columns_of_a_messages_target_count(resolver: SqlResolver) -> None:
    """Though the text does not name it."""
    found = resolved(resolver, task("SELECT a AS X FROM t", target="n:d.o"), {"n:d.o": ("x",)})

    assert pairs(found) == {("n:d.t#a", "n:d.o#x")}


def test_an_answer_says_what_read_it_and_what_it_asked_for(resolver: SqlResolver) -> None:
    """By these a later version of the table, or of the parser, is known to make another answer."""
    found = resolved(resolver, task("INSERT INTO o (x) SELECT a FROM t; CALL p()"), {})

    assert f"extractor {EXTRACTOR_VERSION}" in parser_name()
    assert found.parser == parser_name()
    assert "n:d.t" in dict(found.lookups)
    assert found.coverage == "partial"
    assert "opaque-call" in {problem.code for problem in found.problems}


def test_a_place_of_files_is_another_name_of_its_table(resolver: SqlResolver) -> None:
    """As edges both ways, of the table and of its columns."""
    found = resolved(resolver, task("CREATE TABLE k (x INT) LOCATION 's3://b/k'"), {})

    assert pairs(found) == {
        ("n:d.k", "s3://b:k"), ("s3://b:k", "n:d.k"), ("n:d.k#*", "s3://b:k#*"), ("s3://b:k#*", "n:d.k#*")
    }  # fmt: skip


@pytest.mark.parametrize(
    ("policy", "masked", "quoted"),
    [("keep", False, True), ("mask-literals", True, False), ("drop-text", True, False)],
)
def test_words_of_a_text_are_kept_masked_or_dropped(
    resolver: SqlResolver, policy: str, masked: bool, quoted: bool
) -> None:
    """The lineage is the same; problems quote no literal of a text that is not kept."""
    resolver.policy = TextPolicy(policy)
    found = resolved(resolver, task("INSERT INTO o (x) SELECT a FROM t WHERE b = 'Ana'; SELECT 'Ana' ( FROM"), {})

    assert ("n:d.t#a", "n:d.o#x") in pairs(found)
    assert any("Ana" in problem.detail for problem in found.problems) is quoted
    assert (found.masked is not None) is masked
    assert found.masked is None or "Ana" not in str(found.masked.sql)


def test_a_complete_text_that_is_to_be_dropped_is_not_read_twice(resolver: SqlResolver) -> None:
    """It has no problems that could quote it."""
    resolver.policy = TextPolicy("drop-text")
    found = resolved(resolver, task("INSERT INTO o (x) SELECT a FROM t WHERE b = 'Ana'"), {})

    assert (found.coverage, found.masked) == ("complete", None)


def test_a_closed_resolver_begins_again() -> None:
    """With new workers, where there are any."""
    resolver = SqlResolver(0)
    message = task("INSERT INTO o (x) SELECT a FROM t")
    before = resolved(resolver, message, {})
    resolver.close()
    resolver.close()

    assert resolved(resolver, message, {}) == before
